// SPDX-License-Identifier: GPL-2.0-only
//
// Flow completion times and incasts in a data center (FAFC, Sec. IV-C, Figs. 6 to 9).
//
// In a leaf-spine network, flows between random pairs of hosts arrive at random times, with sizes
// from a workload. In addition, many hosts send to one host simultaneously at fixed intervals. All
// flows are in one class.
//
//   fafc-leaf-spine --scheme=FAFC --congestion-control=HPCC
//   fafc-leaf-spine --scheme=PFC --buffer-policy=Static --trigger=250000
//   fafc-leaf-spine --sizes=grpc --congestion-control=DCTCP --arrivals=2ms
//
// --trigger sets the pause threshold of FAFC and, without --xoff, the XOFF threshold of PFC, as in
// the paper. flows.csv contains the completion times by group; occupancy.csv contains the
// distribution of the sampled lengths of the queues to incast receivers. The run ends when all
// flows have arrived.

#include "parts/fafc-network.h"
#include "parts/occupancy-sampler.h"

#include "ns3/core-module.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters, with the paper's values where stated.
struct Options
{
    FafcParameters network;
    LeafSpineOptions leafSpine{12, 6, 24};
    double load{0.3};
    std::string sizes{"hadoop"};
    uint32_t fanIn{60};
    uint64_t fanInBytes{500000};
    double fanInLoad{0.02};
    Time arrivals{MilliSeconds(20)}; ///< period during which flows start; not stated in the paper
    Time samplePeriod{MicroSeconds(5)};
};

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.xoff = 0;
    o.network.AddOptions(experiment);
    experiment.AddValues({
        {"fabric-rate",
         "Rate of the links between switches.",
         o.leafSpine.fabricRate,
         Range::Above(0)},
        {"leaves", "Leaf switches.", o.leafSpine.leaves},
        {"spines", "Spine switches.", o.leafSpine.spines},
        {"hosts-per-leaf", "Hosts at each leaf.", o.leafSpine.hostsPerLeaf},
        {"load",
         "Load of the hosts' links by the background, in payload.",
         o.load,
         Range::Above(0, 2)},
        {"sizes", "Flow-size table of the background.", o.sizes},
        {"incast-senders", "Senders of an incast; 0: no incasts.", o.fanIn},
        {"incast-bytes",
         "Payload that each sender of an incast sends, in bytes.",
         o.fanInBytes,
         ByteRange{1}},
        {"incast-load", "Load of incasts.", o.fanInLoad, Range::Above(0, 2)},
        {"arrivals", "Period in which flows start.", o.arrivals, Range::Above(0)},
        {"sample-period", "Sampling period of occupancy.csv.", o.samplePeriod, Range::Above(0)},
    });
}

FlowList
MakeFlows(const Experiment& experiment, const Topology& topology, const Options& o)
{
    PoissonOptions background;
    background.load = o.load;
    background.duration = o.arrivals;
    background.sizes = FlowSizeTable::Get(o.sizes);
    FanInOptions incasts;
    incasts.load = 0; // incasts occur only at fixed times
    const uint64_t rate = topology.GetHosts().size() * o.network.rate.GetBitRate();
    const double load = o.fanInLoad * static_cast<double>(rate) / 8;
    const Time period = Seconds(o.fanIn * static_cast<double>(o.fanInBytes) / load);
    experiment.Require(o.fanIn == 0 || period.IsStrictlyPositive(),
                       "--incast-senders times --incast-bytes are so few that for --incast-load "
                       "there would be an incast more often than each nanosecond");
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
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    options.network.Check(experiment);
    experiment.RequireFit(options.leafSpine.Check(), "the leaf-spine network: ");
    experiment.RequireUse({"incast-bytes", "incast-load"},
                          options.fanIn > 0,
                          "--incast-senders above 0");

    options.leafSpine.hostRate = options.network.rate;
    options.leafSpine.delay = options.network.delay;
    Fabric fabric(Topology::LeafSpine(options.leafSpine),
                  options.network.MakeSwitches(experiment),
                  experiment.MakeNicFactory());
    fabric.AssignStreams(1);
    fabric.SetBaseRtt(0, fabric.GetNHosts() - 1);
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(MakeFlows(experiment, fabric.GetTopology(), options));
    OccupancySampler occupancy(fabric, options.leafSpine.hostsPerLeaf, options.samplePeriod);
    experiment.GetResults().AddTable("occupancy", [&] { return occupancy.GetTable(); });
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    return experiment.Finish();
}
