// SPDX-License-Identifier: GPL-2.0-only
#include "fake-switch.h"
#include "lossless-test.h"

#include "ns3/both-queues-flow-control.h"
#include "ns3/capfc-flow-control.h"
#include "ns3/dsh-buffer-policy.h"
#include "ns3/gfc-flow-control.h"
#include "ns3/gfc-gate.h"
#include "ns3/gfc-header.h"
#include "ns3/gpfc-flow-control.h"
#include "ns3/ppfc-flow-control.h"
#include "ns3/sih-buffer-policy.h"

// Tests the schemes with which OFC is compared: both variants of P-PFC and of CaPFC, GFC, and
// G-PFC. XOFF is 75 kB and XON is 45 kB.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-ofc-baselines", UNIT);

/// A switch with five ports. Unless stated otherwise, frames are 1000 B long and go to port 4.
template <typename SCHEME, typename POLICY = StaticBufferPolicy>
class BaselineSwitch : public FakeSwitch<SCHEME, POLICY>
{
    using Base = FakeSwitch<SCHEME, POLICY>;

  public:
    BaselineSwitch()
        : Base(5)
    {
        this->m_policy->SetAttribute("PrivateBytes", UintegerValue(0));
    }

    void Send(uint16_t ingress, uint8_t priority, uint32_t frames, uint16_t egress = 4)
    {
        for (uint32_t i = 0; i < frames; ++i)
        {
            this->Store(MakeItem(ingress, priority, 1000, egress));
        }
    }

    /// @return the messages to a port's neighbour, such as "3 stops" (class 3) and "3 at 1/4"
    std::string Tell(uint16_t port)
    {
        std::ostringstream text;
        for (const Ptr<Packet>& frame : this->TakeControl(PortId{port}))
        {
            if (const auto stage = ParseMacControlFrame<GfcHeader>(*frame, GfcHeader::OPCODE))
            {
                text << (text.tellp() > 0 ? ", " : "") << +Index(stage->priority) << " at 1/"
                     << (1 << stage->stage);
                continue;
            }
            const auto pfc = ParsePfcFrame(frame);
            for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
            {
                if (pfc->IsEnabled(Priority{p}))
                {
                    text << (text.tellp() > 0 ? ", " : "") << +p
                         << (pfc->GetQuanta(Priority{p}) > 0 ? " stops" : " goes on");
                }
            }
        }
        return text.str();
    }
};

/// The ingress queue is above XOFF from 76 kB on, and the egress queue is long from 80 kB on.
LOSSLESS_TEST(g_suite, "PFC of both queues stops when both are long, and restarts by the ingress")
{
    BaselineSwitch<CapfcBothFlowControl> fake;
    fake.m_scheme->SetAttribute("EgressXoff", UintegerValue(80000));
    fake.Start();
    fake.Send(0, 3, 79);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "79 kB at the ingress, but the egress queue is short");
    fake.Send(1, 3, 2);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(1), "", "81 kB at the egress, but 2 kB at this ingress");
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "no frame of it since");
    fake.Serve(2);
    fake.Send(0, 3, 1, 3);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "its frame goes to another port");
    fake.Send(0, 3, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "3 stops", "both are long, the egress queue by no byte");
    fake.Serve(34);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "45 kB are not below XON");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "3 goes on", "44 kB at the ingress");
}

/// If all frames are in one of five egress queues, this queue has five times the mean length.
LOSSLESS_TEST(g_suite, "PFC of both queues with the mean of the egress queues")
{
    BaselineSwitch<PpfcBothFlowControl> fake;
    fake.Start();
    fake.Send(0, 3, 75);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "75 kB are not above XOFF");
    fake.Send(1, 2, 75, 3);
    NS_TEST_EXPECT_MSG_EQ(fake.m_buffer->GetMeanEgress(Priority{3}), 15000, "of this class alone");
    fake.Send(0, 3, 15, 2);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "90 kB, but this one has 15, below the mean of 18");
    fake.Send(0, 3, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "3 stops", "that one has 76");
}

