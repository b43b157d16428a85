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

/// Progress of a step of a FlowGraph; nothing: not yet.
struct StepTimes
{
    std::optional<Time> started;  ///< start of the flow or computation
    std::optional<Time> sent;     ///< all bytes acknowledged; a computation: done
    std::optional<Time> received; ///< all bytes arrived; a computation: done

    /// @return time of the given end
    const std::optional<Time>& Get(FlowGraph::Until until) const
    {
        return until == FlowGraph::Until::SENT       ? sent
               : until == FlowGraph::Until::RECEIVED ? received
                                                     : started;
    }
};

/**
 * @ingroup lossless
 * Runs a FlowGraph on a Fabric: starts each step in an event of its host, as soon as its
 * predecessors are done and its compute time is over.
 *
 * A host knows the progress of its own flows at once: a flow that waits for the reception of
 * another one at its source starts in the same nanosecond as the last byte arrives. Steps of a host
 * that are due at the same time start in the order of their numbers, after all other events of the
 * host at that time, so that results depend neither on the length of windows nor on ranks (see
 * WheelSimulatorImpl).
 *
 * Progress at other hosts is learned by a notice that takes Fabric::GetNoticeTime(), the time of
 * the shortest packet on the idle network. Notices take no capacity, are never lost or paused, and
 * cost the hosts nothing, as if they had a small network of their own. To make them compete with
 * data, use flows instead.
 *
 * After the simulation each rank has all times, see RankedRecord.
 */
class GraphRunner : public RankedRecord, private MailReceiver
{
  public:
    /// Description of a run without progress.
    struct Standstill
    {
        Time since;                        ///< time of the last progress
        uint64_t unfinished{0};            ///< steps not done
        std::vector<std::string> examples; ///< sentences on some of these steps
    };

    /// @param fabric the network, which must outlive this object
    /// @param graph complete, see FlowGraph::Check()
    GraphRunner(Fabric& fabric, FlowGraph graph);
    ~GraphRunner() override;

    /// Starts all root nodes; call once, before the simulation runs.
    void Start();

    /// Ends the simulation when all steps are done, or after a time without progress, in which no
    /// step has started or ended, no payload was acknowledged and no host has computed. To be
    /// called once, after Start().
    /// @param patience that time, above 0, at most GetLatestStart(); checked eight times within it,
    /// but not while only computations are due
    /// @param end of a flow: SENT or RECEIVED
    void StopWhenDone(Time patience, FlowGraph::Until end);

    /// @return the graph
    const FlowGraph& GetGraph() const
    {
        return m_graph;
    }

    /// @return progress of a stored step
    StepTimes GetTimes(FlowGraph::Step step) const;

    /// @return progress of the flows of a rule, which the graph has
    const RuleProgress& GetProgress(const FlowRule& rule) const;

    /// @return time until the host of `step` knows that the predecessor is done
    Time GetNoticeTime(const FlowGraph::Link& predecessor, FlowGraph::Step step) const;

    /// @return the step with the flow id, if there is one
    std::optional<FlowGraph::Step> FindStep(uint64_t id) const;

    /// @return name of a host, by its index
    const std::string& GetHostName(uint32_t host) const;

    /// @return steps that are done, as far as this rank knows; allocates no memory
    uint64_t CountDone() const
    {
        return m_done;
    }

    /// @return whether StopWhenDone() has ended the run for lack of progress
    bool HasStalled() const
    {
        return m_hasStalled;
    }

    /// @return the unfinished steps; nothing: all are done
    std::optional<Standstill> DescribeStandstill() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// StepTimes in ticks; -1: not yet.
    struct StepTicks
    {
        int64_t started{-1};
        int64_t sent{-1};
        int64_t received{-1};
    };

    /// A step and the tick at which it is to start or, for a running computation, to be done.
    using Due = std::pair<int64_t, FlowGraph::Step>;

    /// A host of this rank.
    struct Host
    {
        std::vector<Due> later;             ///< heap, earliest first
        std::vector<FlowGraph::Step> ready; ///< due now
        int64_t wake{INT64_MAX};            ///< tick of the next event that checks `later`
        bool isFlushing{false};             ///< an event of this tick will process `ready`
        uint32_t node{0};                   ///< id of its node
    };

    /// Message between ranks.
    struct Message
    {
        FlowGraph::Step step{0}; ///< a flow that starts, or a step with one predecessor less to
                                 ///< wait for
        bool isFlow{false};      ///< the step is a flow that starts
        int64_t tick{0};         ///< start of the flow, or when the step is notified
        int64_t due{0};          ///< tick of the event
    };

    void TakeMail(const char* bytes, std::size_t size) override;

    /// Calls a member in an event of a host, unless this object is gone by then.
    template <typename Call>
    void Schedule(uint32_t host, Time delay, Call call);
    /// @return whether this rank executes the events of the host
    bool IsOwn(uint32_t host) const;
    /// @param host index of a host of another rank
    void Post(const Message& message, uint32_t host);

