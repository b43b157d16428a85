// SPDX-License-Identifier: GPL-2.0-only
#include "fake-switch.h"
#include "lossless-test.h"
#include "random-network.h"

#include "ns3/bfc-flow-control.h"
#include "ns3/bfc-header.h"
#include "ns3/sih-buffer-policy.h"

// Compares BFC's frames, filters, queue assignment, paused flows and timing with values computed by
// hand.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-bfc", UNIT);

BfcFilter
MakeFilter(const std::vector<uint32_t>& flows, const BfcHashing& hashing = BfcHashing())
{
    BfcCountingFilter counts(hashing);
    for (const uint32_t flow : flows)
    {
        counts.Add(flow);
    }
    return counts.TakeSnapshot();
}

std::string
ListBits(const BfcFilter& filter)
{
    std::vector<uint32_t> bits;
    for (uint32_t bit = 0; bit < 8 * filter.bytes.size(); ++bit)
    {
        if (filter.bytes[bit / 8] >> (bit % 8) & 1)
        {
            bits.push_back(bit);
        }
    }
    return ToText(bits);
}

LOSSLESS_TEST(g_suite, "A frame has what is known of its filter, and the filter")
{
    BfcHeader body;
    body.classes = SetOf(Priority{3});
    body.filter = {{8, 2, 3}, {0x81, 0x10}};
    const Ptr<Packet> frame = MakeMacControlFrame(Mac48Address("02:00:00:00:00:01"), body);
    NS_TEST_EXPECT_MSG_EQ(ToHex(*frame),
                          "0180c2000001"     // destination: all neighbours
                          "0200000000018808" // EtherType: MAC control
                          "fe04"             // BFC
                          "08"               // class 3
                          "03"               // hashes
                          "00000008"         // virtual flows
                          "0002"             // bytes
                          "8110"             // bits 0, 7 and 12
                              + std::string(68, '0'),
                          "to the byte");
    const auto parsed = ParseMacControlFrame<BfcHeader>(*frame, BfcHeader::OPCODE);
    NS_TEST_ASSERT_MSG_EQ(parsed.has_value(), true, "it is one");
    NS_TEST_EXPECT_MSG_EQ(ListBits(parsed->filter), "0 7 12", "the same filter");
    NS_TEST_EXPECT_MSG_EQ((parsed->filter.hashing == body.filter.hashing), true, "and kind");
    body.filter = MakeFilter({});
    NS_TEST_EXPECT_MSG_EQ(MakeControlFrame(body).packet->GetSize(), 152, "14 + 10 + 128, no FCS");
}

LOSSLESS_TEST(g_suite, "A frame cut short, or with a number that is no power of 2, has no effect")
{
    BfcHeader body;
    body.classes = ALL_PRIORITIES;
    body.filter = MakeFilter({0});
    const Frame whole = MakeControlFrame(body);
    auto gate = CreateObject<BfcGate>();
    gate->Attach({DataRate("40Gbps"), Time(0)}, nullptr);
    Frame data;
    const auto isStoppedBy = [&](Ptr<Packet> packet) {
        Frame frame;
        frame.kind = FrameKind::MAC_CONTROL;
        frame.packet = packet;
        gate->Reset();
        gate->ReceiveControl(frame);
        RunFor(MicroSeconds(10));
        return !gate->MaySend(data);
    };
    Ptr<Packet> packet = whole.packet;
    NS_TEST_EXPECT_MSG_EQ(isStoppedBy(packet), true, "the flow of hash 0");
    for (const uint32_t missing : {1U, 100U, 135U})
    {
        const Ptr<Packet> cut = packet->CreateFragment(0, packet->GetSize() - missing);
        NS_TEST_EXPECT_MSG_EQ(isStoppedBy(cut), false, missing << " B missing");
    }
    for (const BfcHashing& wrong :
         {BfcHashing{3, 128, 4}, BfcHashing{0, 128, 4}, BfcHashing{8, 128, 0}, BfcHashing{8, 0, 4}})
    {
        body.filter = {wrong, std::vector<uint8_t>(wrong.filterBytes, 0xff)};
        NS_TEST_EXPECT_MSG_EQ(isStoppedBy(MakeControlFrame(body).packet), false, "a wrong number");
    }
}

LOSSLESS_TEST(g_suite, "A link that goes down ends a PAUSE of PFC at BFC's gate as well")
{
    auto gate = CreateObject<BfcGate>();
    gate->Attach({DataRate("100Gbps"), Time(0), 24, 1500, ALL_PRIORITIES}, nullptr);
    PfcHeader pfc;
    pfc.SetQuanta(Priority{3}, UINT16_MAX);
    gate->ReceiveControl(ParseFrame(MakePfcFrame(Mac48Address("00:00:00:00:00:01"), pfc)));
    RunFor(MicroSeconds(10));
    NS_TEST_EXPECT_MSG_EQ(+gate->GetOpen(), 0xf7, "paused");
    gate->Reset();
    NS_TEST_EXPECT_MSG_EQ(+gate->GetOpen(), 0xff, "reset");
}

