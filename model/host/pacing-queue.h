// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PACING_QUEUE_H
#define LOSSLESS_PACING_QUEUE_H

#include "ns3/assert.h"
#include "ns3/lossless-types.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Queue pairs that may not send before an instant, in the order of these instants and, at one
 * instant, in the order in which they came.
 *
 * @tparam T a queue pair
 */
template <typename T>
class PacingQueue
{
  public:
    /// @return whether nobody waits
    bool IsEmpty() const
    {
        return m_heap.empty();
    }

    /// @return the earliest instant; somebody must wait
    Ticks GetFirstDue() const
    {
        NS_ASSERT(!m_heap.empty());
        return m_heap.front().due;
    }

    /// @param queuePair a queue pair, not owned @param due when it may send
    void Push(T* queuePair, Ticks due)
    {
        m_heap.push_back({due, m_nextTicket++, queuePair});
        std::push_heap(m_heap.begin(), m_heap.end(), IsLater);
    }

    /// @return the queue pair that is due first, which is removed; somebody must wait
    T* Pop()
    {
        NS_ASSERT(!m_heap.empty());
        T* queuePair = m_heap.front().queuePair;
        std::pop_heap(m_heap.begin(), m_heap.end(), IsLater);
        m_heap.pop_back();
        return queuePair;
    }

    /// @param queuePair a queue pair that need not wait any more
    void Remove(const T* queuePair)
    {
        const auto isIt = [queuePair](const Entry& entry) { return entry.queuePair == queuePair; };
        m_heap.erase(std::remove_if(m_heap.begin(), m_heap.end(), isIt), m_heap.end());
        std::make_heap(m_heap.begin(), m_heap.end(), IsLater);
    }

    /// Forgets all of them.
    void Clear()
    {
        m_heap.clear();
    }

  private:
    /// One that waits.
    struct Entry
    {
        Ticks due;       ///< when it may send
        uint64_t ticket; ///< counts the entries
        T* queuePair;    ///< who waits
    };

    /// @param a an entry @param b another @return whether the first one's turn comes later
    static bool IsLater(const Entry& a, const Entry& b)
    {
        return a.due != b.due ? a.due > b.due : a.ticket > b.ticket;
    }

    std::vector<Entry> m_heap; ///< first: who is due first
    uint64_t m_nextTicket{0};  ///< of the next entry
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PACING_QUEUE_H */
