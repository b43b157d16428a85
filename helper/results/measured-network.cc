// SPDX-License-Identifier: GPL-2.0-only
#include "measured-network.h"

#include "ns3/abort.h"
#include "ns3/attribute-survey.h"
#include "ns3/congestion-control-info.h"
#include "ns3/flow-recorder.h"
#include "ns3/lossless-channel.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/node-list.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/ranks.h"
#include "ns3/record-archive.h"
#include "ns3/roce-nic.h"
#include "ns3/scheme-registry.h"
#include "ns3/switch-node.h"

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <boost/range/adaptor/map.hpp>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(MeasuredNetwork);

const RegisterRecorder<MeasuredNetwork> g_network("network", 1);

TypeId
MeasuredNetwork::GetTypeId()
{
    static TypeId tid = MakeTypeId<MeasuredNetwork, Recorder>("MeasuredNetwork");
    return tid;
}

void
MeasuredNetwork::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    m_nodes.emplace(name, node);
    m_switches.push_back(node);
}

void
MeasuredNetwork::WatchHost(const std::string& name, Ptr<Node> node)
{
    m_nodes.emplace(name, node);
}

void
MeasuredNetwork::WatchNic(const WatchedNic& nic)
{
    m_nics.push_back(nic.nic);
}

bool
MeasuredNetwork::IsEmpty() const
{
    return m_nodes.empty() && m_nics.empty();
}

void
MeasuredNetwork::Conclude()
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

bool
MeasuredNetwork::HasOtherNics() const
{
    return std::any_of(m_nics.begin(), m_nics.end(), [](const Ptr<Object>& nic) {
        return !DynamicCast<RoceNic>(nic);
    });
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
    for (const Ptr<SwitchNode>& node : m_switches)
    {
        hops += Ranks::IsOwn(*node) ? node->GetCounts().sent : 0;
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

ResultFacts
MeasuredNetwork::GetFacts() const
{
    const auto controls = GetControls();
    const auto names = controls | boost::adaptors::map_keys;
    return {{"/congestion_control", boost::algorithm::join(names, ", ")},
            {"/packet_hops", CountPacketHops()}};
}

void
MeasuredNetwork::Judge(RunVerdict& verdict) const
{
    verdict.hasNetwork = !IsEmpty();
    verdict.packetHops = CountPacketHops();
}

std::map<std::string, ObjectFactory>
MeasuredNetwork::GetControls() const
{
    std::map<std::string, ObjectFactory> controls;
    for (const Ptr<Object>& nic : m_nics)
    {
        ObjectFactoryValue factory;
        if (nic->GetAttributeFailSafe("CongestionControl", factory))
        {
            controls.emplace(GetPartName<CongestionControlInfo>(factory.Get().GetTypeId()),
                             factory.Get());
        }
    }
    return controls;
}

std::string
MeasuredNetwork::DescribeSchemes(const std::string& label) const
{
    const auto chosen = FindPart<SchemeInfo>(label);
    std::set<std::string> names;
    for (const Ptr<SwitchNode>& node : m_switches)
    {
        const TypeId type = node->GetInstanceTypeId();
        const bool isChosen = chosen && chosen->type == type.GetName();
        names.insert(isChosen ? chosen->name : GetPartName<SchemeInfo>(type));
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
