// SPDX-License-Identifier: GPL-2.0-only
#include "flow-csv.h"

#include "flow-format.h"

#include "ns3/abort.h"
#include "ns3/lossless-csv-reader.h"
#include "ns3/lossless-types.h"
#include "ns3/output-file.h"
#include "ns3/quantity-text.h"
#include "ns3/text-lines.h"

#include <array>
#include <set>
#include <sstream>
#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

namespace
{

const RegisterFormat<FlowFormat> g_csvFlows(CSV_FORMAT, 10, [](FlowFormat& format) {
    format.what = "as flows.csv, with the columns id, source, destination, priority, bytes, "
                  "start_ns, group and, for flows that wait for flows, after, after_received, "
                  "after_started, after_count, compute_ns, job";
    format.endings = ".csv";
});

/// @param text the name or the index of a host; names take precedence
/// @return the host index, or nothing if there is no such host
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

/// @param text a number, which may have decimals
/// @return the time, or nothing if it is not between 0 and GetLatestStart()
std::optional<Time>
ParseNanoSeconds(const std::string& text)
{
    const auto number = ParseNumber(text);
    if (!number || *number < 0 || *number > GetLatestStart().ToDouble(Time::NS))
    {
        return std::nullopt;
    }
    // A double represents every whole number of nanoseconds only up to 104 days.
    const auto whole = ParseWhole(text);
    return whole ? NanoSeconds(*whole) : Time::FromDouble(*number, Time::NS);
}

/// The required columns of a file of flows. OTHER_COLUMNS lists the optional columns, including
/// those of results.
const std::vector<std::string> COLUMNS = {"id", "source", "destination", "bytes", "start_ns"};
const std::vector<std::string> OTHER_COLUMNS = {"priority",
                                                "group",
                                                "fct_ns",
                                                "ideal_ns",
                                                "slowdown",
                                                "retransmitted",
                                                "marked",
                                                "cnps",
                                                "naks"};

/// The default class of flows in a file.
constexpr uint8_t USUAL_CLASS = 3;

/// A column with the IDs of predecessors.
struct AfterColumn
{
    const char* name;
    FlowGraph::Until until; ///< state that the predecessors must reach
};

constexpr std::array<AfterColumn, 3> AFTER_COLUMNS = {
    {{"after", FlowGraph::Until::SENT},
     {"after_received", FlowGraph::Until::RECEIVED},
     {"after_started", FlowGraph::Until::STARTED}}};

/// The column for the number of predecessors for which a step waits.
const std::string NEEDED_COLUMN = "after_count";

/// @return the time in a column; a time outside the range of simulations is an error
Time
ReadTime(const LosslessCsvReader& csv, const std::string& column)
{
    const auto time = ParseNanoSeconds(csv.Get(column));
    // The message is composed only after an error, because composing it takes longer than reading
    // the time.
    if (!time)
    {
        csv.Require(false,
                    column,
                    "a number of nanoseconds from 0 to " + FormatNanoSeconds(GetLatestStart()));
    }
    return *time;
}

/// @return the flow of the record, with valid hosts and numbers
FlowSpec
ReadFields(const LosslessCsvReader& csv, const Topology& topology)
{
    FlowSpec flow;
    flow.id = csv.GetWhole("id");
    const auto readHost = [&](const std::string& column) {
        const auto host = FindHost(topology, csv.Get(column));
        if (!host)
        {
            csv.Require(false,
                        column,
                        "the name of a host or an index below " +
                            std::to_string(topology.GetHosts().size()));
        }
        return *host;
    };
    flow.source = readHost("source");
    flow.destination = readHost("destination");
    flow.priority = csv.Has("priority")
                        ? static_cast<uint8_t>(csv.GetWhole("priority", 0, NUM_PRIORITIES - 1))
                        : USUAL_CLASS;
    flow.bytes = csv.GetWhole("bytes", 0, MAX_FLOW_BYTES);
    if (flow.bytes == 0 && flow.source != flow.destination)
    {
        flow.bytes = EMPTY_FLOW_BYTES;
    }
    flow.start = ReadTime(csv, "start_ns");
    flow.group = csv.Get("group");
    return flow;
}

FlowSpec
ReadFlow(const LosslessCsvReader& csv, const Topology& topology)
{
    FlowSpec flow = ReadFields(csv, topology);
    if (const auto error = CheckFlow(flow, topology))
    {
        csv.Complain(*error);
    }
    return flow;
}

/// Reads the steps of a flow graph and then resolves the IDs of their predecessors.
class GraphReader
{
  public:
    GraphReader(std::istream& input, const std::string& fileName, const Topology& topology)
        : m_csv(input, fileName),
          m_fileName(fileName),
          m_topology(topology)
    {
    }

