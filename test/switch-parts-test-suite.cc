// SPDX-License-Identifier: GPL-2.0-only
//
// Unit tests of the parts of a switch (scheduler, markers, forwarding, egress queue), and of the
// switch's own attributes.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/class-scheduler.h"
#include "ns3/ecn-marker.h"
#include "ns3/egress-queue.h"
#include "ns3/headroom-buffer-policy.h"
#include "ns3/simple-net-device.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-switch-parts", UNIT);

/// A port with a scheduler and queues, which never run empty unless a test makes them do so.
struct FakePort
{
    explicit FakePort(Ptr<DwrrScheduler> scheduler)
        : m_scheduler(scheduler)
    {
        for (auto& queue : m_queues)
        {
            queue = CreateObject<FifoEgressQueue>();
        }
    }

    /// @param sizes the repeating sequence of the class's frame sizes
    void SetSizes(uint8_t priority, const std::vector<uint32_t>& sizes)
    {
        m_sizes[priority] = sizes;
        m_open |= SetOf(Priority{priority});
    }

    void SetOpen(uint8_t priority, bool open)
    {
        const PrioritySet set = SetOf(Priority{priority});
        m_open = open ? m_open | set : m_open & ~set;
    }

    /// Sends the next frame and returns its class.
    uint8_t Send()
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            if (m_queues[p]->IsEmpty() && !m_sizes[p].empty())
            {
                m_queues[p]->Enqueue(MakeItem(0, p, m_sizes[p][m_made[p]++ % m_sizes[p].size()]));
            }
        }
        const Priority chosen = m_scheduler->Select(m_open, m_queues);
        m_bytes[Index(chosen)] += m_queues[Index(chosen)]->Dequeue().frame.size;
        return Index(chosen);
    }

    std::string SendMany(uint32_t frames)
    {
        std::string order;
        for (uint32_t i = 0; i < frames; ++i)
        {
            order += static_cast<char>('0' + Send());
        }
        return order;
    }

    Ptr<DwrrScheduler> m_scheduler;
    EgressQueues m_queues;
    std::array<std::vector<uint32_t>, NUM_PRIORITIES> m_sizes;
    std::array<std::size_t, NUM_PRIORITIES> m_made{};
    std::array<uint64_t, NUM_PRIORITIES> m_bytes{};
    PrioritySet m_open{0};
};

void
CheckDwrrShares(FakePort& port, const std::vector<std::pair<uint8_t, double>>& quanta)
{
    for (uint32_t i = 0; i < 20000; ++i)
    {
        port.Send();
        double fewest = INFINITY;
        double most = 0;
        double slack = 0;
        for (const auto& [priority, quantum] : quanta)
        {
            const double rounds = port.m_bytes[priority] / quantum;
            fewest = std::min(fewest, rounds);
            most = std::max(most, rounds);
            slack = std::max(slack, 9014 / quantum);
        }
        NS_TEST_ASSERT_MSG_LT(most - fewest, 1 + 2 * slack, "rounds ahead, frame " << i);
    }
    NS_TEST_ASSERT_MSG_GT(port.m_bytes[quanta.front().first], 100000, "bytes sent");
}

/// Backlogged classes share the rate in proportion to their quanta, regardless of frame sizes. At
/// any time, two classes differ by at most one round (Shreedhar and Varghese, Lemma 2: by less than
/// a quantum and a maximum-size frame each).
LOSSLESS_TEST(g_suite, "DWRR: shares follow the quanta with mixed frame sizes")
{
    auto scheduler = CreateObject<DwrrScheduler>();
    FakePort equal(scheduler);
    equal.SetSizes(0, {1514});
    equal.SetSizes(1, {64});
    equal.SetSizes(2, {300, 9014, 64});
    CheckDwrrShares(equal, {{0, 1600}, {1, 1600}, {2, 1600}});

    scheduler = CreateObject<DwrrScheduler>();
    scheduler->SetAttribute("Quanta", StringValue("1,1000,1,4000,1,500,1,1"));
    FakePort weighted(scheduler);
    weighted.SetSizes(1, {1514, 64});
    weighted.SetSizes(3, {64});
    weighted.SetSizes(5, {1514});
    CheckDwrrShares(weighted, {{1, 1000}, {3, 4000}, {5, 500}});

    // A quantum much smaller than a frame still works, although one frame takes many rounds.
    scheduler = CreateObject<DwrrScheduler>();
    scheduler->SetAttribute("Quantum", UintegerValue(1));
    FakePort tiny(scheduler);
    tiny.SetSizes(0, {1514});
    tiny.SetSizes(6, {757});
    CheckDwrrShares(tiny, {{0, 1}, {6, 1}});
}

