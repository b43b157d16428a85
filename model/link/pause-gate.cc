// SPDX-License-Identifier: GPL-2.0-only
#include "pause-gate.h"

#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessPauseGate");

NS_OBJECT_ENSURE_REGISTERED(PauseGate);

TypeId
PauseGate::GetTypeId()
{
    static TypeId tid = MakeTypeId<PauseGate, TransmitGate>("PauseGate");
    return tid;
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
    m_classEnd.fill(Time(0));
    m_portEnd = Time(0);
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
    Renew();
    return true;
}

void
PauseGate::SetTimer(Time& end, PrioritySet classes, uint16_t quanta)
{
    const Time length = QuantaToTime(quanta);
    end = quanta == 0 ? Time(0) : Simulator::Now() + length;
    if (quanta > 0)
    {
        TellPaused({classes, length});
    }
}

void
PauseGate::Renew()
{
    const Time now = Simulator::Now();
    Time next = m_portEnd > now ? m_portEnd : Time::Max();
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
    if (next < Time::Max())
    {
        NS_LOG_DEBUG("gate " << this << " changes at " << next.As(Time::NS)
                             << " if no frame comes");
        m_expiry = Simulator::Schedule(next - now, &PauseGate::Renew, this);
    }
    Held(Layer::CLASS) = classes;
    Held(Layer::PORT) = m_portEnd > now ? ALL_PRIORITIES : 0;
    Publish();
}

} // namespace ns3::lossless
