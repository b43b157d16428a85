// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RING_BUFFER_H
#define LOSSLESS_RING_BUFFER_H

#include "cache-line.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A FIFO queue of values in one contiguous block.
 *
 * The queue allocates memory only on the first Push() and when it grows to the next power of two.
 * Thousands of unused queues therefore take only a few words each, and a steady stream of packets
 * causes no allocation. A `std::deque` would use half a kilobyte per empty queue and allocate a
 * block every few packets.
 *
 * When a queue becomes empty, it restarts at its first slot, which is usually still cached, or
 * frees the block if the block is large.
 *
 * @tparam T a default-constructible type; the queue does not retain the resources of a removed
 * value
 */
template <typename T>
class RingBuffer
{
  public:
    RingBuffer() = default;

    /// Copies the values of another queue.
    RingBuffer(const RingBuffer& other)
    {
        other.ForEach([this](const T& value) { Push(value); });
    }

    /// Takes over the values of another queue.
    RingBuffer(RingBuffer&& other) noexcept
    {
        Swap(other);
    }

    /// Replaces the values with those of another queue.
    RingBuffer& operator=(RingBuffer other) noexcept
    {
        Swap(other);
        return *this;
    }

    ~RingBuffer() = default;

    /// @return whether the queue is empty
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    /// @return the number of values
    std::size_t GetSize() const
    {
        return m_size;
    }

    /// Appends a value.
    void Push(const T& value)
    {
        Push(T(value));
    }

    /// Appends a value.
    void Push(T&& value)
    {
        if (m_size == m_capacity)
        {
            Grow();
        }
        At(m_size) = std::move(value);
        ++m_size;
    }

    /// Inserts a value after all values that are not greater, so a sorted queue remains sorted.
    /// Insertion is fast if most new values belong near the end.
    void Insert(T value)
    {
        if (m_size == m_capacity)
        {
            Grow();
        }
        uint32_t place = m_size++;
        for (; place > 0 && value < At(place - 1); --place)
        {
            At(place) = std::move(At(place - 1));
        }
        At(place) = std::move(value);
    }

    /// @return the oldest value. The queue must not be empty.
    T& Front()
    {
        NS_ASSERT(m_size > 0);
        return m_slots[m_head];
    }

    /// @copydoc Front()
    const T& Front() const
    {
        NS_ASSERT(m_size > 0);
        return m_slots[m_head];
    }

    /// @param i the index, 0 for the oldest value
    const T& Peek(std::size_t i) const
    {
        NS_ASSERT(i < m_size);
        return At(static_cast<uint32_t>(i));
    }

    /// Prefetches a value. The queue must not be empty.
    /// @param i the index: 0 for the oldest value, GetSize() for the next value to be pushed
    void Prefetch(std::size_t i) const
    {
        PrefetchLines(&At(static_cast<uint32_t>(i)), sizeof(T));
    }

    /// Calls the visitor with each value, oldest first.
    template <typename VISITOR>
    void ForEach(const VISITOR& visitor) const
    {
        for (uint32_t i = 0; i < m_size; ++i)
        {
            visitor(std::as_const(At(i)));
        }
    }

    /// Removes and returns the oldest value. The queue must not be empty.
    T Pop()
    {
        NS_ASSERT(m_size > 0);
        T& front = m_slots[m_head];
        T value = std::move(front);
        if constexpr (!std::is_nothrow_move_constructible_v<T>)
        {
            front = T(); // in case the move was a copy
        }
        if (--m_size == 0)
        {
            Restart();
        }
        else
        {
            m_head = (m_head + 1) & (m_capacity - 1);
        }
        return value;
    }

    /// Removes all values.
    void Clear()
    {
        *this = RingBuffer();
    }

  private:
    static constexpr uint32_t MIN_CAPACITY = 4;   ///< the number of slots in the first block
    static constexpr uint32_t KEPT_CAPACITY = 64; ///< the largest capacity that an empty queue
                                                  ///< keeps

    /// @param i the index: 0 for the oldest value, m_size for the slot after the newest value
    T& At(uint32_t i) const
    {
        return m_slots[(m_head + i) & (m_capacity - 1)];
    }

    /// Called when the queue has become empty.
    void Restart()
    {
        m_head = 0;
        if (m_capacity > KEPT_CAPACITY)
        {
            m_slots.reset();
            m_capacity = 0;
        }
    }

    /// Doubles the capacity and moves the oldest value to slot zero.
    void Grow()
    {
        const uint32_t capacity = std::max(MIN_CAPACITY, 2 * m_capacity);
        auto larger = std::make_unique<T[]>(capacity);
        for (uint32_t i = 0; i < m_size; ++i)
        {
            larger[i] = std::move(At(i));
        }
        m_slots = std::move(larger);
        m_capacity = capacity;
        m_head = 0;
    }

    void Swap(RingBuffer& other) noexcept
    {
        std::swap(m_slots, other.m_slots);
        std::swap(m_capacity, other.m_capacity);
        std::swap(m_head, other.m_head);
        std::swap(m_size, other.m_size);
    }

    std::unique_ptr<T[]> m_slots; ///< the storage
    uint32_t m_capacity{0};       ///< the number of slots, a power of two or 0
    uint32_t m_head{0};           ///< the slot of the oldest value
    uint32_t m_size{0};           ///< the number of values
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RING_BUFFER_H */
