// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_TRACE_H
#define LOSSLESS_FLOW_TRACE_H

#include "rank-placement.h"
#include "rank-program.h"

#include "ns3/collectives.h"
#include "ns3/flow-format.h"
#include "ns3/flow-graph.h"
#include "ns3/lossless-topology.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Flows from files of another program, in which ranks send messages that wait for each other.
 */
class FlowTrace
{
  public:
    virtual ~FlowTrace() = default;

    /// @return the number of ranks
    virtual uint32_t GetNRanks() const = 0;

    /// Marks the links named in the file as failed.
    /// @return the error, if any
    virtual std::optional<std::string> FailLinks(Topology& topology) const;

    /**
     * Adds the flows and computations to a graph.
     * @param [in,out] graph the graph, unchanged after an error
     * @param placement the host of each rank
     * @param [in,out] runs the list to which the collectives are added
     * @return the error, if any
     */
    virtual std::optional<std::string> AddTo(FlowGraph& graph,
                                             const RankPlacement& placement,
                                             std::vector<CollectiveRun>& runs) const = 0;

    /// @param step a step of a graph that was empty before AddTo()
    /// @param placement the placement passed to AddTo()
    /// @return the name of the step in the file, for error messages
    virtual std::string DescribeStep(FlowGraph::Step step,
                                     const RankPlacement& placement) const = 0;
};

/// The trace of a RankProgram.
class ProgramTrace : public FlowTrace
{
  public:
    /// @param fileName the name of the file, for error messages
    ProgramTrace(RankProgram program, const std::string& fileName);

    uint32_t GetNRanks() const override;
    std::optional<std::string> AddTo(FlowGraph& graph,
                                     const RankPlacement& placement,
                                     std::vector<CollectiveRun>& runs) const override;
    std::string DescribeStep(FlowGraph::Step step, const RankPlacement& placement) const override;

  private:
    RankProgram m_program;
    std::string m_fileName; ///< name of the file, for error messages
};

/// Reads a binary file.
/// @param most the maximum number of bytes; if the file is longer, one more is read
std::string ReadBytes(const std::string& path, uint64_t most);

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_TRACE_H */
