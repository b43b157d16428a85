// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-flow-control.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PfcFlowControl);

namespace
{

/// What a full frame has on the wire beyond its payload: Ethernet header, preamble, FCS and gap.
constexpr uint32_t FRAMING_BYTES = 14 + 24;
/// A PFC frame on the wire.
constexpr uint32_t PFC_WIRE_BYTES = PFC_FRAME_BYTES + 24;

/// Adds a value to a list or takes it out of it. @param list values @param value one
/// @param present whether it shall be there
template <typename T>
void
SetMember(std::vector<T>& list, T value, bool present)
{
    if (present)
    {
        list.push_back(value);
    }
    else
    {
        list.erase(std::find(list.begin(), list.end(), value));
    }
}

} // namespace

TypeId
PfcFlowControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::PfcFlowControl")
            .SetParent<FlowControl>()
            .SetGroupName("Lossless")
            .AddConstructor<PfcFlowControl>()
            .AddAttribute("PauseQuanta",
                          "Time that each PAUSE asks for, in quanta of 512 bit times of the link; "
                          "it is refreshed after half of it (default: the longest possible), in "
                          "which a refresh must get past a full frame.",
                          UintegerValue(0xffff),
                          MakeUintegerAccessor(&PfcFlowControl::m_pauseQuanta),
                          MakeUintegerChecker<uint16_t>(1))
            .AddTraceSource("QueueState",
                            "An ingress queue stops or restarts its neighbour.",
                            MakeTraceSourceAccessor(&PfcFlowControl::m_queueStateTrace),
                            "ns3::lossless::PfcFlowControl::QueueStateTracedCallback")
            .AddTraceSource("PortState",
                            "An ingress port stops or restarts its neighbour as a whole.",
                            MakeTraceSourceAccessor(&PfcFlowControl::m_portStateTrace),
                            "ns3::lossless::PfcFlowControl::PortStateTracedCallback")
            .AddTraceSource("FrameSent",
                            "A PFC frame is handed to a port, refreshes included.",
                            MakeTraceSourceAccessor(&PfcFlowControl::m_frameSentTrace),
                            "ns3::lossless::PfcFlowControl::FrameSentTracedCallback");
    return tid;
}

void
PfcFlowControl::DoDispose()
{
    for (EventId& refresh : m_refreshes)
    {
        refresh.Cancel();
    }
    FlowControl::DoDispose();
}

std::optional<std::string>
PfcFlowControl::Configure(const SwitchShape& shape)
{
    for (std::size_t port = 0; port < shape.ports.size(); ++port)
    {
        const uint32_t bytes = shape.ports[port].mtu + FRAMING_BYTES + PFC_WIRE_BYTES;
        const uint32_t needed = (2 * 8 * bytes + PAUSE_QUANTUM_BITS - 1) / PAUSE_QUANTUM_BITS;
        if (m_pauseQuanta < needed)
        {
            std::ostringstream message;
            message << "PauseQuanta is " << m_pauseQuanta
                    << ", but a refresh that waits for a full "
                    << "frame of port " << port << " (MTU " << shape.ports[port].mtu
                    << " B) is in time only from " << needed << " on";
            return message.str();
        }
    }
    return std::nullopt;
}

bool
PfcFlowControl::IsLossless() const
{
    return true;
}

void
PfcFlowControl::OnEnqueue(const SwitchItem& item)
{
    if (!Contains(Services().GetShape().lossless, item.frame.priority))
    {
        return;
    }
    const QueueId queue = item.GetIngressQueue();
    if (!Services().GetBuffer().GetIngress(queue).paused && Assess(queue) == Demand::PAUSE)
    {
        SetQueuePaused(queue, true);
    }
    if (!Services().GetBuffer().GetIngressPort(item.ingress).paused &&
        AssessPort(item.ingress) == Demand::PAUSE)
    {
        SetPortPaused(item.ingress, true);
    }
}

void
PfcFlowControl::OnRelease(const SwitchItem& /* item */)
{
    // Backwards, since restarting takes the entry out.
    for (std::size_t i = m_paused.size(); i-- > 0;)
    {
        if (Assess(m_paused[i]) == Demand::RESUME)
        {
            SetQueuePaused(m_paused[i], false);
        }
    }
    for (std::size_t i = m_pausedPorts.size(); i-- > 0;)
    {
        if (AssessPort(m_pausedPorts[i]) == Demand::RESUME)
        {
            SetPortPaused(m_pausedPorts[i], false);
        }
    }
}

