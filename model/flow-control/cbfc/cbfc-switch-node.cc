// SPDX-License-Identifier: GPL-2.0-only
#include "cbfc-switch-node.h"

#include "cbfc-buffer-policy.h"
#include "cbfc-flow-control.h"
#include "cbfc-host.h"

#include "ns3/abort.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/node-name.h"
#include "ns3/scheme-registry.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(CbfcSwitchNode);

const RegisterScheme<CbfcSwitchNode> g_cbfc("CBFC", 152, [](SchemeInfo& scheme) {
    scheme.what = "a neighbour sends what it has credits for, as in Ultra Ethernet";
    scheme.policy = "CBFC";
});

namespace
{

/// @param device one end of a link @return the link by which it sends
PortLink
GetLinkFrom(const LosslessNetDevice& device)
{
    const LinkPartner& partner = *device.GetPartner();
    return {device.GetDataRate(),
            partner.delay + partner.jitter,
            std::max<uint32_t>(device.GetMtu(), partner.mtu),
            partner.rate,
            {},
            device.GetOverheadBytes()};
}

/// @param device one end of a link @return the link by which the other end sends
PortLink
GetLinkTo(const LosslessNetDevice& device)
{
    const PortLink from = GetLinkFrom(device);
    return {from.GetSendRate(), from.delay, from.mtu, from.rate, {}, from.overheadBytes};
}

} // namespace

TypeId
CbfcSwitchNode::GetTypeId()
{
    static TypeId tid = MakeTypeId<CbfcSwitchNode, SwitchNode>("CbfcSwitchNode");
    return tid;
}

CbfcSwitchNode::CbfcSwitchNode()
{
    auto flowControl = CreateObject<CbfcFlowControl>();
    auto policy = CreateObject<CbfcBufferPolicy>();
    policy->SetFlowControl(flowControl);
    SetBufferPolicy(policy);
    SetFlowControl(flowControl);
}

void
CbfcSwitchNode::DoInitialize()
{
    if (auto policy = DynamicCast<CbfcBufferPolicy>(GetBufferPolicy()))
    {
        policy->SetFlowControl(
            RequireFlowControl<CbfcFlowControl>()); // either may have been replaced
    }
    SwitchNode::DoInitialize();
}

CbfcSettings
CbfcSwitchNode::GetSettings() const
{
    UintegerValue lossless;
    GetAttribute("LosslessClasses", lossless);
    return RequireFlowControl<CbfcFlowControl>()->GetSettings(
        static_cast<PrioritySet>(lossless.Get()));
}

Ptr<TransmitGate>
CbfcSwitchNode::CreateGate(Ptr<LosslessNetDevice> device, std::optional<PortId> port) const
{
    const PortLink link = GetLinkFrom(*device);
    if (!port)
    {
        auto gate = CreateObject<CbfcGate>();
        const Ptr<CbfcHost> host = device->GetObject<CbfcHost>();
        host->Configure(GetSettings(), GetLinkTo(*device));
        gate->Configure(GetSettings(), link, PeekPointer(host));
        return gate;
    }
    const LinkPartner& partner = *device->GetPartner();
    const Ptr<LosslessNetDevice> peer = device->GetPeer();
    const auto other = DynamicCast<CbfcSwitchNode>(peer ? peer->GetNode() : nullptr);
    NS_ABORT_MSG_IF(!partner.isHost && !other,
                    "switch " << GetNodeName(GetId()) << ": port " << Index(*port) << " leads to "
                              << partner.node
                              << ", which has no CBFC; both ends of a link must have it.");
    return RequireFlowControl<CbfcFlowControl>()->MakeGate(*port,
                                                           other ? other->GetSettings()
                                                                 : GetSettings(),
                                                           link);
}

void
CbfcSwitchNode::PrepareHost(Ptr<LosslessNetDevice> device) const
{
    if (!device->GetObject<CbfcHost>())
    {
        CreateObject<CbfcHost>()->Install(device);
    }
}

} // namespace ns3::lossless
