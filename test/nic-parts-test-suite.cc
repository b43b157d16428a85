// SPDX-License-Identifier: GPL-2.0-only
//
// Unit tests of the parts of a NIC and of a host port, in addition to the scenarios in
// lossless-host (turns and stopped flows) and lossless-congestion-control (rates and windows).

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/class-queues.h"
#include "ns3/flow-sender.h"
#include "ns3/rate-limiter.h"
#include "ns3/reliability.h"
#include "ns3/send-arbiter.h"
#include "ns3/unbuilt-packet.h"

#include <random>
#include <tuple>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-nic-parts", UNIT);

using Numbers = std::vector<uint32_t>;
using Place = FlowSender::Place;

constexpr Priority CLASS_3{3};

class Arbitration
{
  public:
    /// Makes a request for the flow of class 3 with this source port.
    FlowSender& Request(uint16_t number)
    {
        FlowSender& sender = m_senders.emplace_back();
        FlowRecord record;
        record.flow.priority = CLASS_3;
        record.flow.bytes = 10000;
        RocePath path;
        path.sourcePort = number;
        path.tos = 3 << 5;
        sender.number = number;
        sender.queuePair.Open(record, path, {1000});
        m_arbiter.Request(sender);
        return sender;
    }

    Numbers GrantAll(const std::set<uint16_t>& stopped = {})
    {
        m_gate->m_stopped = stopped;
        const Permit permit{ALL_PRIORITIES, stopped.empty() ? nullptr : PeekPointer(m_gate)};
        Numbers granted;
        while (const PrioritySet eligible = m_arbiter.GetEligible(permit))
        {
            FlowSender& sender = m_arbiter.Grant(eligible);
            NS_TEST_EXPECT_MSG_EQ((sender.place == Place::NOWHERE), true, "waits no more");
            granted.push_back(sender.number);
        }
        return granted;
    }

    SendArbiter m_arbiter; ///< arbiter under test

  private:
    std::list<FlowSender> m_senders;                    ///< senders at stable addresses
    Ptr<ManualGate> m_gate{CreateObject<ManualGate>()}; ///< gate that pauses flows
};

Frame
MakeFrame(uint16_t flow, uint32_t id)
{
    Frame frame;
    frame.priority = CLASS_3;
    frame.size = 1000;
    frame.flow.sourcePort = flow;
    frame.flowHash = HashOf(frame.flow);
    frame.schemeData.Set(id);
    return frame;
}

LOSSLESS_TEST(g_suite, "a queue pair describes the frame that it makes next, with its size")
{
    for (const bool hasTelemetry : {false, true})
    {
        FlowRecord record;
        record.flow.bytes = 2501;
        SendSettings settings;
        settings.payloadBytes = 1000;
        settings.hasTelemetry = hasTelemetry;
        RocePath path;
        path.sourcePort = 7;
        path.tos = 3 << 5;
        SendQueuePair queuePair;
        queuePair.Open(record, path, settings);
        for (const uint32_t packet : {0, 1, 2, 0, 1, 2})
        {
            const Frame described = queuePair.DescribeNext();
            const Frame sent = queuePair.Send(Time(0));
            NS_TEST_EXPECT_MSG_EQ(described.size, sent.size, "packet " << packet);
            NS_TEST_EXPECT_MSG_EQ(described.flowHash, sent.flowHash, "packet " << packet);
            NS_TEST_EXPECT_MSG_EQ(described.priority, sent.priority, "packet " << packet);
            if (!queuePair.MaySend())
            {
                queuePair.HandleTimeout(); // all packets are sent again
            }
        }
    }
}

