// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-topology.h"

#include "ns3/abort.h"
#include "ns3/lossless-csv-reader.h"
#include "ns3/quantity-text.h"
#include "ns3/text-lines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// Columns of a topology file.
const std::vector<std::string> REQUIRED_COLUMNS{"node_a", "node_b", "rate", "delay"};
const std::vector<std::string> OPTIONAL_COLUMNS{"error_rate", "failed", "kind_a", "kind_b"};

constexpr const char* RATE_ALLOWED = "a rate above 0 with the unit bps, kbps, Mbps, Gbps or Tbps";
constexpr const char* DELAY_ALLOWED = "a time of at least 0 with the unit s, ms, us, ns or ps";

/**
 * @brief Get the number of a host that is named by the letter h and a number.
 * @param name a node name
 * @return the number, or nothing for any other name
 */
std::optional<uint64_t>
GetHostNumber(const std::string& name)
{
    if (name.empty() || (name[0] != 'h' && name[0] != 'H'))
    {
        return std::nullopt;
    }
    return LosslessCsvReader::ToUint(name.substr(1));
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

bool
IsFitForCsv(const std::string& name)
{
    return !name.empty() && name[0] != '#' &&
           name.find_first_of(",;\"' \t\r\n") == std::string::npos;
}

std::optional<std::string>
CheckPositive(const std::string& what, uint32_t value)
{
    if (value > 0)
    {
        return std::nullopt;
    }
    return "number of " + what + " is 0; at least 1 is needed";
}

std::optional<std::string>
CheckRate(const std::string& what, DataRate rate)
{
    if (rate.GetBitRate() > 0)
    {
        return std::nullopt;
    }
    return what + " is 0 bit/s; it must be above 0";
}

std::optional<std::string>
CheckDelay(const std::string& what, Time delay)
{
    if (!delay.IsStrictlyNegative())
    {
        return std::nullopt;
    }
    return what + " is negative; it must be at least 0";
}

/**
 * @brief Get the first complaint of several checks.
 * @param checks results of the checks
 * @return the first one that is a complaint, or nothing
 */
std::optional<std::string>
FirstComplaint(std::initializer_list<std::optional<std::string>> checks)
{
    const auto* found = std::find_if(checks.begin(), checks.end(), [](const auto& check) {
        return check.has_value();
    });
    return found == checks.end() ? std::nullopt : *found;
}

/**
 * @brief Add switches named after their layer.
 * @param topology where to add
 * @param prefix name before the number
 * @param layer name of the layer
 * @param count how many
 * @return node index of the first one; the others follow
 */
uint32_t
AddSwitches(Topology& topology, const std::string& prefix, const std::string& layer, uint32_t count)
{
    const auto first = static_cast<uint32_t>(topology.GetNodes().size());
    for (uint32_t i = 0; i < count; i++)
    {
        topology.AddSwitch(prefix + std::to_string(i), layer);
    }
    return first;
}

/**
 * @brief Add the hosts h0, h1, ... to a network without nodes, so node and host index agree.
 * @param topology where to add
 * @param count how many
 */
void
AddHosts(Topology& topology, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
    {
        topology.AddHost("h" + std::to_string(i));
    }
}

/**
 * @brief Join the hosts to consecutive switches, the same number to each.
 * @param topology the network
 * @param firstSwitch node index of the switch of host 0
 * @param hostsPerSwitch hosts at each switch
 * @param rate rate of the links
 * @param delay delay of the links
 */
void
AttachHosts(Topology& topology,
            uint32_t firstSwitch,
            uint32_t hostsPerSwitch,
            DataRate rate,
            Time delay)
{
    const auto hosts = static_cast<uint32_t>(topology.GetHosts().size());
    for (uint32_t i = 0; i < hosts; i++)
    {
        topology.AddLink(i, firstSwitch + i / hostsPerSwitch, rate, delay);
    }
}

/// Finds the connected parts of a graph.
class DisjointSets
{
  public:
    explicit DisjointSets(size_t size)
        : m_parent(size)
    {
        std::iota(m_parent.begin(), m_parent.end(), 0);
    }

    uint32_t Find(uint32_t element)
    {
        while (m_parent[element] != element)
        {
            m_parent[element] = m_parent[m_parent[element]];
            element = m_parent[element];
        }
        return element;
    }

    void Join(uint32_t a, uint32_t b)
    {
        m_parent[Find(a)] = Find(b);
    }

  private:
    std::vector<uint32_t> m_parent; //!< an element on the way to the representative
};

bool
Intersect(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b)
{
    return std::any_of(a.begin(), a.end(), [&b](uint32_t element) {
        return std::binary_search(b.begin(), b.end(), element);
    });
}

/// Collects the rows of a topology file and builds the network from them.
class TopologyFile
{
  public:
    /**
     * @brief Read one row.
     * @param csv the reader, at the row
     * @return a complaint, or nothing
     */
    std::optional<std::string> ReadRow(const LosslessCsvReader& csv);

    /// @return the network
    Topology Build() const;

  private:
    /// Two names and what joins them.
    struct Row
    {
        std::string nodeA;         //!< name of one end
        std::string nodeB;         //!< name of the other end
        Topology::LinkInfo link{}; //!< without the indices of the nodes
    };

    /**
     * @brief Note a node of the row.
     * @param csv the reader, at the row
     * @param end "a" or "b"
     * @return a complaint, or nothing
     */
    std::optional<std::string> ReadNode(const LosslessCsvReader& csv, const std::string& end);

    /**
     * @brief Read whether a link has failed, if there is such a column.
     * @param csv the reader, at the row
     * @param [out] failed where to store it
     * @return a complaint, or nothing
     */
    static std::optional<std::string> ReadFailed(const LosslessCsvReader& csv, bool& failed);

    std::vector<Row> m_rows;                                          //!< in order of the file
    std::vector<std::string> m_names;                                 //!< in order of appearance
    std::unordered_map<std::string, Topology::NodeKind> m_kindByName; //!< of all m_names
};

std::optional<std::string>
TopologyFile::ReadNode(const LosslessCsvReader& csv, const std::string& end)
{
    const std::string& name = csv.Get("node_" + end);
    if (!IsFitForCsv(name))
    {
        return csv.Complain("node_" + end, "a name without blanks, quotes and semicolons");
    }
    bool host = GetHostNumber(name).has_value();
    const std::string kindColumn = "kind_" + end;
    if (csv.Has(kindColumn))
    {
        const std::string& text = csv.Get(kindColumn);
        if (text != "host" && text != "switch")
        {
            return csv.Complain(kindColumn, "host or switch");
        }
        host = text == "host";
    }
    const auto kind = host ? Topology::NodeKind::HOST : Topology::NodeKind::SWITCH;
    const auto [entry, isNew] = m_kindByName.emplace(name, kind);
    if (isNew)
    {
        m_names.push_back(name);
    }
    else if (entry->second != kind)
    {
        return csv.Complain("'" + name + "' is a host in one line and a switch in another");
    }
    return std::nullopt;
}

std::optional<std::string>
TopologyFile::ReadFailed(const LosslessCsvReader& csv, bool& failed)
{
    if (csv.Has("failed"))
    {
        const std::string& text = csv.Get("failed");
        if (text != "0" && text != "1")
        {
            return csv.Complain("failed", "0 or 1");
        }
        failed = text == "1";
    }
    return std::nullopt;
}

std::optional<std::string>
TopologyFile::ReadRow(const LosslessCsvReader& csv)
{
    if (auto error = FirstComplaint({ReadNode(csv, "a"), ReadNode(csv, "b")}))
    {
        return error;
    }
    Row row{csv.Get("node_a"), csv.Get("node_b")};
    if (row.nodeA == row.nodeB)
    {
        return csv.Complain("'" + row.nodeA + "' is joined to itself; a link needs two nodes");
    }
    if (auto error = ReadLinkValues(csv, row.link))
    {
        return error;
    }
    auto error = ReadFailed(csv, row.link.failed);
    m_rows.push_back(std::move(row));
    return error;
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
        const auto link = topology.AddLink(row.nodeA,
                                           row.nodeB,
                                           row.link.rate,
                                           row.link.delay,
                                           row.link.errorRate);
        if (row.link.failed)
        {
            topology.FailLink(link);
        }
    }
    return topology;
}

} // namespace

