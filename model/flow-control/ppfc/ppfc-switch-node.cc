// SPDX-License-Identifier: GPL-2.0-only
#include "ppfc-switch-node.h"

#include "ppfc-flow-control.h"

#include "ns3/static-buffer-policy.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PpfcSwitchNode);

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
