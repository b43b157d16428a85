// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DROP_REASON_H
#define LOSSLESS_DROP_REASON_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::lossless
{

/// Why a frame was lost. Every loss in the module fires a trace with one of these.
enum class DropReason : uint8_t
{
    BUFFER_FULL,     ///< the shared buffer has no room left
    HEADROOM_FULL,   ///< a paused ingress queue or port has used up its headroom
    EGRESS_LIMIT,    ///< an egress queue holds all it may (a lossy class, PABO's normal queue)
    BOUNCE_LIMIT,    ///< neither the way forward nor the way back has room (PABO)
    NO_ROUTE,        ///< the forwarding table has no port for the destination
    LINK_DOWN,       ///< the link is down, or went down while the frame was queued or under way
    RECEIVE_ERROR,   ///< the receive error model of the device corrupted the frame
    NOT_ADDRESSED,   ///< no receiver for the frame at this host
    UNKNOWN_CONTROL, ///< a MAC control frame that is malformed, or of a kind not known here
};

/// Number of drop reasons.
inline constexpr std::size_t NUM_DROP_REASONS = 9;

/// @param reason why a frame was lost @return its name as results files print it
constexpr const char*
ToString(DropReason reason)
{
    constexpr std::array<const char*, NUM_DROP_REASONS> names = {"buffer-full",
                                                                 "headroom-full",
                                                                 "egress-limit",
                                                                 "bounce-limit",
                                                                 "no-route",
                                                                 "link-down",
                                                                 "receive-error",
                                                                 "not-addressed",
                                                                 "unknown-control"};
    return names[static_cast<std::size_t>(reason)];
}

/// @param reason why a frame was lost @return whether for want of buffer, which flow control is to
/// prevent in lossless classes; the other losses are none of its business
constexpr bool
IsCongestionLoss(DropReason reason)
{
    return reason == DropReason::BUFFER_FULL || reason == DropReason::HEADROOM_FULL ||
           reason == DropReason::EGRESS_LIMIT || reason == DropReason::BOUNCE_LIMIT;
}

} // namespace ns3::lossless

#endif /* LOSSLESS_DROP_REASON_H */
