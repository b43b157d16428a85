// SPDX-License-Identifier: GPL-2.0-only
#include "htsim-topology.h"

#include "ns3/lossless-csv-reader.h"
#include "ns3/quantity-text.h"

#include <boost/algorithm/string.hpp>
#include <map>
#include <utility>
#include <vector>

namespace ns3::lossless
{

namespace
{

const RegisterFormat<TopologyFormat> g_htsimTopology("topo", 30, [](TopologyFormat& format) {
    format.what = "htsim's fat-trees";
    format.endings = ".topo";
    format.parse = ParseHtsimTopology;
});

/// The maximum number of hosts. A larger value is probably a typo.
constexpr uint64_t MAX_HTSIM_HOSTS = 1 << 20;
constexpr uint64_t MAX_HTSIM_LINKS = 1 << 24;

/// The maximum values, by keyword in lower case.
using HtsimWords = std::map<std::string, uint64_t>;

/// The keywords before the tiers. All of them are required.
const HtsimWords HEADER_WORDS{{"nodes", MAX_HTSIM_HOSTS},
                              {"tiers", 3},
                              {"podsize", MAX_HTSIM_HOSTS}};

/// The keywords of a tier.
const HtsimWords TIER_WORDS{{"downlink_speed_gbps", 100000},
                            {"downlink_latency_ns", 1000000000},
                            {"switch_latency_ns", 1000000000},
                            {"radix_down", 65535},
                            {"radix_up", 65535},
                            {"bundle", 65535},
                            {"oversubscribed", 65535},
                            {"queue_up", 1000000000000},
                            {"queue_down", 1000000000000}};

/// Reads a file and builds the network that it describes.
class HtsimReader
{
  public:
    /// @param fileName the name of the file, for error messages
    HtsimReader(std::istream& input, const std::string& fileName)
        : m_csv(input, fileName, ' '),
          m_fileName(fileName)
    {
    }

    /// Reads the file. Throws a FileComplaint if the file is malformed.
    /// @return the network
    Topology Read();

    /// @return a note about ignored values, if any
    std::optional<std::string> GetNote() const;

  private:
    /// The values, by keyword.
    using Numbers = std::map<std::string, uint64_t>;

    /// Reads the current line.
    void ReadLine();
    /// Starts a tier.
    /// @param text the number of the tier, as written in the file
    void BeginTier(const std::string& text);
    /// @return the value of a tier's keyword, or 1 if the keyword is absent
    uint64_t Get(std::size_t tier, const std::string& word) const;
    /// Throws a FileComplaint about the current line.
    [[noreturn]] void Complain(const std::string& sentence) const;
    /// Throws a FileComplaint about the whole file unless the condition is true.
    void Require(bool holds, const std::string& sentence) const;
    /// Throws a FileComplaint if a keyword is missing or if the top tier has uplinks.
    void RequireWords() const;
    /// Counts the switches. Throws a FileComplaint if values are inconsistent.
    void CountSwitches();
    /// Throws a FileComplaint if the uplinks of a tier do not match the other values of this tier
    /// and the next.
    void CheckUplinks(std::size_t tier) const;
    /// Builds the network.
    Topology Build() const;
    /// Connects two nodes.
    /// @param tier the tier of the upper node
    void Join(Topology& topology, std::size_t tier, uint64_t lower, uint64_t upper) const;

