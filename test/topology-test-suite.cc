// SPDX-License-Identifier: GPL-2.0-only

#include "chosen-simulator.h"
#include "lossless-test.h"
#include "test-network.h"

#include "ns3/flow-list.h"
#include "ns3/forwarding-hosts.h"
#include "ns3/gpu-pods-topology.h"
#include "ns3/headroom-buffer-policy.h"
#include "ns3/names.h"
#include "ns3/raw-source.h"
#include "ns3/reachability.h"
#include "ns3/route-computation.h"
#include "ns3/text-lines.h"

#include <random>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-topology", UNIT);

const DataRate RATE("10Gbps");
const Time DELAY = MicroSeconds(1);

/// @return the node index of a name that must exist
uint32_t
At(const Topology& topology, const std::string& name)
{
    return topology.FindNode(name).value();
}

std::string
PeerName(const Topology& topology, const std::string& name, uint16_t port)
{
    return topology.GetNodes()[topology.GetPorts(At(topology, name)).at(port).peer].name;
}

size_t
CountLayer(const Topology& topology, const std::string& layer)
{
    size_t count = 0;
    for (const auto& node : topology.GetNodes())
    {
        count += node.layer == layer ? 1 : 0;
    }
    return count;
}

/// @return the number of shortest paths from a node to a host, according to the routing tables
uint64_t
CountPaths(const Topology& topology, const RouteTables& routes, uint32_t node, uint32_t host)
{
    if (node == topology.GetHosts()[host])
    {
        return 1;
    }
    uint64_t count = 0;
    for (const uint16_t port : routes[node].GetPorts(host))
    {
        count += CountPaths(topology, routes, topology.GetPorts(node)[port].peer, host);
    }
    return count;
}

/// @return the names of a path's nodes except the last one, separated by spaces
std::string
Describe(const Topology& topology, const std::vector<PathStep>& path)
{
    std::string text;
    for (const auto& step : path)
    {
        text += (text.empty() ? "" : " ") + topology.GetNodes()[step.node].name;
    }
    return text;
}

std::string
Describe(const std::vector<uint16_t>& ports)
{
    std::string text;
    for (const uint16_t port : ports)
    {
        text += (text.empty() ? "" : " ") + std::to_string(port);
    }
    return text;
}

std::string
PortsTowards(const Topology& topology,
             const RouteTables& routes,
             const std::string& node,
             const std::string& host)
{
    const uint32_t index = topology.FindHostIndex(At(topology, host)).value();
    return Describe(routes[At(topology, node)].GetPorts(index));
}

std::string
ToText(const Topology& topology)
{
    std::ostringstream text;
    topology.ToCsv(text);
    return text.str();
}

std::optional<std::string>
Parse(const std::string& text, Topology& topology)
{
    std::istringstream input(text);
    return CatchComplaint([&] { topology = Topology::ParseCsv(input, "net.csv"); });
}

LOSSLESS_TEST(g_suite, "ports, host indices, racks and failed links")
{
    Topology topology;
    topology.AddSwitch("s0");
    topology.AddHost("h0");
    topology.AddSwitch("s1", "leaf");
    topology.AddHost("h1");
    const uint32_t first = topology.AddLink("h0", "s0", DataRate("10Gbps"), DELAY);
    topology.AddLink("h0", "s1", DataRate("25Gbps"), DELAY, 0.5);
    topology.AddLink("s1", "h1", DataRate("40Gbps"), DELAY);
    topology.AddLink(At(topology, "s0"), At(topology, "s1"), RATE, DELAY);

    NS_TEST_EXPECT_MSG_EQ(first, 0, "links are counted from 0");
    NS_TEST_EXPECT_MSG_EQ(PeerName(topology, "h0", 1), "s1", "second link is port 1");
    NS_TEST_EXPECT_MSG_EQ(PeerName(topology, "s1", 0), "h0", "ports count per node");
    NS_TEST_EXPECT_MSG_EQ(PeerName(topology, "s1", 2), "s0", "third link of s1");
    NS_TEST_EXPECT_MSG_EQ(topology.GetPorts(0).size(), 2, "ports of s0");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks()[1].errorRate, 0.5, "error rate of the link");
    NS_TEST_EXPECT_MSG_EQ(topology.GetNodes()[2].layer, "leaf", "layer as given");
    NS_TEST_EXPECT_MSG_EQ(topology.GetNodes()[0].layer, "switch", "default layer");

    // Hosts are numbered separately from switches.
    NS_TEST_EXPECT_MSG_EQ(topology.GetHosts()[1], 3, "host 1 is node 3");
    NS_TEST_EXPECT_MSG_EQ(topology.FindHostIndex(3).value(), 1, "node 3 is host 1");
    NS_TEST_EXPECT_MSG_EQ(topology.FindHostIndex(2).has_value(), false, "s1 is no host");
    NS_TEST_EXPECT_MSG_EQ(topology.GetSwitches()[1], 2, "second switch is node 2");
    NS_TEST_EXPECT_MSG_EQ(topology.FindNode("h2").has_value(), false, "there is no h2");

    // Two NICs of 10 and 25 Gb/s receive 35 Gb/s in total, and 10 Gb/s after the faster link has
    // failed.
    NS_TEST_EXPECT_MSG_EQ(topology.GetHostRate(0), DataRate("35Gbps"), "sum of both links");
    NS_TEST_EXPECT_MSG_EQ(topology.GetRack(0), 0, "rack is the switch at port 0");
    NS_TEST_EXPECT_MSG_EQ(topology.GetRack(1), 2, "h1 is in the rack of s1");
    topology.FailLink("s1", "h0");
    NS_TEST_EXPECT_MSG_EQ(topology.GetHostRate(0), DataRate("10Gbps"), "working link only");
    NS_TEST_EXPECT_MSG_EQ(PeerName(topology, "s1", 1), "h1", "a failed link keeps its port");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks()[1].failed, true, "the link is marked");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks()[0].failed, false, "the other is not");
}

LOSSLESS_TEST(g_suite, "FailLink by name")
{
    Topology topology = Topology::Line({{1, 1, 1}, RATE, RATE, DELAY});
    topology.AddLink("s0", "s1", RATE, DELAY);
    topology.FailLink("s1", "s0");
    const auto links = topology.FindLinks(At(topology, "s0"), At(topology, "s1"));
    NS_TEST_ASSERT_MSG_EQ(links.size(), 2, "two parallel links");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks()[links[0]].failed, true, "first one failed");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks()[links[1]].failed, true, "second one failed");

    NS_TEST_EXPECT_MSG_EQ(Show(topology.CheckLink("s0", "s1")), "(no complaint)", "joined");
    NS_TEST_EXPECT_MSG_EQ(Show(topology.CheckLink("s0", "spine9")),
                          "there is no node named 'spine9'",
                          "unknown name");
    NS_TEST_EXPECT_MSG_EQ(Show(topology.CheckLink("s2", "h0")),
                          "no link joins s2 and h0; s2 has links to h2 s1",
                          "the neighbours are listed");
}

LOSSLESS_TEST(g_suite, "FAFC's large network: 12 x 24 hosts at 25 Gbps, 6 spines at 100 Gbps")
{
    const Topology topology =
        Topology::LeafSpine({12, 6, 24, DataRate("25Gbps"), DataRate("100Gbps"), DELAY});
    NS_TEST_EXPECT_MSG_EQ(topology.GetHosts().size(), 288, "hosts");
    NS_TEST_EXPECT_MSG_EQ(topology.GetSwitches().size(), 18, "switches");
    NS_TEST_EXPECT_MSG_EQ(CountLayer(topology, "leaf"), 12, "leaves");
    NS_TEST_EXPECT_MSG_EQ(CountLayer(topology, "spine"), 6, "spines");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks().size(), 288 + 72, "links");
    NS_TEST_EXPECT_MSG_EQ(PeerName(topology, "leaf11", 0), "h264", "11 x 24 = 264");
    NS_TEST_EXPECT_MSG_EQ(PeerName(topology, "leaf11", 29), "spine5", "24 hosts, 6 spines");
    NS_TEST_EXPECT_MSG_EQ(PeerName(topology, "spine5", 11), "leaf11", "leaf i on port i");
    NS_TEST_EXPECT_MSG_EQ(topology.GetHostRate(3), DataRate("25Gbps"), "host rate");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks().back().rate, DataRate("100Gbps"), "fabric");
    NS_TEST_EXPECT_MSG_EQ(topology.GetRack(263), At(topology, "leaf10"), "rack of h263");
    // The default is the network of the DSH paper, which has 16 leaves with 16 hosts each and 16
    // spines.
    NS_TEST_EXPECT_MSG_EQ(Topology::LeafSpine().GetHosts().size(), 256, "default hosts");
    NS_TEST_EXPECT_MSG_EQ(Topology::LeafSpine().GetSwitches().size(), 32, "default switches");
}

LOSSLESS_TEST(g_suite, "star, dumbbell, line, leaf-spine")
{
    // The default is the single switch of the DSH paper, which has 32 ports.
    const Topology star = Topology::Star();
    NS_TEST_EXPECT_MSG_EQ(star.GetHosts().size(), 32, "hosts of the default star");
    NS_TEST_EXPECT_MSG_EQ(PeerName(star, "s0", 31), "h31", "host i is on port i");
    NS_TEST_EXPECT_MSG_EQ(star.GetLinks()[5].rate, DataRate("100Gbps"), "default rate");
    NS_TEST_EXPECT_MSG_EQ(star.GetLinks()[5].delay, MicroSeconds(2), "default delay");

    DumbbellOptions options{2, 3};
    options.bottleneckRate = DataRate("40Gbps");
    options.bottleneckDelay = MicroSeconds(7);
    const Topology dumbbell = Topology::Dumbbell(options);
    NS_TEST_EXPECT_MSG_EQ(dumbbell.GetHosts().size(), 5, "2 + 3 hosts");
    NS_TEST_EXPECT_MSG_EQ(PeerName(dumbbell, "s0", 1), "h1", "left hosts come first");
    NS_TEST_EXPECT_MSG_EQ(PeerName(dumbbell, "s0", 2), "s1", "then the bottleneck");
    NS_TEST_EXPECT_MSG_EQ(PeerName(dumbbell, "s1", 0), "h2", "right hosts follow");
    NS_TEST_EXPECT_MSG_EQ(dumbbell.GetLinks()[5].rate, DataRate("40Gbps"), "bottleneck");
    NS_TEST_EXPECT_MSG_EQ(dumbbell.GetLinks()[5].delay, MicroSeconds(7), "its delay");
    NS_TEST_EXPECT_MSG_EQ(dumbbell.GetLinks()[4].rate, DataRate("100Gbps"), "host link");

    // A switch without hosts is in the middle.
    const Topology line = Topology::Line({{1, 0, 2}, DataRate("1Gbps"), RATE, DELAY});
    NS_TEST_EXPECT_MSG_EQ(line.GetHosts().size(), 3, "1 + 0 + 2 hosts");
    NS_TEST_EXPECT_MSG_EQ(PeerName(line, "s1", 0), "s0", "towards the lower number first");
    NS_TEST_EXPECT_MSG_EQ(PeerName(line, "s1", 1), "s2", "then towards the higher one");
    NS_TEST_EXPECT_MSG_EQ(PeerName(line, "s2", 1), "h2", "hosts first");
    NS_TEST_EXPECT_MSG_EQ(PeerName(line, "s2", 2), "s1", "then the chain");
    NS_TEST_EXPECT_MSG_EQ(line.GetLinks()[0].rate, DataRate("1Gbps"), "host link");
    NS_TEST_EXPECT_MSG_EQ(line.GetLinks()[3].rate, RATE, "link of the chain");

    for (const auto& built : {star, dumbbell, line, Topology::LeafSpine()})
    {
        NS_TEST_EXPECT_MSG_EQ(Show(built.Validate()), "(no complaint)", "built well");
    }
}

