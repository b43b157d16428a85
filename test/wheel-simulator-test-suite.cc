// SPDX-License-Identifier: GPL-2.0-only
//
// Compares the module's simulator and its event list with those of ns-3.

#include "chosen-simulator.h"
#include "lossless-test.h"
#include "test-network.h"

#include "ns3/event-impl.h"
#include "ns3/event-wheel.h"
#include "ns3/priority-queue-scheduler.h"
#include "ns3/recurring-event.h"
#include "ns3/wheel-simulator-impl.h"

#include <random>
#include <thread>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-wheel-simulator", UNIT);

Scheduler::Event
MakeKey(uint64_t ts, uint32_t uid)
{
    return {nullptr, {ts, uid, 0}};
}

LOSSLESS_TEST(g_suite, "order by time, then by insertion, across the end of the wheel")
{
    EventWheel wheel;
    NS_TEST_ASSERT_MSG_EQ(wheel.IsEmpty(), true, "nothing was inserted");
    // At time 0, the wheel covers ticks up to 8191, and later events are stored in the heap.
    const std::vector<uint64_t> times = {8192, 5, 8191, 5, 100000, 0, 8192, 64, 63, 4096};
    for (uint32_t uid = 0; uid < times.size(); ++uid)
    {
        wheel.Insert(MakeKey(times[uid], uid));
    }
    // The UIDs in increasing order of (time, UID), determined by hand.
    const std::vector<uint32_t> expected = {5, 1, 3, 8, 7, 9, 2, 0, 6, 4};
    for (const uint32_t uid : expected)
    {
        NS_TEST_EXPECT_MSG_EQ(wheel.RemoveNext().key.m_uid, uid, "and then removed");
    }
    NS_TEST_EXPECT_MSG_EQ(wheel.IsEmpty(), true, "all were removed");
}

/// Of two events that are due at the same time, one is in the heap and one is in the wheel.
LOSSLESS_TEST(g_suite, "an earlier insertion from the heap comes before a later one from the wheel")
{
    EventWheel wheel;
    wheel.Insert(MakeKey(9000, 1)); // beyond the wheel, so it is stored in the heap
    wheel.Insert(MakeKey(1000, 2));
    NS_TEST_EXPECT_MSG_EQ(wheel.RemoveNext().key.m_uid, 2, "time 1000 is first");
    wheel.Insert(MakeKey(9000, 3)); // now 8000 ticks ahead, so it is stored in the wheel
    wheel.Insert(MakeKey(8999, 4));
    NS_TEST_EXPECT_MSG_EQ(wheel.RemoveNext().key.m_uid, 4, "time 8999 is first");
    NS_TEST_EXPECT_MSG_EQ(wheel.RemoveNext().key.m_uid, 1, "inserted first");
    NS_TEST_EXPECT_MSG_EQ(wheel.RemoveNext().key.m_uid, 3, "inserted later");
}

/// ns-3's UIDs have 32 bits and wrap around.
LOSSLESS_TEST(g_suite, "the order of insertion holds where uids begin again")
{
    EventWheel wheel;
    const std::vector<uint32_t> uids{UINT32_MAX - 1, UINT32_MAX, 4, 5, 0x80000006, 7};
    for (const uint32_t uid : uids)
    {
        wheel.Insert(MakeKey(9000, uid)); // heap
        wheel.Insert(MakeKey(1000, uid));
    }
    for (const uint32_t uid : uids)
    {
        NS_TEST_EXPECT_MSG_EQ(wheel.RemoveNext().key.m_uid, uid, "in the wheel");
    }
    wheel.Insert(MakeKey(9000, 1)); // wheel
    wheel.Remove(MakeKey(9000, UINT32_MAX));
    for (const uint32_t uid : {UINT32_MAX - 1, 4U, 5U, 0x80000006U, 7U, 1U})
    {
        NS_TEST_EXPECT_MSG_EQ(wheel.RemoveNext().key.m_uid, uid, "in the heap, then in the wheel");
    }
    // These events have the same UID, as if 2^32 insertions lay between any two of them.
    wheel.Insert(MakeKey(9500, 8));
    wheel.Insert(MakeKey(9600, 8));
    wheel.Insert(MakeKey(30000, 8));
    wheel.Remove(MakeKey(9600, 8));
    NS_TEST_EXPECT_MSG_EQ(wheel.RemoveNext().key.m_ts, 9500, "the other one is left");
    wheel.Remove(MakeKey(30000, 8));
    NS_TEST_EXPECT_MSG_EQ(wheel.IsEmpty(), true, "all were removed");
}

