// SPDX-License-Identifier: GPL-2.0-only
#include "reliability.h"

#include "ns3/make-type-id.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(Reliability);

void
SendReliability::Open(uint64_t packets, bool isTimed)
{
    m_total = packets;
    m_oldest = 0;
    m_next = 0;
    m_highest = 0;
    m_inFlight = 0;
    DoOpen(isTimed);
}

void
ReceiveReliability::Open()
{
    m_isComplete = false;
    DoOpen();
}

uint64_t
ReceiveReliability::GetBitmap(uint32_t /* ahead */) const
{
    return 0;
}

bool
ReceiveReliability::HasGap() const
{
    return false;
}

TypeId
Reliability::GetTypeId()
{
    static TypeId tid = MakeTypeId<Reliability, Object>("Reliability");
    return tid;
}

Time
Reliability::GetShortestTimeout(Time timeout) const
{
    return timeout;
}

Time
Reliability::GetLongestTimeout(Time timeout) const
{
    return timeout;
}

uint64_t
Reliability::GetWindow() const
{
    return 0;
}

} // namespace ns3::lossless
