// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_PAIR_TABLE_H
#define LOSSLESS_QUEUE_PAIR_TABLE_H

#include "ns3/assert.h"
#include "ns3/cache-line.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The open queue pair ends of one NIC, by a key that their packets carry.
 *
 * A hash table with open addressing and linear probing, at most half full: usually the first probe
 * hits. The ends are stored elsewhere and never move. Memory follows the largest number of ends
 * open at once: that of a closed end is reused.
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

    /// Opens an end in the state T(); returns null if the key is in use.
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

    static constexpr std::size_t PREFETCH_STEPS = 3; ///< see Prefetch()

    /// Number of open ends.
    std::size_t GetOpen() const
    {
        return m_open;
    }

    /// Prefetches an open end: if there are many, it is in no cache. This takes PREFETCH_STEPS
    /// calls, some time apart, since a pointer can be followed only once it has been loaded.
    /// @param step number of the call, from 0 on
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
            slot->end.PrefetchParts();
        }
    }

    /// Closes an open end and forgets it.
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

    /// Calls a function with each open end.
    /// @param function takes a T&; may open and close ends, but those opened may be skipped
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

    /// Number of ends that memory is held for, open or not.
    std::size_t GetSize() const
    {
        return m_slots.size();
    }

    /// Forgets all ends.
    void Clear()
    {
        m_places.assign(MIN_PLACES, Place());
        m_bits = MIN_BITS;
        m_open = 0;
        m_free.clear();
        m_slots.clear();
    }

  private:
    static constexpr uint32_t MIN_BITS = 2;                     ///< initial bits of an index
    static constexpr std::size_t MIN_PLACES = 1ULL << MIN_BITS; ///< initial size

    struct Slot
    {
        bool isOpen{false}; ///< in use
        T end;
    };

    struct Place
    {
        uint64_t key{0};     ///< of the end
        Slot* slot{nullptr}; ///< null: the place is free
    };

    /// Where to look for a key first (Knuth's multiplicative hash).
    std::size_t GetHome(uint64_t key) const
    {
        return (key * 0x9e3779b97f4a7c15ULL) >> (64 - m_bits);
    }

    std::size_t GetNext(std::size_t place) const
    {
        return (place + 1) & (m_places.size() - 1);
    }

    /// Returns the place of a key; if it has none, the free one where it would be.
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

    /// Frees a place and moves up those after it, which could not be found otherwise.
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

    std::vector<Place> m_places;                ///< the hash table, a power of two long
    uint32_t m_bits{MIN_BITS};                  ///< of an index into it
    std::size_t m_open{0};                      ///< open ends
    std::vector<std::unique_ptr<Slot>> m_slots; ///< all memory
    std::vector<Slot*> m_free;                  ///< those not in use
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_PAIR_TABLE_H */
