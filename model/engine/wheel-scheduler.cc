// SPDX-License-Identifier: GPL-2.0-only
#include "wheel-scheduler.h"

#include "ns3/make-type-id.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(WheelScheduler);

TypeId
WheelScheduler::GetTypeId()
{
    static TypeId tid = MakeTypeId<WheelScheduler, Scheduler>("WheelScheduler");
    return tid;
}

WheelScheduler::WheelScheduler() = default;

WheelScheduler::~WheelScheduler() = default;

void
WheelScheduler::Insert(const Event& ev)
{
    m_wheel.Insert(ev);
}

bool
WheelScheduler::IsEmpty() const
{
    return m_wheel.IsEmpty();
}

Scheduler::Event
WheelScheduler::PeekNext() const
{
    return m_wheel.PeekNext();
}

Scheduler::Event
WheelScheduler::RemoveNext()
{
    return m_wheel.RemoveNext();
}

void
WheelScheduler::Remove(const Event& ev)
{
    m_wheel.Remove(ev);
}

} // namespace ns3::lossless
