// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/path-selection.h"
#include "ns3/run-hints.h"
#include "ns3/signal-recorder.h"
#include "ns3/trimming.h"
#include "ns3/unbuilt-packet.h"

#include <random>

// Tests switches that trim packets that do not fit into a queue, and hosts that request their
// retransmission.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-trimming", UNIT);

constexpr uint8_t CLASS_3_ECT = 3 << 5 | 2; ///< type of service of a flow's packets
constexpr uint8_t TRIMMED = 49 << 2 | 2;    ///< type of service of a trimmed packet: DSCP 49,
                                            ///< ECT(0)

/// @return a frame of a RoCE packet that has not been built
Frame
MakeRoceFrame(uint32_t payload,
              RoceOpcode opcode = RoceOpcode::SEND_MIDDLE,
              bool hasTelemetry = false)
{
    RoceHeader header;
    header.SetAddresses(Ipv4Address("10.0.0.1"), Ipv4Address("10.0.0.2"));
    header.SetTos(CLASS_3_ECT);
    header.SetTelemetry(hasTelemetry);
    header.SetOpcode(opcode);
    header.SetPsn(77);
    header.SetPayloadSize(payload);
    const RoceOptions options{};
    Frame frame = ParseFrame(UnbuiltPacket::Make(header, &options)->Build());
    frame.packet = PacketRef(UnbuiltPacket::Make(header, &options));
    return frame;
}

LOSSLESS_TEST(g_suite, "code points of trimmed packets are those behind the class's own")
{
    NS_TEST_EXPECT_MSG_EQ(+GetTrimmedTos(Priority{6}, TrimmedAt::FABRIC, 3 << 5 | 2),
                          196 + 2,
                          "DSCP 49, ECT(0)");
    NS_TEST_EXPECT_MSG_EQ(+GetTrimmedTos(Priority{5}, TrimmedAt::LAST_HOP, 3), 171, "DSCP 42, CE");
    for (uint32_t tos = 0; tos < 256; ++tos)
    {
        const TrimmedAt at = GetTrimmedAt(static_cast<uint8_t>(tos));
        const uint32_t low = tos / 4 % 8;
        NS_TEST_EXPECT_MSG_EQ((at == TrimmedAt::FABRIC), (low == 1), "type of service " << tos);
        NS_TEST_EXPECT_MSG_EQ((at == TrimmedAt::LAST_HOP), (low == 2), "type of service " << tos);
    }
}

LOSSLESS_TEST(g_suite, "a trimmed frame has its headers, whole words of payload and an ICRC")
{
    // A frame consists of 58 B (Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4) plus the payload.
    for (const auto& [bytes, size] :
         {std::pair(64U, 62U), {58, 58}, {20, 58}, {65, 62}, {66, 66}, {256, 254}, {1057, 1054}})
    {
        Frame frame = MakeRoceFrame(1000);
        NS_TEST_EXPECT_MSG_EQ(TrimFrame(frame, bytes, TRIMMED), 1058 - size, "cut to " << bytes);
        NS_TEST_EXPECT_MSG_EQ(frame.size, size, "cut to " << bytes);
        NS_TEST_EXPECT_MSG_EQ(+frame.tos, +TRIMMED, "cut to " << bytes);
        const Frame built = ParseFrame(frame.packet);
        NS_TEST_EXPECT_MSG_EQ(built.size, size, "in its bytes");
        NS_TEST_EXPECT_MSG_EQ(+built.tos, +TRIMMED, "in its bytes");
        NS_TEST_EXPECT_MSG_EQ(built.flowHash, frame.flowHash, "the flow stays");
        const auto header = RoceHeader::Peek(*built.packet);
        NS_TEST_ASSERT_MSG_EQ(header.has_value(), true, "a RoCE packet");
        NS_TEST_EXPECT_MSG_EQ(header->GetPsn(), 77, "that one");
        NS_TEST_EXPECT_MSG_EQ(header->GetPayloadSize(), size - 58, "what is left");
    }
}

