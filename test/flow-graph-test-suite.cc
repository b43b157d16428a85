// SPDX-License-Identifier: GPL-2.0-only
//
// Tests graphs of flows that wait for other flows: invalid graphs, files, and the start times of
// steps.

#include "lossless-test.h"
#include "own-simulator.h"
#include "test-network.h"

#include "ns3/flow-csv.h"
#include "ns3/flow-graph.h"
#include "ns3/flow-plan.h"
#include "ns3/graph-results.h"
#include "ns3/graph-runner.h"
#include "ns3/quantity-text.h"
#include "ns3/run-control.h"
#include "ns3/run-statistics.h"
#include "ns3/run-summary.h"
#include "ns3/run-verdict.h"
#include "ns3/text-lines.h"

#include <random>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-flow-graph", SYSTEM);

using Until = FlowGraph::Until;
using Step = FlowGraph::Step;

StepSpec
MakeFlow(uint64_t id, uint32_t source, uint32_t destination, uint64_t bytes = 1000)
{
    StepSpec spec;
    spec.flow = {id, source, destination, 3, bytes, Time(0), ""};
    return spec;
}

/// A star whose links have a rate of 8 Gb/s (1 ns per byte) and a delay of 1 us.
Topology
MakeStar(uint32_t hosts)
{
    return Topology::Star({hosts, DataRate("8Gbps"), MicroSeconds(1)});
}

std::string
Check(FlowGraph& graph, uint32_t hosts = 4)
{
    return graph.Check(MakeStar(hosts)).value_or("");
}

std::string
ToCsv(const FlowGraph& graph, const Topology& topology)
{
    std::ostringstream text;
    WriteFlowGraphCsv(text, topology, graph);
    return text.str();
}

/// @return all times of all steps, one step per line
std::string
ListTimes(const GraphRunner& runner)
{
    std::ostringstream text;
    for (Step step = 0; step < runner.GetGraph().GetNSteps(); ++step)
    {
        const StepTimes times = runner.GetTimes(step);
        for (const auto& time : {times.started, times.sent, times.received})
        {
            text << (time ? std::to_string(time->GetNanoSeconds()) : "-") << ' ';
        }
        text << '\n';
    }
    return text.str();
}

/// Runs a graph to its end.
std::string
RunGraph(const Topology& topology, FlowGraph graph)
{
    Fabric fabric(topology, SwitchHelper(*FindPart<SchemeInfo>("SIH")));
    fabric.AssignStreams(1);
    fabric.StartGraph(std::move(graph));
    fabric.StopWhenFlowsAreDone(MilliSeconds(10), Fabric::FlowEnd::ACKNOWLEDGED);
    Simulator::Run();
    std::string times = ListTimes(*fabric.GetGraphRunner());
    Simulator::Destroy();
    return times;
}

/// @return the first `count` times of ListTimes() after a run
std::vector<int64_t>
FindTimes(const Topology& topology, FlowGraph graph, std::size_t count)
{
    NS_TEST_EXPECT_MSG_EQ(graph.Check(topology).value_or(""), "", "it is right");
    std::istringstream text(RunGraph(topology, std::move(graph)));
    std::vector<int64_t> found(count);
    for (int64_t& number : found)
    {
        text >> number;
    }
    return found;
}

