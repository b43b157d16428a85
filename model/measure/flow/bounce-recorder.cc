// SPDX-License-Identifier: GPL-2.0-only
#include "bounce-recorder.h"

#include "flow-recorder.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/listen-to.h"
#include "ns3/record-archive.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::lossless
{

BounceRecorder::BounceRecorder()
    : m_hosts(Create<HostLog>())
{
}

void
BounceRecorder::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    Ptr<PaboFlowControl> pabo = DynamicCast<PaboFlowControl>(node->GetFlowControl());
    NS_ABORT_MSG_IF(!pabo, "BounceRecorder: switch \"" << name << "\" does not send frames back.");
    auto log = Create<SwitchLog>();
    DoubleValue theta;
    pabo->GetAttribute("Theta", theta);
    log->m_name = name;
    log->m_theta = theta.Get();
    log->m_rank = Ranks::GetRankOf(*node);
    m_switches.push_back(log);
    if (!Ranks::IsOwn(*node))
    {
        return;
    }
    ListenTo(*pabo, "Bounce", [log](const SwitchItem& /* item */, PortId /* congested */) {
        ++log->m_bounces;
    });
    ListenTo(*pabo, "Utilization", [log](QueueId queue, bool bounced, double utilization) {
        Integral& integral = log->m_queues[Index(queue)][bounced ? 1 : 0];
        integral.Advance(log->m_theta);
        integral.value = utilization;
        integral.largest = std::max(integral.largest, utilization);
    });
}

void
BounceRecorder::WatchHost(Ptr<PaboHost> host)
{
    if (IsOfOtherRank(*host))
    {
        return;
    }
    const Ptr<HostLog> log = m_hosts;
    ListenTo(*host, "Delivered", [log](const Frame& /* frame */, const PaboCounters& counters) {
        ++log->m_delivered[{counters.maxDistance, counters.hops}];
    });
    ListenTo(
        *host,
        "Returned",
        [log](const Frame& /* frame */, const PaboCounters& /* counters */) { ++log->m_returned; });
}

std::map<std::string, uint64_t>
BounceRecorder::GetBounces() const
{
    std::map<std::string, uint64_t> bounces;
    for (const Ptr<SwitchLog>& log : m_switches)
    {
        bounces[log->m_name] = log->m_bounces;
    }
    return bounces;
}

std::vector<BounceRecorder::Queue>
BounceRecorder::GetQueues() const
{
    std::vector<Queue> queues;
    for (const Ptr<SwitchLog>& log : m_switches)
    {
        for (const auto& [index, integrals] : log->m_queues)
        {
            const QueueId queue{PortId{static_cast<uint16_t>(index / NUM_PRIORITIES)},
                                Priority{static_cast<uint8_t>(index % NUM_PRIORITIES)}};
            queues.push_back({log->m_name,
                              queue,
                              integrals[0].GetUse(log->m_theta),
                              integrals[1].GetUse(log->m_theta)});
        }
    }
    return queues;
}

ResultTable
BounceRecorder::GetBounceTable() const
{
    auto table = ResultTable::WithHeader("node,bounces");
    for (const auto& [name, bounces] : GetBounces())
    {
        table.rows.push_back({name, bounces});
    }
    return table;
}

ResultTable
BounceRecorder::GetDeliveryTable() const
{
    auto table = ResultTable::WithHeader("max_distance,hops,frames");
    for (const auto& [journey, frames] : GetDelivered())
    {
        table.rows.push_back({journey.maxDistance, journey.hops, frames});
    }
    return table;
}

ResultTable
BounceRecorder::GetQueueTable() const
{
    auto table = ResultTable::WithHeader("node,port,priority,kind,mean,above_theta,largest");
    const auto add = [&table](const Queue& queue, const char* kind, const SubQueueUse& use) {
        table.rows.push_back({queue.node,
                              queue.queue.port,
                              queue.queue.priority,
                              kind,
                              use.mean,
                              use.above,
                              use.largest});
    };
    for (const Queue& queue : GetQueues())
    {
        add(queue, "normal", queue.normal);
        add(queue, "bounce", queue.bounced);
    }
    return table;
}

void
BounceRecorder::Save(std::ostream& os) const
{
    SaveParts(os, m_hosts->m_delivered, m_hosts->m_returned);
    SaveOwn(os, m_switches);
}

void
BounceRecorder::Merge(std::istream& is, uint32_t rank)
{
    std::map<Journey, uint64_t> delivered;
    uint64_t returned = 0;
    LoadParts(is, delivered, returned);
    for (const auto& [journey, frames] : delivered)
    {
        m_hosts->m_delivered[journey] += frames;
    }
    m_hosts->m_returned += returned;
    LoadForeign(is, m_switches, rank);
}

void
BounceRecorder::Integral::Advance(double theta)
{
    const Time now = Simulator::Now();
    const double seconds = (now - since).GetSeconds();
    area += value * seconds;
    aboveArea += value > theta ? seconds : 0;
    since = now;
}

SubQueueUse
BounceRecorder::Integral::GetUse(double theta) const
{
    Integral copy = *this;
    copy.Advance(theta);
    const double duration = std::max(Simulator::Now().GetSeconds(), 1e-12);
    return {copy.area / duration, copy.aboveArea / duration, largest};
}

} // namespace ns3::lossless