void
CheckSizes(uint32_t k, double oversubscription, size_t hosts, size_t edges, size_t cores)
{
    const Topology tree = Topology::FatTree({k, oversubscription});
    NS_TEST_EXPECT_MSG_EQ(tree.GetHosts().size(), hosts, "hosts, k = " << k);
    NS_TEST_EXPECT_MSG_EQ(CountLayer(tree, "edge"), edges, "edges, k = " << k);
    NS_TEST_EXPECT_MSG_EQ(CountLayer(tree, "aggregation"), edges, "aggregation, k = " << k);
    NS_TEST_EXPECT_MSG_EQ(CountLayer(tree, "core"), cores, "cores, k = " << k);
    NS_TEST_EXPECT_MSG_EQ(tree.GetPorts(At(tree, "edge0")).size(),
                          hosts / edges + k / 2,
                          "ports of an edge switch, k = " << k);
    NS_TEST_EXPECT_MSG_EQ(tree.GetPorts(At(tree, "agg0")).size(), k, "k = " << k);
    NS_TEST_EXPECT_MSG_EQ(tree.GetPorts(At(tree, "core0")).size(), k, "k = " << k);
    NS_TEST_EXPECT_MSG_EQ(Show(tree.Validate()), "(no complaint)", "k = " << k);
}

LOSSLESS_TEST(g_suite, "fat-tree")
{
    CheckSizes(4, 1, 16, 8, 4);
    // The network of the OFC paper (Fig. 6) has 80 switches, 256 servers, and 8 downlinks and 4
    // uplinks per edge switch.
    CheckSizes(8, 2, 256, 32, 16);
    // The network of the DSH paper (Fig. 15) has 1024 hosts and 320 switches.
    CheckSizes(16, 1, 1024, 128, 64);
    // There are 3 hosts for every 2 uplinks.
    CheckSizes(4, 1.5, 24, 8, 4);

    FatTreeOptions options;
    options.k = 4;
    options.fabricRate = DataRate("40Gbps");
    const Topology tree = Topology::FatTree(options);
    // Pod 1 has edge2, edge3, agg2 and agg3; edge3 has h6 and h7.
    NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "edge3", 0), "h6", "hosts first");
    NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "edge3", 1), "h7", "hosts first");
    NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "edge3", 2), "agg2", "then the pod's aggregation");
    NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "edge3", 3), "agg3", "in order");
    NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "agg3", 0), "edge2", "down ports first");
    NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "agg3", 1), "edge3", "in order");
    // The second aggregation switch of a pod is connected to the second half of the core switches.
    NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "agg3", 2), "core2", "1 * k/2 = 2");
    NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "agg3", 3), "core3", "in order");
    NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "core2", 1), "agg3", "pod p on port p");
    NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "core1", 3), "agg6", "pod p on port p");
    NS_TEST_EXPECT_MSG_EQ(tree.GetHostRate(0), DataRate("100Gbps"), "host rate");
    NS_TEST_EXPECT_MSG_EQ(tree.GetLinks().back().rate, DataRate("40Gbps"), "fabric rate");

    options.coreRate = DataRate("10Gbps");
    const Topology slowCore = Topology::FatTree(options);
    const auto countLinks = [&slowCore](const DataRate& rate) {
        const auto& links = slowCore.GetLinks();
        return std::count_if(links.begin(), links.end(), [&rate](const auto& link) {
            return link.rate == rate;
        });
    };
    NS_TEST_EXPECT_MSG_EQ(countLinks(DataRate("40Gbps")), 16, "edge to aggregation");
    NS_TEST_EXPECT_MSG_EQ(countLinks(DataRate("10Gbps")), 16, "aggregation to core");
    NS_TEST_EXPECT_MSG_EQ(slowCore.GetLinks().back().rate, DataRate("10Gbps"), "to the core");
}

/// The network of the HPCC paper (Sec. 5.1), as in the authors' simulator (file fat.txt).
FatTreeOptions
GetHpccOptions()
{
    FatTreeOptions options;
    options.k = 8;
    options.pods = 5;
    options.oversubscription = 4;
    options.fabricRate = DataRate("400Gbps");
    options.delay = MicroSeconds(1);
    return options;
}

/// @return the number of links between two nodes, each of which must have a rate of 400 Gb/s
uint32_t
CountFastLinks(const Topology& tree, const std::string& lower, const std::string& upper)
{
    const auto& nodes = tree.GetNodes();
    uint32_t found = 0;
    for (const auto& link : tree.GetLinks())
    {
        const bool isFast = link.rate == DataRate("400Gbps") && link.delay == MicroSeconds(1);
        found += isFast && nodes[link.nodeA].layer == lower && nodes[link.nodeB].layer == upper;
    }
    return found;
}

/// A fat-tree with fewer than k pods, as in the HPCC paper.
///
/// It has 16 core, 20 aggregation and 20 edge switches with 320 hosts and 480 links. Each layer of
/// links between switches carries 80 x 400 Gb/s, as much as 320 hosts of 100 Gb/s; the same holds
/// for each pod, with 16 links for 64 hosts.
LOSSLESS_TEST(g_suite, "fat-tree with fewer pods")
{
    const Topology tree = Topology::FatTree(GetHpccOptions());
    NS_TEST_EXPECT_MSG_EQ(Show(tree.Validate()), "(no complaint)", "built well");
    NS_TEST_EXPECT_MSG_EQ(tree.GetHosts().size(), 320, "hosts");
    NS_TEST_EXPECT_MSG_EQ(CountLayer(tree, "edge"), 20, "ToR switches");
    NS_TEST_EXPECT_MSG_EQ(CountLayer(tree, "aggregation"), 20, "aggregation switches");
    NS_TEST_EXPECT_MSG_EQ(CountLayer(tree, "core"), 16, "core switches");
    NS_TEST_EXPECT_MSG_EQ(tree.GetLinks().size(), 480, "links");
    NS_TEST_EXPECT_MSG_EQ(CountFastLinks(tree, "edge", "aggregation"), 80, "within pods");
    NS_TEST_EXPECT_MSG_EQ(CountFastLinks(tree, "aggregation", "core"), 80, "between pods");
    // As in fat.txt, the second aggregation switch of pod 0 (341) is connected to core switches 364
    // to 367, the fifth to the eighth. Core switch 367 is connected to one switch in each pod, 341,
    // 345, ... 357.
    for (uint32_t i = 0; i < 4; ++i)
    {
        const std::string core = "core" + std::to_string(4 + i);
        NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "agg1", 4 + i), core, "uplink " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(tree.GetPorts(At(tree, "core7")).size(), 5, "a port a pod");
    for (uint32_t pod = 0; pod < 5; ++pod)
    {
        const std::string above = "agg" + std::to_string(1 + 4 * pod);
        NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "core7", pod), above, "pod " << pod);
    }
    NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "edge19", 15), "h319", "16 hosts at each edge switch");
    NS_TEST_EXPECT_MSG_EQ(PeerName(tree, "edge19", 19), "agg19", "behind them 4 uplinks");
}

/// Changes the defaults and expects an error message that contains the given string.
template <typename Options>
void
RefuseOptions(const std::string& part, const std::function<void(Options&)>& change)
{
    Options options;
    NS_TEST_EXPECT_MSG_EQ(Show(options.Check()), "(no complaint)", "defaults are fine");
    change(options);
    ExpectError(options.Check(), part);
}

LOSSLESS_TEST(g_suite, "options that are refused")
{
    RefuseOptions<StarOptions>("number of hosts is 0", [](auto& o) { o.hosts = 0; });
    RefuseOptions<StarOptions>("rate is 0 bit/s", [](auto& o) { o.rate = DataRate(0); });
    RefuseOptions<StarOptions>("delay is negative", [](auto& o) { o.delay = NanoSeconds(-1); });
    RefuseOptions<DumbbellOptions>("hosts on the left is 0", [](auto& o) { o.left = 0; });
    RefuseOptions<DumbbellOptions>("hosts on the right is 0", [](auto& o) { o.right = 0; });
    RefuseOptions<DumbbellOptions>("host rate is 0", [](auto& o) { o.hostRate = DataRate(0); });
    RefuseOptions<DumbbellOptions>("bottleneck rate is 0",
                                   [](auto& o) { o.bottleneckRate = DataRate(0); });
    RefuseOptions<DumbbellOptions>("host delay is neg",
                                   [](auto& o) { o.hostDelay = NanoSeconds(-1); });
    RefuseOptions<DumbbellOptions>("bottleneck delay",
                                   [](auto& o) { o.bottleneckDelay = NanoSeconds(-1); });
    RefuseOptions<LineOptions>("number of switches is 0", [](auto& o) { o.hostsPerSwitch = {}; });
    RefuseOptions<LineOptions>("number of hosts is 0", [](auto& o) { o.hostsPerSwitch = {0, 0}; });
    RefuseOptions<LineOptions>("number of hosts is 4294967297", [](auto& o) {
        o.hostsPerSwitch = {UINT32_MAX, 2};
    });
    RefuseOptions<LineOptions>("host rate is 0", [](auto& o) { o.hostRate = DataRate(0); });
    RefuseOptions<LineOptions>("fabric rate is 0", [](auto& o) { o.fabricRate = DataRate(0); });
    RefuseOptions<LineOptions>("delay is negative", [](auto& o) { o.delay = NanoSeconds(-1); });
    RefuseOptions<LeafSpineOptions>("number of leaves is 0", [](auto& o) { o.leaves = 0; });
    RefuseOptions<LeafSpineOptions>("number of spines is 0", [](auto& o) { o.spines = 0; });
    RefuseOptions<LeafSpineOptions>("hosts per leaf is 0", [](auto& o) { o.hostsPerLeaf = 0; });
    RefuseOptions<LeafSpineOptions>("host rate is 0", [](auto& o) { o.hostRate = DataRate(0); });
    RefuseOptions<LeafSpineOptions>("fabric rate is 0",
                                    [](auto& o) { o.fabricRate = DataRate(0); });
    RefuseOptions<LeafSpineOptions>("delay is negative",
                                    [](auto& o) { o.delay = NanoSeconds(-1); });
    RefuseOptions<FatTreeOptions>("k is 0; it must be an even", [](auto& o) { o.k = 0; });
    RefuseOptions<FatTreeOptions>("k is 7; it must be an even", [](auto& o) { o.k = 7; });
    RefuseOptions<FatTreeOptions>("k is 130; it must be an even", [](auto& o) { o.k = 130; });
    RefuseOptions<FatTreeOptions>("pods is 9; it must be at most k, which is 8",
                                  [](auto& o) { o.pods = 9; });
    // The result would be 1.3 * 8 / 2 = 5.2 hosts per edge switch.
    RefuseOptions<FatTreeOptions>("means 5.2 hosts", [](auto& o) { o.oversubscription = 1.3; });
    RefuseOptions<FatTreeOptions>("from 1 to 1024", [](auto& o) { o.oversubscription = 0; });
    RefuseOptions<FatTreeOptions>("means -4 hosts", [](auto& o) { o.oversubscription = -1; });
    RefuseOptions<FatTreeOptions>("host rate is 0", [](auto& o) { o.hostRate = DataRate(0); });
    RefuseOptions<FatTreeOptions>("fabric rate is 0", [](auto& o) { o.fabricRate = DataRate(0); });
    RefuseOptions<FatTreeOptions>("delay is negative", [](auto& o) { o.delay = NanoSeconds(-1); });
}

