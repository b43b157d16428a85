// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/ipv4-l3-protocol.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/queue-disc.h"
#include "ns3/tcp-flows.h"
#include "ns3/traffic-control-layer.h"

// Tests ns-3's TCP on the same switches, devices and hosts as RoCE.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-tcp-beside-roce", SYSTEM);

constexpr uint8_t TCP_CLASS = 1;
constexpr uint8_t ROCE_CLASS = 3;

/// The frame size of a segment with 1448 B of payload, including Ethernet (14), IPv4 (20), TCP (20)
/// and timestamps (12).
constexpr uint32_t SEGMENT_FRAME = 1448 + 66;
/// The frame size of a RoCE packet with 1000 B of payload.
constexpr uint32_t ROCE_FRAME = 1058;
/// The time at which the address resolution is complete. ns-3 delays a request and a reply by up to
/// 10 ms each.
const Time WARM_UP = MilliSeconds(30);

/// Hosts h0 and h1 at one switch and h2 and h3 at another, with ns-3's stack, TCP flows and
/// counters.
class Network
{
  public:
    /// @param fabricRate the rate between the switches; the rate of the other links is 10 Gb/s
    Network(const SwitchHelper& switches, const std::string& fabricRate, Time delay)
        : m_fabric(Topology::Line({{2, 2}, DataRate("10Gbps"), DataRate(fabricRate), delay}),
                   switches),
          m_tcp(CreateObject<TcpFlows>())
    {
        m_fabric.InstallInternetStack();
        m_tcp->SetAttribute("SegmentBytes", UintegerValue(1448));
        for (uint32_t host = 0; host < m_fabric.GetNHosts(); ++host)
        {
            Watch(host);
        }
    }

    /// Starts TCP flows, alternately from h0 to h2 and from h1 to h3.
    void StartTcp(uint32_t count, uint64_t bytes)
    {
        FlowList flows(count);
        for (uint32_t i = 0; i < count; ++i)
        {
            flows[i] = {i, i % 2, 2 + i % 2, TCP_CLASS, bytes, Time(0), "tcp"};
        }
        m_fabric.StartTcpFlows(m_tcp, flows);
    }

    /// Starts a RoCE flow from h0 to h2 and another one from h1 to h3.
    void StartRoce(Time start, uint64_t bytes)
    {
        m_fabric.StartFlows({{100, 0, 2, ROCE_CLASS, bytes, start, "roce"},
                             {101, 1, 3, ROCE_CLASS, bytes, start, "roce"}});
    }

    uint64_t GetRoceBytes() const
    {
        return m_fabric.GetNic(2)->GetCounts().bytesReceived +
               m_fabric.GetNic(3)->GetCounts().bytesReceived;
    }

    uint64_t GetRoceRetransmissions() const
    {
        return m_fabric.GetNic(0)->GetCounts().retransmitted +
               m_fabric.GetNic(1)->GetCounts().retransmitted;
    }

    uint64_t GetSwitchDrops() const
    {
        uint64_t drops = 0;
        for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
        {
            const auto& dropped = m_fabric.GetSwitch(i)->GetCounts().dropped;
            drops = std::accumulate(dropped.begin(), dropped.end(), drops);
        }
        return drops;
    }

    /// @return the number of packets lost between the stacks and the wires of all hosts
    uint64_t GetHostDrops() const
    {
        uint64_t drops = m_refused;
        for (uint32_t host = 0; host < m_fabric.GetNHosts(); ++host)
        {
            drops += GetDiscipline(host)->GetStats().nTotalDroppedPackets;
        }
        return drops;
    }

    Ptr<QueueDisc> GetDiscipline(uint32_t host) const
    {
        return m_fabric.GetHost(host)->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(
            m_fabric.GetHostDevice(host));
    }

    uint64_t GetMarks() const
    {
        return m_fabric.GetSwitch(0)->GetCounts().marked +
               m_fabric.GetSwitch(1)->GetCounts().marked;
    }

