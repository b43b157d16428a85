// SPDX-License-Identifier: GPL-2.0-only
#include "scheme-registry.h"

#include "ns3/abort.h"
#include "ns3/headroom-buffer-policy.h"

namespace ns3::lossless
{

std::vector<BufferPolicyInfo>
SchemeInfo::GetPolicies() const
{
    const std::vector<BufferPolicyInfo>& all = GetParts<BufferPolicyInfo>();
    const auto own = FindByName(all, policy);
    NS_ABORT_MSG_IF(!own,
                    "The scheme " << name << " has no known buffer policy: " << policy << ".");
    std::vector<BufferPolicyInfo> policies{*own};
    for (const BufferPolicyInfo& other : all)
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
