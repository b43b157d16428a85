// SPDX-License-Identifier: GPL-2.0-only

#include "chosen-simulator.h"
#include "lossless-test.h"
#include "star-run.h"
#include "test-network.h"

#include "ns3/congestion-control-info.h"
#include "ns3/data-rate.h"
#include "ns3/dcqcn.h"
#include "ns3/dctcp.h"
#include "ns3/ecn-marker.h"
#include "ns3/lossless-experiment.h"
#include "ns3/node.h"
#include "ns3/nscc.h"
#include "ns3/timely.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-congestion-control", UNIT);

constexpr Priority CLASS_3{3};
constexpr double LINE = 100e9; ///< rate of the links, in bit/s

Ptr<CongestionControl>
MakeStarted(const std::string& text, const std::string& rate = "100Gbps")
{
    auto control = ParseFactory(text).Create<CongestionControl>();
    control->Start(DataRate(rate), 1000);
    return control;
}

/// A congestion control whose rate and window are set by the test and which records the signals
/// that it receives.
struct Probe : CongestionControl
{
    LOSSLESS_TEST_TYPE(Probe,
                       CongestionControl,
                       .AddConstructor<Probe>()
                           .AddAttribute("Rate",
                                         "0: that of the line.",
                                         DataRateValue(DataRate(0)),
                                         MakeDataRateAccessor(&Probe::m_rate),
                                         MakeDataRateChecker())
                           .AddAttribute("Window",
                                         "Bytes; 0: any.",
                                         UintegerValue(0),
                                         MakeUintegerAccessor(&Probe::m_window),
                                         MakeUintegerChecker<uint64_t>())
                           .AddAttribute("LaterWindow",
                                         "Window from the first answer or loss on.",
                                         UintegerValue(0),
                                         MakeUintegerAccessor(&Probe::m_laterWindow),
                                         MakeUintegerChecker<uint64_t>()));

    Probe()
    {
        s_latest = this;
    }

    CongestionFeedback GetFeedback() const override
    {
        return {true, true};
    }

    void Start(DataRate lineRate, uint32_t /* payloadBytes */) override
    {
        m_rate = m_rate.GetBitRate() == 0 ? lineRate : m_rate;
    }

    void NotifySent(uint32_t bytes, Time /* now */) override
    {
        s_sent.push_back(bytes);
    }

    void NotifyAck(const AckSignals& signals, Time /* now */) override
    {
        s_acks.push_back(signals);
        m_window = m_laterWindow == 0 ? m_window : m_laterWindow;
    }

    void NotifyCnp(Time now) override
    {
        s_cnps.push_back(now.GetNanoSeconds());
    }

    void NotifyLoss(const LossSignals& signals, Time now) override
    {
        s_lost.push_back(signals);
        s_losses.push_back(now.GetNanoSeconds());
        m_window = m_laterWindow == 0 ? m_window : m_laterWindow;
    }

    DataRate GetRate(Time /* now */) override
    {
        return m_rate;
    }

    uint64_t GetWindow() const override
    {
        return m_window;
    }

    static void Forget()
    {
        s_sent.clear();
        s_acks.clear();
        s_cnps.clear();
        s_lost.clear();
        s_losses.clear();
    }

    static inline Probe* s_latest{nullptr};        ///< the most recently created probe
    static inline std::vector<uint32_t> s_sent;    ///< number of bytes of each sent frame
    static inline std::vector<AckSignals> s_acks;  ///< acknowledgements
    static inline std::vector<int64_t> s_cnps;     ///< times of CNPs, in ns
    static inline std::vector<LossSignals> s_lost; ///< reported losses
    static inline std::vector<int64_t> s_losses;   ///< times at which losses were reported, in ns

    DataRate m_rate;           ///< rate that the probe returns
    uint64_t m_window{0};      ///< window that the probe returns
    uint64_t m_laterWindow{0}; ///< window that the probe returns after an acknowledgement or a loss
};

NS_OBJECT_ENSURE_REGISTERED(Probe);

/// Two hosts connected by a link of 100 Gb/s with a delay of 1 us. A full packet occupies 1082 B on
/// the wire and takes 86.56 ns; an ACK occupies 86 B and takes 6.88 ns.
struct TwoHosts : NicPair
{
    explicit TwoHosts(const std::string& control, Attributes attributes = {})
        : NicPair((attributes["CongestionControl"] = control, attributes))
    {
        Probe::Forget();
        ListenTo(*m_devices[0], "PhyTxBegin", [this](Ptr<const Packet> packet) {
            const auto header = RoceHeader::Peek(*packet);
            m_sent.emplace_back(Simulator::Now().GetNanoSeconds(), header->GetSourcePort());
        });
    }

    /// Starts a flow with the given number of full packets from one host to the other now.
    void Start(uint64_t id, uint64_t packets, uint32_t from = 0)
    {
        StartFrom(from, id, CLASS_3, packets * 1000);
    }

    /// @return the departure times of a flow's packets, in ns
    std::string GetStarts(uint64_t id) const
    {
        std::ostringstream text;
        for (const auto& [at, port] : m_sent)
        {
            if (port == 49152 + id)
            {
                text << at << " ";
            }
        }
        return text.str();
    }

    /// The departure time and source port of each frame that host 0 has sent.
    std::vector<std::pair<int64_t, uint16_t>> m_sent;
};

/// The gain of 1/2 and short timers allow computations by hand.
constexpr const char* SETTINGS =
    "ns3::lossless::Dcqcn[Gain=0.5|AlphaTimer=10us|RateCutInterval=0us|RateTimer=100us|"
    "FastRecoverySteps=2|AdditiveStep=1Gbps|HyperStep=4Gbps";

void
ExpectRate(Ptr<CongestionControl> control,
           int64_t ns,
           double expected,
           const std::string& why,
           double tolerance = 1000)
{
    const auto rate = static_cast<double>(control->GetRate(NanoSeconds(ns)).GetBitRate());
    NS_TEST_EXPECT_MSG_EQ_TOL(rate, expected, tolerance, why << " at " << ns << " ns");
}

void
ExpectDcqcnRule(Ptr<CongestionControl> control, int64_t ns, double expected)
{
    ExpectRate(control, ns, expected, "rate", 1);
}

LOSSLESS_TEST(g_suite, "DCQCN follows its rule: clamped target")
{
    auto dcqcn = MakeStarted(std::string(SETTINGS) + "|ClampTarget=true]");
    ExpectDcqcnRule(dcqcn, 1000000, LINE); // Without notifications, the rate does not change.
    const int64_t t0 = 2000000;
    dcqcn->NotifyCnp(NanoSeconds(t0));
    ExpectDcqcnRule(dcqcn, t0, 50e9); // alpha is 1 and remains 0.5 x 1 + 0.5 = 1
    // Two periods of the alpha timer follow, one with a notification and one without, so alpha
    // becomes 1/2. The target becomes 50 Gb/s and the rate 50 x 3/4 Gb/s.
    const int64_t t1 = t0 + 25000;
    dcqcn->NotifyCnp(NanoSeconds(t1));
    ExpectDcqcnRule(dcqcn, t1, 37.5e9);
    ExpectDcqcnRule(dcqcn, t1 + 99999, 37.5e9);
    ExpectDcqcnRule(dcqcn, t1 + 100000, 43.75e9);   // fast recovery: (37.5 + 50) / 2
    ExpectDcqcnRule(dcqcn, t1 + 200000, 46.875e9);  // second step of fast recovery
    ExpectDcqcnRule(dcqcn, t1 + 300000, 48.9375e9); // additive increase: (46.875 + 51) / 2
    ExpectDcqcnRule(dcqcn, t1 + 399999, 48.9375e9);
    // Two hyper steps occur at once. The first one gives (48.9375 + 55) / 2 = 51.96875, and the
    // second one (51.96875 + 59) / 2.
    ExpectDcqcnRule(dcqcn, t1 + 500000, 55.484375e9);
    // After 55 more steps, the rate has reached the line rate, which it never exceeds.
    ExpectDcqcnRule(dcqcn, t1 + 60 * 100000, LINE);
}

