// SPDX-License-Identifier: GPL-2.0-only
#include "flow-groups.h"

#include "ns3/collective-rule.h"
#include "ns3/graph-runner.h"
#include "ns3/listen-to.h"
#include "ns3/lossless-fabric.h"
#include "ns3/make-type-id.h"
#include "ns3/source-progress.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(FlowGroups);

const RegisterRecorder<FlowGroups> g_flowGroups("flow-groups", 12);

namespace
{

/// @return the mean, the median, the 99th percentile and the maximum; empty cells if there are no
/// numbers
std::vector<ResultCell>
ShowDistribution(double sum, const QuantileSketch& numbers)
{
    if (numbers.GetCount() == 0)
    {
        return std::vector<ResultCell>(4);
    }
    constexpr double median = 0.5;
    constexpr double tail = 0.99;
    return {sum / static_cast<double>(numbers.GetCount()),
            numbers.GetQuantile(median),
            numbers.GetQuantile(tail),
            numbers.GetMax()};
}

/// Adds a flow that has arrived completely.
/// @param ideal the flow's ideal completion time, in ticks
void
AddFlow(const FlowRecord& record, int64_t ideal, FlowSums& sums)
{
    const Time time = record.received - record.start;
    const int64_t fct = time.GetNanoSeconds();
    ++sums.flows;
    sums.bytes += record.flow.bytes;
    sums.fct += fct;
    sums.fctNs.Add(static_cast<double>(fct));
    if (ideal > 0)
    {
        const double slowdown =
            static_cast<double>(time.GetTimeStep()) / static_cast<double>(ideal);
        sums.slowdown += slowdown;
        sums.slowdowns.Add(slowdown);
    }
}

} // namespace

void
FlowSums::Add(const FlowSums& other)
{
    flows += other.flows;
    bytes += other.bytes;
    fct += other.fct;
    fctNs.Add(other.fctNs);
    slowdown += other.slowdown;
    slowdowns.Add(other.slowdowns);
    retransmitted += other.retransmitted;
    signals += other.signals;
}

TypeId
FlowGroups::GetTypeId()
{
    static TypeId tid = MakeTypeId<FlowGroups, Recorder>("FlowGroups");
    return tid;
}

void
FlowGroups::Start(FlowDetail detail)
{
    m_detail = detail;
}

void
FlowGroups::WatchNic(const WatchedNic& nic)
{
    if (!IsOn() || !nic.roce)
    {
        return;
    }
    const Ptr<FlowGroups> me(this);
    ListenTo(*nic.nic, "FlowStarted", [me](const FlowRecord& record) {
        ++me->m_started;
        me->m_startedMeasured += me->m_window.Has(record.start) ? 1 : 0;
    });
    ListenTo(*nic.nic, "FlowReceived", [me](const FlowRecord& record) {
        me->NotifyReceived(record);
    });
    ListenTo(*nic.nic, "FlowRetransmitted", [me](const FlowRecord& record) {
        ++me->Find(record.flow.id, record.flow.priority).retransmitted;
    });
    ListenTo(*nic.nic, "FlowSignals", [me](uint64_t flow, const FlowSignals& signals) {
        if (me->m_last && flow == me->m_latest) // reported immediately after the flow's arrival
        {
            me->m_last->signals += signals;
        }
    });
}

void
FlowGroups::NotifyReceived(const FlowRecord& record)
{
    const int64_t ideal = m_lookup.GetIdeal(record);
    ++m_finished;
    m_latest = record.flow.id;
    AddFlow(record, ideal, Find(record.flow.id, record.flow.priority));
    if (m_window.IsPart() && m_window.Has(record.start))
    {
        AddFlow(record, ideal, m_measured);
    }
}

FlowSums&
FlowGroups::Find(uint64_t id, Priority priority)
{
    const std::string& label = m_lookup.FindLabel(id);
    if (!m_last || &label != m_lastLabel || priority != m_lastPriority)
    {
        m_last = &m_sums[{label, priority}];
        m_lastLabel = &label;
        m_lastPriority = priority;
    }
    return *m_last;
}