LOSSLESS_TEST(g_suite, "cycles, unknown steps, ids used twice and hosts that are not there")
{
    FlowGraph cycle;
    for (uint64_t id = 10; id < 14; ++id)
    {
        cycle.Add(MakeFlow(id, 0, 1));
    }
    cycle.AddPredecessor(1, 0, Until::SENT);
    cycle.AddPredecessor(1, 2, Until::RECEIVED);
    cycle.AddPredecessor(2, 1, Until::SENT);
    cycle.AddPredecessor(3, 2, Until::STARTED);
    NS_TEST_EXPECT_MSG_EQ(Check(cycle),
                          "flow 11 waits for flow 12 (received), which waits for flow 11 (sent); 3 "
                          "of 4 steps never start",
                          "a cycle of two, and one that waits for it");
    FlowGraph self;
    self.Add(StepSpec::MakeComputation(7, 2, NanoSeconds(5)));
    self.AddPredecessor(0, 0, Until::SENT);
    NS_TEST_EXPECT_MSG_EQ(Check(self),
                          "computation 7 waits for itself (sent); 1 of 1 steps never start",
                          "itself");
    FlowGraph unknown;
    unknown.Add(MakeFlow(1, 0, 1));
    unknown.AddPredecessor(0, 1, Until::SENT);
    NS_TEST_EXPECT_MSG_EQ(Check(unknown),
                          "flow 1 waits for step 1, which does not exist; there are 1, counted "
                          "from 0",
                          "unknown");
    FlowGraph twice;
    twice.Add(MakeFlow(1, 0, 1));
    twice.Add(MakeFlow(0, 0, 1));
    twice.Add(StepSpec::MakeComputation(1, 0, Time(0)));
    NS_TEST_EXPECT_MSG_EQ(Check(twice),
                          "the id 1 is used twice; ids of flows and computations must differ",
                          "an id");
    FlowGraph far;
    far.Add(StepSpec::MakeComputation(1, 4, Time(0)));
    NS_TEST_EXPECT_MSG_EQ(
        Check(far),
        "computation 1: host 4 does not exist; the network has 4 hosts, counted from 0",
        "a host");
    FlowGraph split;
    split.Add(MakeFlow(1, 0, 1, 0));
    NS_TEST_EXPECT_MSG_EQ(Check(split),
                          "computation 1: the size is 0, but source and destination differ; a flow "
                          "has at least 1 byte, and a computation one host",
                          "no bytes");
    FlowGraph negative;
    negative.Add(StepSpec::MakeComputation(1, 0, NanoSeconds(-1)));
    ExpectBegin(Check(negative), "computation 1: the compute time is -1 ns; it must be from 0 to ");
}

LOSSLESS_TEST(g_suite, "a step that needs some of its predecessors only")
{
    // Step 2 waits for flow 0 or for itself, and step 3 waits for flow 1 or step 2.
    const auto make = [](uint32_t ofSecond, uint32_t ofThird) {
        FlowGraph graph;
        for (uint64_t id = 0; id < 4; ++id)
        {
            graph.Add(MakeFlow(id, 0, 1));
        }
        graph.AddPredecessor(2, 2, Until::SENT);
        graph.AddPredecessor(2, 0, Until::SENT);
        graph.AddPredecessor(3, 1, Until::SENT);
        graph.AddPredecessor(3, 2, Until::SENT);
        graph.SetNeeded(2, ofSecond);
        graph.SetNeeded(3, ofThird);
        return graph;
    };
    FlowGraph good = make(1, 1);
    NS_TEST_ASSERT_MSG_EQ(Check(good), "", "one is enough");
    NS_TEST_EXPECT_MSG_EQ(good.GetNeeded(2), 1, "one of two");
    NS_TEST_EXPECT_MSG_EQ(good.GetNeeded(1), 0, "of none");
    FlowGraph all = make(0, 0);
    NS_TEST_EXPECT_MSG_EQ(Check(all),
                          "flow 2 waits for itself (sent); 2 of 4 steps never start",
                          "all");
    FlowGraph one = make(0, 1);
    NS_TEST_EXPECT_MSG_EQ(Check(one),
                          "flow 2 waits for itself (sent); 1 of 4 steps never start",
                          "3 starts without it");
    FlowGraph more = make(1, 3);
    NS_TEST_EXPECT_MSG_EQ(Check(more),
                          "flow 3 needs 3 of the 2 that it waits for; it can need as many at most",
                          "too many");
    FlowGraph named = make(0, 1);
    NS_TEST_EXPECT_MSG_EQ(
        named.Check(MakeStar(4), [](Step step) { return "line " + std::to_string(10 * step); })
            .value_or(""),
        "line 20 waits for itself (sent); 1 of 4 steps never start",
        "names of a file");
}

