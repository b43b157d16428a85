// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COLLECTIVES_H
#define LOSSLESS_COLLECTIVES_H

#include "flow-graph.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// What ranks do together.
enum class CollectiveKind : uint8_t
{
    ALL_REDUCE,     ///< all get the sum of what each has
    REDUCE_SCATTER, ///< each gets its block of that sum
    ALL_GATHER,     ///< all get the blocks that each has one of
    ALL_TO_ALL,     ///< each has a block for each
    ALL_TO_ALL_V,   ///< the same with blocks of unequal sizes, see CollectiveOptions::skew
    BROADCAST,      ///< all get what rank 0 has
    PIPELINE,       ///< each sends to the next, as stages of a pipeline do
    REDUCE,         ///< rank 0 gets the sum of what each has
    GATHER,         ///< rank 0 gets the blocks that each has one of
    SCATTER,        ///< rank 0 has a block for each
    BARRIER,        ///< all wait for all
};

/// How they do it.
enum class CollectiveAlgorithm : uint8_t
{
    RING,               ///< each sends to its successor, block after block
    BIDIRECTIONAL_RING, ///< half of it in each direction
    /// Up and down two binary trees of which each has half, see MakeBinaryTree(); a broadcast goes
    /// down one of them, a reduce up, and a barrier up and down.
    TREE,
    HALVING_DOUBLING, ///< between partners at halved and then doubled distances; 2^n ranks
    DIRECT,           ///< all at once
    STAGED,           ///< one partner after the other
    CHAIN,            ///< each passes on what comes from the one before
};

/// A collective with its algorithms, the usual one first, as options name them.
struct CollectiveChoice
{
    std::string name;    ///< of the collective
    CollectiveKind kind; ///< it
    /// Its algorithms by name.
    std::vector<std::pair<std::string, CollectiveAlgorithm>> algorithms;
};

/// @return all collectives
const std::vector<CollectiveChoice>& GetCollectives();

/// @param kind a collective @return its name
std::string ToString(CollectiveKind kind);
/// @param algorithm an algorithm @return its name
std::string ToString(CollectiveAlgorithm algorithm);

/**
 * A collective, as it is run by any number of ranks.
 *
 * The buffer of "bytes" is as nccl-tests count it: what each rank has before an all-reduce, a
 * reduce-scatter, an all-to-all, a broadcast or a reduce, and after an all-gather; what rank 0 has
 * after a gather and before a scatter. Of a barrier it is each message. It is cut into "chunks"
 * parts, each of which takes all steps of the algorithm on its own: parts follow each other as in
 * a pipeline. A host computes for one part after the other, and sends the same message of the
 * part after the next only once that of this part was acknowledged.
 */
struct CollectiveOptions
{
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};          ///< what
    CollectiveAlgorithm algorithm{CollectiveAlgorithm::RING}; ///< how
    uint64_t bytes{0};   ///< of the buffer, at least one for each block and chunk
    uint32_t chunks{1};  ///< parts of it, at least 1
    Time stepCompute;    ///< what a host computes before each message, as the sum of a reduction
    double skew{1};      ///< ALL_TO_ALL_V: exponent of a Zipf law over the receivers, at least 0
    uint8_t priority{3}; ///< traffic class

    /// @param ranks number of ranks @return what is wrong, or nothing
    std::optional<std::string> Check(uint32_t ranks) const;
};

/// A collective in a graph, by the steps that it is made of.
struct CollectiveRun
{
    CollectiveOptions options;            ///< what and how
    std::string job;                      ///< label of the job
    std::string group;                    ///< which ranks of it
    uint32_t iteration{0};                ///< of the job, from 0 on
    uint32_t place{0};                    ///< in the iteration, from 0 on
    std::vector<uint32_t> hosts;          ///< by rank: host index
    std::vector<FlowGraph::Step> entries; ///< by rank: what is done before it takes part
    std::vector<FlowGraph::Step> stages;  ///< first flow of each step of the algorithm
    FlowGraph::Step endOfFlows{0};        ///< after the last flow
    std::vector<FlowGraph::Step> exits;   ///< by rank: a computation of 0 ns, when it is done

    /// @return what nccl-tests multiply the algorithm bandwidth by for that of the bus: what the
    /// fastest algorithm sends and receives of each byte of the buffer
    double GetBusFactor() const;
};

/**
 * Adds a collective to a graph. A rank is done when all that is for it has arrived, or, if nothing
 * is, when all that it sends was acknowledged; in either case not before it has taken part itself.
 * Ids are the numbers of steps.
 * @param graph to add to
 * @param run what to add, with hosts, entries and labels; the rest is filled in
 */
void AddCollective(FlowGraph& graph, CollectiveRun& run);

/**
 * The binary tree of collectives over any number of ranks: in-order, so that ranks of odd number
 * are leaves, and rank 0 is the root above all others. With ranks shifted by one (an odd number of
 * ranks) or mirrored (an even one), it has the leaves of this one as inner nodes, and nearly the
 * other way round, so that two of them load all ranks alike: the double binary tree of Sanders,
 * Speck and Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
 * Parallel Computing 35 (2009), as NCCL has it since 2.4.
 * @param ranks number of ranks
 * @return by rank: its parent; of the root: itself
 */
std::vector<uint32_t> MakeBinaryTree(uint32_t ranks);

} // namespace ns3::lossless

#endif /* LOSSLESS_COLLECTIVES_H */
