// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SHP_SWITCH_NODE_H
#define LOSSLESS_SHP_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A switch with a shared headroom pool, as operators run them: PFC over a buffer policy whose
 * headroom comes from one pool for all queues.
 */
class ShpSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    ShpSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SHP_SWITCH_NODE_H */
