// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GRAPH_RUNNER_H
#define LOSSLESS_GRAPH_RUNNER_H

#include "rule-progress.h"

#include "ns3/event-id.h"
#include "ns3/flow-graph.h"
#include "ns3/flow-record.h"
#include "ns3/network-tally.h"
#include "ns3/nstime.h"
#include "ns3/ranked-record.h"
#include "ns3/ranks.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::lossless
{

class Fabric;

/// The times of a step in a FlowGraph. A time is unset until the step reaches the corresponding
/// state.
struct StepTimes
{
    std::optional<Time> started;  ///< time at which the flow or computation started
    std::optional<Time> sent;     ///< time at which all bytes were acknowledged or the computation
                                  ///< ended
    std::optional<Time> received; ///< time at which all bytes had arrived or the computation ended

    /// @return the time at which the step reached a state, or nothing if the step has not reached
    /// it
    const std::optional<Time>& Get(FlowGraph::Until until) const
    {
        return until == FlowGraph::Until::SENT       ? sent
               : until == FlowGraph::Until::RECEIVED ? received
                                                     : started;
    }
};

/**
 * @ingroup lossless
 * Runs a FlowGraph on a Fabric. Each step starts in an event of its host as soon as enough of its
 * predecessors have reached the required states and its earliest start has passed. A flow also
 * waits for its compute time to pass.
 *
 * A host is notified immediately of the progress of its own flows. A flow that waits until its
 * source has received another flow can start in the tick in which the last byte of that flow
 * arrives. Steps of a host that are due at the same time start in the order of their numbers, after
 * the events already scheduled for the host at that time. Results therefore depend neither on the
 * window length nor on the number of ranks (see WheelSimulatorImpl).
 *
 * A host is notified of progress at other hosts after Fabric::GetNoticeTime(), which is the transit
 * time of a minimum-size packet on the idle network. These notices use no capacity, are never lost
 * or paused, and require no host processing, as if they used a separate network. To make notices
 * compete with data, use flows instead.
 *
 * After the simulation, each rank stores the times of all steps; see RankedRecord.
 */
class GraphRunner : public RankedRecord, private MailReceiver
{
  public:
    /// Describes a run that makes no progress.
    struct Standstill
    {
        Time since;                        ///< time of the last progress
        uint64_t unfinished{0};            ///< number of unfinished steps
        std::vector<std::string> examples; ///< descriptions of some of these steps
    };

    /// @param fabric the network, which must outlive this object
    /// @param graph a graph that has passed FlowGraph::Check()
    GraphRunner(Fabric& fabric, FlowGraph graph);
    ~GraphRunner() override;

    /// Schedules all steps that need no predecessors. Call this once, before the simulation starts.
    void Start();

    /// Stops the simulation when all steps have completed or after a period without progress.
    /// During such a period, no step starts or ends, no payload is acknowledged, and no computation
    /// is running. Call this once, after Start().
    /// @param patience the length of this period, above 0 and at most GetLatestStart(). Progress is
    /// checked eight times per period, except while only computations are running.
    /// @param end the state in which a flow counts as ended: SENT or RECEIVED
    void StopWhenDone(Time patience, FlowGraph::Until end);

    /// @return the graph
    const FlowGraph& GetGraph() const
    {
        return m_graph;
    }

    /// @return the times of a stored step
    StepTimes GetTimes(FlowGraph::Step step) const;

    /// @return the progress of the flows of a rule in the graph
    const RuleProgress& GetProgress(const CollectiveRule& rule) const;

    /// @return the delay after which the host of `step` is notified that the predecessor is done
    Time GetNoticeTime(const FlowGraph::Link& predecessor, FlowGraph::Step step) const;

    /// @return the step with this flow ID, if there is one
    std::optional<FlowGraph::Step> FindStep(uint64_t id) const;

    /// @return the name of a host
    const std::string& GetHostName(uint32_t host) const;

    /// @return the number of steps that this rank knows to be complete; allocates no memory
    uint64_t CountDone() const
    {
        return m_done;
    }

    /// @return true if StopWhenDone() stopped the run because of a lack of progress
    bool HasStalled() const
    {
        return m_hasStalled;
    }

    /// @return a description of the unfinished steps, or nothing if all steps have completed
    std::optional<Standstill> DescribeStandstill() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// The StepTimes in ticks, or -1 for a time that is not yet known.
    struct StepTicks
    {
        int64_t started{-1};
        int64_t sent{-1};
        int64_t received{-1};
    };

    /// The tick at which a step will start or a running computation will end, and the step itself.
    using Due = std::pair<int64_t, FlowGraph::Step>;

    /// The pending steps of a host.
    struct Host
    {
        std::vector<Due> later;             ///< heap whose first element is due earliest
        std::vector<FlowGraph::Step> ready; ///< steps that are due now
        int64_t wake{INT64_MAX};            ///< tick of the next event that checks `later`
        bool isFlushing{false};             ///< true if an event at this tick will process `ready`
        uint32_t node{0};                   ///< ID of the host's node
    };

    /// A message between ranks.
    struct Message
    {
        FlowGraph::Step step{0}; ///< a flow that starts, or a step with a predecessor that has
                                 ///< completed
        bool isFlow{false};      ///< true if the step is a flow that starts
        int64_t tick{0};         ///< tick at which the flow starts or the notification arrives
        int64_t due{0};          ///< tick of the event that handles the message
    };

    void TakeMail(const char* bytes, std::size_t size) override;

    /// Calls a function in an event of a host, unless this object has been destroyed by then.
    template <typename Call>
    void Schedule(uint32_t host, Time delay, Call call);
    /// @return true if this rank executes the events of the host
    bool IsOwn(uint32_t host) const;
    /// Sends a message to another rank.
    /// @param host the index of a host on that rank
    void Post(const Message& message, uint32_t host);

    /// A rank of a rule.
    struct RuleRank
    {
        std::size_t rule{0}; ///< index of the rule in the graph
        uint32_t rank{0};    ///< index of the rank in the rule
    };

    /// Initializes m_rules, m_entries and m_exits.
    void PrepareRules();
    /// @param rule the index of the flow's rule
    FlowGraph::Step GetStep(std::size_t rule, uint32_t flow) const;
    /// @return the index of a step's rule, or the number of rules if the step is stored
    std::size_t FindRule(FlowGraph::Step step) const;
    /// Begins the flows in m_begun.
    /// @param rule the index of their rule
    void BeginFlows(std::size_t rule);
    /// Notifies the rules that a stored step has completed, in case it is an entry or exit.
    void TellRules(FlowGraph::Step step);
    /// Notifies a rule that a flow has reached SENT or RECEIVED.
    /// @param rule the index of the rule
    void TellFlow(std::size_t rule, FlowGraph::Step step, FlowGraph::Until until);

    /// @return the tick at which a step starts if its last predecessor completes now
    int64_t GetDue(FlowGraph::Step step) const;
    /// Queues a step for its host.
    /// @param tick the tick at which the step is due
    void Enter(uint32_t host, FlowGraph::Step step, int64_t tick);
    /// Moves the steps that are due from Host::later to Host::ready.
    void Wake(uint32_t host);
    /// Schedules Wake() for the next step in Host::later.
    void Arm(uint32_t host);
    /// Advances all steps in Host::ready, in the order of their numbers.
    void Flush(uint32_t host);
    /// Starts a step, or completes a computation that has ended.
    void Advance(FlowGraph::Step step);
    void StartFlow(FlowGraph::Step step);
    /// Starts a flow of a rule.
    /// @param rule the index of the rule
    void StartFlow(std::size_t rule, FlowGraph::Step step);
    /// Opens the receiver of a flow.
    /// @param start the start time of the flow
    void OpenReceiver(FlowGraph::Step step, Time start);
    /// @return the delay from the start of the flow until its receiver opens
    Time GetOpenDelay(const FlowSpec& flow) const;

    /// Notifies the successors that wait for a step to reach a state.
    void Tell(FlowGraph::Step step, FlowGraph::Until until);
    /// Handles the completion of one predecessor of a step.
    void Meet(FlowGraph::Step step);
    /// Handles a flow that has reached a state on this rank.
    void Notify(const FlowRecord& record, FlowGraph::Until state);
    /// @param step a flow of the rule, which must be in memory
    /// @return the index of the host that receives the flow
    uint32_t FindDestination(std::size_t rule, FlowGraph::Step step) const;

    /// Schedules the next call to CheckMovement().
    void ScheduleLook();
    /// Stops the run if all steps have completed or if there has been no progress for m_patience.
    void CheckMovement();
    /// @return the acknowledged payload of each unfinished flow, by step; before Merge(), only of
    /// the flows that this rank sends
    std::map<FlowGraph::Step, uint64_t> GetAcknowledged() const;
    /// @return true if enough predecessors of an unfinished step have completed
    bool IsUnderWay(FlowGraph::Step step) const;
    bool IsDone(FlowGraph::Step step) const;
    /// @return an explanation of what an unfinished step is waiting for
    std::string DescribeWait(FlowGraph::Step step) const;
    /// @param payload the result of GetAcknowledged()
    /// @return a sentence with the state of an unfinished step and its acknowledged payload, if any
    std::string DescribeState(FlowGraph::Step step,
                              const std::string& state,
                              const std::map<FlowGraph::Step, uint64_t>& payload) const;
    /// @return the name of a step and its hosts
    std::string DescribeStep(FlowGraph::Step step) const;

    Fabric& m_fabric;
    FlowGraph m_graph;
    std::vector<StepTicks> m_ticks; ///< times of stored steps, by place
    std::vector<uint32_t> m_unmet; ///< number of pending predecessors of each stored step, by place
    /// The steps, sorted by flow ID. Empty if there are rules, because the IDs are then the step
    /// numbers.
    std::vector<FlowGraph::Step> m_byId;
    std::vector<RuleProgress> m_rules; ///< progress of the rules, in the order of the graph
    std::unordered_multimap<FlowGraph::Step, RuleRank> m_entries; ///< ranks of rules, by entry
    std::unordered_map<FlowGraph::Step, RuleRank> m_exits;        ///< ranks of rules, by exit
    std::vector<uint32_t> m_begun;     ///< buffer for flows of a rule that can begin
    mutable std::size_t m_lastRule{0}; ///< index of the rule that was found last
    std::vector<Host> m_hosts;         ///< hosts by index
    /// The state in which a flow counts as done.
    FlowGraph::Until m_end{FlowGraph::Until::RECEIVED};
    Time m_patience; ///< see StopWhenDone(); 0 if it was not called
    NetworkTally m_doneTally;
    NetworkTally m_pulse;       ///< counts signs of progress
    uint64_t m_done{0};         ///< see CountDone()
    uint64_t m_lastDone{0};     ///< tick at which the last step completed
    uint64_t m_lastMove{0};     ///< tick of the latest known progress, possibly in the future
    uint64_t m_acknowledged{0}; ///< acknowledged payload at the last check
    /// The acknowledged payload of flows that other ranks send; see GetAcknowledged().
    std::map<FlowGraph::Step, uint64_t> m_foreignPayload;
    EventId m_check; ///< event of the next check
    bool m_hasStalled{false};
    std::shared_ptr<bool> m_isAlive{std::make_shared<bool>(true)}; ///< false once destroyed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GRAPH_RUNNER_H */
