// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WHEEL_SCHEDULER_H
#define LOSSLESS_WHEEL_SCHEDULER_H

#include "event-wheel.h"

#include "ns3/scheduler.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * An event list for ns-3's simulators that uses an EventWheel.
 */
class WheelScheduler : public Scheduler
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    WheelScheduler();
    ~WheelScheduler() override;

    void Insert(const Event& ev) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;
    void Remove(const Event& ev) override;

  private:
    EventWheel m_wheel;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WHEEL_SCHEDULER_H */
