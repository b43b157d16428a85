// SPDX-License-Identifier: GPL-2.0-only
#include "fake-switch.h"
#include "lossless-test.h"
#include "test-network.h"

#include "ns3/bounce-probability.h"
#include "ns3/bounce-recorder.h"
#include "ns3/pabo-egress-queue.h"
#include "ns3/pabo-flow-control.h"
#include "ns3/pabo-host.h"
#include "ns3/pabo-parameters.h"
#include "ns3/pabo-recorder.h"
#include "ns3/raw-source.h"
#include "ns3/request-reply.h"
#include "ns3/segment-recorder.h"
#include "ns3/tcp-settings.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-pabo", SYSTEM);

SwitchHelper
MakePabo(double theta, const std::string& limit)
{
    SwitchHelper helper("ns3::lossless::PaboSwitchNode");
    helper.SetFlowControlAttribute("Theta", DoubleValue(theta));
    helper.SetFlowControlAttribute("NormalLimit", QueueSizeValue(QueueSize(limit)));
    helper.SetFlowControlAttribute("BounceLimit", QueueSizeValue(QueueSize(limit)));
    return helper;
}

Ptr<PaboFlowControl>
GetPabo(Ptr<SwitchNode> node)
{
    return DynamicCast<PaboFlowControl>(node->GetFlowControl());
}

bool
IsEmpty(Ptr<SwitchNode> node)
{
    bool isEmpty = true;
    for (uint32_t port = 0; port < node->GetNDevices(); ++port)
    {
        const QueueId queue{PortId{static_cast<uint16_t>(port)}, Priority{0}};
        isEmpty = isEmpty && GetPabo(node)->GetUtilization(queue, false) == 0 &&
                  GetPabo(node)->GetUtilization(queue, true) == 0;
    }
    return isEmpty;
}

/// The hosts of a fabric, which send frames on request and record arrivals.
struct Hosts
{
    explicit Hosts(Fabric& fabric)
        : m_fabric(fabric),
          m_received(fabric.GetNHosts())
    {
        for (uint32_t i = 0; i < fabric.GetNHosts(); ++i)
        {
            Ptr<LosslessNetDevice> device = fabric.GetHostDevice(i);
            m_pabo.push_back(device->GetObject<PaboHost>());
            ListenTo(*m_pabo.back(),
                     "Delivered",
                     [this](const Frame& /* frame */, const PaboCounters& counters) {
                         // Counts a frame that has arrived.
                         ++m_journeys[std::to_string(counters.hops) + "/" +
                                      std::to_string(counters.maxDistance) + "/" +
                                      std::to_string(counters.bounces)];
                     });
            device->GetHostPort()->AddReceiver(&m_received[i]);
            m_sources.push_back(std::make_unique<BurstSource>(device));
        }
    }

    void Send(uint32_t from, uint32_t to, uint32_t frames, Time delay)
    {
        for (uint32_t i = 0; i < frames; ++i)
        {
            m_sources[from]->SendIn(delay,
                                    MakeUdpFrame(m_fabric.GetAddress(from),
                                                 m_fabric.GetAddress(to),
                                                 0,
                                                 1000,
                                                 m_sent++));
        }
    }

    /// @return the numbers of frames that have arrived, indexed by "hops/largest distance/bounces"
    std::string GetJourneys() const
    {
        std::string text;
        for (const auto& [journey, frames] : m_journeys)
        {
            text += (text.empty() ? "" : " ") + journey + ":" + std::to_string(frames);
        }
        return text;
    }

    bool HaveAllOnce() const
    {
        std::set<uint32_t> seen;
        std::size_t arrivals = 0;
        for (const Recorder& received : m_received)
        {
            for (const uint32_t sequence : received.GetSequences())
            {
                seen.insert(sequence);
                ++arrivals;
            }
        }
        return arrivals == m_sent && seen.size() == m_sent;
    }

    Fabric& m_fabric;
    std::vector<Recorder> m_received;
    std::vector<std::unique_ptr<BurstSource>> m_sources;
    std::vector<Ptr<PaboHost>> m_pabo;
    std::map<std::string, uint32_t> m_journeys;
    uint32_t m_sent{0};
};

/// @return two switches in a row: h0 - s0 - s1 - h1, and h2 at s1
Topology
MakeLine()
{
    return MakeTopology("h0,s0,1Gbps,50ns\n"
                        "s0,s1,1Gbps,50ns\n"
                        "s1,h1,1Gbps,50ns\n"
                        "s1,h2,1Gbps,50ns\n");
}

struct Point
{
    double theta;
    double lambda;
    double utilization;
    uint32_t bounces;
    double probability;
};

/// Checks Eq. 4 of the PABO paper against values computed by hand, and at the limits of its
/// arguments.
LOSSLESS_TEST(g_suite, "Bounce probability")
{
    // (1 - e^(-l (u - t) / (n + 1))) / (1 - e^(-l (1 - t) / (n + 1)))
    for (const Point& p : std::vector<Point>{
             {0.5, 5, 0.6, 0, 0.4287},
             {0.5, 5, 0.75, 0, 0.7773},
             {0.5, 5, 0.75, 1, 0.6514},
             {0.5, 5, 0.75, 2, 0.6027},
             {0.5, 5, 0.9, 0, 0.9420},
             {0.5, 15, 0.75, 0, 0.9770},
             {0.5, 25, 0.75, 0, 0.9981},
             {0.8, 50, 0.82, 0, 0.6321},
             {0.8, 50, 0.82, 1, 0.3961},
             {0.8, 50, 0.85, 0, 0.9180},
             {0.8, 50, 0.9, 0, 0.9933},
             {0.95, 50, 0.96, 0, 0.4287},
             {0.95, 50, 0.96, 1, 0.3100},
             {0.95, 50, 0.98, 0, 0.8463},
         })
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(GetBounceProbability(p.utilization, p.bounces, p.theta, p.lambda),
                                  p.probability,
                                  5e-5,
                                  "u " << p.utilization << " n " << p.bounces);
    }
    NS_TEST_EXPECT_MSG_EQ(GetBounceProbability(0.8, 0, 0.8, 50), 0, "at theta");
    NS_TEST_EXPECT_MSG_EQ(GetBounceProbability(0, 7, 0, 50), 0, "empty");
    NS_TEST_EXPECT_MSG_EQ(GetBounceProbability(1, 65535, 0.8, 50), 1, "full");
    NS_TEST_EXPECT_MSG_EQ(GetBounceProbability(1, 0, 1, 50), 1, "full, theta 1");
    NS_TEST_EXPECT_MSG_EQ(GetBounceProbability(0.999, 0, 1, 50), 0, "nearly full, theta 1");
    NS_TEST_EXPECT_MSG_EQ_TOL(GetBounceProbability(0.9, 0, 0.8, 0), 0.5, 1e-12, "a line");
    NS_TEST_EXPECT_MSG_EQ_TOL(GetBounceProbability(0.9, 65535, 0.8, 1e-300),
                              0.5,
                              1e-9,
                              "underflow");
    NS_TEST_EXPECT_MSG_EQ_TOL(GetBounceProbability(0.81, 0, 0.8, 1e9), 1, 1e-12, "a step");
    for (double u = 0; u <= 1; u += 0.01)
    {
        for (uint32_t n = 0; n < 20; ++n)
        {
            const double p = GetBounceProbability(u, n, 0.5, 15);
            NS_TEST_ASSERT_MSG_EQ((p >= 0 && p <= 1), true, "a probability: " << p);
            NS_TEST_ASSERT_MSG_EQ((GetBounceProbability(u, n + 1, 0.5, 15) <= p),
                                  true,
                                  "PRCP-3: falls with the number of bounces");
            NS_TEST_ASSERT_MSG_EQ((GetBounceProbability(u + 0.01, n, 0.5, 15) >= p),
                                  true,
                                  "PRCP-1: rises with the utilization");
        }
    }
}

