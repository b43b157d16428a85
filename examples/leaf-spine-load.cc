// SPDX-License-Identifier: GPL-2.0-only
//
// Flow completion times in a data center under load (DSH, Sec. III-B, V-B, Figs. 5, 6, 14, 15).
//
// A leaf-spine network or a fat-tree carries two kinds of traffic, both with Poisson arrivals.
// Background flows run between random pairs of hosts, with sizes from a workload, each in a random
// class other than 0. In fan-in events, 16 hosts of other racks simultaneously send 64 KiB each to
// one host, in class 0. With --classes=one, all flows are in class 0. Loads are fractions of the
// hosts' link capacity and count data frames on the wire, without acknowledgements and telemetry
// (4 % for HPCC and PowerTCP), so the flows are the same for all congestion control algorithms.
//
//   leaf-spine-load --scheme=DSH --congestion-control=DCQCN --background-load=0.5
//   leaf-spine-load --leaves=8 --spines=8 --hosts-per-leaf=8 --classes=one
//   leaf-spine-load --topology=fat-tree --k=16 --sizes=cache --arrivals=1ms
//
// The default is the paper's network of 256 hosts. Switches of any size reserve headroom as the
// paper's chip with 32 ports does (--reference-ports). flows.csv contains the completion times by
// group. The run ends when all flows have arrived.

#include "ns3/core-module.h"
#include "ns3/dsh-parameters.h"
#include "ns3/headroom-peak-recorder.h"
#include "ns3/lossless-fabric.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters, with the paper's values where stated.
struct Options
{
    DshParameters network{7, DshParameters::CHIP_PORTS};
    std::string topology{"leaf-spine"};
    LeafSpineOptions leafSpine;
    FatTreeOptions fatTree{16};
    DshTraffic traffic;
    bool headroomPeaks{false};
};

void
ReadOptions(Experiment& experiment, Options& o, int argc, char* argv[])
{
    experiment.AddValues({
        {"topology", "Topology.", o.topology, OneOf{{"leaf-spine", "fat-tree"}}},
        {"leaves", "Leaf-spine: leaf switches.", o.leafSpine.leaves, NODE_COUNTS},
        {"spines", "Leaf-spine: spine switches.", o.leafSpine.spines, NODE_COUNTS},
        {"hosts-per-leaf",
         "Leaf-spine: hosts at each leaf.",
         o.leafSpine.hostsPerLeaf,
         NODE_COUNTS},
        {"k", "Fat-tree: ports of a switch.", o.fatTree.k, FatTreeOptions::PORTS},
        {"load",
         "Load of all traffic, in data frames on the wire.",
         o.traffic.load,
         Range::Above(0, 2)},
        {"background-load",
         "Load of the background; the rest of --load is incast.",
         o.traffic.backgroundLoad,
         Range::Above(0)},
        {"sizes", "Flow-size table of the background.", o.traffic.sizes},
        {"incast-senders", "Senders of an incast.", o.traffic.fanIn, Range{1}},
        {"incast-bytes",
         "Payload that each sender of an incast sends, in bytes.",
         o.traffic.fanInBytes,
         ByteRange{1}},
        {"classes",
         "Incasts in class 0 and the background in the others, as in the paper, or all flows in "
         "class 0, as in public traffic generators.",
         o.traffic.classes,
         OneOf{{"apart", "one"}}},
        {"arrivals", "Period in which flows start.", o.traffic.arrivals, Range::Above(0)},
        {"headroom-peaks", "Count local maxima of each port's headroom in use.", o.headroomPeaks},
    });
    experiment.Parse(argc, argv);
    const bool isFatTree = o.topology == "fat-tree";
    experiment.RequireUse({"k"}, isFatTree, "--topology=fat-tree");
    experiment.RequireUse({"leaves", "spines", "hosts-per-leaf"},
                          !isFatTree,
                          "--topology=leaf-spine");
    experiment.RequireFit(isFatTree ? o.fatTree.Check() : o.leafSpine.Check(),
                          "--topology=" + o.topology + ": ");
    o.traffic.Check(experiment);
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__, "Flow completion times under load (DSH, Fig. 5, 6, 14, 15)");
    experiment.OfferCongestionControl("DCQCN");
    experiment.OfferRanks();
    Options options;
    options.network.AddOptions(experiment);
    ReadOptions(experiment, options, argc, argv);

    const auto& [rate, delay] = std::tie(options.network.rate, options.network.delay);
    Fabric fabric(options.topology == "fat-tree"
                      ? Topology::FatTree(WithLinks(options.fatTree, rate, delay))
                      : Topology::LeafSpine(WithLinks(options.leafSpine, rate, delay)),
                  options.network.MakeSwitches(experiment),
                  experiment.MakeNicFactory());
    fabric.AssignStreams(1);
    fabric.SetBaseRtt(0, fabric.GetNHosts() - 1);
    if (options.headroomPeaks)
    {
        experiment.GetResults().AddRecorder(CreateObject<HeadroomPeakRecorder>(), "headroom-peaks");
    }
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(options.traffic.MakeFlows(fabric.GetTopology(), options.network));
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    return experiment.Finish();
}
