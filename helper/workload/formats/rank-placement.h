// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANK_PLACEMENT_H
#define LOSSLESS_RANK_PLACEMENT_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// What foreign files leave open: the host of a rank (a process, NPU or node of the file), and the
/// class and labels of its messages.
struct RankPlacement
{
    std::vector<uint32_t> hosts; ///< host index by rank; each host at most once
    uint8_t priority{3};         ///< of all flows, 0 to 7
    std::string group;           ///< label of all flows, may be empty
    std::string job;             ///< label, may be empty
};

} // namespace ns3::lossless

#endif // LOSSLESS_RANK_PLACEMENT_H
