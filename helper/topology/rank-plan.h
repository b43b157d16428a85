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

/// Assignment of the nodes of a topology to ranks, see Ranks and PlanRanks().
struct RankPlan
{
    std::vector<uint32_t> ranks; ///< rank by node of the topology
    std::vector<double> shares;  ///< by rank: share of the expected work, total 1
    uint32_t cutLinks{0};        ///< links between different ranks
    uint32_t links{0};           ///< all links that have not failed
    Time lookahead;              ///< minimum delay of the cut links; 0: none are cut

    /// @return the expected speed-up over one rank, if all always waited for the busiest and
    /// exchanges took no time
    double GetBalance() const;

    /// @return the plan in a few lines, as shown by `--ranks-plan`
    std::string Describe() const;
};

/**
 * Assigns the nodes of a topology to ranks.
 *
 * Hosts go with their switch, and nodes connected by a cable without delay stay together. Racks are
 * assigned in order, so that those of a pod stay together; a switch without hosts goes to the rank
 * to which most of its capacity leads, or if there is none, to the least busy one. The work of a
 * node is assumed to be proportional to the rate of its ports.
 *
 * More ranks than racks stop the program.
 *
 * @param topology a valid one
 * @param ranks at least 1
 */
RankPlan PlanRanks(const Topology& topology, uint32_t ranks);

/// @param topology a valid one
/// @return number of racks: the maximum number of ranks for PlanRanks()
uint32_t CountRacks(const Topology& topology);

} // namespace ns3::lossless

#endif /* LOSSLESS_RANK_PLAN_H */
