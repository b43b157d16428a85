// SPDX-License-Identifier: GPL-2.0-only
#include "flow-trace.h"

#include "ns3/text-lines.h"

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

std::optional<std::string>
FlowTrace::FailLinks(Topology& /* topology */) const
{
    return std::nullopt;
}

ProgramTrace::ProgramTrace(RankProgram program, const std::string& fileName)
    : m_program(std::move(program)),
      m_fileName(fileName)
{
}

uint32_t
ProgramTrace::GetNRanks() const
{
    return m_program.GetNRanks();
}

std::optional<std::string>
ProgramTrace::AddTo(FlowGraph& graph,
                    const RankPlacement& placement,
                    std::vector<CollectiveRun>& runs) const
{
    return m_program.AddTo(graph, m_fileName, placement, &runs);
}

std::string
ProgramTrace::DescribeStep(FlowGraph::Step step, const RankPlacement& placement) const
{
    return m_program.DescribeStep(step, placement);
}

std::string
ReadBytes(const std::string& path, uint64_t most)
{
    std::ifstream input = OpenText(path);
    std::string bytes;
    std::string block(std::size_t{1} << 16, '\0');
    while (bytes.size() <= most)
    {
        input.read(block.data(),
                   static_cast<std::streamsize>(
                       std::min<uint64_t>(block.size(), most + 1 - bytes.size())));
        if (input.gcount() == 0)
        {
            break;
        }
        bytes.append(block, 0, static_cast<std::size_t>(input.gcount()));
    }
    return bytes;
}

} // namespace ns3::lossless
