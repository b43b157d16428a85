// SPDX-License-Identifier: GPL-2.0-only
#include "both-queues-flow-control.h"

#include "ns3/count-attribute.h"
#include "ns3/fixed-accessor.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/uinteger.h"

#include <limits>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(BothQueuesFlowControl, PfcFlowControl);
NS_OBJECT_ENSURE_REGISTERED(CapfcBothFlowControl);
LOSSLESS_PLAIN_CLASS(PpfcBothFlowControl, BothQueuesFlowControl);
LOSSLESS_PLAIN_CLASS(CapfcBothSwitchNode, SwitchNode);
LOSSLESS_PLAIN_CLASS(PpfcBothSwitchNode, SwitchNode);

const RegisterScheme<CapfcBothSwitchNode> g_capfcBoth("CaPFC-Both", 105, [](SchemeInfo& scheme) {
    scheme.what = "PFC that stops only neighbours that send to a long egress queue: CaPFC as OFC "
                  "describes it";
    scheme.policy = "Static";
});

const RegisterScheme<PpfcBothSwitchNode> g_ppfcBoth("P-PFC-Both", 135, [](SchemeInfo& scheme) {
    scheme.what = "CaPFC-Both in which long means above the mean: P-PFC as OFC describes it";
    scheme.policy = "Static";
});

void
BothQueuesFlowControl::OnEnqueue(const SwitchItem& item)
{
    PfcFlowControl::OnEnqueue(item);
    const QueueId queue = item.GetIngressQueue();
    if (Contains(Shape().lossless, queue.priority) && !Buffer().GetIngress(queue).paused &&
        PfcFlowControl::Assess(queue) == Demand::PAUSE && IsLong(item.GetEgressQueue()))
    {
        SetStopped(queue, true);
    }
}

ThresholdFlowControl::Demand
BothQueuesFlowControl::Assess(QueueId queue) const
{
    auto levels = Policy().GetThresholds(Buffer(), queue);
    if (levels)
    {
        // Above XOFF, the decision depends on the egress queue, which is known only in OnEnqueue().
        levels->xoff = std::numeric_limits<uint64_t>::max();
    }
    return Compare(GetLength(queue, Buffer().GetIngress(queue).shared), levels);
}

TypeId
CapfcBothFlowControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<CapfcBothFlowControl, BothQueuesFlowControl>("CapfcBothFlowControl")
            .AddAttribute("EgressXoff",
                          "Length, in bytes, from which an egress queue is long (default: OFC's "
                          "XOFF of 75 kB; its paper does not state this value).",
                          UintegerValue(75000),
                          Fixed(MakeUintegerAccessor(&CapfcBothFlowControl::m_egressXoff)),
                          MakeCountChecker());
    return tid;
}

bool
CapfcBothFlowControl::IsLong(QueueId queue) const
{
    return Buffer().GetEgress(queue).bytes >= m_egressXoff;
}

bool
PpfcBothFlowControl::IsLong(QueueId queue) const
{
    return static_cast<double>(Buffer().GetEgress(queue).bytes) >
           Buffer().GetMeanEgress(queue.priority);
}

} // namespace ns3::lossless
