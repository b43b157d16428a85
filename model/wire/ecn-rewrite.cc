// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-rewrite.h"

#include "byte-rewrite.h"

#include "ns3/abort.h"

#include <array>

namespace ns3::lossless
{

namespace
{

// Offsets from the start of the Ethernet header.
constexpr uint32_t ETHERTYPE_AT = 12;
constexpr uint32_t VERSION_AT = 14;
constexpr uint32_t TOS_AT = 15;
constexpr uint32_t CHECKSUM_AT = 24;
constexpr uint32_t REWRITTEN_BYTES = CHECKSUM_AT + 2;
constexpr uint32_t MIN_IPV4_BYTES = 14 + 20;

/// Bytes at the start of a frame, enough for all headers in which the rewritten bytes may lie.
using FrameStart = std::array<uint8_t, 128>;

bool
IsIpv4(const FrameStart& bytes, uint32_t size)
{
    return size >= MIN_IPV4_BYTES && bytes[ETHERTYPE_AT] == 0x08 && bytes[ETHERTYPE_AT + 1] == 0 &&
           bytes[VERSION_AT] >> 4 == 4;
}

/// @param bytes where the word starts @return the word in host order
uint16_t
Read16(const uint8_t* bytes)
{
    return static_cast<uint16_t>(bytes[0] << 8 | bytes[1]);
}

/// @param bytes of a frame @return whether its IPv4 header has a checksum: 0 mostly stands for
/// none, but may be the sum
bool
HasChecksum(const FrameStart& bytes)
{
    if (Read16(&bytes[CHECKSUM_AT]) != 0)
    {
        return true;
    }
    const uint32_t end = VERSION_AT + 4 * (bytes[VERSION_AT] & 0xfU);
    uint32_t sum = 0;
    for (uint32_t at = VERSION_AT; at < end; at += 2)
    {
        sum += Read16(&bytes[at]);
    }
    return sum % 0xffff == 0;
}

} // namespace

void
RewriteTos(Ptr<Packet> frame, uint8_t tos)
{
    FrameStart bytes;
    const uint32_t size = frame->CopyData(bytes.data(), bytes.size());
    NS_ABORT_MSG_IF(!IsIpv4(bytes, size),
                    "RewriteTos was given a frame of " << frame->GetSize()
                                                       << " bytes without an IPv4 header behind "
                                                          "a 14-byte Ethernet header");
    if (bytes[TOS_AT] == tos)
    {
        return;
    }
    const bool hasChecksum = HasChecksum(bytes);
    const uint16_t before = Read16(&bytes[VERSION_AT]);
    bytes[TOS_AT] = tos;
    if (hasChecksum)
    {
        const uint16_t checksum =
            UpdateChecksum(Read16(&bytes[CHECKSUM_AT]), before, Read16(&bytes[VERSION_AT]));
        bytes[CHECKSUM_AT] = static_cast<uint8_t>(checksum >> 8);
        bytes[CHECKSUM_AT + 1] = static_cast<uint8_t>(checksum);
    }
    RewriteStart(*frame, bytes.data(), REWRITTEN_BYTES, size);
}

} // namespace ns3::lossless
