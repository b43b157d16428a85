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
 * A watched switch, as the searches of a DeadlockDetector know it: the present facts, what earlier
 * searches have seen, and which of its parts are in a deadlock. It is the same on all ranks (see
 * Ranks), except for the SwitchWatch, which is on the rank of the switch.
 */
class DeadlockSwitch
{
  public:
    /// What may be in a deadlock: an egress queue, or the packet processor (nothing).
    using Part = std::optional<QueueId>;
    /// Called when a part of a deadlock has moved. @param report number of its report
    using NoteMoved = std::function<void(std::size_t report, Ticks when)>;

    /// @param node not null
    DeadlockSwitch(const std::string& name, Ptr<SwitchNode> node);

    /// Finds out where the ports lead, and watches the switch if it is of this rank.
    /// @param switches all watched ones, by node
    /// @param request called to ask for a search
    void Connect(const std::map<const Node*, DeadlockSwitch*>& switches,
                 const std::function<void()>& request);

    /// Takes the present facts of a switch of this rank.
    /// @param settled what was stopped later is in no graph
    void TakeFacts(Ticks settled);
    /// Compares the facts with those of the last search; those of all switches must be there.
    void Look(const NoteMoved& noteMoved);
    /// Called after Look() of all switches.
    void EndLook();

    /// @return name of the switch
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return whether a watchdog of the switch frees queues that have been stopped for a long time
    bool IsGuarded() const;

    /// @return facts of the last search, or of this one
    const SwitchFacts& GetFacts() const
    {
        return m_facts;
    }

    /// @return null: the switch is of another rank
    const SwitchWatch* GetWatch() const
    {
        return m_watch.get();
    }

    /// @return number of ports
    std::size_t GetNPorts() const
    {
        return m_ports.size();
    }

    /// @return the switch that a port leads to; null: it is not watched
    DeadlockSwitch* GetNext(PortId port) const
    {
        return m_ports[Index(port)].next;
    }

    /// @return the port of GetNext() at the other end of the cable
    PortId GetNextPort(PortId port) const
    {
        return m_ports[Index(port)].nextPort;
    }

    /// @return classes of which no frame may leave by a port
    PrioritySet GetStopped(PortId port) const
    {
        return m_facts.ports[Index(port)].closed | m_ports[Index(port)].blocked;
    }

    /// @param queue an egress queue of a port that leads to a watched switch
    /// @return whether that switch has paused it
    bool IsHeld(QueueId queue) const;
    /// @return the egress queue for which the processor waits; nothing: it is not stopped
    Part GetAwaited() const;
    /// @return number of egress queues and processors with waiting frames
    std::size_t CountHolders() const;
    /// @param part one that is stopped
    Ticks GetStoppedSince(const Part& part) const;
    /// @param part one that is stopped
    /// @return since when neither it nor the ingress queue that it waits for has moved
    Ticks GetStalledSince(const Part& part) const;
    /// @param confirm ConfirmTime
    /// @return whether a stopped queue outside the final deadlocks has moved in that time, may
    /// still have frames on the wire, or waits for a switch that has something to send
    bool MayChange(Ticks now, Ticks confirm) const;

    /// @return classes of a port that are in a reported deadlock
    PrioritySet GetReported(PortId port) const
    {
        return m_ports[Index(port)].reported;
    }

    /// @param part one that is stopped
    /// @return hash of the flow whose frame has waited longest, if single flows of it are stopped
    std::optional<uint64_t> GetStoppedFlow(const Part& part) const;
    /// @return number of the report of its deadlock; 0: it is in none
    std::size_t GetReport(const Part& part) const;
    /// Notes that a part is in a reported deadlock. @param report its number
    void SetReport(const Part& part, std::size_t report);
    /// Notes that a part is in a final deadlock: no search is needed for it.
    void SetFinal(const Part& part);
    /// Notes that a deadlock has dissolved. @param report its number
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
        /// @return of the reported classes, those that have left their deadlock
        PrioritySet FindFreed(const PortFacts& facts) const;

        /// Notes that classes have left their deadlock.
        void ForgetReports(PrioritySet classes)
        {
            reported &= ~classes;
            locked &= ~classes;
            final &= ~classes;
        }

        DeadlockSwitch* next{nullptr}; ///< the switch that it leads to; null: not watched
        PortId nextPort{0};            ///< its port at the other end of the cable
        Ticks flight{0};               ///< from the first bit of a frame to its arrival there
        PrioritySet blocked{0};        ///< open classes of which no frame could leave
        PrioritySet reported{0};       ///< stopped classes in a reported deadlock
        PrioritySet locked{0};         ///< of these, those of which a single flow is locked
        PrioritySet final{0};          ///< of those reported, those in a final deadlock
        std::array<std::size_t, NUM_PRIORITIES> report{}; ///< by class; void for those not reported
        std::array<WaitingFrame, NUM_PRIORITIES> first{}; ///< by class, the first frame of the flow
                                                          ///< that is locked; void if none is
        std::array<Ticks, NUM_PRIORITIES> blockedSince{}; ///< by class; void for those not blocked
        std::array<uint64_t, NUM_PRIORITIES> awaited{};   ///< bytes whose departure may let the
                                                          ///< next switch resume the class
        std::array<Ticks, NUM_PRIORITIES> sameSince{};    ///< when that number was first seen
    };

    void LookAt(Port& port, const PortFacts& facts, const NoteMoved& noteMoved) const;
    /// Notes whether the processor is still stopped by the same frame.
    void LookAtProcessor();
    bool MayChange(PortId id, Ticks now, Ticks confirm) const;

    std::string m_name;                   ///< of the switch
    Ptr<SwitchNode> m_node;               ///< the switch
    std::unique_ptr<SwitchWatch> m_watch; ///< see GetWatch()
    SwitchFacts m_facts;                  ///< see GetFacts()
    std::vector<Port> m_ports;            ///< by port; empty before Connect()

    /// The frame by which the processor was stopped at the last look: its port and its arrival.
    std::optional<std::pair<PortId, Ticks>> m_stopped;
    Ticks m_stoppedSince{0};          ///< when that was first seen
    std::size_t m_processorReport{0}; ///< report of its deadlock; 0: it is in none
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DEADLOCK_SWITCH_H */
