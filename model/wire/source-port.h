// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SOURCE_PORT_H
#define LOSSLESS_SOURCE_PORT_H

#include "lossless-frame.h"

#include <cstdint>

namespace ns3::lossless
{

/// The first of the dynamic ports, which IANA assigns to no protocol (RFC 6335).
inline constexpr uint16_t FIRST_DYNAMIC_PORT = 49152;
/// The number of dynamic ports.
inline constexpr uint16_t DYNAMIC_PORTS = 16384;

/// Changes a packet's UDP source port, so that switches may select another path.
/// @param frame the frame of a new RoCE packet that has not been built
void SetSourcePort(Frame& frame, uint16_t port);

} // namespace ns3::lossless

#endif /* LOSSLESS_SOURCE_PORT_H */
