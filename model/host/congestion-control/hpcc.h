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
 * For each link on the path, each acknowledgement reports the queue length q and the bytes sent
 * since the previous acknowledgement. Let B be the link rate and T the base round-trip time. Then
 * the bytes in flight are this fraction of the bandwidth-delay product B T:
 *
 *     u = min(q, previous q) / (B T) + sent rate / B
 *
 * The largest u on the path updates the estimate U = (1 - t/T) U + t/T u, where t is the time since
 * the previous packet passed the link, at most T. The new window W follows from U and the reference
 * window Wc:
 *
 *     U >= eta, or "MaxStage" additive increases in a row:   W = Wc eta / U + W_AI
 *     otherwise:                                             W = Wc + W_AI
 *
 * Wc is set to W only once per round trip. The algorithm thus reacts to each acknowledgement but
 * never twice to the same packets.
 */
class Hpcc : public WindowCongestionControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;
    void Start(DataRate lineRate, uint32_t payloadBytes) override;

  private:
    void Update(const AckSignals& signals, bool isNewRound, Time now) override;
    void MeasureInflight(const LinkSamples& samples);

    double m_eta{0};              ///< eta, the target of U
    uint32_t m_maxStage{0};       ///< the maximum number of consecutive additive increases
    DataRate m_additiveAttribute; ///< the additive increase, as configured
    double m_additiveStep{0};     ///< W_AI / T, in bit/s

    TelemetryHistory m_history; ///< the latest telemetry of the path
    double m_inflight{1};       ///< U, the estimated bytes in flight as a fraction of B T
    double m_reference{0};      ///< Wc / T, in bit/s
    uint32_t m_stage{0};        ///< the number of consecutive additive increases so far
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HPCC_H */
