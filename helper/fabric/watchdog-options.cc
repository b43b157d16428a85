// SPDX-License-Identifier: GPL-2.0-only
#include "watchdog-options.h"

#include "ns3/quantity-text.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3::lossless
{

void
WatchdogOptions::AddTo(StrictCommandLine& commandLine)
{
    commandLine.AddValue("watchdog",
                         "What a PFC watchdog does about an egress queue that a storm of PAUSEs "
                         "stops (watchdog.csv): drop, forward, alert, or off.",
                         m_action);
    commandLine.AddValue("watchdog-detect",
                         "Watchdog: for how long a storm lasts before something is done.",
                         m_detectionTime,
                         Range::Above(0));
    commandLine.AddValue("watchdog-restore",
                         "Watchdog: for how long no PAUSE comes before the queue is restored.",
                         m_restorationTime,
                         Range::Above(0));
    commandLine.AddValue("watchdog-poll",
                         "Watchdog: polling interval, not above the two other times; 0: "
                         "200 ms, or the shorter of these.",
                         m_pollInterval,
                         Range{0});
    commandLine.SetsAttribute("watchdog", "PfcWatchdog::Action");
    commandLine.SetsAttribute("watchdog-detect", "PfcWatchdog::DetectionTime");
    commandLine.SetsAttribute("watchdog-restore", "PfcWatchdog::RestorationTime");
    commandLine.SetsAttribute("watchdog-poll", "PfcWatchdog::PollInterval");
}

void
WatchdogOptions::Check(const StrictCommandLine& commandLine) const
{
    const bool isOn = m_action != "off";
    commandLine.Require(!isOn || FindWatchdogAction(m_action),
                        "--watchdog is \"" + m_action +
                            "\"; it must be drop, forward, alert or off");
    commandLine.RequireUse({"watchdog-detect", "watchdog-restore", "watchdog-poll"},
                           isOn,
                           "a watchdog; write --watchdog=drop, forward or alert");
    commandLine.Require(m_detectionTime >= NanoSeconds(2),
                        "--watchdog-detect is " + FormatTime(m_detectionTime) +
                            "; it must be at least 2ns");
    const Time most = std::min(m_detectionTime, m_restorationTime);
    commandLine.Require(GetPollInterval() <= most,
                        "--watchdog-poll is " + FormatTime(m_pollInterval) +
                            "; it must not be above --watchdog-detect and --watchdog-restore, " +
                            FormatTime(m_detectionTime) + " and " + FormatTime(m_restorationTime));
}

void
WatchdogOptions::ApplyTo(SwitchHelper& switches) const
{
    if (m_action != "off")
    {
        switches.SetWatchdog("ns3::lossless::PfcWatchdog",
                             "Action",
                             StringValue(m_action),
                             "DetectionTime",
                             TimeValue(m_detectionTime),
                             "RestorationTime",
                             TimeValue(m_restorationTime),
                             "PollInterval",
                             TimeValue(GetPollInterval()));
    }
}

Time
WatchdogOptions::GetPollInterval() const
{
    const Time usual = MilliSeconds(200);
    return m_pollInterval.IsZero() ? std::min({usual, m_detectionTime, m_restorationTime})
                                   : m_pollInterval;
}

} // namespace ns3::lossless
