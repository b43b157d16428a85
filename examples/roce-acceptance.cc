// SPDX-License-Identifier: GPL-2.0-only
//
// Does a switch meet the requirements of a RoCEv2 network? The program runs scenarios modelled on
// SONiC's RoCEv2 test plan and gives a verdict on each check, for any scheme and buffer policy.
//
//   roce-acceptance
//   roce-acceptance --scheme=DSH --output=results/acceptance
//   roce-acceptance --scheme=DSH --junit=acceptance.xml
//   roce-acceptance --ns3::lossless::HeadroomBufferPolicy::HeadroomBytes=2000     frames are lost
//
// The exit status is 1 if any check fails. acceptance.csv lists the checks.

#include "parts/acceptance-checks.h"
#include "parts/acceptance-credits.h"
#include "parts/acceptance-network.h"
#include "parts/acceptance-storms.h"

#include "ns3/core-module.h"
#include "ns3/mac-control-header.h"
#include "ns3/run-forecast.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// The maximum number of PFC frames if congestion control relieves the switch.
constexpr double FEW_FRAMES = 100;

/// The quantity that the fairness check measures.
const std::string DEVIATION = "deviation of a queue pair from the mean / %";

/// Context of a scenario.
struct Bench
{
    Experiment& experiment;
    AcceptanceOptions options;
    AcceptanceChecks checks; ///< list of the checks so far
};

/// Checks that no frame of a lossless class was lost.
void
CheckLossless(const AcceptanceNetwork& network, AcceptanceChecks& checks)
{
    const auto& classes = AcceptanceNetwork::LOSSLESS;
    const uint64_t lost = network.CountLost([&classes](std::optional<Priority> priority) {
        return priority && std::find(classes.begin(), classes.end(), *priority) != classes.end();
    });
    checks.Equal("frames lost of lossless classes", lost, 0);
    checks.Equal("NAKs of lossless classes", network.GetReceiver()->GetCounts().naksSent, 0);
}

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
RunTraffic(AcceptanceNetwork& network, Bench& bench)
{
    network.StartLossless(bench.options.senders, 1, AcceptanceNetwork::LOSSLESS.size());
    network.StartLossy();
    bench.experiment.Run(bench.options.duration);
    CheckLossless(network, bench.checks);
}

/// Tests N:1 traffic at full load with a lossy class and without congestion control.
void
RunIncast(Bench& bench)
{
    AcceptanceNetwork network(bench.experiment, bench.options, "None");
    RunTraffic(network, bench);
    bench.checks.AtLeast("pauses of the lossless class with fewest",
                         LeastOfLossless([&](Priority p) { return network.CountPauses(p); }),
                         1);
    bench.checks.Equal("pauses of the lossy class",
                       network.CountPauses(AcceptanceNetwork::LOSSY),
                       0);
    bench.checks.AtLeast("frames lost of the lossy class",
                         network.CountLost([](std::optional<Priority> priority) {
                             return priority == AcceptanceNetwork::LOSSY;
                         }),
                         1);
    double deviation = 0;
    for (const Priority p :
         {AcceptanceNetwork::LOSSY, AcceptanceNetwork::LOSSLESS[0], AcceptanceNetwork::LOSSLESS[1]})
    {
        deviation = std::max(deviation, std::abs(3 * network.GetLinkShare(p) - 1));
    }
    bench.checks.AtMost("deviation of a class from its share of the link / %", 100 * deviation, 5);
}

