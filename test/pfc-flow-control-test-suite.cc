// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"

#include "ns3/mac-control-header.h"
#include "ns3/pfc-flow-control.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/unlimited-buffer-policy.h"

#include <map>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * What PFC decides and what it tells its neighbours, in a switch that the test plays.
 */

namespace ns3::lossless::tests
{

namespace
{

/// Thresholds that the test sets, by queue and by port.
class ManualPolicy : public UnlimitedBufferPolicy
{
  public:
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

    std::map<std::size_t, Thresholds> m_queues; ///< by Index(QueueId)
    std::map<PortId, Thresholds> m_ports;       ///< by port
};

/// A switch of two ports at 100 Gb/s and 2 us whose frames and wires the test plays.
class FakeSwitch : public SwitchServices
{
  public:
    /// @param lossless classes under PFC
    explicit FakeSwitch(PrioritySet lossless = 0x7f)
    {
        m_shape.ports.assign(2, {DataRate("100Gbps"), MicroSeconds(2), 1500});
        m_shape.lossless = lossless;
        m_buffer->Resize(2);
        m_pfc->Attach(this, PeekPointer(m_buffer), PeekPointer(m_policy), &m_shape);
        m_pfc->Configure(m_shape);
    }

    ~FakeSwitch() override
    {
        m_pfc->Dispose();
        Simulator::Destroy();
    }

    /// A frame arrives at port 0. @param priority its class @param segments where it is stored
    void Store(uint8_t priority, const SegmentBytes& segments)
    {
        SwitchItem item;
        item.frame.priority = Priority{priority};
        item.egress = PortId{1};
        item.bufferBytes = segments.reserved + segments.shared + segments.headroom;
        m_buffer->Arrive(item, segments);
        m_buffer->Move(item);
        m_stored[priority] = item;
        m_pfc->OnArrival(item);
    }

    /// The frame of a class leaves. @param priority the class
    void Release(uint8_t priority)
    {
        m_buffer->Leave(m_stored[priority]);
        m_pfc->OnRelease(m_stored[priority], Simulator::Now().GetTimeStep());
    }

    /// @param priority class of port 0 @return its levels
    Thresholds& Level(uint8_t priority)
    {
        return m_policy->m_queues[Index(QueueId{PortId{0}, Priority{priority}})];
    }

    /// The wire of port 0 is free. @return all that the neighbour is told, "classes=quanta ..." a
    /// frame, and the class behind the quanta where they differ
    std::string Tell()
    {
        std::ostringstream text;
        while (Ptr<Packet> frame = m_pfc->MakeControl(PortId{0}))
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

    /// Time passes. @param time how much
    static void Wait(Time time)
    {
        Simulator::Stop(time);
        Simulator::Run();
    }

    /// @return the scheme
    PfcFlowControl& GetPfc()
    {
        return *m_pfc;
    }

    void RequestControl(PortId /* port */) override
    {
        ++m_requests;
    }

    void NotifyWatching() override
    {
    }

    void Mark(SwitchItem& /* item */) override
    {
    }

    Mac48Address GetAddress(PortId /* port */) const override
    {
        return Mac48Address("02:00:00:00:00:01");
    }

    bool IsLinkUp(PortId /* port */) const override
    {
        return true;
    }

    uint32_t m_requests{0};                                   ///< for the wire of any port
    Ptr<ManualPolicy> m_policy{CreateObject<ManualPolicy>()}; ///< the levels

  private:
    SwitchShape m_shape;
    Ptr<SharedBuffer> m_buffer{CreateObject<SharedBuffer>()};
    Ptr<PfcFlowControl> m_pfc{CreateObject<PfcFlowControl>()};
    std::map<uint8_t, SwitchItem> m_stored;
};

/// A frame of 1000 B in the shared buffer.
constexpr SegmentBytes SHARED{0, 1000, 0};

/// What is told is the state when the wire is free, and not what has led there.
class NewestStateCase : public TestCase
{
  public:
    NewestStateCase()
        : TestCase("A neighbour is told what holds when the wire is free, once")
    {
    }

  private:
    void DoRun() override
    {
        FakeSwitch fake;
        for (uint8_t p = 2; p <= 3; ++p)
        {
            fake.Level(p) = {500, 500, false};
        }
        for (uint32_t i = 0; i < 100; ++i)
        {
            fake.Store(3, SHARED);
            fake.Release(3);
        }
        NS_TEST_EXPECT_MSG_EQ(fake.m_requests, 200, "each time it asks for the wire");
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
};

/// A port as a whole, and all its classes.
class PortStateCase : public TestCase
{
  public:
    PortStateCase()
        : TestCase("A port's PAUSE goes first, its RESUME last, and eight classes are two frames")
    {
    }

