// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/telemetry-header.h"
#include "ns3/telemetry-history.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-telemetry", UNIT);

constexpr double LINE = 100e9;         ///< rate of links, in bit/s
constexpr uint8_t CODE_25G = 7;        ///< rate code on the wire
constexpr uint8_t CODE_100G = 11;      ///< rate code on the wire
constexpr uint32_t BEHIND_BTH = 54;    ///< Ethernet 14, IPv4 20, UDP 8, BTH 12
constexpr uint32_t BEHIND_AETH = 58;   ///< 4 B more than BEHIND_BTH
constexpr uint32_t DATA_BYTES = 1100;  ///< 54 + telemetry 42 + payload 1000 + ICRC 4
constexpr uint32_t ANSWER_BYTES = 104; ///< 58 + telemetry 42 + ICRC 4

std::string
ToHex(const Header& header)
{
    auto packet = Create<Packet>();
    packet->AddHeader(header);
    return tests::ToHex(*packet);
}

std::string
ToText(const TelemetryHop& hop)
{
    return TextOf(hop.GetRate() / 1e9, "G ", hop.time, " ", hop.sent, " ", hop.queue);
}

LOSSLESS_TEST(g_suite, "The layout of telemetry on the wire")
{
    TelemetryHeader header;
    const std::string none(16, '0');
    NS_TEST_EXPECT_MSG_EQ(ToHex(header), "0000" + none + none + none + none + none, "empty");
    // A record consists of the rate code b, 24 bits of time, 20 bits of sent bytes and 16 bits of
    // queue length. The switch ID has 12 bits.
    header.Push(0x1005, {CODE_100G, 0x123456, 0xabcde, 0x0f0f});
    header.Push(0x0003, {CODE_25G, 0xffffff, 1, 0});
    const std::string two = "b123456abcde0f0f7ffffff000010000";
    NS_TEST_EXPECT_MSG_EQ(ToHex(header), "2006" + two + none + none + none, "5 ^ 3 = 6");
    auto packet = Create<Packet>(10);
    packet->AddHeader(header);
    packet->AddPaddingAtEnd(30);
    const TelemetryHeader read = TelemetryHeader::Peek(*packet, 0);
    NS_TEST_EXPECT_MSG_EQ(read.GetHops(), 2, "hops");
    NS_TEST_EXPECT_MSG_EQ(read.GetPath(), 6, "path");
    NS_TEST_EXPECT_MSG_EQ(ToText(read.GetHop(0)), "100G 1193046 703710 3855", "first");
    NS_TEST_EXPECT_MSG_EQ(ToText(read.GetHop(1)), "25G 16777215 1 0", "second");
    TelemetryHeader removed;
    packet->RemoveHeader(removed);
    NS_TEST_EXPECT_MSG_EQ(ToHex(removed), ToHex(header), "read by ns-3's means");
    std::ostringstream print;
    removed.Print(print);
    NS_TEST_EXPECT_MSG_EQ(print.str(),
                          "hops 2 path 6 (100000000000bps 1193046 ns sent 90074880 B queue "
                          "308400 B) (25000000000bps 16777215 ns sent 128 B queue 0 B)",
                          "printed");
    // The header has room for the records of five switches and can count 15 hops.
    for (uint32_t i = 2; i < 5; ++i)
    {
        header.Push(0, {CODE_25G, i, i, i});
    }
    const std::string full = ToHex(header);
    header.Push(0, {CODE_25G, 5, 5, 5});
    NS_TEST_EXPECT_MSG_EQ(header.GetHops(), 6, "counted");
    NS_TEST_EXPECT_MSG_EQ(header.GetRecorded(), 5, "without room");
    NS_TEST_EXPECT_MSG_EQ(ToHex(header), "6" + full.substr(1), "the others stay");
    for (uint32_t i = 0; i < 20; ++i)
    {
        header.Push(0, {});
    }
    NS_TEST_EXPECT_MSG_EQ(header.GetHops(), 15, "four bits");
}

TelemetryHeader
MakeHeader(const std::vector<TelemetryHop>& hops, uint32_t path = 1)
{
    TelemetryHeader header;
    for (const TelemetryHop& hop : hops)
    {
        header.Push(path, hop);
    }
    return header;
}

LOSSLESS_TEST(g_suite, "Differences are those of the links, also where counters wrap around")
{
    TelemetryHistory history;
    NS_TEST_EXPECT_MSG_EQ(
        history.Take(MakeHeader({{CODE_100G, 0xffff9c, 0xffff0, 10}}), Time(0)).empty(),
        true,
        "nothing to compare with");
    const LinkSamples samples =
        history.Take(MakeHeader({{CODE_100G, 0xffff9c + 1000 - 0x1000000, 84, 3}}),
                     MicroSeconds(1));
    NS_TEST_ASSERT_MSG_EQ(samples.end() - samples.begin(), 1, "one link");
    const LinkSample& link = *samples.begin();
    // In 1 us, 100 units of 128 B amount to 102.4 Gb/s. The queues hold 10 and 3 units of 80 B.
    NS_TEST_EXPECT_MSG_EQ(link.rate, LINE, "rate");
    NS_TEST_EXPECT_MSG_EQ_TOL(link.interval, 1e-6, 1e-15, "time");
    NS_TEST_EXPECT_MSG_EQ_TOL(link.sentRate, 102.4e9, 1, "sent");
    NS_TEST_EXPECT_MSG_EQ(link.queueBefore, 6400, "queue before");
    NS_TEST_EXPECT_MSG_EQ(link.queue, 1920, "queue");
}

