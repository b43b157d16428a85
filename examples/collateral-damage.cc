// SPDX-License-Identifier: GPL-2.0-only
//
// How does a burst to one receiver affect a flow to another? (DSH, Sec. V-A, Fig. 13)
//
//   H0 \              / R0       F0: H0 -> R0, innocent
//       S0 -------- S1           F1: H1 -> R1
//   H1 /            | \ R1       fan-in: H2 .. H25 -> R1, all at once
//                   H2 .. H25
//
// F0 and F1 share the line between the switches, each at half its rate, when the burst arrives. If
// S1 then pauses S0, F0 stops too, because all flows are in one class. throughput.csv contains the
// forwarding rate of each flow at S1 in windows of 10 us. Both switches have 32 ports, each with
// headroom; the hosts at the other ports are idle.
//
//   collateral-damage --scheme=SIH --output=results/sih
//   collateral-damage --scheme=DSH --congestion-control=DCQCN
//
// The long flows never end, so the outcome is "unfinished" by design.

#include "parts/dsh-network.h"

#include "ns3/core-module.h"
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
    uint32_t ports{32};         ///< number of ports per switch
    uint32_t fanIn{24};         ///< number of hosts that send the burst
    uint64_t burstBytes{65536}; ///< number of bytes per sender
    Time burstStart{MilliSeconds(1)};
    Time duration{MilliSeconds(2)}; ///< duration of the run
    Time window{MicroSeconds(10)};  ///< length of the windows for throughput
};

constexpr uint8_t CLASS = 1;

// Host indices at each switch; the hosts of S0 come first.
constexpr uint32_t H0 = 0;
constexpr uint32_t H1 = 1;
constexpr uint32_t R0 = 0;
constexpr uint32_t R1 = 1;
constexpr uint32_t H2 = 2;

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.AddOptions(experiment);
    experiment.AddValues({
        {"ports", "Ports of each switch.", o.ports, Range{4, 1024}},
        {"incast-senders", "Senders of the burst.", o.fanIn, Range{1}},
        {"burst-bytes", "Payload that each of them sends, in bytes.", o.burstBytes, ByteRange{1}},
        {"burst-start", "When the burst comes.", o.burstStart, Range{0}},
        {"stop", "Length of the run.", o.duration},
        {"window", "Length of a window of throughput.csv.", o.window, Range::Above(0)},
    });
}

void
CheckOptions(const Experiment& experiment, const Options& o)
{
    experiment.Require(o.fanIn <= o.ports - 3,
                       "--ports must be at least 3 more than --incast-senders");
    experiment.Require(o.duration > o.burstStart, "--stop must be above --burst-start");
    experiment.Require(o.window <= o.duration, "--window must be at most --stop");
}

uint32_t
GetFirstRight(const Options& o)
{
    return o.ports - 1;
}

/// @return two switches with a host at each port except one
Topology
MakeLine(const Options& o)
{
    const LineOptions line{{o.ports - 1, o.ports - 1}};
    return Topology::Line(WithLinks(line, o.network.rate, o.network.delay));
}

FlowSpec
MakeFlow(uint32_t source, uint32_t destination, uint64_t bytes, Time start, std::string group)
{
    return {0, source, destination, CLASS, bytes, start, std::move(group)};
}

FlowList
MakeFlows(const Topology& topology, const Options& o)
{
    const uint32_t right = GetFirstRight(o);
    // This is the number of bytes that the link can carry in twice the duration. No host can send
    // this many.
    const double endless = 2 * o.duration.GetSeconds() * o.network.rate.GetBitRate() / 8;
    FlowList flows{MakeFlow(H0, right + R0, static_cast<uint64_t>(endless), Time(0), "F0"),
                   MakeFlow(H1, right + R1, static_cast<uint64_t>(endless), Time(0), "F1")};
    for (uint32_t i = 0; i < o.fanIn; ++i)
    {
        flows.push_back(MakeFlow(right + H2 + i, right + R1, o.burstBytes, o.burstStart, "fan-in"));
    }
    return FixedFlows(flows, topology);
}

void
Watch(const Fabric& fabric, const Options& o, ThroughputRecorder& throughput)
{
    const uint32_t right = GetFirstRight(o);
    const auto add = [&](const std::string& name, uint32_t source, uint32_t destination) {
        throughput.WatchFlow(name,
                             fabric.GetSwitch("s1"),
                             fabric.GetAddress(source),
                             fabric.GetAddress(right + destination));
    };
    add("F0", H0, R0);
    add("F1", H1, R1);
    for (uint32_t host = H2; host < H2 + o.fanIn; ++host)
    {
        add("H" + std::to_string(host), right + host, R1);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(
        __FILE__,
        "How does a burst to one receiver affect a flow to another? (DSH, Fig. 13)");
    experiment.OfferCongestionControl();
    experiment.OfferRanks();
    Options options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    CheckOptions(experiment, options);

    Fabric fabric(MakeLine(options),
                  options.network.MakeSwitches(experiment),
                  experiment.MakeNicFactory());
    fabric.AssignStreams(1);
    fabric.SetBaseRtt(H1, fabric.GetNHosts() - 1);
    ThroughputRecorder throughput(options.window);
    Watch(fabric, options, throughput);
    experiment.GetResults().AddFabric(fabric);
    experiment.GetResults().AddTable("throughput", [&] { return throughput.GetFlowTable(); });
    fabric.StartFlows(MakeFlows(fabric.GetTopology(), options));

    experiment.Run(options.duration);
    return experiment.Finish();
}
