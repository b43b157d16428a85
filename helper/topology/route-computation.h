// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_ROUTE_COMPUTATION_H
#define LOSSLESS_ROUTE_COMPUTATION_H

#include "lossless-topology.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/**
 * The ports through which a node can reach each host.
 *
 * Many hosts share a port set, so each set is stored once. In a fat-tree, an edge switch has one
 * set for all remote hosts and one set for each local host.
 */
struct RouteTable
{
    /// A run of consecutive hosts with the same set of ports, usually at the same switch.
    struct Run
    {
        uint32_t first; ///< host index of the first host
        uint32_t set;   ///< index of the set in portSets
    };

    std::vector<std::vector<uint16_t>> portSets; ///< distinct sets of ports, each sorted
    std::vector<Run> runs; ///< runs, in order; each extends to the start of the next one

    /// @return the sorted equal-cost ports towards a host; empty if the host is unreachable or is
    /// this node
    const std::vector<uint16_t>& GetPorts(uint32_t host) const;
};

/// The route tables of all nodes, including hosts, by node index.
using RouteTables = std::vector<RouteTable>;

/**
 * Computes the shortest paths to every host, measured in hops.
 *
 * A port belongs to the set of a destination if its link works and the node at the other end is one
 * hop closer to the destination. Hosts do not forward. The computation needs one breadth-first
 * search for each group of consecutive hosts at the same switch.
 */
RouteTables ComputeRoutes(const Topology& topology);

/// One step of a path, given by a node and the port through which the path leaves that node.
struct PathStep
{
    uint32_t node; ///< index of the node
    uint16_t port; ///< egress port of the node
    uint32_t link; ///< index of the link
};

/// Follows the shortest path between two hosts that takes the lowest-numbered port at each node.
/// @param source the host index of the source
/// @param destination the host index of the destination
/// @return the steps from the source to the last switch; empty if there is no path or if the source
/// and destination are the same host
std::vector<PathStep> GetPath(const Topology& topology,
                              const RouteTables& routes,
                              uint32_t source,
                              uint32_t destination);

} // namespace ns3::lossless

#endif // LOSSLESS_ROUTE_COMPUTATION_H
