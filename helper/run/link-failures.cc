// SPDX-License-Identifier: GPL-2.0-only
#include "link-failures.h"

#include "ns3/option-text.h"
#include "ns3/quantity-text.h"
#include "ns3/ranks.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <vector>

namespace ns3::lossless
{

namespace
{

/// @return the time in the string; an invalid string stops the program
Time
ReadTime(const Experiment& experiment, const std::string& text)
{
    Time time;
    const std::string allowed = ReadOption(text, time);
    experiment.Require(allowed.empty() && time >= Time(0),
                       "--fail-link has the time \"" + text + "\"; it must be " +
                           (allowed.empty() ? "at least 0" : allowed) + ", or two, as 1ms..2ms");
    return time;
}

/// @return the names of the two nodes of a link, as in `--fail-link`
std::string
DescribeLink(uint32_t link, const Topology& topology)
{
    const auto& nodes = topology.GetNodes();
    const auto& info = topology.GetLinks()[link];
    return nodes[info.nodeA].name + "-" + nodes[info.nodeB].name;
}

/// @param pair two node names separated by a hyphen; the names may themselves contain hyphens
/// @return the indices of the links between these nodes; empty if there are none
std::vector<uint32_t>
FindLinks(const std::string& pair, const Topology& topology)
{
    std::vector<uint32_t> links;
    for (std::size_t i = pair.find('-'); i != std::string::npos; i = pair.find('-', i + 1))
    {
        const auto a = topology.FindNode(pair.substr(0, i));
        const auto b = topology.FindNode(pair.substr(i + 1));
        if (a && b)
        {
            links = topology.FindLinks(*a, *b);
        }
        if (!links.empty())
        {
            break;
        }
    }
    return links;
}

/// @param pair the nodes; see FindLinks()
/// @param [in,out] taken the indices of the links that the option has already named
/// @return the indices of the links; an unknown or repeated link stops the program
std::vector<uint32_t>
TakeLinks(const Experiment& experiment,
          const std::string& option,
          const std::string& pair,
          const Topology& topology,
          std::set<uint32_t>& taken)
{
    const std::vector<uint32_t> links = FindLinks(pair, topology);
    experiment.Require(!links.empty(),
                       "--" + option + ": the network has no link \"" + pair +
                           "\"; write NODE-NODE, as " +
                           DescribeLink(topology.GetLinks().size() - 1, topology) +
                           ", with names as topology.csv has them");
    for (const uint32_t link : links)
    {
        experiment.Require(taken.insert(link).second,
                           "--" + option + " names the link \"" + pair + "\" twice; it can " +
                               (option == "fail-link" ? "fail" : "be slow") + " once");
        experiment.Require(!topology.GetLinks()[link].failed,
                           "--" + option + " names the link \"" + pair +
                               "\", which has failed from the start");
    }
    return links;
}

} // namespace

void
LinkFailures::AddOptions(Experiment& experiment)
{
    experiment.AddValue(
        "fail-link",
        "Links that fail: NODE-NODE from the start, so that routes avoid them; NODE-NODE@1ms from "
        "that time on, or NODE-NODE@1ms..2ms between the two, and frames sent on them are lost; "
        "several, separated by commas, each with its own time.",
        m_text);
    experiment.AddValue(
        "slow-link",
        "Links that run at another rate from the start, for example after the loss of lanes: "
        "NODE-NODE:RATE, such as leaf0-spine1:25Gbps; several, separated by commas.",
        m_slowText);
    experiment.AddValue(
        "failures",
        "File with changes of links and switches during the run: columns time, event (down, up, "
        "rate, bit-errors, dead, alive), node_a, node_b, value, direction.",
        m_file);
    experiment.AddValue("reroute-after",
                        "Time after which routes adapt to a link that was cut or repaired during "
                        "the run; without this option, they stay.",
                        m_rerouteAfter,
                        Range{0});
    experiment.AddValue("bit-error-rate",
                        "Bit error rate of every link; errors are independent, so longer frames "
                        "are lost more often.",
                        m_bitErrorRate,
                        Range{0, 1});
    experiment.AddValue("llr",
                        "Whether links retransmit frames that arrived corrupt (link layer retry).",
                        m_hasRetry);
}

void
LinkFailures::ApplyTo(const Experiment& experiment, Topology& topology)
{
    experiment.RequireUnread({m_file});
    for (const std::string& text : SplitList(m_text))
    {
        Read(experiment, text, topology);
    }
    for (const std::string& text : SplitList(m_slowText))
    {
        ReadSlow(experiment, text, topology);
    }
    if (m_bitErrorRate > 0)
    {
        m_plan.SetBitErrorRate(m_bitErrorRate, topology); // the file may change the rate
    }
    if (!m_file.empty())
    {
        experiment.RequireFit(m_plan.ReadCsv(m_file, topology));
    }
    const auto idle = m_plan.DescribeIdleEvent(topology);
    const bool isOfFile = idle && !m_file.empty() && idle->compare(0, m_file.size(), m_file) == 0;
    experiment.RequireFit(idle, isOfFile ? "" : "--fail-link and --slow-link: ");
    const auto& events = m_plan.GetEvents();
    const bool isAnyCut = std::any_of(events.begin(), events.end(), [](const auto& event) {
        return event.kind == FailureKind::DOWN || event.kind == FailureKind::UP;
    });
    experiment.Require(!m_rerouteAfter || isAnyCut,
                       "--reroute-after is for links that are cut in the run, by --fail-link or "
                       "--failures");
    m_plan.SetRerouteAfter(m_rerouteAfter);
}

void
LinkFailures::Read(const Experiment& experiment, const std::string& text, Topology& topology)
{
    const std::size_t at = text.find('@');
    const std::vector<uint32_t> links =
        TakeLinks(experiment, "fail-link", text.substr(0, at), topology, m_links);
    if (at == std::string::npos)
    {
        for (const uint32_t link : links)
        {
            topology.FailLink(link);
        }
        return;
    }
    const std::string times = text.substr(at + 1);
    const std::size_t dots = times.find("..");
    const Time from = ReadTime(experiment, times.substr(0, dots));
    const Time until =
        dots == std::string::npos ? Time::Max() : ReadTime(experiment, times.substr(dots + 2));
    experiment.Require(from < until,
                       "--fail-link has the times \"" + times + "\"; the second one must be later");
    for (const uint32_t link : links)
    {
        m_plan.Add({from, FailureKind::DOWN, link});
        if (until < Time::Max())
        {
            m_plan.Add({until, FailureKind::UP, link});
        }
    }
}

void
LinkFailures::ReadSlow(const Experiment& experiment,
                       const std::string& text,
                       const Topology& topology)
{
    const std::size_t colon = text.rfind(':');
    experiment.Require(colon != std::string::npos,
                       "--slow-link has \"" + text +
                           "\"; write NODE-NODE:RATE, as leaf0-spine1:25Gbps");
    DataRate rate;
    const std::string number = text.substr(colon + 1);
    const std::string allowed = ReadOption(number, rate);
    experiment.Require(allowed.empty() && rate.GetBitRate() > 0,
                       "--slow-link has the rate \"" + number + "\"; it must be " +
                           (allowed.empty() ? "positive" : allowed));
    for (const uint32_t link :
         TakeLinks(experiment, "slow-link", text.substr(0, colon), topology, m_slow))
    {
        const DataRate most = topology.GetLinks()[link].rate;
        experiment.Require(rate <= most,
                           "--slow-link has the rate \"" + number + "\"; it must be at most " +
                               FormatRate(most) + ", that of the link");
        m_plan.Add({Time(0), FailureKind::RATE, link, {}, rate});
    }
}

void
LinkFailures::RequireBefore(const Experiment& experiment, Time end) const
{
    for (const FailureEvent& event : m_plan.GetEvents())
    {
        experiment.Require(end.IsZero() || event.at < end,
                           "--fail-link and --failures have an event at " + FormatTime(event.at) +
                               ", but the run ends at " + FormatTime(end));
    }
}

void
LinkFailures::TellEffect(Experiment& experiment, const Fabric& fabric) const
{
    for (const FailureEvent& event : m_plan.GetEvents())
    {
        const bool isRepair = event.kind == FailureKind::UP || event.kind == FailureKind::ALIVE;
        if (!isRepair && event.at >= Simulator::Now() && Ranks::IsFirst())
        {
            std::cerr << "What was to happen to a link at " << FormatTime(event.at)
                      << " did not: the run ended at " << DescribeTime(Simulator::Now()) << "."
                      << std::endl;
            return;
        }
    }
    if (!Ranks::IsFirst() || experiment.GetResults().GetVerdict().unfinishedFlows == 0)
    {
        return;
    }
    for (const FailureEvent& event : m_plan.GetEvents())
    {
        const bool isDown = event.kind == FailureKind::DOWN && !fabric.GetCable(event.link)->IsUp();
        const std::string text = isDown ? Explain(event.link, fabric.GetTopology()) : "";
        if (!text.empty())
        {
            std::cerr << DescribeLink(event.link, fabric.GetTopology()) << " was cut at "
                      << FormatTime(event.at) << ", and " << text << std::endl;
            return;
        }
    }
}

std::string
LinkFailures::Explain(uint32_t link, const Topology& topology) const
{
    const Topology::LinkInfo& info = topology.GetLinks()[link];
    for (const uint32_t node : {info.nodeA, info.nodeB})
    {
        if (topology.GetNodes()[node].kind == Topology::NodeKind::HOST)
        {
            return topology.GetPorts(node).size() > 1
                       ? "a flow keeps the port of a host with which it has started."
                       : "";
        }
    }
    return m_rerouteAfter ? "" : "routes lead over it as before; --reroute-after adapts them.";
}

void
LinkFailures::ProtectLinks(const Fabric& fabric) const
{
    if (m_hasRetry)
    {
        fabric.InstallRetry();
    }
}

void
LinkFailures::Install(const Fabric& fabric)
{
    m_plan.Install(fabric);
}

} // namespace ns3::lossless
