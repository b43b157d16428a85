// SPDX-License-Identifier: GPL-2.0-only

#include "fake-switch.h"
#include "lossless-test.h"
#include "random-network.h"

#include "ns3/capfc-buffer-policy.h"
#include "ns3/capfc-flow-control.h"
#include "ns3/capfc-parameters.h"
#include "ns3/capfc-switch-node.h"

// Tests CaPFC: which ingress queues each egress queue pauses, how memory is used, and whether
// frames are lost.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-capfc", UNIT);

/// A switch with five ports. Unless stated otherwise, frames are 1000 B long, belong to class 3 and
/// go to port 4.
class CapfcSwitch : public FakeSwitch<CapfcFlowControl, CapfcBufferPolicy>
{
  public:
    explicit CapfcSwitch(const std::string& contributors = "Max")
        : FakeSwitch(5)
    {
        // The rate is that of CaPFC's Table II.
        m_shape.ports.assign(5, {DataRate("1Gbps"), MicroSeconds(1), 1500});
        m_scheme->SetAttribute("Contributors", StringValue(contributors));
    }

    void Send(uint16_t ingress, uint32_t frames)
    {
        for (uint32_t i = 0; i < frames; ++i)
        {
            Store(MakeItem(ingress, 3, 1000, 4));
        }
    }

    /// @return the ports to which a PAUSE or RESUME frame has been sent since the last call, in the
    /// format "1 stops ..."
    std::string Tell()
    {
        std::ostringstream text;
        for (uint16_t port = 0; port < 5; ++port)
        {
            for (const Ptr<Packet>& frame : TakeControl(PortId{port}))
            {
                const auto pfc = ParsePfcFrame(frame);
                text << (text.tellp() > 0 ? ", " : "") << port
                     << (pfc->GetQuanta(Priority{3}) > 0 ? " stops" : " goes on");
            }
        }
        return text.str();
    }

    /// @return the number of frames from the port that the egress queue has counted
    uint32_t Count(uint16_t ingress) const
    {
        return m_scheme->GetCount(PortId{ingress}, {PortId{4}, Priority{3}});
    }
};

/// The queue reaches WARN with 20 frames and XOFF with 25. Frames that join the queue below WARN
/// are not counted, so port 0, which has sent 19 frames, is not the heaviest contributor.
LOSSLESS_TEST(g_suite, "Counting begins at WARN, and at XOFF the heaviest is stopped")
{
    CapfcSwitch fake;
    fake.Start();
    fake.Send(0, 19);
    NS_TEST_EXPECT_MSG_EQ(fake.Count(0), 0, "below WARN");
    fake.Send(1, 3);
    fake.Send(0, 2);
    NS_TEST_EXPECT_MSG_EQ(fake.Count(1), 3, "from the frame on that makes it WARN");
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "below XOFF");
    fake.Send(2, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "1 stops", "3 of 6 frames, and not who has sent the last");
    fake.Send(0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "0 stops", "of equal ones, the lowest port");
    fake.Send(2, 2);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "3 frames, as many as the others");
    fake.Send(2, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "2 stops", "it has overtaken them: one by one");
}

LOSSLESS_TEST(g_suite, "Counts begin anew at WARN, stops last until XON")
{
    CapfcSwitch fake;
    fake.m_scheme->SetAttribute("Xon", UintegerValue(15000));
    fake.Start();
    fake.Send(0, 25);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "0 stops", "alone");
    fake.Serve(4);
    NS_TEST_EXPECT_MSG_EQ(fake.Count(0), 6, "21 frames are above WARN");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Count(0), 0, "20 are not");
    fake.Serve(4);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "16 frames are above XON");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "0 goes on", "15 are not");
}

/// Of the 20 frames counted from WARN on, the ports have sent 10, 6, 3 and 1; 80 % of the 20 are 16
/// frames.
LOSSLESS_TESTS(g_suite)
{
    struct Case
    {
        double cut;       ///< value of the parameter CUT
        std::string told; ///< expected stop messages
    };

    for (const Case& one : {Case{0.4, "0 stops"},
                            Case{0.8, "0 stops, 1 stops"},
                            Case{0.81, "0 stops, 1 stops, 2 stops"},
                            Case{1, "0 stops, 1 stops, 2 stops, 3 stops"}})
    {
        g_suite.Add(TextOf("Stop-Calibrate with CUT ", one.cut), [one] {
            CapfcSwitch fake("Calibrate");
            fake.m_scheme->SetAttribute("Cut", DoubleValue(one.cut));
            fake.m_scheme->SetAttribute("Xoff", UintegerValue(39000));
            fake.Start();
            fake.Send(0, 19 + 10);
            fake.Send(1, 6);
            fake.Send(2, 3);
            NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "38 frames");
            fake.Send(3, 1);
            NS_TEST_EXPECT_MSG_EQ(fake.Tell(), one.told, "39");
            Simulator::Destroy();
        });
    }
}

