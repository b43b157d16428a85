// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_OPTIONS_H
#define LOSSLESS_SWITCH_OPTIONS_H

#include "switch-helper.h"

#include "ns3/strict-command-line.h"

#include <cstdint>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Program options that describe its switches: `--scheme`, `--buffer-policy`, `--egress-queue`,
 * `--routing`, and `--overflow` and `--watchdog` with their own. Experiment includes them; this
 * class is for programs without one.
 */
class SwitchOptions
{
  public:
    /// @param scheme default of `--scheme`
    /// @param routing default of `--routing`; empty: what the program gives its switches
    explicit SwitchOptions(const std::string& scheme = "SIH", const std::string& routing = "");

    /// Adds the options; they are read into this object, which must not move.
    void AddTo(StrictCommandLine& commandLine);

    /// Looks up what was chosen; an unknown or inconsistent choice stops the program with exit
    /// status 1. @param commandLine already parsed
    void Check(const StrictCommandLine& commandLine);

    /// @return the scheme chosen; valid after Check()
    const SchemeInfo& GetScheme() const
    {
        return m_scheme;
    }

    /// @return whether switches trim frames that they cannot store
    bool IsTrimming() const;

    /// @return the option by which switches spread the frames of a flow over paths, otherwise
    /// empty; valid after Check()
    std::string GetReordering() const;

    /// @return a helper for switches of the scheme with the chosen parts; valid after Check()
    SwitchHelper MakeSwitchHelper() const;

  private:
    /// @return TypeId of the buffer policy; empty: that of the scheme
    std::string FindPolicyType(const StrictCommandLine& commandLine) const;
    /// @return TypeId of the egress queues; empty: those of the scheme
    std::string FindQueueType(const StrictCommandLine& commandLine) const;
    ForwardingInfo FindForwarding(const StrictCommandLine& commandLine) const;
    /// Stops the program if `--overflow` is inconsistent with other options.
    void CheckOverflow(const StrictCommandLine& commandLine) const;
    /// Stops the program if the options of the watchdog are inconsistent.
    void CheckWatchdog(const StrictCommandLine& commandLine) const;

    std::string m_schemeName;
    std::string m_policyName;
    std::string m_queueName;
    std::string m_routingName;
    std::string m_overflow{"drop"};
    std::string m_watchdog{"off"};
    SchemeInfo m_scheme;
    std::string m_policyType;    ///< TypeId; empty: that of the scheme
    std::string m_queueType;     ///< TypeId; empty: those of the scheme
    ForwardingInfo m_forwarding; ///< without a type: that of the program
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_OPTIONS_H */
