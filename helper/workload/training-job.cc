// SPDX-License-Identifier: GPL-2.0-only
#include "training-job.h"

#include "ns3/abort.h"
#include "ns3/option-text.h"
#include "ns3/quantity-text.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/predicate.hpp>
#include <numeric>

namespace ns3::lossless
{

namespace
{

/// The maximum number of ranks in a mesh.
constexpr uint64_t MAX_MESH_RANKS = 1 << 20;

/// Creates the collectives of a job, iteration by iteration.
class JobMaker
{
  public:
    JobMaker(FlowGraph& graph, const TrainingJob& job, FlowMaking making)
        : m_graph(graph),
          m_job(job),
          m_making(making)
    {
    }

    std::vector<CollectiveRun> Make()
    {
        for (uint32_t iteration = 0; iteration < m_job.iterations; ++iteration)
        {
            Compute(iteration);
            for (uint32_t place = 0; place < m_job.collectives.size(); ++place)
            {
                AddGroups(place, iteration);
            }
        }
        return std::move(m_runs);
    }

  private:
    void Compute(uint32_t iteration)
    {
        std::vector<FlowGraph::Step> done;
        for (uint32_t rank = 0; rank < m_job.hosts.size(); ++rank)
        {
            const auto late = m_job.stragglers.find(rank);
            const Time extra = late == m_job.stragglers.end() ? Time(0) : late->second;
            StepSpec spec = StepSpec::MakeComputation(m_graph.GetNSteps(),
                                                      m_job.hosts[rank],
                                                      m_job.compute + extra,
                                                      m_job.name);
            spec.flow.start = iteration == 0 ? m_job.start : Time(0);
            done.push_back(m_graph.Add(spec));
            if (iteration > 0)
            {
                m_graph.AddPredecessor(done.back(), m_done[rank], FlowGraph::Until::SENT);
            }
        }
        m_done = std::move(done);
    }

    /// Adds a collective for each group of ranks.
    /// @param place the index of the collective in the iteration
    void AddGroups(uint32_t place, uint32_t iteration)
    {
        const JobCollective& collective = m_job.collectives[place];
        std::vector<std::vector<uint32_t>> groups(1);
        if (collective.axis.empty())
        {
            groups.front().resize(m_job.hosts.size());
            std::iota(groups.front().begin(), groups.front().end(), 0);
        }
        else
        {
            groups = m_job.mesh.GetGroups(*m_job.mesh.FindAxis(collective.axis));
        }
        for (std::size_t i = 0; i < groups.size(); ++i)
        {
            CollectiveRun run;
            run.options = collective.options;
            run.job = m_job.name;
            run.group = collective.axis.empty() ? "all" : collective.axis + std::to_string(i);
            run.iteration = iteration;
            run.place = place;
            for (const uint32_t rank : groups[i])
            {
                run.hosts.push_back(m_job.hosts[rank]);
                run.entries.push_back(m_done[rank]);
                if (!m_job.seats.empty())
                {
                    run.seats.push_back(m_job.seats[rank]);
                }
            }
            AddCollective(m_graph, run, m_making);
            for (std::size_t member = 0; member < groups[i].size(); ++member)
            {
                m_done[groups[i][member]] = run.exits[member];
            }
            m_runs.push_back(std::move(run));
        }
    }

