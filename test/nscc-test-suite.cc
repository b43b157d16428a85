// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"

#include "ns3/nscc.h"

#include <random>

// Compares changes in NSCC's window with values computed by hand. At 100 Gb/s and a base round trip
// of 12 us, with packets of 4096 B, the scale a is 1, the maximum window is 1.5 x 150 000 B, the
// target is 9 us, and eta is 0.15 x 4096 = 614.4 B.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-nscc", UNIT);

constexpr uint32_t PACKET = 4096;

struct Flow
{
    explicit Flow(const std::string& rate = "100Gbps",
                  Time baseRtt = MicroSeconds(12),
                  bool isTrimming = true)
        : m_baseRtt(baseRtt)
    {
        m_control->SetAttribute("BaseRtt", TimeValue(baseRtt));
        m_control->SetAttribute("Trimming", BooleanValue(isTrimming));
        m_control->Start(DataRate(rate), PACKET);
    }

    /// Handles an acknowledgement.
    /// @param delay the delay in addition to the base round trip
    void Ack(Time wait, Time delay, bool isMarked = false, uint64_t bytes = PACKET)
    {
        m_now += wait;
        AckSignals signals;
        signals.newBytes = bytes;
        signals.inFlight = m_inFlight;
        signals.isMarked = isMarked;
        signals.roundTrip = m_baseRtt + delay;
        m_control->NotifyAck(signals, m_now);
    }

    /// Handles the answer to a trimmed packet. The answer acknowledges nothing.
    void Trim(Time wait, uint32_t bytes = PACKET)
    {
        m_now += wait;
        AckSignals answer;
        answer.inFlight = m_inFlight - std::min<uint64_t>(m_inFlight, bytes);
        answer.isMarked = true;
        answer.isTrimmed = true;
        m_control->NotifyAck(answer, m_now);
        m_control->NotifyTrimmed({bytes, answer.inFlight}, m_now);
    }

    void Lose(uint32_t count)
    {
        m_control->NotifyLoss({uint64_t{count} * PACKET, 0}, m_now);
    }

    uint64_t Get() const
    {
        return m_control->GetWindow();
    }

    Ptr<Nscc> m_control{CreateObject<Nscc>()}; ///< the congestion control under test
    Time m_baseRtt;                            ///< base round trip of the network
    Time m_now{Seconds(1)};                    ///< current time
    uint64_t m_inFlight{0};                    ///< payload in flight
};

LOSSLESS_TEST(g_suite, "hosts measure round-trip times for it, and nothing else")
{
    const CongestionFeedback feedback = Flow().m_control->GetFeedback();
    NS_TEST_EXPECT_MSG_EQ(feedback.roundTrips, true, "round-trip times");
    NS_TEST_EXPECT_MSG_EQ(feedback.notifications, false, "notification packets");
    NS_TEST_EXPECT_MSG_EQ(feedback.telemetry, false, "telemetry");
}

LOSSLESS_TEST(g_suite, "the window begins at 1.5 bandwidth delay products")
{
    NS_TEST_EXPECT_MSG_EQ(Flow().Get(), 225000, "100 Gb/s, 12 us");
    NS_TEST_EXPECT_MSG_EQ(Flow("400Gbps", MicroSeconds(6)).Get(), 450000, "400 Gb/s, 6 us");
    NS_TEST_EXPECT_MSG_EQ(Flow("1Gbps", MicroSeconds(1)).Get(), 4096, "one packet");
    Flow flow;
    flow.Lose(5);
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 225000 - 5 * 4096, "a packet less for each loss");
    flow.Lose(100);
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 4096, "one packet at least");
    NS_TEST_EXPECT_MSG_EQ(flow.m_control->GetRate(Time(0)), DataRate("100Gbps"), "no pacing");
}

LOSSLESS_TEST(g_suite, "below the target it grows in proportion to what is left, at it evenly")
{
    Flow flow;
    flow.Lose(25);
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 122600, "225 000 - 25 x 4096");
    // The first increase is applied at once. It is 33 554 432 (4 x 4096 x 4096 x 6 us / 12 us)
    // divided by the window of 122 600 B, or 273.7 B, plus eta.
    flow.Ack(Time(0), MicroSeconds(3));
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 123488, "122 600 + 273.7 + 614.4");
    for (uint32_t i = 0; i < 8; ++i)
    {
        flow.Ack(MicroSeconds(1), MicroSeconds(9));
        NS_TEST_EXPECT_MSG_EQ(flow.Get(), 123488, "not more than 8 packets yet");
    }
    // The increase is 9 x 5 x 4096 x 4096 / 123 488.1 = 6113.7 B, without eta, because the round
    // trip is not yet over.
    flow.Ack(MicroSeconds(1), MicroSeconds(9));
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 129602, "123 488.1 + 6113.7");
    // This ACK arrives more than 12 us after the first increase. At 8 us below the target, the
    // increase is 8/12 of 4 x 4096 x 4096, divided by 129 601.8, or 345.2 B.
    flow.Ack(MicroSeconds(3) + NanoSeconds(1), MicroSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 130561, "129 601.8 + 345.2 + 614.4");
}

