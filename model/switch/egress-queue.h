// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EGRESS_QUEUE_H
#define LOSSLESS_EGRESS_QUEUE_H

#include "switch-item.h"

#include "ns3/object.h"
#include "ns3/ring-buffer.h"

#include <array>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The frames of one traffic class that wait at one egress port, in the order a scheme wants.
 */
class EgressQueue : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @param item a frame to store
    virtual void Enqueue(SwitchItem item) = 0;

    /**
     * The frame that would leave next, when the class is open. A structure which holds some of
     * its frames back (per flow, say) may rearrange itself here.
     * @return the frame; null if none may leave
     */
    virtual const SwitchItem* Peek() = 0;

    /// @return whether Peek() may be null although the queue is not empty; never changes
    virtual bool MayHoldBack() const;

    /// @return what Peek() showed, removed
    virtual SwitchItem Dequeue() = 0;

    /// @return whether no frame is stored, held back or not
    virtual bool IsEmpty() const = 0;

    /// @return all frames, held back or not, in any order; none remains
    virtual std::vector<SwitchItem> TakeAll() = 0;
};

/**
 * @ingroup lossless
 * First in, first out.
 */
class FifoEgressQueue : public EgressQueue
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void Enqueue(SwitchItem item) override;
    const SwitchItem* Peek() override;
    SwitchItem Dequeue() override;
    bool IsEmpty() const override;
    std::vector<SwitchItem> TakeAll() override;

  private:
    RingBuffer<SwitchItem> m_items; ///< in the order of arrival
};

/// The queues of one egress port, by class.
using EgressQueues = std::array<Ptr<EgressQueue>, NUM_PRIORITIES>;

} // namespace ns3::lossless

#endif /* LOSSLESS_EGRESS_QUEUE_H */
