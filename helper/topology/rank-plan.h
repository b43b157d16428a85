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

/// An assignment of a topology's nodes to ranks; see Ranks and PlanRanks().
struct RankPlan
{
    std::vector<uint32_t> ranks; ///< rank of each node
    std::vector<double> shares;  ///< fraction of the expected work on each rank
    uint32_t cutLinks{0};        ///< number of working links between different ranks
    uint32_t links{0};           ///< number of working links
    Time lookahead;              ///< minimum delay of the cut links; 0 if no links are cut

    /// @return the expected speedup over one rank, assuming that all ranks always wait for the
    /// busiest rank and that communication takes no time
    double GetBalance() const;

    /// @return a description of a few lines, as printed by `--ranks-plan`
    std::string Describe() const;
};

/**
 * Assigns the nodes of a topology to ranks.
 *
 * A host is on the rank of its first neighbour, and nodes connected by a cable without delay are on
 * the same rank. Racks are assigned in order, so that the racks of a pod stay together as far as
 * possible. A switch without hosts is assigned to the rank with free capacity to which it has the
 * highest total link rate. If there is no such rank, the switch is assigned to the least loaded
 * rank. The work of a node is assumed to be proportional to the total rate of its ports.
 *
 * Aborts if there are more ranks than racks.
 *
 * @param topology a valid topology
 * @param ranks the number of ranks, at least 1
 */
RankPlan PlanRanks(const Topology& topology, uint32_t ranks);

/// @param topology a valid topology
/// @return the number of racks, which is the maximum number of ranks for PlanRanks()
uint32_t CountRacks(const Topology& topology);

} // namespace ns3::lossless

#endif /* LOSSLESS_RANK_PLAN_H */
