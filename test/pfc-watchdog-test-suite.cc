// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/pause-storm.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/run-verdict.h"
#include "ns3/slow-receiver.h"
#include "ns3/watchdog-recorder.h"

// Tests the PFC watchdog. Its states are compared with values computed by hand and with SONiC's
// test plan (sonic-mgmt, docs/PFCWD-test-plan.md and README_PFCWD_Timer_Verification.md), whose
// times are in microseconds here instead of milliseconds. The faulty hosts against which a watchdog
// protects are also tested.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-pfc-watchdog", UNIT);

struct Setting
{
    std::string action{"drop"};           ///< attribute Action
    std::string criterion{"PauseStatus"}; ///< attribute Criterion
    int64_t detect{40};                   ///< detection time, in us
    int64_t restore{30};                  ///< restoration time, in us
    int64_t poll{10};                     ///< poll interval, in us
    bool isPhaseRandom{false};            ///< true if the phase of the polls is random
};

Ptr<PfcWatchdog>
MakeWatchdog(const Setting& setting)
{
    return CreateObjectWithAttributes<PfcWatchdog>("Action",
                                                   StringValue(setting.action),
                                                   "Criterion",
                                                   StringValue(setting.criterion),
                                                   "DetectionTime",
                                                   TimeValue(MicroSeconds(setting.detect)),
                                                   "RestorationTime",
                                                   TimeValue(MicroSeconds(setting.restore)),
                                                   "PollInterval",
                                                   TimeValue(MicroSeconds(setting.poll)),
                                                   "RandomPhase",
                                                   BooleanValue(setting.isPhaseRandom));
}

/// @return a PFC switch with buffer space for 1 MB of a class
Ptr<SwitchNode>
MakeSwitch(const Setting& setting)
{
    auto node = MakeStaticSwitch(1000000, 500000).Create();
    node->AggregateObject(MakeWatchdog(setting));
    return node;
}

constexpr QueueId QUEUE_3{PortId{1}, Priority{3}}; ///< the queue to host 1, class 3

/// Three hosts at a switch; host 1 sends a storm of PAUSEs of class 3.
struct Scene
{
    explicit Scene(const Setting& setting)
        : star(MakeSwitch(setting), 3),
          node(star.m_switch),
          watchdog(node->GetObject<PfcWatchdog>())
    {
        recorder.WatchSwitch("s0", node);
        drops.Watch("s0", node);
    }

    /// Makes host 1 send PAUSEs; times are in us.
    void Storm(int64_t from, int64_t until, int64_t interval, uint16_t quanta)
    {
        auto storm = CreateObject<PauseStorm>();
        storm->SetAttribute("Interval", TimeValue(MicroSeconds(interval)));
        storm->SetAttribute("Quanta", UintegerValue(quanta));
        storm->SetStartTime(MicroSeconds(from));
        storm->SetStopTime(MicroSeconds(until));
        storm->Install(star.GetHost(1).device);
    }

    /// Sends a frame of 1000 B in class 3 every microsecond; times are in us.
    void Send(uint32_t source, uint32_t destination, int64_t from, int64_t until)
    {
        for (int64_t at = from; at < until; ++at)
        {
            star.GetHost(source).Send(destination, 24, 1000, 1, MicroSeconds(at));
        }
    }

    std::size_t Count(uint32_t source, uint32_t destination)
    {
        return star.GetHost(destination).received.Count(GetHostAddress(source));
    }

    /// @param until the simulated time at which to stop, in us
    static void RunUntil(int64_t until)
    {
        RunFor(MicroSeconds(until) - Simulator::Now());
    }

    /// @return all storms, with their times of detection and restoration in us, such as
    /// "60-130 200-"
    std::string GetStorms() const
    {
        std::string text;
        for (const StormRecord& storm : recorder.GetStorms())
        {
            text += (text.empty() ? "" : " ") + std::to_string(storm.detected.GetMicroSeconds()) +
                    "-" + (storm.restored ? std::to_string(storm.restored->GetMicroSeconds()) : "");
        }
        return text;
    }

    Star star;                 ///< the network
    Ptr<SwitchNode> node;      ///< switch of the network
    Ptr<PfcWatchdog> watchdog; ///< watchdog of the switch
    WatchdogRecorder recorder; ///< storms that the watchdog has detected
    DropRecorder drops;        ///< drops of the switch
};

// PAUSEs of 2000 quanta (10.24 us) are sent every 5 us from 12 us onwards and take effect 1.3 us
// later (7 ns on the wire, 1 us of propagation and 307 ns of response time). In a storm that lasts
// until 100 us, the last PAUSE is sent at 97 us, takes effect at 98.3 us and ends at 108.6 us.
constexpr uint16_t SHORT_QUANTA = 2000;

struct Row
{
    std::string sentence; ///< title of the test case
    Setting setting;      ///< settings of the watchdog
    int64_t until;        ///< end of the storm that begins at 12 us, in us
    int64_t interval;     ///< time between the storm's PAUSEs, in us
    std::string storms;   ///< expected storms; see Scene::GetStorms()
};

