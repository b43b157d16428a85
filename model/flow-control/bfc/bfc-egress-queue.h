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
 * The physical queues of one class at one egress port, served by deficit round robin. One whose
 * first frame is of a flow that the neighbour has stopped is passed over, with all that is behind.
 *
 * Who stores frames adds them to the table first, and removes them when they are gone.
 */
class BfcEgressQueue : public FairEgressQueue
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Called once, before the first frame. @param gate of the port @param hashing of flows
    void Attach(Ptr<const BfcGate> gate, const BfcHashing& hashing);

    /// @return the flows and their queues
    BfcFlowTable& Table()
    {
        return m_table;
    }

    /**
     * @param coming a frame that is in the table and not in its queue yet; null: none
     * @return the physical queues whose first frame the neighbour has not stopped, at least 1
     */
    uint32_t CountActive(const SwitchItem* coming) const;

    void Enqueue(SwitchItem&& item) override;

  protected:
    void DoDispose() override;

  private:
    /// @param item a frame in the table @return the index of its physical queue
    std::size_t FindQueue(const SwitchItem& item) const;

    Ptr<const BfcGate> m_gate; ///< of the port
    BfcHashing m_hashing;      ///< of flows
    BfcFlowTable m_table;      ///< of its flows
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_EGRESS_QUEUE_H */
