// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/bit-error-model.h"
#include "ns3/cbfc-messages.h"
#include "ns3/drop-reason.h"
#include "ns3/link-retry.h"

// Tests link-layer retry with times computed by hand and with random errors and cuts. Bit errors
// are tested as well.
//
// At 8 Gb/s, each byte takes 1 ns. Frames of 976 B take 1 us to send, and the cable delay is 1 us,
// so a frame arrives 2 us after its transmission starts. An ordered set of 8 B arrives after
// 1.008 us.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-link-retry", UNIT);

constexpr uint32_t FRAME_BYTES = 976;
const Cable CABLE{DataRate("8Gbps"), MicroSeconds(1)};

/// Two hosts with link-layer retry between them; host 0 sends.
struct Scene
{
    explicit Scene(bool hasRetry = true)
        : pair(CABLE)
    {
        if (hasRetry)
        {
            LinkRetry::Install(DynamicCast<LosslessChannel>(GetDevice(0)->GetChannel()));
        }
        for (uint32_t i = 0; i < 2; ++i)
        {
            ListenTo(*GetDevice(i),
                     "Drop",
                     [this](Ptr<const Packet> /* packet */, DropReason reason) {
                         ++drops[ToString(reason)];
                     });
        }
        for (const auto& [trace, count] : {std::pair("PhyRxEnd", &taken), {"PhyRxDrop", &refused}})
        {
            ListenTo(*GetDevice(1), trace, [to = count](Ptr<const Packet>) { ++*to; });
        }
    }

    Ptr<LosslessNetDevice> GetDevice(uint32_t index)
    {
        return pair.GetHost(index).device;
    }

    LinkRetry& GetRetry(uint32_t index)
    {
        return *GetDevice(index)->GetRetry();
    }

    /// @param lost the indices of the frames and ordered sets that arrive corrupt at host 1;
    /// LLR_INIT and its echo have the indices 0 and 1
    void Corrupt(const std::list<uint32_t>& lost)
    {
        LoseFrames(*GetDevice(1), lost);
    }

    Ptr<BitErrorModel> MakeDeaf(uint32_t index)
    {
        auto model = CreateObject<BitErrorModel>();
        GetDevice(index)->SetErrorModel(model);
        return model;
    }

    /// Makes host 0 send frames that take a microsecond each.
    /// @param at the start time, in ns
    void Send(uint32_t count, int64_t at)
    {
        pair.GetHost(0).Send(1, 24, FRAME_BYTES, count, NanoSeconds(at));
    }

    /// @param until the simulated time, in ns
    static void RunUntil(int64_t until)
    {
        RunFor(NanoSeconds(until) - Simulator::Now());
    }

    /// @return the arrival times of frames at host 1, in ns
    std::string GetTimes()
    {
        return ToText(pair.GetHost(1).received.GetTimes());
    }

    Pair pair;                             ///< both hosts
    std::map<std::string, uint64_t> drops; ///< number of drops per reason
    uint64_t taken{0};                     ///< number of frames accepted by host 1
    uint64_t refused{0};                   ///< number of frames rejected by host 1
};

LOSSLESS_TEST(g_suite, "Numbers begin after a round trip of LLR_INIT and its echo")
{
    Scene scene;
    Scene::RunUntil(2015);
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetState(), LinkRetry::State::INIT, "2 x 1008 ns");
    Scene::RunUntil(2017);
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetState(), LinkRetry::State::ADVANCE, "then");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(1).GetState(), LinkRetry::State::ADVANCE, "both ends");
}

