// SPDX-License-Identifier: GPL-2.0-only
#include "queue-limit.h"

namespace ns3::lossless
{

bool
IsWithin(const QueueSize& limit, uint64_t packets, uint64_t bytes)
{
    return (limit.GetUnit() == QueueSizeUnit::PACKETS ? packets : bytes) <= limit.GetValue();
}

std::optional<std::string>
FindLimitError(const QueueSize& limit)
{
    if (limit.GetValue() == 0)
    {
        return "QueueLimit is 0; an egress queue must hold at least one packet";
    }
    return std::nullopt;
}

Admission
AdmitUpTo(const QueueSize& limit, const SharedBuffer& buffer, const SwitchItem& item)
{
    const SharedBuffer::EgressQueueCount& queue = buffer.GetEgress(item.GetEgressQueue());
    return IsWithin(limit, queue.frames + 1, queue.bytes + item.bufferBytes)
               ? Admission()
               : Admission::Refuse(DropReason::EGRESS_LIMIT);
}

} // namespace ns3::lossless
