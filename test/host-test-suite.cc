// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/data-rate.h"
#include "ns3/ipv4-header.h"
#include "ns3/node.h"
#include "ns3/queue-pair-table.h"
#include "ns3/raw-source.h"
#include "ns3/signal-recorder.h"
#include "ns3/stall-reporter.h"
#include "ns3/trimming.h"
#include "ns3/udp-header.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-host", UNIT);

// All times are in ns, on the default link of 100 Gb/s with a delay of 1 us. On the wire, a frame
// occupies its size plus 24 B. A full data packet is 54 + 1000 + 4 (ICRC) = 1058 B long, occupies
// 1082 B on the wire and takes 86.56 ns. An ACK or NAK is 58 + 4 = 62 B long, occupies 86 B on the
// wire and takes 6.88 ns. The transmission time of a single frame is rounded down; over consecutive
// frames, the fractions add up.

constexpr Priority CLASS_3{3};
constexpr Priority CLASS_4{4};

int64_t
Ns(Time time)
{
    return time.GetNanoSeconds();
}

/// A congestion control that always sends at 10 Gb/s.
struct SteadyControl : CongestionControl
{
    LOSSLESS_TEST_TYPE(SteadyControl, CongestionControl, .AddConstructor<SteadyControl>());

    void Start(DataRate /* lineRate */, uint32_t /* payloadBytes */) override
    {
    }

    DataRate GetRate(Time /* now */) override
    {
        return DataRate("10Gbps");
    }
};

NS_OBJECT_ENSURE_REGISTERED(SteadyControl);

/// A congestion control that requests notifications but always sends at the link rate.
struct NotifiedControl : NoCongestionControl
{
    LOSSLESS_TEST_TYPE(NotifiedControl, NoCongestionControl, .AddConstructor<NotifiedControl>());

    CongestionFeedback GetFeedback() const override
    {
        CongestionFeedback feedback;
        feedback.notifications = true;
        return feedback;
    }
};

NS_OBJECT_ENSURE_REGISTERED(NotifiedControl);

struct SentPacket
{
    int64_t at;        ///< start of transmission, in ns
    RoceHeader header; ///< header of the packet

    uint32_t GetFlow() const
    {
        return header.GetDestinationQp() - RoceConnection::FIRST_NUMBER;
    }
};

/// Two hosts with one NIC each, connected back to back, and a record of the events of their flows.
class TwoHosts : public NicPair
{
  public:
    explicit TwoHosts(const Attributes& attributes = {})
        : NicPair(attributes)
    {
        for (uint32_t i = 0; i < 2; ++i)
        {
            Connect(i);
        }
    }

    void Start(uint64_t id, Priority priority, uint64_t bytes)
    {
        StartFrom(0, id, priority, bytes);
    }

    void Complete(uint64_t id, Priority priority, uint64_t bytes)
    {
        Start(id, priority, bytes);
        Run();
    }

    /// Drops the given frames on arrival at a host.
    void Lose(uint32_t host, const std::list<uint32_t>& which)
    {
        LoseFrames(*m_devices[host], which);
    }

    /// Runs until no events are left, at most for one second.
    static void Run()
    {
        RunFor(Seconds(1));
    }

    void SetGateAt(int64_t ns, uint32_t host, PrioritySet open)
    {
        Simulator::Schedule(NanoSeconds(ns), &ManualGate::Set, m_gates[host], open);
    }

    std::vector<uint32_t> GetFlowsSent() const
    {
        std::vector<uint32_t> flows;
        for (const SentPacket& packet : m_sent[0])
        {
            flows.push_back(packet.GetFlow());
        }
        return flows;
    }

    std::vector<uint32_t> GetPsnsSent(uint32_t host = 0) const
    {
        std::vector<uint32_t> psns;
        for (const SentPacket& packet : m_sent[host])
        {
            psns.push_back(packet.header.GetPsn());
        }
        return psns;
    }

    std::array<std::vector<SentPacket>, 2> m_sent; ///< packets sent, by host
    std::vector<FlowRecord> m_started;             ///< flows that started, in order
    std::vector<FlowRecord> m_received;            ///< flows that were received, in order
    std::vector<FlowRecord> m_acknowledged;        ///< flows that were acknowledged, in order
    std::map<uint64_t, int64_t> m_acknowledgedAt;  ///< times of acknowledgement, by flow, in ns
    std::function<void(const FlowRecord&)> m_onAcknowledged;

  private:
    void Connect(uint32_t host)
    {
        ListenTo(*m_devices[host], "PhyTxBegin", [this, host](Ptr<const Packet> packet) {
            if (const auto header = RoceHeader::Peek(*packet))
            {
                m_sent[host].push_back({Ns(Simulator::Now()), *header});
            }
        });
        ListenTo(*m_nics[host], "FlowStarted", [this](const FlowRecord& record) {
            m_started.push_back(record);
        });
        ListenTo(*m_nics[host], "FlowReceived", [this](const FlowRecord& record) {
            m_received.push_back(record);
        });
        ListenTo(*m_nics[host], "FlowAcknowledged", [this](const FlowRecord& record) {
            m_acknowledged.push_back(record);
            m_acknowledgedAt[record.flow.id] = Ns(Simulator::Now());
            if (m_onAcknowledged)
            {
                m_onAcknowledged(record);
            }
        });
    }
};

LOSSLESS_TEST(g_suite, "a lone flow completes at the computed nanosecond")
{
    TwoHosts hosts;
    hosts.Complete(5, CLASS_3, 10000);
    // The last bit of the 10 packets leaves after floor(10 x 86.56) = 865 ns and arrives 1000 ns
    // later.
    NS_TEST_ASSERT_MSG_EQ(hosts.m_received.size(), 1, "received once");
    const FlowRecord& record = hosts.m_received[0];
    NS_TEST_EXPECT_MSG_EQ(Ns(record.GetCompletionTime()), 1865, "10 packets and the delay");
    NS_TEST_EXPECT_MSG_EQ(record.flow.id, 5, "the flow");
    NS_TEST_EXPECT_MSG_EQ(record.source, GetHostAddress(0), "sender");
    NS_TEST_EXPECT_MSG_EQ(record.flow.destination, GetHostAddress(1), "receiver");
    NS_TEST_EXPECT_MSG_EQ(record.flow.sourcePort, 49152 + 5, "derived from the id");
    NS_TEST_EXPECT_MSG_EQ(record.retransmitted, 0, "no loss");
    // The last ACK takes 6.88 ns, rounded down, plus the cable delay.
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledgedAt[5], 1865 + 6 + 1000, "acknowledged");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_started.size(), 1, "started once");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledged.size(), 1, "acknowledged once");
    const RoceNic::Counts& sender = hosts.m_nics[0]->GetCounts();
    const RoceNic::Counts& receiver = hosts.m_nics[1]->GetCounts();
    NS_TEST_EXPECT_MSG_EQ(sender.dataSent, 10, "data");
    NS_TEST_EXPECT_MSG_EQ(sender.retransmitted, 0, "no loss");
    NS_TEST_EXPECT_MSG_EQ(sender.timeouts, 0, "no loss");
    NS_TEST_EXPECT_MSG_EQ(receiver.dataReceived, 10, "data");
    NS_TEST_EXPECT_MSG_EQ(receiver.bytesReceived, 10000, "payload");
    NS_TEST_EXPECT_MSG_EQ(receiver.acksSent, 10, "an ACK per packet by default");
    NS_TEST_EXPECT_MSG_EQ(receiver.naksSent, 0, "no loss");
    NS_TEST_EXPECT_MSG_EQ(receiver.outOfOrder, 0, "no loss");
    NS_TEST_ASSERT_MSG_EQ(hosts.m_sent[0].size(), 10, "data");
    for (uint32_t i = 0; i < 10; ++i)
    {
        const SentPacket& packet = hosts.m_sent[0][i];
        NS_TEST_EXPECT_MSG_EQ(packet.at, 8656 * i / 100, "back to back");
        const RoceOpcode opcode = i == 0   ? RoceOpcode::SEND_FIRST
                                  : i == 9 ? RoceOpcode::SEND_LAST
                                           : RoceOpcode::SEND_MIDDLE;
        NS_TEST_EXPECT_MSG_EQ((packet.header.GetOpcode() == opcode), true, "opcode of " << i);
        NS_TEST_EXPECT_MSG_EQ(packet.header.GetPsn(), i, "PSN");
        NS_TEST_EXPECT_MSG_EQ(packet.header.GetPayloadSize(), 1000, "payload");
        NS_TEST_EXPECT_MSG_EQ(packet.header.GetAckRequest(), (i == 9), "the last asks");
        NS_TEST_EXPECT_MSG_EQ(+packet.header.GetTos(), 24 * 4 + 2, "class 3, ECT(0)");
    }
    NS_TEST_ASSERT_MSG_EQ(hosts.m_sent[1].size(), 10, "ACKs");
    for (uint32_t i = 0; i < 10; ++i)
    {
        const RoceHeader& ack = hosts.m_sent[1][i].header;
        NS_TEST_EXPECT_MSG_EQ(ack.GetPsn(), i, "PSN of the packet");
        NS_TEST_EXPECT_MSG_EQ((ack.GetSyndrome() == AethSyndrome::ACK), true, "positive");
        NS_TEST_EXPECT_MSG_EQ(ack.GetMsn(), (i == 9 ? 1 : 0), "messages completed");
        NS_TEST_EXPECT_MSG_EQ(+ack.GetTos(), 56 * 4, "class 7, not to be marked");
    }
}

void
ExpectFlowSize(uint64_t bytes, uint32_t payload, uint32_t packets, int64_t wireNs)
{
    TwoHosts hosts(Attributes{{"PayloadBytes", std::to_string(payload)}});
    hosts.Complete(0, CLASS_3, bytes);
    NS_TEST_ASSERT_MSG_EQ(hosts.m_received.size(), 1, bytes << " B are received");
    NS_TEST_EXPECT_MSG_EQ(Ns(hosts.m_received[0].received), wireNs + 1000, bytes << " B: time");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0].size(), packets, bytes << " B: packets");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().bytesReceived, bytes, "payload");
    const RoceHeader& last = hosts.m_sent[0].back().header;
    const RoceOpcode opcode = packets == 1 ? RoceOpcode::SEND_ONLY : RoceOpcode::SEND_LAST;
    NS_TEST_EXPECT_MSG_EQ((last.GetOpcode() == opcode), true, bytes << " B: end of message");
}

LOSSLESS_TEST(g_suite, "flows of any size are cut into packets correctly")
{
    // The frame is 54 + 4 (1 B and 3 B of padding) + 4 = 62 B long, occupies 86 B on the wire and
    // takes 6.88 ns.
    ExpectFlowSize(1, 1000, 1, 6);
    // One packet with 1000 B takes 86.56 ns.
    ExpectFlowSize(1000, 1000, 1, 86);
    // Two packets occupy 1082 + (54 + 4 + 4 + 24) B on the wire and take 93.44 ns.
    ExpectFlowSize(1001, 1000, 2, 93);
    // Three packets occupy 2 x 1082 + (54 + 500 + 4 + 24) B = 2746 B on the wire and take
    // 219.68 ns.
    ExpectFlowSize(2500, 1000, 3, 219);
    // The payload of 250 B is padded to 252 B, so 4 x (54 + 252 + 4 + 24) B = 1336 B take
    // 106.88 ns.
    ExpectFlowSize(1000, 250, 4, 106);
}

