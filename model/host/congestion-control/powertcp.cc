// SPDX-License-Identifier: GPL-2.0-only
#include "powertcp.h"

#include "congestion-control-info.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/make-type-id.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PowerTcp);

const RegisterCongestionControl<PowerTcp> g_powerTcp(
    "PowerTCP",
    60,
    [](CongestionControlInfo& control) {
        control.what = "rate and window, by in-band telemetry (Addanki et al.)";
        const std::string powertcp = "ns3::lossless::PowerTcp::";
        control.constants = {
            {"default", {}},
            {"paper", {{powertcp + "Target", "1"}}},
            {"powertcp-simulator",
             {{powertcp + "AdditiveStep", "150Mbps"}, {powertcp + "OldOncePerRound", "true"}}}};
    });

namespace
{

constexpr double POWERTCP_ADDITIVE_SHARE = 25000.0 / 150; // 150 Mb/s for a link of 25 Gb/s

} // namespace

TypeId
PowerTcp::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<PowerTcp, WindowCongestionControl>("PowerTcp")
            .AddAttribute("Gamma",
                          "Weight of a newly computed window, 0.001 to 1 (default 0.9: the paper).",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&PowerTcp::m_gamma),
                          MakeDoubleChecker<double>(0.001, 1))
            .AddAttribute("Target",
                          "Target power, as a share of the power of a full link without a queue "
                          "(default 0.95: the PowerTCP simulator; 1: the paper).",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&PowerTcp::m_target),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute(
                "AdditiveStep",
                "Additive increase beta of the window, as a rate over T, in bit/s; 0: 3/500 of the "
                "line rate, 150 Mb/s at 25 Gb/s (default: the PowerTCP simulator; the paper: the "
                "line rate divided by the expected number of flows).",
                DataRateValue(DataRate(0)),
                MakeDataRateAccessor(&PowerTcp::m_additiveAttribute),
                MakeDataRateChecker())
            .AddAttribute("OldOncePerRound",
                          "Whether Wold is the window at the end of the previous round trip (the "
                          "PowerTCP simulator) or the one in force when the acknowledged packet "
                          "was sent (default: the control law of the paper).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&PowerTcp::m_oncePerRound),
                          MakeBooleanChecker());
    return tid;
}

CongestionFeedback
PowerTcp::GetFeedback() const
{
    CongestionFeedback feedback;
    feedback.roundTrips = true;
    feedback.telemetry = true;
    return feedback;
}

void
PowerTcp::Start(DataRate lineRate, uint32_t payloadBytes)
{
    WindowCongestionControl::Start(lineRate, payloadBytes);
    m_additiveStep = ResolveStep(m_additiveAttribute, POWERTCP_ADDITIVE_SHARE);
    m_old = GetLineRate();
}

void
PowerTcp::Update(const AckSignals& signals, bool isNewRound, Time now)
{
    if (!signals.telemetry)
    {
        return;
    }
    const LinkSamples samples = m_history.Take(*signals.telemetry, now);
    if (samples.empty())
    {
        return;
    }
    MeasurePower(samples);
    if (m_oncePerRound)
    {
        Combine(m_old, m_old);
        m_old = isNewRound ? GetCurrentRate() : m_old;
        return;
    }
    if (signals.roundTrip)
    {
        RecallWindow(now - *signals.roundTrip);
    }
    Combine(m_old, GetCurrentRate());
    m_past.Push({now.GetTimeStep(), GetCurrentRate()});
}

void
PowerTcp::Combine(double reference, double previous)
{
    // If the power is zero, the quotient is infinite, and the rate is limited to the line rate.
    SetCurrentRate(m_gamma * (reference / m_power + m_additiveStep) + (1 - m_gamma) * previous);
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
            // The power can be slightly negative because telemetry values are rounded.
            largest = std::max(power, 0.0);
            interval = link.interval;
        }
    }
    const double weight = std::min(interval / GetBaseRtt(), 1.0);
    m_power = (1 - weight) * m_power + weight * largest / m_target;
}

void
PowerTcp::RecallWindow(Time sent)
{
    while (!m_past.IsEmpty() && m_past.Front().since <= sent.GetTimeStep())
    {
        m_old = m_past.Pop().rate;
    }
}

} // namespace ns3::lossless
