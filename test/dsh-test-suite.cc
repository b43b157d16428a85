// SPDX-License-Identifier: GPL-2.0-only
//
// Tests DSH and SIH in complete switches. The tests check the time of the first PAUSE (Theorems 1
// and 2). They also check that no frame of a lossless class is lost, that the headroom is exactly
// as large as required, and that every paused queue resumes.

#include "lossless-test.h"
#include "random-network.h"

#include "ns3/dsh-buffer-policy.h"
#include "ns3/dsh-parameters.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-dsh", SYSTEM);

/// The size of the largest frame with an MTU of 1500 bytes, including the Ethernet header but not
/// the FCS.
constexpr uint32_t FULL_FRAME = 1514;

/// A stream of frames from a host: a given or unlimited number of frames of the same size, class
/// and destination.
struct Stream
{
    uint32_t destination{0};                              ///< index of the destination host
    uint8_t priority{1};                                  ///< class of the frames
    uint32_t bytes{FULL_FRAME};                           ///< number of bytes per frame
    uint64_t count{std::numeric_limits<uint64_t>::max()}; ///< number of frames
};

/// Sends streams at line rate in round-robin order, skipping closed classes.
class Flood : public FrameSource
{
  public:
    /// @param streams the streams to send; the index is the UDP source port
    Flood(TestHost& host, const std::vector<Stream>& streams)
        : m_host(host),
          m_streams(streams),
          m_sent(streams.size())
    {
        m_host.device->GetHostPort()->AddSource(this);
    }

    void StartIn(Time start)
    {
        Simulator::ScheduleWithContext(m_host.device->GetNode()->GetId(), start, [this]() {
            m_active = true;
            m_host.device->Kick();
        });
    }

    void StopIn(Time stop)
    {
        Simulator::Schedule(stop, [this]() { m_active = false; });
    }

    uint64_t GetSent() const
    {
        return std::accumulate(m_sent.begin(), m_sent.end(), uint64_t{0});
    }

    bool Prepare(const Permit& permit) override
    {
        return m_active && FindReady(permit.classes) < m_streams.size();
    }

    Frame Dequeue(const Permit& permit) override
    {
        const std::size_t i = FindReady(permit.classes);
        m_turn = (i + 1) % m_streams.size();
        const Stream& stream = m_streams[i];
        return MakeUdpFrame(m_host.address,
                            GetHostAddress(stream.destination),
                            stream.priority << 3,
                            stream.bytes,
                            m_sent[i]++,
                            0,
                            i);
    }

  private:
    /// @return the index of the next stream that can send, or the number of streams if there is
    /// none
    std::size_t FindReady(PrioritySet open) const
    {
        for (std::size_t k = 0; k < m_streams.size(); ++k)
        {
            const std::size_t i = (m_turn + k) % m_streams.size();
            if (m_sent[i] < m_streams[i].count && Contains(open, Priority{m_streams[i].priority}))
            {
                return i;
            }
        }
        return m_streams.size();
    }

    TestHost& m_host;
    std::vector<Stream> m_streams;
    std::vector<uint64_t> m_sent;
    std::size_t m_turn{0};
    bool m_active{false};
};

/// Makes a host pause or resume a class of the switch port that leads to it.
/// @param quanta the duration of the pause; 0 resumes the class
/// @param delay the delay until the frame is sent; a device does not send anything before it is
/// initialized
void
SendPause(TestHost& host, uint8_t priority, uint16_t quanta, Time delay = NanoSeconds(1))
{
    Simulator::ScheduleWithContext(host.device->GetNode()->GetId(), delay, [=, &host]() {
        SendPfc(host.device, SetOf(Priority{priority}), quanta);
    });
}

uint64_t
CountReceived(Star& star)
{
    uint64_t received = 0;
    for (uint32_t i = 0; i < star.m_switch->GetNDevices(); ++i)
    {
        received += star.GetHost(i).received.m_arrivals.size();
    }
    return received;
}

/// Removes the private buffers, because the paper's formulas have only headroom and shared buffer.
void
RemovePrivateBuffers(SwitchHelper& helper)
{
    helper.SetPolicyAttribute("PrivateBytes", UintegerValue(0));
    helper.SetPolicyAttribute("LossyPrivateBytes", UintegerValue(0));
}

/// @return switches without private buffers in which only class 1 is lossless
SwitchHelper
MakeOneClassSwitch(const std::string& scheme, uint64_t size, double alpha)
{
    SwitchHelper helper(*FindPart<SchemeInfo>(scheme));
    helper.SetAttribute("LosslessClasses", UintegerValue(0x02));
    helper.SetBufferAttribute("Size", UintegerValue(size));
    helper.SetPolicyAttribute("Alpha", DoubleValue(alpha));
    RemovePrivateBuffers(helper);
    return helper;
}

/// The cable in the tests whose expected values are computed by hand.
const Cable FAST{DataRate("100Gbps"), MicroSeconds(2)};

/// Random parameters for the theorems of DSH, Sec. IV-C. Lengths are in bytes.
struct Scenario
{
    bool isDsh{false};     ///< true to test Theorem 1 rather than Theorem 2
    double alpha{0};       ///< alpha of the dynamic threshold
    uint32_t congested{0}; ///< N, the number of queues that are at the threshold before the burst
    uint32_t bursting{0};  ///< M, the number of queues filled by the burst
    uint32_t classes{0};   ///< Nq, the number of lossless classes
    uint64_t eta{0};       ///< headroom of each queue (SIH) or port (DSH)
    uint64_t size{0};      ///< B, the buffer size
    double load{0};        ///< R, the ratio of each queue's offered load to its drain rate
    Time phase;            ///< random delay of the burst, up to about a frame time

    uint32_t GetNPorts() const
    {
        return 2 * (congested + bursting);
    }

    /// @return the value of R above which congested queues drain more slowly than the threshold
    /// falls
    double GetBranchLoad() const
    {
        return (1 + alpha * congested) / (alpha * bursting) + 1;
    }

