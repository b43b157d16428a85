// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GO_BACK_N_H
#define LOSSLESS_GO_BACK_N_H

#include "departure-times.h"
#include "reliability.h"

namespace ns3::lossless
{

/// @ingroup lossless
/// The sending end of go-back-N. After a NAK or a timeout, the oldest missing packet and all
/// packets after it are retransmitted. Packets from oldest to next - 1 are in flight.
class GoBackNSender : public SendReliability
{
  public:
    /// Creates an end that goes back after the given time without progress.
    explicit GoBackNSender(Time timeout = Time(0));

    void Depart(const Time& now) override;
    AnswerEffect HandleAnswer(const PacketAnswer& answer, const Time& now) override;
    void HandleTimeout() override;
    std::optional<Time> GetDue() const override;
    Time GetWaitingSince() const override;
    uint64_t GetArrived() const override;
    uint64_t GetUnderWay() const override;

  private:
    void DoOpen(bool isTimed) override;

    void Rewind();

    Time m_timeout;        ///< see the constructor
    Time m_waitingSince;   ///< the time of the latest progress, or of the departure of the first
                           ///< packet in flight
    bool m_isTimed{false}; ///< see SendReliability::Open()
    /// Packets before m_doubtful were first sent before the sender went back. An answer can refer
    /// to any of their transmissions (Karn and Partridge 1987). Even after a NAK, an answer can
    /// refer to the first one if the packet was overtaken rather than lost.
    uint64_t m_doubtful{0};
    DepartureTimes m_departures; ///< the departure times of m_doubtful and later packets, if
                                 ///< recorded
};

/**
 * @ingroup lossless
 * The receiving end of go-back-N. It accepts packets only in order.
 *
 * The first packet beyond a gap is answered with a NAK. Further packets are not answered until the
 * expected packet has arrived (InfiniBand 1.4, 9.7.5.2.8). The loss of a retransmission or of a NAK
 * is therefore repaired only by the sender's timeout. An expected packet without its payload counts
 * as a gap.
 */
class GoBackNReceiver : public ReceiveReliability
{
  public:
    ArrivalVerdict Accept(int32_t ahead, bool isLast) override;
    ArrivalVerdict AcceptTrimmed(int32_t ahead) override;

  private:
    void DoOpen() override;

    /// Returns NAK, unless a NAK has already been sent for the expected packet.
    ArrivalVerdict::Reply TakeNak();

    bool m_isNakSent{false}; ///< whether a NAK has been sent for the expected packet
};

/// @ingroup lossless
/// Go-back-N reliability, as in RoCE NICs. If a packet overtakes another one, the overtaken packet
/// and all packets after it are retransmitted.
class GoBackN : public Reliability
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    ReliabilityTraits GetTraits() const override;
    std::unique_ptr<SendReliability> MakeSender(Time timeout) const override;
    std::unique_ptr<ReceiveReliability> MakeReceiver() const override;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GO_BACK_N_H */
