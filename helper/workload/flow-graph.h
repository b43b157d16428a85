// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_GRAPH_H
#define LOSSLESS_FLOW_GRAPH_H

#include "flow-list.h"

#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"

#include <boost/range/iterator_range_core.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

class CollectiveRule;
class Reachability;

/// A step of a FlowGraph: a flow, or a computation of a host.
struct StepSpec
{
    /// The flow, including its earliest start. A computation is a flow of 0 bytes from its host to
    /// itself.
    FlowSpec flow;
    /// The time for which the host computes once the step is ready, either before it sends or as
    /// the whole step. The time is at least 0 and at most GetLatestStart().
    Time compute;
    /// The label of the step's job, which may be empty; see CheckGroup().
    std::string job;

    /// @return true if the step is a computation, which sends nothing
    bool IsComputation() const
    {
        return flow.bytes == 0;
    }

    /// Creates a computation that may start at time 0.
    /// @param id the ID, which must be unique among all steps
    /// @param host the host index
    /// @param duration the duration; 0 for a synchronization point, such as a barrier
    /// @param job the label of the job; may be empty
    static StepSpec MakeComputation(uint64_t id,
                                    uint32_t host,
                                    Time duration,
                                    const std::string& job = "");
};

/**
 * A graph of flows that wait for other flows. It describes the dependencies between the messages of
 * a training job or any other program.
 *
 * A step is a flow or a computation. It becomes ready once all its predecessors, or as many of them
 * as it needs (SetNeeded()), have reached the required states (Until), but not before its earliest
 * start. Its host then computes for the time given by StepSpec::compute, after which the flow
 * starts or the computation is done. Steps of one host compute concurrently unless dependencies
 * order them.
 *
 * Equivalents in other programs:
 * - htsim's oneshot `trigger`: a predecessor, with SENT for send_done_trigger and RECEIVED for
 *   recv_done_trigger
 * - htsim's barrier, or any point where n flows meet: a computation of 0 ns with n predecessors
 * - htsim's multishot, whose k-th activation starts connection k: k of n predecessors
 * - GOAL's `requires`: SENT, or the end of a `calc`
 * - GOAL's `irequires`: STARTED
 * - GOAL's `recv`: a computation of 0 ns at the receiver, after RECEIVED
 * - Chakra's `ctrl_deps` and `data_deps`: SENT for a send, RECEIVED for the flow that a receive
 *   accepts
 *
 * **Notification.** The states STARTED and SENT of a flow are first known at its source, and
 * RECEIVED is first known at its destination. All states of a computation are known at its host. A
 * successor at this host starts immediately. Any other host is notified after the transit time of
 * the shortest possible packet between the two hosts on the idle network; see GraphRunner.
 *
 * Steps are numbered from 0 in the order in which they are added. A step requires 72 B of memory
 * once the graph has been checked. A predecessor requires 8 B, both before and after the check.
 * Each label is stored once. Flows of a CollectiveRule have numbers like other steps, but require
 * no memory.
 */
class FlowGraph
{
  public:
    /// The number of a step, counted from 0 in the order of addition.
    using Step = uint32_t;

    /// The maximum number of steps.
    static constexpr Step MAX_STEPS = Step{1} << 30;

    /// The state that a predecessor must reach. A completed computation has reached all states.
    enum class Until : uint8_t
    {
        SENT,     ///< its source has received the last acknowledgement
        RECEIVED, ///< its last byte has arrived at its destination
        STARTED,  ///< its source has begun to send, or the computation has begun
    };

    /// The other step of a dependency.
    struct Link
    {
        Step step : 30;         ///< number of the other step
        uint32_t untilBits : 2; ///< state of the predecessor; see GetUntil()

        /// @return the state that the predecessor must reach
        Until GetUntil() const
        {
            return static_cast<Until>(untilBits);
        }
    };

    /// A function that returns the name of a step for messages, such as its name in the file.
    using Name = std::function<std::string(Step)>;

    /// A range of links.
    using Links = boost::iterator_range<const Link*>;

    /// Reserves memory to save time.
    /// @param predecessors the total number of predecessors of all steps
    void Reserve(std::size_t steps, std::size_t predecessors);

    /// Adds a step without checking it. Stops the program if there are too many steps.
    /// @return the number of the step
    Step Add(const StepSpec& spec);

    /// Makes a step wait for another step. Both may be added later; Check() reports an error if
    /// they were not. The same predecessor may be given several times, for the same state or for
    /// different states. Stops the program if a step number is MAX_STEPS or more.
    /// @param until the state that the predecessor must reach
    void AddPredecessor(Step step, Step predecessor, Until until);

    /// Makes a step wait for only some of its predecessors, whichever are done first. Check()
    /// rejects a count that exceeds the number of predecessors.
    /// @param step an existing step
    /// @param count the number of predecessors, or 0 for all of them, which is the default
    void SetNeeded(Step step, uint32_t count);

