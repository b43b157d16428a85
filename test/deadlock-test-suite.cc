// SPDX-License-Identifier: GPL-2.0-only

#include "chosen-simulator.h"
#include "lossless-test.h"
#include "test-network.h"

#include "ns3/deadlock-facts.h"
#include "ns3/dsh-buffer-policy.h"
#include "ns3/event-impl.h"
#include "ns3/map-scheduler.h"
#include "ns3/record-archive.h"
#include "ns3/short-text.h"

#include <tuple>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-deadlock", SYSTEM);

/// The parameters of the links and frames in the networks of this suite. A frame of FRAME_BYTES
/// takes a microsecond on the wire.
const DataRate RATE("8Gbps");
const Time DELAY = MicroSeconds(1);
constexpr uint32_t FRAME_BYTES = Ring::FRAME_BYTES;

/// The pause and resume thresholds of an ingress queue, which pauses its neighbour when it holds
/// more than 51 frames and resumes it when it holds fewer than 26.
constexpr uint64_t XOFF_BYTES = 51 * FRAME_BYTES;
constexpr uint64_t XON_BYTES = 26 * FRAME_BYTES;

/// The headroom is enough for the frames that arrive after a PAUSE frame is triggered, even if the
/// PAUSE frame waits for a frame on a slow link.
constexpr uint64_t HEADROOM_BYTES = 30 * FRAME_BYTES;

constexpr uint32_t RING = Ring::SIZE;

Ptr<SwitchNode>
MakePfcSwitch()
{
    return MakeStaticSwitch(XOFF_BYTES,
                            XON_BYTES,
                            {{"PrivateBytes", 0}, {"HeadroomBytes", HEADROOM_BYTES}})
        .Create();
}

/// Records when the classes of the links in a ring are paused.
struct RingLog
{
    explicit RingLog(const Ring& ring)
    {
        m_firstClosing.fill(Time::Max());
        for (uint32_t i = 0; i < RING; ++i)
        {
            Ptr<SwitchNode> node = ring.GetSwitch(i);
            node->Initialize();
            ListenTo(*node->GetPortDevice(Ring::GetWayOn(i))->GetGate(),
                     "Closed",
                     [this](PrioritySet closed) {
                         for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
                         {
                             if (Contains(closed, Priority{p}))
                             {
                                 m_lastClosing[p] = Simulator::Now();
                                 m_firstClosing[p] = std::min(m_firstClosing[p], Simulator::Now());
                             }
                         }
                         ++m_closings;
                     });
        }
    }

    std::array<Time, NUM_PRIORITIES> m_firstClosing; ///< first pause of each class
    std::array<Time, NUM_PRIORITIES> m_lastClosing;  ///< last pause of each class
    uint32_t m_closings{0};                          ///< number of closings
};

Ptr<DeadlockDetector>
MakeDetector(Time confirm = MilliSeconds(1), bool stop = false)
{
    auto detector = CreateObject<DeadlockDetector>();
    detector->SetAttribute("ConfirmTime", TimeValue(confirm));
    detector->SetAttribute("StopOnDeadlock", BooleanValue(stop));
    return detector;
}

/// A ring whose deadlocks are detected.
struct WatchedRing : Ring
{
    explicit WatchedRing(Time confirm,
                         const std::function<Ptr<SwitchNode>()>& make = MakePfcSwitch,
                         bool stop = false)
        : Ring(make),
          detector(MakeDetector(confirm, stop))
    {
        Watch(*detector);
    }

    /// Runs the ring and ends the simulation.
    std::vector<DeadlockRecord> FindDeadlocks(Time end)
    {
        RunFor(end);
        Simulator::Destroy();
        return detector->GetDeadlocks();
    }

    Ptr<DeadlockDetector> detector; ///< detector of the ring
};

std::string
NameRing(Priority priority)
{
    std::string text;
    for (const std::string link : {"s0>s1", "s1>s2", "s2>s0", "s0>s1"})
    {
        text += (text.empty() ? "" : " -> ") + link + " class " + std::to_string(Index(priority));
    }
    return text;
}

/// The cycle of a ring in which all frames belong to class 3.
const std::string RING_CYCLE = NameRing(Priority{3});

// Each host sends to the host two switches away. A switch's queue to the next switch thus receives
// the frames of its host and the frames in transit, both at up to the rate of the link, and all
// three ingress queues of the ring fill equally.
//
// Times are in microseconds, and each frame takes one microsecond. The first frame in transit
// arrives at the second switch at 0.988 + 1 + 0.988 + 1 = 3.976, because 12 of the 24 B of overhead
// follow the last bit. From this time on, the host adds 1 frame per microsecond to the queue, and
// transit adds a <= 1 frames per microsecond.
// - The host sends at least as many frames as arrive in transit, so at most half of the queue is in
//   transit, and the queue grows by at most 1 frame per microsecond; the ingress queue also holds
//   up to 3 frames for the local host (one of them on the wire). The ingress queue therefore does
//   not reach the 52 frames at which it pauses before 3.976 + 2 (52 - 3) = 101.976.
// - The host's frames are a share of 1 / (1 + a) of the FIFO queue's output, and the next switch
//   receives them in transit, so a >= 1/2. The queue thus grows by at least 1/2 frame per
//   microsecond, and a / (1 + a) >= 1/3 of it is in transit. This part grows by at least 1/6 frame
//   per microsecond and reaches 52 frames no later than 3.976 + 6 * 52 = 315.976. The PAUSE frame
//   waits for another frame (1), takes 0.088 on the wire and 1 to propagate, and takes effect after
//   60 quanta (3.84): the gates close no later than 321.904.
//
// By then, about 6 more frames have left each queue. These are too few for a queue to fall from 52
// frames to below 26, so the gates never open again. The frames in flight to switches and hosts
// arrive within 3 + 1 + 1 us after that, and then nothing moves.
/// @param isRestless true if another class is paused repeatedly, more often than the detector
/// searches
void
LockRing(Priority priority, bool isRestless)
{
    const Time confirm = MilliSeconds(1);
    WatchedRing ring(confirm);
    RingLog log(ring);
    uint32_t traced = 0;
    ListenTo(*ring.detector, "Deadlock", [&traced](const DeadlockRecord& record) {
        traced += record.members.size();
    });
    const auto dscp = static_cast<uint8_t>(Index(priority) << 3);
    ring.Send(2, 20000, {dscp, dscp, dscp});
    for (Time at; isRestless && at < MilliSeconds(10); at += confirm / 10)
    {
        SendPfcIn(at,
                  ring.GetSwitch(1)->GetPortDevice(Ring::GetWayIn(1)),
                  SetOf(Priority{5}),
                  100); // 100 quanta of 64 ns
    }
    const std::vector<DeadlockRecord> found = ring.FindDeadlocks(MilliSeconds(10));
    NS_TEST_ASSERT_MSG_EQ(found.size(), 1, "one deadlock, reported once");
    NS_TEST_EXPECT_MSG_EQ(traced, 3, "and traced");
    NS_TEST_EXPECT_MSG_EQ(found[0].GetCycle(), NameRing(priority), "all ring links");
    NS_TEST_EXPECT_MSG_EQ(found[0].onset, log.m_lastClosing[Index(priority)], "the last one");
    NS_TEST_EXPECT_MSG_EQ((found[0].onset > NanoSeconds(101976)), true, "not too early");
    NS_TEST_EXPECT_MSG_EQ((found[0].onset < NanoSeconds(321904)), true, "not too late");
    NS_TEST_EXPECT_MSG_EQ((found[0].confirmed >= found[0].onset + confirm),
                          true,
                          "not before all have been stopped for the ConfirmTime");
    NS_TEST_EXPECT_MSG_EQ(
        (found[0].confirmed <= found[0].onset + MicroSeconds(5) + 3 * confirm / 2),
        true,
        "and half of it later at most");
}

