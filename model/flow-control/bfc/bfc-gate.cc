// SPDX-License-Identifier: GPL-2.0-only
#include "bfc-gate.h"

#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"

#include <utility>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessBfcGate");

LOSSLESS_PLAIN_CLASS(BfcGate, PauseGate);

BfcGate::BfcGate()
{
    SetSelective(true);
}

bool
BfcGate::MaySend(const Frame& frame) const
{
    const BfcFilter& filter = m_latest.filter;
    return m_isClear || !Contains(m_latest.classes, frame.priority) ||
           !filter.Has(filter.hashing.GetVirtualFlow(frame.flowHash));
}

bool
BfcGate::Apply(const Frame& frame)
{
    auto body = ParseMacControlFrame<BfcHeader>(*frame.packet, BfcHeader::OPCODE);
    if (!body)
    {
        return PauseGate::Apply(frame);
    }
    NS_LOG_DEBUG(*body);
    const BfcHeader earlier = std::exchange(m_latest, std::move(*body));
    m_isClear = m_latest.filter.IsEmpty();
    if (earlier.filter.Lacks(m_latest.filter))
    {
        TellPaused({m_latest.classes, Time::Max()});
    }
    if (m_latest.filter.Lacks(earlier.filter))
    {
        Wake();
    }
    return true;
}

void
BfcGate::DoReset()
{
    m_latest = BfcHeader();
    m_isClear = true;
    PauseGate::DoReset();
}

} // namespace ns3::lossless
