// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-channel.h"

#include "lossless-wire.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/make-type-id.h"
#include "ns3/node.h"
#include "ns3/ranks.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(LosslessChannel);

TypeId
LosslessChannel::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<LosslessChannel, Channel>("LosslessChannel")
            .AddAttribute("Delay",
                          "Propagation delay of the cable; fixed once an end is initialized.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&LosslessChannel::SetDelay, &LosslessChannel::GetDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "Jitter",
                "Maximum random delay of a frame in addition to Delay, drawn uniformly for each "
                "frame; frames do not overtake each other. Fixed once an end is initialized. "
                "Without jitter, senders of equal rate do not share the losses at a full queue: "
                "the first to arrive loses nothing.",
                TimeValue(Time(0)),
                MakeTimeAccessor(&LosslessChannel::SetJitter, &LosslessChannel::GetJitter),
                MakeTimeChecker(Time(0)));
    return tid;
}

void
LosslessChannel::RequireNew(const char* attribute) const
{
    for (const Ptr<LosslessNetDevice>& end : m_ends)
    {
        NS_ABORT_MSG_IF(end && end->IsInitialized(),
                        "LosslessChannel: " << attribute
                                            << " cannot change any more, since the device at an "
                                               "end is initialised; set it before the simulation "
                                               "starts.");
    }
}

void
LosslessChannel::SetDelay(Time delay)
{
    RequireNew("Delay");
    m_delay = delay;
    Adjust();
}

void
LosslessChannel::SetJitter(Time jitter)
{
    RequireNew("Jitter");
    m_jitter = jitter;
    m_random = {};
    for (Ptr<UniformRandomVariable>& random : m_random)
    {
        if (!jitter.IsZero())
        {
            random = CreateObjectWithAttributes<UniformRandomVariable>(
                "Max",
                DoubleValue(static_cast<double>(jitter.GetTimeStep() + 1)));
        }
    }
    Adjust();
}

void
LosslessChannel::Adjust() const
{
    for (std::size_t i = 0; i < GetNDevices(); ++i)
    {
        m_ends[i]->GetWire().SetDelay(m_delay);
        m_ends[i]->GetWire().SetJitter(m_random[1 - i]);
        Announce(PeekPointer(m_ends[i]));
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
    for (const Ptr<UniformRandomVariable>& random : m_random)
    {
        if (random)
        {
            random->SetStream(stream + used++);
        }
    }
    return used;
}

void
LosslessChannel::Attach(Ptr<LosslessNetDevice> device)
{
    const std::size_t end = GetNDevices();
    NS_ABORT_MSG_IF(end == m_ends.size(),
                    "A LosslessChannel joins two devices; a third one cannot be attached.");
    m_ends[end] = device;
    if (m_ends[1])
    {
        Connect(1); // all ranks must assign the same numbers to the receivers
        Connect(0);
    }
    Adjust();
    if (IsUp())
    {
        NotifyEnds();
    }
}

void
LosslessChannel::Connect(std::size_t end)
{
    const LosslessNetDevice& receiver = *m_ends[1 - end];
    WireSender& wire = m_ends[end]->GetWire();
    if (Ranks::AreSeveral() &&
        m_ends[end]->GetNode()->GetSystemId() != receiver.GetNode()->GetSystemId())
    {
        wire.ConnectRemotely(receiver.GetWireReceiver(), receiver.GetNode()->GetSystemId());
    }
    else
    {
        wire.Connect(receiver.GetWireReceiver());
    }
}

void
LosslessChannel::SetUp(bool up)
{
    if (up == m_up)
    {
        return;
    }
    m_up = up;
    if (GetNDevices() < m_ends.size())
    {
        return;
    }
    for (const Ptr<LosslessNetDevice>& end : m_ends)
    {
        if (!up)
        {
            end->GetWireReceiver()->Cut();
        }
    }
    NotifyEnds();
}

void
LosslessChannel::Announce(const LosslessNetDevice* device) const
{
    if (m_ends[1])
    {
        LinkPartner partner = device->Describe();
        partner.delay = m_delay;
        partner.jitter = m_jitter;
        GetPeer(device)->NotifyPartner(partner);
    }
}

void
LosslessChannel::NotifyEnds()
{
    for (const Ptr<LosslessNetDevice>& end : m_ends)
    {
        end->NotifyLinkChanged();
    }
}

Ptr<LosslessNetDevice>
LosslessChannel::GetPeer(const LosslessNetDevice* device) const
{
    return PeekPointer(m_ends[0]) == device ? m_ends[1] : m_ends[0];
}

std::size_t
LosslessChannel::GetNDevices() const
{
    return std::count_if(m_ends.begin(), m_ends.end(), [](const auto& end) { return end; });
}

Ptr<NetDevice>
LosslessChannel::GetDevice(std::size_t i) const
{
    return m_ends.at(i);
}

void
LosslessChannel::DoDispose()
{
    m_ends = {};
    Channel::DoDispose();
}

} // namespace ns3::lossless
