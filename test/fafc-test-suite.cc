// SPDX-License-Identifier: GPL-2.0-only
#include "fake-switch.h"
#include "lossless-test.h"
#include "test-network.h"

#include "ns3/dcqcn.h"
#include "ns3/dctcp.h"
#include "ns3/fafc-flow-control.h"
#include "ns3/fafc-gate.h"
#include "ns3/fafc-header.h"
#include "ns3/fafc-parameters.h"
#include "ns3/occupancy-recorder.h"
#include "ns3/pauses-in-flight.h"
#include "ns3/queue-estimator.h"

#include <random>

// Tests FAFC's estimates, its record of pauses in flight, its gate and its decisions, as well as
// complete networks.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-fafc", UNIT);

constexpr Priority CLASS_3{3};

// Estimates

/// If a queue grows by g bytes per period, its estimate has errors of g n / 5^n in the length and
/// g / 5^n in the growth after n periods, if both weights are 0.8.
LOSSLESS_TEST(g_suite, "the length in two periods of a queue that grows evenly")
{
    constexpr double GROWTH = 400;
    QueueEstimator estimator({1, 1}, 0.8, 0.8);
    for (int n = 1; n <= 12; ++n)
    {
        estimator.Enqueue(PortId{0}, PortId{1}, 1000);
        estimator.Dequeue(PortId{0}, PortId{1}, 600);
        NS_TEST_EXPECT_MSG_EQ(estimator.Update(), true, "period " << n);
        const QueueEstimator::Estimate& queue = estimator.Get(PortId{0}, PortId{1});
        const double part = std::pow(0.2, n);
        NS_TEST_EXPECT_MSG_EQ(queue.bytes, 400U * n, "period " << n);
        NS_TEST_EXPECT_MSG_EQ_TOL(queue.growth, GROWTH * (1 - part), 1e-9, "period " << n);
        NS_TEST_EXPECT_MSG_EQ_TOL(queue.arrivals, 1000 * (1 - part), 1e-9, "period " << n);
        NS_TEST_EXPECT_MSG_EQ_TOL(queue.level, GROWTH * n * (1 - part), 1e-9, "period " << n);
        NS_TEST_EXPECT_MSG_EQ_TOL(queue.level + 2 * queue.growth,
                                  GROWTH * (n + 2) * (1 - part),
                                  1e-9,
                                  "in two periods, period " << n);
    }
}

LOSSLESS_TEST(g_suite, "the estimates of a port are the sums over its queues")
{
    constexpr uint16_t PORTS = 6;
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        std::mt19937 random(seed);
        QueueEstimator estimator(std::vector<double>(PORTS, 1), 0.8, 0.8);
        QueueEstimator whole({1}, 0.8, 0.8); // estimator for all frames that leave through port 2
        std::vector<uint32_t> queued(PORTS);
        for (int period = 0; period < 50; ++period)
        {
            for (int frame = 0; frame < 40; ++frame)
            {
                const auto port = static_cast<uint16_t>(random() % PORTS);
                const uint32_t bytes = 64 + random() % 1400;
                if (random() % 2 == 0)
                {
                    estimator.Enqueue(PortId{port}, PortId{2}, bytes);
                    whole.Enqueue(PortId{0}, PortId{0}, bytes);
                    queued[port] += bytes;
                }
                else if (queued[port] >= bytes)
                {
                    estimator.Dequeue(PortId{port}, PortId{2}, bytes);
                    whole.Dequeue(PortId{0}, PortId{0}, bytes);
                    queued[port] -= bytes;
                }
            }
            estimator.Update();
            whole.Update();
            const QueueEstimator::Estimate& sum = estimator.GetEgress(PortId{2});
            const QueueEstimator::Estimate& one = whole.GetEgress(PortId{0});
            NS_TEST_EXPECT_MSG_EQ(sum.bytes, one.bytes, "seed " << seed);
            NS_TEST_EXPECT_MSG_EQ_TOL(sum.level, one.level, 1e-6, "seed " << seed);
            NS_TEST_EXPECT_MSG_EQ_TOL(sum.growth, one.growth, 1e-6, "seed " << seed);
            NS_TEST_EXPECT_MSG_EQ_TOL(sum.arrivals, one.arrivals, 1e-6, "seed " << seed);
        }
    }
}

/// @param expected the expected level, growth and arrivals
void
CheckEstimate(const QueueEstimator::Estimate& queue,
              const std::vector<double>& expected,
              const std::string& when)
{
    NS_TEST_EXPECT_MSG_EQ_TOL(queue.level, expected[0], 1e-3, "level, " << when);
    NS_TEST_EXPECT_MSG_EQ_TOL(queue.growth, expected[1], 1e-3, "growth, " << when);
    NS_TEST_EXPECT_MSG_EQ_TOL(queue.arrivals, expected[2], 1e-3, "arrivals, " << when);
}

LOSSLESS_TEST(g_suite, "rates are measured over the delay of the link by which they come, by hand")
{
    // 1000 B per period arrive over a link with a delay of 3 periods, and 600 B leave. Compared
    // with 3 periods earlier, the queue is thus longer by 400, 800 and then 1200 B. In 3 periods,
    // 3000 B arrive, which is known from the first period onwards.
    QueueEstimator estimator({3, 1}, 0.8, 0.8);
    const std::vector<std::vector<double>> expected{
        {320, 320, 2400},               // 0.8 x 400, 0.8 x 400 and 0.8 x 3000
        {725.3333, 704, 2880},          // 640 + 0.2 (320 + 320 / 3); 640 + 64; 2400 + 480
        {1152, 1100.8, 2976},           // 960 + 0.2 (725.3333 + 704 / 3); 960 + 140.8
        {1583.7867, 1180.16, 2995.2},   // 1280 + 0.2 (1152 + 1100.8 / 3); 960 + 220.16
        {1995.4347, 1196.032, 2999.04}, // 1600 + 0.2 (1583.7867 + 1180.16 / 3); 960 + 236.032
    };
    for (const std::vector<double>& line : expected)
    {
        estimator.Enqueue(PortId{0}, PortId{1}, 1000);
        estimator.Dequeue(PortId{0}, PortId{1}, 600);
        estimator.Update();
        CheckEstimate(estimator.GetEgress(PortId{1}), line, "level " + std::to_string(line[0]));
    }
}

LOSSLESS_TEST(g_suite, "a link of 2.4 periods is measured over 2 of them")
{
    QueueEstimator estimator({2.4, 1}, 0.8, 0.8);
    for (int n = 0; n < 30; ++n)
    {
        estimator.Enqueue(PortId{0}, PortId{1}, 1000);
        estimator.Dequeue(PortId{0}, PortId{1}, 600);
        estimator.Update();
    }
    CheckEstimate(estimator.GetEgress(PortId{1}), {12000, 960, 2400}, "2.4 x 400, 2.4 x 1000");
}

LOSSLESS_TEST(g_suite, "two frames of a far host are no trend of a queue")
{
    QueueEstimator estimator({100, 1}, 0.8, 0.8);
    estimator.Enqueue(PortId{0}, PortId{1}, 2000);
    for (int n = 1; n <= 100; ++n)
    {
        estimator.Update();
        const double growth = estimator.GetEgress(PortId{1}).growth;
        // The growth would be 160 kB if one period had the same weight as a hundred periods.
        NS_TEST_EXPECT_MSG_EQ_TOL(growth, 2000 * (1 - std::pow(0.2, n)), 1e-9, "period " << n);
    }
    estimator.Update();
    NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetEgress(PortId{1}).growth, 400, 1e-9, "0.2 of 2000");
}

LOSSLESS_TEST(g_suite, "at rest, any further period leaves the estimates as they are")
{
    for (const auto trend : {QueueEstimator::Trend::LENGTH, QueueEstimator::Trend::LEVEL})
    {
        for (uint32_t seed = 1; seed <= 20; ++seed)
        {
            std::mt19937 random(seed);
            const double weight = seed % 2 == 0 ? 0.8 : 0.1 + 0.1 * (random() % 9);
            const auto far = static_cast<double>(1 + random() % 50);
            QueueEstimator estimator({1, far, 2.6}, weight, weight, trend);
            for (int i = 0; i < 100; ++i)
            {
                estimator.Enqueue(PortId{static_cast<uint16_t>(random() % 2)},
                                  PortId{2},
                                  64 + random() % 1400);
                for (uint32_t n = random() % 4; n > 0; --n)
                {
                    NS_TEST_EXPECT_MSG_EQ(estimator.Update(), true, "it moves, seed " << seed);
                }
            }
            constexpr int MANY = 20000;
            int periods = 0;
            while (periods < MANY && estimator.Update())
            {
                ++periods;
            }
            NS_TEST_ASSERT_MSG_LT(periods, MANY, "it comes to rest, seed " << seed);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(periods, far, "all that is remembered counts");
            const QueueEstimator::Estimate before = estimator.GetEgress(PortId{2});
            for (int n = 0; n < 100; ++n)
            {
                NS_TEST_EXPECT_MSG_EQ(estimator.Update(), false, "at rest");
            }
            const QueueEstimator::Estimate& after = estimator.GetEgress(PortId{2});
            NS_TEST_EXPECT_MSG_EQ(after.level, before.level, "to the last bit, seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(after.growth, before.growth, "to the last bit, seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(after.arrivals, before.arrivals, "to the last bit");
        }
    }
}

LOSSLESS_TEST(g_suite, "what a window still holds is going to leave it, so that this is no rest")
{
    QueueEstimator estimator({500, 1}, 0.8, 0.8);
    for (int frame = 0; frame < 2; ++frame)
    {
        estimator.Enqueue(PortId{0}, PortId{1}, 1000);
        // After the second frame, the estimates do not change in most of the periods.
        for (int n = 0; n < 500; ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(estimator.Update(), true, "frame " << frame << " period " << n);
        }
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetEgress(PortId{1}).growth, 1000, 1e-9, "the second");
    estimator.Update();
    NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetEgress(PortId{1}).growth, 200, 1e-9, "has left");
}

