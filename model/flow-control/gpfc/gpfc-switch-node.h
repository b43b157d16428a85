// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GPFC_SWITCH_NODE_H
#define LOSSLESS_GPFC_SWITCH_NODE_H

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The switch of G-PFC: GpfcFlowControl over static thresholds.
 */
class GpfcSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    GpfcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GPFC_SWITCH_NODE_H */
