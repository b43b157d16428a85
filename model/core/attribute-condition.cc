// SPDX-License-Identifier: GPL-2.0-only
#include "attribute-condition.h"

#include "ns3/abort.h"

#include <map>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// @return the conditions, by type and attribute
std::map<std::pair<std::string, std::string>, AttributeCondition>&
GetConditions()
{
    static std::map<std::pair<std::string, std::string>, AttributeCondition> conditions;
    return conditions;
}

/// @param type a type @param attribute a name @return whether it declares that attribute itself
bool
Declares(TypeId type, const std::string& attribute)
{
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        if (type.GetAttribute(i).name == attribute)
        {
            return true;
        }
    }
    return false;
}

} // namespace

bool
AttributeCondition::Allows(const std::string& held) const
{
    return (held == value) == (where == Where::IS);
}

std::optional<AttributeCondition>
FindCondition(const std::string& type, const std::string& attribute)
{
    const auto found = GetConditions().find({type, attribute});
    return found == GetConditions().end() ? std::nullopt : std::optional(found->second);
}

void
AddCondition(TypeId type,
             const std::vector<std::string>& attributes,
             const AttributeCondition& condition)
{
    for (const std::string& attribute : attributes)
    {
        NS_ABORT_MSG_IF(!Declares(type, attribute) || !Declares(type, condition.other),
                        "AddCondition: " << type.GetName() << " has no attribute " << attribute
                                         << " or " << condition.other << ".");
        GetConditions()[{type.GetName(), attribute}] = condition;
    }
}

} // namespace ns3::lossless
