// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANK_PLAN_H
#define LOSSLESS_RANK_PLAN_H

#include "lossless-topology.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// Which rank simulates which node of a topology, see Ranks and PlanRanks().
struct RankPlan
{
    std::vector<uint32_t> ranks; ///< by node of the topology: its rank
    std::vector<double> shares;  ///< by rank: its part of the expected work; 1 in all
    uint32_t cutLinks{0};        ///< links between different ranks
    uint32_t links{0};           ///< all links that have not failed
    Time lookahead;              ///< least delay of the former; 0: there is none

    /// @return the expected speed by that of one rank: as if all waited for the busiest at all
    /// times, and exchanges took no time
    double GetBalance() const;

    /// @return the plan in a few lines, as `--ranks-plan` shows it
    std::string Describe() const;
};

/**
 * Shares out the nodes of a topology to ranks.
 *
 * Hosts are with their switch, and so are nodes that a cable without delay joins. Racks are dealt
 * out in their order, so that those of a pod stay together; a switch without hosts goes where most
 * of its capacity leads, and if that is nowhere, where there is the least to do. The work of a
 * node is expected to be proportional to the rate of its ports.
 *
 * Stops the program with a sentence if there are more ranks than racks.
 *
 * @param topology a valid topology
 * @param ranks how many there are, at least 1
 * @return the plan
 */
RankPlan PlanRanks(const Topology& topology, uint32_t ranks);

/// @param topology a valid topology @return its racks: the most ranks that PlanRanks() takes
uint32_t CountRacks(const Topology& topology);

} // namespace ns3::lossless

#endif /* LOSSLESS_RANK_PLAN_H */
