// SPDX-License-Identifier: GPL-2.0-only
#include "queue-limit.h"

namespace ns3::lossless
{

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
    const uint64_t length = limit.GetUnit() == QueueSizeUnit::PACKETS
                                ? queue.frames + 1
                                : queue.bytes + item.bufferBytes;
    return length <= limit.GetValue() ? Admission() : Admission::Refuse(DropReason::EGRESS_LIMIT);
}

} // namespace ns3::lossless
