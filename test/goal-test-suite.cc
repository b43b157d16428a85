// SPDX-License-Identifier: GPL-2.0-only

#include "graph-text.h"
#include "lossless-test.h"

#include "ns3/goal-binary.h"
#include "ns3/goal-text.h"
#include "ns3/text-lines.h"

#include <random>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-goal", UNIT);

/// @param text a schedule of at most 8 ranks
std::string
ToGraph(const std::string& text)
{
    std::istringstream input(text);
    std::optional<RankProgram> program;
    const auto error = CatchComplaint([&] { program = ParseGoal(input, "f.goal"); });
    return DescribeProgram(error, program);
}

LOSSLESS_TEST(g_suite, "A schedule becomes a flow graph")
{
    const std::string schedule = "// Two ranks. */\n"
                                 "num_ranks 2 /* of\n"
                                 "many */\n"
                                 "rank 0 {\n"
                                 "l1: calc 1000 cpu 1\n"
                                 "\tl2 : send 4096 b to 1 tag 7 cpu 0 nic 1 // out\r\n"
                                 "l2 requires l1\n"
                                 "back: recv 10b from 1 tag 8\n"
                                 "calc 5\n"
                                 "l_3:calc 6\n"
                                 "l_3 requires back\n"
                                 "}\n"
                                 "\n"
                                 "rank 1 {\n"
                                 "a: recv 5000b from 0 tag 7\n"
                                 "b: send 9b to 0 tag 8\n"
                                 "b requires a";
    NS_TEST_EXPECT_MSG_EQ(ToGraph(schedule + " }\n"),
                          "f.goal:17: '}' stands behind 'a'; allowed there is the end of the line",
                          "a line is ended by a line end");
    NS_TEST_EXPECT_MSG_EQ(ToGraph(schedule + "\n}"),
                          "0: 0 +1000\n"
                          "1: 0>1 4096B @0 0s\n"
                          "2: 0 +5\n"
                          "3: 0 +6 4r\n"
                          "4: 1>0 9B @0 1r\n",
                          "what requires a receive waits for the flow");
}

/// A receive that waits for other operations ends when it has started and its flow has arrived. Its
/// end is a separate step.
LOSSLESS_TEST(g_suite, "Receives that wait, and starts, have steps of their own")
{
    const std::string sender = "num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\n";
    const std::string receiver = sender + "c: calc 3\nr: recv 1b from 0\nr requires c\nd: calc 4\n";
    NS_TEST_EXPECT_MSG_EQ(ToGraph(receiver + "}"),
                          "0: 0>1 1B @0\n1: 1 +3\n2: 1 +4\n",
                          "nobody waits for it");
    NS_TEST_EXPECT_MSG_EQ(ToGraph(receiver + "d requires r\n}"),
                          "0: 0>1 1B @0\n1: 1 +3\n2: 1 +0 0r 1s\n3: 1 +4 2s\n",
                          "its end");
    NS_TEST_EXPECT_MSG_EQ(ToGraph(receiver + "d irequires r\n}"),
                          "0: 0>1 1B @0\n1: 1 +3\n2: 1 +0 1s\n3: 1 +4 2s\n",
                          "its start, for which the flow does not matter");
    NS_TEST_EXPECT_MSG_EQ(ToGraph(receiver + "d irequires r\nd requires r\n}"),
                          "0: 0>1 1B @0\n1: 1 +3\n2: 1 +0 1s\n3: 1 +0 0r 2s\n4: 1 +4 2s 3s\n",
                          "both");
    NS_TEST_EXPECT_MSG_EQ(ToGraph(sender + "r: recv 1b from 0\nd: calc 4\nd irequires r\n}"),
                          "0: 0>1 1B @0\n1: 1 +4\n",
                          "its start, at time 0");
    NS_TEST_EXPECT_MSG_EQ(ToGraph("num_ranks 2\nrank 0 {\ns: send 0b to 1\nc: calc 5\nd: calc 6\n"
                                  "d irequires s\nd irequires c\ns irequires c\n}\n"
                                  "rank 1 {\nrecv 0b from 0\n}"),
                          "0: 0>1 1B @0 1b\n1: 0 +5\n2: 0 +6 0b 1b\n",
                          "starts of a send, whose header is a byte, and of a computation");
}

