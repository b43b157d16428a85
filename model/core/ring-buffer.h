// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RING_BUFFER_H
#define LOSSLESS_RING_BUFFER_H

#include "ns3/assert.h"

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * First-in first-out queue of values in one contiguous block.
 *
 * It allocates nothing until the first Push and then only when it grows (to the next power of
 * two), so that thousands of mostly empty queues cost a few words each and a steady stream of
 * packets costs no allocation. `std::deque` would hold half a kilobyte per empty queue and
 * allocate a block every few packets.
 *
 * @tparam T a default constructible value. A popped slot holds nothing back.
 */
template <typename T>
class RingBuffer
{
  public:
    /// @return whether nothing is stored
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    /// @return number of values stored
    std::size_t GetSize() const
    {
        return m_size;
    }

    /// @param value the value to append
    void Push(const T& value)
    {
        Push(T(value));
    }

    /// @param value the value to append
    void Push(T&& value)
    {
        if (m_size == m_slots.size())
        {
            Grow();
        }
        m_slots[(m_head + m_size) & (m_slots.size() - 1)] = std::move(value);
        ++m_size;
    }

    /// @return the oldest value; there must be one
    T& Front()
    {
        NS_ASSERT(m_size > 0);
        return m_slots[m_head];
    }

    /// @param visitor is called with all elements, the oldest first
    template <typename VISITOR>
    void ForEach(const VISITOR& visitor) const
    {
        for (std::size_t i = 0; i < m_size; ++i)
        {
            visitor(m_slots[(m_head + i) & (m_slots.size() - 1)]);
        }
    }

    /// @copydoc Front()
    const T& Front() const
    {
        NS_ASSERT(m_size > 0);
        return m_slots[m_head];
    }

    /// @return the oldest value, which is removed; there must be one
    T Pop()
    {
        NS_ASSERT(m_size > 0);
        T value = std::move(m_slots[m_head]);
        if constexpr (!std::is_nothrow_move_constructible_v<T>)
        {
            m_slots[m_head] = T(); // the move was a copy
        }
        m_head = (m_head + 1) & (m_slots.size() - 1);
        --m_size;
        return value;
    }

    /// Removes all values.
    void Clear()
    {
        m_slots.clear();
        m_head = 0;
        m_size = 0;
    }

  private:
    /// Doubles the capacity and brings the values in order from slot zero.
    void Grow()
    {
        std::vector<T> larger(m_slots.empty() ? 4 : 2 * m_slots.size());
        for (std::size_t i = 0; i < m_size; ++i)
        {
            larger[i] = std::move(m_slots[(m_head + i) & (m_slots.size() - 1)]);
        }
        m_slots = std::move(larger);
        m_head = 0;
    }

    std::vector<T> m_slots; ///< storage, a power of two long (or empty)
    std::size_t m_head{0};  ///< slot of the oldest value
    std::size_t m_size{0};  ///< number of values
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RING_BUFFER_H */
