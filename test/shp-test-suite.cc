// SPDX-License-Identifier: GPL-2.0-only
//
// Tests the shared headroom pool: its size, its use by queues, and the conditions under which it is
// sufficient. Numbers of real switches are in real-switches-test-suite.cc, and random networks are
// in conservation-test-suite.cc.

#include "lossless-test.h"
#include "random-network.h"

#include "ns3/shp-buffer-policy.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-shp", SYSTEM);

/// @param ports the number of ports, each with a rate of 100 Gb/s, a cable of 2 us and an MTU of
/// 1500 B
/// @return a shape with two lossless classes and a buffer of 16 MiB
SwitchShape
MakeShape(std::size_t ports)
{
    SwitchShape shape;
    shape.bufferBytes = 16 << 20;
    shape.ports.assign(ports, {DataRate("100Gbps"), MicroSeconds(2), 1500});
    shape.lossless = 0x03;
    return shape;
}

/// @return the policy, without private buffers and with the headroom of Eq. 1 of the DSH paper
template <typename POLICY = ShpBufferPolicy>
Ptr<POLICY>
MakePolicy(const std::vector<std::pair<std::string, std::string>>& settings = {})
{
    auto policy = CreateObject<POLICY>();
    policy->SetAttribute("PrivateBytes", UintegerValue(0));
    policy->SetAttribute("LossyPrivateBytes", UintegerValue(0));
    policy->SetAttribute("HeadroomBytes", UintegerValue(56841));
    policy->SetAttribute("ResumeOffset", UintegerValue(1));
    for (const auto& [name, value] : settings)
    {
        policy->SetAttribute(name, StringValue(value));
    }
    return policy;
}

LOSSLESS_TEST(g_suite, "the pool is given, or the sum of the limits by a ratio")
{
    // The sum of all limits is 3 ports x 2 classes x 56 841 B. For each port, the pool contains
    // half of the sum of the port's limits, rounded up.
    const SwitchShape shape = MakeShape(3);
    auto half = MakePolicy();
    NS_TEST_ASSERT_MSG_EQ(half->Configure(shape).value_or(""), "", "accepted");
    NS_TEST_EXPECT_MSG_EQ(half->GetPoolSize(), 3 * 56841, "ratio 2, the default");
    NS_TEST_EXPECT_MSG_EQ(half->GetPortHeadroom(PortId{0}), 56841, "limit of a queue");
    NS_TEST_EXPECT_MSG_EQ(half->GetReservedHeadroom(PortId{0}), 56841, "share of a port");
    NS_TEST_EXPECT_MSG_EQ(half->GetSharedSize(), (16 << 20) - 3 * 56841, "Bs");

    auto quarter = MakePolicy({{"OversubscribeRatio", "4"}});
    quarter->Configure(shape);
    NS_TEST_EXPECT_MSG_EQ(quarter->GetPoolSize(), 3 * 28421, "2 x 56 841 / 4 = 28 420.5");

    auto given = MakePolicy({{"PoolBytes", "100001"}, {"OversubscribeRatio", "4"}});
    given->Configure(shape);
    NS_TEST_EXPECT_MSG_EQ(given->GetPoolSize(), 100001, "its size counts, not the ratio");
    NS_TEST_EXPECT_MSG_EQ(given->GetReservedHeadroom(PortId{1}), 0, "no port has a share");
    NS_TEST_EXPECT_MSG_EQ(given->GetSharedSize(), (16 << 20) - 100001, "Bs");

    auto chip = MakePolicy({{"ReferencePorts", "32"}});
    chip->Configure(shape);
    NS_TEST_EXPECT_MSG_EQ(chip->GetPoolSize(), 32 * 56841, "of the chip's ports");
}

LOSSLESS_TEST(g_suite, "with ratio 1 nothing differs from SIH in what is set aside")
{
    const SwitchShape shape = MakeShape(5);
    auto shp = MakePolicy({{"OversubscribeRatio", "1"}});
    auto sih = MakePolicy<SihBufferPolicy>();
    shp->Configure(shape);
    sih->Configure(shape);
    NS_TEST_EXPECT_MSG_EQ(shp->GetPoolSize(), sih->GetReservedHeadroom(), "headroom");
    NS_TEST_EXPECT_MSG_EQ(shp->GetSharedSize(), sih->GetSharedSize(), "Bs");
}

