// SPDX-License-Identifier: GPL-2.0-only
//
// Flow completion times in a data center under load (DSH, Sec. III-B and V-B, Fig. 5, 6, 14, 15).
//
// A leaf-spine network or a fat-tree carries two kinds of traffic, both with Poisson arrivals.
// Background flows run between random pairs of hosts, with sizes from a workload, each in a random
// class from 1 on. In fan-in events, 16 hosts of other racks simultaneously send 64 KiB each to one
// host, in class 0. With --classes=one, all flows are in class 0. Loads are fractions of the hosts'
// link capacity and count data frames on the wire, without acknowledgements and telemetry (4% for
// HPCC and PowerTCP), so the flows are the same for all congestion control algorithms.
//
//   leaf-spine-load --scheme=DSH --congestion-control=DCQCN --background-load=0.5
//   leaf-spine-load --leaves=8 --spines=8 --hosts-per-leaf=8 --classes=one
//   leaf-spine-load --topology=fat-tree --k=16 --sizes=cache --arrivals=1ms
//
// The default is the paper's network of 256 hosts. Switches of any size reserve headroom like the
// paper's chip of 32 ports (--reference-ports). flows.csv contains the completion times by group.
// The run ends when all flows have arrived.

#include "parts/dsh-network.h"

#include "ns3/core-module.h"
#include "ns3/headroom-buffer-policy.h"
#include "ns3/headroom-peak-recorder.h"
#include "ns3/lossless-fabric.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters, with the paper's values where stated.
struct Options
{
    DshParameters network;
    std::string topology{"leaf-spine"}; ///< kind of network, leaf-spine or fat-tree
    LeafSpineOptions leafSpine;
    FatTreeOptions fatTree{16};
    double load{0.9};                ///< total load of both kinds of traffic
    double backgroundLoad{0.8};      ///< load of the background flows
    std::string sizes{"websearch"};  ///< flow-size table of the background flows
    uint32_t fanIn{16};              ///< number of senders of a fan-in event
    uint64_t fanInBytes{65536};      ///< number of bytes per sender of a fan-in event
    std::string classes{"apart"};    ///< classes of fan-in and background traffic, "apart" or "one"
    Time arrivals{MilliSeconds(10)}; ///< latest start of a flow
    bool headroomPeaks{false};       ///< whether to write headroom-peaks.csv
};

constexpr uint8_t FAN_IN_CLASS = 0;

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.AddOptions(experiment);
    experiment.AddValue("topology", "Topology: leaf-spine or fat-tree.", o.topology);
    experiment.AddValue("leaves", "Leaf-spine: leaf switches.", o.leafSpine.leaves);
    experiment.AddValue("spines", "Leaf-spine: spine switches.", o.leafSpine.spines);
    experiment.AddValue("hosts-per-leaf",
                        "Leaf-spine: hosts at each leaf.",
                        o.leafSpine.hostsPerLeaf);
    experiment.AddValue("k", "Fat-tree: ports of a switch.", o.fatTree.k);
    experiment.AddValue("load",
                        "Load of all traffic, in data frames on the wire.",
                        o.load,
                        Range::Above(0, 2));
    experiment.AddValue("background-load",
                        "Load of the background; the rest of --load is fan-in.",
                        o.backgroundLoad,
                        Range::Above(0));
    experiment.AddValue("sizes", "Flow-size table of the background.", o.sizes);
    experiment.AddValue("incast-senders", "Senders of a fan-in event.", o.fanIn);
    experiment.AddValue("incast-bytes",
                        "Payload that each of them sends, in bytes.",
                        o.fanInBytes,
                        ByteRange{1});
    experiment.AddValue("classes",
                        "Classes: apart (fan-in in class 0, background in the others, as the paper "
                        "says) or one (all in class 0, as in public traffic generators).",
                        o.classes);
    experiment.AddValue("arrivals", "Time in which flows start.", o.arrivals, Range::Above(0));
    experiment.AddValue("headroom-peaks",
                        "Count local maxima of the headroom in use of each port.",
                        o.headroomPeaks);
}

