// SPDX-License-Identifier: GPL-2.0-only
//
// Tests how the nodes of a network are distributed among ranks and how nodes report events that
// concern the entire network.

#include "lossless-test.h"
#include "own-simulator.h"
#include "test-network.h"

#include "ns3/network-tally.h"
#include "ns3/rank-plan.h"
#include "ns3/ranks.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-rank-plan", UNIT);

std::string
ListNodes(const Topology& topology, const RankPlan& plan, uint32_t rank)
{
    std::string names;
    for (std::size_t i = 0; i < plan.ranks.size(); ++i)
    {
        if (plan.ranks[i] == rank)
        {
            names += topology.GetNodes()[i].name + ' ';
        }
    }
    return names;
}

LOSSLESS_TEST(g_suite, "pods stay together, and cores are dealt out")
{
    FatTreeOptions options;
    options.k = 4;
    options.delay = MicroSeconds(3);
    const Topology tree = Topology::FatTree(options);
    const RankPlan plan = PlanRanks(tree, 2);
    // Pods have 4 hosts, 2 edge switches and 2 aggregation switches. Each core switch has a link to
    // every pod.
    NS_TEST_EXPECT_MSG_EQ(std::count(plan.ranks.begin(), plan.ranks.end(), 0),
                          18,
                          "2 pods, 2 cores");
    NS_TEST_EXPECT_MSG_EQ(plan.links, 48, "16 in each layer");
    NS_TEST_EXPECT_MSG_EQ(plan.cutLinks, 8, "of each core those to the other 2 pods");
    NS_TEST_EXPECT_MSG_EQ(plan.lookahead, MicroSeconds(3), "delay of a cut link");
    NS_TEST_EXPECT_MSG_EQ_TOL(plan.GetBalance(), 2, 1e-9, "equal parts");
    NS_TEST_EXPECT_MSG_EQ(plan.Describe(),
                          "rank 0: 18 nodes, 50.0 % of the work\n"
                          "rank 1: 18 nodes, 50.0 % of the work\n"
                          "8 of 48 links are cut; lookahead 3000 ns; at most 2.00 times as fast as "
                          "one rank\n",
                          "what is shown");
}

LOSSLESS_TEST(g_suite, "hosts are with their switch, switches without hosts where there is room")
{
    const Topology network = Topology::LeafSpine({3, 3, 2});
    const RankPlan plan = PlanRanks(network, 3);
    NS_TEST_EXPECT_MSG_EQ(ListNodes(network, plan, 0), "h0 h1 leaf0 spine0 ", "rank 0");
    NS_TEST_EXPECT_MSG_EQ(ListNodes(network, plan, 1), "h2 h3 leaf1 spine1 ", "rank 1");
    NS_TEST_EXPECT_MSG_EQ(ListNodes(network, plan, 2), "h4 h5 leaf2 spine2 ", "rank 2");
}

LOSSLESS_TEST(g_suite, "a cable without delay is not cut, and a second port joins nothing")
{
    Topology network;
    const DataRate rate("100Gbps");
    std::vector<uint32_t> switches;
    for (const std::string name : {"a", "b", "c"})
    {
        switches.push_back(network.AddSwitch(name));
        const uint32_t host = network.AddHost("h" + name);
        network.AddLink(host, switches.back(), rate, MicroSeconds(1));
    }
    network.AddLink(switches[0], switches[1], rate, Time(0));
    network.AddLink(switches[1], switches[2], rate, NanoSeconds(700));
    network.AddLink(*network.FindNode("ha"), switches[2], rate, MicroSeconds(2));
    NS_TEST_EXPECT_MSG_EQ(CountRacks(network), 2, "a and b are one");
    const RankPlan plan = PlanRanks(network, 2);
    NS_TEST_EXPECT_MSG_EQ(ListNodes(network, plan, 1), "c hc ", "the other one");
    NS_TEST_EXPECT_MSG_EQ(plan.lookahead, NanoSeconds(700), "the lesser delay of two cut links");
    NS_TEST_EXPECT_MSG_EQ(plan.cutLinks, 2, "these");
}

