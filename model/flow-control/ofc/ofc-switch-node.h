// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OFC_SWITCH_NODE_H
#define LOSSLESS_OFC_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/// @ingroup lossless An OFC switch, which stops individual flows: OfcFlowControl over static
/// thresholds (StaticBufferPolicy by default), with egress queues in which frames can overtake
/// stopped ones, and with gates that distinguish flows at the switch and its hosts.
class OfcSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    OfcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_SWITCH_NODE_H */
