// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SEND_ARBITER_H
#define LOSSLESS_SEND_ARBITER_H

#include "flow-sender.h"

#include "ns3/lossless-types.h"
#include "ns3/ring-buffer.h"
#include "ns3/transmit-gate.h"

#include <array>
#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Decides which queue pair of a NIC sends the next packet: round robin, whatever their class.
 *
 * A queue pair with a packet to send makes a request, and is granted one packet per request. Of the
 * classes that may send, the one with the oldest request, by its ticket, is granted.
 *
 * Where a selective gate stops the queue pair at the front of a round, it is parked, and others of
 * its class continue. Unpark() puts parked ones in front again, with their old tickets.
 */
class SendArbiter
{
  public:
    /// Adds a sender that has a packet to send and waits nowhere.
    void Request(FlowSender& sender);

    /// Removes a waiting sender that has nothing left to send.
    void Withdraw(FlowSender& sender);

    /// Returns the classes in which a queue pair may send; parks those in front that may not.
    PrioritySet GetEligible(const Permit& permit)
    {
        if (permit.selective)
        {
            ParkStopped(permit);
        }
        return m_requesting & permit.classes;
    }

    /// Returns the sender of the next packet, which no longer waits.
    /// @param eligible see GetEligible(); at least one class
    FlowSender& Grant(PrioritySet eligible);

    /// Handles a change of the gate: parked ones may be able to send.
    void Unpark();

    /// Classes with waiting queue pairs that are not parked.
    PrioritySet GetRequesting() const
    {
        return m_requesting;
    }

    /// Forgets all requests.
    void Clear();

  private:
    struct Turn
    {
        FlowSender* sender{nullptr}; ///< not owned
        uint64_t ticket{0};          ///< counts the requests; the smallest has waited longest
    };

    using Round = RingBuffer<Turn>;

    /// The queue pairs of a class, each part in order of tickets.
    struct ClassRound
    {
        Round waiting; ///< take turns
        Round parked;  ///< may not send; have waited longer than all of the others
    };

    ClassRound& Of(Priority priority)
    {
        return m_rounds[Index(priority)];
    }

    /// Parks all in front of the rounds that may not send.
    void ParkStopped(const Permit& permit);
    void ParkFront(Priority priority, const Permit& permit);
    Priority FindOldest(PrioritySet eligible) const;
    /// Updates a class after a queue pair has left its round.
    void UpdateRequesting(Priority priority);
    /// Prefetches the next queue pairs of a round: if many take turns, they are in no cache.
    static void PrefetchNext(const Round& waiting);
    static void Remove(Round& round, const FlowSender& sender);

    std::array<ClassRound, NUM_PRIORITIES> m_rounds; ///< by class
    PrioritySet m_requesting{0};                     ///< see GetRequesting()
    uint64_t m_nextTicket{0};                        ///< of the next request
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SEND_ARBITER_H */
