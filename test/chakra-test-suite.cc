// SPDX-License-Identifier: GPL-2.0-only

#include "graph-text.h"
#include "lossless-test.h"

#include "ns3/chakra-program.h"
#include "ns3/chakra-trace.h"
#include "ns3/text-lines.h"

#include <filesystem>
#include <unistd.h>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-chakra", UNIT);

/// The node types of Chakra's schema.
enum : uint64_t
{
    METADATA = 1,
    MEMORY_LOAD = 2,
    COMPUTE = 4,
    SEND = 5,
    RECEIVE = 6,
    COLLECTIVE = 7
};

std::string
ToGraph(const std::vector<std::string>& files)
{
    std::optional<RankProgram> program;
    const auto error = CatchComplaint([&] {
        std::vector<std::vector<ChakraNode>> traces;
        for (const std::string& file : files)
        {
            traces.push_back(ParseChakra(file, std::to_string(traces.size()) + ".et"));
        }
        program = MakeProgram(traces, "f");
    });
    return DescribeProgram(error, program);
}

std::string
Lasts(uint64_t microSeconds)
{
    return MessageWriter().Number(7, microSeconds).m_bytes;
}

std::string
NodeToGraph(const ChakraWriter& node)
{
    return ToGraph({node.m_bytes, ChakraWriter().m_bytes});
}

/// The traces contain computations, a message and its reply. One node has no ID, so its ID is 0.
LOSSLESS_TEST(g_suite, "Traces become a flow graph")
{
    const std::string first =
        ChakraWriter()
            .Node(7, RECEIVE, {3}, ChakraWriter::Ends("comm_src", 1, 9, 3000000000000))
            .Node(0, COMPUTE, {}, Lasts(5))
            .Node(3, SEND, {0, 4}, ChakraWriter::Ends("comm_dst", 1, 9, 10))
            .Node(4, METADATA, {})
            .Node(5, COMPUTE, {7}, Lasts(1))
            .m_bytes;
    // This trace contains a control dependency that is not packed and messages whose attributes
    // also name their own rank.
    const std::string second =
        ChakraWriter()
            .Node(1,
                  RECEIVE,
                  {},
                  ChakraWriter::Ends("comm_src", 0, 9, 10) + ChakraWriter::Attribute("comm_dst", 1))
            .Node(2,
                  SEND,
                  {},
                  MessageWriter().Number(4, 1).m_bytes +
                      ChakraWriter::Ends("comm_dst", 0, 9, 3000000000000) +
                      ChakraWriter::Attribute("comm_src", 1))
            .Node(3, MEMORY_LOAD, {1, 2}, Lasts(2) + ChakraWriter::Attribute("tensor_size", 5))
            .m_bytes;
    NS_TEST_EXPECT_MSG_EQ(ToGraph({first, second}),
                          "0: 0 +0 5r 2s\n"
                          "1: 0 +5000\n"
                          "2: 0>1 10B @0 1s 3s\n"
                          "3: 0 +0\n"
                          "4: 0 +1000 0s\n"
                          "5: 1>0 3000000000000B @0 2r\n"
                          "6: 1 +2000 2r 5s\n",
                          "the receive that waits is a step of its own");
}

LOSSLESS_TEST(g_suite, "Attributes of any whole-numbered kind are read")
{
    const std::vector<std::pair<std::string, std::string>> kinds = {
        {"int32", MessageWriter().Number(7, 300).m_bytes},
        {"int64", MessageWriter().Number(9, 300).m_bytes},
        {"uint32", MessageWriter().Number(11, 300).m_bytes},
        {"uint64", MessageWriter().Number(13, 300).m_bytes},
        {"sint32", MessageWriter().Number(15, 600).m_bytes},
        {"sint64", MessageWriter().Number(17, 600).m_bytes},
        {"fixed32", MessageWriter().Fixed(19, 300, 4).m_bytes},
        {"fixed64", MessageWriter().Fixed(21, 300, 8).m_bytes},
        {"sfixed32", MessageWriter().Fixed(23, 300, 4).m_bytes},
        {"sfixed64", MessageWriter().Fixed(25, 300, 8).m_bytes},
    };
    for (const auto& [kind, value] : kinds)
    {
        // The name of an attribute can follow its value, and unknown fields can appear anywhere.
        const std::string size =
            MessageWriter()
                .Text(10, value + MessageWriter().Text(1, "comm_size").Text(99, "?").m_bytes)
                .m_bytes;
        const std::string send =
            ChakraWriter().Node(1, SEND, {}, ChakraWriter::Attribute("comm_dst", 1) + size).m_bytes;
        const std::string receive =
            ChakraWriter().Node(1, RECEIVE, {}, ChakraWriter::Ends("comm_src", 0, 0, 300)).m_bytes;
        NS_TEST_EXPECT_MSG_EQ(ToGraph({send, receive}), "0: 0>1 300B @0\n", kind);
    }
    const std::string one = MessageWriter().Fixed(5, 0x3f800000, 4).m_bytes; // a float
    const std::string size =
        MessageWriter().Text(10, one + MessageWriter().Text(1, "comm_size").m_bytes).m_bytes;
    const std::string refused = NodeToGraph(
        ChakraWriter().Node(1, SEND, {}, ChakraWriter::Attribute("comm_dst", 1) + size));
    ExpectPart(refused, "the attribute comm_size of node 1 has no whole number");
    const uint64_t minusOne = std::numeric_limits<uint64_t>::max();
    NS_TEST_EXPECT_MSG_EQ(
        NodeToGraph(
            ChakraWriter().Node(1, SEND, {}, ChakraWriter::Attribute("comm_dst", minusOne))),
        "0.et: at byte 29: an attribute is negative",
        "8 bytes of metadata, 1 of length, 2 of id, 4 of name, 2 of type, 2 of attribute, 10 of "
        "its name");
}

