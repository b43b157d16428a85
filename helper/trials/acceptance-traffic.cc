// SPDX-License-Identifier: GPL-2.0-only
#include "acceptance-scenarios.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace ns3::lossless
{

namespace
{

/// The maximum number of PFC frames if congestion control relieves the switch.
constexpr double FEW_FRAMES = 100;

/// @param of a function that takes a class
/// @return the minimum of the function over all lossless classes
double
LeastOfLossless(const std::function<uint64_t(Priority)>& of)
{
    return static_cast<double>(
        std::min(of(AcceptanceNetwork::LOSSLESS[0]), of(AcceptanceNetwork::LOSSLESS[1])));
}

/// Runs N:1 traffic at full load in lossless classes and in a lossy class.
void
RunMixedTraffic(AcceptanceNetwork& network, AcceptanceBench& bench)
{
    network.StartLossless(bench.options.senders, 1, AcceptanceNetwork::LOSSLESS.size());
    network.StartLossy();
    bench.experiment.Run(bench.options.duration);
    network.CheckLossless(bench.checks);
}

} // namespace

void
RunIncast(AcceptanceBench& bench)
{
    constexpr Priority LOSSY = AcceptanceNetwork::LOSSY;
    AcceptanceNetwork network(bench.experiment, bench.options, "None");
    RunMixedTraffic(network, bench);
    bench.checks.AtLeast("pauses of the lossless class with fewest",
                         LeastOfLossless([&](Priority p) { return network.CountPauses(p); }),
                         1);
    bench.checks.Equal("pauses of the lossy class", network.CountPauses(LOSSY), 0);
    bench.checks.AtLeast("frames lost of the lossy class", network.CountLost(SetOf(LOSSY)), 1);
    double deviation = 0;
    for (const Priority p : {LOSSY, AcceptanceNetwork::LOSSLESS[0], AcceptanceNetwork::LOSSLESS[1]})
    {
        deviation = std::max(deviation, std::abs(3 * network.GetLinkShare(p) - 1));
    }
    bench.checks.AtMost("deviation of a class from its share of the link / %", 100 * deviation, 5);
}

void
RunIncastWithControl(AcceptanceBench& bench)
{
    AcceptanceNetwork network(bench.experiment, bench.options, "DCQCN");
    RunMixedTraffic(network, bench);
    bench.checks.AtLeast("marked frames of the lossless class with fewest",
                         LeastOfLossless([&](Priority p) { return network.CountMarked(p); }),
                         1);
    bench.checks.AtLeast("CNPs to the lossless sender with fewest",
                         network.GetFewestNotifications(),
                         1);
    bench.checks.AtMost("PFC frames", network.CountControlFrames(), FEW_FRAMES);
    bench.checks.Equal("pauses of the lossy class",
                       network.CountPauses(AcceptanceNetwork::LOSSY),
                       0);
}

void
RunFairness(AcceptanceBench& bench)
{
    AcceptanceNetwork network(bench.experiment, bench.options, "DCQCN");
    network.StartLossless(bench.options.senders, bench.options.queuePairs, 1);
    bench.experiment.Run(bench.options.duration);

    network.CheckLossless(bench.checks);
    const std::vector<double> bytes = network.GetQueuePairBytes();
    const double mean = std::accumulate(bytes.begin(), bytes.end(), 0.0) / bytes.size();
    double deviation = 0;
    for (const double sent : bytes)
    {
        deviation = std::max(deviation, std::abs(sent - mean));
    }
    bench.checks.AtMost(QUEUE_PAIR_DEVIATION, 100 * deviation / mean, 30);
    bench.checks.AtMost("PFC frames", network.CountControlFrames(), FEW_FRAMES);
}

} // namespace ns3::lossless
