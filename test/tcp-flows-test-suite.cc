// SPDX-License-Identifier: GPL-2.0-only
#include "chosen-simulator.h"
#include "lossless-test.h"
#include "test-network.h"

#include "ns3/error-model.h"
#include "ns3/flow-recorder.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-frame.h"
#include "ns3/lossless-net-device.h"
#include "ns3/object-ptr-container.h"
#include "ns3/pointer.h"
#include "ns3/segment-recorder.h"
#include "ns3/switch-helper.h"
#include "ns3/tcp-flows.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/type-id.h"

// Tests the settings of TcpFlows: windows, timeouts and the tolerance of reordering.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-tcp-flows", UNIT);

/// The payload and frame size of a full segment without timestamps.
constexpr uint64_t SEGMENT = 1460;
constexpr uint64_t SEGMENT_FRAME = SEGMENT + 54;

/// @return two hosts at one switch, at 1 Gb/s
Topology
MakePair(Time delay)
{
    return Topology::Star({2, DataRate("1Gbps"), delay});
}

/// @param slow the delay of each link on the lower path
/// @return hosts at two switches with two paths between them; all links have a rate of 1 Gb/s, and
/// links that are not on the lower path have a delay of 1 us
Topology
MakeTwoWays(const std::string& slow)
{
    return MakeTopology("h0,s0,1Gbps,1us\n"
                        "h1,s1,1Gbps,1us\n"
                        "s0,upper,1Gbps,1us\n"
                        "s1,upper,1Gbps,1us\n"
                        "s0,lower,1Gbps," +
                        slow + "\ns1,lower,1Gbps," + slow + "\n");
}

/// A TCP flow from h0 to h1 without timestamps.
struct Transfer
{
    explicit Transfer(
        const Topology& topology,
        const SwitchHelper& switches = SwitchHelper("ns3::lossless::InfiniteBufferSwitchNode"))
        : m_fabric(topology, switches)
    {
        m_fabric.AssignStreams(1);
        m_fabric.InstallInternetStack();
        m_fabric.ResolveAddresses();
        m_tcp->SetAttribute("Timestamps", BooleanValue(false));
        m_tcp->SetAttribute("SegmentBytes", UintegerValue(SEGMENT));
        m_recorder.Watch(m_tcp);
    }

    FlowRecord Run(uint64_t segments)
    {
        m_fabric.StartTcpFlows(m_tcp, {{0, 0, 1, 0, segments * SEGMENT, Time(0), "tcp"}});
        m_tcp->StopWhenDone(Seconds(5));
        Simulator::Run();
        m_end = Simulator::Now();
        RunFor(Seconds(1));
        return m_recorder.GetFlows().at(0);
    }

    std::size_t CountSockets(uint32_t host) const
    {
        ObjectPtrContainerValue sockets;
        m_fabric.GetHost(host)->GetObject<TcpL4Protocol>()->GetAttribute("SocketList", sockets);
        return sockets.GetN();
    }

    Fabric m_fabric;                               ///< the network
    Ptr<TcpFlows> m_tcp{CreateObject<TcpFlows>()}; ///< the flow
    FlowRecorder m_recorder;                       ///< result of the flow
    Time m_end;                                    ///< time at which the simulation stopped
};

/// @return the time that a frame of this size takes on a wire of 1 Gb/s
Time
OnWire(uint64_t bytes)
{
    return NanoSeconds(8 * (bytes + WIRE_OVERHEAD_BYTES));
}

LOSSLESS_TEST(g_suite, "Hosts that know the addresses begin with the handshake at once")
{
    const Time delay = MicroSeconds(1);
    Transfer transfer(MakePair(delay));
    const FlowRecord flow = transfer.Run(1);
    // The SYN and its response carry 8 B of options for window scaling and SACK. An ACK of 60 B
    // precedes the segment.
    const Time ways = 3 * 2 * delay;
    const Time handshake = 2 * 2 * OnWire(54 + 8) + OnWire(60);
    const Time expected = ways + handshake + 2 * OnWire(SEGMENT_FRAME);
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.received, expected, NanoSeconds(200), "three ways");
    NS_TEST_EXPECT_MSG_EQ(transfer.m_end,
                          flow.received + GetStopDelay(delay),
                          "the simulation ends with it");
}

/// In slow start, 40 segments take 3, 4 or 6 rounds of 10 + 20 + 10, 3 + 6 + 12 + 19 or 1 + 2 + 4 +
/// 8 + 16 + 9 segments.
LOSSLESS_TESTS(g_suite)
{
    for (const auto& [window, rounds] : {std::pair(10, 3), std::pair(3, 4), std::pair(1, 6)})
    {
        g_suite.Add("A window of " + std::to_string(window) + " segments at first",
                    [window = window, rounds = rounds] {
                        Transfer transfer(MakePair(MilliSeconds(5)));
                        transfer.m_tcp->SetAttribute("InitialWindow", UintegerValue(window));
                        const FlowRecord flow = transfer.Run(40);
                        // The expected time consists of the round trips, including the handshake,
                        // and the one-way delay of the last round. The rest is serialization.
                        const Time roundTrip = MilliSeconds(20);
                        const Time expected = rounds * roundTrip + roundTrip / 2;
                        NS_TEST_EXPECT_MSG_GT(flow.received, expected, "rounds");
                        NS_TEST_EXPECT_MSG_LT(flow.received,
                                              expected + 41 * OnWire(SEGMENT_FRAME),
                                              "rounds");
                    });
    }
}