LOSSLESS_TEST(g_suite, "What cannot be told apart is not told; the next may be compared with it")
{
    const auto isEmpty = [](const TelemetryHeader& first,
                            const TelemetryHeader& second,
                            Time elapsed = MicroSeconds(1)) {
        TelemetryHistory history;
        history.Take(first, Time(0));
        return history.Take(second, elapsed).empty();
    };
    const TelemetryHop a{CODE_100G, 100, 0, 0};
    const TelemetryHop b{CODE_100G, 1100, 90, 0};
    NS_TEST_EXPECT_MSG_EQ(isEmpty(MakeHeader({a, a}), MakeHeader({b, b})), false, "as usual");
    NS_TEST_EXPECT_MSG_EQ(isEmpty(MakeHeader({a}), MakeHeader({b, b})), true, "more hops");
    NS_TEST_EXPECT_MSG_EQ(isEmpty(MakeHeader({a}, 1), MakeHeader({b}, 2)), true, "other path");
    NS_TEST_EXPECT_MSG_EQ(isEmpty(MakeHeader({b}), MakeHeader({a})), true, "overtaken");
    NS_TEST_EXPECT_MSG_EQ(isEmpty(MakeHeader({b, a}), MakeHeader({b, b})), true, "no time");
    NS_TEST_EXPECT_MSG_EQ(isEmpty(MakeHeader({a}), MakeHeader({b}), NanoSeconds(8388608)),
                          true,
                          "half the range of times");
    NS_TEST_EXPECT_MSG_EQ(isEmpty(MakeHeader({a}), MakeHeader({b}), NanoSeconds(8388607)),
                          false,
                          "a little less");
    // At 400 Gb/s, 2^20 x 128 B take 2.684 ms.
    const TelemetryHop fast{13, 0, 0, 0};
    NS_TEST_EXPECT_MSG_EQ(fast.GetRate(), 400000000000, "code 13");
    for (const auto& [ns, empty] : {std::pair(2684354U, false), std::pair(2684355U, true)})
    {
        NS_TEST_EXPECT_MSG_EQ(
            isEmpty(MakeHeader({fast}), MakeHeader({{13, ns, 1, 0}}), NanoSeconds(ns)),
            empty,
            "bytes in " << ns << " ns");
    }
    NS_TEST_EXPECT_MSG_EQ(isEmpty(MakeHeader({}), MakeHeader({})), true, "no switch writes");
}

LOSSLESS_TEST(g_suite, "Units and wrap-around of telemetry")
{
    // The time is 2^24 + 5 ns. The sent bytes are 2^20 units of 128 B, 2 units and 127 B. The queue
    // holds 70000 units of 80 B.
    const TelemetryHop late = TelemetryHop::Encode(CODE_100G,
                                                   NanoSeconds(16777216 + 5),
                                                   (1048576 + 2) * 128 + 127,
                                                   70000 * 80);
    NS_TEST_EXPECT_MSG_EQ(ToText(late), "100G 5 2 65535", "wrapped, wrapped, saturated");
    const TelemetryHop early =
        TelemetryHop::Encode(CODE_100G, NanoSeconds(16777216 - 10), 1048573 * 128, 79);
    NS_TEST_EXPECT_MSG_EQ(ToText(early), "100G 16777206 1048573 0", "below the range");
    NS_TEST_EXPECT_MSG_EQ(late.GetTimeSince(early), 15, "across the range, ns");
    NS_TEST_EXPECT_MSG_EQ(late.GetSentSince(early), 5 * 128, "across the range, bytes");
    for (const uint64_t mbps : {100, 1000, 10000, 25000, 40000, 100000, 400000, 1600000})
    {
        const auto code = TelemetryHop::EncodeRate(DataRate(mbps * 1000000));
        NS_TEST_ASSERT_MSG_EQ(code.has_value(), true, mbps << " Mb/s has a code");
        NS_TEST_EXPECT_MSG_EQ(TelemetryHop({*code}).GetRate(), mbps * 1000000, "and back");
    }
    NS_TEST_EXPECT_MSG_EQ(TelemetryHop::EncodeRate(DataRate("3Gbps")).has_value(),
                          false,
                          "an odd rate");
}

