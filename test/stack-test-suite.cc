// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/queue-disc.h"
#include "ns3/socket.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/udp-socket-factory.h"

// Tests ns-3's own Internet stack on this module's devices and switches.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-stack", SYSTEM);

constexpr uint16_t PORT = 5000;

/// The number of hosts: h0 and h1 at one switch, and h2 and h3 at another. The link between the
/// switches is slow.
constexpr uint32_t HOSTS = 4;

/// Two hosts at each of two switches, with ns-3's stack on the hosts and counters. Links to hosts
/// have a rate of 10 Gb/s, and the link between the switches has 1 Gb/s.
struct StackNetwork
{
    explicit StackNetwork(const SwitchHelper& switches)
        : m_fabric(Topology::Line({{2, 2}, DataRate("10Gbps"), DataRate("1Gbps")}), switches)
    {
        m_fabric.InstallInternetStack();
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            Ptr<LosslessNetDevice> device = m_fabric.GetHostDevice(host);
            ListenTo(*device, "PhyRxEnd", [this, host](Ptr<const Packet>) { ++m_received[host]; });
            ListenTo(*device, "MacTxDrop", [this](Ptr<const Packet>) { ++m_refused; });
            ListenTo(*device->GetGate(), "Closed", [this, host](PrioritySet) { ++m_pauses[host]; });
        }
    }

    void StartTransfer(uint32_t from, uint32_t to, uint64_t bytes)
    {
        const uint16_t port = PORT + m_sinks.size();
        const InetSocketAddress address(m_fabric.GetAddress(to), port);
        PacketSinkHelper sink("ns3::TcpSocketFactory", address);
        const ApplicationContainer sinks = sink.Install(m_fabric.GetHost(to));
        m_sinks.push_back(DynamicCast<PacketSink>(sinks.Get(0)));
        BulkSendHelper sender("ns3::TcpSocketFactory", address);
        sender.SetAttribute("MaxBytes", UintegerValue(bytes));
        sender.Install(m_fabric.GetHost(from)).Start(MilliSeconds(1));
    }

    uint64_t GetReceived(uint32_t transfer) const
    {
        return m_sinks.at(transfer)->GetTotalRx();
    }

    uint64_t GetDrops(DropReason reason) const
    {
        uint64_t drops = 0;
        for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
        {
            drops += m_fabric.GetSwitch(i)->GetCounts().dropped[static_cast<std::size_t>(reason)];
        }
        return drops;
    }

    uint64_t GetDrops() const
    {
        uint64_t drops = 0;
        for (std::size_t reason = 0; reason < GetNumDropReasons(); ++reason)
        {
            drops += GetDrops(static_cast<DropReason>(reason));
        }
        return drops;
    }

    uint64_t GetDisciplineDrops() const
    {
        uint64_t drops = 0;
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            auto control = m_fabric.GetHost(host)->GetObject<TrafficControlLayer>();
            drops += control->GetRootQueueDiscOnDevice(m_fabric.GetHostDevice(host))
                         ->GetStats()
                         .nTotalDroppedPackets;
        }
        return drops;
    }

    Fabric m_fabric;                          ///< the network
    std::vector<Ptr<PacketSink>> m_sinks;     ///< sinks of the transfers
    std::array<uint32_t, HOSTS> m_received{}; ///< number of frames received per host
    std::array<uint32_t, HOSTS> m_pauses{};   ///< pauses per host
    uint32_t m_refused{0};                    ///< number of refused packets
};

LOSSLESS_TEST(g_suite, "ARP finds its target without flooding: echo")
{
    StackNetwork network(SwitchHelper{});
    Fabric& fabric = network.m_fabric;
    UdpEchoServerHelper server(PORT);
    server.Install(fabric.GetHost(2));
    UdpEchoClientHelper client(fabric.GetAddress(2), PORT);
    client.SetAttribute("MaxPackets", UintegerValue(3));
    client.SetAttribute("Interval", TimeValue(MilliSeconds(1)));
    client.SetAttribute("PacketSize", UintegerValue(1000));
    ApplicationContainer clients = client.Install(fabric.GetHost(0));
    clients.Start(MilliSeconds(1));
    uint32_t answers = 0;
    ListenTo(*clients.Get(0), "Rx", [&answers](Ptr<const Packet> packet) {
        answers += packet->GetSize() == 1000 ? 1 : 0;
    });
    RunFor(Seconds(1));

    NS_TEST_EXPECT_MSG_EQ(answers, 3, "answers");
    // The client and the server each send three datagrams and one or two ARP frames.
    NS_TEST_EXPECT_MSG_EQ((network.m_received[2] >= 4 && network.m_received[2] <= 5),
                          true,
                          "frames at the server: " << network.m_received[2]);
    NS_TEST_EXPECT_MSG_EQ(network.m_received[0], network.m_received[2], "frames at the client");
    NS_TEST_EXPECT_MSG_EQ(network.m_received[1], 0, "nobody else is asked");
    NS_TEST_EXPECT_MSG_EQ(network.m_received[3], 0, "nobody else is asked");
    NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), 0, "nothing is dropped");
    NS_TEST_EXPECT_MSG_EQ(network.m_refused, 0, "nothing is refused");
}

