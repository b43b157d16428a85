// SPDX-License-Identifier: GPL-2.0-only
//
// How large a burst can a switch absorb before it pauses the senders? (DSH, Sec. V-A, Fig. 11)
//
//   port 0, 1     background at line rate, class 2   ---> last port
//   port 2 .. 17  one burst each, class 1            ---> second last port
//
// The background fills its two ingress queues to their thresholds. Then 16 ports send a burst to
// one port at the same time. The output states whether these ports were paused, and pauses.csv
// lists each pause.
//
//   burst-absorption --scheme=SIH --burst-share=9
//   burst-absorption --scheme=DSH --burst-share=35 --output=results/dsh-35
//
// With --load, each sender has an egress port to itself, whose link is slower than that of the
// sender: the premise of the paper's Theorems 1 and 2 (Sec. IV-C). The first sender leads to the
// first port behind all senders.
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

/// Parameters, with the paper's values.
struct Options
{
    DshParameters network;
    uint32_t ports{32};    ///< number of ports of the switch
    double burstShare{40}; ///< burst size, in percent of the buffer
    uint32_t fanIn{16};    ///< number of ports that send the burst
    bool background{true}; ///< whether the background flows start with the run
    uint32_t congested{2}; ///< number of background flows
    double load{0};        ///< rate of a sender over that of its own egress port; 0: as in Fig. 11
    Time burstStart{Seconds(0.1)};

    /// @return the port behind those of all senders
    uint32_t GetFirstReceiver() const
    {
        return congested + fanIn;
    }

    /// @return the egress port of a sender's flow
    uint32_t GetReceiver(uint32_t sender) const
    {
        if (load > 0)
        {
            return GetFirstReceiver() + sender;
        }
        return sender < congested ? ports - 1 : ports - 2;
    }
};

constexpr uint8_t BURST_CLASS = 1;
constexpr uint8_t BACKGROUND_CLASS = 2;

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.AddOptions(experiment);
    experiment.AddValues({
        {"ports", "Ports of the switch.", o.ports, Range{5}},
        {"burst-share",
         "Size of the burst, all senders together, in per cent of the buffer.",
         o.burstShare,
         Range::Above(0, 1000)},
        {"incast-senders",
         "Ports that send the burst, behind the background's.",
         o.fanIn,
         Range{1}},
        {"background", "Let the background's ports send all the time.", o.background},
        {"background-senders", "Ports of the background, from port 0 on.", o.congested, Range{0}},
        {"load",
         "Rate of each sender by that of an egress port that its flow has to itself; 0: all bursts "
         "go to one port, and the background to another.",
         o.load,
         Range{0, 1000}},
        {"burst-start", "When the burst comes.", o.burstStart, Range{0}},
    });
    experiment.SetsAttribute("payload", "RawSource::FrameBytes");
}

void
CheckOptions(const Experiment& experiment, const Options& o)
{
    const uint64_t senders = uint64_t{o.congested} + o.fanIn;
    experiment.Require(o.ports >= (o.load > 0 ? 2 * senders : senders + 2),
                       "--ports must be at least 2 more than --background-senders and "
                       "--incast-senders; with --load, twice as many as these");
}

/// @return a star; with a load, the links of the receivers are slower than those of the senders
Topology
MakeTopology(const Options& o)
{
    if (o.load == 0)
    {
        return Topology::Star({o.ports, o.network.rate, o.network.delay});
    }
    const auto bits = static_cast<double>(o.network.rate.GetBitRate());
    const DataRate slow(static_cast<uint64_t>(std::llround(bits / o.load)));
    Topology topology;
    const uint32_t node = topology.AddSwitch("s0");
    for (uint32_t port = 0; port < o.ports; ++port)
    {
        const DataRate rate = port < o.GetFirstReceiver() ? o.network.rate : slow;
        topology.AddLink(topology.AddHost("h" + std::to_string(port)), node, rate, o.network.delay);
    }
    return topology;
}

/// Makes two hosts send at line rate indefinitely.
void
StartBackground(const Fabric& fabric, const Options& o)
{
    for (uint32_t sender = 0; sender < o.congested; ++sender)
    {
        const uint32_t receiver = o.GetReceiver(sender);
        if (sender == 0 || o.load > 0) // otherwise there is one receiver
        {
            auto sink = CreateObject<RawSink>();
            sink->Install(fabric.GetHostDevice(receiver), fabric.GetAddress(receiver));
        }
        auto source = CreateObject<RawSource>();
        source->SetAttribute("Priority", UintegerValue(BACKGROUND_CLASS));
        source->SetAttribute("FrameBytes",
                             UintegerValue(RoceNic::GetFrameBytes(o.network.payload)));
        fabric.InstallSource(source, sender, receiver);
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
    for (uint32_t i = 0; i < o.fanIn; ++i)
    {
        const uint32_t sender = o.congested + i;
        flows.push_back(
            {i, sender, o.GetReceiver(sender), BURST_CLASS, size, o.burstStart, "burst"});
    }
    return flows;
}

/// Reports how the switch handled the burst.
void
Tell(Experiment& experiment, const Options& o)
{
    if (!Ranks::IsFirst())
    {
        return;
    }
    uint64_t pauses = 0;
    Time paused;
    for (const PauseRecord& record : experiment.GetResults().Get<PauseRecorder>()->GetPauses())
    {
        const bool isOfBurst =
            Index(record.port) >= o.congested && Index(record.port) < o.GetFirstReceiver();
        pauses += isOfBurst ? record.pauses : 0;
        paused += isOfBurst ? record.paused : Time(0);
    }
    std::cerr << "A burst of " << o.burstShare << " % of the buffer: " << pauses
              << (pauses == 1 ? " PAUSE" : " PAUSEs") << " at its " << o.fanIn << " ports, "
              << paused.ToDouble(Time::US) << " us in all." << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "How large a burst does a switch absorb before it pauses the senders? "
                          "(DSH, Fig. 11)");
    experiment.OfferRanks();
    Options options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    CheckOptions(experiment, options);

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
    Tell(experiment, options);
    return experiment.Finish();
}