/// A congestion control that requests telemetry and sends at the link rate.
class TelemetryProbe : public CongestionControl
{
  public:
    LOSSLESS_TEST_TYPE(TelemetryProbe, CongestionControl, .AddConstructor<TelemetryProbe>());

    CongestionFeedback GetFeedback() const override
    {
        CongestionFeedback feedback;
        feedback.telemetry = true;
        return feedback;
    }

    void Start(DataRate lineRate, uint32_t /* payloadBytes */) override
    {
        m_lineRate = lineRate;
    }

    void NotifyAck(const AckSignals& signals, Time /* now */) override
    {
        s_echoes.push_back(signals.telemetry ? ToHex(*signals.telemetry) : "none");
    }

    DataRate GetRate(Time /* now */) override
    {
        return m_lineRate;
    }

    static inline std::vector<std::string> s_echoes; ///< telemetry in acknowledgements

  private:
    DataRate m_lineRate; ///< rate of the link
};

NS_OBJECT_ENSURE_REGISTERED(TelemetryProbe);

constexpr const char* PROBE = "ns3::lossless::tests::TelemetryProbe";

/// The line h0 - s0 - s1 - h1. Links have a rate of 100 Gb/s, or 25 Gb/s for the last one, and a
/// delay of 1 us.
struct TwoSwitches
{
    explicit TwoSwitches(const std::string& control,
                         bool telemetry = true,
                         const std::string& lastRate = "25Gbps")
    {
        TelemetryProbe::s_echoes.clear();
        const Topology topology =
            MakeTopology("h0,s0,100Gbps,1us\ns0,s1,100Gbps,1us\ns1,h1," + lastRate + ",1us\n");
        SwitchHelper switches;
        switches.SetAttribute("Telemetry", BooleanValue(telemetry));
        m_fabric = std::make_unique<Fabric>(topology,
                                            switches,
                                            MakeNics({{"CongestionControl", control}}));
        ListenTo(*m_fabric->GetHostDevice(1), "PhyRxEnd", [this](Ptr<const Packet> packet) {
            m_data.push_back(packet->Copy());
            m_dataTimes.push_back(Simulator::Now().GetNanoSeconds());
        });
        ListenTo(*m_fabric->GetHostDevice(0), "PhyRxEnd", [this](Ptr<const Packet> packet) {
            m_answers.push_back(packet->Copy());
        });
    }

    ~TwoSwitches()
    {
        m_fabric.reset();
        Simulator::Destroy();
    }

    void Run(uint32_t packets)
    {
        m_fabric->StartFlows({{0, 0, 1, 3, packets * 1000ULL, Time(0), ""}});
        Simulator::Run();
    }

    std::unique_ptr<Fabric> m_fabric;   ///< the network
    std::vector<Ptr<Packet>> m_data;    ///< packets received by h1
    std::vector<Ptr<Packet>> m_answers; ///< packets received by h0
    std::vector<int64_t> m_dataTimes;   ///< arrival times at h1, in ns
};

std::string
GetStamp(const TwoSwitches& network, uint32_t packet, uint32_t hop)
{
    return ToText(TelemetryHeader::Peek(*network.m_data[packet], BEHIND_BTH).GetHop(hop));
}

