// SPDX-License-Identifier: GPL-2.0-only
#include "scheme-registry.h"

#include "ns3/headroom-buffer-policy.h"
#include "ns3/named-choices.h"

#include <map>
#include <string>

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