LOSSLESS_TEST(g_suite, "constants scale with the bandwidth delay product")
{
    // With a = 2, alpha is 8 packets, eta is 1228.8 B, and the target is 4.5 us.
    Flow flow("400Gbps", MicroSeconds(6));
    flow.Lose(50);
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 245200, "450 000 - 50 x 4096");
    // The increase is 16 777 216 (4 x 4096 x 2 x 4096 x 1.5 us / 12 us) divided by 245 200, or
    // 68.4 B.
    flow.Ack(Time(0), MicroSeconds(3));
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 246497, "245 200 + 68.4 + 1228.8");
    for (uint32_t i = 0; i < 9; ++i)
    {
        flow.Ack(NanoSeconds(100), MicroSeconds(5));
    }
    // The increase is 9 x 5 x 4096 x 2 x 4096 / 246 497.2 = 6125.7 B.
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 252623, "246 497.2 + 6125.7");
}

LOSSLESS_TEST(g_suite, "without trimming, queues may take a round trip")
{
    // The delay of 10 us is below 12 us, so the increase is 11 184 810.7 (4 x 4096 x 4096 x 2 us /
    // 12 us) divided by 122 600, or 91.2 B.
    Flow lossy("100Gbps", MicroSeconds(12), false);
    lossy.Lose(25);
    lossy.Ack(Time(0), MicroSeconds(10));
    NS_TEST_EXPECT_MSG_EQ(lossy.Get(), 123306, "122 600 + 91.2 + 614.4");
    // The delay of 10 us is above 9 us, so the increase is 5 x 4096 x 4096 / 122 600 = 684.2 B.
    Flow trimming;
    trimming.Lose(25);
    trimming.Ack(Time(0), MicroSeconds(10));
    NS_TEST_EXPECT_MSG_EQ(trimming.Get(), 123899, "122 600 + 684.2 + 614.4");
}

LOSSLESS_TEST(g_suite, "after a window with hardly any delay it grows by a quarter")
{
    Flow flow;
    flow.Lose(25);
    flow.Ack(Time(0), Time(0), false, 130000);
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 155714, "122 600 + 32 500 + 614.4");
    flow.Ack(NanoSeconds(100), NanoSeconds(999));
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 156738, "and 1024");
    flow.Ack(NanoSeconds(100), MicroSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 156738, "a delay");
    flow.Ack(NanoSeconds(100), Time(0));
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 156738, "a window begins anew");
    flow.Ack(NanoSeconds(100), Time(0), false, 156738);
    NS_TEST_EXPECT_MSG_GT(flow.Get(), 156738 + 39184, "is over");
}

LOSSLESS_TEST(g_suite, "marks and an average above the target make it fall, once per round trip")
{
    Flow flow;
    for (uint32_t i = 0; i < 32; ++i)
    {
        flow.Ack(NanoSeconds(100), MicroSeconds(27), true);
    }
    // The average delay is 27 us x (1 - 0.9875^32) = 8.95 us.
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 225000, "the average is below 9 us");
    flow.Ack(NanoSeconds(100), MicroSeconds(27), true);
    // The average delay is 9.17259 us, so the window becomes 225 000 x (1 - 0.8 x 0.17259 /
    // 9.17259) = 221 613.1 B.
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.m_control->GetAverageDelay(), 9.17259e-6, 1e-11, "average");
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 221613, "x 0.98495");
    flow.Ack(MicroSeconds(1), MicroSeconds(27), true);
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 221613, "not again");
    flow.Ack(MicroSeconds(11) - NanoSeconds(100), Time(0), true);
    NS_TEST_EXPECT_MSG_EQ(flow.Get() / 614, 221613 / 614 + 1, "hardly any delay: eta alone");
    const uint64_t before = flow.Get();
    flow.Ack(MicroSeconds(1), MicroSeconds(27), true);
    NS_TEST_EXPECT_MSG_LT(flow.Get(), before, "a round trip later");
}

LOSSLESS_TEST(g_suite, "it falls by half at most")
{
    Flow flow;
    for (uint32_t i = 0; i < 40; ++i)
    {
        flow.Ack(NanoSeconds(100), MicroSeconds(200), true, 30000);
    }
    const uint64_t before = flow.Get();
    NS_TEST_EXPECT_MSG_GT(flow.m_control->GetAverageDelay(), 24e-6, "a factor of 0.5 and less");
    flow.Ack(MicroSeconds(13), MicroSeconds(200), true, 30000);
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Get(), before / 2 + 614.4, 1, "half, and eta");
}

