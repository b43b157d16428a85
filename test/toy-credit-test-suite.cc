// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/flow-control.h"
#include "ns3/lossless-fabric.h"
#include "ns3/mac-control-header.h"
#include "ns3/results-writer.h"
#include "ns3/roce-nic.h"
#include "ns3/scheme-registry.h"
#include "ns3/simulator.h"
#include "ns3/switch-node.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * A scheme with credits, exact to the byte: a neighbour is never stopped, but may send only as much
 * as it was told that there is room for. It shows how a switch holds a neighbour without stopping
 * it (FlowControl::IsHolding()), and how a gate decides by the size of a frame
 * (TransmitGate::MaySend()).
 */

namespace ns3::lossless::tests
{

namespace THIS_FILE
{

Suite g_suite("lossless-toy-credit", UNIT);

/// What an ingress queue takes at most, in bytes on the wire.
constexpr uint64_t CREDIT = 30000;

/// @param mtu of a link, bytes @return its largest frame on the wire; with less credit left, a
/// neighbour may have to wait
constexpr uint64_t
GetLargestFrame(uint32_t mtu)
{
    return mtu + 14 + WIRE_OVERHEAD_BYTES;
}

/// Up to how many bytes of a class the neighbour may have sent since the link came up.
class CreditHeader : public Header
{
  public:
    static constexpr uint16_t OPCODE = 0xfff2; ///< of nobody else
    uint8_t priority{0};                       ///< class
    uint64_t limit{0};                         ///< bytes on the wire

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::CreditHeader").SetParent<Header>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 2 + 1 + 8;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.WriteHtonU16(OPCODE);
        start.WriteU8(priority);
        start.WriteHtonU64(limit);
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        start.Next(2);
        priority = start.ReadU8();
        limit = start.ReadNtohU64();
        return GetSerializedSize();
    }

    void Print(std::ostream& os) const override
    {
        os << limit << " B of class " << +priority;
    }
};

/// The upstream side: sends a frame if the credit of its class is enough for all of it.
class CreditGate : public TransmitGate
{
  public:
    CreditGate()
    {
        SetSelective(true);
        SetPacing(true);
        m_limits.fill(CREDIT);
    }

    bool StopsFlows() const override
    {
        return false;
    }

    bool MaySend(const Frame& frame) const override
    {
        const std::size_t p = Index(frame.priority);
        return m_sent[p] + GetWireBytes(frame) <= m_limits[p];
    }

    void NotifySent(const Frame& frame, Priority priority) override
    {
        const std::size_t p = Index(priority);
        m_sent[p] += GetWireBytes(frame);
        if (m_sent[p] + GetLargestFrame(Link().mtu) > m_limits[p])
        {
            TellPaused({SetOf(priority), Time::Max()}); // for the deadlock detector
        }
    }

  private:
    bool Apply(const Frame& frame) override
    {
        const auto body = ParseMacControlFrame<CreditHeader>(*frame.packet, CreditHeader::OPCODE);
        if (!body)
        {
            return false;
        }
        m_limits[body->priority] = body->limit;
        Wake();
        return true;
    }

    void DoReset() override // until the neighbour has told anew what it has room for
    {
        m_sent.fill(0);
        m_limits.fill(0);
    }

    std::array<uint64_t, NUM_PRIORITIES> m_sent{}; ///< bytes since the link came up, by class
    std::array<uint64_t, NUM_PRIORITIES> m_limits; ///< which they must not exceed
};

/// The downstream side: what has come, and the room that is left, are what may come.
class CreditControl : public FlowControl
{
  public:
    bool IsLossless() const override
    {
        return true;
    }

    void OnArrival(const SwitchItem& item) override
    {
        Queue& queue = m_queues[Index(item.GetIngressQueue())];
        queue.arrived += GetBytes(item);
        queue.stored += GetBytes(item);
        Update(item.GetIngressQueue());
    }

    void OnRejection(const SwitchItem& item) override
    {
        m_queues[Index(item.GetIngressQueue())].arrived += GetBytes(item);
        Update(item.GetIngressQueue());
    }

