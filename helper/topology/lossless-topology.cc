// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-topology.h"

#include "ns3/abort.h"

#include <limits>
#include <utility>

namespace ns3::lossless
{

uint32_t
Topology::AddNode(NodeInfo node)
{
    const auto index = static_cast<uint32_t>(m_nodes.size());
    m_indexByName.emplace(node.name, index);
    m_nodes.push_back(std::move(node));
    m_ports.emplace_back();
    m_hostIndex.push_back(static_cast<uint32_t>(m_hosts.size()));
    return index;
}

uint32_t
Topology::AddHost(const std::string& name)
{
    const uint32_t index = AddNode({name, NodeKind::HOST, "host"});
    m_hosts.push_back(index);
    return index;
}

uint32_t
Topology::AddSwitch(const std::string& name, const std::string& layer)
{
    const uint32_t index = AddNode({name, NodeKind::SWITCH, layer});
    m_switches.push_back(index);
    return index;
}

uint32_t
Topology::AddLink(uint32_t nodeA, uint32_t nodeB, DataRate rate, Time delay, double errorRate)
{
    return AddLink({nodeA, nodeB, rate, delay, errorRate});
}

uint32_t
Topology::AddLink(const LinkInfo& link)
{
    constexpr size_t maxPorts = std::numeric_limits<uint16_t>::max();
    for (const uint32_t node : {link.nodeA, link.nodeB})
    {
        NS_ABORT_MSG_IF(node >= m_nodes.size(),
                        "Topology::AddLink: there is no node " << node << "; nodes are 0 to "
                                                               << m_nodes.size() << " - 1");
        NS_ABORT_MSG_IF(m_ports[node].size() >= maxPorts,
                        "Topology::AddLink: node " << m_nodes[node].name << " already has "
                                                   << maxPorts << " ports, the most allowed");
    }
    const auto index = static_cast<uint32_t>(m_links.size());
    m_links.push_back(link);
    m_ports[link.nodeA].push_back({index, link.nodeB});
    m_ports[link.nodeB].push_back({index, link.nodeA});
    return index;
}

uint32_t
Topology::AddLink(const std::string& nodeA,
                  const std::string& nodeB,
                  DataRate rate,
                  Time delay,
                  double errorRate)
{
    return AddLink(RequireNode(nodeA), RequireNode(nodeB), rate, delay, errorRate);
}

void
Topology::FailLink(const std::string& nodeA, const std::string& nodeB)
{
    const auto error = CheckLink(nodeA, nodeB);
    NS_ABORT_MSG_IF(error, "Topology::FailLink: " << *error);
    for (const uint32_t link : FindLinks(RequireNode(nodeA), RequireNode(nodeB)))
    {
        FailLink(link);
    }
}

void
Topology::FailLink(uint32_t link)
{
    NS_ABORT_MSG_IF(link >= m_links.size(),
                    "Topology::FailLink: there is no link " << link << "; links are 0 to "
                                                            << m_links.size() << " - 1");
    m_links[link].failed = true;
}

std::optional<std::string>
Topology::CheckLink(const std::string& nodeA, const std::string& nodeB) const
{
    for (const auto& name : {nodeA, nodeB})
    {
        if (!FindNode(name))
        {
            return "there is no node named '" + name + "'";
        }
    }
    const uint32_t index = *FindNode(nodeA);
    if (!FindLinks(index, *FindNode(nodeB)).empty())
    {
        return std::nullopt;
    }
    std::string sentence =
        "no link joins " + nodeA + " and " + nodeB + "; " + nodeA + " has links to";
    for (const auto& port : m_ports[index])
    {
        sentence += " " + m_nodes[port.peer].name;
    }
    return sentence + (m_ports[index].empty() ? " no node" : "");
}

const std::string&
Topology::GetHostName(uint32_t host) const
{
    return m_nodes[m_hosts[host]].name;
}

const std::vector<Topology::PortInfo>&
Topology::GetPorts(uint32_t node) const
{
    return m_ports.at(node);
}

std::optional<uint32_t>
Topology::FindNode(const std::string& name) const
{
    const auto entry = m_indexByName.find(name);
    return entry == m_indexByName.end() ? std::nullopt : std::make_optional(entry->second);
}

std::optional<uint32_t>
Topology::FindHostIndex(uint32_t node) const
{
    return m_nodes.at(node).kind == NodeKind::HOST ? std::make_optional(m_hostIndex[node])
                                                   : std::nullopt;
}

std::vector<uint32_t>
Topology::FindLinks(uint32_t nodeA, uint32_t nodeB) const
{
    std::vector<uint32_t> links;
    for (const auto& port : m_ports.at(nodeA))
    {
        if (port.peer == nodeB)
        {
            links.push_back(port.link);
        }
    }
    return links;
}

DataRate
Topology::GetHostRate(uint32_t host) const
{
    uint64_t within = 0; // total rate of the links within the server
    uint64_t beyond = 0;
    for (const auto& port : m_ports.at(m_hosts.at(host)))
    {
        const LinkInfo& link = m_links[port.link];
        const bool isWithin = m_nodes[port.peer].layer == NVSWITCH_LAYER;
        (isWithin ? within : beyond) += link.failed ? 0 : link.rate.GetBitRate();
    }
    return DataRate(beyond > 0 ? beyond : within);
}

uint32_t
Topology::GetRack(uint32_t host) const
{
    const uint32_t node = m_hosts.at(host);
    if (m_ports[node].empty())
    {
        return node;
    }
    const uint32_t peer = m_ports[node].front().peer;
    return m_nodes[peer].kind == NodeKind::SWITCH ? peer : node;
}

uint32_t
Topology::RequireNode(const std::string& name) const
{
    const auto node = FindNode(name);
    NS_ABORT_MSG_IF(!node, "Topology: there is no node named '" << name << "'");
    return *node;
}

} // namespace ns3::lossless
