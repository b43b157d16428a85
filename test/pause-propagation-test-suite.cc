// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/wheel-simulator-impl.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-pause-propagation", SYSTEM);

/// The rate of the links, at which each byte takes 1 ns on the wire.
const DataRate RATE("8Gbps");
const Time DELAY = MicroSeconds(1);

constexpr uint8_t CLASS = 1;

constexpr uint32_t PAYLOAD = 1000;

/// The pause threshold of the small switches, which pause a neighbour at more than 51 full frames.
const uint64_t XOFF_BYTES = 51 * RoceNic::GetFrameBytes(PAYLOAD);

ObjectFactory
MakeNics()
{
    return ObjectFactory("ns3::lossless::RoceNic", "PayloadBytes", UintegerValue(PAYLOAD));
}

/// @return small switches that pause a neighbour above XOFF_BYTES and resume it below half of that
SwitchHelper
MakeSwitches()
{
    return MakeStaticSwitch(XOFF_BYTES,
                            XOFF_BYTES / 2,
                            {{"PrivateBytes", 0}, {"HeadroomBytes", XOFF_BYTES}});
}

/// @return the depths in the format "depth:pauses/queues/hosts ..."
std::string
ListDepths(const ResultsWriter& results)
{
    std::ostringstream text;
    for (const PauseDepthRecord& record : results.Get<PausePropagation>()->GetDepths())
    {
        text << record.depth << ":" << record.pauses << "/" << record.queues << "/" << record.hosts
             << " ";
    }
    return text.str();
}

std::vector<VictimRecord>
GetVictims(const ResultsWriter& results)
{
    return results.Get<PausePropagation>()->GetVictims(results.Get<FlowRecorder>()->GetFlows());
}

/// Reduces the rate from a switch to its first host to a tenth.
void
SlowFirstPort(const Fabric& fabric, uint32_t index)
{
    fabric.GetSwitch(index)->GetPortDevice(PortId{0})->SetAttribute(
        "DataRate",
        DataRateValue(DataRate("800Mbps")));
}

LOSSLESS_TEST(g_suite, "Without a pause there is no depth and no victim")
{
    Fabric fabric(Topology::Line({{1, 0, 1}, RATE, RATE, DELAY}), MakeSwitches(), MakeNics());
    ResultsWriter results("");
    results.AddFabric(fabric);
    fabric.StartFlows({{0, 0, 1, CLASS, 200 * PAYLOAD, Time(0), ""}});
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ListDepths(results), "", "no pause");
    NS_TEST_EXPECT_MSG_EQ(results.Get<PausePropagation>()->CountStoppedHosts(), 0, "no host");
    NS_TEST_EXPECT_MSG_EQ(GetVictims(results).size(), 0, "no victim");
}

/// The network is the line h0 - s0 - s1 - s2 - h1, and h1 accepts nothing from 10 us onwards. The
/// ingress queues fill one after another, and each causes one pause. All frames of an ingress queue
/// are in one egress queue. The first pause is that of s2, which has depth 1 (a host is not a
/// switch) and stops s1. The pause of s1 has depth 2 and stops s0, and the pause of s0 has depth 3
/// and stops the host.
LOSSLESS_TEST(g_suite, "Pauses along a chain of three switches have the depths 1, 2 and 3")
{
    Fabric fabric(Topology::Line({{1, 0, 1}, RATE, RATE, DELAY}), MakeSwitches(), MakeNics());
    ResultsWriter results("");
    results.AddFabric(fabric);
    fabric.StartFlows({{0, 0, 1, CLASS, 1000 * PAYLOAD, Time(0), ""}});
    for (const uint32_t at : {10, 2000}) // a pause lasts at most 4194 us
    {
        SendPfcIn(MicroSeconds(at), fabric.GetHostDevice(1), SetOf(Priority{CLASS}), 0xffff);
    }
    RunFor(MilliSeconds(3));
    NS_TEST_EXPECT_MSG_EQ(ListDepths(results), "1:1/1/0 2:1/1/0 3:1/1/1 ", "one pause each");
    NS_TEST_EXPECT_MSG_EQ(results.Get<PausePropagation>()->CountStoppedHosts(), 1, "h0");
    NS_TEST_EXPECT_MSG_EQ(GetVictims(results).size(), 0, "the root is on the flow's path");
}

