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
 * Which hosts of a network can send to each other, over its working links. Hosts do not forward:
 * two that have only a third one in common cannot.
 */
class Reachability
{
  public:
    /// @param topology the network, which must outlive this object
    explicit Reachability(const Topology& topology);

    /// @return whether all hosts can send to each other
    bool IsWhole() const
    {
        return m_isWhole;
    }

    /// @param from host index @param to host index @return whether the one can send to the other
    bool Has(uint32_t from, uint32_t to) const;

    /// @param from host index @param to host index
    /// @return a sentence if the one cannot send to the other
    std::optional<std::string> Check(uint32_t from, uint32_t to) const;

    /// @param sources host indices @param destinations host indices
    /// @return a sentence if one of the first cannot send to one of the others
    std::optional<std::string> Check(const std::vector<uint32_t>& sources,
                                     const std::vector<uint32_t>& destinations) const;

  private:
    /// @return by host index, the sorted parts of the network that it has a working link to
    std::vector<std::vector<uint32_t>> FindParts() const;
    /// @return whether there is a part that all hosts have a link to
    bool HaveOnePart() const;

    const Topology& m_topology;
    std::vector<std::vector<uint32_t>> m_parts; ///< see FindParts()
    bool m_isWhole;                             ///< see IsWhole()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REACHABILITY_H */