DeadlockRecord
FindDeadlock(uint32_t first)
{
    WatchedRing ring(MilliSeconds(1));
    RingLog log(ring);
    for (uint32_t i = 0; i < RING; ++i)
    {
        const uint32_t host = (first + i) % RING;
        ring.GetHost(host).Send((host + 2) % RING, 24, FRAME_BYTES, 2000, i * MicroSeconds(20));
    }
    RunFor(MilliSeconds(3));
    Simulator::Destroy();
    const DeadlockRecord record = ring.detector->GetDeadlocks().at(0);
    NS_TEST_EXPECT_MSG_EQ(record.onset, log.m_lastClosing[Index(Priority{3})], "the last link");
    NS_TEST_EXPECT_MSG_GT(record.onset, log.m_firstClosing[Index(Priority{3})], "not the first");
    return record;
}

/// Two identical runs find the same deadlock. The hosts start 20 us apart, so the links are paused
/// at different times; the last pause is the onset.
LOSSLESS_TEST(g_suite, "The last link of a ring is the onset, and a second run reports the same")
{
    for (uint32_t first = 0; first < RING; ++first)
    {
        const DeadlockRecord one = FindDeadlock(first);
        const DeadlockRecord other = FindDeadlock(first);
        NS_TEST_EXPECT_MSG_EQ(one.onset, other.onset, "onset");
        NS_TEST_EXPECT_MSG_EQ(one.confirmed, other.confirmed, "confirmation");
        NS_TEST_EXPECT_MSG_EQ(one.GetCycle(), other.GetCycle(), "cycle");
    }
}

std::size_t
CountDeadlocksDshRing(const std::function<Ptr<SwitchNode>()>& make, std::size_t& arrived)
{
    WatchedRing ring(MilliSeconds(1), make);
    ring.Send(2, 800);
    RunFor(MilliSeconds(4));
    arrived = 0;
    for (uint32_t i = 0; i < RING; ++i)
    {
        arrived += ring.GetHost(i).received.m_arrivals.size();
    }
    Simulator::Destroy();
    return ring.detector->GetDeadlocks().size();
}

/// Under DSH, the ring of LockRing() has sufficient buffer for 800 frames of each host. At most
/// half of a queue is in transit (see LockRing()), so an ingress queue holds at most 400 frames
/// (390 kB), and the switch holds 1.6 MB. With 16 MiB, DSH pauses a queue only above (14.3 - 1.6)
/// MB / 16 = 790 kB.
LOSSLESS_TEST(g_suite, "A ring under DSH, whose buffer holds what waits, does not lock")
{
    std::size_t arrived = 0;
    NS_TEST_EXPECT_MSG_EQ(
        CountDeadlocksDshRing([]() { return CreateObject<DshSwitchNode>(); }, arrived),
        0,
        "enough buffer");
    NS_TEST_EXPECT_MSG_EQ(arrived, RING * 800, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(CountDeadlocksDshRing(MakePfcSwitch, arrived), 1, "51 frames do not do");
}

/// Class 3 is deadlocked, whereas class 5 is congested everywhere but continues to move. Each host
/// sends 300 frames of class 5 to the next host, whose port takes 10 us per frame.
LOSSLESS_TEST(g_suite, "A deadlock of one class is found while another one stops and goes")
{
    const uint32_t frames = 300;
    WatchedRing ring(MicroSeconds(500));
    ring.SlowHosts();
    RingLog log(ring);
    ring.Send(2, 20000);
    ring.Send(1, frames, {40, 40, 40});
    RunFor(MilliSeconds(15));
    NS_TEST_ASSERT_MSG_EQ(ring.detector->GetDeadlocks().size(), 1, "one, of one class");
    const DeadlockRecord& found = ring.detector->GetDeadlocks()[0];
    NS_TEST_EXPECT_MSG_EQ(found.GetCycle(), RING_CYCLE, "of class 3");
    NS_TEST_EXPECT_MSG_EQ(found.onset, log.m_lastClosing[Index(Priority{3})], "its last link");
    NS_TEST_EXPECT_MSG_EQ((log.m_lastClosing[Index(Priority{5})] > found.confirmed),
                          true,
                          "class 5 was paused later as well");
    for (uint32_t i = 0; i < RING; ++i)
    {
        const std::size_t arrived = ring.GetHost(i).received.GetArrivals(Priority{5}).size();
        NS_TEST_EXPECT_MSG_EQ(arrived, frames, "and has arrived");
    }
}

/// The policy of most tests in this suite, except that class 3 has no threshold in a switch without
/// frames of class 5. It models a threshold that rises when other queues drain.
struct TidePolicy : StaticBufferPolicy
{
    LOSSLESS_TEST_TYPE(TidePolicy, StaticBufferPolicy);

    std::optional<Thresholds> GetThresholds(const SharedBuffer& buffer,
                                            QueueId queue) const override
    {
        constexpr uint64_t NEVER = std::numeric_limits<uint64_t>::max();
        uint64_t others = 0;
        for (uint16_t port = 0; port < 3; ++port)
        {
            others += buffer.GetIngress({PortId{port}, Priority{5}}).GetTotal();
        }
        return queue.priority == Priority{3} && others == 0
                   ? Thresholds{NEVER, NEVER}
                   : StaticBufferPolicy::GetThresholds(buffer, queue);
    }
};

std::vector<DeadlockRecord>
LockRandomRing(uint32_t seed)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(seed);
    const std::vector<std::string> policies{"SIH", "DSH", "SHP"};
    const std::string policy = policies[random->GetInteger(0, policies.size() - 1)];
    const double alpha = std::pow(2, random->GetInteger(0, 5) - 3.0);
    const uint64_t shared = random->GetInteger(50000, 600000);
    Ring ring([&]() {
        SwitchHelper helper(*FindPart<SchemeInfo>(policy));
        helper.SetAttribute("LosslessClasses", UintegerValue(56));
        // Three ports with three classes each have headroom for at most 9 x 30 frames.
        helper.SetPolicyAttribute("HeadroomBytes", UintegerValue(HEADROOM_BYTES));
        helper.SetPolicyAttribute("PrivateBytes", UintegerValue(0));
        helper.SetPolicyAttribute("LossyPrivateBytes", UintegerValue(0));
        helper.SetPolicyAttribute("Alpha", DoubleValue(alpha));
        const uint64_t headroom = (policy == "DSH" ? 3 : 9) * HEADROOM_BYTES;
        // DSH's thresholds must exceed the headroom of a port.
        const auto least = static_cast<uint64_t>(1.5 * HEADROOM_BYTES / alpha);
        helper.SetBufferAttribute(
            "Size",
            UintegerValue(headroom + std::max(shared, policy == "DSH" ? least : 0)));
        return helper.Create();
    });
    ring.SlowHosts();
    auto detector = MakeDetector(MicroSeconds(100));
    ring.Watch(*detector);
    for (uint8_t p = 3; p < 6; ++p)
    {
        const auto dscp = static_cast<uint8_t>(p << 3);
        const uint32_t hops = random->GetInteger(1, 2);
        const uint32_t frames = random->GetInteger(20, 600);
        Simulator::Schedule(MicroSeconds(random->GetInteger(0, 500)), [=, &ring]() {
            ring.Send(hops, frames, {dscp, dscp, dscp});
        });
    }
    RunFor(MilliSeconds(30));
    detector->Conclude();
    const std::vector<DeadlockRecord> found = detector->GetDeadlocks();
    Simulator::Destroy();
    return found;
}