/// The network is the basic unit in Fig. 13 of the DSH paper. F0 from h0 to h2 and F1 from h1 to h3
/// share the link s0-s1. From 50 us on, 24 hosts at s1 send 64 kB each to h3, or 1.5 MB in total
/// within 5 us.
///
/// s1 has 27 ports. Each of their 7 lossless classes has 56 840 B of headroom and 3072 B of private
/// buffer. With SIH, 5.45 MB remain for the shared buffer, so during the fan-in, the threshold of
/// an ingress queue is about (5.45 MB - 1.54 MB) / 16 = 245 kB. F1 reaches it at 50 Gb/s after
/// 39 us at the earliest, long before the fan-in has drained (126 us), and s1 pauses s0. At that
/// time, the ingress queue holds frames for h3 but none for h2, except possibly one in
/// transmission. The root is therefore the queue to h3, at port 1 of s1 (h2 is at port 0), which F1
/// and the fan-in flows traverse but F0 does not. s0 in turn pauses its hosts because of that queue
/// or because they share the link s0-s1, which both F0 and F1 traverse. F0 is the only victim. A
/// flow of h0 that ends before the fan-in and a flow that starts at 4 ms, after all pauses, are not
/// victims.
///
/// DSH reserves only 57 kB per port, so a queue pauses its neighbour above (14.66 MB - 1.54 MB) /
/// 16 - 57 kB = 763 kB, and this threshold rises while the fan-in drains. During the 123 us of the
/// fan-in, F1 adds 770 kB at 50 Gb/s, of which more than 7 kB leave in the meantime. s1 therefore
/// does not pause s0, and there are no victims.
void
CheckVictims(const std::string& type, const std::string& expected)
{
    const std::string folder = CreateTempDirFilename("results-" + type);
    Fabric fabric(Topology::Line(), SwitchHelper("ns3::lossless::" + type), MakeNics());
    ResultsWriter results(folder);
    results.AddFabric(fabric);
    FlowList flows{{0, 0, 2, CLASS, 4000000, Time(0), ""},
                   {1, 1, 3, CLASS, 4000000, Time(0), ""},
                   {2, 0, 2, CLASS, 1000, Time(0), ""},
                   {3, 0, 2, CLASS, 1000, MilliSeconds(4), ""}};
    for (uint32_t host = 4; host < 28; ++host)
    {
        flows.push_back({host, host, 3, CLASS, 64000, MicroSeconds(50), ""});
    }
    fabric.StartFlows(flows);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((results.GetVerdict().outcome == RunOutcome::LOSSLESS), true, "arrived");
    std::string victims;
    for (const VictimRecord& victim : GetVictims(results))
    {
        victims += std::to_string(victim.flow) + " ";
        NS_TEST_EXPECT_MSG_EQ(victim.node, "s1", "stopped by s1");
        NS_TEST_EXPECT_MSG_EQ(Index(victim.port), 26, "by its port to s0");
        NS_TEST_EXPECT_MSG_EQ(victim.root, "s1", "because of s1's queue");
        NS_TEST_EXPECT_MSG_EQ(Index(victim.rootPort), 1, "to h3");
        NS_TEST_EXPECT_MSG_GT(victim.first, MicroSeconds(50 + 39), "not before F1 has come");
        NS_TEST_EXPECT_MSG_LT(victim.first, MicroSeconds(50 + 126), "while it is there");
    }
    NS_TEST_EXPECT_MSG_EQ(victims, expected, "victims");
    // The files must contain the same results as the recorders.
    NS_TEST_ASSERT_MSG_EQ(results.Write().has_value(), false, "written");
    std::ostringstream table;
    table << "id,pauses,first_ns,node,port,root_node,root_port\n";
    for (const VictimRecord& victim : GetVictims(results))
    {
        table << victim.flow << "," << victim.pauses << "," << victim.first.GetNanoSeconds()
              << ",s1,26,s1,1\n";
    }
    NS_TEST_EXPECT_MSG_EQ(ReadFile(folder + "/victims.csv"), table.str(), "victims.csv");
    table.str("depth,pauses,queues,hosts\n");
    table.seekp(0, std::ios::end);
    uint64_t pauses = 0;
    for (const PauseDepthRecord& record : results.Get<PausePropagation>()->GetDepths())
    {
        table << record.depth << "," << record.pauses << "," << record.queues << "," << record.hosts
              << "\n";
        pauses += record.pauses;
    }
    NS_TEST_EXPECT_MSG_EQ(ReadFile(folder + "/pause-depths.csv"), table.str(), "depths");
    uint64_t counted = 0;
    for (const PauseRecord& record : results.Get<PauseRecorder>()->GetPauses())
    {
        counted += record.pauses;
    }
    NS_TEST_EXPECT_MSG_EQ(pauses, counted, "each pause has a depth");
    const std::string run = ReadFile(folder + "/run.json");
    const std::string count = std::to_string(GetVictims(results).size());
    for (const std::string& member : {"\"pauses\": " + std::to_string(pauses),
                                      "\"victim_flows\": " + count,
                                      std::string("\"deadlock\": false"),
                                      std::string("\"deadlock_onset_ns\": null")})
    {
        ExpectPart(run, member);
    }
}

