// SPDX-License-Identifier: GPL-2.0-only
//
// Tests the macros and classes for test suites (lossless-test.h).

#include "lossless-test.h"

#include "ns3/deadlock-record.h"
#include "ns3/drop-reason.h"
#include "ns3/roce-header.h"
#include "ns3/roce-nic.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-test-blocks", UNIT);

uint64_t
GetPayloadBytes()
{
    UintegerValue value;
    CreateObject<RoceNic>()->GetAttribute("PayloadBytes", value);
    return value.Get();
}

LOSSLESS_TEST(g_suite, "a case that returns with a simulation and a default of its own")
{
    Config::SetDefault("ns3::lossless::RoceNic::PayloadBytes", UintegerValue(77));
    Simulator::Schedule(Seconds(1), [] {});
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(Simulator::Now(), Seconds(1), "simulated");
    NS_TEST_ASSERT_MSG_EQ(GetPayloadBytes(), 77, "as set");
}

LOSSLESS_TEST(g_suite, "the next one finds neither")
{
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), Seconds(0), "destroyed");
    NS_TEST_EXPECT_MSG_EQ(GetPayloadBytes(), 1000, "reset");
}

LOSSLESS_TEST(g_suite, "enumerators and queues are printed by name or number")
{
    NS_TEST_EXPECT_MSG_EQ(TextOf(PortId{3}), "3", "port");
    NS_TEST_EXPECT_MSG_EQ(TextOf(Priority{7}), "7", "class, a number and no character");
    NS_TEST_EXPECT_MSG_EQ(TextOf(QueueId{PortId{3}, Priority{7}}), "port 3 class 7", "queue");
    NS_TEST_EXPECT_MSG_EQ(TextOf(DropReason::NO_ROUTE), "no-route", "by ToString()");
    NS_TEST_EXPECT_MSG_EQ(TextOf(DeadlockKind::CYCLE), ToString(DeadlockKind::CYCLE), "likewise");
    NS_TEST_EXPECT_MSG_EQ(TextOf(AethSyndrome{0x60}), "96", "without ToString()");
}

LOSSLESS_TEST(g_suite, "the first difference of two logs is told")
{
    using Log = std::vector<Priority>;
    const Log log{Priority{1}, Priority{2}, Priority{3}};
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(log, log), "", "none");
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(Log{}, Log{}), "", "none");
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(Log{Priority{1}, Priority{4}}, log),
                          "event 1: 4 instead of 2",
                          "another");
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(Log{Priority{1}}, log),
                          "event 1: the end instead of 2",
                          "too short");
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(log, Log{}), "event 0: 1 instead of the end", "too long");
    const std::vector<uint8_t> bytes{65};
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(bytes, std::vector<uint8_t>{66}),
                          "event 0: 65 instead of 66",
                          "bytes are numbers");
}

LOSSLESS_TESTS(g_suite)
{
    for (const std::string name : {"first", "second"})
    {
        g_suite.Add("one of a loop, the " + name,
                    [name] { NS_TEST_EXPECT_MSG_EQ(name.empty(), false, "has its own"); });
    }
}

LOSSLESS_TEST(g_suite, "a long one, which runs if asked for", EXTENSIVE)
{
    NS_TEST_EXPECT_MSG_EQ(GetPayloadBytes(), 1000, "reset");
}

} // namespace ns3::lossless::tests::THIS_FILE
