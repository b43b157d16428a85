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
 * The rate is updated once per round trip, that is, when a packet sent after the latest update is
 * acknowledged. Let rtt be the round-trip time of that packet. Then:
 *
 *     difference = (1 - alpha) difference + alpha (rtt - previous rtt)
 *     gradient   = difference / minimum rtt
 *     rtt < "LowThreshold":   rate += step
 *     rtt > "HighThreshold":  rate *= 1 - beta (1 - HighThreshold / rtt)
 *     gradient <= 0:          rate += step, or the hyper step after five increases in a row
 *     otherwise:              rate *= 1 - beta gradient
 *
 * If several packets share an answer (RoceNic::AckInterval), the answer ends approximately as many
 * round trips as separate answers would have ended. The number of round trips after the first is
 * the smaller of two quotients: the bytes acknowledged beyond the first round trip divided by the
 * bytes in flight plus one packet, and the time since the latest update divided by rtt. The
 * round-trip times of these round trips are interpolated between measured ones.
 *
 * The paper updates the rate at the end of each segment of 16 to 64 kB, counts only gradient-based
 * increases towards hyper increase, and starts flows at a fraction of the line rate. As in the HPCC
 * simulator, this class updates once per round trip, counts all increases and starts at the line
 * rate.
 */
class Timely : public RateWindowCongestionControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;
    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    void NotifyAck(const AckSignals& signals, Time now) override;

  private:
    /// Returns the number of round trips that an answer ends.
    /// @param signals the signals of the answer
    /// @param elapsed the time since the previous answer that ended a round trip
    int64_t TakeRounds(const AckSignals& signals, Time elapsed);
    void Update(Time rtt);
    /// Increases the rate.
    /// @param mayHyper whether the hyper step is allowed
    void Increase(bool mayHyper);
    /// Multiplies the rate by a factor; a negative factor counts as 0, so "MinRate" applies.
    void Decrease(double factor);

    double m_alpha{0};            ///< alpha, the weight of a new difference
    double m_beta{0};             ///< beta, the strength of a decrease
    Time m_low;                   ///< the round-trip time below which the rate is increased
    Time m_high;                  ///< the round-trip time above which the rate is decreased
    Time m_minRtt;                ///< the minimum round-trip time, by which differences are divided
    DataRate m_additiveAttribute; ///< the additive step, as configured
    DataRate m_hyperAttribute;    ///< the hyper step, as configured
    uint32_t m_hyperAfter{0};     ///< the number of consecutive increases before hyper increase
    bool m_lowCounts{true};       ///< whether increases at round-trip times below m_low are counted
    double m_additiveStep{0};     ///< the additive step, in bit/s
    double m_hyperStep{0};        ///< the hyper step, in bit/s
    uint32_t m_payloadBytes{0};   ///< the payload of a full packet, in bytes

    std::optional<uint64_t>
        m_round;     ///< the acknowledged payload at which the round trip ends, if one has started
    Time m_previous; ///< the latest round-trip time; unset before the first answer
    Time m_updated;  ///< the time of the latest answer that ended a round trip; unset before the
                     ///< first answer
    double m_difference{0};  ///< the smoothed difference of round-trip times, in ticks
    uint32_t m_increases{0}; ///< the number of consecutive increases
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TIMELY_H */