LOSSLESS_TEST(g_suite, "An ingress queue is stopped by itself and by egress queues")
{
    CapfcSwitch fake;
    fake.Start();
    std::vector<SwitchItem> waiting;
    const auto arrive = [&](uint32_t frames) {
        for (uint32_t i = 0; i < frames; ++i)
        {
            waiting.push_back(MakeItem(0, 3, 1000, 4));
            fake.Arrive(waiting.back(), {0, 1000, 0});
        }
    };
    const auto move = [&](uint32_t frames) {
        for (uint32_t i = 0; i < frames; ++i)
        {
            fake.Enqueue(waiting.back());
            waiting.pop_back();
        }
    };
    arrive(50);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "XOFF, 50 frames");
    arrive(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "0 stops", "above");
    move(10);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "41 frames are above XON");
    move(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "0 goes on", "40 are not");
    move(13);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "24 frames in the egress queue");
    move(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "0 stops", "25 are its XOFF");
    arrive(20);
    for (uint32_t i = 0; i < 5; ++i)
    {
        fake.Leave(MakeItem(0, 3, 1000, 4));
    }
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "0 goes on", "its own 46 frames have never been above XOFF");
}

LOSSLESS_TEST(g_suite, "Without contributors it is PFC, and frames to the own port count not")
{
    CapfcSwitch pfc("None");
    pfc.Start();
    pfc.Send(0, 49);
    NS_TEST_EXPECT_MSG_EQ(pfc.Tell(), "", "long egress queues stop nobody");
    NS_TEST_EXPECT_MSG_EQ(pfc.Count(0), 0, "nor count");
    CapfcSwitch fake;
    fake.Start();
    for (uint32_t i = 0; i < 30; ++i)
    {
        fake.Pass(MakeItem(4, 3, 1000, 4));
    }
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "back where they came from");
}

/// The buffer accounting of a switch with five ports, and the policy that admits its frames.
class Memory
{
  public:
    explicit Memory(uint64_t pool, bool waits = false, uint64_t ingress = 0, uint64_t egress = 0)
    {
        m_policy->SetAttribute("PoolOfIngress", UintegerValue(ingress));
        m_policy->SetAttribute("PoolOfEgress", UintegerValue(egress));
        m_policy->SetAttribute("PoolBytes", UintegerValue(pool));
        m_policy->SetAttribute("WaitForEgress", BooleanValue(waits));
        SwitchShape shape;
        shape.ports.resize(5);
        m_policy->Configure(shape);
        m_buffer->Resize(5);
        m_buffer->SetTwoSided(true);
    }

    bool Arrive(uint16_t ingress, uint32_t bytes, uint8_t priority = 3)
    {
        const SwitchItem item = MakeItem(ingress, priority, bytes, 4);
        const Admission admission = m_policy->Admit(*m_buffer, item);
        if (admission.IsAdmitted())
        {
            m_buffer->Arrive(item, admission.segments);
        }
        return admission.IsAdmitted();
    }

    /// Moves bytes that have arrived to the egress side of port 4, if the policy admits them there.
    AdmissionOutcome Move(uint16_t ingress, uint32_t bytes, uint8_t priority = 3)
    {
        const SwitchItem item = MakeItem(ingress, priority, bytes, 4);
        const Admission admission = m_policy->AdmitEgress(*m_buffer, item);
        if (admission.IsAdmitted())
        {
            m_buffer->Move(item);
        }
        return admission.outcome;
    }

  private:
    Ptr<CapfcBufferPolicy> m_policy{CreateObject<CapfcBufferPolicy>()};
    Ptr<SharedBuffer> m_buffer{CreateObject<SharedBuffer>()};
};

LOSSLESS_TEST(g_suite, "Queues with memories of their own hold 60 kB, to the byte")
{
    Memory memory(0);
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(0, 60000), true, "just");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(0, 1), false, "one more");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(0, 60000, 2), true, "another class");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(1, 60000), true, "another port");
    NS_TEST_EXPECT_MSG_EQ(memory.Move(0, 60000), AdmissionOutcome::ADMIT, "just");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(0, 60000), true, "its place is free again");
    NS_TEST_EXPECT_MSG_EQ(memory.Move(1, 1), AdmissionOutcome::REFUSE, "one more is lost");
    Memory patient(0, true);
    patient.Arrive(0, 60000);
    patient.Move(0, 60000);
    patient.Arrive(1, 1);
    NS_TEST_EXPECT_MSG_EQ(patient.Move(1, 1), AdmissionOutcome::WAIT, "or waits");
}

