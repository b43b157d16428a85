// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/double.h"
#include "ns3/lossless-helper.h"
#include "ns3/packet-processor.h"
#include "ns3/pause-propagation.h"
#include "ns3/pause-recorder.h"
#include "ns3/pfc-flow-control.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/switch-node.h"
#include "ns3/unlimited-buffer-policy.h"

#include <memory>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * A switch of two memories with one packet processor for all ports, which stops while the egress
 * queue of its next frame is full; PFC guards the ingress side.
 */

namespace ns3::lossless::tests
{

namespace THIS_FILE
{

Suite g_suite("lossless-toy-processor", UNIT);

constexpr uint32_t FRAME_BYTES = Ring::FRAME_BYTES; ///< a microsecond on the wire

/// Egress queues hold 10 frames, or another number; ingress queues are stopped above 20 frames and
/// restarted below 10.
class TwoMemories : public UnlimitedBufferPolicy
{
  public:
    uint32_t m_frames{10}; ///< that an egress queue holds

    Admission AdmitEgress(const SharedBuffer& buffer, const SwitchItem& item) const override
    {
        return buffer.GetEgress(item.GetEgressQueue()).frames < m_frames ? Admission()
                                                                         : Admission::Wait();
    }

    bool IsTwoSided() const override
    {
        return true;
    }

    std::optional<Thresholds> GetThresholds(const SharedBuffer& /* buffer */,
                                            QueueId /* queue */) const override
    {
        return Thresholds{20 * FRAME_BYTES, 10 * FRAME_BYTES};
    }
};

/// The switch, which puts the parts together.
class TwoMemoriesSwitchNode : public SwitchNode
{
  public:
    /// @param rate frames that the processor forwards a second; 0: any number
    explicit TwoMemoriesSwitchNode(double rate = 0)
        : TwoMemoriesSwitchNode(
              CreateObjectWithAttributes<SharedProcessor>("Rate", DoubleValue(rate)))
    {
    }

