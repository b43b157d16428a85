// SPDX-License-Identifier: GPL-2.0-only
#include "help-text.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <sstream>

namespace ns3::lossless
{

namespace
{

/// The start of a line that describes an option in ns-3's help text.
const std::string MARK = "    --";

/// @return the name of the option that starts on this line of ns-3's help text, or an empty string
std::string
GetOptionName(const std::string& line)
{
    const bool isOption = line.compare(0, MARK.size(), MARK) == 0;
    return isOption ? line.substr(MARK.size(), line.find(':') - MARK.size()) : "";
}

} // namespace

HelpText::HelpText(const std::string& text, const std::vector<HelpGroup>& groups)
{
    std::set<std::string> known;
    for (const HelpGroup& group : groups)
    {
        known.insert(group.names.begin(), group.names.end());
    }
    std::string* current = &m_before;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        const std::string name = GetOptionName(line);
        if (known.count(name) > 0)
        {
            m_names.push_back(name);
            current = &m_options[name];
        }
        else if (line.empty() && current != &m_before)
        {
            current = &m_after;
        }
        *current += line + "\n";
    }
    std::copy_if(groups.begin(),
                 groups.end(),
                 std::back_inserter(m_groups),
                 [](const HelpGroup& group) { return !group.names.empty(); });
}

std::string
HelpText::Show(const HelpGroup& group) const
{
    std::string text =
        group.title.empty() ? "" : "\n  " + group.title + ", as " + group.example + "\n";
    for (const std::string& name : m_names)
    {
        text += group.names.count(name) > 0 ? m_options.at(name) : "";
    }
    return text;
}

std::string
HelpText::ShowAll() const
{
    std::string text = m_before;
    for (const HelpGroup& group : m_groups)
    {
        text += Show(group);
    }
    return text + m_after;
}

std::string
HelpText::ShowShort(const std::vector<std::string>& names,
                    const std::vector<std::string>& examples) const
{
    std::string text = m_before;
    for (const std::string& name : names)
    {
        text += m_options.at(name);
    }
    text += "\nExamples:\n";
    for (const std::string& example : examples)
    {
        text += "    " + example + "\n";
    }
    std::size_t width = 0;
    for (const HelpGroup& group : m_groups)
    {
        width = std::max(width, group.title.size());
    }
    text += "\nMore options, which --help=GROUP shows, and --help=all of all groups:\n";
    for (const HelpGroup& group : m_groups)
    {
        const std::string gap(width + 2 - group.title.size(), ' ');
        text += group.title.empty() ? "" : "    " + group.title + gap + group.example + "\n";
    }
    return text + "\ndoc/options.rst and doc/commands.rst explain them; print-attributes lists the "
                  "attributes\nof all classes, which are options, too.\n";
}

std::optional<std::string>
HelpText::ShowGroup(const std::string& title) const
{
    const auto found =
        std::find_if(m_groups.begin(), m_groups.end(), [&title](const HelpGroup& group) {
            return !title.empty() && !group.title.empty() &&
                   boost::algorithm::istarts_with(group.title, title);
        });
    return found == m_groups.end() ? std::nullopt : std::optional(Show(*found).substr(1));
}

std::string
HelpText::ListGroups() const
{
    std::string list;
    for (const HelpGroup& group : m_groups)
    {
        list += (list.empty() || group.title.empty() ? "" : ", ") + group.title;
    }
    return list;
}

} // namespace ns3::lossless
