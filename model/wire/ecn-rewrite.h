// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECN_REWRITE_H
#define LOSSLESS_ECN_REWRITE_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::lossless
{

/// Updates an Internet checksum after a change of one 16-bit word (RFC 1624, equation 3).
/// @param checksum old checksum
/// @param before old value of the word, in host order like the checksum
/// @param after new value of the word
/// @return the new checksum
constexpr uint16_t
UpdateChecksum(uint16_t checksum, uint16_t before, uint16_t after)
{
    uint32_t sum = static_cast<uint16_t>(~checksum);
    sum += static_cast<uint16_t>(~before);
    sum += after;
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<uint16_t>(~sum);
}

/**
 * Rewrites the type of service byte (DSCP and ECN) of an IPv4 frame and its header checksum.
 *
 * Packet uid, packet tags, payload and the metadata for Packet::Print stay, and so do other copies
 * of the packet. A checksum of zero, which ns-3 writes while checksums are disabled, stays. Byte
 * tags no longer cover the headers, as whenever ns-3 removes one.
 *
 * @param frame begins with a RoceHeader, or with an EthernetHeader and an Ipv4Header; if its bytes
 * are not IPv4, the program stops
 * @param tos DSCP << 2 | ECN
 */
void RewriteTos(Ptr<Packet> frame, uint8_t tos);

} // namespace ns3::lossless

#endif /* LOSSLESS_ECN_REWRITE_H */