/// A network of two hosts at one switch, into which tests introduce errors.
Topology
MakePair()
{
    return Topology::Star({2, RATE, DELAY});
}

void
ExpectComplaint(const Topology& topology, const std::string& sentence)
{
    NS_TEST_EXPECT_MSG_EQ(Show(topology.Validate()), sentence, "sentence of Validate");
}

/// The part of the error message before the names of the hosts that would have to forward.
const std::string TOLD = "; hosts do not forward unless told (--host-forwards, in C++ "
                         "LetHostsForward()), and ";

/// @return the error reported for flows between all hosts of the network
std::string
FindBroken(const Topology& topology)
{
    std::vector<uint32_t> hosts(topology.GetHosts().size());
    std::iota(hosts.begin(), hosts.end(), 0);
    const Reachability reachability(topology);
    const auto broken = reachability.Check(hosts, hosts);
    NS_TEST_EXPECT_MSG_EQ(reachability.IsWhole(), !broken, "both tell");
    return Show(broken);
}

void
ExpectBroken(const Topology& topology, const std::string& first)
{
    ExpectComplaint(topology, "(no complaint)");
    NS_TEST_EXPECT_MSG_EQ(FindBroken(topology),
                          "not all hosts between which flows are drawn are connected: no path "
                          "leads from " +
                              first,
                          "pairs");
}

void
ExpectWhole(const Topology& topology)
{
    ExpectComplaint(topology, "(no complaint)");
    NS_TEST_EXPECT_MSG_EQ(FindBroken(topology), "(no complaint)", "all pairs");
}

LOSSLESS_TEST(g_suite, "Validate: reachability")
{
    // With two hosts on each side of a failed link, 4 of 6 pairs are disconnected.
    Topology topology = Topology::Dumbbell({2, 2, RATE, RATE, DELAY, DELAY});
    topology.FailLink("s0", "s1");
    ExpectBroken(topology, "h0 to h2; no working links join them");

    // A host attached to both switches reaches all hosts but does not forward for others.
    topology.AddHost("h4");
    topology.AddLink("h4", "s0", RATE, DELAY);
    topology.AddLink("h4", "s1", RATE, DELAY);
    ExpectBroken(topology, "h0 to h2" + TOLD + "h4 would have to");
    topology.AddHost("h5");
    topology.AddLink("h5", "s1", RATE, DELAY);
    topology.AddLink("h5", "s0", RATE, DELAY);
    ExpectBroken(topology, "h0 to h2" + TOLD + "h4 would have to");
    const Reachability reachability(topology);
    NS_TEST_EXPECT_MSG_EQ(reachability.Has(0, 1) && reachability.Has(0, 4), true, "on one side");
    NS_TEST_EXPECT_MSG_EQ(reachability.Has(0, 2) || reachability.Has(3, 1), false, "on two");
    NS_TEST_EXPECT_MSG_EQ(Show(reachability.Check({0, 4}, {1, 4})), "(no complaint)", "a part");
    NS_TEST_EXPECT_MSG_EQ(Show(CheckFlows({{7, 0, 1, 3, 9, Time(0), ""}}, topology)),
                          "(no complaint)",
                          "a flow on one side");
    NS_TEST_EXPECT_MSG_EQ(
        Show(CheckFlows({{6, 1, 0, 3, 9, Time(0), ""}, {7, 0, 2, 3, 9, Time(0), ""}}, topology)),
        "flow 7: no path leads from h0 to h2" + TOLD + "h4 would have to",
        "a flow to the other side");

    // A switch that no host needs can be isolated, and a cable can connect two hosts.
    Topology cable;
    cable.AddHost("h0");
    cable.AddHost("h1");
    cable.AddSwitch("s0");
    cable.AddLink("h0", "h1", RATE, DELAY);
    ExpectWhole(cable);
    NS_TEST_EXPECT_MSG_EQ(cable.GetRack(1), 1, "a host without switch is its own rack");

    // Three hosts form a ring of cables. Every pair is connected directly, so no host needs to
    // forward.
    cable.AddHost("h2");
    cable.AddLink("h1", "h2", RATE, DELAY);
    ExpectBroken(cable, "h0 to h2" + TOLD + "h1 would have to");
    cable.AddLink("h2", "h0", RATE, DELAY);
    ExpectWhole(cable);
}

LOSSLESS_TEST(g_suite, "a sentence names the hosts that would have to forward, at most five")
{
    Topology chain;
    for (uint32_t host = 0; host < 9; ++host)
    {
        chain.AddHost("h" + std::to_string(host));
        if (host > 0)
        {
            chain.AddLink(host - 1, host, RATE, DELAY);
        }
    }
    const Reachability reachability(chain);
    NS_TEST_EXPECT_MSG_EQ(Show(reachability.Check(6, 0)),
                          "no path leads from h6 to h0" + TOLD + "h5, h4, h3, h2, h1 would have to",
                          "five");
    NS_TEST_EXPECT_MSG_EQ(Show(reachability.Check(0, 8)),
                          "no path leads from h0 to h8" + TOLD +
                              "h1, h2, h3, h4, h5 and 2 more would have to",
                          "seven");
}

LOSSLESS_TEST(g_suite, "Validate")
{
    ExpectComplaint(MakePair(), "(no complaint)");
    ExpectComplaint(Topology(),
                    "the network has no host; a node is one if its name is the letter h and a "
                    "number, as h0, or by the columns kind_a and kind_b");

    const auto refuse = [](const std::string& sentence, const std::function<void(Topology&)>& add) {
        Topology topology = MakePair();
        add(topology);
        ExpectComplaint(topology, sentence);
    };
    refuse("two nodes are named 'h1'; names must differ", [](auto& t) { t.AddSwitch("h1"); });
    refuse("node 3 is named 'a,b'; a name needs a character and has no blanks, commas, quotes, "
           "semicolons or colons",
           [](auto& t) { t.AddSwitch("a,b"); });
    refuse("the link s0-s0 joins a node to itself",
           [](auto& t) { t.AddLink("s0", "s0", RATE, DELAY); });
    refuse("the rate of the link s0-h0 is 0 bit/s; it must be above 0",
           [](auto& t) { t.AddLink("s0", "h0", DataRate(0), DELAY); });
    refuse("the delay of the link s0-h0 is negative; it must be at least 0",
           [](auto& t) { t.AddLink("s0", "h0", RATE, NanoSeconds(-5)); });
    refuse("the error rate of the link s0-h0 is 1.500000; it must be from 0 to 1",
           [](auto& t) { t.AddLink("s0", "h0", RATE, DELAY, 1.5); });
    // A delay of zero is valid.
    ExpectComplaint(Topology::Star({2, RATE, Time()}), "(no complaint)");
}

LOSSLESS_TEST(g_suite, "reading and writing files: the same by way of the file system")
{
    const std::string path = CreateTempDirFilename("net.csv");
    std::ofstream(path) << "node_a,node_b,rate,delay\nh0,s0,1Gbps,1us\nh1,s0,1Gbps,1us\n";
    const Topology topology = Topology::FromCsv(path);
    NS_TEST_EXPECT_MSG_EQ(topology.GetHosts().size(), 2, "hosts of the file");
    NS_TEST_EXPECT_MSG_EQ(PeerName(topology, "s0", 1), "h1", "its second link");
}

LOSSLESS_TEST(g_suite, "A kind column overrides the rule of the names")
{
    Topology topology;
    const auto error = Parse("node_a,kind_a,node_b,kind_b,rate,delay\n"
                             "server,host,h1,switch,1Gbps,1us\n"
                             "h0,host,h1,switch,1Gbps,1us\n",
                             topology);
    NS_TEST_ASSERT_MSG_EQ(Show(error), "(no complaint)", "a good file");
    NS_TEST_EXPECT_MSG_EQ(topology.GetNodes()[0].name, "h0", "numbered hosts first");
    NS_TEST_EXPECT_MSG_EQ(topology.GetNodes()[1].name, "server", "then the others");
    NS_TEST_EXPECT_MSG_EQ(topology.GetSwitches().size(), 1, "h1 is a switch here");
}

