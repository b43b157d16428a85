// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RELIABILITY_H
#define LOSSLESS_RELIABILITY_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3::lossless
{

template <typename BASE>
struct PartOf; // part-registry.h

/// Packets of a flow that may be in flight: sequence numbers stay comparable modulo 2^24.
inline constexpr uint64_t MAX_OUTSTANDING = (1U << 23) - 1;

/// An answer of the receiver, in packets of the flow, counted from 0.
struct PacketAnswer
{
    /// What it reports besides `arrived`.
    enum class Kind : uint8_t
    {
        ACK,     ///< no loss that the receiver knows of
        NAK,     ///< packet `arrived` is missing although a later one has arrived
        TRIMMED, ///< packet `trigger` arrived without its payload: it is certainly lost
    };

    Kind kind{Kind::ACK}; ///< see Kind
    int64_t arrived{0};   ///< all packets before this one have arrived
    int64_t trigger{0};   ///< the packet that is answered; `arrived` - 1 if unknown
    int64_t base{0};      ///< packet of bit 0 of `bitmap`; at least `arrived`
    uint64_t bitmap{0};   ///< bit i: packet `base` + i has arrived; 0: no information
};

/// What an answer has changed at the sender.
struct AnswerEffect
{
    uint64_t newPackets{0};        ///< packets newly reported as arrived
    uint64_t newLost{0};           ///< packets found to be lost, not counting a trimmed one
    bool isTrimmed{false};         ///< the packet that it answers was newly found trimmed
    bool isFirstLoss{false};       ///< of either kind among the packets that were in flight
    std::optional<Time> roundTrip; ///< since the newest packet that it answers was sent
};

/**
 * @ingroup lossless
 * The sending end of a flow's reliability: what is sent next, what has arrived, and when to resend.
 *
 * Packets of a flow are counted from 0, in 64 bits. At any time
 *
 *     0 <= oldest <= next <= highest <= total,  highest - oldest <= MAX_OUTSTANDING
 *
 * Packets before `oldest` are known to have arrived; those before `highest` have been sent at least
 * once. The packet `next` is sent again if `next < highest`. What may leave is queried several
 * times per packet and so stored here to avoid virtual calls; subclasses update it.
 */
class SendReliability
{
  public:
    virtual ~SendReliability() = default;

    /// Starts a flow.
    /// @param packets of it, at least 1
    /// @param isTimed departure times of packets are kept, for AnswerEffect::roundTrip
    void Open(uint64_t packets, bool isTimed);

    /// Packets of the flow.
    uint64_t GetTotal() const
    {
        return m_total;
    }

    /// The oldest packet that is not known to have arrived.
    uint64_t GetOldest() const
    {
        return m_oldest;
    }

    /// The next packet to send; meaningful unless IsExhausted().
    uint64_t GetNext() const
    {
        return m_next;
    }

    /// The first packet that was never sent.
    uint64_t GetHighest() const
    {
        return m_highest;
    }

    /// Packets that count against a window.
    uint64_t GetInFlight() const
    {
        return m_inFlight;
    }

    /// Whether no packet is left to send now, or sequence numbers would become ambiguous.
    bool IsExhausted() const
    {
        return m_next == m_total || m_next - m_oldest >= MAX_OUTSTANDING;
    }

    /// Whether the next packet has been sent before.
    bool IsRepeating() const
    {
        return m_next < m_highest;
    }

    /// Whether every packet has arrived.
    bool IsFinished() const
    {
        return m_oldest == m_total;
    }

    /// The next packet leaves.
    virtual void Depart(const Time& now) = 0;
    /// Handles an answer and returns what it has changed.
    /// @param answer may be late, and be about packets before the oldest or never sent
    virtual AnswerEffect HandleAnswer(const PacketAnswer& answer, const Time& now) = 0;
    /// Handles a timeout by GetDue(): what may be lost is sent again.
    virtual void HandleTimeout(const Time& now) = 0;
    /// When to send something again unless an answer arrives; nothing while no answer is due.
    virtual std::optional<Time> GetDue() const = 0;
    /// Since when there has been no progress, if GetDue() is set, which counts from here.
    virtual Time GetWaitingSince() const = 0;
    /// Packets that are known to have arrived, in any order.
    virtual uint64_t GetArrived() const = 0;
    /// Packets in flight, not known to have arrived or to be lost.
    virtual uint64_t GetUnderWay() const = 0;
    /// Bytes of memory used, including the object itself.
    virtual uint64_t GetMemory() const = 0;

  protected:
    /// Resets the state of a subclass.
    /// @param isTimed see Open()
    virtual void DoOpen(bool isTimed) = 0;

    uint64_t m_total{0};    ///< see GetTotal()
    uint64_t m_oldest{0};   ///< see GetOldest()
    uint64_t m_next{0};     ///< see GetNext(); m_total if none is left
    uint64_t m_highest{0};  ///< see GetHighest()
    uint64_t m_inFlight{0}; ///< see GetInFlight()
};

/// The receiving end's verdict on an arriving data packet.
struct ArrivalVerdict
{
    /// What the packet is.
    enum class Arrival : uint8_t
    {
        IN_ORDER,  ///< the expected one
        KEPT,      ///< a later one, whose payload is kept
        REFUSED,   ///< a later one, whose payload is discarded
        DUPLICATE, ///< arrived before
        CUT,       ///< arrived without its payload
    };

    /// What is sent to the sender.
    enum class Reply : uint8_t
    {
        NONE,     ///< nothing
        WHEN_DUE, ///< an ACK, if the packet asks for it or enough others await one
        ACK,      ///< an ACK at once
        NAK,      ///< a NAK: the expected packet is missing
        TRIMMED,  ///< that this packet arrived without its payload
    };

    Arrival arrival{Arrival::IN_ORDER}; ///< what it is
    Reply reply{Reply::NONE};           ///< what to answer
    bool hasSack{false};                ///< the answer has a SackHeader, see GetBitmap()
    uint32_t advance{0};                ///< packets by which the expected one advances
};

/**
 * @ingroup lossless
 * The receiving end of a flow's reliability: what to keep and answer, and when a flow is complete.
 *
 * Its owner knows the sequence numbers and passes how far a packet is ahead of the expected one,
 * which is the first that has not arrived.
 */
class ReceiveReliability
{
  public:
    virtual ~ReceiveReliability() = default;

    /// Starts a flow.
    void Open();
    /// Accepts a packet; returns what it is and what to answer.
    /// @param ahead packets from the expected one to this one; negative: it has arrived
    /// @param isLast it is the last one of the flow
    virtual ArrivalVerdict Accept(int32_t ahead, bool isLast) = 0;
    /// Accepts a packet whose payload a switch has cut off, see Accept().
    virtual ArrivalVerdict AcceptTrimmed(int32_t ahead) = 0;
    /// Bit i: the packet i after this one has arrived; called if a verdict requires it.
    /// @param ahead of the packet, see Accept(), at least 0
    virtual uint64_t GetBitmap(uint32_t ahead) const;
    /// Whether packets are missing before one that is kept.
    virtual bool HasGap() const;
    /// Bytes of memory used, including the object itself.
    virtual uint64_t GetMemory() const = 0;

    /// Whether the whole flow has arrived.
    bool IsComplete() const
    {
        return m_isComplete;
    }

  protected:
    /// Resets the state of a subclass.
    virtual void DoOpen() = 0;

    bool m_isComplete{false}; ///< see IsComplete()
};

/// What a reliability requires of packets and the network.
struct ReliabilityTraits
{
    bool isPlacing{false};  ///< every data packet states where its payload belongs (RETH)
    bool needsOrder{false}; ///< a packet that overtakes another causes retransmissions
};

/// @ingroup lossless
/// How the queue pairs of a NIC repair losses: makes both ends of each flow. Both NICs of a flow
/// must have the same one. It holds the settings that the ends share.
class Reliability : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// What it requires of packets and the network.
    virtual ReliabilityTraits GetTraits() const = 0;
    /// Makes the sending end of a flow, which needs Open(); this object must outlive it.
    /// @param timeout of the NIC, "RetransmitTimeout"
    virtual std::unique_ptr<SendReliability> MakeSender(Time timeout) const = 0;
    /// Makes the receiving end of a flow, which needs Open(); this object must outlive it.
    virtual std::unique_ptr<ReceiveReliability> MakeReceiver() const = 0;
    /// Shortest time after which an end may be due.
    /// @param timeout of the NIC
    virtual Time GetShortestTimeout(Time timeout) const;
    /// Longest time after which an end may be due.
    /// @param timeout of the NIC
    virtual Time GetLongestTimeout(Time timeout) const;
    /// Payload that a flow may have unacknowledged, bytes; 0: any.
    virtual uint64_t GetWindow() const;
};

/// A reliability of RoCE queue pairs, for `--reliability`; the first is the default.
using ReliabilityInfo = PartOf<Reliability>;

} // namespace ns3::lossless

#endif /* LOSSLESS_RELIABILITY_H */
