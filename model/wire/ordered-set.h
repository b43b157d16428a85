// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ORDERED_SET_H
#define LOSSLESS_ORDERED_SET_H

#include "mac-control-header.h"

#include "ns3/packet.h"

#include <cstdint>

namespace ns3::lossless
{

/// The size of a control ordered set, which is also its size on the wire. Links send ordered sets
/// between frames, without preamble, FCS or gap (CBFC and LLR of Ultra Ethernet, as documented by
/// SAI). A device sends each control packet of this size as an ordered set, because frames are
/// always longer.
inline constexpr uint32_t ORDERED_SET_BYTES = 8;

static_assert(ORDERED_SET_BYTES < ETHERNET_BYTES);

/// The first byte of each ordered set. The second byte is the kind of the ordered set.
inline constexpr uint8_t ORDERED_SET_CODE = 0x5c;

/// @return whether the packet is an ordered set
inline bool
IsOrderedSet(const Packet& packet)
{
    return packet.GetSize() == ORDERED_SET_BYTES;
}

/// @return whether the packet is a MAC control frame or an ordered set
inline bool
IsLinkControl(const Packet& packet)
{
    return IsOrderedSet(packet) || PeekMacControlOpcode(packet).has_value();
}

} // namespace ns3::lossless

#endif /* LOSSLESS_ORDERED_SET_H */
