// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-switch-node.h"

#include "pfc-flow-control.h"
#include "sih-buffer-policy.h"

#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PfcSwitchNode);

const RegisterScheme<PfcSwitchNode> g_pfc("PFC", 10, [](SchemeInfo& scheme) {
    scheme.what = "PFC over the policy of --buffer-policy, SIH's by default";
    scheme.policy = "SIH";
    scheme.takesOtherPolicies = true;
});

const RegisterScheme<PfcSwitchNode> g_sih("SIH", 20, [](SchemeInfo& scheme) {
    scheme.what = "PFC over dynamic thresholds, static headroom for every queue";
    scheme.policy = "SIH";
    scheme.general = "PFC";
});

TypeId
PfcSwitchNode::GetTypeId()
{
    static TypeId tid = MakeTypeId<PfcSwitchNode, SwitchNode>("PfcSwitchNode");
    return tid;
}

PfcSwitchNode::PfcSwitchNode()
    : SwitchNode(CreateObject<SihBufferPolicy>(), CreateObject<PfcFlowControl>())
{
}

} // namespace ns3::lossless
