// SPDX-License-Identifier: GPL-2.0-only
#include "go-back-n.h"

#include "ns3/make-type-id.h"
#include "ns3/part-registry.h"

#include <algorithm>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(GoBackN, Reliability);

const RegisterPart<GoBackN, ReliabilityInfo> g_goBackN("GoBackN", 10, [](ReliabilityInfo& part) {
    part.what = "all packets from the lost one on are sent again, as by RoCE NICs";
});

GoBackNSender::GoBackNSender(Time timeout)
    : m_timeout(timeout)
{
}

void
GoBackNSender::DoOpen(bool isTimed)
{
    m_isTimed = isTimed;
    m_doubtful = 0;
}

void
GoBackNSender::Depart(const Time& now)
{
    if (m_inFlight == 0)
    {
        m_waitingSince = now;
    }
    if (m_isTimed && m_next >= m_doubtful)
    {
        m_departures.Note(m_oldest, m_next, now);
    }
    ++m_inFlight;
    ++m_next;
    m_highest = std::max(m_highest, m_next);
}

AnswerEffect
GoBackNSender::HandleAnswer(const PacketAnswer& answer, const Time& now)
{
    AnswerEffect effect;
    const auto arrived = static_cast<uint64_t>(answer.arrived);
    if (answer.arrived < static_cast<int64_t>(m_oldest) || arrived > m_highest)
    {
        return effect; // the answer was overtaken or is invalid
    }
    if (arrived > m_oldest)
    {
        if (m_isTimed && arrived > m_doubtful)
        {
            effect.roundTrip = now - *m_departures.Get(arrived - 1);
        }
        m_oldest = arrived;
        m_next = std::max(m_next, m_oldest);
        m_inFlight = m_next - m_oldest;
        m_waitingSince = now;
    }
    if (answer.kind != PacketAnswer::Kind::ACK)
    {
        effect.newLost =
            1; // the receiver has discarded later packets only because they were out of order
        effect.isFirstLoss = true;
        Rewind();
    }
    return effect;
}

void
GoBackNSender::HandleTimeout()
{
    Rewind();
}

void
GoBackNSender::Rewind()
{
    m_doubtful = m_highest;
    m_next = m_oldest;
    m_inFlight = 0;
}

std::optional<Time>
GoBackNSender::GetDue() const
{
    if (m_inFlight == 0)
    {
        return std::nullopt;
    }
    return m_waitingSince + m_timeout;
}

Time
GoBackNSender::GetWaitingSince() const
{
    return m_waitingSince;
}

uint64_t
GoBackNSender::GetArrived() const
{
    return m_oldest;
}

uint64_t
GoBackNSender::GetUnderWay() const
{
    return m_inFlight;
}

void
GoBackNReceiver::DoOpen()
{
    m_isNakSent = false;
}

ArrivalVerdict
GoBackNReceiver::Accept(int32_t ahead, bool isLast)
{
    using Arrival = ArrivalVerdict::Arrival;
    using Reply = ArrivalVerdict::Reply;
    if (ahead > 0)
    {
        return {Arrival::REFUSED, TakeNak()};
    }
    if (ahead < 0)
    {
        return {Arrival::DUPLICATE, Reply::ACK};
    }
    m_isNakSent = false;
    m_isComplete = isLast;
    return {Arrival::IN_ORDER, Reply::WHEN_DUE, false, 1};
}

ArrivalVerdict
GoBackNReceiver::AcceptTrimmed(int32_t ahead)
{
    if (ahead < 0)
    {
        return {ArrivalVerdict::Arrival::DUPLICATE, ArrivalVerdict::Reply::ACK};
    }
    return {ArrivalVerdict::Arrival::CUT, TakeNak()};
}

ArrivalVerdict::Reply
GoBackNReceiver::TakeNak()
{
    if (m_isNakSent)
    {
        return ArrivalVerdict::Reply::NONE;
    }
    m_isNakSent = true;
    return ArrivalVerdict::Reply::NAK;
}

ReliabilityTraits
GoBackN::GetTraits() const
{
    ReliabilityTraits traits;
    traits.needsOrder = true;
    return traits;
}

std::unique_ptr<SendReliability>
GoBackN::MakeSender(Time timeout) const
{
    return std::make_unique<GoBackNSender>(timeout);
}

std::unique_ptr<ReceiveReliability>
GoBackN::MakeReceiver() const
{
    return std::make_unique<GoBackNReceiver>();
}

} // namespace ns3::lossless
