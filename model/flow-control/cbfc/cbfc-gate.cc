// SPDX-License-Identifier: GPL-2.0-only
#include "cbfc-gate.h"

#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/ordered-set.h"
#include "ns3/simulator.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(CbfcGate, TransmitGate);

CbfcGate::CbfcGate()
{
    SetSelective(true);
    SetPacing(true);
}

void
CbfcGate::DoDispose()
{
    m_timer.Cancel();
    m_end = nullptr;
    TransmitGate::DoDispose();
}

void
CbfcGate::Configure(const CbfcSettings& settings, const PortLink& link, CbfcLinkEnd* end)
{
    m_settings = settings;
    m_sender = CbfcSender(settings.MakeLimits(link));
    m_end = end;
}

bool
CbfcGate::MaySend(const Frame& frame) const
{
    return !Contains(m_settings.lossless, frame.priority) ||
           m_sender.MaySend(m_settings.GetChannel(frame.priority),
                            m_settings.GetCredits(frame.size));
}

void
CbfcGate::NotifySent(const Frame& frame)
{
    if (Contains(m_settings.lossless, frame.priority))
    {
        m_sender.Consume(m_settings.GetChannel(frame.priority), m_settings.GetCredits(frame.size));
        TellWaiting();
        AwaitCounters();
    }
}

void
CbfcGate::TellWaiting()
{
    const uint32_t largest = m_sender.GetPool().GetLimits().largest;
    PrioritySet waiting = 0;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        const bool mayWait = Contains(m_settings.lossless, Priority{p}) &&
                             !m_sender.MaySend(m_settings.channels[p], largest);
        waiting |= mayWait ? SetOf(Priority{p}) : 0;
    }
    const PrioritySet fresh = waiting & ~m_waiting;
    m_waiting = waiting;
    if (fresh != 0)
    {
        TellPaused({fresh, Time::Max()});
    }
}

bool
CbfcGate::ActsAtOnce(const Frame& frame) const
{
    return !IsOrderedSet(*frame.packet); // a CC_Update must not overtake the frames before it
}

bool
CbfcGate::Apply(const Frame& frame)
{
    if (const auto update = ParseCfUpdate(*frame.packet))
    {
        m_sender.Learn(*update);
        TellWaiting();
        Wake();
        return true;
    }
    const auto counters =
        ParseMacControlFrame<CcUpdateHeader>(*frame.packet, CcUpdateHeader::OPCODE);
    if (!counters)
    {
        return false;
    }
    if (m_end)
    {
        m_end->TakeCounters(*counters);
    }
    return true;
}

void
CbfcGate::DoReset()
{
    m_isDue = false;
    m_timer.Cancel();
    m_sender.Reset();
    AwaitCounters();
}

void
CbfcGate::AwaitCounters()
{
    if (m_timer.IsExpired() && !m_sender.IsSettled())
    {
        m_timer = Simulator::Schedule(m_settings.counterPeriod, &CbfcGate::SendCounters, this);
    }
}

void
CbfcGate::SendCounters()
{
    if (m_end && m_end->IsUp() && !m_sender.IsSettled())
    {
        m_isDue = true;
        AwaitCounters();
        m_end->RequestCounters();
    }
}

Ptr<Packet>
CbfcGate::MakeCounters(Mac48Address source)
{
    if (!m_isDue)
    {
        return nullptr;
    }
    m_isDue = false;
    CcUpdateHeader body;
    body.counts = m_sender.GetConsumed();
    return MakeMacControlFrame(source, body);
}

} // namespace ns3::lossless
