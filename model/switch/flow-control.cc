// SPDX-License-Identifier: GPL-2.0-only
#include "flow-control.h"

#include "ns3/abort.h"
#include "ns3/egress-queue.h"
#include "ns3/log.h"
#include "ns3/make-type-id.h"
#include "ns3/simulator.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessFlowControl");

NS_OBJECT_ENSURE_REGISTERED(FlowControl);

namespace
{

/// Records that a neighbour has been stopped or resumed.
template <typename STOPS, typename ID>
void
Note(STOPS& stops, ID id, bool stopped)
{
    if (stopped)
    {
        stops.push_back({id, Simulator::Now()});
    }
    else
    {
        const auto isIt = [id](const auto& stop) { return stop.id == id; };
        const auto found = std::find_if(stops.begin(), stops.end(), isIt);
        NS_ABORT_MSG_IF(found == stops.end(),
                        "FlowControl: a scheme restarts what it has not stopped.");
        stops.erase(found);
    }
}

[[maybe_unused]] std::string
Describe(const std::optional<Thresholds>& thresholds)
{
    return thresholds ? "XOFF " + std::to_string(thresholds->xoff) + " B, XON " +
                            std::to_string(thresholds->xon) + " B"
                      : "no thresholds";
}

} // namespace

TypeId
FlowControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<FlowControl, Object>("FlowControl")
            .AddTraceSource("QueueState",
                            "An ingress queue stops or restarts its neighbour.",
                            MakeTraceSourceAccessor(&FlowControl::m_queueStateTrace),
                            "ns3::lossless::FlowControl::QueueStateTracedCallback")
            .AddTraceSource("PortState",
                            "An ingress port stops or restarts its neighbour as a whole.",
                            MakeTraceSourceAccessor(&FlowControl::m_portStateTrace),
                            "ns3::lossless::FlowControl::PortStateTracedCallback")
            .AddTraceSource("FlowState",
                            "An ingress queue stops or restarts a single flow of its neighbour.",
                            MakeTraceSourceAccessor(&FlowControl::m_flowStateTrace),
                            "ns3::lossless::FlowControl::FlowStateTracedCallback")
            .AddTraceSource("TimedPause",
                            "An ingress queue stops its neighbour for a time.",
                            MakeTraceSourceAccessor(&FlowControl::m_timedPauseTrace),
                            "ns3::lossless::FlowControl::TimedPauseTracedCallback")
            .AddTraceSource("ControlSent",
                            "A control frame of the scheme, or a refresh of one, starts to leave.",
                            MakeTraceSourceAccessor(&FlowControl::m_controlSentTrace),
                            "ns3::lossless::FlowControl::ControlSentTracedCallback");
    return tid;
}

void
FlowControl::Attach(SwitchServices* services,
                    SharedBuffer* buffer,
                    BufferPolicy* policy,
                    const SwitchShape* shape)
{
    m_services = services;
    m_buffer = buffer;
    m_policy = policy;
    m_shape = shape;
    m_stoppedFlows.resize(shape->ports.size() * NUM_PRIORITIES);
}

void
FlowControl::DoDispose()
{
    m_services = nullptr;
    m_buffer = nullptr;
    m_policy = nullptr;
    m_shape = nullptr;
    Object::DoDispose();
}

Ptr<TransmitGate>
FlowControl::CreateGate(PortId /* port */, const LosslessNetDevice& /* device */)
{
    return nullptr;
}

Ptr<TransmitGate>
FlowControl::CreateHostGate(const LosslessNetDevice& /* device */) const
{
    return nullptr;
}

void
FlowControl::PrepareHost(Ptr<LosslessNetDevice> /* device */) const
{
}

Ptr<EgressQueue>
FlowControl::CreateEgressQueue(QueueId /* queue */)
{
    return nullptr;
}

void
FlowControl::OnRefusal(const SwitchItem& item)
{
    OnRelease(item, NowInTicks());
}

void
FlowControl::OnDiscard(const SwitchItem& item)
{
    OnRelease(item, NowInTicks());
}

Ptr<Packet>
FlowControl::MakeControl(PortId port)
{
    Ptr<Packet> frame = DoMakeControl(port);
    if (frame)
    {
        m_controlSentTrace(port, frame);
    }
    return frame;
}

