// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANK_PROGRAM_H
#define LOSSLESS_RANK_PROGRAM_H

#include "flow-trace.h"

#include "ns3/collectives.h"
#include "ns3/flow-graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The operations of the ranks (processes, NPUs) of a parallel program: computations, sends and
 * receives, which may wait for other operations of the same rank. This class is the common
 * representation of GOAL and Chakra traces.
 *
 * A send is matched with the other rank's receive that names the sender and has the same tag. If
 * several match, they are paired in the order of the file. A receive may be larger than its send.
 *
 * A message is one flow. The send is done when the sender has received all acknowledgements. The
 * receive is done when it has begun and the last byte has arrived. A sender does not wait for its
 * receiver to begin. Computations of a rank run concurrently unless one waits for the other.
 */
class RankProgram : public FlowTrace
{
  public:
    /// The number of an operation, counted from 0 in the order of the Add() calls.
    using Index = uint32_t;

    /// The maximum number of operations.
    static constexpr Index MAX_OPERATIONS = Index{1} << 28;

    /// An operation of a rank.
    struct Operation
    {
        /// The kinds of operations.
        enum class Kind : uint8_t
        {
            COMPUTE,
            SEND,
            RECEIVE,
            COLLECTIVE ///< part of a Collective
        };

        Kind kind{Kind::COMPUTE}; ///< kind of operation
        uint32_t rank{0};         ///< rank that executes it
        uint32_t peer{0};         ///< other rank of a message
        uint64_t tag{0};          ///< tag of a message
        uint64_t bytes{0}; ///< size of a message; a message of 0 bytes is sent as 1 byte, because
                           ///< its header is also transmitted
        uint64_t nanoSeconds{0}; ///< duration of a computation
        uint64_t place{0}; ///< line, operation number or node ID in the file, for error messages
    };

    /// A collective operation of several ranks.
    struct Collective
    {
        CollectiveOptions options; ///< options; the class is that of the placement
        std::string group;         ///< label of the group of ranks
        std::vector<Index> parts;  ///< operations of the kind COLLECTIVE, by rank within the group
    };

    /// @param place the unit of Operation::place: "line", "node" or "operation"
    /// @param ranks the number of ranks
    /// @param fileName the name of the file, for error messages
    RankProgram(const std::string& place, uint32_t ranks, const std::string& fileName);

    /// Adds an operation of an existing rank.
    /// @return the number of the operation
    Index Add(const Operation& operation);

    /// Makes an operation wait for another operation of the same rank.
    /// @param isStartEnough true if the operation waits only for the start of the other one
    void AddDependency(Index waiting, Index needed, bool isStartEnough = false);

    /// Combines operations into a collective. Each operation may belong to at most one collective.
    /// @param collective a collective of at least two ranks
    void AddCollective(const Collective& collective);

    uint32_t GetNRanks() const override
    {
        return m_ranks;
    }

    /// @return the operations by number
    const std::vector<Operation>& GetOperations() const
    {
        return m_operations;
    }

    /// See FlowTrace::AddTo(). The IDs are the numbers of the steps. Returns an error if a send or
    /// receive has no counterpart, a message is larger than its receive, a collective is invalid,
    /// or there are too many steps. Cyclic dependencies are detected by FlowGraph::Check(), for
    /// which DescribeStep() names the operations.
    void AddTo(FlowGraph& graph,
               const RankPlacement& placement,
               std::vector<CollectiveRun>& runs) const override;

    /// See FlowTrace::DescribeStep(). This takes as long as AddTo().
    std::string DescribeStep(FlowGraph::Step step, const RankPlacement& placement) const override;

  private:
    /// An operation that waits for another one; see AddDependency().
    struct Dependency
    {
        Index waiting;
        Index needed;
        bool isStartEnough;
    };

    /// @return an error message about the first invalid collective, or nothing
    std::optional<std::string> CheckCollectives() const;
    /// Matches sends and receives.
    /// @param [out] matches for each send and receive, the number of the operation at the other end
    /// @return an error message about the first error, or nothing
    std::optional<std::string> Match(std::vector<Index>& matches) const;
    /// @param kind SEND or RECEIVE
    /// @return the operations of this kind, sorted by sender, receiver and tag
    std::vector<Index> SortMessages(Operation::Kind kind) const;
    /// @param index a send or receive without its counterpart
    /// @param nSends the number of sends without a receive
    /// @param nReceives the number of receives without a send
    std::string DescribeLonely(Index index, std::size_t nSends, std::size_t nReceives) const;
    /// @return the place of an operation in the file
    std::string DescribePlace(Index index) const;

    friend class RankProgramSteps;

    std::string m_place; ///< unit of Operation::place
    uint32_t m_ranks;
    std::string m_fileName;              ///< name of the file, for error messages
    std::vector<Operation> m_operations; ///< operations by number
    std::vector<Dependency> m_dependencies;
    std::vector<Collective> m_collectives;
};

} // namespace ns3::lossless

#endif // LOSSLESS_RANK_PROGRAM_H
