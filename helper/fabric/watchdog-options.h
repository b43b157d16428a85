// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATCHDOG_OPTIONS_H
#define LOSSLESS_WATCHDOG_OPTIONS_H

#include "switch-helper.h"

#include "ns3/nstime.h"
#include "ns3/strict-command-line.h"

#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The options of the PFC watchdog of all switches: `--watchdog`, and its times.
 */
class WatchdogOptions
{
  public:
    /// @param commandLine to which the options are added; they are read into this object, which
    /// must stay where it is
    void AddTo(StrictCommandLine& commandLine);

    /// Stops the program if there is no such action, or times make no sense.
    /// @param commandLine which has been read
    void Check(const StrictCommandLine& commandLine) const;

    /// @param switches get the watchdog, if it is wanted
    void ApplyTo(SwitchHelper& switches) const;

  private:
    /// @return time between looks
    Time GetPollInterval() const;

    std::string m_action{"off"};             ///< option
    Time m_detectionTime{MilliSeconds(400)}; ///< option
    Time m_restorationTime{Seconds(2)};      ///< option
    Time m_pollInterval;                     ///< option; 0: see GetPollInterval()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WATCHDOG_OPTIONS_H */
