// SPDX-License-Identifier: GPL-2.0-only
#include "switch-options.h"

#include "ns3/named-choices.h"
#include "ns3/string.h"

namespace ns3::lossless
{

namespace
{

/// @param forwarding a registered Forwarding; its type is empty if the program selects the
/// Forwarding
/// @return the result of Forwarding::KeepsPath(), or true if the type is empty
bool
KeepsPath(const ForwardingInfo& forwarding)
{
    return forwarding.type.empty() ||
           ObjectFactory(forwarding.type).Create<Forwarding>()->KeepsPath();
}

} // namespace

SwitchOptions::SwitchOptions(const std::string& scheme, const std::string& routing)
    : m_schemeName(scheme),
      m_routingName(routing)
{
}

void
SwitchOptions::AddTo(StrictCommandLine& commandLine)
{
    commandLine.AddChoice<SchemeInfo>("scheme",
                                      "Flow control scheme: " + ListNames(GetParts<SchemeInfo>()) +
                                          ".",
                                      m_schemeName,
                                      "SwitchNode::FlowControl");
    commandLine.AddChoice<BufferPolicyInfo>(
        "buffer-policy",
        "Admission of frames and thresholds: " + ListNames(GetParts<BufferPolicyInfo>()) +
            "; empty: that of the scheme.",
        m_policyName,
        "SwitchNode::BufferPolicy");
    commandLine.AddChoice<EgressQueueInfo>(
        "egress-queue",
        "Structure of the egress queues: " + ListNames(GetParts<EgressQueueInfo>()) +
            "; empty: that of the scheme.",
        m_queueName,
        "SwitchNode::EgressQueue");
    commandLine.AddChoice<ForwardingInfo>(
        "routing",
        "Choice among the shortest paths: " + ListNames(GetParts<ForwardingInfo>()) +
            "; empty: that of the program.",
        m_routingName,
        "SwitchNode::Forwarding");
    commandLine.AddValue("overflow",
                         "What switches do with frames that they cannot store: drop, or trim, "
                         "which forwards the headers of RoCE data packets; for --scheme=DropTail.",
                         m_overflow);
    commandLine.AddAttribute("trim-size", "PacketTrimmer::TrimBytes", ByteRange{64, MAX_MTU});
    commandLine.AddAttribute("trim-class", "PacketTrimmer::Class", Range{0, 6});
    commandLine.AddAttribute("trim-share", "PacketTrimmer::Share", Range{0.001, 0.5});
    commandLine.AddValue("watchdog",
                         "What a PFC watchdog does to an egress queue that a storm of PAUSEs stops "
                         "(watchdog.csv): drop, forward, alert, or off.",
                         m_watchdog);
    commandLine.SetsAttribute("watchdog", "PfcWatchdog::Action");
    commandLine.AddAttribute("watchdog-detect", "PfcWatchdog::DetectionTime");
    commandLine.AddAttribute("watchdog-restore", "PfcWatchdog::RestorationTime");
    commandLine.AddAttribute("watchdog-poll", "PfcWatchdog::PollInterval");
}

void
SwitchOptions::Check(const StrictCommandLine& commandLine)
{
    m_scheme = commandLine.RequireChoice("scheme", GetParts<SchemeInfo>(), m_schemeName);
    m_policyType = m_policyName.empty() ? "" : FindPolicyType(commandLine);
    m_queueType = m_queueName.empty() ? "" : FindQueueType(commandLine);
    m_forwarding = m_routingName.empty() ? ForwardingInfo() : FindForwarding(commandLine);
    CheckOverflow(commandLine);
    CheckWatchdog(commandLine);
}

bool
SwitchOptions::IsTrimming() const
{
    return m_overflow == "trim";
}

void
SwitchOptions::CheckOverflow(const StrictCommandLine& commandLine) const
{
    commandLine.Require(IsTrimming() || m_overflow == "drop",
                        "--overflow is \"" + m_overflow + "\"; it must be drop or trim");
    commandLine.Require(!IsTrimming() || m_scheme.promise == Promise::NOTHING,
                        "--scheme=" + m_scheme.name +
                            " is to lose no frame, so that there is nothing to trim; write "
                            "--scheme=DropTail");
    commandLine.RequireUse({"trim-size", "trim-class", "trim-share"},
                           IsTrimming(),
                           "--overflow=trim");
}

void
SwitchOptions::CheckWatchdog(const StrictCommandLine& commandLine) const
{
    const bool isOn = m_watchdog != "off";
    commandLine.Require(!isOn || FindWatchdogAction(m_watchdog),
                        "--watchdog is \"" + m_watchdog +
                            "\"; it must be drop, forward, alert or off");
    commandLine.RequireUse({"watchdog-detect", "watchdog-restore", "watchdog-poll"},
                           isOn,
                           "a watchdog; write --watchdog=drop, forward or alert");
}

std::string
SwitchOptions::FindPolicyType(const StrictCommandLine& commandLine) const
{
    const BufferPolicyInfo policy =
        commandLine.RequireChoice("buffer-policy", GetParts<BufferPolicyInfo>(), m_policyName);
    const std::vector<BufferPolicyInfo> policies = m_scheme.GetPolicies();
    const auto general = FindPart<SchemeInfo>(m_scheme.general);
    const std::string instead =
        general && FindByName(general->GetPolicies(), policy.name)
            ? "write --scheme=" + general->name + " --buffer-policy=" + policy.name
            : "leave out --buffer-policy";
    commandLine.Require(
        FindByName(policies, policy.name).has_value(),
        m_scheme.takesOtherPolicies
            ? "--scheme=" + m_scheme.name +
                  " needs thresholds with headroom above, which the buffer policy " + policy.name +
                  " does not have; it must be one of " + ListNames(policies)
            : "--scheme=" + m_scheme.name + " includes the buffer policy " + m_scheme.policy +
                  " and cannot use " + policy.name + "; " + instead);
    // The switch already has this policy, with the attributes that the scheme has set.
    return policy.name == m_scheme.policy ? "" : policy.type;
}

std::string
SwitchOptions::FindQueueType(const StrictCommandLine& commandLine) const
{
    const EgressQueueInfo queue =
        commandLine.RequireChoice("egress-queue", GetParts<EgressQueueInfo>(), m_queueName);
    commandLine.Require(!m_scheme.hasOwnQueues,
                        "--scheme=" + m_scheme.name + " has egress queues of its own, not " +
                            queue.name + "; leave out --egress-queue");
    return queue.type;
}

ForwardingInfo
SwitchOptions::FindForwarding(const StrictCommandLine& commandLine) const
{
    const ForwardingInfo forwarding =
        commandLine.RequireChoice("routing", GetParts<ForwardingInfo>(), m_routingName);
    commandLine.Require(!m_scheme.needsOnePath || KeepsPath(forwarding),
                        "--scheme=" + m_scheme.name +
                            " needs one path for all frames of a flow; write --routing=Ecmp");
    return forwarding;
}

std::string
SwitchOptions::GetReordering() const
{
    return KeepsPath(m_forwarding) ? "" : "--routing=" + m_forwarding.name;
}

bool
SwitchOptions::HasDefaultRouting() const
{
    return m_forwarding.type.empty() ||
           m_forwarding.type == GetParts<ForwardingInfo>().front().type;
}

SwitchHelper
SwitchOptions::MakeSwitchHelper() const
{
    SwitchHelper switches(m_scheme);
    if (!m_policyType.empty())
    {
        switches.SetBufferPolicy(m_policyType);
    }
    if (!m_queueType.empty())
    {
        switches.SetEgressQueue(m_queueType);
    }
    if (!m_forwarding.type.empty())
    {
        switches.SetForwarding(m_forwarding.type);
    }
    if (IsTrimming())
    {
        switches.SetTrimmer();
    }
    if (m_watchdog != "off")
    {
        switches.SetWatchdog("ns3::lossless::PfcWatchdog", "Action", StringValue(m_watchdog));
    }
    return switches;
}

} // namespace ns3::lossless
