// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEPARTURES_H
#define LOSSLESS_DEPARTURES_H

#include "ns3/lossless-types.h"
#include "ns3/ring-buffer.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The frames on the wires of a switch, at most one per port, which leave the buffer when their last
 * bit has left.
 *
 * To save an event per frame they are released late, before the next action of the switch, in order
 * of their last bits. If the instant matters (something is stopped and may resume), the switch
 * watches: each transmission then has an event at its end.
 */
class Departures
{
  public:
    /// A frame has started to leave. @param lastBit when its last bit leaves
    void Push(PortId port, Ticks lastBit)
    {
        m_onWires.Insert({lastBit, port});
    }

    /// Releases frames that have left. No effect inside another release: a callback that queries
    /// the state then gets the one between two frames.
    /// @param release called with the port and the time of each
    /// @return whether anything was released
    template <typename RELEASE>
    bool Release(Ticks now, RELEASE release)
    {
        bool hasReleased = false;
        if (m_isReleasing)
        {
            return hasReleased;
        }
        m_isReleasing = true;
        while (!m_onWires.IsEmpty() && m_onWires.Front().lastBit <= now)
        {
            const auto [lastBit, port] = m_onWires.Pop();
            release(port, lastBit);
            hasReleased = true;
        }
        m_isReleasing = false;
        return hasReleased;
    }

    /// @return whether a release is under way
    bool IsReleasing() const
    {
        return m_isReleasing;
    }

    /// Sets whether each transmission has an event at its end.
    /// @param await called with the port of each transmission that has started without one
    template <typename AWAIT>
    void Watch(bool isWatching, AWAIT await)
    {
        if (isWatching && !m_isWatching)
        {
            m_onWires.ForEach([&await](const Departure& departure) { await(departure.port); });
        }
        m_isWatching = isWatching;
    }

    /// @return whether each transmission has an event at its end
    bool IsWatching() const
    {
        return m_isWatching;
    }

    /// @return whether all wires are idle
    bool IsEmpty() const
    {
        return m_onWires.IsEmpty();
    }

    /// Removes all frames.
    void Clear()
    {
        m_onWires.Clear();
    }

  private:
    struct Departure
    {
        Ticks lastBit; ///< when it will have left
        PortId port;

        bool operator<(const Departure& other) const
        {
            return lastBit < other.lastBit;
        }
    };

    RingBuffer<Departure> m_onWires; ///< earliest first; ties in order of their starts
    bool m_isWatching{false};        ///< see IsWatching()
    bool m_isReleasing{false};       ///< see IsReleasing()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DEPARTURES_H */
