// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BFC_SWITCH_NODE_H
#define LOSSLESS_BFC_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/// @ingroup lossless
/// A BFC switch. It combines BfcFlowControl, dynamic thresholds (SihBufferPolicy by default) and
/// physical queues. The gates at the switch and at its hosts distinguish flows.
class BfcSwitchNode : public SwitchNode
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    BfcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_SWITCH_NODE_H */
