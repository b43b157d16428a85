// SPDX-License-Identifier: GPL-2.0-only
//
// Tests randomly corrupted files in the formats of other programs. Each file must either be read
// completely or be rejected with an error message.

#include "graph-text.h"
#include "lossless-test.h"

#include "ns3/chakra-program.h"
#include "ns3/chakra-trace.h"
#include "ns3/connection-matrix.h"
#include "ns3/goal-binary.h"
#include "ns3/goal-text.h"
#include "ns3/matrix-graph.h"
#include "ns3/text-lines.h"

#include <random>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-format-fuzz", UNIT);

constexpr uint32_t HOSTS = 16;

const std::string MATRIX = "Nodes 16\nConnections 5\nTriggers 3\nFailures 1\n"
                           "0->5 id 1 start 0 size 2000000 send_done_trigger 1\n"
                           "5->9 id 2 trigger 1 size 7 recv_done_trigger 2 prio 3\n"
                           "5->8 id 3 trigger 1 size 8 recv_done_trigger 2\n"
                           "9->1 id 4 size 9 trigger 3\n"
                           "1->2 id 5 trigger 2 size 300 send_done_trigger 3\n"
                           "trigger id 1 oneshot\ntrigger id 2 barrier count 2\n"
                           "trigger id 3 multishot\n"
                           "failure switch_type AGG switch_id 0 link_id 1\n";

const std::string GOAL = "num_ranks 3\n"
                         "rank 0 {\nl1: calc 1000 cpu 1\nl2: send 4096b to 1 tag 7 cpu 0 nic 1\n"
                         "l2 requires l1\nl3: recv 10b from 2 tag 8\n}\n"
                         "rank 1 { // next\na: recv 4096b from 0 tag 7\nb: send 9b to 2\n"
                         "b requires a\nc: calc 5\nc irequires b\n}\n/* last */\n"
                         "rank 2 {\na: recv 9b from 1\nb: send 10b to 0 tag 8\n"
                         "b irequires a\nc: calc 3\nc requires a\nc requires b\n}\n";

std::string
MakeBinary()
{
    return MakeGoalBinary(
        {{{3, 1000, 0, 0, {1}, {}}, {1, 4096, 1, 7, {}, {}}, {2, 10, 2, 8, {}, {}}},
         {{2, 4096, 0, 7, {1}, {}}, {1, 9, 2, 0, {}, {2}}, {3, 5, 0, 0, {}, {}}},
         {{2, 9, 1, 0, {2}, {1}}, {1, 10, 0, 8, {2}, {}}, {3, 3, 0, 0, {}, {}}}});
}

/// The attribute that specifies an all-reduce.
const std::string REDUCE = ChakraWriter::Attribute("comm_type", 0);

std::string
MakeTrace()
{
    return ChakraWriter()
        .Node(0, 4, {}, MessageWriter().Number(7, 5).m_bytes)
        .Node(3, 5, {0}, ChakraWriter::Ends("comm_dst", 1, 9, 10))
        .Node(4, 6, {0, 3}, ChakraWriter::Ends("comm_src", 1, 9, 300))
        .Node(5, 7, {4}, ChakraWriter::Attribute("comm_size", 300) + REDUCE)
        .m_bytes;
}

/// @return the trace of NPU 1 that corresponds to the trace of NPU 0
std::string
MakePeerTrace()
{
    return ChakraWriter()
        .Node(1, 6, {}, ChakraWriter::Ends("comm_src", 0, 9, 10))
        .Node(2, 5, {1}, ChakraWriter::Ends("comm_dst", 0, 9, 300))
        .Node(3, 7, {}, ChakraWriter::Attribute("comm_size", 300) + REDUCE)
        .m_bytes;
}

/// A function that reads a file, or throws a FileComplaint.
using Reader = void (*)(const std::string& bytes, FlowGraph& graph);

void
ReadMatrix(const std::string& bytes, FlowGraph& graph)
{
    std::istringstream input(bytes);
    const ConnectionMatrix matrix = ParseConnectionMatrix(input, "f");
    if (matrix.hosts > HOSTS)
    {
        throw FileComplaint("f: too many hosts");
    }
    Topology topology = Topology::FatTree(FatTreeOptions{4});
    FailLinks(matrix, "f", topology);
    AddConnections(matrix, "f", PlaceLinearly(HOSTS), graph);
}

void
Add(const RankProgram& program, FlowGraph& graph)
{
    if (program.GetNRanks() > HOSTS)
    {
        throw FileComplaint("f: too many ranks");
    }
    std::vector<CollectiveRun> runs;
    program.AddTo(graph, PlaceLinearly(HOSTS), runs);
}

