// SPDX-License-Identifier: GPL-2.0-only
#include "flow-graph.h"

#include "ns3/abort.h"
#include "ns3/quantity-text.h"
#include "ns3/reachability.h"

#include <algorithm>

namespace ns3::lossless
{

namespace
{

/// Steps of a cycle that a message names.
constexpr std::size_t NAMED_STEPS = 6;

/// @return clause of a message for waiting until a state
std::string
DescribeUntil(FlowGraph::Until until)
{
    switch (until)
    {
    case FlowGraph::Until::SENT:
        return " (sent)";
    case FlowGraph::Until::RECEIVED:
        return " (received)";
    default:
        return " (started)";
    }
}

/// @param tick must be in the range of simulations
/// @return one sentence, or nothing
std::optional<std::string>
CheckTick(const char* name, int64_t tick)
{
    if (tick != 0 && (tick < 0 || tick > GetLatestStart().GetTimeStep()))
    {
        return std::string("the ") + name + " is " + FormatNanoSeconds(TimeStep(tick)) +
               " ns; it must be from 0 to " + FormatNanoSeconds(GetLatestStart()) + " ns";
    }
    return std::nullopt;
}

/// Sorts links by one of their ends, by counting.
/// @param [out] first by step: index of its first link, and one more
/// @param [out] links the other ends
/// @param getStep of an edge, the end to sort by
/// @param getLink of an edge, the other end
template <typename Edges, typename GetStep, typename GetLink>
void
SortEdges(const Edges& edges,
          std::size_t nSteps,
          std::vector<uint64_t>& first,
          std::vector<FlowGraph::Link>& links,
          GetStep getStep,
          GetLink getLink)
{
    first.assign(nSteps + 1, 0);
    for (const auto& edge : edges)
    {
        ++first[getStep(edge) + 1];
    }
    for (std::size_t i = 0; i < nSteps; ++i)
    {
        first[i + 1] += first[i];
    }
    links.resize(edges.size());
    std::vector<uint64_t> next(first.begin(), first.end() - 1);
    for (const auto& edge : edges)
    {
        links[next[getStep(edge)]++] = getLink(edge);
    }
}

} // namespace

StepSpec
StepSpec::MakeComputation(uint64_t id, uint32_t host, Time duration, const std::string& job)
{
    StepSpec spec;
    spec.flow.id = id;
    spec.flow.source = host;
    spec.flow.destination = host;
    spec.compute = duration;
    spec.job = job;
    return spec;
}

void
FlowGraph::Reserve(std::size_t steps, std::size_t predecessors)
{
    m_steps.reserve(steps);
    m_edges.reserve(predecessors);
}

void
FlowGraph::RequireOpen() const
{
    NS_ABORT_MSG_IF(m_isComplete,
                    "FlowGraph: the graph was checked and is complete; nothing can be added.");
}

uint32_t
FlowGraph::FindLabel(const std::string& label)
{
    if (m_labels[m_lastLabel] != label) // most have that of the previous step
    {
        const auto [found, isNew] = m_labelPlaces.try_emplace(label, m_labels.size());
        if (isNew)
        {
            m_labels.push_back(label);
        }
        m_lastLabel = found->second;
    }
    return m_lastLabel;
}

FlowGraph::Step
FlowGraph::Add(const StepSpec& spec)
{
    RequireOpen();
    NS_ABORT_MSG_IF(m_steps.size() >= MAX_STEPS,
                    "FlowGraph: there are " << MAX_STEPS << " steps, which is the most.");
    Record record{};
    record.id = spec.flow.id;
    record.bytes = spec.flow.bytes;
    record.start = spec.flow.start.GetTimeStep();
    record.compute = spec.compute.GetTimeStep();
    record.source = spec.flow.source;
    record.destination = spec.flow.destination;
    record.group = FindLabel(spec.flow.group);
    record.job = FindLabel(spec.job);
    record.priority = spec.flow.priority;
    m_steps.push_back(record);
    m_flows += spec.IsComputation() ? 0 : 1;
    return static_cast<Step>(m_steps.size() - 1);
}

void
FlowGraph::AddPredecessor(Step step, Step predecessor, Until until)
{
    RequireOpen();
    NS_ABORT_MSG_IF(std::max(step, predecessor) >= MAX_STEPS,
                    "FlowGraph: a step has the number " << std::max(step, predecessor)
                                                        << "; it must be below " << MAX_STEPS
                                                        << ".");
    m_edges.push_back({step, {predecessor, static_cast<uint32_t>(until)}});
}

void
FlowGraph::SetNeeded(Step step, uint32_t count)
{
    RequireOpen();
    m_steps.at(step).needed = count;
}

bool
FlowGraph::IsMoreThanList() const
{
    const auto isMore = [](const Record& step) {
        return step.bytes == 0 || step.compute != 0 || step.job != 0;
    };
    return GetNPredecessors() > 0 || std::any_of(m_steps.begin(), m_steps.end(), isMore);
}

StepSpec
FlowGraph::GetStep(Step step) const
{
    const Record& record = m_steps[step];
    StepSpec spec;
    spec.flow = {record.id,
                 record.source,
                 record.destination,
                 record.priority,
                 record.bytes,
                 TimeStep(record.start),
                 m_labels[record.group]};
    spec.compute = TimeStep(record.compute);
    spec.job = m_labels[record.job];
    return spec;
}

std::string
FlowGraph::Describe(Step step) const
{
    const Record& record = m_steps[step];
    return (record.bytes == 0 ? "computation " : "flow ") + std::to_string(record.id);
}

std::optional<std::string>
FlowGraph::Check(const Topology& topology, const Name& name)
{
    const Name call = name ? name : [this](Step step) { return Describe(step); };
    FlowSpec flow; // reused: ns-3 keeps a list of every Time that exists before the run
    for (Step step = 0; step < m_steps.size(); ++step)
    {
        if (const auto error = CheckStep(step, topology, flow))
        {
            return call(step) + ": " + *error;
        }
    }
    for (const std::string& label : m_labels)
    {
        if (const auto error = CheckGroup(label))
        {
            return error;
        }
    }
    if (m_isComplete)
    {
        return std::nullopt;
    }
    auto error = CheckIds();
    error = error ? error : CheckReferences();
    if (!error)
    {
        SortLinks();
        error = CheckNeeded(call);
        error = error ? error : CheckPaths(Reachability(topology), call);
        error = error ? error : CheckCycles(call);
    }
    m_isComplete = !error;
    if (m_isComplete)
    {
        std::vector<Edge>().swap(m_edges);
    }
    return error;
}

std::optional<std::string>
FlowGraph::CheckStep(Step step, const Topology& topology, FlowSpec& flow) const
{
    const Record& record = m_steps[step];
    if (const auto error = CheckTick("compute time", record.compute))
    {
        return error;
    }
    if (record.bytes > 0)
    {
        flow.source = record.source;
        flow.destination = record.destination;
        flow.priority = record.priority;
        flow.bytes = record.bytes;
        if (flow.start.GetTimeStep() != record.start)
        {
            flow.start = TimeStep(record.start);
        }
        return CheckFlow(flow, topology); // labels are checked once
    }
    if (record.source != record.destination)
    {
        return "the size is 0, but source and destination differ; a flow has at least 1 byte, and "
               "a computation one host";
    }
    if (record.source >= topology.GetHosts().size())
    {
        return "host " + std::to_string(record.source) + " does not exist; the network has " +
               std::to_string(topology.GetHosts().size()) + " hosts, counted from 0";
    }
    return CheckTick("start", record.start);
}

std::optional<std::string>
FlowGraph::CheckIds() const
{
    std::vector<uint64_t> ids;
    ids.reserve(m_steps.size());
    for (const Record& record : m_steps)
    {
        ids.push_back(record.id);
    }
    if (!std::is_sorted(ids.begin(), ids.end()))
    {
        std::sort(ids.begin(), ids.end());
    }
    const auto twice = std::adjacent_find(ids.begin(), ids.end());
    if (twice == ids.end())
    {
        return std::nullopt;
    }
    return "the id " + std::to_string(*twice) +
           " is used twice; ids of flows and computations must differ";
}

std::optional<std::string>
FlowGraph::CheckReferences() const
{
    for (const Edge& edge : m_edges)
    {
        if (edge.step >= m_steps.size())
        {
            return "step " + std::to_string(edge.step) +
                   ", which waits for another one, does not "
                   "exist; there are " +
                   std::to_string(m_steps.size()) + ", counted from 0";
        }
        if (edge.predecessor.step >= m_steps.size())
        {
            return Describe(edge.step) + " waits for step " +
                   std::to_string(edge.predecessor.step) + ", which does not exist; there are " +
                   std::to_string(m_steps.size()) + ", counted from 0";
        }
    }
    return std::nullopt;
}

void
FlowGraph::SortLinks()
{
    const auto getStep = [](const Edge& edge) { return edge.step; };
    const auto getPredecessor = [](const Edge& edge) { return edge.predecessor.step; };
    SortEdges(m_edges,
              m_steps.size(),
              m_firstPredecessor,
              m_predecessors,
              getStep,
              [](const Edge& edge) { return edge.predecessor; });
    SortEdges(m_edges,
              m_steps.size(),
              m_firstSuccessor,
              m_successors,
              getPredecessor,
              [](const Edge& edge) {
                  return Link{edge.step, edge.predecessor.untilBits};
              });
}

std::optional<std::string>
FlowGraph::CheckNeeded(const Name& name) const
{
    for (Step step = 0; step < m_steps.size(); ++step)
    {
        const std::size_t count = GetPredecessors(step).size();
        if (m_steps[step].needed > count)
        {
            return name(step) + " needs " + std::to_string(m_steps[step].needed) + " of the " +
                   std::to_string(count) + " that it waits for; it can need as many at most";
        }
    }
    return std::nullopt;
}

PrioritySet
FlowGraph::GetClasses() const
{
    PrioritySet classes = 0;
    for (const Record& record : m_steps)
    {
        classes |= record.bytes > 0 ? SetOf(Priority{record.priority}) : PrioritySet(0);
    }
    return classes;
}

std::optional<std::string>
FlowGraph::CheckPaths(const Reachability& reachability, const Name& name) const
{
    for (Step step = 0; !reachability.IsWhole() && step < m_steps.size(); ++step)
    {
        const Record& record = m_steps[step];
        auto error = reachability.Check(record.source, record.destination);
        for (const Link& link : GetPredecessors(step))
        {
            const uint32_t knowing = GetKnowingHost(link.step, link.GetUntil());
            error = error ? error : reachability.Check(knowing, record.source);
        }
        if (error)
        {
            return name(step) + ": " + *error;
        }
    }
    return std::nullopt;
}

std::optional<std::string>
FlowGraph::CheckCycles(const Name& name) const
{
    const int64_t latest = GetLatestStart().GetTimeStep();
    std::vector<int64_t> ends(m_steps.size()); // ticks, if flows took no time
    std::vector<uint32_t> unmet(m_steps.size());
    std::vector<Step> ready;
    for (Step step = 0; step < m_steps.size(); ++step)
    {
        ends[step] = m_steps[step].start;
        unmet[step] = static_cast<uint32_t>(GetNeeded(step));
        if (unmet[step] == 0)
        {
            ready.push_back(step);
        }
    }
    std::size_t started = 0;
    for (; !ready.empty(); ++started)
    {
        const Step step = ready.back();
        ready.pop_back();
        ends[step] += m_steps[step].compute;
        if (ends[step] > latest)
        {
            return name(step) + ": it comes after computations, and an earliest start, of " +
                   FormatNanoSeconds(TimeStep(ends[step])) + " ns in all; allowed are " +
                   FormatNanoSeconds(TimeStep(latest)) + " ns";
        }
        for (const Link& successor : GetSuccessors(step))
        {
            uint32_t& left = unmet[successor.step];
            ends[successor.step] = std::max(ends[successor.step], left > 0 ? ends[step] : 0);
            if (left > 0 && --left == 0)
            {
                ready.push_back(successor.step);
            }
        }
    }
    const std::size_t left = m_steps.size() - started;
    return left == 0
               ? std::nullopt
               : std::optional(DescribeCycle(FindCycle(unmet), name) + "; " + std::to_string(left) +
                               " of " + std::to_string(m_steps.size()) + " steps never start");
}

std::vector<FlowGraph::Link>
FlowGraph::FindCycle(const std::vector<uint32_t>& unmet) const
{
    const auto findUnmet = [&](Step step) {
        const Links links = GetPredecessors(step);
        return *std::find_if(links.begin(), links.end(), [&](const Link& link) {
            return unmet[link.step] > 0;
        });
    };
    const auto isUnmet = [](uint32_t count) { return count > 0; };
    auto step =
        static_cast<Step>(std::find_if(unmet.begin(), unmet.end(), isUnmet) - unmet.begin());
    for (std::size_t i = 0; i < m_steps.size(); ++i) // more than enough to enter the cycle
    {
        step = findUnmet(step).step;
    }
    std::vector<Link> cycle;
    const Step first = step;
    do
    {
        cycle.push_back(findUnmet(step));
        step = cycle.back().step;
    } while (step != first);
    return cycle;
}

std::string
FlowGraph::DescribeCycle(const std::vector<Link>& cycle, const Name& name)
{
    const std::string first = name(cycle.back().step);
    std::string text = first;
    std::string previous = first;
    for (std::size_t i = 0; i < cycle.size(); ++i)
    {
        const bool isLast = i + 1 == cycle.size();
        if (i >= NAMED_STEPS && !isLast)
        {
            text += i == NAMED_STEPS ? ", ..." : "";
            continue;
        }
        const std::string next = name(cycle[i].step);
        const bool isItself = isLast && text == first;
        if (next != previous || isItself) // one name in a file may belong to several steps
        {
            text += std::string(text == first ? "" : ", which") + " waits for " +
                    (isItself ? "itself" : next) + DescribeUntil(cycle[i].GetUntil());
        }
        previous = next;
    }
    return text;
}

FlowGraph::Links
FlowGraph::GetPredecessors(Step step) const
{
    const Link* links = m_predecessors.data();
    return {links + m_firstPredecessor[step], links + m_firstPredecessor[step + 1]};
}

FlowGraph::Links
FlowGraph::GetSuccessors(Step step) const
{
    const Link* links = m_successors.data();
    return {links + m_firstSuccessor[step], links + m_firstSuccessor[step + 1]};
}

FlowList
FlowGraph::MakeFlowList() const
{
    FlowList flows;
    flows.reserve(m_flows);
    for (Step step = 0; step < m_steps.size(); ++step)
    {
        if (m_steps[step].bytes > 0)
        {
            flows.push_back(GetStep(step).flow);
        }
    }
    SortByStart(flows);
    return flows;
}

std::size_t
FlowGraph::GetMemory() const
{
    const auto bytes = [](const auto& vector) {
        return vector.capacity() * sizeof(*vector.data());
    };
    return bytes(m_steps) + bytes(m_edges) + bytes(m_firstPredecessor) + bytes(m_predecessors) +
           bytes(m_firstSuccessor) + bytes(m_successors) + bytes(m_labels);
}

} // namespace ns3::lossless
