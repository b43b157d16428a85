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
 * Decides which traffic class of an egress port is served next.
 */
class ClassScheduler : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @param ready the classes with a frame that may leave; not empty
    /// @param queues of the port; Peek() returns the heads of the ready classes
    /// @return the class to serve, one of `ready`; its head is then dequeued
    virtual Priority Select(PrioritySet ready, const EgressQueues& queues) = 0;

    /// The queue of a class has become empty.
    virtual void NotifyEmpty(Priority priority);

    /// Reserves a share of the port for a class, while it and one other class have frames. Called
    /// before the first frame.
    /// @param share of the bytes, above 0 and below 1
    /// @return why that is impossible, as the end of a sentence; nothing on success
    virtual std::optional<std::string> SetShare(Priority priority, double share);
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

    Priority Select(PrioritySet ready, const EgressQueues& queues) override;
    void NotifyEmpty(Priority priority) override;
    std::optional<std::string> SetShare(Priority priority, double share) override;

  private:
    /// @param list "Quanta": one per class, separated by commas; empty: "Quantum"
    void SetQuanta(const std::string& list);
    std::string GetQuanta() const;

    /// @return bytes that a class may send per round
    uint32_t GetQuantum(uint8_t priority) const
    {
        return m_quanta.empty() ? m_quantum : m_quanta[priority];
    }

    PrioritySet m_strict{0}; ///< classes with strict priority
    uint8_t m_current{0};
    uint32_t m_quantum{0}; ///< bytes per round, all classes
    std::array<uint32_t, NUM_PRIORITIES>
        m_deficit{};                ///< bytes that a class may still send this round
    std::vector<uint32_t> m_quanta; ///< by class, instead of m_quantum; or empty
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CLASS_SCHEDULER_H */
