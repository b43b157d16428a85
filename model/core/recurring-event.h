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
 * One event object that its owner arms again and again.
 *
 * `Simulator::Schedule` allocates an event at every call; the per-packet path of this module has
 * two kinds of event only (a frame arrives, a transmitter gets free), at most one of each pending
 * per link direction, and so one object of each serves for the whole run.
 *
 * The simulator holds a reference while the event is pending, so it may outlive its owner: an
 * owner calls Detach() when it is disposed of.
 *
 * @tparam OWNER class whose method is called
 * @tparam METHOD the method
 */
template <typename OWNER, void (OWNER::*METHOD)()>
class RecurringEvent final : public EventImpl
{
  public:
    /// @param owner object whose method is called; must stay alive until Detach()
    explicit RecurringEvent(OWNER* owner)
        : m_owner(owner)
    {
    }

    /// @return whether the event is pending
    bool IsArmed() const
    {
        return m_armed;
    }

    /**
     * Schedules the call; must not be pending.
     * @param context node in whose context the method runs
     * @param delay time from now
     */
    void Arm(uint32_t context, Time delay)
    {
        NS_ASSERT(!m_armed);
        m_armed = true;
        Ref(); // the simulator releases this reference after the call
        if (WheelSimulatorImpl* simulator = WheelSimulatorImpl::Peek())
        {
            simulator->ScheduleTicks(context, delay.GetTimeStep(), this, m_owner);
        }
        else
        {
            Simulator::ScheduleWithContext(context, delay, this);
        }
    }

    /// The owner goes away: a pending call does nothing any more.
    void Detach()
    {
        m_owner = nullptr;
    }

  private:
    void Notify() override
    {
        m_armed = false;
        if (m_owner)
        {
            (m_owner->*METHOD)();
        }
    }

    OWNER* m_owner;      ///< not owned; null after Detach()
    bool m_armed{false}; ///< pending in the simulator
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RECURRING_EVENT_H */
