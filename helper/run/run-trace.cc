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
    experiment.RequireFit(format.read(path, m_files, m_trace));
}

void
RunTrace::FailLinks(const Experiment& experiment, Topology& topology) const
{
    experiment.RequireFit(m_trace ? m_trace->FailLinks(topology) : std::nullopt);
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
    experiment.RequireFit(error);
    error = graph.Check(topology, [&](FlowGraph::Step step) {
        return m_trace->DescribeStep(step, placement);
    });
    experiment.RequireFit(error, m_files.front() + ": ");
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
    experiment.RequireFit(error, "--" + MATRIX_OPTION + ": ");
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
