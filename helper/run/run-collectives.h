// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_COLLECTIVES_H
#define LOSSLESS_RUN_COLLECTIVES_H

#include "lossless-experiment.h"

#include "ns3/flow-graph.h"
#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"
#include "ns3/training-job.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The option `--collective` and related options, for jobs whose ranks compute and run collectives.
 */
class RunCollectives
{
  public:
    /// Adds the options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if options are inconsistent.
    /// @param experiment the experiment, which has parsed the options
    /// @param hasTrace true if another program's trace specifies ranks, to which the placement also
    /// applies
    void Check(const Experiment& experiment, bool hasTrace);

    /// @return true if there are collectives
    bool IsWanted() const
    {
        return !m_collectives.empty();
    }

    /// Creates all jobs.
    /// @return the graph of the jobs, which has not been checked yet
    FlowGraph MakeGraph(const Experiment& experiment, const Topology& topology, FlowMaking making);

    /// @return the indices of hosts, in the order of the ranks placed on them
    std::vector<uint32_t> OrderHosts(const Experiment& experiment, const Topology& topology) const;

    /// @return the collectives in the graph
    const std::vector<CollectiveRun>& GetRuns() const
    {
        return m_runs;
    }

  private:
    /// @param text one entry of `--collective`
    /// @param place the index of the entry
    JobCollective ReadCollective(const Experiment& experiment,
                                 const std::string& text,
                                 std::size_t place) const;
    /// Adds the options for jobs and their ranks.
    void AddJobOptions(Experiment& experiment);
    /// Stops the program if options for collectives are given without `--collective` or are
    /// combined with those for other flows.
    /// @param hasTrace see Check()
    void CheckCompany(const Experiment& experiment, bool hasTrace) const;
    /// Reads the options `--mesh` and `--axes`.
    void ReadMesh(const Experiment& experiment);
    /// Reads the option `--stragglers`.
    void ReadStragglers(const Experiment& experiment);
    /// @return the placement of ranks on hosts
    Placement GetPlacement(const Experiment& experiment) const;

    std::string m_collectives;
    std::string m_algorithms; ///< empty for the defaults
    std::string m_sizes{"1MB"};
    uint32_t m_chunks{1};
    double m_skew{1};
    Time m_stepCompute;
    uint32_t m_priority{3};
    std::string m_meshText;
    std::string m_axes; ///< names of the axes; empty for the default names
    uint32_t m_nJobs{1};
    uint32_t m_ranks{0}; ///< number of ranks per job, or 0 for the size of the mesh or, without a
                         ///< mesh, an equal share of the hosts
    std::string m_placement{"linear"};
    uint32_t m_iterations{1};
    Time m_compute;
    std::string m_stragglers;
    std::vector<JobCollective> m_list; ///< parsed from m_collectives
    Mesh m_mesh;                       ///< parsed from m_meshText
    /// The additional computation by job and rank, parsed from m_stragglers.
    std::map<uint32_t, std::map<uint32_t, Time>> m_late;
    std::vector<CollectiveRun> m_runs;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_COLLECTIVES_H */
