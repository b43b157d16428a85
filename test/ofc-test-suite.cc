// SPDX-License-Identifier: GPL-2.0-only
#include "fake-switch.h"
#include "lossless-test.h"

#include "ns3/dsh-buffer-policy.h"
#include "ns3/ofc-egress-queue.h"
#include "ns3/ofc-flow-control.h"
#include "ns3/ofc-header.h"
#include "ns3/ofc-parameters.h"
#include "ns3/ofc-table-recorder.h"
#include "ns3/queue-length-recorder.h"
#include "ns3/sih-buffer-policy.h"
#include "ns3/tcp-flows.h"

// Tests OFC's frames, stopped flows and egress queue, and the throughput and losses in networks.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-ofc", UNIT);

/// @param flows the flows that the message names; if empty, the message applies to all flows
OfcHeader
MakeBody(bool stop, const std::vector<uint64_t>& flows = {})
{
    OfcHeader body;
    body.classes = SetOf(Priority{3});
    body.stop = stop;
    body.all = flows.empty();
    body.flows = flows;
    return body;
}

LOSSLESS_TEST(g_suite, "A frame has 64 bytes with its FCS, and 8 more for each flow")
{
    const OfcHeader body = MakeBody(true, {0x0102030405060708, 0xfedcba9876543210});
    Ptr<Packet> frame = MakeMacControlFrame(Mac48Address("02:00:00:00:00:01"), body);
    const std::string zeros(80, '0');
    NS_TEST_EXPECT_MSG_EQ(ToHex(*frame),
                          "0180c2000001"     // address of MAC control frames
                          "0200000000018808" // MAC control
                          "fe01"             // OFC
                          "08"               // class 3
                          "01"               // stop
                          "0002"             // number of flows
                              + zeros + "0102030405060708fedcba9876543210",
                          "to the byte");
    const auto parsed = ParseMacControlFrame<OfcHeader>(*frame, OfcHeader::OPCODE);
    NS_TEST_ASSERT_MSG_EQ(parsed.has_value(), true, "it is one");
    NS_TEST_EXPECT_MSG_EQ((parsed->flows == body.flows), true, "the same flows");
    NS_TEST_EXPECT_MSG_EQ(parsed->stop, true, "stop");
    NS_TEST_EXPECT_MSG_EQ(parsed->all, false, "not all");
    NS_TEST_EXPECT_MSG_EQ(OfcHeader::GetCapacity(1500), 181, "(1500 - 46) / 8");
    NS_TEST_EXPECT_MSG_EQ(OfcHeader::GetCapacity(53), 0, "no room");
}

LOSSLESS_TEST(g_suite, "A frame which is cut short, or of a class that is none, is not understood")
{
    OfcHeader body;
    body.flows = {1, 2, 3};
    const Ptr<Packet> whole = MakeMacControlFrame(Mac48Address("02:00:00:00:00:01"), body);
    for (const uint32_t missing : {1U, 8U, 25U})
    {
        const Ptr<Packet> cut = whole->CreateFragment(0, whole->GetSize() - missing);
        const auto parsed = ParseMacControlFrame<OfcHeader>(*cut, OfcHeader::OPCODE);
        NS_TEST_EXPECT_MSG_EQ(parsed.has_value(), false, missing << " B missing");
    }
    auto gate = CreateObject<OfcGate>();
    gate->Attach({DataRate("40Gbps"), Time(0)}, nullptr);
    Frame frame;
    frame.kind = FrameKind::MAC_CONTROL;
    frame.packet = whole->CreateFragment(0, whole->GetSize() - 8);
    gate->ReceiveControl(frame);
    RunFor(MicroSeconds(10));
    NS_TEST_EXPECT_MSG_EQ(gate->GetStopped(Priority{0}).size(), 0, "nothing is stopped");
}

/// A switch with five ports. Unless stated otherwise, frames are 1000 B long and belong to class 3.
template <typename POLICY>
class OfcSwitchOver : public FakeSwitch<OfcFlowControl, POLICY>
{
    using Base = FakeSwitch<OfcFlowControl, POLICY>;

  public:
    OfcSwitchOver()
        : Base(5)
    {
        this->m_policy->SetAttribute("PrivateBytes", UintegerValue(0));
    }

    OfcSwitchOver& Start()
    {
        Base::Start();
        for (uint16_t port = 0; port < 5; ++port)
        {
            this->m_scheme->GetGate(PortId{port})->Attach({DataRate("40Gbps"), Time(0)}, nullptr);
        }
        return *this;
    }

    void Send(uint64_t flow,
              uint16_t ingress,
              uint32_t frames,
              uint16_t egress = 4,
              uint8_t priority = 3)
    {
        for (uint32_t i = 0; i < frames; ++i)
        {
            SwitchItem item = MakeItem(ingress, priority, 1000, egress);
            item.frame.flowHash = flow;
            this->Store(item);
        }
    }

    /// @return the messages to the neighbour of a port, such as "stop 1 2; go on all"
    std::string Tell(uint16_t port)
    {
        std::ostringstream text;
        for (const Ptr<Packet>& frame : this->TakeControl(PortId{port}))
        {
            const auto body = ParseMacControlFrame<OfcHeader>(*frame, OfcHeader::OPCODE);
            text << (text.tellp() > 0 ? "; " : "") << (body->stop ? "stop" : "go on")
                 << (body->all ? " all" : "") << (body->port ? " port" : "");
            for (const uint64_t flow : body->flows)
            {
                text << " " << flow;
            }
        }
        return text.str();
    }

    /// Delivers a message with which the neighbour of a port stops flows at this port.
    /// @param flows the flows to stop; if empty, all flows
    void StopAt(uint16_t port, const std::vector<uint64_t>& flows)
    {
        this->m_scheme->GetGate(PortId{port})
            ->ReceiveControl(MakeControlFrame(MakeBody(true, flows)));
        RunFor(MicroSeconds(10));
    }
};

/// XOFFc is 68 kB, XOFF is 75 kB, and XON is 45 kB.
struct OfcSwitch : OfcSwitchOver<StaticBufferPolicy>
{
    OfcSwitch()
    {
        Start();
    }
};

/// A switch like OfcSwitch, except that the length of an ingress queue includes the entire egress
/// queues that hold its frames.
struct WholeQueuesSwitch : OfcSwitchOver<StaticBufferPolicy>
{
    WholeQueuesSwitch()
    {
        m_scheme->SetAttribute("WholeEgressQueues", BooleanValue(true));
        Start();
    }
};

LOSSLESS_TEST(g_suite, "At the origin, all flows of the egress queue are stopped")
{
    OfcSwitch fake;
    fake.Send(1, 0, 40);
    fake.Send(2, 0, 27);
    fake.Send(3, 1, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0) + fake.Tell(1), "", "ingress 0 has 67 kB");
    fake.Send(1, 0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop 1 2 3", "those of the egress queue");
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(1), "", "ingress 1 is short");
    fake.Send(2, 0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "it knows");
    fake.Send(9, 0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop 9", "only what is new");
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->GetTableSizes(PortId{0}).asked, 4, "together");
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->GetTableSizes(PortId{4}).inPort, 4, "in the egress");
}

