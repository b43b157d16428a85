// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CBFC_SWITCH_NODE_H
#define LOSSLESS_CBFC_SWITCH_NODE_H

#include "cbfc-settings.h"

#include "ns3/switch-node.h"

namespace ns3::lossless
{

/// @ingroup lossless
/// A switch with credit-based flow control (CBFC of Ultra Ethernet) on all links, including links
/// to hosts.
class CbfcSwitchNode : public SwitchNode
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    CbfcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_SWITCH_NODE_H */
