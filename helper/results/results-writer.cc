// SPDX-License-Identifier: GPL-2.0-only
#include "results-writer.h"

#include "lossless-csv-writer.h"
#include "retry-results.h"
#include "run-hints.h"

#include "ns3/abort.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-net-device.h"
#include "ns3/quantity-text.h"
#include "ns3/ranks.h"
#include "ns3/roce-nic.h"
#include "ns3/run-control.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <regex>
#include <set>

namespace ns3::lossless
{

namespace
{

/// The file that tells what the folder is.
const std::string RUN_FILE = "run.json";

/// The page that scripts/report makes of a result: not of the next one.
const std::string REPORT_FILE = "report.html";

/// @param folder a path @return the result folder there
ResultFolder
GetResultFolder(const std::string& folder)
{
    return ResultFolder(
        folder,
        {RUN_FILE, std::string("\"schema\": \"") + RUN_SCHEMA + "\"", {REPORT_FILE}});
}

/// @param sentence said on standard error before the program stops with exit status 1
[[noreturn]] void
Fail(const std::string& sentence)
{
    std::cerr << sentence << std::endl;
    std::exit(1);
}

} // namespace

ResultsWriter::ResultsWriter(const std::string& folder)
    : m_folderName(folder),
      m_created(std::chrono::steady_clock::now()),
      m_stalls(Create<StallReporter>()),
      m_sampler(CreateObject<QueueSampler>()),
      m_series(m_sampler),
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
    AddFile("flows", [](std::ostream& os, const Findings& findings) {
        WriteCsv(os, MakeFlowTable(findings.rows));
    });
    AddTable("ports", [this] { return m_signals.GetTable(); });
    AddTable("pauses", [this] { return m_pauses.GetTable(); });
    AddTable("pause-depths", [this] { return m_propagation.GetDepthTable(); });
    AddFile("victims", [](std::ostream& os, const Findings& findings) {
        WriteCsv(os, PausePropagation::GetVictimTable(findings.victims));
    });
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
    m_description.commandLine.assign(argv, argv + argc);
}

void
ResultsWriter::SetScheme(const std::string& scheme)
{
    m_description.scheme = scheme;
}

void
ResultsWriter::AddParameter(const std::string& name, const std::string& value)
{
    m_description.parameters[name] = value;
}

void
ResultsWriter::AddParameter(const std::string& name, double value)
{
    m_description.parameters[name] = value;
}

void
ResultsWriter::AddTable(const std::string& name, std::function<ResultTable()> make)
{
    AddFile(name, [make = std::move(make)](std::ostream& os, const Findings& /* findings */) {
        WriteCsv(os, make());
    });
}

void
ResultsWriter::AddFile(const std::string& name, WriteFile write)
{
    static const std::regex allowed("[A-Za-z0-9][A-Za-z0-9_-]*");
    NS_ABORT_MSG_IF(!std::regex_match(name, allowed),
                    "ResultsWriter: \""
                        << name
                        << "\" is no name of a table; it must have letters, digits, "
                           "_ and -, and begin with a letter or a digit.");
    const std::string file = name + ".csv";
    NS_ABORT_MSG_IF(std::any_of(m_files.begin(),
                                m_files.end(),
                                [&file](const auto& other) { return other.first == file; }),
                    "ResultsWriter: a second table is called \"" << name
                                                                 << "\"; names must differ.");
    m_files.push_back({file, std::move(write)});
}

void
ResultsWriter::RecordPauseEvents()
{
    m_pauseEvents = std::make_unique<PauseEventRecorder>();
    AddTable("pause-events", [this] { return m_pauseEvents->GetTable(); });
}

void
ResultsWriter::SampleQueues(const std::vector<PlacePattern>& patterns)
{
    m_series.AddQueues(patterns);
}

void
ResultsWriter::SetSeriesStart(Time start)
{
    m_series.SetStart(start);
}

void
ResultsWriter::SampleThroughput(const std::vector<PlacePattern>& patterns, Time window)
{
    m_series.AddPorts(patterns, window);
    AddTable("port-throughput", [this] { return m_series.GetPortTable(); });
}

void
ResultsWriter::SampleFlows(const std::vector<PlacePattern>& patterns, Time window)
{
    m_series.AddFlows(patterns, window);
    AddTable("flow-throughput", [this] { return m_series.GetFlowTable(); });
}

std::optional<std::string>
ResultsWriter::CheckSeries() const
{
    return m_series.Check(m_plan);
}

void
ResultsWriter::SetWindow(const MeasureWindow& window)
{
    m_window = window;
    m_pauses.SetWindow(window);
}

bool
ResultsWriter::HasNetwork() const
{
    return !m_network.IsEmpty();
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
    NS_ABORT_MSG_IF(!node, "ResultsWriter: the switch " << name << " is null.");
    AddNode(name, node);
    m_pauses.Watch(name, node);
    m_signals.WatchSwitch(name, node);
    m_propagation.Watch(name, node);
    m_sampler->WatchBuffer(name, node);
    m_series.AddSwitch(name, node);
    if (m_pauseEvents)
    {
        m_pauseEvents->Watch(name, node);
    }
    WatchWatchdog(name, node);
    m_detector->Watch(name, node);
}

