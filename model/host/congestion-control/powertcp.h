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
 * PowerTCP by in-band telemetry (Addanki et al., "PowerTCP: Pushing the Performance Limits of
 * Datacenter Networks", NSDI 2022, Algorithm 1).
 *
 * Each acknowledgement reports, for each link of the path, how its queue q changed and what it sent
 * since the previous one. With the rate B of the link and the base round-trip time T,
 *
 *     current = dq/dt + sent rate,  voltage = q + B T,  power = current x voltage / (B^2 T)
 *
 * The largest power of the path, over the time since the previous packet passed there, is divided
 * by "Target" and smoothed over T to p. With the window Wold when the acknowledged packet was sent,
 *
 *     W = gamma (Wold / p + beta) + (1 - gamma) W
 *
 * "Target" is a factor of the public simulator. Wold is exact. With "OldOncePerRound", as in that
 * simulator, the window becomes Wold once per round trip, and both terms use it:
 *
 *     W = gamma (Wold / p + beta) + (1 - gamma) Wold
 */
class PowerTcp : public WindowCongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;
    void Start(DataRate lineRate, uint32_t payloadBytes) override;

  private:
    struct PastWindow
    {
        Ticks since;    ///< when it came into force
        double rate{0}; ///< window over T, bit/s
    };

    void Update(const AckSignals& signals, bool isNewRound, Time now) override;
    void MeasurePower(const LinkSamples& samples);
    /// Sets a new window; both parameters are windows over T, bit/s.
    /// @param reference divided by the power
    /// @param previous averaged with the new window
    void Combine(double reference, double previous);
    /// Updates Wold.
    /// @param sent when the packet now acknowledged was sent
    void RecallWindow(Time sent);

    double m_gamma{0};            ///< weight of a new window
    double m_target{0};           ///< power aimed at
    DataRate m_additiveAttribute; ///< as set
    bool m_oncePerRound{false};   ///< the window becomes Wold once per round trip
    double m_additiveStep{0};     ///< beta / T, bit/s

    TelemetryHistory m_history;    ///< of the path
    double m_power{1};             ///< p
    double m_old{0};               ///< Wold / T, bit/s
    RingBuffer<PastWindow> m_past; ///< those after Wold
};

} // namespace ns3::lossless

#endif /* LOSSLESS_POWERTCP_H */