LOSSLESS_TEST(g_suite, "Frames leave unprotected until then, or wait")
{
    for (const bool isBlocking : {false, true})
    {
        Config::SetDefault("ns3::lossless::LinkRetry::BlockInInit", BooleanValue(isBlocking));
        Scene scene;
        scene.Send(2, 100);
        Scene::RunUntil(30000);
        // Host 0 echoes the other end's LLR_INIT at 1008 or 1100 ns; the echo takes 8 ns.
        NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(),
                              (isBlocking ? "4016 5016" : "2100 3108"),
                              "arrivals");
        NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(1).GetCounts().rxOk,
                              (isBlocking ? 2U : 0U),
                              "numbered");
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "A corrupt frame and those behind it are sent again, and come in order")
{
    Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing", UintegerValue(8));
    Scene scene;
    scene.Corrupt({3});
    scene.Send(5, 3000);
    Scene::RunUntil(30000);
    // The second frame would arrive at 6000 ns. The NACK sent at that time arrives at 7008 ns,
    // while the last frame is on the wire (until 8000 ns). This frame is discarded, as are the
    // third and fourth frames. The replay begins at 8000 ns.
    NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(), "5000 10000 11000 12000 13000", "arrivals");
    NS_TEST_EXPECT_MSG_EQ(scene.pair.GetHost(1).received.IsInOrder(), true, "in order");
    const LinkRetry::Counts& sender = scene.GetRetry(0).GetCounts();
    const LinkRetry::Counts& receiver = scene.GetRetry(1).GetCounts();
    NS_TEST_EXPECT_MSG_EQ(sender.replays, 1, "one replay");
    NS_TEST_EXPECT_MSG_EQ(sender.timeouts, 0, "for the NACK");
    NS_TEST_EXPECT_MSG_EQ(sender.replayedFrames, 4, "of what was not acknowledged");
    NS_TEST_EXPECT_MSG_EQ(sender.txReplay, 1, "to its end");
    NS_TEST_EXPECT_MSG_EQ(sender.txOk, 5 + 4, "frames sent, each time");
    NS_TEST_EXPECT_MSG_EQ(receiver.txNack, 1, "one NACK");
    NS_TEST_EXPECT_MSG_EQ(sender.rxNack, 1, "that comes");
    NS_TEST_EXPECT_MSG_EQ(receiver.txAck, 5, "one for each that was good");
    NS_TEST_EXPECT_MSG_EQ(sender.rxAck, 5, "that come");
    NS_TEST_EXPECT_MSG_EQ(sender.rxAckNackSeqError, 0, "in order");
    NS_TEST_EXPECT_MSG_EQ(receiver.rxBad, 1, "the corrupt one");
    NS_TEST_EXPECT_MSG_EQ(receiver.rxExpectedSeqBad, 1, "which was the next");
    NS_TEST_EXPECT_MSG_EQ(receiver.rxMissingSeq, 3, "those behind it");
    NS_TEST_EXPECT_MSG_EQ(receiver.rxExpectedSeqGood, 5, "in the end");
    NS_TEST_EXPECT_MSG_EQ(receiver.rxOk, 5 + 3, "intact");
    NS_TEST_EXPECT_MSG_EQ(receiver.rxDuplicateSeq, 0, "none twice");
    NS_TEST_EXPECT_MSG_EQ(receiver.rxReplay, 1, "the replay is seen");
    NS_TEST_EXPECT_MSG_EQ(scene.drops.size(), 0, "nothing is lost");
    NS_TEST_EXPECT_MSG_EQ(scene.taken, 5, "captures show what is taken");
    NS_TEST_EXPECT_MSG_EQ(scene.refused, 1 + 3, "neither the corrupt one nor those behind it");
}

LOSSLESS_TEST(g_suite, "Without retry the same frame is lost")
{
    Scene scene(false);
    scene.Corrupt({1});
    scene.Send(5, 3000);
    Scene::RunUntil(30000);
    NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(), "5000 7000 8000 9000", "arrivals");
    NS_TEST_EXPECT_MSG_EQ(scene.drops["receive-error"], 1, "lost");
}