LOSSLESS_TEST(g_suite, "where a gate decides by size, no frame passes one of its flow")
{
    auto gate = CreateObject<ManualGate>();
    gate->m_largest = 500;
    const Permit permit{ALL_PRIORITIES, PeekPointer(gate)};
    ClassQueues queues;
    for (const auto& [flow, id, bytes] :
         {std::tuple(1, 0, 1000), std::tuple(1, 1, 100), std::tuple(2, 2, 100)})
    {
        Frame frame = MakeFrame(flow, id);
        frame.size = bytes;
        queues.Push(frame);
    }
    const auto pop = [&queues, &permit] { return queues.Pop(permit).schemeData.Get<uint32_t>(); };
    NS_TEST_ASSERT_MSG_EQ(queues.Prepare(permit), SetOf(CLASS_3), "another flow may pass");
    NS_TEST_EXPECT_MSG_EQ(pop(), 2, "that one");
    NS_TEST_EXPECT_MSG_EQ(queues.Prepare(permit), 0, "the small one waits behind its elder");
    gate->m_largest = 1000;
    NS_TEST_ASSERT_MSG_EQ(queues.Prepare(permit), SetOf(CLASS_3), "both may go");
    NS_TEST_EXPECT_MSG_EQ(pop(), 0, "the elder first");
    NS_TEST_EXPECT_MSG_EQ(pop(), 1, "then the other one");
}

LOSSLESS_TEST(g_suite, "a frame set aside does not count, and goes first when its flow goes on")
{
    auto gate = CreateObject<ManualGate>();
    const Permit permit{ALL_PRIORITIES, PeekPointer(gate)};
    ClassQueues queues;
    gate->m_stopped = {1};
    for (const uint16_t flow : {1, 2, 1, 3})
    {
        queues.Push(MakeFrame(flow, 0));
    }
    NS_TEST_EXPECT_MSG_EQ(+queues.Prepare(permit), +SetOf(CLASS_3), "flow 2");
    NS_TEST_EXPECT_MSG_EQ(queues.GetBytes(CLASS_3), 3000, "one set aside");
    NS_TEST_EXPECT_MSG_EQ(queues.Pop(permit).flow.sourcePort, 2, "passes");
    gate->m_stopped = {1, 3};
    NS_TEST_EXPECT_MSG_EQ(+queues.Prepare(permit), 0, "all are stopped");
    NS_TEST_EXPECT_MSG_EQ(queues.GetBytes(CLASS_3), 0, "and set aside");
    gate->m_stopped = {3};
    queues.Push(MakeFrame(2, 0));
    Numbers order;
    while (queues.Prepare(permit))
    {
        order.push_back(queues.Pop(permit).flow.sourcePort);
    }
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(order, Numbers{1, 1, 2}), "", "3 is still stopped");
}

LOSSLESS_TEST(g_suite, "flows stopped at random keep their order, and nobody waits for another one")
{
    constexpr uint16_t FLOWS = 5;
    for (uint32_t seed = 1; seed <= 200; ++seed)
    {
        std::mt19937 random(seed);
        auto gate = CreateObject<ManualGate>();
        const Permit permit{ALL_PRIORITIES, PeekPointer(gate)};
        ClassQueues queues;
        std::map<uint16_t, Numbers> waiting; // IDs of the waiting frames of each flow, in order
        const auto popAll = [&](std::size_t most) {
            for (std::size_t i = 0; i < most && queues.Prepare(permit); ++i)
            {
                const Frame frame = queues.Pop(permit);
                const uint16_t flow = frame.flow.sourcePort;
                NS_TEST_ASSERT_MSG_EQ(gate->m_stopped.count(flow), 0, "may go");
                NS_TEST_ASSERT_MSG_EQ(frame.schemeData.Get<uint32_t>(),
                                      waiting[flow].front(),
                                      "in order");
                waiting[flow].erase(waiting[flow].begin());
            }
        };
        for (uint32_t id = 0; id < 500; ++id)
        {
            const uint16_t flow = random() % FLOWS;
            queues.Push(MakeFrame(flow, id));
            waiting[flow].push_back(id);
            const uint16_t other = random() % FLOWS;
            if (random() % 3 == 0 && gate->m_stopped.erase(other) == 0)
            {
                gate->m_stopped.insert(other);
            }
            popAll(random() % 3);
        }
        popAll(500);
        for (const auto& [flow, ids] : waiting)
        {
            const bool isOpen = gate->m_stopped.count(flow) == 0;
            NS_TEST_EXPECT_MSG_EQ((isOpen && !ids.empty()), false, "left behind, seed " << seed);
        }
        gate->m_stopped.clear();
        popAll(500);
        for (const auto& [flow, ids] : waiting)
        {
            NS_TEST_EXPECT_MSG_EQ(ids.size(), 0, "lost, flow " << flow << ", seed " << seed);
        }
    }
}

