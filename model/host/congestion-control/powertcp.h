// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_POWERTCP_H
#define LOSSLESS_POWERTCP_H

#include "telemetry-history.h"
#include "window-congestion-control.h"

#include "ns3/ring-buffer.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * PowerTCP with in-band telemetry (Addanki et al., "PowerTCP: Pushing the Performance Limits of
 * Datacenter Networks", NSDI 2022, Algorithm 1).
 *
 * For each link on the path, each acknowledgement reports the change in the queue length q and the
 * bytes sent since the previous acknowledgement. Let B be the link rate and T the base round-trip
 * time. Then:
 *
 *     current = dq/dt + sent rate,  voltage = q + B T,  power = current x voltage / (B^2 T)
 *
 * The power of each link is measured over the time since the previous packet passed the link. The
 * largest power on the path, divided by "Target" and smoothed over T, is p. Let Wold be the window
 * at the time when the acknowledged packet was sent. Then:
 *
 *     W = gamma (Wold / p + beta) + (1 - gamma) W
 *
 * "Target" is a factor from the public simulator. By default, Wold is the exact window at that
 * time. If "OldOncePerRound" is set, Wold is set to the window once per round trip and used in both
 * terms, as in that simulator:
 *
 *     W = gamma (Wold / p + beta) + (1 - gamma) Wold
 */
class PowerTcp : public WindowCongestionControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;
    void Start(DataRate lineRate, uint32_t payloadBytes) override;

  private:
    struct PastWindow
    {
        Ticks since;    ///< the time from which the window applied
        double rate{0}; ///< the window / T, in bit/s
    };

    void Update(const AckSignals& signals, bool isNewRound, Time now) override;
    void MeasurePower(const LinkSamples& samples);
    /// Sets a new window. Both parameters are windows divided by T, in bit/s.
    /// @param reference the window that is divided by the power
    /// @param previous the window that is averaged with the result
    void Combine(double reference, double previous);
    /// Updates Wold.
    /// @param sent the time at which the acknowledged packet was sent
    void RecallWindow(Time sent);

    double m_gamma{0};            ///< gamma, the weight of a new window
    double m_target{0};           ///< the target power
    DataRate m_additiveAttribute; ///< the additive increase, as configured
    bool m_oncePerRound{false};   ///< whether Wold is set to the window once per round trip
    double m_additiveStep{0};     ///< beta / T, in bit/s

    TelemetryHistory m_history;    ///< the latest telemetry of the path
    double m_power{1};             ///< p, the smoothed power
    double m_old{0};               ///< Wold / T, in bit/s
    RingBuffer<PastWindow> m_past; ///< the windows that followed Wold
};

} // namespace ns3::lossless

#endif /* LOSSLESS_POWERTCP_H */
