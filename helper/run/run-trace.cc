// SPDX-License-Identifier: GPL-2.0-only
#include "run-trace.h"

#include "ns3/matrix-graph.h"

namespace ns3::lossless
{

namespace
{

const std::string MATRIX_OPTION = "write-cm";

} // namespace

void
RunTrace::Read(const Experiment& experiment, const FlowFormat& format, const std::string& path)
{
    m_format = format.name;
    m_files = {path};
    const auto error = format.read(path, m_files, m_trace);
    experiment.Require(!error, error.value_or(""));
}

void
RunTrace::FailLinks(const Experiment& experiment, Topology& topology) const
{
    const auto error = m_trace ? m_trace->FailLinks(topology) : std::nullopt;
    experiment.Require(!error, error.value_or(""));
}

FlowGraph
RunTrace::MakeGraph(const Experiment& experiment,
                    const Topology& topology,
                    const std::vector<uint32_t>& hosts,
                    uint8_t priority,
                    std::vector<CollectiveRun>& runs) const
{
    const uint32_t ranks = m_trace->GetNRanks();
    experiment.Require(ranks <= hosts.size(),
                       m_files.front() + " has " + std::to_string(ranks) +
                           " ranks; the network has " + std::to_string(hosts.size()) + " hosts");
    const RankPlacement placement{hosts, priority, m_format, ""};
    FlowGraph graph;
    auto error = m_trace->AddTo(graph, placement, runs);
    experiment.Require(!error, error.value_or(""));
    error = graph.Check(topology, [&](FlowGraph::Step step) {
        return m_trace->DescribeStep(step, placement);
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
