// SPDX-License-Identifier: GPL-2.0-only
#include "bfc-switch-node.h"

#include "bfc-flow-control.h"

#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/sih-buffer-policy.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(BfcSwitchNode);

const RegisterScheme<BfcSwitchNode> g_bfc("BFC", 115, [](SchemeInfo& scheme) {
    scheme.what = "flows have queues at each hop, and those in a queue that is long are stopped";
    scheme.policy = "SIH";
    scheme.takesOtherPolicies = true;
    scheme.hasOwnQueues = true;
    scheme.stopsFlows = true;
});

TypeId
BfcSwitchNode::GetTypeId()
{
    static TypeId tid = MakeTypeId<BfcSwitchNode, SwitchNode>("BfcSwitchNode");
    return tid;
}

BfcSwitchNode::BfcSwitchNode()
    : SwitchNode(CreateObject<SihBufferPolicy>(), CreateObject<BfcFlowControl>())
{
}

} // namespace ns3::lossless
