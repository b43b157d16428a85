// SPDX-License-Identifier: GPL-2.0-only
#include "option-names.h"

#include "ns3/attribute.h"
#include "ns3/global-value.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/range/adaptor/map.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// The maximum number of suggestions.
constexpr std::size_t MAX_SIMILAR = 3;

/// @return the minimum number of insertions, deletions, replacements, and swaps of adjacent
/// characters that turn one string into the other
std::size_t
GetDistance(const std::string& a, const std::string& b)
{
    // Indexed by the lengths of the prefixes of a and b.
    std::vector<std::vector<std::size_t>> to(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    std::iota(to[0].begin(), to[0].end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        to[i][0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            const std::size_t replaced = to[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            to[i][j] = std::min({replaced, to[i - 1][j] + 1, to[i][j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            {
                to[i][j] = std::min(to[i][j], to[i - 2][j - 2] + 1);
            }
        }
    }
    return to.back().back();
}

/// The full name of an attribute, split into two parts.
struct SplitName
{
    std::string type;      ///< type, such as "ns3::lossless::RoceNic"; may be empty
    std::string attribute; ///< attribute, such as "Window"

    explicit SplitName(const std::string& name)
    {
        const std::size_t colons = name.rfind("::");
        const bool isSplit = colons != std::string::npos;
        type = isSplit ? name.substr(0, colons) : "";
        attribute = isSplit ? name.substr(colons + 2) : name;
    }
};

std::vector<TypeId>
GetTypes()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        types.push_back(TypeId::GetRegistered(i));
    }
    return types;
}

/// The full names of attributes, by search key.
using NamesByKey = std::map<std::string, std::vector<std::string>>;

/// @param key the function that derives a search key from the full name of an attribute
/// @return the full names of all attributes of the types
NamesByKey
ListAttributes(const std::vector<TypeId>& types,
               const std::function<std::string(const SplitName&)>& key)
{
    NamesByKey names;
    for (const TypeId& type : types)
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const std::string name = type.GetAttributeFullName(i);
            names[key(SplitName(name))].push_back(name);
        }
    }
    return names;
}

/// @return the names whose search keys are most similar to the given name
std::vector<std::string>
FindByKey(const std::string& name, const NamesByKey& names)
{
    const auto keys = names | boost::adaptors::map_keys;
    std::vector<std::string> found;
    for (const std::string& key : FindSimilarNames(name, {keys.begin(), keys.end()}))
    {
        found.insert(found.end(), names.at(key).begin(), names.at(key).end());
    }
    found.resize(std::min(found.size(), MAX_SIMILAR));
    return found;
}

} // namespace

std::vector<TypeId>
GetFamily(TypeId type)
{
    std::vector<TypeId> family{type};
    while (family.back().HasParent() && family.back().GetParent() != family.back())
    {
        family.push_back(family.back().GetParent());
    }
    return family;
}

std::string
GetShortName(TypeId type)
{
    const std::string prefix = "ns3::lossless::";
    const std::string name = type.GetName();
    return name.rfind(prefix, 0) == 0 ? name.substr(prefix.size()) : name;
}

std::vector<TypeId>
GetOwnTypes()
{
    std::vector<TypeId> types = GetTypes();
    const auto isForeign = [](TypeId type) { return GetShortName(type) == type.GetName(); };
    types.erase(std::remove_if(types.begin(), types.end(), isForeign), types.end());
    const auto isEarlier = [](TypeId a, TypeId b) { return a.GetName() < b.GetName(); };
    std::sort(types.begin(), types.end(), isEarlier);
    return types;
}

std::vector<std::string>
FindSimilarNames(const std::string& name, const std::vector<std::string>& known)
{
    const std::size_t limit = std::max<std::size_t>(2, name.size() / 3);
    std::vector<std::pair<std::size_t, std::string>> similar;
    for (const std::string& other : known)
    {
        using boost::algorithm::starts_with;
        const bool isPart =
            name.size() > 2 && (starts_with(other, name) || starts_with(name, other + "-"));
        const std::size_t distance = isPart ? 1 : GetDistance(name, other);
        if (distance <= limit && 2 * distance <= name.size()) // so that at least half matches
        {
            similar.emplace_back(distance, other);
        }
    }
    std::sort(similar.begin(), similar.end());
    std::vector<std::string> names;
    for (const auto& [distance, other] : similar)
    {
        if (distance == similar.front().first && names.size() < MAX_SIMILAR)
        {
            names.push_back(other);
        }
    }
    return names;
}

std::vector<std::string>
FindSimilarTypes(const std::string& name)
{
    const auto getKey = [](const std::string& type) {
        return boost::algorithm::to_lower_copy(SplitName(type).attribute);
    };
    std::vector<TypeId> types = GetOwnTypes(); // these come first
    const auto all = GetTypes();
    types.insert(types.end(), all.begin(), all.end());
    const std::string wanted = getKey(name);
    std::map<std::string, std::string> names; // short names by key
    std::vector<std::string> containing;
    for (const TypeId& type : types)
    {
        const std::string key = getKey(type.GetName());
        const bool isNew = names.try_emplace(key, GetShortName(type)).second;
        const bool isOne = isNew && !wanted.empty() && key.find(wanted) != std::string::npos;
        containing.insert(containing.end(), isOne ? 1 : 0, GetShortName(type));
    }
    const auto keys = names | boost::adaptors::map_keys;
    std::vector<std::string> similar;
    for (const std::string& key : FindSimilarNames(wanted, {keys.begin(), keys.end()}))
    {
        similar.push_back(names.at(key));
    }
    containing.resize(std::min(containing.size(), MAX_SIMILAR));
    return similar.empty() ? containing : similar;
}

Ptr<const AttributeChecker>
FindAttribute(const std::string& name)
{
    const SplitName split(name);
    TypeId type;
    if (split.type.empty() || !TypeId::LookupByNameFailSafe(split.type, &type))
    {
        return nullptr;
    }
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        if (type.GetAttribute(i).name == split.attribute)
        {
            return type.GetAttribute(i).checker;
        }
    }
    return nullptr;
}

std::vector<std::string>
FindSimilarAttributes(const std::string& name)
{
    const SplitName split(name);
    std::vector<TypeId> types;
    for (const TypeId& type : GetTypes())
    {
        if (SplitName(type.GetName()).attribute == SplitName(split.type).attribute)
        {
            const auto family = GetFamily(type);
            types.insert(types.end(), family.begin(), family.end());
        }
    }
    if (!types.empty())
    {
        return FindByKey(split.attribute,
                         ListAttributes(types, [](const SplitName& own) { return own.attribute; }));
    }
    const auto withoutNamespace = [](const SplitName& own) {
        return SplitName(own.type).attribute + "::" + own.attribute;
    };
    return FindByKey(withoutNamespace(split), ListAttributes(GetTypes(), withoutNamespace));
}

Ptr<const AttributeChecker>
FindGlobalValue(const std::string& name)
{
    for (auto value = GlobalValue::Begin(); value != GlobalValue::End(); ++value)
    {
        if ((*value)->GetName() == name)
        {
            return (*value)->GetChecker();
        }
    }
    return nullptr;
}

std::vector<std::string>
GetGlobalValueNames()
{
    std::vector<std::string> names;
    for (auto value = GlobalValue::Begin(); value != GlobalValue::End(); ++value)
    {
        names.push_back((*value)->GetName());
    }
    return names;
}

} // namespace ns3::lossless
