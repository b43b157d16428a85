// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-settings.h"

#include "switch-options.h"

#include "ns3/lossless-net-device.h"
#include "ns3/named-choices.h"
#include "ns3/option-names.h"
#include "ns3/option-text.h"
#include "ns3/quantity-text.h"
#include "ns3/roce-nic.h"
#include "ns3/telemetry-header.h"
#include "ns3/text-lines.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

namespace ns3::lossless
{

namespace
{

const std::string OURS = "ns3::lossless::";
const std::string MIN_RATE_OPTION = OURS + "RateCongestionControl::MinRate";

/// This module's counterpart of a setting.
struct Counterpart
{
    std::string option; ///< option of hpcc-run, or name of an attribute
    std::string unit;   ///< unit implied by the setting
};

/// The settings that have a single value and the same counterpart for every congestion control.
const std::map<std::string, Counterpart> COUNTERPARTS{
    {"TOPOLOGY_FILE", {"topology", ""}},
    {"FLOW_FILE", {"flows", ""}},
    {"FCT_OUTPUT_FILE", {"fct-file", ""}},
    {"PFC_OUTPUT_FILE", {"pfc-file", ""}},
    {"QLEN_MON_FILE", {"qlen-file", ""}},
    {"QLEN_MON_START", {"qlen-from", "ns"}},
    {"QLEN_MON_END", {"qlen-until", "ns"}},
    {"SIMULATOR_STOP_TIME", {"stop", "s"}},
    {"PACKET_PAYLOAD_SIZE", {"payload", ""}},
    {"BUFFER_SIZE", {"buffer", "MiB"}},
    {"ALPHA_RESUME_INTERVAL", {OURS + "Dcqcn::AlphaTimer", "us"}},
    {"RATE_DECREASE_INTERVAL", {OURS + "Dcqcn::RateCutInterval", "us"}},
    {"CLAMP_TARGET_RATE", {OURS + "Dcqcn::ClampTarget", ""}},
    {"RP_TIMER", {OURS + "Dcqcn::RateTimer", "us"}},
    {"FAST_RECOVERY_TIMES", {OURS + "Dcqcn::FastRecoverySteps", ""}},
    {"DCTCP_RATE_AI", {OURS + "Dctcp::AdditiveStep", ""}},
    {"U_TARGET", {OURS + "Hpcc::Eta", ""}},
    {"MI_THRESH", {OURS + "Hpcc::MaxStage", ""}},
    {"MIN_RATE", {MIN_RATE_OPTION, ""}},
};

/// A congestion control algorithm, with its name in `--congestion-control` and its class.
struct Control
{
    std::string name;
    std::string type;                              ///< class name without the namespace
    std::map<std::string, std::string> attributes; ///< attributes of the class, by key
    std::map<std::string, std::string> fixed{};    ///< settings with a fixed value in this module,
                                                   ///< by key
};

const std::map<std::string, Control> CONTROLS{
    {"1",
     {"DCQCN",
      "Dcqcn",
      {{"EWMA_GAIN", "Gain"}, {"RATE_AI", "AdditiveStep"}, {"RATE_HAI", "HyperStep"}}}},
    {"3", {"HPCC", "Hpcc", {{"RATE_AI", "AdditiveStep"}}, {{"HAS_WIN", "1"}, {"VAR_WIN", "1"}}}},
    {"7", {"TIMELY", "Timely", {{"RATE_AI", "AdditiveStep"}, {"RATE_HAI", "HyperStep"}}}},
    {"8", {"DCTCP", "Dctcp", {{"EWMA_GAIN", "Gain"}}}},
};

/// The settings that cannot be changed in this module, with their fixed values.
const std::map<std::string, std::string> ALWAYS_SO{{"ENABLE_QCN", "1"},
                                                   {"ENABLE_PFC", "1"},
                                                   {"ENABLE_IRN", "0"},
                                                   {"ENABLE_TRACE", "0"},
                                                   {"RATE_BOUND", "1"},
                                                   {"HAS_WIN", "0"},
                                                   {"VAR_WIN", "0"},
                                                   {"L2_ACK_INTERVAL", "1"},
                                                   {"L2_BACK_TO_ZERO", "0"},
                                                   {"ACK_HIGH_PRIO", "1"},
                                                   {"MULTI_RATE", "0"},
                                                   {"SAMPLE_FEEDBACK", "0"},
                                                   {"LINK_DOWN", "0 0 0"}};

/// Further settings that doc/migration.rst covers.
const std::set<std::string> NOT_ADOPTED{"CC_MODE",
                                        "USE_DYNAMIC_PFC_THRESHOLD",
                                        "PAUSE_TIME",
                                        "GLOBAL_T",
                                        "L2_CHUNK_SIZE",
                                        "FAST_REACT",
                                        "INT_MULTI",
                                        "PINT_LOG_BASE",
                                        "PINT_PROB",
                                        "ERROR_RATE_PER_LINK"};

/// The settings without a counterpart that affect only the output.
const std::set<std::string> OUTPUT_ALONE{"ENABLE_TRACE",
                                         "TRACE_FILE",
                                         "TRACE_OUTPUT_FILE",
                                         "QLEN_MON_INTV_TIME",
                                         "QLEN_MON_DUMP_INTERVAL",
                                         "BW_MON_FILE",
                                         "RATE_MON_FILE",
                                         "CNP_MON_FILE",
                                         "MON_START",
                                         "MON_END",
                                         "QP_MON_INTERVAL",
                                         "BW_MON_INTERVAL",
                                         "QLEN_MON_INTERVAL",
                                         "NIC_TOTAL_PAUSE_TIME"};

/// The settings that name an input file.
const std::set<std::string> INPUT_FILES{"TOPOLOGY_FILE", "FLOW_FILE"};

/// The settings that name an output file of this module.
const std::set<std::string> OUTPUT_FILES{"FCT_OUTPUT_FILE", "PFC_OUTPUT_FILE", "QLEN_MON_FILE"};

/// The value of a setting.
struct Value
{
    std::string text; ///< the value without its explanation
    uint64_t line{0};
    std::string fileName{}; ///< name of the settings file