LOSSLESS_TEST(g_suite, "a queue through which frames pass evenly is not at rest")
{
    QueueEstimator estimator({1, 1}, 0.8, 0.8);
    estimator.Enqueue(PortId{0}, PortId{1}, 5000);
    for (int n = 0; n < 1000; ++n) // long enough for the estimates to become constant
    {
        estimator.Enqueue(PortId{0}, PortId{1}, 1000);
        estimator.Dequeue(PortId{0}, PortId{1}, 1000);
        NS_TEST_ASSERT_MSG_EQ(estimator.Update(), true, "period " << n);
    }
}

LOSSLESS_TEST(g_suite, "the trend of the smoothed length (Eq. 3), by hand")
{
    QueueEstimator estimator({1, 1}, 0.8, 0.8, QueueEstimator::Trend::LEVEL);
    // The queue grows by another 400 B in each period, which gives 0.8 x 400 and then 0.8 x 800 +
    // 0.2 x (320 + 256).
    const std::vector<std::pair<double, double>> expected{{320, 256}, {755.2, 399.36}};
    for (const auto& [level, growth] : expected)
    {
        estimator.Enqueue(PortId{0}, PortId{1}, 400);
        estimator.Update();
        const QueueEstimator::Estimate& queue = estimator.GetEgress(PortId{1});
        NS_TEST_EXPECT_MSG_EQ_TOL(queue.level, level, 1e-9, "level");
        NS_TEST_EXPECT_MSG_EQ_TOL(queue.growth, growth, 1e-9, "0.8 of its difference");
    }
}

LOSSLESS_TEST(g_suite, "an empty queue is forgotten when nothing of it is left in the estimates")
{
    QueueEstimator estimator({1, 1}, 0.8, 0.8);
    estimator.Enqueue(PortId{0}, PortId{1}, 1000000);
    estimator.Update();
    estimator.Dequeue(PortId{0}, PortId{1}, 1000000);
    int periods = 0;
    while (estimator.Update())
    {
        ++periods;
        NS_TEST_ASSERT_MSG_LT(periods, 30, "five times less in each period, about");
    }
    NS_TEST_EXPECT_MSG_GT(periods, 5, "not at once");
    NS_TEST_EXPECT_MSG_EQ(estimator.GetEgress(PortId{1}).level, 0, "nothing left in the sums");
}

// Pauses in flight

LOSSLESS_TEST(g_suite, "a pause counts in this slot as far as it fits, and else in the next one")
{
    PausesInFlight pauses;
    NS_TEST_EXPECT_MSG_EQ(pauses.Add(1000, 0.5, 0), true, "the first slot");
    NS_TEST_EXPECT_MSG_EQ(pauses.GetBalance(), -500, "held back");
    NS_TEST_EXPECT_MSG_EQ(pauses.Add(1000, 0.8, 0.6), false, "it is open");
    NS_TEST_EXPECT_MSG_EQ(pauses.GetBalance(), -1000, "half a period was free, of 0.6 left");
    NS_TEST_EXPECT_MSG_EQ(pauses.EndSlot(), true, "300 B are held back in the second slot");
    NS_TEST_EXPECT_MSG_EQ_TOL(pauses.GetBalance(), 700, 1e-9, "and 1000 B come");
    NS_TEST_EXPECT_MSG_EQ(pauses.EndSlot(), true, "300 B come in the third one (F4)");
    NS_TEST_EXPECT_MSG_EQ_TOL(pauses.GetBalance(), 300, 1e-9, "which they do");
    NS_TEST_EXPECT_MSG_EQ(pauses.EndSlot(), false, "all has come");
    NS_TEST_EXPECT_MSG_EQ(pauses.GetBalance(), 0, "and nothing is left");
}

LOSSLESS_TEST(g_suite, "a pause that fits the slot leaves nothing for the next one (F5)")
{
    PausesInFlight pauses;
    pauses.Add(1000, 0.2, 0);
    pauses.Add(1000, 0.3, 0.9);
    NS_TEST_EXPECT_MSG_EQ_TOL(pauses.GetBalance(), -500, 1e-9, "both in the first slot");
    pauses.EndSlot();
    NS_TEST_EXPECT_MSG_EQ_TOL(pauses.GetBalance(), 500, 1e-9, "and both come in the second one");
    NS_TEST_EXPECT_MSG_EQ(pauses.EndSlot(), false, "no third one");
}

LOSSLESS_TEST(g_suite, "pauses reach to the end of the slot behind the open one, no further (F14)")
{
    PausesInFlight pauses;
    NS_TEST_EXPECT_MSG_EQ(pauses.GetRoom(0), 1, "a pause of one frame");
    pauses.Add(1000, 0.25, 0);
    double sum = 0.25;
    for (const double room : {1.0, 1.0, 0.25, 0.0}) // three quarters of the slot remain
    {
        NS_TEST_EXPECT_MSG_EQ(pauses.GetRoom(0.75), room, "after " << sum);
        pauses.Add(1000, std::min(room, 0.75), 0.75);
        sum += std::min(room, 0.75);
    }
    NS_TEST_EXPECT_MSG_EQ(sum, 2, "all of both slots");
    NS_TEST_EXPECT_MSG_EQ(pauses.GetBalance(), -1000, "this slot");
    NS_TEST_EXPECT_MSG_EQ(pauses.GetPending(), 1000, "that behind it");
    pauses.EndSlot();
    NS_TEST_EXPECT_MSG_EQ(pauses.GetBalance(), 0, "as much comes as is held back");
    pauses.EndSlot();
    NS_TEST_EXPECT_MSG_EQ(pauses.GetBalance(), 1000, "the rest comes");
}

/// Compares the records of random pauses of one neighbour with a direct calculation. Each pause
/// begins only after the previous one has ended, and in each slot, the bytes that would arrive
/// during pauses are held back.
void
CheckLedger(uint32_t seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> share(0, 1);
    const double rate = 1 + 1e6 * share(random); // bytes per period
    PausesInFlight pauses;
    double now = 0;
    double slotEnd = 0; // end of the open slot, if any
    bool isOpen = false;
    double pausedUntil = 0;
    double heldHere = 0;   // fraction of the open slot during which the neighbour pauses
    double heldBehind = 0; // fraction of the next slot during which the neighbour pauses
    double old = 0;        // fraction of the previous slot during which the neighbour paused
    double sum = 0;        // bytes held back that have not arrived yet
    const auto endSlot = [&] {
        NS_TEST_EXPECT_MSG_EQ_TOL(pauses.GetBalance(),
                                  rate * (old - heldHere),
                                  1e-6 * rate,
                                  "what differs in a slot, seed " << seed);
        sum += pauses.GetBalance();
        isOpen = pauses.EndSlot();
        now = slotEnd;
        slotEnd += 1;
        old = std::exchange(heldHere, std::exchange(heldBehind, 0));
    };
    for (int i = 0; i < 400; ++i)
    {
        now += 0.4 * share(random) * share(random);
        while (isOpen && slotEnd <= now)
        {
            const double later = now;
            endSlot();
            now = std::max(now, later);
        }
        const double left = isOpen ? slotEnd - now : 0;
        const double room = pauses.GetRoom(left);
        const double begin = std::max(pausedUntil, now);
        const double end = isOpen ? slotEnd : now + 1;
        NS_TEST_EXPECT_MSG_EQ_TOL(room, std::min(1.0, end + 1 - begin), 1e-9, "seed " << seed);
        const double pause = random() % 3 == 0 ? room : room * share(random);
        NS_TEST_EXPECT_MSG_EQ(pauses.Add(rate, pause, left), !isOpen, "seed " << seed);
        slotEnd = end;
        isOpen = true;
        pausedUntil = begin + pause;
        const double here = std::clamp(end - begin, 0.0, pause);
        heldHere += here;
        heldBehind += pause - here;
        NS_TEST_EXPECT_MSG_EQ_TOL(pauses.GetPending(),
                                  rate * heldBehind,
                                  1e-6 * rate,
                                  "behind the slot, seed " << seed);
        NS_TEST_EXPECT_MSG_LT(std::max(heldHere, heldBehind), 1 + 1e-9, "seed " << seed);
        NS_TEST_EXPECT_MSG_LT(pausedUntil, slotEnd + 1 + 1e-9, "two slots, seed " << seed);
    }
    for (int slot = 0; isOpen; ++slot)
    {
        NS_TEST_ASSERT_MSG_LT(slot, 4, "slots end, seed " << seed);
        endSlot();
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(sum, 0, 1e-3 * rate, "all that was held back came, seed " << seed);
}

void
CheckLedgers(uint32_t first, uint32_t last)
{
    for (uint32_t seed = first; seed <= last; ++seed)
    {
        CheckLedger(seed);
    }
}

LOSSLESS_TESTS(g_suite)
{
    const std::string law = "what pauses hold back in a slot is what would come while they last";
    AddSeeds(g_suite, law, 12, 2000, CheckLedgers);
}

// Frames and the gate

LOSSLESS_TEST(g_suite, "a frame is dissected, byte by byte")
{
    FafcHeader body;
    body.classes = SetOf(Priority{1}) | SetOf(Priority{7});
    body.times[1] = 0x01020304;
    body.times[7] = 1000;
    Ptr<Packet> frame = MakeMacControlFrame(Mac48Address("02:00:00:00:00:01"), body);
    NS_TEST_EXPECT_MSG_EQ(frame->GetSize(), 60, "Ethernet's shortest, without FCS");
    std::vector<uint8_t> bytes(60);
    frame->CopyData(bytes.data(), 60);
    std::vector<uint8_t> expected{0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0x88, 0x08, 0xfe, 3};
    // The class-enable vector is followed by the times of classes 0 and 1.
    expected.insert(expected.end(), {0, 0x82, 0, 0, 0, 0, 1, 2, 3, 4});
    expected.insert(expected.end(), 20, 0); // times of classes 2 to 6
    expected.insert(expected.end(), {0, 0, 3, 0xe8});
    expected.resize(60);
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(bytes, expected), "", "classes and times");
    const auto read = ParseMacControlFrame<FafcHeader>(*frame, FafcHeader::OPCODE);
    NS_TEST_ASSERT_MSG_EQ(read.has_value(), true, "it is one");
    NS_TEST_EXPECT_MSG_EQ(+read->classes, +body.classes, "read again");
    NS_TEST_EXPECT_MSG_EQ((read->times == body.times), true, "read again");
    // A complete frame has at least 14 + 2 + 2 + 8 * 4 = 50 bytes.
    for (const uint32_t size : {16U, 49U, 50U})
    {
        const auto part = frame->CreateFragment(0, size);
        const auto cut = ParseMacControlFrame<FafcHeader>(*part, FafcHeader::OPCODE);
        NS_TEST_EXPECT_MSG_EQ(cut.has_value(), (size == 50), size << " bytes");
    }
}

