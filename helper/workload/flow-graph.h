// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_GRAPH_H
#define LOSSLESS_FLOW_GRAPH_H

#include "flow-list.h"

#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::lossless
{

class Reachability;

/**
 * A step of a FlowGraph: a flow, or a computation of a host.
 */
struct StepSpec
{
    /// The flow; its start is the earliest one. A computation has 0 bytes, and its host is both
    /// source and destination.
    FlowSpec flow;
    /// How long the host computes once nothing is waited for any more: before it sends, or, of a
    /// computation, until it is done. At least 0, at most GetLatestStart().
    Time compute;
    /// Label of the job that it belongs to, may be empty; see CheckGroup().
    std::string job;

    /// @return whether nothing is sent
    bool IsComputation() const
    {
        return flow.bytes == 0;
    }

    /**
     * Makes a computation.
     * @param id unique number, among flows too
     * @param host a host index
     * @param duration how long it takes; 0: a mere point at which others meet, as a barrier
     * @param job label of the job, may be empty
     * @return the computation, which may start at time 0
     */
    static StepSpec MakeComputation(uint64_t id,
                                    uint32_t host,
                                    Time duration,
                                    const std::string& job = "");
};

/**
 * Flows that wait for flows: the order in which the messages of a training job, or of any program,
 * depend on each other.
 *
 * A step is a flow or a computation. It becomes ready once all steps that it waits for, its
 * predecessors, are as far as it wants (Until), or as many of them as it needs (SetNeeded()), and
 * not before its earliest start; its host then
 * computes for the time of StepSpec::compute, and the flow starts or the computation is done. Steps
 * of one host compute side by side: what is to follow one after another says so by predecessors.
 *
 * Known elsewhere as:
 * - htsim's oneshot `trigger`: a predecessor, SENT of send_done_trigger, RECEIVED of
 *   recv_done_trigger
 * - htsim's barrier, or any point where n meet: a computation of 0 ns with n predecessors
 * - htsim's multishot, whose connection k starts at activation k: k of n predecessors
 * - GOAL's `requires`: SENT, or of a `calc` that it is done; `irequires`: STARTED
 * - GOAL's `recv`: a computation of 0 ns at the receiver, after RECEIVED
 * - Chakra's `ctrl_deps` and `data_deps`: SENT of a send, RECEIVED of what a receive takes
 *
 * **Who knows.** That a flow has started, or been sent, is known at its source; that it was
 * received, at its destination; all of a computation, at its host. A successor that starts at that
 * host starts at once. One at another host hears of it by a notice, which costs what the shortest
 * possible packet takes on the idle network between the two hosts: see GraphRunner.
 *
 * Steps are numbered from 0 in the order in which they were added. A step takes 72 B
 * once the graph is checked, and a predecessor 8 B, before and after; labels are kept once.
 */
class FlowGraph
{
  public:
    /// Number of a step, from 0 in the order of Add().
    using Step = uint32_t;

    /// The most steps that a graph may have.
    static constexpr Step MAX_STEPS = Step{1} << 30;

    /// How far a predecessor has to be. A computation that is done is all of them.
    enum class Until : uint8_t
    {
        SENT,     ///< its source has heard that all has arrived: the last acknowledgement
        RECEIVED, ///< its last byte has arrived at its destination
        STARTED,  ///< its source has begun to send; a computation: it has begun
    };

    /// One step that another one waits for, or that waits for another one.
    struct Link
    {
        Step step : 30;         ///< the other one
        uint32_t untilBits : 2; ///< see GetUntil()

        /// @return how far the predecessor has to be
        Until GetUntil() const
        {
            return static_cast<Until>(untilBits);
        }
    };

    /// What messages call a step, as a file that it comes from does.
    using Name = std::function<std::string(Step)>;

    /// A range of links, for range-based loops.
    class Links
    {
      public:
        /// @param first of them @param end after the last
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
        const Link* m_first; ///< see begin()
        const Link* m_end;   ///< see end()
    };

    /// Takes memory for what is to come, which saves some time. @param steps how many steps
    /// @param predecessors of all of them
    void Reserve(std::size_t steps, std::size_t predecessors);

    /**
     * Adds a step; nothing is checked but that there are not too many, which stops the program.
     * @param spec the step
     * @return its number
     */
    Step Add(const StepSpec& spec);

    /**
     * Lets a step wait for another one. Both may be added later; Check() finds those that are not.
     * The same predecessor may be given several times, for the same or for different ends. A
     * number of MAX_STEPS and above stops the program.
     * @param step waits
     * @param predecessor is waited for
     * @param until how far it has to be
     */
    void AddPredecessor(Step step, Step predecessor, Until until);

    /**
     * Lets a step wait for some of its predecessors, whichever are first. Check() refuses to wait
     * for more than there are.
     * @param step which exists
     * @param count how many; 0: all, as without this call
     */
    void SetNeeded(Step step, uint32_t count);

    /// @return number of steps
    std::size_t GetNSteps() const
    {
        return m_steps.size();
    }

    /// @return classes of all flows
    PrioritySet GetClasses() const;

    /// @return number of flows among them
    std::size_t GetNFlows() const
    {
        return m_flows;
    }

    /// @return whether there are no steps
    bool IsEmpty() const
    {
        return m_steps.empty();
    }

    /// @return number of predecessors of all steps together
    std::size_t GetNPredecessors() const
    {
        return m_isComplete ? m_predecessors.size() : m_edges.size();
    }

    /// @return whether steps wait for others, compute or belong to a job: a FlowList would lose it
    bool IsMoreThanList() const;

    /// @param step a step @return it as it was added
    StepSpec GetStep(Step step) const;

    // The parts of that, without the cost of labels.

    /// @param step a step @return its FlowSpec::id
    uint64_t GetId(Step step) const
    {
        return m_steps[step].id;
    }

    /// @param step a step @return index of the host at which it starts
    uint32_t GetSource(Step step) const
    {
        return m_steps[step].source;
    }

    /// @param step a step @return index of the host that receives it; of a computation, its host
    uint32_t GetDestination(Step step) const
    {
        return m_steps[step].destination;
    }

    /// @param step a step @return payload, in bytes; 0: a computation
    uint64_t GetBytes(Step step) const
    {
        return m_steps[step].bytes;
    }

    /// @param step a step @return its earliest start
    Time GetStart(Step step) const
    {
        return TimeStep(m_steps[step].start);
    }

    /// @param step a step @return see StepSpec::compute
    Time GetCompute(Step step) const
    {
        return TimeStep(m_steps[step].compute);
    }

    /// @param step a step @return its FlowSpec::group
    const std::string& GetGroup(Step step) const
    {
        return m_labels[m_steps[step].group];
    }

    /// @param step a step @return label of its job
    const std::string& GetJob(Step step) const
    {
        return m_labels[m_steps[step].job];
    }

    /// @param step a step @param until an end of it @return index of the host that knows of it
    uint32_t GetKnowingHost(Step step, Until until) const
    {
        return until == Until::RECEIVED ? GetDestination(step) : GetSource(step);
    }

    /// @param step of a complete graph @return how many of its predecessors it waits for
    std::size_t GetNeeded(Step step) const
    {
        const uint32_t needed = m_steps[step].needed;
        return needed > 0 ? needed : GetPredecessors(step).size();
    }

    /// @param step of a complete graph @return whether it waits for all of its predecessors
    bool NeedsAll(Step step) const
    {
        return GetNeeded(step) == GetPredecessors(step).size();
    }

    /// @param step a step @return "flow" or "computation" and its id, for messages
    std::string Describe(Step step) const;

    /**
     * Looks for what cannot be: what CheckFlows() refuses, computations of two hosts, times that
     * are negative or too long, labels that a CSV file cannot hold, an id used twice, predecessors
     * that do not exist, and steps that wait for themselves, directly or over others, and so never
     * start. Takes time proportional to the steps and predecessors, but for the ids, which are
     * sorted if they do not ascend.
     *
     * Once nothing is wrong, the graph is complete: predecessors are sorted by step, and to add
     * anything stops the program. It may be checked again, for another network too.
     *
     * @param topology the network
     * @param name what the sentence calls a step; empty: as Describe() does
     * @return one sentence about the first problem, with its steps, or nothing
     */
    std::optional<std::string> Check(const Topology& topology, const Name& name = {});

    /// @return whether Check() has found nothing wrong
    bool IsComplete() const
    {
        return m_isComplete;
    }

    /// @param step a step @return what it waits for, in the order of AddPredecessor(); of a
    /// complete graph
    Links GetPredecessors(Step step) const;

    /// @param step a step @return what waits for it, by number; of a complete graph
    Links GetSuccessors(Step step) const;

    /// @return the flows among the steps, sorted by earliest start
    FlowList MakeFlowList() const;

    /// @return bytes of memory that it has taken
    std::size_t GetMemory() const;

  private:
    /// A step, compact.
    struct Record
    {
        uint64_t id;          ///< see GetId()
        uint64_t bytes;       ///< see GetBytes()
        int64_t start;        ///< tick, see GetStart()
        int64_t compute;      ///< ticks, see GetCompute()
        uint32_t source;      ///< see GetSource()
        uint32_t destination; ///< see GetDestination()
        uint32_t group;       ///< place among the labels
        uint32_t job;         ///< place among the labels
        uint32_t needed;      ///< see SetNeeded(); 0: all
        uint8_t priority;     ///< FlowSpec::priority
    };

    /// A step and one that it waits for.
    struct Edge
    {
        Step step;        ///< waits
        Link predecessor; ///< is waited for
    };

    /// @param label a label @return its place
    uint32_t FindLabel(const std::string& label);
    /// @param step a step @param topology the network @param flow to be overwritten
    /// @return what is wrong with it alone, or nothing
    std::optional<std::string> CheckStep(Step step, const Topology& topology, FlowSpec& flow) const;
    /// @return a sentence about an id used twice, or nothing
    std::optional<std::string> CheckIds() const;
    /// @return a sentence about a step or predecessor that does not exist, or nothing
    std::optional<std::string> CheckReferences() const;
    /// @param name of steps @return a sentence about a step that needs more than it waits for, or
    /// nothing
    std::optional<std::string> CheckNeeded(const Name& name) const;
    /// @param name of steps @return a sentence about steps that start too late or never, or nothing
    std::optional<std::string> CheckCycles(const Name& name) const;
    /// @param reachability of hosts @param name see Check() @return which step is between hosts
    /// that no path joins, or cannot hear of what it waits for
    std::optional<std::string> CheckPaths(const Reachability& reachability, const Name& name) const;
    /// @param unmet number of predecessors that never come, by step; some have one
    /// @return the links of a cycle among these steps, each from the step of the one before
    std::vector<Link> FindCycle(const std::vector<uint32_t>& unmet) const;
    /// @param cycle of FindCycle() @param name of steps @return a sentence about it
    static std::string DescribeCycle(const std::vector<Link>& cycle, const Name& name);
    /// Sorts the predecessors by step, and the successors.
    void SortLinks();
    /// Stops the program if nothing can be added.
    void RequireOpen() const;

    std::vector<Record> m_steps;              ///< by number
    std::vector<Edge> m_edges;                ///< until they are sorted
    std::vector<uint64_t> m_firstPredecessor; ///< by step, and one more; empty until then
    std::vector<Link> m_predecessors;         ///< by step
    std::vector<uint64_t> m_firstSuccessor;   ///< by step, and one more; empty until then
    std::vector<Link> m_successors;           ///< by step
    std::vector<std::string> m_labels{""};    ///< groups and jobs
    std::unordered_map<std::string, uint32_t> m_labelPlaces{{"", 0}}; ///< of labels
    uint32_t m_lastLabel{0};                                          ///< place of the last one
    std::size_t m_flows{0};                                           ///< see GetNFlows()
    bool m_isComplete{false};                                         ///< see IsComplete()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_GRAPH_H */
