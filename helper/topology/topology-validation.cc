// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-topology.h"
#include "topology-checks.h"
#include "topology-format.h"

#include "ns3/abort.h"

namespace ns3::lossless
{

std::optional<std::string>
Topology::Validate() const
{
    if (m_hosts.empty())
    {
        return "the network has no host; a node is one if its name is the letter h and a number, "
               "as h0, or by the columns kind_a and kind_b";
    }
    if (auto error = ValidateNodes())
    {
        return error;
    }
    return ValidateLinks();
}

void
Topology::AbortIfInvalid(const std::string& origin) const
{
    const auto error = Validate();
    NS_ABORT_MSG_IF(error, origin << ": " << *error);
}

void
FileTopology::AbortIfInvalid(const std::string& origin) const
{
    auto error = topology.Validate();
    for (const uint32_t host : topology.GetHosts())
    {
        const auto& ports = topology.GetPorts(host);
        if (note && !error && ports.empty()) // its link may be in a line that was not read
        {
            error = "host " + topology.GetNodes()[host].name + " has no link";
        }
    }
    NS_ABORT_MSG_IF(error, origin << ": " << *error << (note ? "; " + *note : ""));
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
                   "'; a name needs a character and has no blanks, commas, quotes, semicolons or "
                   "colons";
        }
        if (m_indexByName.at(node.name) != i)
        {
            return "two nodes are named '" + node.name + "'; names must differ";
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

} // namespace ns3::lossless