    void OnRelease(const SwitchItem& item, Ticks /* when */) override
    {
        m_queues[Index(item.GetIngressQueue())].stored -= GetBytes(item);
        Update(item.GetIngressQueue());
    }

    void OnLinkUp(PortId port) override
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            Queue& queue = m_queues[Index(QueueId{port, Priority{p}})];
            queue.arrived = 0;
            queue.told = 0;
            Update({port, Priority{p}});
        }
    }

    bool IsHolding(QueueId queue) const override
    {
        const auto found = m_queues.find(Index(queue));
        return found != m_queues.end() && found->second.isHeld;
    }

  private:
    /// An ingress queue, in bytes on the wire.
    struct Queue
    {
        uint64_t arrived{0};   ///< since the link came up
        uint64_t stored{0};    ///< in the switch
        uint64_t told{CREDIT}; ///< up to where the neighbour may send, as it knows
        bool isHeld{false};    ///< it may have to wait

        /// @return up to where it may send
        uint64_t GetLimit() const
        {
            return arrived + CREDIT - std::min(stored, CREDIT);
        }
    };

    /// @param item a frame @return its bytes on the wire
    static uint64_t GetBytes(const SwitchItem& item)
    {
        return item.frame.size + WIRE_OVERHEAD_BYTES;
    }

    /// Notes whether a neighbour may have to wait, and tells it of new room, once there is a
    /// quarter of all that there can be. @param id an ingress queue
    void Update(QueueId id)
    {
        Queue& queue = m_queues[Index(id)];
        const uint64_t largest = GetLargestFrame(Shape().ports[Index(id.port)].mtu);
        const bool isHeld = queue.arrived + largest > queue.told;
        if (isHeld != queue.isHeld)
        {
            queue.isHeld = isHeld;
            NoteHolding(id, isHeld);
        }
        if (queue.GetLimit() >= queue.told + CREDIT / 4)
        {
            m_news[id.port] |= SetOf(id.priority);
            Services().RequestControl(id.port);
        }
    }

    Ptr<Packet> DoMakeControl(PortId port) override
    {
        PrioritySet& news = m_news[port];
        if (news == 0)
        {
            return nullptr;
        }
        const QueueId id{port, MostImportant(news)};
        news &= ~SetOf(id.priority);
        Queue& queue = m_queues[Index(id)];
        queue.told = queue.GetLimit();
        CreditHeader body;
        body.priority = Index(id.priority);
        body.limit = queue.told;
        Update(id);
        return MakeMacControlFrame(Services().GetAddress(port), body);
    }

    std::map<std::size_t, Queue> m_queues; ///< by Index(QueueId), of those that have had frames
    std::map<PortId, PrioritySet> m_news;  ///< classes of which there is something to tell
};

/// The switch, which puts the parts together. Hosts take all that comes, and so give no credits.
class CreditSwitchNode : public SwitchNode
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::CreditSwitchNode")
                                .SetParent<SwitchNode>()
                                .AddConstructor<CreditSwitchNode>();
        return tid;
    }

    CreditSwitchNode()
    {
        SetFlowControl(CreateObject<CreditControl>());
    }

  private:
    Ptr<TransmitGate> CreateGate(Ptr<LosslessNetDevice> device,
                                 std::optional<PortId> port) const override
    {
        const bool isToHost = port && device->GetPartner()->isHost;
        return isToHost ? nullptr : CreateObject<CreditGate>();
    }
};

NS_OBJECT_ENSURE_REGISTERED(CreditSwitchNode);

const RegisterScheme<CreditSwitchNode> g_credits("Credits", 1000, [](SchemeInfo& scheme) {
    scheme.what = "a neighbour may send what there is room for, to the byte";
    scheme.promise = Promise::ALL_CLASSES; // its switches have an unlimited buffer
});

/// Two hosts at a switch with credits; the second one has stopped class 3 for 335 us.
struct StoppedStar
{
    StoppedStar()
        : star(CreateObject<CreditSwitchNode>(), 2)
    {
        Simulator::Schedule(Time(0), [this] {
            SendPfc(star.GetHost(1).device, SetOf(Priority{3}), UINT16_MAX);
        });
    }

    Star star; ///< the network
};