void
CheckMacs(const Frame& frame, const TwoHosts& hosts, uint32_t sender)
{
    const auto header = RoceHeader::Peek(*frame.packet);
    const auto macOf = [&hosts](uint32_t host) {
        return Mac48Address::ConvertFrom(hosts.m_devices[host]->GetAddress());
    };
    NS_TEST_EXPECT_MSG_EQ(header->GetSourceMac(), macOf(sender), "host " << sender);
    NS_TEST_EXPECT_MSG_EQ(header->GetDestinationMac(), macOf(1 - sender), "host " << sender);
}

void
CheckFrameFields(const Frame& frame)
{
    const Frame read = ParseFrame(frame.packet);
    NS_TEST_EXPECT_MSG_EQ(frame.size, read.size, "size");
    NS_TEST_EXPECT_MSG_EQ((frame.kind == read.kind), true, "kind");
    NS_TEST_EXPECT_MSG_EQ(+frame.tos, +read.tos, "type of service");
    NS_TEST_EXPECT_MSG_EQ((frame.priority == read.priority), true, "class");
    NS_TEST_EXPECT_MSG_EQ(frame.flowHash, read.flowHash, "hash");
    NS_TEST_EXPECT_MSG_EQ(frame.flow.source, read.flow.source, "source");
    NS_TEST_EXPECT_MSG_EQ(frame.flow.destination, read.flow.destination, "destination");
    NS_TEST_EXPECT_MSG_EQ(frame.flow.sourcePort, read.flow.sourcePort, "source port");
    NS_TEST_EXPECT_MSG_EQ(frame.flow.destinationPort, read.flow.destinationPort, "port");
    NS_TEST_EXPECT_MSG_EQ(+frame.flow.protocol, +read.flow.protocol, "protocol");
}

LOSSLESS_TEST(g_suite, "frames say what their bytes say")
{
    TwoHosts hosts(Attributes{{"EcnCapable", "false"}});
    hosts.m_gates[1]->Set(0); // keeps the ACK in the NIC
    hosts.Start(7, CLASS_4, 1500);
    const Frame full = hosts.m_nics[0]->Dequeue(Permit());
    const Frame last = hosts.m_nics[0]->Dequeue(Permit());
    CheckFrameFields(full);
    CheckFrameFields(last);
    NS_TEST_EXPECT_MSG_EQ(+full.tos, 32 * 4, "class 4, and no ECT as EcnCapable is off");
    NS_TEST_EXPECT_MSG_EQ(full.size, RoceNic::GetFrameBytes(1000), "54 + 1000 + 4");
    NS_TEST_EXPECT_MSG_EQ(last.size, 558, "54 + 500 + 4");
    hosts.m_nics[1]->TryReceive(full);
    const Frame answer = hosts.m_nics[1]->Dequeue(Permit());
    CheckFrameFields(answer);
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->Prepare(Permit()), false, "one ACK only");
    CheckMacs(full, hosts, 0);
    CheckMacs(last, hosts, 0);
    CheckMacs(answer, hosts, 1);
}

void
ExpectAckInterval(uint32_t interval, uint64_t window, const std::vector<uint32_t>& psns)
{
    TwoHosts hosts({{"AckInterval", std::to_string(interval)}, {"Window", std::to_string(window)}});
    hosts.Complete(0, CLASS_3, 10000);
    NS_TEST_EXPECT_MSG_EQ((hosts.GetPsnsSent(1) == psns), true, "ACKs with interval " << interval);
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().acksSent, psns.size(), "counted");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledged.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().timeouts, 0, "without a timeout");
}

/// AckInterval packets share an ACK, unless a full window makes the sender request an ACK earlier.
LOSSLESS_TEST(g_suite, "AckInterval packets share one ACK")
{
    ExpectAckInterval(1, 0, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    ExpectAckInterval(4, 0, {3, 7, 9});
    ExpectAckInterval(100, 0, {9});
    // Two packets fill the window, so every second packet requests an ACK. Otherwise, the sender
    // would wait for a timeout.
    ExpectAckInterval(4, 2000, {1, 3, 5, 7, 9});
}

void
ExpectWindow(uint64_t window, int64_t received)
{
    TwoHosts hosts(Attributes{{"Window", std::to_string(window)}});
    hosts.Complete(0, CLASS_3, 10000);
    NS_TEST_ASSERT_MSG_EQ(hosts.m_received.size(), 1, "received");
    NS_TEST_EXPECT_MSG_EQ(Ns(hosts.m_received[0].received), received, "window " << window);
}

LOSSLESS_TEST(g_suite, "the window bounds what is unacknowledged")
{
    // A packet is acknowledged 86 + 1000 + 6 + 1000 = 2092 ns after its first bit leaves. With a
    // window of 2 packets, packet 1 leaves at 86 ns. Its ACK arrives at 173 + 1000 + 6 + 1000 =
    // 2179 ns and releases packet 3. Each further odd packet leaves 2092 ns after the previous one.
    // Packet 9 thus leaves at 2179 + 3 x 2092 = 8455 ns and arrives 86 + 1000 ns later.
    ExpectWindow(2000, 8455 + 1086);
    // A window of 2999 B has no room for three packets.
    ExpectWindow(2999, 8455 + 1086);
    // With one packet at a time, packet 9 leaves at 9 x 2092 ns. Windows smaller than a packet give
    // the same result.
    ExpectWindow(1000, 9 * 2092 + 1086);
    ExpectWindow(1, 9 * 2092 + 1086);
    // A window as large as the flow does not limit it.
    ExpectWindow(10000, 1865);
}

void
ExpectRoundRobin(const std::vector<Priority>& classes, const std::vector<uint32_t>& order)
{
    TwoHosts hosts;
    for (uint64_t i = 0; i < classes.size(); ++i)
    {
        hosts.Start(i, classes[i], 3000);
    }
    hosts.Run();
    NS_TEST_EXPECT_MSG_EQ((hosts.GetFlowsSent() == order), true, "order of packets");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_received.size(), classes.size(), "all received");
}

LOSSLESS_TEST(g_suite, "queue pairs take turns")
{
    // Flows started before the simulation are all waiting when it begins.
    ExpectRoundRobin({CLASS_3, CLASS_3}, {0, 1, 0, 1, 0, 1});
    ExpectRoundRobin({CLASS_3, CLASS_4}, {0, 1, 0, 1, 0, 1});
    ExpectRoundRobin({CLASS_4, CLASS_3}, {0, 1, 0, 1, 0, 1});
    // The round-robin order applies to queue pairs, not to classes.
    ExpectRoundRobin({CLASS_3, CLASS_3, CLASS_4}, {0, 1, 2, 0, 1, 2, 0, 1, 2});
    ExpectRoundRobin({CLASS_4, CLASS_3, CLASS_4}, {0, 1, 2, 0, 1, 2, 0, 1, 2});
}

LOSSLESS_TEST(g_suite, "a paused class holds exactly its queue pairs: data class")
{
    TwoHosts hosts;
    hosts.m_gates[0]->Set(ALL_PRIORITIES & ~SetOf(CLASS_3));
    hosts.Start(0, CLASS_3, 3000);
    hosts.Start(1, CLASS_4, 3000);
    hosts.Start(2, CLASS_3, 3000);
    hosts.SetGateAt(10000, 0, ALL_PRIORITIES);
    hosts.Run();
    const std::vector<uint32_t> order{1, 1, 1, 0, 2, 0, 2, 0, 2};
    NS_TEST_EXPECT_MSG_EQ((hosts.GetFlowsSent() == order), true, "order of packets");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0][2].at, 173, "class 4 is not held up");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0][3].at, 10000, "class 3 goes on at once");
}

LOSSLESS_TEST(g_suite, "a paused class holds exactly its queue pairs: a pause in mid-flow")
{
    // The pause starts during packet 1. This packet is completed, and no other packet leaves until
    // the end of the pause.
    TwoHosts hosts;
    hosts.Start(0, CLASS_3, 5000);
    hosts.SetGateAt(100, 0, ALL_PRIORITIES & ~SetOf(CLASS_3));
    hosts.SetGateAt(5000, 0, ALL_PRIORITIES);
    hosts.Run();
    NS_TEST_ASSERT_MSG_EQ(hosts.m_sent[0].size(), 5, "packets");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0][1].at, 86, "on the wire when the pause came");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0][2].at, 5000, "held");
}

LOSSLESS_TEST(g_suite, "a paused class holds exactly its queue pairs: class of the ACKs")
{
    // ACKs also wait while their class is paused, but data from the same host is sent.
    TwoHosts hosts;
    hosts.m_gates[1]->Set(ALL_PRIORITIES & ~SetOf(CONTROL_PRIORITY));
    hosts.SetGateAt(20000, 1, ALL_PRIORITIES);
    hosts.Start(0, CLASS_3, 3000);
    Simulator::Schedule(MicroSeconds(5), [&hosts] { hosts.StartFrom(1, 1, CLASS_4, 1000); });
    hosts.Run();
    NS_TEST_ASSERT_MSG_EQ(hosts.m_received.size(), 2, "both flows");
    NS_TEST_EXPECT_MSG_EQ(Ns(hosts.m_received[1].received), 5000 + 86 + 1000, "data goes");
    // Three consecutive ACKs take floor(3 x 6.88) = 20 ns.
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledgedAt[0], 20000 + 20 + 1000, "ACKs waited");
}

LOSSLESS_TEST(g_suite, "a lost data packet costs one NAK and a go-back: when all is sent")
{
    TwoHosts hosts;
    hosts.Lose(1, {2});
    hosts.Complete(0, CLASS_3, 10000);
    // Packet 3 arrives at floor(4 x 86.56) + 1000 = 1346 ns. The NAK arrives at 2352 ns, by which
    // time all ten packets have left. Eight packets follow, which take floor(8 x 86.56) = 692 ns.
    const std::vector<uint32_t> psns{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5, 6, 7, 8, 9};
    NS_TEST_EXPECT_MSG_EQ((hosts.GetPsnsSent() == psns), true, "packets sent");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0][10].at, 2352, "goes back at once");
    NS_TEST_ASSERT_MSG_EQ(hosts.m_received.size(), 1, "received once");
    NS_TEST_EXPECT_MSG_EQ(Ns(hosts.m_received[0].received), 2352 + 692 + 1000, "received");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledged[0].retransmitted, 8, "in the record");
    const RoceNic::Counts& receiver = hosts.m_nics[1]->GetCounts();
    NS_TEST_EXPECT_MSG_EQ(receiver.naksSent, 1, "one NAK for the gap");
    NS_TEST_EXPECT_MSG_EQ(receiver.acksSent, 10, "one ACK for each packet in order");
    NS_TEST_EXPECT_MSG_EQ(receiver.outOfOrder, 7, "packets 3 to 9, the first time");
    NS_TEST_EXPECT_MSG_EQ(receiver.duplicates, 0, "none");
    NS_TEST_EXPECT_MSG_EQ(receiver.bytesReceived, 10000, "each byte once");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().retransmitted, 8, "packets 2 to 9");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().timeouts, 0, "no timeout");
    const RoceHeader& nak = hosts.m_sent[1][2].header;
    NS_TEST_EXPECT_MSG_EQ((nak.GetSyndrome() == AethSyndrome::NAK_SEQUENCE_ERROR), true, "NAK");
    NS_TEST_EXPECT_MSG_EQ(nak.GetPsn(), 2, "names the missing packet");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[1][2].at, 1346, "as soon as the gap shows");
}

