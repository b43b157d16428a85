// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup lossless
 * The event list of the module against ns-3's own.
 */

#include "lossless-test.h"

#include "ns3/event-impl.h"
#include "ns3/priority-queue-scheduler.h"
#include "ns3/wheel-scheduler.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace ns3::lossless::tests
{

namespace
{

Suite g_suite("lossless-wheel-scheduler", UNIT);

/// @param ts time @param uid order of insertion @return an event
Scheduler::Event
MakeKey(uint64_t ts, uint32_t uid)
{
    return {nullptr, {ts, uid, 0}};
}

/// Events come out by time, and at one time in the order of insertion, near or far.
LOSSLESS_TEST(g_suite, "order by time, then by insertion, across the end of the wheel")
{
    auto wheel = CreateObject<WheelScheduler>();
    NS_TEST_ASSERT_MSG_EQ(wheel->IsEmpty(), true, "nothing was inserted");
    // 8191 is the last tick of the wheel at time 0, 8192 the first of the heap.
    const std::vector<uint64_t> times = {8192, 5, 8191, 5, 100000, 0, 8192, 64, 63, 4096};
    for (uint32_t uid = 0; uid < times.size(); ++uid)
    {
        wheel->Insert(MakeKey(times[uid], uid));
    }
    // By hand: (time, uid) in increasing order.
    const std::vector<uint32_t> expected = {5, 1, 3, 8, 7, 9, 2, 0, 6, 4};
    for (const uint32_t uid : expected)
    {
        NS_TEST_EXPECT_MSG_EQ(wheel->PeekNext().key.m_uid, uid, "the next event is shown");
        NS_TEST_EXPECT_MSG_EQ(wheel->RemoveNext().key.m_uid, uid, "and then removed");
    }
    NS_TEST_EXPECT_MSG_EQ(wheel->IsEmpty(), true, "all were removed");
}

/// An event that went to the heap and one that went to the wheel, both due at the same time.
LOSSLESS_TEST(g_suite, "an earlier insertion from the heap comes before a later one from the wheel")
{
    auto wheel = CreateObject<WheelScheduler>();
    wheel->Insert(MakeKey(9000, 1)); // beyond the wheel: heap
    wheel->Insert(MakeKey(1000, 2));
    NS_TEST_EXPECT_MSG_EQ(wheel->RemoveNext().key.m_uid, 2, "time 1000 is first");
    wheel->Insert(MakeKey(9000, 3)); // 8000 ticks ahead now: wheel
    wheel->Insert(MakeKey(8999, 4));
    NS_TEST_EXPECT_MSG_EQ(wheel->RemoveNext().key.m_uid, 4, "time 8999 is first");
    NS_TEST_EXPECT_MSG_EQ(wheel->RemoveNext().key.m_uid, 1, "inserted first");
    NS_TEST_EXPECT_MSG_EQ(wheel->RemoveNext().key.m_uid, 3, "inserted later");
}

/// Any mixture of insertions and removals gives the order of ns-3's scheduler.
LOSSLESS_TEST(g_suite, "random insertions and removals as with ns-3's PriorityQueueScheduler")
{
    auto wheel = CreateObject<WheelScheduler>();
    auto reference = CreateObject<PriorityQueueScheduler>();
    std::mt19937 random(1);
    std::vector<Scheduler::Event> pending; // what both hold
    uint64_t now = 0;                      // time of the last event removed
    const auto removeNext = [&] {
        const Scheduler::Event expected = reference->RemoveNext();
        const Scheduler::Event actual = wheel->RemoveNext();
        NS_TEST_ASSERT_MSG_EQ(actual.key.m_uid, expected.key.m_uid, "the same event is next");
        now = expected.key.m_ts;
        pending.erase(std::find(pending.begin(), pending.end(), expected));
    };
    for (uint32_t uid = 0; uid < 100000; ++uid)
    {
        // Mostly within the wheel, sometimes far ahead.
        const uint32_t kind = random() % 10;
        const uint64_t delay = kind == 0 ? 0 : kind < 8 ? random() % 2000 : random() % 50000;
        const Scheduler::Event event = MakeKey(now + delay, uid);
        wheel->Insert(event);
        reference->Insert(event);
        pending.push_back(event);
        while (pending.size() > random() % 200)
        {
            if (random() % 8 == 0)
            {
                const std::size_t i = random() % pending.size();
                wheel->Remove(pending[i]);
                reference->Remove(pending[i]);
                pending.erase(pending.begin() + i);
            }
            else
            {
                removeNext();
            }
        }
        NS_TEST_ASSERT_MSG_EQ(wheel->IsEmpty(), pending.empty(), "emptiness");
    }
    while (!pending.empty())
    {
        removeNext();
    }
    NS_TEST_EXPECT_MSG_EQ(wheel->IsEmpty(), true, "all were removed");
}

} // namespace

} // namespace ns3::lossless::tests
