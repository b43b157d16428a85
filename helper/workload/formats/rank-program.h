// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANK_PROGRAM_H
#define LOSSLESS_RANK_PROGRAM_H

#include "rank-placement.h"

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
 * Operations of the ranks (processes, NPUs) of a parallel program: computations, sends and
 * receives, which may wait for other operations of the same rank. Common form of GOAL's and
 * Chakra's traces.
 *
 * A send is matched with the receive of the other rank that names it and has the same tag; if there
 * are several, in the order of the file. A receive may be larger than its send.
 *
 * A message is one flow. Its send is done when the sender knows that all data has arrived, its
 * receive when it has begun and the last byte has arrived. A sender does not wait for its receiver
 * to begin. Computations of a rank run concurrently unless one waits for the other.
 */
class RankProgram
{
  public:
    /// Number of an operation, from 0 in the order of Add().
    using Index = uint32_t;

    /// Maximum number of operations.
    static constexpr Index MAX_OPERATIONS = Index{1} << 28;

    /// An operation of a rank.
    struct Operation
    {
        /// Kind of operation.
        enum class Kind : uint8_t
        {
            COMPUTE,
            SEND,
            RECEIVE,
            COLLECTIVE ///< part of a Collective
        };

        Kind kind{Kind::COMPUTE}; ///< kind of operation
        uint32_t rank{0};         ///< rank that executes it
        uint32_t peer{0};         ///< of a message: the other rank
        uint64_t tag{0};          ///< of a message
        uint64_t bytes{0};        ///< of a message; 0 is sent as 1, because its header is
                                  ///< transmitted, too
        uint64_t nanoSeconds{0};  ///< duration of a computation
        uint64_t place{0};        ///< line or number in the file, for messages
    };

    /// Collective operation of several ranks.
    struct Collective
    {
        CollectiveOptions options; ///< their class is that of the placement
        std::string group;         ///< label
        std::vector<Index> parts;  ///< operations of the kind COLLECTIVE, by rank within it
    };

    /// @param place unit of Operation::place: "line" or "node"
    /// @param ranks number of ranks
    RankProgram(const std::string& place, uint32_t ranks);

    /// Adds an operation of an existing rank. @return its number
    Index Add(const Operation& operation);

    /// Makes an operation wait for another one of the same rank.
    /// @param isStartEnough whether the start of that one suffices
    void AddDependency(Index waiting, Index needed, bool isStartEnough = false);

    /// Combines operations to a collective; each may belong to one at most.
    /// @param collective of at least two ranks
    void AddCollective(const Collective& collective);

    /// @return number of ranks
    uint32_t GetNRanks() const
    {
        return m_ranks;
    }

    /// @return the operations by number
    const std::vector<Operation>& GetOperations() const
    {
        return m_operations;
    }

    /**
     * Adds the flows and computations to a graph.
     *
     * Ids are the numbers of the steps. Cyclic dependencies are left to FlowGraph::Check(), for
     * which DescribeStep() names the operations.
     *
     * @param placement the host of each rank
     * @param [out] graph unchanged after an error
     * @param [out] runs gets the collectives of the graph; may be null
     * @return one sentence about a message without send or receive, one that is larger than its
     * receive, an invalid collective, or too many steps; or nothing
     */
    std::optional<std::string> AddTo(FlowGraph& graph,
                                     const std::string& fileName,
                                     const RankPlacement& placement,
                                     std::vector<CollectiveRun>* runs = nullptr) const;

    /// @param step of a graph that was empty before AddTo()
    /// @param placement that of AddTo()
    /// @return operation of the step, for messages; takes as long as AddTo()
    std::string DescribeStep(FlowGraph::Step step, const RankPlacement& placement) const;

  private:
    /// An operation that waits for another one, see AddDependency().
    struct Dependency
    {
        Index waiting;
        Index needed;
        bool isStartEnough;
    };

    /// @return one sentence about the first invalid collective, or nothing
    std::optional<std::string> CheckCollectives() const;
    /// Matches sends and receives.
    /// @param [out] matches by number, the other end of a message
    /// @return one sentence, or nothing
    std::optional<std::string> Match(std::vector<Index>& matches) const;
    /// @param kind SEND or RECEIVE
    /// @return operations of this kind, sorted by ends and tag
    std::vector<Index> SortMessages(Operation::Kind kind) const;
    /// @param index a message without its other end
    /// @param nSends sends without receive
    /// @param nReceives receives without send
    std::string DescribeLonely(Index index, std::size_t nSends, std::size_t nReceives) const;
    /// @return place of an operation in the file
    std::string DescribePlace(Index index) const;

    friend class RankProgramSteps;

    std::string m_place; ///< see the constructor
    uint32_t m_ranks;
    std::vector<Operation> m_operations; ///< by number
    std::vector<Dependency> m_dependencies;
    std::vector<Collective> m_collectives;
};

} // namespace ns3::lossless

#endif // LOSSLESS_RANK_PROGRAM_H
