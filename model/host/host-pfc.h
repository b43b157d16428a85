// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HOST_PFC_H
#define LOSSLESS_HOST_PFC_H

#include "ns3/lossless-net-device.h"
#include "ns3/lossless-types.h"

#include <string>

namespace ns3::lossless
{

/// Sends a PFC frame from a host that pauses its neighbour by itself.
/// @param classes in the frame; all eight make it a frame for the whole port
/// @param quanta pause time of each class; 0 resumes
void SendPfc(const Ptr<LosslessNetDevice>& device, PrioritySet classes, uint16_t quanta);

/// Ends the program unless PFC frames of a host pause its neighbour, if there is one, in any class.
/// @param sender what would send them, for the message
void RequirePausedNeighbour(const LosslessNetDevice& device, const std::string& sender);

} // namespace ns3::lossless

#endif /* LOSSLESS_HOST_PFC_H */