/// At first, 67 kB from ingress port 1 and 1 kB from ingress port 0 wait for port 4. Then one frame
/// arrives from port 0 for port 3, seven arrive from port 1 for port 4, and one arrives from port 0
/// for port 4.
LOSSLESS_TEST(g_suite, "By whole egress queues, frames of others count as well")
{
    WholeQueuesSwitch fake;
    fake.Send(1, 1, 67);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(1), "", "67 kB");
    fake.Send(2, 0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop 1 2", "68 kB with its own frame");
    fake.Send(3, 0, 1, 3);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "69 kB in two queues, and 1 in the one of the frame");
    fake.Send(1, 1, 6);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(1), "stop 1 2", "74 kB");
    fake.Send(1, 1, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(1), "stop all", "75 kB");
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "no frame of it has come");
    fake.Send(2, 0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop all", "77 kB in two queues");
    fake.Serve(30);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0) + fake.Tell(1), "", "46 and 47 kB");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0) + fake.Tell(1), "go on all", "45 and 46 kB");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "go on all", "45 kB");
}

LOSSLESS_TEST(g_suite, "By whole egress queues, single flows go on by these as well")
{
    WholeQueuesSwitch fake;
    fake.Send(1, 1, 67);
    fake.Send(2, 0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop 1 2", "68 kB");
    fake.Serve(22);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "46 kB, of which it has 1");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "go on 1 2", "45 kB");
}

LOSSLESS_TEST(g_suite, "By whole egress queues, a queue that is empty is so whatever others have")
{
    WholeQueuesSwitch fake;
    fake.Send(1, 1, 74);
    fake.Send(2, 0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop all", "75 kB");
    SwitchItem own = MakeItem(0, 3, 1000, 4);
    own.frame.flowHash = 2;
    fake.Leave(own);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "go on all", "74 kB, none of its own");
}

LOSSLESS_TEST(g_suite, "A frame that is refused at the egress was never in that queue")
{
    OfcSwitch fake;
    fake.Send(1, 0, 2);
    SwitchItem item = MakeItem(0, 3, 1000, 4);
    item.frame.flowHash = 1;
    for (int i = 0; i < 3; ++i)
    {
        fake.Arrive(item, {0, 1000, 0});
        fake.Refuse(item);
    }
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->GetTableSizes(PortId{4}).inPort, 1, "two frames are");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->GetTableSizes(PortId{4}).inPort, 1, "one is");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->GetTableSizes(PortId{4}).inPort, 0, "none is");
}

/// Most of the 200 frames of a lossy class find their egress queue full.
LOSSLESS_TEST(g_suite, "Behind a packet processor only frames in an egress queue count there")
{
    SwitchHelper helper("ns3::lossless::OfcSwitchNode");
    helper.SetProcessor("ns3::lossless::SharedProcessor", "Latency", TimeValue(NanoSeconds(500)));
    helper.SetPolicyAttribute("LossyAlpha", DoubleValue(0.005));
    Star star(helper.Create(), 2);
    const auto setRate = [&star](const char* rate) {
        star.GetPort(1)->ChangeRate(DataRate(rate));
        star.GetHost(1).device->ChangeRate(DataRate(rate));
    };
    // No PAUSE affects class 7. From 1 us on, a frame takes 123 us on the wire.
    Simulator::Schedule(MicroSeconds(1), [&] { setRate("100Mbps"); });
    star.GetHost(0).Send(1, 56, 1514, 200, MicroSeconds(3));
    RunFor(MicroSeconds(100));
    const auto flowControl = DynamicCast<OfcFlowControl>(star.m_switch->GetFlowControl());
    const uint64_t stored =
        star.m_switch->GetSharedBuffer()->GetEgress({PortId{1}, Priority{7}}).frames;
    NS_TEST_EXPECT_MSG_GT(stored, 10, "wait");
    NS_TEST_EXPECT_MSG_LT(stored, 90, "most were refused");
    NS_TEST_EXPECT_MSG_EQ(flowControl->GetTableSizes(PortId{1}).inPort, 1, "the flow is there");
    setRate("100Gbps");
    RunFor(MicroSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetSharedBuffer()->GetUsed(), 0, "all have left");
    NS_TEST_EXPECT_MSG_EQ(flowControl->GetTableSizes(PortId{1}).inPort, 0, "and so has the flow");
}

LOSSLESS_TEST(g_suite, "An ingress queue of short egress queues stops nobody before XOFF")
{
    OfcSwitch fake;
    fake.Send(1, 0, 37, 3);
    fake.Send(2, 0, 37, 4);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "74 kB, but 37 at each egress");
    fake.Send(1, 0, 1, 3);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop all", "75 kB");
    fake.Send(5, 0, 1, 3);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "new flows are stopped as well");
}

LOSSLESS_TEST(g_suite, "What was stopped goes on at once when XON is left, by departures alone")
{
    OfcSwitch fake;
    fake.Send(1, 0, 70);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop 1", "68 kB were enough");
    fake.Serve(24);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "46 kB");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "go on 1", "45 kB");
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->IsHolding({PortId{0}, Priority{3}}), false, "nobody");
    fake.Send(1, 0, 30);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop all", "75 kB: it stops all, and nothing else counts");
    fake.Serve(30);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "go on all", "45 kB");
}

/// The thresholds rise, as dynamic thresholds do when other queues drain.
LOSSLESS_TEST(g_suite, "Flows go on at any departure, or under ResumeByOwnRelease at one of theirs")
{
    for (const bool own : {false, true})
    {
        OfcSwitch fake;
        fake.m_scheme->SetAttribute("ResumeByOwnRelease", BooleanValue(own));
        fake.Send(2, 1, 1, 3);
        fake.Send(1, 0, 68);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop 1", "XOFFc");
        fake.m_policy->SetAttribute("Xoff", UintegerValue(150000));
        fake.m_policy->SetAttribute("Xon", UintegerValue(100000));
        fake.Serve(1);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), (own ? "" : "go on 1"), "a frame of another port");
        fake.Serve(1);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), (own ? "go on 1" : ""), "its own");
    }
}

LOSSLESS_TEST(g_suite, "Flows and then all, flows and all go on together")
{
    OfcSwitch fake;
    fake.Send(1, 0, 68);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop 1", "XOFFc");
    fake.Send(2, 0, 7);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop all", "XOFF; 2 is among them");
    fake.Serve(30);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "go on all", "one frame for all of it");
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "nothing else");
}

LOSSLESS_TEST(g_suite, "A stop that ends before the wire is free is not told")
{
    OfcSwitch fake;
    fake.Send(1, 0, 68);
    fake.Serve(23);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "it has gone on meanwhile");
    fake.Send(1, 0, 23);
    fake.Serve(23);
    fake.Send(2, 0, 23);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop 1 2", "what holds now");
}

