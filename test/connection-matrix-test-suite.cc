// SPDX-License-Identifier: GPL-2.0-only

#include "graph-text.h"
#include "lossless-test.h"

#include "ns3/connection-matrix.h"
#include "ns3/lossless-topology.h"
#include "ns3/matrix-graph.h"
#include "ns3/text-lines.h"

#include <queue>
#include <random>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-connection-matrix", UNIT);

std::string
Parse(const std::string& text, ConnectionMatrix& matrix)
{
    std::istringstream input(text);
    const auto error = CatchComplaint([&] { matrix = ParseConnectionMatrix(input, "f.cm"); });
    return error.value_or("");
}

/// Adds the connections to a graph.
/// @param nodes the number of nodes in the matrix
/// @return the error message, if any
std::optional<std::string>
AddTo(FlowGraph& graph, const ConnectionMatrix& matrix, uint32_t nodes)
{
    return CatchComplaint([&] { AddConnections(matrix, "f.cm", PlaceLinearly(nodes), graph); });
}

std::string
ToGraph(const std::string& text)
{
    ConnectionMatrix matrix;
    const std::string error = Parse(text, matrix);
    if (!error.empty())
    {
        return matrix.hosts == 0 ? error : "changed in spite of " + error;
    }
    FlowGraph graph;
    const auto misfit = AddTo(graph, matrix, 16);
    if (misfit)
    {
        return graph.IsEmpty() ? *misfit : "changed in spite of " + *misfit;
    }
    return DescribeGraph(graph, 16, [&matrix](FlowGraph::Step step) {
        return DescribeConnection(matrix, step);
    });
}

std::string
Write(const ConnectionMatrix& matrix)
{
    std::ostringstream output;
    WriteConnectionMatrix(output, matrix);
    return output.str();
}

/// @return the connection matrix of the graph, or the error message
std::string
ToFile(FlowGraph graph, const Topology& topology)
{
    const auto wrong = graph.Check(topology);
    std::string text;
    const auto error = CatchComplaint(
        [&] { text = wrong.value_or(Write(MakeConnectionMatrix(graph, topology))); });
    return error.value_or(text);
}

StepSpec
MakeFlow(uint32_t source, uint32_t destination, uint64_t bytes, uint64_t id)
{
    StepSpec step;
    step.flow = {id, source, destination, 3, bytes, Time(0), ""};
    return step;
}

LOSSLESS_TEST(g_suite, "A connection matrix becomes a flow graph")
{
    NS_TEST_EXPECT_MSG_EQ(ToGraph("# A comment.\n"
                                  "Nodes 16\nConnections 6\nTriggers 3\n\n"
                                  "0->5 id 1 start 0 size 2000000 send_done_trigger 1\n"
                                  "5->9  id 20 trigger 1 size 7 recv_done_trigger 2 prio 9\r\n"
                                  "5->8 id 3 trigger 1 size 8 recv_done_trigger 2\n"
                                  "trigger id 1 oneshot\n"
                                  "9->1 id 4 size 9 trigger 3\n"
                                  "trigger id 2 barrier count 2\n"
                                  "1->2 id 5 trigger 2 size 3000000000 send_done_trigger 3\n"
                                  "1->3 start 1234500.5 size 1\n"
                                  "trigger id 3 multishot\n"),
                          "1: 0>5 2000000B @0\n"
                          "20: 5>9 7B @0 1s\n"
                          "3: 5>8 8B @0 1s\n"
                          "4: 9>1 9B @0 5s\n"
                          "5: 1>2 3000000000B @0 20r 3r\n"
                          "21: 1>3 1B @1235\n",
                          "each waits for what activates its trigger");
}

