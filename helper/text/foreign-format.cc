// SPDX-License-Identifier: GPL-2.0-only
#include "foreign-format.h"

#include "quantity-text.h"
#include "text-lines.h"

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

bool
HasPart(const Head& head, const std::string& part)
{
    return std::any_of(head.begin(), head.end(), [&part](const std::string& line) {
        return line.find(part) != std::string::npos;
    });
}

std::ptrdiff_t
CountLines(const Head& head, const std::regex& form)
{
    return std::count_if(head.begin(), head.end(), [&form](const std::string& line) {
        return std::regex_match(line, form);
    });
}

std::string
GetFirst(const Head& head)
{
    return head.empty() ? "" : boost::algorithm::trim_copy(head.front());
}

/// @return true if the file is YAML. GOAL files are excluded, although their lines also have
/// labels.
bool
IsYaml(const Head& head)
{
    static const std::regex form(R"(\s*(- +)?[A-Za-z_][A-Za-z0-9_.-]*:( .*)?)");
    static const std::regex goal(R"(\s*\w+: *(send|recv|calc)\b.*)");
    return CountLines(head, form) >= 2 && CountLines(head, goal) == 0;
}

bool
IsHtsimTopology(const Head& head)
{
    static const std::regex tiers(R"(\s*Tiers +[0-9]+\s*)", std::regex::icase);
    static const std::regex sizes(R"(\s*(Nodes|Podsize) +[0-9]+\s*)", std::regex::icase);
    return CountLines(head, tiers) == 1 && CountLines(head, sizes) > 0;
}

/// @return true if the file is the HPCC simulator's list of nodes to trace, which contains the
/// number of nodes and then their IDs in ascending order
bool
IsNodeList(const Head& head)
{
    constexpr std::size_t longLine = 1000; // in bytes; longer lines are truncated
    if (head.size() < 2 || !ParseWhole(GetFirst(head)))
    {
        return false;
    }
    std::vector<std::string> ids = SplitWords(head[1]);
    const bool isLong = head[1].size() >= longLine;
    if (!isLong && GetFirst(head) != std::to_string(ids.size()))
    {
        return false;
    }
    ids.resize(ids.size() - (isLong ? 1 : 0)); // the last ID may be truncated
    uint64_t least = 0;
    for (const std::string& text : ids)
    {
        const auto id = ParseWhole(text);
        if (!id || *id < least)
        {
            return false;
        }
        least = *id + 1;
    }
    return true;
}

/// @return true if the file is a SimAI list of flows with parents and children. It has a line with
/// the number of flows or the format version, followed by lines of at least 21 words.
bool
IsSimAiFlows(const Head& head)
{
    const bool isNamed = GetFirst(head).compare(0, 8, "FLOWFMT ") == 0;
    return isNamed ||
           (head.size() > 1 && SplitWords(head[0]).size() == 1 && SplitWords(head[1]).size() >= 21);
}

/// @return true if the file is a table with row numbers in an unnamed column
bool
HasIndex(const Head& head)
{
    const std::string first = GetFirst(head);
    const auto begins = [&first](const std::string& text) {
        return boost::algorithm::starts_with(first, text);
    };
    return begins(",") || begins("\"\",") || begins("Unnamed: 0,");
}

bool
HasQuotes(const Head& head)
{
    return std::any_of(head.begin(), head.end(), [](const std::string& line) {
        const bool isTable = line.find(',') != std::string::npos;
        return isTable && (line[0] == '"' || line.find(",\"") != std::string::npos);
    });
}

/// @return true if the file is JSON, as opposed to a settings file that begins with an explanation
/// in braces
bool
IsJson(const Head& head)
{
    static const std::regex form(R"(\s*(\{\s*["}]|\[\s*["\]\[{0-9-])[^]*)");
    return std::regex_match(boost::algorithm::join(head, "\n"), form);
}

