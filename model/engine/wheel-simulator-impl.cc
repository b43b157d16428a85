// SPDX-License-Identifier: GPL-2.0-only
#include "wheel-simulator-impl.h"

#include "network-tally.h"
#include "ranks.h"
#include "recurring-event.h"

#include "ns3/abort.h"
#include "ns3/cache-line.h"
#include "ns3/channel-list.h"
#include "ns3/make-type-id.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(WheelSimulatorImpl);

namespace
{

/// The shortest window, in ticks. A shorter one would contain too few events per node to be
/// worthwhile.
constexpr uint64_t SHORTEST_WINDOW = 80;

std::uintptr_t
GetMarks(const EventImpl* event)
{
    return reinterpret_cast<std::uintptr_t>(event) % alignof(EventImpl);
}

EventImpl*
Unmark(EventImpl* event)
{
    return reinterpret_cast<EventImpl*>(reinterpret_cast<std::uintptr_t>(event) - GetMarks(event));
}

/// @return the event as it is stored in the event lists
Scheduler::Event
ToEntry(const EventId& id)
{
    return {id.PeekEventImpl(), {id.GetTs(), id.GetUid(), id.GetContext()}};
}

} // namespace

WheelSimulatorImpl* WheelSimulatorImpl::g_running = nullptr;

TypeId
WheelSimulatorImpl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<WheelSimulatorImpl, SimulatorImpl>("WheelSimulatorImpl")
            .AddAttribute("LongestWindow",
                          "Longest time for which a node's events are executed without regard to "
                          "other nodes; at most the network's lookahead. 0: all events are "
                          "executed strictly in order of time.",
                          TimeValue(NanoSeconds(Lookahead::LONGEST)),
                          MakeTimeAccessor(&WheelSimulatorImpl::m_longestWindow),
                          MakeTimeChecker(Time(0)));
    return tid;
}

WheelSimulatorImpl::WheelSimulatorImpl()
    : m_thread(std::this_thread::get_id())
{
    g_running = this;
}

WheelSimulatorImpl::~WheelSimulatorImpl() = default;

void
WheelSimulatorImpl::DoDispose()
{
    if (g_running == this)
    {
        g_running = nullptr;
    }
    // Events recorded in this simulation must not be reported in the next one.
    NetworkTally::TakeAll();
    const auto release = [](const Scheduler::Event& event) { Unmark(event.impl)->Unref(); };
    std::for_each(m_batch.begin() + m_next, m_batch.end(), release);
    for (EventWheel* events : {&m_global, &m_events})
    {
        while (!events->IsEmpty())
        {
            release(events->RemoveNext());
        }
    }
    SimulatorImpl::DoDispose();
}

void
WheelSimulatorImpl::Destroy()
{
    while (!m_destroyEvents.empty())
    {
        const EventId event = m_destroyEvents.front();
        m_destroyEvents.pop_front();
        if (!event.PeekEventImpl()->IsCancelled())
        {
            event.PeekEventImpl()->Invoke();
        }
    }
}

void
WheelSimulatorImpl::SetScheduler(ObjectFactory schedulerFactory)
{
    // ns-3 passes the type given by the global value "SchedulerType", which is MapScheduler unless
    // the user has changed it.
    const std::string name = schedulerFactory.GetTypeId().GetName();
    NS_ABORT_MSG_IF(name != "ns3::MapScheduler",
                    "WheelSimulatorImpl has an event list of its own, not "
                        << name
                        << "; with that, SimulatorImplementationType must be "
                           "ns3::DefaultSimulatorImpl.");
}

void
WheelSimulatorImpl::JoinNodes(uint32_t a, uint32_t b)
{
    m_joined.emplace_back(a, b);
}

void
WheelSimulatorImpl::UpdateLookahead()
{
    if (!m_lookahead.IsCurrent())
    {
        m_lookahead = Lookahead(m_joined);
        m_buckets.resize(m_lookahead.GetNGroups());
        const auto most = static_cast<uint64_t>(m_longestWindow.GetTimeStep());
        // Calls such as Stop() in a node's event rely on the minimum delay, which can be the delay
        // of a cable within a group.
        m_window = std::min({m_lookahead.GetTicks(), m_lookahead.GetLeastDelay(), most});
        if (m_hasRanks)
        {
            FindOwnGroups();
        }
        else if (m_window < SHORTEST_WINDOW)
        {
            m_window = 0;
        }
    }
}

