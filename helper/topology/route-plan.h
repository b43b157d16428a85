// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ROUTE_PLAN_H
#define LOSSLESS_ROUTE_PLAN_H

#include "lossless-topology.h"
#include "route-computation.h"

#include "ns3/ipv4-address.h"
#include "ns3/two-level-forwarding.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Assigns addresses to the NICs of a Fabric and fills the forwarding tables of its switches.
 *
 * The topology passed to the methods has one host per NIC, ordered by host and port.
 */
class RoutePlan
{
  public:
    virtual ~RoutePlan() = default;

    /// @return the addresses of all hosts, within 10.0.0.0/8
    virtual std::vector<Ipv4Address> MakeAddresses(const Topology& topology) const = 0;

    /// @param routes the shortest paths of the topology
    /// @param node the node index of a switch
    /// @param [out] forwarding the Forwarding whose table is filled
    virtual void FillTable(const Topology& topology,
                           const RouteTables& routes,
                           uint32_t node,
                           Forwarding& forwarding) const = 0;
};

/**
 * @ingroup lossless
 * Uses all shortest paths. This works for any topology. The addresses are 10.0.0.1, 10.0.0.2, ...,
 * in the order of the hosts.
 */
class ShortestPathRoutes : public RoutePlan
{
  public:
    std::vector<Ipv4Address> MakeAddresses(const Topology& topology) const override;
    void FillTable(const Topology& topology,
                   const RouteTables& routes,
                   uint32_t node,
                   Forwarding& forwarding) const override;
};

/**
 * @ingroup lossless
 * Assigns the addresses and fills the two-level tables of a fat-tree (Al-Fares et al., SIGCOMM
 * 2008, Sec. 3.2 and 3.3). The network must be created by Topology::FatTree(), and its switches
 * must have a TwoLevelForwarding.
 *
 * Host h of edge switch e in pod p has address 10.p.e.(2 + h). Prefixes direct traffic down: from
 * core switches to pods, from aggregation switches to edge switches, and from edge switches to
 * hosts. Suffixes direct traffic up to other pods or, at an edge switch, to other edge switches.
 * Switch s of a layer in a pod sends traffic for host ID i to uplink (i - 2 + s) mod k/2. Failed
 * links are not avoided.
 */
class TwoLevelRoutes : public RoutePlan
{
  public:
    /// @param options the options of the fat-tree
    explicit TwoLevelRoutes(const FatTreeOptions& options);

    std::vector<Ipv4Address> MakeAddresses(const Topology& topology) const override;
    void FillTable(const Topology& topology,
                   const RouteTables& routes,
                   uint32_t node,
                   Forwarding& forwarding) const override;

  private:
    /// Assigns consecutive networks to the ports, starting at port 0.
    /// @param first the address of the first network
    /// @param length the prefix length
    /// @param number the number of networks
    void AddDownlinks(TwoLevelForwarding& table,
                      Ipv4Address first,
                      uint8_t length,
                      uint32_t number) const;
    /// Distributes host IDs over the uplinks.
    /// @param place the position of the switch among those of the same layer and pod
    /// @param firstPort the first uplink
    void AddUplinks(TwoLevelForwarding& table, uint32_t place, uint32_t firstPort) const;

    uint32_t m_half; ///< number of uplinks per switch, k/2
    uint32_t m_pods;
    uint32_t m_hostsPerEdge;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROUTE_PLAN_H */
