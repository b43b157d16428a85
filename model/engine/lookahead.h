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
 * Interface of a channel, in addition to ns3::Channel, over which an action of one node reaches
 * another one only after a minimum delay.
 */
class LookaheadChannel
{
  public:
    virtual ~LookaheadChannel() = default;

    /// @return the minimum delay while nodes run; 0 if they may reach each other at once
    virtual Time GetLookahead() const = 0;
};

/**
 * @ingroup lossless
 * How long an event at a node cannot affect other nodes: the lookahead of parallel discrete-event
 * simulation (Chandy and Misra, 1979). It permits events of different nodes to be executed out of
 * time order.
 *
 * Nodes reach each other over channels. A LookaheadChannel, such as LosslessChannel, has a minimum
 * delay. All other channels, and cables without a delay, join their nodes into one group, within
 * which events stay in time order.
 */
class Lookahead
{
  public:
    /// Upper bound in ticks, whatever the delays of the network.
    static constexpr uint64_t LONGEST = 8192;

    /// Ids of nodes that reach each other without a delay.
    using Pair = std::pair<uint32_t, uint32_t>;

    /// No lookahead.
    Lookahead() = default;

    /// Examines all existing nodes and channels.
    /// @param joined further pairs of nodes of the same group
    explicit Lookahead(const std::vector<Pair>& joined);

    /// @return the minimum time from an event to its effect on a node of another group, in ticks,
    /// up to LONGEST; 0 if there is no other group
    uint64_t GetTicks() const
    {
        return m_ticks;
    }

    /// @return the minimum non-zero delay of all cables in ticks, up to LONGEST, also within
    /// groups; 0 if there is none
    uint64_t GetLeastDelay() const
    {
        return m_leastDelay;
    }

    /// @param context id of a node, or another context of an event
    /// @return its group; the last one is for everything that is not a node
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
    std::vector<uint32_t> m_groups; ///< by node; a group is numbered by the id of one of its nodes
    std::size_t m_channels{0};      ///< number of channels examined
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LOOKAHEAD_H */
