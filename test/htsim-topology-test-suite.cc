// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/htsim-topology.h"
#include "ns3/text-lines.h"

#include <random>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-htsim-topology", UNIT);

/// Two leaves with four hosts each, and two spines.
const std::string TWO_TIERS = "# two leaves of four hosts\n"
                              "Nodes 8\nTiers 2\nPodsize 8\n"
                              "\n"
                              "Tier 0\nDownlink_speed_Gbps 400\nRadix_Down 4\nRadix_Up 2\n"
                              "Downlink_Latency_ns 500\nSwitch_Latency_ns 200\n"
                              "Tier 1\nDownlink_speed_Gbps 400\nRadix_Down 2 # both leaves\n"
                              "Downlink_Latency_ns 1000\nSwitch_Latency_ns 100\nBundle 1";

/// Two pods of two top-of-rack and two aggregation switches; each aggregation switch has two links
/// to one of two core switches.
const std::string THREE_TIERS = "nodes 8\ntiers 3\npodsize 4\n"
                                "TIER 0\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 2\n"
                                "Downlink_Latency_ns 1000\nSwitch_Latency_ns 301\n"
                                "Oversubscribed 1\nQueue_Up 1000\n"
                                "Tier 2\nDownlink_speed_Gbps 50\nRadix_Down 4\n"
                                "Downlink_Latency_ns 2000\nSwitch_Latency_ns 100\nBundle 2\n"
                                "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 2\n"
                                "Downlink_Latency_ns 500\nOversubscribed 2\n";

std::string
Parse(const std::string& text, Topology& topology, std::optional<std::string>& note)
{
    std::istringstream input(text);
    const auto error = CatchComplaint([&] {
        FileTopology read = ParseHtsimTopology(input, "f.topo");
        topology = std::move(read.topology);
        note = read.note;
    });
    return error.value_or("");
}

std::string
Show(const std::string& text)
{
    Topology topology;
    std::optional<std::string> note;
    const std::string error = Parse(text, topology, note);
    if (!error.empty())
    {
        return topology.GetNodes().empty() && !note ? error : "changed in spite of " + error;
    }
    std::string links;
    for (const Topology::LinkInfo& link : topology.GetLinks())
    {
        const auto& nodes = topology.GetNodes();
        links += nodes[link.nodeA].name + "-" + nodes[link.nodeB].name + " " +
                 std::to_string(link.rate.GetBitRate() / 1000000000) + "G " +
                 std::to_string(link.delay.GetNanoSeconds()) + "\n";
    }
    return links;
}

std::string
Replace(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    NS_TEST_EXPECT_MSG_NE(at, std::string::npos, from << " is a part of the file");
    return text.replace(std::min(at, text.size()), from.size(), to);
}

/// Half of the latency of a switch is added to the delay of each of its links. The delays are thus
/// 500 + 100 and 1000 + 100 + 50 ns.
LOSSLESS_TEST(g_suite, "Two tiers are leaves and spines")
{
    std::string expected;
    for (int host = 0; host < 8; ++host)
    {
        expected += "h" + std::to_string(host) + "-leaf" + std::to_string(host / 4) + " 400G 600\n";
    }
    NS_TEST_EXPECT_MSG_EQ(Show(TWO_TIERS),
                          expected + "leaf0-spine0 400G 1150\nleaf0-spine1 400G 1150\n"
                                     "leaf1-spine0 400G 1150\nleaf1-spine1 400G 1150\n",
                          "links");
}