/// Each activation of a multishot starts one connection; here, the activations are sequential.
LOSSLESS_TEST(g_suite, "A multishot starts one connection after the other")
{
    const std::string head = "Nodes 4\nConnections 4\nTriggers 1\ntrigger id 1 multishot\n"
                             "0->1 id 1 start 0 size 1 send_done_trigger 1\n"
                             "0->2 id 2 trigger 1 size 1 recv_done_trigger 1\n";
    NS_TEST_EXPECT_MSG_EQ(ToGraph(head + "0->3 id 3 trigger 1 size 1 send_done_trigger 1\n"
                                         "2->3 id 4 trigger 1 size 1 send_done_trigger 1\n"),
                          "1: 0>1 1B @0\n2: 0>2 1B @0 1s\n3: 0>3 1B @0 2r\n4: 2>3 1B @0 3s\n",
                          "a chain, whose end activates in vain");
    NS_TEST_EXPECT_MSG_EQ(ToGraph(head + "0->3 id 3 trigger 1 size 1\n"
                                         "2->3 id 4 trigger 1 size 1\n"),
                          "f.cm:4: trigger 1 is not activated often enough: connection 4 never "
                          "starts",
                          "an end too early");
}

/// When several ends activate a multishot, the k-th activation starts its k-th connection. The k-th
/// connection thus waits for any k of these ends, as in htsim's all-to-all with several concurrent
/// messages.
LOSSLESS_TEST(g_suite, "Several connections race for the next one of a multishot")
{
    const std::string head = "Nodes 4\nConnections 4\nTriggers 1\ntrigger id 1 multishot\n"
                             "0->1 id 1 start 0 size 1 send_done_trigger 1\n"
                             "0->2 id 2 start 0 size 1 send_done_trigger 1\n"
                             "0->3 id 3 trigger 1 size 1";
    NS_TEST_EXPECT_MSG_EQ(ToGraph(head + "\n0->1 id 4 trigger 1 size 1\n"),
                          "1: 0>1 1B @0\n2: 0>2 1B @0\n3: 0>3 1B @0 1s 2s /1\n4: 0>1 1B @0 1s 2s\n",
                          "the first of two, and both");
    NS_TEST_EXPECT_MSG_EQ(ToGraph(head + " recv_done_trigger 1\n0->1 id 4 trigger 1 size 1 "
                                         "send_done_trigger 1\n"),
                          "1: 0>1 1B @0\n2: 0>2 1B @0\n3: 0>3 1B @0 1s 2s /1\n"
                          "4: 0>1 1B @0 1s 2s 3r /2\n",
                          "a connection that it has started may come first, too; its last in vain");
    NS_TEST_EXPECT_MSG_EQ(ToGraph("Nodes 4\nConnections 5\n" + head.substr(22) +
                                  "\n0->1 id 4 trigger 1 size 1\n0->1 id 5 trigger 1 size 1\n"),
                          "f.cm:4: trigger 1 is not activated often enough: connection 5 never "
                          "starts",
                          "two ends for three");
}

