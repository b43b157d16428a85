// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-test.h"
#include "random-network.h"

#include "ns3/cbfc-buffer-policy.h"
#include "ns3/cbfc-flow-control.h"
#include "ns3/cbfc-host.h"
#include "ns3/cbfc-messages.h"
#include "ns3/cbfc-receiver.h"
#include "ns3/cbfc-sender.h"
#include "ns3/integer.h"
#include "ns3/ordered-set.h"

// Checks CBFC: its arithmetic against values computed by hand, its messages on the wire, and the
// throughput of a link with a given number of credits.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-cbfc", UNIT);

Ptr<CbfcSwitchNode>
MakeSwitch(const Attributes& attributes = {})
{
    auto node = CreateObject<CbfcSwitchNode>();
    for (const auto& [name, value] : attributes)
    {
        node->GetFlowControl()->SetAttribute(name, StringValue(value));
    }
    return node;
}

const CbfcGate&
GetGate(const LosslessNetDevice& device)
{
    return *DynamicCast<CbfcGate>(device.GetGate());
}

/// The size of a frame that takes 120 ns at 100 Gb/s and 12 credits of 128 B.
constexpr uint32_t FRAME = 1476;
/// The code point of class 3.
constexpr uint8_t CLASS_3 = 24;
/// The code point of class 4.
constexpr uint8_t CLASS_4 = 32;

LOSSLESS_TEST(g_suite, "A frame takes as many credits as begin in its length with FCS and overhead")
{
    struct Row
    {
        uint32_t creditBytes;
        int32_t overhead;
        uint32_t frameBytes; // size without FCS
        uint32_t credits;
    };

    for (const Row& row : {Row{128, 0, 60, 1},      // 64
                           Row{128, 0, 124, 1},     // 128
                           Row{128, 0, 125, 2},     // 129
                           Row{128, 0, 1514, 12},   // 1518 / 128 = 11.9
                           Row{128, 18, 1514, 12},  // 1536
                           Row{128, 19, 1514, 13},  // 1537
                           Row{128, -16, 140, 1},   // 128
                           Row{128, -16, 141, 2},   // 129
                           Row{256, 0, 9014, 36},   // 9018 / 256 = 35.2
                           Row{1, -4, 9014, 9014}}) // a credit is one byte
    {
        CbfcSettings settings;
        settings.creditBytes = row.creditBytes;
        settings.overheadBytes = row.overhead;
        NS_TEST_EXPECT_MSG_EQ(settings.GetCredits(row.frameBytes),
                              row.credits,
                              row.frameBytes << " B, overhead " << row.overhead);
    }
}

LOSSLESS_TEST(g_suite, "A CF_Update is an ordered set of 8 bytes, and a CC_Update a frame of 64")
{
    Ptr<Packet> update = MakeCfUpdate({31, 0xabcde});
    NS_TEST_ASSERT_MSG_EQ(update->GetSize(), 8, "size");
    std::array<uint8_t, 8> bytes;
    update->CopyData(bytes.data(), bytes.size());
    const std::array<uint8_t, 8> expected{0x5c, 0xcf, 31, 0x0a, 0xbc, 0xde, 0, 0};
    NS_TEST_EXPECT_MSG_EQ((bytes == expected), true, "bytes");
    NS_TEST_EXPECT_MSG_EQ(ParseCfUpdate(*update)->credits, 0xabcde, "read again");
    NS_TEST_EXPECT_MSG_EQ(+ParseCfUpdate(*update)->channel, 31, "read again");
    NS_TEST_EXPECT_MSG_EQ(ParseCfUpdate(*MakeCfUpdate({32, 1})).has_value(), false, "channel 32");
    NS_TEST_EXPECT_MSG_EQ(ParseCfUpdate(*Create<Packet>(8)).has_value(), false, "zeros");

    CcUpdateHeader body;
    for (uint8_t channel = 0; channel < 8; ++channel)
    {
        body.counts.push_back({channel, CBFC_MAX_CREDITS - channel});
    }
    Ptr<Packet> frame = MakeMacControlFrame(Mac48Address("02:00:00:00:00:01"), body);
    NS_TEST_EXPECT_MSG_EQ(frame->GetSize(), 60, "64 bytes with FCS");
    const auto read = ParseMacControlFrame<CcUpdateHeader>(*frame, CcUpdateHeader::OPCODE);
    NS_TEST_ASSERT_MSG_EQ(read.has_value(), true, "read again");
    NS_TEST_ASSERT_MSG_EQ(read->counts.size(), 8, "channels");
    NS_TEST_EXPECT_MSG_EQ(read->counts[7].credits, CBFC_MAX_CREDITS - 7, "counter");
    const auto part = frame->CreateFragment(0, 30);
    const auto cut = ParseMacControlFrame<CcUpdateHeader>(*part, CcUpdateHeader::OPCODE);
    NS_TEST_EXPECT_MSG_EQ(cut.has_value(), false, "cut short");
}

/// @return limits with 10 credits for each of two channels and 100 shared credits
CbfcLimits
MakeSharedLimits(CbfcThreshold threshold)
{
    CbfcLimits limits;
    limits.reserved[0] = 10;
    limits.reserved[1] = 10;
    limits.shared = 100;
    limits.total = 120;
    limits.threshold = threshold;
    return limits;
}

uint32_t
TakeAll(CbfcPool& pool, uint8_t channel)
{
    uint32_t taken = 0;
    while (pool.MayTake(channel, 1))
    {
        pool.SetUsed(channel, pool.GetUsed(channel) + 1);
        ++taken;
    }
    return taken;
}

