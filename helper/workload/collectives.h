// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COLLECTIVES_H
#define LOSSLESS_COLLECTIVES_H

#include "flow-graph.h"

#include "ns3/gpu-seats.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

class CollectiveRule;

/// The kinds of collectives.
enum class CollectiveKind : uint8_t
{
    ALL_REDUCE,     ///< all ranks receive the sum of all buffers
    REDUCE_SCATTER, ///< each rank receives its block of the sum
    ALL_GATHER,     ///< all ranks receive one block from each rank
    ALL_TO_ALL,     ///< each rank sends a block to each rank
    ALL_TO_ALL_V,   ///< ALL_TO_ALL with blocks of unequal sizes; see CollectiveOptions::skew
    BROADCAST,      ///< all ranks receive the buffer of rank 0
    PIPELINE,       ///< each rank sends to the next one, like the stages of a pipeline
    REDUCE,         ///< rank 0 receives the sum of all buffers
    GATHER,         ///< rank 0 receives a block from each rank
    SCATTER,        ///< each rank receives a block from rank 0
    BARRIER,        ///< each rank waits for all others
};

/// Algorithms of collectives.
enum class CollectiveAlgorithm : uint8_t
{
    RING,               ///< each rank sends to its successor, block by block
    BIDIRECTIONAL_RING, ///< two rings in opposite directions, each with half of the data
    /// In an all-reduce, messages move up and then down two binary trees, each with half of the
    /// data; see MakeBinaryTree(). The other kinds use one tree. Messages move down in a broadcast,
    /// up in a reduce, and up and then down in a barrier.
    TREE,
    HALVING_DOUBLING, ///< exchanges with partners at distances that are first halved and then
                      ///< doubled; needs 2^n ranks
    DIRECT,           ///< all messages at once
    STAGED,           ///< messages to one partner after another
    CHAIN,            ///< each rank forwards the data that it receives from the previous one
    /// Like DIRECT, but a message to a GPU in another server and on another rail is first sent to a
    /// GPU in the sender's server on the receiver's rail, which forwards the message after
    /// receiving all of it. NCCL, which has supported PXN since version 2.12, also combines
    /// messages of several senders.
    PXN,
};

/// A kind of collective and its algorithms, with their names in options.
struct CollectiveChoice
{
    std::string name;    ///< name of the collective
    CollectiveKind kind; ///< kind of collective
    /// The algorithms by name, starting with the default.
    std::vector<std::pair<std::string, CollectiveAlgorithm>> algorithms;
};

/// @return all kinds of collectives
const std::vector<CollectiveChoice>& GetCollectives();

/// @return the name of the collective
std::string ToString(CollectiveKind kind);
/// @return the name of the algorithm
std::string ToString(CollectiveAlgorithm algorithm);

/**
 * The options of a collective, for any number of ranks.
 *
 * As in nccl-tests, "bytes" is the size of the buffer that each rank has before an all-reduce, a
 * reduce-scatter, an all-to-all, a broadcast or a reduce, or after an all-gather. For a gather or a
 * scatter, it is the size of the buffer that rank 0 has after the gather or before the scatter. For
 * a barrier, it is the size of each message. The buffer is divided into "chunks" parts. Each part
 * goes through all steps of the algorithm independently, so that the parts follow each other as in
 * a pipeline. A host computes for one part at a time. It sends a message of part n only after the
 * same message of part n - 2 has been acknowledged.
 */
struct CollectiveOptions
{
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};          ///< kind of collective
    CollectiveAlgorithm algorithm{CollectiveAlgorithm::RING}; ///< algorithm of that kind
    uint64_t bytes{0};  ///< size of the buffer; at least one byte per block and chunk
    uint32_t chunks{1}; ///< number of parts of the buffer, at least 1
    Time stepCompute; ///< computation of a host before each message, such as the sum of a reduction
    double skew{1}; ///< exponent of the Zipf distribution of the block sizes over the receivers, at
                    ///< least 0; for ALL_TO_ALL_V
    uint8_t priority{3}; ///< traffic class

    /// @return the first error, or nothing if there is none
    std::optional<std::string> Check(uint32_t ranks) const;
};

/// A collective in a graph, and the steps that belong to it.
struct CollectiveRun
{
    CollectiveOptions options;   ///< kind, algorithm and size
    std::string job;             ///< label of the job
    std::string group;           ///< label of the group of ranks
    uint32_t iteration{0};       ///< iteration of the job, from 0
    uint32_t place{0};           ///< index in the iteration, from 0
    std::vector<uint32_t> hosts; ///< host indices, by rank
    std::vector<GpuSeat> seats;  ///< seats of the hosts, by rank; for PXN
    /// For each rank, the step that must be done before the rank takes part.
    std::vector<FlowGraph::Step> entries;
    std::vector<FlowGraph::Step> stages; ///< first flow of each step of the algorithm
    FlowGraph::Step endOfFlows{0};       ///< number of the step after the last flow
    /// For each rank, the computation of 0 ns that ends its participation.
    std::vector<FlowGraph::Step> exits;
    std::shared_ptr<const CollectiveRule> rule; ///< rule of its flows, or null if they are listed

    /// @return the ratio of bus bandwidth to algorithm bandwidth, as in nccl-tests: the number of
    /// bytes, per byte of the buffer, that the busiest rank sends or receives in the fastest
    /// algorithm
    double GetBusFactor() const;
};

/// The way in which the flows of a collective are added to a graph.
enum class FlowMaking : uint8_t
{
    LISTED,  ///< as single flows
    BY_RULE, ///< as a CollectiveRule, if CollectiveRule::Covers() the algorithm
};

/// Adds a collective to a graph. A rank is done when all data for it have arrived or, if it
/// receives no data, when all data that it sends have been acknowledged. A rank is never done
/// before its entry is done. The IDs of the flows are the step numbers.
/// @param run the collective; this function fills in stages, endOfFlows, exits and rule
void AddCollective(FlowGraph& graph, CollectiveRun& run, FlowMaking making = FlowMaking::LISTED);

/**
 * Creates the binary tree for collectives over any number of ranks. The tree is in-order, so odd
 * ranks are leaves, and rank 0 is the root above all others. If the ranks are shifted by one (for
 * an odd number of ranks) or mirrored (for an even number), the leaves of this tree become inner
 * nodes, and nearly vice versa, so that the two trees together load all ranks equally. This is the
 * double binary tree of Sanders, Speck and Traeff, "Two-tree algorithms for full bandwidth
 * broadcast, reduction and scan", Parallel Computing 35 (2009), which NCCL has used since version
 * 2.4.
 * @return the parent of each rank; the root is its own parent
 */
std::vector<uint32_t> MakeBinaryTree(uint32_t ranks);

} // namespace ns3::lossless

#endif /* LOSSLESS_COLLECTIVES_H */
