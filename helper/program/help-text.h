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

/// A group of options in the output of `--help`.
struct HelpGroup
{
    std::string title;           ///< title; empty for the options outside groups
    std::string example;         ///< example of use
    std::set<std::string> names; ///< names of the options
};

/**
 * @ingroup lossless
 * Formats the output of `--help`, which is the help text of ns-3, arranged by groups of options.
 */
class HelpText
{
  public:
    /// @param text the help text of ns-3
    /// @param groups the groups of options
    HelpText(const std::string& text, const std::vector<HelpGroup>& groups);

    /// @return all options by group, starting with those outside groups
    std::string ShowAll() const;

    /// @param names the names of the most common options
    /// @param examples examples of use
    /// @return these options, and the titles of the groups
    std::string ShowShort(const std::vector<std::string>& names,
                          const std::vector<std::string>& examples) const;

    /// @param title the first letters of a title, in upper or lower case
    /// @return the options of the group; unset if there is no such group
    std::optional<std::string> ShowGroup(const std::string& title) const;

    /// @return the titles of all groups, separated by commas
    std::string ListGroups() const;

  private:
    std::string Show(const HelpGroup& group) const;

    std::string m_before;                         ///< text before the options, which describes the
                                                  ///< usage
    std::string m_after;                          ///< text after the options, which describes the
                                                  ///< common options of ns-3
    std::vector<std::string> m_names;             ///< names of all options, in order
    std::map<std::string, std::string> m_options; ///< help text by option name
    std::vector<HelpGroup> m_groups;              ///< groups that have options
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HELP_TEXT_H */