std::optional<std::string>
ReadLinkValues(const LosslessCsvReader& csv, Topology::LinkInfo& link)
{
    const auto rate = ParseRate(csv.Get("rate"));
    if (!rate || rate->GetBitRate() == 0)
    {
        return csv.Complain("rate", RATE_ALLOWED);
    }
    const auto delay = ParseDelay(csv.Get("delay"));
    if (!delay)
    {
        return csv.Complain("delay", DELAY_ALLOWED);
    }
    const auto errorRate =
        csv.Has("error_rate") ? LosslessCsvReader::ToDouble(csv.Get("error_rate")) : 0.0;
    if (!errorRate || *errorRate < 0 || *errorRate > 1)
    {
        return csv.Complain("error_rate", "a number from 0 to 1");
    }
    link.rate = *rate;
    link.delay = *delay;
    link.errorRate = *errorRate;
    return std::nullopt;
}

std::optional<std::string>
StarOptions::Check() const
{
    return FirstComplaint(
        {CheckPositive("hosts", hosts), CheckRate("rate", rate), CheckDelay("delay", delay)});
}

std::optional<std::string>
DumbbellOptions::Check() const
{
    return FirstComplaint({CheckPositive("hosts on the left", left),
                           CheckPositive("hosts on the right", right),
                           CheckRate("host rate", hostRate),
                           CheckRate("bottleneck rate", bottleneckRate),
                           CheckDelay("host delay", hostDelay),
                           CheckDelay("bottleneck delay", bottleneckDelay)});
}