LOSSLESS_TEST(g_suite, "a long delay without a mark lowers the average")
{
    Flow flow;
    flow.Ack(Time(0), MicroSeconds(8));
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.m_control->GetAverageDelay(), 0.1e-6, 1e-12, "8 us x 0.0125");
    flow.Ack(NanoSeconds(100), MicroSeconds(30));
    // Instead of this delay, a quarter of the base round trip of 12 us enters the average, which
    // becomes 0.1 + 0.0125 (3 - 0.1) us.
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.m_control->GetAverageDelay(), 0.13625e-6, 1e-12, "not 30 us");
    flow.Trim(NanoSeconds(100));
    // For a trimmed packet, a full base round trip enters the average, which becomes 0.13625 +
    // 0.0125 (12 - 0.13625) us.
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.m_control->GetAverageDelay(), 0.284546875e-6, 1e-12, "trimmed");
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 225000 - 4096, "its payload less");
    flow.Trim(NanoSeconds(100), 500);
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 225000 - 4596, "the payload of a short one");
}

LOSSLESS_TEST(g_suite, "quick adapt sets it to what has arrived in a round trip and target")
{
    Flow flow;
    flow.m_inFlight = 100000;
    flow.Ack(Time(0), Time(0)); // begins a period of 21 us
    for (uint32_t i = 0; i < 5; ++i)
    {
        flow.Ack(MicroSeconds(4), MicroSeconds(5)); // these 20 480 B are less than 28 125 B
    }
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 225000, "nothing happened");
    flow.Trim(MicroSeconds(1) + NanoSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 20480, "what has arrived");
    flow.Trim(MicroSeconds(1));
    flow.Ack(MicroSeconds(1), MicroSeconds(100), true);
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 20480, "what was on its way says no more");
    // So far, only 8192 of the 100 000 B in flight have been reported. This acknowledgement covers
    // the rest, so the next mark counts.
    flow.Ack(NanoSeconds(1), MicroSeconds(5), true, 91808);
    const uint64_t before = flow.Get();
    flow.Trim(NanoSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), before - 4096, "its payload less, as usual");
}

LOSSLESS_TEST(g_suite, "a packet that was trimmed within a period makes it adapt at its end")
{
    Flow flow;
    flow.Ack(Time(0), Time(0)); // begins a period of 21 us
    flow.Trim(MicroSeconds(10));
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 225000 - 4096, "its payload less");
    flow.Ack(MicroSeconds(12), MicroSeconds(5));
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 4096, "what has arrived");
}

LOSSLESS_TEST(g_suite, "quick adapt needs trimming or a long delay, and little that arrived")
{
    const auto run = [](Time delay, uint64_t bytes) {
        Flow flow;
        flow.Ack(Time(0), Time(0));
        flow.Ack(MicroSeconds(20), MicroSeconds(5), false, bytes);
        flow.Ack(MicroSeconds(2), delay, true);
        return flow.Get();
    };
    NS_TEST_EXPECT_MSG_EQ(run(MicroSeconds(36), 8192), 225000, "4 targets");
    NS_TEST_EXPECT_MSG_EQ(run(MicroSeconds(36) + NanoSeconds(1), 8192), 12288, "more");
    NS_TEST_EXPECT_MSG_EQ(run(MicroSeconds(37), 24029), 225000, "28 125 B, an eighth");
    NS_TEST_EXPECT_MSG_EQ(run(MicroSeconds(37), 24028), 28124, "less");
    Flow flow;
    flow.Ack(Time(0), Time(0));
    flow.Trim(MicroSeconds(22));
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 4096, "one packet at least");
}

LOSSLESS_TEST(g_suite, "a shorter round trip is the base from then on")
{
    Flow flow;
    flow.Ack(Time(0), MicroSeconds(-2));
    NS_TEST_EXPECT_MSG_EQ(flow.Get(), 187500, "1.5 x 125 000 B");
    flow.Ack(NanoSeconds(100), Time(0));
    // The acknowledgement takes 2 us longer than the new base round trip of 10 us, and the average
    // delay was 0 before.
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.m_control->GetAverageDelay(), 0.025e-6, 1e-12, "2 us x 0.0125");
}

LOSSLESS_TEST(g_suite, "whatever it is told at random, the window stays in its limits")
{
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        std::mt19937 random(seed);
        Flow flow(seed % 2 == 0 ? "100Gbps" : "400Gbps", MicroSeconds(1 + random() % 20));
        const uint64_t most = std::max<uint64_t>(flow.Get(), PACKET);
        for (uint32_t step = 0; step < 5000; ++step)
        {
            flow.m_inFlight = random() % 500000;
            const Time wait = NanoSeconds(random() % 20000);
            switch (random() % 5)
            {
            case 0:
                flow.Trim(wait);
                break;
            case 1:
                flow.Lose(1);
                break;
            default:
                flow.Ack(wait, NanoSeconds(random() % 100000), random() % 3 == 0, random() % 20000);
            }
            NS_TEST_ASSERT_MSG_GT_OR_EQ(flow.Get(), PACKET, "seed " << seed);
            NS_TEST_ASSERT_MSG_LT_OR_EQ(flow.Get(), most, "seed " << seed);
        }
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