LOSSLESS_TEST(g_suite, "small packets, answers, other protocols and trimmed packets stay whole")
{
    const auto expectWhole = [](Frame frame, const std::string& what) {
        const uint32_t size = frame.size;
        const uint8_t tos = frame.tos;
        NS_TEST_EXPECT_MSG_EQ(TrimFrame(frame, 64, TRIMMED), 0, what);
        NS_TEST_EXPECT_MSG_EQ(frame.size, size, what);
        NS_TEST_EXPECT_MSG_EQ(+frame.tos, +tos, what);
    };
    expectWhole(MakeRoceFrame(4), "62 B");
    expectWhole(MakeRoceFrame(0, RoceOpcode::ACKNOWLEDGE), "an acknowledgement");
    expectWhole(MakeRoceFrame(0, RoceOpcode::CNP), "a congestion notification");
    expectWhole(MakeUdpFrame(GetHostAddress(0), GetHostAddress(1), 24, 1000, 1),
                "another protocol");
    Frame frame = MakeRoceFrame(1000);
    TrimFrame(frame, 256, TRIMMED);
    expectWhole(frame, "trimmed before");
    Frame five = MakeRoceFrame(5);
    NS_TEST_EXPECT_MSG_EQ(TrimFrame(five, 64, TRIMMED), 4, "66 B: a word is cut");
}

LOSSLESS_TEST(g_suite, "packets with telemetry keep it, and built ones are trimmed as others")
{
    Frame frame = MakeRoceFrame(1000, RoceOpcode::SEND_LAST, true);
    NS_TEST_EXPECT_MSG_EQ(TrimFrame(frame, 64, TRIMMED), 1000, "42 B more of headers");
    NS_TEST_EXPECT_MSG_EQ(frame.size, 100, "all headers");
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::Peek(*frame.packet)->HasTelemetry(), true, "and telemetry");
    Frame unbuilt = MakeRoceFrame(1000);
    Frame built = unbuilt; // The copy builds the packet for both frames.
    NS_TEST_EXPECT_MSG_EQ((built.packet.GetUnbuilt() == nullptr), true, "built");
    TrimFrame(built, 256, TRIMMED);
    NS_TEST_EXPECT_MSG_EQ(built.size, 254, "trimmed");
    NS_TEST_EXPECT_MSG_EQ(unbuilt.packet->GetSize(), 1058, "the other copy is whole");
}

LOSSLESS_TEST(g_suite, "a scheduler gives trimmed packets their share, or says why not")
{
    auto scheduler = CreateObject<DwrrScheduler>();
    NS_TEST_EXPECT_MSG_EQ(scheduler->SetShare(Priority{6}, 0.25).has_value(), false, "taken");
    StringValue quanta;
    scheduler->GetAttribute("Quanta", quanta);
    // A quantum of 1600 / 3 gives class 6 a share of (1600 / 3) / (1600 + 1600 / 3) = 1/4.
    NS_TEST_EXPECT_MSG_EQ(quanta.Get(), "1600,1600,1600,1600,1600,1600,533,1600", "a quarter");
    NS_TEST_EXPECT_MSG_EQ(scheduler->SetShare(Priority{5}, 0.25).value_or("").substr(0, 6),
                          "Quanta",
                          "others have theirs already");
    const auto strict = CreateObject<DwrrScheduler>()->SetShare(Priority{7}, 0.25);
    NS_TEST_EXPECT_MSG_EQ(strict.value_or("").substr(0, 13), "StrictClasses", "a strict one");
}

/// Two hosts of a star send 20 packets each to the third one.
const Topology STAR = Topology::Star({3, DataRate("100Gbps"), MicroSeconds(1)});
const FlowList TWO_TO_ONE{{1, 0, 2, 3, 20000, Time(0), ""}, {2, 1, 2, 3, 20000, Time(0), ""}};

SwitchHelper
MakeTrimmingSwitch(const std::string& queueLimit)
{
    SwitchHelper switches("ns3::lossless::DropTailSwitchNode");
    switches.SetPolicyAttribute("QueueLimit", StringValue(queueLimit));
    switches.SetTrimmer();
    return switches;
}

uint64_t
CountTrimmed(const SwitchNode::Counts& counts)
{
    return std::accumulate(counts.trimmed.begin(), counts.trimmed.end(), uint64_t{0});
}

uint64_t
CountDropped(const SwitchNode::Counts& counts)
{
    return std::accumulate(counts.dropped.begin(), counts.dropped.end(), uint64_t{0});
}

struct TrimLog
{
    std::map<std::string, uint32_t> frames; ///< number of frames, indexed by reason and code point
    uint64_t bytes{0};                      ///< number of trimmed bytes

