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
 * Frames that wait at a host, first in, first out in each class, the most important class first.
 *
 * Frames of a flow that is stopped alone are set aside when they come to the head of their class,
 * so that nothing waits behind them; they go first when their flow may go on. A frame behind one of
 * its flow that is aside is set aside as well, whatever its size is.
 */
class ClassQueues
{
  public:
    /// @param frame a frame to append
    void Push(Frame frame)
    {
        Queue& queue = m_queues[Index(frame.priority)];
        m_backlogged |= SetOf(frame.priority);
        queue.bytes += frame.size;
        queue.frames.Push(std::move(frame));
    }

    /// Sets the frames aside that are in the way of others.
    /// @param permit what may leave @return the classes of which a frame may
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

    /// @param permit what may leave; something may @return the next frame
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

    /// @return whether nothing waits, set aside or not
    bool IsEmpty() const
    {
        return m_backlogged == 0;
    }

    /// @param priority a class @return its bytes waiting, without those set aside
    uint32_t GetBytes(Priority priority) const
    {
        return m_queues[Index(priority)].bytes;
    }

    /// @param priority a class @return whether frames of it are set aside
    bool HasAside(Priority priority) const
    {
        return !m_queues[Index(priority)].aside.empty();
    }

    /// Forgets all frames.
    void Clear()
    {
        m_queues = {};
        m_backlogged = 0;
    }

  private:
    /// The frames of one class.
    struct Queue
    {
        RingBuffer<Frame> frames; ///< in order of arrival
        uint32_t bytes{0};        ///< of them
        std::vector<Frame> aside; ///< of stopped flows; each before those of its flow in "frames"

        /// @param end behind frames set aside @param frame a frame @return whether one before `end`
        /// is of its flow
        bool IsFlowAside(std::vector<Frame>::const_iterator end, const Frame& frame) const
        {
            return std::any_of(aside.cbegin(), end, [&frame](const Frame& other) {
                return other.flowHash == frame.flowHash;
            });
        }

        /// @param permit what may leave @return the first frame set aside that may, and is the
        /// first one of its flow there
        std::vector<Frame>::iterator FindResumed(const Permit& permit)
        {
            auto found = aside.begin();
            while (found != aside.end() && !(permit.Allows(*found) && !IsFlowAside(found, *found)))
            {
                ++found;
            }
            return found;
        }

        /// Sets frames aside. @param permit what may leave @return whether a frame may
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

        /// @param permit what may leave; something may @return the next frame
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

        /// @return the first frame that is not set aside
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