LOSSLESS_TEST(g_suite, "A congestion farther on stops the flows that are stopped there")
{
    OfcSwitch fake;
    fake.StopAt(4, {2, 7});
    fake.Send(1, 0, 40);
    fake.Send(2, 0, 28);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop 2 7", "not 1, which is not congested");
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->GetTableSizes(PortId{4}).congested, 2, "in the list");
}

LOSSLESS_TEST(g_suite, "A list of flows from elsewhere hides congestion until XOFF")
{
    OfcSwitch fake;
    fake.StopAt(4, {7});
    fake.Send(1, 0, 70);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop 7", "who is not even here");
    fake.Send(1, 0, 5);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop all", "75 kB");
}

LOSSLESS_TEST(g_suite, "A long list is told in several frames, unless all are stopped meanwhile")
{
    OfcSwitch fake;
    for (uint64_t flow = 0; flow < 185; ++flow)
    {
        fake.Send(1000 + flow, 1, 1);
    }
    // At egress port 4, 185 kB are waiting, and ingress port 1 exceeds XOFF.
    fake.Send(0, 0, 68);
    const std::vector<Ptr<Packet>> frames = fake.TakeControl(PortId{0});
    NS_TEST_ASSERT_MSG_EQ(frames.size(), 2, "186 flows");
    NS_TEST_EXPECT_MSG_EQ(frames[0]->GetSize(), 60 + 181 * 8, "a full one");
    NS_TEST_EXPECT_MSG_EQ(frames[1]->GetSize(), 60 + 5 * 8, "the rest");
    OfcSwitch other;
    other.Send(1, 0, 70);
    other.Send(1, 0, 5);
    NS_TEST_EXPECT_MSG_EQ(other.Tell(0), "stop all", "which takes in the list");
}

LOSSLESS_TEST(g_suite, "An idle wire takes the whole list in one frame, in the order of the hashes")
{
    OfcSwitch fake;
    std::string traced;
    ListenTo(*fake.m_scheme, "FlowState", [&traced](QueueId, uint64_t flow, bool stopped) {
        traced += (stopped ? " +" : " -") + std::to_string(flow);
    });
    fake.Send(30, 0, 22);
    fake.Send(10, 0, 23);
    fake.Send(20, 0, 22);
    fake.SetIdle(PortId{0});
    fake.Send(10, 0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop 10 20 30", "68 kB: three flows at once");
    NS_TEST_EXPECT_MSG_EQ(fake.m_requests[PortId{0}], 1, "asked for the wire once");
    fake.SetIdle(PortId{0});
    fake.Serve(23);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "go on 10 20 30", "45 kB");
    NS_TEST_EXPECT_MSG_EQ(traced, " +10 +20 +30 -10 -20 -30", "by hash");
}

/// In the OFC paper, the next switch lists all flows that it knows, and these flows are stopped.
LOSSLESS_TEST(g_suite, "Where the next switch has stopped all flows, the queue's are relayed")
{
    OfcSwitch fake;
    fake.StopAt(4, {7});
    fake.StopAt(4, {});
    fake.Send(1, 0, 68);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "stop 1 7", "the list, and what waits for the class");
}

LOSSLESS_TEST(g_suite, "Classes that stop at once share a frame, as headroom counts on")
{
    OfcSwitch fake;
    fake.Send(1, 0, 75, 4, 3);
    fake.Send(2, 0, 75, 4, 5);
    const auto frames = fake.TakeControl(PortId{0});
    NS_TEST_ASSERT_MSG_EQ(frames.size(), 1, "one for both");
    const auto body = ParseMacControlFrame<OfcHeader>(*frames[0], OfcHeader::OPCODE);
    NS_TEST_EXPECT_MSG_EQ(body->classes, (SetOf(Priority{3}) | SetOf(Priority{5})), "3 and 5");
    NS_TEST_EXPECT_MSG_EQ((body->stop && body->all), true, "all flows stop");
    fake.Serve(30);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "go on all", "class 3 alone, at 45 kB");
}

LOSSLESS_TEST(g_suite, "XON < XOFFc < XOFF at every threshold, over dynamic ones as well")
{
    OfcSwitchOver<SihBufferPolicy> fake;
    fake.m_policy->SetAttribute("Alpha", DoubleValue(1));
    fake.Start();
    const QueueId queue{PortId{0}, Priority{3}};
    const SwitchItem filler = MakeItem(1, 1, 1000, 4);
    uint64_t last = 0;
    for (uint32_t frames = 0; fake.m_policy->GetThreshold(*fake.m_buffer) > 1000; ++frames)
    {
        const OfcFlowControl::Levels levels = fake.m_scheme->GetLevels(queue);
        NS_TEST_ASSERT_MSG_LT(levels.xon, levels.congestion, "after " << frames);
        NS_TEST_ASSERT_MSG_LT(levels.congestion, levels.xoff, "after " << frames);
        NS_TEST_ASSERT_MSG_EQ_TOL(levels.congestion, levels.xoff * 68.0 / 75, 0.51, "alpha XOFF");
        NS_TEST_ASSERT_MSG_EQ_TOL(levels.xon, levels.xoff * 0.6, 1, "45 of 75");
        fake.m_buffer->Arrive(filler, {0, 1000, 0});
        last = levels.xoff;
    }
    NS_TEST_EXPECT_MSG_LT(last, 3000, "down to almost nothing");
    OfcSwitch fixed;
    const OfcFlowControl::Levels levels = fixed.m_scheme->GetLevels(queue);
    NS_TEST_EXPECT_MSG_EQ(levels.xoff, 75000, "XOFF of OFC");
    NS_TEST_EXPECT_MSG_EQ(levels.congestion, 68000, "XOFFc of OFC");
    NS_TEST_EXPECT_MSG_EQ(levels.xon, 45000, "the policy's own, since it is below XOFFc");
}

LOSSLESS_TEST(g_suite, "A policy's levels for ports stop and restart the port as a whole")
{
    OfcSwitchOver<DshBufferPolicy> fake;
    fake.m_policy->SetAttribute("Alpha", DoubleValue(0.1));
    fake.m_policy->SetAttribute("PortResumeOffset", UintegerValue(300000));
    fake.Start();
    PortUnderLevels port(fake);
    NS_TEST_EXPECT_MSG_EQ(port.Fill(), true, "XOFF of the port");
    const std::string told = fake.Tell(0);
    NS_TEST_EXPECT_MSG_EQ(told.substr(0, 9), "stop port", told);
    NS_TEST_EXPECT_MSG_EQ(port.Drain(), true, "XON of the port");
    ExpectPart(fake.Tell(0), "go on port");
}

