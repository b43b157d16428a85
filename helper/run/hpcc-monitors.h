// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_MONITORS_H
#define LOSSLESS_HPCC_MONITORS_H

#include "lossless-experiment.h"

#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * The options `--pfc-file` and `--qlen-file`, which write pauses and queue lengths in the format of
 * the HPCC simulator (commit 9f4be2a, simulation/scratch/third.cc). Node IDs are those of the
 * topology file, and ports start at 1.
 *
 * Each line of the first file is `time node type port pause`. The time is in ns, and the type is 1
 * for a switch and 0 for a host. There is a separate line for each class. The last number is 1 if
 * the class was stopped and 0 if it may send again.
 *
 * The second file contains a block for each sample at a multiple of 100 ms and one for the last
 * sample. Each block begins with `time: ns`, followed by lines of the form `switch port n0 n1 ...`,
 * where `ni` is the number of samples so far in which the egress queues of the port held at least
 * i kB but less than i + 1 kB (1 kB = 1000 B). Unlike in the HPCC simulator, the queues include the
 * frame that is being transmitted.
 */
class HpccMonitors
{
  public:
    /// Adds the options.
    /// @param experiment the experiment, which must outlive this object
    void AddOptions(Experiment& experiment);
    /// Stops the program if the options are inconsistent.
    void Check() const;
    /// Starts the requested recordings. Call this after Fabric::AssignStreams(), which creates the
    /// gates of the switches.
    /// @param fabric the network, which must outlive the run
    void Install(Fabric& fabric);
    /// Writes the files that were requested, unless the run was interrupted.
    void Write(Experiment& experiment) const;

  private:
    /// A change of state: a class of a port was stopped or may send again.
    struct Change
    {
        Time time;
        uint32_t node{0}; ///< node ID
        bool isSwitch{false};
        uint32_t port{0}; ///< port number, from 0
        bool stops{false};
    };

    /// The numbers of samples, by queue length in kB.
    using Histogram = std::vector<uint64_t>;

    /// Records when the classes of a node's ports are stopped or may send again.
    /// @param id the node ID
    void Watch(const Node& node, uint32_t id, bool isSwitch);
    void Sample();

    /// @return true if the second file has a block at the time of the latest sample
    bool IsBlockTime() const
    {
        return m_sampled.GetNanoSeconds() % 100000000 == 0;
    }

    /// @return a block for the second file
    std::string DescribeQueues() const;

    const Experiment* m_experiment{nullptr};
    Fabric* m_fabric{nullptr};
    Time m_from{Seconds(2)};                          ///< first sample
    Time m_until{Seconds(2.1)};                       ///< last sample
    Time m_interval{NanoSeconds(100)};                ///< time between samples
    std::vector<Change> m_changes;                    ///< in order of time for each node
    std::vector<std::vector<Histogram>> m_histograms; ///< by switch and port; empty without the
                                                      ///< second file
    std::string m_blocks;                             ///< blocks of the second file so far
    Time m_sampled;                                   ///< time of the latest sample, or 0
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HPCC_MONITORS_H */