    /// @param processor between the memories
    explicit TwoMemoriesSwitchNode(Ptr<PacketProcessor> processor)
    {
        SetBufferPolicy(CreateObject<TwoMemories>());
        SetFlowControl(CreateObject<PfcFlowControl>());
        SetProcessor(processor);
    }
};

/// @param rate see TwoMemoriesSwitchNode @param hosts number of hosts @return a star
std::unique_ptr<Star>
MakeStar(double rate, uint32_t hosts)
{
    return std::make_unique<Star>(CreateObject<TwoMemoriesSwitchNode>(rate),
                                  hosts,
                                  Cable{DataRate("8Gbps"), MicroSeconds(1)});
}

/// Two hosts send to a third, and one of them to a fourth besides.
LOSSLESS_TEST(g_suite,
              "A full egress queue stops the processor, PFC the hosts, and nothing is lost")
{
    auto star = MakeStar(0, 4);
    PauseRecorder pauses;
    pauses.Watch("s", star->GetSwitch());
    star->GetHost(0).Send(2, 24, FRAME_BYTES, 300);
    star->GetHost(1).Send(2, 24, FRAME_BYTES, 300);
    star->GetHost(3).Send(0, 24, FRAME_BYTES, 300); // to an idle port
    uint32_t stopped = 0;
    for (uint32_t i = 0; i < 600; ++i)
    {
        Simulator::Schedule(MicroSeconds(i), [&]() {
            SwitchNode& node = *star->GetSwitch();
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
    NS_TEST_EXPECT_MSG_EQ(star->GetSwitch()->GetProcessor()->GetStopped(), nullptr, "not for ever");
    NS_TEST_EXPECT_MSG_EQ(star->GetHost(2).received.GetArrivals().size(), 600, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(star->GetHost(0).received.GetArrivals().size(), 300, "there, too");
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
    NS_TEST_EXPECT_MSG_EQ(star->GetSwitch()->GetSharedBuffer()->GetUsed(), 0, "empty at the end");
}

/// 500 000 frames a second are one in two microseconds: ports take turns.
LOSSLESS_TEST(g_suite, "The processor takes its time and serves ports in turn")
{
    auto star = MakeStar(500000, 4);
    star->GetHost(0).Send(2, 24, FRAME_BYTES, 4);
    star->GetHost(1).Send(3, 24, FRAME_BYTES, 4);
    Simulator::Run();
    // The first frames are there at 1 + 1; forwarded at 4, 6, ...; on the wire 1, and 1 on the way.
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

/// A frame is there at 1 + 1 us; the processor takes it 3 us later, for 2 us or none.
LOSSLESS_TEST(g_suite, "The processor takes a frame after its latency")
{
    for (const uint32_t rate : {0, 500000})
    {
        auto star = MakeStar(rate, 2);
        star->GetSwitch()->GetProcessor()->SetAttribute("Latency", TimeValue(MicroSeconds(3)));
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

/// Nothing is behind the frame on the wire whose departure the processor waits for, and nothing
/// arrives any more: from 2.5 us on, a frame leaves each microsecond.
LOSSLESS_TEST(g_suite, "An egress queue of one frame lets the processor go on when that has left")
{
    auto star = MakeStar(2e6, 3);
    DynamicCast<TwoMemories>(star->GetSwitch()->GetBufferPolicy())->m_frames = 1;
    star->GetHost(0).Send(2, 24, FRAME_BYTES, 3);
    star->GetHost(1).Send(2, 24, FRAME_BYTES, 3);
    Simulator::Run();
    std::vector<Time> expected;
    for (uint32_t i = 0; i < 6; ++i)
    {
        expected.push_back(NanoSeconds(4500 + 1000 * i));
    }
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(star->GetHost(2).received.GetTimes(), expected),
                          "",
                          "arrivals");
}

/// The same with a pipeline, whose first frames are ready at 2.5 us as well. While one has no room,
/// it stops those behind it, of which more arrive.
LOSSLESS_TEST(g_suite, "A pipeline that has stopped goes on when there is room")
{
    auto node = CreateObject<TwoMemoriesSwitchNode>(
        CreateObjectWithAttributes<SharedProcessor>("Latency", TimeValue(NanoSeconds(500))));
    DynamicCast<TwoMemories>(node->GetBufferPolicy())->m_frames = 1;
    Star star(node, 3, Cable{DataRate("8Gbps"), MicroSeconds(1)});
    star.GetHost(0).Send(2, 24, FRAME_BYTES, 3);
    star.GetHost(1).Send(2, 24, FRAME_BYTES, 3);
    Simulator::Run();
    std::vector<Time> expected;
    for (uint32_t i = 0; i < 6; ++i)
    {
        expected.push_back(NanoSeconds(4500 + 1000 * i));
    }
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(star.GetHost(2).received.GetTimes(), expected),
                          "",
                          "arrivals");
    NS_TEST_EXPECT_MSG_EQ(node->GetProcessor()->GetStopped(), nullptr, "it goes on");
}

/// Counts the frames that it is asked for.
class CountingForwarding : public EcmpForwarding
{
  public:
    uint32_t m_asked{0}; ///< how often

    std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) override
    {
        ++m_asked;
        return EcmpForwarding::Route(item, buffer);
    }
};

/// Else adaptive forwarding would draw again, as often as anybody looks at the switch. The first
/// frames are there at 1 + 1 us and take 1 us each to leave and to arrive.
LOSSLESS_TEST(g_suite, "A frame that waits has its egress port already, whoever looks meanwhile")
{
    auto node = CreateObject<TwoMemoriesSwitchNode>();
    auto forwarding = CreateObject<CountingForwarding>();
    node->SetForwarding(forwarding);
    DynamicCast<TwoMemories>(node->GetBufferPolicy())->m_frames = 1;
    Star star(node, 3, Cable{DataRate("8Gbps"), MicroSeconds(1)});
    star.GetHost(0).Send(2, 24, FRAME_BYTES, 3);
    star.GetHost(1).Send(2, 24, FRAME_BYTES, 3);
    for (uint32_t i = 0; i < 100; ++i)
    {
        Simulator::Schedule(NanoSeconds(100 * i), [node] { node->GetSharedBuffer(); });
    }
    Simulator::Run();
    std::vector<Time> expected;
    for (uint32_t i = 0; i < 6; ++i)
    {
        expected.push_back(MicroSeconds(4 + i));
    }
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(star.GetHost(2).received.GetTimes(), expected),
                          "",
                          "arrivals");
    NS_TEST_EXPECT_MSG_EQ(forwarding->m_asked, 6, "once for each frame");
}

/// @param seed of all that is drawn: hosts, rates, limits, the processor and the frames
/// @return what went wrong; empty: nothing
std::string
RunRandomStar(int64_t seed)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(seed);
    const auto draw = [&random](uint32_t least, uint32_t most) {
        return random->GetInteger(least, most);
    };
    const uint32_t hosts = draw(2, 8);
    auto node = CreateObject<TwoMemoriesSwitchNode>(draw(0, 1) * draw(100000, 10000000));
    node->GetProcessor()->SetAttribute("Latency", TimeValue(NanoSeconds(draw(0, 1) * 3000)));
    if (draw(0, 2) == 0)
    {
        node->SetProcessor(
            CreateObjectWithAttributes<SharedProcessor>("Latency",
                                                        TimeValue(NanoSeconds(draw(0, 3000)))));
    }
    DynamicCast<TwoMemories>(node->GetBufferPolicy())->m_frames = draw(1, 12);
    std::vector<Cable> cables;
    for (uint32_t i = 0; i < hosts; ++i)
    {
        cables.push_back(
            {DataRate(uint64_t{draw(1, 20)} * 1000000000), NanoSeconds(draw(1, 5000))});
    }
    Star star(node, cables);
    uint32_t sent = 0;
    for (uint32_t burst = 0, at = 0; burst < 40; ++burst, at += draw(0, 5000))
    {
        const uint32_t from = draw(0, hosts - 1);
        const uint32_t frames = draw(1, 40);
        const uint32_t to = draw(0, 1) == 0 ? 0 : draw(0, hosts - 1);
        star.GetHost(from).Send(to == from ? (from + 1) % hosts : to,
                                draw(0, 31),
                                draw(60, 1514),
                                frames,
                                NanoSeconds(at));
        sent += frames;
    }
    Simulator::Run();
    uint64_t arrived = 0;
    bool isInOrder = true;
    for (uint32_t i = 0; i < hosts; ++i)
    {
        arrived += star.GetHost(i).received.GetArrivals().size();
        isInOrder &= star.GetHost(i).received.IsInOrder();
    }
    std::ostringstream error;
    if (arrived != sent || node->GetSharedBuffer()->GetUsed() > 0 || !isInOrder ||
        node->GetProcessor()->GetStopped())
    {
        error << arrived << " of " << sent << " frames, in order " << isInOrder << ", "
              << node->GetSharedBuffer()->GetUsed() << " B left";
    }
    Simulator::Destroy();
    return error.str();
}

/// Whatever the rates and limits: a single switch that waits loses nothing, and always goes on.
LOSSLESS_TEST(g_suite, "Random stars with a processor that waits: seeds 1 to 12")
{
    for (int64_t seed = 1; seed <= 12; ++seed)
    {
        NS_TEST_EXPECT_MSG_EQ(RunRandomStar(seed), "", "seed " << seed);
    }
}

LOSSLESS_TEST(g_suite, "Random stars with a processor that waits: seeds 13 to 600", EXTENSIVE)
{
    for (int64_t seed = 13; seed <= 600; ++seed)
    {
        NS_TEST_EXPECT_MSG_EQ(RunRandomStar(seed), "", "seed " << seed);
    }
}

LOSSLESS_TEST(g_suite, "Depth and victims of pauses behind a processor")
{
    auto star = MakeStar(0, 4);
    PausePropagation propagation;
    propagation.Watch("s", star->GetSwitch());
    star->GetHost(0).Send(2, 24, FRAME_BYTES, 300);
    star->GetHost(1).Send(2, 24, FRAME_BYTES, 300);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(propagation.GetDepths().size(), 1, "here");
    NS_TEST_EXPECT_MSG_EQ(propagation.GetDepths()[0].hosts, 2, "both senders");
}

/// Two switches, whose hosts send to the hosts of the other one: each processor waits for room in
/// the egress queue to the other switch, which is stopped since that one's processor waits.
LOSSLESS_TEST(g_suite, "Processors that wait for each other are members of the deadlock")
{
    LosslessHelper cables;
    cables.SetDeviceAttribute("DataRate", DataRateValue(DataRate("8Gbps")));
    cables.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
    std::vector<Ptr<SwitchNode>> switches;
    std::vector<std::unique_ptr<TestHost>> hosts;
    for (uint32_t s = 0; s < 2; ++s)
    {
        switches.push_back(CreateObject<TwoMemoriesSwitchNode>());
        for (uint32_t i = 0; i < 2; ++i)
        {
            const auto ends = cables.Install(switches[s], CreateObject<Node>());
            hosts.push_back(std::make_unique<TestHost>(DynamicCast<LosslessNetDevice>(ends.Get(1)),
                                                       hosts.size()));
        }
    }
    cables.Install(switches[0], switches[1]);
    for (uint32_t host = 0; host < 4; ++host)
    {
        for (uint32_t s = 0; s < 2; ++s)
        {
            const PortId port{static_cast<uint16_t>(host / 2 == s ? host % 2 : 2)};
            switches[s]->GetForwarding()->SetRoute(GetHostAddress(host), {port});
        }
    }
    auto detector = CreateObject<DeadlockDetector>();
    detector->Watch("s0", switches[0]);
    detector->Watch("s1", switches[1]);
    for (uint32_t host = 0; host < 4; ++host)
    {
        hosts[host]->Send((host + 2) % 4, 24, FRAME_BYTES, 1000);
    }
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "one");
    const DeadlockRecord record = detector->GetDeadlocks()[0];
    NS_TEST_EXPECT_MSG_EQ(record.kind, DeadlockKind::CYCLE, "they wait for each other's frames");
    NS_TEST_EXPECT_MSG_EQ(record.GetCycle(),
                          "s0>s1 class 3 -> s1 processor -> s1>s0 class 3 -> s0 processor -> "
                          "s0>s1 class 3",
                          "processors between the queues");
}

} // namespace THIS_FILE

} // namespace ns3::lossless::tests
