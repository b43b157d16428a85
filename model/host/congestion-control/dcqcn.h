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
 * Alpha is the estimated fraction of time during which there is congestion. It is initially 1. A
 * congestion notification cuts the rate as follows, unless the latest cut was less than
 * "RateCutInterval" ago:
 *
 *     target = rate,  rate = rate (1 - alpha / 2)
 *
 * The "AlphaTimer" starts at the first notification. Each time it expires, alpha becomes (1 - g)
 * alpha + g if a notification arrived in the period, and (1 - g) alpha otherwise. The rate is
 * increased in steps: one each time "RateTimer" expires and one after every "ByteCounter" bytes
 * since the latest cut.
 *
 *     fast recovery, in the first F steps:        rate = (rate + target) / 2
 *     additive, when either counter reaches F:    target += "AdditiveStep", then as above
 *     hyper, when both counters exceed F:         target += "HyperStep", then as above
 *
 * Where the public simulators differ from the paper, the defaults of this class follow the
 * simulators. The byte counter is off, and hyper increase does not grow from step to step. If
 * "ClampTarget" is false, a cut leaves the target unchanged unless the rate has been increased
 * since the previous cut.
 */
class Dcqcn : public RateWindowCongestionControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;
    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    void NotifySent(uint32_t bytes, Time now) override;
    void NotifyCnp(Time now) override;
    void NotifyPaused(const PauseNotice& notice, Time now) override;
    DataRate GetRate(Time now) override;

  private:
    void ApplyTimer(Time now);
    /// Updates alpha for all periods that have ended.
    void UpdateAlpha(Time now);
    void Cut(Time now);
    /// Restarts the increase after the rate has been reduced.
    void BeginIncrease(Time now);
    void Increase();

    double m_gain{0};             ///< g, the gain of alpha
    Time m_alphaTimer;            ///< the period after which alpha is updated
    Time m_cutInterval;           ///< the minimum time between cuts
    Time m_rateTimer;             ///< the time between increases
    uint64_t m_byteCounter{0};    ///< the number of bytes between increases; 0 to disable
    uint32_t m_fastSteps{0};      ///< F, the number of steps of fast recovery
    DataRate m_additiveAttribute; ///< the additive step, as configured
    DataRate m_hyperAttribute;    ///< the hyper step, as configured
    bool m_clampTarget{false};    ///< whether every cut sets the target to the rate
    double m_additiveStep{0};     ///< the additive step, in bit/s
    double m_hyperStep{0};        ///< the hyper step, in bit/s

    bool m_wasNotified{false}; ///< whether a notification has arrived
    bool m_isLowered{false};   ///< whether a notification or a pause has reduced the rate
    double m_alpha{1};         ///< alpha at m_periodStart
    Time m_periodStart;        ///< the start of the current period of m_alphaTimer
    bool m_isHeard{false};     ///< whether a notification has arrived in the current period
    Time m_lastCut;            ///< the time of the latest cut; valid if m_wasNotified
    double m_target{0};        ///< the target rate, in bit/s
    Time m_nextStep;           ///< the time at which the rate timer expires
    uint32_t m_timerSteps{0};  ///< the number of timer steps since the latest cut
    uint32_t m_byteSteps{0};   ///< the number of byte counter steps since the latest cut
    uint64_t m_bytes{0}; ///< the number of bytes sent since the latest cut or step of the byte
                         ///< counter
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DCQCN_H */