std::optional<std::string>
LineOptions::Check() const
{
    const auto hosts = std::accumulate(hostsPerSwitch.begin(), hostsPerSwitch.end(), 0U);
    return FirstComplaint({CheckPositive("switches", static_cast<uint32_t>(hostsPerSwitch.size())),
                           CheckPositive("hosts", hosts),
                           CheckRate("host rate", hostRate),
                           CheckRate("fabric rate", fabricRate),
                           CheckDelay("delay", delay)});
}

std::optional<std::string>
LeafSpineOptions::Check() const
{
    return FirstComplaint({CheckPositive("leaves", leaves),
                           CheckPositive("spines", spines),
                           CheckPositive("hosts per leaf", hostsPerLeaf),
                           CheckRate("host rate", hostRate),
                           CheckRate("fabric rate", fabricRate),
                           CheckDelay("delay", delay)});
}

std::optional<std::string>
FatTreeOptions::Check() const
{
    if (k < 2 || k > 128 || k % 2 != 0)
    {
        return "k is " + std::to_string(k) + "; it must be an even number from 2 to 128";
    }
    if (GetPods() > k)
    {
        return "pods is " + std::to_string(pods) + "; it must be at most k, which is " +
               std::to_string(k);
    }
    const double hosts = oversubscription * k / 2;
    // 1024 keeps the ports of an edge switch far below the 65536 that a port number can count.
    if (!(hosts >= 1 && hosts <= 1024) || std::abs(hosts - std::round(hosts)) > 1e-9)
    {
        std::ostringstream text;
        text << "oversubscription " << oversubscription << " with k = " << k << " means " << hosts
             << " hosts at each edge switch; that must be a whole number from 1 to 1024";
        return text.str();
    }
    return FirstComplaint({CheckRate("host rate", hostRate),
                           CheckRate("fabric rate", fabricRate),
                           CheckRate("core rate", GetCoreRate()),
                           CheckDelay("delay", delay)});
}

