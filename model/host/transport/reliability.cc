// SPDX-License-Identifier: GPL-2.0-only
#include "reliability.h"

#include "ns3/make-type-id.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(Reliability, Object);

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

} // namespace ns3::lossless