    /// @return alpha Bs - eta (DSH) or alpha Bs (SIH), the numerator of both branches
    double GetNumerator() const
    {
        return isDsh ? alpha * (size - GetNPorts() * eta) - eta
                     : alpha * (size - uint64_t{GetNPorts()} * classes * eta);
    }

    /// @return d of Theorem 1 or 2, as bytes drained from a queue
    double GetDuration() const
    {
        const double both = alpha * congested;
        return load <= GetBranchLoad()
                   ? GetNumerator() / ((1 + alpha * (congested + bursting)) * (load - 1))
                   : GetNumerator() / ((1 + both) * ((1 + alpha * bursting) * (load - 1) - both));
    }

    std::string ToString() const
    {
        std::ostringstream text;
        text << (isDsh ? "DSH" : "SIH") << " alpha " << alpha << " N " << congested << " M "
             << bursting << " Nq " << classes << " R " << load << " B " << size << " eta " << eta;
        return text.str();
    }
};

/// Theorems 1 and 2 with the corrected branch condition (doc/notebook/dsh.rst, D1).
///
/// Construction. Each of the N + M ingress queues has its own ingress port with a link of rate R C,
/// and its own egress port with a link of rate C. Every queue thus has an offered load of R times
/// its drain rate, independently of the others. Frames have the same overhead on both links, so the
/// ratio in bytes of the buffer is also R. The assumptions of the theorems hold: no private buffer,
/// hysteresis 0, cables of 1 ns, no response delay, and no traffic towards the sources, so that a
/// PAUSE frame never waits. The congested queues start early enough to have reached their threshold
/// when the burst begins.
///
/// Granularity. Let s be the size of a frame.
/// - At time t after its first bit, a bursting queue has received between t / t_in - 1 and t / t_in
///   whole frames and sent between (t - t_in) / t_out - 1 and t / t_out: its length is between s
///   below and 2 s above the fluid length (R - 1) t. The length is compared with the threshold only
///   when a frame arrives, and it includes that frame. The queue can therefore exceed the
///   threshold by another s before this is detected.
/// - A congested queue grows until the PAUSE frame arrives at its source. This adds at most 2
///   frames: one for the time of the PAUSE frame on the wire (84 B, less than a frame) and the
///   frame then in transmission. When the queue resumes, it drains by at most 3 frames: one for the
///   RESUME frame, the frame in transmission, and one for the drain granularity. Its length is
///   within 3 s of the threshold.
/// - The errors of all queues lower the threshold by alpha times their sum, at most alpha (2 M + 3
///   N) s. In the second branch, the congested queues drain in whole frames, which adds another s
///   per queue. The queue approaches its threshold at (R - 1) (1 + alpha (N + M)) / (1 + alpha N)
///   in the first branch, and at (1 + alpha M) (R - 1) - alpha N in the second. The first PAUSE is
///   early or late by at most (3 + alpha (2 M + 4 N)) s divided by this speed.
class TheoremCase
{
  public:
    /// @param isDsh true to test Theorem 1 rather than Theorem 2
    TheoremCase(bool isDsh, bool isFirstBranch)
        : m_isDsh(isDsh),
          m_isFirstBranch(isFirstBranch)
    {
    }

    void Run()
    {
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(m_isDsh ? 1 : 2);
        for (uint32_t draw = 0; draw < DRAWS; ++draw)
        {
            const Scenario scenario = Draw();
            Check(scenario, Measure(scenario));
        }
    }

  private:
    static constexpr uint32_t DRAWS = 20;
    static constexpr uint32_t BYTES = 200;         ///< s, the size of a frame
    static constexpr uint64_t DRAIN = 10000000000; ///< C, the rate of the egress links, in bit/s

    Scenario Draw()
    {
        Scenario draw;
        draw.isDsh = m_isDsh;
        draw.alpha = std::pow(2, m_random->GetValue(-4, 1));
        draw.congested = m_random->GetInteger(0, 5);
        draw.bursting = m_random->GetInteger(1, 6);
        draw.classes = m_random->GetInteger(1, 7);
        draw.eta = m_random->GetInteger(20, 300) * BYTES;
        draw.phase = NanoSeconds(m_random->GetInteger(0, 200));
        const double branch = draw.GetBranchLoad();
        draw.load = m_isFirstBranch ? 1 + (branch - 1) * m_random->GetValue(0.3, 1)
                                    : 1 + (branch - 1) * m_random->GetValue(1.05, 4);
        // In the first branch, a queue of 400 to 1000 frames reaches the threshold.
        const double length = m_random->GetInteger(400, 1000) * BYTES;
        const double numerator = length * (1 + draw.alpha * (draw.congested + draw.bursting));
        const uint64_t headrooms = draw.GetNPorts() * (m_isDsh ? 1 : draw.classes);
        draw.size = headrooms * draw.eta +
                    static_cast<uint64_t>((numerator + (m_isDsh ? draw.eta : 0)) / draw.alpha);
        return draw;
    }

