// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NAMED_CHOICES_H
#define LOSSLESS_NAMED_CHOICES_H

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @tparam T a choice, with a member `name`
 * @param choices what an option of a program offers
 * @return their names, separated by commas
 */
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

/**
 * @tparam T a choice, with a member `name`
 * @param choices what an option of a program offers
 * @param name an ASCII name, in any case
 * @return the choice; nothing if there is none of that name
 */
template <typename T>
std::optional<T>
FindByName(const std::vector<T>& choices, const std::string& name)
{
    const auto isEqual = [](unsigned char a, unsigned char b) {
        return std::tolower(a) == std::tolower(b);
    };
    const auto found = std::find_if(choices.begin(), choices.end(), [&](const T& choice) {
        return std::equal(choice.name.begin(),
                          choice.name.end(),
                          name.begin(),
                          name.end(),
                          isEqual);
    });
    return found == choices.end() ? std::nullopt : std::optional<T>(*found);
}

} // namespace ns3::lossless

#endif /* LOSSLESS_NAMED_CHOICES_H */