void
PfcFlowControl::OnLinkUp(PortId port)
{
    Refresh(port);
}

PfcFlowControl::Demand
PfcFlowControl::Assess(QueueId queue) const
{
    const SharedBuffer& buffer = Services().GetBuffer();
    return Compare(buffer.GetIngress(queue).shared,
                   Services().GetPolicy().GetThresholds(buffer, queue));
}

PfcFlowControl::Demand
PfcFlowControl::AssessPort(PortId port) const
{
    const SharedBuffer& buffer = Services().GetBuffer();
    const auto thresholds = Services().GetPolicy().GetPortThresholds(buffer, port);
    if (!thresholds)
    {
        return Demand::KEEP;
    }
    uint64_t occupancy = 0;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(Services().GetShape().lossless, Priority{p}))
        {
            occupancy += buffer.GetIngress({port, Priority{p}}).shared;
        }
    }
    return Compare(occupancy, thresholds);
}

PfcFlowControl::Demand
PfcFlowControl::Compare(uint64_t occupancy, const std::optional<Thresholds>& thresholds)
{
    if (!thresholds)
    {
        return Demand::KEEP;
    }
    if (thresholds->headroomInUse || occupancy > thresholds->xoff)
    {
        return Demand::PAUSE;
    }
    return occupancy < thresholds->xon ? Demand::RESUME : Demand::KEEP;
}

void
PfcFlowControl::SetQueuePaused(QueueId queue, bool paused)
{
    Services().GetBuffer().SetPaused(queue, paused);
    SetMember(m_paused, queue, paused);
    UpdateWatching();
    m_queueStateTrace(queue, paused);
    SendPfc(queue.port, SetOf(queue.priority), paused ? m_pauseQuanta : 0);
    ScheduleRefresh(queue.port);
}

void
PfcFlowControl::SetPortPaused(PortId port, bool paused)
{
    Services().GetBuffer().SetPortPaused(port, paused);
    SetMember(m_pausedPorts, port, paused);
    UpdateWatching();
    m_portStateTrace(port, paused);
    SendPfc(port, ALL_PRIORITIES, paused ? m_pauseQuanta : 0);
    ScheduleRefresh(port);
}

void
PfcFlowControl::SendPfc(PortId port, PrioritySet classes, uint16_t quanta)
{
    PfcHeader pfc;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(classes, Priority{p}))
        {
            pfc.SetQuanta(Priority{p}, quanta);
        }
    }
    m_frameSentTrace(port, pfc);
    Services().SendControl(port, MakePfcFrame(Services().GetAddress(port), pfc));
}

void
PfcFlowControl::Refresh(PortId port)
{
    if (Services().GetBuffer().GetIngressPort(port).paused)
    {
        SendPfc(port, ALL_PRIORITIES, m_pauseQuanta);
    }
    PrioritySet classes = GetPausedClasses(port);
    if (classes == ALL_PRIORITIES)
    {
        // All eight in one frame would be a PAUSE of the port, which is another matter.
        const PrioritySet half = 0x0f;
        SendPfc(port, half, m_pauseQuanta);
        classes &= ~half;
    }
    if (classes)
    {
        SendPfc(port, classes, m_pauseQuanta);
    }
    ScheduleRefresh(port);
}

void
PfcFlowControl::ScheduleRefresh(PortId port)
{
    m_refreshes.resize(std::max(m_refreshes.size(), Index(port) + 1));
    EventId& refresh = m_refreshes[Index(port)];
    const bool needed =
        Services().GetBuffer().GetIngressPort(port).paused || GetPausedClasses(port) != 0;
    if (!needed)
    {
        refresh.Cancel();
    }
    else if (!refresh.IsRunning())
    {
        const DataRate rate = Services().GetShape().ports[Index(port)].rate;
        // Half of the pause: a refresh may have to wait for the frame on the wire.
        const uint32_t bits = m_pauseQuanta * PAUSE_QUANTUM_BITS / 2;
        refresh = Simulator::Schedule(rate.CalculateBitsTxTime(bits),
                                      &PfcFlowControl::Refresh,
                                      this,
                                      port);
    }
}

PrioritySet
PfcFlowControl::GetPausedClasses(PortId port)
{
    PrioritySet classes = 0;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Services().GetBuffer().GetIngress({port, Priority{p}}).paused)
        {
            classes |= SetOf(Priority{p});
        }
    }
    return classes;
}

void
PfcFlowControl::UpdateWatching()
{
    SetWatchingReleases(!m_paused.empty() || !m_pausedPorts.empty());
}

} // namespace ns3::lossless
