// SPDX-License-Identifier: GPL-2.0-only
#include "ofc-gate.h"

#include "ofc-header.h"

#include "ns3/log.h"
#include "ns3/mac-control-header.h"

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessOfcGate");

NS_OBJECT_ENSURE_REGISTERED(OfcGate);

TypeId
OfcGate::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::OfcGate")
                            .SetParent<TransmitGate>()
                            .SetGroupName("Lossless")
                            .AddConstructor<OfcGate>();
    return tid;
}

OfcGate::OfcGate()
{
    SetSelective(true);
}

bool
OfcGate::MaySend(const Frame& frame) const
{
    const Flows& stopped = m_stopped[Index(frame.priority)];
    return stopped.empty() || stopped.count(frame.flowHash) == 0;
}

bool
OfcGate::Apply(const Frame& frame)
{
    const auto body = ParseMacControlFrame<OfcHeader>(*frame.packet, OfcHeader::OPCODE);
    if (!body || !body->IsComplete())
    {
        return false;
    }
    NS_LOG_DEBUG(*body);
    Flows& stopped = m_stopped[Index(body->priority)];
    const PrioritySet theClass = SetOf(body->priority);
    if (body->stop)
    {
        stopped.insert(body->flows.begin(), body->flows.end());
        Held(Layer::CLASS) |= body->all ? theClass : PrioritySet{0};
        Publish();
        TellPaused(theClass, Time::Max());
        return true;
    }
    ++m_resumes[Index(body->priority)];
    if (body->all)
    {
        stopped.clear();
        Held(Layer::CLASS) &= ~theClass;
    }
    for (const uint64_t flow : body->flows)
    {
        stopped.erase(flow);
    }
    Publish();
    Wake();
    return true;
}

void
OfcGate::DoReset()
{
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_stopped[p].clear();
        ++m_resumes[p];
    }
}

} // namespace ns3::lossless
