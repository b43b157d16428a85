// SPDX-License-Identifier: GPL-2.0-only

#include "hpcc-format.h"

#include "lossless-fabric.h"

#include "ns3/abort.h"
#include "ns3/lossless-csv-reader.h"
#include "ns3/text-lines.h"
#include "ns3/topology-csv.h"

#include <algorithm>
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

const std::vector<std::string> LINK_COLUMNS{"src", "dst", "rate", "delay", "error_rate"};

const std::vector<std::string> FLOW_COLUMNS{"src",
                                            "dst",
                                            "priority",
                                            "dport",
                                            "size_bytes",
                                            "start_seconds"};

/// No file has more nodes: their addresses would not fit, see GetHpccAddress.
constexpr uint64_t MAX_NODES = 65536;

/**
 * @brief Read a field as a whole number.
 * @param csv the reader, at the line
 * @param column name of the field
 * @param least smallest number allowed
 * @param most largest number allowed
 * @param [out] number where to store it
 * @return a complaint, or nothing
 */
template <typename T>
std::optional<std::string>
ReadNumber(const LosslessCsvReader& csv,
           const std::string& column,
           uint64_t least,
           uint64_t most,
           T& number)
{
    const auto found = LosslessCsvReader::ToUint(csv.Get(column));
    if (!found || *found < least || *found > most)
    {
        return csv.Complain(column,
                            "a whole number from " + std::to_string(least) + " to " +
                                std::to_string(most));
    }
    number = static_cast<T>(*found);
    return std::nullopt;
}

/**
 * @brief Go to a line that must be there.
 * @param csv the reader
 * @param what is expected
 * @return a complaint, or nothing
 */
std::optional<std::string>
ReadLine(LosslessCsvReader& csv, const std::string& what)
{
    return csv.ReadFields() ? std::nullopt
                            : std::optional(csv.GetError().value_or(
                                  csv.Complain("the file ends here, before " + what)));
}

/**
 * @brief Go to the end of the text, where only explanations may be.
 * @param csv the reader
 * @param announced what the first line announces
 * @return a complaint about a line that looks like more of it, or nothing
 */
std::optional<std::string>
ReadRest(LosslessCsvReader& csv, const std::string& announced)
{
    while (csv.ReadFields())
    {
        if (std::isdigit(static_cast<unsigned char>(csv.GetFields().front().front())))
        {
            return csv.Complain("the first line announces " + announced + "; here is another one");
        }
    }
    return csv.GetError();
}

/// The first line of a topology file.
struct Counts
{
    uint64_t nodes{0};    //!< hosts and switches
    uint64_t switches{0}; //!< of them, switches
    uint64_t tors{0};     //!< of them, top-of-rack switches
    uint64_t links{0};    //!< links
};

/**
 * @brief Read the first line of a topology file.
 * @param csv the reader
 * @param [out] counts where to store it
 * @return a complaint, or nothing
 */
std::optional<std::string>
ReadCounts(LosslessCsvReader& csv, Counts& counts)
{
    if (auto error = ReadLine(csv, "the line `nodes switches links`"))
    {
        return error;
    }
    const bool hasTors = csv.GetFields().size() == 4;
    if (auto error =
            csv.NameFields(hasTors ? std::vector<std::string>{"nodes", "switches", "tors", "links"}
                                   : std::vector<std::string>{"nodes", "switches", "links"}))
    {
        return error;
    }
    if (auto error = ReadNumber(csv, "nodes", 1, MAX_NODES, counts.nodes))
    {
        return error;
    }
    if (auto error = ReadNumber(csv, "switches", 0, counts.nodes, counts.switches))
    {
        return error;
    }
    if (auto error =
            hasTors ? ReadNumber(csv, "tors", 0, counts.switches, counts.tors) : std::nullopt)
    {
        return error;
    }
    return ReadNumber(csv, "links", 0, std::numeric_limits<uint32_t>::max(), counts.links);
}