uint32_t
FatTreeOptions::GetPods() const
{
    return pods > 0 ? pods : k;
}

DataRate
FatTreeOptions::GetCoreRate() const
{
    return coreRate.GetBitRate() > 0 ? coreRate : fabricRate;
}

uint32_t
Topology::AddNode(NodeInfo node)
{
    const auto index = static_cast<uint32_t>(m_nodes.size());
    m_indexByName.emplace(node.name, index);
    m_nodes.push_back(std::move(node));
    m_ports.emplace_back();
    m_hostIndex.push_back(static_cast<uint32_t>(m_hosts.size()));
    return index;
}

uint32_t
Topology::AddHost(const std::string& name)
{
    const uint32_t index = AddNode({name, NodeKind::HOST, "host"});
    m_hosts.push_back(index);
    return index;
}

uint32_t
Topology::AddSwitch(const std::string& name, const std::string& layer)
{
    const uint32_t index = AddNode({name, NodeKind::SWITCH, layer});
    m_switches.push_back(index);
    return index;
}

uint32_t
Topology::AddLink(uint32_t nodeA, uint32_t nodeB, DataRate rate, Time delay, double errorRate)
{
    constexpr size_t maxPorts = std::numeric_limits<uint16_t>::max();
    for (const uint32_t node : {nodeA, nodeB})
    {
        NS_ABORT_MSG_IF(node >= m_nodes.size(),
                        "Topology::AddLink: there is no node " << node << "; nodes are 0 to "
                                                               << m_nodes.size() << " - 1");
        NS_ABORT_MSG_IF(m_ports[node].size() >= maxPorts,
                        "Topology::AddLink: node " << m_nodes[node].name << " already has "
                                                   << maxPorts << " ports, the most allowed");
    }
    const auto link = static_cast<uint32_t>(m_links.size());
    m_links.push_back({nodeA, nodeB, rate, delay, errorRate, false});
    m_ports[nodeA].push_back({link, nodeB});
    m_ports[nodeB].push_back({link, nodeA});
    return link;
}

uint32_t
Topology::AddLink(const std::string& nodeA,
                  const std::string& nodeB,
                  DataRate rate,
                  Time delay,
                  double errorRate)
{
    return AddLink(RequireNode(nodeA), RequireNode(nodeB), rate, delay, errorRate);
}

void
Topology::FailLink(const std::string& nodeA, const std::string& nodeB)
{
    const auto error = CheckLink(nodeA, nodeB);
    NS_ABORT_MSG_IF(error, "Topology::FailLink: " << *error);
    for (const uint32_t link : FindLinks(RequireNode(nodeA), RequireNode(nodeB)))
    {
        FailLink(link);
    }
}

void
Topology::FailLink(uint32_t link)
{
    NS_ABORT_MSG_IF(link >= m_links.size(),
                    "Topology::FailLink: there is no link " << link << "; links are 0 to "
                                                            << m_links.size() << " - 1");
    m_links[link].failed = true;
}

std::optional<std::string>
Topology::CheckLink(const std::string& nodeA, const std::string& nodeB) const
{
    for (const auto& name : {nodeA, nodeB})
    {
        if (!FindNode(name))
        {
            return "there is no node named '" + name + "'";
        }
    }
    const uint32_t index = *FindNode(nodeA);
    if (!FindLinks(index, *FindNode(nodeB)).empty())
    {
        return std::nullopt;
    }
    std::string sentence =
        "no link joins " + nodeA + " and " + nodeB + "; " + nodeA + " has links to";
    for (const auto& port : m_ports[index])
    {
        sentence += " " + m_nodes[port.peer].name;
    }
    return sentence + (m_ports[index].empty() ? " no node" : "");
}

