// SPDX-License-Identifier: GPL-2.0-only
#include "ofc-flow-control.h"

#include "ofc-header.h"

#include "ns3/count-attribute.h"
#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessOfcFlowControl");

NS_OBJECT_ENSURE_REGISTERED(OfcFlowControl);

TypeId
OfcFlowControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::OfcFlowControl")
            .SetParent<FlowControl>()
            .SetGroupName("Lossless")
            .AddConstructor<OfcFlowControl>()
            .AddAttribute("CongestionXoff",
                          "Length of an ingress queue and an egress queue from which on single "
                          "flows are stopped, in bytes (default 68 kB: OFC's settings).",
                          UintegerValue(68000),
                          MakeUintegerAccessor(&OfcFlowControl::m_congestionXoff),
                          MakeCountChecker(1));
    return tid;
}

void
OfcFlowControl::DoDispose()
{
    m_gates.clear();
    FlowControl::DoDispose();
}

std::optional<std::string>
OfcFlowControl::Configure(const SwitchShape& shape)
{
    for (std::size_t port = 0; port < shape.ports.size(); ++port)
    {
        if (OfcHeader::GetCapacity(shape.ports[port].mtu) == 0)
        {
            return "port " + std::to_string(port) + " has an MTU of " +
                   std::to_string(shape.ports[port].mtu) +
                   " B, which has no room for the flow of an OFC frame; it must be at least " +
                   std::to_string(OfcHeader::BASE_BYTES + OfcHeader::BYTES_PER_FLOW);
        }
    }
    const std::size_t queues = shape.ports.size() * NUM_PRIORITIES;
    m_in.resize(queues);
    m_asked.resize(queues);
    m_told.resize(queues);
    return std::nullopt;
}

bool
OfcFlowControl::IsLossless() const
{
    return true;
}

Ptr<OfcGate>
OfcFlowControl::GetGate(PortId port)
{
    while (m_gates.size() <= Index(port))
    {
        m_gates.push_back(CreateObject<OfcGate>());
    }
    return m_gates[Index(port)];
}

OfcFlowControl::TableSizes
OfcFlowControl::GetTableSizes(PortId port) const
{
    TableSizes sizes;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        const QueueId queue{port, Priority{p}};
        sizes.inPort += m_in[Index(queue)].size();
        sizes.congested += m_gates[Index(port)]->GetStopped(Priority{p}).size();
        sizes.asked += m_asked[Index(queue)].flows.size();
    }
    return sizes;
}

uint64_t
OfcFlowControl::CountHiddenCongestions() const
{
    return m_hidden;
}

void
OfcFlowControl::OnArrival(const SwitchItem& item)
{
    // Here and not when it joins its egress queue, which a packet processor may put off.
    if (Contains(Shape().lossless, item.frame.priority) && IsFull(item.GetIngressQueue()))
    {
        AskForAll(item.GetIngressQueue());
    }
}

void
OfcFlowControl::OnEnqueue(const SwitchItem& item)
{
    const QueueId ingress = item.GetIngressQueue();
    const QueueId egress = item.GetEgressQueue();
    ++m_in[Index(egress)][item.frame.flowHash];
    if (Contains(Shape().lossless, ingress.priority) && !IsFull(ingress) &&
        Buffer().GetIngress(ingress).GetTotal() >= m_congestionXoff &&
        Buffer().GetEgress(egress).bytes >= m_congestionXoff)
    {
        StopCulprits(ingress, egress);
    }
}

void
OfcFlowControl::OnRelease(const SwitchItem& item, Ticks /* when */)
{
    auto& flows = m_in[Index(item.GetEgressQueue())];
    const auto found = flows.find(item.frame.flowHash);
    if (found != flows.end() && --found->second == 0)
    {
        flows.erase(found);
    }
    const QueueId queue = item.GetIngressQueue();
    const auto levels = Policy().GetThresholds(Buffer(), queue);
    if (!m_asked[Index(queue)].IsEmpty() && levels && !levels->headroomInUse &&
        Buffer().GetIngress(queue).GetTotal() <= levels->xon)
    {
        LetGo(queue);
    }
}

bool
OfcFlowControl::IsFull(QueueId queue) const
{
    const auto levels = Policy().GetThresholds(Buffer(), queue);
    return levels &&
           (levels->headroomInUse || Buffer().GetIngress(queue).GetTotal() >= levels->xoff);
}