    /// @return the time in seconds from the first bit of the burst to the first PAUSE of a bursting
    /// port
    double Measure(const Scenario& scenario)
    {
        m_firstPause = Time::Max();
        m_firstBurstPort = scenario.congested;
        const uint32_t queues = scenario.congested + scenario.bursting;
        Star star(CreateSwitch(scenario), CreateCables(scenario));
        FlowControl& flowControl = *star.m_switch->GetFlowControl();
        ListenTo(flowControl, "QueueState", [this](QueueId queue, bool paused) {
            NotifyPortState(queue.port, paused);
        });
        ListenTo(flowControl, "PortState", [this](PortId port, bool paused) {
            NotifyPortState(port, paused);
        });
        // The congested queues reach their threshold well before the burst (Eq. 10).
        const double fill = scenario.GetNumerator() / (1 + scenario.alpha * scenario.congested) /
                            (scenario.load - 1) * 8 / GetDrainRate();
        const Time start = Seconds(scenario.congested ? 1.1 * fill : 0) + scenario.phase;
        std::vector<std::unique_ptr<Flood>> floods;
        for (uint32_t i = 0; i < queues; ++i)
        {
            auto& host = star.GetHost(i);
            host.device->GetGate()->SetAttribute("ResponseQuanta", UintegerValue(0));
            floods.push_back(
                std::make_unique<Flood>(host, std::vector<Stream>{{queues + i, 0, BYTES}}));
            floods.back()->StartIn(i < scenario.congested ? Time(0) : start);
        }
        RunFor(start + Seconds(1.2 * scenario.GetDuration() * 8 / GetDrainRate()));
        NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetCounts().losslessDropped, 0, "lost frames");
        Simulator::Destroy();
        return (m_firstPause - start - NanoSeconds(1)).GetSeconds();
    }

    Ptr<SwitchNode> CreateSwitch(const Scenario& scenario)
    {
        SwitchHelper helper(scenario.isDsh ? "ns3::lossless::DshSwitchNode"
                                           : "ns3::lossless::PfcSwitchNode");
        helper.SetAttribute("LosslessClasses", UintegerValue((1U << scenario.classes) - 1));
        helper.SetBufferAttribute("Size", UintegerValue(scenario.size));
        RemovePrivateBuffers(helper);
        helper.SetPolicyAttribute("HeadroomBytes", UintegerValue(scenario.eta));
        helper.SetPolicyAttribute("Alpha", DoubleValue(scenario.alpha));
        return helper.Create();
    }

    std::vector<Cable> CreateCables(const Scenario& scenario)
    {
        const uint32_t queues = scenario.congested + scenario.bursting;
        const auto fast = static_cast<uint64_t>(scenario.load * DRAIN);
        std::vector<Cable> cables(queues, {DataRate(fast), NanoSeconds(1)});
        cables.insert(cables.end(), queues, {DataRate(DRAIN), NanoSeconds(1)});
        return cables;
    }

    /// @return the drain rate of a queue in bit/s, without the overhead of frames
    static double GetDrainRate()
    {
        return static_cast<double>(DRAIN) * BYTES / (BYTES + WIRE_OVERHEAD_BYTES);
    }

    void Check(const Scenario& scenario, double seconds)
    {
        const double alpha = scenario.alpha;
        const uint32_t n = scenario.congested;
        const uint32_t m = scenario.bursting;
        const double measured = seconds * GetDrainRate() / 8;
        const double expected = scenario.GetDuration();
        const double approach = m_isFirstBranch
                                    ? (scenario.load - 1) * (1 + alpha * (n + m)) / (1 + alpha * n)
                                    : (1 + alpha * m) * (scenario.load - 1) - alpha * n;
        const double granularity = (3 + alpha * (2 * m + 4 * n)) * BYTES / approach;
        NS_TEST_EXPECT_MSG_EQ((scenario.load <= scenario.GetBranchLoad()),
                              m_isFirstBranch,
                              scenario.ToString() << ": the branch");
        NS_TEST_EXPECT_MSG_LT(granularity / expected,
                              0.03,
                              scenario.ToString() << ": a test that would accept anything");
        NS_TEST_EXPECT_MSG_EQ_TOL(measured, expected, granularity, scenario.ToString());
    }

    void NotifyPortState(PortId port, bool paused)
    {
        if (paused && Index(port) >= m_firstBurstPort)
        {
            m_firstPause = std::min(m_firstPause, Simulator::Now());
        }
    }

    bool m_isDsh;
    bool m_isFirstBranch;
    Ptr<UniformRandomVariable> m_random;
    std::size_t m_firstBurstPort{0};
    Time m_firstPause;
};

LOSSLESS_TESTS(g_suite)
{
    for (const bool isDsh : {true, false})
    {
        const std::string theorem = isDsh ? "Theorem 1 (DSH), " : "Theorem 2 (SIH), ";
        g_suite.Add(theorem + "first branch", [isDsh] { TheoremCase(isDsh, true).Run(); });
        g_suite.Add(theorem + "second branch", [isDsh] { TheoremCase(isDsh, false).Run(); });
    }
}

/// Every port and every lossless class is congested at once (doc/notebook/dsh.rst, D6).
///
/// All hosts send all seven lossless classes at line rate, each to another host, while every host
/// has paused all classes of the port that leads to it. Every ingress queue of the switch thus
/// fills up, is paused, and receives the frames in flight. The hosts then resume their ports one by
/// one while traffic continues in both directions, so that PAUSE frames wait behind full frames. In
/// the other pattern, two hosts are the destinations of all others.
///
/// The switch has a quarter of the Tomahawk's buffer and a quarter of its ports. With alpha 1, the
/// thresholds of all queues add up to 56/57 of the shared buffer.
class AllCongestedCase
{
  public:
    enum class Pattern : uint8_t
    {
        BLOCKED,   ///< all hosts send to each other while all egress ports are paused
        TWO_SINKS, ///< all hosts send to hosts 0 and 1
    };

    AllCongestedCase(const std::string& type, double alpha, Pattern pattern)
        : m_type(type),
          m_alpha(alpha),
          m_pattern(pattern)
    {
    }

