// SPDX-License-Identifier: GPL-2.0-only
#include "graph-results.h"

#include "ns3/make-type-id.h"
#include "ns3/short-text.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(GraphResults);

namespace
{

/// The start and the end of an interval, in ticks.
using Interval = std::pair<int64_t, int64_t>;

/// @param intervals the intervals in any order
/// @param within the interval to which the others are clipped
/// @return the number of ticks that at least one interval covers
int64_t
GetUnion(std::vector<Interval>& intervals, const Interval& within)
{
    std::sort(intervals.begin(), intervals.end());
    int64_t covered = 0;
    int64_t until = within.first;
    for (const auto& [begin, end] : intervals)
    {
        const int64_t from = std::max(begin, until);
        const int64_t to = std::min(end, within.second);
        covered += std::max<int64_t>(0, to - from);
        until = std::max(until, to);
    }
    return covered;
}

/// @return the number rounded to three decimals, or an empty cell if the number is unknown
ResultCell
ShowDecimals(const std::optional<double>& number)
{
    constexpr double thousand = 1000;
    return number ? ResultCell(std::round(*number * thousand) / thousand) : ResultCell();
}

} // namespace

std::optional<Time>
CollectiveOutcome::GetDuration() const
{
    return end && firstEntry ? std::optional(*end - *firstEntry) : std::nullopt;
}

std::optional<double>
CollectiveOutcome::GetAlgorithmGbps(const CollectiveRun& run) const
{
    const auto duration = GetDuration();
    if (!duration || !duration->IsStrictlyPositive())
    {
        return std::nullopt;
    }
    return 8 * static_cast<double>(run.options.bytes) / duration->ToDouble(Time::NS);
}

TypeId
GraphResults::GetTypeId()
{
    static TypeId tid = MakeTypeId<GraphResults, Recorder>("GraphResults");
    return tid;
}

GraphResults::GraphResults(const GraphRunner& runner,
                           std::vector<CollectiveRun> collectives,
                           bool hasSteps)
    : m_runner(runner),
      m_collectives(std::move(collectives)),
      m_hasSteps(hasSteps)
{
}

std::optional<FlowGraph::Step>
GraphResults::FindLast(FlowGraph::Step step) const
{
    const FlowGraph& graph = m_runner.GetGraph();
    std::vector<std::pair<Time, FlowGraph::Step>> known;
    for (const FlowGraph::Link& link : graph.GetPredecessors(step))
    {
        if (const auto time = m_runner.GetTimes(link.step).Get(link.GetUntil()))
        {
            known.emplace_back(*time + m_runner.GetNoticeTime(link, step), link.step);
        }
    }
    const auto isEarlier = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (known.size() > graph.GetNeeded(step)) // the step did not wait for the latest predecessors
    {
        std::stable_sort(known.begin(), known.end(), isEarlier);
        known.resize(graph.GetNeeded(step));
    }
    const auto last = std::max_element(known.begin(), known.end(), isEarlier);
    return last == known.end() ? std::nullopt : std::optional(last->second);
}

ResultTable
GraphResults::GetStepTable() const
{
    const FlowGraph& graph = m_runner.GetGraph();
    auto table =
        ResultTable::WithHeader("id,source,destination,bytes,compute_ns,job,group,started_ns,"
                                "sent_ns,received_ns,waited_for");
    for (FlowGraph::Step step = 0; step < graph.GetNSteps(); ++step)
    {
        const StepTimes times = m_runner.GetTimes(step);
        const auto last = FindLast(step);
        table.rows.push_back({graph.GetId(step),
                              m_runner.GetHostName(graph.GetSource(step)),
                              m_runner.GetHostName(graph.GetDestination(step)),
                              graph.GetBytes(step),
                              graph.GetCompute(step),
                              graph.GetJob(step),
                              graph.GetGroup(step),
                              times.started,
                              times.sent,
                              times.received,
                              last ? ResultCell(graph.GetId(*last)) : ResultCell()});
    }
    return table;
}

CollectiveOutcome
GraphResults::GetOutcome(const CollectiveRun& run) const
{
    CollectiveOutcome outcome;
    bool isDone = true;
    for (std::size_t rank = 0; rank < run.hosts.size(); ++rank)
    {
        const auto entry = m_runner.GetTimes(run.entries[rank]).sent;
        const auto exit = m_runner.GetTimes(run.exits[rank]).sent;
        if (entry)
        {
            outcome.firstEntry = std::min(outcome.firstEntry.value_or(*entry), *entry);
            outcome.lastEntry = std::max(outcome.lastEntry.value_or(*entry), *entry);
        }
        isDone = isDone && exit;
        outcome.end =
            isDone ? std::optional(std::max(outcome.end.value_or(*exit), *exit)) : std::nullopt;
    }
    if (isDone)
    {
        const std::vector<double> shares = GetWaitingShares(run);
        outcome.waitingShare =
            std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(shares.size());
        outcome.straggler = FindStraggler(run);
    }
    return outcome;
}

