// SPDX-License-Identifier: GPL-2.0-only
//
// How large a burst can a switch absorb before it pauses the senders? (DSH, Sec. V-A, Fig. 11)
//
//   ports 0, 1    background at line rate, class 2   ---> last port
//   ports 2 .. 17 one burst each, class 1            ---> second-to-last port
//
// The background fills its two ingress queues to their thresholds. Then 16 ports send a burst to
// one port at the same time. The output states whether these ports were paused, and pauses.csv
// lists each pause.
//
//   burst-absorption --scheme=SIH --burst-share=9
//   burst-absorption --scheme=DSH --burst-share=35 --output=results/dsh-35
//
// With --load, each sender has its own egress port, whose link is slower than the sender's, as
// Theorems 1 and 2 of the paper assume (Sec. IV-C). The receivers' ports follow those of the
// senders, in the same order.
//
//   burst-absorption --load=2 --background-senders=4 --incast-senders=4 --pause-events
//   --output=results/theorem
//
// The burst size includes headers, as counted by the switch.

#include "parts/dsh-network.h"

#include "ns3/core-module.h"
#include "ns3/lossless-fabric.h"
#include "ns3/pause-recorder.h"
#include "ns3/ranks.h"
#include "ns3/raw-source.h"

#include <cmath>
#include <iostream>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

constexpr uint8_t BURST_CLASS = 1;
constexpr uint8_t BACKGROUND_CLASS = 2;

/// Parameters, with the paper's values.
struct Options
{
    DshParameters network;
    uint32_t ports{32};
    double burstShare{40};
    uint32_t fanIn{16}; ///< number of ports that send the burst
    bool background{true};
    uint32_t congested{2}; ///< number of background flows
    double load{0};
    Time burstStart{Seconds(0.1)};

    /// @return the first port after those of the senders
    uint32_t GetFirstReceiver() const
    {
        return congested + fanIn;
    }

    /// @return the egress port of a sender's flow
    uint32_t GetReceiver(uint32_t sender) const
    {
        const uint32_t shared = sender < congested ? ports - 1 : ports - 2;
        return load > 0 ? GetFirstReceiver() + sender : shared;
    }
};

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.AddOptions(experiment);
    experiment.AddValues({
        {"ports", "Ports of the switch.", o.ports, Range{5}},
        {"burst-share",
         "Size of the burst of all senders together, in per cent of the buffer.",
         o.burstShare,
         Range::Above(0, 1000)},
        {"incast-senders",
         "Ports that send the burst, after those of the background.",
         o.fanIn,
         Range{1}},
        {"background", "Let the background's ports send continuously.", o.background},
        {"background-senders", "Ports of the background, from port 0 on.", o.congested, Range{0}},
        {"load",
         "Rate of each sender divided by that of an egress port that its flow has to itself; 0: "
         "all bursts go to one port, and the background to another.",
         o.load,
         Range{0, 1000}},
        {"burst-start", "Start of the burst.", o.burstStart, Range{0}},
    });
    experiment.SetsAttribute("payload", "RawSource::FrameBytes");
}

/// @return a star; if a load is set, the links of receivers are slower than those of senders
Topology
MakeTopology(const Options& o)
{
    const double ratio = o.load > 0 ? o.load : 1;
    const DataRate slow(static_cast<uint64_t>(std::llround(o.network.rate.GetBitRate() / ratio)));
    Topology topology;
    const uint32_t node = topology.AddSwitch("s0");
    for (uint32_t port = 0; port < o.ports; ++port)
    {
        const DataRate rate = port < o.GetFirstReceiver() ? o.network.rate : slow;
        topology.AddLink(topology.AddHost("h" + std::to_string(port)), node, rate, o.network.delay);
    }
    return topology;
}

/// Makes hosts send at line rate indefinitely.
void
StartBackground(const Fabric& fabric, const Options& o)
{
    for (uint32_t sender = 0; sender < o.congested; ++sender)
    {
        auto source = CreateObject<RawSource>();
        source->SetAttribute("Priority", UintegerValue(BACKGROUND_CLASS));
        source->SetAttribute("FrameBytes",
                             UintegerValue(RoceNic::GetFrameBytes(o.network.payload)));
        fabric.InstallSink(o.GetReceiver(sender));
        fabric.InstallSource(source, sender, o.GetReceiver(sender));
    }
}

FlowList
MakeBurst(const Fabric& fabric, const Options& o)
{
    const auto buffer = static_cast<double>(fabric.GetSwitch(0)->GetSharedBuffer()->GetSize());
    const double bytes = o.burstShare / 100 * buffer / o.fanIn;
    const auto packets = static_cast<uint64_t>(bytes / RoceNic::GetFrameBytes(o.network.payload));
    const uint64_t size = std::max<uint64_t>(1, packets) * o.network.payload;
    FlowList flows;
    for (uint32_t from = o.congested; from < o.GetFirstReceiver(); ++from)
    {
        const uint32_t to = o.GetReceiver(from);
        flows.push_back({flows.size(), from, to, BURST_CLASS, size, o.burstStart, "burst"});
    }
    return flows;
}

/// Prints how the switch handled the burst.
void
Tell(const PauseRecorder& recorder, const Options& o)
{
    uint64_t pauses = 0;
    Time paused;
    for (const PauseRecord& record : recorder.GetPauses())
    {
        if (Index(record.port) >= o.congested && Index(record.port) < o.GetFirstReceiver())
        {
            pauses += record.pauses;
            paused += record.paused;
        }
    }
    std::cerr << "A burst of " << o.burstShare << " % of the buffer: " << pauses
              << (pauses == 1 ? " PAUSE" : " PAUSEs") << " at its " << o.fanIn << " ports, "
              << paused.ToDouble(Time::US) << " us in all." << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(
        __FILE__,
        "How large a burst does a switch absorb before it pauses the senders? (DSH, Fig. 11)");
    experiment.OfferRanks();
    Options options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    const uint64_t senders = uint64_t{options.congested} + options.fanIn;
    experiment.Require(options.ports >= (options.load > 0 ? 2 * senders : senders + 2),
                       "--ports must be at least 2 more than --background-senders and "
                       "--incast-senders; with --load, twice as many as these");

    Fabric fabric(MakeTopology(options),
                  options.network.MakeSwitches(experiment),
                  experiment.MakeNicFactory());
    if (options.background)
    {
        StartBackground(fabric, options);
    }
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(MakeBurst(fabric, options));
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    if (Ranks::IsFirst())
    {
        Tell(*experiment.GetResults().Get<PauseRecorder>(), options);
    }
    return experiment.Finish();
}