/// The total time during which a gate is closed.
struct ShutTime
{
    explicit ShutTime(Ptr<TransmitGate> gate)
    {
        ListenTo(*gate, "Closed", [this](PrioritySet /* classes */) { since = Simulator::Now(); });
        ListenTo(*gate, "Opened", [this](PrioritySet /* classes */) {
            sum += Simulator::Now() - since;
        });
    }

    Time since; ///< time at which it was last closed
    Time sum;   ///< total time during which it was closed
};

/// A gate that responds immediately, on a link of 100 Gb/s. The object records the time during
/// which the gate is closed and the notices sent to flows.
class WatchedGate : private GateClient
{
  public:
    explicit WatchedGate(Ptr<FafcGate> gate = CreateObject<FafcGate>())
        : m_gate(gate)
    {
        m_gate->SetAttribute("ResponseQuanta", UintegerValue(0));
        m_gate->Attach({DataRate("100Gbps"), MicroSeconds(1)}, this);
    }

    /// Makes a FAFC frame arrive.
    /// @param time the pause time of class 3, in ns
    void Pause(uint32_t time)
    {
        FafcHeader body;
        body.classes = SetOf(CLASS_3);
        body.times[3] = time;
        Receive(MakeMacControlFrame(Mac48Address("02:00:00:00:00:01"), body));
    }

    /// Makes a PFC frame arrive.
    void PausePfc(uint16_t quanta)
    {
        PfcHeader body;
        body.SetQuanta(CLASS_3, quanta);
        Receive(MakePfcFrame(Mac48Address("02:00:00:00:00:01"), body));
    }

    Ptr<FafcGate> m_gate;         ///< gate under test
    ShutTime m_shut{m_gate};      ///< time during which the gate was closed
    std::vector<double> m_shares; ///< fractions of their rates that flows can keep

  private:
    void NotifyGateOpened() override
    {
    }

    void NotifyPaused(const PauseNotice& notice) override
    {
        m_shares.push_back(notice.share);
    }

    void NotifyUnknownControl(const Frame& /* frame */) override
    {
    }

    void Receive(Ptr<Packet> packet)
    {
        m_gate->ReceiveControl(ParseFrame(packet));
    }
};

LOSSLESS_TEST(g_suite, "pauses add up, and end by themselves")
{
    WatchedGate watched;
    watched.Pause(1000);
    Simulator::Schedule(NanoSeconds(400), &WatchedGate::Pause, &watched, 500);
    Simulator::Schedule(NanoSeconds(3000), &WatchedGate::Pause, &watched, 700);
    const auto isOpenAt = [&watched](int64_t ns) {
        RunFor(NanoSeconds(ns) - Simulator::Now());
        return Contains(watched.m_gate->GetOpen(), CLASS_3);
    };
    NS_TEST_EXPECT_MSG_EQ(isOpenAt(1499), false, "1000 + 500 ns");
    NS_TEST_EXPECT_MSG_EQ(isOpenAt(1501), true, "no resume is needed");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(3700), "the last event");
    NS_TEST_EXPECT_MSG_EQ(watched.m_shut.sum, NanoSeconds(2200), "all that was asked for");
}

LOSSLESS_TEST(g_suite, "the pauses asked for are served in all, at any instants")
{
    for (uint32_t seed = 1; seed <= 100; ++seed)
    {
        std::mt19937 random(seed);
        WatchedGate watched;
        Time asked;
        Time at;
        for (int i = 0; i < 200; ++i)
        {
            at += NanoSeconds(random() % 900);
            const uint32_t length = random() % 3 == 0 ? random() % 10 : random() % 1000;
            asked += NanoSeconds(length);
            Simulator::Schedule(at, &WatchedGate::Pause, &watched, length);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(watched.m_shut.sum, asked, "seed " << seed);
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "neither ends a PAUSE of PFC a timed pause, nor the other way round")
{
    WatchedGate watched;
    watched.PausePfc(1000); // 5.12 us
    watched.Pause(2000);
    Simulator::Schedule(NanoSeconds(1000), &WatchedGate::PausePfc, &watched, 0);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(watched.m_shut.sum, NanoSeconds(2000), "the RESUME came before its end");
    watched.PausePfc(1000);
    watched.Pause(2000);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(watched.m_shut.sum, NanoSeconds(2000 + 5120), "the longer one");
}

LOSSLESS_TEST(g_suite, "the gate of a host tells flows to keep 1 less t by T of their rates")
{
    WatchedGate watched;
    watched.Pause(250);
    Simulator::Run();
    watched.m_gate->SlowFlowsDown(Time(0)); // T of the link is 1 us
    watched.Pause(250);
    watched.Pause(1500);
    watched.PausePfc(1000);
    Simulator::Run();
    watched.m_gate->SlowFlowsDown(MicroSeconds(2));
    watched.Pause(250);
    Simulator::Run();
    // The pauses are, in order: one without slowdown, one of a quarter of T, one longer than T, a
    // PFC pause, and one of an eighth of T.
    const std::vector<double> expected{1, 0.75, 0, 1, 0.875};
    NS_TEST_ASSERT_MSG_EQ(watched.m_shares.size(), expected.size(), "each pause is told");
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(watched.m_shares[i], expected[i], 1e-12, "pause " << i);
    }
}

LOSSLESS_TEST(g_suite, "the period is the delay of the shortest link, unless T is set")
{
    FakeSwitch<FafcFlowControl, StaticBufferPolicy> fake(3);
    fake.m_shape.ports[1].delay = NanoSeconds(500);
    fake.Start();
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->GetPeriod(), NanoSeconds(500), "of port 1");
    FakeSwitch<FafcFlowControl, StaticBufferPolicy> other(3);
    other.m_scheme->SetAttribute("HopDelay", TimeValue(MicroSeconds(3)));
    other.Start();
    NS_TEST_EXPECT_MSG_EQ(other.m_scheme->GetPeriod(), MicroSeconds(3), "set");
    FakeSwitch<FafcFlowControl, StaticBufferPolicy> none(3);
    const auto configure = [&none](Time delay) {
        none.m_shape.ports[1].delay = delay;
        none.m_scheme->Attach(&none,
                              PeekPointer(none.m_buffer),
                              PeekPointer(none.m_policy),
                              &none.m_shape);
        return none.m_scheme->Configure(none.m_shape).value_or("");
    };
    NS_TEST_EXPECT_MSG_NE(configure(Time(0)), "", "there is no T");
    NS_TEST_EXPECT_MSG_NE(configure(Seconds(5)), "", "no frame can tell such a pause");
}

LOSSLESS_TEST(g_suite, "hosts slow down by the T of their own link, if they do")
{
    const auto getShare = [](const FafcFlowControl& fafc) {
        const auto host = CreateObject<LosslessNetDevice>();
        // T is 1 us, the delay of the gate's link.
        WatchedGate watched(DynamicCast<FafcGate>(fafc.CreateHostGate(*host)));
        watched.Pause(250);
        Simulator::Run();
        return watched.m_shares.at(0);
    };
    FakeSwitch<FafcFlowControl, StaticBufferPolicy> fake(3);
    fake.Start();
    NS_TEST_EXPECT_MSG_EQ_TOL(getShare(*fake.m_scheme), 0.75, 1e-12, "of its link");
    fake.m_scheme->SetAttribute("HopDelay", TimeValue(MicroSeconds(2)));
    NS_TEST_EXPECT_MSG_EQ_TOL(getShare(*fake.m_scheme), 0.875, 1e-12, "set");
    fake.m_scheme->SetAttribute("SlowDown", BooleanValue(false));
    NS_TEST_EXPECT_MSG_EQ(getShare(*fake.m_scheme), 1, "no slowing down");
}

LOSSLESS_TEST(g_suite, "a flow keeps 1 less t by T of its rate, but no less than the least rate")
{
    auto control = CreateObject<Dctcp>();
    control->Start(DataRate("25Gbps"), 1000);
    control->NotifyPaused({SetOf(Priority{3}), NanoSeconds(400), 0.6}, Time(0));
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)).GetBitRate(), 15000000000, "0.6 of 25 Gb/s");
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(), 24375, "and so its window, 13 us of that");
    control->NotifyPaused({SetOf(Priority{3}), NanoSeconds(400), 1}, Time(0));
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)).GetBitRate(), 15000000000, "PFC cuts nothing");
    control->NotifyPaused({SetOf(Priority{3}), NanoSeconds(1000), 0}, Time(0));
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)).GetBitRate(), 100000000, "MinRate");
}

LOSSLESS_TEST(g_suite, "DCQCN's flow recovers from a pause without any notification")
{
    auto control = CreateObject<Dcqcn>();
    control->SetAttribute("RateTimer", TimeValue(MicroSeconds(300)));
    control->Start(DataRate("100Gbps"), 1000);
    control->NotifyPaused({SetOf(Priority{3}), NanoSeconds(400), 0.2}, MicroSeconds(10));
    const auto getRate = [control](int64_t microseconds) {
        return control->GetRate(MicroSeconds(microseconds)).GetBitRate() / 1000000000;
    };
    NS_TEST_EXPECT_MSG_EQ(getRate(309), 20, "0.2 of 100 Gb/s");
    NS_TEST_EXPECT_MSG_EQ(getRate(310), 60, "fast recovery: half way to the target, 100 Gb/s");
    control->NotifyPaused({SetOf(Priority{3}), NanoSeconds(400), 0.5}, MicroSeconds(400));
    NS_TEST_EXPECT_MSG_EQ(getRate(609), 30, "the next pause");
    NS_TEST_EXPECT_MSG_EQ(getRate(610), 65, "does not put off the step");
}

