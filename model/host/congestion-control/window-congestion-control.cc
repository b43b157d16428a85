// SPDX-License-Identifier: GPL-2.0-only
#include "window-congestion-control.h"

#include "ns3/make-type-id.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(WindowCongestionControl);

TypeId
WindowCongestionControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<WindowCongestionControl, RateCongestionControl>("WindowCongestionControl")
            .AddAttribute(
                "BaseRtt",
                "Round-trip time T of a full packet and its acknowledgement without queues; 0: the "
                "smallest that the flow has measured so far. The papers know it from the topology.",
                TimeValue(Time(0)),
                MakeTimeAccessor(&WindowCongestionControl::m_baseAttribute),
                MakeTimeChecker(Time(0)));
    return tid;
}

CongestionFeedback
WindowCongestionControl::GetFeedback() const
{
    CongestionFeedback feedback;
    feedback.roundTrips = m_baseAttribute.IsZero();
    return feedback;
}

void
WindowCongestionControl::Start(DataRate lineRate, uint32_t payloadBytes)
{
    RateCongestionControl::Start(lineRate, payloadBytes);
    m_baseRtt = m_baseAttribute.GetSeconds();
}

void
WindowCongestionControl::NotifyAck(const AckSignals& signals, Time now)
{
    if (m_baseAttribute.IsZero() && signals.roundTrip && *signals.roundTrip < m_smallest)
    {
        m_smallest = *signals.roundTrip;
        m_baseRtt = m_smallest.GetSeconds();
    }
    if (m_baseRtt == 0)
    {
        return;
    }
    const bool isNewRound = m_round && signals.acknowledged > *m_round;
    if (isNewRound || !m_round)
    {
        m_round = signals.sent;
    }
    Update(signals, isNewRound, now);
}

uint64_t
WindowCongestionControl::GetWindow() const
{
    return GetBytesIn(m_baseRtt);
}

} // namespace ns3::lossless