void
CheckOptions(const Experiment& experiment, const Options& o)
{
    experiment.Require(o.topology == "leaf-spine" || o.topology == "fat-tree",
                       "--topology must be leaf-spine or fat-tree");
    experiment.Require(o.classes == "apart" || o.classes == "one",
                       "--classes must be apart or one");
    const bool isFatTree = o.topology == "fat-tree";
    experiment.RequireUse({"k"}, isFatTree, "--topology=fat-tree");
    experiment.RequireUse({"leaves", "spines", "hosts-per-leaf"},
                          !isFatTree,
                          "--topology=leaf-spine");
    const auto misfit = isFatTree ? o.fatTree.Check() : o.leafSpine.Check();
    experiment.Require(!misfit, misfit.value_or(""));
    experiment.Require(o.backgroundLoad <= o.load, "--background-load must be at most --load");
    experiment.RequireUse({"incast-senders", "incast-bytes"},
                          o.backgroundLoad < o.load,
                          "a --load above --background-load");
    const auto unknown = FlowSizeTable::CheckName(o.sizes);
    experiment.Require(!unknown, "--sizes: " + unknown.value_or(""));
}

Topology
MakeTopology(Options o)
{
    o.leafSpine.hostRate = o.leafSpine.fabricRate = o.network.rate;
    o.fatTree.hostRate = o.fatTree.fabricRate = o.network.rate;
    o.leafSpine.delay = o.fatTree.delay = o.network.delay;
    return o.topology == "fat-tree" ? Topology::FatTree(o.fatTree)
                                    : Topology::LeafSpine(o.leafSpine);
}

PoissonOptions
GetBackground(const Options& o)
{
    PoissonOptions background;
    background.load = o.backgroundLoad;
    background.overheadFactor = o.network.GetOverheadFactor();
    background.duration = o.arrivals;
    background.sizes = FlowSizeTable::Get(o.sizes);
    background.priorities = o.classes == "one" ? std::vector<uint8_t>{FAN_IN_CLASS}
                                               : o.network.GetClasses(FAN_IN_CLASS + 1);
    return background;
}

/// @param o the options, with a fan-in load above 0
FanInOptions
GetFanIn(const Options& o)
{
    FanInOptions fanIn;
    fanIn.load = o.load - o.backgroundLoad;
    fanIn.overheadFactor = o.network.GetOverheadFactor();
    fanIn.duration = o.arrivals;
    fanIn.minSenders = fanIn.maxSenders = o.fanIn;
    fanIn.sizes = FlowSizeTable::Fixed(o.fanInBytes);
    fanIn.otherRacks = true;
    fanIn.priorities = {FAN_IN_CLASS};
    return fanIn;
}

FlowList
MakeFlows(const Topology& topology, const Options& o)
{
    PoissonWorkload background(topology, GetBackground(o));
    int64_t stream = WORKLOAD_STREAM;
    stream += background.AssignStreams(stream);
    std::vector<FlowList> lists{background.Generate()};
    if (o.load > o.backgroundLoad)
    {
        FanInWorkload fanIn(topology, GetFanIn(o));
        fanIn.AssignStreams(stream);
        lists.push_back(fanIn.Generate());
    }
    return MergeFlows(lists);
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "Flow completion times in a data center under load "
                          "(DSH, Fig. 5, 6, 14, 15)");
    experiment.OfferCongestionControl("DCQCN");
    experiment.OfferRanks();
    Options options;
    options.network.referencePorts = DshParameters::CHIP_PORTS;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    CheckOptions(experiment, options);

    Fabric fabric(MakeTopology(options),
                  options.network.MakeSwitches(experiment),
                  options.network.MakeNics(experiment));
    fabric.AssignStreams(1);
    fabric.SetBaseRtt(0, fabric.GetNHosts() - 1);
    if (options.headroomPeaks)
    {
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            experiment.Require(
                DynamicCast<HeadroomBufferPolicy>(fabric.GetSwitch(i)->GetBufferPolicy()) !=
                    nullptr,
                "--headroom-peaks needs a buffer policy with headroom, as that of --scheme=SIH or "
                "--scheme=DSH");
        }
        experiment.GetResults().AddRecorder(CreateObject<HeadroomPeakRecorder>(), "headroom-peaks");
    }
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(MakeFlows(fabric.GetTopology(), options));
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    return experiment.Finish();
}
