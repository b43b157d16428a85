// SPDX-License-Identifier: GPL-2.0-only
#include "gfc-gate.h"

#include "gfc-header.h"

#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/simulator.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(GfcGate, PauseGate);

GfcGate::GfcGate()
{
    SetPacing(true);
}

void
GfcGate::DoDispose()
{
    for (Pace& pace : m_paces)
    {
        pace.end.Cancel();
    }
    PauseGate::DoDispose();
}

void
GfcGate::NotifySent(const Frame& frame)
{
    Pace& pace = m_paces[Index(frame.priority)];
    pace.sent = Simulator::Now();
    pace.length = Link().rate.CalculateBitsTxTime(8 * GetWireBytes(frame));
    if (pace.stage > 0)
    {
        Renew(frame.priority);
    }
}

bool
GfcGate::Apply(const Frame& frame)
{
    const auto body = ParseMacControlFrame<GfcHeader>(*frame.packet, GfcHeader::OPCODE);
    if (!body)
    {
        return PauseGate::Apply(frame);
    }
    m_paces[Index(body->priority)].stage = body->stage;
    Renew(body->priority);
    return true;
}

void
GfcGate::DoReset()
{
    for (Pace& pace : m_paces)
    {
        pace.end.Cancel();
        pace = Pace();
    }
    PauseGate::DoReset();
}

void
GfcGate::Renew(Priority priority)
{
    Pace& pace = m_paces[Index(priority)];
    pace.end.Cancel();
    const Time wait = pace.sent + (int64_t{1} << pace.stage) * pace.length - Simulator::Now();
    if (pace.stage == 0 || !wait.IsStrictlyPositive())
    {
        EndGap(priority);
        return;
    }
    Held(Layer::SCHEME) |= SetOf(priority);
    Publish();
    pace.end = Simulator::Schedule(wait, &GfcGate::EndGap, this, priority);
}

void
GfcGate::EndGap(Priority priority)
{
    Held(Layer::SCHEME) &= ~SetOf(priority);
    Publish();
}

} // namespace ns3::lossless
