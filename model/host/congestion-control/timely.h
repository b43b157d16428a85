// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TIMELY_H
#define LOSSLESS_TIMELY_H

#include "congestion-control.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * TIMELY (Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015,
 * Algorithm 1).
 *
 * Once per round trip (when a packet sent after the latest update is acknowledged), with the round
 * trip time rtt of that packet:
 *
 *     difference = (1 - alpha) difference + alpha (rtt - previous rtt)
 *     gradient   = difference / minimum rtt
 *     rtt < "LowThreshold":   rate += step
 *     rtt > "HighThreshold":  rate *= 1 - beta (1 - HighThreshold / rtt)
 *     gradient <= 0:          rate += step, and the larger hyper step after five increases in a row
 *     otherwise:              rate *= 1 - beta gradient
 *
 * Where packets share an answer (RoceNic::AckInterval), it ends as many round trips as separate
 * answers would: a further one with each packet after what is in flight, and with each time rtt
 * since the latest. Their times are interpolated between the measured ones.
 *
 * The paper updates at the end of each segment of 16 to 64 kB, counts increases only in the
 * gradient's region, and starts flows at a share of the line rate. As in the HPCC simulator, this
 * class updates once per round trip, counts all increases and starts at the line rate.
 */
class Timely : public RateWindowCongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;
    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    void NotifyAck(const AckSignals& signals, Time now) override;

  private:
    /// Counts the round trips that have ended with an answer.
    /// @param elapsed since the previous answer that ended one
    int64_t TakeRounds(const AckSignals& signals, Time elapsed);
    void Update(Time rtt);
    /// Raises the rate.
    /// @param mayHyper whether the hyper step is allowed
    void Increase(bool mayHyper);
    /// Multiplies the rate by a factor, if above 0.
    void Decrease(double factor);

    double m_alpha{0};            ///< weight of a new difference
    double m_beta{0};             ///< strength of a decrease
    Time m_low;                   ///< increases below
    Time m_high;                  ///< decreases above
    Time m_minRtt;                ///< scales differences
    DataRate m_additiveAttribute; ///< as set
    DataRate m_hyperAttribute;    ///< as set
    uint32_t m_hyperAfter{0};     ///< consecutive increases before hyper increase
    bool m_lowCounts{true};       ///< increases below m_low count
    double m_additiveStep{0};     ///< bit/s
    double m_hyperStep{0};        ///< bit/s
    uint32_t m_payloadBytes{0};   ///< of a full packet

    std::optional<uint64_t> m_round; ///< payload after which the round trip ends; none yet
    Time m_previous;                 ///< latest round trip time; unset before the first round
    Time m_updated;                  ///< when the latest round trip ended; likewise
    double m_difference{0};          ///< of round trip times, smoothed, in ticks
    uint32_t m_increases{0};         ///< consecutive
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TIMELY_H */
