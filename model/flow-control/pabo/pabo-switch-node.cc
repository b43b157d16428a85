// SPDX-License-Identifier: GPL-2.0-only
#include "pabo-switch-node.h"

#include "pabo-flow-control.h"

#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/unlimited-buffer-policy.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PaboSwitchNode);

const RegisterScheme<PaboSwitchNode> g_pabo("PABO", 50, [](SchemeInfo& scheme) {
    scheme.what = "frames are sent back to their previous hop instead of being dropped";
    scheme.hasOwnQueues = true;
    scheme.needsOnePath = true;
    scheme.keepsOrder = false;
    scheme.promise = Promise::NOTHING;
});

TypeId
PaboSwitchNode::GetTypeId()
{
    static TypeId tid = MakeTypeId<PaboSwitchNode, SwitchNode>("PaboSwitchNode");
    return tid;
}

PaboSwitchNode::PaboSwitchNode()
    : SwitchNode(CreateObject<UnlimitedBufferPolicy>(), CreateObject<PaboFlowControl>())
{
}

} // namespace ns3::lossless
