// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_OPTIONS_H
#define LOSSLESS_SWITCH_OPTIONS_H

#include "switch-helper.h"

#include "ns3/strict-command-line.h"

#include <cstdint>
#include <string>

namespace ns3::lossless
{

/// The largest MTU of common switches, in bytes.
inline constexpr uint32_t MAX_MTU = 9216;

/**
 * @ingroup lossless
 * The program options for the switches: `--scheme`, `--buffer-policy`, `--egress-queue`,
 * `--routing`, `--overflow` and `--watchdog`. Experiment includes them. Programs that do not use
 * Experiment can use this class directly.
 */
class SwitchOptions
{
  public:
    /// @param scheme the default of `--scheme`
    /// @param routing the default of `--routing`; if empty, the program selects the Forwarding
    explicit SwitchOptions(const std::string& scheme = "SIH", const std::string& routing = "");

    /// Adds the options. They are stored in this object, which must not move.
    void AddTo(StrictCommandLine& commandLine);

    /// Resolves the options. Stops the program with exit status 1 if a choice is unknown or
    /// inconsistent.
    /// @param commandLine the parsed command line
    void Check(const StrictCommandLine& commandLine);

    /// @return the selected scheme; valid after Check()
    const SchemeInfo& GetScheme() const
    {
        return m_scheme;
    }

    /// @return true if switches trim frames that they cannot store
    bool IsTrimming() const;

    /// @return the option that makes switches spread the frames of a flow over several paths, or an
    /// empty string if there is none; valid after Check()
    std::string GetReordering() const;
    /// @return true if the program selects the Forwarding, or if it is the first one registered,
    /// which switches have by default; valid after Check()
    bool HasDefaultRouting() const;

    /// @return a helper for switches of the scheme with the selected parts; valid after Check()
    SwitchHelper MakeSwitchHelper() const;

  private:
    /// @return the TypeId of the buffer policy, or an empty string for the default of the scheme
    std::string FindPolicyType(const StrictCommandLine& commandLine) const;
    /// @return the TypeId of the egress queues, or an empty string for the default of the scheme
    std::string FindQueueType(const StrictCommandLine& commandLine) const;
    ForwardingInfo FindForwarding(const StrictCommandLine& commandLine) const;
    /// Stops the program if `--overflow` is inconsistent with other options.
    void CheckOverflow(const StrictCommandLine& commandLine) const;
    /// Stops the program if the watchdog options are inconsistent.
    void CheckWatchdog(const StrictCommandLine& commandLine) const;

    std::string m_schemeName;
    std::string m_policyName;
    std::string m_queueName;
    std::string m_routingName;
    std::string m_overflow{"drop"};
    std::string m_watchdog{"off"};
    SchemeInfo m_scheme;
    std::string m_policyType;    ///< name of the TypeId; empty for the default of the scheme
    std::string m_queueType;     ///< name of the TypeId; empty for the default of the scheme
    ForwardingInfo m_forwarding; ///< selected forwarding; it has no type if the program selects the
                                 ///< Forwarding
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_OPTIONS_H */