/// The delays are 1000 + 150.5, 500 + 150.5 and 2000 + 50 ns, rounded down to whole nanoseconds.
LOSSLESS_TEST(g_suite, "Three tiers are edge, aggregation and core switches")
{
    NS_TEST_EXPECT_MSG_EQ(
        Show(THREE_TIERS),
        "h0-edge0 100G 1150\nh1-edge0 100G 1150\nh2-edge1 100G 1150\nh3-edge1 100G 1150\n"
        "h4-edge2 100G 1150\nh5-edge2 100G 1150\nh6-edge3 100G 1150\nh7-edge3 100G 1150\n"
        "edge0-agg0 100G 650\nedge0-agg1 100G 650\nedge1-agg0 100G 650\nedge1-agg1 100G 650\n"
        "edge2-agg2 100G 650\nedge2-agg3 100G 650\nedge3-agg2 100G 650\nedge3-agg3 100G 650\n"
        "agg0-core0 50G 2050\nagg0-core0 50G 2050\nagg1-core1 50G 2050\nagg1-core1 50G 2050\n"
        "agg2-core0 50G 2050\nagg2-core0 50G 2050\nagg3-core1 50G 2050\nagg3-core1 50G 2050\n",
        "links");
    Topology topology;
    std::optional<std::string> note;
    Parse(THREE_TIERS, topology, note);
    NS_TEST_EXPECT_MSG_EQ(
        note.value_or(""),
        "f.topo: the sizes of queues were not read; switches here share a memory, --buffer.",
        "queues");
    NS_TEST_EXPECT_MSG_EQ(topology.GetNodes()[*topology.FindNode("agg3")].layer,
                          "aggregation",
                          "layers are those by which connection matrices fail links");
}

/// The 1082 B of a packet take 21.64 ns on each of four links. The delays of the links add up to
/// 3000 ns, and the latencies of the three switches to 500 ns.
LOSSLESS_TEST(g_suite, "A packet takes the latencies of links and switches")
{
    Topology topology;
    std::optional<std::string> note;
    NS_TEST_ASSERT_MSG_EQ(Parse(TWO_TIERS, topology, note), "", "read");
    Fabric fabric(topology, SwitchHelper());
    FlowRecorder recorder;
    WatchHosts(recorder, fabric);
    fabric.StartFlows({{0, 0, 4, 0, 1000, Time(0), ""}});
    Simulator::Stop(MicroSeconds(100));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ_TOL(recorder.GetFlows().at(0).GetCompletionTime(),
                              NanoSeconds(3587),
                              NanoSeconds(3),
                              "over a spine");
}

