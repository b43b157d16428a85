// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/mrc-path.h"
#include "ns3/path-selection.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/signal-recorder.h"
#include "ns3/source-port.h"
#include "ns3/spraying.h"
#include "ns3/unbuilt-packet.h"
#include "ns3/weighted-forwarding.h"

#include <random>

// Tests how the path of each packet of a flow is selected, either by the entropy value that the
// host chooses or by the port that a switch chooses.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-path-selection", UNIT);

constexpr uint16_t FIRST = 50000; ///< source port of the flow

/// The path selection of one flow, with packets numbered from 0.
struct Flow
{
    explicit Flow(const std::string& type, uint32_t values = 8, uint64_t id = 1)
    {
        ObjectFactory factory("ns3::lossless::" + type);
        factory.Set("EntropyValues", UintegerValue(values));
        m_paths = factory.Create<PathSelection>();
        m_paths->Start(id, FIRST);
    }

    uint32_t Next()
    {
        return Send(m_next++);
    }

    uint32_t Send(uint32_t psn)
    {
        return m_paths->Choose(psn, m_now) - FIRST;
    }

    std::vector<uint32_t> Take(uint32_t count)
    {
        std::vector<uint32_t> values(count);
        std::generate(values.begin(), values.end(), [this] { return Next(); });
        return values;
    }

    void Ack(uint32_t value, bool isMarked = false)
    {
        m_paths->NotifyAck(FIRST + value, isMarked, m_now);
    }

    /// @return the state of a value under MRC
    MrcPath::State GetState(uint32_t value) const
    {
        return DynamicCast<MrcPath>(m_paths)->GetState(value);
    }

    Ptr<PathSelection> m_paths; ///< path selection under test
    Time m_now{Seconds(1)};     ///< current time
    uint32_t m_next{0};         ///< next packet to be sent
};

std::string
Sorted(std::vector<uint32_t> values)
{
    std::sort(values.begin(), values.end());
    return ToText(values);
}

LOSSLESS_TEST(g_suite, "an entropy value is a dynamic port, in a circle from that of the flow")
{
    for (const auto& [port, first] : {std::pair<uint16_t, uint16_t>(50000, 50000),
                                      {65535, 65535},
                                      {49152, 49152},
                                      {7, 49159},
                                      {16384, 49152}})
    {
        auto paths = CreateObject<ObliviousPath>();
        paths->SetAttribute("EntropyValues", UintegerValue(16384));
        paths->Start(3, port);
        std::set<uint16_t> ports;
        for (uint32_t i = 0; i < 16384; ++i)
        {
            ports.insert(paths->Choose(i, Time(0)));
        }
        NS_TEST_EXPECT_MSG_EQ(ports.size(), 16384, "each value is another port");
        NS_TEST_EXPECT_MSG_EQ(*ports.begin(), 49152, "the first dynamic port");
        paths->SetAttribute("EntropyValues", UintegerValue(1));
        paths->Start(3, port);
        NS_TEST_EXPECT_MSG_EQ(paths->Choose(0, Time(0)), first, "value 0 of port " << port);
    }
}

LOSSLESS_TEST(g_suite, "a round has each value once, whatever their number and the mask are")
{
    for (uint32_t values = 1; values <= 33; ++values)
    {
        for (uint32_t mask = 0; mask < 64; ++mask)
        {
            EntropyRounds rounds;
            rounds.Start(values, mask);
            std::set<uint32_t> seen;
            bool isOver = false;
            for (uint32_t i = 0; i < values; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(isOver, false, "not before all are taken");
                seen.insert(rounds.GetCurrent());
                isOver = rounds.Advance();
            }
            NS_TEST_EXPECT_MSG_EQ(isOver, true, values << " values, mask " << mask);
            NS_TEST_EXPECT_MSG_EQ(seen.size(), values, "mask " << mask);
            NS_TEST_EXPECT_MSG_EQ(*seen.rbegin(), values - 1, "mask " << mask);
        }
    }
    EntropyRounds rounds;
    rounds.Start(4, 2);
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < 4; ++i)
    {
        order.push_back(rounds.GetCurrent());
        rounds.Advance();
    }
    NS_TEST_EXPECT_MSG_EQ(ToText(order), "2 3 0 1", "0 1 2 3, each xor 2");
}

