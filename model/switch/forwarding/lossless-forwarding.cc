// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-forwarding.h"

#include "ns3/abort.h"
#include "ns3/fixed-accessor.h"
#include "ns3/make-type-id.h"
#include "ns3/node-name.h"
#include "ns3/part-registry.h"
#include "ns3/uinteger.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(Forwarding, Object);
NS_OBJECT_ENSURE_REGISTERED(EcmpForwarding);

const RegisterPart<EcmpForwarding, ForwardingInfo> g_ecmp("Ecmp", 10);

void
Forwarding::SetRoute(Ipv4Address destination, const std::vector<PortId>& ports)
{
    SetRoutes(destination, destination, ports);
}

TypeId
EcmpForwarding::GetTypeId()
{
    static TypeId tid = MakeTypeId<EcmpForwarding, Forwarding>("EcmpForwarding")
                            .AddAttribute("Seed",
                                          "Seed of the hash; the switch's id is mixed in so that "
                                          "the switches of a fabric choose independently.",
                                          UintegerValue(1),
                                          Fixed(MakeUintegerAccessor(&EcmpForwarding::m_seed)),
                                          MakeUintegerChecker<uint64_t>());
    return tid;
}

void
EcmpForwarding::Configure(uint32_t nodeId, const std::vector<DataRate>& rates)
{
    // If salts differed only in a few bits or only in the upper half, two switches on a path could
    // distribute flows in the same way.
    m_salt = MixBits(MixBits(m_seed) + nodeId);
    m_nodeId = nodeId;
    m_portCount = rates.size();
    CheckPorts(m_ports);
}

void
EcmpForwarding::CheckPorts(const std::vector<PortId>& ports) const
{
    for (const PortId port : ports)
    {
        NS_ABORT_MSG_IF(Index(port) >= m_portCount,
                        "switch " << GetNodeName(m_nodeId) << ": a route names port " << Index(port)
                                  << ", but the switch has " << m_portCount << " ports.");
    }
}

void
EcmpForwarding::SetRoutes(Ipv4Address first, Ipv4Address last, const std::vector<PortId>& ports)
{
    RequireTurn(m_nodeId, "changes a route of");
    CheckPorts(ports);
    Assign(first.Get(), last.Get(), GetSet(ports));
}

std::optional<PortId>
EcmpForwarding::Find(const SwitchItem& item) const
{
    const Ports ports = GetPorts(item.frame.flow.destination);
    if (ports.count == 0)
    {
        return std::nullopt;
    }
    if (ports.count == 1)
    {
        return *ports.first;
    }
    // Scales the hash to the number of ports.
    return ports.first[GetChoice(item) * ports.count >> 32];
}

EcmpForwarding::Ports
EcmpForwarding::GetPorts(uint32_t address) const
{
    const PortSet& ports = m_ranges[FindRange(address)].ports;
    return {m_ports.data() + ports.first, ports.count};
}

std::optional<PortId>
EcmpForwarding::Route(const SwitchItem& item, const SharedBuffer& /* buffer */)
{
    return EcmpForwarding::Find(item);
}

std::size_t
EcmpForwarding::FindRange(uint32_t address) const
{
    // A branchless binary search for the last range that does not begin after the address.
    const Range* range = m_ranges.data();
    for (std::size_t left = m_ranges.size(); left > 1;)
    {
        const std::size_t half = left / 2;
        range += range[half].first <= address ? half : 0;
        left -= half;
    }
    return static_cast<std::size_t>(range - m_ranges.data());
}

void
EcmpForwarding::Assign(uint32_t first, uint32_t last, PortSet ports)
{
    const std::size_t end = last == UINT32_MAX ? m_ranges.size() : BeginAt(last + 1);
    const std::size_t before = m_ranges.size();
    const std::size_t begin = BeginAt(first);
    const auto at = [this](std::size_t index) {
        return m_ranges.begin() + static_cast<std::ptrdiff_t>(index);
    };
    m_ranges.erase(at(begin + 1), at(end + m_ranges.size() - before));
    m_ranges[begin].ports = ports;
    JoinWithPrevious(begin + 1);
    JoinWithPrevious(begin);
}

std::size_t
EcmpForwarding::BeginAt(uint32_t address)
{
    std::size_t place = FindRange(address);
    if (m_ranges[place].first != address)
    {
        const Range rest{address, m_ranges[place].ports};
        m_ranges.insert(m_ranges.begin() + static_cast<std::ptrdiff_t>(++place), rest);
    }
    return place;
}

void
EcmpForwarding::JoinWithPrevious(std::size_t index)
{
    if (index > 0 && index < m_ranges.size() && m_ranges[index].ports == m_ranges[index - 1].ports)
    {
        m_ranges.erase(m_ranges.begin() + static_cast<std::ptrdiff_t>(index));
    }
}

EcmpForwarding::PortSet
EcmpForwarding::GetSet(const std::vector<PortId>& ports)
{
    if (ports.empty())
    {
        return {};
    }
    const auto isIt = [&](const PortSet& set) {
        return set.count == ports.size() &&
               std::equal(ports.begin(), ports.end(), m_ports.begin() + set.first);
    };
    // Neighbouring destinations usually have the same set of ports.
    if (m_sets.empty() || !isIt(m_sets[m_latestSet]))
    {
        const auto found = std::find_if(m_sets.begin(), m_sets.end(), isIt);
        m_latestSet = static_cast<std::size_t>(found - m_sets.begin());
        if (found == m_sets.end())
        {
            m_sets.push_back(
                {static_cast<uint32_t>(m_ports.size()), static_cast<uint32_t>(ports.size())});
            m_ports.insert(m_ports.end(), ports.begin(), ports.end());
        }
    }
    return m_sets[m_latestSet];
}

} // namespace ns3::lossless
