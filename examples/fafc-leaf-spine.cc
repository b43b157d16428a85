// SPDX-License-Identifier: GPL-2.0-only
//
// Flow completion times and incasts in a data center (FAFC, Sec. IV-C, Figs. 6 to 9).
//
// In a leaf-spine network, flows of random sizes start at random times between random hosts, and
// at fixed intervals many hosts send to one host at once. The run ends when all have arrived.
//
//   fafc-leaf-spine --scheme=FAFC --congestion-control=HPCC
//   fafc-leaf-spine --scheme=PFC --buffer-policy=Static --trigger=250000
//
// flows.csv contains the completion times by group, and occupancy.csv how often each length of the
// queues to incast receivers was sampled. Unless --xoff is given, XOFF of PFC is --trigger, too.

#include "ns3/fafc-parameters.h"
#include "ns3/lossless-fabric.h"
#include "ns3/occupancy-recorder.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters, with the paper's values where stated.
struct Options
{
    FafcParameters network;
    LeafSpineOptions clos{12, 6, 24};
    double load{0.3};
    std::string sizes{"hadoop"};
    uint32_t fanIn{60};
    uint64_t fanInBytes{500000};
    double fanInLoad{0.02};
    Time arrivals{MilliSeconds(20)}; ///< period during which flows start; not stated in the paper
    Time samplePeriod{MicroSeconds(5)};
};

void
ReadOptions(Experiment& experiment, Options& o, int argc, char* argv[])
{
    const Range loads = Range::Above(0, 2);
    o.network.xoff = 0;
    o.network.AddOptions(experiment);
    experiment.AddValues({
        {"fabric-rate", "Rate of the links between switches.", o.clos.fabricRate, Range::Above(0)},
        {"leaves", "Leaf switches.", o.clos.leaves, NODE_COUNTS},
        {"spines", "Spine switches.", o.clos.spines, NODE_COUNTS},
        {"hosts-per-leaf", "Hosts at each leaf.", o.clos.hostsPerLeaf, NODE_COUNTS},
        {"load", "Load of the hosts' links by the background, in payload.", o.load, loads},
        {"sizes", "Flow-size table of the background.", o.sizes},
        {"incast-senders", "Senders of an incast; 0: no incasts.", o.fanIn},
        {"incast-bytes",
         "Payload that each sender of an incast sends, in bytes.",
         o.fanInBytes,
         ByteRange{1}},
        {"incast-load", "Load of incasts.", o.fanInLoad, loads},
        {"arrivals", "Period in which flows start.", o.arrivals, Range::Above(0)},
        {"sample-period", "Sampling period of occupancy.csv.", o.samplePeriod, Range::Above(0)},
    });
    experiment.Parse(argc, argv);
    experiment.RequireFit(o.clos.Check(), "the leaf-spine network: ");
    experiment.RequireUse({"incast-bytes", "incast-load"}, o.fanIn > 0, "--incast-senders above 0");
    o.clos.hostRate = o.network.rate;
    o.clos.delay = o.network.delay;
}

FlowList
MakeFlows(const Experiment& experiment, const Topology& topology, const Options& o)
{
    PoissonOptions background;
    background.origin = "--load";
    background.load = o.load;
    background.duration = o.arrivals;
    background.sizes = FlowSizeTable::Get(o.sizes);
    const std::size_t hosts = topology.GetHosts().size();
    experiment.Require(o.fanIn < hosts, "--incast-senders must be less than the number of hosts");
    FanInOptions incasts;
    incasts.origin = "--incast-senders";
    incasts.load = 0; // incasts occur only at fixed times
    const double load = o.fanInLoad * static_cast<double>(hosts * o.network.rate.GetBitRate()) / 8;
    const Time period = Seconds(o.fanIn * static_cast<double>(o.fanInBytes) / load);
    experiment.Require(o.fanIn == 0 || period.IsStrictlyPositive(),
                       "--incast-load needs an incast more often than each nanosecond");
    for (Time start = period / 2; o.fanIn > 0 && start < o.arrivals; start += period)
    {
        incasts.times.push_back(start);
    }
    incasts.minSenders = incasts.maxSenders = o.fanIn;
    incasts.sizes = FlowSizeTable::Fixed(o.fanInBytes);
    incasts.group = "incast";
    return MergeFlows(
        {DrawFlows(topology, {background}), DrawFlows(topology, {incasts}, WORKLOAD_STREAM + 100)});
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "Flow completion times beside incasts (FAFC, Figs. 6 to 9).",
                          "FAFC");
    experiment.OfferCongestionControl("HPCC");
    Options options;
    ReadOptions(experiment, options, argc, argv);

    Fabric fabric(Topology::LeafSpine(options.clos),
                  options.network.MakeSwitches(experiment),
                  experiment.MakeNicFactory());
    fabric.AssignStreams(1);
    fabric.SetBaseRtt(0, fabric.GetNHosts() - 1);
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(MakeFlows(experiment, fabric.GetTopology(), options));
    const auto occupancy = CreateObject<OccupancyRecorder>(fabric, "incast", options.samplePeriod);
    experiment.GetResults().AddRecorder(occupancy, "occupancy");
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    return experiment.Finish();
}