LOSSLESS_TEST(g_suite, "oblivious packets take all values in each round, in changing order")
{
    Flow flow("ObliviousPath");
    std::set<std::string> orders;
    for (uint32_t round = 0; round < 40; ++round)
    {
        const std::vector<uint32_t> values = flow.Take(8);
        NS_TEST_EXPECT_MSG_EQ(Sorted(values), "0 1 2 3 4 5 6 7", "round " << round);
        orders.insert(ToText(values));
        flow.Ack(values.front(), true); // the outcome must have no effect
        flow.m_paths->NotifyTrimmed(FIRST + values.back(), 0, false, false, flow.m_now);
    }
    // With 8 masks and 40 draws, all 8 orders almost certainly occur.
    NS_TEST_EXPECT_MSG_EQ(orders.size(), 8, "an order for each mask");
}

LOSSLESS_TEST(g_suite, "random packets take all values evenly")
{
    Flow flow("RandomPath");
    std::map<uint32_t, uint32_t> counts;
    for (uint32_t i = 0; i < 8000; ++i)
    {
        ++counts[flow.Next()];
    }
    NS_TEST_EXPECT_MSG_EQ(counts.size(), 8, "all values");
    for (const auto& [value, count] : counts)
    {
        // The tolerance is five standard deviations of a binomial count.
        NS_TEST_EXPECT_MSG_EQ_TOL(count, 1000, 5 * std::sqrt(1000 * 7.0 / 8), "value " << value);
    }
}

LOSSLESS_TEST(g_suite, "draws follow from the flow, the seed and the run, and from nothing else")
{
    const auto draw = [](uint64_t id) { return ToText(Flow("RandomPath", 16384, id).Take(8)); };
    const std::string first = draw(1);
    NS_TEST_EXPECT_MSG_EQ(draw(1), first, "again");
    NS_TEST_EXPECT_MSG_NE(draw(2), first, "another flow");
    const uint64_t run = RngSeedManager::GetRun();
    const uint32_t seed = RngSeedManager::GetSeed();
    RngSeedManager::SetRun(run + 1);
    NS_TEST_EXPECT_MSG_NE(draw(1), first, "another run");
    RngSeedManager::SetRun(run);
    RngSeedManager::SetSeed(seed + 1);
    NS_TEST_EXPECT_MSG_NE(draw(1), first, "another seed");
    RngSeedManager::SetSeed(seed);
    NS_TEST_EXPECT_MSG_EQ(draw(1), first, "the first one again");
}

LOSSLESS_TEST(g_suite, "a flowlet keeps its value until the gap")
{
    Flow flow("FlowletPath", 16384);
    flow.m_paths->SetAttribute("Gap", TimeValue(MicroSeconds(10)));
    const uint32_t first = flow.Next();
    flow.m_now += NanoSeconds(9999);
    NS_TEST_EXPECT_MSG_EQ(flow.Next(), first, "no gap");
    flow.m_now += NanoSeconds(9999);
    NS_TEST_EXPECT_MSG_EQ(flow.Next(), first, "since the packet before");
    flow.m_now += NanoSeconds(10000);
    const uint32_t second = flow.Next();
    NS_TEST_EXPECT_MSG_NE(second, first, "a gap; equal once in 16384 seeds");
    NS_TEST_EXPECT_MSG_EQ(flow.Next(), second, "of the new flowlet");
}

