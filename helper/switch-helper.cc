// SPDX-License-Identifier: GPL-2.0-only
#include "switch-helper.h"

#include "attribute-text.h"
#include "named-choices.h"

#include "ns3/abort.h"

namespace ns3::lossless
{

namespace
{

/// Stops the program unless some part of a kind has an attribute.
/// @param base the kind @param name of the attribute
void
RequireKnownAttribute(TypeId base, const std::string& name)
{
    bool isKnown = false;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN() && !isKnown; ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        TypeId::AttributeInformation info;
        isKnown = type.IsChildOf(base) && type.LookupAttributeByName(name, &info);
    }
    NS_ABORT_MSG_IF(!isKnown,
                    "SwitchHelper: no " << base.GetName() << " has an attribute \"" << name
                                        << "\".");
}

} // namespace

const std::vector<Scheme>&
GetSchemes()
{
    // Those with thresholds and headroom. CaPFC's two memories go with its own switches alone.
    static const std::vector<std::string> fixedFirst{"Static", "SIH", "DSH", "SHP"};
    static const std::vector<std::string> dynamicFirst{"SIH", "DSH", "SHP", "Static"};
    static const std::vector<Scheme> schemes = {
        {"PFC",
         "ns3::lossless::PfcSwitchNode",
         "PFC over the buffer policy of one's choice, SIH's by default",
         dynamicFirst},
        {"SIH",
         "ns3::lossless::PfcSwitchNode",
         "PFC over dynamic thresholds with static headroom per queue",
         {"SIH"},
         "PFC"},
        {"DSH",
         "ns3::lossless::DshSwitchNode",
         "PFC with dynamic and shared headroom (Shan et al.)",
         {"DSH"},
         "PFC"},
        {"SHP",
         "ns3::lossless::ShpSwitchNode",
         "PFC over dynamic thresholds with a shared headroom pool, as deployed",
         {"SHP"},
         "PFC"},
        // What a policy refused would be lost instead of going back; the limits are sub-queues'.
        {"PABO",
         "ns3::lossless::PaboSwitchNode",
         "frames are sent back instead of dropped (Shi et al.)",
         {"Unlimited"},
         "",
         true,
         true},
        {"CaPFC-Max",
         "ns3::lossless::CapfcSwitchNode",
         "PFC that stops who has filled a long egress queue most (CaPFC, Stop-Max)",
         {"CaPFC"}},
        {"CaPFC-Cal",
         "ns3::lossless::CapfcCalibrateSwitchNode",
         "PFC that stops those who have filled most of it (CaPFC, Stop-Calibrate)",
         {"CaPFC"}},
        {"PFC-wdrop",
         "ns3::lossless::PfcWdropSwitchNode",
         "PFC in CaPFC's switch, whose full egress queues lose frames",
         {"CaPFC"}},
        {"PFC-wstop",
         "ns3::lossless::PfcWstopSwitchNode",
         "PFC in CaPFC's switch, whose full egress queues stop all ports",
         {"CaPFC"}},
        {"CaPFC-Static",
         "ns3::lossless::CapfcStaticSwitchNode",
         "CaPFC (Stop-Max) over the buffer policy of one's choice, static thresholds by default",
         fixedFirst},
        {"OFC",
         "ns3::lossless::OfcSwitchNode",
         "single flows are stopped, those that cause a congestion (OFC)",
         fixedFirst,
         "",
         true},
        {"FAFC",
         "ns3::lossless::FafcSwitchNode",
         "who fills a long egress queue pauses, each as long as costs others least (Lu et al.)",
         dynamicFirst},
        {"P-PFC",
         "ns3::lossless::PpfcSwitchNode",
         "PFC, and egress queues that are about to be long stop who fills them",
         fixedFirst},
        {"GFC",
         "ns3::lossless::GfcSwitchNode",
         "PFC which slows neighbours down, step by step, before it stops them",
         fixedFirst},
        {"G-PFC",
         "ns3::lossless::GpfcSwitchNode",
         "PFC which stops classes of little importance first",
         fixedFirst},
        {"DropTail",
         "ns3::lossless::DropTailSwitchNode",
         "no flow control, egress queues drop",
         {"DropTail"}},
        {"Infinite",
         "ns3::lossless::InfiniteBufferSwitchNode",
         "no flow control, buffer without limit",
         {"Unlimited"}},
    };
    return schemes;
}

const std::vector<SwitchPartChoice>&
GetBufferPolicies()
{
    static const std::vector<SwitchPartChoice> policies = {
        {"SIH",
         "ns3::lossless::SihBufferPolicy",
         "dynamic thresholds, static headroom for every queue"},
        {"DSH", "ns3::lossless::DshBufferPolicy", "dynamic and shared headroom (Shan et al.)"},
        {"SHP",
         "ns3::lossless::ShpBufferPolicy",
         "dynamic thresholds, a pool of headroom for all queues"},
        {"Static", "ns3::lossless::StaticBufferPolicy", "fixed XOFF and XON, headroom above"},
        {"CaPFC", "ns3::lossless::CapfcBufferPolicy", "two memories, each divided by queue"},
        {"DropTail", "ns3::lossless::DropTailBufferPolicy", "a limit of each egress queue"},
        {"Unlimited", "ns3::lossless::UnlimitedBufferPolicy", "everything is stored"},
    };
    return policies;
}

