// SPDX-License-Identifier: GPL-2.0-only
//
// Tail flow completion times over TCP in a fat-tree of 128 hosts (CaPFC, Sec. IV: Fig. 8, Fig. 9,
// Table III).
//
// There are three kinds of traffic, each in its own class: long flows and short flows between
// random pairs of hosts, and queries, each answered by 40 random hosts simultaneously. All
// interarrival times are exponential. The six scenarios differ in flow sizes, the class with strict
// priority, and the speed of the packet processors.
//
//   capfc-fat-tree --scenario=1 --scheme=CaPFC-Cal
//   capfc-fat-tree --scenario=1 --scheme=PFC-wdrop --min-rto=50ms
//   capfc-fat-tree --memory=shared --oversubscription=4
//
// flows.csv contains the completion times by group. The run ends when all flows have arrived.

#include "ns3/core-module.h"
#include "ns3/flow-plan.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/segment-recorder.h"
#include "ns3/tcp-flows.h"

#include <array>
#include <cmath>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

constexpr uint8_t LONG_CLASS = 0;
constexpr uint8_t SHORT_CLASS = 1;
constexpr uint8_t QUERY_CLASS = 2;

/// A row of Table I.
struct Scenario
{
    double processorRate; ///< rate of a switch's processor, packets/s
    uint64_t shortBytes;  ///< size of a short flow
    uint64_t queryBytes;  ///< size of each answer to a query
    PrioritySet strict;   ///< classes with strict priority
};

constexpr std::array<Scenario, 6> SCENARIOS{{{1e6, 64000, 16000, SetOf(Priority{SHORT_CLASS})},
                                             {1e6, 16000, 16000, SetOf(Priority{SHORT_CLASS})},
                                             {1e6, 64000, 32000, SetOf(Priority{SHORT_CLASS})},
                                             {1e6, 64000, 16000, SetOf(Priority{QUERY_CLASS})},
                                             {1e6, 64000, 16000, 0},
                                             {0.5e6, 64000, 16000, SetOf(Priority{SHORT_CLASS})}}};

/// Parameters, with the paper's values where stated.
struct Options
{
    uint32_t scenario{1};
    std::string memory{"dedicated"};
    FatTreeOptions fatTree = WithLinks(FatTreeOptions{}, DataRate("1Gbps"), MicroSeconds(1));
    double oversubscription{1};
    Time arrivals{Seconds(1)};
    double longRate{5000};
    double shortRate{5000};
    double queryRate{100};
    uint32_t fanIn{40};
    uint64_t longBytes{1000000};
    std::string tcp{"TcpLinuxReno"};
    Time minRto{MilliSeconds(10)};
    bool reordering{false};

    const Scenario& GetScenario() const
    {
        return SCENARIOS[scenario - 1];
    }
};

void
ReadOptions(Experiment& experiment, Options& o, int argc, char* argv[])
{
    experiment.AddValues({
        {"scenario", "Row of Table I.", o.scenario, Range{1, SCENARIOS.size()}},
        {"memory",
         "Memory of the switches, as in Table II or in Sec. IV-C7.",
         o.memory,
         OneOf{{"dedicated", "shared"}}},
        {"k", "Ports of a switch.", o.fatTree.k},
        {"delay", "Propagation delay of every link.", o.fatTree.delay, Range{0}},
        {"switch-delay", "SharedProcessor::Latency", Range{0}, TimeValue(MicroSeconds(25))},
        {"cut", "CapfcFlowControl::Cut", Range::Above(0, 1)},
        {"oversubscription",
         "Ratio of host to core capacity; that of edge and of aggregation switches is its square "
         "root.",
         o.oversubscription,
         Range{1, 100}},
        {"mark", "StepMarker::Threshold", ByteRange{}, UintegerValue(20000)},
        {"reordering", "Measure how far out of place segments arrive.", o.reordering},
        {"arrivals", "Period in which flows start.", o.arrivals, Range::Above(0)},
        {"long-rate", "Total number of long flows per second; 0: none.", o.longRate, Range{0}},
        {"short-rate", "Total number of short flows per second; 0: none.", o.shortRate, Range{0}},
        {"query-rate", "Queries per second; 0: none.", o.queryRate, Range{0}},
        {"incast-senders", "Hosts that answer a query.", o.fanIn, Range{1}},
        {"long-bytes", "Payload of a long flow, in bytes.", o.longBytes, ByteRange{1}},
        {"tcp", "A TcpCongestionOps of ns-3: TcpLinuxReno, TcpDctcp...", o.tcp},
        {"min-rto", "Minimum timeout of TCP, also the first one of a SYN.", o.minRto, Range{0.001}},
        {"initial-window", "TcpFlows::InitialWindow", Range{1}, UintegerValue(3)},
        {"duplicate-acks", "TcpFlows::DuplicateAcks", Range(), UintegerValue(20)},
    });
    experiment.SetsAttribute("scenario", "SharedProcessor::Rate");
    experiment.SetsAttribute("scenario", "DwrrScheduler::StrictClasses");
    experiment.SetsAttribute("memory", "CapfcFlowControl::Warn");
    experiment.SetsAttribute("memory", "CapfcFlowControl::Xoff");
    experiment.SetsAttribute("memory", "CapfcFlowControl::Xon");
    experiment.SetsAttribute("tcp", "TcpFlows::Variant");
    experiment.SetsAttribute("min-rto", "TcpFlows::MinRto");
    experiment.SetsAttribute("min-rto", "TcpFlows::ConnectTimeout");
    experiment.Parse(argc, argv);
}

