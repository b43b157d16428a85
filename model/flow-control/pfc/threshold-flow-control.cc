// SPDX-License-Identifier: GPL-2.0-only
#include "threshold-flow-control.h"

#include "ns3/boolean.h"
#include "ns3/fixed-accessor.h"
#include "ns3/make-type-id.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(ThresholdFlowControl);

TypeId
ThresholdFlowControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<ThresholdFlowControl, FlowControl>("ThresholdFlowControl")
            .AddAttribute(
                "ResumeByOwnRelease",
                "Whether a stopped queue or port, or a stopped flow of it, restarts only when a "
                "frame of its own leaves, as in the simulators of the HPCC family, or when it is "
                "empty; false: when any frame leaves, since that makes room with dynamic "
                "thresholds. A queue stopped by another queue restarts through that one.",
                BooleanValue(false),
                Fixed(MakeBooleanAccessor(&ThresholdFlowControl::m_resumeByOwnRelease)),
                MakeBooleanChecker())
            .AddAttribute("WholeEgressQueues",
                          "Whether an ingress queue is as long as all egress queues in which it "
                          "has frames, frames of others included, as printed in OFC's Sec. III-A; "
                          "false: as its own frames.",
                          BooleanValue(false),
                          Fixed(MakeBooleanAccessor(&ThresholdFlowControl::m_wholeEgressQueues)),
                          MakeBooleanChecker());
    return tid;
}

void
ThresholdFlowControl::DoDispose()
{
    m_restart.Cancel();
    FlowControl::DoDispose();
}

std::optional<std::string>
ThresholdFlowControl::Configure(const SwitchShape& shape)
{
    const bool hasLossless = shape.lossless != 0 && !shape.ports.empty();
    if (hasLossless && ListLevels().empty() && !Policy().GetPortThresholds(Buffer(), PortId{0}))
    {
        return GetInstanceTypeId().GetName() + " stops neighbours by thresholds, of which " +
               Policy().GetInstanceTypeId().GetName() +
               " has none; choose another buffer policy, or set SwitchNode::LosslessClasses to 0";
    }
    m_places.resize(m_wholeEgressQueues ? shape.ports.size() * NUM_PRIORITIES : 0);
    for (const PortLink& link : shape.ports)
    {
        m_flight.push_back(Seconds(8.0 * static_cast<double>(GetHeadroomBytes(link)) /
                                   static_cast<double>(link.rate.GetBitRate())));
    }
    return std::nullopt;
}

std::vector<ThresholdFlowControl::QueueLevels>
ThresholdFlowControl::ListLevels() const
{
    std::vector<QueueLevels> list;
    for (uint16_t port = 0; port < Shape().ports.size(); ++port)
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const QueueId queue{PortId{port}, Priority{p}};
            const auto levels = Policy().GetThresholds(Buffer(), queue);
            if (levels && Contains(Shape().lossless, queue.priority))
            {
                list.push_back({queue, *levels});
            }
        }
    }
    return list;
}

std::string
ThresholdFlowControl::Describe(const QueueLevels& one)
{
    std::ostringstream text;
    text << "XON of " << one.levels.xon << " B and XOFF of " << one.levels.xoff << " B (port "
         << Index(one.queue.port) << ", class " << Index(one.queue.priority)
         << " of the empty switch)";
    return text.str();
}

std::optional<std::string>
ThresholdFlowControl::CheckBelowXoff(const std::string& name,
                                     uint64_t bytes,
                                     PrioritySet classes) const
{
    for (const QueueLevels& one : ListLevels())
    {
        if (bytes >= one.levels.xoff && Contains(classes, one.queue.priority))
        {
            return name + " is " + std::to_string(bytes) +
                   " B; it must be below XOFF: " + Describe(one);
        }
    }
    return std::nullopt;
}

bool
ThresholdFlowControl::IsLossless() const
{
    return true;
}

void
ThresholdFlowControl::OnArrival(const SwitchItem& item)
{
    if (!Contains(Shape().lossless, item.frame.priority))
    {
        return;
    }
    const QueueId queue = item.GetIngressQueue();
    if (!Buffer().GetIngress(queue).paused && Assess(queue) == Demand::PAUSE)
    {
        SetStopped(queue, true);
    }
    if (!Buffer().GetIngressPort(item.ingress).paused && AssessPort(item.ingress) == Demand::PAUSE)
    {
        SetPortStopped(item.ingress, true);
    }
}

void
ThresholdFlowControl::OnEnqueue(const SwitchItem& item)
{
    const QueueId queue = item.GetIngressQueue();
    if (m_wholeEgressQueues)
    {
        ++m_places[Index(queue)][item.egress];
        if (Contains(Shape().lossless, queue.priority))
        {
            Reassess(queue);
        }
    }
    if (Buffer().IsTwoSided()) // the frame has left the ingress side
    {
        RestartAfter(item);
    }
}