/// The expected bits were computed by another implementation of SplitMix64.
LOSSLESS_TEST(g_suite, "A filter has the bits of its flows, as long as one of them is in it")
{
    NS_TEST_EXPECT_MSG_EQ(ListBits(MakeFilter({0})), "2 60 485 543", "of virtual flow 0");
    NS_TEST_EXPECT_MSG_EQ(ListBits(MakeFilter({1})), "138 289 440 591", "of 1");
    NS_TEST_EXPECT_MSG_EQ(ListBits(MakeFilter({7})), "281 350 419 488", "of 7");
    const BfcHashing small{16, 1, 4};
    BfcCountingFilter counts(small);
    counts.Add(0); // bits 2 4 5 7
    counts.Add(7); // bits 0 1 3 6
    NS_TEST_EXPECT_MSG_EQ(ListBits(counts.TakeSnapshot()), "0 1 2 3 4 5 6 7", "all");
    NS_TEST_EXPECT_MSG_EQ(counts.TakeSnapshot().Has(12), true, "a false positive");
    counts.Add(1); // bits 0 1 2 7
    counts.Add(1);
    counts.Remove(7);
    NS_TEST_EXPECT_MSG_EQ(ListBits(counts.TakeSnapshot()), "0 1 2 4 5 7", "0 and 1 are left");
    counts.Remove(0);
    counts.Remove(1);
    NS_TEST_EXPECT_MSG_EQ(ListBits(counts.TakeSnapshot()), "0 1 2 7", "1 was there twice");
    counts.Remove(1);
    NS_TEST_EXPECT_MSG_EQ(ListBits(counts.TakeSnapshot()), "", "nothing is left");
    NS_TEST_EXPECT_MSG_EQ(counts.GetSize(), 0, "and counted");
}

LOSSLESS_TEST(g_suite, "Of 16384 flows, 128 B and 16 stopped ones hit few others")
{
    std::vector<uint32_t> flows;
    for (uint32_t flow = 0; flow < 16; ++flow)
    {
        flows.push_back(flow * 1000);
    }
    const BfcFilter filter = MakeFilter(flows);
    uint32_t hits = 0;
    for (uint32_t flow = 0; flow < 16384; ++flow)
    {
        hits += filter.Has(flow) ? 1 : 0;
    }
    // The false positive rate is (1 - (1 - 1/1024)^64)^4 = 0.0606^4 = 1.35e-5, so on average, 0.2
    // of the 16384 flows match by chance. The 16 flows of the filter always match.
    NS_TEST_EXPECT_MSG_EQ((hits >= 16 && hits <= 20), true, hits);
}

/// A table of three queues. A flow keeps its queue for 100 ticks after its last frame has left.
struct Table
{
    explicit Table(uint32_t room = 10)
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        m_table.Configure(3, room, 100, random);
    }

    /// Adds a frame.
    /// @return the flow's queue, or 3 for the queue of flows that do not fit in the table
    std::size_t Add(uint32_t flow, Ticks now, uint16_t ingress = 0)
    {
        const BfcFlow* entry = m_table.Add(flow, PortId{ingress}, 1000, now);
        return entry ? entry->queue : 3;
    }

    /// Removes a frame.
    std::size_t Remove(uint32_t flow, Ticks now, uint16_t ingress = 0)
    {
        return m_table.Remove(flow, PortId{ingress}, 1000, now);
    }

    BfcFlowTable m_table; ///< table under test
};

LOSSLESS_TEST(g_suite, "A flow gets an empty queue if there is one, and keeps it while stored")
{
    Table table;
    NS_TEST_EXPECT_MSG_EQ(table.Add(10, 0), 0, "the first one");
    NS_TEST_EXPECT_MSG_EQ(table.Add(11, 0), 1, "the next one");
    NS_TEST_EXPECT_MSG_EQ(table.Add(10, 0), 0, "the same as before");
    NS_TEST_EXPECT_MSG_EQ(table.Add(10, 0, 5), 2, "by another port it is another flow");
    NS_TEST_EXPECT_MSG_LT(table.Add(12, 0), 3, "none is empty: any");
    NS_TEST_EXPECT_MSG_EQ(table.Remove(11, 0), 1, "it was there");
    const std::size_t shared = table.Remove(12, 0);
    NS_TEST_EXPECT_MSG_LT(shared, 3, "it was there");
    NS_TEST_EXPECT_MSG_EQ(table.Add(13, 0), 1, "that one is empty again");
    NS_TEST_EXPECT_MSG_EQ(table.m_table.GetQueue(0).bytes, 2000, "of flow 10");
}

LOSSLESS_TEST(g_suite, "An empty flow keeps its place in the table for a time, then another has it")
{
    Table table(1);
    table.Add(10, 0);
    table.Remove(10, 0);
    NS_TEST_EXPECT_MSG_EQ(table.Add(11, 99), 3, "no room");
    table.Remove(11, 99);
    NS_TEST_EXPECT_MSG_LT(table.Add(11, 101), 3, "the time of flow 10 is over");
}

