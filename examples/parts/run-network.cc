// SPDX-License-Identifier: GPL-2.0-only
#include "run-network.h"

#include "ns3/core-module.h"
#include "ns3/hpcc-format.h"
#include "ns3/option-text.h"
#include "ns3/quantity-text.h"
#include "ns3/roce-nic.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

namespace ns3::lossless
{

namespace
{

/// The options of each network of the module, besides those that all of them have.
const std::map<std::string, std::vector<std::string>> TOPOLOGY_OPTIONS = {
    {"star", {"hosts"}},
    {"dumbbell", {"left", "right"}},
    {"leaf-spine", {"leaves", "spines", "hosts-per-leaf"}},
    {"fat-tree", {"k", "pods", "oversubscription"}},
};

} // namespace

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
                        "Network: star, dumbbell, leaf-spine, fat-tree, or a file, as topology.csv "
                        "if its name ends in .csv, else in the format of the HPCC simulator and "
                        "its forks.",
                        m_topology);
    m_format.AddOption(experiment, "topology-format", false);
    experiment.AddValue("hosts", "Star: hosts.", m_star.hosts);
    experiment.AddValue("left", "Dumbbell: hosts of the first switch.", m_dumbbell.left);
    experiment.AddValue("right", "Dumbbell: hosts of the second switch.", m_dumbbell.right);
    experiment.AddValue("leaves", "Leaf-spine: leaf switches.", m_leafSpine.leaves);
    experiment.AddValue("spines", "Leaf-spine: spine switches.", m_leafSpine.spines);
    experiment.AddValue("hosts-per-leaf",
                        "Leaf-spine: hosts at each leaf.",
                        m_leafSpine.hostsPerLeaf);
    experiment.AddValue("k", "Fat-tree: ports of a switch.", m_fatTree.k);
    experiment.AddValue("pods", "Fat-tree: pods, at most k; 0: k.", m_fatTree.pods);
    experiment.AddValue("oversubscription",
                        "Fat-tree: hosts of an edge switch divided by its uplinks.",
                        m_fatTree.oversubscription);
    experiment.AddValue("rate", "Rate of the hosts' links.", m_rate, Range::Above(0));
    experiment.AddValue("fabric-rate",
                        "Rate of the links between switches; 0: that of the hosts' links.",
                        m_fabricRate);
    experiment.AddValue("delay", "Propagation delay of every link.", m_delay, Range{0});
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

bool
RunNetwork::IsBuiltIn() const
{
    return TOPOLOGY_OPTIONS.count(m_topology) > 0;
}

std::string
RunNetwork::GetFile() const
{
    return IsBuiltIn() ? "" : m_topology;
}

bool
RunNetwork::IsOfForks() const
{
    return !IsBuiltIn() && !m_format.IsCsv(m_topology);
}

void
RunNetwork::Check(const Experiment& experiment)
{
    if (!m_losslessText.empty())
    {
        m_lossless = ReadLosslessClasses(experiment);
    }
    m_format.Check(experiment);
    experiment.RequireUse({"topology-format"}, !IsBuiltIn(), "a --topology that is a file");
    experiment.Require(IsBuiltIn() || std::filesystem::exists(m_topology),
                       "--topology is \"" + m_topology +
                           "\"; it must be star, dumbbell, leaf-spine, fat-tree or a file, and "
                           "there is no such file");
    for (const auto& [name, options] : TOPOLOGY_OPTIONS)
    {
        experiment.RequireUse(options,
                              name == m_topology,
                              "--topology=" + name + ", which is \"" + m_topology + "\"");
    }
    experiment.RequireUse({"rate", "fabric-rate", "delay"},
                          IsBuiltIn(),
                          "a network of the module's; the links of a file have their own");
    experiment.RequireUse({"fabric-rate"},
                          m_topology != "star",
                          "links between switches, of which a star has none");
    const std::map<std::string, std::optional<std::string>> misfits = {
        {"star", m_star.Check()},
        {"dumbbell", m_dumbbell.Check()},
        {"leaf-spine", m_leafSpine.Check()},
        {"fat-tree", m_fatTree.Check()},
    };
    const auto misfit = misfits.find(m_topology);
    experiment.Require(misfit == misfits.end() || !misfit->second,
                       misfit == misfits.end() ? "" : misfit->second.value_or(""));
}

DataRate
RunNetwork::GetFabricRate() const
{
    return m_fabricRate.GetBitRate() > 0 ? m_fabricRate : m_rate;
}

Topology
RunNetwork::MakeTopology() const
{
    if (m_topology == "star")
    {
        return Topology::Star({m_star.hosts, m_rate, m_delay});
    }
    if (m_topology == "dumbbell")
    {
        return Topology::Dumbbell(
            {m_dumbbell.left, m_dumbbell.right, m_rate, GetFabricRate(), m_delay, m_delay});
    }
    if (m_topology == "leaf-spine")
    {
        LeafSpineOptions options = m_leafSpine;
        options.hostRate = m_rate;
        options.fabricRate = GetFabricRate();
        options.delay = m_delay;
        return Topology::LeafSpine(options);
    }
    if (m_topology == "fat-tree")
    {
        FatTreeOptions options = m_fatTree;
        options.hostRate = m_rate;
        options.fabricRate = GetFabricRate();
        options.delay = m_delay;
        return Topology::FatTree(options);
    }
    Topology topology =
        m_format.IsCsv(m_topology) ? Topology::FromCsv(m_topology) : ReadHpccTopology(m_topology);
    topology.AbortIfInvalid("--topology=" + m_topology);
    return topology;
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
