// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HOST_FAULTS_H
#define LOSSLESS_HOST_FAULTS_H

#include "lossless-experiment.h"

#include "ns3/data-rate.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-topology.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The options `--storm` and `--slow-receiver`: hosts that are broken, or slower than their link.
 */
class HostFaults
{
  public:
    /// Adds the options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if an option is invalid or names an unknown host.
    /// @param experiment has parsed the options
    void Read(const Experiment& experiment, const Topology& topology);
    /// Stops the program if a storm would begin only after the run.
    /// @param end of the run; 0: unknown
    void RequireBefore(const Experiment& experiment, Time end) const;
    /// Reports, after the run, storms that it ended before they began.
    void TellMissed() const;
    /// Installs the faults; stops the program if a storm would stop nothing.
    /// @param fabric built from the same network, before it runs
    void Install(const Experiment& experiment, const Fabric& fabric) const;

    /// @return classes of storms
    PrioritySet GetStormClasses() const;

    /// @return whether there is a fault
    bool IsWanted() const
    {
        return !m_storms.empty() || !m_slow.empty();
    }

  private:
    /// A host that sends PAUSEs.
    struct Storm
    {
        uint32_t host;
        Priority priority;
        Time from;                 ///< start
        std::optional<Time> until; ///< end; nothing: never
    };

    /// A host that accepts frames slowly.
    struct Slow
    {
        uint32_t host;
        DataRate rate; ///< of acceptance
    };

    /// @param text one storm of the option
    void ReadStorm(const Experiment& experiment, const Topology& topology, const std::string& text);
    /// @param text one host of the option
    void ReadSlow(const Experiment& experiment, const Topology& topology, const std::string& text);

    std::string m_stormText;
    std::string m_slowText;
    std::vector<Storm> m_storms; ///< in the order of the option
    std::vector<Slow> m_slow;    ///< in the order of the option
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HOST_FAULTS_H */
