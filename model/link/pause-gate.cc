// SPDX-License-Identifier: GPL-2.0-only
#include "pause-gate.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PauseGate);

TypeId
PauseGate::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::PauseGate")
            .SetParent<TransmitGate>()
            .SetGroupName("Lossless")
            .AddConstructor<PauseGate>()
            .AddAttribute("ResponseQuanta",
                          "Time between the arrival of a PFC frame and its effect, in pause quanta "
                          "(512 bit times). 60 quanta = 3840 B times is what the headroom formula "
                          "of DSH, Eq. 1, allows; 0 reacts at once.",
                          UintegerValue(60),
                          MakeUintegerAccessor(&PauseGate::m_responseQuanta),
                          MakeUintegerChecker<uint32_t>(0, 65535));
    return tid;
}

Time
PauseGate::QuantaToTime(uint32_t quanta) const
{
    return GetRate().CalculateBitsTxTime(quanta * PAUSE_QUANTUM_BITS);
}

void
PauseGate::ReceiveControl(const Frame& frame)
{
    if (const auto pfc = ParsePfcFrame(frame.packet))
    {
        Simulator::Schedule(QuantaToTime(m_responseQuanta),
                            &PauseGate::Apply,
                            Ptr<PauseGate>(this),
                            *pfc,
                            m_generation);
    }
}

void
PauseGate::Reset()
{
    ++m_generation;
    m_classEnd.fill(Time(0));
    m_portEnd = Time(0);
    Update();
}

void
PauseGate::DoDispose()
{
    ++m_generation;
    m_expiry.Cancel();
    TransmitGate::DoDispose();
}

void
PauseGate::SetTimer(Time& end, uint16_t quanta) const
{
    end = quanta == 0 ? Time(0) : Simulator::Now() + QuantaToTime(quanta);
}

void
PauseGate::Apply(PfcHeader pfc, uint32_t generation)
{
    if (generation != m_generation)
    {
        return;
    }
    if (pfc.GetEnableVector() == ALL_PRIORITIES)
    {
        SetTimer(m_portEnd, pfc.GetQuanta(Priority{0}));
    }
    else
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            if (pfc.IsEnabled(Priority{p}))
            {
                SetTimer(m_classEnd[p], pfc.GetQuanta(Priority{p}));
            }
        }
    }
    Update();
}

void
PauseGate::Update()
{
    const Time now = Simulator::Now();
    PrioritySet open = 0;
    Time next = Time::Max();
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        const Time end = std::max(m_classEnd[p], m_portEnd);
        if (end <= now)
        {
            open |= SetOf(Priority{p});
        }
        else
        {
            next = std::min(next, end);
        }
    }
    m_expiry.Cancel();
    if (open != ALL_PRIORITIES)
    {
        m_expiry = Simulator::Schedule(next - now, &PauseGate::Update, this);
    }
    SetOpen(open);
}

} // namespace ns3::lossless