/// Runs rings with random policies, buffers and flows in three classes. Most of these rings
/// deadlock, and some of the deadlocks dissolve later. Ports to the hosts have a tenth of the rate
/// of the ring, so other frames continue to leave for a long time after a cycle has closed.
void
CheckFinal(uint32_t first, uint32_t last)
{
    uint32_t finals = 0;
    uint32_t dissolved = 0;
    for (uint32_t seed = first; seed <= last; ++seed)
    {
        for (const DeadlockRecord& record : LockRandomRing(seed))
        {
            finals += record.isFinal ? 1 : 0;
            dissolved += record.dissolved ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ((record.isFinal && record.dissolved),
                                  false,
                                  "seed " << seed << ": " << record.GetCycle());
        }
    }
    NS_TEST_EXPECT_MSG_GT(finals, 0, "some are final");
    NS_TEST_EXPECT_MSG_GT(dissolved, 0, "and some dissolve");
}

/// Runs rings of switches that stop individual flows, with random settings. Each host has three
/// flows to the host two switches away, which deadlock in some rings. Later, each host repeatedly
/// sends a few frames of other flows, which may overtake the waiting flows. While a deadlock lasts,
/// no frame of a flow that its record names leaves the named egress queue, and no frame leaves a
/// queue that is stopped as a whole. If a deadlock dissolves, a frame of at least one of these
/// flows or queues must have left.
class LockedFlows
{
  public:
    explicit LockedFlows(std::string scheme)
        : m_scheme(std::move(scheme))
    {
    }

    void Run(uint32_t first, uint32_t last)
    {
        for (uint32_t seed = first; seed <= last; ++seed)
        {
            for (const DeadlockRecord& record : Lock(seed))
            {
                Check(record, "seed " + std::to_string(seed) + ": " + record.GetCycle());
            }
        }
        NS_TEST_EXPECT_MSG_GT(m_named, 0, "flows are named");
        NS_TEST_EXPECT_MSG_GT(m_passed, 0, "and others have passed them");
    }

  private:
    /// A frame that has left a switch.
    struct Departure
    {
        Time at;       ///< time at which its first bit left
        uint64_t flow; ///< flow hash of the frame
    };

    /// The departures, by switch name, port and class.
    using Departures = std::map<std::tuple<std::string, uint16_t, uint8_t>, std::vector<Departure>>;

    void Check(const DeadlockRecord& record, const std::string& name)
    {
        std::size_t own = 0;
        for (const DeadlockMember& member : record.members)
        {
            const auto queue = std::make_tuple(member.node,
                                               static_cast<uint16_t>(Index(member.queue->port)),
                                               static_cast<uint8_t>(Index(member.queue->priority)));
            for (const Departure& departure : m_departures[queue])
            {
                const bool isOwn = !member.flow || departure.flow == *member.flow;
                own += departure.at > record.onset && isOwn ? 1 : 0;
                m_passed += departure.at > record.onset && !isOwn && !record.dissolved ? 1 : 0;
            }
            m_named += member.flow ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ((own > 0), record.dissolved.has_value(), name);
    }

    uint32_t Pick(uint32_t low, uint32_t high)
    {
        return m_random->GetInteger(low, high);
    }

    SwitchHelper DrawSwitches()
    {
        SwitchHelper helper =
            MakeStaticSwitch(Pick(100, 300) * FRAME_BYTES,
                             10 * FRAME_BYTES,
                             {{"PrivateBytes", 0}, {"HeadroomBytes", HEADROOM_BYTES}},
                             SwitchHelper(*FindPart<SchemeInfo>(m_scheme)));
        helper.SetFlowControlAttributeIfPresent("CongestionXoff",
                                                UintegerValue(Pick(10, 30) * FRAME_BYTES));
        helper.SetFlowControlAttributeIfPresent("PhysicalQueues", UintegerValue(Pick(1, 4)));
        return helper;
    }

    static void Send(Ring& ring,
                     uint32_t host,
                     uint32_t hops,
                     uint32_t frames,
                     uint16_t flow,
                     Time delay)
    {
        const uint32_t sink = (host + hops) % RING;
        for (uint32_t i = 0; i < frames; ++i)
        {
            ring.GetHost(host).source.SendIn(delay,
                                             MakeUdpFrame(ring.GetHost(host).address,
                                                          ring.GetHost(sink).address,
                                                          24,
                                                          FRAME_BYTES,
                                                          i,
                                                          0,
                                                          49152 + flow));
        }
    }

    std::vector<DeadlockRecord> Lock(uint32_t seed)
    {
        m_random->SetStream(seed);
        m_departures.clear();
        const SwitchHelper switches = DrawSwitches();
        Ring ring([&]() { return switches.Create(); });
        auto detector = MakeDetector(MicroSeconds(100));
        ring.Watch(*detector);
        for (uint32_t i = 0; i < RING; ++i)
        {
            ring.GetSwitch(i)->AssignStreams(seed);
            ListenTo(*ring.GetSwitch(i), "Dequeue", [this, i](const SwitchItem& item) {
                const QueueId queue = item.GetEgressQueue();
                m_departures[{"s" + std::to_string(i),
                              static_cast<uint16_t>(Index(queue.port)),
                              static_cast<uint8_t>(Index(queue.priority))}]
                    .push_back({Simulator::Now(), item.frame.flowHash});
            });
            for (uint16_t flow = 0; flow < 3; ++flow)
            {
                Send(ring, i, 2, 600, flow, MicroSeconds(Pick(0, 100)));
            }
            for (Time at = MilliSeconds(3); at < MilliSeconds(8); at += MicroSeconds(Pick(50, 400)))
            {
                Send(ring, i, 1, Pick(1, 20), Pick(3, 9), at);
            }
        }
        for (Time at = MilliSeconds(3); at < MilliSeconds(8); at += MicroSeconds(Pick(1, 100)))
        {
            // The run could end at any of these times.
            Simulator::Schedule(at, &DeadlockDetector::Conclude, detector);
        }
        RunFor(MilliSeconds(10));
        detector->Conclude();
        const std::vector<DeadlockRecord> found = detector->GetDeadlocks();
        Simulator::Destroy();
        return found;
    }

    std::string m_scheme;    ///< name of the scheme
    std::size_t m_named{0};  ///< number of named flows
    std::size_t m_passed{0}; ///< number of other flows' frames that left queues of named flows
    Departures m_departures; ///< departures in the latest run
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()};
};

constexpr uint32_t LOCKING_FRAMES = 700; ///< number of frames of each host

/// The outcome of a run in which a ring deadlocks.
struct LockOutcome
{
    DeadlockRecord record;
    Time end;               ///< end of the run
    std::size_t arrived{0}; ///< number of frames of class 3 that arrived
    RunVerdict verdict;     ///< verdict on the run
};