LOSSLESS_TEST(g_suite, "DCQCN follows its rule: kept target")
{
    auto dcqcn = MakeStarted(std::string(SETTINGS) + "]");
    dcqcn->NotifyCnp(NanoSeconds(0));
    dcqcn->NotifyCnp(NanoSeconds(25000)); // Without a step, the target remains 100 Gb/s.
    ExpectDcqcnRule(dcqcn, 25000, 37.5e9);
    ExpectDcqcnRule(dcqcn, 125000, 68.75e9); // (37.5 + 100) / 2
    // The target is now 68.75 Gb/s. Alpha rose to 3/4 at 30 us and has been halved ten times since.
    dcqcn->NotifyCnp(NanoSeconds(130000));
    const double cut = 68.75e9 * (1 - 0.75 / 2048);
    ExpectDcqcnRule(dcqcn, 130000, cut);
    ExpectDcqcnRule(dcqcn, 230000, (cut + 68.75e9) / 2);
}

LOSSLESS_TEST(g_suite, "DCQCN follows its rule: defaults")
{
    auto dcqcn = MakeStarted("ns3::lossless::Dcqcn");
    dcqcn->NotifyCnp(NanoSeconds(0));
    ExpectDcqcnRule(dcqcn, 0, 50e9);
    ExpectDcqcnRule(dcqcn, 299999, 50e9);
    ExpectDcqcnRule(dcqcn, 300000, 75e9);
    // After 399 us without a notification, alpha is (255/256)^399 = 0.20981. The rate becomes
    // 75 Gb/s x (1 - 0.10490).
    dcqcn->NotifyCnp(NanoSeconds(400000));
    ExpectRate(dcqcn, 400000, 67.132e9, "alpha decays each microsecond", 1e6);
    for (int64_t i = 0; i < 1000; ++i)
    {
        dcqcn->NotifyCnp(NanoSeconds(400000 + 4000 * i));
    }
    ExpectDcqcnRule(dcqcn, 400000 + 4000 * 999, 100e6); // minimum rate
}

/// Notifications continue at the spacing that CnpInterval allows. Alpha stays 1, but only one
/// notification per RateCutInterval cuts the rate.
LOSSLESS_TEST(g_suite, "DCQCN follows its rule: cut interval")
{
    auto dcqcn = MakeStarted("ns3::lossless::Dcqcn");
    for (int64_t us = 0; us < 10; ++us)
    {
        dcqcn->NotifyCnp(MicroSeconds(us));
        ExpectDcqcnRule(dcqcn, 1000 * us, us < 4 ? 50e9 : us < 8 ? 25e9 : 12.5e9);
    }
}

LOSSLESS_TEST(g_suite, "DCQCN follows its rule")
{
    auto dcqcn = MakeStarted(std::string(SETTINGS) + "|ByteCounter=3000]");
    dcqcn->NotifySent(5000, NanoSeconds(0)); // Bytes sent before a notification are not counted.
    dcqcn->NotifyCnp(NanoSeconds(0));
    dcqcn->NotifySent(1500, NanoSeconds(10));
    ExpectDcqcnRule(dcqcn, 10, 50e9);
    dcqcn->NotifySent(1500, NanoSeconds(20));
    ExpectDcqcnRule(dcqcn, 20, 75e9); // byte counter: fast recovery
    dcqcn->NotifySent(3000, NanoSeconds(30));
    ExpectDcqcnRule(dcqcn, 30, 87.5e9); // second step of fast recovery
    // After FastRecoverySteps steps of one counter, the increase is additive. Here, the rate is
    // capped at the line rate.
    dcqcn->NotifySent(3000, NanoSeconds(40));
    ExpectDcqcnRule(dcqcn, 40, 93.75e9);
    // A notification resets all counters. The target becomes 93.75 Gb/s, and the next step is fast
    // recovery.
    dcqcn->NotifySent(2000, NanoSeconds(45));
    dcqcn->NotifyCnp(NanoSeconds(50));
    ExpectDcqcnRule(dcqcn, 50, 46.875e9);
    dcqcn->NotifySent(2999, NanoSeconds(60));
    ExpectDcqcnRule(dcqcn, 60, 46.875e9);
    dcqcn->NotifySent(1, NanoSeconds(70));
    ExpectDcqcnRule(dcqcn, 70, 70.3125e9);
    // Bytes that exceed the counter's period count towards the next step, which gives (70.3125 +
    // 93.75) / 2 after 3500 B.
    dcqcn->NotifySent(3500, NanoSeconds(80));
    ExpectDcqcnRule(dcqcn, 80, 82.03125e9);
    dcqcn->NotifySent(2499, NanoSeconds(90));
    ExpectDcqcnRule(dcqcn, 90, 82.03125e9);
    // The third step of the counter is additive and gives (82.03125 + 94.75) / 2.
    dcqcn->NotifySent(1, NanoSeconds(100));
    ExpectDcqcnRule(dcqcn, 100, 88.390625e9);
    // A packet with twice the bytes of the counter's period causes two steps, which give
    // (50 + 100) / 2 and (75 + 100) / 2.
    auto fine = MakeStarted(std::string(SETTINGS) + "|ByteCounter=500]");
    fine->NotifyCnp(NanoSeconds(0));
    fine->NotifySent(1000, NanoSeconds(10));
    ExpectDcqcnRule(fine, 10, 87.5e9);
    // Hyper increase requires both counters. After three steps of the timer, the rate is
    // 48.9375 Gb/s with a target of 51 Gb/s. The fourth step is additive and gives
    // (48.9375 + 52) / 2.
    auto timed = MakeStarted(std::string(SETTINGS) + "|ClampTarget=true|ByteCounter=3000]");
    timed->NotifyCnp(NanoSeconds(0));
    timed->NotifyCnp(NanoSeconds(25000));
    ExpectDcqcnRule(timed, 325000, 48.9375e9);
    ExpectDcqcnRule(timed, 425000, 50.46875e9);
}

LOSSLESS_TEST(g_suite, "DCTCP follows its rule")
{
    Ptr<CongestionControl> dctcp;
    uint64_t acknowledged = 0;
    const auto lose = [&](uint64_t sent) { dctcp->NotifyLoss({1000, 0, sent}, Time(0)); };
    const auto ack = [&](uint64_t bytes, uint64_t sent, bool isMarked) {
        acknowledged += bytes;
        AckSignals signals;
        signals.newBytes = bytes;
        signals.acknowledged = acknowledged;
        signals.sent = sent;
        signals.isMarked = isMarked;
        dctcp->NotifyAck(signals, Time(0));
    };
    const auto expect = [&](double rate, const std::string& why) {
        ExpectRate(dctcp, 0, rate, why);
    };
    dctcp = MakeStarted("ns3::lossless::Dctcp[AdditiveStep=1Gbps|BaseRtt=8us]");
    expect(LINE, "starts at the line rate");
    NS_TEST_EXPECT_MSG_EQ(dctcp->GetWindow(), 100000, "100 Gb/s x 8 us");
    // The first round trip begins with one step, but the rate is already the line rate.
    ack(1000, 10000, false);
    expect(LINE, "capped");
    ack(1000, 10000, true); // 2000 of 10000 B are acknowledged; alpha is 1
    expect(50e9, "cut by alpha / 2");
    NS_TEST_EXPECT_MSG_EQ(dctcp->GetWindow(), 50000, "50 Gb/s x 8 us");
    ack(7000, 12000, true);
    ack(1000, 13000, false); // the 10000 B in flight at the cut have been acknowledged
    expect(50e9, "one cut per round trip");
    // The round trip is over, and 8000 of 10000 B were marked, so alpha = 15/16 + 0.8/16 = 0.9875.
    ack(1000, 15000, false);
    expect(51e9, "one step");
    ack(1000, 16000, true); // 12000 B are acknowledged
    expect(51e9 * (1 - 0.9875 / 2), "cut by alpha / 2");
    lose(16000);
    expect(51e9 * (1 - 0.9875 / 2), "a cut is under way");
    // At 17000 B, the round trip that ends at 15000 B and the cut that lasts until 16000 B are
    // over; 1000 of 6000 B were marked.
    ack(5000, 20000, false);
    const double before = 51e9 * (1 - 0.9875 / 2) + 1e9;
    expect(before, "one step");
    dctcp->NotifyLoss({1000, 0, 20000, false}, Time(0));
    expect(before, "another loss of the same round");
    lose(20000);
    expect(before / 2, "a loss halves");
    // Alpha becomes 0.9875 x 15/16 + (1/6)/16 = 0.936198. The next round trip ends at 21000 B, with
    // the first acknowledgement beyond 20000 B. Only the last 1000 of its 4000 B are marked, so
    // alpha becomes 0.936198 x 15/16 + 0.25/16 = 0.893311.
    ack(3000, 20000, false);
    ack(1000, 30000, true);
    expect(before / 2 * (1 - 0.89331055 / 2), "alpha is updated before the cut");
    // If all packets are marked, the rate falls to its minimum, and the window shrinks accordingly.
    for (uint32_t i = 0; i < 100; ++i)
    {
        ack(20000, acknowledged + 30000, true);
    }
    expect(100e6, "MinRate");
    NS_TEST_EXPECT_MSG_EQ(dctcp->GetWindow(), 100, "100 Mb/s x 8 us");
    auto unlimited = MakeStarted("ns3::lossless::Dctcp[BaseRtt=0us]");
    NS_TEST_EXPECT_MSG_EQ(unlimited->GetWindow(), 0, "no window");
    // 10000 B are lost before anything is acknowledged. The cut ends when more than these 10000 B
    // have been acknowledged.
    dctcp = MakeStarted("ns3::lossless::Dctcp[AdditiveStep=1Gbps|BaseRtt=8us]");
    acknowledged = 0;
    lose(10000);
    expect(50e9, "a loss halves");
    ack(1000, 10000, true);
    expect(50e9, "of the same round");
    ack(9000, 12000, true);
    expect(50e9, "its last packet");
    ack(1000, 12000, true);
    expect(25e9, "the next round");
}

