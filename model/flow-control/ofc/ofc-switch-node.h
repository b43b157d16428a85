// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OFC_SWITCH_NODE_H
#define LOSSLESS_OFC_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/// @ingroup lossless
/// An OFC switch, which stops individual flows. It combines OfcFlowControl, static thresholds
/// (StaticBufferPolicy by default) and egress queues in which frames can overtake stopped ones. The
/// gates at the switch and at its hosts distinguish flows.
class OfcSwitchNode : public SwitchNode
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    OfcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_SWITCH_NODE_H */