LOSSLESS_TESTS(g_suite)
{
    // PauseStatus polls at multiples of 10 us. The class is paused at 20 us, but not at 10 us, so
    // the polls at 30, 40, 50 and 60 us count 10 us each, or 40 us in total. The last PAUSE takes
    // effect at 98.3 us, so the interval ending at 100 us is not quiet, while the intervals to 110,
    // 120 and 130 us are. With Standstill, the class is paused for 67 % of the interval ending at
    // 20 us, so the poll at 30 us is also the first one that counts.
    const std::vector<Row> rows = {
        {"a storm is detected and restored", {}, 100, 5, "60-130"},
        {"so it is by the standstill of its queue", {"drop", "Standstill"}, 100, 5, "60-130"},
        {"forwarding has the same times", {"forward"}, 100, 5, "60-130"},
        // The interval ending at 110 us is the first without a PAUSE.
        {"an alert ends with the first interval without a storm", {"alert"}, 100, 5, "60-110"},
        // The last PAUSE is sent at 52 us and is in effect from 53.3 us to 63.6 us. The class is
        // thus still paused at 60 us, and a PAUSE has arrived in the preceding interval.
        {"a storm that is just long enough", {}, 55, 5, "60-90"},
        // The last PAUSE is sent at 47 us and takes effect at 48.3 us, so no PAUSE takes effect in
        // the interval ending at 60 us.
        {"one that ends before", {}, 50, 5, ""},
        // After the poll at 30 us, one tick of DetectionTime still has to elapse.
        {"two looks must agree", {"drop", "PauseStatus", 10, 10, 10}, 100, 5, "40-110"},
        {"one standstill is enough", {"drop", "Standstill", 10, 10, 10}, 100, 5, "30-110"},
        {"intervals are counted with their length",
         {"drop", "PauseStatus", 25, 25, 10},
         100,
         5,
         "50-130"},
        // A PAUSE of 10.24 us every 11 us leaves a gap of 0.76 us before the next one. The PAUSEs
        // take effect at 13.3, 24.3, 35.3, 46.3 and 57.3 us. A gap ends at each of these times
        // except the first. No poll occurs during a gap, and no frame resumes the class.
        {"pauses that run out between looks pass for a storm", {}, 60, 11, "60-90"},
        {"but not for a standstill", {"drop", "Standstill"}, 60, 11, ""},
        // No PFC frame takes effect between the polls at 30 and 40 us, so no storm is detected.
        {"a PAUSE that lasts is none", {}, 13, 5, ""},
    };
    for (const Row& row : rows)
    {
        g_suite.Add(row.sentence, [row] {
            Scene scene(row.setting);
            scene.Storm(12, row.until, row.interval, SHORT_QUANTA);
            scene.star.GetHost(0).Send(1, 24, 1000, 3, MicroSeconds(14)); // these wait
            Scene::RunUntil(400);
            NS_TEST_EXPECT_MSG_EQ(scene.GetStorms(), row.storms, "detected and restored");
        });
    }
}

/// PFC frames that a neighbour sends from 102 us onwards, after a storm that lasts until 100 us.
struct Aftermath
{
    std::string sentence;       ///< title of the test case
    std::vector<PfcHeader> pfc; ///< PFC frames, 3 us apart
    std::string storms;         ///< expected storms of classes 3 and 4; see Scene::GetStorms()
};

/// @param quanta the quanta of classes 3, 4, ...; a class with a negative value is not enabled in
/// the frame
PfcHeader
MakePfc(const std::vector<int>& quanta)
{
    PfcHeader pfc;
    for (uint8_t i = 0; i < quanta.size(); ++i)
    {
        if (quanta[i] >= 0)
        {
            pfc.SetQuanta(Priority{static_cast<uint8_t>(3 + i)}, quanta[i]);
        }
    }
    return pfc;
}

LOSSLESS_TESTS(g_suite)
{
    // The storm lasts until 100 us, as in the first rows of the other table: it is detected at
    // 60 us, and its last PAUSE is in the interval ending at 100 us. The following frames take
    // effect 1.3 us after they are sent, within the interval that begins at 100 us and within each
    // later one. A PAUSE of 2000 quanta lasts 10.24 us.
    const std::vector<Aftermath> aftermaths = {
        {"RESUMEs are no storm", {MakePfc({0})}, "60-130"},
        {"nor is a neighbour that stops and resumes", {MakePfc({2000}), MakePfc({0})}, "60-130"},
        {"nor one that has just resumed", {MakePfc({0}), MakePfc({2000})}, "60-130"},
        {"PAUSEs that run out are", {MakePfc({500})}, "60-"},
        // The 500 quanta last 2.56 us, so the pause has ended when the RESUME arrives 3 us later.
        {"so they are if a RESUME comes too late", {MakePfc({500}), MakePfc({0})}, "60-"},
        {"a frame has a time for each class", {MakePfc({0, 500}), MakePfc({-1, 500})}, "60-130"},
        // The class is paused at 110 us, so the polls from 120 to 150 us count.
        {"so that one storm ends while another begins", {MakePfc({0, 2000})}, "60-130 150-"},
        {"a frame without the class says nothing", {MakePfc({-1, 500})}, "60-130"},
    };
    for (const Aftermath& row : aftermaths)
    {
        for (const char* criterion : {"PauseStatus", "Standstill"})
        {
            g_suite.Add("After a storm, " + row.sentence + ", " + criterion, [row, criterion] {
                Scene scene({"forward", criterion});
                scene.Storm(12, 100, 5, SHORT_QUANTA);
                scene.star.GetHost(0).Send(1, 24, 1000, 3, MicroSeconds(14));  // these wait
                scene.star.GetHost(0).Send(1, 32, 1000, 3, MicroSeconds(106)); // frames of class 4
                const Ptr<LosslessNetDevice> host = scene.star.GetHost(1).device;
                for (int64_t i = 0; i < 30; ++i)
                {
                    for (std::size_t k = 0; k < row.pfc.size(); ++k)
                    {
                        const auto at = static_cast<int64_t>(102 + 10 * i + 3 * k);
                        Simulator::Schedule(MicroSeconds(at), [host, pfc = row.pfc[k]] {
                            host->SendControl(
                                MakePfcFrame(Mac48Address::ConvertFrom(host->GetAddress()), pfc));
                        });
                    }
                }
                Scene::RunUntil(390);
                NS_TEST_EXPECT_MSG_EQ(scene.GetStorms(), row.storms, "detected and restored");
            });
        }
    }
}