/// At 3 Gb/s, after a round trip of 120 us, three packets share an answer with a round trip of
/// 40 us. Interpolation gives 93 and 67 us for the first two packets; at these round trips, the
/// rate rises as it does at 40 us.
/// @param inFlight the number of bytes in flight
/// @param steps the expected number of steps, at most one per packet beyond those in flight and at
/// most one per 40 us
void
ExpectSharedAnswer(int64_t us, uint64_t inFlight, int steps)
{
    const auto timely = MakeStarted("ns3::lossless::Timely", "10Gbps");
    const auto answer = [timely](uint64_t bytes, uint64_t onItsWay, int64_t rtt, int64_t at) {
        AckSignals signals;
        signals.acknowledged = bytes;
        signals.sent = bytes + onItsWay;
        signals.roundTrip = MicroSeconds(rtt);
        timely->NotifyAck(signals, MicroSeconds(at));
    };
    answer(1000, 0, 100, 0);
    answer(2000, 0, 120, 120);
    answer(5000, inFlight, 40, 120 + us);
    ExpectRate(timely, 0, 3e9 + steps * 10e6, std::to_string(steps) + " steps");
}

/// Follows TIMELY's rule step by step.
/// @param lowCounts true if increases at round-trip times below LowThreshold count towards hyper
/// increase
void
CheckTimely(bool lowCounts)
{
    const auto timely = MakeStarted(std::string("ns3::lossless::Timely[LowCounts=") +
                                        (lowCounts ? "true]" : "false]"),
                                    "10Gbps");
    uint64_t acknowledged = 0;
    const auto expect = [&](int64_t us, double rate) { // after one round trip
        acknowledged += 1000;
        AckSignals signals;
        signals.acknowledged = acknowledged;
        signals.sent = acknowledged + 999;
        signals.roundTrip = MicroSeconds(us);
        timely->NotifyAck(signals, Time(0));
        ExpectRate(timely, 0, rate, "after a round trip of " + std::to_string(us) + " us");
    };
    expect(100, 10e9); // the first sample has no predecessor
    // An increase of the round trip by 20 us gives a smoothed difference of 17.5 us and a gradient
    // of 0.875, so the rate is multiplied by 1 - 0.8 x 0.875 = 0.3.
    expect(120, 3e9);
    // A decrease of the round trip by 10 us gives a smoothed difference of 0.125 x 17.5 - 8.75 < 0,
    // so the rate rises by 10 Mb/s.
    expect(110, 3.01e9);
    // Within the same round trip, and without a sample, the rate does not change.
    AckSignals signals;
    signals.acknowledged = acknowledged;
    signals.sent = acknowledged + 10;
    signals.roundTrip = MicroSeconds(900);
    timely->NotifyAck(signals, Time(0));
    signals.acknowledged += 5;
    signals.roundTrip.reset();
    timely->NotifyAck(signals, Time(0));
    expect(40, 3.02e9);    // below 50 us
    expect(1000, 1.812e9); // above 500 us: 1 - 0.8 x (1 - 0.5) = 0.6
    for (int i = 1; i <= 5; ++i)
    {
        expect(49, 1.812e9 + i * 10e6);
    }
    // The sixth increase in a row is a hyper step, if those below 50 us count.
    expect(49, 1.862e9 + (lowCounts ? 50e6 : 10e6));
    // A steep rise makes the factor negative, so the rate becomes the minimum.
    expect(400, 100e6);
    // While the round-trip time falls from 480 us, there are four increases due to the gradient and
    // one because the round-trip time is below 50 us. Then the round-trip time is 50 us, and the
    // smoothed difference is still negative.
    expect(480, 100e6);
    for (int i = 1; i <= 4; ++i)
    {
        expect(480 - 80 * i, 100e6 + i * 10e6);
    }
    expect(49, 150e6);
    expect(50, 150e6 + (lowCounts ? 50e6 : 10e6));
    ExpectSharedAnswer(80, 0, 3);
    ExpectSharedAnswer(40, 0, 2);
    ExpectSharedAnswer(80, 2000, 1);
}

/// At 10 Gb/s, the 8656 bits of a packet take 865.6 ns.
constexpr const char* TENTH = "ns3::lossless::tests::Probe[Rate=10Gbps]";

/// While packets wait because of their rates, an event is scheduled only for the first of them.
LOSSLESS_TEST(g_suite, "Packets leave when their rate lets them: one event")
{
    std::array<uint64_t, 2> events;
    for (uint32_t i = 0; i < 2; ++i)
    {
        TwoHosts hosts(TENTH);
        hosts.Start(0, 10 + 10 * i);
        hosts.Start(1, 10 + 10 * i, 1);
        Simulator::Run();
        events[i] = Simulator::GetEventCount();
    }
    // Every 865.6 ns, each host schedules and sends a packet, which arrives and is acknowledged.
    // Sending an ACK while the next packet is already scheduled does not add an event.
    NS_TEST_EXPECT_MSG_EQ(events[1] - events[0], 10 * 6, "events of ten rounds");
}

LOSSLESS_TEST(g_suite, "A timeout while a packet waits for its rate lets nothing leave early")
{
    TwoHosts hosts("ns3::lossless::tests::Probe[Rate=100Mbps]", {{"RetransmitTimeout", "50us"}});
    LoseFrames(*hosts.m_devices[1], {0});
    hosts.Start(0, 2);
    Simulator::Run();
    // The first packet is lost. It is due again 86.56 us later, and the second packet after twice
    // that time.
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0), "0 86560 173120 ", "the rate holds");
}

LOSSLESS_TEST(g_suite, "Packets at the line rate earn no right to a burst when the rate falls")
{
    TwoHosts hosts("ns3::lossless::tests::Probe");
    hosts.Start(0, 6);
    Probe* probe = Probe::s_latest;
    Simulator::Schedule(NanoSeconds(200), [probe]() { probe->m_rate = DataRate("10Gbps"); });
    Simulator::Run();
    // The packet that leaves at 173 ns was due at 173 ns. The next packet, at 259 ns, is scheduled
    // relative to that time.
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0), "0 86 173 259 1039 1904 ", "173 + n x 865.6");
}

LOSSLESS_TEST(g_suite, "Packets leave when their rate lets them: a link that is slow at the start")
{
    TwoHosts hosts("ns3::lossless::tests::Probe");
    for (const auto& device : hosts.m_devices)
    {
        device->SetAttribute("DataRate", DataRateValue(DataRate("8Gbps")));
        for (const auto& [at, rate] : {std::pair(1, "2Gbps"), std::pair(10000, "8Gbps")})
        {
            Simulator::Schedule(NanoSeconds(at),
                                &LosslessNetDevice::ChangeRate,
                                device,
                                DataRate(rate));
        }
    }
    Simulator::Schedule(NanoSeconds(1000), &TwoHosts::Start, &hosts, 0, 7, 0);
    DataRate told;
    Simulator::Schedule(NanoSeconds(1001), [&told]() { told = Probe::s_latest->m_rate; });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(told, DataRate("8Gbps"), "the rate that the link is made for");
    // At 2 Gb/s, each byte takes 4 ns and 1082 B take 4328 ns. The third packet, which is on the
    // wire when the link recovers, ends at 1000 + 3 x 4328 = 13984 ns. Then each byte takes 1 ns.
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0),
                          "1000 5328 9656 13984 15066 16148 17230 ",
                          "the wire paces, at either rate");
}

