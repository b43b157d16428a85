// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEPARTURES_H
#define LOSSLESS_DEPARTURES_H

#include "ns3/lossless-types.h"
#include "ns3/ring-buffer.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Tracks the frames on the wires of a switch, at most one per port. A frame leaves the buffer when
 * its last bit has been sent.
 *
 * To save one event per frame, frames are not released until just before the next action of the
 * switch. They are released in the order in which their last bits were sent. If the exact time of a
 * release matters because a stopped neighbour may have to be resumed, the switch watches releases,
 * that is, an event is scheduled at the end of each transmission.
 */
class Departures
{
  public:
    /// Adds a frame that has started to leave.
    /// @param lastBit the departure time of the frame's last bit
    void Push(PortId port, Ticks lastBit)
    {
        m_onWires.Insert({lastBit, port});
    }

    /// Releases frames that have left. A call during another release has no effect, so a callback
    /// that queries the state obtains the state between two releases.
    /// @param release a function called with the port and the departure time of each frame
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

    /// @return whether a release is in progress
    bool IsReleasing() const
    {
        return m_isReleasing;
    }

    /// Sets whether each transmission has an event at its end.
    /// @param await a function called with the port of each transmission that has started without
    /// an event
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
        Ticks lastBit; ///< the departure time of the last bit
        PortId port;

        bool operator<(const Departure& other) const
        {
            return lastBit < other.lastBit;
        }
    };

    RingBuffer<Departure> m_onWires; ///< the frames, sorted by time and then by order of
                                     ///< transmission
    bool m_isWatching{false};        ///< see IsWatching()
    bool m_isReleasing{false};       ///< see IsReleasing()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DEPARTURES_H */