LOSSLESS_TEST(g_suite, "A frame that is corrupt again waits for the replay timer")
{
    Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing", UintegerValue(8));
    Scene scene;
    scene.Corrupt({3, 7}); // index 7 is the retransmission of the second frame
    scene.Send(5, 3000);
    Scene::RunUntil(60000);
    // The receiver reports nothing until the missing frame arrives. The replay restarts the timer
    // at 7008 ns. The timer expires 2 x 1008 + 4 x (1538 + 8) = 8200 ns later, at 15208 ns.
    NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(), "5000 17208 18208 19208 20208", "arrivals");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetCounts().timeouts, 1, "a timeout");
}

LOSSLESS_TEST(g_suite, "Lost acknowledgements are mended by later ones, and by the timer")
{
    Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing", UintegerValue(8));
    Scene scene;
    auto deaf = scene.MakeDeaf(0);
    Simulator::Schedule(NanoSeconds(4000), &BitErrorModel::SetDead, deaf, true);
    Simulator::Schedule(NanoSeconds(20000), &BitErrorModel::SetDead, deaf, false);
    scene.Send(5, 3000);
    Scene::RunUntil(22400);
    // The timer starts at 3000 ns, so there are replays at 11200 and 19400 ns. The first frame of
    // the second replay arrives at 21400 ns and is acknowledged; the acknowledgement arrives
    // 1008 ns later.
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetCounts().timeouts, 2, "timeouts");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetCounts().replays, 2, "replays");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).IsHolding(), true, "the second one lasts");
    Scene::RunUntil(60000);
    NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(), "5000 6000 7000 8000 9000", "each comes once");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetCounts().timeouts, 2, "no more");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetCounts().replayedFrames,
                          5 + 4,
                          "the fourth of the second replay is on the wire then");
}

LOSSLESS_TEST(g_suite, "What cannot be sent is given up, and the link begins anew")
{
    Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing", UintegerValue(8));
    Scene scene;
    auto deaf = scene.MakeDeaf(1);
    Simulator::Schedule(NanoSeconds(4000), &BitErrorModel::SetDead, deaf, true);
    Simulator::Schedule(NanoSeconds(80000), &BitErrorModel::SetDead, deaf, false);
    scene.Send(5, 3000);
    scene.Send(2, 90000);
    Scene::RunUntil(50000);
    // Timeouts occur at 11200, 19400, 27600 and 35800 ns, and the fourth one exceeds the limit.
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetCounts().replays, 3, "replays");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetCounts().flushes, 1, "a flush");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetState(), LinkRetry::State::INIT, "begins anew");
    Scene::RunUntil(120000);
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetState(), LinkRetry::State::ADVANCE, "it has");
    NS_TEST_EXPECT_MSG_EQ(scene.drops["llr-flush"], 5, "lost, by name");
    NS_TEST_EXPECT_MSG_EQ(scene.drops.size(), 1, "for no other reason");
    NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(), "92000 93000", "later ones come");
}

LOSSLESS_TEST(g_suite, "A cut between LLR_INIT and its echo forgets nothing of what was given up")
{
    Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing", UintegerValue(8));
    Scene scene;
    auto deaf = scene.MakeDeaf(1);
    Simulator::Schedule(NanoSeconds(4000), &BitErrorModel::SetDead, deaf, true);
    Simulator::Schedule(NanoSeconds(35000), &BitErrorModel::SetDead, deaf, false);
    Simulator::Schedule(NanoSeconds(37000), [&scene] { scene.pair.SetLinkUp(false); });
    scene.Send(5, 3000);
    Scene::RunUntil(50000);
    // The LLR_INIT of the flush at 35800 ns arrives at 36808 ns. Host 1 then expects the number
    // that follows the five frames, although it has received none of them.
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(1).GetCounts().rxInit, 2, "it has come");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetCounts().rxInitEcho, 1, "the echo has not");
    NS_TEST_EXPECT_MSG_EQ(scene.drops["link-down"], 5, "all are lost");
}

