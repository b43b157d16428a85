// SPDX-License-Identifier: GPL-2.0-only
#include "timely.h"

#include "congestion-control-info.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/make-type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(Timely);

const RegisterCongestionControl<Timely> g_timely("TIMELY", 40, [](CongestionControlInfo& control) {
    control.what = "rate, by round-trip times (Mittal et al.)";
    control.constants.push_back({"hpcc-simulator", {hpcc_simulator::LEAST_RATE}});
});

namespace
{

constexpr double TIMELY_ADDITIVE_SHARE = 1000; // a step of 10 Mb/s for a link of 10 Gb/s
constexpr double TIMELY_HYPER_SHARE = 200;     // a step of 50 Mb/s for a link of 10 Gb/s

} // namespace

TypeId
Timely::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<Timely, RateWindowCongestionControl>("Timely")
            .AddAttribute("Alpha",
                          "Weight of a new difference of round-trip times (default: the paper).",
                          DoubleValue(0.875),
                          MakeDoubleAccessor(&Timely::m_alpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Beta",
                          "Strength of a multiplicative decrease (default: the paper).",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&Timely::m_beta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("LowThreshold",
                          "Round-trip time below which the rate always rises (default: the paper).",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&Timely::m_low),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("HighThreshold",
                          "Round-trip time above which the rate always falls; not below "
                          "LowThreshold (default: the paper).",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&Timely::m_high),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "MinRtt",
                "Round-trip time by which differences are divided (default 20 us: the paper).",
                TimeValue(MicroSeconds(20)),
                MakeTimeAccessor(&Timely::m_minRtt),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("AdditiveStep",
                          "Increase of the rate, in bit/s; 0: 1/1000 of the line rate, the "
                          "paper's 10 Mb/s at 10 Gb/s.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Timely::m_additiveAttribute),
                          MakeDataRateChecker())
            .AddAttribute("HyperStep",
                          "Increase of the rate after HyperAfter increases in a row, in bit/s; 0: "
                          "1/200 of the line rate, the paper's 5 x 10 Mb/s at 10 Gb/s.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Timely::m_hyperAttribute),
                          MakeDataRateChecker())
            .AddAttribute("HyperAfter",
                          "Consecutive increases before those by HyperStep (default: the paper).",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Timely::m_hyperAfter),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "LowCounts",
                "Whether increases below LowThreshold count for hyper increase and may be hyper "
                "increases (default: the HPCC simulator), or neither (the paper).",
                BooleanValue(true),
                MakeBooleanAccessor(&Timely::m_lowCounts),
                MakeBooleanChecker());
    return tid;
}

CongestionFeedback
Timely::GetFeedback() const
{
    CongestionFeedback feedback;
    feedback.roundTrips = true;
    return feedback;
}

void
Timely::Start(DataRate lineRate, uint32_t payloadBytes)
{
    NS_ABORT_MSG_IF(m_low > m_high,
                    "Timely: LowThreshold of " << m_low.As(Time::US)
                                               << " is above HighThreshold of "
                                               << m_high.As(Time::US) << "; it must not be.");
    RateWindowCongestionControl::Start(lineRate, payloadBytes);
    m_additiveStep = ResolveStep(m_additiveAttribute, TIMELY_ADDITIVE_SHARE);
    m_hyperStep = ResolveStep(m_hyperAttribute, TIMELY_HYPER_SHARE);
    m_payloadBytes = payloadBytes;
}

void
Timely::NotifyAck(const AckSignals& signals, Time now)
{
    if (!signals.roundTrip || (m_round && signals.acknowledged <= *m_round))
    {
        return;
    }
    const Time rtt = *signals.roundTrip;
    if (m_round)
    {
        const Time before = m_previous;
        const int64_t rounds = TakeRounds(signals, now - m_updated);
        for (int64_t i = 1; i <= rounds; ++i)
        {
            Update(before + (rtt - before) * i / rounds);
        }
    }
    else
    {
        m_previous = rtt;
        m_round = signals.sent;
    }
    m_updated = now;
}

int64_t
Timely::TakeRounds(const AckSignals& signals, Time elapsed)
{
    const uint64_t length = signals.sent - signals.acknowledged + m_payloadBytes;
    const auto byBytes = static_cast<int64_t>((signals.acknowledged - *m_round - 1) / length);
    const int64_t byTime =
        elapsed.GetTimeStep() / std::max<int64_t>(signals.roundTrip->GetTimeStep(), 1);
    const int64_t rounds = 1 + std::min(byBytes, byTime);
    const uint64_t ended =
        std::min(*m_round + m_payloadBytes + static_cast<uint64_t>(rounds - 1) * length,
                 signals.acknowledged);
    // The next round ends with the acknowledgement of all payload that would have been in flight at
    // the end of the latest round trip if each packet had been acknowledged separately.
    m_round = std::max(signals.sent - (signals.acknowledged - ended), signals.acknowledged);
    return rounds;
}

void
Timely::Update(Time rtt)
{
    const auto change = static_cast<double>((rtt - m_previous).GetTimeStep());
    m_previous = rtt;
    m_difference = (1 - m_alpha) * m_difference + m_alpha * change;
    const double gradient = m_difference / static_cast<double>(m_minRtt.GetTimeStep());
    if (rtt < m_low)
    {
        Increase(m_lowCounts);
    }
    else if (rtt > m_high)
    {
        const double excess =
            1 - static_cast<double>(m_high.GetTimeStep()) / static_cast<double>(rtt.GetTimeStep());
        Decrease(1 - m_beta * excess);
    }
    else if (gradient <= 0)
    {
        Increase(true);
    }
    else
    {
        Decrease(1 - m_beta * gradient);
    }
}

void
Timely::Increase(bool mayHyper)
{
    const bool isHyper = mayHyper && m_increases >= m_hyperAfter;
    SetCurrentRate(GetCurrentRate() + (isHyper ? m_hyperStep : m_additiveStep));
    m_increases += mayHyper;
}

void
Timely::Decrease(double factor)
{
    SetCurrentRate(GetCurrentRate() * std::max(factor, 0.0));
    m_increases = 0;
}

} // namespace ns3::lossless
