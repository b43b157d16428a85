// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSES_IN_FLIGHT_H
#define LOSSLESS_PAUSES_IN_FLIGHT_H

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Predicts the numbers of bytes that the pauses of one ingress queue hold back and later release in
 * each slot (FAFC, Sec. II-B, Algorithms 1 and 2). The length of a slot is T, the delay of the
 * queue's link. Times are in units of T.
 *
 * A pause opens a slot if none is open. In the open slot, the neighbour holds back the "next" bytes
 * and sends the "old" bytes, which it held back in the previous slot. A pause that extends beyond
 * the slot holds back "pending" bytes, which become "next" in the following slot. Pauses add up at
 * the neighbour, so each one begins where the previous one ends. A pause must not extend beyond the
 * slot after the open one (Sec. III-D), so each of the three values is at most the number of bytes
 * that arrive in T.
 */
class PausesInFlight
{
  public:
    /// Returns the longest pause that can be added, 0 to 1.
    /// @param left the remaining time of the open slot, if any
    double GetRoom(double left) const
    {
        return std::clamp(1 - GetStart(left), 0.0, 1.0);
    }

    /// Adds a pause for the neighbour.
    /// @param arrivals the number of bytes that the neighbour sends in T when it is not paused,
    /// above 0
    /// @param pause the duration of the pause, at most GetRoom()
    /// @param left the remaining time of the open slot, if any
    /// @return whether the pause opens a slot
    bool Add(double arrivals, double pause, double left)
    {
        const double start = GetStart(left);
        const double now = std::clamp(-start, 0.0, pause);
        m_end = start + pause;
        m_next += arrivals * now;
        m_pending += arrivals * (pause - now);
        return !std::exchange(m_isOpen, true);
    }

    /// Ends the open slot.
    /// @return whether another slot follows
    bool EndSlot()
    {
        m_end -= 1;
        m_old = std::exchange(m_next, std::exchange(m_pending, 0));
        m_isOpen = m_old > 0 || m_next > 0;
        return m_isOpen;
    }

    /// Returns the number of additional bytes that arrive in the open slot because of pauses. The
    /// result is negative if more bytes are held back than released.
    double GetBalance() const
    {
        return m_old - m_next;
    }

    /// Returns the number of bytes held back in the slot after the open one.
    double GetPending() const
    {
        return m_pending;
    }

  private:
    /// Returns the time at which an additional pause would begin, relative to the end of the open
    /// slot or of the slot that the pause opens.
    /// @param left the remaining time of the open slot, if any
    double GetStart(double left) const
    {
        return m_isOpen ? std::max(m_end, -left) : -1;
    }

    bool m_isOpen{false}; ///< whether a slot is open
    double m_end{0};      ///< the end of the latest pause, relative to the end of the open slot
    double m_old{0};      ///< the number of bytes held back in the previous slot
    double m_next{0};     ///< the number of bytes held back in the open slot
    double m_pending{0};  ///< the number of bytes held back in the next slot
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSES_IN_FLIGHT_H */