LOSSLESS_TEST(g_suite, "a request is withdrawn, from the round and from those parked")
{
    Arbitration all;
    FlowSender& parked = all.Request(1);
    all.Request(2);
    FlowSender& waiting = all.Request(3);
    all.Request(4);
    NS_TEST_EXPECT_MSG_EQ(all.m_arbiter.GetEligible({ALL_PRIORITIES, nullptr}),
                          SetOf(CLASS_3),
                          "all may send");
    all.m_arbiter.Withdraw(waiting);
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(all.GrantAll({1}), Numbers{2, 4}), "", "without 3");
    all.m_arbiter.Withdraw(parked);
    all.m_arbiter.Unpark();
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(all.GrantAll(), Numbers{}), "", "without 1");
    NS_TEST_EXPECT_MSG_EQ((parked.place == Place::NOWHERE), true, "waits no more");
    all.m_arbiter.Request(waiting);
    all.m_arbiter.Clear();
    NS_TEST_EXPECT_MSG_EQ(+all.m_arbiter.GetRequesting(), 0, "forgotten");
}

LOSSLESS_TEST(g_suite, "those ahead of their rate are released by instant, then as they came")
{
    RateLimiter limiter{Callback<void>()};
    std::vector<FlowSender> senders;
    for (const int64_t dueUs : {7, 5, 5, 6, 2})
    {
        senders.emplace_back();
        senders.back().due = static_cast<double>(MicroSeconds(dueUs).GetTimeStep());
    }
    NS_TEST_EXPECT_MSG_EQ(limiter.TryHold(senders[4], MicroSeconds(2)), false, "is due");
    for (uint32_t i = 0; i < 4; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(limiter.TryHold(senders[i], MicroSeconds(2)), true, "is not due");
    }
    limiter.Remove(senders[3]);
    NS_TEST_EXPECT_MSG_EQ((senders[3].place == Place::NOWHERE), true, "not held any more");
    NS_TEST_EXPECT_MSG_EQ(limiter.Release(NanoSeconds(4999)), nullptr, "none is due");
    NS_TEST_EXPECT_MSG_EQ(limiter.Release(MicroSeconds(5)), &senders[1], "came first");
    NS_TEST_EXPECT_MSG_EQ(limiter.Release(MicroSeconds(9)), &senders[2], "then");
    NS_TEST_EXPECT_MSG_EQ((senders[0].place == Place::RATE_LIMITER), true, "is held");
    NS_TEST_EXPECT_MSG_EQ(limiter.Release(MicroSeconds(9)), &senders[0], "the last");
    NS_TEST_EXPECT_MSG_EQ(limiter.IsEmpty(), true, "all released");
}

class LossNotes : public CongestionControl
{
  public:
    void Start(DataRate /* lineRate */, uint32_t /* payloadBytes */) override
    {
    }

    DataRate GetRate(Time /* now */) override
    {
        return DataRate("100Gbps");
    }

    void NotifyAck(const AckSignals& signals, Time /* now */) override
    {
        m_told << "new " << signals.newBytes << (signals.isTrimmed ? " by a trimmed one" : "")
               << ", way " << signals.inFlight << "; ";
    }

    void NotifyLoss(const LossSignals& signals, Time /* now */) override
    {
        Note("lost ", signals);
    }

    void NotifyTrimmed(const LossSignals& signals, Time /* now */) override
    {
        Note("trimmed ", signals);
    }

    std::ostringstream m_told; ///< text of the notifications so far

  private:
    void Note(const std::string& kind, const LossSignals& signals)
    {
        m_told << kind << signals.bytes << ", way " << signals.inFlight << ", sent " << signals.sent
               << (signals.isFirst ? ", first; " : "; ");
    }
};