void
ThresholdFlowControl::OnRelease(const SwitchItem& item, Ticks /* when */)
{
    if (m_wholeEgressQueues)
    {
        RemoveOne(m_places[Index(item.GetIngressQueue())], item.egress);
    }
    RestartAfter(item);
}

void
ThresholdFlowControl::OnRefusal(const SwitchItem& item)
{
    if (m_wholeEgressQueues)
    {
        RestartAfter(item); // the frame was never in an egress queue
    }
    else
    {
        FlowControl::OnRefusal(item);
    }
}

void
ThresholdFlowControl::RestartAfter(const SwitchItem& item)
{
    Restart(m_resumeByOwnRelease ? std::make_optional(item.GetIngressQueue()) : std::nullopt);
}

void
ThresholdFlowControl::Restart(std::optional<QueueId> released)
{
    RestartAmong(released, false);
}

void
ThresholdFlowControl::RestartEmpty()
{
    // With "ResumeByOwnRelease", nothing else will restart a queue or port without frames.
    RestartAmong(std::nullopt, m_resumeByOwnRelease);
}

void
ThresholdFlowControl::RestartAmong(std::optional<QueueId> released, bool onlyEmpty)
{
    // The loops run backwards, because a restart removes the entry.
    for (std::size_t i = GetStoppedQueues().size(); i-- > 0;)
    {
        const auto [queue, since] = GetStoppedQueues()[i];
        const bool isAsked =
            onlyEmpty ? Buffer().GetIngress(queue).shared == 0 : !released || queue == *released;
        if (isAsked && MayRestart(queue.port, since, Assess(queue)))
        {
            SetStopped(queue, false);
        }
    }
    for (std::size_t i = GetStoppedPorts().size(); i-- > 0;)
    {
        const auto [port, since] = GetStoppedPorts()[i];
        const bool isAsked = onlyEmpty ? Buffer().GetSharedOf(port, Shape().lossless) == 0
                                       : !released || port == released->port;
        if (isAsked && MayRestart(port, since, AssessPort(port)))
        {
            SetPortStopped(port, false);
        }
    }
}

void
ThresholdFlowControl::Reassess(QueueId queue)
{
    if (Buffer().GetIngress(queue).paused)
    {
        Restart(queue);
    }
    else if (Assess(queue) == Demand::PAUSE)
    {
        SetStopped(queue, true);
    }
}

void
ThresholdFlowControl::NotifyLetGo(QueueId queue)
{
    if (m_resumeByOwnRelease && Buffer().GetIngress(queue).paused)
    {
        Restart(queue);
    }
}

PrioritySet
ThresholdFlowControl::GetStoppedClasses(PortId port) const
{
    PrioritySet stopped = 0;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        stopped |= Buffer().GetIngress({port, Priority{p}}).paused ? SetOf(Priority{p}) : 0;
    }
    return stopped;
}

bool
ThresholdFlowControl::MayRestart(PortId port, Time since, Demand demand)
{
    if (demand != Demand::EMPTY)
    {
        return demand == Demand::RESUME;
    }
    const Time wait = since + m_flight[Index(port)] - Simulator::Now();
    if (!wait.IsStrictlyPositive())
    {
        return true;
    }
    if (m_restart.IsExpired() || Simulator::GetDelayLeft(m_restart) > wait)
    {
        m_restart.Cancel();
        m_restart = Simulator::Schedule(wait, [this] { RestartEmpty(); });
    }
    return false;
}

uint64_t
ThresholdFlowControl::GetLength(QueueId ingress, uint64_t own) const
{
    if (!m_wholeEgressQueues)
    {
        return own;
    }
    uint64_t all = 0;
    for (const auto& [port, frames] : m_places[Index(ingress)])
    {
        all += Buffer().GetEgress({port, ingress.priority}).bytes;
    }
    return std::max(all, own); // a frame that has just arrived is not in m_places yet
}

ThresholdFlowControl::Demand
ThresholdFlowControl::Assess(QueueId queue) const
{
    return Compare(GetLength(queue, Buffer().GetIngress(queue).shared),
                   Policy().GetThresholds(Buffer(), queue));
}

ThresholdFlowControl::Demand
ThresholdFlowControl::AssessPort(PortId port) const
{
    const auto thresholds = Policy().GetPortThresholds(Buffer(), port);
    if (!thresholds)
    {
        return Demand::KEEP;
    }
    return Compare(Buffer().GetSharedOf(port, Shape().lossless), thresholds);
}

ThresholdFlowControl::Demand
ThresholdFlowControl::Compare(uint64_t occupancy, const std::optional<Thresholds>& thresholds)
{
    if (!thresholds)
    {
        return Demand::KEEP;
    }
    if (thresholds->headroomInUse || occupancy > thresholds->xoff)
    {
        return Demand::PAUSE;
    }
    if (occupancy < thresholds->xon)
    {
        return Demand::RESUME;
    }
    return occupancy == 0 ? Demand::EMPTY : Demand::KEEP;
}

} // namespace ns3::lossless
