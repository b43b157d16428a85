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

/**
 * A mesh of ranks: rank = c0 + d0 (c1 + d1 (c2 + ...)), so that ranks which differ in the first
 * coordinate only are neighbours in number.
 */
struct Mesh
{
    std::vector<uint32_t> sizes;    ///< of the axes, each at least 1; empty: no mesh
    std::vector<std::string> names; ///< of the axes, as TP

    /// @param text sizes as "8x4x4" @param names of the axes, separated by commas
    /// @param [out] mesh the mesh @return what is wrong, or nothing
    static std::optional<std::string> Parse(const std::string& text,
                                            const std::string& names,
                                            Mesh& mesh);

    /// @return number of ranks; 1 without axes
    uint64_t GetSize() const;

    /// @param axis name of an axis @return its place, or nothing
    std::optional<std::size_t> FindAxis(const std::string& axis) const;

    /// @param axis place of an axis @return groups of ranks that differ along it only, in the order
    /// of their first ranks; each in the order of the axis
    std::vector<std::vector<uint32_t>> GetGroups(std::size_t axis) const;
};

/// How ranks are put on hosts.
enum class Placement : uint8_t
{
    LINEAR, ///< in the order of the hosts
    RANDOM, ///< at random
    RACK,   ///< each on the next rack, that is on a host of the next switch of hosts
};

/**
 * Puts ranks on hosts, one on each.
 * @param topology the network
 * @param placement how
 * @param stream random stream, for RANDOM
 * @return all hosts, by index, in the order in which ranks take them
 */
std::vector<uint32_t> OrderHosts(const Topology& topology, Placement placement, int64_t stream);

/// A collective of each iteration of a job.
struct JobCollective
{
    CollectiveOptions options; ///< what and how
    std::string axis; ///< of the mesh, in whose groups it is run; empty: all ranks together
};

/**
 * A job: in each iteration all ranks compute, and then run collectives one after the other. A rank
 * goes on to the next one as soon as it is done itself.
 */
struct TrainingJob
{
    std::string name;                       ///< label
    std::vector<uint32_t> hosts;            ///< by rank: host index
    Mesh mesh;                              ///< of the ranks; without axes: there is none
    std::vector<JobCollective> collectives; ///< of each iteration
    uint32_t iterations{1};                 ///< at least 1
    Time start;                             ///< of the first
    Time compute;                           ///< of each rank in each iteration
    std::map<uint32_t, Time> stragglers;    ///< by rank: what it computes besides

    /// @return what is wrong, or nothing
    std::optional<std::string> Check() const;
};

/**
 * Adds a job to a graph; one that is wrong stops the program.
 * @param graph to add to, whose ids are the numbers of steps
 * @param job the job
 * @return its collectives, in the order of iterations, of TrainingJob::collectives and of groups
 */
std::vector<CollectiveRun> AddJob(FlowGraph& graph, const TrainingJob& job);

} // namespace ns3::lossless

#endif /* LOSSLESS_TRAINING_JOB_H */