void
WheelSimulatorImpl::RequireSameNetwork()
{
    std::ostringstream network;
    for (uint32_t i = 0; i < NodeList::GetNNodes(); ++i)
    {
        const Ptr<Node> node = NodeList::GetNode(i);
        network << node->GetInstanceTypeId().GetName() << ' ' << node->GetSystemId() << ' '
                << node->GetNDevices() << '\n';
    }
    network << ChannelList::GetNChannels();
    const auto other = Ranks::FindOther(network.str());
    NS_ABORT_MSG_IF(other,
                    "WheelSimulatorImpl: rank " << *other
                                                << " has built another network than rank 0; all "
                                                   "ranks need the same program, options and "
                                                   "files.");
}

void
WheelSimulatorImpl::FindOwnGroups()
{
    NS_ABORT_MSG_IF(
        m_longestWindow.IsZero(),
        "WheelSimulatorImpl: LongestWindow is 0, or something has set it to 0 that needs "
        "all events in the order of time, as one text trace of all devices; several "
        "ranks need windows.");
    constexpr uint32_t UNKNOWN = UINT32_MAX;
    std::vector<uint32_t> ranks(m_lookahead.GetNGroups(), UNKNOWN);
    ranks.back() = Ranks::GetRank(); // events without a node are executed on every rank
    for (uint32_t id = 0; id < NodeList::GetNNodes(); ++id)
    {
        const uint32_t rank = NodeList::GetNode(id)->GetSystemId();
        NS_ABORT_MSG_IF(rank >= Ranks::GetSize(),
                        "WheelSimulatorImpl: node " << id << " has the system id " << rank
                                                    << "; with " << Ranks::GetSize()
                                                    << " ranks it must be below that.");
        uint32_t& known = ranks[m_lookahead.GetGroup(id)];
        NS_ABORT_MSG_IF(known != UNKNOWN && known != rank,
                        "WheelSimulatorImpl: node "
                            << id << " is of rank " << rank << ", and a node that it reaches in no "
                            << "time of rank " << known << "; they must have the same system id.");
        known = rank;
    }
    m_isOwn.resize(ranks.size());
    std::transform(ranks.begin(), ranks.end(), m_isOwn.begin(), [](uint32_t rank) {
        return rank == Ranks::GetRank();
    });
}

uint64_t
WheelSimulatorImpl::Agree()
{
    m_context = Simulator::NO_CONTEXT;
    if (m_hasRanks)
    {
        return AgreeWithRanks();
    }
    if (NetworkTally::IsAnyNoted())
    {
        NetworkTally::TellAll(NetworkTally::TakeAll());
    }
    return m_events.PeekTick();
}

uint64_t
WheelSimulatorImpl::AgreeWithRanks()
{
    // Each rank reports any signal, its next event, any node's Stop() and its next global event.
    // Global events are the same on all ranks, except for those that a global event schedules on
    // behalf of a rank's own nodes, for example, when a cable comes up again.
    std::vector<uint64_t> told{static_cast<uint64_t>(Ranks::GetInterruption()),
                               std::min(m_events.PeekTick(), Ranks::GetNextDue()),
                               m_stopTick,
                               m_global.PeekTick()};
    const std::size_t own = told.size();
    for (const NetworkTally::Counts& counts : NetworkTally::TakeAll())
    {
        told.insert(told.end(), {counts.count, counts.earliest, counts.latest});
    }
    m_farTick = EventWheel::NEVER;
    m_stopTick = EventWheel::NEVER;
    m_globalTick = EventWheel::NEVER;
    std::vector<NetworkTally::Counts> tallies((told.size() - own) / 3);
    for (const std::vector<uint64_t>& heard : Ranks::Exchange(told))
    {
        if (heard[0] != 0)
        {
            Ranks::Interrupt(static_cast<int>(heard[0]));
            m_isStopped = true;
        }
        m_farTick = std::min(m_farTick, heard[1]);
        m_stopTick = std::min(m_stopTick, heard[2]);
        m_globalTick = std::min(m_globalTick, heard[3]);
        for (std::size_t i = 0; i < tallies.size(); ++i)
        {
            const uint64_t* counts = &heard[own + 3 * i];
            tallies[i].Add({counts[0], counts[1], counts[2]});
        }
    }
    NetworkTally::TellAll(tallies);
    return std::min(m_events.PeekTick(), m_farTick);
}

