// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc.h"

#include "congestion-control-info.h"

#include "ns3/double.h"
#include "ns3/make-type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(Hpcc);

const RegisterCongestionControl<Hpcc> g_hpcc("HPCC", 50, [](CongestionControlInfo& control) {
    control.what = "rate and window, by in-band telemetry (Li et al.)";
    control.constants.push_back({"hpcc-simulator",
                                 {hpcc_simulator::LEAST_RATE,
                                  hpcc_simulator::ANSWERS_IN_DATA_CLASS,
                                  {"ns3::lossless::Hpcc::MaxStage", "0"}}});
});

namespace
{

constexpr double HPCC_ADDITIVE_SHARE = 2500; // a step of 10 Mb/s for a link of 25 Gb/s

} // namespace

TypeId
Hpcc::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<Hpcc, WindowCongestionControl>("Hpcc")
            .AddAttribute("Eta",
                          "Target share of a link's bandwidth-delay product in flight, above 0 "
                          "(default 0.95: the paper).",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&Hpcc::m_eta),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("MaxStage",
                          "Consecutive additive increases before a multiplicative change (default "
                          "5: the paper).",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Hpcc::m_maxStage),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveStep",
                          "Additive increase W_AI of the window, as a rate over T, in bit/s; 0: "
                          "1/2500 of the line rate, 10 Mb/s at 25 Gb/s (default: the HPCC "
                          "simulator).",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Hpcc::m_additiveAttribute),
                          MakeDataRateChecker());
    return tid;
}

CongestionFeedback
Hpcc::GetFeedback() const
{
    CongestionFeedback feedback = WindowCongestionControl::GetFeedback();
    feedback.telemetry = true;
    return feedback;
}

void
Hpcc::Start(DataRate lineRate, uint32_t payloadBytes)
{
    WindowCongestionControl::Start(lineRate, payloadBytes);
    m_additiveStep = ResolveStep(m_additiveAttribute, HPCC_ADDITIVE_SHARE);
    m_reference = GetLineRate();
}

void
Hpcc::Update(const AckSignals& signals, bool isNewRound, Time now)
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
    MeasureInflight(samples);
    const bool isScaled = m_inflight >= m_eta || m_stage >= m_maxStage;
    SetCurrentRate((isScaled ? m_reference * m_eta / m_inflight : m_reference) + m_additiveStep);
    if (isNewRound)
    {
        m_stage = isScaled ? 0 : m_stage + 1;
        m_reference = GetCurrentRate();
    }
}

void
Hpcc::MeasureInflight(const LinkSamples& samples)
{
    double largest = 0;
    double interval = 0;
    for (const LinkSample& link : samples)
    {
        const double queue = std::min(link.queueBefore, link.queue);
        const double inflight = queue / (link.rate * GetBaseRtt()) + link.sentRate / link.rate;
        if (inflight > largest)
        {
            largest = inflight;
            interval = link.interval;
        }
    }
    const double weight = std::min(interval / GetBaseRtt(), 1.0);
    m_inflight = (1 - weight) * m_inflight + weight * largest;
}

} // namespace ns3::lossless