LOSSLESS_TEST(g_suite, "REPS takes values that worked, each once and the oldest first")
{
    Flow flow("RepsPath", 16384);
    flow.Take(3);
    flow.Ack(11);
    flow.Ack(12, true); // marked
    flow.Ack(13);
    flow.m_paths->NotifyTrimmed(FIRST + 14, 0, false, false, flow.m_now);
    flow.m_paths->NotifyTrimmed(FIRST + 15, 1, true, false, flow.m_now); // trimmed at the last hop
    // This packet was marked before it was trimmed.
    flow.m_paths->NotifyTrimmed(FIRST + 16, 2, true, true, flow.m_now);
    NS_TEST_EXPECT_MSG_EQ(ToText(flow.Take(3)), "11 13 15", "those");
    const uint32_t value = flow.Next();
    NS_TEST_EXPECT_MSG_EQ((value < 11 || value > 16),
                          true,
                          "a random one; not in 6 of 16384 seeds");
    for (uint32_t i = 0; i < 10; ++i)
    {
        flow.Ack(100 + i);
    }
    NS_TEST_EXPECT_MSG_EQ(ToText(flow.Take(8)), "102 103 104 105 106 107 108 109", "the last 8");
}

LOSSLESS_TEST(g_suite, "after a loss, REPS uses only what has worked, then explores")
{
    Flow flow("RepsPath", 16384);
    flow.m_paths->SetAttribute("FreezeTime", TimeValue(MicroSeconds(100)));
    flow.Take(4);
    flow.Ack(21);
    flow.Ack(22);
    NS_TEST_EXPECT_MSG_EQ(flow.Next(), 21, "fresh");
    flow.Send(2); // a retransmission reveals a loss
    NS_TEST_EXPECT_MSG_EQ(ToText(flow.Take(4)), "22 21 22 21", "in turn, used or not");
    flow.Ack(23);
    NS_TEST_EXPECT_MSG_EQ(ToText(flow.Take(3)), "22 23 21", "with what works now");
    flow.m_now += MicroSeconds(100);
    NS_TEST_EXPECT_MSG_EQ(flow.Next(), 22, "still frozen");
    flow.m_now += NanoSeconds(1);
    const std::vector<uint32_t> explored = flow.Take(8);
    flow.Ack(31);
    const std::vector<uint32_t> more = flow.Take(8);
    NS_TEST_EXPECT_MSG_EQ(std::count(explored.begin(), explored.end(), 21), 0, "forgotten");
    NS_TEST_EXPECT_MSG_EQ(std::count(more.begin(), more.end(), 31), 0, "16 packets explore");
    NS_TEST_EXPECT_MSG_EQ(flow.Next(), 31, "then not");
}

LOSSLESS_TEST(g_suite, "MRC skips a congested value once, a silent one until a packet came through")
{
    Flow flow("MrcPath", 4);
    NS_TEST_EXPECT_MSG_EQ(Sorted(flow.Take(4)), "0 1 2 3", "all are good");
    flow.Ack(2, true);
    NS_TEST_EXPECT_MSG_EQ(flow.GetState(2), MrcPath::State::SKIP, "marked");
    flow.Ack(2);
    NS_TEST_EXPECT_MSG_EQ(flow.GetState(2), MrcPath::State::SKIP, "still");
    NS_TEST_EXPECT_MSG_EQ(Sorted(flow.Take(3)), "0 1 3", "one round without 2");
    NS_TEST_EXPECT_MSG_EQ(Sorted(flow.Take(4)), "0 1 2 3", "one with it");
    flow.m_paths->NotifyTrimmed(FIRST + 1, 0, false, false, flow.m_now);
    flow.m_paths->NotifyTrimmed(FIRST + 3, 0, true, false, flow.m_now);
    NS_TEST_EXPECT_MSG_EQ(Sorted(flow.Take(3)), "0 2 3", "trimmed, but not at the last hop");
    NS_TEST_EXPECT_MSG_EQ(Sorted(flow.Take(4)), "0 1 2 3", "all again");
    for (uint32_t value = 0; value < 4; ++value)
    {
        flow.Ack(value, true);
    }
    NS_TEST_EXPECT_MSG_EQ(Sorted(flow.Take(4)), "0 1 2 3", "if all are congested, none is better");
}

/// @return the value of the lost packet, which is assumed to be bad after this call
uint32_t
LosePacket(Flow& flow)
{
    const uint32_t psn = flow.m_next;
    const uint32_t bad = flow.Next();
    flow.Take(3);
    const uint32_t again = flow.Send(psn);
    NS_TEST_EXPECT_MSG_NE(again, bad, "the packet takes another one");
    return bad;
}