LockOutcome
LockByPolicy(const std::function<Ptr<StaticBufferPolicy>()>& policy, ResultsWriter& results)
{
    Ring ring([&policy]() {
        Ptr<SwitchNode> node = MakePfcSwitch();
        auto other = policy();
        for (const auto& [name, value] : {std::pair("Xoff", XOFF_BYTES),
                                          std::pair("Xon", XON_BYTES),
                                          std::pair("PrivateBytes", uint64_t{0}),
                                          std::pair("HeadroomBytes", HEADROOM_BYTES)})
        {
            other->SetAttribute(name, UintegerValue(value));
        }
        node->SetBufferPolicy(other);
        return node;
    });
    ring.SlowHosts();
    Ptr<DeadlockDetector> detector = results.Get<DeadlockDetector>();
    detector->SetAttribute("ConfirmTime", TimeValue(MicroSeconds(500)));
    detector->SetAttribute("StopOnDeadlock", BooleanValue(true));
    for (uint32_t i = 0; i < RING; ++i)
    {
        results.AddNode("s" + std::to_string(i), ring.GetSwitch(i));
    }
    ring.Send(2, LOCKING_FRAMES);
    ring.Send(1, 300, {40, 40, 40});
    RunFor(MilliSeconds(40));
    LockOutcome outcome;
    outcome.end = Simulator::Now();
    for (uint32_t i = 0; i < RING; ++i)
    {
        outcome.arrived += ring.GetHost(i).received.GetArrivals(Priority{3}).size();
    }
    outcome.verdict = results.GetVerdict();
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), 1, "one deadlock");
    outcome.record = detector->GetDeadlocks().at(0);
    return outcome;
}

/// If class 5 is congested everywhere, class 3 deadlocks when each host sends 700 frames. If the
/// thresholds are fixed, the deadlock is final although class 5 continues, because a switch of the
/// ring keeps more frames of class 3 than XON allows. With TidePolicy, the deadlock dissolves when
/// the last frame of class 5 has left a switch, and all frames arrive.
LOSSLESS_TEST(g_suite, "A deadlock that other frames may dissolve is not final, and may dissolve")
{
    ResultsWriter fixed("");
    const auto makeFixed = []() { return CreateObject<StaticBufferPolicy>(); };
    const auto [locked, lockedEnd, stuck, lockedVerdict] = LockByPolicy(makeFixed, fixed);
    NS_TEST_EXPECT_MSG_EQ(locked.isFinal, true, "held by frames of its own");
    NS_TEST_EXPECT_MSG_EQ(locked.dissolved.has_value(), false, "it stands");
    NS_TEST_EXPECT_MSG_LT(stuck, RING * LOCKING_FRAMES, "class 3 does not go on");
    NS_TEST_EXPECT_MSG_EQ(lockedEnd, locked.confirmed, "the run is ended at once");
    NS_TEST_EXPECT_MSG_EQ(lockedVerdict.deadlock.has_value(), true, "a deadlock");
    NS_TEST_EXPECT_MSG_EQ(lockedVerdict.dissolvedDeadlocks, 0, "none else");

    ResultsWriter tide("");
    const auto makeTide = []() { return CreateObject<TidePolicy>(); };
    const auto [loose, looseEnd, arrived, looseVerdict] = LockByPolicy(makeTide, tide);
    NS_TEST_EXPECT_MSG_EQ(loose.isFinal, false, "other frames may leave");
    const Time dissolved = loose.dissolved.value_or(Time(0));
    NS_TEST_EXPECT_MSG_GT(dissolved, loose.confirmed, "they do, later");
    // Sending the 300 frames of class 5 to a host takes 3000 us.
    NS_TEST_EXPECT_MSG_GT(dissolved, MicroSeconds(3000), "class 5 has left");
    NS_TEST_EXPECT_MSG_EQ(arrived, RING * LOCKING_FRAMES, "so that class 3 goes on");
    NS_TEST_EXPECT_MSG_EQ(looseEnd, MilliSeconds(40), "and the run with it");
    NS_TEST_EXPECT_MSG_EQ(looseVerdict.deadlock.has_value(), false, "no deadlock");
    NS_TEST_EXPECT_MSG_EQ(looseVerdict.dissolvedDeadlocks, 1, "but a dissolved one");
    NS_TEST_EXPECT_MSG_EQ(looseVerdict.problems.size(), 0, "which --strict does not mind");
    const ResultTable table = tide.Get<DeadlockDetector>()->GetTable();
    const auto* noted = std::get_if<int64_t>(&table.rows.at(0).at(2).Get());
    NS_TEST_EXPECT_MSG_EQ((noted && *noted == dissolved.GetNanoSeconds()), true, "deadlocks.csv");
}

/// Reacts to a PAUSE of class 3 by stopping the flows of the class, so that the class itself
/// remains open. The gate can let a single frame pass.
class FlowStopGate : public TransmitGate
{
  public:
    LOSSLESS_TEST_TYPE(FlowStopGate, TransmitGate);

    FlowStopGate()
    {
        SetSelective(true);
    }

    bool MaySend(const Frame& frame) const override
    {
        return !m_isStopped || frame.priority != Priority{3};
    }

    void Leak()
    {
        m_isStopped = false;
        Wake();
        m_isStopped = true;
    }

  private:
    bool Apply(const Frame& frame) override
    {
        const auto pfc = ParsePfcFrame(frame.packet);
        if (pfc->IsEnabled(Priority{3}))
        {
            m_isStopped = pfc->GetQuanta(Priority{3}) > 0;
            if (m_isStopped)
            {
                TellPaused({SetOf(Priority{3}), QuantaToTime(1)});
            }
            else
            {
                Wake();
            }
        }
        return true;
    }

    bool m_isStopped{false}; ///< true if the flows of class 3 are paused
};

/// Replaces the gate between the first switch and the next one.
Ptr<FlowStopGate>
PutFlowStopGate(Ring& ring)
{
    auto gate = CreateObject<FlowStopGate>();
    ring.GetSwitch(0)->Initialize();
    ring.GetSwitch(0)->GetPortDevice(Ring::GetWayOn(0))->SetGate(gate);
    return gate;
}

/// In the ring of LockRing(), s0 pauses flows instead of the class. The ring is deadlocked before
/// 322 us. With a ConfirmTime of 1 ms, the detector searches every 250 us. At 900 us, s0 sends a
/// frame between two searches, so the cycle closes again only after that frame, and the next search
/// detects this.
LOSSLESS_TEST(g_suite, "A queue stopped by flows that sends between two looks has not stood still")
{
    WatchedRing ring(MilliSeconds(1));
    auto gate = PutFlowStopGate(ring);
    ring.Send(2, 20000);
    Simulator::Schedule(MicroSeconds(900), [gate]() { gate->Leak(); });
    RunFor(MilliSeconds(5));
    ring.detector->Conclude();
    const std::vector<DeadlockRecord> found = ring.detector->GetDeadlocks();
    Simulator::Destroy();
    NS_TEST_ASSERT_MSG_EQ(found.size(), 1, "one deadlock");
    DeadlockRecord classes = found[0];
    NS_TEST_EXPECT_MSG_EQ(classes.members[0].flow.has_value(), true, "s0 stops flows");
    classes.members[0].flow.reset();
    NS_TEST_EXPECT_MSG_EQ(classes.GetCycle(), RING_CYCLE, "all ring links");
    NS_TEST_EXPECT_MSG_GT(found[0].onset, MicroSeconds(900), "not before it has sent");
    NS_TEST_EXPECT_MSG_LT(found[0].onset, MicroSeconds(900 + 250), "seen at the next look");
    NS_TEST_EXPECT_MSG_EQ(found[0].dissolved.has_value(), false, "it stands");
}

