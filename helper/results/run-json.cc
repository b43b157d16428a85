// SPDX-License-Identifier: GPL-2.0-only
#include "run-json.h"

#include "ns3/lossless-version.h"
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
#include <string>

namespace ns3::lossless
{

namespace
{

using Json = nlohmann::ordered_json;

/// Version of the folder's format: changes whenever a name or a meaning does.
constexpr int SCHEMA_VERSION = 5;

/// Distinct values of an attribute that are listed.
constexpr std::size_t MAX_LISTED_VALUES = 16;

/// Below this, whole numbers are written without exponent.
constexpr double MAX_PLAIN_NUMBER = 1e15;

/// @param number a number @return the same, without a decimal point if it is whole
Json
ToJson(double number)
{
    const bool isPlain = std::abs(number) < MAX_PLAIN_NUMBER && std::trunc(number) == number;
    return isPlain ? Json(static_cast<int64_t>(number)) : Json(number);
}

/// @param seconds a span @return the same, rounded to milliseconds
Json
ToMilliseconds(double seconds)
{
    return ToJson(std::round(seconds * 1e3) / 1e3);
}

/// @param text any @return the same; null if it is empty
Json
OrNull(const std::string& text)
{
    return text.empty() ? Json() : Json(text);
}

/// @return who made the run
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

/// @param parameters texts and numbers by name @return the same
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

/// @param measures by recorder and name @return the same
Json
Describe(const std::map<std::string, std::map<std::string, ResultCell>>& measures)
{
    Json json;
    for (const auto& [recorder, facts] : measures)
    {
        for (const auto& [name, fact] : facts)
        {
            const auto describe = [](const auto& value) {
                if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
                {
                    return Json();
                }
                else
                {
                    return Json(value);
                }
            };
            json[recorder][name] = std::visit(describe, fact.Get());
        }
    }
    return json;
}

/// @param drop a place and what was lost there @return the same
Json
Describe(const DropRecord& drop)
{
    return {{"node", drop.node},
            {"port", Index(drop.port)},
            {"priority", drop.priority ? Json(Index(*drop.priority)) : Json()},
            {"lossless_class", drop.lossless},
            {"violation", drop.IsViolation()},
            {"kind", drop.isControl ? "control" : "data"},
            {"reason", ToString(drop.reason)},
            {"frames", drop.frames},
            {"bytes", drop.bytes}};
}

/// @param record PFC frames of a port @return the same
Json
Describe(const ControlFrameRecord& record)
{
    return {{"node", record.node}, {"port", Index(record.port)}, {"frames", record.frames}};
}

/// @param difference an attribute @return the same, with one value or the first of several
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

/// @param kind collectives that are alike @return the same, without means where none is done
Json
Describe(const CollectiveSummary& kind)
{
    Json json{{"collective", kind.name},
              {"algorithm", kind.algorithm},
              {"count", kind.count},
              {"done", kind.done}};
    if (kind.done > 0)
    {
        json["mean_duration_ns"] = ToJson(kind.meanDurationNs);
        json["max_duration_ns"] = ToJson(kind.maxDurationNs);
        json["mean_bus_gbps"] = ToJson(kind.meanBusGbps);
        json["mean_waiting_share"] = ToJson(kind.meanWaitingShare);
    }
    return json;
}

/// @param records a list @return the same
template <typename T>
Json
DescribeAll(const std::vector<T>& records)
{
    Json json = Json::array();
    for (const T& record : records)
    {
        json.push_back(Describe(record));
    }
    return json;
}

/// @param verdict what came of the run @param drops what was lost @return both
Json
Describe(const RunVerdict& verdict, const std::vector<DropRecord>& drops)
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
        {"problems", verdict.problems},
        {"drops", DescribeAll(drops)}};
}

/// @param number a number that may not be known @return the same; null if it is not
Json
OrNull(const std::optional<double>& number)
{
    return number ? ToJson(*number) : Json();
}

/// @param graph what came of a flow graph @return the same
Json
Describe(const GraphFacts& graph)
{
    Json json{{"steps", graph.steps}, {"done", graph.done}};
    if (graph.stalledSince)
    {
        json["stalled_since_ns"] = graph.stalledSince->GetNanoSeconds();
    }
    json["waiting"] = graph.standstill;
    json["collectives"] = DescribeAll(graph.collectives);
    return json;
}