/// A packet occupies 1124 B on the wire and takes 89.92 ns at 100 Gb/s and 359.68 ns at 25 Gb/s.
/// These times are rounded down to whole nanoseconds, and the remainder is carried over. Packet n
/// has left h0 at 89.92 (n + 1) ns, rounded down, and starts to leave s0 1000 ns later, at
/// 1089, 1179, 1269, ... ns. It arrives at s1 another 1089 ns later, at 2178, 2268, 2358, 2448,
/// 2538, 2628, 2718 and 2808 ns.
LOSSLESS_TEST(g_suite, "Switches write into packets that ask for it: values")
{
    TwoSwitches network(PROBE);
    network.Run(8);
    NS_TEST_ASSERT_MSG_EQ(network.m_data.size(), 8, "all arrived");
    // No packets wait at s0. Before packets 0, 1 and 2, s0 has sent 0, 1124 and 2248 B, or 0, 8.78
    // and 17.56 units of 128 B.
    NS_TEST_EXPECT_MSG_EQ(GetStamp(network, 0, 0), "100G 1089 0 0", "s0, packet 0");
    NS_TEST_EXPECT_MSG_EQ(GetStamp(network, 1, 0), "100G 1179 8 0", "s0, packet 1");
    NS_TEST_EXPECT_MSG_EQ(GetStamp(network, 2, 0), "100G 1269 17 0", "s0, packet 2");
    // Before packet 7, s0 has sent 7868 B, or 61.47 units of 128 B; without the overhead, 7700 B
    // would be 60.16 units.
    NS_TEST_EXPECT_MSG_EQ(GetStamp(network, 7, 0), "100G 1719 61 0", "s0, packet 7");
    // s1 sends the first packet at once and the next ones at 2178 + 359 = 2537 and 2537 + 360 =
    // 2897 ns, including the remainder.
    NS_TEST_EXPECT_MSG_EQ(GetStamp(network, 0, 1), "25G 2178 0 0", "s1, packet 0");
    // Packets 2 and 3 wait behind packet 1. Their 2200 B are 27.5 units of 80 B.
    NS_TEST_EXPECT_MSG_EQ(GetStamp(network, 1, 1), "25G 2537 8 27", "s1, packet 1");
    // All five other packets wait behind packet 2. Their 5500 B are 68.75 units of 80 B.
    NS_TEST_EXPECT_MSG_EQ(GetStamp(network, 2, 1), "25G 2897 17 68", "s1, packet 2");
    const TelemetryHeader header = TelemetryHeader::Peek(*network.m_data[0], BEHIND_BTH);
    NS_TEST_EXPECT_MSG_EQ(header.GetHops(), 2, "two switches");
    const uint32_t path =
        network.m_fabric->GetSwitch(0)->GetId() ^ network.m_fabric->GetSwitch(1)->GetId();
    NS_TEST_EXPECT_MSG_EQ(header.GetPath(), path, "these two");
    // Checks that packets can be read, that they have the length that they declare, and that
    // answers repeat the telemetry of data packets.
    for (uint32_t i = 0; i < network.m_data.size(); ++i)
    {
        const auto data = RoceHeader::Peek(*network.m_data[i]);
        const auto answer = RoceHeader::Peek(*network.m_answers[i]);
        NS_TEST_ASSERT_MSG_EQ(data.has_value() && answer.has_value(), true, "RoCE");
        NS_TEST_EXPECT_MSG_EQ(network.m_data[i]->GetSize(), DATA_BYTES, "54 + 42 + 1004");
        NS_TEST_EXPECT_MSG_EQ(network.m_answers[i]->GetSize(), ANSWER_BYTES, "58 + 42 + 4");
        NS_TEST_EXPECT_MSG_EQ(data->HasTelemetry() && answer->HasTelemetry(), true, "flag");
        NS_TEST_EXPECT_MSG_EQ(data->GetPayloadSize(), 1000, "payload");
        NS_TEST_EXPECT_MSG_EQ(answer->GetPayloadSize(), 0, "payload");
        NS_TEST_EXPECT_MSG_EQ(data->GetPsn(), i, "PSN");
        const std::string carried = ToHex(TelemetryHeader::Peek(*network.m_data[i], BEHIND_BTH));
        NS_TEST_EXPECT_MSG_EQ(ToHex(TelemetryHeader::Peek(*network.m_answers[i], BEHIND_AETH)),
                              carried,
                              "the switches on the way back write nothing");
        NS_TEST_EXPECT_MSG_EQ(TelemetryProbe::s_echoes[i], carried, "what the sender is told");
    }
    // At 25 Gb/s, 1100 B and 24 B of overhead take 359.68 ns.
    NS_TEST_EXPECT_MSG_EQ(network.m_dataTimes[1] - network.m_dataTimes[0], 360, "bytes cost");
}

LOSSLESS_TEST(g_suite, "Whoever keeps a copy of a packet keeps what was in it then")
{
    TwoSwitches network(PROBE);
    Ptr<Packet> kept;
    ListenTo(*network.m_fabric->GetHostDevice(0), "PhyTxBegin", [&kept](Ptr<const Packet> packet) {
        kept = packet->Copy();
    });
    network.Run(1);
    NS_TEST_EXPECT_MSG_EQ(TelemetryHeader::Peek(*kept, BEHIND_BTH).GetHops(), 0, "as sent");
    NS_TEST_EXPECT_MSG_EQ(TelemetryHeader::Peek(*network.m_data[0], BEHIND_BTH).GetHops(),
                          2,
                          "as received");
}

LOSSLESS_TEST(g_suite, "Switches write into packets that ask for it: without switches")
{
    TwoSwitches network(PROBE, false);
    network.Run(2);
    NS_TEST_EXPECT_MSG_EQ(network.m_data[0]->GetSize(), DATA_BYTES, "the room is there");
    NS_TEST_EXPECT_MSG_EQ(TelemetryHeader::Peek(*network.m_data[0], BEHIND_BTH).GetHops(),
                          0,
                          "nobody used it");
}

LOSSLESS_TEST(g_suite, "Switches write into packets that ask for it: without asking")
{
    TwoSwitches network("ns3::lossless::Dctcp");
    network.Run(2);
    NS_TEST_EXPECT_MSG_EQ(network.m_data[0]->GetSize(), DATA_BYTES - 42, "no header");
    NS_TEST_EXPECT_MSG_EQ(network.m_answers[0]->GetSize(), ANSWER_BYTES - 42, "no echo");
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::Peek(*network.m_data[0])->HasTelemetry(), false, "flag");
}

