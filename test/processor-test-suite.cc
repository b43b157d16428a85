// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/capfc-buffer-policy.h"
#include "ns3/packet-processor.h"

// Tests SharedProcessor between the two memories of a switch. The processor stops while the egress
// queue of its next frame is full, and PFC protects the ingress side. Randomized tests are in the
// suite lossless-conservation (PFC-wstop).

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-processor", UNIT);

/// A frame of this size takes a microsecond on the wire.
constexpr uint32_t FRAME_BYTES = Ring::FRAME_BYTES;

/// @return a switch that pauses an ingress queue above 20 frames and resumes it below 10
Ptr<SwitchNode>
MakeSwitch(Ptr<SharedProcessor> processor, uint32_t frames)
{
    auto policy = CreateObject<CapfcBufferPolicy>();
    policy->SetAttribute("IngressMax", UintegerValue(1000 * FRAME_BYTES));
    policy->SetAttribute("IngressXoff", UintegerValue(20 * FRAME_BYTES));
    policy->SetAttribute("IngressXon", UintegerValue(10 * FRAME_BYTES));
    // An additional half frame of capacity ensures that a last frame of maximum size fits.
    policy->SetAttribute("EgressMax", UintegerValue(frames * FRAME_BYTES + 600));
    policy->SetAttribute("WaitForEgress", BooleanValue(true));
    auto node = CreateObject<SwitchNode>();
    node->SetBufferPolicy(policy);
    node->SetFlowControl(CreateObject<PfcFlowControl>());
    node->SetProcessor(processor);
    return node;
}

/// @param rate the number of frames that the processor forwards per second, or 0 for no limit
std::unique_ptr<Star>
MakeStar(uint32_t hosts, double rate, Time latency = Time(0), uint32_t frames = 10)
{
    const auto processor = CreateObjectWithAttributes<SharedProcessor>("Rate",
                                                                       DoubleValue(rate),
                                                                       "Latency",
                                                                       TimeValue(latency));
    return std::make_unique<Star>(MakeSwitch(processor, frames),
                                  hosts,
                                  Cable{DataRate("8Gbps"), MicroSeconds(1)});
}

/// Hosts 0 and 1 send three frames each to host 2.
/// @param star a star with an egress queue of one frame
/// @param first the arrival time of the first frame, in ns; the others follow at intervals of a
/// microsecond
void
CheckOneByOne(Star& star, int64_t first)
{
    star.GetHost(0).Send(2, 24, FRAME_BYTES, 3);
    star.GetHost(1).Send(2, 24, FRAME_BYTES, 3);
    Simulator::Run();
    std::vector<Time> expected;
    for (uint32_t i = 0; i < 6; ++i)
    {
        expected.push_back(NanoSeconds(first + 1000 * i));
    }
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(star.GetHost(2).received.GetTimes(), expected),
                          "",
                          "arrivals");
    NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetProcessor()->GetStopped(), nullptr, "it goes on");
}

