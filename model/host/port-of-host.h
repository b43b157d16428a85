// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PORT_OF_HOST_H
#define LOSSLESS_PORT_OF_HOST_H

#include "ns3/host-port.h"
#include "ns3/lossless-net-device.h"

#include <string>

namespace ns3::lossless
{

/**
 * Checks that sources and receivers may be put on a device; a device which is on no node, or a port
 * of a switch, stops the program.
 * @param device a device
 * @param user who is to be put there, for the message
 * @return where to put them
 */
HostPort& GetPortOfHost(Ptr<LosslessNetDevice> device, const std::string& user);

} // namespace ns3::lossless

#endif /* LOSSLESS_PORT_OF_HOST_H */