    void Run()
    {
        SwitchHelper helper(m_type);
        helper.SetBufferAttribute("Size", UintegerValue(SIZE));
        helper.SetPolicyAttribute("Alpha", DoubleValue(m_alpha));
        Star star(helper.Create(), HOSTS, FAST);
        Ptr<SwitchNode> node = star.m_switch;
        ListenTo(*node, "Enqueue", [this, node](const SwitchItem& /* item */) {
            m_largest = std::max(m_largest, node->GetSharedBuffer()->GetUsed());
        });
        ListenTo(*node->GetFlowControl(), "QueueState", [this](QueueId queue, bool /* paused */) {
            m_stopped.insert(Index(queue));
        });
        ListenTo(*node->GetFlowControl(), "PortState", [this](PortId port, bool /* paused */) {
            for (uint8_t p = 0; p < CLASSES; ++p)
            {
                m_stopped.insert(Index(QueueId{port, Priority{p}}));
            }
        });
        uint64_t sent = 0;
        std::vector<std::unique_ptr<Flood>> floods;
        for (uint32_t i = 0; i < HOSTS; ++i)
        {
            floods.push_back(std::make_unique<Flood>(star.GetHost(i), GetStreams(i)));
            floods.back()->StartIn(MicroSeconds(10) + NanoSeconds(37 * i));
            floods.back()->StopIn(MicroSeconds(250));
            if (m_pattern == Pattern::BLOCKED)
            {
                Block(star.GetHost(i), MicroSeconds(120 + 5 * i));
            }
        }
        Simulator::Run();
        for (const auto& flood : floods)
        {
            sent += flood->GetSent();
        }
        NS_TEST_ASSERT_MSG_GT(sent, 1000, "frames sent");
        NS_TEST_ASSERT_MSG_EQ(node->GetCounts().losslessDropped, 0, "lost frames");
        NS_TEST_ASSERT_MSG_EQ(CountReceived(star), sent, "frames received");
        NS_TEST_ASSERT_MSG_EQ((m_largest <= SIZE), true, m_largest << " B in a memory of " << SIZE);
        NS_TEST_ASSERT_MSG_EQ(node->GetSharedBuffer()->GetUsed(), 0, "ledger at the end");
        if (m_pattern == Pattern::BLOCKED)
        {
            NS_TEST_ASSERT_MSG_EQ(m_stopped.size(), HOSTS * CLASSES, "queues that were stopped");
        }
    }

  private:
    static constexpr uint32_t HOSTS = 8;
    static constexpr uint8_t CLASSES = 7;
    static constexpr uint64_t SIZE = 4 << 20;

    std::vector<Stream> GetStreams(uint32_t i) const
    {
        std::vector<Stream> streams;
        for (uint8_t p = 0; p < CLASSES; ++p)
        {
            const uint32_t sink = i < 2 ? 1 - i : p % 2;
            const uint32_t other = (i + 1 + p) % HOSTS;
            streams.push_back({m_pattern == Pattern::BLOCKED ? other : sink,
                               p,
                               p < 5 ? FULL_FRAME : 400U + 300U * p});
        }
        return streams;
    }

    /// @param host the host that now pauses all classes of its port
    /// @param until the delay after which they resume
    void Block(TestHost& host, Time until)
    {
        for (uint8_t p = 0; p < CLASSES; ++p)
        {
            SendPause(host, p, 0xffff);
            SendPause(host, p, 0, until);
        }
    }

    std::string m_type;
    double m_alpha;
    Pattern m_pattern;
    uint64_t m_largest{0};
    std::set<std::size_t> m_stopped;
};

LOSSLESS_TESTS(g_suite)
{
    using Pattern = AllCongestedCase::Pattern;
    for (const std::string type : {"ns3::lossless::PfcSwitchNode", "ns3::lossless::DshSwitchNode"})
    {
        for (const Pattern pattern : {Pattern::BLOCKED, Pattern::TWO_SINKS})
        {
            for (const double alpha : {1.0 / 16, 1.0})
            {
                g_suite.Add(
                    type + ", alpha " + std::to_string(alpha) +
                        (pattern == Pattern::BLOCKED ? ", every queue congested" : ", two sinks") +
                        ": nothing is lost",
                    [=] { AllCongestedCase(type, alpha, pattern).Run(); });
            }
        }
    }
}

void
CheckHeadroomBytes(uint32_t headroom, bool isReverseBusy, uint64_t lost)
{
    SwitchHelper helper = MakeOneClassSwitch("SIH", 3 * headroom + 200 * FULL_FRAME, 1);
    helper.SetPolicyAttribute("HeadroomBytes", UintegerValue(headroom));
    Star star(helper.Create(), 3, FAST);
    SendPause(star.GetHost(1), 1, 0xffff);
    Flood flood(star.GetHost(0), {{1, 1, FULL_FRAME, 300}});
    flood.StartIn(MicroSeconds(10));
    // With frame 101, the queue's length w exceeds T = 200 frames - w. This frame arrives
    // 101 t + 2 us after the start, where t = 123.04 ns; the frame of host 2 arrives 1 ns earlier.
    // Times are rounded down to whole nanoseconds.
    if (isReverseBusy)
    {
        const Time trigger = MicroSeconds(12) + NanoSeconds(101 * 12304 / 100);
        const Time start = trigger - NanoSeconds(1) - NanoSeconds(123) - MicroSeconds(2);
        star.GetHost(2).Send(0, 56, FULL_FRAME, 1, start);
    }
    RunFor(MicroSeconds(100));
    const SharedBuffer& buffer = *star.m_switch->GetSharedBuffer();
    const uint64_t arrived = 101 + (isReverseBusy ? 37 : 36);
    NS_TEST_EXPECT_MSG_EQ(flood.GetSent(), arrived, "frames sent before the PAUSE took effect");
    NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetCounts().losslessDropped, lost, "lost frames");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetIngress({PortId{0}, Priority{1}}).shared,
                          101 * FULL_FRAME,
                          "shared bytes");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetHeadroomUsed(),
                          (arrived - 101 - lost) * FULL_FRAME,
                          "headroom");
    Simulator::Destroy();
}

void
CheckHeadroom(uint32_t frames, bool isReverseBusy, uint64_t lost)
{
    CheckHeadroomBytes(frames * FULL_FRAME, isReverseBusy, lost);
}