const std::vector<Topology::NodeInfo>&
Topology::GetNodes() const
{
    return m_nodes;
}

const std::vector<Topology::LinkInfo>&
Topology::GetLinks() const
{
    return m_links;
}

const std::vector<uint32_t>&
Topology::GetHosts() const
{
    return m_hosts;
}

const std::vector<uint32_t>&
Topology::GetSwitches() const
{
    return m_switches;
}

const std::vector<Topology::PortInfo>&
Topology::GetPorts(uint32_t node) const
{
    return m_ports.at(node);
}

std::optional<uint32_t>
Topology::FindNode(const std::string& name) const
{
    const auto entry = m_indexByName.find(name);
    return entry == m_indexByName.end() ? std::nullopt : std::make_optional(entry->second);
}

std::optional<uint32_t>
Topology::FindHostIndex(uint32_t node) const
{
    return m_nodes.at(node).kind == NodeKind::HOST ? std::make_optional(m_hostIndex[node])
                                                   : std::nullopt;
}

std::vector<uint32_t>
Topology::FindLinks(uint32_t nodeA, uint32_t nodeB) const
{
    std::vector<uint32_t> links;
    for (const auto& port : m_ports.at(nodeA))
    {
        if (port.peer == nodeB)
        {
            links.push_back(port.link);
        }
    }
    return links;
}

DataRate
Topology::GetHostRate(uint32_t host) const
{
    uint64_t bps = 0;
    for (const auto& port : m_ports.at(m_hosts.at(host)))
    {
        bps += m_links[port.link].failed ? 0 : m_links[port.link].rate.GetBitRate();
    }
    return DataRate(bps);
}

uint32_t
Topology::GetRack(uint32_t host) const
{
    const uint32_t node = m_hosts.at(host);
    if (m_ports[node].empty())
    {
        return node;
    }
    const uint32_t peer = m_ports[node].front().peer;
    return m_nodes[peer].kind == NodeKind::SWITCH ? peer : node;
}

std::optional<std::string>
Topology::Validate() const
{
    if (m_hosts.empty())
    {
        return "the network has no host";
    }
    if (auto error = ValidateNodes())
    {
        return error;
    }
    if (auto error = ValidateLinks())
    {
        return error;
    }
    return ValidateReachability();
}

void
Topology::AbortIfInvalid() const
{
    const auto error = Validate();
    NS_ABORT_MSG_IF(error, "Topology: " << *error);
}

std::optional<std::string>
Topology::ValidateNodes() const
{
    for (uint32_t i = 0; i < m_nodes.size(); i++)
    {
        const auto& node = m_nodes[i];
        if (!IsFitForCsv(node.name))
        {
            return "node " + std::to_string(i) + " is named '" + node.name +
                   "'; a name needs a character and has no blanks, commas, quotes or semicolons";
        }
        if (m_indexByName.at(node.name) != i)
        {
            return "two nodes are named '" + node.name + "'; names must differ";
        }
        const auto works = [this](const PortInfo& port) { return !m_links[port.link].failed; };
        if (node.kind == NodeKind::HOST &&
            std::none_of(m_ports[i].begin(), m_ports[i].end(), works))
        {
            return "host " + node.name + " has no working link";
        }
    }
    return std::nullopt;
}

std::optional<std::string>
Topology::ValidateLinks() const
{
    for (const auto& link : m_links)
    {
        const std::string name =
            "the link " + m_nodes[link.nodeA].name + "-" + m_nodes[link.nodeB].name;
        if (link.nodeA == link.nodeB)
        {
            return name + " joins a node to itself";
        }
        if (auto error = FirstComplaint({CheckRate("the rate of " + name, link.rate),
                                         CheckDelay("the delay of " + name, link.delay)}))
        {
            return error;
        }
        if (!(link.errorRate >= 0 && link.errorRate <= 1))
        {
            return "the error rate of " + name + " is " + std::to_string(link.errorRate) +
                   "; it must be from 0 to 1";
        }
    }
    return std::nullopt;
}