LOSSLESS_TEST(g_suite, "a lost data packet costs one NAK and a go-back: in the middle of a flow")
{
    // The NAK arrives at 2352 ns, while packet 27 is on the wire (2337 to 2423 ns). The sender then
    // goes back to packet 2.
    TwoHosts hosts;
    hosts.Lose(1, {2});
    hosts.Complete(0, CLASS_3, 100000);
    NS_TEST_ASSERT_MSG_EQ(hosts.m_sent[0].size(), 28 + 98, "0 to 27, then 2 to 99");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0][27].header.GetPsn(), 27, "before the NAK");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0][28].header.GetPsn(), 2, "after the NAK");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().retransmitted, 26, "2 to 27");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().outOfOrder, 25, "3 to 27");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().naksSent, 1, "one gap");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_received.size(), 1, "received once");
}

LOSSLESS_TEST(g_suite, "a lost data packet costs one NAK and a go-back: two gaps")
{
    // Frames 0 to 9 have PSNs 0 to 9. After the sender has gone back to PSN 2, frame 13 has PSN 5,
    // and its loss causes a second gap.
    TwoHosts hosts;
    hosts.Lose(1, {2, 6, 13});
    hosts.Complete(0, CLASS_3, 10000);
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().naksSent, 2, "one NAK for each gap");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().retransmitted, 8 + 5, "2 to 9, 5 to 9");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().timeouts, 0, "no timeout");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().bytesReceived, 10000, "each byte once");
}

const Attributes TIMEOUT_100_US{{"RetransmitTimeout", "100us"}};

LOSSLESS_TEST(g_suite, "lost answers and timeouts: the last ACK is lost")
{
    TwoHosts hosts(TIMEOUT_100_US);
    hosts.Lose(0, {9});
    hosts.Complete(0, CLASS_3, 10000);
    // The last progress is the ACK of packet 8, at floor(9 x 86.56) + 1000 + 6 + 1000 = 2785 ns.
    NS_TEST_ASSERT_MSG_EQ(hosts.m_sent[0].size(), 11, "packet 9 again");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0][10].at, 102785, "100 us after the last progress");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledgedAt[0], 102785 + 2092, "acknowledged again");
    NS_TEST_ASSERT_MSG_EQ(hosts.m_received.size(), 1, "received once");
    NS_TEST_EXPECT_MSG_EQ(Ns(hosts.m_received[0].received), 1865, "the first time counts");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().timeouts, 1, "one timeout");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().retransmitted, 1, "one packet");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().duplicates, 1, "known to the receiver");
}

LOSSLESS_TEST(g_suite, "lost answers and timeouts: one event for all")
{
    // Each queue pair times out at its own time, although all of them share one event.
    TwoHosts hosts(TIMEOUT_100_US);
    hosts.Lose(1, {0, 1, 12});
    hosts.Start(0, CLASS_3, 1000);
    Simulator::Schedule(MicroSeconds(30), [&hosts]() { hosts.Start(1, CLASS_3, 1000); });
    Simulator::Schedule(MicroSeconds(60), [&hosts]() { hosts.Start(2, CLASS_3, 10000); });
    Simulator::Schedule(MicroSeconds(90), [&hosts]() { hosts.Start(3, CLASS_3, 1000); });
    hosts.Run();
    NS_TEST_ASSERT_MSG_EQ(hosts.m_sent[0].size(), 16, "13 packets, three of them twice");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0][13].at, 100000, "flow 0");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0][14].at, 130000, "flow 1");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0][15].at, 190000, "flow 3");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().timeouts, 3, "flow 2 has none");
}

LOSSLESS_TEST(g_suite, "lost answers and timeouts: late answers")
{
    // ACKs are delayed beyond the timeout, and a pause delays the retransmission. When the ACKs
    // arrive, nothing is left to be retransmitted, and the queue pair withdraws its request.
    TwoHosts hosts(TIMEOUT_100_US);
    hosts.m_gates[1]->Set(ALL_PRIORITIES & ~SetOf(CONTROL_PRIORITY));
    hosts.Start(0, CLASS_3, 4000);
    hosts.SetGateAt(50000, 0, ALL_PRIORITIES & ~SetOf(CLASS_3));
    hosts.SetGateAt(150000, 1, ALL_PRIORITIES);
    hosts.SetGateAt(300000, 0, ALL_PRIORITIES);
    hosts.Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().timeouts, 1, "at 100 us");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().dataSent, 4, "none again");
    // Four consecutive ACKs take floor(4 x 6.88) = 27 ns.
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledgedAt[0], 150000 + 27 + 1000, "complete");
}

LOSSLESS_TEST(g_suite, "lost answers and timeouts: a paused flow")
{
    // Packets 0 to 3 leave before the class is paused at 300 ns; packet 3 leaves at 3 x 87.84 ns
    // (Unordered) or earlier. Their ACKs are delayed. The packets are considered lost 320 us after
    // packet 0 was sent; five more timeouts could occur before 2 ms. From 2 ms on, all ten packets
    // leave within 10 x 87.84 ns, before the first ACK arrives after 1006 ns.
    for (const std::string way : {"GoBackN", "SelectiveRepeat", "Unordered"})
    {
        TwoHosts hosts({{"Reliability", "ns3::lossless::" + way}, {"RetransmitTimeout", "320us"}});
        hosts.m_gates[1]->Set(ALL_PRIORITIES & ~SetOf(CONTROL_PRIORITY));
        hosts.Start(0, CLASS_3, 10000);
        hosts.SetGateAt(300, 0, ALL_PRIORITIES & ~SetOf(CLASS_3));
        hosts.SetGateAt(2000000, 0, ALL_PRIORITIES);
        hosts.SetGateAt(2000000, 1, ALL_PRIORITIES);
        hosts.Run();
        const RoceNic::Counts& sender = hosts.m_nics[0]->GetCounts();
        NS_TEST_EXPECT_MSG_EQ(sender.timeouts, 1, way << ": none more until it sends");
        NS_TEST_EXPECT_MSG_EQ(sender.retransmitted, 4, way << ": what was held up");
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().duplicates, 4, way << ": in vain");
        NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledged.size(), 1, way << ": complete");
    }
}

/// Checks that the bytes of many flows arrive exactly once and in order although 5 % of all frames
/// are lost.
/// @param window the window in bytes, or 0 for no limit
void
CheckRandomLoss(uint32_t ackInterval, uint64_t window)
{
    constexpr uint64_t FLOWS = 20; // number of flows in each direction
    TwoHosts hosts({{"AckInterval", std::to_string(ackInterval)},
                    {"Window", std::to_string(window)},
                    {"RetransmitTimeout", "50us"}});
    // A second receiver, implemented by the test, checks the order of arrivals. It stores the next
    // expected PSN of each queue pair.
    std::array<std::map<uint32_t, uint32_t>, 2> shadows;
    for (uint32_t i = 0; i < 2; ++i)
    {
        auto model = CreateObject<RateErrorModel>();
        model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        model->SetRate(0.05);
        model->AssignStreams(i);
        hosts.m_devices[i]->SetAttribute("ReceiveErrorModel", PointerValue(model));
        ListenTo(*hosts.m_devices[i], "PhyRxEnd", [&shadow = shadows[i]](Ptr<const Packet> packet) {
            const auto header = RoceHeader::Peek(*packet);
            if (header && header->GetOpcode() != RoceOpcode::ACKNOWLEDGE)
            {
                uint32_t& expected = shadow[header->GetDestinationQp()];
                expected += header->GetPsn() == expected;
            }
        });
    }
    uint64_t packets = 0;
    for (uint64_t i = 0; i < FLOWS; ++i)
    {
        const Priority priority = i % 2 == 0 ? CLASS_3 : CLASS_4;
        const uint64_t size = 1 + 3333 * i * i; // up to 1.2 MB
        packets += (size + 999) / 1000;
        hosts.StartFrom(0, 2 * i, priority, size);
        hosts.StartFrom(1, 2 * i + 1, priority, size);
    }
    hosts.Run();
    std::set<uint64_t> received;
    uint64_t bytes = 0;
    for (const FlowRecord& record : hosts.m_received)
    {
        received.insert(record.flow.id);
        bytes += record.flow.bytes;
    }
    NS_TEST_EXPECT_MSG_EQ(hosts.m_received.size(), 2 * FLOWS, "received as often as started");
    NS_TEST_EXPECT_MSG_EQ(received.size(), 2 * FLOWS, "each flow once");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledged.size(), 2 * FLOWS, "all acknowledged");
    uint64_t bytesCounted = 0;
    for (uint32_t i = 0; i < 2; ++i)
    {
        const RoceNic::Counts& counts = hosts.m_nics[i]->GetCounts();
        bytesCounted += counts.bytesReceived;
        uint64_t inOrder = 0;
        for (const auto& [number, next] : shadows[i])
        {
            inOrder += next;
        }
        NS_TEST_EXPECT_MSG_EQ(inOrder, packets, "what came in order on the wire");
        NS_TEST_EXPECT_MSG_EQ(counts.dataReceived - counts.outOfOrder - counts.duplicates,
                              packets,
                              "what the NIC took");
        NS_TEST_EXPECT_MSG_EQ(counts.dataSent - counts.retransmitted, packets, "sent first");
        NS_TEST_EXPECT_MSG_GT(counts.retransmitted, 0, "there was loss");
        NS_TEST_EXPECT_MSG_GT(counts.timeouts, 0, "of lost answers, too");
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[i]->Prepare(Permit()), false, "all sent");
    }
    NS_TEST_EXPECT_MSG_EQ(bytesCounted, bytes, "each byte once");
}

void
ExpectPsnWrap(const std::list<uint32_t>& lost,
              const std::vector<uint32_t>& psns,
              uint64_t naks,
              uint64_t timeouts)
{
    TwoHosts hosts(Attributes{{"InitialPsn", std::to_string(0xfffffd)}});
    hosts.Lose(1, lost);
    hosts.Complete(0, CLASS_3, 6000);
    NS_TEST_EXPECT_MSG_EQ((hosts.GetPsnsSent() == psns), true, "packets sent");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_received.size(), 1, "received once");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledged.size(), 1, "acknowledged once");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().naksSent, naks, "NAKs");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().timeouts, timeouts, "timeouts");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().bytesReceived, 6000, "each byte once");
}

LOSSLESS_TEST(g_suite, "packet sequence numbers wrap around")
{
    ExpectPsnWrap({}, {0xfffffd, 0xfffffe, 0xffffff, 0, 1, 2}, 0, 0);
    // The last packet before the wraparound is lost in one run, the first packet after it in
    // another.
    ExpectPsnWrap({2}, {0xfffffd, 0xfffffe, 0xffffff, 0, 1, 2, 0xffffff, 0, 1, 2}, 1, 0);
    ExpectPsnWrap({3}, {0xfffffd, 0xfffffe, 0xffffff, 0, 1, 2, 0, 1, 2}, 1, 0);
    // Only a timeout can recover the last packet.
    ExpectPsnWrap({5}, {0xfffffd, 0xfffffe, 0xffffff, 0, 1, 2, 2}, 0, 1);
}

