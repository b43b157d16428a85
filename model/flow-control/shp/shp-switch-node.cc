// SPDX-License-Identifier: GPL-2.0-only
#include "shp-switch-node.h"

#include "shp-buffer-policy.h"

#include "ns3/pfc-flow-control.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(ShpSwitchNode);

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
