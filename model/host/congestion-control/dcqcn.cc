// SPDX-License-Identifier: GPL-2.0-only
#include "dcqcn.h"

#include "congestion-control-info.h"

#include "ns3/boolean.h"
#include "ns3/count-attribute.h"
#include "ns3/double.h"
#include "ns3/make-type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(Dcqcn);

const RegisterCongestionControl<Dcqcn> g_dcqcn("DCQCN", 20, [](CongestionControlInfo& control) {
    control.what = "rate, by congestion notification packets (Zhu et al.)";
    control.marker = "ns3::lossless::RedMarker";
    const std::string dcqcn = "ns3::lossless::Dcqcn::";
    const std::string marker = "ns3::lossless::RedMarker::";
    // The HPCC and PowerTCP simulators scale the marking thresholds with the port rate. Thresholds
    // that are not listed keep their defaults.
    const CongestionConstants::Value byRate{"ns3::lossless::EcnMarker::ReferenceRate", "100Gbps"};
    control.constants = {{"default", {}},
                         {"paper",
                          {{dcqcn + "AlphaTimer", "55us"},
                           {dcqcn + "RateCutInterval", "0us"},
                           {dcqcn + "RateTimer", "55us"},
                           {dcqcn + "ByteCounter", "10000000"},
                           {dcqcn + "AdditiveStep", "40Mbps"},
                           {dcqcn + "ClampTarget", "true"},
                           {"ns3::lossless::RoceNic::CnpInterval", "50us"},
                           {marker + "MinBytes", "5000"},
                           {marker + "MaxBytes", "200000"},
                           {marker + "MaxProbability", "0.01"}}},
                         {"hpcc-simulator",
                          {{dcqcn + "FastRecoverySteps", "1"},
                           hpcc_simulator::LEAST_RATE,
                           hpcc_simulator::MARKS_ON_DEQUEUE,
                           byRate}},
                         {"powertcp-simulator",
                          {{dcqcn + "RateTimer", "900us"},
                           {dcqcn + "FastRecoverySteps", "1"},
                           {dcqcn + "AdditiveStep", "50Mbps"},
                           {dcqcn + "HyperStep", "100Mbps"},
                           hpcc_simulator::MARKS_ON_DEQUEUE,
                           byRate}},
                         {"ns3-rdma",
                          {{dcqcn + "AlphaTimer", "55us"},
                           {dcqcn + "RateCutInterval", "0us"},
                           {dcqcn + "RateTimer", "60us"},
                           {dcqcn + "ByteCounter", "300000000"},
                           {dcqcn + "AdditiveStep", "40Mbps"},
                           {dcqcn + "HyperStep", "200Mbps"},
                           {dcqcn + "ClampTarget", "true"},
                           {"ns3::lossless::RoceNic::CnpInterval", "50us"},
                           {marker + "MinBytes", "41200"},
                           {marker + "MaxBytes", "1030000"},
                           {marker + "MaxProbability", "1"}}}};
});

namespace
{

constexpr double DCQCN_ADDITIVE_SHARE = 5000; // a step of 20 Mb/s for a link of 100 Gb/s
constexpr double HYPER_SHARE = 500;           // a step of 200 Mb/s for a link of 100 Gb/s

/// Computes a power using only multiplications, so that the result is identical with every C
/// library.
/// @param exponent the exponent, at least 1
double
Power(double base, int64_t exponent)
{
    double power = 1;
    for (; exponent > 0; exponent /= 2)
    {
        power *= exponent % 2 != 0 ? base : 1;
        base *= base;
    }
    return power;
}

} // namespace

