// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/adaptive-forwarding.h"

// Tests adaptive load balancing, which selects the port of each frame based on the lengths of the
// egress queues and the state of the links.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-adaptive-forwarding", UNIT);

constexpr uint16_t PORTS = 4;

/// The forwarding of a switch with four ports, all of which lead to host 0. Only port 2 leads to
/// host 1.
struct Table
{
    explicit Table(int64_t stream = 1)
    {
        m_buffer->Resize(PORTS);
        m_forwarding->Configure(0, std::vector<DataRate>(PORTS));
        m_forwarding->SetRoute(GetHostAddress(0), {PortId{0}, PortId{1}, PortId{2}, PortId{3}});
        m_forwarding->SetRoute(GetHostAddress(1), {PortId{2}});
        m_forwarding->AssignStreams(stream);
    }

    void Fill(uint16_t port, uint32_t bytes, uint8_t priority = 3)
    {
        SwitchItem item = MakeItem(0, priority);
        item.egress = PortId{port};
        item.bufferBytes = bytes;
        m_buffer->Arrive(item, {0, bytes, 0});
        m_buffer->Move(item);
    }

    std::array<uint32_t, PORTS> Count(uint32_t host = 0, uint32_t frames = 4000)
    {
        std::array<uint32_t, PORTS> counts{};
        for (uint32_t i = 0; i < frames; ++i)
        {
            if (const auto port = m_forwarding->Route(MakeItem(host, 3), *m_buffer))
            {
                ++counts[Index(*port)];
            }
        }
        return counts;
    }

    static SwitchItem MakeItem(uint32_t host, uint8_t priority)
    {
        SwitchItem item;
        item.frame.flow.destination = GetHostAddress(host).Get();
        item.frame.priority = Priority{priority};
        return item;
    }

    Ptr<AdaptiveForwarding> m_forwarding{CreateObject<AdaptiveForwarding>()};
    /// The buffer accounting, from which the forwarding reads the lengths of the egress queues.
    Ptr<SharedBuffer> m_buffer{CreateObject<SharedBuffer>()};
};

/// Checks that the 4000 frames are spread evenly over the ports.
void
ExpectEvenly(const std::array<uint32_t, PORTS>& counts,
             const std::vector<uint16_t>& ports,
             const std::string& what)
{
    const double share = 4000.0 / ports.size();
    // The tolerance is five standard deviations of a binomial count.
    const double tolerance = 5 * std::sqrt(share * (1 - 1.0 / ports.size()));
    uint32_t sum = 0;
    for (const uint16_t port : ports)
    {
        sum += counts[port];
        NS_TEST_EXPECT_MSG_EQ_TOL(counts[port], share, tolerance + 0.5, what << ": port " << port);
    }
    NS_TEST_EXPECT_MSG_EQ(sum, 4000, what << ": no other port");
}

LOSSLESS_TEST(g_suite, "Frames are spread evenly over the ports of the best grade")
{
    Table table;
    ExpectEvenly(table.Count(), {0, 1, 2, 3}, "all empty");
    table.Fill(0, 15999);
    ExpectEvenly(table.Count(), {0, 1, 2, 3}, "fewer than 16 kB");
    table.Fill(0, 1);
    ExpectEvenly(table.Count(), {1, 2, 3}, "16 kB");
    table.Fill(1, 16000);
    table.Fill(2, 16000);
    table.Fill(3, 32000);
    ExpectEvenly(table.Count(), {0, 1, 2, 3}, "16 to 32 kB");
    table.Fill(3, 1);
    ExpectEvenly(table.Count(), {0, 1, 2}, "more than 32 kB");
    for (const uint16_t port : {0, 1, 2})
    {
        table.Fill(port, 100000);
    }
    ExpectEvenly(table.Count(), {0, 1, 2, 3}, "all of the worst grade");
}

LOSSLESS_TEST(g_suite, "The load of other classes does not count, one path is one path")
{
    Table table;
    table.Fill(0, 100000, 2);
    ExpectEvenly(table.Count(), {0, 1, 2, 3}, "class 2 is long, class 3 is not");
    table.Fill(2, 100000);
    ExpectEvenly(table.Count(1), {2}, "the only one");
    NS_TEST_EXPECT_MSG_EQ(table.m_forwarding->Find(Table::MakeItem(1, 3)).has_value(),
                          true,
                          "a path is known");
    NS_TEST_EXPECT_MSG_EQ(table.m_forwarding->Find(Table::MakeItem(0, 3)).has_value(),
                          false,
                          "there are several");
}

LOSSLESS_TEST(g_suite, "Ports without a link are left out, even the best ones")
{
    Table table;
    table.m_forwarding->NotifyLinkChanged(PortId{1}, false);
    ExpectEvenly(table.Count(), {0, 2, 3}, "port 1 is down");
    for (const uint16_t port : {0, 2, 3})
    {
        table.Fill(port, 100000);
    }
    ExpectEvenly(table.Count(), {0, 2, 3}, "though it is empty");
    table.m_forwarding->NotifyLinkChanged(PortId{1}, true);
    ExpectEvenly(table.Count(), {1}, "up again");
    for (uint16_t port = 0; port < PORTS; ++port)
    {
        table.m_forwarding->NotifyLinkChanged(PortId{port}, false);
    }
    ExpectEvenly(table.Count(), {0}, "all are down: the first tells the switch so");
    NS_TEST_EXPECT_MSG_EQ(
        table.m_forwarding->Route(Table::MakeItem(2, 3), *table.m_buffer).has_value(),
        false,
        "without a route");
}

LOSSLESS_TEST(g_suite, "Equal streams draw equally, others do not")
{
    NS_TEST_EXPECT_MSG_EQ((Table(7).Count() == Table(7).Count()), true, "the same");
    NS_TEST_EXPECT_MSG_EQ((Table(7).Count() == Table(8).Count()), false, "another");
}

LOSSLESS_TEST(g_suite, "A switch routes around cables that are cut")
{
    auto node = CreateObject<SwitchNode>();
    auto forwarding = CreateObject<AdaptiveForwarding>();
    node->SetForwarding(forwarding);
    Star star(node, 4);
    // A port whose link is cut is excluded for all destinations.
    forwarding->SetRoute(GetHostAddress(9), {PortId{1}, PortId{2}, PortId{3}});
    star.SetLinkUp(1, false);
    Simulator::Schedule(MicroSeconds(50), &Star::SetLinkUp, &star, 2, false);
    star.GetHost(0).Send(9, 24, 1000, 100);
    star.GetHost(0).Send(9, 24, 1000, 100, MicroSeconds(100));
    Simulator::Run();
    const std::size_t second = star.GetHost(2).received.m_arrivals.size();
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(1).received.m_arrivals.size(), 0, "down from the start");
    NS_TEST_EXPECT_MSG_EQ((second > 20 && second < 80), true, "half of the first hundred");
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(3).received.m_arrivals.size(), 200 - second, "the rest");
}

} // namespace ns3::lossless::tests::THIS_FILE
