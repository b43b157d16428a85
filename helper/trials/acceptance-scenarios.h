// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ACCEPTANCE_SCENARIOS_H
#define LOSSLESS_ACCEPTANCE_SCENARIOS_H

#include "acceptance-checks.h"
#include "acceptance-network.h"

#include "ns3/lossless-experiment.h"

#include <string>
#include <vector>

/**
 * @file
 * Scenarios modelled on SONiC's RoCEv2 test plan, which check whether a switch meets the
 * requirements of a RoCEv2 network. doc/acceptance.rst describes them, and shows how a program of a
 * user runs them.
 */

namespace ns3::lossless
{

/// Context of a scenario.
struct AcceptanceBench
{
    Experiment& experiment;    ///< experiment that runs the simulations
    AcceptanceOptions options; ///< parameters of the network
    AcceptanceChecks checks;   ///< checks so far, to which a scenario adds its own
};

/// A test of a switch, which consists of one or more simulations.
struct AcceptanceScenario
{
    std::string name;                    ///< name, such as "incast"
    void (*run)(AcceptanceBench& bench); ///< function that runs the scenario
    bool needsCredits{false};            ///< whether the scenario is for links with credits
    bool hasControl{false};              ///< whether the flows have congestion control
    bool hasSenders{true};               ///< whether senders cause congestion for some time
    bool hasQueuePairs{false};           ///< whether each sender has several queue pairs
};

/// The quantity that the fairness scenario measures.
inline constexpr const char* QUEUE_PAIR_DEVIATION = "deviation of a queue pair from the mean / %";

/// @return all scenarios, in the order in which they are run
const std::vector<AcceptanceScenario>& GetAcceptanceScenarios();

/// @return whether the scenario can test the chosen scheme
bool IsForScheme(const AcceptanceScenario& scenario, const Experiment& experiment);

/// Stops the program if options of AcceptanceOptions were given that the scenarios do not use.
/// @param chosen the scenarios that the program runs
void RequireUsedOptions(const std::vector<AcceptanceScenario>& chosen,
                        const Experiment& experiment);

/// Runs a scenario. Does nothing if the scenario is not for the chosen scheme or if a signal has
/// interrupted an earlier run. If a signal interrupts this scenario, its checks are discarded.
void RunAcceptance(const AcceptanceScenario& scenario, AcceptanceBench& bench);

/// Runs N:1 traffic at full load with a lossy class and without congestion control.
void RunIncast(AcceptanceBench& bench);
/// Runs the traffic of RunIncast() with DCQCN.
void RunIncastWithControl(AcceptanceBench& bench);
/// Checks how queue pairs of one class share a link under DCQCN.
void RunFairness(AcceptanceBench& bench);
/// Sends control frames that must have no effect on a link with priority flow control.
void RunControlFrames(AcceptanceBench& bench);
/// Runs scenarios in which the receiver sends PAUSE frames for one class for a quarter of the time
/// and a PFC watchdog drops or forwards the stuck frames.
void RunWatchdog(AcceptanceBench& bench);
/// Runs a scenario in which the receiver accepts frames at a quarter of its link's rate.
void RunSlowReceiver(AcceptanceBench& bench);
/// Runs N:1 traffic in one class, with a flow of another class over the same link. For part of the
/// run, one sender receives no credit updates.
void RunCredits(AcceptanceBench& bench);

} // namespace ns3::lossless

#endif /* LOSSLESS_ACCEPTANCE_SCENARIOS_H */
