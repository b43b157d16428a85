// SPDX-License-Identifier: GPL-2.0-only
#include "pause-event-recorder.h"

#include "ns3/make-type-id.h"
#include "ns3/pointer.h"
#include "ns3/record-archive.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PauseEventRecorder);

const RegisterRecorder<PauseEventRecorder> g_pauseEvents("pause-events",
                                                         100,
                                                         [](RecorderInfo& recorder) {
                                                             recorder.isOnRequest = true;
                                                         });

namespace
{

/// @param paused stopped, or restarted @param occupancy bytes in the shared segment
/// @param thresholds for them, as they are now @return which of them asks for it
PauseReason
Explain(bool paused, uint64_t occupancy, const std::optional<Thresholds>& thresholds)
{
    if (!thresholds)
    {
        return PauseReason::SCHEME;
    }
    if (paused && thresholds->headroomInUse)
    {
        return PauseReason::HEADROOM;
    }
    if (paused)
    {
        return occupancy > thresholds->xoff ? PauseReason::XOFF : PauseReason::SCHEME;
    }
    if (occupancy < thresholds->xon)
    {
        return PauseReason::XON;
    }
    return occupancy == 0 ? PauseReason::EMPTY : PauseReason::SCHEME;
}

/// @param node a switch @param ledger its ledger @param change which it makes @return why
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

const char*
ToString(PauseReason reason)
{
    constexpr std::array<const char*, 7> names =
        {"xoff", "headroom", "xon", "empty", "flow", "timed", "scheme"};
    return names[static_cast<std::size_t>(reason)];
}

TypeId
PauseEventRecorder::GetTypeId()
{
    static TypeId tid = MakeTypeId<PauseEventRecorder, Recorder>("PauseEventRecorder");
    return tid;
}

PauseEventRecorder::PauseEventRecorder()
    : m_events(std::make_shared<Events>())
{
}

void
PauseEventRecorder::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    const std::size_t number = m_names.size();
    m_names.push_back(name);
    if (!Ranks::IsOwn(*node))
    {
        return;
    }
    PointerValue ledger; // asking the switch for it would bring it up to date
    node->GetAttribute("SharedBuffer", ledger);
    // The switch keeps what is called: it is not counted there, and a recorder may go first.
    const auto notice = [events = m_events,
                         number,
                         at = PeekPointer(node),
                         book = ledger.Get<SharedBuffer>()](const PauseChange& change) {
        events->push_back({Simulator::Now(), number, change, FindReason(*at, *book, change)});
    };
    FollowPauses(*node->GetFlowControl(), notice);
}

ResultTable
PauseEventRecorder::GetTable() const
{
    ResultTable table{
        {"time_ns", "node", "port", "priority", "event", "reason", "flow", "length_ns"},
        {}};
    // Switches take turns, so that one may have noted before another what came later.
    std::stable_sort(m_events->begin(), m_events->end(), [](const Event& a, const Event& b) {
        return std::pair(a.time, a.node) < std::pair(b.time, b.node);
    });
    for (const Event& event : *m_events)
    {
        table.rows.push_back({event.time,
                              m_names[event.node],
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
PauseEventRecorder::GetTables() const
{
    return {{"pause-events", [this] { return GetTable(); }}};
}

void
PauseEventRecorder::Save(std::ostream& os) const
{
    SaveParts(os, *m_events);
}

void
PauseEventRecorder::Merge(std::istream& is, uint32_t /* rank */)
{
    Events events;
    LoadParts(is, events);
    m_events->insert(m_events->end(), events.begin(), events.end());
}

} // namespace ns3::lossless