  private:
    void Watch(uint32_t host)
    {
        Ptr<LosslessNetDevice> device = m_fabric.GetHostDevice(host);
        ListenTo(*device, "MacTxDrop", [this](Ptr<const Packet>) { ++m_refused; });
        auto control = m_fabric.GetHost(host)->GetObject<TrafficControlLayer>();
        ListenTo(*control, "TcDrop", [this](Ptr<const Packet>) { ++m_refused; });
        ListenTo(*device, "PhyTxBegin", [this, host](Ptr<const Packet> packet) {
            const Frame frame = ParseFrame(packet->Copy());
            const bool isTcp = frame.flow.protocol == PROTOCOL_TCP;
            m_wireSent[host] += isTcp && frame.priority == Priority{TCP_CLASS} ? 1 : 0;
        });
        auto ip = m_fabric.GetHost(host)->GetObject<Ipv4L3Protocol>();
        for (const auto& [trace, counter] : {std::pair("Tx", &m_ipSent), {"Rx", &m_ipReceived}})
        {
            ListenTo(
                *ip,
                trace,
                [&count = (*counter)[host]](Ptr<const Packet>, Ptr<Ipv4>, uint32_t) { ++count; });
        }
        ListenTo(*device->GetGate(), "Closed", [this, host](PrioritySet) { ++m_pauses[host]; });
    }

  public:
    Fabric m_fabric;                        ///< the network
    Ptr<TcpFlows> m_tcp;                    ///< TCP flows
    std::array<uint64_t, 4> m_ipSent{};     ///< number of packets sent by IP, per host
    std::array<uint64_t, 4> m_ipReceived{}; ///< number of packets received by IP, per host
    std::array<uint64_t, 4> m_wireSent{};   ///< number of segments sent on the wire, per host
    std::array<uint32_t, 4> m_pauses{};     ///< pauses per host
    uint64_t m_refused{0};                  ///< packets refused by devices and traffic control
};

/// Two hosts with links of 10 Gb/s share a link of 1 Gb/s, and TCP fills its send buffers. Of each
/// flow, 4 MB are queued, most of them in the host, for 2 * 4 MB / 1 Gb/s = 64 ms. ns-3's default
/// queue discipline would not allow this (CoDel drops packets when the delay exceeds 5 ms for
/// 100 ms).
LOSSLESS_TEST(g_suite, "TCP in a lossless class loses nothing between stack, wire and stack")
{
    constexpr uint64_t BYTES = 15000000;
    Network network(MakeTightSwitch(), "1Gbps", MicroSeconds(1));
    network.m_tcp->SetAttribute("BufferBytes", UintegerValue(4000000));
    network.m_tcp->SetAttribute("Ecn", BooleanValue(false)); // makes CoDel drop rather than mark
    network.StartTcp(2, BYTES);
    // On the slow link, 2 * 10360 segments of 1538 byte times take 254.9 ms. Their ACKs use the
    // opposite direction.
    RunFor(WARM_UP + MilliSeconds(260));

    NS_TEST_EXPECT_MSG_EQ(network.m_tcp->GetReceivedBytes(), 2 * BYTES, "all has arrived");
    NS_TEST_EXPECT_MSG_EQ(network.GetHostDrops(), 0, "no loss between stack and wire");
    NS_TEST_EXPECT_MSG_EQ(network.GetSwitchDrops(), 0, "no loss in a switch");
    for (uint32_t host = 0; host < 4; ++host)
    {
        NS_TEST_EXPECT_MSG_EQ(network.m_wireSent[host],
                              network.m_ipSent[host],
                              "every packet of host " << host
                                                      << " was on the wire once, in its class");
        const uint32_t peer = (host + 2) % 4;
        NS_TEST_EXPECT_MSG_EQ(network.m_ipReceived[peer],
                              network.m_ipSent[host],
                              "and reached the stack of host " << peer);
    }
    for (uint32_t host = 0; host < 2; ++host)
    {
        NS_TEST_EXPECT_MSG_GT(network.m_pauses[host], 100, "host " << host << " was paused");
        // In addition to the segments, the SYN, the ACK of the SYN and the FIN are sent. Nothing is
        // retransmitted.
        NS_TEST_EXPECT_MSG_LT(network.m_ipSent[host], 10360 + 10, "no segment sent again");
    }
}

