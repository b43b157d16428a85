// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PABO_EGRESS_QUEUE_H
#define LOSSLESS_PABO_EGRESS_QUEUE_H

#include "ns3/egress-queue.h"

namespace ns3::lossless
{

/// @ingroup lossless
/// The two sub-queues of PABO (Sec. II-E). Frames that have been sent back leave first to
/// compensate for their detour.
class PaboEgressQueue : public EgressQueue
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    void Enqueue(SwitchItem&& item) override;
    const SwitchItem* Peek() override;
    SwitchItem Dequeue() override;
    bool IsEmpty() const override;
    void ForEach(const ItemVisitor& visitor) const override;

  private:
    RingBuffer<SwitchItem>& GetServed();

    RingBuffer<SwitchItem> m_bounced; ///< the frames that have been sent back, in FIFO order
    RingBuffer<SwitchItem> m_normal;  ///< the frames that have not been sent back, in FIFO order
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_EGRESS_QUEUE_H */
