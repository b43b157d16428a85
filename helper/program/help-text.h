// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HELP_TEXT_H
#define LOSSLESS_HELP_TEXT_H

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// Options shown together by `--help`.
struct HelpGroup
{
    std::string title;           ///< empty: options of the program
    std::string example;         ///< of their use
    std::set<std::string> names; ///< of the options
};

/**
 * @ingroup lossless
 * Output of `--help`: the text of ns-3, by options and their groups.
 */
class HelpText
{
  public:
    /// @param text of ns-3's help
    /// @param groups of the options
    HelpText(const std::string& text, const std::vector<HelpGroup>& groups);

    /// @return all options by groups, those without a group first
    std::string ShowAll() const;

    /// @param names of the most common options
    /// @return these, and the titles of the groups
    std::string ShowShort(const std::vector<std::string>& names,
                          const std::vector<std::string>& examples) const;

    /// @param title first letters of a title, in any case
    /// @return the options of the group, if it exists
    std::optional<std::string> ShowGroup(const std::string& title) const;

    /// @return titles of all groups, separated by commas
    std::string ListGroups() const;

  private:
    std::string Show(const HelpGroup& group) const;

    std::string m_before;                         ///< usage
    std::string m_after;                          ///< ns-3's own options
    std::vector<std::string> m_names;             ///< of all options, in order
    std::map<std::string, std::string> m_options; ///< text by name
    std::vector<HelpGroup> m_groups;              ///< groups with options
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HELP_TEXT_H */