const std::vector<SwitchPartChoice>&
GetEgressQueues()
{
    static const std::vector<SwitchPartChoice> queues = {
        {"Fifo", "ns3::lossless::FifoEgressQueue", "in the order of arrival"},
        {"Fair",
         "ns3::lossless::FairEgressQueue",
         "ingress ports share alike, by deficit round robin"},
    };
    return queues;
}

const std::vector<SwitchPartChoice>&
GetRoutings()
{
    static const std::vector<SwitchPartChoice> routings = {
        {"Ecmp", "ns3::lossless::EcmpForwarding", "by flow, by a hash of it"},
        {"Adaptive", "ns3::lossless::AdaptiveForwarding", "by frame, where the queue is shortest"},
    };
    return routings;
}

std::string
ListSchemes()
{
    return ListNames(GetSchemes());
}

std::optional<Scheme>
FindScheme(const std::string& name)
{
    return FindByName(GetSchemes(), name);
}

SwitchHelper::SwitchHelper(const std::string& switchType)
    : m_switch(RequireType(switchType, SwitchNode::GetTypeId()).GetName())
{
}

SwitchHelper::SwitchHelper(const Scheme& scheme)
    : SwitchHelper(scheme.switchType)
{
}

void
SwitchHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_switch.Set(name, value);
}

void
SwitchHelper::SetBufferAttribute(const std::string& name, const AttributeValue& value)
{
    m_bufferAttributes.push_back({name, value.Copy()});
}

void
SwitchHelper::SetPolicyAttribute(const std::string& name, const AttributeValue& value)
{
    m_policyAttributes.push_back({name, value.Copy()});
}

void
SwitchHelper::SetFlowControlAttribute(const std::string& name, const AttributeValue& value)
{
    m_controlAttributes.push_back({name, value.Copy()});
}

void
SwitchHelper::SetForwardingAttribute(const std::string& name, const AttributeValue& value)
{
    m_routeAttributes.push_back({name, value.Copy()});
}

void
SwitchHelper::SetPolicyAttributeIfPresent(const std::string& name, const AttributeValue& value)
{
    RequireKnownAttribute(BufferPolicy::GetTypeId(), name);
    m_policyAttributes.push_back({name, value.Copy(), true});
}

void
SwitchHelper::SetFlowControlAttributeIfPresent(const std::string& name, const AttributeValue& value)
{
    RequireKnownAttribute(FlowControl::GetTypeId(), name);
    m_controlAttributes.push_back({name, value.Copy(), true});
}

void
SwitchHelper::SetForwarding(const std::string& type)
{
    RequireType(type, Forwarding::GetTypeId());
    m_forwardingType = type;
}

void
SwitchHelper::SetBufferPolicy(const std::string& type)
{
    RequireType(type, BufferPolicy::GetTypeId());
    m_policyType = type;
}

Ptr<SwitchNode>
SwitchHelper::Create() const
{
    auto node = m_switch.Create<SwitchNode>();
    if (!m_policyType.empty())
    {
        node->SetBufferPolicy(ObjectFactory(m_policyType).Create<BufferPolicy>());
    }
    if (!m_forwardingType.empty())
    {
        node->SetForwarding(ObjectFactory(m_forwardingType).Create<Forwarding>());
    }
    if (m_processor)
    {
        node->SetProcessor(m_processor->Create<PacketProcessor>());
    }
    const auto apply = [](const Attributes& attributes, Ptr<Object> part) {
        for (const Setting& setting : attributes)
        {
            setting.Apply(part);
        }
    };
    apply(m_bufferAttributes, node->GetSharedBuffer());
    apply(m_policyAttributes, node->GetBufferPolicy());
    apply(m_controlAttributes, node->GetFlowControl());
    apply(m_routeAttributes, node->GetForwarding());
    return node;
}

void
SwitchHelper::Setting::Apply(Ptr<Object> part) const
{
    const TypeId type = part->GetInstanceTypeId();
    TypeId::AttributeInformation info;
    const bool isPresent = type.LookupAttributeByName(name, &info);
    if (isIfPresent && !isPresent)
    {
        return;
    }
    NS_ABORT_MSG_IF(!isPresent, type.GetName() << " has no attribute \"" << name << "\".");
    NS_ABORT_MSG_IF(!part->SetAttributeFailSafe(name, *value),
                    type.GetName()
                        << "::" << name << " is " << value->SerializeToString(info.checker)
                        << "; it must be " << DescribeRange(*info.checker) << ".");
}

} // namespace ns3::lossless