    FlowGraph& m_graph;
    const TrainingJob& m_job;
    FlowMaking m_making;
    std::vector<FlowGraph::Step> m_done; ///< latest step of each rank
    std::vector<CollectiveRun> m_runs;
};

} // namespace

std::optional<std::string>
Mesh::Parse(const std::string& text, const std::string& names, Mesh& mesh)
{
    Mesh found;
    for (const std::string& part : Split(text, 'x'))
    {
        const auto size = ParseWhole(part);
        if (!size || *size == 0 || *size > MAX_MESH_RANKS)
        {
            return "the mesh is \"" + text + "\"; it must be sizes from 1 to " +
                   std::to_string(MAX_MESH_RANKS) + ", as 8x4x4";
        }
        found.sizes.push_back(static_cast<uint32_t>(*size));
    }
    found.names = Split(names, ',');
    if (found.names.size() != found.sizes.size())
    {
        return "the mesh " + text + " has " + std::to_string(found.sizes.size()) +
               " axes, but there are " + std::to_string(found.names.size()) + " names, \"" + names +
               "\"";
    }
    for (const std::string& name : found.names)
    {
        const bool isName =
            !name.empty() && boost::algorithm::all(name, boost::algorithm::is_alpha());
        if (!isName || std::count(found.names.begin(), found.names.end(), name) > 1)
        {
            return "the names of the mesh's axes are \"" + names +
                   "\"; they must be letters, and differ, as TP,DP,PP";
        }
    }
    if (found.GetSize() > MAX_MESH_RANKS)
    {
        return "the mesh " + text + " has more than " + std::to_string(MAX_MESH_RANKS) + " ranks";
    }
    mesh = found;
    return std::nullopt;
}

uint64_t
Mesh::GetSize() const
{
    uint64_t size = 1;
    for (const uint32_t axis : sizes)
    {
        size = std::min(size * axis, MAX_MESH_RANKS + 1); // prevents overflow
    }
    return size;
}

std::optional<std::size_t>
Mesh::FindAxis(const std::string& axis) const
{
    const auto found = std::find(names.begin(), names.end(), axis);
    return found == names.end() ? std::nullopt : std::optional<std::size_t>(found - names.begin());
}

std::vector<std::vector<uint32_t>>
Mesh::GetGroups(std::size_t axis) const
{
    uint32_t stride = 1;
    for (std::size_t i = 0; i < axis; ++i)
    {
        stride *= sizes[i];
    }
    std::vector<std::vector<uint32_t>> groups;
    for (uint32_t first = 0; first < GetSize(); ++first)
    {
        if (first / stride % sizes[axis] == 0)
        {
            groups.emplace_back();
            for (uint32_t i = 0; i < sizes[axis]; ++i)
            {
                groups.back().push_back(first + i * stride);
            }
        }
    }
    return groups;
}

std::vector<uint32_t>
OrderHosts(const Topology& topology, Placement placement, int64_t stream)
{
    std::vector<uint32_t> hosts(topology.GetHosts().size());
    std::iota(hosts.begin(), hosts.end(), 0);
    if (placement == Placement::RANDOM)
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(stream);
        for (std::size_t left = hosts.size(); left > 1; --left)
        {
            std::swap(hosts[left - 1], hosts[random->GetInteger(0, left - 1)]);
        }
    }
    if (placement == Placement::RACK)
    {
        std::map<uint32_t, uint32_t> taken; // number of used hosts, by rack
        std::vector<std::pair<std::pair<uint32_t, uint32_t>, uint32_t>> order; // round, rack, host
        for (const uint32_t host : hosts)
        {
            const uint32_t rack = topology.GetRack(host);
            order.push_back({{taken[rack]++, rack}, host});
        }
        std::sort(order.begin(), order.end());
        std::transform(order.begin(), order.end(), hosts.begin(), [](const auto& entry) {
            return entry.second;
        });
    }
    return hosts;
}

std::optional<std::string>
TrainingJob::Check() const
{
    const std::string place = name.empty() ? "" : "job " + name + ": ";
    if (!mesh.sizes.empty() && mesh.GetSize() != hosts.size())
    {
        return place + "the mesh has " + std::to_string(mesh.GetSize()) + " ranks, the job " +
               std::to_string(hosts.size());
    }
    for (const JobCollective& collective : collectives)
    {
        const auto axis = mesh.FindAxis(collective.axis);
        if (!axis && !collective.axis.empty())
        {
            return place + "there is no axis \"" + collective.axis + "\" in the mesh";
        }
        const auto ranks = axis ? mesh.sizes[*axis] : static_cast<uint32_t>(hosts.size());
        if (const auto error = collective.options.Check(ranks))
        {
            return place + *error;
        }
        if (collective.options.algorithm == CollectiveAlgorithm::PXN &&
            seats.size() != hosts.size())
        {
            return place + "pxn needs servers whose GPUs are all joined to an NVSwitch, as those "
                           "of --topology=gpu-pods";
        }
    }
    if (iterations == 0)
    {
        return place + "there are 0 iterations; there must be at least 1";
    }
    for (const auto& [rank, time] : stragglers)
    {
        if (rank >= hosts.size())
        {
            return place + "rank " + std::to_string(rank) + " is to be late, but there are " +
                   std::to_string(hosts.size()) + " ranks, counted from 0";
        }
    }
    return std::nullopt;
}

std::vector<CollectiveRun>
AddJob(FlowGraph& graph, const TrainingJob& job, FlowMaking making)
{
    const auto error = job.Check();
    NS_ABORT_MSG_IF(error, "AddJob: " << *error << ".");
    return JobMaker(graph, job, making).Make();
}

} // namespace ns3::lossless