/// @param found a character other than the expected separator
/// @param wanted the separator of the expected format
/// @return true if the file separates its fields with `found` instead
bool
IsSeparatedBy(const Head& head, char found, char wanted)
{
    // Explanatory lines farther below may contain any character, but they also contain blanks.
    constexpr std::size_t begin = 2; // the first line can be a single number
    // Commas are also within names, such as "San+Jose,+CA" of Rocketfuel.
    const std::regex around(std::string(" *[") + found + "] *");
    for (std::size_t i = 0; i < head.size(); ++i)
    {
        const std::string line = boost::algorithm::trim_copy(head[i]);
        const auto count = std::count(line.begin(), line.end(), found);
        const std::string tight = std::regex_replace(line, around, std::string(1, found));
        const bool isTight = tight.find(' ') == std::string::npos;
        const bool isMixed = wanted == ',' && line.find(',') != std::string::npos;
        if (!isMixed && count > 0 && (isTight || (count > 1 && i < begin && found != ',')))
        {
            return true;
        }
    }
    return false;
}

/// The separators that other programs write, with their names.
const std::vector<std::pair<char, std::string>> SEPARATORS{{';', "semicolons"},
                                                           {'|', "vertical bars"},
                                                           {'\t', "tabs"},
                                                           {',', "commas"}};

/// The tests that recognize formats, with the corresponding messages.
const std::vector<std::pair<std::function<bool(const Head&)>, std::string>> FORMATS{
    {[](const Head& head) { return HasPart(head, "\xC2\xA0"); },
     "it has no-break spaces (U+00A0), which look like blanks; write blanks"},
    {[](const Head& head) {
         const auto isMark = [](const std::string& line) {
             return line.compare(0, 8, "<<<<<<< ") == 0 || line.compare(0, 8, ">>>>>>> ") == 0;
         };
         return std::any_of(head.begin(), head.end(), isMark);
     },
     "it has the marks of a merge conflict, which is to be resolved first"},
    {[](const Head& head) {
         static const std::regex tag(R"(<(\?xml|graphml)\b[^]*)");
         return std::regex_match(GetFirst(head), tag);
     },
     "this is XML, such as GraphML, which is not read"},
    {[](const Head& head) {
         static const std::regex counts(R"(Topology:\s*\(.*)");
         return std::regex_match(GetFirst(head), counts);
     },
     "this looks like a topology of BRITE, which is not read"},
    {[](const Head& head) {
         static const std::regex tag("<[A-Za-z!?][^]*");
         return std::regex_match(GetFirst(head), tag);
     },
     "this is HTML or XML; download the file itself"},
    {IsJson, "this looks like JSON, which is not read here"},
    {IsHtsimTopology,
     "this looks like a topology of htsim, which lossless-run reads with --topology-format=topo"},
    {[](const Head& head) { return HasPart(head, "model_parallel_NPU_group:"); },
     "this looks like a workload of SimAI, which is not read; lossless-run reads Chakra's traces "
     "and GOAL"},
    {IsNodeList,
     "this looks like the HPCC simulator's list of nodes to trace, which is not read; write their "
     "names in --pcap"},
    {IsYaml, "this looks like YAML, which is not read"},
    {IsSimAiFlows,
     "this looks like SimAI's list of flows with 21 fields, which is not read, as its versions "
     "mean "
     "different things by the flows before a flow; write a .csv, whose "
     "column `after` has what a flow waits for"},
    {HasIndex,
     "its first column has no name, as the row numbers of pandas and R; write it with index=False "
     "or row.names = FALSE"},
    {HasQuotes,
     "its texts are quoted, which is not read; write them without quotes, in R with quote = FALSE"},
};

/// @return true if the first line is a CSV header with these columns
bool
HasColumns(const Head& head, const std::string& first, const std::string& second)
{
    const std::string header = "," + GetFirst(head) + ",";
    return header.find("," + first + ",") != std::string::npos &&
           header.find("," + second + ",") != std::string::npos;
}

