// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/link-partner.h"
#include "ns3/names.h"
#include "ns3/net-device-queue-interface.h"

// Tests that each end of a cable detects the type of the other end, and that hosts configure
// themselves accordingly.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-link-partner", UNIT);

Ptr<LosslessNetDevice>
AddDevice(const Ptr<Node>& node)
{
    auto device = CreateObject<LosslessNetDevice>();
    node->AddDevice(device);
    return device;
}

Ptr<LosslessChannel>
Join(const Ptr<LosslessNetDevice>& a, const Ptr<LosslessNetDevice>& b)
{
    auto cable = CreateObject<LosslessChannel>();
    a->Attach(cable);
    b->Attach(cable);
    return cable;
}

/// A scheme that records the devices for which it creates parts.
struct CuriousFlowControl : FlowControl
{
    struct Wanted
    {
        Ptr<const LosslessNetDevice> device; ///< device that needs a gate
        std::optional<PortId> port;          ///< port of the switch, if the device is a switch port
    };

    mutable std::vector<Wanted> m_gates;                    ///< requests for gates, in order
    mutable std::vector<Ptr<LosslessNetDevice>> m_prepared; ///< devices of the prepared hosts

    Ptr<TransmitGate> CreateGate(PortId port, const LosslessNetDevice& device) override
    {
        m_gates.push_back({&device, port});
        return CreateObject<ManualGate>();
    }

    Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& device) const override
    {
        m_gates.push_back({&device, std::nullopt});
        return CreateObject<ManualGate>();
    }

    void PrepareHost(Ptr<LosslessNetDevice> device) const override
    {
        m_prepared.push_back(device);
    }
};

Ptr<CuriousFlowControl>
MakeCurious(SwitchNode& node)
{
    auto scheme = CreateObject<CuriousFlowControl>();
    node.SetFlowControl(scheme);
    return scheme;
}

bool
HasGateOfSwitch(const Ptr<LosslessNetDevice>& device)
{
    return DynamicCast<ManualGate>(device->GetGate()) != nullptr;
}

LOSSLESS_TEST(g_suite, "Both ends of a cable know each other once it is complete")
{
    auto node = CreateObject<Node>();
    Names::Add("alice", node);
    auto alice = AddDevice(node);
    auto other = CreateObject<Node>();
    auto bob = AddDevice(other);
    alice->SetAttribute("DataRate", StringValue("40Gbps"));
    alice->SetAttribute("Mtu", UintegerValue(9000));
    alice->SetAddress(Mac48Address("02:00:00:00:00:0a"));
    auto cable = CreateObject<LosslessChannel>();
    cable->SetAttribute("Delay", StringValue("3us"));
    cable->SetAttribute("Jitter", StringValue("50ns"));
    alice->Attach(cable);
    NS_TEST_EXPECT_MSG_EQ(alice->GetPartner().has_value(), false, "there is none yet");
    bob->Attach(cable);
    const std::optional<LinkPartner>& partner = bob->GetPartner();
    NS_TEST_ASSERT_MSG_EQ(partner.has_value(), true, "known now");
    NS_TEST_EXPECT_MSG_EQ(partner->rate, DataRate("40Gbps"), "rate");
    NS_TEST_EXPECT_MSG_EQ(partner->mtu, 9000, "MTU");
    NS_TEST_EXPECT_MSG_EQ(partner->delay, MicroSeconds(3), "delay");
    NS_TEST_EXPECT_MSG_EQ(partner->jitter, NanoSeconds(50), "jitter");
    NS_TEST_EXPECT_MSG_EQ(partner->address, Mac48Address("02:00:00:00:00:0a"), "address");
    NS_TEST_EXPECT_MSG_EQ(partner->isHost, true, "a host");
    NS_TEST_EXPECT_MSG_EQ((partner->switchSide == nullptr), true, "has no scheme");
    NS_TEST_EXPECT_MSG_EQ(partner->node, "alice", "name");
    NS_TEST_ASSERT_MSG_EQ(alice->GetPartner().has_value(), true, "the first end knows too");
    NS_TEST_EXPECT_MSG_EQ(alice->GetPartner()->mtu, 1500, "its MTU");
    NS_TEST_EXPECT_MSG_EQ(alice->GetPartner()->node,
                          "node " + std::to_string(other->GetId()),
                          "without a name");
    Names::Clear();
}

