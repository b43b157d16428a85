// SPDX-License-Identifier: GPL-2.0-only
#include "acceptance-scenarios.h"

namespace ns3::lossless
{

const std::vector<AcceptanceScenario>&
GetAcceptanceScenarios()
{
    static const std::vector<AcceptanceScenario> scenarios = {
        {"incast", RunIncast},
        {"incast-dcqcn", RunIncastWithControl, false, true},
        {"fairness", RunFairness, false, true},
        {"control-frames", RunControlFrames},
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
