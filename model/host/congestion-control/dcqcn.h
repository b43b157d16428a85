// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DCQCN_H
#define LOSSLESS_DCQCN_H

#include "congestion-control.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * DCQCN (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, Sec. 3).
 *
 * At a congestion notification, unless the latest cut was less than "RateCutInterval" ago, with
 * alpha the estimated share of time in congestion (initially 1):
 *
 *     target = rate,  rate = rate (1 - alpha / 2)
 *
 * At the end of each "AlphaTimer" from the first notification on, alpha = (1 - g) alpha + g if a
 * notification arrived in it, else (1 - g) alpha. Each expiry of "RateTimer" and each "ByteCounter"
 * bytes since the latest cut are one step of increase:
 *
 *     fast recovery, the first F steps:        rate = (rate + target) / 2
 *     additive, once either counted to F:      target += "AdditiveStep", then the same
 *     hyper, once both counted beyond F:       target += "HyperStep",    then the same
 *
 * Where the public simulators differ from the paper, they are followed: the byte counter is off,
 * hyper increase does not grow from step to step, and without "ClampTarget" a cut leaves the target
 * unchanged unless a step of increase was taken since the previous cut.
 */
class Dcqcn : public RateWindowCongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;
    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    void NotifySent(uint32_t bytes, Time now) override;
    void NotifyCnp(Time now) override;
    void NotifyPaused(const PauseNotice& notice, Time now) override;
    DataRate GetRate(Time now) override;

  private:
    void ApplyTimer(Time now);
    /// Updates alpha to the end of the latest period.
    void UpdateAlpha(Time now);
    void Cut(Time now);
    /// Restarts the steps of increase after the rate was lowered.
    void BeginIncrease(Time now);
    void Increase();

    double m_gain{0};             ///< g
    Time m_alphaTimer;            ///< period of alpha
    Time m_cutInterval;           ///< minimum time between cuts
    Time m_rateTimer;             ///< from step to step
    uint64_t m_byteCounter{0};    ///< from step to step, bytes; 0: none
    uint32_t m_fastSteps{0};      ///< F
    DataRate m_additiveAttribute; ///< as set
    DataRate m_hyperAttribute;    ///< as set
    bool m_clampTarget{false};    ///< every notification lowers the target
    double m_additiveStep{0};     ///< bit/s
    double m_hyperStep{0};        ///< bit/s

    bool m_wasNotified{false}; ///< since the start
    bool m_isLowered{false};   ///< since the start, by a notification or a pause
    double m_alpha{1};         ///< at m_periodStart
    Time m_periodStart;        ///< of the period of alpha
    bool m_isHeard{false};     ///< a notification arrived in it
    Time m_lastCut;            ///< latest cut; valid if m_wasNotified
    double m_target{0};        ///< bit/s
    Time m_nextStep;           ///< when the timer expires
    uint32_t m_timerSteps{0};  ///< since the latest cut
    uint32_t m_byteSteps{0};   ///< since the latest cut
    uint64_t m_bytes{0};       ///< sent since the latest cut or step of the byte counter
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DCQCN_H */