/// Each queue has 8 kB of private buffer. A queue can use up to 80 kB of the pool of 350 kB, and
/// one side of a port can use up to 100 kB.
LOSSLESS_TEST(g_suite, "The pool is divided by queue and port, and over all, to the byte")
{
    Memory memory(350000);
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(0, 88000), true, "8 + 80");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(0, 1), false, "a queue's");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(0, 28000, 2), true, "8 + 20");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(0, 1, 2), false, "a port's");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(0, 8000, 1), true, "its own");
    for (const uint16_t port : {1, 2})
    {
        memory.Arrive(port, 88000);
        memory.Arrive(port, 28000, 2);
    }
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(3, 58000), true, "300 + 50 kB of the pool");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(3, 1), false, "which is used up");
    NS_TEST_EXPECT_MSG_EQ(memory.Move(0, 8001), AdmissionOutcome::ADMIT, "it takes its part along");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(3, 8000), true, "what the egress queue has of its own");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(3, 1), false, "the pool is full again");
    NS_TEST_EXPECT_MSG_EQ(memory.Move(0, 8000, 1), AdmissionOutcome::ADMIT, "own on both sides");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(0, 1, 1), true, "own of the ingress queue");
    NS_TEST_EXPECT_MSG_EQ(memory.Move(0, 1, 1), AdmissionOutcome::REFUSE, "it brings nothing");
}

/// The first frames take 52 kB of the pool, and the next ones take 28 kB. The limits are 80 kB per
/// queue and 100 kB per port.
LOSSLESS_TEST(g_suite, "An egress queue that has some of the pool takes what a frame adds")
{
    Memory memory(350000);
    memory.Arrive(0, 60000);
    NS_TEST_EXPECT_MSG_EQ(memory.Move(0, 60000), AdmissionOutcome::ADMIT, "8 + 52");
    memory.Arrive(1, 28000);
    NS_TEST_EXPECT_MSG_EQ(memory.Move(1, 28000), AdmissionOutcome::ADMIT, "8 + 80");
    memory.Arrive(2, 1);
    NS_TEST_EXPECT_MSG_EQ(memory.Move(2, 1), AdmissionOutcome::REFUSE, "a queue's");
}

LOSSLESS_TEST(g_suite, "An ingress queue that an egress queue has stopped restarts by that one")
{
    CapfcSwitch fake;
    fake.m_scheme->SetAttribute("ResumeByOwnRelease", BooleanValue(true));
    fake.Start();
    fake.Send(0, 25);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "0 stops", "XOFF");
    fake.Send(1, 30);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "1 stops", "more than port 0 has counted");
    fake.Serve(25);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "30 frames, none of them from port 0");
    fake.Serve(10);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "0 goes on, 1 goes on", "XON");
}

/// The thresholds rise, as dynamic thresholds do when other queues drain.
LOSSLESS_TEST(g_suite, "An ingress queue goes on when others make room, though it loses nothing")
{
    CapfcSwitch fake;
    fake.Start();
    fake.Arrive(MakeItem(0, 3, 51000, 4), {0, 51000, 0});
    fake.Send(1, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "0 stops", "more than XOFF, 50 kB");
    fake.m_policy->SetAttribute("IngressMax", UintegerValue(80000));
    fake.m_policy->SetAttribute("IngressXoff", UintegerValue(70000));
    fake.m_policy->SetAttribute("IngressXon", UintegerValue(60000));
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "0 goes on", "its 51 kB are below XON now");
}

/// At 100 Gb/s, with a cable of 2 us and an MTU of 1500 B, 58 514 B are enough for the frames that
/// arrive after a PAUSE frame; Eq. 1 of DSH gives 56 840 B.
LOSSLESS_TEST(g_suite, "Room above XOFF that does not take what comes after a PAUSE is refused")
{
    const auto start =
        [](uint64_t ingressMax, uint64_t egressMax, const std::string& contributors) {
            return GetAbortMessage([&] {
                CapfcSwitch fake(contributors);
                fake.m_shape.ports.assign(5, {DataRate("100Gbps"), MicroSeconds(2), 1500});
                fake.m_policy->SetAttribute("IngressMax", UintegerValue(ingressMax));
                fake.m_policy->SetAttribute("EgressMax", UintegerValue(egressMax));
                fake.Start();
            });
        };
    NS_TEST_EXPECT_MSG_EQ(start(108514, 81840, "Max"), "", "just");
    ExpectPart(start(108513, 81840, "Max"), "IngressMax higher by at least 1 B");
    ExpectPart(start(108514, 81839, "Calibrate"),
               "an egress queue has room for 81839 B, Xoff of egress queues "
               "is 25000 B, and of a single contributor behind port 0 56840 "
               "B can arrive after a PAUSE");
    NS_TEST_EXPECT_MSG_NE(start(108514, 20000, "Max"), "", "XOFF above MAX");
    NS_TEST_EXPECT_MSG_EQ(start(108514, 20000, "None"), "", "which PFC does not have");
}

/// On links of 1 Gb/s with a delay of 1 us, 8764 B can arrive after the PAUSE frame that an ingress
/// queue triggers at 50 kB. By Eq. 1 of DSH, 7090 B can arrive after the PAUSE frame that an egress
/// queue triggers at 25 kB. Each queue has 8 kB of private buffer.
LOSSLESS_TEST(g_suite, "Each limit of the pool must hold what one queue needs above its own bytes")
{
    const auto start = [](const std::string& attribute, uint64_t bytes) {
        return GetAbortMessage([&] {
            CapfcSwitch fake;
            fake.m_policy->SetAttribute("PoolBytes", UintegerValue(350000));
            fake.m_policy->SetAttribute(attribute, UintegerValue(bytes));
            fake.Start();
        });
    };
    for (const std::string name : {"PoolPerQueue", "PoolPerPort", "PoolOfIngress", "PoolBytes"})
    {
        NS_TEST_EXPECT_MSG_EQ(start(name, 50000 + 8764 - 8000), "", name);
        ExpectPart(start(name, 50000 + 8764 - 8000 - 1), "set " + name + " higher by at least 1 B");
    }
    NS_TEST_EXPECT_MSG_EQ(start("PoolOfEgress", 25000 + 7090 - 8000), "", "just");
    const std::string said = start("PoolOfEgress", 25000 + 7090 - 8000 - 1);
    ExpectPart(said, "an egress queue has room for 32089 B");
}

