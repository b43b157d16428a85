// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PABO_SWITCH_NODE_H
#define LOSSLESS_PABO_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A switch that sends frames back to their previous hop instead of dropping them (Shi et al.,
 * PABO), over a memory that only its queue limits divide. A Fabric gives its hosts a PaboHost
 * each; other hosts behind such a switch need one.
 */
class PaboSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    PaboSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_SWITCH_NODE_H */
