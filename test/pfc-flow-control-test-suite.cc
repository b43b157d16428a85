// SPDX-License-Identifier: GPL-2.0-only

#include "fake-switch.h"
#include "lossless-test.h"

// Tests the decisions of PFC and its control frames to neighbours, in a switch whose frames the
// test generates.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-pfc-flow-control", UNIT);

/// A policy whose thresholds for queues and ports are set by the test.
struct ManualPolicy : UnlimitedBufferPolicy
{
    std::optional<Thresholds> GetThresholds(const SharedBuffer& /* buffer */,
                                            QueueId queue) const override
    {
        const auto found = m_queues.find(Index(queue));
        return found == m_queues.end() ? std::nullopt : std::make_optional(found->second);
    }

    std::optional<Thresholds> GetPortThresholds(const SharedBuffer& /* buffer */,
                                                PortId port) const override
    {
        const auto found = m_ports.find(port);
        return found == m_ports.end() ? std::nullopt : std::make_optional(found->second);
    }

    std::map<std::size_t, Thresholds> m_queues; ///< thresholds, indexed by Index(QueueId)
    std::map<PortId, Thresholds> m_ports;       ///< thresholds per port
};

/// A switch with two ports and PFC. Frames arrive at port 0, and at most one frame per class is
/// stored.
class PfcSwitch : public FakeSwitch<PfcFlowControl, ManualPolicy>
{
  public:
    explicit PfcSwitch(PrioritySet lossless = 0x7f)
        : FakeSwitch(2, lossless)
    {
        // PFC rejects a policy without thresholds.
        m_policy->m_queues[0] = {UINT64_MAX, UINT64_MAX, false};
        Start();
    }

    ~PfcSwitch() override
    {
        Simulator::Destroy();
    }

    void Store(uint8_t priority, const SegmentBytes& segments)
    {
        m_stored[priority] =
            MakeItem(0, priority, segments.reserved + segments.shared + segments.headroom, 1);
        Arrive(m_stored[priority], segments);
        Enqueue(m_stored[priority]);
    }

    void Release(uint8_t priority)
    {
        Leave(m_stored[priority]);
    }

    Thresholds& Level(uint8_t priority)
    {
        return m_policy->m_queues[Index(QueueId{PortId{0}, Priority{priority}})];
    }

    /// Marks the wire of port 0 as free.
    /// @return the frames sent to the neighbour, such as "28=PR, 8=P": the enabled classes in
    /// hexadecimal, and P (PAUSE) or R (RESUME) for each of them
    std::string Tell()
    {
        std::ostringstream text;
        for (const Ptr<Packet>& frame : TakeControl(PortId{0}))
        {
            const auto pfc = ParsePfcFrame(frame);
            text << (text.tellp() > 0 ? ", " : "") << std::hex << pfc->GetEnableVector() << '=';
            for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
            {
                if (pfc->IsEnabled(Priority{p}))
                {
                    text << (pfc->GetQuanta(Priority{p}) ? 'P' : 'R');
                }
            }
        }
        return text.str();
    }

  private:
    std::map<uint8_t, SwitchItem> m_stored; ///< stored frames, indexed by class
};

/// A frame of 1000 B in the shared buffer.
constexpr SegmentBytes SHARED{0, 1000, 0};

LOSSLESS_TEST(g_suite, "A neighbour is told what holds when the wire is free, once")
{
    PfcSwitch fake;
    for (uint8_t p = 2; p <= 3; ++p)
    {
        fake.Level(p) = {500, 500, false};
    }
    for (uint32_t i = 0; i < 100; ++i)
    {
        fake.Store(3, SHARED);
        fake.Release(3);
    }
    NS_TEST_EXPECT_MSG_EQ(fake.m_requests[PortId{0}], 200, "each time it asks for the wire");
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "stopped and restarted: nothing to tell");
    fake.Store(3, SHARED);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=P", "stopped");
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "it knows");
    fake.Release(3);
    fake.Store(3, SHARED);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "restarted and stopped: it knows");
    fake.Release(3);
    fake.Store(2, SHARED);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "c=PR", "both classes in one frame");
}

