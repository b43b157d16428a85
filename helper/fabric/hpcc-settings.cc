// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-settings.h"

#include "ns3/abort.h"
#include "ns3/option-text.h"
#include "ns3/quantity-text.h"
#include "ns3/text-lines.h"

#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// Attributes of this module.
const std::string OURS = "ns3::lossless::";

/// What one setting becomes.
struct Counterpart
{
    std::string option; ///< of hpcc-run, or an attribute
    std::string unit;   ///< that the setting leaves out
};

/// Settings of a single value, whatever the congestion control is.
const std::map<std::string, Counterpart> COUNTERPARTS{
    {"TOPOLOGY_FILE", {"topology", ""}},
    {"FLOW_FILE", {"flows", ""}},
    {"FCT_OUTPUT_FILE", {"fct-file", ""}},
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
    {"MIN_RATE", {OURS + "RateCongestionControl::MinRate", ""}},
};

/// A congestion control: what `--congestion-control` calls it, and its class.
struct Control
{
    std::string name;                              ///< of the option
    std::string type;                              ///< without the namespace
    std::map<std::string, std::string> attributes; ///< of that class, by key
};

/// Congestion controls by CC_MODE.
const std::map<std::string, Control> CONTROLS{
    {"1",
     {"DCQCN",
      "Dcqcn",
      {{"EWMA_GAIN", "Gain"}, {"RATE_AI", "AdditiveStep"}, {"RATE_HAI", "HyperStep"}}}},
    {"3", {"HPCC", "Hpcc", {{"RATE_AI", "AdditiveStep"}}}},
    {"7", {"TIMELY", "Timely", {{"RATE_AI", "AdditiveStep"}, {"RATE_HAI", "HyperStep"}}}},
    {"8", {"DCTCP", "Dctcp", {{"EWMA_GAIN", "Gain"}}}},
};