/// @param packets the number of packets from h0
/// @return the number of victims, and the number of frames waiting from s0 to s1 when the pause
/// ends
std::pair<std::size_t, uint32_t>
CountVictims(uint32_t packets)
{
    Fabric fabric(Topology::Line({{2, 1, 1}, RATE, RATE, DELAY}), MakeSwitches(), MakeNics());
    SlowFirstPort(fabric, 1);
    ResultsWriter results("");
    results.AddFabric(fabric);
    fabric.StartFlows({{0, 0, 2, CLASS, packets * PAYLOAD, Time(0), ""},
                       {1, 1, 3, CLASS, PAYLOAD, MicroSeconds(64), ""}});
    if (WheelSimulatorImpl* simulator = WheelSimulatorImpl::Peek())
    {
        // An event of s1 accesses s0.
        simulator->JoinNodes(fabric.GetSwitch(0)->GetId(), fabric.GetSwitch(1)->GetId());
    }
    std::optional<uint32_t> left;
    ListenTo(*fabric.GetSwitch(1)->GetFlowControl(),
             "QueueState",
             [&](QueueId queue, bool isStopped) {
                 const Ptr<LosslessNetDevice> peer =
                     fabric.GetSwitch(1)->GetPortDevice(queue.port)->GetPeer();
                 if (!isStopped && !left)
                 {
                     const PortId port{static_cast<uint16_t>(peer->GetIfIndex())};
                     left = fabric.GetSwitch(0)
                                ->GetSharedBuffer()
                                ->GetEgress({port, Priority{CLASS}})
                                .frames;
                 }
             });
    Simulator::Run();
    const auto& flows = results.Get<FlowRecorder>()->GetFlows();
    NS_TEST_EXPECT_MSG_EQ((results.Get<PauseRecorder>()->GetPauses().empty()), false, "s1 pauses");
    Time paused;
    for (const PauseRecord& record : results.Get<PauseRecorder>()->GetPauses())
    {
        paused = record.node == "s1" ? record.firstPause.value_or(paused) : paused;
    }
    NS_TEST_EXPECT_MSG_LT(flows.at(1).start, paused, "started before the pause");
    NS_TEST_EXPECT_MSG_GT(flows.at(1).received, paused, "and has not arrived then");
    const std::size_t victims = GetVictims(results).size();
    Simulator::Destroy();
    return {victims, left.value_or(UINT32_MAX)};
}

/// A pause does not affect any flow if no frame waits for its end. h0 sends packets to h2 at s1,
/// and the link of h2 is ten times slower. s1 pauses s0 when it holds 52 of these packets. This
/// happens with the 58th packet, 4 + 58 us (with 8 % for headers, 67 us) after the start. s0
/// responds about 6 us later. A packet from h1 to h3 at s2 that starts at 64 us has left s0 by
/// then, and arrives at about 73 us. If h0 sends 62 packets, all of them have left s0 when the
/// pause takes effect, and none waits. If h0 sends 200, the remaining packets wait at s0 when the
/// pause ends; the packet from h1 could have been among them, and its path avoids the root. If one
/// packet is left, it counts as being on the wire; if two are left, one of them waits.
LOSSLESS_TEST(g_suite, "A pause for which no frame waits makes no victim")
{
    NS_TEST_EXPECT_MSG_EQ(CountVictims(62).first, 0, "nobody waits");
    NS_TEST_EXPECT_MSG_EQ(CountVictims(200).first, 1, "frames wait");
    std::set<uint32_t> seen;
    for (uint32_t packets = 62; packets < 72; ++packets)
    {
        const auto [victims, left] = CountVictims(packets);
        NS_TEST_EXPECT_MSG_EQ(victims, (left > 0 ? 1 : 0), left << " frames of " << packets);
        seen.insert(left);
    }
    NS_TEST_EXPECT_MSG_EQ(seen.count(0) + seen.count(1) + seen.count(2), 3, "0, 1 and 2");
}