LOSSLESS_TEST(g_suite, "A cut cable takes the waiting frames away, and they count no more")
{
    TwoSwitches network(PROBE);
    auto cable = DynamicCast<LosslessChannel>(network.m_fabric->GetHostDevice(1)->GetChannel());
    Simulator::Schedule(NanoSeconds(2600), &LosslessChannel::SetUp, cable, false);
    Simulator::Schedule(MicroSeconds(20), &LosslessChannel::SetUp, cable, true);
    network.Run(8);
    // After a timeout, the packets are retransmitted. The first one leaves an empty queue behind.
    NS_TEST_ASSERT_MSG_GT(network.m_dataTimes[0], 1000000, "none came through before");
    const TelemetryHop hop = TelemetryHeader::Peek(*network.m_data[0], BEHIND_BTH).GetHop(1);
    NS_TEST_EXPECT_MSG_EQ(hop.queue, 0, "nothing waits");
}

LOSSLESS_TEST(g_suite, "A rate without a code is refused once a packet asks for telemetry")
{
    ExpectStop("has a rate of 3000000000bps, which telemetry cannot express; it can 0.1, 1,", [] {
        TwoSwitches network(PROBE, true, "3Gbps");
        network.Run(1);
    });
    NS_TEST_EXPECT_MSG_EQ(GetAbortMessage([] {
                              TwoSwitches network("ns3::lossless::Dctcp", true, "3Gbps");
                              network.Run(1);
                          }),
                          "",
                          "nobody asks");
}

void
ExpectAnswer(const Frame& frame,
             const std::string& telemetry,
             uint32_t bytes,
             const std::string& what)
{
    const auto header = RoceHeader::Peek(*frame.packet);
    NS_TEST_ASSERT_MSG_EQ(header.has_value(), true, what);
    NS_TEST_EXPECT_MSG_EQ(frame.size, bytes, what);
    NS_TEST_EXPECT_MSG_EQ(+frame.telemetryAt, 0, "switches leave it alone: " << what);
    NS_TEST_ASSERT_MSG_EQ(header->HasTelemetry(), !telemetry.empty(), what);
    if (!telemetry.empty())
    {
        NS_TEST_EXPECT_MSG_EQ(ToHex(TelemetryHeader::Peek(*frame.packet, BEHIND_AETH)),
                              telemetry,
                              what);
    }
}

LOSSLESS_TEST(g_suite, "Acknowledgements repeat telemetry, notifications do not")
{
    ReceiveQueuePair queuePair;
    queuePair.Open(FlowRecord(), RocePath(), 0, true);
    ExpectAnswer(queuePair.MakeAck(), "", 62, "nothing to repeat");
    TelemetryHeader telemetry;
    telemetry.Push(1, {CODE_100G, 1, 2, 3});
    queuePair.TakeTelemetry(telemetry);
    ExpectAnswer(queuePair.MakeAck(), ToHex(telemetry), ANSWER_BYTES, "ACK");
    ExpectAnswer(queuePair.MakeCnp(), "", 74, "CNP");
    telemetry.Push(2, {CODE_100G, 4, 5, 6});
    queuePair.TakeTelemetry(telemetry);
    RoceHeader marked;
    marked.SetTos(3);
    queuePair.Accept(marked);
    const Frame nak = queuePair.MakeNak();
    ExpectAnswer(nak, ToHex(telemetry), ANSWER_BYTES, "NAK");
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::Peek(*nak.packet)->GetBecn(), true, "with a mark");
}

LOSSLESS_TEST(g_suite, "Sizes with telemetry")
{
    NS_TEST_EXPECT_MSG_EQ(RoceNic::GetFrameBytes(1000, 42), DATA_BYTES, "frame");
    NS_TEST_EXPECT_MSG_EQ(RoceNic::DescribeMisfit(1412, 1500, 42), "", "1412 + 44 + 42 < 1500");
    NS_TEST_EXPECT_MSG_EQ(RoceNic::DescribeMisfit(1413, 1500, 42),
                          "RoceNic: PayloadBytes is 1413, which makes IPv4 packets of 1502 "
                          "bytes, but the Mtu of the device is 1500 bytes.",
                          "1416 + 86");
    ExpectStop("Mtu", [] {
        Config::SetDefault("ns3::lossless::RoceNic::PayloadBytes", UintegerValue(1413));
        TwoSwitches(PROBE).Run(1);
    });
    // On an idle network, a flow takes the time computed by the fabric: three delays of 1 us, one
    // packet on each fast link, and all three packets on the slow link.
    TwoSwitches network(PROBE);
    network.Run(3);
    const double ideal =
        network.m_fabric->GetIdealFct(network.m_fabric->GetFlows().front()).GetSeconds() * 1e9;
    NS_TEST_EXPECT_MSG_EQ_TOL(ideal, 3000 + 2 * 89.92 + 3 * 359.68, 1, "ideal completion time");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(network.m_dataTimes[2]), ideal, 3, "real");
}

