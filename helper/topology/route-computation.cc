// SPDX-License-Identifier: GPL-2.0-only

#include "route-computation.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

namespace ns3::lossless
{

namespace
{

/// The distance of a node that has no path to the target host.
constexpr uint32_t UNREACHABLE = std::numeric_limits<uint32_t>::max();

/// The working links from some nodes to switches. The links are stored in a compact form without
/// names and rates, because they are searched once for each edge switch.
class ForwardingGraph
{
  public:
    /// @param nodes the node indices of all switches, and of the hosts that choose among ports
    ForwardingGraph(const Topology& topology, const std::vector<uint32_t>& nodes);

    /// Counts the hops from every switch to a host.
    /// @param target the node index of the host
    void MeasureDistances(uint32_t target);
    /// Collects the ports of a node that lead one hop closer to the target of the latest call to
    /// MeasureDistances().
    /// @param node the node index
    /// @param [out] ports the sorted ports
    void CollectPorts(uint32_t node, std::vector<uint16_t>& ports) const;

  private:
    /// A working port that leads to a switch.
    struct Way
    {
        uint32_t peer; ///< node index of the switch
        uint16_t port; ///< port of the node
    };

    bool IsUp(const Topology::PortInfo& port) const
    {
        return !m_topology.GetLinks()[port.link].failed;
    }

    bool LeadsToSwitch(const Topology::PortInfo& port) const
    {
        return IsUp(port) && m_topology.GetNodes()[port.peer].kind == Topology::NodeKind::SWITCH;
    }

    const Topology& m_topology;
    std::vector<Way> m_ways;          ///< all ways, ordered by node and port
    std::vector<std::size_t> m_first; ///< index in m_ways of each node's first way
    uint32_t m_target{0};             ///< node index of the target host
    /// The number of hops to the target, by node index. The entry of a host is set only if it is 1.
    std::vector<uint32_t> m_distance;
};

ForwardingGraph::ForwardingGraph(const Topology& topology, const std::vector<uint32_t>& nodes)
    : m_topology(topology),
      m_first(topology.GetNodes().size() + 1)
{
    std::vector<bool> isWanted(topology.GetNodes().size());
    for (const uint32_t node : nodes)
    {
        isWanted[node] = true;
    }
    for (uint32_t node = 0; node < isWanted.size(); ++node)
    {
        const auto& ports = topology.GetPorts(node);
        for (std::size_t i = 0; i < ports.size() && isWanted[node]; ++i)
        {
            if (LeadsToSwitch(ports[i]))
            {
                m_ways.push_back({ports[i].peer, static_cast<uint16_t>(i)});
            }
        }
        m_first[node + 1] = m_ways.size();
    }
}

void
ForwardingGraph::MeasureDistances(uint32_t target)
{
    m_target = target;
    m_distance.assign(m_first.size() - 1, UNREACHABLE);
    std::vector<uint32_t> queue;
    for (const auto& port : m_topology.GetPorts(target))
    {
        if (IsUp(port) && m_distance[port.peer] == UNREACHABLE)
        {
            m_distance[port.peer] = 1;
            if (LeadsToSwitch(port)) // hosts do not forward
            {
                queue.push_back(port.peer);
            }
        }
    }
    for (std::size_t next = 0; next < queue.size(); next++)
    {
        const uint32_t node = queue[next];
        for (std::size_t way = m_first[node]; way < m_first[node + 1]; ++way)
        {
            const uint32_t peer = m_ways[way].peer;
            if (m_distance[peer] == UNREACHABLE)
            {
                m_distance[peer] = m_distance[node] + 1;
                queue.push_back(peer);
            }
        }
    }
}

void
ForwardingGraph::CollectPorts(uint32_t node, std::vector<uint16_t>& ports) const
{
    ports.clear();
    const auto& all = m_topology.GetPorts(node);
    if (m_distance[node] == 1)
    {
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            if (all[i].peer == m_target && IsUp(all[i]))
            {
                ports.push_back(static_cast<uint16_t>(i));
            }
        }
        return;
    }
    uint32_t nearest = UNREACHABLE - 1;
    for (std::size_t way = m_first[node]; way < m_first[node + 1] && node != m_target; ++way)
    {
        const uint32_t distance = m_distance[m_ways[way].peer];
        if (distance < nearest)
        {
            nearest = distance;
            ports.clear();
        }
        if (distance == nearest)
        {
            ports.push_back(m_ways[way].port);
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
/// @param target the node index of the host
void
AppendHost(ForwardingGraph& graph,
           uint32_t host,
           uint32_t target,
           const std::vector<uint32_t>& nodes,
           RouteTables& tables)
{
    std::vector<uint16_t> ports;
    graph.MeasureDistances(target);
    for (const uint32_t node : nodes)
    {
        graph.CollectPorts(node, ports);
        AppendPorts(tables[node], host, ports);
    }
}

/// @return the node index of the host's switch if the host has exactly one link, which works and
/// leads to a switch; otherwise, nothing
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

/// Appends the ports for the next host, which must be attached to the same switch as the previous
/// host. All other switches use the same ports for both hosts.
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
/// @param edge the table of the host's switch
/// @return the table of the host, which can reach every other host that the switch can reach
RouteTable
MakeHostTable(uint32_t host, const RouteTable& edge)
{
    RouteTable table;
    for (const auto& run : edge.runs)
    {
        // The switch has a separate port for this host, so this host forms a run of its own.
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
    std::vector<uint32_t> choosing = topology.GetSwitches(); // nodes that choose among ports
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
    ForwardingGraph graph(topology, choosing);
    for (uint32_t host = 0; host < hosts.size(); host++)
    {
        if (host > 0 && edges[host] && edges[host] == edges[host - 1])
        {
            AppendNeighbour(topology, host, *edges[host], tables);
        }
        else
        {
            AppendHost(graph, host, hosts[host], choosing, tables);
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

std::vector<PathStep>
GetPath(const Topology& topology, const RouteTables& routes, uint32_t source, uint32_t destination)
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
        const uint16_t port = ports.front();
        const auto& info = topology.GetPorts(node)[port];
        path.push_back({node, port, info.link});
        node = info.peer;
    }
    return path;
}

} // namespace ns3::lossless
