// SPDX-License-Identifier: GPL-2.0-only
#include "pause-recorder.h"

#include "ns3/listen-to.h"
#include "ns3/make-type-id.h"
#include "ns3/pointer.h"
#include "ns3/record-archive.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(PauseRecorder, Recorder);

const RegisterRecorder<PauseRecorder> g_pauses("pauses", 30);

namespace
{

/// @return the target of a pause for the column "priority"
ResultCell
DescribePaused(PauseRecord::Kind kind, Priority priority)
{
    if (kind == PauseRecord::Kind::PORT)
    {
        return "port";
    }
    if (kind == PauseRecord::Kind::CLASS)
    {
        return priority;
    }
    const std::string number = std::to_string(Index(priority));
    return kind == PauseRecord::Kind::FLOWS ? "flows of " + number : number + " for a time";
}

/// @return the name of a reason in results files
const char*
ToString(PauseReason reason)
{
    constexpr std::array<const char*, 7> names =
        {"xoff", "headroom", "xon", "empty", "flow", "timed", "scheme"};
    return names[static_cast<std::size_t>(reason)];
}

/// @param isStart whether the change starts a pause
/// @param occupancy the number of bytes in the shared segment
/// @param thresholds the current thresholds for this occupancy
PauseReason
Explain(bool isStart, uint64_t occupancy, const std::optional<Thresholds>& thresholds)
{
    if (!thresholds)
    {
        return PauseReason::SCHEME;
    }
    if (isStart && thresholds->headroomInUse)
    {
        return PauseReason::HEADROOM;
    }
    if (isStart)
    {
        return occupancy > thresholds->xoff ? PauseReason::XOFF : PauseReason::SCHEME;
    }
    if (occupancy < thresholds->xon)
    {
        return PauseReason::XON;
    }
    return occupancy == 0 ? PauseReason::EMPTY : PauseReason::SCHEME;
}

/// @return the reason for a change, determined from the switch's buffer accounting and thresholds
PauseReason
FindReason(const SwitchNode& node, const SharedBuffer& ledger, const PauseChange& change)
{
    const QueueId queue{change.port, change.priority};
    switch (change.kind)
    {
    case PauseRecord::Kind::CLASS:
        return Explain(change.isStart,
                       ledger.GetIngress(queue).shared,
                       node.GetBufferPolicy()->GetThresholds(ledger, queue));
    case PauseRecord::Kind::PORT:
        return Explain(change.isStart,
                       ledger.GetSharedOf(change.port, node.GetShape().lossless),
                       node.GetBufferPolicy()->GetPortThresholds(ledger, change.port));
    case PauseRecord::Kind::FLOWS:
        return PauseReason::FLOW;
    case PauseRecord::Kind::TIMED:
        return PauseReason::TIMED;
    }
    return PauseReason::SCHEME;
}

} // namespace

void
FollowPauses(FlowControl& scheme, const std::function<void(const PauseChange&)>& notice)
{
    using Kind = PauseRecord::Kind;
    ListenTo(scheme, "QueueState", [notice](QueueId queue, bool paused) {
        notice({Kind::CLASS, queue.port, queue.priority, paused});
    });
    ListenTo(scheme, "PortState", [notice](PortId port, bool paused) {
        notice({Kind::PORT, port, Priority{0}, paused});
    });
    ListenTo(scheme, "FlowState", [notice](QueueId queue, uint64_t flow, bool paused) {
        notice({Kind::FLOWS, queue.port, queue.priority, paused, flow});
    });
    ListenTo(scheme, "TimedPause", [notice](QueueId queue, Time length) {
        notice({Kind::TIMED, queue.port, queue.priority, true, std::nullopt, length});
    });
}

void
PauseRecorder::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    auto log = Create<SwitchLog>();
    log->m_name = name;
    log->m_rank = Ranks::GetRankOf(*node);
    log->m_window = m_window;
    m_logs.push_back(log);
    if (!Ranks::IsOwn(*node))
    {
        return;
    }
    if (m_keepsEvents)
    {
        PointerValue ledger; // GetSharedBuffer() would update the accounting
        node->GetAttribute("SharedBuffer", ledger);
        // This function must not hold a reference to the switch, because the switch's traces hold
        // the log.
        log->m_explain = [at = PeekPointer(node), book = ledger.Get<SharedBuffer>()](
                             const PauseChange& change) { return FindReason(*at, *book, change); };
    }
    FlowControl& scheme = *node->GetFlowControl();
    FollowPauses(scheme, [log](const PauseChange& change) { log->Note(change); });
    ListenTo(scheme, "ControlSent", [log](PortId port, Ptr<const Packet> /* frame */) {
        ++log->m_frames[port];
    });
}