/// The expected order of frames is computed by hand. The quantum is 1000 bytes, and frames are 600
/// bytes long. It is the turn of class 0, which has no credit, so the turn goes to class 1. This
/// class receives 1000 bytes of credit and sends one frame (400 left), as does class 0 (400 left).
/// In the next round, each class has 1400 bytes and sends two frames (200 left). In the third
/// round, each has 1200 bytes and sends two frames (0 left). Then the sequence begins again.
LOSSLESS_TEST(g_suite, "DWRR: a paused class keeps its credit, an emptied one loses it")
{
    Ptr<DwrrScheduler> scheduler;
    // The port has two classes of 600-byte frames, and the quantum is 1000 bytes.
    const auto makePort = [&scheduler] {
        scheduler = CreateObject<DwrrScheduler>();
        scheduler->SetAttribute("Quantum", UintegerValue(1000));
        auto port = std::make_unique<FakePort>(scheduler);
        port->SetSizes(0, {600});
        port->SetSizes(1, {600});
        return port;
    };
    NS_TEST_ASSERT_MSG_EQ(makePort()->SendMany(12), "101100110010", "by hand");
    NS_TEST_ASSERT_MSG_EQ(makePort()->SendMany(24).substr(1 + 9, 10), "1011001100", "again");

    // Class 1 is paused with a credit of 400. Class 0 continues alone, with a credit of 1400, 1200
    // and 1000 in successive rounds.
    auto port = makePort();
    NS_TEST_ASSERT_MSG_EQ(port->SendMany(2), "10", "one each");
    port->SetOpen(1, false);
    NS_TEST_ASSERT_MSG_EQ(port->SendMany(100), std::string(100, '0'), "class 0 alone");
    port->SetOpen(1, true);
    // Class 0 sends 5 frames in 3 rounds, so a round ends after 100 frames, with no credit left.
    NS_TEST_ASSERT_MSG_EQ(port->SendMany(3), "110", "400 + 1000 are two frames, and no more");

    // If class 1 has run empty instead of being paused, it starts with a credit of 1000 bytes again
    // and sends one frame.
    port = makePort();
    port->SendMany(2);
    port->SetOpen(1, false);
    scheduler->NotifyEmpty(Priority{1});
    port->SendMany(100);
    port->SetOpen(1, true);
    NS_TEST_ASSERT_MSG_EQ(port->SendMany(2), "10", "1000 are one frame");

    // However often a pause cuts its turn short, a class never holds more than a quantum. Here,
    // class 1 is paused after each frame, first with 400 bytes left and then with 800.
    port = makePort();
    scheduler->SetAttribute("Quantum", UintegerValue(6000));
    for (uint32_t i = 0; i < 50; ++i)
    {
        port->SetOpen(1, true);
        NS_TEST_ASSERT_MSG_EQ(port->SendMany(1), "1", "its turn begins, or goes on");
        port->SetOpen(1, false);
        NS_TEST_ASSERT_MSG_EQ(port->SendMany(10), "0000000000", "class 0 has a turn of ten");
    }
    port->SetOpen(1, true);
    const std::string turn = port->SendMany(20);
    NS_TEST_ASSERT_MSG_EQ((turn.find('0') <= 10), true, turn << ": ten frames at most");

    // A class that ran empty during its turn has no credit left for its next frame.
    port = makePort();
    NS_TEST_ASSERT_MSG_EQ(port->SendMany(3), "101", "class 1 has 800 left");
    scheduler->NotifyEmpty(Priority{1});
    NS_TEST_ASSERT_MSG_EQ(port->SendMany(1), "0", "so it is not its turn any more");
}

/// @return the number of frames of 1000 B that class 1 sends in its first turn
std::size_t
GetTurn(Ptr<DwrrScheduler> scheduler)
{
    FakePort port(scheduler);
    port.SetSizes(1, {1000});
    port.SetSizes(2, {1});
    const std::string order = port.SendMany(10);
    return order.find_first_not_of('1');
}

LOSSLESS_TEST(g_suite, "The list holds until it is empty, whatever Quantum is")
{
    auto scheduler = CreateObject<DwrrScheduler>();
    scheduler->SetAttribute("Quanta", StringValue("1,2000,1,1,1,1,1,1073741824"));
    scheduler->SetAttribute("Quantum", UintegerValue(1000));
    StringValue quanta;
    scheduler->GetAttribute("Quanta", quanta);
    NS_TEST_ASSERT_MSG_EQ(quanta.Get(), "1,2000,1,1,1,1,1,1073741824", "as it was set");
    NS_TEST_ASSERT_MSG_EQ(GetTurn(scheduler), 2, "2000 B in a turn");
    scheduler->SetAttribute("Quanta", StringValue(""));
    NS_TEST_ASSERT_MSG_EQ(GetTurn(scheduler), 1, "1000 B in a turn");
}

LOSSLESS_TEST(g_suite, "DWRR: quanta of the classes, by attribute: mistakes")
{
    for (const std::string list : {"1600",
                                   "1,1,1,1,1,1,1",
                                   "1,1,1,1,1,1,1,1,1",
                                   "1,1,1,1,1,1,1,1,",
                                   "1,1,1,0,1,1,1,1",
                                   "1,1,1,,1,1,1,1",
                                   "1,1,1,x,1,1,1,1",
                                   "1,1,1,1.5,1,1,1,1",
                                   "1,1,1,1,1,1,1,1073741825"})
    {
        const std::string message = GetAbortMessage(
            [&list]() { CreateObjectWithAttributes<DwrrScheduler>("Quanta", StringValue(list)); });
        const std::string sentence =
            "DwrrScheduler: Quanta is \"" + list +
            "\"; it must be empty, or a quantum for each of the 8 classes, 1 to 1073741824 "
            "bytes, separated by commas.";
        ExpectPart(message, sentence);
    }
}

/// Two hosts each send at the full rate to a third host.
/// @param expected the share of class 1 relative to class 2
void
CheckShares(const SwitchHelper& helper, double expected)
{
    Star star(helper.Create(), 3);
    star.GetHost(0).Send(2, 1 << 3, 1514, 1000);
    star.GetHost(1).Send(2, 2 << 3, 1514, 1000);
    RunFor(MicroSeconds(100));
    const Recorder& received = star.GetHost(2).received;
    const double share =
        double(received.GetArrivals(Priority{1}).size()) / double(received.m_arrivals.size());
    NS_TEST_ASSERT_MSG_GT(received.m_arrivals.size(), 790, "the link is full");
    NS_TEST_ASSERT_MSG_EQ_TOL(share, expected, 0.01, "share of class 1");
    Simulator::Destroy();
}

LOSSLESS_TEST(g_suite, "DWRR: quanta of the classes, by attribute")
{
    SwitchHelper helper;
    CheckShares(helper, 0.5);
    helper.SetScheduler("ns3::lossless::DwrrScheduler",
                        "Quanta",
                        StringValue("1600,4800,1600,1600,1600,1600,1600,1600"));
    CheckShares(helper, 0.75);
    SwitchHelper byText;
    byText.SetAttribute("Scheduler",
                        StringValue("ns3::lossless::DwrrScheduler"
                                    "[Quanta=1,1600,6400,1,1,1,1,1|StrictClasses=0]"));
    CheckShares(byText, 0.2);
}

