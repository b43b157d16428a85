// SPDX-License-Identifier: GPL-2.0-only
#include "foreign-format.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cstddef>
#include <functional>
#include <regex>
#include <utility>

namespace ns3::lossless
{

namespace
{

using Head = std::vector<std::string>;

/// @param head of a text @param part of a line @return whether a line has it
bool
HasPart(const Head& head, const std::string& part)
{
    return std::any_of(head.begin(), head.end(), [&part](const std::string& line) {
        return line.find(part) != std::string::npos;
    });
}

/// @param head of a text @param form of lines @return how many lines are of that form
std::ptrdiff_t
CountLines(const Head& head, const std::regex& form)
{
    return std::count_if(head.begin(), head.end(), [&form](const std::string& line) {
        return std::regex_match(line, form);
    });
}

/// @param head of a text @return its first line that has more than blanks; empty: there is none
std::string
GetFirst(const Head& head)
{
    for (const std::string& line : head)
    {
        const std::string text = boost::algorithm::trim_copy(line);
        if (!text.empty())
        {
            return text;
        }
    }
    return "";
}

/// @param head of a text @return whether a line ends within the line
bool
HasLoneReturn(const Head& head)
{
    return std::any_of(head.begin(), head.end(), [](const std::string& line) {
        const std::size_t end = line.find('\r');
        return end != std::string::npos && end + 1 < line.size();
    });
}

/// @param head of a text @return whether it is YAML: of GOAL, lines have labels, too
bool
IsYaml(const Head& head)
{
    static const std::regex form(R"(\s*-?\s*[A-Za-z_][\w.-]*:(\s.*)?)");
    return CountLines(head, form) >= 2 && !HasPart(head, "{") && !HasPart(head, "num_ranks");
}

/// @param head of a text @return whether it is an htsim topology
bool
IsHtsimTopology(const Head& head)
{
    static const std::regex form(R"(\s*(Nodes|Tiers|Podsize|Tier)\s+\d+\s*)", std::regex::icase);
    return CountLines(head, form) >= 2;
}

/// @param head of a text @return whether it is a list of flows with parents and children
bool
IsSimAiFlows(const Head& head)
{
    static const std::regex form(R"(\s*(\S+[\s,]+){20}\S+\s*)");
    return CountLines(head, form) >= 1;
}

/// @param head of a text @return whether it is a table with its row numbers in a column of no name
bool
HasIndex(const Head& head)
{
    const std::string first = GetFirst(head);
    return first[0] == ',' || first.compare(0, 3, "\"\",") == 0;
}

/// What a text may be: how that is seen, and the clause.
const std::vector<std::pair<std::function<bool(const Head&)>, std::string>> FORMATS{
    {HasLoneReturn,
     "its line ends are missing: there are carriage returns (CR) alone; save it with LF or CR LF"},
    {[](const Head& head) { return HasPart(head, "\xC2\xA0"); },
     "it has no-break spaces (U+00A0), which look like blanks; write blanks"},
    {[](const Head& head) { return GetFirst(head)[0] == '<'; },
     "this is HTML or XML; download the file itself"},
    {[](const Head& head) { return GetFirst(head)[0] == '{'; },
     "this looks like JSON, which is not read here"},
    {IsHtsimTopology,
     "this looks like a topology of htsim (.topo), which is not read; write its links as a .csv, "
     "or "
     "choose --topology=fat-tree"},
    {IsYaml, "this looks like YAML, which is not read"},
    {IsSimAiFlows,
     "this looks like SimAI's list of flows with 21 fields, which is not read; write a .csv, whose "
     "column `after` has what a flow waits for"},
    {HasIndex,
     "its first column has no name, as the row numbers of pandas and R; write it with index=False "
     "or row.names = FALSE"},
    {[](const Head& head) { return HasPart(head, "\""); },
     "its texts are quoted, which is not read; write them without quotes, in R with quote = FALSE"},
    {[](const Head& head) {
         const std::string first = GetFirst(head);
         return std::count(first.begin(), first.end(), ';') >= 2 && !HasPart({first}, ",");
     },
     "its fields are separated by semicolons; separate them by commas"},
};

} // namespace

std::string
RecognizeForeignFormat(const std::vector<std::string>& head)
{
    const auto found = std::find_if(FORMATS.begin(), FORMATS.end(), [&head](const auto& format) {
        return format.first(head);
    });
    return found == FORMATS.end() ? "" : found->second;
}

} // namespace ns3::lossless
