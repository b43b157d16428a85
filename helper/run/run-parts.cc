// SPDX-License-Identifier: GPL-2.0-only
#include "run-parts.h"

#include "run-workload.h"

#include "ns3/make-type-id.h"
#include "ns3/object-factory.h"
#include "ns3/text-lines.h"

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

void
RunParts::AddOptions(Experiment& experiment)
{
    if (!GetParts<TrafficInfo>().empty())
    {
        experiment.AddValue("traffic",
                            "Flows of this program's own: " + DescribeParts<TrafficInfo>() +
                                "; empty: those of the options.",
                            m_trafficName);
    }
    if (!GetParts<AttachmentInfo>().empty())
    {
        experiment.AddValue("attach",
                            "What acts on the network, separated by commas: " +
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
    if (m_attachmentNames.empty())
    {
        return;
    }
    std::set<std::string> names;
    for (const std::string& name : Split(m_attachmentNames, ','))
    {
        const auto part = experiment.RequireChoice("attach", GetParts<AttachmentInfo>(), name);
        experiment.Require(names.insert(part.name).second,
                           "--attach is \"" + m_attachmentNames + "\"; it must name " + part.name +
                               " once");
        m_attached.push_back(experiment.MakePart<Attachment>(part));
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

void
RunParts::Attach(const Experiment& experiment, Fabric& fabric) const
{
    for (const Ptr<Attachment>& part : m_attached)
    {
        experiment.RequireFit(part->Check(fabric.GetTopology()),
                              "--attach=" + GetPartName<AttachmentInfo>(part->GetInstanceTypeId()) +
                                  ": ");
        part->Install(fabric);
    }
}

} // namespace ns3::lossless
