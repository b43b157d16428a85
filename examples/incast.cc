// SPDX-License-Identifier: GPL-2.0-only
//
// Many hosts send to one host, and an unrelated flow shares part of their path. This is the program
// of doc/from-idea-to-plot.rst.
//
//   incast --senders=12 --scheme=DSH --output=my-run

#include "ns3/core-module.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/run-notes.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// @return an incast from hosts at leaf1 to h0, and one flow from leaf1 to h1
FlowList
MakeFlows(uint32_t senders, uint64_t bytes)
{
    FlowList flows;
    for (uint32_t i = 0; i < senders; ++i)
    {
        FlowSpec flow;
        flow.id = i;
        flow.source = 16 + i;
        flow.destination = 0;
        flow.priority = 3;
        flow.bytes = bytes;
        flow.start = MicroSeconds(10);
        flow.group = "incast";
        flows.push_back(flow);
    }
    FlowSpec other;
    other.id = senders;
    other.source = 31;
    other.destination = 1;
    other.priority = 3;
    other.bytes = 2000000;
    other.group = "other";
    flows.push_back(other);
    return flows;
}

} // namespace

int
main(int argc, char* argv[])
{
    // Add your own options to the standard ones.
    Experiment experiment(__FILE__,
                          "An incast, and a flow to another host that shares links with it.");
    uint32_t senders = 8;
    uint64_t bytes = 100000;
    experiment.AddValue("senders", "Hosts that send to h0.", senders, Range{1, 15});
    experiment.AddValue("bytes", "Size of each sender's flow.", bytes, ByteRange{1});
    experiment.OfferCongestionControl();
    experiment.OfferRanks();
    experiment.Parse(argc, argv);

    // Create the network: h0 to h15 at leaf0, h16 to h31 at leaf1, and one spine between them.
    LeafSpineOptions network;
    network.leaves = 2;
    network.spines = 1;
    network.hostsPerLeaf = 16;
    network.fabricRate = DataRate("400Gbps");
    Fabric fabric(Topology::LeafSpine(network),
                  experiment.MakeSwitchHelper(),
                  experiment.MakeNicFactory());
    fabric.SetBaseRtt(0, fabric.FindFarthestHost()); // needed by some congestion control algorithms
    experiment.GetResults().AddFabric(fabric);
    experiment.GetResults().Get<RunNotes>()->AddParameter("senders", senders);

    // Run until all flows of MakeFlows() have arrived.
    fabric.StartFlows(MakeFlows(senders, bytes));
    fabric.StopWhenFlowsAreDone(Seconds(1));
    experiment.Run();
    return experiment.Finish();
}