LOSSLESS_TEST(g_suite, "PFC of both queues stops no class that is not lossless")
{
    FakeSwitch<CapfcBothFlowControl, StaticBufferPolicy> fake(5, SetOf(Priority{3}));
    fake.m_scheme->SetAttribute("EgressXoff", UintegerValue(1));
    fake.Start();
    for (const uint8_t priority : {2, 3})
    {
        for (int i = 0; i < 80; ++i)
        {
            fake.Pass(MakeItem(0, priority, 1000, 4));
        }
    }
    NS_TEST_EXPECT_MSG_EQ(fake.m_buffer->GetIngress({PortId{0}, Priority{2}}).paused, false, "2");
    NS_TEST_EXPECT_MSG_EQ(fake.m_buffer->GetIngress({PortId{0}, Priority{3}}).paused, true, "3");
}

/// A frame that fits only in the headroom causes a PAUSE, regardless of the egress queue.
LOSSLESS_TEST(g_suite, "PFC of both queues stops whoever is in headroom")
{
    BaselineSwitch<CapfcBothFlowControl> fake;
    fake.m_scheme->SetAttribute("EgressXoff", UintegerValue(uint64_t{1} << 40));
    fake.Start();
    fake.Send(0, 3, 100);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "100 kB of the shared buffer");
    const SwitchItem last = MakeItem(0, 3, 1000, 4);
    fake.Arrive(last, {0, 500, 500});
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "3 stops", "before it joins the egress queue");
    fake.Enqueue(last);
    fake.Serve(56);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "45 kB");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "3 goes on", "44 kB");
}

/// Stages begin at 60, 67.5, 71.25, 73.125, 74.06 and 74.53 kB.
LOSSLESS_TEST(g_suite, "GFC halves the rate at each stage, and stops at XOFF")
{
    BaselineSwitch<GfcFlowControl> fake;
    fake.Start();
    std::string told;
    for (uint32_t frames = 1; frames <= 76; ++frames)
    {
        fake.Send(0, 3, 1);
        const std::string news = fake.Tell(0);
        told += news.empty() ? "" : std::to_string(frames) + ": " + news + "; ";
    }
    NS_TEST_EXPECT_MSG_EQ(told,
                          "60: 3 at 1/2; 68: 3 at 1/4; 72: 3 at 1/8; 74: 3 at 1/16; 75: 3 at 1/64; "
                          "76: 3 stops; ",
                          "by length");
    fake.Serve(17);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "3 at 1/1", "59 kB: at full rate, when it goes on");
    fake.Serve(15);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "3 goes on", "below XON");
}

LOSSLESS_TEST(g_suite, "GFC without a final stop never stops anybody")
{
    BaselineSwitch<GfcFlowControl> fake;
    fake.m_scheme->SetAttribute("FinalStop", BooleanValue(false));
    fake.m_scheme->SetAttribute("Stages", UintegerValue(3));
    fake.Start();
    fake.Send(0, 3, 90);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "3 at 1/8", "the last stage");
}

/// With alpha 1, XOFF is the free part of the shared buffer. Another port leaves 80 kB free, so
/// with k frames of 1000 B, XOFF is (80 - k) kB. It is below the first stage, 60 kB, from k = 21
/// onwards, and it no longer exceeds the queue from k = 40 onwards.
LOSSLESS_TEST(g_suite, "GFC without a final stop has its last stage where XOFF is below all others")
{
    for (const auto& [hasFinalStop, expected] :
         {std::pair(false, "40: 3 at 1/64; 3 at 1/1"), std::pair(true, "41: 3 stops; 3 goes on")})
    {
        BaselineSwitch<GfcFlowControl, SihBufferPolicy> fake;
        fake.m_policy->SetAttribute("Alpha", DoubleValue(1));
        fake.m_scheme->SetAttribute("FinalStop", BooleanValue(hasFinalStop));
        fake.Start();
        fake.Pass(MakeItem(1, 3, fake.m_policy->GetSharedSize() - 80000, 4));
        std::string told;
        for (uint32_t frames = 1; frames <= 41; ++frames)
        {
            fake.Send(0, 3, 1);
            const std::string news = fake.Tell(0);
            told += news.empty() ? "" : std::to_string(frames) + ": " + news + "; ";
        }
        fake.Serve(2); // leaves 39 kB; XOFF and XON are 41 kB
        told += fake.Tell(0);
        NS_TEST_EXPECT_MSG_EQ(told, expected, "by length");
    }
}