LOSSLESS_TEST(g_suite, "Sends and receives are matched by ends and tag, in order")
{
    const std::string begin = "num_ranks 3\n"
                              "rank 0 {\nsend 1b to 1 tag 5\nsend 2b to 1 tag 6\n"
                              "send 3b to 1 tag 5\nsend 4b to 2 tag 5\n}\n"
                              "rank 2 {\nr: recv 4b from 0 tag 5\nc: calc 1\nc requires r\n}\n"
                              "rank 1 {\n";
    NS_TEST_EXPECT_MSG_EQ(ToGraph(begin + "a: recv 2b from 0 tag 6\nb: recv 3b from 0 tag 5\n"
                                          "c: recv 3b from 0 tag 5\nd: calc 2\nd requires c\n"
                                          "e: calc 3\ne requires a\nf: calc 4\nf requires b\n}\n"),
                          "0: 0>1 1B @0\n1: 0>1 2B @0\n2: 0>1 3B @0\n3: 0>2 4B @0\n"
                          "4: 2 +1 3r\n5: 1 +2 2r\n6: 1 +3 1r\n7: 1 +4 0r\n",
                          "the first with tag 5 is the first received");
    NS_TEST_EXPECT_MSG_EQ(
        ToGraph(begin + "recv 2b from 0 tag 6\nrecv 3b from 0 tag 5\n}\n"),
        "f.goal: line 5 of rank 0 sends to rank 1 with tag 5, but rank 1 does not "
        "receive it; 1 sends and 0 receives are without the other end",
        "one is missing");
    NS_TEST_EXPECT_MSG_EQ(ToGraph(begin + "recv 2b from 0 tag 6\nrecv 3b from 0 tag 5\n"
                                          "recv 3b from 0 tag 5\nrecv 3b from 2 tag 5\n}\n"),
                          "f.goal: line 17 of rank 1 receives from rank 2 with tag 5, but rank 2 "
                          "does not send it; 0 sends and 1 receives are without the other end",
                          "one too many");
    NS_TEST_EXPECT_MSG_EQ(ToGraph(begin + "recv 2b from 0 tag 6\nrecv 3b from 0 tag 5\n"
                                          "recv 2b from 0 tag 5\n}\n"),
                          "f.goal: line 16 of rank 1 receives 2 bytes, but line 5 of rank 0 sends "
                          "it 3",
                          "too small");
}

