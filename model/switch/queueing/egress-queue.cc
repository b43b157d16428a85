// SPDX-License-Identifier: GPL-2.0-only
#include "egress-queue.h"

#include "ns3/make-type-id.h"
#include "ns3/part-registry.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(EgressQueue, Object);
LOSSLESS_PLAIN_CLASS(FifoEgressQueue, EgressQueue);

const RegisterPart<FifoEgressQueue, EgressQueueInfo> g_fifoQueue("Fifo", 10);

bool
EgressQueue::Prepare(const Permit& permit)
{
    const SwitchItem* first = Peek();
    return first && permit.Allows(first->frame);
}

std::vector<SwitchItem>
EgressQueue::TakeAll()
{
    std::vector<SwitchItem> items;
    while (!IsEmpty())
    {
        items.push_back(Dequeue());
    }
    return items;
}

void
FifoEgressQueue::Enqueue(SwitchItem&& item)
{
    m_items.Push(std::move(item));
    m_items.Prefetch(m_items.GetSize()); // the slot of the next frame to arrive
}

const SwitchItem*
FifoEgressQueue::Peek()
{
    return m_items.IsEmpty() ? nullptr : &m_items.Front();
}

SwitchItem
FifoEgressQueue::Dequeue()
{
    SwitchItem item = m_items.Pop();
    if (!m_items.IsEmpty())
    {
        m_items.Prefetch(0); // this frame was stored long ago and is needed soon
    }
    return item;
}

bool
FifoEgressQueue::IsEmpty() const
{
    return m_items.IsEmpty();
}

void
FifoEgressQueue::ForEach(const ItemVisitor& visitor) const
{
    m_items.ForEach(visitor);
}

} // namespace ns3::lossless