LOSSLESS_TESTS(g_suite)
{
    for (const uint32_t duplicates : {0U, 3U})
    {
        g_suite.Add("Reordering with DuplicateAcks=" + std::to_string(duplicates), [duplicates] {
            SwitchHelper switches;
            switches.SetForwarding("ns3::lossless::AdaptiveForwarding");
            Transfer transfer(MakeTwoWays("200us"), switches);
            transfer.m_tcp->SetAttribute("DuplicateAcks", UintegerValue(duplicates));
            SegmentRecorder segments;
            segments.Watch(transfer.m_fabric.GetHost(0));
            segments.Watch(transfer.m_fabric.GetHost(1));
            const FlowRecord flow = transfer.Run(500);
            NS_TEST_EXPECT_MSG_GT(flow.received, Time(0), "all has arrived");
            NS_TEST_EXPECT_MSG_GT(segments.GetDensity().GetShareOutOfOrder(), 0.2, "much is late");
            NS_TEST_EXPECT_MSG_EQ_TOL(segments.GetMeanEntropy(),
                                      segments.GetDensity().GetEntropy(),
                                      1e-9,
                                      "all data is of one connection");
            NS_TEST_EXPECT_MSG_EQ((flow.retransmitted > 0), (duplicates > 0), "taken for lost");
        });
    }
}

LOSSLESS_TESTS(g_suite)
{
    for (const bool isShort : {true, false})
    {
        const Time timeout = isShort ? MilliSeconds(10) : Seconds(3);
        g_suite.Add(
            "A lost SYN is sent again after " + std::string(isShort ? "10 ms" : "3 s"),
            [isShort, timeout] {
                Transfer transfer(MakePair(MicroSeconds(1)));
                if (isShort)
                {
                    transfer.m_tcp->SetAttribute("ConnectTimeout", TimeValue(timeout));
                }
                LoseFrames(*transfer.m_fabric.GetHostDevice(1), {0});
                const FlowRecord flow = transfer.Run(1);
                NS_TEST_EXPECT_MSG_GT(flow.received, timeout, "waited");
                NS_TEST_EXPECT_MSG_LT(flow.received, timeout + MicroSeconds(50), "no longer");
            });
    }
}

/// Records the source port and class of each segment that a host sends.
class ClassLog
{
  public:
    explicit ClassLog(Ptr<LosslessNetDevice> device)
    {
        ListenTo(*device, "PhyTxBegin", [this](Ptr<const Packet> packet) {
            const Frame frame = ParseFrame(packet->Copy());
            m_sent.emplace(frame.flow.sourcePort, Index(frame.priority));
        });
    }

    /// @return all segments sent in the format "port:class", sorted by port and class
    std::string Get() const
    {
        std::string text;
        for (const auto& [port, priority] : m_sent)
        {
            text +=
                (text.empty() ? "" : " ") + std::to_string(port) + ":" + std::to_string(priority);
        }
        return text;
    }

  private:
    std::set<std::pair<uint16_t, uint32_t>> m_sent; ///< source port and class of each sent frame
};

LOSSLESS_TEST(g_suite, "DCTCP beside CUBIC to one host: each flow has its own port and class")
{
    Fabric fabric(MakePair(MicroSeconds(1)),
                  SwitchHelper("ns3::lossless::InfiniteBufferSwitchNode"));
    fabric.InstallInternetStack();
    fabric.ResolveAddresses();
    FlowRecorder recorder;
    ClassLog classes(fabric.GetHostDevice(1));
    std::vector<Ptr<TcpFlows>> senders;
    for (const std::string variant : {"TcpDctcp", "TcpCubic"})
    {
        const auto tcp = CreateObject<TcpFlows>();
        tcp->SetAttribute("Variant", StringValue("ns3::" + variant));
        recorder.Watch(tcp);
        // Flows 0 to 3 use classes 1 to 4. Flows 2 and 3 start after the others have ended.
        const uint64_t id = senders.size();
        const auto priority = static_cast<uint8_t>(1 + id);
        const auto later = static_cast<uint8_t>(3 + id);
        fabric.StartTcpFlows(tcp,
                             {{id, 0, 1, priority, 14480, Time(0), variant},
                              {2 + id, 0, 1, later, 14480, MilliSeconds(20), variant}});
        senders.push_back(tcp);
    }
    RunFor(MilliSeconds(40));
    NS_TEST_ASSERT_MSG_EQ(recorder.GetFlows().size(), 4, "flows");
    for (const auto& [id, flow] : recorder.GetFlows())
    {
        // The initial window has ten segments of 1448 B. The windows of both flows occupy 20 x
        // 1538 B on the wire and take 246 us at 1 Gb/s. A timeout takes 10 ms.
        NS_TEST_EXPECT_MSG_GT(flow.received, flow.start, "flow " << id << " has arrived");
        NS_TEST_EXPECT_MSG_LT(flow.received, flow.start + MilliSeconds(1), "flow " << id);
    }
    // Receivers are assigned ports in the order of the Start() calls: two for the first object,
    // then two for the second.
    NS_TEST_EXPECT_MSG_EQ(classes.Get(), "10000:1 10001:3 10002:2 10003:4", "their answers");
}

LOSSLESS_TEST(g_suite, "A connection that has ended leaves no socket, at either end")
{
    Transfer transfer(MakePair(MicroSeconds(1)));
    const FlowRecord flow = transfer.Run(100);
    NS_TEST_EXPECT_MSG_GT(flow.acknowledged, flow.received, "both ends know");
    NS_TEST_EXPECT_MSG_EQ(transfer.CountSockets(0), 0, "the sender's host");
    NS_TEST_EXPECT_MSG_EQ(transfer.CountSockets(1), 0, "the receiver's host");
}

} // namespace ns3::lossless::tests::THIS_FILE