/// Class 1 is lossy and class 3 is lossless, and both are always backlogged at a port of 10 Gb/s.
/// DWRR gives both classes the same number of frame bytes. A byte of a TCP frame takes 1538 / 1514
/// byte times, and a byte of a RoCE frame takes 1082 / 1058, so both classes get 10 Gb/s / (1.01585
/// + 1.02268) = 4.9055 Gb/s of frames. This is 4.9055 * 1448 / 1514 = 4.6917 Gb/s of TCP payload
/// and 4.9055 * 1000 / 1058 = 4.6366 Gb/s of RoCE payload.
LOSSLESS_TEST(g_suite, "TCP in a lossy class and RoCE in a lossless one get their shares of a link")
{
    SwitchHelper switches("ns3::lossless::PfcSwitchNode");
    switches.SetAttribute("LosslessClasses", UintegerValue(1U << ROCE_CLASS));
    switches.SetBufferAttribute("Size", UintegerValue(4000000));
    Network network(switches, "10Gbps", MicroSeconds(1));
    network.m_tcp->SetAttribute("Ecn", BooleanValue(false));
    network.StartTcp(8, 1000000000);
    network.StartRoce(WARM_UP, 1000000000);
    // Slow start and its losses are over after 20 ms, twice the minimum timeout.
    const Time begin = WARM_UP + MilliSeconds(20);
    const Time length = MilliSeconds(30);
    // Segments are counted on arrival, because TCP delivers none of them while one is missing.
    const auto getSegments = [&network]() {
        return network.m_ipReceived[2] + network.m_ipReceived[3];
    };
    uint64_t segments = 0;
    uint64_t roceBytes = 0;
    Simulator::Schedule(begin, [&]() {
        segments = getSegments();
        roceBytes = network.GetRoceBytes();
    });
    RunFor(begin + length);

    const double tcp = 8e-9 * 1448 * (getSegments() - segments);
    const double roce = 8e-9 * (network.GetRoceBytes() - roceBytes);
    const double perByte = 1.0 * (SEGMENT_FRAME + WIRE_OVERHEAD_BYTES) / SEGMENT_FRAME +
                           1.0 * (ROCE_FRAME + WIRE_OVERHEAD_BYTES) / ROCE_FRAME;
    const double share = 10 / perByte * length.GetSeconds();
    // Shares are accurate to one frame per class and round. ACKs of the opposite direction use the
    // strict class and take at most 1 % of either direction.
    NS_TEST_EXPECT_MSG_EQ_TOL(tcp, share * 1448 / SEGMENT_FRAME, 0.03 * share, "TCP");
    NS_TEST_EXPECT_MSG_EQ_TOL(roce, share * 1000 / ROCE_FRAME, 0.03 * share, "RoCE");
    NS_TEST_EXPECT_MSG_GT(network.GetSwitchDrops(), 0, "TCP loses frames");
    uint64_t losslessDrops = 0;
    for (uint32_t i = 0; i < 2; ++i)
    {
        losslessDrops += network.m_fabric.GetSwitch(i)->GetCounts().losslessDropped;
    }
    NS_TEST_EXPECT_MSG_EQ(losslessDrops, 0, "RoCE loses none");
    NS_TEST_EXPECT_MSG_EQ(network.GetRoceRetransmissions(), 0, "nor does it send any again");
    NS_TEST_EXPECT_MSG_EQ(network.GetHostDrops(), 0, "none is lost in a host");
    NS_TEST_EXPECT_MSG_GT(network.m_pauses[0], 0, "RoCE was paused");
}

struct QueueRange
{
    uint64_t least{0};  ///< minimum length, in bytes
    uint64_t most{0};   ///< maximum length, in bytes
    double average{0};  ///< mean length, in bytes
    double rate{0};     ///< throughput of payload, relative to the link rate
    uint64_t marked{0}; ///< number of marked frames
    uint64_t lost{0};   ///< number of lost frames
};

constexpr uint32_t K = 65; ///< marking threshold, in frames

