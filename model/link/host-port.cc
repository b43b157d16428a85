// SPDX-License-Identifier: GPL-2.0-only
#include "host-port.h"

#include "lossless-net-device.h"
#include "node-name.h"

#include "ns3/abort.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/queue-item.h"
#include "ns3/simulator.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>

namespace ns3::lossless
{

namespace
{

/// @return the class of the packet, which is the index of its transmission queue
std::size_t
SelectTxQueue(Ptr<QueueItem> item)
{
    uint8_t tos = 0;
    item->GetUint8Value(QueueItem::IP_DSFIELD, tos);
    return tos >> 5;
}

} // namespace

HostPort::HostPort(LosslessNetDevice* device)
    : m_device(device),
      m_holdEnd(Create<HoldEndEvent>(this)),
      m_sources{&m_stack}
{
}

HostPort::~HostPort()
{
    m_holdEnd->Detach();
}

HostPort&
GetPortOfHost(Ptr<LosslessNetDevice> device, const std::string& user)
{
    Ptr<Node> node = device ? device->GetNode() : nullptr;
    NS_ABORT_MSG_IF(!node, user << ": Install() needs a device that is on a node.");
    NS_ABORT_MSG_IF(!device->GetHostPort(),
                    user << ": port " << device->GetIfIndex() << " of node "
                         << GetNodeName(node->GetId())
                         << " is a port of a switch; Install() needs a device of a host.");
    return *device->GetHostPort();
}

void
HostPort::SetUrgentSource(FrameSource* source)
{
    NS_ABORT_MSG_IF(m_urgent, "HostPort: the port has an urgent source already.");
    m_urgent = source;
}

void
HostPort::HoldNewFrames(Time duration)
{
    RequireTurn(m_device->GetNode()->GetId(), "holds frames of");
    const Ticks now = NowInTicks();
    m_heldUntil = std::max(now, m_heldUntil) + duration.GetTimeStep();
    m_isHeld = true;
    if (!m_holdEnd->IsArmed())
    {
        m_holdEnd->Arm(m_device->GetNode()->GetId(), TimeStep(m_heldUntil - now));
    }
}

void
HostPort::EndHold()
{
    const Ticks now = NowInTicks();
    if (now < m_heldUntil) // the hold has been extended
    {
        m_holdEnd->Arm(m_device->GetNode()->GetId(), TimeStep(m_heldUntil - now));
        return;
    }
    m_isHeld = false;
    m_device->Kick();
}

void
HostPort::AddFirstReceiver(FrameReceiver* receiver)
{
    m_receivers.insert(m_receivers.begin(), receiver);
}

bool
HostPort::HasAddress(Ipv4Address address) const
{
    if (std::find(m_addresses.begin(), m_addresses.end(), address) != m_addresses.end())
    {
        return true;
    }
    Ptr<Ipv4> stack = m_device->GetNode()->GetObject<Ipv4>();
    return stack && stack->GetInterfaceForAddress(address) >= 0;
}

void
HostPort::ConnectStack(Ptr<NetDeviceQueueInterface> interface)
{
    m_stack.Connect(interface);
}

bool
HostPort::SendFromStack(Frame frame)
{
    if (m_stack.GetBytes(frame.priority) > STACK_QUEUE_BYTES)
    {
        return false;
    }
    m_stack.Enqueue(std::move(frame));
    m_device->Kick();
    return true;
}

bool
HostPort::Prepare(const Permit& permit)
{
    if (m_urgent && m_urgent->Prepare(permit))
    {
        return true;
    }
    if (m_isHeld)
    {
        return false;
    }
    for (FrameSource* source : m_sources)
    {
        if (source->Prepare(permit))
        {
            return true;
        }
    }
    return false;
}

Frame
HostPort::Dequeue(const Permit& permit)
{
    if (m_urgent && m_urgent->Prepare(permit))
    {
        return m_urgent->Dequeue(permit);
    }
    while (!m_sources[m_turn]->Prepare(permit))
    {
        m_turn = (m_turn + 1) % m_sources.size();
    }
    FrameSource* source = m_sources[m_turn];
    m_turn = (m_turn + 1) % m_sources.size();
    return source->Dequeue(permit);
}

void
HostPort::Prefetch() const
{
    m_device->Prefetch();
    PrefetchLines(m_sources.data(), sizeof(m_sources.front()));
    PrefetchLines(m_receivers.data(), sizeof(m_receivers.front()));
}

void
HostPort::Prefetch(const RingBuffer<Frame>& frames) const
{
    for (const FrameReceiver* receiver : m_receivers)
    {
        receiver->Prefetch(frames);
    }
}

void
HostPort::Receive(Frame&& frame)
{
    for (FrameReceiver* receiver : m_receivers)
    {
        if (receiver->TryReceive(frame))
        {
            return;
        }
    }
    m_device->DeliverToStack(frame);
}

void
HostPort::NotifyGateChanged()
{
    if (m_urgent)
    {
        m_urgent->NotifyGateChanged();
    }
    for (FrameSource* source : m_sources)
    {
        source->NotifyGateChanged();
    }
}

void
HostPort::NotifyPaused(const PauseNotice& notice)
{
    for (FrameSource* source : m_sources)
    {
        source->NotifyPaused(notice);
    }
}

bool
HostPort::StackQueue::Prepare(const Permit& permit)
{
    if (m_queues.IsEmpty())
    {
        return false;
    }
    const PrioritySet ready = m_queues.Prepare(permit);
    for (uint8_t p = 0; permit.selective && p < NUM_PRIORITIES; ++p)
    {
        if (CanWake(Priority{p})) // deferred because the device is about to dequeue a frame
        {
            Simulator::ScheduleNow(&StackQueue::WakeIfRoom, this, Priority{p});
        }
    }
    return ready != 0;
}

Frame
HostPort::StackQueue::Dequeue(const Permit& permit)
{
    Frame frame = m_queues.Pop(permit);
    WakeIfRoom(frame.priority);
    return frame;
}

void
HostPort::StackQueue::WakeIfRoom(Priority priority)
{
    if (CanWake(priority))
    {
        GetTxQueue(priority)->Wake();
    }
}

bool
HostPort::StackQueue::CanWake(Priority priority) const
{
    Ptr<NetDeviceQueue> txQueue = GetTxQueue(priority);
    return txQueue && txQueue->IsStopped() && GetBytes(priority) <= STACK_QUEUE_BYTES;
}

void
HostPort::StackQueue::Enqueue(Frame frame)
{
    const Priority priority = frame.priority;
    m_queues.Push(std::move(frame));
    Ptr<NetDeviceQueue> txQueue = GetTxQueue(priority);
    // Unless it is stopped, a queue discipline passes on up to QueueDisc::Quota packets at a time
    // and then waits until the next packet arrives. Because frames set aside are not counted, they
    // alone would never stop the discipline.
    if (txQueue && (GetBytes(priority) > STACK_QUEUE_BYTES || m_queues.HasAside(priority)))
    {
        txQueue->Stop();
    }
}

uint32_t
HostPort::StackQueue::GetBytes(Priority priority) const
{
    return m_queues.GetBytes(priority);
}

void
HostPort::StackQueue::Connect(Ptr<NetDeviceQueueInterface> interface)
{
    if (!interface || interface == m_interface)
    {
        return;
    }
    NS_ABORT_MSG_IF(interface->GetNTxQueues() != NUM_PRIORITIES,
                    "LosslessNetDevice: the NetDeviceQueueInterface has "
                        << interface->GetNTxQueues() << " transmission queues; it must have "
                        << NUM_PRIORITIES << ", one per class (attribute NTxQueues).");
    m_interface = interface;
    m_interface->SetSelectQueueCallback(&SelectTxQueue);
}

Ptr<NetDeviceQueue>
HostPort::StackQueue::GetTxQueue(Priority priority) const
{
    return m_interface ? m_interface->GetTxQueue(Index(priority)) : nullptr;
}

} // namespace ns3::lossless
