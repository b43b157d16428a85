// SPDX-License-Identifier: GPL-2.0-only
#include "pabo-switch-node.h"

#include "pabo-egress-queue.h"
#include "pabo-flow-control.h"
#include "pabo-host.h"

#include "ns3/abort.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PaboSwitchNode);

const RegisterScheme<PaboSwitchNode> g_pabo("PABO", 50, [](SchemeInfo& scheme) {
    scheme.what = "frames are sent back to their previous hop instead of being dropped";
    scheme.hasOwnQueues = true;
    scheme.needsOnePath = true;
    scheme.keepsOrder = false;
    scheme.promise = Promise::NOTHING;
});

TypeId
PaboSwitchNode::GetTypeId()
{
    static TypeId tid = MakeTypeId<PaboSwitchNode, SwitchNode>("PaboSwitchNode");
    return tid;
}

PaboSwitchNode::PaboSwitchNode()
{
    SetFlowControl(CreateObject<PaboFlowControl>());
}

Ptr<EgressQueue>
PaboSwitchNode::CreateEgressQueue(QueueId /* queue */) const
{
    RequireUsualEgressQueue("PABO");
    return CreateObject<PaboEgressQueue>();
}

void
PaboSwitchNode::PrepareHost(Ptr<LosslessNetDevice> device) const
{
    if (!device->GetObject<PaboHost>())
    {
        CreateObject<PaboHost>()->Install(device);
    }
}

} // namespace ns3::lossless
