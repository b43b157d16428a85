// SPDX-License-Identifier: GPL-2.0-only
#include "run-network.h"

#include "ns3/flow-control.h"
#include "ns3/hpcc-format.h"
#include "ns3/option-text.h"
#include "ns3/quantity-text.h"
#include "ns3/roce-nic.h"
#include "ns3/switch-node.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace ns3::lossless
{

std::vector<uint8_t>
ReadClasses(const Experiment& experiment, const std::string& text, const std::string& option)
{
    std::vector<uint8_t> classes;
    for (const std::string& part : Split(text, ','))
    {
        const auto number = ParseWhole(part);
        experiment.Require(number && *number < NUM_PRIORITIES,
                           "--" + option + " is \"" + text +
                               "\"; it must be classes from 0 to 7, separated by commas, as 0,1,2");
        classes.push_back(static_cast<uint8_t>(*number));
    }
    return classes;
}

void
FileFormat::AddOption(Experiment& experiment, const std::string& option, bool isOfFlows)
{
    m_option = option;
    m_formats = {"csv", "hpcc"};
    if (isOfFlows)
    {
        m_formats.insert(m_formats.end(), {"cm", "goal", "chakra"});
    }
    experiment.AddValue(
        option,
        "Format of that file: csv, hpcc (of the HPCC simulator and its forks)" +
            std::string(isOfFlows ? ", cm (htsim's connection matrix), goal, chakra" : "") +
            ", or auto, by the ending of its name.",
        m_name);
}

void
FileFormat::Check(const Experiment& experiment) const
{
    const bool isKnown = m_name == "auto" ||
                         std::find(m_formats.begin(), m_formats.end(), m_name) != m_formats.end();
    std::string others;
    for (std::size_t i = 0; i + 1 < m_formats.size(); ++i)
    {
        others += ", " + m_formats[i];
    }
    experiment.Require(isKnown,
                       "--" + m_option + " is \"" + m_name + "\"; it must be auto" + others +
                           " or " + m_formats.back());
}

std::string
FileFormat::Get(const std::string& path) const
{
    if (m_name != "auto")
    {
        return m_name;
    }
    const std::string ending = std::filesystem::path(path).extension();
    const std::string format =
        ending == ".et" ? "chakra" : ending.substr(std::min<std::size_t>(1, ending.size()));
    const bool isKnown = std::find(m_formats.begin(), m_formats.end(), format) != m_formats.end();
    return isKnown ? format : "hpcc";
}

void
RunNetwork::AddOptions(Experiment& experiment)
{
    experiment.AddValue("topology",
                        "Network: " + ListNames(GetParts<TopologyInfo>()) +
                            ", or a file, as topology.csv if its name ends in .csv, else in the "
                            "format of the HPCC simulator and its forks.",
                        m_topology);
    m_format.AddOption(experiment, "topology-format", false);
    experiment.AddAttribute("hosts", "StarTopology::Hosts");
    experiment.AddAttribute("left", "DumbbellTopology::Left");
    experiment.AddAttribute("right", "DumbbellTopology::Right");
    experiment.AddAttribute("leaves", "LeafSpineTopology::Leaves");
    experiment.AddAttribute("spines", "LeafSpineTopology::Spines");
    experiment.AddAttribute("hosts-per-leaf", "LeafSpineTopology::HostsPerLeaf");
    experiment.AddAttribute("k", "FatTreeTopology::K");
    experiment.AddAttribute("pods", "FatTreeTopology::Pods");
    experiment.AddAttribute("oversubscription", "FatTreeTopology::Oversubscription");
    experiment.AddAttribute("rate", "RegularTopology::HostRate", Range::Above(0));
    experiment.AddAttribute("fabric-rate", "RegularTopology::FabricRate");
    experiment.AddAttribute("delay", "RegularTopology::Delay", Range{0});
    experiment.AddValue("buffer",
                        "Packet memory of each switch, in bytes; the buffer policies CaPFC and "
                        "Unlimited have limits of their own instead.",
                        m_buffer,
                        ByteRange{1});
    experiment.AddValue("lossless-classes",
                        "Classes under flow control, separated by commas, or none; frames of the "
                        "others may be dropped. Fewer classes reserve less headroom. Empty: 0 to "
                        "6.",
                        m_losslessText);
    experiment.OfferPayload(m_payload);
    experiment.SetsOnlyAttribute("buffer", "SharedBuffer::Size");
    experiment.SetsAttribute("lossless-classes", "SwitchNode::LosslessClasses");
}

std::string
RunNetwork::GetFile() const
{
    return m_part ? "" : m_topology;
}

bool
RunNetwork::IsOfForks() const
{
    return !m_part && !m_format.IsCsv(m_topology);
}

void
RunNetwork::Check(Experiment& experiment)
{
    if (!m_losslessText.empty())
    {
        m_lossless = ReadLosslessClasses(experiment);
    }
    const auto& parts = GetParts<TopologyInfo>();
    const auto chosen = std::find_if(parts.begin(), parts.end(), [this](const TopologyInfo& part) {
        return part.name == m_topology;
    });
    m_part = chosen == parts.end() ? nullptr : experiment.MakePart<TopologyPart>(*chosen);
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
    const auto misfit = m_part ? m_part->Check() : std::nullopt;
    experiment.Require(!misfit, misfit.value_or(""));
}

Topology
RunNetwork::MakeTopology(Experiment& experiment) const
{
    if (m_part)
    {
        return m_part->Make();
    }
    HpccTopology read = m_format.IsCsv(m_topology) ? HpccTopology{Topology::FromCsv(m_topology)}
                                                   : ReadHpccTopology(m_topology);
    read.topology.AbortIfInvalid("--topology=" + m_topology);
    experiment.WarnOf(read.note);
    return read.topology;
}

SwitchHelper
RunNetwork::MakeSwitches(const Experiment& experiment) const
{
    SwitchHelper switches = experiment.MakeSwitchHelper();
    switches.SetBufferAttribute("Size", UintegerValue(m_buffer));
    if (m_lossless)
    {
        switches.SetAttribute("LosslessClasses", UintegerValue(*m_lossless));
    }
    return switches;
}

PrioritySet
RunNetwork::ReadLosslessClasses(const Experiment& experiment) const
{
    PrioritySet classes = 0;
    if (m_losslessText != "none")
    {
        for (const uint8_t p : ReadClasses(experiment, m_losslessText, "lossless-classes"))
        {
            classes |= SetOf(Priority{p});
        }
    }
    return classes;
}

void
RunNetwork::CheckClasses(const Experiment& experiment, const Fabric& fabric) const
{
    const bool hasClasses =
        fabric.GetNSwitches() > 0 && fabric.GetSwitch(0)->GetFlowControl()->IsLossless();
    experiment.Require(hasClasses || !m_lossless,
                       "--lossless-classes is for switches with flow control; those of --scheme=" +
                           experiment.GetScheme().name + " have none");
}

ObjectFactory
RunNetwork::MakeNics(const Experiment& experiment) const
{
    ObjectFactory nics = experiment.MakeNicFactory();
    nics.Set("PayloadBytes", UintegerValue(m_payload));
    return nics;
}

double
RunNetwork::GetOverheadFactor() const
{
    return RoceNic::GetOverheadFactor(m_payload);
}

} // namespace ns3::lossless
