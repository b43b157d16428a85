// SPDX-License-Identifier: GPL-2.0-only
#include "bfc-egress-queue.h"

#include "ns3/make-type-id.h"

#include <algorithm>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(BfcEgressQueue, FairEgressQueue);

void
BfcEgressQueue::Attach(Ptr<const BfcGate> gate, const BfcHashing& hashing)
{
    m_gate = gate;
    m_hashing = hashing;
}

std::size_t
BfcEgressQueue::FindQueue(const SwitchItem& item) const
{
    return m_table.FindQueue(m_hashing.GetVirtualFlow(item.frame.flowHash), item.ingress);
}

void
BfcEgressQueue::Enqueue(SwitchItem&& item)
{
    const std::size_t queue = FindQueue(item);
    Append(queue, std::move(item));
}

uint32_t
BfcEgressQueue::CountActive(const SwitchItem* coming) const
{
    const std::size_t joined = coming ? FindQueue(*coming) : SIZE_MAX;
    uint32_t active = 0;
    for (std::size_t i = 0; i < m_table.GetQueues().size(); ++i)
    {
        const SwitchItem* first = PeekAt(i);
        first = !first && i == joined ? coming : first;
        active += first && m_gate->LetsOut(first->frame) ? 1 : 0;
    }
    return std::max<uint32_t>(active, 1);
}

} // namespace ns3::lossless
