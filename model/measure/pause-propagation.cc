// SPDX-License-Identifier: GPL-2.0-only
#include "pause-propagation.h"

#include "ns3/event-id.h"
#include "ns3/flow-control.h"
#include "ns3/pointer.h"
#include "ns3/roce-header.h"
#include "ns3/simulator.h"
#include "ns3/transmit-gate.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>

namespace ns3::lossless
{

namespace
{

/// Slots of an ingress port: one per class, and one for the port as a whole.
constexpr std::size_t COLUMNS = NUM_PRIORITIES + 1;

/// @param column a class, or NUM_PRIORITIES for the port as a whole @return the classes it stops
PrioritySet
GetClasses(std::size_t column)
{
    return column < NUM_PRIORITIES ? SetOf(Priority{static_cast<uint8_t>(column)}) : ALL_PRIORITIES;
}

/// @param flow a flow @return a frame of it, as switches route it
SwitchItem
MakeItem(const FlowRecord& flow)
{
    SwitchItem item;
    item.frame.kind = FrameKind::IPV4;
    item.frame.flow = {flow.source.Get(),
                       flow.flow.destination.Get(),
                       flow.flow.sourcePort,
                       RoceHeader::UDP_PORT,
                       PROTOCOL_UDP};
    item.frame.flowHash = HashOf(item.frame.flow);
    item.frame.priority = flow.flow.priority;
    return item;
}

/// @param roots of a pause @param path egress queues of a flow
/// @return whether others are the cause of the pause; a pause without a root has no cause
template <typename Set>
bool
IsElsewhere(const Set& roots, const Set& path)
{
    return !roots.empty() && std::none_of(roots.begin(), roots.end(), [&path](const auto& root) {
        return path.count(root) > 0;
    });
}

} // namespace

std::size_t
PausePropagation::Target::GetNumber() const
{
    return (Index(port) * COLUMNS + column) * 2 + (flow ? 1 : 0);
}

/// The last pause of one ingress queue, of a port as a whole or of a flow.
struct PausePropagation::Pause
{
    bool open{false};     ///< it has not ended
    Ticks since{0};       ///< start
    uint32_t depth{0};    ///< see PausePropagation
    std::size_t roots{0}; ///< number of their set
};

/// The pauses of one ingress queue, of a port as a whole or of a flow.
struct PausePropagation::Slot
{
    /// Pauses that have ended and that someone has waited for, in order of time.
    struct Spans
    {
        std::vector<Ticks> begins; ///< when each began
        std::vector<Ticks> ends;   ///< when each ended
    };

    /// A pause has ended for which somebody has waited. @param pause it @param end when
    void Add(const Pause& pause, Ticks end)
    {
        spans[pause.roots].begins.push_back(pause.since);
        spans[pause.roots].ends.push_back(end);
    }

    Pause last;                         ///< the last one
    std::map<std::size_t, Spans> spans; ///< by number of the set of roots
};

/// A watched switch.
class PausePropagation::SwitchView
{
  public:
    /// @param owner is told of pauses @param index of this object there
    /// @param name of the switch @param node the switch
    SwitchView(PausePropagation* owner,
               std::size_t index,
               const std::string& name,
               Ptr<SwitchNode> node)
        : m_index(index),
          m_name(name),
          m_node(node),
          m_owner(owner),
          m_flowControl(node->GetFlowControl())
    {
        PointerValue ledger;
        node->GetAttribute("SharedBuffer", ledger);
        m_ledger = ledger.Get<SharedBuffer>();
        m_flowControl->TraceConnectWithoutContext(
            "QueueState",
            MakeCallback(&SwitchView::NotifyQueueState, this));
        m_flowControl->TraceConnectWithoutContext("PortState",
                                                  MakeCallback(&SwitchView::NotifyPortState, this));
        m_flowControl->TraceConnectWithoutContext("FlowState",
                                                  MakeCallback(&SwitchView::NotifyFlowState, this));
        m_flowControl->TraceConnectWithoutContext(
            "TimedPause",
            MakeCallback(&SwitchView::NotifyTimedPause, this));
    }