/// Passes telemetry chosen by the test to a congestion control.
class Feeder
{
  public:
    explicit Feeder(const std::string& control)
        : m_control(ParseFactory(control).Create<CongestionControl>()),
          m_hops(1, {CODE_100G, 0, 0, 0})
    {
        m_control->Start(DataRate("100Gbps"), 1000);
    }

    /// The changes at a link between two acknowledgements of a flow.
    struct Step
    {
        uint32_t ns;         ///< elapsed time
        uint32_t sentUnits;  ///< number of bytes sent, in units of 128 B
        uint32_t queueUnits; ///< queue length at the end of the step, in units of 80 B
    };

    /// Passes one acknowledgement to the congestion control.
    /// @param isNewRound true if the acknowledged packet was sent after the end of the previous
    /// round
    void Ack(const std::vector<Step>& steps, bool isNewRound = false)
    {
        m_hops.resize(steps.size(), {CODE_100G, 0, 0, 0});
        TelemetryHeader header;
        for (std::size_t i = 0; i < steps.size(); ++i)
        {
            m_hops[i].time = (m_hops[i].time + steps[i].ns) & 0xffffff;
            m_hops[i].sent = (m_hops[i].sent + steps[i].sentUnits) & 0xfffff;
            m_hops[i].queue = steps[i].queueUnits;
            header.Push(1, m_hops[i]);
        }
        m_now += NanoSeconds(steps.front().ns);
        AckSignals signals;
        m_acknowledged = isNewRound ? m_sent + 1 : m_acknowledged + 1;
        m_sent = isNewRound || m_sent == 0 ? m_acknowledged + 1000 : m_sent;
        signals.acknowledged = m_acknowledged;
        signals.sent = m_sent;
        signals.telemetry = &header;
        signals.roundTrip = m_roundTrip;
        m_control->NotifyAck(signals, m_now);
    }

    double GetRate()
    {
        return static_cast<double>(m_control->GetRate(m_now).GetBitRate());
    }

    uint64_t GetWindow() const
    {
        return m_control->GetWindow();
    }

    std::optional<Time> m_roundTrip; ///< round trip reported by the next acknowledgements

  private:
    Ptr<CongestionControl> m_control; ///< the congestion control under test
    std::vector<TelemetryHop> m_hops; ///< latest telemetry
    Time m_now;                       ///< current time
    uint64_t m_acknowledged{0};       ///< number of acknowledged bytes
    uint64_t m_sent{0};               ///< number of sent bytes
};

void
ExpectRate(Feeder& feeder, double rate, const std::string& why)
{
    NS_TEST_EXPECT_MSG_EQ_TOL(feeder.GetRate(), rate, 100, why);
}

LOSSLESS_TEST(g_suite, "The link with the largest share counts, with its own interval")
{
    Feeder hpcc("ns3::lossless::Hpcc[BaseRtt=10us|AdditiveStep=1Gbps]");
    hpcc.Ack({{0, 0, 250}, {0, 0, 250}});
    // u is 0.16 + 0.8192 at the first link and, over half a round trip, 0.16 + 1.024 at the second
    // one, so U = 0.5 + 0.5 x 1.184.
    hpcc.Ack({{10000, 800, 250}, {5000, 500, 250}});
    ExpectRate(hpcc, LINE * 0.95 / 1.092 + 1e9, "the second link");
    hpcc.Ack({{10000, 900, 0}, {10000, 900, 0}, {10000, 900, 0}});
    ExpectRate(hpcc, LINE * 0.95 / 1.092 + 1e9, "another path: only kept");
    hpcc.Ack({{10000, 1000, 0}, {10000, 900, 0}, {10000, 900, 0}});
    ExpectRate(hpcc, LINE * 0.95 / 1.024 + 1e9, "the first link");
}

