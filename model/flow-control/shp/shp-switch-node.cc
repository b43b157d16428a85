// SPDX-License-Identifier: GPL-2.0-only
#include "shp-switch-node.h"

#include "shp-buffer-policy.h"

#include "ns3/pfc-flow-control.h"
#include "ns3/scheme-registry.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(ShpSwitchNode);

const RegisterScheme<ShpSwitchNode> g_shp("SHP", [](SchemeInfo& scheme) {
    scheme.position = 40;
    scheme.what =
        "PFC over dynamic thresholds, headroom of all queues from one pool, as in SONiC switches";
    scheme.policy = "SHP";
    scheme.general = "PFC";
});

TypeId
ShpSwitchNode::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::ShpSwitchNode")
                            .SetParent<SwitchNode>()
                            .SetGroupName("Lossless")
                            .AddConstructor<ShpSwitchNode>();
    return tid;
}

ShpSwitchNode::ShpSwitchNode()
{
    SetBufferPolicy(CreateObject<ShpBufferPolicy>());
    SetFlowControl(CreateObject<PfcFlowControl>());
}

} // namespace ns3::lossless
