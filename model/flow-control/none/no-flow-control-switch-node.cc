// SPDX-License-Identifier: GPL-2.0-only
#include "no-flow-control-switch-node.h"

#include "drop-tail-buffer-policy.h"

#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/unlimited-buffer-policy.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(DropTailSwitchNode);
NS_OBJECT_ENSURE_REGISTERED(InfiniteBufferSwitchNode);

const RegisterScheme<DropTailSwitchNode> g_dropTail("DropTail", 160, [](SchemeInfo& scheme) {
    scheme.what = "no flow control, full egress queues drop frames";
    scheme.policy = "DropTail";
    scheme.promise = Promise::NOTHING;
});

const RegisterScheme<InfiniteBufferSwitchNode> g_infinite("Infinite", 170, [](SchemeInfo& scheme) {
    scheme.what = "no flow control, unlimited buffer";
    scheme.promise = Promise::ALL_CLASSES;
});

TypeId
DropTailSwitchNode::GetTypeId()
{
    static TypeId tid = MakeTypeId<DropTailSwitchNode, SwitchNode>("DropTailSwitchNode");
    return tid;
}

DropTailSwitchNode::DropTailSwitchNode()
    : SwitchNode(CreateObject<DropTailBufferPolicy>())
{
}

TypeId
InfiniteBufferSwitchNode::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<InfiniteBufferSwitchNode, SwitchNode>("InfiniteBufferSwitchNode");
    return tid;
}

InfiniteBufferSwitchNode::InfiniteBufferSwitchNode()
    : SwitchNode(CreateObject<UnlimitedBufferPolicy>())
{
}

} // namespace ns3::lossless
