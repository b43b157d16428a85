// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CLASS_QUEUES_H
#define LOSSLESS_CLASS_QUEUES_H

#include "transmit-gate.h"

#include "ns3/lossless-frame.h"
#include "ns3/lossless-types.h"
#include "ns3/ring-buffer.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Frames waiting at a host: FIFO within each class, the most important class first.
 *
 * Frames of an individually stopped flow are set aside when they reach the head of their class, so
 * nothing waits behind them; they go first when their flow may resume. A frame behind one of its
 * flow that is aside is set aside as well, whatever its size.
 */
class ClassQueues
{
  public:
    /// Appends a frame.
    void Push(Frame frame)
    {
        Queue& queue = m_queues[Index(frame.priority)];
        m_backlogged |= SetOf(frame.priority);
        queue.bytes += frame.size;
        queue.frames.Push(std::move(frame));
    }

    /// Sets blocking frames aside. @return the classes of which a frame may leave
    PrioritySet Prepare(const Permit& permit)
    {
        PrioritySet ready = m_backlogged & permit.classes;
        for (uint8_t p = 0; permit.selective && p < NUM_PRIORITIES; ++p)
        {
            if (Contains(ready, Priority{p}) && !m_queues[p].Prepare(permit))
            {
                ready &= ~SetOf(Priority{p});
            }
        }
        return ready;
    }

    /// Removes and returns the next frame that may leave; there must be one.
    Frame Pop(const Permit& permit)
    {
        const Priority priority = MostImportant(Prepare(permit));
        Queue& queue = m_queues[Index(priority)];
        Frame frame = queue.Pop(permit);
        if (queue.frames.IsEmpty() && queue.aside.empty())
        {
            m_backlogged &= ~SetOf(priority);
        }
        return frame;
    }

    /// @return whether no frame waits, aside or not
    bool IsEmpty() const
    {
        return m_backlogged == 0;
    }

    /// @return waiting bytes of a class, without those aside
    uint32_t GetBytes(Priority priority) const
    {
        return m_queues[Index(priority)].bytes;
    }

    /// @return whether frames of a class are aside
    bool HasAside(Priority priority) const
    {
        return !m_queues[Index(priority)].aside.empty();
    }

    /// Removes all frames.
    void Clear()
    {
        m_queues = {};
        m_backlogged = 0;
    }

  private:
    struct Queue
    {
        RingBuffer<Frame> frames; ///< in order of arrival
        uint32_t bytes{0};        ///< of `frames`
        std::vector<Frame> aside; ///< of stopped flows; each precedes those of its flow in `frames`

        /// @return whether an aside frame before `end` is of the same flow
        bool IsFlowAside(std::vector<Frame>::const_iterator end, const Frame& frame) const
        {
            return std::any_of(aside.cbegin(), end, [&frame](const Frame& other) {
                return other.flowHash == frame.flowHash;
            });
        }

        /// @return the first aside frame that may leave and has no predecessor of its flow there
        std::vector<Frame>::iterator FindResumed(const Permit& permit)
        {
            auto found = aside.begin();
            while (found != aside.end() && !(permit.Allows(*found) && !IsFlowAside(found, *found)))
            {
                ++found;
            }
            return found;
        }

        /// Sets blocking frames aside. @return whether a frame may leave
        bool Prepare(const Permit& permit)
        {
            if (FindResumed(permit) != aside.end())
            {
                return true;
            }
            while (!frames.IsEmpty() &&
                   (!permit.Allows(frames.Front()) || IsFlowAside(aside.cend(), frames.Front())))
            {
                aside.push_back(PopFrame());
            }
            return !frames.IsEmpty();
        }

        /// Removes and returns the next frame that may leave; there must be one.
        Frame Pop(const Permit& permit)
        {
            const auto resumed = FindResumed(permit);
            if (resumed == aside.end())
            {
                return PopFrame();
            }
            Frame frame = std::move(*resumed);
            aside.erase(resumed);
            return frame;
        }

        Frame PopFrame()
        {
            Frame frame = frames.Pop();
            bytes -= frame.size;
            return frame;
        }
    };

    std::array<Queue, NUM_PRIORITIES> m_queues; ///< by class
    PrioritySet m_backlogged{0};                ///< classes with frames
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CLASS_QUEUES_H */
