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
struct PartOf; // declared in part-registry.h

/// The maximum number of packets of a flow in flight, chosen so that sequence numbers can be
/// compared modulo 2^24.
inline constexpr uint64_t MAX_OUTSTANDING = (1U << 23) - 1;

/// An answer from the receiver. Packets are numbered from 0.
struct PacketAnswer
{
    /// The event that the answer reports in addition to `arrived`.
    enum class Kind : uint8_t
    {
        ACK,     ///< no loss is known
        NAK,     ///< packet `arrived` is missing, although a later packet has arrived
        TRIMMED, ///< packet `trigger` arrived without its payload and is therefore lost
    };

    Kind kind{Kind::ACK}; ///< see Kind
    int64_t arrived{0};   ///< the first packet that may not have arrived; all earlier ones have
    int64_t trigger{0};   ///< the packet that triggered the answer; `arrived` - 1 if unknown
    int64_t base{0};      ///< the packet that bit 0 of `bitmap` represents; at least `arrived`
    uint64_t bitmap{0};   ///< bit i is set if packet `base` + i has arrived; 0 if there is no
                          ///< information
};

/// The changes that an answer causes at the sender.
struct AnswerEffect
{
    uint64_t newLost{0}; ///< the number of packets newly found to be lost, excluding a trimmed one
    bool isTrimmed{false}; ///< whether the answer's trigger was newly found to be trimmed
    /// Whether this is the first loss of any kind among the packets in flight.
    bool isFirstLoss{false};
    std::optional<Time> roundTrip; ///< the time since the newest acknowledged packet was sent, if
                                   ///< known
};

/**
 * @ingroup lossless
 * The sending end of a flow's reliability. It determines the next packet to send, tracks which
 * packets have arrived, and decides when to retransmit.
 *
 * The packets of a flow have 64-bit numbers, starting at 0. The following always holds:
 *
 *     0 <= oldest <= next <= highest <= total,  highest - oldest <= MAX_OUTSTANDING
 *
 * Packets before `oldest` are known to have arrived. Packets before `highest` have been sent at
 * least once. If `next < highest`, packet `next` is retransmitted. Subclasses update these values.
 * They are stored here to avoid virtual calls, because they are queried several times per packet.
 */
class SendReliability
{
  public:
    virtual ~SendReliability() = default;

    /// Starts a flow.
    /// @param packets the number of packets, at least 1
    /// @param isTimed whether to record departure times of packets, for AnswerEffect::roundTrip
    void Open(uint64_t packets, bool isTimed);

    /// Returns the number of packets of the flow.
    uint64_t GetTotal() const
    {
        return m_total;
    }

    /// Returns the oldest packet that is not known to have arrived.
    uint64_t GetOldest() const
    {
        return m_oldest;
    }

    /// Returns the next packet to send; valid unless IsExhausted().
    uint64_t GetNext() const
    {
        return m_next;
    }

    /// Returns the first packet that has never been sent.
    uint64_t GetHighest() const
    {
        return m_highest;
    }

    /// Returns the number of packets that count against the window.
    uint64_t GetInFlight() const
    {
        return m_inFlight;
    }

    /// Returns true if no packet can be sent now, either because no packet is left or because
    /// sequence numbers would become ambiguous.
    bool IsExhausted() const
    {
        return m_next == m_total || m_next - m_oldest >= MAX_OUTSTANDING;
    }

    /// Returns whether the next packet has been sent before.
    bool IsRepeating() const
    {
        return m_next < m_highest;
    }

    /// Returns whether every packet has arrived.
    bool IsFinished() const
    {
        return m_oldest == m_total;
    }

    /// Handles the departure of the next packet.
    virtual void Depart(const Time& now) = 0;
    /// Handles an answer and returns the changes that it causes.
    /// @param answer the answer, which can refer to packets before the oldest one (if it is late)
    /// and to packets that were never sent
    virtual AnswerEffect HandleAnswer(const PacketAnswer& answer, const Time& now) = 0;
    /// Handles a timeout at the time returned by GetDue() by retransmitting packets that may be
    /// lost.
    virtual void HandleTimeout() = 0;
    /// Returns the time of the next retransmission if no answer arrives. The result is unset while
    /// no answer is expected.
    virtual std::optional<Time> GetDue() const = 0;
    /// Returns the time at which the timeout started, normally that of the latest progress. Valid
    /// only if GetDue() is set.
    virtual Time GetWaitingSince() const = 0;
    /// Returns the number of packets that are known to have arrived, in any order.
    virtual uint64_t GetArrived() const = 0;
    /// Returns the number of packets in flight that are not known to have arrived or to be lost.
    virtual uint64_t GetUnderWay() const = 0;

  protected:
    /// Resets the state of a subclass.
    /// @param isTimed see Open()
    virtual void DoOpen(bool isTimed) = 0;

