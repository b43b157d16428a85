// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-wire.h"

#include "lossless-net-device.h"
#include "remote-wire.h"

#include "ns3/double.h"
#include "ns3/node.h"

#include <algorithm>

namespace ns3::lossless
{

Wire::Wire() = default;
Wire::~Wire() = default;

void
Wire::SetReceiver(LosslessNetDevice* receiver)
{
    m_receiver = receiver;
}

void
Wire::SetSink(FrameSink* sink, bool isHost)
{
    m_sink = sink;
    m_isToHost = isHost;
}

void
Wire::FindContext()
{
    m_context = m_receiver->GetNode()->GetId();
    m_port = static_cast<uint16_t>(m_receiver->GetIfIndex());
}

void
Wire::SetDelay(Time delay)
{
    m_delay = delay.GetTimeStep();
}

void
Wire::SetJitter(Time jitter)
{
    m_random = nullptr;
    m_isSpecial = m_remote || !jitter.IsZero();
    if (!jitter.IsZero())
    {
        m_random = CreateObjectWithAttributes<UniformRandomVariable>(
            "Max",
            DoubleValue(static_cast<double>(jitter.GetTimeStep() + 1)));
    }
}

void
Wire::SetRemote(uint32_t rank)
{
    m_remote = std::make_unique<RemoteWire>(this, rank);
    m_isSpecial = true;
}

int64_t
Wire::AssignStreams(int64_t stream)
{
    if (!m_random)
    {
        return 0;
    }
    m_random->SetStream(stream);
    return 1;
}

void
Wire::CarrySpecially(Frame&& frame, Ticks now)
{
    if (m_random)
    {
        frame.arrival = Postpone(frame.arrival);
    }
    if (m_remote)
    {
        m_remote->Send(std::move(frame));
    }
    else
    {
        Push(std::move(frame), now);
    }
}

void
Wire::Take(Frame&& frame)
{
    Push(std::move(frame), NowInTicks());
}

Ticks
Wire::Postpone(Ticks arrival)
{
    m_latest = std::max(m_latest, arrival + static_cast<Ticks>(m_random->GetValue()));
    return m_latest;
}

void
Wire::Cut()
{
    while (!m_inFlight.IsEmpty())
    {
        m_receiver->NotifyLostOnLink(m_inFlight.Pop());
    }
}

void
Wire::Dispose()
{
    m_inFlight.Clear();
    m_receiver = nullptr;
    m_sink = nullptr;
    m_remote.reset();
}

void
Wire::Await(Ticks now)
{
    if (m_inFlight.IsEmpty())
    {
        return;
    }
    const Frame& next = m_inFlight.Front();
    if (m_isToHost)
    {
        next.packet.Prefetch(); // nobody has looked at it since it was made
    }
    Expect(next.arrival - now);
}

void
Wire::Notify()
{
    Disarm();
    const Ticks now = NowInTicks();
    // A cut may have removed the frame which this event was armed for.
    if (m_inFlight.IsEmpty() || m_inFlight.Front().arrival > now)
    {
        Await(now);
        return;
    }
    Frame frame = m_inFlight.Pop();
    Await(now);
    if (m_sink && frame.kind != FrameKind::MAC_CONTROL)
    {
        m_sink->Receive(std::move(frame));
    }
    else
    {
        m_receiver->Receive(std::move(frame));
    }
}

} // namespace ns3::lossless
