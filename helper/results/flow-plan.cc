// SPDX-License-Identifier: GPL-2.0-only
#include "flow-plan.h"

#include "flow-stream.h"
#include "graph-results.h"
#include "run-notes.h"

#include "ns3/abort.h"
#include "ns3/flow-recorder.h"
#include "ns3/lossless-fabric.h"
#include "ns3/make-type-id.h"
#include "ns3/recorder-list.h"
#include "ns3/run-control.h"
#include "ns3/short-text.h"
#include "ns3/signal-recorder.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(FlowPlan);

const RegisterRecorder<FlowPlan> g_plan("plan", 11);

std::string
ToText(Ipv4Address address)
{
    std::ostringstream text;
    text << address;
    return text.str();
}

void
JudgeFlows(const std::vector<FlowRow>& flows, RunVerdict& verdict)
{
    const auto isUnfinished = [](const FlowRow& row) { return !row.fct; };
    verdict.flows = flows.size();
    verdict.unfinishedFlows = std::count_if(flows.begin(), flows.end(), isUnfinished);
    if (verdict.unfinishedFlows == 0)
    {
        return;
    }
    const FlowRow& first = *std::find_if(flows.begin(), flows.end(), isUnfinished);
    std::ostringstream text;
    text << FormatCount(verdict.unfinishedFlows) << " of " << FormatCount(verdict.flows)
         << " flows unfinished after " << DescribeTime(Simulator::Now()) << "; the first is flow "
         << first.id << " from " << first.source << " to " << first.destination << " ("
         << FormatCount(first.bytes) << " B).";
    verdict.AddProblem(text.str(), RunVerdict::Severity::UNFINISHED);
}

TypeId
FlowPlan::GetTypeId()
{
    static TypeId tid = MakeTypeId<FlowPlan, Recorder>("FlowPlan");
    return tid;
}

void
FlowPlan::SetFabric(const Fabric& fabric)
{
    NS_ABORT_MSG_IF(m_fabric,
                    "ResultsWriter: a second fabric is added; the results of a run hold one.");
    m_fabric = &fabric;
    NameHosts(fabric.GetTopology());
    SetIdealFct([&fabric](const FlowSpec& flow) { return fabric.GetIdealFct(flow); });
}

void
FlowPlan::SetFlows(const FlowList& flows, const Topology& topology)
{
    m_flows = flows;
    NameHosts(topology);
}

void
FlowPlan::SetIdealFct(IdealFct ideal)
{
    m_ideal = std::move(ideal);
}

void
FlowPlan::NameHosts(const Topology& topology)
{
    m_hostNames.clear();
    for (const uint32_t host : topology.GetHosts())
    {
        m_hostNames.push_back(topology.GetNodes()[host].name);
    }
}

const FlowList&
FlowPlan::GetFlows() const
{
    return m_fabric && m_flows.empty() ? m_fabric->GetFlows() : m_flows;
}

std::size_t
FlowPlan::CountFlows() const
{
    return m_fabric && m_flows.empty() ? m_fabric->CountFlows() : m_flows.size();
}

void
FlowPlan::VisitFlows(const std::function<void(const FlowSpec&)>& visit) const
{
    if (m_fabric && m_flows.empty())
    {
        m_fabric->VisitFlows(visit);
        return;
    }
    std::for_each(m_flows.begin(), m_flows.end(), visit);
}

void
FlowPlan::CountProgress(RunProgress& progress) const
{
    const auto recorder = GetRun().Get<FlowRecorder>();
    progress.arrived = CountFinished();
    progress.flows = std::max<uint64_t>(CountFlows(), recorder->GetFlows().size());
    if (const auto graph = GetRun().Find<GraphResults>())
    {
        progress.doneSteps = graph->GetRunner().CountDone();
        progress.steps = graph->GetRunner().GetGraph().GetNSteps();
    }
}

Ptr<FlowGroups>
FlowPlan::GetGroups() const
{
    return GetRun().Get<FlowGroups>();
}

void
FlowPlan::SetDetail(FlowDetail detail)
{
    if (detail != FlowDetail::ALL)
    {
        GetGroups()->Start(detail);
        GetRun().Get<FlowRecorder>()->KeepNone();
        GetRun().Get<SignalRecorder>()->KeepNoFlows();
    }
    if (detail == FlowDetail::STREAM)
    {
        GetRun().Get<FlowStream>()->Start(GetRun().Get<RunNotes>()->GetFolder());
    }
}

uint64_t
FlowPlan::CountFinished() const
{
    return GetGroups()->IsOn() ? GetGroups()->CountFinished()
                               : GetRun().Get<FlowRecorder>()->CountFinished();
}

