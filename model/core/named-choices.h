// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NAMED_CHOICES_H
#define LOSSLESS_NAMED_CHOICES_H

#include "ns3/abort.h"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::lossless
{

/// @tparam T a type with a member `name`
/// @return the names, separated by commas
template <typename T>
std::string
ListNames(const std::vector<T>& choices)
{
    std::string list;
    for (const T& choice : choices)
    {
        list += (list.empty() ? "" : ", ") + choice.name;
    }
    return list;
}

/// Returns an ASCII name in lowercase, without hyphens, underscores or spaces. The result is the
/// same for "web-search", "WebSearch" and "websearch".
inline std::string
FoldName(const std::string& name)
{
    std::string folded;
    std::copy_if(name.begin(), name.end(), std::back_inserter(folded), [](char c) {
        return c != '-' && c != '_' && c != ' ';
    });
    boost::algorithm::to_lower(folded);
    return folded;
}

/// @tparam T a type with a member `name`
/// @param name the name; FoldName() is applied to names before they are compared
template <typename T>
std::optional<T>
FindByName(const std::vector<T>& choices, const std::string& name)
{
    const std::string folded = FoldName(name);
    const auto found = std::find_if(choices.begin(), choices.end(), [&folded](const T& choice) {
        return FoldName(choice.name) == folded;
    });
    return found == choices.end() ? std::nullopt : std::optional<T>(*found);
}

/// @tparam NAMES a container of names
/// @param name the name; FoldName() is applied to names before they are compared
/// @return the index of the name; unset if it is not among the names
template <typename NAMES>
std::optional<uint8_t>
FindIndex(const NAMES& names, const std::string& name)
{
    const auto isSame = [folded = FoldName(name)](const std::string& other) {
        return FoldName(other) == folded;
    };
    const auto found = std::find_if(names.begin(), names.end(), isSame);
    return found == names.end() ? std::nullopt : std::make_optional<uint8_t>(found - names.begin());
}

/// Inserts a choice. Choices are sorted by position and then by name, regardless of the order of
/// the calls. A duplicate name stops the program.
/// @tparam T a type with members `name` and `position`
template <typename T>
void
AddChoice(std::vector<T>& choices, const T& choice)
{
    NS_ABORT_MSG_IF(FindByName(choices, choice.name),
                    "\"" << choice.name << "\" is registered twice.");
    const auto isBefore = [](const T& a, const T& b) {
        return std::tie(a.position, a.name) < std::tie(b.position, b.name);
    };
    choices.insert(std::upper_bound(choices.begin(), choices.end(), choice, isBefore), choice);
}

} // namespace ns3::lossless

#endif /* LOSSLESS_NAMED_CHOICES_H */