/// The two ends of a flow, without a network, exchange more packets than there are PSNs.
LOSSLESS_TEST(g_suite, "a flow of more than 2^24 packets", EXTENSIVE)
{
    constexpr uint64_t packets = (1ULL << 24) + 1000;
    FlowRecord record;
    record.flow.bytes = packets;
    SendQueuePair sender;
    sender.Open(record, RocePath(), {1, 0, 0xfffff0});
    ReceiveQueuePair receiver;
    receiver.Open(record, RocePath(), 0xfffff0);

    // Without acknowledgements, the sender stops before PSNs can become ambiguous.
    RoceHeader latest;
    uint64_t arrived = 0;
    while (sender.MaySend())
    {
        latest = *RoceHeader::Peek(*sender.Send(Time(0)).packet);
        arrived += receiver.Accept(latest).arrival == ArrivalVerdict::Arrival::IN_ORDER;
    }
    NS_TEST_EXPECT_MSG_EQ(arrived, MAX_OUTSTANDING, "outstanding at most");
    NS_TEST_EXPECT_MSG_EQ(latest.GetAckRequest(), true, "and asks for an answer");

    Frame ack = receiver.MakeAck();
    sender.HandleAnswer(*RoceHeader::Peek(*ack.packet), nullptr, Time(0));
    while (sender.MaySend())
    {
        latest = *RoceHeader::Peek(*sender.Send(Time(0)).packet);
        arrived += receiver.Accept(latest).arrival == ArrivalVerdict::Arrival::IN_ORDER;
        if (arrived % 100000 == 0 || receiver.IsComplete())
        {
            ack = receiver.MakeAck();
            sender.HandleAnswer(*RoceHeader::Peek(*ack.packet), nullptr, Time(0));
        }
    }
    NS_TEST_EXPECT_MSG_EQ(arrived, packets, "all arrived in order");
    NS_TEST_EXPECT_MSG_EQ(receiver.IsComplete(), true, "the receiver knows");
    NS_TEST_EXPECT_MSG_EQ(sender.IsFinished(), true, "the sender knows");
}

RoceHeader
Answer(AethSyndrome syndrome, uint32_t psn)
{
    RoceHeader header;
    header.SetAcknowledge(syndrome, 0);
    header.SetPsn(psn);
    return header;
}

LOSSLESS_TEST(g_suite, "a queue pair takes only answers that make sense")
{
    FlowRecord record;
    record.flow.bytes = 10;
    SendQueuePair sender;
    sender.Open(record, RocePath(), {1, 0, 0});
    for (uint32_t i = 0; i < 6; ++i)
    {
        sender.Send(TimeStep(1));
    }
    sender.HandleAnswer(Answer(AethSyndrome::ACK, 3), nullptr, TimeStep(2));
    NS_TEST_EXPECT_MSG_EQ(*sender.GetDue(), TimeStep(2), "0 to 3 are acknowledged");
    sender.HandleAnswer(Answer(AethSyndrome::ACK, 3), nullptr, TimeStep(3));
    sender.HandleAnswer(Answer(AethSyndrome::ACK, 1), nullptr, TimeStep(3));
    sender.HandleAnswer(Answer(AethSyndrome::ACK, 6), nullptr, TimeStep(3));
    sender.HandleAnswer(Answer(AethSyndrome::NAK_SEQUENCE_ERROR, 2), nullptr, TimeStep(3));
    NS_TEST_EXPECT_MSG_EQ(*sender.GetDue(),
                          TimeStep(2),
                          "repeated, overtaken and of packets never sent: no progress");
    NS_TEST_EXPECT_MSG_EQ(sender.IsRetransmitting(), false, "nor a go-back");
    // A NAK acknowledges the packets before its PSN.
    sender.HandleAnswer(Answer(AethSyndrome::NAK_SEQUENCE_ERROR, 5), nullptr, TimeStep(4));
    NS_TEST_EXPECT_MSG_EQ(sender.GetAcknowledgedBytes(), 5, "packet 4 is acknowledged");
    NS_TEST_EXPECT_MSG_EQ(sender.IsRetransmitting(), true, "packet 5 again");
    NS_TEST_EXPECT_MSG_EQ(sender.GetDue().has_value(), false, "nothing is waited for");
    // The acknowledgement of the first transmission of packet 5 arrives after the go-back.
    sender.HandleAnswer(Answer(AethSyndrome::ACK, 5), nullptr, TimeStep(5));
    NS_TEST_EXPECT_MSG_EQ(sender.IsRetransmitting(), false, "packet 5 need not be sent again");
    const Frame next = sender.Send(TimeStep(6));
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::Peek(*next.packet)->GetPsn(), 6, "goes on with packet 6");
}

/// Checks that a flow without answers is reported and then aborted.
void
CheckNoAnswer(const std::string& reliability)
{
    const Attributes attributes{{"Reliability", "ns3::lossless::" + reliability},
                                {"RetransmitTimeout", "10us"},
                                {"StallTime", "25us"},
                                {"RetryLimit", "3"}};
    std::list<uint32_t> all(100);
    std::iota(all.begin(), all.end(), 0);
    std::ostringstream told;
    {
        TwoHosts hosts(attributes);
        ListenTo(*hosts.m_nics[0],
                 "FlowStalled",
                 [&told](const FlowRecord&, Time since, const std::string& state) {
                     told << Ns(Simulator::Now()) << ", since " << Ns(since) << ": " << state
                          << "\n";
                 });
        ListenTo(*hosts.m_nics[0], "FlowGivenUp", [&told](const FlowRecord& record) {
            told << Ns(Simulator::Now()) << ": flow " << record.flow.id;
        });
        hosts.Lose(1, all);
        hosts.Complete(5, CLASS_3, 3000);
        // The packets are sent at 0, and again after timeouts at 10, 20 and 30 us. The fourth
        // timeout, at 40 us, exceeds the retry limit.
        NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0].size(), 4 * 3, "packets");
        NS_TEST_EXPECT_MSG_EQ(
            told.str(),
            "30000, since 0: 0 of 3 packets have arrived, 3 were sent, 3 timeouts "
            "in a row; it waits for an answer\n40000: flow 5",
            "once, at the first timeout after 25 us, and when it is given up");
        const RoceNic::Counts& counts = hosts.m_nics[0]->GetCounts();
        NS_TEST_EXPECT_MSG_EQ(counts.timeouts, 4, "timeouts");
        hosts.m_nics[0]->VisitSending([](uint64_t id, uint64_t /* bytes */) {
            NS_TEST_EXPECT_MSG_EQ(id, 0, "no flow is open");
        });
    }
    // StallReporter reports this event to users.
    ExpectStop("Flow 5 from h0 to h1 is given up upon timeout 4 in a row: RoceNic::RetryLimit "
               "allows 3 retries.\n",
               [&] {
                   TwoHosts hosts(attributes);
                   const auto reporter = CreateObject<StallReporter>();
                   for (std::size_t i = 0; i < 2; ++i)
                   {
                       const Ptr<RoceNic> nic = hosts.m_nics[i];
                       const auto device = nic->GetObject<LosslessNetDevice>();
                       reporter->WatchNic({"h" + std::to_string(i), nic, nic, device});
                   }
                   hosts.Lose(1, all);
                   hosts.Complete(5, CLASS_3, 3000);
                   std::exit(1);
               });
}

LOSSLESS_TEST(g_suite, "a NIC leaves to others what comes to its port and is not of RoCEv2")
{
    const NicPair pair({});
    Frame frame = MakeUdpFrame(GetHostAddress(0), GetHostAddress(1), 24, 100, 1);
    frame.flow.destinationPort = RoceHeader::UDP_PORT;
    FrameReceiver& nic = *pair.m_nics[1];
    NS_TEST_EXPECT_MSG_EQ(nic.TryReceive(frame), false, "not taken");
}

/// A flow that makes progress between timeouts is not aborted.
LOSSLESS_TEST(g_suite, "timeouts with progress between them do not count together")
{
    TwoHosts hosts({{"RetransmitTimeout", "10us"}, {"Window", "1"}, {"RetryLimit", "1"}});
    hosts.Lose(1, {0, 2, 4}); // Each packet is lost once.
    hosts.Complete(5, CLASS_3, 3000);
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().timeouts, 3, "one each");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_received.size(), 1, "it arrives");
}

void
CheckSelectiveNic(const TwoHosts& hosts, bool isSelective)
{
    const std::vector<uint32_t> psns = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0};
    NS_TEST_ASSERT_MSG_EQ((hosts.GetPsnsSent() == psns), true, "packets");
    // A data packet occupies 1082 B on the wire, or 1098 B if it carries its placement. The
    // response to packet 1 occupies 98 B, 12 B more than the others, and takes 7.84 ns. The cable
    // delay is 1000 ns in each direction.
    const int64_t second = isSelective ? 173 : 175;
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0].back().at, second + 1000 + 7 + 1000, "the repeat");
    const RoceHeader& answer = hosts.m_sent[1].front().header;
    const auto syndrome = isSelective ? AethSyndrome::NAK_SEQUENCE_ERROR : AethSyndrome::ACK;
    NS_TEST_EXPECT_MSG_EQ((answer.GetSyndrome() == syndrome), true, "kind of answer");
    NS_TEST_EXPECT_MSG_EQ(answer.Has(RoceOption::SACK), true, "tells what has come");
    NS_TEST_EXPECT_MSG_EQ(answer.GetFrameSize(), 74, "with 12 B for it");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_sent[0][3].header.Has(RoceOption::PLACE),
                          !isSelective,
                          "data tells its place");
    const RoceNic::Counts& receiver = hosts.m_nics[1]->GetCounts();
    NS_TEST_EXPECT_MSG_EQ(receiver.bytesReceived, 10000, "each byte once");
    NS_TEST_EXPECT_MSG_EQ(receiver.placed, 9, "kept beyond the gap");
    NS_TEST_EXPECT_MSG_EQ(receiver.outOfOrder, 0, "none is thrown away");
    NS_TEST_EXPECT_MSG_EQ(receiver.reorderExtent, 9, "packet 9 is 9 ahead of 0");
    NS_TEST_EXPECT_MSG_EQ(receiver.naksSent, (isSelective ? 9 : 0), "NAKs");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().retransmitted, 1, "repeats");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledged.size(), 1, "the sender knows");
}

LOSSLESS_TEST(g_suite, "a NIC with selective repeat sends the lost packet alone again")
{
    for (const std::string way : {"SelectiveRepeat", "Unordered[ReorderDegree=1]"})
    {
        TwoHosts hosts(Attributes{{"Reliability", "ns3::lossless::" + way}});
        hosts.Lose(1, {0});
        hosts.Complete(5, CLASS_3, 10000);
        CheckSelectiveNic(hosts, way == "SelectiveRepeat");
    }
}

void
Shut(TwoHosts& hosts)
{
    for (const auto& gate : hosts.m_gates)
    {
        gate->Set(0);
    }
}

