// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-frame.h"

#include "ecn-rewrite.h"
#include "mac-control-header.h"
#include "network-order.h"
#include "unbuilt-packet.h"

#include <array>

namespace ns3::lossless
{

namespace
{

constexpr uint16_t ETHERTYPE_ARP = 0x0806;

/// The first bytes of a frame: the Ethernet header, the IPv4 header with its options, and the
/// ports.
using HeaderBytes = std::array<uint8_t, ETHERNET_BYTES + 60 + 4>;

void
ReadIpv4(const uint8_t* ip, uint32_t length, Frame& frame)
{
    const uint32_t headerBytes = (ip[0] & 0xf) * 4;
    if (length < 20 || headerBytes < 20 || length < headerBytes)
    {
        return;
    }
    frame.kind = FrameKind::IPV4;
    frame.tos = ip[1];
    frame.priority = Priority{static_cast<uint8_t>(frame.tos >> 5)};
    frame.flow.protocol = ip[9];
    frame.flow.source = static_cast<uint32_t>(ReadNumber<4>(ip + 12));
    frame.flow.destination = static_cast<uint32_t>(ReadNumber<4>(ip + 16));
    // Only the first fragment of a packet contains the ports. If the ports were hashed, the other
    // fragments would take another path and could overtake the first one.
    const bool isFragment = (ReadNumber<2>(ip + 6) & IPV4_FRAGMENT_BITS) != 0;
    const bool hasPorts = ip[9] == PROTOCOL_TCP || ip[9] == PROTOCOL_UDP;
    if (!isFragment && hasPorts && length >= headerBytes + 4)
    {
        frame.flow.sourcePort = static_cast<uint16_t>(ReadNumber<2>(ip + headerBytes));
        frame.flow.destinationPort = static_cast<uint16_t>(ReadNumber<2>(ip + headerBytes + 2));
    }
}

void
ReadArp(const uint8_t* arp, uint32_t length, Frame& frame)
{
    if (length < 28)
    {
        return;
    }
    frame.kind = FrameKind::ARP;
    frame.flow.source = static_cast<uint32_t>(ReadNumber<4>(arp + 14));
    frame.flow.destination = static_cast<uint32_t>(ReadNumber<4>(arp + 24));
}

} // namespace

uint64_t
HashOf(const FlowKey& key)
{
    const uint64_t addresses = static_cast<uint64_t>(key.source) << 32 | key.destination;
    const uint64_t rest = static_cast<uint64_t>(key.sourcePort) << 24 |
                          static_cast<uint64_t>(key.destinationPort) << 8 | key.protocol;
    return MixBits(MixBits(addresses) + rest);
}

Frame
ParseFrame(Ptr<Packet> packet)
{
    Frame frame;
    frame.size = packet->GetSize();
    HeaderBytes bytes;
    const uint32_t length = packet->CopyData(bytes.data(), bytes.size());
    frame.packet = packet;
    if (length < ETHERNET_BYTES)
    {
        return frame;
    }
    switch (ReadNumber<2>(bytes.data() + 12))
    {
    case ETHERTYPE_IPV4:
        ReadIpv4(bytes.data() + ETHERNET_BYTES, length - ETHERNET_BYTES, frame);
        break;
    case ETHERTYPE_ARP:
        ReadArp(bytes.data() + ETHERNET_BYTES, length - ETHERNET_BYTES, frame);
        break;
    case ETHERTYPE_MAC_CONTROL:
        frame.kind = FrameKind::MAC_CONTROL;
        break;
    default:
        break;
    }
    frame.flowHash = HashOf(frame.flow);
    return frame;
}

void
MarkCongestionExperienced(Frame& frame)
{
    frame.tos |= 3;
    if (UnbuiltPacket* packet = frame.packet.GetUnbuilt())
    {
        packet->SetTos(frame.tos);
    }
    else
    {
        RewriteTos(frame.packet, frame.tos);
    }
}

} // namespace ns3::lossless