LOSSLESS_TEST(g_suite, "what needs two of three starts at the second, and hears of the third later")
{
    FlowGraph graph;
    for (Step step = 0; step < 3; ++step)
    {
        graph.Add(StepSpec::MakeComputation(step, 0, NanoSeconds(100 * (3 - step))));
    }
    graph.Add(StepSpec::MakeComputation(3, 0, NanoSeconds(7)));
    for (Step step = 0; step < 3; ++step)
    {
        graph.AddPredecessor(3, step, Until::SENT);
    }
    graph.SetNeeded(3, 2);
    NS_TEST_ASSERT_MSG_EQ(Check(graph), "", "it is right");
    const Topology topology = MakeStar(4);
    Fabric fabric(topology, SwitchHelper(*FindPart<SchemeInfo>("SIH")));
    fabric.StartGraph(graph);
    fabric.StopWhenFlowsAreDone(MilliSeconds(10));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ListTimes(*fabric.GetGraphRunner()),
                          "0 300 300 \n0 200 200 \n0 100 100 \n200 207 207 \n",
                          "at 200 ns, once");
    const ResultTable steps = GraphResults(*fabric.GetGraphRunner(), {}).GetStepTable();
    NS_TEST_EXPECT_MSG_EQ(std::get<uint64_t>(steps.rows.at(3).back().Get()), 1, "not step 0");
    std::istringstream input(ToCsv(graph, topology));
    const FlowGraph again = ParseFlowGraphCsv(input, "file", topology);
    NS_TEST_EXPECT_MSG_EQ(ToCsv(again, topology),
                          "id,source,destination,priority,bytes,start_ns,group,after,"
                          "after_received,after_started,after_count,compute_ns,job\n"
                          "0,h0,h0,0,0,0,,,,,,300,\n1,h0,h0,0,0,0,,,,,,200,\n"
                          "2,h0,h0,0,0,0,,,,,,100,\n3,h0,h0,0,0,0,,0 1 2,,,2,7,\n",
                          "the file says so");
}

