// SPDX-License-Identifier: GPL-2.0-only
//
// How large a burst can a switch absorb before it pauses the senders? (DSH, Sec. V-A, Fig. 11)
//
//   ports 0, 1    background at line rate, class 2   ---> last port
//   ports 2 .. 17 one burst each, class 1            ---> second-to-last port
//
// The background fills its two ingress queues to their thresholds. Then 16 ports send a burst to
// one port at the same time; its size includes headers, as counted by the switch. The output states
// whether these ports were paused, and pauses.csv lists each pause.
//
//   burst-absorption --scheme=SIH --burst-share=9
//   burst-absorption --scheme=DSH --burst-share=35 --output=results/dsh-35
//
// With --load, each sender has its own egress port, whose link is slower than the sender's, as
// Theorems 1 and 2 of the paper assume (Sec. IV-C). The receivers' ports follow those of the
// senders, in the same order.
//
//   burst-absorption --load=2 --background-senders=4 --incast-senders=4 --pause-events

#include "ns3/core-module.h"
#include "ns3/dsh-parameters.h"
#include "ns3/lossless-fabric.h"
#include "ns3/pause-recorder.h"
#include "ns3/ranks.h"
#include "ns3/raw-source.h"

#include <iostream>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

constexpr uint8_t BURST_CLASS = 1;
constexpr uint8_t BACKGROUND_CLASS = 2;

/// Makes the first hosts send frames at line rate indefinitely.
void
StartBackground(const Fabric& fabric, const DshBurst& burst, uint32_t frameBytes)
{
    for (uint32_t sender = 0; burst.background && sender < burst.backgroundSenders; ++sender)
    {
        auto source = CreateObject<RawSource>();
        source->SetAttribute("Priority", UintegerValue(BACKGROUND_CLASS));
        source->SetAttribute("FrameBytes", UintegerValue(frameBytes));
        fabric.InstallSink(burst.GetReceiver(sender));
        fabric.InstallSource(source, sender, burst.GetReceiver(sender));
    }
}

/// @return the burst: one flow from each of its senders
FlowList
MakeBurst(const Fabric& fabric, const DshBurst& burst, uint32_t payload)
{
    const auto buffer = static_cast<double>(fabric.GetSwitch(0)->GetSharedBuffer()->GetSize());
    const double bytes = burst.share / 100 * buffer / burst.senders;
    const auto packets = static_cast<uint64_t>(bytes / RoceNic::GetFrameBytes(payload));
    const uint64_t size = std::max<uint64_t>(1, packets) * payload;
    FlowList flows;
    for (uint32_t i = 0; i < burst.senders; ++i)
    {
        const uint32_t from = burst.backgroundSenders + i;
        const uint32_t to = burst.GetReceiver(from);
        flows.push_back({i, from, to, BURST_CLASS, size, burst.start, "burst"});
    }
    return flows;
}

/// Prints how the switch handled the burst.
void
Tell(const PauseRecorder& recorder, const DshBurst& burst)
{
    const uint32_t end = burst.backgroundSenders + burst.senders;
    PauseRecord sum;
    for (const PauseRecord& record : recorder.GetPauses())
    {
        if (Index(record.port) >= burst.backgroundSenders && Index(record.port) < end)
        {
            sum.pauses += record.pauses;
            sum.paused += record.paused;
        }
    }
    std::cerr << "A burst of " << burst.share << " % of the buffer: " << sum.pauses
              << (sum.pauses == 1 ? " PAUSE" : " PAUSEs") << " at its " << burst.senders
              << " ports, " << sum.paused.ToDouble(Time::US) << " us in all." << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(
        __FILE__,
        "How large a burst does a switch absorb before it pauses the senders? (DSH, Fig. 11)");
    experiment.OfferRanks();
    DshParameters network;
    DshBurst burst;
    network.AddOptions(experiment);
    burst.AddOptions(experiment);
    experiment.Parse(argc, argv);
    burst.Check(experiment);

    Fabric fabric(burst.MakeTopology(network),
                  network.MakeSwitches(experiment),
                  experiment.MakeNicFactory());
    StartBackground(fabric, burst, RoceNic::GetFrameBytes(network.payload));
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(MakeBurst(fabric, burst, network.payload));
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    if (Ranks::IsFirst())
    {
        Tell(*experiment.GetResults().Get<PauseRecorder>(), burst);
    }
    return experiment.Finish();
}