std::vector<Frame>
Send(TwoHosts& hosts, uint32_t from, uint32_t packets)
{
    std::vector<Frame> frames;
    for (uint32_t i = 0; i < packets; ++i)
    {
        frames.push_back(hosts.m_nics[from]->Dequeue(Permit()));
    }
    return frames;
}

std::vector<Frame>
Start(TwoHosts& hosts, uint32_t from, uint32_t packets)
{
    hosts.StartFrom(from, from, CLASS_3, 1000 * packets);
    return Send(hosts, from, packets);
}

/// Host 0 sends 5 packets and retransmits 3 of them after a first timeout and 4 after a second. It
/// thus sends 12 data packets, 7 of which are retransmissions. Because the first packet is marked,
/// host 1 sends a CNP, which host 0 receives four times.
void
SendAgain(TwoHosts& hosts)
{
    std::vector<Frame> sent = Start(hosts, 0, 5);
    for (const uint32_t packets : {3, 4})
    {
        RunFor(MicroSeconds(150));
        Send(hosts, 0, packets);
    }
    MarkCongestionExperienced(sent[0]);
    hosts.m_nics[1]->TryReceive(sent[0]);
    const Frame notification = hosts.m_nics[1]->Dequeue(Permit());
    for (int i = 0; i < 4; ++i)
    {
        hosts.m_nics[0]->TryReceive(notification);
    }
}

/// Packets 2 and 4, which the receiver stores beyond a gap, also count as out of order. Packet 4 is
/// 3 ahead of packet 1, which is missing.
LOSSLESS_TEST(g_suite, "ports.csv has each count of a NIC in its column: kept")
{
    TwoHosts hosts(Attributes{{"Reliability", "ns3::lossless::SelectiveRepeat"}});
    Shut(hosts);
    const std::vector<Frame> frames = Start(hosts, 1, 6);
    for (const uint32_t packet : {0, 2, 4})
    {
        hosts.m_nics[0]->TryReceive(frames[packet]);
    }
    SignalRecorder recorder;
    recorder.WatchNic("h0", PortId{0}, hosts.m_nics[0]);
    const std::string table = ToCsv(recorder.GetTable());
    NS_TEST_EXPECT_MSG_EQ(table.substr(table.find('\n') + 1),
                          "h0,0,,0,0,0,0,0,0,2,2,0,3\n",
                          "a NAK for each");
}

/// Checks ports.csv of a NIC whose packets the test sends and receives, so that all counts differ.
///
/// Nothing leaves through the devices. The gates of both hosts are closed, and the test passes
/// packets from one NIC to the other.
LOSSLESS_TEST(g_suite, "ports.csv has each count of a NIC in its column")
{
    TwoHosts hosts({{"CongestionControl", "ns3::lossless::tests::NotifiedControl"},
                    {"CnpInterval", "0s"}, // each mark causes a notification
                    {"RetransmitTimeout", "100us"}});
    Shut(hosts);
    std::vector<Frame> sent = Start(hosts, 1, 16);
    SendAgain(hosts);
    // Six of the packets that host 0 receives (2, 3, 4, 5, 14 and 6) arrive beyond a gap. Each of
    // them except the last is the first packet beyond its gap, so there are 5 NAKs. Packet 14 is 9
    // ahead of the missing packet 5, which arrives trimmed after it has already been requested.
    // Packet 0 arrives 8 additional times, and 3 packets are marked.
    for (const uint32_t marked : {1, 6, 14})
    {
        MarkCongestionExperienced(sent[marked]);
    }
    for (const uint32_t packet : {0, 2, 1, 3, 2, 4, 3, 5, 4, 14, 6})
    {
        hosts.m_nics[0]->TryReceive(sent[packet]);
    }
    TrimFrame(sent[5], 64, GetTrimmedTos(CLASS_4, TrimmedAt::FABRIC, sent[5].tos));
    hosts.m_nics[0]->TryReceive(sent[5]);
    for (int i = 0; i < 8; ++i)
    {
        hosts.m_nics[0]->TryReceive(sent[0]);
    }
    SignalRecorder recorder;
    recorder.WatchNic("h0", PortId{11}, hosts.m_nics[0]);
    NS_TEST_EXPECT_MSG_EQ(ToCsv(recorder.GetTable()),
                          "node,port,marked_frames,trimmed_frames,data_packets,retransmitted,"
                          "timeouts,cnps_sent,cnps_received,naks_sent,out_of_order,duplicates,"
                          "reorder_extent\n"
                          "h0,11,,1,12,7,2,3,4,5,6,8,9\n",
                          "the row of a NIC");
    recorder.WatchNic("again", PortId{12}, hosts.m_nics[0]);
    const NicSignals total = recorder.GetTotal();
    NS_TEST_EXPECT_MSG_EQ(total.dataSent, 24, "sum of both");
    NS_TEST_EXPECT_MSG_EQ(total.timeouts, 4, "sum of both");
    NS_TEST_EXPECT_MSG_EQ(total.cnpsSent, 6, "sum of both");
    NS_TEST_EXPECT_MSG_EQ(total.naksSent, 10, "sum of both");
    NS_TEST_EXPECT_MSG_EQ(total.reorderExtent, 9, "the larger one of both");
}

/// An end of a queue pair that counts how often it is prefetched.
struct End
{
    void Prefetch() const
    {
        ++parts;
    }

    mutable uint32_t parts{0}; ///< number of calls
};

/// @param open the expected address of the end for each open key
void
CheckTableRecycling(QueuePairTable<uint64_t>& table, const std::map<uint64_t, uint64_t*>& open)
{
    for (uint64_t key = 0; key < 97; ++key)
    {
        const auto end = open.find(key);
        uint64_t* expected = end == open.end() ? nullptr : end->second;
        NS_TEST_ASSERT_MSG_EQ(table.Find(key), expected, "end of key " << key);
        if (expected)
        {
            NS_TEST_ASSERT_MSG_EQ(*expected, key + 1, "as it was left");
            NS_TEST_ASSERT_MSG_EQ(table.Open(key), nullptr, "no key twice");
        }
    }
    std::size_t count = 0;
    table.ForEach([&count](uint64_t) { ++count; });
    NS_TEST_ASSERT_MSG_EQ(count, open.size(), "all of them");
    NS_TEST_ASSERT_MSG_EQ(table.GetOpen(), open.size(), "as many");
}

LOSSLESS_TEST(g_suite, "queue pairs are recycled safely: table")
{
    // Ends are created and removed in random order, with colliding keys; std::map provides the
    // expected contents.
    QueuePairTable<uint64_t> table;
    std::map<uint64_t, uint64_t*> open;
    uint64_t random = 1;
    std::size_t most = 0;
    for (uint32_t i = 0; i < 20000; ++i)
    {
        random = MixBits(random + i);
        const uint64_t key = random % 97;
        if (open.erase(key) == 1)
        {
            table.Close(key);
        }
        else if (open.size() < 40)
        {
            open[key] = table.Open(key);
            NS_TEST_ASSERT_MSG_NE(open[key], nullptr, "the key was free");
            NS_TEST_ASSERT_MSG_EQ(*open[key], 0, "as new");
            *open[key] = key + 1;
            most = std::max(most, open.size());
        }
        CheckTableRecycling(table, open);
    }
    NS_TEST_EXPECT_MSG_EQ(table.GetSize(), most, "memory of those open at once");
    table.Clear();
    CheckTableRecycling(table, {});
}

LOSSLESS_TEST(g_suite, "queue pairs are recycled safely: prefetch")
{
    QueuePairTable<End> table;
    const End* end = table.Open(5);
    for (std::size_t step = 0; step < QueuePairTable<End>::PREFETCH_STEPS; ++step)
    {
        NS_TEST_EXPECT_MSG_EQ(end->parts, 0, "before step " << step);
        table.Prefetch(5, step);
        table.Prefetch(6, step); // connection 6 is not open
    }
    NS_TEST_EXPECT_MSG_EQ(end->parts, 1, "what the end points to comes last");
    NS_TEST_EXPECT_MSG_EQ(table.Find(6), nullptr, "nothing is opened");
}

LOSSLESS_TEST(g_suite, "queue pairs are recycled safely: memory")
{
    // Each flow starts the next one when it ends.
    TwoHosts hosts;
    hosts.m_onAcknowledged = [&hosts](const FlowRecord& record) {
        if (record.flow.id < 999)
        {
            hosts.Start(record.flow.id + 1, CLASS_3, 2000);
        }
    };
    hosts.Complete(0, CLASS_3, 2000);
    NS_TEST_EXPECT_MSG_EQ(hosts.m_received.size(), 1000, "all received");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetQueuePairSlots(), 1, "memory of the sender");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetQueuePairSlots(), 1, "memory of the receiver");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetRememberedFlows(), 1000, "in less than 64 x 67 ms");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().timeouts, 0, "none disturbed");
}

LOSSLESS_TEST(g_suite, "queue pairs are recycled safely: stale")
{
    TwoHosts hosts;
    hosts.Start(0, CLASS_3, 2000);
    hosts.m_gates[1]->Set(0); // The ACK remains in the NIC.
    const Frame data = hosts.m_nics[0]->Dequeue(Permit());
    hosts.m_nics[1]->TryReceive(data);
    const Frame ack = hosts.m_nics[1]->Dequeue(Permit());
    hosts.m_nics[0]->TryReceive(ack);
    hosts.m_gates[1]->Set(ALL_PRIORITIES);
    hosts.Run();
    // Flow 1 now uses the memory of flow 0 and the same first PSN.
    hosts.Start(1, CLASS_3, 2000);
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetQueuePairSlots(), 1, "memory of the sender");
    const uint64_t acks = hosts.m_nics[1]->GetCounts().acksSent;
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->TryReceive(ack), true, "taken");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().stale, 1, "a late ACK is counted");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->TryReceive(data), true, "taken");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().duplicates, 1, "late data is remembered");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().acksSent, acks + 1, "and acknowledged");
    hosts.Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().stale, 2, "which comes too late");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().dataSent, 4, "nothing again");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_received.back().flow.id, 1, "the flow completes");
}

RoceFlow
MakeFlow(uint64_t id, uint64_t bytes)
{
    RoceFlow flow;
    flow.id = id;
    flow.priority = CLASS_3;
    flow.bytes = bytes;
    return flow;
}

const Attributes TIMEOUT_10_US{{"RetransmitTimeout", "10us"},
                               {"InitialPsn", std::to_string(0xffffff)},
                               {"AckInterval", "4"}};