LOSSLESS_TEST(g_suite, "The frames that may be kept bound the throughput: W per round trip")
{
    Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing", UintegerValue(8));
    Config::SetDefault("ns3::lossless::LinkRetry::MaxFrames", UintegerValue(2));
    Scene scene;
    scene.Send(8, 3000);
    Scene::RunUntil(60000);
    // A frame is acknowledged 1000 + 1000 + 1008 ns after its start. Only then can the second frame
    // after it start.
    NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(),
                          "5000 6000 8008 9008 11016 12016 14024 15024",
                          "two in 3008 ns");
}

LOSSLESS_TEST(g_suite, "By default a link with retry has its full rate")
{
    Scene scene;
    scene.Send(1000, 3000);
    Scene::RunUntil(2000000);
    const std::vector<Time> times = scene.pair.GetHost(1).received.GetTimes();
    NS_TEST_ASSERT_MSG_EQ(times.size(), 1000, "all come");
    NS_TEST_EXPECT_MSG_EQ(times.back(), NanoSeconds(3000 + 1000 * 1000 + 1000), "back to back");
    // At most one ordered set is sent every 2048 ns, or 1000 us / 2.048 us = 488 in total.
    NS_TEST_EXPECT_MSG_LT(scene.GetRetry(1).GetCounts().txAck, 490, "spaced");
    NS_TEST_EXPECT_MSG_GT(scene.GetRetry(1).GetCounts().txAck, 480, "but sent");
}

LOSSLESS_TEST(g_suite, "PAUSEs go ahead of a replay, and are not sent again")
{
    Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing", UintegerValue(8));
    Scene scene;
    scene.Corrupt({3});
    scene.Send(5, 3000);
    SendPfcIn(NanoSeconds(8500), scene.GetDevice(0), SetOf(Priority{4}), 100);
    Scene::RunUntil(9900);
    // The replay uses the wire from 8000 ns onwards. The PAUSE, which takes 84 ns, follows the
    // first frame of the replay.
    Scene::RunUntil(40000);
    NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(), "5000 10000 11084 12084 13084", "84 ns later");
    Scene lost;
    lost.Corrupt({2});
    SendPfcIn(NanoSeconds(3000), lost.GetDevice(0), SetOf(Priority{4}), 100);
    Scene::RunUntil(80000);
    NS_TEST_EXPECT_MSG_EQ(lost.drops["receive-error"], 1, "a PAUSE is lost");
}

LOSSLESS_TEST(g_suite, "Ordered sets take 8 B of the wire from the frames")
{
    Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing", UintegerValue(8));
    Scene scene;
    scene.Send(5, 3000);
    scene.pair.GetHost(1).Send(0, 24, FRAME_BYTES, 5, NanoSeconds(3500));
    Scene::RunUntil(30000);
    // The acknowledgement of the frame that arrives at 5000 ns follows the frame sent at 4500 ns.
    // This acknowledgement starts at 5500 ns and takes 8 ns. In the other direction, an
    // acknowledgement is sent at 6000 ns, after the frame that was sent at 5000 ns.
    NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(), "5000 6000 7000 8008 9016", "two before the fifth");
    NS_TEST_EXPECT_MSG_EQ(ToText(scene.pair.GetHost(0).received.GetTimes()),
                          "5500 6500 7508 8516 9524",
                          "three");
}

LOSSLESS_TEST(g_suite, "Numbers wrap around after 20 bits")
{
    Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing", UintegerValue(8));
    Config::SetDefault("ns3::lossless::LinkRetry::FirstNumber", UintegerValue((1 << 20) - 3));
    Scene scene;
    scene.Corrupt({4}); // the frame with the last sequence number
    scene.Send(8, 3000);
    Scene::RunUntil(60000);
    // The NACK sent at 7000 ns arrives at 8008 ns. The frame on the wire ends at 9000 ns.
    NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(),
                          "5000 6000 11000 12000 13000 14000 15000 16000",
                          "across the end");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetCounts().rxAckNackSeqError, 0, "understood");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(1).GetCounts().rxDuplicateSeq, 0, "none is old");
}