/// Checks the headroom required in the worst case of DSH, Sec. II-C, and the loss if there is room
/// for one frame fewer.
///
/// At 100 Gb/s, a full frame takes t = 1538 B / C = 123.04 ns. Host 0 sends full frames to a
/// blocked egress port. Suppose that one of them triggers the PAUSE when it arrives, at time 0. The
/// source finished sending that frame 2000 ns earlier and begins another one every t until the
/// PAUSE takes effect. The time until then is the sum of:
///
///     wait for a frame that the switch has just begun to send to host 0: t - 1 ns = 122.04 ns
///     time of the PAUSE on the wire: (60 + 24) B / C                              =   6.72 ns
///     propagation                                                                 = 2000    ns
///     response: 60 quanta = 3840 B / C                                            =  307.2  ns
///
/// The PAUSE thus takes effect after 2435.96 ns. Before that, 37 frames begin, at -2000 + j t with
/// j = 0 ... 36, and arrive (DSH attributes the last one to the response delay). If the switch had
/// nothing to send, the PAUSE would take effect at 2313.92 ns, and 36 frames would arrive. Eq. 1
/// has room for 37 frames, which take 37 x 1514 = 56 018 of 56 840 B.
LOSSLESS_TEST(g_suite, "SIH: headroom of the worst case loses nothing, one frame less loses one")
{
    CheckHeadroom(37, true, 0);
    CheckHeadroom(36, true, 1);
    CheckHeadroom(30, true, 7);
    CheckHeadroom(36, false, 0);
    CheckHeadroom(35, false, 1);
    // If the headroom is one byte smaller than 37 frames, the last frame does not fit. The headroom
    // of Eq. 1 is sufficient.
    CheckHeadroomBytes(37 * FULL_FRAME - 1, true, 1);
    CheckHeadroomBytes(56840, true, 0);
}

/// @param isWorstCase see "WorstCaseHeadroom"
/// @param margin the number of bytes of headroom in addition to Eq. 1
void
CheckFullShared(bool isWorstCase, uint32_t margin, uint64_t lost)
{
    const uint32_t headroom = isWorstCase ? 58514 : 56840 + margin;
    SwitchHelper helper = MakeOneClassSwitch("SIH", 3 * headroom + 203 * FULL_FRAME + 1000, 1e9);
    helper.SetPolicyAttribute("PrivateBytes", UintegerValue(FULL_FRAME));
    helper.SetPolicyAttribute("WorstCaseHeadroom", BooleanValue(isWorstCase));
    helper.SetPolicyAttribute("HeadroomMargin", UintegerValue(margin));
    Star star(helper.Create(), 3, FAST);
    SendPause(star.GetHost(1), 1, 0xffff);
    Flood flood(star.GetHost(0), {{1, 1, FULL_FRAME, 300}});
    flood.StartIn(MicroSeconds(10));
    // The switch has just begun to send to host 0 when frame 202 arrives.
    const Time trigger = MicroSeconds(12) + NanoSeconds(202 * 12304 / 100);
    const Time start = trigger - NanoSeconds(1) - NanoSeconds(123) - MicroSeconds(2);
    star.GetHost(2).Send(0, 8, FULL_FRAME, 1, start);
    RunFor(MicroSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(flood.GetSent(), 202 + 37, "frames sent");
    NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetCounts().losslessDropped, lost, "lost frames");
    Simulator::Destroy();
}

/// If the shared buffer can be full, the worst case requires room for one more frame than Eq. 1
/// provides. "HeadroomMargin" or "WorstCaseHeadroom" can add this frame.
///
/// With a very large alpha, a queue is paused only when no shared buffer is left. Each private
/// buffer has room for one frame (also that of host 2), and the shared buffer for 200 frames and
/// 1000 B. Frame 202 thus goes to the headroom and triggers the PAUSE, and the 37 frames of the
/// worst case above follow. The headroom must therefore hold 38 x 1514 = 57 532 B, more than the
/// 56 840 B of Eq. 1 but less than the 58 514 B of "WorstCaseHeadroom".
LOSSLESS_TEST(g_suite, "SIH, shared buffer full: Eq. 1 is one frame short, the default is not")
{
    CheckFullShared(false, 0, 1);
    CheckFullShared(false, FULL_FRAME, 0);
    CheckFullShared(true, 0, 0);
}

constexpr uint32_t ETA = 28 * FULL_FRAME;

void
CheckInsurance(bool insurance, uint64_t lost)
{
    SwitchHelper helper =
        MakeOneClassSwitch("DSH", 200 * FULL_FRAME + (insurance ? 2 * ETA : 0), 1);
    helper.SetPolicyAttribute("HeadroomBytes", UintegerValue(ETA));
    helper.SetPolicyAttribute("Insurance", BooleanValue(insurance));
    Star star(helper.Create(), 2, FAST);
    SendPause(star.GetHost(1), 1, 0xffff);
    Flood flood(star.GetHost(0), {{1, 1, FULL_FRAME, 300}});
    flood.StartIn(MicroSeconds(10));
    RunFor(MicroSeconds(100));
    const SharedBuffer& buffer = *star.m_switch->GetSharedBuffer();
    NS_TEST_EXPECT_MSG_EQ(flood.GetSent(), 87 + 36, "frames sent");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetIngressPort(PortId{0}).shared, 101 * FULL_FRAME, "shared");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetHeadroomUsed(), (22 - lost) * FULL_FRAME, "insurance");
    NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetCounts().losslessDropped, lost, "lost frames");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetIngressPort(PortId{0}).paused, true, "POFF");
    Simulator::Destroy();
}

/// Demonstrates the purpose of DSH's insurance headroom.
///
/// There is one queue, which belongs to the only lossless class (Nq = 1). Alpha is 1, the shared
/// buffer holds 200 frames, and eta is 28 frames, which is deliberately too small for this link.
/// Frame 87 pauses the queue, because w > T - eta, or w > 200 - w - 28. As in the worst case above
/// without reverse traffic, 36 frames follow. Frame 101 pauses the port, because w > T. The 22
/// frames after that, 102 to 123, go to the insurance headroom, which has room for 28; without it,
/// they are lost.
LOSSLESS_TEST(g_suite, "DSH: what arrives after the port's PAUSE needs the insurance")
{
    CheckInsurance(true, 0);
    CheckInsurance(false, 22);
}