    ~SwitchView()
    {
        m_flowControl->TraceDisconnectWithoutContext(
            "QueueState",
            MakeCallback(&SwitchView::NotifyQueueState, this));
        m_flowControl->TraceDisconnectWithoutContext(
            "PortState",
            MakeCallback(&SwitchView::NotifyPortState, this));
        m_flowControl->TraceDisconnectWithoutContext(
            "FlowState",
            MakeCallback(&SwitchView::NotifyFlowState, this));
        m_flowControl->TraceDisconnectWithoutContext(
            "TimedPause",
            MakeCallback(&SwitchView::NotifyTimedPause, this));
        for (auto& [queue, pause] : m_timed)
        {
            pause.expiry.Cancel();
        }
    }

    SwitchView(const SwitchView&) = delete;
    SwitchView& operator=(const SwitchView&) = delete;

    /// @return the ledger as it is; asking the switch for it would bring it up to date
    const SharedBuffer& GetLedger() const
    {
        return *m_ledger;
    }

    /// @param target what is stopped @return its slot, added if it is new
    Slot& GetSlot(const Target& target)
    {
        return m_slots[GetKey(target)];
    }

    /// @param target what is stopped @return its slot; null: it never was
    const Slot* FindSlot(const Target& target) const
    {
        const auto found = m_slots.find(GetKey(target));
        return found == m_slots.end() ? nullptr : &found->second;
    }

    /// The switch behind a cable has stopped this one, or has let it go on.
    /// @param target what was stopped, by the port of this switch @param pause the pause
    void Hear(const Target& target, const Pause& pause)
    {
        m_heard[GetKey(target)] = pause;
    }

    /// @param target see Hear() @return the last pause of it; null: there was none
    const Pause* FindHeard(const Target& target) const
    {
        const auto found = m_heard.find(GetKey(target));
        return found == m_heard.end() ? nullptr : &found->second;
    }

    /// @param queue an egress queue
    /// @return the deepest pause heard of that stops a flow of it; null: there is none
    const Pause* FindHeardOfFlow(QueueId queue) const;

    /// @param target what is stopped
    /// @return the egress queues that hold most of its frames, see PausePropagation
    std::vector<QueueId> FindHolders(const Target& target) const;

    std::size_t m_index;    ///< in m_views
    std::string m_name;     ///< of the switch
    Ptr<SwitchNode> m_node; ///< the switch

  private:
    /// A pause that ends by itself.
    struct TimedPause
    {
        Time end;       ///< when it does, if no other one is added
        EventId expiry; ///< the same
    };

    /// @param queue an ingress queue @param paused stopped, or restarted
    void NotifyQueueState(QueueId queue, bool paused)
    {
        const auto timed = m_timed.find(Index(queue));
        if (timed == m_timed.end() || timed->second.expiry.IsExpired()) // else it is stopped anyway
        {
            Notify({queue.port, Index(queue.priority)}, paused);
        }
    }

    /// @param queue an ingress queue @param length for how long it is stopped, more than it is
    void NotifyTimedPause(QueueId queue, Time length)
    {
        TimedPause& pause = m_timed[Index(queue)];
        const bool isStopped = !pause.expiry.IsExpired();
        pause.end = std::max(pause.end, Simulator::Now()) + length;
        pause.expiry.Cancel();
        // The neighbour stops, and goes on, later by the way of the frame.
        const Time way = m_node->GetShape().ports[Index(queue.port)].delay;
        pause.expiry = Simulator::Schedule(pause.end + way - Simulator::Now(),
                                           &SwitchView::EndTimedPause,
                                           this,
                                           queue);
        if (!isStopped && !m_ledger->GetIngress(queue).paused)
        {
            Notify({queue.port, Index(queue.priority)}, true);
        }
    }

    /// @param queue an ingress queue whose timed pauses are over
    void EndTimedPause(QueueId queue)
    {
        if (!m_ledger->GetIngress(queue).paused)
        {
            Notify({queue.port, Index(queue.priority)}, false);
        }
    }

    /// @param port an ingress port @param paused stopped, or restarted
    void NotifyPortState(PortId port, bool paused)
    {
        Notify({port, NUM_PRIORITIES}, paused);
    }

    /// @param queue an ingress queue @param flow hash of a flow @param paused stopped, or restarted
    void NotifyFlowState(QueueId queue, uint64_t flow, bool paused)
    {
        Notify({queue.port, Index(queue.priority), flow}, paused);
    }

    /// @param target what @param paused stopped, or restarted
    void Notify(const Target& target, bool paused)
    {
        paused ? m_owner->Begin(*this, target) : m_owner->End(*this, target);
    }

