// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BFC_SWITCH_NODE_H
#define LOSSLESS_BFC_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The switch of BFC, which stops single flows hop by hop: BfcFlowControl over dynamic thresholds
 * (SihBufferPolicy, unless it is given another policy), physical queues for flows, and gates that
 * know flows, also at its hosts.
 */
class BfcSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    BfcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_SWITCH_NODE_H */
