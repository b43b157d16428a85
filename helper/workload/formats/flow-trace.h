// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_TRACE_H
#define LOSSLESS_FLOW_TRACE_H

#include "ns3/collectives.h"
#include "ns3/flow-format.h"
#include "ns3/flow-graph.h"
#include "ns3/lossless-topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// The placement of ranks, which are the processes, NPUs or nodes in another program's file. It
/// consists of the host of each rank and of the class and the labels of all messages. Files of
/// other programs contain none of these.
struct RankPlacement
{
    std::vector<uint32_t> hosts; ///< host indices by rank; each host occurs at most once
    uint8_t priority{3};         ///< class of all flows, 0 to 7
    std::string group;           ///< label of all flows; may be empty
    std::string job;             ///< label of the job; may be empty
};

/**
 * @ingroup lossless
 * Flows from another program's files, in which ranks send messages that wait for one another.
 */
class FlowTrace
{
  public:
    virtual ~FlowTrace() = default;

    /// @return the number of ranks
    virtual uint32_t GetNRanks() const = 0;

    /// Marks the links named in the file as failed. Does nothing by default.
    /// @throws FileComplaint
    virtual void FailLinks(Topology& /* topology */) const
    {
    }

    /**
     * Adds the flows and computations to a graph.
     * @param [in,out] graph the graph, unchanged after an error
     * @param placement the host of each rank
     * @param [in,out] runs the list to which the collectives are added
     * @throws FileComplaint
     */
    virtual void AddTo(FlowGraph& graph,
                       const RankPlacement& placement,
                       std::vector<CollectiveRun>& runs) const = 0;

    /// @param step a step of a graph that was empty before AddTo()
    /// @param placement the placement passed to AddTo()
    /// @return the name of the step in the file, for error messages
    virtual std::string DescribeStep(FlowGraph::Step step,
                                     const RankPlacement& placement) const = 0;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_TRACE_H */
