// SPDX-License-Identifier: GPL-2.0-only
#include "scheme-registry.h"

#include "ns3/adaptive-forwarding.h"
#include "ns3/fair-egress-queue.h"
#include "ns3/headroom-buffer-policy.h"
#include "ns3/lossless-forwarding.h"
#include "ns3/named-choices.h"
#include "ns3/unlimited-buffer-policy.h"
#include "ns3/weighted-forwarding.h"

#include <map>
#include <string>

namespace ns3::lossless
{

namespace
{

/// @return the schemes that are registered; made when the first one is, as the other lists
std::vector<SchemeInfo>&
Schemes()
{
    static std::vector<SchemeInfo> schemes;
    return schemes;
}

/// @param part a kind of parts @return those that are registered
std::vector<SwitchPartChoice>&
Parts(SwitchPart part)
{
    static std::map<SwitchPart, std::vector<SwitchPartChoice>> parts;
    return parts[part];
}

/// A registered class.
struct RegisteredClass
{
    std::string name;             ///< under which it is registered
    IsOfClass isOfClass{nullptr}; ///< tells its objects
};

/// @return the registered classes, by the names of their types
std::map<std::string, RegisteredClass>&
GetClasses()
{
    static std::map<std::string, RegisteredClass> classes;
    return classes;
}

// What is below this folder.
const RegisterEgressQueue<FifoEgressQueue> g_fifo("Fifo", 10);
const RegisterEgressQueue<FairEgressQueue> g_fair("Fair", 20);
const RegisterForwarding<EcmpForwarding> g_ecmp("Ecmp", 10);
const RegisterForwarding<AdaptiveForwarding> g_adaptive("Adaptive", 20);
const RegisterForwarding<WeightedForwarding> g_weighted("Weighted", 30);
const RegisterBufferPolicy<UnlimitedBufferPolicy> g_unlimited("Unlimited", 70);

} // namespace

void
AddClass(const std::string& name, const std::string& type, IsOfClass isOfClass)
{
    const auto [place, isNew] = GetClasses().emplace(type, RegisteredClass{name, isOfClass});
    NS_ABORT_MSG_IF(!isNew && place->second.isOfClass != isOfClass,
                    "The classes of \"" << place->second.name << "\" and \"" << name
                                        << "\" have the same type, " << type
                                        << "; give each a GetTypeId() of its own.");
}

void
RequireOwnClass(const Object& object)
{
    const std::string type = object.GetInstanceTypeId().GetName();
    const auto found = GetClasses().find(type);
    NS_ABORT_MSG_IF(found != GetClasses().end() && !found->second.isOfClass(object),
                    "The class of \"" << found->second.name << "\" has no GetTypeId() of its own: "
                                      << type << " would be made instead.");
}

const std::vector<SchemeInfo>&
GetSchemes()
{
    return Schemes();
}

std::optional<SchemeInfo>
FindScheme(const std::string& name)
{
    return FindByName(GetSchemes(), name);
}

void
AddScheme(const SchemeInfo& scheme)
{
    AddChoice(Schemes(), scheme);
}

const std::vector<SwitchPartChoice>&
GetSwitchParts(SwitchPart part)
{
    return Parts(part);
}

void
AddSwitchPart(SwitchPart part, const SwitchPartChoice& choice)
{
    AddChoice(Parts(part), choice);
}

std::vector<SwitchPartChoice>
SchemeInfo::GetPolicies() const
{
    const std::vector<SwitchPartChoice>& all = GetSwitchParts(SwitchPart::BUFFER_POLICY);
    const auto own = FindByName(all, policy);
    NS_ABORT_MSG_IF(!own,
                    "The scheme " << name << " has no known buffer policy: " << policy << ".");
    std::vector<SwitchPartChoice> policies{*own};
    for (const SwitchPartChoice& other : all)
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
