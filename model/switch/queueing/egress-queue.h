// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EGRESS_QUEUE_H
#define LOSSLESS_EGRESS_QUEUE_H

#include "ns3/object.h"
#include "ns3/ring-buffer.h"
#include "ns3/switch-item.h"
#include "ns3/transmit-gate.h"

#include <array>
#include <vector>

namespace ns3::lossless
{

template <typename BASE>
struct PartOf; // declared in part-registry.h

/**
 * @ingroup lossless
 * A queue of the frames of one traffic class at one egress port. The scheme determines their order.
 */
class EgressQueue : public Object
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Stores a frame.
    virtual void Enqueue(SwitchItem&& item) = 0;

    /// @return the next frame to leave, or null if the queue has no such frame
    virtual const SwitchItem* Peek() = 0;

    /// Called when the class is open but individual frames may have to wait. A queue in which
    /// frames can overtake each other (such as one with a queue per flow) selects a frame for
    /// Peek() that can be sent. A FIFO queue waits until its first frame can be sent.
    /// @return whether the frame returned by Peek() can be sent
    virtual bool Prepare(const Permit& permit);

    /// Removes and returns the frame returned by Peek().
    virtual SwitchItem Dequeue() = 0;

    /// @return whether the queue contains no frames, not even frames held back
    virtual bool IsEmpty() const = 0;

    /// Calls the visitor with all frames, including frames held back, in any order.
    virtual void ForEach(const ItemVisitor& visitor) const = 0;

    /// Removes all frames. This implementation calls Dequeue() and is for queues that hold back no
    /// frames.
    /// @return all frames, including frames held back, in any order; they are moved, because
    /// copying a frame would build its packet
    virtual std::vector<SwitchItem> TakeAll();
};

/**
 * @ingroup lossless
 * A FIFO queue.
 */
class FifoEgressQueue : public EgressQueue
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
    RingBuffer<SwitchItem> m_items; ///< the frames in order of arrival
};

/// The current state of an egress queue.
enum class EgressState : uint8_t
{
    EMPTY,   ///< no frame waits, but one can be on the wire
    READY,   ///< a frame can be sent
    BLOCKED, ///< frames wait, but none of them can be sent
};

/// The queues of one egress port, one for each class.
using EgressQueues = std::array<Ptr<EgressQueue>, NUM_PRIORITIES>;

/// Describes a type of egress queue that `--egress-queue` can select.
using EgressQueueInfo = PartOf<EgressQueue>;

} // namespace ns3::lossless

#endif /* LOSSLESS_EGRESS_QUEUE_H */
