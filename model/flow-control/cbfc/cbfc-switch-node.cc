// SPDX-License-Identifier: GPL-2.0-only
#include "cbfc-switch-node.h"

#include "cbfc-buffer-policy.h"
#include "cbfc-flow-control.h"

#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(CbfcSwitchNode);

const RegisterScheme<CbfcSwitchNode> g_cbfc("CBFC", 152, [](SchemeInfo& scheme) {
    scheme.what = "a neighbour sends what it has credits for, as in Ultra Ethernet";
    scheme.policy = "CBFC";
});

TypeId
CbfcSwitchNode::GetTypeId()
{
    static TypeId tid = MakeTypeId<CbfcSwitchNode, SwitchNode>("CbfcSwitchNode");
    return tid;
}

CbfcSwitchNode::CbfcSwitchNode()
    : SwitchNode(CreateObject<CbfcBufferPolicy>(), CreateObject<CbfcFlowControl>())
{
}

} // namespace ns3::lossless