/// Formats that other options read, and results of the HPCC simulator. They are recognized only
/// where words separated by blanks are expected, as in files with unknown extensions.
const std::vector<std::pair<std::function<bool(const Head&)>, std::string>> OTHER_READERS{
    {[](const Head& head) {
         static const std::regex ranks(R"(\s*num_ranks\s+[0-9]+\s*)");
         return CountLines(head, ranks) == 1;
     },
     "this looks like a GOAL schedule, which lossless-run reads with --flows-format=goal"},
    {[](const Head& head) {
         static const std::regex nodes(R"(\s*Nodes\s+[0-9]+\s*)");
         static const std::regex connections(R"(\s*Connections\s+[0-9]+\s*)");
         return CountLines(head, nodes) == 1 && CountLines(head, connections) == 1;
     },
     "this looks like htsim's connection matrix, which lossless-run reads with --flows-format=cm"},
    {[](const Head& head) {
         static const std::regex setting(
             R"(\s*(CC_MODE|ENABLE_QCN|USE_DYNAMIC_PFC_THRESHOLD|TOPOLOGY_FILE|FLOW_FILE)\s.*)");
         return CountLines(head, setting) > 0;
     },
     "this looks like settings of the HPCC simulator, which hpcc-run reads with --config"},
    {[](const Head& head) {
         static const std::regex completion(R"(\s*0b[0-9a-f]{6} 0b[0-9a-f]{6}( [0-9]+){6}\s*)");
         return CountLines(head, completion) > 0;
     },
     "this looks like completion times of the HPCC simulator (fct.txt), which are not read"},
    {[](const Head& head) { return HasColumns(head, "source", "destination"); },
     "this looks like a CSV file of flows, which lossless-run reads with --flows-format=csv"},
    {[](const Head& head) { return HasColumns(head, "node_a", "rate"); },
     "this looks like a CSV file of links, which lossless-run reads with --topology-format=csv"},
};

/// The first bytes of files that users may have instead of the expected file, with the
/// corresponding messages.
const std::vector<std::pair<std::string, std::string>> STAND_INS{
    {"version https://git-lfs",
     "this is a pointer of Git LFS; `git lfs pull` fetches the file itself"},
    {"404: Not Found", "this is the answer of a server that does not have the file"},
    {"\x1F\x8B", "the file is compressed by gzip; decompress it"},
    {"PK\x03\x04", "the file is compressed by zip; decompress it, or save a spreadsheet as CSV"},
    {"BZh", "the file is compressed by bzip2; decompress it"},
    {"\xFD"
     "7zXZ",
     "the file is compressed by xz; decompress it"},
    {"\x28\xB5\x2F\xFD", "the file is compressed by zstd; decompress it"}};

} // namespace

std::string
RecognizeStandIn(const std::string& bytes)
{
    const auto found = std::find_if(STAND_INS.begin(), STAND_INS.end(), [&](const auto& standIn) {
        return bytes.compare(0, standIn.first.size(), standIn.first) == 0;
    });
    return found == STAND_INS.end() ? "" : found->second;
}

std::string
RecognizeForeignFormat(const std::vector<std::string>& head, char separator)
{
    Head texts; // the lines without comments, because comments may contain any text
    for (const std::string& line : head)
    {
        const std::string text = line.substr(0, std::min(line.find('#'), line.find("//")));
        if (!boost::algorithm::trim_copy(text).empty())
        {
            texts.push_back(text);
        }
    }
    for (const auto* formats : {&FORMATS, &OTHER_READERS})
    {
        const bool isPossible = formats == &FORMATS || separator == ' ';
        const auto found = std::find_if(formats->begin(), formats->end(), [&](const auto& format) {
            return isPossible && format.first(texts);
        });
        if (found != formats->end())
        {
            return found->second;
        }
    }
    const std::string remedy =
        separator == ' ' ? "; separate them by blanks" : "; separate them by commas";
    for (const auto& [found, name] : SEPARATORS)
    {
        const bool isOther =
            separator == ' ' ? found != '\t' : separator != 0 && found != separator;
        if (isOther && IsSeparatedBy(texts, found, separator))
        {
            return "its fields are separated by " + name + remedy;
        }
    }
    return "";
}

} // namespace ns3::lossless
