// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DCTCP_H
#define LOSSLESS_DCTCP_H

#include "congestion-control.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * DCTCP (Alizadeh et al., SIGCOMM 2010) for RoCE queue pairs, as in the HPCC simulator and FAFC:
 * TCP's congestion window becomes a rate, which starts at that of the link and paces the packets,
 * and a window of rate x "BaseRtt".
 *
 * Once per round trip (when a packet sent after the latest such update is acknowledged), with F the
 * share of the bytes acknowledged since then that met congestion:
 *
 *     alpha = (1 - g) alpha + g F,  and unless a cut is under way, rate += "AdditiveStep"
 *
 * At the first mark, rate = rate (1 - alpha / 2), which then stays until everything in flight at
 * that time is acknowledged. A loss halves it in the same way (RFC 8257, Sec. 3.5).
 */
class Dctcp : public RateCongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void NotifyAck(const AckSignals& signals, Time now) override;
    void NotifyLoss(const LossSignals& signals, Time now) override;
    uint64_t GetWindow() const override;

  private:
    /// Updates alpha; returns whether an acknowledgement ends a round trip.
    bool UpdateAlpha(const AckSignals& signals);
    /// Lowers the rate by a share of it, at most once per round trip.
    void Cut(double share);

    double m_gain{0};        ///< g
    DataRate m_additiveStep; ///< per round trip
    Time m_baseRtt;          ///< of the window

    double m_alpha{1};               ///< share of marked bytes
    uint64_t m_answeredBytes{0};     ///< acknowledged in this round trip
    uint64_t m_markedBytes{0};       ///< of them, with a mark
    std::optional<uint64_t> m_round; ///< payload after which the round trip ends; none yet
    std::optional<uint64_t> m_cut;   ///< payload after which a cut is over; none under way
    uint64_t m_sent{0};              ///< payload sent when the latest answer came
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DCTCP_H */