    /// Adds the flows of a rule as the next steps. The entries of the rule's ranks must already
    /// have been added; the exits must be added afterwards, each with only the entry of its rank as
    /// a predecessor. In a graph with rules, each step's ID must be the number of the step. Stops
    /// the program if there are too many steps.
    /// @return the number of the first flow
    Step AddRule(std::shared_ptr<CollectiveRule> rule);

    /// The flows of a rule in the graph.
    struct RuledSteps
    {
        std::shared_ptr<const CollectiveRule> rule; ///< the rule
        Step first{0};                              ///< number of its first flow
        Step end{0};                                ///< number of the step after its last flow
        uint64_t before{0};                         ///< number of flows of the previous rules
        uint32_t group{0};                          ///< index of the group's label
        uint32_t job{0};                            ///< index of the job's label
    };

    /// @return all rules, in the order of their flows
    const std::vector<RuledSteps>& GetRules() const
    {
        return m_rules;
    }

    /// @return the rule to which a step belongs, or null if the step is stored
    const RuledSteps* FindRule(Step step) const
    {
        const RuledSteps* rule = m_rules.empty() ? nullptr : FindRuleUpTo(step);
        return rule && step < rule->end ? rule : nullptr;
    }

    /// @return the place of a stored step, which is its index among the stored steps
    std::size_t GetPlace(Step step) const
    {
        const RuledSteps* rule = m_rules.empty() ? nullptr : FindRuleUpTo(step);
        return rule ? step - (rule->before + rule->end - rule->first) : step;
    }

    /// @return the number of stored steps
    std::size_t GetNStored() const
    {
        return m_steps.size();
    }

    /// Calls a function with the number of each stored step.
    template <typename Visit>
    void VisitStored(Visit visit) const
    {
        std::size_t next = 0; // index of the next rule
        Step step = 0;
        for (std::size_t place = 0; place < m_steps.size(); ++place, ++step)
        {
            while (next < m_rules.size() && m_rules[next].first == step)
            {
                step = m_rules[next++].end;
            }
            visit(step);
        }
    }

    /// @return the number of steps
    std::size_t GetNSteps() const
    {
        return m_steps.size() + m_ruled;
    }

    /// @return the classes of all flows
    PrioritySet GetClasses() const;

    /// @return the number of flows among the steps
    std::size_t GetNFlows() const
    {
        return m_flows;
    }

    /// @return true if there are no steps
    bool IsEmpty() const
    {
        return GetNSteps() == 0;
    }

    /// @return the total number of predecessors of all steps
    std::size_t GetNPredecessors() const
    {
        return m_isComplete ? m_predecessors.size() : m_edges.size();
    }

    /// @return true if steps wait for others, compute or belong to a job, which a FlowList cannot
    /// express
    bool IsMoreThanList() const;

    /// @return the step as it was added
    StepSpec GetStep(Step step) const;

    /// @return the flow of a step, without the earliest start and the label, which would be slow to
    /// copy
    FlowSpec GetFlow(Step step) const;

    // The following parts of a step can be read without copying the labels.

    /// @return the FlowSpec::id of a step
    uint64_t GetId(Step step) const
    {
        return m_rules.empty() ? m_steps[step].id : step;
    }

    /// @return the index of the host at which a step starts
    uint32_t GetSource(Step step) const
    {
        return Get(step).source;
    }

    /// @return the index of the receiving host or, for a computation, of its host
    uint32_t GetDestination(Step step) const
    {
        return Get(step).destination;
    }

    /// @return the payload in bytes, or 0 for a computation
    uint64_t GetBytes(Step step) const
    {
        return Get(step).bytes;
    }

    /// @return the earliest start of a step
    Time GetStart(Step step) const
    {
        return TimeStep(Get(step).start);
    }

    /// @return the StepSpec::compute of a step
    Time GetCompute(Step step) const
    {
        return TimeStep(Get(step).compute);
    }

    /// @return the FlowSpec::group of a step
    const std::string& GetGroup(Step step) const
    {
        return m_labels[Get(step).group];
    }

    /// @return the label of a step's job
    const std::string& GetJob(Step step) const
    {
        return m_labels[Get(step).job];
    }

    /// @return the index of the host that first learns that the step has reached the state
    uint32_t GetKnowingHost(Step step, Until until) const
    {
        return until == Until::RECEIVED ? GetDestination(step) : GetSource(step);
    }

    /// @return the number of predecessors for which a stored step waits; valid after a successful
    /// Check()
    std::size_t GetNeeded(Step step) const
    {
        const uint32_t needed = m_steps[GetPlace(step)].needed;
        return needed > 0 ? needed : GetPredecessors(step).size();
    }

    /// @return true if a stored step waits for all of its predecessors; valid after a successful
    /// Check()
    bool NeedsAll(Step step) const
    {
        return GetNeeded(step) == GetPredecessors(step).size();
    }

    /// @return "flow" or "computation" and the ID of the step, for messages
    std::string Describe(Step step) const;

