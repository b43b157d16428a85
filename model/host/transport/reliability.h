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

/// Packets of a flow that may be under way: sequence numbers stay comparable modulo 2^24.
inline constexpr uint64_t MAX_OUTSTANDING = (1U << 23) - 1;

/// An answer of the receiver, in packets of the flow, which are counted from 0.
struct PacketAnswer
{
    /// What it says besides `arrived`.
    enum class Kind : uint8_t
    {
        ACK,     ///< all is well as far as the receiver knows
        NAK,     ///< packet `arrived` is missing though a later one has come
        TRIMMED, ///< packet `trigger` has come without its payload: it is lost for certain
    };

    Kind kind{Kind::ACK}; ///< see Kind
    int64_t arrived{0};   ///< all packets before this one have arrived
    int64_t trigger{0};   ///< the packet which is answered; `arrived` - 1 if that is not told
    int64_t base{0};      ///< packet that bit 0 of `bitmap` stands for; `arrived` or beyond
    uint64_t bitmap{0};   ///< bit i: packet `base` + i has arrived; 0: nothing is told
};

/// What an answer has changed at the sender.
struct AnswerEffect
{
    uint64_t newPackets{0};        ///< packets heard to have arrived for the first time
    uint64_t newLost{0};           ///< packets found to be lost, but for a trimmed one
    bool isTrimmed{false};         ///< the packet that it answers was trimmed, which is news
    bool isFirstLoss{false};       ///< of either kind among the packets that were under way
    std::optional<Time> roundTrip; ///< since the newest packet that it answers was sent
};

/**
 * @ingroup lossless
 * The sending end of a flow's reliability: which packet is sent next, which have arrived, and when
 * to send what again.
 *
 * Packets of a flow are counted from 0, in 64 bits. At any time
 *
 *     0 <= oldest <= next <= highest <= total,  highest - oldest <= MAX_OUTSTANDING
 *
 * where packets before `oldest` are known to have arrived, and those before `highest` have been
 * sent at least once: the packet `next` is sent again if `next < highest`. What may leave is asked
 * for several times a packet and is therefore kept here, where it is read without a virtual call;
 * subclasses change it in the methods that are told what happens.
 */
class SendReliability
{
  public:
    virtual ~SendReliability() = default;

    /// A flow begins. @param packets of it, at least 1 @param isTimed the times at which packets
    /// left are kept, for AnswerEffect::roundTrip
    void Open(uint64_t packets, bool isTimed);

    /// @return packets of the flow
    uint64_t GetTotal() const
    {
        return m_total;
    }

    /// @return the oldest packet that is not known to have arrived
    uint64_t GetOldest() const
    {
        return m_oldest;
    }

    /// @return the packet to be sent next; meaningful unless IsExhausted()
    uint64_t GetNext() const
    {
        return m_next;
    }

    /// @return the first packet that was never sent
    uint64_t GetHighest() const
    {
        return m_highest;
    }

    /// @return packets that count against a window
    uint64_t GetInFlight() const
    {
        return m_inFlight;
    }

    /// @return whether no packet is left to send now, or sequence numbers would become ambiguous
    bool IsExhausted() const
    {
        return m_next == m_total || m_next - m_oldest >= MAX_OUTSTANDING;
    }

    /// @return whether the packet to be sent next has been sent before
    bool IsRepeating() const
    {
        return m_next < m_highest;
    }

    /// @return whether every packet has arrived
    bool IsFinished() const
    {
        return m_oldest == m_total;
    }

    /// The packet to be sent next leaves. @param now the time
    virtual void Depart(const Time& now) = 0;
    /// @param answer of the receiver; may be late, and speak of packets before the oldest or of
    /// such that were never sent
    /// @param now the time @return what it has changed
    virtual AnswerEffect HandleAnswer(const PacketAnswer& answer, const Time& now) = 0;
    /// GetDue() is over: what may be lost is sent again. @param now the time
    virtual void HandleTimeout(const Time& now) = 0;
    /// @return when to send something again if no answer comes until then; nothing while no answer
    /// is due
    virtual std::optional<Time> GetDue() const = 0;
    /// @return since when nothing has moved on, by which GetDue() is; meaningful if that is
    /// something
    virtual Time GetWaitingSince() const = 0;
    /// @return packets that are known to have arrived, in whatever order
    virtual uint64_t GetArrived() const = 0;
    /// @return packets that have left and are not known to have arrived or to be lost
    virtual uint64_t GetUnderWay() const = 0;
    /// @return bytes of memory of it, its own size included
    virtual uint64_t GetMemory() const = 0;

