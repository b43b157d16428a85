// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECN_REWRITE_H
#define LOSSLESS_ECN_REWRITE_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::lossless
{

/// Updates an Internet checksum after a change of one 16-bit word (RFC 1624, equation 3).
/// @param checksum the old checksum
/// @param before the old value of the word, in host order, like the checksum
/// @param after the new value of the word
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
 * Rewrites the type-of-service byte (DSCP and ECN) of an IPv4 frame and updates its checksum.
 *
 * The packet's UID, packet tags, payload and metadata for Packet::Print() do not change, and other
 * copies of the packet are not affected. A checksum of zero, which ns-3 writes if checksums are
 * disabled, does not change. Byte tags no longer cover the headers, as is always the case when ns-3
 * removes a header.
 *
 * @param frame a frame that begins with a RoceHeader, or with an EthernetHeader and an Ipv4Header;
 * a frame that is not IPv4 stops the program
 * @param tos the new type of service, DSCP << 2 | ECN
 */
void RewriteTos(Ptr<Packet> frame, uint8_t tos);

} // namespace ns3::lossless

#endif /* LOSSLESS_ECN_REWRITE_H */
