// SPDX-License-Identifier: GPL-2.0-only
#include "results-writer.h"

#include "attribute-survey.h"
#include "fabric.h"
#include "json-writer.h"
#include "lossless-csv-writer.h"
#include "lossless-version.h"

#include "ns3/abort.h"
#include "ns3/lossless-net-device.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/roce-nic.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>

#if __has_include("ns3/version-defines.h")
#include "ns3/version-defines.h"
#endif

namespace ns3::lossless
{

namespace
{

/// Value of "schema" in run.json, by which a result folder is known.
const std::string SCHEMA = "lossless-run";

/// Version of the folder's format: changes whenever a name or a meaning does.
constexpr uint64_t SCHEMA_VERSION = 2;

/// The file that tells what the folder is.
const std::string RUN_FILE = "run.json";

/// @param folder a path @return the result folder there
ResultFolder
GetResultFolder(const std::string& folder)
{
    return ResultFolder(folder, {RUN_FILE, "\"schema\": \"" + SCHEMA + "\""});
}

/// @param time an instant or a span @return whole nanoseconds
int64_t
Ns(Time time)
{
    return time.GetNanoSeconds();
}

/// @param sentence said on standard error before the program stops with exit status 1
[[noreturn]] void
Fail(const std::string& sentence)
{
    std::cerr << sentence << std::endl;
    std::exit(1);
}

/// Writes who made the run. @param json where to
void
WriteVersions(JsonWriter& json)
{
    json.Key("versions").Begin('{');
#ifdef NS3_VERSION_MAJOR
    json.Key("ns3").Text(std::to_string(NS3_VERSION_MAJOR) + "." +
                         std::to_string(NS3_VERSION_MINOR));
#else
    json.Key("ns3").Null();
#endif
    json.Key("lossless").Text(MODULE_VERSION);
#ifdef __clang__
    json.Key("compiler").Text("Clang " __clang_version__);
#else
    json.Key("compiler").Text("GCC " __VERSION__);
#endif
#ifdef NS3_ASSERT_ENABLE
    json.Key("asserts").Boolean(true);
#else
    json.Key("asserts").Boolean(false);
#endif
#ifdef __OPTIMIZE__
    json.Key("optimized").Boolean(true);
#else
    json.Key("optimized").Boolean(false);
#endif
    json.End('}');
}

/// Writes how many PFC frames each port has sent. @param json where to @param records the ports
void
WritePfcFrames(JsonWriter& json, const std::vector<PfcFrameRecord>& records)
{
    json.Key("pfc_frames").Begin('[');
    for (const PfcFrameRecord& record : records)
    {
        json.Begin('{');
        json.Key("node").Text(record.node);
        json.Key("port").Integer(Index(record.port));
        json.Key("frames").Integer(record.frames);
        json.End('}');
    }
    json.End(']');
}

/// Writes a place and what was lost there. @param json where to @param drop the record
void
WriteDrop(JsonWriter& json, const DropRecord& drop)
{
    json.Begin('{');
    json.Key("node").Text(drop.node);
    json.Key("port").Integer(Index(drop.port));
    json.Key("priority");
    if (drop.priority)
    {
        json.Integer(Index(*drop.priority));
    }
    else
    {
        json.Null();
    }
    json.Key("lossless_class").Boolean(drop.lossless);
    json.Key("violation").Boolean(drop.IsViolation());
    json.Key("reason").Text(ToString(drop.reason));
    json.Key("frames").Integer(drop.frames);
    json.Key("bytes").Integer(drop.bytes);
    json.End('}');
}

/// Writes the verdict. @param json where to @param verdict what came of the run
/// @param drops what was lost
void
WriteVerdict(JsonWriter& json, const RunVerdict& verdict, const std::vector<DropRecord>& drops)
{
    json.Key("verdict").Begin('{');
    json.Key("outcome").Text(ToString(verdict.outcome));
    json.Key("lost_frames").Integer(verdict.lostFrames);
    json.Key("lost_bytes").Integer(verdict.lostBytes);
    json.Key("lossless_class_lost_frames").Integer(verdict.losslessClassFrames);
    json.Key("lossless_class_lost_bytes").Integer(verdict.losslessClassBytes);
    json.Key("flows").Integer(verdict.flows);
    json.Key("unfinished_flows").Integer(verdict.unfinishedFlows);
    json.Key("deadlock").Boolean(verdict.deadlock.has_value());
    json.Key("deadlock_onset_ns");
    if (verdict.deadlock)
    {
        json.Integer(Ns(*verdict.deadlock));
    }
    else
    {
        json.Null();
    }
    json.Key("problems").Begin('[');
    for (const std::string& problem : verdict.problems)
    {
        json.Text(problem);
    }
    json.End(']');
    json.Key("drops").Begin('[');
    for (const DropRecord& drop : drops)
    {
        WriteDrop(json, drop);
    }
    json.End(']');
    json.End('}');
}

} // namespace

ResultsWriter::ResultsWriter(const std::string& folder)
    : m_created(std::chrono::steady_clock::now()),
      m_sampler(CreateObject<QueueSampler>()),
      m_detector(CreateObject<DeadlockDetector>())
{
    AddStandardTables();
    if (folder.empty())
    {
        return;
    }
    m_folder = GetResultFolder(folder);
    if (const auto error = m_folder->Check())
    {
        Fail(*error);
    }
}

void
ResultsWriter::AddStandardTables()
{
    AddTable("flows", [this] { return MakeFlowTable(m_plan.Join(m_flows.GetFlows())); });
    AddTable("pauses", [this] { return m_pauses.GetTable(); });
    AddTable("pause-depths", [this] { return m_propagation.GetDepthTable(); });
    AddTable("victims", [this] { return m_propagation.GetVictimTable(m_flows.GetFlows()); });
    AddTable("queues", [this] { return m_sampler->GetTable(); });
    AddTable("drops", [this] { return m_drops.GetTable(); });
    AddTable("deadlocks", [this] { return m_detector->GetTable(); });
}

std::optional<std::string>
ResultsWriter::CheckFolder(const std::string& folder)
{
    return GetResultFolder(folder).Check();
}

void
ResultsWriter::SetCommandLine(int argc, const char* const* argv)
{
    m_commandLine.assign(argv, argv + argc);
}

void
ResultsWriter::SetScheme(const std::string& scheme)
{
    m_scheme = scheme;
}

void
ResultsWriter::AddParameter(const std::string& name, const std::string& value)
{
    m_parameters[name] = value;
}

void
ResultsWriter::AddParameter(const std::string& name, double value)
{
    m_parameters[name] = value;
}

void
ResultsWriter::AddTable(const std::string& name, std::function<ResultTable()> make)
{
    NS_ABORT_MSG_IF(std::any_of(m_tables.begin(),
                                m_tables.end(),
                                [&name](const auto& other) { return other.first == name; }),
                    "ResultsWriter: a second table is called \"" << name
                                                                 << "\"; names must differ.");
    m_tables.emplace_back(name, std::move(make));
}

void
ResultsWriter::AddNode(const std::string& name, Ptr<Node> node)
{
    m_network.AddNode(name, node);
    m_drops.Watch(name, node);
}

void
ResultsWriter::AddSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    AddNode(name, node);
    m_pauses.Watch(name, node);
    m_propagation.Watch(name, node);
    m_sampler->WatchBuffer(name, node);
    m_detector->Watch(name, node);
}

