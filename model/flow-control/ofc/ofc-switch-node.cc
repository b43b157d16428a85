// SPDX-License-Identifier: GPL-2.0-only
#include "ofc-switch-node.h"

#include "ofc-egress-queue.h"
#include "ofc-flow-control.h"

#include "ns3/abort.h"
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
});

namespace
{

/// @param node a switch of OFC @return its flow control; another one stops the program
Ptr<OfcFlowControl>
RequireOfc(const SwitchNode& node)
{
    auto ofc = DynamicCast<OfcFlowControl>(node.GetFlowControl());
    NS_ABORT_MSG_IF(!ofc,
                    "OfcSwitchNode: its flow control was replaced; it must be an OfcFlowControl.");
    return ofc;
}

} // namespace

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
    return port ? RequireOfc(*this)->GetGate(*port) : CreateObject<OfcGate>();
}

Ptr<EgressQueue>
OfcSwitchNode::CreateEgressQueue(QueueId queue) const
{
    auto egress = CreateObject<OfcEgressQueue>();
    egress->Attach(RequireOfc(*this)->GetGate(queue.port), queue.priority);
    return egress;
}

} // namespace ns3::lossless
