// SPDX-License-Identifier: GPL-2.0-only
#include "port-of-host.h"

#include "ns3/abort.h"
#include "ns3/switch-node.h"

namespace ns3::lossless
{

HostPort&
GetPortOfHost(Ptr<LosslessNetDevice> device, const std::string& user)
{
    Ptr<Node> node = device ? device->GetNode() : nullptr;
    NS_ABORT_MSG_IF(!node, user << ": Install() needs a device that is on a node.");
    // A switch takes its devices over when it is initialised; they have a HostPort until then.
    NS_ABORT_MSG_IF(DynamicCast<SwitchNode>(node) || !device->GetHostPort(),
                    user << ": port " << device->GetIfIndex() << " of node " << node->GetId()
                         << " is a port of a switch; Install() needs a device of a host.");
    return *device->GetHostPort();
}

} // namespace ns3::lossless
