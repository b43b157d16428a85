// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BFC_EGRESS_QUEUE_H
#define LOSSLESS_BFC_EGRESS_QUEUE_H

#include "bfc-filter.h"
#include "bfc-flow-table.h"
#include "bfc-gate.h"

#include "ns3/fair-egress-queue.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The physical queues of one class at an egress port. They are served by deficit round robin. A
 * queue is skipped while its first frame belongs to a flow that the neighbour has stopped.
 *
 * The caller must add a frame to the flow table before enqueueing it and remove the frame from the
 * table after it has left.
 */
class BfcEgressQueue : public FairEgressQueue
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Sets the gate of the port and the flow hashing. Called once, before the first frame arrives.
    void Attach(Ptr<const BfcGate> gate, const BfcHashing& hashing);

    /// Returns the table of flows and physical queues.
    BfcFlowTable& Table()
    {
        return m_table;
    }

    /// Returns the number of physical queues whose first frame can be sent, or 1 if there is no
    /// such queue.
    /// @param coming a frame that is in the flow table but not yet in a queue, or null
    uint32_t CountActive(const SwitchItem* coming) const;

    void Enqueue(SwitchItem&& item) override;

  private:
    /// Returns the index of the physical queue assigned to a frame that is in the table.
    std::size_t FindQueue(const SwitchItem& item) const;

    Ptr<const BfcGate> m_gate; ///< the gate of the port
    BfcHashing m_hashing;      ///< the hashing of flows
    BfcFlowTable m_table;      ///< the flows and their physical queues
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_EGRESS_QUEUE_H */
