// SPDX-License-Identifier: GPL-2.0-only
#include "reachability.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <limits>

namespace ns3::lossless
{

Reachability::Reachability(const Topology& topology)
    : m_topology(topology),
      m_parts(FindParts()),
      m_isWhole(HaveOnePart())
{
    // Cables between hosts can connect all pairs of hosts even if the hosts do not all share a
    // network part.
    const auto count = static_cast<uint32_t>(m_parts.size());
    for (uint32_t from = 0; !m_isWhole && from < count; ++from)
    {
        for (uint32_t to = 0; to < count; ++to)
        {
            if (!Has(from, to))
            {
                return;
            }
        }
    }
    m_isWhole = true;
}

std::vector<std::vector<uint32_t>>
Reachability::FindParts() const
{
    const auto& nodes = m_topology.GetNodes();
    const auto& links = m_topology.GetLinks();
    const auto& hosts = m_topology.GetHosts();
    const auto isSwitch = [&nodes](uint32_t node) {
        return nodes[node].kind == Topology::NodeKind::SWITCH;
    };
    boost::disjoint_sets_with_storage<> switches(nodes.size());
    for (const Topology::LinkInfo& link : links)
    {
        if (!link.failed && isSwitch(link.nodeA) && isSwitch(link.nodeB))
        {
            switches.union_set(link.nodeA, link.nodeB);
        }
    }
    std::vector<std::vector<uint32_t>> parts(hosts.size());
    for (std::size_t host = 0; host < hosts.size(); ++host)
    {
        for (const auto& port : m_topology.GetPorts(hosts[host]))
        {
            // A cable between two hosts is a separate part.
            const auto cable = static_cast<uint32_t>(nodes.size()) + port.link;
            if (!links[port.link].failed)
            {
                const auto part = static_cast<uint32_t>(switches.find_set(port.peer));
                parts[host].push_back(isSwitch(port.peer) ? part : cable);
            }
        }
        std::sort(parts[host].begin(), parts[host].end());
    }
    return parts;
}

bool
Reachability::HaveOnePart() const
{
    const auto inAll = [this](uint32_t part) {
        return std::all_of(m_parts.begin(), m_parts.end(), [part](const auto& ofHost) {
            return std::binary_search(ofHost.begin(), ofHost.end(), part);
        });
    };
    return m_parts.empty() || std::any_of(m_parts[0].begin(), m_parts[0].end(), inAll);
}

bool
Reachability::Has(uint32_t from, uint32_t to) const
{
    const std::vector<uint32_t>& parts = m_parts[to];
    return m_isWhole || from == to ||
           std::any_of(m_parts[from].begin(), m_parts[from].end(), [&parts](uint32_t part) {
               return std::binary_search(parts.begin(), parts.end(), part);
           });
}

std::optional<std::string>
Reachability::Check(uint32_t from, uint32_t to) const
{
    if (Has(from, to))
    {
        return std::nullopt;
    }
    const std::string relays = NameRelays(from, to);
    return "no path leads from " + m_topology.GetHostName(from) + " to " +
           m_topology.GetHostName(to) +
           (relays.empty()
                ? "; no working links join them"
                : "; hosts do not forward unless told (--host-forwards, in C++ LetHostsForward()), "
                  "and " +
                      relays + " would have to");
}

std::string
Reachability::NameRelays(uint32_t from, uint32_t to) const
{
    constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();
    const uint32_t source = m_topology.GetHosts()[from];
    const uint32_t target = m_topology.GetHosts()[to];
    std::vector<uint32_t> next(m_topology.GetNodes().size(), NONE); // next node towards the target
    next[target] = target;
    std::vector<uint32_t> queue{target};
    for (std::size_t i = 0; i < queue.size() && next[source] == NONE; ++i)
    {
        for (const auto& port : m_topology.GetPorts(queue[i]))
        {
            if (!m_topology.GetLinks()[port.link].failed && next[port.peer] == NONE)
            {
                next[port.peer] = queue[i];
                queue.push_back(port.peer);
            }
        }
    }
    constexpr uint32_t MOST = 5; // maximum number of hosts named
    std::string names;
    uint32_t relays = 0;
    for (uint32_t node = next[source]; node != NONE && node != target; node = next[node])
    {
        const auto& info = m_topology.GetNodes()[node];
        const bool isRelay = info.kind == Topology::NodeKind::HOST;
        relays += isRelay ? 1 : 0;
        names += isRelay && relays <= MOST ? (relays > 1 ? ", " : "") + info.name : "";
    }
    return names + (relays > MOST ? " and " + std::to_string(relays - MOST) + " more" : "");
}

std::optional<std::string>
Reachability::Check(const std::vector<uint32_t>& sources,
                    const std::vector<uint32_t>& destinations) const
{
    for (uint32_t from : m_isWhole ? std::vector<uint32_t>() : sources)
    {
        for (uint32_t to : destinations)
        {
            if (!Has(from, to))
            {
                return "not all hosts between which flows are drawn are connected: " +
                       *Check(from, to);
            }
        }
    }
    return std::nullopt;
}

} // namespace ns3::lossless
