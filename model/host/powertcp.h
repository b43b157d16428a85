// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_POWERTCP_H
#define LOSSLESS_POWERTCP_H

#include "telemetry-history.h"
#include "window-congestion-control.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * What both variants of PowerTCP share (Addanki et al., "PowerTCP: Pushing the Performance Limits
 * of Datacenter Networks", NSDI 2022, Sec. 3.3): from the normalised power p of the path, smoothed
 * over the base round-trip time, and the window Wold of one round trip ago follows
 *
 *     W = gamma (Wold / p + beta) + (1 - gamma) W
 */
class PowerControl : public WindowCongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void Start(DataRate lineRate, uint32_t payloadBytes) override;

  protected:
    /// Smooths the power. @param power normalised @param interval in which it was, in seconds
    void TakePower(double power, double interval);
    /// Applies the power to the window.
    void UpdateWindow();
    /// The window of now is that of one round trip ago from now on.
    void RememberWindow();

  private:
    double m_gamma{0};            ///< weight of a new window
    DataRate m_additiveAttribute; ///< as set
    double m_additiveStep{0};     ///< beta over the base round-trip time, bit/s
    double m_power{1};            ///< smoothed
    double m_old{0};              ///< Wold over the base round-trip time, bit/s
};

/**
 * @ingroup lossless
 * PowerTCP by in-band telemetry (Algorithm 1 of the paper named at PowerControl).
 *
 * Each acknowledgement tells, of each link of the path, how its queue q changed and what it sent
 * since the one before. With the rate B of the link and the base round-trip time tau,
 *
 *     current = dq/dt + sent rate,  voltage = q + B tau,  power = current x voltage / (B^2 tau)
 *
 * The largest power counts, over the time since the packet before passed there.
 */
class PowerTcp : public PowerControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;

  private:
    void Update(const AckSignals& signals, bool isNewRound, Time now) override;
    /// Takes the largest power of the path. @param samples what the links did
    void MeasurePower(const LinkSamples& samples);

    TelemetryHistory m_history; ///< of the path
};

/**
 * @ingroup lossless
 * PowerTCP without help from switches (theta-PowerTCP, Algorithm 2 of the paper named at
 * PowerControl), by round-trip times theta:
 *
 *     power = (d theta / dt + 1) theta / tau
 *
 * The window changes once per round trip.
 */
class ThetaPowerTcp : public PowerControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;

  private:
    void Update(const AckSignals& signals, bool isNewRound, Time now) override;

    std::optional<Time> m_roundTrip; ///< latest
    Time m_measured;                 ///< when that was
};

} // namespace ns3::lossless

#endif /* LOSSLESS_POWERTCP_H */