LOSSLESS_TEST(g_suite, "Malformed schedules are refused")
{
    const std::string rank = "num_ranks 2\nrank 0 {\n";
    const std::string bytes = "a number of bytes, a whole number from 0 to 1000000000000000";
    const std::vector<std::pair<std::string, std::string>> files = {
        {"", " the file ends without a line `num_ranks NUMBER`, with which schedules begin"},
        {"rank 0 {\n", "1: the line begins with 'rank'; allowed is num_ranks"},
        {"num_ranks 0",
         "1: '0' stands behind 'num_ranks'; allowed there is a number of ranks, a whole number "
         "from 1 to 16777216"},
        {"num_ranks 2\nnum_ranks 2", "2: the line begins with 'num_ranks'; allowed is rank"},
        {"num_ranks 2\nrank 2 {",
         "2: '2' stands behind 'rank'; allowed there is the number of a rank, a whole number "
         "from 0 to 1"},
        {"num_ranks 2\nrank 0\n{", "2: the line ends behind '0'; allowed there is '{'"},
        {rank, "2: the file ends within rank 0; a } is missing"},
        {rank + "}\n", "3: the file ends without rank 1 of 2"},
        {rank + "}\nrank 0 {\n", "4: rank 0 is there twice"},
        {rank + "calc\n",
         "3: the line ends behind 'calc'; allowed there is a number of nanoseconds"},
        {rank + "calc 99999999999999999999\n",
         "3: '99999999999999999999' stands behind 'calc'; allowed there is a "
         "number of nanoseconds"},
        {rank + "send 5 to 1\n", "3: 'to' stands behind '5'; allowed there is 'b'"},
        {rank + "send 5b from 1\n", "3: 'from' stands behind 'b'; allowed there is 'to'"},
        {rank + "send -5b to 1\n", "3: '-5' stands behind 'send'; allowed there is " + bytes},
        {rank + "send 5b to 0\n", "3: rank 0 has a message for itself; messages go to other ranks"},
        {rank + "recv 5b from -1\n",
         "3: the rank is -1, any; such messages are not read, because "
         "which one is received is not known beforehand"},
        {rank + "recv 5b from 1 tag -1\n", "3: the tag is -1, any; such messages"},
        {rank + "recv 5b from 1 tag 4294967296\n",
         "3: '4294967296' stands behind 'tag'; allowed there is the number "
         "of a tag, a whole number from 0 to 4294967295"},
        {rank + "recv 5b from 1 cpu 256\n",
         "3: '256' stands behind 'cpu'; allowed there is the number of a cpu"},
        {rank + "recv 5b from 1 tag 1 tag 1\n",
         "3: the tag of the recv is in the wrong place; allowed are the tag of a message, cpu and "
         "nic, each once and in this order"},
        {rank + "recv 5b from 1 cpu 0 tag 1\n", "3: the tag of the recv is in the wrong place"},
        {rank + "calc 5 tag 1\n", "3: the tag of the calc is in the wrong place"},
        {rank + "calc 5 6\n", "3: '6' stands behind '5'; allowed there is the end of the line"},
        {rank + "a: calc 1\na: calc 1\n", "4: the label a is that of another operation of rank 0"},
        {rank + "a: calc 1\na requires b\n", "4: no line above in rank 0 has the label b"},
        {rank + "a: calc 1\na requires 5\n",
         "4: '5' stands behind 'requires'; allowed there is a label, which begins with a letter"},
        {rank + "a: calc 1\na needs a\n",
         "4: 'needs' stands behind 'a'; allowed there is ':', requires or irequires"},
        {rank + "a: wait 1\n", "3: 'wait' stands behind ':'; allowed there is send, recv or calc"},
        {rank + "a:\n", "3: the line ends behind ':'; allowed there is send, recv or calc"},
        {rank + "5\n", "3: the line begins with '5'; allowed is send, recv, calc, a label or }"},
        {rank + "/* calc 5\n}\n", "4: the file ends within rank 0"},
        {rank + "calc 5\xff\n", "3: the line is not a text in UTF-8"},
    };
    for (const auto& [text, complaint] : files)
    {
        const std::string result = ToGraph(text);
        NS_TEST_EXPECT_MSG_EQ(result.substr(0, complaint.size() + 7),
                              "f.goal:" + complaint,
                              "of " << text << ": " << result);
    }
    NS_TEST_EXPECT_MSG_EQ(ToGraph("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires b\n"
                                  "b requires a\n}\n"),
                          "line 3 of rank 0 waits for line 4 of rank 0 (sent), which waits for "
                          "line 3 of rank 0 (sent); 2 of 2 steps never start",
                          "a cycle is named by its lines");
    NS_TEST_EXPECT_MSG_EQ(ToGraph("num_ranks 2\nrank 1 {\nr: recv 1b from 0\nc: calc 1\n"
                                  "r requires c\nc requires r\n}\nrank 0 {\nsend 1b to 1\n}\n"),
                          "line 4 of rank 1 waits for line 3 of rank 1 (sent), which waits for "
                          "line 4 of rank 1 (sent); 2 of 3 steps never start",
                          "as is what waits for what comes");
}