/// The first switch drops the request because it has no route to 10.0.0.99.
LOSSLESS_TEST(g_suite, "ARP finds its target without flooding: unknown address")
{
    StackNetwork network(SwitchHelper{});
    UdpEchoClientHelper client(Ipv4Address("10.0.0.99"), PORT);
    client.SetAttribute("MaxPackets", UintegerValue(1));
    client.Install(network.m_fabric.GetHost(0)).Start(MilliSeconds(1));
    // The request leaves after a jitter of up to 10 ms and is repeated after a second.
    RunFor(MilliSeconds(500));
    NS_TEST_EXPECT_MSG_EQ(network.GetDrops(DropReason::NO_ROUTE), 1, "no route");
    NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), 1, "no other reason");
}

void
Listen(const Fabric& fabric, uint32_t host, std::vector<uint32_t>& sizes)
{
    Ptr<Socket> socket = Socket::CreateSocket(fabric.GetHost(host), UdpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    const auto receive = [](std::vector<uint32_t>* arrived, Ptr<Socket> from) {
        while (Ptr<Packet> packet = from->Recv())
        {
            arrived->push_back(packet->GetSize());
        }
    };
    socket->SetRecvCallback(MakeBoundCallback(+receive, &sizes));
}

Ptr<Socket>
MakeSender(const Fabric& fabric, uint32_t from, uint32_t to, uint8_t tos)
{
    Ptr<Socket> socket = Socket::CreateSocket(fabric.GetHost(from), UdpSocketFactory::GetTypeId());
    socket->Bind();
    socket->Connect(InetSocketAddress(fabric.GetAddress(to), PORT));
    socket->SetIpTos(tos);
    return socket;
}

void
SendMany(const Ptr<Socket>& socket, uint32_t count, uint32_t bytes)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        socket->Send(Create<Packet>(bytes));
    }
}

/// Sends more datagrams than ns3::QueueDisc dequeues in one run.
void
CheckSetAside(const std::string& scheme)
{
    constexpr uint32_t DATAGRAMS = 300;
    StackNetwork network{SwitchHelper(*FindPart<SchemeInfo>(scheme))};
    Fabric& fabric = network.m_fabric;
    fabric.ResolveAddresses();
    std::array<std::vector<uint32_t>, 2> sizes;
    for (uint32_t host : {0, 1})
    {
        Listen(fabric, 2 + host, sizes[host]);
        const auto socket = MakeSender(fabric, host, 2 + host, 0x60);
        Simulator::Schedule(MilliSeconds(1), [socket] { SendMany(socket, DATAGRAMS, 1400); });
    }
    Simulator::Stop(MilliSeconds(20)); // the datagrams take 7 ms on the slow link
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(sizes[0].size(), DATAGRAMS, "of host 0");
    NS_TEST_EXPECT_MSG_EQ(sizes[1].size(), DATAGRAMS, "of host 1");
    NS_TEST_EXPECT_MSG_EQ(network.m_refused, 0, "no loss between stack and wire");
    NS_TEST_EXPECT_MSG_EQ(network.GetDisciplineDrops(), 0, "no loss in a queue discipline");
    Simulator::Destroy();
}

LOSSLESS_TEST(g_suite, "Addresses that are known for good stay so when the link comes up again")
{
    StackNetwork network(SwitchHelper{});
    Fabric& fabric = network.m_fabric;
    fabric.ResolveAddresses();
    std::vector<uint32_t> sizes;
    Listen(fabric, 2, sizes);
    const auto socket = MakeSender(fabric, 0, 2, 0x60);
    uint32_t lost = 0;
    ListenTo(*fabric.GetHostDevice(0), "Drop", [&lost](Ptr<const Packet>, DropReason reason) {
        lost += reason == DropReason::LINK_DOWN ? 1 : 0;
    });
    Simulator::Schedule(MicroSeconds(1), [&fabric] { fabric.GetCable(0)->SetUp(false); });
    Simulator::Schedule(MicroSeconds(2), [socket] { SendMany(socket, 3, 1400); });
    Simulator::Schedule(MicroSeconds(3), [&fabric] { fabric.GetCable(0)->SetUp(true); });
    Simulator::Schedule(MicroSeconds(4), [socket] { SendMany(socket, 5, 1400); });
    Simulator::Stop(MilliSeconds(1)); // resolving the address again would take over 1 ms
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(lost, 3, "while it was down, and counted");
    NS_TEST_EXPECT_MSG_EQ(sizes.size(), 5, "afterwards");
}

