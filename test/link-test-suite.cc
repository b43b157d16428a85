// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/ethernet-header.h"
#include "ns3/fafc-gate.h"
#include "ns3/gfc-gate.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/pcap-file.h"
#include "ns3/recurring-event.h"
#include "ns3/ring-buffer.h"

#include <random>

// Tests the device, the cable and their parts. All times are computed by hand. A frame of n bytes
// occupies the wire for (n + 24) x 8 bit times. A frame of 1514 bytes (1500 of payload) thus takes
// 12 304 bit times: 12 304 ns at 1 Gb/s, 1230.4 ns at 10 Gb/s and 123.04 ns at 100 Gb/s.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-link", UNIT);
Suite g_traceFilesSuite("lossless-trace-files", UNIT);

/// A frame with 1500 bytes of payload.
constexpr uint32_t FULL_FRAME = 1514;

/// The code point of class 3.
constexpr uint8_t CLASS_3 = 24;

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;

struct DropLog
{
    explicit DropLog(Ptr<LosslessNetDevice> device)
    {
        ListenTo(*device, "Drop", [this](Ptr<const Packet> /* packet */, DropReason reason) {
            reasons.push_back(reason);
        });
    }

    std::vector<DropReason> reasons; ///< reason for each loss
};

/// Expects that the given number of frames were lost, all for the same reason.
void
ExpectReasons(const std::vector<DropReason>& reasons, std::size_t frames, DropReason reason)
{
    const std::vector<DropReason> expected(frames, reason);
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(reasons, expected), "", "why");
}

struct PacketCount
{
    PacketCount(Ptr<LosslessNetDevice> device, const std::string& source)
    {
        ListenTo(*device, source, [this](Ptr<const Packet> /* packet */) { ++count; });
    }

    uint32_t count{0};
};

bool
SendFromStack(Ptr<LosslessNetDevice> device, uint8_t dscp)
{
    Ptr<Packet> packet =
        MakeUdpFrame(GetHostAddress(0), GetHostAddress(1), dscp, FULL_FRAME, 0).packet;
    EthernetHeader header(false);
    packet->RemoveHeader(header); // the device adds its own
    return device->Send(packet, device->GetBroadcast(), ETHERTYPE_IPV4);
}

/// @param overhead the overhead of a frame on the wire, in bytes
/// @return the arrival time of the frame, in ns
std::string
GetArrival(const std::string& rate, uint32_t overhead)
{
    Pair pair({DataRate(rate), Time(0)});
    pair.GetHost(0).device->SetAttribute("OverheadBytes", UintegerValue(overhead));
    pair.GetHost(0).Send(1, 0, FULL_FRAME);
    Simulator::Run();
    Simulator::Destroy();
    return ToText(pair.GetHost(1).received.GetTimes());
}

/// In total, 1000 frames of 123.04 ns take 123 040 ns, or 123 000 ns if the fractions are lost.
LOSSLESS_TEST(g_suite, "Transmission time counts the overhead, and is exact in the long run: sum")
{
    Pair pair({DataRate("100Gbps"), NanoSeconds(700)});
    pair.GetHost(0).Send(1, 0, FULL_FRAME, 1000);
    Simulator::Run();
    std::vector<Time> starts;
    std::vector<Time> expected;
    for (int64_t i = 0; i < 1000; ++i)
    {
        starts.push_back(NanoSeconds(12304 * i / 100));
        expected.push_back(NanoSeconds(12304 * (i + 1) / 100 + 700));
    }
    NS_TEST_EXPECT_MSG_EQ(ToText(pair.GetHost(0).source.m_starts), ToText(starts), "starts");
    NS_TEST_EXPECT_MSG_EQ(ToText(pair.GetHost(1).received.GetTimes()),
                          ToText(expected),
                          "arrivals, the last at 123 040 + 700 ns");
}

LOSSLESS_TEST(g_suite, "A frame that finds the wire idle starts at once, with no old fraction")
{
    Pair pair({DataRate("100Gbps"), Time(0)});
    // The last of 24 frames ends at 2952.96 ns, which leaves a remainder of 0.96 ns.
    pair.GetHost(0).Send(1, 0, FULL_FRAME, 24);
    pair.GetHost(0).Send(1, 0, FULL_FRAME, 1, NanoSeconds(5000));
    // A frame that becomes ready while the wire is busy must wait.
    pair.GetHost(0).Send(1, 0, FULL_FRAME, 1, NanoSeconds(5100));
    Simulator::Run();
    std::vector<Time> times = pair.GetHost(1).received.GetTimes();
    NS_TEST_EXPECT_MSG_EQ(times.size(), 26, "all arrive");
    times.erase(times.begin(), times.begin() + std::min<std::size_t>(24, times.size()));
    NS_TEST_EXPECT_MSG_EQ(ToText(times), "5123 5246", "idle and busy wire");
}

LOSSLESS_TEST(g_suite, "Transmission time counts the overhead, and is exact in the long run")
{
    // A frame with 1500 B of payload takes (1500 + 14 + 24) x 8 = 12 304 bit times, here at 1 Gb/s.
    NS_TEST_EXPECT_MSG_EQ(GetArrival("1Gbps", 24), "12304", "1 Gb/s");
    // Here, the overhead of a frame is 64 B or 0 B instead of the usual 24 B.
    NS_TEST_EXPECT_MSG_EQ(GetArrival("1Gbps", 64), "12624", "overhead of 64 B");
    NS_TEST_EXPECT_MSG_EQ(GetArrival("1Gbps", 0), "12112", "no overhead");
    // At 3 Gb/s, 12 304 bits take 4101.33 ns, which is rounded down to whole nanoseconds.
    NS_TEST_EXPECT_MSG_EQ(GetArrival("3Gbps", 24), "4101", "rounded down");
}

void
ExpectArrival(TestHost& host, Time time)
{
    NS_TEST_EXPECT_MSG_EQ(ToText(host.received.GetTimes()), ToText({time}), "arrival");
}

LOSSLESS_TEST(g_suite, "Each link has its own rate and delay")
{
    Star star(CreateObject<InfiniteBufferSwitchNode>(),
              {{DataRate("1Gbps"), MicroSeconds(3)},
               {DataRate("10Gbps"), MicroSeconds(5)},
               {DataRate("100Gbps"), NanoSeconds(700)}});
    star.GetHost(0).Send(1, 0, FULL_FRAME);
    star.GetHost(0).Send(2, 0, FULL_FRAME);
    star.GetHost(2).Send(0, 0, FULL_FRAME);
    Simulator::Run();
    // With store-and-forward, the frame takes 12 304 + 3000 ns on the first link and 1230.4 +
    // 5000 ns on the second one.
    ExpectArrival(star.GetHost(1), NanoSeconds(12304 + 3000 + 1230 + 5000));
    // The second frame follows the first one on the slow link. It takes 123.04 + 700 ns on the last
    // link.
    ExpectArrival(star.GetHost(2), NanoSeconds(2 * 12304 + 3000 + 123 + 700));
    // In the opposite direction, frames go from the fast link to the slow one.
    ExpectArrival(star.GetHost(0), NanoSeconds(123 + 700 + 12304 + 3000));
}