/// As in the previous test, but the frame is sent after the deadlock has been confirmed. This
/// deadlock dissolves, and another one follows.
LOSSLESS_TEST(g_suite, "A deadlock of flows that sends again has dissolved")
{
    WatchedRing ring(MicroSeconds(100));
    auto gate = PutFlowStopGate(ring);
    ring.Send(2, 20000);
    Simulator::Schedule(MicroSeconds(900), [gate]() { gate->Leak(); });
    RunFor(MicroSeconds(950));
    NS_TEST_ASSERT_MSG_EQ(ring.detector->GetDeadlocks().size(), 1, "reported");
    NS_TEST_EXPECT_MSG_EQ(ring.detector->GetDeadlocks()[0].isFinal, true, "nothing else moves");
    ring.detector->Conclude();
    const DeadlockRecord found = ring.detector->GetDeadlocks()[0];
    NS_TEST_EXPECT_MSG_EQ((found.dissolved == MicroSeconds(950)), true, "seen by the last look");
    RunFor(MilliSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(ring.detector->GetDeadlocks().size(), 2, "it stands still again");
    NS_TEST_EXPECT_MSG_EQ(ring.detector->GetDeadlocks().back().dissolved.has_value(),
                          false,
                          "still");
}

/// The cycles of this ring dissolve. At most 20 frames of an ingress queue continue around the
/// ring, and the others leave for the local host, at 10 us per frame. An ingress queue takes more
/// than 260 us to fall from 52 frames to below 26. During this time, all links are paused, and
/// those 20 frames wait for each other around the ring. This is much longer than the ConfirmTime of
/// 60 us. However, an ingress queue that forwards frames is not stuck, and all frames arrive in the
/// end.
LOSSLESS_TEST(g_suite, "A cycle whose ingress queues go on sending elsewhere is not reported")
{
    WatchedRing ring(MicroSeconds(60));
    ring.SlowHosts();
    ring.Send(1, 100);
    ring.Send(2, 20);
    ring.Send(1, 200);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ring.detector->GetDeadlocks().size(), 0, "it drains");
    for (uint32_t i = 0; i < RING; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(ring.GetHost(i).received.m_arrivals.size(), 320, "all");
    }
}

/// All links of the ring are paused for the whole run, and their queues hold frames for each other,
/// but no ingress queue causes the pauses: each PAUSE is repeated as if the RESUME had been lost.
/// The first RESUME that arrives would end the standstill, so it is not a deadlock.
LOSSLESS_TEST(g_suite, "Queues that are paused by no ingress queue are no deadlock")
{
    WatchedRing ring(MicroSeconds(100), []() { return CreateObject<DshSwitchNode>(); });
    RingLog log(ring);
    ring.Send(2, 100);
    for (uint32_t i = 0; i < RING; ++i)
    {
        Ptr<LosslessNetDevice> device =
            ring.GetSwitch(i)->GetPortDevice(Ring::GetWayOn(i))->GetPeer();
        for (const uint32_t at : {30, 2000}) // the longest possible pause lasts 4194 us
        {
            SendPfcIn(MicroSeconds(at), device, SetOf(Priority{3}), 0xffff);
        }
    }
    RunFor(MilliSeconds(4));
    NS_TEST_EXPECT_MSG_EQ(log.m_closings, RING, "all links are paused, once");
    for (uint32_t i = 0; i < RING; ++i)
    {
        uint32_t frames = 0;
        ring.GetSwitch(i)->ForEachQueued([&frames, i](const SwitchItem& item) {
            frames += item.ingress == Ring::GetWayIn(i) && item.egress == Ring::GetWayOn(i);
        });
        NS_TEST_EXPECT_MSG_GT(frames, 0, "and frames from the ring wait for the ring");
    }
    NS_TEST_EXPECT_MSG_EQ(ring.detector->GetDeadlocks().size(), 0, "no switch wants it");
}

/// Keeps a class paused until the RESUME arrives, without a timer, as the gates of credit schemes
/// do.
class StickyGate : public TransmitGate
{
  public:
    LOSSLESS_TEST_TYPE(StickyGate, TransmitGate);

  private:
    bool Apply(const Frame& frame) override
    {
        const auto pfc = ParsePfcFrame(frame.packet);
        PrioritySet& held = Held(Layer::CLASS);
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const PrioritySet one = SetOf(Priority{p});
            if (pfc->IsEnabled(Priority{p}))
            {
                held = pfc->GetQuanta(Priority{p}) > 0 ? held | one : held & ~one;
            }
        }
        Publish();
        return true;
    }
};

/// @param ring the ring, in which s0's gate to s1 is closed for class 5 at 10 us
void
Shut(Ring& ring, DeadlockDetector& detector)
{
    Ptr<LosslessNetDevice> device = ring.GetSwitch(0)->GetPortDevice(Ring::GetWayOn(0));
    ring.GetSwitch(0)->Initialize();
    device->SetGate(CreateObject<StickyGate>());
    ring.Watch(detector);
    SendPfcIn(MicroSeconds(10), device->GetPeer(), SetOf(Priority{5}), 0xffff);
}

/// At 10 us, a PAUSE for class 5 permanently closes s0's gate to s1, because no RESUME follows.
/// There is no other traffic. After 100 us without changes, the detector stops searching, and no
/// events are left.
///
/// The run must end because no events are left; otherwise, the check at 5 ms would find an event of
/// the detector. In the next test, class 3 is sent from 1 ms onwards. The ring then deadlocks as in
/// LockRing(), before 1.322 ms, and the deadlock is detected at most 3/2 ConfirmTime later, while
/// class 5 remains closed.
LOSSLESS_TEST(g_suite, "A gate that never opens again does not keep the run going")
{
    Ring ring(MakePfcSwitch);
    auto detector = MakeDetector(MicroSeconds(100));
    Shut(ring, *detector);
    Simulator::Schedule(MilliSeconds(5), []() {
        NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "no event waits");
        Simulator::Stop();
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), 0, "one gate is no cycle");
}

LOSSLESS_TEST(g_suite, "A ring that locks later is found")
{
    Ring ring(MakePfcSwitch);
    auto detector = MakeDetector(MicroSeconds(100));
    Shut(ring, *detector);
    Simulator::Schedule(MilliSeconds(1), [&ring]() { ring.Send(2, 20000); });
    RunFor(MilliSeconds(3));
    const std::vector<DeadlockRecord> found = detector->GetDeadlocks();
    Simulator::Destroy();
    NS_TEST_ASSERT_MSG_EQ(found.size(), 1, "found");
    NS_TEST_EXPECT_MSG_EQ(found[0].GetCycle(), RING_CYCLE, "of class 3");
    NS_TEST_EXPECT_MSG_GT(found[0].onset, MicroSeconds(1000 + 101), "as if it locked at once");
    NS_TEST_EXPECT_MSG_LT(found[0].onset, MicroSeconds(1000 + 322), "as if it locked at once");
    NS_TEST_EXPECT_MSG_LT(found[0].confirmed,
                          found[0].onset + MicroSeconds(150 + 5),
                          "in time; frames arrive for 5 us after the onset");
}

