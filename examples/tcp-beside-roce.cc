// SPDX-License-Identifier: GPL-2.0-only
//
// How do ns-3's TCP and RoCE share a bottleneck?
//
//   h0 ---+            +--- h2
//         s0 -------- s1            identical links; s0 -> s1 is the bottleneck
//   h1 ---+            +--- h3
//
// h0 sends to h2 and h1 sends to h3, both over TCP in class 1 and over RoCE in class 3. DWRR
// divides the bottleneck between the classes. RoCE's class is lossless; TCP's class is lossless
// only with --tcp-lossless.
//
//   tcp-beside-roce --tcp=TcpDctcp --output=results/dctcp
//   tcp-beside-roce --tcp=TcpLinuxReno --ecn=false
//   tcp-beside-roce --tcp-lossless --scheme=DSH
//
// flows.csv contains the flows of both kinds. TCP flow completion times include address resolution,
// which takes up to 20 ms in ns-3.

#include "ns3/core-module.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/tcp-flows.h"

#include <string>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

constexpr uint8_t TCP_CLASS = 1;
constexpr uint8_t ROCE_CLASS = 3;

struct Options
{
    std::string tcp{"TcpDctcp"};
    bool tcpLossless{false};
    uint32_t tcpFlows{4};
    uint64_t bytes{5000000};
    DataRate rate{"10Gbps"};
    Time roceStart{MilliSeconds(25)};
};

void
AddOptions(Experiment& experiment, Options& o)
{
    experiment.AddValues({
        {"tcp", "A TcpCongestionOps of ns-3: TcpDctcp, TcpLinuxReno...", o.tcp},
        {"ecn", "TcpFlows::Ecn", Range(), BooleanValue(true)},
        {"tcp-lossless", "Whether TCP's class is under flow control, too.", o.tcpLossless},
        {"mark", "StepMarker::Threshold", ByteRange{}, UintegerValue(98410)},
        {"tcp-flows", "Number of TCP flows.", o.tcpFlows, Range{0, 100000}},
        {"bytes", "Size of each flow, in bytes.", o.bytes, ByteRange{1}},
        {"buffer", "SharedBuffer::Size", ByteRange{1}, UintegerValue(4000000)},
        {"rate", "Rate of every link.", o.rate, Range::Above(0)},
        {"roce-start", "Start of the RoCE flows.", o.roceStart},
    });
    experiment.SetsAttribute("tcp", "TcpFlows::Variant");
    experiment.SetsAttribute("tcp-lossless", "SwitchNode::LosslessClasses");
}

void
CheckOptions(const Experiment& experiment, const Options& o)
{
    experiment.RequireFit(CheckTcpVariant(o.tcp), "--tcp is ");
    experiment.RequireUse({"ecn"},
                          o.tcp != "TcpDctcp",
                          "a --tcp other than TcpDctcp, which always negotiates it");
}

/// @param firstId the ID of the first flow
/// @param count the number of flows, which go alternately from h0 to h2 and from h1 to h3
FlowList
MakeFlows(uint64_t firstId, uint32_t count, uint8_t priority, const Options& o, Time start)
{
    const std::string group = priority == TCP_CLASS ? "tcp" : "roce";
    FlowList flows;
    for (uint32_t i = 0; i < count; ++i)
    {
        flows.push_back({firstId + i, i % 2, 2 + i % 2, priority, o.bytes, start, group});
    }
    return flows;
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__, "TCP and RoCE share a bottleneck, each in its class.");
    experiment.OfferRanks();
    Options options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    CheckOptions(experiment, options);

    SwitchHelper switches = experiment.MakeSwitchHelper();
    switches.SetAttribute("LosslessClasses",
                          UintegerValue(1U << ROCE_CLASS | options.tcpLossless << TCP_CLASS));
    switches.SetMarker("ns3::lossless::StepMarker");
    const LineOptions line{{2, 2}, options.rate, options.rate};
    Fabric fabric(Topology::Line(line), switches);
    fabric.InstallInternetStack();
    experiment.GetResults().AddFabric(fabric);

    auto tcp = CreateObject<TcpFlows>();
    tcp->SetAttribute("Variant", StringValue("ns3::" + options.tcp));
    experiment.GetResults().AddNic(tcp);
    fabric.StartFlows(MakeFlows(0, 2, ROCE_CLASS, options, options.roceStart));
    fabric.StartTcpFlows(tcp, MakeFlows(2, options.tcpFlows, TCP_CLASS, options, Time(0)));

    experiment.Run(Seconds(1));
    return experiment.Finish();
}