LOSSLESS_TEST(g_suite, "Traces that do not fit together are refused")
{
    const std::string name = "f: node 1 (n1) of rank 0 ";
    const auto expect = [&name](uint64_t type, const std::string& more, const std::string& what) {
        ExpectBegin(NodeToGraph(ChakraWriter().Node(1, type, {}, more)), name + what);
    };
    NS_TEST_EXPECT_MSG_EQ(NodeToGraph(ChakraWriter().Node(1, COMPUTE, {8})),
                          name + "depends on node 8, which is not in its trace",
                          "dependency");
    expect(COMPUTE,
           ChakraWriter::Attribute("num_ops", 5),
           "has no duration_micros, but num_ops or a tensor_size; the time of a computation "
           "depends on a model of the processor, which this module does not have");
    expect(MEMORY_LOAD,
           ChakraWriter::Attribute("tensor_size", 5),
           "has no duration_micros, but a tensor_size; the time of an access depends on a model of "
           "the memory, which this module does not have");
    expect(COMPUTE,
           Lasts(std::numeric_limits<uint64_t>::max()),
           "has a duration_micros of 18446744073709551615");
    expect(SEND, "", "has no comm_dst");
    expect(SEND, ChakraWriter::Attribute("comm_dst", 1), "has no comm_size");
    expect(SEND,
           ChakraWriter::Ends("comm_dst", 2, 0, 1),
           "has the comm_dst 2; it must be another of the 2 ranks; is ");
    expect(RECEIVE,
           ChakraWriter::Ends("comm_src", 0, 0, 1),
           "has the comm_src 0; it must be another of the 2 ranks");
    expect(SEND,
           ChakraWriter::Attribute("comm_src", 1),
           "has the comm_src 1; it must be its own rank");
    expect(SEND,
           ChakraWriter::Ends("comm_dst", 1, 0, 1000000000000001),
           "has a comm_size of 1000000000000001; allowed are 1000000000000000");
    const ChakraWriter alone =
        ChakraWriter().Node(1, SEND, {}, ChakraWriter::Ends("comm_dst", 1, 4, 1));
    NS_TEST_EXPECT_MSG_EQ(NodeToGraph(alone),
                          "f: node 1 of rank 0 sends to rank 1 with tag 4, but rank 1 does not "
                          "receive it; 1 sends and 0 receives are without the other end",
                          "without receive");
}