LOSSLESS_TEST(g_suite, "MRC tries a value that lost a packet each probe interval")
{
    Flow flow("MrcPath", 4);
    flow.m_paths->SetAttribute("ProbeInterval", TimeValue(MicroSeconds(50)));
    const uint32_t bad = LosePacket(flow);
    NS_TEST_EXPECT_MSG_EQ(flow.GetState(bad), MrcPath::State::ASSUMED_BAD, "silent");
    const auto count = [&flow, bad](uint32_t packets) {
        const std::vector<uint32_t> values = flow.Take(packets);
        return std::count(values.begin(), values.end(), bad);
    };
    NS_TEST_EXPECT_MSG_EQ(count(100), 0, "not used");
    flow.m_now += NanoSeconds(49999);
    NS_TEST_EXPECT_MSG_EQ(count(100), 0, "not yet");
    flow.m_now += NanoSeconds(1);
    NS_TEST_EXPECT_MSG_EQ(count(100), 1, "a probe");
    flow.m_now += NanoSeconds(49999);
    NS_TEST_EXPECT_MSG_EQ(count(100), 0, "no answer");
    flow.m_now += NanoSeconds(1);
    NS_TEST_EXPECT_MSG_EQ(count(100), 1, "another one");
    flow.Ack(bad);
    NS_TEST_EXPECT_MSG_EQ(flow.GetState(bad), MrcPath::State::GOOD, "it came through");
    NS_TEST_EXPECT_MSG_EQ_TOL(count(100), 25, 1, "one in a round");
}

LOSSLESS_TEST(g_suite, "the way of a packet is remembered, whatever its number, for 1024 packets")
{
    constexpr uint32_t DISTANCE = PathSelection::REMEMBERED;
    for (uint32_t psn : {0U, 1U, 700U, DISTANCE - 1, DISTANCE, 5 * DISTANCE + 3, (1U << 24) - 1})
    {
        Flow flow("MrcPath", 4);
        const uint32_t forgotten = flow.Send(psn);
        flow.Send((psn + DISTANCE) % (1U << 24));
        const uint32_t value = flow.Send(psn);
        NS_TEST_EXPECT_MSG_EQ(flow.GetState(forgotten), MrcPath::State::GOOD, "too long ago");
        flow.Send(psn);
        NS_TEST_EXPECT_MSG_EQ(flow.GetState(value), MrcPath::State::ASSUMED_BAD, "PSN " << psn);
    }
}

LOSSLESS_TEST(g_suite, "where all values lose packets, MRC takes any")
{
    Flow flow("MrcPath", 2);
    for (uint32_t psn : {0, 1, 0, 1, 0, 1})
    {
        flow.Send(psn);
    }
    NS_TEST_EXPECT_MSG_EQ(flow.GetState(0), MrcPath::State::ASSUMED_BAD, "0");
    NS_TEST_EXPECT_MSG_EQ(flow.GetState(1), MrcPath::State::ASSUMED_BAD, "1");
    flow.m_next = 10;
    const std::vector<uint32_t> values = flow.Take(400);
    // The tolerance is five standard deviations of a binomial count.
    NS_TEST_EXPECT_MSG_EQ_TOL(std::count(values.begin(), values.end(), 0), 200, 50, "half of them");
}

LOSSLESS_TEST(g_suite, "a packet that was trimmed and leaves again is no silent loss")
{
    for (const bool isLastHop : {false, true})
    {
        Flow flow("MrcPath", 4);
        const uint32_t value = flow.Send(0);
        flow.m_paths->NotifyTrimmed(FIRST + value, 0, isLastHop, false, flow.m_now);
        flow.Send(0);
        for (uint32_t i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_NE(flow.GetState(i), MrcPath::State::ASSUMED_BAD, "value " << i);
        }
    }
}