LOSSLESS_TEST(g_suite, "On a long cable frames arrive in order, a delay after their last bit")
{
    // At 1 Gb/s, a cable of 100 us holds 12 500 B in each direction, which is at least 8 frames.
    Pair pair({DataRate("1Gbps"), MicroSeconds(100)});
    std::vector<Time> expected;
    std::vector<Time> expectedBack;
    std::vector<uint32_t> sequences;
    Time now;
    for (uint32_t i = 0; i < 500; ++i)
    {
        const uint32_t bytes = 60 + (i * 37) % 1455;
        pair.GetHost(0).Send(1, (i % 8) * 8, bytes);
        pair.GetHost(1).Send(0, 0, FULL_FRAME);
        now += NanoSeconds((bytes + 24) * 8);
        expected.push_back(now + MicroSeconds(100));
        expectedBack.push_back(NanoSeconds(12304 * (i + 1) + 100000));
        sequences.push_back(i);
    }
    Simulator::Run();
    const Recorder& there = pair.GetHost(1).received;
    const Recorder& back = pair.GetHost(0).received;
    NS_TEST_EXPECT_MSG_EQ(ToText(there.GetTimes()), ToText(expected), "one direction");
    NS_TEST_EXPECT_MSG_EQ(ToText(there.GetSequences()), ToText(sequences), "its order");
    NS_TEST_EXPECT_MSG_EQ(ToText(back.GetTimes()), ToText(expectedBack), "the other direction");
}

LOSSLESS_TEST(g_suite, "Frames that the receive error model corrupts are lost and counted")
{
    Pair pair;
    Ptr<LosslessNetDevice> device = pair.GetHost(1).device;
    LoseFrames(*device, {1, 3});
    DropLog drops(device);
    PacketCount lost(device, "PhyRxDrop");
    PacketCount intact(device, "PhyRxEnd");
    PacketCount sent(pair.GetHost(0).device, "PhyTxBegin");
    pair.GetHost(0).Send(1, 0, FULL_FRAME, 5);
    Simulator::Run();

    NS_TEST_EXPECT_MSG_EQ(ToText(pair.GetHost(1).received.GetSequences()), "0 2 4", "arrived");
    ExpectReasons(drops.reasons, 2, DropReason::RECEIVE_ERROR);
    NS_TEST_EXPECT_MSG_EQ(lost.count, 2, "PhyRxDrop");
    NS_TEST_EXPECT_MSG_EQ(intact.count, 3, "PhyRxEnd");
    NS_TEST_EXPECT_MSG_EQ(sent.count, 5, "PhyTxBegin");
}

/// Ten frames take 12.304 us each. The cable, with a delay of 20 us, is cut at 30 us and restored
/// at 50 us.
LOSSLESS_TEST(g_suite, "Frames under way are lost with the cable; the rest follows: long cut")
{
    Pair pair({DataRate("1Gbps"), MicroSeconds(20)});
    TestHost& sender = pair.GetHost(0);
    TestHost& receiver = pair.GetHost(1);
    DropLog senderDrops(sender.device);
    DropLog drops(receiver.device);
    PacketCount lost(receiver.device, "PhyRxDrop");
    uint32_t changes = 0;
    const auto countChange = [](uint32_t* count) { ++*count; };
    sender.device->AddLinkChangeCallback(MakeBoundCallback(+countChange, &changes));
    receiver.device->AddLinkChangeCallback(MakeBoundCallback(+countChange, &changes));
    sender.Send(1, 0, FULL_FRAME, 10);
    Simulator::Schedule(MicroSeconds(30), &Pair::SetLinkUp, &pair, false);
    Simulator::Schedule(MicroSeconds(40), [&sender, &receiver]() {
        NS_TEST_EXPECT_MSG_EQ(sender.device->IsLinkUp(), false, "one end is down");
        NS_TEST_EXPECT_MSG_EQ(receiver.device->IsLinkUp(), false, "so is the other");
        // By 24.608 us, frames 0 and 1 have left, and frame 2 is on the wire.
        NS_TEST_EXPECT_MSG_EQ(sender.source.m_waiting.size(), 7, "the others wait");
    });
    Simulator::Schedule(MicroSeconds(50), &Pair::SetLinkUp, &pair, true);
    Simulator::Run();

    // The first frame would have arrived at 32.304 us.
    ExpectReasons(drops.reasons, 3, DropReason::LINK_DOWN);
    NS_TEST_EXPECT_MSG_EQ(lost.count, 3, "PhyRxDrop");
    NS_TEST_EXPECT_MSG_EQ(senderDrops.reasons.size(), 0, "nothing is lost at the sender");
    NS_TEST_EXPECT_MSG_EQ(changes, 4, "each end sees the link go down and come up");
    NS_TEST_EXPECT_MSG_EQ(ToText(receiver.received.GetSequences()), "3 4 5 6 7 8 9", "the others");
    // From 50 us on, no data is sent for the time of eight control frames (5376 ns), the delay and
    // the response to a PAUSE (60 x 512 ns). Frames are then sent without gaps, so they arrive at
    // 50 000 + 5376 + 20 000 + 30 720 + 12 304 k + 20 000 ns.
    NS_TEST_EXPECT_MSG_EQ(ToText(receiver.received.GetTimes()),
                          "138400 150704 163008 175312 187616 199920 212224",
                          "when");
}

/// The cable is cut at 1 us and restored at 2 us. The frame on the wire is lost, although its last
/// bits are sent after the cable is restored.
LOSSLESS_TEST(g_suite, "Frames under way are lost with the cable; the rest follows: short cut")
{
    Pair pair({DataRate("1Gbps"), MicroSeconds(20)});
    DropLog drops(pair.GetHost(1).device);
    pair.GetHost(0).Send(1, 0, FULL_FRAME, 10);
    Simulator::Schedule(MicroSeconds(1), &Pair::SetLinkUp, &pair, false);
    Simulator::Schedule(MicroSeconds(2), &Pair::SetLinkUp, &pair, true);
    Simulator::Run();
    ExpectReasons(drops.reasons, 1, DropReason::LINK_DOWN);
    // The next frame starts 56 096 ns after the cable is restored, as in the long cut.
    const auto times = pair.GetHost(1).received.GetTimes();
    NS_TEST_EXPECT_MSG_EQ(times.size(), 9, "the others arrive");
    NS_TEST_EXPECT_MSG_EQ(
        (!times.empty() && times.front() == NanoSeconds(2000 + 56096 + 12304 + 20000)),
        true,
        "the second");
}

uint64_t
CountLinkDown(const Star& star)
{
    const auto reason = static_cast<std::size_t>(DropReason::LINK_DOWN);
    return star.m_switch->GetCounts().dropped[reason];
}

