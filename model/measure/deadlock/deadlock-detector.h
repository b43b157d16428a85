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
 * Finds deadlocks of schemes which stop neighbours: classes, ports or single flows.
 *
 * The wait-for graph has the stopped egress queues of all watched switches: they hold frames, and
 * none may leave. Such a queue A waits for the ingress queue at the next switch which has stopped
 * it (FlowControl::IsHolding()); that one waits for the egress queues in which its frames are
 * stored. So there is an edge from A to a stopped egress queue B of the next switch, if frames that
 * came in by A's port are stored in B: frames of A's class or, if that port is stopped as a whole
 * (DSH), of any. A gate whose RESUME was lost waits for nobody. A packet processor whose frame has
 * no room in its egress queue is a vertex, too: who has frames in it waits for it, and it waits for
 * that queue.
 *
 * A cycle is a deadlock if for "ConfirmTime" no frame has left any member: the egress queues were
 * stopped without a break, and the ingress queues between them have kept their length. The latter
 * matters where an ingress queue also holds frames for other ports, whose departure may resume it.
 *
 * The onset is the instant at which the last member was stopped. Where whole classes are stopped,
 * it is known to the nanosecond without a look at any frame, and no member has begun to send since;
 * a queue that is stopped by flows, and a processor, are looked at four times in a "ConfirmTime",
 * and count as stopped from the first of the looks since which nothing has left. Of such a queue,
 * the flow whose frame has waited longest is what is locked: none of its frames leaves as long as
 * the deadlock stands, while other flows of the class may pass later. A
 * frame that was on the wire then has left up to one frame time later; what an ingress queue still
 * passes to ports outside the cycle may take longer, but has turned out not to matter.
 *
 * What was reported may dissolve: where thresholds depend on the free buffer, frames that leave by
 * other queues can let a stopped one go on, even much later. Then the record tells when. It is
 * final when that cannot happen any more: whatever may still leave the switches that hold the
 * members, their flow control keeps these stopped (FlowControl::StaysStopped()), or nothing may
 * leave them; and no member is at a switch whose PfcWatchdog frees queues. Only that ends a run
 * with "StopOnDeadlock".
 *
 * With thresholds that depend on the free buffer, a stopped ingress queue may also wait for frames
 * which are not its own, and be empty itself. So the same is reported as a standstill of queues
 * between which no frame has moved for "ConfirmTime": A waits for all egress queues of the next
 * switch, and every one of these that holds frames is in a standstill, too. A queue that is held by
 * an empty switch is one by itself.
 *
 * The graph only exists while it is searched: every quarter of "ConfirmTime" from the first pause
 * on, until all paused queues outside the final deadlocks have been at rest for "ConfirmTime" and
 * the switches that hold them have nothing to send, and again from the next pause on. So a queue
 * that stays paused for ever does not keep a run going. A
 * deadlock is reported within 3/2 of "ConfirmTime" after the last change of a member. A run in
 * which nothing is paused has one event more than without a detector, and no other cost.
 *
 * Hosts are no part of a cycle, since they do not forward: a paused NIC waits, and nobody for it.
 *
 * On several ranks (see Ranks) each looks at its own switches and tells all others the facts, so
 * that all search the same and find the same.
 */
class DeadlockDetector : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    DeadlockDetector();
    ~DeadlockDetector() override;

    /**
     * Watches a switch. It is initialised with the next event.
     * @param name name of the switch
     * @param node the switch
     */
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// Sees whether the deadlocks found so far still stand. To be called before the results are
    /// read, while the simulation is there; on several ranks, where each knows of its own switches,
    /// after RankedRecord::GatherAll().
    void Update();

    std::vector<NamedTable> GetTables() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

    /// @return the deadlocks found so far, in the order in which they were reported
    const std::vector<DeadlockRecord>& GetDeadlocks() const
    {
        return m_deadlocks;
    }

    /// @return GetDeadlocks() as deadlocks.csv shows it
    ResultTable GetTable() const;

    /**
     * Signature of the trace source "Deadlock".
     * @param record what was found
     */
    typedef void (*DeadlockTracedCallback)(const DeadlockRecord& record);

  protected:
    void DoDispose() override;

  private:
    struct Standing;

    /// Connects to the switches added since the last time.
    void Start();
    /// Asks for a search.
    void ScheduleSearch();
    /// Plans a search, unless there is one before it. @param due its tick
    void PlanSearch(uint64_t due);
    /// A member of a deadlock that was reported could send again.
    /// @param report number of its report @param when it could
    void NoteMoved(std::size_t report, Time when);
    /// Takes the facts of this rank's switches.
    void TakeFacts() const;
    /// Tells the other ranks the facts of this one, and hears theirs.
    void ShareFacts();
    /// Sees the facts.
    void Look();
    /// Searches the graph, and waits for the next search if there may be something to find.
    void Search();
    using SearchEvent = RecurringEvent<DeadlockDetector, &DeadlockDetector::Search>;
    /// Marks the members of all deadlocks there are now, and adds those not found before.
    /// @param kind of the graph
    void FindDeadlocks(DeadlockKind kind);
    /// Adds a deadlock. @param kind of it @param graph what waits for what @param cycle vertices of
    /// it @return number of its report, which is its place among all, from 1 on
    std::size_t Add(DeadlockKind kind,
                    const WaitForGraph& graph,
                    const std::vector<std::size_t>& cycle);
    /// @param standing a deadlock @return its record
    DeadlockRecord& GetRecord(const Standing& standing);
    /// @return since when what is in a deadlock must not have moved
    Ticks GetSettled() const;
    /// Notes which deadlocks have dissolved: those with a member that is in none any more.
    void NoteDissolved();
    /// Notes which deadlocks have become final. @return whether any has
    bool NoteFinal();
    /// Asks the switches of all ranks. @param graph see WaitForGraph::AskStays @return that
    static std::vector<bool> AskSwitches(const WaitForGraph& graph);
    /// @param graph what waits for what @param cycle vertices of it @return the deadlock
    static DeadlockRecord Describe(const WaitForGraph& graph,
                                   const std::vector<std::size_t>& cycle);
    /// @return whether a cycle may come about without a gate that closes from now on
    bool IsSearchNeeded() const;
    /// Disconnects from all switches.
    void Forget();

    Time m_confirmTime;           ///< without a departure from any member
    bool m_stopOnDeadlock{false}; ///< the first final one ends the simulation
    EventId m_start;              ///< connects to the switches
    NetworkTally m_requests;      ///< searches that are asked for
    Ptr<SearchEvent> m_search;    ///< next search
    uint64_t m_searchDue{0};      ///< its tick, if it is armed

    std::vector<std::unique_ptr<DeadlockSwitch>> m_switches; ///< as given to Watch()
    std::map<const Node*, DeadlockSwitch*> m_nodes;          ///< the same, by node
    std::vector<DeadlockRecord> m_deadlocks;                 ///< found so far
    std::vector<Standing> m_standing;                        ///< of them, those not dissolved
    TracedCallback<const DeadlockRecord&> m_deadlockTrace;   ///< found
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DEADLOCK_DETECTOR_H */