LOSSLESS_TEST(g_suite, "A flow that is due before all that wait")
{
    TwoHosts hosts("ns3::lossless::tests::Probe[Rate=1Gbps]");
    hosts.Start(0, 2);
    Simulator::Schedule(NanoSeconds(500), [&hosts]() {
        hosts.m_nics[0]->SetAttribute("CongestionControl", StringValue(TENTH));
        hosts.Start(1, 3);
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0), "0 8656 ", "slow");
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(1), "500 1366 2231 ", "500 + n x 865.6");
}

LOSSLESS_TEST(g_suite, "Traces tell of each change of a flow's rate and window")
{
    TwoHosts hosts("ns3::lossless::tests::Probe[Rate=10Gbps|Window=3000|LaterWindow=5000]");
    std::ostringstream rates;
    std::ostringstream windows;
    ListenTo(*hosts.m_nics[0], "FlowRate", [&rates](uint64_t flow, DataRate rate) {
        rates << Simulator::Now().GetNanoSeconds() << " " << flow << " " << rate.GetBitRate()
              << "; ";
    });
    ListenTo(*hosts.m_nics[0], "FlowWindow", [&windows](uint64_t flow, uint64_t bytes) {
        windows << flow << " " << bytes << "; ";
    });
    hosts.Start(7, 3);
    Probe* probe = Probe::s_latest;
    Simulator::Schedule(NanoSeconds(400), [probe]() { probe->m_rate = DataRate("20Gbps"); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(7), "0 866 1298 ", "as without them");
    NS_TEST_EXPECT_MSG_EQ(rates.str(), "0 7 10000000000; 866 7 20000000000; ", "when it is asked");
    NS_TEST_EXPECT_MSG_EQ(windows.str(), "7 3000; 7 5000; ", "of each change one");
}

LOSSLESS_TEST(g_suite, "A flow at the line rate leaves room for one that is due")
{
    TwoHosts hosts(TENTH);
    hosts.Start(0, 3);
    hosts.m_nics[0]->SetAttribute("CongestionControl", StringValue("ns3::lossless::tests::Probe"));
    hosts.Start(1, 40);
    Simulator::Run();
    // The second packet of flow 0 is due at 866 ns but joins the round-robin order at 952 ns, when
    // flow 1 is served. The same happens to the third packet, which is due at 1731 ns.
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0), "0 1038 1817 ", "behind the other one");
}

LOSSLESS_TEST(g_suite, "Fractions of a nanosecond add up")
{
    TwoHosts hosts(TENTH);
    hosts.Start(0, 6);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0), "0 866 1731 2597 3462 4328 ", "n x 865.6 ns");
    NS_TEST_EXPECT_MSG_EQ(Probe::s_sent.size(), 6, "told of each packet");
    NS_TEST_EXPECT_MSG_EQ(Probe::s_sent[0], 1058, "of its frame");
}

LOSSLESS_TEST(g_suite, "A busy wire delays a packet, not those behind it")
{
    TwoHosts hosts(TENTH);
    hosts.Start(0, 3);
    hosts.Start(1, 3);
    Simulator::Schedule(NanoSeconds(500), &TwoHosts::Start, &hosts, 2, 2, 0);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0), "0 866 1731 ", "its own pace");
    // Each packet of flow 1 leaves 86.56 ns after that of flow 0, although both are due at the same
    // time.
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(1), "86 952 1817 ", "behind the other");
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(2), "500 1366 ", "from its own start on");
}

LOSSLESS_TEST(g_suite, "After a pause of any length, at most two packets go together")
{
    TwoHosts hosts(TENTH);
    hosts.Start(0, 6);
    Simulator::Schedule(NanoSeconds(1000), &ManualGate::Set, hosts.m_gates[0], PrioritySet{0});
    Simulator::Schedule(NanoSeconds(5000), &ManualGate::Set, hosts.m_gates[0], ALL_PRIORITIES);
    Simulator::Run();
    // The third packet is due at 1731.2 ns and sent at 5000 ns. The next packet is due at once, and
    // the others follow every 865.6 ns.
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0), "0 866 5000 5086 5866 6731 ", "a late start");
}

LOSSLESS_TEST(g_suite, "A rate holds from the next packet on")
{
    TwoHosts hosts(TENTH);
    hosts.Start(0, 5);
    Probe* probe = Probe::s_latest;
    Simulator::Schedule(NanoSeconds(100), [probe]() { probe->m_rate = DataRate("20Gbps"); });
    Simulator::Schedule(NanoSeconds(1200), [probe]() { probe->m_rate = DataRate("100Gbps"); });
    Simulator::Run();
    // The second packet starts at 865.6 ns and the third one 432.8 ns later, at 1298.4 ns. Then the
    // line rate applies, with 86.56 ns between packets.
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0), "0 866 1298 1384 1471 ", "new rates");
}

/// At the line rate, times and events are the same as without congestion control.
LOSSLESS_TEST(g_suite, "Packets leave when their rate lets them: line rate")
{
    std::array<std::string, 2> starts;
    std::array<uint64_t, 2> events;
    for (uint32_t i = 0; i < 2; ++i)
    {
        TwoHosts hosts(i == 0 ? "ns3::lossless::NoCongestionControl"
                              : "ns3::lossless::tests::Probe");
        hosts.Start(0, 50);
        hosts.Start(1, 70);
        Simulator::Run();
        starts[i] = hosts.GetStarts(0) + hosts.GetStarts(1);
        events[i] = Simulator::GetEventCount();
    }
    NS_TEST_EXPECT_MSG_EQ(starts[0], starts[1], "same instants");
    NS_TEST_EXPECT_MSG_EQ(events[0], events[1], "same number of events");
}

LOSSLESS_TEST(g_suite, "A NIC that is disposed of awaits nothing any more")
{
    TwoHosts hosts("ns3::lossless::tests::Probe[Rate=100Mbps]", {{"RetransmitTimeout", "10us"}});
    hosts.m_gates[1]->Set(0); // The receiver cannot send acknowledgements.
    hosts.Start(0, 2);
    Simulator::Schedule(NanoSeconds(500), [&hosts]() {
        hosts.m_nics[0]->SetAttribute("CongestionControl", StringValue(TENTH));
        hosts.Start(1, 2);
    });
    Simulator::Schedule(NanoSeconds(1000), &RoceNic::Dispose, hosts.m_nics[0]);
    Simulator::Run();
    // The second packets were due at 1366 ns and, before the change of rate, at 86.56 us. An event
    // at such a time would access a disposed NIC.
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0) + hosts.GetStarts(1), "0 500 ", "no more");
}

LOSSLESS_TEST(g_suite, "Nothing but the timeout check, which is due before, outlives the flows")
{
    TwoHosts hosts("ns3::lossless::tests::Probe[Rate=100Mbps]", {{"RetransmitTimeout", "1us"}});
    hosts.Start(0, 1);
    Simulator::Run();
    // The packet arrives after 1086 ns and its ACK after 2092 ns. A timeout occurs first, at
    // 1000 ns, but the retransmission waits because of the rate, and the ACK makes it unnecessary.
    NS_TEST_EXPECT_MSG_LT(Simulator::Now().GetNanoSeconds(), 90000, "one gap of 86.56 us");
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0), "0 ", "the ACK came before the rate allowed");
}

void
ExpectControlWindow(const std::string& control,
                    const std::string& window,
                    const std::string& interval,
                    const std::string& starts)
{
    TwoHosts hosts("ns3::lossless::tests::" + control,
                   {{"Window", window}, {"AckInterval", interval}});
    hosts.Start(0, 4);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0), starts, control << ", window " << window);
}