LOSSLESS_TEST(g_suite, "Two TCP transfers through a slow link complete under PAUSE without loss")
{
    constexpr uint64_t BYTES = 3000000;
    StackNetwork network(MakeTightSwitch());
    network.StartTransfer(0, 2, BYTES);
    network.StartTransfer(1, 3, BYTES);
    // A segment of 536 B takes 626 byte times on the wire, so 6 MB take 56.1 ms at 1 Gb/s. The
    // transfers start at 1 ms plus the jitter of ARP, up to 10 ms at each end.
    RunFor(MilliSeconds(78));

    NS_TEST_EXPECT_MSG_EQ(network.GetReceived(0), BYTES, "first transfer");
    NS_TEST_EXPECT_MSG_EQ(network.GetReceived(1), BYTES, "second transfer");
    NS_TEST_EXPECT_MSG_GT(network.m_pauses[0], 10, "host 0 was paused");
    NS_TEST_EXPECT_MSG_GT(network.m_pauses[1], 10, "host 1 was paused");
    NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), 0, "no loss in a switch");
    NS_TEST_EXPECT_MSG_EQ(network.m_refused, 0, "no loss between stack and wire");
    NS_TEST_EXPECT_MSG_EQ(network.GetDisciplineDrops(), 0, "no loss in a queue discipline");
    for (uint32_t i = 0; i < 2; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(network.m_fabric.GetSwitch(i)->GetSharedBuffer()->GetUsed(),
                              0,
                              "empty at the end");
    }
}

LOSSLESS_TEST(g_suite, "Datagrams of a paused class wait in the discipline; others pass them")
{
    StackNetwork network(MakeTightSwitch());
    Fabric& fabric = network.m_fabric;
    std::vector<uint32_t> sizes;
    Listen(fabric, 2, sizes);
    // In class 3, 100 datagrams of 1400 B are sent at once. Each occupies 1466 B on the wire, so
    // they take 1.17 ms in total at 1 Gb/s.
    const auto bulk = MakeSender(fabric, 0, 2, 0x60);
    Simulator::Schedule(MilliSeconds(10), [bulk]() { SendMany(bulk, 100, 1400); });
    // One datagram of class 5 is sent while these datagrams wait.
    const auto urgent = MakeSender(fabric, 0, 2, 0xa0);
    Simulator::Schedule(MicroSeconds(10500), [urgent]() { SendMany(urgent, 1, 200); });
    // This datagram causes the addresses to be resolved in advance.
    Simulator::Schedule(MilliSeconds(1), [urgent]() { SendMany(urgent, 1, 100); });
    RunFor(MilliSeconds(20));

    NS_TEST_EXPECT_MSG_EQ(sizes.size(), 102, "all arrive");
    NS_TEST_EXPECT_MSG_GT(network.m_pauses[0], 0, "class 3 was paused");
    NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), 0, "no loss in a switch");
    NS_TEST_EXPECT_MSG_EQ(network.m_refused, 0, "no loss between stack and wire");
    NS_TEST_EXPECT_MSG_EQ(network.GetDisciplineDrops(), 0, "no loss in a queue discipline");
    const std::size_t urgentAt = std::find(sizes.begin(), sizes.end(), 200U) - sizes.begin();
    // After 0.5 ms, about 43 datagrams have arrived, and the switches hold few of the others.
    NS_TEST_EXPECT_MSG_LT(urgentAt, 60, "class 5 is not held up");
    NS_TEST_EXPECT_MSG_GT(urgentAt, 30, "but was sent after many");
}

LOSSLESS_TEST(g_suite, "TCP recovers from losses of a drop-tail switch, which tells their reason")
{
    constexpr uint64_t BYTES = 1000000;
    SwitchHelper switches("ns3::lossless::DropTailSwitchNode");
    switches.SetPolicyAttribute("QueueLimit", QueueSizeValue(QueueSize("20p")));
    StackNetwork network(switches);
    network.StartTransfer(0, 2, BYTES);
    network.StartTransfer(1, 3, BYTES);
    RunFor(Seconds(60));
    NS_TEST_EXPECT_MSG_EQ(network.GetReceived(0), BYTES, "first transfer");
    NS_TEST_EXPECT_MSG_EQ(network.GetReceived(1), BYTES, "second transfer");
    NS_TEST_EXPECT_MSG_GT(network.GetDrops(), 0, "frames are lost");
    NS_TEST_EXPECT_MSG_EQ(network.GetDrops(DropReason::EGRESS_LIMIT),
                          network.GetDrops(),
                          "all of them at the limit of an egress queue");
    NS_TEST_EXPECT_MSG_EQ(network.m_pauses[0], 0, "nobody is paused");
}

