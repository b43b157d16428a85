// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_TEXT_H
#define GRAPH_TEXT_H

#include "ns3/flow-graph.h"
#include "ns3/flow-trace.h"
#include "ns3/rank-program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless::tests
{

/// @return a placement in the order of the hosts
RankPlacement PlaceLinearly(uint32_t ranks);

/// Formats a flow graph as readable text.
/// @param graph the graph
/// @param hosts the number of hosts of the network
/// @param name the name of a step in an error message; see FlowGraph::Check()
/// @return the error message about the graph, or a description of each step. The description
/// contains the step's ID, `source>destination bytesB @start` or `host +nanoseconds`, and the IDs
/// of its predecessors with s (sent), r (received) or b (begun), followed by a slash and the
/// required number unless all are required.
std::string DescribeGraph(FlowGraph graph, uint32_t hosts, const FlowGraph::Name& name = {});

/// Formats the flow graph of a file that describes ranks.
/// @param error the error message of the file's parser, if any
/// @param program the result of the parser, which must be unset if there is an error
/// @return the description of the graph with at most 8 ranks, or the error message
std::string DescribeProgram(const std::optional<std::string>& error,
                            const std::optional<RankProgram>& program);

/// Adds fields to a message in the Protocol Buffers wire format.
struct MessageWriter
{
    MessageWriter& Varint(uint64_t number);
    MessageWriter& Number(uint32_t field, uint64_t number);
    /// @param length the length of the value in bytes, 4 or 8
    MessageWriter& Fixed(uint32_t field, uint64_t number, uint32_t length);
    /// @param text a string or an embedded message
    MessageWriter& Text(uint32_t field, const std::string& text);

    std::string m_bytes; ///< the message
};

/// An operation of a schedule in GOAL's binary format.
struct GoalOperation
{
    uint64_t type{3};                   ///< 1 for send, 2 for receive, 3 for calc
    uint64_t size{0};                   ///< number of bytes or nanoseconds
    uint64_t peer{0};                   ///< the other rank
    uint64_t tag{0};                    ///< tag of a message
    std::vector<uint64_t> waiting;      ///< indices of the operations that wait for its end
    std::vector<uint64_t> startWaiting; ///< indices of the operations that wait for its start
};

/// @param ranks the operations of each rank
/// @return the schedule in the format written by txt2bin
std::string MakeGoalBinary(const std::vector<std::vector<GoalOperation>>& ranks);

/// Writes the nodes of a Chakra trace.
struct ChakraWriter
{
    /// Adds a node.
    ChakraWriter& Node(uint64_t id,
                       uint64_t type,
                       const std::vector<uint64_t>& dependencies,
                       const std::string& more = "");
    /// Adds a message with arbitrary content.
    ChakraWriter& Message(const std::string& content);

    /// @param number an int64 value
    static std::string Attribute(const std::string& name, uint64_t number);
    /// @param peer the name of the attribute for the other rank, comm_src or comm_dst
    static std::string Ends(const std::string& peer, uint64_t rank, uint64_t tag, uint64_t bytes);

    std::string m_bytes{"\x07\x0a\x05"
                        "1.0.0"}; ///< the trace; initially contains only GlobalMetadata
};

} // namespace ns3::lossless::tests

#endif // GRAPH_TEXT_H
