// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/bit-error-model.h"
#include "ns3/failure-plan.h"
#include "ns3/link-retry.h"
#include "ns3/listen-to.h"
#include "ns3/pause-storm.h"
#include "ns3/ranks.h"
#include "ns3/record-archive.h"
#include "ns3/retry-recorder.h"

// Tests links that are cut, restored, slowed down or affected by errors during a run. The tests
// check losses by reason, route updates, and the recovery of every scheme.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-link-failures", SYSTEM);

/// @return two leaves with two hosts each (h0 to h3) and two spines, with links for which the
/// default buffers of every scheme suffice
Topology
MakeTopology()
{
    LeafSpineOptions options{2, 2, 2};
    options.hostRate = DataRate("10Gbps");
    options.fabricRate = DataRate("10Gbps");
    options.delay = NanoSeconds(100);
    return Topology::LeafSpine(options);
}

uint32_t
FindLink(const Topology& topology, const std::string& a, const std::string& b)
{
    return topology.FindLinks(*topology.FindNode(a), *topology.FindNode(b)).at(0);
}

/// @param fabric a network whose links have a LinkRetry
Ptr<RetryRecorder>
WatchRetries(const Fabric& fabric)
{
    auto recorder = CreateObject<RetryRecorder>();
    const Topology& topology = fabric.GetTopology();
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        recorder->WatchSwitch(topology.GetNodes()[topology.GetSwitches()[i]].name,
                              fabric.GetSwitch(i));
    }
    for (uint32_t i = 0; i < fabric.GetNHosts(); ++i)
    {
        recorder->WatchHost(topology.GetNodes()[topology.GetHosts()[i]].name, fabric.GetHost(i));
    }
    return recorder;
}

struct Scene
{
    explicit Scene(const SchemeInfo& scheme = FindPart<SchemeInfo>("PFC").value())
        : Scene(SwitchHelper(scheme))
    {
    }

    explicit Scene(const SwitchHelper& switches,
                   const Topology& network = MakeTopology(),
                   bool hasRetry = false)
        : topology(network),
          fabric(topology, switches),
          results("")
    {
        if (hasRetry)
        {
            fabric.InstallRetry();
        }
        fabric.AssignStreams(1);
        results.AddFabric(fabric);
    }

    void Add(uint32_t source, uint32_t destination, uint64_t bytes, Time start)
    {
        flows.push_back({flows.size(), source, destination, 3, bytes, start, ""});
    }

    /// Runs the flows and the failure plan.
    void Run(FailurePlan& plan, Time until)
    {
        plan.Install(fabric);
        plan.AssignStreams(1000);
        fabric.StartFlows(flows);
        RunFor(until);
    }

    /// @return the number of lost frames, except control frames, for each reason, such as
    /// "link-down 3, no-route 5"
    std::string GetDrops() const
    {
        std::map<std::string, uint64_t> frames;
        for (const DropRecord& drop : results.Get<DropRecorder>()->GetDrops())
        {
            frames[ToString(drop.reason)] += drop.isControl ? 0 : drop.frames;
        }
        std::string text;
        for (const auto& [reason, count] : frames)
        {
            text += (text.empty() ? "" : ", ") + reason + " " + std::to_string(count);
        }
        return text;
    }

    std::string GetReasons() const
    {
        std::string text;
        for (const char c : GetDrops())
        {
            text += c >= '0' && c <= '9' ? "" : std::string(1, c);
        }
        return text;
    }

    Topology topology;     ///< topology of the network
    Fabric fabric;         ///< the network
    ResultsWriter results; ///< results of the run
    FlowList flows;        ///< flows to be sent
};

std::string
Read(const std::string& text, FailurePlan& plan)
{
    const std::string path = CreateTempDirFilename("failures.csv");
    std::ofstream(path) << text;
    const std::string said = plan.ReadCsv(path, MakeTopology()).value_or("");
    return said.empty() ? "" : said.substr(said.rfind('/') + 1);
}