LOSSLESS_TEST(g_suite, "both ends follow from one agreement: agreement")
{
    TwoHosts hosts(TIMEOUT_10_US);
    const RoceConnection made = hosts.m_nics[0]->Agree(hosts.m_nics[1], MakeFlow(7, 5000));
    NS_TEST_EXPECT_MSG_EQ(made.flow.destination, GetHostAddress(1), "receiver");
    NS_TEST_EXPECT_MSG_EQ(made.flow.sourcePort, 49152 + 7, "UDP port");
    NS_TEST_EXPECT_MSG_EQ(made.source, GetHostAddress(0), "sender");
    NS_TEST_EXPECT_MSG_EQ(Address(made.sourceMac), hosts.m_devices[0]->GetAddress(), "its MAC");
    NS_TEST_EXPECT_MSG_EQ(Address(made.destinationMac), hosts.m_devices[1]->GetAddress(), "other");
    NS_TEST_EXPECT_MSG_EQ(made.number, 9, "2 more than the flow");
    NS_TEST_EXPECT_MSG_EQ(made.initialPsn, 0xffffff, "of the sender");
    NS_TEST_EXPECT_MSG_EQ(made.wantsCnps, false, "no congestion control");
    NS_TEST_EXPECT_MSG_EQ(made.isCoalesced, true, "4 packets per ACK");
    NS_TEST_EXPECT_MSG_EQ(made.retransmitTimeout, MicroSeconds(10), "of the sender");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetQueuePairSlots(), 0, "nothing is open");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetQueuePairSlots(), 0, "at either NIC");
    hosts.m_nics[0]->SetAttribute("Reliability",
                                  StringValue("ns3::lossless::SelectiveRepeat[RtoHigh=5ms]"));
    hosts.m_nics[1]->SetAttribute("Reliability", StringValue("ns3::lossless::SelectiveRepeat"));
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->Agree(hosts.m_nics[1], MakeFlow(8, 1)).retransmitTimeout,
                          MilliSeconds(5),
                          "the longest");
    hosts.m_nics[0]->SetAttribute("CongestionControl", StringValue("ns3::lossless::Dcqcn"));
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->Agree(hosts.m_nics[1], MakeFlow(8, 1)).wantsCnps,
                          true,
                          "DCQCN lives on CNPs");
}

LOSSLESS_TEST(g_suite, "both ends follow from one agreement: ends")
{
    // Each call opens one end and does not affect the other NIC. Each record describes only one
    // end.
    TwoHosts hosts;
    hosts.Lose(1, {2});
    const RoceConnection made = hosts.m_nics[0]->Agree(hosts.m_nics[1], MakeFlow(7, 5000));
    hosts.m_nics[1]->OpenReceiver(made);
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetQueuePairSlots(), 1, "the receiving end");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetQueuePairSlots(), 0, "only");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_started.size(), 0, "not started");
    hosts.m_nics[0]->OpenSender(made);
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetQueuePairSlots(), 1, "the sending end");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_started.size(), 1, "started");
    hosts.Run();
    NS_TEST_ASSERT_MSG_EQ(hosts.m_received.size(), 1, "received");
    NS_TEST_ASSERT_MSG_EQ(hosts.m_acknowledged.size(), 1, "acknowledged");
    const FlowRecord& received = hosts.m_received[0];
    NS_TEST_EXPECT_MSG_EQ(received.flow.id, 7, "the flow");
    NS_TEST_EXPECT_MSG_EQ(received.source, GetHostAddress(0), "its sender");
    NS_TEST_EXPECT_MSG_EQ(received.received.IsStrictlyPositive(), true, "the receiver knows");
    NS_TEST_EXPECT_MSG_EQ(received.retransmitted, 0, "but not what came again");
    const FlowRecord& acknowledged = hosts.m_acknowledged[0];
    NS_TEST_EXPECT_MSG_EQ(acknowledged.flow.id, 7, "the flow");
    NS_TEST_EXPECT_MSG_EQ(Ns(acknowledged.received), 0, "the sender does not know");
    NS_TEST_EXPECT_MSG_EQ(acknowledged.acknowledged.IsStrictlyPositive(), true, "but this");
    NS_TEST_EXPECT_MSG_EQ(acknowledged.retransmitted, 3, "2 to 4");
}

void
ExpectEqual(const RoceHeader& again, const RoceHeader& first)
{
    std::ostringstream texts[2];
    texts[0] << again;
    texts[1] << first;
    NS_TEST_EXPECT_MSG_EQ(texts[0].str(), texts[1].str(), "the same answer");
    NS_TEST_EXPECT_MSG_EQ(again.GetDestinationMac(), first.GetDestinationMac(), "the same way");
    NS_TEST_EXPECT_MSG_EQ(again.GetSourceMac(), first.GetSourceMac(), "from the same NIC");
    NS_TEST_EXPECT_MSG_EQ(again.GetSourcePort(), first.GetSourcePort(), "the same port");
    NS_TEST_EXPECT_MSG_EQ(+again.GetTos(), +first.GetTos(), "the same class");
    NS_TEST_EXPECT_MSG_EQ(again.GetMsn(), first.GetMsn(), "the message is complete");
}

LOSSLESS_TEST(g_suite, "both ends follow from one agreement")
{
    for (const bool inDataClass : {false, true})
    {
        // The receiving end is already closed when the packets arrive again. The NIC answers them
        // from its record of the completed flow, with the same addresses and numbers as before.
        auto attributes = TIMEOUT_10_US;
        attributes["AnswersInDataClass"] = inDataClass ? "true" : "false";
        TwoHosts hosts(attributes);
        hosts.Lose(0, {0});
        hosts.Complete(0x1000009, CLASS_3, 3000);
        NS_TEST_EXPECT_MSG_EQ(hosts.m_received.size(), 1, "received once");
        NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledged.size(), 1, "acknowledged");
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().duplicates, 3, "packets 0 to 2");
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().dataReceived, 6, "all twice");
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().stale, 0, "known");
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetRememberedFlows(), 1, "remembered");
        NS_TEST_ASSERT_MSG_EQ(hosts.m_sent[1].size(), 4, "the lost ACK, and one per duplicate");
        for (const std::size_t again : {1, 2, 3})
        {
            ExpectEqual(hosts.m_sent[1][again].header, hosts.m_sent[1][0].header);
        }
        NS_TEST_EXPECT_MSG_EQ(+hosts.m_sent[1][0].header.GetTos(),
                              (inDataClass ? 24 : 56) * 4,
                              "class 3 or 7, not to be marked");
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().stale, 2, "the first ends the flow");
    }
}

LOSSLESS_TEST(g_suite, "both ends follow from one agreement: answers of a paused class")
{
    // If answers use the class of their data, answers in a paused class do not delay those in other
    // classes.
    TwoHosts hosts(Attributes{{"AnswersInDataClass", "true"}});
    hosts.m_gates[1]->Set(ALL_PRIORITIES & ~SetOf(CLASS_3));
    hosts.Start(1, CLASS_3, 1000);
    hosts.Start(2, Priority{0}, 1000);
    hosts.SetGateAt(50000, 1, ALL_PRIORITIES);
    hosts.Run();
    NS_TEST_ASSERT_MSG_EQ(hosts.m_acknowledged.size(), 2, "both");
    const FlowRecord& other = hosts.m_acknowledged[0];
    const FlowRecord& waiting = hosts.m_acknowledged[1];
    NS_TEST_EXPECT_MSG_EQ(other.flow.id, 2, "first that of another class");
    NS_TEST_EXPECT_MSG_LT(Ns(other.acknowledged), 50000, "which waits for nothing");
    NS_TEST_EXPECT_MSG_GT(Ns(waiting.acknowledged), 50000, "for the gate");
    NS_TEST_EXPECT_MSG_EQ(waiting.retransmitted, 0, "not lost");
}

LOSSLESS_TEST(g_suite, "both ends follow from one agreement: forgetting")
{
    // A flow that ended at least 64 x 10 us ago is forgotten when another flow completes.
    TwoHosts hosts(TIMEOUT_10_US);
    hosts.Start(0, CLASS_3, 1000);
    Frame late;
    ListenTo(*hosts.m_devices[1], "PhyRxEnd", [&late](Ptr<const Packet> packet) {
        if (!late.packet)
        {
            late = ParseFrame(packet->Copy());
        }
    });
    Simulator::Schedule(MicroSeconds(600), [&hosts]() { hosts.Start(1, CLASS_3, 1000); });
    Simulator::Schedule(MicroSeconds(620), [&hosts, &late]() {
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetRememberedFlows(), 2, "both");
        hosts.m_nics[1]->TryReceive(late);
        NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().duplicates, 1, "of flow 0");
    });
    Simulator::Schedule(MicroSeconds(660), [&hosts]() { hosts.Start(2, CLASS_3, 1000); });
    hosts.Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetRememberedFlows(), 2, "flows 1 and 2");
    hosts.m_nics[1]->TryReceive(late);
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetCounts().stale, 1, "flow 0 is not known any more");
}

LOSSLESS_TEST(g_suite, "both ends follow from one agreement: patience")
{
    // An infinite timeout must not cause a flow to be forgotten at once.
    TwoHosts hosts(Attributes{{"RetransmitTimeout", "146y"}});
    hosts.Start(0, CLASS_3, 1000);
    Simulator::Schedule(MicroSeconds(10), [&hosts]() { hosts.Start(1, CLASS_3, 1000); });
    hosts.Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetRememberedFlows(), 2, "both");
}

LOSSLESS_TEST(g_suite, "both ends follow from one agreement: numbers")
{
    // InfiniBand reserves 0, 1 and 2^24 - 1.
    const std::map<uint64_t, uint32_t> numbers = {
        {0, 2},
        {1, 3},
        {16777212, 0xfffffe},
        {16777213, 2},
        {UINT64_MAX, 2 + 9 * 65536 - 1}, // modulo 2^24 - 3, 2^24 is 3 and 2^64 is 9 x 2^16
    };
    for (const auto& [flow, number] : numbers)
    {
        NS_TEST_EXPECT_MSG_EQ(RoceConnection::NumberOf(flow), number, "flow " << flow);
    }
    // The queue pair number of the first flow is used again after that flow has ended. Both flows
    // complete, and late packets belong to the second one.
    TwoHosts hosts;
    hosts.Complete(3, CLASS_3, 1000);
    hosts.Complete(3 + RoceConnection::NUMBERS, CLASS_3, 4000);
    NS_TEST_ASSERT_MSG_EQ(hosts.m_acknowledged.size(), 2, "both");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[1]->GetRememberedFlows(), 1, "of this number, one");
    // Another sender can use the same number at the same time.
    RoceConnection other = hosts.m_nics[0]->Agree(hosts.m_nics[1], MakeFlow(3, 1000));
    other.source = Ipv4Address("10.0.0.9");
    hosts.m_nics[1]->OpenReceiver(other);
    hosts.Complete(3, CLASS_3, 1000);
    NS_TEST_EXPECT_MSG_EQ(hosts.m_received.size(), 3, "from the one that sends");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_received.back().source, GetHostAddress(0), "namely");
}

LOSSLESS_TEST(g_suite, "both ends follow from one agreement: misuse")
{
    const auto agree = [](TwoHosts& hosts, uint64_t id) {
        return hosts.m_nics[0]->Agree(hosts.m_nics[1], MakeFlow(id, 1000));
    };
    ExpectStop("RoceNic: flow 16777216 needs queue pair 5 of NIC 10.0.0.1, which another flow "
               "uses; ids of flows that a NIC has open must differ modulo 16777213.",
               [&agree]() {
                   TwoHosts hosts;
                   hosts.m_nics[0]->OpenSender(agree(hosts, 3));
                   hosts.m_nics[0]->OpenSender(agree(hosts, 3 + 16777213));
               });
    ExpectStop("RoceNic: flow 3 needs queue pair 5 of NIC 10.0.0.2, which another flow uses", []() {
        TwoHosts hosts;
        hosts.Start(3, CLASS_3, 1000);
        hosts.Start(3, CLASS_3, 1000);
    });
    ExpectStop("RoceNic: an end of flow 3 is opened at NIC 10.0.0.2, but belongs to NIC 10.0.0.1.",
               [&agree]() {
                   TwoHosts hosts;
                   hosts.m_nics[1]->OpenSender(agree(hosts, 3));
               });
    ExpectStop("RoceNic: an end of flow 3 is opened at NIC 10.0.0.1, but belongs to NIC 10.0.0.2.",
               [&agree]() {
                   TwoHosts hosts;
                   hosts.m_nics[0]->OpenReceiver(agree(hosts, 3));
               });
}

