// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EVENT_WHEEL_H
#define LOSSLESS_EVENT_WHEEL_H

#include "ns3/assert.h"
#include "ns3/scheduler.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Event list ordered by time, for networks in which nearly all events lie a few microseconds ahead:
 * a frame's last bit leaves or arrives.
 *
 * Events less than 8192 ticks ahead (8.2 us in ns-3's default resolution) are in a wheel with a
 * slot per tick, as linked lists in one pool; a bitmap finds the next non-empty slot. Events
 * further ahead are in a binary heap and taken from there when due; nothing is ever moved.
 * Insertion and removal near the present take constant time, where a heap takes logarithmic time.
 * With picosecond resolution nearly everything goes to the heap.
 *
 * The order is that of every ns-3 scheduler: by time, then by insertion. It does not rely on the
 * events' 32-bit uids, which wrap: a slot is a list in order of insertion, events of the heap are
 * numbered with 64 bits, and at the same tick the heap's events come first, because they were
 * inserted when the tick was further ahead.
 */
class EventWheel
{
  public:
    using Event = Scheduler::Event; ///< as in every ns-3 scheduler

    static constexpr uint64_t NEVER = UINT64_MAX; ///< no tick

    /// Inserts an event, not earlier than the last one removed.
    void Insert(const Event& ev)
    {
        if (ev.key.m_ts - m_present < SLOTS)
        {
            InsertInWheel(ev);
        }
        else
        {
            m_heap.push_back({ev, m_heapInsertions++});
            std::push_heap(m_heap.begin(), m_heap.end(), std::greater<>());
            m_heapTick = m_heap.front().event.key.m_ts;
        }
    }

    /// @return whether there is no event
    bool IsEmpty() const
    {
        return m_wheelSize == 0 && m_heap.empty();
    }

    /// @return the next event; the wheel must not be empty
    const Event& PeekNext() const
    {
        const uint32_t s = FindNextInWheel();
        return s != NONE ? m_nodes[m_slots[s].first].event : m_heap.front().event;
    }

    /// @return time of the next event; NEVER if empty
    uint64_t PeekTick() const
    {
        return m_wheelSize == 0 ? m_heapTick : std::min(GetTick(FindSlot()), m_heapTick);
    }

    /// Removes all events of the next tick; the wheel must not be empty.
    /// @param take called with each, in order; must not change this wheel
    /// @return the tick
    template <typename TAKE>
    uint64_t TakeTick(TAKE&& take)
    {
        m_present = PeekTick();
        while (m_heapTick == m_present) // they were inserted earlier
        {
            take(TakeFromHeap());
        }
        const uint32_t s = m_present % SLOTS;
        Slot& slot = m_slots[s];
        if (slot.first != NONE)
        {
            for (uint32_t node = slot.first; node != NONE; node = m_nodes[node].next)
            {
                take(m_nodes[node].event);
                --m_wheelSize;
            }
            m_nodes[slot.last].next = m_free;
            m_free = slot.first;
            slot.first = NONE;
            MarkEmpty(s);
        }
        return m_present;
    }

    /// Removes the next event if it is the only one of its tick and in the wheel, as nearly every
    /// event is.
    /// @param event receives the removed event
    /// @return whether it was removed
    bool TakeLone(Event& event)
    {
        if (m_wheelSize == 0)
        {
            return false;
        }
        const uint32_t s = FindSlot();
        const uint64_t tick = GetTick(s);
        Slot& slot = m_slots[s];
        if (slot.first != slot.last || m_heapTick <= tick)
        {
            return false;
        }
        m_present = tick;
        Node& node = m_nodes[slot.first];
        event = node.event;
        node.next = m_free;
        m_free = slot.first;
        slot.first = NONE;
        --m_wheelSize;
        MarkEmpty(s);
        return true;
    }

    /// Restarts at another time; the wheel must be empty.
    void Restart(uint64_t tick)
    {
        NS_ASSERT(IsEmpty());
        m_present = tick;
    }

    /// Removes and returns the next event; the wheel must not be empty.
    Event RemoveNext()
    {
        Event event;
        if (const uint32_t s = FindNextInWheel(); s != NONE)
        {
            event = TakeFromWheel(s, NONE);
        }
        else
        {
            event = TakeFromHeap();
        }
        m_present = event.key.m_ts;
        return event;
    }

    /// @return whether the event is here
    bool Contains(const Event& ev) const
    {
        return FindInWheel(ev).node != NONE || FindInHeap(ev) != m_heap.end();
    }

    /// Removes an event that is here.
    void Remove(const Event& ev)
    {
        if (const Position position = FindInWheel(ev); position.node != NONE)
        {
            TakeFromWheel(ev.key.m_ts % SLOTS, position.before);
            return;
        }
        const auto found = FindInHeap(ev);
        NS_ASSERT(found != m_heap.end());
        m_heap.erase(found);
        std::make_heap(m_heap.begin(), m_heap.end(), std::greater<>());
        UpdateHeapTick();
    }

  private:
    static constexpr uint32_t SLOTS = 8192;       ///< a power of two
    static constexpr uint32_t WORDS = SLOTS / 64; ///< words of the bitmap
    static constexpr uint32_t NONE = 0xffffffff;  ///< no node

    struct Node
    {
        Event event;
        uint32_t next; ///< next node of its slot, or of the free list
    };

    struct FarEvent
    {
        Event event;
        uint64_t order; ///< number of earlier insertions in the heap

        bool operator>(const FarEvent& other) const
        {
            return std::pair(event.key.m_ts, order) > std::pair(other.event.key.m_ts, other.order);
        }
    };

    struct Position
    {
        uint32_t node;   ///< its node; NONE if it is not there
        uint32_t before; ///< its predecessor; NONE if it is the first
    };

    /// The events of one tick in order of insertion.
    struct Slot
    {
        uint32_t first{NONE}; ///< NONE if empty
        uint32_t last{NONE};  ///< valid if not empty
    };

    /// @return the first non-empty slot from the present on; there must be one
    uint32_t FindSlot() const
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

    uint64_t GetTick(uint32_t s) const
    {
        return m_present + (s - m_present) % SLOTS;
    }

    /// @return the first non-zero word of the bitmap from the given one on
    uint32_t FindWord(uint32_t from) const
    {
        // The wheel is circular: if nothing follows `from`, the first word is next.
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

    /// @return slot of the next event; NONE if that is in the heap. There must be an event.
    uint32_t FindNextInWheel() const
    {
        if (m_wheelSize == 0)
        {
            return NONE;
        }
        const uint32_t s = FindSlot();
        return GetTick(s) < m_heapTick ? s
                                       : NONE; // at the same tick, the heap's were inserted earlier
    }

    Position FindInWheel(const Event& ev) const
    {
        uint32_t before = NONE;
        uint32_t node = m_slots[ev.key.m_ts % SLOTS].first;
        while (node != NONE && !IsSame(m_nodes[node].event, ev))
        {
            before = node;
            node = m_nodes[node].next;
        }
        return {node, before};
    }

    std::vector<FarEvent>::const_iterator FindInHeap(const Event& ev) const
    {
        const auto isIt = [&ev](const FarEvent& other) { return IsSame(other.event, ev); };
        return ev.key.m_ts < m_heapTick ? m_heap.end()
                                        : std::find_if(m_heap.begin(), m_heap.end(), isIt);
    }

    /// ns-3 compares only uids.
    static bool IsSame(const Event& a, const Event& b)
    {
        return a.impl == b.impl && a.key.m_uid == b.key.m_uid && a.key.m_ts == b.key.m_ts;
    }

    Event TakeFromHeap()
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<>());
        const Event event = m_heap.back().event;
        m_heap.pop_back();
        UpdateHeapTick();
        return event;
    }

    /// Called when the heap has changed.
    void UpdateHeapTick()
    {
        m_heapTick = m_heap.empty() ? NEVER : m_heap.front().event.key.m_ts;
    }

    void InsertInWheel(const Event& ev)
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
            m_nodes[slot.last].next = node;
        }
        slot.last = node;
        ++m_wheelSize;
    }

    /// Marks a slot from which the last event was removed.
    void MarkEmpty(uint32_t s)
    {
        m_bitmap[s / 64] &= ~(uint64_t{1} << s % 64);
        if (m_bitmap[s / 64] == 0)
        {
            m_summary[s / 4096] &= ~(uint64_t{1} << s / 64 % 64);
        }
    }

    /// Removes and returns an event of a slot.
    /// @param before predecessor of its node; NONE for the first
    Event TakeFromWheel(uint32_t s, uint32_t before)
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
            MarkEmpty(s);
        }
        m_nodes[node].next = m_free;
        m_free = node;
        --m_wheelSize;
        return m_nodes[node].event;
    }

    uint64_t m_present{0};                        ///< time of the last event removed
    uint32_t m_wheelSize{0};                      ///< events in the wheel
    uint32_t m_free{NONE};                        ///< free list
    std::array<Slot, SLOTS> m_slots;              ///< by time modulo SLOTS
    std::array<uint64_t, WORDS> m_bitmap{};       ///< bit s: slot s is not empty
    std::array<uint64_t, WORDS / 64> m_summary{}; ///< bit w: word w of the bitmap is not zero
    std::vector<Node> m_nodes;                    ///< pool
    std::vector<FarEvent> m_heap;                 ///< events further ahead when inserted
    uint64_t m_heapInsertions{0};                 ///< number of all events ever inserted in it
    uint64_t m_heapTick{NEVER};                   ///< time of its first event
};

} // namespace ns3::lossless

#endif /* LOSSLESS_EVENT_WHEEL_H */
