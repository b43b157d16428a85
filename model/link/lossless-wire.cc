// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-wire.h"

#include "link-retry.h"
#include "lossless-net-device.h"
#include "remote-wire.h"

#include "ns3/random-variable-stream.h"

#include <algorithm>

namespace ns3::lossless
{

WireReceiver::WireReceiver(LosslessNetDevice* device)
    : m_device(device)
{
}

void
WireReceiver::SetPlace(uint32_t context, uint32_t port)
{
    m_context = context;
    m_port = static_cast<uint16_t>(port);
}

void
WireReceiver::SetSink(FrameSink* sink, bool isHost)
{
    m_sink = sink;
    m_isToHost = isHost;
}

void
WireReceiver::Cut()
{
    while (!m_inFlight.IsEmpty())
    {
        const Frame frame = m_inFlight.Pop();
        if (m_device)
        {
            m_device->NotifyLostOnLink(frame);
        }
    }
}

void
WireReceiver::Detach()
{
    m_inFlight.Clear();
    m_device = nullptr;
    m_sink = nullptr;
}

void
WireReceiver::Await(Ticks now)
{
    if (m_inFlight.IsEmpty())
    {
        return;
    }
    m_inFlight.Prefetch(1); // needed when the next frame arrives
    if (m_isToHost && m_sink)
    {
        Prefetch();
    }
    ArmArrival(m_context, m_inFlight.Front().arrival - now, m_port);
}

void
WireReceiver::Prefetch() const
{
    // The packet of a frame is prefetched one frame later than the frame itself.
    constexpr std::size_t NEXT = FrameSink::FRAMES_AHEAD;
    m_inFlight.Prefetch(NEXT + 1);
    const std::size_t last = std::min(NEXT, m_inFlight.GetSize() - 1);
    // The packet has not been accessed since it was created.
    m_inFlight.Peek(last).packet.Prefetch();
    m_sink->Prefetch(m_inFlight);
}

void
WireReceiver::Prefetch(uint32_t step) const
{
    constexpr std::size_t SINK_BYTES = 3 * CACHE_LINE_BYTES; // the size of a SwitchPort
    if (step == 1 && !m_inFlight.IsEmpty())
    {
        m_inFlight.Prefetch(0);
        m_inFlight.Prefetch(1);
    }
    if (m_sink && step == 1)
    {
        PrefetchLines(m_sink, SINK_BYTES);
    }
    else if (m_sink)
    {
        m_sink->Prefetch();
    }
}

void
WireReceiver::Notify()
{
    Disarm();
    const Ticks now = NowInTicks();
    // The frame for which this event was scheduled may have been lost when the cable was cut.
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
    else if (m_device)
    {
        m_device->Receive(std::move(frame));
    }
}

/// The state that is needed only for jitter, a LinkRetry, or a receiver on another rank.
struct WireSender::Detour
{
    /// @param arrival the arrival time without jitter
    /// @return the arrival time with jitter, which is never before the previous arrival
    Ticks Postpone(Ticks arrival)
    {
        if (jitter)
        {
            latest = std::max(latest, arrival + static_cast<Ticks>(jitter->GetValue()));
            return latest;
        }
        return arrival;
    }

    Ptr<UniformRandomVariable> jitter;  ///< the random variable for the jitter, in ticks; can be
                                        ///< null
    Ticks latest{0};                    ///< the latest arrival with jitter
    LinkRetry* retry{nullptr};          ///< the LinkRetry, which keeps sent frames; not owned; can
                                        ///< be null
    std::unique_ptr<RemoteWire> remote; ///< the connection to the receiver if it is on another rank
};

WireSender::WireSender() = default;
WireSender::~WireSender() = default;

void
WireSender::ConnectRemotely(Ptr<WireReceiver> receiver, uint32_t rank)
{
    Connect(receiver);
    GetDetour().remote = std::make_unique<RemoteWire>(receiver, rank);
}

void
WireSender::Disconnect()
{
    m_receiver = nullptr;
    m_detour.reset();
}

void
WireSender::SetDelay(Time delay)
{
    m_delay = delay.GetTimeStep();
}

void
WireSender::SetJitter(Ptr<UniformRandomVariable> jitter)
{
    if (jitter || m_detour)
    {
        GetDetour().jitter = jitter;
    }
}

void
WireSender::SetRetry(LinkRetry* retry)
{
    if (retry || m_detour)
    {
        GetDetour().retry = retry;
    }
}

WireSender::Detour&
WireSender::GetDetour()
{
    if (!m_detour)
    {
        m_detour = std::make_unique<Detour>();
    }
    return *m_detour;
}

void
WireSender::CarrySpecially(Frame&& frame, Ticks now)
{
    if (m_detour->retry)
    {
        m_detour->retry->NoteSent(frame);
    }
    frame.arrival = m_detour->Postpone(frame.arrival);
    if (m_detour->remote)
    {
        m_detour->remote->Send(std::move(frame));
    }
    else
    {
        m_receiver->Take(std::move(frame), now);
    }
}

} // namespace ns3::lossless