LOSSLESS_TEST(g_suite, "a pool that does not fit into the memory is refused with the numbers")
{
    const auto refuse = [](const std::string& pool, const std::string& sentence) {
        auto policy = MakePolicy({{"PoolBytes", pool}});
        const std::string error = policy->Configure(MakeShape(3)).value_or("");
        NS_TEST_EXPECT_MSG_EQ(error, sentence, pool);
    };
    refuse("16777216", "PoolBytes of 16777216 B leave nothing to share of a buffer of 16777216 B");
    refuse("16777200",
           "the pause threshold of the empty switch, 0.0625 x 16 B = 1 B, does not exceed "
           "ResumeOffset of 1 B: a stopped queue could never restart (beside PoolBytes of 16777200 "
           "B)");
    auto policy = MakePolicy();
    NS_TEST_EXPECT_MSG_EQ(policy->SetAttributeFailSafe("OversubscribeRatio", DoubleValue(0.5)),
                          false,
                          "a pool larger than the limits");
}

/// The limit of each queue is 10 kB, and the size of the pool is 25 kB. The third queue finds only
/// half of its limit available, and it releases only the bytes that it has used.
LOSSLESS_TEST(g_suite, "a frame takes headroom if its queue's limit and the pool have room")
{
    auto policy = MakePolicy({{"HeadroomBytes", "10000"}, {"PoolBytes", "25000"}, {"Alpha", "1"}});
    const SwitchShape shape = MakeShape(2);
    policy->Configure(shape);
    auto buffer = CreateObject<SharedBuffer>();
    buffer->Resize(2);
    // A lossy class fills the shared buffer.
    const auto rest = static_cast<uint32_t>(policy->GetSharedSize());
    buffer->Arrive(MakeItem(0, 7, rest), {0, rest, 0});
    const auto admits = [&](uint16_t port, uint8_t priority, uint32_t bytes) {
        const Admission admission = policy->Admit(*buffer, MakeItem(port, priority, bytes));
        if (!admission.IsAdmitted())
        {
            NS_TEST_EXPECT_MSG_EQ(admission.reason, DropReason::HEADROOM_FULL, "reason");
            return false;
        }
        NS_TEST_EXPECT_MSG_EQ(admission.segments.headroom, bytes, "all of it is headroom");
        return true;
    };
    const auto put = [&](uint16_t port, uint8_t priority, uint32_t bytes) {
        buffer->Arrive(MakeItem(port, priority, bytes), {0, 0, bytes});
    };
    NS_TEST_EXPECT_MSG_EQ(admits(0, 0, 10001), false, "beyond the limit of the queue");
    NS_TEST_EXPECT_MSG_EQ(admits(0, 0, 10000), true, "the limit");
    put(0, 0, 10000);
    NS_TEST_EXPECT_MSG_EQ(admits(0, 0, 1), false, "one byte more");
    put(0, 1, 10000);
    NS_TEST_EXPECT_MSG_EQ(admits(1, 0, 5001), false, "beyond the pool");
    NS_TEST_EXPECT_MSG_EQ(admits(1, 0, 5000), true, "the rest of the pool");
    put(1, 0, 5000);
    NS_TEST_EXPECT_MSG_EQ(admits(1, 1, 1), false, "nothing is left for another queue");
    buffer->Discard(MakeItem(0, 1, 700));
    NS_TEST_EXPECT_MSG_EQ(admits(1, 1, 700), true, "another queue's bytes are back in the pool");
    NS_TEST_EXPECT_MSG_EQ(admits(1, 1, 701), false, "not more than those");
}

constexpr uint32_t FULL_FRAME = 1514;

/// Several hosts send full frames to a port that sends nothing.
void
CheckPool(uint32_t senders, uint32_t poolBytes, uint64_t lost)
{
    constexpr uint32_t HOSTS = 4;
    constexpr uint32_t BLOCKED = HOSTS - 1;
    constexpr uint32_t SHARED = 200 * FULL_FRAME;
    SwitchHelper helper("ns3::lossless::ShpSwitchNode");
    helper.SetAttribute("LosslessClasses", UintegerValue(0x02));
    helper.SetBufferAttribute("Size", UintegerValue(poolBytes + SHARED));
    helper.SetPolicyAttribute("PrivateBytes", UintegerValue(0));
    helper.SetPolicyAttribute("LossyPrivateBytes", UintegerValue(0));
    helper.SetPolicyAttribute("HeadroomBytes", UintegerValue(37 * FULL_FRAME));
    helper.SetPolicyAttribute("PoolBytes", UintegerValue(poolBytes));
    helper.SetPolicyAttribute("Alpha", DoubleValue(1));
    Star star(helper.Create(), HOSTS, {DataRate("100Gbps"), MicroSeconds(2)});
    Ptr<LosslessNetDevice> blocked = star.GetHost(BLOCKED).device;
    Simulator::ScheduleWithContext(blocked->GetNode()->GetId(), NanoSeconds(1), [blocked]() {
        SendPfc(blocked, 0x02, 0xffff);
    });
    for (uint32_t i = 0; i < senders; ++i)
    {
        star.GetHost(i).Send(BLOCKED, 1 << 3, FULL_FRAME, 300, MicroSeconds(10));
    }
    RunFor(MicroSeconds(100));
    const SharedBuffer& buffer = *star.m_switch->GetSharedBuffer();
    const SwitchNode::Counts& counts = star.m_switch->GetCounts();
    NS_TEST_EXPECT_MSG_EQ(counts.losslessDropped, lost, senders << " in " << poolBytes << " B");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetHeadroomUsed(),
                          (36 * senders - lost) * FULL_FRAME,
                          senders << " in " << poolBytes << " B: headroom in use");
    Simulator::Destroy();
}