/// Host 1 finishes first, at 200 ns, but must send a notice to host 0. The notice is a frame of
/// 62 B (86 B on the wire). It takes 2172 ns over both links, each with a delay of 1 us, so host 0
/// is informed at 2372 ns.
LOSSLESS_TEST(g_suite, "what a step waited for last is what its host has heard of last")
{
    for (const uint32_t needed : {1, 2})
    {
        FlowGraph graph;
        graph.Add(StepSpec::MakeComputation(10, 0, NanoSeconds(300)));
        graph.Add(StepSpec::MakeComputation(11, 1, NanoSeconds(200)));
        graph.Add(StepSpec::MakeComputation(12, 0, NanoSeconds(7)));
        graph.AddPredecessor(2, 0, Until::SENT);
        graph.AddPredecessor(2, 1, Until::SENT);
        graph.SetNeeded(2, needed);
        NS_TEST_ASSERT_MSG_EQ(Check(graph), "", "it is right");
        Fabric fabric(MakeStar(4), SwitchHelper(*FindPart<SchemeInfo>("SIH")));
        fabric.StartGraph(graph);
        fabric.StopWhenFlowsAreDone(MilliSeconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ListTimes(*fabric.GetGraphRunner()),
                              std::string("0 300 300 \n0 200 200 \n") +
                                  (needed == 1 ? "300 307 307 \n" : "2372 2379 2379 \n"),
                              needed << " of two");
        const ResultTable steps = GraphResults(*fabric.GetGraphRunner(), {}).GetStepTable();
        NS_TEST_EXPECT_MSG_EQ(std::get<uint64_t>(steps.rows.at(2).back().Get()),
                              (needed == 1 ? 10 : 11),
                              needed << " of two");
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "computations that take longer than a simulation can last are refused")
{
    const auto check = [](Time second) {
        FlowGraph graph;
        graph.Add(StepSpec::MakeComputation(0, 0, GetLatestStart() - NanoSeconds(3)));
        StepSpec flow = MakeFlow(1, 0, 1);
        flow.compute = second;
        graph.Add(flow);
        graph.AddPredecessor(1, 0, Until::SENT);
        return Check(graph);
    };
    NS_TEST_EXPECT_MSG_EQ(check(NanoSeconds(3)), "", "all the time there is");
    const std::string latest = FormatNanoSeconds(GetLatestStart());
    NS_TEST_EXPECT_MSG_EQ(check(NanoSeconds(4)),
                          "flow 1: it comes after computations, and an earliest start, of " +
                              FormatNanoSeconds(GetLatestStart() + NanoSeconds(1)) +
                              " ns in all; allowed are " + latest + " ns",
                          "a nanosecond more");
    ExpectBegin(check(GetLatestStart()), "flow 1: it comes after");
}

LOSSLESS_TEST(g_suite, "a host that computes for minutes is not looked at meanwhile")
{
    Fabric fabric(MakeStar(2), SwitchHelper(*FindPart<SchemeInfo>("SIH")));
    FlowGraph graph;
    const Time minute = Seconds(60);
    graph.Add(StepSpec::MakeComputation(0, 0, minute));
    graph.Add(StepSpec::MakeComputation(1, 0, minute));
    graph.AddPredecessor(1, 0, Until::SENT);
    graph.Add(MakeFlow(2, 0, 1));
    graph.AddPredecessor(2, 1, Until::SENT);
    fabric.StartGraph(std::move(graph));
    fabric.StopWhenFlowsAreDone(MilliSeconds(100));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(fabric.GetGraphRunner()->CountDone(), 3, "all is done");
    NS_TEST_EXPECT_MSG_EQ((Simulator::Now() > minute + minute), true, "two minutes later");
    NS_TEST_EXPECT_MSG_EQ((Simulator::GetEventCount() < 200),
                          true,
                          Simulator::GetEventCount() << " events");
}

LOSSLESS_TEST(g_suite, "a long cycle is named by its first steps and its last")
{
    FlowGraph graph;
    for (Step step = 0; step < 100; ++step)
    {
        graph.Add(MakeFlow(step, 0, 1));
        graph.AddPredecessor(step, (step + 1) % 100, Until::SENT);
    }
    const std::string sentence = Check(graph);
    NS_TEST_EXPECT_MSG_EQ(sentence,
                          "flow 0 waits for flow 1 (sent), which waits for flow 2 (sent), which "
                          "waits for flow 3 (sent), which waits for flow 4 (sent), which waits for "
                          "flow 5 (sent), which waits for flow 6 (sent), ..., which waits for flow "
                          "0 (sent); 100 of 100 steps never start",
                          "not all of them");
}

LOSSLESS_TEST(g_suite, "the file of a graph is read as it was written")
{
    const Topology topology = MakeStar(4);
    const std::string text =
        "id,source,destination,priority,bytes,start_ns,group,after,after_received,after_started,"
        "compute_ns,job\n"
        "5,h0,h1,3,1000,0,ring,,,,0,a\n"
        "9,h1,h1,0,0,20,,,5,,1500,a\n"
        "7,h1,h2,3,2000,0,ring,9 5,5,8,0.5,\n"
        "8,h3,h0,2,1,0,,,,,0,\n";
    std::istringstream input(text);
    FlowGraph graph = ParseFlowGraphCsv(input, "file", topology);
    std::string expected = text;
    expected.replace(expected.find("0.5,"), 4, "1,"); // ns-3 rounds to whole nanoseconds
    NS_TEST_EXPECT_MSG_EQ(ToCsv(graph, topology), expected, "the same");
    NS_TEST_EXPECT_MSG_EQ(graph.GetNFlows(), 3, "and a computation");
    std::istringstream empty(text + "1,h0,h1,3,0,0,,,,,0,\n");
    graph = ParseFlowGraphCsv(empty, "file", topology); // with a message without payload
    NS_TEST_EXPECT_MSG_EQ(graph.MakeFlowList().back().bytes, 1, "is one of a byte");
    const auto refuse = [&](const std::string& line, const std::string& sentence) {
        std::istringstream wrong(text + line);
        const auto error = CatchComplaint([&] { ParseFlowGraphCsv(wrong, "file", topology); });
        NS_TEST_EXPECT_MSG_EQ(error.value_or(""), sentence, line);
    };
    refuse("1,h0,h1,3,9,0,,6,,,0,\n", "file: flow 1 waits for 6, which is the id of no line");
    refuse("1,h0,h1,3,9,0,,5 x,,,0,\n",
           "file:6: after is '5 x'; allowed is ids, separated by blanks");
    refuse("1,h0,h0,3,4,0,,,,,0,\n",
           "file:6: destination is 'h0'; allowed is another host than the source, but for a "
           "computation, of 0 bytes");
    refuse("5,h0,h1,3,4,0,,,,,0,\n",
           "file:6: id is '5'; allowed is a number that no other flow or computation has");
    refuse("1,h0,h1,3,4,0,,1,,,0,\n",
           "file: flow 1 waits for itself (sent); 1 of 5 steps never start");
}

LOSSLESS_TEST(g_suite, "a flow at the receiver starts in the nanosecond of the last byte")
{
    // A frame has an overhead of 82 B for Ethernet (14), IPv4 (20), UDP (8), BTH (12), ICRC (4),
    // FCS (4), preamble (8) and gap (12). An acknowledgement has an AETH (4) and no payload.
    const Topology topology = MakeStar(3);
    constexpr int64_t headers = 14 + 20 + 8 + 12 + 4 + 4 + 8 + 12;
    constexpr int64_t link = headers + 1000 + 1000;
    constexpr int64_t ack = headers + 4; // acknowledgement sent before the next message
    FlowGraph graph;
    graph.Add(MakeFlow(0, 0, 1));
    graph.Add(MakeFlow(1, 1, 2));
    graph.AddPredecessor(1, 0, Until::RECEIVED);
    StepSpec slow = MakeFlow(2, 2, 0);
    slow.compute = NanoSeconds(777);
    graph.Add(slow);
    graph.AddPredecessor(2, 1, Until::RECEIVED);
    const auto found = FindTimes(topology, graph, 9);
    NS_TEST_EXPECT_MSG_EQ(found[0], 0, "at once");
    NS_TEST_EXPECT_MSG_EQ(found[2], 2 * link, "two links");
    NS_TEST_EXPECT_MSG_EQ(found[3], 2 * link, "as soon as it is there");
    NS_TEST_EXPECT_MSG_EQ(found[1], 2 * link + 2 * (ack + 1000), "the acknowledgement's way back");
    NS_TEST_EXPECT_MSG_EQ(found[5], 4 * link + ack, "behind the acknowledgement");
    NS_TEST_EXPECT_MSG_EQ(found[6], 4 * link + ack + 777, "it computes before");
    NS_TEST_EXPECT_MSG_EQ(found[8], 6 * link + ack + 777, "two links more");
}

LOSSLESS_TEST(g_suite, "what another host knows costs the time of the shortest packet")
{
    const Topology topology = MakeStar(4);
    FlowGraph graph;
    graph.Add(MakeFlow(0, 0, 1)); // host 1 notifies host 3 of the reception
    graph.Add(MakeFlow(1, 3, 2));
    graph.AddPredecessor(1, 0, Until::RECEIVED);
    graph.Add(StepSpec::MakeComputation(2, 2, NanoSeconds(50))); // depends on three steps
    for (Step step = 3; step < 6; ++step)
    {
        graph.Add(StepSpec::MakeComputation(step, step - 3, NanoSeconds(100 * step)));
        graph.AddPredecessor(2, step, Until::SENT);
    }
    // A notice is a message whose payload of 1 B is padded to 4 B.
    constexpr int64_t notice = 2 * (14 + 20 + 8 + 12 + 4 + 4 + 4 + 8 + 12 + 1000);
    const auto found = FindTimes(topology, graph, 18);
    NS_TEST_EXPECT_MSG_EQ(found[3], found[2] + notice, "it hears of the reception");
    NS_TEST_EXPECT_MSG_EQ(found[6], 400 + notice, "the barrier hears of the last");
    NS_TEST_EXPECT_MSG_EQ(found[7], found[6] + 50, "and takes its time");
}

LOSSLESS_TEST(g_suite, "what is due at one time starts by number, whoever said so first")
{
    const Topology topology = MakeStar(4);
    FlowGraph graph;
    graph.Add(MakeFlow(0, 0, 3)); // starts after a step on host 2, whose notice reaches host 0 last
    graph.Add(MakeFlow(1, 0, 3));
    for (const Step step : {2, 3})
    {
        const uint32_t host = step == 2 ? 1 : 2;
        graph.Add(StepSpec::MakeComputation(step, host, NanoSeconds(100)));
        graph.AddPredecessor(2 - host, step, Until::SENT);
    }
    const auto found = FindTimes(topology, graph, 6);
    NS_TEST_EXPECT_MSG_EQ(found[0], found[3], "both at once");
    NS_TEST_EXPECT_MSG_EQ((found[2] < found[5]), true, "the first one is sent first");
}

/// @return a random graph without cycles, on a network with unequal path delays
FlowGraph
DrawGraph(uint32_t seed, const Topology& topology)
{
    std::mt19937 random(seed);
    const auto draw = [&random](uint32_t least, uint32_t most) {
        return std::uniform_int_distribution<uint32_t>(least, most)(random);
    };
    const auto hosts = static_cast<uint32_t>(topology.GetHosts().size());
    FlowGraph graph;
    for (Step step = 0; step < 60; ++step)
    {
        StepSpec spec = MakeFlow(1000 - step, draw(0, hosts - 1), 0, draw(1, 20000));
        spec.flow.destination = (spec.flow.source + draw(1, hosts - 1)) % hosts;
        spec.flow.start = NanoSeconds(draw(0, 3) == 0 ? draw(0, 20000) : 0);
        spec.compute = NanoSeconds(draw(0, 1) == 0 ? draw(0, 3000) : 0);
        if (draw(0, 3) == 0)
        {
            spec.flow.bytes = 0;
            spec.flow.destination = spec.flow.source;
        }
        graph.Add(spec);
        for (uint32_t i = draw(0, 3); i > 0 && step > 0; --i)
        {
            graph.AddPredecessor(step, draw(0, step - 1), static_cast<Until>(draw(0, 2)));
        }
    }
    return graph;
}

/// @return a graph of DrawGraph(), modified so that many steps need only some of their predecessors
FlowGraph
DrawLooseGraph(uint32_t seed, const Topology& topology)
{
    FlowGraph graph = DrawGraph(seed, topology);
    FlowGraph complete = graph;
    complete.Check(topology); // Check() counts the predecessors
    std::mt19937 random(seed);
    for (Step step = 0; step < graph.GetNSteps(); ++step)
    {
        graph.SetNeeded(step, random() % (complete.GetPredecessors(step).size() + 1));
    }
    return graph;
}

/// Checks that each computation starts when its host knows that the required predecessors are done,
/// and that each flow starts when its host has then finished computing.
void
CheckStarts(const Fabric& fabric)
{
    const GraphRunner& runner = *fabric.GetGraphRunner();
    const FlowGraph& graph = runner.GetGraph();
    for (Step step = 0; step < graph.GetNSteps(); ++step)
    {
        Time due = graph.GetStart(step);
        std::vector<Time> heard;
        for (const FlowGraph::Link& link : graph.GetPredecessors(step))
        {
            const uint32_t host = graph.GetKnowingHost(link.step, link.GetUntil());
            const uint32_t own = graph.GetSource(step);
            const auto known = runner.GetTimes(link.step).Get(link.GetUntil());
            NS_TEST_ASSERT_MSG_EQ(known.has_value(), true, "a predecessor of " << step);
            heard.push_back(*known + (host == own ? Time(0) : fabric.GetNoticeTime(host, own)));
        }
        if (!heard.empty())
        {
            std::sort(heard.begin(), heard.end());
            due = std::max(due, heard.at(graph.GetNeeded(step) - 1));
        }
        const bool isFlow = graph.GetBytes(step) > 0;
        due += isFlow ? graph.GetCompute(step) : Time(0);
        const StepTimes times = runner.GetTimes(step);
        NS_TEST_ASSERT_MSG_EQ(times.started.value_or(Time(-1)), due, "start of step " << step);
        NS_TEST_ASSERT_MSG_EQ(times.received.has_value() && times.sent.has_value(), true, "done");
        if (!isFlow)
        {
            NS_TEST_EXPECT_MSG_EQ(*times.sent, due + graph.GetCompute(step), "it has computed");
        }
    }
}

/// @return a leaf-spine network of 8 hosts, in which paths between leaves have longer delays than
/// paths within a leaf
Topology
MakeNetwork()
{
    LeafSpineOptions options{2, 2, 4};
    options.delay = NanoSeconds(700);
    return Topology::LeafSpine(options);
}

LOSSLESS_TESTS(g_suite)
{
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        g_suite.Add("random graph " + std::to_string(seed) + " starts each step when it is due",
                    [seed] {
                        const Topology topology = MakeNetwork();
                        Fabric fabric(topology, SwitchHelper(*FindPart<SchemeInfo>("SIH")));
                        FlowRecorder recorder;
                        WatchHosts(recorder, fabric);
                        fabric.StartGraph(seed % 2 == 0 ? DrawGraph(seed, topology)
                                                        : DrawLooseGraph(seed, topology));
                        fabric.StopWhenFlowsAreDone(MilliSeconds(10),
                                                    Fabric::FlowEnd::ACKNOWLEDGED);
                        Simulator::Run();
                        CheckStarts(fabric);
                        const GraphRunner& runner = *fabric.GetGraphRunner();
                        NS_TEST_EXPECT_MSG_EQ(runner.HasStalled(), false, "it has ended");
                        NS_TEST_EXPECT_MSG_EQ(runner.CountDone(), 60, "all steps");
                        for (const auto& [id, record] : recorder.GetFlows())
                        {
                            const StepTimes times = runner.GetTimes(Step(1000 - id));
                            NS_TEST_EXPECT_MSG_EQ(record.start, *times.started, "as recorded");
                            NS_TEST_EXPECT_MSG_EQ(record.received, *times.received, "too");
                        }
                    });
        g_suite.Add("random graph " + std::to_string(seed) + " is the same with windows", [seed] {
            const Topology topology = MakeNetwork();
            std::string first;
            for (const Time& window : {Time(0), Time::Max(), NanoSeconds(300)})
            {
                OwnSimulator simulator(window);
                FlowGraph graph = DrawLooseGraph(seed, topology);
                NS_TEST_ASSERT_MSG_EQ(graph.Check(topology).value_or(""), "", "it is right");
                const std::string times = RunGraph(topology, std::move(graph));
                first = first.empty() ? times : first;
                NS_TEST_EXPECT_MSG_EQ(times, first, "a window of " << window.As(Time::NS));
            }
        });
        g_suite.Add("random graph " + std::to_string(seed) + " is read as it was written", [seed] {
            const Topology topology = MakeNetwork();
            FlowGraph graph = DrawLooseGraph(seed, topology);
            NS_TEST_ASSERT_MSG_EQ(graph.Check(topology).value_or(""), "", "it is right");
            const std::string text = ToCsv(graph, topology);
            std::istringstream input(text);
            const FlowGraph again = ParseFlowGraphCsv(input, "file", topology);
            NS_TEST_EXPECT_MSG_EQ(ToCsv(again, topology), text, "the same");
        });
    }
}

