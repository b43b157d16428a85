// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NO_FLOW_CONTROL_SWITCH_NODE_H
#define LOSSLESS_NO_FLOW_CONTROL_SWITCH_NODE_H

#include "drop-tail-buffer-policy.h"

#include "ns3/switch-node.h"
#include "ns3/unlimited-buffer-policy.h"

namespace ns3::lossless
{

/// @ingroup lossless
/// A lossy switch without flow control. Egress queues drop frames that exceed their limit.
class DropTailSwitchNode : public SwitchOf<DropTailBufferPolicy>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

/// @ingroup lossless
/// A switch that stores every frame and never stops a neighbour. It serves as the infinite-buffer
/// baseline.
class InfiniteBufferSwitchNode : public SwitchOf<UnlimitedBufferPolicy>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_NO_FLOW_CONTROL_SWITCH_NODE_H */
