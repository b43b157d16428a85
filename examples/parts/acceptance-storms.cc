// SPDX-License-Identifier: GPL-2.0-only
#include "acceptance-storms.h"

#include "ns3/core-module.h"
#include "ns3/mac-control-header.h"
#include "ns3/pause-storm.h"
#include "ns3/pfc-watchdog.h"
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

/// @param checks receives a failed check if the scheme does not support a watchdog
/// @return whether the scheme supports a watchdog
bool
CanHaveWatchdog(const Experiment& experiment,
                const AcceptanceOptions& options,
                AcceptanceChecks& checks)
{
    const AcceptanceNetwork network(experiment, options, "None");
    const bool can = network.IsPausedByPfc();
    if (!can)
    {
        checks.Equal("ports that PFC pauses, for a watchdog", 0, 1);
    }
    return can;
}

/// @return the number of frames dropped by the switch's watchdogs
double
CountDropped(const AcceptanceNetwork& network)
{
    const SwitchNode::Counts& counts = network.GetSwitch()->GetCounts();
    uint64_t frames = 0;
    for (std::size_t reason = 0; reason < GetNumDropReasons(); ++reason)
    {
        frames += IsWatchdogLoss(DropReason(reason)) ? counts.dropped[reason] : 0;
    }
    return static_cast<double>(frames);
}

/// Runs a storm with a watchdog.
/// @param action the action of the watchdog
void
RunStorm(Experiment& experiment,
         const AcceptanceOptions& options,
         const std::string& action,
         AcceptanceChecks& checks)
{
    AcceptanceNetwork network(experiment, options, "None", action);
    WatchdogRecorder recorder;
    recorder.WatchSwitch("s0", network.GetSwitch());
    const Time poll = AcceptanceNetwork::GetPollInterval(options.duration);
    auto storm = CreateObject<PauseStorm>();
    // On slow links, half of the maximum pause time exceeds the time for which the watchdog waits
    // for the next PAUSE.
    const Time half = options.rate.CalculateBitsTxTime(UINT16_MAX * PAUSE_QUANTUM_BITS) / 2;
    storm->SetAttribute("Interval", TimeValue(std::min(half, poll / 2)));
    const Time begin = options.duration / 4;
    storm->SetStartTime(begin);
    storm->SetStopTime(2 * begin);
    storm->Install(network.GetFabric().GetHostDevice(network.GetReceiverIndex()));
    network.AddInnocent();
    network.StartLossless(options.senders, 1, 1);
    uint64_t innocent = 0; // number of frames that leave after the watchdog has acted
    const Callback<void, const SwitchItem&> note([&](const SwitchItem& item) {
        const bool isInStorm = Simulator::Now() > begin + 5 * poll && Simulator::Now() < 2 * begin;
        innocent += isInStorm && item.GetEgressQueue() == QueueId{PortId{1}, Priority{3}} ? 1 : 0;
    });
    network.GetSwitch()->TraceConnectWithoutContext("Dequeue", note);
    experiment.Run(options.duration);

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
                 CountDropped(network) > 0 ? 1 : 0,
                 action == "drop" ? 1 : 0);
    checks.AtLeast(action + ": frames of an innocent flow in the storm", innocent, 1);
}

} // namespace

void
RunWatchdog(Experiment& experiment, const AcceptanceOptions& options, AcceptanceChecks& checks)
{
    if (CanHaveWatchdog(experiment, options, checks))
    {
        RunStorm(experiment, options, "drop", checks);
        RunStorm(experiment, options, "forward", checks);
    }
}

void
RunSlowReceiver(Experiment& experiment, const AcceptanceOptions& options, AcceptanceChecks& checks)
{
    constexpr uint64_t part = 4;
    if (!CanHaveWatchdog(experiment, options, checks))
    {
        return;
    }
    AcceptanceNetwork network(experiment, options, "None", "drop");
    auto slow = CreateObject<SlowReceiver>();
    slow->SetAttribute("Rate", DataRateValue(DataRate(options.rate.GetBitRate() / part)));
    slow->Install(network.GetFabric().GetHostDevice(network.GetReceiverIndex()));
    const auto& classes = AcceptanceNetwork::LOSSLESS;
    network.StartLossless(options.senders, 1, classes.size());
    experiment.Run(options.duration);

    checks.Equal("frames lost of lossless classes",
                 network.GetSwitch()->GetCounts().losslessDropped,
                 0);
    checks.Equal("NAKs of lossless classes", network.GetReceiver()->GetCounts().naksSent, 0);
    checks.AtLeast("pauses by the receiver", slow->GetPauses(), 1);
    checks.Equal("storms that a watchdog sees",
                 network.GetSwitch()->GetObject<PfcWatchdog>()->CountStorms(),
                 0);
    const double frame = RoceNic::GetFrameBytes(options.payload);
    const double share = network.GetLinkShare(classes[0]) + network.GetLinkShare(classes[1]);
    const double drained = part * share * frame / (frame + WIRE_OVERHEAD_BYTES);
    checks.AtMost("deviation from the receiver's rate / %", 100 * std::abs(drained - 1), 5);
}

} // namespace ns3::lossless