    /// Number of a target and hash of its flow, if it is one.
    using Key = std::pair<std::size_t, uint64_t>;

    /// @param target what is stopped @return its key in m_slots
    static Key GetKey(const Target& target)
    {
        return {target.GetNumber(), target.flow.value_or(0)};
    }

    PausePropagation* m_owner;      ///< owns this object
    Ptr<FlowControl> m_flowControl; ///< null: never pauses
    Ptr<SharedBuffer> m_ledger;     ///< of the switch
    std::map<Key, Slot> m_slots;    ///< of all that was ever stopped by it
    std::map<Key, Pause> m_heard;   ///< of all that was ever stopped in it, by egress port

    std::map<std::size_t, TimedPause> m_timed; ///< by Index(QueueId), of those that ever were
};

std::vector<QueueId>
PausePropagation::SwitchView::FindHolders(const Target& target) const
{
    const PrioritySet classes = GetClasses(target.column);
    std::vector<uint64_t> bytes(m_node->GetNDevices() * NUM_PRIORITIES); // by Index(QueueId)
    m_node->ForEachQueued([&](const SwitchItem& item) {
        if (item.ingress == target.port && Contains(classes, item.frame.priority) &&
            item.frame.flowHash == target.flow.value_or(item.frame.flowHash))
        {
            bytes[Index(item.GetEgressQueue())] += item.bufferBytes;
        }
    });
    const uint64_t most = std::max<uint64_t>(1, *std::max_element(bytes.begin(), bytes.end()));
    std::vector<QueueId> holders;
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        if (2 * bytes[i] >= most)
        {
            holders.push_back({PortId{static_cast<uint16_t>(i / NUM_PRIORITIES)},
                               Priority{static_cast<uint8_t>(i % NUM_PRIORITIES)}});
        }
    }
    return holders;
}

const PausePropagation::Pause*
PausePropagation::SwitchView::FindHeardOfFlow(QueueId queue) const
{
    const std::size_t number = Target{queue.port, Index(queue.priority), 0}.GetNumber();
    const Pause* deepest = nullptr;
    for (auto pause = m_heard.lower_bound({number, 0});
         pause != m_heard.end() && pause->first.first == number;
         ++pause)
    {
        if (pause->second.open && (!deepest || deepest->depth < pause->second.depth))
        {
            deepest = &pause->second;
        }
    }
    return deepest;
}

PausePropagation::PausePropagation()
    : m_isAlive(std::make_shared<bool>(true))
{
}

PausePropagation::~PausePropagation()
{
    *m_isAlive = false;
}

void
PausePropagation::Watch(const std::string& name, Ptr<SwitchNode> node)
{
    m_views.push_back(std::make_unique<SwitchView>(this, m_views.size(), name, node));
    m_viewOfNode[PeekPointer(node)] = m_views.back().get();
}

void
PausePropagation::AddNic(Ipv4Address address, Ptr<LosslessNetDevice> device)
{
    m_nics[address] = device;
}

std::vector<PauseDepthRecord>
PausePropagation::GetDepths() const
{
    std::vector<PauseDepthRecord> records;
    for (const auto& [depth, counts] : m_depths)
    {
        records.push_back({depth, counts.pauses, counts.slots.size(), counts.stopped.size()});
    }
    return records;
}

uint64_t
PausePropagation::CountStoppedHosts() const
{
    std::set<std::pair<std::size_t, std::size_t>> stopped;
    for (const auto& [depth, counts] : m_depths)
    {
        stopped.insert(counts.stopped.begin(), counts.stopped.end());
    }
    return stopped.size();
}

void
PausePropagation::Begin(SwitchView& view, const Target& target)
{
    const Cause cause = FindCause(view, target);
    Pause& pause = view.GetSlot(target).last;
    pause = {true, NowInTicks(), cause.depth, GetNumber(cause.roots)};
    Depth& depth = m_depths[cause.depth];
    ++depth.pauses;
    depth.slots.insert({view.m_index, target.GetNumber()});
    if (FindView(GetPeer(view, target.port)))
    {
        Tell(view, target, pause);
    }
    else
    {
        depth.stopped.insert({view.m_index, Index(target.port)});
    }
}