/// Hosts 0 and 1 send 10 frames each to host 2, whose cable is cut at 8 us.
LOSSLESS_TEST(g_suite, "Frames for a port whose cable is cut are dropped, with the reason: queue")
{
    Star star(CreateObject<PfcSwitchNode>(), 3, {DataRate("10Gbps"), MicroSeconds(1)});
    DropLog lostOnCable(star.GetHost(2).device);
    std::vector<DropReason> reasons;
    ListenTo(*star.m_switch, "Drop", [&reasons](const SwitchItem&, DropReason reason) {
        reasons.push_back(reason);
    });
    star.GetHost(0).Send(2, CLASS_3, FULL_FRAME, 10);
    star.GetHost(1).Send(2, CLASS_3, FULL_FRAME, 10);
    Simulator::Schedule(MicroSeconds(8), &Star::SetLinkUp, &star, 2, false);
    Simulator::Schedule(NanoSeconds(8001), [&star]() {
        // Pairs of frames arrive at 1 us + k x 1230.4 ns, so five pairs have arrived by 8 us. One
        // frame leaves every 1230.4 ns, starting at 2230 ns. Four frames have thus left by 7152 ns,
        // and the fifth is on the wire.
        NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetCounts().received, 10, "arrived");
        NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetCounts().sent, 4, "left");
        NS_TEST_EXPECT_MSG_EQ(CountLinkDown(star), 5, "queued frames are dropped at once");
        NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetSharedBuffer()->GetUsed(),
                              FULL_FRAME,
                              "the frame on the wire is still there");
    });
    Simulator::Schedule(MicroSeconds(30), &Star::SetLinkUp, &star, 2, true);
    star.GetHost(0).Send(2, CLASS_3, FULL_FRAME, 1, MicroSeconds(31));
    Simulator::Run();

    // Ten more frames arrive while the cable is cut.
    NS_TEST_EXPECT_MSG_EQ(CountLinkDown(star), 15, "frames for a dead port are dropped");
    ExpectReasons(reasons, 15, DropReason::LINK_DOWN);
    NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetCounts().losslessDropped, 0, "not by congestion");
    NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetCounts().received, 21, "received");
    NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetCounts().sent, 6, "sent");
    NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetSharedBuffer()->GetUsed(), 0, "empty");
    // At 8 us, two frames are in flight: the frame on the wire and the frame that left at 7152 ns.
    NS_TEST_EXPECT_MSG_EQ(lostOnCable.reasons.size(), 2, "lost on the cable");
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(2).received.m_arrivals.size(), 4, "3 before, one after");
}

LOSSLESS_TEST(g_suite,
              "Frames for a port whose cable is cut are dropped, with the reason: pipeline")
{
    auto node = CreateObject<PfcSwitchNode>();
    auto pipeline = CreateObject<SharedProcessor>();
    pipeline->SetAttribute("Latency", TimeValue(MicroSeconds(5)));
    node->SetProcessor(pipeline);
    Star star(node, 2, {DataRate("10Gbps"), MicroSeconds(1)});
    star.GetHost(0).Send(1, CLASS_3, FULL_FRAME);
    // The frame is in the pipeline from 2.23 us to 7.23 us.
    Simulator::Schedule(MicroSeconds(4), &Star::SetLinkUp, &star, 1, false);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(CountLinkDown(star), 1, "it is dropped as well");
    NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetSharedBuffer()->GetUsed(), 0, "empty");
}

/// Host 1 pauses the switch, which pauses host 0. Then the cable of host 0 is cut for 10 us.
LOSSLESS_TEST(g_suite, "A PAUSE is forgotten with the cable, and repeated: forgotten and repeated")
{
    SwitchHelper pausing =
        MakeStaticSwitch(5000, 3000, {{"PrivateBytes", 0}, {"HeadroomBytes", 10000}});
    Star star(pausing.Create(), 2, {DataRate("10Gbps"), MicroSeconds(1)});
    TestHost& sender = star.GetHost(0);
    std::vector<Time> closed;
    ListenTo(*sender.device->GetGate(), "Closed", [&closed](PrioritySet) {
        closed.push_back(Simulator::Now());
    });
    SendPfcIn(Time(0), star.GetHost(1).device, SetOf(Priority{3}), 0xffff);
    sender.Send(1, CLASS_3, FULL_FRAME, 20, MicroSeconds(10));
    std::size_t before = 0;
    Simulator::Schedule(MicroSeconds(49), [&sender, &before]() {
        NS_TEST_EXPECT_MSG_EQ(+sender.device->GetGate()->GetOpen(), 0xf7, "class 3 is stopped");
        before = sender.source.m_starts.size();
    });
    Simulator::Schedule(MicroSeconds(50), &Star::SetLinkUp, &star, 0, false);
    Simulator::Schedule(MicroSeconds(51), [&sender]() {
        NS_TEST_EXPECT_MSG_EQ(+sender.device->GetGate()->GetOpen(), 0xff, "it is forgotten");
    });
    Simulator::Schedule(MicroSeconds(60), &Star::SetLinkUp, &star, 0, true);
    Simulator::Schedule(MicroSeconds(70), [&star, &sender, &closed, &before]() {
        // The PAUSE occupies the wire for 84 B x 8 / 10 Gb/s = 67.2 ns. The cable delay is 1 us,
        // and the response time is 60 quanta of 51.2 ns, so the PAUSE takes effect at 60 us + 67 +
        // 1000 + 3072 ns. The suite for PFC timing derives the time of the first PAUSE.
        NS_TEST_EXPECT_MSG_EQ(ToText(closed), "20060 64139", "repeated when the link is up");
        // The headroom is in use, so no frame may be sent until then.
        NS_TEST_EXPECT_MSG_EQ(sender.source.m_starts.size() - before, 0, "sent meanwhile");
        NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetCounts().losslessDropped, 0, "no loss");
    });
    RunFor(MicroSeconds(71));
}

/// A PAUSE arrives at 1.067 us and would take effect at 4.139 us; the cable is cut in between.
LOSSLESS_TEST(g_suite, "A PAUSE is forgotten with the cable, and repeated: not applied late")
{
    Pair pair({DataRate("10Gbps"), MicroSeconds(1)});
    Ptr<TransmitGate> gate = pair.GetHost(0).device->GetGate();
    SendPfcIn(Time(0), pair.GetHost(1).device, SetOf(Priority{3}), 1000);
    Simulator::Schedule(MicroSeconds(2), &Pair::SetLinkUp, &pair, false);
    Simulator::Schedule(MicroSeconds(3), &Pair::SetLinkUp, &pair, true);
    Simulator::Schedule(MicroSeconds(5),
                        [gate]() { NS_TEST_EXPECT_MSG_EQ(+gate->GetOpen(), 0xff, "it is void"); });
    Simulator::Run();
}

LOSSLESS_TEST(g_suite, "A ring buffer lets go of what was popped")
{
    RingBuffer<std::shared_ptr<int>> ring;
    auto value = std::make_shared<int>(7);
    ring.Push(value);
    NS_TEST_EXPECT_MSG_EQ(value.use_count(), 2, "stored");
    ring.Pop();
    NS_TEST_EXPECT_MSG_EQ(value.use_count(), 1, "a popped slot holds nothing");
    ring.Push(value);
    ring.Clear();
    NS_TEST_EXPECT_MSG_EQ(value.use_count(), 1, "nor does a cleared one");

    // If Ptr has no move operations, Pop() copies the pointer.
    RingBuffer<Ptr<Packet>> packets;
    auto packet = Create<Packet>(1);
    packets.Push(packet);
    NS_TEST_EXPECT_MSG_EQ(packet->GetReferenceCount(), 2, "stored");
    packets.Pop();
    NS_TEST_EXPECT_MSG_EQ(packet->GetReferenceCount(), 1, "a popped slot holds nothing");
}

