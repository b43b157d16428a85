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
 * What the ranks (processes, NPUs) of a parallel program do: they compute, send and receive, and
 * some of that waits for other things that the same rank does. The form of GOAL's and Chakra's
 * traces.
 *
 * A send is matched with the receive of the other rank that names it and has the same tag; of
 * several, the first in the file is matched with the first. A receive may be larger than what is
 * sent to it.
 *
 * A message is one flow. Its send is done when the sender knows that all has arrived, its receive
 * when it has been begun and the last byte is there. A sender does not wait for its receiver to
 * begin. Computations of a rank run side by side unless one waits for the other.
 */
class RankProgram
{
  public:
    /// Number of an operation, from 0 in the order of Add().
    using Index = uint32_t;

    /// Most operations of a program.
    static constexpr Index MAX_OPERATIONS = Index{1} << 28;

    /// One thing that a rank does.
    struct Operation
    {
        /// What it is.
        enum class Kind : uint8_t
        {
            COMPUTE,
            SEND,
            RECEIVE,
            COLLECTIVE ///< a part of a Collective
        };

        Kind kind{Kind::COMPUTE}; ///< what it is
        uint32_t rank{0};         ///< who does it
        uint32_t peer{0};         ///< of a message: the other rank
        uint64_t tag{0};          ///< of a message
        uint64_t bytes{0};        ///< of a message; 0 is sent as 1, since its header travels, too
        uint64_t nanoSeconds{0};  ///< of a computation: its duration
        uint64_t place{0};        ///< line or number in the file, for complaints
    };

    /// What several ranks do together.
    struct Collective
    {
        CollectiveOptions options; ///< what and how; its class is that of the placement
        std::string group;         ///< label
        std::vector<Index> parts;  ///< by rank within it: operations of the kind COLLECTIVE
    };

    /// @param place what Operation::place counts: "line" or "node" @param ranks number of them
    RankProgram(const std::string& place, uint32_t ranks);

    /// Adds an operation. @param operation of a rank that exists @return its number
    Index Add(const Operation& operation);

    /**
     * Lets an operation wait for another one of the same rank.
     * @param waiting the one that waits
     * @param needed the one that it waits for
     * @param isStartEnough whether that one must have begun only
     */
    void AddDependency(Index waiting, Index needed, bool isStartEnough = false);

    /// Joins operations to a collective, which each belong to one at most.
    /// @param collective of two ranks at least
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
     * Ids are the numbers of the steps. Operations that wait for each other are left for
     * FlowGraph::Check() to find, which DescribeStep() gives their names.
     *
     * @param fileName for complaints
     * @param placement the host of each rank
     * @param [out] graph where to add them, untouched in case of a complaint
     * @param [out] runs where to add the collectives in that graph; null: nowhere
     * @return one sentence about a message that is sent or received only, one that is larger than
     * what is received, a collective that cannot be, or too many steps; or nothing
     */
    std::optional<std::string> AddTo(FlowGraph& graph,
                                     const std::string& fileName,
                                     const RankPlacement& placement,
                                     std::vector<CollectiveRun>* runs = nullptr) const;

    /**
     * @param step of a graph that was empty before AddTo()
     * @param placement that AddTo() was given
     * @return which operation it belongs to, for complaints; takes as long as AddTo()
     */
    std::string DescribeStep(FlowGraph::Step step, const RankPlacement& placement) const;

  private:
    /// An operation that waits for another one.
    struct Dependency
    {
        Index waiting;      ///< see AddDependency()
        Index needed;       ///< see AddDependency()
        bool isStartEnough; ///< see AddDependency()
    };

    /// @return one sentence about the first collective that cannot be, or nothing
    std::optional<std::string> CheckCollectives() const;
    /// Joins sends and receives. @param [out] matches by number, the other end of a message
    /// @return one sentence, or nothing
    std::optional<std::string> Match(std::vector<Index>& matches) const;
    /// @param kind SEND or RECEIVE @return operations of this kind, sorted by ends and tag
    std::vector<Index> SortMessages(Operation::Kind kind) const;
    /// @param index a message that has no other end @param nSends how many sends have none
    /// @param nReceives how many receives have none @return one sentence
    std::string DescribeLonely(Index index, std::size_t nSends, std::size_t nReceives) const;
    /// @param index an operation @return where it is in the file
    std::string DescribePlace(Index index) const;

    friend class RankProgramSteps;

    std::string m_place;                    ///< see the constructor
    uint32_t m_ranks;                       ///< see GetNRanks()
    std::vector<Operation> m_operations;    ///< by number
    std::vector<Dependency> m_dependencies; ///< in the order of AddDependency()
    std::vector<Collective> m_collectives;  ///< in the order of AddCollective()
};

} // namespace ns3::lossless

#endif // LOSSLESS_RANK_PROGRAM_H
