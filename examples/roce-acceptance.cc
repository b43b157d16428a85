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

#include "ns3/acceptance-scenarios.h"
#include "ns3/run-forecast.h"

#include <iostream>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// @param chosen receives the name of a scenario, or "all"
void
AddOptions(Experiment& experiment, AcceptanceOptions& options, std::string& chosen)
{
    options.AddOptions(experiment);
    OneOf choices;
    for (const AcceptanceScenario& scenario : GetAcceptanceScenarios())
    {
        choices.names.push_back(scenario.name);
    }
    choices.names.emplace_back("all");
    experiment.AddValue("scenario", "What to check; credits means those of CBFC.", chosen, choices);
    experiment.Withdraw({"watchdog", "watchdog-detect", "watchdog-restore", "watchdog-poll"},
                        "the scenario watchdog has watchdogs of its own; their times follow "
                        "--duration");
    experiment.JudgesEffect("ecn-reference-rate"); // see RequireUsedOptions()
    experiment.Withdraw({"routing"}, "there is one switch");
    experiment.WithdrawRunOptions(true);
    experiment.AddOutput("junit", "File for the checks as JUnit XML, which CI systems show");
}

/// @param chosen the name of a scenario, or "all"
void
RunChosen(AcceptanceBench& bench, const std::string& chosen)
{
    std::vector<AcceptanceScenario> scenarios;
    for (const AcceptanceScenario& scenario : GetAcceptanceScenarios())
    {
        const bool isChosen = chosen == scenario.name;
        bench.experiment.Require(!isChosen || IsForScheme(scenario, bench.experiment),
                                 "--scenario=" + chosen +
                                     " is for links with credits; write --scheme=CBFC");
        scenarios.insert(scenarios.end(), isChosen || chosen == "all" ? 1 : 0, scenario);
    }
    RequireUsedOptions(scenarios, bench.experiment);
    for (const AcceptanceScenario& scenario : scenarios)
    {
        RunAcceptance(scenario, bench);
    }
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
    if (checks.HasFailed(QUEUE_PAIR_DEVIATION))
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
    AcceptanceBench bench{experiment, {}, {}};
    std::string chosen = "all";
    AddOptions(experiment, bench.options, chosen);
    experiment.Parse(argc, argv);
    RunForecast::ExpectRuns(std::nullopt);
    RunChosen(bench, chosen);
    bench.checks.Print(std::cout);
    if (!experiment.IsInterrupted()) // The file could not show that checks are missing.
    {
        experiment.WriteOutput("junit", [&](std::ostream& os) {
            bench.checks.WriteJunit(os, experiment.GetScheme().name);
        });
    }
    experiment.GetResults().AddTable("acceptance", [&] { return bench.checks.GetTable(); });
    const int status = experiment.FinishUnjudged(); // there is no single run to judge
    return status == 0 ? TellFailed(bench.checks) : status;
}