LOSSLESS_TEST(g_suite, "The tighter window holds")
{
    // Two packets leave at 0 and 86 ns, and their ACKs arrive at 86 + 2006 and 173 + 2006 ns.
    ExpectControlWindow("Probe[Window=2000]", "0", "1", "0 86 2092 2179 ");
    ExpectControlWindow("Probe[Window=2000]", "3000", "1", "0 86 2092 2179 ");
    ExpectControlWindow("Probe[Window=3000]", "2000", "1", "0 86 2092 2179 ");
    ExpectControlWindow("Probe", "2000", "1", "0 86 2092 2179 ");
    // The packet that fills the window requests an acknowledgement, regardless of the receiver's
    // interval.
    ExpectControlWindow("Probe[Window=2000]", "0", "7", "0 86 2179 2265 ");
    // A window smaller than a packet admits one packet.
    ExpectControlWindow("Probe[Window=1]", "0", "1", "0 2092 4184 6276 ");
    // The window shrinks from three packets to one. The first ACK, at 2092 ns, leaves two packets
    // in flight, and the next packet waits for the ACK of the third one, at 2092 + 2 x 86.56
    // = 2265 ns.
    ExpectControlWindow("Probe[Window=3000|LaterWindow=1000]", "0", "1", "0 86 173 2265 ");
    // The window shrinks while the fourth packet waits because of its rate, until 2597 ns. The
    // fourth packet therefore leaves only when the third packet, sent at 1731 ns, is acknowledged
    // 2092 ns later.
    ExpectControlWindow("Probe[Rate=10Gbps|Window=4000|LaterWindow=1000]",
                        "0",
                        "1",
                        "0 866 1731 3823 ");
    // Three packets are lost, and the window shrinks when a timeout detects the loss.
    TwoHosts hosts("ns3::lossless::tests::Probe[Window=3000|LaterWindow=1000]",
                   {{"RetransmitTimeout", "10us"}});
    LoseFrames(*hosts.m_devices[1], {0, 1, 2});
    hosts.Start(0, 4);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0),
                          "0 86 173 10000 12092 14184 16276 ",
                          "one at a time after the loss");
}

/// The window shrinks while the receiver waits for more packets before it sends an acknowledgement.
LOSSLESS_TEST(g_suite, "A shrinking window does not wait for a timeout")
{
    for (const std::string later : {"1", "1000", "5000", "20000"})
    {
        TwoHosts hosts("ns3::lossless::tests::Probe[Window=60000|LaterWindow=" + later + "]",
                       {{"AckInterval", "7"}}); // 31 packets leave before the first ACK.
        hosts.Start(0, 500);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().timeouts, 0, "window " << later);
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().bytesReceived, 500000, "all of it");
    }
}

/// @param interval the number of packets that share an acknowledgement
/// @param losses the expected times of the reported losses, in ns
/// @param starts the expected start times of packets, in ns
void
ExpectSlowSharedAnswer(const std::string& reliability,
                       const std::string& interval,
                       const std::vector<int64_t>& losses,
                       const std::string& starts)
{
    TwoHosts hosts("ns3::lossless::tests::Probe[Rate=100Mbps]",
                   {{"AckInterval", interval}, {"Reliability", "ns3::lossless::" + reliability}});
    hosts.Start(0, 6);
    Simulator::Run();
    const std::string name = reliability + ", interval " + interval;
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0), starts, name);
    NS_TEST_EXPECT_MSG_EQ((Probe::s_losses == losses), true, name << ": losses told");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().duplicates, losses.size(), name);
}

/// The receiver of a slow flow acknowledges several packets with one ACK.
LOSSLESS_TEST(g_suite, "Answers that take longer than RtoLow to come due cost a timeout each")
{
    // The 8656 bits of a packet take 86.56 us at 100 Mb/s, and RtoLow is 100 us. Two packets are
    // acknowledged 86.56 + 2.09 us after the first one has left.
    ExpectSlowSharedAnswer("SelectiveRepeat", "2", {}, "0 86560 173120 259680 346240 432800 ");
    // With three packets per acknowledgement, packet 0 times out at 100000 ns and is sent again at
    // 173120 ns. It is a duplicate and is therefore acknowledged at once. The same applies to
    // packet 2, which leaves at 259680 ns and times out at 359680 ns. Packet 5 requests an
    // acknowledgement because it is the last one.
    ExpectSlowSharedAnswer("SelectiveRepeat",
                           "3",
                           {100000, 359680},
                           "0 86560 173120 259680 346240 432800 519360 605920 ");
    // With Unordered, a packet is 16 B longer and takes 87.84 us.
    ExpectSlowSharedAnswer("Unordered", "2", {}, "0 87840 175680 263520 351360 439200 ");
    ExpectSlowSharedAnswer("Unordered",
                           "3",
                           {100000, 363520},
                           "0 87840 175680 263520 351360 439200 527040 614880 ");
}

/// Checks the report of the only loss.
void
ExpectLoss(uint64_t bytes, uint64_t inFlight, uint64_t sent, const std::string& what)
{
    const LossSignals& loss = Probe::s_lost.at(0);
    NS_TEST_EXPECT_MSG_EQ(loss.bytes, bytes, what << ": lost");
    NS_TEST_EXPECT_MSG_EQ(loss.inFlight, inFlight, what << ": on their way");
    NS_TEST_EXPECT_MSG_EQ(loss.sent, sent, what << ": sent");
    NS_TEST_EXPECT_MSG_EQ(loss.isFirst, true, what << ": first");
}

LOSSLESS_TEST(g_suite, "A packet in the middle is lost")
{
    TwoHosts hosts("ns3::lossless::tests::Probe");
    LoseFrames(*hosts.m_devices[1], {3});
    hosts.Start(0, 6);
    Simulator::Run();
    // Packet 3 is lost, so there are ACKs of 0, 1 and 2, a NAK after packet 4 that requests 3, and
    // ACKs of the retransmitted 3, 4 and 5. The last ACKs do not give round-trip times, because
    // they could belong to the original packets if packet 3 had been late rather than lost.
    NS_TEST_ASSERT_MSG_EQ(Probe::s_acks.size(), 7, "three ACKs, a NAK, three ACKs");
    for (uint32_t i = 0; i < 7; ++i)
    {
        const AckSignals& ack = Probe::s_acks[i];
        const bool isNak = i == 3;
        const uint64_t acknowledged = i < 3 ? i + 1 : i;
        NS_TEST_EXPECT_MSG_EQ(ack.newBytes, (isNak ? 0 : 1000), "new at " << i);
        NS_TEST_EXPECT_MSG_EQ(ack.acknowledged, acknowledged * 1000, "sum at " << i);
        NS_TEST_EXPECT_MSG_EQ(ack.roundTrip.has_value(), (i < 3), "timed at " << i);
        NS_TEST_EXPECT_MSG_EQ(ack.isMarked, false, "no switch");
        NS_TEST_EXPECT_MSG_EQ(ack.sent, 6000, "sent at " << i);
    }
    // A packet takes 86.56 ns and 1 us forward, and its ACK takes 6.88 ns and 1 us back, rounded
    // down on each wire.
    for (uint32_t i : {0, 1, 2})
    {
        const int64_t ns = Probe::s_acks[i].roundTrip->GetNanoSeconds();
        NS_TEST_EXPECT_MSG_EQ((ns == 2092 || ns == 2093), true, "round trip of " << i);
    }
    NS_TEST_ASSERT_MSG_EQ(Probe::s_losses.size(), 1, "one go-back");
    ExpectLoss(1000, 0, 6000, "what has left is sent again");
    // Packet 4 arrives at floor(5 x 86.56) + 1000 ns, and the NAK takes 1006 ns.
    NS_TEST_EXPECT_MSG_EQ(Probe::s_losses[0], 432 + 1000 + 1006, "when the NAK comes");
}

LOSSLESS_TEST(g_suite, "Three packets in a row are lost, which is one loss to the control")
{
    // Go-back-N detects the loss of one packet and retransmits all packets, while selective repeat
    // detects all three losses. Four packets are in flight.
    for (const auto& [way, nakTime, bytes, inFlight] :
         {std::tuple("GoBackN", 6, 1000, 0), std::tuple("SelectiveRepeat", 7, 3000, 4000)})
    {
        TwoHosts hosts("ns3::lossless::tests::Probe",
                       {{"Reliability", "ns3::lossless::" + std::string(way)}});
        LoseFrames(*hosts.m_devices[1], {2, 3, 4});
        hosts.Start(0, 10);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(Probe::s_losses.size(), 1, way << ": told once");
        // Packet 5 arrives at floor(6 x 86.56) + 1000 ns. A NAK takes 6.88 ns, or 7.84 ns with a
        // bitmap of 12 B.
        NS_TEST_EXPECT_MSG_EQ(Probe::s_losses[0], 519 + 1000 + nakTime + 1000, way);
        ExpectLoss(bytes, inFlight, 10000, way);
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().bytesReceived, 10000, way);
    }
}

