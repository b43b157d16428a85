// SPDX-License-Identifier: GPL-2.0-only
#include "link-trial.h"

#include "ns3/core-module.h"
#include "ns3/lossless-net-device.h"
#include "ns3/raw-source.h"
#include "ns3/switch-node.h"
#include "ns3/transmit-gate.h"

namespace ns3::lossless
{

namespace
{

constexpr uint32_t SENDER = 0;
constexpr uint32_t RECEIVER = 1;

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

} // namespace

LinkOutcome
LinkTrial::Run(const std::function<void(SwitchHelper&)>& set) const
{
    Topology topology;
    const uint32_t node = topology.AddSwitch("s");
    topology.AddLink(topology.AddHost("sender"), node, m_rate, m_delay);
    topology.AddLink(topology.AddHost("receiver"), node, m_rate, Time(0));
    SwitchHelper switches = m_experiment.MakeSwitchHelper();
    switches.SetAttribute("LosslessClasses", UintegerValue(1 << CLASS));
    switches.SetBufferAttribute("Size", UintegerValue(100 * GetPlenty() + 10000000));
    set(switches);
    ObjectFactory nics("ns3::lossless::RoceNic");
    nics.Set("PayloadBytes", UintegerValue(1)); // unused, but valid for any MTU
    Fabric fabric(topology, switches, nics);
    auto source = CreateObject<RawSource>();
    source->SetAttribute("FrameBytes", UintegerValue(GetFrameBytes()));
    source->SetAttribute("Priority", UintegerValue(CLASS));
    fabric.InstallSource(source, SENDER, RECEIVER);
    const Ptr<LosslessNetDevice> out = fabric.GetHostDevice(RECEIVER)->GetPeer();
    auto valve = CreateObject<Valve>();
    const Time rest =
        4 * m_delay + TimeStep(4 * GetPlenty() / GetFrameBytes() * GetFrameTime().GetTimeStep());
    const Time window = 10 * m_delay + 400 * GetFrameTime();
    Time due = Time::Max(); // latest time at which the next frame starts if the wire is never idle
    bool isFull = true;
    const Callback<void, Ptr<const Packet>> note([&](Ptr<const Packet>) {
        isFull = isFull && Simulator::Now() <= due;
        due = Simulator::Now() + GetFrameTime() + TimeStep(1);
    });
    Simulator::ScheduleNow([&] { out->SetGate(valve); });
    Simulator::Schedule(rest, [&] {
        out->TraceConnectWithoutContext("PhyTxBegin", note);
        valve->Open();
    });
    Simulator::Stop(rest + window);
    m_experiment.Run();
    const LinkOutcome outcome{fabric.GetSwitch(0)->GetCounts().losslessDropped == 0,
                              isFull && due >= rest + window};
    Simulator::Destroy();
    return outcome;
}

} // namespace ns3::lossless