LOSSLESS_TEST(g_suite, "A stop of the port does not lift those of its classes, nor the other way")
{
    auto gate = CreateObject<OfcGate>();
    gate->Attach({DataRate("40Gbps"), Time(0)}, nullptr);
    const auto tell = [&gate](bool stop, bool port) {
        OfcHeader body = MakeBody(stop);
        body.classes = port ? 0 : body.classes;
        body.all = !port;
        body.port = port;
        gate->ReceiveControl(MakeControlFrame(body));
        RunFor(MicroSeconds(10));
    };
    tell(true, false);
    NS_TEST_EXPECT_MSG_EQ(gate->GetOpen(), 0xf7, "class 3");
    tell(true, true);
    NS_TEST_EXPECT_MSG_EQ(gate->GetOpen(), 0, "all");
    tell(false, true);
    NS_TEST_EXPECT_MSG_EQ(gate->GetOpen(), 0xf7, "class 3 stays stopped");
    tell(true, true);
    tell(false, false);
    NS_TEST_EXPECT_MSG_EQ(gate->GetOpen(), 0, "the port does");
    tell(false, true);
    NS_TEST_EXPECT_MSG_EQ(gate->GetOpen(), 0xff, "none");
}

LOSSLESS_TEST(g_suite, "Levels that are not in their order are refused")
{
    const std::string own = " B; it must be between XON of 45000 B and XOFF of 75000 B (port 0, "
                            "class 0 of the empty switch), or 0 for CongestionShare of XOFF";
    const auto check = [](uint64_t bytes) {
        return GetAbortMessage([bytes] {
            OfcSwitchOver<StaticBufferPolicy> fake;
            fake.m_scheme->SetAttribute("CongestionXoff", UintegerValue(bytes));
            fake.Start();
        });
    };
    for (const uint64_t bytes : {45000, 75000, 80000, 1})
    {
        const std::string said = check(bytes);
        ExpectPart(said, "CongestionXoff is " + std::to_string(bytes) + own);
    }
    NS_TEST_EXPECT_MSG_EQ(check(45001) + check(74999), "", "just between them");
}

/// A queue and its gate, for a random sequence of events.
class RandomQueue
{
  public:
    explicit RandomQueue(int64_t stream)
    {
        m_random->SetStream(stream);
        m_gate->Attach({DataRate("40Gbps"), Time(0)}, nullptr);
        m_queue->Attach(m_gate, Priority{3});
    }

    ~RandomQueue()
    {
        m_queue->Dispose();
    }

  protected:
    static constexpr uint64_t FLOWS = 5;

    uint64_t DrawFlow() const
    {
        return m_random->GetInteger(0, FLOWS - 1);
    }

    void Receive(const OfcHeader& body) const
    {
        m_gate->ReceiveControl(MakeControlFrame(body));
        RunFor(MicroSeconds(2));
    }

    /// Stores a frame whose size is its number.
    void Store(uint64_t flow, uint32_t number) const
    {
        SwitchItem item = MakeItem(0, 3, number);
        item.frame.flowHash = flow;
        m_queue->Enqueue(std::move(item));
    }

    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; ///< for all draws
    Ptr<OfcEgressQueue> m_queue{CreateObject<OfcEgressQueue>()}; ///< queue under test
    Ptr<OfcGate> m_gate{CreateObject<OfcGate>()};                ///< gate of the port
    std::set<uint64_t> m_stopped;                                ///< paused flows
};

/// Compares the queue with a model of the frames that can leave.
class QueueUnderAttack : private RandomQueue
{
  public:
    using RandomQueue::RandomQueue;

    /// Performs a random event.
    /// @return the violated law, or an empty string
    std::string Step()
    {
        switch (m_random->GetInteger(0, 9))
        {
        case 0:
            Tell(true, false);
            return "";
        case 1:
            Tell(false, false);
            return "";
        case 2:
            Tell(m_random->GetInteger(0, 5) == 0, true);
            return "";
        case 3:
        case 4:
        case 5:
            StoreOne();
            return "";
        default:
            return Serve();
        }
    }

    std::string Finish()
    {
        Tell(false, true);
        std::string broken;
        while (broken.empty() && !m_queue->IsEmpty())
        {
            broken = Serve();
        }
        return broken.empty() && m_stored > 0 ? "frames have vanished" : broken;
    }

  private:
    void Tell(bool stop, bool all)
    {
        OfcHeader body = MakeBody(stop);
        body.all = all;
        for (uint64_t flow = 0; !all && flow < FLOWS; ++flow)
        {
            if (m_random->GetInteger(0, 1) == 0)
            {
                body.flows.push_back(flow);
            }
        }
        for (uint64_t flow = 0; flow < FLOWS; ++flow)
        {
            if (std::count(body.flows.begin(), body.flows.end(), flow) > 0)
            {
                if (stop)
                {
                    m_stopped.insert(flow);
                }
                else
                {
                    m_stopped.erase(flow);
                }
            }
        }
        m_isClosed = all ? stop : m_isClosed;
        if (all && !stop)
        {
            m_stopped.clear();
        }
        Receive(body);
    }

    void StoreOne()
    {
        const uint64_t flow = DrawFlow();
        m_waiting[flow].push_back(m_nextNumber[flow]);
        Store(flow, m_nextNumber[flow]++);
        ++m_stored;
    }

    std::string Serve()
    {
        bool mayAny = false;
        for (const auto& [flow, numbers] : m_waiting)
        {
            mayAny |= !numbers.empty() && !m_isClosed && m_stopped.count(flow) == 0;
        }
        if (m_queue->Prepare(m_gate->GetPermit()) != mayAny)
        {
            return mayAny ? "a frame that may leave is held" : "no frame may leave";
        }
        if (!mayAny)
        {
            return "";
        }
        const SwitchItem item = m_queue->Dequeue();
        --m_stored;
        std::deque<uint32_t>& numbers = m_waiting[item.frame.flowHash];
        if (m_stopped.count(item.frame.flowHash) > 0)
        {
            return "a stopped frame leaves";
        }
        if (numbers.empty() || numbers.front() != item.frame.size)
        {
            return "a frame overtakes one of its flow";
        }
        numbers.pop_front();
        std::size_t visited = 0;
        m_queue->ForEach([&visited](const SwitchItem& /* item */) { ++visited; });
        return visited == m_stored ? "" : "frames are counted wrongly";
    }

    bool m_isClosed{false};                             ///< true if all flows are paused
    std::map<uint64_t, uint32_t> m_nextNumber;          ///< number of the next frame of each flow
    std::map<uint64_t, std::deque<uint32_t>> m_waiting; ///< numbers of waiting frames, by flow
    std::size_t m_stored{0};                            ///< number of stored frames
};

/// @param last the last seed; each seed results in a long random sequence
void
AttackQueue(int64_t first, int64_t last)
{
    for (int64_t seed = first; seed <= last; ++seed)
    {
        QueueUnderAttack attack(seed);
        std::string broken;
        for (int step = 0; broken.empty() && step < 3000; ++step)
        {
            broken = attack.Step();
        }
        broken = broken.empty() ? attack.Finish() : broken;
        NS_TEST_ASSERT_MSG_EQ(broken, "", "seed " << seed);
    }
}

LOSSLESS_TESTS(g_suite)
{
    const std::string law = "Stopped frames wait, others pass, and each flow keeps its order";
    AddSeeds(g_suite, law, 12, 1000, AttackQueue);
}