LOSSLESS_TEST(g_suite, "Counters in the frame")
{
    PaboCounters counters;
    counters.CountForward();
    NS_TEST_EXPECT_MSG_EQ(+counters.distance, 0, "never negative");
    counters.CountBounce();
    counters.CountBounce();
    counters.CountForward();
    counters.hops = 300;
    NS_TEST_EXPECT_MSG_EQ(+counters.distance, 1, "two back, one forth");
    NS_TEST_EXPECT_MSG_EQ(+counters.maxDistance, 2, "two back");

    PaboCounters full;
    full.bounces = full.hops = 65535;
    full.distance = full.maxDistance = 255;
    full.CountBounce();
    full.CountHop();
    NS_TEST_EXPECT_MSG_EQ(full.bounces, 65535, "stays");
    NS_TEST_EXPECT_MSG_EQ(full.hops, 65535, "stays");
    NS_TEST_EXPECT_MSG_EQ(+full.maxDistance, 255, "stays");

    Frame frame = MakeUdpFrame(GetHostAddress(0), GetHostAddress(1), 0, 100, 7);
    counters.WriteTo(frame);
    NS_TEST_EXPECT_MSG_EQ(frame.packet->GetSize(), 100, "costs nothing");
    const PaboCounters read = PaboCounters::Of(frame);
    NS_TEST_EXPECT_MSG_EQ(read.bounces, 2, "bounces");
    NS_TEST_EXPECT_MSG_EQ(read.hops, 300, "hops");
}

LOSSLESS_TEST(g_suite, "Bounce queue before normal queue")
{
    const auto make = [](uint32_t size, uint16_t bounces) {
        SwitchItem item;
        item.frame.size = size;
        PaboCounters counters;
        counters.bounces = bounces;
        counters.WriteTo(item.frame);
        return item;
    };
    auto queue = CreateObject<PaboEgressQueue>();
    for (const auto& [size, bounces] :
         std::vector<std::pair<uint32_t, uint16_t>>{{1, 0}, {2, 1}, {3, 0}, {4, 9}})
    {
        queue->Enqueue(make(size, bounces));
    }
    std::vector<uint32_t> order;
    while (!queue->IsEmpty())
    {
        NS_TEST_ASSERT_MSG_NE(queue->Peek(), nullptr, "not empty");
        const uint32_t peeked = queue->Peek()->frame.size;
        order.push_back(queue->Dequeue().frame.size);
        NS_TEST_ASSERT_MSG_EQ(order.back(), peeked, "Peek() tells who leaves");
    }
    NS_TEST_EXPECT_MSG_EQ(ToText(order), "2 4 1 3", "order");
    NS_TEST_EXPECT_MSG_EQ(queue->Peek(), nullptr, "empty");
    queue->Enqueue(make(1, 0));
    queue->Enqueue(make(2, 1));
    NS_TEST_EXPECT_MSG_EQ(queue->TakeAll().size(), 2, "both");
    NS_TEST_EXPECT_MSG_EQ(queue->IsEmpty(), true, "none remains");
}

/// All times are computed by hand. Each frame is 1000 B long and takes 8.192 us at 1 Gb/s. Only a
/// full queue bounces frames. A normal sub-queue holds two frames, plus one on the wire.
///
/// h0 and h2 send six frames each to h1 at the same time. The frames of h2 reach s1 first (one
/// hop), and frame 1 of h2 is put on the wire. After that, two frames arrive per frame time and one
/// leaves. The queue of s1 fills, and further frames are sent back through the port at which they
/// arrived, with priority.
LOSSLESS_TEST(g_suite, "Frames go back by the way they came, and arrive")
{
    Fabric fabric(MakeLine(), MakePabo(1, "2p"));
    Hosts hosts(fabric);
    std::map<uint32_t, std::set<uint32_t>> backBy;
    const auto note = [&](uint32_t node, const SwitchItem& item) {
        backBy[10 * node + (item.frame.flow.source & 0xff) - 1].insert(Index(item.egress));
    };
    for (uint32_t node = 0; node < 2; ++node)
    {
        ListenTo(*GetPabo(fabric.GetSwitch(node)),
                 "Bounce",
                 [&note, node](const SwitchItem& item, PortId) { note(node, item); });
    }
    hosts.Send(0, 1, 6, MicroSeconds(1));
    hosts.Send(2, 1, 6, MicroSeconds(1));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.HaveAllOnce(), true, "nothing is lost, nothing comes twice");
    NS_TEST_EXPECT_MSG_GT(hosts.m_pabo.at(2)->GetReturned(), 0, "h2 gets frames back");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_pabo.at(2)->GetBacklog(), 0, "and sends them again");
    // Port 0 of s1 leads to s0, port 1 to h1, and port 2 to h2. Frames of h0 return through port 0,
    // and frames of h2 through port 2.
    NS_TEST_EXPECT_MSG_EQ((backBy[10] == std::set<uint32_t>{0}), true, "from h0");
    NS_TEST_EXPECT_MSG_EQ((backBy[12] == std::set<uint32_t>{2}), true, "from h2");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_received[1].m_arrivals.size(), 12, "frames");
    for (uint32_t node = 0; node < 2; ++node)
    {
        NS_TEST_EXPECT_MSG_EQ(IsEmpty(fabric.GetSwitch(node)), true, "queues at the end");
    }
}

void
CheckFill(const BounceRecorder& recorder, double duration)
{
    const std::vector<BounceRecorder::Queue> queues = recorder.GetQueues();
    NS_TEST_ASSERT_MSG_EQ(queues.size(), 2, "to s0 and to h1");
    const BounceRecorder::Queue& back = queues[0];
    const BounceRecorder::Queue& forward = queues[1];
    NS_TEST_EXPECT_MSG_EQ(Index(back.queue.port), 0, "to s0");
    NS_TEST_EXPECT_MSG_EQ(Index(forward.queue.port), 1, "to h1");
    // Frame 1 waits from 25 676 ns, 8192 ns after the arrival of frame 0, until both other frames
    // have left at 181 324 ns.
    NS_TEST_EXPECT_MSG_EQ_TOL(forward.normal.mean, 155.648e-6 / duration, 1e-6, "mean");
    NS_TEST_EXPECT_MSG_EQ_TOL(forward.normal.largest, 1, 1e-12, "full");
    // Theta is 1, so the utilization never exceeds it.
    NS_TEST_EXPECT_MSG_EQ_TOL(forward.normal.above, 0, 1e-12, "above theta");
    // Frame 2 arrives at 33 868 ns and again after two hops (2 x 8242 ns), at 50 352 ns. It then
    // waits until 99 404 ns.
    NS_TEST_EXPECT_MSG_EQ_TOL(forward.bounced.mean, 49.052e-6 / duration, 1e-6, "mean");
    NS_TEST_EXPECT_MSG_EQ_TOL(back.bounced.mean, 0, 1e-6, "the way back is free");
    NS_TEST_EXPECT_MSG_EQ_TOL(back.bounced.largest, 1, 1e-12, "for an instant");
}

