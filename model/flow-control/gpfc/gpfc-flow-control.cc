// SPDX-License-Identifier: GPL-2.0-only
#include "gpfc-flow-control.h"

#include "ns3/count-attribute.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessGpfcFlowControl");

NS_OBJECT_ENSURE_REGISTERED(GpfcFlowControl);
LOSSLESS_PLAIN_CLASS(GpfcSwitchNode, SwitchNode);

const RegisterScheme<GpfcSwitchNode> g_gpfc("G-PFC", 150, [](SchemeInfo& scheme) {
    scheme.what = "low-priority classes are stopped first";
    scheme.policy = "Static";
    scheme.takesOtherPolicies = true;
});

TypeId
GpfcFlowControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<GpfcFlowControl, PfcFlowControl>("GpfcFlowControl")
            .AddAttribute("LowClasses",
                          "Classes that are stopped first, bit p for class p (default: class 0, in "
                          "which the module's programs send long flows).",
                          UintegerValue(SetOf(Priority{0})),
                          Fixed(MakeUintegerAccessor(&GpfcFlowControl::m_lowClasses)),
                          MakeUintegerChecker<PrioritySet>())
            .AddAttribute(
                "LowXoff",
                "Bytes of its lossless classes above which an ingress port stops LowClasses "
                "(default: 0.8 of OFC's XOFF of 75 kB; not stated in OFC's paper).",
                UintegerValue(60000),
                Fixed(MakeUintegerAccessor(&GpfcFlowControl::m_lowXoff)),
                MakeCountChecker(1));
    return tid;
}

template <typename FUNCTION>
void
GpfcFlowControl::ForEachQueue(PortId port, FUNCTION&& function) const
{
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(Shape().lossless, Priority{p}))
        {
            function(QueueId{port, Priority{p}});
        }
    }
}

std::optional<std::string>
GpfcFlowControl::Configure(const SwitchShape& shape)
{
    const auto error = PfcFlowControl::Configure(shape);
    return error ? error : CheckBelowXoff("LowXoff", m_lowXoff, m_lowClasses);
}

void
GpfcFlowControl::OnArrival(const SwitchItem& item)
{
    if (Contains(Shape().lossless, item.frame.priority))
    {
        ForEachQueue(item.ingress, [this](QueueId queue) { Reassess(queue); });
    }
    PfcFlowControl::OnArrival(item);
}

void
GpfcFlowControl::OnEnqueue(const SwitchItem& item)
{
    PfcFlowControl::OnEnqueue(item);
    if (CountsWholeEgressQueues() && Contains(Shape().lossless, item.frame.priority))
    {
        ForEachQueue(item.ingress, [this](QueueId queue) { Reassess(queue); });
    }
}

void
GpfcFlowControl::OnRelease(const SwitchItem& item, Ticks when)
{
    PfcFlowControl::OnRelease(item, when);
    ForEachQueue(item.ingress, [this](QueueId queue) { NotifyLetGo(queue); });
}

uint64_t
GpfcFlowControl::GetOccupancy(PortId port) const
{
    uint64_t bytes = 0;
    ForEachQueue(port, [&](QueueId queue) {
        bytes += GetLength(queue, Buffer().GetIngress(queue).GetTotal());
    });
    return bytes;
}

ThresholdFlowControl::Demand
GpfcFlowControl::Assess(QueueId queue) const
{
    auto levels = Policy().GetThresholds(Buffer(), queue);
    if (levels && Contains(m_lowClasses, queue.priority))
    {
        levels->xoff = std::min(levels->xoff, m_lowXoff);
        levels->xon = std::min(levels->xon, levels->xoff);
    }
    const uint64_t occupancy = GetOccupancy(queue.port);
    const Demand demand = Compare(occupancy, levels);
    if (IsTurn(queue, demand))
    {
        NS_LOG_DEBUG("port " << Index(queue.port) << " class " << Index(queue.priority)
                             << (demand == Demand::PAUSE ? " is to stop: " : " may go on: ")
                             << occupancy << " B of the port, XOFF " << levels->xoff << " B, XON "
                             << levels->xon << " B");
    }
    return demand;
}

} // namespace ns3::lossless
