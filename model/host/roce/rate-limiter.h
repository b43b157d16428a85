// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RATE_LIMITER_H
#define LOSSLESS_RATE_LIMITER_H

#include "flow-sender.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * When a queue pair of a NIC may send its next packet, by the rate of its congestion control.
 *
 * The rate counts bytes on the wire: the start of a packet and that of the next one are at least
 * its time at this rate apart. A packet that left late, since the wire was busy, the class paused
 * or the window full, does not delay those behind it, but two packets at most go closer together
 * than the rate says.
 *
 * Queue pairs ahead of their rate are held here, in the order of the instants at which they are
 * due and, at one instant, in the order in which they came. One event awaits the first of them, if
 * asked for.
 */
class RateLimiter
{
  public:
    /// @param whenDue called at the instant that AwaitDue() waits for
    explicit RateLimiter(Callback<void> whenDue);
    ~RateLimiter();

    RateLimiter(const RateLimiter&) = delete;
    RateLimiter& operator=(const RateLimiter&) = delete;

    /**
     * A queue pair sends a packet: sets when the next one is due.
     * @param sender it; it has a congestion control
     * @param wireBytes of the packet, overhead included
     * @param lineRate rate of the link now
     * @param now the time
     */
    static void Charge(FlowSender& sender, uint32_t wireBytes, DataRate lineRate, Time now);

    /// @param sender has a congestion control and a packet to send, and waits nowhere
    /// @param now the time @return whether it is ahead of its rate, and held from now on
    bool TryHold(FlowSender& sender, Time now);

    /// @param now the time @return one that is due, the first one, which is not held any more; null
    /// if there is none
    FlowSender* Release(Time now);

    /// @param sender a queue pair that is not held any more
    void Remove(FlowSender& sender);

    /// @return whether none is held
    bool IsEmpty() const
    {
        return m_heap.empty();
    }

    /// Sees to it that somebody is told when the first one is due; one must be held.
    void AwaitDue();

    /// Forgets all of them.
    void Clear();

  private:
    /// One that is held.
    struct Entry
    {
        Ticks due;          ///< when it may send
        uint64_t ticket;    ///< counts the entries
        FlowSender* sender; ///< who, not owned
    };

    /// @param a an entry @param b another @return whether the first one's turn comes later
    static bool IsLater(const Entry& a, const Entry& b);

    Callback<void> m_whenDue;  ///< see RateLimiter()
    std::vector<Entry> m_heap; ///< first: who is due first
    uint64_t m_nextTicket{0};  ///< of the next entry
    EventId m_event;           ///< calls m_whenDue
    Ticks m_eventAt{0};        ///< time of that
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RATE_LIMITER_H */
