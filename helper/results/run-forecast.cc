// SPDX-License-Identifier: GPL-2.0-only
#include "run-forecast.h"

#include "flow-plan.h"
#include "measured-network.h"
#include "run-cost.h"
#include "run-notes.h"
#include "series-plan.h"
#include "stall-reporter.h"

#include "ns3/headroom-buffer-policy.h"
#include "ns3/lossless-fabric.h"
#include "ns3/pause-recorder.h"
#include "ns3/quantity-text.h"
#include "ns3/run-control.h"
#include "ns3/short-text.h"
#include "ns3/signal-recorder.h"
#include "ns3/throughput-recorder.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <sys/resource.h>

namespace ns3::lossless
{

namespace
{

/// The processor time of the trial and of the warm-up that precedes it. During the warm-up, the
/// first flows create the queue pairs and fill the caches. Without the warm-up, the trial of a run
/// with 8192 hosts forecast 2.5 times the actual time.
constexpr std::chrono::milliseconds TRIAL{500};

/// The time to write the row of a flow, measured with 370 000 flows of one packet.
constexpr double SECONDS_A_ROW = 10e-6;
/// The memory that a flow uses from its start to the end of the run, measured with 370 000 flows of
/// one packet.
constexpr double BYTES_A_FLOW = 1200;
/// The memory for a row of a time series in addition to the row's cells, namely an allocation and
/// the recorder's entry. It was measured with 138 000 pauses and 128 000 throughput windows.
constexpr double BYTES_A_ROW = 160;

/// @return a size such as "1.2 GB"
std::string
DescribeSize(double bytes)
{
    const char* units[] = {" B", " kB", " MB", " GB", " TB", " PB"};
    const char* const* unit = units;
    for (; bytes >= 1000 && unit + 1 < std::end(units); ++unit)
    {
        bytes /= 1000;
    }
    const auto tenths = static_cast<uint64_t>(std::llround(bytes * 10));
    const bool isWhole = unit == units || tenths >= 1000;
    return std::to_string(tenths / 10) + (isWhole ? "" : "." + std::to_string(tenths % 10)) + *unit;
}

/// @return a duration such as "12.0 s"
std::string
DescribeSeconds(double seconds)
{
    ShortText text;
    text.AddTime(static_cast<uint64_t>(seconds * 1e9));
    return std::string(text.Get());
}

/// @return a line about the switch that reserves the most headroom, or an empty string if there is
/// none
std::string
DescribeBuffers(const Fabric& fabric)
{
    Ptr<HeadroomBufferPolicy> most;
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        const auto policy =
            DynamicCast<HeadroomBufferPolicy>(fabric.GetSwitch(i)->GetBufferPolicy());
        const uint64_t bytes = policy ? policy->GetReservedHeadroom() : 0;
        most = bytes > (most ? most->GetReservedHeadroom() : 0) ? policy : most;
    }
    const auto describe = [](uint64_t bytes) { return DescribeSize(static_cast<double>(bytes)); };
    return most ? "Headroom: up to " + describe(most->GetReservedHeadroom()) +
                      " of a switch, in parts of up to " + describe(most->GetLargestHeadroom()) +
                      "; " + describe(most->GetSharedSize()) + " are shared.\n"
                : "";
}

/// @return the peak memory usage of this process
double
GetPeakBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024;
}

/// @param growth the factor by which the number of rows will grow
/// @param mostTimes the maximum number of different times in a table
/// @return the memory that a recorder's largest time series occupies while its file is written
double
EstimateTable(const Recorder& recorder, double growth, double mostTimes)
{
    double most = 0;
    for (const Recorder::NamedTable& named : recorder.GetTables())
    {
        const ResultTable table = named.make();
        if (table.rows.empty() || table.columns.front() != "time_ns")
        {
            continue;
        }
        std::set<int64_t> times;
        for (const ResultTable::Row& row : table.rows)
        {
            times.insert(std::get<int64_t>(row.front().Get()));
        }
        const double room = mostTimes / static_cast<double>(times.size());
        const double rows = static_cast<double>(table.rows.size()) * std::min(growth, room);
        const auto cells = static_cast<double>(table.columns.size() * sizeof(ResultCell));
        most = std::max(most, rows * (BYTES_A_ROW + cells));
    }
    return most;
}

/// The number of runs of the program, or nothing if the number is unknown.
std::optional<uint64_t> g_nRuns{1};

} // namespace

void
RunForecast::ExpectRuns(std::optional<uint64_t> runs)
{
    g_nRuns = runs;
}

RunForecast::RunForecast(const ResultsWriter& run, Time end)
    : m_run(run),
      m_end(end),
      m_hops(0)
{
    const Fabric* fabric = run.Get<FlowPlan>()->GetFabric();
    if (fabric && !run.Get<MeasuredNetwork>()->HasOtherNics())
    {
        m_hops = fabric->CountPacketHops(end);
    }
}