// Decisions

/// A switch with ports of 100 Gb/s and T = 2 us, in which a port can send 25 kB. The test generates
/// the frames, and each port serves a given number of frames per period.
class FafcSwitch : public FakeSwitch<FafcFlowControl, StaticBufferPolicy>
{
  public:
    /// The number of frames per pair of ingress and egress ports.
    using Arrivals = std::map<std::pair<uint16_t, uint16_t>, uint32_t>;

    /// @param interval the minimum interval between solutions, in periods; 0 for the default
    explicit FafcSwitch(std::size_t ports, double interval = 0)
        : FakeSwitch(ports)
    {
        if (interval > 0)
        {
            m_scheme->SetAttribute("SolveInterval", DoubleValue(interval));
        }
        m_policy->SetAttribute("Xoff", UintegerValue(100000000));
        m_policy->SetAttribute("Xon", UintegerValue(100000000));
        m_scheme->SetAttribute("PauseThreshold", UintegerValue(100000));
        m_scheme->SetAttribute("EcnThreshold", UintegerValue(50000));
        m_buffer->SetAttribute("Size", UintegerValue(1000000000));
        ListenTo(*m_scheme, "TimedPause", [this](QueueId queue, Time length) {
            m_pauses[Index(queue.port)] += length.GetNanoSeconds();
        });
    }

    /// Passes frames of 1000 B, which arrive in the middle of the period, through the switch for
    /// one period.
    /// @param served the number of forwarded frames per egress port
    void PlayPeriod(const Arrivals& arrivals, const std::map<uint16_t, uint32_t>& served)
    {
        RunFor(MicroSeconds(1));
        for (const auto& [ports, frames] : arrivals)
        {
            for (uint32_t i = 0; i < frames; ++i)
            {
                m_queues[ports.second].push_back(MakeItem(ports.first, 3, 1000, ports.second));
                Pass(m_queues[ports.second].back());
            }
        }
        for (const auto& [port, frames] : served)
        {
            for (uint32_t i = 0; i < frames && !m_queues[port].empty(); ++i)
            {
                Leave(m_queues[port].front());
                m_queues[port].pop_front();
            }
        }
        RunFor(MicroSeconds(1));
    }

    void PlayPeriods(int periods,
                     const Arrivals& arrivals,
                     const std::map<uint16_t, uint32_t>& served)
    {
        for (int n = 0; n < periods; ++n)
        {
            PlayPeriod(arrivals, served);
        }
    }

    /// Plays up to 40 equal periods and stops when a port is paused.
    /// @return see TakePauses()
    std::map<uint16_t, int64_t> PlayUntilPause(const Arrivals& arrivals,
                                               const std::map<uint16_t, uint32_t>& served)
    {
        std::map<uint16_t, int64_t> pauses;
        for (m_periods = 0; m_periods < 40 && pauses.empty(); ++m_periods)
        {
            PlayPeriod(arrivals, served);
            pauses = TakePauses();
        }
        return pauses;
    }

    void LeaveOne(uint16_t port)
    {
        Leave(m_queues[port].front());
        m_queues[port].pop_front();
    }

    /// Clears the pauses.
    /// @return the requested pauses in ns, indexed by port
    std::map<uint16_t, int64_t> TakePauses()
    {
        return std::exchange(m_pauses, {});
    }

    /// @return the predicted length of the egress queue 2 T from now
    double Predict(uint16_t port) const
    {
        return m_scheme->Predict({PortId{port}, CLASS_3});
    }

    int m_periods{0}; ///< number of periods that PlayUntilPause() has played

  private:
    std::map<uint16_t, std::deque<SwitchItem>> m_queues; ///< waiting frames per egress port
    std::map<uint16_t, int64_t> m_pauses;                ///< pause times in ns, per ingress port
};

/// Port 3 serves 25 frames per period from ports 0 and 1. Port 1 also receives 5 frames per period
/// for port 2, which is not congested.
/// @param first the number of frames per period from port 0
/// @param second the number of frames per period from port 1 for port 3
/// @return the first pauses in ns, indexed by ingress port
std::map<uint16_t, int64_t>
PlayVictim(uint32_t first, uint32_t second)
{
    FafcSwitch fake(4, 1000);
    fake.Start();
    return fake.PlayUntilPause({{{0, 3}, first}, {{1, 3}, second}, {{1, 2}, 5}}, {{3, 25}, {2, 5}});
}

LOSSLESS_TEST(g_suite, "who has nothing else to send pauses first")
{
    // 15 frames per period must be held back. Pausing port 0 is sufficient; 15 of its 20 frames
    // correspond to 0.75 of 2 us.
    auto pauses = PlayVictim(20, 20);
    NS_TEST_EXPECT_MSG_EQ(pauses.size(), 1, "port 1 brings what others wait for");
    NS_TEST_EXPECT_MSG_EQ(pauses[0], 1500, "port 0 does not");
    // The 10 frames from port 0 are not enough; another 5 of the 30 frames from port 1 are needed.
    pauses = PlayVictim(10, 30);
    NS_TEST_EXPECT_MSG_EQ(pauses.size(), 2, "both");
    NS_TEST_EXPECT_MSG_EQ(pauses[0], 2000, "all of T");
    NS_TEST_EXPECT_MSG_EQ(pauses[1], 333, "a sixth");
}

LOSSLESS_TEST(g_suite, "what goes to the congested port itself is no loss (F8)")
{
    // All queues count as uncongested. The frames from port 0 for port 3 leave immediately, whereas
    // those from port 1 remain. If the frames for port 3 counted as a loss, pausing port 0 would
    // cause a greater loss than pausing port 1.
    FafcSwitch fake(4, 1000);
    fake.m_scheme->SetAttribute("UncongestedBytes", UintegerValue(1000000000));
    fake.Start();
    std::map<uint16_t, int64_t> pauses;
    for (int n = 0; n < 40 && pauses.empty(); ++n)
    {
        RunFor(MicroSeconds(1));
        for (int i = 0; i < 20; ++i)
        {
            fake.Pass(MakeItem(1, 3, 1000, 3));
            fake.Pass(MakeItem(0, 3, 1000, 3));
            fake.Leave(MakeItem(0, 3, 1000, 3));
        }
        fake.Pass(MakeItem(1, 3, 1000, 2));
        fake.Leave(MakeItem(1, 3, 1000, 2));
        RunFor(MicroSeconds(1));
        pauses = fake.TakePauses();
    }
    NS_TEST_EXPECT_MSG_EQ(pauses.size(), 1, "one is enough");
    NS_TEST_EXPECT_MSG_EQ(pauses[0], 2000, "and port 0 has nothing else to send");
}

LOSSLESS_TEST(g_suite, "the first pause of all, by hand")
{
    // 40 frames per period arrive for a port that serves 25. After n periods, the estimated growth
    // is 15 (1 - 5^-n) frames and the estimated arrivals are 40 (1 - 5^-n), so each port pauses for
    // 15 / 40 of 2 us = 750 ns.
    FafcSwitch fake(3, 1000);
    fake.Start();
    auto first = fake.PlayUntilPause({{{0, 2}, 20}, {{1, 2}, 20}}, {{2, 25}});
    // The frames of period n + 1 leave when the estimates cover n periods. The predicted queue is
    // then 15 n + 2 x 15 frames long, which exceeds the PauseThreshold of 100 from n = 5 onwards.
    NS_TEST_EXPECT_MSG_EQ(fake.m_periods, 6, "when 15 n + 30 is above 100");
    NS_TEST_EXPECT_MSG_EQ(first[0], 750, "15 / 40 of 2 us");
    NS_TEST_EXPECT_MSG_EQ(first[1], 750, "and the other one");
    const auto frames = fake.TakeControl(PortId{0});
    NS_TEST_ASSERT_MSG_EQ(frames.size(), 1, "told in one frame");
    const auto body = ParseMacControlFrame<FafcHeader>(*frames.front(), FafcHeader::OPCODE);
    NS_TEST_ASSERT_MSG_EQ(body.has_value(), true, "of FAFC");
    NS_TEST_EXPECT_MSG_EQ(+body->classes, +SetOf(CLASS_3), "of the class");
    NS_TEST_EXPECT_MSG_EQ(body->times[3], 750, "with its time");
    NS_TEST_EXPECT_MSG_EQ(fake.TakeControl(PortId{0}).size(), 0, "once");
    NS_TEST_EXPECT_MSG_EQ(fake.TakeControl(PortId{2}).size(), 0, "and nobody else");
}

/// As in the previous test, except that links go down and come back up after the first pauses, if
/// any.
/// @return the predicted length before the cut, after both links are up, and at the end of the slot
/// of the pauses
std::vector<double>
PredictAfterCut(uint64_t threshold)
{
    FafcSwitch fake(3, 1000);
    fake.m_scheme->SetAttribute("PauseThreshold", UintegerValue(threshold));
    fake.Start();
    NS_TEST_EXPECT_MSG_EQ(fake.Predict(2), 0, "before the first frame of the class");
    fake.PlayPeriods(6, {{{0, 2}, 20}, {{1, 2}, 20}}, {{2, 25}});
    std::vector<double> lengths{fake.Predict(2)};
    fake.m_scheme->OnLinkUp(PortId{0});
    fake.m_scheme->OnLinkUp(PortId{0}); // has no further effect
    fake.m_scheme->OnLinkUp(PortId{1});
    lengths.push_back(fake.Predict(2));
    RunFor(MicroSeconds(2));
    lengths.push_back(fake.Predict(2));
    return lengths;
}

