// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NSCC_H
#define LOSSLESS_NSCC_H

#include "congestion-control.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * NSCC, the network signal congestion control of Ultra Ethernet 1.0, by its public implementation
 * (uet-htsim, commit 40ccb05 of August 2025, whose README says that it is not the standard).
 *
 * A window without a rate. Delay is the round trip time beyond the smallest one, target what queues
 * may take. What an acknowledgement of `bytes` does depends on its mark and on its delay:
 *
 * |            | delay below target                              | target or more             |
 * |------------|-------------------------------------------------|----------------------------|
 * | not marked | proportional: sum += alpha bytes (target-delay) | fair: sum += fair bytes    |
 * | marked     | nothing: another path is to be taken            | multiplicative decrease    |
 *
 * - **Fast increase**: once the delay has been below 1 us for a whole window, the window grows by a
 *   quarter (times a) of what each acknowledgement tells, in place of the proportional increase.
 * - **Fulfilment**: after 8 packets or a round trip, window += sum / window, and the sum is 0
 * again; once per round trip, window += eta.
 * - **Multiplicative decrease**, at most once per round trip and only if the average delay is above
 *   the target: window *= max(1 - gamma (average - target) / average, 1/2).
 * - **A trimmed packet**: window -= its payload; the average takes a delay of one round trip.
 * - **Quick adapt**: at the first occasion after each round trip and target, if packets were
 * trimmed or the delay is above 4 targets, and less than an eighth of the largest window has
 * arrived in that time, the window becomes what has arrived. What is on its way then says no more
 * by marks and trimming.
 *
 * All constants scale with a, the bandwidth delay product against that of 100 Gb/s and 12 us. The
 * window begins at its largest value, 1.5 bandwidth delay products. Here it counts payload, where
 * uet-htsim counts headers as well; what is lost without trimming is taken off, too.
 */
class Nscc : public CongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;
    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    void NotifyAck(const AckSignals& signals, Time now) override;
    void NotifyLoss(const LossSignals& signals, Time now) override;
    void NotifyTrimmed(const LossSignals& signals, Time now) override;
    DataRate GetRate(Time now) override;
    uint64_t GetWindow() const override;

    /// @return average delay, in seconds
    double GetAverageDelay() const
    {
        return m_average;
    }

  private:
    /// @param roundTrip measured @return the delay in it; the smallest one is noted
    Time TakeRoundTrip(Time roundTrip);
    /// @param delay in seconds @param counts whether it is for the average, else that falls
    void Average(double delay, bool counts);
    /// @param isTrimmed whether it is a trimmed packet that is heard of @param isMarked whether it
    /// may speak of what has been heard before @param delay of it
    /// @param inFlight payload on its way @param now the time
    /// @return whether the window was adapted, or nothing is to be concluded
    bool QuickAdapt(bool isTrimmed, bool isMarked, Time delay, uint64_t inFlight, double now);
    /// An acknowledgement without a mark and with less than the target. @param bytes it tells
    /// @param delay of it
    void Increase(double bytes, Time delay);
    /// @param bytes that an acknowledgement tells @param delay of it
    /// @return whether the window has grown fast
    bool IncreaseFast(double bytes, Time delay);
    /// A mark and at least the target. @param now the time
    void Decrease(double now);
    /// The window grows by what has been summed up. @param now the time
    void Fulfil(double now);
    /// Brings the window into its limits.
    void Limit();

    Time m_networkRtt;        ///< see "BaseRtt"
    Time m_targetAttribute;   ///< see "TargetDelay"
    bool m_isTrimming{false}; ///< see "Trimming"
    double m_gamma{0};        ///< see "Gamma"

    DataRate m_lineRate;               ///< of the link
    double m_packet{0};                ///< payload of a full packet, bytes
    double m_scale{0};                 ///< a
    double m_period{0};                ///< the network's round trip time, seconds
    Time m_target;                     ///< of the delay
    double m_alpha{0};                 ///< of the proportional increase, bytes per second
    Time m_baseRtt;                    ///< smallest round trip time
    double m_maxWindow{0};             ///< bytes
    double m_window{0};                ///< bytes
    double m_sum{0};                   ///< to be fulfilled, bytes squared
    double m_average{0};               ///< delay, seconds
    double m_unadjusted{0};            ///< bytes heard of since the latest fulfilment
    double m_lowDelay{0};              ///< bytes heard of in a row with hardly any delay
    bool m_isFast{false};              ///< the fast increase is on
    double m_achieved{0};              ///< bytes heard of in this period of quick adapt
    double m_ignored{0};               ///< bytes heard of since the latest quick adapt
    double m_toIgnore{0};              ///< bytes that were on their way at it
    bool m_isTriggered{false};         ///< a packet was trimmed since then
    std::optional<double> m_adaptAt;   ///< when that period ends, seconds
    std::optional<double> m_adjusted;  ///< latest fulfilment with eta, seconds
    std::optional<double> m_decreased; ///< latest decrease, seconds
};

} // namespace ns3::lossless

#endif /* LOSSLESS_NSCC_H */
