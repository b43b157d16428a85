// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RECURRING_EVENT_H
#define LOSSLESS_RECURRING_EVENT_H

#include "wheel-simulator-impl.h"

#include "ns3/assert.h"
#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * An event that can be scheduled repeatedly but is never pending more than once at a time.
 *
 * `Simulator::Schedule` allocates an event on every call. The per-packet path of this module has
 * only two kinds of events: the arrival of a frame and the end of a transmission. Each link
 * direction has at most one pending event of each kind, so one object of each kind is enough for
 * the whole run.
 *
 * The simulator holds a reference while the event is pending, so the event can outlive its creator.
 */
class ReusableEvent : public EventImpl
{
  public:
    /// @return whether the event is pending
    bool IsArmed() const
    {
        return m_armed;
    }

    /// Schedules the event, which must not be pending.
    /// @param context the node in whose context the event is executed
    /// @param delay the number of ticks from now; not negative
    void ArmTicks(uint32_t context, int64_t delay)
    {
        if (WheelSimulatorImpl* simulator = MarkArmed())
        {
            simulator->ScheduleReusable(context, delay, this);
        }
        else
        {
            Simulator::ScheduleWithContext(context, TimeStep(delay), this);
        }
    }

    /// Schedules the event, which is the arrival of a frame; see ArmTicks().
    /// @param port the ingress port, which determines the order of simultaneous arrivals
    void ArmArrival(uint32_t context, int64_t delay, uint32_t port)
    {
        if (WheelSimulatorImpl* simulator = MarkArmed())
        {
            simulator->ScheduleArrival(context, delay, this, port);
        }
        else
        {
            Simulator::ScheduleWithContext(context, TimeStep(delay), this);
        }
    }

    /// Prefetches the data that the event will need. Called by the simulator a few turns before an
    /// arrival.
    /// @param step 1 to prefetch the data to which the event points; 2, one turn later, to prefetch
    /// the data to which those data point
    virtual void Prefetch(uint32_t /* step */) const
    {
    }

    /// Executes the event; called by the simulator.
    void Happen()
    {
        Notify();
    }

  protected:
    /// Allows the event to be scheduled again. Notify() must call this function first.
    void Disarm()
    {
        m_armed = false;
    }

  private:
    /// Marks the event as pending.
    /// @return the simulator if it is a WheelSimulatorImpl, otherwise null
    WheelSimulatorImpl* MarkArmed()
    {
        NS_ASSERT(!m_armed);
        m_armed = true;
        Ref(); // the simulator releases this reference after executing the event
        return WheelSimulatorImpl::Peek();
    }

    bool m_armed{false}; ///< whether the event is pending in the simulator
};

/**
 * @ingroup lossless
 * A ReusableEvent that calls a method of its owner. The owner must call Detach() when it is
 * disposed of.
 */
template <typename OWNER, void (OWNER::*METHOD)()>
class RecurringEvent final : public ReusableEvent
{
  public:
    /// @param owner the owner, which must exist until Detach()
    explicit RecurringEvent(OWNER* owner)
        : m_owner(owner)
    {
    }

    /// Schedules the event like ArmTicks(), but with the delay as a Time.
    void Arm(uint32_t context, Time delay)
    {
        ArmTicks(context, delay.GetTimeStep());
    }

    /// Called when the owner is disposed of. A pending event then has no effect.
    void Detach()
    {
        Cancel();
        m_owner = nullptr;
    }

  private:
    void Notify() override
    {
        Disarm();
        if (m_owner)
        {
            (m_owner->*METHOD)();
        }
    }

    OWNER* m_owner; ///< the owner; null after Detach()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RECURRING_EVENT_H */