uint64_t
FlowPlan::CountRetransmissions() const
{
    return GetGroups()->IsOn() ? GetGroups()->CountRetransmissions()
                               : GetRun().Get<FlowRecorder>()->CountRetransmissions();
}

const std::vector<FlowRow>&
FlowPlan::GetRows() const
{
    return m_rows;
}

void
FlowPlan::Conclude()
{
    m_victims.reset();
    if (GetGroups()->IsOn())
    {
        return;
    }
    m_rows =
        Join(GetRun().Get<FlowRecorder>()->GetFlows(), GetRun().Get<SignalRecorder>()->GetFlows());
}

std::vector<Recorder::NamedTable>
FlowPlan::GetTables() const
{
    std::vector<NamedTable> tables;
    if (!GetGroups()->IsOn())
    {
        tables = {{"flows", [this] { return GetTable(); }},
                  {"victims", [this] { return PausePropagation::GetVictimTable(GetVictims()); }}};
    }
    if (m_fabric)
    {
        constexpr uint32_t behindRecorders = 900;
        const auto write = [this](std::ostream& os) { m_fabric->GetTopology().ToCsv(os); };
        tables.push_back({"topology", nullptr, behindRecorders, write});
    }
    return tables;
}

const std::vector<VictimRecord>&
FlowPlan::GetVictims() const
{
    if (!m_victims)
    {
        const auto& flows = GetRun().Get<FlowRecorder>()->GetFlows();
        m_victims = GetRun().Get<PausePropagation>()->GetVictims(flows);
    }
    return *m_victims;
}

ResultFacts
FlowPlan::GetFacts() const
{
    if (GetGroups()->IsOn())
    {
        return {{"/victim_flows", ResultCell()}};
    }
    return {{"/victim_flows", GetVictims().size()}};
}

void
FlowPlan::Judge(RunVerdict& verdict) const
{
    if (!GetGroups()->IsOn())
    {
        JudgeFlows(m_rows, verdict);
        return;
    }
    verdict.flows = CountFlows();
    verdict.unfinishedFlows = verdict.flows - CountFinished();
    if (verdict.unfinishedFlows > 0)
    {
        verdict.AddProblem(FormatCount(verdict.unfinishedFlows) + " of " +
                               FormatCount(verdict.flows) + " flows unfinished after " +
                               DescribeTime(Simulator::Now()) + ".",
                           RunVerdict::Severity::UNFINISHED);
    }
}

ResultTable
FlowPlan::GetTable() const
{
    auto table = FlowRow::MakeTable();
    for (const FlowRow& row : m_rows)
    {
        table.rows.push_back(row.ToLine());
    }
    return table;
}

std::vector<FlowRow>
FlowPlan::Join(const std::map<uint64_t, FlowRecord>& records,
               const std::map<uint64_t, FlowSignals>& signals) const
{
    std::vector<FlowRow> rows;
    rows.reserve(records.size());
    for (const auto& [id, record] : records)
    {
        rows.emplace_back(id, record);
    }
    std::vector<FlowRow> unstarted;
    for (const FlowSpec& spec : GetFlows())
    {
        const auto isBefore = [](const FlowRow& row, uint64_t id) { return row.id < id; };
        const auto place = std::lower_bound(rows.begin(), rows.end(), spec.id, isBefore);
        const bool isStarted = place != rows.end() && place->id == spec.id;
        Describe(spec, isStarted ? *place : unstarted.emplace_back(MakeUnstarted(spec)));
    }
    if (!unstarted.empty())
    {
        std::move(unstarted.begin(), unstarted.end(), std::back_inserter(rows));
        std::sort(rows.begin(), rows.end(), [](const FlowRow& a, const FlowRow& b) {
            return a.id < b.id;
        });
    }
    for (FlowRow& row : rows)
    {
        if (row.source.empty()) // the flow is not in the plan
        {
            row.source = ToText(records.at(row.id).source);
            row.destination = ToText(records.at(row.id).flow.destination);
        }
        const auto found = signals.find(row.id);
        row.signals = found == signals.end() ? std::nullopt : std::optional(found->second);
    }
    return rows;
}

FlowRow
FlowPlan::MakeUnstarted(const FlowSpec& spec) const
{
    FlowRow row;
    row.id = spec.id;
    if (!m_fabric || !m_fabric->GetGraphRunner())
    {
        row.start = spec.start;
    }
    return row;
}

void
FlowPlan::Describe(const FlowSpec& spec, FlowRow& row) const
{
    row.source = m_hostNames.at(spec.source);
    row.destination = m_hostNames.at(spec.destination);
    row.priority = spec.priority;
    row.bytes = spec.bytes;
    row.ideal = m_ideal ? std::optional(m_ideal(spec)) : std::nullopt;
    row.group = spec.group;
}

} // namespace ns3::lossless
