// SPDX-License-Identifier: GPL-2.0-only
#include "switch-port.h"

#include "switch-node.h"

#include "ns3/abort.h"
#include "ns3/node-name.h"
#include "ns3/simulator.h"
#include "ns3/telemetry-header.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <iterator>

namespace ns3::lossless
{

SwitchPort::SwitchPort(SwitchNode* node,
                       PortId id,
                       Ptr<LosslessNetDevice> device,
                       const EgressQueues& queues,
                       Ptr<ClassScheduler> scheduler,
                       Ptr<EcnMarker> marker)
    : m_node(node),
      m_device(device),
      m_scheduler(scheduler),
      m_marker(marker),
      m_id(id),
      m_isLinkUp(device->IsLinkUp()),
      m_rateCode(TelemetryHop::EncodeRate(device->GetDataRate()).value_or(0)),
      m_queues(queues)
{
}

void
SwitchPort::Enqueue(SwitchItem&& item, Ticks now)
{
    const Priority priority = item.frame.priority;
    m_waitingBytes += item.frame.size;
    m_queues[Index(priority)]->Enqueue(std::move(item));
    m_backlogged |= SetOf(priority);
    m_device->Kick(now);
}

SwitchItem
SwitchPort::TakeDeparted()
{
    SwitchItem departed = m_departing;
    m_departing.bufferBytes = 0;
    return departed;
}

EgressState
SwitchPort::GetState(Priority priority) const
{
    if (!Contains(m_backlogged, priority))
    {
        return EgressState::EMPTY;
    }
    return Contains(GetReady(m_device->GetGate()->GetPermit()), priority) ? EgressState::READY
                                                                          : EgressState::BLOCKED;
}

void
SwitchPort::ForEach(const ItemVisitor& visitor) const
{
    for (const Ptr<EgressQueue>& queue : m_queues)
    {
        queue->ForEach(visitor);
    }
    if (m_departing.bufferBytes > 0)
    {
        visitor(m_departing);
    }
}

std::vector<SwitchItem>
SwitchPort::Flush(PrioritySet classes)
{
    std::vector<SwitchItem> items;
    for (PrioritySet rest = classes; rest != 0; rest &= rest - 1)
    {
        const Priority priority{static_cast<uint8_t>(__builtin_ctz(rest))};
        std::vector<SwitchItem> queued = m_queues[Index(priority)]->TakeAll();
        std::move(queued.begin(), queued.end(), std::back_inserter(items));
        m_scheduler->NotifyEmpty(priority);
    }
    m_backlogged &= ~classes;
    for (const SwitchItem& item : items)
    {
        m_waitingBytes -= item.frame.size;
    }
    return items;
}

PrioritySet
SwitchPort::GetReady(const Permit& permit) const
{
    PrioritySet ready = m_backlogged & permit.classes;
    for (PrioritySet rest = permit.selective ? ready : 0; rest != 0; rest &= rest - 1)
    {
        const auto lowest = static_cast<PrioritySet>(rest & -rest);
        const int p = __builtin_ctz(lowest);
        if (!m_queues[p]->Prepare(permit))
        {
            ready &= ~lowest;
        }
    }
    return ready;
}

bool
SwitchPort::Prepare(const Permit& permit)
{
    return GetReady(permit) != 0;
}

Frame
SwitchPort::Dequeue(const Permit& permit)
{
    const Priority priority = m_scheduler->Select(GetReady(permit), m_queues);
    EgressQueue& queue = *m_queues[Index(priority)];
    m_departing = queue.Dequeue();
    if (queue.IsEmpty())
    {
        m_backlogged &= ~SetOf(priority);
        m_scheduler->NotifyEmpty(priority);
    }
    m_waitingBytes -= m_departing.frame.size;
    if (m_departing.frame.telemetryAt != 0 && m_node->IsTelemetryOn())
    {
        Stamp();
    }
    m_node->NotifyDequeue(m_departing);
    // The frame's bytes leave now. Its fields remain until the last bit has left, because the
    // buffer accounting needs them.
    return std::move(m_departing.frame);
}

Ptr<Packet>
SwitchPort::MakeControl()
{
    return m_node->MakeControl(m_id);
}

void
SwitchPort::Stamp()
{
    NS_ABORT_MSG_IF(m_rateCode == 0,
                    "switch " << GetNodeName(m_node->GetId()) << ": port " << Index(m_id) << " "
                              << TelemetryHop::DescribeMisfit(m_device->GetFirstRate()) << ".");
    StampTelemetry(m_departing.frame,
                   m_node->GetId(),
                   TelemetryHop::Encode(m_rateCode,
                                        Simulator::Now(),
                                        m_device->GetSentBytes(),
                                        m_waitingBytes));
}

bool
SwitchPort::NotifyTransmitStart(Ticks lastBit, const Permit& permit)
{
    m_node->NotifyDeparture(m_id, lastBit);
    return m_node->IsWatchingReleases() || GetReady(permit) != 0;
}

void
SwitchPort::NotifyTransmitEnd()
{
    m_node->ReleaseDeparted(NowInTicks());
}

void
SwitchPort::NotifyLinkChanged(bool up)
{
    m_isLinkUp = up;
    m_node->NotifyLinkChanged(m_id, up);
}

void
SwitchPort::Receive(Frame&& frame)
{
    m_node->ReceiveFrame(m_id, std::move(frame));
}

void
SwitchPort::Prefetch() const
{
    // A port that receives frames usually also sends frames soon, such as acknowledgements. The
    // queue of the latest departing frame's class is prefetched, because frames of one class
    // usually follow each other.
    constexpr std::size_t PART_BYTES = 2 * CACHE_LINE_BYTES;
    m_device->Prefetch();
    PrefetchLines(PeekPointer(m_scheduler), PART_BYTES);
    PrefetchLines(PeekPointer(m_marker), PART_BYTES);
    PrefetchLines(PeekPointer(m_queues[Index(m_departing.frame.priority)]), PART_BYTES);
}

} // namespace ns3::lossless
