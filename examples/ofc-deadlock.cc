// SPDX-License-Identifier: GPL-2.0-only
//
// How often do four flows whose paths form a cyclic dependency deadlock? (OFC, Fig. 9)
//
//      spine0      spine1         Links spine0-leaf3 and spine1-leaf0 have failed. Pinned paths:
//      / |  \      /  |  \        f1 leaf0 spine0 leaf1 spine1 leaf3, f2 leaf1 spine1 leaf2,
//   leaf0 leaf1 leaf2  leaf3      f3 leaf3 spine1 leaf2 spine0 leaf0, f4 leaf2 spine0 leaf1.
//
// In each run, several hundred flows are distributed over the four paths according to random
// weights. They start within one millisecond, and the 16 hosts of a leaf send them in turn. A run
// ends when all flows have arrived or when a deadlock is detected, that is, when each queue of a
// cycle holds frames and none of them can be sent.
//
//   ofc-deadlock --scheme=OFC --flows=400 --runs=100
//   ofc-deadlock --scheme=PFC --buffer-policy=Static --output=results/pfc
//
// runs.csv contains the result of each run.

#include "parts/ofc-network.h"

#include "ns3/core-module.h"
#include "ns3/deadlock-detector.h"
#include "ns3/lossless-fabric.h"
#include "ns3/run-forecast.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <utility>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters, with the paper's values where stated.
struct Options
{
    OfcParameters network;
    uint32_t flows{400};   ///< number of flows per run
    uint64_t bytes{23000}; ///< bytes per flow on the wire; calibrated, not stated in the paper
    uint32_t hostsPerLeaf{16};
    uint32_t classes{1};          ///< number of classes that the flows use in turn; 2 for G-PFC
    Time window{MilliSeconds(1)}; ///< interval in which flows start
    Time limit{MilliSeconds(50)}; ///< maximum duration of a run
    uint32_t runs{100};
};

/// First and last leaf of the paths f1 to f4.
constexpr std::array<std::pair<uint32_t, uint32_t>, 4> PATHS{{{0, 3}, {1, 2}, {3, 0}, {2, 1}}};

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.AddOptions(experiment);
    experiment.AddValues({
        {"flows", "Number of flows per run.", o.flows, Range{1, 100000}},
        {"bytes", "Size of each flow on the wire, in bytes.", o.bytes, ByteRange{1}},
        {"hosts-per-leaf", "Hosts at each leaf.", o.hostsPerLeaf, Range{1, 64}},
        {"classes", "Number of classes, which the flows use in turn.", o.classes, Range{1, 7}},
        {"window", "Period in which flows start.", o.window, Range{0}},
        {"stop", "Longest duration of a run.", o.limit, Range::Above(0)},
        {"runs", "Number of runs.", o.runs, Range{1, 1000000}},
    });
    experiment.SetsAttribute("classes", "SwitchNode::LosslessClasses");
}

/// @return the network with its two failed links
Topology
MakeTopology(const Options& o)
{
    const LeafSpineOptions leafSpine{4, 2, o.hostsPerLeaf};
    Topology topology = Topology::LeafSpine(WithLinks(leafSpine, o.network.rate, o.network.delay));
    topology.FailLink("spine0", "leaf3");
    topology.FailLink("spine1", "leaf0");
    return topology;
}

/// @return flows that are distributed over the paths according to random weights
FlowList
MakeFlows(const Options& o, int64_t stream)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    // Cumulative weights up to 1, drawn uniformly from all combinations.
    std::array<double, PATHS.size()> weights{};
    std::generate(weights.begin(), weights.end() - 1, [&] { return random->GetValue(0, 1); });
    weights.back() = 1;
    std::sort(weights.begin(), weights.end());
    std::array<uint32_t, PATHS.size()> counts{};
    FlowList flows;
    for (uint32_t i = 0; i < o.flows; ++i)
    {
        const auto chosen =
            std::upper_bound(weights.begin(), weights.end() - 1, random->GetValue(0, 1));
        const auto index = static_cast<std::size_t>(chosen - weights.begin());
        const uint32_t turn = counts[index]++ % o.hostsPerLeaf;
        flows.push_back({i,
                         PATHS[index].first * o.hostsPerLeaf + turn,
                         PATHS[index].second * o.hostsPerLeaf + turn,
                         static_cast<uint8_t>(i % o.classes),
                         OfcParameters::GetPayload(o.bytes),
                         o.window * random->GetValue(0, 1),
                         "f" + std::to_string(index + 1)});
    }
    SortByStart(flows);
    return flows;
}

/// Simulates a run and adds its result to the table, unless the run is interrupted.
/// @return whether there was a deadlock
bool
RunOnce(Experiment& experiment, const Options& o, uint32_t run, ResultTable& table)
{
    constexpr int64_t STREAMS = 1000000; // number of random streams per run
    const auto classes = static_cast<PrioritySet>((1U << o.classes) - 1);
    Fabric fabric(MakeTopology(o),
                  o.network.MakeSwitches(experiment, classes),
                  o.network.MakeNics());
    fabric.AssignStreams(run * STREAMS + 1);
    for (uint32_t i = 0; i < o.hostsPerLeaf; ++i)
    {
        fabric.PinRoute("spine0", 3 * o.hostsPerLeaf + i, "leaf1");
        fabric.PinRoute("leaf1", 2 * o.hostsPerLeaf + i, "spine1");
        fabric.PinRoute("spine1", 0 * o.hostsPerLeaf + i, "leaf2");
        fabric.PinRoute("leaf2", 1 * o.hostsPerLeaf + i, "spine0");
    }
    ResultsWriter results(""); // records and judges this run
    results.Get<DeadlockDetector>()->SetAttribute("StopOnDeadlock", BooleanValue(true));
    results.AddFabric(fabric);
    fabric.StartFlows(MakeFlows(o, run * STREAMS));
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
    experiment.Parse(argc, argv);
    RunForecast::ExpectRuns(options.runs);
    options.network.Check(experiment);

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
