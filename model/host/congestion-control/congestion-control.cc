// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include "congestion-control-info.h"

#include "ns3/abort.h"
#include "ns3/make-type-id.h"

#include <algorithm>
#include <cmath>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(CongestionControl, Object);
LOSSLESS_PLAIN_CLASS(NoCongestionControl, CongestionControl);
NS_OBJECT_ENSURE_REGISTERED(RateCongestionControl);
NS_OBJECT_ENSURE_REGISTERED(RateWindowCongestionControl);

const RegisterCongestionControl<NoCongestionControl> g_noControl(
    "None",
    10,
    [](CongestionControlInfo& control) { control.what = "line rate, and the NIC's fixed window"; });

bool
CongestionControl::HandlesCnps()
{
    Start(DataRate("100Gbps"), 1000); // any values would do
    NotifyCnp(Time(0));
    return m_handlesCnps;
}

void
CongestionControl::NotifyTrimmed(const LossSignals& signals, Time now)
{
    NotifyLoss(signals, now);
}

void
NoCongestionControl::Start(DataRate lineRate, uint32_t /* payloadBytes */)
{
    m_lineRate = lineRate;
}

DataRate
NoCongestionControl::GetRate(Time /* now */)
{
    return m_lineRate;
}

TypeId
RateCongestionControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<RateCongestionControl, CongestionControl>("RateCongestionControl")
            .AddAttribute("MinRate",
                          "Minimum rate of a queue pair, in bit/s on the wire; above 0 (default "
                          "100 Mb/s: the HPCC simulator).",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&RateCongestionControl::m_minAttribute),
                          MakeDataRateChecker());
    return tid;
}

void
RateCongestionControl::Start(DataRate lineRate, uint32_t /* payloadBytes */)
{
    NS_ABORT_MSG_IF(m_minAttribute.GetBitRate() == 0,
                    GetInstanceTypeId().GetName()
                        << ": MinRate is 0, at which a queue pair would never send again; it must "
                           "be above 0.");
    m_lineRate = static_cast<double>(lineRate.GetBitRate());
    m_minRate = std::min(static_cast<double>(m_minAttribute.GetBitRate()), m_lineRate);
    m_rate = m_lineRate;
}

DataRate
RateCongestionControl::GetRate(Time /* now */)
{
    return DataRate(static_cast<uint64_t>(m_rate));
}

void
RateCongestionControl::NotifyPaused(const PauseNotice& notice, Time now)
{
    if (notice.share < 1)
    {
        GetRate(now); // handles all timers that have expired
        SetCurrentRate(notice.share * m_rate);
    }
}

void
RateCongestionControl::SetCurrentRate(double rate)
{
    m_rate = std::clamp(rate, m_minRate, m_lineRate);
}

double
RateCongestionControl::ResolveStep(DataRate step, double divisor) const
{
    return step.GetBitRate() == 0 ? m_lineRate / divisor : static_cast<double>(step.GetBitRate());
}

uint64_t
RateCongestionControl::GetBytesIn(double seconds) const
{
    const auto bytes = static_cast<uint64_t>(std::llround(m_rate * seconds / 8));
    return seconds == 0 ? 0 : std::max<uint64_t>(bytes, 1);
}

TypeId
RateWindowCongestionControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<RateWindowCongestionControl, RateCongestionControl>(
            "RateWindowCongestionControl")
            .AddAttribute("WindowRtt",
                          "Round-trip time of the longest path without queues; the window is what "
                          "the rate yields in it. 0: no window (default: the papers; 13 us: the "
                          "variants with windows of the HPCC paper, SIGCOMM 2019, Sec. 5.1).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RateWindowCongestionControl::m_windowRtt),
                          MakeTimeChecker(Time(0)));
    return tid;
}

uint64_t
RateWindowCongestionControl::GetWindow() const
{
    return GetBytesIn(m_windowRtt.GetSeconds());
}

} // namespace ns3::lossless
