// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/flow-control.h"
#include "ns3/mac-control-header.h"
#include "ns3/scheme-registry.h"
#include "ns3/simulator.h"
#include "ns3/switch-node.h"
#include "ns3/unlimited-buffer-policy.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <unordered_set>
#include <vector>

// A complete custom scheme in one file; it pauses individual flows. doc/how-to-add-a-scheme.rst
// explains it step by step.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-toy-flow-stop", UNIT);

// [begin scheme]
/// The header of a control frame that stops or resumes one flow.
class FlowStopHeader : public Header
{
  public:
    static constexpr uint16_t OPCODE = 0xfff1; ///< a value not used by any other protocol
    uint64_t flow{0};                          ///< hash of the flow's key
    bool stopped{false};                       ///< true if the flow is stopped rather than resumed

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::FlowStopHeader").SetParent<Header>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 2 + 8 + 1;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.WriteHtonU16(OPCODE);
        start.WriteHtonU64(flow);
        start.WriteU8(stopped);
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        if (start.GetRemainingSize() < GetSerializedSize())
        {
            return 0; // the frame is too short
        }
        start.Next(2);
        flow = start.ReadNtohU64();
        stopped = start.ReadU8() != 0;
        return GetSerializedSize();
    }

    void Print(std::ostream& os) const override
    {
        os << (stopped ? "stop " : "go on with ") << flow;
    }
};

/// The upstream side, which stores the flows that the neighbour has paused.
class FlowStopGate : public TransmitGate
{
  public:
    FlowStopGate()
    {
        SetSelective(true);
    }

    bool MaySend(const Frame& frame) const override
    {
        return m_stopped.count(frame.flowHash) == 0;
    }

  private:
    bool Apply(const Frame& frame) override
    {
        const auto body =
            ParseMacControlFrame<FlowStopHeader>(*frame.packet, FlowStopHeader::OPCODE);
        if (!body)
        {
            return false;
        }
        if (body->stopped)
        {
            m_stopped.insert(body->flow);
            TellPaused({ALL_PRIORITIES, Time::Max()});
        }
        else if (m_stopped.erase(body->flow) > 0)
        {
            Wake();
        }
        return true;
    }

    void DoReset() override
    {
        m_stopped.clear();
    }

    std::unordered_set<uint64_t> m_stopped; ///< hashes of the paused flows
};

/// A queue whose frames can overtake frames of paused flows, without reordering within a flow.
class FlowStopQueue : public EgressQueue
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::FlowStopQueue")
                                .SetParent<EgressQueue>()
                                .AddConstructor<FlowStopQueue>();
        return tid;
    }

    void Enqueue(SwitchItem&& item) override
    {
        m_items.push_back(std::move(item));
    }

    bool Prepare(const Permit& permit) override
    {
        const auto next = std::find_if(m_items.begin(), m_items.end(), [&](const SwitchItem& item) {
            return permit.Allows(item.frame);
        });
        m_next = next == m_items.end() ? 0 : next - m_items.begin();
        return next != m_items.end();
    }

    const SwitchItem* Peek() override
    {
        return m_items.empty() ? nullptr : &m_items[m_next];
    }

    SwitchItem Dequeue() override
    {
        SwitchItem item = std::move(m_items[m_next]);
        m_items.erase(m_items.begin() + m_next);
        m_next = 0;
        return item;
    }

    bool IsEmpty() const override
    {
        return m_items.empty();
    }

    void ForEach(const ItemVisitor& visitor) const override
    {
        std::for_each(m_items.begin(), m_items.end(), visitor);
    }

    std::vector<SwitchItem> TakeAll() override
    {
        std::vector<SwitchItem> all;
        std::move(m_items.begin(), m_items.end(), std::back_inserter(all));
        m_items.clear();
        return all;
    }

  private:
    std::deque<SwitchItem> m_items; ///< items, in order of arrival
    std::size_t m_next{0};          ///< the next frame to leave
};

/// The downstream side. It pauses a flow that has more than LIMIT bytes stored, and resumes it when
/// less than half of LIMIT is left.
class FlowStopControl : public FlowControl
{
  public:
    static constexpr uint64_t LIMIT = 30000; ///< limit per flow, in bytes