/// Settings of other simulators that are as this one always is.
const std::map<std::string, std::string> ALWAYS_SO{{"ENABLE_QCN", "1"},
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

/// All settings of a file: values by key.
using Values = std::map<std::string, std::string>;

/// One of the maps of marking thresholds: a value by rate, in bit/s.
using RateMap = std::map<uint64_t, double>;

/// Marking thresholds above a terabyte are none.
constexpr double MOST_KILOBYTES = 1e9;

/// @param text of a map: number of rates, and each with its value @return it; empty: it is no map
RateMap
ReadRateMap(const std::string& text)
{
    std::istringstream words(text);
    std::size_t count = 0;
    RateMap map;
    uint64_t rate = 0;
    double value = 0;
    words >> count;
    bool isPossible = true;
    while (map.size() < count && words >> rate >> value)
    {
        isPossible &= value >= 0 && value <= MOST_KILOBYTES;
        isPossible &= map.emplace(rate, value).second;
    }
    const bool isWhole = map.size() == count && (words >> std::ws).eof();
    return isPossible && isWhole ? map : RateMap();
}

/// @param map thresholds by rate @return whether they are in proportion to the rates
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

/// Reads all settings of a file. @param lines of it @param values where to
/// @return a sentence if one is wrong
std::optional<std::string>
ReadValues(TextLines& lines, Values& values)
{
    while (lines.Next())
    {
        std::istringstream words(lines.Get().substr(0, lines.Get().find('#')));
        std::string key;
        std::string value;
        words >> key;
        for (std::string word; words >> word;)
        {
            value += (value.empty() ? "" : " ") + word;
        }
        if (!key.empty() && value.empty())
        {
            return lines.Complain("'" + key + "' is not a key with a value");
        }
        if (!key.empty())
        {
            values[key] = value;
        }
    }
    return lines.GetError();
}

/// Takes the marking thresholds, where one rate and its thresholds tell all.
/// @param values all settings, without them afterwards @param settings where to
void
TakeThresholds(Values& values, HpccSettings& settings)
{
    constexpr double kilo = 1000;
    const RateMap least = ReadRateMap(values["KMIN_MAP"]);
    const RateMap most = ReadRateMap(values["KMAX_MAP"]);
    const RateMap share = ReadRateMap(values["PMAX_MAP"]);
    bool isOneShare = !share.empty();
    for (const auto& [rate, value] : share)
    {
        isOneShare &= value == share.begin()->second;
    }
    const bool isKnown = isOneShare && !least.empty() && least.size() == most.size() &&
                         least.begin()->first == most.begin()->first && IsProportional(least) &&
                         IsProportional(most);
    for (const std::string key : {"KMIN_MAP", "KMAX_MAP", "PMAX_MAP"})
    {
        if (!isKnown && !values[key].empty())
        {
            settings.unmatched.push_back(key + " " + values[key]);
        }
        values.erase(key);
    }
    if (!isKnown)
    {
        return;
    }
    const auto toBytes = [](double kilobytes) {
        return std::to_string(static_cast<uint64_t>(kilo * kilobytes));
    };
    std::ostringstream probability;
    probability << share.begin()->second;
    settings.options.push_back("ecn-min=" + toBytes(least.begin()->second));
    settings.options.push_back("ecn-max=" + toBytes(most.begin()->second));
    settings.options.push_back("ecn-probability=" + probability.str());
    if (least.size() > 1)
    {
        settings.options.push_back(
            OURS + "EcnMarker::ReferenceRate=" + std::to_string(least.begin()->first) + "bps");
    }
}

/// Takes the congestion control, and what depends on it. @param values all settings, without them
/// afterwards @param settings where to @return a sentence if there is no such control
std::optional<std::string>
TakeControl(Values& values, HpccSettings& settings)
{
    const auto mode = values.find("CC_MODE");
    if (mode == values.end())
    {
        return std::nullopt;
    }
    const auto control = CONTROLS.find(mode->second);
    if (control == CONTROLS.end())
    {
        return "CC_MODE is " + mode->second +
               "; it must be 1 (DCQCN), 3 (HPCC), 7 (TIMELY) or 8 (DCTCP)";
    }
    settings.options.push_back("congestion-control=" + control->second.name);
    values.erase(mode);
    for (const auto& [key, attribute] : control->second.attributes)
    {
        const auto value = values.find(key);
        if (value != values.end())
        {
            settings.options.push_back(OURS + control->second.type + "::" + attribute + "=" +
                                       value->second);
            values.erase(value);
        }
    }
    return std::nullopt;
}

/// Takes the thresholds of PFC. @param values all settings, without them afterwards
/// @param settings where to @return a sentence if it is not said which
std::optional<std::string>
TakeScheme(Values& values, HpccSettings& settings)
{
    const auto dynamic = values.find("USE_DYNAMIC_PFC_THRESHOLD");
    if (dynamic != values.end())
    {
        const bool isDynamic = dynamic->second == "1";
        if (!isDynamic && dynamic->second != "0")
        {
            return "USE_DYNAMIC_PFC_THRESHOLD is " + dynamic->second + "; it must be 0 or 1";
        }
        settings.options.push_back(isDynamic ? "scheme=SIH" : "scheme=PFC");
        if (!isDynamic)
        {
            settings.options.push_back("buffer-policy=Static");
        }
        values.erase(dynamic);
    }
    return std::nullopt;
}

/// @param key of a setting @param value of it @return whether it is so here anyway
bool
IsAlwaysSo(const std::string& key, const std::string& value)
{
    const auto found = ALWAYS_SO.find(key);
    double rate = 1;
    const bool isNoError =
        key == "ERROR_RATE_PER_LINK" && ReadOption(value, rate).empty() && rate == 0;
    return isNoError || (found != ALWAYS_SO.end() && found->second == value);
}

} // namespace

HpccSettings
ReadHpccSettings(const std::string& path)
{
    std::ifstream input = OpenText(path);
    HpccSettings settings;
    const auto error = ParseHpccSettings(input, path, settings);
    NS_ABORT_MSG_IF(error, *error);
    return settings;
}

std::optional<std::string>
ParseHpccSettings(std::istream& input, const std::string& fileName, HpccSettings& settings)
{
    Values values;
    TextLines lines(input, fileName);
    if (const auto error = ReadValues(lines, values))
    {
        return error;
    }
    HpccSettings found;
    if (const auto error = TakeControl(values, found))
    {
        return fileName + ": " + *error;
    }
    if (const auto error = TakeScheme(values, found))
    {
        return fileName + ": " + *error;
    }
    TakeThresholds(values, found);
    for (const auto& [key, value] : values)
    {
        const auto counterpart = COUNTERPARTS.find(key);
        if (counterpart != COUNTERPARTS.end())
        {
            const auto& [option, unit] = counterpart->second;
            found.options.push_back(option + "=" + value + unit);
        }
        else if (!IsAlwaysSo(key, value))
        {
            found.unmatched.push_back(key + " " + value);
        }
    }
    settings = std::move(found);
    return std::nullopt;
}

} // namespace ns3::lossless