  protected:
    /// A subclass has state of its own. @param isTimed see Open()
    virtual void DoOpen(bool isTimed) = 0;

    uint64_t m_total{0};    ///< see GetTotal()
    uint64_t m_oldest{0};   ///< see GetOldest()
    uint64_t m_next{0};     ///< see GetNext(); m_total if none is left
    uint64_t m_highest{0};  ///< see GetHighest()
    uint64_t m_inFlight{0}; ///< see GetInFlight()
};

/// What the receiving end makes of an arriving data packet.
struct ArrivalVerdict
{
    /// What the packet is.
    enum class Arrival : uint8_t
    {
        IN_ORDER,  ///< the expected one
        KEPT,      ///< a later one, whose payload is taken
        REFUSED,   ///< a later one, whose payload is thrown away
        DUPLICATE, ///< arrived before
        CUT,       ///< came without its payload
    };

    /// What the sender is told.
    enum class Reply : uint8_t
    {
        NONE,     ///< nothing
        WHEN_DUE, ///< an ACK, if the packet asks for it or enough others wait for one
        ACK,      ///< an ACK at once
        NAK,      ///< a NAK: the expected packet is missing
        TRIMMED,  ///< that this packet came without its payload
    };

    Arrival arrival{Arrival::IN_ORDER}; ///< what it is
    Reply reply{Reply::NONE};           ///< what to answer
    bool hasSack{false};                ///< the answer has a SackHeader, see GetBitmap()
    uint32_t advance{0};                ///< packets by which the expected one moves on
};

/**
 * @ingroup lossless
 * The receiving end of a flow's reliability: what to keep of a packet that arrives, what to answer,
 * and when all is complete.
 *
 * It is told how far a packet is ahead of the expected one, which is the first that has not
 * arrived; whoever owns it knows the sequence numbers.
 */
class ReceiveReliability
{
  public:
    virtual ~ReceiveReliability() = default;

    /// A flow begins.
    void Open();
    /// @param ahead packets from the expected one to this one; negative: it has arrived
    /// @param isLast it is the last one of the flow @return what it is, and what to answer
    virtual ArrivalVerdict Accept(int32_t ahead, bool isLast) = 0;
    /// A packet has come without its payload, which a switch has cut off. @param ahead see Accept()
    /// @return what it is, and what to answer
    virtual ArrivalVerdict AcceptTrimmed(int32_t ahead) = 0;
    /// @param ahead of a packet, see Accept(), at least 0
    /// @return bit i: the packet i behind that one has arrived; asked for when a verdict says so
    virtual uint64_t GetBitmap(uint32_t ahead) const;
    /// @return whether packets are missing before one that is kept
    virtual bool HasGap() const;
    /// @return bytes of memory of it, its own size included
    virtual uint64_t GetMemory() const = 0;

    /// @return whether the whole flow has arrived
    bool IsComplete() const
    {
        return m_isComplete;
    }

  protected:
    /// A subclass has state of its own.
    virtual void DoOpen() = 0;

    bool m_isComplete{false}; ///< see IsComplete()
};

/// What a reliability asks of the packets and of the network.
struct ReliabilityTraits
{
    bool isPlacing{false};  ///< every data packet says where its payload belongs (RETH)
    bool needsOrder{false}; ///< a packet which overtakes another costs repeats
};

/**
 * @ingroup lossless
 * How the queue pairs of a NIC repair loss: makes both ends of each flow. Both NICs of a flow have
 * the same one. It is asked when a flow starts, and holds the settings that its ends share.
 */
class Reliability : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return what it asks of packets and of the network
    virtual ReliabilityTraits GetTraits() const = 0;
    /// @param timeout of the NIC, "RetransmitTimeout" @return the sending end of a flow, whose
    /// Open() is to be called; this object outlives it
    virtual std::unique_ptr<SendReliability> MakeSender(Time timeout) const = 0;
    /// @return the receiving end of a flow, whose Open() is to be called; this object outlives it
    virtual std::unique_ptr<ReceiveReliability> MakeReceiver() const = 0;
    /// @param timeout of the NIC @return the shortest time after which an end may be due
    virtual Time GetShortestTimeout(Time timeout) const;
    /// @param timeout of the NIC @return the longest time after which an end may be due
    virtual Time GetLongestTimeout(Time timeout) const;
    /// @return payload that a flow may have unacknowledged, in bytes; 0: any
    virtual uint64_t GetWindow() const;
};

/// Of a way of RoCE queue pairs to repair loss, for `--reliability`; the first is the default.
using ReliabilityInfo = PartOf<Reliability>;

} // namespace ns3::lossless

#endif /* LOSSLESS_RELIABILITY_H */
