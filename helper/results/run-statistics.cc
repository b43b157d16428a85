// SPDX-License-Identifier: GPL-2.0-only
#include "run-statistics.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// @param sorted numbers, at least one @param share of them that is below, 0 to 1 @return quantile
double
GetQuantile(const std::vector<double>& sorted, double share)
{
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double beyond = place - static_cast<double>(below);
    return sorted[below] + beyond * (sorted[above] - sorted[below]);
}

/// @param numbers at least one @return their mean
double
GetMean(const std::vector<double>& numbers)
{
    const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
    return sum / static_cast<double>(numbers.size());
}

/// @param window what is looked at; without an end those that never started are part of it
/// @param flows all @param statistics where to
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

/// @param pauses of the window @param statistics where to, with the window
void
AddPauses(const std::vector<PauseRecord>& pauses, RunStatistics& statistics)
{
    Time longest;
    for (const PauseRecord& record : pauses)
    {
        statistics.paused += record.paused;
        if (record.kind != PauseRecord::Kind::TIMED) // of which time asked for is counted
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

} // namespace ns3::lossless
