// SPDX-License-Identifier: GPL-2.0-only
#include "switch-helper.h"

#include "ns3/abort.h"
#include "ns3/attribute-text.h"

namespace ns3::lossless
{

namespace
{

/// Aborts unless a registered part with this base class has the attribute.
/// @param base the base class of the parts
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

SwitchHelper::SwitchHelper(const std::string& type)
    : m_switch(RequireType(type, SwitchNode::GetTypeId()).GetName())
{
}

SwitchHelper::SwitchHelper(const SchemeInfo& scheme)
    : SwitchHelper(scheme.type)
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

int64_t
SwitchHelper::AssignStreams(SwitchNode& node, int64_t stream)
{
    const int64_t used = node.AssignStreams(stream);
    const auto watchdog = node.GetObject<PfcWatchdog>();
    return used + (watchdog ? watchdog->AssignStreams(stream + used) : 0);
}

Ptr<SwitchNode>
SwitchHelper::Create() const
{
    auto node = m_switch.Create<SwitchNode>();
    RequireOwnClass(*node);
    if (!m_policyType.empty())
    {
        node->SetBufferPolicy(ObjectFactory(m_policyType).Create<BufferPolicy>());
        RequireOwnClass(*node->GetBufferPolicy());
    }
    if (!m_forwardingType.empty())
    {
        node->SetForwarding(ObjectFactory(m_forwardingType).Create<Forwarding>());
        RequireOwnClass(*node->GetForwarding());
    }
    if (m_processor)
    {
        node->SetProcessor(m_processor->Create<PacketProcessor>());
    }
    if (m_trimmer)
    {
        node->SetTrimmer(m_trimmer->Create<PacketTrimmer>());
    }
    if (m_watchdog)
    {
        node->AggregateObject(m_watchdog->Create<PfcWatchdog>());
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
