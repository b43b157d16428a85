// SPDX-License-Identifier: GPL-2.0-only
#include "flow-csv.h"

#include "ns3/abort.h"
#include "ns3/lossless-csv-reader.h"
#include "ns3/lossless-types.h"
#include "ns3/output-file.h"
#include "ns3/quantity-text.h"
#include "ns3/text-lines.h"

#include <set>

namespace ns3::lossless
{

namespace
{

/**
 * Finds the host that a field of a file means.
 * @param topology the network
 * @param text name or host index; a name goes first
 * @return the host index, or nothing
 */
std::optional<uint32_t>
FindHost(const Topology& topology, const std::string& text)
{
    if (const auto node = topology.FindNode(text))
    {
        return topology.FindHostIndex(*node);
    }
    const auto index = ParseWhole(text);
    if (!index || *index >= topology.GetHosts().size())
    {
        return std::nullopt;
    }
    return static_cast<uint32_t>(*index);
}

/// Reads a time in nanoseconds, whole or with decimals. @param text the text @return the time, or
/// nothing if the text is no number from 0 to that of GetLatestStart
std::optional<Time>
ParseNanoSeconds(const std::string& text)
{
    const auto number = ParseNumber(text);
    if (!number || *number < 0 || *number > GetLatestStart().ToDouble(Time::NS))
    {
        return std::nullopt;
    }
    // A double holds whole nanoseconds up to 104 days only.
    const auto whole = ParseWhole(text);
    return whole ? NanoSeconds(*whole) : Time::FromDouble(*number, Time::NS);
}

/// @param csv the reader, at a record @param topology the network @return the flow of the record
FlowSpec
ReadFlow(const LosslessCsvReader& csv, const Topology& topology)
{
    FlowSpec flow;
    flow.id = csv.GetWhole("id");
    for (const std::string column : {"source", "destination"})
    {
        const auto host = FindHost(topology, csv.Get(column));
        csv.Require(host.has_value(),
                    column,
                    "the name of a host or an index below " +
                        std::to_string(topology.GetHosts().size()));
        (column == "source" ? flow.source : flow.destination) = *host;
    }
    flow.priority = static_cast<uint8_t>(csv.GetWhole("priority", 0, NUM_PRIORITIES - 1));
    flow.bytes = csv.GetWhole("bytes", 1, MAX_FLOW_BYTES);
    const auto start = ParseNanoSeconds(csv.Get("start_ns"));
    csv.Require(start.has_value(),
                "start_ns",
                "a number of nanoseconds from 0 to " + FormatNanoSeconds(GetLatestStart()));
    flow.start = *start;
    flow.group = csv.Get("group");
    if (const auto error = CheckFlow(flow, topology))
    {
        csv.Complain(*error);
    }
    return flow;
}

/// @param input a flow file @param fileName its name @param topology the network
/// @return its flows, sorted by start
FlowList
ReadFlows(std::istream& input, const std::string& fileName, const Topology& topology)
{
    LosslessCsvReader csv(input, fileName);
    // Those that may be there are of a run's results.
    csv.ReadHeader({"id", "source", "destination", "priority", "bytes", "start_ns", "group"},
                   {"fct_ns", "ideal_ns", "slowdown", "retransmitted", "marked", "cnps", "naks"});
    FlowList flows;
    std::set<uint64_t> ids;
    while (csv.Next())
    {
        flows.push_back(ReadFlow(csv, topology));
        csv.Require(ids.insert(flows.back().id).second, "id", "a number that no other flow has");
    }
    SortByStart(flows);
    return flows;
}

} // namespace

FlowList
ReadFlowCsv(const std::string& path, const Topology& topology)
{
    std::ifstream input = OpenText(path);
    FlowList flows;
    const auto error = ParseFlowCsv(input, path, topology, flows);
    NS_ABORT_MSG_IF(error, *error);
    return flows;
}

std::optional<std::string>
ParseFlowCsv(std::istream& input,
             const std::string& fileName,
             const Topology& topology,
             FlowList& flows)
{
    return CatchComplaint([&] { flows = ReadFlows(input, fileName, topology); });
}

void
WriteFlowCsv(const std::string& path, const Topology& topology, const FlowList& flows)
{
    const bool isWritten =
        OutputFile(path).Write([&](std::ostream& os) { WriteFlowCsv(os, topology, flows); });
    NS_ABORT_MSG_IF(!isWritten, "WriteFlowCsv: cannot write the file '" << path << "'");
}

void
WriteFlowCsv(std::ostream& output, const Topology& topology, const FlowList& flows)
{
    const auto error = CheckFlows(flows, topology);
    NS_ABORT_MSG_IF(error, "WriteFlowCsv: " << *error);
    const auto name = [&topology](uint32_t host) {
        return topology.GetNodes()[topology.GetHosts()[host]].name;
    };
    output << "id,source,destination,priority,bytes,start_ns,group\n";
    for (const auto& flow : flows)
    {
        output << flow.id << ',' << name(flow.source) << ',' << name(flow.destination) << ','
               << +flow.priority << ',' << flow.bytes << ',' << FormatNanoSeconds(flow.start) << ','
               << flow.group << '\n';
    }
}

} // namespace ns3::lossless
