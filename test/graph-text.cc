// SPDX-License-Identifier: GPL-2.0-only
#include "graph-text.h"

#include "ns3/data-rate.h"
#include "ns3/lossless-topology.h"
#include "ns3/text-lines.h"

#include <numeric>
#include <sstream>

namespace ns3::lossless::tests
{

RankPlacement
PlaceLinearly(uint32_t ranks)
{
    RankPlacement placement;
    placement.hosts.resize(ranks);
    std::iota(placement.hosts.begin(), placement.hosts.end(), 0);
    return placement;
}

std::string
DescribeGraph(FlowGraph graph, uint32_t hosts, const FlowGraph::Name& name)
{
    const Topology star = Topology::Star({hosts, DataRate("1Gbps"), Seconds(0)});
    if (const auto error = graph.Check(star, name))
    {
        return *error;
    }
    std::ostringstream text;
    for (FlowGraph::Step step = 0; step < graph.GetNSteps(); ++step)
    {
        text << graph.GetId(step) << ": " << graph.GetSource(step);
        if (graph.GetBytes(step) > 0)
        {
            text << '>' << graph.GetDestination(step) << ' ' << graph.GetBytes(step) << "B @"
                 << graph.GetStart(step).GetNanoSeconds();
        }
        else
        {
            text << " +" << graph.GetCompute(step).GetNanoSeconds();
        }
        for (const FlowGraph::Link& link : graph.GetPredecessors(step))
        {
            text << ' ' << graph.GetId(link.step) << "srb"[static_cast<int>(link.GetUntil())];
        }
        if (graph.GetNeeded(step) < graph.GetPredecessors(step).size())
        {
            text << " /" << graph.GetNeeded(step);
        }
        text << '\n';
    }
    return text.str();
}

std::string
DescribeProgram(const std::optional<std::string>& error, const std::optional<RankProgram>& program)
{
    if (error)
    {
        return (program ? "changed in spite of " : "") + *error;
    }
    FlowGraph graph;
    std::vector<CollectiveRun> runs;
    const auto misfit = CatchComplaint([&] { program->AddTo(graph, PlaceLinearly(8), runs); });
    if (misfit)
    {
        return (graph.IsEmpty() ? "" : "changed in spite of ") + *misfit;
    }
    return DescribeGraph(graph, 8, [&program](FlowGraph::Step step) {
        return program->DescribeStep(step, PlaceLinearly(8));
    });
}

namespace
{

std::string
ToBytes(uint64_t number, std::size_t length)
{
    std::string bytes;
    for (std::size_t i = 0; i < length; ++i)
    {
        bytes += static_cast<char>(number >> (8 * i) & 0xff);
    }
    return bytes;
}

/// @return one rank's part of a binary schedule
std::string
MakeGoalPart(const std::vector<GoalOperation>& operations)
{
    std::vector<uint64_t> waits(operations.size());
    for (const GoalOperation& operation : operations)
    {
        for (const auto* list : {&operation.waiting, &operation.startWaiting})
        {
            for (const uint64_t number : *list)
            {
                ++waits[number];
            }
        }
    }
    std::string roots;
    std::string nodes;
    std::string appendix;
    for (std::size_t i = 0; i < operations.size(); ++i)
    {
        const GoalOperation& operation = operations[i];
        roots += waits[i] == 0 ? ToBytes(i, 4) : "";
        nodes += ToBytes(waits[i], 4) + ToBytes(operation.type, 1) + ToBytes(operation.peer, 4) +
                 ToBytes(operation.size, 8) + ToBytes(operation.tag, 4) + ToBytes(0, 2);
        for (const auto* list : {&operation.waiting, &operation.startWaiting})
        {
            nodes += ToBytes(list->size(), 4) + ToBytes(appendix.size() / 4, 4);
            for (const uint64_t number : *list)
            {
                appendix += ToBytes(number, 4);
            }
        }
    }
    return ToBytes(operations.size(), 4) + ToBytes(roots.size() / 4, 4) + roots + nodes + appendix;
}

} // namespace

std::string
MakeGoalBinary(const std::vector<std::vector<GoalOperation>>& ranks)
{
    std::string table;
    std::string parts;
    const std::size_t begin = 6 + 16 * ranks.size();
    for (const auto& operations : ranks)
    {
        const std::string part = MakeGoalPart(operations);
        table += ToBytes(begin + parts.size(), 8) + ToBytes(begin + parts.size() + part.size(), 8);
        parts += part;
    }
    return ToBytes(4223, 8) + ToBytes(ranks.size(), 4) + ToBytes(0, 2) + table + parts;
}

MessageWriter&
MessageWriter::Varint(uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
    {
        m_bytes += static_cast<char>(number | 0x80);
    }
    m_bytes += static_cast<char>(number);
    return *this;
}

MessageWriter&
MessageWriter::Number(uint32_t field, uint64_t number)
{
    return Varint(uint64_t{field} << 3).Varint(number);
}

MessageWriter&
MessageWriter::Fixed(uint32_t field, uint64_t number, uint32_t length)
{
    Varint(uint64_t{field} << 3 | (length == 8 ? 1 : 5));
    for (; length > 0; --length)
    {
        m_bytes += static_cast<char>(number);
        number >>= 8;
    }
    return *this;
}

MessageWriter&
MessageWriter::Text(uint32_t field, const std::string& text)
{
    Varint(uint64_t{field} << 3 | 2).Varint(text.size());
    m_bytes += text;
    return *this;
}

ChakraWriter&
ChakraWriter::Node(uint64_t id,
                   uint64_t type,
                   const std::vector<uint64_t>& dependencies,
                   const std::string& more)
{
    MessageWriter message;
    if (id > 0)
    {
        message.Number(1, id);
    }
    message.Text(2, "n" + std::to_string(id)).Number(3, type);
    MessageWriter packed;
    for (const uint64_t dependency : dependencies)
    {
        packed.Varint(dependency);
    }
    if (!dependencies.empty())
    {
        message.Text(5, packed.m_bytes);
    }
    return Message(message.m_bytes + more);
}

ChakraWriter&
ChakraWriter::Message(const std::string& content)
{
    m_bytes += MessageWriter().Varint(content.size()).m_bytes + content;
    return *this;
}

std::string
ChakraWriter::Attribute(const std::string& name, uint64_t number)
{
    return MessageWriter()
        .Text(10, MessageWriter().Text(1, name).Number(9, number).m_bytes)
        .m_bytes;
}

std::string
ChakraWriter::Ends(const std::string& peer, uint64_t rank, uint64_t tag, uint64_t bytes)
{
    return Attribute(peer, rank) + Attribute("comm_tag", tag) + Attribute("comm_size", bytes);
}

} // namespace ns3::lossless::tests
