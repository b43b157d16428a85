// SPDX-License-Identifier: GPL-2.0-only
#include "signal-recorder.h"

#include "ns3/listen-to.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/node.h"
#include "ns3/record-archive.h"
#include "ns3/short-text.h"
#include "ns3/switch-item.h"

#include <algorithm>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(SignalRecorder, Recorder);

const RegisterRecorder<SignalRecorder> g_signals("ports", 20);

void
JudgeTrims(uint64_t frames, RunVerdict& verdict)
{
    verdict.trimmedFrames = frames;
    if (frames > 0)
    {
        verdict.AddProblem("Payloads trimmed off frames for lack of buffer: " +
                               FormatCount(frames) + " (ports.csv).",
                           RunVerdict::Severity::TRIMMING);
    }
}

SignalRecorder::SignalRecorder()
    : m_flows(Create<FlowLog>())
{
}

void
SignalRecorder::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    auto log = Create<SwitchLog>();
    log->m_name = name;
    log->m_rank = Ranks::GetRankOf(*node);
    m_switches.push_back(log);
    if (Ranks::IsOwn(*node))
    {
        ListenTo(*node, "Mark", [log](const SwitchItem& item) {
            ++log->m_ports[item.egress].marks;
        });
        ListenTo(*node, "Trim", [log](const SwitchItem& item, DropReason, uint32_t) {
            ++log->m_ports[item.egress].trims;
        });
    }
}

void
SignalRecorder::WatchNic(const std::string& name, PortId port, Ptr<RoceNic> nic)
{
    const Node& host = *nic->GetObject<LosslessNetDevice>()->GetNode();
    m_nics.push_back({name, port, Ranks::GetRankOf(host), nic, {}});
    if (Ranks::IsOwn(host) && !m_keepsNoFlows)
    {
        const auto note = [log = m_flows](uint64_t flow, const FlowSignals& signals) {
            log->m_flows.emplace(flow, signals);
        };
        ListenTo(*nic, "FlowSignals", note);
    }
}

std::map<uint64_t, FlowSignals>
SignalRecorder::GetFlows() const
{
    std::map<uint64_t, FlowSignals> flows(m_flows->m_flows.begin(), m_flows->m_flows.end());
    for (const NicPlace& place : m_nics)
    {
        if (place.rank == Ranks::GetRank())
        {
            place.nic->VisitArriving(
                [&flows](uint64_t id, const FlowSignals& signals) { flows.emplace(id, signals); });
        }
    }
    return flows;
}

uint64_t
SignalRecorder::CountMarks() const
{
    return CountAtPorts(&PortSignals::marks);
}

uint64_t
SignalRecorder::CountTrims() const
{
    return CountAtPorts(&PortSignals::trims);
}

uint64_t
SignalRecorder::CountAtPorts(uint64_t PortSignals::*signal) const
{
    uint64_t sum = 0;
    for (const auto& log : m_switches)
    {
        for (const auto& [port, signals] : log->m_ports)
        {
            sum += signals.*signal;
        }
    }
    return sum;
}

NicSignals
SignalRecorder::GetTotal() const
{
    NicSignals total;
    for (const NicPlace& place : m_nics)
    {
        const NicSignals signals = Read(place);
        total.dataSent += signals.dataSent;
        total.retransmitted += signals.retransmitted;
        total.timeouts += signals.timeouts;
        total.cnpsSent += signals.cnpsSent;
        total.cnpsReceived += signals.cnpsReceived;
        total.naksSent += signals.naksSent;
        total.outOfOrder += signals.outOfOrder;
        total.duplicates += signals.duplicates;
        total.trimmed += signals.trimmed;
        total.reorderExtent = std::max(total.reorderExtent, signals.reorderExtent);
        total.pathSwitches = std::max(total.pathSwitches, signals.pathSwitches);
    }
    return total;
}

ResultTable
SignalRecorder::GetTable() const
{
    auto table =
        ResultTable::WithHeader("node,port,marked_frames,trimmed_frames,data_packets,retransmitted,"
                                "timeouts,cnps_sent,cnps_received,naks_sent,out_of_order,"
                                "duplicates,reorder_extent");
    for (const auto& log : m_switches)
    {
        for (const auto& [port, s] : log->m_ports)
        {
            table.rows.push_back(
                {log->m_name, port, s.marks, s.trims, {}, {}, {}, {}, {}, {}, {}, {}, {}});
        }
    }
    for (const NicPlace& place : m_nics)
    {
        const NicSignals s = Read(place);
        if (s.dataSent + s.cnpsSent + s.naksSent + s.outOfOrder + s.duplicates + s.trimmed > 0)
        {
            table.rows.push_back(MakeRow(place, s));
        }
    }
    return table;
}

ResultTable::Row
SignalRecorder::MakeRow(const NicPlace& place, const NicSignals& s)
{
    return {place.name,
            place.port,
            {},
            s.trimmed,
            s.dataSent,
            s.retransmitted,
            s.timeouts,
            s.cnpsSent,
            s.cnpsReceived,
            s.naksSent,
            s.outOfOrder,
            s.duplicates,
            s.reorderExtent};
}

void
SignalRecorder::WatchNic(const WatchedNic& nic)
{
    if (nic.roce)
    {
        WatchNic(nic.host, PortId{static_cast<uint16_t>(nic.device->GetIfIndex())}, nic.roce);
    }
}

std::vector<Recorder::NamedTable>
SignalRecorder::GetTables() const
{
    return {{"ports", [this] { return GetTable(); }}};
}

ResultFacts
SignalRecorder::GetFacts() const
{
    const NicSignals total = GetTotal();
    return {{"/data_packets", total.dataSent},
            {"/timeouts", total.timeouts},
            {"/marked_frames", CountMarks()},
            {"/trimmed_frames", CountTrims()},
            {"/cnps", total.cnpsSent},
            {"/naks", total.naksSent}};
}

void
SignalRecorder::Judge(RunVerdict& verdict) const
{
    JudgeTrims(CountTrims(), verdict);
}

void
SignalRecorder::Save(std::ostream& os) const
{
    SaveOwn(os, m_switches);
    SaveParts(os, GetFlows());
    for (const NicPlace& place : m_nics)
    {
        if (place.rank == Ranks::GetRank())
        {
            SaveParts(os, Read(place));
        }
    }
}

void
SignalRecorder::Merge(std::istream& is, uint32_t rank)
{
    LoadForeign(is, m_switches, rank);
    std::map<uint64_t, FlowSignals> flows;
    LoadParts(is, flows);
    m_flows->m_flows.insert(flows.begin(), flows.end());
    for (NicPlace& place : m_nics)
    {
        if (place.rank == rank)
        {
            LoadParts(is, place.foreign);
        }
    }
}

NicSignals
SignalRecorder::Read(const NicPlace& place)
{
    if (place.rank != Ranks::GetRank())
    {
        return place.foreign;
    }
    const RoceNic::Counts& counts = place.nic->GetCounts();
    NicSignals signals;
    signals.dataSent = counts.dataSent;
    signals.retransmitted = counts.retransmitted;
    signals.timeouts = counts.timeouts;
    signals.cnpsSent = counts.cnpsSent;
    signals.cnpsReceived = counts.cnpsReceived;
    signals.naksSent = counts.naksSent;
    signals.outOfOrder = counts.outOfOrder + counts.placed;
    signals.duplicates = counts.duplicates;
    signals.trimmed = counts.trimmed;
    signals.reorderExtent = counts.reorderExtent;
    signals.pathSwitches = counts.pathSwitches;
    return signals;
}

} // namespace ns3::lossless
