// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NSCC_H
#define LOSSLESS_NSCC_H

#include "congestion-control.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * NSCC, the network signal congestion control of Ultra Ethernet 1.0, following its public
 * implementation (uet-htsim, commit 40ccb05 of August 2025, whose README says that it is not the
 * standard).
 *
 * A window without a rate. Delay is the round trip time beyond the smallest one, target what queues
 * may take. An acknowledgement of `bytes` acts according to its mark and its delay:
 *
 * |            | delay below target                              | target or more             |
 * |------------|-------------------------------------------------|----------------------------|
 * | not marked | proportional: sum += alpha bytes (target-delay) | fair: sum += fair bytes    |
 * | marked     | nothing: another path should be taken           | multiplicative decrease    |
 *
 * - **Fast increase**: once the delay has been below 1 us for a whole window, each acknowledgement
 * grows the window by a quarter (times a) of its bytes, instead of the proportional increase.
 * - **Fulfilment**: after 8 packets or a round trip, window += sum / window, and the sum is reset;
 * once per round trip, window += eta.
 * - **Multiplicative decrease**, at most once per round trip and only if the average delay is above
 * the target: window *= max(1 - gamma (average - target) / average, 1/2).
 * - **A trimmed packet**: window -= its payload; the average takes a delay of one round trip.
 * - **Quick adapt**: at the first opportunity after each round trip and target, if packets were
 * trimmed or the delay is above 4 targets, and less than an eighth of the largest window has
 * arrived in that time, the window becomes what has arrived. Marks and trimming of packets then in
 * flight are ignored.
 *
 * All constants scale with a, the bandwidth-delay product relative to that of 100 Gb/s and 12 us.
 * The window starts at its largest value, 1.5 bandwidth-delay products. Here it counts payload,
 * where uet-htsim also counts headers; losses without trimming are subtracted, too.
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

    /// Average delay, seconds.
    double GetAverageDelay() const
    {
        return m_average;
    }

  private:
    /// Records a measured round trip and returns its delay.
    Time TakeRoundTrip(Time roundTrip);
    /// Updates the average delay.
    /// @param delay in seconds
    /// @param counts whether it enters the average; otherwise that falls
    void Average(double delay, bool counts);
    /// Adapts the window quickly if necessary.
    /// @param isTrimmed whether the report is of a trimmed packet
    /// @param isMarked whether the report may be of packets that are ignored
    /// @param inFlight payload
    /// @return whether the window was adapted, or nothing is to be concluded
    bool QuickAdapt(bool isTrimmed, bool isMarked, Time delay, uint64_t inFlight, double now);
    /// Handles bytes acknowledged without a mark and with less than the target delay.
    void Increase(double bytes, Time delay);
    /// Handles acknowledged bytes; returns whether the window has grown fast.
    bool IncreaseFast(double bytes, Time delay);
    /// Handles a mark with at least the target delay.
    void Decrease(double now);
    /// Grows the window by the accumulated sum.
    void Fulfil(double now);
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
    double m_unadjusted{0};            ///< bytes reported since the latest fulfilment
    double m_lowDelay{0};              ///< consecutive bytes reported with hardly any delay
    bool m_isFast{false};              ///< the fast increase is on
    double m_achieved{0};              ///< bytes reported in this period of quick adapt
    double m_ignored{0};               ///< bytes reported since the latest quick adapt
    double m_toIgnore{0};              ///< bytes in flight at that time
    bool m_isTriggered{false};         ///< a packet was trimmed since then
    std::optional<double> m_adaptAt;   ///< when that period ends, seconds
    std::optional<double> m_adjusted;  ///< latest fulfilment with eta, seconds
    std::optional<double> m_decreased; ///< latest decrease, seconds
};

} // namespace ns3::lossless

#endif /* LOSSLESS_NSCC_H */