    explicit TrimLog(const Ptr<SwitchNode>& node)
    {
        ListenTo(*node, "Trim", [this](const SwitchItem& item, DropReason reason, uint32_t cut) {
            ++frames[std::string(ToString(reason)) + " " + std::to_string(item.frame.GetDscp())];
            bytes += cut;
        });
    }
};

LOSSLESS_TEST(g_suite, "two senders at one port: what finds the queue full goes on as a header")
{
    // Both hosts send 20 packets at once, each at the rate of the third link. One packet leaves for
    // each pair of arrivals, so with room for 4 packets, packets 4, 5, 6 ... of one sender are
    // trimmed.
    Fabric fabric(STAR, MakeTrimmingSwitch("4p"));
    TrimLog log(fabric.GetSwitch(0));
    fabric.StartFlows(TWO_TO_ONE);
    fabric.StopWhenFlowsAreDone(Seconds(2), Fabric::FlowEnd::ACKNOWLEDGED);
    Simulator::Run();
    const SwitchNode::Counts& counts = fabric.GetSwitch(0)->GetCounts();
    NS_TEST_EXPECT_MSG_EQ(CountDropped(counts), 0, "headers find room");
    NS_TEST_EXPECT_MSG_GT(CountTrimmed(counts), 0, "some are trimmed");
    NS_TEST_EXPECT_MSG_EQ(log.frames.size(), 1, "all alike");
    NS_TEST_EXPECT_MSG_EQ(log.frames["egress-limit 50"], CountTrimmed(counts), "at the last hop");
    NS_TEST_EXPECT_MSG_EQ(counts.trimmedBytes, 996 * CountTrimmed(counts), "1058 B to 62 B");
    NS_TEST_EXPECT_MSG_EQ(log.bytes, counts.trimmedBytes, "the trace tells the same");
    const RoceNic::Counts& receiver = fabric.GetNic(2)->GetCounts();
    NS_TEST_EXPECT_MSG_EQ(receiver.trimmed, CountTrimmed(counts), "all arrive");
    NS_TEST_EXPECT_MSG_EQ(receiver.bytesReceived, 40000, "both flows, once");
    const uint64_t timeouts =
        fabric.GetNic(0)->GetCounts().timeouts + fabric.GetNic(1)->GetCounts().timeouts;
    NS_TEST_EXPECT_MSG_LT(timeouts, 2, "a trimmed packet asks for itself");
}

/// The threshold is one byte, so all data frames, whole or trimmed, are marked exactly once, and no
/// other frames are marked. The count must match the whole and trimmed frames that arrive.
LOSSLESS_TEST(g_suite, "ports.csv has what a port of a switch has marked, and what it has trimmed")
{
    SwitchHelper switches = MakeTrimmingSwitch("4p");
    switches.SetMarker("ns3::lossless::StepMarker", "Threshold", UintegerValue(1));
    Fabric fabric(STAR, switches);
    SignalRecorder recorder;
    recorder.WatchSwitch("s0", fabric.GetSwitch(0));
    fabric.StartFlows(TWO_TO_ONE);
    Simulator::Stop(Seconds(1)); // runs until no frame is in flight
    Simulator::Run();
    const RoceNic::Counts& receiver = fabric.GetNic(2)->GetCounts();
    NS_TEST_EXPECT_MSG_GT_OR_EQ(receiver.dataReceived, 40, "both flows");
    NS_TEST_EXPECT_MSG_GT(receiver.trimmed, 0, "some are trimmed");
    const std::string table = ToCsv(recorder.GetTable());
    const std::string row = table.substr(table.find('\n') + 1);
    NS_TEST_EXPECT_MSG_EQ(row,
                          "s0,2," + std::to_string(receiver.dataReceived + receiver.trimmed) + "," +
                              std::to_string(receiver.trimmed) + ",,,,,,,,,\n",
                          "of the only port that has done so");
}

