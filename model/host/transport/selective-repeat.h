// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SELECTIVE_REPEAT_H
#define LOSSLESS_SELECTIVE_REPEAT_H

#include "departure-times.h"
#include "packet-set.h"
#include "reliability.h"

namespace ns3::lossless
{

/// What the senders of one SelectiveReliability share.
struct SelectiveSettings
{
    Time rtoLow;               ///< timeout while at most fewPackets are in flight
    Time rtoHigh;              ///< timeout otherwise
    uint32_t fewPackets{0};    ///< see rtoLow
    uint32_t reorderDegree{1}; ///< a packet is lost if one this many after it has arrived; 0: never
    bool isWindowOfSpan{true}; ///< the window counts all packets from the oldest missing one on,
                               ///< not only those in flight
};

/**
 * @ingroup lossless
 * A sender that retransmits only what is lost. It considers a packet lost when
 *
 * - a packet so far after it has arrived that no network would have reordered them by that much
 *   (SelectiveSettings::reorderDegree; known from the receiver's bitmaps), or
 * - the receiver has got it without its payload, or
 * - a timeout has expired and the packet has not arrived: then all such packets count as lost.
 *
 * In the first two cases each is resent once, before new packets and the lowest first, and again
 * only if it is trimmed again or after a timeout. The timeout starts with the latest of: the
 * arrival of all packets before the oldest one, and the departure of the oldest one.
 */
class SelectiveSender : public SendReliability
{
  public:
    /// Makes the end of a flow that has yet to Open().
    explicit SelectiveSender(const SelectiveSettings& settings);

    void Depart(const Time& now) override;
    AnswerEffect HandleAnswer(const PacketAnswer& answer, const Time& now) override;
    void HandleTimeout(const Time& now) override;
    std::optional<Time> GetDue() const override;
    Time GetWaitingSince() const override;
    uint64_t GetArrived() const override;
    uint64_t GetUnderWay() const override;
    uint64_t GetMemory() const override;

  private:
    void DoOpen(bool isTimed) override;

    bool HasLost() const
    {
        return !m_trimmed.IsEmpty() || m_cursor < m_lostBefore;
    }

    bool IsLost(uint64_t packet) const;
    /// Advances the oldest packet.
    /// @param arrived all packets before this one have arrived; at least the oldest
    void Advance(uint64_t arrived);
    /// Handles an answer's bitmap of packets that have arrived.
    void TakeBitmap(const PacketAnswer& answer);
    void Arrive(uint64_t packet);
    /// Marks packets as lost since later ones have arrived; returns how many are new.
    uint64_t LoseOvertaken();
    /// Handles a packet that arrived without its payload; returns whether this is new.
    bool LoseTrimmed(int64_t packet);
    /// Time since the answered packet was sent, if known and if it has just arrived.
    std::optional<Time> GetRoundTrip(const PacketAnswer& answer, const Time& now) const;
    /// Determines the next packet and what counts against a window.
    void ChooseNext();

    const SelectiveSettings m_settings; ///< see the constructor
    PacketSet m_sacked;                 ///< have arrived beyond the oldest
    PacketSet m_trimmed;                ///< arrived without payload, and wait to be resent
    PacketSet m_mended;                 ///< trimmed ones that were resent
    /// Packets from here to m_lostBefore - 1 wait to be resent, unless in m_sacked or m_mended.
    uint64_t m_cursor{0};
    uint64_t m_lostBefore{0};    ///< see m_cursor
    uint64_t m_recoveryEnd{0};   ///< losses before this packet belong to one round
    uint64_t m_underWay{0};      ///< see GetUnderWay()
    Time m_waitingSince;         ///< start of the timeout
    bool m_isAwaiting{false};    ///< a packet has left since the latest timeout
    bool m_isTimed{false};       ///< see SendReliability::Open()
    DepartureTimes m_departures; ///< if timed
};

/// @ingroup lossless
/// A receiver that keeps packets beyond a gap and reports which they are.
class SelectiveReceiver : public ReceiveReliability
{
  public:
    /// Sets the reply to a packet beyond a gap.
    explicit SelectiveReceiver(ArrivalVerdict::Reply replyBeyondGap);

    ArrivalVerdict Accept(int32_t ahead, bool isLast) override;
    ArrivalVerdict AcceptTrimmed(int32_t ahead) override;
    uint64_t GetBitmap(uint32_t ahead) const override;
    bool HasGap() const override;
    uint64_t GetMemory() const override;

  private:
    void DoOpen() override;

    const ArrivalVerdict::Reply m_replyBeyondGap; ///< see the constructor
    PacketSet m_kept;                             ///< have arrived beyond the expected one
    uint64_t m_expected{0};                       ///< first packet that has not arrived
    uint64_t m_total{UINT64_MAX}; ///< packets of the flow, once the last has arrived
};

/// @ingroup lossless
/// Base of reliabilities that resend individual packets.
class SelectiveReliability : public Reliability
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::unique_ptr<SendReliability> MakeSender(Time timeout) const override;
    Time GetShortestTimeout(Time timeout) const override;
    Time GetLongestTimeout(Time timeout) const override;
    uint64_t GetWindow() const override;

  protected:
    /// @param isWindowOfSpan see SelectiveSettings
    explicit SelectiveReliability(bool isWindowOfSpan);

    uint32_t m_reorderDegree{0}; ///< see SelectiveSettings

  private:
    const bool m_isWindowOfSpan; ///< see SelectiveSettings
    Time m_rtoLow;               ///< see SelectiveSettings
    Time m_rtoHigh;              ///< see SelectiveSettings
    uint32_t m_fewPackets{0};    ///< see SelectiveSettings
    uint64_t m_bdpCap{0};        ///< see GetWindow()
};

/**
 * @ingroup lossless
 * Selective repeat as in IRN (Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM 2018,
 * Sec. 3): a packet beyond a gap is answered by a NAK that reports what has arrived, and an
 * overtaken packet is resent at once. A low timeout is used while so few packets are in flight that
 * the loss of the last ones may go unnoticed.
 */
class SelectiveRepeat : public SelectiveReliability
{
  public:
    SelectiveRepeat();

    /// @return the type
    static TypeId GetTypeId();

    ReliabilityTraits GetTraits() const override;
    std::unique_ptr<ReceiveReliability> MakeReceiver() const override;
};

/**
 * @ingroup lossless
 * Every packet states where its payload belongs and is placed at once, in any order: as in Ultra
 * Ethernet and MRC, and as packet spraying requires. A flow is complete once all its packets have
 * arrived. Each answer reports which have, a gap is not a loss, and the window counts only what is
 * in flight.
 */
class Unordered : public SelectiveReliability
{
  public:
    Unordered();

    /// @return the type
    static TypeId GetTypeId();

    ReliabilityTraits GetTraits() const override;
    std::unique_ptr<ReceiveReliability> MakeReceiver() const override;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SELECTIVE_REPEAT_H */