LOSSLESS_TEST(g_suite, "Channels keep to their own credits, a fixed limit or 2^n of what is free")
{
    CbfcPool none(MakeSharedLimits(CbfcThreshold::NONE));
    NS_TEST_EXPECT_MSG_EQ(TakeAll(none, 0), 10, "its own only");
    NS_TEST_EXPECT_MSG_EQ(TakeAll(none, 1), 10, "the other one's are still there");
    NS_TEST_EXPECT_MSG_EQ(none.GetAllUsed(), 20, "together");

    CbfcLimits limits = MakeSharedLimits(CbfcThreshold::STATIC);
    CbfcPool unlimited(limits);
    NS_TEST_EXPECT_MSG_EQ(TakeAll(unlimited, 0), 110, "all but those of the other one");
    NS_TEST_EXPECT_MSG_EQ(TakeAll(unlimited, 1), 10, "which it has");
    limits.staticLimit = 30;
    CbfcPool fixed(limits);
    NS_TEST_EXPECT_MSG_EQ(TakeAll(fixed, 0), 40, "30 shared ones");

    // A channel receives its k-th shared credit, of 100, if k <= 2^n (100 - (k - 1)). It thus
    // receives up to 50 credits for n = 0 (50 <= 51, 51 > 50), 67 for n = 1 (67 <= 68, 68 > 66) and
    // 33 for n = -1 (33 <= 34, 34 > 33.5).
    for (const auto& [exponent, shared] :
         {std::pair(0, 50U), std::pair(1, 67U), std::pair(-1, 33U)})
    {
        limits = MakeSharedLimits(CbfcThreshold::DYNAMIC);
        limits.exponent = exponent;
        CbfcPool dynamic(limits);
        NS_TEST_EXPECT_MSG_EQ(TakeAll(dynamic, 0), 10 + shared, "n = " << exponent);
    }
}

LOSSLESS_TEST(g_suite, "A frame is sent if the credits in use and its own are at most the limit")
{
    CbfcLimits limits;
    limits.reserved[3] = 30;
    CbfcSender sender(limits);
    NS_TEST_EXPECT_MSG_EQ(sender.MaySend(3, 30), true, "30 of 30");
    NS_TEST_EXPECT_MSG_EQ(sender.MaySend(3, 31), false, "31 of 30");
    sender.Consume(3, 12);
    NS_TEST_EXPECT_MSG_EQ(sender.MaySend(3, 18), true, "12 + 18");
    NS_TEST_EXPECT_MSG_EQ(sender.MaySend(3, 19), false, "12 + 19");
    NS_TEST_EXPECT_MSG_EQ(sender.MaySend(4, 1), false, "a channel without credits");
    sender.Learn({3, 12});
    NS_TEST_EXPECT_MSG_EQ(sender.IsSettled(), true, "all is freed");
    sender.Consume(3, 12);
    sender.Reset();
    NS_TEST_EXPECT_MSG_EQ(sender.MaySend(3, 1), false, "after a loss of the link: not told yet");
    sender.Learn({3, WrapCredits(-7)});
    NS_TEST_EXPECT_MSG_EQ(sender.GetPool().GetUsed(3), 7, "the receiver still stores 7");
    NS_TEST_EXPECT_MSG_EQ(sender.MaySend(3, 23), true, "7 + 23");
    NS_TEST_EXPECT_MSG_EQ(sender.MaySend(3, 24), false, "7 + 24");
}

LOSSLESS_TEST(g_suite, "Counters of 20 bits wrap around without a trace")
{
    CbfcLimits limits;
    limits.reserved[0] = CBFC_MAX_CREDITS;
    CbfcSender sender(limits);
    uint64_t freed = 0;
    for (uint64_t sent = 700000; sent < 7000000; sent += 700000)
    {
        NS_TEST_ASSERT_MSG_EQ(sender.MaySend(0, 700000), true, sent);
        sender.Consume(0, 700000);
        NS_TEST_ASSERT_MSG_EQ(sender.GetPool().GetUsed(0), sent - freed, sent);
        NS_TEST_ASSERT_MSG_EQ(sender.MaySend(0, 348576), false, sent);
        NS_TEST_ASSERT_MSG_EQ(sender.MaySend(0, 348575), true, sent);
        freed = sent;
        sender.Learn({0, WrapCredits(static_cast<uint32_t>(freed))});
        NS_TEST_ASSERT_MSG_EQ(sender.GetPool().GetUsed(0), 0, sent);
    }
}

LOSSLESS_TEST(g_suite, "The receiver adds what is lost to what is freed, and no frame twice")
{
    CbfcReceiver receiver;
    CbfcLimits limits;
    limits.reserved[5] = 100;
    receiver.Configure(CbfcSettings(), limits, Callback<DataRate>(), Callback<void>());
    receiver.Arrive(5, 30);
    receiver.Reconcile({5, 42}); // counts the 12 credits of a frame that has not arrived
    NS_TEST_EXPECT_MSG_EQ(receiver.GetStored(5), 30, "as before");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetUntold(5), 12, "free again");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetConsumed(5), 42, "as the sender");
    receiver.Reconcile({5, 42});
    NS_TEST_EXPECT_MSG_EQ(receiver.GetUntold(5), 12, "once");
    receiver.Arrive(5, 10);
    receiver.Reconcile({5, 42}); // the latest frame has overtaken these counters
    NS_TEST_EXPECT_MSG_EQ(receiver.GetStored(5), 40, "the frame is there");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetConsumed(5), 52, "and counts");
}

struct QuietEnd : CbfcLinkEnd
{
    void RequestCounters() override
    {
    }

    void TakeCounters(const CcUpdateHeader& /* counters */) override
    {
        m_taken = Simulator::Now();
    }

    bool IsUp() const override
    {
        return true;
    }

    Time m_taken; ///< arrival time of the counters
};

