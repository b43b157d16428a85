// SPDX-License-Identifier: GPL-2.0-only
//
// How often do four flows whose paths form a cyclic dependency deadlock? (OFC, Fig. 9)
//
// In each run, several hundred flows are distributed over the four paths according to random
// weights. They start within one millisecond. OfcCircle describes the network and the paths. A run
// ends when all flows have arrived or when a deadlock is detected, that is, when each queue of a
// cycle holds frames and none of them can be sent.
//
//   ofc-deadlock --scheme=OFC --flows=400 --runs=100
//   ofc-deadlock --scheme=PFC --buffer-policy=Static --output=results/pfc
//
// runs.csv contains the result of each run.

#include "ns3/core-module.h"
#include "ns3/deadlock-detector.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/ofc-parameters.h"
#include "ns3/run-forecast.h"

#include <iostream>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters, with the paper's values where stated.
struct Options
{
    OfcCircle circle;
    Time limit{MilliSeconds(50)}; ///< maximum duration of a run
    uint32_t runs{100};
};

void
AddOptions(Experiment& experiment, Options& o)
{
    o.circle.AddOptions(experiment);
    experiment.AddValues({
        {"flows", "Number of flows per run.", o.circle.flows, Range{1, 100000}},
        {"bytes", "Size of each flow on the wire, in bytes.", o.circle.bytes, ByteRange{1}},
        {"hosts-per-leaf", "Hosts at each leaf.", o.circle.hostsPerLeaf, Range{1, 64}},
        {"classes",
         "Number of classes, which the flows use in turn.",
         o.circle.classes,
         Range{1, 7}},
        {"window", "Period in which flows start.", o.circle.window, Range{0}},
        {"stop", "Longest duration of a run.", o.limit, Range::Above(0)},
        {"runs", "Number of runs.", o.runs, Range{1, 1000000}},
    });
    experiment.SetsAttribute("classes", "SwitchNode::LosslessClasses");
}

/// Simulates a run and adds its result to the table, unless the run is interrupted.
/// @return whether there was a deadlock
bool
RunOnce(Experiment& experiment, const Options& o, uint32_t run, ResultTable& table)
{
    constexpr int64_t STREAMS = 1000000; // number of random streams per run
    const auto classes = static_cast<PrioritySet>((1U << o.circle.classes) - 1);
    Fabric fabric(o.circle.MakeTopology(),
                  o.circle.MakeSwitches(experiment, classes),
                  o.circle.MakeNics());
    fabric.AssignStreams(run * STREAMS + 1);
    o.circle.PinPaths(fabric);
    ResultsWriter results(""); // records and judges this run
    results.Get<DeadlockDetector>()->SetAttribute("StopOnDeadlock", BooleanValue(true));
    results.AddFabric(fabric);
    fabric.StartFlows(o.circle.MakeFlows(run * STREAMS));
    fabric.StopWhenFlowsAreDone(o.limit);
    experiment.Run();
    const RunVerdict verdict = results.GetVerdict();
    Simulator::Destroy();
    if (experiment.IsInterrupted())
    {
        return false;
    }
    ResultTable::Row& row = table.rows.emplace_back();
    row.emplace_back(run);
    row.emplace_back(verdict.deadlock ? 1 : 0);
    row.emplace_back(verdict.deadlock.value_or(Time(0)));
    row.emplace_back(verdict.unfinishedFlows);
    return verdict.deadlock.has_value();
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "How often do paths with a circular dependency deadlock? (OFC, Fig. 9)",
                          "OFC");
    Options options;
    AddOptions(experiment, options);
    experiment.WithdrawRunOptions(true);
    experiment.Parse(argc, argv);
    RunForecast::ExpectRuns(options.runs);

    auto table = ResultTable::WithHeader("run,deadlock,onset_ns,unfinished");
    uint32_t locked = 0;
    for (uint32_t run = 1; run <= options.runs && !experiment.IsInterrupted(); ++run)
    {
        locked += RunOnce(experiment, options, run, table) ? 1 : 0;
    }
    std::cout << locked << " of " << table.rows.size() << " runs lock" << std::endl;
    experiment.GetResults().AddTable("runs", [&] { return table; });
    // There is no single run to judge.
    return experiment.FinishUnjudged();
}