LOSSLESS_TEST(g_suite, "Files that are none are refused with line and allowed values")
{
    const std::string tier = TWO_TIERS.substr(0, TWO_TIERS.find("Tier 1"));
    const std::vector<std::pair<std::string, std::string>> files = {
        {"", "f.topo: the line `nodes NUMBER` is missing"},
        {"Nodes 8\nTier 0\n", "f.topo:2: a tier begins before `Tiers NUMBER`"},
        {"Nodes 8 9\n", "f.topo:1: the line has 3 words; a line of htsim's .topo has two, `WORD"},
        {"Nodes\n", "f.topo:1: the line has 1 word;"},
        {"Nodes 1\n", "f.topo:1: Nodes is '1'; allowed is a whole number from 2 to 1048576"},
        {"Tiers 4\n", "f.topo:1: Tiers is '4'; allowed is a whole number from 2 to 3"},
        {"Nodes 8\nNodes 8\n", "f.topo:2: Nodes is there twice"},
        {"Nodes 8\nRadix_Up 2\n",
         "f.topo:2: the line begins with 'Radix_Up'; allowed above the tiers are Nodes, Tiers and "
         "Podsize"},
        {Replace(TWO_TIERS, "Tier 1", "Tier 2"),
         "f.topo:12: the tier is '2'; allowed is a whole number from 0 to 1"},
        {Replace(TWO_TIERS, "Radix_Up 2", "Radix 2"),
         "f.topo:9: the line begins with 'Radix'; allowed in a tier are Downlink_speed_Gbps,"},
        {Replace(TWO_TIERS, "Bundle 1", "Radix_Down 2"),
         "f.topo:17: Radix_Down is there twice in tier 1"},
        {Replace(TWO_TIERS, "Latency_ns 500", "Latency_ns -5"),
         "f.topo:10: Downlink_Latency_ns is '-5'; allowed is a whole number from 0 to 1000000000"},
        {tier, "f.topo: the line `downlink_speed_gbps NUMBER` of tier 1 is missing"},
        {Replace(TWO_TIERS, "Radix_Up 2\n", ""),
         "f.topo: the line `radix_up NUMBER` of tier 0 is missing"},
        {Replace(TWO_TIERS, "Bundle 1", "Radix_Up 2"),
         "f.topo: there is `radix_up` of tier 1, which is the top and has no uplinks"},
        {Replace(TWO_TIERS, "Podsize 8", "Podsize 4"),
         "f.topo: podsize is 4; with two tiers it must be the number of nodes, 8"},
        {Replace(THREE_TIERS, "podsize 4", "podsize 3"),
         "f.topo: nodes are 8; they must be a multiple of podsize, 3"},
        {Replace(TWO_TIERS, "Radix_Down 4", "Radix_Down 3"),
         "f.topo: podsize is 8; it must be a multiple of radix_down of tier 0, 3"},
        {Replace(TWO_TIERS, "Switch_Latency_ns 200", "Bundle 2"),
         "f.topo: tier 0 has a bundle; hosts have one link each"},
        {Replace(TWO_TIERS, "Bundle 1", "Bundle 3"),
         "f.topo: radix_up of tier 0 is 2; it must be a multiple of the bundle of the tier above, "
         "3"},
        {Replace(TWO_TIERS, "Radix_Down 2", "Radix_Down 3"),
         "f.topo: radix_down of tier 1 is 3; each of its switches has 2 links down"},
        {Replace(TWO_TIERS, "Radix_Up 2", "Radix_Up 2\nOversubscribed 1"),
         "f.topo: oversubscribed of tier 0 is 1; its switches have 1600 Gb/s down and 800 Gb/s up"},
        {Replace(Replace(Replace(TWO_TIERS, "Nodes 8", "Nodes 1024"), "Podsize 8", "Podsize 1024"),
                 "Radix_Down 4\nRadix_Up 2",
                 "Radix_Down 1\nRadix_Up 60000"),
         "f.topo: radix_down of tier 1 is 2; each of its switches has 1024 links down"},
    };
    for (const auto& [file, complaint] : files)
    {
        ExpectBegin(Show(file), complaint);
    }
}

LOSSLESS_TESTS(g_suite)
{
    for (uint32_t seed = 1; seed <= 4; ++seed)
    {
        g_suite.Add("Damaged topologies, seed " + std::to_string(seed), [seed] {
            std::mt19937 random(seed);
            const std::vector<std::string> words = {"0",
                                                    "99999999999",
                                                    "-1",
                                                    "2",
                                                    "3",
                                                    "Tier 1\n",
                                                    "Bundle",
                                                    "Nodes",
                                                    "\n",
                                                    "#",
                                                    "radix_up 7\n"};
            uint32_t refused = 0;
            constexpr uint32_t count = 500;
            for (uint32_t i = 0; i < count; ++i)
            {
                std::string text = i % 2 == 0 ? TWO_TIERS : THREE_TIERS;
                const std::size_t at = random() % text.size();
                text.replace(at, random() % 9, words[random() % words.size()]);
                const std::string shown = Show(text);
                const bool isRefused = shown.compare(0, 6, "f.topo") == 0;
                refused += isRefused ? 1 : 0;
                NS_TEST_EXPECT_MSG_EQ((isRefused ? shown.find('\n') == std::string::npos
                                                 : shown.compare(0, 1, "h") == 0),
                                      true,
                                      shown << " of " << text);
            }
            NS_TEST_EXPECT_MSG_GT(refused, count / 3, "most of the damage is seen");
            NS_TEST_EXPECT_MSG_LT(refused, count, "some does not matter");
        });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
