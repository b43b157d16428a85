// SPDX-License-Identifier: GPL-2.0-only
#include "run-parts.h"

#include "run-workload.h"

#include "ns3/make-type-id.h"
#include "ns3/option-text.h"
#include "ns3/quantity-text.h"
#include "ns3/ranks.h"
#include "ns3/simulator.h"

#include <iostream>
#include <set>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(TrafficPart);
NS_OBJECT_ENSURE_REGISTERED(Attachment);

TypeId
TrafficPart::GetTypeId()
{
    static TypeId tid = MakeTypeId<TrafficPart, Object>("TrafficPart");
    return tid;
}

std::optional<std::string>
TrafficPart::Check(const Topology& /* topology */) const
{
    return std::nullopt;
}

int64_t
TrafficPart::AssignStreams(int64_t /* stream */)
{
    return 0;
}

TypeId
Attachment::GetTypeId()
{
    static TypeId tid = MakeTypeId<Attachment, Object>("Attachment");
    return tid;
}

std::optional<std::string>
Attachment::Check(const Topology& /* topology */) const
{
    return std::nullopt;
}

PrioritySet
Attachment::GetClasses(const Topology& /* topology */) const
{
    return 0;
}

std::vector<Time>
Attachment::GetStarts(const Topology& /* topology */) const
{
    return {};
}

void
RunParts::AddFaultOptions(Experiment& experiment)
{
    for (const FaultInfo& fault : GetParts<FaultInfo>())
    {
        experiment.AddAttribute(fault.name, fault.GetAttribute());
    }
}

void
RunParts::AddOptions(Experiment& experiment)
{
    if (!GetParts<TrafficInfo>().empty())
    {
        experiment.AddValue("traffic",
                            "Flows of this program: " + DescribeParts<TrafficInfo>() +
                                "; empty: those of the options.",
                            m_trafficName);
    }
    if (!GetParts<AttachmentInfo>().empty())
    {
        experiment.AddValue("attach",
                            "Parts that act on the network, separated by commas: " +
                                DescribeParts<AttachmentInfo>() + ".",
                            m_attachmentNames);
    }
}

void
RunParts::Make(Experiment& experiment)
{
    if (!m_trafficName.empty())
    {
        m_traffic = experiment.MakePart<TrafficPart>(
            experiment.RequireChoice("traffic", GetParts<TrafficInfo>(), m_trafficName));
        const std::string purpose = "flows of the options; leave it out with --traffic";
        experiment.RequireUse({"flows", "collective"}, false, purpose);
        experiment.RequireUse(RANDOM_FLOW_OPTIONS, false, purpose);
    }
    for (const FaultInfo& fault : GetParts<FaultInfo>())
    {
        if (experiment.IsGiven(fault.name) || experiment.IsGiven(fault.GetAttribute()))
        {
            m_attached.push_back({"--" + fault.name, experiment.MakePart<Attachment>(fault)});
        }
    }
    std::set<std::string> names;
    for (const std::string& name : SplitList(m_attachmentNames))
    {
        const auto part = experiment.RequireChoice("attach", GetParts<AttachmentInfo>(), name);
        experiment.Require(names.insert(part.name).second,
                           "--attach is \"" + m_attachmentNames + "\"; it must name " + part.name +
                               " once");
        m_attached.push_back({"--attach=" + part.name, experiment.MakePart<Attachment>(part)});
    }
}

bool
RunParts::HasTraffic() const
{
    return m_traffic != nullptr;
}

FlowGraph
RunParts::MakeTraffic(const Experiment& experiment, const Topology& topology) const
{
    experiment.RequireFit(m_traffic->Check(topology), "--traffic=" + m_trafficName + ": ");
    m_traffic->AssignStreams(WORKLOAD_STREAM);
    FlowGraph graph = m_traffic->Make(topology);
    experiment.RequireFit(graph.Check(topology), "--traffic=" + m_trafficName + ": ");
    return graph;
}

bool
RunParts::HasAttachments() const
{
    return !m_attached.empty();
}

PrioritySet
RunParts::GetClasses(const Topology& topology) const
{
    PrioritySet classes = 0;
    for (const Attached& attached : m_attached)
    {
        classes |= attached.part->GetClasses(topology);
    }
    return classes;
}

void
RunParts::Check(const Experiment& experiment, const Topology& topology, Time end) const
{
    for (const auto& [origin, part] : m_attached)
    {
        experiment.RequireFit(part->Check(topology), origin + ": ");
        for (const Time& start : part->GetStarts(topology))
        {
            experiment.Require(end.IsZero() || start < end,
                               origin + " has one from " + FormatTime(start) +
                                   " on, but the run ends at " + FormatTime(end));
        }
    }
}

void
RunParts::Attach(Fabric& fabric) const
{
    for (const Attached& attached : m_attached)
    {
        attached.part->Install(fabric);
    }
}

void
RunParts::TellMissed(const Topology& topology) const
{
    for (const auto& [origin, part] : m_attached)
    {
        for (const Time& start : part->GetStarts(topology))
        {
            if (start >= Simulator::Now() && Ranks::IsFirst())
            {
                std::cerr << "What " << origin << " has from " << FormatTime(start)
                          << " on did not begin: the run ended at "
                          << DescribeTime(Simulator::Now()) << "." << std::endl;
            }
        }
    }
}

} // namespace ns3::lossless
