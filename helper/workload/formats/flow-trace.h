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
 * Flows of another program's files, in which ranks send messages that wait for messages.
 */
class FlowTrace
{
  public:
    virtual ~FlowTrace() = default;

    /// @return number of ranks
    virtual uint32_t GetNRanks() const = 0;

    /// Fails the links that the file names. @param [in,out] topology the network
    /// @return one sentence, or nothing
    virtual std::optional<std::string> FailLinks(Topology& topology) const;

    /**
     * Adds the flows and computations to a graph.
     * @param placement the host of each rank
     * @param [out] graph where to add them, untouched in case of a complaint
     * @param [out] runs where to add the collectives in that graph
     * @return one sentence, or nothing
     */
    virtual std::optional<std::string> AddTo(FlowGraph& graph,
                                             const RankPlacement& placement,
                                             std::vector<CollectiveRun>& runs) const = 0;

    /// @param step of a graph that was empty before AddTo() @param placement that it was given
    /// @return what the file calls it, for complaints
    virtual std::string DescribeStep(FlowGraph::Step step,
                                     const RankPlacement& placement) const = 0;
};

/// The trace that a RankProgram makes.
class ProgramTrace : public FlowTrace
{
  public:
    /// @param program what the ranks do @param fileName for complaints
    ProgramTrace(RankProgram program, const std::string& fileName);

    uint32_t GetNRanks() const override;
    std::optional<std::string> AddTo(FlowGraph& graph,
                                     const RankPlacement& placement,
                                     std::vector<CollectiveRun>& runs) const override;
    std::string DescribeStep(FlowGraph::Step step, const RankPlacement& placement) const override;

  private:
    RankProgram m_program;  ///< what the ranks do
    std::string m_fileName; ///< for complaints
};

/// @param path of a file of bytes @param most bytes that are wanted, and one more if there are more
/// @return its content
std::string ReadBytes(const std::string& path, uint64_t most);

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_TRACE_H */
