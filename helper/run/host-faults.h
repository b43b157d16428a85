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
 * The options `--storm` and `--slow-receiver`: hosts that are broken, or too slow for their link.
 */
class HostFaults
{
  public:
    /// @param experiment to which the options are added
    void AddOptions(Experiment& experiment);
    /// Stops the program if an option cannot be read, or there is no such host.
    /// @param experiment which has read them @param topology the network
    void Read(const Experiment& experiment, const Topology& topology);
    /// Stops the program if a storm would begin only after the run.
    /// @param experiment which does it @param end of the run; 0: not known
    void RequireBefore(const Experiment& experiment, Time end) const;
    /// Says on standard error, after the run, which storms it ended before.
    void TellMissed() const;
    /// Puts them on the hosts. @param experiment which stops the program if a storm would stop
    /// nothing @param fabric built from that network, before it runs
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
        uint32_t host;             ///< host index
        Priority priority;         ///< class
        Time from;                 ///< when it begins
        std::optional<Time> until; ///< when it ends; nothing: never
    };

    /// A host that takes frames slowly.
    struct Slow
    {
        uint32_t host; ///< host index
        DataRate rate; ///< at which it takes them
    };

    /// Reads a storm. @param experiment which stops the program @param topology the network
    /// @param text as the option has it
    void ReadStorm(const Experiment& experiment, const Topology& topology, const std::string& text);
    /// Reads a slow host. @param experiment which stops the program @param topology the network
    /// @param text as the option has it
    void ReadSlow(const Experiment& experiment, const Topology& topology, const std::string& text);

    std::string m_stormText;     ///< option
    std::string m_slowText;      ///< option
    std::vector<Storm> m_storms; ///< in the order of the option
    std::vector<Slow> m_slow;    ///< in the order of the option
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HOST_FAULTS_H */
