// SPDX-License-Identifier: GPL-2.0-only
//
// Any network under any flows, without a program of one's own: all from the command line, or from a
// file of settings.
//
//   lossless-run --scheme=DSH --congestion-control=DCQCN --load=0.6 --output=my-run
//   lossless-run --topology=fat-tree --k=8 --sizes=hadoop --load=0.3 --incast-load=0.1
//   lossless-run --topology=topology.csv --flows=flows.csv --sample=10us --pause-events
//   lossless-run --topology=topology.txt --flows=flow.txt --fct-file=fct.txt
//   lossless-run --topology=star --flows=examples/workloads/ring.cm
//   lossless-run --fail-link=leaf0-spine1@1ms..2ms
//   lossless-run --collective=allreduce --algorithm=ring --size=64MB --placement=random
//   lossless-run --storm=h3:3@100us..1ms --watchdog=drop --watchdog-detect=200us
//   lossless-run --settings=run.ini --scheme=SIH
//
// The third takes files as this module writes them, the fourth those of the HPCC simulator and its
// forks, the fifth a connection matrix of htsim. The default is a leaf-spine network of 16 hosts.
// The run ends when all flows have arrived; with --fct-file, which has the times of senders, when
// these know of it.

#include "fct-file.h"
#include "host-faults.h"
#include "link-failures.h"
#include "run-collectives.h"
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

/// What is to be sent: a list or a graph.
struct Traffic
{
    HpccFlows flows;                 ///< the list
    FlowGraph graph;                 ///< a graph, which may be no more than a list; empty: the list
    std::vector<CollectiveRun> runs; ///< collectives in the graph

    /// @return the graph; of a list, it as a graph
    FlowGraph MakeGraph() const
    {
        FlowGraph copy = graph;
        for (const FlowSpec& flow : flows.flows)
        {
            copy.Add({flow, Time(0), ""});
        }
        return copy;
    }
};

/// @param experiment which stops the program @param workload options of flows
/// @param collectives options of collectives @param network for the load of frames
/// @param topology the network @return what the options ask for
Traffic
MakeTraffic(const Experiment& experiment,
            const RunWorkload& workload,
            RunCollectives& collectives,
            const RunNetwork& network,
            const Topology& topology)
{
    if (collectives.IsWanted())
    {
        FlowGraph graph = collectives.MakeGraph(experiment, topology);
        return {{}, std::move(graph), collectives.GetRuns()};
    }
    if (workload.GetTrace().IsWanted())
    {
        Traffic traffic;
        traffic.graph = workload.GetTrace().MakeGraph(experiment,
                                                      topology,
                                                      collectives.OrderHosts(experiment, topology),
                                                      workload.GetTraceClass(),
                                                      traffic.runs);
        return traffic;
    }
    if (workload.IsCsv())
    {
        return {{}, ReadFlowGraphCsv(workload.GetFile(), topology), {}};
    }
    return {workload.MakeFlows(experiment, network, topology), {}, {}};
}

/// Starts what is to be sent, and ends the run behind it. @param experiment measures it
/// @param fabric sends it @param traffic what is to be sent @param stallAfter option
/// @param end when a flow is done
void
Start(Experiment& experiment,
      Fabric& fabric,
      Traffic& traffic,
      Time stallAfter,
      Fabric::FlowEnd end)
{
    if (traffic.graph.IsMoreThanList())
    {
        fabric.StartGraph(std::move(traffic.graph));
        experiment.GetResults().AddGraph(*fabric.GetGraphRunner(), traffic.runs);
        fabric.StopWhenFlowsAreDone(stallAfter, end);
        return;
    }
    experiment.Require(!experiment.IsGiven("stall-after"),
                       "--stall-after is for flows that wait for flows, and collectives");
    fabric.StartFlows(traffic.graph.IsEmpty() ? traffic.flows.flows : traffic.graph.MakeFlowList());
    experiment.NoteFlows(fabric.GetFlows());
    fabric.StopWhenFlowsAreDone(Seconds(1), end);
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__, "Any network under any flows, by options or from files.");
    experiment.OfferCongestionControl();
    experiment.OfferReliability();
    experiment.OfferRanks();
    RunNetwork network;
    RunWorkload workload;
    RunCollectives collectives;
    FctFile fctFile;
    MatrixFile matrixFile;
    LinkFailures failures;
    HostFaults faults;
    Time stop;
    Time stallAfter = MilliSeconds(100);
    experiment.BeginGroup("Network", "--topology=fat-tree --k=8 --rate=400Gbps");
    network.AddOptions(experiment);
    experiment.EndGroup();
    experiment.BeginGroup("Flows", "--load=0.6 --sizes=hadoop --incast-load=0.1");
    workload.AddOptions(experiment);
    experiment.EndGroup();
    experiment.BeginGroup("Collectives", "--collective=allreduce --size=64MB --placement=random");
    collectives.AddOptions(experiment);
    experiment.EndGroup();
    fctFile.AddOption(experiment);
    matrixFile.AddOption(experiment);
    failures.AddOptions(experiment);
    faults.AddOptions(experiment);
    experiment.AddValue("stop",
                        "Ends the simulation, if flows have not ended it; 0: a second after the "
                        "last flow has started.",
                        stop,
                        Range{0});
    experiment.AddValue("stall-after",
                        "Flows that wait for flows, and collectives: ends the run when nothing of "
                        "them has moved for this time.",
                        stallAfter,
                        Range::Above(0));
    experiment.Parse(argc, argv);
    network.Check(experiment);
    workload.Check(experiment, network);
    workload.ReadTrace(experiment);
    collectives.Check(experiment, workload.GetTrace().IsWanted());
    std::vector<std::string> files = workload.GetFiles();
    files.push_back(network.GetFile());
    experiment.RequireUnread(files);
    experiment.Require(!fctFile.IsWanted() || workload.IsOfForks(),
                       "--fct-file is for flows of the forks' format, which --flows reads");

    Topology topology = network.MakeTopology();
    workload.GetTrace().FailLinks(experiment, topology);
    failures.ApplyTo(experiment, topology);
    topology.AbortIfInvalid();
    faults.Read(experiment, topology);
    experiment.Require(topology.GetHosts().size() > 1, "flows need two hosts");
    Traffic traffic = MakeTraffic(experiment, workload, collectives, network, topology);
    if (matrixFile.IsWanted(experiment))
    {
        matrixFile.Write(experiment, traffic.MakeGraph(), topology);
    }
    Fabric fabric(topology, network.MakeSwitches(experiment), network.MakeNics(experiment));
    const int64_t streams = fabric.AssignStreams(1);
    failures.Install(fabric);
    failures.AssignStreams(1 + streams);
    faults.Install(fabric);
    SetLongestRtt(fabric);
    experiment.GetResults().AddFabric(fabric);
    Start(experiment, fabric, traffic, stallAfter, fctFile.GetFlowEnd());

    experiment.Run(stop);
    fctFile.Write(experiment, traffic.flows, fabric);
    return experiment.Finish();
}
