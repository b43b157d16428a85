// SPDX-License-Identifier: GPL-2.0-only
#include "pabo-flow-control.h"

#include "bounce-probability.h"
#include "pabo-egress-queue.h"
#include "pabo-host.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/queue-limit.h"
#include "ns3/scheme-registry.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessPaboFlowControl");

NS_OBJECT_ENSURE_REGISTERED(PaboFlowControl);
LOSSLESS_PLAIN_CLASS(PaboSwitchNode, SwitchNode);

const RegisterScheme<PaboSwitchNode> g_pabo("PABO", 50, [](SchemeInfo& scheme) {
    scheme.what = "frames are sent back to their previous hop instead of being dropped";
    scheme.hasOwnQueues = true;
    scheme.needsOnePath = true;
    scheme.keepsOrder = false;
    scheme.promise = Promise::NOTHING;
});

TypeId
PaboFlowControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<PaboFlowControl, FlowControl>("PaboFlowControl")
            .AddAttribute("Theta",
                          "Utilization of a sub-queue above which frames are sent back, 0 to 1; at "
                          "1, only when it is full (default 0.8: PABO, Sec. V-B).",
                          DoubleValue(0.8),
                          Fixed(MakeDoubleAccessor(&PaboFlowControl::m_theta)),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Lambda",
                          "Decay constant of the bounce probability; the larger it is, the sooner "
                          "all frames are sent back (default 50: PABO, Sec. V-B).",
                          DoubleValue(50),
                          Fixed(MakeDoubleAccessor(&PaboFlowControl::m_lambda)),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("NormalLimit",
                          "Capacity of each normal sub-queue, in packets or bytes, excluding the "
                          "frame on the wire (default 500 packets: PABO, Sec. V-A).",
                          QueueSizeValue(QueueSize("500p")),
                          Fixed(MakeQueueSizeAccessor(&PaboFlowControl::m_normalLimit)),
                          MakeQueueSizeChecker())
            .AddAttribute("BounceLimit",
                          "Capacity of each bounce sub-queue, in packets or bytes, excluding the "
                          "frame on the wire (default 500 packets: PABO, Sec. V-A).",
                          QueueSizeValue(QueueSize("500p")),
                          Fixed(MakeQueueSizeAccessor(&PaboFlowControl::m_bounceLimit)),
                          MakeQueueSizeChecker())
            .AddAttribute("Reserve",
                          "Room, in packets, below which a sub-queue counts as full: 3 in the "
                          "authors' simulator, where 98 of 100 count as full; 0: only if there is "
                          "no room (PABO, Sec. II).",
                          UintegerValue(0),
                          Fixed(MakeUintegerAccessor(&PaboFlowControl::m_reserve)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BackByRoute",
                          "Whether frames go back along the switch's route to their source, as "
                          "with the fixed tables of the authors' simulator; false: to their "
                          "previous hop (PABO, Sec. II).",
                          BooleanValue(false),
                          Fixed(MakeBooleanAccessor(&PaboFlowControl::m_backByRoute)),
                          MakeBooleanChecker())
            .AddTraceSource("Bounce",
                            "A frame is sent back.",
                            MakeTraceSourceAccessor(&PaboFlowControl::m_bounceTrace),
                            "ns3::lossless::PaboFlowControl::BounceTracedCallback")
            .AddTraceSource("Utilization",
                            "The utilization of a sub-queue has changed.",
                            MakeTraceSourceAccessor(&PaboFlowControl::m_utilizationTrace),
                            "ns3::lossless::PaboFlowControl::UtilizationTracedCallback");
    return tid;
}

PaboFlowControl::PaboFlowControl()
    : m_random(CreateObject<UniformRandomVariable>())
{
    SetRedirecting(true);
}

void
PaboFlowControl::PrepareHost(Ptr<LosslessNetDevice> device) const
{
    if (!device->GetObject<PaboHost>())
    {
        CreateObject<PaboHost>()->Install(device);
    }
}

Ptr<EgressQueue>
PaboFlowControl::CreateEgressQueue(QueueId /* queue */)
{
    return CreateObject<PaboEgressQueue>();
}

std::optional<std::string>
PaboFlowControl::Configure(const SwitchShape& shape)
{
    if (!shape.keepsPath)
    {
        return "PABO needs one path for all frames of a flow, and the switch spreads them";
    }
    uint32_t largest = 0;
    for (const PortLink& link : shape.ports)
    {
        largest = std::max(largest, link.mtu + ETHERNET_BYTES);
    }
    for (const bool bounced : {false, true})
    {
        const QueueSize& limit = GetLimit(bounced);
        const uint32_t least = limit.GetUnit() == QueueSizeUnit::PACKETS ? 1 : largest;
        if (limit.GetValue() < least)
        {
            std::ostringstream message;
            message << (bounced ? "BounceLimit" : "NormalLimit") << " is " << limit
                    << "; it must be at least 1 packet, or " << largest
                    << " bytes for a full frame";
            return message.str();
        }
        if (m_reserve > 0 &&
            (limit.GetUnit() != QueueSizeUnit::PACKETS || m_reserve > limit.GetValue()))
        {
            std::ostringstream message;
            message << "Reserve is " << m_reserve << " packets; with a "
                    << (bounced ? "BounceLimit" : "NormalLimit") << " of " << limit
                    << " it must be 0, or at most that limit in packets";
            return message.str();
        }
    }
    m_fill.assign(2 * NUM_PRIORITIES * shape.ports.size(), {});
    return std::nullopt;
}

bool
PaboFlowControl::IsLossless() const
{
    return true;
}

std::optional<DropReason>
PaboFlowControl::Redirect(SwitchItem& item)
{
    PaboCounters counters = PaboCounters::Of(item.frame);
    counters.CountHop();
    counters.WriteTo(item.frame);
    const PortId upstream = FindUpstream(item, counters);
    if (ShouldBounce(item, counters) && MayGoBack(item, upstream))
    {
        const bool bounced = counters.bounces > 0;
        NS_LOG_DEBUG("port " << Index(item.egress) << " class " << Index(item.frame.priority)
                             << " sends a frame back by port " << Index(upstream) << ": "
                             << m_fill[GetIndex(item.GetEgressQueue(), bounced)].bytes << " B, "
                             << GetUtilization(item.GetEgressQueue(), bounced) << " of "
                             << GetLimit(bounced) << ", Theta " << m_theta);
        counters.CountBounce();
        counters.WriteTo(item.frame);
        const PortId congested = std::exchange(item.egress, upstream);
        m_bounceTrace(item, congested);
        return std::nullopt;
    }
    counters.CountForward();
    counters.WriteTo(item.frame);
    if (HasRoom(item.GetEgressQueue(), counters.bounces > 0, item.frame.size))
    {
        return std::nullopt;
    }
    return IsProtected(item) ? DropReason::BOUNCE_LIMIT : DropReason::EGRESS_LIMIT;
}

bool
PaboFlowControl::IsProtected(const SwitchItem& item) const
{
    return Contains(Shape().lossless, item.frame.priority);
}

bool
PaboFlowControl::MayGoBack(const SwitchItem& item, PortId upstream) const
{
    return Services().IsLinkUp(upstream) &&
           HasRoom({upstream, item.frame.priority}, true, item.frame.size);
}

bool
PaboFlowControl::ShouldBounce(const SwitchItem& item, const PaboCounters& counters)
{
    if (!IsProtected(item))
    {
        return false;
    }
    const QueueId queue = item.GetEgressQueue();
    const bool bounced = counters.bounces > 0;
    const bool isFull = !HasRoom(queue, bounced, item.frame.size) || IsReserved(queue, bounced);
    const double utilization = isFull ? 1 : GetUtilization(queue, bounced);
    const double probability =
        GetBounceProbability(utilization, counters.bounces, m_theta, m_lambda);
    return probability > 0 && (probability >= 1 || m_random->GetValue() < probability);
}

PortId
PaboFlowControl::FindUpstream(const SwitchItem& item, const PaboCounters& counters)
{
    const auto route =
        m_backByRoute ? Services().FindRoute(Ipv4Address(item.frame.flow.source)) : std::nullopt;
    return route ? *route : LearnUpstream(item, counters);
}

PortId
PaboFlowControl::LearnUpstream(const SwitchItem& item, const PaboCounters& counters)
{
    // The first frame of a flow to reach a switch is on its way forward, even if another switch has
    // sent it back before.
    const auto [entry, isNew] = m_upstream.try_emplace(item.frame.flowHash, item.ingress);
    if (counters.bounces == 0)
    {
        entry->second = item.ingress;
    }
    return entry->second;
}

void
PaboFlowControl::OnEnqueue(const SwitchItem& item)
{
    Count(item, 1);
}

void
PaboFlowControl::OnDequeue(SwitchItem& item)
{
    Count(item, -1);
}

void
PaboFlowControl::OnDiscard(const SwitchItem& item)
{
    Count(item, -1);
}

void
PaboFlowControl::Count(const SwitchItem& item, int frames)
{
    const bool bounced = PaboCounters::Of(item.frame).bounces > 0;
    const QueueId queue = item.GetEgressQueue();
    Fill& fill = m_fill[GetIndex(queue, bounced)];
    fill.frames += frames;
    fill.bytes += frames * static_cast<int64_t>(item.frame.size);
    if (!m_utilizationTrace.IsEmpty())
    {
        m_utilizationTrace(queue, bounced, GetUtilization(queue, bounced));
    }
}

std::size_t
PaboFlowControl::GetIndex(QueueId queue, bool bounced)
{
    return 2 * Index(queue) + (bounced ? 1 : 0);
}

const QueueSize&
PaboFlowControl::GetLimit(bool bounced) const
{
    return bounced ? m_bounceLimit : m_normalLimit;
}

bool
PaboFlowControl::HasRoom(QueueId queue, bool bounced, uint32_t bytes) const
{
    const Fill& fill = m_fill[GetIndex(queue, bounced)];
    return IsWithin(GetLimit(bounced), fill.frames + 1, fill.bytes + bytes);
}

bool
PaboFlowControl::IsReserved(QueueId queue, bool bounced) const
{
    return m_reserve > 0 &&
           m_fill[GetIndex(queue, bounced)].frames + m_reserve > GetLimit(bounced).GetValue();
}

double
PaboFlowControl::GetUtilization(QueueId queue, bool bounced) const
{
    const QueueSize& limit = GetLimit(bounced);
    const Fill& fill = m_fill[GetIndex(queue, bounced)];
    const uint64_t used = limit.GetUnit() == QueueSizeUnit::PACKETS ? fill.frames : fill.bytes;
    return static_cast<double>(used) / limit.GetValue();
}

int64_t
PaboFlowControl::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3::lossless
