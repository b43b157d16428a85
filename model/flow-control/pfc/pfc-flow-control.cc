// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-flow-control.h"

#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <sstream>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessPfcFlowControl");

NS_OBJECT_ENSURE_REGISTERED(PfcFlowControl);

namespace
{

/// What a full frame has on the wire beyond its payload: Ethernet header, preamble, FCS and gap.
constexpr uint32_t FRAMING_BYTES = ETHERNET_BYTES + WIRE_OVERHEAD_BYTES;
/// A PFC frame on the wire.
constexpr uint32_t PFC_WIRE_BYTES = PFC_FRAME_BYTES + WIRE_OVERHEAD_BYTES;

} // namespace

TypeId
PfcFlowControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::PfcFlowControl")
            .SetParent<ThresholdFlowControl>()
            .SetGroupName("Lossless")
            .AddConstructor<PfcFlowControl>()
            .AddAttribute("PauseQuanta",
                          "Time that each PAUSE asks for, in quanta of 512 bit times of the link; "
                          "it is refreshed after half of it (default: the longest possible), in "
                          "which a refresh must get past a full frame.",
                          UintegerValue(0xffff),
                          MakeUintegerAccessor(&PfcFlowControl::m_pauseQuanta),
                          MakeUintegerChecker<uint16_t>(1));
    return tid;
}

void
PfcFlowControl::DoDispose()
{
    for (Told& told : m_told)
    {
        told.refresh.Cancel();
    }
    ThresholdFlowControl::DoDispose();
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
    m_told.resize(shape.ports.size());
    return ThresholdFlowControl::Configure(shape);
}

void
PfcFlowControl::OnLinkUp(PortId port)
{
    m_told[Index(port)].stopped = 0;
    Services().RequestControl(port);
}

Ptr<Packet>
PfcFlowControl::DoMakeControl(PortId port)
{
    Told& told = m_told[Index(port)];
    const StopSet stopped = GetStopped(port);
    StopSet news = (told.stopped ^ stopped) | (told.stale & stopped);
    const StopSet classes = news & ALL_PRIORITIES;
    if (stopped & news & WHOLE_PORT)
    {
        news = WHOLE_PORT;
    }
    else if (classes != 0)
    {
        // All eight in one frame would speak of the port. A port which restarts is told so last:
        // until then no class sends.
        news = classes == ALL_PRIORITIES ? 0x0f : classes;
    }
    if (news == 0)
    {
        return nullptr;
    }
    told.stopped = (told.stopped & ~news) | (stopped & news);
    told.stale &= ~news;
    UpdateRefresh(port);
    return news == WHOLE_PORT ? MakePfc(port, ALL_PRIORITIES, stopped & news ? ALL_PRIORITIES : 0)
                              : MakePfc(port, news, stopped & ALL_PRIORITIES);
}

Ptr<Packet>
PfcFlowControl::MakePfc(PortId port, PrioritySet classes, PrioritySet paused) const
{
    PfcHeader pfc;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(classes, Priority{p}))
        {
            pfc.SetQuanta(Priority{p}, Contains(paused, Priority{p}) ? m_pauseQuanta : 0);
        }
    }
    NS_LOG_DEBUG("port " << Index(port) << " sends " << pfc);
    return MakePfcFrame(Services().GetAddress(port), pfc);
}

void
PfcFlowControl::Refresh(PortId port)
{
    NS_LOG_DEBUG("port " << Index(port) << " refreshes what it has stopped");
    m_told[Index(port)].stale = m_told[Index(port)].stopped;
    Services().RequestControl(port);
}

void
PfcFlowControl::UpdateRefresh(PortId port)
{
    Told& told = m_told[Index(port)];
    if (told.stopped == 0)
    {
        told.refresh.Cancel();
    }
    else if (told.refresh.IsExpired())
    {
        const DataRate rate = Shape().ports[Index(port)].rate;
        // Half of the pause: a refresh may have to wait for the frame on the wire.
        const uint32_t bits = m_pauseQuanta * PAUSE_QUANTUM_BITS / 2;
        told.refresh = Simulator::Schedule(rate.CalculateBitsTxTime(bits),
                                           &PfcFlowControl::Refresh,
                                           this,
                                           port);
    }
}

PfcFlowControl::StopSet
PfcFlowControl::GetStopped(PortId port) const
{
    const StopSet wholePort = Buffer().GetIngressPort(port).paused ? WHOLE_PORT : 0;
    return wholePort | GetStoppedClasses(port);
}

} // namespace ns3::lossless