LOSSLESS_TEST(g_suite, "GFC tells the stage again when the link is up again")
{
    BaselineSwitch<GfcFlowControl> fake;
    fake.Start();
    for (const uint16_t port : {0, 1})
    {
        fake.Send(port, 3, 60);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(port), "3 at 1/2", "port " << port);
    }
    fake.m_scheme->OnLinkUp(PortId{0}); // the neighbour has reset its rate to the full rate
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "3 at 1/2", "behind the link");
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(1), "", "another one knows");
}

/// A gate of GFC at 40 Gb/s, where a frame of 1500 B on the wire takes 300 ns.
struct LoneGate
{
    LoneGate()
    {
        m_gate->Attach({DataRate("40Gbps"), Time(0)}, nullptr);
    }

    void Send()
    {
        m_gate->NotifySent(MakeItem(0, 3, 1476).frame);
    }

    /// Sends a stage to the gate and waits for the response time.
    void Tell(uint8_t stage)
    {
        GfcHeader body;
        body.priority = Priority{3};
        body.stage = stage;
        m_gate->ReceiveControl(MakeControlFrame(body));
        RunFor(NanoSeconds(768)); // response time
    }

    bool IsOpenAfter(Time wait)
    {
        RunFor(wait);
        return Contains(m_gate->GetOpen(), Priority{3});
    }

    Ptr<GfcGate> m_gate{CreateObject<GfcGate>()}; ///< gate under test
};

LOSSLESS_TEST(g_suite, "The gap behind a frame makes it as long as the stage says")
{
    LoneGate gate;
    const auto isOpen = [&gate](Time wait) { return gate.IsOpenAfter(wait); };
    gate.Send();
    NS_TEST_EXPECT_MSG_EQ(isOpen(Time(0)), true, "at full rate the wire alone decides");
    gate.Tell(3);
    gate.Send();
    NS_TEST_EXPECT_MSG_EQ(isOpen(NanoSeconds(2399)), false, "8 times 300 ns");
    NS_TEST_EXPECT_MSG_EQ(isOpen(NanoSeconds(1)), true, "are over");
    gate.Send();
    gate.Tell(2);
    NS_TEST_EXPECT_MSG_EQ(isOpen(NanoSeconds(1200 - 768 - 1)), false, "4 times 300 ns");
    NS_TEST_EXPECT_MSG_EQ(isOpen(NanoSeconds(1)), true, "from the frame's first bit on");
    gate.Send();
    gate.Tell(0);
    NS_TEST_EXPECT_MSG_EQ(isOpen(Time(0)), true, "the end of the pace ends the gap");
    gate.Tell(255); // only a damaged frame can contain this stage
    gate.Send();
    NS_TEST_EXPECT_MSG_EQ(isOpen((1 << 16) * NanoSeconds(300) - NanoSeconds(1)), false, "as 16");
    NS_TEST_EXPECT_MSG_EQ(isOpen(NanoSeconds(1)), true, "2^16 times 300 ns are over");
    gate.Tell(3);
    gate.Send();
    gate.m_gate->Dispose();
    NS_TEST_EXPECT_MSG_EQ(isOpen(NanoSeconds(2400)), false, "nobody ends the last gap");
}

/// At stage 3, a frame of 1500 B on the wire takes 2400 ns with its gap.
LOSSLESS_TEST(g_suite, "A link lost within a gap begins anew at full rate, with its own gaps")
{
    LoneGate gate;
    gate.Tell(3);
    gate.Send();
    NS_TEST_EXPECT_MSG_EQ(gate.IsOpenAfter(Time(0)), false, "for 2400 ns");
    RunFor(NanoSeconds(1000));
    gate.m_gate->Reset();
    NS_TEST_EXPECT_MSG_EQ(gate.IsOpenAfter(Time(0)), true, "the link was lost");
    gate.Send();
    NS_TEST_EXPECT_MSG_EQ(gate.IsOpenAfter(Time(0)), true, "the stage is forgotten");
    gate.Tell(3); // the second gap begins 1000 ns after the first one
    NS_TEST_EXPECT_MSG_EQ(gate.IsOpenAfter(Time(0)), false, "2400 ns from the second frame on");
    NS_TEST_EXPECT_MSG_EQ(gate.IsOpenAfter(NanoSeconds(2399 - 768)),
                          false,
                          "the end of the first gap ends no other");
    NS_TEST_EXPECT_MSG_EQ(gate.IsOpenAfter(NanoSeconds(1)), true, "over");
}

