// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-topology.h"
#include "topology-checks.h"

#include "ns3/abort.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>

namespace ns3::lossless
{

namespace
{

bool
Intersect(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b)
{
    return std::any_of(a.begin(), a.end(), [&b](uint32_t element) {
        return std::binary_search(b.begin(), b.end(), element);
    });
}

} // namespace

std::optional<std::string>
Topology::Validate() const
{
    if (m_hosts.empty())
    {
        return "the network has no host";
    }
    if (auto error = ValidateNodes())
    {
        return error;
    }
    if (auto error = ValidateLinks())
    {
        return error;
    }
    return ValidateReachability();
}

void
Topology::AbortIfInvalid(const std::string& origin) const
{
    const auto error = Validate();
    NS_ABORT_MSG_IF(error, origin << ": " << *error);
}

std::optional<std::string>
Topology::ValidateNodes() const
{
    for (uint32_t i = 0; i < m_nodes.size(); i++)
    {
        const auto& node = m_nodes[i];
        if (!IsFitForCsv(node.name))
        {
            return "node " + std::to_string(i) + " is named '" + node.name +
                   "'; a name needs a character and has no blanks, commas, quotes or semicolons";
        }
        if (m_indexByName.at(node.name) != i)
        {
            return "two nodes are named '" + node.name + "'; names must differ";
        }
        const auto works = [this](const PortInfo& port) { return !m_links[port.link].failed; };
        if (node.kind == NodeKind::HOST &&
            std::none_of(m_ports[i].begin(), m_ports[i].end(), works))
        {
            return "host " + node.name + " has no working link";
        }
    }
    return std::nullopt;
}

std::optional<std::string>
Topology::ValidateLinks() const
{
    for (const auto& link : m_links)
    {
        const std::string name =
            "the link " + m_nodes[link.nodeA].name + "-" + m_nodes[link.nodeB].name;
        if (link.nodeA == link.nodeB)
        {
            return name + " joins a node to itself";
        }
        if (auto error = FirstComplaint({CheckRate("the rate of " + name, link.rate),
                                         CheckDelay("the delay of " + name, link.delay)}))
        {
            return error;
        }
        if (!(link.errorRate >= 0 && link.errorRate <= 1))
        {
            return "the error rate of " + name + " is " + std::to_string(link.errorRate) +
                   "; it must be from 0 to 1";
        }
    }
    return std::nullopt;
}

std::vector<std::vector<uint32_t>>
Topology::GetPartsOfHosts() const
{
    boost::disjoint_sets_with_storage<> switches(m_nodes.size());
    for (const auto& link : m_links)
    {
        if (!link.failed && m_nodes[link.nodeA].kind == NodeKind::SWITCH &&
            m_nodes[link.nodeB].kind == NodeKind::SWITCH)
        {
            switches.union_set(link.nodeA, link.nodeB);
        }
    }
    std::vector<std::vector<uint32_t>> parts(m_hosts.size());
    for (uint32_t host = 0; host < m_hosts.size(); host++)
    {
        for (const auto& port : m_ports[m_hosts[host]])
        {
            // A cable between two hosts is a part of its own, which nothing else shares.
            const bool toSwitch = m_nodes[port.peer].kind == NodeKind::SWITCH;
            const auto cable = static_cast<uint32_t>(m_nodes.size()) + port.link;
            if (!m_links[port.link].failed)
            {
                const auto part = static_cast<uint32_t>(switches.find_set(port.peer));
                parts[host].push_back(toSwitch ? part : cable);
            }
        }
        std::sort(parts[host].begin(), parts[host].end());
    }
    return parts;
}

std::optional<std::string>
Topology::ValidateReachability() const
{
    const auto parts = GetPartsOfHosts();
    // The usual case, one part that every host is in, must not cost a look at every pair.
    const auto inAll = [&parts](uint32_t part) {
        return std::all_of(parts.begin(), parts.end(), [part](const auto& ofHost) {
            return std::binary_search(ofHost.begin(), ofHost.end(), part);
        });
    };
    if (std::any_of(parts[0].begin(), parts[0].end(), inAll))
    {
        return std::nullopt;
    }
    uint64_t broken = 0;
    std::string example;
    for (uint32_t a = 0; a < m_hosts.size(); a++)
    {
        for (uint32_t b = a + 1; b < m_hosts.size(); b++)
        {
            if (!Intersect(parts[a], parts[b]) && broken++ == 0)
            {
                example = m_nodes[m_hosts[a]].name + " and " + m_nodes[m_hosts[b]].name;
            }
        }
    }
    if (broken == 0)
    {
        return std::nullopt;
    }
    const uint64_t pairs = m_hosts.size() * (m_hosts.size() - 1) / 2;
    return std::to_string(broken) + " of " + std::to_string(pairs) +
           " pairs of hosts are not connected, the first is " + example;
}

} // namespace ns3::lossless