    LosslessCsvReader m_csv;
    std::string m_fileName;         ///< file name for error messages
    Numbers m_header;               ///< values before the tiers
    std::vector<Numbers> m_tiers;   ///< values of each tier
    std::optional<uint64_t> m_tier; ///< number of the tier being read
    std::vector<uint64_t> m_counts; ///< number of switches in each tier
    uint64_t m_pods{0};             ///< number of pods
};

void
HtsimReader::Complain(const std::string& sentence) const
{
    // m_csv.Complain() would add that the file looks like an htsim topology.
    throw FileComplaint(m_fileName + ":" + std::to_string(m_csv.GetLine()) + ": " + sentence);
}

void
HtsimReader::Require(bool holds, const std::string& sentence) const
{
    if (!holds)
    {
        throw FileComplaint(m_fileName + ": " + sentence);
    }
}

void
HtsimReader::BeginTier(const std::string& text)
{
    const auto number = ParseWhole(text);
    if (m_header.count("tiers") == 0)
    {
        Complain("a tier begins before `Tiers NUMBER`");
    }
    const uint64_t tiers = m_header["tiers"];
    if (!number || *number >= tiers)
    {
        Complain("the tier is '" + text + "'; allowed is a whole number from 0 to " +
                 std::to_string(tiers - 1));
    }
    m_tier = number;
    m_tiers.resize(tiers);
}

void
HtsimReader::ReadLine()
{
    const auto& fields = m_csv.GetFields();
    const std::string word = boost::algorithm::to_lower_copy(fields.front());
    if (fields.size() < 2 || (fields.size() > 2 && fields[2].front() != '#'))
    {
        Complain("the line has " + CountThings(fields.size(), "word") +
                 "; a line of htsim's .topo has two, `WORD NUMBER`");
    }
    if (word == "tier")
    {
        BeginTier(fields[1]);
        return;
    }
    const HtsimWords& words = m_tier ? TIER_WORDS : HEADER_WORDS;
    const auto known = words.find(word);
    if (known == words.end())
    {
        Complain("the line begins with '" + fields.front() + "'; allowed " +
                 (m_tier ? "in a tier are Downlink_speed_Gbps, Downlink_Latency_ns, "
                           "Switch_Latency_ns, Radix_Down, Radix_Up, Bundle, Oversubscribed, "
                           "Queue_Up and Queue_Down"
                         : "above the tiers are Nodes, Tiers and Podsize, since only fat-trees are "
                           "read"));
    }
    const bool isCount = word.find("latency") == std::string::npos;
    const uint64_t least = word == "tiers" || word == "nodes" ? 2 : (isCount ? 1 : 0);
    const auto number = ParseCount(fields[1]);
    if (!number || *number < least || *number > known->second)
    {
        Complain(fields.front() + " is '" + fields[1] + "'; allowed is a whole number from " +
                 std::to_string(least) + " to " + std::to_string(known->second));
    }
    Numbers& numbers = m_tier ? m_tiers[*m_tier] : m_header;
    if (!numbers.emplace(word, *number).second)
    {
        Complain(fields.front() + " is there twice" +
                 (m_tier ? " in tier " + std::to_string(*m_tier) : ""));
    }
}

uint64_t
HtsimReader::Get(std::size_t tier, const std::string& word) const
{
    const auto found = m_tiers[tier].find(word);
    return found == m_tiers[tier].end() ? 1 : found->second;
}

void
HtsimReader::RequireWords() const
{
    for (const auto& [word, most] : HEADER_WORDS)
    {
        Require(m_header.count(word) > 0, "the line `" + word + " NUMBER` is missing");
    }
    for (std::size_t tier = 0; tier < m_header.at("tiers"); ++tier)
    {
        const bool isTop = tier + 1 == m_header.at("tiers");
        for (const std::string word :
             {"downlink_speed_gbps", "downlink_latency_ns", "radix_down", "radix_up"})
        {
            const bool isThere = tier < m_tiers.size() && m_tiers[tier].count(word) > 0;
            const bool isWanted = !isTop || word != "radix_up";
            const std::string ofTier = " of tier " + std::to_string(tier);
            Require(isThere || !isWanted,
                    "the line `" + word + " NUMBER`" + ofTier + " is missing");
            Require(!isThere || isWanted,
                    "there is `" + word + "`" + ofTier + ", which is the top and has no uplinks");
        }
    }
}

void
HtsimReader::CheckUplinks(std::size_t tier) const
{
    const std::string ofTier = " of tier " + std::to_string(tier);
    const uint64_t up = Get(tier, "radix_up");
    const uint64_t bundle = Get(tier + 1, "bundle");
    Require(up % bundle == 0,
            "radix_up" + ofTier + " is " + std::to_string(up) +
                "; it must be a multiple of the bundle of the tier above, " +
                std::to_string(bundle));
    const uint64_t down = Get(tier, "radix_down") * Get(tier, "downlink_speed_gbps");
    const uint64_t upward = up * Get(tier + 1, "downlink_speed_gbps");
    Require(m_tiers[tier].count("oversubscribed") == 0 ||
                down == upward * Get(tier, "oversubscribed"),
            "oversubscribed" + ofTier + " is " + std::to_string(Get(tier, "oversubscribed")) +
                "; its switches have " + std::to_string(down) + " Gb/s down and " +
                std::to_string(upward) + " Gb/s up");
}

void
HtsimReader::CountSwitches()
{
    const uint64_t nodes = m_header["nodes"];
    const uint64_t podSize = m_header["podsize"];
    const uint64_t tiers = m_tiers.size();
    Require(nodes % podSize == 0,
            "nodes are " + std::to_string(nodes) + "; they must be a multiple of podsize, " +
                std::to_string(podSize));
    Require(tiers > 2 || nodes == podSize,
            "podsize is " + std::to_string(podSize) +
                "; with two tiers it must be the number of nodes, " + std::to_string(nodes));
    Require(Get(0, "bundle") == 1, "tier 0 has a bundle; hosts have one link each");
    Require(podSize % Get(0, "radix_down") == 0,
            "podsize is " + std::to_string(podSize) +
                "; it must be a multiple of radix_down of tier 0, " +
                std::to_string(Get(0, "radix_down")));
    m_pods = nodes / podSize;
    // The number of lower switches to which each switch of the tier above connects.
    uint64_t below = podSize / Get(0, "radix_down");
    m_counts = {m_pods * below};
    uint64_t links = nodes;
    for (std::size_t tier = 1; tier < tiers; ++tier)
    {
        CheckUplinks(tier - 1);
        const uint64_t wanted = below * Get(tier, "bundle");
        Require(Get(tier, "radix_down") == wanted,
                "radix_down of tier " + std::to_string(tier) + " is " +
                    std::to_string(Get(tier, "radix_down")) + "; each of its switches has " +
                    std::to_string(wanted) + " links down");
        const uint64_t above = Get(tier - 1, "radix_up") / Get(tier, "bundle");
        links += m_counts.back() * Get(tier - 1, "radix_up");
        // The aggregation switches of a pod have no core switches in common, but each core switch
        // connects to all pods.
        m_counts.push_back(above * (tier == 1 ? m_pods : m_counts.back() / m_pods));
        below = m_pods;
    }
    Require(links <= MAX_HTSIM_LINKS,
            "the network has " + std::to_string(links) + " links; allowed are " +
                std::to_string(MAX_HTSIM_LINKS));
}

void
HtsimReader::Join(Topology& topology, std::size_t tier, uint64_t lower, uint64_t upper) const
{
    const auto getLatency = [this](std::size_t of) {
        const auto found = m_tiers[of].find("switch_latency_ns");
        return NanoSeconds(found == m_tiers[of].end() ? 0 : found->second);
    };
    const Time latency = getLatency(tier) + (tier > 0 ? getLatency(tier - 1) : Time(0));
    const Time delay = NanoSeconds(Get(tier, "downlink_latency_ns")) + latency / 2;
    const DataRate rate(Get(tier, "downlink_speed_gbps") * 1000000000);
    for (uint64_t i = 0; i < Get(tier, "bundle"); ++i)
    {
        topology.AddLink(static_cast<uint32_t>(lower), static_cast<uint32_t>(upper), rate, delay);
    }
}

Topology
HtsimReader::Build() const
{
    using Layers = std::vector<std::pair<std::string, std::string>>; // names and layers of switches
    const Layers layers = m_tiers.size() == 2
                              ? Layers{{"leaf", "leaf"}, {"spine", "spine"}}
                              : Layers{{"edge", "edge"}, {"agg", "aggregation"}, {"core", "core"}};
    Topology topology;
    for (uint64_t i = 0; i < m_header.at("nodes"); ++i)
    {
        topology.AddHost("h" + std::to_string(i));
    }
    std::vector<uint64_t> first; // index of the first node of each tier
    for (std::size_t tier = 0; tier < m_tiers.size(); ++tier)
    {
        first.push_back(topology.GetNodes().size());
        for (uint64_t i = 0; i < m_counts[tier]; ++i)
        {
            topology.AddSwitch(layers[tier].first + std::to_string(i), layers[tier].second);
        }
    }
    for (uint64_t host = 0; host < m_header.at("nodes"); ++host)
    {
        Join(topology, 0, host, first[0] + host / Get(0, "radix_down"));
    }
    const uint64_t perPod = m_counts[1] / m_pods; // number of aggregation switches per pod
    for (uint64_t tor = 0; tor < m_counts[0]; ++tor)
    {
        const uint64_t pod = tor / (m_counts[0] / m_pods);
        for (uint64_t i = 0; i < perPod; ++i)
        {
            Join(topology, 1, first[0] + tor, first[1] + pod * perPod + i);
        }
    }
    for (uint64_t agg = 0; m_tiers.size() > 2 && agg < m_counts[1]; ++agg)
    {
        for (uint64_t core = agg % perPod; core < m_counts[2]; core += perPod)
        {
            Join(topology, 2, first[1] + agg, first[2] + core);
        }
    }
    return topology;
}

Topology
HtsimReader::Read()
{
    while (m_csv.ReadFields())
    {
        ReadLine();
    }
    RequireWords();
    CountSwitches();
    return Build();
}

std::optional<std::string>
HtsimReader::GetNote() const
{
    for (const Numbers& tier : m_tiers)
    {
        if (tier.count("queue_up") > 0 || tier.count("queue_down") > 0)
        {
            return m_fileName +
                   ": the sizes of queues were not read; switches here share a memory, --buffer.";
        }
    }
    return std::nullopt;
}

} // namespace

FileTopology
ParseHtsimTopology(std::istream& input, const std::string& fileName)
{
    HtsimReader reader(input, fileName);
    Topology topology = reader.Read();
    return {std::move(topology), reader.GetNote()};
}

} // namespace ns3::lossless
