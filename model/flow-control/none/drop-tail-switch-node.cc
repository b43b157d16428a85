// SPDX-License-Identifier: GPL-2.0-only
#include "drop-tail-switch-node.h"

#include "drop-tail-buffer-policy.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(DropTailSwitchNode);

TypeId
DropTailSwitchNode::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::DropTailSwitchNode")
                            .SetParent<SwitchNode>()
                            .SetGroupName("Lossless")
                            .AddConstructor<DropTailSwitchNode>();
    return tid;
}

DropTailSwitchNode::DropTailSwitchNode()
{
    SetBufferPolicy(CreateObject<DropTailBufferPolicy>());
}

} // namespace ns3::lossless
