// SPDX-License-Identifier: GPL-2.0-only
#include "run-collectives.h"

#include "run-workload.h"

#include "ns3/lossless-workload.h"
#include "ns3/named-choices.h"
#include "ns3/option-text.h"
#include "ns3/quantity-text.h"

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <boost/range/adaptor/map.hpp>

namespace ns3::lossless
{

namespace
{

/// @param parts the entries of an option, either one per collective or a single one for all
/// @param place the index of the collective
/// @return the entry for this collective
const std::string&
GetPart(const std::vector<std::string>& parts, std::size_t place)
{
    return parts.size() == 1 ? parts.front() : parts.at(place);
}

/// The options that have an effect only with `--collective`, except that `--placement` also applies
/// to traces.
const std::vector<std::string> COLLECTIVE_OPTIONS{"algorithm",
                                                  "size",
                                                  "chunks",
                                                  "step-compute",
                                                  "skew",
                                                  "collective-class",
                                                  "mesh",
                                                  "axes",
                                                  "jobs",
                                                  "ranks",
                                                  "placement",
                                                  "iterations",
                                                  "compute",
                                                  "stragglers"};

} // namespace

void
RunCollectives::AddOptions(Experiment& experiment)
{
    experiment.AddValue(
        "collective",
        "Collectives that each rank runs one after another, in place of other flows: " +
            ListNames(GetCollectives()) +
            "; NAME/AXIS runs one in the groups of an axis of --mesh; several, separated by "
            "commas.",
        m_collectives);
    experiment.AddValue(
        "algorithm",
        "Algorithms of the collectives: ring, bidirectional-ring, tree, halving-doubling, direct, "
        "staged, pxn or chain; one for all or one for each; empty: the usual ones.",
        m_algorithms);
    experiment.AddValue(
        "size",
        "Buffer sizes of the collectives, as counted by nccl-tests; one for all, except that "
        "messages of a barrier have 1 B, or one for each.",
        m_sizes);
    experiment.AddValue("chunks",
                        "Number of parts of a buffer, which follow each other.",
                        m_chunks,
                        Range{1, 1 << 16});
    experiment.AddValue("step-compute",
                        "Compute time of a host before each message of a collective.",
                        m_stepCompute,
                        Range{0});
    experiment.AddValue("skew",
                        "alltoallv: exponent of the Zipf law of the bytes that receivers get.",
                        m_skew,
                        Range{0, 10});
    experiment.AddValue("collective-class",
                        "Class of the flows of collectives.",
                        m_priority,
                        Range{0, 7});
    AddJobOptions(experiment);
}

void
RunCollectives::AddJobOptions(Experiment& experiment)
{
    experiment.AddValue("mesh", "Ranks of a job as a mesh, such as 8x4x4.", m_meshText);
    experiment.AddValue("axes",
                        "Names of the axes of --mesh; empty: the first of TP,DP,PP,EP.",
                        m_axes);
    experiment.AddValue("jobs", "Jobs that run side by side.", m_nJobs, Range{1, 1 << 20});
    experiment.AddValue(
        "ranks",
        "Ranks of each job; 0: those of --mesh or, without it, all hosts, shared by the jobs.",
        m_ranks,
        Range{0, 1 << 20});
    experiment.AddValue("placement",
                        "Hosts of the ranks, also for files of --flows with ranks: linear (in "
                        "order), random or rack (each on the next rack).",
                        m_placement);
    experiment.AddValue("iterations",
                        "How often each job computes and runs its collectives.",
                        m_iterations,
                        Range{1, 1 << 20});
    experiment.AddValue("compute",
                        "Compute time of each rank at the start of each iteration.",
                        m_compute,
                        Range{0});
    experiment.AddValue("stragglers",
                        "Ranks that compute longer in each iteration: RANK@10us, or JOB.RANK@10us "
                        "for one job; several, separated by commas.",
                        m_stragglers);
}

void
RunCollectives::CheckCompany(const Experiment& experiment, bool hasTrace) const
{
    for (const std::string& option : COLLECTIVE_OPTIONS)
    {
        const bool isPlacement = option == "placement";
        experiment.RequireUse({option},
                              IsWanted() || (hasTrace && isPlacement),
                              isPlacement ? "--collective, and for files of --flows that have ranks"
                                          : "--collective");
    }
    const std::string purpose = "other flows than those of --collective; leave one out";
    experiment.RequireUse({"flows"}, !IsWanted(), purpose);
    experiment.RequireUse(RANDOM_FLOW_OPTIONS, !IsWanted(), purpose);
}

void
RunCollectives::Check(const Experiment& experiment, bool hasTrace)
{
    CheckCompany(experiment, hasTrace);
    if (!IsWanted())
    {
        return;
    }
    ReadMesh(experiment);
    const std::vector<std::string> names = Split(m_collectives, ',');
    for (const auto& [option, text] : {std::pair("algorithm", m_algorithms), {"size", m_sizes}})
    {
        const std::size_t parts = Split(text, ',').size();
        experiment.Require(parts == 1 || parts == names.size(),
                           std::string("--") + option + " has " + std::to_string(parts) +
                               " entries, --collective " + std::to_string(names.size()) +
                               "; write one for all or one for each");
    }
    for (std::size_t place = 0; place < names.size(); ++place)
    {
        m_list.push_back(ReadCollective(experiment, names[place], place));
    }
    const auto isSkewed = [](const JobCollective& collective) {
        return collective.options.kind == CollectiveKind::ALL_TO_ALL_V;
    };
    experiment.RequireUse({"skew"},
                          std::any_of(m_list.begin(), m_list.end(), isSkewed),
                          "alltoallv");
    GetPlacement(experiment);
    ReadStragglers(experiment);
}

void
RunCollectives::ReadMesh(const Experiment& experiment)
{
    if (!m_meshText.empty())
    {
        const auto axes =
            static_cast<std::size_t>(std::count(m_meshText.begin(), m_meshText.end(), 'x') + 1);
        const std::vector<std::string> usual{"TP", "DP", "PP", "EP"};
        const std::vector<std::string> first(
            usual.begin(),
            usual.begin() + static_cast<std::ptrdiff_t>(std::min(axes, usual.size())));
        std::string names = m_axes;
        for (std::size_t i = 0; i < first.size() && m_axes.empty(); ++i)
        {
            names += (i > 0 ? "," : "") + first[i];
        }
        experiment.RequireFit(Mesh::Parse(m_meshText, names, m_mesh), "--mesh: ");
    }
    experiment.Require(!m_meshText.empty() || m_axes.empty(), "--axes is for --mesh");
}

JobCollective
RunCollectives::ReadCollective(const Experiment& experiment,
                               const std::string& text,
                               std::size_t place) const
{
    const std::size_t slash = text.find('/');
    const std::string name = text.substr(0, slash);
    const auto& all = GetCollectives();
    const auto found = FindByName(all, name);
    experiment.Require(found.has_value(),
                       "--collective has \"" + name + "\"; it must be one of " + ListNames(all));
    JobCollective collective;
    collective.options.kind = found->kind;
    collective.axis = slash == std::string::npos ? "" : text.substr(slash + 1);
    experiment.Require(slash == std::string::npos || m_mesh.FindAxis(collective.axis),
                       "--collective has the axis \"" + collective.axis + "\"; " +
                           (m_mesh.names.empty() ? "axes are those of --mesh"
                                                 : "it must be one of " +
                                                       boost::algorithm::join(m_mesh.names, ", ")));
    const std::string algorithm = GetPart(Split(m_algorithms, ','), place);
    const auto& algorithms = found->algorithms;
    const auto chosen = std::find_if(algorithms.begin(), algorithms.end(), [&](const auto& entry) {
        return algorithm.empty() || FoldName(entry.first) == FoldName(algorithm);
    });
    experiment.Require(chosen != algorithms.end(),
                       "--algorithm has \"" + algorithm + "\"; of " + name + " it must be one of " +
                           boost::algorithm::join(algorithms | boost::adaptors::map_keys, ", "));
    collective.options.algorithm = chosen->second;
    const std::string size = GetPart(Split(m_sizes, ','), place);
    const auto bytes = ParseBytes(size);
    experiment.Require(bytes && *bytes > 0,
                       "--size has \"" + size +
                           "\"; it must be a whole number of bytes above 0, as 65536 or 64MB");
    // A barrier carries no data, unless the list of sizes has an entry for it.
    const bool isEmpty = found->kind == CollectiveKind::BARRIER &&
                         !(experiment.IsGiven("size") &&
                           Split(m_sizes, ',').size() == Split(m_collectives, ',').size());
    collective.options.bytes = isEmpty ? EMPTY_FLOW_BYTES : *bytes;
    collective.options.chunks = m_chunks;
    collective.options.stepCompute = m_stepCompute;
    collective.options.skew = m_skew;
    collective.options.priority = static_cast<uint8_t>(m_priority);
    return collective;
}

void
RunCollectives::ReadStragglers(const Experiment& experiment)
{
    for (const std::string& part : SplitList(m_stragglers))
    {
        const std::size_t at = part.find('@');
        const std::size_t dot = part.substr(0, at).find('.');
        const bool hasJob = dot != std::string::npos;
        const auto job = hasJob ? ParseWhole(part.substr(0, dot)) : std::optional<uint64_t>(0);
        const auto rank =
            ParseWhole(hasJob ? part.substr(dot + 1, at - dot - 1) : part.substr(0, at));
        const auto time = at == std::string::npos ? std::nullopt : ParseDelay(part.substr(at + 1));
        experiment.Require(job && rank && time && *job < m_nJobs && *rank < (1 << 20),
                           "--stragglers has \"" + part +
                               "\"; it must be RANK@TIME or JOB.RANK@TIME, as 3@10us, with jobs "
                               "and ranks counted from 0");
        for (uint32_t i = 0; i < m_nJobs; ++i)
        {
            const bool isNew = (hasJob && i != *job) ||
                               m_late[i].emplace(static_cast<uint32_t>(*rank), *time).second;
            experiment.Require(isNew, "--stragglers names the rank of \"" + part + "\" twice");
        }
    }
}

Placement
RunCollectives::GetPlacement(const Experiment& experiment) const
{
    experiment.Require(m_placement == "linear" || m_placement == "random" || m_placement == "rack",
                       "--placement is \"" + m_placement + "\"; it must be linear, random or rack");
    return m_placement == "linear"   ? Placement::LINEAR
           : m_placement == "random" ? Placement::RANDOM
                                     : Placement::RACK;
}

std::vector<uint32_t>
RunCollectives::OrderHosts(const Experiment& experiment, const Topology& topology) const
{
    return lossless::OrderHosts(topology, GetPlacement(experiment), WORKLOAD_STREAM);
}

FlowGraph
RunCollectives::MakeGraph(const Experiment& experiment, const Topology& topology, FlowMaking making)
{
    m_runs.clear();
    const std::vector<uint32_t> hosts = OrderHosts(experiment, topology);
    const uint64_t ofMesh = m_mesh.sizes.empty() ? hosts.size() / m_nJobs : m_mesh.GetSize();
    const uint64_t ranks = m_ranks > 0 ? m_ranks : ofMesh;
    experiment.Require(ranks * m_nJobs <= hosts.size(),
                       std::to_string(m_nJobs) + (m_nJobs == 1 ? " job" : " jobs") + " of " +
                           std::to_string(ranks) + " ranks need " +
                           std::to_string(ranks * m_nJobs) + " hosts; the network has " +
                           std::to_string(hosts.size()));
    const std::vector<GpuSeat> seats = FindGpuSeats(topology);
    FlowGraph graph;
    for (uint32_t i = 0; i < m_nJobs; ++i)
    {
        TrainingJob job;
        job.name = "job" + std::to_string(i);
        const auto first = hosts.begin() + static_cast<std::ptrdiff_t>(i * ranks);
        job.hosts.assign(first, first + static_cast<std::ptrdiff_t>(ranks));
        for (std::size_t rank = 0; rank < ranks && !seats.empty(); ++rank)
        {
            job.seats.push_back(seats[job.hosts[rank]]);
        }
        job.mesh = m_mesh;
        job.collectives = m_list;
        job.iterations = m_iterations;
        job.compute = m_compute;
        job.stragglers = m_late[i];
        experiment.RequireFit(job.Check(), "--collective and --size: ");
        for (CollectiveRun& run : AddJob(graph, job, making))
        {
            m_runs.push_back(std::move(run));
        }
    }
    return graph;
}

} // namespace ns3::lossless