LOSSLESS_TEST(g_suite, "what stands still is named, with what waits for it")
{
    Topology topology = MakeStar(3);
    Fabric fabric(topology, SwitchHelper(*FindPart<SchemeInfo>("SIH")));
    FlowGraph graph;
    graph.Add(MakeFlow(4, 0, 1, 1000000)); // this flow takes a millisecond
    graph.Add(MakeFlow(5, 1, 2));
    graph.AddPredecessor(1, 0, Until::RECEIVED);
    // Until then, only these steps make progress.
    graph.Add(StepSpec::MakeComputation(6, 0, MicroSeconds(100)));
    graph.Add(StepSpec::MakeComputation(7, 0, MicroSeconds(300)));
    graph.AddPredecessor(3, 2, Until::SENT);
    fabric.StartGraph(std::move(graph));
    fabric.StopWhenFlowsAreDone(MicroSeconds(80));
    FlowRecorder recorder;
    WatchHosts(recorder, fabric);
    Simulator::Schedule(MicroSeconds(20), [&fabric] { fabric.GetCable(0)->SetUp(false); });
    Simulator::Run();
    const GraphRunner& runner = *fabric.GetGraphRunner();
    NS_TEST_ASSERT_MSG_EQ(runner.HasStalled(), true, "the cable of host 0 is down");
    const auto standstill = runner.DescribeStandstill();
    NS_TEST_ASSERT_MSG_EQ(standstill.has_value(), true, "it says so");
    NS_TEST_EXPECT_MSG_EQ(standstill->since, MicroSeconds(400), "the computation was the last");
    NS_TEST_EXPECT_MSG_EQ_TOL(Simulator::Now(), MicroSeconds(480), MicroSeconds(10), "it ends");
    NS_TEST_EXPECT_MSG_EQ(standstill->unfinished, 2, "two of four");
    NS_TEST_ASSERT_MSG_EQ(standstill->examples.size(), 2, "both are named");
    ExpectBegin(standstill->examples[0], "flow 4 from h0 to h1 is under way since 0s, with ");
    NS_TEST_EXPECT_MSG_EQ(standstill->examples[1],
                          "flow 5 from h1 to h2 waits for flow 4 from h0 to h1 to be received.",
                          "what waits");
    FlowPlan plan;
    plan.SetFabric(fabric);
    const std::vector<FlowRow> rows = plan.Join(recorder.GetFlows(), {});
    NS_TEST_ASSERT_MSG_EQ(rows.size(), 2, "flows 4 and 5");
    NS_TEST_EXPECT_MSG_EQ(rows[0].start.value_or(Seconds(1)), Time(0), "under way since then");
    NS_TEST_EXPECT_MSG_EQ(rows[1].start.has_value(), false, "its time has not come");
    const auto countFlows = [&rows](const MeasureWindow& window) {
        return GetStatistics(window, Simulator::Now(), rows, {}, {}).flows;
    };
    NS_TEST_EXPECT_MSG_EQ(countFlows({}), 2, "both are part of the run");
    NS_TEST_EXPECT_MSG_EQ(countFlows({Time(0), Seconds(1)}), 1, "what started before the end");
}

