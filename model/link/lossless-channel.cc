// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-channel.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(LosslessChannel);

TypeId
LosslessChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::LosslessChannel")
                            .SetParent<Channel>()
                            .SetGroupName("Lossless")
                            .AddConstructor<LosslessChannel>()
                            .AddAttribute("Delay",
                                          "Propagation delay of the cable; fixed once frames flow.",
                                          TimeValue(MicroSeconds(1)),
                                          MakeTimeAccessor(&LosslessChannel::m_delay),
                                          MakeTimeChecker(Time(0)))
                            .AddAttribute("Jitter",
                                          "Largest random delay of a frame beyond Delay, drawn "
                                          "uniformly for each, and fixed once frames flow; none "
                                          "overtakes another. Without it senders of equal rate do "
                                          "not share the losses at a full queue: the first to come "
                                          "loses nothing.",
                                          TimeValue(Time(0)),
                                          MakeTimeAccessor(&LosslessChannel::SetJitter,
                                                           &LosslessChannel::GetJitter),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

LosslessChannel::LosslessChannel() = default;

void
LosslessChannel::SetJitter(Time jitter)
{
    m_jitter = jitter;
    for (Wire& wire : m_wires)
    {
        wire.SetJitter(jitter);
    }
}

Time
LosslessChannel::GetJitter() const
{
    return m_jitter;
}

int64_t
LosslessChannel::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (Wire& wire : m_wires)
    {
        used += wire.AssignStreams(stream + used);
    }
    return used;
}

void
LosslessChannel::Attach(Ptr<LosslessNetDevice> device)
{
    NS_ABORT_MSG_IF(GetNDevices() == m_wires.size(),
                    "A LosslessChannel joins two devices; a third one cannot be attached.");
    m_wires[GetNDevices()].m_receiver = device;
    if (IsUp())
    {
        NotifyEnds();
    }
}

void
LosslessChannel::Transmit(const LosslessNetDevice* sender, Frame&& frame, Ticks lastBit, Ticks now)
{
    const std::size_t receiver = PeekPointer(m_wires[0].m_receiver) == sender ? 1 : 0;
    frame.arrival = lastBit + m_delay.GetTimeStep();
    m_wires[receiver].Carry(std::move(frame), now);
}

void
LosslessChannel::SetUp(bool up)
{
    if (up == m_up)
    {
        return;
    }
    m_up = up;
    if (GetNDevices() < m_wires.size())
    {
        return;
    }
    for (Wire& wire : m_wires)
    {
        if (!up)
        {
            wire.Cut();
        }
    }
    NotifyEnds();
}

void
LosslessChannel::NotifyEnds()
{
    for (Wire& wire : m_wires)
    {
        wire.m_receiver->NotifyLinkChanged();
    }
}

Ptr<LosslessNetDevice>
LosslessChannel::GetPeer(const LosslessNetDevice* device) const
{
    return PeekPointer(m_wires[0].m_receiver) == device ? m_wires[1].m_receiver
                                                        : m_wires[0].m_receiver;
}

std::size_t
LosslessChannel::GetNDevices() const
{
    return (m_wires[0].m_receiver ? 1 : 0) + (m_wires[1].m_receiver ? 1 : 0);
}

Ptr<NetDevice>
LosslessChannel::GetDevice(std::size_t i) const
{
    return m_wires.at(i).m_receiver;
}

void
LosslessChannel::DoDispose()
{
    for (Wire& wire : m_wires)
    {
        wire.Dispose();
    }
    Channel::DoDispose();
}

LosslessChannel::Wire::Wire()
    : m_arrival(Create<ArrivalEvent>(this))
{
}

LosslessChannel::Wire::~Wire()
{
    m_arrival->Detach();
}

void
LosslessChannel::Wire::SetJitter(Time jitter)
{
    m_random = nullptr;
    if (!jitter.IsZero())
    {
        m_random = CreateObjectWithAttributes<UniformRandomVariable>(
            "Max",
            DoubleValue(static_cast<double>(jitter.GetTimeStep() + 1)));
    }
}

int64_t
LosslessChannel::Wire::AssignStreams(int64_t stream)
{
    if (!m_random)
    {
        return 0;
    }
    m_random->SetStream(stream);
    return 1;
}

Ticks
LosslessChannel::Wire::Postpone(Ticks arrival)
{
    m_latest = std::max(m_latest, arrival + static_cast<Ticks>(m_random->GetValue()));
    return m_latest;
}

void
LosslessChannel::Wire::Carry(Frame&& frame, Ticks now)
{
    if (m_random)
    {
        frame.arrival = Postpone(frame.arrival);
    }
    m_inFlight.Push(std::move(frame));
    if (!m_arrival->IsArmed())
    {
        ArmFor(now);
    }
}

void
LosslessChannel::Wire::Cut()
{
    while (!m_inFlight.IsEmpty())
    {
        m_receiver->NotifyLostOnLink(m_inFlight.Pop());
    }
}

void
LosslessChannel::Wire::Dispose()
{
    m_inFlight.Clear();
    m_receiver = nullptr;
}

void
LosslessChannel::Wire::ArmFor(Ticks now)
{
    m_arrival->Arm(m_receiver->GetNode()->GetId(), TimeStep(m_inFlight.Front().arrival - now));
}

void
LosslessChannel::Wire::Deliver()
{
    const Ticks now = Simulator::Now().GetTimeStep();
    // A cut may have removed the frame which this event was armed for.
    if (!m_inFlight.IsEmpty() && m_inFlight.Front().arrival <= now)
    {
        Frame frame = m_inFlight.Pop();
        if (!m_inFlight.IsEmpty())
        {
            ArmFor(now);
        }
        m_receiver->Receive(std::move(frame));
    }
    else if (!m_inFlight.IsEmpty())
    {
        ArmFor(now);
    }
}

} // namespace ns3::lossless