LOSSLESS_TEST(g_suite, "A port's PAUSE goes first, its RESUME last; eight classes are two frames")
{
    PfcSwitch fake(0xff);
    fake.Level(3) = {500, 500, false};
    fake.m_policy->m_ports[PortId{0}] = {500, 500, false};
    fake.Store(3, SHARED);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "ff=PPPPPPPP, 8=P", "the port says most");
    fake.Release(3);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=R, ff=RRRRRRRR", "nothing of it may come before");
    fake.m_policy->m_ports.clear();
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        fake.Level(p) = {500, 500, false};
        fake.Store(p, SHARED);
    }
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "f=PPPP, f0=PPPP", "none of them for the port");
}

/// Half of 65 535 quanta of 5.12 ns is 167.8 us.
LOSSLESS_TEST(g_suite, "What is still stopped is told again after half the pause, or a lost link")
{
    PfcSwitch fake;
    for (uint8_t p = 0; p < 7; ++p)
    {
        fake.Level(p) = {500, 500, false};
    }
    fake.Store(3, SHARED);
    fake.Store(5, SHARED);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "28=PP", "stopped");
    RunFor(MicroSeconds(167));
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "not yet");
    RunFor(MicroSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(fake.m_requests[PortId{0}], 3, "due");
    fake.Release(5); // after the refresh is due but before it is sent
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "28=PR", "again, and what has become of class 5");
    RunFor(MicroSeconds(168));
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=P", "and again");
    fake.m_scheme->OnLinkUp(PortId{0});
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=P", "the neighbour has forgotten");
    fake.Release(3);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=R", "restarted");
    RunFor(MilliSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "nothing is due any more");
    for (uint32_t i = 0; i < 2; ++i) // The second pause begins 100 us after the first one.
    {
        fake.Store(3, SHARED);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=P", "stopped");
        RunFor(MicroSeconds(100));
        if (i == 0)
        {
            fake.Release(3);
            NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=R", "restarted");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "half of the first pause is over, not of the second");
    RunFor(MicroSeconds(68));
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=P", "it is");
}

/// XON is zero if DSH's threshold has fallen below eta. The 56 840 B of Eq. 1 of the DSH paper take
/// 4547.2 ns at 100 Gb/s.
LOSSLESS_TEST(g_suite, "An empty queue or port restarts even at XON 0, and does not flap: queue")
{
    PfcSwitch fake;
    fake.Level(3) = {0, 0, false};
    fake.Store(3, SHARED);
    fake.Store(4, SHARED);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=P", "XOFF is zero");
    RunFor(MicroSeconds(10));
    fake.Release(4);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "1000 B are not below zero");
    fake.Level(3).headroomInUse = true;
    fake.Release(3);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "while headroom is in use");
    fake.Level(3).headroomInUse = false;
    fake.Store(4, SHARED);
    fake.Release(4);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=R", "empty");
}

LOSSLESS_TEST(g_suite, "An empty queue or port restarts even at XON 0, and does not flap: flaps")
{
    PfcSwitch fake;
    fake.Level(3) = {0, 0, false};
    fake.Store(3, SHARED);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=P", "stopped");
    fake.Release(3);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "frames are under way yet");
    RunFor(NanoSeconds(4546));
    NS_TEST_EXPECT_MSG_EQ(fake.m_requests[PortId{0}], 1, "too early");
    RunFor(NanoSeconds(2));
    NS_TEST_EXPECT_MSG_EQ(fake.m_requests[PortId{0}], 2, "without a release");
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=R", "restarted");
    // The same timer serves both queues, including the one that is paused later.
    fake.Level(5) = {0, 0, false};
    fake.Store(3, SHARED);
    RunFor(MicroSeconds(1));
    fake.Store(5, SHARED);
    fake.Release(3);
    fake.Release(5);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "28=PP", "both stopped");
    RunFor(MicroSeconds(4));
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=R", "one");
    RunFor(MicroSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "20=R", "and the other");
}