/// Runs a storm that sends RESUMEs instead of PAUSEs from 100 us until a given time.
/// @param until the end of the RESUMEs, in us
/// @return the storms that the watchdog detects until 400 us
std::string
StormWithResumes(int64_t until)
{
    Scene scene({});
    auto storm = CreateObject<PauseStorm>();
    storm->SetAttribute("Interval", TimeValue(MicroSeconds(5)));
    storm->SetStartTime(MicroSeconds(12));
    storm->Install(scene.star.GetHost(1).device);
    for (const auto& [at, quanta] : {std::pair(int64_t{100}, 0), std::pair(until, UINT16_MAX)})
    {
        Simulator::Schedule(MicroSeconds(at), [storm, quanta = quanta] {
            storm->SetAttribute("Quanta", UintegerValue(quanta));
        });
    }
    Scene::RunUntil(400);
    NS_TEST_EXPECT_MSG_EQ(storm->GetSent(), 78, "at 12, 17, ... 397 us");
    return scene.GetStorms();
}

LOSSLESS_TEST(g_suite, "A storm of PAUSEs that becomes one of RESUMEs ends")
{
    // The last PAUSE is sent at 97 us, and the RESUME at 102 us ends the pause.
    NS_TEST_EXPECT_MSG_EQ(StormWithResumes(400), "60-130", "detected and restored");
}

LOSSLESS_TEST(g_suite, "A storm that continues after a RESUME is a new one")
{
    // The class is paused again from 107 us, so the polls from 140 to 170 us count.
    NS_TEST_EXPECT_MSG_EQ(StormWithResumes(105), "60-130 170-", "detected twice, restored once");
}

LOSSLESS_TEST(g_suite, "By default RESUMEs are sent as often as PAUSEs of the longest time")
{
    Star star(MakeSwitch({}), 2);
    auto storm = CreateObject<PauseStorm>();
    storm->SetAttribute("Quanta", UintegerValue(0));
    storm->SetStopTime(MicroSeconds(500));
    storm->Install(star.GetHost(1).device);
    Scene::RunUntil(500);
    // At 5.12 ns each, 65535 quanta take 335.5 us, so RESUMEs are sent at 0, 168 and 336 us.
    NS_TEST_EXPECT_MSG_EQ(storm->GetSent(), 3, "in 500 us");
}

/// @param rate the rate at which the host will process frames; at 8 Gb/s, 1000 B take 1 us
Ptr<SlowReceiver>
InstallSlowReceiver(const TestHost& host,
                    const std::string& rate = "8Gbps",
                    uint64_t xoff = 4000,
                    uint64_t xon = 2000)
{
    auto slow = CreateObjectWithAttributes<SlowReceiver>("Rate",
                                                         StringValue(rate),
                                                         "Xoff",
                                                         UintegerValue(xoff),
                                                         "Xon",
                                                         UintegerValue(xon));
    slow->Install(host.device);
    return slow;
}

LOSSLESS_TEST(g_suite, "A slow neighbour's RESUMEs end a storm while frames are forwarded to it")
{
    Scene scene({"forward"});
    const auto slow = InstallSlowReceiver(scene.star.GetHost(1), "4Gbps", 3000, 2000);
    scene.Storm(12, 100, 5, SHORT_QUANTA);
    // Every 10 us, four frames arrive, which take 8 us to drain. The fourth one causes a PAUSE,
    // followed by a RESUME 4 us later.
    for (int64_t at = 102; at < 390; at += 10)
    {
        scene.star.GetHost(0).Send(1, 24, 1000, 4, MicroSeconds(at));
    }
    Scene::RunUntil(400);
    NS_TEST_EXPECT_MSG_EQ(scene.GetStorms(), "60-130", "detected and restored");
    NS_TEST_EXPECT_MSG_GT(slow->GetPauses(), 25, "it stops and resumes");
}