/// Compares hops, distances and the utilization of a queue with values computed by hand, for frames
/// of h0 only.
///
/// The link s1-h1 is ten times slower than the others, so a frame of 1000 B takes 81.92 us on it.
/// Three frames arrive at s1 8.192 us apart. The first is on the slow wire, the second waits (the
/// limit is one frame), and the third returns one hop to s0, which sends it to s1 again at once. At
/// s1, this frame finds room in the bounce sub-queue and therefore leaves before the second frame.
LOSSLESS_TEST(g_suite, "Hops, distances and times of each frame, by hand")
{
    const Topology slow = MakeTopology("h0,s0,1Gbps,50ns\n"
                                       "s0,s1,1Gbps,50ns\n"
                                       "s1,h1,100Mbps,50ns\n");
    Fabric fabric(slow, MakePabo(1, "1p"));
    Hosts hosts(fabric);
    BounceRecorder recorder;
    recorder.WatchSwitch("s1", fabric.GetSwitch(1));
    hosts.Send(0, 1, 3, MicroSeconds(1));
    Simulator::Schedule(MicroSeconds(100), [&recorder]() {
        // Frame 1 has been waiting since 25 676 ns; see CheckFill().
        NS_TEST_EXPECT_MSG_EQ_TOL(recorder.GetQueues().at(1).normal.mean,
                                  0.74324,
                                  1e-9,
                                  "mean while nothing changes");
    });
    Simulator::Run();
    const double duration = Simulator::Now().GetSeconds();
    // Frames 0 and 1 traverse two switches; frame 2 traverses s0, s1 (back), s0 and s1.
    NS_TEST_EXPECT_MSG_EQ(hosts.GetJourneys(), "2/0/0:2 4/1/1:1", "hops/distance/bounces");
    NS_TEST_EXPECT_MSG_EQ(ToText(hosts.m_received[1].GetSequences()),
                          "0 2 1",
                          "the frame that went back overtakes");
    // Frame 0 starts on the slow wire at 1000 + 2 (8192 + 50) ns and takes 81 920 ns.
    NS_TEST_EXPECT_MSG_EQ(ToText(hosts.m_received[1].GetTimes()), "99454 181374 263294", "times");
    CheckFill(recorder, duration);
}

/// A switch without a network, to test decisions about single frames. Theta is 0.8, and lambda is
/// 50.
struct PaboSwitch : FakeSwitch<PaboFlowControl, UnlimitedBufferPolicy>
{
    inline static const Ipv4Address ROUTED{"10.0.0.9"}; ///< destination to which port 3 leads

    explicit PaboSwitch(const std::string& limit)
        : FakeSwitch(4, 0x01)
    {
        m_shape.ports.assign(4, {DataRate("1Gbps"), NanoSeconds(50), 1500});
        m_scheme->SetAttribute("NormalLimit", StringValue(limit));
        m_scheme->SetAttribute("BounceLimit", StringValue(limit));
        Start();
    }

    /// @param frames the number of frames to store at port 0
    void Fill(uint32_t frames, uint16_t bounces)
    {
        for (uint32_t i = 0; i < frames; ++i)
        {
            m_scheme->OnEnqueue(MakeFrame(bounces, 0));
        }
    }

    /// @return a frame from port 1 to port 0
    static SwitchItem MakeFrame(uint16_t bounces, uint8_t priority)
    {
        SwitchItem item = MakeItem(1, priority, 1000);
        PaboCounters counters;
        counters.bounces = bounces;
        counters.WriteTo(item.frame);
        return item;
    }

    std::optional<PortId> FindRoute(Ipv4Address address) const override
    {
        return address == ROUTED ? std::make_optional(PortId{3}) : std::nullopt;
    }
};

double
CountBounces(uint16_t bounces, int64_t stream)
{
    PaboSwitch fake("50p");
    fake.m_scheme->AssignStreams(stream);
    fake.Fill(41, bounces);
    uint32_t back = 0;
    for (uint32_t i = 0; i < 20000; ++i)
    {
        SwitchItem item = fake.MakeFrame(bounces, 0);
        NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->Redirect(item).has_value(), false, "no loss");
        back += item.egress == PortId{1} ? 1 : 0;
    }
    return back / 20000.0;
}

/// A queue for 50 frames holds 41, so u = 0.82. A fraction P of 20 000 frames is sent back.
LOSSLESS_TEST(g_suite, "Who goes back, frame by frame")
{
    const double never = CountBounces(0, 1);
    // The tolerance is three standard deviations, 3 sqrt(p (1 - p) / 20 000) = 0.0104.
    NS_TEST_EXPECT_MSG_EQ_TOL(never, 0.6321, 0.0104, "P of a frame never sent back");
    NS_TEST_EXPECT_MSG_EQ_TOL(CountBounces(1, 1), 0.3961, 0.0104, "P after one bounce");
    NS_TEST_EXPECT_MSG_EQ(CountBounces(0, 1), never, "the same stream, the same draws");
    NS_TEST_EXPECT_MSG_NE(CountBounces(0, 2), never, "another stream, other draws");
}

LOSSLESS_TEST(g_suite, "Who goes back, frame by frame: lossy class")
{
    PaboSwitch fake("1p");
    SwitchItem first = fake.MakeFrame(0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->Redirect(first).has_value(), false, "there is room");
    fake.m_scheme->OnEnqueue(first);
    SwitchItem second = fake.MakeFrame(0, 1);
    const auto refusal = fake.m_scheme->Redirect(second);
    NS_TEST_EXPECT_MSG_EQ((refusal == DropReason::EGRESS_LIMIT), true, "lost");
    NS_TEST_EXPECT_MSG_EQ(PaboCounters::Of(second.frame).bounces, 0, "never sent back");
}

/// Switches learn the return path from frames that have never been sent back. They also learn it
/// from a frame that has been sent back if it is the first frame of its flow that they receive.
LOSSLESS_TEST(g_suite, "Who goes back, frame by frame: the way back")
{
    PaboSwitch fake("1p");
    fake.Fill(1, 0);
    const auto steer = [&fake](uint16_t bounces, uint16_t ingress, uint64_t flow) {
        SwitchItem item = fake.MakeFrame(bounces, 0);
        item.ingress = PortId{ingress};
        item.frame.flowHash = flow;
        fake.m_scheme->Redirect(item);
        return Index(item.egress);
    };
    NS_TEST_EXPECT_MSG_EQ(steer(0, 1, 7), 1, "learned and used at once");
    NS_TEST_EXPECT_MSG_EQ(steer(0, 2, 7), 2, "learned again");
    NS_TEST_EXPECT_MSG_EQ(steer(0, 1, 8), 1, "another flow");
    fake.Fill(1, 1);
    NS_TEST_EXPECT_MSG_EQ(steer(1, 3, 7), 2, "sent back before: nothing is learned");
    NS_TEST_EXPECT_MSG_EQ(steer(1, 3, 9), 3, "the first of its flow");
}

