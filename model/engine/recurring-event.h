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
 * An event object that is scheduled again and again, at most once at a time.
 *
 * `Simulator::Schedule` allocates an event at every call; the per-packet path of this module has
 * two kinds of event only (a frame arrives, a transmitter gets free), at most one of each pending
 * per link direction, and so one object of each serves for the whole run.
 *
 * The simulator holds a reference while the event is pending, so it may outlive who made it.
 */
class ReusableEvent : public EventImpl
{
  public:
    /// @return whether the event is pending
    bool IsArmed() const
    {
        return m_armed;
    }

    /**
     * Schedules the event; must not be pending.
     * @param context node in whose context it happens
     * @param delay ticks from now, not negative
     */
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

    /// The same, for the arrival of a frame. @param context see there @param delay too
    /// @param port by which it arrives: the order of arrivals at one time
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

    /**
     * For the simulator, some turns before the event happens: brings what it will need into the
     * processor's caches. Called for arrivals only.
     * @param step 1: what the event points to; a turn later, 2: what that points to
     */
    virtual void Prefetch(uint32_t /* step */) const
    {
    }

    /// For the simulator: the event happens.
    void Happen()
    {
        Notify();
    }

  protected:
    /// The event happens, which Notify() begins with: it may be armed again.
    void Disarm()
    {
        m_armed = false;
    }

  private:
    /// The event becomes pending. @return where, if it is the module's simulator
    WheelSimulatorImpl* MarkArmed()
    {
        NS_ASSERT(!m_armed);
        m_armed = true;
        Ref(); // the simulator releases this reference after the call
        return WheelSimulatorImpl::Peek();
    }

    bool m_armed{false}; ///< pending in the simulator
};

/**
 * @ingroup lossless
 * A ReusableEvent that calls a method of its owner. An owner calls Detach() when it is disposed of.
 *
 * @tparam OWNER class whose method is called
 * @tparam METHOD the method
 */
template <typename OWNER, void (OWNER::*METHOD)()>
class RecurringEvent final : public ReusableEvent
{
  public:
    /// @param owner object whose method is called; must stay alive until Detach()
    explicit RecurringEvent(OWNER* owner)
        : m_owner(owner)
    {
    }

    /// As ArmTicks(). @param context node in whose context the method runs
    /// @param delay time from now
    void Arm(uint32_t context, Time delay)
    {
        ArmTicks(context, delay.GetTimeStep());
    }

    /// The owner goes away: a pending call does nothing any more.
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

    OWNER* m_owner; ///< not owned; null after Detach()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RECURRING_EVENT_H */
