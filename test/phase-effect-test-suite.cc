// SPDX-License-Identifier: GPL-2.0-only
//
// Tests how losses at a full queue are distributed among senders of equal rate, and that the jitter
// of cables equalizes these losses.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/headroom-buffer-policy.h"
#include "ns3/raw-source.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-phase-effect", SYSTEM);

Ptr<LosslessChannel>
GetCable(const LosslessNetDevice& device)
{
    return DynamicCast<LosslessChannel>(device.GetChannel());
}

constexpr uint32_t FRAMES = 2000;

constexpr int64_t JITTER_NS = 1000;

/// @return the arrival times of the frames, in ns
std::vector<int64_t>
SimulateJitter(int64_t stream, Time gap)
{
    Pair pair;
    Ptr<LosslessChannel> cable = GetCable(*pair.GetHost(0).device);
    NS_TEST_EXPECT_MSG_EQ(cable->AssignStreams(stream), 0, "without jitter");
    cable->SetAttribute("Jitter", TimeValue(NanoSeconds(JITTER_NS)));
    NS_TEST_EXPECT_MSG_EQ(cable->AssignStreams(stream), 2, "with jitter");
    for (uint32_t i = 0; i < FRAMES; ++i)
    {
        pair.GetHost(0).Send(1, 0, 1514, 1, i * gap);
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.GetHost(1).received.IsInOrder(), true, "order");
    std::vector<int64_t> times;
    for (const Time& time : pair.GetHost(1).received.GetTimes())
    {
        times.push_back(time.GetNanoSeconds());
    }
    Simulator::Destroy();
    return times;
}

/// Frames of 1514 B at 100 Gb/s take 123.04 ns on the wire, so a single frame arrives at least
/// 1123 ns after its first bit leaves. The mean of 2000 draws has a standard deviation of 1001 /
/// sqrt(12 x 2000) = 6.5 ns.
LOSSLESS_TEST(g_suite, "Jitter by a stream of its own: uniform")
{
    const std::vector<int64_t> times = SimulateJitter(1, MicroSeconds(10));
    NS_TEST_ASSERT_MSG_EQ(times.size(), FRAMES, "all frames arrive");
    int64_t least = JITTER_NS;
    int64_t most = 0;
    double sum = 0;
    for (uint32_t i = 0; i < FRAMES; ++i)
    {
        const int64_t late = times[i] - 10000 * i - 1123;
        least = std::min(least, late);
        most = std::max(most, late);
        sum += late;
    }
    NS_TEST_EXPECT_MSG_EQ((least >= 0 && least < 10), true, "least " << least);
    NS_TEST_EXPECT_MSG_EQ((most <= JITTER_NS && most > JITTER_NS - 10), true, "most " << most);
    NS_TEST_EXPECT_MSG_EQ_TOL(sum / FRAMES, JITTER_NS / 2.0, 30, "mean");
    NS_TEST_EXPECT_MSG_EQ((SimulateJitter(1, MicroSeconds(10)) == times), true, "the same stream");
    NS_TEST_EXPECT_MSG_EQ((SimulateJitter(2, MicroSeconds(10)) == times), false, "another stream");
}

LOSSLESS_TEST(g_suite, "Back to back, most frames would overtake another one")
{
    const std::vector<int64_t> times = SimulateJitter(1, Time(0));
    NS_TEST_ASSERT_MSG_EQ(times.size(), FRAMES, "all frames arrive");
    NS_TEST_EXPECT_MSG_EQ(std::is_sorted(times.begin(), times.end()), true, "none overtakes");
    for (uint32_t i = 0; i < FRAMES; ++i)
    {
        const auto earliest = static_cast<int64_t>((i + 1) * 123.04) + 1000;
        NS_TEST_ASSERT_MSG_EQ((times[i] >= earliest && times[i] <= earliest + JITTER_NS),
                              true,
                              "frame " << i << " at " << times[i]);
    }
}

/// The headroom is 2 (12 500 + 1500) + 3840 + 1674 B, plus 2 x 1000 ns x 12.5 B/ns for the jitter.
LOSSLESS_TEST(g_suite, "Jitter by a stream of its own: headroom")
{
    Star star(SwitchHelper().Create(), 2);
    GetCable(*star.GetPort(1))->SetAttribute("Jitter", TimeValue(NanoSeconds(JITTER_NS)));
    star.m_switch->Initialize();
    auto policy = DynamicCast<HeadroomBufferPolicy>(star.m_switch->GetBufferPolicy());
    NS_TEST_EXPECT_MSG_EQ(policy->GetPortHeadroom(PortId{0}), 33514, "without jitter");
    NS_TEST_EXPECT_MSG_EQ(policy->GetPortHeadroom(PortId{1}), 33514 + 25000, "with jitter");
}

