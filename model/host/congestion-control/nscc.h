// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NSCC_H
#define LOSSLESS_NSCC_H

#include "congestion-control.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * NSCC, the network-signal-based congestion control of Ultra Ethernet 1.0. This class follows the
 * public implementation in uet-htsim (commit 40ccb05 of August 2025). According to its README, that
 * implementation does not claim to conform to the standard.
 *
 * NSCC uses a window but no rate. The delay is the round-trip time minus either "BaseRtt" or the
 * smallest measured round-trip time, whichever is smaller. The target is the delay allowed for
 * queueing. The reaction to an acknowledgement of `bytes` bytes depends on the mark and the delay:
 *
 * |            | delay below target                              | target or more             |
 * |------------|-------------------------------------------------|----------------------------|
 * | not marked | proportional: sum += alpha bytes (target-delay) | fair: sum += fair bytes    |
 * | marked     | no change: another path should be taken         | multiplicative decrease    |
 *
 * - **Fast increase**: if the delay has been below 1 us for a whole window, the proportional
 *   increase is replaced by window += a bytes / 4.
 * - **Fulfilment**: after 8 packets or a round trip, window += sum / window, and the sum is reset.
 *   Once per round trip, window += eta.
 * - **Multiplicative decrease**: window *= max(1 - gamma (average - target) / average, 1/2). This
 *   is done at most once per round trip and only if the average delay is above the target.
 * - **Trimmed packet**: the packet's payload is subtracted from the window, and the average is
 *   updated with a delay of one round trip.
 * - **Quick adapt** is checked at the end of each period of one round trip plus the target. If
 *   packets were trimmed or the delay is above 4 times the target, and less than an eighth of the
 *   maximum window has arrived in this period, the window is set to the number of bytes that
 *   arrived. Marks and trimming of packets in flight at this time are ignored.
 *
 * All increases scale with the factor a, the bandwidth-delay product relative to that of 100 Gb/s
 * and 12 us. The window starts at its maximum, which is 1.5 bandwidth-delay products. The window
 * counts only payload, whereas uet-htsim also counts headers. Losses without trimming also reduce
 * the window.
 */
class Nscc : public CongestionControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;
    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    void NotifyAck(const AckSignals& signals, Time now) override;
    void NotifyLoss(const LossSignals& signals, Time now) override;
    void NotifyTrimmed(const LossSignals& signals, Time now) override;
    DataRate GetRate(Time now) override;
    uint64_t GetWindow() const override;

    /// Returns the average delay in seconds.
    double GetAverageDelay() const
    {
        return m_average;
    }

  private:
    /// Records a measured round-trip time and returns the delay.
    Time TakeRoundTrip(Time roundTrip);
    /// Updates the average delay.
    /// @param delay the delay in seconds
    /// @param counts whether the delay is included in the average; if not, UNMARKED_DELAY is
    /// included instead
    void Average(double delay, bool counts);
    /// Applies quick adapt if necessary.
    /// @param isTrimmed whether a trimmed packet is reported
    /// @param isMarked whether the report concerns a mark or a trimmed packet and may have to be
    /// ignored
    /// @param delay the delay of the packet
    /// @param inFlight the payload in flight
    /// @return whether the window was adapted or the report must be ignored
    bool QuickAdapt(bool isTrimmed, bool isMarked, Time delay, uint64_t inFlight, double now);
    /// Handles bytes acknowledged without a mark.
    void Increase(double bytes, Time delay);
    /// Applies the fast increase if the delay has been low for a whole window. Returns whether it
    /// was applied.
    bool IncreaseFast(double bytes, Time delay);
    /// Handles a mark with a delay of at least the target.
    void Decrease(double now);
    /// Applies the accumulated sum and, once per round trip, eta to the window.
    void Fulfil(double now);
    void Limit();

    Time m_networkRtt;        ///< see "BaseRtt"
    Time m_targetAttribute;   ///< see "TargetDelay"
    bool m_isTrimming{false}; ///< see "Trimming"
    double m_gamma{0};        ///< see "Gamma"

    DataRate m_lineRate;               ///< the rate of the link
    double m_packet{0};                ///< the payload of a full packet, in bytes
    double m_scale{0};                 ///< a, the scale of all increases
    double m_period{0};                ///< the round-trip time of the network, in seconds
    Time m_target;                     ///< the target delay
    double m_alpha{0};                 ///< the gain of the proportional increase, in bytes per
                                       ///< second
    Time m_baseRtt;                    ///< the smallest measured round-trip time, at most
                                       ///< "BaseRtt"
    double m_maxWindow{0};             ///< the maximum window, in bytes
    double m_window{0};                ///< the window, in bytes
    double m_sum{0};                   ///< the sum for the next fulfilment, in bytes squared
    double m_average{0};               ///< the average delay, in seconds
    double m_unadjusted{0};            ///< the number of bytes reported since the latest fulfilment
    double m_lowDelay{0};              ///< the number of consecutive bytes reported with almost no
                                       ///< delay
    bool m_isFast{false};              ///< whether the fast increase is active
    double m_achieved{0};              ///< the number of bytes that have arrived in the current
                                       ///< period of quick adapt
    double m_ignored{0};               ///< the number of bytes reported since the latest quick
                                       ///< adapt
    double m_toIgnore{0};              ///< the number of bytes in flight at the latest quick adapt
    bool m_isTriggered{false};         ///< whether a packet has been trimmed since the latest quick
                                       ///< adapt
    std::optional<double> m_adaptAt;   ///< the end of the current period of quick adapt, in seconds
    std::optional<double> m_adjusted;  ///< the time of the latest fulfilment with eta, in seconds
    std::optional<double> m_decreased; ///< the time of the latest decrease, in seconds
};

} // namespace ns3::lossless

#endif /* LOSSLESS_NSCC_H */