class Ticker
{
  public:
    Ticker()
        : m_event(Create<Event>(this))
    {
    }

    ~Ticker()
    {
        m_event->Detach();
    }

    void Arm(uint32_t context, Time delay)
    {
        m_event->Arm(context, delay);
    }

    bool IsArmed() const
    {
        return m_event->IsArmed();
    }

    std::vector<Time> ticks;        ///< times of the events
    std::vector<uint32_t> contexts; ///< contexts in which the events were executed
    uint32_t repetitions{0};        ///< number of events left to schedule

  private:
    void Tick()
    {
        ticks.push_back(Simulator::Now());
        contexts.push_back(Simulator::GetContext());
        if (repetitions > 0)
        {
            --repetitions;
            Arm(5, MicroSeconds(2));
        }
    }

    using Event = RecurringEvent<Ticker, &Ticker::Tick>;

    Ptr<Event> m_event; ///< recurring event
};

/// A value of the same size as a frame.
struct RandomRingBufferValue
{
    uint64_t number{0};             ///< value to compare
    std::array<uint64_t, 6> rest{}; ///< padding to the size of a frame
};

void
Attack(uint32_t seed)
{
    std::mt19937 random(seed);
    RingBuffer<RandomRingBufferValue> ring;
    std::deque<uint64_t> expected;
    for (uint64_t step = 0; step < 300; ++step)
    {
        // The buffer grows beyond the capacity that it keeps when empty, and it is empty at times.
        const bool isFilling = random() % 2 == 0;
        for (uint32_t left = random() % 100; left > 0 && (isFilling || !ring.IsEmpty()); --left)
        {
            if (isFilling)
            {
                expected.push_back(1000 * step + left);
                ring.Push(RandomRingBufferValue{expected.back(), {}});
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ(ring.Pop().number, expected.front(), "seed " << seed);
            expected.pop_front();
        }
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(ring.Peek(i).number, expected[i], "seed " << seed);
        }
        RingBuffer<RandomRingBufferValue> copy = ring;
        ring = std::move(copy);
        NS_TEST_ASSERT_MSG_EQ(ring.GetSize(), expected.size(), "seed " << seed);
    }
    ring.Clear();
    NS_TEST_ASSERT_MSG_EQ(ring.IsEmpty(), true, "cleared");
}

LOSSLESS_TEST(g_suite, "ring buffer: random use and copies")
{
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        Attack(seed);
    }
}

/// A value that is compared only by its key.
struct SortedRingBufferValue
{
    uint32_t key{0};    ///< sort key
    uint32_t number{0}; ///< order of insertion

    bool operator<(const SortedRingBufferValue& other) const
    {
        return key < other.key;
    }
};

LOSSLESS_TEST(g_suite, "ring buffer: values inserted in order, equal ones as they came")
{
    std::mt19937 random(7);
    RingBuffer<SortedRingBufferValue> ring;
    std::vector<SortedRingBufferValue> expected;
    for (uint32_t number = 0; number < 20000; ++number)
    {
        const SortedRingBufferValue value{number / 4 + static_cast<uint32_t>(random() % 8), number};
        ring.Insert(value);
        const auto place = std::upper_bound(expected.begin(), expected.end(), value);
        expected.insert(place, value);
        while (ring.GetSize() > random() % 64)
        {
            NS_TEST_ASSERT_MSG_EQ(ring.Pop().number, expected.front().number, "value");
            expected.erase(expected.begin());
        }
        NS_TEST_ASSERT_MSG_EQ(ring.GetSize(), expected.size(), "size");
    }
}