/// Compares random schedules with an independent calculation of the end of each operation. Each
/// calc and each message has its own duration.
class RandomSchedule
{
  public:
    explicit RandomSchedule(uint32_t seed)
        : m_random(seed)
    {
    }

    void Check();

  private:
    struct Line
    {
        std::string text;                ///< text without the label
        uint64_t nanoSeconds{0};         ///< duration of a calc
        std::optional<std::size_t> sent; ///< for a recv, the index of the matching send
        std::vector<std::pair<std::size_t, bool>>
            needs;         ///< required operations, each with a flag that is true if its start is
                           ///< sufficient
        uint32_t rank{0};  ///< rank of the operation
        uint64_t begin{0}; ///< calculated start
        uint64_t end{0};   ///< calculated end
    };

    uint32_t Draw(uint32_t below)
    {
        return static_cast<uint32_t>(m_random() % below);
    }

    /// Draws the operations in an order in which they can be executed.
    void DrawLines();
    std::string WriteText() const;
    void Run();

    static constexpr uint32_t RANKS = 4;     ///< number of ranks per schedule
    static constexpr uint64_t MESSAGE = 100; ///< duration of a message

    std::mt19937 m_random;     ///< random numbers for all decisions
    std::vector<Line> m_lines; ///< operations
};

void
RandomSchedule::DrawLines()
{
    std::vector<std::vector<std::size_t>> ofRank(RANKS);
    std::vector<std::size_t> open; // sends that have not been received yet
    for (std::size_t i = 0; i < 60; ++i)
    {
        Line line;
        line.rank = Draw(RANKS);
        if (!open.empty() && Draw(3) == 0)
        {
            const Line& send = m_lines[open.front()];
            line.sent = open.front();
            // Messages with the same source, destination and tag are received in order.
            open.erase(open.begin());
            const std::size_t to = send.text.find("to ");
            line.rank = static_cast<uint32_t>(send.text[to + 3] - '0');
            line.text = "recv 9b from " + std::to_string(send.rank) + send.text.substr(to + 4);
        }
        else if (Draw(2) == 0)
        {
            const uint32_t peer = (line.rank + 1 + Draw(RANKS - 1)) % RANKS;
            line.text = "send 9b to " + std::to_string(peer) + " tag " + std::to_string(Draw(2));
            open.push_back(i);
        }
        else
        {
            line.nanoSeconds = Draw(1000);
            line.text = "calc " + std::to_string(line.nanoSeconds);
        }
        for (const std::size_t other : ofRank[line.rank])
        {
            if (Draw(4) == 0)
            {
                line.needs.emplace_back(other, Draw(3) == 0);
            }
        }
        ofRank[line.rank].push_back(i);
        m_lines.push_back(line);
    }
    for (const std::size_t send : open)
    {
        Line line;
        const std::size_t to = m_lines[send].text.find("to ");
        line.sent = send;
        line.rank = static_cast<uint32_t>(m_lines[send].text[to + 3] - '0');
        line.text = "recv 9b from " + std::to_string(m_lines[send].rank) +
                    m_lines[send].text.substr(to + 4);
        m_lines.push_back(line);
    }
}

std::string
RandomSchedule::WriteText() const
{
    std::ostringstream text;
    text << "num_ranks " << RANKS << '\n';
    for (uint32_t rank = 0; rank < RANKS; ++rank)
    {
        text << "rank " << rank << " {\n";
        for (std::size_t i = 0; i < m_lines.size(); ++i)
        {
            if (m_lines[i].rank == rank)
            {
                text << 'l' << i << ": " << m_lines[i].text << '\n';
                for (const auto& [other, isStart] : m_lines[i].needs)
                {
                    text << 'l' << i << (isStart ? " irequires l" : " requires l") << other << '\n';
                }
            }
        }
        text << "}\n";
    }
    return text.str();
}

