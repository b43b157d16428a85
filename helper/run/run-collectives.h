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
 * The option `--collective` and those that go with it: jobs whose ranks compute and run
 * collectives.
 */
class RunCollectives
{
  public:
    /// @param experiment to which the options are added
    void AddOptions(Experiment& experiment);
    /// Stops the program if options make no sense together. @param experiment which has read them
    /// @param hasTrace whether there are ranks of another program's file, to which the placement
    /// belongs, too
    void Check(const Experiment& experiment, bool hasTrace);

    /// @return whether there are any
    bool IsWanted() const
    {
        return !m_collectives.empty();
    }

    /// Makes all jobs. @param experiment which stops the program @param topology the network
    /// @return their graph, not checked
    FlowGraph MakeGraph(const Experiment& experiment, const Topology& topology);

    /// @param experiment which stops the program @param topology the network @return hosts in the
    /// order in which ranks take them
    std::vector<uint32_t> OrderHosts(const Experiment& experiment, const Topology& topology) const;

    /// @return the collectives of that graph
    const std::vector<CollectiveRun>& GetRuns() const
    {
        return m_runs;
    }

  private:
    /// @param experiment which stops the program @param text of --collective, one of the list
    /// @param place in the list @return the collective
    JobCollective ReadCollective(const Experiment& experiment,
                                 const std::string& text,
                                 std::size_t place) const;
    /// Adds the options of jobs and their ranks. @param experiment to which they are added
    void AddJobOptions(Experiment& experiment);
    /// Stops the program if options of collectives and of other flows stand together.
    /// @param experiment which has parsed them @param hasTrace see Check()
    void CheckCompany(const Experiment& experiment, bool hasTrace) const;
    /// Reads --mesh and --axes. @param experiment which stops the program
    void ReadMesh(const Experiment& experiment);
    /// Reads --stragglers. @param experiment which stops the program
    void ReadStragglers(const Experiment& experiment);
    /// @param experiment which stops the program @return how ranks are put on hosts
    Placement GetPlacement(const Experiment& experiment) const;

    std::string m_collectives;                           ///< option
    std::string m_algorithms;                            ///< option; empty: the usual ones
    std::string m_sizes{"1MB"};                          ///< option
    uint32_t m_chunks{1};                                ///< option
    double m_skew{1};                                    ///< option
    Time m_stepCompute;                                  ///< option
    uint32_t m_priority{3};                              ///< option
    std::string m_meshText;                              ///< option
    std::string m_axes;                                  ///< option; empty: by the number of axes
    uint32_t m_nJobs{1};                                 ///< option
    uint32_t m_ranks{0};                                 ///< option; 0: all hosts
    std::string m_placement{"linear"};                   ///< option
    uint32_t m_iterations{1};                            ///< option
    Time m_compute;                                      ///< option
    std::string m_stragglers;                            ///< option
    std::vector<JobCollective> m_list;                   ///< see m_collectives
    Mesh m_mesh;                                         ///< see m_meshText
    std::map<uint32_t, std::map<uint32_t, Time>> m_late; ///< see m_stragglers; by job and rank
    std::vector<CollectiveRun> m_runs;                   ///< see GetRuns()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_COLLECTIVES_H */