uint64_t
FlowGroups::CountRetransmissions() const
{
    uint64_t sum = 0;
    for (const auto& [key, sums] : m_sums)
    {
        sum += sums.retransmitted;
    }
    return sum;
}

FlowSums
FlowGroups::GetMeasured() const
{
    FlowSums all;
    for (const auto& [key, sums] : m_sums)
    {
        all.Add(sums);
    }
    return m_window.IsPart() ? m_measured : all;
}

uint64_t
FlowGroups::CountMeasured() const
{
    const uint64_t waiting = m_lookup.GetFabric().CountFlows() - m_started;
    return m_startedMeasured + (m_window.until ? 0 : waiting);
}

std::map<FlowGroups::Key, uint64_t>
FlowGroups::CountPlanned() const
{
    std::map<Key, uint64_t> planned;
    if (const SourceProgress* progress = m_lookup.GetFabric().GetSourceProgress())
    {
        for (const auto& [key, sums] : progress->GetSource().GetTotals().groups)
        {
            planned[{key.first, Priority{key.second}}] = sums.flows;
        }
        return planned;
    }
    const GraphRunner* runner = m_lookup.GetFabric().GetGraphRunner();
    if (!runner)
    {
        for (const FlowSpec& flow : m_lookup.GetFabric().GetFlows())
        {
            ++planned[{flow.group, Priority{flow.priority}}];
        }
        return planned;
    }
    const FlowGraph& graph = runner->GetGraph();
    graph.VisitStored([&](FlowGraph::Step step) {
        if (graph.GetBytes(step) > 0)
        {
            ++planned[{graph.GetGroup(step), Priority{graph.GetFlow(step).priority}}];
        }
    });
    for (const FlowGraph::RuledSteps& steps : graph.GetRules())
    {
        const CollectiveRule::Company& company = steps.rule->GetCompany();
        planned[{company.group, Priority{company.priority}}] += steps.end - steps.first;
    }
    return planned;
}

PrioritySet
FlowGroups::GetClasses() const
{
    PrioritySet classes = 0;
    for (const auto& [key, count] : CountPlanned())
    {
        classes |= SetOf(key.second);
    }
    return classes;
}

ResultTable
FlowGroups::GetTable() const
{
    auto table =
        ResultTable::WithHeader("group,priority,flows,unfinished,bytes,mean_fct_ns,median_fct_ns,"
                                "p99_fct_ns,max_fct_ns,mean_slowdown,median_slowdown,p99_slowdown,"
                                "max_slowdown,retransmitted,marked,cnps,naks");
    for (const auto& [key, planned] : CountPlanned())
    {
        const auto found = m_sums.find(key);
        const FlowSums sums = found == m_sums.end() ? FlowSums() : found->second;
        ResultTable::Row row{key.first, key.second, planned, planned - sums.flows, sums.bytes};
        for (const auto& cells : {ShowDistribution(static_cast<double>(sums.fct), sums.fctNs),
                                  ShowDistribution(sums.slowdown, sums.slowdowns)})
        {
            row.insert(row.end(), cells.begin(), cells.end());
        }
        const FlowSignals& signals = sums.signals;
        row.insert(row.end(), {sums.retransmitted, signals.marked, signals.cnps, signals.naks});
        table.rows.push_back(std::move(row));
    }
    return table;
}

ResultFacts
FlowGroups::GetFacts() const
{
    if (!IsOn())
    {
        return {};
    }
    return {{"/retransmitted_packets", CountRetransmissions()}};
}

std::vector<Recorder::NamedTable>
FlowGroups::GetTables() const
{
    if (!IsOn() || m_detail == FlowDetail::NONE)
    {
        return {};
    }
    return {{"flow-groups", [this] { return GetTable(); }}};
}

} // namespace ns3::lossless
