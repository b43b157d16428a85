// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BDP_CAP_H
#define LOSSLESS_BDP_CAP_H

#include <cstdint>

namespace ns3::lossless
{

class Fabric;

/**
 * Limits the unacknowledged data of each flow to the bandwidth-delay product (BDP) of a path, as in
 * IRN (Mittal et al., SIGCOMM 2018, Sec. 3.2). The BDP is the number of full packets, rounded up,
 * that the flow's NIC can send during the round trip of a full packet and its acknowledgement on
 * the idle network. Call this before any flow starts.
 * @param fabric a network whose NICs have a SelectiveReliability
 * @param source the host index of the path's source
 * @param destination the host index of the path's destination; the path should be among the longest
 */
void SetBdpCap(const Fabric& fabric, uint32_t source, uint32_t destination);

} // namespace ns3::lossless

#endif /* LOSSLESS_BDP_CAP_H */
