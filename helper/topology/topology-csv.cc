// SPDX-License-Identifier: GPL-2.0-only
#include "topology-csv.h"

#include "topology-checks.h"
#include "topology-format.h"

#include "ns3/lossless-csv-reader.h"
#include "ns3/quantity-text.h"
#include "ns3/text-lines.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <unordered_map>
#include <utility>

namespace ns3::lossless
{

namespace
{

const RegisterFormat<TopologyFormat> g_csvTopology("csv", 10, [](TopologyFormat& format) {
    format.what = "links as in topology.csv, where h and a number, such as h0, name a host";
    format.endings = ".csv";
    format.parse = [](std::istream& input, const std::string& fileName) {
        return FileTopology{Topology::ParseCsv(input, fileName)};
    };
});

const std::vector<std::string> REQUIRED_COLUMNS{"node_a", "node_b", "rate", "delay"};
const std::vector<std::string> OPTIONAL_COLUMNS{"error_rate", "failed", "kind_a", "kind_b"};

constexpr const char* RATE_ALLOWED = "a rate above 0 with the unit bps, kbps, Mbps, Gbps or Tbps";

/// @return the number in a name that consists of the letter h and a number, or nothing for any
/// other name
std::optional<uint64_t>
GetHostNumber(const std::string& name)
{
    if (name.empty() || (name[0] != 'h' && name[0] != 'H'))
    {
        return std::nullopt;
    }
    return ParseWhole(name.substr(1));
}

std::string
GetLayerFromName(const std::string& name)
{
    const std::string stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
    if (stem == "agg")
    {
        return "aggregation";
    }
    return stem.empty() || stem == "s" ? "switch" : stem;
}

/// Collects the rows of a topology file and builds the network from them.
class TopologyFile
{
  public:
    void ReadRow(const LosslessCsvReader& csv);

    Topology Build() const;

  private:
    struct Row
    {
        std::string nodeA;
        std::string nodeB;
        Topology::LinkInfo link{}; ///< the link, without node indices
    };

    /// Records one node of the current row.
    /// @param end "a" or "b"
    void ReadNode(const LosslessCsvReader& csv, const std::string& end);