/// Compares the queue with a simpler design that has one queue for frames set aside. The paper
/// considers this design sufficient without partial resumes (Sec. III-B). Messages stop individual
/// flows but resume all flows at once.
class BesideOneQueue : private RandomQueue
{
  public:
    using RandomQueue::RandomQueue;

    /// Performs a random event.
    /// @return true if both queues serve the same frame or no frame
    bool Step()
    {
        switch (m_random->GetInteger(0, 7))
        {
        case 0:
            // All frames set aside must leave before flows are stopped again.
            if (m_aside.empty() || !m_isEmptying)
            {
                Tell(true);
            }
            return true;
        case 1:
            Tell(false);
            return true;
        case 2:
        case 3:
        case 4:
            m_arrivals.emplace_back(DrawFlow(), m_next++);
            Store(m_arrivals.back().first, m_arrivals.back().second);
            return true;
        default:
            return Serve();
        }
    }

  private:
    /// Handles a message from the neighbour.
    /// @param stop true if the message stops a flow; otherwise, it resumes all flows
    void Tell(bool stop)
    {
        m_isEmptying = !stop;
        if (stop)
        {
            const uint64_t flow = DrawFlow();
            m_stopped.insert(flow);
            Receive(MakeBody(true, {flow}));
        }
        else
        {
            m_stopped.clear();
            Receive(MakeBody(false));
        }
    }

    /// Serves both queues once, as if the wire were free.
    /// @return true if both queues serve the same frame or no frame
    bool Serve()
    {
        const uint32_t expected = ServeOne();
        const bool serves = m_queue->Prepare(m_gate->GetPermit());
        return serves ? m_queue->Dequeue().frame.size == expected : expected == 0;
    }

    /// @return the number of the departing frame, or 0 if there is none
    uint32_t ServeOne()
    {
        if (m_isEmptying && !m_aside.empty())
        {
            const uint32_t number = m_aside.front();
            m_aside.pop_front();
            return number;
        }
        while (!m_arrivals.empty())
        {
            const auto [flow, number] = m_arrivals.front();
            m_arrivals.pop_front();
            if (m_stopped.count(flow) == 0)
            {
                return number;
            }
            m_aside.push_back(number);
        }
        return 0;
    }

    std::deque<std::pair<uint64_t, uint32_t>> m_arrivals; ///< flow and number of each frame
    std::deque<uint32_t> m_aside;                         ///< numbers of frames set aside
    bool m_isEmptying{false};                             ///< true if all flows have been resumed
    uint32_t m_next{1};                                   ///< number of the next frame
};

LOSSLESS_TEST(g_suite, "One queue to set frames aside is enough without partial resumes")
{
    for (int64_t seed = 1; seed <= 12; ++seed)
    {
        BesideOneQueue both(seed);
        for (int step = 0; step < 3000; ++step)
        {
            NS_TEST_ASSERT_MSG_EQ(both.Step(), true, "seed " << seed << ", step " << step);
        }
    }
}

/// The links of the three hosts have a rate of 1 Gb/s. Two frames of 976 B, or 1000 B on the wire
/// including a gap of 12 B, arrive at the same time.
LOSSLESS_TEST(g_suite, "Mean lengths of queues count to the last bit of each frame")
{
    auto node = CreateObject<InfiniteBufferSwitchNode>();
    Star star(node, 3, {DataRate("1Gbps"), MicroSeconds(1)});
    QueueLengthRecorder means;
    means.WatchSwitch("s", node);
    star.GetHost(0).Send(2, 24, 976);
    star.GetHost(1).Send(2, 24, 976);
    RunFor(MicroSeconds(100));
    const auto rows = means.GetRows();
    NS_TEST_ASSERT_MSG_EQ(rows.size(), 1, "one port");
    NS_TEST_EXPECT_MSG_EQ(rows[0].frames, 2, "frames");
    // The first frame takes 8 us to leave. The second one waits for it and then leaves.
    const double expected = 976.0 * (8000 + 8000 + 8000) / 100000;
    NS_TEST_EXPECT_MSG_EQ_TOL(rows[0].meanBytes, expected, 1e-9, "of 100 us");
}

/// A flow of two full packets, each of which takes 8656 ns at 1 Gb/s: 1058 B and 24 B of overhead.
LOSSLESS_TEST(g_suite, "The port of a sender holds what waits there from the start of a flow")
{
    Fabric fabric(Topology::Star(StarOptions{2, DataRate("1Gbps"), MicroSeconds(1)}),
                  SwitchHelper("ns3::lossless::InfiniteBufferSwitchNode"));
    QueueLengthRecorder means;
    for (uint32_t host = 0; host < 2; ++host)
    {
        Ptr<RoceNic> nic = fabric.GetNic(host);
        means.WatchNic({"h" + std::to_string(host), nic, nic, nic->GetObject<LosslessNetDevice>()});
    }
    fabric.StartFlows({{0, 0, 1, 3, 2000, MicroSeconds(10), ""}});
    RunFor(MicroSeconds(100));
    const auto rows = means.GetRows();
    NS_TEST_ASSERT_MSG_EQ(rows.size(), 1, "the answers of the receiver do not count");
    NS_TEST_EXPECT_MSG_EQ(rows[0].node, "h0", "the sender");
    NS_TEST_EXPECT_MSG_EQ(rows[0].frames, 2, "frames");
    NS_TEST_EXPECT_MSG_EQ_TOL(rows[0].meanBytes, 1058.0 * 3 * 8656 / 100000, 1e-9, "of 100 us");
}

/// @return the sum, over all frames in h0's queue, of the size (B) times the queueing time (ns)
double
MeasureSender(const std::string& reliability,
              const FlowList& flows,
              const std::list<uint32_t>& lost = {})
{
    ObjectFactory nics("ns3::lossless::RoceNic",
                       "Reliability",
                       StringValue("ns3::lossless::" + reliability));
    Fabric fabric(Topology::Star(StarOptions{2, DataRate("1Gbps"), MicroSeconds(1)}),
                  SwitchHelper("ns3::lossless::InfiniteBufferSwitchNode"),
                  nics);
    Ptr<RoceNic> nic = fabric.GetNic(0);
    LoseFrames(*fabric.GetHostDevice(0)->GetPeer(), lost);
    QueueLengthRecorder lengths;
    lengths.WatchNic({"h0", nic, nic, nic->GetObject<LosslessNetDevice>()});
    fabric.StartFlows(flows);
    RunFor(MicroSeconds(200));
    const double area = lengths.GetRows().at(0).meanBytes * 200000;
    Simulator::Destroy();
    return area;
}

