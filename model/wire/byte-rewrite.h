// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BYTE_REWRITE_H
#define LOSSLESS_BYTE_REWRITE_H

#include "ns3/packet.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * Rewrites bytes at the start of a packet.
 *
 * Where ns-3 keeps a record of headers (Packet::EnablePrinting), each header is made of its new
 * bytes and put on again, so that the record stays true: those concerned have to write what they
 * have read, which ns-3's do but for a wrong checksum in an Ipv4Header, which becomes right.
 * Without a record, the bytes alone are replaced, since headers would be read and written for
 * nothing on the path of each packet.
 *
 * Packet uid, packet tags, payload and what Packet::Print knows of the headers stay. Other copies
 * of the packet stay as they are. Byte tags lose their hold on the rewritten bytes, as they do
 * whenever ns-3 removes a header.
 *
 * @param packet the packet
 * @param bytes what it starts with afterwards
 * @param needed how many of these may differ from those of the packet
 * @param available how many there are: enough for all headers in which the former lie
 */
void RewriteStart(Packet& packet, const uint8_t* bytes, uint32_t needed, uint32_t available);

} // namespace ns3::lossless

#endif /* LOSSLESS_BYTE_REWRITE_H */