LOSSLESS_TEST(g_suite, "The other end knows of whatever changes later")
{
    auto alice = AddDevice(CreateObject<Node>());
    auto bob = AddDevice(CreateObject<Node>());
    const Ptr<LosslessChannel> cable = Join(alice, bob);
    alice->SetAttribute("DataRate", StringValue("25Gbps"));
    NS_TEST_EXPECT_MSG_EQ(bob->GetPartner()->rate, DataRate("25Gbps"), "rate");
    alice->SetAttribute("Mtu", UintegerValue(4000));
    NS_TEST_EXPECT_MSG_EQ(bob->GetPartner()->mtu, 4000, "MTU");
    alice->SetAttribute("Address", Mac48AddressValue(Mac48Address("02:00:00:00:00:0b")));
    NS_TEST_EXPECT_MSG_EQ(bob->GetPartner()->address, Mac48Address("02:00:00:00:00:0b"), "address");
    cable->SetAttribute("Delay", StringValue("7us"));
    cable->SetAttribute("Jitter", StringValue("9ns"));
    for (const auto& end : {alice, bob})
    {
        NS_TEST_EXPECT_MSG_EQ(end->GetPartner()->delay, MicroSeconds(7), "delay");
        NS_TEST_EXPECT_MSG_EQ(end->GetPartner()->jitter, NanoSeconds(9), "jitter");
    }
    NS_TEST_EXPECT_MSG_EQ(alice->GetPartner()->rate, DataRate("100Gbps"), "only its own");
}

LOSSLESS_TEST(g_suite, "A switch survey is of the partners as they are when it is initialised")
{
    auto node = CreateObject<PfcSwitchNode>();
    Star star(node, 2);
    star.GetHost(0).device->SetAttribute("DataRate", StringValue("25Gbps"));
    star.GetHost(0).device->SetMtu(9000);
    star.GetHost(1).device->GetChannel()->SetAttribute("Delay", StringValue("2us"));
    star.GetHost(1).device->GetChannel()->SetAttribute("Jitter", StringValue("100ns"));
    node->Initialize();
    const auto& ports = node->GetShape().ports;
    NS_TEST_EXPECT_MSG_EQ(ports[0].rate, DataRate("25Gbps"), "the host's rate");
    NS_TEST_EXPECT_MSG_EQ(ports[0].mtu, 9000, "the larger MTU");
    NS_TEST_EXPECT_MSG_EQ(ports[0].delay, MicroSeconds(1), "delay");
    NS_TEST_EXPECT_MSG_EQ(ports[1].delay, NanoSeconds(2100), "the longest delay");
    NS_TEST_EXPECT_MSG_EQ(ports[1].jitter, NanoSeconds(100), "jitter");
}

LOSSLESS_TEST(g_suite, "A host takes its part in a switch's scheme itself")
{
    auto node = CreateObject<SwitchNode>();
    const auto scheme = MakeCurious(*node);
    Star star(node, 2);
    const Ptr<LosslessNetDevice> host = star.GetHost(1).device;
    NS_TEST_EXPECT_MSG_EQ(host->GetPartner()->isHost, false, "the partner is a switch");
    NS_TEST_ASSERT_MSG_GT(scheme->m_prepared.size(), 0, "as soon as there is a cable");
    NS_TEST_EXPECT_MSG_EQ((scheme->m_prepared.back() == host), true, "the host at the last cable");
    node->Initialize();
    NS_TEST_ASSERT_MSG_EQ(scheme->m_gates.size(), 2, "gates of the switch");
    for (uint16_t i = 0; i < 2; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((scheme->m_gates[i].device == star.GetPort(i)), true, "device " << i);
        NS_TEST_EXPECT_MSG_EQ((scheme->m_gates[i].port == PortId{i}), true, "port " << i);
        NS_TEST_EXPECT_MSG_EQ(HasGateOfSwitch(star.GetPort(i)), true, "in place");
    }
    NS_TEST_EXPECT_MSG_EQ(HasGateOfSwitch(host), false, "the switch touches no host");
    host->Initialize();
    NS_TEST_ASSERT_MSG_EQ(scheme->m_gates.size(), 3, "one of the host");
    NS_TEST_EXPECT_MSG_EQ((scheme->m_gates.back().device == host), true, "of this one");
    NS_TEST_EXPECT_MSG_EQ(scheme->m_gates.back().port.has_value(), false, "not the switch's");
    NS_TEST_EXPECT_MSG_EQ(HasGateOfSwitch(host), true, "the host has set it");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(scheme->m_gates.size(), 4, "once for each device");
    for (const Ptr<LosslessNetDevice>& prepared : scheme->m_prepared)
    {
        NS_TEST_EXPECT_MSG_EQ((prepared->GetNode() != node), true, "only hosts are prepared");
    }
}