void
ResultsWriter::AddHost(const std::string& name, Ptr<Node> node)
{
    AddNode(name, node);
}

void
ResultsWriter::AddNic(Ptr<Object> nic)
{
    m_flows.Watch(nic);
    m_network.AddNic(nic);
    auto roce = DynamicCast<RoceNic>(nic);
    if (auto device = nic->GetObject<LosslessNetDevice>(); roce && device)
    {
        m_propagation.AddNic(roce->GetAddress(), device);
    }
}

void
ResultsWriter::AddFabric(const Fabric& fabric)
{
    m_plan.SetFabric(fabric);
    const Topology& topology = fabric.GetTopology();
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        AddSwitch(topology.GetNodes()[topology.GetSwitches()[i]].name, fabric.GetSwitch(i));
    }
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        const uint32_t node = topology.GetHosts()[host];
        AddHost(topology.GetNodes()[node].name, fabric.GetHost(host));
        for (uint32_t port = 0; port < topology.GetPorts(node).size(); ++port)
        {
            AddNic(fabric.GetNic(host, port));
        }
    }
}

void
ResultsWriter::SetFlows(const FlowList& flows, const Topology& topology)
{
    m_plan.SetFlows(flows, topology);
}

void
ResultsWriter::SetIdealFct(FlowPlan::IdealFct ideal)
{
    m_plan.SetIdealFct(std::move(ideal));
}

Ptr<QueueSampler>
ResultsWriter::GetSampler() const
{
    return m_sampler;
}

Ptr<DeadlockDetector>
ResultsWriter::GetDeadlockDetector() const
{
    return m_detector;
}

const PauseRecorder&
ResultsWriter::GetPauses() const
{
    return m_pauses;
}

const PausePropagation&
ResultsWriter::GetPropagation() const
{
    return m_propagation;
}