LOSSLESS_TEST(g_suite, "A CC_Update acts at once, and the CF_Update before it after its response")
{
    QuietEnd end;
    CbfcSettings settings;
    settings.lossless = SetOf(Priority{3});
    auto gate = CreateObject<CbfcGate>();
    gate->Configure(settings, {DataRate("1Gbps"), Time(0), 1500}, &end);
    gate->Attach({DataRate("1Gbps"), Time(0)}, nullptr);
    Frame data;
    data.size = FRAME;
    data.priority = Priority{3};
    gate->NotifySent(data);
    Frame update;
    update.kind = FrameKind::MAC_CONTROL;
    update.packet = MakeCfUpdate({3, 12});
    gate->ReceiveControl(update);
    CcUpdateHeader counters;
    counters.counts = {{3, 12}};
    Simulator::Schedule(NanoSeconds(100),
                        [&] { gate->ReceiveControl(MakeControlFrame(counters)); });
    // 60 quanta are 30 720 ns at 1 Gb/s.
    RunFor(NanoSeconds(30719));
    NS_TEST_EXPECT_MSG_EQ(end.m_taken, NanoSeconds(100), "counters");
    NS_TEST_EXPECT_MSG_EQ(gate->GetSender().GetPool().GetUsed(3), 12, "not yet");
    RunFor(NanoSeconds(2));
    NS_TEST_EXPECT_MSG_EQ(gate->GetSender().GetPool().GetUsed(3), 0, "the update");
}

/// A receiver without a link. Its wire is always free, and its rate can be changed.
class LoneReceiver
{
  public:
    LoneReceiver()
    {
        CbfcLimits limits;
        limits.reserved.fill(1000);
        m_receiver.Configure(CbfcSettings(),
                             limits,
                             MakeCallback(&LoneReceiver::GetRate, this),
                             MakeCallback(&LoneReceiver::Send, this));
    }

    /// Passes a frame through the receiver.
    /// @param at the arrival time, in ns
    void Pass(uint64_t at, uint8_t channel, uint32_t credits)
    {
        Simulator::Schedule(NanoSeconds(at), [this, channel, credits] {
            m_receiver.Arrive(channel, credits);
            m_receiver.Free(channel, credits);
        });
    }

    /// @param at the time, in ns
    void ChangeRate(uint64_t at, const std::string& rate)
    {
        Simulator::Schedule(NanoSeconds(at), [this, rate] { m_rate = DataRate(rate); });
    }

    /// Runs the simulation to its end.
    /// @return the updates in the format "TIME:CHANNEL ", with the time in ns
    std::string Run()
    {
        Simulator::Run();
        return m_text.str();
    }

  private:
    DataRate GetRate() const
    {
        return m_rate;
    }

    void Send()
    {
        if (const Ptr<Packet> update = m_receiver.MakeUpdate())
        {
            m_text << Simulator::Now().GetNanoSeconds() << ':' << +ParseCfUpdate(*update)->channel
                   << ' ';
        }
    }

    CbfcReceiver m_receiver;    ///< receiver under test
    DataRate m_rate{"100Gbps"}; ///< rate of the wire
    std::ostringstream m_text;  ///< see Run()
};

/// The 6400 B between updates take 512 ns at 100 Gb/s and 51 200 ns at 1 Gb/s. The 262 144 B
/// between repetitions take 20 972 ns at 100 Gb/s and 2 097 152 ns at 1 Gb/s.
LOSSLESS_TEST(g_suite, "Spacings are bytes of the wire, at the rate that it has then")
{
    LoneReceiver receiver;
    receiver.Pass(0, 3, 12);
    receiver.Pass(100, 3, 12);
    receiver.ChangeRate(600, "1Gbps");
    receiver.Pass(700, 3, 12);
    receiver.Pass(2000, 3, 12);
    receiver.ChangeRate(150000, "100Gbps");
    receiver.Pass(150000, 3, 12);
    receiver.Pass(150100, 3, 12);
    // The first update is sent at once, the second 512 ns later, and the third another 512 ns
    // later, as scheduled before the change of rate. The fourth follows 51 200 ns after the third;
    // it is also the repetition that was due at 20 972 ns. The fifth is sent at once, because
    // 51 200 ns have passed, and the sixth follows 512 ns later. Nothing is repeated until 52 224 +
    // 2 097 152 ns.
    NS_TEST_EXPECT_MSG_EQ(receiver.Run(),
                          "0:3 512:3 1024:3 52224:3 150000:3 150512:3 2149376:3 ",
                          "times and channels");
}

LOSSLESS_TEST(g_suite, "Most untold credits are told first, equal ones in turn")
{
    LoneReceiver receiver;
    receiver.Pass(0, 1, 5);
    receiver.Pass(10, 2, 1);
    receiver.Pass(20, 3, 50);
    receiver.Pass(30, 1, 7);
    receiver.Pass(1100, 4, 1); // as many credits as channel 2, which is served first
    // Updates are 512 ns apart. All of them are repeated in turn, beginning 20 972 ns after the
    // first one.
    NS_TEST_EXPECT_MSG_EQ(receiver.Run(),
                          "0:1 512:3 1024:1 1536:2 2048:4 20972:1 21484:2 21996:3 22508:4 ",
                          "times and channels");
}

LOSSLESS_TEST(g_suite, "What is repeated does not wait for a busy channel, nor that one for it")
{
    LoneReceiver receiver;
    for (const uint8_t channel : {1, 2, 3})
    {
        receiver.Pass(0, channel, 5);
    }
    for (uint64_t at = 20500; at < 23000; at += 100)
    {
        receiver.Pass(at, 3, 10);
    }
    // From 20 500 ns on, channel 3 has credits to report every 512 ns, and the other channels have
    // none. At 20 972 ns, repetitions for all three channels are due. The first is for channel 3,
    // which has the most credits. Then, until 23 060 ns, every second update is a repetition. The
    // other updates are for channel 3. The last of them is sent at 23 572 ns. The next repetition
    // for channel 3 is sent at 41 984 ns, 20 972 ns after its repetition at 21 012 ns.
    NS_TEST_EXPECT_MSG_EQ(receiver.Run(),
                          "0:1 512:2 1024:3 20500:3 21012:3 21524:3 22036:1 22548:3 23060:2 "
                          "23572:3 41984:3 ",
                          "times and channels");
}