LOSSLESS_TEST(g_suite, "what a port was to hold back is forgotten with its link")
{
    const std::vector<double> paused = PredictAfterCut(100000);
    const std::vector<double> never = PredictAfterCut(1000000);
    NS_TEST_EXPECT_MSG_EQ_TOL(never[0] - paused[0], 15000, 20, "0.375 of 20 frames of each port");
    NS_TEST_EXPECT_MSG_EQ_TOL(paused[1], never[1], 1e-6, "no pause");
    NS_TEST_EXPECT_MSG_EQ_TOL(paused[2], never[2], 1e-6, "nor do its frames come later");
}

LOSSLESS_TEST(g_suite, "a threshold of 0, at which an empty queue would stop all, is refused")
{
    auto scheme = CreateObject<FafcFlowControl>();
    for (const std::string threshold : {"PauseThreshold", "EcnThreshold"})
    {
        for (const uint64_t bytes : {0, 1})
        {
            NS_TEST_EXPECT_MSG_EQ(scheme->SetAttributeFailSafe(threshold, UintegerValue(bytes)),
                                  (bytes > 0),
                                  threshold << " of " << bytes);
        }
    }
}

LOSSLESS_TEST(g_suite, "each pause is a frame, which slows hosts down by itself")
{
    FafcSwitch fake(3, 3);
    fake.Start();
    // The linear program is solved in the sixth and ninth periods.
    fake.PlayPeriods(9, {{{0, 2}, 20}, {{1, 2}, 20}}, {{2, 25}});
    std::vector<uint32_t> times;
    for (const Ptr<Packet>& frame : fake.TakeControl(PortId{0}))
    {
        times.push_back(ParseMacControlFrame<FafcHeader>(*frame, FafcHeader::OPCODE)->times[3]);
    }
    NS_TEST_EXPECT_MSG_EQ(ToText(times), "750 1500", "while the wire was busy");
}

LOSSLESS_TEST(g_suite, "a far neighbour pauses by the T of its link, a near one by its own")
{
    // Port 1 is 6 us, or 3 periods, away. In these periods, the queue grows by 15, 30 and 45
    // frames. After two periods, the prediction (the level plus twice the growth) is
    // 27.2 + 2 x 26.4 frames. After three periods, it is 43.2 + 2 x 41.28 > 100 frames, so the
    // pause occurs in the fourth period.
    FafcSwitch fake(3, 1000);
    FafcSwitch free(3);
    free.m_scheme->SetAttribute("PauseThreshold", UintegerValue(100000000));
    const auto play = [](FafcSwitch& one, int periods) {
        one.m_shape.ports[1].delay = MicroSeconds(6);
        one.Start();
        one.PlayPeriods(periods, {{{1, 2}, 40}}, {{2, 25}});
        const double length = one.Predict(2);
        Simulator::Destroy();
        return length;
    };
    NS_TEST_EXPECT_MSG_EQ(fake.m_shape.ports[0].delay, MicroSeconds(2), "of the others");
    // The slot of the pause is open for 6 us from the middle of the fourth period.
    const double held = play(free, 5) - play(fake, 5);
    auto pauses = fake.TakePauses();
    NS_TEST_EXPECT_MSG_EQ(pauses.size(), 1, "port 1");
    NS_TEST_EXPECT_MSG_EQ_TOL(pauses[1], 2081, 1, "41.28 of 120 (1 - 1 / 125), of 6 us");
    NS_TEST_EXPECT_MSG_EQ_TOL(held, 41280, 20, "41.28 frames");
}

/// Port 2 is congested and serves 6 of the 10 frames per period from port 1, whose link has a delay
/// of 3 periods. An earlier solution for port 2 was applied 10 periods ago.
/// @return the requested pause of port 1, in ns
int64_t
PlayFarAfter(uint16_t first)
{
    FafcSwitch fake(3);
    fake.m_shape.ports[1].delay = MicroSeconds(6);
    fake.Start();
    const auto solve = [&fake] {
        fake.m_scheme->SetAttribute("PauseThreshold", UintegerValue(1000));
        fake.LeaveOne(2);
        fake.m_scheme->SetAttribute("PauseThreshold", UintegerValue(100000000));
        return fake.TakePauses();
    };
    fake.m_scheme->SetAttribute("PauseThreshold", UintegerValue(100000000));
    fake.PlayPeriods(4, {{{first, 2}, 40}}, {{2, 25}});
    NS_TEST_EXPECT_MSG_EQ((solve().count(first) > 0), true, "the first solution");
    for (int n = 0; n < 10; ++n)
    {
        fake.PlayPeriod({{{1, 2}, 10}}, {});
        for (int i = 0; i < 6; ++i)
        {
            fake.Leave(MakeItem(1, 3, 1000, 2));
        }
    }
    return solve()[1];
}

LOSSLESS_TEST(g_suite, "f_dec is for links by which something has been paused, or longer ones")
{
    // In 6 us, 12 of 30 frames must be held back. The first solution was less than 4 x 6 us ago. If
    // that solution paused port 0, it did not slow any sender behind port 1.
    NS_TEST_EXPECT_MSG_EQ_TOL(PlayFarAfter(0), 2400, 5, "12 of 30");
    NS_TEST_EXPECT_MSG_EQ_TOL(PlayFarAfter(1), 4800, 5, "12 of 30 / 2");
}

LOSSLESS_TEST(g_suite, "a queue is congested for a link if a pause of its T does not empty it")
{
    // 40 frames wait for port 2, more than it sends in 2 us but fewer than it sends in the 6 us of
    // a pause of port 1. The pause of port 0 therefore costs nothing. Together, ports 0 and 1
    // receive as many frames for port 2 as it sends.
    FafcSwitch fake(4, 1000);
    fake.m_shape.ports[1].delay = MicroSeconds(6);
    fake.Start();
    fake.PlayPeriod({{{0, 2}, 20}, {{1, 2}, 20}}, {});
    auto pauses = fake.PlayUntilPause({{{0, 3}, 30}, {{1, 3}, 5}, {{0, 2}, 5}, {{1, 2}, 5}},
                                      {{3, 25}, {2, 10}});
    NS_TEST_EXPECT_MSG_EQ(pauses.size(), 1, "port 0 is enough");
    NS_TEST_EXPECT_MSG_GT(pauses[0], 0, "and loses nothing");
}

LOSSLESS_TEST(g_suite, "what is held back behind the open slot counts (F14)")
{
    // From the fourth period on, a slot of 6 us with 41.28 frames is open. One microsecond before
    // its end, the growth has risen to 0.8 x 85 + 0.2 x 44.26 = 76.85 frames and the arrivals to
    // 151.96 frames. The additional frames to be held back exceed what the slot allows.
    FafcSwitch fake(3, 1000);
    fake.m_shape.ports[1].delay = MicroSeconds(6);
    fake.Start();
    for (const uint32_t frames : {40, 40, 40, 40, 80, 80})
    {
        fake.PlayPeriod({{{1, 2}, frames}}, {{2, 25}});
    }
    const int64_t first = fake.TakePauses()[1]; // the macro would call this twice
    NS_TEST_EXPECT_MSG_EQ_TOL(first, 2081, 1, "the slot begins");
    fake.m_scheme->SetAttribute("SolveInterval", DoubleValue(0));
    fake.LeaveOne(2);
    const int64_t second = fake.TakePauses()[1];
    NS_TEST_EXPECT_MSG_EQ_TOL(second, 2808, 2, "35.57 of 151.96 / 2, of 6 us");
    fake.LeaveOne(2);
    NS_TEST_EXPECT_MSG_EQ(fake.TakePauses().size(), 0, "which is enough");
}

/// Makes random frames arrive for random ports and checks that the pauses of a neighbour, which add
/// up, never exceed two slots.
uint32_t
CheckReach(uint32_t seed)
{
    std::mt19937 random(seed);
    const auto ports = static_cast<uint16_t>(3 + random() % 6);
    FafcSwitch fake(ports);
    std::vector<int64_t> hops(ports);
    for (uint16_t port = 0; port < ports; ++port)
    {
        hops[port] = 2000 * (1 + static_cast<int64_t>(random() % 3));
        fake.m_shape.ports[port].delay = NanoSeconds(hops[port]);
    }
    fake.m_scheme->SetAttribute("PauseThreshold", UintegerValue(1000 + random() % 100000));
    std::vector<int64_t> pausedUntil(ports);
    uint32_t pauses = 0;
    ListenTo(*fake.m_scheme, "TimedPause", [&](QueueId queue, Time length) {
        const int64_t now = Simulator::Now().GetNanoSeconds();
        int64_t& until = pausedUntil[Index(queue.port)];
        until = std::max(until, now) + length.GetNanoSeconds();
        ++pauses;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(until - now,
                                    2 * hops[Index(queue.port)] + 1, // 1 ns for rounding
                                    "port " << queue.port << ", seed " << seed);
    });
    fake.Start();
    for (int n = 0; n < 60; ++n)
    {
        FafcSwitch::Arrivals arrivals;
        std::map<uint16_t, uint32_t> served;
        for (uint16_t port = 0; port < ports; ++port)
        {
            const auto egress = static_cast<uint16_t>(random() % 2);
            arrivals[{port, egress}] = random() % 25;
            served[port] = 25;
        }
        fake.PlayPeriod(arrivals, served);
    }
    Simulator::Destroy();
    return pauses;
}

void
AttackReach(uint32_t first, uint32_t last)
{
    uint32_t pausing = 0;
    for (uint32_t seed = first; seed <= last; ++seed)
    {
        pausing += CheckReach(seed) > 0 ? 1 : 0;
    }
    // In at least nine of ten runs, some queue is predicted to become long.
    NS_TEST_EXPECT_MSG_GT(10 * pausing, 9 * (last - first), "something happens");
}

LOSSLESS_TESTS(g_suite)
{
    AddSeeds(g_suite, "no neighbour is paused beyond two slots (F14)", 12, 400, AttackReach);
}

