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
 * An event list ordered by time. It is designed for networks in which nearly all events, such as
 * the departure or arrival of a frame's last bit, are at most a few microseconds ahead.
 *
 * Events less than 8192 ticks ahead (8.2 us at ns-3's default resolution) are in a wheel with one
 * slot per tick. The slots are linked lists in one pool, and a bitmap is used to find the next
 * non-empty slot. Events further ahead are in a binary heap until they are due; they are never
 * moved to the wheel. Insertion and removal near the present take constant time, whereas a heap
 * takes logarithmic time. With picosecond resolution, nearly all events are in the heap.
 *
 * As in every ns-3 scheduler, events are ordered by time and then by insertion. The order does not
 * depend on the events' 32-bit UIDs, which wrap around: each slot is a list in order of insertion,
 * and events in the heap have 64-bit sequence numbers. Within a tick, events from the heap come
 * first, because they were inserted when the tick was further ahead.
 */
class EventWheel
{
  public:
    using Event = Scheduler::Event; ///< the event type of ns-3's schedulers

    static constexpr uint64_t NEVER = UINT64_MAX; ///< represents the absence of a tick

    /// Inserts an event that is not earlier than the last removed event.
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

    /// @return whether there are no events
    bool IsEmpty() const
    {
        return m_wheelSize == 0 && m_heap.empty();
    }

    /// @return the tick of the next event, or NEVER if there are no events
    uint64_t PeekTick() const
    {
        return m_wheelSize == 0 ? m_heapTick : std::min(GetTick(FindSlot()), m_heapTick);
    }

    /// Removes all events of the next tick. The wheel must not be empty.
    /// @param take a function called with each event in order; it must not change this wheel
    /// @return the tick of the events
    template <typename TAKE>
    uint64_t TakeTick(TAKE&& take)
    {
        m_present = PeekTick();
        while (m_heapTick == m_present) // events in the heap come first
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

    /// Removes the next event if it is in the wheel and is the only event of its tick, as is
    /// usually the case.
    /// @param event set to the removed event
    /// @return whether an event was removed
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

    /// Restarts at another time. The wheel must be empty.
    void Restart(uint64_t tick)
    {
        NS_ASSERT(IsEmpty());
        m_present = tick;
    }

    /// Removes and returns the next event. The wheel must not be empty.
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

    /// @return whether the wheel contains the event
    bool Contains(const Event& ev) const
    {
        return FindInWheel(ev).node != NONE || FindInHeap(ev) != m_heap.end();
    }

    /// Removes an event that the wheel contains.
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
    static constexpr uint32_t SLOTS = 8192;       ///< the number of slots, a power of two
    static constexpr uint32_t WORDS = SLOTS / 64; ///< the number of words of the bitmap
    static constexpr uint32_t NONE = 0xffffffff;  ///< represents the absence of a node

    struct Node
    {
        Event event;
        uint32_t next; ///< the next node of the slot or of the free list
    };

    struct FarEvent
    {
        Event event;
        uint64_t order; ///< the number of insertions into the heap before this one

        bool operator>(const FarEvent& other) const
        {
            return std::pair(event.key.m_ts, order) > std::pair(other.event.key.m_ts, other.order);
        }
    };

    struct Position
    {
        uint32_t node;   ///< the event's node, or NONE if it is not in the wheel
        uint32_t before; ///< the previous node, or NONE for the first node
    };

    /// The events of one tick in order of insertion.
    struct Slot
    {
        uint32_t first{NONE}; ///< the first node, or NONE if the slot is empty
        uint32_t last{NONE};  ///< the last node; valid only if the slot is not empty
    };

    /// @return the first non-empty slot at or after the current tick. At least one slot must be
    /// non-empty.
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

    /// @return the index of the first non-zero word of the bitmap in a circular search that starts
    /// at the given word
    uint32_t FindWord(uint32_t from) const
    {
        // After the last word, the search continues at the first word.
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

    /// @return the slot of the next event, or NONE if that event is in the heap. There must be at
    /// least one event.
    uint32_t FindNextInWheel() const
    {
        if (m_wheelSize == 0)
        {
            return NONE;
        }
        const uint32_t s = FindSlot();
        // Within a tick, events in the heap come first, because they were inserted before those in
        // the wheel.
        return GetTick(s) < m_heapTick ? s : NONE;
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

    /// Unlike ns-3's comparison, also compares the pointers and the times, because UIDs can wrap
    /// around.
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

    /// Updates m_heapTick. Must be called whenever an event has been removed from the heap.
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

    /// Marks a slot as empty after its last event has been removed.
    void MarkEmpty(uint32_t s)
    {
        m_bitmap[s / 64] &= ~(uint64_t{1} << s % 64);
        if (m_bitmap[s / 64] == 0)
        {
            m_summary[s / 4096] &= ~(uint64_t{1} << s / 64 % 64);
        }
    }

    /// Removes and returns an event of a slot.
    /// @param before the previous node, or NONE for the first node
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

    uint64_t m_present{0};                        ///< the tick of the last removed event or restart
    uint32_t m_wheelSize{0};                      ///< the number of events in the wheel
    uint32_t m_free{NONE};                        ///< the first free node
    std::array<Slot, SLOTS> m_slots;              ///< the slots, indexed by tick modulo SLOTS
    std::array<uint64_t, WORDS> m_bitmap{};       ///< bit s is set if slot s is not empty
    std::array<uint64_t, WORDS / 64> m_summary{}; ///< bit w is set if bitmap word w is not zero
    std::vector<Node> m_nodes;                    ///< the pool of nodes
    std::vector<FarEvent> m_heap;                 ///< the events that were beyond the wheel's range
                                                  ///< when they were inserted
    uint64_t m_heapInsertions{0};                 ///< the total number of insertions into the heap
    uint64_t m_heapTick{NEVER};                   ///< the tick of the first event in the heap
};

} // namespace ns3::lossless

#endif /* LOSSLESS_EVENT_WHEEL_H */