LOSSLESS_TEST(g_suite, "A frame that is kept for too long flushes all")
{
    Config::SetDefault("ns3::lossless::LinkRetry::MaxReplays", UintegerValue(255));
    Config::SetDefault("ns3::lossless::LinkRetry::DataAgeTimeout", TimeValue(MicroSeconds(20)));
    Scene scene;
    auto deaf = scene.MakeDeaf(1);
    Simulator::Schedule(NanoSeconds(4000), &BitErrorModel::SetDead, deaf, true);
    Simulator::Schedule(NanoSeconds(40000), &BitErrorModel::SetDead, deaf, false);
    scene.Send(5, 3000);
    Scene::RunUntil(22999);
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetCounts().flushes, 0, "the first is of 3000 ns");
    Scene::RunUntil(23001);
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetCounts().flushes, 1, "20 us later");
    Scene::RunUntil(90000);
    NS_TEST_EXPECT_MSG_EQ(scene.drops["llr-flush"], 5, "all");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetState(), LinkRetry::State::ADVANCE, "begun anew");
}

/// Cuts the cable from 5500 to 15500 ns while frames are sent.
/// @param timeout the PcsLostTimeout, in ns
void
CutShortly(Scene& scene, int64_t timeout)
{
    for (uint32_t i = 0; i < 2; ++i)
    {
        scene.GetRetry(i).SetAttribute("PcsLostTimeout", TimeValue(NanoSeconds(timeout)));
    }
    Simulator::Schedule(NanoSeconds(5500), [&scene] { scene.pair.SetLinkUp(false); });
    Simulator::Schedule(NanoSeconds(15500), [&scene] { scene.pair.SetLinkUp(true); });
    scene.Send(5, 3000);
    Scene::RunUntil(60000);
}

LOSSLESS_TEST(g_suite, "A link that is down for less than PcsLostTimeout loses nothing")
{
    Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing", UintegerValue(8));
    Scene scene;
    CutShortly(scene, 10001);
    // The acknowledgement of the first frame, sent at 5000 ns, is lost, as are the second and third
    // frames. All three are sent again from 15500 ns onwards, although the first one has already
    // arrived. New frames wait until control frames can have taken effect: eight of them (672 ns),
    // the delay (1000 ns) and 60 quanta (3840 ns), so that the fourth starts at 21012 ns.
    NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(), "5000 18500 19500 23012 24012", "arrivals");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(1).GetCounts().rxDuplicateSeq, 1, "the first");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetCounts().txInit, 1, "it does not begin anew");
    NS_TEST_EXPECT_MSG_EQ(scene.drops.size(), 0, "nothing is lost");
}

LOSSLESS_TEST(g_suite, "A NACK that a short cut loses is followed by another one")
{
    Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing", UintegerValue(8));
    Scene scene;
    scene.Corrupt({2, 3}); // the first frame and its retransmission
    CutShortly(scene, 10001);
    // The cut loses the NACK sent at 5000 ns. The first frame of the replay, sent at 15500 ns,
    // arrives corrupt at 17500 ns. The NACK sent at that time arrives at 18508 ns, when the replay
    // of three frames has ended and new frames still wait (until 21012 ns; see above).
    NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(), "20508 21508 22508 23508 24508", "arrivals");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(1).GetCounts().txNack, 2, "one before and one after");
    NS_TEST_EXPECT_MSG_EQ(scene.GetRetry(0).GetCounts().timeouts, 0, "the timer is not needed");
}