LOSSLESS_TEST(g_suite, "strict priority, for class 7 and for all: default")
{
    FakePort port(CreateObject<DwrrScheduler>());
    for (const uint8_t p : {0, 6, 7})
    {
        port.SetSizes(p, {1000});
    }
    NS_TEST_ASSERT_MSG_EQ(port.SendMany(5), "77777", "class 7 is strict by default");
    port.SetOpen(7, false);
    const std::string without = port.SendMany(6);
    NS_TEST_ASSERT_MSG_EQ(std::count(without.begin(), without.end(), '0'), 3, "equal shares");
    // Interleaved frames of strict classes do not change the order of the other frames.
    FakePort mixed(CreateObject<DwrrScheduler>());
    for (const uint8_t p : {0, 6, 7})
    {
        mixed.SetSizes(p, {1000});
    }
    std::string order;
    for (uint32_t i = 0; i < 6; ++i)
    {
        mixed.SetOpen(7, true);
        mixed.Send();
        mixed.SetOpen(7, false);
        order += mixed.SendMany(1);
    }
    NS_TEST_ASSERT_MSG_EQ(order, without, "with strict frames in between");
}

LOSSLESS_TEST(g_suite, "strict priority, for class 7 and for all: strict classes")
{
    auto strict = CreateObject<DwrrScheduler>();
    strict->SetAttribute("StrictClasses", UintegerValue(255));
    FakePort all(strict);
    for (const uint8_t p : {1, 2, 5})
    {
        all.SetSizes(p, {64});
    }
    NS_TEST_ASSERT_MSG_EQ(all.SendMany(3), "555", "highest first");
    all.SetOpen(5, false);
    NS_TEST_ASSERT_MSG_EQ(all.SendMany(3), "222", "next");

    auto none = CreateObject<DwrrScheduler>();
    none->SetAttribute("StrictClasses", UintegerValue(0));
    FakePort fair(none);
    fair.SetSizes(0, {1600});
    fair.SetSizes(7, {1600});
    NS_TEST_ASSERT_MSG_EQ(fair.SendMany(4), "7070", "class 7 in turn");
}

LOSSLESS_TEST(g_suite, "step marker")
{
    auto marker = CreateObject<StepMarker>();
    const SwitchItem item = MakeItem(0, 0, 1000);
    NS_TEST_ASSERT_MSG_EQ(marker->ShouldMark(item, 200000), false, "at the default");
    NS_TEST_ASSERT_MSG_EQ(marker->ShouldMark(item, 200001), true, "above the default");
    marker->SetAttribute("Threshold", UintegerValue(1000));
    NS_TEST_ASSERT_MSG_EQ(marker->ShouldMark(item, 1000), false, "at the threshold");
    NS_TEST_ASSERT_MSG_EQ(marker->ShouldMark(item, 1001), true, "above the threshold");
    NS_TEST_ASSERT_MSG_EQ(marker->AssignStreams(5), 0, "nothing random");
    // At 100 Gb/s, 1000 bytes represent 80 ns, which correspond to 4000 bytes at 400 Gb/s.
    marker->SetPortRate(DataRate("400Gbps"));
    NS_TEST_ASSERT_MSG_EQ(marker->ShouldMark(item, 1001), true, "no rate that it is meant for");
    marker->SetAttribute("ReferenceRate", StringValue("100Gbps"));
    marker->SetPortRate(DataRate("400Gbps"));
    NS_TEST_ASSERT_MSG_EQ(marker->ShouldMark(item, 4000), false, "at the scaled threshold");
    NS_TEST_ASSERT_MSG_EQ(marker->ShouldMark(item, 4001), true, "above it");
    marker->SetAttribute("Threshold", UintegerValue(2000));
    NS_TEST_ASSERT_MSG_EQ(marker->ShouldMark(item, 8000), false, "at the new threshold");
    NS_TEST_ASSERT_MSG_EQ(marker->ShouldMark(item, 8001), true, "above it");
    const uint64_t none = std::numeric_limits<int64_t>::max();
    marker->SetAttribute("Threshold", UintegerValue(none));
    NS_TEST_ASSERT_MSG_EQ(marker->ShouldMark(item, 1ULL << 60), false, "none: no overflow");
}

constexpr uint32_t DRAWS = 40000;

Ptr<RedMarker>
MakeMarker(const std::vector<std::pair<std::string, uint64_t>>& settings, int64_t stream)
{
    auto marker = CreateObject<RedMarker>();
    for (const auto& [name, value] : settings)
    {
        marker->SetAttribute(name, UintegerValue(value));
    }
    NS_TEST_EXPECT_MSG_EQ(marker->AssignStreams(stream), 1, "one stream");
    return marker;
}

/// @param points the lengths and expected probabilities
void
CheckRedMarker(RedMarker& marker, const std::vector<std::pair<uint64_t, double>>& points)
{
    for (const auto& [bytes, probability] : points)
    {
        uint32_t marks = 0;
        for (uint32_t i = 0; i < DRAWS; ++i)
        {
            marks += marker.ShouldMark(MakeItem(0, 0, 1000), bytes) ? 1 : 0;
        }
        const double deviation = std::sqrt(probability * (1 - probability) / DRAWS);
        NS_TEST_EXPECT_MSG_EQ((std::abs(double(marks) / DRAWS - probability) <= 5 * deviation),
                              true,
                              marks << " of " << DRAWS << " at " << bytes << " B, expected "
                                    << probability);
    }
}

std::string
Draw(RedMarker& marker)
{
    std::string marks;
    for (uint32_t i = 0; i < 1000; ++i)
    {
        marks += marker.ShouldMark(MakeItem(0, 0, 1000), 1600000) ? '1' : '0';
    }
    return marks;
}

