// SPDX-License-Identifier: GPL-2.0-only
#include "infinite-buffer-switch-node.h"

#include "ns3/unlimited-buffer-policy.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(InfiniteBufferSwitchNode);

TypeId
InfiniteBufferSwitchNode::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::InfiniteBufferSwitchNode")
                            .SetParent<SwitchNode>()
                            .SetGroupName("Lossless")
                            .AddConstructor<InfiniteBufferSwitchNode>();
    return tid;
}

InfiniteBufferSwitchNode::InfiniteBufferSwitchNode()
{
    SetBufferPolicy(CreateObject<UnlimitedBufferPolicy>());
}

} // namespace ns3::lossless