void
WheelSimulatorImpl::RequireReach(uint32_t context) const
{
    if (m_context != Simulator::NO_CONTEXT && context != m_context)
    {
        NS_ABORT_MSG_IF(context == Simulator::NO_CONTEXT || !m_isOwn[m_lookahead.GetGroup(context)],
                        "WheelSimulatorImpl: an event of node "
                            << m_context << " at " << Now().As(Time::NS) << " schedules one "
                            << (context == Simulator::NO_CONTEXT
                                    ? std::string("without a node")
                                    : "for node " + std::to_string(context) + " of another rank")
                            << "; between ranks only frames pass. Run it on one rank, without "
                               "mpirun.");
    }
}

void
WheelSimulatorImpl::RunEventsAt(uint64_t tick)
{
    if (m_events.PeekTick() == tick)
    {
        RunTick(m_events);
    }
}

void
WheelSimulatorImpl::DropForeign()
{
    const auto isForeign = [this](const Scheduler::Event& event) {
        return !m_isOwn[m_lookahead.GetGroup(event.key.m_context)];
    };
    const auto first = std::stable_partition(m_batch.begin(),
                                             m_batch.end(),
                                             [&](const auto& event) { return !isForeign(event); });
    std::for_each(first, m_batch.end(), [](const auto& event) { Unmark(event.impl)->Unref(); });
    m_batch.erase(first, m_batch.end());
}

void
WheelSimulatorImpl::Run()
{
    m_thread = std::this_thread::get_id();
    m_isStopped = false;
    m_stopTick = EventWheel::NEVER;
    m_lookahead = Lookahead();
    m_hasRanks = Ranks::AreSeveral();
    Ranks::SetRunning(true);
    if (m_hasRanks)
    {
        RequireSameNetwork();
    }
    RunBatch(); // executes the events left over from the previous run
    RunUntilStopped();
    m_now = m_stopTick != EventWheel::NEVER ? m_stopTick : m_now;
    for (const std::vector<uint64_t>& heard : Ranks::Exchange({m_now}))
    {
        m_now = std::max(m_now, heard.front());
    }
    Ranks::SetRunning(false);
    m_start = m_now;
    m_context = Simulator::NO_CONTEXT;
}

void
WheelSimulatorImpl::RunUntilStopped()
{
    while (!m_isStopped)
    {
        UpdateLookahead();
        const uint64_t tick = Agree();
        const uint64_t globalTick = std::min(m_global.PeekTick(), m_globalTick);
        if (m_isStopped || std::min(tick, globalTick) >= m_stopTick)
        {
            break;
        }
        if (globalTick <= tick)
        {
            if (m_global.PeekTick() == globalTick) // otherwise, the event belongs to another rank
            {
                RunTick(m_global);
            }
        }
        else if (m_window == 0 || tick == m_start)
        {
            RunEventsAt(tick);
        }
        else
        {
            RunWindow(tick, std::min({tick + m_window, globalTick, m_stopTick}));
        }
    }
}

void
WheelSimulatorImpl::RunWindow(uint64_t begin, uint64_t end)
{
    while (m_events.PeekTick() < end)
    {
        m_events.TakeTick([this](const Scheduler::Event& event) {
            const uint32_t group = m_lookahead.GetGroup(event.key.m_context);
            if (m_hasRanks && !m_isOwn[group])
            {
                Unmark(event.impl)->Unref();
                return;
            }
            Events& bucket = m_buckets[group];
            if (bucket.empty())
            {
                m_touched.push_back(group);
            }
            bucket.push_back(event);
        });
    }
    std::sort(m_touched.begin(), m_touched.end());
    m_begin = begin;
    m_end = end;
    uint64_t latest = m_now;
    for (std::size_t turn = 0; turn < m_touched.size(); ++turn)
    {
        Prefetch(turn);
        RunTurn(m_touched[turn], begin);
        latest = std::max(latest, m_now);
    }
    m_now = latest;
    m_end = 0;
    m_touched.clear();
}

void
WheelSimulatorImpl::Prefetch(std::size_t turn) const
{
    // A pointer can be followed only after the object that contains it has been loaded. Each turn
    // therefore performs only one step for each of the next turns.
    constexpr uint32_t STEPS = 3;
    for (uint32_t step = 0; step < STEPS; ++step)
    {
        const std::size_t later = turn + STEPS - step;
        if (later >= m_touched.size())
        {
            continue;
        }
        for (const Scheduler::Event& event : m_buckets[m_touched[later]])
        {
            if (step == 0)
            {
                PrefetchLines(event.impl, 2 * CACHE_LINE_BYTES);
            }
            else if ((GetMarks(event.impl) & ARRIVAL) != 0)
            {
                static_cast<ReusableEvent*>(Unmark(event.impl))->Prefetch(step);
            }
        }
    }
}

