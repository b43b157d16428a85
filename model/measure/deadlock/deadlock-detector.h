// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEADLOCK_DETECTOR_H
#define LOSSLESS_DEADLOCK_DETECTOR_H

#include "deadlock-record.h"

#include "ns3/event-id.h"
#include "ns3/lossless-types.h"
#include "ns3/network-tally.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/recorder.h"
#include "ns3/recurring-event.h"
#include "ns3/result-table.h"
#include "ns3/switch-node.h"
#include "ns3/traced-callback.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::lossless
{

class DeadlockSwitch;
class WaitForGraph;

/**
 * @ingroup lossless
 * Finds deadlocks of schemes that stop neighbours: classes, ports or single flows.
 *
 * The vertices of the wait-for graph are the stopped egress queues of all watched switches, which
 * hold frames of which none may leave. Such a queue A waits for the ingress queue at the next
 * switch that has stopped it (FlowControl::IsHolding()), and that one waits for the egress queues
 * in which its frames are stored. So there is an edge from A to a stopped egress queue B of the
 * next switch if B stores frames that came in by A's port: frames of A's class or, if that port is
 * stopped as a whole (DSH), of any. A gate whose RESUME was lost waits for nothing. A packet
 * processor whose frame has no room in its egress queue is also a vertex: queues with frames in it
 * wait for it, and it waits for that egress queue.
 *
 * A cycle is a deadlock if no frame has left any member for "ConfirmTime": the egress queues were
 * stopped without interruption, and the ingress queues between them have kept their length. The
 * latter matters where an ingress queue also holds frames for other ports, whose departure may
 * resume it.
 *
 * The onset is the instant at which the last member was stopped. Where whole classes are stopped,
 * it is known to the nanosecond without examining any frame, and no member has begun to send since.
 * A queue that is stopped by flows, or a processor, is examined four times per "ConfirmTime", and
 * counts as stopped from the first time since which nothing has left. Of such a queue, the flow
 * whose frame has waited longest is locked: none of its frames leaves as long as the deadlock
 * lasts, while other flows of the class may pass later. A frame that was on the wire at the onset
 * has left up to one frame time later; what an ingress queue still passes to ports outside the
 * cycle may take longer, but has turned out not to matter.
 *
 * A reported deadlock may dissolve: where thresholds depend on the free buffer, frames that leave
 * by other queues can let a stopped queue go on, even much later. The record then has the time. A
 * deadlock is final when it can no longer dissolve: whatever may still leave the switches that hold
 * the members, their flow control keeps these stopped (FlowControl::StaysStopped()), or nothing may
 * leave them; and no member is at a switch whose PfcWatchdog frees queues. Only a final deadlock
 * ends a run with "StopOnDeadlock".
 *
 * With thresholds that depend on the free buffer, a stopped ingress queue may also wait for frames
 * other than its own, and be empty itself. Therefore a standstill is reported, too: queues between
 * which no frame has moved for "ConfirmTime", where A waits for all egress queues of the next
 * switch, and each of these that holds frames is in a standstill as well. A queue that is held by
 * an empty switch is a standstill by itself.
 *
 * The graph exists only during a search: every quarter of "ConfirmTime" from the first pause on,
 * until all paused queues outside the final deadlocks have been at rest for "ConfirmTime" and the
 * switches that hold them have nothing to send, and again from the next pause on. So a queue that
 * stays paused for ever does not keep a run going. A deadlock is reported within 3/2 of
 * "ConfirmTime" after the last change of a member. A run without pauses has one more event than
 * without a detector, and no other cost.
 *
 * Hosts are not part of a cycle, since they do not forward: a paused NIC waits, but nothing waits
 * for it.
 *
 * With several ranks (see Ranks), each examines its own switches and sends the facts to all others,
 * so that all search the same graph and find the same.
 */
class DeadlockDetector : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    DeadlockDetector();
    ~DeadlockDetector() override;

    /// Watches a switch, and initialises it in an event at the present time.
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// Checks whether the deadlocks found so far still exist. On several ranks, where each knows
    /// only its own switches, call it after RankedRecord::GatherAll().
    void Conclude() override;
    std::vector<NamedTable> GetTables() const override;
    void Judge(RunVerdict& verdict) const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

    /// @return the deadlocks found so far, in the order in which they were reported
    const std::vector<DeadlockRecord>& GetDeadlocks() const
    {
        return m_deadlocks;
    }

    /// @return GetDeadlocks() as deadlocks.csv shows it
    ResultTable GetTable() const;

    /// Signature of the trace source "Deadlock".
    typedef void (*DeadlockTracedCallback)(const DeadlockRecord& record);

  protected:
    void DoDispose() override;

  private:
    struct Standing;

    /// Connects to the switches added since the last time.
    void Start();
    /// Asks for a search.
    void ScheduleSearch();
    /// Schedules a search, unless there is an earlier one. @param due its tick
    void PlanSearch(uint64_t due);
    /// Notes that a member of a reported deadlock could send again. @param report its number
    void NoteMoved(std::size_t report, Time when);
    /// Takes the facts of this rank's switches.
    void TakeFacts() const;
    /// Exchanges the facts with the other ranks.
    void ShareFacts();
    /// Compares the facts with those of the last search.
    void Look();
    /// Searches the graph, and asks for the next search if there may be something to find.
    void Search();
    using SearchEvent = RecurringEvent<DeadlockDetector, &DeadlockDetector::Search>;
    /// Marks the members of all present deadlocks, and adds those not found before.
    void FindDeadlocks(DeadlockKind kind);
    /// Adds a deadlock. @param cycle its vertices
    /// @return number of its report, which counts from 1
    std::size_t Add(DeadlockKind kind,
                    const WaitForGraph& graph,
                    const std::vector<std::size_t>& cycle);
    DeadlockRecord& GetRecord(const Standing& standing);
    /// @return time since which members of a deadlock must not have moved
    Ticks GetSettled() const;
    /// Notes which deadlocks have dissolved: those with a member that has left it.
    void NoteDissolved();
    /// Notes which deadlocks have become final. @return whether any has
    bool NoteFinal();
    /// Asks the switches of all ranks, see WaitForGraph::AskStays.
    static std::vector<bool> AskSwitches(const WaitForGraph& graph);
    /// @param cycle vertices of a deadlock
    static DeadlockRecord Describe(const WaitForGraph& graph,
                                   const std::vector<std::size_t>& cycle);
    /// @return whether a cycle may form without another gate closing
    bool IsSearchNeeded() const;
    /// Disconnects from all switches.
    void Forget();

    Time m_confirmTime;           ///< attribute
    bool m_stopOnDeadlock{false}; ///< attribute
    EventId m_start;              ///< connects to the switches
    NetworkTally m_requests;      ///< for searches
    Ptr<SearchEvent> m_search;    ///< next search
    uint64_t m_searchDue{0};      ///< its tick, if it is armed

    std::vector<std::unique_ptr<DeadlockSwitch>> m_switches; ///< in the order of WatchSwitch()
    std::map<const Node*, DeadlockSwitch*> m_nodes;          ///< the same, by node
    std::vector<DeadlockRecord> m_deadlocks;                 ///< found so far
    std::vector<Standing> m_standing;                        ///< those that have not dissolved
    TracedCallback<const DeadlockRecord&> m_deadlockTrace;   ///< trace source
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DEADLOCK_DETECTOR_H */
