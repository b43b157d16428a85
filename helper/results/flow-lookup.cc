// SPDX-License-Identifier: GPL-2.0-only
#include "flow-lookup.h"

#include "ns3/collective-rule.h"
#include "ns3/graph-runner.h"
#include "ns3/lossless-fabric.h"
#include "ns3/source-progress.h"

namespace ns3::lossless
{

const std::string&
FlowLookup::FindLabel(uint64_t id)
{
    static const std::string none;
    if (const GraphRunner* runner = m_fabric->GetGraphRunner())
    {
        const FlowGraph& graph = runner->GetGraph();
        const auto step = runner->FindStep(id);
        const FlowGraph::RuledSteps* ruled = step ? graph.FindRule(*step) : nullptr;
        return ruled ? ruled->rule->GetCompany().group : step ? graph.GetGroup(*step) : none;
    }
    if (const SourceProgress* progress = m_fabric->GetSourceProgress())
    {
        const std::string* label = progress->FindGroup(id);
        return label ? *label : none;
    }
    if (m_labels.empty())
    {
        for (const FlowSpec& flow : m_fabric->GetFlows())
        {
            m_labels[flow.id] = &flow.group;
        }
    }
    const auto found = m_labels.find(id);
    return found == m_labels.end() ? none : *found->second;
}

int64_t
FlowLookup::GetIdeal(const FlowRecord& record)
{
    m_ideals.resize(IDEALS);
    const uint32_t source = record.source.Get();
    const uint32_t destination = record.flow.destination.Get();
    constexpr uint32_t spread = 0x9e3779b1; // factor of Knuth's multiplicative hash
    Ideal& ideal = m_ideals[(source * spread ^ destination) * spread >> 20];
    if (ideal.bytes != record.flow.bytes || ideal.source != source ||
        ideal.destination != destination)
    {
        FlowSpec flow;
        flow.id = record.flow.id;
        flow.source = FindHost(source);
        flow.destination = FindHost(destination);
        flow.bytes = record.flow.bytes;
        ideal = {source, destination, record.flow.bytes, m_fabric->GetIdealFct(flow).GetTimeStep()};
    }
    return ideal.ticks;
}

const std::string&
FlowLookup::GetHostName(Ipv4Address address)
{
    return m_fabric->GetTopology().GetHostName(FindHost(address.Get()));
}

uint32_t
FlowLookup::FindHost(uint32_t address)
{
    if (m_hosts.empty())
    {
        const Topology& topology = m_fabric->GetTopology();
        for (uint32_t host = 0; host < m_fabric->GetNHosts(); ++host)
        {
            const std::size_t ports = topology.GetPorts(topology.GetHosts()[host]).size();
            for (uint32_t port = 0; port < ports; ++port)
            {
                m_hosts[m_fabric->GetAddress(host, port).Get()] = host;
            }
        }
    }
    return m_hosts.at(address);
}

} // namespace ns3::lossless
