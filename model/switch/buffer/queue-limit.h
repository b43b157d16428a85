// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_LIMIT_H
#define LOSSLESS_QUEUE_LIMIT_H

#include "buffer-policy.h"

#include "ns3/queue-size.h"

#include <optional>
#include <string>

namespace ns3::lossless
{

/// @param limit what an egress queue may hold, in packets or bytes
/// @return what is wrong with it, as a sentence
std::optional<std::string> FindLimitError(const QueueSize& limit);

/**
 * @param limit what an egress queue may hold, in packets or bytes
 * @param buffer the ledger
 * @param item a frame, routed
 * @return whether its egress queue has room for it
 */
Admission AdmitUpTo(const QueueSize& limit, const SharedBuffer& buffer, const SwitchItem& item);

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_LIMIT_H */