/// Checks the share of frames that RED marks at each length, over 40 000 draws. For a probability
/// of p, the standard deviation of the share is sqrt(p (1 - p) / 40 000) <= 0.0025. The tolerance
/// is 5 standard deviations.
LOSSLESS_TEST(g_suite, "RED marker: probability by counting, and streams")
{
    // The defaults are 400 kB, 1600 kB and 0.2.
    CheckRedMarker(*MakeMarker({}, 1),
                   {{400000, 0}, {700000, 0.05}, {1000000, 0.1}, {1600000, 0.2}});
    CheckRedMarker(*MakeMarker({}, 1), {{1600001, 1}});
    auto steep = MakeMarker({{"MinBytes", 1000}, {"MaxBytes", 2000}}, 2);
    steep->SetAttribute("MaxProbability", DoubleValue(1));
    CheckRedMarker(*steep,
                   {{1000, 0}, {1001, 0.001}, {1250, 0.25}, {1500, 0.5}, {2000, 1}, {2001, 1}});
    auto step = MakeMarker({{"MinBytes", 1000}, {"MaxBytes", 1000}}, 3);
    CheckRedMarker(*step, {{1000, 0}, {1001, 1}});
    auto never = MakeMarker({}, 4);
    never->SetAttribute("MaxProbability", DoubleValue(0));
    CheckRedMarker(*never, {{1600000, 0}, {1600001, 1}});
    // The port is four times as fast as the reference rate of the thresholds.
    auto fast = MakeMarker({}, 5);
    fast->SetAttribute("ReferenceRate", StringValue("100Gbps"));
    fast->SetPortRate(DataRate("400Gbps"));
    CheckRedMarker(*fast, {{1600000, 0}, {2800000, 0.05}, {6400000, 0.2}, {6400001, 1}});

    const std::string marks = Draw(*MakeMarker({}, 7));
    NS_TEST_ASSERT_MSG_EQ(Draw(*MakeMarker({}, 7)), marks, "the same stream");
    NS_TEST_ASSERT_MSG_NE(Draw(*MakeMarker({}, 8)), marks, "another stream");

    ExpectStop("MaxBytes of 1000 is below MinBytes of 400000", []() {
        MakeMarker({{"MaxBytes", 1000}}, 1)->Initialize();
    });
}

LOSSLESS_TEST(g_suite, "FIFO egress queue")
{
    auto queue = CreateObject<FifoEgressQueue>();
    NS_TEST_ASSERT_MSG_EQ(queue->IsEmpty(), true, "new");
    NS_TEST_ASSERT_MSG_EQ((queue->Peek() == nullptr), true, "no head");
    uint32_t in = 0;
    uint32_t out = 0;
    // Each step makes the ring buffer of the queue grow or wrap around.
    for (const uint32_t step : {1, 2, 3, 5, 8, 13, 100})
    {
        for (uint32_t i = 0; i < 2 * step; ++i)
        {
            queue->Enqueue(MakeItem(0, 0, ++in));
        }
        for (uint32_t i = 0; i < step; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(queue->Peek()->frame.size, out + 1, "head");
            NS_TEST_ASSERT_MSG_EQ(queue->Dequeue().frame.size, ++out, "dequeued");
        }
    }
    NS_TEST_ASSERT_MSG_EQ(queue->IsEmpty(), false, "half of it is left");
    for (const SwitchItem& item : queue->TakeAll())
    {
        NS_TEST_ASSERT_MSG_EQ(item.frame.size, ++out, "taken");
    }
    NS_TEST_ASSERT_MSG_EQ(out, in, "all of it");
    NS_TEST_ASSERT_MSG_EQ(queue->IsEmpty(), true, "nothing is left");
}

SwitchItem
MakeFlowItem(const FlowKey& flow)
{
    SwitchItem item;
    item.frame.kind = FrameKind::IPV4;
    item.frame.flow = flow;
    item.frame.flowHash = HashOf(flow);
    return item;
}

/// @return a five-tuple as in experiments, with few hosts and consecutive ports
FlowKey
MakeFlow(uint32_t i, uint32_t destination = 0x0a000001)
{
    FlowKey flow;
    flow.source = 0x0a000100 + i % 128;
    flow.destination = destination;
    flow.sourcePort = 49152 + i / 128;
    flow.destinationPort = 4791;
    flow.protocol = 17;
    return flow;
}

std::vector<PortId>
MakePorts(uint16_t count)
{
    std::vector<PortId> ports;
    for (uint16_t i = 0; i < count; ++i)
    {
        ports.push_back(PortId{i});
    }
    return ports;
}

Ptr<EcmpForwarding>
MakeForwarding(uint32_t node, uint16_t ports, uint64_t seed = 1)
{
    auto forwarding = CreateObject<EcmpForwarding>();
    forwarding->SetAttribute("Seed", UintegerValue(seed));
    forwarding->SetRoute(Ipv4Address(0x0a000001), MakePorts(ports));
    forwarding->Configure(node, std::vector<DataRate>(ports));
    return forwarding;
}

constexpr uint32_t ADDRESSES = 5000;

void
ExpectRouteTable(const EcmpForwarding& table, uint32_t address, uint16_t port)
{
    const auto found = table.Find(MakeFlowItem(MakeFlow(5, address)));
    NS_TEST_ASSERT_MSG_EQ(found.has_value(), true, "no route to " << Ipv4Address(address));
    NS_TEST_ASSERT_MSG_EQ(Index(*found), port, "route to " << Ipv4Address(address));
}

void
ExpectNone(const EcmpForwarding& table, uint32_t address)
{
    NS_TEST_ASSERT_MSG_EQ(table.Find(MakeFlowItem(MakeFlow(5, address))).has_value(),
                          false,
                          "a route to " << Ipv4Address(address));
}

