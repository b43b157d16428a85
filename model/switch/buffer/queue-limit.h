// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_LIMIT_H
#define LOSSLESS_QUEUE_LIMIT_H

#include "buffer-policy.h"

#include "ns3/queue-size.h"

#include <optional>
#include <string>

namespace ns3::lossless
{

/// @param limit of an egress queue, in packets or bytes
/// @return an error message if it is invalid
std::optional<std::string> FindLimitError(const QueueSize& limit);

/// @param limit of an egress queue, in packets or bytes
/// @param item a frame, routed
/// @return whether its egress queue has room for it
Admission AdmitUpTo(const QueueSize& limit, const SharedBuffer& buffer, const SwitchItem& item);

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_LIMIT_H */
