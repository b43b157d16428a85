// SPDX-License-Identifier: GPL-2.0-only
#include "fafc-gate.h"

#include "fafc-header.h"

#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessFafcGate");

LOSSLESS_PLAIN_CLASS(FafcGate, PauseGate);

void
FafcGate::DoDispose()
{
    m_next.Cancel();
    PauseGate::DoDispose();
}

void
FafcGate::DoReset()
{
    m_next.Cancel();
    m_end.fill(Time(0));
    PauseGate::DoReset();
}

bool
FafcGate::Apply(const Frame& frame)
{
    const auto body = ParseMacControlFrame<FafcHeader>(*frame.packet, FafcHeader::OPCODE);
    if (!body)
    {
        return PauseGate::Apply(frame);
    }
    NS_LOG_DEBUG("gate " << this << " obeys " << *body);
    const Time now = Simulator::Now();
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(body->classes, Priority{p}) && body->times[p] > 0)
        {
            const Time length = NanoSeconds(body->times[p]);
            m_end[p] = std::max(m_end[p], now) + length;
            TellPaused({SetOf(Priority{p}), length, GetShare(length)});
        }
    }
    RenewPauses();
    return true;
}

double
FafcGate::GetShare(Time length) const
{
    if (!m_hopDelay)
    {
        return 1;
    }
    const Time hopDelay = m_hopDelay->IsZero() ? Link().delay : *m_hopDelay;
    return std::max(1 - length.GetSeconds() / hopDelay.GetSeconds(), 0.0);
}

void
FafcGate::RenewPauses()
{
    const Time now = Simulator::Now();
    Time next = Time::Max();
    PrioritySet classes = 0;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (m_end[p] > now)
        {
            classes |= SetOf(Priority{p});
            next = std::min(next, m_end[p]);
        }
    }
    m_next.Cancel();
    if (classes != 0)
    {
        m_next = Simulator::Schedule(next - now, &FafcGate::RenewPauses, this);
    }
    Held(Layer::SCHEME) = classes;
    Publish();
}

} // namespace ns3::lossless