/// A policy with a single memory, in which the limit on egress queues leaves no room for the 7090 B
/// that arrive after a PAUSE frame.
struct NarrowPolicy : StaticBufferPolicy
{
    std::optional<uint64_t> GetEgressRoom() const override
    {
        return 25000 + 7089;
    }
};

LOSSLESS_TEST(g_suite, "The room of egress queues is checked under any policy that limits them")
{
    FakeSwitch<CapfcFlowControl, NarrowPolicy> fake;
    fake.m_shape.ports.assign(2, {DataRate("1Gbps"), MicroSeconds(1), 1500});
    const auto start = [&fake] { return GetAbortMessage([&fake] { fake.Start(); }); };
    ExpectPart(start(), "room for 32089 B");
    fake.m_scheme->SetAttribute("Xoff", UintegerValue(24999));
    NS_TEST_EXPECT_MSG_EQ(start(), "", "a byte less");
}

LOSSLESS_TEST(g_suite, "All ingress and all egress queues have limits of the pool, to the byte")
{
    Memory memory(350000, false, 100000, 50000);
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(0, 88000), true, "8 + 80");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(1, 28001), false, "more than 8 + 20");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(1, 28000), true, "of all ingress ports");
    NS_TEST_EXPECT_MSG_EQ(memory.Move(0, 58001), AdmissionOutcome::REFUSE, "more than 8 + 50");
    NS_TEST_EXPECT_MSG_EQ(memory.Move(0, 58000), AdmissionOutcome::ADMIT, "of all egress ports");
    NS_TEST_EXPECT_MSG_EQ(memory.Arrive(2, 58000), true, "what the ingress has left again");
}

/// CaPFC as printed in the paper, for one class of a switch with five ports and the thresholds of
/// Table II: Algorithms 1 and 2 (Sec. II-D), and the flag D, which stops a neighbour if the flag I
/// of its ingress queue or the flag E of any egress queue is set (Sec. II-E).
class PrintedCapfc
{
  public:
    /// @param cut CUT of Algorithm 2, or 0 for Algorithm 1
    explicit PrintedCapfc(double cut)
        : m_cut(cut)
    {
    }

    /// @return false if the frame is lost
    bool Arrive(uint16_t i, uint32_t bytes)
    {
        if (m_in[i] + bytes > 60000)
        {
            return false;
        }
        SetIngress(i, m_in[i] + bytes);
        return true;
    }

    /// @return false if the frame is lost
    bool Enqueue(uint16_t i, uint16_t o, uint32_t bytes)
    {
        SetIngress(i, m_in[i] - bytes);
        if (m_out[o] + bytes > 60000)
        {
            return false;
        }
        m_out[o] += bytes;
        if (m_out[o] >= 20000 && i != o)
        {
            ++m_c[o][i];
        }
        if (m_out[o] >= 25000 && i != o)
        {
            Detect(o);
        }
        return true;
    }

    void Dequeue(uint16_t o, uint32_t bytes)
    {
        m_out[o] -= bytes;
        if (m_out[o] <= 20000) // WARN and XON
        {
            m_c[o] = {};
            m_e[o] = {};
        }
    }

    /// @return D of a port, which is true if its neighbour is stopped
    bool IsStopped(uint16_t i) const
    {
        return m_i[i] ||
               std::any_of(m_e.begin(), m_e.end(), [i](const auto& stopped) { return stopped[i]; });
    }

  private:
    using Counts = std::array<uint64_t, 5>;

    void SetIngress(uint16_t i, uint64_t bytes)
    {
        m_in[i] = bytes;
        m_i[i] = bytes > 50000 || (m_i[i] && bytes > 40000);
    }

    /// Stops the heaviest contributor and, under Algorithm 2, also the next contributors until
    /// their total share reaches CUT.
    void Detect(uint16_t o)
    {
        Counts left = m_c[o];
        const auto all = std::accumulate(left.begin(), left.end(), 0.0);
        double share = 0;
        do
        {
            const auto heaviest = std::max_element(left.begin(), left.end());
            m_e[o][heaviest - left.begin()] = true;
            share += *heaviest / all;
            *heaviest = 0;
        } while (share < m_cut - 1e-9);
    }

