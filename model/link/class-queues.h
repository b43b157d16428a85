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
 * The waiting frames of a host, in one queue per class. The highest class is served first. Within a
 * class, frames are served in FIFO order.
 *
 * Frames of an individually stopped flow are set aside when they reach the head of their class, so
 * that they do not block later frames. They are sent first once their flow can resume. A frame is
 * also set aside, regardless of its size, if an earlier frame of the same flow has been set aside.
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

    /// Sets blocked frames aside.
    /// @return the classes that have a frame to send
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

    /// Removes and returns the next frame that can be sent. Must be called only if there is such a
    /// frame.
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

    /// @return true if no frames are waiting, not even those set aside
    bool IsEmpty() const
    {
        return m_backlogged == 0;
    }

    /// @return the number of waiting bytes of a class, excluding frames set aside
    uint32_t GetBytes(Priority priority) const
    {
        return m_queues[Index(priority)].bytes;
    }

    /// @return whether frames of a class are set aside
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
        RingBuffer<Frame> frames; ///< the frames in order of arrival
        uint32_t bytes{0};        ///< the size of `frames` in bytes
        std::vector<Frame> aside; ///< the frames set aside, all of which are older than those in
                                  ///< `frames`

        /// @return whether a frame of the same flow precedes `end` in `aside`
        bool IsFlowAside(std::vector<Frame>::const_iterator end, const Frame& frame) const
        {
            return std::any_of(aside.cbegin(), end, [&frame](const Frame& other) {
                return other.flowHash == frame.flowHash;
            });
        }

        /// @return the first frame set aside that can be sent and is the oldest of its flow, or the
        /// end of `aside`
        std::vector<Frame>::iterator FindResumed(const Permit& permit)
        {
            auto found = aside.begin();
            while (found != aside.end() && !(permit.Allows(*found) && !IsFlowAside(found, *found)))
            {
                ++found;
            }
            return found;
        }

        /// Sets blocked frames aside.
        /// @return whether there is a frame that can be sent
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

        /// Removes and returns the next frame that can be sent. Must be called only if there is
        /// such a frame.
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

    std::array<Queue, NUM_PRIORITIES> m_queues; ///< the queue of each class
    PrioritySet m_backlogged{0};                ///< the classes with waiting frames
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CLASS_QUEUES_H */
