// SPDX-License-Identifier: GPL-2.0-only
#include "ppfc-switch-node.h"

#include "ppfc-flow-control.h"

#include "ns3/scheme-registry.h"
#include "ns3/static-buffer-policy.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PpfcSwitchNode);

const RegisterScheme<PpfcSwitchNode> g_ppfc("P-PFC", [](SchemeInfo& scheme) {
    scheme.position = 130;
    scheme.what = "egress queues that are about to grow long stop a neighbour that fills them";
    scheme.policy = "Static";
    scheme.takesOtherPolicies = true;
});

TypeId
PpfcSwitchNode::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::PpfcSwitchNode")
                            .SetParent<SwitchNode>()
                            .SetGroupName("Lossless")
                            .AddConstructor<PpfcSwitchNode>();
    return tid;
}

PpfcSwitchNode::PpfcSwitchNode()
{
    SetBufferPolicy(CreateObject<StaticBufferPolicy>());
    SetFlowControl(CreateObject<PpfcFlowControl>());
}

} // namespace ns3::lossless