void
ResultsWriter::WatchWatchdog(const std::string& name, Ptr<SwitchNode> node)
{
    if (!node->GetObject<PfcWatchdog>())
    {
        return;
    }
    if (!m_watchdogs)
    {
        m_watchdogs = std::make_unique<WatchdogRecorder>();
        AddTable("watchdog", [this] { return m_watchdogs->GetTable(); });
    }
    m_watchdogs->Watch(name, node);
}

void
ResultsWriter::AddHost(const std::string& name, Ptr<Node> node)
{
    AddNode(name, node);
    m_series.AddHost(name, node);
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
        const std::string known = m_network.GetName(*device->GetNode());
        const std::string name = known.empty() ? ToText(roce->GetAddress()) : known;
        m_signals.WatchNic(name, PortId{static_cast<uint16_t>(device->GetIfIndex())}, roce);
        m_stalls->Watch(roce, name);
        m_series.AddNic(roce);
    }
}

void
ResultsWriter::AddFabric(const Fabric& fabric)
{
    m_plan.SetFabric(fabric);
    const Topology& topology = fabric.GetTopology();
    m_topology = &topology;
    AddFile("topology",
            [&topology](std::ostream& os, const Findings& /* findings */) { topology.ToCsv(os); });
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
    RetryResults::AddTo(*this, fabric);
}

void
ResultsWriter::AddGraph(const GraphRunner& runner, std::vector<CollectiveRun> collectives)
{
    NS_ABORT_MSG_IF(m_graph, "ResultsWriter: a second flow graph is added; a run has one.");
    m_graph = std::make_unique<GraphResults>(runner, std::move(collectives));
    AddTable("steps", [this] { return m_graph->GetStepTable(); });
    if (m_graph->HasCollectives())
    {
        AddTable("collectives", [this] { return m_graph->GetCollectiveTable(); });
        AddTable("collective-steps", [this] { return m_graph->GetCollectiveStepTable(); });
    }
}

void
ResultsWriter::SetFlows(const FlowList& flows, const Topology& topology)
{
    m_plan.SetFlows(flows, topology);
}