LOSSLESS_TEST(g_suite, "Credit is exact to the byte: of 30000 B, 1001 B on the wire leave 29 times")
{
    for (const auto& [bytes, frames] :
         {std::pair(976, 30U), std::pair(977, 29U), std::pair(1476, 20U)})
    {
        StoppedStar stopped;
        TestHost& host = stopped.star.GetHost(0);
        host.Send(1, 24, bytes, 100, MicroSeconds(10));
        host.Send(1, 32, bytes, 100, MicroSeconds(10));
        Simulator::Stop(MicroSeconds(200));
        Simulator::Run();
        const std::size_t left = 200 - host.source.GetBacklog();
        NS_TEST_EXPECT_MSG_EQ(left, 100 + frames, bytes << " B, and all of the other class");
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        const Recorder& received = stopped.star.GetHost(1).received;
        NS_TEST_EXPECT_MSG_EQ(received.GetArrivals().size(), 200, bytes << " B: all in the end");
        NS_TEST_EXPECT_MSG_EQ(received.IsInOrder(), true, bytes << " B");
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "A small frame does not pass a large one of its flow for which credit lacks")
{
    StoppedStar stopped;
    TestHost& host = stopped.star.GetHost(0);
    host.Send(1, 24, 1476, 19, MicroSeconds(10)); // 28500 B
    host.Send(1, 24, 1477, 1, MicroSeconds(11));  // one byte too much
    host.Send(1, 24, 60, 1, MicroSeconds(12));
    Simulator::Stop(MicroSeconds(200));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(host.source.GetBacklog(), 2, "one byte lacks, and the small one waits");
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(stopped.star.GetHost(1).received.IsInOrder(), true, "order");
}

LOSSLESS_TEST(g_suite, "A frame that is lost as it arrives does not keep its credit")
{
    Star star(CreateObject<CreditSwitchNode>(), 2);
    TestHost& host = star.GetHost(0);
    host.Send(9, 24, 976, 100); // no route: three times the credit
    host.Send(1, 24, 976, 1);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(host.source.GetBacklog(), 0, "all could leave");
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(1).received.GetArrivals().size(), 1, "the last one arrives");
}

LOSSLESS_TEST(g_suite, "Whoever is held learns of new room at once, though nothing else happens")
{
    // Three frames leave by three slow ports, none of which has another to send then: only the
    // claim of NoteHolding() lets the switch see their ends.
    constexpr uint32_t MTU = 9000;
    constexpr uint32_t RECEIVERS = 3;
    Topology star;
    const auto node = star.AddSwitch("s0");
    star.AddLink(star.AddHost("h0"), node, DataRate("100Gbps"), MicroSeconds(1));
    for (uint32_t i = 1; i <= RECEIVERS; ++i)
    {
        const std::string name = "h" + std::to_string(i);
        star.AddLink(star.AddHost(name), node, DataRate("10Gbps"), MicroSeconds(1));
    }
    Fabric fabric(star, SwitchHelper("ns3::lossless::tests::CreditSwitchNode"));
    std::vector<std::unique_ptr<TestHost>> hosts;
    for (uint32_t i = 0; i <= RECEIVERS; ++i)
    {
        fabric.GetHostDevice(i)->SetMtu(MTU);
        fabric.GetSwitch(0)->GetPortDevice(PortId{static_cast<uint16_t>(i)})->SetMtu(MTU);
        hosts.push_back(std::make_unique<TestHost>(fabric.GetHostDevice(i), i));
    }
    for (const uint32_t destination : {1, 2, 3, 1}) // of 9038 B on the wire; 36152 B need credit
    {
        hosts[0]->Send(destination, 24, MTU + 14);
    }
    Simulator::Run();
    const std::vector<Arrival>& arrivals = hosts[1]->received.GetArrivals();
    NS_TEST_EXPECT_MSG_EQ(arrivals.size(), 2, "the one that had to wait arrives");
    // In ns, the first: 723.04 + 1000 to the switch, and 7230.4 until its end has left. Then 6.72
    // + 1000 + 307.2 until the credit counts, and the fourth: 723.04 + 1000, 7230.4 + 1000.
    NS_TEST_EXPECT_MSG_EQ_TOL(arrivals.back().time, NanoSeconds(20220), NanoSeconds(2), "when");
    hosts.clear();
    Simulator::Destroy();
}

