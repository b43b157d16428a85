// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COLLECTIVES_H
#define LOSSLESS_COLLECTIVES_H

#include "flow-graph.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

class FlowRule;

/// Kind of collective.
enum class CollectiveKind : uint8_t
{
    ALL_REDUCE,     ///< all get the sum of all buffers
    REDUCE_SCATTER, ///< each gets its block of the sum
    ALL_GATHER,     ///< all get one block from each
    ALL_TO_ALL,     ///< each has a block for each
    ALL_TO_ALL_V,   ///< with blocks of unequal sizes, see CollectiveOptions::skew
    BROADCAST,      ///< all get the buffer of rank 0
    PIPELINE,       ///< each sends to the next, as stages of a pipeline do
    REDUCE,         ///< rank 0 gets the sum of all buffers
    GATHER,         ///< rank 0 gets a block from each
    SCATTER,        ///< rank 0 has a block for each
    BARRIER,        ///< each waits for all
};

/// Algorithm of a collective.
enum class CollectiveAlgorithm : uint8_t
{
    RING,               ///< each sends to its successor, block by block
    BIDIRECTIONAL_RING, ///< half in each direction
    /// Up and down two binary trees with half of the data each, see MakeBinaryTree(). The others
    /// use one tree: a broadcast down, a reduce up, a barrier up and down.
    TREE,
    HALVING_DOUBLING, ///< between partners at halved and then doubled distances; 2^n ranks
    DIRECT,           ///< all at once
    STAGED,           ///< one partner after the other
    CHAIN,            ///< each forwards what comes from the previous one
};

/// A collective and its algorithms, the usual one first, by their names in options.
struct CollectiveChoice
{
    std::string name;    ///< of the collective
    CollectiveKind kind; ///< kind of collective
    /// Algorithms by name, the usual one first.
    std::vector<std::pair<std::string, CollectiveAlgorithm>> algorithms;
};

/// @return all collectives
const std::vector<CollectiveChoice>& GetCollectives();

/// @return name of the collective
std::string ToString(CollectiveKind kind);
/// @return name of the algorithm
std::string ToString(CollectiveAlgorithm algorithm);

/**
 * A collective for any number of ranks.
 *
 * The buffer of "bytes" is defined as in nccl-tests: what each rank has before an all-reduce, a
 * reduce-scatter, an all-to-all, a broadcast or a reduce, and after an all-gather; what rank 0 has
 * after a gather and before a scatter; for a barrier, the size of each message. It is divided into
 * "chunks" parts, each of which takes all steps of the algorithm on its own, so that parts follow
 * each other as in a pipeline. A host computes for one part after the other, and sends the same
 * message of the part after the next only once that of this part was acknowledged.
 */
struct CollectiveOptions
{
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};          ///< kind of collective
    CollectiveAlgorithm algorithm{CollectiveAlgorithm::RING}; ///< algorithm of that kind
    uint64_t bytes{0};   ///< of the buffer, at least one per block and chunk
    uint32_t chunks{1};  ///< parts of the buffer, at least 1
    Time stepCompute;    ///< computation of a host before each message, such as the sum of a
                         ///< reduction
    double skew{1};      ///< ALL_TO_ALL_V: exponent of a Zipf law over the receivers, at least 0
    uint8_t priority{3}; ///< traffic class

    /// @return the first error, or nothing
    std::optional<std::string> Check(uint32_t ranks) const;
};

/// A collective in a graph, and the steps that belong to it.
struct CollectiveRun
{
    CollectiveOptions options;            ///< kind, algorithm and size
    std::string job;                      ///< label
    std::string group;                    ///< label of the ranks
    uint32_t iteration{0};                ///< of the job, from 0
    uint32_t place{0};                    ///< in the iteration, from 0
    std::vector<uint32_t> hosts;          ///< by rank: host index
    std::vector<FlowGraph::Step> entries; ///< by rank: step to be done before it takes part
    std::vector<FlowGraph::Step> stages;  ///< first flow of each step of the algorithm
    FlowGraph::Step endOfFlows{0};        ///< after the last flow
    std::vector<FlowGraph::Step> exits;   ///< by rank: a computation of 0 ns at its end
    std::shared_ptr<const FlowRule> rule; ///< rule of its flows; null: they are listed

    /// @return ratio of bus to algorithm bandwidth in nccl-tests: what the fastest algorithm sends
    /// and receives per byte of the buffer
    double GetBusFactor() const;
};

/// How the flows of a collective are added to a graph.
enum class FlowMaking : uint8_t
{
    LISTED,  ///< one by one
    BY_RULE, ///< as a FlowRule, if the algorithm has one: rings and all-to-all do
};

/// Adds a collective to a graph. A rank is done when all data for it have arrived or, without any,
/// when all that it sends was acknowledged; in either case not before it has taken part itself. Ids
/// are the numbers of steps. @param run has hosts, entries and labels; the rest is filled in
void AddCollective(FlowGraph& graph, CollectiveRun& run, FlowMaking making = FlowMaking::LISTED);

/**
 * Makes the binary tree of collectives over any number of ranks: in-order, so that odd ranks are
 * leaves and rank 0 is the root above all others. With ranks shifted by one (an odd number of
 * ranks) or mirrored (an even one), the leaves of this tree become inner nodes, and nearly vice
 * versa, so that both trees together load all ranks alike: the double binary tree of Sanders, Speck
 * and Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan", Parallel
 * Computing 35 (2009), used by NCCL since 2.4.
 * @return by rank: its parent; of the root: itself
 */
std::vector<uint32_t> MakeBinaryTree(uint32_t ranks);

} // namespace ns3::lossless

#endif /* LOSSLESS_COLLECTIVES_H */
