// SPDX-License-Identifier: GPL-2.0-only

#include "hpcc-format.h"

#include "lossless-fabric.h"

#include "ns3/flow-format.h"
#include "ns3/lossless-csv-reader.h"
#include "ns3/quantity-text.h"
#include "ns3/text-lines.h"
#include "ns3/topology-csv.h"

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <cctype>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>
#include <utility>

namespace ns3::lossless
{

namespace
{

const RegisterFormat<TopologyFormat> g_hpccTopology(HPCC_FORMAT, 20, [](TopologyFormat& format) {
    format.what = "the format of the HPCC simulator and its forks";
    format.parse = ParseHpccTopology;
});

const RegisterFormat<FlowFormat> g_hpccFlows(HPCC_FORMAT, 20, [](FlowFormat& format) {
    format.what = "the format of the HPCC simulator and its forks";
});

const std::vector<std::string> LINK_COLUMNS{"src", "dst", "rate", "delay", "error_rate"};

const std::vector<std::string> FLOW_COLUMNS{"src",
                                            "dst",
                                            "priority",
                                            "dport",
                                            "size_bytes",
                                            "start_seconds"};

/// The columns of flow files for forks in which the simulator assigns the ports.
const std::vector<std::string> PORTLESS_COLUMNS{"src",
                                                "dst",
                                                "priority",
                                                "size_bytes",
                                                "start_seconds"};

/// The maximum number of nodes. Further nodes would have addresses outside 11.0.0.0/8; see
/// GetHpccAddress().
constexpr uint64_t MAX_NODES = 65536;

/// Reads the next line. Throws a FileComplaint if the file ends instead.
/// @param what the expected content
void
ReadLine(LosslessCsvReader& csv, const std::string& what)
{
    if (!csv.ReadFields())
    {
        csv.Complain("the file ends here, before " + what);
    }
}

/// Skips the rest of the file, which the simulators ignore. The rest consists of explanations and
/// of lines beyond the announced number.
/// @return a note about the skipped lines that start with a digit, if any
std::optional<std::string>
SkipRest(LosslessCsvReader& csv, const std::string& fileName, const std::string& announced)
{
    uint64_t lines = 0;
    while (csv.ReadFields())
    {
        const char first = csv.GetFields().front().front();
        lines += std::isdigit(static_cast<unsigned char>(first)) ? 1 : 0;
    }
    if (lines == 0)
    {
        return std::nullopt;
    }
    return fileName + " announces " + announced + ", and " + std::to_string(lines) +
           (lines == 1 ? " more line was" : " more lines were") +
           " not read, as in the simulators.";
}

/// The first line of a topology file.
struct Counts
{
    uint64_t nodes{0}; ///< number of hosts and switches
    uint64_t switches{0};
    uint64_t first{0};      ///< number of switches in firstLayer, which are listed first
    std::string firstLayer; ///< layer of the switches listed first
    uint64_t links{0};
};

/// The possible columns of the first line, keyed by the number of columns, which is usually three.
/// Forks that specify the top-of-rack switches have four columns. SimAI, which describes GPU
/// servers, has six, and its `switches` column does not count NVSwitches. For the six columns of
/// Reverie, see RATED_COLUMNS.
const std::map<std::size_t, std::vector<std::string>> COUNT_COLUMNS{
    {3, {"nodes", "switches", "links"}},
    {4, {"nodes", "switches", "tors", "links"}},
    {6, {"nodes", "gpus_per_server", "nvswitches", "switches", "links", "gpu_type"}}};

/// The columns of the first line in Reverie. The last two are used only by its congestion control,
/// because each link specifies its own rate. In SimAI files, which also have six columns, the last
/// column is a name such as H100.
const std::vector<std::string> RATED_COLUMNS{"nodes",
                                             "switches",
                                             "tors",
                                             "links",
                                             "host_rate",
                                             "fabric_rate"};

Counts
ReadCounts(LosslessCsvReader& csv)
{
    ReadLine(csv, "the line `nodes switches links`");
    const auto& fields = csv.GetFields();
    const auto columns = COUNT_COLUMNS.find(fields.size());
    if (columns == COUNT_COLUMNS.end())
    {
        std::vector<std::string> forms;
        for (const auto& [number, names] : COUNT_COLUMNS)
        {
            forms.push_back("`" + boost::algorithm::join(names, " ") + "`");
        }
        csv.Complain("the line has " + CountThings(fields.size(), "field") +
                     "; the first line must be " + boost::algorithm::join(forms, " or ") +
                     (fields.size() == 1 && ParseWhole(fields[0])
                          ? "; is this a file of flows, which is for --flows?"
                          : ""));
    }
    const bool isRated = fields.size() == RATED_COLUMNS.size() && ParseNumber(fields.back());
    csv.NameFields(isRated ? RATED_COLUMNS : columns->second);
    Counts counts;
    counts.nodes = csv.GetWhole("nodes", 1, MAX_NODES);
    counts.switches = csv.GetWhole("switches", 0, counts.nodes);
    counts.links = csv.GetWhole("links", 0, std::numeric_limits<uint32_t>::max());
    if (csv.Has("tors"))
    {
        counts.first = csv.GetWhole("tors", 0, counts.switches);
        counts.firstLayer = "tor";
    }
    else if (csv.Has("nvswitches"))
    {
        counts.first = csv.GetWhole("nvswitches", 0, counts.nodes - counts.switches);
        counts.firstLayer = NVSWITCH_LAYER;
        counts.switches += counts.first;
    }
    return counts;
}

/// Reads the IDs of the switches, which can span several lines.
/// @return the layer of each node; empty for hosts
std::vector<std::string>
ReadSwitches(LosslessCsvReader& csv, const Counts& counts)
{
    std::vector<std::string> layers(counts.nodes);
    uint64_t found = 0;
    while (found < counts.switches)
    {
        ReadLine(csv, "the ids of the switches");
        const auto& fields = csv.GetFields();
        if (fields.size() >= 3 && !ParseWhole(fields[2])) // the rate of a link
        {
            csv.Complain("this looks like a link, and the lines above have " +
                         std::to_string(found) + " of " + std::to_string(counts.switches) +
                         " ids of switches");
        }
        for (const std::string& text : fields)
        {
            if (found == counts.switches)
            {
                csv.Complain("here are more ids than switches, of which the first line announces " +
                             std::to_string(counts.switches));
            }
            const auto id = ParseWhole(text);
            if (!id || *id >= counts.nodes || !layers[*id].empty())
            {
                csv.Complain("the id of a switch is '" + text +
                             "'; allowed is a whole number from 0 to " +
                             std::to_string(counts.nodes - 1) + ", each listed once");
            }
            layers[*id] = found < counts.first ? counts.firstLayer : "switch";
            ++found;
        }
    }
    return layers;
}

/// Reads the IDs of the switches and creates all nodes.
void
ReadNodes(LosslessCsvReader& csv, const Counts& counts, Topology& topology)
{
    if (counts.switches == counts.nodes)
    {
        csv.Complain("all " + std::to_string(counts.nodes) +
                     " nodes are switches; hosts are the nodes whose ids the second line does not "
                     "list");
    }
    const std::vector<std::string> layers = ReadSwitches(csv, counts);
    for (size_t id = 0; id < layers.size(); id++)
    {
        const std::string number = std::to_string(id);
        if (layers[id].empty())
        {
            topology.AddHost("h" + number);
        }
        else
        {
            topology.AddSwitch("s" + number, layers[id]);
        }
    }
}

void
ReadLink(LosslessCsvReader& csv, Topology& topology)
{
    csv.NameFields(LINK_COLUMNS);
    const uint64_t last = topology.GetNodes().size() - 1;
    Topology::LinkInfo link{};
    link.nodeA = static_cast<uint32_t>(csv.GetWhole("src", 0, last));
    link.nodeB = static_cast<uint32_t>(csv.GetWhole("dst", 0, last));
    csv.Require(link.nodeA != link.nodeB, "dst", "another node than src");
    ReadLinkValues(csv, link, BareRates::BITS_PER_SECOND);
    topology.AddLink(link);
}

/// @param column "src" or "dst"
/// @return the host index of this end of the flow
uint32_t
ReadHost(const LosslessCsvReader& csv, const std::string& column, const Topology& topology)
{
    const auto id = ParseWhole(csv.Get(column));
    const bool exists = id && *id < topology.GetNodes().size();
    const auto index =
        exists ? topology.FindHostIndex(static_cast<uint32_t>(*id)) : std::optional<uint32_t>();
    csv.Require(index.has_value(), column, "the id of a host");
    return *index;
}

/// Distinguishes flow files of the HPCC simulator from those of ns3-rdma, whose last three columns
/// are the number of packets, the start time and the end time. Times are in seconds.
class RdmaSigns
{
  public:
    /// Examines a line.
    /// @return true if the line can only come from a file of ns3-rdma
    bool Note(const std::vector<std::string>& fields)
    {
        constexpr double latest = 1000; // in seconds; flows of ns3-rdma start earlier
        if (fields.size() != FLOW_COLUMNS.size())
        {
            return false;
        }
        constexpr double none = -1;
        const double fifth = ParseNumber(fields[4]).value_or(none);
        const double last = ParseNumber(fields[5]).value_or(none);
        const uint64_t fourth = ParseWhole(fields[3]).value_or(0);
        const bool areTimes = fifth >= 0 && fifth < latest && last > fifth;
        // In ns3-rdma, the last column is an end time in whole milliseconds. In HPCC, it is a start
        // time, and the start times of small flows are only microseconds apart.
        const bool isRound = std::abs(1000 * last - std::round(1000 * last)) < 1e-6;
        m_times += areTimes && isRound ? 1 : 0;
        m_sizes += fifth >= latest || (fifth > 0 && !isRound) ? 1 : 0;
        const bool isPort = fourth <= std::numeric_limits<uint16_t>::max();
        return areTimes && (!ParseWhole(fields[4]) || !isPort);
    }

