// SPDX-License-Identifier: GPL-2.0-only
#include "fafc-switch-node.h"

#include "fafc-flow-control.h"

#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/sih-buffer-policy.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(FafcSwitchNode);

const RegisterScheme<FafcSwitchNode> g_fafc("FAFC", 120, [](SchemeInfo& scheme) {
    scheme.what = "neighbours filling an egress queue that is about to grow long are paused, each "
                  "for a time that delays other traffic least";
    scheme.policy = "SIH";
    scheme.takesOtherPolicies = true;
});

TypeId
FafcSwitchNode::GetTypeId()
{
    static TypeId tid = MakeTypeId<FafcSwitchNode, SwitchNode>("FafcSwitchNode");
    return tid;
}

FafcSwitchNode::FafcSwitchNode()
    : SwitchNode(CreateObject<SihBufferPolicy>(), CreateObject<FafcFlowControl>())
{
}

} // namespace ns3::lossless
