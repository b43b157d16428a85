// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_H
#define LOSSLESS_HPCC_H

#include "telemetry-history.h"
#include "window-congestion-control.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * HPCC (Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, Algorithm 1).
 *
 * Each acknowledgement reports, for each link of the path, the queue q and the bytes sent since the
 * previous one, and thus the share of its rate B that bytes in flight take up:
 *
 *     u = min(q, previous q) / (B T) + sent rate / B
 *
 * The largest u of the path, over the time t since the previous packet passed there (at most T),
 * enters the estimate U = (1 - t/T) U + t/T u, and with the reference window Wc
 *
 *     U >= eta, or "MaxStage" additive increases in a row:   W = Wc eta / U + W_AI
 *     otherwise:                                             W = Wc + W_AI
 *
 * Wc becomes W only once per round trip: a window's answers act at once, but not twice.
 */
class Hpcc : public WindowCongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;
    void Start(DataRate lineRate, uint32_t payloadBytes) override;

  private:
    void Update(const AckSignals& signals, bool isNewRound, Time now) override;
    void MeasureInflight(const LinkSamples& samples);

    double m_eta{0};              ///< target of U
    uint32_t m_maxStage{0};       ///< consecutive additive increases
    DataRate m_additiveAttribute; ///< as set
    double m_additiveStep{0};     ///< W_AI / T, bit/s

    TelemetryHistory m_history; ///< of the path
    double m_inflight{1};       ///< U
    double m_reference{0};      ///< Wc / T, bit/s
    uint32_t m_stage{0};        ///< consecutive additive increases so far
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HPCC_H */
