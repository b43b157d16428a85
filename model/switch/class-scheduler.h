// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CLASS_SCHEDULER_H
#define LOSSLESS_CLASS_SCHEDULER_H

#include "egress-queue.h"

#include "ns3/object.h"

#include <array>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Decides which traffic class of an egress port is served next.
 */
class ClassScheduler : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /**
     * @param ready the classes with a frame that may leave; not empty
     * @param queues the queues of the port, of which Peek() shows the heads of the ready classes
     * @return the class to serve, one of `ready`; its head is then dequeued
     */
    virtual Priority Select(PrioritySet ready, const EgressQueues& queues) = 0;

    /// The queue of a class has become empty. @param priority the class
    virtual void NotifyEmpty(Priority priority);
};

/**
 * @ingroup lossless
 * Strict priority for some classes, highest number first, and deficit weighted round robin among
 * the others when no strict class is ready (Shreedhar and Varghese, SIGCOMM 1995).
 *
 * A paused class neither gains nor loses credit; an empty one loses it.
 */
class DwrrScheduler : public ClassScheduler
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    DwrrScheduler();

    /**
     * Gives one class a quantum of its own, in place of "Quantum".
     * @param priority the class
     * @param bytes its quantum, at least 1
     */
    void SetQuantum(Priority priority, uint32_t bytes);

    Priority Select(PrioritySet ready, const EgressQueues& queues) override;
    void NotifyEmpty(Priority priority) override;

  private:
    /// @param bytes the quantum of all classes
    void SetAllQuanta(uint32_t bytes);
    /// @return the quantum of class 0
    uint32_t GetFirstQuantum() const;

    PrioritySet m_strict{0};                          ///< classes with strict priority
    std::array<uint32_t, NUM_PRIORITIES> m_quanta{};  ///< bytes per round, by class
    std::array<uint32_t, NUM_PRIORITIES> m_deficit{}; ///< bytes a class may still send this round
    uint8_t m_current{0};                             ///< class whose turn it is
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CLASS_SCHEDULER_H */