const DropRecorder&
ResultsWriter::GetDrops() const
{
    return m_drops;
}

const FlowRecorder&
ResultsWriter::GetFlows() const
{
    return m_flows;
}

RunVerdict
ResultsWriter::GetVerdict() const
{
    m_network.RequireSimulation();
    return JudgeRun({m_detector->GetDeadlocks(),
                     m_drops.GetDrops(),
                     m_plan.Join(m_flows.GetFlows()),
                     !m_network.IsEmpty(),
                     m_network.CountPacketHops()});
}

std::vector<ResultFolder::File>
ResultsWriter::GetFiles() const
{
    std::vector<ResultFolder::File> files{{RUN_FILE, [this](std::ostream& os) { WriteRun(os); }}};
    for (const auto& [name, make] : m_tables)
    {
        files.push_back({name + ".csv", [&make](std::ostream& os) { WriteCsv(os, make()); }});
    }
    return files;
}

std::optional<std::string>
ResultsWriter::Write() const
{
    m_network.RequireSimulation();
    return m_folder ? m_folder->Write(GetFiles()) : std::nullopt;
}

RunVerdict
ResultsWriter::Finish() const
{
    if (const auto error = Write())
    {
        Fail(*error);
    }
    const RunVerdict verdict = GetVerdict();
    for (const std::string& problem : verdict.problems)
    {
        std::cerr << problem << std::endl;
    }
    return verdict;
}

void
ResultsWriter::WriteParameters(JsonWriter& json) const
{
    json.Key("parameters").Begin('{');
    for (const auto& [name, value] : m_parameters)
    {
        json.Key(name);
        if (const auto* number = std::get_if<double>(&value))
        {
            json.Number(*number);
        }
        else
        {
            json.Text(std::get<std::string>(value));
        }
    }
    json.End('}');
}

void
ResultsWriter::WriteCounts(JsonWriter& json) const
{
    using Seconds = std::chrono::duration<double>;
    const Seconds wall = std::chrono::steady_clock::now() - m_created;
    json.Key("wall_s").Number(std::round(wall.count() * 1e3) / 1e3);
    json.Key("cpu_s").Number(std::round(1e3 * std::clock() / CLOCKS_PER_SEC) / 1e3);
    json.Key("simulated_ns").Integer(Ns(Simulator::Now()));
    json.Key("events").Integer(Simulator::GetEventCount());
    json.Key("packet_hops").Integer(m_network.CountPacketHops());
    json.Key("retransmitted_packets").Integer(m_network.CountRetransmissions());
}

void
ResultsWriter::WritePropagation(JsonWriter& json) const
{
    const std::vector<PauseDepthRecord> depths = m_propagation.GetDepths();
    uint64_t pauses = 0;
    for (const PauseDepthRecord& record : depths)
    {
        pauses += record.pauses;
    }
    json.Key("pauses").Integer(pauses);
    json.Key("max_pause_depth").Integer(depths.empty() ? 0 : depths.back().depth);
    json.Key("paused_hosts").Integer(m_propagation.CountStoppedHosts());
    json.Key("victim_flows").Integer(m_propagation.GetVictims(m_flows.GetFlows()).size());
}

void
ResultsWriter::WriteAttributes(JsonWriter& json) const
{
    AttributeSurvey survey;
    survey.AddDefaults();
    m_network.AddTo(survey);
    survey.AddObject(m_sampler);
    survey.AddObject(m_detector);
    json.Key("attributes");
    survey.Write(json);
}

void
ResultsWriter::WriteRun(std::ostream& os) const
{
    JsonWriter json(os);
    json.Begin('{');
    json.Key("schema").Text(SCHEMA);
    json.Key("schema_version").Integer(SCHEMA_VERSION);
    json.Key("program").Text(
        m_commandLine.empty() ? ""
                              : std::filesystem::path(m_commandLine.front()).filename().string());
    json.Key("command_line").Begin('[');
    for (const std::string& argument : m_commandLine)
    {
        json.Text(argument);
    }
    json.End(']');
    json.Key("scheme").Text(m_scheme);
    json.Key("congestion_control").Text(m_network.DescribeCongestionControl());
    WriteParameters(json);
    json.Key("seed").Integer(RngSeedManager::GetSeed());
    json.Key("run").Integer(RngSeedManager::GetRun());
    WriteVersions(json);
    WriteCounts(json);
    WriteVerdict(json, GetVerdict(), m_drops.GetDrops());
    WritePropagation(json);
    WritePfcFrames(json, m_pauses.GetFrames());
    WriteAttributes(json);
    json.End('}');
    os << '\n';
}

} // namespace ns3::lossless
