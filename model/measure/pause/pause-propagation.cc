// SPDX-License-Identifier: GPL-2.0-only
#include "pause-propagation.h"

#include "pause-recorder.h"

#include "ns3/event-id.h"
#include "ns3/flow-control.h"
#include "ns3/lossless-channel.h"
#include "ns3/make-type-id.h"
#include "ns3/record-archive.h"
#include "ns3/recurring-event.h"
#include "ns3/roce-header.h"
#include "ns3/simulator.h"
#include "ns3/transmit-gate.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <boost/serialization/set.hpp>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(PausePropagation, Recorder);

const RegisterRecorder<PausePropagation> g_propagation("pause-depths", 40);

namespace
{

/// The number of columns of an ingress port: one for each class and one for the port as a whole.
constexpr std::size_t COLUMNS = NUM_PRIORITIES + 1;

/// @param column the class, or NUM_PRIORITIES for the port as a whole
PrioritySet
GetClasses(std::size_t column)
{
    return column < NUM_PRIORITIES ? SetOf(Priority{static_cast<uint8_t>(column)}) : ALL_PRIORITIES;
}

/// @return a frame of a flow, which is used to query the switches' forwarding
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

/// @param device an end of a cable; can be null
/// @return the delay of the cable, or 0 if there is no cable
Ticks
GetDelay(Ptr<const LosslessNetDevice> device)
{
    const auto channel = device ? DynamicCast<LosslessChannel>(device->GetChannel()) : nullptr;
    return channel ? channel->GetDelay().GetTimeStep() : 0;
}

/// @param roots the roots of a pause
/// @param path the egress queues on a flow's path
/// @return whether the pause has roots and none of them is on the path
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

/// The last pause of one ingress queue, of a whole port or of a flow.
struct PausePropagation::Pause
{
    bool open{false};             ///< whether the pause is in progress
    Ticks since{0};               ///< the start time
    uint32_t depth{0};            ///< see PausePropagation
    const Places* roots{nullptr}; ///< the roots, an element of m_rootSets
};

/// The pauses of one ingress queue, of a whole port or of a flow.
struct PausePropagation::Slot
{
    /// The pauses that have ended and for which frames waited, in order of time.
    struct Spans
    {
        std::vector<Ticks> begins;
        std::vector<Ticks> ends;
    };

    /// Adds a pause that has ended and for which frames waited.
    void Add(const Pause& pause, Ticks end)
    {
        spans[pause.roots].begins.push_back(pause.since);
        spans[pause.roots].ends.push_back(end);
    }

    Pause last;                                     ///< the last pause
    std::map<const Places*, Spans, ByPlaces> spans; ///< the pauses, keyed by their roots
};

/// A message about a pause to the switch at the other end of a cable.
struct PausePropagation::Message
{
    std::size_t from; ///< the index of the switch that pauses its neighbour
    Target target;    ///< the target of the pause
    Pause pause;      ///< the pause at the time of sending
    Ticks told;       ///< the time of sending
    Ticks due;        ///< the arrival time at the other end
    uint32_t number;  ///< the number of the message among all messages that this switch has sent
};

/// An event that represents the arrival of a message.
class PausePropagation::MessageEvent final : public ReusableEvent
{
  public:
    /// @param owner the receiver of the message, if it still exists
    MessageEvent(PausePropagation* owner, std::shared_ptr<bool> isAlive, const Message& message)
        : m_owner(owner),
          m_isAlive(std::move(isAlive)),
          m_message(message)
    {
    }

  private:
    void Notify() override
    {
        Disarm();
        if (*m_isAlive)
        {
            m_owner->Hear(m_message);
        }
    }