    double m_cut;                             ///< CUT
    Counts m_in{};                            ///< bytes of each ingress queue
    Counts m_out{};                           ///< bytes of each egress queue
    std::array<bool, 5> m_i{};                ///< I of each ingress queue
    std::array<Counts, 5> m_c{};              ///< C of each egress queue, by ingress port
    std::array<std::array<bool, 5>, 5> m_e{}; ///< E of each egress queue, by ingress port
};

/// Passes random frames through a switch of the module and through the printed algorithms.
class Pair
{
  public:
    Pair(int64_t seed, const std::string& contributors)
        : m_fake(contributors),
          m_cut(contributors == "Max" ? 0 : 0.8)
    {
        m_random->SetStream(seed);
        m_fake.Start();
    }

    /// Makes a random frame arrive, move to its egress queue or leave.
    /// @param isFilling true if frames arrive more often than they leave; false if no frames arrive
    void Step(bool isFilling)
    {
        const uint32_t action = isFilling ? Draw(0, 9) : Draw(5, 14);
        const auto priority = static_cast<uint8_t>(Draw(2, 3));
        if (action >= 8)
        {
            Leave(DrawEgress(), priority);
        }
        else
        {
            // Port 0 is drawn in 60 % of all cases, so that its ingress queues become long.
            const auto port = static_cast<uint16_t>(Draw(0, 1) > 0 ? Draw(0, 4) : 0);
            action < 5 ? Arrive(port, priority) : Move(port, priority);
        }
        Compare();
    }

    /// @return the number of PAUSE and RESUME frames and the number of lost frames
    std::pair<uint32_t, uint32_t> Count() const
    {
        return {m_told, m_lost};
    }

  private:
    uint32_t Draw(uint32_t low, uint32_t high)
    {
        return m_random->GetInteger(low, high);
    }

    /// Draws an egress port. Most frames go to ports 0 and 1, and some return to their ingress
    /// port.
    uint16_t DrawEgress()
    {
        return static_cast<uint16_t>(Draw(0, 3) > 0 ? Draw(0, 1) : Draw(0, 4));
    }

    PrintedCapfc& Printed(uint8_t priority)
    {
        return m_printed.at(priority - 2);
    }

    void Arrive(uint16_t port, uint8_t priority)
    {
        const SwitchItem item = MakeItem(port, priority, Draw(60, 1514), DrawEgress());
        const Admission admission = m_fake.m_policy->Admit(*m_fake.m_buffer, item);
        Check(Printed(priority).Arrive(port, item.bufferBytes), admission.IsAdmitted());
        if (admission.IsAdmitted())
        {
            m_fake.Arrive(item, admission.segments);
            m_waiting[{port, priority}].push_back(item);
        }
    }

    void Move(uint16_t port, uint8_t priority)
    {
        auto& waiting = m_waiting[{port, priority}];
        if (waiting.empty())
        {
            return;
        }
        const SwitchItem item = waiting.front();
        waiting.pop_front();
        const uint16_t egress = Index(item.egress);
        const bool isAdmitted = m_fake.m_policy->AdmitEgress(*m_fake.m_buffer, item).IsAdmitted();
        Check(Printed(priority).Enqueue(port, egress, item.bufferBytes), isAdmitted);
        isAdmitted ? m_fake.Enqueue(item) : m_fake.Refuse(item);
        if (isAdmitted)
        {
            m_stored[{egress, priority}].push_back(item);
        }
    }

    void Leave(uint16_t port, uint8_t priority)
    {
        auto& stored = m_stored[{port, priority}];
        if (!stored.empty())
        {
            Printed(priority).Dequeue(port, stored.front().bufferBytes);
            m_fake.Leave(stored.front());
            stored.pop_front();
        }
    }

    void Check(bool expected, bool isAdmitted)
    {
        NS_TEST_EXPECT_MSG_EQ(isAdmitted, expected, "whether the frame is stored");
        m_lost += isAdmitted ? 0 : 1;
    }

    /// Checks that the latest control frame to each neighbour agrees with D.
    void Compare()
    {
        for (uint16_t port = 0; port < 5; ++port)
        {
            for (const Ptr<Packet>& frame : m_fake.TakeControl(PortId{port}))
            {
                const auto pfc = ParsePfcFrame(frame);
                for (uint8_t priority = 2; priority <= 3; ++priority)
                {
                    if (pfc->IsEnabled(Priority{priority}))
                    {
                        m_isTold[{port, priority}] = pfc->GetQuanta(Priority{priority}) > 0;
                        ++m_told;
                    }
                }
            }
            for (uint8_t priority = 2; priority <= 3; ++priority)
            {
                const bool isStopped = Printed(priority).IsStopped(port);
                const bool isTold = m_isTold[{port, priority}];
                NS_TEST_EXPECT_MSG_EQ(isTold, isStopped, "port " << port << " class " << +priority);
            }
        }
    }

    using Place = std::pair<uint16_t, uint8_t>; ///< port and class

    CapfcSwitch m_fake;
    double m_cut;
    std::array<PrintedCapfc, 2> m_printed{PrintedCapfc(m_cut), PrintedCapfc(m_cut)};
    std::map<Place, std::deque<SwitchItem>> m_waiting; ///< frames in ingress queues
    std::map<Place, std::deque<SwitchItem>> m_stored;  ///< frames in egress queues
    std::map<Place, bool> m_isTold;                    ///< neighbours that have been stopped
    uint32_t m_told{0};
    uint32_t m_lost{0};
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()};
};

