// SPDX-License-Identifier: GPL-2.0-only
#include "adaptive-forwarding.h"

#include "ns3/fixed-accessor.h"
#include "ns3/make-type-id.h"
#include "ns3/part-registry.h"
#include "ns3/uinteger.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(AdaptiveForwarding);

const RegisterPart<AdaptiveForwarding, ForwardingInfo> g_adaptive("Adaptive", 20);

TypeId
AdaptiveForwarding::GetTypeId()
{
    static TypeId tid = MakeTypeId<AdaptiveForwarding, EcmpForwarding>("AdaptiveForwarding")
                            .AddAttribute("FewBytes",
                                          "Length in bytes below which an egress queue has the "
                                          "best grade (default 16 kB: CaPFC, Table II).",
                                          UintegerValue(16000),
                                          Fixed(MakeUintegerAccessor(&AdaptiveForwarding::m_few)),
                                          MakeUintegerChecker<uint32_t>())
                            .AddAttribute("ManyBytes",
                                          "Length in bytes above which an egress queue has the "
                                          "worst grade (default 32 kB: CaPFC, Table II).",
                                          UintegerValue(32000),
                                          Fixed(MakeUintegerAccessor(&AdaptiveForwarding::m_many)),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

AdaptiveForwarding::AdaptiveForwarding()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
AdaptiveForwarding::Configure(uint32_t nodeId, const std::vector<DataRate>& rates)
{
    EcmpForwarding::Configure(nodeId, rates);
    m_isUp.resize(rates.size(), true);
}

void
AdaptiveForwarding::NotifyLinkChanged(PortId port, bool up)
{
    m_isUp[Index(port)] = up;
}

std::optional<PortId>
AdaptiveForwarding::Route(const SwitchItem& item, const SharedBuffer& buffer)
{
    m_best.clear();
    uint32_t best = 0;
    const Ports ports = GetPorts(item.frame.flow.destination);
    for (const PortId port : ports)
    {
        const uint32_t grade = GetGrade({port, item.frame.priority}, buffer);
        if (!m_isUp[Index(port)] || (!m_best.empty() && grade > best))
        {
            continue;
        }
        if (m_best.empty() || grade < best)
        {
            m_best.clear();
            best = grade;
        }
        m_best.push_back(port);
    }
    if (m_best.empty()) // all links are down
    {
        return ports.count > 0 ? std::make_optional(*ports.first) : std::nullopt;
    }
    if (m_best.size() == 1)
    {
        return m_best.front();
    }
    return m_best[m_random->GetInteger(0, m_best.size() - 1)];
}

uint32_t
AdaptiveForwarding::GetGrade(QueueId queue, const SharedBuffer& buffer) const
{
    const uint64_t bytes = buffer.GetEgress(queue).bytes;
    return (bytes >= m_few ? 1 : 0) + (bytes > m_many ? 1 : 0);
}

std::optional<PortId>
AdaptiveForwarding::Find(const SwitchItem& item) const
{
    const Ports ports = GetPorts(item.frame.flow.destination);
    return ports.count == 1 ? std::make_optional(*ports.first) : std::nullopt;
}

bool
AdaptiveForwarding::KeepsPath() const
{
    return false;
}

int64_t
AdaptiveForwarding::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3::lossless
