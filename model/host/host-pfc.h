// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HOST_PFC_H
#define LOSSLESS_HOST_PFC_H

#include "ns3/lossless-net-device.h"
#include "ns3/lossless-types.h"

#include <string>

namespace ns3::lossless
{

/// Sends a PFC frame, as a host does that pauses its neighbour by itself. @param device of the host
/// @param classes in the frame; all eight make it a frame for the whole port
/// @param quanta pause time of each of them; 0 resumes
void SendPfc(const Ptr<LosslessNetDevice>& device, PrioritySet classes, uint16_t quanta);

/// Stops the program unless PFC frames of a host pause its neighbour, where there is one, in any
/// class.
/// @param device of the host @param sender what is to send them, for the message
void RequirePausedNeighbour(const LosslessNetDevice& device, const std::string& sender);

} // namespace ns3::lossless

#endif /* LOSSLESS_HOST_PFC_H */
