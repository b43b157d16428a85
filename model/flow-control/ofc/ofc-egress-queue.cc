// SPDX-License-Identifier: GPL-2.0-only
#include "ofc-egress-queue.h"

#include "ns3/abort.h"
#include "ns3/make-type-id.h"

#include <utility>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(OfcEgressQueue, EgressQueue);

void
OfcEgressQueue::Attach(Ptr<const OfcGate> gate, Priority priority)
{
    m_gate = gate;
    m_priority = priority;
    m_resumes = gate->CountResumes(priority);
}

void
OfcEgressQueue::Enqueue(SwitchItem&& item)
{
    NS_ABORT_MSG_IF(!m_gate, "OfcEgressQueue: it belongs to the switches of OFC.");
    m_arrivals.Push(std::move(item));
    ++m_frames;
}

bool
OfcEgressQueue::Prepare(const Permit& permit)
{
    if (!Contains(permit.classes, m_priority))
    {
        return false;
    }
    PutMarks();
    while (m_marks > 0)
    {
        if (Drain(permit))
        {
            return true;
        }
        EndDrain();
    }
    while (!m_arrivals.IsEmpty())
    {
        if (permit.Allows(m_arrivals.Front().frame))
        {
            return true;
        }
        Filling().Push(m_arrivals.Pop());
    }
    return false;
}

void
OfcEgressQueue::PutMarks()
{
    for (; m_resumes < m_gate->CountResumes(m_priority); ++m_resumes)
    {
        Filling().Push(std::nullopt);
        ++m_marks;
    }
}

bool
OfcEgressQueue::Drain(const Permit& permit)
{
    for (; Filling().Front(); Other().Push(Filling().Pop()))
    {
        const Frame& frame = Filling().Front()->frame;
        if (m_skipped.count(frame.flowHash) == 0 && permit.Allows(frame))
        {
            return true;
        }
        m_skipped.insert(frame.flowHash);
    }
    return false;
}

void
OfcEgressQueue::EndDrain()
{
    Filling().Pop();
    --m_marks;
    m_skipped.clear();
    while (!Filling().IsEmpty())
    {
        Other().Push(Filling().Pop());
    }
    m_filling = 1 - m_filling;
}

const SwitchItem*
OfcEgressQueue::Peek()
{
    if (m_marks > 0)
    {
        const Entry& entry = Filling().Front();
        return entry ? &*entry : nullptr;
    }
    return m_arrivals.IsEmpty() ? nullptr : &m_arrivals.Front();
}

SwitchItem
OfcEgressQueue::Dequeue()
{
    --m_frames;
    return m_marks > 0 ? *Filling().Pop() : m_arrivals.Pop();
}

bool
OfcEgressQueue::IsEmpty() const
{
    return m_frames == 0;
}

void
OfcEgressQueue::ForEach(const ItemVisitor& visitor) const
{
    for (const auto& queue : m_aside)
    {
        queue.ForEach([&visitor](const Entry& entry) {
            if (entry)
            {
                visitor(*entry);
            }
        });
    }
    m_arrivals.ForEach(visitor);
}

std::vector<SwitchItem>
OfcEgressQueue::TakeAll()
{
    std::vector<SwitchItem> all;
    for (auto& queue : m_aside)
    {
        while (!queue.IsEmpty())
        {
            if (Entry entry = queue.Pop())
            {
                all.push_back(std::move(*entry));
            }
        }
    }
    while (!m_arrivals.IsEmpty())
    {
        all.push_back(m_arrivals.Pop());
    }
    m_skipped.clear();
    m_marks = 0;
    m_frames = 0;
    return all;
}

} // namespace ns3::lossless
