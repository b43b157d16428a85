// SPDX-License-Identifier: GPL-2.0-only
#include "headroom-buffer-policy.h"

#include "ns3/attribute-condition.h"
#include "ns3/boolean.h"
#include "ns3/count-attribute.h"
#include "ns3/double.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/make-type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessHeadroomBufferPolicy");

NS_OBJECT_ENSURE_REGISTERED(HeadroomBufferPolicy);

namespace
{

const RegisterCondition<HeadroomBufferPolicy> g_headroom({"WorstCaseHeadroom", "HeadroomMargin"},
                                                         "HeadroomBytes",
                                                         Where::IS,
                                                         "0");
const RegisterCondition<HeadroomBufferPolicy> g_reference({"ReferenceHeadroomBytes"},
                                                          "ReferencePorts",
                                                          Where::IS_NOT,
                                                          "0");

/// A number of bytes that exceeds the headroom of any switch but is small enough that its multiples
/// do not overflow.
constexpr uint64_t MOST = UINT64_MAX >> 24;

} // namespace

TypeId
HeadroomBufferPolicy::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<HeadroomBufferPolicy, BufferPolicy>("HeadroomBufferPolicy")
            .AddAttribute("PrivateBytes",
                          "Private buffer of each lossless ingress queue, in bytes (default 3 KiB: "
                          "DSH, Sec. V-A).",
                          UintegerValue(3072),
                          Fixed(MakeUintegerAccessor(&HeadroomBufferPolicy::m_privateBytes)),
                          MakeCountChecker())
            .AddAttribute("LossyPrivateBytes",
                          "Private buffer of each ingress queue of a lossy class, in bytes, by "
                          "which acknowledgements and congestion notifications in class 7 get "
                          "through while the shared buffer is full (default: eight "
                          "acknowledgements; the papers' switches have none).",
                          UintegerValue(512),
                          Fixed(MakeUintegerAccessor(&HeadroomBufferPolicy::m_lossyPrivateBytes)),
                          MakeCountChecker())
            .AddAttribute(
                "HeadroomBytes",
                "Headroom of each lossless ingress queue (DSH: insurance of each port), in bytes; "
                "0: computed for each port from its link; see WorstCaseHeadroom.",
                UintegerValue(0),
                Fixed(MakeUintegerAccessor(&HeadroomBufferPolicy::m_headroomBytes)),
                MakeCountChecker())
            .AddAttribute("WorstCaseHeadroom",
                          "Whether the computed headroom suffices whatever arrives: 2 (rate x "
                          "delay + MTU) + 3840 (DSH, Eq. 1) plus framing, the PAUSE, the frame "
                          "that finds the shared buffer full, and the loss to cells, which Eq. 1 "
                          "omits. False: Eq. 1 alone, as in papers; it can be a full frame short.",
                          BooleanValue(true),
                          Fixed(MakeBooleanAccessor(&HeadroomBufferPolicy::m_isWorstCaseHeadroom)),
                          MakeBooleanChecker())
            .AddAttribute("HeadroomMargin",
                          "Bytes added to the computed headroom.",
                          UintegerValue(0),
                          Fixed(MakeUintegerAccessor(&HeadroomBufferPolicy::m_headroomMargin)),
                          MakeCountChecker())
            .AddAttribute("ReferencePorts",
                          "Minimum number of ports for which headroom and private buffers are "
                          "reserved, as on a chip whose shares do not depend on what is connected "
                          "(DSH: 32 ports in all experiments); 0: the connected ones.",
                          UintegerValue(0),
                          Fixed(MakeUintegerAccessor(&HeadroomBufferPolicy::m_referencePorts)),
                          MakeUintegerChecker<uint32_t>(0, UINT16_MAX))
            .AddAttribute(
                "ReferenceHeadroomBytes",
                "Headroom of each lossless ingress queue of a reference port (DSH: insurance of "
                "the port), in bytes; 0: the largest of any connected port.",
                UintegerValue(0),
                Fixed(MakeUintegerAccessor(&HeadroomBufferPolicy::m_referenceHeadroomBytes)),
                MakeCountChecker())
            .AddAttribute("LossyAlpha",
                          "An egress queue of a lossy class may hold up to this factor times the "
                          "free part of the shared buffer.",
                          DoubleValue(1.0),
                          Fixed(MakeDoubleAccessor(&HeadroomBufferPolicy::m_lossyAlpha)),
                          MakeDoubleChecker<double>(0.0));
    return tid;
}

std::optional<std::string>
HeadroomBufferPolicy::Configure(const SwitchShape& shape)
{
    m_lossless = shape.lossless;
    m_nLossless = shape.CountLossless();
    m_headroom.clear();
    for (const PortLink& link : shape.ports)
    {
        const uint64_t computed =
            m_isWorstCaseHeadroom ? GetWorstCaseHeadroomBytes(link, shape.cellBytes, m_nLossless)
                                  : GetHeadroomBytes(link);
        m_headroom.push_back(std::min(m_headroomBytes ? m_headroomBytes
                                                      : computed + std::min(m_headroomMargin, MOST),
                                      MOST));
    }
    const uint64_t ports = std::max<uint64_t>(shape.ports.size(), m_referencePorts);
    const auto bounded = [&shape](uint64_t bytes) { return std::min(bytes, shape.bufferBytes); };
    const uint64_t reserved =
        ports * (m_nLossless * bounded(m_privateBytes) +
                 (NUM_PRIORITIES - m_nLossless) * bounded(m_lossyPrivateBytes));
    const uint64_t headroom = GetReservedHeadroom();
    if (headroom + reserved >= shape.bufferBytes)
    {
        std::ostringstream message;
        message
            << "headroom of " << headroom << " B and private buffers of " << reserved
            << " B leave nothing to share of a buffer of " << shape.bufferBytes << " B (" << ports
            << " ports, " << m_nLossless
            << " lossless classes); enlarge SharedBuffer::Size (programs: --buffer), have fewer "
               "SwitchNode::LosslessClasses (lossless-run, hpcc-run: --lossless-classes), or set "
               "HeadroomBytes, PrivateBytes or "
               "LossyPrivateBytes lower";
        return message.str();
    }
    m_sharedBytes = shape.bufferBytes - headroom - reserved;
    return CheckThresholds();
}