/// A flow of nine packets of 1000 B and one of 500 B, all of which have been sent, and its
/// receiver.
class LossyFlow
{
  public:
    explicit LossyFlow(const std::string& reliability)
        : m_reliability(ObjectFactory("ns3::lossless::" + reliability).Create<Reliability>())
    {
        FlowRecord record;
        record.flow.bytes = 9500;
        SendSettings settings;
        settings.payloadBytes = 1000;
        m_sender.queuePair.SetReliability(m_reliability->MakeSender(MilliSeconds(1)));
        m_sender.queuePair.Open(record, RocePath(), settings);
        m_receiver.SetReliability(m_reliability->MakeReceiver());
        m_receiver.Open(record, RocePath(), 0);
        m_sender.control = m_control;
        while (m_sender.queuePair.MaySend())
        {
            const Frame frame = m_sender.queuePair.Send(Time(0));
            m_packets.push_back(frame.packet.GetUnbuilt()->GetHeader());
        }
    }

    /// Receives packets and loses their acknowledgements.
    void Take(const Numbers& packets)
    {
        for (const uint32_t packet : packets)
        {
            m_receiver.Accept(m_packets.at(packet));
        }
    }

    std::string Cut(uint32_t packet)
    {
        m_receiver.AcceptTrimmed(m_packets.at(packet));
        m_control->m_told.str("");
        const Frame answer = m_receiver.MakeTrimNak();
        const UnbuiltPacket* parts = answer.packet.GetUnbuilt();
        m_sender.HandleAnswer(parts->GetHeader(), nullptr, parts->GetSack(), 0, Time(0));
        return m_control->m_told.str();
    }

    std::string TimeOut()
    {
        m_control->m_told.str("");
        m_sender.HandleTimeout(0, MilliSeconds(1));
        return m_control->m_told.str();
    }

  private:
    Ptr<Reliability> m_reliability;                      ///< reliability of both ends
    Ptr<LossNotes> m_control{CreateObject<LossNotes>()}; ///< congestion control of the sender
    FlowSender m_sender;                                 ///< sending end of the flow
    ReceiveQueuePair m_receiver;                         ///< receiving end of the flow
    std::vector<RoceHeader> m_packets;                   ///< packets that have left
};

LOSSLESS_TEST(g_suite, "a control is told of each lost packet, and what is on its way besides")
{
    for (const std::string way : {"SelectiveRepeat", "Unordered"})
    {
        LossyFlow flow(way);
        flow.Take({0});
        NS_TEST_EXPECT_MSG_EQ(flow.Cut(3),
                              "new 1000 by a trimmed one, way 8000; "
                              "trimmed 1000, way 8000, sent 9500, first; ",
                              way << ": with the first answer to 0");
        NS_TEST_EXPECT_MSG_EQ(flow.Cut(9),
                              "new 0 by a trimmed one, way 7000; "
                              "trimmed 500, way 7000, sent 9500; ",
                              way << ": the last one, a short one");
        NS_TEST_EXPECT_MSG_EQ(flow.Cut(3), "new 0 by a trimmed one, way 7000; ", way << ": again");
    }
    // Packet 8 has arrived. With selective repeat, the missing packets before it (1, 2 and 4 to 7)
    // are considered lost.
    LossyFlow selective("SelectiveRepeat");
    selective.Take({0, 3, 8});
    NS_TEST_EXPECT_MSG_EQ(selective.Cut(9),
                          "new 3000 by a trimmed one, way 0; lost 6000, way 0, sent 9500, first; "
                          "trimmed 500, way 0, sent 9500; ",
                          "of both kinds");
    NS_TEST_EXPECT_MSG_EQ(selective.TimeOut(), "lost 0, way 0, sent 9500, first; ", "no more");
    LossyFlow unordered("Unordered");
    unordered.Take({0, 3, 8});
    NS_TEST_EXPECT_MSG_EQ(unordered.Cut(9),
                          "new 3000 by a trimmed one, way 6000; "
                          "trimmed 500, way 6000, sent 9500, first; ",
                          "others may be late");
    NS_TEST_EXPECT_MSG_EQ(unordered.TimeOut(), "lost 6000, way 0, sent 9500, first; ", "the rest");
}

} // namespace ns3::lossless::tests::THIS_FILE
