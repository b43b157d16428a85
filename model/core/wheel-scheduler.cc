// SPDX-License-Identifier: GPL-2.0-only
#include "wheel-scheduler.h"

#include "ns3/assert.h"

#include <algorithm>
#include <functional>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(WheelScheduler);

TypeId
WheelScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::WheelScheduler")
                            .SetParent<Scheduler>()
                            .SetGroupName("Lossless")
                            .AddConstructor<WheelScheduler>();
    return tid;
}

WheelScheduler::WheelScheduler() = default;

WheelScheduler::~WheelScheduler() = default;

void
WheelScheduler::Insert(const Event& ev)
{
    if (ev.key.m_ts - m_present < SLOTS)
    {
        InsertInWheel(ev);
    }
    else
    {
        m_heap.push_back(ev);
        std::push_heap(m_heap.begin(), m_heap.end(), std::greater<>());
    }
}

void
WheelScheduler::InsertInWheel(const Event& ev)
{
    uint32_t node = m_free;
    if (node == NONE)
    {
        node = m_nodes.size();
        m_nodes.push_back({ev, NONE});
    }
    else
    {
        m_free = m_nodes[node].next;
        m_nodes[node] = {ev, NONE};
    }
    const uint32_t s = ev.key.m_ts % SLOTS;
    Slot& slot = m_slots[s];
    if (slot.first == NONE)
    {
        slot.first = node;
        m_bitmap[s / 64] |= uint64_t{1} << s % 64;
        m_summary[s / 4096] |= uint64_t{1} << s / 64 % 64;
    }
    else
    {
        NS_ASSERT(m_nodes[slot.last].event.key < ev.key);
        m_nodes[slot.last].next = node;
    }
    slot.last = node;
    ++m_wheelSize;
}

bool
WheelScheduler::IsEmpty() const
{
    return m_wheelSize == 0 && m_heap.empty();
}

uint32_t
WheelScheduler::FindWord(uint32_t from) const
{
    // The wheel is circular: when nothing follows `from`, the first word is the next.
    uint64_t bits = m_summary[from / 64] & ~uint64_t{0} << from % 64;
    for (uint32_t i = from / 64;;)
    {
        if (bits != 0)
        {
            return 64 * i + __builtin_ctzll(bits);
        }
        i = (i + 1) % m_summary.size();
        bits = m_summary[i];
    }
}

uint32_t
WheelScheduler::FindSlot() const
{
    const uint32_t start = m_present % SLOTS;
    const uint64_t bits = m_bitmap[start / 64] & ~uint64_t{0} << start % 64;
    if (bits != 0)
    {
        return start / 64 * 64 + __builtin_ctzll(bits);
    }
    const uint32_t word = FindWord((start / 64 + 1) % WORDS);
    return 64 * word + __builtin_ctzll(m_bitmap[word]);
}

bool
WheelScheduler::IsNextInWheel() const
{
    if (m_wheelSize == 0 || m_heap.empty())
    {
        return m_heap.empty();
    }
    return m_nodes[m_slots[FindSlot()].first].event.key < m_heap.front().key;
}

Scheduler::Event
WheelScheduler::PeekNext() const
{
    return IsNextInWheel() ? m_nodes[m_slots[FindSlot()].first].event : m_heap.front();
}

Scheduler::Event
WheelScheduler::TakeFromWheel(uint32_t s, uint32_t before)
{
    Slot& slot = m_slots[s];
    const uint32_t node = before == NONE ? slot.first : m_nodes[before].next;
    const uint32_t next = m_nodes[node].next;
    (before == NONE ? slot.first : m_nodes[before].next) = next;
    if (next == NONE)
    {
        slot.last = before;
    }
    if (slot.first == NONE)
    {
        m_bitmap[s / 64] &= ~(uint64_t{1} << s % 64);
        if (m_bitmap[s / 64] == 0)
        {
            m_summary[s / 4096] &= ~(uint64_t{1} << s / 64 % 64);
        }
    }
    m_nodes[node].next = m_free;
    m_free = node;
    --m_wheelSize;
    return m_nodes[node].event;
}

Scheduler::Event
WheelScheduler::RemoveNext()
{
    Event event;
    if (IsNextInWheel())
    {
        event = TakeFromWheel(FindSlot(), NONE);
    }
    else
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<>());
        event = m_heap.back();
        m_heap.pop_back();
    }
    m_present = event.key.m_ts;
    return event;
}

void
WheelScheduler::Remove(const Event& ev)
{
    const uint32_t s = ev.key.m_ts % SLOTS;
    uint32_t before = NONE;
    for (uint32_t node = m_slots[s].first; node != NONE; node = m_nodes[node].next)
    {
        if (m_nodes[node].event.key == ev.key)
        {
            TakeFromWheel(s, before);
            return;
        }
        before = node;
    }
    const auto found = std::find_if(m_heap.begin(), m_heap.end(), [&ev](const Event& other) {
        return other.key == ev.key;
    });
    NS_ASSERT(found != m_heap.end());
    m_heap.erase(found);
    std::make_heap(m_heap.begin(), m_heap.end(), std::greater<>());
}

} // namespace ns3::lossless
