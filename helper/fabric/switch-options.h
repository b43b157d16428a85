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
 * The options of a program that say what its switches are: `--scheme`, `--buffer-policy`,
 * `--egress-queue`, `--routing`, and `--overflow` and `--watchdog` with theirs.
 * Experiment has them; this is for programs without one.
 */
class SwitchOptions
{
  public:
    /// @param scheme default of `--scheme` @param routing default of `--routing`; empty: what the
    /// program gives its switches
    explicit SwitchOptions(const std::string& scheme = "SIH", const std::string& routing = "");

    /// @param commandLine to which the options are added; they are read into this object, which
    /// must stay where it is
    void AddTo(StrictCommandLine& commandLine);

    /// Looks up what was chosen; a choice that there is not, or that does not go with the others,
    /// stops the program with exit status 1. @param commandLine which has been read
    void Check(const StrictCommandLine& commandLine);

    /// @return the scheme chosen; valid after Check()
    const SchemeInfo& GetScheme() const
    {
        return m_scheme;
    }

    /// @return whether switches trim what they cannot store
    bool IsTrimming() const;

    /// @return the option by which switches spread the frames of a flow over paths; empty: they do
    /// not; valid after Check()
    std::string GetReordering() const;

    /// @return a helper for switches of the scheme with the parts chosen; valid after Check()
    SwitchHelper MakeSwitchHelper() const;

  private:
    /// @param commandLine which stops the program @return TypeId of the buffer policy; empty: that
    /// of the scheme
    std::string FindPolicyType(const StrictCommandLine& commandLine) const;
    /// @param commandLine which stops the program @return TypeId of the egress queues; empty: those
    /// of the scheme
    std::string FindQueueType(const StrictCommandLine& commandLine) const;
    /// @param commandLine which stops the program @return the forwarding
    ForwardingInfo FindForwarding(const StrictCommandLine& commandLine) const;
    /// Stops the program if `--overflow` makes no sense. @param commandLine which stops it
    void CheckOverflow(const StrictCommandLine& commandLine) const;
    /// Stops the program if the options of the watchdog make no sense.
    /// @param commandLine which stops it
    void CheckWatchdog(const StrictCommandLine& commandLine) const;

    std::string m_schemeName;       ///< option
    std::string m_policyName;       ///< option
    std::string m_queueName;        ///< option
    std::string m_routingName;      ///< option
    std::string m_overflow{"drop"}; ///< option
    std::string m_watchdog{"off"};  ///< option
    SchemeInfo m_scheme;            ///< the scheme chosen
    std::string m_policyType;       ///< TypeId of the policy chosen; empty: that of the scheme
    std::string m_queueType;     ///< TypeId of the egress queues chosen; empty: those of the scheme
    ForwardingInfo m_forwarding; ///< forwarding chosen; without a type: that of the program
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_OPTIONS_H */