Admission
HeadroomBufferPolicy::Admit(const SharedBuffer& buffer, const SwitchItem& item) const
{
    const bool isLossless = Contains(m_lossless, item.frame.priority);
    SegmentBytes segments;
    segments.reserved = GetPrivateShare(buffer, item);
    return isLossless ? AdmitLossless(buffer, item, segments) : AdmitLossy(buffer, item, segments);
}

Admission
HeadroomBufferPolicy::AdmitEgress(const SharedBuffer& buffer, const SwitchItem& item) const
{
    if (Contains(m_lossless, item.frame.priority) ||
        GetPrivateShare(buffer, item) == item.bufferBytes)
    {
        return {};
    }
    const uint64_t left = m_sharedBytes - buffer.GetSharedUsed();
    const uint64_t length = buffer.GetEgress(item.GetEgressQueue()).bytes + item.bufferBytes;
    if (static_cast<double>(length) <= m_lossyAlpha * static_cast<double>(left))
    {
        return {};
    }
    NS_LOG_DEBUG("port " << Index(item.egress) << " lossy class " << Index(item.frame.priority)
                         << " would hold " << length << " B, more than " << m_lossyAlpha << " x "
                         << left << " B left of the shared buffer");
    return Admission::Refuse(DropReason::EGRESS_LIMIT);
}

uint32_t
HeadroomBufferPolicy::GetPrivateShare(const SharedBuffer& buffer, const SwitchItem& item) const
{
    const uint64_t size =
        Contains(m_lossless, item.frame.priority) ? m_privateBytes : m_lossyPrivateBytes;
    const uint64_t left = size - buffer.GetIngress(item.GetIngressQueue()).reserved;
    return static_cast<uint32_t>(std::min<uint64_t>(left, item.bufferBytes));
}

Admission
HeadroomBufferPolicy::AdmitLossless(const SharedBuffer& buffer,
                                    const SwitchItem& item,
                                    SegmentBytes segments) const
{
    const uint32_t rest = item.bufferBytes - segments.reserved;
    if (MayUseShared(buffer, item) && buffer.GetSharedUsed() + rest <= m_sharedBytes)
    {
        segments.shared = rest;
        return Admission::Into(segments);
    }
    if (rest <= GetHeadroomLeft(buffer, item))
    {
        segments.headroom = rest;
        return Admission::Into(segments);
    }
    NS_LOG_DEBUG("port " << Index(item.ingress) << " class " << Index(item.frame.priority)
                         << " has no room for " << rest << " B: headroom left "
                         << GetHeadroomLeft(buffer, item) << " B, shared buffer used "
                         << buffer.GetSharedUsed() << " of " << m_sharedBytes << " B");
    return Admission::Refuse(DropReason::HEADROOM_FULL);
}

uint64_t
HeadroomBufferPolicy::GetReservedHeadroom(PortId port) const
{
    return GetPortReserve(GetPortHeadroom(port));
}

uint64_t
HeadroomBufferPolicy::GetReservedHeadroom() const
{
    uint64_t sum = 0;
    for (std::size_t port = 0; port < m_headroom.size(); ++port)
    {
        sum += GetReservedHeadroom(PortId{static_cast<uint16_t>(port)});
    }
    const uint64_t reference =
        m_referenceHeadroomBytes ? std::min(m_referenceHeadroomBytes, MOST) : GetLargestHeadroom();
    return std::max(sum, m_referencePorts * GetPortReserve(reference));
}

uint64_t
HeadroomBufferPolicy::GetPortReserve(uint64_t headroom) const
{
    return m_nLossless * headroom;
}

uint64_t
HeadroomBufferPolicy::GetLargestHeadroom() const
{
    return m_headroom.empty() ? 0 : *std::max_element(m_headroom.begin(), m_headroom.end());
}

bool
HeadroomBufferPolicy::MayUseShared(const SharedBuffer& buffer, const SwitchItem& item) const
{
    const SharedBuffer::IngressQueue& queue = buffer.GetIngress(item.GetIngressQueue());
    return !queue.paused || queue.shared < GetThresholds(buffer, item.GetIngressQueue())->xoff;
}

uint64_t
HeadroomBufferPolicy::GetHeadroomLeft(const SharedBuffer& buffer, const SwitchItem& item) const
{
    return m_headroom[Index(item.ingress)] - buffer.GetIngress(item.GetIngressQueue()).headroom;
}

Admission
HeadroomBufferPolicy::AdmitLossy(const SharedBuffer& buffer,
                                 const SwitchItem& item,
                                 SegmentBytes segments) const
{
    segments.shared = item.bufferBytes - segments.reserved;
    const uint64_t left = m_sharedBytes - buffer.GetSharedUsed();
    if (segments.shared > left)
    {
        NS_LOG_DEBUG("port " << Index(item.ingress) << " lossy class " << Index(item.frame.priority)
                             << " has no room for " << segments.shared << " B: shared buffer left "
                             << left << " B");
        return Admission::Refuse(DropReason::BUFFER_FULL);
    }
    return Admission::Into(segments);
}

} // namespace ns3::lossless
