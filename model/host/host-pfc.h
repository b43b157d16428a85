// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HOST_PFC_H
#define LOSSLESS_HOST_PFC_H

#include "ns3/lossless-net-device.h"
#include "ns3/lossless-types.h"

#include <string>

namespace ns3::lossless
{

/// Sends a PFC frame from a host that pauses its neighbour on its own initiative.
/// @param device the device of the host
/// @param classes the classes in the frame; a frame for all eight classes applies to the whole port
/// @param quanta the pause time of each class; 0 to resume
void SendPfc(const Ptr<LosslessNetDevice>& device, PrioritySet classes, uint16_t quanta);

/// Exits with an error if a host has a neighbour but cannot pause any of its classes with PFC
/// frames.
/// @param device the device of the host
/// @param sender the name of the object that sends the frames, for the error message
void RequirePausedNeighbour(const LosslessNetDevice& device, const std::string& sender);

} // namespace ns3::lossless

#endif /* LOSSLESS_HOST_PFC_H */
