// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_PAIR_TABLE_H
#define LOSSLESS_QUEUE_PAIR_TABLE_H

#include "ns3/assert.h"
#include "ns3/cache-line.h"
#include "ns3/lossless-frame.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The open ends of a NIC's queue pairs. An end is found by a key that is derived from its packets.
 *
 * The table uses open addressing and linear probing. It is at most half full, so the first probe
 * usually succeeds. The ends are stored separately and never move. The amount of memory grows with
 * the maximum number of ends that are open at the same time, because the memory of a closed end is
 * reused.
 *
 * @tparam T one end of a queue pair
 */
template <typename T>
class QueuePairTable
{
  public:
    QueuePairTable()
        : m_places(MIN_PLACES)
    {
    }

    /// Opens an end, with the initial state T(). Returns null if the key is in use.
    T* Open(uint64_t key)
    {
        if (Find(key))
        {
            return nullptr;
        }
        if (2 * (m_open + 1) > m_places.size())
        {
            Grow();
        }
        Slot* slot = TakeSlot();
        slot->isOpen = true;
        ++m_open;
        Insert({key, slot});
        return &slot->end;
    }

    /// Returns the open end with a key, or null.
    T* Find(uint64_t key)
    {
        Slot* slot = m_places[FindPlace(key)].slot;
        return slot ? &slot->end : nullptr;
    }

    static constexpr std::size_t PREFETCH_STEPS = 3; ///< the number of calls to Prefetch() that an
                                                     ///< end needs

    /// Returns the number of open ends.
    std::size_t GetOpen() const
    {
        return m_open;
    }

    /// Prefetches an open end, which is unlikely to be in a cache if there are many ends. This
    /// takes PREFETCH_STEPS calls at different times, because a pointer can be followed only after
    /// it has been loaded.
    /// @param step the number of the call, starting at 0
    void Prefetch(uint64_t key, std::size_t step) const
    {
        if (step == 0)
        {
            PrefetchLines(&m_places[GetHome(key)], sizeof(Place));
        }
        else if (const Slot* slot = m_places[FindPlace(key)].slot; slot && step == 1)
        {
            PrefetchLines(slot, sizeof(Slot));
        }
        else if (slot)
        {
            slot->end.Prefetch();
        }
    }

    /// Closes an open end and removes it.
    void Close(uint64_t key)
    {
        const std::size_t place = FindPlace(key);
        Slot* slot = m_places[place].slot;
        NS_ASSERT(slot);
        slot->end = T();
        slot->isOpen = false;
        m_free.push_back(slot);
        --m_open;
        Vacate(place);
    }

    /// Calls a function for each open end.
    /// @param function a callable that takes a T&. It can open and close ends, but ends that it
    /// opens may be skipped.
    template <typename FUNCTION>
    void ForEach(FUNCTION function)
    {
        const std::size_t count = m_slots.size();
        for (std::size_t i = 0; i < count; ++i)
        {
            if (Slot& slot = *m_slots[i]; slot.isOpen)
            {
                function(slot.end);
            }
        }
    }

    /// Returns the number of open and closed ends for which memory is allocated.
    std::size_t GetSize() const
    {
        return m_slots.size();
    }

    /// Removes all ends.
    void Clear()
    {
        m_places.assign(MIN_PLACES, Place());
        m_bits = MIN_BITS;
        m_open = 0;
        m_free.clear();
        m_slots.clear();
    }

  private:
    static constexpr uint32_t MIN_BITS = 2; ///< the initial number of bits of an index
    static constexpr std::size_t MIN_PLACES = 1ULL << MIN_BITS; ///< the initial number of places

    struct Slot
    {
        bool isOpen{false}; ///< whether the slot is in use
        T end;
    };

    struct Place
    {
        uint64_t key{0};     ///< the key of the end
        Slot* slot{nullptr}; ///< the slot of the end; null if the place is free
    };

    /// Returns the place where the search for a key starts (Knuth's multiplicative hash).
    std::size_t GetHome(uint64_t key) const
    {
        return (key * GOLDEN_RATIO) >> (64 - m_bits);
    }

    std::size_t GetNext(std::size_t place) const
    {
        return (place + 1) & (m_places.size() - 1);
    }

    /// Returns the place of a key. If the key is not in the table, returns the free place where it
    /// would be inserted.
    std::size_t FindPlace(uint64_t key) const
    {
        std::size_t place = GetHome(key);
        while (m_places[place].slot && m_places[place].key != key)
        {
            place = GetNext(place);
        }
        return place;
    }

    /// Inserts an end whose key is not in the table.
    void Insert(const Place& entry)
    {
        m_places[FindPlace(entry.key)] = entry;
    }

    void Grow()
    {
        std::vector<Place> former(2 * m_places.size());
        former.swap(m_places);
        ++m_bits;
        for (const Place& entry : former)
        {
            if (entry.slot)
            {
                Insert(entry);
            }
        }
    }

    /// Frees a place and moves later entries that could otherwise no longer be found.
    void Vacate(std::size_t hole)
    {
        const std::size_t mask = m_places.size() - 1;
        for (std::size_t i = GetNext(hole); m_places[i].slot; i = GetNext(i))
        {
            const std::size_t distance = (i - GetHome(m_places[i].key)) & mask;
            if (distance >= ((i - hole) & mask))
            {
                m_places[hole] = m_places[i];
                hole = i;
            }
        }
        m_places[hole] = Place();
    }

    Slot* TakeSlot()
    {
        if (m_free.empty())
        {
            m_slots.push_back(std::make_unique<Slot>());
            return m_slots.back().get();
        }
        Slot* slot = m_free.back();
        m_free.pop_back();
        return slot;
    }

    std::vector<Place> m_places;                ///< the hash table; its size is a power of two
    uint32_t m_bits{MIN_BITS};                  ///< the number of bits of an index into the table
    std::size_t m_open{0};                      ///< the number of open ends
    std::vector<std::unique_ptr<Slot>> m_slots; ///< all slots
    std::vector<Slot*> m_free;                  ///< the slots that are not in use
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_PAIR_TABLE_H */
