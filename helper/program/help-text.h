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

/// Options that `--help` shows together.
struct HelpGroup
{
    std::string title;           ///< title; empty: of the program
    std::string example;         ///< how to use it
    std::set<std::string> names; ///< of its options
};

/**
 * @ingroup lossless
 * What `--help` shows: the text that ns-3 writes, by options and groups of them.
 */
class HelpText
{
  public:
    /// @param text of ns-3's help @param groups of the options
    HelpText(const std::string& text, const std::vector<HelpGroup>& groups);

    /// @return all options by groups, those without a group first
    std::string ShowAll() const;

    /// @param names of the options that most users need @param examples command lines
    /// @return these, and the groups by their titles
    std::string ShowShort(const std::vector<std::string>& names,
                          const std::vector<std::string>& examples) const;

    /// @param title how the title of a group begins, in any case @return its options; nothing:
    /// there is none
    std::optional<std::string> ShowGroup(const std::string& title) const;

    /// @return titles of all groups, separated by commas
    std::string ListGroups() const;

  private:
    /// @param group a group @return its options
    std::string Show(const HelpGroup& group) const;

    std::string m_before;                         ///< usage
    std::string m_after;                          ///< ns-3's own options
    std::vector<std::string> m_names;             ///< of all options, in their order
    std::map<std::string, std::string> m_options; ///< text by name
    std::vector<HelpGroup> m_groups;              ///< that have options
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HELP_TEXT_H */