/// Random connections with individual durations and two multishot triggers. As in htsim, each
/// activation of a trigger starts the trigger's next connection.
class RandomMultishots
{
  public:
    explicit RandomMultishots(uint32_t seed)
    {
        std::mt19937 random(seed);
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            m_takes.push_back(1 + random() % 100000);
            m_triggers.push_back(i < COUNT / 2 ? 0 : 1 + random() % 2);
            m_ends.push_back(random() % 4 % 3); // half of the connections activate a trigger
        }
    }

    std::string Write() const
    {
        std::string text = "Nodes 2\nConnections 16\nTriggers 2\ntrigger id 1 multishot\n"
                           "trigger id 2 multishot\n";
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            const std::string trigger = std::to_string(m_triggers[i]);
            text += "0->1 id " + std::to_string(i + 1) +
                    (m_triggers[i] > 0 ? " trigger " + trigger : " start 0") + " size 1" +
                    (m_ends[i] > 0 ? " send_done_trigger " + std::to_string(m_ends[i]) : "") + "\n";
        }
        return text;
    }

    /// @return the start time of each connection, or -1 if it never starts
    std::vector<int64_t> Run() const
    {
        std::array<std::queue<uint32_t>, 3> waiting; // the connections that wait for each trigger
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            waiting[m_triggers[i]].push(i);
        }
        return Simulate([this](uint32_t connection) { return m_triggers[connection] == 0; },
                        [this, &waiting](uint32_t connection, const Start& start) {
                            std::queue<uint32_t>& next = waiting[m_ends[connection]];
                            if (m_ends[connection] > 0 && !next.empty())
                            {
                                start(next.front());
                                next.pop();
                            }
                        });
    }

    std::vector<int64_t> Run(const FlowGraph& graph) const
    {
        std::vector<std::size_t> heard(COUNT);
        return Simulate([&graph](uint32_t connection) { return graph.GetNeeded(connection) == 0; },
                        [&graph, &heard](uint32_t connection, const Start& start) {
                            for (const FlowGraph::Link& link : graph.GetSuccessors(connection))
                            {
                                if (++heard[link.step] == graph.GetNeeded(link.step))
                                {
                                    start(link.step);
                                }
                            }
                        });
    }

  private:
    using Start = std::function<void(uint32_t connection)>;

    /// @param isFirst true if a connection starts at 0
    /// @param end a function that handles the end of a connection and may start others
    std::vector<int64_t> Simulate(
        const std::function<bool(uint32_t connection)>& isFirst,
        const std::function<void(uint32_t connection, const Start& start)>& end) const
    {
        std::vector<int64_t> starts(COUNT, -1);
        std::set<std::pair<int64_t, uint32_t>> running; // running connections, ordered by end time
        int64_t now = 0;
        const auto start = [&](uint32_t connection) {
            starts[connection] = now;
            running.emplace(now + m_takes[connection], connection);
        };
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            if (isFirst(i))
            {
                start(i);
            }
        }
        while (!running.empty())
        {
            const uint32_t connection = running.begin()->second;
            now = running.begin()->first;
            running.erase(running.begin());
            end(connection, start);
        }
        return starts;
    }

    static constexpr uint32_t COUNT = 16; ///< number of connections

    std::vector<int64_t> m_takes; ///< duration of each connection
    /// Trigger that starts each connection, or 0 if there is none.
    std::vector<uint32_t> m_triggers;
    /// Trigger that the end of each connection activates, or 0 if there is none.
    std::vector<uint32_t> m_ends;
};

LOSSLESS_TESTS(g_suite)
{
    g_suite.Add("Random multishots start what they would start in htsim", [] {
        const Topology star = Topology::Star({2, DataRate("1Gbps"), Time(0)});
        uint32_t accepted = 0;
        for (uint32_t seed = 1; seed <= 300; ++seed)
        {
            const RandomMultishots multishots(seed);
            ConnectionMatrix matrix;
            NS_TEST_ASSERT_MSG_EQ(Parse(multishots.Write(), matrix), "", multishots.Write());
            const std::vector<int64_t> starts = multishots.Run();
            const bool areAll = *std::min_element(starts.begin(), starts.end()) >= 0;
            FlowGraph graph;
            auto error = AddTo(graph, matrix, 2);
            error = error ? error : graph.Check(star);
            NS_TEST_ASSERT_MSG_EQ((areAll || error), true, "not all start: " << multishots.Write());
            NS_TEST_ASSERT_MSG_EQ((!error || !areAll), true, *error);
            if (!error)
            {
                ++accepted;
                NS_TEST_ASSERT_MSG_EQ((multishots.Run(graph) == starts), true, multishots.Write());
            }
        }
        NS_TEST_EXPECT_MSG_EQ((accepted > 30), true, accepted << " of 300 are fine");
    });
}

LOSSLESS_TEST(g_suite, "A cycle of triggers is named by its lines")
{
    NS_TEST_EXPECT_MSG_EQ(ToGraph("Nodes 4\nConnections 3\nTriggers 2\n"
                                  "trigger id 1 oneshot\ntrigger id 2 oneshot\n"
                                  "0->1 id 70 trigger 1 size 1 send_done_trigger 2\n"
                                  "0->3 start 5 size 0\n"
                                  "1->2 id 7 trigger 2 size 1 recv_done_trigger 1\n"),
                          "the connection in line 8 waits for the connection in line 6 (sent), "
                          "which waits for the connection in line 8 (received); 2 of 3 steps never "
                          "start",
                          "two that start each other");
}