QueueRange
SimulateMarking(const std::string& variant)
{
    SwitchHelper switches("ns3::lossless::InfiniteBufferSwitchNode");
    switches.SetMarker("ns3::lossless::StepMarker", "Threshold", UintegerValue(K * SEGMENT_FRAME));
    Network network(switches, "10Gbps", MicroSeconds(10));
    network.m_tcp->SetAttribute("Variant", StringValue(variant));
    network.StartTcp(2, 1000000000);
    Ptr<SharedBuffer> buffer = network.m_fabric.GetSwitch("s0")->GetSharedBuffer();
    const Time begin = WARM_UP + MilliSeconds(20);
    const Time end = begin + MilliSeconds(20);
    QueueRange range;
    range.least = UINT64_MAX;
    uint64_t samples = 0;
    uint64_t received = 0;
    const auto sample = [&]() {
        const uint64_t bytes = buffer->GetEgress({PortId{2}, Priority{TCP_CLASS}}).bytes;
        range.least = std::min(range.least, bytes);
        range.most = std::max(range.most, bytes);
        range.average += bytes;
        ++samples;
    };
    Simulator::Schedule(begin, [&]() { received = network.m_tcp->GetReceivedBytes(); });
    for (Time t = begin; t < end; t += MicroSeconds(2))
    {
        Simulator::Schedule(t, sample);
    }
    RunFor(end);
    range.average /= samples;
    range.rate =
        (network.m_tcp->GetReceivedBytes() - received) * 8 / (10e9 * (end - begin).GetSeconds());
    range.marked = network.GetMarks();
    range.lost = network.GetSwitchDrops() + network.GetHostDrops();
    Simulator::Destroy();
    return range;
}

/// Two flows share 10 Gb/s with 10 us per link. The round trip is thus 60 us plus 4 us for the
/// frames, which corresponds to 80 kB, or 53 frames. Frames are marked from K = 65 frames (98410 B)
/// on. According to DCTCP (Alizadeh et al. 2010, Sec. 3.3), N synchronized flows vary the queue by
/// A = sqrt(2 N (C RTT + K)) / 2 frames, up to K + N. With N = 2 and C RTT = 53, A is 10.9, so the
/// queue varies from 56 to 67 frames. Receivers acknowledge every segment, and each acknowledgement
/// releases one segment or, in congestion avoidance, two at once. The flows are not fully
/// synchronized. Therefore, another 2 N frames are allowed above and below, and another A below.
LOSSLESS_TEST(g_suite, "Marks: DCTCP keeps its threshold, Reno halves its window: DCTCP")
{
    const QueueRange queue = SimulateMarking("ns3::TcpDctcp");
    NS_TEST_EXPECT_MSG_LT(queue.most, (K + 3 * 2) * SEGMENT_FRAME, "most");
    NS_TEST_EXPECT_MSG_GT(queue.least, (K + 2 - 2 * 11 - 2 * 2) * SEGMENT_FRAME, "least");
    NS_TEST_EXPECT_MSG_EQ_TOL(queue.average / SEGMENT_FRAME, K + 2 - 11 / 2.0, 6, "average");
    NS_TEST_EXPECT_MSG_GT(queue.marked, 100, "marks");
    NS_TEST_EXPECT_MSG_EQ(queue.lost, 0, "no loss");
    NS_TEST_EXPECT_MSG_GT(queue.rate, 0.99 * 1448 / (SEGMENT_FRAME + WIRE_OVERHEAD_BYTES), "rate");
}

/// Reno halves its window of (C RTT + K) / 2 = 59 frames at a mark. If both flows do so, the queue
/// falls from 67 to 118 / 2 - 53 = 6 frames. If only one flow does so, the decrease is half as
/// large, and the queue falls to between 30 and 60 frames. The test requires 25 frames, more than
/// DCTCP's variation of 11.
LOSSLESS_TEST(g_suite, "Marks: DCTCP keeps its threshold, Reno halves its window: Linux Reno")
{
    const QueueRange queue = SimulateMarking("ns3::TcpLinuxReno");
    NS_TEST_EXPECT_MSG_LT(queue.most, (K + 3 * 2) * SEGMENT_FRAME, "most");
    NS_TEST_EXPECT_MSG_LT(queue.least, (K + 2 - 25) * SEGMENT_FRAME, "least");
    NS_TEST_EXPECT_MSG_GT(queue.marked, 10, "marks");
    NS_TEST_EXPECT_MSG_EQ(queue.lost, 0, "no loss");
    NS_TEST_EXPECT_MSG_GT(queue.rate, 0.95 * 1448 / (SEGMENT_FRAME + WIRE_OVERHEAD_BYTES), "rate");
}

