// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/pause-propagation.h"
#include "ns3/pause-recorder.h"
#include "ns3/pfc-flow-control.h"
#include "ns3/simulator.h"
#include "ns3/switch-node.h"
#include "ns3/unlimited-buffer-policy.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * A scheme that looks at egress queues, and never stops the ingress whose frame arrives, but the
 * others that have frames in the egress queue which is too long.
 */

namespace ns3::lossless::tests
{

namespace THIS_FILE
{

Suite g_suite("lossless-toy-other-queue", UNIT);

/// A frame that makes an egress queue longer than LIMIT stops all others who have frames there,
/// until it is half as long.
class OthersFlowControl : public PfcFlowControl
{
  public:
    static constexpr uint64_t LIMIT = 40 * Ring::FRAME_BYTES; ///< bytes of an egress queue

    void OnEnqueue(const SwitchItem& item) override
    {
        auto& parts = m_parts[Index(item.GetEgressQueue())];
        parts[item.ingress] += item.bufferBytes;
        if (Buffer().GetEgress(item.GetEgressQueue()).bytes <= LIMIT)
        {
            return;
        }
        for (const auto& [port, bytes] : parts)
        {
            const QueueId other{port, item.frame.priority};
            if (port != item.ingress && bytes > 0)
            {
                m_causes.emplace(Index(other), item.GetEgressQueue());
                Reassess(other);
            }
        }
    }

    void OnRelease(const SwitchItem& item, Ticks when) override
    {
        m_parts[Index(item.GetEgressQueue())][item.ingress] -= item.bufferBytes;
        for (auto cause = m_causes.begin(); cause != m_causes.end();)
        {
            const bool isOver = Buffer().GetEgress(cause->second).bytes < LIMIT / 2;
            cause = isOver ? m_causes.erase(cause) : std::next(cause);
        }
        PfcFlowControl::OnRelease(item, when);
    }

  private:
    Demand Assess(QueueId queue) const override
    {
        return m_causes.count(Index(queue)) > 0 ? Demand::PAUSE : Demand::RESUME;
    }

    std::map<std::size_t, std::map<PortId, uint64_t>> m_parts; ///< bytes by egress queue, ingress
    std::map<std::size_t, QueueId> m_causes; ///< by stopped ingress queue, the egress queue
};

/// Stores everything. Its levels, which a switch of PFC must have, are never reached: the scheme
/// has its own.
class RoomyPolicy : public UnlimitedBufferPolicy
{
  public:
    std::optional<Thresholds> GetThresholds(const SharedBuffer& /* buffer */,
                                            QueueId /* queue */) const override
    {
        return Thresholds{UINT64_MAX, UINT64_MAX};
    }
};

/// @return a switch of the scheme
Ptr<SwitchNode>
MakeSwitch()
{
    auto node = CreateObject<SwitchNode>();
    node->SetBufferPolicy(CreateObject<RoomyPolicy>());
    node->SetFlowControl(CreateObject<OthersFlowControl>());
    return node;
}

/// A host sends to the third without a pause, and another one a hundred frames from 30 us on.
LOSSLESS_TEST(g_suite, "Who is stopped is not who has sent, and both are recorded")
{
    Star star(MakeSwitch(), 3, {DataRate("8Gbps"), MicroSeconds(1)});
    PauseRecorder pauses;
    pauses.Watch("s", star.GetSwitch());
    star.GetHost(0).Send(2, 24, Ring::FRAME_BYTES, 1000);
    star.GetHost(1).Send(2, 24, Ring::FRAME_BYTES, 100, MicroSeconds(30));
    Simulator::Run();
    const std::vector<PauseRecord> records = pauses.GetPauses();
    NS_TEST_ASSERT_MSG_EQ(records.size(), 2, "each is stopped by the other's frames");
    for (const PauseRecord& record : records)
    {
        NS_TEST_EXPECT_MSG_EQ(record.resumes, record.pauses, "and let go at the end");
    }
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(2).received.GetArrivals().size(), 1100, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(2).received.IsInOrder(), true, "in order");
}

LOSSLESS_TEST(g_suite, "Depth and root of stops by others' frames are found")
{
    Star star(MakeSwitch(), 4, {DataRate("8Gbps"), MicroSeconds(1)});
    PausePropagation propagation;
    propagation.Watch("s", star.GetSwitch());
    for (const uint32_t host : {0, 1})
    {
        star.GetHost(host).Send(3, 24, Ring::FRAME_BYTES, 400);
    }
    Simulator::Run();
    const std::vector<PauseDepthRecord> depths = propagation.GetDepths();
    NS_TEST_ASSERT_MSG_EQ(depths.size(), 1, "the congestion is here");
    NS_TEST_EXPECT_MSG_EQ(depths[0].depth, 1, "one hop");
    NS_TEST_EXPECT_MSG_EQ(depths[0].hosts, 2, "both senders");
}

LOSSLESS_TEST(g_suite, "A ring locks whoever stops whom, and the detector says so")
{
    Ring ring(MakeSwitch);
    auto detector = CreateObject<DeadlockDetector>();
    ring.Watch(*detector);
    ring.Send(2, 2000);
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "one, reported once");
    NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().front().members.size(), 3, "the ring");
}

} // namespace THIS_FILE

} // namespace ns3::lossless::tests