LOSSLESS_TEST(g_suite, "Triggers that do not work are refused")
{
    const auto expect =
        [](const std::string& count, const std::string& lines, const std::string& result) {
            const std::string text = "Nodes 4\nConnections " + count + "\nTriggers 1\n" + lines;
            NS_TEST_EXPECT_MSG_EQ(ToGraph(text), result, lines);
        };
    expect("3",
           "0->1 id 1 start 0 size 1 send_done_trigger 5\n"
           "0->2 id 2 start 0 size 1 recv_done_trigger 5\n"
           "0->3 id 3 trigger 5 size 1\ntrigger id 5 oneshot\n",
           "f.cm:7: trigger 5 is a oneshot, but 2 ends of connections activate it; htsim stops at "
           "the second");
    expect("2",
           "0->1 id 1 start 0 size 1 send_done_trigger 5\n"
           "0->3 id 3 trigger 5 size 1\ntrigger id 5 barrier count 2\n",
           "f.cm:6: trigger 5 is a barrier of 2 activations, but 1 ends of connections activate "
           "it");
    expect("1",
           "0->3 id 3 trigger 5 size 1\ntrigger id 5 oneshot\n",
           "f.cm:5: trigger 5 is never activated, so that connection 3 never starts");
    expect("1",
           "0->3 start 0 size 1 send_done_trigger 5\ntrigger id 5 oneshot\n",
           "f.cm:5: trigger 5 starts no connection; htsim stops when it is activated");
    // htsim ignores the activation of a multishot that has no further connections.
    expect("1",
           "0->3 start 0 size 1 send_done_trigger 5\ntrigger id 5 multishot\n",
           "1: 0>3 1B @0\n");
    expect("1", "0->3 start 0 size 1\ntrigger id 5 oneshot\n", "1: 0>3 1B @0\n");
    expect("1",
           "0->3 id 3 trigger 5 size 1 recv_done_trigger 5\ntrigger id 5 oneshot\n",
           "the connection in line 4 waits for itself (received); 1 of 1 steps never start");
}

