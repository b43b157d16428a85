// SPDX-License-Identifier: GPL-2.0-only
//
// When do switches that pause each other deadlock? (DSH, Sec. V-A, Fig. 12)
//
//      spine0      spine1         The links spine0-leaf3 and spine1-leaf0 have failed, so traffic
//      / |  \      /  |  \        between leaf0 and leaf3 passes leaf1 or leaf2: up, down, up and
//   leaf0 leaf1 leaf2  leaf3      down. Each leaf has 16 hosts.
//
// Fan-in traffic flows from leaf0 to leaf3, from leaf1 to leaf2, and back: in each event, 1 to 15
// hosts of a leaf each send a flow to one host of the other. ECMP selects a shortest path for each
// flow at random, which creates cyclic buffer dependencies: spine0 -> leaf1 -> spine1 -> leaf2 ->
// spine0 and the reverse. deadlocks.csv states when the queues of a cycle stopped moving; with
// --stop-on-deadlock, the run ends when this is confirmed. Switches reserve headroom as the paper's
// chip with 32 ports does (--reference-ports). Flows in flight at the end are unfinished by design.
//
//   deadlock-leaf-spine --scheme=SIH --stop-on-deadlock --RngRun=1 --output=results/sih-1
//   deadlock-leaf-spine --scheme=DSH --stop-on-deadlock --stop=10ms

#include "ns3/core-module.h"
#include "ns3/dsh-parameters.h"
#include "ns3/lossless-fabric.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters, with the paper's values where stated.
struct Options
{
    DshParameters network{7, DshParameters::CHIP_PORTS};
    DataRate uplinkRate{"400Gbps"};
    uint32_t hostsPerLeaf{16};
    uint32_t maxFanIn{15};
    double load{0.5};
    std::string sizes{"hadoop"};
    bool scaleEcn{true};
    Time duration{MilliSeconds(100)};
};

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.AddOptions(experiment);
    experiment.AddValues({
        {"fabric-rate", "Rate of the links between switches.", o.uplinkRate, Range::Above(0)},
        {"hosts-per-leaf", "Hosts at each leaf.", o.hostsPerLeaf, Range{1, 64}},
        {"max-incast-senders", "Maximum number of senders of an incast.", o.maxFanIn, Range{1}},
        {"load", "Load of each leaf's downlinks, on the wire.", o.load, Range::Above(0, 2)},
        {"sizes", "Flow-size table.", o.sizes},
        {"scale-ecn",
         "Scale the ECN thresholds of uplinks with their rate; false: those of the hosts' links.",
         o.scaleEcn},
        {"stop",
         "End of the run unless --stop-on-deadlock ends it earlier.",
         o.duration,
         Range::Above(0)},
    });
    experiment.SetsOnlyAttribute("scale-ecn", "EcnMarker::ReferenceRate");
}

Topology
MakeTopology(const Options& o)
{
    Topology topology =
        Topology::LeafSpine({4, 2, o.hostsPerLeaf, o.network.rate, o.uplinkRate, o.network.delay});
    topology.FailLink("spine0", "leaf3");
    topology.FailLink("spine1", "leaf0");
    return topology;
}

FlowList
MakeFlows(const Topology& topology, const Options& o)
{
    FanInOptions fanIn;
    fanIn.origin = "--max-incast-senders and --hosts-per-leaf";
    fanIn.load = o.load;
    fanIn.overheadFactor = RoceNic::GetOverheadFactor(o.network.payload);
    fanIn.duration = o.duration;
    fanIn.minSenders = 1;
    fanIn.maxSenders = o.maxFanIn;
    fanIn.sizes = FlowSizeTable::Get(o.sizes);
    fanIn.priorities = o.network.GetClasses();
    std::vector<FanInOptions> kinds(4, fanIn); // indexed by the senders' leaf
    for (uint32_t host = 0; host < topology.GetHosts().size(); ++host)
    {
        const uint32_t leaf = host / o.hostsPerLeaf;
        kinds[leaf].senders.push_back(host);
        kinds[3 - leaf].receivers.push_back(host);
    }
    return DrawFlows(topology, {kinds.begin(), kinds.end()});
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "When do switches that pause each other deadlock? (DSH, Fig. 12)");
    experiment.OfferCongestionControl("DCQCN");
    experiment.OfferRanks();
    Options o;
    AddOptions(experiment, o);
    experiment.Parse(argc, argv);
    if (o.scaleEcn) // at 400 Gb/s, a queue with the same delay is four times as long as at 100 Gb/s
    {
        Config::SetDefault("ns3::lossless::EcnMarker::ReferenceRate",
                           DataRateValue(o.network.rate));
    }
    Fabric fabric(MakeTopology(o), o.network.MakeSwitches(experiment), experiment.MakeNicFactory());
    fabric.AssignStreams(1);
    fabric.SetBaseRtt(0, fabric.GetNHosts() - 1); // from leaf0 to leaf3
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(MakeFlows(fabric.GetTopology(), o));

    experiment.Run(o.duration);
    return experiment.Finish();
}