LOSSLESS_TEST(g_suite, "A file of events is read, and whatever is wrong with it is told")
{
    const std::string header = "time,event,node_a,node_b,value,direction\n";
    FailurePlan plan;
    NS_TEST_EXPECT_MSG_EQ(Read(header + "1ms,down,leaf0,spine1,,\n2ms,up,leaf0,spine1,,\n"
                                        "3us,rate,h0,leaf0,2.5Gbps,both\n"
                                        "0s,bit-errors,spine0,leaf1,1e-9,forward\n"
                                        "4ms,dead,leaf0,h1,,forward\n5ms,down,spine0,,,\n",
                               plan),
                          "",
                          "read");
    const Topology topology = MakeTopology();
    const auto& events = plan.GetEvents();
    NS_TEST_ASSERT_MSG_EQ(events.size(), 7, "a spine has two links");
    NS_TEST_EXPECT_MSG_EQ(events[0].link, FindLink(topology, "leaf0", "spine1"), "link");
    NS_TEST_EXPECT_MSG_EQ(events[2].rate, DataRate("2.5Gbps"), "rate");
    NS_TEST_EXPECT_MSG_EQ(events[2].from.has_value(), false, "both directions");
    NS_TEST_EXPECT_MSG_EQ(events[3].bitErrorRate, 1e-9, "errors");
    NS_TEST_EXPECT_MSG_EQ(events[3].from.value(), *topology.FindNode("spine0"), "from there");
    NS_TEST_EXPECT_MSG_EQ(events[6].at, MilliSeconds(5), "time");
    FailurePlan cut;
    Topology failing = MakeTopology();
    failing.FailLink("leaf0", "spine1");
    cut.AddNode(MilliSeconds(1), FailureKind::UP, *failing.FindNode("spine1"), failing);
    NS_TEST_ASSERT_MSG_EQ(cut.GetEvents().size(), 1, "what has failed from the start stays so");
    NS_TEST_EXPECT_MSG_EQ(cut.GetEvents()[0].link, FindLink(failing, "leaf1", "spine1"), "other");
    for (const auto& [line, sentence] : std::vector<std::pair<std::string, std::string>>{
             {"1,down,leaf0,spine1,,", "a time of at least 0 with a unit, as 1ms"},
             {"1.5ns,down,leaf0,spine1,,", "a multiple of 1ns"},
             {"1ms,off,leaf0,spine1,,", "down, up, rate, bit-errors, dead or alive"},
             {"1ms,down,leaf9,spine1,,", "a node of the network"},
             {"1ms,down,leaf0,leaf1,,", "a node with a link to node_a"},
             {"1ms,rate,spine0,,1Gbps,", "a node with a link to node_a"},
             {"1ms,rate,leaf0,spine1,0Gbps,", "a rate above 0"},
             {"1ms,bit-errors,leaf0,spine1,2,", "a share of wrong bits from 0 to 1"},
             {"1ms,down,leaf0,spine1,5,", "empty, but for rate and bit-errors"},
             {"1ms,down,leaf0,spine1,,forward", "of bit-errors, dead and alive, forward"},
         })
    {
        FailurePlan none;
        const std::string said = Read(header + line + "\n", none);
        ExpectBegin(said, "failures.csv:2: ");
        ExpectPart(said, sentence);
    }
}

