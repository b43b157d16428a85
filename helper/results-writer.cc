// SPDX-License-Identifier: GPL-2.0-only
#include "results-writer.h"

#include "attribute-survey.h"
#include "congestion-controls.h"
#include "fabric.h"
#include "json-writer.h"
#include "lossless-version.h"

#include "ns3/abort.h"
#include "ns3/lossless-channel.h"
#include "ns3/lossless-net-device.h"
#include "ns3/node-list.h"
#include "ns3/object-factory.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/roce-nic.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <set>
#include <sstream>

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

/// @param address an address @return its text
std::string
ToText(Ipv4Address address)
{
    std::ostringstream text;
    text << address;
    return text.str();
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
WriteVerdict(JsonWriter& json,
             const ResultsWriter::Verdict& verdict,
             const std::vector<DropRecord>& drops)
{
    json.Key("verdict").Begin('{');
    json.Key("outcome").Text(ResultsWriter::ToString(verdict.outcome));
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

/// Losses of one kind.
struct Losses
{
    uint64_t frames{0}; ///< number of frames
    uint64_t bytes{0};  ///< their bytes
    DropRecord worst;   ///< the most bytes at one place for one reason

    /// @param drop a place and what was lost there
    void Add(const DropRecord& drop)
    {
        frames += drop.frames;
        bytes += drop.bytes;
        worst = drop.bytes > worst.bytes ? drop : worst;
    }
};

/// @param what the kind of losses @param losses at least one @return a sentence about them
std::string
Describe(const std::string& what, const Losses& losses)
{
    const DropRecord& worst = losses.worst;
    std::ostringstream text;
    text << what << ": " << losses.frames << " (" << losses.bytes << " B); most at " << worst.node
         << ", port " << Index(worst.port);
    if (worst.priority)
    {
        text << ", class " << Index(*worst.priority);
    }
    text << " (" << ToString(worst.reason) << "): " << worst.frames << " (" << worst.bytes
         << " B).";
    return text.str();
}

} // namespace

ResultsWriter::ResultsWriter(const std::string& folder)
    : m_created(std::chrono::steady_clock::now()),
      m_sampler(CreateObject<QueueSampler>()),
      m_detector(CreateObject<DeadlockDetector>())
{
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
ResultsWriter::AddNode(const std::string& name, Ptr<Node> node)
{
    NS_ABORT_MSG_IF(name.empty() || name.find_first_of(",\"\r\n") != std::string::npos,
                    "ResultsWriter: a node is called \""
                        << name << "\"; a name must not be empty and holds no comma, quote or "
                        << "line break.");
    NS_ABORT_MSG_IF(!m_nodes.emplace(name, node).second,
                    "ResultsWriter: two nodes are called \"" << name << "\".");
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
    m_nics.push_back(nic);
    auto roce = DynamicCast<RoceNic>(nic);
    if (auto device = nic->GetObject<LosslessNetDevice>(); roce && device)
    {
        m_propagation.AddNic(roce->GetAddress(), device);
    }
}

void
ResultsWriter::AddFabric(const Fabric& fabric)
{
    NS_ABORT_MSG_IF(m_fabric,
                    "ResultsWriter: a second fabric is added; the results of a run hold one.");
    m_fabric = &fabric;
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
    NameHosts(topology);
    SetIdealFct([&fabric](const FlowSpec& flow) { return fabric.GetIdealFct(flow); });
}

void
ResultsWriter::SetFlows(const FlowList& flows, const Topology& topology)
{
    m_plan = flows;
    NameHosts(topology);
}

void
ResultsWriter::NameHosts(const Topology& topology)
{
    m_hostNames.clear();
    for (const uint32_t host : topology.GetHosts())
    {
        m_hostNames.push_back(topology.GetNodes()[host].name);
    }
}

void
ResultsWriter::SetIdealFct(IdealFct ideal)
{
    m_ideal = std::move(ideal);
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

const FlowList&
ResultsWriter::GetPlan() const
{
    return m_fabric && m_plan.empty() ? m_fabric->GetFlows() : m_plan;
}

std::vector<ResultsWriter::FlowRow>
ResultsWriter::GetFlowRows() const
{
    std::map<uint64_t, FlowRow> rows;
    for (const auto& [id, record] : m_flows.GetFlows())
    {
        FlowRow& row = rows[id];
        row.source = ToText(record.source);
        row.destination = ToText(record.flow.destination);
        row.priority = Index(record.flow.priority);
        row.bytes = record.flow.bytes;
        row.start = record.start;
        if (FlowRecorder::IsFinished(record))
        {
            row.fct = record.GetCompletionTime();
        }
    }
    for (const FlowSpec& spec : GetPlan())
    {
        const auto [place, isNew] = rows.try_emplace(spec.id);
        FlowRow& row = place->second;
        row.source = m_hostNames.at(spec.source);
        row.destination = m_hostNames.at(spec.destination);
        row.priority = spec.priority;
        row.bytes = spec.bytes;
        row.start = isNew ? spec.start : row.start;
        row.ideal = m_ideal ? std::optional(m_ideal(spec)) : std::nullopt;
        row.group = spec.group;
    }
    std::vector<FlowRow> list;
    for (auto& [id, row] : rows)
    {
        row.id = id;
        list.push_back(std::move(row));
    }
    return list;
}

ResultsWriter::Verdict
ResultsWriter::GetVerdict() const
{
    RequireSimulation();
    Verdict verdict;
    JudgeDeadlocks(verdict);
    JudgeDrops(verdict);
    JudgeFlows(verdict);
    if (verdict.losslessClassFrames > 0)
    {
        verdict.outcome = Outcome::VIOLATED;
    }
    else if (verdict.unfinishedFlows > 0)
    {
        verdict.outcome = Outcome::UNFINISHED;
    }
    else if (verdict.lostFrames > 0)
    {
        verdict.outcome = Outcome::LOSSY;
    }
    else if (verdict.flows == 0 && CountPacketHops() == 0)
    {
        verdict.outcome = Outcome::EMPTY;
        verdict.problems.push_back(DescribeNothing());
    }
    return verdict;
}

std::string
ResultsWriter::DescribeNothing() const
{
    return m_nodes.empty() && m_nics.empty()
               ? "Nothing was measured: no network was added to the results; "
                 "ResultsWriter::AddFabric() adds one, or AddSwitch(), AddHost() and AddNic() its "
                 "parts."
               : "Nothing was measured: there was no flow, and no switch and no RoCE NIC has sent "
                 "a frame.";
}

void
ResultsWriter::JudgeDeadlocks(Verdict& verdict) const
{
    const std::vector<DeadlockRecord>& deadlocks = m_detector->GetDeadlocks();
    if (deadlocks.empty())
    {
        return;
    }
    verdict.deadlock = deadlocks.front().onset;
    std::ostringstream text;
    text << (deadlocks.front().kind == DeadlockKind::CYCLE ? "Deadlock"
                                                           : "Standstill by thresholds")
         << " since " << Ns(deadlocks.front().onset) << " ns: " << deadlocks.front().GetCycle();
    if (deadlocks.size() > 1)
    {
        text << " (and " << deadlocks.size() - 1 << " more, see deadlocks.csv)";
    }
    verdict.problems.push_back(text.str() + ".");
}

void
ResultsWriter::JudgeDrops(Verdict& verdict) const
{
    Losses violations;
    Losses others;
    for (const DropRecord& drop : m_drops.GetDrops())
    {
        (drop.IsViolation() ? violations : others).Add(drop);
    }
    verdict.lostFrames = violations.frames + others.frames;
    verdict.lostBytes = violations.bytes + others.bytes;
    verdict.losslessClassFrames = violations.frames;
    verdict.losslessClassBytes = violations.bytes;
    if (violations.frames > 0)
    {
        verdict.problems.push_back(
            Describe("Frames lost for want of buffer in lossless classes", violations));
    }
    if (others.frames > 0)
    {
        verdict.problems.push_back(
            Describe(violations.frames > 0 ? "Other frames lost" : "Frames lost", others));
    }
}

void
ResultsWriter::JudgeFlows(Verdict& verdict) const
{
    std::optional<FlowRow> first;
    for (const FlowRow& row : GetFlowRows())
    {
        ++verdict.flows;
        if (!row.fct)
        {
            ++verdict.unfinishedFlows;
            first = first ? first : row;
        }
    }
    if (first)
    {
        std::ostringstream text;
        text << verdict.unfinishedFlows << " of " << verdict.flows << " flows unfinished after "
             << Ns(Simulator::Now()) << " ns; the first is flow " << first->id << " from "
             << first->source << " to " << first->destination << " (" << first->bytes << " B).";
        verdict.problems.push_back(text.str());
    }
}

std::vector<ResultFolder::File>
ResultsWriter::GetFiles() const
{
    std::vector<ResultFolder::File> files{
        {RUN_FILE, [this](std::ostream& os) { WriteRun(os); }},
        {"flows.csv", [this](std::ostream& os) { WriteFlows(os); }},
        {"pauses.csv", [this](std::ostream& os) { WritePauses(os); }},
        {"pause-depths.csv", [this](std::ostream& os) { WritePauseDepths(os); }},
        {"victims.csv", [this](std::ostream& os) { WriteVictims(os); }},
        {"queues.csv", [this](std::ostream& os) { WriteQueues(os); }},
        {"drops.csv", [this](std::ostream& os) { WriteDrops(os); }},
        {"deadlocks.csv", [this](std::ostream& os) { WriteDeadlocks(os); }},
    };
    files.insert(files.end(), m_tables.begin(), m_tables.end());
    return files;
}

std::optional<std::string>
ResultsWriter::Write() const
{
    RequireSimulation();
    return m_folder ? m_folder->Write(GetFiles()) : std::nullopt;
}

void
ResultsWriter::RequireSimulation() const
{
    for (const auto& [name, node] : m_nodes)
    {
        const uint32_t id = node->GetId();
        NS_ABORT_MSG_IF(id >= NodeList::GetNNodes() || NodeList::GetNode(id) != node,
                        "ResultsWriter: the simulation of "
                            << name
                            << " is destroyed already; results are finished once, and before "
                               "Simulator::Destroy(), which Experiment::Finish() calls.");
    }
}

void
ResultsWriter::AddTable(const std::string& name, std::function<void(std::ostream&)> write)
{
    const std::string file = name + ".csv";
    const std::vector<ResultFolder::File> files = GetFiles();
    NS_ABORT_MSG_IF(std::any_of(files.begin(),
                                files.end(),
                                [&file](const auto& other) { return other.name == file; }),
                    "ResultsWriter: a second table is called \"" << name
                                                                 << "\"; names must differ.");
    m_tables.push_back({file, std::move(write)});
}

ResultsWriter::Verdict
ResultsWriter::Finish() const
{
    if (const auto error = Write())
    {
        Fail(*error);
    }
    const Verdict verdict = GetVerdict();
    for (const std::string& problem : verdict.problems)
    {
        std::cerr << problem << std::endl;
    }
    return verdict;
}

const char*
ResultsWriter::ToString(Outcome outcome)
{
    constexpr std::array<const char*, 5> names = {"violated",
                                                  "unfinished",
                                                  "lossy",
                                                  "empty",
                                                  "lossless"};
    return names[static_cast<std::size_t>(outcome)];
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
    json.Key("packet_hops").Integer(CountPacketHops());
    uint64_t retransmitted = 0;
    for (const Ptr<Object>& nic : m_nics)
    {
        auto roce = DynamicCast<RoceNic>(nic);
        retransmitted += roce ? roce->GetCounts().retransmitted : 0;
    }
    json.Key("retransmitted_packets").Integer(retransmitted);
}

std::string
ResultsWriter::DescribeCongestionControl() const
{
    std::set<std::string> names;
    for (const Ptr<Object>& nic : m_nics)
    {
        ObjectFactoryValue factory;
        if (nic->GetAttributeFailSafe("CongestionControl", factory))
        {
            names.insert(GetCongestionControlName(factory.Get().GetTypeId()));
        }
    }
    std::string text;
    for (const std::string& name : names)
    {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
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

uint64_t
ResultsWriter::CountPacketHops() const
{
    uint64_t hops = 0;
    for (const auto& [name, node] : m_nodes)
    {
        auto switchNode = DynamicCast<SwitchNode>(node);
        hops += switchNode ? switchNode->GetCounts().sent : 0;
    }
    for (const Ptr<Object>& nic : m_nics)
    {
        if (auto roce = DynamicCast<RoceNic>(nic))
        {
            const RoceNic::Counts& counts = roce->GetCounts();
            hops += counts.dataSent + counts.acksSent + counts.naksSent + counts.cnpsSent;
        }
    }
    return hops;
}

void
ResultsWriter::WriteAttributes(JsonWriter& json) const
{
    AttributeSurvey survey;
    survey.AddDefaults();
    for (const auto& [name, node] : m_nodes)
    {
        survey.AddObject(DynamicCast<SwitchNode>(node));
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            if (auto device = DynamicCast<LosslessNetDevice>(node->GetDevice(i)))
            {
                survey.AddObject(device);
                survey.AddObject(device->GetGate());
                survey.AddObject(device->GetChannel());
            }
        }
    }
    for (const Ptr<Object>& nic : m_nics)
    {
        survey.AddObject(nic);
    }
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
    json.Key("congestion_control").Text(DescribeCongestionControl());
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

void
ResultsWriter::WriteFlows(std::ostream& os) const
{
    os << "id,source,destination,priority,bytes,start_ns,fct_ns,ideal_ns,slowdown,group\n";
    os << std::fixed << std::setprecision(6);
    for (const FlowRow& row : GetFlowRows())
    {
        os << row.id << ',' << row.source << ',' << row.destination << ',' << row.priority << ','
           << row.bytes << ',' << Ns(row.start) << ',';
        if (row.fct)
        {
            os << Ns(*row.fct);
        }
        os << ',';
        if (row.ideal)
        {
            os << Ns(*row.ideal);
        }
        os << ',';
        if (row.fct && row.ideal && row.ideal->IsStrictlyPositive())
        {
            os << static_cast<double>(row.fct->GetTimeStep()) /
                      static_cast<double>(row.ideal->GetTimeStep());
        }
        os << ',' << row.group << '\n';
    }
}

void
ResultsWriter::WritePauses(std::ostream& os) const
{
    os << "node,port,priority,pauses,resumes,paused_ns,first_pause_ns\n";
    for (const PauseRecord& record : m_pauses.GetPauses())
    {
        os << record.node << ',' << Index(record.port) << ',';
        if (record.priority)
        {
            os << Index(*record.priority);
        }
        else
        {
            os << "port";
        }
        os << ',' << record.pauses << ',' << record.resumes << ',' << Ns(record.paused) << ','
           << Ns(record.firstPause) << '\n';
    }
}

void
ResultsWriter::WritePauseDepths(std::ostream& os) const
{
    os << "depth,pauses,queues,hosts\n";
    for (const PauseDepthRecord& record : m_propagation.GetDepths())
    {
        os << record.depth << ',' << record.pauses << ',' << record.queues << ',' << record.hosts
           << '\n';
    }
}

void
ResultsWriter::WriteVictims(std::ostream& os) const
{
    os << "id,pauses,first_ns,node,port,root_node,root_port\n";
    for (const VictimRecord& record : m_propagation.GetVictims(m_flows.GetFlows()))
    {
        os << record.flow << ',' << record.pauses << ',' << Ns(record.first) << ',' << record.node
           << ',' << Index(record.port) << ',' << record.root << ',' << Index(record.rootPort)
           << '\n';
    }
}

void
ResultsWriter::WriteQueues(std::ostream& os) const
{
    os << "time_ns,node,port,side,priority,bytes,shared_bytes,headroom_bytes\n";
    for (const QueueSample& sample : m_sampler->GetSamples())
    {
        const bool isBuffer = sample.side == QueueSide::BUFFER;
        os << Ns(sample.time) << ',' << sample.node << ',';
        os << (isBuffer ? "" : std::to_string(Index(sample.queue.port))) << ','
           << lossless::ToString(sample.side) << ','
           << (isBuffer ? "" : std::to_string(Index(sample.queue.priority))) << ',' << sample.bytes
           << ',';
        if (sample.side == QueueSide::EGRESS)
        {
            os << ",\n";
        }
        else
        {
            os << sample.shared << ',' << sample.headroom << '\n';
        }
    }
}

void
ResultsWriter::WriteDrops(std::ostream& os) const
{
    os << "node,port,priority,reason,frames,bytes,first_ns,last_ns\n";
    for (const DropRecord& drop : m_drops.GetDrops())
    {
        os << drop.node << ',' << Index(drop.port) << ','
           << (drop.priority ? std::to_string(Index(*drop.priority)) : "") << ','
           << lossless::ToString(drop.reason) << ',' << drop.frames << ',' << drop.bytes << ','
           << Ns(drop.first) << ',' << Ns(drop.last) << '\n';
    }
}

void
ResultsWriter::WriteDeadlocks(std::ostream& os) const
{
    os << "onset_ns,confirmed_ns,kind,cycle\n";
    for (const DeadlockRecord& record : m_detector->GetDeadlocks())
    {
        os << Ns(record.onset) << ',' << Ns(record.confirmed) << ','
           << lossless::ToString(record.kind) << ',' << record.GetCycle() << '\n';
    }
}

} // namespace ns3::lossless