/// h0 sends 58 packets to h3, whose port is ten times slower, so s2 pauses s1 only when the last
/// packet has left s1. A packet from h1 to h4 arrives at s1 later and waits there alone.
LOSSLESS_TEST(g_suite, "A flow is a victim though its only packet is all that waits")
{
    Fabric fabric(Topology::Line({{2, 1, 2}, RATE, RATE, DELAY}), MakeSwitches(), MakeNics());
    SlowFirstPort(fabric, 2);
    ResultsWriter results("");
    results.AddFabric(fabric);
    const Time start = MicroSeconds(100);
    fabric.StartFlows(
        {{0, 0, 3, CLASS, 58 * PAYLOAD, Time(0), ""}, {1, 1, 4, CLASS, PAYLOAD, start, ""}});
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ListDepths(results), "1:1/1/0 ", "s2 stops s1 alone");
    const Time received = results.Get<FlowRecorder>()->GetFlows().at(1).received;
    NS_TEST_EXPECT_MSG_GT(received - start, MicroSeconds(200), "the packet has waited");
    const auto victims = GetVictims(results);
    NS_TEST_ASSERT_MSG_EQ(victims.size(), 1, "victims");
    NS_TEST_EXPECT_MSG_EQ(victims[0].flow, 1, "which");
    NS_TEST_EXPECT_MSG_EQ(victims[0].pauses, 1, "by that one pause");
}

/// The outcome for a packet from h1 that is sent near the start or end of a pause.
struct Outcome
{
    Time stop;              ///< start of the pause
    Time restart;           ///< end of the pause
    Time received;          ///< arrival time of the packet
    std::size_t victims{0}; ///< number of victims
};

/// @param start the start time of the packet from h1
Outcome
Send(Time start)
{
    SwitchHelper switches = MakeSwitches();
    switches.SetPolicyAttribute("HeadroomBytes", UintegerValue(200000));
    Fabric fabric(Topology::Line({{2, 1, 2}, RATE, RATE, MicroSeconds(50)}), switches, MakeNics());
    SlowFirstPort(fabric, 2);
    ResultsWriter results("");
    results.AddFabric(fabric);
    fabric.StartFlows(
        {{0, 0, 3, CLASS, 180 * PAYLOAD, Time(0), ""}, {1, 1, 4, CLASS, PAYLOAD, start, ""}});
    Outcome outcome;
    ListenTo(*fabric.GetSwitch(2)->GetFlowControl(), "QueueState", [&](QueueId, bool isStopped) {
        (isStopped ? outcome.stop : outcome.restart) = Simulator::Now();
    });
    Simulator::Run();
    outcome.received = results.Get<FlowRecorder>()->GetFlows().at(1).received;
    outcome.victims = GetVictims(results).size();
    Simulator::Destroy();
    return outcome;
}

/// Three switches are connected by cables of 50 us. s2 pauses s1 when it holds 52 of the 180
/// packets that h0 sends to h3, whose link is ten times slower, and resumes it about 1.3 ms later.
/// After the start of the pause, frames from s1 arrive at s2 for another 100 us, and the last cable
/// adds 50 us. A packet from h1 to h4 that is received within 150 us of the pause has thus left s1
/// before s1 could be paused, although it is still in flight when the pause begins. A packet that
/// starts no earlier than 50 us before s2 resumes s1 reaches s1 only after the pause has ended at
/// s2, because the delay of its first cable is 50 us.
LOSSLESS_TEST(g_suite, "A flow that passes before or after a pause is no victim of it")
{
    std::set<bool> early;
    std::set<bool> late;
    for (int64_t us = 0; us <= 1700; us += 17)
    {
        const Time start = MicroSeconds(us);
        const Outcome outcome = Send(start);
        const bool isEarly = outcome.received - outcome.stop <= MicroSeconds(150);
        const bool isLate = start >= outcome.restart - MicroSeconds(50);
        NS_TEST_EXPECT_MSG_EQ(outcome.victims, (isEarly || isLate ? 0 : 1), us << " us");
        early.insert(isEarly);
        late.insert(isLate);
    }
    NS_TEST_EXPECT_MSG_EQ(early.size() + late.size(), 4, "before, during and after");
}