uint64_t
CountLostUnderLoad(bool insurance)
{
    constexpr uint32_t HOSTS = 8;
    // The shared buffer has 1 MiB in both cases; the private buffers and the insurance headroom, if
    // any, are added.
    const uint64_t size = (1 << 20) + HOSTS * (7 * 3072 + 512) + (insurance ? HOSTS * 58514 : 0);
    SwitchHelper helper("ns3::lossless::DshSwitchNode");
    helper.SetBufferAttribute("Size", UintegerValue(size));
    helper.SetPolicyAttribute("Alpha", DoubleValue(1));
    helper.SetPolicyAttribute("Insurance", BooleanValue(insurance));
    Star star(helper.Create(), HOSTS, FAST);
    std::vector<std::unique_ptr<Flood>> floods;
    for (uint32_t i = 0; i < HOSTS; ++i)
    {
        std::vector<Stream> streams;
        for (uint8_t p = 0; p < 7; ++p)
        {
            streams.push_back({(i + 1 + p) % HOSTS, p, FULL_FRAME});
            SendPause(star.GetHost(i), p, 0xffff);
        }
        floods.push_back(std::make_unique<Flood>(star.GetHost(i), streams));
        floods.back()->StartIn(MicroSeconds(10));
    }
    RunFor(MicroSeconds(100));
    const uint64_t lost = star.m_switch->GetCounts().losslessDropped;
    Simulator::Destroy();
    return lost;
}

/// Under its worst load, DSH is lossless only because of the insurance headroom. The blocked
/// variant of AllCongestedCase runs with and without this headroom.
LOSSLESS_TEST(g_suite, "DSH: all queues congested, with the insurance and without")
{
    NS_TEST_ASSERT_MSG_EQ(CountLostUnderLoad(true), 0, "lost with the insurance");
    NS_TEST_ASSERT_MSG_GT(CountLostUnderLoad(false), 0, "lost without");
}

void
CheckStopped(Star* star)
{
    const QueueId queue{PortId{3}, Priority{1}};
    const Ptr<SharedBuffer> buffer = star->m_switch->GetSharedBuffer();
    const auto thresholds = star->m_switch->GetBufferPolicy()->GetThresholds(*buffer, queue);
    NS_TEST_ASSERT_MSG_EQ(buffer->GetSharedUsed(), (3 * 34 + 1) * FULL_FRAME, "shared bytes");
    NS_TEST_ASSERT_MSG_EQ(buffer->GetHeadroomUsed(), 79 * FULL_FRAME, "insurance");
    NS_TEST_ASSERT_MSG_EQ(thresholds->xoff, 0, "T - eta is clamped");
    NS_TEST_ASSERT_MSG_EQ(buffer->GetIngress(queue).GetTotal(), FULL_FRAME, "the last frame");
    NS_TEST_ASSERT_MSG_EQ(buffer->GetIngress(queue).paused, true, "the queue is stopped");
}

void
CheckPassed(Star* star)
{
    const auto& arrivals = star->GetHost(5).received.m_arrivals;
    NS_TEST_ASSERT_MSG_EQ(arrivals.size(), 50, "all frames of host 3");
    // The port is paused at 102 123 ns and empty at 106 675 or 106 676 ns, depending on the
    // rounding of the 37 frames.
    NS_TEST_ASSERT_MSG_EQ_TOL(arrivals[37].time,
                              NanoSeconds(106675 + 7 + 307 + 2 * 123 + 6000),
                              NanoSeconds(2),
                              "frame 38");
    NS_TEST_ASSERT_MSG_EQ(star->GetHost(4).received.m_arrivals.size(), 0, "blocked");
}

/// A queue that is paused while T - eta is clamped to zero can become empty. It must then resume
/// without the departure of a frame, because it has none.
///
/// Three hosts send to the blocked port of host 4, so their queues fill. Each queue is paused when
/// w > 200 000 - 3 w - 56 840, which happens with frame 24 (at port 0, where each frame arrives
/// before the frames of the other ports, with frame 25). With Nq = 1, the port is paused when 4 w >
/// 200 000, with frame 34. Of the 36 frames in flight to each port, 27 + 26 + 26 go to the
/// insurance headroom. T is then 200 000 - 3 x 34 x 1514 = 45 572 B, less than eta, so XOFF is
/// zero. The first frame of host 3 pauses its queue; this frame and the 36 after it leave at once,
/// the last one 37 x 123.04 ns after the first one arrived. By then, the 4547 ns of eta have also
/// passed, and the other 13 frames are admitted. The first of them arrives at host 5 after
/// 7 + 307 ns, three cables of 2 us and two transmissions. The other hosts are blocked during this
/// time.
LOSSLESS_TEST(g_suite, "DSH: a stopped queue restarts when it is empty")
{
    SwitchHelper helper = MakeOneClassSwitch("DSH", 200000 + 6 * 56840, 1);
    helper.SetPolicyAttribute("WorstCaseHeadroom", BooleanValue(false));
    Star star(helper.Create(), 6, FAST);
    SendPause(star.GetHost(4), 1, 0xffff);
    std::vector<std::unique_ptr<Flood>> floods;
    for (uint32_t i = 0; i < 3; ++i)
    {
        floods.push_back(
            std::make_unique<Flood>(star.GetHost(i), std::vector<Stream>{{4, 1, FULL_FRAME, 200}}));
        floods.back()->StartIn(MicroSeconds(10));
    }
    star.GetHost(3).Send(5, 8, FULL_FRAME, 50, MicroSeconds(100));
    Simulator::Schedule(NanoSeconds(106600), &CheckStopped, &star);
    Simulator::Schedule(MicroSeconds(150), &CheckPassed, &star);
    SendPause(star.GetHost(4), 1, 0, MicroSeconds(200));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(star.GetHost(4).received.m_arrivals.size(), 600, "all frames");
    NS_TEST_ASSERT_MSG_EQ(star.m_switch->GetCounts().losslessDropped, 0, "lost frames");
}

