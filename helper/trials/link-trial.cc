// SPDX-License-Identifier: GPL-2.0-only
#include "link-trial.h"

#include "ns3/config.h"
#include "ns3/listen-to.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-net-device.h"
#include "ns3/raw-source.h"
#include "ns3/simulator.h"
#include "ns3/switch-node.h"
#include "ns3/transmit-gate.h"
#include "ns3/uinteger.h"

namespace ns3::lossless
{

namespace
{

/// Class of the frames.
constexpr uint8_t LINK_CLASS = 3;

/// Blocks all frames until it is opened.
class Valve : public TransmitGate
{
  public:
    Valve()
    {
        Held(Layer::SCHEME) = ALL_PRIORITIES;
        Publish();
    }

    void Open()
    {
        Held(Layer::SCHEME) = 0;
        Publish();
    }

  private:
    bool Apply(const Frame& /* frame */) override
    {
        return true; // The receiver does not control this gate.
    }
};

/// @param most a number for which `works` returns true
/// @param works a function that returns false up to some number and true beyond it
/// @return the smallest number for which `works` returns true, found by bisection
uint64_t
FindLeast(uint64_t most, const std::function<bool(uint64_t)>& works)
{
    uint64_t least = 1;
    while (least < most)
    {
        const uint64_t middle = (least + most) / 2;
        const bool isEnough = works(middle);
        (isEnough ? most : least) = isEnough ? middle : middle + 1;
    }
    return most;
}

/// @return a number of bytes that is sufficient for any trial
uint64_t
GetPlenty(const HeadroomLink& link)
{
    const double bits = 2 * link.GetDelay().GetSeconds() * link.rate.GetBitRate();
    return static_cast<uint64_t>(bits / 8) + 8 * link.GetLargestFrame() + 40000;
}

/// @return a switch and two hosts, of which the first one is at the other end of the link
Fabric
MakeLinkNetwork(const Experiment& experiment,
                const HeadroomLink& link,
                const std::function<void(SwitchHelper&)>& set)
{
    Config::SetDefault("ns3::lossless::LosslessNetDevice::Mtu", UintegerValue(link.mtu));
    Topology topology;
    const uint32_t node = topology.AddSwitch("s");
    topology.AddLink(topology.AddHost("sender"), node, link.rate, link.GetDelay());
    topology.AddLink(topology.AddHost("receiver"), node, link.rate, Time(0));
    SwitchHelper switches = experiment.MakeSwitchHelper();
    switches.SetAttribute("LosslessClasses", UintegerValue(1 << LINK_CLASS));
    switches.SetBufferAttribute("Size", UintegerValue(100 * GetPlenty(link) + 10000000));
    set(switches);
    ObjectFactory nics("ns3::lossless::RoceNic");
    nics.Set("PayloadBytes", UintegerValue(1)); // unused, but valid for any MTU
    return Fabric(topology, switches, nics);
}

} // namespace

LinkOutcome
RunLinkTrial(Experiment& experiment,
             const HeadroomLink& link,
             const std::function<void(SwitchHelper&)>& set)
{
    const Fabric fabric = MakeLinkNetwork(experiment, link, set);
    const uint32_t frame = link.GetLargestFrame();
    const Time frameTime = link.GetFrameTime(frame);
    auto source = CreateObject<RawSource>();
    source->SetAttribute("FrameBytes", UintegerValue(frame));
    source->SetAttribute("Priority", UintegerValue(LINK_CLASS));
    fabric.InstallSource(source, 0, 1);
    const Ptr<LosslessNetDevice> out = fabric.GetHostDevice(1)->GetPeer();
    auto valve = CreateObject<Valve>();
    const Time rest =
        4 * link.GetDelay() + TimeStep(4 * GetPlenty(link) / frame * frameTime.GetTimeStep());
    const Time end = rest + 10 * link.GetDelay() + 400 * frameTime;
    Time due = Time::Max(); // latest time at which the next frame starts if the wire is never idle
    bool isFull = true;
    Simulator::ScheduleNow([&] { out->SetGate(valve); });
    Simulator::Schedule(rest, [&] {
        ListenTo(*out, "PhyTxBegin", [&](Ptr<const Packet>) {
            isFull = isFull && Simulator::Now() <= due;
            due = Simulator::Now() + frameTime + TimeStep(1);
        });
        valve->Open();
    });
    Simulator::Stop(end);
    experiment.Run();
    const bool isLossless = fabric.GetSwitch(0)->GetCounts().losslessDropped == 0;
    Simulator::Destroy();
    return {isLossless, isFull && due >= end};
}

PfcNeed
FindPfcNeed(Experiment& experiment, const HeadroomLink& link)
{
    const auto run = [&](uint64_t headroom, uint64_t threshold) {
        return RunLinkTrial(experiment, link, [&](SwitchHelper& switches) {
            switches.SetPolicyAttribute("HeadroomBytes", UintegerValue(headroom));
            switches.SetPolicyAttribute("Xoff", UintegerValue(threshold));
            switches.SetPolicyAttribute("Xon", UintegerValue(threshold));
        });
    };
    const uint64_t plenty = GetPlenty(link);
    return {FindLeast(plenty, [&](uint64_t bytes) { return run(bytes, plenty).isLossless; }),
            FindLeast(plenty, [&](uint64_t bytes) { return run(plenty, bytes).isFull; })};
}

uint64_t
FindCreditNeed(Experiment& experiment, const HeadroomLink& link)
{
    constexpr uint32_t CREDIT_BYTES = 128;
    const uint64_t least = (link.GetLargestFrame() + 4 + CREDIT_BYTES - 1) / CREDIT_BYTES;
    const auto isEnough = [&](uint64_t credits) {
        const auto set = [credits](SwitchHelper& switches) {
            switches.SetFlowControlAttribute("ChannelCredits", UintegerValue(credits));
        };
        return credits >= least && RunLinkTrial(experiment, link, set).isFull;
    };
    return FindLeast(2 * GetPlenty(link) / CREDIT_BYTES, isEnough) * CREDIT_BYTES;
}

} // namespace ns3::lossless