LOSSLESS_TEST(g_suite, "what needs some of several says how many, and is under way with them")
{
    Fabric fabric(MakeStar(3), SwitchHelper(*FindPart<SchemeInfo>("SIH")));
    FlowGraph graph;
    graph.Add(MakeFlow(4, 0, 1, 1000000));
    graph.Add(MakeFlow(5, 0, 1, 1000000));
    graph.Add(StepSpec::MakeComputation(6, 0, Time(0)));
    for (const uint32_t needed : {2, 1})
    {
        const Step step = graph.Add(MakeFlow(9 - needed, 0, 2, 1000000));
        for (Step predecessor = 0; predecessor < 3; ++predecessor)
        {
            graph.AddPredecessor(step, predecessor, Until::SENT);
        }
        graph.SetNeeded(step, needed);
    }
    fabric.StartGraph(std::move(graph));
    fabric.StopWhenFlowsAreDone(MicroSeconds(80));
    Simulator::Schedule(MicroSeconds(20), [&fabric] { fabric.GetCable(0)->SetUp(false); });
    Simulator::Run();
    const auto standstill = fabric.GetGraphRunner()->DescribeStandstill();
    NS_TEST_ASSERT_MSG_EQ(standstill.has_value(), true, "the cable of host 0 is down");
    NS_TEST_EXPECT_MSG_EQ(standstill->unfinished, 4, "of five");
    NS_TEST_ASSERT_MSG_EQ(standstill->examples.size(), 4, "all are named");
    ExpectBegin(standstill->examples[2], "flow 8 from h0 to h2 is under way since 0s");
    NS_TEST_EXPECT_MSG_EQ(standstill->examples.back(),
                          "flow 7 from h0 to h2 waits for 2 of 3 ends, for example for flow 4 from "
                          "h0 to h1 to be sent (and for 1 more).",
                          "what waits");
}