/// @param bytes of two flows of class 3 @param lowest least credit that may be left unused, B
void
CheckNic(const std::vector<uint64_t>& bytes, uint64_t lowest)
{
    StarOptions options;
    options.hosts = 2;
    Fabric fabric(Topology::Star(options), SwitchHelper("ns3::lossless::tests::CreditSwitchNode"));
    FlowList flows;
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        flows.push_back({static_cast<uint32_t>(i), 0, 1, 3, bytes[i], MicroSeconds(10), ""});
    }
    fabric.StartFlows(flows);
    Simulator::Schedule(Time(0), [&fabric] {
        SendPfc(fabric.GetHostDevice(1), SetOf(Priority{3}), UINT16_MAX);
    });
    Simulator::Stop(MicroSeconds(200));
    Simulator::Run();
    const uint64_t sent = fabric.GetHostDevice(0)->GetSentBytes();
    NS_TEST_EXPECT_MSG_EQ((sent <= CREDIT), true, "the NIC asks with the size: " << sent << " B");
    NS_TEST_EXPECT_MSG_EQ((sent >= CREDIT - lowest), true, "and uses what it has: " << sent);
    Simulator::Destroy();
}

LOSSLESS_TEST(g_suite, "A NIC keeps to the credit with packets of different sizes")
{
    CheckNic({1000000}, 1100); // of packets of one size
    CheckNic({1000000, 1000000}, 1100);
    CheckNic({20500, 1000000}, 1100); // of which one ends with half a packet
}

LOSSLESS_TEST(g_suite, "Who is held by credits is recorded as paused, and as a cause")
{
    Topology line;
    const auto left = line.AddSwitch("s0");
    const auto right = line.AddSwitch("s1");
    for (const auto& [name, node, rate] :
         {std::tuple("h0", left, "10Gbps"), std::tuple("h1", right, "1Gbps")})
    {
        line.AddLink(line.AddHost(name), node, DataRate(rate), MicroSeconds(1));
    }
    line.AddLink(left, right, DataRate("10Gbps"), MicroSeconds(1));
    Fabric fabric(line, SwitchHelper("ns3::lossless::tests::CreditSwitchNode"));
    ResultsWriter results("");
    results.AddFabric(fabric);
    fabric.StartFlows({{0, 0, 1, 3, 1000000, Time(0), ""}});
    Simulator::Stop(MilliSeconds(20));
    Simulator::Run();
    const std::vector<PauseRecord> pauses = results.GetPauses().GetPauses();
    NS_TEST_ASSERT_MSG_EQ(pauses.size(), 2, "s1 holds s0, and s0 the host");
    for (const PauseRecord& record : pauses)
    {
        NS_TEST_EXPECT_MSG_EQ((record.kind == PauseRecord::Kind::CLASS), true, record.node);
        NS_TEST_EXPECT_MSG_EQ(*record.priority, Priority{3}, record.node);
        NS_TEST_EXPECT_MSG_GT(record.pauses, 10, record.node);
        NS_TEST_EXPECT_MSG_EQ(record.resumes, record.pauses, record.node << ": none is left");
    }
    NS_TEST_EXPECT_MSG_EQ(results.GetPropagation().GetDepths().size(), 2, "two hops of it");
    NS_TEST_EXPECT_MSG_EQ(results.GetFlows().GetFlows().at(0).isReceived, true, "all arrives");
}

LOSSLESS_TEST(g_suite, "A ring without credit is locked, which the detector finds by IsHolding()")
{
    Ring ring([] { return CreateObject<CreditSwitchNode>(); });
    auto detector = CreateObject<DeadlockDetector>();
    ring.Watch(*detector);
    ring.Send(2, 2000);
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "one, reported once");
    NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks()[0].GetCycle(),
                          "s0>s1 class 3 -> s1>s2 class 3 -> s2>s0 class 3 -> s0>s1 class 3",
                          "the ring");
}

} // namespace THIS_FILE

} // namespace ns3::lossless::tests