void
RandomSchedule::Run()
{
    for (Line& line : m_lines)
    {
        for (const auto& [other, isStart] : line.needs)
        {
            line.begin = std::max(line.begin, isStart ? m_lines[other].begin : m_lines[other].end);
        }
        const bool isSend = line.text[0] == 's';
        line.end = line.begin + line.nanoSeconds + (isSend ? MESSAGE : 0);
        if (line.sent)
        {
            line.end = std::max(line.begin, m_lines[*line.sent].end);
        }
    }
}

void
RandomSchedule::Check()
{
    DrawLines();
    Run();
    std::istringstream input(WriteText());
    FlowGraph graph;
    std::vector<CollectiveRun> runs;
    ParseGoal(input, "f.goal").AddTo(graph, PlaceLinearly(RANKS), runs);
    const auto error = graph.Check(Topology::Star({RANKS, DataRate("1Gbps"), Time(0)}));
    NS_TEST_ASSERT_MSG_EQ(error.value_or(""), "", WriteText());
    std::vector<uint64_t> begins(graph.GetNSteps());
    std::vector<uint64_t> ends(graph.GetNSteps());
    for (std::size_t round = 0; round < graph.GetNSteps(); ++round) // a chain has no more steps
    {
        for (FlowGraph::Step step = 0; step < graph.GetNSteps(); ++step)
        {
            for (const FlowGraph::Link& link : graph.GetPredecessors(step))
            {
                const bool isStart = link.GetUntil() == FlowGraph::Until::STARTED;
                begins[step] =
                    std::max(begins[step], isStart ? begins[link.step] : ends[link.step]);
            }
            ends[step] =
                begins[step] +
                (graph.GetBytes(step) > 0 ? MESSAGE : graph.GetCompute(step).GetNanoSeconds());
        }
    }
    std::multiset<std::pair<uint64_t, uint64_t>> expected;
    std::multiset<std::pair<uint64_t, uint64_t>> found;
    for (const Line& line : m_lines)
    {
        if (line.nanoSeconds > 0 || line.text[0] == 's')
        {
            expected.emplace(line.begin, line.end);
        }
    }
    for (FlowGraph::Step step = 0; step < graph.GetNSteps(); ++step)
    {
        if (begins[step] < ends[step])
        {
            found.emplace(begins[step], ends[step]);
        }
    }
    NS_TEST_EXPECT_MSG_EQ((found == expected), true, "the times of " << WriteText());
}

LOSSLESS_TESTS(g_suite)
{
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        g_suite.Add("Random schedules take the time that they should, seed " + std::to_string(seed),
                    [seed] { RandomSchedule(seed).Check(); });
    }
}

/// @param bytes a binary schedule of at most 8 ranks
std::string
FromBinary(const std::string& bytes)
{
    std::optional<RankProgram> program;
    const auto error = CatchComplaint([&] { program = ParseGoalBinary(bytes, "f.bin"); });
    return DescribeProgram(error, program);
}

/// Rank 0 computes and then sends. Rank 1 receives, replies, and computes when the reply starts.
const std::vector<std::vector<GoalOperation>> BINARY = {
    {{3, 1000, 0, 0, {1}, {}}, {1, 4096, 1, 7, {}, {}}, {2, 9, 1, 8, {}, {}}},
    {{2, 5000, 0, 7, {1}, {}}, {1, 9, 0, 8, {}, {2}}, {3, 6, 0, 0, {}, {}}}};