    uint64_t m_total{0};    ///< see GetTotal()
    uint64_t m_oldest{0};   ///< see GetOldest()
    uint64_t m_next{0};     ///< see GetNext(); m_total if no packet is left
    uint64_t m_highest{0};  ///< see GetHighest()
    uint64_t m_inFlight{0}; ///< see GetInFlight()
};

/// The verdict of the receiving end on a data packet.
struct ArrivalVerdict
{
    /// The status of the packet.
    enum class Arrival : uint8_t
    {
        IN_ORDER,  ///< the expected packet
        KEPT,      ///< a later packet, whose payload is kept
        REFUSED,   ///< a later packet, whose payload is discarded
        DUPLICATE, ///< a packet that has already arrived
        CUT,       ///< a packet without its payload
    };

    /// The answer to the sender.
    enum class Reply : uint8_t
    {
        NONE,     ///< no answer
        WHEN_DUE, ///< an ACK if the packet requests one or enough packets are unacknowledged
        ACK,      ///< an immediate ACK
        NAK,      ///< a NAK, because the expected packet is missing
        TRIMMED,  ///< a report that the packet arrived without its payload
    };

    Arrival arrival{Arrival::IN_ORDER}; ///< the status of the packet
    Reply reply{Reply::NONE};           ///< the answer to send
    bool hasSack{false};                ///< whether the answer has a SackHeader; see GetBitmap()
    uint32_t advance{0};                ///< the number of packets by which the expected packet
                                        ///< advances
};

/**
 * @ingroup lossless
 * The receiving end of a flow's reliability. It determines which packets are kept, which answers
 * are sent, and when a flow is complete.
 *
 * The owner handles the sequence numbers and passes the distance of a packet from the expected
 * packet, which is the first one that has not arrived.
 */
class ReceiveReliability
{
  public:
    virtual ~ReceiveReliability() = default;

    /// Starts a flow.
    void Open();
    /// Accepts a packet. Returns its status and the answer to send.
    /// @param ahead the number of packets from the expected one to this one; negative if this
    /// packet has already arrived
    /// @param isLast whether this is the last packet of the flow
    virtual ArrivalVerdict Accept(int32_t ahead, bool isLast) = 0;
    /// Accepts a packet whose payload was removed by a switch; see Accept().
    virtual ArrivalVerdict AcceptTrimmed(int32_t ahead) = 0;

    /// Returns a bitmap. Bit i indicates whether the packet that is i positions after the given
    /// packet has arrived. Called if a verdict requires a SackHeader.
    /// @param ahead the position of the packet (see Accept()), at least 0
    virtual uint64_t GetBitmap(uint32_t /* ahead */) const
    {
        return 0;
    }

    /// Returns whether packets are missing before a packet that has been kept.
    virtual bool HasGap() const
    {
        return false;
    }

    /// Returns whether the whole flow has arrived.
    bool IsComplete() const
    {
        return m_isComplete;
    }

  protected:
    /// Resets the state of a subclass.
    virtual void DoOpen() = 0;

    bool m_isComplete{false}; ///< see IsComplete()
};

/// The requirements that a reliability imposes on packets and the network.
struct ReliabilityTraits
{
    bool isPlacing{false};  ///< whether each data packet carries a PlaceHeader (RETH)
    bool needsOrder{false}; ///< whether a packet that overtakes another one causes retransmissions
};

/// @ingroup lossless
/// Defines how the queue pairs of a NIC recover lost packets. It creates both ends of each flow and
/// stores the settings that they share. Both NICs of a flow must use the same type.
class Reliability : public Object
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Returns the requirements that this reliability imposes on packets and the network.
    virtual ReliabilityTraits GetTraits() const = 0;
    /// Creates the sending end of a flow. Open() must be called afterwards, and this object must
    /// outlive the end.
    /// @param timeout the attribute "RetransmitTimeout" of the NIC
    virtual std::unique_ptr<SendReliability> MakeSender(Time timeout) const = 0;
    /// Creates the receiving end of a flow. Open() must be called afterwards, and this object must
    /// outlive the end.
    virtual std::unique_ptr<ReceiveReliability> MakeReceiver() const = 0;

    /// Returns the shortest timeout of a sending end.
    /// @param timeout the attribute "RetransmitTimeout" of the NIC
    virtual Time GetShortestTimeout(Time timeout) const
    {
        return timeout;
    }

    /// Returns the longest timeout of a sending end.
    /// @param timeout the attribute "RetransmitTimeout" of the NIC
    virtual Time GetLongestTimeout(Time timeout) const
    {
        return timeout;
    }

    /// Returns the maximum unacknowledged payload of a flow, in bytes; 0 for no limit.
    virtual uint64_t GetWindow() const
    {
        return 0;
    }
};

/// Describes a Reliability type for RoCE queue pairs that users can select with `--reliability`.
/// The type that is first in the list is the default.
using ReliabilityInfo = PartOf<Reliability>;

} // namespace ns3::lossless

#endif /* LOSSLESS_RELIABILITY_H */
