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
// The burst size includes headers, as counted by the switch.

#include "parts/dsh-network.h"

#include "ns3/core-module.h"
#include "ns3/lossless-fabric.h"
#include "ns3/pause-recorder.h"
#include "ns3/ranks.h"
#include "ns3/raw-source.h"

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
    bool background{true}; ///< whether two flows start with the run
    Time burstStart{Seconds(0.1)};
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
        {"incast-senders", "Ports that send the burst, from port 2 on.", o.fanIn, Range{1}},
        {"background", "Let ports 0 and 1 send all the time.", o.background},
        {"burst-start", "When the burst comes.", o.burstStart, Range{0}},
    });
    experiment.SetsAttribute("payload", "RawSource::FrameBytes");
}

void
CheckOptions(const Experiment& experiment, const Options& o)
{
    experiment.Require(o.fanIn <= o.ports - 4,
                       "--ports must be at least 4 more than --incast-senders");
}

/// Makes two hosts send at line rate indefinitely.
void
StartBackground(const Fabric& fabric, const Options& o)
{
    const uint32_t receiver = o.ports - 1;
    auto sink = CreateObject<RawSink>();
    sink->Install(fabric.GetHostDevice(receiver), fabric.GetAddress(receiver));
    for (uint32_t sender = 0; sender < 2; ++sender)
    {
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
        flows.push_back({i, 2 + i, o.ports - 2, BURST_CLASS, size, o.burstStart, "burst"});
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
        const bool isOfBurst = Index(record.port) >= 2 && Index(record.port) < 2 + o.fanIn;
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

    const StarOptions star{options.ports, options.network.rate, options.network.delay};
    Fabric fabric(Topology::Star(star),
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
