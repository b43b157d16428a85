// SPDX-License-Identifier: GPL-2.0-only
#include "measured-network.h"

#include "ns3/abort.h"
#include "ns3/attribute-survey.h"
#include "ns3/boolean.h"
#include "ns3/congestion-control-info.h"
#include "ns3/congestion-control.h"
#include "ns3/ecn-marker.h"
#include "ns3/flow-recorder.h"
#include "ns3/go-back-n.h"
#include "ns3/headroom-buffer-policy.h"
#include "ns3/lossless-channel.h"
#include "ns3/lossless-net-device.h"
#include "ns3/node-list.h"
#include "ns3/object-factory.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/ranks.h"
#include "ns3/record-archive.h"
#include "ns3/reliability.h"
#include "ns3/roce-nic.h"
#include "ns3/scheme-registry.h"
#include "ns3/switch-node.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <set>

namespace ns3::lossless
{

void
MeasuredNetwork::AddNode(const std::string& name, Ptr<Node> node)
{
    NS_ABORT_MSG_IF(name.empty() || name.find_first_of(",\"\r\n") != std::string::npos,
                    "ResultsWriter: a node is called \""
                        << name << "\"; a name must not be empty and holds no comma, quote or "
                        << "line break.");
    NS_ABORT_MSG_IF(!m_nodes.emplace(name, node).second,
                    "ResultsWriter: two nodes are called \"" << name << "\".");
    m_names.emplace(PeekPointer(node), name);
}

std::string
MeasuredNetwork::GetName(const Node& node) const
{
    const auto found = m_names.find(&node);
    return found == m_names.end() ? "" : found->second;
}

bool
MeasuredNetwork::IsAdaptive() const
{
    return std::any_of(m_nodes.begin(), m_nodes.end(), [](const auto& entry) {
        auto node = DynamicCast<SwitchNode>(entry.second);
        return node && !node->GetForwarding()->KeepsPath();
    });
}

std::string
MeasuredNetwork::FindControlByMarks() const
{
    for (const std::string& name : GetControls())
    {
        const auto control = FindPart<CongestionControlInfo>(name);
        if (control && !control->marker.empty())
        {
            return name;
        }
    }
    return "";
}

bool
MeasuredNetwork::HasMarker() const
{
    return std::any_of(m_nodes.begin(), m_nodes.end(), [](const auto& entry) {
        ObjectFactoryValue marker;
        return entry.second->GetAttributeFailSafe("Marker", marker) &&
               marker.Get().GetTypeId() != EcnMarker::GetTypeId();
    });
}

bool
MeasuredNetwork::IsEcnCapable() const
{
    return m_nics.empty() || std::any_of(m_nics.begin(), m_nics.end(), [](const auto& nic) {
               BooleanValue isCapable(true);
               nic->GetAttributeFailSafe("EcnCapable", isCapable);
               return isCapable.Get();
           });
}

std::string
MeasuredNetwork::FindControlByTelemetry() const
{
    const auto controls = GetControls();
    const auto found = std::find_if(controls.begin(), controls.end(), [](const std::string& name) {
        const auto control = FindPart<CongestionControlInfo>(name);
        return control &&
               ObjectFactory(control->type).Create<CongestionControl>()->GetFeedback().telemetry;
    });
    return found == controls.end() ? "" : *found;
}

IdleHeadroom
MeasuredNetwork::FindIdleHeadroom(PrioritySet used) const
{
    IdleHeadroom most;
    for (const auto& [name, node] : m_nodes)
    {
        const auto device = DynamicCast<SwitchNode>(node);
        const auto policy =
            device ? DynamicCast<HeadroomBufferPolicy>(device->GetBufferPolicy()) : nullptr;
        const SwitchShape shape = policy ? device->GetShape() : SwitchShape();
        const auto idle = static_cast<PrioritySet>(shape.lossless & ~used);
        if (idle == 0)
        {
            continue;
        }
        SwitchShape idleShape = shape;
        idleShape.lossless = idle;
        const uint64_t bytes =
            policy->GetReservedHeadroom() * idleShape.CountLossless() / shape.CountLossless();
        most = bytes > most.bytes ? IdleHeadroom{idle, bytes, shape.bufferBytes} : most;
    }
    return most;
}

uint64_t
MeasuredNetwork::FindAckInterval() const
{
    uint64_t most = 0;
    for (const Ptr<Object>& nic : m_nics)
    {
        UintegerValue interval;
        if (nic->GetAttributeFailSafe("AckInterval", interval))
        {
            most = std::max(most, interval.Get());
        }
    }
    return most;
}

bool
MeasuredNetwork::HasTelemetry() const
{
    bool hasSwitch = false;
    for (const auto& [name, node] : m_nodes)
    {
        BooleanValue telemetry;
        if (node->GetAttributeFailSafe("Telemetry", telemetry))
        {
            if (telemetry.Get())
            {
                return true;
            }
            hasSwitch = true;
        }
    }
    return !hasSwitch;
}

void
MeasuredNetwork::AddNic(Ptr<Object> nic)
{
    m_nics.push_back(nic);
}

bool
MeasuredNetwork::IsEmpty() const
{
    return m_nodes.empty() && m_nics.empty();
}

void
MeasuredNetwork::RequireSimulation() const
{
    for (const auto& [name, node] : m_nodes)
    {
        const uint32_t id = node->GetId();
        NS_ABORT_MSG_IF(id >= NodeList::GetNNodes() || NodeList::GetNode(id) != node,
                        "ResultsWriter: the simulation of "
                            << name
                            << " is destroyed already; results are finished once, and before "
                               "Simulator::Destroy(), which Experiment::Finish() calls.");
    }
}

uint64_t
MeasuredNetwork::CountPacketHops() const
{
    return CountOwnHops() + m_foreignHops;
}

void
MeasuredNetwork::Save(std::ostream& os) const
{
    SaveParts(os, CountOwnHops());
}

void
MeasuredNetwork::Merge(std::istream& is, uint32_t /* rank */)
{
    uint64_t hops = 0;
    LoadParts(is, hops);
    m_foreignHops += hops;
}

uint64_t
MeasuredNetwork::CountOwnHops() const
{
    uint64_t hops = 0;
    for (const auto& [name, node] : m_nodes)
    {
        auto switchNode = DynamicCast<SwitchNode>(node);
        hops += switchNode && Ranks::IsOwn(*node) ? switchNode->GetCounts().sent : 0;
    }
    for (const Ptr<Object>& nic : m_nics)
    {
        auto roce = DynamicCast<RoceNic>(nic);
        if (roce && !IsOfOtherRank(*roce))
        {
            const RoceNic::Counts& counts = roce->GetCounts();
            hops += counts.dataSent + counts.acksSent + counts.naksSent + counts.cnpsSent;
        }
    }
    return hops;
}

std::string
MeasuredNetwork::FindReliability() const
{
    for (const Ptr<Object>& nic : m_nics)
    {
        ObjectFactoryValue factory;
        if (nic->GetAttributeFailSafe("Reliability", factory) &&
            factory.Get().GetTypeId() != GoBackN::GetTypeId())
        {
            return GetPartName<ReliabilityInfo>(factory.Get().GetTypeId());
        }
    }
    return "";
}

std::string
MeasuredNetwork::DescribeCongestionControl() const
{
    return boost::algorithm::join(GetControls(), ", ");
}

std::set<std::string>
MeasuredNetwork::GetControls() const
{
    std::set<std::string> names;
    for (const Ptr<Object>& nic : m_nics)
    {
        ObjectFactoryValue factory;
        if (nic->GetAttributeFailSafe("CongestionControl", factory))
        {
            names.insert(GetPartName<CongestionControlInfo>(factory.Get().GetTypeId()));
        }
    }
    return names;
}

std::string
MeasuredNetwork::DescribeSchemes(const std::string& label) const
{
    const auto chosen = FindPart<SchemeInfo>(label);
    std::set<std::string> names;
    for (const auto& [name, node] : m_nodes)
    {
        if (DynamicCast<SwitchNode>(node))
        {
            const TypeId type = node->GetInstanceTypeId();
            const bool isChosen = chosen && chosen->type == type.GetName();
            names.insert(isChosen ? chosen->name : GetPartName<SchemeInfo>(type));
        }
    }
    const bool isOwnLabel = !label.empty() && !chosen;
    return isOwnLabel || names.empty() ? label : boost::algorithm::join(names, ", ");
}

void
MeasuredNetwork::AddTo(AttributeSurvey& survey) const
{
    for (const auto& [name, node] : m_nodes)
    {
        survey.AddObject(DynamicCast<SwitchNode>(node));
        survey.AddObject(node->GetObject<PfcWatchdog>());
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            if (auto device = DynamicCast<LosslessNetDevice>(node->GetDevice(i)))
            {
                survey.AddObject(device);
                survey.AddObject(device->GetChannel());
            }
        }
    }
    for (const Ptr<Object>& nic : m_nics)
    {
        survey.AddObject(nic);
    }
}

} // namespace ns3::lossless
