// SPDX-License-Identifier: GPL-2.0-only
#include "capfc-buffer-policy.h"

#include "ns3/attribute-condition.h"
#include "ns3/boolean.h"
#include "ns3/count-attribute.h"
#include "ns3/fixed-accessor.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/shared-buffer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(CapfcBufferPolicy);

namespace
{

const RegisterCondition<CapfcBufferPolicy> g_own({"IngressMax", "EgressMax"},
                                                 "PoolBytes",
                                                 Where::IS,
                                                 "0");
const RegisterCondition<CapfcBufferPolicy> g_pool(
    {"DedicatedBytes", "PoolPerQueue", "PoolPerPort", "PoolOfIngress", "PoolOfEgress"},
    "PoolBytes",
    Where::IS_NOT,
    "0");
const RegisterCondition<SharedBuffer> g_size({"Size"},
                                             "ns3::lossless::SwitchNode::BufferPolicy",
                                             Where::IS_NOT,
                                             "ns3::lossless::CapfcBufferPolicy");

} // namespace

const RegisterPart<CapfcBufferPolicy, BufferPolicyInfo> g_capfc("CaPFC", 50);

TypeId
CapfcBufferPolicy::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<CapfcBufferPolicy, BufferPolicy>("CapfcBufferPolicy")
            .AddAttribute("IngressMax",
                          "Capacity of an ingress queue, in bytes (default 60 kB: CaPFC, Table "
                          "II); not used with a pool.",
                          UintegerValue(60000),
                          Fixed(MakeUintegerAccessor(&CapfcBufferPolicy::m_ingressMax)),
                          MakeCountChecker(1))
            .AddAttribute("IngressXoff",
                          "Length in bytes above which an ingress queue stops its neighbour "
                          "(default 50 kB: CaPFC, Table II).",
                          UintegerValue(50000),
                          Fixed(MakeUintegerAccessor(&CapfcBufferPolicy::m_ingressXoff)),
                          MakeCountChecker(1))
            .AddAttribute("IngressXon",
                          "Length in bytes at which an ingress queue lets its neighbour resume "
                          "(default 40 kB: CaPFC, Table II).",
                          UintegerValue(40000),
                          Fixed(MakeUintegerAccessor(&CapfcBufferPolicy::m_ingressXon)),
                          MakeCountChecker())
            .AddAttribute("EgressMax",
                          "Capacity of an egress queue, in bytes, the frame on the wire included "
                          "(default 60 kB: CaPFC, Table II); not used with a pool.",
                          UintegerValue(60000),
                          Fixed(MakeUintegerAccessor(&CapfcBufferPolicy::m_egressMax)),
                          MakeCountChecker(1))
            .AddAttribute("WaitForEgress",
                          "Whether a frame that finds no room in its egress queue waits, and "
                          "blocks the packet processor, instead of being lost.",
                          BooleanValue(false),
                          Fixed(MakeBooleanAccessor(&CapfcBufferPolicy::m_waits)),
                          MakeBooleanChecker())
            .AddAttribute("PoolBytes",
                          "Memory that all ingress and egress queues share, in bytes; 0: each "
                          "queue has its own (350 kB: CaPFC, Sec. IV-C7).",
                          UintegerValue(0),
                          Fixed(MakeUintegerAccessor(&CapfcBufferPolicy::m_poolBytes)),
                          MakeCountChecker())
            .AddAttribute("DedicatedBytes",
                          "With a pool: memory dedicated to each queue, in bytes (default 8 kB: "
                          "CaPFC, Sec. IV-C7).",
                          UintegerValue(8000),
                          Fixed(MakeUintegerAccessor(&CapfcBufferPolicy::m_dedicatedBytes)),
                          MakeCountChecker())
            .AddAttribute("PoolPerQueue",
                          "Maximum number of bytes of the pool for one queue (default 80 kB: "
                          "CaPFC, Sec. IV-C7).",
                          UintegerValue(80000),
                          Fixed(MakeUintegerAccessor(&CapfcBufferPolicy::m_poolPerQueue)),
                          MakeCountChecker())
            .AddAttribute("PoolPerPort",
                          "Maximum number of bytes of the pool for the queues on one side of a "
                          "port (default 100 kB: CaPFC, Sec. IV-C7).",
                          UintegerValue(100000),
                          Fixed(MakeUintegerAccessor(&CapfcBufferPolicy::m_poolPerPort)),
                          MakeCountChecker())
            .AddAttribute("PoolOfIngress",
                          "Maximum number of bytes of the pool for all ingress queues together; 0: "
                          "the whole pool (CaPFC, Sec. II-F, which states no value).",
                          UintegerValue(0),
                          Fixed(MakeUintegerAccessor(&CapfcBufferPolicy::m_poolOfIngress)),
                          MakeCountChecker())
            .AddAttribute("PoolOfEgress",
                          "Maximum number of bytes of the pool for all egress queues together; 0: "
                          "the whole pool (CaPFC, Sec. II-F, which states no value).",
                          UintegerValue(0),
                          Fixed(MakeUintegerAccessor(&CapfcBufferPolicy::m_poolOfEgress)),
                          MakeCountChecker());
    return tid;
}