/// Gates that are closed most of the time because of gaps are not a deadlock, but GFC's final stop
/// can cause one. With one hop, the hosts' links are the bottlenecks; with two hops, the ring is.
LOSSLESS_TEST(g_suite, "GFC's gaps are no deadlock, its final stop is")
{
    SwitchHelper switches = MakeStaticSwitch(51 * Ring::FRAME_BYTES,
                                             26 * Ring::FRAME_BYTES,
                                             {{"PrivateBytes", 0}},
                                             SwitchHelper("ns3::lossless::GfcSwitchNode"));
    switches.SetFlowControlAttribute("FirstStage", UintegerValue(20 * Ring::FRAME_BYTES));
    switches.SetFlowControlAttribute("Stages", UintegerValue(1));
    for (const uint32_t hops : {1, 2})
    {
        Ring ring([&switches] { return switches.Create(); });
        auto detector = CreateObject<DeadlockDetector>();
        ring.Watch(*detector);
        ring.Send(hops, 3000);
        RunFor(MilliSeconds(8));
        NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), hops - 1, hops << " hops");
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "G-PFC stops the low class first, by what both have")
{
    BaselineSwitch<GpfcFlowControl> fake;
    fake.Start();
    fake.Send(0, 3, 60);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "60 kB");
    fake.Send(0, 3, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "0 stops", "although all of it is of class 3");
    fake.Send(0, 0, 14);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "75 kB");
    fake.Send(0, 0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0),
                          "1 stops, 2 stops, 3 stops, 4 stops, 5 stops, 6 stops",
                          "the rest");
    fake.Send(1, 3, 10);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(1), "", "another port");
    fake.Serve(31);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "45 kB");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(
        fake.Tell(0),
        "0 goes on, 1 goes on, 2 goes on, 3 goes on, 4 goes on, 5 goes on, 6 goes on",
        "below XON");
}

LOSSLESS_TEST(g_suite, "G-PFC stops a port as a whole, and restarts it, by levels for ports")
{
    FakeSwitch<GpfcFlowControl, DshBufferPolicy> fake(5);
    fake.m_policy->SetAttribute("PortResumeOffset", UintegerValue(300000));
    fake.Start();
    PortUnderLevels port(fake);
    NS_TEST_EXPECT_MSG_EQ(port.Fill(), true, "XOFF of the port");
    NS_TEST_EXPECT_MSG_EQ(port.Drain(), true, "XON of the port");
}

/// @return the error message when a switch with StaticBufferPolicy starts, or an empty string
template <typename SCHEME>
std::string
StartWith(const std::string& attribute, uint64_t value)
{
    return GetAbortMessage([&] {
        BaselineSwitch<SCHEME> fake;
        fake.m_scheme->SetAttribute(attribute, UintegerValue(value));
        fake.Start();
    });
}

LOSSLESS_TEST(g_suite, "A level that is not below XOFF is refused")
{
    ExpectPart(StartWith<GfcFlowControl>("FirstStage", 75000),
               "FirstStage is 75000 B; it must be below XOFF: XON of 45000 B "
               "and XOFF of 75000 B (port 0, class 0 of the empty switch)");
    ExpectPart(StartWith<GpfcFlowControl>("LowXoff", 75000),
               "LowXoff is 75000 B; it must be below XOFF");
    NS_TEST_EXPECT_MSG_EQ(StartWith<GfcFlowControl>("FirstStage", 74999) +
                              StartWith<GpfcFlowControl>("LowXoff", 74999),
                          "",
                          "just below");
}

