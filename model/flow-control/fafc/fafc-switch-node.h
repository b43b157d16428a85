// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAFC_SWITCH_NODE_H
#define LOSSLESS_FAFC_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A FAFC switch. It uses FafcFlowControl and, as a fallback, PFC over dynamic thresholds (FAFC,
 * Sec. II-E).
 *
 * In the paper, ingress ports are served fairly (Sec. IV), so FairEgressQueue is the default
 * EgressQueue.
 */
class FafcSwitchNode : public SwitchNode
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    FafcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAFC_SWITCH_NODE_H */