LOSSLESS_TEST(g_suite, "what comes back by a port of no value changes nothing")
{
    Flow flow("MrcPath", 4);
    flow.Ack(4, true);
    flow.Ack(16383, true);
    NS_TEST_EXPECT_MSG_EQ(Sorted(flow.Take(4)), "0 1 2 3", "all are good");
}

LOSSLESS_TEST(g_suite, "whatever is told at random, every value chosen exists")
{
    for (const char* type : {"RandomPath", "ObliviousPath", "FlowletPath", "RepsPath", "MrcPath"})
    {
        for (uint32_t seed = 1; seed <= 12; ++seed)
        {
            std::mt19937 random(seed);
            const uint32_t values = 1 + random() % 20;
            Flow flow(type, values, seed);
            for (uint32_t step = 0; step < 3000; ++step)
            {
                flow.m_now += NanoSeconds(random() % 100000);
                const uint32_t psn = (random() % 3 == 0 ? random() : flow.m_next++) % (1U << 24);
                NS_TEST_ASSERT_MSG_LT(flow.Send(psn), values, type << ", seed " << seed);
                flow.Ack(random() % values, random() % 4 == 0);
                if (random() % 5 == 0)
                {
                    flow.m_paths->NotifyTrimmed(FIRST + random() % values,
                                                random() % (1U << 24),
                                                random() % 2 == 0,
                                                random() % 2 == 0,
                                                flow.m_now);
                }
            }
        }
    }
}

LOSSLESS_TEST(g_suite, "a packet with another source port has it in its bytes and in its hash")
{
    RoceHeader header;
    header.SetAddresses(Ipv4Address("10.0.0.1"), Ipv4Address("10.0.0.2"));
    header.SetSourcePort(50000);
    header.SetPayloadSize(100);
    Frame frame = ParseFrame(UnbuiltPacket::Make(header)->Build());
    frame.packet = PacketRef(UnbuiltPacket::Make(header));
    const uint64_t hash = frame.flowHash;
    SetSourcePort(frame, 60000);
    const Frame built = ParseFrame(frame.packet);
    NS_TEST_EXPECT_MSG_EQ(built.flow.sourcePort, 60000, "in the bytes");
    NS_TEST_EXPECT_MSG_EQ(frame.flow.sourcePort, 60000, "in the field");
    NS_TEST_EXPECT_MSG_EQ(frame.flowHash, built.flowHash, "the hash of both");
    NS_TEST_EXPECT_MSG_NE(frame.flowHash, hash, "another one");
}

/// A run with a flow between two leaves. It counts the frames at each of four spines.
struct SpineRun
{
    explicit SpineRun(const std::string& type)
    {
        LeafSpineOptions options{2, 4, 1};
        options.delay = MicroSeconds(1);
        Fabric fabric(Topology::LeafSpine(options),
                      SwitchHelper(),
                      MakeNics({{"PathSelection", "ns3::lossless::" + type}}));
        fabric.StartFlows({{1, 0, 1, 3, 400000, Time(0), ""}});
        fabric.StopWhenFlowsAreDone(MilliSeconds(500));
        Simulator::Run();
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            if (fabric.GetSwitch(i)->GetNDevices() == 2) // spines have two ports, one for each leaf
            {
                m_frames.push_back(fabric.GetSwitch(i)->GetCounts().received);
            }
        }
        m_sent = fabric.GetNic(0)->GetCounts().dataSent;
        m_outOfOrder = fabric.GetNic(1)->GetCounts().outOfOrder;
        Simulator::Destroy();
    }

    std::size_t CountUsed() const
    {
        return m_frames.size() - std::count(m_frames.begin(), m_frames.end(), 0);
    }

    std::vector<uint64_t> m_frames; ///< number of frames per spine
    uint64_t m_sent{0};             ///< number of data packets sent
    uint64_t m_outOfOrder{0};       ///< number of packets out of order
};