/// A quantum takes 1 us. Pauses begin at 0 and 40 us. The first one ends on its own after 10 us,
/// before a resume at 20 us. A resume at 50 us ends the second one.
LOSSLESS_TEST(g_suite, "A gate counts how long a class was stopped, and which resumes ended it")
{
    const auto gate = CreateObjectWithAttributes<PauseGate>("ResponseQuanta", UintegerValue(0));
    gate->Attach({DataRate("512Mbps"), Time(0), 24, 1500}, nullptr);
    const auto tell = [&gate](uint16_t quanta) {
        PfcHeader pfc;
        pfc.SetQuanta(Priority{3}, quanta);
        gate->ReceiveControl(ParseFrame(MakePfcFrame(Mac48Address("02:00:00:00:00:02"), pfc)));
    };
    for (const auto& [time, quanta] :
         {std::pair<int, uint16_t>(0, 10), {20, 0}, {40, 100}, {50, 0}})
    {
        Simulator::Schedule(MicroSeconds(time), [tell, length = quanta] { tell(length); });
    }
    std::ostringstream seen;
    for (const int time : {5, 15, 30, 45, 70})
    {
        Simulator::Schedule(MicroSeconds(time), [&gate, &seen] {
            const PfcCounts counts = gate->GetCounts(Priority{3});
            seen << counts.paused.GetMicroSeconds() << ":" << counts.stops << ":" << counts.resumes
                 << " ";
        });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(seen.str(), "5:1:0 10:1:0 10:1:0 15:2:0 20:2:1 ", "us:stops:resumes");
    NS_TEST_EXPECT_MSG_EQ(gate->GetCounts(Priority{4}).paused, Time(0), "another class");
}

LOSSLESS_TEST(g_suite, "A storm that begins anew is detected anew, in any queue on its own")
{
    Scene scene({});
    scene.Storm(12, 100, 5, SHORT_QUANTA);
    scene.Storm(212, 290, 5, SHORT_QUANTA);
    auto other = CreateObject<PauseStorm>();
    other->SetAttribute("Classes", UintegerValue(SetOf(Priority{4})));
    other->SetAttribute("Quanta", UintegerValue(SHORT_QUANTA));
    other->SetStartTime(MicroSeconds(42));
    other->Install(scene.star.GetHost(2).device);
    Scene::RunUntil(400);
    // The second storm begins 200 us after the first one and lasts 10 us less. Its last frame is
    // sent at 287 us. Port 2 is paused at 50 us, and the polls from 60 to 90 us count.
    NS_TEST_EXPECT_MSG_EQ(scene.GetStorms(), "60-130 90- 260-320", "each");
    NS_TEST_EXPECT_MSG_EQ(scene.watchdog->CountStorms(), 3, "all");
}

LOSSLESS_TEST(g_suite, "PAUSEs of less than two nanoseconds are sent as fast as the link goes")
{
    Star star(MakeSwitch({}), 2, {DataRate("400Gbps"), MicroSeconds(1)});
    auto storm = CreateObject<PauseStorm>();
    storm->SetAttribute("Quanta", UintegerValue(1)); // 1.28 ns, half of which rounds to zero
    storm->SetStopTime(MicroSeconds(1));
    storm->Install(star.GetHost(1).device);
    Scene::RunUntil(2);
    // The 84 B of a PAUSE take 1.68 ns, which is rounded up to 2 ns. With 1 ns in between, a PAUSE
    // is sent every three nanoseconds from 0 onwards.
    NS_TEST_EXPECT_MSG_EQ(storm->GetSent(), 334, "in a microsecond");
}

LOSSLESS_TEST(g_suite, "PAUSEs of a storm leave room for the gap behind each")
{
    Config::SetDefault("ns3::lossless::LosslessNetDevice::GapBytes", UintegerValue(12));
    Star star(MakeSwitch({}), 2, {DataRate("8Gbps"), MicroSeconds(1)});
    auto storm = CreateObject<PauseStorm>();
    storm->SetAttribute("Quanta", UintegerValue(1)); // 64 ns, half of which is too short
    storm->SetStopTime(NanoSeconds(8400));
    storm->Install(star.GetHost(1).device);
    Scene::RunUntil(20);
    // The 84 B take 84 ns, 72 ns of which precede the gap. A PAUSE is sent at 0 and every 85 ns
    // after that.
    NS_TEST_EXPECT_MSG_EQ(storm->GetSent(), 99, "in 8400 ns");
}

LOSSLESS_TEST(g_suite, "A slow neighbour that resumes is no storm, and loses nothing")
{
    Scene scene({"drop"});
    const auto slow = InstallSlowReceiver(scene.star.GetHost(1), "4Gbps", 8000, 4000);
    scene.Send(0, 1, 10, 210); // 8 Gb/s
    Scene::RunUntil(1000);
    NS_TEST_EXPECT_MSG_EQ(scene.Count(0, 1), 200, "all arrive");
    NS_TEST_EXPECT_MSG_GT(slow->GetPauses(), 5, "with pauses");
    NS_TEST_EXPECT_MSG_EQ(scene.GetStorms(), "", "and without a storm");
}

LOSSLESS_TEST(g_suite, "A slow receiver hands on at its rate, and stops who fills its buffer")
{
    Pair pair;
    const Ptr<SlowReceiver> slow = InstallSlowReceiver(pair.GetHost(1));
    pair.GetHost(0).Send(1, 24, 1000, 40);
    RunFor(MicroSeconds(60));
    const std::vector<Time> times = pair.GetHost(1).received.GetTimes();
    NS_TEST_ASSERT_MSG_EQ(times.size(), 40, "all arrive");
    // The first frame takes 1024 x 80 ps plus 1 us to arrive, and draining a frame takes 1 us. The
    // buffer is never empty for long, because a frame admitted by the RESUME at 2000 B arrives
    // 2.4 us later, when the host has drained 2000 B or slightly more.
    NS_TEST_EXPECT_MSG_EQ(times[0], NanoSeconds(2081), "drained after 1 us");
    NS_TEST_EXPECT_MSG_EQ(times[9] - times[0], MicroSeconds(9), "at its rate");
    NS_TEST_EXPECT_MSG_EQ(pair.GetHost(1).received.IsInOrder(), true, "in order");
    // With five frames, the buffer exceeds Xoff at 1 + 5 x 0.082 = 1.41 us. The PAUSE takes effect
    // 1.31 us later, and frames arrive for another 1 us: in total, 2.31 us / 82 ns = 28 frames.
    NS_TEST_EXPECT_MSG_GT(slow->GetPeakBytes(), 30000, "headroom");
    NS_TEST_EXPECT_MSG_LT(slow->GetPeakBytes(), 34000, "headroom");
    NS_TEST_EXPECT_MSG_EQ(slow->GetPauses(), 2, "for those 33, and the 7 after the RESUME");
}

LOSSLESS_TEST(g_suite, "A slow receiver is slow from StartTime to StopTime")
{
    Pair pair;
    const Ptr<SlowReceiver> slow = InstallSlowReceiver(pair.GetHost(1));
    slow->SetStartTime(MicroSeconds(5));
    slow->SetStopTime(MicroSeconds(13));
    const auto send = [&pair](int64_t at, uint32_t frames) {
        Simulator::Schedule(MicroSeconds(at),
                            [&pair, frames] { pair.GetHost(0).Send(1, 24, 1000, frames); });
    };
    send(0, 2);
    send(10, 2);
    send(12, 1);
    send(20, 1);
    RunFor(MicroSeconds(30));
    // The first frame arrives 1.082 us after it is sent, and the second 82 ns later. The frame that
    // arrives at 13.082 us, after StopTime, still finds another frame in the buffer and is
    // therefore drained at 14.082 us.
    const std::vector<Time> expected{NanoSeconds(1081),
                                     NanoSeconds(1163),
                                     NanoSeconds(12081),
                                     NanoSeconds(13081),
                                     NanoSeconds(14081),
                                     NanoSeconds(21081)};
    NS_TEST_EXPECT_MSG_EQ((pair.GetHost(1).received.GetTimes() == expected), true, "when it comes");
}

LOSSLESS_TEST(g_suite, "A slow receiver stops its neighbour again after the link has come up")
{
    Pair pair;
    const Ptr<SlowReceiver> slow = InstallSlowReceiver(pair.GetHost(1));
    pair.GetHost(0).Send(1, 24, 1000, 200);
    const auto cable = DynamicCast<LosslessChannel>(pair.GetHost(1).device->GetChannel());
    Simulator::Schedule(MicroSeconds(20), [&cable] { cable->SetUp(false); });
    Simulator::Schedule(MicroSeconds(21), [&cable] { cable->SetUp(true); });
    RunFor(MicroSeconds(400));
    NS_TEST_EXPECT_MSG_EQ(pair.GetHost(1).received.GetTimes().size(), 200, "all arrive");
    // When the link recovers, 13 frames are waiting and the PAUSE is cleared. Another 28 frames
    // leave the sender before the next PAUSE takes effect.
    NS_TEST_EXPECT_MSG_LT(slow->GetPeakBytes(), 50000, "and not the 167 that are left");
}

LOSSLESS_TEST(g_suite, "A slow receiver refreshes its PAUSEs in time when its link gets faster")
{
    Pair pair;
    const Ptr<SlowReceiver> slow = InstallSlowReceiver(pair.GetHost(1));
    slow->SetAttribute("Rate", DataRateValue(DataRate("8Mbps"))); // drains 1000 B in 1 ms
    const auto setRate = [&pair](const char* rate) {
        for (uint32_t host : {0, 1})
        {
            pair.GetHost(host).device->ChangeRate(DataRate(rate));
        }
    };
    setRate("1Gbps");
    // The class is paused for 33.6 ms, and the PAUSE is refreshed after half of this time.
    pair.GetHost(0).Send(1, 3 << 3, 1000, 20);
    Simulator::Schedule(MicroSeconds(300), [&] {
        setRate("100Gbps");
        pair.GetHost(0).Send(1, 4 << 3, 1000, 1000); // paused for 336 us
    });
    RunFor(MilliSeconds(2));
    // Of the first class, 20 frames arrive; of the second one, 5 + 28 = 33 frames, as above.
    NS_TEST_EXPECT_MSG_LT(slow->GetPeakBytes(), 60000, "and not the 1000 of the second class");
    NS_TEST_EXPECT_MSG_GT(slow->GetPauses(), 1, "both classes are stopped");
}

struct PlanCase
{
    std::string action;  ///< action of the watchdog
    bool isLossy;        ///< true if frames of the paused traffic can be lost
    bool arrivesInStorm; ///< true if frames arrive at the port during the storm
};

LOSSLESS_TESTS(g_suite)
{
    for (const PlanCase& plan : {PlanCase{"drop", true, false}, PlanCase{"forward", false, true}})
    {
        g_suite.Add("SONiC's case 1, two senders and two receivers: " + plan.action, [plan] {
            // Host 1 takes the place of the plan's port 3. Detection takes 400 us, and restoration
            // takes 2000 us.
            Scene scene({plan.action, "PauseStatus", 400, 2000, 200});
            scene.Storm(1000, 3000, 50, UINT16_MAX / 4);
            for (const auto& [a, b] : {std::pair(0, 2), std::pair(0, 1)})
            {
                scene.Send(a, b, 100, 7000);
                scene.Send(b, a, 100, 7000);
            }
            Scene::RunUntil(3000);
            const std::size_t inStorm = scene.Count(0, 1);
            // The storm is over by 3000 + 200 + 2000 us, plus the last PAUSE of 84 us.
            Scene::RunUntil(5400);
            NS_TEST_EXPECT_MSG_EQ(scene.watchdog->CountStorms(), 1, "triggered");
            NS_TEST_EXPECT_MSG_EQ((scene.GetStorms().back() != '-'), true, "restored");
            const std::size_t to = scene.Count(0, 1);
            const std::size_t from = scene.Count(1, 0);
            Scene::RunUntil(7100);
            NS_TEST_EXPECT_MSG_EQ(scene.Count(0, 2), 6900, "nothing is lost beside the storm");
            NS_TEST_EXPECT_MSG_EQ(scene.Count(2, 0), 6900, "in either direction");
            NS_TEST_EXPECT_MSG_EQ((scene.Count(0, 1) < 6900), plan.isLossy, "to the port");
            NS_TEST_EXPECT_MSG_EQ((scene.Count(1, 0) < 6900), plan.isLossy, "from the port");
            NS_TEST_EXPECT_MSG_EQ((inStorm > 1500), plan.arrivesInStorm, "meanwhile");
            NS_TEST_EXPECT_MSG_GT(scene.Count(0, 1), to + 1590, "afterwards nothing is lost");
            NS_TEST_EXPECT_MSG_GT(scene.Count(1, 0), from + 1590, "in either direction");
            NS_TEST_EXPECT_MSG_EQ(scene.node->GetCounts().losslessDropped, 0, "no congestion");
            for (const DropRecord& drop : scene.drops.GetDrops())
            {
                NS_TEST_EXPECT_MSG_EQ(IsWatchdogLoss(drop.reason), true, "by the watchdog");
                NS_TEST_EXPECT_MSG_EQ(drop.port, PortId{1}, "at its port");
            }
        });
    }
}

LOSSLESS_TESTS(g_suite)
{
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        g_suite.Add("SONiC's timer verification, seed " + std::to_string(seed), [seed] {
            auto random = CreateObject<UniformRandomVariable>();
            random->SetStream(seed);
            // Detection takes 400 us, restoration takes 2000 us, and polls occur every 200 us, with
            // any phase. The storm is detected if it lasts for at least 800 us, two polls longer
            // than the detection time, and not detected if it lasts for less than 400 us.
            const bool isLong = seed % 2 == 0;
            const uint32_t storm =
                isLong ? random->GetInteger(820, 1100) : random->GetInteger(50, 390);
            Scene scene({"drop", "PauseStatus", 400, 2000, 200, true});
            scene.watchdog->AssignStreams(seed);
            scene.Storm(0, storm, 20, 8192);      // PAUSEs of 42 us each
            scene.Send(0, 1, 1000, 1000 + storm); // "data traffic 1"
            const int64_t later = storm + 42 + 200 + 2000;
            scene.Send(0, 1, later, later + 500); // "data traffic 2"
            Scene::RunUntil(later);
            NS_TEST_EXPECT_MSG_EQ(scene.watchdog->CountStorms(), (isLong ? 1 : 0), storm);
            NS_TEST_EXPECT_MSG_EQ(scene.Count(0, 1), (isLong ? 0 : storm), "traffic 1");
            Scene::RunUntil(later + 600);
            NS_TEST_EXPECT_MSG_EQ(scene.Count(0, 1), (isLong ? 0 : storm) + 500, "traffic 2");
            for (const StormRecord& record : scene.recorder.GetStorms())
            {
                const double detected = record.detected.GetSeconds() * 1e6;
                NS_TEST_EXPECT_MSG_GT(detected, 400, "not before detection time");
                NS_TEST_EXPECT_MSG_LT(detected, 1.4 + 800, "two looks later at most");
                NS_TEST_ASSERT_MSG_EQ(record.restored.has_value(), true, "restored");
                const double restored = record.restored->GetSeconds() * 1e6;
                const double last = (storm - 1) / 20 * 20; // time of the last PAUSE
                NS_TEST_EXPECT_MSG_GT(restored, last + 2000, "not before restoration time");
                NS_TEST_EXPECT_MSG_LT(restored, last + 1.4 + 2200, "one look later at most");
            }
        });
    }
}

