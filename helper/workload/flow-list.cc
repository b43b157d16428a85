// SPDX-License-Identifier: GPL-2.0-only
#include "flow-list.h"

#include "ns3/abort.h"
#include "ns3/quantity-text.h"
#include "ns3/reachability.h"
#include "ns3/text-lines.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace ns3::lossless
{

namespace
{

/// Numbers flows from 0.
void
Number(FlowList& flows)
{
    for (std::size_t i = 0; i < flows.size(); i++)
    {
        flows[i].id = i;
    }
}

} // namespace

std::optional<std::string>
CheckGroup(const std::string& group)
{
    const auto isControl = [](unsigned char byte) { return byte < ' ' || byte == 0x7f; };
    if (!IsUtf8(group) || std::any_of(group.begin(), group.end(), isControl))
    {
        return "the group of a flow has control characters, or is not a text in UTF-8";
    }
    const bool hasBlankEnd = !group.empty() && (group.front() == ' ' || group.back() == ' ');
    if (hasBlankEnd || group.find_first_of(",\"") != std::string::npos)
    {
        return "group '" + group + "' has a comma, a quote or a blank at an end; none is allowed";
    }
    return std::nullopt;
}

std::optional<std::string>
CheckFlow(const FlowSpec& flow, const Topology& topology)
{
    const std::size_t hosts = topology.GetHosts().size();
    const uint32_t largest = std::max(flow.source, flow.destination);
    if (largest >= hosts)
    {
        return "host " + std::to_string(largest) + " does not exist; the network has " +
               std::to_string(hosts) + " hosts, counted from 0";
    }
    if (flow.source == flow.destination)
    {
        return "source and destination are the same host; they must differ";
    }
    if (flow.priority >= NUM_PRIORITIES)
    {
        return "priority " + std::to_string(flow.priority) + " is not from 0 to 7";
    }
    if (flow.bytes == 0)
    {
        return "the size is 0; a flow has at least 1 byte";
    }
    if (flow.bytes > MAX_FLOW_BYTES)
    {
        return "the size is " + std::to_string(flow.bytes) + " B; a flow has at most " +
               std::to_string(MAX_FLOW_BYTES) + " B";
    }
    if (flow.start.IsStrictlyNegative())
    {
        return "the start is negative; it must be at least 0";
    }
    if (!flow.start.IsZero() && flow.start > GetLatestStart())
    {
        return "the start is " + FormatNanoSeconds(flow.start) + " ns; it must be at most " +
               FormatNanoSeconds(GetLatestStart()) + " ns";
    }
    return CheckGroup(flow.group);
}

std::optional<std::string>
CheckFlows(const FlowList& flows, const Topology& topology)
{
    std::set<uint64_t> ids;
    const Reachability reachability(topology);
    for (const auto& flow : flows)
    {
        const std::string place = "flow " + std::to_string(flow.id) + ": ";
        auto error = CheckFlow(flow, topology);
        error = error ? error : reachability.Check(flow.source, flow.destination);
        if (error)
        {
            return place + *error;
        }
        if (!ids.insert(flow.id).second)
        {
            return place + "the id is used twice; ids must differ";
        }
    }
    return std::nullopt;
}

PrioritySet
GetClasses(const FlowList& flows)
{
    PrioritySet classes = 0;
    for (const FlowSpec& flow : flows)
    {
        classes |= SetOf(Priority{flow.priority});
    }
    return classes;
}

void
SortByStart(FlowList& flows)
{
    const auto isEarlier = [](const FlowSpec& a, const FlowSpec& b) { return a.start < b.start; };
    if (!std::is_sorted(flows.begin(), flows.end(), isEarlier)) // usually sorted already
    {
        std::stable_sort(flows.begin(), flows.end(), isEarlier);
    }
}

FlowList
MergeFlows(const std::vector<FlowList>& lists)
{
    FlowList merged;
    for (const auto& list : lists)
    {
        merged.insert(merged.end(), list.begin(), list.end());
    }
    SortByStart(merged);
    Number(merged);
    return merged;
}

FlowList
FixedFlows(const FlowList& flows, const Topology& topology)
{
    FlowList sorted = MergeFlows({flows});
    const auto error = CheckFlows(sorted, topology);
    NS_ABORT_MSG_IF(error, "FixedFlows: " << *error);
    return sorted;
}

} // namespace ns3::lossless
