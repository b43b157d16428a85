// SPDX-License-Identifier: GPL-2.0-only
#include "switch-options.h"

#include "ns3/double.h"
#include "ns3/named-choices.h"
#include "ns3/uinteger.h"

namespace ns3::lossless
{

namespace
{

/// @param forwarding one of those registered, or none @return Forwarding::KeepsPath()
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
    commandLine.AddValue("scheme",
                         "Flow control scheme: " + ListNames(GetParts<SchemeInfo>()) + ".",
                         m_schemeName);
    commandLine.AddValue(
        "buffer-policy",
        "Admission of frames and thresholds: " + ListNames(GetParts<BufferPolicyInfo>()) +
            "; empty: that of the scheme.",
        m_policyName);
    commandLine.AddValue(
        "egress-queue",
        "Structure of the egress queues: " + ListNames(GetParts<EgressQueueInfo>()) +
            "; empty: that of the scheme.",
        m_queueName);
    commandLine.AddValue(
        "routing",
        "Choice among the shortest paths: " + ListNames(GetParts<ForwardingInfo>()) +
            "; empty: that of the program.",
        m_routingName);
    commandLine.SetsAttribute("egress-queue", "SwitchNode::EgressQueue");
    commandLine.AddValue("overflow",
                         "What switches do with frames that they cannot store: drop, or trim, "
                         "which sends headers of RoCE data packets on; for --scheme=DropTail.",
                         m_overflow);
    commandLine.AddValue("trim-size",
                         "What is left of a trimmed frame at most, without FCS.",
                         m_trimBytes,
                         ByteRange{64, 9216});
    commandLine.AddValue("trim-class",
                         "Class in which trimmed packets are sent on.",
                         m_trimClass,
                         Range{0, 6});
    commandLine.AddValue("trim-share",
                         "Share of a port that trimmed packets have while one other class has "
                         "frames.",
                         m_trimShare,
                         Range{0.001, 0.5});
    commandLine.SetsAttribute("trim-size", "PacketTrimmer::TrimBytes");
    commandLine.SetsAttribute("trim-class", "PacketTrimmer::Class");
    commandLine.SetsAttribute("trim-share", "PacketTrimmer::Share");
    m_watchdog.AddTo(commandLine);
}

void
SwitchOptions::Check(const StrictCommandLine& commandLine)
{
    m_scheme = commandLine.RequireChoice("scheme", GetParts<SchemeInfo>(), m_schemeName);
    m_policyType = m_policyName.empty() ? "" : FindPolicyType(commandLine);
    m_queueType = m_queueName.empty() ? "" : FindQueueType(commandLine);
    m_forwarding = m_routingName.empty() ? ForwardingInfo() : FindForwarding(commandLine);
    m_watchdog.Check(commandLine);
    CheckOverflow(commandLine);
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
    // The scheme's own is there already, with the attributes that the scheme gives it.
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
        switches.SetTrimmer("TrimBytes",
                            UintegerValue(m_trimBytes),
                            "Class",
                            UintegerValue(m_trimClass),
                            "Share",
                            DoubleValue(m_trimShare));
    }
    m_watchdog.ApplyTo(switches);
    return switches;
}

} // namespace ns3::lossless
