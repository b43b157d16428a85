// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRIMMING_H
#define LOSSLESS_TRIMMING_H

#include "lossless-frame.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * @file
 * Trimmed packets: a switch has cut off the payload of what it could not store, so that the
 * receiver hears at once which packet is missing (Ultra Ethernet 1.0, packet trimming; SAI, "Packet
 * Trimming").
 *
 * A trimmed packet is told by its code point, as in Ultra Ethernet and SAI. Those are here 8c + 1
 * for a packet that is sent on in class c, and 8c + 2 if the switch which trims it is the last one
 * before the receiver; flows have 8c.
 */

/// Where a packet has lost its payload.
enum class TrimmedAt : uint8_t
{
    NOWHERE,  ///< it has it
    FABRIC,   ///< at a switch to whose egress port there may be another path
    LAST_HOP, ///< at the port to its receiver
};

/// @param tos DSCP << 2 | ECN @return where a packet which carries that has lost its payload
constexpr TrimmedAt
GetTrimmedAt(uint8_t tos)
{
    const uint8_t low = tos >> 2 & 7;
    return low == 1 ? TrimmedAt::FABRIC : (low == 2 ? TrimmedAt::LAST_HOP : TrimmedAt::NOWHERE);
}

/// @param priority class in which a trimmed packet is sent on @param at where it was trimmed
/// @param tos of it before, whose ECN bits stay @return its DSCP << 2 | ECN
constexpr uint8_t
GetTrimmedTos(Priority priority, TrimmedAt at, uint8_t tos)
{
    return static_cast<uint8_t>(Index(priority) << 5 | static_cast<uint8_t>(at) << 2 | (tos & 3));
}

/**
 * Cuts off the end of a RoCE data packet, down to whole headers and as many whole words of payload
 * as fit. Other copies of it stay.
 * @param frame a frame; its class stays
 * @param bytes that are left at most, from the Ethernet header on; headers stay in any case
 * @param tos that it carries from now on
 * @return bytes that are cut off; 0: the frame is not trimmed, as it is no data packet of a RoCE
 * queue pair, has been trimmed before, or is not larger
 */
uint32_t TrimFrame(Frame& frame, uint32_t bytes, uint8_t tos);

} // namespace ns3::lossless

#endif /* LOSSLESS_TRIMMING_H */
