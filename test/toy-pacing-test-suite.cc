// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/mac-control-header.h"
#include "ns3/pause-gate.h"
#include "ns3/pause-recorder.h"
#include "ns3/pfc-flow-control.h"
#include "ns3/simulator.h"
#include "ns3/static-buffer-policy.h"
#include "ns3/switch-node.h"
#include "ns3/uinteger.h"

#include <array>
#include <map>
#include <vector>

/**
 * @file
 * A scheme that slows a neighbour down before it stops it: from one level of the ingress queue on,
 * each frame is followed by a gap as long as itself times a factor, which a control frame tells;
 * PFC is beneath.
 */

namespace ns3::lossless::tests
{

namespace THIS_FILE
{

Suite g_suite("lossless-toy-pacing", UNIT);

/// Says by which factor gaps are longer than frames, for one class.
class GapHeader : public Header
{
  public:
    static constexpr uint16_t OPCODE = 0xfff2; ///< of nobody else
    uint8_t priority{0};                       ///< class
    uint8_t factor{0};                         ///< 0: no gaps

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::GapHeader").SetParent<Header>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 4;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.WriteHtonU16(OPCODE);
        start.WriteU8(priority);
        start.WriteU8(factor);
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        start.Next(2);
        priority = start.ReadU8();
        factor = start.ReadU8();
        return GetSerializedSize();
    }

    void Print(std::ostream& os) const override
    {
        os << "gap " << +factor << " of class " << +priority;
    }
};

/// PFC's gate, which also holds a class for a while behind each of its frames.
class GapGate : public PauseGate
{
  public:
    GapGate()
    {
        SetPacing(true);
    }

    void NotifySent(const Frame& frame, Priority priority) override
    {
        if (const uint32_t factor = m_factors[Index(priority)])
        {
            Held(Layer::SCHEME) |= SetOf(priority);
            Publish();
            const uint32_t bits = 8 * GetWireBytes(frame);
            Simulator::Schedule(Link().rate.CalculateBitsTxTime(bits) * (1 + factor),
                                &GapGate::End,
                                Ptr<GapGate>(this),
                                priority);
        }
    }

  private:
    bool Apply(const Frame& frame) override
    {
        const auto body = ParseMacControlFrame<GapHeader>(*frame.packet, GapHeader::OPCODE);
        if (!body)
        {
            return PauseGate::Apply(frame);
        }
        m_factors[body->priority] = body->factor;
        return true;
    }

    /// The gap is over. @param priority class
    void End(Priority priority)
    {
        Held(Layer::SCHEME) &= ~SetOf(priority);
        Publish();
    }

    std::array<uint32_t, NUM_PRIORITIES> m_factors{}; ///< by class
};

/// PFC, which tells factors of gaps besides.
class GapFlowControl : public PfcFlowControl
{
  public:
    static constexpr uint64_t LEVEL = 20 * Ring::FRAME_BYTES; ///< from here on there are gaps

    void OnArrival(const SwitchItem& item) override
    {
        PfcFlowControl::OnArrival(item);
        Update(item.GetIngressQueue());
    }

    void OnRelease(const SwitchItem& item, Ticks when) override
    {
        PfcFlowControl::OnRelease(item, when);
        Update(item.GetIngressQueue());
    }

  private:
    /// Tells a new factor, if it is one. @param queue an ingress queue
    void Update(QueueId queue)
    {
        const uint8_t factor = Buffer().GetIngress(queue).GetTotal() >= LEVEL ? 1 : 0;
        if (m_factors[Index(queue)] != factor)
        {
            m_factors[Index(queue)] = factor;
            m_news[queue.port] |= SetOf(queue.priority);
            Services().RequestControl(queue.port);
        }
    }

    Ptr<Packet> DoMakeControl(PortId port) override
    {
        if (Ptr<Packet> pause = PfcFlowControl::DoMakeControl(port))
        {
            return pause;
        }
        if (m_news[port] == 0)
        {
            return nullptr;
        }
        const Priority priority = MostImportant(m_news[port]);
        m_news[port] &= ~SetOf(priority);
        GapHeader body;
        body.priority = Index(priority);
        body.factor = m_factors[Index(QueueId{port, priority})];
        return MakeMacControlFrame(Services().GetAddress(port), body);
    }

