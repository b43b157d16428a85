// SPDX-License-Identifier: GPL-2.0-only
#include "part-registry.h"

#include "ns3/abort.h"

#include <map>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// The name of a part and the part's class.
using NamedClass = std::pair<std::string, std::type_index>;

/// @return the names and classes of registered parts, keyed by the name of the TypeId
std::map<std::string, NamedClass>&
GetClasses()
{
    static std::map<std::string, NamedClass> classes;
    return classes;
}

} // namespace

void
AddClass(const PartInfo& part, std::type_index owner)
{
    const auto& [name, other] =
        GetClasses().emplace(part.type, NamedClass{part.name, owner}).first->second;
    NS_ABORT_MSG_IF(other != owner,
                    "The classes of \"" << name << "\" and \"" << part.name
                                        << "\" have the same type, " << part.type
                                        << "; give each a GetTypeId() of its own.");
}

void
RequireOwnClass(const Object& object)
{
    const std::string type = object.GetInstanceTypeId().GetName();
    const auto found = GetClasses().find(type);
    NS_ABORT_MSG_IF(found != GetClasses().end() && found->second.second != typeid(object),
                    "The class of \"" << found->second.first << "\" has no GetTypeId() of its own: "
                                      << type << " would be made instead.");
}

} // namespace ns3::lossless
