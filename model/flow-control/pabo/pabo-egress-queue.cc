// SPDX-License-Identifier: GPL-2.0-only
#include "pabo-egress-queue.h"

#include "pabo-counters.h"

#include "ns3/make-type-id.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(PaboEgressQueue, EgressQueue);

RingBuffer<SwitchItem>&
PaboEgressQueue::GetServed()
{
    return m_bounced.IsEmpty() ? m_normal : m_bounced;
}

void
PaboEgressQueue::Enqueue(SwitchItem&& item)
{
    const bool bounced = PaboCounters::Of(item.frame).bounces > 0;
    (bounced ? m_bounced : m_normal).Push(std::move(item));
}

const SwitchItem*
PaboEgressQueue::Peek()
{
    return IsEmpty() ? nullptr : &GetServed().Front();
}

SwitchItem
PaboEgressQueue::Dequeue()
{
    return GetServed().Pop();
}

bool
PaboEgressQueue::IsEmpty() const
{
    return m_bounced.IsEmpty() && m_normal.IsEmpty();
}

void
PaboEgressQueue::ForEach(const ItemVisitor& visitor) const
{
    m_bounced.ForEach(visitor);
    m_normal.ForEach(visitor);
}

} // namespace ns3::lossless