void
FlowControl::SetStopped(QueueId queue, bool stopped)
{
    NS_LOG_DEBUG("port " << Index(queue.port) << " class " << Index(queue.priority)
                         << (stopped ? " stops" : " restarts") << ": shared "
                         << m_buffer->GetIngress(queue).shared << " B, headroom "
                         << m_buffer->GetIngress(queue).headroom << " B, "
                         << Describe(m_policy->GetThresholds(*m_buffer, queue)));
    m_buffer->SetPaused(queue, stopped);
    Note(m_stoppedQueues, queue, stopped);
    m_queueStateTrace(queue, stopped);
    Services().RequestControl(queue.port);
    WatchHolding();
}

void
FlowControl::SetPortStopped(PortId port, bool stopped)
{
    NS_LOG_DEBUG("port " << Index(port) << (stopped ? " stops" : " restarts")
                         << " as a whole: shared " << m_buffer->GetIngressPort(port).shared
                         << " B, headroom " << m_buffer->GetIngressPort(port).headroom << " B, "
                         << Describe(m_policy->GetPortThresholds(*m_buffer, port)));
    m_buffer->SetPortPaused(port, stopped);
    Note(m_stoppedPorts, port, stopped);
    m_portStateTrace(port, stopped);
    Services().RequestControl(port);
    WatchHolding();
}

void
FlowControl::SetFlowsStopped(QueueId queue, const std::vector<uint64_t>& flows, bool stopped)
{
    if (flows.empty())
    {
        return;
    }
    uint32_t& ofQueue = m_stoppedFlows[Index(queue)];
    NS_ABORT_MSG_IF(!stopped && ofQueue < flows.size(),
                    "FlowControl: a scheme restarts flows that it has not stopped.");
    ofQueue = stopped ? ofQueue + flows.size() : ofQueue - flows.size();
    m_allStoppedFlows =
        stopped ? m_allStoppedFlows + flows.size() : m_allStoppedFlows - flows.size();
    for (const uint64_t flow : flows)
    {
        NS_LOG_DEBUG("port " << Index(queue.port) << " class " << Index(queue.priority)
                             << (stopped ? " stops" : " restarts") << " flow " << flow);
        m_flowStateTrace(queue, flow, stopped);
    }
    Services().RequestControl(queue.port);
    WatchHolding();
}

void
FlowControl::PauseFor(QueueId queue, Time length)
{
    NS_LOG_DEBUG("port " << Index(queue.port) << " class " << Index(queue.priority) << " stops for "
                         << length.As(Time::NS));
    m_timedPauseTrace(queue, length);
    Services().RequestControl(queue.port);
}

void
FlowControl::NoteHolding(QueueId queue, bool holding)
{
    NS_LOG_DEBUG("port " << Index(queue.port) << " class " << Index(queue.priority)
                         << (holding ? " is held" : " is not held any more"));
    NS_ABORT_MSG_IF(!holding && m_heldQueues == 0,
                    "FlowControl: a scheme lets a queue go that it has not held.");
    m_heldQueues = holding ? m_heldQueues + 1 : m_heldQueues - 1;
    m_queueStateTrace(queue, holding);
    WatchHolding();
}

bool
FlowControl::IsHolding(QueueId queue) const
{
    return m_buffer->GetIngress(queue).paused || IsHoldingPort(queue.port) ||
           m_stoppedFlows[Index(queue)] > 0;
}

bool
FlowControl::IsHoldingPort(PortId port) const
{
    return m_buffer->GetIngressPort(port).paused;
}

uint64_t
FlowControl::GetFlowOf(const Frame& frame) const
{
    return frame.flowHash;
}

void
FlowControl::Watch(bool& claim, bool on)
{
    if (claim == on)
    {
        return;
    }
    const bool before = IsWatching();
    claim = on;
    m_claims = on ? m_claims + 1 : m_claims - 1;
    if (IsWatching() != before)
    {
        Services().NotifyWatching();
    }
}

void
FlowControl::WatchHolding()
{
    Watch(m_isHolding,
          !m_stoppedQueues.empty() || !m_stoppedPorts.empty() || m_allStoppedFlows > 0 ||
              m_heldQueues > 0);
}

} // namespace ns3::lossless
