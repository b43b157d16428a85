// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GO_BACK_N_H
#define LOSSLESS_GO_BACK_N_H

#include "reliability.h"

#include "ns3/lossless-types.h"
#include "ns3/ring-buffer.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The sending end of go-back-N: upon a NAK or a timeout, all packets from the oldest one on that
 * has not arrived are sent again. The packets oldest to next - 1 are under way.
 */
class GoBackNSender : public SendReliability
{
  public:
    /// @param timeout without progress, after which it goes back
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

    static constexpr Ticks DOUBTFUL = -1; ///< instead of a departure, which cannot be timed

    /// Sends again from the oldest packet on.
    void Rewind();
    /// @param advance packets that an answer acknowledges, not all of which may be timed
    /// @param now the time @return since the newest of them was sent
    std::optional<Time> TakeRoundTrip(uint64_t advance, const Time& now);

    Time m_timeout;        ///< see the constructor
    Time m_waitingSince;   ///< latest progress, or first packet after none was under way
    bool m_isTimed{false}; ///< see SendReliability::Open()
    /// Packets before this one were sent before it went back: an answer may be to either sending
    /// (Karn and Partridge 1987), also after a NAK, if the packet was overtaken and not lost.
    uint64_t m_doubtful{0};
    /// If timed: when the packets oldest to next - 1 left, or DOUBTFUL.
    RingBuffer<Ticks> m_departures;
};

/**
 * @ingroup lossless
 * The receiving end of go-back-N: takes packets in order only.
 *
 * The first packet beyond a gap is answered by a NAK; further ones are not until the expected
 * packet has come (InfiniBand 1.4, 9.7.5.2.8), so that a lost retransmission or NAK is mended by
 * the sender's timeout. A packet that is expected and comes without its payload is a gap.
 */
class GoBackNReceiver : public ReceiveReliability
{
  public:
    ArrivalVerdict Accept(int32_t ahead, bool isLast) override;
    ArrivalVerdict AcceptTrimmed(int32_t ahead) override;
    uint64_t GetMemory() const override;

  private:
    void DoOpen() override;

    /// @return NAK, unless one was sent for the packet which is expected now
    ArrivalVerdict::Reply TakeNak();

    bool m_isNakSent{false}; ///< a NAK for the expected packet was sent
};

/**
 * @ingroup lossless
 * Go-back-N, as RoCE NICs have it: a packet which overtakes another costs a repeat of all between.
 */
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