std::optional<std::string>
CapfcBufferPolicy::Configure(const SwitchShape& shape)
{
    m_ports = shape.ports.size();
    std::ostringstream message;
    if (m_ingressXon >= m_ingressXoff || (!HasPool() && m_ingressXoff >= m_ingressMax))
    {
        message << "IngressXon, IngressXoff and IngressMax are " << m_ingressXon << ", "
                << m_ingressXoff << " and " << m_ingressMax << " B; each must be below the next";
        return message.str();
    }
    const Limit limit = FindLimit({"IngressMax", m_ingressMax}, {"PoolOfIngress", m_poolOfIngress});
    for (std::size_t port = 0; port < m_ports && shape.lossless != 0; ++port)
    {
        const uint64_t needed =
            GetWorstCaseHeadroomBytes(shape.ports[port], shape.cellBytes, shape.CountLossless());
        if (m_ingressXoff + needed > limit.bytes)
        {
            message << "an ingress queue has room for " << limit.bytes << " B, IngressXoff is "
                    << m_ingressXoff << " B, and on the link of port " << port << " " << needed
                    << " B can arrive after a PAUSE; set " << limit.attribute
                    << " higher by at least " << m_ingressXoff + needed - limit.bytes
                    << " B, or IngressXoff lower";
            return message.str();
        }
    }
    for (const PortLink& link : shape.ports)
    {
        const uint64_t frame = RoundUpToCells(link.mtu + ETHERNET_BYTES, shape.cellBytes);
        if (frame > *GetEgressRoom())
        {
            message << "an egress queue has room for " << *GetEgressRoom()
                    << " B, and a frame may have " << frame << " B; set "
                    << (HasPool() ? "the limits of the pool" : "EgressMax") << " higher";
            return message.str();
        }
    }
    return std::nullopt;
}

CapfcBufferPolicy::Limit
CapfcBufferPolicy::FindLimit(const Limit& own, const Limit& side) const
{
    if (!HasPool())
    {
        return own;
    }
    std::vector<Limit> limits{{"PoolPerQueue", m_poolPerQueue},
                              {"PoolPerPort", m_poolPerPort},
                              {"PoolBytes", m_poolBytes}};
    if (side.bytes > 0)
    {
        limits.push_back(side);
    }
    Limit least = *std::min_element(limits.begin(), limits.end(), [](const auto& a, const auto& b) {
        return a.bytes < b.bytes;
    });
    least.bytes += m_dedicatedBytes;
    return least;
}

std::optional<uint64_t>
CapfcBufferPolicy::GetEgressRoom() const
{
    return FindLimit({"EgressMax", m_egressMax}, {"PoolOfEgress", m_poolOfEgress}).bytes;
}

bool
CapfcBufferPolicy::IsTwoSided() const
{
    return true;
}

Admission
CapfcBufferPolicy::Admit(const SharedBuffer& buffer, const SwitchItem& item) const
{
    const SharedBuffer::IngressQueue& queue = buffer.GetIngress(item.GetIngressQueue());
    if (!HasPool())
    {
        return queue.GetTotal() + item.bufferBytes <= m_ingressMax
                   ? Admission::Into({0, item.bufferBytes, 0})
                   : Admission::Refuse(DropReason::BUFFER_FULL);
    }
    SegmentBytes segments;
    const uint64_t own = m_dedicatedBytes - std::min(queue.reserved, m_dedicatedBytes);
    segments.reserved = static_cast<uint32_t>(std::min<uint64_t>(own, item.bufferBytes));
    segments.shared = item.bufferBytes - segments.reserved;
    const PoolUse use{queue.shared + segments.shared,
                      buffer.GetIngressPort(item.ingress).shared + segments.shared,
                      buffer.GetSharedUsed() + segments.shared,
                      GetEgressPooled(buffer)};
    return segments.shared == 0 || IsWithinPool(use) ? Admission::Into(segments)
                                                     : Admission::Refuse(DropReason::BUFFER_FULL);
}

Admission
CapfcBufferPolicy::AdmitEgress(const SharedBuffer& buffer, const SwitchItem& item) const
{
    const uint64_t length = buffer.GetEgress(item.GetEgressQueue()).bytes;
    bool hasRoom = length + item.bufferBytes <= m_egressMax;
    if (HasPool())
    {
        // A frame is stored only once. When it moves to the egress side, its share of the pool
        // moves with it.
        const uint64_t brought =
            std::min<uint64_t>(buffer.GetIngress(item.GetIngressQueue()).shared, item.bufferBytes);
        const uint64_t after = GetPooled(length + item.bufferBytes);
        const uint64_t more = after - GetPooled(length);
        hasRoom = more == 0 || IsWithinPool({after,
                                             GetEgressPooled(buffer, item.egress) + more,
                                             buffer.GetSharedUsed() - brought,
                                             GetEgressPooled(buffer) + more});
    }
    if (hasRoom)
    {
        return {};
    }
    return m_waits ? Admission::Wait() : Admission::Refuse(DropReason::EGRESS_LIMIT);
}

bool
CapfcBufferPolicy::IsWithinPool(const PoolUse& use) const
{
    return use.queue <= m_poolPerQueue && use.port <= m_poolPerPort &&
           (m_poolOfIngress == 0 || use.ingress <= m_poolOfIngress) &&
           (m_poolOfEgress == 0 || use.egress <= m_poolOfEgress) &&
           use.ingress + use.egress <= m_poolBytes;
}

uint64_t
CapfcBufferPolicy::GetEgressPooled(const SharedBuffer& buffer) const
{
    uint64_t pooled = 0;
    for (uint16_t port = 0; port < m_ports; ++port)
    {
        pooled += GetEgressPooled(buffer, PortId{port});
    }
    return pooled;
}

uint64_t
CapfcBufferPolicy::GetEgressPooled(const SharedBuffer& buffer, PortId port) const
{
    uint64_t pooled = 0;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        pooled += GetPooled(buffer.GetEgress({port, Priority{p}}).bytes);
    }
    return pooled;
}

std::optional<Thresholds>
CapfcBufferPolicy::GetThresholds(const SharedBuffer& /* buffer */, QueueId /* queue */) const
{
    return Thresholds{m_ingressXoff, m_ingressXon};
}

} // namespace ns3::lossless