    /// @return the graph; throws a FileComplaint on error
    FlowGraph Read()
    {
        std::vector<std::string> optional = OTHER_COLUMNS;
        optional.insert(optional.end(), {NEEDED_COLUMN, "compute_ns", "job"});
        for (const AfterColumn& column : AFTER_COLUMNS)
        {
            optional.emplace_back(column.name);
        }
        m_csv.ReadHeader(COLUMNS, optional);
        while (m_csv.Next())
        {
            ReadStep();
        }
        Resolve();
        if (const auto error = m_graph.Check(m_topology))
        {
            throw FileComplaint(m_fileName + ": " + *error);
        }
        return std::move(m_graph);
    }

  private:
    /// The ID of a step for which another step waits.
    struct Reference
    {
        FlowGraph::Step step;
        uint64_t id;            ///< ID of the predecessor
        FlowGraph::Until until; ///< state that the predecessor must reach
    };

    void ReadStep()
    {
        StepSpec spec;
        spec.flow = ReadFields(m_csv, m_topology);
        m_csv.Require(spec.IsComputation() || spec.flow.source != spec.flow.destination,
                      "destination",
                      "another host than the source, but for a computation, of 0 bytes");
        if (!m_csv.Get("compute_ns").empty())
        {
            spec.compute = ReadTime(m_csv, "compute_ns");
        }
        spec.job = m_csv.Get("job");
        for (const std::string& label : {spec.flow.group, spec.job})
        {
            if (const auto error = CheckGroup(label))
            {
                m_csv.Complain(*error);
            }
        }
        const FlowGraph::Step step = m_graph.Add(spec);
        m_csv.Require(m_steps.emplace(spec.flow.id, step).second,
                      "id",
                      "a number that no other flow or computation has");
        for (const AfterColumn& column : AFTER_COLUMNS)
        {
            ReadReferences(step, column);
        }
        if (!m_csv.Get(NEEDED_COLUMN).empty())
        {
            m_graph.SetNeeded(
                step,
                static_cast<uint32_t>(m_csv.GetWhole(NEEDED_COLUMN, 1, FlowGraph::MAX_STEPS)));
        }
    }

    /// Reads the IDs in a column of predecessors.
    void ReadReferences(FlowGraph::Step step, const AfterColumn& column)
    {
        std::istringstream text(m_csv.Get(column.name));
        for (std::string word; text >> word;)
        {
            const auto id = ParseWhole(word);
            m_csv.Require(id.has_value(), column.name, "ids, separated by blanks");
            m_references.push_back({step, *id, column.until});
        }
    }

    /// Adds the predecessors to the graph.
    void Resolve()
    {
        m_graph.Reserve(m_graph.GetNSteps(), m_references.size());
        for (const Reference& reference : m_references)
        {
            const auto found = m_steps.find(reference.id);
            if (found == m_steps.end())
            {
                throw FileComplaint(m_fileName + ": " + m_graph.Describe(reference.step) +
                                    " waits for " + std::to_string(reference.id) +
                                    ", which is the id of no line");
            }
            m_graph.AddPredecessor(reference.step, found->second, reference.until);
        }
    }

