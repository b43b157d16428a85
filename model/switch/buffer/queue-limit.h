// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_LIMIT_H
#define LOSSLESS_QUEUE_LIMIT_H

#include "buffer-policy.h"

#include "ns3/queue-size.h"

#include <optional>
#include <string>

namespace ns3::lossless
{

/// @param packets the number of packets in a queue
/// @param bytes the total size of these packets
/// @return whether the queue is within the limit, which is in packets or bytes
bool IsWithin(const QueueSize& limit, uint64_t packets, uint64_t bytes);

/// @param limit the limit on an egress queue, in packets or bytes
/// @return an error message if the limit is invalid
std::optional<std::string> FindLimitError(const QueueSize& limit);

/// @param limit the limit on an egress queue, in packets or bytes
/// @param item a routed frame
/// @return an admission if the egress queue has room for the frame, otherwise a refusal
Admission AdmitUpTo(const QueueSize& limit, const SharedBuffer& buffer, const SwitchItem& item);

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_LIMIT_H */