/// @return the throughput of class 3 from 0.1 to 1 ms in a star with links of 100 Gb/s, in bit/s
double
MeasureRate(uint32_t credits, Time delay)
{
    std::vector<Cable> cables(2);
    cables[0].delay = delay;
    cables[1].delay = NanoSeconds(10);
    auto node = MakeSwitch({{"ChannelCredits", std::to_string(credits)}});
    node->GetSharedBuffer()->SetAttribute("Size", UintegerValue(100000000));
    Star star(node, cables);
    // The number of frames of 120 ns that are sent every 20 us.
    const uint32_t burst = std::min<uint32_t>(credits / 12 + 2, 172);
    for (uint32_t i = 0; i < 50; ++i)
    {
        star.GetHost(0).Send(1, CLASS_3, FRAME, burst, MicroSeconds(20 * i));
    }
    RunFor(MilliSeconds(1));
    const std::vector<Time> times = star.GetHost(1).received.GetTimes();
    const auto frames = std::count_if(times.begin(), times.end(), [](Time time) {
        return time >= MicroSeconds(100);
    });
    Simulator::Destroy();
    return static_cast<double>(frames) * (FRAME + WIRE_OVERHEAD_BYTES) * 8 / 900e-6;
}

LOSSLESS_TEST(g_suite, "The rate of a link is its credits per round trip")
{
    // A frame of 1500 B on the wire arrives 10.12 us after it leaves, and forwarding it takes
    // 0.12 us. Its update takes 0.00064 + 10 us, and the response takes 0.3072 us. The credits thus
    // return after at least 20.54784 us. Updates are 6400 B (0.512 us) apart and report whole
    // frames (0.12 us), so the return takes at most 21.17984 us.
    for (const uint32_t frames : {10U, 20U, 50U})
    {
        const double rate = MeasureRate(12 * frames, MicroSeconds(10));
        const double bits = 1500 * 8 * frames;
        NS_TEST_EXPECT_MSG_LT(rate, bits / 20.54784e-6 * 1.01, frames << " frames");
        NS_TEST_EXPECT_MSG_GT(rate, bits / 21.17984e-6 * 0.99, frames << " frames");
    }
}

LOSSLESS_TEST(g_suite, "A link is full from so many credits on, and not before")
{
    // In the 21.17984 us and 20.54784 us derived above, a sender transmits 176.5 and 171.2 frames,
    // respectively.
    NS_TEST_EXPECT_MSG_GT(MeasureRate(12 * 177, MicroSeconds(10)), 99.9e9, "177");
    NS_TEST_EXPECT_MSG_LT(MeasureRate(12 * 165, MicroSeconds(10)), 96.5e9, "165 / 171.2");
    CbfcSettings settings;
    settings.lossless = 0x7f;
    const PortLink link{DataRate("100Gbps"), MicroSeconds(10), 1500};
    // The round trip holds 2 x 125000 + 2 x 1538 + 6400 + 1538 + 8 + 3840 B. Every 149 B on the
    // wire (125 B without FCS) take 2 credits, so the round trip holds 3555.2 credits. A frame
    // takes 12 more credits.
    NS_TEST_EXPECT_MSG_EQ(settings.GetCreditsForFullRate(link), 3556 + 12, "what is granted");
}

/// Host 0 sends two frames of class 3 over channels that have credits for only one frame.
struct OneFrame
{
    std::string sentence;          ///< title of the test case
    std::list<uint32_t> noUpdates; ///< indices of frames and ordered sets lost on the way to host 0
    std::list<uint32_t> noFrames;  ///< indices of frames lost on the way to the switch
    double start;                  ///< start of the second frame, in ns
};

LOSSLESS_TESTS(g_suite)
{
    // The frame takes 120 ns + 1 us to reach the switch and 120 ns to leave for the other host. The
    // update takes the time of 8 B plus 1 us to return, and the response takes 60 quanta.
    constexpr double sent = 120 + 1000 + 120;
    constexpr double updated = 0.64 + 1000 + 307.2;
    // The interval of 262144 B takes 20971.52 ns. The CC_Update is sent 256 us after the first
    // frame. It takes 84 B on the wire and 1 us of cable delay, and the update then returns.
    constexpr double asked = 256000 + 6.72 + 1000 + updated;
    const std::vector<OneFrame> cases{
        {"A second frame waits for the credits of the first one", {}, {}, sent + updated},
        {"A lost CF_Update is made good after RefreshSpacing", {0}, {}, sent + 20971.52 + updated},
        {"Where the repetition is lost as well, the sender's CC_Update asks again",
         {0, 1},
         {},
         asked},
        {"The credits of a lost frame come back with the next CC_Update", {}, {0}, asked},
    };
    for (const OneFrame& one : cases)
    {
        g_suite.Add(one.sentence, [one] {
            Star star(MakeSwitch({{"ChannelCredits", "12"}}), 2);
            LoseFrames(*star.GetHost(0).device, one.noUpdates);
            LoseFrames(*star.GetPort(0), one.noFrames);
            star.GetHost(0).Send(1, CLASS_3, FRAME, 2);
            RunFor(MilliSeconds(2));
            const auto& starts = star.GetHost(0).source.m_starts;
            NS_TEST_ASSERT_MSG_EQ(starts.size(), 2, "both are sent");
            const double second = starts[1].GetDouble() / NanoSeconds(1).GetDouble();
            NS_TEST_EXPECT_MSG_EQ_TOL(second, one.start, 3, "the second one");
            NS_TEST_EXPECT_MSG_EQ(GetGate(*star.GetHost(0).device).GetSender().IsSettled(),
                                  true,
                                  "no credit is left in use");
            NS_TEST_EXPECT_MSG_EQ(star.GetHost(1).received.m_arrivals.size(),
                                  2 - one.noFrames.size(),
                                  "frames");
        });
    }
}

