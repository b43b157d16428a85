// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRAINING_JOB_H
#define LOSSLESS_TRAINING_JOB_H

#include "collectives.h"

#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// A mesh of ranks: rank = c0 + d0 (c1 + d1 (c2 + ...)), where c0, c1, ... are the coordinates and
/// d0, d1, ... are the sizes of the axes. Ranks whose coordinates differ only by 1 along the first
/// axis have consecutive numbers.
struct Mesh
{
    std::vector<uint32_t> sizes;    ///< sizes of the axes, at least 1; empty if there is no mesh
    std::vector<std::string> names; ///< names of the axes, such as TP

    /// @param text the sizes, such as "8x4x4"
    /// @param names the names of the axes, separated by commas
    /// @return the error, or nothing
    static std::optional<std::string> Parse(const std::string& text,
                                            const std::string& names,
                                            Mesh& mesh);

    /// @return the number of ranks; 1 without axes
    uint64_t GetSize() const;

    /// @return the index of the axis, or nothing if there is no axis with this name
    std::optional<std::size_t> FindAxis(const std::string& axis) const;

    /// @param axis the index of an axis
    /// @return the groups of ranks that differ only along the axis, in the order of their first
    /// ranks; the ranks of a group are in the order of the axis
    std::vector<std::vector<uint32_t>> GetGroups(std::size_t axis) const;
};

/// The placement of ranks on hosts.
enum class Placement : uint8_t
{
    LINEAR, ///< in the order of the hosts
    RANDOM, ///< in random order
    RACK,   ///< one host of each rack in turn
};

/// Places one rank on each host.
/// @param stream the random stream for RANDOM
/// @return the indices of all hosts, in the order of the ranks
std::vector<uint32_t> OrderHosts(const Topology& topology, Placement placement, int64_t stream);

/// A collective that a job runs in each iteration.
struct JobCollective
{
    CollectiveOptions options; ///< kind, algorithm and size
    /// The axis of the mesh whose groups run the collective; empty for all ranks together.
    std::string axis;
};

/// A training job. In each iteration, all ranks compute and then run one collective after another.
/// A rank proceeds as soon as its own part is done.
struct TrainingJob
{
    std::string name;                       ///< label of the job
    std::vector<uint32_t> hosts;            ///< host indices, by rank
    std::vector<GpuSeat> seats;             ///< seats of the hosts, by rank; for PXN
    Mesh mesh;                              ///< mesh of the ranks; may have no axes
    std::vector<JobCollective> collectives; ///< collectives of each iteration
    uint32_t iterations{1};                 ///< number of iterations, at least 1
    Time start;                             ///< start of the first iteration
    Time compute;                           ///< computation of each rank in each iteration
    std::map<uint32_t, Time> stragglers;    ///< additional computation, by rank

    /// @return the first error, or nothing
    std::optional<std::string> Check() const;
};

/// Adds a job to a graph. Stops the program if the job is invalid.
/// @param graph the graph, whose IDs must be the numbers of its steps
/// @return the job's collectives, ordered by iteration, then as in TrainingJob::collectives, and
/// then by group
std::vector<CollectiveRun> AddJob(FlowGraph& graph,
                                  const TrainingJob& job,
                                  FlowMaking making = FlowMaking::LISTED);

} // namespace ns3::lossless

#endif /* LOSSLESS_TRAINING_JOB_H */