/// Invalid traces are rejected with a message that states where the error is detected. The first
/// node begins at byte 9.
LOSSLESS_TEST(g_suite, "Malformed traces are refused")
{
    const std::string good = ChakraWriter().m_bytes;
    const auto node = [](const MessageWriter& fields) {
        return ChakraWriter().Message(fields.m_bytes).m_bytes;
    };
    const std::vector<std::pair<std::string, std::string>> files = {
        {"", "0.et: the file is empty; a Chakra trace begins with GlobalMetadata"},
        {"\x80", "0.et: at byte 0: a number begins here whose end is missing"},
        {"\x05"
         "abc",
         "0.et: at byte 1: 5 bytes should follow, but there are 3"},
        {ChakraWriter().m_bytes.substr(0, 4), "0.et: at byte 1: 7 bytes should follow"},
        {MessageWriter().Varint(2).Number(1, 5).m_bytes,
         "0.et: at byte 1: the first message is not a GlobalMetadata"},
        {"num_ranks 2\n", "0.et: a Chakra trace is binary, but this file is a text"},
        {good + std::string(10, '\xff') + "\x01",
         "0.et: at byte 8: a number begins here that has more than 64 bits"},
        {good + "\x03", "0.et: at byte 9: 3 bytes should follow, but there are 0"},
        {node(MessageWriter().Number(1, 5)), "0.et: at byte 9: node 5 has no type"},
        {node(MessageWriter().Number(3, 8)),
         "0.et: at byte 9: node 0 has the type 8; allowed is 1 to 7"},
        {node(MessageWriter().Number(3, 0)), "0.et: at byte 9: node 0 has the type 0"},
        {node(MessageWriter().Number(3, 4).Text(1, "a")),
         "0.et: at byte 11: field 1 is a text or message, not a number"},
        {node(MessageWriter().Number(3, 4).Number(2, 9)),
         "0.et: at byte 11: field 2 is a number, not a text or message"},
        {node(MessageWriter().Number(3, 4).Varint(8 | 3)),
         "0.et: at byte 11: field 1 has the type 3; allowed are 0, 1, 2 and 5"},
        {node(MessageWriter().Number(0, 4)),
         "0.et: at byte 9: the number of a field is 0; the file is not a message of Protocol "
         "Buffers"},
        {node(MessageWriter().Number(3, 4).Varint(8 | 1).Varint(1)),
         "0.et: at byte 12: 8 bytes should follow, but there are 1"},
        {node(MessageWriter().Number(3, 4).Text(10, MessageWriter().Text(1, "comm_tag").m_bytes)),
         "0.et: at byte 13: the attribute comm_tag of node 0 has no whole number"},
        {ChakraWriter().Node(1, 4, {}).Node(1, 4, {}).m_bytes,
         "0.et: at byte 18: node 1 is there twice"},
    };
    for (const auto& [bytes, complaint] : files)
    {
        ExpectBegin(ToGraph({bytes}), complaint);
    }
}

std::string
Collect(uint64_t type, uint64_t bytes, const std::string& group = "")
{
    const std::string name =
        MessageWriter()
            .Text(10, MessageWriter().Text(1, "pg_name").Text(29, group).m_bytes)
            .m_bytes;
    return ChakraWriter::Attribute("comm_type", type) +
           ChakraWriter::Attribute("comm_size", bytes) + (group.empty() ? "" : name);
}

/// Two of three NPUs run a reduce-scatter of 10 B in a ring between two computations. Each of them
/// sends half of the bytes when it reaches the collective.
LOSSLESS_TEST(g_suite, "A collective joins the NPUs of its group")
{
    const auto trace = [](uint64_t microSeconds) {
        return ChakraWriter()
            .Node(0, COMPUTE, {}, Lasts(microSeconds))
            .Node(1, COLLECTIVE, {0}, Collect(7, 10, "left"))
            .Node(2, COMPUTE, {1}, Lasts(9))
            .m_bytes;
    };
    // Steps 0 to 2 and 3 to 5 are the nodes of the two traces. Steps 1 and 4 begin the collective,
    // and steps 8 and 9 end it.
    const std::string graph = ToGraph({trace(1), trace(2), ChakraWriter().m_bytes});
    NS_TEST_EXPECT_MSG_EQ(graph,
                          "0: 0 +1000\n1: 0 +0 0s\n2: 0 +9000 8s\n3: 1 +2000\n4: 1 +0 3s\n"
                          "5: 1 +9000 9s\n6: 0>1 5B @0 1s\n7: 1>0 5B @0 4s\n8: 0 +0 1s 7r\n"
                          "9: 1 +0 4s 6r\n",
                          "two messages");
    const std::string cycle = ChakraWriter()
                                  .Node(0, COMPUTE, {1}, Lasts(1))
                                  .Node(1, COLLECTIVE, {0}, Collect(7, 10, "left"))
                                  .m_bytes;
    NS_TEST_EXPECT_MSG_EQ(
        ToGraph({cycle, trace(2)}),
        "node 0 of rank 0 waits for the collective of node 1 of rank 0 (sent), "
        "which waits for node 1 of rank 0 (sent), which waits for node 0 of rank 0 "
        "(sent); 6 of 9 steps never start",
        "a cycle through it");
}