/// A model of SONiC's scripts, except for the end of a storm (see PfcWatchdog). It polls one queue
/// at each multiple of an interval.
class Script
{
  public:
    Script(Ptr<SwitchNode> node, const Setting& setting)
        : m_node(node),
          m_gate(DynamicCast<PauseGate>(node->GetPortDevice(QUEUE_3.port)->GetGate())),
          m_setting(setting)
    {
        ListenTo(*node, "Dequeue", [this](const SwitchItem& item) {
            m_packets += item.GetEgressQueue() == QUEUE_3 ? 1 : 0;
        });
    }

    /// @param until the time before which all polls occur, in us
    void Start(int64_t until)
    {
        for (int64_t at = m_setting.poll; at < until; at += m_setting.poll)
        {
            Simulator::Schedule(MicroSeconds(at), &Script::Look, this);
        }
    }

    std::string storms; ///< formatted like the result of Scene::GetStorms()

  private:
    /// The counters read by a poll.
    struct Counters
    {
        uint64_t stops{0};    ///< number of PAUSEs
        uint64_t resumes{0};  ///< number of RESUMEs that ended a PAUSE
        uint64_t packets{0};  ///< number of packets sent
        double paused{0};     ///< paused time, in us
        bool isPaused{false}; ///< true if the class is paused
    };