    /// A rank of a rule.
    struct RuleRank
    {
        std::size_t rule{0}; ///< in the order of the graph
        uint32_t rank{0};    ///< number in the rule
    };

    /// Prepares the flows of rules.
    void PrepareRules();
    /// @param number of the rule
    FlowGraph::Step GetStep(std::size_t rule, uint32_t flow) const;
    /// @return number of a step's rule; as many as there are: it is stored
    std::size_t FindRule(FlowGraph::Step step) const;
    /// Lets those of m_begun begin. @param rule their number
    void BeginFlows(std::size_t rule);
    /// A stored step is done: ranks of rules may be entered or left.
    void TellRules(FlowGraph::Step step);
    /// A flow of a rule has reached SENT or RECEIVED. @param rule its number
    void TellFlow(std::size_t rule, FlowGraph::Step step, FlowGraph::Until until);
    /// Forgets a flow at its receiver, if no packet of it can be under way. @param host of it
    void ForgetFlow(uint32_t host, const FlowRecord& record);

    /// The last predecessor of a step of this rank is done.
    void MakeReady(FlowGraph::Step step);
    /// Queues a step for its host. @param tick at which it is due
    void Enter(uint32_t host, FlowGraph::Step step, int64_t tick);
    /// Processes what is due at a host.
    void Wake(uint32_t host);
    /// Schedules Wake() for the next step that is due later.
    void Arm(uint32_t host);
    /// Starts all steps that are due.
    void Flush(uint32_t host);
    /// Starts a step, or completes it if it is a computation.
    void Advance(FlowGraph::Step step);
    void StartFlow(FlowGraph::Step step);
    /// Starts a flow of a rule. @param rule its number
    void StartFlow(std::size_t rule, FlowGraph::Step step);
    /// Opens the receiver of a flow. @param start of the flow
    void OpenReceiver(FlowGraph::Step step, Time start);
    /// @return time from the start of the flow to the opening of its receiver
    Time GetOpenDelay(const FlowSpec& flow) const;

    /// Notifies the successors of a step that has reached an end.
    void Tell(FlowGraph::Step step, FlowGraph::Until until);
    /// One predecessor of the step is done.
    void Meet(FlowGraph::Step step);
    void NoteDone();

    /// A flow has been received at this rank.
    void NotifyReceived(const FlowRecord& record);
    /// A flow of this rank has been acknowledged.
    void NotifyAcknowledged(const FlowRecord& record);
    /// @param call called with each NIC of this rank
    template <typename Call>
    void VisitNics(Call call) const;

    /// Schedules the next useful CheckMovement().
    void ScheduleLook();
    /// Ends the run if there is no progress.
    void CheckMovement();
    /// @return acknowledged payload of each unfinished flow of this rank, by step
    std::map<FlowGraph::Step, uint64_t> GetAcknowledged() const;
    /// @return whether all predecessors of an unfinished step are done
    bool IsUnderWay(FlowGraph::Step step) const;
    bool IsDone(FlowGraph::Step step) const;
    /// @return a sentence about what an unfinished step waits for
    std::string DescribeWait(FlowGraph::Step step) const;
    /// @return name of a step, and its hosts
    std::string DescribeStep(FlowGraph::Step step) const;

    Fabric& m_fabric;
    FlowGraph m_graph;
    std::vector<StepTicks> m_ticks;      ///< by place of a stored step
    std::vector<uint32_t> m_unmet;       ///< likewise: pending predecessors
    std::vector<FlowGraph::Step> m_byId; ///< steps, sorted by flow id; empty: with
                                         ///< rules, where ids are their numbers
    std::vector<RuleProgress> m_rules;   ///< in the order of the graph
    std::unordered_multimap<FlowGraph::Step, RuleRank> m_entries; ///< by entry
    std::unordered_map<FlowGraph::Step, RuleRank> m_exits;        ///< by exit
    std::vector<uint32_t> m_begun;                      ///< buffer: flows of a rule that begin
    mutable std::size_t m_lastRule{0};                  ///< of the latest flow of a rule
    std::vector<Host> m_hosts;                          ///< by host index
    bool m_hasInstantLinks{false};                      ///< some cables have no delay
    FlowGraph::Until m_end{FlowGraph::Until::RECEIVED}; ///< end of a flow
    Time m_patience;                                    ///< see StopWhenDone(); 0: not called
    NetworkTally m_doneTally;
    NetworkTally m_pulse;                                 ///< signs of progress
    uint64_t m_done{0};                                   ///< see CountDone()
    uint64_t m_lastDone{0};                               ///< tick of the last one
    uint64_t m_lastMove{0};                               ///< tick of the last sign of progress
    uint64_t m_acknowledged{0};                           ///< payload, as of the last check
    std::map<FlowGraph::Step, uint64_t> m_foreignPayload; ///< payload acknowledged at other ranks,
                                                          ///< see GetAcknowledged()
    EventId m_check;                                      ///< next check
    bool m_hasStalled{false};
    std::shared_ptr<bool> m_isAlive{std::make_shared<bool>(true)}; ///< false: this object is gone
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GRAPH_RUNNER_H */