/// Tests the traffic of RunIncast() with DCQCN.
void
RunIncastWithControl(Bench& bench)
{
    AcceptanceNetwork network(bench.experiment, bench.options, "DCQCN");
    RunTraffic(network, bench);
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

/// Tests how queue pairs of one class share a link under DCQCN.
void
RunFairness(Bench& bench)
{
    AcceptanceNetwork network(bench.experiment, bench.options, "DCQCN");
    network.StartLossless(bench.options.senders, bench.options.queuePairs, 1);
    bench.experiment.Run(bench.options.duration);

    CheckLossless(network, bench.checks);
    const std::vector<double> bytes = network.GetQueuePairBytes();
    const double mean = std::accumulate(bytes.begin(), bytes.end(), 0.0) / bytes.size();
    double deviation = 0;
    for (const double sent : bytes)
    {
        deviation = std::max(deviation, std::abs(sent - mean));
    }
    bench.checks.AtMost(DEVIATION, 100 * deviation / mean, 30);
    bench.checks.AtMost("PFC frames", network.CountControlFrames(), FEW_FRAMES);
}

/// The bytes of a MAC control frame.
using Bytes = std::vector<uint8_t>;

/// The name of a fault, and the function that introduces it into a PAUSE.
using Fault = std::pair<std::string, std::function<void(Bytes&)>>;

std::vector<Fault>
MakeFaults()
{
    return {
        {"802.3x PAUSE", [](Bytes& b) { b[14] = 0x00; }},
        {"unknown opcode", [](Bytes& b) { b[15] = 0x7f; }},
        {"PFC cut in its vector", [](Bytes& b) { b.resize(17); }},
        {"PFC cut in its times", [](Bytes& b) { b.resize(27); }},
        {"PFC to another group address", [](Bytes& b) { b[5] = 0x00; }},
        {"PFC to all stations", [](Bytes& b) { std::fill_n(b.begin(), 6, 0xff); }},
        {"PFC for no class", [](Bytes& b) { b[17] = 0; }},
        {"PFC for reserved bits of the vector", [](Bytes& b) { std::swap(b[16], b[17]); }},
        {"PFC under another EtherType", [](Bytes& b) { b[13] = 0x09; }},
    };
}

/// @return a PAUSE frame for all lossless classes with the maximum time
Bytes
MakePause()
{
    PfcHeader pfc;
    for (const Priority p : AcceptanceNetwork::LOSSLESS)
    {
        pfc.SetQuanta(p, 0xffff);
    }
    const Ptr<Packet> frame = MakePfcFrame("02:00:00:00:00:01", pfc);
    Bytes bytes(frame->GetSize());
    frame->CopyData(bytes.data(), bytes.size());
    return bytes;
}

/// Effects of control frames.
struct Effects
{
    uint64_t closed{0};  ///< number of gates that closed
    uint64_t counted{0}; ///< number of frames counted as lost
};

/// Sends control frames to a port of the switch and to a host.
/// @param bench the context
/// @param frame the control frame
/// @param count the number of frames sent to each of the two
Effects
SendControl(const Bench& bench, const Bytes& frame, uint32_t count)
{
    AcceptanceNetwork network(bench.experiment, bench.options, "None");
    network.GetSwitch()->Initialize(); // creates the gates of the switch
    Effects effects;
    const Callback<void, PrioritySet> note([&effects](PrioritySet) { ++effects.closed; });
    const auto& fabric = network.GetFabric();
    const uint32_t receiver = network.GetReceiverIndex();
    for (const auto& device : {fabric.GetHostDevice(receiver), network.GetPort(0)})
    {
        device->GetPeer()->Initialize(); // creates the host's gate
        device->GetPeer()->GetGate()->TraceConnectWithoutContext("Closed", note);
        for (uint32_t i = 0; i < count; ++i)
        {
            Simulator::Schedule(bench.options.delay,
                                &LosslessNetDevice::SendControl,
                                device,
                                Create<Packet>(frame.data(), frame.size()));
        }
    }
    // The run is longer than any response time to a PAUSE. The end of the pause does not matter.
    const Time quanta = network.GetPort(0)->GetGate()->QuantaToTime(0xffff);
    bench.experiment.Run(4 * bench.options.delay + 2 * quanta);
    effects.counted = network.CountLost([](std::optional<Priority>) { return true; });
    return effects;
}

/// Tests control frames that must have no effect on a link with priority flow control.
void
RunControlFrames(Bench& bench)
{
    constexpr uint32_t COUNT = 10;
    for (const auto& [name, spoil] : MakeFaults())
    {
        Bytes frame = MakePause();
        spoil(frame);
        const Effects effects = SendControl(bench, frame, COUNT);
        bench.checks.Equal(name + ": gates closed", effects.closed, 0);
        bench.checks.Equal(name + ": frames counted", effects.counted, 2 * COUNT);
    }
    const Effects effects = SendControl(bench, MakePause(), 1);
    bench.checks.Equal("PFC as it should be: gates closed", effects.closed, 2);
    bench.checks.Equal("PFC as it should be: frames counted", effects.counted, 0);
}

/// Name of the scenario for credit-based schemes.
const std::string CREDITS = "credits";

using Scenario = std::pair<std::string, void (*)(Bench&)>;

const std::vector<Scenario> SCENARIOS = {
    {"incast", RunIncast},
    {"incast-dcqcn", RunIncastWithControl},
    {"fairness", RunFairness},
    {"control-frames", RunControlFrames},
    {"watchdog", [](Bench& bench) { RunWatchdog(bench.experiment, bench.options, bench.checks); }},
    {"slow-receiver",
     [](Bench& bench) { RunSlowReceiver(bench.experiment, bench.options, bench.checks); }},
    {CREDITS, [](Bench& bench) { RunCredits(bench.experiment, bench.options, bench.checks); }},
};

/// @param chosen the name of a scenario, or "all"
/// @return the scenarios to run, which include the credit scenario only if links use credits
std::vector<Scenario>
ChooseScenarios(const Experiment& experiment, const std::string& chosen)
{
    const bool hasCredits = HasCredits(experiment);
    experiment.Require(hasCredits || chosen != CREDITS,
                       "--scenario=credits is for links with credits; write --scheme=CBFC");
    std::vector<Scenario> found;
    for (const Scenario& scenario : SCENARIOS)
    {
        if (chosen == scenario.first ||
            (chosen == "all" && (hasCredits || scenario.first != CREDITS)))
        {
            found.push_back(scenario);
        }
    }
    return found;
}

/// Reports failed checks on standard error.
/// @return the exit status, which is not 0 if any check failed
int
TellFailed(const AcceptanceChecks& checks)
{
    if (checks.CountFailed() == 0)
    {
        return 0;
    }
    std::cerr << "roce-acceptance: " << checks.CountFailed() << " of " << checks.Count()
              << " checks failed" << std::endl;
    if (checks.HasFailed(DEVIATION))
    {
        std::cerr
            << "roce-acceptance: --duration may be too short for fairness: DCQCN's rates meet "
               "later with packets above 1kB; 320ms suffice for up to 9kB (doc/acceptance.rst)"
            << std::endl;
    }
    return 1;
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "Does a switch do what a RoCEv2 network needs? (scenarios modelled on "
                          "SONiC's RoCEv2 test plan)",
                          "PFC");
    Bench bench{experiment, {}, {}};
    std::string chosen = "all";
    bench.options.AddOptions(experiment);
    OneOf choices;
    for (const Scenario& scenario : SCENARIOS)
    {
        choices.names.push_back(scenario.first);
    }
    choices.names.emplace_back("all");
    experiment.AddValue("scenario", "What to check; credits means those of CBFC.", chosen, choices);
    experiment.Withdraw({"watchdog", "watchdog-detect", "watchdog-restore", "watchdog-poll"},
                        "the scenario watchdog has watchdogs of its own; their times follow "
                        "--duration");
    experiment.AddOutput("junit", "File for the checks as JUnit XML, which CI systems show");
    experiment.Parse(argc, argv);
    RunForecast::ExpectRuns(std::nullopt);
    for (const Scenario& scenario : ChooseScenarios(experiment, chosen))
    {
        if (!experiment.IsInterrupted())
        {
            const AcceptanceChecks before = bench.checks;
            bench.checks.Begin(scenario.first);
            scenario.second(bench);
            bench.checks = experiment.IsInterrupted()
                               ? before
                               : bench.checks; // an incomplete run has no valid checks
        }
    }
    bench.checks.Print(std::cout);
    if (!experiment.IsInterrupted()) // The file could not show that checks are missing.
    {
        experiment.WriteOutput("junit", [&](std::ostream& os) {
            bench.checks.WriteJunit(os, experiment.GetScheme().name);
        });
    }
    experiment.GetResults().AddTable("acceptance", [&] { return bench.checks.GetTable(); });
    // There is no single run to judge.
    const int status = experiment.FinishUnjudged();
    return status == 0 ? TellFailed(bench.checks) : status;
}
