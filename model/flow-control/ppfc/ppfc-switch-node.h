// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PPFC_SWITCH_NODE_H
#define LOSSLESS_PPFC_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The switch of P-PFC: PpfcFlowControl over static thresholds.
 */
class PpfcSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    PpfcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PPFC_SWITCH_NODE_H */
