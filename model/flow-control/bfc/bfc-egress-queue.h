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
 * The physical queues of one class at one egress port, served by deficit round robin. A queue whose
 * first frame belongs to a flow that the neighbour has stopped is skipped.
 *
 * The caller adds frames to the table before it stores them, and removes them once they have left.
 */
class BfcEgressQueue : public FairEgressQueue
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Sets the gate of the port and the hashing of flows; called once, before the first frame.
    void Attach(Ptr<const BfcGate> gate, const BfcHashing& hashing);

    /// Returns the flows and their queues.
    BfcFlowTable& Table()
    {
        return m_table;
    }

    /// Counts the physical queues whose first frame the neighbour has not stopped; at least 1.
    /// @param coming a frame that is in the table but not yet in its queue; null: none
    uint32_t CountActive(const SwitchItem* coming) const;

    void Enqueue(SwitchItem&& item) override;

  protected:
    void DoDispose() override;

  private:
    /// Returns the index of the physical queue of a frame in the table.
    std::size_t FindQueue(const SwitchItem& item) const;

    Ptr<const BfcGate> m_gate; ///< of the port
    BfcHashing m_hashing;      ///< of flows
    BfcFlowTable m_table;      ///< of its flows
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_EGRESS_QUEUE_H */