void
PausePropagation::End(SwitchView& view, const Target& target)
{
    Slot& slot = view.GetSlot(target);
    if (!slot.last.open)
    {
        return;
    }
    slot.last.open = false;
    if (FindView(GetPeer(view, target.port)))
    {
        Tell(view, target, slot.last);
    }
    else
    {
        slot.Add(slot.last, NowInTicks());
    }
}

void
PausePropagation::Tell(SwitchView& view, const Target& target, const Pause& pause)
{
    const auto hear = [this, &view, target, pause, now = NowInTicks(), isAlive = m_isAlive] {
        if (*isAlive)
        {
            Hear(view, target, pause, now);
        }
    };
    Simulator::ScheduleWithContext(GetPeer(view, target.port)->GetNode()->GetId(),
                                   view.m_node->GetShape().ports[Index(target.port)].delay,
                                   hear);
}

void
PausePropagation::Hear(SwitchView& from, const Target& target, const Pause& pause, Ticks now)
{
    FindView(GetPeer(from, target.port))->Hear(GetOtherSide(from, target), pause);
    if (!pause.open && IsAnyoneWaiting(from, target))
    {
        from.GetSlot(target).Add(pause, now);
    }
}

PausePropagation::Target
PausePropagation::GetOtherSide(const SwitchView& view, const Target& target)
{
    const uint32_t port = GetPeer(view, target.port)->GetIfIndex();
    return {PortId{static_cast<uint16_t>(port)}, target.column, target.flow};
}

PausePropagation::Cause
PausePropagation::FindCause(const SwitchView& view, const Target& target) const
{
    Cause cause;
    for (const QueueId queue : view.FindHolders(target))
    {
        if (const Pause* holding = FindHolding(view, queue))
        {
            const Places& roots = *m_rootSets[holding->roots];
            cause.roots.insert(roots.begin(), roots.end());
            cause.depth = std::max(cause.depth, holding->depth);
        }
        else
        {
            cause.roots.insert({view.m_index, queue.port, queue.priority});
        }
    }
    ++cause.depth;
    return cause;
}

const PausePropagation::Pause*
PausePropagation::FindHolding(const SwitchView& view, QueueId queue)
{
    if (Contains(view.m_node->GetPortDevice(queue.port)->GetGate()->GetOpen(), queue.priority))
    {
        const bool isBlocked = view.m_node->GetState(queue) == EgressState::BLOCKED;
        return isBlocked ? view.FindHeardOfFlow(queue) : nullptr;
    }
    const Pause* one = view.FindHeard({queue.port, Index(queue.priority)});
    const Pause* whole = view.FindHeard({queue.port, NUM_PRIORITIES});
    if (!one || !whole)
    {
        return one ? one : whole;
    }
    if (one->open && whole->open)
    {
        return one->depth < whole->depth ? whole : one;
    }
    // While a RESUME is under way, the last pause still holds the queue.
    return std::make_pair(one->open, one->since) < std::make_pair(whole->open, whole->since) ? whole
                                                                                             : one;
}

Ptr<LosslessNetDevice>
PausePropagation::GetPeer(const SwitchView& view, PortId port)
{
    return view.m_node->GetPortDevice(port)->GetPeer();
}

PausePropagation::SwitchView*
PausePropagation::FindView(Ptr<LosslessNetDevice> device) const
{
    const auto found = m_viewOfNode.find(PeekPointer(device->GetNode()));
    return found == m_viewOfNode.end() ? nullptr : found->second;
}

bool
PausePropagation::IsAnyoneWaiting(const SwitchView& view, const Target& target) const
{
    const SwitchView* previous = FindView(GetPeer(view, target.port));
    if (!previous)
    {
        return true;
    }
    const PortId egress = GetOtherSide(view, target).port;
    uint32_t most = 0;
    for (PrioritySet rest = GetClasses(target.column); rest != 0; rest &= rest - 1)
    {
        const QueueId queue{egress, Priority{static_cast<uint8_t>(__builtin_ctz(rest))}};
        most = std::max(most, previous->GetLedger().GetEgress(queue).frames);
    }
    return most > 1; // one may be on the wire, or have left and not been counted off yet
}

std::size_t
PausePropagation::GetNumber(const Places& roots)
{
    const auto [place, isNew] = m_numbers.try_emplace(roots, m_rootSets.size());
    if (isNew)
    {
        m_rootSets.push_back(&place->first);
    }
    return place->second;
}