    PausePropagation* m_owner;       ///< the receiver of the message; not owned
    std::shared_ptr<bool> m_isAlive; ///< false if the owner no longer exists
    Message m_message;
};

/// A watched switch.
class PausePropagation::SwitchView
{
  public:
    /// @param owner the object to notify of pauses
    /// @param index the index of this object in the owner's m_views
    SwitchView(PausePropagation* owner,
               std::size_t index,
               const std::string& name,
               Ptr<SwitchNode> node)
        : m_index(index),
          m_name(name),
          m_node(node),
          m_owner(owner)
    {
        const auto notice = [this, isAlive = owner->m_isAlive](const PauseChange& change) {
            if (*isAlive)
            {
                Note(change);
            }
        };
        FollowPauses(*node->GetFlowControl(), notice);
    }

    ~SwitchView()
    {
        for (auto& [queue, pause] : m_timed)
        {
            pause.expiry.Cancel();
        }
    }

    SwitchView(const SwitchView&) = delete;
    SwitchView& operator=(const SwitchView&) = delete;

    /// The result of Target::GetNumber() and, if the target is a flow, the hash of the flow.
    using Key = std::pair<std::size_t, uint64_t>;

    /// @return the classes that have frames waiting at a port, not counting the frame on the wire
    PrioritySet GetWaiting(PortId port) const
    {
        if (!Ranks::IsOwn(*m_node))
        {
            return m_waiting.empty() ? 0 : m_waiting[Index(port)];
        }
        PrioritySet classes = 0;
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const bool isOne = m_node->GetState({port, Priority{p}}) != EgressState::EMPTY;
            classes |= isOne ? SetOf(Priority{p}) : 0;
        }
        return classes;
    }

    /// @return the slot of a target; a new slot is added if necessary
    Slot& GetSlot(const Target& target)
    {
        return m_slots[GetKey(target)];
    }

    /// @return the slot of a target, or null if the target was never stopped
    const Slot* FindSlot(const Target& target) const
    {
        const auto found = m_slots.find(GetKey(target));
        return found == m_slots.end() ? nullptr : &found->second;
    }

    /// Records that a neighbour has stopped or resumed this switch.
    /// @param target the target, with the number of this switch's port
    void Hear(const Target& target, const Pause& pause)
    {
        m_heard[GetKey(target)] = pause;
    }

    /// @param target see Hear()
    /// @return the last pause of the target, or null if it was never paused
    const Pause* FindHeard(const Target& target) const
    {
        const auto found = m_heard.find(GetKey(target));
        return found == m_heard.end() ? nullptr : &found->second;
    }

    /// @param queue an egress queue
    /// @return the deepest open pause of any of the queue's flows, or null if there is no such
    /// pause
    const Pause* FindHeardOfFlow(QueueId queue) const;

    /// @return the holders of a target; see PausePropagation
    std::vector<QueueId> FindHolders(const Target& target) const;

    std::size_t m_index;                ///< the index in m_views
    std::string m_name;                 ///< the name of the switch
    Ptr<SwitchNode> m_node;             ///< the switch
    uint32_t m_messages{0};             ///< the number of messages that the switch has sent
    std::map<Key, Slot> m_slots;        ///< the slots of all targets; the last pause of each target
                                        ///< is stored on the rank of the switch, and the other
                                        ///< pauses are stored on the rank of the neighbour
    std::vector<PrioritySet> m_waiting; ///< the result of GetWaiting() for each port, from the
                                        ///< switch's rank

  private:
    /// A pause that ends automatically.
    struct TimedPause
    {
        Time end;       ///< the time at which the pause ends unless it is extended
        EventId expiry; ///< the event at `end`
    };

    void NotifyQueueState(QueueId queue, bool paused)
    {
        if (paused)
        {
            m_held.insert(Index(queue));
        }
        else
        {
            m_held.erase(Index(queue));
        }
        const auto timed = m_timed.find(Index(queue));
        // If a timed pause is still in force, the queue remains stopped.
        if (timed == m_timed.end() || timed->second.expiry.IsExpired())
        {
            Notify({queue.port, Index(queue.priority)}, paused);
        }
    }