LOSSLESS_TEST(g_suite, "a switch that is not the last one says so")
{
    // Each of two hosts on the left sends to a host on the right, over a shared link that has the
    // rate of a host link.
    Fabric fabric(
        Topology::Dumbbell(
            {2, 2, DataRate("100Gbps"), DataRate("100Gbps"), MicroSeconds(1), MicroSeconds(1)}),
        MakeTrimmingSwitch("4p"));
    TrimLog left(fabric.GetSwitch(0));
    TrimLog right(fabric.GetSwitch(1));
    fabric.StartFlows({{1, 0, 2, 3, 50000, Time(0), ""}, {2, 1, 3, 3, 50000, Time(0), ""}});
    fabric.StopWhenFlowsAreDone(Seconds(2), Fabric::FlowEnd::ACKNOWLEDGED);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(left.frames["egress-limit 49"], 0, "where the queue is");
    NS_TEST_EXPECT_MSG_EQ(left.frames.size(), 1, "all alike");
    NS_TEST_EXPECT_MSG_EQ(right.frames.size(), 0, "no queue");
}

/// Two flows of 20 packets meet at a port with room for 4 packets.
struct Meeting
{
    Meeting(const std::string& reliability, const std::string& paths)
    {
        const ObjectFactory nics =
            MakeNics({{"Reliability", "ns3::lossless::" + reliability},
                      {"PathSelection", "ns3::lossless::" + paths},
                      {"CongestionControl", "ns3::lossless::Nscc[Trimming=true]"}});
        Fabric fabric(STAR, MakeTrimmingSwitch("4p"), nics);
        fabric.StartFlows(TWO_TO_ONE);
        fabric.StopWhenFlowsAreDone(Seconds(2), Fabric::FlowEnd::ACKNOWLEDGED);
        Simulator::Run();
        for (const uint32_t host : {0, 1})
        {
            const RoceNic::Counts& counts = fabric.GetNic(host)->GetCounts();
            retransmitted += counts.retransmitted;
            timeouts += counts.timeouts;
        }
        trimmed = CountTrimmed(fabric.GetSwitch(0)->GetCounts());
        naks = fabric.GetNic(2)->GetCounts().naksSent;
        end = Simulator::Now();
        Simulator::Destroy();
    }

    uint64_t trimmed{0};       ///< number of trimmed frames
    uint64_t naks{0};          ///< number of NAKs sent by the receiver
    uint64_t retransmitted{0}; ///< number of retransmitted packets
    uint64_t timeouts{0};      ///< number of timeouts of both senders
    Time end;                  ///< time at which both flows were complete
};

LOSSLESS_TEST(g_suite, "each trimmed packet is asked for once, and sent again alone")
{
    for (const char* reliability : {"SelectiveRepeat", "Unordered"})
    {
        for (const char* paths : {"FlowPath", "MrcPath"})
        {
            const Meeting meeting(reliability, paths);
            NS_TEST_EXPECT_MSG_GT(meeting.trimmed, 10, reliability << ": many");
            // Selective repeat also sends NAKs for gaps.
            NS_TEST_EXPECT_MSG_GT_OR_EQ(meeting.naks, meeting.trimmed, reliability << ": NAK each");
            NS_TEST_EXPECT_MSG_EQ(meeting.retransmitted,
                                  meeting.trimmed,
                                  reliability << ": and a repeat");
            NS_TEST_EXPECT_MSG_EQ(meeting.timeouts, 0, reliability << ": nothing is waited for");
            // The 40 packets of 1058 B and 24 B of overhead take 3.5 us, and another 3.5 us if all
            // are retransmitted.
            NS_TEST_EXPECT_MSG_LT(meeting.end, MicroSeconds(25), reliability << ": at once");
        }
    }
}

/// A path selection with a single path value, which counts the reported outcomes of packets.
class NotingPath : public PathSelection
{
  public:
    LOSSLESS_TEST_TYPE(NotingPath, PathSelection, .AddConstructor<NotingPath>());

    inline static std::map<PathOutcome, uint64_t> s_outcomes; ///< outcomes of all flows

  private:
    uint32_t DoChoose(Time /* now */) override
    {
        return 0;
    }

    void DoNotify(uint32_t /* value */, PathOutcome outcome, Time /* now */) override
    {
        ++s_outcomes[outcome];
    }

    bool WantsLosses() const override
    {
        return true;
    }
};

