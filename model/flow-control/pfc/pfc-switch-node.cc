// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-switch-node.h"

#include "pfc-flow-control.h"
#include "sih-buffer-policy.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PfcSwitchNode);

TypeId
PfcSwitchNode::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::PfcSwitchNode")
                            .SetParent<SwitchNode>()
                            .SetGroupName("Lossless")
                            .AddConstructor<PfcSwitchNode>();
    return tid;
}

PfcSwitchNode::PfcSwitchNode()
{
    SetBufferPolicy(CreateObject<SihBufferPolicy>());
    SetFlowControl(CreateObject<PfcFlowControl>());
}

} // namespace ns3::lossless
