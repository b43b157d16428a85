// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SELECTIVE_REPEAT_H
#define LOSSLESS_SELECTIVE_REPEAT_H

#include "departure-times.h"
#include "packet-set.h"
#include "reliability.h"

namespace ns3::lossless
{

/// The settings that all senders of a SelectiveReliability share.
struct SelectiveSettings
{
    Time rtoLow;            ///< the timeout while at most fewPackets packets are in flight
    Time rtoHigh;           ///< the timeout while more packets are in flight
    uint32_t fewPackets{0}; ///< see rtoLow
    /// A packet is considered lost if a packet this many positions later has arrived; 0 to disable.
    uint32_t reorderDegree{1};
    bool isWindowOfSpan{true}; ///< whether the window covers the oldest missing packet and all
                               ///< packets after it
};

/**
 * @ingroup lossless
 * A sender that retransmits only lost packets. It considers a packet lost if
 *
 * - a later packet has arrived that is too far ahead for reordering to be the cause
 *   (SelectiveSettings::reorderDegree; known from the receiver's bitmaps),
 * - the packet has arrived without its payload, or
 * - a timeout has expired and the packet has not arrived. All missing packets are then considered
 *   lost.
 *
 * In the first two cases, each packet is retransmitted once, before new packets and in ascending
 * order. A packet is retransmitted again only after a timeout or if it is trimmed again. The
 * timeout starts when all packets before the oldest missing one have arrived or when that packet is
 * sent, whichever is later.
 */
class SelectiveSender : public SendReliability
{
  public:
    /// Creates a sending end. Open() must be called afterwards.
    explicit SelectiveSender(const SelectiveSettings& settings);

    void Depart(const Time& now) override;
    AnswerEffect HandleAnswer(const PacketAnswer& answer, const Time& now) override;
    void HandleTimeout() override;
    std::optional<Time> GetDue() const override;
    Time GetWaitingSince() const override;
    uint64_t GetArrived() const override;
    uint64_t GetUnderWay() const override;

  private:
    void DoOpen(bool isTimed) override;

    bool HasLost() const
    {
        return !m_trimmed.IsEmpty() || m_cursor < m_lostBefore;
    }

    bool IsLost(uint64_t packet) const;
    /// Advances the oldest missing packet.
    /// @param arrived the first packet that may not have arrived; not before the current oldest
    /// packet
    void Advance(uint64_t arrived);
    /// Handles the bitmap of an answer.
    void TakeBitmap(const PacketAnswer& answer);
    void Arrive(uint64_t packet);
    /// Marks packets as lost because later ones have arrived. Returns the number of newly lost
    /// packets.
    uint64_t LoseOvertaken();
    /// Handles a packet that arrived without its payload. Returns whether this is new information.
    bool LoseTrimmed(int64_t packet);
    /// Returns the time since the acknowledged packet was sent, if this time is known and the
    /// packet is newly acknowledged.
    std::optional<Time> GetRoundTrip(const PacketAnswer& answer, const Time& now) const;
    /// Determines the next packet and the number of packets that count against the window.
    void ChooseNext();

    const SelectiveSettings m_settings; ///< see the constructor
    PacketSet m_sacked;                 ///< the packets beyond the oldest missing one that have
                                        ///< arrived
    PacketSet m_trimmed; ///< the packets that arrived without payload and wait to be retransmitted
    PacketSet m_mended;  ///< the trimmed packets that have been retransmitted
    /// Packets from m_cursor to m_lostBefore - 1 wait to be retransmitted, unless they are in
    /// m_sacked or m_mended.
    uint64_t m_cursor{0};
    uint64_t m_lostBefore{0};    ///< see m_cursor
    uint64_t m_recoveryEnd{0};   ///< losses of packets before m_recoveryEnd belong to the same
                                 ///< round of recovery
    uint64_t m_underWay{0};      ///< see GetUnderWay()
    Time m_waitingSince;         ///< the start of the timeout
    bool m_isAwaiting{false};    ///< whether a packet has been sent since the latest timeout
    bool m_isTimed{false};       ///< see SendReliability::Open()
    DepartureTimes m_departures; ///< the departure times, if m_isTimed
};

/// @ingroup lossless
/// A receiver that keeps packets beyond a gap and reports which packets have arrived.
class SelectiveReceiver : public ReceiveReliability
{
  public:
    /// Creates a receiving end. Open() must be called afterwards.
    /// @param replyBeyondGap the answer to a packet beyond a gap
    explicit SelectiveReceiver(ArrivalVerdict::Reply replyBeyondGap);

    ArrivalVerdict Accept(int32_t ahead, bool isLast) override;
    ArrivalVerdict AcceptTrimmed(int32_t ahead) override;
    uint64_t GetBitmap(uint32_t ahead) const override;
    bool HasGap() const override;

  private:
    void DoOpen() override;

    const ArrivalVerdict::Reply m_replyBeyondGap; ///< the answer to a packet beyond a gap
    PacketSet m_kept;             ///< the packets that have arrived beyond the expected one
    uint64_t m_expected{0};       ///< the first packet that has not arrived
    uint64_t m_total{UINT64_MAX}; ///< the number of packets of the flow; known once the last packet
                                  ///< has arrived
};

/// @ingroup lossless
/// The base class of reliabilities that retransmit individual packets.
class SelectiveReliability : public Reliability
{
  public:
    /// @return the TypeId of this class
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
 * Sec. 3). A packet that arrives beyond a gap is answered with a NAK that reports which packets
 * have arrived, and an overtaken packet is retransmitted immediately. A low timeout is used while
 * only a few packets are in flight, because the loss of the last ones causes no gap.
 */
class SelectiveRepeat : public SelectiveReliability
{
  public:
    SelectiveRepeat();

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    ReliabilityTraits GetTraits() const override;
    std::unique_ptr<ReceiveReliability> MakeReceiver() const override;
};

/**
 * @ingroup lossless
 * Selective reliability in which every packet carries the address of its payload, so that the
 * receiver can store payloads immediately and in any order, as in Ultra Ethernet and MRC. Packet
 * spraying requires this. A flow is complete when all its packets have arrived. Each answer reports
 * which packets have arrived, a gap is considered a loss only beyond "ReorderDegree", and the
 * window counts only packets in flight.
 */
class Unordered : public SelectiveReliability
{
  public:
    Unordered();

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    ReliabilityTraits GetTraits() const override;
    std::unique_ptr<ReceiveReliability> MakeReceiver() const override;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SELECTIVE_REPEAT_H */
