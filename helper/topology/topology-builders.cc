// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-topology.h"

#include "ns3/abort.h"

#include <cmath>
#include <numeric>

namespace ns3::lossless
{

namespace
{

/// Adds the switches of a layer. A name is the prefix followed by a number, starting at 0.
/// @return the node index of the first switch; the other switches have the next indices
uint32_t
AddSwitches(Topology& topology, const std::string& prefix, const std::string& layer, uint32_t count)
{
    const auto first = static_cast<uint32_t>(topology.GetNodes().size());
    for (uint32_t i = 0; i < count; i++)
    {
        topology.AddSwitch(prefix + std::to_string(i), layer);
    }
    return first;
}

/// Adds hosts h0, h1, ... to an empty network, so that host and node indices are equal.
void
AddHosts(Topology& topology, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
    {
        topology.AddHost("h" + std::to_string(i));
    }
}

/// Connects the same number of hosts to each of several consecutive switches.
/// @param firstSwitch the node index of the switch of host 0
void
AttachHosts(Topology& topology,
            uint32_t firstSwitch,
            uint32_t hostsPerSwitch,
            DataRate rate,
            Time delay)
{
    const auto hosts = static_cast<uint32_t>(topology.GetHosts().size());
    for (uint32_t i = 0; i < hosts; i++)
    {
        topology.AddLink(i, firstSwitch + i / hostsPerSwitch, rate, delay);
    }
}

} // namespace

Topology
Topology::Star(const StarOptions& options)
{
    const auto error = options.Check();
    NS_ABORT_MSG_IF(error, "Topology::Star: " << *error);
    Topology topology;
    AddHosts(topology, options.hosts);
    const uint32_t hub = AddSwitches(topology, "s", "switch", 1);
    AttachHosts(topology, hub, options.hosts, options.rate, options.delay);
    return topology;
}

Topology
Topology::Dumbbell(const DumbbellOptions& options)
{
    const auto error = options.Check();
    NS_ABORT_MSG_IF(error, "Topology::Dumbbell: " << *error);
    Topology topology;
    AddHosts(topology, options.left + options.right);
    const uint32_t first = AddSwitches(topology, "s", "switch", 2);
    for (uint32_t host = 0; host < options.left + options.right; host++)
    {
        const uint32_t side = host < options.left ? first : first + 1;
        topology.AddLink(host, side, options.hostRate, options.hostDelay);
    }
    topology.AddLink(first, first + 1, options.bottleneckRate, options.bottleneckDelay);
    return topology;
}

Topology
Topology::Line(const LineOptions& options)
{
    const auto error = options.Check();
    NS_ABORT_MSG_IF(error, "Topology::Line: " << *error);
    const auto& counts = options.hostsPerSwitch;
    Topology topology;
    AddHosts(topology, std::accumulate(counts.begin(), counts.end(), 0U));
    const auto switches = static_cast<uint32_t>(counts.size());
    const uint32_t first = AddSwitches(topology, "s", "switch", switches);
    uint32_t host = 0;
    for (uint32_t i = 0; i < switches; i++)
    {
        for (uint32_t n = 0; n < counts[i]; n++)
        {
            topology.AddLink(host++, first + i, options.hostRate, options.delay);
        }
    }
    for (uint32_t i = 1; i < switches; i++)
    {
        topology.AddLink(first + i - 1, first + i, options.fabricRate, options.delay);
    }
    return topology;
}

Topology
Topology::LeafSpine(const LeafSpineOptions& options)
{
    const auto error = options.Check();
    NS_ABORT_MSG_IF(error, "Topology::LeafSpine: " << *error);
    Topology topology;
    AddHosts(topology, options.leaves * options.hostsPerLeaf);
    const uint32_t leaf = AddSwitches(topology, "leaf", "leaf", options.leaves);
    const uint32_t spine = AddSwitches(topology, "spine", "spine", options.spines);
    AttachHosts(topology, leaf, options.hostsPerLeaf, options.hostRate, options.delay);
    for (uint32_t i = 0; i < options.leaves; i++)
    {
        for (uint32_t j = 0; j < options.spines; j++)
        {
            topology.AddLink(leaf + i, spine + j, options.fabricRate, options.delay);
        }
    }
    return topology;
}

Topology
Topology::FatTree(const FatTreeOptions& options)
{
    const auto error = options.Check();
    NS_ABORT_MSG_IF(error, "Topology::FatTree: " << *error);
    const uint32_t half = options.k / 2;
    const auto hostsPerEdge = static_cast<uint32_t>(std::lround(options.oversubscription * half));
    // The number of edge switches, which is also the number of aggregation switches.
    const uint32_t perLayer = options.GetPods() * half;
    Topology topology;
    AddHosts(topology, perLayer * hostsPerEdge);
    const uint32_t edge = AddSwitches(topology, "edge", "edge", perLayer);
    const uint32_t agg = AddSwitches(topology, "agg", "aggregation", perLayer);
    const uint32_t core = AddSwitches(topology, "core", "core", half * half);
    AttachHosts(topology, edge, hostsPerEdge, options.hostRate, options.delay);
    for (uint32_t i = 0; i < perLayer; i++)
    {
        const uint32_t pod = i / half;
        for (uint32_t j = 0; j < half; j++)
        {
            const uint32_t above = agg + pod * half + j;
            topology.AddLink(edge + i, above, options.fabricRate, options.delay);
        }
    }
    for (uint32_t i = 0; i < perLayer; i++)
    {
        for (uint32_t j = 0; j < half; j++)
        {
            const uint32_t above = core + (i % half) * half + j;
            topology.AddLink(agg + i, above, options.GetCoreRate(), options.delay);
        }
    }
    return topology;
}

} // namespace ns3::lossless
