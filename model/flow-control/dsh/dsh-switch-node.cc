// SPDX-License-Identifier: GPL-2.0-only
#include "dsh-switch-node.h"

#include "dsh-buffer-policy.h"

#include "ns3/pfc-flow-control.h"
#include "ns3/scheme-registry.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(DshSwitchNode);

const RegisterScheme<DshSwitchNode> g_dsh("DSH", [](SchemeInfo& scheme) {
    scheme.position = 30;
    scheme.what = "PFC at queue and port level, dynamic and shared headroom";
    scheme.policy = "DSH";
    scheme.general = "PFC";
});

TypeId
DshSwitchNode::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::DshSwitchNode")
                            .SetParent<SwitchNode>()
                            .SetGroupName("Lossless")
                            .AddConstructor<DshSwitchNode>();
    return tid;
}

DshSwitchNode::DshSwitchNode()
{
    SetBufferPolicy(CreateObject<DshBufferPolicy>());
    SetFlowControl(CreateObject<PfcFlowControl>());
}

} // namespace ns3::lossless