/// Tells a distribution. @param json where to @param what it is of @param found it; nothing: nulls
void
AddDistribution(Json& json, const std::string& what, const std::optional<Distribution>& found)
{
    json["mean_" + what] = found ? ToJson(found->mean) : Json();
    json["median_" + what] = found ? ToJson(found->median) : Json();
    json["p99_" + what] = found ? ToJson(found->p99) : Json();
}

/// @param window as it was asked for @param statistics of it @return both
Json
Describe(const MeasureWindow& window, const RunStatistics& statistics)
{
    const Time length = statistics.until - statistics.from;
    Json json{{"from_ns", window.from.GetNanoSeconds()},
              {"until_ns", window.until ? Json(window.until->GetNanoSeconds()) : Json()},
              {"length_ns", length.GetNanoSeconds()},
              {"flows", statistics.flows},
              {"unfinished_flows", statistics.unfinished}};
    AddDistribution(json, "fct_ns", statistics.fctNs);
    AddDistribution(json, "slowdown", statistics.slowdown);
    json["paused_ns"] = statistics.paused.GetNanoSeconds();
    json["max_paused_share"] = OrNull(statistics.maxPausedShare);
    json["mean_buffer_bytes"] = OrNull(statistics.meanBufferBytes);
    return json;
}

/// Tells how the run was made. @param json where to @param facts of the run
void
AddDescription(Json& json, const RunFacts& facts)
{
    const std::vector<std::string>& line = facts.description.commandLine;
    json["schema"] = RUN_SCHEMA;
    json["schema_version"] = SCHEMA_VERSION;
    json["program"] = line.empty() ? "" : std::filesystem::path(line.front()).filename().string();
    json["command_line"] = line;
    const std::string& spec = facts.description.spec;
    if (!spec.empty())
    {
        json["spec"] = Json::parse(spec);
    }
    json["scheme"] = facts.description.scheme;
    json["congestion_control"] = facts.congestionControl;
    json["parameters"] = Describe(facts.description.parameters);
    json["seed"] = RngSeedManager::GetSeed();
    json["run"] = RngSeedManager::GetRun();
    json["versions"] = DescribeVersions();
    json["files"] = facts.files;
}

/// Tells what the run cost and how much it did. @param json where to @param facts of the run
void
AddCounts(Json& json, const RunFacts& facts)
{
    json["wall_s"] = ToMilliseconds(facts.wallSeconds);
    json["cpu_s"] = ToMilliseconds(facts.cpuSeconds);
    json["ranks"] = Ranks::GetSize();
    json["simulated_ns"] = Simulator::Now().GetNanoSeconds();
    json["events"] = facts.events;
    json["packet_hops"] = facts.packetHops;
    json["data_packets"] = facts.signals.dataSent;
    json["retransmitted_packets"] = facts.retransmitted;
    json["timeouts"] = facts.signals.timeouts;
    json["marked_frames"] = facts.markedFrames;
    json["trimmed_frames"] = facts.trimmedFrames;
    json["cnps"] = facts.signals.cnpsSent;
    json["naks"] = facts.signals.naksSent;
}

/// Tells how far pauses have spread and whom they hit. @param json where to @param facts of the run
void
AddPropagation(Json& json, const RunFacts& facts)
{
    uint64_t pauses = 0;
    for (const PauseDepthRecord& record : facts.depths)
    {
        pauses += record.pauses;
    }
    json["pauses"] = pauses;
    json["max_pause_depth"] = facts.depths.empty() ? 0 : facts.depths.back().depth;
    json["paused_hosts"] = facts.pausedHosts;
    json["victim_flows"] = facts.victimFlows;
}

} // namespace

void
WriteRunJson(std::ostream& os, const RunFacts& facts)
{
    Json json;
    AddDescription(json, facts);
    AddCounts(json, facts);
    json["verdict"] = Describe(facts.verdict, facts.drops);
    json["hints"] = facts.hints;
    if (facts.graph)
    {
        json["graph"] = Describe(*facts.graph);
    }
    if (!facts.measures.empty())
    {
        json["measures"] = Describe(facts.measures);
    }
    json["measured"] = Describe(facts.window, facts.statistics);
    AddPropagation(json, facts);
    json["pfc_frames"] = DescribeAll(facts.pfcFrames);
    json["attributes"] = DescribeAll(facts.attributes);
    // A command line may hold any bytes, a JSON text only those of UTF-8.
    os << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

} // namespace ns3::lossless
