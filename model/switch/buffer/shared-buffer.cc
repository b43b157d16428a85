// SPDX-License-Identifier: GPL-2.0-only
#include "shared-buffer.h"

#include "ns3/assert.h"
#include "ns3/count-attribute.h"
#include "ns3/fixed-accessor.h"
#include "ns3/make-type-id.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(SharedBuffer);

TypeId
SharedBuffer::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<SharedBuffer, Object>("SharedBuffer")
            .AddAttribute("Size",
                          "Packet memory of the switch, in bytes (default 16 MiB: the Tomahawk "
                          "model of DSH, Sec. V-A).",
                          UintegerValue(16 << 20),
                          Fixed(MakeUintegerAccessor(&SharedBuffer::m_size)),
                          MakeCountChecker(1))
            .AddAttribute("CellBytes",
                          "Allocation unit: each frame occupies a whole number of cells of this "
                          "many bytes (1: exact bytes; chips have about 200). The computed "
                          "headroom grows with it; see HeadroomBufferPolicy::WorstCaseHeadroom.",
                          UintegerValue(1),
                          Fixed(MakeUintegerAccessor(&SharedBuffer::m_cellBytes)),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddTraceSource("PortHeadroomInUse",
                            "The bytes in the headroom of an ingress port have changed; with the "
                            "port and their sum over all its classes.",
                            MakeTraceSourceAccessor(&SharedBuffer::m_portHeadroomTrace),
                            "ns3::lossless::SharedBuffer::PortHeadroomTracedCallback");
    return tid;
}

void
SharedBuffer::Resize(std::size_t ports)
{
    m_rows.resize(ports);
}

void
SharedBuffer::Arrive(const SwitchItem& item, const SegmentBytes& segments)
{
    NS_ASSERT(segments.reserved + segments.shared + segments.headroom == item.bufferBytes);
    IngressQueue& queue = Ingress(item.GetIngressQueue());
    IngressPort& port = m_rows[Index(item.ingress)].port;
    queue.reserved += segments.reserved;
    queue.shared += segments.shared;
    queue.headroom += segments.headroom;
    port.shared += segments.shared;
    port.headroom += segments.headroom;
    m_sharedUsed += segments.shared;
    if (segments.headroom)
    {
        m_headroomUsed += segments.headroom;
        m_portHeadroomTrace(item.ingress, port.headroom);
    }
    m_used += item.bufferBytes;
}

void
SharedBuffer::Move(const SwitchItem& item)
{
    EgressQueueCount& egress = Egress(item.GetEgressQueue());
    egress.bytes += item.bufferBytes;
    ++egress.frames;
    if (m_isTwoSided)
    {
        Release(item);
    }
}

void
SharedBuffer::Leave(const SwitchItem& item)
{
    EgressQueueCount& egress = Egress(item.GetEgressQueue());
    NS_ASSERT(egress.frames > 0 && egress.bytes >= item.bufferBytes);
    egress.bytes -= item.bufferBytes;
    --egress.frames;
    if (!m_isTwoSided)
    {
        Release(item);
    }
    m_used -= item.bufferBytes;
}

void
SharedBuffer::Discard(const SwitchItem& item)
{
    Release(item);
    m_used -= item.bufferBytes;
}

double
SharedBuffer::GetMeanEgress(Priority priority) const
{
    uint64_t sum = 0;
    for (const Row& row : m_rows)
    {
        sum += row.egress[Index(priority)].bytes;
    }
    return static_cast<double>(sum) / static_cast<double>(m_rows.size());
}

uint64_t
SharedBuffer::GetSharedOf(PortId port, PrioritySet classes) const
{
    uint64_t bytes = 0;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(classes, Priority{p}))
        {
            bytes += GetIngress({port, Priority{p}}).shared;
        }
    }
    return bytes;
}

void
SharedBuffer::Release(const SwitchItem& item)
{
    IngressQueue& queue = Ingress(item.GetIngressQueue());
    IngressPort& port = m_rows[Index(item.ingress)].port;
    const uint64_t bytes = item.bufferBytes;
    NS_ASSERT(queue.GetTotal() >= bytes);
    const uint64_t headroom = std::min(queue.headroom, bytes);
    const uint64_t shared = std::min(queue.shared, bytes - headroom);
    queue.headroom -= headroom;
    queue.shared -= shared;
    queue.reserved -= bytes - headroom - shared;
    port.shared -= shared;
    port.headroom -= headroom;
    m_sharedUsed -= shared;
    if (headroom)
    {
        m_headroomUsed -= headroom;
        m_portHeadroomTrace(item.ingress, port.headroom);
    }
}

} // namespace ns3::lossless
