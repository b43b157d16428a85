// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WHEEL_SIMULATOR_IMPL_H
#define LOSSLESS_WHEEL_SIMULATOR_IMPL_H

#include "event-wheel.h"

#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <list>
#include <thread>
#include <utility>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * ns-3's event loop around an EventWheel, without what networks in one thread do not need: virtual
 * calls of an event list, checks of threads and logs for each event. Same events in the same order
 * as with ns3::DefaultSimulatorImpl.
 *
 * Chosen by ns-3's global value "SimulatorImplementationType"; programs of this module do so,
 * unless they are told another one or an event list ("SchedulerType"), which this one does not
 * take. Devices that schedule events from threads of their own (emulation, tap bridges), real time
 * and MPI need ns-3's; an event that another thread schedules stops the program.
 *
 * Events that have an EventId have a uid, by which they are cancelled; the order of events and
 * IsExpired() do without, so that uids may start again after 2^32.
 */
class WheelSimulatorImpl final : public SimulatorImpl
{
  public:
    /// What Stop() of a time returns: an EventId from ns-3.41 on, nothing before.
    using StopResult = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

    /// @return the type
    static TypeId GetTypeId();

    WheelSimulatorImpl();
    ~WheelSimulatorImpl() override;

    /// @return the one that runs; null: another kind does
    static WheelSimulatorImpl* Peek()
    {
        return g_running;
    }

    /**
     * As Simulator::ScheduleWithContext(), faster.
     * @param context node in whose context the event runs
     * @param delay ticks from now, not negative
     * @param event the event, one reference of which is handed over
     */
    void ScheduleTicks(uint32_t context, int64_t delay, EventImpl* event)
    {
        m_events.Insert(
            {event, {m_now + static_cast<uint64_t>(delay), EventId::UID::INVALID, context}});
    }

    /// The same for an event that nobody can cancel: Run() does without EventImpl::Invoke(), which
    /// an ns-3 with logs makes expensive. @param context see there @param delay too
    /// @param event a ReusableEvent
    void ScheduleReusable(uint32_t context, int64_t delay, EventImpl* event)
    {
        const auto address = reinterpret_cast<std::uintptr_t>(event);
        ScheduleTicks(context, delay, reinterpret_cast<EventImpl*>(address | REUSABLE));
    }

    /// For tests. @param uid of the next event that has an EventId, at least EventId::UID::VALID
    void SetNextUid(uint32_t uid)
    {
        m_nextUid = uid;
    }

    /// @return Now(), in ticks
    int64_t GetTicks() const
    {
        return static_cast<int64_t>(m_now);
    }

    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    StopResult Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    void SetScheduler(ObjectFactory schedulerFactory) override;
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    uint64_t GetEventCount() const override;

  private:
    void DoDispose() override;

    /// @return a uid for an EventId; after the last one, the first follows again
    uint32_t MakeUid();

    /// In the address of an event of the list: it is a ReusableEvent.
    static constexpr std::uintptr_t REUSABLE = 1;

    static WheelSimulatorImpl* g_running; ///< see Peek()

    EventWheel m_events;                     ///< to come
    std::list<EventId> m_destroyEvents;      ///< to be called by Destroy()
    uint64_t m_now{0};                       ///< time of the current event
    uint32_t m_nextUid{EventId::UID::VALID}; ///< of the next event that has an EventId
    uint32_t m_context{0xffffffff};          ///< of the current event
    uint64_t m_count{0};                     ///< events so far
    bool m_isStopped{false};                 ///< Stop() was called
    std::thread::id m_thread;                ///< that of Run(), or that made this object
};

/// @return Simulator::Now() in ticks (Time::GetTimeStep()), for the per-packet path
inline int64_t
NowInTicks()
{
    const WheelSimulatorImpl* simulator = WheelSimulatorImpl::Peek();
    return simulator ? simulator->GetTicks() : Simulator::Now().GetTimeStep();
}

} // namespace ns3::lossless

#endif /* LOSSLESS_WHEEL_SIMULATOR_IMPL_H */