/// A frame is sent back along the route to its source, regardless of its ingress port.
LOSSLESS_TEST(g_suite, "Who goes back, frame by frame: by route")
{
    PaboSwitch fake("1p");
    fake.m_scheme->SetAttribute("BackByRoute", BooleanValue(true));
    fake.Fill(1, 0);
    SwitchItem item = fake.MakeFrame(0, 0);
    item.frame.flow.source = PaboSwitch::ROUTED.Get();
    fake.m_scheme->Redirect(item);
    NS_TEST_EXPECT_MSG_EQ(Index(item.egress), 3, "by the route");
    item = fake.MakeFrame(0, 0);
    fake.m_scheme->Redirect(item);
    NS_TEST_EXPECT_MSG_EQ(Index(item.egress), 1, "no route: as it came");
}

/// With a reserve of 3, as in the authors' simulator, a sub-queue for 100 frames counts as full
/// when it holds 98 frames, whereas 97 frames do not exceed theta.
LOSSLESS_TEST(g_suite, "Who goes back, frame by frame: reserve")
{
    const auto goesBack = [](uint32_t frames, uint32_t reserve, uint16_t bounces) {
        PaboSwitch fake("100p");
        fake.m_scheme->SetAttribute("Reserve", UintegerValue(reserve));
        fake.m_scheme->SetAttribute("Theta", DoubleValue(0.99));
        fake.Fill(frames, bounces);
        SwitchItem item = fake.MakeFrame(bounces, 0);
        fake.m_scheme->Redirect(item);
        return item.egress == PortId{1};
    };
    for (const uint16_t bounces : {0, 1})
    {
        NS_TEST_EXPECT_MSG_EQ(goesBack(97, 3, bounces), false, "three frames have room");
        NS_TEST_EXPECT_MSG_EQ(goesBack(98, 3, bounces), true, "two frames have room");
        NS_TEST_EXPECT_MSG_EQ(goesBack(98, 0, bounces), false, "without a reserve");
        NS_TEST_EXPECT_MSG_EQ(goesBack(100, 0, bounces), true, "full");
    }
}

LOSSLESS_TEST(g_suite, "Who goes back, frame by frame: bytes")
{
    PaboSwitch fake("2000B");
    SwitchItem item = fake.MakeFrame(0, 0);
    fake.m_scheme->OnEnqueue(item);
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->GetUtilization(QueueId{}, false), 0.5, "1000 of 2000 B");
    fake.m_scheme->OnEnqueue(item);
    fake.m_scheme->OnDequeue(item);
    fake.m_scheme->OnDiscard(item);
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->GetUtilization(QueueId{}, false), 0, "empty");
}

LOSSLESS_TEST(g_suite, "Who goes back, frame by frame: closed way")
{
    PaboSwitch fake("10p");
    fake.m_scheme->SetAttribute("Theta", DoubleValue(0));
    fake.m_scheme->SetAttribute("Lambda", DoubleValue(1e9));
    fake.Fill(9, 0);
    SwitchItem item = fake.MakeFrame(0, 0);
    fake.m_scheme->Redirect(item);
    NS_TEST_EXPECT_MSG_EQ(Index(item.egress), 1, "back");
    fake.m_down.insert(PortId{1});
    item = fake.MakeFrame(0, 0);
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->Redirect(item).has_value(), false, "not lost");
    NS_TEST_EXPECT_MSG_EQ(Index(item.egress), 0, "forward, since the link back is down");
    fake.Fill(1, 0);
    item = fake.MakeFrame(0, 0);
    NS_TEST_EXPECT_MSG_EQ((fake.m_scheme->Redirect(item) == DropReason::BOUNCE_LIMIT),
                          true,
                          "lost");
}

LOSSLESS_TEST(g_suite, "Who goes back, frame by frame: limits")
{
    SwitchShape shape;
    shape.lossless = 0x01;
    shape.ports.assign(4, {DataRate("1Gbps"), NanoSeconds(50), 1500});
    uint32_t reserve = 0;
    const auto complain = [&shape, &reserve](const std::string& normal, const std::string& bounce) {
        auto pabo = CreateObject<PaboFlowControl>();
        pabo->SetAttribute("NormalLimit", StringValue(normal));
        pabo->SetAttribute("BounceLimit", StringValue(bounce));
        pabo->SetAttribute("Reserve", UintegerValue(reserve));
        return pabo->Configure(shape).value_or("");
    };
    NS_TEST_EXPECT_MSG_EQ(complain("1p", "1514B"), "", "enough");
    shape.keepsPath = false;
    ExpectPart(complain("1p", "1514B"), "needs one path");
    shape.keepsPath = true;
    ExpectPart(complain("0p", "1p"), "NormalLimit is 0p");
    ExpectPart(complain("1p", "1513B"), "1514 bytes for a full frame");
    reserve = 3;
    NS_TEST_EXPECT_MSG_EQ(complain("3p", "3p"), "", "always full");
    ExpectPart(complain("3p", "2p"), "with a BounceLimit of 2p it must be 0");
    ExpectPart(complain("9999B", "3p"), "with a NormalLimit of 9999B it must be 0");
}

LOSSLESS_TEST(g_suite, "Segments: numbers and delays")
{
    Fabric fabric(Topology::Star({2, DataRate("1Gbps"), MicroSeconds(1)}), SwitchHelper());
    fabric.InstallInternetStack();
    SegmentRecorder recorder;
    recorder.Watch(fabric.GetHost(0));
    recorder.Watch(fabric.GetHost(1));
    const auto sockets = TcpSettings::ForPabo(45535);
    auto server = CreateObject<ReplyServer>();
    server->SetAttribute("ReplyBytes", UintegerValue(2 * 536));
    server->SetAttribute("Sockets", PointerValue(sockets));
    fabric.GetHost(1)->AddApplication(server);
    auto client = CreateObject<RequestClient>();
    client->SetAttribute("ServerAddress", Ipv4AddressValue(fabric.GetAddress(1)));
    client->SetAttribute("ReplyBytes", UintegerValue(2 * 536));
    client->SetAttribute("Requests", UintegerValue(1));
    client->SetAttribute("FirstRequestDelay", TimeValue(MilliSeconds(100)));
    client->SetAttribute("Sockets", PointerValue(sockets));
    fabric.GetHost(0)->AddApplication(client);
    Simulator::Run();
    // One segment of 200 B and two segments of 536 B are sent one at a time in slow start. With
    // 54 B of headers and 24 B of overhead, they take 2224 and 4912 ns on each of two links, plus a
    // delay of 1000 ns per link.
    NS_TEST_EXPECT_MSG_EQ(recorder.GetTransmissions(), 3, "segments");
    NS_TEST_EXPECT_MSG_EQ(recorder.GetDelays().Count(), 3, "arrivals");
    const double request = 2 * (2224 + 1000);
    const double reply = 2 * (4912 + 1000);
    const double ack = 672; // the reply waits for the ACK of the request, 60 + 24 B
    NS_TEST_EXPECT_MSG_EQ_TOL(recorder.GetDelays().Avg() * 1e9,
                              (request + ack + 2 * reply) / 3,
                              0.01,
                              "mean delay, ns");
    NS_TEST_EXPECT_MSG_EQ(recorder.GetDensity().GetTotal(), 3, "in both directions");
    NS_TEST_EXPECT_MSG_EQ(recorder.GetDensity().GetEntropy(), 0, "in order");
}

