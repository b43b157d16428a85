// SPDX-License-Identifier: GPL-2.0-only
#include "gpfc-switch-node.h"

#include "gpfc-flow-control.h"

#include "ns3/scheme-registry.h"
#include "ns3/static-buffer-policy.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(GpfcSwitchNode);

const RegisterScheme<GpfcSwitchNode> g_gpfc("G-PFC", [](SchemeInfo& scheme) {
    scheme.position = 150;
    scheme.what = "low-priority classes are stopped first";
    scheme.policy = "Static";
    scheme.takesOtherPolicies = true;
});

TypeId
GpfcSwitchNode::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::GpfcSwitchNode")
                            .SetParent<SwitchNode>()
                            .SetGroupName("Lossless")
                            .AddConstructor<GpfcSwitchNode>();
    return tid;
}

GpfcSwitchNode::GpfcSwitchNode()
{
    SetBufferPolicy(CreateObject<StaticBufferPolicy>());
    SetFlowControl(CreateObject<GpfcFlowControl>());
}

} // namespace ns3::lossless