LOSSLESS_TEST(g_suite, "A recurring event may be armed again, and does nothing without its owner")
{
    Ticker ticker;
    ticker.repetitions = 2;
    ticker.Arm(4, MicroSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(ticker.IsArmed(), true, "pending");
    auto mortal = std::make_unique<Ticker>();
    mortal->Arm(1, MicroSeconds(2));
    Simulator::Schedule(MicroSeconds(1), [&mortal]() { mortal.reset(); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ToText(ticker.ticks), "1000 3000 5000", "when");
    NS_TEST_EXPECT_MSG_EQ(ToText(ticker.contexts), "4 5 5", "in the context given");
    NS_TEST_EXPECT_MSG_EQ(ticker.IsArmed(), false, "not pending any more");
    Simulator::Destroy();
    // This event is still pending when its owner is destroyed.
    ticker.Arm(4, MicroSeconds(1));
}

using Bytes = std::vector<uint8_t>;

Frame
Parse(const Bytes& bytes)
{
    return ParseFrame(Create<Packet>(bytes.data(), bytes.size()));
}

Bytes
MakeFrame(uint16_t etherType, const Bytes& body)
{
    Bytes bytes(12, 0xee);
    bytes.push_back(etherType >> 8);
    bytes.push_back(etherType & 0xff);
    bytes.insert(bytes.end(), body.begin(), body.end());
    return bytes;
}

/// @return a UDP packet from 10.0.0.1:258 to 10.1.2.3:772 with DSCP 26 and ECT(0)
Bytes
MakeIpv4()
{
    return {0x45, 0x6a, 0x00, 0x1c, 0x00, 0x00, 0x00, 0x00, 0x40, 17,   0x00, 0x00, 10, 0,
            0,    1,    10,   1,    2,    3,    0x01, 0x02, 0x03, 0x04, 0x00, 0x08, 0,  0};
}

LOSSLESS_TEST(g_suite, "Header fields are read, whole or cut short: IPv4")
{
    const Frame frame = Parse(MakeFrame(0x0800, MakeIpv4()));
    NS_TEST_EXPECT_MSG_EQ((frame.kind == FrameKind::IPV4), true, "IPv4");
    NS_TEST_EXPECT_MSG_EQ(frame.size, 42, "bytes");
    NS_TEST_EXPECT_MSG_EQ(Ipv4Address(frame.flow.source), "10.0.0.1", "source");
    NS_TEST_EXPECT_MSG_EQ(Ipv4Address(frame.flow.destination), "10.1.2.3", "destination");
    NS_TEST_EXPECT_MSG_EQ(frame.flow.sourcePort, 258, "source port");
    NS_TEST_EXPECT_MSG_EQ(frame.flow.destinationPort, 772, "destination port");
    NS_TEST_EXPECT_MSG_EQ(+frame.flow.protocol, 17, "UDP");
    NS_TEST_EXPECT_MSG_EQ(+frame.GetDscp(), 26, "code point 0x6a >> 2");
    NS_TEST_EXPECT_MSG_EQ(Index(frame.priority), 3, "class 26 >> 3");
    NS_TEST_EXPECT_MSG_EQ(frame.IsMarkable(), true, "ECT(0)");
    NS_TEST_EXPECT_MSG_EQ(frame.IsMarked(), false, "not marked");
}

LOSSLESS_TEST(g_suite, "Header fields are read, whole or cut short: options and protocols")
{
    Bytes options = MakeIpv4();
    options[0] = 0x46; // one word of options before the ports
    options.insert(options.begin() + 20, {1, 1, 1, 1});
    NS_TEST_EXPECT_MSG_EQ(Parse(MakeFrame(0x0800, options)).flow.sourcePort, 258, "options");

    Bytes tcp = MakeIpv4();
    tcp[9] = 6;
    NS_TEST_EXPECT_MSG_EQ(Parse(MakeFrame(0x0800, tcp)).flow.destinationPort, 772, "TCP");

    Bytes icmp = MakeIpv4();
    icmp[9] = 1;
    NS_TEST_EXPECT_MSG_EQ(Parse(MakeFrame(0x0800, icmp)).flow.sourcePort, 0, "no ports");
}

LOSSLESS_TEST(g_suite, "Header fields are read, whole or cut short: ARP")
{
    // This is an ARP request from 10.0.0.1 for 10.0.0.9.
    const Bytes arp = {0,  1, 8, 0, 6, 4, 0, 1, 2, 0, 0,  0, 0, 1,
                       10, 0, 0, 1, 0, 0, 0, 0, 0, 0, 10, 0, 0, 9};
    const Frame frame = Parse(MakeFrame(0x0806, arp));
    NS_TEST_EXPECT_MSG_EQ((frame.kind == FrameKind::ARP), true, "ARP");
    NS_TEST_EXPECT_MSG_EQ(Ipv4Address(frame.flow.source), "10.0.0.1", "sender");
    NS_TEST_EXPECT_MSG_EQ(Ipv4Address(frame.flow.destination), "10.0.0.9", "target");
    NS_TEST_EXPECT_MSG_EQ(Index(frame.priority), 0, "class 0");
}

LOSSLESS_TEST(g_suite, "Header fields are read, whole or cut short: others")
{
    const Frame control = Parse(MakeFrame(0x8808, Bytes(46)));
    NS_TEST_EXPECT_MSG_EQ((control.kind == FrameKind::MAC_CONTROL), true, "MAC control");
    const Frame ipv6 = Parse(MakeFrame(0x86dd, Bytes(46)));
    NS_TEST_EXPECT_MSG_EQ((ipv6.kind == FrameKind::OTHER), true, "neither");
    NS_TEST_EXPECT_MSG_EQ(ipv6.size, 60, "but counted");
    NS_TEST_EXPECT_MSG_EQ(ipv6.IsMarkable(), false, "not to be marked");
}

LOSSLESS_TEST(g_suite, "Header fields are read, whole or cut short: cut short")
{
    const Bytes whole = MakeFrame(0x0800, MakeIpv4());
    for (std::size_t length = 1; length < whole.size(); ++length)
    {
        const Frame frame = Parse(Bytes(whole.begin(), whole.begin() + length));
        const bool hasAddresses = length >= 14 + 20;
        const bool hasPorts = length >= 14 + 24;
        NS_TEST_EXPECT_MSG_EQ((frame.kind == FrameKind::IPV4), hasAddresses, length);
        NS_TEST_EXPECT_MSG_EQ((frame.flow.destination != 0), hasAddresses, length);
        NS_TEST_EXPECT_MSG_EQ((frame.flow.destinationPort != 0), hasPorts, length);
        NS_TEST_EXPECT_MSG_EQ(frame.size, length, "bytes");
    }
    Bytes badLength = MakeIpv4();
    badLength[0] = 0x44; // a header length of 16 bytes is invalid
    const Frame frame = Parse(MakeFrame(0x0800, badLength));
    NS_TEST_EXPECT_MSG_EQ((frame.kind == FrameKind::OTHER), true, "impossible header length");
    const Frame arp = Parse(MakeFrame(0x0806, Bytes(27)));
    NS_TEST_EXPECT_MSG_EQ((arp.kind == FrameKind::OTHER), true, "ARP cut short");
}

LOSSLESS_TEST(g_suite, "Each of the five fields changes the hash")
{
    const FlowKey flow{1, 2, 3, 4, 5};
    for (const FlowKey& other : std::vector<FlowKey>{{9, 2, 3, 4, 5},
                                                     {1, 9, 3, 4, 5},
                                                     {1, 2, 9, 4, 5},
                                                     {1, 2, 3, 9, 5},
                                                     {1, 2, 3, 4, 9},
                                                     {2, 1, 3, 4, 5},
                                                     {1, 2, 4, 3, 5}})
    {
        NS_TEST_EXPECT_MSG_NE(HashOf(other), HashOf(flow), "another flow");
    }
    NS_TEST_EXPECT_MSG_EQ(HashOf({1, 2, 3, 4, 5}), HashOf(flow), "the same flow");
}

/// Host 0 sends a packet from its stack, a packet from a source and two PFC frames, the second of
/// which arrives corrupt.
/// @param prefix the prefix of the files of host 0
/// @param single the capture file of host 1
/// @return the names of the files of host 0 without extension
std::string
Simulate(const std::string& prefix, const std::string& single, std::ostringstream& ascii)
{
    Pair pair({DataRate("1Gbps"), Time(0)});
    Ptr<LosslessNetDevice> sender = pair.GetHost(0).device;
    Ptr<LosslessNetDevice> receiver = pair.GetHost(1).device;
    const std::string name = prefix + "-" + std::to_string(sender->GetNode()->GetId()) + "-0";
    LoseFrames(*receiver, {3});
    LosslessHelper helper;
    helper.EnablePcap(prefix, sender);
    helper.EnablePcap(single, receiver, true, true);
    helper.EnableAscii(prefix, sender);
    Ptr<OutputStreamWrapper> stream = Create<OutputStreamWrapper>(&ascii);
    helper.EnableAscii(stream, sender);
    helper.EnableAscii(stream, receiver);
    Simulator::Schedule(Time(0), [sender]() { SendFromStack(sender, 0); });
    pair.GetHost(0).Send(1, 0, FULL_FRAME, 1, NanoSeconds(10));
    SendPfcIn(NanoSeconds(13000), sender, 8, 100);
    SendPfcIn(NanoSeconds(30000), sender, 8, 0);
    Simulator::Run();
    Simulator::Destroy();
    return name;
}

/// @return the time of the next packet in ns, or no value at the end
std::optional<uint32_t>
ReadNext(PcapFile& file)
{
    std::array<uint8_t, FULL_FRAME> bytes{};
    uint32_t seconds = 0;
    uint32_t nanoseconds = 0;
    uint32_t included = 0;
    uint32_t original = 0;
    uint32_t read = 0;
    file.Read(bytes.data(), bytes.size(), seconds, nanoseconds, included, original, read);
    if (file.Fail())
    {
        return std::nullopt;
    }
    NS_TEST_EXPECT_MSG_EQ(read, original, "the whole packet is in the file");
    return nanoseconds;
}

/// @param times the times of all packets in the capture, in ns
void
CheckPcap(const std::string& path, const std::vector<uint32_t>& times)
{
    PcapFile file;
    file.Open(path, std::ios::in);
    NS_TEST_EXPECT_MSG_EQ(file.Fail(), false, path << " exists");
    NS_TEST_EXPECT_MSG_EQ(file.GetDataLinkType(), 1, "Ethernet");
    NS_TEST_EXPECT_MSG_EQ(file.IsNanoSecMode(), true, "times of " << path);
    std::vector<uint32_t> found;
    for (auto time = ReadNext(file); time; time = ReadNext(file))
    {
        found.push_back(*time);
    }
    NS_TEST_EXPECT_MSG_EQ(ToText(found), ToText(times), "packets of " << path);
}

uint32_t
CountLines(const std::string& text, const std::string& start)
{
    std::istringstream lines(text);
    uint32_t count = 0;
    for (std::string line; std::getline(lines, line);)
    {
        count += line.rfind(start, 0) == 0 ? 1 : 0;
    }
    return count;
}

void
CheckAscii(const std::string& text)
{
    NS_TEST_EXPECT_MSG_EQ(CountLines(text, "+ "), 1, "from the stack");
    NS_TEST_EXPECT_MSG_EQ(CountLines(text, "- "), 4, "sent");
    NS_TEST_EXPECT_MSG_EQ(CountLines(text, "r "), 3, "received");
    NS_TEST_EXPECT_MSG_EQ(CountLines(text, "d "), 1, "lost");
    ExpectPart(text, "LosslessNetDevice/PhyTxBegin");
}

LOSSLESS_TEST(g_traceFilesSuite,
              "The helper writes pcap files of Ethernet frames, and ASCII traces")
{
    const std::string prefix = CreateTempDirFilename("sender");
    const std::string single = CreateTempDirFilename("receiver.pcap");
    std::ostringstream ascii;
    const std::string name = Simulate(prefix, single, ascii);
    // The first bits leave at 0, 12.304, 24.608 and 30 us. A frame of 1514 B takes 12.304 us, and a
    // PFC frame takes 0.672 us. The receiver records when each last bit arrives and omits the
    // corrupt frame.
    CheckPcap(name + ".pcap", {0, 12304, 24608, 30000});
    CheckPcap(single, {12304, 24608, 25280});
    CheckAscii(ascii.str());
    const std::string content = ReadFile(name + ".tr");
    NS_TEST_EXPECT_MSG_EQ(CountLines(content, "- "), 4, "frames sent, in the file");
    NS_TEST_EXPECT_MSG_EQ(CountLines(content, "+ "), 1, "stack packets, in the file");
}

void
NoteWake(std::vector<Time>* woken)
{
    woken->push_back(Simulator::Now());
}

/// @return the number of packets sent, at most 100, until the queue stops
uint32_t
SendUntilStopped(Ptr<LosslessNetDevice> device,
                 Ptr<NetDeviceQueueInterface> interface,
                 uint8_t priority)
{
    uint32_t sent = 0;
    for (uint32_t i = 0; i < 100 && !interface->GetTxQueue(priority)->IsStopped(); ++i)
    {
        sent += SendFromStack(device, priority << 3) ? 1 : 0;
    }
    return sent;
}

/// Class 3 is paused at 2 us and resumed at 100 us; the stack sends from 20 us onwards.
LOSSLESS_TEST(g_suite, "A paused class stops its transmission queue, and no other: queue interface")
{
    Pair pair({DataRate("10Gbps"), MicroSeconds(1)});
    Ptr<LosslessNetDevice> device = pair.GetHost(0).device;
    auto interface = device->GetObject<NetDeviceQueueInterface>();
    const bool hasQueues = interface && interface->GetNTxQueues() == 8;
    NS_TEST_EXPECT_MSG_EQ(hasQueues, true, "a transmission queue for each class");
    if (!hasQueues)
    {
        Simulator::Destroy();
        return;
    }
    PacketCount refused(device, "MacTxDrop");
    PacketCount taken(device, "MacTx");
    std::vector<Time> woken;
    interface->GetTxQueue(3)->SetWakeCallback(MakeCallback(&NoteWake).Bind(&woken));
    SendPfcIn(MicroSeconds(2), pair.GetHost(1).device, SetOf(Priority{3}), 0xffff);
    Simulator::Schedule(MicroSeconds(20), [device, interface]() {
        // The queue holds two full frames, and the third one stops it.
        NS_TEST_EXPECT_MSG_EQ(SendUntilStopped(device, interface, 3), 3, "class 3");
        NS_TEST_EXPECT_MSG_EQ(interface->GetTxQueue(0)->IsStopped(), false, "class 0");
        // In class 0, another frame is already on the wire.
        NS_TEST_EXPECT_MSG_EQ(SendUntilStopped(device, interface, 0), 4, "class 0");
    });
    Simulator::Schedule(MicroSeconds(90), [&pair, interface]() {
        NS_TEST_EXPECT_MSG_EQ(interface->GetTxQueue(3)->IsStopped(), true, "still paused");
        NS_TEST_EXPECT_MSG_EQ(interface->GetTxQueue(0)->IsStopped(), false, "drained");
        NS_TEST_EXPECT_MSG_EQ(pair.GetHost(1).received.m_arrivals.size(), 4, "of class 0");
    });
    SendPfcIn(MicroSeconds(100), pair.GetHost(1).device, SetOf(Priority{3}), 0);
    Simulator::Run();
    // The RESUME takes effect after 67.2 ns on the wire, a cable delay of 1 us and a response time
    // of 60 quanta of 51.2 ns. The first frame then leaves and frees its place in the queue.
    NS_TEST_EXPECT_MSG_EQ(ToText(woken), "104139", "the stack is told when there is room again");
    NS_TEST_EXPECT_MSG_EQ(taken.count, 7, "packets of the stack");
    NS_TEST_EXPECT_MSG_EQ(refused.count, 0, "none of them is refused");
    NS_TEST_EXPECT_MSG_EQ(pair.GetHost(1).received.m_arrivals.size(), 7, "all arrive");
}

LOSSLESS_TEST(g_suite, "A sender that does not look at the queues is refused, and told so")
{
    Pair pair({DataRate("10Gbps"), MicroSeconds(1)});
    Ptr<LosslessNetDevice> device = pair.GetHost(0).device;
    PacketCount refused(device, "MacTxDrop");
    Simulator::Schedule(MicroSeconds(1), [device]() {
        uint32_t sent = 0;
        for (uint32_t i = 0; i < 10; ++i)
        {
            sent += SendFromStack(device, CLASS_3) ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(sent, 4, "one on the wire and three in the queue");
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(refused.count, 6, "MacTxDrop");
    NS_TEST_EXPECT_MSG_EQ(pair.GetHost(1).received.m_arrivals.size(), 4, "arrived");
}

LOSSLESS_TEST(g_suite, "A device without a link refuses packets and sends nothing: down")
{
    Pair pair;
    Ptr<LosslessNetDevice> device = pair.GetHost(0).device;
    PacketCount refused(device, "MacTxDrop");
    PacketCount sent(device, "PhyTxBegin");
    Simulator::Schedule(MicroSeconds(1), &Pair::SetLinkUp, &pair, false);
    Simulator::Schedule(MicroSeconds(2), [device]() {
        NS_TEST_EXPECT_MSG_EQ(SendFromStack(device, 0), false, "Send() says so");
        SendPfc(device, SetOf(Priority{3}), 1); // has no effect, because PFC frames are not stored
    });
    Simulator::Schedule(MicroSeconds(3), &Pair::SetLinkUp, &pair, true);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(refused.count, 1, "MacTxDrop");
    NS_TEST_EXPECT_MSG_EQ(sent.count, 0, "nothing was kept");
}

/// A PFC frame that waits for the frame on the wire is discarded when the cable is cut.
LOSSLESS_TEST(g_suite, "A device without a link sends nothing: cut while a PFC frame waits")
{
    Pair pair({DataRate("1Gbps"), MicroSeconds(1)});
    TestHost& sender = pair.GetHost(0);
    PacketCount sent(sender.device, "PhyTxBegin");
    sender.Send(1, 0, FULL_FRAME);
    SendPfcIn(MicroSeconds(1), sender.device, SetOf(Priority{3}), 1);
    Simulator::Schedule(MicroSeconds(2), &Pair::SetLinkUp, &pair, false);
    Simulator::Schedule(MicroSeconds(3), &Pair::SetLinkUp, &pair, true);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(sent.count, 1, "only the data frame was sent");
}

LOSSLESS_TEST(g_suite, "A device without a link refuses packets and sends nothing: unattached")
{
    auto node = CreateObject<Node>();
    auto device = CreateObject<LosslessNetDevice>();
    node->AddDevice(device);
    PacketCount refused(device, "MacTxDrop");
    Simulator::Schedule(MicroSeconds(1), [device]() {
        NS_TEST_EXPECT_MSG_EQ(device->IsLinkUp(), false, "no cable");
        NS_TEST_EXPECT_MSG_EQ(SendFromStack(device, 0), false, "Send() says so");
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(refused.count, 1, "MacTxDrop");
    NS_TEST_EXPECT_MSG_EQ(device->GetPeer(), nullptr, "nobody there");
}

LOSSLESS_TEST(g_suite, "A cable of which only one end is attached, until 2 us")
{
    auto channel = CreateObject<LosslessChannel>();
    std::vector<Ptr<LosslessNetDevice>> ends;
    for (uint32_t i = 0; i < 2; ++i)
    {
        auto node = CreateObject<Node>();
        ends.push_back(CreateObject<LosslessNetDevice>());
        node->AddDevice(ends[i]);
    }
    ends[0]->Attach(channel);
    NS_TEST_EXPECT_MSG_EQ(channel->GetNDevices(), 1, "one end");
    TestHost sender(ends[0], 0);
    sender.Send(1, 0, FULL_FRAME);
    uint32_t changes = 0;
    const auto countChange = [](uint32_t* count) { ++*count; };
    ends[0]->AddLinkChangeCallback(MakeBoundCallback(+countChange, &changes));
    Simulator::Schedule(MicroSeconds(1), [&ends]() {
        NS_TEST_EXPECT_MSG_EQ(ends[0]->IsLinkUp(), false, "the other end is missing");
        NS_TEST_EXPECT_MSG_EQ(SendFromStack(ends[0], 0), false, "Send() says so");
    });
    Simulator::Schedule(MicroSeconds(2), [&ends, channel]() { ends[1]->Attach(channel); });
    TestHost receiver(ends[1], 1);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends[0]->IsLinkUp(), true, "complete");
    NS_TEST_EXPECT_MSG_EQ(changes, 1, "the end that was there first is told");
    NS_TEST_EXPECT_MSG_EQ(receiver.received.m_arrivals.size(), 1, "and sends what waits");
    NS_TEST_EXPECT_MSG_EQ((channel->GetDevice(0) == ends[0]), true, "first end");
    NS_TEST_EXPECT_MSG_EQ((channel->GetDevice(1) == ends[1]), true, "second end");
}

LOSSLESS_TEST(g_suite, "A frame given before the simulation leaves at time 0, at the full rate")
{
    Pair pair({DataRate("1Gbps"), Time(0)});
    TestHost& sender = pair.GetHost(0);
    PacketCount sent(sender.device, "PhyTxBegin");
    for (uint32_t i = 0; i < 2; ++i)
    {
        sender.source.Send(MakeUdpFrame(sender.address, GetHostAddress(1), 0, FULL_FRAME, i));
    }
    NS_TEST_EXPECT_MSG_EQ(sent.count, 0, "nothing is sent yet");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ToText(pair.GetHost(1).received.GetTimes()), "12304 24608", "arrivals");
}

LOSSLESS_TEST(g_suite, "Sources of a host send one frame each in turn; a closed one is skipped")
{
    Pair pair({DataRate("10Gbps"), MicroSeconds(1)});
    TestHost& sender = pair.GetHost(0);
    BurstSource second(sender.device);
    sender.Send(1, CLASS_3, FULL_FRAME, 4);
    for (uint32_t i = 0; i < 6; ++i)
    {
        second.SendIn(Time(0), MakeUdpFrame(sender.address, GetHostAddress(1), 0, FULL_FRAME, i));
    }
    // Class 3 is closed from 4.139 us (67 + 1000 + 3072 ns) on for 100 x 51.2 ns.
    SendPfcIn(Time(0), pair.GetHost(1).device, SetOf(Priority{3}), 100);
    Simulator::Run();
    // Frames start every 1230.4 ns. At time 0, only the first source has frames; then the sources
    // take turns. From 4.92 us on, only class 0 can send, and class 3 opens again at 9.26 us.
    std::string order;
    for (const Arrival& arrival : pair.GetHost(1).received.m_arrivals)
    {
        order += std::to_string(Index(arrival.priority));
    }
    NS_TEST_EXPECT_MSG_EQ(order, "3030000033", "classes in the order of arrival");
}

void
Take(Ptr<NetDevice> /* device */,
     Ptr<const Packet> /* packet */,
     uint16_t /* protocol */,
     const Address& /* source */,
     const Address& /* destination */,
     NetDevice::PacketType /* type */)
{
}

bool
CountPromiscuous(uint32_t* count,
                 Ptr<NetDevice> /* device */,
                 Ptr<const Packet> /* packet */,
                 uint16_t /* protocol */,
                 const Address& /* source */,
                 const Address& /* destination */,
                 NetDevice::PacketType /* type */)
{
    ++*count;
    return true;
}

void
CheckNotAddressed(bool hasHandler, std::size_t lost)
{
    Pair pair;
    Ptr<LosslessNetDevice> receiver = pair.GetHost(1).device;
    DropLog drops(receiver);
    PacketCount delivered(receiver, "MacRx");
    uint32_t promiscuous = 0;
    if (hasHandler)
    {
        receiver->GetNode()->RegisterProtocolHandler(MakeCallback(&Take), 0x1234, receiver);
    }
    receiver->SetPromiscReceiveCallback(MakeCallback(&CountPromiscuous).Bind(&promiscuous));
    Simulator::Schedule(MicroSeconds(1), [&pair, receiver]() {
        // The packet is not an IPv4 packet, so the recorder leaves it to the stack.
        const auto send = [&pair](const Address& destination) {
            pair.GetHost(0).device->Send(Create<Packet>(100), destination, 0x1234);
        };
        send(receiver->GetAddress());
        send(receiver->GetBroadcast());
        send(Mac48Address("02:00:00:00:00:99"));
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(delivered.count, 2, "to the address and to all");
    NS_TEST_EXPECT_MSG_EQ(promiscuous, 3, "a promiscuous listener sees all");
    ExpectReasons(drops.reasons, lost, DropReason::NOT_ADDRESSED);
    Simulator::Destroy();
}

LOSSLESS_TEST(g_suite, "A frame which nobody at the host takes is counted as lost")
{
    CheckNotAddressed(true, 1);
    CheckNotAddressed(false, 3);
}

/// A source that makes its device send a control frame before each of its frames, as schemes can
/// do.
class TalkativeSource : public FrameSource
{
  public:
    TalkativeSource(Ptr<LosslessNetDevice> device, uint32_t frames)
        : m_device(device),
          m_left(frames)
    {
        device->GetHostPort()->AddSource(this);
    }

    bool Prepare(const Permit& /* permit */) override
    {
        return m_left > 0;
    }

    Frame Dequeue(const Permit& /* permit */) override
    {
        SendPfc(m_device, SetOf(Priority{3}), 1);
        return MakeUdpFrame(GetHostAddress(0), GetHostAddress(1), 0, 1000, --m_left);
    }

  private:
    Ptr<LosslessNetDevice> m_device; ///< device that pulls frames
    uint32_t m_left;                 ///< number of frames to send
};

/// A listener that is notified of a departing frame can request another transmission, which must
/// not overlap with the first.
LOSSLESS_TEST(g_suite, "A control frame sent while a data frame starts waits for its end")
{
    // At 100 Gb/s, frames of 1024 B, which take 81.92 ns, alternate with frames of 84 B, which take
    // 6.72 ns. The cable adds 1000 ns.
    Pair pair;
    TalkativeSource source(pair.GetHost(0).device, 3);
    PacketCount control(pair.GetHost(1).device, "PhyRxEnd");
    Simulator::Schedule(Time(0), [&pair]() { pair.GetHost(0).device->Kick(); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ToText(pair.GetHost(1).received.GetTimes()),
                          "1081 1170 1259",
                          "each frame ends when it should");
    NS_TEST_EXPECT_MSG_EQ(control.count, 6, "frames and control frames");
}

/// A packet of one byte becomes a frame of minimum size, which is 64 B long with FCS and occupies
/// 84 B on the wire.
LOSSLESS_TEST(g_suite, "MTU, padding and wiring of a device: padding")
{
    Pair pair({DataRate("1Gbps"), Time(0)});
    Ptr<LosslessNetDevice> device = pair.GetHost(0).device;
    PacketCount received(pair.GetHost(1).device, "PhyRxEnd");
    Simulator::Schedule(Time(0), [device]() {
        device->Send(Create<Packet>(1), device->GetBroadcast(), ETHERTYPE_IPV4);
    });
    Simulator::Schedule(NanoSeconds(671), [&received]() {
        NS_TEST_EXPECT_MSG_EQ(received.count, 0, "84 B take 672 ns");
    });
    Simulator::Schedule(NanoSeconds(673), [&received]() {
        NS_TEST_EXPECT_MSG_EQ(received.count, 1, "84 B take 672 ns");
    });
    Simulator::Run();
}

LOSSLESS_TEST(g_suite, "MTU, padding and wiring of a device: mistakes")
{
    ExpectStop("joins two devices", [] {
        Pair pair;
        auto channel = pair.GetHost(0).device->GetChannel();
        CreateObject<LosslessNetDevice>()->Attach(DynamicCast<LosslessChannel>(channel));
    });
    ExpectStop("attached to a channel already",
               [] { Pair().GetHost(0).device->Attach(CreateObject<LosslessChannel>()); });
    ExpectStop("DataRate is 0 bit/s", [] {
        Pair pair({DataRate(0), Time(0)});
        Simulator::Run();
    });
    ExpectStop("DataRate cannot change any more", [] {
        Pair pair;
        Simulator::Run();
        pair.GetHost(0).device->SetAttribute("DataRate", StringValue("1Gbps"));
    });
    for (const std::string attribute : {"Delay", "Jitter"})
    {
        ExpectStop(attribute + " cannot change any more", [&attribute] {
            Pair pair;
            pair.GetHost(1).device->Initialize();
            pair.GetHost(0).device->GetChannel()->SetAttribute(attribute, StringValue("2us"));
        });
    }
    ExpectStop("3 nodes given", [] { LosslessHelper().Install(NodeContainer(3)); });
    ExpectStop("a port of a switch has no stack", [] {
        Star star(CreateObject<PfcSwitchNode>(), 2);
        star.m_switch->Initialize();
        SendFromStack(star.GetPort(0), 0);
    });
}

void
CheckLateGate(Ptr<TransmitGate> gate, bool isReplaced = false)
{
    uint32_t opened = 0;
    {
        Pair pair;
        pair.GetHost(0).device->SetGate(gate);
        const auto stop = [&pair](uint8_t priority) {
            SendPfc(pair.GetHost(1).device, SetOf(Priority{priority}), 1000);
        };
        Simulator::Schedule(Time(0), [stop] { stop(3); });
        RunFor(MicroSeconds(2));
        NS_TEST_EXPECT_MSG_EQ(+gate->GetOpen(), 0xf7, "class 3 is stopped");
        // This PAUSE has arrived but has not taken effect when the device is separated from the
        // gate.
        stop(4);
        RunFor(NanoSeconds(1100));
        if (isReplaced)
        {
            pair.GetHost(0).device->SetGate(CreateObject<PauseGate>());
        }
        pair.GetHost(0).device->Dispose();
    }
    ListenTo(*gate, "Opened", [&opened](PrioritySet classes) { opened |= classes; });
    NS_TEST_EXPECT_MSG_EQ(+gate->GetOpen(), 0xf7, "as it was");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(+gate->GetOpen(), 0xf7, "the last one has no effect");
    gate->Reset();
    NS_TEST_EXPECT_MSG_EQ(opened, 0x08, "only its own state changes");
    Simulator::Destroy();
}

LOSSLESS_TEST(g_suite, "A gate that outlives its device tells it nothing and touches nothing of it")
{
    CheckLateGate(CreateObject<PauseGate>());
    CheckLateGate(CreateObject<GfcGate>());
    CheckLateGate(CreateObject<FafcGate>());
    CheckLateGate(CreateObject<PauseGate>(), true);
}

} // namespace ns3::lossless::tests::THIS_FILE
