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
 * An optional interface of an ns3::Channel over which an action of one node affects another node
 * only after a minimum delay.
 */
class LookaheadChannel
{
  public:
    virtual ~LookaheadChannel() = default;

    /// @return the minimum delay while the simulation runs, or 0 if nodes can affect each other
    /// immediately
    virtual Time GetLookahead() const = 0;
};

/**
 * @ingroup lossless
 * The time during which an event at a node cannot affect other nodes. In parallel discrete-event
 * simulation, this time is called lookahead (Chandy and Misra, 1979). It allows the events of
 * different nodes to be executed out of time order.
 *
 * Nodes affect each other over channels. A LookaheadChannel, such as LosslessChannel, has a minimum
 * delay. Nodes that are connected by any other channel, or by a cable with no delay, belong to the
 * same group. The events of a group are executed in time order.
 */
class Lookahead
{
  public:
    /// The upper bound on the lookahead, in ticks, regardless of the network's delays.
    static constexpr uint64_t LONGEST = 8192;

    /// The IDs of two nodes that affect each other without a delay.
    using Pair = std::pair<uint32_t, uint32_t>;

    /// Creates an object whose lookahead is zero.
    Lookahead() = default;

    /// Examines all existing nodes and channels.
    /// @param joined additional pairs of nodes; both nodes of a pair belong to the same group
    explicit Lookahead(const std::vector<Pair>& joined);

    /// @return the minimum time, in ticks, from an event to its effect on a node of another group,
    /// at most LONGEST, or 0 if no cable connects two groups
    uint64_t GetTicks() const
    {
        return m_ticks;
    }

    /// @return the minimum non-zero delay of all cables, including cables within groups, in ticks,
    /// at most LONGEST, or 0 if no cable has a delay
    uint64_t GetLeastDelay() const
    {
        return m_leastDelay;
    }

    /// @param context the ID of a node, or another context of an event
    /// @return the group of the context; all contexts that are not IDs of nodes share the last
    /// group
    uint32_t GetGroup(uint32_t context) const
    {
        return context < m_groups.size() ? m_groups[context] : m_groups.size();
    }

    /// @return one more than the largest possible group number
    std::size_t GetNGroups() const
    {
        return m_groups.size() + 1;
    }

    /// @return whether the numbers of nodes and channels are the same as at construction
    bool IsCurrent() const;

  private:
    uint64_t m_ticks{0};            ///< see GetTicks()
    uint64_t m_leastDelay{0};       ///< see GetLeastDelay()
    std::vector<uint32_t> m_groups; ///< the group of each node; a group's number is the ID of one
                                    ///< of its nodes
    std::size_t m_channels{0};      ///< the number of channels at construction
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LOOKAHEAD_H */
