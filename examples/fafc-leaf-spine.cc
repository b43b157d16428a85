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
// the paper. flows.csv contains the completion times by group; occupancy.csv contains the lengths
// of the queues to receivers of an incast while it lasts. The run ends when all flows have arrived.

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
    Time arrivals{MilliSeconds(20)}; ///< time in which flows start; not stated in the paper
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
        {"incast-senders", "Senders of an incast; 0: there are none.", o.fanIn},
        {"incast-bytes", "Payload that each of them sends, in bytes.", o.fanInBytes, ByteRange{1}},
        {"incast-load", "Load of incasts.", o.fanInLoad, Range::Above(0, 2)},
        {"arrivals", "Time in which flows start.", o.arrivals, Range::Above(0)},
        {"sample-period", "Period of occupancy.csv's samples.", o.samplePeriod, Range::Above(0)},
    });
}

/// @return the time between incasts; 0 if there are none
Time
GetPeriod(const Options& o)
{
    const uint64_t hosts = uint64_t{o.leafSpine.leaves} * o.leafSpine.hostsPerLeaf;
    const double capacity = static_cast<double>(hosts * o.network.rate.GetBitRate()) / 8;
    return Seconds(o.fanIn * static_cast<double>(o.fanInBytes) / (o.fanInLoad * capacity));
}

void
CheckOptions(const Experiment& experiment, const Options& o)
{
    experiment.RequireFit(o.leafSpine.Check(), "the leaf-spine network: ");
    experiment.RequireUse({"incast-bytes", "incast-load"}, o.fanIn > 0, "--incast-senders above 0");
    const uint32_t hosts = o.leafSpine.leaves * o.leafSpine.hostsPerLeaf;
    experiment.Require(o.fanIn < hosts,
                       "--incast-senders must be below the number of hosts, " +
                           std::to_string(hosts));
    experiment.RequireFit(FlowSizeTable::CheckName(o.sizes), "--sizes: ");
    experiment.Require(o.fanIn == 0 || GetPeriod(o).IsStrictlyPositive(),
                       "--incast-senders times --incast-bytes are so few that for --incast-load "
                       "there would be an incast more often than each nanosecond");
}

FlowList
MakeFlows(const Topology& topology, const Options& o)
{
    PoissonOptions background;
    background.load = o.load;
    background.duration = o.arrivals;
    background.sizes = FlowSizeTable::Get(o.sizes);
    FanInOptions incasts;
    incasts.load = 0; // incasts occur only at fixed times
    const Time period = o.fanIn > 0 ? GetPeriod(o) : o.arrivals * 2;
    for (Time start = period / 2; start < o.arrivals; start += period)
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
                          "Flow completion times beside incasts in a data center (FAFC, Figs. 6 "
                          "to 9).",
                          "FAFC");
    experiment.OfferCongestionControl("HPCC");
    Options options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    CheckOptions(experiment, options);
    options.network.Check(experiment);

    options.leafSpine.hostRate = options.network.rate;
    options.leafSpine.delay = options.network.delay;
    Fabric fabric(Topology::LeafSpine(options.leafSpine),
                  options.network.MakeSwitches(experiment),
                  experiment.MakeNicFactory());
    fabric.AssignStreams(1);
    fabric.SetBaseRtt(0, fabric.GetNHosts() - 1);
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(MakeFlows(fabric.GetTopology(), options));
    OccupancySampler occupancy(fabric, options.leafSpine.hostsPerLeaf, options.samplePeriod);
    experiment.GetResults().AddTable("occupancy", [&] { return occupancy.GetTable(); });
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    return experiment.Finish();
}