/// @return the number of trimmed frames; NotingPath::s_outcomes receives the outcomes
uint64_t
RunNoting(const Topology& topology)
{
    NotingPath::s_outcomes.clear();
    ObjectFactory nics = MakeNics({{"Reliability", "ns3::lossless::Unordered"}});
    ObjectFactory paths;
    paths.SetTypeId(NotingPath::GetTypeId());
    nics.Set("PathSelection", ObjectFactoryValue(paths));
    Fabric fabric(topology, MakeTrimmingSwitch("4p"), nics);
    const uint32_t last = fabric.GetNHosts() - 1;
    fabric.StartFlows({{1, 0, last, 3, 50000, Time(0), ""},
                       {2, 1, std::max(2U, last - 1), 3, 50000, Time(0), ""}});
    fabric.StopWhenFlowsAreDone(Seconds(2), Fabric::FlowEnd::ACKNOWLEDGED);
    Simulator::Run();
    uint64_t trimmed = 0;
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        trimmed += CountTrimmed(fabric.GetSwitch(i)->GetCounts());
    }
    Simulator::Destroy();
    return trimmed;
}

LOSSLESS_TEST(g_suite, "a flow whose packets are all trimmed is named")
{
    const ObjectFactory nics =
        MakeNics({{"Reliability", "ns3::lossless::Unordered"}, {"StallTime", "200us"}});
    Fabric fabric(Topology::Star({2, DataRate("100Gbps"), MicroSeconds(1)}),
                  MakeTrimmingSwitch("100B"),
                  nics);
    static std::string stalls;
    stalls.clear();
    ListenTo(*fabric.GetNic(0),
             "FlowStalled",
             [](const FlowRecord& record, Time since, const std::string& state) {
                 stalls += "flow " + std::to_string(record.flow.id) + ": " + state;
                 NS_TEST_EXPECT_MSG_LT(since, MicroSeconds(20), "since the first was trimmed");
             });
    fabric.StartFlows({{1, 0, 1, 3, 500, Time(0), ""}});
    RunFor(MilliSeconds(1));
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(
        stalls,
        "flow 1: 0 of 1 packets have arrived, 1 were sent, 0 timeouts in a row; it "
        "waits for an answer",
        "once, without a timeout");
}

LOSSLESS_TEST(g_suite, "the choice of paths hears of what was trimmed, but at the last hop")
{
    std::map<PathOutcome, uint64_t>& outcomes = NotingPath::s_outcomes;
    const uint64_t last = RunNoting(STAR);
    NS_TEST_EXPECT_MSG_GT(last, 10, "at the switch before the receiver");
    NS_TEST_EXPECT_MSG_EQ(outcomes[PathOutcome::TRIMMED], 0, "no other path would help");
    NS_TEST_EXPECT_MSG_EQ(outcomes[PathOutcome::ARRIVED], 100 + last, "they came through");
    NS_TEST_EXPECT_MSG_EQ(outcomes[PathOutcome::LOST], 0, "none in silence");
    const uint64_t fabric = RunNoting(Topology::Dumbbell(
        {2, 2, DataRate("100Gbps"), DataRate("100Gbps"), MicroSeconds(1), MicroSeconds(1)}));
    NS_TEST_EXPECT_MSG_GT(fabric, 10, "at the first switch");
    NS_TEST_EXPECT_MSG_EQ(outcomes[PathOutcome::TRIMMED], fabric, "each");
    NS_TEST_EXPECT_MSG_EQ(outcomes[PathOutcome::ARRIVED], 100, "both flows");
    NS_TEST_EXPECT_MSG_EQ(outcomes[PathOutcome::LOST], 0, "none in silence");
}

LOSSLESS_TEST(g_suite, "trimmed packets have a quarter of a port, data the rest")
{
    // Frames of classes 6 and 3 wait at one port. The frames are 62 B and 1058 B long, and the
    // quanta of the classes are 533 B and 1600 B per round.
    auto scheduler = CreateObject<DwrrScheduler>();
    scheduler->SetShare(Priority{6}, 0.25);
    EgressQueues queues;
    for (Ptr<EgressQueue>& queue : queues)
    {
        queue = CreateObject<FifoEgressQueue>();
    }
    std::map<uint32_t, uint64_t> bytes;
    const auto fill = [&queues](uint8_t priority, uint32_t size) {
        queues[priority]->Enqueue(MakeItem(0, priority, size));
    };
    fill(3, 1058);
    fill(6, 62);
    for (uint32_t i = 0; i < 20000; ++i)
    {
        const Priority next = scheduler->Select(SetOf(Priority{3}) | SetOf(Priority{6}), queues);
        const uint32_t size = queues[Index(next)]->Dequeue().frame.size;
        bytes[Index(next)] += size;
        fill(static_cast<uint8_t>(Index(next)), size);
    }
    const double share = static_cast<double>(bytes[6]) / static_cast<double>(bytes[3] + bytes[6]);
    NS_TEST_EXPECT_MSG_EQ_TOL(share, 0.25, 0.002, "of the bytes");
}

