// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECN_REWRITE_H
#define LOSSLESS_ECN_REWRITE_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * The Internet checksum after one 16-bit word under it has changed (RFC 1624, equation 3).
 * @param checksum the checksum before
 * @param before value of the word before, in host order as the checksum
 * @param after value of the word from now on
 * @return the checksum from now on
 */
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
 * Packet uid, packet tags, payload and what Packet::Print knows of the headers stay. Other copies
 * of the packet stay as they are. The zero that ns-3 writes while checksums are switched off stays.
 * Byte tags lose their hold on the headers, as they do whenever ns-3 removes one.
 *
 * @param frame begins with a RoceHeader, or with an EthernetHeader and an Ipv4Header; aborts if its
 * bytes are not IPv4
 * @param tos DSCP << 2 | ECN
 */
void RewriteTos(Ptr<Packet> frame, uint8_t tos);

} // namespace ns3::lossless

#endif /* LOSSLESS_ECN_REWRITE_H */