void
WheelSimulatorImpl::RunTurn(uint32_t group, uint64_t begin)
{
    m_group = group;
    m_turn.Restart(begin);
    for (const Scheduler::Event& event : m_buckets[group])
    {
        m_turn.Insert(event);
    }
    m_buckets[group].clear();
    Scheduler::Event lone;
    while (!m_turn.IsEmpty())
    {
        if (m_turn.TakeLone(lone))
        {
            m_now = lone.key.m_ts;
            Execute(lone);
        }
        else
        {
            RunTick(m_turn);
        }
    }
}

void
WheelSimulatorImpl::RunTick(EventWheel& events)
{
    m_now = events.TakeTick([this](const Scheduler::Event& event) { m_batch.push_back(event); });
    if (m_hasRanks && &events == &m_events)
    {
        DropForeign();
    }
    if (m_batch.size() > 1)
    {
        SortBatch();
    }
    RunBatch();
}

void
WheelSimulatorImpl::SortBatch()
{
    const auto isOwn = [](const Scheduler::Event& event) {
        return (GetMarks(event.impl) & ARRIVAL) == 0;
    };
    const auto isBefore = [&isOwn](const Scheduler::Event& a, const Scheduler::Event& b) {
        return isOwn(b) ? !isOwn(a)
                        : !isOwn(a) && std::pair(a.key.m_context, a.key.m_uid) <
                                           std::pair(b.key.m_context, b.key.m_uid);
    };
    if (std::is_sorted(m_batch.begin(), m_batch.end(), isBefore))
    {
        return;
    }
    std::copy_if(m_batch.begin(), m_batch.end(), std::back_inserter(m_own), isOwn);
    const auto arrivals = std::remove_if(m_batch.begin(), m_batch.end(), isOwn);
    std::sort(m_batch.begin(), arrivals, isBefore);
    std::copy(m_own.begin(), m_own.end(), arrivals);
    m_own.clear();
}

inline void
WheelSimulatorImpl::Execute(const Scheduler::Event& due)
{
    m_context = due.key.m_context;
    ++m_count;
    EventImpl* event = Unmark(due.impl);
    if (event != due.impl)
    {
        static_cast<ReusableEvent*>(event)->Happen();
    }
    else
    {
        event->Invoke();
    }
    event->Unref();
}

void
WheelSimulatorImpl::RunBatch()
{
    while (m_next < m_batch.size() && !m_isStopped)
    {
        const Scheduler::Event next = m_batch[m_next++];
        Execute(next);
    }
    if (m_next == m_batch.size())
    {
        m_batch.clear();
        m_next = 0;
    }
}

bool
WheelSimulatorImpl::IsFinished() const
{
    return m_isStopped || (m_next == m_batch.size() && m_events.IsEmpty() && m_global.IsEmpty() &&
                           m_farTick == EventWheel::NEVER && m_globalTick == EventWheel::NEVER &&
                           !NetworkTally::IsAnyNoted());
}

void
WheelSimulatorImpl::Stop()
{
    if (m_context == Simulator::NO_CONTEXT || GetLeastDelay().IsZero())
    {
        m_isStopped = true;
    }
    else
    {
        StopFor(Now());
    }
}

void
WheelSimulatorImpl::StopFor(Time cause)
{
    m_stopTick =
        std::min(m_stopTick, static_cast<uint64_t>((cause + GetLeastDelay()).GetTimeStep()));
}

WheelSimulatorImpl::StopResult
WheelSimulatorImpl::Stop(const Time& delay)
{
    const bool isOfNode = m_context != Simulator::NO_CONTEXT;
    const Time wait = isOfNode ? std::max(delay, GetLeastDelay()) : delay;
    const uint64_t tick = m_now + static_cast<uint64_t>(wait.GetTimeStep());
    if (isOfNode && m_hasRanks)
    {
        m_stopTick = std::min(m_stopTick, tick);
        return StopResult(EventId());
    }
    EventImpl* event = MakeEvent(&Simulator::Stop);
    const uint32_t uid = MakeUid();
    Insert({event, {tick, uid, Simulator::NO_CONTEXT}});
    return StopResult(EventId(event, tick, Simulator::NO_CONTEXT, uid));
}

void
WheelSimulatorImpl::RefuseTurn(uint32_t node, const char* what) const
{
    NS_ABORT_MSG("WheelSimulatorImpl: an event of node "
                 << m_context << " at " << Now().As(Time::NS) << ' ' << what << " node " << node
                 << " less than " << TimeStep(m_lookahead.GetTicks()).As(Time::NS)
                 << " ahead, the least delay between nodes; do it that much later by "
                    "Simulator::ScheduleWithContext(), or set LongestWindow to 0.");
}