/// A gate that can stop individual flows of open classes.
class FlowGate : public ManualGate
{
  public:
    FlowGate()
    {
        SetSelective(true);
    }

    /// @param ports the UDP source ports of the flows that must not send from now on
    void Stop(const std::set<uint16_t>& ports)
    {
        m_stopped = ports;
        Wake();
    }

  private:
    void DoReset() override
    {
        m_stopped.clear();
    }
};

Ptr<FlowGate>
SetFlowGate(TwoHosts& hosts, uint32_t host)
{
    auto gate = CreateObject<FlowGate>();
    hosts.m_devices[host]->SetGate(gate);
    return gate;
}

/// The source ports of the packets of flows 0 and 2, and of their answers.
constexpr uint16_t PORT_0 = 49152;
constexpr uint16_t PORT_2 = PORT_0 + 2;

/// @return the data packets that host 0 sent, each as "flow:PSN@ns"
std::string
GetSent(const TwoHosts& hosts)
{
    std::ostringstream text;
    for (const SentPacket& packet : hosts.m_sent[0])
    {
        text << packet.GetFlow() << ":" << packet.header.GetPsn() << "@" << packet.at << " ";
    }
    return text.str();
}

/// Records the UDP source ports and start times of the frames that host 0 sends, in the format
/// "port@ns".
void
RecordPorts(TwoHosts& hosts, std::string& ports)
{
    ListenTo(*hosts.m_devices[0], "PhyTxBegin", [&ports](Ptr<const Packet> packet) {
        ports += std::to_string(ParseFrame(packet->Copy()).flow.sourcePort) + "@" +
                 std::to_string(Ns(Simulator::Now())) + " ";
    });
}

Ptr<Packet>
MakeDatagram(uint16_t port, uint8_t tos)
{
    auto packet = Create<Packet>(100);
    UdpHeader udp;
    udp.SetSourcePort(port);
    udp.SetDestinationPort(9);
    packet->AddHeader(udp);
    Ipv4Header ip;
    ip.SetSource(GetHostAddress(0));
    ip.SetDestination(GetHostAddress(1));
    ip.SetProtocol(PROTOCOL_UDP);
    ip.SetTtl(64);
    ip.SetTos(tos);
    ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    packet->AddHeader(ip);
    return packet;
}

LOSSLESS_TEST(g_suite, "a stopped flow waits, and the others of its class do not")
{
    // Flow 0 is stopped after its first packet. Flow 1 then has the wire to itself, with packets at
    // n x 86.56 ns.
    TwoHosts hosts;
    Ptr<FlowGate> gate = SetFlowGate(hosts, 0);
    hosts.Start(0, CLASS_3, 3000);
    hosts.Start(1, CLASS_3, 4000);
    Simulator::Schedule(NanoSeconds(50), [gate]() { gate->Stop({PORT_0}); });
    Simulator::Schedule(MicroSeconds(5), [gate]() { gate->Stop({}); });
    hosts.Run();
    NS_TEST_EXPECT_MSG_EQ(GetSent(hosts),
                          "0:0@0 1:0@86 1:1@173 1:2@259 1:3@346 0:1@5000 0:2@5086 ",
                          "in order, when it may");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledged.size(), 2, "both complete");
}

LOSSLESS_TEST(g_suite, "a stopped flow waits, and the others of its class do not: turns")
{
    // Flows 0 and 2 are stopped from the start, and flow 3 has another class. When the stopped
    // flows resume, all flows take turns, beginning with the stopped ones in the order of their
    // requests.
    TwoHosts hosts;
    Ptr<FlowGate> gate = SetFlowGate(hosts, 0);
    gate->Stop({PORT_0, PORT_2});
    hosts.Start(0, CLASS_3, 2000);
    hosts.Start(1, CLASS_3, 4000);
    hosts.Start(2, CLASS_3, 2000);
    hosts.Start(3, CLASS_4, 3000);
    Simulator::Schedule(NanoSeconds(200), [gate]() { gate->Stop({}); });
    hosts.Run();
    NS_TEST_EXPECT_MSG_EQ(GetSent(hosts),
                          "1:0@0 3:0@86 1:1@173 0:0@259 2:0@346 3:1@432 1:2@519 0:1@605 "
                          "2:1@692 3:2@779 1:3@865 ",
                          "turns of all classes");
}

LOSSLESS_TEST(g_suite, "a stopped flow waits, and the others of its class do not: rates")
{
    // The gate stops a flow that waits because of its rate. The flow continues to wait when its
    // next packet is due, while the other flow keeps its pace of 1082 B per 865.6 ns (10 Gb/s).
    TwoHosts hosts(Attributes{{"CongestionControl", "ns3::lossless::tests::SteadyControl"}});
    Ptr<FlowGate> gate = SetFlowGate(hosts, 0);
    hosts.Start(0, CLASS_3, 4000);
    hosts.Start(1, CLASS_3, 4000);
    Simulator::Schedule(NanoSeconds(500), [gate]() { gate->Stop({PORT_0}); });
    Simulator::Schedule(NanoSeconds(3000), [gate]() { gate->Stop({}); });
    hosts.Run();
    NS_TEST_EXPECT_MSG_EQ(GetSent(hosts),
                          "0:0@0 1:0@86 1:1@866 1:2@1731 1:3@2597 0:1@3000 0:2@3086 0:3@3866 ",
                          "two together at most, behind the stop");
}

LOSSLESS_TEST(g_suite, "a stopped flow waits, and the others of its class do not: timeout")
{
    // A stopped flow goes back once, at its timeout, and retransmits when it can send again.
    TwoHosts hosts(TIMEOUT_100_US);
    Ptr<FlowGate> gate = SetFlowGate(hosts, 0);
    hosts.Lose(1, {0, 1});
    hosts.Start(0, CLASS_3, 3000);
    Simulator::Schedule(NanoSeconds(100), [gate]() { gate->Stop({PORT_0}); });
    Simulator::Schedule(MicroSeconds(350), [gate]() { gate->Stop({}); });
    hosts.Run();
    NS_TEST_EXPECT_MSG_EQ(GetSent(hosts),
                          "0:0@0 0:1@86 0:0@350000 0:1@350086 0:2@350173 ",
                          "from the oldest one on");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().timeouts, 1, "nothing is outstanding");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledged.size(), 1, "complete");
}

LOSSLESS_TEST(g_suite, "a stopped flow waits, and the others of its class do not: late answers")
{
    // The answers arrive after the timeout, while the flow is stopped, so the flow ends while it
    // waits.
    TwoHosts hosts(TIMEOUT_100_US);
    Ptr<FlowGate> gate = SetFlowGate(hosts, 0);
    hosts.m_gates[1]->Set(0);
    hosts.Start(0, CLASS_3, 4000);
    hosts.Start(1, CLASS_3, 4000);
    Simulator::Schedule(MicroSeconds(50), [gate]() { gate->Stop({PORT_0}); });
    hosts.SetGateAt(150000, 1, ALL_PRIORITIES);
    Simulator::Schedule(MicroSeconds(300), [gate]() { gate->Stop({}); });
    hosts.Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().timeouts, 2, "both, at 100 us");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->GetCounts().retransmitted, 4, "of flow 1 only");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledged.size(), 2, "complete");
    NS_TEST_EXPECT_MSG_LT(hosts.m_acknowledgedAt[0], 160000, "before the release");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_nics[0]->Prepare(Permit()), false, "nothing is left");
}

LOSSLESS_TEST(g_suite, "a stopped flow waits, and the others of its class do not: answers")
{
    // Answers to flow 0 are stopped. Answers to flow 1 and data are not affected.
    TwoHosts hosts;
    Ptr<FlowGate> gate = SetFlowGate(hosts, 1);
    gate->Stop({PORT_0});
    hosts.Start(0, CLASS_3, 1000);
    hosts.Start(1, CLASS_3, 1000);
    Simulator::Schedule(MicroSeconds(5), [&hosts] { hosts.StartFrom(1, 2, CLASS_3, 1000); });
    Simulator::Schedule(MicroSeconds(20), [gate]() { gate->Stop({}); });
    hosts.Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledgedAt[0], 20000 + 6 + 1000, "when it may");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledgedAt[1], 2 * 86 + 1000 + 7 + 1000, "without it");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_acknowledgedAt[2], 5000 + 1086 + 1006, "without delay");
}

LOSSLESS_TEST(g_suite, "a stopped flow waits, and the others of its class do not: link")
{
    // When a link recovers, no flow is stopped any longer. The link settles for the time of eight
    // control frames (8 x 84 B: 54 ns), its delay of 1000 ns and a response of 307 ns.
    TwoHosts hosts;
    Ptr<FlowGate> gate = SetFlowGate(hosts, 0);
    gate->Stop({PORT_0});
    hosts.Start(0, CLASS_3, 1000);
    auto channel = DynamicCast<LosslessChannel>(hosts.m_devices[0]->GetChannel());
    Simulator::Schedule(MicroSeconds(2), &LosslessChannel::SetUp, channel, false);
    Simulator::Schedule(MicroSeconds(3), &LosslessChannel::SetUp, channel, true);
    hosts.Run();
    NS_TEST_EXPECT_MSG_EQ(GetSent(hosts), "0:0@4361 ", "as soon as it has settled");
}

LOSSLESS_TEST(g_suite, "a stopped flow waits, and the others of its class do not: stack")
{
    // The stack sends packets from UDP ports 1, 2 and 3. The packet from port 3 uses another class.
    // Packets behind a stopped packet of the same class overtake it.
    TwoHosts hosts;
    Ptr<FlowGate> gate = SetFlowGate(hosts, 0);
    gate->Stop({1});
    Simulator::Schedule(MicroSeconds(1), [&hosts]() {
        for (const uint16_t port : {1, 2, 3})
        {
            hosts.m_devices[0]->Send(MakeDatagram(port, port == 3 ? 0x20 : 0),
                                     hosts.m_devices[1]->GetAddress(),
                                     0x0800);
        }
    });
    Simulator::Schedule(MicroSeconds(4), [gate]() { gate->Stop({}); });
    std::string ports;
    RecordPorts(hosts, ports);
    hosts.Run();
    // A frame of 14 + 20 + 8 + 100 B, plus 24 B on the wire, takes 13.28 ns.
    NS_TEST_EXPECT_MSG_EQ(ports, "2@1000 3@1013 1@4000 ", "others pass");
}

