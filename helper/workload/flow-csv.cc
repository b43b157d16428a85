// SPDX-License-Identifier: GPL-2.0-only
#include "flow-csv.h"

#include "ns3/abort.h"
#include "ns3/lossless-csv-reader.h"
#include "ns3/lossless-types.h"
#include "ns3/output-file.h"
#include "ns3/quantity-text.h"
#include "ns3/text-lines.h"

#include <set>
#include <utility>

namespace ns3::lossless
{

namespace
{

/**
 * @brief Find the host that a field of a file means.
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
    const auto index = LosslessCsvReader::ToUint(text);
    if (!index || *index >= topology.GetHosts().size())
    {
        return std::nullopt;
    }
    return static_cast<uint32_t>(*index);
}

/**
 * @brief Read a time in nanoseconds, whole or with decimals.
 * @param text the text
 * @return the time, or nothing if the text is no number from 0 to that of GetLatestStart
 */
std::optional<Time>
ParseNanoSeconds(const std::string& text)
{
    const auto number = LosslessCsvReader::ToDouble(text);
    if (!number || *number < 0 || *number > GetLatestStart().ToDouble(Time::NS))
    {
        return std::nullopt;
    }
    // A double holds whole nanoseconds up to 104 days only.
    const auto whole = LosslessCsvReader::ToUint(text);
    return whole ? NanoSeconds(*whole) : Time::FromDouble(*number, Time::NS);
}

/**
 * @brief Read one record of a flow file.
 * @param csv the reader, at the record
 * @param topology the network
 * @param [out] flow the flow
 * @return a complaint, or nothing
 */
std::optional<std::string>
ReadFlow(const LosslessCsvReader& csv, const Topology& topology, FlowSpec& flow)
{
    const auto id = LosslessCsvReader::ToUint(csv.Get("id"));
    if (!id)
    {
        return csv.Complain("id", "a whole number of at least 0");
    }
    for (const std::string column : {"source", "destination"})
    {
        const auto host = FindHost(topology, csv.Get(column));
        if (!host)
        {
            return csv.Complain(column,
                                "the name of a host or an index below " +
                                    std::to_string(topology.GetHosts().size()));
        }
        (column == "source" ? flow.source : flow.destination) = *host;
    }
    const auto priority = LosslessCsvReader::ToUint(csv.Get("priority"));
    if (!priority || *priority >= NUM_PRIORITIES)
    {
        return csv.Complain("priority", "a whole number from 0 to 7");
    }
    const auto bytes = LosslessCsvReader::ToUint(csv.Get("bytes"));
    if (!bytes || *bytes == 0 || *bytes > MAX_FLOW_BYTES)
    {
        return csv.Complain("bytes", "a whole number from 1 to " + std::to_string(MAX_FLOW_BYTES));
    }
    const auto start = ParseNanoSeconds(csv.Get("start_ns"));
    if (!start)
    {
        return csv.Complain("start_ns",
                            "a number of nanoseconds from 0 to " +
                                FormatNanoSeconds(GetLatestStart()));
    }
    flow.id = *id;
    flow.priority = static_cast<uint8_t>(*priority);
    flow.bytes = *bytes;
    flow.start = *start;
    flow.group = csv.Get("group");
    const auto error = CheckFlow(flow, topology);
    return error ? std::make_optional(csv.Complain(*error)) : std::nullopt;
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
    LosslessCsvReader csv(input, fileName);
    // Those that may be there are of a run's results.
    if (auto error = csv.ReadHeader(
            {"id", "source", "destination", "priority", "bytes", "start_ns", "group"},
            {"fct_ns", "ideal_ns", "slowdown", "retransmitted", "marked", "cnps", "naks"}))
    {
        return error;
    }
    FlowList found;
    std::set<uint64_t> ids;
    while (csv.Next())
    {
        FlowSpec flow;
        if (auto error = ReadFlow(csv, topology, flow))
        {
            return error;
        }
        if (!ids.insert(flow.id).second)
        {
            return csv.Complain("id", "a number that no other flow has");
        }
        found.push_back(std::move(flow));
    }
    if (!csv.GetError())
    {
        SortByStart(found);
        flows = std::move(found);
    }
    return csv.GetError();
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
