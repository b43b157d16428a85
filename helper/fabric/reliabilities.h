// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RELIABILITIES_H
#define LOSSLESS_RELIABILITIES_H

#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

class Fabric;

/// A way of RoCE queue pairs to repair loss, as experiment programs name it.
struct ReliabilityChoice
{
    std::string name; ///< what `--reliability` takes
    std::string type; ///< TypeId of its Reliability subclass
    std::string what; ///< a line about it
};

/// @return the ways that exist, first the default
const std::vector<ReliabilityChoice>& GetReliabilities();

/// @return a line about each, for `--help`
std::string DescribeReliabilities();

/// @param type a subclass of Reliability @return its name; that of the type if it has none
std::string GetReliabilityName(TypeId type);

/**
 * Bounds what a flow may have unacknowledged by the bandwidth-delay product of a path, as IRN does
 * (Mittal et al., SIGCOMM 2018, Sec. 3.2): by the full packets that the link of its NIC sends in
 * the round-trip time without queues, of a full packet there and an acknowledgement back, rounded
 * up. Called before flows start.
 * @param fabric a network whose NICs have a SelectiveReliability
 * @param source host index
 * @param destination index of the host at the other end of a longest path
 */
void SetBdpCap(const Fabric& fabric, uint32_t source, uint32_t destination);

} // namespace ns3::lossless

#endif /* LOSSLESS_RELIABILITIES_H */
