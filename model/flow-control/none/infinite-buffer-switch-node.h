// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INFINITE_BUFFER_SWITCH_NODE_H
#define LOSSLESS_INFINITE_BUFFER_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A switch that stores every frame and never stops a neighbour: the infinite-buffer baseline.
 */
class InfiniteBufferSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    InfiniteBufferSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_INFINITE_BUFFER_SWITCH_NODE_H */
