// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CLASS_SCHEDULER_H
#define LOSSLESS_CLASS_SCHEDULER_H

#include "egress-queue.h"

#include "ns3/object.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Selects which traffic class of an egress port is served next.
 */
class ClassScheduler : public Object
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// @param ready the classes with a frame that can be sent; not empty
    /// @param queues the queues of the port; Peek() of a ready class's queue returns the frame to
    /// send
    /// @return the class to serve, which must be one of `ready`; its first frame is then dequeued
    virtual Priority Select(PrioritySet ready, const EgressQueues& queues) = 0;

    /// Called when the queue of a class has become empty.
    virtual void NotifyEmpty(Priority /* priority */)
    {
    }

    /// Reserves a share of the port for a class while this class and one other class have frames.
    /// Called when the port is created, before any frame arrives.
    /// @param share the share of the bytes sent, above 0 and below 1
    /// @return the reason for a failure, as the end of a sentence; unset on success
    virtual std::optional<std::string> SetShare(Priority priority, double share);
};

/**
 * @ingroup lossless
 * A scheduler that serves some classes with strict priority, the highest number first. If no strict
 * class is ready, the other classes are served with deficit weighted round robin (Shreedhar and
 * Varghese, SIGCOMM 1995).
 *
 * A paused class neither gains nor loses credit. An empty class loses its credit.
 */
class DwrrScheduler : public ClassScheduler
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    Priority Select(PrioritySet ready, const EgressQueues& queues) override;
    void NotifyEmpty(Priority priority) override;
    std::optional<std::string> SetShare(Priority priority, double share) override;

  private:
    /// @param list the attribute "Quanta": one quantum per class, separated by commas; if the list
    /// is empty, "Quantum" is used
    void SetQuanta(const std::string& list);
    std::string GetQuanta() const;

    /// @return the number of bytes that a class can send per round
    uint32_t GetQuantum(uint8_t priority) const
    {
        return m_quanta.empty() ? m_quantum : m_quanta[priority];
    }

    PrioritySet m_strict{0}; ///< the classes with strict priority
    uint8_t m_current{0};
    uint32_t m_quantum{0}; ///< the quantum of each class if m_quanta is empty
    /// The number of bytes that each class can still send in the current round.
    std::array<uint32_t, NUM_PRIORITIES> m_deficit{};
    std::vector<uint32_t> m_quanta; ///< the quantum of each class; if empty, all have m_quantum
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CLASS_SCHEDULER_H */
