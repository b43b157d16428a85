// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BOTH_QUEUES_FLOW_CONTROL_H
#define LOSSLESS_BOTH_QUEUES_FLOW_CONTROL_H

#include "static-buffer-policy.h"

#include "ns3/pfc-flow-control.h"
#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * PFC that considers both queues of a frame: a neighbour is stopped if its ingress queue is above
 * XOFF and one of its frames joins a long egress queue. The OFC paper describes its baselines caPFC
 * and P-PFC in this way: PFC's trigger is changed "to include both" (OFC, Sec. IV-A4 and V). The
 * two baselines differ in which egress queues are considered long.
 *
 * If all frames of an ingress queue above XOFF join short egress queues, the ingress queue
 * continues to use the shared buffer. A frame that fits only into the headroom always stops the
 * neighbour, so no frame is lost. The neighbour resumes below XON, as in PFC.
 */
class BothQueuesFlowControl : public PfcFlowControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    void OnEnqueue(const SwitchItem& item) override;

  private:
    Demand Assess(QueueId queue) const override;

    /// Returns whether an egress queue is so long that its contributors should be stopped.
    virtual bool IsLong(QueueId queue) const = 0;
};

/// @ingroup lossless
/// caPFC as defined in the OFC paper: an egress queue is long if it reaches a fixed threshold.
class CapfcBothFlowControl : public BothQueuesFlowControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

  private:
    bool IsLong(QueueId queue) const override;

    uint64_t m_egressXoff{0}; ///< the length, in bytes, at which an egress queue becomes long
};

/// @ingroup lossless
/// P-PFC as defined in the OFC paper: an egress queue is long if it exceeds the mean length of the
/// egress queues of its class.
class PpfcBothFlowControl : public BothQueuesFlowControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

  private:
    bool IsLong(QueueId queue) const override;
};

/// @ingroup lossless
/// A switch with caPFC as defined in the OFC paper, which combines CapfcBothFlowControl with static
/// thresholds.
class CapfcBothSwitchNode : public SwitchOf<StaticBufferPolicy, CapfcBothFlowControl>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

/// @ingroup lossless
/// A switch with P-PFC as defined in the OFC paper, which combines PpfcBothFlowControl with static
/// thresholds.
class PpfcBothSwitchNode : public SwitchOf<StaticBufferPolicy, PpfcBothFlowControl>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BOTH_QUEUES_FLOW_CONTROL_H */
