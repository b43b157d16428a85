// SPDX-License-Identifier: GPL-2.0-only
#include "bfc-flow-table.h"

namespace ns3::lossless
{

void
BfcFlowTable::Configure(uint32_t queues,
                        uint32_t room,
                        Ticks sticky,
                        Ptr<UniformRandomVariable> random)
{
    m_numQueues = queues;
    m_room = room;
    m_sticky = sticky;
    m_random = random;
}

BfcFlow*
BfcFlowTable::Add(uint32_t virtualFlow, PortId ingress, uint32_t bytes, Ticks now)
{
    m_queues.resize(std::size_t{m_numQueues} + 1);
    Expire(now);
    const uint64_t key = GetKey(virtualFlow, ingress);
    auto found = m_flows.find(key);
    if (found == m_flows.end() && m_flows.size() < m_room && m_queues.back().frames == 0)
    {
        BfcFlow flow;
        flow.virtualFlow = virtualFlow;
        flow.ingress = ingress;
        flow.queue = ChooseQueue();
        found = m_flows.emplace(key, flow).first;
    }
    BfcFlow* flow = found == m_flows.end() ? nullptr : &found->second;
    BfcPhysicalQueue& queue = flow ? m_queues[flow->queue] : m_queues.back();
    queue.bytes += bytes;
    ++queue.frames;
    if (flow)
    {
        ++flow->frames;
    }
    return flow;
}

std::size_t
BfcFlowTable::Remove(uint32_t virtualFlow, PortId ingress, uint32_t bytes, Ticks when)
{
    const auto found = m_flows.find(GetKey(virtualFlow, ingress));
    const std::size_t index = found == m_flows.end() ? m_numQueues : found->second.queue;
    m_queues[index].bytes -= bytes;
    --m_queues[index].frames;
    if (found != m_flows.end())
    {
        --found->second.frames;
        NoteIfIdle(found->second, when);
    }
    return index;
}

void
BfcFlowTable::Resume(BfcFlow& flow, Ticks now)
{
    flow.isPaused = false;
    NoteIfIdle(flow, now);
}

std::size_t
BfcFlowTable::FindQueue(uint32_t virtualFlow, PortId ingress) const
{
    const auto found = m_flows.find(GetKey(virtualFlow, ingress));
    return found == m_flows.end() ? m_numQueues : found->second.queue;
}

std::size_t
BfcFlowTable::CountFlows(Ticks now)
{
    Expire(now);
    return m_flows.size();
}

void
BfcFlowTable::Clear()
{
    for (BfcPhysicalQueue& queue : m_queues)
    {
        queue.resume.Cancel();
    }
    m_queues.clear();
    m_flows.clear();
    m_leaving.Clear();
}

std::size_t
BfcFlowTable::ChooseQueue()
{
    for (uint32_t i = 0; i < m_numQueues; ++i)
    {
        const std::size_t index = (m_next + i) % m_numQueues;
        if (m_queues[index].frames == 0 && m_queues[index].paused.IsEmpty())
        {
            m_next = index + 1;
            return index;
        }
    }
    return m_random->GetInteger(0, m_numQueues - 1);
}

void
BfcFlowTable::NoteIfIdle(BfcFlow& flow, Ticks when)
{
    if (flow.frames == 0 && !flow.isPaused)
    {
        flow.left = when;
        m_leaving.Push({when, GetKey(flow.virtualFlow, flow.ingress)});
    }
}

void
BfcFlowTable::Expire(Ticks now)
{
    while (!m_leaving.IsEmpty() && m_leaving.Front().when + m_sticky <= now)
    {
        const Leaving leaving = m_leaving.Pop();
        const auto found = m_flows.find(leaving.key);
        // The flow may have become active, and then idle again, since this entry was added.
        if (found != m_flows.end() && found->second.frames == 0 && !found->second.isPaused &&
            found->second.left == leaving.when)
        {
            m_flows.erase(found);
        }
    }
}

} // namespace ns3::lossless
