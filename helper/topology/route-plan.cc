// SPDX-License-Identifier: GPL-2.0-only
#include "route-plan.h"

#include "ns3/abort.h"

#include <cmath>

namespace ns3::lossless
{

namespace
{

/// The network of all addresses, 10.0.0.0/8.
constexpr uint32_t NETWORK = 10U << 24;

/// The first host ID in a two-level table. ID 1 belongs to the switch.
constexpr uint32_t FIRST_HOST_ID = 2;

/// @return the address that ShortestPathRoutes assigns to a host
Ipv4Address
MakeAddress(uint32_t host)
{
    return Ipv4Address(NETWORK + 1 + host);
}

/// @return the address 10.pod.edge.id of TwoLevelRoutes
Ipv4Address
MakeAddress(uint32_t pod, uint32_t edge, uint32_t id)
{
    return Ipv4Address(NETWORK | pod << 16 | edge << 8 | id);
}

} // namespace

std::vector<Ipv4Address>
ShortestPathRoutes::MakeAddresses(const Topology& topology) const
{
    std::vector<Ipv4Address> addresses;
    while (addresses.size() < topology.GetHosts().size())
    {
        addresses.push_back(MakeAddress(static_cast<uint32_t>(addresses.size())));
    }
    return addresses;
}

void
ShortestPathRoutes::FillTable(const Topology& topology,
                              const RouteTables& routes,
                              uint32_t node,
                              Forwarding& forwarding) const
{
    const RouteTable& table = routes[node];
    const auto hosts = static_cast<uint32_t>(topology.GetHosts().size());
    for (std::size_t i = 0; i < table.runs.size(); ++i)
    {
        const auto& run = table.runs[i];
        const uint32_t end = i + 1 < table.runs.size() ? table.runs[i + 1].first : hosts;
        std::vector<PortId> ports;
        for (const uint16_t port : table.portSets[run.set])
        {
            ports.push_back(PortId{port});
        }
        forwarding.SetRoutes(MakeAddress(run.first), MakeAddress(end - 1), ports);
    }
}

TwoLevelRoutes::TwoLevelRoutes(const FatTreeOptions& options)
    : m_half(options.k / 2),
      m_pods(options.GetPods()),
      m_hostsPerEdge(static_cast<uint32_t>(std::lround(options.oversubscription * m_half)))
{
    const auto error = options.Check();
    NS_ABORT_MSG_IF(error, "TwoLevelRoutes: " << *error);
    NS_ABORT_MSG_IF(m_hostsPerEdge > 255 - FIRST_HOST_ID,
                    "TwoLevelRoutes: " << m_hostsPerEdge << " hosts per edge switch; an address "
                                       << "has room for " << 255 - FIRST_HOST_ID << ".");
}

std::vector<Ipv4Address>
TwoLevelRoutes::MakeAddresses(const Topology& topology) const
{
    const std::size_t hosts = std::size_t{m_pods} * m_half * m_hostsPerEdge;
    NS_ABORT_MSG_IF(topology.GetHosts().size() != hosts,
                    "TwoLevelRoutes: the topology has " << topology.GetHosts().size()
                                                        << " hosts, not the " << hosts
                                                        << " of the fat-tree that was named.");
    std::vector<Ipv4Address> addresses;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        const uint32_t edge = host / m_hostsPerEdge;
        addresses.push_back(
            {MakeAddress(edge / m_half, edge % m_half, FIRST_HOST_ID + host % m_hostsPerEdge)});
    }
    return addresses;
}

void
TwoLevelRoutes::FillTable(const Topology& topology,
                          const RouteTables& /* routes */,
                          uint32_t node,
                          Forwarding& forwarding) const
{
    auto table = dynamic_cast<TwoLevelForwarding*>(&forwarding);
    NS_ABORT_MSG_IF(!table,
                    "TwoLevelRoutes: switch \"" << topology.GetNodes()[node].name
                                                << "\" has no TwoLevelForwarding.");
    const uint32_t perLayer = m_pods * m_half;
    NS_ABORT_MSG_IF(topology.GetSwitches().size() != 2 * perLayer + m_half * m_half,
                    "TwoLevelRoutes: the topology has " << topology.GetSwitches().size()
                                                        << " switches, not those of the fat-tree "
                                                           "that was named.");
    const uint32_t index = node - topology.GetSwitches().front();
    const uint32_t place = index % m_half; // position of the switch among those of the same layer
                                           // and pod
    const uint32_t pod = index % perLayer / m_half;
    if (index < perLayer)
    {
        AddDownlinks(*table, MakeAddress(pod, place, FIRST_HOST_ID), 32, m_hostsPerEdge);
        AddUplinks(*table, place, m_hostsPerEdge);
    }
    else if (index < 2 * perLayer)
    {
        AddDownlinks(*table, MakeAddress(pod, 0, 0), 24, m_half);
        AddUplinks(*table, place, m_half);
    }
    else
    {
        AddDownlinks(*table, MakeAddress(0, 0, 0), 16, m_pods);
    }
}

void
TwoLevelRoutes::AddDownlinks(TwoLevelForwarding& table,
                             Ipv4Address first,
                             uint8_t length,
                             uint32_t number) const
{
    for (uint32_t port = 0; port < number; ++port)
    {
        table.AddPrefix(Ipv4Address(first.Get() + (port << (32 - length))),
                        length,
                        PortId{static_cast<uint16_t>(port)});
    }
}

void
TwoLevelRoutes::AddUplinks(TwoLevelForwarding& table, uint32_t place, uint32_t firstPort) const
{
    for (uint32_t host = 0; host < m_hostsPerEdge; ++host)
    {
        table.AddSuffix(static_cast<uint8_t>(FIRST_HOST_ID + host),
                        PortId{static_cast<uint16_t>(firstPort + (host + place) % m_half)});
    }
}

} // namespace ns3::lossless