void
AttackPrint(int64_t first, int64_t last)
{
    for (int64_t seed = first; seed <= last; ++seed)
    {
        for (const std::string contributors : {"Max", "Calibrate"})
        {
            Pair pair(seed, contributors);
            for (uint32_t step = 0; step < 12000; ++step)
            {
                pair.Step(step % 3000 < 1500);
            }
            const auto [told, lost] = pair.Count();
            NS_TEST_EXPECT_MSG_GT(told, 10, "seed " << seed << " tests something");
            NS_TEST_EXPECT_MSG_GT(lost, 0, "seed " << seed << " has losses");
        }
    }
}

LOSSLESS_TESTS(g_suite)
{
    AddSeeds(g_suite,
             "Random frames stop and lose what the printed algorithms do",
             3,
             100,
             AttackPrint);
}

/// The result of a run with several senders and one receiver, on links of 1 Gb/s with a delay of
/// 1 us.
struct Outcome
{
    uint64_t lost{0};      ///< number of lost frames
    uint64_t arrived{0};   ///< number of frames that arrived
    uint64_t peak{0};      ///< maximum length of the egress queue, in bytes
    bool isBalanced{true}; ///< true if each pause is followed by a resume
};

/// Runs the senders.
/// @param starts the start times of the senders; if empty, all start at once
Outcome
Run(Ptr<CapfcSwitchNode> node, uint32_t senders, uint64_t max, std::vector<Time> starts = {})
{
    starts.resize(senders);
    node->GetBufferPolicy()->SetAttribute("EgressMax", UintegerValue(max));
    Star star(node, senders + 1, {DataRate("1Gbps"), MicroSeconds(1)});
    PauseRecorder pauses;
    pauses.WatchSwitch("s", node);
    for (uint32_t i = 0; i < senders; ++i)
    {
        star.GetHost(i).Send(senders, 24, 1514, 300, starts[i]);
    }
    Outcome outcome;
    const QueueId queue{PortId{static_cast<uint16_t>(senders)}, Priority{3}};
    Ptr<SharedBuffer> ledger = node->GetSharedBuffer();
    ListenTo(*node, "Enqueue", [&outcome, ledger, queue](const SwitchItem&) {
        outcome.peak = std::max(outcome.peak, ledger->GetEgress(queue).bytes);
    });
    Simulator::Run();
    outcome.lost = node->GetCounts().losslessDropped;
    outcome.arrived = star.GetHost(senders).received.m_arrivals.size();
    for (const PauseRecord& record : pauses.GetPauses())
    {
        outcome.isBalanced &= record.pauses == record.resumes;
    }
    Simulator::Destroy();
    return outcome;
}

/// With CUT 1, each sender that has sent since WARN is stopped at XOFF. After that, each of n
/// senders can still add the bytes that it sends during the latency of the switch (25 us), while
/// the PAUSE frame waits and is sent, during two cable delays and during the response time (60
/// quanta). It also adds the frame in transmission and one frame that only caused the sender to be
/// counted. On links of 1 Gb/s with a delay of 1 us and frames of 1538 B on the wire, these bytes
/// add up to 3125 + 1538 + 84 + 250 + 3840 + 2 x 1538 = 11 913 B. XOFF + n x 12 kB is therefore
/// enough, and the peak of a run is a lower bound on the required size.
LOSSLESS_TEST(g_suite,
              "CaPFC loses nothing if EgressMax covers what is under way, with 1 B less it does")
{
    for (const uint32_t senders : {2, 4})
    {
        const auto make = []() {
            auto node = CreateObject<CapfcCalibrateSwitchNode>();
            node->GetFlowControl()->SetAttribute("Cut", DoubleValue(1));
            return node;
        };
        const Outcome wide = Run(make(), senders, 10000000);
        NS_TEST_EXPECT_MSG_EQ(wide.lost, 0, "unlimited");
        NS_TEST_EXPECT_MSG_EQ(wide.isBalanced, true, "every pause is answered");
        NS_TEST_EXPECT_MSG_LT(wide.peak, 25000 + senders * 12000, "the bound");
        const Outcome just = Run(make(), senders, wide.peak);
        NS_TEST_EXPECT_MSG_EQ(just.lost, 0, senders << " senders");
        NS_TEST_EXPECT_MSG_EQ(just.arrived, 300 * senders, "all arrive");
        const Outcome less = Run(make(), senders, wide.peak - 1);
        NS_TEST_EXPECT_MSG_GT(less.lost, 0, "one byte less");
    }
}