LOSSLESS_TEST(g_suite, "Malformed connection matrices are refused")
{
    const std::string head = "Nodes 4\nConnections 1\n";
    const std::string good = "0->3 start 0 size 1";
    const std::string attributes = "; allowed are id, start, trigger, size, send_done_trigger, "
                                   "recv_done_trigger and prio";
    const std::vector<std::pair<std::string, std::string>> files = {
        {"", " the line `Nodes NUMBER` is missing, with which connection matrices begin"},
        {"Nodes 4\n",
         "1: the line `Connections NUMBER` is missing, with which connection matrices begin"},
        {"Nodes 4 5\n",
         "1: the line begins with 'Nodes' and has 3 words; allowed is `Nodes NUMBER`, which "
         "announces how many there are"},
        {head + "Triggers id 1 oneshot\n",
         "3: the line begins with 'Triggers' and has 4 words; allowed is `Triggers NUMBER`, which "
         "announces how many there are"},
        {head + good + "\nTriggers 1\n",
         "4: the line begins with 'Triggers', which announces how many there are; it must be above "
         "all connections, triggers and failures"},
        {"Nodes 1\n", "1: Nodes is '1'; allowed is a whole number from 2 to 2147483647"},
        {"Nodes 4\nNodes 4\n", "2: a second line says Nodes"},
        {head + "1 2\n",
         "3: the line begins with '1'; allowed is a connection as 0->5, trigger or failure"},
        {head + "0->4 start 0 size 1\n",
         "3: receiver is '4'; allowed is a whole number from 0 to 3"},
        {head + "->1 start 0 size 1\n", "3: sender is ''; allowed"},
        {head + "1->1 start 0 size 1\n", "3: host 1 sends to itself"},
        {head + "0->3 start 0\n", "3: the connection has no size"},
        {head + "0->3 size 4\n", "3: the connection has neither start nor trigger"},
        {head + "0->3 id 1 size 4 start 0 trigger 1\n",
         "3: the connection has both start and trigger; it must have one"},
        {head + "0->3 size 4 trigger 1\n", "3: the connection has a trigger, but no id"},
        {head + "0->3 size -1 start 0\n",
         "3: size is '-1'; allowed is a whole number from 0 to 1000000000000000"},
        {head + "0->3 size 4 start -1\n",
         "3: start is '-1'; allowed is a number of picoseconds from 0 to "},
        {head + "0->3 size 4 start 1e300\n", "3: start is '1e300'"},
        {head + "0->3 id 0 size 4 start 1\n",
         "3: id is '0'; allowed is a whole number from 1 to 2147483647"},
        {head + good + " size\n", "3: size stands in the line twice"},
        {head + "0->3 start 0 size\n", "3: the line ends before the number of size"},
        {head + good + " msg 1\n",
         "3: connections that are used again (msg) are not read" + attributes},
        {head + good + " weight 1\n", "3: a connection has no attribute 'weight'" + attributes},
        {head,
         "2: the file ends here and has 0 lines of its Connections; its first lines announce 1"},
        {head + good + "\n" + good, "4: the file ends here and has 2 lines of its Connections"},
        {head + good + "\ntrigger id 1 oneshot",
         "4: the file ends here and has 1 line of its Triggers; its first lines announce 0"},
        {head + good + " send_done_trigger 9",
         "3: the file ends here without trigger 9, which line 3 names"},
        {head + "trigger id 1",
         "3: a trigger needs an id, and one of oneshot, multishot and barrier"},
        {head + "trigger barrier", "3: a trigger needs an id"},
        {head + "trigger id 1 barrier", "3: a barrier needs a count"},
        {head + "trigger id 1 oneshot count 1", "3: only a barrier has a count"},
        {head + "trigger id 1 oneshot multishot", "3: a kind of trigger stands in the line twice"},
        {head + "trigger id 1 oneshot\ntrigger id 1 oneshot", "4: id 1 is that of another trigger"},
        {head + "trigger id 1 twoshot", "3: a trigger has no attribute 'twoshot'"},
        {head + "failure switch_type TOR", "3: switch_type is 'TOR'; allowed is AGG"},
        {head + "failure switch_type AGG", "3: a failure needs switch_type, switch_id and link_id"},
        {head + "failure colour red", "3: a failure has no attribute 'colour'"},
        {"Nodes 4\nConnections 2\n0->3 id 1 start 0 size 1\n0->3 id 1 start 0 size 1",
         "4: id 1 is that of another connection"},
    };
    for (const auto& [text, complaint] : files)
    {
        const std::string result = ToGraph(text);
        NS_TEST_EXPECT_MSG_EQ(result.substr(0, complaint.size() + 5),
                              "f.cm:" + complaint,
                              "of " << text << ": " << result);
    }
}

/// Failures name the links of a fat-tree. Aggregation switch 3 is the second one of pod 1, and its
/// uplinks lead to the last two of four core switches.
LOSSLESS_TEST(g_suite, "Failures become failed links, and back")
{
    Topology topology = Topology::FatTree({4});
    ConnectionMatrix matrix;
    const std::string text = "Nodes 16\nConnections 1\nFailures 2\n0->9 id 1 start 0 size 5\n"
                             "failure switch_type AGG switch_id 0 link_id 0\n"
                             "failure switch_type AGG switch_id 3 link_id 1\n";
    NS_TEST_ASSERT_MSG_EQ(Parse(text, matrix), "", "good");
    FailLinks(matrix, "f.cm", topology);
    std::vector<std::string> failed;
    for (const auto& link : topology.GetLinks())
    {
        if (link.failed)
        {
            failed.push_back(topology.GetNodes()[link.nodeA].name + "-" +
                             topology.GetNodes()[link.nodeB].name);
        }
    }
    NS_TEST_EXPECT_MSG_EQ((failed == std::vector<std::string>{"agg0-core0", "agg3-core3"}),
                          true,
                          "two links");
    FlowGraph graph;
    graph.Add(MakeFlow(0, 9, 5, 1));
    NS_TEST_EXPECT_MSG_EQ(ToFile(graph, topology), text, "written as read");
    topology.FailLink("edge0", "agg1");
    NS_TEST_EXPECT_MSG_EQ(ToFile(graph, topology),
                          "a connection matrix cannot hold the failed link edge0-agg1: it knows "
                          "failures of links from aggregation switches to core switches only",
                          "another failure");
    Topology star = Topology::Star({16, DataRate("1Gbps"), Time(0)});
    const auto misfit = CatchComplaint([&] { FailLinks(matrix, "f.cm", star); });
    NS_TEST_EXPECT_MSG_EQ(misfit.value_or(""),
                          "f.cm:5: the network has no link 0 from aggregation switch 0 to a core "
                          "switch; it has 0 aggregation switches",
                          "no such switch");
}

