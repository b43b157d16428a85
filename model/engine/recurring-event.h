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
 * An event object that is scheduled repeatedly, at most once at a time.
 *
 * `Simulator::Schedule` allocates an event on every call. The per-packet path of this module has
 * only two kinds of event (a frame arrives, a transmitter becomes free) and at most one of each
 * pending per link direction, so one object of each serves for the whole run.
 *
 * The simulator holds a reference while the event is pending, so the event may outlive its creator.
 */
class ReusableEvent : public EventImpl
{
  public:
    /// @return whether the event is pending
    bool IsArmed() const
    {
        return m_armed;
    }

    /// Schedules the event; it must not be pending.
    /// @param context node in whose context it happens
    /// @param delay ticks from now, not negative
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

    /// As ArmTicks(), for the arrival of a frame.
    /// @param port ingress port: the order of arrivals at one time
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

    /// For the simulator, some turns before an arrival: prefetches what the event will need.
    /// @param step 1: what the event points to; 2, a turn later: what that points to
    virtual void Prefetch(uint32_t /* step */) const
    {
    }

    /// For the simulator: the event happens.
    void Happen()
    {
        Notify();
    }

  protected:
    /// To be called first by Notify(): the event may be armed again.
    void Disarm()
    {
        m_armed = false;
    }

  private:
    /// Marks the event as pending. @return the simulator if it is the module's
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
 * A ReusableEvent that calls a method of its owner. The owner calls Detach() when it is disposed
 * of.
 */
template <typename OWNER, void (OWNER::*METHOD)()>
class RecurringEvent final : public ReusableEvent
{
  public:
    /// @param owner must stay alive until Detach()
    explicit RecurringEvent(OWNER* owner)
        : m_owner(owner)
    {
    }

    /// As ArmTicks(), with a delay as Time.
    void Arm(uint32_t context, Time delay)
    {
        ArmTicks(context, delay.GetTimeStep());
    }

    /// Called when the owner is disposed of: a pending call has no effect.
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
