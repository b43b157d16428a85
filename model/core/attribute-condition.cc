// SPDX-License-Identifier: GPL-2.0-only
#include "attribute-condition.h"

#include "ns3/abort.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// The registered conditions, keyed by type and attribute.
using Conditions = std::multimap<std::pair<std::string, std::string>, AttributeCondition>;

Conditions&
GetConditions()
{
    static Conditions conditions;
    return conditions;
}

/// Returns whether the type itself, not a parent, declares the attribute.
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
    return (held.substr(0, held.find('[')) == value) == (where == Where::IS);
}

std::vector<AttributeCondition>
FindConditions(const std::string& type, const std::string& attribute)
{
    const auto [begin, end] = GetConditions().equal_range({type, attribute});
    std::vector<AttributeCondition> conditions;
    std::transform(begin, end, std::back_inserter(conditions), [](const auto& entry) {
        return entry.second;
    });
    return conditions;
}

void
AddCondition(TypeId type,
             const std::vector<std::string>& attributes,
             const AttributeCondition& condition)
{
    for (const std::string& attribute : attributes)
    {
        const bool isElsewhere = condition.other.find("::") != std::string::npos;
        NS_ABORT_MSG_IF(!Declares(type, attribute) ||
                            (!isElsewhere && !Declares(type, condition.other)),
                        "AddCondition: " << type.GetName() << " has no attribute " << attribute
                                         << " or " << condition.other << ".");
        GetConditions().emplace(std::make_pair(type.GetName(), attribute), condition);
    }
}

} // namespace ns3::lossless
