// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GO_BACK_N_H
#define LOSSLESS_GO_BACK_N_H

#include "reliability.h"

#include "ns3/lossless-types.h"
#include "ns3/ring-buffer.h"

namespace ns3::lossless
{

/// @ingroup lossless
/// The sending end of go-back-N: after a NAK or a timeout, all packets from the oldest missing one
/// on are sent again. The packets oldest to next - 1 are in flight.
class GoBackNSender : public SendReliability
{
  public:
    /// Makes an end that goes back after this time without progress.
    explicit GoBackNSender(Time timeout = Time(0));

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

    static constexpr Ticks DOUBTFUL = -1; ///< instead of a departure time, which is ambiguous

    void Rewind();
    /// Time since the newest acknowledged packet was sent.
    /// @param advance number of packets acknowledged, some of which may not be timed
    std::optional<Time> TakeRoundTrip(uint64_t advance, const Time& now);

    Time m_timeout;        ///< see the constructor
    Time m_waitingSince;   ///< latest progress, or first packet after none was in flight
    bool m_isTimed{false}; ///< see SendReliability::Open()
    /// Packets before this one were sent before going back: an answer may be to either sending
    /// (Karn and Partridge 1987), also after a NAK, if the packet was overtaken and not lost.
    uint64_t m_doubtful{0};
    /// If timed: when the packets oldest to next - 1 left, or DOUBTFUL.
    RingBuffer<Ticks> m_departures;
};

/**
 * @ingroup lossless
 * The receiving end of go-back-N: accepts packets in order only.
 *
 * The first packet beyond a gap is answered by a NAK; further ones are not answered until the
 * expected packet has arrived (InfiniBand 1.4, 9.7.5.2.8), so only the sender's timeout repairs the
 * loss of a retransmission or NAK. The expected packet without its payload is a gap.
 */
class GoBackNReceiver : public ReceiveReliability
{
  public:
    ArrivalVerdict Accept(int32_t ahead, bool isLast) override;
    ArrivalVerdict AcceptTrimmed(int32_t ahead) override;
    uint64_t GetMemory() const override;

  private:
    void DoOpen() override;

    /// Returns NAK, unless one was sent for the packet expected now.
    ArrivalVerdict::Reply TakeNak();

    bool m_isNakSent{false}; ///< a NAK for the expected packet was sent
};

/// @ingroup lossless
/// Go-back-N, as in RoCE NICs: a packet that overtakes another costs a resend of all in between.
class GoBackN : public Reliability
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    ReliabilityTraits GetTraits() const override;
    std::unique_ptr<SendReliability> MakeSender(Time timeout) const override;
    std::unique_ptr<ReceiveReliability> MakeReceiver() const override;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GO_BACK_N_H */
