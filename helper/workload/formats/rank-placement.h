// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANK_PLACEMENT_H
#define LOSSLESS_RANK_PLACEMENT_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// The placement of a program's ranks, which are processes, NPUs or nodes in a file of another
/// program. It consists of the host of each rank, and the class and labels of its messages, which
/// such files do not contain.
struct RankPlacement
{
    std::vector<uint32_t> hosts; ///< host indices by rank; each host occurs at most once
    uint8_t priority{3};         ///< class of all flows, 0 to 7
    std::string group;           ///< label of all flows; may be empty
    std::string job;             ///< label of the job; may be empty
};

} // namespace ns3::lossless

#endif // LOSSLESS_RANK_PLACEMENT_H
