// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAFC_SWITCH_NODE_H
#define LOSSLESS_FAFC_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The switch of FAFC: FafcFlowControl, with PFC over dynamic thresholds beneath (FAFC, Sec. II-E).
 *
 * Its paper serves the ingress ports of an egress queue fairly (Sec. IV), so that it has
 * FairEgressQueue unless the attribute EgressQueue is set to another one.
 */
class FafcSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    FafcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAFC_SWITCH_NODE_H */