std::vector<PausePropagation::Hop>
PausePropagation::FindPath(const FlowRecord& flow) const
{
    const auto nic = m_nics.find(flow.source);
    if (nic == m_nics.end())
    {
        return {};
    }
    SwitchItem item = MakeItem(flow);
    std::vector<Hop> path;
    Ptr<LosslessNetDevice> arrival = nic->second->GetPeer();
    // No switch twice: a route that goes in circles has no end.
    for (const SwitchView* view = FindView(arrival); view && path.size() < m_views.size();
         view = FindView(arrival))
    {
        item.ingress = PortId{static_cast<uint16_t>(arrival->GetIfIndex())};
        const auto egress = view->m_node->GetForwarding()->Find(item);
        if (!egress)
        {
            break;
        }
        path.push_back({view, item.ingress, *egress});
        arrival = GetPeer(*view, *egress);
    }
    return path;
}

void
PausePropagation::Judge(const Hop& hop,
                        const Target& target,
                        const Places& path,
                        const FlowRecord& record,
                        VictimRecord& victim) const
{
    const Slot* slot = hop.view->FindSlot(target);
    if (!slot)
    {
        return;
    }
    const Ticks begin = record.start.GetTimeStep();
    const Ticks end = (record.isReceived ? record.received : Simulator::Now()).GetTimeStep();
    const auto count = [&](std::size_t number, Ticks first, uint64_t pauses) {
        const Time hit = TimeStep(std::max(first, begin));
        if (victim.pauses == 0 || hit < victim.first)
        {
            const auto& [view, port, priority] = *m_rootSets[number]->begin();
            victim.first = hit;
            victim.node = hop.view->m_name;
            victim.port = hop.ingress;
            victim.root = m_views[view]->m_name;
            victim.rootPort = port;
        }
        victim.pauses += pauses;
    };
    for (const auto& [number, spans] : slot->spans)
    {
        const auto from = std::upper_bound(spans.ends.begin(), spans.ends.end(), begin);
        const auto to = std::lower_bound(spans.begins.begin(), spans.begins.end(), end);
        const auto first = from - spans.ends.begin();
        const auto last = to - spans.begins.begin();
        if (first < last && IsElsewhere(*m_rootSets[number], path))
        {
            count(number, spans.begins[first], last - first);
        }
    }
    const Pause& last = slot->last;
    if (last.open && last.since < end && IsElsewhere(*m_rootSets[last.roots], path) &&
        IsAnyoneWaiting(*hop.view, target))
    {
        count(last.roots, last.since, 1);
    }
}

std::vector<VictimRecord>
PausePropagation::GetVictims(const std::map<uint64_t, FlowRecord>& flows) const
{
    std::vector<VictimRecord> victims;
    for (const auto& [id, record] : flows)
    {
        const std::vector<Hop> hops = FindPath(record);
        Places path;
        for (const Hop& hop : hops)
        {
            path.insert({hop.view->m_index, hop.egress, record.flow.priority});
        }
        VictimRecord victim;
        victim.flow = id;
        const std::size_t column = Index(record.flow.priority);
        const uint64_t hash = MakeItem(record).frame.flowHash;
        for (const Hop& hop : hops)
        {
            Judge(hop, {hop.ingress, column}, path, record, victim);
            Judge(hop, {hop.ingress, NUM_PRIORITIES}, path, record, victim);
            Judge(hop, {hop.ingress, column, hash}, path, record, victim);
        }
        if (victim.pauses > 0)
        {
            victims.push_back(victim);
        }
    }
    return victims;
}

ResultTable
PausePropagation::GetDepthTable() const
{
    ResultTable table{{"depth", "pauses", "queues", "hosts"}, {}};
    for (const PauseDepthRecord& record : GetDepths())
    {
        table.rows.push_back({record.depth, record.pauses, record.queues, record.hosts});
    }
    return table;
}

ResultTable
PausePropagation::GetVictimTable(const std::map<uint64_t, FlowRecord>& flows) const
{
    ResultTable table{{"id", "pauses", "first_ns", "node", "port", "root_node", "root_port"}, {}};
    for (const VictimRecord& record : GetVictims(flows))
    {
        table.rows.push_back({record.flow,
                              record.pauses,
                              record.first,
                              record.node,
                              record.port,
                              record.root,
                              record.rootPort});
    }
    return table;
}

} // namespace ns3::lossless