/// Two hosts send to a third host, and one of them also sends to a fourth host.
LOSSLESS_TEST(g_suite, "A full egress queue stops the processor, PFC the hosts; nothing is lost")
{
    auto star = MakeStar(4, 0);
    PauseRecorder pauses;
    pauses.WatchSwitch("s", star->m_switch);
    star->GetHost(0).Send(2, 24, FRAME_BYTES, 300);
    star->GetHost(1).Send(2, 24, FRAME_BYTES, 300);
    star->GetHost(3).Send(0, 24, FRAME_BYTES, 300); // frames for an idle port
    uint32_t stopped = 0;
    for (uint32_t i = 0; i < 600; ++i)
    {
        Simulator::Schedule(MicroSeconds(i), [&]() {
            SwitchNode& node = *star->m_switch;
            stopped += node.GetProcessor()->GetStopped() != nullptr;
            const SharedBuffer& buffer = *node.GetSharedBuffer();
            uint64_t sum = 0;
            for (uint16_t port = 0; port < 4; ++port)
            {
                const QueueId queue{PortId{port}, Priority{3}};
                NS_TEST_EXPECT_MSG_LT(buffer.GetEgress(queue).frames, 11, "egress memory");
                sum += buffer.GetIngress(queue).GetTotal() + buffer.GetEgress(queue).bytes;
            }
            NS_TEST_EXPECT_MSG_EQ(buffer.GetUsed(), sum, "each frame is in one memory");
        });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(stopped, 100, "it was stopped for long");
    NS_TEST_EXPECT_MSG_EQ(star->m_switch->GetProcessor()->GetStopped(), nullptr, "not for ever");
    NS_TEST_EXPECT_MSG_EQ(star->GetHost(2).received.m_arrivals.size(), 600, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(star->GetHost(0).received.m_arrivals.size(), 300, "there, too");
    NS_TEST_EXPECT_MSG_EQ(star->GetHost(2).received.IsInOrder(), true, "in order");
    NS_TEST_EXPECT_MSG_GT(star->GetHost(0).received.GetTimes().back(),
                          MicroSeconds(500),
                          "the idle port suffers with the others");
    const std::vector<PauseRecord> records = pauses.GetPauses();
    NS_TEST_ASSERT_MSG_EQ(records.size(), 3, "all senders are stopped");
    for (const PauseRecord& record : records)
    {
        NS_TEST_EXPECT_MSG_EQ(record.resumes, record.pauses, "and let go");
    }
    NS_TEST_EXPECT_MSG_EQ(star->m_switch->GetSharedBuffer()->GetUsed(), 0, "empty at the end");
}

/// A rate of 600 000 frames per second corresponds to three frames in 5 us. The first frame arrives
/// at 2 us, and each frame takes 2 us from the switch to the host.
LOSSLESS_TEST(g_suite, "A rate that is no whole number of ticks is exact in the long run")
{
    auto star = MakeStar(3, 600000);
    star->GetHost(0).Send(2, 24, FRAME_BYTES, 3);
    Simulator::Run();
    const std::vector<Time> expected{NanoSeconds(5666), NanoSeconds(7333), NanoSeconds(9000)};
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(star->GetHost(2).received.GetTimes(), expected),
                          "",
                          "arrivals");
}

/// At 500 000 frames per second, one frame is processed every 2 us, and the ports take turns.
LOSSLESS_TEST(g_suite, "The processor takes its time and serves ports in turn")
{
    auto star = MakeStar(4, 500000);
    star->GetHost(0).Send(2, 24, FRAME_BYTES, 4);
    star->GetHost(1).Send(3, 24, FRAME_BYTES, 4);
    Simulator::Run();
    // The first frames arrive at 1 + 1 us and are forwarded at 4, 6, ... us. They take 1 us on the
    // wire and 1 us to propagate.
    std::vector<Time> expected[2];
    for (uint32_t i = 0; i < 8; ++i)
    {
        expected[i % 2].push_back(MicroSeconds(6 + 2 * i));
    }
    for (uint32_t i = 0; i < 2; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(
            FirstDifference(star->GetHost(2 + i).received.GetTimes(), expected[i]),
            "",
            "host " << 2 + i);
    }
}

/// A frame arrives at 1 + 1 us. The processor takes it 3 us later and forwards it either after 2 us
/// or immediately.
LOSSLESS_TEST(g_suite, "The processor takes a frame after its latency")
{
    for (const uint32_t rate : {0, 500000})
    {
        auto star = MakeStar(2, rate, MicroSeconds(3));
        star->GetHost(0).Send(1, 24, FRAME_BYTES, 2);
        Simulator::Run();
        const std::vector<Time> expected{MicroSeconds(rate == 0 ? 7 : 9),
                                         MicroSeconds(rate == 0 ? 8 : 11)};
        NS_TEST_EXPECT_MSG_EQ(FirstDifference(star->GetHost(1).received.GetTimes(), expected),
                              "",
                              rate << " a second");
        Simulator::Destroy();
    }
}

/// The processor waits until the frame on the wire has left. No other frame follows it, and
/// no further frames arrive. From 2.5 us on, a frame leaves every microsecond.
LOSSLESS_TEST(g_suite, "An egress queue of one frame lets the processor go on when that has left")
{
    CheckOneByOne(*MakeStar(3, 2e6, Time(0), 1), 4500);
}

/// With a pipeline of 0.5 us instead of a limited rate, the first frames are also ready at 2.5 us.
/// A frame without room blocks the frames behind it, while more frames arrive.
LOSSLESS_TEST(g_suite, "A pipeline that has stopped goes on when there is room")
{
    CheckOneByOne(*MakeStar(3, 0, NanoSeconds(500), 1), 4500);
}

struct CountingForwarding : EcmpForwarding
{
    uint32_t m_asked{0}; ///< number of calls

    std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) override
    {
        ++m_asked;
        return EcmpForwarding::Route(item, buffer);
    }
};

/// Each frame is routed once; otherwise, adaptive forwarding would choose again whenever the switch
/// is inspected. The first frames arrive at the switch at 1 + 1 us. On the second link, they take
/// 1 us on the wire and 1 us to propagate.
LOSSLESS_TEST(g_suite, "A frame that waits has its egress port already, whoever looks meanwhile")
{
    auto star = MakeStar(3, 0, Time(0), 1);
    const Ptr<SwitchNode> node = star->m_switch;
    auto forwarding = CreateObject<CountingForwarding>();
    node->SetForwarding(forwarding);
    forwarding->SetRoute(GetHostAddress(2), {PortId{2}});
    for (uint32_t i = 0; i < 100; ++i)
    {
        Simulator::Schedule(NanoSeconds(100 * i), [node] { node->GetSharedBuffer(); });
    }
    CheckOneByOne(*star, 4000);
    NS_TEST_EXPECT_MSG_EQ(forwarding->m_asked, 6, "once for each frame");
}

LOSSLESS_TEST(g_suite, "Depth and victims of pauses behind a processor")
{
    auto star = MakeStar(4, 0);
    PausePropagation propagation;
    propagation.WatchSwitch("s", star->m_switch);
    star->GetHost(0).Send(2, 24, FRAME_BYTES, 300);
    star->GetHost(1).Send(2, 24, FRAME_BYTES, 300);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(propagation.GetDepths().size(), 1, "here");
    NS_TEST_EXPECT_MSG_EQ(propagation.GetDepths()[0].hosts, 2, "both senders");
}

} // namespace ns3::lossless::tests::THIS_FILE