/// @return the journeys of the frames in the format "hops/distance/bounces:frames"
std::string
GetJourneys(uint32_t frames)
{
    Fabric fabric(MakeTopology("h0,s0,1Gbps,50ns\ns0,h1,100Mbps,50ns\n"), MakePabo(1, "1p"));
    Hosts hosts(fabric);
    hosts.Send(0, 1, frames, MicroSeconds(1));
    Simulator::Run();
    Simulator::Destroy();
    return hosts.GetJourneys();
}

/// A host receives its own returned frames. h0 sends three frames to s0, which has a slow link to
/// h1. The third frame returns to h0, is sent again and finds the bounce sub-queue empty, so it
/// traverses s0, h0 and s0. A fourth frame finds the bounce sub-queue occupied when it arrives for
/// the second time. It is bounced repeatedly, but never by more than one hop.
LOSSLESS_TEST(g_suite, "Frames that come back to their host, by hand")
{
    NS_TEST_EXPECT_MSG_EQ(GetJourneys(3), "1/0/0:2 3/1/1:1", "three frames");
    // The fourth frame is at s0 at 33.8 us and, since each round trip takes 16.5 us, at 50.3, 66.8
    // and 83.3 us. It is bounced each time. At 91.2 us, the third frame leaves, so there is room at
    // 99.8 us.
    NS_TEST_EXPECT_MSG_EQ(GetJourneys(4), "1/0/0:2 3/1/1:1 9/1/4:1", "four frames");
}

/// h2 sends ten frames to h1 while s1 cannot send in either direction. Two frames wait to be
/// forwarded, one waits to be sent back, and the other seven cannot be stored.
LOSSLESS_TEST(g_suite, "A frame without room in either direction is a counted drop")
{
    SwitchHelper helper = MakePabo(1, "2p");
    helper.SetFlowControlAttribute("BounceLimit", QueueSizeValue(QueueSize("1p")));
    Fabric fabric(MakeLine(), helper);
    Hosts hosts(fabric);
    DropRecorder drops;
    drops.Watch("s1", fabric.GetSwitch(1));
    uint32_t bounces = 0;
    ListenTo(*GetPabo(fabric.GetSwitch(1)), "Bounce", [&](const SwitchItem&, PortId) {
        ++bounces;
    });
    for (const uint32_t i : {1, 2})
    {
        SendPfcIn(Time(0), fabric.GetHostDevice(i), SetOf(Priority{0}), 0xffff);
    }
    hosts.Send(2, 1, 10, MicroSeconds(100));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(bounces, 1, "frames sent back");
    NS_TEST_EXPECT_MSG_EQ(ToText(hosts.m_received[1].GetSequences()), "0 1 2", "arrivals");
    NS_TEST_ASSERT_MSG_EQ(drops.GetDrops().size(), 1, "one place, one reason");
    const DropRecord drop = drops.GetDrops().front();
    NS_TEST_EXPECT_MSG_EQ((drop.reason == DropReason::BOUNCE_LIMIT), true, "its name");
    NS_TEST_EXPECT_MSG_EQ(drop.frames, 7, "lost frames");
    NS_TEST_EXPECT_MSG_EQ(Index(drop.port), 1, "where they should have left");
    NS_TEST_EXPECT_MSG_EQ(drop.IsViolation(), true, "in a class that PABO covers");
    NS_TEST_EXPECT_MSG_EQ(IsEmpty(fabric.GetSwitch(1)), true, "queues at the end");
}

LOSSLESS_TEST(g_suite, "A host that refuses returned frames loses them, counted")
{
    Fabric fabric(MakeLine(), MakePabo(1, "2p"));
    const Ptr<RawSink> sink = fabric.InstallSink(1);
    uint64_t refused = 0;
    for (const uint32_t i : {0, 2})
    {
        auto source = CreateObject<RawSource>();
        source->SetAttribute("MaxFrames", UintegerValue(100));
        fabric.InstallSource(source, i, 1);
        fabric.GetHostDevice(i)->GetObject<PaboHost>()->SetAttribute(
            "BounceLimit",
            QueueSizeValue(QueueSize("1B")));
        ListenTo(*fabric.GetHostDevice(i),
                 "Drop",
                 [&refused](Ptr<const Packet>, DropReason reason) {
                     refused += reason == DropReason::BOUNCE_LIMIT ? 1 : 0;
                 });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(refused, 0, "frames came back to a host");
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotal().frames + refused, 200, "the others arrived");
}