    LosslessCsvReader m_csv;
    std::string m_fileName;
    const Topology& m_topology;
    FlowGraph m_graph;
    std::unordered_map<uint64_t, FlowGraph::Step> m_steps; ///< steps by ID
    std::vector<Reference> m_references;                   ///< references yet to be resolved
};

/// @return the IDs of the predecessors that must reach this state, separated by spaces
std::string
ListPredecessors(const FlowGraph& graph, FlowGraph::Step step, FlowGraph::Until until)
{
    std::string list;
    for (const FlowGraph::Link& link : graph.GetPredecessors(step))
    {
        if (link.GetUntil() == until)
        {
            list += (list.empty() ? "" : " ") + std::to_string(graph.GetId(link.step));
        }
    }
    return list;
}

} // namespace

FlowList
ReadFlowCsv(const std::string& path, const Topology& topology)
{
    return ReadText(path, [&](auto& input) { return ParseFlowCsv(input, path, topology); });
}

FlowList
ParseFlowCsv(std::istream& input, const std::string& fileName, const Topology& topology)
{
    LosslessCsvReader csv(input, fileName);
    csv.ReadHeader(COLUMNS, OTHER_COLUMNS);
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

void
WriteFlowCsv(const std::string& path, const Topology& topology, const FlowList& flows)
{
    const std::error_code error =
        OutputFile(path).Write([&](std::ostream& os) { WriteFlowCsv(os, topology, flows); });
    NS_ABORT_MSG_IF(error,
                    "WriteFlowCsv: cannot write the file '" << path << "': " << error.message());
}

void
WriteFlowCsv(std::ostream& output, const Topology& topology, const FlowList& flows)
{
    const auto error = CheckFlows(flows, topology);
    NS_ABORT_MSG_IF(error, "WriteFlowCsv: " << *error);
    output << "id,source,destination,priority,bytes,start_ns,group\n";
    for (const auto& flow : flows)
    {
        output << flow.id << ',' << topology.GetHostName(flow.source) << ','
               << topology.GetHostName(flow.destination) << ',' << +flow.priority << ','
               << flow.bytes << ',' << FormatNanoSeconds(flow.start) << ',' << flow.group << '\n';
    }
}

FlowGraph
ReadFlowGraphCsv(const std::string& path, const Topology& topology)
{
    return ReadText(path, [&](auto& input) { return ParseFlowGraphCsv(input, path, topology); });
}

FlowGraph
ParseFlowGraphCsv(std::istream& input, const std::string& fileName, const Topology& topology)
{
    return GraphReader(input, fileName, topology).Read();
}

void
WriteFlowGraphCsv(std::ostream& output, const Topology& topology, const FlowGraph& graph)
{
    NS_ABORT_MSG_IF(!graph.IsComplete(), "WriteFlowGraphCsv: the graph was not checked");
    bool hasNeeded = false; // the column is written only if a step uses it
    for (FlowGraph::Step step = 0; step < graph.GetNSteps(); ++step)
    {
        hasNeeded = hasNeeded || !graph.NeedsAll(step);
    }
    output << "id,source,destination,priority,bytes,start_ns,group,after,after_received,"
              "after_started,"
           << (hasNeeded ? NEEDED_COLUMN + "," : "") << "compute_ns,job\n";
    for (FlowGraph::Step step = 0; step < graph.GetNSteps(); ++step)
    {
        const StepSpec spec = graph.GetStep(step);
        const FlowSpec& flow = spec.flow;
        output << flow.id << ',' << topology.GetHostName(flow.source) << ','
               << topology.GetHostName(flow.destination) << ',' << +flow.priority << ','
               << flow.bytes << ',' << FormatNanoSeconds(flow.start) << ',' << flow.group;
        for (const AfterColumn& column : AFTER_COLUMNS)
        {
            output << ',' << ListPredecessors(graph, step, column.until);
        }
        if (hasNeeded)
        {
            output << ',' << (graph.NeedsAll(step) ? "" : std::to_string(graph.GetNeeded(step)));
        }
        output << ',' << FormatNanoSeconds(spec.compute) << ',' << spec.job << '\n';
    }
}

} // namespace ns3::lossless