/// The flow graph requires oneshots and a barrier.
LOSSLESS_TEST(g_suite, "A flow graph becomes a connection matrix")
{
    const Topology star = Topology::Star({4, DataRate("1Gbps"), Time(0)});
    FlowGraph graph;
    // htsim does not support the ID 0, so all connections are renumbered.
    StepSpec late = MakeFlow(0, 1, 5, 0);
    late.flow.start = NanoSeconds(7);
    graph.Add(late);
    graph.Add(MakeFlow(1, 2, MAX_HTSIM_NUMBER, 1));
    graph.Add(StepSpec::MakeComputation(2, 2, Time(0)));
    graph.Add(MakeFlow(2, 3, 6, 3));
    graph.Add(MakeFlow(2, 0, 6, 4));
    graph.Add(MakeFlow(1, 0, 6, 5));
    graph.AddPredecessor(1, 0, FlowGraph::Until::RECEIVED);
    graph.AddPredecessor(2, 1, FlowGraph::Until::RECEIVED);
    graph.AddPredecessor(2, 0, FlowGraph::Until::SENT);
    graph.AddPredecessor(3, 2, FlowGraph::Until::SENT);
    graph.AddPredecessor(4, 2, FlowGraph::Until::SENT);
    graph.AddPredecessor(5, 1, FlowGraph::Until::SENT);
    NS_TEST_EXPECT_MSG_EQ(
        ToFile(graph, star),
        "Nodes 4\nConnections 5\nTriggers 3\n"
        "0->1 id 1 start 7000 size 5 send_done_trigger 2 recv_done_trigger 1\n"
        "1->2 id 2 trigger 1 size 2147483647 send_done_trigger 3 recv_done_trigger 2\n"
        "2->3 id 3 trigger 2 size 6\n"
        "2->0 id 4 trigger 2 size 6\n"
        "1->0 id 5 trigger 3 size 6\n"
        "trigger id 1 oneshot\ntrigger id 2 barrier count 2\ntrigger id 3 oneshot\n",
        "the computation is where two ends meet");
}

