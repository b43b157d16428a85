// SPDX-License-Identifier: GPL-2.0-only
#include "results-writer.h"

#include "lossless-csv-writer.h"
#include "run-forecast.h"

#include "ns3/abort.h"
#include "ns3/flow-recorder.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-net-device.h"
#include "ns3/ranks.h"
#include "ns3/roce-nic.h"
#include "ns3/run-control.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <regex>

namespace ns3::lossless
{

namespace
{

/// The file that tells what the folder is.
const std::string RUN_FILE = "run.json";

/// Ending of the names of all others.
const std::string TABLE_ENDING = ".csv";

/// Of the tables of series, behind those of recorders that the module always has.
constexpr uint32_t SERIES_POSITION = 105;

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

/// @param make gives a table @return what writes it as the content of a file
auto
MakeWriter(std::function<ResultTable()> make)
{
    return [make = std::move(make)](std::ostream& os, const RunSummary& /* summary */) {
        WriteCsv(os, make());
    };
}

} // namespace

ResultsWriter::ResultsWriter(const std::string& folder)
    : m_folderName(folder),
      m_series(CreateObject<SeriesPlan>(Get<QueueSampler>()))
{
    m_run.recorders.Add(m_series, "series", SERIES_POSITION);
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
ResultsWriter::SetCommandLine(int argc, const char* const* argv, const std::string& spec)
{
    m_run.description.commandLine.assign(argv, argv + argc);
    m_run.description.spec = spec;
}

void
ResultsWriter::SetScheme(const std::string& scheme)
{
    m_run.description.scheme = scheme;
}

void
ResultsWriter::AddParameter(const std::string& name, const std::string& value)
{
    m_run.description.parameters[name] = value;
}

void
ResultsWriter::AddParameter(const std::string& name, double value)
{
    m_run.description.parameters[name] = value;
}

void
ResultsWriter::AddPart(Ptr<Object> part)
{
    m_run.parts.push_back(part);
}

void
ResultsWriter::AddTable(const std::string& name, std::function<ResultTable()> make)
{
    AddFile(name, MakeWriter(std::move(make)));
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
    const auto tables = GetTables();
    NS_ABORT_MSG_IF(std::any_of(tables.begin(),
                                tables.end(),
                                [&name](const auto& other) { return other.first == name; }),
                    "ResultsWriter: a second table is called \"" << name
                                                                 << "\"; names must differ.");
    m_files.emplace_back(name, std::move(write));
}

std::vector<std::pair<std::string, ResultsWriter::WriteFile>>
ResultsWriter::GetTables() const
{
    std::vector<std::pair<std::string, WriteFile>> tables{
        {"flows",
         [](std::ostream& os, const RunSummary& summary) {
             WriteCsv(os, MakeFlowTable(summary.GetRows()));
         }},
        {"victims", [](std::ostream& os, const RunSummary& summary) {
             WriteCsv(os, PausePropagation::GetVictimTable(summary.GetVictims()));
         }}};
    for (const RecorderList::Entry& entry : m_run.recorders.GetAll())
    {
        for (const Recorder::NamedTable& table : entry.recorder->GetTables())
        {
            tables.emplace_back(table.name, MakeWriter(table.make));
        }
    }
    tables.insert(tables.end(), m_files.begin(), m_files.end());
    return tables;
}

void
ResultsWriter::AddRecorder(const std::string& name)
{
    m_run.recorders.Request(name);
}

SeriesPlan&
ResultsWriter::GetSeries()
{
    return *m_series;
}

std::optional<std::string>
ResultsWriter::CheckSeries() const
{
    return m_series->Check(m_run.plan);
}

void
ResultsWriter::SetWindow(const MeasureWindow& window)
{
    m_run.window = window;
    Get<PauseRecorder>()->SetWindow(window);
}

bool
ResultsWriter::HasNetwork() const
{
    return !m_run.network.IsEmpty();
}

void
ResultsWriter::AddSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    NS_ABORT_MSG_IF(!node, "ResultsWriter: the switch " << name << " is null.");
    m_run.network.AddNode(name, node);
    m_run.recorders.WatchSwitch(name, node);
}

void
ResultsWriter::AddHost(const std::string& name, Ptr<Node> node)
{
    m_run.network.AddNode(name, node);
    m_run.recorders.WatchHost(name, node);
}

void
ResultsWriter::AddNic(Ptr<Object> nic)
{
    m_run.network.AddNic(nic);
    WatchedNic watched{"", nic, DynamicCast<RoceNic>(nic), nic->GetObject<LosslessNetDevice>()};
    if (watched.roce && watched.device)
    {
        const std::string known = m_run.network.GetName(*watched.device->GetNode());
        watched.host = known.empty() ? ToText(watched.roce->GetAddress()) : known;
    }
    else
    {
        watched.roce = nullptr;
        watched.device = nullptr;
    }
    m_run.recorders.WatchNic(watched);
}

void
ResultsWriter::AddFabric(const Fabric& fabric)
{
    m_run.plan.SetFabric(fabric);
    const Topology& topology = fabric.GetTopology();
    m_topology = &topology;
    AddFile("topology",
            [&topology](std::ostream& os, const RunSummary& /* summary */) { topology.ToCsv(os); });
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
ResultsWriter::AddGraph(const GraphRunner& runner, std::vector<CollectiveRun> collectives)
{
    NS_ABORT_MSG_IF(m_run.graph, "ResultsWriter: a second flow graph is added; a run has one.");
    m_run.graph = std::make_unique<GraphResults>(runner, std::move(collectives));
    AddTable("steps", [this] { return m_run.graph->GetStepTable(); });
    if (m_run.graph->HasCollectives())
    {
        AddTable("collectives", [this] { return m_run.graph->GetCollectiveTable(); });
        AddTable("collective-steps", [this] { return m_run.graph->GetCollectiveStepTable(); });
    }
}

void
ResultsWriter::SetFlows(const FlowList& flows, const Topology& topology)
{
    m_run.plan.SetFlows(flows, topology);
}

const Topology*
ResultsWriter::GetTopology() const
{
    return m_topology;
}

void
ResultsWriter::SetIdealFct(FlowPlan::IdealFct ideal)
{
    m_run.plan.SetIdealFct(std::move(ideal));
}

void
ResultsWriter::CountFlows(RunProgress& progress) const
{
    const auto flows = Get<FlowRecorder>();
    progress.arrived = flows->CountFinished();
    progress.flows = std::max<uint64_t>(m_run.plan.CountFlows(), flows->GetFlows().size());
    if (m_run.graph)
    {
        progress.doneSteps = m_run.graph->GetRunner().CountDone();
        progress.steps = m_run.graph->GetRunner().GetGraph().GetNSteps();
    }
}

std::string
ResultsWriter::Forecast(Time end) const
{
    RunForecast forecast(m_run, end);
    forecast.Try();
    return forecast.Describe();
}

void
ResultsWriter::SetInterruption(const std::string& signal)
{
    m_run.interruption = signal;
}

RunVerdict
ResultsWriter::GetVerdict() const
{
    return RunSummary(m_run).Judge();
}

void
ResultsWriter::AddTo(AttributeSurvey& survey) const
{
    m_run.AddTo(survey);
}

void
ResultsWriter::WriteDescription(std::ostream& os) const
{
    WriteDescription(os, RunSummary(m_run));
}

void
ResultsWriter::WriteDescription(std::ostream& os, const RunSummary& summary) const
{
    std::vector<std::string> files;
    if (m_folder)
    {
        files.push_back(RUN_FILE);
        for (const auto& [name, write] : GetTables())
        {
            files.push_back(name + TABLE_ENDING);
        }
    }
    WriteRunJson(os, summary.GetFacts(files));
}

std::optional<std::string>
ResultsWriter::Write() const
{
    return Write(RunSummary(m_run));
}

std::optional<std::string>
ResultsWriter::Write(const RunSummary& summary) const
{
    if (!m_folder || !Ranks::IsFirst())
    {
        return std::nullopt;
    }
    std::vector<ResultFolder::File> files{
        {RUN_FILE, [&](std::ostream& os) { WriteDescription(os, summary); }}};
    for (const auto& [name, write] : GetTables())
    {
        files.push_back({name + TABLE_ENDING,
                         [&summary, write = write](std::ostream& os) { write(os, summary); }});
    }
    return m_folder->Write(files);
}

RunVerdict
ResultsWriter::Finish() const
{
    const RunSummary summary(m_run);
    if (const auto error = Write(summary))
    {
        Fail(*error);
    }
    RunVerdict verdict = summary.Judge();
    if (Ranks::IsFirst())
    {
        Tell(verdict, summary);
    }
    return verdict;
}

void
ResultsWriter::Tell(const RunVerdict& verdict, const RunSummary& summary) const
{
    for (const auto& sentences :
         {verdict.problems, summary.GetHints(), m_series->DescribeThinning()})
    {
        for (const std::string& sentence : sentences)
        {
            std::cerr << sentence << std::endl;
        }
    }
    if (const auto sentence = summary.DescribeEmptyWindow())
    {
        std::cerr << *sentence << std::endl;
    }
    std::cerr << SummarizeRun(verdict,
                              m_run.network.CountPacketHops(),
                              m_run.GetWallSeconds(),
                              m_folderName)
              << std::endl;
}

} // namespace ns3::lossless
