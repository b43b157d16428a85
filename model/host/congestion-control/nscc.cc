// SPDX-License-Identifier: GPL-2.0-only
#include "nscc.h"

#include "congestion-control-info.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/make-type-id.h"

#include <algorithm>
#include <cmath>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(Nscc);

const RegisterCongestionControl<Nscc> g_nscc("NSCC", 70, [](CongestionControlInfo& control) {
    control.what = "window, by marks, delay and trimmed packets (Ultra Ethernet)";
    control.marker = "ns3::lossless::RedMarker";
    control.whereTrimmed = {{"ns3::lossless::Nscc::Trimming", "true"}};
});

namespace
{

// All constants are taken from uet-htsim, commit 40ccb05.
constexpr double REFERENCE_RATE = 100e9; ///< the link rate for which the constants hold, in bit/s
constexpr double REFERENCE_RTT = 12e-6;  ///< the round-trip time for which the constants hold, in
                                         ///< seconds
constexpr double TARGET_WITH_TRIMMING = 0.75; ///< the delay target with trimming, in round trips
constexpr double TARGET_WITHOUT = 1;          ///< the delay target without trimming, in round trips
constexpr double MAX_WINDOW = 1.5; ///< the maximum and initial window, in bandwidth-delay products
constexpr double ALPHA = 4;        ///< the gain of the proportional increase, in packets
constexpr double FAIR = 5;         ///< the step of the fair increase, in packets
constexpr double FAST = 0.25;      ///< the fraction of the acknowledged bytes that the fast
                                   ///< increase adds
constexpr int64_t FAST_BELOW = 1000; ///< the delay below which the fast increase starts, in ns
constexpr double ETA = 0.15;         ///< the increase per round trip, in packets
constexpr double LEAST_FACTOR = 0.5; ///< the minimum factor of a multiplicative decrease
constexpr double ADJUST_AFTER = 8;   ///< the number of packets after which the window is adjusted
constexpr double GAIN = 0.0125;      ///< the gain of the average delay
constexpr double UNMARKED_DELAY = 0.25; ///< the delay averaged in place of a long delay without a
                                        ///< mark, in round trips; see Average()
constexpr int64_t ADAPT_ABOVE = 4;      ///< the delay above which quick adapt applies, in multiples
                                        ///< of the delay target
constexpr double ADAPT_BELOW =
    1.0 / 8;               ///< the fraction of the maximum window below which quick adapt applies
constexpr double BITS = 8; ///< the number of bits per byte

} // namespace

