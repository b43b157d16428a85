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

/// A mesh of ranks: rank = c0 + d0 (c1 + d1 (c2 + ...)), so that ranks which differ only in the
/// first coordinate have adjacent numbers.
struct Mesh
{
    std::vector<uint32_t> sizes;    ///< per axis, at least 1; empty: no mesh
    std::vector<std::string> names; ///< per axis, such as TP

    /// @param text sizes such as "8x4x4"
    /// @param names of the axes, separated by commas
    /// @return the error, or nothing
    static std::optional<std::string> Parse(const std::string& text,
                                            const std::string& names,
                                            Mesh& mesh);

    /// @return number of ranks; 1 without axes
    uint64_t GetSize() const;

    /// @return index of the axis, or nothing
    std::optional<std::size_t> FindAxis(const std::string& axis) const;

    /// @param axis index of an axis
    /// @return groups of ranks that differ only along it, in the order of their first ranks; each
    /// in the order of the axis
    std::vector<std::vector<uint32_t>> GetGroups(std::size_t axis) const;
};

/// Placement of ranks on hosts.
enum class Placement : uint8_t
{
    LINEAR, ///< in the order of the hosts
    RANDOM, ///< at random
    RACK,   ///< each on the next rack: a host of the next switch with hosts
};

/// Places ranks on hosts, one on each.
/// @param stream random stream, for RANDOM
/// @return all hosts, by index, in the order of the ranks
std::vector<uint32_t> OrderHosts(const Topology& topology, Placement placement, int64_t stream);

/// A collective of each iteration of a job.
struct JobCollective
{
    CollectiveOptions options; ///< kind, algorithm and size
    std::string axis;          ///< of the mesh, whose groups run it; empty: all ranks together
};

/// A job: in each iteration all ranks compute, and then run collectives one after the other. A rank
/// proceeds as soon as it is done itself.
struct TrainingJob
{
    std::string name;                       ///< label
    std::vector<uint32_t> hosts;            ///< by rank: host index
    Mesh mesh;                              ///< of the ranks; may have no axes
    std::vector<JobCollective> collectives; ///< per iteration
    uint32_t iterations{1};                 ///< at least 1
    Time start;                             ///< of the first iteration
    Time compute;                           ///< of each rank in each iteration
    std::map<uint32_t, Time> stragglers;    ///< by rank: additional computation

    /// @return the first error, or nothing
    std::optional<std::string> Check() const;
};

/// Adds a job to a graph; an invalid one stops the program.
/// @param graph its ids are the numbers of steps
/// @return its collectives, in the order of iterations, of TrainingJob::collectives and of groups
std::vector<CollectiveRun> AddJob(FlowGraph& graph,
                                  const TrainingJob& job,
                                  FlowMaking making = FlowMaking::LISTED);

} // namespace ns3::lossless

#endif /* LOSSLESS_TRAINING_JOB_H */