LOSSLESS_TEST(g_suite, "deadlocks.csv, run.json and the verdict tell of a deadlock")
{
    Ring ring(MakePfcSwitch);
    const std::string folder = CreateTempDirFilename("results");
    ResultsWriter results(folder);
    for (uint32_t i = 0; i < RING; ++i)
    {
        results.AddNode("s" + std::to_string(i), ring.GetSwitch(i));
    }
    results.Get<DeadlockDetector>()->SetAttribute("StopOnDeadlock", BooleanValue(true));
    ring.Send(2, 20000);
    RunFor(MilliSeconds(10));
    NS_TEST_ASSERT_MSG_EQ(results.Write().has_value(), false, "written");
    const auto verdict = results.GetVerdict();
    NS_TEST_ASSERT_MSG_EQ(results.Get<DeadlockDetector>()->GetDeadlocks().size(), 1, "found");
    const DeadlockRecord& found = results.Get<DeadlockDetector>()->GetDeadlocks()[0];
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), found.confirmed, "the run was ended");
    const std::string onset = std::to_string(found.onset.GetNanoSeconds());
    NS_TEST_EXPECT_MSG_EQ(ReadFile(folder + "/deadlocks.csv"),
                          "onset_ns,confirmed_ns,dissolved_ns,kind,cycle\n" + onset + "," +
                              std::to_string(found.confirmed.GetNanoSeconds()) + ",,cycle," +
                              RING_CYCLE + "\n",
                          "deadlocks.csv");
    const std::string run = ReadFile(folder + "/run.json");
    ExpectPart(run, "\"deadlock\": true");
    ExpectPart(run, "\"deadlock_onset_ns\": " + onset);
    NS_TEST_ASSERT_MSG_EQ(verdict.problems.size(), 1, "one problem, which --strict minds");
    NS_TEST_EXPECT_MSG_EQ(verdict.problems[0],
                          "Deadlock since " + DescribeTime(found.onset) + ": " + RING_CYCLE + ".",
                          "a sentence");
}

std::size_t
CountDeadlocksShortStall(Time confirm)
{
    WatchedRing ring(confirm);
    ring.Send(2, 20000);
    ring.SetCable(MicroSeconds(600), false);
    return ring.FindDeadlocks(MilliSeconds(10)).size();
}

/// A deadlock that ends within ConfirmTime does not count. At 0.6 ms, a cable is cut, which
/// discards the frames of a queue. The ring had deadlocked before 0.322 ms (see LockRing()).
LOSSLESS_TEST(g_suite, "A ring that stalls for less than the ConfirmTime is not reported")
{
    NS_TEST_EXPECT_MSG_EQ(CountDeadlocksShortStall(MilliSeconds(1)), 0, "0.3 to 0.5 ms are short");
    // With a ConfirmTime of 0.1 ms, the deadlock is detected at most 0.15 ms after its onset,
    // before 0.6 ms.
    NS_TEST_EXPECT_MSG_EQ(CountDeadlocksShortStall(MicroSeconds(100)), 1, "and are long here");
}

/// After a cut has dissolved the deadlock of a ring, the ring deadlocks again when the cable is
/// restored, which counts as another deadlock.
LOSSLESS_TEST(g_suite, "A ring that locks twice is reported twice")
{
    WatchedRing ring(MicroSeconds(100));
    ring.Send(2, 20000);
    ring.SetCable(MicroSeconds(600), false);
    ring.SetCable(MicroSeconds(900), true);
    const std::vector<DeadlockRecord> found = ring.FindDeadlocks(MilliSeconds(10));
    NS_TEST_ASSERT_MSG_EQ(found.size(), 2, "before the cut, and after");
    NS_TEST_EXPECT_MSG_EQ(found[1].GetCycle(), RING_CYCLE, "the same queues");
    NS_TEST_EXPECT_MSG_EQ((found[0].onset < MicroSeconds(600)), true, "before");
    NS_TEST_EXPECT_MSG_EQ((found[1].onset > MicroSeconds(900)), true, "after");
    NS_TEST_EXPECT_MSG_EQ((found[0].dissolved == MicroSeconds(600)), true, "by the cut");
    NS_TEST_EXPECT_MSG_EQ(found[1].dissolved.has_value(), false, "the second one stands");
}

uint64_t
CountEvents(Ptr<DeadlockDetector> detector)
{
    Ring ring([]() { return CreateObject<DropTailSwitchNode>(); });
    if (detector)
    {
        ring.Watch(*detector);
    }
    ring.Send(2, 5000);
    Simulator::Run();
    const uint64_t events = Simulator::GetEventCount();
    NS_TEST_EXPECT_MSG_EQ(ring.GetHost(0).source.m_waiting.size(), 0, "all is sent");
    Simulator::Destroy();
    return events;
}

/// The ring is overloaded as in LockRing(), but without flow control. Frames are lost, gates do not
/// close, and the detector schedules only its first event.
LOSSLESS_TEST(g_suite, "Without pauses the detector costs one event and finds nothing")
{
    auto detector = MakeDetector(MicroSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(CountEvents(detector), CountEvents(nullptr) + 1, "one event more");
    NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), 0, "nothing found");
}

/// @return the end of the run and the number of times that links between switches were paused
std::pair<Time, uint64_t>
RunTree(Ptr<DeadlockDetector> detector)
{
    Fabric fabric(Topology::LeafSpine({3, 2, 4}), MakeTightSwitch());
    fabric.AssignStreams(1);
    PauseRecorder pauses;
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        pauses.WatchSwitch(std::to_string(i), fabric.GetSwitch(i));
        if (detector)
        {
            detector->WatchSwitch(std::to_string(i), fabric.GetSwitch(i));
        }
    }
    FlowList flows;
    for (uint32_t host = 0; host < 12; ++host)
    {
        for (uint32_t sink : {0, 4})
        {
            if (host / 4 != sink / 4)
            {
                flows.push_back({flows.size(), host, sink, 3, 500000, Time(0), ""});
            }
        }
    }
    fabric.StartFlows(flows);
    Simulator::Run();
    uint64_t received = 0;
    for (uint32_t host : {0, 4})
    {
        received += fabric.GetNic(host)->GetCounts().bytesReceived;
    }
    NS_TEST_EXPECT_MSG_EQ(received, 16 * 500000, "all flows arrived");
    uint64_t paused = 0; // counts links between switches
    for (const PauseRecord& pause : pauses.GetPauses())
    {
        // Ports 4 and above of a leaf, and all ports of a spine, lead to switches.
        paused += Index(pause.port) >= 4 || std::stoi(pause.node) >= 3 ? pause.pauses : 0;
    }
    const Time end = Simulator::Now();
    Simulator::Destroy();
    return {end, paused};
}

/// In this leaf-spine network, eight hosts of other leaves send to h0 of the first leaf, and eight
/// to h4 of the second leaf, so links are paused in all directions. All paths go up and then down,
/// so there is no cycle, regardless of how short the ConfirmTime is. The run ends on its own, at
/// most one ConfirmTime later than without a detector, and is otherwise the same.
LOSSLESS_TEST(g_suite, "A heavily congested leaf-spine network is not reported")
{
    auto detector = MakeDetector(MicroSeconds(1));
    const auto [without, pauses] = RunTree(nullptr);
    const auto [with, again] = RunTree(detector);
    NS_TEST_EXPECT_MSG_GT(pauses, 100, "links between switches were paused often");
    NS_TEST_EXPECT_MSG_EQ(again, pauses, "a detector changes nothing");
    NS_TEST_EXPECT_MSG_EQ((with <= without + MicroSeconds(1)), true, "nor goes on for long");
    NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks().size(), 0, "no cycle");
}