LOSSLESS_TEST(g_suite, "What is written is read back with the same links, ports, hosts and layers")
{
    FatTreeOptions tree;
    tree.k = 4;
    tree.delay = NanoSeconds(1500);
    std::vector<Topology> networks{Topology::Star(),
                                   Topology::Dumbbell(),
                                   Topology::Line({{2, 0, 3}, RATE, DataRate("1bps"), DELAY}),
                                   Topology::LeafSpine(),
                                   Topology::FatTree(tree)};
    networks[3].FailLink("leaf3", "spine0");
    networks[1].AddHost("server");
    networks[1].AddLink("server", "s1", DataRate("1234567bps"), NanoSeconds(3), 0.1);
    for (const auto& network : networks)
    {
        Topology copy;
        const std::string text = ToText(network);
        NS_TEST_ASSERT_MSG_EQ(Show(Parse(text, copy)), "(no complaint)", "written well");
        NS_TEST_EXPECT_MSG_EQ(ToText(copy), text, "the same links");
        NS_TEST_ASSERT_MSG_EQ(copy.GetHosts().size(), network.GetHosts().size(), "hosts");
        for (size_t i = 0; i < copy.GetHosts().size(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ(copy.GetNodes()[copy.GetHosts()[i]].name,
                                  network.GetNodes()[network.GetHosts()[i]].name,
                                  "host " << i);
        }
        for (const uint32_t node : network.GetSwitches())
        {
            const auto& info = network.GetNodes()[node];
            const auto& layer = copy.GetNodes()[At(copy, info.name)].layer;
            NS_TEST_EXPECT_MSG_EQ(layer, info.layer, "layer of " << info.name);
        }
    }
    ExpectPart(ToText(networks[1]), "server,s1,1234567bps,3ns,0.10000000000000001,0,host,switch\n");
}

LOSSLESS_TEST(g_suite, "reading and writing files")
{
    Topology topology;
    // The file has comments, spaces, both kinds of line endings, and columns in a different order.
    const auto error = Parse("# a small network\r\n"
                             "rate, delay, node_a, node_b, error_rate, failed\r\n"
                             "\n"
                             "100Gbps,0.5us,h10,leaf0,0,0\n"
                             "  # between\n"
                             "2.5Mbps , 3ms, H2 ,leaf0,1e-3,0\n"
                             "1Tbps,0ns,leaf0,agg1,0,1\n"
                             "7bps,1s,hub,s3,0,0\n"
                             "40kbps,2000ps,s3,leaf0,0,0",
                             topology);
    NS_TEST_ASSERT_MSG_EQ(Show(error), "(no complaint)", "a good file");
    // H2 precedes h10, and switches are in order of appearance; "hub" has no number.
    const auto& nodes = topology.GetNodes();
    const std::vector<std::pair<std::string, std::string>> expected{{"H2", "host"},
                                                                    {"h10", "host"},
                                                                    {"leaf0", "leaf"},
                                                                    {"agg1", "aggregation"},
                                                                    {"hub", "hub"},
                                                                    {"s3", "switch"}};
    NS_TEST_ASSERT_MSG_EQ(nodes.size(), expected.size(), "nodes");
    for (size_t i = 0; i < nodes.size(); i++)
    {
        NS_TEST_EXPECT_MSG_EQ(nodes[i].name, expected[i].first, "name of node " << i);
        NS_TEST_EXPECT_MSG_EQ(nodes[i].layer, expected[i].second, "layer of node " << i);
    }
    // Checks the units and the optional columns of this file.
    const auto& links = topology.GetLinks();
    NS_TEST_EXPECT_MSG_EQ(links[0].rate.GetBitRate(), 100000000000, "100 Gb/s");
    NS_TEST_EXPECT_MSG_EQ(links[0].delay, NanoSeconds(500), "half a microsecond");
    NS_TEST_EXPECT_MSG_EQ(links[1].rate.GetBitRate(), 2500000, "2.5 Mb/s");
    NS_TEST_EXPECT_MSG_EQ(links[1].delay, MilliSeconds(3), "3 ms");
    NS_TEST_EXPECT_MSG_EQ_TOL(links[1].errorRate, 0.001, 1e-15, "error rate");
    NS_TEST_EXPECT_MSG_EQ(links[2].rate.GetBitRate(), 1000000000000, "1 Tb/s");
    NS_TEST_EXPECT_MSG_EQ(links[2].failed, true, "failed");
    NS_TEST_EXPECT_MSG_EQ(links[3].delay, Seconds(1), "1 s");
    NS_TEST_EXPECT_MSG_EQ(links[4].delay, NanoSeconds(2), "2000 ps");
    // Ports are numbered in the order of the file, including the failed link.
    NS_TEST_EXPECT_MSG_EQ(PeerName(topology, "leaf0", 2), "agg1", "port of the failed link");
    NS_TEST_EXPECT_MSG_EQ(PeerName(topology, "leaf0", 3), "s3", "port after it");
}

void
RefuseFile(const std::string& text, const std::string& sentence)
{
    Topology topology = Topology::Star({2, RATE, DELAY});
    ExpectError(Parse(text, topology), sentence);
    NS_TEST_EXPECT_MSG_EQ(topology.GetHosts().size(), 2, "the network is untouched");
}

/// @return the number of hops from each node to the host, found by relaxing all links until nothing
/// changes; 1 000 000 if there is no path
std::vector<uint32_t>
CountHops(const Topology& topology, uint32_t target)
{
    const auto& nodes = topology.GetNodes();
    std::vector<uint32_t> hops(nodes.size(), 1000000);
    hops[target] = 0;
    const auto relax = [&](uint32_t from, uint32_t to) {
        const bool forwards = to == target || nodes[to].kind == Topology::NodeKind::SWITCH;
        const bool isShorter = forwards && hops[to] + 1 < hops[from];
        hops[from] = isShorter ? hops[to] + 1 : hops[from];
        return isShorter;
    };
    for (bool hasChanged = true; hasChanged;)
    {
        hasChanged = false;
        for (const auto& link : topology.GetLinks())
        {
            if (!link.failed)
            {
                hasChanged |= relax(link.nodeA, link.nodeB);
                hasChanged |= relax(link.nodeB, link.nodeA);
            }
        }
    }
    return hops;
}

/// @return a random mesh of switches with some failed links and with hosts that have one or two
/// links each
Topology
DrawMesh(std::mt19937& random)
{
    Topology mesh;
    std::vector<uint32_t> switches;
    for (uint32_t i = 1 + random() % 6; i > 0; --i)
    {
        switches.push_back(mesh.AddSwitch("s" + std::to_string(i)));
    }
    const auto draw = [&] { return switches[random() % switches.size()]; };
    std::vector<uint32_t> links;
    const auto join = [&](uint32_t a, uint32_t b) {
        links.push_back(mesh.AddLink(a, b, DataRate("10Gbps"), MicroSeconds(1)));
    };
    for (uint32_t i = random() % 12; i > 0; --i)
    {
        const uint32_t a = draw();
        const uint32_t b = draw();
        if (a != b)
        {
            join(a, b);
        }
    }
    uint32_t edge = draw();
    for (uint32_t i = 2 + random() % 12; i > 0; --i)
    {
        // Two thirds of the hosts use the switch of the previous host.
        edge = random() % 3 == 0 ? draw() : edge;
        const uint32_t host = mesh.AddHost("h" + std::to_string(i));
        join(host, edge);
        if (random() % 5 == 0)
        {
            join(host, draw());
        }
    }
    for (const uint32_t link : links)
    {
        if (random() % 6 == 0)
        {
            mesh.FailLink(link);
        }
    }
    return mesh;
}

LOSSLESS_TEST(g_suite, "in random meshes all ports that lead nearer are routes, and no others")
{
    for (uint32_t seed = 1; seed <= 300; ++seed)
    {
        std::mt19937 random(seed);
        const Topology mesh = DrawMesh(random);
        const RouteTables routes = ComputeRoutes(mesh);
        for (uint32_t host = 0; host < mesh.GetHosts().size(); ++host)
        {
            const uint32_t target = mesh.GetHosts()[host];
            const std::vector<uint32_t> hops = CountHops(mesh, target);
            for (uint32_t node = 0; node < mesh.GetNodes().size(); ++node)
            {
                std::vector<uint16_t> expected;
                for (uint16_t i = 0; i < mesh.GetPorts(node).size(); ++i)
                {
                    const auto& port = mesh.GetPorts(node)[i];
                    const bool forwards = port.peer == target || mesh.GetNodes()[port.peer].kind ==
                                                                     Topology::NodeKind::SWITCH;
                    if (forwards && !mesh.GetLinks()[port.link].failed &&
                        hops[port.peer] + 1 == hops[node])
                    {
                        expected.push_back(i);
                    }
                }
                NS_TEST_ASSERT_MSG_EQ((routes[node].GetPorts(host) == expected),
                                      true,
                                      "seed " << seed << ", node " << node << ", host " << host);
            }
        }
    }
}

LOSSLESS_TEST(g_suite, "columns may be written in capital letters")
{
    Topology topology;
    const auto error = Parse("NODE_A,Node_B,RATE,delay\nh0,s0,1Gbps,1us\n", topology);
    NS_TEST_EXPECT_MSG_EQ(error.value_or(""), "", "no complaint");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks().size(), 1, "a link");
}

LOSSLESS_TEST(g_suite, "files that are refused")
{
    const std::string header = "node_a,node_b,rate,delay\n";
    const std::string full = "node_a,node_b,rate,delay,error_rate,failed,kind_a,kind_b\n";
    const std::string rate = "allowed is a rate above 0 with the unit bps, kbps, Mbps, Gbps";
    const std::string delay = "allowed is a time of at least 0 with the unit s, ms, us, ns";

    RefuseFile("", "net.csv: the file has no header line; the header must name the columns node_a");
    RefuseFile("# only a comment\n", "net.csv: the file has no header line");
    RefuseFile("node_a,node_b,rate\n", "net.csv:1: column 'delay' is missing; the header must");
    RefuseFile("node_a,node_b,rate,dealy\n", "net.csv:1: unknown column 'dealy'; the header must");
    RefuseFile("node_a,node_b,rate,delay,rate\n", "net.csv:1: column 'rate' appears twice");
    RefuseFile(header + "h0,s0,1Gbps\n", "net.csv:2: the line has 3 fields; the header names 4");
    RefuseFile(header + "\nh0,s0,1Gbps,1us,\n", "net.csv:3: the line has 5 fields");

    for (const std::string bad :
         {"1Gbs", "0Gbps", "-1Gbps", "100", "Gbps", "1.2.3Gbps", "99999Tbps"})
    {
        RefuseFile(header + "h0,s0," + bad + ",1us\n", "net.csv:2: rate is '" + bad + "'; " + rate);
    }
    for (const std::string bad : {"1", "-1us", "1µ", ""})
    {
        RefuseFile(header + "h0,s0,1Gbps," + bad + "\n",
                   "net.csv:2: delay is '" + bad + "'; " + delay);
    }

    RefuseFile(header + "h0,,1Gbps,1us\n", "net.csv:2: node_b is ''; allowed is a name without");
    RefuseFile(header + "h0,a:b,1Gbps,1us\n", "net.csv:2: node_b is 'a:b'; allowed is a name");
    RefuseFile(header + "h 0,s0,1Gbps,1us\n", "net.csv:2: node_a is 'h 0'; allowed is a name");
    RefuseFile(header + "h0,s0,1Gbps,1us\ns1,s1,1Gbps,1us\n",
               "net.csv:3: 's1' is joined to itself; a link needs two nodes");

    const std::string link = "h0,s0,1Gbps,1us,";
    RefuseFile(full + link + "2,0,host,switch\n", "net.csv:2: error_rate is '2'; allowed is a num");
    RefuseFile(full + link + "nan,0,host,switch\n", "net.csv:2: error_rate is 'nan'; allowed is");
    RefuseFile(full + link + "0,no,host,switch\n", "net.csv:2: failed is 'no'; allowed is 0 or 1");
    RefuseFile(full + link + "0,0,server,switch\n",
               "net.csv:2: kind_a is 'server'; allowed is host or switch");
    RefuseFile(full + link + "0,0,host,\n", "net.csv:2: kind_b is ''; allowed is host or switch");
    RefuseFile(full + link + "0,0,host,switch\n" + link + "0,0,switch,switch\n",
               "net.csv:3: 'h0' is a host in one line and a switch in another");
}

/// @param expected hosts, each with the number of shortest paths from h0 and the number of links in
/// each path
void
CheckPaths(const Topology& topology,
           const RouteTables& routes,
           const std::vector<std::tuple<uint32_t, uint64_t, size_t>>& expected)
{
    for (const auto& [host, paths, links] : expected)
    {
        const auto path = GetPath(topology, routes, 0, host);
        NS_TEST_EXPECT_MSG_EQ(path.size(), links, "links of the path to h" << host);
        const uint64_t count = CountPaths(topology, routes, 0, host);
        NS_TEST_EXPECT_MSG_EQ(count, paths, "paths to h" << host);
    }
}

LOSSLESS_TEST(g_suite, "routes of a fat-tree: 8 hosts an edge switch, 32 a pod")
{
    const Topology topology = Topology::FatTree({8, 2});
    const RouteTables routes = ComputeRoutes(topology);
    CheckPaths(topology, routes, {{7, 1, 2}, {8, 4, 4}, {31, 4, 4}, {32, 16, 6}, {255, 16, 6}});
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "edge0", "h255"),
                          "8 9 10 11",
                          "4 uplinks after 8 hosts");
}

LOSSLESS_TEST(g_suite, "routes of a fat-tree: 5 pods have as many paths as 8")
{
    const Topology topology = Topology::FatTree(GetHpccOptions());
    const RouteTables routes = ComputeRoutes(topology);
    CheckPaths(topology, routes, {{15, 1, 2}, {63, 4, 4}, {64, 16, 6}, {319, 16, 6}});
}

/// Checks the numbers of shortest paths and the sizes of port sets in fat-trees.
///
/// Between hosts at one edge switch, there is one path of 2 links. Within a pod, there are k/2
/// paths of 4 links, and between pods, (k/2)^2 paths of 6 links.
LOSSLESS_TEST(g_suite, "routes of a fat-tree")
{
    FatTreeOptions options;
    options.k = 4;
    const Topology topology = Topology::FatTree(options);
    const RouteTables routes = ComputeRoutes(topology);
    CheckPaths(topology, routes, {{1, 1, 2}, {2, 2, 4}, {4, 4, 6}, {15, 4, 6}});
    // edge0 has hosts on ports 0 and 1 and uplinks on ports 2 and 3. All remote hosts share one
    // set.
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "edge0", "h1"), "1", "own host");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "edge0", "h2"), "2 3", "up");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "agg0", "h2"), "1", "down");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "agg0", "h15"), "2 3", "up");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "core3", "h15"), "3", "pod 3");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "h0", "h15"), "0", "one NIC");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "h0", "h0"), "", "itself");
    NS_TEST_EXPECT_MSG_EQ(routes[At(topology, "edge1")].portSets.size(), 3, "2+3, 0, 1");
    NS_TEST_EXPECT_MSG_EQ(routes[At(topology, "core0")].portSets.size(), 4, "a set a pod");

    NS_TEST_EXPECT_MSG_EQ(Describe(topology, GetPath(topology, routes, 0, 15)),
                          "h0 edge0 agg0 core0 agg6 edge7",
                          "lowest ports");
}

