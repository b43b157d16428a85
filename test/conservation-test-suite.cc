// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup lossless
 * What must hold for any network and any traffic: no frame appears, vanishes or overtakes, the
 * ledgers agree with themselves at any time, and the schemes keep their promise.
 */

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/buffer-policy.h"
#include "ns3/double.h"
#include "ns3/fabric.h"
#include "ns3/lossless-channel.h"
#include "ns3/queue-size.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::lossless::tests
{

namespace
{

/// A kind of switch and what it promises.
struct Kind
{
    std::string name;       ///< for messages
    std::string type;       ///< TypeId of the switch
    std::string policy;     ///< TypeId of the policy; empty: that of the switch
    bool isLossless{false}; ///< under flow control: lossless classes lose nothing
    bool mayDrop{false};    ///< frames may be lost at all
};

/// @return the kinds of switches that exist
const std::vector<Kind>&
GetKinds()
{
    static const std::vector<Kind> kinds{
        {"SIH", "ns3::lossless::PfcSwitchNode", "", true, true},
        {"static", "ns3::lossless::PfcSwitchNode", "ns3::lossless::StaticBufferPolicy", true, true},
        {"DSH", "ns3::lossless::DshSwitchNode", "", true, true},
        {"drop-tail", "ns3::lossless::DropTailSwitchNode", "", false, true},
        {"infinite", "ns3::lossless::InfiniteBufferSwitchNode", "", false, false},
        {"plain", "ns3::lossless::SwitchNode", "", false, false},
    };
    return kinds;
}

/// Classes under flow control; the others may be dropped.
constexpr PrioritySet LOSSLESS = 0x0e;

/// What a run leaves behind.
struct Outcome
{
    uint64_t sent{0};     ///< frames that hosts sent
    uint64_t received{0}; ///< frames that hosts received
    uint64_t dropped{0};  ///< frames that switches lost
    uint64_t lossless{0}; ///< of them in lossless classes
    uint64_t pauses{0};   ///< decisions to stop a queue or port
    uint64_t stored{0};   ///< bytes in the switches at the end
    uint64_t stopped{0};  ///< queues and ports that are stopped at the end
    bool isInOrder{true}; ///< within each flow
    std::string record;   ///< every arrival and every counter
    std::string error;    ///< of an identity that did not hold at some time; empty: all held
};

/// One random network with random traffic.
class RandomRun
{
  public:
    /// @param kind of the switches @param seed of everything random
    RandomRun(const Kind& kind, int64_t seed)
        : m_kind(kind),
          m_random(CreateObject<UniformRandomVariable>())
    {
        m_random->SetStream(seed);
    }

    /// @return the outcome
    Outcome Run();

  private:
    void NotifyQueueState(QueueId /* queue */, bool paused)
    {
        m_outcome.pauses += paused ? 1 : 0;
    }

    void NotifyPortState(PortId /* port */, bool paused)
    {
        m_outcome.pauses += paused ? 1 : 0;
    }

    /// @param least smallest @param most largest @return a random number between them
    uint32_t Draw(uint32_t least, uint32_t most)
    {
        return m_random->GetInteger(least, most);
    }

    /// @return a random rate
    DataRate DrawRate()
    {
        constexpr std::array<uint64_t, 4> gigabits{10, 25, 40, 100};
        return DataRate(gigabits[Draw(0, 3)] * 1000000000);
    }

    /// @return a star, a random tree or a leaf-spine network
    Topology DrawTopology();
    /// @return switches with random settings
    SwitchHelper DrawSwitches();
    /// Gives a switch little more buffer than its headroom needs. @param node the switch
    void DrawBuffer(SwitchNode& node);
    /// Makes the hosts send bursts of frames. @param host a host @param hosts number of hosts
    void DrawTraffic(TestHost& host, uint32_t hosts);
    /// Compares the views of all ledgers; called at random times, and at the end.
    void CheckLedgers();
    /// @param node a switch @return what contradicts itself in it; empty: nothing
    std::string CheckLedger(SwitchNode& node) const;
    /// Writes down what the hosts have counted.
    void RecordHosts();
    /// Writes down what a switch has counted. @param node the switch
    void RecordSwitch(SwitchNode& node);

    const Kind& m_kind;
    Ptr<UniformRandomVariable> m_random;
    std::unique_ptr<Fabric> m_fabric;
    std::vector<std::unique_ptr<TestHost>> m_hosts;
    Outcome m_outcome;
};

Topology
RandomRun::DrawTopology()
{
    const Time delay = NanoSeconds(Draw(50, 3000));
    if (const uint32_t shape = Draw(0, 2); shape == 0)
    {
        return Topology::Star({Draw(2, 8), DrawRate(), delay});
    }
    else if (shape == 1)
    {
        LeafSpineOptions options;
        options.leaves = Draw(2, 3);
        options.spines = Draw(1, 3);
        options.hostsPerLeaf = Draw(1, 4);
        options.delay = delay;
        return Topology::LeafSpine(options);
    }
    Topology tree;
    std::vector<uint32_t> switches;
    for (uint32_t i = Draw(2, 5); i > 0; --i)
    {
        const uint32_t node = tree.AddSwitch("s" + std::to_string(i));
        if (!switches.empty())
        {
            tree.AddLink(switches[Draw(0, switches.size() - 1)],
                         node,
                         DrawRate(),
                         NanoSeconds(Draw(50, 3000)));
        }
        switches.push_back(node);
    }
    for (uint32_t i = Draw(3, 9); i > 0; --i)
    {
        tree.AddLink(tree.AddHost("h" + std::to_string(i)),
                     switches[Draw(0, switches.size() - 1)],
                     DrawRate(),
                     NanoSeconds(Draw(50, 3000)));
    }
    return tree;
}

SwitchHelper
RandomRun::DrawSwitches()
{
    SwitchHelper helper(m_kind.type);
    if (!m_kind.policy.empty())
    {
        helper.SetBufferPolicy(m_kind.policy);
        helper.SetPolicyAttribute("Xoff", UintegerValue(30000));
        helper.SetPolicyAttribute("Xon", UintegerValue(Draw(1, 30000)));
    }
    else if (m_kind.isLossless)
    {
        helper.SetPolicyAttribute("Alpha", DoubleValue(m_random->GetValue(0.5, 2)));
    }
    else if (m_kind.mayDrop)
    {
        helper.SetPolicyAttribute("QueueLimit", QueueSizeValue(QueueSize("30p")));
    }
    if (m_kind.isLossless)
    {
        helper.SetPolicyAttribute("LossyAlpha", DoubleValue(0.2));
    }
    helper.SetAttribute("LosslessClasses", UintegerValue(LOSSLESS));
    helper.SetAttribute("ProcessingDelay", TimeValue(NanoSeconds(Draw(0, 1) * 300)));
    // Eq. 1 of DSH counts bytes of the wire. Small frames fill more of the buffer than that when
    // they are rounded up to cells, so that lossless classes need exact bytes.
    const bool hasCells = Draw(0, 1) && !m_kind.isLossless;
    helper.SetBufferAttribute("CellBytes", UintegerValue(hasCells ? 80 : 1));
    return helper;
}

void
RandomRun::DrawBuffer(SwitchNode& node)
{
    if (!m_kind.isLossless)
    {
        return;
    }
    uint64_t size = Draw(300000, 600000);
    for (uint16_t i = 0; i < node.GetNDevices(); ++i)
    {
        const Ptr<LosslessNetDevice> device = node.GetPortDevice(PortId{i});
        const Time delay = DynamicCast<LosslessChannel>(device->GetChannel())->GetDelay();
        size += 3 * (GetHeadroomBytes({device->GetDataRate(), delay, 1500}) + 3072);
    }
    node.GetSharedBuffer()->SetAttribute("Size", UintegerValue(size));
}

void
RandomRun::DrawTraffic(TestHost& host, uint32_t hosts)
{
    std::vector<uint32_t> times(25);
    std::generate(times.begin(), times.end(), [this]() { return Draw(0, 100000); });
    std::sort(times.begin(), times.end());
    for (const uint32_t time : times)
    {
        // Half of all bursts go to one host.
        uint32_t destination = Draw(0, 1) ? 0 : Draw(0, hosts - 1);
        if (GetHostAddress(destination) == host.address)
        {
            destination = (destination + 1) % hosts;
        }
        const uint8_t dscp = Draw(0, 1) ? Draw(8, 31) : Draw(0, 63);
        host.Send(destination, dscp, Draw(64, 1514), Draw(1, 60), NanoSeconds(time));
    }
}

std::string
RandomRun::CheckLedger(SwitchNode& node) const
{
    const SharedBuffer& buffer = *node.GetSharedBuffer();
    const SwitchNode::Counts& counts = node.GetCounts();
    uint64_t ingress = 0;
    uint64_t egress = 0;
    uint64_t shared = 0;
    uint64_t headroom = 0;
    uint64_t frames = 0;
    for (uint16_t port = 0; port < node.GetNDevices(); ++port)
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const QueueId queue{PortId{port}, Priority{p}};
            ingress += buffer.GetIngress(queue).GetTotal();
            shared += buffer.GetIngress(queue).shared;
            headroom += buffer.GetIngress(queue).headroom;
            egress += buffer.GetEgress(queue).bytes;
            frames += buffer.GetEgress(queue).frames;
        }
    }
    const uint64_t dropped =
        std::accumulate(counts.dropped.begin(), counts.dropped.end(), uint64_t{0});
    std::ostringstream error;
    if (ingress != buffer.GetUsed() || egress != buffer.GetUsed() ||
        shared != buffer.GetSharedUsed() || headroom != buffer.GetHeadroomUsed())
    {
        error << "ingress " << ingress << " egress " << egress << " used " << buffer.GetUsed()
              << " shared " << shared << " of " << buffer.GetSharedUsed() << " headroom "
              << headroom << " of " << buffer.GetHeadroomUsed();
    }
    else if (counts.received != counts.sent + dropped + frames)
    {
        error << "received " << counts.received << " sent " << counts.sent << " dropped " << dropped
              << " stored " << frames;
    }
    else if (m_kind.mayDrop && buffer.GetUsed() > buffer.GetSize())
    {
        error << "used " << buffer.GetUsed() << " of " << buffer.GetSize();
    }
    return error.str();
}