LOSSLESS_TEST(g_suite, "A sender's queue counts optional headers, and no packet that is sent again")
{
    // Each of the two packets is 16 B longer than under go-back-N (PlaceHeader) and takes 8784 ns.
    NS_TEST_EXPECT_MSG_EQ_TOL(MeasureSender("Unordered", {{0, 0, 1, 3, 2000, Time(0), ""}}),
                              (1058 + 16) * 3 * 8784.0,
                              1e-3,
                              "with a header");
    // Each of ten packets takes 8656 ns. The first one is lost. The second one reaches h1 after
    // 17312 + 1000 + 8656 + 1000 = 27968 ns, and its NAK of 62 B reaches h0 another 3376 ns later,
    // while the fourth packet leaves. The first four packets leave in slots 1 to 4 and again in
    // slots 5 to 8, where they do not count. The others leave in slots 9 to 14. The sum of the
    // slots is 10 + 69.
    NS_TEST_EXPECT_MSG_EQ_TOL(MeasureSender("GoBackN", {{0, 0, 1, 3, 10000, Time(0), ""}}, {0}),
                              1058 * 79 * 8656.0,
                              1e-3,
                              "some packets twice");
}

LOSSLESS_TEST(g_suite, "Queues emptied with their link, and frames without a way, leave no length")
{
    auto node = CreateObject<InfiniteBufferSwitchNode>();
    Star star(node, 3, {DataRate("1Gbps"), MicroSeconds(1)});
    QueueLengthRecorder means;
    means.WatchSwitch("s", node);
    star.GetHost(0).Send(2, 24, 976, 10);
    star.GetHost(1).Send(2, 24, 976, 10);
    auto channel = DynamicCast<LosslessChannel>(node->GetPortDevice(PortId{2})->GetChannel());
    Simulator::Schedule(MicroSeconds(40), &LosslessChannel::SetUp, channel, false);
    RunFor(MicroSeconds(1000));
    const double long1 = means.GetRows().at(0).meanBytes * 1000;
    RunFor(MicroSeconds(1000));
    const double long2 = means.GetRows().at(0).meanBytes * 2000;
    NS_TEST_EXPECT_MSG_GT(long1, 0, "there was one");
    NS_TEST_EXPECT_MSG_EQ_TOL(long2, long1, 1e-6, "nothing stays");
}

/// At 40 Gb/s, each byte takes 0.2 ns. Due to rounding, some frames that are sent back to back take
/// one tick less than a single frame.
LOSSLESS_TEST(g_suite, "Frames whose time on the wire is no whole number of ticks leave no length")
{
    // With its overhead of 24 B, a frame takes 204 to 204.8 ns.
    for (const uint32_t bytes : {996, 997, 998, 999, 1000})
    {
        auto node = CreateObject<InfiniteBufferSwitchNode>();
        Star star(node, 3, {DataRate("40Gbps"), MicroSeconds(1)});
        QueueLengthRecorder means;
        means.WatchSwitch("s", node);
        star.GetHost(0).Send(2, 24, bytes, 20);
        star.GetHost(1).Send(2, 24, bytes, 20);
        RunFor(MicroSeconds(100));
        const double area = means.GetRows().at(0).meanBytes * 100;
        // In units of the frame time, frame n arrives at n / 2, rounded down, and has left at n +
        // 1.
        const double each = (bytes + 24) * 0.2e-3;
        const double expected = bytes * each * (40 * 41 / 2 - 2 * (19 * 20 / 2));
        NS_TEST_EXPECT_MSG_EQ_TOL(area, expected, 0.01 * expected, bytes << " B");
        RunFor(MicroSeconds(900));
        const double later = means.GetRows().at(0).meanBytes * 1000;
        NS_TEST_EXPECT_MSG_EQ_TOL(later, area, 1e-6 * area, "nothing stays of " << bytes << " B");
        Simulator::Destroy();
    }
}

/// The network of the OFC paper (Fig. 1), with h0 and h1 at s0, eight hosts at s2, links of 40 Gb/s
/// with a delay of 20 ns, and no response time.
/// @param policy the policy for PFC; if empty, the switches use their default
/// @return the completion times of an uncongested flow and of the congested flow beside it
std::pair<Time, Time>
RunLine(const std::string& type, const std::string& policy)
{
    Config::SetDefault("ns3::lossless::TransmitGate::ResponseQuanta", UintegerValue(0));
    LineOptions line;
    line.hostsPerSwitch = {2, 0, 8};
    line.hostRate = line.fabricRate = DataRate("40Gbps");
    line.delay = NanoSeconds(20);
    SwitchHelper switches(type);
    if (!policy.empty())
    {
        switches.SetBufferPolicy(policy);
    }
    switches.SetPolicyAttribute("PrivateBytes", UintegerValue(0));
    Fabric fabric(Topology::Line(line), switches);
    ResultsWriter results("");
    results.AddFabric(fabric);
    FlowList flows{{0, 0, 8, 1, 4000000, Time(0), ""}, {1, 1, 9, 1, 4000000, Time(0), ""}};
    for (uint32_t host = 2; host < 8; ++host)
    {
        flows.push_back({host, host, 9, 1, 300000, MicroSeconds(5) * host, ""});
    }
    fabric.StartFlows(flows);
    fabric.StopWhenFlowsAreDone(Seconds(1));
    Simulator::Run();
    const auto& found = results.Get<FlowRecorder>()->GetFlows();
    const std::pair<Time, Time> times{found.at(0).GetCompletionTime(),
                                      found.at(1).GetCompletionTime()};
    NS_TEST_EXPECT_MSG_EQ(found.at(0).isReceived, true, type);
    NS_TEST_EXPECT_MSG_EQ(found.at(1).isReceived, true, type);
    Simulator::Destroy();
    Config::Reset();
    return times;
}

/// In each of seven classes, three hosts of a star send 1 MB each to the fourth host.
uint64_t
CountControlOfIncast(const std::string& policy)
{
    StarOptions options{4, DataRate("100Gbps"), MicroSeconds(2)};
    SwitchHelper switches("ns3::lossless::OfcSwitchNode");
    switches.SetBufferPolicy(policy);
    switches.SetPolicyAttributeIfPresent("OversubscribeRatio", DoubleValue(1));
    Fabric fabric(Topology::Star(options), switches);
    uint64_t frames = 0;
    ListenTo(*fabric.GetSwitch(0)->GetFlowControl(),
             "ControlSent",
             [&frames](PortId, Ptr<const Packet>) { ++frames; });
    FlowList flows;
    for (uint32_t i = 0; i < 21; ++i)
    {
        flows.push_back({i, i / 7, 3, static_cast<uint8_t>(i % 7), 1000000, Time(0), ""});
    }
    fabric.StartFlows(flows);
    fabric.StopWhenFlowsAreDone(Seconds(1));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetCounts().losslessDropped, 0, policy);
    Simulator::Destroy();
    return frames;
}

/// If XOFFc were below XON, flows would be paused and resumed at every frame.
LOSSLESS_TEST(g_suite, "Dynamic thresholds take no more control frames than fixed ones")
{
    const uint64_t fixed = CountControlOfIncast("ns3::lossless::StaticBufferPolicy");
    NS_TEST_EXPECT_MSG_GT(fixed, 100, "flows stop and go on");
    for (const std::string policy : {"Sih", "Dsh", "Shp"})
    {
        const uint64_t frames = CountControlOfIncast("ns3::lossless::" + policy + "BufferPolicy");
        NS_TEST_EXPECT_MSG_LT(frames, fixed, policy);
    }
}