constexpr uint64_t BYTES = 20000000; ///< number of bytes per flow

struct Result
{
    uint64_t tcp{0};            ///< TCP payload received during the pause
    uint64_t roce{0};           ///< RoCE payload received during the pause
    bool isStopped{false};      ///< true if TCP's transmission queue is stopped
    bool isOtherStopped{false}; ///< true if any other queue is stopped
    uint32_t waiting{0};        ///< number of packets in the queue discipline
    uint32_t dropped{0};        ///< number of packets dropped until the end
    bool isStoppedLater{false}; ///< true if TCP's transmission queue is stopped at the end
    uint64_t tcpLater{0};       ///< TCP payload received until the end
    uint64_t roceLater{0};      ///< RoCE payload received until the end
};

Result
SimulatePausedClass(uint8_t paused)
{
    Network network(SwitchHelper(), "10Gbps", MicroSeconds(1)); // the default switches have PFC
    Fabric& fabric = network.m_fabric;
    // The first flow makes ARP resolve the address.
    fabric.StartTcpFlows(
        network.m_tcp,
        {{0, 0, 2, TCP_CLASS, 1000, Time(0), "tcp"}, {1, 0, 2, TCP_CLASS, BYTES, WARM_UP, "tcp"}});
    fabric.StartFlows({{100, 0, 2, ROCE_CLASS, BYTES, WARM_UP, "roce"}});
    auto queues = fabric.GetHostDevice(0)->GetObject<NetDeviceQueueInterface>();
    Result result;
    // Both flows have started by this time, and their 40 MB take 33 ms.
    const Time pause = WARM_UP + MilliSeconds(1);
    SendPfcIn(pause, fabric.GetHostDevice(0)->GetPeer(), SetOf(Priority{paused}), 65535);
    Simulator::Schedule(pause + MicroSeconds(100), [&]() {
        result.tcp = network.m_tcp->GetReceivedBytes();
        result.roce = network.GetRoceBytes();
    });
    Simulator::Schedule(pause + MilliSeconds(3), [&]() {
        result.tcp = network.m_tcp->GetReceivedBytes() - result.tcp;
        result.roce = network.GetRoceBytes() - result.roce;
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            bool& stopped = p == TCP_CLASS ? result.isStopped : result.isOtherStopped;
            stopped = stopped || queues->GetTxQueue(p)->IsStopped();
        }
        result.waiting = network.GetDiscipline(0)->GetNPackets();
    });
    RunFor(WARM_UP + MilliSeconds(60));
    result.dropped = network.GetHostDrops();
    result.isStoppedLater = queues->GetTxQueue(TCP_CLASS)->IsStopped();
    result.tcpLater = network.m_tcp->GetReceivedBytes() - 1000;
    result.roceLater = network.GetRoceBytes();
    Simulator::Destroy();
    return result;
}

LOSSLESS_TEST(g_suite, "At a host a PAUSE stops TCP or RoCE, not the other; the stack waits above")
{
    // The pause lasts 65535 quanta, or 3.36 ms at 10 Gb/s. The test observes it from 0.1 ms, when
    // the frames in flight have arrived, to 3 ms. In these 2.9 ms, the wire carries 3.625 MB, all
    // of which is available to the other class.
    const uint64_t wire = 3625000;
    const Result tcpPaused = SimulatePausedClass(TCP_CLASS);
    NS_TEST_EXPECT_MSG_EQ(tcpPaused.tcp, 0, "TCP stands");
    NS_TEST_EXPECT_MSG_EQ_TOL(tcpPaused.roce,
                              wire * 1000 / (ROCE_FRAME + WIRE_OVERHEAD_BYTES),
                              5000,
                              "RoCE gets all of the wire");
    NS_TEST_EXPECT_MSG_EQ(tcpPaused.isStopped, true, "TCP's transmission queue is stopped");
    NS_TEST_EXPECT_MSG_EQ(tcpPaused.isOtherStopped, false, "no other one is");
    NS_TEST_EXPECT_MSG_GT(tcpPaused.waiting, 10, "segments wait in the queue discipline");

    const Result rocePaused = SimulatePausedClass(ROCE_CLASS);
    NS_TEST_EXPECT_MSG_EQ(rocePaused.roce, 0, "RoCE stands");
    // The ACKs from the flow's receiver use the opposite direction.
    NS_TEST_EXPECT_MSG_EQ_TOL(rocePaused.tcp,
                              wire * 1448 / (SEGMENT_FRAME + WIRE_OVERHEAD_BYTES),
                              5000,
                              "TCP gets all of the wire");
    NS_TEST_EXPECT_MSG_EQ(rocePaused.isOtherStopped, false, "no other queue is stopped");

    for (const Result& result : {tcpPaused, rocePaused})
    {
        NS_TEST_EXPECT_MSG_EQ(result.dropped, 0, "nothing is dropped above the device");
        NS_TEST_EXPECT_MSG_EQ(result.isStoppedLater, false, "the queue was woken");
        NS_TEST_EXPECT_MSG_EQ(result.tcpLater, BYTES, "TCP completes");
        NS_TEST_EXPECT_MSG_EQ(result.roceLater, BYTES, "RoCE completes");
    }
}

