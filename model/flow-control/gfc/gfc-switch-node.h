// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GFC_SWITCH_NODE_H
#define LOSSLESS_GFC_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

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

  private:
    Ptr<TransmitGate> CreateGate(std::optional<PortId> port) const override;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GFC_SWITCH_NODE_H */
