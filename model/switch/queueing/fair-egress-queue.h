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
 * A queue that serves the ingress ports of its frames fairly. It has a FIFO queue for each port.
 * Among the ports with frames, it uses deficit round robin (Shreedhar and Varghese, SIGCOMM 1995),
 * which in this class counts bytes and gives the ports equal weights.
 *
 * In its turn, a port is credited with the quantum Q and sends frames as long as the credit covers
 * the next frame. The remaining credit, which is less than the size of that frame, is kept for the
 * port's next turn or is lost if the port has no more frames. FAFC (Sec. IV) uses weighted fair
 * queueing of ports instead. Deficit round robin takes O(1) time per frame if Q is at least the
 * size M of the largest frame and no flow is stopped; otherwise, it takes O(ports). It counts whole
 * bytes and needs no clock. If all frames have the same size and Q is a multiple of this size, both
 * disciplines amount to round robin. The disadvantage of deficit round robin is that a port can lag
 * further behind another. A frame counts as Frame::size bytes, without FCS, preamble and gap.
 *
 * For two ports that have frames throughout an interval of any length, and with any Q, the lag is
 * bounded by
 *
 *     |S(i) - S(j)| <= Q + 2 M - 2
 *
 * where S is the number of bytes that a port sends. Proof: Consider the credit of a port, minus Q
 * while the port has the turn. This value is at most M - 1. It is at least 0 outside the turn and
 * at least -Q during the turn. Let d be the value at the start of the interval, d' the value at its
 * end, and e the number of the port's turns that end in the interval. Then S(i) = e(i) Q + d(i) -
 * d'(i), so
 *
 *     S(i) - S(j) = (e(i) - e(j)) Q + d(i) - d'(i) + d'(j) - d(j)
 *
 * where d(i) + d'(j) <= 2 (M - 1), -d(j) <= Q if j has the turn at the start, and -d'(i) <= Q if i
 * has the turn at the end; otherwise, these two terms are at most 0. Turns alternate, so |e(i) -
 * e(j)| <= 1. If e(i) - e(j) = 1, turns of i end first and last, so j does not have the turn at the
 * start, and i does not have it at the end; only Q remains. If e(i) - e(j) = 0, at most one of the
 * two conditions holds, so the sum is again at most Q. If both hold, turns of j end first and last,
 * so e(i) - e(j) = -1, and the sum is at most -Q + 2 Q = Q. A test attains the bound.
 *
 * If individual flows are stopped (see Prepare()), a port whose first frame cannot be sent is
 * skipped. It keeps its credit and receives new credit only after it has used up the old credit. It
 * can thus catch up by at most the rest of one turn. For two ports whose first frames can be sent
 * throughout an interval, the lag is then less than 2 Q + 2 M, because one of them can begin the
 * interval with the rest of a turn that was cut short.
 */
class FairEgressQueue : public EgressQueue
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    void Enqueue(SwitchItem&& item) override;
    const SwitchItem* Peek() override;

    /// Selects a frame to send: the first frame of the current port if it can be sent, otherwise
    /// the first frame of another port. Peek() returns this frame until Dequeue() or the next
    /// Prepare(). No other state changes.
    /// @return whether there is such a frame
    bool Prepare(const Permit& permit) override;

    SwitchItem Dequeue() override;
    bool IsEmpty() const override;
    void ForEach(const ItemVisitor& visitor) const override;
    std::vector<SwitchItem> TakeAll() override;

  protected:
    /// Adds a frame. This function is for subclasses whose queues are not those of ingress ports.
    /// @param port a small number that is used in place of the port's index
    void Append(std::size_t port, SwitchItem&& item);

    /// @param port the index; see Append()
    /// @return the first frame of the port, or null if there is none
    const SwitchItem* PeekAt(std::size_t port) const;

  private:
    static constexpr std::size_t NONE = SIZE_MAX;

    /// The frames of one ingress port. Ports with frames form a ring in order of their turns.
    struct Ingress
    {
        RingBuffer<SwitchItem> items; ///< the frames in order of arrival
        uint64_t credit{0};           ///< the number of bytes that the port can send before its
                                      ///< next turn
        std::size_t next{0};          ///< the next port in the ring
        std::size_t previous{0};      ///< the previous port in the ring
        bool mayLeave{false};         ///< whether the port's first frame can be sent; set by
                                      ///< FindTurn()
    };

    struct Turn
    {
        std::size_t port{NONE};
        uint64_t rounds{0}; ///< the number of rounds until the port has credit for a frame
    };

    /// Adds a port to the end of the ring when it receives its first frame.
    void Link(std::size_t port);
    /// Removes a port without frames from the ring.
    void Unlink(std::size_t port);

    /// @param permit the classes and frames that can be sent; null if all can be sent
    /// @return the port that can send after the fewest rounds, or the first of several such ports
    /// after m_turn; if there is none, the member `port` is `NONE`
    Turn FindTurn(const Permit* permit);
    /// Gives the turn to a port. For the rounds that precede this turn, also credits the ports that
    /// can send.
    /// @param turn the result of FindTurn()
    void Take(const Turn& turn);

    uint32_t m_quantum{0};          ///< the number of bytes credited to a port in its turn
    std::vector<Ingress> m_ingress; ///< the frames of each ingress port
    std::size_t m_turn{NONE};       ///< the current port, whose credit covers its first frame
    Turn m_chosen;                  ///< the turn selected by Prepare(); its `port` can be NONE
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAIR_EGRESS_QUEUE_H */