void
ReadGoal(const std::string& bytes, FlowGraph& graph)
{
    std::istringstream input(bytes);
    Add(ParseGoal(input, "f"), graph);
}

void
ReadGoalBinary(const std::string& bytes, FlowGraph& graph)
{
    Add(ParseGoalBinary(bytes, "f"), graph);
}

void
ReadChakra(const std::string& bytes, FlowGraph& graph)
{
    static const std::string PEER = MakePeerTrace();
    Add(MakeProgram({ParseChakra(bytes, "f"), ParseChakra(PEER, "f")}, "f"), graph);
}

class Mutator
{
  public:
    explicit Mutator(uint32_t seed)
        : m_random(seed)
    {
    }

    std::string Mutate(std::string bytes)
    {
        for (uint32_t i = 0; i <= Draw(3); ++i)
        {
            MutateOnce(bytes);
        }
        return bytes;
    }

  private:
    std::size_t Draw(std::size_t below)
    {
        return m_random() % below;
    }

    /// Corrupts a file in one place.
    void MutateOnce(std::string& bytes)
    {
        static const std::vector<std::string> PIECES = {"-1",
                                                        "99999999999999999999",
                                                        "4294967296",
                                                        "->",
                                                        "\n",
                                                        "{",
                                                        "}",
                                                        "size",
                                                        "trigger 3",
                                                        "/*",
                                                        "requires",
                                                        "\xff\xff\xff\xff\x7f",
                                                        "\x1f\x8b",
                                                        "0",
                                                        " "};
        const std::size_t at = Draw(bytes.size() + 1);
        const std::size_t length = std::min(bytes.size() - at, Draw(12));
        const std::size_t from = Draw(bytes.size() + 1);
        switch (Draw(6))
        {
        case 0:
            bytes.resize(at);
            break;
        case 1:
            bytes.erase(at, length);
            break;
        case 2:
            bytes.insert(at, bytes.substr(from, Draw(40)));
            break;
        case 3:
            bytes.insert(at, PIECES[Draw(PIECES.size())]);
            break;
        case 4:
            bytes.replace(at, length, PIECES[Draw(PIECES.size())]);
            break;
        default:
            if (at < bytes.size())
            {
                bytes[at] = static_cast<char>(Draw(256));
            }
        }
    }

    std::mt19937 m_random; ///< generator of the random numbers for all decisions
};

/// Checks that corrupted files are read completely or rejected.
void
CheckDamaged(const std::string& good, Reader reader, uint32_t seed, uint32_t count)
{
    const Topology topology = Topology::FatTree(FatTreeOptions{4});
    FlowGraph whole;
    reader(good, whole);
    NS_TEST_ASSERT_MSG_EQ(whole.Check(topology).value_or(""), "", "its graph is fine");
    Mutator mutator(seed);
    uint32_t refused = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        const std::string bytes = mutator.Mutate(good);
        FlowGraph graph;
        const auto error = CatchComplaint([&] { reader(bytes, graph); });
        refused += error ? 1 : 0;
        NS_TEST_EXPECT_MSG_EQ(!error || graph.IsEmpty(), true, "half read: " << bytes);
        const bool isSentence = !error || (error->size() > 4 && error->compare(0, 1, "f") == 0 &&
                                           error->find('\n') == std::string::npos);
        NS_TEST_EXPECT_MSG_EQ(isSentence, true, error.value_or("") << " of " << bytes);
        if (!error)
        {
            graph.Check(topology); // the graph can contain a cycle
        }
    }
    NS_TEST_EXPECT_MSG_GT(refused, count / 2, "most of the damage is seen");
    NS_TEST_EXPECT_MSG_LT(refused, count, "some does not matter");
}

LOSSLESS_TESTS(g_suite)
{
    // Reading one file takes about 20 us.
    constexpr uint32_t COUNT = 1000;
    for (uint32_t seed = 1; seed <= 4; ++seed)
    {
        const std::string name = ", seed " + std::to_string(seed);
        g_suite.Add("Damaged connection matrices" + name,
                    [seed] { CheckDamaged(MATRIX, ReadMatrix, seed, COUNT); });
        g_suite.Add("Damaged schedules" + name,
                    [seed] { CheckDamaged(GOAL, ReadGoal, seed, COUNT); });
        g_suite.Add("Damaged binary schedules" + name,
                    [seed] { CheckDamaged(MakeBinary(), ReadGoalBinary, seed, COUNT); });
        g_suite.Add("Damaged traces" + name,
                    [seed] { CheckDamaged(MakeTrace(), ReadChakra, seed, COUNT); });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
