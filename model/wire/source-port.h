// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SOURCE_PORT_H
#define LOSSLESS_SOURCE_PORT_H

#include "lossless-frame.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * Gives a packet another UDP source port, by which switches may choose another path.
 * @param frame of a RoCE packet that has just been made: nobody has asked for its bytes
 * @param port UDP source port
 */
void SetSourcePort(Frame& frame, uint16_t port);

} // namespace ns3::lossless

#endif /* LOSSLESS_SOURCE_PORT_H */