    Ptr<TransmitGate> CreateGate(PortId /* port */, const LosslessNetDevice& /* device */) override
    {
        return CreateObject<FlowStopGate>();
    }

    Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& /* device */) const override
    {
        return CreateObject<FlowStopGate>();
    }

    Ptr<EgressQueue> CreateEgressQueue(QueueId /* queue */) override
    {
        return CreateObject<FlowStopQueue>();
    }

    bool IsLossless() const override
    {
        return true;
    }

    void OnArrival(const SwitchItem& item) override
    {
        Update(item, m_stored[item.frame.flowHash] += item.bufferBytes);
    }

    void OnRelease(const SwitchItem& item, Ticks /* when */) override
    {
        Update(item, m_stored[item.frame.flowHash] -= item.bufferBytes);
    }

  private:
    /// Pauses or resumes a flow according to the number of its stored bytes.
    void Update(const SwitchItem& item, uint64_t bytes)
    {
        const uint64_t flow = item.frame.flowHash;
        const auto stop = m_stopped.find(flow);
        const bool isNew = stop == m_stopped.end();
        if (isNew ? bytes > LIMIT : bytes < LIMIT / 2)
        {
            const QueueId queue = isNew ? item.GetIngressQueue() : stop->second;
            if (isNew)
            {
                m_stopped.emplace(flow, queue);
            }
            else
            {
                m_stopped.erase(stop);
            }
            m_news[queue.port].push_back({flow, isNew});
            SetFlowsStopped(queue, {flow}, isNew);
        }
    }

    Ptr<Packet> DoMakeControl(PortId port) override
    {
        if (m_news[port].empty())
        {
            return nullptr;
        }
        FlowStopHeader body;
        std::tie(body.flow, body.stopped) = m_news[port].front();
        m_news[port].pop_front();
        return MakeMacControlFrame(Services().GetAddress(port), body);
    }

    std::map<uint64_t, uint64_t> m_stored; ///< number of stored bytes per flow
    std::map<uint64_t, QueueId> m_stopped; ///< ingress queue of each paused flow, whose frames can
                                           ///< have several classes
    std::map<PortId, std::deque<std::pair<uint64_t, bool>>> m_news; ///< messages to be sent, in
                                                                    ///< order
};

/// The switch that combines the parts.
class FlowStopSwitchNode : public SwitchNode
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::FlowStopSwitchNode")
                                .SetParent<SwitchNode>()
                                .AddConstructor<FlowStopSwitchNode>();
        return tid;
    }

    FlowStopSwitchNode()
        : SwitchNode(CreateObject<UnlimitedBufferPolicy>(), CreateObject<FlowStopControl>())
    {
    }
};

NS_OBJECT_ENSURE_REGISTERED(FlowStopSwitchNode);

const RegisterScheme<FlowStopSwitchNode> g_flowStop("Flow-stop", 1000, [](SchemeInfo& scheme) {
    scheme.what = "single flows are stopped, those of which a switch stores much";
    scheme.hasOwnQueues = true;
    scheme.promise = Promise::ALL_CLASSES; // the switches have an unlimited buffer
});

// [end scheme]

/// The same scheme with FIFO queues, in which frames wait behind those of stopped flows.
class FlowStopFifoControl : public FlowStopControl
{
  public:
    Ptr<EgressQueue> CreateEgressQueue(QueueId /* queue */) override
    {
        return nullptr;
    }
};

const std::string SCHEME = "ns3::lossless::tests::FlowStopSwitchNode";

/// The results of a flow to a slow host and of another flow in a network of two switches.
struct Outcome
{
    FlowRecord beside;                    ///< flow to the fast host
    std::vector<PauseRecord> pauses;      ///< pauses of all switches
    std::vector<VictimRecord> victims;    ///< victim flows
    std::vector<PauseDepthRecord> depths; ///< depths of the pauses
};

Outcome
Run(bool isFifo)
{
    // h1 has a slow link.
    const Topology line = MakeTopology("h0,s0,10Gbps,1us\n"
                                       "s0,s1,20Gbps,1us\n"
                                       "h1,s1,1Gbps,1us\n"
                                       "h2,s1,10Gbps,1us\n");
    Fabric fabric(line, SwitchHelper(SCHEME));
    for (uint32_t i = 0; isFifo && i < fabric.GetNSwitches(); ++i)
    {
        fabric.GetSwitch(i)->SetFlowControl(CreateObject<FlowStopFifoControl>());
    }
    ResultsWriter results("");
    results.AddFabric(fabric);
    // Both flows are sent by host 0, so only the NIC can distinguish them.
    fabric.StartFlows({{0, 0, 1, 3, 1000000, Time(0), ""}, {1, 0, 2, 3, 1000000, Time(0), ""}});
    RunFor(MilliSeconds(20));
    const auto& flows = results.Get<FlowRecorder>()->GetFlows();
    NS_TEST_EXPECT_MSG_EQ((flows.at(0).isReceived && flows.at(1).isReceived), true, "both arrive");
    const auto propagation = results.Get<PausePropagation>();
    Outcome outcome{flows.at(1),
                    results.Get<PauseRecorder>()->GetPauses(),
                    propagation->GetVictims(flows),
                    propagation->GetDepths()};
    Simulator::Destroy();
    return outcome;
}