LOSSLESS_TEST(g_suite, "impossible sizes are explained")
{
    NS_TEST_EXPECT_MSG_EQ(RoceNic::DescribeMisfit(1000, 1500), "", "the defaults fit");
    NS_TEST_EXPECT_MSG_EQ(RoceNic::DescribeMisfit(1456, 1500), "", "1456 + 44 = 1500");
    NS_TEST_EXPECT_MSG_EQ(RoceNic::DescribeMisfit(1457, 1500),
                          "RoceNic: PayloadBytes is 1457, which makes IPv4 packets of 1504 "
                          "bytes, but the Mtu of the device is 1500 bytes.",
                          "1457 B fill up to 1460 B");
    NS_TEST_EXPECT_MSG_EQ(RawSource::DescribeMisfit(1514, 1500), "", "1500 + 14");
    NS_TEST_EXPECT_MSG_EQ(RawSource::DescribeMisfit(1515, 1500),
                          "RawSource: FrameBytes is 1515, but the Mtu of the device is 1500 "
                          "bytes and allows 1514.",
                          "one byte too many");
}

template <typename T>
void
CheckPlace(const std::string& name)
{
    // Even before a switch is initialized, its devices have no HostPort.
    ExpectStop(name +
                   ": port 0 of node 0 is a port of a switch; Install() needs a device of a host.",
               []() {
                   auto device = CreateObject<LosslessNetDevice>();
                   CreateObject<SwitchNode>()->AddDevice(device);
                   CreateObject<T>()->Install(device, GetHostAddress(0));
               });
    ExpectStop(name + ": Install() needs a device that is on a node.", []() {
        CreateObject<T>()->Install(CreateObject<LosslessNetDevice>(), GetHostAddress(0));
    });
    ExpectStop(name + ": Install() needs a device that is on a node.",
               []() { CreateObject<T>()->Install(nullptr, GetHostAddress(0)); });
}

LOSSLESS_TEST(g_suite, "NICs, sources and sinks go on a device of a host before use: unused")
{
    ExpectStop("RawSource: the source is on no device; call Install()", []() {
        CreateObject<Node>()->AddApplication(CreateObject<RawSource>());
        Simulator::Run();
    });
    ExpectStop("RoceNic: the NIC is on no device; call Install()",
               []() { CreateObject<RoceNic>()->Initialize(); });
    ExpectStop("RoceNic: flow 7 starts at a NIC without a device.",
               []() { CreateObject<RoceNic>()->StartFlow(TwoHosts().m_nics[0], MakeFlow(7, 1)); });
    ExpectStop("RoceNic: flow 8 goes to a NIC without a device.",
               []() { TwoHosts().m_nics[0]->StartFlow(CreateObject<RoceNic>(), MakeFlow(8, 1)); });
}

LOSSLESS_TEST(g_suite, "NICs, sources and sinks go on a device of a host, before they are used")
{
    CheckPlace<RoceNic>("RoceNic");
    CheckPlace<RawSource>("RawSource");
    CheckPlace<RawSink>("RawSink");
}

/// Two hosts, the first of which sends raw frames of 1500 B. Each frame occupies 1524 B on the wire
/// and takes 121.92 ns.
struct RawHosts : TwoHosts
{
    Ptr<RawSource> AddSource(const Attributes& attributes, Ipv4Address address = GetHostAddress(0))
    {
        auto source = CreateObject<RawSource>();
        source->SetAttribute("Priority", UintegerValue(5));
        for (const auto& [name, value] : attributes)
        {
            source->SetAttribute(name, StringValue(value));
        }
        source->SetDestination(GetHostAddress(1),
                               Mac48Address::ConvertFrom(m_devices[1]->GetAddress()));
        source->Install(m_devices[0], address);
        ListenTo(*source,
                 "Sent",
                 [this, which = source->GetNode()->GetNApplications()](Ptr<const Packet> packet) {
                     m_left.push_back(Ns(Simulator::Now()));
                     m_order.push_back(which);
                     m_last = packet->Copy();
                 });
        return source;
    }

    Ptr<RawSink> AddSink()
    {
        auto sink = CreateObject<RawSink>();
        sink->Install(m_devices[1], GetHostAddress(1));
        return sink;
    }

    /// Runs the network and compares the departure times of the frames.
    void Expect(const std::vector<int64_t>& expected, const std::string& what)
    {
        Run();
        NS_TEST_EXPECT_MSG_EQ(FirstDifference(m_left, expected), "", what);
    }

    std::vector<int64_t> m_left;   ///< times at which frames left, in ns
    std::vector<uint32_t> m_order; ///< source of each frame, numbered from 1
    Ptr<Packet> m_last;            ///< latest frame
};

/// Checks that the bytes of a frame form a correct UDP datagram in class 5.
void
CheckBytes(Ptr<Packet> packet)
{
    const Frame frame = ParseFrame(packet);
    NS_TEST_EXPECT_MSG_EQ(frame.size, 1500, "default size");
    NS_TEST_EXPECT_MSG_EQ((frame.kind == FrameKind::IPV4), true, "IPv4");
    NS_TEST_EXPECT_MSG_EQ(+frame.GetDscp(), 40, "class 5");
    NS_TEST_EXPECT_MSG_EQ(frame.flow.sourcePort, 49152, "default source port");
    NS_TEST_EXPECT_MSG_EQ(frame.flow.destinationPort, RAW_UDP_PORT, "UDP port");
    packet->RemoveAtStart(14);
    Ipv4Header ip;
    ip.EnableChecksum();
    packet->RemoveHeader(ip);
    NS_TEST_EXPECT_MSG_EQ(ip.IsChecksumOk(), true, "checksum");
    NS_TEST_EXPECT_MSG_EQ(ip.GetPayloadSize(), 1500 - 14 - 20, "IPv4 length");
}

LOSSLESS_TEST(g_suite, "a stopped flow waits, and the others of its class do not: raw sources")
{
    // The sources have UDP ports 1 and 2 and the same class. A frame of 1524 B on the wire takes
    // 121.92 ns.
    RawHosts hosts;
    Ptr<FlowGate> gate = SetFlowGate(hosts, 0);
    hosts.AddSource({{"SourcePort", "1"}, {"MaxFrames", "3"}});
    hosts.AddSource({{"SourcePort", "2"}, {"MaxFrames", "3"}});
    gate->Stop({1});
    Simulator::Schedule(MicroSeconds(4), [gate]() { gate->Stop({}); });
    std::string ports;
    RecordPorts(hosts, ports);
    hosts.Run();
    NS_TEST_EXPECT_MSG_EQ(ports,
                          "2@0 2@121 2@243 1@4000 1@4121 1@4243 ",
                          "the first source waits for the gate");
}

LOSSLESS_TEST(g_suite, "raw sources keep their timetable: interval")
{
    RawHosts hosts;
    auto sink = hosts.AddSink();
    auto source = hosts.AddSource({{"Interval", "1us"}, {"MaxFrames", "3"}, {"StartTime", "2us"}});
    hosts.Expect({2000, 3000, 4000}, "one frame each microsecond");
    NS_TEST_EXPECT_MSG_EQ(source->GetSent(), 3, "counted");
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotal().frames, 3, "frames");
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotal().bytes, 4500, "bytes");
    NS_TEST_EXPECT_MSG_EQ(Ns(sink->GetTotal().lastArrival), 4000 + 121 + 1000, "last bit");
    CheckBytes(hosts.m_last);
}

LOSSLESS_TEST(g_suite, "raw sources keep their timetable: back to back")
{
    RawHosts hosts;
    auto sink = hosts.AddSink();
    auto source = hosts.AddSource({{"MaxBytes", "6001"}});
    hosts.Expect({0, 121, 243, 365, 487}, "line rate; 6001 B are five frames");
    // Five frames take floor(5 x 121.92) = 609 ns.
    NS_TEST_EXPECT_MSG_EQ(Ns(sink->GetTotal().lastArrival), 1609, "last bit");
    NS_TEST_EXPECT_MSG_EQ(source->GetBacklog(), 0, "none is overdue");
}

LOSSLESS_TEST(g_suite, "raw sources keep their timetable: bursts")
{
    RawHosts hosts;
    hosts.AddSource({{"BurstFrames", "3"}, {"BurstPause", "1us"}, {"MaxFrames", "7"}});
    // Three frames take floor(3 x 121.92) = 365 ns; the pause follows.
    hosts.Expect({0, 121, 243, 1365, 1486, 1608, 2730}, "bursts of three");
}

LOSSLESS_TEST(g_suite, "raw sources keep their timetable: interval and bursts")
{
    RawHosts hosts;
    hosts.AddSource(
        {{"Interval", "1us"}, {"BurstFrames", "2"}, {"BurstPause", "5us"}, {"MaxFrames", "5"}});
    hosts.Expect({0, 1000, 7000, 8000, 14000}, "an interval and a pause between bursts");
}

LOSSLESS_TEST(g_suite, "raw sources keep their timetable: backlog")
{
    RawHosts hosts;
    auto source = hosts.AddSource({{"Interval", "1us"}, {"MaxFrames", "7"}});
    hosts.m_gates[0]->Set(ALL_PRIORITIES & ~SetOf(Priority{5}));
    hosts.SetGateAt(3500, 0, ALL_PRIORITIES);
    uint64_t backlog = 0;
    Simulator::Schedule(NanoSeconds(3400), [&]() { backlog = source->GetBacklog(); });
    hosts.Expect({3500, 3621, 3743, 3865, 4000, 5000, 6000}, "what waited goes back to back");
    NS_TEST_EXPECT_MSG_EQ(backlog, 4, "due at 0, 1, 2 and 3 us");
    NS_TEST_EXPECT_MSG_EQ(source->GetBacklog(), 0, "made up");
}

LOSSLESS_TEST(g_suite, "raw sources keep their timetable: end")
{
    RawHosts hosts;
    hosts.AddSource({{"Interval", "1us"}, {"StopTime", "2500ns"}});
    hosts.AddSource({{"StartTime", "10us"}, {"StopTime", "10200ns"}});
    hosts.Expect({0, 1000, 2000, 10000, 10121}, "sources without limit end at StopTime");
}

LOSSLESS_TEST(g_suite, "raw sources keep their timetable: two sources")
{
    // Two sources share the wire evenly, and the sink counts the frames of both.
    RawHosts hosts;
    auto sink = hosts.AddSink();
    const Ipv4Address other("10.0.0.9");
    hosts.AddSource({{"MaxFrames", "4"}}, other);
    hosts.AddSource({{"MaxFrames", "3"}, {"FrameBytes", "60"}});
    hosts.Run();
    const std::vector<uint32_t> order{1, 2, 1, 2, 1, 2, 1};
    NS_TEST_EXPECT_MSG_EQ((hosts.m_order == order), true, "they take turns");
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotal().frames, 4 + 3, "frames of both");
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotal().bytes, 4 * 1500 + 3 * 60, "their bytes");
}

LOSSLESS_TESTS(g_suite)
{
    for (const auto& [interval, window] : {std::pair(1, 0), {4, 0}, {1, 8000}, {4, 3000}})
    {
        g_suite.Add("5 % loss both ways, AckInterval " + std::to_string(interval) + ", Window " +
                        std::to_string(window),
                    [interval = interval, window = window] { CheckRandomLoss(interval, window); });
    }
    const std::string soon = "[RtoLow=10us|RtoHigh=10us]";
    for (const std::string& way :
         {std::string("GoBackN"), "SelectiveRepeat" + soon, "Unordered" + soon})
    {
        g_suite.Add(
            "a queue pair without answers is named, and gives up after RetryLimit retries: " +
                way.substr(0, way.find('[')),
            [way] { CheckNoAnswer(way); });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