std::vector<PauseRecord>
PauseRecorder::GetPauses() const
{
    std::vector<PauseRecord> records;
    for (const auto& log : m_logs)
    {
        for (const auto& [place, tally] : log->m_tallies)
        {
            PauseRecord record;
            record.node = log->m_name;
            record.port = std::get<PortId>(place);
            record.kind = std::get<PauseRecord::Kind>(place);
            if (record.kind != PauseRecord::Kind::PORT)
            {
                record.priority = Priority{static_cast<uint8_t>(std::get<std::size_t>(place))};
            }
            record.pauses = tally.pauses;
            record.resumes = tally.resumes;
            const Time now = Simulator::Now();
            record.paused = tally.total - log->m_window.Overlap(now, Max(now, tally.latestEnd));
            if (tally.since)
            {
                record.paused += log->m_window.Overlap(*tally.since, now);
            }
            record.firstPause = tally.first;
            if (record.pauses > 0 || record.paused.IsStrictlyPositive())
            {
                records.push_back(record);
            }
        }
    }
    return records;
}

std::vector<ControlFrameRecord>
PauseRecorder::GetFrames() const
{
    std::vector<ControlFrameRecord> records;
    for (const auto& log : m_logs)
    {
        for (const auto& [port, frames] : log->m_frames)
        {
            records.push_back({log->m_name, port, frames});
        }
    }
    return records;
}

ResultTable
PauseRecorder::GetTable() const
{
    auto table =
        ResultTable::WithHeader("node,port,priority,pauses,resumes,paused_ns,first_pause_ns");
    for (const PauseRecord& record : GetPauses())
    {
        table.rows.push_back({record.node,
                              record.port,
                              DescribePaused(record.kind, record.priority.value_or(Priority{0})),
                              record.pauses,
                              record.resumes,
                              record.paused,
                              record.firstPause});
    }
    return table;
}

ResultTable
PauseRecorder::GetEventTable() const
{
    std::vector<std::pair<std::string, Event>> events; // the events and the names of their switches
    for (const auto& log : m_logs)
    {
        for (const Event& event : log->m_events)
        {
            events.emplace_back(log->m_name, event);
        }
    }
    std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) {
        return a.second.time < b.second.time;
    });
    auto table = ResultTable::WithHeader("time_ns,node,port,priority,event,reason,flow,length_ns");
    for (const auto& [node, event] : events)
    {
        table.rows.push_back({event.time,
                              node,
                              event.change.port,
                              DescribePaused(event.change.kind, event.change.priority),
                              event.change.isStart ? "start" : "end",
                              ToString(event.reason),
                              event.change.flow,
                              event.change.length});
    }
    return table;
}

std::vector<Recorder::NamedTable>
PauseRecorder::GetTables() const
{
    std::vector<NamedTable> tables{{"pauses", [this] { return GetTable(); }}};
    if (m_keepsEvents)
    {
        constexpr uint32_t behindDeadlocks = 100;
        tables.push_back({"pause-events", [this] { return GetEventTable(); }, behindDeadlocks});
    }
    return tables;
}

ResultFacts
PauseRecorder::GetFacts() const
{
    auto frames = ResultTable::WithHeader("node,port,frames");
    for (const ControlFrameRecord& record : GetFrames())
    {
        frames.rows.push_back({record.node, record.port, record.frames});
    }
    return {{"/pfc_frames", frames}};
}

void
PauseRecorder::Save(std::ostream& os) const
{
    SaveOwn(os, m_logs);
}

void
PauseRecorder::Merge(std::istream& is, uint32_t rank)
{
    LoadForeign(is, m_logs, rank);
}

void
PauseRecorder::SwitchLog::Note(const PauseChange& change)
{
    const bool isPort = change.kind == PauseRecord::Kind::PORT;
    Tally& tally = m_tallies[{change.port, change.kind, isPort ? 0 : Index(change.priority)}];
    const Time now = Simulator::Now();
    if (m_explain)
    {
        m_events.push_back({now, change, m_explain(change)});
    }
    if (change.isStart)
    {
        CountStart(tally, now);
        if (change.length)
        {
            const Time begin = Max(now, tally.latestEnd); // the neighbour adds them up
            tally.latestEnd = begin + *change.length;
            tally.total += m_window.Overlap(begin, tally.latestEnd);
            return;
        }
        ++tally.open;
        tally.since = tally.since.value_or(now);
    }
    else if (tally.since)
    {
        tally.resumes += m_window.Has(now) ? 1 : 0;
        if (--tally.open == 0)
        {
            tally.total += m_window.Overlap(*tally.since, now);
            tally.since.reset();
        }
    }
}

void
PauseRecorder::SwitchLog::CountStart(Tally& tally, Time now) const
{
    if (m_window.Has(now))
    {
        tally.first = tally.first.value_or(now);
        ++tally.pauses;
    }
}

} // namespace ns3::lossless
