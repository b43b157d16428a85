// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BOTH_QUEUES_FLOW_CONTROL_H
#define LOSSLESS_BOTH_QUEUES_FLOW_CONTROL_H

#include "ns3/pfc-flow-control.h"
#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * PFC that considers both queues of a frame: a neighbour is stopped when its ingress queue is above
 * XOFF and one of its frames joins a long egress queue. OFC describes the baselines that it calls
 * caPFC and P-PFC in this way (OFC, Sec. IV-A4 and V): the trigger of PFC is changed "to include
 * both". They differ in which egress queue is long.
 *
 * An ingress queue above XOFF whose frames go to short egress queues continues in the shared
 * buffer; a frame that only fits into its headroom stops it in any case, so that nothing is lost.
 * It restarts below XON, as under PFC.
 */
class BothQueuesFlowControl : public PfcFlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void OnEnqueue(const SwitchItem& item) override;

  private:
    Demand Assess(QueueId queue) const override;

    /// Whether an egress queue is so long that its contributors may be stopped.
    virtual bool IsLong(QueueId queue) const = 0;
};

/// @ingroup lossless
/// caPFC as OFC describes it: an egress queue is long above a fixed threshold.
class CapfcBothFlowControl : public BothQueuesFlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

  private:
    bool IsLong(QueueId queue) const override;

    uint64_t m_egressXoff{0}; ///< from which an egress queue is long, bytes
};

/// @ingroup lossless
/// P-PFC as OFC describes it: an egress queue is long above the mean of those of its class.
class PpfcBothFlowControl : public BothQueuesFlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

  private:
    bool IsLong(QueueId queue) const override;
};

/// @ingroup lossless
/// Switch of caPFC as OFC describes it: CapfcBothFlowControl over static thresholds.
class CapfcBothSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CapfcBothSwitchNode();
};

/// @ingroup lossless
/// Switch of P-PFC as OFC describes it: PpfcBothFlowControl over static thresholds.
class PpfcBothSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    PpfcBothSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BOTH_QUEUES_FLOW_CONTROL_H */