LOSSLESS_TEST(g_suite, "each rank gets a rack, and more ranks than racks are refused")
{
    Topology network;
    const uint32_t middle = network.AddSwitch("middle");
    for (const uint32_t hosts : {9U, 1U, 1U})
    {
        const uint32_t rack = network.AddSwitch("rack" + std::to_string(hosts * middle));
        network.AddLink(rack, middle, DataRate("1Gbps"), MicroSeconds(1));
        for (uint32_t i = 0; i < hosts; ++i)
        {
            const uint32_t count = network.GetNodes().size();
            const uint32_t host = network.AddHost("h" + std::to_string(count));
            network.AddLink(host, rack, DataRate("1Gbps"), MicroSeconds(1));
        }
    }
    const RankPlan plan = PlanRanks(network, 3);
    for (uint32_t rank = 0; rank < 3; ++rank)
    {
        NS_TEST_EXPECT_MSG_NE(ListNodes(network, plan, rank), "", "rank " << rank);
    }
    ExpectStop("there are 4 ranks, and 3 racks of hosts", [&network] { PlanRanks(network, 4); });
}

LOSSLESS_TEST(g_suite, "what nodes note is told between windows, added up")
{
    const OwnSimulator own;
    Cable cable;
    cable.delay = MicroSeconds(1);
    const Pair pair(cable);
    std::vector<uint64_t> heard;
    NetworkTally tally([&heard](const NetworkTally::Counts& counts) {
        NS_TEST_EXPECT_MSG_EQ(Simulator::GetContext(), Simulator::NO_CONTEXT, "of no node");
        heard.insert(heard.end(), {counts.count, counts.earliest, counts.latest});
    });
    // Nodes 0 and 1 report in the same window; the report of node 0 is later in time but comes
    // first. Node 1 reports again in a later window.
    for (const auto& [node, time] :
         std::vector<std::pair<uint32_t, int64_t>>{{1, 2000}, {0, 2900}, {1, 9000}})
    {
        Simulator::ScheduleWithContext(node, NanoSeconds(time), [&tally, &heard] {
            const std::size_t before = heard.size();
            tally.Note(Simulator::Now());
            NS_TEST_EXPECT_MSG_EQ(heard.size(), before, "not within the window");
        });
    }
    Simulator::Run();
    const std::vector<uint64_t> expected{2, 2000, 2900, 1, 9000, 9000};
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(heard, expected), "", "number, first and last");
}

LOSSLESS_TEST(g_suite, "what is noted behind a run ends with the simulation")
{
    uint64_t heard = 0;
    NetworkTally tally([&heard](const NetworkTally::Counts& counts) { heard += counts.count; });
    for (const uint64_t expected : {1, 2})
    {
        const OwnSimulator own;
        Simulator::Schedule(NanoSeconds(5), [&tally] { tally.Note(Simulator::Now()); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(heard, expected, "once a simulation");
        tally.Note(Simulator::Now());
    }
}

LOSSLESS_TEST(g_suite, "without windows it is told at once")
{
    const ChosenSimulator simulator(NS3_SIMULATOR);
    uint64_t heard = 0;
    NetworkTally tally([&heard](const NetworkTally::Counts& counts) { heard += counts.count; });
    tally.Note(Simulator::Now());
    NS_TEST_EXPECT_MSG_EQ(heard, 1, "as it is noted");
}

LOSSLESS_TEST(g_suite, "an object that receives mail has the number of its place")
{
    class Receiver final : public MailReceiver
    {
        void TakeMail(const char* /* bytes */, std::size_t /* size */) override
        {
        }
    };

    auto first = std::make_unique<Receiver>();
    auto second = std::make_unique<Receiver>();
    NS_TEST_EXPECT_MSG_EQ(second->GetNumber(), first->GetNumber() + 1, "in the order of making");
    const uint32_t number = first->GetNumber();
    first.reset();
    const Receiver third;
    NS_TEST_EXPECT_MSG_EQ(third.GetNumber(), number + 2, "places in between stay empty");
    second.reset();
}

} // namespace ns3::lossless::tests::THIS_FILE
