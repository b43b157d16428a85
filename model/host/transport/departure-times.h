// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEPARTURE_TIMES_H
#define LOSSLESS_DEPARTURE_TIMES_H

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/// @ingroup lossless
/// The departure times of a flow's packets in flight, keyed by packet number. The time of a packet
/// that has been sent twice is ambiguous, because an answer can refer to either transmission (Karn
/// and Partridge 1987).
class DepartureTimes
{
  public:
    /// Records the first transmission of a packet.
    /// @param oldest the oldest packet whose time is still needed
    void Note(uint64_t oldest, uint64_t packet, Time now)
    {
        while (packet - oldest >= m_times.size())
        {
            Grow(oldest, packet);
        }
        Of(packet) = now.GetTimeStep();
    }

    /// Marks the time of a recorded packet as ambiguous, because the packet is sent again.
    void Doubt(uint64_t packet)
    {
        Of(packet) = DOUBTFUL;
    }

    /// Returns the time at which a recorded packet was sent, or no value if the time is ambiguous.
    std::optional<Time> Get(uint64_t packet) const
    {
        const Ticks time = m_times[packet & (m_times.size() - 1)];
        return time == DOUBTFUL ? std::nullopt : std::optional<Time>(TimeStep(time));
    }

  private:
    static constexpr Ticks DOUBTFUL = -1;          ///< the value that is stored in place of an
                                                   ///< ambiguous time
    static constexpr std::size_t MIN_CAPACITY = 4; ///< the initial size of the ring

    Ticks& Of(uint64_t packet)
    {
        return m_times[packet & (m_times.size() - 1)];
    }

    /// Doubles the size of the ring.
    /// @param oldest the oldest packet to keep
    /// @param end the packet after the newest packet to keep
    void Grow(uint64_t oldest, uint64_t end)
    {
        std::vector<Ticks> larger(m_times.empty() ? MIN_CAPACITY : 2 * m_times.size());
        for (uint64_t i = oldest; i < end && !m_times.empty(); ++i)
        {
            larger[i & (larger.size() - 1)] = Of(i);
        }
        m_times = std::move(larger);
    }

    std::vector<Ticks> m_times; ///< the ring, whose size is a power of two
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DEPARTURE_TIMES_H */
