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
 * The state of a watched switch that the searches of a DeadlockDetector use. It contains the
 * current facts, the results of earlier searches, and the parts of the switch that are deadlocked.
 * It is the same on all ranks (see Ranks), except for the SwitchWatch, which exists only on the
 * rank of the switch.
 */
class DeadlockSwitch
{
  public:
    /// A part of a switch that can be deadlocked: an egress queue or, if there is no value, the
    /// packet processor.
    using Part = std::optional<QueueId>;
    /// A function that is called when a member of a deadlock has moved.
    /// @param report the report number of the deadlock
    using NoteMoved = std::function<void(std::size_t report, Ticks when)>;

    /// @param node the switch; not null
    DeadlockSwitch(const std::string& name, Ptr<SwitchNode> node);

    /// Finds the switches to which the ports lead. Starts watching the switch if it belongs to this
    /// rank.
    /// @param switches all watched switches, keyed by node
    /// @param request a function that requests a search
    void Connect(const std::map<const Node*, DeadlockSwitch*>& switches,
                 const std::function<void()>& request);

    /// Updates the facts about a switch of this rank.
    /// @param settled queues that were stopped after this time are not included in a graph
    void TakeFacts(Ticks settled);
    /// Compares the facts with those of the last search. The facts of all switches must be up to
    /// date.
    void Look(const NoteMoved& noteMoved);
    /// Ends a comparison; called after Look() has been called for all switches.
    void EndLook();

    /// @return the name of the switch
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return whether a watchdog of the switch releases queues that have been stopped for a long
    /// time
    bool IsGuarded() const;

    /// @return the facts of the current search or, between searches, of the last one
    const SwitchFacts& GetFacts() const
    {
        return m_facts;
    }

    /// @return the watch, or null if the switch belongs to another rank
    const SwitchWatch* GetWatch() const
    {
        return m_watch.get();
    }

    /// @return the number of ports
    std::size_t GetNPorts() const
    {
        return m_ports.size();
    }

    /// @return the switch at the other end of a port's cable, or null if it is not watched
    DeadlockSwitch* GetNext(PortId port) const
    {
        return m_ports[Index(port)].next;
    }

    /// @return the port of GetNext() to which the cable leads
    PortId GetNextPort(PortId port) const
    {
        return m_ports[Index(port)].nextPort;
    }

    /// @return the classes of a port in which no frame can be sent
    PrioritySet GetStopped(PortId port) const
    {
        return m_facts.ports[Index(port)].closed | m_ports[Index(port)].blocked;
    }

    /// @param queue an egress queue of a port that leads to a watched switch
    /// @return whether the next switch has stopped the queue
    bool IsHeld(QueueId queue) const;
    /// @return the egress queue for which the processor waits; unset if the processor is not
    /// stopped
    Part GetAwaited() const;
    /// @return the number of parts (egress queues and the processor) that store frames
    std::size_t CountHolders() const;
    /// @param part a stopped part
    Ticks GetStoppedSince(const Part& part) const;
    /// @param part a stopped part
    /// @return the time since which neither the part nor the ingress queue for which it waits has
    /// moved
    Ticks GetStalledSince(const Part& part) const;
    /// @param confirm the attribute "ConfirmTime" of the detector
    /// @return whether a stopped queue outside the final deadlocks has moved within this time, may
    /// still have frames on the wire, or waits for a switch that can still send frames
    bool MayChange(Ticks now, Ticks confirm) const;

    /// @return the classes of a port that are in a reported deadlock
    PrioritySet GetReported(PortId port) const
    {
        return m_ports[Index(port)].reported;
    }

    /// @param part a stopped part
    /// @return the flow (FlowControl::GetFlowOf()) whose frame has waited longest; unset unless
    /// individual flows are stopped
    std::optional<uint64_t> GetStoppedFlow(const Part& part) const;
    /// @return the report number of the part's deadlock, or 0 if the part is not in a deadlock
    std::size_t GetReport(const Part& part) const;
    /// Records that a part is in a reported deadlock.
    /// @param report the report number of the deadlock
    void SetReport(const Part& part, std::size_t report);
    /// Records that a part is in a final deadlock and therefore needs no further searches.
    void SetFinal(const Part& part);
    /// Records that a deadlock has dissolved.
    /// @param report the report number of the deadlock
    void ForgetReport(std::size_t report);

    /// @return references to all members; see record-archive.h
    auto Tie()
    {
        return std::tie(m_facts);
    }

    uint32_t m_rank; ///< the rank of the switch

  private:
    /// The properties of the other end of a port's cable and the history of the port's egress
    /// queues.
    struct Port
    {
        /// @return the classes that have left their deadlock if they were in one
        PrioritySet FindFreed(const PortFacts& facts) const;

        /// Records that classes have left their deadlock.
        void ForgetReports(PrioritySet classes)
        {
            reported &= ~classes;
            locked &= ~classes;
            final &= ~classes;
        }

        DeadlockSwitch* next{nullptr}; ///< the switch at the other end of the cable; null if it is
                                       ///< not watched
        PortId nextPort{0};            ///< the port at the other end of the cable
        Ticks flight{0};               ///< the longest time from the departure of a frame's first
                                       ///< bit to the frame's arrival
        PrioritySet blocked{0};        ///< the open classes in which no frame could be sent
        PrioritySet reported{0};       ///< the stopped classes in a reported deadlock
        PrioritySet locked{0};         ///< the reported classes in which a single flow is locked
        PrioritySet final{0};          ///< the reported classes in a final deadlock
        std::array<std::size_t, NUM_PRIORITIES> report{}; ///< for each class, the report
                                                          ///< number; meaningless if not reported
        std::array<WaitingFrame, NUM_PRIORITIES> first{}; ///< for each class, the first frame of
                                                          ///< the locked flow; unused if no flow is
                                                          ///< locked
        std::array<Ticks, NUM_PRIORITIES> blockedSince{}; ///< for each class, the time at which it
                                                          ///< became blocked; meaningless if not
                                                          ///< blocked
        std::array<uint64_t, NUM_PRIORITIES> awaited{};   ///< for each class, the number of bytes
                                                          ///< whose departure may make the next
                                                          ///< switch resume the class
        std::array<Ticks, NUM_PRIORITIES> sameSince{};    ///< for each class, the time at which
                                                          ///< `awaited` last changed
    };

    void LookAt(Port& port, const PortFacts& facts, const NoteMoved& noteMoved) const;
    /// Records whether the same frame still stops the processor.
    void LookAtProcessor();
    bool MayChange(PortId id, Ticks now, Ticks confirm) const;

    std::string m_name;                   ///< the name of the switch
    Ptr<SwitchNode> m_node;               ///< the switch
    std::unique_ptr<SwitchWatch> m_watch; ///< see GetWatch()
    SwitchFacts m_facts;                  ///< see GetFacts()
    std::vector<Port> m_ports;            ///< the ports; empty before Connect()

    /// The ingress port and arrival time of the frame that stopped the processor at the last
    /// search.
    std::optional<std::pair<PortId, Ticks>> m_stopped;
    Ticks m_stoppedSince{0};          ///< the time at which the frame in m_stopped was first
                                      ///< observed to stop the processor
    std::size_t m_processorReport{0}; ///< the report number of the processor's deadlock; 0 if the
                                      ///< processor is not in a deadlock
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DEADLOCK_SWITCH_H */