    /// @param length the time to add to the current pause of the queue
    void NotifyTimedPause(QueueId queue, Time length)
    {
        TimedPause& pause = m_timed[Index(queue)];
        const bool isStopped = !pause.expiry.IsExpired();
        pause.end = std::max(pause.end, Simulator::Now()) + length;
        pause.expiry.Cancel();
        pause.expiry = Simulator::Schedule(pause.end - Simulator::Now(),
                                           &SwitchView::EndTimedPause,
                                           this,
                                           queue);
        if (!isStopped && m_held.count(Index(queue)) == 0)
        {
            Notify({queue.port, Index(queue.priority)}, true);
        }
    }

    void EndTimedPause(QueueId queue)
    {
        if (m_held.count(Index(queue)) == 0)
        {
            Notify({queue.port, Index(queue.priority)}, false);
        }
    }

    void Note(const PauseChange& change)
    {
        const QueueId queue{change.port, change.priority};
        switch (change.kind)
        {
        case PauseRecord::Kind::CLASS:
            NotifyQueueState(queue, change.isStart);
            break;
        case PauseRecord::Kind::PORT:
            Notify({change.port, NUM_PRIORITIES}, change.isStart);
            break;
        case PauseRecord::Kind::FLOWS:
            Notify({change.port, Index(change.priority), change.flow}, change.isStart);
            break;
        case PauseRecord::Kind::TIMED:
            NotifyTimedPause(queue, *change.length);
            break;
        }
    }

    void Notify(const Target& target, bool paused)
    {
        if (paused)
        {
            m_owner->Begin(*this, target);
        }
        else
        {
            m_owner->End(*this, target);
        }
    }

    static Key GetKey(const Target& target)
    {
        return {target.GetNumber(), target.flow.value_or(0)};
    }

    PausePropagation* m_owner;    ///< the owner of this object
    std::map<Key, Pause> m_heard; ///< the pauses that neighbours have requested, keyed by target

    std::set<std::size_t> m_held; ///< Index(QueueId) of the queues that are stopped until they are
                                  ///< resumed

    std::map<std::size_t, TimedPause> m_timed; ///< the timed pauses, keyed by Index(QueueId)
};