LOSSLESS_TEST(g_suite, "ports without a nanosecond left in two slots are not solved for again")
{
    for (const uint32_t wait : {1, 333, 777, 1234, 1999})
    {
        FafcSwitch fake(3);
        fake.m_scheme->SetAttribute("PauseThreshold", UintegerValue(100000000));
        fake.Start();
        fake.PlayPeriods(12, {{{0, 2}, 25}, {{1, 2}, 25}}, {{2, 25}});
        fake.m_scheme->SetAttribute("PauseThreshold", UintegerValue(100000));
        fake.LeaveOne(2);
        RunFor(NanoSeconds(wait));
        fake.LeaveOne(2); // uses up the rest of the two slots
        const uint64_t before = fake.m_scheme->CountSolutions();
        for (int n = 0; n < 20; ++n)
        {
            fake.LeaveOne(2);
        }
        NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->CountSolutions(), before, wait << " ns later");
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "a queue that does not grow has nobody paused")
{
    FafcSwitch fake(3);
    fake.m_scheme->SetAttribute("PauseThreshold", UintegerValue(100000000));
    fake.Start();
    fake.PlayPeriods(20, {{{0, 2}, 20}, {{1, 2}, 20}}, {{2, 25}});
    fake.PlayPeriods(10, {{{0, 2}, 12}, {{1, 2}, 12}}, {{2, 25}});
    fake.m_scheme->SetAttribute("PauseThreshold", UintegerValue(100000));
    NS_TEST_EXPECT_MSG_GT(fake.Predict(2), 250000, "much above the threshold");
    fake.PlayPeriod({{{0, 2}, 12}, {{1, 2}, 12}}, {{2, 25}});
    NS_TEST_EXPECT_MSG_EQ(fake.TakePauses().size(), 0, "but it gets shorter");
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->CountSolutions(), 0, "no program is solved");
}

/// The queue of port 2 grows by 15 frames per period, and none of its senders has been paused. The
/// latest frames arrived half a microsecond before the end of a period.
void
GrowBetweenPeriods(FafcSwitch& fake)
{
    fake.m_scheme->SetAttribute("PauseThreshold", UintegerValue(100000000));
    fake.Start();
    fake.Pass(MakeItem(0, 3, 1000, 2));
    RunFor(NanoSeconds(500));
    fake.PlayPeriods(12, {{{0, 2}, 20}, {{1, 2}, 20}}, {{2, 25}});
    fake.m_scheme->SetAttribute("PauseThreshold", UintegerValue(100000));
}

LOSSLESS_TEST(g_suite, "a queue that gets shorter has nobody paused, even if held back bytes come")
{
    FafcSwitch fake(3, 1.2); // The slots of pauses end later than periods.
    GrowBetweenPeriods(fake);
    fake.PlayPeriod({{{0, 2}, 20}, {{1, 2}, 20}}, {{2, 25}});
    NS_TEST_EXPECT_MSG_EQ(fake.TakePauses().size(), 2, "15 frames are held back");
    fake.PlayPeriod({{{0, 2}, 5}, {{1, 2}, 5}}, {{2, 25}}); // too early for a solution
    RunFor(NanoSeconds(600));
    // The queue now shrinks by about 9 frames per period, and the slot in which 15 frames arrive is
    // still open.
    fake.LeaveOne(2);
    NS_TEST_EXPECT_MSG_EQ(fake.TakePauses().size(), 0, "it does not grow");
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->CountSolutions(), 1, "no other program");
}

LOSSLESS_TEST(g_suite, "a queue of whose growth more is held back already has nobody else paused")
{
    FafcSwitch fake(3, 0.4); // the slot of the pauses ends 2 us after the arrivals
    GrowBetweenPeriods(fake);
    fake.PlayPeriod({{{0, 2}, 13}, {{1, 2}, 13}}, {{2, 25}});
    NS_TEST_EXPECT_MSG_EQ(fake.TakePauses().size(), 2, "15 frames are held back");
    // After the growth of 15 frames, a period with a growth of one frame has been estimated, so the
    // estimated growth is 0.8 x 1 + 0.2 x 15 = 3.8.
    NS_TEST_EXPECT_MSG_GT(fake.Predict(2), 100000, "it is long");
    fake.LeaveOne(2);
    NS_TEST_EXPECT_MSG_EQ(fake.TakePauses().size(), 0, "nobody else");
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->CountSolutions(), 1, "no other program");
}

/// Each of two ports receives 20 frames per period for a port that serves 25.
/// @return the second pause, in ns
int64_t
PlayTwice(double interval)
{
    FafcSwitch fake(3, interval);
    fake.Start();
    fake.PlayUntilPause({{{0, 2}, 20}, {{1, 2}, 20}}, {{2, 25}});
    return fake.PlayUntilPause({{{0, 2}, 20}, {{1, 2}, 20}}, {{2, 25}})[0];
}

LOSSLESS_TEST(g_suite, "who triggers again within 4 T expects half of the arrivals")
{
    NS_TEST_EXPECT_MSG_EQ(PlayTwice(3), 1500, "15 of 40 / 2, of 2 us");
    NS_TEST_EXPECT_MSG_EQ(PlayTwice(5), 750, "15 of 40");
}

LOSSLESS_TEST(g_suite, "what pauses hold back is taken off the prediction, and added when it comes")
{
    FafcSwitch fake(3, 1000);
    fake.Start();
    double before = 0;
    while (fake.TakePauses().empty())
    {
        before = fake.Predict(2);
        fake.PlayPeriod({{{0, 2}, 20}, {{1, 2}, 20}}, {{2, 25}});
    }
    // One more period has been estimated since `before` was read, and the pauses hold back that
    // period's growth of 15 frames.
    const double growth = 15000;
    NS_TEST_EXPECT_MSG_EQ_TOL(fake.Predict(2), before + growth - growth, 200, "taken off");
    // This time covers another period and the end of the slot.
    RunFor(MicroSeconds(1) + NanoSeconds(1));
    NS_TEST_EXPECT_MSG_EQ_TOL(fake.Predict(2), before + 2 * growth + growth, 200, "added");
}

LOSSLESS_TEST(g_suite, "what is held back of an ingress port is divided by its queues' lengths")
{
    // Port 0 receives 20 frames for port 2, of which 15 must be held back, and 10 frames for port
    // 3, where 30 frames wait.
    FafcSwitch paused(4, 1000);
    FafcSwitch free(4);
    free.m_scheme->SetAttribute("PauseThreshold", UintegerValue(100000000));
    const auto play = [](FafcSwitch& fake, uint32_t more) {
        fake.PlayPeriod({{{0, 2}, 20}, {{1, 2}, 20}, {{0, 3}, 10 + more}}, {{2, 25}, {3, 10}});
        return fake.TakePauses();
    };
    paused.Start();
    std::map<uint16_t, int64_t> pauses = play(paused, 30);
    int periods = 1;
    for (; pauses.empty(); ++periods)
    {
        pauses = play(paused, 0);
    }
    Simulator::Destroy(); // keeps the slots open
    free.Start();
    for (int n = 0; n < periods; ++n)
    {
        play(free, n == 0 ? 30 : 0);
    }
    NS_TEST_EXPECT_MSG_EQ(pauses[0], 750, "15 of 40, of 2 us");
    NS_TEST_EXPECT_MSG_EQ(pauses[1], 750, "15 of 40, of 2 us");
    const double there = free.Predict(2) - paused.Predict(2);
    const double here = free.Predict(3) - paused.Predict(3);
    NS_TEST_EXPECT_MSG_EQ_TOL(there + here, 50 * 375, 200, "of 50 frames, 3 / 8");
    NS_TEST_EXPECT_MSG_EQ_TOL(here, 30 * 375 * 30.0 / (30 + 37), 700, "with about 37 for port 2");
}

LOSSLESS_TEST(g_suite, "a queue just run empty takes nothing of it, though its trend is below zero")
{
    FafcSwitch paused(4, 1000);
    FafcSwitch free(4);
    free.m_scheme->SetAttribute("PauseThreshold", UintegerValue(100000000));
    for (FafcSwitch* fake : {&paused, &free})
    {
        fake->Start();
        std::map<uint16_t, int64_t> pauses;
        for (int n = 0; n < 6; ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(pauses.size(), 0, "not yet");
            const uint32_t more = n == 0 ? 60 : n < 3 ? 20 : 0; // additional frames for port 3
            const uint32_t served = n < 3 ? 20 : 1000;
            // Port 1 is not sufficient, so port 0 also pauses.
            fake->PlayPeriod({{{0, 2}, 35}, {{1, 2}, 5}, {{0, 3}, more}}, {{2, 25}, {3, served}});
            pauses = fake->TakePauses();
        }
        NS_TEST_EXPECT_MSG_EQ(pauses.size(), (fake == &paused ? 2 : 0), "in the sixth period");
        Simulator::Destroy(); // keeps the slots open
    }
    NS_TEST_EXPECT_MSG_LT(free.Predict(3), 0, "empty, with a trend");
    NS_TEST_EXPECT_MSG_EQ_TOL(free.Predict(3), paused.Predict(3), 1e-9, "nothing for port 3");
    NS_TEST_EXPECT_MSG_EQ_TOL(free.Predict(2) - paused.Predict(2), 15000, 400, "all for port 2");
}

LOSSLESS_TEST(g_suite, "frames are marked by the prediction")
{
    // In each period, 10 more frames arrive than are served, so the prediction after n periods,
    // 10 (n + 2) (1 - 5^-n) frames, exceeds 50 frames from n = 4 onwards.
    FafcSwitch fake(3);
    fake.Start();
    std::vector<uint32_t> marks;
    for (int n = 0; n < 6; ++n)
    {
        fake.PlayPeriod({{{0, 2}, 35}}, {{2, 25}});
        marks.push_back(fake.m_marks);
    }
    NS_TEST_EXPECT_MSG_EQ(marks[3], 0, "3 periods: not yet");
    NS_TEST_EXPECT_MSG_EQ(marks[4], 25, "4 periods: all that leave");
}

