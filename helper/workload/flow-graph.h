// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_GRAPH_H
#define LOSSLESS_FLOW_GRAPH_H

#include "flow-list.h"

#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::lossless
{

class FlowRule;
class Reachability;

/// A step of a FlowGraph: a flow, or a computation of a host.
struct StepSpec
{
    /// The flow, with its earliest start. A computation has 0 bytes, and its host is both source
    /// and destination.
    FlowSpec flow;
    /// Computation of the host once all predecessors are done: before it sends, or the whole step.
    /// At least 0, at most GetLatestStart().
    Time compute;
    /// Label of its job, may be empty; see CheckGroup().
    std::string job;

    /// @return whether nothing is sent
    bool IsComputation() const
    {
        return flow.bytes == 0;
    }

    /// Makes a computation that may start at time 0.
    /// @param id unique, also among flows
    /// @param host host index
    /// @param duration 0: only a point of synchronisation, such as a barrier
    /// @param job label of the job, may be empty
    static StepSpec MakeComputation(uint64_t id,
                                    uint32_t host,
                                    Time duration,
                                    const std::string& job = "");
};

/**
 * Flows that wait for flows: the dependencies between the messages of a training job, or of any
 * program.
 *
 * A step is a flow or a computation. It becomes ready once all its predecessors have reached the
 * end that it waits for (Until), or as many of them as it needs (SetNeeded()), and not before its
 * earliest start; its host then computes for the time of StepSpec::compute, and the flow starts or
 * the computation is done. Steps of one host compute concurrently, unless predecessors order them.
 *
 * Known elsewhere as:
 * - htsim's oneshot `trigger`: a predecessor, SENT of send_done_trigger, RECEIVED of
 *   recv_done_trigger
 * - htsim's barrier, or any point where n meet: a computation of 0 ns with n predecessors
 * - htsim's multishot, whose connection k starts at activation k: k of n predecessors
 * - GOAL's `requires`: SENT, or the end of a `calc`; `irequires`: STARTED
 * - GOAL's `recv`: a computation of 0 ns at the receiver, after RECEIVED
 * - Chakra's `ctrl_deps` and `data_deps`: SENT of a send, RECEIVED of what a receive takes
 *
 * **Who knows.** The start and the SENT end of a flow are known at its source, its reception at the
 * destination, and all of a computation at its host. A successor at that host starts at once. One
 * at another host learns of it by a notice, which takes the time of the shortest possible packet on
 * the idle network between the two hosts: see GraphRunner.
 *
 * Steps are numbered from 0 in the order in which they were added. A step takes 72 B once the graph
 * is checked, and a predecessor 8 B, before and after; labels are stored once. Flows of a FlowRule
 * have numbers like others and take no memory.
 */
class FlowGraph
{
  public:
    /// Number of a step, from 0 in the order of Add().
    using Step = uint32_t;

    /// Maximum number of steps.
    static constexpr Step MAX_STEPS = Step{1} << 30;

    /// State that a predecessor has to reach. A completed computation has reached all.
    enum class Until : uint8_t
    {
        SENT,     ///< its source has received the last acknowledgement
        RECEIVED, ///< its last byte has arrived at its destination
        STARTED,  ///< its source has begun to send; a computation: it has begun
    };

    /// The other step of a dependency.
    struct Link
    {
        Step step : 30;         ///< the other step
        uint32_t untilBits : 2; ///< see GetUntil()

        /// @return state that the predecessor has to reach
        Until GetUntil() const
        {
            return static_cast<Until>(untilBits);
        }
    };

    /// Name of a step in messages, for example as in its file.
    using Name = std::function<std::string(Step)>;

    /// A range of links, for range-based loops.
    class Links
    {
      public:
        /// @param end after the last
        Links(const Link* first, const Link* end)
            : m_first(first),
              m_end(end)
        {
        }

        /// @return the first
        const Link* begin() const
        {
            return m_first;
        }

        /// @return after the last
        const Link* end() const
        {
            return m_end;
        }

        /// @return how many there are
        std::size_t size() const
        {
            return static_cast<std::size_t>(m_end - m_first);
        }

      private:
        const Link* m_first;
        const Link* m_end;
    };

    /// Reserves memory, which saves some time. @param predecessors of all steps together
    void Reserve(std::size_t steps, std::size_t predecessors);

    /// Adds a step, unchecked; too many steps stop the program. @return its number
    Step Add(const StepSpec& spec);

    /// Makes a step wait for another one. Both may be added later; Check() finds those that are
    /// not. The same predecessor may be given several times, for the same state or different ones.
    /// A number of MAX_STEPS and above stops the program.
    /// @param until state that the predecessor has to reach
    void AddPredecessor(Step step, Step predecessor, Until until);

    /// Makes a step wait for some of its predecessors only, whichever are first. Check() rejects
    /// more than there are.
    /// @param step an existing one
    /// @param count 0: all, as without this call
    void SetNeeded(Step step, uint32_t count);

    /// Adds the flows of a rule as the next steps. The entries of its ranks were added before, the
    /// exits will be; an exit is given its entry as its only predecessor. All ids of the graph must
    /// be numbers of steps. Too many steps stop the program.
    /// @return number of the first flow
    Step AddRule(std::shared_ptr<FlowRule> rule);

    /// The flows of a rule in the graph.
    struct RuledSteps
    {
        std::shared_ptr<const FlowRule> rule; ///< the rule
        Step first{0};                        ///< its first flow
        Step end{0};                          ///< after its last one
        uint64_t before{0};                   ///< flows of the rules before
        uint32_t group{0};                    ///< index of the label
        uint32_t job{0};                      ///< index of the label
    };

    /// @return all rules, by number of their flows
    const std::vector<RuledSteps>& GetRules() const
    {
        return m_rules;
    }

    /// @return the rule that a step belongs to; null: it is stored
    const RuledSteps* FindRule(Step step) const
    {
        const RuledSteps* rule = m_rules.empty() ? nullptr : FindRuleUpTo(step);
        return rule && step < rule->end ? rule : nullptr;
    }

    /// @return number of a stored step among these
    std::size_t GetPlace(Step step) const
    {
        const RuledSteps* rule = m_rules.empty() ? nullptr : FindRuleUpTo(step);
        return rule ? step - (rule->before + rule->end - rule->first) : step;
    }

    /// @return number of stored steps
    std::size_t GetNStored() const
    {
        return m_steps.size();
    }

    /// Calls a function with each stored step.
    template <typename Visit>
    void VisitStored(Visit visit) const
    {
        std::size_t next = 0; // rule
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

    /// @return number of steps
    std::size_t GetNSteps() const
    {
        return m_steps.size() + m_ruled;
    }

    /// @return classes of all flows
    PrioritySet GetClasses() const;

    /// @return number of flows among the steps
    std::size_t GetNFlows() const
    {
        return m_flows;
    }

    /// @return whether there are no steps
    bool IsEmpty() const
    {
        return GetNSteps() == 0;
    }

    /// @return number of predecessors of all steps together
    std::size_t GetNPredecessors() const
    {
        return m_isComplete ? m_predecessors.size() : m_edges.size();
    }

    /// @return whether steps wait for others, compute or belong to a job: a FlowList would lose
    /// that
    bool IsMoreThanList() const;

    /// @return a step as it was added
    StepSpec GetStep(Step step) const;

    /// @return the flow of a step, without earliest start and label, whose copies take time
    FlowSpec GetFlow(Step step) const;

    // Parts of a step, without the cost of labels.

    /// @return FlowSpec::id of a step
    uint64_t GetId(Step step) const
    {
        return m_rules.empty() ? m_steps[step].id : step;
    }

    /// @return index of the host at which a step starts
    uint32_t GetSource(Step step) const
    {
        return Get(step).source;
    }

    /// @return index of the receiving host; for a computation, its host
    uint32_t GetDestination(Step step) const
    {
        return Get(step).destination;
    }

    /// @return payload in bytes; 0: a computation
    uint64_t GetBytes(Step step) const
    {
        return Get(step).bytes;
    }

    /// @return earliest start of a step
    Time GetStart(Step step) const
    {
        return TimeStep(Get(step).start);
    }

    /// @return StepSpec::compute of a step
    Time GetCompute(Step step) const
    {
        return TimeStep(Get(step).compute);
    }

    /// @return FlowSpec::group of a step
    const std::string& GetGroup(Step step) const
    {
        return m_labels[Get(step).group];
    }

    /// @return label of a step's job
    const std::string& GetJob(Step step) const
    {
        return m_labels[Get(step).job];
    }

    /// @return index of the host that knows when the step has reached the state
    uint32_t GetKnowingHost(Step step, Until until) const
    {
        return until == Until::RECEIVED ? GetDestination(step) : GetSource(step);
    }

    /// @return number of predecessors that a stored step of a complete graph waits for
    std::size_t GetNeeded(Step step) const
    {
        const uint32_t needed = m_steps[GetPlace(step)].needed;
        return needed > 0 ? needed : GetPredecessors(step).size();
    }

    /// @return whether a stored step of a complete graph waits for all of its predecessors
    bool NeedsAll(Step step) const
    {
        return GetNeeded(step) == GetPredecessors(step).size();
    }

    /// @return "flow" or "computation" and its id, for messages
    std::string Describe(Step step) const;

    /**
     * Rejects what CheckFlows() rejects, computations of two hosts, times that are negative or too
     * long, labels that a CSV file cannot hold, an id used twice, predecessors that do not exist,
     * and steps that wait for themselves, directly or through others, and so never start. Takes
     * time proportional to the steps and predecessors, except for ids, which are sorted unless they
     * ascend.
     *
     * A graph without errors is then complete: predecessors are sorted by step, and adding anything
     * stops the program. It may be checked again, also for another network.
     *
     * @param name of a step in the message; empty: that of Describe()
     * @return one sentence about the first problem, with its steps, or nothing
     */
    std::optional<std::string> Check(const Topology& topology, const Name& name = {});

    /// @return whether Check() was successful
    bool IsComplete() const
    {
        return m_isComplete;
    }

    /// @return predecessors of a stored step of a complete graph, in the order of AddPredecessor()
    Links GetPredecessors(Step step) const;

    /// @return successors of a stored step of a complete graph, by number
    Links GetSuccessors(Step step) const;

    /// @return the flows among the steps, sorted by earliest start
    FlowList MakeFlowList() const;

    /// @return allocated memory in bytes
    std::size_t GetMemory() const;

  private:
    /// Compact form of a step.
    struct Record
    {
        uint64_t id;
        uint64_t bytes;
        int64_t start;   ///< tick
        int64_t compute; ///< ticks
        uint32_t source;
        uint32_t destination;
        uint32_t group;  ///< index of the label
        uint32_t job;    ///< index of the label
        uint32_t needed; ///< see SetNeeded(); 0: all
        uint8_t priority;
    };

    /// A step and one of its predecessors.
    struct Edge
    {
        Step step;
        Link predecessor;
    };

    /// @return a step, stored or by its rule
    Record Get(Step step) const
    {
        return m_rules.empty() ? m_steps[step] : GetByRule(step);
    }

    /// @return a step of a graph with rules
    Record GetByRule(Step step) const;
    /// @return the last rule with a flow up to the step; null: there is none
    const RuledSteps* FindRuleUpTo(Step step) const;
    /// @return first error in the rules, or nothing
    std::optional<std::string> CheckRules(const Topology& topology) const;

    /// @return index of the label
    uint32_t FindLabel(const std::string& label);
    /// @param flow buffer, overwritten
    /// @return first error in the step alone, or nothing
    std::optional<std::string> CheckStep(Step step, const Topology& topology, FlowSpec& flow) const;
    /// @return a sentence about an id used twice, or nothing
    std::optional<std::string> CheckIds() const;
    /// @return a sentence about a step or predecessor that does not exist, or nothing
    std::optional<std::string> CheckReferences() const;
    /// @return a sentence about a step that needs more predecessors than it has, or nothing
    std::optional<std::string> CheckNeeded(const Name& name) const;
    /// @return a sentence about steps that start too late or never, or nothing
    std::optional<std::string> CheckCycles(const Name& name) const;
    /// @return a sentence about a step between hosts without a path, or whose host cannot learn of
    /// a predecessor, or nothing
    std::optional<std::string> CheckPaths(const Reachability& reachability, const Name& name) const;
    /// @param unmet by step, number of predecessors that are never done; some have one
    /// @return the links of a cycle among these steps, each from the previous step
    std::vector<Link> FindCycle(const std::vector<uint32_t>& unmet) const;
    /// @return a sentence about a cycle of FindCycle()
    static std::string DescribeCycle(const std::vector<Link>& cycle, const Name& name);
    /// Sorts the predecessors by step, and the successors.
    void SortLinks();
    /// Stops the program if the graph is complete.
    void RequireOpen() const;

    std::vector<Record> m_steps;              ///< by place
    std::vector<RuledSteps> m_rules;          ///< see GetRules()
    std::size_t m_ruled{0};                   ///< flows of rules
    std::vector<Edge> m_edges;                ///< until they are sorted
    std::vector<uint64_t> m_firstPredecessor; ///< by place, and one more; empty until then
    std::vector<Link> m_predecessors;         ///< by place
    std::vector<uint64_t> m_firstSuccessor;   ///< by place, and one more; empty until then
    std::vector<Link> m_successors;           ///< by place
    std::vector<std::string> m_labels{""};    ///< groups and jobs
    std::unordered_map<std::string, uint32_t> m_labelPlaces{{"", 0}}; ///< index by label
    uint32_t m_lastLabel{0};                                          ///< index of the latest one
    std::size_t m_flows{0};
    bool m_isComplete{false};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_GRAPH_H */