LOSSLESS_TEST(g_suite, "Where no queue is empty, any may be chosen")
{
    std::vector<uint32_t> chosen(3);
    Table table(1000);
    for (uint32_t flow = 0; flow < 303; ++flow)
    {
        ++chosen[table.Add(flow, 0)];
    }
    for (const uint32_t flows : chosen)
    {
        // The expected number of flows per queue is 101 of 303, with a standard deviation of 8.2.
        NS_TEST_EXPECT_MSG_EQ((flows > 60 && flows < 142), true, ToText(chosen));
    }
}

LOSSLESS_TEST(g_suite, "A flow that has run empty keeps its queue for Sticky, and no longer")
{
    Table table;
    table.Add(10, 0);
    table.Remove(10, 50);
    NS_TEST_EXPECT_MSG_EQ(table.Add(10, 149), 0, "99 later");
    table.Remove(10, 150);
    NS_TEST_EXPECT_MSG_EQ(table.m_table.CountFlows(249), 1, "99 later");
    NS_TEST_EXPECT_MSG_EQ(table.m_table.CountFlows(250), 0, "100 later");
    NS_TEST_EXPECT_MSG_EQ(table.Add(10, 250), 1, "it is like a new one");
    BfcFlow* flow = table.m_table.Add(10, PortId{0}, 1000, 250);
    flow->isPaused = true;
    table.Remove(10, 260);
    table.Remove(10, 260);
    NS_TEST_EXPECT_MSG_EQ(table.m_table.CountFlows(10000), 1, "as long as it is stopped");
    table.m_table.Resume(*flow, 10000);
    NS_TEST_EXPECT_MSG_EQ(table.m_table.CountFlows(10099), 1, "99 later");
    NS_TEST_EXPECT_MSG_EQ(table.m_table.CountFlows(10100), 0, "100 later");
}

LOSSLESS_TEST(g_suite, "Flows beyond the room share one more queue until it is empty")
{
    Table table(2);
    table.Add(10, 0);
    table.Add(11, 0);
    NS_TEST_EXPECT_MSG_EQ(table.Add(12, 0), 3, "no room");
    NS_TEST_EXPECT_MSG_EQ(table.Add(10, 0), 0, "that one has its queue");
    table.Remove(11, 0);
    NS_TEST_EXPECT_MSG_EQ(table.m_table.CountFlows(100), 1, "there is room");
    NS_TEST_EXPECT_MSG_EQ(table.Add(12, 100), 3, "behind its other frame");
    NS_TEST_EXPECT_MSG_EQ(table.Add(13, 100), 3, "whose that frame is, nobody knows");
    NS_TEST_EXPECT_MSG_EQ(table.Remove(12, 100), 3, "from there");
    NS_TEST_EXPECT_MSG_EQ(table.Remove(12, 100), 3, "from there");
    NS_TEST_EXPECT_MSG_EQ(table.Add(12, 100), 3, "one is left");
    NS_TEST_EXPECT_MSG_EQ(table.Remove(13, 100), 3, "from there");
    NS_TEST_EXPECT_MSG_EQ(table.Remove(12, 100), 3, "from there");
    NS_TEST_EXPECT_MSG_EQ(table.Add(12, 100), 2, "now it gets one");
}

/// A switch with five links, each with a rate of 100 Gb/s and a delay of 2 us. Frames have 1000 B
/// and belong to class 3.
struct BfcSwitch : FakeSwitch<BfcFlowControl, SihBufferPolicy>
{
    BfcSwitch()
        : FakeSwitch(5)
    {
    }

    BfcSwitch& Start()
    {
        FakeSwitch::Start();
        for (uint16_t port = 0; port < 5; ++port)
        {
            m_scheme->GetGate(PortId{port})->Attach({DataRate("40Gbps"), Time(0)}, nullptr);
        }
        return *this;
    }

    /// Stores frames that arrive for port 4.
    void Send(uint64_t flow, uint16_t ingress, uint32_t frames)
    {
        for (uint32_t i = 0; i < frames; ++i)
        {
            SwitchItem item = MakeItem(ingress, 3, 1000, 4);
            item.frame.flowHash = flow;
            Pass(item);
            GetEgress().Enqueue(std::move(item));
        }
    }

    /// Serves frames from the queues of port 4 that are not paused.
    void Serve(uint32_t frames)
    {
        for (uint32_t i = 0; i < frames; ++i)
        {
            GetEgress().Prepare(m_scheme->GetGate(PortId{4})->GetPermit());
            Leave(GetEgress().Dequeue());
        }
    }

    /// Expects port 0 to send a filter without flows every 2222 ns.
    void ExpectRepeats(uint32_t count)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            RunFor(NanoSeconds(2222));
            NS_TEST_EXPECT_MSG_EQ(IsTold(0, {}), true, "repeat " << i);
        }
    }

    BfcEgressQueue& GetEgress()
    {
        return *m_scheme->GetQueue({PortId{4}, Priority{3}});
    }

    /// @return true if a filter with exactly these flows has been sent to the port
    bool IsTold(uint16_t port, const std::vector<uint32_t>& flows)
    {
        const auto frames = TakeControl(PortId{port});
        if (frames.size() != 1)
        {
            return false;
        }
        const auto body = ParseMacControlFrame<BfcHeader>(*frames[0], BfcHeader::OPCODE);
        return body && body->classes == 0x7f && body->filter.bytes == MakeFilter(flows).bytes;
    }

    std::size_t CountStopped(uint16_t port) const
    {
        return m_scheme->GetStoppedFlows(PortId{port}).GetSize();
    }
};

