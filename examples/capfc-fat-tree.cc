// SPDX-License-Identifier: GPL-2.0-only
//
// Tail flow completion times over TCP in a fat-tree of 128 hosts (CaPFC, Sec. IV: Fig. 8, Fig. 9,
// Table III). CapfcParameters describes the network, its traffic and the six scenarios.
//
//   capfc-fat-tree --scenario=1 --scheme=CaPFC-Cal
//   capfc-fat-tree --scenario=1 --scheme=PFC-wdrop --min-rto=50ms
//   capfc-fat-tree --memory=shared --oversubscription=4
//
// flows.csv contains the completion times by group. The run ends when all flows have arrived.

#include "ns3/capfc-parameters.h"
#include "ns3/core-module.h"
#include "ns3/flow-plan.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/segment-recorder.h"
#include "ns3/tcp-flows.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters, with the paper's values where stated.
struct Options
{
    CapfcParameters network;
    std::string tcp{"TcpLinuxReno"};
    Time minRto{MilliSeconds(10)};
    bool reordering{false};
};

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.AddNetworkOptions(experiment);
    experiment.AddValue("reordering",
                        "Measure how far out of place segments arrive.",
                        o.reordering);
    o.network.AddTrafficOptions(experiment);
    experiment.AddValues({
        {"tcp", "A TcpCongestionOps of ns-3: TcpLinuxReno, TcpDctcp...", o.tcp},
        {"min-rto", "Minimum timeout of TCP, also the first one of a SYN.", o.minRto, Range{0.001}},
        {"initial-window", "TcpFlows::InitialWindow", Range{1}, UintegerValue(3)},
        {"duplicate-acks", "TcpFlows::DuplicateAcks", Range(), UintegerValue(20)},
    });
    experiment.SetsAttribute("tcp", "TcpFlows::Variant");
    experiment.SetsAttribute("min-rto", "TcpFlows::MinRto");
    experiment.SetsAttribute("min-rto", "TcpFlows::ConnectTimeout");
}

Ptr<TcpFlows>
MakeTcp(const Options& o)
{
    auto tcp = CreateObject<TcpFlows>();
    tcp->SetAttribute("Variant", StringValue("ns3::" + o.tcp));
    tcp->SetAttribute("Timestamps", BooleanValue(false));
    tcp->SetAttribute("SegmentBytes", UintegerValue(1460));
    tcp->SetAttribute("SegmentsPerAck", UintegerValue(2));
    tcp->SetAttribute("MinRto", TimeValue(o.minRto));
    tcp->SetAttribute("ConnectTimeout", TimeValue(o.minRto));
    return tcp;
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(
        __FILE__,
        "Tail flow completion times over TCP in a fat-tree (CaPFC, Figs. 8 and 9, Table III).",
        "CaPFC-Max",
        "Adaptive");
    experiment.OfferRanks();
    Options options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    const CapfcParameters& network = options.network;
    network.Check(experiment);
    experiment.RequireFit(CheckTcpVariant(options.tcp), "--tcp is ");

    Fabric fabric(network.MakeTopology(), network.MakeSwitches(experiment));
    fabric.AssignStreams(1);
    fabric.InstallInternetStack();
    fabric.ResolveAddresses();
    const Ptr<TcpFlows> tcp = MakeTcp(options);
    const FlowList flows = network.MakeFlows(fabric.GetTopology());
    ResultsWriter& results = experiment.GetResults();
    results.AddFabric(fabric);
    results.AddNic(tcp);
    results.Get<FlowPlan>()->SetFlows(flows, fabric.GetTopology());
    results.Get<FlowPlan>()->SetIdealFct(nullptr); // The fabric computes ideal FCTs only for RoCE.
    SegmentRecorder segments;
    if (options.reordering)
    {
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            segments.Watch(fabric.GetHost(host));
        }
        results.AddTable("displacements", [&] { return segments.GetDensity().GetTable(); });
    }
    fabric.StartTcpFlows(tcp, flows);
    tcp->StopWhenDone(Seconds(10));

    experiment.Run();
    return experiment.Finish();
}