EventId
WheelSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    NS_ASSERT_MSG(delay.IsPositive(), "WheelSimulatorImpl::Schedule(): negative delay");
    const uint64_t tick = m_now + static_cast<uint64_t>(delay.GetTimeStep());
    const uint32_t uid = MakeUid();
    Insert({event, {tick, uid, m_context}});
    return EventId(event, tick, m_context, uid);
}

uint32_t
WheelSimulatorImpl::MakeUid()
{
    const uint32_t uid = m_nextUid;
    m_nextUid = uid == UINT32_MAX ? uint32_t{EventId::UID::VALID} : uid + 1;
    return uid;
}

void
WheelSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    NS_ABORT_MSG_IF(std::this_thread::get_id() != m_thread,
                    "WheelSimulatorImpl: another thread schedules an event, for node "
                        << context
                        << "; for devices with threads of their own (emulation, tap bridges), "
                           "SimulatorImplementationType must be ns3::DefaultSimulatorImpl or "
                           "ns3::RealtimeSimulatorImpl.");
    ScheduleTicks(context, delay.GetTimeStep(), event);
}

EventId
WheelSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Schedule(Time(0), event);
}

EventId
WheelSimulatorImpl::ScheduleDestroy(EventImpl* event)
{
    const EventId id(Ptr<EventImpl>(event, false),
                     m_now,
                     Simulator::NO_CONTEXT,
                     EventId::UID::DESTROY);
    m_destroyEvents.push_back(id);
    return id;
}

void
WheelSimulatorImpl::Remove(const EventId& id)
{
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        const auto found = std::find(m_destroyEvents.begin(), m_destroyEvents.end(), id);
        if (found != m_destroyEvents.end())
        {
            m_destroyEvents.erase(found);
        }
        return;
    }
    if (IsOver(id, "removes an event of"))
    {
        return;
    }
    TakeOut(ToEntry(id));
    id.PeekEventImpl()->Cancel();
    id.PeekEventImpl()->Unref();
}

void
WheelSimulatorImpl::TakeOut(const Scheduler::Event& event)
{
    if (const auto found = FindInBatch(event); found != m_batch.end())
    {
        m_batch.erase(found);
        return;
    }
    for (EventWheel* events : {&m_turn, &m_events, &m_global})
    {
        if (events->Contains(event))
        {
            events->Remove(event);
            return;
        }
    }
}

void
WheelSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsOver(id, "cancels an event of"))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
WheelSimulatorImpl::IsExpired(const EventId& id) const
{
    return IsOver(id, "asks about an event of");
}

bool
WheelSimulatorImpl::IsOver(const EventId& id, const char* what) const
{
    EventImpl* event = id.PeekEventImpl();
    if (event && id.GetContext() != Simulator::NO_CONTEXT && id.GetTs() >= m_begin)
    {
        RequireTurn(id.GetContext(), what);
    }
    if (!event || event->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        return std::find(m_destroyEvents.begin(), m_destroyEvents.end(), id) ==
               m_destroyEvents.end();
    }
    return id.GetTs() < m_now || (id.GetTs() == m_now && !IsToCome(ToEntry(id)));
}

bool
WheelSimulatorImpl::IsToCome(const Scheduler::Event& event) const
{
    return FindInBatch(event) != m_batch.end() || m_turn.Contains(event) ||
           m_events.Contains(event) || m_global.Contains(event);
}

WheelSimulatorImpl::Events::const_iterator
WheelSimulatorImpl::FindInBatch(const Scheduler::Event& event) const
{
    return std::find_if(m_batch.begin() + static_cast<std::ptrdiff_t>(m_next),
                        m_batch.end(),
                        [&event](const auto& other) { return other.impl == event.impl; });
}

Time
WheelSimulatorImpl::Now() const
{
    return TimeStep(m_now);
}

Time
WheelSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return IsExpired(id) ? Time(0) : TimeStep(id.GetTs() - m_now);
}

Time
WheelSimulatorImpl::GetMaximumSimulationTime() const
{
    return Time::Max();
}

uint32_t
WheelSimulatorImpl::GetSystemId() const
{
    return Ranks::GetRank();
}

uint32_t
WheelSimulatorImpl::GetContext() const
{
    return m_context;
}

uint64_t
WheelSimulatorImpl::GetEventCount() const
{
    return m_count;
}

} // namespace ns3::lossless