std::vector<double>
GraphResults::GetWaitingShares(const CollectiveRun& run) const
{
    std::vector<double> shares;
    for (uint32_t rank = 0; run.rule && rank < run.hosts.size(); ++rank)
    {
        shares.push_back(m_runner.GetProgress(*run.rule).GetWaitingShare(rank));
    }
    if (run.rule)
    {
        return shares;
    }
    const FlowGraph& graph = m_runner.GetGraph();
    std::map<uint32_t, std::vector<Interval>> busy; // busy intervals of each host
    for (FlowGraph::Step step = run.stages.front(); step < run.endOfFlows; ++step)
    {
        const StepTimes times = m_runner.GetTimes(step);
        if (times.started)
        {
            const int64_t started = times.started->GetTimeStep();
            const int64_t end = Simulator::Now().GetTimeStep();
            const int64_t received = times.received ? times.received->GetTimeStep() : end;
            const int64_t sent = times.sent ? times.sent->GetTimeStep() : end;
            busy[graph.GetSource(step)].emplace_back(started - graph.GetCompute(step).GetTimeStep(),
                                                     sent);
            busy[graph.GetDestination(step)].emplace_back(started, received);
        }
    }
    for (std::size_t rank = 0; rank < run.hosts.size(); ++rank)
    {
        const Interval own{m_runner.GetTimes(run.entries[rank]).sent->GetTimeStep(),
                           m_runner.GetTimes(run.exits[rank]).sent->GetTimeStep()};
        const auto length = static_cast<double>(own.second - own.first);
        const auto used = static_cast<double>(GetUnion(busy[run.hosts[rank]], own));
        shares.push_back(length > 0 ? 1 - used / length : 0);
    }
    return shares;
}

std::string
GraphResults::FindStraggler(const CollectiveRun& run) const
{
    const auto latest = [this](const std::vector<FlowGraph::Step>& steps) {
        return *std::max_element(steps.begin(), steps.end(), [this](auto a, auto b) {
            return *m_runner.GetTimes(a).sent < *m_runner.GetTimes(b).sent;
        });
    };
    const std::set<FlowGraph::Step> entries(run.entries.begin(), run.entries.end());
    FlowGraph::Step step = latest(run.exits);
    if (run.rule)
    {
        const auto rank = static_cast<uint32_t>(step - run.exits.front());
        step = run.entries[m_runner.GetProgress(*run.rule).GetOrigin(rank)];
    }
    while (entries.count(step) == 0)
    {
        // Every step of a collective waits, directly or indirectly, for an entry.
        step = *FindLast(step);
    }
    const bool isLate = std::any_of(run.entries.begin(), run.entries.end(), [&](auto other) {
        return *m_runner.GetTimes(other).sent < *m_runner.GetTimes(step).sent;
    });
    return isLate ? m_runner.GetHostName(m_runner.GetGraph().GetSource(step)) : "";
}

ResultTable
GraphResults::GetCollectiveTable() const
{
    auto table =
        ResultTable::WithHeader("job,group,iteration,place,collective,algorithm,ranks,bytes,"
                                "start_ns,last_start_ns,end_ns,duration_ns,algorithm_gbps,bus_gbps,"
                                "waiting_share,straggler");
    for (const CollectiveRun& run : m_collectives)
    {
        const CollectiveOutcome outcome = GetOutcome(run);
        const auto gbps = outcome.GetAlgorithmGbps(run);
        table.rows.push_back({run.job,
                              run.group,
                              run.iteration,
                              run.place,
                              ToString(run.options.kind),
                              ToString(run.options.algorithm),
                              run.hosts.size(),
                              run.options.bytes,
                              outcome.firstEntry,
                              outcome.lastEntry,
                              outcome.end,
                              outcome.GetDuration(),
                              gbps,
                              gbps ? ResultCell(*gbps * run.GetBusFactor()) : ResultCell(),
                              ShowDecimals(outcome.waitingShare),
                              outcome.straggler});
    }
    return table;
}

GraphResults::StageOutcome
GraphResults::GetStage(const CollectiveRun& run, std::size_t stage) const
{
    const bool isLast = stage + 1 == run.stages.size();
    const FlowGraph::Step until = isLast ? run.endOfFlows : run.stages[stage + 1];
    StageOutcome outcome;
    if (run.rule)
    {
        const RuleProgress::Stage& found =
            m_runner.GetProgress(*run.rule).GetStage(static_cast<uint32_t>(stage));
        outcome.flows = found.flows;
        outcome.bytes = found.bytes;
        outcome.first = found.first < 0 ? std::nullopt : std::optional(TimeStep(found.first));
        outcome.last =
            found.received < found.flows ? std::nullopt : std::optional(TimeStep(found.last));
        return outcome;
    }
    outcome.flows = until - run.stages[stage];
    bool isDone = true;
    for (FlowGraph::Step step = run.stages[stage]; step < until; ++step)
    {
        const StepTimes times = m_runner.GetTimes(step);
        outcome.bytes += m_runner.GetGraph().GetBytes(step);
        if (times.started)
        {
            outcome.first = std::min(outcome.first.value_or(*times.started), *times.started);
        }
        isDone = isDone && times.received;
        outcome.last =
            isDone ? std::optional(std::max(outcome.last.value_or(Time(0)), *times.received))
                   : std::nullopt;
    }
    return outcome;
}