LOSSLESS_TEST(g_suite,
              "Round trips and losses are told: the only packet is lost, which a timeout tells")
{
    TwoHosts hosts("ns3::lossless::tests::Probe", {{"RetransmitTimeout", "10us"}});
    LoseFrames(*hosts.m_devices[1], {0});
    hosts.Start(0, 1);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(Probe::s_losses.size(), 1, "one timeout");
    NS_TEST_EXPECT_MSG_EQ(Probe::s_losses[0], 10000, "after 10 us");
    ExpectLoss(1000, 0, 1000, "all that was under way");
    NS_TEST_EXPECT_MSG_EQ(hosts.GetStarts(0), "0 10000 ", "sent again");
    NS_TEST_ASSERT_MSG_EQ(Probe::s_acks.size(), 1, "one ACK");
    NS_TEST_EXPECT_MSG_EQ(Probe::s_acks[0].roundTrip.has_value(), false, "of which sending?");
}

/// Passes data packets of alternating flows from one NIC to the other and returns the answers.
std::string
Carry(TwoHosts& hosts, const std::vector<int64_t>& times, const std::vector<bool>& marks)
{
    hosts.m_gates[0]->Set(0);
    hosts.m_gates[1]->Set(0);
    hosts.Start(0, 20);
    hosts.Start(1, 20);
    std::ostringstream answers;
    // Passes one data packet to the receiver and all answers back.
    const auto carry = [&](bool isMarked) {
        Frame frame = hosts.m_nics[0]->Dequeue(Permit());
        if (isMarked)
        {
            MarkCongestionExperienced(frame);
        }
        hosts.m_nics[1]->TryReceive(frame);
        while (hosts.m_nics[1]->Prepare(Permit()))
        {
            const Frame answer = hosts.m_nics[1]->Dequeue(Permit());
            const auto header = RoceHeader::Peek(*answer.packet);
            const bool isCnp = header->GetOpcode() == RoceOpcode::CNP;
            answers << (isCnp ? "CNP" : "ACK") << (header->GetBecn() ? " becn " : " ");
            NS_TEST_EXPECT_MSG_EQ(+answer.tos, 56 * 4, "class 7");
            NS_TEST_EXPECT_MSG_EQ((isCnp && header->GetPsn() != 0), false, "a CNP has no number");
            NS_TEST_EXPECT_MSG_EQ(answer.size, (isCnp ? 74 : 62), "14 + 20 + 8 + 12 + 16 + 4 B");
            hosts.m_nics[0]->TryReceive(answer);
        }
    };
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        Simulator::Schedule(NanoSeconds(times[i]),
                            [&carry, isMarked = marks[i]] { carry(isMarked); });
    }
    RunFor(MicroSeconds(50));
    return answers.str();
}

/// Marks cause congestion notifications and are echoed by acknowledgements.
LOSSLESS_TEST(g_suite, "Marks come back as BECN and as CNPs, one per interval")
{
    {
        TwoHosts hosts("ns3::lossless::tests::Probe");
        // Flows 0 and 1 take turns, and each has its own interval of 1 us.
        const std::string expected = "CNP becn ACK becn "  // 0 ns, flow 0
                                     "CNP becn ACK becn "  // 1 ns, flow 1
                                     "ACK becn "           // 2 ns, flow 0: too early
                                     "ACK "                // 3 ns, flow 1: not marked
                                     "ACK becn "           // 999 ns, flow 0: too early
                                     "ACK becn "           // 1000 ns, flow 1: too early by 1 ns
                                     "ACK "                // 1001 ns, flow 0: not marked
                                     "CNP becn ACK becn "; // 1002 ns, flow 1: 1001 ns after its CNP
        NS_TEST_EXPECT_MSG_EQ(Carry(hosts,
                                    {0, 1, 2, 3, 999, 1000, 1001, 1002},
                                    {true, true, true, false, true, true, false, true}),
                              expected,
                              "answers");
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().cnpsSent, 3, "counted");
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().cnpsReceived, 3, "counted");
        NS_TEST_EXPECT_MSG_EQ(Probe::s_cnps.size(), 3, "told");
        NS_TEST_EXPECT_MSG_EQ(Probe::s_acks[2].isMarked, true, "told");
        NS_TEST_EXPECT_MSG_EQ(Probe::s_acks[3].isMarked, false, "told");
    }
    const auto answer = [](const std::string& control,
                           const Attributes& attributes,
                           const std::vector<int64_t>& times,
                           const std::vector<bool>& marks) {
        TwoHosts hosts("ns3::lossless::" + control, attributes);
        return Carry(hosts, times, marks);
    };
    NS_TEST_EXPECT_MSG_EQ(
        answer("tests::Probe", {{"CnpInterval", "0ns"}}, {0, 1, 2}, {true, true, true}),
        "CNP becn ACK becn CNP becn ACK becn CNP becn ACK becn ",
        "no interval");
    // An ACK of several packets reports whether any of them was marked. Packets 0 to 3 of each of
    // the two flows are 2 us apart.
    NS_TEST_EXPECT_MSG_EQ(answer("Dctcp",
                                 {{"AckInterval", "2"}},
                                 {0, 1000, 2000, 3000, 4000, 5000, 6000, 7000},
                                 {true, false, false, false, false, false, false, true}),
                          "ACK becn ACK ACK ACK becn ",
                          "an ACK of two packets");
    // If the congestion control does not use notifications, the receiver does not send any.
    for (const std::string type : {"NoCongestionControl", "Dctcp", "Timely"})
    {
        NS_TEST_EXPECT_MSG_EQ(answer(type, {}, {0}, {true}), "ACK becn ", type);
    }
}

// The markers have their defaults: Kmin = 400 kB, Kmax = 1600 kB and Pmax = 0.2 for RED, and K =
// 200 kB for the step.
constexpr const char* RED = "ns3::lossless::RedMarker";
constexpr const char* STEP = "ns3::lossless::StepMarker";
constexpr const char* NO_MARKER = "ns3::lossless::EcnMarker";

/// The limits on the results of flows that share a bottleneck.
struct Bounds
{
    double utilisation;   ///< minimum utilization of the bottleneck
    uint64_t maxQueue;    ///< maximum queue length, in bytes
    uint64_t minQueue{0}; ///< minimum queue length, in bytes
    double lastShare{0};  ///< minimum rate of the last flow relative to the fair share
    double jain{0.95};    ///< minimum of Jain's fairness index
};

/// Adds a test case that checks that flows share a bottleneck fairly.
void
AddConvergence(const StarRun& run, const Bounds& bounds)
{
    std::ostringstream text;
    text << run.senders << " flows of " << run.control << " share a link of " << run.rate
         << " from " << run.from.As(Time::MS) << " to " << run.until.As(Time::MS);
    g_suite.Add(text.str(), [run, bounds] {
        const StarOutcome outcome = StarRunner(run).Run();
        NS_TEST_EXPECT_MSG_GT(outcome.jain, bounds.jain, "Jain's index");
        NS_TEST_EXPECT_MSG_GT(outcome.utilisation, bounds.utilisation, "utilisation");
        NS_TEST_EXPECT_MSG_LT(outcome.GetMaxQueue(), bounds.maxQueue, "longest queue");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(outcome.GetMinQueue(), bounds.minQueue, "shortest queue");
        NS_TEST_EXPECT_MSG_GT(outcome.lastShare, bounds.lastShare, "share of the last flow");
    });
}

LOSSLESS_TEST(g_suite, "Equal runs are equal, algorithms differ")
{
    // The queue exceeds the thresholds of all algorithms within the first 200 us.
    const auto& choices = GetParts<CongestionControlInfo>();
    std::vector<std::vector<int64_t>> traces;
    for (const CongestionControlInfo& choice : choices)
    {
        StarRun run;
        run.control = choice.type;
        run.marker = "ns3::lossless::RedMarker[MinBytes=50000|MaxBytes=200000]";
        run.senders = 3;
        run.until = MicroSeconds(400);
        traces.push_back(StarRunner(run).Run().departure);
        const std::string difference =
            FirstDifference(StarRunner(run).Run().departure, traces.back());
        NS_TEST_EXPECT_MSG_EQ(difference, "", choice.name << " repeats itself");
    }
    for (std::size_t a = 0; a < choices.size(); ++a)
    {
        for (std::size_t b = 0; b < a; ++b)
        {
            NS_TEST_EXPECT_MSG_EQ((traces[a] == traces[b]),
                                  false,
                                  choices[a].name << " is not " << choices[b].name);
        }
    }
}

