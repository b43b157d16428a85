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
#include <boost/algorithm/string.hpp>
#include <filesystem>
#include <optional>

namespace ns3::lossless
{

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
    const std::string ending =
        boost::algorithm::to_lower_copy(std::filesystem::path(path).extension().string());
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
                            ", or a file: of links as topology.csv has them, if its name ends in "
                            ".csv, where h and a number, as h0, names a host; else in the format "
                            "of the HPCC simulator and its forks.",
                        m_topology);
    m_format.AddOption(experiment, "topology-format", false);
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
    return !m_part && !m_format.IsCsv(m_topology);
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
    read.AbortIfInvalid("--topology=" + m_topology);
    experiment.WarnOf(read.note);
    return read.topology;
}

SwitchHelper
RunNetwork::MakeSwitches(const Experiment& experiment) const
{
    return experiment.MakeSwitchHelper();
}

void
RunNetwork::ApplyClasses(const Experiment& experiment, const Fabric& fabric, PrioritySet used) const
{
    m_lossless.Apply(experiment, fabric, used);
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