    std::vector<Row> m_rows;          ///< rows, in file order
    std::vector<std::string> m_names; ///< names of the nodes, in order of appearance
    std::unordered_map<std::string, Topology::NodeKind> m_kindByName;
};

void
TopologyFile::ReadNode(const LosslessCsvReader& csv, const std::string& end)
{
    const std::string& name = csv.Get("node_" + end);
    csv.Require(IsFitForCsv(name),
                "node_" + end,
                "a name without blanks, quotes, semicolons and colons");
    bool host = GetHostNumber(name).has_value();
    const std::string kindColumn = "kind_" + end;
    if (csv.Has(kindColumn))
    {
        host = csv.Get(kindColumn) == "host";
        csv.Require(host || csv.Get(kindColumn) == "switch", kindColumn, "host or switch");
    }
    const auto kind = host ? Topology::NodeKind::HOST : Topology::NodeKind::SWITCH;
    const auto [entry, isNew] = m_kindByName.emplace(name, kind);
    if (isNew)
    {
        m_names.push_back(name);
    }
    else if (entry->second != kind)
    {
        csv.Complain("'" + name + "' is a host in one line and a switch in another");
    }
}

void
TopologyFile::ReadRow(const LosslessCsvReader& csv)
{
    ReadNode(csv, "a");
    ReadNode(csv, "b");
    Row row{csv.Get("node_a"), csv.Get("node_b")};
    if (row.nodeA == row.nodeB)
    {
        csv.Complain("'" + row.nodeA + "' is joined to itself; a link needs two nodes");
    }
    ReadLinkValues(csv, row.link);
    if (csv.Has("failed"))
    {
        row.link.failed = csv.Get("failed") == "1";
        csv.Require(row.link.failed || csv.Get("failed") == "0", "failed", "0 or 1");
    }
    m_rows.push_back(std::move(row));
}

Topology
TopologyFile::Build() const
{
    std::vector<std::string> hosts;
    std::vector<std::string> switches;
    for (const auto& name : m_names)
    {
        const bool isHost = m_kindByName.at(name) == Topology::NodeKind::HOST;
        (isHost ? hosts : switches).push_back(name);
    }
    const auto order = [](const std::string& name) {
        return GetHostNumber(name).value_or(std::numeric_limits<uint64_t>::max());
    };
    std::stable_sort(hosts.begin(), hosts.end(), [&order](const auto& a, const auto& b) {
        return order(a) < order(b);
    });

    Topology topology;
    for (const auto& name : hosts)
    {
        topology.AddHost(name);
    }
    for (const auto& name : switches)
    {
        topology.AddSwitch(name, GetLayerFromName(name));
    }
    for (const auto& row : m_rows)
    {
        Topology::LinkInfo link = row.link;
        link.nodeA = *topology.FindNode(row.nodeA);
        link.nodeB = *topology.FindNode(row.nodeB);
        topology.AddLink(link);
    }
    return topology;
}

} // namespace

void
ReadLinkValues(const LosslessCsvReader& csv, Topology::LinkInfo& link, BareRates bare)
{
    constexpr double slowest = 1e6; // in bit/s; a lower number without a unit is probably not in
                                    // bit/s
    const bool isBare =
        bare == BareRates::BITS_PER_SECOND && ParseNumber(csv.Get("rate")).value_or(0) >= slowest;
    const auto rate = ParseRate(csv.Get("rate") + (isBare ? "bps" : ""));
    csv.Require(rate && rate->GetBitRate() > 0,
                "rate",
                std::string(RATE_ALLOWED) + (bare == BareRates::BITS_PER_SECOND
                                                 ? ", or a number of bit/s from 1000000 on"
                                                 : ""));
    const auto delay = ParseDelay(csv.Get("delay"));
    csv.Require(delay.has_value(),
                "delay",
                "a time of at least 0 with the unit s, ms, us, ns or ps, " + DescribeTicks());
    const auto errorRate = csv.Has("error_rate") ? ParseNumber(csv.Get("error_rate")) : 0.0;
    csv.Require(errorRate && *errorRate >= 0 && *errorRate <= 1,
                "error_rate",
                "a number from 0 to 1 in digits without separators, as 0.001 or 1e-6");
    link.rate = *rate;
    link.delay = *delay;
    link.errorRate = *errorRate;
}

Topology
Topology::FromCsv(const std::string& path)
{
    return ReadText(path, [&path](std::istream& input) { return ParseCsv(input, path); });
}

Topology
Topology::ParseCsv(std::istream& input, const std::string& fileName)
{
    LosslessCsvReader csv(input, fileName);
    csv.ReadHeader(REQUIRED_COLUMNS, OPTIONAL_COLUMNS);
    TopologyFile file;
    while (csv.Next())
    {
        file.ReadRow(csv);
    }
    return file.Build();
}

void
Topology::ToCsv(std::ostream& output) const
{
    const auto kind = [this](uint32_t node) {
        return m_nodes[node].kind == NodeKind::HOST ? "host" : "switch";
    };
    output << "node_a,node_b,rate,delay,error_rate,failed,kind_a,kind_b\n";
    for (const auto& link : m_links)
    {
        std::ostringstream errorRate;
        errorRate.precision(std::numeric_limits<double>::max_digits10);
        errorRate << link.errorRate;
        output << m_nodes[link.nodeA].name << ',' << m_nodes[link.nodeB].name << ','
               << FormatRate(link.rate) << ',' << FormatDelay(link.delay) << ',' << errorRate.str()
               << ',' << link.failed << ',' << kind(link.nodeA) << ',' << kind(link.nodeB) << '\n';
    }
}

} // namespace ns3::lossless
