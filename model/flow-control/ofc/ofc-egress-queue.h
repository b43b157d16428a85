// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OFC_EGRESS_QUEUE_H
#define LOSSLESS_OFC_EGRESS_QUEUE_H

#include "ofc-gate.h"

#include "ns3/egress-queue.h"

#include <array>
#include <optional>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Three FIFO queues that let frames overtake those of stopped flows while every flow keeps its
 * order (OFC, Sec. III): one for arrivals, two to set stopped frames aside.
 *
 * One of these two collects. When the neighbour resumes flows, a mark is appended to what it has
 * collected, and until the mark comes out, the queue is served before the arrivals; frames of it
 * that are still stopped move to the other queue, which collects from then on. Resumes in the
 * meantime append their own marks; a flow with a frame in the other queue waits for those, lest its
 * next frames overtake it. (The paper rotates three indices and overlooks this; see
 * doc/schemes.rst.)
 */
class OfcEgressQueue : public EgressQueue
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Sets the gate of the port and the class of the queue; called once, before the first frame.
    void Attach(Ptr<const OfcGate> gate, Priority priority);

    void Enqueue(SwitchItem&& item) override;
    bool Prepare(const Permit& permit) override;
    const SwitchItem* Peek() override;
    SwitchItem Dequeue() override;
    bool IsEmpty() const override;
    void ForEach(const ItemVisitor& visitor) const override;
    std::vector<SwitchItem> TakeAll() override;

  protected:
    void DoDispose() override;

  private:
    /// A frame that was set aside, or a mark if empty.
    using Entry = std::optional<SwitchItem>;

    RingBuffer<Entry>& Filling()
    {
        return m_aside[m_filling];
    }

    RingBuffer<Entry>& Other()
    {
        return m_aside[1 - m_filling];
    }

    /// Appends marks for the resumes since the last call.
    void PutMarks();
    /// Removes from the queue being emptied everything ahead of the first frame that may leave.
    /// @return whether there is such a frame; if not, the queue is empty
    bool Drain(const Permit& permit);
    /// Handles a mark that has come out: what follows waits for the next one.
    void EndDrain();

    Ptr<const OfcGate> m_gate;                ///< of the port
    Priority m_priority{0};                   ///< class of this queue
    RingBuffer<SwitchItem> m_arrivals;        ///< in order of arrival
    std::array<RingBuffer<Entry>, 2> m_aside; ///< frames of stopped flows
    std::size_t m_filling{0}; ///< index of the queue that collects, and is emptied first
    uint64_t m_resumes{0};    ///< of the gate, so far
    uint64_t m_marks{0};      ///< marks that have not come out
    OfcGate::Flows m_skipped; ///< flows with frames that this emptying has set aside again
    std::size_t m_frames{0};  ///< in all three queues
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_EGRESS_QUEUE_H */