void
RandomRun::CheckLedgers()
{
    for (uint32_t i = 0; i < m_fabric->GetNSwitches() && m_outcome.error.empty(); ++i)
    {
        m_outcome.error = CheckLedger(*m_fabric->GetSwitch(i));
    }
}

void
RandomRun::RecordHosts()
{
    std::ostringstream record;
    for (const auto& host : m_hosts)
    {
        m_outcome.sent += host->nextSequence;
        m_outcome.received += host->received.GetArrivals().size();
        m_outcome.isInOrder = m_outcome.isInOrder && host->received.IsInOrder();
        for (const Arrival& arrival : host->received.GetArrivals())
        {
            record << arrival.time.GetNanoSeconds() << " " << arrival.source << " "
                   << arrival.sequence << "\n";
        }
    }
    m_outcome.record += record.str();
}

void
RandomRun::RecordSwitch(SwitchNode& node)
{
    const SwitchNode::Counts& counts = node.GetCounts();
    m_outcome.dropped += std::accumulate(counts.dropped.begin(), counts.dropped.end(), uint64_t{0});
    m_outcome.lossless += counts.losslessDropped;
    m_outcome.stored += node.GetSharedBuffer()->GetUsed();
    for (uint16_t port = 0; port < node.GetNDevices(); ++port)
    {
        m_outcome.stopped += node.GetSharedBuffer()->GetIngressPort(PortId{port}).paused;
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const QueueId queue{PortId{port}, Priority{p}};
            m_outcome.stopped += node.GetSharedBuffer()->GetIngress(queue).paused;
        }
    }
    m_outcome.record += "sent " + std::to_string(counts.sent) + "\n";
}

