// SPDX-License-Identifier: GPL-2.0-only
#include "ofc-gate.h"

#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessOfcGate");

LOSSLESS_PLAIN_CLASS(OfcGate, TransmitGate);

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
    if (!body)
    {
        return false;
    }
    NS_LOG_DEBUG(*body);
    if (body->port)
    {
        ApplyToPort(*body);
    }
    else
    {
        ApplyToClasses(*body);
    }
    return true;
}

void
OfcGate::ApplyToPort(const OfcHeader& body)
{
    Held(Layer::PORT) = body.stop ? ALL_PRIORITIES : 0;
    Publish();
    if (body.stop)
    {
        TellPaused({ALL_PRIORITIES, Time::Max()});
    }
}

void
OfcGate::ApplyToClasses(const OfcHeader& body)
{
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(body.classes, Priority{p}))
        {
            Note(body, m_stopped[p]);
            m_resumes[p] += body.stop ? 0 : 1;
        }
    }
    if (body.all)
    {
        PrioritySet& held = Held(Layer::CLASS);
        held = body.stop ? held | body.classes : held & ~body.classes;
    }
    Publish();
    if (body.stop)
    {
        TellPaused({body.classes, Time::Max()});
    }
    else
    {
        Wake();
    }
}

void
OfcGate::Note(const OfcHeader& body, Flows& stopped)
{
    if (body.stop)
    {
        stopped.insert(body.flows.begin(), body.flows.end());
        return;
    }
    if (body.all)
    {
        stopped.clear();
    }
    for (const uint64_t flow : body.flows)
    {
        stopped.erase(flow);
    }
}

void
OfcGate::DoIgnore(PrioritySet classes)
{
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_resumes[p] += Contains(classes, Priority{p}) ? 1 : 0;
    }
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