LOSSLESS_TEST(g_suite, "Flow graphs that htsim could not run are refused")
{
    const std::string begin = "a connection matrix cannot hold flow ";
    // Makes flows with the IDs 1, 2 and so on, followed by a last step. Each link is given by the
    // indices of a step and its predecessor.
    const auto expect = [](uint64_t flows,
                           const StepSpec& last,
                           const std::vector<std::pair<uint32_t, uint32_t>>& links,
                           FlowGraph::Until until,
                           uint32_t needed,
                           const std::string& complaint) {
        FlowGraph graph;
        for (uint64_t id = 1; id <= flows; ++id)
        {
            graph.Add(MakeFlow(0, 1, 5, id));
        }
        const FlowGraph::Step step = graph.Add(last);
        for (const auto& [successor, predecessor] : links)
        {
            graph.AddPredecessor(successor, predecessor, until);
        }
        graph.SetNeeded(step, needed);
        const Topology star = Topology::Star({4, DataRate("1Gbps"), Time(0)});
        NS_TEST_EXPECT_MSG_EQ(ToFile(graph, star), complaint, "refused");
    };
    StepSpec next = MakeFlow(1, 2, 5, 2);
    expect(1,
           next,
           {{1, 0}},
           FlowGraph::Until::STARTED,
           0,
           begin + "2: it waits for the start of flow 1; triggers tell of ends only");
    const auto expectNext = [&](const StepSpec& last, const std::string& complaint) {
        expect(1, last, {{1, 0}}, FlowGraph::Until::SENT, 0, complaint);
    };
    next.flow.start = NanoSeconds(1);
    expectNext(next,
               begin + "2: it waits for an instant and for other flows; a connection has one of "
                       "both");
    expectNext(MakeFlow(1, 2, MAX_HTSIM_NUMBER + 1, 2),
               begin + "2: it has 2147483648 bytes; htsim counts up to 2147483647");
    next = MakeFlow(1, 2, 5, 2);
    next.compute = NanoSeconds(1);
    expectNext(next, begin + "2: its host computes before it sends");
    expectNext(StepSpec::MakeComputation(2, 1, NanoSeconds(1)),
               "a connection matrix cannot hold computation 2: htsim's hosts do not compute");
    expect(3,
           MakeFlow(0, 1, 5, 4),
           {{2, 0}, {3, 0}, {3, 1}},
           FlowGraph::Until::SENT,
           0,
           begin + "4: it waits for an end of flow 1, as do flows that wait for others than it "
                   "does; one end of a connection activates one trigger");
    expect(2,
           MakeFlow(0, 1, 5, 3),
           {{2, 0}, {2, 1}},
           FlowGraph::Until::SENT,
           1,
           begin + "3: it waits for some of several ends, whichever are first; a trigger that does "
                   "so is not written");
}

/// The random graphs consist of groups of flows. All flows of a group wait for the same ends, and
/// no two groups wait for the same end. Reading the written matrix yields the same graph, and
/// writing this graph yields the same text.
LOSSLESS_TESTS(g_suite)
{
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        g_suite.Add("Random flow graphs survive a file, seed " + std::to_string(seed), [seed] {
            std::mt19937 random(seed);
            const auto draw = [&random](uint32_t below) { return random() % below; };
            const Topology star = Topology::Star({16, DataRate("1Gbps"), Time(0)});
            FlowGraph graph;
            // The ends for which no flow waits yet.
            std::vector<std::pair<FlowGraph::Step, FlowGraph::Until>> ends;
            for (uint32_t group = 0; group < 20; ++group)
            {
                std::shuffle(ends.begin(), ends.end(), random);
                const std::size_t nWaits = std::min<std::size_t>(draw(4), ends.size());
                const std::vector<std::pair<FlowGraph::Step, FlowGraph::Until>> waits(
                    ends.end() - static_cast<std::ptrdiff_t>(nWaits),
                    ends.end());
                ends.resize(ends.size() - nWaits);
                for (uint32_t i = 0; i <= draw(4); ++i)
                {
                    const uint32_t source = draw(16);
                    StepSpec step = MakeFlow(source,
                                             (source + 1 + draw(15)) % 16,
                                             1 + draw(MAX_HTSIM_NUMBER),
                                             1 + graph.GetNSteps() * 3 + draw(3));
                    step.flow.start = NanoSeconds(nWaits > 0 ? 0 : draw(1000000));
                    const FlowGraph::Step number = graph.Add(step);
                    for (const auto& [predecessor, until] : waits)
                    {
                        graph.AddPredecessor(number, predecessor, until);
                    }
                    ends.emplace_back(number, FlowGraph::Until::SENT);
                    ends.emplace_back(number, FlowGraph::Until::RECEIVED);
                }
            }
            const std::string text = ToFile(graph, star);
            ConnectionMatrix matrix;
            NS_TEST_ASSERT_MSG_EQ(Parse(text, matrix), "", text);
            NS_TEST_EXPECT_MSG_EQ(Write(matrix), text, "the same file");
            FlowGraph again;
            const auto error = AddTo(again, matrix, 16);
            NS_TEST_ASSERT_MSG_EQ(error.value_or(""), "", text);
            again.Check(star);
            NS_TEST_EXPECT_MSG_EQ(ToFile(again, star), text, "the same graph");
            NS_TEST_EXPECT_MSG_EQ(again.GetNPredecessors(), graph.GetNPredecessors(), text);
        });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