LOSSLESS_TEST(g_suite, "One that is down for longer gives up what the other end does not have")
{
    Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing", UintegerValue(8));
    for (const auto& [timeout, reason] :
         {std::pair(9999, "llr-flush"), std::pair(500, "llr-flush"), std::pair(0, "link-down")})
    {
        Scene scene;
        CutShortly(scene, timeout);
        // The LLR_INIT and its echo precede the fourth frame, which waits until 21012 ns.
        NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(), "5000 23012 24012", "arrivals, " << timeout);
        NS_TEST_EXPECT_MSG_EQ(scene.drops[reason], 2, "the second and the third, " << timeout);
        NS_TEST_EXPECT_MSG_EQ(scene.drops.size(), 1, "no other, " << timeout);
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "Control frames that count what was sent keep their place in a replay")
{
    Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing", UintegerValue(8));
    Scene scene;
    scene.Corrupt({3});
    std::vector<Time> counters; // host 1 drops these frames, because it does not use credits
    ListenTo(*scene.GetDevice(1), "Drop", [&counters](Ptr<const Packet>, DropReason) {
        counters.push_back(Simulator::Now());
    });
    scene.Send(5, 3000);
    for (const int64_t at : {4500, 7500})
    {
        Simulator::Schedule(NanoSeconds(at), [&scene] {
            scene.GetDevice(0)->SendControl(
                MakeMacControlFrame(Mac48Address("02:00:00:00:00:01"), CcUpdateHeader()));
        });
    }
    Scene::RunUntil(40000);
    // The first counter frame occupies the wire for 84 ns, starting at 5000 ns. The second frame,
    // sent before it, is corrupt. Its NACK arrives at 7008 ns. At 7084 ns, the wire is free for the
    // second frame, the first counter frame, and the third and fourth frames. The second counter
    // frame then leaves before the fifth frame. Host 1 processes arriving control frames after a
    // response time of 60 quanta, or 3840 ns.
    NS_TEST_EXPECT_MSG_EQ(scene.GetTimes(), "5000 9084 10168 11168 12252", "frames");
    NS_TEST_EXPECT_MSG_EQ(ToText(counters), "13008 15092", "counters");
}

LOSSLESS_TEST(g_suite, "A frame is corrupt with the probability of its length")
{
    auto model = CreateObject<BitErrorModel>();
    model->SetBitErrorRate(1e-5);
    // The probability of an error in n bytes is 1 - (1 - 1e-5)^(8 n).
    NS_TEST_EXPECT_MSG_EQ_TOL(model->GetProbability(980), 0.0754058, 1e-7, "976 B and FCS");
    NS_TEST_EXPECT_MSG_EQ_TOL(model->GetProbability(8), 6.39798e-4, 1e-8, "an ordered set");
    model->SetBitErrorRate(1e-15);
    NS_TEST_EXPECT_MSG_EQ_TOL(model->GetProbability(980), 7.84e-12, 1e-15, "small rates");
    Scene scene(false);
    auto errors = scene.MakeDeaf(1);
    errors->SetBitErrorRate(1e-5);
    errors->AssignStreams(1);
    scene.Send(10000, 0);
    Scene::RunUntil(20000000);
    // The binomial distribution has a mean of 754 out of 10000 and a standard deviation of 26.4.
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(scene.drops["receive-error"]), 754, 106, "4 s");
}

