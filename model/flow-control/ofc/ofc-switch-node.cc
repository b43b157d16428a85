// SPDX-License-Identifier: GPL-2.0-only
#include "ofc-switch-node.h"

#include "ofc-egress-queue.h"
#include "ofc-flow-control.h"

#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/static-buffer-policy.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(OfcSwitchNode);

const RegisterScheme<OfcSwitchNode> g_ofc("OFC", 110, [](SchemeInfo& scheme) {
    scheme.what = "only the flows that cause congestion are stopped";
    scheme.policy = "Static";
    scheme.takesOtherPolicies = true;
    scheme.hasOwnQueues = true;
    scheme.stopsFlows = true;
});

TypeId
OfcSwitchNode::GetTypeId()
{
    static TypeId tid = MakeTypeId<OfcSwitchNode, SwitchNode>("OfcSwitchNode");
    return tid;
}

OfcSwitchNode::OfcSwitchNode()
{
    SetBufferPolicy(CreateObject<StaticBufferPolicy>());
    SetFlowControl(CreateObject<OfcFlowControl>());
}

Ptr<TransmitGate>
OfcSwitchNode::CreateGate(Ptr<LosslessNetDevice> /* device */, std::optional<PortId> port) const
{
    return port ? RequireFlowControl<OfcFlowControl>()->GetGate(*port) : CreateObject<OfcGate>();
}

Ptr<EgressQueue>
OfcSwitchNode::CreateEgressQueue(QueueId queue) const
{
    RequireUsualEgressQueue("OFC");
    auto egress = CreateObject<OfcEgressQueue>();
    egress->Attach(RequireFlowControl<OfcFlowControl>()->GetGate(queue.port), queue.priority);
    return egress;
}

} // namespace ns3::lossless
