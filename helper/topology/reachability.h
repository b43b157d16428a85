// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_REACHABILITY_H
#define LOSSLESS_REACHABILITY_H

#include "lossless-topology.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Determines whether there are paths between hosts over working links. Hosts do not forward, so two
 * hosts that are connected only through a third host have no path; LetHostsForward() changes that.
 */
class Reachability
{
  public:
    /// @param topology the network, which must outlive this object
    explicit Reachability(const Topology& topology);

    /// @return true if all hosts can send to each other
    bool IsWhole() const
    {
        return m_isWhole;
    }

    /// @param from the host index of the source
    /// @param to the host index of the destination
    /// @return true if there is a path
    bool Has(uint32_t from, uint32_t to) const;

    /// @param from the host index of the source
    /// @param to the host index of the destination
    /// @return an error message that names the hosts that would have to forward, or nothing if
    /// there is a path
    std::optional<std::string> Check(uint32_t from, uint32_t to) const;

    /// @param sources the host indices of the sources
    /// @param destinations the host indices of the destinations
    /// @return an error message if one of the sources has no path to one of the destinations
    std::optional<std::string> Check(const std::vector<uint32_t>& sources,
                                     const std::vector<uint32_t>& destinations) const;

  private:
    /// @return for each host, the sorted list of network parts to which it has a working link. A
    /// part is a connected set of switches or a cable between two hosts.
    std::vector<std::vector<uint32_t>> FindParts() const;
    /// @return true if all hosts have a link to the same network part
    bool HaveOnePart() const;
    /// @return the names of the hosts that would have to forward on a shortest path; empty if there
    /// is no path even if hosts forward
    std::string NameRelays(uint32_t from, uint32_t to) const;

    const Topology& m_topology;
    std::vector<std::vector<uint32_t>> m_parts;
    bool m_isWhole;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REACHABILITY_H */