/// The link between the switches fails while frames are bounced over it, and then recovers. The
/// frames in flight are counted as lost because of the link failure, and the counters of the
/// sub-queues remain correct. Because of a PAUSE, frames are waiting for the return link when it
/// fails.
LOSSLESS_TEST(g_suite, "Frames bounced out of a link that fails")
{
    SwitchHelper helper = MakePabo(0.5, "6p");
    helper.SetFlowControlAttribute("BounceLimit", QueueSizeValue(QueueSize("100p")));
    Fabric fabric(MakeLine(), helper);
    Hosts hosts(fabric);
    uint64_t lostOnWire = 0;
    Ptr<SwitchNode> s0 = fabric.GetSwitch(0);
    Ptr<SwitchNode> s1 = fabric.GetSwitch(1);
    for (const Ptr<SwitchNode>& node : {s0, s1})
    {
        for (uint32_t port = 0; port < node->GetNDevices(); ++port)
        {
            ListenTo(*node->GetDevice(port), "Drop", [&lostOnWire](Ptr<const Packet>, DropReason) {
                ++lostOnWire;
            });
        }
    }
    hosts.Send(0, 1, 60, MicroSeconds(1));
    hosts.Send(2, 1, 60, MicroSeconds(1));
    Ptr<LosslessChannel> cable = DynamicCast<LosslessChannel>(s1->GetDevice(0)->GetChannel());
    bool wasBusy = false;
    SendPfcIn(MicroSeconds(100),
              DynamicCast<LosslessNetDevice>(s0->GetDevice(1)),
              SetOf(Priority{0}),
              0xffff);
    Simulator::Schedule(MicroSeconds(300), [&]() {
        const QueueId back{PortId{0}, Priority{0}};
        wasBusy = GetPabo(s1)->GetUtilization(back, true) > 0;
        cable->SetUp(false);
    });
    Simulator::Schedule(MicroSeconds(350), [&]() { cable->SetUp(true); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(wasBusy, true, "frames wait to go back when the link fails");
    uint64_t lost = lostOnWire;
    for (const Ptr<SwitchNode>& node : {s0, s1})
    {
        lost += node->GetCounts().dropped[static_cast<std::size_t>(DropReason::LINK_DOWN)];
        NS_TEST_EXPECT_MSG_EQ(IsEmpty(node), true, "queues at the end");
        NS_TEST_EXPECT_MSG_EQ(node->GetSharedBuffer()->GetUsed(), 0, "buffer at the end");
    }
    NS_TEST_EXPECT_MSG_GT(lost, 1, "lost with the link");
    NS_TEST_EXPECT_MSG_EQ(hosts.m_received[1].m_arrivals.size() + lost, hosts.m_sent, "the others");
}

uint32_t
CountReturned(double slowDown)
{
    Fabric fabric(MakeLine(), MakePabo(1, "4p"));
    Hosts hosts(fabric);
    for (uint32_t i = 0; i < 3; ++i)
    {
        hosts.m_pabo.at(i)->SetAttribute("SlowDown", DoubleValue(slowDown));
    }
    hosts.Send(0, 1, 100, MicroSeconds(1));
    hosts.Send(2, 1, 100, MicroSeconds(1));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.HaveAllOnce(), true, "all arrive");
    const uint64_t returned = hosts.m_pabo.at(2)->GetReturned();
    Simulator::Destroy();
    return static_cast<uint32_t>(returned);
}

LOSSLESS_TEST(g_suite, "Frames that come back slow their sender down")
{
    const uint32_t eager = CountReturned(0);
    const uint32_t modest = CountReturned(2);
    NS_TEST_EXPECT_MSG_GT(eager, 0, "frames come back");
    NS_TEST_EXPECT_MSG_LT(4 * modest, 3 * eager, "to a host that slows down, fewer");
}

Topology
MakeRandomTree(Ptr<UniformRandomVariable> random)
{
    Topology topology;
    const uint32_t switches = random->GetInteger(2, 8);
    const uint32_t hosts = random->GetInteger(3, 12);
    for (uint32_t i = 0; i < hosts; ++i)
    {
        topology.AddHost("h" + std::to_string(i));
    }
    const std::vector<DataRate> rates{DataRate("1Gbps"), DataRate("2Gbps"), DataRate("10Gbps")};
    const auto connect = [&](uint32_t a, uint32_t b) {
        topology.AddLink(a,
                         b,
                         rates[random->GetInteger(0, 2)],
                         NanoSeconds(random->GetInteger(10, 3000)));
    };
    for (uint32_t i = 0; i < switches; ++i)
    {
        const uint32_t node = topology.AddSwitch("s" + std::to_string(i));
        if (i > 0)
        {
            connect(node, hosts + random->GetInteger(0, i - 1));
        }
    }
    for (uint32_t i = 0; i < hosts; ++i)
    {
        connect(i, hosts + random->GetInteger(0, switches - 1));
    }
    return topology;
}

/// @return the number of frames that switches have sent back
uint64_t
CheckRandomTree(uint32_t run, Ptr<UniformRandomVariable> random)
{
    SwitchHelper helper = MakePabo(random->GetValue(), "20p");
    helper.SetFlowControlAttribute("Lambda", DoubleValue(random->GetValue(0, 100)));
    helper.SetFlowControlAttribute("BounceLimit", QueueSizeValue(QueueSize("100000p")));
    if (run % 3 > 0)
    {
        helper.SetProcessor("ns3::lossless::SharedProcessor",
                            "Latency",
                            TimeValue(NanoSeconds(run % 3 * 400)));
    }
    Fabric fabric(MakeRandomTree(random), helper);
    fabric.AssignStreams(100 * run + 2);
    Hosts hosts(fabric);
    BounceRecorder recorder;
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        recorder.WatchSwitch("s" + std::to_string(i), fabric.GetSwitch(i));
    }
    for (uint32_t i = 0; i < fabric.GetNHosts(); ++i)
    {
        hosts.m_pabo.at(i)->SetAttribute("BounceLimit", QueueSizeValue(QueueSize("100000p")));
        for (uint32_t burst = 0; burst < 4; ++burst)
        {
            const uint32_t to = random->GetInteger(1, fabric.GetNHosts() - 1);
            hosts.Send(i,
                       random->GetValue() < 0.5 && i != 0 ? 0 : (i + to) % fabric.GetNHosts(),
                       random->GetInteger(1, 80),
                       MicroSeconds(random->GetInteger(0, 400)));
        }
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.HaveAllOnce(), true, "run " << run);
    uint64_t bounces = 0;
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(i)->GetCounts().losslessDropped, 0, "drops");
        NS_TEST_EXPECT_MSG_EQ(IsEmpty(fabric.GetSwitch(i)), true, "queues at the end");
        bounces += recorder.GetBounces().at("s" + std::to_string(i));
    }
    Simulator::Destroy();
    return bounces;
}

/// Checks the guarantee of the scheme under random traffic on random trees: if the capacity
/// suffices, no frame is lost, and each frame is delivered exactly once.
LOSSLESS_TEST(g_suite, "Random trees: nothing is lost, nothing comes twice")
{
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    uint64_t bounces = 0;
    for (uint32_t run = 0; run < 20; ++run)
    {
        bounces += CheckRandomTree(run, random);
    }
    NS_TEST_EXPECT_MSG_GT(bounces, 10000, "there was something to do");
}

/// Each of h1 to h3 is connected to s7 through two switches, and s7 is connected to h4.
Topology
MakeTreePaperTree()
{
    std::string links;
    for (const std::string link :
         {"h1,s1", "h2,s2", "h3,s3", "s1,s4", "s2,s5", "s3,s6", "s4,s7", "s5,s7", "s6,s7", "s7,h4"})
    {
        links += link + ",1Gbps,50ns\n";
    }
    return MakeTopology(links);
}

uint64_t
Run(const SwitchHelper& helper, uint32_t perGeneration, BounceRecorder* recorder)
{
    Fabric fabric(MakeTreePaperTree(), helper);
    fabric.AssignStreams(1);
    for (uint32_t i = 0; i < 4 && recorder; ++i)
    {
        recorder->WatchHost(fabric.GetHostDevice(i)->GetObject<PaboHost>());
    }
    for (uint32_t i = 0; i < 7 && recorder; ++i)
    {
        recorder->WatchSwitch("s" + std::to_string(i + 1), fabric.GetSwitch(i));
    }
    const Ptr<RawSink> sink = fabric.InstallSink(3);
    for (uint32_t i = 0; i < 3; ++i)
    {
        auto source = CreateObject<RawSource>();
        source->SetAttribute("FrameBytes", UintegerValue(1514));
        source->SetAttribute("Interval", TimeValue(MicroSeconds(10)));
        source->SetAttribute("MaxFrames", UintegerValue(perGeneration + 1));
        fabric.InstallSource(source, i, 3);
    }
    Simulator::Run();
    const uint64_t lost = 3 * (perGeneration + 1) - sink->GetTotal().frames;
    NS_TEST_EXPECT_MSG_EQ((recorder && lost > 0), false, "PABO loses nothing");
    Simulator::Destroy();
    return lost;
}

uint64_t
CountDrops(uint32_t perGeneration)
{
    SwitchHelper helper("ns3::lossless::DropTailSwitchNode");
    // The limit includes 1000 waiting frames and the one on the wire.
    helper.SetPolicyAttribute("QueueLimit", QueueSizeValue(QueueSize("1001p")));
    return Run(helper, perGeneration, nullptr);
}

double
GetShare(const BounceRecorder& recorder, uint8_t distance)
{
    double all = 0;
    double some = 0;
    for (const auto& [journey, frames] : recorder.GetDelivered())
    {
        all += static_cast<double>(frames);
        some += journey.maxDistance == distance ? static_cast<double>(frames) : 0;
    }
    return some / all;
}

