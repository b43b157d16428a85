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
 * Each acknowledgement tells, of each link of the path, how its queue q changed and what it sent
 * since the one before. With the rate B of the link and the base round-trip time T,
 *
 *     current = dq/dt + sent rate,  voltage = q + B T,  power = current x voltage / (B^2 T)
 *
 * The largest power of the path, over the time since the packet before passed there, is divided by
 * "Target" and smoothed over T to p. With the window Wold in force when the packet now acknowledged
 * was sent,
 *
 *     W = gamma (Wold / p + beta) + (1 - gamma) W
 *
 * "Target" is a factor of the public simulator. Wold is exact. With "OldOncePerRound", as in that
 * simulator, the window takes the place of Wold once per round trip, and both terms are from there:
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
    /// A window that was in force.
    struct PastWindow
    {
        Ticks since;    ///< from then on
        double rate{0}; ///< window over T, bit/s
    };

    void Update(const AckSignals& signals, bool isNewRound, Time now) override;
    /// Updates p. @param samples what the links did
    void MeasurePower(const LinkSamples& samples);
    /// Takes a new window. @param reference what the power divides @param previous what the new
    /// window is averaged with; windows over T, bit/s
    void Combine(double reference, double previous);
    /// Updates Wold. @param sent when the packet was sent which is acknowledged now
    void RecallWindow(Time sent);

    double m_gamma{0};            ///< weight of a new window
    double m_target{0};           ///< power that is aimed at
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
