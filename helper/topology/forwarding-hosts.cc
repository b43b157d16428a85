// SPDX-License-Identifier: GPL-2.0-only
#include "forwarding-hosts.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3::lossless
{

namespace
{

/// @return a network with the same nodes but without links
Topology
CopyNodes(const Topology& topology)
{
    Topology copy;
    for (const Topology::NodeInfo& node : topology.GetNodes())
    {
        node.kind == Topology::NodeKind::HOST ? copy.AddHost(node.name)
                                              : copy.AddSwitch(node.name, node.layer);
    }
    return copy;
}

bool
HasNvSwitch(const Topology& topology, uint32_t host)
{
    const auto& ports = topology.GetPorts(host);
    return std::any_of(ports.begin(), ports.end(), [&](const Topology::PortInfo& port) {
        return topology.GetNodes()[port.peer].layer == NVSWITCH_LAYER;
    });
}

} // namespace

std::optional<std::string>
LetHostsForward(Topology& topology)
{
    Topology split = CopyNodes(topology);
    std::vector<uint32_t> outside(topology.GetNodes().size()); // new end of each node's links
    std::iota(outside.begin(), outside.end(), 0);
    for (const uint32_t host : topology.GetHosts())
    {
        const std::string& name = topology.GetNodes()[host].name;
        if (HasNvSwitch(topology, host))
        {
            return name + " is a GPU with a link to an NVSwitch";
        }
        outside[host] =
            topology.GetPorts(host).size() < 2 ? host : split.AddSwitch(name + "_relay", "relay");
    }
    if (split.GetNodes().size() == topology.GetNodes().size())
    {
        return "no host has several links";
    }
    for (const Topology::LinkInfo& link : topology.GetLinks())
    {
        Topology::LinkInfo moved = link;
        moved.nodeA = outside[link.nodeA];
        moved.nodeB = outside[link.nodeB];
        split.AddLink(moved);
    }
    for (const uint32_t host : topology.GetHosts())
    {
        for (const Topology::PortInfo& port : topology.GetPorts(host))
        {
            if (outside[host] != host)
            {
                const Topology::LinkInfo& link = topology.GetLinks()[port.link];
                split.AddLink({host, outside[host], link.rate, Time(0), 0, link.failed});
            }
        }
    }
    auto error = split.Validate();
    topology = error ? topology : std::move(split);
    return error;
}

} // namespace ns3::lossless