LOSSLESS_TEST(g_suite, "Two flows, of which the second one finds the address resolved")
{
    Network network(SwitchHelper{}, "10Gbps", MicroSeconds(10));
    FlowRecorder recorder;
    recorder.Watch(network.m_tcp);
    network.m_fabric.StartTcpFlows(
        network.m_tcp,
        {{7, 0, 2, TCP_CLASS, 1448, WARM_UP, "tcp"}, {8, 0, 2, TCP_CLASS, 1000, Time(0), "tcp"}});
    RunFor(WARM_UP + MilliSeconds(10));
    const auto& flows = recorder.GetFlows();
    NS_TEST_ASSERT_MSG_EQ(flows.size(), 2, "flows");
    const FlowRecord& record = flows.at(7);
    NS_TEST_EXPECT_MSG_EQ(record.start, WARM_UP, "start");
    NS_TEST_EXPECT_MSG_EQ(record.flow.bytes, 1448, "bytes");
    NS_TEST_EXPECT_MSG_EQ(record.source, network.m_fabric.GetAddress(0), "source");
    NS_TEST_EXPECT_MSG_EQ(record.flow.destination, network.m_fabric.GetAddress(2), "its target");
    // The SYN, its answer and the segment each cross 3 links of 10 us, which takes 90 us. The
    // segment takes 3 times 1538 byte times, or 3.69 us. The other two take at most 98 byte times
    // on each link, or 0.47 us in total.
    NS_TEST_EXPECT_MSG_EQ_TOL(record.GetCompletionTime(),
                              NanoSeconds(94160),
                              NanoSeconds(200),
                              "three ways");
    // The ACK takes 30 us plus three times 90 byte times (0.22 us).
    NS_TEST_EXPECT_MSG_EQ_TOL(record.acknowledged - record.received,
                              NanoSeconds(30220),
                              NanoSeconds(100),
                              "one way more");
    NS_TEST_EXPECT_MSG_EQ(network.m_tcp->GetReceivedBytes(), 2448, "bytes received");
}

LOSSLESS_TEST(g_suite,
              "TCP flows are recorded, and impossible ones refused: what stops the program")
{
    const FlowList flow{{0, 0, 1, TCP_CLASS, 1, Time(0), ""}};
    const auto expect = [](const std::string& sentence,
                           const std::function<void(Fabric&, TcpFlows&)>& use) {
        ExpectStop(sentence, [&use]() {
            Fabric fabric(Topology::Star({2}), SwitchHelper{});
            use(fabric, *CreateObject<TcpFlows>());
        });
    };
    expect("call Fabric::InstallInternetStack() first",
           [&](Fabric& fabric, TcpFlows& tcp) { fabric.StartTcpFlows(&tcp, flow); });
    expect("which is not a TcpCongestionOps", [&](Fabric& fabric, TcpFlows& tcp) {
        tcp.SetAttribute("Variant", StringValue("ns3::lossless::TcpFlows"));
        fabric.StartTcpFlows(&tcp, flow);
    });
    expect("flows were given already", [&](Fabric& fabric, TcpFlows& tcp) {
        fabric.InstallInternetStack();
        fabric.StartTcpFlows(&tcp, flow);
        fabric.StartTcpFlows(&tcp, flow);
    });
    expect("flow 0", [](Fabric& fabric, TcpFlows& tcp) {
        fabric.InstallInternetStack();
        fabric.StartTcpFlows(&tcp, {{0, 0, 0, TCP_CLASS, 1, Time(0), ""}});
    });
}