/// At 100 Gb/s, the 176 B of the filter take 14.08 ns on the wire. The response delay (3840 B) and
/// a frame of 1538 B together take 430.24 ns.
LOSSLESS_TEST(g_suite, "HRTT, T and thresholds come from the links")
{
    BfcSwitch fake;
    fake.m_shape.ports[1].rate = DataRate("10Gbps");
    fake.Start();
    const BfcFlowControl& bfc = *fake.m_scheme;
    NS_TEST_EXPECT_MSG_EQ(bfc.GetHopRtt(PortId{0}), NanoSeconds(4444), "14 + 4000 + 430");
    NS_TEST_EXPECT_MSG_EQ(bfc.GetHopRtt(PortId{1}), NanoSeconds(8443), "141 + 4000 + 4302");
    NS_TEST_EXPECT_MSG_EQ(bfc.GetThreshold(PortId{0}, PortId{4}, 1), 83325, "(4444 + 2222) * 12.5");
    NS_TEST_EXPECT_MSG_EQ(bfc.GetThreshold(PortId{0}, PortId{4}, 2), 41662, "half");
    NS_TEST_EXPECT_MSG_EQ(bfc.GetThreshold(PortId{0}, PortId{1}, 1), 8332, "a slower egress");
    NS_TEST_EXPECT_MSG_EQ(bfc.GetThreshold(PortId{1}, PortId{4}, 1), 158300, "a slower ingress");
}

LOSSLESS_TEST(g_suite, "HRTT and T can be set")
{
    BfcSwitch fake;
    fake.m_scheme->SetAttribute("HopRtt", TimeValue(MicroSeconds(2)));
    fake.m_scheme->SetAttribute("FilterPeriod", TimeValue(NanoSeconds(500)));
    fake.Start();
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->GetThreshold(PortId{0}, PortId{4}, 1), 31250, "2.5 us");
    fake.Send(1, 0, 32);
    RunFor(NanoSeconds(499));
    NS_TEST_EXPECT_MSG_EQ(fake.TakeControl(PortId{0}).size(), 0, "not yet");
    RunFor(NanoSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(fake.IsTold(0, {1}), true, "now");
}

LOSSLESS_TEST(g_suite, "A flow is stopped when its queue exceeds the threshold, and no other")
{
    BfcSwitch fake;
    fake.Start();
    fake.Send(1, 0, 83);
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(0), 0, "83000 of 83325 B");
    fake.Send(1, 0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(0), 1, "84000 B");
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->IsHolding({PortId{0}, Priority{3}}), true, "held");
    fake.Send(2, 0, 41);
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(0), 1, "41000 of 41662 B, with two queues");
    fake.Send(2, 0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(0), 2, "42000 B");
    fake.Send(3, 1, 27);
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(1), 0, "27000 of 27775 B, with three");
    fake.Send(3, 1, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(1), 1, "28000 B");
    RunFor(NanoSeconds(2222));
    NS_TEST_EXPECT_MSG_EQ(fake.IsTold(0, {1, 2}), true, "of port 0");
    NS_TEST_EXPECT_MSG_EQ(fake.IsTold(1, {3}), true, "of port 1");
}

LOSSLESS_TEST(g_suite, "A frame that is refused at the egress was never in a queue")
{
    BfcSwitch fake;
    fake.Start();
    fake.Send(1, 0, 2);
    SwitchItem item = MakeItem(0, 3, 1000, 4);
    item.frame.flowHash = 1;
    fake.Arrive(item, {0, 1000, 0});
    fake.Refuse(item);
    NS_TEST_EXPECT_MSG_EQ(fake.GetEgress().Table().GetQueue(0).frames, 2, "two are");
}

LOSSLESS_TEST(g_suite, "A queue whose first frame may not leave is not among the active ones")
{
    BfcSwitch fake;
    fake.Start();
    fake.Send(2, 1, 1);
    BfcHeader body;
    body.classes = 0x7f;
    body.filter = MakeFilter({2});
    fake.m_scheme->GetGate(PortId{4})->ReceiveControl(MakeControlFrame(body));
    RunFor(MicroSeconds(10));
    fake.Send(1, 0, 83);
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(0), 0, "83325 B, as if it were alone");
    NS_TEST_EXPECT_MSG_EQ(fake.GetEgress().CountActive(nullptr), 1, "one");
    fake.Serve(3);
    NS_TEST_EXPECT_MSG_EQ(fake.GetEgress().Table().GetQueue(0).frames, 1, "it stays");
    body.filter = MakeFilter({});
    fake.m_scheme->GetGate(PortId{4})->ReceiveControl(MakeControlFrame(body));
    RunFor(MicroSeconds(10));
    NS_TEST_EXPECT_MSG_EQ(fake.GetEgress().CountActive(nullptr), 2, "two");
    fake.Send(1, 0, 1);
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(0), 1, "41662 B");
}