    void Look()
    {
        const PfcCounts pfc = m_gate->GetCounts(Priority{3});
        const Counters now{pfc.stops,
                           pfc.resumes,
                           m_packets,
                           pfc.paused.GetSeconds() * 1e6,
                           Contains(m_gate->GetPaused(), Priority{3})};
        const bool isAlert = m_setting.action == "alert";
        if (!m_isStormed || isAlert)
        {
            Detect(now, isAlert);
        }
        else if (now.stops != m_last.stops && now.resumes == m_atDetection)
        {
            m_left = m_setting.restore * 1000;
        }
        else if (m_left <= m_setting.poll * 1000)
        {
            Note(false);
        }
        else
        {
            m_left -= m_setting.poll * 1000;
        }
        m_last = now;
    }

    void Detect(const Counters& now, bool isAlert)
    {
        const bool isStatus = m_setting.criterion == "PauseStatus";
        const bool isStopped = now.stops > m_last.stops;
        const bool isHit =
            isStatus ? isStopped && now.resumes == m_last.resumes && m_last.isPaused && now.isPaused
                     : isStopped && now.packets == m_last.packets &&
                           m_node->GetSharedBuffer()->GetEgress(QUEUE_3).bytes > 0 &&
                           now.paused - m_last.paused > 0.99 * m_setting.poll;
        const int64_t poll = m_setting.poll * 1000;
        const int64_t charge = isStatus ? std::min(poll, m_setting.detect * 1000 - 1) : poll;
        if (!isHit)
        {
            m_left = m_setting.detect * 1000;
            if (m_isStormed && isAlert)
            {
                Note(false);
            }
        }
        else if (m_isStormed)
        {
            return; // the storm has already been detected
        }
        else if (m_left <= charge)
        {
            Note(true);
        }
        else
        {
            m_left -= charge;
        }
    }

    void Note(bool isStorm)
    {
        m_isStormed = isStorm;
        m_atDetection = m_gate->GetCounts(Priority{3}).resumes;
        m_left = (isStorm ? m_setting.restore : m_setting.detect) * 1000;
        const std::string now = std::to_string(Simulator::Now().GetMicroSeconds());
        storms += isStorm ? (storms.empty() ? "" : " ") + now + "-" : now;
    }

    Ptr<SwitchNode> m_node;                  ///< switch of the queue
    Ptr<PauseGate> m_gate;                   ///< gate of the queue's port
    Setting m_setting;                       ///< settings of the watchdog
    Counters m_last;                         ///< counters of the last poll
    uint64_t m_atDetection{0};               ///< value of Counters::resumes at the last detection
    uint64_t m_packets{0};                   ///< number of packets sent so far
    int64_t m_left{m_setting.detect * 1000}; ///< remaining time, in ns
    bool m_isStormed{false};                 ///< true if a storm has been detected
};

/// Sends PAUSEs and RESUMEs at random times.
/// @param gap the maximum time between two PAUSEs of a storm, in us
/// @param until the end of the storms, in us
void
SendAtRandom(Scene& scene, UniformRandomVariable& random, double gap, double until)
{
    double at = random.GetValue(0, 100);
    while (at < until)
    {
        // The frames form storms of PAUSEs, with occasional RESUMEs and quiet periods.
        const uint32_t frames = random.GetInteger(1, 100);
        for (uint32_t i = 0; i < frames; ++i)
        {
            const bool isResume = random.GetValue() < 0.02;
            const auto quanta = static_cast<uint16_t>(isResume ? 0 : random.GetInteger(500, 5000));
            SendPfcIn(NanoSeconds(static_cast<int64_t>(at * 1000)),
                      scene.star.GetHost(1).device,
                      SetOf(Priority{3}),
                      quanta);
            at += random.GetValue(0.2, gap);
        }
        at += random.GetValue(0, 200);
    }
}

