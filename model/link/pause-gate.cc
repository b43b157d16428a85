// SPDX-License-Identifier: GPL-2.0-only
#include "pause-gate.h"

#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/simulator.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <limits>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessPauseGate");

NS_OBJECT_ENSURE_REGISTERED(PauseGate);

TypeId
PauseGate::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<PauseGate, TransmitGate>("PauseGate")
            .AddTraceSource("PfcReceived",
                            "A PFC frame takes effect, or would if its classes were not ignored; "
                            "with the classes that it names, of any time.",
                            MakeTraceSourceAccessor(&PauseGate::m_receivedTrace),
                            "ns3::lossless::TransmitGate::ClassesTracedCallback");
    return tid;
}

PrioritySet
PauseGate::GetPaused() const
{
    const Ticks now = NowInTicks();
    PrioritySet classes = m_portEnd > now ? ALL_PRIORITIES : 0;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        classes |= m_classEnd[p] > now ? SetOf(Priority{p}) : 0;
    }
    return classes;
}

PfcCounts
PauseGate::GetCounts(Priority priority) const
{
    return {m_frames[Index(priority)], TimeStep(GetPausedTime(priority))};
}

Ticks
PauseGate::GetPausedTime(Priority priority) const
{
    const Ticks end = std::min(NowInTicks(), std::max(m_portEnd, m_classEnd[Index(priority)]));
    return m_paused[Index(priority)] + std::max<Ticks>(end - m_counted, 0);
}

void
PauseGate::Count(PrioritySet classes, PrioritySet resumed)
{
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_frames[p].received += Contains(classes, Priority{p}) ? 1 : 0;
        m_frames[p].resumes += Contains(resumed, Priority{p}) ? 1 : 0;
    }
}

void
PauseGate::CountPausedTime()
{
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_paused[p] = GetPausedTime(Priority{p});
    }
    m_counted = NowInTicks();
}

void
PauseGate::DoDispose()
{
    m_expiry.Cancel();
    TransmitGate::DoDispose();
}

void
PauseGate::DoReset()
{
    CountPausedTime();
    m_classEnd.fill(0);
    m_portEnd = 0;
    m_expiry.Cancel();
}

bool
PauseGate::Apply(const Frame& frame)
{
    const auto pfc = ParsePfcFrame(frame.packet);
    if (!pfc)
    {
        return false;
    }
    NS_LOG_DEBUG("gate " << this << " obeys " << *pfc);
    CountPausedTime();
    const PrioritySet before = GetPaused();
    if (pfc->GetEnableVector() == ALL_PRIORITIES)
    {
        SetTimer(m_portEnd, ALL_PRIORITIES, pfc->GetQuanta(Priority{0}));
    }
    else
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            if (pfc->IsEnabled(Priority{p}))
            {
                SetTimer(m_classEnd[p], SetOf(Priority{p}), pfc->GetQuanta(Priority{p}));
            }
        }
    }
    Count(pfc->GetEnableVector(), before & ~GetPaused());
    Renew();
    m_receivedTrace(pfc->GetEnableVector());
    return true;
}

void
PauseGate::SetTimer(Ticks& end, PrioritySet classes, uint16_t quanta)
{
    const Time length = QuantaToTime(quanta);
    end = quanta == 0 ? 0 : NowInTicks() + length.GetTimeStep();
    if (quanta > 0)
    {
        TellPaused({classes, length});
    }
}

void
PauseGate::Renew()
{
    constexpr Ticks NEVER = std::numeric_limits<Ticks>::max();
    const Ticks now = NowInTicks();
    Ticks next = m_portEnd > now ? m_portEnd : NEVER;
    PrioritySet classes = 0;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (m_classEnd[p] > now)
        {
            classes |= SetOf(Priority{p});
            next = std::min(next, m_classEnd[p]);
        }
    }
    m_expiry.Cancel();
    if (next < NEVER)
    {
        NS_LOG_DEBUG("gate " << this << " changes at " << TimeStep(next).As(Time::NS)
                             << " if no frame comes");
        m_expiry = Simulator::Schedule(TimeStep(next - now), &PauseGate::Renew, this);
    }
    Held(Layer::CLASS) = classes;
    Held(Layer::PORT) = m_portEnd > now ? ALL_PRIORITIES : 0;
    Publish();
}

} // namespace ns3::lossless
