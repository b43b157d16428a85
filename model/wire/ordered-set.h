// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ORDERED_SET_H
#define LOSSLESS_ORDERED_SET_H

#include "mac-control-header.h"

#include "ns3/packet.h"

#include <cstdint>

namespace ns3::lossless
{

/// Size of a control ordered set, also on the wire: links send it between frames, without preamble,
/// FCS and gap (CBFC and LLR of Ultra Ethernet, as SAI describes them). A device sends a control
/// packet of this size as an ordered set; a frame is always longer.
inline constexpr uint32_t ORDERED_SET_BYTES = 8;

static_assert(ORDERED_SET_BYTES < ETHERNET_BYTES);

/// First byte of each ordered set, before its kind.
inline constexpr uint8_t ORDERED_SET_CODE = 0x5c;

/// @return whether the packet is an ordered set
inline bool
IsOrderedSet(const Packet& packet)
{
    return packet.GetSize() == ORDERED_SET_BYTES;
}

/// @return whether it is a MAC control frame or an ordered set
inline bool
IsLinkControl(const Packet& packet)
{
    return IsOrderedSet(packet) || PeekMacControlOpcode(packet).has_value();
}

} // namespace ns3::lossless

#endif /* LOSSLESS_ORDERED_SET_H */