/**
 * @brief Read the ids of the switches, and make all nodes.
 * @param csv the reader
 * @param counts how many there are
 * @param [out] topology where to add the nodes
 * @return a complaint, or nothing
 */
std::optional<std::string>
ReadNodes(LosslessCsvReader& csv, const Counts& counts, Topology& topology)
{
    std::vector<std::string> layers(counts.nodes); // empty for hosts
    if (counts.switches > 0)
    {
        if (auto error = ReadLine(csv, "the ids of the switches"))
        {
            return error;
        }
        const auto& ids = csv.GetFields();
        if (ids.size() != counts.switches)
        {
            return csv.Complain("the line has " + std::to_string(ids.size()) +
                                " fields; it must have the ids of " +
                                std::to_string(counts.switches) + " switches");
        }
        for (size_t i = 0; i < ids.size(); i++)
        {
            const auto id = LosslessCsvReader::ToUint(ids[i]);
            if (!id || *id >= counts.nodes || !layers[*id].empty())
            {
                return csv.Complain("the id of a switch is '" + ids[i] +
                                    "'; allowed is a whole number from 0 to " +
                                    std::to_string(counts.nodes - 1) + " that stands here once");
            }
            layers[*id] = i < counts.tors ? "tor" : "switch";
        }
    }
    for (size_t id = 0; id < layers.size(); id++)
    {
        const std::string number = std::to_string(id);
        layers[id].empty() ? topology.AddHost("h" + number)
                           : topology.AddSwitch("s" + number, layers[id]);
    }
    return std::nullopt;
}

/**
 * @brief Read a link.
 * @param csv the reader
 * @param [out] topology where to add it
 * @return a complaint, or nothing
 */
std::optional<std::string>
ReadLink(LosslessCsvReader& csv, Topology& topology)
{
    if (auto error = csv.NameFields(LINK_COLUMNS))
    {
        return error;
    }
    const uint64_t last = topology.GetNodes().size() - 1;
    Topology::LinkInfo link{};
    if (auto error = ReadNumber(csv, "src", 0, last, link.nodeA))
    {
        return error;
    }
    if (auto error = ReadNumber(csv, "dst", 0, last, link.nodeB))
    {
        return error;
    }
    if (link.nodeA == link.nodeB)
    {
        return csv.Complain("dst", "another node than src");
    }
    if (auto error = ReadLinkValues(csv, link))
    {
        return error;
    }
    topology.AddLink(link.nodeA, link.nodeB, link.rate, link.delay, link.errorRate);
    return std::nullopt;
}

/**
 * @brief Read one end of a flow.
 * @param csv the reader, at the line
 * @param column "src" or "dst"
 * @param topology the network
 * @param [out] host where to store its host index
 * @return a complaint, or nothing
 */
std::optional<std::string>
ReadHost(const LosslessCsvReader& csv,
         const std::string& column,
         const Topology& topology,
         uint32_t& host)
{
    const auto id = LosslessCsvReader::ToUint(csv.Get(column));
    const bool exists = id && *id < topology.GetNodes().size();
    const auto index =
        exists ? topology.FindHostIndex(static_cast<uint32_t>(*id)) : std::optional<uint32_t>();
    if (!index)
    {
        return csv.Complain(column, "the id of a host");
    }
    host = *index;
    return std::nullopt;
}

/**
 * @brief Read a flow.
 * @param csv the reader
 * @param topology the network
 * @param [out] flows where to add it
 * @return a complaint, or nothing
 */