/// Follows HPCC's rule step by step. The bandwidth-delay product is 100 Gb/s x 10 us = 1 Mbit, or
/// 1562.5 units of 80 B, so 250 units are 0.16 of this product. In 10 us, 900 units of 128 B amount
/// to 92.16 Gb/s.
LOSSLESS_TEST(g_suite, "HPCC follows its rule")
{
    Feeder hpcc("ns3::lossless::Hpcc[BaseRtt=10us|MaxStage=2|AdditiveStep=1Gbps]");
    ExpectRate(hpcc, LINE, "starts at the line rate");
    NS_TEST_EXPECT_MSG_EQ(hpcc.GetWindow(), 125000, "100 Gb/s x 10 us");
    hpcc.Ack({{0, 0, 0}});
    ExpectRate(hpcc, LINE, "the first is only kept");
    // After half a round trip at 400 x 128 B / 5 us = 81.92 Gb/s, U = 0.5 + 0.5 x 0.8192 = 0.9096.
    hpcc.Ack({{5000, 400, 250}});
    ExpectRate(hpcc, LINE, "an additive step, but the line is full");
    // After a whole round trip, u = 0.9216 + 0.16, where 0.16 is from the smaller of the two queue
    // lengths.
    hpcc.Ack({{10000, 900, 500}});
    const double once = LINE * 0.95 / 1.0816 + 1e9;
    ExpectRate(hpcc, once, "scaled by 0.95 / 1.0816");
    NS_TEST_EXPECT_MSG_EQ(hpcc.GetWindow(),
                          static_cast<uint64_t>(std::llround(once * 10e-6 / 8)),
                          "its window");
    hpcc.Ack({{10000, 900, 250}}, true);
    ExpectRate(hpcc, once, "the reference is that of the round trip before");
    hpcc.Ack({{10000, 900, 250}});
    const double twice = once * 0.95 / 1.0816 + 1e9;
    ExpectRate(hpcc, twice, "from the new reference");
    // With an empty queue, u = 0.9216 is below 0.95.
    hpcc.Ack({{10000, 900, 0}}, true);
    ExpectRate(hpcc, once + 1e9, "first stage");
    hpcc.Ack({{10000, 900, 0}});
    ExpectRate(hpcc, once + 2e9, "by acknowledgement, from the reference");
    hpcc.Ack({{10000, 900, 0}});
    ExpectRate(hpcc, once + 2e9, "not further in this round trip");
    hpcc.Ack({{10000, 900, 0}}, true);
    ExpectRate(hpcc, once + 2e9, "second stage");
    hpcc.Ack({{10000, 900, 0}}, true);
    const double scaled = (once + 2e9) * 0.95 / 0.9216 + 1e9;
    ExpectRate(hpcc, scaled, "after MaxStage stages, in one go");
    hpcc.Ack({{10000, 900, 0}}, true);
    ExpectRate(hpcc, scaled + 1e9, "stages count anew");
}

LOSSLESS_TEST(g_suite, "PowerTCP follows its rule: target")
{
    Feeder power("ns3::lossless::PowerTcp[BaseRtt=10us|AdditiveStep=1Gbps]");
    power.Ack({{0, 0, 250}, {0, 0, 0}});
    // The power is 0.9216 x 1.16 at the first link and, over half a round trip, 1.024 x 1 at the
    // second one, so the first link is used.
    power.Ack({{10000, 900, 250}, {5000, 500, 0}});
    ExpectRate(power,
               0.9 * (LINE * 0.95 / (0.9216 * 1.16) + 1e9) + 0.1 * LINE,
               "by default, 0.95 of that is aimed at");
    Feeder standard("ns3::lossless::PowerTcp[BaseRtt=10us|Target=1]");
    standard.Ack({{0, 0, 250}});
    standard.Ack({{10000, 900, 250}});
    ExpectRate(standard,
               0.9 * (LINE / (0.9216 * 1.16) + 6e8) + 0.1 * LINE,
               "by default, a step of 150 Mb/s for each 25 Gb/s");
}

LOSSLESS_TEST(g_suite, "The base round-trip time is the smallest one that was measured")
{
    Feeder power("ns3::lossless::PowerTcp[Target=1|AdditiveStep=1Gbps]");
    NS_TEST_EXPECT_MSG_EQ(power.GetWindow(), 0, "not known: any window");
    power.Ack({{0, 0, 0}});
    NS_TEST_EXPECT_MSG_EQ(power.GetWindow(), 0, "not known yet");
    power.m_roundTrip = MicroSeconds(20);
    power.Ack({{10000, 900, 0}});
    NS_TEST_EXPECT_MSG_EQ(power.GetWindow(), 250000, "the telemetry before was not kept");
    power.m_roundTrip = MicroSeconds(10);
    power.Ack({{10000, 900, 250}});
    ExpectRate(power, 0.9 * (LINE / (1.0816 * 1.16) + 1e9) + 0.1 * LINE, "10 us");
    power.m_roundTrip = MicroSeconds(30);
    power.Ack({{10000, 900, 250}});
    NS_TEST_EXPECT_MSG_EQ(power.GetWindow(),
                          static_cast<uint64_t>(std::llround(power.GetRate() * 10e-6 / 8)),
                          "a longer one changes nothing");
}