/// In the paper's tree (Fig. 4), each of the three hosts sends one generation of N + 1 frames of
/// 1514 B. A frame every 10 us exceeds the rate of the wire (Sec. V-A, V-B).
LOSSLESS_TEST(g_suite, "The paper's tree: drop rates to the frame, and who goes back")
{
    // Three frames arrive per slot and one leaves, so 2 (N + 1) - 1000 frames are dropped.
    NS_TEST_EXPECT_MSG_EQ(CountDrops(500), 2, "mild, of 1503: 0.13 %");
    NS_TEST_EXPECT_MSG_EQ(CountDrops(1500), 2002, "moderate, of 4503: 44.46 %");
    NS_TEST_EXPECT_MSG_EQ(CountDrops(2500), 4002, "severe, of 7503: 53.34 %");

    BounceRecorder mild;
    Run(MakePabo(0.8, "500p"), 500, &mild);
    NS_TEST_EXPECT_MSG_EQ_TOL(GetShare(mild, 0), 0.4345, 0.006, "Table I, one generation");
    NS_TEST_EXPECT_MSG_EQ_TOL(GetShare(mild, 1), 0.5655, 0.006, "Table I, one generation");
    NS_TEST_EXPECT_MSG_EQ(mild.GetBounces().at("s4"), 0, "only s7 sends back");
    NS_TEST_EXPECT_MSG_EQ(mild.GetReturned(), 0, "no host gets frames back");
    BounceRecorder severe;
    Run(MakePabo(0.8, "500p"), 2500, &severe);
    NS_TEST_EXPECT_MSG_EQ_TOL(GetShare(severe, 0), 0.0882, 0.003, "Table I");
    NS_TEST_EXPECT_MSG_EQ_TOL(GetShare(severe, 2), 0.0704, 0.006, "Table I, one generation");
    NS_TEST_EXPECT_MSG_GT(severe.GetReturned(), 0, "hosts get frames back");
}

/// @return the file of this name, or "none"
std::string
GetFile(const PaboRecorder& recorder, const std::string& name)
{
    for (const auto& table : recorder.GetTables())
    {
        if (table.name == name)
        {
            return ToCsv(table.make());
        }
    }
    return "none";
}

/// Runs traffic to h2 in a star of three hosts.
/// @param install a function that adds the traffic
Ptr<PaboRecorder>
RunStar(const SwitchHelper& switches, const std::function<void(Fabric&)>& install, Time end)
{
    Fabric fabric(Topology::Star({3, DataRate("1Gbps"), MicroSeconds(1)}), switches);
    install(fabric);
    const auto recorder = CreateObject<PaboRecorder>();
    recorder->SampleQueues({{"s0", PortId{2}}}, MicroSeconds(10), MicroSeconds(20));
    recorder->WatchSwitch("s0", fabric.GetSwitch(0));
    for (uint32_t host = 0; host < 3; ++host)
    {
        recorder->WatchHost("h" + std::to_string(host), fabric.GetHost(host));
    }
    Simulator::Stop(end);
    Simulator::Run();
    return recorder;
}

/// Two hosts send three frames each, every 10 us. A frame takes 12.304 us on each wire (1514 + 24 B
/// at 1 Gb/s), and at 20 us the first of each host have arrived: one is on the wire, one waits.
LOSSLESS_TEST(g_suite, "Measures: raw bursts")
{
    RawBursts bursts;
    bursts.packets = 2;
    const auto install = [&](Fabric& fabric) { bursts.Install(fabric, 2, 2, MilliSeconds(1)); };
    const auto pabo = RunStar(MakePabo(1, "4p"), install, MilliSeconds(1));
    ExpectPart(GetFile(*pabo, "summary"), "value\nraw_frames_sent,6\nraw_frames_arrived,6\n");
    NS_TEST_EXPECT_MSG_EQ(GetFile(*pabo, "delivered"),
                          "max_distance,hops,frames\n0,1,6\n",
                          "none was sent back");
    NS_TEST_EXPECT_MSG_EQ(GetFile(*pabo, "samples"),
                          "time_ns,node,normal,bounce\n0,s0,0,0\n10000,s0,0,0\n20000,s0,0.25,0\n",
                          "one of four waits");
    Simulator::Destroy();
    const auto plain = RunStar(SwitchHelper(), install, MilliSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(GetFile(*plain, "delivered"), "none", "without PABO");
    NS_TEST_EXPECT_MSG_EQ(GetFile(*plain, "samples"), "time_ns,node,normal,bounce\n", "likewise");
}

LOSSLESS_TEST(g_suite, "Measures: requests, whose last reply ends the run")
{
    RequestTraffic requests;
    requests.requests = 1;
    requests.replyBytes = 536;
    const auto install = [&](Fabric& fabric) { requests.Install(fabric, {{2, 0}, {2, 1}}); };
    for (const SwitchHelper& switches : {MakePabo(1, "9p"), SwitchHelper()})
    {
        const auto recorder = RunStar(switches, install, Seconds(9));
        // The first request is sent at 100 ms. It and its reply take less than 20 us each.
        NS_TEST_EXPECT_MSG_GT(Simulator::Now(), MilliSeconds(100), "end");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MicroSeconds(100060), "end");
        const std::string replies = GetFile(*recorder, "replies");
        ExpectPart(replies, "client,server,request,start_ns,fct_ns\n2,10.0.0.");
        ExpectPart(replies, "\n2,10.0.0.1,0,100000000,");
        ExpectPart(replies, "\n2,10.0.0.2,0,100000000,");
        ExpectPart(GetFile(*recorder, "summary"), "segments_sent,4\nsegments_arrived,4\n");
        ExpectPart(GetFile(*recorder, "summary"), "replies_missing,0\n");
        ExpectPart(GetFile(*recorder, "displacements"), "0,4\n");
        Simulator::Destroy();
    }
    const auto early = RunStar(MakePabo(1, "9p"), install, MilliSeconds(100));
    ExpectPart(GetFile(*early, "summary"), "replies_missing,2\n");
}

/// The indices in Topology::FatTree() of the switches in the paper's fat-tree (Fig. 10).
enum PaperSwitch : uint32_t
{
    S1 = 0,   ///< left edge switch of pod 0
    S2 = 1,   ///< right edge switch of pod 0
    S9 = 4,   ///< left edge switch of pod 2
    S3 = 8,   ///< left aggregation switch of pod 0
    S4 = 9,   ///< right aggregation switch of pod 0
    S11 = 12, ///< left aggregation switch of pod 2
    S12 = 13, ///< right aggregation switch of pod 2
    C1 = 16,  ///< core
    C2 = 17,  ///< core
    C3 = 18,  ///< core
    C4 = 19,  ///< core
};

std::unique_ptr<Fabric>
MakeTwoLevel(const FatTreeOptions& options)
{
    SwitchHelper helper;
    helper.SetForwarding("ns3::lossless::TwoLevelForwarding");
    return std::make_unique<Fabric>(Topology::FatTree(options),
                                    helper,
                                    ObjectFactory("ns3::lossless::RoceNic"),
                                    TwoLevelRoutes(options));
}