/// The uncongested flow receives half of a link, 20 Gb/s, and the whole link while the other flow
/// is paused. It thus takes less time than 4 MB at 20 Gb/s, which take 1.6 ms plus 5 % for headers.
/// PFC pauses the uncongested flow as well.
LOSSLESS_TEST(g_suite, "An uncongested flow beside a congested one keeps its rate; not under PFC")
{
    const auto [beside, congested] = RunLine("ns3::lossless::OfcSwitchNode", "");
    NS_TEST_EXPECT_MSG_LT(beside, MicroSeconds(1680), "it gains");
    NS_TEST_EXPECT_MSG_GT(congested, beside, "the congested one is later");
    const auto [besidePfc, congestedPfc] =
        RunLine("ns3::lossless::PfcSwitchNode", "ns3::lossless::StaticBufferPolicy");
    NS_TEST_EXPECT_MSG_GT(besidePfc, beside + MicroSeconds(200), "stopped with the congested one");
    NS_TEST_EXPECT_MSG_EQ_TOL(besidePfc, congestedPfc, MicroSeconds(50), "both alike");
}

/// Three hosts, each at a switch of a ring. XOFFc is 20 frames.
/// @param xoff the number of frames at which all flows are paused
/// @param hops the number of hops from each sender to its receiver
std::pair<std::vector<DeadlockRecord>, bool>
RunRing(uint32_t xoff, uint32_t hops)
{
    SwitchHelper switches("ns3::lossless::OfcSwitchNode");
    switches.SetPolicyAttribute("Xoff", UintegerValue(xoff * Ring::FRAME_BYTES));
    switches.SetPolicyAttribute("Xon", UintegerValue(10 * Ring::FRAME_BYTES));
    switches.SetPolicyAttribute("PrivateBytes", UintegerValue(0));
    switches.SetFlowControlAttribute("CongestionXoff", UintegerValue(20 * Ring::FRAME_BYTES));
    Ring ring([&]() { return switches.Create(); });
    auto detector = CreateObject<DeadlockDetector>();
    ring.Watch(*detector);
    ring.Send(hops, 2000);
    RunFor(MilliSeconds(20));
    bool isFinished = true;
    for (uint32_t i = 0; i < Ring::SIZE; ++i)
    {
        isFinished &= ring.GetHost(i).received.m_arrivals.size() == 2000;
    }
    const auto found = detector->GetDeadlocks();
    Simulator::Destroy();
    return {found, isFinished};
}

/// Each switch relays the list of the next switch, even if the flows in this list do not pass the
/// relaying switch. In the end, each egress queue holds only frames of stopped flows, none of which
/// is itself congested.
LOSSLESS_TEST(g_suite, "A ring locks when lists go round; the detector sees frames that all wait")
{
    const auto [found, isFinished] = RunRing(200, 2);
    NS_TEST_EXPECT_MSG_EQ(isFinished, false, "for ever");
    NS_TEST_ASSERT_MSG_EQ(found.size(), 1, "reported once");
    NS_TEST_ASSERT_MSG_EQ(found[0].members.size(), Ring::SIZE, "the ring");
    for (uint32_t i = 0; i < Ring::SIZE; ++i)
    {
        const DeadlockMember& member = found[0].members[i];
        NS_TEST_EXPECT_MSG_EQ(member.node, "s" + std::to_string(i), "in its order");
        const auto isOf = [&member](uint32_t host) {
            const uint32_t sink = (host + 2) % Ring::SIZE;
            const Frame frame =
                MakeUdpFrame(GetHostAddress(host), GetHostAddress(sink), 24, 976, 0);
            return member.flow == frame.flowHash;
        };
        // The flow comes from the switch's own host or from the previous host.
        NS_TEST_EXPECT_MSG_EQ((isOf(i) || isOf((i + 2) % Ring::SIZE)), true, "names a flow");
    }
}

LOSSLESS_TEST(g_suite, "A ring without a cycle of waiting stops flows, and does not lock")
{
    const auto [found, isFinished] = RunRing(30, 1);
    NS_TEST_EXPECT_MSG_EQ(isFinished, true, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(found.size(), 0, "no deadlock");
}

/// Sends frames of 1514 B, each of a different flow, over links of 100 Gb/s with a delay of 2 us to
/// a host that accepts no frames.
uint64_t
CountLost(uint32_t headroom)
{
    constexpr uint32_t FULL_FRAME = 1514;
    SwitchHelper helper("ns3::lossless::OfcSwitchNode");
    helper.SetPolicyAttribute("HeadroomBytes", UintegerValue(headroom * FULL_FRAME));
    helper.SetPolicyAttribute("PrivateBytes", UintegerValue(0));
    helper.SetPolicyAttribute("LossyPrivateBytes", UintegerValue(0));
    helper.SetAttribute("LosslessClasses", UintegerValue(0x08));
    // The shared buffer has room for one queue up to XOFF. Frame 50 raises the queue to 75.7 kB.
    helper.SetBufferAttribute("Size", UintegerValue(2 * headroom * FULL_FRAME + 50 * FULL_FRAME));
    Star star(helper.Create(), 2, {DataRate("100Gbps"), MicroSeconds(2)});
    const Frame frame = MakeControlFrame(MakeBody(true));
    Simulator::Schedule(MicroSeconds(1), [&star, frame] {
        star.m_switch->GetPortDevice(PortId{1})->GetGate()->ReceiveControl(frame);
    });
    for (uint16_t i = 0; i < 300; ++i)
    {
        star.GetHost(0).source.SendIn(
            MicroSeconds(10),
            MakeUdpFrame(GetHostAddress(0), GetHostAddress(1), 24, FULL_FRAME, i, 0, 1000 + i));
    }
    RunFor(MicroSeconds(100));
    const uint64_t lost = star.m_switch->GetCounts().losslessDropped;
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(0).source.m_starts.size(), 50 + 36, "frames sent");
    Simulator::Destroy();
    return lost;
}

/// A queue at XOFF stops all flows after the same delays as with PFC. After frame 50 has arrived,
/// "stop all" takes 7 ns to send (84 B), 2 us to arrive and 307 ns to take effect (60 quanta). The
/// current frame then lasts for up to a frame time (123 ns). Frames arrive for another 2 us. In
/// these 4.43 us, 36 frames arrive.
LOSSLESS_TEST(g_suite, "Headroom of PFC is enough for flows that nobody has listed, and no less")
{
    NS_TEST_EXPECT_MSG_EQ(CountLost(36), 0, "just enough");
    NS_TEST_EXPECT_MSG_EQ(CountLost(35), 1, "one frame short");
}

