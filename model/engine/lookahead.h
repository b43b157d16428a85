// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOOKAHEAD_H
#define LOSSLESS_LOOKAHEAD_H

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * An additional interface for an ns3::Channel over which an action of one node reaches another node
 * only after a minimum delay.
 */
class LookaheadChannel
{
  public:
    virtual ~LookaheadChannel() = default;

    /// @return the minimum delay while nodes run, 0 if they can reach each other immediately
    virtual Time GetLookahead() const = 0;
};

/**
 * @ingroup lossless
 * The time for which an event at a node cannot affect other nodes, which is the lookahead of
 * parallel discrete-event simulation (Chandy and Misra, 1979). It permits executing events of
 * different nodes out of time order.
 *
 * Nodes reach each other over channels. A LookaheadChannel, such as LosslessChannel, has a minimum
 * delay. Any other channel, and any cable without a delay, puts its nodes in one group, whose
 * events are executed in time order.
 */
class Lookahead
{
  public:
    /// The upper bound in ticks, regardless of the network's delays.
    static constexpr uint64_t LONGEST = 8192;

    /// The ids of two nodes that reach each other without a delay.
    using Pair = std::pair<uint32_t, uint32_t>;

    /// Creates an object with a lookahead of zero.
    Lookahead() = default;

    /// Examines all existing nodes and channels.
    /// @param joined further pairs of nodes to be put in the same group
    explicit Lookahead(const std::vector<Pair>& joined);

    /// @return the minimum time, in ticks, from an event to its effect on a node of another group,
    /// at most LONGEST; 0 if there is no other group
    uint64_t GetTicks() const
    {
        return m_ticks;
    }

    /// @return the minimum non-zero delay of all cables in ticks, including cables within groups,
    /// at most LONGEST; 0 if there is none
    uint64_t GetLeastDelay() const
    {
        return m_leastDelay;
    }

    /// @param context the id of a node, or another context of an event
    /// @return the group of the context; the last group is for all contexts that are not nodes
    uint32_t GetGroup(uint32_t context) const
    {
        return context < m_groups.size() ? m_groups[context] : m_groups.size();
    }

    /// @return one more than the largest possible group number
    std::size_t GetNGroups() const
    {
        return m_groups.size() + 1;
    }

    /// @return whether the numbers of nodes and channels are unchanged since construction
    bool IsCurrent() const;

  private:
    uint64_t m_ticks{0};            ///< see GetTicks()
    uint64_t m_leastDelay{0};       ///< see GetLeastDelay()
    std::vector<uint32_t> m_groups; ///< the groups by node, numbered by the id of a member
    std::size_t m_channels{0};      ///< the number of channels examined
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LOOKAHEAD_H */