/// The setup of a test: the switches, the kind of senders, and the seeds.
struct Meeting
{
    std::string name;       ///< name of the test
    SwitchHelper switches;  ///< switches that drop frames of class 0
    bool roce{false};       ///< true to use RoCE flows instead of raw sources
    std::vector<int> seeds; ///< seeds of the runs with jitter
};

constexpr uint32_t RAW_FRAME_BYTES = 1058;

void
StartSource(const Fabric& fabric, uint32_t from, uint32_t to, Time start)
{
    auto source = CreateObject<RawSource>();
    source->SetAttribute("FrameBytes", UintegerValue(RAW_FRAME_BYTES));
    source->SetAttribute("StartTime", TimeValue(start));
    source->SetDestination(fabric.GetAddress(to),
                           Mac48Address::ConvertFrom(fabric.GetHostDevice(to)->GetAddress()));
    source->Install(fabric.GetHostDevice(from), fabric.GetAddress(from));
}

/// @param seed the seed of the jitter; from 2 onwards, the senders start at different times
/// @return the share of each sender in the frames that arrive
std::vector<double>
Simulate(const Meeting& meeting, uint32_t senders, Time jitter, int seed)
{
    Fabric fabric(Topology::Star({senders + 1}), meeting.switches);
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        GetCable(*fabric.GetHostDevice(host))->SetAttribute("Jitter", TimeValue(jitter));
    }
    fabric.AssignStreams(100 * seed);
    std::vector<uint64_t> bytes(senders, 0);
    ListenTo(*fabric.GetSwitch(0), "Dequeue", [&bytes](const SwitchItem& item) {
        if (Index(item.ingress) < bytes.size())
        {
            bytes[Index(item.ingress)] += item.frame.size;
        }
    });
    FlowList flows;
    for (uint32_t i = 0; i < senders; ++i)
    {
        const Time start = NanoSeconds(29 * (seed - 1) * i);
        if (meeting.roce)
        {
            flows.push_back({i, i, senders, 0, 1000000000, start, ""});
        }
        else
        {
            StartSource(fabric, i, senders, start);
        }
    }
    fabric.StartFlows(flows);
    RunFor(MilliSeconds(2));
    Simulator::Destroy();
    const double sum = std::accumulate(bytes.begin(), bytes.end(), 0.0);
    std::vector<double> shares;
    for (const uint64_t some : bytes)
    {
        shares.push_back(some / sum);
    }
    return shares;
}

/// Senders with equal rates and equal cables send to one host at 100 Gb/s each for 2 ms. Without
/// jitter, all frames that arrive are from the first sender, except those that the queue held when
/// it became full. With a jitter of ten frame times, all senders have equal shares. With some
/// 23 100 frames, a share of 1/n has a standard deviation of at most 0.33 percentage points.
void
CheckShares(const Meeting& meeting)
{
    for (const uint32_t senders : {2, 3, 4, 8})
    {
        const std::vector<double> locked = Simulate(meeting, senders, Time(0), 1);
        NS_TEST_EXPECT_MSG_GT(locked.front(), 0.9, "of the first of " << senders);
        for (const int seed : meeting.seeds)
        {
            for (const double share : Simulate(meeting, senders, MicroSeconds(1), seed))
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(share,
                                          1.0 / senders,
                                          0.015,
                                          "one of " << senders << ", seed " << seed);
            }
        }
    }
    const bool isRepeated =
        Simulate(meeting, 2, MicroSeconds(1), 1) == Simulate(meeting, 2, MicroSeconds(1), 1);
    NS_TEST_EXPECT_MSG_EQ(isRepeated, true, "the seed decides");
}

/// @return switches whose egress queues hold at most 100 frames
SwitchHelper
MakeDropTail()
{
    SwitchHelper switches("ns3::lossless::DropTailSwitchNode");
    switches.SetPolicyAttribute("QueueLimit", QueueSizeValue(QueueSize("100p")));
    return switches;
}

/// @return switches in which class 0 has a dynamic threshold and no flow control
SwitchHelper
MakeLossyClass()
{
    SwitchHelper switches("ns3::lossless::PfcSwitchNode");
    switches.SetAttribute("LosslessClasses", UintegerValue(0x02));
    switches.SetBufferAttribute("Size", UintegerValue(1000000));
    return switches;
}

LOSSLESS_TESTS(g_suite)
{
    const std::vector<Meeting> meetings{{"drop-tail", MakeDropTail(), false, {1, 2, 3}},
                                        {"drop-tail, RoCE", MakeDropTail(), true, {1}},
                                        {"lossy class", MakeLossyClass(), false, {1, 2, 3}},
                                        {"lossy class, RoCE", MakeLossyClass(), true, {1}}};
    for (const Meeting& meeting : meetings)
    {
        g_suite.Add("Senders of equal rate share the losses: " + meeting.name,
                    [meeting] { CheckShares(meeting); });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
