// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSES_IN_FLIGHT_H
#define LOSSLESS_PAUSES_IN_FLIGHT_H

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The bytes that the pauses of one ingress queue hold back and later release, in slots of T, the
 * delay of its link (FAFC, Sec. II-B, Algorithms 1 and 2), for predictions. Times are in T.
 *
 * A pause begins a slot if none is open. What the neighbour will not send in this slot is "next";
 * what it did not send in the previous slot, and sends now, is "old"; what a pause holds back
 * beyond the slot is "pending", and becomes "next" in the following slot. Pauses add up at the
 * neighbour, so each begins where the previous one ends; none may extend beyond the slot after the
 * open one (Sec. III-D), so that each of the three is at most what arrives in a T.
 */
class PausesInFlight
{
  public:
    /// Returns the longest pause that may follow, 0 to 1.
    /// @param left remaining time of the open slot, if any
    double GetRoom(double left) const
    {
        return std::clamp(1 - GetStart(left), 0.0, 1.0);
    }

    /// Adds a pause of the neighbour.
    /// @param arrivals bytes that it sends in a T when not paused, above 0
    /// @param pause its length, at most GetRoom()
    /// @param left remaining time of the open slot, if any
    /// @return whether a slot begins
    bool Add(double arrivals, double pause, double left)
    {
        const double start = GetStart(left);
        const double now = std::clamp(-start, 0.0, pause);
        m_end = start + pause;
        m_next += arrivals * now;
        m_pending += arrivals * (pause - now);
        return !std::exchange(m_isOpen, true);
    }

    /// Ends the slot.
    /// @return whether another one begins
    bool EndSlot()
    {
        m_end -= 1;
        m_old = std::exchange(m_next, std::exchange(m_pending, 0));
        m_isOpen = m_old > 0 || m_next > 0;
        return m_isOpen;
    }

    /// Bytes that arrive in this slot beyond the neighbour's rate; usually negative.
    double GetBalance() const
    {
        return m_old - m_next;
    }

    /// Bytes held back in the slot after the open one.
    double GetPending() const
    {
        return m_pending;
    }

  private:
    /// Returns when a further pause begins, from the end of the open slot or of its own.
    /// @param left remaining time of the open slot, if any
    double GetStart(double left) const
    {
        return m_isOpen ? std::max(m_end, -left) : -1;
    }

    bool m_isOpen{false}; ///< whether a slot is
    double m_end{0};      ///< of the latest pause, counted from the end of the open slot
    double m_old{0};      ///< bytes held back in the previous slot
    double m_next{0};     ///< bytes held back in this one
    double m_pending{0};  ///< bytes held back in the next one
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSES_IN_FLIGHT_H */