void
CheckAcknowledgements(uint32_t lossyPrivate, std::size_t arrived)
{
    SwitchHelper helper =
        MakeOneClassSwitch("SIH", 4 * (58514 + 7 * lossyPrivate) + 200 * FULL_FRAME, 1e9);
    helper.SetPolicyAttribute("LossyPrivateBytes", UintegerValue(lossyPrivate));
    Star star(helper.Create(), 4, FAST);
    SendPause(star.GetHost(1), 1, 0xffff);
    Flood flood(star.GetHost(0), {{1, 1, FULL_FRAME, 300}});
    flood.StartIn(MicroSeconds(10));
    star.GetHost(2).Send(3, 7 << 3, 62, 100, MicroSeconds(100));
    RunFor(MicroSeconds(200));
    const uint64_t shared = star.m_switch->GetSharedBuffer()->GetSharedUsed();
    NS_TEST_EXPECT_MSG_EQ(shared, 200 * FULL_FRAME, "the shared buffer is full");
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(3).received.m_arrivals.size(),
                          arrived,
                          "acknowledgements with " << lossyPrivate << " B");
    Simulator::Destroy();
}

/// Frames of 62 B, the size of acknowledgements, arrive in class 7 when a lossless class has filled
/// the shared buffer completely. They leave at the rate at which they arrive, so at most two of
/// them are in the switch at a time.
LOSSLESS_TEST(g_suite, "SIH: acknowledgements pass a full shared buffer by their private one")
{
    CheckAcknowledgements(61, 0);
    CheckAcknowledgements(2 * 62, 100);
}

/// A lossy class does not pause a port, regardless of its share of the buffer, because Xpoff = Nq T
/// applies only to the queues under flow control.
///
/// Because of a slow port, class 7 fills half of the free buffer (LossyAlpha 1). These 1.9 MB are
/// more than 7 T = 7/16 of the remaining buffer. Lossless frames of the same port are not affected.
LOSSLESS_TEST(g_suite, "DSH: a lossy class is dropped and stops nobody")
{
    SwitchHelper helper("ns3::lossless::DshSwitchNode");
    helper.SetBufferAttribute("Size", UintegerValue(4 << 20));
    Star star(helper.Create(), 4, FAST);
    Ptr<SwitchNode> node = star.m_switch;
    uint32_t stops = 0;
    ListenTo(*node->GetFlowControl(), "PortState", [&stops](PortId, bool) { ++stops; });
    ListenTo(*node->GetFlowControl(), "QueueState", [&stops](QueueId, bool) { ++stops; });
    // No PAUSE affects class 7. A frame now takes 1.2 ms to leave, and all 4000 frames of the flood
    // take 492 us to arrive.
    Simulator::Schedule(MicroSeconds(1), [&star] {
        star.GetPort(3)->ChangeRate(DataRate("10Mbps"));
        star.GetHost(3).device->ChangeRate(DataRate("10Mbps"));
    });
    Flood flood(star.GetHost(0), {{3, 7, FULL_FRAME, 2000}, {2, 1, FULL_FRAME, 2000}});
    flood.StartIn(MicroSeconds(10));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(stops, 0, "stops of port 0 or its queues");
    NS_TEST_ASSERT_MSG_EQ(star.GetHost(2).received.m_arrivals.size(), 2000, "lossless");
    const std::size_t lossy = star.GetHost(3).received.m_arrivals.size();
    const SwitchNode::Counts& counts = node->GetCounts();
    const auto limited = static_cast<std::size_t>(DropReason::EGRESS_LIMIT);
    NS_TEST_ASSERT_MSG_EQ(counts.losslessDropped, 0, "lost in class 1");
    NS_TEST_ASSERT_MSG_EQ(counts.dropped[limited], 2000 - lossy, "lost in class 7");
    // Bs is 4 MiB - 4 x 58 514 - 28 x 3072 - 4 x 512 B, and half of it holds 1280 full frames.
    NS_TEST_ASSERT_MSG_EQ_TOL(double(lossy), 1280, 2, "class 7 gets half of the buffer");
}

/// A queue must not resume while it uses headroom.
///
/// Host 0 fills its queue with frames for a blocked egress port while hosts 1 and 2 lower T by
/// filling their queues with frames for another blocked port. The queue of host 0 is paused, and
/// the frames in flight take nearly all of its headroom (37 full frames, derived above). Then the
/// queues of hosts 1 and 2 drain, T doubles, and the queue of host 0 is far below T. If it resumed
/// while its headroom was still occupied, there would be no room for the frames in flight at its
/// next PAUSE.
LOSSLESS_TEST(g_suite, "SIH: a queue whose headroom is in use stays stopped")
{
    Star star(MakeOneClassSwitch("SIH", 2000000, 0.5).Create(), 5, FAST);
    Flood first(star.GetHost(0), {{3, 1, FULL_FRAME, 2000}});
    Flood second(star.GetHost(1), {{4, 1, FULL_FRAME, 200}});
    Flood third(star.GetHost(2), {{4, 1, FULL_FRAME, 200}});
    for (Flood* flood : {&first, &second, &third})
    {
        flood->StartIn(MicroSeconds(10));
    }
    SendPause(star.GetHost(3), 1, 0xffff);
    SendPause(star.GetHost(4), 1, 0xffff);
    SendPause(star.GetHost(4), 1, 0, MicroSeconds(100));
    Simulator::Run();
    const SwitchNode::Counts& counts = star.m_switch->GetCounts();
    NS_TEST_ASSERT_MSG_EQ(counts.losslessDropped, 0, "lost frames");
    NS_TEST_ASSERT_MSG_EQ(CountReceived(star), 2400, "frames received");
    NS_TEST_ASSERT_MSG_EQ(star.m_switch->GetSharedBuffer()->GetUsed(), 0, "ledger");
}