    /// @return true if lines that look like ns3-rdma outnumber those that cannot be from ns3-rdma
    bool Prevail() const
    {
        return m_times > m_sizes;
    }

  private:
    uint64_t m_times{0}; ///< number of lines that look like those of ns3-rdma
    uint64_t m_sizes{0}; ///< number of lines that cannot be from ns3-rdma
};

void
ReadFlow(const LosslessCsvReader& csv, const Topology& topology, HpccFlows& flows)
{
    const bool hasPort = csv.Has("dport");
    FlowSpec flow;
    flow.source = ReadHost(csv, "src", topology);
    flow.destination = ReadHost(csv, "dst", topology);
    flow.priority = static_cast<uint8_t>(csv.GetWhole("priority", 0, NUM_PRIORITIES - 1));
    const uint64_t port =
        hasPort ? csv.GetWhole("dport", 0, std::numeric_limits<uint16_t>::max()) : 0;
    flow.bytes = csv.GetWhole("size_bytes", 0, MAX_FLOW_BYTES);
    flows.empty += flow.bytes == 0 ? 1 : 0;
    flow.bytes = std::max(flow.bytes, EMPTY_FLOW_BYTES);
    csv.Require(flow.source != flow.destination, "dst", "another host than src");
    const auto start = ParseNumber(csv.Get("start_seconds"));
    const double latest = std::floor(GetLatestStart().GetSeconds());
    csv.Require(start && *start >= 0 && *start <= latest,
                "start_seconds",
                "a number from 0 to " + std::to_string(std::llround(latest)) +
                    " in digits without separators, as 2.000001");
    flow.id = flows.flows.size();
    flow.start = NanoSeconds(std::llround(*start * 1e9));
    flow.group = "fork";
    flows.flows.push_back(flow);
    flows.destinationPorts.push_back(static_cast<uint16_t>(port));
}

/// Adds messages about empty flows and about start times that are probably not in seconds.
/// @param flows the flows, sorted by start time
void
NoteOddities(const std::string& fileName, HpccFlows& flows)
{
    const auto add = [&flows](const std::string& sentence) {
        flows.note = (flows.note ? *flows.note + " " : "") + sentence;
    };
    if (flows.empty > 0)
    {
        add(CountThings(flows.empty, "flow") + " of 0 bytes: sent as a message of 1 byte.");
    }
    const Time last = flows.flows.empty() ? Time(0) : flows.flows.back().start;
    if (last > Seconds(1000)) // runs of these simulators are shorter
    {
        add(fileName + ": the last flow starts at " +
            std::to_string(std::llround(last.GetSeconds())) +
            " s, as starts are in seconds; are they in nanoseconds?");
    }
}

/// Reads the first line of a file of flows.
/// @return the number of flows
uint64_t
ReadFlowCount(LosslessCsvReader& csv)
{
    ReadLine(csv, "the number of flows");
    if (csv.GetFields().size() > 1)
    {
        const std::size_t fields = csv.GetFields().size();
        csv.Complain(
            "the line has " + CountThings(fields, "field") +
            "; the first line must be the number of flows" +
            (fields == PORTLESS_COLUMNS.size() || ParseNumber(csv.GetFields().back()) == 0.0
                 ? "; is it missing?"
             : COUNT_COLUMNS.count(fields) > 0 ? "; is this a topology, which is for --topology?"
                                               : ""));
    }
    csv.NameFields({"flows"});
    return csv.GetWhole("flows", 0, std::numeric_limits<uint32_t>::max());
}

/// @return the completion time at the sender on the idle network
Time
GetStandaloneFct(const Fabric& fabric, const FlowSpec& flow)
{
    return fabric.GetIdealFct(flow) + fabric.GetIdealAcknowledgementTime(flow);
}

} // namespace

FileTopology
ReadHpccTopology(const std::string& path)
{
    return ReadText(path, [&path](auto& input) { return ParseHpccTopology(input, path); });
}

FileTopology
ParseHpccTopology(std::istream& input, const std::string& fileName)
{
    LosslessCsvReader csv(input, fileName, ' ');
    const Counts counts = ReadCounts(csv);
    FileTopology read;
    ReadNodes(csv, counts, read.topology);
    const std::string announced = CountThings(counts.links, "link");
    for (uint64_t i = 0; i < counts.links; i++)
    {
        ReadLine(csv, "the last of " + announced);
        ReadLink(csv, read.topology);
    }
    read.note = SkipRest(csv, fileName, announced);
    return read;
}

HpccFlows
ReadHpccFlows(const std::string& path, const Topology& topology)
{
    return ReadText(path, [&](auto& input) { return ParseHpccFlows(input, path, topology); });
}

HpccFlows
ParseHpccFlows(std::istream& input, const std::string& fileName, const Topology& topology)
{
    LosslessCsvReader csv(input, fileName, ' ');
    const uint64_t count = ReadFlowCount(csv);
    const std::string announced = CountThings(count, "flow");
    HpccFlows flows;
    const std::vector<std::string>* columns = &FLOW_COLUMNS;
    RdmaSigns signs;
    for (uint64_t i = 0; i < count; i++)
    {
        ReadLine(csv, "the last of " + announced);
        const auto& fields = csv.GetFields();
        columns = i == 0 && fields.size() == PORTLESS_COLUMNS.size() ? &PORTLESS_COLUMNS : columns;
        if (fields.size() < columns->size())
        {
            csv.Complain("the line has " + CountThings(fields.size(), "field") +
                         "; a flow is in one line, `" + boost::algorithm::join(*columns, " ") +
                         "`");
        }
        csv.NameFields(*columns);
        const bool isRdma = signs.Note(fields);
        if (isRdma || (i + 1 == count && signs.Prevail()))
        {
            csv.Complain("the flows look like those of ns3-rdma, `src dst priority packets start "
                         "end`, which are not read; write `" +
                         boost::algorithm::join(FLOW_COLUMNS, " ") +
                         "`, or, if the flows are so small, all of them without dport");
        }
        ReadFlow(csv, topology, flows);
    }
    flows.note = SkipRest(csv, fileName, announced);
    SortByStart(flows.flows);
    NoteOddities(fileName, flows);
    return flows;
}

uint32_t
GetHpccAddress(uint32_t id)
{
    // This is the formula of node_id_to_ip() in the simulators.
    return 0x0b000001 + (id / 256) * 0x10000 + (id % 256) * 0x100;
}

void
WriteHpccFct(std::ostream& output,
             const HpccFlows& flows,
             const Fabric& fabric,
             const std::map<uint64_t, FlowRecord>& records)
{
    using Completion = std::pair<const FlowSpec*, const FlowRecord*>;
    std::vector<Completion> done;
    for (const auto& flow : flows.flows)
    {
        const auto record = records.find(flow.id);
        if (record != records.end() && record->second.acknowledged.IsStrictlyPositive())
        {
            done.emplace_back(&flow, &record->second);
        }
    }
    std::stable_sort(done.begin(), done.end(), [](const Completion& a, const Completion& b) {
        return a.second->acknowledged < b.second->acknowledged;
    });
    const auto address = [&fabric](uint32_t host) {
        std::ostringstream text;
        text << std::hex << std::setfill('0') << std::setw(8)
             << GetHpccAddress(fabric.GetTopology().GetHosts()[host]);
        return text.str();
    };
    for (const auto& [flow, record] : done)
    {
        output << address(flow->source) << ' ' << address(flow->destination) << ' '
               << record->flow.sourcePort << ' ' << flows.destinationPorts.at(flow->id) << ' '
               << flow->bytes << ' ' << record->start.GetNanoSeconds() << ' '
               << (record->acknowledged - record->start).GetNanoSeconds() << ' '
               << GetStandaloneFct(fabric, *flow).GetNanoSeconds() << '\n';
    }
}

} // namespace ns3::lossless
