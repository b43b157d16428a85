// SPDX-License-Identifier: GPL-2.0-only
//
// Any network under any flows, without a program of one's own: all from the command line, or from a
// file of settings.
//
//   lossless-run --scheme=DSH --congestion-control=DCQCN --load=0.6 --output=my-run
//   lossless-run --topology=fat-tree --k=8 --sizes=hadoop --load=0.3 --incast-load=0.1
//   lossless-run --topology=topology.csv --flows=flows.csv --sample=10us --pause-events
//   lossless-run --topology=topology.txt --flows=flow.txt --fct-file=fct.txt
//   lossless-run --fail-link=leaf0-spine1@1ms..2ms
//   lossless-run --storm=h3:3@100us..1ms --watchdog=drop --watchdog-detect=200us
//   lossless-run --settings=run.ini --scheme=SIH
//
// The third takes files as this module writes them, the fourth those of the HPCC simulator and its
// forks. The default is a leaf-spine network of 16 hosts. The run ends when all flows have arrived;
// with --fct-file, which has the times of senders, when these know of it.

#include "fct-file.h"
#include "host-faults.h"
#include "link-failures.h"
#include "run-network.h"
#include "run-workload.h"

#include "ns3/core-module.h"
#include "ns3/lossless-fabric.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Tells congestion controls the longest round trip without queues. @param fabric the network, of
/// two hosts or more
void
SetLongestRtt(Fabric& fabric)
{
    uint32_t farthest = 1;
    Time longest;
    for (uint32_t host = 1; host < fabric.GetNHosts(); ++host)
    {
        const Time time = fabric.GetIdealFct({0, 0, host, 0, 1, Time(0), ""});
        farthest = time > longest ? host : farthest;
        longest = Max(time, longest);
    }
    fabric.SetBaseRtt(0, farthest);
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__, "Any network under any flows, by options or from files.");
    experiment.OfferCongestionControl();
    experiment.OfferRanks();
    RunNetwork network;
    RunWorkload workload;
    FctFile fctFile;
    LinkFailures failures;
    HostFaults faults;
    Time stop;
    experiment.BeginGroup("Network", "--topology=fat-tree --k=8 --rate=400Gbps");
    network.AddOptions(experiment);
    experiment.EndGroup();
    experiment.BeginGroup("Flows", "--load=0.6 --sizes=hadoop --incast-load=0.1");
    workload.AddOptions(experiment);
    experiment.EndGroup();
    fctFile.AddOption(experiment);
    failures.AddOptions(experiment);
    faults.AddOptions(experiment);
    experiment.AddValue("stop",
                        "Ends the simulation, if flows have not ended it; 0: a second after the "
                        "last flow has started.",
                        stop,
                        Range{0});
    experiment.Parse(argc, argv);
    network.Check(experiment);
    workload.Check(experiment, network);
    experiment.RequireUnread({network.GetFile(), workload.GetFile(), workload.GetSizesFile()});
    experiment.Require(!fctFile.IsWanted() || workload.IsOfForks(),
                       "--fct-file is for flows of the forks' format, which --flows reads");

    Topology topology = network.MakeTopology();
    failures.ApplyTo(experiment, topology);
    topology.AbortIfInvalid();
    faults.Read(experiment, topology);
    experiment.Require(topology.GetHosts().size() > 1, "flows need two hosts");
    const HpccFlows flows = workload.MakeFlows(experiment, network, topology);
    Fabric fabric(topology, network.MakeSwitches(experiment), network.MakeNics(experiment));
    const int64_t streams = fabric.AssignStreams(1);
    failures.Install(fabric);
    failures.AssignStreams(1 + streams);
    faults.Install(fabric);
    SetLongestRtt(fabric);
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(flows.flows);
    experiment.NoteFlows(fabric.GetFlows());
    fabric.StopWhenFlowsAreDone(Seconds(1), fctFile.GetFlowEnd());

    experiment.Run(stop);
    fctFile.Write(experiment, flows, fabric);
    return experiment.Finish();
}
