// SPDX-License-Identifier: GPL-2.0-only
#include "switch-helper.h"

#include "named-choices.h"

namespace ns3::lossless
{

const std::vector<Scheme>&
GetSchemes()
{
    static const std::vector<Scheme> schemes = {
        {"SIH",
         "ns3::lossless::PfcSwitchNode",
         "PFC over dynamic thresholds with static headroom per queue"},
        {"DSH",
         "ns3::lossless::DshSwitchNode",
         "PFC with dynamic and shared headroom (Shan et al.)"},
        {"PABO",
         "ns3::lossless::PaboSwitchNode",
         "frames are sent back instead of dropped (Shi et al.)"},
        {"DropTail", "ns3::lossless::DropTailSwitchNode", "no flow control, egress queues drop"},
        {"Infinite",
         "ns3::lossless::InfiniteBufferSwitchNode",
         "no flow control, buffer without limit"},
    };
    return schemes;
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

void
SwitchHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_switch.Set(name, value);
}

void
SwitchHelper::SetBufferAttribute(const std::string& name, const AttributeValue& value)
{
    m_bufferAttributes.emplace_back(name, value.Copy());
}

void
SwitchHelper::SetPolicyAttribute(const std::string& name, const AttributeValue& value)
{
    m_policyAttributes.emplace_back(name, value.Copy());
}

void
SwitchHelper::SetFlowControlAttribute(const std::string& name, const AttributeValue& value)
{
    m_controlAttributes.emplace_back(name, value.Copy());
}

void
SwitchHelper::SetForwardingAttribute(const std::string& name, const AttributeValue& value)
{
    m_routeAttributes.emplace_back(name, value.Copy());
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
        for (const auto& [name, value] : attributes)
        {
            part->SetAttribute(name, *value);
        }
    };
    apply(m_bufferAttributes, node->GetSharedBuffer());
    apply(m_policyAttributes, node->GetBufferPolicy());
    apply(m_controlAttributes, node->GetFlowControl());
    apply(m_routeAttributes, node->GetForwarding());
    return node;
}

} // namespace ns3::lossless