LOSSLESS_TEST(g_suite,
              "Filters are sent at multiples of T while a flow is stopped, and 4 times more")
{
    BfcSwitch fake;
    fake.Start();
    RunFor(NanoSeconds(3000));
    fake.Send(1, 0, 84);
    RunFor(NanoSeconds(1443));
    NS_TEST_EXPECT_MSG_EQ(fake.TakeControl(PortId{0}).size(), 0, "at 4443 ns");
    RunFor(NanoSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(fake.IsTold(0, {1}), true, "at 4444 ns");
    fake.Serve(84);
    fake.ExpectRepeats(4);
    RunFor(NanoSeconds(22220));
    NS_TEST_EXPECT_MSG_EQ(fake.TakeControl(PortId{0}).size(), 0, "that is all");
}

/// While the last filter, which contains no flows, waits for the wire, a flow is stopped and added
/// to it.
LOSSLESS_TEST(g_suite, "A flow told late that goes on before the next multiple of T is let go")
{
    BfcSwitch fake;
    fake.Start();
    fake.Send(1, 0, 84);
    RunFor(NanoSeconds(2222));
    NS_TEST_EXPECT_MSG_EQ(fake.IsTold(0, {1}), true, "stopped");
    fake.Serve(84);
    fake.ExpectRepeats(3);
    RunFor(NanoSeconds(2222));
    fake.Send(2, 0, 84);
    NS_TEST_EXPECT_MSG_EQ(fake.IsTold(0, {2}), true, "late");
    fake.Serve(84);
    fake.ExpectRepeats(4);
    RunFor(NanoSeconds(22220));
    NS_TEST_EXPECT_MSG_EQ(fake.TakeControl(PortId{0}).size(), 0, "that is all");
}

LOSSLESS_TEST(g_suite, "While a link is down nothing waits to tell; once back, what is true is")
{
    BfcSwitch fake;
    fake.Start();
    fake.Send(1, 0, 84);
    RunFor(NanoSeconds(2222));
    NS_TEST_EXPECT_MSG_EQ(fake.IsTold(0, {1}), true, "stopped");
    fake.m_down.insert(PortId{0});
    RunFor(NanoSeconds(2222));
    NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "no event is left");
    fake.m_down.clear();
    fake.m_scheme->OnLinkUp(PortId{0});
    RunFor(NanoSeconds(2222));
    NS_TEST_EXPECT_MSG_EQ(fake.IsTold(0, {1}), true, "told again");
}

LOSSLESS_TEST(g_suite, "What stops and goes on between two multiples of T is not told")
{
    BfcSwitch fake;
    fake.Start();
    fake.Send(1, 0, 84);
    fake.Serve(84);
    RunFor(NanoSeconds(22220));
    NS_TEST_EXPECT_MSG_EQ(fake.TakeControl(PortId{0}).size(), 0, "nothing");
}

/// At 1 Gb/s, a filter takes 1408 ns, and the response delay and a frame take 43 024 ns. With two
/// cable delays of 2 us, HRTT is 48 432 ns, and half of it is 24 216 ns. The first filter is sent
/// at T = 2222 ns, and the next one at 26 664 ns, the first multiple of T that is at least half an
/// HRTT later.
LOSSLESS_TEST(g_suite, "On a link that has become slower, filters are half of its HRTT apart")
{
    BfcSwitch fake;
    fake.Start();
    fake.m_rates[PortId{0}] = DataRate("1Gbps");
    fake.Send(1, 0, 84);
    RunFor(NanoSeconds(2222));
    NS_TEST_EXPECT_MSG_EQ(fake.IsTold(0, {1}), true, "the first one at T");
    RunFor(NanoSeconds(26663 - 2222));
    NS_TEST_EXPECT_MSG_EQ(fake.TakeControl(PortId{0}).size(), 0, "at 26 663 ns");
    RunFor(NanoSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(fake.IsTold(0, {1}), true, "at 26 664 ns");
    fake.m_rates.clear();
    RunFor(NanoSeconds(2222));
    NS_TEST_EXPECT_MSG_EQ(fake.IsTold(0, {1}), true, "T later, at the first rate again");
}

/// All flows share one queue. The first flow resumes as soon as only 83 frames remain in the queue.
/// Each of the other flows resumes half an HRTT after the previous one, although the queue is empty
/// by then.
LOSSLESS_TEST(g_suite, "Of one queue, two flows in an HRTT go on, in the order of their stops")
{
    BfcSwitch fake;
    fake.m_scheme->SetAttribute("PhysicalQueues", UintegerValue(1));
    fake.Start();
    fake.Send(1, 0, 84);
    fake.Send(2, 1, 1);
    fake.Send(3, 2, 1);
    fake.Serve(2);
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(0), 1, "84 frames are left");
    fake.Serve(1);
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(0), 0, "83");
    fake.Serve(83);
    RunFor(NanoSeconds(2221));
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(1), 1, "at 2221 ns");
    RunFor(NanoSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(1), 0, "at 2222 ns");
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(2), 1, "at 2222 ns");
    RunFor(NanoSeconds(2222));
    NS_TEST_EXPECT_MSG_EQ(fake.CountStopped(2), 0, "at 4444 ns");
    NS_TEST_EXPECT_MSG_EQ(fake.m_scheme->IsHolding({PortId{2}, Priority{3}}), false, "let go");
}

