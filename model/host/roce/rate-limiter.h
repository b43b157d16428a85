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
 * Decides when a queue pair may send its next packet, based on the rate of its congestion control.
 *
 * The rate counts bytes on the wire: the starts of two consecutive packets are at least the first
 * one's time at this rate apart. A packet that leaves late, because the wire was busy, the class
 * paused or the window full, does not delay those after it; but at most two packets are too close
 * together.
 *
 * Queue pairs ahead of their rate are held here, in the order of the instants at which they are due
 * and, at one instant, of arrival. A single event awaits the first of them, if requested.
 */
class RateLimiter
{
  public:
    /// Sets the function called at the instant that AwaitDue() waits for.
    explicit RateLimiter(Callback<void> whenDue);
    ~RateLimiter();

    RateLimiter(const RateLimiter&) = delete;
    RateLimiter& operator=(const RateLimiter&) = delete;

    /// Sets when a sender is due again after a packet; it must have a congestion control.
    /// @param wireBytes of the packet, including overhead
    /// @param lineRate present rate of the link
    static void Charge(FlowSender& sender, uint32_t wireBytes, DataRate lineRate, Time now);

    /// Holds a sender that is ahead of its rate, and returns whether it is. The sender must have a
    /// congestion control and a packet to send, and wait nowhere.
    bool TryHold(FlowSender& sender, Time now);

    /// Returns the first sender that is due, no longer held; null if there is none.
    FlowSender* Release(Time now);

    /// Stops holding a sender.
    void Remove(FlowSender& sender);

    /// Whether none is held.
    bool IsEmpty() const
    {
        return m_heap.empty();
    }

    /// Schedules the callback for the first one held; there must be one.
    void AwaitDue();

    /// Forgets all of them.
    void Clear();

  private:
    struct Entry
    {
        Ticks due;          ///< when it may send
        uint64_t ticket;    ///< counts the entries
        FlowSender* sender; ///< not owned
    };

    static bool IsLater(const Entry& a, const Entry& b);

    Callback<void> m_whenDue;  ///< see RateLimiter()
    std::vector<Entry> m_heap; ///< first: earliest due
    uint64_t m_nextTicket{0};  ///< of the next entry
    EventId m_event;           ///< calls m_whenDue
    Ticks m_eventAt{0};        ///< its time
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RATE_LIMITER_H */