LOSSLESS_TEST(g_suite, "lossy classes are marked as without FAFC, lossless ones by FAFC alone")
{
    // The first of ten frames of 1000 B takes ten times as long on the wire as on the ingress link.
    // Frame n finds n - 1 others in the queue, so the queue exceeds 5000 B with frames 6 to 10.
    SwitchHelper helper("ns3::lossless::FafcSwitchNode");
    helper.SetAttribute("LosslessClasses", UintegerValue(1));
    helper.SetMarker("ns3::lossless::StepMarker", "Threshold", UintegerValue(5000));
    Star star(helper.Create(), {Cable(), Cable{DataRate("10Gbps"), MicroSeconds(1)}});
    for (const uint8_t dscp : {8, 0})
    {
        for (uint32_t i = 0; i < 10; ++i)
        {
            star.GetHost(0).source.Send(
                MakeUdpFrame(GetHostAddress(0), GetHostAddress(1), dscp, 1000, i, 2));
        }
    }
    Simulator::Run();
    std::string marks;
    for (const Arrival& arrival : star.GetHost(1).received.GetArrivals(Priority{1}))
    {
        marks += arrival.marked ? '1' : '0';
    }
    NS_TEST_EXPECT_MSG_EQ(marks, "0000011111", "class 1, lossy");
    NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetCounts().marked, 5, "class 0 is FAFC's");
}

LOSSLESS_TEST(g_suite, "frames that wait for the next switch's pause mark no others")
{
    FafcSwitch fake(3);
    fake.Start();
    const Ptr<FafcGate> gate = fake.m_scheme->GetGate(PortId{2});
    gate->Attach({DataRate("100Gbps"), MicroSeconds(2)}, nullptr);
    const auto tell = [&gate](uint16_t quanta) {
        PfcHeader pfc;
        pfc.SetQuanta(CLASS_3, quanta);
        gate->ReceiveControl(ParseFrame(MakePfcFrame(Mac48Address("02:00:00:00:00:02"), pfc)));
        RunFor(MicroSeconds(2));
    };
    // Counts the marks once the traffic has been steady for a long time.
    const auto markSteadily = [&fake] {
        uint32_t before = 0;
        for (int n = 0; n < 12; ++n)
        {
            before = fake.m_marks;
            fake.PlayPeriod({{{0, 2}, 25}}, {{2, 25}});
        }
        return fake.m_marks - before;
    };
    fake.PlayPeriod({{{0, 2}, 35}}, {});
    tell(0xffff);
    fake.PlayPeriod({{{0, 2}, 35}}, {});
    tell(0);
    NS_TEST_EXPECT_MSG_EQ(markSteadily(), 0, "70 frames are below 50 + 35 kB");
    fake.PlayPeriod({}, {{2, 60}}); // leaves 10 of the frames queued because of the pause
    fake.PlayPeriod({{{0, 2}, 55}}, {});
    NS_TEST_EXPECT_MSG_EQ(markSteadily(), 25, "65 frames are above 50 + 10 kB");
}

LOSSLESS_TEST(g_suite, "an idle switch has no events, and says nothing")
{
    FafcSwitch fake(3);
    fake.Start();
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), Time(0), "no event before the first frame");
    fake.PlayPeriods(12, {{{0, 2}, 20}, {{1, 2}, 20}}, {{2, 25}});
    fake.TakeControl(PortId{0});
    fake.PlayPeriod({}, {{2, 1000}});
    fake.TakeControl(PortId{0});
    const Time end = Simulator::Now();
    Simulator::Run();
    NS_TEST_EXPECT_MSG_LT(Simulator::Now(), end + MicroSeconds(60), "the timer stops");
    NS_TEST_EXPECT_MSG_EQ(fake.TakeControl(PortId{0}).size(), 0, "nothing to tell");
    NS_TEST_EXPECT_MSG_EQ(fake.Predict(2), 0, "nothing is expected");
}

LOSSLESS_TEST(g_suite, "a locked switch has no events, and its periods end when they would")
{
    for (const uint32_t rest : {5000000, 5000777, 5001999, 5000001})
    {
        for (const bool comes : {false, true})
        {
            FafcSwitch fake(3);
            fake.m_scheme->SetAttribute("PauseThreshold", UintegerValue(100000000));
            fake.m_shape.ports[1].delay = MicroSeconds(6);
            fake.Start();
            QueueEstimator ticking({1, 3, 1}, 0.8, 0.8); // an estimator that is never idle
            const auto pass = [&](uint16_t ingress) {
                fake.Pass(MakeItem(ingress, 3, 1000, 2));
                ticking.Enqueue(PortId{ingress}, PortId{2}, 1000);
            };
            const auto check = [&](const std::string& when) {
                const QueueEstimator::Estimate& queue = ticking.GetEgress(PortId{2});
                NS_TEST_EXPECT_MSG_EQ(fake.Predict(2), queue.level + 2 * queue.growth, when);
            };
            int64_t ended = 0; // number of periods
            const auto wait = [&](int64_t nanoseconds) {
                RunFor(NanoSeconds(nanoseconds));
                for (; (ended + 1) * 2000 <= Simulator::Now().GetNanoSeconds(); ++ended)
                {
                    ticking.Update();
                }
            };
            for (int i = 0; i < 40; ++i)
            {
                pass(i % 2);
                wait(i % 3 == 0 ? 700 : 0);
            }
            const uint64_t before = Simulator::GetEventCount();
            wait(rest);
            check("at rest");
            NS_TEST_EXPECT_MSG_LT(Simulator::GetEventCount() - before, 600, "of 2500 periods");
            if (comes)
            {
                pass(0);
            }
            else
            {
                fake.Leave(MakeItem(1, 3, 1000, 2));
                ticking.Dequeue(PortId{1}, PortId{2}, 1000);
            }
            for (int i = 0; i < 20; ++i)
            {
                wait(1501);
                check("after a rest of " + std::to_string(rest) + ", step " + std::to_string(i));
            }
            Simulator::Destroy();
        }
    }
}

LOSSLESS_TEST(g_suite, "the frames of a solution come after SolveDelay")
{
    FafcSwitch fake(3);
    fake.m_scheme->SetAttribute("SolveDelay", TimeValue(MicroSeconds(30)));
    fake.Start();
    fake.PlayUntilPause({{{0, 2}, 20}, {{1, 2}, 20}}, {{2, 25}});
    NS_TEST_EXPECT_MSG_EQ(fake.m_periods, 6 + 15, "15 periods later than without");
    NS_TEST_EXPECT_MSG_LT(fake.m_scheme->CountSolutions(), 3, "one at a time");
}

// Complete networks

/// A network whose links have a rate of 25 Gb/s and a delay of 1 us, under FAFC with a threshold of
/// 100 kB, and the results of its flows.
struct FafcRun
{
    FafcRun(const Topology& topology, const FlowList& flows)
    {
        Config::SetDefault("ns3::lossless::FafcFlowControl::PauseThreshold", UintegerValue(100000));
        Config::SetDefault("ns3::lossless::SharedBuffer::Size",
                           UintegerValue(1000000000)); // too large for PFC to act
        Fabric fabric(topology, SwitchHelper("ns3::lossless::FafcSwitchNode"));
        fabric.AssignStreams(1);
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            const std::string name = "s" + std::to_string(i);
            m_pauses.WatchSwitch(name, fabric.GetSwitch(i));
            m_propagation.WatchSwitch(name, fabric.GetSwitch(i));
        }
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            m_propagation.AddNic(fabric.GetAddress(host), fabric.GetHostDevice(host));
            m_flows.Watch(fabric.GetNic(host));
            fabric.GetHostDevice(host)->Initialize(); // creates the gate
            m_shut.emplace_back(fabric.GetHostDevice(host)->GetGate());
        }
        fabric.StartFlows(flows);
        Simulator::Run();
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            m_lost += fabric.GetSwitch(i)->GetCounts().losslessDropped;
        }
        m_victims = m_propagation.GetVictims(m_flows.GetFlows());
    }

    /// @return the timed pauses in ns, indexed by switch and port
    std::map<std::pair<std::string, uint16_t>, int64_t> GetTimed() const
    {
        std::map<std::pair<std::string, uint16_t>, int64_t> timed;
        for (const PauseRecord& record : m_pauses.GetPauses())
        {
            if (record.kind == PauseRecord::Kind::TIMED)
            {
                timed[{record.node, Index(record.port)}] = record.paused.GetNanoSeconds();
            }
        }
        return timed;
    }

    PauseRecorder m_pauses;              ///< pauses of all switches
    PausePropagation m_propagation;      ///< propagation of these pauses
    FlowRecorder m_flows;                ///< flows of all NICs
    std::deque<ShutTime> m_shut;         ///< time during which each host's gate was closed
    std::vector<VictimRecord> m_victims; ///< victims among the flows
    uint64_t m_lost{0};                  ///< number of lost frames
};

/// @param bytes the number of bytes of each flow, indexed by source host; the last host of the star
/// is the destination
FafcRun
RunIncast(const std::vector<uint64_t>& bytes)
{
    const auto last = static_cast<uint32_t>(bytes.size());
    FlowList flows;
    for (uint32_t i = 0; i < last; ++i)
    {
        if (bytes[i] > 0)
        {
            flows.push_back({i, i, last, 3, bytes[i], Time(0), ""});
        }
    }
    return FafcRun(Topology::Star({last + 1, DataRate("25Gbps"), MicroSeconds(1)}), flows);
}

LOSSLESS_TEST(g_suite, "no port is treated better for its number")
{
    const FafcRun run = RunIncast(std::vector<uint64_t>(8, 1000000));
    const auto timed = run.GetTimed();
    NS_TEST_EXPECT_MSG_EQ(run.m_lost, 0, "nothing is lost");
    NS_TEST_ASSERT_MSG_EQ(timed.size(), 8, "all senders pause");
    const auto first = static_cast<double>(timed.begin()->second);
    NS_TEST_EXPECT_MSG_GT(first, 100000, "for long");
    for (const auto& [port, ns] : timed)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(ns, first, 0.05 * first, "port " << port.second);
    }
}

