// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_SWITCH_NODE_H
#define LOSSLESS_PFC_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/// @ingroup lossless
/// A commodity switch: PFC combined with dynamic thresholds and static headroom (SIH).
class PfcSwitchNode : public SwitchNode
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    PfcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PFC_SWITCH_NODE_H */
