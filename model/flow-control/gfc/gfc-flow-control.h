// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GFC_FLOW_CONTROL_H
#define LOSSLESS_GFC_FLOW_CONTROL_H

#include "ns3/pfc-flow-control.h"
#include "ns3/static-buffer-policy.h"
#include "ns3/switch-node.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * GFC as outlined in the papers on OFC and FAFC: an ingress queue below XOFF slows its neighbour
 * down in steps.
 *
 * Stage k begins at XOFF - (XOFF - "FirstStage") / 2^(k - 1) bytes and halves the rate k times. If
 * "FinalStop" is set, a PAUSE follows at XOFF. The GFC of the OFC paper must include this PAUSE,
 * because, according to the paper, it can deadlock. Without the PAUSE, the rate never becomes zero,
 * and the buffer above the last stage must absorb the arriving frames. If dynamic thresholds reduce
 * XOFF to "FirstStage" or less, only the PAUSE or the last stage remains.
 */
class GfcFlowControl : public PfcFlowControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    Ptr<TransmitGate> CreateGate(PortId port, const LosslessNetDevice& device) override;
    Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& device) const override;
    void OnArrival(const SwitchItem& item) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;
    void OnLinkUp(PortId port) override;

    /// Returns the stage that corresponds to the length of an ingress queue.
    uint8_t FindStage(QueueId queue) const;

  private:
    Ptr<Packet> DoMakeControl(PortId port) override;
    Demand Assess(QueueId queue) const override;

    /// An ingress queue.
    struct Queue
    {
        uint8_t told{0};       ///< the stage last sent to the neighbour
        bool isWatched{false}; ///< whether releases are watched; see Watch()
    };

    /// Requests the wire if the stage of an ingress queue has changed.
    void Update(QueueId queue);
    /// Updates all ingress queues whose neighbours are slowed down.
    void UpdateSlowed();

    uint64_t m_firstStage{0};    ///< the queue length, in bytes, at which stage 1 begins
    uint8_t m_stages{0};         ///< the number of stages
    bool m_finalStop{true};      ///< whether to send a PAUSE at XOFF
    std::vector<Queue> m_queues; ///< the ingress queues, indexed by QueueId
};

/// @ingroup lossless
/// A GFC switch, which combines GfcFlowControl with static thresholds. The gates at the switch and
/// at its hosts pace frames.
class GfcSwitchNode : public SwitchOf<StaticBufferPolicy, GfcFlowControl>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GFC_FLOW_CONTROL_H */