RunForecast::Work
RunForecast::Measure() const
{
    return {m_run.Get<MeasuredNetwork>()->CountPacketHops(),
            m_run.Get<FlowPlan>()->CountFinished(),
            m_run.Get<RunCost>()->GetCpuSeconds()};
}

double
RunForecast::EstimateTables(double growth) const
{
    // Queue samples are so few that their memory is negligible.
    return std::max(
        EstimateTable(*m_run.Get<PauseRecorder>(), growth, std::numeric_limits<double>::infinity()),
        EstimateTable(*m_run.Get<SeriesPlan>(), growth, ThroughputRecorder::MAX_WINDOWS));
}

void
RunForecast::Try()
{
    m_run.Get<StallReporter>()->Silence(); // its reports are intended for a complete run
    m_isOver = RunControl::Try(TRIAL, m_end);
    m_before = Measure();
    if (!m_isOver)
    {
        m_isOver = RunControl::Try(TRIAL, Time(0)); // the first call has set the end
    }
    m_after = Measure();
}

std::string
RunForecast::Describe() const
{
    const Fabric* fabric = m_run.Get<FlowPlan>()->GetFabric();
    if (!fabric)
    {
        return DescribeCost();
    }
    const Topology& topology = fabric->GetTopology();
    const std::size_t switches = topology.GetSwitches().size();
    return "Network: " + FormatThings(topology.GetHosts().size(), "host") + ", " +
           FormatCount(switches) + (switches == 1 ? " switch" : " switches") + ", " +
           FormatThings(topology.GetLinks().size(), "link") + ".\n" + DescribeBuffers(*fabric) +
           DescribeFlows() + DescribeCost();
}

std::string
RunForecast::DescribeFlows() const
{
    const std::size_t flows = m_run.Get<FlowPlan>()->CountFlows();
    if (flows == 0)
    {
        return "Flows: none, or such as are not known beforehand.\n";
    }
    double bytes = 0;
    m_run.Get<FlowPlan>()->VisitFlows(
        [&bytes](const FlowSpec& flow) { bytes += static_cast<double>(flow.bytes); });
    return "Flows: " + FormatThings(flows, "flow") + " of " + DescribeSize(bytes) + " in all, " +
           DescribeSize(bytes / static_cast<double>(flows)) + " on average; " +
           (m_hops > 0 ? FormatThings(m_hops, "hop") + " of frames expected.\n"
                       : "hops of frames are not known for flows other than RoCE's.\n");
}

std::string
RunForecast::DescribeCost() const
{
    const NicSignals signals = m_run.Get<SignalRecorder>()->GetTotal();
    const uint64_t again = m_run.Get<FlowPlan>()->CountRetransmissions();
    const double useful = signals.dataSent == 0 ? 1
                                                : 1 - static_cast<double>(again) /
                                                          static_cast<double>(signals.dataSent);
    const double done = useful * static_cast<double>(m_after.hops);
    const double measured = useful * static_cast<double>(m_after.hops - m_before.hops);
    const std::size_t flows = m_run.Get<FlowPlan>()->CountFlows();
    const double peak = GetPeakBytes(); // measured before tables are created
    if (m_isOver)
    {
        return DescribeCost(m_after.cpuSeconds, peak + EstimateTables(1), "tried, it takes ");
    }
    if (m_hops == 0 || measured <= 0)
    {
        return "Cost: not known; " + DescribeSeconds(m_after.cpuSeconds) +
               " of processor time bring it to " + DescribeTime(Simulator::Now()) +
               " of simulated time.";
    }
    const bool areKept = !m_run.Get<FlowGroups>()->IsOn();
    const bool areWritten = areKept && !m_run.Get<RunNotes>()->GetFolder().empty();
    const double left =
        areKept ? static_cast<double>(flows - std::min<uint64_t>(flows, m_after.flows)) : 0;
    const double growth = std::max(1.0, m_hops / done);
    const double secondsPerHop = (m_after.cpuSeconds - m_before.cpuSeconds) / measured;
    const double seconds = m_after.cpuSeconds + secondsPerHop * done * (growth - 1) +
                           (areWritten ? SECONDS_A_ROW * static_cast<double>(flows) : 0);
    return DescribeCost(seconds, peak + BYTES_A_FLOW * left + EstimateTables(growth), "about ") +
           " This is by a trial of its beginning on this machine; it is more if frames are lost "
           "later.";
}

std::string
RunForecast::DescribeCost(double seconds, double bytes, const std::string& basis)
{
    const bool isOne = g_nRuns == 1;
    const std::string what = isOne ? basis
                             : g_nRuns
                                 ? "by the first of " + FormatThings(*g_nRuns, "run") + ", about "
                                 : "of the first of several runs, ";
    return "Cost: " + what + DescribeSeconds(seconds * static_cast<double>(g_nRuns.value_or(1))) +
           " of processor time and " + DescribeSize(bytes) + " of memory.";
}

} // namespace ns3::lossless
