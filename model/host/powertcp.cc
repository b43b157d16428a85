// SPDX-License-Identifier: GPL-2.0-only
#include "powertcp.h"

#include "ns3/double.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PowerControl);
NS_OBJECT_ENSURE_REGISTERED(PowerTcp);
NS_OBJECT_ENSURE_REGISTERED(ThetaPowerTcp);

namespace
{

constexpr double ADDITIVE_SHARE = 25000.0 / 150; // 150 Mb/s at 25 Gb/s

} // namespace

TypeId
PowerControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::PowerControl")
            .SetParent<WindowCongestionControl>()
            .SetGroupName("Lossless")
            .AddAttribute("Gamma",
                          "Weight of a new window (default 0.9: the paper).",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&PowerControl::m_gamma),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AdditiveStep",
                          "Additive increase beta of the window, as a rate over the base "
                          "round-trip time, in bit/s; 0: 3/500 of the line rate, 150 Mb/s at 25 "
                          "Gb/s (default: the PowerTCP simulator; the paper's form is the line "
                          "rate by the expected number of flows).",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&PowerControl::m_additiveAttribute),
                          MakeDataRateChecker());
    return tid;
}

void
PowerControl::Start(DataRate lineRate, uint32_t payloadBytes)
{
    WindowCongestionControl::Start(lineRate, payloadBytes);
    m_additiveStep = ResolveStep(m_additiveAttribute, ADDITIVE_SHARE);
    m_old = GetLineRate();
}

void
PowerControl::TakePower(double power, double interval)
{
    const double weight = std::min(interval / GetBaseRtt(), 1.0);
    m_power = (1 - weight) * m_power + weight * power;
}

void
PowerControl::UpdateWindow()
{
    // Without any power, the quotient is infinite, and the line rate the limit.
    SetCurrentRate(m_gamma * (m_old / m_power + m_additiveStep) +
                   (1 - m_gamma) * GetCurrentRate());
}

void
PowerControl::RememberWindow()
{
    m_old = GetCurrentRate();
}

TypeId
PowerTcp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::PowerTcp")
                            .SetParent<PowerControl>()
                            .SetGroupName("Lossless")
                            .AddConstructor<PowerTcp>();
    return tid;
}

CongestionFeedback
PowerTcp::GetFeedback() const
{
    CongestionFeedback feedback = PowerControl::GetFeedback();
    feedback.telemetry = true;
    return feedback;
}

void
PowerTcp::Update(const AckSignals& signals, bool isNewRound, Time now)
{
    if (!signals.telemetry)
    {
        return;
    }
    const LinkSamples samples = m_history.Take(*signals.telemetry, now);
    if (samples.IsEmpty())
    {
        return;
    }
    MeasurePower(samples);
    UpdateWindow();
    if (isNewRound)
    {
        RememberWindow();
    }
}

void
PowerTcp::MeasurePower(const LinkSamples& samples)
{
    double largest = 0;
    double interval = 0;
    for (const LinkSample& link : samples)
    {
        const double current = (link.queue - link.queueBefore) / link.interval + link.sentRate;
        const double product = link.rate * GetBaseRtt();
        const double power = current * (link.queue + product) / (link.rate * product);
        if (power > largest || interval == 0)
        {
            largest = std::max(power, 0.0);
            interval = link.interval;
        }
    }
    TakePower(largest, interval);
}

TypeId
ThetaPowerTcp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::ThetaPowerTcp")
                            .SetParent<PowerControl>()
                            .SetGroupName("Lossless")
                            .AddConstructor<ThetaPowerTcp>();
    return tid;
}

CongestionFeedback
ThetaPowerTcp::GetFeedback() const
{
    CongestionFeedback feedback;
    feedback.roundTrips = true;
    return feedback;
}

void
ThetaPowerTcp::Update(const AckSignals& signals, bool isNewRound, Time now)
{
    if (!signals.roundTrip)
    {
        return;
    }
    if (m_roundTrip && now > m_measured)
    {
        const double interval = (now - m_measured).GetSeconds();
        const double gradient = (*signals.roundTrip - *m_roundTrip).GetSeconds() / interval;
        const double theta = signals.roundTrip->GetSeconds();
        TakePower(std::max(gradient + 1, 0.0) * theta / GetBaseRtt(), interval);
    }
    m_roundTrip = signals.roundTrip;
    m_measured = now;
    if (isNewRound)
    {
        UpdateWindow();
        RememberWindow();
    }
}

} // namespace ns3::lossless
