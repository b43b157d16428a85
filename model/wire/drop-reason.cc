// SPDX-License-Identifier: GPL-2.0-only
#include "drop-reason.h"

#include "ns3/abort.h"

#include <algorithm>
#include <array>
#include <vector>

namespace ns3::lossless
{

namespace
{

/// @return the module's own reasons, indexed by value
const std::array<DropReasonInfo, 9>&
GetOwn()
{
    static const std::array<DropReasonInfo, 9> own{{{"buffer-full", DropPlace::INGRESS, true},
                                                    {"headroom-full", DropPlace::INGRESS, true},
                                                    {"egress-limit", DropPlace::EGRESS, true},
                                                    {"bounce-limit", DropPlace::EGRESS, true},
                                                    {"no-route"},
                                                    {"link-down", DropPlace::EGRESS},
                                                    {"receive-error"},
                                                    {"not-addressed"},
                                                    {"unknown-control"}}};
    static_assert(std::tuple_size_v<std::decay_t<decltype(own)>> ==
                  static_cast<std::size_t>(DropReason::UNKNOWN_CONTROL) + 1);
    return own;
}

struct Registry
{
    std::vector<DropReasonInfo> reasons; ///< the registered reasons, sorted by name
    bool isInUse{false};                 ///< whether a registered reason has been used
};

/// @return the registered reasons; the registry is created on first use
Registry&
GetRegistry()
{
    static Registry registry;
    return registry;
}

template <typename Reasons>
auto
FindIn(const Reasons& reasons, const std::string& name)
{
    return std::find_if(reasons.begin(), reasons.end(), [&name](const DropReasonInfo& reason) {
        return reason.name == name;
    });
}

/// @return whether the name is valid in a results file
bool
IsName(const std::string& name)
{
    return !name.empty() &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

const DropReasonInfo&
GetInfo(DropReason reason)
{
    const auto value = static_cast<std::size_t>(reason);
    const auto& own = GetOwn();
    return value < own.size() ? own[value] : GetRegistry().reasons.at(value - own.size());
}

} // namespace

std::size_t
GetNumDropReasons()
{
    return GetOwn().size() + GetRegistry().reasons.size();
}

const char*
ToString(DropReason reason)
{
    return GetInfo(reason).name.c_str();
}

bool
IsCongestionLoss(DropReason reason)
{
    return GetInfo(reason).isCongestion;
}

bool
IsEgressLoss(DropReason reason)
{
    return GetInfo(reason).place == DropPlace::EGRESS;
}

void
AddDropReason(const DropReasonInfo& reason)
{
    auto& [reasons, isInUse] = GetRegistry();
    NS_ABORT_MSG_IF(!IsName(reason.name),
                    "The drop reason \"" << reason.name << "\" must be made of lower-case letters, "
                                         << "digits and hyphens.");
    NS_ABORT_MSG_IF(FindIn(GetOwn(), reason.name) != GetOwn().end() ||
                        FindIn(reasons, reason.name) != reasons.end(),
                    "The drop reason \"" << reason.name << "\" is registered twice.");
    NS_ABORT_MSG_IF(isInUse,
                    "The drop reason \"" << reason.name << "\" is registered too late: another one "
                                         << "is in use. Make it a constant of its source file.");
    NS_ABORT_MSG_IF(GetNumDropReasons() == MAX_DROP_REASONS,
                    "There are " << MAX_DROP_REASONS << " drop reasons already; \"" << reason.name
                                 << "\" is one too many.");
    const auto isBefore = [](const DropReasonInfo& a, const DropReasonInfo& b) {
        return a.name < b.name;
    };
    reasons.insert(std::upper_bound(reasons.begin(), reasons.end(), reason, isBefore), reason);
}

DropReason
FindDropReason(const std::string& name)
{
    auto& [reasons, isInUse] = GetRegistry();
    const auto found = FindIn(reasons, name);
    NS_ABORT_MSG_IF(found == reasons.end(),
                    "The drop reason \"" << name << "\" is not registered.");
    isInUse = true;
    return static_cast<DropReason>(GetOwn().size() + (found - reasons.begin()));
}

RegisterDropReason::RegisterDropReason(const DropReasonInfo& reason)
    : m_name(reason.name)
{
    AddDropReason(reason);
}

RegisterDropReason::operator DropReason() const
{
    return FindDropReason(m_name);
}

} // namespace ns3::lossless
