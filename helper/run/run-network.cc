// SPDX-License-Identifier: GPL-2.0-only
#include "run-network.h"

#include "ns3/attribute-condition.h"
#include "ns3/hpcc-format.h"
#include "ns3/option-text.h"
#include "ns3/roce-nic.h"
#include "ns3/string.h"
#include "ns3/text-lines.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <filesystem>

namespace ns3::lossless
{

namespace
{

/// @return true if the file name has an ending of this format
bool
HasEnding(const FileFormatInfo& format, const std::string& path)
{
    const std::vector<std::string> endings = Split(format.endings, ' ');
    const std::string ending =
        boost::algorithm::to_lower_copy(std::filesystem::path(path).extension().string());
    return !ending.empty() && std::find(endings.begin(), endings.end(), ending) != endings.end();
}

} // namespace

void
FileFormat::AddOption(Experiment& experiment, const std::string& option)
{
    m_option = option;
    experiment.AddValue(option,
                        "Format of the file: " + ListNames(m_formats) +
                            ", or auto, by the ending of its name.",
                        m_name);
}

void
FileFormat::Check(const Experiment& experiment) const
{
    std::string others;
    for (std::size_t i = 0; i + 1 < m_formats.size(); ++i)
    {
        others += ", " + m_formats[i].name;
    }
    experiment.Require(m_name == "auto" || FindByName(m_formats, m_name),
                       "--" + m_option + " is \"" + m_name + "\"; it must be auto" + others +
                           " or " + m_formats.back().name);
}

std::string
FileFormat::Describe() const
{
    std::string text;
    std::string others;
    for (const FileFormatInfo& format : m_formats)
    {
        if (format.endings.empty())
        {
            others = format.what;
            continue;
        }
        text += format.what + " (" + format.endings + "); ";
    }
    return text + "else " + others;
}

std::string
FileFormat::ExplainChoice() const
{
    std::vector<std::string> endings;
    for (const FileFormatInfo& format : m_formats)
    {
        if (!format.endings.empty())
        {
            endings.push_back(format.endings);
        }
    }
    return m_name != "auto"
               ? ""
               : ", since its name has no ending of another format (" +
                     boost::algorithm::join(endings, " ") + ") and --" + m_option + " chooses none";
}

std::string
FileFormat::Get(const std::string& path) const
{
    if (const auto chosen = FindByName(m_formats, m_name))
    {
        return chosen->name;
    }
    const auto byName = std::find_if(m_formats.begin(), m_formats.end(), [&](const auto& format) {
        return HasEnding(format, path);
    });
    const auto other = std::find_if(m_formats.begin(), m_formats.end(), [](const auto& format) {
        return format.endings.empty();
    });
    return byName != m_formats.end() ? byName->name : other->name;
}

void
RunNetwork::AddOptions(Experiment& experiment)
{
    experiment.AddValue("topology",
                        "Network: " + ListNames(GetParts<TopologyInfo>()) +
                            ", or a file: " + m_format.Describe() + ".",
                        m_topology);
    m_format.AddOption(experiment, "topology-format");
    for (const TopologyInfo& part : GetParts<TopologyInfo>())
    {
        for (const auto& [option, attribute] : part.options)
        {
            experiment.AddAttribute(option, attribute);
        }
    }
    experiment.AddAttribute("rate", "RegularTopology::HostRate", Range::Above(0));
    experiment.AddAttribute("fabric-rate", "RegularTopology::FabricRate");
    experiment.AddAttribute("delay", "RegularTopology::Delay", Range{0});
    m_forwarding.AddOption(experiment);
    experiment.AddAttribute("buffer", "SharedBuffer::Size", ByteRange{1});
    m_lossless.AddOption(experiment);
    experiment.OfferPayload(m_payload);
}

std::string
RunNetwork::GetFile() const
{
    return m_part ? "" : m_topology;
}

bool
RunNetwork::IsOfForks() const
{
    return !m_part && m_format.Get(m_topology) == HPCC_FORMAT;
}

void
RunNetwork::Check(Experiment& experiment)
{
    m_lossless.Check(experiment);
    const auto& parts = GetParts<TopologyInfo>();
    const auto chosen = FindByName(parts, m_topology);
    m_topology = chosen ? chosen->name : m_topology;
    m_part = chosen ? experiment.MakePart<TopologyPart>(*chosen) : nullptr;
    m_format.Check(experiment);
    experiment.RequireUse({"topology-format"}, !m_part, "a --topology that is a file");
    experiment.Require(m_part || std::filesystem::exists(m_topology),
                       "--topology is \"" + m_topology + "\"; it must be " + ListNames(parts) +
                           " or a file, and there is no such file");
    experiment.RequireChosen<TopologyInfo>(
        "topology",
        m_part ? m_part->GetInstanceTypeId() : Object::GetTypeId(),
        m_topology,
        "a network of the module's; the links of a file have their own");
    experiment.RequireUse({"fabric-rate"},
                          m_topology != "star",
                          "links between switches, of which a star has none");
    if (m_part)
    {
        RequireConditions(experiment, chosen->options);
        experiment.RequireFit(m_part->Check(), "--topology=" + m_topology + ": ");
    }
}

void
RunNetwork::RequireConditions(const Experiment& experiment, Options options) const
{
    options.emplace_back("fabric-rate", "RegularTopology::FabricRate");
    const auto getName = [&options](const std::string& attribute) {
        const auto found = std::find_if(options.begin(), options.end(), [&](const auto& entry) {
            return boost::algorithm::ends_with(entry.second, "::" + attribute);
        });
        return found == options.end() ? attribute : "--" + found->first;
    };
    for (const auto& [option, attribute] : options)
    {
        const std::size_t split = attribute.rfind("::");
        for (const AttributeCondition& condition :
             FindConditions("ns3::lossless::" + attribute.substr(0, split),
                            attribute.substr(split + 2)))
        {
            const std::string other = Split(condition.other, ':').back();
            StringValue held;
            const bool isHeld = m_part->GetAttributeFailSafe(other, held);
            experiment.Require(
                !experiment.IsGiven(option) || !isHeld || condition.Allows(held.Get()),
                "--" + option + " has no effect, since " + getName(other) + " is " + held.Get());
        }
    }
}

Topology
RunNetwork::MakeTopology(Experiment& experiment) const
{
    FileTopology read;
    if (m_part)
    {
        read.topology = m_part->Make();
    }
    else
    {
        std::ifstream input = OpenText(m_topology);
        const auto format = FindPart<TopologyFormat>(m_format.Get(m_topology));
        experiment.RequireFit(CatchComplaint([&] { read = format->parse(input, m_topology); }));
        read.AbortIfInvalid("--topology=" + m_topology);
        experiment.Warn(read.note);
    }
    m_forwarding.ApplyTo(experiment, read.topology);
    return read.topology;
}

void
RunNetwork::ApplyClasses(const Experiment& experiment, const Fabric& fabric, PrioritySet used) const
{
    m_lossless.Apply(experiment, fabric, used);
}

double
RunNetwork::GetOverheadFactor() const
{
    return RoceNic::GetOverheadFactor(m_payload);
}

} // namespace ns3::lossless