LOSSLESS_TEST(g_suite, "A network wraps the counters and loses nothing")
{
    // With 1518 credits per frame, the counter wraps after 690 frames.
    auto node = MakeSwitch({{"CreditBytes", "1"}});
    Star star(node, 3);
    star.GetHost(0).Send(2, CLASS_3, 1514, 1000);
    star.GetHost(1).Send(2, CLASS_3, 1514, 1000);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(2).received.m_arrivals.size(), 2000, "frames");
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(2).received.IsInOrder(), true, "order");
    const auto& flowControl = *DynamicCast<CbfcFlowControl>(node->GetFlowControl());
    for (const uint16_t port : {0, 1})
    {
        NS_TEST_EXPECT_MSG_EQ(flowControl.GetReceiver(PortId{port}).GetConsumed(3),
                              1000 * 1518 % (1 << 20),
                              "1.4 turns");
    }
}

/// @return the number of frames of an unblocked flow of class 4 that arrive in 95 us while class 3
/// of the same host waits
std::size_t
CountFreeFrames(const std::string& threshold)
{
    Star star(MakeSwitch({{"Threshold", threshold}}), 5);
    for (const uint32_t host : {0, 1, 2})
    {
        star.GetHost(host).Send(4, CLASS_3, FRAME, 600);
    }
    star.GetHost(0).Send(3, CLASS_4, FRAME, 600, MicroSeconds(20));
    RunFor(MicroSeconds(20 + 95));
    const std::size_t free = star.GetHost(3).received.m_arrivals.size();
    RunFor(MilliSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(4).received.m_arrivals.size(), 1800, threshold);
    Simulator::Destroy();
    return free;
}

LOSSLESS_TEST(g_suite, "A channel that waits never starves another one")
{
    // The 95 us are 791 frame times. Class 3 uses a third of the capacity of its host's link, and
    // the two cables delay frames by 2 us.
    NS_TEST_EXPECT_MSG_GT(CountFreeFrames("None"), 500, "credits of its own fill the link");
    // Without a limit, class 3 takes all shared credits. Class 4's own 12 + 86 credits (6400 B with
    // 2 credits per 149 B) allow 8 frames per round trip. A round trip takes 2.55 us plus up to one
    // update spacing for each of the two channels, or at most 3.58 us, so at least 8 x 93 / 3.58 =
    // 207 frames arrive.
    const std::size_t fixed = CountFreeFrames("Static");
    NS_TEST_EXPECT_MSG_GT(fixed, 207, "reserved credits are left");
    NS_TEST_EXPECT_MSG_LT(fixed, 300, "and nothing else: 8 x 95 / 2.55");
    NS_TEST_EXPECT_MSG_GT(CountFreeFrames("Dynamic"), 400, "half of the shared credits are left");
}

/// Host 0 fills the link to host 2 in class 3. Host 1 sends a frame to host 2 every 480 ns and uses
/// the other classes in turn.
/// @return the time at which class 3 has finished
Time
SendBesideOthers(uint32_t others)
{
    const std::array<uint8_t, 6> classes{0, 1, 2, 4, 5, 6};
    Star star(MakeSwitch(), 3, {DataRate("100Gbps"), NanoSeconds(25)});
    star.GetHost(0).Send(2, CLASS_3, FRAME, 2000);
    for (uint32_t i = 0; i < 500; ++i)
    {
        star.GetHost(1).Send(2, 8 * classes[i % others], 76, 1, NanoSeconds(480 * i));
    }
    Simulator::Run();
    const Time end = star.GetHost(2).received.GetArrivals(Priority{3}).back().time;
    Simulator::Destroy();
    return end;
}

LOSSLESS_TEST(g_suite, "Channels with little to send do not take the updates of one with much")
{
    // 220 credits allow 18 frames of 120 ns, which fill the link for 2160 ns. From the first bit of
    // a frame until its credits return, 120 + 25 + 0.64 + 25 + 307.2 ns pass, plus 512 ns for each
    // update before its own. If 7 channels took turns, there would be 7 such updates, and the link
    // would carry only 18 frames in 4060 ns. Here, at least every second update is for class 3, so
    // the link remains full. It carries 2000 frames of 120 ns and up to 500 frames of 8 ns, and the
    // last frame arrives 170 ns after that.
    for (const uint32_t others : {1U, 2U, 3U, 6U})
    {
        const Time end = SendBesideOthers(others);
        NS_TEST_EXPECT_MSG_GT(end, NanoSeconds(240000 + 170), others << " others");
        NS_TEST_EXPECT_MSG_LT(end, NanoSeconds(244000 + 170 + 100), others << " others");
    }
}

