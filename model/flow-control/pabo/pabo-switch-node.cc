// SPDX-License-Identifier: GPL-2.0-only
#include "pabo-switch-node.h"

#include "pabo-flow-control.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PaboSwitchNode);

TypeId
PaboSwitchNode::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::PaboSwitchNode")
                            .SetParent<SwitchNode>()
                            .SetGroupName("Lossless")
                            .AddConstructor<PaboSwitchNode>();
    return tid;
}

PaboSwitchNode::PaboSwitchNode()
{
    SetFlowControl(CreateObject<PaboFlowControl>());
}

} // namespace ns3::lossless
