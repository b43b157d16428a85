// SPDX-License-Identifier: GPL-2.0-only
//
// When do switches that pause each other deadlock? (DSH, Sec. V-A, Fig. 12)
//
//      spine0      spine1         The links spine0-leaf3 and spine1-leaf0 have failed, so traffic
//      / |  \      /  |  \        between leaf0 and leaf3 passes leaf1 or leaf2: up, down, up and
//   leaf0 leaf1 leaf2  leaf3      down. Each leaf has 16 hosts.
//
// Fan-in traffic flows between leaf0 and leaf3, and between leaf1 and leaf2, in both directions. In
// each event, 1 to 15 hosts of a leaf each send a flow to one host of the other leaf. ECMP selects
// one of the shortest paths for each flow at random. This creates cyclic buffer dependencies in
// both directions: spine0 -> leaf1 -> spine1 -> leaf2 -> spine0 and the reverse. deadlocks.csv
// contains the time at which the queues of a cycle stopped moving. With --stop-on-deadlock, the run
// ends when the deadlock is confirmed. The switches reserve headroom as the paper's chip with 32
// ports of 100 Gb/s does (--reference-ports). Flows in flight at the end are unfinished by design.
//
//   deadlock-leaf-spine --scheme=SIH --stop-on-deadlock --RngRun=1 --output=results/sih-1
//   deadlock-leaf-spine --scheme=DSH --stop-on-deadlock --stop=10ms

#include "parts/dsh-network.h"

#include "ns3/core-module.h"
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
    const auto& [rate, delay] = std::tie(o.network.rate, o.network.delay);
    Topology topology = Topology::LeafSpine({4, 2, o.hostsPerLeaf, rate, o.uplinkRate, delay});
    topology.FailLink("spine0", "leaf3");
    topology.FailLink("spine1", "leaf0");
    return topology;
}

FlowList
MakeFlows(const Topology& topology, const Options& o)
{
    FanInOptions fanIn;
    fanIn.load = o.load;
    fanIn.overheadFactor = o.network.GetOverheadFactor();
    fanIn.duration = o.duration;
    fanIn.minSenders = 1;
    fanIn.maxSenders = o.maxFanIn;
    fanIn.sizes = FlowSizeTable::Get(o.sizes);
    fanIn.priorities = o.network.GetClasses();
    std::vector<RandomFlows> kinds(4, fanIn); // indexed by the senders' leaf
    for (uint32_t host = 0; host < topology.GetHosts().size(); ++host)
    {
        const uint32_t leaf = host / o.hostsPerLeaf;
        std::get<FanInOptions>(kinds[leaf]).senders.push_back(host);
        std::get<FanInOptions>(kinds[3 - leaf]).receivers.push_back(host);
    }
    return DrawFlows(topology, kinds);
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "When do switches that pause each other deadlock? (DSH, Fig. 12)");
    experiment.OfferCongestionControl("DCQCN");
    experiment.OfferRanks();
    Options options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    if (options.scaleEcn)
    {
        // At 400 Gb/s, a queue with the same delay is four times as long as at 100 Gb/s.
        Config::SetDefault("ns3::lossless::EcnMarker::ReferenceRate",
                           DataRateValue(options.network.rate));
    }

    Fabric fabric(MakeTopology(options),
                  options.network.MakeSwitches(experiment),
                  experiment.MakeNicFactory());
    fabric.AssignStreams(1);
    fabric.SetBaseRtt(0, fabric.GetNHosts() - 1); // from leaf0 to leaf3
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(MakeFlows(fabric.GetTopology(), options));

    experiment.Run(options.duration);
    return experiment.Finish();
}
