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

namespace
{

/// @return whether the frame enables all eight classes with the same time and therefore applies to
/// the whole port
bool
IsForPort(const PfcHeader& pfc)
{
    bool isAlike = pfc.GetEnableVector() == ALL_PRIORITIES;
    for (uint8_t p = 1; p < NUM_PRIORITIES; ++p)
    {
        isAlike = isAlike && pfc.GetQuanta(Priority{p}) == pfc.GetQuanta(Priority{0});
    }
    return isAlike;
}

} // namespace

TypeId
PauseGate::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<PauseGate, TransmitGate>("PauseGate")
            .AddTraceSource(
                "PfcReceived",
                "A PFC frame takes effect, or would if its classes were not ignored; with the "
                "classes under flow control that it enables, whatever their times.",
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
    return classes & Link().lossless;
}

PfcCounts
PauseGate::GetCounts(Priority priority) const
{
    return {m_frames[Index(priority)], TimeStep(GetPausedTime(priority))};
}

Ticks
PauseGate::GetPausedTime(Priority priority) const
{
    const Ticks portEnd = Contains(Link().lossless, priority) ? m_portEnd : 0;
    const Ticks end = std::min(NowInTicks(), std::max(portEnd, m_classEnd[Index(priority)]));
    return m_paused[Index(priority)] + std::max<Ticks>(end - m_counted, 0);
}

void
PauseGate::Count(PrioritySet stopped, PrioritySet resumed)
{
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_frames[p].stops += Contains(stopped, Priority{p}) ? 1 : 0;
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
    const PrioritySet named = pfc->GetEnableVector() & Link().lossless;
    if (named == 0)
    {
        return true;
    }
    CountPausedTime();
    const PrioritySet before = GetPaused();
    const PrioritySet stopped = SetTimers(*pfc);
    Count(stopped, before & ~GetPaused());
    Renew();
    m_receivedTrace(named);
    return true;
}

PrioritySet
PauseGate::SetTimers(const PfcHeader& pfc)
{
    const PrioritySet lossless = Link().lossless;
    if (IsForPort(pfc))
    {
        return SetTimer(m_portEnd, lossless, pfc.GetQuanta(Priority{0}));
    }
    PrioritySet stopped = 0;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (pfc.IsEnabled(Priority{p}) && Contains(lossless, Priority{p}))
        {
            stopped |= SetTimer(m_classEnd[p], SetOf(Priority{p}), pfc.GetQuanta(Priority{p}));
        }
    }
    return stopped;
}

PrioritySet
PauseGate::SetTimer(Ticks& end, PrioritySet classes, uint16_t quanta)
{
    if (quanta == 0)
    {
        end = 0;
        return 0;
    }
    const Time length = QuantaToTime(quanta);
    end = NowInTicks() + length.GetTimeStep();
    TellPaused({classes, length});
    return classes;
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
