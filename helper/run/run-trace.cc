// SPDX-License-Identifier: GPL-2.0-only
#include "run-trace.h"

#include "ns3/chakra-program.h"
#include "ns3/chakra-trace.h"
#include "ns3/goal-text.h"
#include "ns3/matrix-graph.h"
#include "ns3/text-lines.h"

#include <iterator>

namespace ns3::lossless
{

namespace
{

const std::string MATRIX_OPTION = "write-cm";

std::string
ReadBytes(const std::string& path)
{
    std::ifstream input = OpenText(path);
    std::string bytes;
    std::string block(std::size_t{1} << 16, '\0');
    while (input.read(block.data(), static_cast<std::streamsize>(block.size())) ||
           input.gcount() > 0)
    {
        bytes.append(block, 0, static_cast<std::size_t>(input.gcount()));
        if (bytes.size() > MAX_CHAKRA_BYTES)
        {
            break; // reported when the file is parsed
        }
    }
    return bytes;
}

} // namespace

bool
RunTrace::IsFormat(const std::string& format)
{
    return format == "cm" || format == "goal" || format == "chakra";
}

std::optional<std::string>
RunTrace::ReadChakra(const std::string& path)
{
    if (const auto error = FindChakraFiles(path, m_files))
    {
        return error;
    }
    std::vector<std::vector<ChakraNode>> traces(m_files.size());
    for (std::size_t i = 0; i < m_files.size(); ++i)
    {
        if (const auto error = ParseChakra(ReadBytes(m_files[i]), m_files[i], traces[i]))
        {
            return error;
        }
    }
    return MakeProgram(traces, path, m_program);
}

void
RunTrace::Read(const Experiment& experiment, const std::string& format, const std::string& path)
{
    m_format = format;
    m_files = {path};
    std::optional<std::string> error;
    if (format == "chakra")
    {
        error = ReadChakra(path);
    }
    else
    {
        std::ifstream input = OpenText(path);
        error = format == "goal" ? ParseGoal(input, path, m_program)
                                 : ParseConnectionMatrix(input, path, m_matrix);
    }
    experiment.Require(!error, error.value_or(""));
}

uint32_t
RunTrace::GetNRanks() const
{
    return m_program ? m_program->GetNRanks() : m_matrix.hosts;
}

void
RunTrace::FailLinks(const Experiment& experiment, Topology& topology) const
{
    if (m_format == "cm")
    {
        const auto error = lossless::FailLinks(m_matrix, m_files.front(), topology);
        experiment.Require(!error, error.value_or(""));
    }
}

FlowGraph
RunTrace::MakeGraph(const Experiment& experiment,
                    const Topology& topology,
                    const std::vector<uint32_t>& hosts,
                    uint8_t priority,
                    std::vector<CollectiveRun>& runs) const
{
    experiment.Require(GetNRanks() <= hosts.size(),
                       m_files.front() + " has " + std::to_string(GetNRanks()) +
                           " ranks; the network has " + std::to_string(hosts.size()) + " hosts");
    const RankPlacement placement{hosts, priority, m_format, ""};
    FlowGraph graph;
    auto error = m_program ? m_program->AddTo(graph, m_files.front(), placement, &runs)
                           : AddConnections(m_matrix, m_files.front(), placement, graph);
    experiment.Require(!error, error.value_or(""));
    error = graph.Check(topology, [&](FlowGraph::Step step) {
        return m_program ? m_program->DescribeStep(step, placement)
                         : DescribeConnection(m_matrix, step);
    });
    experiment.Require(!error, m_files.front() + ": " + error.value_or(""));
    return graph;
}

void
MatrixFile::AddOption(Experiment& experiment) const
{
    experiment.AddOutput(MATRIX_OPTION, "File for the flows as htsim's connection matrix");
}

bool
MatrixFile::IsWanted(const Experiment& experiment) const
{
    return !experiment.GetOutput(MATRIX_OPTION).empty();
}

void
MatrixFile::Prepare(const Experiment& experiment, FlowGraph graph, const Topology& topology)
{
    m_matrix.emplace();
    auto error = graph.Check(topology);
    error = error ? error : MakeConnectionMatrix(graph, topology, *m_matrix);
    experiment.Require(!error, "--" + MATRIX_OPTION + ": " + error.value_or(""));
}

void
MatrixFile::Write(const Experiment& experiment) const
{
    if (m_matrix)
    {
        experiment.WriteOutput(MATRIX_OPTION,
                               [this](std::ostream& os) { WriteConnectionMatrix(os, *m_matrix); });
    }
}

} // namespace ns3::lossless
