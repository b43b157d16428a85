// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEADLOCK_SWITCH_H
#define LOSSLESS_DEADLOCK_SWITCH_H

#include "deadlock-facts.h"
#include "switch-watch.h"

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/switch-node.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A watched switch, as the searches of a DeadlockDetector know it: the facts of now, what they have
 * seen of it so far, and which of its parts are in a deadlock. On all ranks it is the same, see
 * Ranks; only what SwitchWatch does is done on the rank of the switch.
 */
class DeadlockSwitch
{
  public:
    /// What may be in a deadlock: an egress queue, or the packet processor (nothing).
    using Part = std::optional<QueueId>;
    /// Called when a part has moved that was in a deadlock.
    /// @param report number of its report @param when it was
    using NoteMoved = std::function<void(std::size_t report, Ticks when)>;

    /// @param name of the switch @param node the switch
    DeadlockSwitch(const std::string& name, Ptr<SwitchNode> node);

    /// Finds out where the ports lead, and on the rank of the switch has it watched.
    /// @param switches all watched ones, by node @param request asks for a search
    void Connect(const std::map<const Node*, DeadlockSwitch*>& switches,
                 const std::function<void()>& request);

    /// On the rank of the switch: takes the facts of now.
    /// @param settled what was stopped later is in no graph
    void TakeFacts(Ticks settled);
    /// A search sees the facts; those of all switches are there. @param noteMoved is told
    void Look(const NoteMoved& noteMoved);
    /// After all have looked.
    void EndLook();

    /// @return name of the switch
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return whether a watchdog of the switch frees queues that are stopped for long
    bool IsGuarded() const;

    /// @return the facts
    const SwitchFacts& GetFacts() const
    {
        return m_facts;
    }

    /// @return tells of the switch; null: another rank does
    const SwitchWatch* GetWatch() const
    {
        return m_watch.get();
    }

    /// @return number of ports
    std::size_t GetNPorts() const
    {
        return m_ports.size();
    }

    /// @param port a port @return the switch it leads to; null: that is not watched
    DeadlockSwitch* GetNext(PortId port) const
    {
        return m_ports[Index(port)].next;
    }

    /// @param port a port @return that of GetNext() behind the cable
    PortId GetNextPort(PortId port) const
    {
        return m_ports[Index(port)].nextPort;
    }

    /// @param port a port @return classes of which nothing may leave
    PrioritySet GetStopped(PortId port) const
    {
        return m_facts.ports[Index(port)].closed | m_ports[Index(port)].blocked;
    }

    /// @param queue an egress queue of a port that leads to a watched switch
    /// @return whether that has the class paused
    bool IsHeld(QueueId queue) const;
    /// @return the egress queue for which the processor waits; nothing: it is not stopped
    Part GetAwaited() const;
    /// @return how many of its queues, and its processor, hold frames that wait
    std::size_t CountHolders() const;
    /// @param part which is stopped @return since when it is
    Ticks GetStoppedSince(const Part& part) const;
    /// @param part which is stopped
    /// @return since when neither it nor the ingress queue that it waits for has moved
    Ticks GetStalledSince(const Part& part) const;
    /// @param now the time @param confirm ConfirmTime
    /// @return whether a queue that is stopped, and in no deadlock that is final, has moved in that
    /// time, or may have frames on the wire yet, or the next switch has something to send
    bool MayChange(Ticks now, Ticks confirm) const;

    /// @param port a port @return its classes that are in a deadlock that was reported
    PrioritySet GetReported(PortId port) const
    {
        return m_ports[Index(port)].reported;
    }

    /// @param part which is stopped @return hash of the flow whose frame has waited longest in it,
    /// if it is an egress queue of which single flows are stopped
    std::optional<uint64_t> GetStoppedFlow(const Part& part) const;
    /// @param part a part @return number of the report of the deadlock it is in; 0: it is in none
    std::size_t GetReport(const Part& part) const;
    /// A part is in a deadlock that is reported. @param part it @param report number of the report
    void SetReport(const Part& part, std::size_t report);
    /// A part is in a deadlock that is final: no search is needed for it. @param part it
    void SetFinal(const Part& part);
    /// All that is in a deadlock is in none any more. @param report number of its report
    void ForgetReport(std::size_t report);

    /// @return the members, for record-archive.h
    auto Tie()
    {
        return std::tie(m_facts);
    }

    uint32_t m_rank; ///< of the switch

  private:
    /// A port: where it leads, and the history of its egress queues.
    struct Port
    {
        /// @param facts of now @return of the reported classes, those in no deadlock any more
        PrioritySet FindFreed(const PortFacts& facts) const;

        /// Classes are in no deadlock that was reported, any more. @param classes they
        void ForgetReports(PrioritySet classes)
        {
            reported &= ~classes;
            locked &= ~classes;
            final &= ~classes;
        }

        DeadlockSwitch* next{nullptr}; ///< the switch it leads to; null: that is not watched
        PortId nextPort{0};            ///< by which port frames enter it
        Ticks flight{0};               ///< from the first bit of a frame to its arrival there
        PrioritySet blocked{0};        ///< open classes of which no frame could leave
        PrioritySet reported{0};       ///< stopped classes in a deadlock that was reported
        PrioritySet locked{0};         ///< of these, those of which a single flow is locked
        PrioritySet final{0};          ///< of those reported, those in one that is final
        std::array<std::size_t, NUM_PRIORITIES> report{}; ///< by class; void for those not reported
        std::array<WaitingFrame, NUM_PRIORITIES> first{}; ///< by class, the first frame of the flow
                                                          ///< that is locked; void if none is
        std::array<Ticks, NUM_PRIORITIES> blockedSince{}; ///< by class; void for those not blocked
        std::array<uint64_t, NUM_PRIORITIES> awaited{};   ///< bytes whose departure may let the
                                                          ///< next switch resume the class
        std::array<Ticks, NUM_PRIORITIES> sameSince{};    ///< when that was seen first
    };

    /// Looks at a port. @param port it @param facts of it @param noteMoved see Look()
    void LookAt(Port& port, const PortFacts& facts, const NoteMoved& noteMoved) const;
    /// Looks whether the processor is stopped as it was the last time, by the same frame.
    void LookAtProcessor();
    /// @param id a port @param now the time @param confirm ConfirmTime @return see above
    bool MayChange(PortId id, Ticks now, Ticks confirm) const;

    std::string m_name;                   ///< of the switch
    Ptr<SwitchNode> m_node;               ///< the switch
    std::unique_ptr<SwitchWatch> m_watch; ///< see GetWatch()
    SwitchFacts m_facts;                  ///< see GetFacts()
    std::vector<Port> m_ports;            ///< by port; empty before Connect()

    /// The frame by which the processor was stopped at the last look: its port and its arrival.
    std::optional<std::pair<PortId, Ticks>> m_stopped;
    Ticks m_stoppedSince{0};          ///< first look at that
    std::size_t m_processorReport{0}; ///< of the deadlock in which it is; 0: in none
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DEADLOCK_SWITCH_H */