LOSSLESS_TEST(g_suite, "Classes share a channel, if they are told to, and its credits")
{
    for (const auto& [channels, frames] :
         {std::pair("0,1,2,3,4,5,6,7", 2U), std::pair("0,1,2,31,31,5,6,7", 1U)})
    {
        Star star(MakeSwitch({{"ChannelCredits", "12"}, {"Channels", channels}}), 2);
        star.GetHost(0).Send(1, CLASS_3, FRAME);
        star.GetHost(0).Send(1, CLASS_4, FRAME);
        RunFor(MicroSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(star.GetHost(0).source.m_starts.size(), frames, channels);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(star.GetHost(1).received.m_arrivals.size(), 2, channels);
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "Updates take 8 bytes of the wire in 6400, and none when nothing moves")
{
    auto node = MakeSwitch();
    Star star(node, 2);
    uint32_t updates = 0;
    uint32_t counters = 0;
    ListenTo(*node->GetFlowControl(), "ControlSent", [&](PortId port, Ptr<const Packet> packet) {
        (IsOrderedSet(*packet) ? updates : counters) += port == PortId{0} ? 1 : 0;
    });
    star.GetHost(0).Send(1, CLASS_3, FRAME, 1000);
    Simulator::Run();
    // 1000 frames take 120 us, or 234.4 update spacings. One more update follows, and another one
    // repeats it.
    NS_TEST_EXPECT_MSG_EQ_TOL(updates, 236, 3, "updates");
    NS_TEST_EXPECT_MSG_EQ(counters, 0, "it has sent nothing by that port");
    NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MicroSeconds(300), "then it is silent");
}

LOSSLESS_TEST(g_suite, "On a link that has become slower they still do")
{
    auto node = MakeSwitch();
    Star star(node, 2);
    uint32_t updates = 0;
    ListenTo(*node->GetFlowControl(), "ControlSent", [&](PortId port, Ptr<const Packet> packet) {
        updates += port == PortId{0} && IsOrderedSet(*packet) ? 1 : 0;
    });
    for (const auto& device : {star.GetHost(0).device, star.GetPort(0)})
    {
        Simulator::Schedule(MicroSeconds(1),
                            &LosslessNetDevice::ChangeRate,
                            device,
                            DataRate("10Gbps"));
    }
    star.GetHost(0).Send(1, CLASS_3, FRAME, 1000, MicroSeconds(2));
    Simulator::Run();
    // As at 100 Gb/s, 1000 frames take 234.4 update spacings: a frame arrives every 1200 ns, and
    // the update spacing is 5120 ns.
    NS_TEST_EXPECT_MSG_EQ_TOL(updates, 236, 3, "updates");
}

LOSSLESS_TEST(g_suite, "Updates between frames cost the frames 8 bytes each, and no overhead")
{
    Star star(MakeSwitch(), 2);
    star.GetHost(0).Send(1, CLASS_3, FRAME, 1000);
    star.GetHost(1).Send(0, CLASS_3, FRAME, 1000);
    Simulator::Run();
    const std::vector<Time> times = star.GetHost(0).received.GetTimes();
    NS_TEST_ASSERT_MSG_EQ(times.size(), 1000, "frames");
    // 1001 frames of 120 ns and two cables take 122 120 ns. Each link also carries about 234
    // updates of 0.64 ns; the second link sends some of them in the gaps that the first link
    // leaves. If updates were 24 B longer, they would take 600 ns on each link.
    const Time late = times.back() - NanoSeconds(1001 * 120 + 2000);
    NS_TEST_EXPECT_MSG_GT(late, NanoSeconds(100), "they take time");
    NS_TEST_EXPECT_MSG_LT(late, NanoSeconds(400), "but no more than that");
}

std::string
GetError(const Attributes& attributes, uint64_t size = 100000000)
{
    return GetAbortMessage([&] {
        auto node = MakeSwitch(attributes);
        node->GetSharedBuffer()->SetAttribute("Size", UintegerValue(size));
        Star star(node, 2);
        Simulator::Run();
    });
}

LOSSLESS_TEST(g_suite, "What cannot work is refused, with the numbers")
{
    const std::vector<std::pair<Attributes, std::string>> rows{
        {{{"ChannelCredits", "11"}}, "has 11 credits of 128 B to itself, and the largest frame"},
        {{{"RefreshSpacing", "20000"}}, "RefreshSpacing is 20000 B; it must be a multiple of"},
        {{{"RefreshSpacing", "16384"}, {"UpdateSpacing", "16385"}}, "must not exceed"},
        {{{"Channels", "0,1,2"}}, "Channels is \"0,1,2\"; it must be the channels of classes"},
        {{{"Channels", "0,1,2,3,4,5,6,32"}}, "eight numbers from 0 to 31"},
        {{{"Channels", "0,1,2,3,4,5,7,7"}}, "channel 7 is that of class 7, which is lossy"},
        {{{"Threshold", "Some"}}, "it must be None, Static or Dynamic"},
        {{{"PortCredits", "500"}}, "PortCredits is set, but with Threshold None"},
        {{{"SharedCredits", "500"}}, "SharedCredits is set, but Threshold is None"},
        {{{"SharedExponent", "1"}}, "SharedExponent is set, but Threshold is None"},
        {{{"Threshold", "Static"}, {"PortCredits", "50"}},
         "PortCredits is 50; it must be at least"},
        {{{"ChannelCredits", "1000000"}}, "grants 7000000 credits of 128 B"},
    };
    for (const auto& [attributes, sentence] : rows)
    {
        ExpectPart(GetError(attributes), sentence);
    }
    ExpectPart(GetError({{"ChannelCredits", "100"}}, 20000), "the memory has only");
    NS_TEST_EXPECT_MSG_EQ(GetError({{"ChannelCredits", "12"}}), "", "one frame is enough");
}

LOSSLESS_TEST(g_suite, "A memory that credits fill has no room for lossy classes, and is refused")
{
    const Attributes attributes{{"ChannelCredits", "12"}};
    const std::string small = GetError(attributes, 20000);
    const std::string before = "the credits of all ports can take ";
    const std::size_t place = small.find(before);
    NS_TEST_ASSERT_MSG_NE(place, std::string::npos, small);
    const uint64_t granted = std::stoull(small.substr(place + before.size()));
    ExpectPart(GetError(attributes, granted + 1513), "a frame of a lossy class takes 1514 B");
    NS_TEST_EXPECT_MSG_EQ(GetError(attributes, granted + 1514), "", "one frame of those has room");
}

LOSSLESS_TEST(g_suite, "Both ends of a link must have CBFC")
{
    ExpectStop("which has no CBFC", [] {
        uint32_t made = 0;
        Ring ring([&]() -> Ptr<SwitchNode> {
            return made++ == 0 ? Ptr<SwitchNode>(CreateObject<PfcSwitchNode>())
                               : Ptr<SwitchNode>(MakeSwitch());
        });
        Simulator::Run();
    });
}

LOSSLESS_TEST(g_suite, "A ring without credits is locked, as one of PFC is")
{
    Ring ring([] { return MakeSwitch({{"ChannelCredits", "120"}}); });
    auto detector = CreateObject<DeadlockDetector>();
    ring.Watch(*detector);
    ring.Send(2, 2000);
    RunFor(MilliSeconds(10));
    NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "one, reported once");
    NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks()[0].GetCycle(),
                          "s0>s1 class 3 -> s1>s2 class 3 -> s2>s0 class 3 -> s0>s1 class 3",
                          "the ring");
}

