// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-forwarding.h"

#include "ns3/abort.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(Forwarding);
NS_OBJECT_ENSURE_REGISTERED(EcmpForwarding);

namespace
{

/// Fibonacci hashing: the high bits of the product are well mixed.
constexpr uint64_t GOLDEN_RATIO = 0x9e3779b97f4a7c15ULL;

} // namespace

TypeId
Forwarding::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::Forwarding").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

void
Forwarding::NotifyLinkChanged(PortId /* port */, bool /* up */)
{
}

int64_t
Forwarding::AssignStreams(int64_t /* stream */)
{
    return 0;
}

TypeId
EcmpForwarding::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::EcmpForwarding")
            .SetParent<Forwarding>()
            .SetGroupName("Lossless")
            .AddConstructor<EcmpForwarding>()
            .AddAttribute("Seed",
                          "Seed of the hash; the switch's id is mixed in, so that the switches of "
                          "a fabric choose independently.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&EcmpForwarding::m_seed),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

void
EcmpForwarding::Configure(uint32_t nodeId, std::size_t ports)
{
    // Salts that differ in few bits, or in the upper half only, would let two switches on a path
    // divide the flows alike.
    m_salt = MixBits(MixBits(m_seed) + nodeId);
    m_nodeId = nodeId;
    m_portCount = ports;
    CheckPorts(m_ports);
}

void
EcmpForwarding::CheckPorts(const std::vector<PortId>& ports) const
{
    for (const PortId port : ports)
    {
        NS_ABORT_MSG_IF(Index(port) >= m_portCount,
                        "switch " << m_nodeId << ": a route names port " << Index(port)
                                  << ", but the switch has " << m_portCount << " ports.");
    }
}

void
EcmpForwarding::SetRoute(Ipv4Address destination, const std::vector<PortId>& ports)
{
    CheckPorts(ports);
    if (2 * (m_size + 1) > m_table.size())
    {
        Grow();
    }
    Entry& entry = m_table[GetPlace(destination.Get())];
    m_size += entry.set == 0 ? 1 : 0;
    entry = {destination.Get(), GetSet(ports) + 1};
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
    const uint64_t hash = (item.frame.flowHash ^ m_salt) * GOLDEN_RATIO;
    // The upper 32 bits, scaled to the number of ports.
    return ports.first[(hash >> 32) * ports.count >> 32];
}

EcmpForwarding::Ports
EcmpForwarding::GetPorts(uint32_t address) const
{
    if (m_table.empty())
    {
        return {};
    }
    const Entry& entry = m_table[GetPlace(address)];
    if (entry.set == 0)
    {
        return {};
    }
    const PortSet& set = m_sets[entry.set - 1];
    return {m_ports.data() + set.first, set.count};
}

std::optional<PortId>
EcmpForwarding::Route(const SwitchItem& item, const SharedBuffer& /* buffer */)
{
    return EcmpForwarding::Find(item);
}

std::size_t
EcmpForwarding::GetPlace(uint32_t address) const
{
    const std::size_t mask = m_table.size() - 1;
    std::size_t i = (address * GOLDEN_RATIO >> 32) & mask;
    while (m_table[i].set != 0 && m_table[i].address != address)
    {
        i = (i + 1) & mask;
    }
    return i;
}

void
EcmpForwarding::Grow()
{
    std::vector<Entry> old(m_table.empty() ? 16 : 2 * m_table.size());
    old.swap(m_table);
    for (const Entry& entry : old)
    {
        if (entry.set != 0)
        {
            m_table[GetPlace(entry.address)] = entry;
        }
    }
}

uint32_t
EcmpForwarding::GetSet(const std::vector<PortId>& ports)
{
    const auto isIt = [&](const PortSet& set) {
        return set.count == ports.size() &&
               std::equal(ports.begin(), ports.end(), m_ports.begin() + set.first);
    };
    // Neighbouring destinations mostly share the set.
    if (m_sets.empty() || !isIt(m_sets[m_latestSet]))
    {
        const auto found = std::find_if(m_sets.begin(), m_sets.end(), isIt);
        m_latestSet = static_cast<uint32_t>(found - m_sets.begin());
        if (found == m_sets.end())
        {
            m_sets.push_back(
                {static_cast<uint32_t>(m_ports.size()), static_cast<uint32_t>(ports.size())});
            m_ports.insert(m_ports.end(), ports.begin(), ports.end());
        }
    }
    return m_latestSet;
}

} // namespace ns3::lossless
