// SPDX-License-Identifier: GPL-2.0-only

#include "route-computation.h"

#include "ns3/abort.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

namespace ns3::lossless
{

namespace
{

/// The distance of a node that has no path to the host.
constexpr uint32_t UNREACHABLE = std::numeric_limits<uint32_t>::max();

/// Counts the hops from every node to one host.
/// @param [out] distance the number of hops, by node index
void
MeasureDistances(const Topology& topology, uint32_t target, std::vector<uint32_t>& distance)
{
    const auto& links = topology.GetLinks();
    const auto& nodes = topology.GetNodes();
    distance.assign(nodes.size(), UNREACHABLE);
    distance[target] = 0;
    std::vector<uint32_t> queue{target};
    for (size_t next = 0; next < queue.size(); next++)
    {
        const uint32_t node = queue[next];
        for (const auto& port : topology.GetPorts(node))
        {
            if (links[port.link].failed || distance[port.peer] != UNREACHABLE)
            {
                continue;
            }
            distance[port.peer] = distance[node] + 1;
            if (nodes[port.peer].kind == Topology::NodeKind::SWITCH) // hosts do not forward
            {
                queue.push_back(port.peer);
            }
        }
    }
}

/// Collects the ports of a node that lead one hop closer to a host.
/// @param distance the number of hops to the host, by node index
/// @param [out] ports the sorted ports
void
CollectPorts(const Topology& topology,
             uint32_t node,
             uint32_t target,
             const std::vector<uint32_t>& distance,
             std::vector<uint16_t>& ports)
{
    ports.clear();
    if (node == target || distance[node] == UNREACHABLE)
    {
        return;
    }
    const auto& all = topology.GetPorts(node);
    for (size_t i = 0; i < all.size(); i++)
    {
        const uint32_t peer = all[i].peer;
        const bool forwards =
            peer == target || topology.GetNodes()[peer].kind == Topology::NodeKind::SWITCH;
        if (forwards && !topology.GetLinks()[all[i].link].failed &&
            distance[peer] == distance[node] - 1)
        {
            ports.push_back(static_cast<uint16_t>(i));
        }
    }
}

/// Appends the ports for the next host to a table. Equal sets are stored only once.
void
AppendPorts(RouteTable& table, uint32_t host, const std::vector<uint16_t>& ports)
{
    // Consecutive hosts usually have the same set.
    if (!table.runs.empty() && table.portSets[table.runs.back().set] == ports)
    {
        return;
    }
    const auto found = std::find(table.portSets.begin(), table.portSets.end(), ports);
    table.runs.push_back({host, static_cast<uint32_t>(found - table.portSets.begin())});
    if (found == table.portSets.end())
    {
        table.portSets.push_back(ports);
    }
}

/// Appends the ports for the next host to the tables of some nodes.
void
AppendHost(const Topology& topology,
           uint32_t host,
           const std::vector<uint32_t>& nodes,
           RouteTables& tables)
{
    const uint32_t target = topology.GetHosts()[host];
    std::vector<uint32_t> distance;
    std::vector<uint16_t> ports;
    MeasureDistances(topology, target, distance);
    for (const uint32_t node : nodes)
    {
        CollectPorts(topology, node, target, distance, ports);
        AppendPorts(tables[node], host, ports);
    }
}

/// @return the node index of the host's switch if the host has exactly one link and this link works
/// and leads to a switch; otherwise, nothing
std::optional<uint32_t>
FindOnlySwitch(const Topology& topology, uint32_t host)
{
    const auto& ports = topology.GetPorts(host);
    if (ports.size() != 1 || topology.GetLinks()[ports[0].link].failed ||
        topology.GetNodes()[ports[0].peer].kind != Topology::NodeKind::SWITCH)
    {
        return std::nullopt;
    }
    return ports[0].peer;
}

/// Appends the ports for the next host if it is at the same switch as the previous host. All
/// switches except this one use the same ports for both hosts.
/// @param edge the node index of the switch
void
AppendNeighbour(const Topology& topology, uint32_t host, uint32_t edge, RouteTables& tables)
{
    const uint32_t target = topology.GetHosts()[host];
    const auto& ports = topology.GetPorts(edge);
    const auto found = std::find_if(ports.begin(), ports.end(), [target](const auto& port) {
        return port.peer == target;
    });
    AppendPorts(tables[edge], host, {static_cast<uint16_t>(found - ports.begin())});
}

/// @param host the host index of a host with one link
/// @param edge the table of its switch
/// @return the table of the host, which reaches what its switch reaches
RouteTable
MakeHostTable(uint32_t host, const RouteTable& edge)
{
    RouteTable table;
    for (const auto& run : edge.runs)
    {
        // The switch has a port of its own for this host, so a run begins and ends with it.
        const bool leads = run.first != host && !edge.portSets[run.set].empty();
        AppendPorts(table, run.first, leads ? std::vector<uint16_t>{0} : std::vector<uint16_t>{});
    }
    return table;
}

} // namespace

const std::vector<uint16_t>&
RouteTable::GetPorts(uint32_t host) const
{
    const auto next =
        std::upper_bound(runs.begin(), runs.end(), host, [](uint32_t index, const Run& run) {
            return index < run.first;
        });
    return portSets[std::prev(next)->set];
}

RouteTables
ComputeRoutes(const Topology& topology)
{
    const auto& hosts = topology.GetHosts();
    std::vector<uint32_t> choosing = topology.GetSwitches(); // nodes with more than one way
    std::vector<std::optional<uint32_t>> edges;              // the only switch of each host
    for (const uint32_t node : hosts)
    {
        edges.push_back(FindOnlySwitch(topology, node));
        if (!edges.back())
        {
            choosing.push_back(node);
        }
    }
    RouteTables tables(topology.GetNodes().size());
    for (uint32_t host = 0; host < hosts.size(); host++)
    {
        if (host > 0 && edges[host] && edges[host] == edges[host - 1])
        {
            AppendNeighbour(topology, host, *edges[host], tables);
        }
        else
        {
            AppendHost(topology, host, choosing, tables);
        }
    }
    for (uint32_t host = 0; host < hosts.size(); host++)
    {
        if (edges[host])
        {
            tables[hosts[host]] = MakeHostTable(host, tables[*edges[host]]);
        }
    }
    return tables;
}

uint16_t
ChooseFirstPort(uint32_t /* node */, const std::vector<uint16_t>& ports)
{
    return ports.front();
}

std::vector<PathStep>
GetPath(const Topology& topology,
        const RouteTables& routes,
        uint32_t source,
        uint32_t destination,
        const PortChoice& choose)
{
    const uint32_t target = topology.GetHosts().at(destination);
    uint32_t node = topology.GetHosts().at(source);
    std::vector<PathStep> path;
    while (node != target)
    {
        const auto& ports = routes.at(node).GetPorts(destination);
        if (ports.empty())
        {
            return {};
        }
        const uint16_t port = choose(node, ports);
        NS_ABORT_MSG_IF(!std::binary_search(ports.begin(), ports.end(), port),
                        "GetPath: port " << port << " of node " << topology.GetNodes()[node].name
                                         << " was chosen, which is not on a shortest path");
        const auto& info = topology.GetPorts(node)[port];
        path.push_back({node, port, info.link});
        node = info.peer;
    }
    return path;
}

} // namespace ns3::lossless