/// Tests the failed links of the DSH paper (Fig. 12).
///
/// Between 4 leaves and 2 spines, the links spine0-leaf3 and spine1-leaf0 have failed. leaf0 and
/// leaf3 are then connected only through leaf1 or leaf2, which closes the cycle of buffer
/// dependencies.
LOSSLESS_TEST(g_suite, "routes around failed links")
{
    Topology topology = Topology::LeafSpine({4, 2, 2});
    auto routes = ComputeRoutes(topology);
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "leaf0", "h6"), "2 3", "both spines");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "spine0", "h6"), "3", "straight");

    topology.FailLink("spine0", "leaf3");
    topology.FailLink("spine1", "leaf0");
    routes = ComputeRoutes(topology);
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "leaf0", "h6"), "2", "spine0 only");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "spine0", "h6"), "1 2", "detour");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "spine1", "h0"), "1 2", "detour");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "leaf1", "h6"), "3", "spine1 only");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "leaf1", "h4"), "2 3", "both spines");
    NS_TEST_EXPECT_MSG_EQ(Describe(topology, GetPath(topology, routes, 0, 7)),
                          "h0 leaf0 spine0 leaf1 spine1 leaf3",
                          "6 links instead of 4");
    NS_TEST_EXPECT_MSG_EQ(CountPaths(topology, routes, 0, 7), 2, "by leaf1 or leaf2");

    // leaf0 loses its last uplink, so only its own hosts remain reachable.
    topology.FailLink("spine0", "leaf0");
    routes = ComputeRoutes(topology);
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "leaf0", "h6"), "", "unreachable");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "h0", "h6"), "", "unreachable");
    NS_TEST_EXPECT_MSG_EQ(GetPath(topology, routes, 0, 6).size(), 0, "no path");
    NS_TEST_EXPECT_MSG_EQ(GetPath(topology, routes, 0, 1).size(), 2, "within the rack");
    NS_TEST_EXPECT_MSG_EQ(GetPath(topology, routes, 3, 3).size(), 0, "to itself");
}

LOSSLESS_TEST(g_suite, "hosts do not forward, several NICs, parallel links: short cut")
{
    // The network is the line h0-s0-s1-s2-s3-h1, with h2 at both s0 and s3, where it would be a
    // shortcut.
    Topology topology = Topology::Line({{1, 0, 0, 1}, RATE, RATE, DELAY});
    topology.AddHost("h2");
    topology.AddLink("h2", "s0", RATE, DELAY);
    topology.AddLink("h2", "s3", RATE, DELAY);
    auto routes = ComputeRoutes(topology);
    NS_TEST_EXPECT_MSG_EQ(Describe(topology, GetPath(topology, routes, 0, 1)),
                          "h0 s0 s1 s2 s3",
                          "not across h2");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "h2", "h0"), "0", "nearest NIC");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "h2", "h1"), "1", "nearest NIC");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "s1", "h2"), "0", "nearest end");

    // The path from h0 to h1 has the link of h0, the three links of the chain and the link of h1.
    const auto path = GetPath(topology, routes, 0, 1);
    const std::vector<uint32_t> links{0, 2, 3, 4, 1};
    NS_TEST_ASSERT_MSG_EQ(path.size(), links.size(), "links of the path");
    for (size_t i = 0; i < links.size(); i++)
    {
        NS_TEST_EXPECT_MSG_EQ(path[i].link, links[i], "link " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(path[1].port, 1, "s0 has h0 on port 0 and s1 on port 1");

    // If s0-s1 is down, only h2 connects the two parts, and it does not forward.
    topology.FailLink("s0", "s1");
    routes = ComputeRoutes(topology);
    NS_TEST_EXPECT_MSG_EQ(GetPath(topology, routes, 0, 1).size(), 0, "no path across h2");
    NS_TEST_EXPECT_MSG_EQ(GetPath(topology, routes, 0, 2).size(), 2, "h2 is still a target");

    // The detour is as long as the path through h2. Although h2 is as close to h1 as s1 is, the
    // path through h2 is not used.
    topology = Topology::Line({{1, 0, 1}, RATE, RATE, DELAY});
    topology.AddHost("h2");
    topology.AddLink("h2", "s0", RATE, DELAY);
    topology.AddLink("h2", "s2", RATE, DELAY);
    routes = ComputeRoutes(topology);
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "s0", "h1"), "1", "s1, not h2");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "s1", "h2"), "0 1", "both ways");
}

LOSSLESS_TEST(g_suite, "hosts do not forward, several NICs, parallel links: parallel links")
{
    // With two NICs at one switch and two links between switches, both ports are used.
    Topology topology = Topology::Dumbbell({1, 1, RATE, RATE, DELAY, DELAY});
    topology.AddLink("h0", "s0", RATE, DELAY);
    topology.AddLink("s0", "s1", RATE, DELAY);
    auto routes = ComputeRoutes(topology);
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "h0", "h1"), "0 1", "both NICs");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "s0", "h0"), "0 2", "both cables");
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "s0", "h1"), "1 3", "both links");
    topology.FailLink(topology.FindLinks(At(topology, "s0"), At(topology, "s1")).front());
    routes = ComputeRoutes(topology);
    NS_TEST_EXPECT_MSG_EQ(PortsTowards(topology, routes, "s0", "h1"), "3", "one is left");
}

/// @param errorRate the error rate of the link between h2 and s1
/// @return h0 at s0, h1 at s1, and h2 with a NIC at each switch; the NIC at s1 is twice as fast
Topology
MakeBridge(double errorRate)
{
    Topology topology = MakeTopology("h0,s0,8Gbps,1us\n"
                                     "h1,s1,8Gbps,1us\n"
                                     "h2,s0,8Gbps,1us\n");
    topology.AddLink("h2", "s1", DataRate("16Gbps"), DELAY, errorRate);
    return topology;
}

LOSSLESS_TEST(g_suite, "a host that forwards is split: links, ports and routes")
{
    const Topology whole = MakeBridge(0.25);
    Topology split = whole;
    NS_TEST_ASSERT_MSG_EQ(Show(LetHostsForward(split)), "(no complaint)", "h2 has two NICs");
    for (const char* const node : {"h0", "h1", "h2", "s0", "s1"})
    {
        NS_TEST_EXPECT_MSG_EQ(At(split, node), At(whole, node), node);
    }
    NS_TEST_EXPECT_MSG_EQ(split.GetNodes()[At(split, "h2_relay")].layer, "relay", "appended");
    NS_TEST_EXPECT_MSG_EQ(split.GetNodes().size(), 6, "h0 and h1 are as they were");
    NS_TEST_EXPECT_MSG_EQ(PeerName(split, "s1", 1), "h2_relay", "on the port of h2");
    const Topology::LinkInfo& outer = split.GetLinks()[3];
    NS_TEST_EXPECT_MSG_EQ(outer.rate, DataRate("16Gbps"), "kept");
    NS_TEST_EXPECT_MSG_EQ(outer.delay, DELAY, "kept");
    NS_TEST_EXPECT_MSG_EQ(outer.errorRate, 0.25, "kept");
    const Topology::LinkInfo& inner = split.GetLinks()[split.GetPorts(At(split, "h2"))[1].link];
    NS_TEST_EXPECT_MSG_EQ(inner.rate, DataRate("16Gbps"), "the rate of the second NIC");
    NS_TEST_EXPECT_MSG_EQ(inner.delay.IsZero(), true, "within the host");
    NS_TEST_EXPECT_MSG_EQ(inner.errorRate, 0, "within the host");
    const RouteTables routes = ComputeRoutes(split);
    NS_TEST_EXPECT_MSG_EQ(Describe(split, GetPath(split, routes, 0, 1)),
                          "h0 s0 h2_relay s1",
                          "across h2");

    Topology failed = whole;
    failed.FailLink("h2", "s1");
    NS_TEST_ASSERT_MSG_EQ(Show(LetHostsForward(failed)), "(no complaint)", "still two NICs");
    const auto& ports = failed.GetPorts(At(failed, "h2"));
    NS_TEST_EXPECT_MSG_EQ(failed.GetLinks()[ports[0].link].failed, false, "the first NIC");
    NS_TEST_EXPECT_MSG_EQ(failed.GetLinks()[ports[1].link].failed, true, "the second NIC");
}

LOSSLESS_TEST(g_suite, "hosts that cannot forward")
{
    Topology star = Topology::Star({2, RATE, DELAY});
    NS_TEST_EXPECT_MSG_EQ(Show(LetHostsForward(star)), "no host has several links", "one NIC each");
    star.AddSwitch("h0_relay");
    star.AddLink("h0", "s0", RATE, DELAY);
    const std::string before = ToText(star);
    NS_TEST_EXPECT_MSG_NE(Show(LetHostsForward(star)).find("h0_relay"), std::string::npos, "taken");
    NS_TEST_EXPECT_MSG_EQ(ToText(star), before, "unchanged");
    Topology gpus = CreateObject<GpuPodsTopology>()->Make();
    NS_TEST_EXPECT_MSG_EQ(Show(LetHostsForward(gpus)),
                          "h0 is a GPU with a link to an NVSwitch",
                          "a server");
}

LOSSLESS_TEST(g_suite, "routes by ports that a switch does not have")
{
    const Ipv4Address host("10.0.0.1");
    const auto setRoute = [host](Ptr<EcmpForwarding> forwarding, uint16_t port) {
        forwarding->SetRoute(host, {PortId{0}, PortId{port}});
    };
    const std::string sentence = "switch 7: a route names port 2, but the switch has 2 ports.";
    ExpectStop(sentence, [&]() {
        auto forwarding = CreateObject<EcmpForwarding>();
        setRoute(forwarding, 2);
        forwarding->Configure(7, std::vector<DataRate>(2));
    });
    ExpectStop(sentence, [&]() {
        auto forwarding = CreateObject<EcmpForwarding>();
        forwarding->Configure(7, std::vector<DataRate>(2));
        setRoute(forwarding, 2);
    });
    const std::string good = GetAbortMessage([&]() {
        auto forwarding = CreateObject<EcmpForwarding>();
        forwarding->Configure(7, std::vector<DataRate>(2));
        setRoute(forwarding, 1);
    });
    NS_TEST_EXPECT_MSG_EQ(good, "", "the last port");
}

FlowSpec
MakeFlow(uint64_t id, uint32_t source, uint32_t destination, uint64_t bytes, Time start = Time(0))
{
    return {id, source, destination, 3, bytes, start, ""};
}

/// Records when the flows of a fabric start and how long they take.
struct FlowLog
{
    explicit FlowLog(const Fabric& fabric)
    {
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            for (uint32_t port = 0; port < fabric.GetHost(host)->GetNDevices(); ++port)
            {
                Ptr<RoceNic> nic = fabric.GetNic(host, port);
                ListenTo(*nic, "FlowStarted", [this](const FlowRecord& record) {
                    m_starts += (m_starts.empty() ? "" : " ") + std::to_string(record.flow.id) +
                                "@" + std::to_string(record.start.GetNanoSeconds());
                });
                ListenTo(*nic, "FlowReceived", [this](const FlowRecord& record) {
                    m_times[record.flow.id] = record.GetCompletionTime().GetNanoSeconds();
                });
            }
        }
    }

    std::string m_starts;                //!< flows in order of start, in the format "id@ns"
    std::map<uint64_t, int64_t> m_times; //!< completion time of each flow in ns, indexed by flow ID
};