/// Each of four hosts sends 30 flows, most of them to the fifth host and the others to each other,
/// with and without loss. All flows end, as does the simulation.
void
CheckCompletion(const std::string& control)
{
    FlowList flows;
    for (uint32_t i = 0; i < 120; ++i)
    {
        const uint32_t destination = i % 3 == 0 ? (i + 1) % 4 : 4;
        const auto priority = static_cast<uint8_t>(i % 5);
        flows.push_back({i, i % 4, destination, priority, 40500, MicroSeconds(i / 12), ""});
    }
    for (const std::string type : {"PfcSwitchNode", "DropTailSwitchNode"})
    {
        SwitchHelper switches("ns3::lossless::" + type);
        switches.SetMarker("ns3::lossless::StepMarker", "Threshold", UintegerValue(30000));
        const ObjectFactory nics = MakeNics(
            {{"CongestionControl", control}, {"RetransmitTimeout", "200us"}, {"AckInterval", "3"}});
        Fabric fabric(Topology::Star({5}), switches, nics);
        fabric.AssignStreams(1);
        fabric.StartFlows(flows);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MilliSeconds(100), type << ": it ends");
        uint64_t bytes = 0;
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            bytes += fabric.GetNic(host)->GetCounts().bytesReceived;
        }
        NS_TEST_EXPECT_MSG_EQ(bytes, 4 * 30 * 40500, type << ": all bytes");
        Simulator::Destroy();
    }
}

std::unique_ptr<Experiment>
ParseExperiment(const std::vector<std::string>& options)
{
    const ChosenSimulator chosen; // the program selects a simulator
    auto experiment = std::make_unique<Experiment>("program.cc", "A test.");
    experiment->OfferCongestionControl();
    ParseArguments(*experiment, options);
    return experiment;
}

std::string
GetText(const Ptr<Object>& object, const std::string& attribute)
{
    TypeId::AttributeInformation info;
    object->GetInstanceTypeId().LookupAttributeByName(attribute, &info);
    const Ptr<AttributeValue> value = info.checker->Create();
    object->GetAttribute(attribute, *value);
    return value->SerializeToString(info.checker);
}

/// NSCC is configured for trimming if the switches trim packets; otherwise, it keeps the program's
/// setting.
void
Trimming()
{
    const auto isTrimming = [](const std::vector<std::string>& options) {
        ParseExperiment(options);
        return GetText(CreateObject<Nscc>(), "Trimming");
    };
    NS_TEST_EXPECT_MSG_EQ(isTrimming({}), "false", "switches drop");
    Config::SetDefault("ns3::lossless::Nscc::Trimming", BooleanValue(true));
    NS_TEST_EXPECT_MSG_EQ(isTrimming({}), "true", "the program knows better");
    Config::Reset();
    std::vector<std::string> options{"--scheme=DropTail", "--overflow=trim"};
    NS_TEST_EXPECT_MSG_EQ(isTrimming(options), "true", "switches trim");
    Config::Reset();
    options.emplace_back("--congestion-control=NSCC");
    options.emplace_back("--ns3::lossless::Nscc::Trimming=false");
    NS_TEST_EXPECT_MSG_EQ(isTrimming(options), "false", "the user knows better");
}

void
ExpectOther(const CongestionConstants::Value& value)
{
    const std::size_t end = value.attribute.rfind("::");
    const TypeId type = TypeId::LookupByName(value.attribute.substr(0, end));
    TypeId::AttributeInformation info;
    const bool isThere = type.LookupAttributeByName(value.attribute.substr(end + 2), &info);
    NS_TEST_ASSERT_MSG_EQ(isThere, true, value.attribute << " exists");
    const auto given = info.checker->CreateValidValue(StringValue(value.value));
    NS_TEST_ASSERT_MSG_NE(given, nullptr, value.attribute << " can be " << value.value);
    NS_TEST_EXPECT_MSG_NE(given->SerializeToString(info.checker),
                          info.originalInitialValue->SerializeToString(info.checker),
                          value.attribute << " is not the default");
}

LOSSLESS_TEST(g_suite, "Published sets of constants")
{
    // Each value of a set is valid and differs from the default.
    for (const CongestionControlInfo& choice : GetParts<CongestionControlInfo>())
    {
        NS_TEST_EXPECT_MSG_EQ(choice.constants.front().values.empty(), true, "the defaults");
        for (const CongestionConstants::Value& value : choice.whereTrimmed)
        {
            ExpectOther(value);
        }
        for (const CongestionConstants& constants : choice.constants)
        {
            for (const CongestionConstants::Value& value : constants.values)
            {
                ExpectOther(value);
            }
        }
    }
    if (IsStatusFailure())
    {
        return; // programs would reject these sets
    }
    // Programs use the constants of a set, except for those that the user sets.
    const auto experiment = ParseExperiment({"--congestion-control=DCQCN",
                                             "--congestion-control-constants=Paper",
                                             "--ns3::lossless::Dcqcn::RateTimer=77us"});
    const auto nic = experiment->MakeNicFactory().Create<RoceNic>();
    NS_TEST_EXPECT_MSG_EQ(GetText(nic, "CnpInterval"), "+50000ns", "of the set");
    ObjectFactoryValue factory;
    nic->GetAttribute("CongestionControl", factory);
    const auto control = factory.Get().Create<Object>();
    NS_TEST_EXPECT_MSG_EQ(GetText(control, "AlphaTimer"), "+55000ns", "of the set");
    NS_TEST_EXPECT_MSG_EQ(GetText(control, "RateTimer"), "+77000ns", "of the user");
    experiment->MakeSwitchHelper().Create()->GetAttribute("Marker", factory);
    const auto marker = factory.Get().Create<Object>();
    NS_TEST_EXPECT_MSG_EQ(GetText(marker, "MaxBytes"), "200000", "of the set");
    Config::Reset();
    Trimming();
}

/// @param warned the option named in the warning, or an empty string if there is none
void
ExpectWarning(const std::string& control,
              const std::string& paths,
              const std::string& warned,
              const std::string& name = "HPCC")
{
    const std::string said = GetAbortMessage([&] {
        ParseExperiment({"--congestion-control=" + control, paths})->Run(NanoSeconds(1));
        std::exit(1);
    });
    const std::string refused = GetAbortMessage([&] {
        const auto run = ParseExperiment({"--congestion-control=" + control, paths});
        run->Require(false, "no");
    });
    NS_TEST_EXPECT_MSG_EQ(refused.find("packets of a flow"), std::string::npos, "one sentence");
    const std::string sentence = "With " + warned +
                                 " packets of a flow take different paths, whose telemetry " +
                                 name + " cannot compare: it hardly ever changes its rate.\n";
    NS_TEST_EXPECT_MSG_EQ(said, (warned.empty() ? "" : sentence), control << " " << paths);
}

LOSSLESS_TEST(g_suite, "Programs warn of telemetry of several paths, which nobody can compare")
{
    ExpectWarning("HPCC", "--path-selection=oblivious", "--path-selection=Oblivious");
    ExpectWarning("powertcp", "--routing=adaptive", "--routing=Adaptive", "PowerTCP");
    ExpectWarning("HPCC", "--path-selection=Flow", "");
    // Flowlet changes the path only occasionally.
    ExpectWarning("HPCC", "--path-selection=Flowlet", "");
    ExpectWarning("HPCC", "--routing=Weighted", "");
    ExpectWarning("DCQCN", "--path-selection=Oblivious", "");
    ExpectWarning("None", "--routing=Adaptive", "");
}

/// A user's congestion control, which always sends at half the rate of the link.
class HalfRate : public CongestionControl
{
  public:
    LOSSLESS_TEST_TYPE(HalfRate, CongestionControl, .AddConstructor<HalfRate>());

    void Start(DataRate lineRate, uint32_t /* payloadBytes */) override
    {
        m_rate = DataRate(lineRate.GetBitRate() / 2);
    }

    DataRate GetRate(Time /* now */) override
    {
        return m_rate;
    }

  private:
    DataRate m_rate; ///< rate of the flow
};

/// A congestion control whose author has forgotten GetTypeId().
class NamelessControl : public Dcqcn
{
};

