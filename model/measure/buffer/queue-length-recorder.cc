// SPDX-License-Identifier: GPL-2.0-only
#include "queue-length-recorder.h"

#include "ns3/listen-to.h"
#include "ns3/make-type-id.h"
#include "ns3/record-archive.h"
#include "ns3/roce-header.h"
#include "ns3/roce-nic.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(QueueLengthRecorder, Recorder);

QueueLengthRecorder::QueueLengthRecorder()
    : m_begin(Simulator::Now())
{
}

Ptr<QueueLengthRecorder::Log>
QueueLengthRecorder::AddLog(const std::string& name, const Node& node)
{
    auto log = Create<Log>();
    log->m_name = name;
    log->m_begin = m_begin;
    log->m_rank = Ranks::GetRankOf(node);
    m_logs.push_back(log);
    return log;
}

void
QueueLengthRecorder::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    const Ptr<Log> log = AddLog(name, *node);
    if (!Ranks::IsOwn(*node))
    {
        return;
    }
    ListenTo(*node, "Enqueue", [log](const SwitchItem& item) {
        Course& course = log->GetCourse(item.egress);
        course.bytes += item.frame.size;
        ++course.frames;
    });
    ListenTo(*node, "Dequeue", [log, at = PeekPointer(node)](const SwitchItem& item) {
        const Time wireTime = at->GetPortDevice(item.egress)->GetWireTime(item.frame.size);
        log->GetCourse(item.egress).Leave(item.frame.size, wireTime);
    });
    ListenTo(*node, "Discard", [log](const SwitchItem& item) {
        log->GetCourse(item.egress).bytes -= item.frame.size;
    });
}

void
QueueLengthRecorder::WatchNic(const WatchedNic& nic)
{
    if (!nic.roce)
    {
        return;
    }
    const Ptr<Node> host = nic.device->GetNode();
    const Ptr<Log> log = AddLog(nic.host, *host);
    if (!Ranks::IsOwn(*host))
    {
        return;
    }
    const PortId port{static_cast<uint16_t>(nic.device->GetIfIndex())};
    UintegerValue full;
    nic.roce->GetAttribute("PayloadBytes", full);
    const auto most = static_cast<uint32_t>(full.Get());
    const RoceNic* const roce = PeekPointer(nic.roce);
    ListenTo(*nic.roce, "FlowStarted", [log, port, most, roce](const FlowRecord& record) {
        const uint64_t whole = record.flow.bytes / most;
        const auto rest = static_cast<uint32_t>(record.flow.bytes % most);
        const uint32_t options = roce->GetOptionBytes();
        Course& course = log->GetCourse(port);
        course.bytes += whole * RoceNic::GetFrameBytes(most, options) +
                        (rest > 0 ? RoceNic::GetFrameBytes(rest, options) : 0);
        course.frames += whole + (rest > 0 ? 1 : 0);
    });
    // The trace fires just before the retransmission, with no other data packet in between.
    const auto isRepeated = std::make_shared<bool>(false);
    ListenTo(*nic.roce, "FlowRetransmitted", [isRepeated](const FlowRecord& /* record */) {
        *isRepeated = true;
    });
    ListenTo(*nic.device,
             "PhyTxBegin",
             [log, port, isRepeated, device = PeekPointer(nic.device)](Ptr<const Packet> packet) {
                 const auto header = RoceHeader::Peek(*packet);
                 if (header && IsData(header->GetOpcode()) && !std::exchange(*isRepeated, false))
                 {
                     const uint32_t size = packet->GetSize();
                     log->GetCourse(port).Leave(size, device->GetWireTime(size));
                 }
             });
}

std::vector<QueueLengthRecorder::Row>
QueueLengthRecorder::GetRows() const
{
    std::vector<Row> rows;
    const Time now = Simulator::Now();
    const auto length = static_cast<double>((now - m_begin).GetTimeStep());
    for (const Ptr<Log>& log : m_logs)
    {
        for (auto [port, course] : log->m_courses)
        {
            course.Advance(now);
            if (length > 0)
            {
                rows.push_back({log->m_name, port, course.area / length, course.frames});
            }
        }
    }
    return rows;
}

ResultTable
QueueLengthRecorder::GetTable() const
{
    auto table = ResultTable::WithHeader("node,port,mean_bytes,frames");
    for (const Row& row : GetRows())
    {
        table.rows.push_back({row.node, Index(row.port), row.meanBytes, row.frames});
    }
    return table;
}

std::vector<Recorder::NamedTable>
QueueLengthRecorder::GetTables() const
{
    return {{"queue-means", [this] { return GetTable(); }}};
}

void
QueueLengthRecorder::Save(std::ostream& os) const
{
    SaveOwn(os, m_logs);
}

void
QueueLengthRecorder::Merge(std::istream& is, uint32_t rank)
{
    LoadForeign(is, m_logs, rank);
}

void
QueueLengthRecorder::Course::Advance(Time now)
{
    if (leaving > 0 && lastBit <= now)
    {
        area += static_cast<double>(bytes) * static_cast<double>((lastBit - updated).GetTimeStep());
        bytes -= leaving;
        leaving = 0;
        updated = lastBit;
    }
    area += static_cast<double>(bytes) * static_cast<double>((now - updated).GetTimeStep());
    updated = now;
}

void
QueueLengthRecorder::Course::Leave(uint64_t size, Time wireTime)
{
    // The previous frame has left, even if lastBit is one tick later than the current time because
    // of rounding.
    bytes -= leaving;
    leaving = std::min(size, bytes);
    lastBit = Simulator::Now() + wireTime;
}

QueueLengthRecorder::Course&
QueueLengthRecorder::Log::GetCourse(PortId port)
{
    const auto [entry, isNew] = m_courses.try_emplace(port);
    if (isNew)
    {
        entry->second.updated = m_begin;
    }
    entry->second.Advance(Simulator::Now());
    return entry->second;
}

} // namespace ns3::lossless
