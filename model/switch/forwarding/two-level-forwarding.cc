// SPDX-License-Identifier: GPL-2.0-only
#include "two-level-forwarding.h"

#include "ns3/abort.h"
#include "ns3/make-type-id.h"
#include "ns3/node-name.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(TwoLevelForwarding, Forwarding);

void
TwoLevelForwarding::AddPrefix(Ipv4Address network, uint8_t length, PortId port)
{
    NS_ABORT_MSG_IF(length < 1 || length > 32,
                    "TwoLevelForwarding: a prefix of " << +length
                                                       << " bits; it must be 1 to 32 bits long.");
    CheckPort(port);
    const uint32_t mask = 0xffffffffU << (32 - length);
    const Prefix prefix{network.Get() & mask, mask, port};
    // Longer prefixes come first. There are no duplicates.
    const auto isBefore = [](const Prefix& a, const Prefix& b) {
        return a.mask != b.mask ? a.mask > b.mask : a.network < b.network;
    };
    const auto place = std::lower_bound(m_prefixes.begin(), m_prefixes.end(), prefix, isBefore);
    if (place != m_prefixes.end() && !isBefore(prefix, *place))
    {
        *place = prefix;
        return;
    }
    m_prefixes.insert(place, prefix);
}

void
TwoLevelForwarding::AddSuffix(uint8_t hostId, PortId port)
{
    CheckPort(port);
    m_suffixes[hostId] = port;
}

void
TwoLevelForwarding::Configure(uint32_t nodeId, const std::vector<DataRate>& rates)
{
    m_nodeId = nodeId;
    m_numPorts = rates.size();
    for (const Prefix& prefix : m_prefixes)
    {
        CheckPort(prefix.port);
    }
    for (const auto& port : m_suffixes)
    {
        if (port)
        {
            CheckPort(*port);
        }
    }
}

void
TwoLevelForwarding::CheckPort(PortId port) const
{
    NS_ABORT_MSG_IF(m_numPorts && Index(port) >= *m_numPorts,
                    "switch " << GetNodeName(m_nodeId) << ": a route names port " << Index(port)
                              << ", but the switch has " << *m_numPorts << " ports.");
}

void
TwoLevelForwarding::SetRoutes(Ipv4Address first, Ipv4Address last, const std::vector<PortId>& ports)
{
    NS_ABORT_MSG_IF(ports.size() != 1,
                    "TwoLevelForwarding: a route to " << first << " by " << ports.size()
                                                      << " ports; it must be one.");
    RequireTurn(m_nodeId, "changes a route of");
    for (uint64_t address = first.Get(); address <= last.Get(); ++address)
    {
        AddPrefix(Ipv4Address(static_cast<uint32_t>(address)), 32, ports.front());
    }
}

std::optional<PortId>
TwoLevelForwarding::Route(const SwitchItem& item, const SharedBuffer& /* buffer */)
{
    return TwoLevelForwarding::Find(item);
}

std::optional<PortId>
TwoLevelForwarding::Find(const SwitchItem& item) const
{
    const uint32_t destination = item.frame.flow.destination;
    for (const Prefix& prefix : m_prefixes)
    {
        if ((destination & prefix.mask) == prefix.network)
        {
            return prefix.port;
        }
    }
    return m_suffixes[destination & 0xff];
}

} // namespace ns3::lossless