LOSSLESS_TEST(g_suite, "A binary schedule is read as its text is")
{
    const std::string text = "num_ranks 2\nrank 0 {\na: calc 1000\nb: send 4096b to 1 tag 7\n"
                             "b requires a\nrecv 9b from 1 tag 8\n}\n"
                             "rank 1 {\na: recv 5000b from 0 tag 7\nb: send 9b to 0 tag 8\n"
                             "b requires a\nc: calc 6\nc irequires b\n}\n";
    const std::string graph = "0: 0 +1000\n1: 0>1 4096B @0 0s\n2: 1>0 9B @0 1r\n3: 1 +6 2b\n";
    NS_TEST_EXPECT_MSG_EQ(FromBinary(MakeGoalBinary(BINARY)), graph, "binary");
    NS_TEST_EXPECT_MSG_EQ(ToGraph(text), graph, "text");
    for (const auto& [bytes, isBinary] : {std::pair(text, false),
                                          {MakeGoalBinary(BINARY), true},
                                          {std::string("\x26\x09\0\0", 4), true},
                                          {"// text", false},
                                          {"\xef\xbb\xbfnum_ranks", false},
                                          {"", false}})
    {
        std::istringstream input(bytes);
        NS_TEST_EXPECT_MSG_EQ(IsGoalBinary(input), isBinary, bytes);
    }
}

/// The file's header is 14 bytes long, and the table of the two ranks is 32 bytes long. The part of
/// rank 0 has two counts of 4 bytes each, two roots of 4 bytes each (the calc and the receive), and
/// its operations, which begin at byte 62.
LOSSLESS_TEST(g_suite, "Binary schedules that are none are refused with the place")
{
    const std::string good = MakeGoalBinary(BINARY);
    const auto with = [&good](std::size_t place, const std::string& bytes) {
        std::string changed = good;
        return FromBinary(changed.replace(place, bytes.size(), bytes));
    };
    const auto expect = [](const std::string& found, const std::string& complaint) {
        ExpectBegin(found, complaint);
    };
    expect(FromBinary(""), "f.bin: at byte 0: GOAL's binary form begins with the number 4223");
    expect(FromBinary(good.substr(0, 8)), "f.bin: at byte 8: the file ends before its number of");
    expect(FromBinary("\x1f\x8b\x08"), "f.bin: the file is compressed by gzip; decompress it");
    expect(with(0, "\x26\x09"), "f.bin: at byte 0: a run of LogGOPSim with --save-mem has");
    expect(with(8, std::string(4, '\0')), "f.bin: at byte 8: there are 0 ranks; allowed is 1 to");
    expect(with(8, "\xff"), "f.bin: at byte 14: the file ends within the table of its 255 ranks");
    expect(with(14, "\xff\xff"), "f.bin: at byte 14: the part of rank 0 is from 65535 to 175;");
    expect(with(46, "\x09"), "f.bin: at byte 46: the part of rank 0 ends before the last of its 9");
    expect(with(62 + 4, "\x04"),
           "f.bin: at byte 62: operation 0 of rank 0 has the type 4; allowed is 1 to 3");
    expect(with(62 + 9 + 7, "\x7f"),
           "f.bin: at byte 62: operation 0 of rank 0 has 9151314442816848");
    expect(with(101 + 5, std::string(4, '\xff')),
           "f.bin: at byte 101: operation 1 of rank 0 receives from any rank or with any tag;");
    expect(with(101 + 5, std::string(1, '\0')),
           "f.bin: at byte 101: operation 1 of rank 0 has the other rank 0; it must be another of "
           "the 2 ranks");
    expect(with(62 + 23, "\x02"),
           "f.bin: at byte 85: more operations of rank 0 wait than the 1 that its part lists");
    expect(with(62 + 27, "\x05"),
           "f.bin: at byte 85: operation 0 of rank 0 has 1 that wait for it from place 5 on; there "
           "are 1 places");
    expect(with(179, "\x07"),
           "f.bin: at byte 179: operation 0 of rank 0 has operation 7 wait for it; there are 3");
    expect(with(101, std::string(1, '\0')),
           "f.bin: at byte 101: operation 1 of rank 0 says that it waits for 0 others; those that "
           "name it are 1");
    expect(with(179, "\x02"),
           "f.bin: at byte 101: operation 1 of rank 0 says that it waits for 1 others; those that "
           "name it are 0");
}

} // namespace ns3::lossless::tests::THIS_FILE
