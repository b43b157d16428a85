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
 * Events in the order of time, for networks in which nearly all of them lie a few microseconds
 * ahead: a frame's last bit leaves or arrives.
 *
 * Events less than 8192 ticks ahead (8.2 us in ns-3's default resolution) stand in a wheel with a
 * slot for each tick, as linked lists in one pool; a bitmap finds the next slot that is not empty.
 * Events further ahead stand in a binary heap, and are taken from there when their time comes:
 * nothing is ever moved. Insertion and removal near the present take constant time, where a heap
 * takes a logarithm. With a resolution of picoseconds nearly everything goes to the heap.
 *
 * The order is that of every ns-3 scheduler: by time, then by the order of insertion. That is known
 * without the events' 32-bit uids, which start again at some time: a slot is a list in this order,
 * events of the heap are counted by 64 bits, and those of the heap come before those of the wheel
 * that are due at the same tick, since they were inserted when that was further ahead.
 */
class EventWheel
{
  public:
    using Event = Scheduler::Event; ///< what every ns-3 scheduler holds

    static constexpr uint64_t NEVER = UINT64_MAX; ///< no tick

    /// @param ev an event, not before the last one removed
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

    /// @return the next event; there is one
    const Event& PeekNext() const
    {
        const uint32_t s = FindNextInWheel();
        return s != NONE ? m_nodes[m_slots[s].first].event : m_heap.front().event;
    }

    /// @return time of the next event; NEVER: there is none
    uint64_t PeekTick() const
    {
        return m_wheelSize == 0 ? m_heapTick : std::min(GetTick(FindSlot()), m_heapTick);
    }

    /**
     * Removes all events of the next tick. There is one.
     * @param take is called with each, in their order; must leave this list alone
     * @return the tick
     */
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

    /**
     * Removes the next event if no other is due at its tick and it is in the wheel, as nearly every
     * event is.
     * @param event the event, if it was removed
     * @return whether it was
     */
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

    /// Begins anew at another time. There is no event. @param tick the time
    void Restart(uint64_t tick)
    {
        NS_ASSERT(IsEmpty());
        m_present = tick;
    }

    /// @return the next event, removed; there is one
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

    /// @param ev an event @return whether it is here
    bool Contains(const Event& ev) const
    {
        return FindInWheel(ev).node != NONE || FindInHeap(ev) != m_heap.end();
    }

    /// @param ev an event that is here, and then is not
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
    static constexpr uint32_t SLOTS = 8192;       ///< slots of the wheel, a power of two
    static constexpr uint32_t WORDS = SLOTS / 64; ///< words of the bitmap
    static constexpr uint32_t NONE = 0xffffffff;  ///< no node

    /// An event of the wheel.
    struct Node
    {
        Event event;   ///< the event
        uint32_t next; ///< next node of its slot, or of the free list
    };

    /// An event of the heap.
    struct FarEvent
    {
        Event event;    ///< the event
        uint64_t order; ///< number of events that were inserted in the heap before

        /// @param other an event of the heap @return whether this one comes later
        bool operator>(const FarEvent& other) const
        {
            return std::pair(event.key.m_ts, order) > std::pair(other.event.key.m_ts, other.order);
        }
    };

    /// Where an event is in its slot.
    struct Position
    {
        uint32_t node;   ///< the event's; NONE: it is not there
        uint32_t before; ///< node before it; NONE: it is the first
    };

    /// The events of one tick, in the order of insertion.
    struct Slot
    {
        uint32_t first{NONE}; ///< NONE: the slot is empty
        uint32_t last{NONE};  ///< valid if the slot is not empty
    };

    /// @return the first slot from the present on that is not empty; one is not
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

    /// @param s a slot with events @return when they are due
    uint64_t GetTick(uint32_t s) const
    {
        return m_present + (s - m_present) % SLOTS;
    }

    /// @param from word to begin with @return the first word from there on that is not zero
    uint32_t FindWord(uint32_t from) const
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

    /// @return slot of the next event; NONE: it stands in the heap. There is one somewhere
    uint32_t FindNextInWheel() const
    {
        if (m_wheelSize == 0)
        {
            return NONE;
        }
        const uint32_t s = FindSlot();
        return GetTick(s) < m_heapTick ? s : NONE; // at one tick the heap's were inserted earlier
    }

    /// @param ev an event @return where it is in the wheel, if it is
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

    /// @param ev an event @return where it is in the heap, if it is
    std::vector<FarEvent>::const_iterator FindInHeap(const Event& ev) const
    {
        const auto isIt = [&ev](const FarEvent& other) { return IsSame(other.event, ev); };
        return ev.key.m_ts < m_heapTick ? m_heap.end()
                                        : std::find_if(m_heap.begin(), m_heap.end(), isIt);
    }

    /// ns-3 compares the uids only. @param a an event @param b another @return whether they are one
    static bool IsSame(const Event& a, const Event& b)
    {
        return a.impl == b.impl && a.key.m_uid == b.key.m_uid && a.key.m_ts == b.key.m_ts;
    }

    /// @return the first event of the heap, removed
    Event TakeFromHeap()
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<>());
        const Event event = m_heap.back().event;
        m_heap.pop_back();
        UpdateHeapTick();
        return event;
    }

    /// The heap has changed.
    void UpdateHeapTick()
    {
        m_heapTick = m_heap.empty() ? NEVER : m_heap.front().event.key.m_ts;
    }

    /// @param ev an event to append to its slot
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

    /// @param s a slot from which the last event was taken
    void MarkEmpty(uint32_t s)
    {
        m_bitmap[s / 64] &= ~(uint64_t{1} << s % 64);
        if (m_bitmap[s / 64] == 0)
        {
            m_summary[s / 4096] &= ~(uint64_t{1} << s / 64 % 64);
        }
    }

    /// @param s a slot @param before node before the one to take out; NONE: the first
    /// @return its event
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
    uint64_t m_heapInsertions{0};                 ///< number of events that ever were in it
    uint64_t m_heapTick{NEVER};                   ///< time of the first of them
};

} // namespace ns3::lossless

#endif /* LOSSLESS_EVENT_WHEEL_H */