TypeId
Dcqcn::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<Dcqcn, RateWindowCongestionControl>("Dcqcn")
            .AddAttribute("Gain",
                          "Weight g of a new observation in alpha (default 1/256: the paper and "
                          "the HPCC simulator).",
                          DoubleValue(1.0 / 256),
                          MakeDoubleAccessor(&Dcqcn::m_gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AlphaTimer",
                          "Period at whose end alpha rises if a notification arrived in it, and "
                          "decays otherwise (default 1 us: the HPCC simulator; 55 us: the paper, "
                          "where it is above CnpInterval).",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&Dcqcn::m_alphaTimer),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("RateCutInterval",
                          "Minimum time between cuts of the rate (default 4 us: the HPCC "
                          "simulator; 0: the paper, where each notification cuts the rate).",
                          TimeValue(MicroSeconds(4)),
                          MakeTimeAccessor(&Dcqcn::m_cutInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RateTimer",
                          "Time between steps of increase (default 300 us: the vendor's set in the "
                          "HPCC paper, SIGCOMM 2019, Sec. 2.3; 900 us: the PowerTCP simulator; 55 "
                          "us: the DCQCN paper; 1500 us: its first simulator).",
                          TimeValue(MicroSeconds(300)),
                          MakeTimeAccessor(&Dcqcn::m_rateTimer),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ByteCounter",
                          "Bytes of frames between steps of increase; 0: only the timer counts "
                          "(default: the HPCC simulator; 10 MB: the paper).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Dcqcn::m_byteCounter),
                          MakeCountChecker())
            .AddAttribute("FastRecoverySteps",
                          "Number F of steps of fast recovery (default 5: the paper).",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Dcqcn::m_fastSteps),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveStep",
                          "Additive increase of the target rate per step, in bit/s; 0: 1/5000 of "
                          "the line rate, 20 Mb/s at 100 Gb/s (default: the HPCC simulator; 40 "
                          "Mb/s at 40 Gb/s: the paper).",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Dcqcn::m_additiveAttribute),
                          MakeDataRateChecker())
            .AddAttribute("HyperStep",
                          "Hyper increase of the target rate per step, in bit/s; 0: 1/500 of the "
                          "line rate, 200 Mb/s at 100 Gb/s (default: the HPCC simulator).",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Dcqcn::m_hyperAttribute),
                          MakeDataRateChecker())
            .AddAttribute(
                "ClampTarget",
                "Whether every cut lowers the target rate to the current one (the paper), or only "
                "a cut after a step of increase since the last cut (default: the HPCC simulator).",
                BooleanValue(false),
                MakeBooleanAccessor(&Dcqcn::m_clampTarget),
                MakeBooleanChecker());
    return tid;
}

CongestionFeedback
Dcqcn::GetFeedback() const
{
    CongestionFeedback feedback;
    feedback.notifications = true;
    return feedback;
}

void
Dcqcn::Start(DataRate lineRate, uint32_t payloadBytes)
{
    RateWindowCongestionControl::Start(lineRate, payloadBytes);
    m_target = GetLineRate();
    m_additiveStep = ResolveStep(m_additiveAttribute, DCQCN_ADDITIVE_SHARE);
    m_hyperStep = ResolveStep(m_hyperAttribute, HYPER_SHARE);
}

void
Dcqcn::NotifyCnp(Time now)
{
    ApplyTimer(now);
    if (!m_wasNotified)
    {
        m_periodStart = now;
    }
    UpdateAlpha(now);
    m_isHeard = true;
    if (!m_wasNotified || now - m_lastCut >= m_cutInterval)
    {
        m_wasNotified = true;
        Cut(now);
    }
}

void
Dcqcn::NotifyPaused(const PauseNotice& notice, Time now)
{
    RateWindowCongestionControl::NotifyPaused(notice, now);
    if (notice.share < 1 && !m_isLowered)
    {
        BeginIncrease(now);
    }
}

void
Dcqcn::UpdateAlpha(Time now)
{
    const int64_t periods = (now - m_periodStart).GetTimeStep() / m_alphaTimer.GetTimeStep();
    if (periods > 0)
    {
        m_alpha = (1 - m_gain) * m_alpha + (m_isHeard ? m_gain : 0);
        m_alpha *= Power(1 - m_gain, periods - 1);
        m_isHeard = false;
        m_periodStart += m_alphaTimer * periods;
    }
}

void
Dcqcn::Cut(Time now)
{
    if (m_clampTarget || m_timerSteps > 0 || m_byteSteps > 0)
    {
        m_target = GetCurrentRate();
    }
    SetCurrentRate(GetCurrentRate() * (1 - m_alpha / 2));
    m_lastCut = now;
    BeginIncrease(now);
}

void
Dcqcn::BeginIncrease(Time now)
{
    m_isLowered = true;
    m_nextStep = now + m_rateTimer;
    m_timerSteps = 0;
    m_byteSteps = 0;
    m_bytes = 0;
}

void
Dcqcn::NotifySent(uint32_t bytes, Time now)
{
    ApplyTimer(now);
    m_bytes += bytes;
    while (m_isLowered && m_byteCounter > 0 && m_bytes >= m_byteCounter)
    {
        m_bytes -= m_byteCounter;
        Increase();
        ++m_byteSteps;
    }
}

DataRate
Dcqcn::GetRate(Time now)
{
    ApplyTimer(now);
    return RateWindowCongestionControl::GetRate(now);
}

void
Dcqcn::ApplyTimer(Time now)
{
    while (m_isLowered && m_nextStep <= now)
    {
        Increase();
        ++m_timerSteps;
        m_nextStep += m_rateTimer;
    }
}

void
Dcqcn::Increase()
{
    const bool hasCounter = m_byteCounter > 0;
    const uint32_t most = std::max(m_timerSteps, m_byteSteps);
    const uint32_t least = hasCounter ? std::min(m_timerSteps, m_byteSteps) : m_timerSteps;
    if (most >= m_fastSteps)
    {
        m_target += least > m_fastSteps ? m_hyperStep : m_additiveStep;
        m_target = std::min(m_target, GetLineRate());
    }
    SetCurrentRate((GetCurrentRate() + m_target) / 2);
}

} // namespace ns3::lossless