/// A frame in headroom requires a PAUSE, regardless of the threshold (DSH, Sec. II-C, case 3).
///
/// With a static threshold of three quarters of the shared buffer, two queues that each fill half
/// of the buffer are below XOFF when the buffer is full. The next frames take headroom and must
/// pause their queues. Otherwise, the headroom would overflow without any PAUSE.
LOSSLESS_TEST(g_suite, "static thresholds: a queue that enters its headroom is stopped")
{
    SwitchHelper helper("ns3::lossless::PfcSwitchNode");
    helper.SetBufferPolicy("ns3::lossless::StaticBufferPolicy");
    helper.SetAttribute("LosslessClasses", UintegerValue(0x02));
    // The memory consists of four headrooms of 58 514 B and a shared buffer of 200 kB.
    helper.SetBufferAttribute("Size", UintegerValue(4 * 58514 + 200000));
    RemovePrivateBuffers(helper);
    helper.SetPolicyAttribute("Xoff", UintegerValue(150000));
    helper.SetPolicyAttribute("Xon", UintegerValue(150000));
    Star star(helper.Create(), 4, FAST);
    Flood first(star.GetHost(0), {{2, 1, FULL_FRAME, 500}});
    Flood second(star.GetHost(1), {{2, 1, FULL_FRAME, 500}});
    first.StartIn(MicroSeconds(10));
    second.StartIn(MicroSeconds(10));
    SendPause(star.GetHost(2), 1, 1000);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(star.m_switch->GetCounts().losslessDropped, 0, "lost frames");
    NS_TEST_ASSERT_MSG_EQ(CountReceived(star), 1000, "frames received");
    NS_TEST_ASSERT_MSG_EQ(star.m_switch->GetSharedBuffer()->GetUsed(), 0, "ledger");
}

/// In Fig. 11, two ports send to the last one of 32 ports, and 16 to the one before it. In Theorems
/// 1 and 2, each sender has a receiver whose link is R times slower.
LOSSLESS_TEST(g_suite, "receivers and links of the paper's burst")
{
    DshBurst burst;
    NS_TEST_EXPECT_MSG_EQ(burst.GetReceiver(1), 31, "of the background");
    NS_TEST_EXPECT_MSG_EQ(burst.GetReceiver(2), 30, "of the burst");
    NS_TEST_EXPECT_MSG_EQ(burst.GetReceiver(17), 30, "of the burst");
    const Topology star = burst.MakeTopology(DshParameters());
    for (const Topology::LinkInfo& link : star.GetLinks())
    {
        NS_TEST_EXPECT_MSG_EQ(link.rate, DataRate("100Gbps"), "all links are equal");
    }

    burst.load = 4;
    burst.senders = 5;
    burst.ports = 14;
    const auto links = burst.MakeTopology(DshParameters()).GetLinks();
    NS_TEST_ASSERT_MSG_EQ(links.size(), 14, "a link for each port");
    NS_TEST_EXPECT_MSG_EQ(burst.GetReceiver(0), 7, "the first port after those of the senders");
    NS_TEST_EXPECT_MSG_EQ(burst.GetReceiver(6), 13, "the last port");
    NS_TEST_EXPECT_MSG_EQ(links[6].rate, DataRate("100Gbps"), "of the last sender");
    NS_TEST_EXPECT_MSG_EQ(links[7].rate, DataRate("25Gbps"), "of the first receiver");
    NS_TEST_EXPECT_MSG_EQ(links[7].delay, MicroSeconds(2), "of each link");
}

/// Hosts 0 to 19 are at leaf 0. With 1000 B of payload, a full packet occupies 1082 B of the wire:
/// 54 B of headers, 4 B of ICRC, and 24 B of preamble, FCS and gap.
LOSSLESS_TEST(g_suite, "loads, classes and groups of the paper's traffic")
{
    const Topology topology = Topology::LeafSpine({2, 1, 20});
    DshTraffic traffic;
    traffic.sizes =
        "webserver"; // many small flows, so that the loads differ little from their means
    std::map<std::string, double> load;
    std::map<std::string, std::set<uint8_t>> classes;
    for (const FlowSpec& flow : traffic.MakeFlows(topology, DshParameters()))
    {
        load[flow.group] += static_cast<double>(flow.bytes) * 1.082 * 8 / (40 * 100e9 * 0.01);
        classes[flow.group].insert(flow.priority);
        const bool isFanIn = flow.group == "fan-in";
        NS_TEST_ASSERT_MSG_EQ((!isFanIn || flow.bytes == 65536), true, "64 KiB of each sender");
        NS_TEST_ASSERT_MSG_EQ((!isFanIn || flow.source / 20 != flow.destination / 20),
                              true,
                              "from another rack");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(load["background"], 0.8, 0.03, "load of the background");
    NS_TEST_EXPECT_MSG_EQ_TOL(load["fan-in"], 0.1, 0.015, "load of the fan-in");
    NS_TEST_EXPECT_MSG_EQ((classes["fan-in"] == std::set<uint8_t>{0}), true, "class 0");
    NS_TEST_EXPECT_MSG_EQ((classes["background"] == std::set<uint8_t>{1, 2, 3, 4, 5, 6}),
                          true,
                          "the other lossless classes");

    traffic.classes = "one";
    PrioritySet all = lossless::GetClasses(traffic.MakeFlows(topology, DshParameters()));
    NS_TEST_EXPECT_MSG_EQ(all, 1, "class 0 for all flows");
}

/// A switch is rejected if its thresholds do not exceed eta.
const RegisterRandomPart g_random(
    {"ns3::lossless::DshBufferPolicy",
     nullptr,
     nullptr,
     [](const RandomNetwork& network, const HeadroomBufferPolicy& policy, uint64_t level) {
         return network.GetShared(level + policy.GetLargestHeadroom());
     }});

} // namespace ns3::lossless::tests::THIS_FILE