/// Routes are repeatedly set for one to four adjacent addresses, including those at both ends of
/// the address range. Each time, the table matches a plain map.
LOSSLESS_TEST(g_suite, "ECMP: the table finds what was set, and nothing else: random routes")
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    auto table = CreateObject<EcmpForwarding>();
    std::map<uint32_t, uint16_t> ports;
    for (uint32_t i = 0; i < 2000; ++i)
    {
        // Addresses may be negative here: as an unsigned number, -10 is 2^32 - 10.
        const uint32_t address = random->GetInteger(0, 19) - 10;
        const auto port = static_cast<uint16_t>(random->GetInteger(0, 3));
        const uint32_t more = std::min(random->GetInteger(0, 3), UINT32_MAX - address);
        table->SetRoutes(Ipv4Address(address),
                         Ipv4Address(address + more),
                         port == 0 ? std::vector<PortId>() : std::vector<PortId>{PortId{port}});
        for (uint32_t next = 0; next <= more; ++next)
        {
            ports[address + next] = port;
        }
        for (const auto& [set, expected] : ports)
        {
            if (expected == 0)
            {
                ExpectNone(*table, set);
            }
            else
            {
                ExpectRouteTable(*table, set, expected);
            }
        }
        ExpectNone(*table, 13);
        ExpectNone(*table, -11);
    }
}

LOSSLESS_TEST(g_suite, "ECMP: the table finds what was set, and nothing else")
{
    auto empty = CreateObject<EcmpForwarding>();
    empty->Configure(0, std::vector<DataRate>(4));
    NS_TEST_ASSERT_MSG_EQ(empty->Find(MakeFlowItem(MakeFlow(0))).has_value(), false, "empty");

    auto table = CreateObject<EcmpForwarding>();
    // The table has consecutive addresses and addresses that differ only in their upper half.
    for (uint32_t i = 0; i < ADDRESSES; ++i)
    {
        table->SetRoute(Ipv4Address(0x0a000000 + i), {PortId(i % 199)});
        table->SetRoute(Ipv4Address(0xc0000000 + (i << 16)), {PortId(i % 198)});
    }
    table->Configure(0, std::vector<DataRate>(200));
    for (uint32_t i = 0; i < ADDRESSES; ++i)
    {
        ExpectRouteTable(*table, 0x0a000000 + i, i % 199);
        ExpectRouteTable(*table, 0xc0000000 + (i << 16), i % 198);
        ExpectNone(*table, 0x0b000000 + i);
    }
    table->SetRoute(Ipv4Address(0x0a000007), {PortId{150}});
    ExpectRouteTable(*table, 0x0a000007, 150);
    ExpectRouteTable(*table, 0x0a000008, 8);
    table->SetRoute(Ipv4Address(0x0a000007), {});
    ExpectNone(*table, 0x0a000007);
    ExpectRouteTable(*table, 0x0a000008, 8);
    table->SetRoute(Ipv4Address(0x0a000007), {PortId{3}});
    ExpectRouteTable(*table, 0x0a000007, 3);

    auto wrong = CreateObject<EcmpForwarding>();
    wrong->SetRoute(Ipv4Address("10.0.0.1"), {PortId{1}, PortId{4}});
    const std::string message =
        GetAbortMessage([wrong]() { wrong->Configure(9, std::vector<DataRate>(4)); });
    ExpectPart(message, "switch 9: a route names port 4");
    ExpectPart(message, "has 4 ports");
}

constexpr uint32_t ECMP_CHOICE_FLOWS = 8192;

void
CheckBalance(uint16_t ports)
{
    auto forwarding = MakeForwarding(3, ports);
    std::vector<uint32_t> counts(ports);
    for (uint32_t i = 0; i < ECMP_CHOICE_FLOWS; ++i)
    {
        const SwitchItem item = MakeFlowItem(MakeFlow(i));
        const std::size_t port = Index(*forwarding->Find(item));
        ++counts.at(port);
        NS_TEST_ASSERT_MSG_EQ(Index(*forwarding->Find(item)), port, "always the same port");
    }
    const double expected = double(ECMP_CHOICE_FLOWS) / ports;
    double chiSquare = 0;
    for (const uint32_t count : counts)
    {
        chiSquare += (count - expected) * (count - expected) / expected;
    }
    NS_TEST_ASSERT_MSG_LT(chiSquare,
                          ports - 1 + 5 * std::sqrt(2.0 * (ports - 1)),
                          "balance over " << ports << " ports");
}

LOSSLESS_TEST(g_suite, "Flows that differ in one field only take all ports")
{
    auto forwarding = MakeForwarding(3, 4);
    const std::vector<std::function<void(FlowKey&, uint32_t)>> fields{
        [](FlowKey& flow, uint32_t i) { flow.source += i; },
        [](FlowKey& flow, uint32_t i) { flow.sourcePort += i; },
        [](FlowKey& flow, uint32_t i) { flow.destinationPort += i; },
        [](FlowKey& flow, uint32_t i) { flow.protocol = i; }};
    for (std::size_t field = 0; field < fields.size(); ++field)
    {
        std::set<std::size_t> ports;
        for (uint32_t i = 0; i < 64; ++i)
        {
            FlowKey flow = MakeFlow(0);
            fields[field](flow, i);
            ports.insert(Index(*forwarding->Find(MakeFlowItem(flow))));
        }
        NS_TEST_ASSERT_MSG_EQ(ports.size(), 4, "ports taken by field " << field);
    }
}

LOSSLESS_TEST(g_suite, "ECMP: five-tuple, balance and seed: seed")
{
    auto one = MakeForwarding(3, 4, 1);
    for (const uint64_t seed : {0ULL, 2ULL, 3ULL, 1ULL << 40})
    {
        auto other = MakeForwarding(3, 4, seed);
        uint32_t same = 0;
        for (uint32_t i = 0; i < ECMP_CHOICE_FLOWS; ++i)
        {
            const SwitchItem item = MakeFlowItem(MakeFlow(i));
            same += Index(*one->Find(item)) == Index(*other->Find(item)) ? 1 : 0;
        }
        // By chance, a quarter of the flows are expected to use the same port. The tolerance is
        // five standard deviations of sqrt(3/16 / 8192) = 0.0048.
        NS_TEST_ASSERT_MSG_EQ_TOL(double(same) / ECMP_CHOICE_FLOWS, 0.25, 0.024, "seed " << seed);
    }
}