LOSSLESS_TEST(g_suite, "A gate stops flows of the filter, in its classes, until the next filter")
{
    auto gate = CreateObject<BfcGate>();
    gate->Attach({DataRate("40Gbps"), Time(0)}, nullptr);
    const auto tell = [&gate](const std::vector<uint32_t>& flows) {
        BfcHeader body;
        body.classes = SetOf(Priority{3});
        body.filter = MakeFilter(flows);
        gate->ReceiveControl(MakeControlFrame(body));
        RunFor(MicroSeconds(10));
    };
    uint32_t pauses = 0;
    ListenTo(*gate, "Paused", [&pauses](PrioritySet, Time) { ++pauses; });
    const auto maySend = [&gate](uint64_t flow, uint8_t priority) {
        Frame frame;
        frame.flowHash = flow;
        frame.priority = Priority{priority};
        return gate->MaySend(frame);
    };
    NS_TEST_EXPECT_MSG_EQ(maySend(5, 3), true, "initially");
    tell({5, 6});
    NS_TEST_EXPECT_MSG_EQ(maySend(5, 3), false, "stopped");
    NS_TEST_EXPECT_MSG_EQ(maySend(5 + 16384, 3), false, "the same virtual flow");
    NS_TEST_EXPECT_MSG_EQ(maySend(5, 4), true, "another class");
    NS_TEST_EXPECT_MSG_EQ(maySend(7, 3), true, "another flow");
    NS_TEST_EXPECT_MSG_EQ(pauses, 1, "a pause");
    tell({6});
    NS_TEST_EXPECT_MSG_EQ(pauses, 1, "nothing new is stopped");
    NS_TEST_EXPECT_MSG_EQ(maySend(5, 3), true, "goes on");
    NS_TEST_EXPECT_MSG_EQ(maySend(6, 3), false, "still stopped");
    gate->Reset();
    NS_TEST_EXPECT_MSG_EQ(maySend(6, 3), true, "the link was lost");
    NS_TEST_EXPECT_MSG_EQ(+gate->GetOpen(), +ALL_PRIORITIES, "no class was ever closed");
}

/// A line topology: h0, s0, s1, h1. A byte takes 1 ns on the wire, but 8 ns on the last link.
const std::string LINKS = "h0,s0,8Gbps,1us\ns0,s1,8Gbps,1us\nh1,s1,1Gbps,1us\n";

struct BfcLine
{
    BfcLine()
    {
        m_fabric = std::make_unique<Fabric>(MakeTopology(LINKS),
                                            SwitchHelper("ns3::lossless::BfcSwitchNode"));
        for (uint32_t i = 0; i < 2; ++i)
        {
            m_hosts.push_back(std::make_unique<TestHost>(m_fabric->GetHostDevice(i), i));
        }
        m_fabric->GetSwitch(0)->Initialize(); // Creates the gates.
        const Ptr<LosslessNetDevice> way = m_fabric->GetSwitch(0)->GetPortDevice(PortId{1});
        ListenTo(*way, "PhyTxBegin", [this](Ptr<const Packet> /* packet */) {
            m_sent.push_back(Simulator::Now());
        });
        ListenTo(*way->GetGate(), "Paused", [this](PrioritySet /* classes */, Time /* length */) {
            m_paused.push_back(Simulator::Now());
        });
        ListenTo(*m_fabric->GetSwitch(1)->GetFlowControl(),
                 "ControlSent",
                 [this](PortId /* port */, Ptr<const Packet> /* frame */) {
                     m_control.push_back(Simulator::Now());
                 });
    }

    std::unique_ptr<Fabric> m_fabric;               ///< switches and cables
    std::vector<std::unique_ptr<TestHost>> m_hosts; ///< h0 and h1
    std::vector<Time> m_sent;                       ///< times at which s0 sent the first bit of
                                                    ///< each frame to s1
    std::vector<Time> m_paused;                     ///< times at which s0 was paused
    std::vector<Time> m_control;                    ///< times at which s1 sent the first bit of
                                                    ///< each filter
};

