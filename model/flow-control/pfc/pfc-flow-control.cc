// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-flow-control.h"

#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessPfcFlowControl");

NS_OBJECT_ENSURE_REGISTERED(PfcFlowControl);
LOSSLESS_PLAIN_CLASS(PfcSwitchNode, SwitchNode);

const RegisterScheme<PfcSwitchNode> g_pfc("PFC", 10, [](SchemeInfo& scheme) {
    scheme.what = "PFC with the policy of --buffer-policy, SIH's by default";
    scheme.policy = "SIH";
    scheme.takesOtherPolicies = true;
});

const RegisterScheme<PfcSwitchNode> g_sih("SIH", 20, [](SchemeInfo& scheme) {
    scheme.what = "PFC with dynamic thresholds and static headroom for every queue";
    scheme.policy = "SIH";
    scheme.general = "PFC";
});

namespace
{

/// The number of PFC frames that can precede another one in the same refresh. If all eight classes
/// are stopped individually, there is one such frame for the port and one for four of the classes.
constexpr uint32_t PFC_FRAMES_BEFORE = 2;
/// The maximum error, in ticks, of an instant that is computed from several rounded times.
constexpr Ticks ROUNDING = 4;

uint32_t
GetPfcWireBytes(const PortLink& link)
{
    return PFC_FRAME_BYTES + link.overheadBytes;
}

/// Returns the maximum time that can pass, in addition to the refresh interval, between the effects
/// of a PAUSE and of its refresh. A refresh may have to wait for a full frame in the same direction
/// and for PFC frames. The jitter of the link can shorten the delay of the PAUSE and extend that of
/// the refresh.
Time
GetLongestWait(const PortLink& link)
{
    const uint32_t bytes =
        link.mtu + ETHERNET_BYTES + link.overheadBytes + PFC_FRAMES_BEFORE * GetPfcWireBytes(link);
    return link.GetSendRate().CalculateBytesTxTime(bytes) + link.jitter + TimeStep(ROUNDING);
}

/// Converts the quanta of a pause to a time. If the result exceeds the range of the clock (for
/// example, at 1 bit/s with picosecond resolution), the function returns half of that range.
Time
GetPauseTime(DataRate rate, double quanta)
{
    const double bits = quanta * PAUSE_QUANTUM_BITS;
    const Time most = Time::Max() / 2;
    return bits / static_cast<double>(rate.GetBitRate()) < most.GetSeconds()
               ? rate.CalculateBitsTxTime(static_cast<uint32_t>(bits))
               : most;
}

} // namespace

TypeId
PfcFlowControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<PfcFlowControl, ThresholdFlowControl>("PfcFlowControl")
            .AddAttribute(
                "PauseQuanta",
                "Duration of each PAUSE, in quanta of 512 bit times of the link (default: the "
                "longest possible). It is refreshed after half of this time, or earlier if a "
                "refresh may have to wait longer for a full frame on a slow return path.",
                UintegerValue(0xffff),
                Fixed(MakeUintegerAccessor(&PfcFlowControl::m_pauseQuanta)),
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
    for (const PortLink& link : shape.ports)
    {
        const Time pause = GetPauseTime(link.rate, m_pauseQuanta);
        const Time wait = GetLongestWait(link);
        // Between two refreshes, there must be time on the wire for other frames.
        const Time needed = wait + link.GetSendRate().CalculateBytesTxTime(GetPfcWireBytes(link));
        if (pause <= needed)
        {
            return DescribeShortPause(m_refreshAfter.size(), link, needed);
        }
        const Time half = GetPauseTime(link.rate, m_pauseQuanta / 2.0);
        m_refreshAfter.push_back(std::min(half, pause - wait));
    }
    m_told.resize(shape.ports.size());
    return ThresholdFlowControl::Configure(shape);
}

std::string
PfcFlowControl::DescribeShortPause(std::size_t port, const PortLink& link, Time needed) const
{
    constexpr uint64_t MOST = std::numeric_limits<uint16_t>::max();
    const double quanta =
        needed.GetSeconds() * static_cast<double>(link.rate.GetBitRate()) / PAUSE_QUANTUM_BITS;
    const auto least = static_cast<uint64_t>(quanta) + 1;
    std::ostringstream message;
    message << "PauseQuanta is " << m_pauseQuanta << ", but a refresh that waits for a full frame "
            << "of port " << port << " (MTU " << link.mtu << " B, sent at " << link.GetSendRate()
            << " while the neighbour sends at " << link.rate << ") is in time only from " << least
            << " on";
    if (least > MOST)
    {
        message << ", and a PAUSE has " << MOST
                << " at most: the MTU must be smaller, or the switch send faster";
    }
    return message.str();
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
        // If all eight classes have changed, only four are sent, because a frame with all eight
        // would stop or resume the port, and the resume of the port is sent last.
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

bool
PfcFlowControl::StaysStopped(const SharedBuffer& rest, QueueId queue) const
{
    const auto isHeld = [](uint64_t occupancy, const std::optional<Thresholds>& thresholds) {
        const Demand demand = Compare(occupancy, thresholds);
        return thresholds && (demand == Demand::PAUSE || demand == Demand::KEEP);
    };
    const PortId port = queue.port;
    return (Buffer().GetIngress(queue).paused &&
            isHeld(rest.GetIngress(queue).shared, Policy().GetThresholds(rest, queue))) ||
           (Buffer().GetIngressPort(port).paused && isHeld(rest.GetSharedOf(port, Shape().lossless),
                                                           Policy().GetPortThresholds(rest, port)));
}

Ptr<Packet>
PfcFlowControl::MakePfc(PortId port, PrioritySet classes, PrioritySet paused) const
{
    PfcHeader pfc;
    pfc.SetQuanta(classes, 0);
    pfc.SetQuanta(classes & paused, m_pauseQuanta);
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
        told.refresh =
            Simulator::Schedule(m_refreshAfter[Index(port)], &PfcFlowControl::Refresh, this, port);
    }
}

PfcFlowControl::StopSet
PfcFlowControl::GetStopped(PortId port) const
{
    const StopSet wholePort = Buffer().GetIngressPort(port).paused ? WHOLE_PORT : 0;
    return wholePort | GetStoppedClasses(port);
}

} // namespace ns3::lossless
