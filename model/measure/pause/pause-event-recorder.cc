// SPDX-License-Identifier: GPL-2.0-only
#include "pause-event-recorder.h"

#include "ns3/flow-control.h"
#include "ns3/pointer.h"
#include "ns3/record-archive.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3::lossless
{

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

} // namespace

const char*
ToString(PauseReason reason)
{
    constexpr std::array<const char*, 7> names =
        {"xoff", "headroom", "xon", "empty", "flow", "timed", "scheme"};
    return names[static_cast<std::size_t>(reason)];
}

PauseEventRecorder::PauseEventRecorder()
    : m_events(std::make_shared<Events>())
{
}

void
PauseEventRecorder::Watch(const std::string& name, Ptr<SwitchNode> node)
{
    const std::size_t number = m_names.size();
    m_names.push_back(name);
    if (!Ranks::IsOwn(*node))
    {
        return;
    }
    auto log = Create<SwitchLog>(m_events, number, node);
    FlowControl& scheme = *node->GetFlowControl();
    scheme.TraceConnectWithoutContext("QueueState",
                                      MakeCallback(&SwitchLog::NotifyQueueState, log));
    scheme.TraceConnectWithoutContext("PortState", MakeCallback(&SwitchLog::NotifyPortState, log));
    scheme.TraceConnectWithoutContext("FlowState", MakeCallback(&SwitchLog::NotifyFlowState, log));
    scheme.TraceConnectWithoutContext("TimedPause",
                                      MakeCallback(&SwitchLog::NotifyTimedPause, log));
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
                              event.port,
                              DescribePaused(event.kind, event.priority),
                              event.isStart ? "start" : "end",
                              ToString(event.reason),
                              event.flow,
                              event.length});
    }
    return table;
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

PauseEventRecorder::SwitchLog::SwitchLog(std::shared_ptr<Events> events,
                                         std::size_t number,
                                         Ptr<SwitchNode> node)
    : m_events(std::move(events)),
      m_number(number),
      m_node(PeekPointer(node)) // not counted: the switch keeps this object
{
    PointerValue ledger; // asking the switch for it would bring it up to date
    node->GetAttribute("SharedBuffer", ledger);
    m_ledger = ledger.Get<SharedBuffer>();
}

void
PauseEventRecorder::SwitchLog::NotifyQueueState(QueueId queue, bool paused)
{
    const PauseReason reason = Explain(paused,
                                       m_ledger->GetIngress(queue).shared,
                                       m_node->GetBufferPolicy()->GetThresholds(*m_ledger, queue));
    Note(queue.port, PauseRecord::Kind::CLASS, queue.priority, paused, reason);
}

void
PauseEventRecorder::SwitchLog::NotifyPortState(PortId port, bool paused)
{
    const PauseReason reason =
        Explain(paused,
                m_ledger->GetSharedOf(port, m_node->GetShape().lossless),
                m_node->GetBufferPolicy()->GetPortThresholds(*m_ledger, port));
    Note(port, PauseRecord::Kind::PORT, Priority{0}, paused, reason);
}

void
PauseEventRecorder::SwitchLog::NotifyFlowState(QueueId queue, uint64_t flow, bool paused)
{
    Note(queue.port, PauseRecord::Kind::FLOWS, queue.priority, paused, PauseReason::FLOW).flow =
        flow;
}

void
PauseEventRecorder::SwitchLog::NotifyTimedPause(QueueId queue, Time length)
{
    Note(queue.port, PauseRecord::Kind::TIMED, queue.priority, true, PauseReason::TIMED).length =
        length;
}

PauseEventRecorder::Event&
PauseEventRecorder::SwitchLog::Note(PortId port,
                                    PauseRecord::Kind kind,
                                    Priority priority,
                                    bool paused,
                                    PauseReason reason)
{
    Event& event = m_events->emplace_back();
    event.time = Simulator::Now();
    event.node = m_number;
    event.port = port;
    event.kind = kind;
    event.priority = priority;
    event.isStart = paused;
    event.reason = reason;
    return event;
}

} // namespace ns3::lossless
