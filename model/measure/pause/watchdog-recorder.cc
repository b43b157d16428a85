// SPDX-License-Identifier: GPL-2.0-only
#include "watchdog-recorder.h"

#include "ns3/abort.h"
#include "ns3/listen-to.h"
#include "ns3/make-type-id.h"
#include "ns3/record-archive.h"
#include "ns3/short-text.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(WatchdogRecorder, Recorder);

const RegisterRecorder<WatchdogRecorder> g_watchdogRecorder("watchdog", 110);

void
WatchdogRecorder::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    const auto watchdog = node->GetObject<PfcWatchdog>();
    if (!watchdog)
    {
        return;
    }
    auto log = Create<NodeLog>();
    log->m_name = name;
    log->m_rank = Ranks::GetRankOf(*node);
    m_logs.push_back(log);
    m_watchdogs.push_back(watchdog);
    if (Ranks::IsOwn(*node))
    {
        ListenTo(*watchdog, "Storm", [log](const WatchdogEvent& event) { log->NoteStorm(event); });
        ListenTo(*node, "Drop", [log](const SwitchItem& item, DropReason reason) {
            log->NoteDrop(item, reason);
        });
    }
}

void
WatchdogRecorder::NodeLog::NoteStorm(const WatchdogEvent& event)
{
    if (event.isStorm)
    {
        StormRecord& storm = m_storms.emplace_back();
        storm.node = m_name;
        storm.port = event.queue.port;
        storm.priority = event.queue.priority;
        storm.action = event.action;
        storm.detected = Simulator::Now();
        return;
    }
    const auto isIt = [&event](const StormRecord& storm) {
        return !storm.restored && storm.port == event.queue.port &&
               storm.priority == event.queue.priority;
    };
    std::find_if(m_storms.rbegin(), m_storms.rend(), isIt)->restored = Simulator::Now();
}

void
WatchdogRecorder::NodeLog::NoteDrop(const SwitchItem& item, DropReason reason)
{
    if (!IsWatchdogLoss(reason))
    {
        return;
    }
    const bool isEgress = IsEgressLoss(reason);
    const QueueId queue = isEgress ? item.GetEgressQueue() : item.GetIngressQueue();
    for (StormRecord& storm : m_storms)
    {
        if (!storm.restored && storm.port == queue.port && storm.priority == queue.priority)
        {
            ++(isEgress ? storm.egressFrames : storm.ingressFrames);
        }
    }
}

std::vector<StormRecord>
WatchdogRecorder::GetStorms() const
{
    std::vector<StormRecord> storms;
    for (const auto& log : m_logs)
    {
        storms.insert(storms.end(), log->m_storms.begin(), log->m_storms.end());
    }
    std::stable_sort(storms.begin(), storms.end(), [](const StormRecord& a, const StormRecord& b) {
        return a.detected < b.detected;
    });
    return storms;
}

ResultTable
WatchdogRecorder::GetTable() const
{
    auto table =
        ResultTable::WithHeader("detected_ns,restored_ns,node,port,priority,action,egress_frames,"
                                "ingress_frames");
    for (const StormRecord& storm : GetStorms())
    {
        table.rows.push_back({storm.detected,
                              storm.restored,
                              storm.node,
                              storm.port,
                              storm.priority,
                              ToString(storm.action),
                              storm.egressFrames,
                              storm.ingressFrames});
    }
    return table;
}

std::vector<std::string>
WatchdogRecorder::GetHints() const
{
    if (!GetStorms().empty())
    {
        return {};
    }
    for (const Ptr<PfcWatchdog>& watchdog : m_watchdogs)
    {
        const Time detection = watchdog->GetDetectionTime();
        if (detection >= Simulator::Now())
        {
            return {"A watchdog detects storms of " + FormatTime(detection) +
                    ", but the run ended at " + DescribeTime(Simulator::Now()) +
                    "; write a shorter PfcWatchdog::DetectionTime (--watchdog-detect)."};
        }
        const Time refresh = watchdog->GetLongestRefresh();
        if (watchdog->GetInterval() < refresh)
        {
            const Time least = MicroSeconds((refresh + MicroSeconds(1)).GetMicroSeconds());
            return {"A watchdog looks every " + FormatTime(watchdog->GetInterval()) +
                    ", but the PAUSEs of a storm come up to " + FormatTime(least) +
                    " apart at the slowest port, so that it seems to have ended between two; "
                    "write an interval of at least " +
                    FormatTime(least) + " (--watchdog-detect, and --watchdog-poll if given)."};
        }
    }
    return {};
}

std::vector<Recorder::NamedTable>
WatchdogRecorder::GetTables() const
{
    if (m_logs.empty())
    {
        return {};
    }
    return {{"watchdog", [this] { return GetTable(); }}};
}

void
WatchdogRecorder::Save(std::ostream& os) const
{
    SaveOwn(os, m_logs);
}

void
WatchdogRecorder::Merge(std::istream& is, uint32_t rank)
{
    LoadForeign(is, m_logs, rank);
}

} // namespace ns3::lossless
