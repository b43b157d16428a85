// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PABO_SWITCH_NODE_H
#define LOSSLESS_PABO_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/// @ingroup lossless
/// A switch that sends frames back to their previous hop instead of dropping them (Shi et al.,
/// PABO). The memory is divided only by limits on the queues. Each egress queue has a sub-queue for
/// frames that have been sent back, and each host has a PaboHost.
class PaboSwitchNode : public SwitchNode
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    PaboSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_SWITCH_NODE_H */
