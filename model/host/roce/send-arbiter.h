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
 * Determines which queue pair of a NIC sends the next packet. Queue pairs are served in round-robin
 * order, regardless of their class.
 *
 * A queue pair with a packet to send makes a request, and each request is granted one packet. Among
 * the classes that can send, the class with the oldest request is served. Tickets record the order
 * of requests.
 *
 * If a selective gate stops the queue pair at the front of a round, the queue pair is parked, and
 * other queue pairs of its class continue. Unpark() moves parked queue pairs back to the front with
 * their old tickets.
 */
class SendArbiter
{
  public:
    /// Adds a sender that has a packet to send and is not waiting.
    void Request(FlowSender& sender);

    /// Removes a waiting sender that has nothing left to send.
    void Withdraw(FlowSender& sender);

    /// Parks the stopped queue pairs at the front of each round. Returns the classes in which a
    /// queue pair can send.
    PrioritySet GetEligible(const Permit& permit)
    {
        if (permit.selective)
        {
            ParkStopped(permit);
        }
        return m_requesting & permit.classes;
    }

    /// Returns the sender of the next packet and removes it from the waiting senders.
    /// @param eligible the classes from GetEligible(), at least one
    FlowSender& Grant(PrioritySet eligible);

    /// Handles a change of the gate. Parked queue pairs may then be able to send.
    void Unpark();

    /// Returns the classes with waiting queue pairs that are not parked.
    PrioritySet GetRequesting() const
    {
        return m_requesting;
    }

    /// Removes all requests.
    void Clear();

  private:
    struct Turn
    {
        FlowSender* sender{nullptr}; ///< the waiting sender; not owned
        uint64_t ticket{0};          ///< the sequence number of the request
    };

    using Round = RingBuffer<Turn>;

    /// The queue pairs of a class. Both rings are sorted by ticket.
    struct ClassRound
    {
        Round waiting; ///< the queue pairs that take turns
        Round parked;  ///< the queue pairs that cannot send; their tickets are older than those of
                       ///< all waiting queue pairs
    };

    ClassRound& Of(Priority priority)
    {
        return m_rounds[Index(priority)];
    }

    /// Parks the stopped queue pairs at the front of each round.
    void ParkStopped(const Permit& permit);
    void ParkFront(Priority priority, const Permit& permit);
    Priority FindOldest(PrioritySet eligible) const;
    /// Updates a class after a queue pair has left its round.
    void UpdateRequesting(Priority priority);
    /// Prefetches the next queue pairs of a round, which are unlikely to be in a cache if there are
    /// many queue pairs.
    static void Prefetch(const Round& waiting);
    static void Remove(Round& round, const FlowSender& sender);

    std::array<ClassRound, NUM_PRIORITIES> m_rounds; ///< the queue pairs, indexed by class
    PrioritySet m_requesting{0};                     ///< see GetRequesting()
    uint64_t m_nextTicket{0};                        ///< the ticket of the next request
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SEND_ARBITER_H */