std::vector<std::vector<uint32_t>>
Topology::GetPartsOfHosts() const
{
    DisjointSets switches(m_nodes.size());
    for (const auto& link : m_links)
    {
        if (!link.failed && m_nodes[link.nodeA].kind == NodeKind::SWITCH &&
            m_nodes[link.nodeB].kind == NodeKind::SWITCH)
        {
            switches.Join(link.nodeA, link.nodeB);
        }
    }
    std::vector<std::vector<uint32_t>> parts(m_hosts.size());
    for (uint32_t host = 0; host < m_hosts.size(); host++)
    {
        for (const auto& port : m_ports[m_hosts[host]])
        {
            // A cable between two hosts is a part of its own, which nothing else shares.
            const bool toSwitch = m_nodes[port.peer].kind == NodeKind::SWITCH;
            const auto cable = static_cast<uint32_t>(m_nodes.size()) + port.link;
            if (!m_links[port.link].failed)
            {
                parts[host].push_back(toSwitch ? switches.Find(port.peer) : cable);
            }
        }
        std::sort(parts[host].begin(), parts[host].end());
    }
    return parts;
}

std::optional<std::string>
Topology::ValidateReachability() const
{
    const auto parts = GetPartsOfHosts();
    // The usual case, one part that every host is in, must not cost a look at every pair.
    const auto inAll = [&parts](uint32_t part) {
        return std::all_of(parts.begin(), parts.end(), [part](const auto& ofHost) {
            return std::binary_search(ofHost.begin(), ofHost.end(), part);
        });
    };
    if (std::any_of(parts[0].begin(), parts[0].end(), inAll))
    {
        return std::nullopt;
    }
    uint64_t broken = 0;
    std::string example;
    for (uint32_t a = 0; a < m_hosts.size(); a++)
    {
        for (uint32_t b = a + 1; b < m_hosts.size(); b++)
        {
            if (!Intersect(parts[a], parts[b]) && broken++ == 0)
            {
                example = m_nodes[m_hosts[a]].name + " and " + m_nodes[m_hosts[b]].name;
            }
        }
    }
    if (broken == 0)
    {
        return std::nullopt;
    }
    const uint64_t pairs = m_hosts.size() * (m_hosts.size() - 1) / 2;
    return std::to_string(broken) + " of " + std::to_string(pairs) +
           " pairs of hosts are not connected, the first is " + example;
}

uint32_t
Topology::RequireNode(const std::string& name) const
{
    const auto node = FindNode(name);
    NS_ABORT_MSG_IF(!node, "Topology: there is no node named '" << name << "'");
    return *node;
}

Topology
Topology::Star(const StarOptions& options)
{
    const auto error = options.Check();
    NS_ABORT_MSG_IF(error, "Topology::Star: " << *error);
    Topology topology;
    AddHosts(topology, options.hosts);
    const uint32_t hub = AddSwitches(topology, "s", "switch", 1);
    AttachHosts(topology, hub, options.hosts, options.rate, options.delay);
    return topology;
}

Topology
Topology::Dumbbell(const DumbbellOptions& options)
{
    const auto error = options.Check();
    NS_ABORT_MSG_IF(error, "Topology::Dumbbell: " << *error);
    Topology topology;
    AddHosts(topology, options.left + options.right);
    const uint32_t first = AddSwitches(topology, "s", "switch", 2);
    for (uint32_t host = 0; host < options.left + options.right; host++)
    {
        const uint32_t side = host < options.left ? first : first + 1;
        topology.AddLink(host, side, options.hostRate, options.hostDelay);
    }
    topology.AddLink(first, first + 1, options.bottleneckRate, options.bottleneckDelay);
    return topology;
}