/// From 50 us on, pauses a port or one of its classes permanently as soon as it holds a frame.
class ForeverPolicy : public UnlimitedBufferPolicy
{
  public:
    LOSSLESS_TEST_TYPE(ForeverPolicy, UnlimitedBufferPolicy);

    explicit ForeverPolicy(bool wholePorts)
        : m_wholePorts(wholePorts)
    {
    }

    std::optional<Thresholds> GetThresholds(const SharedBuffer&, QueueId) const override
    {
        return GetThresholds(!m_wholePorts);
    }

    std::optional<Thresholds> GetPortThresholds(const SharedBuffer&, PortId) const override
    {
        return GetThresholds(m_wholePorts);
    }

  private:
    static Thresholds GetThresholds(bool pauses)
    {
        const bool armed = pauses && Simulator::Now() >= MicroSeconds(50);
        return Thresholds{armed ? 0 : std::numeric_limits<uint64_t>::max(), 0};
    }

    bool m_wholePorts; ///< true if it pauses ports rather than classes
};

std::string
FindCycles(bool wholePorts)
{
    Ring ring([wholePorts]() {
        auto node = CreateObject<PfcSwitchNode>();
        node->SetBufferPolicy(CreateObject<ForeverPolicy>(wholePorts));
        return node;
    });
    RingLog log(ring);
    auto detector = MakeDetector(MicroSeconds(100));
    ring.Watch(*detector);
    ring.Send(2, 1000, {24, 32, 40});
    RunFor(MilliSeconds(3));
    NS_TEST_EXPECT_MSG_EQ((log.m_closings >= RING), true, "all links are paused");
    Simulator::Destroy();
    std::string cycles;
    for (const DeadlockRecord& record : detector->GetDeadlocks())
    {
        cycles += record.GetCycle() + "; ";
    }
    return cycles;
}

/// Ports are paused as a whole (DSH, Sec. IV-B), and the hosts send in classes 3, 4 and 5. The port
/// of s1 to s0 holds class 3 for s2, the port of s2 to s1 class 4 for s0, and the port of s0 to s2
/// class 5 for s1. No class waits for itself around the ring, because each port receives two
/// classes: the frames of one of them have left for the local host, and those of the other wait for
/// the next switch. The cycle exists because the port that pauses a class waits for any of its
/// classes; it would not exist if each class were paused separately.
LOSSLESS_TEST(g_suite, "A deadlock of ports which are paused as a whole crosses classes")
{
    NS_TEST_EXPECT_MSG_EQ(FindCycles(true),
                          "s0>s1 class 5 -> s1>s2 class 3 -> s2>s0 class 4 -> s0>s1 class 5; ",
                          "in the classes in transit");
    NS_TEST_EXPECT_MSG_EQ(FindCycles(false), "", "no class in a cycle");
}

/// PFC that keeps empty queues paused until the thresholds rise.
class PatientPfc : public PfcFlowControl
{
  public:
    LOSSLESS_TEST_TYPE(PatientPfc, PfcFlowControl);

  protected:
    Demand Assess(QueueId queue) const override
    {
        const Demand demand = PfcFlowControl::Assess(queue);
        return demand == Demand::EMPTY ? Demand::KEEP : demand;
    }
};

/// Queues wait for each other because of thresholds, without a cycle of frames.
///
/// Two switches with 15 hosts each are connected by a cable of 20 us, and each host sends to one
/// host on either side. DSH pauses the empty trunk queues at both ends, while the frames that wait
/// for the trunk fill both buffers. The suite lossless-conservation tests lines of two switches in
/// which such queues resume.
LOSSLESS_TEST(g_suite, "A standstill by thresholds is reported, and ends the search")
{
    DumbbellOptions options{15, 15};
    options.bottleneckDelay = MicroSeconds(20);
    Fabric fabric(Topology::Dumbbell(options), SwitchHelper("ns3::lossless::DshSwitchNode"));
    auto detector = MakeDetector(MilliSeconds(1));
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        fabric.GetSwitch(i)->SetFlowControl(CreateObject<PatientPfc>());
        detector->WatchSwitch("s" + std::to_string(i), fabric.GetSwitch(i));
    }
    fabric.StartFlows(MakeFlows(30, {0, 15}));
    RunFor(MilliSeconds(20));
    Simulator::Destroy();
    NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "reported once");
    const DeadlockRecord& found = detector->GetDeadlocks()[0];
    NS_TEST_EXPECT_MSG_EQ(ToString(found.kind), std::string("standstill"), "no cycle of frames");
    NS_TEST_EXPECT_MSG_EQ(found.GetCycle(),
                          "s0>s1 class 0 -> s1>s0 class 0 -> s0>s1 class 0",
                          "both ends of the trunk");
    NS_TEST_EXPECT_MSG_LT(found.onset, MilliSeconds(1), "when the second end was stopped");
    NS_TEST_EXPECT_MSG_LT(found.confirmed, MilliSeconds(4), "when nothing moved any more");
}

/// With PatientPfc and an XON of zero, an empty switch keeps its neighbour paused.
LOSSLESS_TEST(g_suite, "A queue which an empty switch keeps stopped is a standstill by itself")
{
    Ring ring([]() {
        auto node = CreateObject<PfcSwitchNode>();
        node->SetBufferPolicy(CreateObject<ForeverPolicy>(false));
        node->SetFlowControl(CreateObject<PatientPfc>());
        return node;
    });
    auto detector = MakeDetector(MicroSeconds(100));
    ring.Watch(*detector);
    ring.GetHost(0).Send(1, 24, FRAME_BYTES, 1000);
    RunFor(MilliSeconds(3));
    Simulator::Destroy();
    NS_TEST_ASSERT_MSG_EQ(detector->GetDeadlocks().size(), 1, "reported once");
    NS_TEST_EXPECT_MSG_EQ(detector->GetDeadlocks()[0].GetCycle(), "s0>s1 class 3", "alone");
}

/// If only two of the three switches are watched, the detector finds no cycle, because a switch
/// that is not watched is not in the graph. A detector that is destroyed while the ring is
/// deadlocked (see LockRing()), before the deadlock is confirmed, leaves no events or references
/// behind.
LOSSLESS_TEST(g_suite, "What is not watched is not in the graph")
{
    Ring ring(MakePfcSwitch);
    auto two = MakeDetector(MicroSeconds(300));
    two->WatchSwitch("s0", ring.GetSwitch(0));
    two->WatchSwitch("s1", ring.GetSwitch(1));
    auto gone = MakeDetector(MicroSeconds(300), true);
    ring.Watch(*gone);
    ring.Send(2, 20000);
    Simulator::Schedule(MicroSeconds(350), [&gone]() { gone = nullptr; });
    RunFor(MilliSeconds(3));
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MilliSeconds(3), "the absent one ends nothing");
    NS_TEST_EXPECT_MSG_EQ(two->GetDeadlocks().size(), 0, "two of three");
}

