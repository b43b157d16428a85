// SPDX-License-Identifier: GPL-2.0-only
#include "gfc-flow-control.h"

#include "gfc-gate.h"
#include "gfc-header.h"

#include "ns3/boolean.h"
#include "ns3/count-attribute.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/uinteger.h"

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessGfcFlowControl");

NS_OBJECT_ENSURE_REGISTERED(GfcFlowControl);
LOSSLESS_PLAIN_CLASS(GfcSwitchNode, SwitchNode);

const RegisterScheme<GfcSwitchNode> g_gfc("GFC", 140, [](SchemeInfo& scheme) {
    scheme.what = "neighbours are slowed down step by step before they are stopped";
    scheme.policy = "Static";
    scheme.takesOtherPolicies = true;
});

TypeId
GfcFlowControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<GfcFlowControl, PfcFlowControl>("GfcFlowControl")
            .AddAttribute(
                "FirstStage",
                "Length of an ingress queue, in bytes, at which its neighbour's rate is first "
                "halved (default: midway between OFC's XON and XOFF; not stated in the paper).",
                UintegerValue(60000),
                Fixed(MakeUintegerAccessor(&GfcFlowControl::m_firstStage)),
                MakeCountChecker(1))
            .AddAttribute(
                "Stages",
                "Maximum number of halvings of the rate (default 6; not stated in the paper).",
                UintegerValue(6),
                Fixed(MakeUintegerAccessor(&GfcFlowControl::m_stages)),
                MakeUintegerChecker<uint8_t>(1, GfcHeader::MAX_STAGE))
            .AddAttribute("FinalStop",
                          "Whether XOFF triggers a PAUSE. Without it, GFC never stops a neighbour "
                          "and cannot deadlock, but loses frames if more arrives at the lowest "
                          "rates than leaves; the OFC paper reports that GFC deadlocks.",
                          BooleanValue(true),
                          Fixed(MakeBooleanAccessor(&GfcFlowControl::m_finalStop)),
                          MakeBooleanChecker());
    return tid;
}

std::optional<std::string>
GfcFlowControl::Configure(const SwitchShape& shape)
{
    m_queues.resize(shape.ports.size() * NUM_PRIORITIES);
    const auto error = PfcFlowControl::Configure(shape);
    return error ? error : CheckBelowXoff("FirstStage", m_firstStage, ALL_PRIORITIES);
}

Ptr<TransmitGate>
GfcFlowControl::CreateGate(PortId /* port */, const LosslessNetDevice& /* device */)
{
    return CreateObject<GfcGate>();
}

Ptr<TransmitGate>
GfcFlowControl::CreateHostGate(const LosslessNetDevice& /* device */) const
{
    return CreateObject<GfcGate>();
}

void
GfcFlowControl::OnArrival(const SwitchItem& item)
{
    PfcFlowControl::OnArrival(item);
    Update(item.GetIngressQueue());
}

void
GfcFlowControl::OnRelease(const SwitchItem& item, Ticks when)
{
    PfcFlowControl::OnRelease(item, when);
    Update(item.GetIngressQueue());
    if (CountsWholeEgressQueues())
    {
        UpdateSlowed();
    }
}

void
GfcFlowControl::OnEnqueue(const SwitchItem& item)
{
    PfcFlowControl::OnEnqueue(item);
    if (CountsWholeEgressQueues())
    {
        Update(item.GetIngressQueue());
    }
}

void
GfcFlowControl::UpdateSlowed()
{
    for (uint16_t port = 0; port < Shape().ports.size(); ++port)
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const QueueId queue{PortId{port}, Priority{p}};
            if (m_queues[Index(queue)].isWatched)
            {
                Update(queue);
            }
        }
    }
}

void
GfcFlowControl::OnLinkUp(PortId port)
{
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_queues[Index(QueueId{port, Priority{p}})].told = 0;
    }
    PfcFlowControl::OnLinkUp(port);
}

uint8_t
GfcFlowControl::FindStage(QueueId queue) const
{
    const auto levels = Policy().GetThresholds(Buffer(), queue);
    if (!levels || !Contains(Shape().lossless, queue.priority))
    {
        return 0;
    }
    const uint64_t length = GetLength(queue, Buffer().GetIngress(queue).GetTotal());
    if (m_firstStage >= levels->xoff)
    {
        // With XOFF at or below "FirstStage", there is no room for stages below XOFF. Without a
        // PAUSE, only the last stage slows the neighbour down.
        return !m_finalStop && length > 0 && length >= levels->xoff ? m_stages : 0;
    }
    const double range = static_cast<double>(levels->xoff - m_firstStage);
    uint8_t stage = 0;
    for (double left = range; stage < m_stages && static_cast<double>(length) >=
                                                      static_cast<double>(levels->xoff) - left;
         left /= 2)
    {
        ++stage;
    }
    return stage;
}

void
GfcFlowControl::Update(QueueId queue)
{
    const uint8_t stage = FindStage(queue);
    Queue& state = m_queues[Index(queue)];
    // While a neighbour is slowed down, every release must be checked, because the neighbour must
    // be notified when it can speed up.
    Watch(state.isWatched, stage > 0);
    if (stage != state.told)
    {
        Services().RequestControl(queue.port);
    }
}

Ptr<Packet>
GfcFlowControl::DoMakeControl(PortId port)
{
    if (Ptr<Packet> pause = PfcFlowControl::DoMakeControl(port))
    {
        return pause;
    }
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        const QueueId queue{port, Priority{p}};
        GfcHeader body;
        body.priority = Priority{p};
        body.stage = FindStage(queue);
        if (body.stage != m_queues[Index(queue)].told)
        {
            NS_LOG_DEBUG(
                "port " << Index(port) << " class " << Index(queue.priority) << " goes from stage "
                        << +m_queues[Index(queue)].told << " to " << +body.stage << ": "
                        << GetLength(queue, Buffer().GetIngress(queue).GetTotal())
                        << " B, FirstStage " << m_firstStage << " B, XOFF "
                        << Policy().GetThresholds(Buffer(), queue).value_or(Thresholds()).xoff
                        << " B");
            m_queues[Index(queue)].told = body.stage;
            return MakeMacControlFrame(Services().GetAddress(port), body);
        }
    }
    return nullptr;
}

ThresholdFlowControl::Demand
GfcFlowControl::Assess(QueueId queue) const
{
    return m_finalStop ? PfcFlowControl::Assess(queue) : Demand::KEEP;
}

} // namespace ns3::lossless