/// The last frames to leave do not belong to the paused queue.
LOSSLESS_TEST(g_suite, "What others have stopped restarts by them, even under ResumeByOwnRelease")
{
    BaselineSwitch<GpfcFlowControl> byPort;
    byPort.m_scheme->SetAttribute("ResumeByOwnRelease", BooleanValue(true));
    byPort.Start();
    byPort.Send(0, 3, 61);
    NS_TEST_EXPECT_MSG_EQ(byPort.Tell(0), "0 stops", "by what class 3 has");
    byPort.Serve(16);
    NS_TEST_EXPECT_MSG_EQ(byPort.Tell(0), "", "45 kB");
    byPort.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(byPort.Tell(0), "0 goes on", "below XON");

    BaselineSwitch<PpfcFlowControl> byEgress;
    byEgress.m_scheme->SetAttribute("ResumeByOwnRelease", BooleanValue(true));
    byEgress.Start();
    byEgress.Send(0, 3, 69);
    NS_TEST_EXPECT_MSG_EQ(byEgress.Tell(0), "3 stops", "the egress queue has 69 kB");
    byEgress.Send(1, 3, 60);
    byEgress.Serve(69);
    NS_TEST_EXPECT_MSG_EQ(byEgress.Tell(0), "", "60 kB, all of them from port 1");
    byEgress.Serve(15);
    NS_TEST_EXPECT_MSG_EQ(byEgress.Tell(0), "3 goes on", "45 kB");
}

/// The thresholds rise, as dynamic thresholds do when other queues drain.
LOSSLESS_TEST(g_suite, "Under ResumeByOwnRelease an arrival restarts no queue of another port")
{
    BaselineSwitch<GpfcFlowControl> fake;
    fake.m_scheme->SetAttribute("ResumeByOwnRelease", BooleanValue(true));
    fake.Start();
    fake.Send(0, 3, 76);
    fake.Send(1, 3, 76);
    NS_TEST_EXPECT_MSG_NE(fake.Tell(0), "", "stopped");
    NS_TEST_EXPECT_MSG_NE(fake.Tell(1), "", "stopped");
    fake.m_policy->SetAttribute("Xoff", UintegerValue(120000));
    fake.m_policy->SetAttribute("Xon", UintegerValue(100000));
    fake.Send(0, 3, 1);
    NS_TEST_EXPECT_MSG_NE(fake.Tell(0), "", "its classes below XON go on");
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(1), "", "nothing of port 1 has come or left");
}

/// A queue that has grown from 0 to more than 45 kB within 1 us is predicted to exceed
/// PredictionLevel, 68 kB, after another 640 ns. There are 5 egress queues, so the mean is low and
/// the threshold is XON, 45 kB.
LOSSLESS_TEST(g_suite, "P-PFC stops when the egress queue is going to be long")
{
    BaselineSwitch<PpfcFlowControl> fake;
    fake.Start();
    fake.Send(0, 3, 40);
    RunFor(MicroSeconds(1));
    fake.Send(1, 3, 25);
    const std::string told = fake.Tell(0) + fake.Tell(1);
    NS_TEST_EXPECT_MSG_EQ(told.empty(), false, "65 kB, and 25 more in 0.64 us at this pace");
    BaselineSwitch<PpfcFlowControl> slow;
    slow.Start();
    slow.Send(0, 3, 40);
    for (int i = 0; i < 25; ++i)
    {
        RunFor(MicroSeconds(10));
        slow.Send(1, 3, 1);
    }
    NS_TEST_EXPECT_MSG_EQ(slow.Tell(0) + slow.Tell(1), "", "65 kB, and nothing to come");
    const QueueId queue{PortId{4}, Priority{3}};
    NS_TEST_EXPECT_MSG_EQ_TOL(slow.m_scheme->Predict(queue), 65000, 200, "nearly level");
    NS_TEST_EXPECT_MSG_EQ(slow.m_scheme->GetThreshold(queue), 45000, "XON is more than the mean");
}

LOSSLESS_TEST(g_suite, "P-PFC draws who is stopped, by their shares of the queue")
{
    uint32_t first = 0;
    constexpr uint32_t TRIALS = 400;
    for (uint32_t trial = 0; trial < TRIALS; ++trial)
    {
        BaselineSwitch<PpfcFlowControl> fake;
        fake.m_scheme->AssignStreams(trial);
        fake.Start();
        fake.Send(0, 3, 51);
        fake.Send(1, 3, 17);
        fake.Send(2, 3, 1); // the queue exceeds 68 kB
        first += fake.Tell(0) == "3 stops" ? 1 : 0;
    }
    // The expected share is 51 of 69, with a standard deviation of 8.8 trials.
    NS_TEST_EXPECT_MSG_EQ_TOL(first, TRIALS * 51.0 / 69, 35, "of 400");
}

