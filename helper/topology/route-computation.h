// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_ROUTE_COMPUTATION_H
#define LOSSLESS_ROUTE_COMPUTATION_H

#include "lossless-topology.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::lossless
{

/**
 * The ports by which one node may send towards each host.
 *
 * Many hosts share a port set, so that each set is stored once. In a fat-tree an edge switch has
 * one set for all remote hosts and one for each of its own.
 */
struct RouteTable
{
    /// Consecutive hosts with the same set of ports, which mostly hang on the same switch.
    struct Run
    {
        uint32_t first; ///< host index of the first one
        uint32_t set;   ///< index into portSets
    };

    std::vector<std::vector<uint16_t>> portSets; ///< distinct sets of ports, each sorted
    std::vector<Run> runs;                       ///< up to the first of the next one, in order

    /// Gets the equal-cost ports towards a host. @param host host index of the destination @return
    /// the ports, sorted; empty if the host is unreachable or is the node itself
    const std::vector<uint16_t>& GetPorts(uint32_t host) const;
};

/// The route tables of a network by node index, those of the hosts included.
using RouteTables = std::vector<RouteTable>;

/**
 * Computes the shortest paths to every host, counted in hops.
 *
 * A port belongs to the set of a destination if its link works and the node behind it is one hop
 * nearer. Hosts do not forward: no path crosses one. Costs one breadth-first search for each group
 * of consecutive hosts that hang on the same switch.
 *
 * @param topology the network
 * @return the tables, by node index
 */
RouteTables ComputeRoutes(const Topology& topology);

/// One step of a path: a node and the port by which the path leaves it.
struct PathStep
{
    uint32_t node; ///< node index
    uint16_t port; ///< port of that node
    uint32_t link; ///< index of the link behind the port
};

/// Chooses one of the equal-cost ports: called with the node index and the sorted ports.
using PortChoice = std::function<uint16_t(uint32_t, const std::vector<uint16_t>&)>;

/**
 * Chooses the lowest port.
 * @param node node index
 * @param ports the sorted ports, not empty
 * @return the first of them
 */
uint16_t ChooseFirstPort(uint32_t node, const std::vector<uint16_t>& ports);

/**
 * Follows one shortest path between two hosts.
 * @param topology the network
 * @param routes its route tables
 * @param source host index of the first end
 * @param destination host index of the last end
 * @param choose chooses among equal-cost ports
 * @return the steps from the source to the last switch; empty if there is no path or both ends are
 * the same host
 */
std::vector<PathStep> GetPath(const Topology& topology,
                              const RouteTables& routes,
                              uint32_t source,
                              uint32_t destination,
                              const PortChoice& choose = ChooseFirstPort);

} // namespace ns3::lossless

#endif // LOSSLESS_ROUTE_COMPUTATION_H
