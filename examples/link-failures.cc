// SPDX-License-Identifier: GPL-2.0-only
#include "link-failures.h"

#include "ns3/lossless-channel.h"
#include "ns3/option-text.h"
#include "ns3/simulator.h"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>

namespace ns3::lossless
{

namespace
{

/// @param experiment which stops the program @param text a time @return it
Time
ReadTime(const Experiment& experiment, const std::string& text)
{
    Time time;
    const std::string allowed = ReadOption(text, time);
    experiment.Require(allowed.empty() && time >= Time(0),
                       "--fail-link has the time \"" + text + "\"; it must be " +
                           (allowed.empty() ? "at least 0" : allowed));
    return time;
}

/// @param pair two names with a hyphen between them, of which they may have some, too
/// @param topology the network @return the links between them; none: there is none
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

} // namespace

void
LinkFailures::AddOption(Experiment& experiment)
{
    experiment.AddValue("fail-link",
                        "Links that fail: NODE-NODE from the start, so that routes avoid them; "
                        "NODE-NODE@1ms from that time on or NODE-NODE@1ms..2ms during it, and "
                        "frames sent on them are lost; several, separated by commas.",
                        m_text);
}

void
LinkFailures::ApplyTo(const Experiment& experiment, Topology& topology)
{
    if (m_text.empty())
    {
        return;
    }
    std::vector<std::string> texts;
    boost::algorithm::split(texts, m_text, boost::algorithm::is_any_of(","));
    for (const std::string& text : texts)
    {
        Read(experiment, text, topology);
    }
}

void
LinkFailures::Read(const Experiment& experiment, const std::string& text, Topology& topology)
{
    const std::size_t at = text.find('@');
    const std::vector<uint32_t> links = FindLinks(text.substr(0, at), topology);
    experiment.Require(!links.empty(),
                       "--fail-link: the network has no link \"" + text.substr(0, at) +
                           "\"; write NODE-NODE, as leaf0-spine1, with names as topology.csv has "
                           "them");
    for (const uint32_t link : links)
    {
        experiment.Require(m_links.insert(link).second,
                           "--fail-link names the link \"" + text.substr(0, at) +
                               "\" twice; it can fail once");
    }
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
    Cut cut{0, ReadTime(experiment, times.substr(0, dots)), {}};
    if (dots != std::string::npos)
    {
        cut.until = ReadTime(experiment, times.substr(dots + 2));
        experiment.Require(cut.from < *cut.until,
                           "--fail-link has the times \"" + times +
                               "\"; the second one must be later");
    }
    for (const uint32_t link : links)
    {
        cut.link = link;
        m_cuts.push_back(cut);
    }
}

void
LinkFailures::Schedule(const Fabric& fabric) const
{
    for (const Cut& cut : m_cuts)
    {
        const Ptr<LosslessChannel> cable = fabric.GetCable(cut.link);
        Simulator::Schedule(cut.from, &LosslessChannel::SetUp, cable, false);
        if (cut.until)
        {
            Simulator::Schedule(*cut.until, &LosslessChannel::SetUp, cable, true);
        }
    }
}

} // namespace ns3::lossless
