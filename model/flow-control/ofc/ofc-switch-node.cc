// SPDX-License-Identifier: GPL-2.0-only
#include "ofc-switch-node.h"

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
    : SwitchNode(CreateObject<StaticBufferPolicy>(), CreateObject<OfcFlowControl>())
{
}

} // namespace ns3::lossless