LOSSLESS_TEST(g_suite, "trimming where it cannot be stops the program with a sentence")
{
    const auto start = [](SwitchHelper switches) {
        return GetAbortMessage([&switches] {
            Fabric fabric(Topology::Star({2, DataRate("100Gbps"), MicroSeconds(1)}), switches);
            fabric.GetSwitch(0)->Initialize();
        });
    };
    SwitchHelper lossless; // with PFC
    lossless.SetTrimmer();
    ExpectPart(start(lossless), "PacketTrimmer::Class is 6, which LosslessClasses has");
    SwitchHelper processor = MakeTrimmingSwitch("4p");
    processor.SetProcessor("ns3::lossless::SharedProcessor");
    ExpectPart(start(processor), "Trimmer and Processor are both set");
}

/// The numbers of bytes received and sent by the devices of a switch.
struct Passed
{
    uint64_t received{0}; ///< number of received bytes
    uint64_t sent{0};     ///< number of sent bytes

    void Watch(SwitchNode& node)
    {
        for (uint16_t port = 0; port < node.GetNDevices(); ++port)
        {
            const Ptr<LosslessNetDevice> device = node.GetPortDevice(PortId{port});
            ListenTo(*device, "PhyRxEnd", [this](Ptr<const Packet> packet) {
                received += packet->GetSize();
            });
            ListenTo(*device, "PhyTxBegin", [this](Ptr<const Packet> packet) {
                sent += packet->GetSize();
            });
        }
    }
};

LOSSLESS_TEST(g_suite, "a run's hint counts trimmed packets as a reason to send again")
{
    const auto explain = [](uint64_t again, uint64_t lost, uint64_t trimmed) {
        RunSymptoms symptoms;
        symptoms.signals.dataSent = 900;
        symptoms.signals.retransmitted = again;
        symptoms.lostFrames = lost;
        symptoms.trimmedFrames = trimmed;
        symptoms.reliability = "Unordered";
        const std::vector<std::string> sentences = ExplainSlowness(symptoms);
        return sentences.empty() ? "" : sentences.front();
    };
    const std::string begin = "6 of 900 data packets were sent again for ";
    NS_TEST_EXPECT_MSG_EQ(explain(6, 0, 6), begin + "6 trimmed frames.", "trimmed");
    NS_TEST_EXPECT_MSG_EQ(explain(6, 5, 1), begin + "5 lost frames and 1 trimmed frame.", "both");
    ExpectBegin(explain(6, 0, 1), begin + "1 trimmed frame: the others");
}

/// Sends random flows through switches that trim.
class RandomTrimming
{
  public:
    explicit RandomTrimming(uint32_t seed)
        : m_random(seed)
    {
    }