/// @return the congestion control of TCP
TypeId
CheckOptions(const Experiment& experiment, const Options& o)
{
    experiment.RequireUse({"long-bytes"}, o.longRate > 0, "--long-rate above 0");
    experiment.RequireUse({"incast-senders"}, o.queryRate > 0, "--query-rate above 0");
    experiment.RequireFit(o.fatTree.Check(), "the fat-tree: ");
    const auto variant = FindTcpVariant(o.tcp);
    experiment.Require(variant.has_value(),
                       "--tcp is \"" + o.tcp +
                           "\"; it must be a TcpCongestionOps of ns-3, as TcpDctcp");
    return *variant;
}

Topology
MakeTopology(const Options& o)
{
    const auto divide = [&o](double by) {
        return DataRate(static_cast<uint64_t>(std::llround(o.fatTree.hostRate.GetBitRate() / by)));
    };
    FatTreeOptions fatTree = o.fatTree;
    fatTree.fabricRate = divide(std::sqrt(o.oversubscription));
    fatTree.coreRate = divide(o.oversubscription);
    return Topology::FatTree(fatTree);
}

SwitchHelper
MakeSwitches(const Experiment& experiment, const Options& o)
{
    SwitchHelper switches = experiment.MakeSwitchHelper();
    switches.SetAttribute("LosslessClasses",
                          UintegerValue(1U << LONG_CLASS | 1U << SHORT_CLASS | 1U << QUERY_CLASS));
    switches.SetProcessor("ns3::lossless::SharedProcessor",
                          "Rate",
                          DoubleValue(o.GetScenario().processorRate));
    switches.SetScheduler("ns3::lossless::DwrrScheduler",
                          "StrictClasses",
                          UintegerValue(o.GetScenario().strict | SetOf(CONTROL_PRIORITY)),
                          "Quantum",
                          UintegerValue(1500));
    switches.SetMarker("ns3::lossless::StepMarker");
    if (o.memory == "shared")
    {
        switches.SetPolicyAttributeIfPresent("PoolBytes", UintegerValue(350000));
        switches.SetPolicyAttributeIfPresent("IngressXoff", UintegerValue(30000));
        switches.SetPolicyAttributeIfPresent("IngressXon", UintegerValue(20000));
        switches.SetFlowControlAttributeIfPresent("Warn", UintegerValue(35000));
        switches.SetFlowControlAttributeIfPresent("Xoff", UintegerValue(50000));
        switches.SetFlowControlAttributeIfPresent("Xon", UintegerValue(35000));
    }
    return switches;
}

FlowList
MakeFlows(const Topology& topology, const Options& o)
{
    const auto set =
        [&o](auto& kind, const char* group, uint8_t priority, uint64_t bytes, double rate) {
            kind.group = group;
            kind.priorities = {priority};
            kind.sizes = FlowSizeTable::Fixed(bytes);
            kind.load = rate > 0 ? kind.load : 0;
            kind.rate = rate;
            kind.duration = o.arrivals;
        };
    PoissonOptions longFlows;
    set(longFlows, "long", LONG_CLASS, o.longBytes, o.longRate);
    PoissonOptions shortFlows;
    set(shortFlows, "short", SHORT_CLASS, o.GetScenario().shortBytes, o.shortRate);
    FanInOptions queries;
    set(queries, "query", QUERY_CLASS, o.GetScenario().queryBytes, o.queryRate);
    queries.minSenders = queries.maxSenders = o.fanIn;
    return DrawFlows(topology, {longFlows, shortFlows, queries});
}

Ptr<TcpFlows>
MakeTcp(const Options& o, TypeId variant)
{
    auto tcp = CreateObject<TcpFlows>();
    tcp->SetAttribute("Variant", TypeIdValue(variant));
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
    ReadOptions(experiment, options, argc, argv);
    const TypeId variant = CheckOptions(experiment, options);

    Fabric fabric(MakeTopology(options), MakeSwitches(experiment, options));
    fabric.AssignStreams(1);
    fabric.InstallInternetStack();
    fabric.ResolveAddresses();
    const Ptr<TcpFlows> tcp = MakeTcp(options, variant);
    const FlowList flows = MakeFlows(fabric.GetTopology(), options);
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