LOSSLESS_TEST(g_suite, "Without routes that follow a flow waits for its link; with them it goes")
{
    for (const bool isFollowed : {false, true})
    {
        Scene scene;
        // Each of the two uplinks of leaf0 carries some of these flows. The links of spine0 fail at
        // 100 us.
        for (uint32_t i = 0; i < 8; ++i)
        {
            scene.Add(i % 2, 2 + i % 2, 100000, MicroSeconds(0));
        }
        FailurePlan plan;
        plan.AddNode(MicroSeconds(100),
                     FailureKind::DOWN,
                     *scene.topology.FindNode("spine0"),
                     scene.topology);
        plan.SetRerouteAfter(isFollowed ? std::make_optional(MicroSeconds(50)) : std::nullopt);
        scene.Run(plan, MilliSeconds(100));
        const RunVerdict verdict = scene.results.GetVerdict();
        NS_TEST_EXPECT_MSG_EQ((verdict.unfinishedFlows == 0), isFollowed, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(scene.GetReasons(), "link-down ", "lost by the cut");
        NS_TEST_EXPECT_MSG_EQ(verdict.losslessClassFrames, 0, "none by congestion");
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "What has no path left is without a route, and comes when routes return")
{
    Scene scene;
    scene.Add(0, 2, 2000000, Time(0)); // takes 1.7 ms
    FailurePlan plan;
    const uint32_t link = FindLink(scene.topology, "leaf1", "h2");
    plan.Add({MicroSeconds(200), FailureKind::DOWN, link});
    plan.Add({MicroSeconds(700), FailureKind::UP, link});
    plan.SetRerouteAfter(MicroSeconds(100));
    scene.Run(plan, MilliSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(scene.results.GetVerdict().unfinishedFlows, 0, "arrives");
    NS_TEST_EXPECT_MSG_EQ(scene.GetReasons(), "link-down , no-route ", "both names");
}

LOSSLESS_TEST(g_suite, "A link is up again when all that has cut it is")
{
    Scene scene;
    const Topology& topology = scene.topology;
    const auto leaf = topology.FindNode("leaf0").value();
    const auto spine = topology.FindNode("spine0").value();
    const uint32_t link = FindLink(topology, "leaf0", "spine0");
    FailurePlan plan;
    plan.AddNode(MicroSeconds(1), FailureKind::DOWN, spine, topology);
    plan.Add({MicroSeconds(2), FailureKind::DOWN, link});
    plan.Add({MicroSeconds(2), FailureKind::DOWN, link}); // no change of state
    plan.AddNode(MicroSeconds(3), FailureKind::DOWN, leaf, topology);
    plan.AddNode(MicroSeconds(4), FailureKind::UP, leaf, topology);
    plan.AddNode(MicroSeconds(5), FailureKind::UP, leaf, topology);
    plan.AddNode(MicroSeconds(6), FailureKind::UP, spine, topology);
    plan.Add({MicroSeconds(7), FailureKind::UP, link});
    std::string states;
    for (int64_t ns = 500; ns < 8000; ns += 1000)
    {
        Simulator::Schedule(NanoSeconds(ns),
                            [&] { states += scene.fabric.GetCable(link)->IsUp() ? '1' : '0'; });
    }
    scene.Run(plan, MicroSeconds(10));
    NS_TEST_EXPECT_MSG_EQ(states, "10000001", "at 0.5 to 7.5 us");
}

LOSSLESS_TEST(g_suite, "A link at a lower rate carries as much as that")
{
    Scene scene;
    // The flow consists of 1000 packets with 1000 B of payload, each of which occupies 1086 B on
    // the wire.
    scene.Add(0, 1, 1000000, Time(0));
    FailurePlan plan;
    for (const char* host : {"h0", "h1"})
    {
        plan.Add({MicroSeconds(300),
                  FailureKind::RATE,
                  FindLink(scene.topology, "leaf0", host),
                  {},
                  DataRate("1Gbps")});
    }
    const FlowSpec spec{0, 0, 1, 3, 1000000, Time(0), ""};
    const Time ideal = scene.fabric.GetIdealFct(spec);
    scene.Run(plan, MilliSeconds(50));
    NS_TEST_EXPECT_MSG_EQ(scene.fabric.GetIdealFct(spec), ideal, "of the network as it was built");
    const auto& flows = scene.results.Get<FlowRecorder>()->GetFlows();
    NS_TEST_ASSERT_MSG_EQ(flows.size(), 1, "a flow");
    // Until 300 us, 345 packets are sent at 10 Gb/s, each in 0.87 us. The other 655 packets take
    // 8.69 us each at 1 Gb/s, or 5.69 ms in total.
    const double fct = flows.begin()->second.GetCompletionTime().GetSeconds();
    NS_TEST_EXPECT_MSG_EQ_TOL(fct, 5.99e-3, 0.06e-3, "by hand");
    NS_TEST_EXPECT_MSG_EQ(scene.GetDrops(), "", "nothing is lost");
}

/// A PFC gate without a device, for a link whose rate changes.
struct LoneGate
{
    explicit LoneGate(const std::string& rate)
    {
        ChangeRate(rate);
        ListenTo(*m_gate, "Closed", [this](PrioritySet /* classes */) {
            m_text << Simulator::Now().GetNanoSeconds() << "- ";
        });
        ListenTo(*m_gate, "Opened", [this](PrioritySet /* classes */) {
            m_text << Simulator::Now().GetNanoSeconds() << "+ ";
        });
    }

    void ChangeRate(const std::string& rate)
    {
        m_gate->Attach({DataRate(rate), Time(0)}, nullptr);
    }

    /// Delivers to the gate a PAUSE of class 3 that outlasts the test, or a RESUME.
    void Tell(bool isStop)
    {
        PfcHeader pfc;
        pfc.SetQuanta(Priority{3}, isStop ? 65535 : 0);
        m_gate->ReceiveControl(ParseFrame(MakePfcFrame(Mac48Address("02:00:00:00:00:02"), pfc)));
    }

    /// Runs for 50 us.
    /// @return the times in ns at which the class closed and opened, such as "100- 200+"
    std::string Run()
    {
        RunFor(MicroSeconds(50));
        return m_text.str();
    }

    Ptr<PauseGate> m_gate{CreateObject<PauseGate>()}; ///< gate under test
    std::ostringstream m_text;                        ///< see Run()
};

/// Sixty quanta take 30 720 ns at 1 Gb/s, 3072 ns at 10 Gb/s and 307 ns at 100 Gb/s.
LOSSLESS_TEST(g_suite, "A RESUME does not overtake the PAUSE before it when the rate rises")
{
    LoneGate gate("1Gbps");
    gate.Tell(true); // due at 30 720
    Simulator::Schedule(NanoSeconds(6000), &LoneGate::ChangeRate, &gate, "100Gbps");
    Simulator::Schedule(NanoSeconds(6100), &LoneGate::Tell, &gate, false);
    // The PAUSE takes effect no later than one that arrives at 6000 ns would.
    NS_TEST_EXPECT_MSG_EQ(gate.Run(), "6307- 6407+ ", "6000 + 307, 6100 + 307");
}

LOSSLESS_TEST(g_suite, "What waits when the rate rises takes effect in the order of its arrival")
{
    LoneGate gate("1Gbps");
    gate.Tell(true);                                                       // due at 30 720
    Simulator::Schedule(NanoSeconds(1000), &LoneGate::Tell, &gate, false); // due at 31 720
    Simulator::Schedule(NanoSeconds(2000), &LoneGate::ChangeRate, &gate, "10Gbps");
    Simulator::Schedule(NanoSeconds(3000), &LoneGate::Tell, &gate, true);
    NS_TEST_EXPECT_MSG_EQ(gate.Run(), "5072- 5072+ 6072- ", "2000 + 3072, 3000 + 3072");
}

/// The standard allows a response time of 67 quanta at 10 Gb/s, or 3430 ns, and of 2 quanta at
/// 1 Gb/s, or 1024 ns.
LOSSLESS_TEST(g_suite, "Nor does it when the rate falls and the standard's response is shorter")
{
    LoneGate gate("10Gbps");
    gate.m_gate->SetAttribute("StandardResponse", BooleanValue(true));
    gate.Tell(true); // due at 3430
    Simulator::Schedule(NanoSeconds(1000), &LoneGate::ChangeRate, &gate, "1Gbps");
    Simulator::Schedule(NanoSeconds(1100), &LoneGate::Tell, &gate, false);
    NS_TEST_EXPECT_MSG_EQ(gate.Run(), "2024- 2124+ ", "1000 + 1024, 1100 + 1024");
}

LOSSLESS_TEST(g_suite, "What waits when the link is lost has no effect, at whatever rate")
{
    LoneGate gate("1Gbps");
    gate.Tell(true);
    Simulator::Schedule(NanoSeconds(6000), &LoneGate::ChangeRate, &gate, "100Gbps");
    Simulator::Schedule(NanoSeconds(6200), &TransmitGate::Reset, gate.m_gate);
    Simulator::Schedule(NanoSeconds(6250), &LoneGate::Tell, &gate, true);
    NS_TEST_EXPECT_MSG_EQ(gate.Run(), "6557- ", "6250 + 307, and nothing at 6307");
}

/// Two hosts send 3.6 MB to a third one. The 3600 packets of 1086 B on the wire take 312.8 us at
/// 100 Gb/s. If a pause took effect after its own end, it would delay flow 0 permanently under BFC
/// and OFC, and for the 335.5 us of a PAUSE under the other schemes.
/// @param from the time at which the link of the first host becomes slow, for 6 us
void
SlowDown(const SchemeInfo& scheme, Time from)
{
    Scene scene(SwitchHelper(scheme), Topology::Star({3, DataRate("100Gbps"), MicroSeconds(1)}));
    scene.Add(0, 2, 3000000, Time(0));
    scene.Add(1, 2, 600000, Time(0));
    const uint32_t link = FindLink(scene.topology, "h0", "s0");
    FailurePlan plan;
    plan.Add({from, FailureKind::RATE, link, {}, DataRate("1Gbps")});
    plan.Add({from + MicroSeconds(6), FailureKind::RATE, link, {}, DataRate("100Gbps")});
    scene.Run(plan, MicroSeconds(400));
    NS_TEST_EXPECT_MSG_EQ(scene.results.GetVerdict().unfinishedFlows, 0, "slow from " << from);
    NS_TEST_EXPECT_MSG_EQ(scene.GetDrops(), "", "slow from " << from);
    Simulator::Destroy();
}

LOSSLESS_TESTS(g_suite)
{
    for (const char* name : {"BFC", "OFC", "P-PFC", "G-PFC", "CaPFC-Both"})
    {
        g_suite.Add(std::string("A link that is slow for 6 us holds no flow back under ") + name,
                    [name] {
                        SlowDown(FindPart<SchemeInfo>(name).value(), MicroSeconds(80));
                        SlowDown(FindPart<SchemeInfo>(name).value(), MicroSeconds(90));
                    });
    }
}

/// Filters of 176 B every 2222 ns would fill the wire at 500 Mb/s, because a filter takes 2816 ns.
/// Instead, they are half an HRTT apart. The HRTT is 92 864 ns: 2816 ns, two delays of 2000 ns, and
/// 5378 B at 16 ns per byte for the response and a frame. The filters thus use 6.1 % of the wire.
/// The 100 packets of 1082 B take 1731 us, and the acknowledgements of the other flow add about
/// 30 us. With the filters, the total is 1876 us.
LOSSLESS_TEST(g_suite, "Filters of BFC leave room for others on a link that has become slow")
{
    Scene scene(SwitchHelper(FindPart<SchemeInfo>("BFC").value()), Topology::Star({3}));
    scene.Add(0, 2, 20000000, Time(0));
    scene.Add(1, 0, 100000, MilliSeconds(2));
    FailurePlan plan;
    for (const auto& [host, rate] : {std::pair("h0", "500Mbps"), std::pair("h2", "100Mbps")})
    {
        plan.Add({MilliSeconds(1),
                  FailureKind::RATE,
                  FindLink(scene.topology, host, "s0"),
                  {},
                  DataRate(rate)});
    }
    scene.Run(plan, MilliSeconds(5));
    const FlowRecord& flow = scene.results.Get<FlowRecorder>()->GetFlows().at(1);
    NS_TEST_ASSERT_MSG_EQ(flow.isReceived, true, "all of it has arrived");
    NS_TEST_EXPECT_MSG_GT(flow.GetCompletionTime(), MicroSeconds(1731), "of the wire alone");
    NS_TEST_EXPECT_MSG_LT(flow.GetCompletionTime(), MicroSeconds(2000), "and of filters");
    NS_TEST_EXPECT_MSG_EQ(scene.GetDrops(), "", "nothing is lost");
}

LOSSLESS_TEST(g_suite, "A dead direction loses what it carries, silently, and the other does not")
{
    Scene scene;
    scene.Add(0, 1, 100000, Time(0));
    scene.Add(2, 3, 100000, Time(0));
    FailurePlan plan;
    const uint32_t link = FindLink(scene.topology, "leaf0", "h1");
    const auto leaf = scene.topology.FindNode("leaf0");
    plan.Add({MicroSeconds(20), FailureKind::DEAD, link, leaf});
    plan.Add({MicroSeconds(60), FailureKind::ALIVE, link, leaf});
    scene.Run(plan, MilliSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(scene.results.GetVerdict().unfinishedFlows, 0, "both arrive");
    NS_TEST_EXPECT_MSG_EQ(scene.GetReasons(), "receive-error ", "by this name alone");
    for (const DropRecord& drop : scene.results.Get<DropRecorder>()->GetDrops())
    {
        NS_TEST_EXPECT_MSG_EQ(drop.node, "h1", "at the receiving end");
    }
}

LOSSLESS_TEST(g_suite, "Bit errors lose RoCE packets without retry of the link, and none with it")
{
    for (const bool hasRetry : {false, true})
    {
        Scene scene(SwitchHelper(), MakeTopology(), hasRetry);
        scene.Add(0, 2, 2000000, Time(0));
        scene.Add(1, 3, 2000000, Time(0));
        FailurePlan plan;
        plan.SetBitErrorRate(1e-7, scene.topology);
        scene.Run(plan, MilliSeconds(500));
        NS_TEST_EXPECT_MSG_EQ(scene.results.GetVerdict().unfinishedFlows, 0, "all arrive");
        uint64_t retransmitted = 0;
        for (uint32_t host = 0; host < 4; ++host)
        {
            retransmitted += scene.fabric.GetNic(host)->GetCounts().retransmitted;
        }
        NS_TEST_EXPECT_MSG_EQ((retransmitted == 0), hasRetry, retransmitted << " by the hosts");
        Simulator::Destroy();
    }
}

/// The counters of a LinkRetry, in the order of the columns of llr.csv.
constexpr std::array RETRY_COUNTS{&LinkRetry::Counts::txInit,
                                  &LinkRetry::Counts::txInitEcho,
                                  &LinkRetry::Counts::txAck,
                                  &LinkRetry::Counts::txNack,
                                  &LinkRetry::Counts::txOk,
                                  &LinkRetry::Counts::txReplay,
                                  &LinkRetry::Counts::rxInit,
                                  &LinkRetry::Counts::rxInitEcho,
                                  &LinkRetry::Counts::rxAck,
                                  &LinkRetry::Counts::rxNack,
                                  &LinkRetry::Counts::rxAckNackSeqError,
                                  &LinkRetry::Counts::rxOk,
                                  &LinkRetry::Counts::rxBad,
                                  &LinkRetry::Counts::rxExpectedSeqGood,
                                  &LinkRetry::Counts::rxExpectedSeqBad,
                                  &LinkRetry::Counts::rxMissingSeq,
                                  &LinkRetry::Counts::rxDuplicateSeq,
                                  &LinkRetry::Counts::rxReplay,
                                  &LinkRetry::Counts::replays,
                                  &LinkRetry::Counts::timeouts,
                                  &LinkRetry::Counts::replayedFrames,
                                  &LinkRetry::Counts::flushes,
                                  &LinkRetry::Counts::setsLost};

/// @param find a function that returns the counters of one end of a link, given the device and the
/// number (2 x link + end) of that end
template <typename Find>
std::string
MakeRetryTable(const Fabric& fabric, Find find)
{
    std::ostringstream text;
    text << "node,port,tx_init_ctl_os,tx_init_echo_ctl_os,tx_ack_ctl_os,tx_nack_ctl_os,tx_ok,"
            "tx_replay,rx_init_ctl_os,rx_init_echo_ctl_os,rx_ack_ctl_os,rx_nack_ctl_os,"
            "rx_ack_nack_seq_error,rx_ok,rx_bad,rx_expected_seq_good,rx_expected_seq_bad,"
            "rx_missing_seq,rx_duplicate_seq,rx_replay,replays,timeouts,replayed_frames,flushes,"
            "lost_ctl_os\n";
    const Topology& topology = fabric.GetTopology();
    for (uint32_t end = 0; end < 2 * topology.GetLinks().size(); ++end)
    {
        const auto device =
            DynamicCast<LosslessNetDevice>(fabric.GetCable(end / 2)->GetDevice(end % 2));
        text << topology.GetNodes()[device->GetNode()->GetId()].name << "," << device->GetIfIndex();
        const LinkRetry::Counts counts = find(*device, end);
        for (const auto count : RETRY_COUNTS)
        {
            text << "," << counts.*count;
        }
        text << "\n";
    }
    return text.str();
}

LinkRetry::Counts
MakeCounts(uint32_t end)
{
    uint64_t next = 100ULL * end;
    LinkRetry::Counts counts;
    for (const auto count : RETRY_COUNTS)
    {
        counts.*count = ++next;
    }
    return counts;
}

/// The test provides the counters as if from another rank, so that all of them differ, unlike in a
/// run.
void
CheckToldCounts()
{
    const Scene scene(SwitchHelper(), MakeTopology(), true);
    std::stringstream told;
    for (uint32_t end = 0; end < 2 * scene.topology.GetLinks().size(); ++end)
    {
        SaveParts(told, MakeCounts(end));
    }
    const AssumedRank second(1, 2); // all nodes belong to the first rank
    const Ptr<RetryRecorder> recorder = WatchRetries(scene.fabric);
    recorder->Merge(told, 0);
    NS_TEST_EXPECT_MSG_EQ(ToCsv(recorder->GetTable()),
                          MakeRetryTable(scene.fabric,
                                         [](const LosslessNetDevice& /* device */, uint32_t end) {
                                             return MakeCounts(end);
                                         }),
                          "llr.csv");
}

LOSSLESS_TESTS(g_suite)
{
    if (Ranks::HasMpi()) // Without MPI, ranks do not exchange data.
    {
        g_suite.Add("llr.csv has each count of an end of a link in its column", CheckToldCounts);
    }
}

LOSSLESS_TEST(g_suite, "llr.csv has each end of a link, and what one end sends comes or is lost")
{
    Config::SetDefault("ns3::lossless::LinkRetry::MaxReplays", UintegerValue(255));
    Scene scene(SwitchHelper(), MakeTopology(), true);
    scene.Add(0, 2, 2000000, Time(0));
    FailurePlan plan;
    plan.SetBitErrorRate(1e-5, scene.topology);
    scene.Run(plan, MilliSeconds(500));
    const ResultTable table = WatchRetries(scene.fabric)->GetTable();
    NS_TEST_EXPECT_MSG_EQ(ToCsv(table),
                          MakeRetryTable(scene.fabric,
                                         [](const LosslessNetDevice& device, uint32_t /* end */) {
                                             return device.GetRetry()->GetCounts();
                                         }),
                          "both ends of each link");
    std::map<std::string, uint64_t> sums;
    for (const ResultTable::Row& row : table.rows)
    {
        for (std::size_t i = 2; i < row.size(); ++i) // skips the node and the port
        {
            sums[table.columns[i]] += std::get<uint64_t>(row[i].Get());
        }
    }
    const auto sum = [&sums](const std::string& direction) {
        return sums[direction + "_init_ctl_os"] + sums[direction + "_init_echo_ctl_os"] +
               sums[direction + "_ack_ctl_os"] + sums[direction + "_nack_ctl_os"];
    };
    NS_TEST_EXPECT_MSG_GT(sums["lost_ctl_os"], 0, "some are corrupt");
    NS_TEST_EXPECT_MSG_EQ(sum("tx"), sum("rx") + sums["lost_ctl_os"], "ordered sets");
    NS_TEST_EXPECT_MSG_EQ(sums["tx_ok"], sums["rx_ok"] + sums["rx_bad"], "frames");
    NS_TEST_EXPECT_MSG_EQ(sums["rx_ok"] + sums["rx_bad"],
                          sums["rx_expected_seq_good"] + sums["rx_expected_seq_bad"] +
                              sums["rx_missing_seq"] + sums["rx_duplicate_seq"],
                          "each by its number");
    NS_TEST_EXPECT_MSG_EQ(sums["rx_expected_seq_good"],
                          sums["tx_ok"] - sums["replayed_frames"],
                          "each once");
}

LOSSLESS_TEST(g_suite, "A RESUME that is lost is made up for by the timer of the PAUSE")
{
    Star star(MakeStaticSwitch(3000, 3000).Create(), 2);
    auto dead = CreateObject<BitErrorModel>();
    star.GetHost(0).device->SetErrorModel(dead);
    Simulator::Schedule(Time(0), [&star] {
        SendPfc(star.GetHost(1).device, SetOf(Priority{3}), 4000); // pauses class 3 for 20.5 us
    });
    star.GetHost(0).Send(1, 24, 1000, 60, MicroSeconds(2)); // host 0 is paused shortly afterwards
    Simulator::Schedule(MicroSeconds(10), &BitErrorModel::SetDead, dead, true);
    Simulator::Schedule(MicroSeconds(40), &BitErrorModel::SetDead, dead, false);
    RunFor(MicroSeconds(100));
    const auto& received = star.GetHost(1).received.m_arrivals;
    NS_TEST_EXPECT_MSG_LT(received.size(), 60, "the RESUME of about 22 us is lost");
    const Ptr<TransmitGate> gate = star.GetHost(0).device->GetGate();
    NS_TEST_EXPECT_MSG_EQ(Contains(gate->GetOpen(), Priority{3}), false, "stopped");
    Simulator::Stop(MicroSeconds(300)); // The last PAUSE, sent before 10 us, lasts for 335.5 us.
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(1).received.m_arrivals.size(), 60, "goes on by itself");
}

/// Cuts and restores links at random.
/// @param until the time at which all links are restored
void
AddFlaps(FailurePlan& plan, const Topology& topology, UniformRandomVariable& random, Time until)
{
    for (uint32_t link = 0; link < topology.GetLinks().size(); ++link)
    {
        Time at = MicroSeconds(random.GetInteger(10, 200));
        while (random.GetValue() < 0.8 && at < until - MicroSeconds(200))
        {
            const Time length = NanoSeconds(random.GetInteger(1, 100000));
            plan.Add({at, FailureKind::DOWN, link});
            plan.Add({at + length, FailureKind::UP, link});
            at += length + NanoSeconds(random.GetInteger(1, 300000));
        }
    }
}

StarOptions
DrawStar(UniformRandomVariable& random)
{
    StarOptions options;
    options.hosts = random.GetInteger(8, 16);
    options.delay = NanoSeconds(random.GetInteger(0, 2000));
    return options;
}

/// Expects that no frame of a lossless class was lost and that all flows have arrived.
void
ExpectNoLoss(const Scene& scene, const std::string& what)
{
    const RunVerdict verdict = scene.results.GetVerdict();
    NS_TEST_EXPECT_MSG_EQ(verdict.losslessClassFrames, 0, what << ": lost, " << scene.GetDrops());
    NS_TEST_EXPECT_MSG_EQ(verdict.unfinishedFlows, 0, what << ": progress");
    Simulator::Destroy();
}

/// Several hosts send to one host over links with retry. Bit errors occur only towards the switch,
/// so every PAUSE arrives. The frames that replays send despite a PAUSE must fit into the headroom.
void
AttackByReplays(const SchemeInfo& scheme, uint32_t seed)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(seed);
    const StarOptions options = DrawStar(*random);
    Scene scene(SwitchHelper(scheme), Topology::Star(options), true);
    FailurePlan plan;
    for (uint32_t host = 1; host < options.hosts; ++host)
    {
        const std::string name = "h" + std::to_string(host);
        scene.Add(host, 0, 1000000, Time(0));
        plan.Add({Time(0),
                  FailureKind::BIT_ERRORS,
                  FindLink(scene.topology, name, "s0"),
                  scene.topology.FindNode(name),
                  DataRate(0),
                  std::pow(10, random->GetValue(-7, -5))});
    }
    scene.Run(plan, MilliSeconds(50));
    ExpectNoLoss(scene, scheme.name + ", seed " + std::to_string(seed));
}

LOSSLESS_TESTS(g_suite)
{
    for (const char* name :
         {"PFC", "SIH", "DSH", "SHP", "OFC", "BFC", "FAFC", "P-PFC", "GFC", "G-PFC", "CBFC"})
    {
        g_suite.Add(std::string("No replay exceeds the headroom under ") + name, [name] {
            for (uint32_t seed = 1; seed <= 12; ++seed)
            {
                AttackByReplays(FindPart<SchemeInfo>(name).value(), seed);
            }
        });
    }
}

/// Several hosts send to one host, which sends PAUSEs with half of the seeds, and their links flap
/// while queues are stopped and headroom is in use. What a neighbour sends after its link has come
/// up must wait for the PAUSE.
void
AttackByFlaps(const SchemeInfo& scheme, uint32_t seed)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(seed);
    const StarOptions options = DrawStar(*random);
    Scene scene(SwitchHelper(scheme), Topology::Star(options));
    FailurePlan plan;
    for (uint32_t host = 1; host < options.hosts; ++host)
    {
        scene.Add(host, 0, 1000000, Time(0));
        const uint32_t link = FindLink(scene.topology, "h" + std::to_string(host), "s0");
        for (Time at = MicroSeconds(50); random->GetValue() < 0.8;)
        {
            at += NanoSeconds(random->GetInteger(1, 100000));
            plan.Add({at, FailureKind::DOWN, link});
            at += NanoSeconds(random->GetInteger(1, 10000));
            plan.Add({at, FailureKind::UP, link});
        }
    }
    if (seed % 2 == 0 && scene.fabric.GetSwitch(0)->GetFlowControl()->ObeysPfc())
    {
        auto storm = CreateObject<PauseStorm>();
        storm->SetStartTime(MicroSeconds(40));
        storm->SetStopTime(MilliSeconds(1));
        storm->Install(scene.fabric.GetHostDevice(0));
    }
    scene.Run(plan, MilliSeconds(100));
    ExpectNoLoss(scene, scheme.name + ", seed " + std::to_string(seed));
}

/// Sets the size of the queues of a policy that has one, as CaPFC's.
void
SetRoom(SwitchHelper& switches, uint64_t bytes)
{
    for (const char* room : {"IngressMax", "EgressMax"})
    {
        switches.SetPolicyAttributeIfPresent(room, UintegerValue(bytes));
    }
}

/// The link of a host is down from 50 to 100 us while the host sends.
/// @return the time from then to its first data frame
Time
GetSilence(const SchemeInfo& scheme)
{
    StarOptions options;
    options.hosts = 2;
    options.delay = MicroSeconds(1);
    SwitchHelper switches(scheme);
    SetRoom(switches, 200000);
    Scene scene(switches, Topology::Star(options));
    scene.Add(1, 0, 1000000, Time(0));
    const Time up = MicroSeconds(100);
    FailurePlan plan;
    const uint32_t link = FindLink(scene.topology, "h1", "s0");
    plan.Add({MicroSeconds(50), FailureKind::DOWN, link});
    plan.Add({up, FailureKind::UP, link});
    Time first = Time::Max();
    ListenTo(*scene.fabric.GetHostDevice(1), "PhyTxBegin", [&](Ptr<const Packet> packet) {
        const bool isData = packet->GetSize() > 500;
        first = isData && Simulator::Now() >= up ? std::min(first, Simulator::Now()) : first;
    });
    scene.Run(plan, MilliSeconds(10));
    Simulator::Destroy();
    return first - up;
}

LOSSLESS_TESTS(g_suite)
{
    for (const SchemeInfo& scheme : GetModuleSchemes())
    {
        g_suite.Add("No data leaves when a link comes up under " + scheme.name, [scheme] {
            const Time silence = GetSilence(scheme);
            NS_TEST_EXPECT_MSG_GT(silence, MicroSeconds(1), "the other end's PAUSE can be here");
            NS_TEST_EXPECT_MSG_LT(silence, MilliSeconds(1), "the host goes on");
        });
    }
    // SHP's headroom is shared, so that many ports can exhaust it.
    for (const char* name : {"PFC",
                             "SIH",
                             "DSH",
                             "OFC",
                             "BFC",
                             "FAFC",
                             "P-PFC",
                             "P-PFC-Both",
                             "CaPFC-Both",
                             "CaPFC-Static",
                             "GFC",
                             "G-PFC",
                             "CBFC"})
    {
        g_suite.Add(std::string("Nothing overflows when links come up under ") + name, [name] {
            for (uint32_t seed = 1; seed <= 12; ++seed)
            {
                AttackByFlaps(FindPart<SchemeInfo>(name).value(), seed);
            }
        });
    }
}

/// Links fail and recover repeatedly under a scheme. With two thirds of the seeds, the links have
/// link-layer retry; with half of these seeds, bit errors also occur.
void
Attack(const SchemeInfo& scheme, const BufferPolicyInfo& policy, uint32_t seed)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(seed);
    SwitchHelper switches(scheme);
    switches.SetBufferPolicy(policy.type);
    SetRoom(switches, 80000); // for replays
    Scene scene(switches, MakeTopology(), seed % 3 != 0);
    for (uint32_t i = 0; i < 24; ++i)
    {
        const uint32_t source = random->GetInteger(0, 3);
        scene.Add(source,
                  (source + random->GetInteger(1, 3)) % 4,
                  random->GetInteger(1, 60000),
                  MicroSeconds(random->GetInteger(0, 800)));
    }
    std::sort(scene.flows.begin(), scene.flows.end(), [](const auto& a, const auto& b) {
        return a.start < b.start;
    });
    FailurePlan plan;
    AddFlaps(plan, scene.topology, *random, MilliSeconds(2));
    if (seed % 2 == 0)
    {
        plan.SetRerouteAfter(MicroSeconds(random->GetInteger(0, 50)));
    }
    plan.SetBitErrorRate(seed % 3 == 1 ? 1e-6 : 0, scene.topology);
    scene.Run(plan, Seconds(1));
    const std::string what =
        scheme.name + " over " + policy.name + ", seed " + std::to_string(seed);
    const RunVerdict verdict = scene.results.GetVerdict();
    NS_TEST_EXPECT_MSG_EQ(verdict.unfinishedFlows, 0, what << ": progress");
    NS_TEST_EXPECT_MSG_EQ(verdict.deadlock.has_value(), false, what << ": deadlock");
    for (uint32_t i = 0; i < scene.fabric.GetNSwitches(); ++i)
    {
        const Ptr<SwitchNode> node = scene.fabric.GetSwitch(i);
        NS_TEST_EXPECT_MSG_EQ(node->GetSharedBuffer()->GetUsed(), 0, what << ": stored");
        for (uint16_t port = 0; port < node->GetNDevices(); ++port)
        {
            for (const auto& device :
                 {node->GetPortDevice(PortId{port}), node->GetPortDevice(PortId{port})->GetPeer()})
            {
                NS_TEST_EXPECT_MSG_EQ(+device->GetGate()->GetOpen(), 0xff, what << ": stopped");
            }
        }
    }
    Simulator::Destroy();
}

LOSSLESS_TESTS(g_suite)
{
    for (const SchemeInfo& scheme : GetModuleSchemes())
    {
        g_suite.Add("Links flap under " + scheme.name + ": all goes on afterwards", [scheme] {
            for (const BufferPolicyInfo& policy : scheme.GetPolicies())
            {
                for (uint32_t seed = 1; seed <= 12; ++seed)
                {
                    Attack(scheme, policy, seed);
                }
            }
        });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
