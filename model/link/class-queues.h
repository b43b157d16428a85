// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CLASS_QUEUES_H
#define LOSSLESS_CLASS_QUEUES_H

#include "transmit-gate.h"

#include "ns3/lossless-frame.h"
#include "ns3/lossless-types.h"
#include "ns3/ring-buffer.h"

#include <array>
#include <utility>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Frames that wait at a host, first in, first out in each class, the most important class first.
 * What waits behind a frame whose flow is stopped waits as well.
 */
class ClassQueues
{
  public:
    /// @param frame a frame to append
    void Push(Frame frame)
    {
        m_backlogged |= SetOf(frame.priority);
        m_queues[Index(frame.priority)].Push(std::move(frame));
    }

    /// @param permit what may leave @return the classes whose first frame may
    PrioritySet GetReady(const Permit& permit) const
    {
        PrioritySet ready = m_backlogged & permit.classes;
        for (uint8_t p = 0; permit.selective && p < NUM_PRIORITIES; ++p)
        {
            if (Contains(ready, Priority{p}) && !permit.Allows(m_queues[p].Front()))
            {
                ready &= ~SetOf(Priority{p});
            }
        }
        return ready;
    }

    /// @param permit what may leave; something may @return the next frame
    Frame Pop(const Permit& permit)
    {
        const Priority priority = MostImportant(GetReady(permit));
        RingBuffer<Frame>& queue = m_queues[Index(priority)];
        Frame frame = queue.Pop();
        if (queue.IsEmpty())
        {
            m_backlogged &= ~SetOf(priority);
        }
        return frame;
    }

    /// Forgets all frames.
    void Clear()
    {
        for (RingBuffer<Frame>& queue : m_queues)
        {
            queue.Clear();
        }
        m_backlogged = 0;
    }

  private:
    std::array<RingBuffer<Frame>, NUM_PRIORITIES> m_queues; ///< by class
    PrioritySet m_backlogged{0};                            ///< classes with frames
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CLASS_QUEUES_H */