std::vector<uint32_t>
GetPath(const Fabric& fabric, uint32_t source, uint32_t destination)
{
    SwitchItem item;
    item.frame.flow.source = fabric.GetAddress(source - 1).Get();
    item.frame.flow.destination = fabric.GetAddress(destination - 1).Get();
    const Topology& topology = fabric.GetTopology();
    uint32_t node = topology.GetPorts(source - 1)[0].peer;
    std::vector<uint32_t> path;
    while (node != destination - 1 && path.size() < 10)
    {
        path.push_back(node - fabric.GetNHosts());
        const auto port = fabric.GetSwitch(path.back())->GetForwarding()->Find(item);
        node = port ? topology.GetPorts(node)[Index(*port)].peer : destination - 1;
    }
    return path;
}

/// Checks that the two-level tables of the fat-tree route frames along the paths given in the paper
/// (Sec. VI-A, VI-C, VI-D).
LOSSLESS_TEST(g_suite, "Two-level routes of the fat-tree")
{
    FatTreeOptions options;
    options.k = 4;
    const auto fabric = MakeTwoLevel(options);
    NS_TEST_EXPECT_MSG_EQ(fabric->GetAddress(0), Ipv4Address("10.0.0.2"), "H1");
    NS_TEST_EXPECT_MSG_EQ(fabric->GetAddress(9), Ipv4Address("10.2.0.3"), "H10");
    NS_TEST_EXPECT_MSG_EQ((GetPath(*fabric, 2, 10) == std::vector<uint32_t>{S1, S4, C3, S12, S9}),
                          true,
                          "H2 to H10");
    NS_TEST_EXPECT_MSG_EQ((GetPath(*fabric, 1, 2) == std::vector<uint32_t>{S1}), true, "one edge");
    // Within a pod, the first hop follows the suffix, and the second one the prefix.
    NS_TEST_EXPECT_MSG_EQ((GetPath(*fabric, 1, 4) == std::vector<uint32_t>{S1, S4, S2}),
                          true,
                          "one pod");
    // Frames to H9 from left edge switches go through C1 and S11, and those from right edge
    // switches go through C4 and S12. For H10, the reverse applies.
    std::vector<std::tuple<uint32_t, uint32_t, PaperSwitch>> routes;
    const auto add =
        [&routes](std::vector<uint32_t> sources, uint32_t destination, PaperSwitch core) {
            for (const uint32_t source : sources)
            {
                routes.emplace_back(source, destination, core);
            }
        };
    add({1, 2, 5, 13, 14}, 9, C1);
    add({3, 7, 8, 15}, 9, C4);
    add({4, 8, 16}, 10, C2);
    add({1, 2}, 10, C3);
    for (const auto& [source, destination, core] : routes)
    {
        const uint32_t down = core < C3 ? S11 : S12;
        const std::vector<uint32_t> path = GetPath(*fabric, source, destination);
        NS_TEST_ASSERT_MSG_EQ(path.size(), 5, "H" << source << " to H" << destination);
        NS_TEST_EXPECT_MSG_EQ(path[2], core, "H" << source << " to H" << destination);
        NS_TEST_EXPECT_MSG_EQ(path[3], down, "H" << source << " to H" << destination);
        NS_TEST_EXPECT_MSG_EQ(path[4], S9, "H" << source << " to H" << destination);
    }
}

LOSSLESS_TEST(g_suite, "Two-level routes of larger trees")
{
    for (const uint32_t pods : {0, 4}) // 0 means k pods
    {
        FatTreeOptions options{6, 2};
        options.pods = pods;
        const auto fabric = MakeTwoLevel(options);
        for (uint32_t i = 1; i <= fabric->GetNHosts(); ++i)
        {
            for (uint32_t j = 1; j <= fabric->GetNHosts(); ++j)
            {
                const std::size_t hops = i == j ? 1 : GetPath(*fabric, i, j).size();
                NS_TEST_ASSERT_MSG_EQ((hops == 1 || hops == 3 || hops == 5),
                                      true,
                                      "H" << i << " to H" << j << ": " << hops);
            }
        }
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "Two-level routes that cannot be are named")
{
    const auto build = [](const Topology& topology, const std::string& forwarding) {
        SwitchHelper helper;
        helper.SetForwarding(forwarding);
        FatTreeOptions options;
        options.k = 4;
        Fabric fabric(topology,
                      helper,
                      ObjectFactory("ns3::lossless::RoceNic"),
                      TwoLevelRoutes(options));
    };
    FatTreeOptions options;
    options.k = 4;
    ExpectStop("switch \"edge0\" has no TwoLevelForwarding",
               [&]() { build(Topology::FatTree(options), "ns3::lossless::EcmpForwarding"); });
    ExpectStop("not the 16 of the fat-tree",
               [&]() { build(Topology::Star(), "ns3::lossless::TwoLevelForwarding"); });
    ExpectStop("a prefix of 0 bits", []() {
        CreateObject<TwoLevelForwarding>()->AddPrefix(Ipv4Address(1U), 0, PortId{0});
    });
    ExpectStop("switch 3: a route names port 4", []() {
        auto table = CreateObject<TwoLevelForwarding>();
        table->AddSuffix(2, PortId{4});
        table->Configure(3, std::vector<DataRate>(4));
    });
    ExpectStop("by 0 ports",
               []() { CreateObject<TwoLevelForwarding>()->SetRoute(Ipv4Address(1U), {}); });
}

/// In the fat-tree, the return path of a frame differs from the route to its sender. Frames from H2
/// to H9 arrive at S11 through C1, but frames from S11 to H2 leave through C2 (suffix 03).
LOSSLESS_TEST(g_suite, "Frames go back by their own path, not by routes to their source")
{
    FatTreeOptions options;
    options.k = 4;
    options.hostRate = options.fabricRate = DataRate("1Gbps");
    SwitchHelper helper = MakePabo(0.2, "10p");
    helper.SetForwarding("ns3::lossless::TwoLevelForwarding");
    Fabric fabric(Topology::FatTree(options),
                  helper,
                  ObjectFactory("ns3::lossless::RoceNic"),
                  TwoLevelRoutes(options));
    Hosts hosts(fabric);
    std::set<uint32_t> back;
    const uint32_t h2 = fabric.GetAddress(1).Get();
    ListenTo(*GetPabo(fabric.GetSwitch(S11)),
             "Bounce",
             [&back, h2](const SwitchItem& item, PortId) {
                 if (item.frame.flow.source == h2)
                 {
                     back.insert(Index(item.egress));
                 }
             });
    // H2 sends to H9 through C1 and S11. H11 and H12, in the pod of H9, send to H9 as well, so that
    // the link from S9 to H9 is overloaded.
    hosts.Send(1, 8, 200, MicroSeconds(1));
    hosts.Send(10, 8, 200, MicroSeconds(1));
    hosts.Send(11, 8, 200, MicroSeconds(1));
    Simulator::Run();
    SwitchItem reverse;
    reverse.frame.flow.destination = h2;
    const auto toSource = fabric.GetSwitch(S11)->GetForwarding()->Find(reverse);
    NS_TEST_ASSERT_MSG_EQ(toSource.has_value(), true, "a route to H2");
    NS_TEST_EXPECT_MSG_EQ(Index(*toSource), 3, "the route to H2 is by C2");
    NS_TEST_EXPECT_MSG_EQ((back == std::set<uint32_t>{2}), true, "the way back is by C1");
    NS_TEST_EXPECT_MSG_EQ(hosts.HaveAllOnce(), true, "all arrive");
}

} // namespace ns3::lossless::tests::THIS_FILE