std::vector<QueueId>
PausePropagation::SwitchView::FindHolders(const Target& target) const
{
    const PrioritySet classes = GetClasses(target.column);
    const FlowControl& scheme = *m_node->GetFlowControl();
    // The number of the target's bytes in each egress queue, indexed by Index(QueueId).
    std::vector<uint64_t> bytes(m_node->GetNDevices() * NUM_PRIORITIES);
    m_node->ForEachQueued([&](const SwitchItem& item) {
        if (item.ingress == target.port && Contains(classes, item.frame.priority) &&
            (!target.flow || scheme.GetFlowOf(item.frame) == *target.flow))
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
PausePropagation::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
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
    pause = {true, NowInTicks(), cause.depth, Keep(cause.roots)};
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
    const Ticks now = NowInTicks();
    const PortLink& link = view.m_node->GetShape().ports[Index(target.port)];
    const Ticks due = now + (link.delay - link.jitter).GetTimeStep();
    const Message message{view.m_index, target, pause, now, due, view.m_messages++};
    if (Ranks::IsOwn(*GetPeer(view, target.port)->GetNode()))
    {
        Schedule(message);
    }
    else
    {
        Post(message);
    }
}

void
PausePropagation::Post(const Message& message)
{
    static_assert(std::is_trivially_copyable_v<Message> && std::is_trivially_copyable_v<Place>,
                  "they cross as they are");
    const std::vector<Place> roots(message.pause.roots->begin(), message.pause.roots->end());
    const Ptr<Node> listener = GetPeer(*m_views[message.from], message.target.port)->GetNode();
    char* place = Ranks::Post(Ranks::GetRankOf(*listener),
                              GetNumber(),
                              static_cast<uint64_t>(message.due),
                              sizeof(message) + roots.size() * sizeof(Place));
    std::memcpy(place, &message, sizeof(message));
    // Unlike memcpy(), std::copy_n() accepts a null pointer, which roots.data() can be if `roots`
    // is empty.
    const char* const rootBytes = reinterpret_cast<const char*>(roots.data());
    std::copy_n(rootBytes, roots.size() * sizeof(Place), place + sizeof(message));
}

void
PausePropagation::TakeMail(const char* bytes, std::size_t size)
{
    Message message;
    std::memcpy(static_cast<void*>(&message), bytes, sizeof(message));
    std::vector<Place> roots((size - sizeof(message)) / sizeof(Place));
    std::copy_n(bytes + sizeof(message),
                roots.size() * sizeof(Place),
                reinterpret_cast<char*>(roots.data()));
    message.pause.roots = Keep(Places(roots.begin(), roots.end()));
    Schedule(message);
}

void
PausePropagation::Schedule(const Message& message)
{
    // The message is scheduled like the arrival of a frame. It is processed after the frames that
    // arrive at the same time and before the switch's own events. Simultaneous messages are
    // processed in the order of their numbers, which do not depend on the number of ranks.
    constexpr uint32_t BEHIND_FRAMES = 0x80000000;
    const Ptr<Node> listener = GetPeer(*m_views[message.from], message.target.port)->GetNode();
    Create<MessageEvent>(this, m_isAlive, message)
        ->ArmArrival(listener->GetId(), message.due - NowInTicks(), BEHIND_FRAMES | message.number);
}

void
PausePropagation::Hear(const Message& message)
{
    SwitchView& from = *m_views[message.from];
    FindView(GetPeer(from, message.target.port))
        ->Hear(GetOtherSide(from, message.target), message.pause);
    if (!message.pause.open && IsAnyoneWaiting(from, message.target))
    {
        from.GetSlot(message.target).Add(message.pause, message.told);
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
            cause.roots.insert(holding->roots->begin(), holding->roots->end());
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
    const Pause* one = view.FindHeard({queue.port, Index(queue.priority)});
    const Pause* whole = view.FindHeard({queue.port, NUM_PRIORITIES});
    if (Contains(view.m_node->GetPortDevice(queue.port)->GetGate()->GetOpen(), queue.priority))
    {
        if (view.m_node->GetState(queue) != EgressState::BLOCKED)
        {
            return nullptr;
        }
        // Either individual flows of the queue are stopped, or the gate depends on the sizes of
        // frames, as with credits.
        const Pause* flow = view.FindHeardOfFlow(queue);
        return !flow && one && one->open ? one : flow;
    }
    if (!one || !whole)
    {
        return one ? one : whole;
    }
    if (one->open && whole->open)
    {
        return one->depth < whole->depth ? whole : one;
    }
    // Until a RESUME arrives, the last pause still holds the queue.
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
    const PrioritySet waiting = previous->GetWaiting(GetOtherSide(view, target).port);
    return (waiting & GetClasses(target.column)) != 0;
}

const PausePropagation::Places*
PausePropagation::Keep(const Places& roots)
{
    return &*m_rootSets.insert(roots).first;
}

void
PausePropagation::PrepareForeign() const
{
    for (const auto& view : m_views)
    {
        // If a switch of another rank has not been initialized, only its forwarding is configured.
        if (!Ranks::IsOwn(*view->m_node) && !view->m_node->IsInitialized())
        {
            view->m_node->ConfigureForwarding();
        }
    }
}

PausePropagation::Path
PausePropagation::FindPath(const FlowRecord& flow) const
{
    const auto nic = m_nics.find(flow.source);
    if (nic == m_nics.end())
    {
        return {};
    }
    SwitchItem item = MakeItem(flow);
    Path path;
    Ptr<LosslessNetDevice> arrival = nic->second->GetPeer();
    // The number of hops is limited, because a circular route has no end.
    for (const SwitchView* view = FindView(arrival); view && path.hops.size() < m_views.size();
         view = FindView(arrival))
    {
        const Ticks cable = GetDelay(arrival);
        item.ingress = PortId{static_cast<uint16_t>(arrival->GetIfIndex())};
        const auto egress = view->m_node->GetForwarding()->Find(item);
        if (!egress)
        {
            break;
        }
        // The effect of a pause reaches the other end of the cable after the cable's delay.
        path.hops.push_back({view, item.ingress, *egress, path.delay - cable});
        path.delay += cable;
        arrival = GetPeer(*view, *egress);
    }
    path.delay += GetDelay(arrival);
    return path;
}

void
PausePropagation::Judge(const Hop& hop,
                        const Target& target,
                        const Places& path,
                        Ticks begin,
                        Ticks end,
                        VictimRecord& victim) const
{
    const Slot* slot = hop.view->FindSlot(target);
    if (!slot)
    {
        return;
    }
    const auto count = [&](const Places& roots, Ticks first, uint64_t pauses) {
        const Time hit = TimeStep(first);
        if (victim.pauses == 0 || hit < victim.first)
        {
            const auto& [view, port, priority] = *roots.begin();
            victim.first = hit;
            victim.node = hop.view->m_name;
            victim.port = hop.ingress;
            victim.root = m_views[view]->m_name;
            victim.rootPort = port;
        }
        victim.pauses += pauses;
    };
    for (const auto& [roots, spans] : slot->spans)
    {
        const auto from = std::upper_bound(spans.ends.begin(), spans.ends.end(), begin);
        const auto to = std::lower_bound(spans.begins.begin(), spans.begins.end(), end);
        const auto first = from - spans.ends.begin();
        const auto last = to - spans.begins.begin();
        if (first < last && IsElsewhere(*roots, path))
        {
            count(*roots, spans.begins[first], last - first);
        }
    }
    const Pause& last = slot->last;
    if (last.open && last.since < end && IsElsewhere(*last.roots, path) &&
        IsAnyoneWaiting(*hop.view, target))
    {
        count(*last.roots, last.since, 1);
    }
}

std::vector<VictimRecord>
PausePropagation::GetVictims(const std::map<uint64_t, FlowRecord>& flows) const
{
    PrepareForeign();
    std::vector<VictimRecord> victims;
    for (const auto& [id, record] : flows)
    {
        const Path path = FindPath(record);
        Places queues;
        for (const Hop& hop : path.hops)
        {
            queues.insert({hop.view->m_index, hop.egress, record.flow.priority});
        }
        VictimRecord victim;
        victim.flow = id;
        const std::size_t column = Index(record.flow.priority);
        const Frame frame = MakeItem(record).frame;
        for (const Hop& hop : path.hops)
        {
            const Ticks begin = record.start.GetTimeStep() + hop.lag;
            const Ticks end = record.isReceived
                                  ? record.received.GetTimeStep() - path.delay + hop.lag
                                  : NowInTicks();
            Judge(hop, {hop.ingress, column}, queues, begin, end, victim);
            Judge(hop, {hop.ingress, NUM_PRIORITIES}, queues, begin, end, victim);
            const uint64_t flow = hop.view->m_node->GetFlowControl()->GetFlowOf(frame);
            Judge(hop, {hop.ingress, column, flow}, queues, begin, end, victim);
        }
        if (victim.pauses > 0)
        {
            victim.first = std::max(victim.first, record.start);
            victims.push_back(victim);
        }
    }
    return victims;
}

namespace
{

/// The pauses of a slot with the same roots, in the form in which they are sent to other ranks.
struct SavedSpans
{
    uint64_t roots{0};         ///< the number of the root set
    std::vector<Ticks> begins; ///< the start of each pause
    std::vector<Ticks> ends;   ///< the end of each pause

    auto Tie()
    {
        return std::tie(roots, begins, ends);
    }
};

/// A slot in the form in which it is sent to other ranks.
struct SavedSlot
{
    uint64_t view{0};              ///< the index of the switch
    uint64_t target{0};            ///< the number of the target
    uint64_t flow{0};              ///< the flow, if the target is a flow
    bool open{false};              ///< whether the last pause is open; false except on the switch's
                                   ///< rank
    Ticks since{0};                ///< the start of the open pause
    uint64_t roots{0};             ///< the number of the open pause's root set
    std::vector<SavedSpans> spans; ///< the pauses that have ended

    auto Tie()
    {
        return std::tie(view, target, flow, open, since, roots, spans);
    }
};

} // namespace

void
PausePropagation::WatchNic(const WatchedNic& nic)
{
    if (nic.roce)
    {
        AddNic(nic.roce->GetAddress(), nic.device);
    }
}

std::vector<Recorder::NamedTable>
PausePropagation::GetTables() const
{
    return {{"pause-depths", [this] { return GetDepthTable(); }}};
}

ResultFacts
PausePropagation::GetFacts() const
{
    uint64_t pauses = 0;
    for (const auto& [depth, counts] : m_depths)
    {
        pauses += counts.pauses;
    }
    return {{"/pauses", pauses},
            {"/max_pause_depth", m_depths.empty() ? 0 : m_depths.rbegin()->first},
            {"/paused_hosts", CountStoppedHosts()}};
}

void
PausePropagation::Save(std::ostream& os) const
{
    std::map<const Places*, uint64_t> numbers; // the numbers of the root sets
    for (const Places& roots : m_rootSets)
    {
        numbers.emplace(&roots, numbers.size());
    }
    std::vector<SavedSlot> slots;
    std::vector<std::vector<PrioritySet>> waiting(m_views.size());
    for (const auto& view : m_views)
    {
        for (const auto& [key, slot] : view->m_slots)
        {
            SavedSlot& saved = slots.emplace_back();
            saved = {view->m_index, key.first, key.second, slot.last.open, slot.last.since, 0, {}};
            saved.roots = slot.last.open ? numbers[slot.last.roots] : 0;
            for (const auto& [roots, spans] : slot.spans)
            {
                saved.spans.push_back({numbers[roots], spans.begins, spans.ends});
            }
        }
        for (uint16_t port = 0; Ranks::IsOwn(*view->m_node) && port < view->m_node->GetNDevices();
             ++port)
        {
            waiting[view->m_index].push_back(view->GetWaiting(PortId{port}));
        }
    }
    SaveParts(os, m_depths, m_rootSets, slots, waiting);
}

void
PausePropagation::Merge(std::istream& is, uint32_t rank)
{
    std::map<uint32_t, Depth> depths;
    std::set<Places> rootSets;
    std::vector<SavedSlot> slots;
    std::vector<std::vector<PrioritySet>> waiting;
    LoadParts(is, depths, rootSets, slots, waiting);
    for (const auto& [depth, counts] : depths)
    {
        m_depths[depth].pauses += counts.pauses;
        m_depths[depth].slots.insert(counts.slots.begin(), counts.slots.end());
        m_depths[depth].stopped.insert(counts.stopped.begin(), counts.stopped.end());
    }
    std::vector<const Places*> kept; // the root sets, by number
    for (const Places& roots : rootSets)
    {
        kept.push_back(Keep(roots));
    }
    for (const SavedSlot& saved : slots)
    {
        SwitchView& view = *m_views.at(saved.view);
        Slot& slot = view.m_slots[{saved.target, saved.flow}];
        if (saved.open)
        {
            slot.last = {true, saved.since, 0, kept.at(saved.roots)};
        }
        for (const SavedSpans& spans : saved.spans)
        {
            // Only one rank has recorded these pauses.
            slot.spans[kept.at(spans.roots)] = {spans.begins, spans.ends};
        }
    }
    for (std::size_t i = 0; i < m_views.size(); ++i)
    {
        if (Ranks::GetRankOf(*m_views[i]->m_node) == rank)
        {
            m_views[i]->m_waiting = waiting.at(i);
        }
    }
}

ResultTable
PausePropagation::GetDepthTable() const
{
    auto table = ResultTable::WithHeader("depth,pauses,queues,hosts");
    for (const PauseDepthRecord& record : GetDepths())
    {
        table.rows.push_back({record.depth, record.pauses, record.queues, record.hosts});
    }
    return table;
}

ResultTable
PausePropagation::GetVictimTable(const std::vector<VictimRecord>& victims)
{
    auto table = ResultTable::WithHeader("id,pauses,first_ns,node,port,root_node,root_port");
    for (const VictimRecord& record : victims)
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
