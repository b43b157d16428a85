// SPDX-License-Identifier: GPL-2.0-only
//
// Flow completion times and queue lengths in a fat-tree of 256 hosts, with two hosts per uplink of
// an edge switch (OFC, Sec. IV-C2, Figs. 6 to 8).
//
// Flows between random pairs of hosts have Poisson arrivals and sizes from a table. For G-PFC,
// short flows can have their own class.
//
//   ofc-fat-tree --scheme=OFC --sizes=edu1-synthetic
//   ofc-fat-tree --scheme=PFC --buffer-policy=Static --xoff=225000 --xon=135000
//
// flows.csv contains the completion times by group (short and large flows). queue-means.csv
// contains the mean lengths of egress queues over the whole run. The run ends when all flows have
// arrived.

#include "ns3/core-module.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/ofc-parameters.h"
#include "ns3/queue-length-recorder.h"

#include <string>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Size, in bytes, below which a flow is short (Sec. IV-C2).
constexpr uint64_t SHORT_BYTES = 10000;

/// Class of large flows, which is the less important one for G-PFC.
constexpr uint8_t LARGE_CLASS = 0;

/// Parameters, with the paper's values where stated.
struct Options
{
    OfcParameters network;
    FatTreeOptions fatTree{8, 2};
    std::string sizes{"edu1-synthetic"}; ///< flow-size table
    double arrivalRate{2.2e6}; ///< flows per second; 30 % of the hosts' link capacity with EDU1
    uint64_t flows{5000};      ///< total number of flows
    uint8_t shortClass{LARGE_CLASS}; ///< class of short flows
};

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.AddOptions(experiment);
    experiment.AddValues({
        {"k", "Ports of a switch without oversubscription.", o.fatTree.k, FatTreeOptions::PORTS},
        {"oversubscription",
         "Ratio of an edge switch's hosts to its uplinks.",
         o.fatTree.oversubscription},
        {"sizes", "Flow-size table.", o.sizes},
        {"arrival-rate", "Total number of flows per second.", o.arrivalRate, Range{1, 1e9}},
        {"flows", "Total number of flows.", o.flows, Range{1, 1000000}},
        {"short-class",
         "Class of flows below 10 kB; all others have class 0.",
         o.shortClass,
         Range{0, 6}},
    });
}

FlowList
MakeFlows(const Topology& topology, const Options& o)
{
    PoissonOptions options;
    options.origin = "--arrival-rate";
    options.rate = o.arrivalRate;
    options.duration = Time(0);
    options.maxArrivals = o.flows;
    options.sizes = FlowSizeTable::Get(o.sizes);
    FlowList flows = DrawFlows(topology, {options});
    for (FlowSpec& flow : flows)
    {
        const bool isShort = flow.bytes < SHORT_BYTES;
        flow.priority = isShort ? o.shortClass : LARGE_CLASS;
        flow.group = isShort ? "short" : "large";
    }
    return flows;
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(
        __FILE__,
        "Completion times and queue lengths in a fat-tree (OFC, Fig. 6, 7 and 8).",
        "OFC");
    experiment.OfferRanks();
    Options options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    experiment.RequireFit(options.fatTree.Check(), "the fat-tree: ");

    const PrioritySet classes = SetOf(Priority{LARGE_CLASS}) | SetOf(Priority{options.shortClass});
    const OfcParameters& network = options.network;
    Fabric fabric(Topology::FatTree(WithLinks(options.fatTree, network.rate, network.delay)),
                  network.MakeSwitches(experiment, classes),
                  network.MakeNics());
    fabric.AssignStreams(1);
    experiment.GetResults().AddRecorder(CreateObject<QueueLengthRecorder>(), "queue-means");
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(MakeFlows(fabric.GetTopology(), options));
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    return experiment.Finish();
}
