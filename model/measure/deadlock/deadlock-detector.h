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

/**
 * @ingroup lossless
 * Detects deadlocks in schemes that stop the classes, ports or individual flows of neighbours.
 *
 * The vertices of the wait-for graph are the stopped egress queues of all watched switches. Such a
 * queue stores frames, none of which can be sent. A stopped queue A waits for the ingress queue at
 * the next switch that has stopped it (FlowControl::IsHolding()), and this ingress queue waits for
 * the egress queues in which its frames are stored. Therefore, there is an edge from A to a stopped
 * egress queue B of the next switch if B stores frames received from A's port. Only frames of A's
 * class count, or frames of any class if the port is stopped as a whole (DSH). A queue that remains
 * stopped because a RESUME was lost does not wait for any queue. A packet processor is also a
 * vertex while one of its frames has no room in an egress queue. Queues whose frames are in the
 * processor wait for the processor, which waits for that egress queue.
 *
 * A cycle is a deadlock if no frame has left any member for "ConfirmTime". This means that the
 * egress queues have been stopped without interruption and that the lengths of the ingress queues
 * between them have not changed. The second condition matters if an ingress queue also stores
 * frames for other ports, because the departure of these frames may cause the neighbour to be
 * resumed.
 *
 * The onset is the time at which the last member was stopped. If whole classes are stopped, the
 * onset is known exactly without examining frames, and no member has started to send since then. A
 * processor, or a queue whose flows are stopped, is examined four times per "ConfirmTime" and
 * counts as stopped from the first examination after which no frame has left. In such a queue, the
 * flow whose frame has waited longest is locked: none of its frames leaves during the deadlock,
 * whereas frames of other flows of the class may leave later. A frame that was on the wire at the
 * onset has left at most one frame time later. Frames of an ingress queue that are bound for ports
 * outside the cycle can leave even later. If the deadlock is confirmed, their departure has not
 * caused a member to be resumed.
 *
 * A reported deadlock can dissolve. If thresholds depend on the free buffer, a stopped queue can
 * resume, even much later, when frames leave other queues. The record then contains the time at
 * which the deadlock dissolved. A deadlock is final when it can no longer dissolve. This requires
 * two conditions. First, the switches that stop the members keep them stopped even after all frames
 * that can still leave have left (FlowControl::StaysStopped()), or no frame can leave these
 * switches. Second, no member is at a switch whose PfcWatchdog releases queues. With
 * "StopOnDeadlock", only a final deadlock ends a run.
 *
 * With thresholds that depend on the free buffer, an ingress queue can be empty and nevertheless
 * keep its neighbour stopped until frames of other queues leave. Standstills are therefore also
 * reported. A standstill is a set of queues between which no frame has moved for "ConfirmTime". A
 * queue in the set waits for all egress queues of the next switch, and each of them that stores
 * frames is also in the standstill. A single queue that is stopped by an empty switch is also a
 * standstill.
 *
 * The graph exists only during a search. Searches start at the first pause and are repeated at
 * intervals of a quarter of "ConfirmTime". They end when no paused queue outside the final
 * deadlocks has moved for "ConfirmTime" and the switches that stop these queues have no frames that
 * they can send. The next pause starts them again. A queue that remains paused forever therefore
 * does not prolong a run. A deadlock is reported within 1.5 times "ConfirmTime" after the last
 * change of a member. In a run without pauses, the detector needs at most one event.
 *
 * Hosts are not part of a cycle, because they do not forward frames. A paused NIC waits, but no
 * queue waits for it.
 *
 * With several ranks (see Ranks), each rank examines its own switches and sends the facts to the
 * other ranks, so that all ranks search the same graph with the same result.
 */
class DeadlockDetector : public Recorder
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    DeadlockDetector();
    ~DeadlockDetector() override;

    /// Starts watching a switch. The switch is initialized in an event at the current time.
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// Checks whether the reported deadlocks still exist. With several ranks, call this function
    /// after RankedRecord::GatherAll(), because each rank examines only its own switches.
    void Conclude() override;
    std::vector<NamedTable> GetTables() const override;
    void Judge(RunVerdict& verdict) const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

    /// @return the deadlocks in the order in which they were reported
    const std::vector<DeadlockRecord>& GetDeadlocks() const
    {
        return m_deadlocks;
    }

    /// @return the contents of deadlocks.csv
    ResultTable GetTable() const;

    /// The signature of the trace source "Deadlock".
    typedef void (*DeadlockTracedCallback)(const DeadlockRecord& record);

  protected:
    void DoDispose() override;

  private:
    struct Standing;

    /// Connects to the switches that have been added since the last call.
    void Start();
    /// Requests a search.
    void ScheduleSearch();
    /// Schedules a search unless a search at or before `due` is already pending.
    /// @param due the tick of the search
    void PlanSearch(uint64_t due);
    /// Records that a member of a deadlock can send again.
    /// @param report the report number of the deadlock
    void NoteMoved(std::size_t report, Time when);
    /// Updates the facts about this rank's switches.
    void TakeFacts() const;
    /// Exchanges the facts with the other ranks.
    void ShareFacts();
    /// Compares the facts with those of the last search.
    void Look();
    /// Searches the graph and requests the next search if necessary.
    void Search();
    using SearchEvent = RecurringEvent<DeadlockDetector, &DeadlockDetector::Search>;
    /// Marks the members of all current deadlocks and adds new deadlocks.
    void FindDeadlocks(DeadlockKind kind);
    /// Adds a deadlock.
    /// @param standing the deadlock without its report number
    /// @return the report number of the deadlock, starting at 1
    std::size_t Add(DeadlockKind kind, Standing standing);
    DeadlockRecord& GetRecord(const Standing& standing);
    /// @return the time "ConfirmTime" ago; a set of queues is a deadlock only if no member has
    /// moved since then
    Ticks GetSettled() const;
    /// Records the deadlocks that have dissolved because a member has moved.
    void NoteDissolved();
    /// Records the deadlocks that have become final.
    /// @return whether any deadlock has become final
    bool NoteFinal();
    /// @return whether a deadlock can form even if no other gate closes
    bool IsSearchNeeded() const;
    /// Disconnects from all switches.
    void Forget();

    Time m_confirmTime;           ///< the attribute "ConfirmTime"
    bool m_stopOnDeadlock{false}; ///< the attribute "StopOnDeadlock"
    EventId m_start;              ///< the event that connects to the switches
    NetworkTally m_requests;      ///< the requests for searches
    Ptr<SearchEvent> m_search;    ///< the event of the next search
    uint64_t m_searchDue{0};      ///< the tick of the next search, if it is scheduled

    std::vector<std::unique_ptr<DeadlockSwitch>> m_switches; ///< the watched switches
    std::map<const Node*, DeadlockSwitch*> m_nodes;          ///< the watched switches, keyed by
                                                             ///< node
    std::vector<DeadlockRecord> m_deadlocks;                 ///< the reported deadlocks
    std::vector<Standing> m_standing;                        ///< the deadlocks that have not
                                                             ///< dissolved
    TracedCallback<const DeadlockRecord&> m_deadlockTrace;   ///< the trace source "Deadlock"
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DEADLOCK_DETECTOR_H */