/// After a queue's PAUSE is decided, 36 full frames arrive (derived in dsh-test-suite.cc for a port
/// with an idle reverse direction). If n queues are congested at the same time, the pool must
/// therefore hold 36 n frames, regardless of the sum of the limits (4 x 37 frames). If the pool is
/// one byte smaller, a frame is lost.
LOSSLESS_TEST(g_suite, "a pool for n queues loses nothing while n are congested, a byte less does")
{
    CheckPool(1, 36 * FULL_FRAME, 0);
    CheckPool(1, 36 * FULL_FRAME - 1, 1);
    CheckPool(2, 2 * 36 * FULL_FRAME, 0);
    CheckPool(2, 2 * 36 * FULL_FRAME - 1, 1);
    CheckPool(3, 3 * 36 * FULL_FRAME, 0);
    CheckPool(3, 3 * 36 * FULL_FRAME - 1, 1);
    CheckPool(3, 2 * 36 * FULL_FRAME, 36);
}

/// Draws a pool size between a 32nd of the sum of all limits and the entire sum. Under G-PFC, an
/// eighth suffices in most runs, because all classes of a port are paused together.
const RegisterRandomPart g_random(
    {"ns3::lossless::ShpBufferPolicy", [](RandomNetwork& network, SwitchHelper& switches) {
         switches.SetPolicyAttribute("OversubscribeRatio", DoubleValue(network.DrawPower(0, 5)));
     }});

/// A frame is lost only if the pool does not cover all queues that are congested at that time.
class PoolLaw : public Law
{
  public:
    explicit PoolLaw(Trouble trouble)
        : m_trouble(trouble)
    {
    }

    void Begin(RandomNetwork& network) override
    {
        m_network = &network;
        m_isLossy = false;
        network.ForEachSwitch([this](SwitchNode& node) {
            node.TraceConnectWithoutContext(
                "Drop",
                MakeCallback(&PoolLaw::NotifyDrop, this).Bind(Ptr<SwitchNode>(&node)));
        });
    }

    std::string End() override
    {
        m_covered += m_isLossy ? 0 : 1;
        return "";
    }

    std::string FindRare(uint64_t networks) const override
    {
        // There are too few networks with other disturbances for this check.
        const bool isBoth = m_covered > 0 && m_excused > 0;
        return isBoth || m_trouble != Trouble::SOME_CUTS
                   ? ""
                   : std::to_string(m_covered) + " of " + std::to_string(networks) +
                         " pools are enough, " + std::to_string(m_excused) + " frames lost";
    }

  private:
    void NotifyDrop(Ptr<SwitchNode> node, const SwitchItem& item, DropReason reason)
    {
        m_isLossy = m_isLossy || reason == DropReason::HEADROOM_FULL;
        if (reason != DropReason::HEADROOM_FULL)
        {
            return;
        }
        // The frame's queue now needs headroom, and the paused queues may already be using some.
        const auto policy = DynamicCast<ShpBufferPolicy>(node->GetBufferPolicy());
        uint64_t limits = 0;
        ForEachQueue(*node, [&](QueueId queue) {
            const bool isCongested = node->GetSharedBuffer()->GetIngress(queue).paused ||
                                     Index(queue) == Index(item.GetIngressQueue());
            limits += isCongested ? policy->GetPortHeadroom(queue.port) : 0;
        });
        if (limits > policy->GetPoolSize())
        {
            ++m_excused;
            ++m_network->m_facts.excused;
        }
    }

    Trouble m_trouble;                 ///< kind of disturbance in the networks
    RandomNetwork* m_network{nullptr}; ///< the current network
    bool m_isLossy{false};             ///< true if the network has lost a frame
    uint64_t m_covered{0}; ///< number of networks without a loss caused by the pool size
    uint64_t m_excused{0}; ///< number of frames lost in all networks because the pool was too small
};

const RegisterLaw g_pools([](const SwitchKind& kind, Trouble trouble) -> std::unique_ptr<Law> {
    const bool isPool = kind.policy == ShpBufferPolicy::GetTypeId().GetName();
    return isPool ? std::make_unique<PoolLaw>(trouble) : nullptr;
});

} // namespace ns3::lossless::tests::THIS_FILE
