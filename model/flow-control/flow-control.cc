// SPDX-License-Identifier: GPL-2.0-only
#include "flow-control.h"

#include "ns3/lossless-net-device.h"
#include "ns3/pause-gate.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(FlowControl);

TypeId
FlowControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::FlowControl")
                            .SetParent<Object>()
                            .SetGroupName("Lossless")
                            .AddConstructor<FlowControl>();
    return tid;
}

void
FlowControl::Attach(SwitchServices* services)
{
    m_services = services;
}

void
FlowControl::DoDispose()
{
    m_services = nullptr;
    Object::DoDispose();
}

std::optional<std::string>
FlowControl::Configure(const SwitchShape& /* shape */)
{
    return std::nullopt;
}

bool
FlowControl::IsLossless() const
{
    return false;
}

std::optional<DropReason>
FlowControl::Steer(SwitchItem& /* item */)
{
    return std::nullopt;
}

void
FlowControl::OnEnqueue(const SwitchItem& /* item */)
{
}

void
FlowControl::OnDequeue(SwitchItem& /* item */)
{
}

void
FlowControl::OnRelease(const SwitchItem& /* item */)
{
}

void
FlowControl::OnDiscard(const SwitchItem& item)
{
    OnRelease(item);
}

void
FlowControl::OnLinkUp(PortId /* port */)
{
}

Ptr<Packet>
FlowControl::MakeControl(PortId /* port */)
{
    return nullptr;
}

void
FlowControl::PrepareHost(Ptr<LosslessNetDevice> /* device */, Ipv4Address /* address */) const
{
}

int64_t
FlowControl::AssignStreams(int64_t /* stream */)
{
    return 0;
}

Ptr<TransmitGate>
FlowControl::CreateGate(PortId /* port */)
{
    return CreateObject<PauseGate>();
}

Ptr<EgressQueue>
FlowControl::CreateEgressQueue(QueueId /* queue */)
{
    return CreateObject<FifoEgressQueue>();
}

Ptr<EcnMarker>
FlowControl::CreateMarker(PortId /* port */)
{
    return nullptr;
}

} // namespace ns3::lossless