LOSSLESS_TEST(g_suite, "random insertions and removals as with ns-3's PriorityQueueScheduler")
{
    EventWheel wheel;
    auto reference = CreateObject<PriorityQueueScheduler>();
    std::mt19937 random(1);
    std::vector<Scheduler::Event> pending; // events in both schedulers
    uint64_t now = 0;                      // time of the last event removed
    const auto removeNext = [&] {
        const Scheduler::Event expected = reference->RemoveNext();
        const Scheduler::Event actual = wheel.RemoveNext();
        NS_TEST_ASSERT_MSG_EQ(actual.key.m_uid, expected.key.m_uid, "the same event is next");
        now = expected.key.m_ts;
        pending.erase(std::find(pending.begin(), pending.end(), expected));
    };
    for (uint32_t uid = 0; uid < 100000; ++uid)
    {
        // Most events are due within the range of the wheel, and some are due much later.
        const uint32_t kind = random() % 10;
        const uint64_t delay = kind == 0 ? 0 : kind < 8 ? random() % 2000 : random() % 50000;
        const Scheduler::Event event = MakeKey(now + delay, uid);
        wheel.Insert(event);
        reference->Insert(event);
        pending.push_back(event);
        while (pending.size() > random() % 200)
        {
            if (random() % 8 == 0)
            {
                const std::size_t i = random() % pending.size();
                wheel.Remove(pending[i]);
                reference->Remove(pending[i]);
                pending.erase(pending.begin() + i);
            }
            else
            {
                removeNext();
            }
        }
        NS_TEST_ASSERT_MSG_EQ(wheel.IsEmpty(), pending.empty(), "emptiness");
    }
    while (!pending.empty())
    {
        removeNext();
    }
    NS_TEST_EXPECT_MSG_EQ(wheel.IsEmpty(), true, "all were removed");
}

/// A program of events that randomly schedule, cancel and remove other events, and a log of the
/// results. Its events belong to nodes and occur at even times, while the run ends at an odd time,
/// because events without a node precede all others of the same time only in the module's
/// simulator.
class RandomProgram
{
  public:
    explicit RandomProgram(uint32_t seed)
        : m_random(seed),
          m_recurring(Create<RecurringEvent<RandomProgram, &RandomProgram::Recur>>(this))
    {
    }

    std::string Run(const std::string& simulator, uint32_t firstUid = EventId::UID::VALID)
    {
        const ChosenSimulator chosen(simulator);
        Simulator::Now(); // creates the simulator
        if (WheelSimulatorImpl* wheel = WheelSimulatorImpl::Peek())
        {
            wheel->SetNextUid(firstUid);
        }
        for (int i = 0; i < 20; ++i)
        {
            Simulator::ScheduleWithContext(i, Time(0), &RandomProgram::Spawn, this);
        }
        const EventId last = Simulator::ScheduleDestroy([this] { m_log << "destroy 1 "; });
        Simulator::ScheduleDestroy([this] { m_log << "destroy 2 "; });
        if (m_random() % 2 == 0)
        {
            Simulator::Remove(last);
        }
        RunFor(NanoSeconds(m_random() % 50000 * 2 + 1));
        Note("stopped");
        RunFor(NanoSeconds(m_random() % 50000 * 2 + 1 - Simulator::Now().GetTimeStep() % 2));
        Note("stopped again");
        for (const EventId& id : m_ids)
        {
            m_log << Simulator::IsExpired(id) << Simulator::GetDelayLeft(id).GetTimeStep()
                  << (id.GetUid() < EventId::UID::VALID ? " has ns-3's uid " : " ");
        }
        Simulator::Destroy();
        m_recurring->Detach();
        return m_log.str();
    }

  private:
    void Note(const std::string& what)
    {
        m_log << what << " at " << Simulator::Now().GetTimeStep() << ", "
              << Simulator::GetEventCount() << "; ";
    }

    void Act(uint32_t number)
    {
        Note(std::to_string(number) + " in " + std::to_string(Simulator::GetContext()));
        for (uint32_t i = m_random() % 4; i > 0 && m_next < 2000; --i)
        {
            Spawn();
        }
        if (!m_ids.empty())
        {
            const EventId& id = m_ids[m_random() % m_ids.size()];
            switch (m_random() % 8)
            {
            case 0:
                Simulator::Cancel(id);
                break;
            case 1:
                Simulator::Remove(id);
                break;
            case 2:
                m_log << "left " << Simulator::GetDelayLeft(id).GetTimeStep() << ' ';
                break;
            case 3:
                NoteTies();
                break;
            default:
                break;
            }
        }
        if (m_random() % 500 == 0)
        {
            Simulator::Stop();
        }
    }

