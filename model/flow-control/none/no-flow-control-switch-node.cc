// SPDX-License-Identifier: GPL-2.0-only
#include "no-flow-control-switch-node.h"

#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(DropTailSwitchNode, SwitchNode);
LOSSLESS_PLAIN_CLASS(InfiniteBufferSwitchNode, SwitchNode);

const RegisterScheme<DropTailSwitchNode> g_dropTail("DropTail", 160, [](SchemeInfo& scheme) {
    scheme.what = "no flow control, full egress queues drop frames";
    scheme.policy = "DropTail";
    scheme.promise = Promise::NOTHING;
});

const RegisterScheme<InfiniteBufferSwitchNode> g_infinite("Infinite", 170, [](SchemeInfo& scheme) {
    scheme.what = "no flow control, unlimited buffer";
    scheme.promise = Promise::ALL_CLASSES;
});

} // namespace ns3::lossless
