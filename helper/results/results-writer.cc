// SPDX-License-Identifier: GPL-2.0-only
#include "results-writer.h"

#include "flow-plan.h"
#include "lossless-csv-writer.h"
#include "run-cost.h"
#include "run-notes.h"
#include "run-summary.h"

#include "ns3/abort.h"
#include "ns3/lossless-fabric.h"
#include "ns3/ranks.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <regex>

namespace ns3::lossless
{

namespace
{

/// The position of recorders that the program adds. They come after all recorders of the module.
constexpr uint32_t OWN_POSITION = 1000;

/// The page that scripts/report creates from a result. It is deleted when the result is replaced.
const std::string REPORT_FILE = "report.html";

/// A recorder for a table that the program provides.
class TableRecorder : public Recorder
{
  public:
    explicit TableRecorder(const NamedTable& table)
        : m_table(table)
    {
    }

    std::vector<NamedTable> GetTables() const override
    {
        return {m_table};
    }

  private:
    NamedTable m_table;
};

} // namespace

ResultFolder
MakeResultFolder(const std::string& path)
{
    return ResultFolder(
        path,
        {RUN_FILE, std::string("\"schema\": \"") + RUN_SCHEMA + "\"", {REPORT_FILE}});
}

void
ResultsWriter::Refuse(const std::string& sentence)
{
    std::cerr << "Results: " << sentence << '.' << std::endl;
    std::exit(1);
}

ResultsWriter::ResultsWriter(const std::string& folder, const Refusal& refuse)
    : m_refuse(refuse)
{
    Get<RunNotes>()->SetFolder(folder);
    if (folder.empty())
    {
        return;
    }
    m_folder = MakeResultFolder(folder);
    if (const auto error = m_folder->Check())
    {
        m_refuse(*error);
    }
}

void
ResultsWriter::AddRecorder(Ptr<Recorder> recorder, const std::string& name)
{
    const std::vector<Recorder::NamedTable> known = m_recorders.GetTables();
    for (const Recorder::NamedTable& table : recorder->GetTables())
    {
        const bool isTaken = std::any_of(known.begin(), known.end(), [&table](const auto& other) {
            return other.name == table.name;
        });
        NS_ABORT_MSG_IF(isTaken,
                        "ResultsWriter: a second table is called \"" << table.name
                                                                     << "\"; names must differ.");
    }
    m_recorders.Add(recorder, name, OWN_POSITION);
}

void
ResultsWriter::AddTable(const std::string& name, std::function<ResultTable()> make)
{
    static const std::regex allowed("[A-Za-z0-9][A-Za-z0-9_-]*");
    NS_ABORT_MSG_IF(!std::regex_match(name, allowed),
                    "ResultsWriter: \""
                        << name
                        << "\" is no name of a table; it must have letters, digits, "
                           "_ and -, and begin with a letter or a digit.");
    AddRecorder(CreateObject<TableRecorder>(Recorder::NamedTable{name, std::move(make)}), name);
}

void
ResultsWriter::AddFabric(const Fabric& fabric)
{
    Get<FlowPlan>()->SetFabric(fabric);
    Get<FlowGroups>()->SetFabric(fabric);
    const Topology& topology = fabric.GetTopology();
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        AddNode(topology.GetNodes()[topology.GetSwitches()[i]].name, fabric.GetSwitch(i));
    }
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        const uint32_t node = topology.GetHosts()[host];
        AddNode(topology.GetHostName(host), fabric.GetHost(host));
        for (uint32_t port = 0; port < topology.GetPorts(node).size(); ++port)
        {
            AddNic(fabric.GetNic(host, port));
        }
    }
}

void
ResultsWriter::AddNode(const std::string& name, Ptr<Node> node)
{
    m_recorders.WatchNode(name, node);
}

void
ResultsWriter::AddNic(Ptr<Object> nic)
{
    m_recorders.WatchNic(nic);
}

RunVerdict
ResultsWriter::GetVerdict() const
{
    m_recorders.Conclude();
    return JudgeRun(m_recorders);
}

std::optional<std::string>
ResultsWriter::Write() const
{
    m_recorders.Conclude();
    if (!m_folder || !Ranks::IsFirst())
    {
        return std::nullopt;
    }
    std::vector<ResultFolder::File> files{
        {RUN_FILE, [this](std::ostream& os) { Get<RunNotes>()->WriteJson(os); }}};
    for (const Recorder::NamedTable& table : m_recorders.GetTables())
    {
        files.push_back({table.name + TABLE_ENDING, [table](std::ostream& os) {
                             table.write ? table.write(os) : WriteCsv(os, table.make());
                         }});
    }
    return m_folder->Write(files);
}

RunVerdict
ResultsWriter::Finish() const
{
    if (const auto error = Write())
    {
        m_refuse(*error);
    }
    RunVerdict verdict = JudgeRun(m_recorders);
    if (!Ranks::IsFirst())
    {
        return verdict;
    }
    for (const auto& sentences : {verdict.problems,
                                  m_recorders.Collect(&Recorder::GetHints),
                                  m_recorders.Collect(&Recorder::GetRemarks)})
    {
        for (const std::string& sentence : sentences)
        {
            std::cerr << sentence << std::endl;
        }
    }
    std::cerr << SummarizeRun(verdict,
                              Get<RunCost>()->GetWallSeconds(),
                              Get<RunNotes>()->GetFolder())
              << std::endl;
    return verdict;
}

} // namespace ns3::lossless