/// Checks that each flow uses one path, that all five fields of its key affect the choice, and that
/// the shares of paths are equal. With n ports and random choices, the sum of (observed -
/// expected)^2 / expected has a mean of n - 1 and a variance of 2 (n - 1). The probability of
/// exceeding the mean by more than 5 standard deviations is 0.5 % with 2 ports and 0.02 % with 16.
LOSSLESS_TEST(g_suite, "ECMP: five-tuple, balance and seed")
{
    for (const uint16_t ports : {2, 3, 8, 16})
    {
        CheckBalance(ports);
    }
}

constexpr uint32_t SWITCHES = 64;

constexpr uint32_t POLARISATION_FLOWS = 2048;

/// @return the chi-square statistic of the table of both choices
double
GetChiSquare(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b, uint16_t ports)
{
    std::vector<uint32_t> table(ports * ports);
    for (uint32_t i = 0; i < POLARISATION_FLOWS; ++i)
    {
        ++table[a[i] * ports + b[i]];
    }
    const double expected = double(POLARISATION_FLOWS) / table.size();
    double chiSquare = 0;
    for (const uint32_t count : table)
    {
        chiSquare += (count - expected) * (count - expected) / expected;
    }
    return chiSquare;
}

/// The flows that a switch sends to one of its ports are spread evenly by the next switch, without
/// polarization, for any two of 64 switches. For n ports each, the chi-square of the n x n table of
/// both choices has a mean of n^2 - 1. If the choices are independent, the maximum over 2016 pairs
/// is well within 7 standard deviations.
LOSSLESS_TEST(g_suite, "ECMP: two switches on a path choose independently")
{
    for (const uint16_t ports : {4, 8})
    {
        std::vector<std::vector<uint8_t>> choices(SWITCHES);
        for (uint32_t node = 0; node < SWITCHES; ++node)
        {
            auto forwarding = MakeForwarding(node, ports);
            for (uint32_t i = 0; i < POLARISATION_FLOWS; ++i)
            {
                choices[node].push_back(Index(*forwarding->Find(MakeFlowItem(MakeFlow(i)))));
            }
        }
        const double cells = ports * ports;
        const double limit = cells - 1 + 7 * std::sqrt(2 * (cells - 1));
        for (uint32_t a = 0; a < SWITCHES; ++a)
        {
            for (uint32_t b = a + 1; b < SWITCHES; ++b)
            {
                NS_TEST_ASSERT_MSG_LT(GetChiSquare(choices[a], choices[b], ports),
                                      limit,
                                      "switches " << a << " and " << b << ", " << ports
                                                  << " ports");
            }
        }
    }
}

const std::vector<std::string> SWITCH_TYPES{"ns3::lossless::SwitchNode",
                                            "ns3::lossless::PfcSwitchNode",
                                            "ns3::lossless::DshSwitchNode",
                                            "ns3::lossless::DropTailSwitchNode",
                                            "ns3::lossless::InfiniteBufferSwitchNode"};

LOSSLESS_TEST(g_suite, "a switch of any kind works with nothing configured")
{
    for (const std::string& type : SWITCH_TYPES)
    {
        Star star(ObjectFactory(type).Create<SwitchNode>(), 2);
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            star.GetHost(0).Send(1, p << 3, 1000);
        }
        auto lonely = ObjectFactory(type).Create<SwitchNode>();
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(star.GetHost(1).received.m_arrivals.size(), 8, type);
        NS_TEST_ASSERT_MSG_EQ(star.m_switch->GetCounts().received, 8, type);
        NS_TEST_ASSERT_MSG_EQ(star.m_switch->GetCounts().sent, 8, type);
        NS_TEST_ASSERT_MSG_EQ(star.m_switch->GetSharedBuffer()->GetUsed(), 0, type);
        NS_TEST_ASSERT_MSG_EQ(lonely->GetCounts().received, 0, type << " without ports");
        Simulator::Destroy();
    }
}

struct ClassCounter
{
    explicit ClassCounter(Ptr<SwitchNode> node)
    {
        ListenTo(*node, "Enqueue", [this](const SwitchItem& item) {
            ++frames[Index(item.frame.priority)];
        });
    }

    std::array<uint32_t, NUM_PRIORITIES> frames{}; ///< number of frames per class
};

/// The class of a frame is its DSCP / 8, unless the DSCP is mapped. An invalid code point or class
/// aborts the program.
LOSSLESS_TEST(g_suite, "DSCP map")
{
    Star plain(CreateObject<SwitchNode>(), 2);
    ClassCounter counter(plain.m_switch);
    for (uint8_t dscp = 0; dscp < SwitchNode::NUM_DSCP; ++dscp)
    {
        plain.GetHost(0).Send(1, dscp, 100);
    }
    Simulator::Run();
    for (const uint32_t frames : counter.frames)
    {
        NS_TEST_ASSERT_MSG_EQ(frames, 8, "eight code points a class");
    }
    Simulator::Destroy();

    auto node = CreateObject<SwitchNode>();
    node->MapDscp(46, Priority{6});
    node->MapDscp(0, Priority{3});
    Star mapped(node, 2);
    ClassCounter other(node);
    mapped.GetHost(0).Send(1, 46, 100, 2);
    mapped.GetHost(0).Send(1, 0, 100, 3);
    mapped.GetHost(0).Send(1, 45, 100, 4);
    Simulator::Run();
    const std::array<uint32_t, NUM_PRIORITIES> expected{0, 0, 0, 3, 0, 4, 2, 0};
    NS_TEST_ASSERT_MSG_EQ((other.frames == expected), true, "46 to 6, 0 to 3, 45 stays 5");
    Simulator::Destroy();

    ExpectStop("64", []() { CreateObject<SwitchNode>()->MapDscp(64, Priority{0}); });
    ExpectStop("class 8", []() { CreateObject<SwitchNode>()->MapDscp(0, Priority{8}); });
}