LOSSLESS_TEST(g_suite, "a graph that does not end is a problem, and progress counts its steps")
{
    Fabric fabric(MakeStar(3), SwitchHelper(*FindPart<SchemeInfo>("SIH")));
    FlowGraph graph;
    graph.Add(MakeFlow(4, 0, 1, 1000));
    fabric.StartGraph(std::move(graph));
    RunVerdict verdict;
    verdict.packetHops = 1;
    SetOutcome(verdict);
    NS_TEST_EXPECT_MSG_EQ(ToString(verdict.outcome), std::string("lossless"), "without");
    GraphResults(*fabric.GetGraphRunner(), {}).Judge(verdict);
    SetOutcome(verdict);
    NS_TEST_EXPECT_MSG_EQ(ToString(verdict.outcome), std::string("unfinished"), "it has not ended");
    NS_TEST_ASSERT_MSG_EQ(verdict.problems.size(), 1, "which --strict looks at");
    ExpectBegin(verdict.problems[0],
                "The flow graph has not come to its end: 1 of 1 steps are not done. ");
    Simulator::Destroy();
    RunProgress progress;
    progress.simulatedNs = 1200000;
    progress.arrived = 3;
    progress.flows = 10;
    progress.doneSteps = 5;
    progress.steps = 20;
    progress.wallNs = 1000000000;
    NS_TEST_EXPECT_MSG_EQ(std::string(progress.Describe().Get()),
                          "1.2 ms simulated, 5 of 20 steps, about 3.0 s left",
                          "a quarter is done");
}

LOSSLESS_TEST(g_suite, "a million flows with a predecessor each are set up in 5 s and 300 B a flow")
{
    constexpr uint32_t flows = 1000000;
    const Topology topology = MakeStar(64);
    const std::clock_t begin = std::clock(); // processor time, which other processes do not affect
    FlowGraph graph;
    for (Step step = 0; step < flows; ++step)
    {
        graph.Add(MakeFlow(step, step % 64, (step + 1) % 64));
        if (step >= 64)
        {
            graph.AddPredecessor(step, step - 64, Until::SENT);
        }
    }
    NS_TEST_ASSERT_MSG_EQ(graph.Check(topology).value_or(""), "", "it is right");
    const double spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    NS_TEST_EXPECT_MSG_EQ((spent < 5), true, spent << " s");
    NS_TEST_EXPECT_MSG_EQ((graph.GetMemory() < 300ULL * flows),
                          true,
                          graph.GetMemory() / flows << " B a flow");
}

} // namespace ns3::lossless::tests::THIS_FILE
