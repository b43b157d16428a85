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
 * Addresses of the NICs of a Fabric, and tables of its switches.
 *
 * The given topology has one host per NIC, in the order of hosts and their ports.
 */
class RoutePlan
{
  public:
    virtual ~RoutePlan() = default;

    /// @return the addresses of all hosts, out of 10.0.0.0/8
    virtual std::vector<Ipv4Address> MakeAddresses(const Topology& topology) const = 0;

    /// @param routes shortest paths of the topology
    /// @param node node index of a switch
    /// @param forwarding table of the switch, to be filled
    virtual void FillTable(const Topology& topology,
                           const RouteTables& routes,
                           uint32_t node,
                           Forwarding& forwarding) const = 0;
};

/**
 * @ingroup lossless
 * All shortest paths, for any topology. The addresses are 10.0.0.1, 10.0.0.2, ... in the order of
 * hosts.
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
 * Addresses and two-level tables of a fat-tree (Al-Fares et al., SIGCOMM 2008, Sec. 3.2 and 3.3),
 * for Topology::FatTree() and switches with a TwoLevelForwarding.
 *
 * Host h of edge switch e of pod p is 10.p.e.(2 + h). Core switches send to pods, aggregation
 * switches down to edge switches and edge switches to hosts by prefix; traffic for another pod, and
 * at an edge switch for another edge, goes up by suffix: host id i leaves switch s of a layer of
 * its pod by uplink (i - 2 + s) mod k/2. Failed links are not avoided.
 */
class TwoLevelRoutes : public RoutePlan
{
  public:
    /// @param options of the fat-tree
    explicit TwoLevelRoutes(const FatTreeOptions& options);

    std::vector<Ipv4Address> MakeAddresses(const Topology& topology) const override;
    void FillTable(const Topology& topology,
                   const RouteTables& routes,
                   uint32_t node,
                   Forwarding& forwarding) const override;

  private:
    /// Assigns consecutive networks to the ports from 0 on.
    /// @param first address of the first network
    /// @param length of the prefixes
    /// @param number of networks
    void AddDownlinks(TwoLevelForwarding& table,
                      Ipv4Address first,
                      uint8_t length,
                      uint32_t number) const;
    /// Spreads host ids over the uplinks.
    /// @param place of the switch in its layer of the pod
    /// @param firstPort first uplink
    void AddUplinks(TwoLevelForwarding& table, uint32_t place, uint32_t firstPort) const;

    uint32_t m_half; ///< uplinks of a switch, k/2
    uint32_t m_pods;
    uint32_t m_hostsPerEdge;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROUTE_PLAN_H */
