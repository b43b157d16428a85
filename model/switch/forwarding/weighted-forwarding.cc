// SPDX-License-Identifier: GPL-2.0-only
#include "weighted-forwarding.h"

#include "ns3/make-type-id.h"
#include "ns3/part-registry.h"

#include <algorithm>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(WeightedForwarding, EcmpForwarding);

const RegisterPart<WeightedForwarding, ForwardingInfo> g_weighted("Weighted", 30);

void
WeightedForwarding::Configure(uint32_t nodeId, const std::vector<DataRate>& rates)
{
    EcmpForwarding::Configure(nodeId, rates);
    // The unit of the weights, in bit/s, chosen so that the products in Find() do not overflow.
    constexpr uint64_t mega = 1000000;
    m_rates.clear();
    for (const DataRate& rate : rates)
    {
        m_rates.push_back(std::max<uint64_t>(rate.GetBitRate() / mega, 1));
    }
    m_weights = m_rates;
}

void
WeightedForwarding::NotifyLinkChanged(PortId port, bool up)
{
    m_weights[Index(port)] = up ? m_rates[Index(port)] : 0;
}

std::optional<PortId>
WeightedForwarding::Route(const SwitchItem& item, const SharedBuffer& /* buffer */)
{
    return WeightedForwarding::Find(item);
}

std::optional<PortId>
WeightedForwarding::Find(const SwitchItem& item) const
{
    const Ports ports = GetPorts(item.frame.flow.destination);
    uint64_t sum = 0;
    for (const PortId port : ports)
    {
        sum += m_weights[Index(port)];
    }
    uint64_t left = GetChoice(item) * sum >> 32;
    for (const PortId port : ports)
    {
        const uint64_t weight = m_weights[Index(port)];
        if (left < weight)
        {
            return port;
        }
        left -= weight;
    }
    return ports.count > 0 ? std::make_optional(*ports.first) : std::nullopt; // all links are down
}

} // namespace ns3::lossless
