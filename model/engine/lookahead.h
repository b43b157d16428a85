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
 * What a channel implements, beside ns3::Channel, whose nodes notice each other no earlier than a
 * delay, whatever is done at one of them.
 */
class LookaheadChannel
{
  public:
    virtual ~LookaheadChannel() = default;

    /// @return that delay, as long as nodes run; 0: they may notice each other at once
    virtual Time GetLookahead() const = 0;
};

/**
 * @ingroup lossless
 * How long what happens at a node stays unnoticed by the others: the lookahead of parallel
 * discrete-event simulation (Chandy and Misra, 1979), by which events of different nodes need not
 * be executed in the order of time.
 *
 * Nodes reach each other over channels. A LookaheadChannel, such as a LosslessChannel and what
 * derives from it, says how much later at least. All other kinds of channel, and cables without a
 * delay, make their nodes one group, within which events stay in the order of time.
 */
class Lookahead
{
  public:
    /// The longest, in ticks, whatever the delays of the network.
    static constexpr uint64_t LONGEST = 8192;

    /// Nodes that reach each other in no time, by their ids.
    using Pair = std::pair<uint32_t, uint32_t>;

    /// Nothing is known: no lookahead.
    Lookahead() = default;

    /// Looks at all nodes and channels that exist. @param joined nodes that are of one group, too
    explicit Lookahead(const std::vector<Pair>& joined);

    /// @return the least time from an event to its effect on a node of another group, in ticks, up
    /// to LONGEST; 0: there is no other group
    uint64_t GetTicks() const
    {
        return m_ticks;
    }

    /// @return the least delay of the cables that have one, in ticks, up to LONGEST, whichever
    /// nodes are of one group; 0: there is no such cable
    uint64_t GetLeastDelay() const
    {
        return m_leastDelay;
    }

    /// @param context id of a node, or another number of an event's context @return its group; the
    /// last one is that of all that are no nodes
    uint32_t GetGroup(uint32_t context) const
    {
        return context < m_groups.size() ? m_groups[context] : m_groups.size();
    }

    /// @return one more than the greatest number that a group may have
    std::size_t GetNGroups() const
    {
        return m_groups.size() + 1;
    }

    /// @return whether there are as many nodes and channels as when groups were made
    bool IsCurrent() const;

  private:
    uint64_t m_ticks{0};            ///< see GetTicks()
    uint64_t m_leastDelay{0};       ///< see GetLeastDelay()
    std::vector<uint32_t> m_groups; ///< by node; a group's number is the id of one of its nodes
    std::size_t m_channels{0};      ///< number of channels that were looked at
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LOOKAHEAD_H */