LOSSLESS_TEST(g_suite, "packets of a sprayed flow, and their answers, take all spines")
{
    const SpineRun plain("FlowPath");
    // Data packets use one spine. Acknowledgements also use one spine, possibly the same one.
    NS_TEST_EXPECT_MSG_EQ((plain.CountUsed() == 1 || plain.CountUsed() == 2), true, "one path");
    for (const char* type : {"RandomPath", "ObliviousPath", "RepsPath", "MrcPath"})
    {
        const SpineRun run(type);
        NS_TEST_EXPECT_MSG_EQ(run.CountUsed(), 4, type << " uses all spines");
        // Because the network is otherwise idle and the paths are equal, packets arrive in order.
        NS_TEST_EXPECT_MSG_EQ(run.m_sent, 400, type << " repeats nothing");
        NS_TEST_EXPECT_MSG_EQ(run.m_outOfOrder, 0, type << " keeps the order");
    }
}

LOSSLESS_TEST(g_suite, "a receiver is listed whose only signal is that packets overtake each other")
{
    // Two senders at one leaf choose spines at random, so the queue lengths differ.
    LeafSpineOptions options{2, 4, 2};
    const ObjectFactory nics =
        MakeNics({{"PathSelection", "ns3::lossless::RandomPath"},
                  {"Reliability", "ns3::lossless::Unordered[ReorderDegree=0]"}});
    Fabric fabric(Topology::LeafSpine(options), SwitchHelper(), nics);
    SignalRecorder recorder;
    recorder.WatchNic("h2", PortId{0}, fabric.GetNic(2));
    fabric.StartFlows({{1, 0, 2, 3, 400000, Time(0), ""}, {2, 1, 3, 3, 400000, Time(0), ""}});
    fabric.StopWhenFlowsAreDone(MilliSeconds(500));
    Simulator::Run();
    const RoceNic::Counts& counts = fabric.GetNic(2)->GetCounts();
    NS_TEST_EXPECT_MSG_GT(counts.placed, 0, "packets came beyond a gap");
    NS_TEST_EXPECT_MSG_EQ(counts.naksSent + counts.duplicates + counts.dataSent, 0, "and no more");
    NS_TEST_EXPECT_MSG_EQ(recorder.GetTable().rows.size(), 1, "it has a row");
}

LOSSLESS_TEST(g_suite, "the answer to a packet has its source port")
{
    Fabric fabric(Topology::Star({2, DataRate("100Gbps"), MicroSeconds(1)}),
                  SwitchHelper(),
                  MakeNics({{"PathSelection", "ns3::lossless::ObliviousPath"}}));
    std::map<uint32_t, uint16_t> dataPorts;   // source ports of data packets, indexed by PSN
    std::map<uint32_t, uint16_t> answerPorts; // source ports of responses, indexed by PSN
    for (uint32_t host : {0, 1})
    {
        ListenTo(*fabric.GetHostDevice(host), "PhyTxBegin", [&](Ptr<const Packet> packet) {
            if (const auto header = RoceHeader::Peek(*packet))
            {
                const bool isAnswer = header->GetOpcode() == RoceOpcode::ACKNOWLEDGE;
                (isAnswer ? answerPorts : dataPorts)[header->GetPsn()] = header->GetSourcePort();
            }
        });
    }
    fabric.StartFlows({{1, 0, 1, 3, 200000, Time(0), ""}});
    fabric.StopWhenFlowsAreDone(Seconds(1), Fabric::FlowEnd::ACKNOWLEDGED);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(dataPorts.size(), 200, "packets");
    NS_TEST_EXPECT_MSG_EQ((answerPorts == dataPorts), true, "port by port");
    std::set<uint16_t> ports;
    for (const auto& [psn, port] : dataPorts)
    {
        ports.insert(port);
    }
    NS_TEST_EXPECT_MSG_EQ(ports.size(), 64, "as many as there are values by default");
}

