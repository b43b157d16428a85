// SPDX-License-Identifier: GPL-2.0-only
#include "rate-window-congestion-control.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(RateWindowCongestionControl);

TypeId
RateWindowCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::RateWindowCongestionControl")
            .SetParent<RateCongestionControl>()
            .SetGroupName("Lossless")
            .AddAttribute("WindowRtt",
                          "Time in which the rate yields a window, that of the longest path "
                          "without queues; 0: no window (default: the papers; 13 us: the variants "
                          "with windows of the HPCC paper, SIGCOMM 2019, Sec. 5.1).",
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