Time
Send(const std::string& control)
{
    const auto experiment = ParseExperiment({"--congestion-control=" + control});
    Fabric fabric(Topology::Star({2, DataRate("8Gbps"), MicroSeconds(1)}),
                  SwitchHelper(),
                  experiment->MakeNicFactory());
    FlowRecorder recorder;
    WatchHosts(recorder, fabric);
    fabric.StartFlows({{0, 0, 1, 3, 10000, Time(0), ""}});
    fabric.StopWhenFlowsAreDone(MilliSeconds(1));
    Simulator::Run();
    Simulator::Destroy();
    return recorder.GetFlows().at(0).GetCompletionTime();
}

LOSSLESS_TEST(g_suite, "A program's own congestion control is chosen by its name, and acts")
{
    // The test runs in a separate process so that it does not affect other tests. Each byte takes
    // 1 ns.
    const std::string said = GetAbortMessage([] {
        const RegisterCongestionControl<HalfRate> half("Half");
        std::cerr << (Send("half") - Send("None")).GetNanoSeconds();
        std::exit(1);
    });
    const uint32_t wire = RoceNic::GetFrameBytes(1000, 0) + WIRE_OVERHEAD_BYTES;
    NS_TEST_EXPECT_MSG_EQ(said, std::to_string(9 * wire), "nine gaps as long as a packet");
    ExpectStop("\"dcqcn\" is registered twice",
               [] { RegisterCongestionControl<HalfRate> again("dcqcn"); });
    ExpectStop("\"DCQCN\" and \"Nameless\" have the same type, ns3::lossless::Dcqcn",
               [] { RegisterCongestionControl<NamelessControl> nameless("Nameless"); });
}

std::string
GetControl(const ObjectFactory& nics)
{
    ObjectFactoryValue control;
    nics.Create<RoceNic>()->GetAttribute("CongestionControl", control);
    return control.Get().GetTypeId().GetName();
}

LOSSLESS_TEST(g_suite, "Programs choose by name, and run.json tells the choice")
{
    for (const CongestionControlInfo& choice : GetParts<CongestionControlInfo>())
    {
        auto control = ObjectFactory(choice.type).Create<CongestionControl>();
        NS_TEST_EXPECT_MSG_EQ(GetPartName<CongestionControlInfo>(control->GetInstanceTypeId()),
                              choice.name,
                              "its name");
        NS_TEST_EXPECT_MSG_EQ(choice.what.empty(), false, choice.name << " is described");
    }
    for (const std::string name : {"DCQC", ""})
    {
        NS_TEST_EXPECT_MSG_EQ(FindPart<CongestionControlInfo>(name).has_value(), false, name);
    }
    NS_TEST_EXPECT_MSG_EQ(GetPartName<CongestionControlInfo>(Probe::GetTypeId()),
                          "ns3::lossless::tests::Probe",
                          "an algorithm of the user");
    for (const auto& [name, control, marker] :
         {std::tuple("None", "NoCongestionControl", "EcnMarker"),
          {"dcqcn", "Dcqcn", "RedMarker"},
          {"DCTCP", "Dctcp", "StepMarker"},
          {"Timely", "Timely", "EcnMarker"},
          {"HPCC", "Hpcc", "EcnMarker"},
          {"PowerTCP", "PowerTcp", "EcnMarker"}})
    {
        const auto experiment = ParseExperiment({std::string("--congestion-control=") + name});
        const std::string module = "ns3::lossless::";
        NS_TEST_EXPECT_MSG_EQ(GetControl(experiment->MakeNicFactory()), module + control, name);
        ObjectFactoryValue factory;
        experiment->MakeSwitchHelper().Create()->GetAttribute("Marker", factory);
        NS_TEST_EXPECT_MSG_EQ(factory.Get().GetTypeId().GetName(), module + marker, name);
    }
    // "None" does not override what the user has set for all NICs.
    Config::SetDefault("ns3::lossless::RoceNic::CongestionControl",
                       StringValue("ns3::lossless::Timely"));
    NS_TEST_EXPECT_MSG_EQ(
        GetControl(ParseExperiment({"--congestion-control=None"})->MakeNicFactory()),
        "ns3::lossless::Timely",
        "as set");
    Config::Reset();
    const ObjectFactory nics =
        MakeNics({{"CongestionControl", "ns3::lossless::Dcqcn[RateTimer=55us]"}});
    Config::SetDefault("ns3::lossless::Dcqcn::Gain", DoubleValue(0.5));
    const std::string folder = CreateTempDirFilename("run");
    {
        Fabric fabric(Topology::Star(StarOptions()), SwitchHelper(), nics);
        ResultsWriter results(folder);
        results.AddFabric(fabric);
        Simulator::Run();
        results.Finish();
    }
    Simulator::Destroy();
    Config::SetDefault("ns3::lossless::Dcqcn::Gain", DoubleValue(1.0 / 256));
    const std::string json = ReadFile(folder + "/run.json");
    ExpectPart(json, "\"congestion_control\": \"DCQCN\"");
    ExpectPart(json, "ns3::lossless::Dcqcn[RateTimer=");
    ExpectPart(json, "\"Gain\"");
}

/// The suite lossless-congestion-equilibrium tests flows that start together; here, one flow joins
/// the others. The limits apply to the utilization of the link, to the queue and to the share of
/// the flow that has joined, relative to the fair share.
LOSSLESS_TESTS(g_suite)
{
    const auto add = [](const std::string& control,
                        const std::string& marker,
                        uint32_t senders,
                        const std::string& rate,
                        std::array<uint32_t, 3> ms, // start of the last flow; measurement period
                        const Bounds& bounds) {
        const StarRun run{control,
                          marker,
                          senders,
                          rate,
                          MilliSeconds(ms[0]),
                          MilliSeconds(ms[1]),
                          MilliSeconds(ms[2])};
        AddConvergence(run, bounds);
    };
    const std::string timely = "ns3::lossless::Timely[LowCounts=false]";
    // HPCC uses 0.95 of the link, and the queue contains less than one packet per flow.
    add("ns3::lossless::Hpcc", NO_MARKER, 2, "100Gbps", {1, 2, 3}, {0.94, 3301, 0, 0.85});
    // Under PowerTCP, each flow adds beta, which is 0.006 of the bandwidth-delay product (100 Gb/s
    // x 8.3 us), to the queue. Sixteen flows thus add 10 kB, minus the 5 % of the bandwidth-delay
    // product that "Target" leaves free.
    add("ns3::lossless::PowerTcp", NO_MARKER, 16, "100Gbps", {1, 2, 3}, {0.99, 14000, 0, 0.9});
    // Under DCQCN, fast recovery from the first cuts takes 5 x 300 us, and a few more rounds
    // follow. The queue remains within or below the marker's range, 400 to 1600 kB.
    add("ns3::lossless::Dcqcn", RED, 2, "100Gbps", {2, 7, 10}, {0.9, 800000, 0, 0.85});
    add("ns3::lossless::Dcqcn", RED, 16, "100Gbps", {0, 9, 12}, {0.9, 1600000});
    // Under DCTCP, the queue remains within a few packets of the threshold, 200 kB, and never runs
    // empty.
    add("ns3::lossless::Dctcp", STEP, 2, "100Gbps", {1, 2, 3}, {0.99, 210000, 170000, 0.8});
    // TIMELY keeps round trips near 50 us, of which the wires take 8 us. The other 42 us correspond
    // to a queue of about 52 kB.
    add(timely, NO_MARKER, 2, "10Gbps", {5, 15, 25}, {0.9, 75000, 0, 0.85});
    // Hyper increase below 50 us, TIMELY's default, overshoots, so the link is idle after the cuts.
    add("ns3::lossless::Timely", NO_MARKER, 2, "10Gbps", {0, 15, 25}, {0.85, 90000});
    // With many flows and a short round trip, gradients are too noisy to keep the link busy. Cables
    // of 10 us leave 8 of the 50 us for the queue (10 kB), which is sufficient.
    StarRun run{timely, NO_MARKER, 16, "10Gbps", Time(0), MilliSeconds(40), MilliSeconds(60)};
    run.delay = MicroSeconds(10);
    AddConvergence(run, {0.9, 40000});
}

LOSSLESS_TESTS(g_suite)
{
    for (const bool lowCounts : {true, false})
    {
        g_suite.Add("TIMELY follows its rule", [lowCounts] { CheckTimely(lowCounts); });
    }
    for (const CongestionControlInfo& choice : GetParts<CongestionControlInfo>())
    {
        g_suite.Add("Flows complete with " + choice.type,
                    [type = choice.type] { CheckCompletion(type); });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