    /// Runs the simulation and checks that every packet arrives once and that every byte is
    /// accounted for.
    void Run()
    {
        LeafSpineOptions options{2, 2, 3};
        options.delay = NanoSeconds(Draw(100, 3000));
        SwitchHelper switches = MakeTrimmingSwitch(std::to_string(Draw(2, 20)) + "p");
        switches.SetTrimmer("TrimBytes",
                            UintegerValue(Draw(0, 1) ? 64 : 256),
                            "Class",
                            UintegerValue(Draw(0, 6)));
        ObjectFactory nics("ns3::lossless::RoceNic");
        nics.Set("PayloadBytes", UintegerValue(Draw(60, 1400)));
        nics.Set("RetransmitTimeout", TimeValue(MicroSeconds(Draw(100, 1000))));
        nics.Set("AckInterval", UintegerValue(Draw(1, 5)));
        nics.Set("Reliability", DrawType({"GoBackN", "SelectiveRepeat", "Unordered"}));
        nics.Set("PathSelection",
                 DrawType({"FlowPath", "RandomPath", "ObliviousPath", "RepsPath", "MrcPath"}));
        nics.Set("CongestionControl",
                 DrawType({"NoCongestionControl", "Nscc[Trimming=true]", "Dcqcn"}));
        Fabric fabric(Topology::LeafSpine(options), switches, nics);
        std::vector<Passed> passed(fabric.GetNSwitches());
        const bool isBuilt = Draw(0, 1) == 1;
        for (uint32_t i = 0; isBuilt && i < fabric.GetNSwitches(); ++i)
        {
            passed[i].Watch(*fabric.GetSwitch(i));
        }
        const FlowList flows = DrawFlows(fabric.GetNHosts());
        fabric.StartFlows(flows);
        fabric.StopWhenFlowsAreDone(Seconds(1), Fabric::FlowEnd::ACKNOWLEDGED);
        Simulator::Run();
        uint64_t expected = 0;
        uint64_t received = 0;
        for (const FlowSpec& flow : flows)
        {
            expected += flow.bytes;
        }
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            received += fabric.GetNic(host)->GetCounts().bytesReceived;
        }
        NS_TEST_EXPECT_MSG_EQ(received, expected, "all bytes of all flows, once");
        CheckSwitches(fabric, passed, isBuilt);
        Simulator::Destroy();
    }

    uint64_t m_trimmed{0}; ///< number of trimmed frames
    uint64_t m_dropped{0}; ///< number of dropped frames

  private:
    uint32_t Draw(uint32_t from, uint32_t to)
    {
        return from + m_random() % (to - from + 1);
    }

    StringValue DrawType(const std::vector<std::string>& types)
    {
        return StringValue("ns3::lossless::" +
                           types[Draw(0, static_cast<uint32_t>(types.size()) - 1)]);
    }

    FlowList DrawFlows(uint32_t hosts)
    {
        FlowList flows;
        for (uint32_t i = 0; i < 12; ++i)
        {
            const uint32_t source = Draw(1, hosts - 1);
            const uint32_t other = (source + Draw(1, hosts - 1)) % hosts;
            flows.push_back({i,
                             source,
                             Draw(0, 1) ? 0 : other,
                             static_cast<uint8_t>(Draw(0, 5)),
                             Draw(1, 60000),
                             NanoSeconds(Draw(0, 20000)),
                             ""});
        }
        return flows;
    }

    void CheckSwitches(const Fabric& fabric, const std::vector<Passed>& passed, bool isBuilt)
    {
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            Ptr<SwitchNode> node = fabric.GetSwitch(i);
            const SwitchNode::Counts& counts = node->GetCounts();
            m_trimmed += CountTrimmed(counts);
            m_dropped += CountDropped(counts);
            uint64_t stored = 0;
            uint64_t queued = 0;
            uint64_t waiting = 0; // bytes not yet on a wire
            node->ForEachQueued([&](const SwitchItem& item) {
                ++stored;
                queued += item.bufferBytes;
                waiting += item.frame.packet ? item.frame.size : 0;
            });
            const uint64_t lost =
                std::accumulate(counts.bytes.begin(), counts.bytes.end(), uint64_t{0});
            NS_TEST_EXPECT_MSG_EQ(passed[i].received,
                                  passed[i].sent + waiting + lost * isBuilt +
                                      counts.trimmedBytes * isBuilt,
                                  "bytes of switch " << i);
            NS_TEST_EXPECT_MSG_EQ(counts.received,
                                  counts.sent + CountDropped(counts) + stored,
                                  "frames of switch " << i);
            NS_TEST_EXPECT_MSG_EQ(node->GetSharedBuffer()->GetUsed(), queued, "the ledger");
        }
    }

    std::mt19937 m_random; ///< random numbers
};

LOSSLESS_TEST(g_suite, "flows at random over switches that trim arrive, each byte once")
{
    uint64_t trimmed = 0;
    uint64_t dropped = 0;
    for (uint32_t seed = 1; seed <= 24; ++seed)
    {
        RandomTrimming run(seed);
        run.Run();
        trimmed += run.m_trimmed;
        dropped += run.m_dropped;
    }
    NS_TEST_EXPECT_MSG_GT(trimmed, 1000, "the runs are about trimming");
    NS_TEST_EXPECT_MSG_GT(dropped, 0, "and trimmed packets are lost, too");
}

} // namespace ns3::lossless::tests::THIS_FILE