LOSSLESS_TEST(g_suite, "Attributes that not all parts have: if present")
{
    const auto create = [](const std::string& type) {
        SwitchHelper helper(type);
        helper.SetPolicyAttributeIfPresent("Alpha", DoubleValue(0.25));
        helper.SetFlowControlAttributeIfPresent("Theta", DoubleValue(0.25));
        return helper.Create();
    };
    DoubleValue alpha;
    create("ns3::lossless::PfcSwitchNode")->GetBufferPolicy()->GetAttribute("Alpha", alpha);
    NS_TEST_ASSERT_MSG_EQ(alpha.Get(), 0.25, "of SIH's policy");
    DoubleValue theta;
    create("ns3::lossless::PaboSwitchNode")->GetFlowControl()->GetAttribute("Theta", theta);
    NS_TEST_ASSERT_MSG_EQ(theta.Get(), 0.25, "of PABO, whose policy has no Alpha");
    ExpectStop("no ns3::lossless::BufferPolicy has an attribute \"Theta\"",
               []() { SwitchHelper().SetPolicyAttributeIfPresent("Theta", DoubleValue(0.25)); });
}

LOSSLESS_TEST(g_suite, "frames are marked at the egress queue, if they can be")
{
    SwitchHelper helper;
    helper.SetMarker("ns3::lossless::StepMarker", "Threshold", UintegerValue(5000));
    // Each of ten frames of 1000 B takes 0.8 us on the wire, ten times as long as on the ingress
    // link. Frame n finds n - 1 others in the queue, so with frames 6 to 10, the queue exceeds
    // 5000 B.
    Star star(helper.Create(), {Cable(), Cable{DataRate("10Gbps"), MicroSeconds(1)}});
    TestHost& sender = star.GetHost(0);
    for (uint32_t i = 0; i < 10; ++i)
    {
        sender.source.Send(MakeUdpFrame(sender.address, star.GetHost(1).address, 8, 1000, i, 2));
    }
    // These frames come from a sender without ECN and have their own class.
    for (uint32_t i = 0; i < 10; ++i)
    {
        sender.source.Send(MakeUdpFrame(sender.address, star.GetHost(1).address, 16, 1000, i, 0));
    }
    Simulator::Run();
    std::string marks;
    for (const Arrival& arrival : star.GetHost(1).received.GetArrivals(Priority{1}))
    {
        marks += arrival.marked ? '1' : '0';
    }
    NS_TEST_ASSERT_MSG_EQ(marks, "0000011111", "marks of class 1");
    for (const Arrival& arrival : star.GetHost(1).received.GetArrivals(Priority{2}))
    {
        NS_TEST_ASSERT_MSG_EQ(arrival.marked, false, "a frame that cannot be marked");
    }
    NS_TEST_ASSERT_MSG_EQ(star.m_switch->GetCounts().marked, 5, "counter");
    Simulator::Destroy();

    const auto getMarks = [](const SwitchHelper& switches) {
        Star slow(switches.Create(), {Cable(), Cable{DataRate("10Gbps"), MicroSeconds(1)}});
        for (uint32_t i = 0; i < 10; ++i)
        {
            slow.GetHost(0).source.Send(
                MakeUdpFrame(GetHostAddress(0), GetHostAddress(1), 8, 1000, i, 2));
        }
        Simulator::Run();
        std::string text;
        for (const Arrival& arrival : slow.GetHost(1).received.m_arrivals)
        {
            text += arrival.marked ? '1' : '0';
        }
        NS_TEST_EXPECT_MSG_EQ(slow.m_switch->GetCounts().marked,
                              static_cast<uint64_t>(std::count(text.begin(), text.end(), '1')),
                              "counter");
        Simulator::Destroy();
        return text;
    };
    // The threshold is still 5000 B at 10 Gb/s, but it is specified for ports of 100 Gb/s.
    SwitchHelper scaled;
    scaled.SetMarker("ns3::lossless::StepMarker",
                     "Threshold",
                     UintegerValue(50000),
                     "ReferenceRate",
                     StringValue("100Gbps"));
    NS_TEST_ASSERT_MSG_EQ(getMarks(scaled), "0000011111", "by the port's rate");
    // If frames are marked on departure, frame 1 leaves an empty queue behind, frame 2 leaves eight
    // frames, frame 4 leaves six frames, and frame 5 leaves five frames with 5000 B.
    SwitchHelper late;
    late.SetMarker("ns3::lossless::StepMarker",
                   "Threshold",
                   UintegerValue(5000),
                   "MarkOnDequeue",
                   BooleanValue(true));
    NS_TEST_ASSERT_MSG_EQ(getMarks(late), "0111000000", "marks of frames that leave");

    SwitchHelper red;
    red.SetMarker("ns3::lossless::RedMarker");
    Star streams(red.Create(), 3);
    NS_TEST_ASSERT_MSG_EQ(streams.m_switch->AssignStreams(10), 3, "a stream per port");
}

void
ExpectImpossible(const std::vector<std::string>& parts, const std::function<void()>& function)
{
    const std::string message = GetAbortMessage(function);
    for (const std::string& part : parts)
    {
        ExpectPart(message, part);
    }
}

void
ExpectTooLate(const std::function<void(SwitchNode&)>& change, const std::string& what)
{
    ExpectImpossible({"switch 0: " + what + " cannot change any more"}, [&change]() {
        Star star(SwitchHelper().Create(), 2);
        star.m_switch->Initialize();
        change(*star.m_switch);
    });
}

