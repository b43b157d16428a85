// SPDX-License-Identifier: GPL-2.0-only
#include "egress-queue.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(EgressQueue);
NS_OBJECT_ENSURE_REGISTERED(FifoEgressQueue);
NS_OBJECT_ENSURE_REGISTERED(UsualEgressQueue);

TypeId
EgressQueue::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::EgressQueue").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

bool
EgressQueue::Prepare(const Permit& permit)
{
    const SwitchItem* first = Peek();
    return first && permit.Allows(first->frame);
}

TypeId
FifoEgressQueue::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::FifoEgressQueue")
                            .SetParent<EgressQueue>()
                            .SetGroupName("Lossless")
                            .AddConstructor<FifoEgressQueue>();
    return tid;
}

void
FifoEgressQueue::Enqueue(SwitchItem&& item)
{
    m_items.Push(std::move(item));
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
        __builtin_prefetch(&m_items.Front()); // stored long ago, and needed soon
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

std::vector<SwitchItem>
FifoEgressQueue::TakeAll()
{
    std::vector<SwitchItem> items;
    while (!m_items.IsEmpty())
    {
        items.push_back(m_items.Pop());
    }
    return items;
}

TypeId
UsualEgressQueue::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::UsualEgressQueue")
                            .SetParent<FifoEgressQueue>()
                            .SetGroupName("Lossless")
                            .AddConstructor<UsualEgressQueue>();
    return tid;
}

} // namespace ns3::lossless
