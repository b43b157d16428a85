// SPDX-License-Identifier: GPL-2.0-only
#include "queue-length-recorder.h"

#include "ns3/listen-to.h"
#include "ns3/make-type-id.h"
#include "ns3/record-archive.h"
#include "ns3/simulator.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(QueueLengthRecorder);

TypeId
QueueLengthRecorder::GetTypeId()
{
    static TypeId tid = MakeTypeId<QueueLengthRecorder, Recorder>("QueueLengthRecorder");
    return tid;
}

QueueLengthRecorder::QueueLengthRecorder()
    : m_begin(Simulator::Now())
{
}

void
QueueLengthRecorder::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    auto log = Create<Log>();
    log->m_name = name;
    log->m_begin = m_begin;
    log->m_rank = Ranks::GetRankOf(*node);
    m_logs.push_back(log);
    if (!Ranks::IsOwn(*node))
    {
        return;
    }
    ListenTo(*node, "Enqueue", [log](const SwitchItem& item) {
        Course& course = log->GetCourse(item);
        course.bytes += item.frame.size;
        ++course.frames;
    });
    ListenTo(*node, "Dequeue", [log, at = PeekPointer(node)](const SwitchItem& item) {
        const Time wireTime = at->GetPortDevice(item.egress)->GetWireTime(item.frame.size);
        Course& course = log->GetCourse(item);
        // The frame has left, although its lastBit can be a tick later because of rounding.
        course.bytes -= course.leaving;
        course.leaving = item.frame.size;
        course.lastBit = Simulator::Now() + wireTime;
    });
    ListenTo(*node, "Drop", [log](const SwitchItem& item, DropReason reason) {
        // Queues are emptied when their link goes down. Frames that arrive later are not stored.
        Course& course = log->GetCourse(item);
        const bool isStored = course.bytes - course.leaving >= item.frame.size;
        course.bytes -= reason == DropReason::LINK_DOWN && isStored ? item.frame.size : 0;
    });
}

std::vector<QueueLengthRecorder::Row>
QueueLengthRecorder::GetRows() const
{
    std::vector<Row> rows;
    const Time now = Simulator::Now();
    const auto length = static_cast<double>((now - m_begin).GetNanoSeconds());
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
    ResultTable table{{"node", "port", "mean_bytes", "frames"}, {}};
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
        area +=
            static_cast<double>(bytes) * static_cast<double>((lastBit - updated).GetNanoSeconds());
        bytes -= leaving;
        leaving = 0;
        updated = lastBit;
    }
    area += static_cast<double>(bytes) * static_cast<double>((now - updated).GetNanoSeconds());
    updated = now;
}

QueueLengthRecorder::Course&
QueueLengthRecorder::Log::GetCourse(const SwitchItem& item)
{
    const auto [entry, isNew] = m_courses.try_emplace(item.egress);
    if (isNew)
    {
        entry->second.updated = m_begin;
    }
    entry->second.Advance(Simulator::Now());
    return entry->second;
}

} // namespace ns3::lossless