LOSSLESS_TESTS(g_suite)
{
    for (uint32_t seed = 1; seed <= 24; ++seed)
    {
        g_suite.Add("As scripts that look all the time, seed " + std::to_string(seed), [seed] {
            auto random = CreateObject<UniformRandomVariable>();
            random->SetStream(seed);
            Setting setting;
            setting.action = std::vector<std::string>{"drop", "forward", "alert"}[seed % 3];
            setting.criterion = seed % 2 == 0 ? "PauseStatus" : "Standstill";
            setting.poll = random->GetInteger(3, 20);
            setting.detect = setting.poll + random->GetInteger(0, 60);
            setting.restore = setting.poll + random->GetInteger(0, 60);
            Scene scene(setting);
            scene.node->Initialize();
            Script script(scene.node, setting);
            script.Start(6000);
            SendAtRandom(scene, *random, 1.1 * setting.poll, 5000);
            scene.Send(0, 1, 10, 5000);
            Scene::RunUntil(6000);
            NS_TEST_EXPECT_MSG_EQ(scene.GetStorms(), script.storms, "the same storms");
            NS_TEST_EXPECT_MSG_GT(script.storms.size(), 3, "there are some");
            NS_TEST_EXPECT_MSG_EQ(scene.node->GetSharedBuffer()->GetUsed(), 0, "nothing is left");
            const uint64_t lost = setting.action == "drop" ? scene.Count(0, 1) : 0;
            NS_TEST_EXPECT_MSG_EQ((scene.Count(0, 1) < 4990), (lost > 0), "lost by drop alone");
        });
    }
}

LOSSLESS_TEST(g_suite, "It does not keep a simulation going, nor looks while nothing is paused")
{
    Scene scene({});
    scene.star.GetHost(0).Send(1, 24, 1000, 10);
    scene.Storm(12, 100, 5, SHORT_QUANTA);
    Simulator::Run(); // the run ends without a stop time
    NS_TEST_EXPECT_MSG_EQ(scene.GetStorms(), "60-130", "a storm");
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(130), "the last look");
}

LOSSLESS_TEST(g_suite, "Settings without sense stop the program with a sentence")
{
    const auto check = [](const Setting& setting, const std::string& sentence) {
        ExpectStop(sentence, [&setting] {
            Star star(MakeSwitch(setting), 2);
            star.m_switch->Initialize();
        });
    };
    check({"kill"}, "Action is \"kill\"; it must be drop, forward or alert.");
    check({"drop", "Guess"}, "Criterion is \"Guess\"; it must be PauseStatus or Standstill.");
    check({"drop", "PauseStatus", 10, 30, 20}, "is 20us; it must not be above DetectionTime");
    check({"drop", "PauseStatus", 30, 10, 20}, "or RestorationTime (--watchdog-restore), 10us.");
}

/// At 100 Gb/s, half of 65535 quanta is 167.8 us, so PAUSEs of a storm are up to 168 us apart.
LOSSLESS_TEST(g_suite, "A watchdog that cannot detect a storm is told, with the time to write")
{
    const auto explain = [](const Setting& setting, int64_t storm) {
        Scene scene(setting);
        scene.Storm(12, storm, 5, SHORT_QUANTA);
        Scene::RunUntil(400);
        const std::vector<std::string> hints = scene.recorder.GetHints();
        Simulator::Destroy(); // destroys this scene before the next one is created
        return hints.empty() ? "" : hints.front();
    };
    NS_TEST_EXPECT_MSG_EQ(explain({}, 100), "", "a storm was detected");
    NS_TEST_EXPECT_MSG_EQ(explain({"drop", "PauseStatus", 400, 400, 10}, 100),
                          "A watchdog detects storms of 400us, but the run ended at 400us; write a "
                          "shorter PfcWatchdog::DetectionTime (--watchdog-detect).",
                          "longer than the run");
    NS_TEST_EXPECT_MSG_EQ(
        explain({"drop", "PauseStatus", 167, 167, 167}, 13),
        "A watchdog looks every 167us, but the PAUSEs of a storm come up to 168us apart at the "
        "slowest port, so that it seems to have ended between two; write an interval of at least "
        "168us (--watchdog-detect, and --watchdog-poll if given).",
        "shorter than between two PAUSEs");
    NS_TEST_EXPECT_MSG_EQ(explain({"drop", "PauseStatus", 168, 168, 168}, 13), "", "long enough");
}

LOSSLESS_TEST(g_suite, "watchdog.csv and the verdict tell what it has dropped from congestion")
{
    const std::string folder = CreateTempDirFilename("results");
    Scene scene({});
    ResultsWriter results(folder);
    results.AddNode("s0", scene.node);
    scene.Storm(12, 100, 5, SHORT_QUANTA);
    // These frames are waiting when the storm is detected.
    scene.star.GetHost(0).Send(1, 24, 1000, 3, MicroSeconds(14));
    scene.star.GetHost(0).Send(1, 24, 1000, 2, MicroSeconds(70)); // these arrive during the storm
    // These frames are sent by the host at the paused port.
    scene.star.GetHost(1).Send(0, 24, 1000, 4, MicroSeconds(75));
    Scene::RunUntil(400);
    const RunVerdict verdict = results.GetVerdict();
    NS_TEST_EXPECT_MSG_EQ(verdict.outcome, RunOutcome::LOSSY, "lossy, not violated");
    NS_TEST_EXPECT_MSG_EQ(verdict.watchdogFrames, 9, "dropped");
    NS_TEST_EXPECT_MSG_EQ(verdict.lostFrames, 9, "and no others");
    NS_TEST_EXPECT_MSG_EQ(verdict.losslessClassFrames, 0, "none for want of buffer");
    NS_TEST_ASSERT_MSG_EQ(verdict.problems.size(), 1, "one sentence");
    ExpectBegin(verdict.problems[0], "Frames dropped by PFC watchdogs");
    NS_TEST_ASSERT_MSG_EQ(results.Write().has_value(), false, "written");
    NS_TEST_EXPECT_MSG_EQ(ReadFile(folder + "/watchdog.csv"),
                          "detected_ns,restored_ns,node,port,priority,action,egress_frames,"
                          "ingress_frames\n60000,130000,s0,1,3,drop,5,4\n",
                          "the storm");
}

