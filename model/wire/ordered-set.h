// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ORDERED_SET_H
#define LOSSLESS_ORDERED_SET_H

#include "mac-control-header.h"

#include "ns3/packet.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * Bytes of a control ordered set, all that it takes on the wire: links put it between frames, where
 * it has neither preamble nor FCS nor gap (CBFC and LLR of Ultra Ethernet, as SAI describes them).
 * A device sends a control packet of this size as an ordered set; a frame is always longer.
 */
inline constexpr uint32_t ORDERED_SET_BYTES = 8;

static_assert(ORDERED_SET_BYTES < ETHERNET_BYTES);

/// First byte of each, before the kind.
inline constexpr uint8_t ORDERED_SET_CODE = 0x5c;

/// @param packet what is on the wire @return whether it is an ordered set
inline bool
IsOrderedSet(const Packet& packet)
{
    return packet.GetSize() == ORDERED_SET_BYTES;
}

/// @param packet what is on the wire @return whether it is a MAC control frame or an ordered set
inline bool
IsLinkControl(const Packet& packet)
{
    return IsOrderedSet(packet) || PeekMacControlOpcode(packet).has_value();
}

} // namespace ns3::lossless

#endif /* LOSSLESS_ORDERED_SET_H */