/// Two hosts that send to each other with random errors and, optionally, cuts.
struct Attack
{
    Attack(uint32_t seed, bool isCut)
    {
        random->SetStream(seed);
        pcsLost = isCut ? random->GetInteger(0, 1) * random->GetInteger(1, 40) : 0;
        Config::SetDefault("ns3::lossless::LinkRetry::ControlSpacing",
                           UintegerValue(random->GetInteger(8, 4000)));
        Config::SetDefault("ns3::lossless::LinkRetry::MaxFrames",
                           UintegerValue(random->GetInteger(0, 20)));
        Config::SetDefault("ns3::lossless::LinkRetry::MaxReplays", UintegerValue(isCut ? 2 : 255));
        Config::SetDefault("ns3::lossless::LinkRetry::BlockInInit",
                           BooleanValue(!isCut || random->GetInteger(0, 1) == 0));
        Config::SetDefault("ns3::lossless::LinkRetry::FirstNumber",
                           UintegerValue((1 << 20) - random->GetInteger(1, 2000)));
        Config::SetDefault("ns3::lossless::LinkRetry::PcsLostTimeout",
                           TimeValue(MicroSeconds(pcsLost)));
        Config::SetDefault("ns3::lossless::LinkRetry::DataAgeTimeout",
                           TimeValue(MicroSeconds(isCut && seed % 4 == 0 ? 30 : 0)));
        scene.emplace();
        for (uint32_t i = 0; i < 2; ++i)
        {
            auto errors = scene->MakeDeaf(i);
            errors->SetBitErrorRate(std::pow(10, random->GetValue(-6.5, -4.3)));
            errors->AssignStreams(100 * seed + i);
            for (uint32_t burst = 0; burst < 40; ++burst)
            {
                const uint32_t count = random->GetInteger(1, 20);
                sent += count;
                scene->pair.GetHost(i).Send(1 - i,
                                            24,
                                            random->GetInteger(60, 1514),
                                            count,
                                            MicroSeconds(25 * burst + random->GetInteger(0, 24)));
            }
        }
        for (uint32_t cut = 0; isCut && cut < 10; ++cut)
        {
            const int64_t at = random->GetInteger(100 * cut, 100 * cut + 40);
            const int64_t length = random->GetInteger(1, 50);
            const auto set = [this](bool up) { scene->pair.SetLinkUp(up); };
            Simulator::Schedule(MicroSeconds(at) + NanoSeconds(random->GetInteger(0, 999)),
                                [set] { set(false); });
            Simulator::Schedule(MicroSeconds(at + length), [set] { set(true); });
        }
        Scene::RunUntil(100000000);
    }

    std::size_t CountArrived()
    {
        return scene->pair.GetHost(0).received.m_arrivals.size() +
               scene->pair.GetHost(1).received.m_arrivals.size();
    }

    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>(); ///< random numbers
    std::optional<Scene> scene;                                                ///< both hosts
    uint64_t sent{0};    ///< number of frames sent
    uint32_t pcsLost{0}; ///< PcsLostTimeout, in us
};

LOSSLESS_TESTS(g_suite)
{
    for (uint32_t seed = 1; seed <= 16; ++seed)
    {
        g_suite.Add("Random errors lose, repeat and reorder nothing, seed " + std::to_string(seed),
                    [seed] {
                        Attack attack(seed, false);
                        NS_TEST_EXPECT_MSG_EQ(attack.CountArrived(), attack.sent, "all, once");
                        NS_TEST_EXPECT_MSG_EQ(attack.scene->drops.size(), 0, "nothing is lost");
                        for (uint32_t i = 0; i < 2; ++i)
                        {
                            NS_TEST_EXPECT_MSG_EQ(
                                attack.scene->pair.GetHost(i).received.IsInOrder(),
                                true,
                                "in order");
                        }
                    });
        g_suite.Add(
            "Errors and cuts: each frame comes once or is counted, seed " + std::to_string(seed),
            [seed] {
                Attack attack(seed, true);
                uint64_t lost = 0;
                for (const auto& [reason, frames] : attack.scene->drops)
                {
                    lost += frames;
                }
                NS_TEST_EXPECT_MSG_EQ(attack.CountArrived() + lost, attack.sent, "each");
                NS_TEST_EXPECT_MSG_GT(lost + attack.pcsLost, 0, "cuts lose some");
                NS_TEST_EXPECT_MSG_EQ(attack.scene->GetRetry(0).GetState(),
                                      LinkRetry::State::ADVANCE,
                                      "it works again");
                for (uint32_t i = 0; i < 2; ++i)
                {
                    NS_TEST_EXPECT_MSG_EQ(attack.scene->pair.GetHost(i).received.IsInOrder(),
                                          true,
                                          "in order");
                }
            });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
