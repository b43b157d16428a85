// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSES_IN_FLIGHT_H
#define LOSSLESS_PAUSES_IN_FLIGHT_H

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The bytes that the pauses of one ingress queue hold back, and that come when they are over, in
 * slots of T, the delay of its link (FAFC, Sec. II-B, Algorithms 1 and 2): what a prediction has to
 * take off and to add. Times are in T.
 *
 * A slot begins with a pause if none is open. What the neighbour is not going to send in it is
 * "next", and what it did not send in the slot before, and sends now, is "old". What a pause holds
 * back beyond the slot is "pending", and becomes "next" with the slot behind. Pauses add up at the
 * neighbour, so each begins where the one before ends; none may reach beyond the slot behind the
 * open one (Sec. III-D), so that each of the three is at most what comes in a T.
 */
class PausesInFlight
{
  public:
    /// @param left of the open slot, if there is one @return the longest pause that may follow,
    /// from 0 to 1
    double GetRoom(double left) const
    {
        return std::clamp(1 - GetStart(left), 0.0, 1.0);
    }

    /**
     * The neighbour is paused.
     * @param arrivals bytes that it sends in a T when it is not, above 0
     * @param pause how long, at most GetRoom()
     * @param left of the open slot, if there is one
     * @return whether a slot begins
     */
    bool Add(double arrivals, double pause, double left)
    {
        const double start = GetStart(left);
        const double now = std::clamp(-start, 0.0, pause);
        m_end = start + pause;
        m_next += arrivals * now;
        m_pending += arrivals * (pause - now);
        return !std::exchange(m_isOpen, true);
    }

    /// The slot is over. @return whether another one begins
    bool EndSlot()
    {
        m_end -= 1;
        m_old = std::exchange(m_next, std::exchange(m_pending, 0));
        m_isOpen = m_old > 0 || m_next > 0;
        return m_isOpen;
    }

    /// @return bytes that come in this slot beyond what the neighbour's rate says; mostly negative
    double GetBalance() const
    {
        return m_old - m_next;
    }

    /// @return bytes that are held back in the slot behind the open one
    double GetPending() const
    {
        return m_pending;
    }

  private:
    /// @param left of the open slot, if there is one @return when a further pause begins, counted
    /// from the end of the open slot or of the one that begins with it
    double GetStart(double left) const
    {
        return m_isOpen ? std::max(m_end, -left) : -1;
    }

    bool m_isOpen{false}; ///< a slot is
    double m_end{0};      ///< of the latest pause, counted from the end of the open slot
    double m_old{0};      ///< bytes held back in the slot before
    double m_next{0};     ///< bytes held back in this one
    double m_pending{0};  ///< bytes held back in the one behind
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSES_IN_FLIGHT_H */
