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
struct PartOf; // part-registry.h

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
    virtual void Enqueue(SwitchItem&& item) = 0;

    /// @return the frame that would leave next; null: none
    virtual const SwitchItem* Peek() = 0;

    /**
     * The class may send, but single frames of it may have to wait. A structure which can let
     * others pass (a queue a flow, say) lets Peek() show one that may leave; a first-in first-out
     * queue waits with its first frame.
     * @param permit what may leave, frame by frame
     * @return whether what Peek() shows may
     */
    virtual bool Prepare(const Permit& permit);

    /// @return what Peek() showed, removed
    virtual SwitchItem Dequeue() = 0;

    /// @return whether no frame is stored, held back or not
    virtual bool IsEmpty() const = 0;

    /// @param visitor is called with all frames, held back or not, in any order
    virtual void ForEach(const ItemVisitor& visitor) const = 0;

    /// By Dequeue(), as queues can that hold nothing back. @return all frames, held back or not, in
    /// any order, moved, since a copy builds the packet; none remains
    virtual std::vector<SwitchItem> TakeAll();
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

    void Enqueue(SwitchItem&& item) override;
    const SwitchItem* Peek() override;
    SwitchItem Dequeue() override;
    bool IsEmpty() const override;
    void ForEach(const ItemVisitor& visitor) const override;

  private:
    RingBuffer<SwitchItem> m_items; ///< in the order of arrival
};

/// What an egress queue can do now.
enum class EgressState : uint8_t
{
    EMPTY,   ///< no frame waits; one may be on the wire
    READY,   ///< a frame may leave
    BLOCKED, ///< frames wait, and none may leave: the neighbour has stopped them
};

/// The queues of one egress port, by class.
using EgressQueues = std::array<Ptr<EgressQueue>, NUM_PRIORITIES>;

/// Of a structure of egress queues, for `--egress-queue`.
using EgressQueueInfo = PartOf<EgressQueue>;

} // namespace ns3::lossless

#endif /* LOSSLESS_EGRESS_QUEUE_H */
