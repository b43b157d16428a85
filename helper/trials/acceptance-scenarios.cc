// SPDX-License-Identifier: GPL-2.0-only
#include "acceptance-scenarios.h"

#include <algorithm>

namespace ns3::lossless
{

const std::vector<AcceptanceScenario>&
GetAcceptanceScenarios()
{
    static const std::vector<AcceptanceScenario> scenarios = {
        {"incast", RunIncast},
        {"incast-dcqcn", RunIncastWithControl, false, true},
        {"fairness", RunFairness, false, true, true, true},
        {"control-frames", RunControlFrames, false, false, false},
        {"watchdog", RunWatchdog},
        {"slow-receiver", RunSlowReceiver},
        {"credits", RunCredits, true},
    };
    return scenarios;
}

bool
IsForScheme(const AcceptanceScenario& scenario, const Experiment& experiment)
{
    return !scenario.needsCredits || experiment.GetScheme().name == "CBFC";
}

void
RequireUsedOptions(const std::vector<AcceptanceScenario>& chosen, const Experiment& experiment)
{
    const auto isAny = [&chosen](bool AcceptanceScenario::*property) {
        return std::any_of(chosen.begin(), chosen.end(), [property](const auto& scenario) {
            return scenario.*property;
        });
    };
    experiment.RequireUse({"senders", "duration"},
                          isAny(&AcceptanceScenario::hasSenders),
                          "a --scenario with congestion");
    experiment.RequireUse({"ecn-reference-rate"},
                          isAny(&AcceptanceScenario::hasControl),
                          "a --scenario with congestion control: incast-dcqcn, fairness or all");
    experiment.RequireUse({"queue-pairs"},
                          isAny(&AcceptanceScenario::hasQueuePairs),
                          "--scenario=fairness, or all");
}

void
RunAcceptance(const AcceptanceScenario& scenario, AcceptanceBench& bench)
{
    if (bench.experiment.IsInterrupted() || !IsForScheme(scenario, bench.experiment))
    {
        return;
    }
    const AcceptanceChecks before = bench.checks;
    bench.checks.Begin(scenario.name);
    scenario.run(bench);
    if (bench.experiment.IsInterrupted())
    {
        bench.checks = before; // an incomplete run has no valid checks
    }
}

} // namespace ns3::lossless