std::string
Simulate(uint16_t mtu)
{
    LosslessHelper cables;
    cables.SetDeviceAttribute("Mtu", UintegerValue(mtu));
    NodeContainer nodes(2);
    const NetDeviceContainer devices = cables.Install(nodes);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper addresses("10.0.0.0", "255.0.0.0");
    addresses.Assign(devices);
    std::vector<uint32_t> sizes;
    ListenTo(*devices.Get(0), "PhyTxBegin", [&sizes](Ptr<const Packet> packet) {
        if (packet->GetSize() > 200) // skips ARP packets
        {
            sizes.push_back(packet->GetSize());
        }
    });
    PacketSinkHelper sink("ns3::UdpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), PORT));
    const ApplicationContainer sinks = sink.Install(nodes.Get(1));
    Ptr<Socket> socket = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
    socket->Connect(InetSocketAddress(Ipv4Address("10.0.0.2"), PORT));
    Simulator::Schedule(MilliSeconds(1), [socket]() { socket->Send(Create<Packet>(4000)); });
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(DynamicCast<PacketSink>(sinks.Get(0))->GetTotalRx(), 4000, "payload");
    Simulator::Destroy();
    return ToText(sizes);
}

LOSSLESS_TEST(g_suite, "A datagram is cut to the MTU of the device, and arrives whole")
{
    // Two fragments of 1480 B and one of 1048 B carry the 4000 B plus the UDP header.
    NS_TEST_EXPECT_MSG_EQ(Simulate(1500), "1514 1514 1082", "MTU of 1500 B");
    NS_TEST_EXPECT_MSG_EQ(Simulate(9000), "4042", "MTU of 9000 B");
}

constexpr uint32_t DATAGRAMS = 16;

LOSSLESS_TEST(g_suite, "The fragments of a datagram take one path")
{
    Fabric fabric(Topology::LeafSpine({2, 2, 1}), SwitchHelper{});
    fabric.InstallInternetStack();
    // Port 0 of a leaf leads to its host, so the uplinks are ports 1 and 2.
    std::array<uint32_t, 2> frames{};
    for (uint32_t spine = 0; spine < 2; ++spine)
    {
        const auto port = fabric.GetSwitch("leaf0")->GetDevice(1 + spine);
        ListenTo(*port, "PhyTxBegin", [&frames, spine](Ptr<const Packet> packet) {
            frames[spine] += packet->GetSize() > 200 ? 1 : 0; // skips ARP packets
        });
    }
    const InetSocketAddress address(fabric.GetAddress(1), PORT);
    PacketSinkHelper sink("ns3::UdpSocketFactory", address);
    const ApplicationContainer sinks = sink.Install(fabric.GetHost(1));
    for (uint32_t i = 0; i < DATAGRAMS; ++i)
    {
        // Each socket has a different source port. The first datagram waits for the address
        // resolution, which ns-3 delays by up to 10 ms.
        Ptr<Socket> socket = Socket::CreateSocket(fabric.GetHost(0), UdpSocketFactory::GetTypeId());
        socket->Connect(address);
        Simulator::Schedule(MilliSeconds(1 + 20 * i),
                            [socket]() { socket->Send(Create<Packet>(4000)); });
    }
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(DynamicCast<PacketSink>(sinks.Get(0))->GetTotalRx(),
                          4000 * DATAGRAMS,
                          "payload received");
    // Because fragments are hashed without ports, those of all datagrams have the same hash. Each
    // datagram has three fragments.
    NS_TEST_EXPECT_MSG_EQ(std::min(frames[0], frames[1]), 0, "the path not taken");
    NS_TEST_EXPECT_MSG_EQ(std::max(frames[0], frames[1]), 3 * DATAGRAMS, "the path taken");
}

LOSSLESS_TESTS(g_suite)
{
    for (const char* scheme : {"OFC", "BFC", "CBFC"})
    {
        g_suite.Add(
            std::string("Datagrams leave their discipline to be set aside, and all arrive: ") +
                scheme,
            [scheme] { CheckSetAside(scheme); });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
