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
 * Serves the ingress ports of its frames fairly: a FIFO queue for each, and deficit round robin in
 * bytes among those with frames, with equal weights (Shreedhar and Varghese, SIGCOMM 1995).
 *
 * In its turn a port is credited the quantum Q and sends while its credit covers its first frame.
 * The remainder, less than that frame, is kept for its next turn, or lost if the port runs empty.
 * FAFC (Sec. IV) uses weighted fair queueing of ports instead. Deficit round robin costs O(1) per
 * frame if Q is at least the largest frame M and no flow is stopped, and otherwise O(ports); it
 * counts whole bytes and needs no clock. For frames of one size, with Q a multiple of it, both are
 * a round robin. The price is a larger lag. Bytes are those of Frame::size, without FCS, preamble
 * and gap.
 *
 * Lag: for two ports with frames throughout an interval, of any length and with any Q,
 *
 *     |S(i) - S(j)| <= Q + 2 M - 2
 *
 * for the bytes S that they send. Proof: let d be the credit of a port, minus the Q of its turn
 * while it has the turn. It is at most M - 1, at least 0 outside the turn and at least -Q in it.
 * With e turns of i that end in the interval, d at its start and d' at its end, S(i) = e(i) Q +
 * d(i) - d'(i), so
 *
 *     S(i) - S(j) = (e(i) - e(j)) Q + d(i) - d'(i) + d'(j) - d(j)
 *
 * where d(i) + d'(j) <= 2 (M - 1), -d(j) <= Q if j has the turn at the start and -d'(i) <= Q if i
 * has it at the end; otherwise they are at most 0. Turns alternate, so |e(i) - e(j)| <= 1. If
 * e(i) - e(j) = 1, turns of i end first and last, so neither j has the turn at the start nor i at
 * the end: Q remains. If it is 0, at most one of both holds: Q again. If both hold, turns of j end
 * first and last, and it is -1: -Q + 2 Q. A test attains the bound.
 *
 * If single flows are stopped (Prepare()), a port whose first frame may not leave is skipped. It
 * keeps its credit and gets no new one before that is used, so a stopped port catches up on at most
 * the rest of one turn. Between two ports whose first frames may leave throughout an interval, the
 * lag is then less than 2 Q + 2 M: one of them may begin with the rest of a turn that was cut
 * short.
 */
class FairEgressQueue : public EgressQueue
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void Enqueue(SwitchItem&& item) override;
    const SwitchItem* Peek() override;

    /// Until Dequeue() or the next call, Peek() then returns the first frame of the first port in
    /// turn whose first frame may leave; nothing else changes.
    /// @return whether there is one
    bool Prepare(const Permit& permit) override;

    SwitchItem Dequeue() override;
    bool IsEmpty() const override;
    void ForEach(const ItemVisitor& visitor) const override;
    std::vector<SwitchItem> TakeAll() override;

  protected:
    /// For a structure that serves something other than ingress ports in this way.
    /// @param port small index of what replaces the port
    void Append(std::size_t port, SwitchItem&& item);

    /// @param port see Append()
    /// @return its first frame; null if there is none
    const SwitchItem* PeekAt(std::size_t port) const;

  private:
    static constexpr std::size_t NONE = SIZE_MAX;

    /// The frames of one ingress port. Ports with frames form a ring in order of their turns.
    struct Ingress
    {
        RingBuffer<SwitchItem> items; ///< in order of arrival
        uint64_t credit{0};           ///< bytes that it may send before its next turn
        std::size_t next{0};          ///< in the ring
        std::size_t previous{0};      ///< in the ring
        bool mayLeave{false};         ///< its first frame, as of the last FindTurn()
    };

    struct Turn
    {
        std::size_t port{NONE};
        uint64_t rounds{0}; ///< until it has credit for a frame
    };

    /// Adds a port to the end of the ring when it gets frames.
    void Link(std::size_t port);
    /// Removes a port without frames from the ring.
    void Unlink(std::size_t port);

    /// @param permit what may leave; null: all
    /// @return the next port behind m_turn that can send; its `port` is `NONE` if there is none
    Turn FindTurn(const Permit* permit);
    /// Gives the turn to a port, and the credits of the rounds until then to the ports that may
    /// send.
    /// @param turn from FindTurn()
    void Take(const Turn& turn);

    uint32_t m_quantum{0};          ///< bytes credited to a port in its turn
    std::vector<Ingress> m_ingress; ///< by port
    std::size_t m_turn{NONE};       ///< current port; its credit covers its first frame
    Turn m_chosen;                  ///< by Prepare() instead of m_turn; its `port` may be NONE
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAIR_EGRESS_QUEUE_H */