std::map<uint64_t, FlowRecord>
Run(Network& network, const FlowList& flows, Time stop)
{
    FlowRecorder recorder;
    recorder.Watch(network.m_tcp);
    network.m_fabric.StartTcpFlows(network.m_tcp, flows);
    RunFor(stop);
    return recorder.GetFlows();
}

const Time MIN_RTO = MilliSeconds(10);

/// ns-3 acknowledges the first segment at once and delays the ACK of the second until a third one
/// arrives.
LOSSLESS_TEST(g_suite, "Neither delayed ACKs nor addresses hold connections up: acknowledgement")
{
    Network network(SwitchHelper{}, "10Gbps", MicroSeconds(1));
    const auto flows =
        Run(network, {{0, 0, 2, TCP_CLASS, 2 * 1448, Time(0), "tcp"}}, WARM_UP + MIN_RTO);
    const FlowRecord& record = flows.at(0);
    // The one-way delay is 3 us plus 0.22 us for the frame.
    NS_TEST_EXPECT_MSG_GT(record.acknowledged, record.received, "acknowledged");
    NS_TEST_EXPECT_MSG_LT(record.acknowledged - record.received, MicroSeconds(4), "at once");
}

/// Forty hosts with links of 10 Gb/s send 1 MB each to one host, so windows shrink to one or two
/// segments. The 40 * 691 segments of 1538 byte times take 34.0 ms. Earlier flows have resolved the
/// addresses.
LOSSLESS_TEST(g_suite, "Neither delayed ACKs nor addresses hold connections up: incast")
{
    constexpr uint32_t SENDERS = 40;
    constexpr uint64_t BYTES = 1000000;
    SwitchHelper switches("ns3::lossless::InfiniteBufferSwitchNode");
    switches.SetMarker("ns3::lossless::StepMarker", "Threshold", UintegerValue(65 * SEGMENT_FRAME));
    Fabric fabric(Topology::Star({SENDERS + 1, DataRate("10Gbps")}), switches);
    fabric.InstallInternetStack();
    FlowList flows;
    for (uint32_t i = 0; i < SENDERS; ++i)
    {
        flows.push_back({i, i + 1, 0, TCP_CLASS, 1, Time(0), "first"});
        flows.push_back({100 + i, i + 1, 0, TCP_CLASS, BYTES, WARM_UP, "tcp"});
    }
    auto tcp = CreateObject<TcpFlows>();
    tcp->SetAttribute("Variant", StringValue("ns3::TcpDctcp"));
    fabric.StartTcpFlows(tcp, flows);
    const double ideal = SENDERS * 691 * (SEGMENT_FRAME + WIRE_OVERHEAD_BYTES) * 8 / 10e9;
    RunFor(WARM_UP + Seconds(1.1 * ideal));
    NS_TEST_EXPECT_MSG_EQ(tcp->GetReceivedBytes(),
                          SENDERS * (BYTES + 1),
                          "all within 1.1 of the ideal time");
}

/// The 16 connections of each host require an address that has not been resolved.
LOSSLESS_TEST(g_suite, "Neither delayed ACKs nor addresses hold connections up: many flows")
{
    constexpr uint32_t FLOWS = 32;
    Network network(SwitchHelper{}, "10Gbps", MicroSeconds(1));
    network.StartTcp(FLOWS, 1448);
    RunFor(WARM_UP);
    NS_TEST_EXPECT_MSG_EQ(network.m_tcp->GetReceivedBytes(), FLOWS * 1448, "all finish");
    NS_TEST_EXPECT_MSG_EQ(network.GetHostDrops(), 0, "nothing is lost in a host");
    for (uint32_t host = 0; host < 4; ++host)
    {
        NS_TEST_EXPECT_MSG_EQ(network.m_wireSent[host],
                              network.m_ipSent[host],
                              "every packet of host " << host << " was on the wire");
        // For each of 16 connections, the sender sends SYN, ACK, a segment, FIN and the ACK of the
        // other FIN. The receiver sends SYN, the ACK of the segment, FIN and the ACK of the other
        // FIN.
        const uint32_t packets = host < 2 ? 5 : 4;
        NS_TEST_EXPECT_MSG_EQ(network.m_ipSent[host], 16 * packets, "both ends have closed");
    }
}

