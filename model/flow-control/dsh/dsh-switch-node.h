// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DSH_SWITCH_NODE_H
#define LOSSLESS_DSH_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A switch with dynamic and shared headroom (Shan et al., DSH): PFC on the queue and on the port
 * level, over a buffer policy that keeps headroom inside the shared buffer.
 */
class DshSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    DshSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DSH_SWITCH_NODE_H */
