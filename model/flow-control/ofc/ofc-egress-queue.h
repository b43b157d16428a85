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
 * Three first-in first-out queues, by which frames pass those whose flow is stopped while every
 * flow keeps its order (OFC, Sec. III): one for arrivals, two to set stopped frames aside.
 *
 * One of the latter collects. When the neighbour lets flows go on, a mark is put behind what it has
 * collected, and until the mark comes out, the queue is served before the arrivals; what of it is
 * still stopped goes to the other one, which collects from then on. Resumes that come meanwhile put
 * marks of their own behind; a flow of which a frame has gone to the other queue waits for those,
 * or else its next frames would overtake that one. (The paper rotates three indices, and overlooks
 * this; see doc/schemes.rst.)
 */
class OfcEgressQueue : public EgressQueue
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Called once, before the first frame. @param gate of the port
    /// @param priority class of this queue
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
    /// A frame that was set aside, or a mark.
    using Entry = std::optional<SwitchItem>;

    /// @return the queue that collects
    RingBuffer<Entry>& Filling()
    {
        return m_aside[m_filling];
    }

    /// @return the one that is to collect next
    RingBuffer<Entry>& Other()
    {
        return m_aside[1 - m_filling];
    }

    /// Puts marks for the resumes since the last time.
    void PutMarks();
    /// Takes out what the queue that is being emptied has before the first frame that may leave.
    /// @param permit what may leave @return whether there is such a frame; if not, it is emptied
    bool Drain(const Permit& permit);
    /// A mark has come out: what is behind it waits for the next one.
    void EndDrain();

    Ptr<const OfcGate> m_gate;                ///< of the port
    Priority m_priority{0};                   ///< class of this queue
    RingBuffer<SwitchItem> m_arrivals;        ///< in their order
    std::array<RingBuffer<Entry>, 2> m_aside; ///< frames of stopped flows
    std::size_t m_filling{0};                 ///< which of the two collects, and is emptied first
    uint64_t m_resumes{0};                    ///< of the gate, so far
    uint64_t m_marks{0};                      ///< that have not come out
    OfcGate::Flows m_skipped; ///< flows with frames that this emptying has put aside again
    std::size_t m_frames{0};  ///< in all three
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_EGRESS_QUEUE_H */
