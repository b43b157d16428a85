// SPDX-License-Identifier: GPL-2.0-only
#include "scheme-registry.h"

#include "ns3/headroom-buffer-policy.h"
#include "ns3/named-choices.h"

namespace ns3::lossless
{

namespace
{

/// @tparam T a kind of choices @return those that are registered; made when the first one is
template <typename T>
std::vector<T>&
Registered()
{
    static std::vector<T> registered;
    return registered;
}

} // namespace

const std::vector<SchemeInfo>&
GetSchemes()
{
    return Registered<SchemeInfo>();
}

std::optional<SchemeInfo>
FindScheme(const std::string& name)
{
    return FindByName(GetSchemes(), name);
}

void
AddScheme(const SchemeInfo& scheme)
{
    AddChoice(Registered<SchemeInfo>(), scheme);
}

const std::vector<SwitchPartChoice>&
GetBufferPolicies()
{
    return Registered<SwitchPartChoice>();
}

void
AddBufferPolicy(const SwitchPartChoice& policy)
{
    AddChoice(Registered<SwitchPartChoice>(), policy);
}

std::vector<SwitchPartChoice>
SchemeInfo::GetPolicies() const
{
    const auto own = FindByName(GetBufferPolicies(), policy);
    NS_ABORT_MSG_IF(!own,
                    "The scheme " << name << " has no known buffer policy: " << policy << ".");
    std::vector<SwitchPartChoice> policies{*own};
    for (const SwitchPartChoice& other : GetBufferPolicies())
    {
        const TypeId type = TypeId::LookupByName(other.type);
        if (takesOtherPolicies && other.name != own->name &&
            type.IsChildOf(HeadroomBufferPolicy::GetTypeId()))
        {
            policies.push_back(other);
        }
    }
    return policies;
}

} // namespace ns3::lossless
