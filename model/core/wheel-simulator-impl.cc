// SPDX-License-Identifier: GPL-2.0-only
#include "wheel-simulator-impl.h"

#include "recurring-event.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(WheelSimulatorImpl);

namespace
{

/// @param event address of an event, perhaps with a mark in it @param mark it @return the event
EventImpl*
Unmark(EventImpl* event, std::uintptr_t mark)
{
    return reinterpret_cast<EventImpl*>(reinterpret_cast<std::uintptr_t>(event) & ~mark);
}

/// @param id of an event @return the event as a list holds it
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
    static TypeId tid = TypeId("ns3::lossless::WheelSimulatorImpl")
                            .SetParent<SimulatorImpl>()
                            .SetGroupName("Lossless")
                            .AddConstructor<WheelSimulatorImpl>();
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
    while (!m_events.IsEmpty())
    {
        Unmark(m_events.RemoveNext().impl, REUSABLE)->Unref();
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
    // ns-3 calls this with the global value, whose default any simulator without a choice has.
    const std::string name = schedulerFactory.GetTypeId().GetName();
    NS_ABORT_MSG_IF(name != "ns3::MapScheduler" && name != "ns3::lossless::WheelScheduler",
                    "WheelSimulatorImpl has an event list of its own, not "
                        << name
                        << "; with that, SimulatorImplementationType must be "
                           "ns3::DefaultSimulatorImpl.");
}

void
WheelSimulatorImpl::Run()
{
    m_thread = std::this_thread::get_id();
    m_isStopped = false;
    while (!m_events.IsEmpty() && !m_isStopped)
    {
        m_events.Prefetch();
        const Scheduler::Event next = m_events.RemoveNext();
        m_now = next.key.m_ts;
        m_context = next.key.m_context;
        ++m_count;
        EventImpl* event = Unmark(next.impl, REUSABLE);
        if (event != next.impl)
        {
            static_cast<ReusableEvent*>(event)->Happen();
        }
        else
        {
            event->Invoke();
        }
        event->Unref();
    }
}

bool
WheelSimulatorImpl::IsFinished() const
{
    return m_events.IsEmpty() || m_isStopped;
}

void
WheelSimulatorImpl::Stop()
{
    m_isStopped = true;
}

WheelSimulatorImpl::StopResult
WheelSimulatorImpl::Stop(const Time& delay)
{
    return StopResult(Simulator::Schedule(delay, &Simulator::Stop));
}

EventId
WheelSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    NS_ASSERT_MSG(delay.IsPositive(), "WheelSimulatorImpl::Schedule(): negative delay");
    const uint64_t tick = m_now + static_cast<uint64_t>(delay.GetTimeStep());
    const uint32_t uid = MakeUid();
    m_events.Insert({event, {tick, uid, m_context}});
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
    if (IsExpired(id))
    {
        return;
    }
    m_events.Remove(ToEntry(id));
    id.PeekEventImpl()->Cancel();
    id.PeekEventImpl()->Unref();
}

void
WheelSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
WheelSimulatorImpl::IsExpired(const EventId& id) const
{
    if (!id.PeekEventImpl() || id.PeekEventImpl()->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        return std::find(m_destroyEvents.begin(), m_destroyEvents.end(), id) ==
               m_destroyEvents.end();
    }
    // Of the events that are due now, those that have not happened yet are still in the list.
    return id.GetTs() < m_now || (id.GetTs() == m_now && !m_events.Contains(ToEntry(id)));
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
    return 0;
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
