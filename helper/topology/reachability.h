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
 * Paths between hosts over working links. Hosts do not forward: two hosts that are only connected
 * through a third one have no path.
 */
class Reachability
{
  public:
    /// @param topology must outlive this object
    explicit Reachability(const Topology& topology);

    /// @return whether all hosts can send to each other
    bool IsWhole() const
    {
        return m_isWhole;
    }

    /// @param from host index
    /// @param to host index
    /// @return whether there is a path
    bool Has(uint32_t from, uint32_t to) const;

    /// @param from host index
    /// @param to host index
    /// @return a sentence if there is no path
    std::optional<std::string> Check(uint32_t from, uint32_t to) const;

    /// @param sources host indices
    /// @param destinations host indices
    /// @return a sentence if one of the sources has no path to one of the destinations
    std::optional<std::string> Check(const std::vector<uint32_t>& sources,
                                     const std::vector<uint32_t>& destinations) const;

  private:
    /// @return by host index, the sorted parts of the network to which it has a working link
    std::vector<std::vector<uint32_t>> FindParts() const;
    /// @return whether all hosts have a link to a common part
    bool HaveOnePart() const;

    const Topology& m_topology;
    std::vector<std::vector<uint32_t>> m_parts;
    bool m_isWhole;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REACHABILITY_H */
