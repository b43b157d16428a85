// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CBFC_SWITCH_NODE_H
#define LOSSLESS_CBFC_SWITCH_NODE_H

#include "cbfc-settings.h"

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A switch with credit-based flow control on each link (CBFC of Ultra Ethernet). Hosts behind it
 * have the same on their end. Each end of a link takes the settings of the other one's switch for
 * what it sends, as LLDP would tell them.
 */
class CbfcSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CbfcSwitchNode();

  private:
    Ptr<TransmitGate> CreateGate(Ptr<LosslessNetDevice> device,
                                 std::optional<PortId> port) const override;
    void PrepareHost(Ptr<LosslessNetDevice> device) const override;

    /// @return the settings of this switch, known before it is initialised
    CbfcSettings GetSettings() const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_SWITCH_NODE_H */
