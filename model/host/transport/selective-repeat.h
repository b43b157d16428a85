// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SELECTIVE_REPEAT_H
#define LOSSLESS_SELECTIVE_REPEAT_H

#include "departure-times.h"
#include "packet-set.h"
#include "reliability.h"

namespace ns3::lossless
{

/// What the senders of one SelectiveReliability have in common.
struct SelectiveSettings
{
    Time rtoLow;               ///< timeout while at most fewPackets are under way
    Time rtoHigh;              ///< timeout otherwise
    uint32_t fewPackets{0};    ///< see rtoLow
    uint32_t reorderDegree{1}; ///< a packet is lost if one so many behind it has come; 0: never
    bool isWindowOfSpan{true}; ///< the window counts all from the oldest packet on that has not
                               ///< arrived; else only those not known to have arrived or be lost
};

/**
 * @ingroup lossless
 * A sender that repeats only what is lost. It knows a packet to be lost when
 *
 * - one so far behind it has arrived that no network would have brought that first
 *   (SelectiveSettings::reorderDegree; told by the bitmaps of the receiver), or
 * - the receiver has got it without its payload, or
 * - a timeout is over and the packet has not arrived: then all such are taken for lost.
 *
 * Each is repeated once upon the first two, in front of new packets and the lowest first, and again
 * only if it is cut again or upon a timeout. The timeout runs from the latest of: all before the
 * oldest packet arrive, and the oldest packet leaves.
 */
class SelectiveSender : public SendReliability
{
  public:
    /// @param settings see SelectiveSettings
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

    /// @return whether a packet waits to be repeated
    bool HasLost() const
    {
        return !m_trimmed.IsEmpty() || m_cursor < m_lostBefore;
    }

    /// @param packet under way @return whether it waits to be repeated
    bool IsLost(uint64_t packet) const;
    /// @param arrived all packets before this one have arrived, which is not below the oldest
    void Advance(uint64_t arrived);
    /// @param answer tells which have arrived beyond
    void TakeBitmap(const PacketAnswer& answer);
    /// A packet has arrived for the first time. @param packet it
    void Arrive(uint64_t packet);
    /// Packets are lost since later ones have arrived. @return how many of them are news
    uint64_t LoseOvertaken();
    /// A packet has come without its payload. @param packet it @return whether that is news
    bool LoseTrimmed(int64_t packet);
    /// @param answer that has come @param now the time @return since its packet was sent, if that
    /// is known and it has just arrived
    std::optional<Time> GetRoundTrip(const PacketAnswer& answer, const Time& now) const;
    /// Decides which packet is next, and what counts against a window.
    void ChooseNext();

    const SelectiveSettings m_settings; ///< see the constructor
    PacketSet m_sacked;                 ///< have arrived beyond the oldest
    PacketSet m_trimmed;                ///< came without payload, and wait to be repeated
    PacketSet m_mended;                 ///< of the latter, those that were repeated
    /// Packets from here to before m_lostBefore wait to be repeated, but for those that are in
    /// m_sacked or m_mended.
    uint64_t m_cursor{0};
    uint64_t m_lostBefore{0};    ///< see m_cursor
    uint64_t m_recoveryEnd{0};   ///< losses before this packet are of one round
    uint64_t m_underWay{0};      ///< see GetUnderWay()
    Time m_waitingSince;         ///< the timeout runs from here
    bool m_isAwaiting{false};    ///< a packet has left since the latest timeout
    bool m_isTimed{false};       ///< see SendReliability::Open()
    DepartureTimes m_departures; ///< if timed
};

/**
 * @ingroup lossless
 * A receiver that keeps what comes beyond a gap, and tells which packets these are.
 */
class SelectiveReceiver : public ReceiveReliability
{
  public:
    /// @param replyBeyondGap to a packet beyond a gap
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
    uint64_t m_total{UINT64_MAX};                 ///< packets of the flow, once the last has come
};

/**
 * @ingroup lossless
 * What ways of repair share that repeat single packets.
 */
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
 * Selective repeat as IRN has it (Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM
 * 2018, Sec. 3): a packet beyond a gap is answered by a NAK that tells what has arrived, a packet
 * which a later one has overtaken is repeated at once, and a low timeout is used while so few
 * packets are under way that the last ones may be lost without anybody's notice.
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
 * Every packet says where its payload belongs and is placed at once, in whatever order packets
 * come: the way of Ultra Ethernet and MRC, and what spraying packets over paths needs. A flow is
 * complete once all its packets have come. Each answer tells which have, a gap is no loss, and the
 * window counts only what is under way.
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