/// For an all-gather, comm_size is the size of one NPU's block; for the other collectives in this
/// test, it is the size of the whole buffer. The n-th collectives of all members of a group form
/// one operation.
LOSSLESS_TEST(g_suite, "The sizes of collectives are what each NPU puts in")
{
    const auto count = [](uint64_t type) {
        const std::string trace =
            ChakraWriter().Node(5, COLLECTIVE, {}, Collect(type, 12, "0")).m_bytes;
        const std::string graph = ToGraph({trace, trace, trace});
        std::string sizes;
        for (std::size_t i = graph.find("B @"); i != std::string::npos;
             i = graph.find("B @", i + 1))
        {
            const std::size_t blank = graph.rfind(' ', i);
            sizes += graph.substr(blank + 1, i - blank - 1) + " ";
        }
        return sizes;
    };
    const std::string six = "4 4 4 4 4 4 ";
    NS_TEST_EXPECT_MSG_EQ(count(0), six + six, "all-reduce: 2 * 2 steps of three");
    NS_TEST_EXPECT_MSG_EQ(count(7), six, "reduce-scatter: 2 steps");
    NS_TEST_EXPECT_MSG_EQ(count(2), "12 12 12 12 12 12 ", "all-gather: 2 steps");
    NS_TEST_EXPECT_MSG_EQ(count(6), six, "all-to-all: 2 partners");
    NS_TEST_EXPECT_MSG_EQ(ToGraph({ChakraWriter().Node(5, COLLECTIVE, {}, Collect(0, 12)).m_bytes}),
                          "0: 0 +0\n",
                          "one NPU alone is done at once");
}

/// Three NPUs exchange messages. In the tree, rank 0 is the root, rank 2 is its child, and rank 1
/// is the child of rank 2.
LOSSLESS_TEST(g_suite, "Collectives with a root, and barriers")
{
    const auto send = [](uint64_t type) {
        const std::string trace = ChakraWriter().Node(5, COLLECTIVE, {}, Collect(type, 12)).m_bytes;
        const std::string graph = ToGraph({trace, trace, trace});
        std::string messages;
        for (std::size_t i = graph.find('>'); i != std::string::npos; i = graph.find('>', i + 1))
        {
            messages += graph.substr(i - 1, graph.find('\n', i) - i + 1) + "; ";
        }
        return messages;
    };
    // Steps 0 to 2 are the nodes, and the following steps are the messages.
    NS_TEST_EXPECT_MSG_EQ(send(5), "0>2 12B @0 0s; 2>1 12B @0 2s 3r; ", "broadcast");
    NS_TEST_EXPECT_MSG_EQ(send(1), "1>2 12B @0 1s; 2>0 12B @0 2s 3r; ", "reduce");
    NS_TEST_EXPECT_MSG_EQ(send(3), "1>0 12B @0 1s; 2>0 12B @0 2s; ", "gather: a block each");
    NS_TEST_EXPECT_MSG_EQ(send(4), "0>1 4B @0 0s; 0>2 4B @0 0s; ", "scatter: thirds of it");
    NS_TEST_EXPECT_MSG_EQ(send(8), send(7), "reduce-scatter of blocks of one size");
    NS_TEST_EXPECT_MSG_EQ(send(9),
                          "1>2 1B @0 1s; 2>0 1B @0 2s 3r; 0>2 1B @0 0s 4r; 2>1 1B @0 2s 5r; ",
                          "barrier: up and down");
    const std::string bare =
        ChakraWriter().Node(5, COLLECTIVE, {}, ChakraWriter::Attribute("comm_type", 9)).m_bytes;
    // A barrier needs no comm_size.
    ExpectBegin(ToGraph({bare, bare}), "0: 0 +0\n1: 1 +0\n2: 1>0 1B @0 1s\n");
}

LOSSLESS_TEST(g_suite, "Collectives that do not fit are refused by name")
{
    const auto expect =
        [](const std::string& first, const std::string& second, const std::string& complaint) {
            const auto make = [](const std::string& collective) {
                return ChakraWriter().Node(1, COLLECTIVE, {}, collective).m_bytes;
            };
            ExpectPart(ToGraph({make(first), make(second)}), complaint);
        };
    const std::string good = Collect(0, 9);
    const std::string name = "f: node 1 (n1) of rank ";
    expect(Collect(50, 9),
           Collect(50, 9),
           name + "0 is a collective without a known comm_type; known are 0 (ALL_REDUCE) to 9 "
                  "(BARRIER)");
    expect(good,
           Collect(0, 8),
           name + "1 is a collective of another type or size than node 1 of rank 0, which has the "
                  "same place in the group");
    expect(good,
           Collect(0, 9, "right"),
           name + "0 is a collective of all of its group, but not all ranks have as many of them");
    expect(Collect(2, 600000000000000),
           Collect(2, 600000000000000),
           name + "0 has a comm_size of 600000000000000; allowed are 500000000000000");
    expect(Collect(0, 1), Collect(0, 1), "f: node 1 of rank 0: allreduce has 1 B; with 2 ra");
    const std::string dimensions =
        MessageWriter()
            .Text(1, "involved_dim")
            .Text(28, MessageWriter().Text(1, std::string("\1\0", 2)).m_bytes)
            .m_bytes;
    expect(good + MessageWriter().Text(10, dimensions).m_bytes,
           good,
           name + "0 leaves out dimensions (involved_dim) of a mesh that its trace does not tell; "
                  "name the NPUs by pg_name");
    expect(good + ChakraWriter::Attribute("pg_name", 1),
           good,
           "the attribute pg_name of node 1 has no text");
    expect(good + ChakraWriter::Attribute("involved_dim", 1),
           good,
           "the attribute involved_dim of node 1 has no list of booleans");
}