Topology
Topology::Line(const LineOptions& options)
{
    const auto error = options.Check();
    NS_ABORT_MSG_IF(error, "Topology::Line: " << *error);
    const auto& counts = options.hostsPerSwitch;
    Topology topology;
    AddHosts(topology, std::accumulate(counts.begin(), counts.end(), 0U));
    const auto switches = static_cast<uint32_t>(counts.size());
    const uint32_t first = AddSwitches(topology, "s", "switch", switches);
    uint32_t host = 0;
    for (uint32_t i = 0; i < switches; i++)
    {
        for (uint32_t n = 0; n < counts[i]; n++)
        {
            topology.AddLink(host++, first + i, options.hostRate, options.delay);
        }
    }
    for (uint32_t i = 1; i < switches; i++)
    {
        topology.AddLink(first + i - 1, first + i, options.fabricRate, options.delay);
    }
    return topology;
}

Topology
Topology::LeafSpine(const LeafSpineOptions& options)
{
    const auto error = options.Check();
    NS_ABORT_MSG_IF(error, "Topology::LeafSpine: " << *error);
    Topology topology;
    AddHosts(topology, options.leaves * options.hostsPerLeaf);
    const uint32_t leaf = AddSwitches(topology, "leaf", "leaf", options.leaves);
    const uint32_t spine = AddSwitches(topology, "spine", "spine", options.spines);
    AttachHosts(topology, leaf, options.hostsPerLeaf, options.hostRate, options.delay);
    for (uint32_t i = 0; i < options.leaves; i++)
    {
        for (uint32_t j = 0; j < options.spines; j++)
        {
            topology.AddLink(leaf + i, spine + j, options.fabricRate, options.delay);
        }
    }
    return topology;
}

Topology
Topology::FatTree(const FatTreeOptions& options)
{
    const auto error = options.Check();
    NS_ABORT_MSG_IF(error, "Topology::FatTree: " << *error);
    const uint32_t half = options.k / 2;
    const auto hostsPerEdge = static_cast<uint32_t>(std::lround(options.oversubscription * half));
    const uint32_t perLayer = options.GetPods() * half; // edge or aggregation switches
    Topology topology;
    AddHosts(topology, perLayer * hostsPerEdge);
    const uint32_t edge = AddSwitches(topology, "edge", "edge", perLayer);
    const uint32_t agg = AddSwitches(topology, "agg", "aggregation", perLayer);
    const uint32_t core = AddSwitches(topology, "core", "core", half * half);
    AttachHosts(topology, edge, hostsPerEdge, options.hostRate, options.delay);
    for (uint32_t i = 0; i < perLayer; i++)
    {
        const uint32_t pod = i / half;
        for (uint32_t j = 0; j < half; j++)
        {
            const uint32_t above = agg + pod * half + j;
            topology.AddLink(edge + i, above, options.fabricRate, options.delay);
        }
    }
    for (uint32_t i = 0; i < perLayer; i++)
    {
        for (uint32_t j = 0; j < half; j++)
        {
            const uint32_t above = core + (i % half) * half + j;
            topology.AddLink(agg + i, above, options.GetCoreRate(), options.delay);
        }
    }
    return topology;
}

Topology
Topology::FromCsv(const std::string& path)
{
    std::ifstream input = OpenText(path);
    Topology topology;
    const auto error = ParseCsv(input, path, topology);
    NS_ABORT_MSG_IF(error, *error);
    return topology;
}

std::optional<std::string>
Topology::ParseCsv(std::istream& input, const std::string& fileName, Topology& topology)
{
    LosslessCsvReader csv(input, fileName);
    if (auto error = csv.ReadHeader(REQUIRED_COLUMNS, OPTIONAL_COLUMNS))
    {
        return error;
    }
    TopologyFile file;
    while (csv.Next())
    {
        if (auto error = file.ReadRow(csv))
        {
            return error;
        }
    }
    if (!csv.GetError())
    {
        topology = file.Build();
    }
    return csv.GetError();
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
