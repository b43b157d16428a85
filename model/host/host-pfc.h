// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HOST_PFC_H
#define LOSSLESS_HOST_PFC_H

#include "ns3/lossless-net-device.h"
#include "ns3/lossless-types.h"

#include <string>

namespace ns3::lossless
{

/// Makes a host pause or resume its neighbour with a PFC frame.
/// @param device the device of the host
/// @param classes the classes in the frame; a frame for all eight classes applies to the whole port
/// @param quanta the pause time of each class; 0 to resume
void SendPfc(const Ptr<LosslessNetDevice>& device, PrioritySet classes, uint16_t quanta);

/// Stops the program if a host is attached to a switch that PFC frames cannot pause in any class.
/// @param device the device of the host
/// @param sender the name of the object that sends the frames, for the error message
void RequirePausedNeighbour(const LosslessNetDevice& device, const std::string& sender);

} // namespace ns3::lossless

#endif /* LOSSLESS_HOST_PFC_H */