/// HRTT is 176 + 2000 + 3840 + 1538 = 7554 ns, T is half of that, and the threshold of s1 is
/// (HRTT + T) x 0.125 B/ns = 1416 B. Frames of 1000 B take 1024 ns and arrive at s1 from 4048 ns
/// onwards. The second frame, which arrives at 5072 ns, exceeds the threshold. The filter leaves at
/// 2 T and takes effect 176 + 1000 + 3840 ns later. By then, s0 has started 11 frames, the first
/// one at 2024 ns and each of the others 1024 ns after the previous one. At least two frames wait
/// at s1 until 4048 + 10 * 8192 = 85968 ns, when only one remains. The next filter, at 23 T,
/// therefore resumes the flow.
LOSSLESS_TEST(g_suite, "Along a line, a flow stops and goes on at the instants that follow by hand")
{
    BfcLine line;
    line.m_hosts[0]->Send(1, 24, 1000, 60);
    RunFor(MicroSeconds(100));
    NS_TEST_ASSERT_MSG_GT(line.m_control.size(), 22, "filters");
    NS_TEST_EXPECT_MSG_EQ(line.m_control[0], NanoSeconds(7554), "2 T");
    NS_TEST_EXPECT_MSG_EQ(line.m_control[1], NanoSeconds(11331), "3 T");
    NS_TEST_ASSERT_MSG_EQ(line.m_paused.empty(), false, "stopped");
    NS_TEST_EXPECT_MSG_EQ(line.m_paused[0], NanoSeconds(12570), "7554 + 176 + 1000 + 3840");
    NS_TEST_ASSERT_MSG_GT(line.m_sent.size(), 12, "frames");
    NS_TEST_EXPECT_MSG_EQ(line.m_sent[10], NanoSeconds(12264), "the 11th");
    NS_TEST_EXPECT_MSG_EQ(line.m_sent[11], NanoSeconds(91887), "23 * 3777 + 176 + 1000 + 3840");
    // At s0, the 12th waiting frame, the 23rd frame in total, raises the queue to 12000 B, above
    // the threshold of 11331 B. It arrives at 2024 + 22 * 1024 = 24552 ns, and the filter leaves at
    // 7 T. By then, the host has been sending for 26439 + 5016 = 31455 ns and has started 31
    // frames.
    const auto& starts = line.m_hosts[0]->source.m_starts;
    NS_TEST_ASSERT_MSG_EQ(starts.size(), 31, "and no more until 100 us");
    NS_TEST_EXPECT_MSG_EQ(starts[30], NanoSeconds(30720), "the 31st");
    RunFor(MilliSeconds(1));
    const std::vector<Time> arrivals = line.m_hosts[1]->received.GetTimes();
    NS_TEST_ASSERT_MSG_EQ(arrivals.size(), 60, "all arrive");
    for (uint32_t i = 0; i < 31; ++i)
    {
        // The first frame arrives at 4048 + 8192 + 1000 ns, and the others follow without gaps.
        NS_TEST_EXPECT_MSG_EQ(arrivals[i], NanoSeconds(13240 + 8192 * i), "frame " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(line.m_hosts[1]->received.IsInOrder(), true, "in order");
}

/// h1 is slow, so s1 stops the flow, and s0, whose frames then wait, stops it as well. Recorders
/// use the frames of the flow to find the cause of a stop.
LOSSLESS_TEST(g_suite, "The stops of a flow along a line have the depths 1 and 2, and one root")
{
    BfcLine line;
    PausePropagation pauses;
    for (uint32_t i = 0; i < 2; ++i)
    {
        pauses.WatchSwitch("s" + std::to_string(i), line.m_fabric->GetSwitch(i));
    }
    line.m_hosts[0]->Send(1, 24, 1000, 60);
    RunFor(MicroSeconds(40)); // s1 stops the flow at 5072 ns, and s0 stops it at 24552 ns.
    const std::vector<PauseDepthRecord> depths = pauses.GetDepths();
    NS_TEST_ASSERT_MSG_EQ(depths.size(), 2, "depths");
    NS_TEST_EXPECT_MSG_EQ(depths[0].depth, 1, "of s1");
    NS_TEST_EXPECT_MSG_EQ(depths[0].hosts, 0, "which stops s0");
    NS_TEST_EXPECT_MSG_EQ(depths[1].depth, 2, "of s0");
    NS_TEST_EXPECT_MSG_EQ(depths[1].hosts, 1, "which stops h0");
}

/// In a shared FIFO queue, the flow to h2 would wait behind the flow to h1. Under BFC, it does not.
LOSSLESS_TEST(g_suite, "A flow beside a congested one is not held back")
{
    const Topology line = MakeTopology(LINKS + "h2,s1,8Gbps,1us\n");
    Fabric fabric(line, SwitchHelper("ns3::lossless::BfcSwitchNode"));
    std::vector<std::unique_ptr<TestHost>> hosts;
    for (uint32_t i = 0; i < 3; ++i)
    {
        hosts.push_back(std::make_unique<TestHost>(fabric.GetHostDevice(i), i));
    }
    hosts[0]->Send(1, 24, 1000, 200);
    hosts[0]->Send(2, 24, 1000, 20, MicroSeconds(200));
    RunFor(MilliSeconds(3));
    NS_TEST_EXPECT_MSG_EQ(hosts[1]->received.GetTimes().size(), 200, "all arrive");
    const std::vector<Time> arrivals = hosts[2]->received.GetTimes();
    NS_TEST_ASSERT_MSG_EQ(arrivals.size(), 20, "all arrive");
    // Without other traffic, the frames would take 20 + 2 frame times and 3 cable delays. The
    // congested flow uses an eighth of the capacity of the first two links, in bursts of as many
    // frames as can be sent in one HRTT.
    NS_TEST_EXPECT_MSG_LT(arrivals.back(),
                          MicroSeconds(200) + NanoSeconds(2 * (22 * 1024 + 3000) + 7554),
                          "at the speed of the link");
}

/// Draws settings with filters so small that most of the paused flows are false positives, and with
/// tables so small that most flows do not fit. Some networks use the module's defaults.
void
DrawSettings(RandomNetwork& network, SwitchHelper& switches)
{
    const auto set = [&](const std::string& name, const std::vector<std::string>& values) {
        switches.SetFlowControlAttribute(name, StringValue(network.DrawOf(values)));
    };
    if (network.Draw(0, 3) == 0)
    {
        return;
    }
    set("PhysicalQueues", {"1", "2", "5", "32"});
    set("VirtualFlows", {"1", "4", "256", "16384"});
    set("FilterBytes", {"1", "16", "128"});
    set("FilterHashes", {"1", "4"});
    set("TableEntries", {"0", "1", "3", "16384", "16384"});
    set("HopRtt", {"0s", "0s", "1us", "20us"});
    set("FilterPeriod", {"0s", "0s", "500ns", "10us"});
    set("ResumesPerHopRtt", {"1", "2", "10"});
    set("StickyHopRtts", {"0", "2"});
}

/// At this loss rate, four consecutive filters that resume a neighbour are all lost with a
/// probability of 10^-8.
constexpr double MOST_CORRUPT = 0.01;

const RegisterRandomPart g_random({"ns3::lossless::BfcSwitchNode",
                                   &DrawSettings,
                                   nullptr,
                                   nullptr,
                                   {Trouble::NONE, Trouble::CUTS, Trouble::ERRORS},
                                   MOST_CORRUPT});

/// At any time, the tables agree with the buffer accounting, and the filters contain the flows that
/// the tables have paused. At the end, no flows are paused or stored.
class TablesLaw : public Law
{
  public:
    explicit TablesLaw(Trouble trouble)
        : m_trouble(trouble)
    {
    }

    void Begin(RandomNetwork& network) override
    {
        m_network = &network;
    }

    std::string Check() override
    {
        std::ostringstream error;
        m_network->ForEachSwitch([&](SwitchNode& node) { CheckSwitch(node, error); });
        return error.str();
    }

    std::string End() override
    {
        std::ostringstream error;
        m_network->ForEachSwitch([&](SwitchNode& node) {
            CheckSwitch(node, error);
            const auto bfc = DynamicCast<BfcFlowControl>(node.GetFlowControl());
            const Ticks now = Simulator::Now().GetTimeStep();
            ForEachQueue(node, [&](QueueId queue) {
                const BfcFilter filter = bfc->GetStoppedFlows(queue.port).TakeSnapshot();
                error << (filter.IsEmpty() ? "" : "a filter is not empty; ")
                      << (bfc->GetQueue(queue)->Table().CountFlows(now) > 0 ? "a flow is left; "
                                                                            : "");
            });
        });
        return error.str();
    }

    std::string FindRare(uint64_t networks) const override
    {
        // With a watchdog, few flows are stopped, because the watchdog resumes many of them.
        return m_stopped > 30 * networks || m_trouble == Trouble::WATCHDOG
                   ? ""
                   : std::to_string(m_stopped) + " flows were stopped";
    }

  private:
    void CheckSwitch(SwitchNode& node, std::ostringstream& error)
    {
        const auto bfc = DynamicCast<BfcFlowControl>(node.GetFlowControl());
        const Ptr<SharedBuffer> buffer = node.GetSharedBuffer();
        std::map<PortId, std::size_t> stopped;
        ForEachQueue(node, [&](QueueId queue) {
            BfcFlowTable& table = bfc->GetQueue(queue)->Table();
            uint64_t frames = 0;
            for (std::size_t i = 0; i < table.GetQueues().size(); ++i)
            {
                frames += table.GetQueue(i).frames;
                table.GetQueue(i).paused.ForEach(
                    [&](const BfcFlow* flow) { ++stopped[flow->ingress]; });
            }
            error << (frames != buffer->GetEgress(queue).frames ? "table and ledger differ; " : "");
        });
        for (uint16_t port = 0; port < node.GetNDevices(); ++port)
        {
            const std::size_t inFilter = bfc->GetStoppedFlows(PortId{port}).GetSize();
            error << (inFilter != stopped[PortId{port}] ? "filter and tables differ; " : "");
            m_stopped += inFilter;
        }
    }

    Trouble m_trouble;                 ///< type of disturbance in the networks
    RandomNetwork* m_network{nullptr}; ///< current network
    uint64_t m_stopped{0};             ///< number of flows seen in filters
};

const RegisterLaw g_tables([](const SwitchKind& kind, Trouble trouble) -> std::unique_ptr<Law> {
    return kind.scheme.name == "BFC" ? std::make_unique<TablesLaw>(trouble) : nullptr;
});

} // namespace ns3::lossless::tests::THIS_FILE
