// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SOURCE_PORT_H
#define LOSSLESS_SOURCE_PORT_H

#include "lossless-frame.h"

#include <cstdint>

namespace ns3::lossless
{

/// Changes the UDP source port of a packet, by which switches may choose another path.
/// @param frame of a newly created RoCE packet, not built yet
void SetSourcePort(Frame& frame, uint16_t port);

} // namespace ns3::lossless

#endif /* LOSSLESS_SOURCE_PORT_H */
