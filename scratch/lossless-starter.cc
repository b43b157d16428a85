// SPDX-License-Identifier: GPL-2.0-only
//
// A starting point for a new experiment. Copy the file, rename it and adapt it.
//
//   lossless-starter --help
//   lossless-starter --scheme=DSH --congestion-control=DCQCN --output=my-run

#include "ns3/core-module.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"

using namespace ns3;
using namespace ns3::lossless;

int
main(int argc, char* argv[])
{
    // Options: add your own to the options that every program has.
    Experiment experiment(__FILE__, "Two hosts send to a third one.");
    uint64_t bytes = 2000000;
    experiment.AddValue("bytes", "Size of each flow, in bytes.", bytes, ByteRange{1});
    experiment.OfferCongestionControl();
    experiment.OfferRanks();
    experiment.Parse(argc, argv);

    // The network: Topology::Star, Dumbbell, Line, LeafSpine, FatTree, or FromCsv.
    StarOptions star;
    star.hosts = 3;
    Fabric fabric(Topology::Star(star), experiment.MakeSwitchHelper(), experiment.MakeNicFactory());
    fabric.SetBaseRtt(0, fabric.FindFarthestHost()); // needed by some congestion control algorithms
    experiment.GetResults().AddFabric(fabric);

    // The traffic: an explicit list. DrawFlows, DrawPermutation and ReadFlowCsv create others.
    FlowList flows(2);
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        flows[i].id = i;
        flows[i].source = i;
        flows[i].destination = 2;
        flows[i].priority = 3;
        flows[i].bytes = bytes;
    }
    fabric.StartFlows(flows);
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    return experiment.Finish();
}