LOSSLESS_TEST(g_suite, "The receiver's device loses one of ten segments")
{
    Network network(SwitchHelper{}, "10Gbps", MicroSeconds(1));
    // An ARP request, SYN, ACK and two segments precede the lost segment.
    LoseFrames(*network.m_fabric.GetHostDevice(2), {5});
    const auto flows = Run(network,
                           {{0, 0, 2, TCP_CLASS, 10 * 1448, Time(0), "tcp"},
                            {1, 1, 3, TCP_CLASS, 10 * 1448, Time(0), "tcp"}},
                           WARM_UP + MIN_RTO);
    NS_TEST_EXPECT_MSG_GT(flows.at(0).received, Time(0), "all has arrived");
    NS_TEST_EXPECT_MSG_GT(flows.at(0).retransmitted, 0, "the lost one was sent again");
    // Each flow sends a SYN, an ACK, ten segments, a FIN and the ACK of the other FIN. All other
    // packets are retransmissions.
    NS_TEST_EXPECT_MSG_EQ(flows.at(0).retransmitted, network.m_ipSent[0] - 14, "sent again");
    NS_TEST_EXPECT_MSG_EQ(flows.at(1).retransmitted, 0, "nothing was lost");
}

LOSSLESS_TEST(g_suite, "Flows that are due later do not start after their end")
{
    Network network(SwitchHelper{}, "10Gbps", MicroSeconds(1));
    Simulator::Schedule(MilliSeconds(25), [&]() { network.m_tcp->Dispose(); });
    const auto flows = Run(
        network,
        {{0, 0, 2, TCP_CLASS, 1448, Time(0), "tcp"}, {1, 0, 2, TCP_CLASS, 1448, WARM_UP, "tcp"}},
        WARM_UP + MIN_RTO);
    NS_TEST_EXPECT_MSG_EQ(flows.size(), 1, "only the first one starts");
    NS_TEST_EXPECT_MSG_EQ(network.m_tcp->GetReceivedBytes(), 1448, "and arrives");
}

LOSSLESS_TEST(g_suite, "Ports 49152 to 65535 are for senders, and 10000 to 49151 for receivers")
{
    const auto abortWith = [](uint32_t senders, uint32_t count) {
        return GetAbortMessage([&]() {
            Fabric fabric(Topology::Star({senders + 1}), SwitchHelper{});
            fabric.InstallInternetStack();
            FlowList flows;
            for (uint32_t i = 0; i < count; ++i)
            {
                flows.push_back({i, 1 + i % senders, 0, TCP_CLASS, 1, Time(0), ""});
            }
            fabric.StartTcpFlows(CreateObject<TcpFlows>(), flows);
        });
    };
    NS_TEST_EXPECT_MSG_EQ(abortWith(1, 16384), "", "all ports for senders");
    ExpectPart(abortWith(1, 16385), "10.0.0.2 sends more than 16384 flows");
    NS_TEST_EXPECT_MSG_EQ(abortWith(3, 39152), "", "all ports for receivers");
    ExpectPart(abortWith(3, 39153), "10.0.0.1 receives more than 39152 flows");
    const std::string message = GetAbortMessage([]() {
        Fabric fabric(Topology::Star({2}), SwitchHelper{});
        fabric.InstallInternetStack();
        FlowList flows;
        for (uint32_t i = 0; i < 16384; ++i)
        {
            flows.push_back({i, 0, 1, TCP_CLASS, 1, Time(0), ""});
        }
        const auto first = CreateObject<TcpFlows>();
        fabric.StartTcpFlows(first, flows);
        fabric.StartTcpFlows(CreateObject<TcpFlows>(), {flows.front()});
    });
    // The limit applies to the flows of all TcpFlows objects together.
    ExpectPart(message, "10.0.0.1 sends more than 16384 flows");
}

} // namespace ns3::lossless::tests::THIS_FILE