Outcome
RandomRun::Run()
{
    m_fabric = std::make_unique<Fabric>(DrawTopology(), DrawSwitches());
    for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
    {
        Ptr<SwitchNode> node = m_fabric->GetSwitch(i);
        DrawBuffer(*node);
        node->GetFlowControl()->TraceConnectWithoutContext(
            "QueueState",
            MakeCallback(&RandomRun::NotifyQueueState, this));
        node->GetFlowControl()->TraceConnectWithoutContext(
            "PortState",
            MakeCallback(&RandomRun::NotifyPortState, this));
    }
    for (uint32_t i = 0; i < m_fabric->GetNHosts(); ++i)
    {
        m_hosts.push_back(std::make_unique<TestHost>(m_fabric->GetHostDevice(i), i));
    }
    for (const auto& host : m_hosts)
    {
        DrawTraffic(*host, m_hosts.size());
    }
    for (uint32_t i = 0; i < 100; ++i)
    {
        Simulator::Schedule(NanoSeconds(Draw(0, 400000)), &RandomRun::CheckLedgers, this);
    }
    Simulator::Run();
    CheckLedgers();
    RecordHosts();
    for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
    {
        RecordSwitch(*m_fabric->GetSwitch(i));
    }
    m_fabric.reset();
    Simulator::Destroy();
    return m_outcome;
}

