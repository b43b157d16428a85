// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRIMMING_H
#define LOSSLESS_TRIMMING_H

#include "lossless-frame.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * @file
 * Trimmed packets: a switch has cut off the payload of a packet that it could not store, so that
 * the receiver learns at once which packet is missing (Ultra Ethernet 1.0, packet trimming; SAI,
 * "Packet Trimming").
 *
 * As in Ultra Ethernet and SAI, a code point identifies trimmed packets: here 8c + 1 for a packet
 * forwarded in class c, and 8c + 2 if the trimming switch is the last one before the receiver;
 * flows have 8c.
 */

/// Where a packet has lost its payload.
enum class TrimmedAt : uint8_t
{
    NOWHERE,  ///< not at all
    FABRIC,   ///< at an egress port to which there may be an alternative path
    LAST_HOP, ///< at the port to its receiver
};

/// @param tos DSCP << 2 | ECN
constexpr TrimmedAt
GetTrimmedAt(uint8_t tos)
{
    const uint8_t low = tos >> 2 & 7;
    return low == 1 ? TrimmedAt::FABRIC : (low == 2 ? TrimmedAt::LAST_HOP : TrimmedAt::NOWHERE);
}

/// @param priority class in which a trimmed packet is forwarded
/// @param at where it was trimmed
/// @param tos previous one, whose ECN bits stay
/// @return its DSCP << 2 | ECN
constexpr uint8_t
GetTrimmedTos(Priority priority, TrimmedAt at, uint8_t tos)
{
    return static_cast<uint8_t>(Index(priority) << 5 | static_cast<uint8_t>(at) << 2 | (tos & 3));
}

/**
 * Cuts off the end of a RoCE data packet, down to all headers and as many whole words of payload as
 * fit. Other copies of the packet stay.
 * @param frame its class stays
 * @param bytes maximum size afterwards, from the Ethernet header on; headers stay in any case
 * @param tos new value
 * @return bytes cut off; 0 if the frame is not trimmed, because it is not a data packet of a RoCE
 * queue pair, was trimmed before, or is not larger
 */
uint32_t TrimFrame(Frame& frame, uint32_t bytes, uint8_t tos);

} // namespace ns3::lossless

#endif /* LOSSLESS_TRIMMING_H */