ResultTable
GraphResults::GetCollectiveStepTable() const
{
    auto table =
        ResultTable::WithHeader("job,group,iteration,place,collective,step,flows,bytes,start_ns,"
                                "end_ns,duration_ns");
    for (const CollectiveRun& run : m_collectives)
    {
        for (std::size_t stage = 0; stage < run.stages.size(); ++stage)
        {
            const StageOutcome outcome = GetStage(run, stage);
            table.rows.push_back(
                {run.job,
                 run.group,
                 run.iteration,
                 run.place,
                 ToString(run.options.kind),
                 stage,
                 outcome.flows,
                 outcome.bytes,
                 outcome.first,
                 outcome.last,
                 outcome.last ? std::optional(*outcome.last - *outcome.first) : std::nullopt});
        }
    }
    return table;
}

GraphFacts
GraphResults::Summarize() const
{
    GraphFacts facts;
    facts.steps = m_runner.GetGraph().GetNSteps();
    facts.done = facts.steps;
    if (const auto standstill = m_runner.DescribeStandstill())
    {
        facts.done -= standstill->unfinished;
        facts.standstill = standstill->examples;
        facts.stalledSince =
            m_runner.HasStalled() ? std::optional(standstill->since) : std::nullopt;
    }
    std::map<std::pair<CollectiveKind, CollectiveAlgorithm>, CollectiveSummary> kinds;
    for (const CollectiveRun& run : m_collectives)
    {
        CollectiveSummary& kind = kinds[{run.options.kind, run.options.algorithm}];
        const CollectiveOutcome outcome = GetOutcome(run);
        ++kind.count;
        if (const auto duration = outcome.GetDuration())
        {
            ++kind.done;
            const double length = duration->ToDouble(Time::NS);
            kind.meanDurationNs += length;
            kind.maxDurationNs = std::max(kind.maxDurationNs, length);
            kind.meanBusGbps += outcome.GetAlgorithmGbps(run).value_or(0) * run.GetBusFactor();
            kind.meanWaitingShare += *outcome.waitingShare;
        }
    }
    for (auto& [key, kind] : kinds)
    {
        kind.name = ToString(key.first);
        kind.algorithm = ToString(key.second);
        for (double* sum : {&kind.meanDurationNs, &kind.meanBusGbps, &kind.meanWaitingShare})
        {
            *sum /= static_cast<double>(std::max<uint64_t>(kind.done, 1));
        }
        facts.collectives.push_back(kind);
    }
    return facts;
}

ResultFacts
DescribeGraph(const GraphFacts& facts)
{
    ResultFacts described{{"/graph/steps", facts.steps}, {"/graph/done", facts.done}};
    if (facts.stalledSince)
    {
        described.emplace_back("/graph/stalled_since_ns", *facts.stalledSince);
    }
    described.emplace_back("/graph/waiting", facts.standstill);
    auto collectives =
        ResultTable::WithHeader("collective,algorithm,count,done,mean_duration_ns,max_duration_ns,"
                                "mean_bus_gbps,mean_waiting_share");
    for (const CollectiveSummary& kind : facts.collectives)
    {
        auto& row = collectives.rows.emplace_back();
        row = {kind.name, kind.algorithm, kind.count, kind.done};
        if (kind.done > 0)
        {
            row.insert(
                row.end(),
                {kind.meanDurationNs, kind.maxDurationNs, kind.meanBusGbps, kind.meanWaitingShare});
        }
    }
    described.emplace_back("/graph/collectives", collectives);
    return described;
}

ResultFacts
GraphResults::GetFacts() const
{
    return DescribeGraph(Summarize());
}

std::vector<Recorder::NamedTable>
GraphResults::GetTables() const
{
    std::vector<NamedTable> tables;
    if (m_hasSteps)
    {
        tables.push_back({"steps", [this] { return GetStepTable(); }});
    }
    if (!m_collectives.empty())
    {
        tables.push_back({"collectives", [this] { return GetCollectiveTable(); }});
        tables.push_back({"collective-steps", [this] { return GetCollectiveStepTable(); }});
    }
    return tables;
}

void
GraphResults::Judge(RunVerdict& verdict) const
{
    const auto standstill = m_runner.DescribeStandstill();
    if (!standstill)
    {
        return;
    }
    std::string text = m_runner.HasStalled() ? "The flow graph stands still since " +
                                                   DescribeTime(standstill->since) + ": "
                                             : "The flow graph has not come to its end: ";
    text += FormatCount(standstill->unfinished) + " of " +
            FormatCount(m_runner.GetGraph().GetNSteps()) + " steps are not done.";
    for (const std::string& example : standstill->examples)
    {
        text += " " + example;
    }
    verdict.isStuck = true;
    verdict.AddProblem(text, RunVerdict::Severity::STANDSTILL);
}

} // namespace ns3::lossless
