// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRIMMING_H
#define LOSSLESS_TRIMMING_H

#include "lossless-frame.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * @file
 * Packet trimming. A switch removes the payload of a packet that it cannot store, so that the
 * receiver detects immediately which packet is missing (Ultra Ethernet 1.0, packet trimming; SAI,
 * "Packet Trimming").
 *
 * As in Ultra Ethernet and SAI, the DSCP identifies trimmed packets. In this module, a trimmed
 * packet that is forwarded in class c has the DSCP 8c+1, or 8c+2 if the trimming switch is the last
 * one before the receiver. Untrimmed packets of class c have the DSCP 8c.
 */

/// The place where a packet was trimmed.
enum class TrimmedAt : uint8_t
{
    NOWHERE,  ///< not at all
    FABRIC,   ///< at an egress port to which there may be an alternative path
    LAST_HOP, ///< at the port to the receiver
};

/// @param tos the type of service, DSCP << 2 | ECN
/// @return the place where the packet was trimmed
constexpr TrimmedAt
GetTrimmedAt(uint8_t tos)
{
    const uint8_t low = tos >> 2 & 7;
    return low == 1 ? TrimmedAt::FABRIC : (low == 2 ? TrimmedAt::LAST_HOP : TrimmedAt::NOWHERE);
}

/// @param priority the class in which a trimmed packet is forwarded
/// @param at the place where the packet was trimmed
/// @param tos the previous type of service; its ECN bits do not change
/// @return the new type of service, DSCP << 2 | ECN
constexpr uint8_t
GetTrimmedTos(Priority priority, TrimmedAt at, uint8_t tos)
{
    return static_cast<uint8_t>(Index(priority) << 5 | static_cast<uint8_t>(at) << 2 | (tos & 3));
}

/**
 * Truncates a RoCE data packet to its headers and as many 4-byte words of payload as fit. Other
 * copies of the packet are not affected.
 * @param frame the frame, whose class does not change
 * @param bytes the maximum new size, including the Ethernet header; headers are always kept
 * @param tos the new type of service
 * @return the number of bytes removed; 0 if the frame is not trimmed because it is not a data
 * packet of a RoCE queue pair, was trimmed before, or is not larger than `bytes`
 */
uint32_t TrimFrame(Frame& frame, uint32_t bytes, uint8_t tos);

} // namespace ns3::lossless

#endif /* LOSSLESS_TRIMMING_H */