/**
 * For one kind of switch: every frame that was sent is received or was dropped, none is left in a
 * switch, nobody is left stopped, flows keep their order, and a second run is the same.
 *
 * Traffic and buffers are such that flow control works hard and drop-tail queues overflow: a test
 * in which nothing happens would hold whatever the code does.
 */
class ConservationCase : public TestCase
{
  public:
    /// @param kind of the switches
    explicit ConservationCase(const Kind& kind)
        : TestCase("random networks of " + kind.name + " switches"),
          m_kind(kind)
    {
    }

  private:
    static constexpr int64_t RUNS = 12;

    void DoRun() override
    {
        uint64_t pauses = 0;
        uint64_t dropped = 0;
        for (int64_t seed = 1; seed <= RUNS; ++seed)
        {
            const Outcome outcome = RandomRun(m_kind, seed).Run();
            Check(outcome, "seed " + std::to_string(seed));
            pauses += outcome.pauses;
            dropped += outcome.dropped;
            if (seed <= 3)
            {
                NS_TEST_ASSERT_MSG_EQ((RandomRun(m_kind, seed).Run().record == outcome.record),
                                      true,
                                      "a second run with seed " << seed << " differs");
            }
        }
        NS_TEST_ASSERT_MSG_EQ((pauses > 100), m_kind.isLossless, pauses << " stops");
        NS_TEST_ASSERT_MSG_EQ((dropped > 100), m_kind.mayDrop, dropped << " drops");
    }

    void Check(const Outcome& outcome, const std::string& what)
    {
        NS_TEST_ASSERT_MSG_EQ(outcome.error, "", what);
        NS_TEST_ASSERT_MSG_GT(outcome.sent, 1000, what << ": frames sent");
        NS_TEST_ASSERT_MSG_EQ(outcome.sent, outcome.received + outcome.dropped, what);
        NS_TEST_ASSERT_MSG_EQ(outcome.stored, 0, what << ": bytes left in switches");
        NS_TEST_ASSERT_MSG_EQ(outcome.stopped, 0, what << ": queues and ports left stopped");
        NS_TEST_ASSERT_MSG_EQ(outcome.lossless, 0, what << ": lost in lossless classes");
        NS_TEST_ASSERT_MSG_EQ(outcome.isInOrder, true, what << ": order within flows");
        if (!m_kind.mayDrop)
        {
            NS_TEST_ASSERT_MSG_EQ(outcome.dropped, 0, what << ": drops");
        }
    }

    const Kind& m_kind;
};

class ConservationTestSuite : public TestSuite
{
  public:
    ConservationTestSuite()
        : TestSuite("lossless-conservation", tests::SYSTEM)
    {
        for (const Kind& kind : GetKinds())
        {
            AddTestCase(new ConservationCase(kind), tests::QUICK);
        }
    }
};

ConservationTestSuite g_conservationTestSuite;

} // namespace

} // namespace ns3::lossless::tests