LOSSLESS_TEST(g_suite, "where packets share answers, that to a marked one has its source port")
{
    const ObjectFactory nics = MakeNics({{"PathSelection", "ns3::lossless::ObliviousPath"},
                                         {"Reliability", "ns3::lossless::Unordered"},
                                         {"AckInterval", "4"}});
    SwitchHelper switches;
    switches.SetMarker("ns3::lossless::StepMarker", "Threshold", UintegerValue(50000));
    Fabric fabric(Topology::Star({3, DataRate("100Gbps"), MicroSeconds(1)}), switches, nics);
    std::vector<uint32_t> marked;   // source ports of marked data frames, in order of arrival
    std::vector<uint32_t> answered; // source ports of acknowledgements of marked data, in order
    const auto device = fabric.GetHostDevice(2);
    ListenTo(*device, "PhyRxEnd", [&marked](Ptr<const Packet> packet) {
        const auto header = RoceHeader::Peek(*packet);
        if (header && header->IsMarked())
        {
            marked.push_back(header->GetSourcePort());
        }
    });
    ListenTo(*device, "PhyTxBegin", [&answered](Ptr<const Packet> packet) {
        const auto header = RoceHeader::Peek(*packet);
        if (header && header->GetBecn())
        {
            answered.push_back(header->GetSourcePort());
        }
    });
    fabric.StartFlows({{1, 0, 2, 3, 200000, Time(0), ""}, {2, 1, 2, 3, 200000, Time(0), ""}});
    fabric.StopWhenFlowsAreDone(Seconds(1), Fabric::FlowEnd::ACKNOWLEDGED);
    Simulator::Run();
    // Two packets arrive in the time in which one leaves, so 50 of the first 100 packets that
    // arrive are still waiting.
    NS_TEST_EXPECT_MSG_EQ((marked.size() > 200), true, "most are marked");
    NS_TEST_EXPECT_MSG_EQ((marked.size() < 400), true, "but the first");
    NS_TEST_EXPECT_MSG_EQ(ToText(answered), ToText(marked), "an answer for each of them");
    const uint64_t answers = fabric.GetNic(2)->GetCounts().acksSent;
    NS_TEST_EXPECT_MSG_EQ((answers < 400), true, "and one for several of the others");
}

std::map<uint16_t, uint32_t>
CountFlows(WeightedForwarding& forwarding, uint32_t flows)
{
    const auto buffer = CreateObject<SharedBuffer>();
    std::map<uint16_t, uint32_t> counts;
    for (uint32_t flow = 0; flow < flows; ++flow)
    {
        SwitchItem item;
        item.frame.flow.destination = GetHostAddress(0).Get();
        item.frame.flow.sourcePort = static_cast<uint16_t>(flow);
        item.frame.flowHash = HashOf(item.frame.flow);
        if (const auto port = forwarding.Route(item, *buffer))
        {
            ++counts[Index(*port)];
        }
    }
    return counts;
}

LOSSLESS_TEST(g_suite, "weighted routing gives ports flows by their rates, and none without a link")
{
    auto forwarding = CreateObject<WeightedForwarding>();
    forwarding->Configure(0, {DataRate("100Gbps"), DataRate("300Gbps"), DataRate("400Gbps")});
    forwarding->SetRoute(GetHostAddress(0), {PortId{0}, PortId{1}, PortId{2}});
    const auto expect = [&forwarding](const std::vector<double>& shares, const std::string& what) {
        std::map<uint16_t, uint32_t> counts = CountFlows(*forwarding, 8000);
        for (uint16_t port = 0; port < 3; ++port)
        {
            const double tolerance = 5 * std::sqrt(8000 * shares[port] * (1 - shares[port]));
            NS_TEST_EXPECT_MSG_EQ_TOL(counts[port],
                                      8000 * shares[port],
                                      tolerance,
                                      what << ", port " << port);
        }
    };
    expect({0.125, 0.375, 0.5}, "by rate");
    forwarding->NotifyLinkChanged(PortId{2}, false);
    expect({0.25, 0.75, 0}, "a link is down");
    forwarding->NotifyLinkChanged(PortId{0}, false);
    expect({0, 1, 0}, "two are");
    forwarding->NotifyLinkChanged(PortId{1}, false);
    expect({1, 0, 0}, "none is up: the first tells the switch so");
    forwarding->NotifyLinkChanged(PortId{2}, true);
    expect({0, 0, 1}, "a link is back");
}

} // namespace ns3::lossless::tests::THIS_FILE