/// A cable whose rate and delay suit every scheme's default buffers.
const Cable SLOW_CABLE{DataRate("10Gbps"), NanoSeconds(100)};

/// @return true if PFC pauses the ports of the scheme
bool
IsPausedByPfc(const SchemeInfo& scheme)
{
    Star star(SwitchHelper(scheme).Create(), 2, SLOW_CABLE);
    star.m_switch->Initialize();
    const bool isPfc = DynamicCast<PauseGate>(star.GetPort(0)->GetGate()) != nullptr &&
                       star.m_switch->GetShape().lossless != 0;
    Simulator::Destroy();
    return isPfc;
}

LOSSLESS_TESTS(g_suite)
{
    for (const SchemeInfo& scheme : GetModuleSchemes())
    {
        g_suite.Add("Beside " + scheme.name + ", a storm stops nobody for ever", [scheme] {
            if (!IsPausedByPfc(scheme))
            {
                ExpectStop("PfcWatchdog: ", [&scheme] {
                    auto node = SwitchHelper(scheme).Create();
                    node->AggregateObject(MakeWatchdog({}));
                    Star star(node, 2, SLOW_CABLE);
                    star.m_switch->Initialize();
                });
                return;
            }
            for (const char* action : {"drop", "forward"})
            {
                SwitchHelper helper(scheme);
                auto node = helper.Create();
                node->AggregateObject(MakeWatchdog({action}));
                Star star(node, 3, SLOW_CABLE);
                // PABO's hosts use this address to recognize the frames that are addressed to them.
                for (uint32_t i = 0; i < 3; ++i)
                {
                    TestHost& host = star.GetHost(i);
                    host.device->GetHostPort()->AddAddress(host.address);
                }
                auto storm = CreateObject<PauseStorm>();
                storm->SetStartTime(MicroSeconds(5));
                storm->SetAttribute("Interval", TimeValue(MicroSeconds(4)));
                storm->Install(star.GetHost(1).device);
                // These frames are sent until the pause takes effect.
                star.GetHost(0).Send(1, 24, 1000, 600, MicroSeconds(10));
                // These frames are sent after the others.
                star.GetHost(0).Send(2, 24, 1000, 10, MicroSeconds(20));
                Scene::RunUntil(2000);
                const std::string what = scheme.name + ", " + action;
                const auto& counts = node->GetCounts();
                NS_TEST_EXPECT_MSG_EQ(star.GetHost(2).received.m_arrivals.size(), 10, what);
                NS_TEST_EXPECT_MSG_EQ(counts.losslessDropped, 0, what << ": congestion");
                NS_TEST_EXPECT_MSG_EQ(node->GetSharedBuffer()->GetUsed(), 0, what << ": stored");
                NS_TEST_EXPECT_MSG_EQ(node->GetFlowControl()->IsHolding({PortId{0}, Priority{3}}),
                                      false,
                                      what << ": held");
                Simulator::Destroy();
            }
        });
    }
}

LOSSLESS_TESTS(g_suite)
{
    for (const char* action : {"alert", "drop", "forward"})
    {
        g_suite.Add(std::string("A deadlock, and a watchdog that does: ") + action, [action] {
            const bool isFreeing = std::string(action) != "alert";
            // At 8 Gb/s, a PAUSE lasts 4.2 ms and is refreshed after half of this time.
            const Setting setting{action, "PauseStatus", 9000, 9000, 3000, true};
            Ring ring([&setting] {
                auto node = MakeStaticSwitch(10000, 8000).Create();
                node->AggregateObject(MakeWatchdog(setting));
                return node;
            });
            DropRecorder drops;
            for (uint32_t i = 0; i < Ring::SIZE; ++i)
            {
                ring.GetSwitch(i)->GetObject<PfcWatchdog>()->AssignStreams(i + 1);
                drops.Watch("s" + std::to_string(i), ring.GetSwitch(i));
            }
            auto detector = CreateObject<DeadlockDetector>();
            ring.Watch(*detector);
            ring.Send(2, 400);
            Scene::RunUntil(200000);
            detector->Conclude();
            NS_TEST_ASSERT_MSG_GT(detector->GetDeadlocks().size(), 0, "a deadlock");
            const DeadlockRecord& first = detector->GetDeadlocks()[0];
            NS_TEST_EXPECT_MSG_EQ(first.dissolved.has_value(), isFreeing, "dissolved");
            NS_TEST_EXPECT_MSG_EQ(first.isFinal, !isFreeing, "final");
            std::size_t arrived = 0;
            uint64_t storms = 0;
            uint64_t lost = 0;
            for (uint32_t i = 0; i < Ring::SIZE; ++i)
            {
                arrived += ring.GetHost(i).received.m_arrivals.size();
                storms += ring.GetSwitch(i)->GetObject<PfcWatchdog>()->CountStorms();
                NS_TEST_EXPECT_MSG_EQ((ring.GetSwitch(i)->GetSharedBuffer()->GetUsed() == 0),
                                      isFreeing,
                                      "nothing is left in switch " << i);
            }
            for (const DropRecord& drop : drops.GetDrops())
            {
                lost += drop.frames;
                NS_TEST_EXPECT_MSG_EQ((IsWatchdogLoss(drop.reason) || drop.IsViolation()),
                                      true,
                                      "");
            }
            NS_TEST_EXPECT_MSG_GT(storms, 0, "seen");
            NS_TEST_EXPECT_MSG_EQ((arrived + lost == 1200), isFreeing, "all have come or are lost");
        });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