LOSSLESS_TEST(g_suite, "A device may be at its cable before it is on its switch or host")
{
    auto node = CreateObject<SwitchNode>();
    const auto scheme = MakeCurious(*node);
    auto port = CreateObject<LosslessNetDevice>();
    auto host = CreateObject<LosslessNetDevice>();
    Join(port, host);
    NS_TEST_EXPECT_MSG_EQ(host->GetPartner()->isHost, true, "for all that is known");
    node->AddDevice(port);
    NS_TEST_EXPECT_MSG_EQ(host->GetPartner()->isHost, false, "now known");
    NS_TEST_EXPECT_MSG_EQ(scheme->m_prepared.size(), 0, "the other end may yet become a switch's");
    CreateObject<Node>()->AddDevice(host);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(scheme->m_prepared.size(), 0, "it did not");
    NS_TEST_EXPECT_MSG_EQ(HasGateOfSwitch(host), true, "has the gate, too");
}

LOSSLESS_TEST(g_suite, "A host that gets its cable late gets its gate with it")
{
    auto node = CreateObject<SwitchNode>();
    MakeCurious(*node);
    auto port = AddDevice(node);
    auto host = AddDevice(CreateObject<Node>());
    host->Initialize();
    NS_TEST_EXPECT_MSG_EQ(HasGateOfSwitch(host), false, "no partner");
    Join(host, port);
    NS_TEST_EXPECT_MSG_EQ(HasGateOfSwitch(host), true, "gets it");
    const Ptr<TransmitGate> gate = host->GetGate();
    port->SetMtu(2000);
    NS_TEST_EXPECT_MSG_EQ((host->GetGate() == gate), true, "once");
}

LOSSLESS_TEST(g_suite, "A host obeys PAUSEs in the classes of the switch at its cable, be it late")
{
    auto node = CreateObject<PfcSwitchNode>();
    node->SetAttribute("LosslessClasses", UintegerValue(0x18));
    auto port = AddDevice(node);
    auto host = AddDevice(CreateObject<Node>());
    host->Initialize();
    NS_TEST_EXPECT_MSG_EQ(+host->GetLossless(), 0xff, "no switch");
    Join(host, port);
    NS_TEST_EXPECT_MSG_EQ(+host->GetLossless(), 0x18, "those of the switch");
    NS_TEST_EXPECT_MSG_EQ(+port->GetLossless(), 0x18, "its own");
    PfcHeader pfc;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        pfc.SetQuanta(Priority{p}, UINT16_MAX);
    }
    const Mac48Address source("02:00:00:00:00:02");
    host->GetGate()->ReceiveControl(ParseFrame(MakePfcFrame(source, pfc)));
    RunFor(MicroSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(+host->GetGate()->GetOpen(), 0xe7, "all but 3 and 4");
}

// A switch port would never use the 8 queue objects.
LOSSLESS_TEST(g_suite, "Only the device of a host has queues for a stack")
{
    const auto ends = LosslessHelper().Install(CreateObject<Node>(), CreateObject<SwitchNode>());
    const auto has = [&ends](uint32_t end) {
        return ends.Get(end)->GetObject<NetDeviceQueueInterface>() != nullptr;
    };
    NS_TEST_EXPECT_MSG_EQ(has(0), true, "host");
    NS_TEST_EXPECT_MSG_EQ(has(1), false, "switch");
}

LOSSLESS_TEST(g_suite, "Two switches do nothing to each other")
{
    auto a = CreateObject<SwitchNode>();
    auto b = CreateObject<SwitchNode>();
    const auto schemes = {MakeCurious(*a), MakeCurious(*b)};
    Join(AddDevice(a), AddDevice(b));
    Simulator::Run();
    for (const auto& scheme : schemes)
    {
        NS_TEST_EXPECT_MSG_EQ(scheme->m_prepared.size(), 0, "no host");
        NS_TEST_EXPECT_MSG_EQ(scheme->m_gates.size(), 1, "its own port");
    }
}

LOSSLESS_TEST(g_suite, "A device that is gone takes no frames, and its partner sends on")
{
    Pair pair;
    pair.GetHost(0).Send(1, 24, 1514, 20);
    // About half of the frames have arrived, and others are in flight.
    Simulator::Stop(MicroSeconds(2));
    Simulator::Run();
    const std::size_t arrived = pair.GetHost(1).received.m_arrivals.size();
    NS_TEST_EXPECT_MSG_GT(arrived, 0, "some");
    NS_TEST_EXPECT_MSG_LT(arrived, 20, "not all");
    pair.GetHost(1).device->Dispose();
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.GetHost(1).received.m_arrivals.size(), arrived, "no more");
    NS_TEST_EXPECT_MSG_EQ(pair.GetHost(0).source.m_starts.size(), 20, "all were sent");
}

} // namespace ns3::lossless::tests::THIS_FILE
