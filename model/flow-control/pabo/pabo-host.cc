// SPDX-License-Identifier: GPL-2.0-only
#include "pabo-host.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/queue-limit.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PaboHost);

TypeId
PaboHost::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<PaboHost, Object>("PaboHost")
            .AddAttribute("BounceLimit",
                          "Capacity of the queue of returned frames, in packets or bytes; frames "
                          "beyond it are lost (default 1500 packets: PABO, Sec. V-A).",
                          QueueSizeValue(QueueSize("1500p")),
                          MakeQueueSizeAccessor(&PaboHost::m_limit),
                          MakeQueueSizeChecker())
            .AddAttribute("SlowDown",
                          "Each returned frame keeps the host from sending new ones for this many "
                          "times its time on the wire; 0: the host does not slow down.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&PaboHost::m_slowDown),
                          MakeDoubleChecker<double>(0))
            .AddTraceSource("Delivered",
                            "A frame has arrived at its destination, this host.",
                            MakeTraceSourceAccessor(&PaboHost::m_deliveredTrace),
                            "ns3::lossless::PaboHost::FrameTracedCallback")
            .AddTraceSource("Returned",
                            "A frame of this host has been returned.",
                            MakeTraceSourceAccessor(&PaboHost::m_returnedTrace),
                            "ns3::lossless::PaboHost::FrameTracedCallback");
    return tid;
}

void
PaboHost::Install(Ptr<LosslessNetDevice> device)
{
    NS_ABORT_MSG_IF(m_device, "PaboHost: the object is installed on a device already.");
    HostPort& port = GetPortOfHost(device, "PaboHost");
    port.AddFirstReceiver(this);
    port.SetUrgentSource(this);
    device->AggregateObject(Ptr<PaboHost>(this));
    m_device = PeekPointer(device);
}

void
PaboHost::DoDispose()
{
    m_device = nullptr;
    m_queues.Clear();
    Object::DoDispose();
}

bool
PaboHost::TryReceive(const Frame& frame)
{
    const PaboCounters counters = PaboCounters::Of(frame);
    if (m_device->GetHostPort()->HasAddress(Ipv4Address(frame.flow.destination)))
    {
        m_deliveredTrace(frame, counters);
        return false; // the frame is left to other receivers, which can parse it
    }
    if (counters.bounces == 0)
    {
        return false; // the frame is neither to nor from this host
    }
    ++m_returned;
    m_returnedTrace(frame, counters);
    Return(frame);
    return true;
}

void
PaboHost::Return(Frame frame)
{
    if (!IsWithin(m_limit, m_frames + 1, m_bytes + frame.size))
    {
        m_device->Drop(frame, DropReason::BOUNCE_LIMIT);
        return;
    }
    PaboCounters counters = PaboCounters::Of(frame);
    counters.CountHop();
    counters.CountForward();
    counters.WriteTo(frame);
    if (m_slowDown > 0)
    {
        m_device->GetHostPort()->HoldNewFrames(
            Seconds(m_slowDown * m_device->GetSlotSeconds(frame.size)));
    }
    ++m_frames;
    m_bytes += frame.size;
    m_queues.Push(std::move(frame));
    m_device->Kick();
}

bool
PaboHost::Prepare(const Permit& permit)
{
    return m_queues.Prepare(permit) != 0;
}

Frame
PaboHost::Dequeue(const Permit& permit)
{
    Frame frame = m_queues.Pop(permit);
    --m_frames;
    m_bytes -= frame.size;
    return frame;
}

} // namespace ns3::lossless
