// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-rewrite.h"

#include "lossless-types.h"
#include "roce-header.h"

#include "ns3/abort.h"
#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"

namespace ns3::lossless
{

void
RewriteTos(Ptr<Packet> frame, uint8_t tos)
{
    if (auto roce = RoceHeader::Peek(*frame))
    {
        frame->RemoveHeader(*roce);
        roce->SetTos(tos);
        frame->AddHeader(*roce);
        return;
    }
    constexpr uint32_t MIN_BYTES = ETHERNET_BYTES + 20;
    EthernetHeader ethernet(false);
    const bool isIpv4 = frame->GetSize() >= MIN_BYTES && frame->PeekHeader(ethernet) > 0 &&
                        ethernet.GetLengthType() == ETHERTYPE_IPV4;
    NS_ABORT_MSG_IF(!isIpv4,
                    "RewriteTos was given a frame of " << frame->GetSize()
                                                       << " bytes without an IPv4 header behind "
                                                          "a 14-byte Ethernet header");
    frame->RemoveHeader(ethernet);
    Ipv4Header before; // 0 mostly stands for no checksum, but may be the sum
    before.EnableChecksum();
    frame->PeekHeader(before);
    Ipv4Header ipv4;
    frame->RemoveHeader(ipv4);
    if (before.IsChecksumOk())
    {
        ipv4.EnableChecksum();
    }
    ipv4.SetTos(tos);
    frame->AddHeader(ipv4);
    frame->AddHeader(ethernet);
}

} // namespace ns3::lossless