LOSSLESS_TEST(g_suite, "exchanged hosts have the same pauses, exchanged")
{
    const auto first = RunIncast({400000, 0, 900000, 900000, 0, 400000, 0, 700000}).GetTimed();
    Simulator::Destroy();
    const auto second = RunIncast({700000, 0, 400000, 0, 900000, 900000, 0, 400000}).GetTimed();
    const std::map<uint16_t, uint16_t> exchanged{{0, 2}, {2, 4}, {3, 5}, {5, 7}, {7, 0}};
    NS_TEST_ASSERT_MSG_EQ(first.size(), exchanged.size(), "who sends");
    for (const auto& [port, other] : exchanged)
    {
        const auto ns = static_cast<double>(first.at({"s0", port}));
        NS_TEST_EXPECT_MSG_EQ_TOL(second.at({"s0", other}), ns, 0.1 * ns, "port " << port);
    }
}

LOSSLESS_TEST(g_suite, "hosts serve all the pauses that were asked for, and recorders know them")
{
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        std::mt19937 random(seed);
        std::vector<uint64_t> bytes(3 + random() % 12);
        for (uint64_t& size : bytes)
        {
            size = 50000 + random() % 1000000;
        }
        const FafcRun run = RunIncast(bytes);
        const auto timed = run.GetTimed();
        for (uint16_t host = 0; host < bytes.size(); ++host)
        {
            const auto asked = timed.find({"s0", host});
            NS_TEST_EXPECT_MSG_EQ(run.m_shut[host].sum.GetNanoSeconds(),
                                  (asked == timed.end() ? 0 : asked->second),
                                  "host " << host << ", seed " << seed);
        }
        const std::vector<PauseDepthRecord> depths = run.m_propagation.GetDepths();
        NS_TEST_ASSERT_MSG_EQ(depths.size(), 1, "one switch");
        NS_TEST_EXPECT_MSG_EQ(depths[0].depth, 1, "the receiver's queue is the root");
        NS_TEST_EXPECT_MSG_EQ(depths[0].queues, timed.size(), "who was paused, seed " << seed);
        NS_TEST_EXPECT_MSG_EQ(run.m_victims.size(), 0, "all go there");
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "in a dumbbell the link with a victim on it pauses least")
{
    std::size_t victims = 0;
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        std::mt19937 random(seed);
        DumbbellOptions options;
        options.left = 3 + random() % 4;
        options.right = 8 + random() % 12;
        options.hostRate = options.bottleneckRate = DataRate("25Gbps");
        options.hostDelay = options.bottleneckDelay = MicroSeconds(1);
        const uint32_t hot = options.left + options.right - 1;
        FlowList flows{{0, 0, hot - 1, 3, 6000000, Time(0), ""}};
        for (uint32_t host = 1; host + 1 < hot; ++host)
        {
            const Time start = MicroSeconds(300) + NanoSeconds(random() % 1000);
            flows.push_back({host, host, hot, 3, 300000, start, ""});
        }
        const FafcRun run(Topology::Dumbbell(options), flows);
        const auto timed = run.GetTimed();
        const auto link = timed.find({"s1", static_cast<uint16_t>(options.right)});
        const int64_t ofLink = link == timed.end() ? 0 : link->second;
        NS_TEST_EXPECT_MSG_EQ(run.m_lost, 0, "seed " << seed);
        for (uint16_t port = 0; port + 2U < options.right; ++port)
        {
            const auto host = timed.find({"s1", port});
            NS_TEST_ASSERT_MSG_EQ((host != timed.end()), true, "paused, seed " << seed);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(ofLink, host->second, "port " << port << " seed " << seed);
        }
        victims += run.m_victims.size();
        for (const VictimRecord& victim : run.m_victims)
        {
            NS_TEST_EXPECT_MSG_EQ(victim.flow, 0, "the only one that goes elsewhere");
            NS_TEST_EXPECT_MSG_EQ((link != timed.end()), true, "of that link, seed " << seed);
        }
        Simulator::Destroy();
    }
    NS_TEST_EXPECT_MSG_GT(victims, 0, "pauses shorter than the link's delay have victims, too");
}

/// Four hosts close to a switch and four hosts far from it send 3 MB each to another host close to
/// it, at 25 Gb/s.
Time
RunFarHosts(const std::string& type, const std::string& control, Time delay)
{
    Topology topology;
    const uint32_t center = topology.AddSwitch("s0");
    FlowList flows;
    for (uint32_t host = 0; host < 9; ++host)
    {
        const uint32_t node = topology.AddHost("h" + std::to_string(host));
        const Time length = host >= 1 && host <= 4 ? delay : MicroSeconds(1);
        topology.AddLink(node, center, DataRate("25Gbps"), length);
        if (host > 0)
        {
            flows.push_back({host, host, 0, 3, 3000000, Time(0), ""});
        }
    }
    SwitchHelper switches(type);
    switches.SetMarker("ns3::lossless::RedMarker");
    switches.SetBufferAttribute("Size", UintegerValue(64000000));
    const ObjectFactory nics("ns3::lossless::RoceNic", "CongestionControl", StringValue(control));
    Fabric fabric(topology, switches, nics);
    fabric.AssignStreams(1);
    fabric.SetBaseRtt(1, 2);
    FlowRecorder recorder;
    WatchHosts(recorder, fabric);
    fabric.StartFlows(flows);
    fabric.StopWhenFlowsAreDone(Seconds(1));
    Simulator::Run();
    Time last;
    for (const auto& [id, record] : recorder.GetFlows())
    {
        NS_TEST_EXPECT_MSG_EQ(record.isReceived, true, "flow " << id);
        last = std::max(last, record.received);
    }
    Simulator::Destroy();
    return last;
}

LOSSLESS_TEST(g_suite, "far hosts take hardly longer than under PFC")
{
    const std::vector<std::pair<std::string, int64_t>> cases{
        {"ns3::lossless::Dcqcn", 20},
        {"ns3::lossless::Dctcp", 50},
        {"ns3::lossless::Dctcp", 100},
        {"ns3::lossless::Hpcc", 100},
        {"ns3::lossless::Timely", 20},
    };
    for (const auto& [control, us] : cases)
    {
        const Time fafc = RunFarHosts("ns3::lossless::FafcSwitchNode", control, MicroSeconds(us));
        const Time pfc = RunFarHosts("ns3::lossless::PfcSwitchNode", control, MicroSeconds(us));
        // In seven runs (RngRun 1 to 7), the ratio of FAFC's time to PFC's was at most 1.231, with
        // DCTCP and links of 100 us.
        NS_TEST_EXPECT_MSG_LT(fafc / pfc, 1.25, control << ", links of " << us << " us");
    }
}

LOSSLESS_TEST(g_suite, "the paper's incast: long flows or messages, and bursts")
{
    FafcIncast incast;
    incast.longBytes = 300;
    incast.burstBytes = 200;
    incast.messageBytes = 100;
    NS_TEST_EXPECT_MSG_EQ(ToText(incast.MakeFlows(5)),
                          "0 0 3 0 300 0 large\n"
                          "1 1 4 0 300 0 large\n"
                          "2 2 4 0 200 1000000 incast\n",
                          "two long flows");
    incast.messages = 2;
    NS_TEST_EXPECT_MSG_EQ(ToText(incast.MakeFlows(5)),
                          "0 0 3 0 100 1000000 message\n"
                          "1 3 0 0 100 1000000 message\n"
                          "2 1 4 0 200 1000000 incast\n"
                          "3 2 4 0 200 1000000 incast\n",
                          "two messages");
    incast.burstJitter = MicroSeconds(20);
    const FlowList flows = incast.MakeFlows(23);
    NS_TEST_EXPECT_MSG_EQ(flows.size(), 2 + 20, "messages, and a burst of each other host");
    NS_TEST_EXPECT_MSG_GT(flows.back().start, MicroSeconds(1010), "a later half, with 20 bursts");
    NS_TEST_EXPECT_MSG_LT(flows.back().start, MicroSeconds(1020), "at most the jitter");
}

/// Five frames of 1062 B come to a port within 1.5 us, which sends one every 8688 ns (1086 B at
/// 1 Gb/s). Samples are taken each microsecond from the start of the flow until it has arrived.
LOSSLESS_TEST(g_suite, "the queue to a receiver while the flows of a label are under way")
{
    Topology topology;
    topology.AddHost("h0");
    topology.AddHost("h1");
    topology.AddSwitch("s0");
    topology.AddLink("h0", "s0", DataRate("100Gbps"), MicroSeconds(1));
    topology.AddLink("s0", "h1", DataRate("1Gbps"), MicroSeconds(1));
    Fabric fabric(topology, SwitchHelper());
    fabric.StartFlows({{0, 0, 1, 0, 5000, MicroSeconds(100), "incast"},
                       {1, 0, 1, 0, 50000, MicroSeconds(900), "other"}});
    const auto recorder = CreateObject<OccupancyRecorder>(fabric, "incast", MicroSeconds(1));
    Simulator::Run();
    std::map<std::string, int> samples;
    std::istringstream table(ToCsv(recorder->GetTables().at(0).make()));
    std::string bytes;
    std::getline(table, bytes);
    NS_TEST_EXPECT_MSG_EQ(bytes, "bytes,samples", "header");
    while (std::getline(table, bytes, ','))
    {
        table >> samples[bytes] >> std::ws;
    }
    // The first frame comes after 1087 ns, and the last one takes 1 us from the port to the host.
    NS_TEST_EXPECT_MSG_EQ(samples["0"], 3, "before and after");
    for (const char* step : {"1000", "2000", "3000", "4000", "5000"})
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(samples[step], 8.688, 1, "frames of 1062 B: " << step);
    }
    NS_TEST_EXPECT_MSG_EQ(samples.size(), 6, "lengths, without those of the other flow");
}

LOSSLESS_TEST(g_suite, "without a flow nothing happens")
{
    const FafcRun run(Topology::Star({}), {});
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), Time(0), "no event");
    NS_TEST_EXPECT_MSG_EQ(run.m_pauses.GetFrames().size(), 0, "no frame");
}

} // namespace ns3::lossless::tests::THIS_FILE