LOSSLESS_TEST(g_suite, "An empty queue or port restarts even at XON 0, and does not flap: port")
{
    PfcSwitch fake;
    Thresholds& level = fake.m_policy->m_ports[PortId{0}];
    level = {0, 0, false};
    fake.Store(3, SHARED);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "ff=PPPPPPPP", "XOFF of the port is zero");
    fake.Release(3);
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "frames are under way yet");
    RunFor(MicroSeconds(5));
    NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "ff=RRRRRRRR", "restarted");
}

/// While the empty queue or port waits, other queues release memory and XON rises. With
/// "ResumeByOwnRelease", none of them restarts it.
LOSSLESS_TEST(g_suite, "An empty queue or port restarts even if XON rises while it waits")
{
    for (const bool isPort : {false, true})
    {
        PfcSwitch fake;
        fake.m_scheme->SetAttribute("ResumeByOwnRelease", BooleanValue(true));
        Thresholds& level = isPort ? fake.m_policy->m_ports[PortId{0}] : fake.Level(3);
        level = {0, 0, false};
        fake.Level(5) = {500, 100, false};
        fake.Store(3, SHARED);
        fake.Release(3);
        fake.Store(5, SHARED);
        if (isPort)
        {
            fake.Release(5);
        }
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), (isPort ? "ff=PPPPPPPP" : "28=PP"), "stopped");
        level = {5000, 5000, false};
        RunFor(MicroSeconds(5));
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), (isPort ? "ff=RRRRRRRR" : "8=R"), "the empty one");
    }
}

LOSSLESS_TEST(g_suite, "A queue restarts when any frame leaves, or only when one of its own does")
{
    for (const bool own : {false, true})
    {
        PfcSwitch fake;
        fake.m_scheme->SetAttribute("ResumeByOwnRelease", BooleanValue(own));
        fake.Level(3) = {500, 500, false};
        fake.m_policy->m_ports[PortId{0}] = {1500, 1500, false};
        fake.Store(3, SHARED);
        fake.Store(4, SHARED);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "ff=PPPPPPPP, 8=P", "class 3, and the port");
        fake.Level(3) = {2500, 2500, false};
        fake.m_policy->m_ports[PortId{0}] = {500, 500, false};
        fake.Release(4);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), (own ? "" : "8=R"), "class 4 is not class 3");
        fake.m_policy->m_ports[PortId{0}] = {2500, 2500, false};
        fake.Store(5, SHARED);
        fake.Release(5);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "ff=RRRRRRRR", "class 5 is of the port");
        fake.Release(3);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), (own ? "8=R" : ""), "its own");
    }
}

LOSSLESS_TEST(g_suite, "A queue stays stopped unless what is left of it would let it restart")
{
    PfcSwitch fake;
    fake.Level(3) = {500, 0, false};
    fake.Store(3, SHARED);
    const QueueId queue{PortId{0}, Priority{3}};
    auto rest = CreateObject<SharedBuffer>();
    rest->Resize(2);
    const auto stays = [&](const Thresholds& level) {
        fake.Level(3) = level;
        return fake.m_scheme->StaysStopped(*rest, queue);
    };
    NS_TEST_EXPECT_MSG_EQ(stays({500, 0, false}), false, "an empty queue restarts");
    NS_TEST_EXPECT_MSG_EQ(stays({500, 400, false}), false, "and below XON");
    NS_TEST_EXPECT_MSG_EQ(stays({500, 400, true}), true, "but not with headroom in use");
    rest->Arrive(MakeItem(0, 3, 1000, 1), SHARED);
    NS_TEST_EXPECT_MSG_EQ(stays({500, 0, false}), true, "above XOFF");
    NS_TEST_EXPECT_MSG_EQ(stays({2000, 1000, false}), true, "at XON");
    NS_TEST_EXPECT_MSG_EQ(stays({2000, 1001, false}), false, "below XON");
    fake.Level(4) = {500, 0, false};
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->StaysStopped(*rest, {PortId{0}, Priority{4}}),
                          false,
                          "class 4 is not stopped");
}

} // namespace ns3::lossless::tests::THIS_FILE