/// Two rings deadlock identically, so one search finds both. The listener disposes of the detector
/// at the first report; nevertheless, both deadlocks are reported with all their members.
LOSSLESS_TEST(g_suite, "A listener may dispose of the detector that reports two deadlocks at once")
{
    std::array<Ring, 2> rings{Ring(MakePfcSwitch), Ring(MakePfcSwitch)};
    auto detector = MakeDetector(MicroSeconds(300));
    std::vector<DeadlockRecord> told;
    ListenTo(*detector, "Deadlock", [&](const DeadlockRecord& record) {
        told.push_back(record);
        if (detector)
        {
            detector->Dispose();
            detector = nullptr;
        }
    });
    for (Ring& ring : rings)
    {
        ring.Watch(*detector);
        ring.Send(2, 20000);
    }
    RunFor(MilliSeconds(2));
    Simulator::Destroy();
    NS_TEST_ASSERT_MSG_EQ(told.size(), 2, "one of each ring");
    for (const DeadlockRecord& record : told)
    {
        NS_TEST_EXPECT_MSG_EQ(record.GetCycle(), RING_CYCLE, "whole");
    }
    NS_TEST_EXPECT_MSG_EQ(told[0].confirmed, told[1].confirmed, "by the same search");
}

/// Records the scheduled events so that the pending ones can be counted afterwards.
class KeepingScheduler : public MapScheduler
{
  public:
    LOSSLESS_TEST_TYPE(KeepingScheduler,
                       MapScheduler,
                       .SetGroupName("Lossless").AddConstructor<KeepingScheduler>());

    void Insert(const Event& event) override
    {
        m_events.emplace_back(TimeStep(event.key.m_ts), event.impl);
        MapScheduler::Insert(event);
    }

    /// Clears the recorded events.
    /// @return the number of events from the given time on that have not been cancelled
    static std::size_t TakePending(Time earliest)
    {
        const auto events = std::exchange(m_events, {});
        return std::count_if(events.begin(), events.end(), [earliest](const auto& event) {
            return event.first >= earliest && !event.second->IsCancelled();
        });
    }

  private:
    static inline std::vector<std::pair<Time, Ptr<EventImpl>>> m_events; ///< by time
};

NS_OBJECT_ENSURE_REGISTERED(KeepingScheduler);

/// @return the number of events scheduled before the run
std::size_t
CountAtFirst(bool isDisposed)
{
    Simulator::SetScheduler(ObjectFactory("ns3::lossless::tests::KeepingScheduler"));
    auto detector = CreateObject<DeadlockDetector>();
    Ring ring(MakePfcSwitch);
    ring.Watch(*detector);
    if (isDisposed)
    {
        detector->Dispose();
    }
    const std::size_t events = KeepingScheduler::TakePending(Time(0));
    Simulator::Destroy();
    return events;
}

/// The detector starts with the run. The closing of a gate schedules a search, which is the last
/// event of the run.
LOSSLESS_TEST(g_suite, "A detector that is disposed of leaves no event behind")
{
    const Ns3Simulator chosen(Ns3Only::EVENT_LIST);
    NS_TEST_EXPECT_MSG_EQ(CountAtFirst(false) - CountAtFirst(true), 1, "it would begin");
    for (const bool isDisposed : {false, true})
    {
        Simulator::SetScheduler(ObjectFactory("ns3::lossless::tests::KeepingScheduler"));
        auto detector = CreateObject<DeadlockDetector>();
        Ring ring(MakePfcSwitch);
        ring.Watch(*detector);
        Ptr<LosslessNetDevice> next = ring.GetSwitch(1)->GetPortDevice(Ring::GetWayIn(1));
        SendPfcIn(MicroSeconds(1), next, SetOf(Priority{3}), 1);
        Simulator::Stop(MicroSeconds(100)); // ends before the first search, which is at 250 us
        Simulator::Run();
        if (isDisposed)
        {
            detector->Dispose();
        }
        NS_TEST_EXPECT_MSG_EQ(KeepingScheduler::TakePending(MicroSeconds(101)),
                              (isDisposed ? 0 : 1),
                              "events to come");
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "A detector that is disposed of keeps no switch")
{
    const Ptr<SwitchNode> node = MakePfcSwitch();
    const uint32_t before = node->GetReferenceCount();
    auto detector = CreateObject<DeadlockDetector>();
    detector->WatchSwitch("s", node);
    NS_TEST_EXPECT_MSG_GT(node->GetReferenceCount(), before, "as long as it watches");
    detector->Dispose();
    NS_TEST_EXPECT_MSG_EQ(node->GetReferenceCount(), before, "no longer");
}

SwitchFacts
MakeFacts()
{
    SwitchFacts facts;
    facts.ports.resize(2);
    facts.ports[1] = {1, 2, 4, 8, 16, 32, 64, true, {}, {}, {}, {}};
    facts.ports[1].closedSince[7] = 1000000000000;
    facts.ports[1].openedAt[6] = 17;
    facts.ports[1].awaited[5] = 5000000000;
    facts.ports[1].oldest[3] = {6000000000, 7000000000};
    facts.processor = {true, true, PortId{1}, 123, PortId{300}, Priority{7}, {false, true}};
    facts.maySend = true;
    facts.pairs.resize(2 * 2 * NUM_PRIORITIES);
    facts.pairs[facts.GetPair(PortId{1}, {PortId{0}, Priority{3}})] = true;
    return facts;
}

LOSSLESS_TEST(g_suite, "The facts of a switch are the same on another rank")
{
    const SwitchFacts told = MakeFacts();
    std::stringstream archive;
    SaveParts(archive, told);
    if (archive.str().empty())
    {
        return; // this build does not support MPI
    }
    SwitchFacts heard;
    LoadParts(archive, heard);
    NS_TEST_ASSERT_MSG_EQ(heard.ports.size(), 2, "ports");
    const auto ofPort = [](const PortFacts& port) {
        const auto gate = std::tie(port.closed, port.fresh, port.opened, port.blocked, port.moved);
        const auto queues = std::tie(port.filled, port.held, port.isPaused, port.awaited);
        return std::tuple_cat(gate, queues, std::tie(port.oldest, port.closedSince, port.openedAt));
    };
    for (std::size_t i = 0; i < 2; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((ofPort(told.ports[i]) == ofPort(heard.ports[i])),
                              true,
                              "port " << i);
    }
    const auto ofProcessor = [](const ProcessorFacts& one) {
        const auto frame = std::tie(one.isStopped, one.isWorking, one.ingress, one.arrival);
        return std::tuple_cat(frame, std::tie(one.egress, one.priority, one.holds));
    };
    NS_TEST_EXPECT_MSG_EQ((ofProcessor(told.processor) == ofProcessor(heard.processor)),
                          true,
                          "the frame of the processor, and what it waits for");
    NS_TEST_EXPECT_MSG_EQ(heard.maySend, true, "what may move");
    NS_TEST_EXPECT_MSG_EQ((heard.pairs == told.pairs), true, "pairs");
}

LOSSLESS_TESTS(g_suite)
{
    for (const auto& [priority, isRestless] : {std::pair(3, false), {3, true}, {0, false}})
    {
        g_suite.Add("A ring whose routes go around locks, and is reported once: class " +
                        std::to_string(priority) + (isRestless ? " beside other pauses" : ""),
                    [priority = Priority{static_cast<uint8_t>(priority)}, isRestless = isRestless] {
                        LockRing(priority, isRestless);
                    });
    }
    AddSeeds(g_suite, "A final deadlock never dissolves, on random rings", 24, 200, CheckFinal);
    for (const std::string scheme : {"OFC", "BFC"})
    {
        AddSeeds(g_suite,
                 "What locks under " + scheme + " is named, and stands while others pass",
                 16,
                 200,
                 [scheme](uint32_t first, uint32_t last) { LockedFlows(scheme).Run(first, last); });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
