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

#include <cstdint>
#include <random>
#include <vector>

namespace ns3::lossless::tests
{

namespace
{

/// @param ts time @param uid order of insertion @return an event
Scheduler::Event
MakeKey(uint64_t ts, uint32_t uid)
{
    return {nullptr, {ts, uid, 0}};
}

/// Events come out by time, and at one time in the order of insertion, near or far.
class OrderTestCase : public TestCase
{
  public:
    OrderTestCase()
        : TestCase("order by time, then by insertion, across the end of the wheel")
    {
    }

  private:
    void DoRun() override
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
};

/// An event that went to the heap and one that went to the wheel, both due at the same time.
class TieTestCase : public TestCase
{
  public:
    TieTestCase()
        : TestCase("an earlier insertion from the heap comes before a later one from the wheel")
    {
    }

  private:
    void DoRun() override
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
};

/// Any mixture of insertions and removals gives the order of ns-3's scheduler.
class RandomTestCase : public TestCase
{
  public:
    RandomTestCase()
        : TestCase("random insertions and removals as with ns-3's PriorityQueueScheduler")
    {
    }

  private:
    /// @return how far ahead an event lies: mostly within the wheel, sometimes far
    uint64_t DrawDelay()
    {
        const uint32_t kind = m_random() % 10;
        return kind == 0 ? 0 : kind < 8 ? m_random() % 2000 : m_random() % 50000;
    }

    /// Removes the next event of both. @param wheel one @param reference the other
    void RemoveNext(Scheduler& wheel, Scheduler& reference)
    {
        const Scheduler::Event expected = reference.RemoveNext();
        const Scheduler::Event actual = wheel.RemoveNext();
        NS_TEST_ASSERT_MSG_EQ(actual.key.m_uid, expected.key.m_uid, "the same event is next");
        m_now = expected.key.m_ts;
        m_pending.erase(m_pending.begin() + FindPending(expected.key.m_uid));
    }

    /// @param uid a pending event @return its place in m_pending
    std::size_t FindPending(uint32_t uid) const
    {
        std::size_t i = 0;
        while (m_pending[i].key.m_uid != uid)
        {
            ++i;
        }
        return i;
    }

    void DoRun() override
    {
        auto wheel = CreateObject<WheelScheduler>();
        auto reference = CreateObject<PriorityQueueScheduler>();
        for (uint32_t uid = 0; uid < 100000; ++uid)
        {
            const Scheduler::Event event = MakeKey(m_now + DrawDelay(), uid);
            wheel->Insert(event);
            reference->Insert(event);
            m_pending.push_back(event);
            while (m_pending.size() > m_random() % 200)
            {
                if (m_random() % 8 == 0)
                {
                    const std::size_t i = m_random() % m_pending.size();
                    wheel->Remove(m_pending[i]);
                    reference->Remove(m_pending[i]);
                    m_pending.erase(m_pending.begin() + i);
                }
                else
                {
                    RemoveNext(*wheel, *reference);
                }
            }
            NS_TEST_ASSERT_MSG_EQ(wheel->IsEmpty(), m_pending.empty(), "emptiness");
        }
        while (!m_pending.empty())
        {
            RemoveNext(*wheel, *reference);
        }
        NS_TEST_EXPECT_MSG_EQ(wheel->IsEmpty(), true, "all were removed");
    }

    std::mt19937 m_random{1};                ///< fixed seed
    uint64_t m_now{0};                       ///< time of the last event removed
    std::vector<Scheduler::Event> m_pending; ///< what both hold
};

/// The suite.
class WheelSchedulerTestSuite : public TestSuite
{
  public:
    WheelSchedulerTestSuite()
        : TestSuite("lossless-wheel-scheduler", tests::UNIT)
    {
        AddTestCase(new OrderTestCase, tests::QUICK);
        AddTestCase(new TieTestCase, tests::QUICK);
        AddTestCase(new RandomTestCase, tests::QUICK);
    }
};

WheelSchedulerTestSuite g_wheelSchedulerTestSuite; ///< registers itself

} // namespace

} // namespace ns3::lossless::tests