/// Two switches with one host each.
Topology
MakeSlowLine(const std::string& slow)
{
    return MakeTopology("s0,s1,10Gbps,1us\nh0,s0,10Gbps,1us\nh1,s1," + slow + ",1us\n");
}

/// @return switches whose channels have 240 credits, or 30720 B
SwitchHelper
MakeSmallSwitches()
{
    SwitchHelper switches("ns3::lossless::CbfcSwitchNode");
    switches.SetFlowControlAttribute("ChannelCredits", UintegerValue(240));
    return switches;
}

/// At 10 Mb/s, no frame leaves the switch within 200 us.
LOSSLESS_TEST(g_suite, "A NIC keeps to its credits, and uses them, with packets of different sizes")
{
    // For two of the three sizes, the last packet is not full.
    for (const uint64_t bytes : {1000000, 20500, 700})
    {
        Fabric fabric(MakeSlowLine("10Mbps"), MakeSmallSwitches());
        fabric.StartFlows({{0, 0, 1, 3, bytes, Time(0), ""}, {1, 0, 1, 3, 1000000, Time(0), ""}});
        RunFor(MicroSeconds(200));
        const CbfcPool& pool = GetGate(*fabric.GetHostDevice(0)).GetSender().GetPool();
        NS_TEST_EXPECT_MSG_LT(pool.GetUsed(3), 241, "all, of " << bytes << " B");
        NS_TEST_EXPECT_MSG_GT(pool.GetUsed(3), 231, "less than a packet is left");
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "Who is held by credits is recorded as paused, and as a cause")
{
    Fabric fabric(MakeSlowLine("1Gbps"), MakeSmallSwitches());
    ResultsWriter results("");
    results.AddFabric(fabric);
    fabric.StartFlows({{0, 0, 1, 3, 1000000, Time(0), ""}});
    RunFor(MilliSeconds(20));
    const std::vector<PauseRecord> pauses = results.Get<PauseRecorder>()->GetPauses();
    NS_TEST_ASSERT_MSG_EQ(pauses.size(), 2, "s1 holds s0, and s0 the host");
    for (const PauseRecord& record : pauses)
    {
        NS_TEST_EXPECT_MSG_EQ(record.kind, PauseRecord::Kind::CLASS, record.node);
        NS_TEST_EXPECT_MSG_EQ(*record.priority, Priority{3}, record.node);
        NS_TEST_EXPECT_MSG_GT(record.pauses, 10, record.node);
        NS_TEST_EXPECT_MSG_EQ(record.resumes, record.pauses, record.node << ": none is left");
    }
    NS_TEST_EXPECT_MSG_EQ(results.Get<PausePropagation>()->GetDepths().size(), 2, "two hops of it");
    NS_TEST_EXPECT_MSG_EQ(results.Get<FlowRecorder>()->GetFlows().at(0).isReceived, true, "all");
}

/// Draws settings with credits for little more than the largest frame, infrequent updates and
/// shared channels. Some networks use the module's defaults.
void
DrawSettings(RandomNetwork& network, SwitchHelper& switches)
{
    const auto set = [&switches](const std::string& name, const std::string& value) {
        switches.SetFlowControlAttribute(name, StringValue(value));
    };
    if (network.Draw(0, 3) == 0)
    {
        return;
    }
    const std::string credit = network.DrawOf({"32", "64", "100", "128", "208", "256", "1000"});
    const int32_t overhead = static_cast<int32_t>(network.Draw(0, 143)) - 16;
    set("CreditBytes", credit);
    set("PacketOverhead", std::to_string(overhead));
    set("Threshold", network.DrawOf({"None", "Static", "Dynamic"}));
    set("UpdateSpacing", network.DrawOf({"800", "1600", "6400", "16000"}));
    set("RefreshSpacing", network.DrawOf({"16384", "262144", "1048576"}));
    set("CounterPeriod", network.DrawOf({"5us", "50us", "256us"}));
    set("Channels", network.DrawOf({"0,1,2,3,4,5,6,7", "7,6,5,4,3,2,1,0", "9,31,31,30,9,5,6,7"}));
    if (network.Draw(0, 1) == 1)
    {
        const uint32_t largest = (network.m_mtu + 18 + overhead) / std::stoul(credit) + 1;
        set("ChannelCredits", std::to_string(largest + network.Draw(0, 3 * largest)));
    }
}

const RegisterRandomPart g_random(
    {"ns3::lossless::CbfcSwitchNode",
     &DrawSettings,
     nullptr,
     nullptr,
     {Trouble::NONE, Trouble::CUTS, Trouble::ERRORS, Trouble::RETRY}});

/// Switches need memory for the credits and at least one lossy frame.
const RegisterRandomPart g_randomMemory(
    {"ns3::lossless::CbfcBufferPolicy", nullptr, [](RandomNetwork& network, SwitchNode& node) {
         const auto policy = DynamicCast<CbfcBufferPolicy>(node.GetBufferPolicy());
         const auto control = DynamicCast<CbfcFlowControl>(node.GetFlowControl());
         policy->SetFlowControl(PeekPointer(control));
         const auto error = policy->Configure(network.MakeShape(node));
         NS_ABORT_MSG_IF(error, *error);
         return policy->GetGrantedBytes() + network.Draw(10000, 60000);
     }});

/// On each link and channel, the credits that the sender has in use always equal the credits of the
/// frames on the wire, of the frames stored by the receiver, and of the freed frames not yet
/// reported to the sender. Together with the free credits, they equal the grant. If the link
/// retransmits frames, those frames in its replay buffer that have not arrived count as frames on
/// the wire. If frames are lost, both ends need some time to agree; until then, the sender has more
/// credits in use than the frames take. While a cable is cut, the ends cannot agree.
class CreditLaw : public Law
{
  public:
    explicit CreditLaw(Trouble trouble)
        : m_trouble(trouble)
    {
    }

    void Begin(RandomNetwork& network) override
    {
        m_network = &network;
        m_directions.clear();
        network.ForEachDevice([this](LosslessNetDevice& device) {
            m_directions.push_back({&device, device.GetPeer(), {}, {}});
        });
        for (std::size_t i = 0; i < m_directions.size(); ++i)
        {
            m_directions[i].from->TraceConnectWithoutContext(
                "PhyTxBegin",
                MakeCallback(&CreditLaw::Follow, this).Bind(i, 1));
            m_directions[i].to->TraceConnectWithoutContext(
                "PhyRxEnd",
                MakeCallback(&CreditLaw::Follow, this).Bind(i, -1));
        }
    }

    std::string Check() override
    {
        std::string error;
        for (std::size_t i = 0; i < m_directions.size() && error.empty(); ++i)
        {
            error = CheckDirection(m_directions[i]);
        }
        return error;
    }

    std::string End() override
    {
        std::ostringstream error;
        for (const Direction& direction : m_directions)
        {
            for (uint8_t channel = 0; channel < NUM_CHANNELS; ++channel)
            {
                const bool isLeft = GetPool(direction).GetUsed(channel) > 0 ||
                                    GetReceiver(*direction.to).GetStored(channel) > 0;
                error << (isLeft ? "a channel is left with credits in use; " : "");
            }
        }
        m_network->ForEachSwitch([this, &error](SwitchNode& node) {
            const bool isLossy =
                m_trouble == Trouble::ERRORS && node.GetCounts().losslessDropped > 0;
            error << (isLossy ? "lossless frames are lost; " : "");
        });
        return error.str();
    }

    std::string FindRare(uint64_t networks) const override
    {
        const bool isEnough =
            m_looks > 300 * networks && (m_trouble == Trouble::CUTS || 2 * m_comparisons > m_looks);
        return isEnough ? ""
                        : std::to_string(m_looks) + " channels with credits in use, " +
                              std::to_string(m_comparisons) + " compared at both ends";
    }

  private:
    /// One direction of a link.
    struct Direction
    {
        Ptr<LosslessNetDevice> from; ///< the sender
        Ptr<LosslessNetDevice> to;   ///< the receiver
        /// Credits of frames that have begun to leave but have not arrived, by channel.
        std::map<uint8_t, int64_t> onWire;
        std::set<uint64_t> begun; ///< UIDs of frames that have begun to leave
    };

    /// Records that a frame begins to leave or has arrived.
    void Follow(std::size_t index, int sign, Ptr<const Packet> packet)
    {
        Direction& direction = m_directions[index];
        const auto& settings = GetGate(*direction.from).GetSettings();
        const Frame frame = ParseFrame(packet->Copy());
        // A retransmitted frame has already taken its credits and arrives only once.
        const bool isAgain = sign > 0 && !direction.begun.insert(packet->GetUid()).second;
        if (frame.kind != FrameKind::MAC_CONTROL && !isAgain &&
            Contains(settings.lossless, frame.priority))
        {
            direction.onWire[settings.GetChannel(frame.priority)] +=
                sign * static_cast<int64_t>(settings.GetCredits(frame.size));
        }
    }

    static const CbfcPool& GetPool(const Direction& direction)
    {
        return GetGate(*direction.from).GetSender().GetPool();
    }

    static const CbfcReceiver& GetReceiver(const LosslessNetDevice& device)
    {
        if (const auto host = device.GetObject<CbfcHost>())
        {
            return host->GetReceiver();
        }
        const auto node = DynamicCast<SwitchNode>(device.GetNode());
        return DynamicCast<CbfcFlowControl>(node->GetFlowControl())
            ->GetReceiver(PortId{static_cast<uint16_t>(device.GetIfIndex())});
    }

    std::string CheckDirection(const Direction& direction)
    {
        const CbfcPool& pool = GetPool(direction);
        const CbfcReceiver& receiver = GetReceiver(*direction.to);
        // After a cut, the two ends restart at different times.
        const bool isCompared = !m_network->m_facts.hasCuts;
        std::ostringstream error;
        for (const auto& [channel, onWire] : direction.onWire)
        {
            const uint64_t inUse = pool.GetUsed(channel);
            const uint64_t stored = receiver.GetStored(channel);
            const uint64_t known =
                stored + receiver.GetUntold(channel) + (m_trouble == Trouble::ERRORS ? 0 : onWire);
            // The remaining difference consists of updates in flight and losses that the receiver
            // has not noticed.
            const bool isConserved = !isCompared || (onWire >= 0 && inUse >= known);
            m_looks += inUse > 0 ? 1 : 0;
            m_comparisons += isCompared && inUse > 0 ? 1 : 0;
            if (!isConserved || pool.GetAllUsed() > pool.GetLimits().total)
            {
                error << Simulator::Now().GetNanoSeconds() << " ns, node "
                      << direction.from->GetNode()->GetId() << " to "
                      << direction.to->GetNode()->GetId() << ", channel " << +channel << ": in use "
                      << inUse << " of all " << pool.GetAllUsed() << ", on the wire " << onWire
                      << ", stored " << stored << ", not told " << receiver.GetUntold(channel);
            }
        }
        return error.str();
    }

    Trouble m_trouble;                   ///< kind of disturbance in the networks
    RandomNetwork* m_network{nullptr};   ///< the current network
    std::vector<Direction> m_directions; ///< state of each direction of its links
    uint64_t m_looks{0};                 ///< number of checks of channels with credits in use
    uint64_t m_comparisons{0};           ///< number of these checks that compare both ends
};

const RegisterLaw g_credits([](const SwitchKind& kind, Trouble trouble) -> std::unique_ptr<Law> {
    // The law does not hold with a watchdog, which makes senders send frames without credits.
    const bool isFor = kind.scheme.name == "CBFC" && trouble != Trouble::WATCHDOG;
    return isFor ? std::make_unique<CreditLaw>(trouble) : nullptr;
});

} // namespace ns3::lossless::tests::THIS_FILE