void
OfcFlowControl::StopCulprits(QueueId ingress, QueueId egress)
{
    const Flows& listed = m_gates[Index(egress.port)]->GetStopped(egress.priority);
    const auto& inPort = m_in[Index(egress)];
    if (listed.empty())
    {
        for (const auto& [flow, frames] : inPort)
        {
            AskFor(ingress, flow);
        }
        return;
    }
    m_hidden += std::none_of(inPort.begin(), inPort.end(), [&listed](const auto& entry) {
        return listed.count(entry.first) > 0;
    });
    for (const uint64_t flow : listed)
    {
        AskFor(ingress, flow);
    }
}

void
OfcFlowControl::AskForAll(QueueId queue)
{
    Asked& asked = m_asked[Index(queue)];
    if (!asked.all)
    {
        NS_LOG_DEBUG("ingress port " << Index(queue.port) << " class " << Index(queue.priority)
                                     << " of " << Buffer().GetIngress(queue).GetTotal()
                                     << " B stops all flows");
        asked.all = true;
        SetStopped(queue, true);
    }
}

void
OfcFlowControl::AskFor(QueueId queue, uint64_t flow)
{
    if (m_asked[Index(queue)].flows.insert(flow).second)
    {
        NS_LOG_DEBUG("ingress port " << Index(queue.port) << " class " << Index(queue.priority)
                                     << " of " << Buffer().GetIngress(queue).GetTotal()
                                     << " B stops flow " << flow);
        SetFlowStopped(queue, flow, true);
    }
}

void
OfcFlowControl::LetGo(QueueId queue)
{
    // All at once, before anything is said of it: the wire may be free.
    Asked gone;
    std::swap(gone, m_asked[Index(queue)]);
    if (gone.all)
    {
        SetStopped(queue, false);
    }
    for (const uint64_t flow : gone.flows)
    {
        SetFlowStopped(queue, flow, false);
    }
}

void
OfcFlowControl::OnLinkUp(PortId port)
{
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_told[Index(QueueId{port, Priority{p}})] = Asked();
    }
    Services().RequestControl(port);
}

Ptr<Packet>
OfcFlowControl::DoMakeControl(PortId port)
{
    // That all stop goes before anything else, of any class: headroom is counted on it.
    for (const bool onlyUrgent : {true, false})
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const QueueId queue{port, Priority{p}};
            const bool isUrgent = m_asked[Index(queue)].all && !m_told[Index(queue)].all;
            if (Ptr<Packet> frame = isUrgent || !onlyUrgent ? MakeNews(queue) : nullptr)
            {
                return frame;
            }
        }
    }
    return nullptr;
}

Ptr<Packet>
OfcFlowControl::MakeNews(QueueId queue)
{
    const Asked& asked = m_asked[Index(queue)];
    Asked& told = m_told[Index(queue)];
    if (asked.all != told.all)
    {
        if (!asked.all)
        {
            told.flows.clear(); // all go on
        }
        told.all = asked.all;
        OfcHeader body;
        body.priority = queue.priority;
        body.stop = asked.all;
        body.all = true;
        return MakeMacControlFrame(Services().GetAddress(queue.port), body);
    }
    if (asked.all)
    {
        return nullptr; // and they will all go on together
    }
    if (Ptr<Packet> frame = MakeList(queue, told.flows, asked.flows, false))
    {
        return frame;
    }
    return MakeList(queue, asked.flows, told.flows, true);
}

Ptr<Packet>
OfcFlowControl::MakeList(QueueId queue, const Flows& from, const Flows& without, bool stop)
{
    OfcHeader body;
    body.priority = queue.priority;
    body.stop = stop;
    std::copy_if(from.begin(), from.end(), std::back_inserter(body.flows), [&](uint64_t flow) {
        return without.count(flow) == 0;
    });
    if (body.flows.empty())
    {
        return nullptr;
    }
    // In the order of their hashes: that of the sets is not the same everywhere.
    std::sort(body.flows.begin(), body.flows.end());
    const std::size_t room = OfcHeader::GetCapacity(Shape().ports[Index(queue.port)].mtu);
    body.flows.resize(std::min(body.flows.size(), room));
    Flows& told = m_told[Index(queue)].flows;
    for (const uint64_t flow : body.flows)
    {
        stop ? (void)told.insert(flow) : (void)told.erase(flow);
    }
    return MakeMacControlFrame(Services().GetAddress(queue.port), body);
}

} // namespace ns3::lossless
