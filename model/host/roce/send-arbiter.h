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
 * Which queue pair of a NIC sends the next packet: round robin over all of them, whatever their
 * class.
 *
 * A queue pair with a packet to send requests, and is granted one packet per request. Each request
 * has a ticket, and of the classes that may send, the one whose first queue pair has the oldest
 * ticket is granted.
 *
 * Where a selective gate stops the queue pair at the front of a round, it is parked beside the
 * round, and others of its class go on. Unpark() puts those parked before the others again, with
 * the tickets that they had.
 */
class SendArbiter
{
  public:
    /// @param sender has a packet to send, and waits nowhere
    void Request(FlowSender& sender);

    /// @param sender waits here, and has nothing to send any more
    void Withdraw(FlowSender& sender);

    /// @param permit what may leave; queue pairs in front which may not are parked
    /// @return the classes of it in which somebody may send
    PrioritySet GetEligible(const Permit& permit)
    {
        if (permit.selective)
        {
            ParkStopped(permit);
        }
        return m_requesting & permit.classes;
    }

    /// @param eligible see GetEligible(); at least one class
    /// @return who sends a packet now, and does not wait any more
    FlowSender& Grant(PrioritySet eligible);

    /// The gate has changed: those parked may be able to send.
    void Unpark();

    /// @return classes in which somebody waits who is not parked
    PrioritySet GetRequesting() const
    {
        return m_requesting;
    }

    /// Forgets all requests.
    void Clear();

  private:
    /// A request.
    struct Turn
    {
        FlowSender* sender{nullptr}; ///< whose, not owned
        uint64_t ticket{0};          ///< counts the requests; the smallest has waited longest
    };

    using Round = RingBuffer<Turn>;

    /// The queue pairs of a class, each part by ticket.
    struct ClassRound
    {
        Round waiting; ///< take turns
        Round parked;  ///< may not send; have waited longer than all of the others
    };

    /// @param priority a class @return its queue pairs
    ClassRound& Of(Priority priority)
    {
        return m_rounds[Index(priority)];
    }

    /// Parks all in front of the rounds who may not send. @param permit what may leave
    void ParkStopped(const Permit& permit);
    /// Parks those of a class. @param priority the class @param permit what may leave
    void ParkFront(Priority priority, const Permit& permit);
    /// @param eligible classes @return the one of them that has waited longest
    Priority FindOldest(PrioritySet eligible) const;
    /// Somebody has left a round. @param priority its class
    void UpdateRequesting(Priority priority);
    /// Brings the next queue pairs of a round into the processor's caches: where many take turns,
    /// they are in none. @param waiting the round
    static void PrefetchNext(const Round& waiting);
    /// @param round a round @param sender who is taken out of it, if there
    static void Remove(Round& round, const FlowSender& sender);

    std::array<ClassRound, NUM_PRIORITIES> m_rounds; ///< by class
    PrioritySet m_requesting{0};                     ///< see GetRequesting()
    uint64_t m_nextTicket{0};                        ///< of the next request
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SEND_ARBITER_H */