/// h0 sends two TCP flows of one class to h1 and h2. The first one is paused at the host, without
/// affecting the other one.
LOSSLESS_TEST(g_suite, "A host stops a TCP flow by its five-tuple, and lets it go on")
{
    StarOptions options{3, DataRate("10Gbps"), MicroSeconds(1)};
    Fabric fabric(Topology::Star(options), SwitchHelper("ns3::lossless::OfcSwitchNode"));
    fabric.InstallInternetStack();
    fabric.ResolveAddresses();
    auto tcp = CreateObject<TcpFlows>();
    FlowRecorder recorder;
    recorder.Watch(tcp);
    fabric.StartTcpFlows(
        tcp,
        {{0, 0, 1, 3, 5000000, Time(0), "stopped"}, {1, 0, 2, 3, 5000000, Time(0), "beside"}});
    uint64_t stopped = 0;
    const uint32_t destination = fabric.GetAddress(1).Get();
    ListenTo(*fabric.GetSwitch(0), "Enqueue", [&](const SwitchItem& item) {
        stopped = item.frame.flow.destination == destination ? item.frame.flowHash : stopped;
    });
    const auto tell = [&](bool stop) {
        fabric.GetHostDevice(0)->GetGate()->ReceiveControl(
            MakeControlFrame(MakeBody(stop, {stopped})));
    };
    Simulator::Schedule(MilliSeconds(1), [&] { tell(true); });
    RunFor(MilliSeconds(9));
    NS_TEST_EXPECT_MSG_EQ(recorder.GetFlows().at(0).isReceived, false, "stopped");
    NS_TEST_EXPECT_MSG_EQ(recorder.GetFlows().at(1).isReceived, true, "goes on");
    tell(false);
    RunFor(MilliSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(recorder.GetFlows().at(0).isReceived, true, "resumed");
    tcp->Dispose();
}

/// Three hosts of a star send to the fourth one from 0 us on. Their first frames arrive after 2 us
/// of propagation and a frame time, so of the ten samples from 0 to 9 us, the last seven find all
/// three flows in the egress queue of port 3.
LOSSLESS_TEST(g_suite, "The mean number of flows in the tables of a port; other switches have none")
{
    for (const std::string type : {"Ofc", "Pfc"})
    {
        Fabric fabric(Topology::Star(StarOptions{4, DataRate("100Gbps"), MicroSeconds(2)}),
                      SwitchHelper("ns3::lossless::" + type + "SwitchNode"));
        const auto recorder = CreateObject<OfcTableRecorder>();
        recorder->WatchSwitch("s0", fabric.GetSwitch(0));
        fabric.StartFlows({{0, 0, 3, 0, 1000000, Time(0), ""},
                           {1, 1, 3, 0, 1000000, Time(0), ""},
                           {2, 2, 3, 0, 1000000, Time(0), ""}});
        RunFor(NanoSeconds(9500));
        const auto tables = recorder->GetTables();
        NS_TEST_ASSERT_MSG_EQ(tables.size(), (type == "Ofc" ? 1 : 0), type);
        if (!tables.empty())
        {
            const ResultTable table = tables[0].make();
            NS_TEST_ASSERT_MSG_EQ(table.rows.size(), 4, "ports");
            NS_TEST_EXPECT_MSG_EQ(std::get<double>(table.rows[3][2].Get()), 2.1, "3 * 7 / 10");
        }
        Simulator::Destroy();
    }
}

/// Of 1500 bytes on the wire, 1418 are payload: preamble, FCS and gap take 24, Ethernet 14, IPv4
/// 20, UDP 8, and the headers and the checksum of RoCE 16.
LOSSLESS_TEST(g_suite, "The flows of the paper's line: roles of hosts, groups and sizes")
{
    OfcLine line;
    line.longFlows = 2;
    line.bursts = 1;
    line.rack = 5;
    line.rounds = 2;
    line.burstClass = 1;
    line.burstBytes = 3000;
    const Topology topology = line.MakeTopology();
    NS_TEST_EXPECT_MSG_EQ(topology.GetHosts().size(), 10, "a rack at each end");
    NS_TEST_EXPECT_MSG_EQ(topology.GetSwitches().size(), 3, "switches");
    std::string text;
    for (const FlowSpec& flow : line.MakeFlows())
    {
        text +=
            std::to_string(flow.source) + ">" + std::to_string(flow.destination) + flow.group + " ";
        const bool isBurst = flow.source == 5; // the first host at the last switch
        NS_TEST_EXPECT_MSG_EQ(+flow.priority, (isBurst ? 1 : 0), "class");
        NS_TEST_EXPECT_MSG_EQ(flow.bytes, (isBurst ? 2836 : 3923133), "1418 of 1500 bytes");
        NS_TEST_EXPECT_MSG_EQ(flow.start, (flow.id < 5 ? 0 : 1) * MilliSeconds(10), "rounds");
    }
    const std::string round =
        "0>6uncongested 2>8congested 1>7uncongested 3>8congested 5>8congested ";
    NS_TEST_EXPECT_MSG_EQ(text, round + round, "from and to");
}

/// The acknowledgements of a path take the one in the opposite direction: those of f1 the way of
/// f3, and those of f2 the way of f4.
LOSSLESS_TEST(g_suite, "The flows of the paper's circle take the four paths")
{
    OfcCircle circle;
    circle.hostsPerLeaf = 2;
    circle.flows = 100;
    Fabric fabric(circle.MakeTopology(), SwitchHelper("ns3::lossless::PfcSwitchNode"));
    circle.PinPaths(fabric);
    std::map<uint32_t, std::set<std::string>> passed; // switches, by the destination's leaf
    for (const uint32_t node : fabric.GetTopology().GetSwitches())
    {
        const std::string& name = fabric.GetTopology().GetNodes()[node].name;
        ListenTo(*fabric.GetSwitch(name), "Enqueue", [&passed, name](const SwitchItem& item) {
            const uint32_t host = item.frame.flow.destination - GetHostAddress(0).Get();
            passed[host / 2].insert(name);
        });
    }
    const FlowList flows = circle.MakeFlows(1);
    std::map<std::string, uint32_t> first{{"f1", 0}, {"f2", 1}, {"f3", 3}, {"f4", 2}};
    for (const FlowSpec& flow : flows)
    {
        NS_TEST_EXPECT_MSG_EQ(flow.source / 2, first.at(flow.group), flow.group);
        NS_TEST_EXPECT_MSG_EQ((flow.start <= circle.window), true, flow.group);
    }
    fabric.StartFlows(flows);
    fabric.StopWhenFlowsAreDone(Seconds(1));
    Simulator::Run();
    using Names = std::set<std::string>;
    const std::vector<Names> expected{{"leaf3", "spine1", "leaf2", "spine0", "leaf0"},
                                      {"leaf2", "spine0", "leaf1"},
                                      {"leaf1", "spine1", "leaf2"},
                                      {"leaf0", "spine0", "leaf1", "spine1", "leaf3"}};
    for (uint32_t leaf = 0; leaf < 4; ++leaf)
    {
        NS_TEST_EXPECT_MSG_EQ((passed[leaf] == expected[leaf]), true, "to leaf " << leaf);
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