LOSSLESS_TEST(g_suite, "PFC_wdrop loses where PFC_wstop does not")
{
    const Outcome wdrop = Run(CreateObject<PfcWdropSwitchNode>(), 4, 60000);
    NS_TEST_EXPECT_MSG_GT(wdrop.lost, 0, "ingress queues never get long");
    NS_TEST_EXPECT_MSG_EQ(wdrop.arrived + wdrop.lost, 1200, "the rest arrives");
    const Outcome wstop = Run(CreateObject<PfcWstopSwitchNode>(), 4, 60000);
    NS_TEST_EXPECT_MSG_EQ(wstop.lost, 0, "the processor waits");
    NS_TEST_EXPECT_MSG_EQ(wstop.arrived, 1200, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(wstop.isBalanced, true, "every pause is answered");
    // The 60 kB of Table II have room for 25 + 2 x 12 kB, but not for 25 + 4 x 12 kB.
    const Outcome two = Run(CreateObject<CapfcSwitchNode>(), 2, 60000);
    NS_TEST_EXPECT_MSG_EQ(two.lost, 0, "CaPFC stops two in time");
    NS_TEST_EXPECT_MSG_EQ(two.isBalanced, true, "every pause is answered");
    const Outcome four = Run(CreateObject<CapfcSwitchNode>(), 4, 60000);
    NS_TEST_EXPECT_MSG_GT(four.lost, 0, "but not four");
    NS_TEST_EXPECT_MSG_LT(four.lost, wdrop.lost / 4, "of which PFC_wdrop loses many more");
}

/// Stop-Max stops one contributor at a time. The count of this contributor remains the largest
/// until all its frames in flight have arrived and the next contributor overtakes it. While k of n
/// senders continue, they add k - 1 times 12 kB (as derived for CUT 1), so the total is n (n - 1) /
/// 2 times 12 kB. Stop-Calibrate, with its CUT of 80 %, stops most senders at once and the others
/// as soon as the first ones are silent. Stop-Calibrate counts frames, so this requires frames of
/// equal size.
LOSSLESS_TEST(g_suite,
              "Room for n senders: 12 kB a pair of them for Stop-Max, each for Stop-Calibrate")
{
    for (const uint32_t n : {2, 3, 4, 5, 8, 10, 16})
    {
        const uint64_t room = 25000 + uint64_t{12000} * n * (n - 1) / 2;
        const Outcome max = Run(CreateObject<CapfcSwitchNode>(), n, room);
        NS_TEST_EXPECT_MSG_EQ(max.lost, 0, n << " senders, Stop-Max");
        const Outcome few = Run(CreateObject<CapfcCalibrateSwitchNode>(), n, 25000 + n * 12000);
        NS_TEST_EXPECT_MSG_EQ(few.lost, 0, n << " senders, Stop-Calibrate");
    }
    const Outcome less = Run(CreateObject<CapfcSwitchNode>(), 16, 25000 + 16 * 12000);
    NS_TEST_EXPECT_MSG_GT(less.lost, 0, "Stop-Max needs more than n times 12 kB");
}

void
AttackRoom(int64_t first, int64_t last)
{
    for (int64_t seed = first; seed <= last; ++seed)
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(seed);
        const uint32_t n = random->GetInteger(2, 8);
        std::vector<Time> starts;
        for (uint32_t i = 0; i < n; ++i)
        {
            starts.push_back(NanoSeconds(random->GetInteger(0, 500000)));
        }
        const uint64_t room = 25000 + uint64_t{12000} * n * (n - 1) / 2;
        const Outcome max = Run(CreateObject<CapfcSwitchNode>(), n, room, starts);
        NS_TEST_EXPECT_MSG_EQ(max.lost, 0, "seed " << seed << ", Stop-Max");
        const Outcome few = Run(CreateObject<CapfcCalibrateSwitchNode>(), n, room, starts);
        NS_TEST_EXPECT_MSG_EQ(few.lost, 0, "seed " << seed << ", Stop-Calibrate");
    }
}

LOSSLESS_TESTS(g_suite)
{
    AddSeeds(g_suite,
             "The same room is enough for senders that start at random",
             12,
             400,
             AttackRoom);
}

/// The hosts of two switches send to each other.
LOSSLESS_TEST(g_suite, "PFC_wstop can lock, and the detector names the processors")
{
    LosslessHelper cables;
    cables.SetDeviceAttribute("DataRate", DataRateValue(DataRate("1Gbps")));
    cables.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
    std::vector<Ptr<SwitchNode>> switches{CreateObject<PfcWstopSwitchNode>(),
                                          CreateObject<PfcWstopSwitchNode>()};
    std::vector<std::unique_ptr<TestHost>> hosts;
    for (uint32_t host = 0; host < 4; ++host)
    {
        const auto ends = cables.Install(switches[host / 2], CreateObject<Node>());
        hosts.push_back(
            std::make_unique<TestHost>(DynamicCast<LosslessNetDevice>(ends.Get(1)), host));
    }
    cables.Install(switches[0], switches[1]);
    auto detector = CreateObject<DeadlockDetector>();
    for (uint32_t s = 0; s < 2; ++s)
    {
        for (uint32_t host = 0; host < 4; ++host)
        {
            const PortId port{static_cast<uint16_t>(host / 2 == s ? host % 2 : 2)};
            switches[s]->GetForwarding()->SetRoute(GetHostAddress(host), {port});
        }
        detector->WatchSwitch("s" + std::to_string(s), switches[s]);
    }
    for (uint32_t host = 0; host < 4; ++host)
    {
        hosts[host]->Send((host + 2) % 4, 24, 1514, 1000);
    }
    RunFor(MilliSeconds(50));
    NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "one");
    ExpectPart(detector->GetDeadlocks().front().GetCycle(), "processor");
}