/// The fabric receives an unsorted list of flows at 5 us, after the start time of one of them.
LOSSLESS_TEST(g_suite, "flows of a fabric are checked, and start on time in any order: order")
{
    Fabric fabric(Topology::Star({2, RATE, DELAY}), SwitchHelper());
    const FlowLog log(fabric);
    const FlowList flows = {MakeFlow(0, 0, 1, 100, MicroSeconds(30)),
                            MakeFlow(1, 0, 1, 100, MicroSeconds(10)),
                            MakeFlow(2, 1, 0, 100, MicroSeconds(20)),
                            MakeFlow(3, 1, 0, 100, MicroSeconds(10)),
                            MakeFlow(4, 1, 0, 100, MicroSeconds(1))};
    Simulator::Schedule(MicroSeconds(5), &Fabric::StartFlows, &fabric, flows);
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(log.m_starts,
                          "4@5000 1@10000 3@10000 2@20000 0@30000",
                          "by start, then as in the list; what is late at once");
    NS_TEST_EXPECT_MSG_EQ(log.m_times.size(), 5, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(fabric.GetFlows().front().id, 4, "the list is sorted");
}

/// Fabric uses CheckFlows(), which the suite lossless-workload tests.
LOSSLESS_TEST(g_suite, "flows of a fabric are checked, and start at their times in any order")
{
    const std::string message = GetAbortMessage([] {
        const FlowSpec flow = MakeFlow(4, 0, 1, 1000);
        Fabric fabric(Topology::Star({2, RATE, DELAY}), SwitchHelper());
        fabric.StartFlows({flow, flow});
    });
    ExpectPart(message, "flow 4: the id is used twice; ids must differ.");
    NS_TEST_EXPECT_MSG_EQ(message.find("Fabric::"), std::string::npos, message);
}

void
ExpectNoSuch(const std::string& sentence, const std::function<void(const Fabric&)>& question)
{
    ExpectStop("Fabric: " + sentence, [&question]() {
        question(Fabric(Topology::Star({1, RATE, DELAY}), SwitchHelper()));
    });
}

void
BuildWith(const ObjectFactory& nics)
{
    Fabric(Topology::Star({2, RATE, DELAY}), SwitchHelper(), nics);
}

void
ExpectOverrideRefused(const std::string& attribute,
                      const std::string& value,
                      const std::string& shown)
{
    const std::string name = "ns3::lossless::" + attribute;
    const auto set = [&]() { Config::SetDefault(name, StringValue(value)); };
    ExpectStop("Fabric: " + name + " is set to " + shown +
                   ", which has no effect: the topology sets each link",
               [&]() {
                   set();
                   BuildWith(ObjectFactory("ns3::lossless::RoceNic"));
               });
    // The default does affect cables that a program installs itself.
    const std::string said = GetAbortMessage([&]() {
        set();
        LosslessHelper().Install(CreateObject<Node>(), CreateObject<Node>());
    });
    NS_TEST_EXPECT_MSG_EQ(said, "", attribute << " of a cable");
}

LOSSLESS_TEST(g_suite, "a fabric names what it cannot use, and what it does not have")
{
    ExpectNoSuch("host 1 does not exist; there are 1.", [](const Fabric& f) { f.GetHost(1); });
    ExpectNoSuch("host 1 does not exist; there are 1.", [](const Fabric& f) { f.GetNic(1); });
    ExpectNoSuch("host 1 does not exist; there are 1.", [](const Fabric& f) { f.GetAddress(1); });
    ExpectNoSuch("switch 1 does not exist; there are 1.", [](const Fabric& f) { f.GetSwitch(1); });
    const std::string port = "host 0 has no port 9; there are 1.";
    ExpectNoSuch(port, [](const Fabric& f) { f.GetNic(0, 9); });
    ExpectNoSuch(port, [](const Fabric& f) { f.GetAddress(0, 9); });
    ExpectNoSuch(port, [](const Fabric& f) { f.GetHostDevice(0, 9); });
    ExpectStop(
        "\"ns3::lossless::PfcSwitchNode\" is not an ns3::lossless::RoceNic; it must be one of",
        []() { BuildWith(ObjectFactory("ns3::lossless::PfcSwitchNode")); });
    ExpectStop("an ObjectFactory makes no registered type", []() { BuildWith(ObjectFactory()); });
    ExpectOverrideRefused("LosslessNetDevice::DataRate", "40Gbps", "40000000000bps");
    ExpectOverrideRefused("LosslessChannel::Delay", "2us", "+2000ns");
    const std::string said = GetAbortMessage([]() {
        Config::SetDefault("ns3::lossless::LosslessNetDevice::DataRate", StringValue("100Gbps"));
        BuildWith(ObjectFactory("ns3::lossless::RoceNic"));
    });
    NS_TEST_EXPECT_MSG_EQ(said, "", "the default itself, as files of ConfigStore have it");
}

void
Tick()
{
    Simulator::Schedule(NanoSeconds(100), &Tick);
}

/// Simulates a fabric of two hosts.
/// @param calls the number of calls to StopWhenFlowsAreDone(), with a grace period of 10 us
/// @return the number of flows that have arrived, and the end time of the simulation
std::pair<std::size_t, Time>
SimulateUntilStopped(const FlowList& flows, uint32_t calls, Time first)
{
    Fabric fabric(Topology::Star({2, RATE, DELAY}), SwitchHelper());
    const FlowLog log(fabric);
    Tick();
    fabric.StartFlows(flows);
    RunFor(first);
    for (uint32_t i = 0; i < calls; ++i)
    {
        fabric.StopWhenFlowsAreDone(MicroSeconds(10));
    }
    Simulator::Run();
    const Time end = Simulator::Now();
    Simulator::Destroy();
    return {log.m_times.size(), end};
}

/// @return the end time of a simulation in which h0 sends one packet to h1
Time
SimulateOnePacket(Fabric::FlowEnd end)
{
    Fabric fabric(Topology::Star({2, RATE, DELAY}), SwitchHelper());
    fabric.StartFlows({MakeFlow(0, 0, 1, 100, NanoSeconds(1))});
    fabric.StopWhenFlowsAreDone(Seconds(1), Fabric::FlowEnd::RECEIVED);
    fabric.StopWhenFlowsAreDone(Seconds(1), end); // replaces the previous request
    Simulator::Run();
    const Time now = Simulator::Now();
    Simulator::Destroy();
    return now;
}

/// At the sender, a flow is complete when its acknowledgement has returned over both cables.
LOSSLESS_TEST(g_suite, "a fabric ends the simulation when flows are acknowledged")
{
    const Time received = SimulateOnePacket(Fabric::FlowEnd::RECEIVED);
    const Time acknowledged = SimulateOnePacket(Fabric::FlowEnd::ACKNOWLEDGED);
    NS_TEST_EXPECT_MSG_GT(acknowledged, received + DELAY + DELAY, "two delays later");
    NS_TEST_EXPECT_MSG_LT(acknowledged, Seconds(1), "before the grace is over");
}

LOSSLESS_TEST(g_suite, "a fabric ends the simulation after its flows or after the grace")
{
    // With the longest Time, the end time would overflow and precede the start time.
    for (const Time& grace : {Time::Max(), NanoSeconds(-1)})
    {
        ExpectStop("s; it must be from 0 to +4.61169e+09s.", [grace]() {
            Fabric fabric(Topology::Star({2, RATE, DELAY}), SwitchHelper());
            fabric.StartFlows({MakeFlow(0, 0, 1, 100, NanoSeconds(1))});
            fabric.StopWhenFlowsAreDone(grace);
        });
    }
    NS_TEST_EXPECT_MSG_EQ(SimulateUntilStopped({}, 1, Time(0)).second,
                          MicroSeconds(10),
                          "no flows: the grace from now on");
    NS_TEST_EXPECT_MSG_EQ(SimulateUntilStopped({}, 1, MicroSeconds(3)).second,
                          MicroSeconds(13),
                          "no flows: the grace from now on");

    const FlowSpec large = MakeFlow(0, 0, 1, 1000000000, MicroSeconds(2));
    auto [arrived, end] = SimulateUntilStopped({large}, 1, Time(0));
    NS_TEST_EXPECT_MSG_EQ(arrived, 0, "1 GB takes 0.8 s");
    NS_TEST_EXPECT_MSG_EQ(end, MicroSeconds(12), "the grace from the last start on");
    NS_TEST_EXPECT_MSG_EQ(SimulateUntilStopped({large}, 1, MicroSeconds(5)).second,
                          MicroSeconds(15),
                          "the last start has passed: from now on");

    // A packet of 100 B takes 145.6 ns (54 + 100 + 4 + 24 B at 10 Gb/s) plus 1 us on each of two
    // links.
    const FlowList two = {MakeFlow(0, 0, 1, 100), MakeFlow(1, 1, 0, 100, MicroSeconds(4))};
    for (const uint32_t calls : {1, 2})
    {
        std::tie(arrived, end) = SimulateUntilStopped(two, calls, Time(0));
        NS_TEST_EXPECT_MSG_EQ(arrived, 2, calls << " calls: all arrive");
        NS_TEST_EXPECT_MSG_EQ(end,
                              NanoSeconds(4000 + 2 * 1145) + GetStopDelay(DELAY),
                              calls << " calls: the last arrival");
    }
}

bool
Captures(const std::string& prefix, Ptr<NetDevice> device, const std::string& file)
{
    LosslessHelper().EnablePcap(prefix, device);
    return std::ifstream(file).good();
}

LOSSLESS_TEST(g_suite, "nodes of a fabric, and captures at them, have the names of its topology")
{
    Fabric fabric(Topology::LeafSpine({2, 1, 3}), SwitchHelper());
    Ptr<NetDevice> uplink = fabric.GetSwitch("leaf1")->GetDevice(3);
    NS_TEST_EXPECT_MSG_EQ(Names::Find<Node>("leaf1"), fabric.GetSwitch("leaf1"), "a switch");
    NS_TEST_EXPECT_MSG_EQ(Names::Find<Node>("h5"), fabric.GetHost(5), "a host");
    const std::string folder = CreateTempDirFilename("");
    NS_TEST_EXPECT_MSG_EQ(Captures(folder + "run", uplink, folder + "run-leaf1-3.pcap"),
                          true,
                          "behind a prefix");
    NS_TEST_EXPECT_MSG_EQ(Captures(folder, uplink, folder + "leaf1-3.pcap"), true, "in a folder");
}

/// Without pinned routes, ECMP would spread the 16 flows over both spines.
LOSSLESS_TEST(g_suite, "a pinned route is the only one of a switch to a host")
{
    Fabric fabric(Topology::LeafSpine({2, 2, 2}), SwitchHelper());
    fabric.PinRoute("leaf0", 3, "spine1");
    fabric.PinRoute("leaf1", 0, "spine1"); // for acknowledgements
    fabric.PinRoute("leaf1", 1, "spine1");
    FlowList flows;
    for (uint32_t i = 0; i < 16; ++i)
    {
        flows.push_back(MakeFlow(i, i % 2, 3, 10000, Time(0)));
    }
    fabric.StartFlows(flows);
    RunFor(Seconds(1));
    // Each flow has ten packets and as many acknowledgements.
    NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch("spine0")->GetCounts().sent, 0, "not here");
    NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch("spine1")->GetCounts().sent, 320, "all of them");
    ExpectStop("Fabric: no link joins leaf0 and leaf1; leaf0 has links to h0 h1 spine0 spine1.",
               [&fabric]() { fabric.PinRoute("leaf0", 3, "leaf1"); });
}