LOSSLESS_TEST(g_suite, "impossible switches are explained")
{
    ExpectImpossible({"port 0 has no peer"}, []() {
        auto node = CreateObject<SwitchNode>();
        auto device = CreateObject<LosslessNetDevice>();
        node->AddDevice(device);
        device->Attach(CreateObject<LosslessChannel>());
        node->Initialize();
    });
    ExpectImpossible({"port 0 is a ns3::SimpleNetDevice; a switch takes LosslessNetDevices only"},
                     []() {
                         auto node = CreateObject<SwitchNode>();
                         node->AddDevice(CreateObject<SimpleNetDevice>());
                         node->Initialize();
                     });
    // A refresh may wait for 1538 B and two PFC frames of 84 B, and takes 84 B itself. With 4 ns
    // for rounding, 136 + 7 + 4 = 147 ns are 28.7 quanta.
    ExpectImpossible({"PauseQuanta is 28", "MTU 1500 B", "from 29 on"}, []() {
        SwitchHelper helper;
        helper.SetFlowControlAttribute("PauseQuanta", UintegerValue(28));
        Star star(helper.Create(), 2);
        star.m_switch->Initialize();
    });
    // At 125 Mb/s, 9254 + 2 x 84 B and 84 B take 603 008 and 5376 ns. Together with 4 ns for
    // rounding, this is 608 388 ns, or 118 825.8 quanta of 5.12 ns.
    ExpectImpossible(
        {"of port 1 (MTU 9216 B, sent at 125000000bps", "from 118826 on", "65535 at most"},
        []() {
            SwitchHelper helper;
            helper.SetBufferAttribute("Size", UintegerValue(200000000));
            Star star(helper.Create(), 2);
            star.GetPort(1)->SetAttribute("DataRate", StringValue("125Mbps"));
            star.GetPort(1)->SetAttribute("Mtu", UintegerValue(9216));
            star.m_switch->Initialize();
        });
    ExpectTooLate([](SwitchNode& node) { node.SetBufferPolicy(node.GetBufferPolicy()); },
                  "the buffer policy");
    ExpectTooLate([](SwitchNode& node) { node.SetFlowControl(node.GetFlowControl()); },
                  "the flow control");
    ExpectTooLate([](SwitchNode& node) { node.SetForwarding(node.GetForwarding()); },
                  "the forwarding");
    ExpectTooLate([](SwitchNode& node) { node.AddDevice(CreateObject<LosslessNetDevice>()); },
                  "the set of ports");
    ExpectImpossible({"BufferPolicy"},
                     []() { CreateObject<SwitchNode>()->SetBufferPolicy(nullptr); });
    ExpectImpossible({"FlowControl"},
                     []() { CreateObject<SwitchNode>()->SetFlowControl(nullptr); });
    ExpectImpossible({"Forwarding"}, []() { CreateObject<SwitchNode>()->SetForwarding(nullptr); });
}

/// The headroom of a port covers frames from its peer, at the peer's rate. Each port has the
/// headroom of its own link. A frame without a route is dropped, with a specific drop reason.
LOSSLESS_TEST(g_suite, "ports know their links")
{
    auto node =
        DynamicCast<SwitchNode>(ObjectFactory("ns3::lossless::DshSwitchNode").Create<SwitchNode>());
    Star star(node,
              {{DataRate("100Gbps"), MicroSeconds(2)},
               {DataRate("40Gbps"), NanoSeconds(1500)},
               {DataRate("400Gbps"), MicroSeconds(2)}});
    // The link has a different rate in each direction. The switch receives at 100 Gb/s but sends at
    // 10 Gb/s.
    star.GetPort(0)->SetAttribute("DataRate", StringValue("10Gbps"));
    node->Initialize();
    auto policy = DynamicCast<HeadroomBufferPolicy>(node->GetBufferPolicy());
    NS_TEST_ASSERT_MSG_EQ(policy->GetPortHeadroom(PortId{0}), 73112, "back at 10 Gb/s");
    NS_TEST_ASSERT_MSG_EQ(policy->GetPortHeadroom(PortId{1}), 23514, "40 Gb/s, 1.5 us");
    NS_TEST_ASSERT_MSG_EQ(policy->GetPortHeadroom(PortId{2}), 208514, "400 Gb/s, 2 us");

    star.GetHost(0).Send(7, 8, 1000, 3);
    Simulator::Run();
    const auto& counts = node->GetCounts();
    const auto reason = static_cast<std::size_t>(DropReason::NO_ROUTE);
    NS_TEST_ASSERT_MSG_EQ(counts.dropped[reason], 3, "there is no host 7");
    NS_TEST_ASSERT_MSG_EQ(counts.bytes[reason], 3000, "bytes of them");
    NS_TEST_ASSERT_MSG_EQ(counts.received, 3, "they did arrive");
}

/// @return the number of allocated bytes, or 0 if unknown
uint64_t
GetAllocated()
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd; // heap allocations and separate mappings
#else
    return 0;
#endif
}

/// @return the number of bytes that a switch with this many ports allocates when it starts
uint64_t
Measure(uint32_t ports)
{
    SwitchHelper helper;
    helper.SetBufferAttribute("Size", UintegerValue(4000000000));
    Star star(helper.Create(), ports);
    star.GetHost(0).Send(ports - 1, 8, 1000);
    const uint64_t before = GetAllocated();
    star.m_switch->Initialize();
    const uint64_t after = GetAllocated();
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(ports - 1).received.m_arrivals.size(),
                          1,
                          "a frame through a switch of " << ports << " ports");
    Simulator::Destroy();
    return after - before;
}

/// A switch can have thousands of ports, each of which requires the same amount of memory.
LOSSLESS_TEST(g_suite, "2048 ports, and memory in proportion")
{
    Measure(512); // the first call includes one-time allocations
    const uint64_t small = Measure(512);
    const uint64_t medium = Measure(1024);
    const uint64_t large = Measure(2048);
    if (small == 0)
    {
        return; // this C library does not report allocations
    }
    const double first = double(medium - small) / 512;
    const double second = double(large - medium) / 1024;
    // Depending on the start of the heap, the C library adds up to 32 B to each object that begins
    // at a cache line, or up to 350 B of a port's 2500 B. Another 4 B for each pair of ports would
    // result in a ratio of 1.7.
    NS_TEST_ASSERT_MSG_LT(second / first, 1.7, first << " and " << second << " B");
    NS_TEST_ASSERT_MSG_LT(second, 16384, "bytes of each further port, 8 classes");
}

} // namespace ns3::lossless::tests::THIS_FILE
