// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-run.h"

#include "captures.h"
#include "fct-file.h"
#include "link-failures.h"
#include "lossless-experiment.h"
#include "run-collectives.h"
#include "run-network.h"
#include "run-parts.h"
#include "run-workload.h"

#include "ns3/bdp-cap.h"
#include "ns3/connection-matrix.h"
#include "ns3/graph-results.h"
#include "ns3/hpcc-format.h"
#include "ns3/lossless-fabric.h"
#include "ns3/matrix-graph.h"
#include "ns3/nstime.h"
#include "ns3/option-text.h"
#include "ns3/text-lines.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::lossless
{

namespace
{

/// The option for the file of the flows as htsim's connection matrix.
const std::string MATRIX_OPTION = "write-cm";

/// Sets the base RTT of congestion control algorithms to the idle RTT of the longest path and, if
/// requested, derives the BDP cap of flows from this path.
void
SetLongestRtt(Fabric& fabric, bool hasBdpCap)
{
    const auto [source, farthest] = fabric.FindLongestPath();
    if (source == farthest)
    {
        return; // no flow can be sent
    }
    fabric.SetBaseRtt(source, farthest);
    if (hasBdpCap)
    {
        SetBdpCap(fabric, source, farthest);
    }
}

/// The traffic of a run: a source of flows, a list of flows, or a graph.
struct Traffic
{
    /// Random flows, which are not stored; if there is a source, the list and the graph are empty.
    std::shared_ptr<const FlowSource> source;
    HpccFlows flows;
    FlowDetail detail{FlowDetail::ALL};
    FlowGraph graph;                 ///< graph of flows; if it is empty, the list applies
    std::vector<CollectiveRun> runs; ///< collectives in the graph

    /// @return the graph, or the list as a graph
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

struct Choices
{
    RunNetwork network;
    RunWorkload workload;
    RunCollectives collectives;
    FctFile fctFile;
    LinkFailures failures;
    RunParts parts;
    Captures captures;
    Time stop; ///< end of the run, or 0 for one second after the start of the last flow
    Time stallAfter{Seconds(1)}; ///< time without progress after which the run of a graph ends
};

void
AddOptions(Experiment& experiment, Choices& o)
{
    const auto add = [&](const std::string& title, const std::string& example, auto& part) {
        experiment.BeginGroup(title, example);
        part.AddOptions(experiment);
        experiment.EndGroup();
    };
    add("Network", "--topology=fat-tree --k=8 --rate=400Gbps", o.network);
    add("Flows", "--load=0.6 --sizes=hadoop --incast-load=0.1", o.workload);
    add("Collectives", "--collective=allreduce --size=64MB --placement=random", o.collectives);
    experiment.BeginGroup("Failures", "--fail-link=leaf0-spine1@1ms..2ms --reroute-after=100us");
    o.failures.AddOptions(experiment);
    RunParts::AddFaultOptions(experiment);
    experiment.EndGroup();
    experiment.BeginGroup("Other files", "--pcap=leaf0:* --fct-file=fct.txt");
    o.fctFile.AddOption(experiment);
    experiment.AddOutput(MATRIX_OPTION, "File for the flows as htsim's connection matrix");
    o.captures.AddOptions(experiment);
    experiment.EndGroup();
    experiment.OfferFlowsCsv();
    add("Parts of your own", "--traffic=NAME --attach=NAME", o.parts);
    experiment.BeginGroup("The run", "--settings=run.ini --progress=off");
    experiment.AddValue("stop",
                        "End of the simulation unless all flows end earlier; 0: one second after "
                        "the start of the last flow.",
                        o.stop,
                        Range{0});
    experiment.AddValue("stall-after",
                        "With collectives or flows that wait for flows: ends the run when none of "
                        "them has made progress for this time.",
                        o.stallAfter,
                        Range::Above(0));
    experiment.EndGroup();
    experiment.OfferShortHelp(
        SplitList("topology,load,flows,collective,scheme,congestion-control,buffer,"
                  "lossless-classes,output,sample,spec,dry-run"),
        {"lossless-run --scheme=DSH --load=0.6 --output=my-run",
         "lossless-run --topology=fat-tree --k=8 --congestion-control=DCQCN --RngRun=2",
         "lossless-run --topology=star --collective=allreduce --size=64MB --dry-run"});
}

/// Stops the program if the options are inconsistent. Also reads a trace, if any.
void
CheckOptions(Experiment& experiment, Choices& o)
{
    o.network.Check(experiment);
    o.parts.Make(experiment);
    o.workload.Check(experiment, o.network);
    o.workload.ReadTrace(experiment);
    o.collectives.Check(experiment, o.workload.HasRanks());
    std::vector<std::string> files = o.workload.GetFiles();
    files.push_back(o.network.GetFile());
    experiment.RequireUnread(files);
    experiment.Require(!o.fctFile.IsWanted() || o.workload.IsOfForks(),
                       "--fct-file is for flows of the forks' format, which --flows reads");
}

/// Creates the network. Also reads the options for link failures.
Topology
MakeTopology(Experiment& experiment, Choices& o)
{
    Topology topology = o.network.MakeTopology(experiment);
    o.workload.FailLinks(experiment, topology);
    o.failures.ApplyTo(experiment, topology);
    o.failures.RequireBefore(experiment, o.stop);
    topology.AbortIfInvalid();
    o.parts.Check(experiment, topology, o.stop);
    experiment.Require(topology.GetHosts().size() > 1, "flows need two hosts");
    return topology;
}

/// @return the given option that needs individual flows; empty if there is none
std::string
FindReader(const Experiment& experiment, const Choices& o)
{
    return o.fctFile.IsWanted()                           ? "fct-file"
           : !experiment.GetOutput(MATRIX_OPTION).empty() ? MATRIX_OPTION
                                                          : "";
}

/// @return true if rules may define the flows of collectives, and a source those of random traffic.
/// This is not possible if hosts have several NICs, because the choice of a NIC then depends on the
/// earlier flows of the host.
bool
MayFollowRules(const Experiment& experiment, const Choices& o, const Topology& topology)
{
    const auto hasOne = [&topology](uint32_t host) { return topology.GetPorts(host).size() == 1; };
    const auto& hosts = topology.GetHosts();
    return experiment.MayGroupFlows() && FindReader(experiment, o).empty() &&
           std::all_of(hosts.begin(), hosts.end(), hasOne);
}

Traffic
MakeCollectives(Experiment& experiment, Choices& o, const Topology& topology)
{
    Traffic traffic;
    const bool byRule = MayFollowRules(experiment, o, topology);
    traffic.graph = o.collectives.MakeGraph(experiment,
                                            topology,
                                            byRule ? FlowMaking::BY_RULE : FlowMaking::LISTED);
    traffic.detail =
        experiment.ChooseFlowDetail(traffic.graph.GetNFlows(), FindReader(experiment, o));
    if (byRule && traffic.detail == FlowDetail::ALL)
    {
        traffic.graph = o.collectives.MakeGraph(experiment, topology, FlowMaking::LISTED);
    }
    traffic.runs = o.collectives.GetRuns();
    return traffic;
}

Traffic
MakeOtherTraffic(Experiment& experiment, Choices& o, const Topology& topology)
{
    Traffic traffic;
    if (o.parts.HasTraffic())
    {
        traffic.graph = o.parts.MakeTraffic(experiment, topology);
    }
    else if (o.workload.HasRanks())
    {
        traffic.graph = o.workload.MakeTraceGraph(experiment,
                                                  topology,
                                                  o.collectives.OrderHosts(experiment, topology),
                                                  traffic.runs);
    }
    else if (o.workload.IsCsv())
    {
        traffic.graph = ReadFlowGraphCsv(o.workload.GetFile(), topology);
    }
    else if (o.workload.GetFile().empty())
    {
        traffic.source = o.workload.MakeRandomFlows(experiment, o.network, topology);
    }
    else
    {
        traffic.flows = ReadHpccFlows(o.workload.GetFile(), topology);
        experiment.Warn(traffic.flows.note);
    }
    return traffic;
}

Traffic
MakeTraffic(Experiment& experiment, Choices& o, const Topology& topology)
{
    if (!o.parts.HasTraffic() && o.collectives.IsWanted())
    {
        return MakeCollectives(experiment, o, topology);
    }
    Traffic traffic = MakeOtherTraffic(experiment, o, topology);
    const std::size_t flows = traffic.source
                                  ? traffic.source->GetTotals().flows
                                  : traffic.flows.flows.size() + traffic.graph.GetNFlows();
    traffic.detail = experiment.ChooseFlowDetail(flows, FindReader(experiment, o));
    const bool isStored =
        traffic.detail == FlowDetail::ALL || !MayFollowRules(experiment, o, topology);
    if (traffic.source && isStored)
    {
        traffic.flows.flows = std::exchange(traffic.source, nullptr)->MakeList();
    }
    return traffic;
}

PrioritySet
FindClasses(const Traffic& traffic, const Topology& topology, const Choices& o)
{
    const bool isRandom = !o.parts.HasTraffic() && !o.collectives.IsWanted();
    PrioritySet classes = isRandom ? o.workload.GetRandomClasses() : 0;
    classes |= o.parts.GetClasses(topology);
    return classes | GetClasses(traffic.flows.flows) | traffic.graph.GetClasses();
}

/// Stops the program if the format of MATRIX_OPTION cannot express what happens in the run.
ConnectionMatrix
MakeMatrix(const Experiment& experiment,
           const Choices& o,
           const Traffic& traffic,
           const Topology& topology)
{
    experiment.Require(!o.failures.HasEvents() && !o.parts.HasAttachments(),
                       "--write-cm is for flows and links that fail from the start; leave out "
                       "what happens to links and hosts in the run");
    FlowGraph graph = traffic.MakeGraph();
    experiment.RequireFit(graph.Check(topology), "--write-cm: ");
    ConnectionMatrix matrix;
    experiment.RequireFit(CatchComplaint([&] { matrix = MakeConnectionMatrix(graph, topology); }),
                          "--write-cm: ");
    return matrix;
}

/// Starts the traffic and schedules the end of the run.
/// @param experiment the experiment, which measures the traffic
void
Start(Experiment& experiment, Fabric& fabric, Traffic& traffic, const Choices& o)
{
    if (traffic.graph.IsMoreThanList())
    {
        fabric.StartGraph(std::move(traffic.graph));
        experiment.GetResults().AddRecorder(
            CreateObject<GraphResults>(*fabric.GetGraphRunner(),
                                       traffic.runs,
                                       traffic.detail == FlowDetail::ALL),
            "graph");
        fabric.StopWhenFlowsAreDone(o.stallAfter, o.fctFile.GetFlowEnd());
        return;
    }
    experiment.RequireUse({"stall-after"},
                          o.workload.HasRanks(),
                          "flows that wait for flows, and collectives");
    if (traffic.source)
    {
        fabric.StartSource(traffic.source);
        experiment.NoteFlows(*traffic.source);
    }
    else
    {
        fabric.StartFlows(traffic.graph.IsEmpty() ? traffic.flows.flows
                                                  : traffic.graph.MakeFlowList());
        experiment.NoteFlows(fabric.GetFlows());
    }
    if (o.stop.IsZero() && fabric.CountFlows() > 0) // the latest end of the run is now known
    {
        o.parts.Check(experiment, fabric.GetTopology(), fabric.GetLastStart() + Seconds(1));
    }
    const Time grace = o.stop.IsZero() ? Seconds(1) : std::min(o.stop, GetLatestStart());
    fabric.StopWhenFlowsAreDone(grace, o.fctFile.GetFlowEnd());
}

} // namespace

int
RunByOptions(int argc, char* argv[], const std::string& file)
{
    Experiment experiment(file, "Any network under any flows, by options or from files.");
    experiment.OfferCongestionControl();
    experiment.OfferReliability();
    experiment.OfferRanks();
    Choices options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    CheckOptions(experiment, options);

    const Topology topology = MakeTopology(experiment, options);
    Traffic traffic = MakeTraffic(experiment, options, topology);
    std::function<void()> writeMatrix;
    if (!experiment.GetOutput(MATRIX_OPTION).empty())
    {
        writeMatrix = [&, matrix = MakeMatrix(experiment, options, traffic, topology)] {
            experiment.WriteOutput(MATRIX_OPTION,
                                   [&](std::ostream& os) { WriteConnectionMatrix(os, matrix); });
        };
    }
    Fabric fabric(topology, experiment.MakeSwitchHelper(), experiment.MakeNicFactory());
    options.network.ApplyClasses(experiment, fabric, FindClasses(traffic, topology, options));
    options.failures.ProtectLinks(fabric);
    const int64_t streams = fabric.AssignStreams(1);
    options.failures.Install(fabric);
    options.failures.AssignStreams(1 + streams);
    options.parts.Attach(fabric);
    options.captures.Install(experiment, fabric);
    SetLongestRtt(fabric, experiment.HasAutomaticBdpCap());
    experiment.GetResults().AddFabric(fabric);
    Start(experiment, fabric, traffic, options);

    experiment.Run(options.stop, writeMatrix);
    options.failures.TellEffect(experiment, fabric);
    options.parts.TellMissed(topology);
    options.fctFile.Write(experiment, traffic.flows, fabric);
    return experiment.Finish();
}

} // namespace ns3::lossless
