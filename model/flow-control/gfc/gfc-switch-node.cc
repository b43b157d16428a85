// SPDX-License-Identifier: GPL-2.0-only
#include "gfc-switch-node.h"

#include "gfc-flow-control.h"
#include "gfc-gate.h"

#include "ns3/scheme-registry.h"
#include "ns3/static-buffer-policy.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(GfcSwitchNode);

const RegisterScheme<GfcSwitchNode> g_gfc("GFC", 140, [](SchemeInfo& scheme) {
    scheme.what = "neighbours are slowed down step by step before they are stopped";
    scheme.policy = "Static";
    scheme.takesOtherPolicies = true;
});

TypeId
GfcSwitchNode::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::GfcSwitchNode")
                            .SetParent<SwitchNode>()
                            .SetGroupName("Lossless")
                            .AddConstructor<GfcSwitchNode>();
    return tid;
}

GfcSwitchNode::GfcSwitchNode()
{
    SetBufferPolicy(CreateObject<StaticBufferPolicy>());
    SetFlowControl(CreateObject<GfcFlowControl>());
}

Ptr<TransmitGate>
GfcSwitchNode::CreateGate(std::optional<PortId> /* port */) const
{
    return CreateObject<GfcGate>();
}

} // namespace ns3::lossless