LOSSLESS_TEST(g_suite, "A stopped flow waits at switch and host, the one beside it does not")
{
    const Outcome toy = Run(false);
    // The flow sends 1 MB at 5 Gb/s until the other flow is paused, and then at 10 Gb/s. At 5 Gb/s
    // alone, it would take 1.7 ms, and at 10 Gb/s alone 0.9 ms.
    NS_TEST_EXPECT_MSG_LT(toy.beside.GetCompletionTime(), MicroSeconds(1200), "hardly disturbed");
    NS_TEST_ASSERT_MSG_EQ(toy.pauses.size(), 2, "s1 stops s0, and s0 the host");
    for (const PauseRecord& record : toy.pauses)
    {
        NS_TEST_EXPECT_MSG_EQ((record.kind == PauseRecord::Kind::FLOWS), true, record.node);
        NS_TEST_EXPECT_MSG_EQ(*record.priority, Priority{3}, record.node);
        NS_TEST_EXPECT_MSG_GT(record.pauses, 10, record.node);
        NS_TEST_EXPECT_MSG_EQ(record.resumes, record.pauses, record.node << ": none is left");
    }
    NS_TEST_ASSERT_MSG_EQ(toy.depths.size(), 2, "two hops from the slow link");
    NS_TEST_EXPECT_MSG_EQ(toy.depths[1].hosts, 1, "the second one stops the host");
    NS_TEST_EXPECT_MSG_EQ(toy.victims.size(), 0, "the flow to the slow host caused it itself");
    const Outcome fifo = Run(true);
    NS_TEST_EXPECT_MSG_GT(fifo.beside.GetCompletionTime(), MicroSeconds(4000), "behind others");
    NS_TEST_ASSERT_MSG_EQ(fifo.victims.size(), 1, "behind frames that are stopped");
    NS_TEST_EXPECT_MSG_EQ(fifo.victims[0].flow, 1, "the one beside");
}

/// The flows take the paths h1 - s1 - s2 - h3 and h0 - s0 - s2 - s3 - h2, and h2 and h3 accept one
/// frame per millisecond. s2 pauses the flow from s1 because of its own queue to h3, so a pause of
/// depth 2 affects h1. Earlier, s2 pauses the flow from s0 because s3 has paused that flow, so a
/// pause of depth 3 affects h0. The ports of s2 to s1 and s0 have the lowest numbers, in this
/// order.
LOSSLESS_TEST(g_suite, "Flows stopped at two ports of a switch have causes of their own")
{
    const Topology tree = MakeTopology("s1,s2,10Gbps,1us\n"
                                       "s0,s2,10Gbps,1us\n"
                                       "s2,s3,10Gbps,1us\n"
                                       "h0,s0,10Gbps,1us\n"
                                       "h1,s1,10Gbps,1us\n"
                                       "h2,s3,8Mbps,1us\n"
                                       "h3,s2,8Mbps,1us\n");
    Fabric fabric(tree, SwitchHelper(SCHEME));
    ResultsWriter results("");
    results.AddFabric(fabric);
    fabric.StartFlows(
        {{0, 0, 2, 3, 1000000, Time(0), ""}, {1, 1, 3, 3, 1000000, MicroSeconds(500), ""}});
    RunFor(MilliSeconds(2));
    const std::vector<PauseDepthRecord> depths = results.Get<PausePropagation>()->GetDepths();
    NS_TEST_ASSERT_MSG_EQ(depths.size(), 3, "up to h0");
    const std::vector<std::vector<uint64_t>> expected{{2, 2, 0}, {2, 2, 1}, {1, 1, 1}};
    for (std::size_t i = 0; i < 3; ++i)
    {
        const std::vector<uint64_t> found{depths[i].pauses, depths[i].queues, depths[i].hosts};
        NS_TEST_EXPECT_MSG_EQ(FirstDifference(found, expected[i]), "", "depth " << i + 1);
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