LOSSLESS_TEST(g_suite, "a host of a fabric has one sink for raw frames")
{
    Fabric fabric(Topology::Star({3, RATE, DELAY}), SwitchHelper());
    const Ptr<RawSink> sink = fabric.InstallSink(2);
    NS_TEST_EXPECT_MSG_EQ(fabric.InstallSink(2), sink, "the same again");
    for (uint32_t from = 0; from < 2; ++from)
    {
        auto source = CreateObject<RawSource>();
        source->SetAttribute("MaxFrames", UintegerValue(5));
        fabric.InstallSource(source, from, 2);
    }
    RunFor(MilliSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotal().frames, 10, "of both senders");
}

LOSSLESS_TEST(g_suite, "a fabric leaves names alone that are taken or that ns-3 reads otherwise")
{
    const std::string folder = CreateTempDirFilename("");
    const StarOptions options{2, RATE, DELAY};
    auto own = CreateObject<Node>();
    Names::Add("h0", own);
    Names::Add("h1", CreateObject<RateErrorModel>()); // this object is not a node
    Fabric first(Topology::Star(options), SwitchHelper());
    NS_TEST_EXPECT_MSG_EQ(Names::Find<Node>("h0"), own, "a node of the user");
    NS_TEST_EXPECT_MSG_EQ(Names::FindName(first.GetHost(0)), "", "has the name alone");
    NS_TEST_EXPECT_MSG_EQ(Names::FindName(first.GetHost(1)), "", "as has anything else");
    NS_TEST_EXPECT_MSG_EQ(Names::FindName(first.GetSwitch(0)), "s0", "this one was free");
    // A second fabric is built from the same topology in the same simulation.
    Fabric second(Topology::Star(options), SwitchHelper());
    NS_TEST_EXPECT_MSG_EQ(Names::FindName(second.GetSwitch(0)), "", "the first fabric has it");
    NS_TEST_EXPECT_MSG_EQ(Names::Find<Node>("s0"), first.GetSwitch(0), "namely");
    const std::string number = std::to_string(second.GetSwitch(0)->GetId());
    NS_TEST_EXPECT_MSG_EQ(
        Captures(folder, second.GetSwitch(0)->GetDevice(1), folder + number + "-1.pcap"),
        true,
        "ns-3's name of files at nodes without a name");
    Topology slashes;
    slashes.AddHost("rack/h0");
    slashes.AddHost("/Names");
    slashes.AddSwitch("tor");
    slashes.AddLink("rack/h0", "tor", RATE, DELAY);
    slashes.AddLink("/Names", "tor", RATE, DELAY);
    Fabric third(slashes, SwitchHelper());
    NS_TEST_EXPECT_MSG_EQ(Names::FindName(third.GetHost(0)), "", "a path of names");
    NS_TEST_EXPECT_MSG_EQ(Names::FindName(third.GetHost(1)), "", "and another");
    NS_TEST_EXPECT_MSG_EQ(Names::FindName(third.GetSwitch(0)), "tor", "beside them");
}

LOSSLESS_TEST(g_suite, "the next simulation finds no names")
{
    for (uint32_t run = 0; run < 2; ++run)
    {
        Names::Add("mine", CreateObject<Node>());
        Fabric fabric(Topology::Star({2, RATE, DELAY}), SwitchHelper());
        NS_TEST_EXPECT_MSG_EQ(Names::Find<Node>("h1"), fabric.GetHost(1), "run " << run);
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(Names::FindName(fabric.GetHost(1)), "", "after run " << run);
    }
}

LOSSLESS_TEST(g_suite, "a flow that arrives after its fabric is gone does not touch it")
{
    static constexpr unsigned char mark = 0xa5;
    alignas(Fabric) std::array<unsigned char, sizeof(Fabric)> memory;
    auto* fabric = new (memory.data()) Fabric(Topology::Star({2, RATE, DELAY}), SwitchHelper());
    const FlowLog log(*fabric);
    fabric->StartFlows({MakeFlow(0, 0, 1, 1000), MakeFlow(1, 0, 1, 1000, MicroSeconds(50))});
    fabric->StopWhenFlowsAreDone(MicroSeconds(100));
    Simulator::Schedule(NanoSeconds(1), [&memory, fabric]() {
        fabric->~Fabric();
        memory.fill(mark);
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(log.m_starts, "0@0", "flows that have not started do not");
    NS_TEST_EXPECT_MSG_EQ(log.m_times.size(), 1, "flows that have started arrive");
    const bool isUntouched =
        std::all_of(memory.begin(), memory.end(), [](auto byte) { return byte == mark; });
    NS_TEST_EXPECT_MSG_EQ(isUntouched, true, "its memory is left alone");
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(150), "the grace is kept");
}

/// Simulates flows between h0 and h1, one at a time, 1 ms apart.
/// @return the completion times in ns, or "-" for a flow that does not arrive, each followed by a *
/// if the time is not ideal
std::string
SimulateInTurn(const Topology& topology, const std::vector<uint32_t>& sources)
{
    Fabric fabric(topology, SwitchHelper());
    const FlowLog log(fabric);
    FlowList flows;
    for (const uint32_t source : sources)
    {
        flows.push_back(MakeFlow(flows.size(),
                                 source,
                                 1 - source,
                                 100000,
                                 MilliSeconds(static_cast<int64_t>(flows.size()))));
    }
    fabric.StartFlows(flows);
    RunFor(Seconds(1));
    std::string text;
    for (const FlowSpec& flow : fabric.GetFlows())
    {
        const auto found = log.m_times.find(flow.id);
        const bool arrived = found != log.m_times.end();
        const int64_t fct = arrived ? found->second : 0;
        // The frame time is rounded down at each hop, and the ideal FCT to the nearest nanosecond.
        const int64_t loss = fabric.GetIdealFct(flow).GetNanoSeconds() - fct;
        text += (text.empty() ? "" : " ") + (arrived ? std::to_string(fct) : "-") +
                (loss >= 0 && loss <= 1 ? "" : "*");
    }
    Simulator::Destroy();
    return text;
}

/// @return h0 and h1, whose cables have a rate of 100 Gb/s and a delay of 1 us
Topology
Join(const std::vector<std::pair<std::string, std::string>>& cables)
{
    Topology topology;
    topology.AddHost("h0");
    topology.AddHost("h1");
    topology.AddSwitch("s0");
    topology.AddSwitch("s1");
    for (const auto& [a, b] : cables)
    {
        topology.AddLink(a, b, DataRate("100Gbps"), DELAY);
    }
    return topology;
}

LOSSLESS_TEST(g_suite, "The ideal time of a flow that is not simulated")
{
    Topology uneven = Topology::Star({2, DataRate("100Gbps"), DELAY});
    uneven.AddLink("h0", "s0", DataRate("10Gbps"), DELAY);
    uneven.FailLink(0);
    Fabric fabric(uneven, SwitchHelper());
    NS_TEST_EXPECT_MSG_EQ(fabric.GetIdealFct(MakeFlow(0, 1, 0, 100000)),
                          NanoSeconds(88647),
                          "by the first NIC with a path, the slow one");
}

/// The gap after a frame delays only the next frame. A byte takes 1 ns on the outer two links and
/// 2 ns between the switches. Each frame (1070 or 570 B) is followed by a gap of 12 B.
LOSSLESS_TEST(g_suite, "gaps count between frames, and not behind the last one, by hand")
{
    Config::SetDefault("ns3::lossless::LosslessNetDevice::GapBytes", UintegerValue(12));
    const Topology line = MakeTopology("h0,s0,8Gbps,1us\n"
                                       "s0,s1,4Gbps,1us\n"
                                       "s1,h1,8Gbps,1us\n");
    Fabric fabric(line, SwitchHelper());
    const FlowLog log(fabric);
    const FlowList flows{MakeFlow(0, 0, 1, 500), MakeFlow(1, 0, 1, 2500, MicroSeconds(100))};
    // One frame of 570 B takes 570 + 1140 + 570 ns and three times 1000 ns.
    //
    // Three frames of 1070, 1070 and 570 B occupy the links from the first bit to the last:
    //   first    0 - 1070      1082 - 2152    2164 - 2734
    //   second   2070 - 4210   4234 - 6374    6398 - 7538
    //   third    5210 - 6280   7374 - 8444    8538 - 9108
    const std::vector<int64_t> expected{5280, 10108};
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(fabric.GetIdealFct(flows[i]), NanoSeconds(expected[i]), "ideal");
    }
    fabric.StartFlows(flows);
    RunFor(MicroSeconds(200));
    NS_TEST_ASSERT_MSG_EQ(log.m_times.size(), 2, "both arrive");
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(log.m_times.at(i), expected[i], "simulated");
    }
}

/// Every node receives the whole frame of 570 B before sending it, which takes 570 ns at 8 Gb/s and
/// 285 ns on the link from h2 to s1.
LOSSLESS_TEST(g_suite, "times of flows across and to a host that forwards, by hand")
{
    Config::SetDefault("ns3::lossless::LosslessNetDevice::GapBytes", UintegerValue(12));
    Topology topology = MakeBridge(0);
    NS_TEST_ASSERT_MSG_EQ(Show(LetHostsForward(topology)), "(no complaint)", "h2 has two NICs");
    Fabric fabric(topology, SwitchHelper());
    const FlowLog log(fabric);
    fabric.StartFlows({MakeFlow(0, 0, 1, 500), MakeFlow(1, 2, 0, 500, MicroSeconds(100))});
    RunFor(MicroSeconds(200));
    NS_TEST_ASSERT_MSG_EQ(log.m_times.size(), 2, "both arrive");
    NS_TEST_EXPECT_MSG_EQ(log.m_times.at(0), 3 * 570 + 285 + 4 * 1000, "h0, s0, h2, s1, h1");
    NS_TEST_EXPECT_MSG_EQ(log.m_times.at(1), 3 * 570 + 2 * 1000, "h2 to its switch, s0, h0");
}

/// @param [out] headroom the headroom of a switch port in bytes, according to Eq. 1 of the DSH
/// paper
/// @return the completion time of 100 000 B from h0 to h1 in a star whose links have a rate of
/// 100 Gb/s and a delay of 1 us
std::string
SimulateJumbo(uint32_t mtu, uint32_t payload, uint64_t& headroom)
{
    Config::SetDefault("ns3::lossless::LosslessNetDevice::Mtu", UintegerValue(mtu));
    Config::SetDefault("ns3::lossless::RoceNic::PayloadBytes", UintegerValue(payload));
    Config::SetDefault("ns3::lossless::HeadroomBufferPolicy::WorstCaseHeadroom",
                       BooleanValue(false));
    const Topology star = Topology::Star({2, DataRate("100Gbps"), DELAY});
    {
        Fabric fabric(star, SwitchHelper());
        fabric.GetSwitch(0)->Initialize();
        const auto policy =
            DynamicCast<HeadroomBufferPolicy>(fabric.GetSwitch(0)->GetBufferPolicy());
        headroom = policy->GetPortHeadroom(PortId{0});
    }
    Simulator::Destroy();
    return SimulateInTurn(star, {0});
}

