// SPDX-License-Identifier: GPL-2.0-only
#include "run-statistics.h"

#include "ns3/make-type-id.h"
#include "ns3/quantity-text.h"
#include "ns3/recorder-list.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(WindowStatistics);

const RegisterRecorder<WindowStatistics> g_statistics("statistics", 130);

namespace
{

/// @param sorted the numbers in ascending order; there must be at least one
/// @param share the fraction of the numbers that are below the quantile, from 0 to 1
double
GetQuantile(const std::vector<double>& sorted, double share)
{
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double beyond = place - static_cast<double>(below);
    return sorted[below] + beyond * (sorted[above] - sorted[below]);
}

/// @param numbers the numbers; there must be at least one
double
GetMean(const std::vector<double>& numbers)
{
    const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
    return sum / static_cast<double>(numbers.size());
}

/// Adds the flows that start in the window. If the window has no end, flows that never started are
/// included.
void
AddFlows(const MeasureWindow& window, const std::vector<FlowRow>& flows, RunStatistics& statistics)
{
    std::vector<double> times;
    std::vector<double> slowdowns;
    for (const FlowRow& row : flows)
    {
        if (row.start ? !window.Has(*row.start) : window.until.has_value())
        {
            continue;
        }
        ++statistics.flows;
        if (!row.fct)
        {
            ++statistics.unfinished;
            continue;
        }
        times.push_back(static_cast<double>(row.fct->GetNanoSeconds()));
        if (const auto slowdown = row.GetSlowdown())
        {
            slowdowns.push_back(*slowdown);
        }
    }
    statistics.fctNs = GetDistribution(std::move(times));
    statistics.slowdown = GetDistribution(std::move(slowdowns));
}

/// @return the distribution, or nothing if there are no numbers
std::optional<Distribution>
GetDistribution(double sum, const QuantileSketch& numbers)
{
    if (numbers.GetCount() == 0)
    {
        return std::nullopt;
    }
    return Distribution{sum / static_cast<double>(numbers.GetCount()),
                        numbers.GetQuantile(0.5),
                        numbers.GetQuantile(0.99)};
}

/// Adds flows for which only the sums are known.
void
AddSums(const FlowGroups& groups, RunStatistics& statistics)
{
    const FlowSums sums = groups.GetMeasured();
    statistics.flows = groups.CountMeasured();
    statistics.unfinished = statistics.flows - sums.flows;
    statistics.fctNs = GetDistribution(static_cast<double>(sums.fct), sums.fctNs);
    statistics.slowdown = GetDistribution(sums.slowdown, sums.slowdowns);
}

/// @param statistics the statistics, in which the window is already set
void
AddPauses(const std::vector<PauseRecord>& pauses, RunStatistics& statistics)
{
    Time longest;
    for (const PauseRecord& record : pauses)
    {
        statistics.paused += record.paused;
        // For timed pauses, the sum of the requested durations can exceed the actual duration.
        if (record.kind != PauseRecord::Kind::TIMED)
        {
            longest = std::max(longest, record.paused);
        }
    }
    const Time length = statistics.until - statistics.from;
    if (length.IsStrictlyPositive())
    {
        statistics.maxPausedShare = longest.GetSeconds() / length.GetSeconds();
    }
}

} // namespace

std::optional<Distribution>
GetDistribution(std::vector<double> numbers)
{
    if (numbers.empty())
    {
        return std::nullopt;
    }
    std::sort(numbers.begin(), numbers.end());
    return Distribution{GetMean(numbers), GetQuantile(numbers, 0.5), GetQuantile(numbers, 0.99)};
}

RunStatistics
GetStatistics(const MeasureWindow& window,
              Time end,
              const std::vector<FlowRow>& flows,
              const std::vector<PauseRecord>& pauses,
              const std::vector<QueueSample>& samples)
{
    RunStatistics statistics;
    statistics.from = window.from;
    statistics.until = std::max(window.from, window.Clip(end));
    AddFlows(window, flows, statistics);
    AddPauses(pauses, statistics);
    std::vector<double> buffers;
    for (const QueueSample& sample : samples)
    {
        if (sample.side == QueueSide::BUFFER && window.Has(sample.time))
        {
            buffers.push_back(static_cast<double>(sample.bytes));
        }
    }
    if (!buffers.empty())
    {
        statistics.meanBufferBytes = GetMean(buffers);
    }
    return statistics;
}

ResultFacts
DescribeStatistics(const MeasureWindow& window, const RunStatistics& statistics)
{
    ResultFacts facts{{"/measured/from_ns", window.from},
                      {"/measured/until_ns", window.until},
                      {"/measured/length_ns", statistics.until - statistics.from},
                      {"/measured/flows", statistics.flows},
                      {"/measured/unfinished_flows", statistics.unfinished}};
    const auto add = [&facts](const std::string& what, const auto& found) {
        const auto get = [&found](double Distribution::*number) {
            return found ? ResultCell((*found).*number) : ResultCell();
        };
        facts.emplace_back("/measured/mean_" + what, get(&Distribution::mean));
        facts.emplace_back("/measured/median_" + what, get(&Distribution::median));
        facts.emplace_back("/measured/p99_" + what, get(&Distribution::p99));
    };
    add("fct_ns", statistics.fctNs);
    add("slowdown", statistics.slowdown);
    facts.emplace_back("/measured/paused_ns", statistics.paused);
    facts.emplace_back("/measured/max_paused_share", statistics.maxPausedShare);
    facts.emplace_back("/measured/mean_buffer_bytes", statistics.meanBufferBytes);
    return facts;
}

TypeId
WindowStatistics::GetTypeId()
{
    static TypeId tid = MakeTypeId<WindowStatistics, Recorder>("WindowStatistics");
    return tid;
}

void
WindowStatistics::SetWindow(const MeasureWindow& window)
{
    m_window = window;
    GetRun().Get<PauseRecorder>()->SetWindow(window);
    GetRun().Get<FlowGroups>()->SetWindow(window);
}

void
WindowStatistics::SetFirstFlow(Time start)
{
    m_firstFlow = start;
}

Time
WindowStatistics::GetFirstFlow() const
{
    return m_firstFlow;
}

ResultFacts
WindowStatistics::GetFacts() const
{
    RunStatistics statistics = GetStatistics({std::max(m_window.from, m_firstFlow), m_window.until},
                                             Simulator::Now(),
                                             GetRun().Get<FlowPlan>()->GetRows(),
                                             GetRun().Get<PauseRecorder>()->GetPauses(),
                                             GetRun().Get<QueueSampler>()->GetSamples());
    if (const auto groups = GetRun().Get<FlowGroups>(); groups->IsOn())
    {
        AddSums(*groups, statistics);
    }
    return DescribeStatistics(m_window, statistics);
}

std::vector<std::string>
WindowStatistics::GetRemarks() const
{
    if (m_window.from.IsZero() || m_window.from < Simulator::Now())
    {
        return {};
    }
    return {"Nothing was measured from " + FormatTime(m_window.from) + " on: the run ended at " +
            DescribeTime(Simulator::Now()) + "."};
}

} // namespace ns3::lossless