    /// Records which of the events due now have expired.
    void NoteTies()
    {
        for (const EventId& id : m_ids)
        {
            if (id.GetTs() == static_cast<uint64_t>(Simulator::Now().GetTimeStep()))
            {
                m_log << Simulator::IsExpired(id);
            }
        }
        m_log << " of now ";
    }

    void Recur()
    {
        Note("recurs");
    }

    /// Schedules an event in a random way.
    void Spawn()
    {
        const uint32_t number = m_next++;
        const uint32_t reach = m_random() % 10;
        const Time delay = TimeStep(reach == 0 ? 0 : m_random() % (reach < 8 ? 1500 : 30000) * 2);
        switch (m_random() % 4)
        {
        case 0:
            Simulator::ScheduleWithContext(number % 7, delay, &RandomProgram::Act, this, number);
            break;
        case 1:
            m_ids.push_back(Simulator::ScheduleNow(&RandomProgram::Act, this, number));
            break;
        case 2:
            if (!m_recurring->IsArmed())
            {
                m_recurring->Arm(number % 5, delay);
            }
            break;
        default:
            m_ids.push_back(Simulator::Schedule(delay, &RandomProgram::Act, this, number));
        }
    }

    std::mt19937 m_random;      ///< the same numbers in both simulators
    std::ostringstream m_log;   ///< log of the run
    std::vector<EventId> m_ids; ///< IDs of all events, including past ones
    uint32_t m_next{0};         ///< number of the next event
    Ptr<RecurringEvent<RandomProgram, &RandomProgram::Recur>> m_recurring; ///< recurring event
};

LOSSLESS_TEST(g_suite, "random programs run in the module's simulator as in ns-3's")
{
    for (uint32_t seed = 1; seed <= 200; ++seed)
    {
        const std::string expected = RandomProgram(seed).Run(NS3_SIMULATOR);
        const std::string found = RandomProgram(seed).Run(OWN_SIMULATOR);
        NS_TEST_ASSERT_MSG_GT(expected.size(), 200, "much has happened, seed " << seed);
        NS_TEST_ASSERT_MSG_EQ((found == expected), true, "seed " << seed);
        const std::string wrapped = RandomProgram(seed).Run(OWN_SIMULATOR, UINT32_MAX - seed);
        NS_TEST_ASSERT_MSG_EQ((wrapped == expected), true, "uids begin again, seed " << seed);
    }
}

/// Of two events that are due at the same time, the first was scheduled many UIDs earlier.
LOSSLESS_TEST(g_suite, "events of one instant are over in order, however far apart their uids")
{
    for (const uint32_t uid : {5U, 0x80000004U, 0x80000005U, 0xfffffffcU, 0U + UINT32_MAX})
    {
        const ChosenSimulator chosen(OWN_SIMULATOR);
        EventId first;
        EventId second;
        std::string log;
        const auto note = [&](const char* which) {
            log += which + std::to_string(first.IsExpired()) + std::to_string(second.IsExpired());
        };
        first = Simulator::Schedule(MicroSeconds(10), [&] { note(" first "); });
        WheelSimulatorImpl::Peek()->SetNextUid(uid);
        second = Simulator::Schedule(MicroSeconds(10), [&] { note(" second "); });
        EventId removed = Simulator::Schedule(MicroSeconds(10), [&] { note(" removed "); });
        Simulator::Schedule(MicroSeconds(5), [&] {
            note(" before ");
            Simulator::Remove(removed);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(log, " before 00 first 10 second 11", "uid " << uid);
    }
}

LOSSLESS_TEST(g_suite, "the module's simulator refuses events of other threads, in a sentence")
{
    const std::string message = GetAbortMessage([] {
        const ChosenSimulator chosen(OWN_SIMULATOR);
        Simulator::Now(); // creates the simulator for this thread
        std::thread([] { Simulator::ScheduleWithContext(7, Time(0), [] {}); }).join();
    });
    for (const std::string part :
         {"another thread schedules an event, for node 7", "ns3::RealtimeSimulatorImpl"})
    {
        ExpectPart(message, part);
    }
}

LOSSLESS_TEST(g_suite, "the module's simulator takes no event list")
{
    {
        const ChosenSimulator chosen(OWN_SIMULATOR);
        const bool isOwn = Simulator::Now().IsZero() && WheelSimulatorImpl::Peek();
        NS_TEST_EXPECT_MSG_EQ(isOwn, true, "it runs");
        ExpectStop("ns3::HeapScheduler", [] {
            ObjectFactory heap("ns3::HeapScheduler");
            Simulator::SetScheduler(heap);
        });
    }
    NS_TEST_EXPECT_MSG_EQ((WheelSimulatorImpl::Peek() == nullptr), true, "it is gone");
}

} // namespace ns3::lossless::tests::THIS_FILE