/// Follows PowerTCP's rule step by step, with the numbers of the HPCC test above.
LOSSLESS_TEST(g_suite, "PowerTCP follows its rule")
{
    Feeder power("ns3::lossless::PowerTcp[BaseRtt=10us|Target=1|AdditiveStep=1Gbps]");
    power.m_roundTrip = MicroSeconds(10);
    power.Ack({{0, 0, 0}});
    ExpectRate(power, LINE, "the first is only kept");
    // The queue grows by 0.16 Mbit in 10 us, or 16 Gb/s, so the current is 108.16 Gb/s and the
    // voltage is 1.16 Mbit.
    power.Ack({{10000, 900, 250}});
    const double first = 0.9 * (LINE / (1.0816 * 1.16) + 1e9) + 0.1 * LINE;
    ExpectRate(power, first, "power 1.254656");
    // Over the next half round trip, the power is 0.9216 x 1.16. The acknowledged packets left at
    // 5 us.
    power.Ack({{5000, 450, 250}});
    const double p = 0.5 * 1.0816 * 1.16 + 0.5 * 0.9216 * 1.16;
    const double second = 0.9 * (LINE / p + 1e9) + 0.1 * first;
    ExpectRate(power, second, "the window of then was that of the start");
    // The queue falls by 16 Gb/s x 5 us, which is 125 units of 80 B, so the power is 0.5 x p + 0.5
    // x (0.9216 - 0.16) x 1.08.
    power.Ack({{5000, 450, 125}});
    const double third = 0.9 * (first / (0.5 * p + 0.5 * 0.7616 * 1.08) + 1e9) + 0.1 * second;
    ExpectRate(power, third, "the window of one round trip ago");
    // The queue grows to 2000 units and then falls to zero within 10 us, at 128 Gb/s. This is more
    // than the 92.16 Gb/s that were sent, so the power would be negative and is clamped to zero.
    power.Ack({{10000, 900, 2000}});
    power.Ack({{10000, 900, 0}});
    ExpectRate(power, LINE, "without power, the line rate");
}

/// The old window in PowerTCP's rule is set to the current window once per round trip. All
/// acknowledgements in between use the same old window, so the same power has the same effect.
LOSSLESS_TEST(g_suite, "PowerTCP with a window remembered once per round trip")
{
    Feeder power(
        "ns3::lossless::PowerTcp[BaseRtt=10us|Target=1|AdditiveStep=1Gbps|OldOncePerRound=true]");
    power.m_roundTrip = MicroSeconds(10);
    power.Ack({{0, 0, 0}});
    const double p = 0.9216 * 1.16;
    const auto next = [p](double old) { return 0.9 * (old / p + 1e9) + 0.1 * old; };
    power.Ack({{10000, 900, 250}});
    power.Ack({{10000, 900, 250}});
    ExpectRate(power, next(LINE), "from the window of the start");
    power.Ack({{10000, 900, 250}});
    ExpectRate(power, next(LINE), "again, though a round trip after the first");
    power.Ack({{10000, 900, 250}}, true);
    ExpectRate(power, next(LINE), "it ends a round trip");
    power.Ack({{10000, 900, 250}});
    ExpectRate(power, next(next(LINE)), "from the window of that end");
}

FlowSpec
MakeFlow(uint32_t source, uint32_t destination)
{
    return {source, source, destination, 1, 1000000000000, Time(0), ""};
}

/// A flow over two bottlenecks is limited by the worse one. One other flow shares the first link
/// with it, and three others share the second link with it. The flow receives at most a quarter of
/// a link, not the half that the first link would allow, and both links are nevertheless fully
/// used. The flow may receive less because its control uses the maximum of two measurements, so the
/// larger of two errors counts if both links are nearly full.
void
CheckTwoBottlenecks(const std::string& control)
{
    // Hosts 0 and 1 are at s0, 2 to 5 at s1, and 6 to 9 at s2.
    LineOptions options;
    options.hostsPerSwitch = {2, 4, 4};
    options.delay = MicroSeconds(1);
    Fabric fabric(Topology::Line(options),
                  SwitchHelper(),
                  MakeNics({{"CongestionControl", control}}));
    fabric.StartFlows(
        {MakeFlow(0, 6), MakeFlow(1, 2), MakeFlow(3, 7), MakeFlow(4, 8), MakeFlow(5, 9)});
    std::array<double, 6> before{};
    const auto count = [&fabric, &before](double sign) {
        for (uint32_t host = 0; host < before.size(); ++host)
        {
            before[host] += sign * static_cast<double>(fabric.GetNic(host)->GetCounts().dataSent);
        }
    };
    Simulator::Schedule(MilliSeconds(1), [&count] { count(-1); });
    RunFor(MicroSeconds(1500));
    count(1);
    // A link of 100 Gb/s sends this number of packets of 1124 B in 0.5 ms.
    const double capacity = 100e9 * 0.5e-3 / (8 * 1124);
    NS_TEST_EXPECT_MSG_LT(before[0] / capacity, 0.26, "a quarter");
    NS_TEST_EXPECT_MSG_GT(before[0] / capacity, 0.05, "it is not starved");
    NS_TEST_EXPECT_MSG_GT((before[0] + before[1]) / capacity, 0.85, "first link");
    NS_TEST_EXPECT_MSG_GT((before[0] + before[3] + before[4] + before[5]) / capacity,
                          0.9,
                          "second link");
}

LOSSLESS_TESTS(g_suite)
{
    for (const std::string control : {"ns3::lossless::Hpcc", "ns3::lossless::PowerTcp"})
    {
        g_suite.Add("A flow over two bottlenecks with " + control,
                    [control] { CheckTwoBottlenecks(control); });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
