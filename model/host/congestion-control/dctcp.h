// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DCTCP_H
#define LOSSLESS_DCTCP_H

#include "congestion-control.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * DCTCP (Alizadeh et al., SIGCOMM 2010) for RoCE queue pairs, as in the HPCC simulator and the FAFC
 * paper. TCP's congestion window is replaced by a rate, which starts at the line rate and paces the
 * packets, and a window of rate x "BaseRtt".
 *
 * Alpha and the rate are updated once per round trip, that is, when a packet sent after the latest
 * update is acknowledged. Let F be the fraction of marked bytes among those acknowledged since the
 * latest update. Then:
 *
 *     alpha = (1 - g) alpha + g F
 *     rate += "AdditiveStep", unless a cut is in progress
 *
 * A mark sets rate = rate (1 - alpha / 2) and starts a cut, which ends when all packets in flight
 * at that time have been acknowledged. The rate is not reduced again during a cut. A loss halves
 * the rate in the same way (RFC 8257, Sec. 3.5).
 */
class Dctcp : public RateCongestionControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    void NotifyAck(const AckSignals& signals, Time now) override;
    void NotifyLoss(const LossSignals& signals, Time now) override;
    uint64_t GetWindow() const override;

  private:
    /// Updates alpha. Returns whether a new round trip begins with this acknowledgement.
    bool UpdateAlpha(const AckSignals& signals);
    /// Reduces the rate by the given fraction, at most once per round trip.
    void Cut(double share);

    double m_gain{0};        ///< g, the gain of alpha
    DataRate m_additiveStep; ///< the increase per round trip
    Time m_baseRtt;          ///< the time in which the current rate fills the window

    double m_alpha{1};           ///< the estimated fraction of marked bytes
    uint64_t m_answeredBytes{0}; ///< the number of bytes acknowledged in the current round trip
    uint64_t m_markedBytes{0};   ///< the number of marked bytes in m_answeredBytes
    /// The acknowledged payload at which the round trip ends, if one has started.
    std::optional<uint64_t> m_round;
    std::optional<uint64_t>
        m_cut;          ///< the acknowledged payload at which the cut ends, if one is in progress
    uint64_t m_sent{0}; ///< the payload sent before the latest answer arrived
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DCTCP_H */