    std::string Name(const std::string& key) const
    {
        return fileName + ":" + std::to_string(line) + ", " + key;
    }
};

/// All settings of a file, by key.
using Values = std::map<std::string, Value>;

/// Removes a setting.
/// @return the value of the setting, if there was one
std::optional<Value>
Take(Values& values, const std::string& key)
{
    const auto taken = values.extract(key);
    return taken ? std::optional(taken.mapped()) : std::nullopt;
}

/// The marking thresholds in kB or the marking probabilities, keyed by the link rate in bit/s.
using RateMap = std::map<uint64_t, double>;

/// The maximum plausible marking threshold, which is one terabyte.
constexpr double MOST_KILOBYTES = 1e9;

/// The maximum plausible packet buffer, which is 4 GiB.
constexpr double MOST_MEGABYTES = 4096;

/// @param text the number of rates, followed by each rate and its value
/// @return the map, or nothing if the string is malformed
std::optional<RateMap>
ReadRateMap(const std::string& text)
{
    const std::vector<std::string> words = SplitWords(text);
    const auto count = ParseWhole(words.front());
    if (!count || words.size() % 2 == 0 || words.size() / 2 != *count)
    {
        return std::nullopt;
    }
    RateMap map;
    for (std::size_t i = 1; i < words.size(); i += 2)
    {
        const auto rate = ParseCount(words[i]);
        const auto value = ParseNumber(words[i + 1]);
        const bool isPossible = rate && value && *value >= 0 && *value <= MOST_KILOBYTES;
        if (!isPossible || map.emplace(*rate, *value).first->second != *value)
        {
            return std::nullopt;
        }
    }
    return map;
}

bool
IsProportional(const RateMap& map)
{
    for (const auto& [rate, value] : map)
    {
        const auto& [firstRate, first] = *map.begin();
        if (value * static_cast<double>(firstRate) != first * static_cast<double>(rate))
        {
            return false;
        }
    }
    return true;
}

/// Removes comments and explanations. Explanations are in braces and can span several lines.
/// @param number the number of the line
/// @param [in,out] opened the number of the line with the open brace; 0 if no brace is open
std::string
DropExplanations(const std::string& line, uint64_t number, uint64_t& opened)
{
    std::string kept;
    for (std::size_t i = 0; i < line.size(); ++i)
    {
        const char c = line[i];
        if (opened > 0)
        {
            opened = c == '}' ? 0 : opened;
            continue;
        }
        const bool isWordStart = kept.empty() || kept.back() == ' ' || kept.back() == '\t';
        if (c == '#' || (isWordStart && line.compare(i, 2, "//") == 0))
        {
            break;
        }
        opened = c == '{' ? number : 0;
        kept += opened > 0 ? ' ' : c;
    }
    return kept;
}

/// The settings that have several values.
const std::set<std::string> LISTS{"KMIN_MAP", "KMAX_MAP", "PMAX_MAP", "LINK_DOWN"};

/// @param words the words of a line; the first one is the key
/// @param isFirst true if no earlier line has a setting
/// @return the value, which is one word unless the key is in LISTS, as in the simulators
std::string
GetValue(const std::vector<std::string>& words)
{
    const std::size_t most = LISTS.count(words.front()) > 0 ? words.size() : 2;
    return boost::algorithm::join(
        std::vector<std::string>(words.begin() + 1, words.begin() + std::min(most, words.size())),
        " ");
}

/// @param words the words of a line
/// @return true if the line is a comment in another language's syntax
bool
IsComment(const std::vector<std::string>& words)
{
    const auto begins = [&words](const std::string& mark) {
        return boost::algorithm::starts_with(words.front(), mark);
    };
    return begins(";") || begins("%") || begins("--") ||
           (begins("/*") && boost::algorithm::ends_with(words.back(), "*/"));
}

/// @param words the words of a line; the first one is the key
/// @param isFirst true if no earlier line has a setting
/// @return a description of the error in the line, or an empty string if there is no error
std::string
FindFault(const std::vector<std::string>& words, bool isFirst)
{
    const std::string& key = words.front();
    if (isFirst && ParseWhole(key))
    {
        return "this is a line of numbers, not a setting; is this a topology, which is for "
               "--topology, or a file of flows, for --flows?";
    }
    if (boost::algorithm::starts_with(key, "/*"))
    {
        return "a /* is not closed by a */ at the end of the line; write # before each line";
    }
    if (words.size() < 2 || key.back() == ':')
    {
        return "'" + key + "' is not a key with a value, as CC_MODE 3";
    }
    if (words[1] == "=")
    {
        return "'" + key + " =' has an equals sign; write a key and a value, as CC_MODE 3";
    }
    const auto second = std::find_if(words.begin() + 2, words.end(), [](const auto& word) {
        return word == "CC_MODE" || COUNTERPARTS.count(word) > 0;
    });
    return second == words.end() ? "" : "'" + *second + "' needs a line of its own";
}

/// Reads all settings of a file.
/// @param notes receives a message about each repeated key
Values
ReadValues(std::istream& input, const std::string& fileName, std::vector<std::string>& notes)
{
    TextLines lines(input, fileName);
    Values values;
    uint64_t opened = 0; // number of the line with the open brace; 0 if no brace is open
    while (lines.Next())
    {
        const auto words = SplitWords(DropExplanations(lines.Get(), lines.GetNumber(), opened));
        if (words.empty() || IsComment(words))
        {
            continue;
        }
        const std::string fault = FindFault(words, values.empty());
        if (!fault.empty())
        {
            lines.Complain(fault);
        }
        const std::string& key = words.front();
        const Value value{GetValue(words), lines.GetNumber(), fileName};
        const auto [former, isNew] = values.emplace(key, value);
        if (!isNew)
        {
            notes.push_back(value.Name(key) + " is in line " + std::to_string(former->second.line) +
                            ", too; the last one counts, as in the simulators.");
            former->second = value;
        }
    }
    const std::string format = lines.DescribeForeignFormat();
    if (!format.empty())
    {
        throw FileComplaint(fileName + ": " + format);
    }
    if (opened > 0)
    {
        throw FileComplaint(fileName + ":" + std::to_string(opened) + ": a { is not closed by a }");
    }
    return values;
}

/// Searches for a file that is not in the current folder. The folder of the settings file and the
/// three folders above it are searched, because the simulators run in one of them. HPCC's
/// mix/config.txt names `mix/topology.txt`, the settings files in PowerTCP's examples/PowerTCP name
/// `examples/PowerTCP/topology.txt`, and ConWeave's mix/output/ID/config.txt names
/// `config/topology.txt`. Folders further up belong to other projects.
/// @param [out] base the folder in which the file was found, unless it is the current folder
/// @return a sentence if the file was not found; it lists the searched folders unless the path is
/// absolute
std::optional<std::string>
FindBeside(const std::string& key, Value& value, std::filesystem::path& base)
{
    namespace fs = std::filesystem;
    constexpr int MOST_ABOVE = 3;
    std::error_code ignored;
    fs::path folder = fs::absolute(value.fileName, ignored).parent_path();
    std::vector<std::string> tried{fs::current_path(ignored).string()};
    bool isFound = fs::exists(value.text, ignored);
    for (int above = 0; above <= MOST_ABOVE && !isFound; ++above)
    {
        isFound = fs::exists(folder / value.text, ignored);
        value.text = isFound ? (folder / value.text).string() : value.text;
        base = isFound ? folder : base;
        if (std::find(tried.begin(), tried.end(), folder) == tried.end())
        {
            tried.push_back(folder.string());
        }
        folder = folder.parent_path();
    }
    if (isFound)
    {
        return std::nullopt;
    }
    const std::string sentence = value.Name(key) + ": there is no file '" + value.text + "'";
    return fs::path(value.text).is_absolute()
               ? sentence
               : sentence + " in these folders: " + boost::algorithm::join(tried, ", ");
}

/// Locates the input files, and output folders that exist only beside them, because this program
/// may run in a different folder from the simulators.
void
LocateFiles(Values& values, HpccSettings& settings)
{
    namespace fs = std::filesystem;
    fs::path base;
    for (const std::string& key : INPUT_FILES)
    {
        const auto found = values.find(key);
        const auto missing =
            found == values.end() ? std::nullopt : FindBeside(key, found->second, base);
        if (missing)
        {
            settings.missing[found->second.text] = *missing;
        }
    }
    for (const std::string& key : OUTPUT_FILES)
    {
        const auto found = values.find(key);
        if (base.empty() || found == values.end())
        {
            continue;
        }
        std::error_code ignored;
        std::string& name = found->second.text;
        const fs::path folder = fs::path(name).parent_path();
        const bool isBeside =
            !folder.empty() && !fs::exists(folder, ignored) && fs::exists(base / folder, ignored);
        name = isBeside ? (base / name).string() : name;
    }
}

/// @param seconds a number; values beyond the range of Time mean "never"
/// @return the same number, or the latest possible time if the number is larger
std::string
LimitTime(const std::string& seconds)
{
    const double latest = std::floor(GetLatestStart().GetSeconds());
    return ParseNumber(seconds).value_or(0) > latest ? std::to_string(std::llround(latest))
                                                     : seconds;
}

/// @return the MTU for the payload and all headers, including telemetry if possible, or nothing if
/// the default MTU suffices
std::optional<uint64_t>
FindMtu(const std::string& payload)
{
    const uint64_t bytes = ParseWhole(payload).value_or(0);
    if (bytes > MAX_MTU)
    {
        return std::nullopt; // the payload option reports the allowed values
    }
    const uint64_t needed =
        RoceNic::GetFrameBytes(static_cast<uint32_t>(bytes), TelemetryHeader::BYTES) -
        ETHERNET_BYTES;
    const bool isHeld = needed <= CreateObject<LosslessNetDevice>()->GetMtu();
    return isHeld ? std::nullopt : std::optional(std::min<uint64_t>(needed, MAX_MTU));
}

/// The marking settings of a file.
struct Marking
{
    RateMap least;                  ///< KMIN_MAP
    RateMap most;                   ///< KMAX_MAP
    RateMap share;                  ///< PMAX_MAP
    std::vector<std::string> given; ///< the settings as they are in the file
    std::string origin;             ///< the place of the first setting
    bool isWhole{true};             ///< false if a map is malformed
};

/// Consumes the marking settings.
/// @param notes receives a message about each malformed map
Marking
TakeMarking(Values& values, std::vector<std::string>& notes)
{
    Marking marking;
    for (const auto& [key, map] : {std::pair("KMIN_MAP", &marking.least),
                                   std::pair("KMAX_MAP", &marking.most),
                                   std::pair("PMAX_MAP", &marking.share)})
    {
        if (const auto value = Take(values, key))
        {
            const auto read = ReadRateMap(value->text);
            if (!read)
            {
                notes.push_back(value->Name(key) +
                                " is malformed; it must be the number of rates, then each rate in "
                                "bit/s and its value, each rate once.");
            }
            marking.isWhole &= read.has_value();
            *map = read.value_or(RateMap());
            marking.given.push_back(std::string(key) + " " + value->text);
            marking.origin = marking.origin.empty() ? value->Name("KMIN_MAP, KMAX_MAP, PMAX_MAP")
                                                    : marking.origin;
        }
    }
    return marking;
}

/// @return a threshold in bytes
uint64_t
GetBytes(double kilobytes)
{
    constexpr double kilo = 1000;
    return static_cast<uint64_t>(kilo * kilobytes);
}

/// @return true if the thresholds for one rate determine all others, and can be adopted
bool
IsAdoptable(const Marking& marking)
{
    const auto& share = marking.share;
    const bool isOneShare =
        !share.empty() && std::all_of(share.begin(), share.end(), [&share](const auto& entry) {
            return entry.second == share.begin()->second;
        });
    const RateMap& least = marking.least;
    const RateMap& most = marking.most;
    return isOneShare && !least.empty() && least.size() == most.size() &&
           least.begin()->first == most.begin()->first && IsProportional(least) &&
           IsProportional(most) && GetBytes(most.begin()->second) >= 1;
}

/// Consumes the marking thresholds, and adopts them if possible.
void
TakeThresholds(Values& values, HpccSettings& settings)
{
    constexpr std::size_t maps = 3;
    const Marking marking = TakeMarking(values, settings.notes);
    const auto& given = marking.given;
    if (!IsAdoptable(marking))
    {
        settings.unmatched.insert(settings.unmatched.end(), given.begin(), given.end());
        if (marking.isWhole && !given.empty())
        {
            settings.notes.push_back(
                marking.origin +
                (given.size() == maps
                     ? " are adopted if the first two are in proportion to the rates, the second "
                       "is at least a byte, and the third has one value for all."
                     : " are adopted together, and not all of them are here."));
        }
        return;
    }
    const auto [rate, least] = *marking.least.begin();
    const auto adopt = [&](const std::string& option) {
        settings.options.push_back({option, marking.origin});
    };
    std::ostringstream probability;
    probability << marking.share.begin()->second;
    adopt("ecn-min=" + std::to_string(GetBytes(least)));
    adopt("ecn-max=" + std::to_string(GetBytes(marking.most.begin()->second)));
    adopt("ecn-probability=" + probability.str());
    if (marking.least.size() > 1)
    {
        adopt(OURS + "EcnMarker::ReferenceRate=" + std::to_string(rate) + "bps");
    }
}

/// Consumes the constants of congestion controls that are not chosen.
/// @param chosen the class of the chosen congestion control; empty if none is chosen
void
TakeIdleConstants(Values& values, const std::string& chosen, HpccSettings& settings)
{
    std::set<std::string> idle{"PINT_LOG_BASE", "PINT_PROB"}; // constants of HPCC-PINT, which is
                                                              // not supported
    for (const auto& [number, control] : CONTROLS)
    {
        for (const auto& [key, attribute] : control.attributes)
        {
            idle.insert(key); // the attributes of the chosen control have already been consumed
        }
        for (const auto& [key, counterpart] : COUNTERPARTS)
        {
            const std::string begin = OURS + control.type + "::";
            const bool isOfType = counterpart.option.compare(0, begin.size(), begin) == 0;
            const bool isOfAll = counterpart.option == MIN_RATE_OPTION;
            if ((isOfType && control.type != chosen) || (isOfAll && chosen.empty()))
            {
                idle.insert(key);
            }
        }
    }
    for (const std::string& key : idle)
    {
        if (const auto value = Take(values, key))
        {
            settings.idle.push_back(key + " " + value->text);
        }
    }
}

/// @param mode the value of CC_MODE; empty if it is not set
/// @param chosen the name of a congestion control that takes precedence; empty for none
/// @return the congestion control, or the end of CONTROLS if it has no constants in such files
auto
FindControl(const std::string& mode, const std::string& chosen)
{
    return std::find_if(CONTROLS.begin(), CONTROLS.end(), [&](const auto& entry) {
        return chosen.empty() ? mode == entry.first
                              : FoldName(chosen) == FoldName(entry.second.name);
    });
}

/// Consumes the congestion control setting and the settings that depend on it.
/// @param chosen the name of a congestion control that takes precedence; empty for none
void
TakeControl(Values& values, const std::string& chosen, HpccSettings& settings)
{
    const auto mode = Take(values, "CC_MODE");
    const auto control = FindControl(mode ? mode->text : "", chosen);
    if (chosen.empty() && mode && control == CONTROLS.end())
    {
        throw FileComplaint(mode->Name("CC_MODE") + " is " + mode->text +
                            "; it must be 1 (DCQCN), 3 (HPCC), 7 (TIMELY) or 8 (DCTCP)");
    }
    if (control == CONTROLS.end())
    {
        TakeIdleConstants(values, "", settings);
        return;
    }
    if (chosen.empty())
    {
        settings.options.push_back(
            {"congestion-control=" + control->second.name, mode->Name("CC_MODE")});
    }
    for (const auto& [key, attribute] : control->second.attributes)
    {
        if (const auto value = Take(values, key))
        {
            settings.options.push_back(
                {OURS + control->second.type + "::" + attribute + "=" + value->text,
                 value->Name(key)});
        }
    }
    TakeIdleConstants(values, control->second.type, settings);
    for (const auto& [key, only] : control->second.fixed)
    {
        const auto value = Take(values, key);
        if (value && value->text != only)
        {
            settings.unmatched.push_back(key + " " + value->text);
        }
    }
}

/// Refuses a minimum rate of 0, because a flow at this rate would never send again.
void
CheckMinRate(const Values& values)
{
    const auto value = values.find("MIN_RATE");
    const std::string text = value == values.end() ? "" : value->second.text;
    const auto rate = ParseRate(text);
    if (text == "0" || (rate && rate->GetBitRate() == 0))
    {
        throw FileComplaint(value->second.Name("MIN_RATE") + " is " + text +
                            "; it must be above 0, as 100Mb/s");
    }
}

/// Consumes the setting that selects dynamic or static PFC thresholds.
void
TakeScheme(Values& values, HpccSettings& settings)
{
    const std::string key = "USE_DYNAMIC_PFC_THRESHOLD";
    if (const auto value = Take(values, key))
    {
        const bool isDynamic = value->text == "1";
        if (!isDynamic && value->text != "0")
        {
            throw FileComplaint(value->Name(key) + " is " + value->text + "; it must be 0 or 1");
        }
        settings.options.push_back({isDynamic ? "scheme=SIH" : "scheme=PFC", value->Name(key)});
        if (!isDynamic)
        {
            settings.options.push_back({"buffer-policy=Static", value->Name(key)});
        }
    }
}

/// Consumes the start and end times of the queue length file if no such file is requested.
void
TakeIdleTimes(Values& values, HpccSettings& settings)
{
    if (values.count("QLEN_MON_FILE") > 0)
    {
        return;
    }
    for (const std::string key : {"QLEN_MON_START", "QLEN_MON_END"})
    {
        if (const auto value = Take(values, key))
        {
            settings.outputs.push_back(key + " " + value->text);
        }
    }
}

/// @return true if this module always behaves as if the setting had this value
bool
IsAlwaysSo(const std::string& key, const std::string& value)
{
    const auto found = ALWAYS_SO.find(key);
    double rate = 1;
    const bool isNoError =
        key == "ERROR_RATE_PER_LINK" && ReadOption(value, rate).empty() && rate == 0;
    return isNoError || (found != ALWAYS_SO.end() && found->second == value);
}

/// @return the keys that this module or its documentation covers
std::vector<std::string>
GetKnownKeys()
{
    std::set<std::string> keys = NOT_ADOPTED;
    keys.insert(OUTPUT_ALONE.begin(), OUTPUT_ALONE.end());
    keys.insert(LISTS.begin(), LISTS.end());
    for (const auto& [key, counterpart] : COUNTERPARTS)
    {
        keys.insert(key);
    }
    for (const auto& [key, value] : ALWAYS_SO)
    {
        keys.insert(key);
    }
    for (const auto& [number, control] : CONTROLS)
    {
        for (const auto& [key, attribute] : control.attributes)
        {
            keys.insert(key);
        }
    }
    return {keys.begin(), keys.end()};
}

/// @return true if the names differ in at most two letters, whatever the order of the letters.
/// ENABLE_PFC, although similar, is not a misspelt ENABLE_QCN.
bool
IsMisspelling(std::string name, std::string known)
{
    std::sort(name.begin(), name.end());
    std::sort(known.begin(), known.end());
    std::string others;
    std::set_symmetric_difference(name.begin(),
                                  name.end(),
                                  known.begin(),
                                  known.end(),
                                  std::back_inserter(others));
    return others.size() <= 2;
}

/// Consumes the settings that neither this module nor its documentation covers, such as the
/// settings of forks and misspelt settings.
void
TakeUnknown(Values& values, HpccSettings& settings)
{
    const std::vector<std::string> known = GetKnownKeys();
    for (auto next = values.begin(); next != values.end();)
    {
        const auto& [key, value] = *next;
        if (std::find(known.begin(), known.end(), key) != known.end())
        {
            ++next;
            continue;
        }
        std::string remark;
        const std::string capitals = boost::algorithm::to_upper_copy(key);
        for (const std::string& name : FindSimilarNames(capitals, known))
        {
            remark = IsMisspelling(capitals, name) ? " (" + name + "?)" : remark;
        }
        remark = capitals != key ? " (keys are written in capitals)" : remark;
        settings.unknown.push_back(key + " " + value.text + remark);
        next = values.erase(next);
    }
}

/// Translates a setting that does not depend on other settings.
void
TakeValue(const std::string& key, const Value& value, HpccSettings& settings)
{
    const auto counterpart = COUNTERPARTS.find(key);
    if (counterpart == COUNTERPARTS.end())
    {
        if (!IsAlwaysSo(key, value.text))
        {
            auto& list = OUTPUT_ALONE.count(key) > 0 ? settings.outputs : settings.unmatched;
            list.push_back(key + " " + value.text);
        }
        return;
    }
    const auto& [option, unit] = counterpart->second;
    if (key == "BUFFER_SIZE" && value.text == "0") // some forks then compute it
    {
        settings.unmatched.push_back(key + " 0");
        return;
    }
    if (key == "BUFFER_SIZE" && ParseNumber(value.text).value_or(0) > MOST_MEGABYTES)
    {
        settings.notes.push_back(value.Name(key) + " is " + value.text +
                                 ", which is in MB there; is it meant in bytes?");
    }
    const std::string text = option == "stop" ? LimitTime(value.text) : value.text;
    settings.options.push_back({option + "=" + text + unit, value.Name(key)});
    const auto mtu = option == "payload" ? FindMtu(value.text) : std::nullopt;
    if (mtu)
    {
        settings.options.push_back({"mtu=" + std::to_string(*mtu), value.Name(key)});
    }
}

} // namespace

std::vector<std::string>
HpccSettings::GetWarnings(const std::string& path) const
{
    std::vector<std::string> warnings = notes;
    const auto list = [&](const std::string& what, const std::vector<std::string>& settings) {
        if (!settings.empty())
        {
            warnings.push_back(path + " has settings " + what + ": " +
                               boost::algorithm::join(settings, ", ") + ".");
        }
    };
    list("that are not adopted; doc/migration.rst says what to write instead", unmatched);
    list("that are not known here and have no effect", unknown);
    list("of a congestion control that is not chosen, which have no effect", idle);
    list("of other outputs, which change no result here", outputs);
    return warnings;
}

HpccSettings
ReadHpccSettings(const std::string& path, const std::string& control)
{
    return ReadText(path, [&](auto& input) { return ParseHpccSettings(input, path, control); });
}

HpccSettings
ParseHpccSettings(std::istream& input, const std::string& fileName, const std::string& control)
{
    HpccSettings found;
    Values values = ReadValues(input, fileName, found.notes);
    TakeUnknown(values, found);
    TakeControl(values, control, found);
    TakeScheme(values, found);
    CheckMinRate(values);
    TakeThresholds(values, found);
    TakeIdleTimes(values, found);
    LocateFiles(values, found);
    for (const auto& [key, value] : values)
    {
        TakeValue(key, value, found);
    }
    return found;
}

} // namespace ns3::lossless
