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
 * Determines when a queue pair can send its next packet, based on the rate that the congestion
 * control has set.
 *
 * The rate counts bytes on the wire. The time between the starts of two consecutive packets is
 * normally at least the transmission time of the first packet at this rate. If a packet is sent
 * late because the wire is busy, the class is paused or the window is full, subsequent packets are
 * not delayed accordingly. At most two consecutive packets are then closer together than the rate
 * permits.
 *
 * Queue pairs that are ahead of their rate are held in order of their due times or, if these are
 * equal, in order of arrival. On request, a single event is scheduled for the first queue pair.
 */
class RateLimiter
{
  public:
    /// Creates a limiter that calls the given function at the time requested by AwaitDue().
    explicit RateLimiter(Callback<void> whenDue);
    ~RateLimiter();

    RateLimiter(const RateLimiter&) = delete;
    RateLimiter& operator=(const RateLimiter&) = delete;

    /// Sets the time at which a sender that has just sent a packet is due again. The sender must
    /// have a congestion control.
    /// @param wireBytes the size of the packet, including overhead
    /// @param lineRate the current rate of the link
    static void Charge(FlowSender& sender, uint32_t wireBytes, DataRate lineRate, Time now);

    /// Holds a sender if it is ahead of its rate. Returns whether it is held. The sender must have
    /// a congestion control and a packet to send, and must not be waiting.
    bool TryHold(FlowSender& sender, Time now);

    /// Releases and returns the first sender that is due. Returns null if no sender is due.
    FlowSender* Release(Time now);

    /// Removes a held sender, which need not be due.
    void Remove(FlowSender& sender);

    /// Returns true if no sender is held.
    bool IsEmpty() const
    {
        return m_heap.empty();
    }

    /// Schedules the callback for the first sender. At least one sender must be held.
    void AwaitDue();

    /// Removes all senders.
    void Clear();

  private:
    struct Entry
    {
        Ticks due;          ///< the time at which the sender is due
        uint64_t ticket;    ///< the sequence number of the entry, which orders entries that are due
                            ///< at the same time
        FlowSender* sender; ///< the waiting sender; not owned
    };

    static bool IsLater(const Entry& a, const Entry& b);

    Callback<void> m_whenDue;  ///< the function to call when a sender is due
    std::vector<Entry> m_heap; ///< a heap; the first entry is due earliest
    uint64_t m_nextTicket{0};  ///< the ticket of the next entry
    EventId m_event;           ///< the pending event that calls m_whenDue
    Ticks m_eventAt{0};        ///< the time of the event
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RATE_LIMITER_H */
