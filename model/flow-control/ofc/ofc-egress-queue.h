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
 * Three FIFO queues that allow frames to overtake those of stopped flows without reordering any
 * flow (OFC, Sec. III). One queue is for arriving frames, and two are for stopped frames that are
 * set aside.
 *
 * At any time, stopped frames are added to one of these two queues. When the neighbour resumes
 * flows, a mark is appended to this queue. The queue is then served before the arrivals until the
 * mark is removed. Frames that are still stopped move to the other queue, to which stopped frames
 * are then added. If flows resume in the meantime, additional marks are appended. A flow with a
 * frame in the other queue waits for those marks, so that its subsequent frames cannot overtake
 * that frame. (The paper rotates three indices and overlooks this case; see doc/schemes.rst.)
 */
class OfcEgressQueue : public EgressQueue
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Sets the gate of the port and the class of the queue. Called once, before the first frame
    /// arrives.
    void Attach(Ptr<const OfcGate> gate, Priority priority);

    void Enqueue(SwitchItem&& item) override;
    bool Prepare(const Permit& permit) override;
    const SwitchItem* Peek() override;
    SwitchItem Dequeue() override;
    bool IsEmpty() const override;
    void ForEach(const ItemVisitor& visitor) const override;
    std::vector<SwitchItem> TakeAll() override;

  private:
    /// A frame that was set aside or, if unset, a mark.
    using Entry = std::optional<SwitchItem>;

    RingBuffer<Entry>& Filling()
    {
        return m_aside[m_filling];
    }

    RingBuffer<Entry>& Other()
    {
        return m_aside[1 - m_filling];
    }

    /// Appends a mark for each resume since the last call.
    void PutMarks();
    /// Drains the queue with the index m_filling up to the first frame that can be sent.
    /// @return whether a frame can be sent; if not, a mark is at the front of the queue
    bool Drain(const Permit& permit);
    /// Removes the mark at the front. The entries after it move to the other queue, which is
    /// drained next.
    void EndDrain();

    Ptr<const OfcGate> m_gate;                ///< the gate of the port
    Priority m_priority{0};                   ///< the class of this queue
    RingBuffer<SwitchItem> m_arrivals;        ///< the frames in order of arrival
    std::array<RingBuffer<Entry>, 2> m_aside; ///< the frames of stopped flows
    /// The index of the queue to which stopped frames are added and which is drained first.
    std::size_t m_filling{0};
    uint64_t m_resumes{0};    ///< the number of resumes handled so far
    uint64_t m_marks{0};      ///< the number of marks in the queues
    OfcGate::Flows m_skipped; ///< the flows whose frames have been set aside again
    std::size_t m_frames{0};  ///< the number of frames in all three queues
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_EGRESS_QUEUE_H */