/// Port 0 has 60 of the 69 kB in the egress queue, which has rejected another 60 kB from port 0.
LOSSLESS_TEST(g_suite, "P-PFC draws by what is in the queue, and not less what was refused there")
{
    uint32_t first = 0;
    for (uint32_t trial = 0; trial < 20; ++trial)
    {
        BaselineSwitch<PpfcFlowControl> fake;
        fake.m_scheme->AssignStreams(trial);
        fake.Start();
        fake.Send(0, 3, 60);
        for (uint32_t i = 0; i < 60; ++i)
        {
            const SwitchItem item = MakeItem(0, 3, 1000, 4);
            fake.m_buffer->Arrive(item, {0, 1000, 0});
            fake.Refuse(item);
        }
        fake.Send(1, 3, 9);
        first += fake.Tell(0) == "3 stops" ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_GT(first, 12, "60 of 69, in 20 trials");
}

LOSSLESS_TEST(g_suite,
              "P-PFC lets go with the egress queue at its threshold and the ingress at XON")
{
    BaselineSwitch<PpfcFlowControl> fake;
    fake.Start();
    fake.Send(0, 3, 69);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "3 stops", "the only one");
    fake.Serve(23);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "46 kB");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "3 goes on", "45 kB");
}

/// A switch that derives the length of an ingress queue from the egress queues that hold its
/// frames.
template <typename SCHEME>
struct WholeQueuesSwitch : BaselineSwitch<SCHEME>
{
    WholeQueuesSwitch()
    {
        this->m_scheme->SetAttribute("WholeEgressQueues", BooleanValue(true));
        this->Start();
    }
};

LOSSLESS_TEST(g_suite, "By whole egress queues, PFC counts frames of others as well")
{
    WholeQueuesSwitch<PfcFlowControl> fake;
    fake.Send(1, 3, 75);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(1), "", "75 kB are not above XOFF");
    fake.Send(0, 3, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "3 stops", "76 kB, of which it has 1");
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(1), "", "no frame of it has come");
    fake.Send(2, 3, 1, 3);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(2), "", "its egress queue is short");
    fake.Serve(31);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "", "45 kB are not below XON");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(0), "3 goes on", "44 kB");
}

LOSSLESS_TEST(g_suite, "By whole egress queues, each baseline counts frames of others as well")
{
    WholeQueuesSwitch<CapfcBothFlowControl> both;
    both.Send(1, 3, 75);
    both.Send(0, 3, 1);
    NS_TEST_EXPECT_MSG_EQ(both.Tell(0), "3 stops", "CaPFC-Both: 76 kB in both");
    WholeQueuesSwitch<GpfcFlowControl> low;
    low.Send(1, 3, 60);
    low.Send(0, 3, 1);
    NS_TEST_EXPECT_MSG_EQ(low.Tell(0), "0 stops", "G-PFC: 61 kB");
    WholeQueuesSwitch<GfcFlowControl> stages;
    stages.Send(1, 3, 59);
    stages.Send(0, 3, 1);
    NS_TEST_EXPECT_MSG_EQ(stages.Tell(0), "3 at 1/2", "GFC: 60 kB");
    stages.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(stages.Tell(0), "3 at 1/1", "59 kB, by a frame of another");
}

/// @return true if a queue above the XOFF of StaticBufferPolicy is certain to remain paused while
/// all of its frames are stored
template <typename SCHEME>
bool
StaysStopped()
{
    BaselineSwitch<SCHEME> fake;
    fake.Start();
    fake.Send(0, 3, 80);
    return fake.m_scheme->StaysStopped(*fake.m_buffer, {PortId{0}, Priority{3}});
}

LOSSLESS_TEST(g_suite, "Where egress queues decide as well, no pause is known to last")
{
    NS_TEST_EXPECT_MSG_EQ(StaysStopped<PfcFlowControl>(), true, "PFC");
    NS_TEST_EXPECT_MSG_EQ(StaysStopped<CapfcBothFlowControl>(), true, "restarts by the ingress");
    NS_TEST_EXPECT_MSG_EQ(StaysStopped<PpfcFlowControl>(), false, "P-PFC");
    NS_TEST_EXPECT_MSG_EQ(StaysStopped<CapfcFlowControl>(), false, "CaPFC");
}

} // namespace ns3::lossless::tests::THIS_FILE
