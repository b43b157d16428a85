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

/**
 * @ingroup lossless
 * When the packets of a flow left that are under way, by number. One that was sent twice is in
 * doubt, as an answer may be to either sending (Karn and Partridge 1987).
 */
class DepartureTimes
{
  public:
    /// @param oldest packet that is asked for from now on @param packet that leaves, and has not
    /// left before @param now the time
    void Note(uint64_t oldest, uint64_t packet, Time now)
    {
        while (packet - oldest >= m_times.size())
        {
            Grow(oldest, packet);
        }
        Of(packet) = now.GetTimeStep();
    }

    /// @param packet that was noted, and leaves again
    void Doubt(uint64_t packet)
    {
        Of(packet) = DOUBTFUL;
    }

    /// @param packet that was noted @return when it left; nothing if that is in doubt
    std::optional<Time> Get(uint64_t packet) const
    {
        const Ticks time = m_times[packet & (m_times.size() - 1)];
        return time == DOUBTFUL ? std::nullopt : std::optional<Time>(TimeStep(time));
    }

    /// @return bytes of memory that it has allocated
    uint64_t GetMemory() const
    {
        return m_times.size() * sizeof(Ticks);
    }

  private:
    static constexpr Ticks DOUBTFUL = -1;          ///< instead of a time
    static constexpr std::size_t MIN_CAPACITY = 4; ///< of the first ring

    /// @param packet a number @return where its time is
    Ticks& Of(uint64_t packet)
    {
        return m_times[packet & (m_times.size() - 1)];
    }

    /// Doubles the ring. @param oldest packet that is kept @param end behind the newest that is
    void Grow(uint64_t oldest, uint64_t end)
    {
        std::vector<Ticks> larger(m_times.empty() ? MIN_CAPACITY : 2 * m_times.size());
        for (uint64_t i = oldest; i < end && !m_times.empty(); ++i)
        {
            larger[i & (larger.size() - 1)] = Of(i);
        }
        m_times = std::move(larger);
    }

    std::vector<Ticks> m_times; ///< a ring, a power of two long
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DEPARTURE_TIMES_H */