  private:
    void DoRun() override
    {
        FakeSwitch fake(0xff);
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
};

/// Half of 65 535 quanta of 5.12 ns are 167.8 us.
class RefreshCase : public TestCase
{
  public:
    RefreshCase()
        : TestCase("What is still stopped is told again after half of the pause, or a lost link")
    {
    }

  private:
    void DoRun() override
    {
        FakeSwitch fake;
        for (uint8_t p = 0; p < 7; ++p)
        {
            fake.Level(p) = {500, 500, false};
        }
        fake.Store(3, SHARED);
        fake.Store(5, SHARED);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "28=PP", "stopped");
        FakeSwitch::Wait(MicroSeconds(167));
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "not yet");
        FakeSwitch::Wait(MicroSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(fake.m_requests, 3, "due");
        fake.Release(5); // between the refresh and the wire
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "28=PR", "again, and what has become of class 5");
        FakeSwitch::Wait(MicroSeconds(168));
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=P", "and again");
        fake.GetPfc().OnLinkUp(PortId{0});
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=P", "the neighbour has forgotten");
        fake.Release(3);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=R", "restarted");
        FakeSwitch::Wait(MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "nothing is due any more");
    }
};

/**
 * XON is zero when the threshold of DSH has fallen below eta. The 56 840 B of Eq. 1 take 4547.2 ns
 * at 100 Gb/s.
 */
class EmptyQueueCase : public TestCase
{
  public:
    EmptyQueueCase()
        : TestCase("An empty queue or port restarts even if XON is zero, but does not flap")
    {
    }

  private:
    void DoRun() override
    {
        CheckQueue();
        CheckFlapping();
        CheckPort();
    }

    void CheckQueue()
    {
        FakeSwitch fake;
        fake.Level(3) = {0, 0, false};
        fake.Store(3, SHARED);
        fake.Store(4, SHARED);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=P", "XOFF is zero");
        FakeSwitch::Wait(MicroSeconds(10));
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

    void CheckFlapping()
    {
        FakeSwitch fake;
        fake.Level(3) = {0, 0, false};
        fake.Store(3, SHARED);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=P", "stopped");
        fake.Release(3);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "frames are under way yet");
        FakeSwitch::Wait(NanoSeconds(4546));
        NS_TEST_EXPECT_MSG_EQ(fake.m_requests, 1, "too early");
        FakeSwitch::Wait(NanoSeconds(2));
        NS_TEST_EXPECT_MSG_EQ(fake.m_requests, 2, "without a release");
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=R", "restarted");
        // Two queues: the timer serves the later one as well.
        fake.Level(5) = {0, 0, false};
        fake.Store(3, SHARED);
        FakeSwitch::Wait(MicroSeconds(1));
        fake.Store(5, SHARED);
        fake.Release(3);
        fake.Release(5);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "28=PP", "both stopped");
        FakeSwitch::Wait(MicroSeconds(4));
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "8=R", "one");
        FakeSwitch::Wait(MicroSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "20=R", "and the other");
    }

    void CheckPort()
    {
        FakeSwitch fake;
        Thresholds& level = fake.m_policy->m_ports[PortId{0}];
        level = {0, 0, false};
        fake.Store(3, SHARED);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "ff=PPPPPPPP", "XOFF of the port is zero");
        fake.Release(3);
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "", "frames are under way yet");
        FakeSwitch::Wait(MicroSeconds(5));
        NS_TEST_EXPECT_MSG_EQ(fake.Tell(), "ff=RRRRRRRR", "restarted");
    }
};

class PfcFlowControlTestSuite : public TestSuite
{
  public:
    PfcFlowControlTestSuite()
        : TestSuite("lossless-pfc-flow-control", tests::UNIT)
    {
        AddTestCase(new NewestStateCase, tests::QUICK);
        AddTestCase(new PortStateCase, tests::QUICK);
        AddTestCase(new RefreshCase, tests::QUICK);
        AddTestCase(new EmptyQueueCase, tests::QUICK);
    }
};

PfcFlowControlTestSuite g_pfcFlowControlTestSuite; ///< registers itself

} // namespace

} // namespace ns3::lossless::tests
