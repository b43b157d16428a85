// SPDX-License-Identifier: GPL-2.0-only
#include "acceptance-scenarios.h"

#include "ns3/mac-control-header.h"
#include "ns3/pause-gate.h"
#include "ns3/pause-storm.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/simulator.h"
#include "ns3/slow-receiver.h"
#include "ns3/watchdog-recorder.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace ns3::lossless
{

namespace
{

/// Adds a failed check if the scheme does not support a watchdog.
/// @return whether the scheme supports a watchdog
bool
CanHaveWatchdog(AcceptanceBench& bench)
{
    const AcceptanceNetwork network(bench.experiment, bench.options, "None");
    network.GetSwitch()->Initialize();
    const bool can = network.GetSwitch()->GetShape().lossless != 0 &&
                     DynamicCast<PauseGate>(network.GetPort(0)->GetGate());
    if (!can)
    {
        bench.checks.Equal("ports that PFC pauses, for a watchdog", 0, 1);
    }
    return can;
}

/// @return the number of frames dropped by the switch's watchdogs
uint64_t
CountDroppedByWatchdog(const AcceptanceNetwork& network)
{
    const SwitchNode::Counts& counts = network.GetSwitch()->GetCounts();
    uint64_t frames = 0;
    for (std::size_t reason = 0; reason < GetNumDropReasons(); ++reason)
    {
        frames += IsWatchdogLoss(DropReason(reason)) ? counts.dropped[reason] : 0;
    }
    return frames;
}

/// Lets the receiver send PAUSEs in the second quarter of the run.
void
InstallStorm(const AcceptanceNetwork& network, const AcceptanceOptions& options)
{
    const Time poll = AcceptanceNetwork::GetPollInterval(options.duration);
    auto storm = CreateObject<PauseStorm>();
    // On slow links, half of the maximum pause time exceeds the time for which the watchdog waits
    // for the next PAUSE.
    const Time half = options.rate.CalculateBitsTxTime(UINT16_MAX * PAUSE_QUANTUM_BITS) / 2;
    storm->SetAttribute("Interval", TimeValue(std::min(half, poll / 2)));
    storm->SetStartTime(options.duration / 4);
    storm->SetStopTime(options.duration / 2);
    storm->Install(network.GetFabric().GetHostDevice(network.GetReceiverIndex()));
}

/// Runs a storm with a watchdog.
/// @param action the action of the watchdog
void
RunStorm(AcceptanceBench& bench, const std::string& action)
{
    const auto& options = bench.options;
    auto& checks = bench.checks;
    AcceptanceNetwork network(bench.experiment, options, "None", action);
    WatchdogRecorder recorder;
    recorder.WatchSwitch("s0", network.GetSwitch());
    InstallStorm(network, options);
    const Time poll = AcceptanceNetwork::GetPollInterval(options.duration);
    const Time begin = options.duration / 4;
    // The watchdog acts within 5 intervals.
    network.AddInnocent(AcceptanceNetwork::LOSSLESS[0], {begin + 5 * poll, 2 * begin});
    network.StartLossless(options.senders, 1, 1);
    bench.experiment.Run(options.duration);

    const std::vector<StormRecord> storms = recorder.GetStorms();
    checks.Equal(action + ": storms", storms.size(), 1);
    if (!storms.empty())
    {
        const double detected = ((storms[0].detected - begin) / poll).GetDouble();
        const Time restored = storms[0].restored.value_or(options.duration);
        checks.AtLeast(action + ": intervals until it is detected", detected, 2);
        checks.AtMost(action + ": intervals until it is detected", detected, 4.1);
        checks.AtMost(action + ": intervals until it is restored",
                      ((restored - 2 * begin) / poll).GetDouble(),
                      3.1);
    }
    checks.Equal(action + ": frames lost for want of buffer",
                 network.GetSwitch()->GetCounts().losslessDropped,
                 0);
    checks.Equal(action + ": the watchdog drops frames",
                 CountDroppedByWatchdog(network) > 0 ? 1 : 0,
                 action == "drop" ? 1 : 0);
    checks.AtLeast(action + ": frames of an innocent flow in the storm",
                   network.CountInnocent(),
                   1);
}

} // namespace

void
RunWatchdog(AcceptanceBench& bench)
{
    if (CanHaveWatchdog(bench))
    {
        RunStorm(bench, "drop");
        RunStorm(bench, "forward");
    }
}

void
RunSlowReceiver(AcceptanceBench& bench)
{
    constexpr uint64_t part = 4;
    const auto& options = bench.options;
    if (!CanHaveWatchdog(bench))
    {
        return;
    }
    AcceptanceNetwork network(bench.experiment, options, "None", "drop");
    auto slow = CreateObject<SlowReceiver>();
    slow->SetAttribute("Rate", DataRateValue(DataRate(options.rate.GetBitRate() / part)));
    slow->Install(network.GetFabric().GetHostDevice(network.GetReceiverIndex()));
    const auto& classes = AcceptanceNetwork::LOSSLESS;
    network.StartLossless(options.senders, 1, classes.size());
    bench.experiment.Run(options.duration);

    network.CheckLossless(bench.checks);
    bench.checks.AtLeast("pauses by the receiver", slow->GetPauses(), 1);
    bench.checks.Equal("storms that a watchdog sees",
                       network.GetSwitch()->GetObject<PfcWatchdog>()->CountStorms(),
                       0);
    const double frame = RoceNic::GetFrameBytes(options.payload);
    const double share = network.GetLinkShare(classes[0]) + network.GetLinkShare(classes[1]);
    const double drained = part * share * frame / (frame + WIRE_OVERHEAD_BYTES);
    bench.checks.AtMost("deviation from the receiver's rate / %", 100 * std::abs(drained - 1), 5);
}

} // namespace ns3::lossless