/// With jumbo frames, 58 B of headers and 24 B of overhead are added to the payload, and the
/// headroom depends on the MTU. A link carries 12.5 B/ns.
LOSSLESS_TEST(g_suite, "payloads above 1456 B, by hand")
{
    uint64_t headroom = 0;
    // The 24 frames of 4178 B take 334.24 ns each. One frame of 1696 + 82 B takes 142.24 ns and
    // waits for the full frames on the second link. The total is 25 x 334.24 + 142.24 + 2 x
    // 1000 ns.
    NS_TEST_EXPECT_MSG_EQ(SimulateJumbo(4140, 4096, headroom), "10498", "a path MTU of 4096");
    NS_TEST_EXPECT_MSG_EQ(headroom, 37120, "2 (12 500 + 4140) + 3840");
    // The 11 frames of 9038 B take 723.04 ns each, and one of 1484 + 82 B takes 125.28 ns. The
    // total is 12 x 723.04 + 125.28 + 2 x 1000 ns.
    NS_TEST_EXPECT_MSG_EQ(SimulateJumbo(9000, 8956, headroom), "10801", "an MTU of 9000");
    NS_TEST_EXPECT_MSG_EQ(headroom, 46840, "2 (12 500 + 9000) + 3840");
}

/// Frames sent into a cut cable are lost, counted and retransmitted, and no other frames are lost.
LOSSLESS_TEST(g_suite, "frames are conserved when a link of a fabric fails and is mended")
{
    const Topology topology = Topology::LeafSpine({2, 1, 2});
    Fabric fabric(topology, SwitchHelper());
    const FlowLog log(fabric);
    const uint32_t link =
        topology.FindLinks(*topology.FindNode("leaf0"), *topology.FindNode("spine0")).front();
    Simulator::Schedule(MicroSeconds(30), &LosslessChannel::SetUp, fabric.GetCable(link), false);
    Simulator::Schedule(MicroSeconds(90), &LosslessChannel::SetUp, fabric.GetCable(link), true);
    DropRecorder drops;
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        drops.Watch(std::to_string(i), fabric.GetSwitch(i));
    }
    fabric.StartFlows({MakeFlow(0, 0, 2, 1000000), MakeFlow(1, 3, 1, 1000000)});
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(log.m_times.size(), 2, "flows arrive after all");
    uint64_t lost = 0;
    for (const DropRecord& drop : drops.GetDrops())
    {
        NS_TEST_EXPECT_MSG_EQ((drop.reason == DropReason::LINK_DOWN), true, ToString(drop.reason));
        lost += drop.isControl ? 0 : drop.frames;
    }
    NS_TEST_EXPECT_MSG_GT(lost, 0, "frames are lost");
    uint64_t begun = 0;
    uint64_t ended = lost;
    uint64_t answers = 0;
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        const RoceNic::Counts& counts = fabric.GetNic(host)->GetCounts();
        begun += counts.dataSent;
        ended += counts.dataReceived + counts.stale;
        answers += counts.acksSent + counts.naksSent;
    }
    // Lost frames are data packets or responses, so their number is at least the number of missing
    // data packets and at most this number plus all responses.
    NS_TEST_EXPECT_MSG_EQ((begun <= ended && ended <= begun + answers),
                          true,
                          begun << " " << ended);
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(i)->GetSharedBuffer()->GetUsed(), 0, "empty");
    }
}

struct GpuPods
{
    uint32_t servers{2};       ///< number of servers
    uint32_t serversPerPod{0}; ///< number of servers per pod
    uint32_t gpus{2};          ///< number of GPUs per server
    uint32_t nvSwitches{1};    ///< number of NVSwitches per server
    uint32_t rails{0};         ///< number of rails
    uint32_t tors{1};          ///< number of top-of-rack switches per rail
    uint32_t spines{1};        ///< number of spine switches

    Ptr<GpuPodsTopology> Create() const
    {
        auto part = CreateObject<GpuPodsTopology>();
        part->SetAttribute("Servers", UintegerValue(servers));
        part->SetAttribute("ServersPerPod", UintegerValue(serversPerPod));
        part->SetAttribute("GpusPerServer", UintegerValue(gpus));
        part->SetAttribute("NvSwitches", UintegerValue(nvSwitches));
        part->SetAttribute("NvlinkRate", DataRateValue(DataRate("800Gbps")));
        part->SetAttribute("Rails", UintegerValue(rails));
        part->SetAttribute("TorsPerRail", UintegerValue(tors));
        part->SetAttribute("Spines", UintegerValue(spines));
        part->SetAttribute("Delay", TimeValue(MicroSeconds(1)));
        return part;
    }
};

LOSSLESS_TEST(g_suite, "GPU pods")
{
    const auto count = [](const GpuPods& pods, const std::string& numbers) {
        const Topology topology = pods.Create()->Make();
        NS_TEST_EXPECT_MSG_EQ(Show(topology.Validate()), "(no complaint)", "built well");
        NS_TEST_EXPECT_MSG_EQ(std::to_string(topology.GetHosts().size()) + " GPUs, " +
                                  std::to_string(topology.GetSwitches().size()) + " switches, " +
                                  std::to_string(topology.GetLinks().size()) + " links" +
                                  (Reachability(topology).IsWhole() ? "" : ", rails apart"),
                              numbers,
                              "sizes");
        return topology;
    };
    // The switches are the NVSwitches, the ToRs and the spines. The links are those of the
    // NVSwitches, those of the NICs, and those between ToRs and spines.
    count({2, 0, 2, 1, 0, 1, 1}, "4 GPUs, 5 switches, 10 links");
    count({2, 0, 2, 1, 0, 1, 0}, "4 GPUs, 4 switches, 8 links, rails apart");
    count({2, 0, 2, 1, 1, 1, 0}, "4 GPUs, 3 switches, 8 links");
    count({5, 2, 8, 4, 4, 2, 3}, "40 GPUs, 47 switches, 312 links");
    const Topology dual = count({2, 0, 2, 2, 0, 2, 0}, "4 GPUs, 8 switches, 16 links, rails apart");
    NS_TEST_EXPECT_MSG_EQ(dual.GetLinks()[0].rate, DataRate("400Gbps"), "half of the NVLinks");
    NS_TEST_EXPECT_MSG_EQ(dual.GetLinks()[8].rate, DataRate("50Gbps"), "a port of two");
    NS_TEST_EXPECT_MSG_EQ(dual.GetHostRate(0), DataRate("100Gbps"), "to other servers");

    const auto refuse = [](const GpuPods& pods, const std::string& sentence) {
        NS_TEST_EXPECT_MSG_EQ(Show(pods.Create()->Check()), sentence, "refused");
    };
    refuse({65000}, "number of GPUs is 130000; it must be from 1 to 65000");
    refuse({2, 0, 2, 1, 3}, "rails are 3; there must be at most as many as GPUs of a server, 2");
    refuse({2, 3}, "servers per pod are 3; there must be at most as many as servers, 2");
}

LOSSLESS_TEST(g_suite, "flows of GPUs take NVLink within a server, else the rail, else the spine")
{
    // A packet takes 2 x 10.82 + 2 x 25 ns over NVLink, 2 x 86.56 ns + 2 us over a rail, and 4 x
    // 86.56 ns + 4 us over a spine.
    const Topology topology = GpuPods().Create()->Make();
    Fabric fabric(topology, SwitchHelper());
    const auto send = [&fabric](uint32_t source, uint32_t destination) {
        return fabric.GetIdealFct({0, source, destination, 3, 1000, Time(0), ""}).GetPicoSeconds();
    };
    NS_TEST_EXPECT_MSG_EQ(send(0, 1) / 1000, 72, "within a server");
    NS_TEST_EXPECT_MSG_EQ(send(0, 2) / 1000, 2173, "within a rail");
    NS_TEST_EXPECT_MSG_EQ(send(0, 3) / 1000, 4346, "over the spine");
}

LOSSLESS_TEST(g_suite, "a fabric has parallel paths where switches have a choice")
{
    const auto hasThem = [](const Topology& topology) {
        return Fabric(topology, SwitchHelper()).HasParallelPaths();
    };
    NS_TEST_EXPECT_MSG_EQ(hasThem(Topology::Star({3, RATE, DELAY})), false, "one switch");
    NS_TEST_EXPECT_MSG_EQ(hasThem(Topology::Dumbbell({2, 2})), false, "one link between switches");
    LeafSpineOptions tree{2, 2, 1};
    NS_TEST_EXPECT_MSG_EQ(hasThem(Topology::LeafSpine(tree)), true, "two spines");
    tree.spines = 1;
    NS_TEST_EXPECT_MSG_EQ(hasThem(Topology::LeafSpine(tree)), false, "one spine");
}

LOSSLESS_TEST(g_suite, "what a fabric has to do is counted beforehand")
{
    Fabric fabric(Topology::Star({3, RATE, DELAY}), SwitchHelper());
    // The first flow has 3 packets and 3 acknowledgements over 2 links each, and the second flow
    // has one of each.
    fabric.StartFlows({{0, 0, 1, 3, 2500, Time(0), ""}, {1, 1, 2, 3, 1, MicroSeconds(9), ""}});
    NS_TEST_EXPECT_MSG_EQ(fabric.CountPacketHops(), 16, "all");
    NS_TEST_EXPECT_MSG_EQ(fabric.CountPacketHops(MicroSeconds(9)), 12, "those of the first");
    NS_TEST_EXPECT_MSG_EQ(fabric.CountPacketHops(MicroSeconds(2)), 8, "2 packets in 2 x 865.6 ns");
    fabric.GetNic(1)->SetAttribute("AckInterval", UintegerValue(2));
    NS_TEST_EXPECT_MSG_EQ(fabric.CountPacketHops(), 14, "2 acknowledgements in place of 3");
}

LOSSLESS_TEST(g_suite, "hosts of a fabric with several NICs")
{
    // The 100 packets of 1082 B on the wire take 86.56 ns each at 100 Gb/s and 865.6 ns at 10 Gb/s.
    // With two fast links, the flow takes 100 packet times on the first link, one on the last link
    // and 2 us, or 10742.56 ns. With one slow link, it takes one packet time on the fast link, 100
    // on the slow one and 2 us, or 88646.56 ns.
    Topology uneven = Topology::Star({2, DataRate("100Gbps"), DELAY});
    uneven.AddLink("h0", "s0", DataRate("10Gbps"), DELAY);
    NS_TEST_EXPECT_MSG_EQ(SimulateInTurn(uneven, {1, 1, 1, 1, 0, 0}),
                          "10742 88646 10742 88646 10742 88646",
                          "the NICs of h0 take turns as receivers and as senders");
    uneven.FailLink(2);
    NS_TEST_EXPECT_MSG_EQ(SimulateInTurn(uneven, {1, 1, 0, 0}),
                          "10742 10742 10742 10742",
                          "a NIC without a working cable is passed over");

    NS_TEST_EXPECT_MSG_EQ(
        SimulateInTurn(Join({{"h0", "s0"}, {"h1", "s0"}, {"h0", "s1"}, {"h1", "s1"}}),
                       {0, 0, 1, 1}),
        "10742 10742 10742 10742",
        "two networks apart: each NIC reaches one of the other host");
    NS_TEST_EXPECT_MSG_EQ(
        SimulateInTurn(Join({{"h0", "s0"}, {"h0", "s1"}, {"h1", "s1"}}), {0, 0, 1, 1}),
        "10742 10742 10742 10742",
        "only the second NIC of h0 reaches h1");
    // The link s0-s1 is not used. A path over both switches would take 1086.56 ns more.
    NS_TEST_EXPECT_MSG_EQ(
        SimulateInTurn(Join({{"h0", "s0"}, {"h0", "s1"}, {"h1", "s1"}, {"s0", "s1"}}),
                       {1, 1, 0, 0}),
        "10742 10742 10742 10742",
        "the NIC with the shortest path");
}

} // namespace ns3::lossless::tests::THIS_FILE
