// SPDX-License-Identifier: GPL-2.0-only
#include "flow-graph.h"

#include "collective-rule.h"

#include "ns3/abort.h"
#include "ns3/quantity-text.h"
#include "ns3/reachability.h"

#include <algorithm>
#include <set>

namespace ns3::lossless
{

namespace
{

/// The maximum number of links that a message about a cycle describes before it skips to the last
/// one.
constexpr std::size_t NAMED_STEPS = 6;

/// @return the state in parentheses, for a message about a step that waits for it
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

/// @param tick a time in ticks, which must be in the range of simulations
/// @return an error message, or nothing
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

/// Sorts edges by one of their ends with a counting sort.
/// @param [out] first the index of the first link of each step, plus one end entry
/// @param [out] links the other ends
/// @param getStep a function that returns the end by which an edge is sorted
/// @param getLink a function that returns the other end of an edge
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
    if (m_labels[m_lastLabel] != label) // most steps have the same label as the previous step
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
    NS_ABORT_MSG_IF(GetNSteps() >= MAX_STEPS,
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
    return static_cast<Step>(GetNSteps() - 1);
}

FlowGraph::Step
FlowGraph::AddRule(std::shared_ptr<CollectiveRule> rule)
{
    RequireOpen();
    const uint64_t flows = rule->CountFlows();
    NS_ABORT_MSG_IF(GetNSteps() + flows > MAX_STEPS,
                    "FlowGraph: there are " << GetNSteps() + flows << " steps; " << MAX_STEPS
                                            << " are the most.");
    RuledSteps steps;
    steps.first = static_cast<Step>(GetNSteps());
    steps.end = static_cast<Step>(steps.first + flows);
    steps.before = m_ruled;
    steps.group = FindLabel(rule->GetCompany().group);
    steps.job = FindLabel(rule->GetCompany().job);
    steps.rule = std::move(rule);
    m_rules.push_back(steps);
    m_ruled += flows;
    m_flows += flows;
    return steps.first;
}

const FlowGraph::RuledSteps*
FlowGraph::FindRuleUpTo(Step step) const
{
    const auto next =
        std::upper_bound(m_rules.begin(),
                         m_rules.end(),
                         step,
                         [](Step wanted, const RuledSteps& rule) { return wanted < rule.first; });
    return next == m_rules.begin() ? nullptr : &*std::prev(next);
}

FlowGraph::Record
FlowGraph::GetByRule(Step step) const
{
    const RuledSteps* steps = FindRule(step);
    if (!steps)
    {
        return m_steps[GetPlace(step)];
    }
    const CollectiveRule::Company& company = steps->rule->GetCompany();
    const CollectiveRule::Flow flow = steps->rule->GetFlow(step - steps->first);
    Record record{};
    record.id = step;
    record.bytes = flow.bytes;
    record.compute = company.compute;
    record.source = company.hosts[flow.from];
    record.destination = company.hosts[flow.to];
    record.group = steps->group;
    record.job = steps->job;
    record.priority = company.priority;
    return record;
}

void
FlowGraph::AddPredecessor(Step step, Step predecessor, Until until)
{
    RequireOpen();
    NS_ABORT_MSG_IF(std::max(step, predecessor) >= MAX_STEPS,
                    "FlowGraph: a step has the number " << std::max(step, predecessor)
                                                        << "; it must be below " << MAX_STEPS
                                                        << ".");
    NS_ABORT_MSG_IF(FindRule(step) || FindRule(predecessor),
                    "FlowGraph: flows of a rule wait for what the rule says.");
    m_edges.push_back({step, {predecessor, static_cast<uint32_t>(until)}});
}

void
FlowGraph::SetNeeded(Step step, uint32_t count)
{
    RequireOpen();
    m_steps.at(GetPlace(step)).needed = count;
}

bool
FlowGraph::IsMoreThanList() const
{
    const auto isMore = [](const Record& step) {
        return step.bytes == 0 || step.compute != 0 || step.job != 0;
    };
    return GetNPredecessors() > 0 || !m_rules.empty() ||
           std::any_of(m_steps.begin(), m_steps.end(), isMore);
}

StepSpec
FlowGraph::GetStep(Step step) const
{
    const Record record = Get(step);
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

FlowSpec
FlowGraph::GetFlow(Step step) const
{
    const Record record = Get(step);
    return {record.id, record.source, record.destination, record.priority, record.bytes, {}, {}};
}

std::string
FlowGraph::Describe(Step step) const
{
    const Record record = Get(step);
    return (record.bytes == 0 ? "computation " : "flow ") + std::to_string(record.id);
}

std::optional<std::string>
FlowGraph::Check(const Topology& topology, const Name& name)
{
    const Name call = name ? name : [this](Step step) { return Describe(step); };
    FlowSpec flow; // reused, because ns-3 registers every Time that exists before the run
    std::optional<std::string> wrong = CheckRules(topology);
    VisitStored([&](Step step) {
        const auto misfit = wrong ? std::nullopt : CheckStep(step, topology, flow);
        wrong = misfit ? call(step) + ": " + *misfit : wrong;
    });
    if (wrong)
    {
        return wrong;
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
FlowGraph::CheckRules(const Topology& topology) const
{
    for (const RuledSteps& steps : m_rules)
    {
        const CollectiveRule::Company& company = steps.rule->GetCompany();
        const std::set<uint32_t> hosts(company.hosts.begin(), company.hosts.end());
        if (*hosts.rbegin() >= topology.GetHosts().size())
        {
            return "host " + std::to_string(*hosts.rbegin()) + " does not exist; the network has " +
                   std::to_string(topology.GetHosts().size()) + " hosts, counted from 0";
        }
        if (hosts.size() < company.hosts.size())
        {
            return "a host has two ranks of the same collective";
        }
        auto error = CheckTick("compute time", company.compute);
        error = error ? error : CheckFlow(GetFlow(steps.first), topology);
        if (error)
        {
            return error;
        }
    }
    return std::nullopt;
}

std::optional<std::string>
FlowGraph::CheckStep(Step step, const Topology& topology, FlowSpec& flow) const
{
    const Record record = Get(step);
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
        return CheckFlow(flow, topology); // each label is checked once, separately
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
    bool isNumbered = true;
    VisitStored([&](Step step) { isNumbered &= m_steps[GetPlace(step)].id == step; });
    if (!isNumbered && !m_rules.empty())
    {
        return "the ids of a graph with rules must be the numbers of its steps";
    }
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
        if (edge.step >= GetNSteps())
        {
            return "step " + std::to_string(edge.step) +
                   ", which waits for another one, does not "
                   "exist; there are " +
                   std::to_string(GetNSteps()) + ", counted from 0";
        }
        if (edge.predecessor.step >= GetNSteps())
        {
            return Describe(edge.step) + " waits for step " +
                   std::to_string(edge.predecessor.step) + ", which does not exist; there are " +
                   std::to_string(GetNSteps()) + ", counted from 0";
        }
    }
    return std::nullopt;
}

void
FlowGraph::SortLinks()
{
    const auto getStep = [this](const Edge& edge) { return GetPlace(edge.step); };
    const auto getPredecessor = [this](const Edge& edge) {
        return GetPlace(edge.predecessor.step);
    };
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
    std::optional<std::string> error;
    VisitStored([&](Step step) {
        const std::size_t count = GetPredecessors(step).size();
        const uint32_t needed = m_steps[GetPlace(step)].needed;
        if (needed > count && !error)
        {
            error = name(step) + " needs " + std::to_string(needed) + " of the " +
                    std::to_string(count) + " that it waits for; it can need as many at most";
        }
    });
    return error;
}

PrioritySet
FlowGraph::GetClasses() const
{
    PrioritySet classes = 0;
    for (const Record& record : m_steps)
    {
        classes |= record.bytes > 0 ? SetOf(Priority{record.priority}) : PrioritySet(0);
    }
    for (const RuledSteps& steps : m_rules)
    {
        classes |= SetOf(Priority{steps.rule->GetCompany().priority});
    }
    return classes;
}

std::optional<std::string>
FlowGraph::CheckPaths(const Reachability& reachability, const Name& name) const
{
    for (Step step = 0; !reachability.IsWhole() && step < GetNSteps(); ++step)
    {
        const Record record = Get(step);
        auto error = reachability.Check(record.source, record.destination);
        for (const Link& link : FindRule(step) ? Links() : GetPredecessors(step))
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
    // The end times of the steps, in ticks and by place, assuming that flows take no time.
    std::vector<int64_t> ends(m_steps.size());
    std::vector<uint32_t> unmet(m_steps.size());
    std::vector<Step> ready;
    VisitStored([&](Step step) {
        const std::size_t place = GetPlace(step);
        ends[place] = m_steps[place].start;
        unmet[place] = static_cast<uint32_t>(GetNeeded(step));
        ready.insert(ready.end(), unmet[place] == 0 ? 1 : 0, step);
    });
    while (!ready.empty())
    {
        const Step step = ready.back();
        const std::size_t place = GetPlace(step);
        ready.pop_back();
        ends[place] += m_steps[place].compute;
        if (ends[place] > latest)
        {
            return name(step) + ": it comes after computations, and an earliest start, of " +
                   FormatNanoSeconds(TimeStep(ends[place])) + " ns in all; allowed are " +
                   FormatNanoSeconds(TimeStep(latest)) + " ns";
        }
        for (const Link& successor : GetSuccessors(step))
        {
            const std::size_t next = GetPlace(successor.step);
            ends[next] = std::max(ends[next], unmet[next] > 0 ? ends[place] : 0);
            if (unmet[next] > 0 && --unmet[next] == 0)
            {
                ready.push_back(successor.step);
            }
        }
    }
    const auto left = std::count_if(unmet.begin(), unmet.end(), [](uint32_t n) { return n > 0; });
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
            return unmet[GetPlace(link.step)] > 0;
        });
    };
    std::optional<Step> firstUnmet;
    VisitStored([&](Step other) {
        firstUnmet = !firstUnmet && unmet[GetPlace(other)] > 0 ? other : firstUnmet;
    });
    Step step = *firstUnmet;
    for (std::size_t i = 0; i < m_steps.size(); ++i) // more than enough iterations to reach the
                                                     // cycle
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
        if (next != previous || isItself) // a name in a file may belong to several steps
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
    const std::size_t place = GetPlace(step);
    return {links + m_firstPredecessor[place], links + m_firstPredecessor[place + 1]};
}

FlowGraph::Links
FlowGraph::GetSuccessors(Step step) const
{
    const Link* links = m_successors.data();
    const std::size_t place = GetPlace(step);
    return {links + m_firstSuccessor[place], links + m_firstSuccessor[place + 1]};
}

FlowList
FlowGraph::MakeFlowList() const
{
    FlowList flows;
    flows.reserve(m_flows);
    for (Step step = 0; step < GetNSteps(); ++step)
    {
        if (GetBytes(step) > 0)
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
