// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OFC_SWITCH_NODE_H
#define LOSSLESS_OFC_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The switch of OFC, which stops single flows: OfcFlowControl over static thresholds
 * (StaticBufferPolicy, unless it is given another policy), egress queues in which frames pass those
 * that are stopped, and gates that know flows, also at its hosts.
 */
class OfcSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    OfcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_SWITCH_NODE_H */
