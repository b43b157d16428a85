// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-rewrite.h"

#include "lossless-types.h"
#include "network-order.h"
#include "roce-header.h"

#include "ns3/abort.h"
#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"

#include <array>

namespace ns3::lossless
{

namespace
{

constexpr uint32_t IPV4_BYTES = 20;

using FrameStart = std::array<uint8_t, ETHERNET_BYTES + IPV4_BYTES>;

/// @return whether the IPv4 header has a correct checksum. A checksum field of 0 usually means that
/// there is no checksum, but 0 can also be the correct value.
bool
HasChecksum(const FrameStart& bytes)
{
    uint64_t sum = 0;
    for (uint32_t at = ETHERNET_BYTES; at < bytes.size(); at += 2)
    {
        sum += ReadNumber<2>(&bytes[at]);
    }
    return sum % 0xffff == 0;
}

} // namespace

void
RewriteTos(Ptr<Packet> frame, uint8_t tos)
{
    constexpr uint32_t TYPE_AT = 12;
    constexpr uint32_t PROTOCOL_AT = 23;
    FrameStart bytes;
    const bool isWhole = frame->CopyData(bytes.data(), bytes.size()) == bytes.size();
    NS_ABORT_MSG_IF(!isWhole || ReadNumber<2>(&bytes[TYPE_AT]) != ETHERTYPE_IPV4,
                    "RewriteTos was given a frame of " << frame->GetSize()
                                                       << " bytes without an IPv4 header behind "
                                                          "a 14-byte Ethernet header");
    auto roce = bytes[PROTOCOL_AT] == PROTOCOL_UDP ? RoceHeader::Peek(*frame) : std::nullopt;
    if (roce)
    {
        frame->RemoveHeader(*roce);
        roce->SetTos(tos);
        frame->AddHeader(*roce);
        return;
    }
    EthernetHeader ethernet(false);
    Ipv4Header ipv4;
    frame->RemoveHeader(ethernet);
    frame->RemoveHeader(ipv4);
    if (HasChecksum(bytes))
    {
        ipv4.EnableChecksum();
    }
    ipv4.SetTos(tos);
    frame->AddHeader(ipv4);
    frame->AddHeader(ethernet);
}

} // namespace ns3::lossless
