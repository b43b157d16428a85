// SPDX-License-Identifier: GPL-2.0-only
#include "run-json.h"

#include "run-summary.h"

#include "ns3/lossless-version.h"
#include "ns3/option-text.h"
#include "ns3/ranks.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace ns3::lossless
{

namespace
{

using Json = nlohmann::ordered_json;

/// The version of the folder format. It changes whenever a name or its meaning changes.
constexpr int SCHEMA_VERSION = 5;

/// The maximum number of values listed for an attribute.
constexpr std::size_t MAX_LISTED_VALUES = 16;

/// Integers below this number are written without an exponent.
constexpr double MAX_PLAIN_NUMBER = 1e15;

/// @return the number, without a decimal point if it is an integer
Json
ToJson(double number)
{
    const bool isPlain = std::abs(number) < MAX_PLAIN_NUMBER && std::trunc(number) == number;
    return isPlain ? Json(static_cast<int64_t>(number)) : Json(number);
}

/// @return the string, or null if it is empty
Json
OrNull(const std::string& text)
{
    return text.empty() ? Json() : Json(text);
}

/// @return the versions of the software that produced the run
Json
DescribeVersions()
{
    Json json;
    json["ns3"] = OrNull(GetNs3Version());
    json["lossless"] = MODULE_VERSION;
    json["commit"] = OrNull(GetCommit());
#ifdef __clang__
    json["compiler"] = "Clang " __clang_version__;
#else
    json["compiler"] = "GCC " __VERSION__;
#endif
#ifdef NS3_ASSERT_ENABLE
    json["asserts"] = true;
#else
    json["asserts"] = false;
#endif
#ifdef __OPTIMIZE__
    json["optimized"] = true;
#else
    json["optimized"] = false;
#endif
    return json;
}

Json
Describe(const std::map<std::string, std::variant<std::string, double>>& parameters)
{
    Json json = Json::object();
    for (const auto& [name, value] : parameters)
    {
        const auto* number = std::get_if<double>(&value);
        json[name] = number ? ToJson(*number) : Json(std::get<std::string>(value));
    }
    return json;
}

Json
Describe(const ResultCell& cell)
{
    const auto describe = [](const auto& value) {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::monostate>)
        {
            return Json();
        }
        else if constexpr (std::is_same_v<Value, double>)
        {
            return ToJson(value);
        }
        else
        {
            return Json(value);
        }
    };
    return std::visit(describe, cell.Get());
}

Json
Describe(const std::vector<std::string>& texts)
{
    return texts;
}

Json
Describe(const ResultTable& table)
{
    Json list = Json::array();
    for (const ResultTable::Row& row : table.rows)
    {
        Json record;
        for (std::size_t column = 0; column < row.size(); ++column)
        {
            record[table.columns[column]] = Describe(row[column]);
        }
        list.push_back(record);
    }
    return list;
}

/// Adds the facts of a recorder; see Recorder::GetFacts().
/// @param recorder the name of the recorder
void
AddFacts(Json& json, const std::string& recorder, const ResultFacts& facts)
{
    for (const auto& [name, fact] : facts)
    {
        Json& place =
            name.front() == '/' ? json[Json::json_pointer(name)] : json["measures"][recorder][name];
        place = std::visit([](const auto& content) { return Describe(content); }, fact);
    }
}

/// @return an attribute with its value, or with up to MAX_LISTED_VALUES values if there are several
Json
Describe(const AttributeDifference& difference)
{
    const std::set<std::string>& values = difference.values;
    Json json{{"type", difference.type},
              {"attribute", difference.attribute},
              {"default", difference.original}};
    if (values.size() == 1)
    {
        json["value"] = *values.begin();
        return json;
    }
    json["distinct_values"] = values.size();
    const auto end = std::next(values.begin(), std::min(values.size(), MAX_LISTED_VALUES));
    json["values"] = std::vector<std::string>(values.begin(), end);
    return json;
}

Json
Describe(const RunVerdict& verdict)
{
    return {
        {"outcome", ToString(verdict.outcome)},
        {"interrupted_by", verdict.interruption ? Json(*verdict.interruption) : Json()},
        {"lost_frames", verdict.lostFrames},
        {"lost_bytes", verdict.lostBytes},
        {"lost_control_frames", verdict.lostControlFrames},
        {"lossless_class_lost_frames", verdict.losslessClassFrames},
        {"lossless_class_lost_bytes", verdict.losslessClassBytes},
        {"watchdog_dropped_frames", verdict.watchdogFrames},
        {"flows", verdict.flows},
        {"unfinished_flows", verdict.unfinishedFlows},
        {"deadlock", verdict.deadlock.has_value()},
        {"deadlock_onset_ns", verdict.deadlock ? Json(verdict.deadlock->GetNanoSeconds()) : Json()},
        {"dissolved_deadlocks", verdict.dissolvedDeadlocks},
        {"problems", verdict.problems}};
}

/// Adds the description of the run.
void
AddDescription(Json& json, const RunDescription& description)
{
    const std::vector<std::string>& line = description.commandLine;
    json["schema"] = RUN_SCHEMA;
    json["schema_version"] = SCHEMA_VERSION;
    json["program"] = line.empty() ? "" : std::filesystem::path(line.front()).filename().string();
    json["command_line"] = line;
    if (!description.spec.empty())
    {
        json["spec"] = Json::parse(description.spec);
    }
    json["scheme"] = description.scheme;
    json["parameters"] = Describe(description.parameters);
    json["seed"] = RngSeedManager::GetSeed();
    json["run"] = RngSeedManager::GetRun();
    json["versions"] = DescribeVersions();
    json["ranks"] = Ranks::GetSize();
    json["simulated_ns"] = Simulator::Now().GetNanoSeconds();
}

/// The first members of run.json, in order. Other members follow.
const std::string RUN_MEMBERS =
    "schema schema_version program command_line spec scheme congestion_control parameters seed run "
    "versions files wall_s cpu_s ranks simulated_ns events packet_hops data_packets "
    "retransmitted_packets timeouts marked_frames trimmed_frames cnps naks verdict hints graph "
    "measures measured pauses max_pause_depth paused_hosts victim_flows pfc_frames attributes";

/// @return the members of an object in the order of RUN_MEMBERS, followed by all other members
Json
Arrange(Json& json)
{
    Json arranged;
    for (const std::string& name : Split(RUN_MEMBERS, ' '))
    {
        if (json.contains(name))
        {
            arranged[name] = std::move(json[name]);
            json.erase(name);
        }
    }
    arranged.update(json);
    return arranged;
}

} // namespace

void
WriteRunJson(std::ostream& os, const RunReport& report)
{
    Json json;
    AddDescription(json, report.description);
    json["files"] = report.files;
    json["verdict"] = Describe(report.verdict);
    json["hints"] = report.hints;
    json["attributes"] = Json::array();
    for (const AttributeDifference& difference : report.attributes)
    {
        json["attributes"].push_back(Describe(difference));
    }
    for (const auto& [recorder, facts] : report.facts)
    {
        AddFacts(json, recorder, facts);
    }
    // A command line can contain arbitrary bytes, but JSON requires UTF-8.
    os << Arrange(json).dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

} // namespace ns3::lossless
