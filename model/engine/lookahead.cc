// SPDX-License-Identifier: GPL-2.0-only
#include "lookahead.h"

#include "ns3/channel-list.h"
#include "ns3/channel.h"
#include "ns3/net-device.h"
#include "ns3/node-list.h"
#include "ns3/node.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>

namespace ns3::lossless
{

namespace
{

/// @return the minimum delay, in ticks, before one of the channel's nodes can affect another node
uint64_t
GetDelay(const Channel& channel)
{
    const auto* cable = dynamic_cast<const LookaheadChannel*>(&channel);
    return cable ? static_cast<uint64_t>(cable->GetLookahead().GetTimeStep()) : 0;
}

std::vector<uint32_t>
GetNodes(const Channel& channel)
{
    std::vector<uint32_t> nodes;
    for (std::size_t i = 0; i < channel.GetNDevices(); ++i)
    {
        Ptr<NetDevice> device = channel.GetDevice(i);
        if (device && device->GetNode())
        {
            nodes.push_back(device->GetNode()->GetId());
        }
    }
    return nodes;
}

} // namespace

Lookahead::Lookahead(const std::vector<Pair>& joined)
    : m_groups(NodeList::GetNNodes()),
      m_channels(ChannelList::GetNChannels())
{
    boost::disjoint_sets_with_storage<> sets(m_groups.size());
    for (const auto& [a, b] : joined)
    {
        sets.union_set(a, b);
    }
    // The delay of each cable and the nodes that it connects.
    std::vector<std::pair<uint64_t, std::vector<uint32_t>>> cables;
    for (std::size_t i = 0; i < m_channels; ++i)
    {
        const Channel& channel = *ChannelList::GetChannel(i);
        const std::vector<uint32_t> nodes = GetNodes(channel);
        const uint64_t delay = GetDelay(channel);
        if (delay == 0)
        {
            for (const uint32_t node : nodes)
            {
                sets.union_set(nodes.front(), node);
            }
        }
        else if (nodes.size() > 1)
        {
            cables.emplace_back(delay, nodes);
        }
    }
    for (uint32_t node = 0; node < m_groups.size(); ++node)
    {
        m_groups[node] = sets.find_set(node);
    }
    const auto reduce = [](uint64_t& least, uint64_t delay) {
        least = std::min(least == 0 ? LONGEST : least, delay);
    };
    for (const auto& [delay, nodes] : cables)
    {
        reduce(m_leastDelay, delay);
        if (m_groups[nodes.front()] != m_groups[nodes.back()])
        {
            reduce(m_ticks, delay);
        }
    }
}

bool
Lookahead::IsCurrent() const
{
    return m_groups.size() == NodeList::GetNNodes() && m_channels == ChannelList::GetNChannels();
}

} // namespace ns3::lossless