    /**
     * Rejects everything that CheckFlows() rejects, computations with two different hosts, times
     * that are negative or too long, labels that a CSV file cannot contain, IDs used twice,
     * predecessors that do not exist, and steps that never start because they wait for themselves,
     * directly or through others. The time required is proportional to the number of steps and
     * predecessors, plus the time to sort the IDs if they are not in ascending order.
     *
     * After a successful check, the graph counts as complete (IsComplete()): predecessors are
     * sorted by step, and any further addition stops the program. The graph may be checked again,
     * even for another network.
     *
     * @param name a function that returns the name of a step for the message; if empty, Describe()
     * is used
     * @return an error message about the first problem and the steps concerned, or nothing
     */
    std::optional<std::string> Check(const Topology& topology, const Name& name = {});

    /// @return true if Check() was successful
    bool IsComplete() const
    {
        return m_isComplete;
    }

    /// @return the predecessors of a stored step, in the order of the AddPredecessor() calls; valid
    /// after a successful Check()
    Links GetPredecessors(Step step) const;

    /// @return the successors of a stored step, in the order of the AddPredecessor() calls; valid
    /// after a successful Check()
    Links GetSuccessors(Step step) const;

    /// @return the flows among the steps, sorted by earliest start
    FlowList MakeFlowList() const;

    /// @return the allocated memory in bytes
    std::size_t GetMemory() const;

  private:
    /// The compact form of a step.
    struct Record
    {
        uint64_t id;
        uint64_t bytes;
        int64_t start;   ///< earliest start, in ticks
        int64_t compute; ///< computation, in ticks
        uint32_t source;
        uint32_t destination;
        uint32_t group;  ///< index of the group's label
        uint32_t job;    ///< index of the job's label
        uint32_t needed; ///< number of predecessors needed; 0 for all
        uint8_t priority;
    };

    /// A step and one of its predecessors.
    struct Edge
    {
        Step step;
        Link predecessor;
    };

    /// @return the record of a step, which may belong to a rule
    Record Get(Step step) const
    {
        return m_rules.empty() ? m_steps[step] : GetByRule(step);
    }

    /// @return the record of a step in a graph with rules
    Record GetByRule(Step step) const;
    /// @return the last rule whose first flow is not after the step, or null if there is none
    const RuledSteps* FindRuleUpTo(Step step) const;
    /// @return the first error in the rules, or nothing
    std::optional<std::string> CheckRules(const Topology& topology) const;

    /// @return the index of the label, which is added if it is new
    uint32_t FindLabel(const std::string& label);
    /// @param flow a buffer, which is overwritten
    /// @return the first error in the step alone, or nothing
    std::optional<std::string> CheckStep(Step step, const Topology& topology, FlowSpec& flow) const;
    /// @return an error message about an ID used twice, or nothing
    std::optional<std::string> CheckIds() const;
    /// @return an error message about a step or predecessor that does not exist, or nothing
    std::optional<std::string> CheckReferences() const;
    /// @return an error message about a step that needs more predecessors than it has, or nothing
    std::optional<std::string> CheckNeeded(const Name& name) const;
    /// @return an error message about steps that start too late or never, or nothing
    std::optional<std::string> CheckCycles(const Name& name) const;
    /// @return an error message about a flow between hosts without a path, or about a step whose
    /// host cannot be notified of a predecessor, or nothing
    std::optional<std::string> CheckPaths(const Reachability& reachability, const Name& name) const;
    /// @param unmet for each stored step, the number of required predecessors that are never done,
    /// which is above 0 for some steps
    /// @return the links of a cycle among these steps, each from the previous step
    std::vector<Link> FindCycle(const std::vector<uint32_t>& unmet) const;
    /// @return an error message about the cycle found by FindCycle()
    static std::string DescribeCycle(const std::vector<Link>& cycle, const Name& name);
    /// Sorts the predecessors and the successors by step.
    void SortLinks();
    /// Stops the program if the graph is complete.
    void RequireOpen() const;

    std::vector<Record> m_steps;              ///< stored steps, by place
    std::vector<RuledSteps> m_rules;          ///< rules; see GetRules()
    std::size_t m_ruled{0};                   ///< number of flows of all rules
    std::vector<Edge> m_edges;                ///< dependencies; empty once the graph is complete
    std::vector<uint64_t> m_firstPredecessor; ///< index of the first predecessor, by place, plus
                                              ///< one end entry; empty until the links are sorted
    std::vector<Link> m_predecessors;         ///< predecessors, by place
    std::vector<uint64_t> m_firstSuccessor;   ///< index of the first successor, by place, plus one
                                              ///< end entry; empty until the links are sorted
    std::vector<Link> m_successors;           ///< successors, by place
    std::vector<std::string> m_labels{""};    ///< labels of groups and jobs
    std::unordered_map<std::string, uint32_t> m_labelPlaces{{"", 0}}; ///< index of each label
    uint32_t m_lastLabel{0}; ///< index of the label used last
    std::size_t m_flows{0};
    bool m_isComplete{false};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_GRAPH_H */