/// Pauses a class of a port on request, regardless of the stored frames, and resumes it when the
/// next frame leaves.
class ArbitraryPfc : public PfcFlowControl
{
  public:
    LOSSLESS_TEST_TYPE(ArbitraryPfc, PfcFlowControl);

    void Stop(PortId port)
    {
        m_stops = true;
        Reassess({port, Priority{CLASS}});
        m_stops = false;
    }

  private:
    Demand Assess(QueueId) const override
    {
        return m_stops ? Demand::PAUSE : Demand::RESUME;
    }

    bool m_stops{false}; ///< true during Stop()
};

/// The switch pauses h0 at time 0, when nothing is stored. This pause has depth 1 and no root. The
/// pause lasts until the first frame of the flow from h0 has left; h0 sends this frame before the
/// pause takes effect. The pause affects the flow, but no queue caused it, so the flow is not a
/// victim of congestion elsewhere.
LOSSLESS_TEST(g_suite, "A pause without a frame in store has no root and no victim")
{
    Fabric fabric(Topology::Line({{1, 1}, RATE, RATE, DELAY}), MakeSwitches(), MakeNics());
    auto pfc = CreateObject<ArbitraryPfc>();
    fabric.GetSwitch(0)->SetFlowControl(pfc);
    ResultsWriter results("");
    results.AddFabric(fabric);
    fabric.StartFlows({{0, 0, 1, CLASS, 20 * PAYLOAD, Time(0), ""}});
    const auto port = static_cast<uint16_t>(fabric.GetHostDevice(0)->GetPeer()->GetIfIndex());
    Simulator::Schedule(Time(0), [pfc, port]() { pfc->Stop(PortId{port}); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ListDepths(results), "1:1/1/1 ", "one pause, of h0");
    NS_TEST_EXPECT_MSG_EQ(GetVictims(results).size(), 0, "no victim");
}

struct SpokenFlowControl : FlowControl
{
    using FlowControl::PauseFor;
    using FlowControl::SetStopped;
};

/// If a queue is already paused without a time limit, a timed pause is not counted separately. For
/// the switch, the timed pause of 60 us ends at 65 us, regardless of the cable delay.
LOSSLESS_TEST(g_suite, "a timed pause of a stopped queue is a part of that stop")
{
    constexpr QueueId queue{PortId{0}, Priority{CLASS}};
    auto control = CreateObject<SpokenFlowControl>();
    auto node = CreateObject<SwitchNode>();
    node->SetFlowControl(control);
    Star star(node, 2, {DataRate("100Gbps"), MicroSeconds(1)});
    PausePropagation propagation;
    propagation.WatchSwitch("s0", node);
    Simulator::Schedule(MicroSeconds(10), [=] { control->SetStopped(queue, true); });
    Simulator::Schedule(MicroSeconds(20), [=] { control->PauseFor(queue, MicroSeconds(5)); });
    Simulator::Schedule(MicroSeconds(40), [=] { control->SetStopped(queue, false); });
    Simulator::Schedule(MicroSeconds(60), [=] { control->PauseFor(queue, MicroSeconds(5)); });
    Simulator::Schedule(NanoSeconds(65500), [=] { control->PauseFor(queue, MicroSeconds(5)); });
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(propagation.GetDepths().size(), 1, "of one depth");
    NS_TEST_EXPECT_MSG_EQ(propagation.GetDepths()[0].pauses, 3, "the stop, and two alone");
}

LOSSLESS_TESTS(g_suite)
{
    for (const auto& [type, victims] : {std::pair("PfcSwitchNode", "0 "), {"DshSwitchNode", ""}})
    {
        g_suite.Add(std::string("DSH, Fig. 13: victims with ") + type,
                    [type = type, victims = victims] { CheckVictims(type, victims); });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
