// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAIR_EGRESS_QUEUE_H
#define LOSSLESS_FAIR_EGRESS_QUEUE_H

#include "egress-queue.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Serves the ingress ports of its frames fairly: first in, first out for each of them, and deficit
 * round robin in bytes among those with frames, with equal weights (Shreedhar and Varghese,
 * SIGCOMM 1995).
 *
 * In its turn a port is credited the quantum Q and sends while its credit covers its first frame.
 * What is left, less than that frame, it has in its next turn, and loses if it runs empty. FAFC
 * (Sec. IV) has weighted fair queueing of ports here. This costs O(1) a frame if Q is at least
 * the largest frame M and no flow is stopped, and otherwise O(ports); it counts whole bytes and
 * needs no clock; for frames of one size with Q a multiple of it, both are a round robin. The price
 * is a larger lag. Bytes are those of Frame::size, without FCS, preamble and gap.
 *
 * Lag: of two ports which have frames all through an interval, of any length and with any Q,
 *
 *     |S(i) - S(j)| <= Q + 2 M - 2
 *
 * for the bytes S that they send. Proof: be d the credit of a port, less the Q of its turn while it
 * has the turn. It is at most M - 1, at least 0 out of the turn and at least -Q in it. With e turns
 * of i that end in the interval, d at its start and d' at its end, S(i) = e(i) Q + d(i) - d'(i), so
 *
 *     S(i) - S(j) = (e(i) - e(j)) Q + d(i) - d'(i) + d'(j) - d(j)
 *
 * where d(i) + d'(j) <= 2 (M - 1), -d(j) <= Q if j has the turn at the start and -d'(i) <= Q if i
 * has it at the end; otherwise they are at most 0. Turns alternate, so |e(i) - e(j)| <= 1. If it is
 * i's that ends first and last, j has not the turn at the start, nor i at the end: Q remains. If
 * as many end, one of both at most is so: Q again. And if both are, j's ends first and last: -Q
 * + 2 Q. The bound is attained; a test does so.
 *
 * Where single flows are stopped (Prepare()), a port whose first frame may not leave is passed
 * over. It keeps the credit that it has, and is not credited again before that is used, so that
 * whoever was stopped catches up on the rest of one turn at most. Between two ports whose first
 * frames may leave all through an interval, the lag is then less than 2 Q + 2 M: one of them may
 * begin with the rest of a turn that was cut short.
 */
class FairEgressQueue : public EgressQueue
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void Enqueue(SwitchItem&& item) override;
    const SwitchItem* Peek() override;

    /**
     * Peek() then shows the first frame of the first port in turn whose first frame may leave,
     * until Dequeue() or until this is called again; nothing else changes.
     * @param permit what may leave
     * @return whether there is one
     */
    bool Prepare(const Permit& permit) override;

    SwitchItem Dequeue() override;
    bool IsEmpty() const override;
    void ForEach(const ItemVisitor& visitor) const override;
    std::vector<SwitchItem> TakeAll() override;

  protected:
    /// For a structure that serves something else than ingress ports in this way: it takes their
    /// place. @param port index of what it is, a small number @param item a frame of it
    void Append(std::size_t port, SwitchItem&& item);

    /// @param port index of what takes the place of ports @return its first frame; null: none
    const SwitchItem* PeekAt(std::size_t port) const;

  private:
    /// No port.
    static constexpr std::size_t NONE = SIZE_MAX;

    /// The frames of one ingress port. Those with frames form a ring, in the order of their turns.
    struct Ingress
    {
        RingBuffer<SwitchItem> items; ///< in the order of arrival
        uint64_t credit{0};           ///< bytes it may send before its next turn
        std::size_t next{0};          ///< in the ring
        std::size_t previous{0};      ///< in the ring
        bool mayLeave{false};         ///< its first frame, when FindTurn() came by
    };

    /// A turn to come.
    struct Turn
    {
        std::size_t port{NONE}; ///< whose
        uint64_t rounds{0};     ///< how often it comes round until it has credit for a frame
    };

    /// Puts a port that has frames again at the end of the ring. @param port its index
    void Link(std::size_t port);
    /// Takes a port that has no frames any more out of the ring. @param port its index
    void Unlink(std::size_t port);

    /// @param permit what may leave; null: all
    /// @return who is able to send next after m_turn; its `port` is NONE if nobody may
    Turn FindTurn(const Permit* permit);
    /// Gives the turn to a port, and the credits of the rounds until then to those who may send.
    /// @param turn found by FindTurn()
    void Take(const Turn& turn);

    uint32_t m_quantum{0};          ///< bytes a port is credited in its turn
    std::vector<Ingress> m_ingress; ///< by port
    std::size_t m_turn{NONE};       ///< whose turn it is; its credit covers its first frame
    Turn m_chosen;                  ///< by Prepare() instead of m_turn; its `port` may be NONE
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAIR_EGRESS_QUEUE_H */