    std::map<std::size_t, uint8_t> m_factors; ///< by Index(QueueId)
    std::map<PortId, PrioritySet> m_news;     ///< classes whose factor was not told yet
};

/// The switch, which puts the parts together: PFC is to stop from 51 frames on.
class GapSwitchNode : public SwitchNode
{
  public:
    GapSwitchNode()
    {
        auto policy = CreateObject<StaticBufferPolicy>();
        policy->SetAttribute("Xoff", UintegerValue(51 * Ring::FRAME_BYTES));
        policy->SetAttribute("Xon", UintegerValue(26 * Ring::FRAME_BYTES));
        policy->SetAttribute("PrivateBytes", UintegerValue(0));
        policy->SetAttribute("HeadroomBytes", UintegerValue(30 * Ring::FRAME_BYTES));
        SetBufferPolicy(policy);
        SetFlowControl(CreateObject<GapFlowControl>());
    }

  private:
    Ptr<TransmitGate> CreateGate(Ptr<LosslessNetDevice> /* device */,
                                 std::optional<PortId> /* port */) const override
    {
        return CreateObject<GapGate>();
    }
};

/// Two hosts send to a third: with gaps, each sends at half its rate, which is just what fits.
LOSSLESS_TEST(g_suite, "Gaps are as long as frames, and spare the pause")
{
    Star star(CreateObject<GapSwitchNode>(), 3, {DataRate("8Gbps"), MicroSeconds(1)});
    PauseRecorder pauses;
    pauses.Watch("s", star.GetSwitch());
    star.GetHost(0).Send(2, 24, Ring::FRAME_BYTES, 500);
    star.GetHost(1).Send(2, 24, Ring::FRAME_BYTES, 500);
    Simulator::Run();
    const std::vector<Time>& starts = star.GetHost(0).source.GetStarts();
    NS_TEST_ASSERT_MSG_EQ(starts.size(), 500, "all sent");
    NS_TEST_EXPECT_MSG_EQ(starts[1] - starts[0], MicroSeconds(1), "a frame a microsecond");
    NS_TEST_EXPECT_MSG_EQ(starts[200] - starts[199], MicroSeconds(2), "half as many later");
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(2).received.GetArrivals().size(), 1000, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(star.GetSwitch()->GetCounts().losslessDropped, 0, "nothing is lost");
    NS_TEST_EXPECT_MSG_EQ(pauses.GetPauses().size(), 0, "and nothing is paused");
    NS_TEST_EXPECT_MSG_GT(pauses.GetFrames().size(), 0, "the neighbours were told");
}

/// Three hosts send to a fourth: half the rate is too much, and PFC stops beneath the gaps.
LOSSLESS_TEST(g_suite, "The pause beneath the gaps is recorded, and neither lifts the other")
{
    Star star(CreateObject<GapSwitchNode>(), 4, {DataRate("8Gbps"), MicroSeconds(1)});
    PauseRecorder pauses;
    pauses.Watch("s", star.GetSwitch());
    for (uint32_t host = 0; host < 3; ++host)
    {
        star.GetHost(host).Send(3, 24, Ring::FRAME_BYTES, 500);
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(3).received.GetArrivals().size(), 1500, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(star.GetSwitch()->GetCounts().losslessDropped, 0, "nothing is lost");
    NS_TEST_ASSERT_MSG_EQ(pauses.GetPauses().size(), 3, "all three are paused");
    for (const PauseRecord& record : pauses.GetPauses())
    {
        NS_TEST_EXPECT_MSG_EQ(record.resumes, record.pauses, "and let go");
    }
}

/// A gate that is shut most of the time, again and again, is no deadlock; PFC beneath it can be
/// one.
LOSSLESS_TEST(g_suite, "Gaps are no deadlock, the pause beneath them is")
{
    for (const uint32_t hops : {1, 2})
    {
        Ring ring([]() { return CreateObject<GapSwitchNode>(); });
        auto detector = CreateObject<DeadlockDetector>();
        detector->SetAttribute("ConfirmTime", TimeValue(MicroSeconds(100)));
        ring.Watch(*detector);
        ring.Send(hops, 3000);
        Simulator::Stop(MilliSeconds(8));
        Simulator::Run();
        // Over one hop, the hosts' links are the narrow ones; over two, the ring is.
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), hops - 1, hops << " hops");
        Simulator::Destroy();
    }
}

} // namespace THIS_FILE

} // namespace ns3::lossless::tests
