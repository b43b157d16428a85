// SPDX-License-Identifier: GPL-2.0-only
//
// How does a burst to one receiver affect a flow to another? (DSH, Sec. V-A, Fig. 13)
//
//   H0 \              / R0       F0: H0 -> R0, innocent
//       S0 -------- S1           F1: H1 -> R1
//   H1 /            | \ R1       fan-in: H2 .. H25 -> R1, all at once
//                   H2 .. H25
//
// When the burst arrives, F0 and F1 each use half of the link between the switches. If S1 then
// pauses S0, F0 stops too, because all flows are in one class. throughput.csv contains the
// forwarding rate of each flow at S1 in windows of 10 us. Both switches have 32 ports, each with
// headroom; the hosts at the other ports are idle. The long flows never end, so the outcome is
// "unfinished" by design.
//
//   collateral-damage --scheme=SIH --output=results/sih
//   collateral-damage --scheme=DSH --congestion-control=DCQCN

#include "ns3/core-module.h"
#include "ns3/dsh-parameters.h"
#include "ns3/lossless-fabric.h"
#include "ns3/throughput-recorder.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters, with the paper's values where stated.
struct Options
{
    DshParameters network;
    uint32_t ports{32};
    uint32_t fanIn{24};
    uint64_t burstBytes{65536};
    Time burstStart{MilliSeconds(1)};
    Time duration{MilliSeconds(2)};
    Time window{MicroSeconds(10)};
};

constexpr uint8_t CLASS = 1;

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.AddOptions(experiment);
    experiment.AddValues({
        {"ports", "Ports of each switch.", o.ports, Range{4, 1024}},
        {"incast-senders", "Senders of the burst.", o.fanIn, Range{1}},
        {"burst-bytes",
         "Payload that each sender of the burst sends, in bytes.",
         o.burstBytes,
         ByteRange{1}},
        {"burst-start", "Start of the burst.", o.burstStart, Range{0}},
        {"stop", "Length of the run.", o.duration},
        {"window", "Length of a window of throughput.csv.", o.window, Range::Above(0)},
    });
}

/// H0 and H1 are hosts 0 and 1; R0, R1, H2, ... are the first hosts of S1, in this order.
/// @return F0, F1, and the flows of the burst
FlowList
MakeFlows(const Topology& topology, const Options& o)
{
    const uint32_t r0 = o.ports - 1;
    const uint32_t r1 = r0 + 1;
    // No flow of this size ends during the run, because a link needs twice as long to carry it.
    const auto endless = static_cast<uint64_t>(2 * (o.network.rate * o.duration) / 8);
    FlowList flows{{0, 0, r0, CLASS, endless, Time(0), "F0"},
                   {0, 1, r1, CLASS, endless, Time(0), "F1"}};
    for (uint32_t i = 0; i < o.fanIn; ++i)
    {
        flows.push_back({0, r1 + 1 + i, r1, CLASS, o.burstBytes, o.burstStart, "fan-in"});
    }
    return FixedFlows(flows, topology);
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "How does a burst to one receiver affect another flow? (DSH, Fig. 13)");
    experiment.OfferCongestionControl();
    experiment.OfferRanks();
    Options options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    experiment.Require(options.fanIn <= options.ports - 3,
                       "--ports must be at least 3 more than --incast-senders");
    experiment.Require(options.duration > options.burstStart, "--stop must be above --burst-start");
    experiment.Require(options.window <= options.duration, "--window must be at most --stop");

    // Each of the two switches has a host at every port except the one to the other switch.
    const uint32_t hosts = options.ports - 1;
    const LineOptions line{{hosts, hosts}};
    Fabric fabric(Topology::Line(WithLinks(line, options.network.rate, options.network.delay)),
                  options.network.MakeSwitches(experiment),
                  experiment.MakeNicFactory());
    fabric.AssignStreams(1);
    fabric.SetBaseRtt(1, fabric.GetNHosts() - 1);
    const FlowList flows = MakeFlows(fabric.GetTopology(), options);
    ThroughputRecorder throughput(options.window);
    for (const FlowSpec& flow : flows)
    {
        const std::string burst = "H" + std::to_string(flow.source - hosts);
        throughput.WatchFlow(flow.group == "fan-in" ? burst : flow.group,
                             fabric.GetSwitch("s1"),
                             fabric.GetAddress(flow.source),
                             fabric.GetAddress(flow.destination));
    }
    experiment.GetResults().AddFabric(fabric);
    experiment.GetResults().AddTable("throughput", [&] { return throughput.GetFlowTable(); });
    fabric.StartFlows(flows);

    experiment.Run(options.duration);
    return experiment.Finish();
}