std::optional<std::string>
ReadFlow(LosslessCsvReader& csv, const Topology& topology, HpccFlows& flows)
{
    if (auto error = csv.NameFields(FLOW_COLUMNS))
    {
        return error;
    }
    FlowSpec flow;
    uint16_t port = 0;
    for (const auto& error :
         {ReadHost(csv, "src", topology, flow.source),
          ReadHost(csv, "dst", topology, flow.destination),
          ReadNumber(csv, "priority", 0, NUM_PRIORITIES - 1, flow.priority),
          ReadNumber(csv, "dport", 0, std::numeric_limits<uint16_t>::max(), port),
          ReadNumber(csv, "size_bytes", 1, std::numeric_limits<int64_t>::max(), flow.bytes)})
    {
        if (error)
        {
            return error;
        }
    }
    if (flow.source == flow.destination)
    {
        return csv.Complain("dst", "another host than src");
    }
    const auto start = LosslessCsvReader::ToDouble(csv.Get("start_seconds"));
    const double latest = std::floor(GetLatestStart().GetSeconds());
    if (!start || *start < 0 || *start > latest)
    {
        return csv.Complain("start_seconds",
                            "a number from 0 to " + std::to_string(std::llround(latest)));
    }
    flow.id = flows.flows.size();
    flow.start = NanoSeconds(std::llround(*start * 1e9));
    flow.group = "fork";
    flows.flows.push_back(flow);
    flows.destinationPorts.push_back(port);
    return std::nullopt;
}

/// @param fabric a network @param flow a flow @return its completion time at the sender, if idle
Time
GetStandaloneFct(const Fabric& fabric, const FlowSpec& flow)
{
    return fabric.GetIdealFct(flow) + fabric.GetIdealAcknowledgementTime(flow);
}

} // namespace

Topology
ReadHpccTopology(const std::string& path)
{
    std::ifstream input = OpenText(path);
    Topology topology;
    const auto error = ParseHpccTopology(input, path, topology);
    NS_ABORT_MSG_IF(error, *error);
    return topology;
}

std::optional<std::string>
ParseHpccTopology(std::istream& input, const std::string& fileName, Topology& topology)
{
    LosslessCsvReader csv(input, fileName, ' ');
    Counts counts;
    Topology found;
    if (auto error = ReadCounts(csv, counts))
    {
        return error;
    }
    if (auto error = ReadNodes(csv, counts, found))
    {
        return error;
    }
    const std::string announced = std::to_string(counts.links) + " links";
    for (uint64_t i = 0; i < counts.links; i++)
    {
        if (auto error = ReadLine(csv, "the last of " + announced))
        {
            return error;
        }
        if (auto error = ReadLink(csv, found))
        {
            return error;
        }
    }
    auto error = ReadRest(csv, announced);
    if (!error)
    {
        topology = std::move(found);
    }
    return error;
}

HpccFlows
ReadHpccFlows(const std::string& path, const Topology& topology)
{
    std::ifstream input = OpenText(path);
    HpccFlows flows;
    const auto error = ParseHpccFlows(input, path, topology, flows);
    NS_ABORT_MSG_IF(error, *error);
    return flows;
}

std::optional<std::string>
ParseHpccFlows(std::istream& input,
               const std::string& fileName,
               const Topology& topology,
               HpccFlows& flows)
{
    LosslessCsvReader csv(input, fileName, ' ');
    if (auto error = ReadLine(csv, "the number of flows"))
    {
        return error;
    }
    if (auto error = csv.NameFields({"flows"}))
    {
        return error;
    }
    uint64_t count = 0;
    if (auto error = ReadNumber(csv, "flows", 0, std::numeric_limits<uint32_t>::max(), count))
    {
        return error;
    }
    const std::string announced = std::to_string(count) + " flows";
    HpccFlows found;
    for (uint64_t i = 0; i < count; i++)
    {
        if (auto error = ReadLine(csv, "the last of " + announced))
        {
            return error;
        }
        if (auto error = ReadFlow(csv, topology, found))
        {
            return error;
        }
    }
    auto error = ReadRest(csv, announced);
    if (!error)
    {
        SortByStart(found.flows);
        flows = std::move(found);
    }
    return error;
}

uint32_t
GetHpccAddress(uint32_t id)
{
    // node_id_to_ip() of the simulators.
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
