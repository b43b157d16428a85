// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GFC_FLOW_CONTROL_H
#define LOSSLESS_GFC_FLOW_CONTROL_H

#include "ns3/pfc-flow-control.h"
#include "ns3/switch-node.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * GFC, as OFC and FAFC describe it in a sentence each: below XOFF the neighbour of an ingress queue
 * is slowed down step by step.
 *
 * Stage k begins at XOFF - (XOFF - "FirstStage") / 2^(k - 1) bytes and halves the rate k times.
 * With "FinalStop" a PAUSE follows at XOFF, as OFC's GFC must have, since it can lock; without, the
 * rate is never zero, and the buffer above the last stage must take what comes. Where dynamic
 * thresholds let XOFF fall to "FirstStage" or below, there is that PAUSE alone, or without it the
 * last stage from XOFF on.
 */
class GfcFlowControl : public PfcFlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    Ptr<TransmitGate> CreateGate(PortId port, const LosslessNetDevice& device) override;
    Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& device) const override;
    void OnArrival(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;
    void OnLinkUp(PortId port) override;

    /// @param queue an ingress queue @return the stage that it is in by its length
    uint8_t FindStage(QueueId queue) const;

  private:
    Ptr<Packet> DoMakeControl(PortId port) override;
    Demand Assess(QueueId queue) const override;

    /// Asks for the wire if there is a stage to be told. @param queue an ingress queue
    void Update(QueueId queue);

    uint64_t m_firstStage{0};    ///< where stage 1 begins, bytes
    uint8_t m_stages{0};         ///< how many there are
    bool m_finalStop{true};      ///< PAUSE at XOFF
    std::vector<uint8_t> m_told; ///< stage that its neighbour knows, by ingress queue
};

/**
 * @ingroup lossless
 * The switch of GFC: GfcFlowControl over static thresholds, and gates that pace, also at its hosts.
 */
class GfcSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    GfcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GFC_FLOW_CONTROL_H */
