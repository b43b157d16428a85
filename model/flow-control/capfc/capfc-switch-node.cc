// SPDX-License-Identifier: GPL-2.0-only
#include "capfc-switch-node.h"

#include "capfc-buffer-policy.h"
#include "capfc-flow-control.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/static-buffer-policy.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(CapfcSwitchNode, SwitchNode);
LOSSLESS_PLAIN_CLASS(CapfcCalibrateSwitchNode, CapfcSwitchNode);
LOSSLESS_PLAIN_CLASS(CapfcStaticSwitchNode, SwitchNode);
LOSSLESS_PLAIN_CLASS(PfcWdropSwitchNode, CapfcSwitchNode);
LOSSLESS_PLAIN_CLASS(PfcWstopSwitchNode, CapfcSwitchNode);

const RegisterScheme<CapfcSwitchNode> g_capfcMax("CaPFC-Max", 60, [](SchemeInfo& scheme) {
    scheme.what = "long egress queues stop the neighbours that fill them";
    scheme.policy = "CaPFC";
    scheme.promise = Promise::NOTHING;
});

const RegisterScheme<CapfcCalibrateSwitchNode> g_capfcCal("CaPFC-Cal", 70, [](SchemeInfo& scheme) {
    scheme.what = "CaPFC-Max with another selection of neighbours";
    scheme.policy = "CaPFC";
    scheme.promise = Promise::NOTHING;
});

const RegisterScheme<PfcWdropSwitchNode> g_pfcWdrop("PFC-wdrop", 80, [](SchemeInfo& scheme) {
    scheme.what = "PFC in CaPFC's switch, whose full egress queues drop frames";
    scheme.policy = "CaPFC";
    scheme.promise = Promise::NOTHING;
});

const RegisterScheme<PfcWstopSwitchNode> g_pfcWstop("PFC-wstop", 90, [](SchemeInfo& scheme) {
    scheme.what = "PFC in CaPFC's switch, whose full egress queues block all ports";
    scheme.policy = "CaPFC";
    scheme.mayLock = true;
});

const RegisterScheme<CapfcStaticSwitchNode> g_capfcStatic(
    "CaPFC-Static",
    100,
    [](SchemeInfo& scheme) {
        scheme.what = "CaPFC-Max with static thresholds";
        scheme.policy = "Static";
        scheme.takesOtherPolicies = true;
    });

CapfcSwitchNode::CapfcSwitchNode()
    : CapfcSwitchNode("Max", false)
{
}

CapfcSwitchNode::CapfcSwitchNode(const std::string& contributors, bool waits)
    : SwitchNode(
          CreateObjectWithAttributes<CapfcBufferPolicy>("WaitForEgress", BooleanValue(waits)),
          CreateObjectWithAttributes<CapfcFlowControl>("Contributors", StringValue(contributors)),
          CreateObjectWithAttributes<SharedProcessor>("Rate",
                                                      DoubleValue(1e6),
                                                      "Latency",
                                                      TimeValue(MicroSeconds(25))))
{
}

CapfcCalibrateSwitchNode::CapfcCalibrateSwitchNode()
    : CapfcSwitchNode("Calibrate", false)
{
}

CapfcStaticSwitchNode::CapfcStaticSwitchNode()
    : SwitchNode(CreateObject<StaticBufferPolicy>(),
                 CreateObjectWithAttributes<CapfcFlowControl>("Warn",
                                                              UintegerValue(45000),
                                                              "Xoff",
                                                              UintegerValue(75000),
                                                              "Xon",
                                                              UintegerValue(45000)))
{
}

PfcWdropSwitchNode::PfcWdropSwitchNode()
    : CapfcSwitchNode("None", false)
{
}

PfcWstopSwitchNode::PfcWstopSwitchNode()
    : CapfcSwitchNode("None", true)
{
}

} // namespace ns3::lossless