TypeId
Nscc::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<Nscc, CongestionControl>("Nscc")
            .AddAttribute(
                "BaseRtt",
                "Round-trip time of a full packet and its acknowledgement on the network's longest "
                "path without queues (default 12 us: Ultra Ethernet's reference).",
                TimeValue(MicroSeconds(12)),
                MakeTimeAccessor(&Nscc::m_networkRtt),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("TargetDelay",
                          "Delay that queues may add to the smallest round-trip time; 0: 0.75 "
                          "BaseRtt with Trimming, 1 BaseRtt without (uet-htsim).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Nscc::m_targetAttribute),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Trimming",
                          "Whether switches trim frames that they cannot store; programs set it "
                          "with --overflow=trim.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Nscc::m_isTrimming),
                          MakeBooleanChecker())
            .AddAttribute("Gamma",
                          "Strength of a multiplicative decrease (default: uet-htsim).",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&Nscc::m_gamma),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

CongestionFeedback
Nscc::GetFeedback() const
{
    CongestionFeedback feedback;
    feedback.roundTrips = true;
    return feedback;
}

void
Nscc::Start(DataRate lineRate, uint32_t payloadBytes)
{
    const auto rate = static_cast<double>(lineRate.GetBitRate());
    m_lineRate = lineRate;
    m_packet = payloadBytes;
    m_period = m_networkRtt.GetSeconds();
    m_baseRtt = m_networkRtt;
    const Time target = m_networkRtt * (m_isTrimming ? TARGET_WITH_TRIMMING : TARGET_WITHOUT);
    m_target = m_targetAttribute.IsZero() ? target : m_targetAttribute;
    m_scale = rate * m_period / (REFERENCE_RATE * REFERENCE_RTT);
    // uet-htsim multiplies by b / target, where b = target / REFERENCE_RTT, so the target cancels.
    m_alpha = ALPHA * m_packet * m_scale / REFERENCE_RTT;
    m_maxWindow = MAX_WINDOW * rate * m_period / BITS;
    m_window = m_maxWindow;
    Limit();
}

Time
Nscc::TakeRoundTrip(Time roundTrip)
{
    if (roundTrip < m_baseRtt)
    {
        m_baseRtt = roundTrip;
        const auto rate = static_cast<double>(m_lineRate.GetBitRate());
        m_maxWindow = MAX_WINDOW * rate * roundTrip.GetSeconds() / BITS;
    }
    return roundTrip - m_baseRtt;
}

void
Nscc::Average(double delay, bool counts)
{
    // A long delay without a mark does not indicate persistent congestion.
    const double sample = counts ? delay : UNMARKED_DELAY * m_baseRtt.GetSeconds();
    m_average += GAIN * (sample - m_average);
}

void
Nscc::NotifyAck(const AckSignals& signals, Time now)
{
    if (signals.isTrimmed && signals.newBytes == 0)
    {
        return; // no payload has arrived; NotifyTrimmed() handles the report
    }
    const auto bytes = static_cast<double>(signals.newBytes);
    const double time = now.GetSeconds();
    m_achieved += bytes;
    m_unadjusted += bytes;
    m_ignored += bytes;
    Time delay = Seconds(m_average);
    if (signals.roundTrip)
    {
        delay = TakeRoundTrip(*signals.roundTrip);
        Average(delay.GetSeconds(), signals.isMarked || delay <= m_target);
    }
    if (QuickAdapt(false, signals.isMarked, delay, signals.inFlight, time))
    {
        return;
    }
    if (!signals.isMarked)
    {
        Increase(bytes, delay);
    }
    else if (delay >= m_target)
    {
        Decrease(time);
    }
    Limit();
    const bool isDue = !m_adjusted || time - *m_adjusted > m_period;
    if (isDue || m_unadjusted > ADJUST_AFTER * m_packet)
    {
        Fulfil(time);
    }
    Limit();
}

bool
Nscc::QuickAdapt(bool isTrimmed, bool isMarked, Time delay, uint64_t inFlight, double now)
{
    bool isDone = m_ignored < m_toIgnore && isMarked;
    if (!isDone && (!m_adaptAt || now > *m_adaptAt))
    {
        const bool isCongested = m_isTriggered || isTrimmed || delay > m_target * ADAPT_ABOVE;
        if (m_adaptAt && isCongested && m_achieved < ADAPT_BELOW * m_maxWindow)
        {
            m_window = std::max(m_achieved, m_packet);
            m_toIgnore = static_cast<double>(inFlight);
            m_ignored = 0;
            m_isTriggered = false;
            isDone = true;
        }
        m_achieved = 0;
        m_adaptAt = now + (m_baseRtt + m_target).GetSeconds();
    }
    if (isDone)
    {
        m_sum = 0;
        m_unadjusted = 0;
    }
    return isDone;
}

void
Nscc::Increase(double bytes, Time delay)
{
    if (delay >= m_target)
    {
        m_sum += FAIR * m_packet * m_scale * bytes;
    }
    else if (!IncreaseFast(bytes, delay))
    {
        m_sum += m_alpha * bytes * (m_target - delay).GetSeconds();
    }
}

bool
Nscc::IncreaseFast(double bytes, Time delay)
{
    const bool isLow = delay < NanoSeconds(FAST_BELOW);
    m_lowDelay = isLow ? m_lowDelay + bytes : 0;
    m_isFast = isLow && (m_isFast || m_lowDelay > m_window);
    if (m_isFast)
    {
        m_window += FAST * m_scale * bytes;
    }
    return m_isFast;
}

void
Nscc::Decrease(double now)
{
    m_isFast = false;
    m_lowDelay = 0;
    const double target = m_target.GetSeconds();
    const bool mayDecrease = !m_decreased || now - *m_decreased > m_baseRtt.GetSeconds();
    if (m_average > target && mayDecrease)
    {
        m_window *= std::max(1 - m_gamma * (m_average - target) / m_average, LEAST_FACTOR);
        m_decreased = now;
    }
}

void
Nscc::Fulfil(double now)
{
    m_window += m_sum / m_window;
    if (!m_adjusted || now - *m_adjusted >= m_period)
    {
        m_window += ETA * m_packet * m_scale;
        m_adjusted = now;
    }
    m_sum = 0;
    m_unadjusted = 0;
}

void
Nscc::Limit()
{
    m_window = std::clamp(m_window, m_packet, std::max(m_maxWindow, m_packet));
}

void
Nscc::NotifyLoss(const LossSignals& signals, Time /* now */)
{
    m_window -= static_cast<double>(signals.bytes);
    Limit();
}

void
Nscc::NotifyTrimmed(const LossSignals& signals, Time now)
{
    m_ignored += static_cast<double>(signals.bytes);
    Average(m_period, true);
    m_isTriggered = true;
    const uint64_t before = signals.inFlight + signals.bytes;
    if (!QuickAdapt(true, true, Time(0), before, now.GetSeconds()))
    {
        NotifyLoss(signals, now);
    }
}

DataRate
Nscc::GetRate(Time /* now */)
{
    return m_lineRate;
}

uint64_t
Nscc::GetWindow() const
{
    return static_cast<uint64_t>(std::llround(m_window));
}

} // namespace ns3::lossless