/// The data are the output of `gzip -n` for a trace with one node that computes for 5 us, and for
/// the same trace in two gzip members.
LOSSLESS_TEST(g_suite, "Compressed traces are read")
{
    const std::string trace = ChakraWriter().Node(0, COMPUTE, {}, Lasts(5)).m_bytes;
    NS_TEST_EXPECT_MSG_EQ(ToGraph({trace}), "0: 0 +5000\n", "the same, not compressed");
    const auto fromHex = [](const std::string& digits) {
        std::string bytes;
        for (std::size_t i = 0; i < digits.size(); i += 2)
        {
            bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
        }
        return bytes;
    };
    if (ToGraph({fromHex("1f8b")}).find("zlib was not found") != std::string::npos)
    {
        return; // this build does not support gzip
    }
    const std::string all =
        fromHex("1f8b08000000000002ff63e76235d433d033e01062ca339060b160050028b76f8d11000000");
    NS_TEST_EXPECT_MSG_EQ(ToGraph({all}), "0: 0 +5000\n", "one member");
    const std::string parts =
        fromHex("1f8b08000000000002ff63e76235d40300ff03ff0705000000") +
        fromHex("1f8b08000000000002ff33d033e01062ca339060b1600500911ab2a70c000000");
    NS_TEST_EXPECT_MSG_EQ(ToGraph({parts}), "0: 0 +5000\n", "two members");
    NS_TEST_EXPECT_MSG_EQ(ToGraph({all.substr(0, all.size() - 1)}),
                          "0.et: at byte " + std::to_string(all.size() - 1) +
                              " of the compressed file: the file ends too early",
                          "cut short");
    std::string wrong = all;
    // Invalidates the checksum.
    wrong[wrong.size() - 5] = static_cast<char>(wrong[wrong.size() - 5] + 1);
    NS_TEST_EXPECT_MSG_EQ(ToGraph({fromHex("1f8b61626364")}),
                          "0.et: at byte 4 of the compressed file: this was not compressed by gzip",
                          "no gzip");
    NS_TEST_EXPECT_MSG_EQ(ToGraph({wrong}).substr(0, 16), "0.et: at byte 33", "a wrong checksum");
}

LOSSLESS_TEST(g_suite, "Traces of all NPUs are found by the first")
{
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("lossless-chakra-" + std::to_string(getpid()));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    for (const std::string name : {"a.0.et", "a.1.et", "a.01.et", "a.3.net", "b0.et", "0.et"})
    {
        std::ofstream(folder / name) << name;
    }
    const auto find = [&](const std::string& name) {
        std::string names;
        const auto error = CatchComplaint([&] {
            for (const std::string& file : FindChakraFiles(folder / name))
            {
                names += std::filesystem::path(file).filename().string() + " ";
            }
        });
        return error.value_or(names);
    };
    const std::string first = ": of Chakra's traces, name that of rank 0, as trace.0.et; those of "
                              "the other ranks are trace.1.et and so on";
    NS_TEST_EXPECT_MSG_EQ(find("a.0.et"), "a.0.et a.1.et ", "as many as there are");
    NS_TEST_EXPECT_MSG_EQ(find("a.1.et"), (folder / "a.1.et").string() + first, "not the first");
    NS_TEST_EXPECT_MSG_EQ(find("c.0.et"), "c.0.et ", "which cannot be opened");
    NS_TEST_EXPECT_MSG_EQ(find("b0.et"), (folder / "b0.et").string() + first, "another name");
    std::ofstream(folder / "a.12.et") << "far";
    NS_TEST_EXPECT_MSG_EQ(find("a.0.et"),
                          (folder / "a.2.et").string() + " is missing, but " +
                              (folder / "a.12.et").string() + " is there",
                          "a gap");
    std::filesystem::remove_all(folder);
}

} // namespace ns3::lossless::tests::THIS_FILE