/// When an egress queue fills, the ports that have sent the most frames to it are stopped, even if
/// other ports are sending at that time.
LOSSLESS_TEST(g_suite, "Depth and hosts of stops that an egress queue causes are recorded")
{
    Star star(CreateObject<CapfcSwitchNode>(), 3, {DataRate("1Gbps"), MicroSeconds(1)});
    PausePropagation propagation;
    propagation.WatchSwitch("s", star.m_switch);
    for (const uint32_t host : {0, 1})
    {
        star.GetHost(host).Send(2, 24, 1514, 300);
    }
    Simulator::Run();
    const std::vector<PauseDepthRecord> depths = propagation.GetDepths();
    NS_TEST_ASSERT_MSG_EQ(depths.size(), 1, "the congestion is here");
    NS_TEST_EXPECT_MSG_EQ(depths[0].depth, 1, "one hop");
    NS_TEST_EXPECT_MSG_EQ(depths[0].hosts, 2, "both senders");
}

/// At 4:1, edge and aggregation switches each divide the rate by 2. Scenario 3 has answers of 32
/// kB.
LOSSLESS_TEST(g_suite, "The paper's network and its three kinds of flows")
{
    CapfcParameters parameters;
    parameters.scenario = 3;
    parameters.fatTree.k = 4;
    parameters.oversubscription = 4;
    parameters.fanIn = 5;
    parameters.arrivals = MilliSeconds(50);
    const Topology topology = parameters.MakeTopology();
    std::map<std::string, DataRate> rates;
    for (const Topology::LinkInfo& link : topology.GetLinks())
    {
        const auto& nodes = topology.GetNodes();
        rates[nodes[link.nodeA].layer + "-" + nodes[link.nodeB].layer] = link.rate;
    }
    NS_TEST_EXPECT_MSG_EQ(rates.at("host-edge"), DataRate("1Gbps"), "hosts");
    NS_TEST_EXPECT_MSG_EQ(rates.at("edge-aggregation"), DataRate("500Mbps"), "edge");
    NS_TEST_EXPECT_MSG_EQ(rates.at("aggregation-core"), DataRate("250Mbps"), "core");
    std::map<std::string, std::pair<uint64_t, uint8_t>> kinds;
    uint32_t answers = 0;
    for (const FlowSpec& flow : parameters.MakeFlows(topology))
    {
        const auto kind = std::make_pair(flow.bytes, flow.priority);
        const auto& known = kinds.try_emplace(flow.group, kind).first->second;
        NS_TEST_EXPECT_MSG_EQ((known == kind), true, "one size and one class for each kind");
        answers += flow.group == "query" ? 1 : 0;
    }
    const decltype(kinds) expected{{"long", {1000000, 0}},
                                   {"short", {64000, 1}},
                                   {"query", {32000, 2}}};
    NS_TEST_EXPECT_MSG_EQ((kinds == expected), true, "kinds");
    NS_TEST_EXPECT_MSG_EQ(answers % 5, 0, "five answers to a query");
    NS_TEST_EXPECT_MSG_GT(answers, 0, "queries");
}

/// Sets the limits on all queues. Each queue has its own memory, so the total size has no effect.
uint64_t
FitRandomQueues(RandomNetwork& network, SwitchNode& node)
{
    const SwitchShape shape = network.MakeShape(node);
    uint64_t room = 0;
    for (const PortLink& link : shape.ports)
    {
        room = std::max(room, GetWorstCaseHeadroomBytes(link, shape.cellBytes));
    }
    const Ptr<BufferPolicy> policy = node.GetBufferPolicy();
    policy->SetAttribute("IngressMax", UintegerValue(50000 + room)); // XOFF plus room
    policy->SetAttribute("EgressMax", UintegerValue(25000 + room));
    return shape.ports.size() * NUM_PRIORITIES * (75000 + 2 * room);
}

const RegisterRandomPart g_randomQueues({"ns3::lossless::CapfcBufferPolicy",
                                         nullptr,
                                         &FitRandomQueues});

/// The processor, with or without a rate limit, waits for room in the egress queue.
const RegisterRandomPart g_randomProcessor(
    {"ns3::lossless::PfcWstopSwitchNode", [](RandomNetwork& network, SwitchHelper& switches) {
         const double rate = network.Draw(0, 1) * network.Draw(1000000, 10000000);
         const Time latency = NanoSeconds(network.Draw(0, 1) * network.Draw(0, 3000));
         switches.SetProcessor("ns3::lossless::SharedProcessor",
                               "Rate",
                               DoubleValue(rate),
                               "Latency",
                               TimeValue(latency));
     }});

} // namespace ns3::lossless::tests::THIS_FILE