const Topology*
ResultsWriter::GetTopology() const
{
    return m_topology;
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

void
ResultsWriter::CountFlows(RunProgress& progress) const
{
    progress.arrived = m_flows.CountFinished();
    progress.flows = std::max<uint64_t>(m_plan.CountFlows(), m_flows.GetFlows().size());
    if (m_graph)
    {
        progress.doneSteps = m_graph->GetRunner().CountDone();
        progress.steps = m_graph->GetRunner().GetGraph().GetNSteps();
    }
}

void
ResultsWriter::SetInterruption(const std::string& signal)
{
    m_interruption = signal;
}

std::vector<FlowRow>
ResultsWriter::GetFlowRows() const
{
    return m_plan.Join(m_flows.GetFlows(), m_signals.GetFlows());
}

std::vector<std::string>
ResultsWriter::GetHints(const std::vector<FlowRow>& rows) const
{
    RunSymptoms symptoms;
    symptoms.signals = m_signals.GetTotal();
    symptoms.markedFrames = m_signals.CountMarks();
    symptoms.trimmedFrames = m_signals.CountTrims();
    symptoms.isAdaptive = m_network.IsAdaptive();
    symptoms.livesOnMarks = m_network.FindControlByMarks();
    symptoms.hasMarker = m_network.HasMarker();
    symptoms.isEcnCapable = m_network.IsEcnCapable();
    symptoms.livesOnTelemetry = m_network.FindControlByTelemetry();
    symptoms.hasTelemetry = m_network.HasTelemetry();
    symptoms.ackInterval = m_network.FindAckInterval();
    symptoms.reliability = m_network.FindReliability();
    std::set<Priority> classes; // of RoCE flows, of which the signals are, and of their answers
    for (const FlowRow& row : rows)
    {
        if (row.signals)
        {
            classes.insert({Priority{static_cast<uint8_t>(row.priority)}, CONTROL_PRIORITY});
        }
    }
    for (const DropRecord& drop : m_drops.GetDrops())
    {
        const bool isOfThem = !drop.priority || classes.count(*drop.priority) > 0;
        symptoms.lostFrames += drop.isControl || !isOfThem ? 0 : drop.frames;
    }
    for (const PauseDepthRecord& record : m_propagation.GetDepths())
    {
        symptoms.pauses += record.pauses;
    }
    return ExplainSlowness(symptoms);
}

RunVerdict
ResultsWriter::GetVerdict() const
{
    return Judge(GetFlowRows());
}

RunVerdict
ResultsWriter::Judge(const std::vector<FlowRow>& rows) const
{
    m_network.RequireSimulation();
    m_detector->Update();
    return JudgeRun({m_detector->GetDeadlocks(),
                     m_drops.GetDrops(),
                     m_signals.CountTrims(),
                     rows,
                     !m_network.IsEmpty(),
                     m_network.CountPacketHops(),
                     m_interruption,
                     m_graph ? m_graph->DescribeProblem() : std::nullopt});
}

std::vector<ResultFolder::File>
ResultsWriter::GetFiles(const Findings& findings) const
{
    std::vector<ResultFolder::File> files{
        {RUN_FILE, [&](std::ostream& os) { WriteRunJson(os, GetFacts(findings)); }}};
    for (const auto& [name, write] : m_files)
    {
        files.push_back({name, [&, write = write](std::ostream& os) { write(os, findings); }});
    }
    return files;
}

void
ResultsWriter::WriteDescription(std::ostream& os) const
{
    WriteRunJson(os, GetFacts(Find(GetFlowRows())));
}

std::optional<std::string>
ResultsWriter::Write() const
{
    m_network.RequireSimulation();
    return Write(GetFlowRows());
}

std::optional<std::string>
ResultsWriter::Write(const std::vector<FlowRow>& rows) const
{
    if (!m_folder || !Ranks::IsFirst())
    {
        return std::nullopt;
    }
    return m_folder->Write(GetFiles(Find(rows)));
}

ResultsWriter::Findings
ResultsWriter::Find(const std::vector<FlowRow>& rows) const
{
    return {rows, m_propagation.GetVictims(m_flows.GetFlows())};
}

RunVerdict
ResultsWriter::Finish() const
{
    m_network.RequireSimulation();
    const std::vector<FlowRow> rows = GetFlowRows();
    if (const auto error = Write(rows))
    {
        Fail(*error);
    }
    RunVerdict verdict = Judge(rows);
    if (Ranks::IsFirst())
    {
        Tell(verdict, rows);
    }
    return verdict;
}

void
ResultsWriter::Tell(const RunVerdict& verdict, const std::vector<FlowRow>& rows) const
{
    for (const std::string& problem : verdict.problems)
    {
        std::cerr << problem << std::endl;
    }
    for (const std::string& sentence : GetHints(rows))
    {
        std::cerr << sentence << std::endl;
    }
    for (const std::string& sentence : m_series.DescribeThinning())
    {
        std::cerr << sentence << std::endl;
    }
    if (const auto sentence = DescribeEmptyWindow())
    {
        std::cerr << *sentence << std::endl;
    }
    std::cerr << SummarizeRun(verdict, m_network.CountPacketHops(), GetWallSeconds(), m_folderName)
              << std::endl;
}

RunFacts
ResultsWriter::GetFacts(const Findings& findings) const
{
    const std::vector<FlowRow>& rows = findings.rows;
    RunFacts facts;
    facts.description = m_description;
    facts.description.scheme = m_network.DescribeSchemes(m_description.scheme);
    facts.congestionControl = m_network.DescribeCongestionControl();
    if (m_folder)
    {
        for (const ResultFolder::File& file : GetFiles(findings))
        {
            facts.files.push_back(file.name);
        }
    }
    facts.wallSeconds = GetWallSeconds();
    facts.cpuSeconds = m_cost.GetCpuSeconds();
    facts.events = m_cost.GetEvents();
    facts.packetHops = m_network.CountPacketHops();
    facts.retransmitted = m_flows.CountRetransmissions();
    facts.signals = m_signals.GetTotal();
    facts.markedFrames = m_signals.CountMarks();
    facts.trimmedFrames = m_signals.CountTrims();
    facts.hints = GetHints(rows);
    facts.graph = m_graph ? std::optional(m_graph->GetFacts()) : std::nullopt;
    facts.verdict = Judge(rows);
    facts.window = m_window;
    facts.statistics = GetStatistics(rows);
    facts.drops = m_drops.GetDrops();
    facts.depths = m_propagation.GetDepths();
    facts.pausedHosts = m_propagation.CountStoppedHosts();
    facts.victimFlows = findings.victims.size();
    facts.pfcFrames = m_pauses.GetFrames();
    facts.attributes = GetDifferences();
    return facts;
}

RunStatistics
ResultsWriter::GetStatistics(const std::vector<FlowRow>& rows) const
{
    return lossless::GetStatistics(m_window,
                                   Simulator::Now(),
                                   rows,
                                   m_pauses.GetPauses(),
                                   m_sampler->GetSamples());
}

std::optional<std::string>
ResultsWriter::DescribeEmptyWindow() const
{
    if (m_window.from.IsZero() || m_window.from < Simulator::Now())
    {
        return std::nullopt;
    }
    return "Nothing was measured from " + FormatTime(m_window.from) + " on: the run ended at " +
           FormatTime(Simulator::Now()) + ".";
}

double
ResultsWriter::GetWallSeconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_created).count();
}

std::vector<AttributeDifference>
ResultsWriter::GetDifferences() const
{
    AttributeSurvey survey;
    survey.AddDefaults();
    AddTo(survey);
    return survey.GetDifferences();
}

void
ResultsWriter::AddTo(AttributeSurvey& survey) const
{
    m_network.AddTo(survey);
    survey.AddObject(m_sampler);
    survey.AddObject(m_detector);
}

} // namespace ns3::lossless
