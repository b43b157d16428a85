// SPDX-License-Identifier: GPL-2.0-only
#include "ofc-flow-control.h"

#include "ofc-egress-queue.h"
#include "ofc-header.h"

#include "ns3/attribute-condition.h"
#include "ns3/count-attribute.h"
#include "ns3/double.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessOfcFlowControl");

NS_OBJECT_ENSURE_REGISTERED(OfcFlowControl);
LOSSLESS_PLAIN_CLASS(OfcSwitchNode, SwitchNode);

const RegisterScheme<OfcSwitchNode> g_ofc("OFC", 110, [](SchemeInfo& scheme) {
    scheme.what = "only the flows that cause congestion are stopped";
    scheme.policy = "Static";
    scheme.takesOtherPolicies = true;
    scheme.hasOwnQueues = true;
    scheme.stopsFlows = true;
});

namespace
{

const RegisterCondition<OfcFlowControl> g_share({"CongestionShare"},
                                                "CongestionXoff",
                                                Where::IS,
                                                "0");

} // namespace

TypeId
OfcFlowControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<OfcFlowControl, ThresholdFlowControl>("OfcFlowControl")
            .AddAttribute("CongestionXoff",
                          "Length, in bytes, that an ingress and an egress queue must both reach "
                          "for single flows to be stopped; above XON and below XOFF of the buffer "
                          "policy (OFC's settings: 68 kB). 0: CongestionShare of XOFF.",
                          UintegerValue(0),
                          Fixed(MakeUintegerAccessor(&OfcFlowControl::m_congestionXoff)),
                          MakeCountChecker())
            .AddAttribute("CongestionShare",
                          "CongestionXoff as a share of XOFF, below 1 (alpha; default: OFC's "
                          "settings, 68 of 75 kB).",
                          DoubleValue(68.0 / 75),
                          Fixed(MakeDoubleAccessor(&OfcFlowControl::m_congestionShare)),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "ResumeShare",
                "Share of XOFF at which flows resume if the buffer policy's XON is not below the "
                "length at which single flows are stopped, as with dynamic thresholds; below "
                "CongestionShare (default: OFC's settings, 45 of 75 kB).",
                DoubleValue(45.0 / 75),
                Fixed(MakeDoubleAccessor(&OfcFlowControl::m_resumeShare)),
                MakeDoubleChecker<double>(0, 1));
    return tid;
}

std::optional<std::string>
OfcFlowControl::Configure(const SwitchShape& shape)
{
    if (const auto error = CheckMtu(shape))
    {
        return error;
    }
    if (const auto error = ThresholdFlowControl::Configure(shape))
    {
        return error;
    }
    const std::size_t queues = shape.ports.size() * NUM_PRIORITIES;
    m_in.resize(queues);
    m_asked.resize(queues);
    m_toldFlows.resize(queues);
    m_told.resize(shape.ports.size());
    std::generate_n(std::back_inserter(m_gates), shape.ports.size(), &CreateObject<OfcGate>);
    return CheckLevels();
}

std::optional<std::string>
OfcFlowControl::CheckMtu(const SwitchShape& shape)
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
    return std::nullopt;
}

std::optional<std::string>
OfcFlowControl::CheckLevels() const
{
    std::ostringstream message;
    if (!(0 < m_resumeShare && m_resumeShare < m_congestionShare && m_congestionShare < 1))
    {
        message << "ResumeShare and CongestionShare are " << m_resumeShare << " and "
                << m_congestionShare
                << "; they must be above 0 and below 1, and the first below the second";
        return message.str();
    }
    for (const QueueLevels& one : ListLevels())
    {
        const bool isInOrder =
            one.levels.xon < m_congestionXoff && m_congestionXoff < one.levels.xoff;
        if (m_congestionXoff > 0 && !isInOrder)
        {
            message << "CongestionXoff is " << m_congestionXoff << " B; it must be between "
                    << Describe(one) << ", or 0 for CongestionShare of XOFF";
            return message.str();
        }
    }
    return std::nullopt;
}

Ptr<TransmitGate>
OfcFlowControl::CreateGate(PortId port, const LosslessNetDevice& /* device */)
{
    return GetGate(port);
}

Ptr<TransmitGate>
OfcFlowControl::CreateHostGate(const LosslessNetDevice& /* device */) const
{
    return CreateObject<OfcGate>();
}

bool
OfcFlowControl::ObeysPfc() const
{
    return false;
}

Ptr<EgressQueue>
OfcFlowControl::CreateEgressQueue(QueueId queue)
{
    auto egress = CreateObject<OfcEgressQueue>();
    egress->Attach(GetGate(queue.port), queue.priority);
    return egress;
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
        sizes.asked += m_asked[Index(queue)].size();
    }
    return sizes;
}

OfcFlowControl::Levels
OfcFlowControl::GetLevels(QueueId queue) const
{
    const auto levels = Policy().GetThresholds(Buffer(), queue).value_or(Thresholds());
    const auto xoff = static_cast<double>(levels.xoff);
    const uint64_t congestion = m_congestionXoff
                                    ? m_congestionXoff
                                    : static_cast<uint64_t>(std::llround(m_congestionShare * xoff));
    const uint64_t xon =
        levels.xon < congestion ? levels.xon : static_cast<uint64_t>(m_resumeShare * xoff);
    return {levels.xoff, congestion, xon, levels.headroomInUse};
}

uint64_t
OfcFlowControl::GetLength(QueueId ingress) const
{
    return ThresholdFlowControl::GetLength(ingress, Buffer().GetIngress(ingress).GetTotal());
}

ThresholdFlowControl::Demand
OfcFlowControl::Assess(QueueId queue) const
{
    const Levels levels = GetLevels(queue);
    const uint64_t length = GetLength(queue);
    const Demand demand = Judge(length, levels);
    if (IsTurn(queue, demand))
    {
        NS_LOG_DEBUG("port " << Index(queue.port) << " class " << Index(queue.priority)
                             << (demand == Demand::PAUSE ? " is to stop: " : " may go on: ")
                             << length << " B, XOFF " << levels.xoff << " B, XON " << levels.xon
                             << " B");
    }
    return demand;
}

ThresholdFlowControl::Demand
OfcFlowControl::Judge(uint64_t length, const Levels& levels)
{
    if (levels.headroomInUse || length >= std::max<uint64_t>(levels.xoff, 1))
    {
        return Demand::PAUSE;
    }
    if (length > levels.xon)
    {
        return Demand::KEEP;
    }
    return levels.xon > 0 ? Demand::RESUME : Demand::EMPTY;
}

void
OfcFlowControl::OnEnqueue(const SwitchItem& item)
{
    ThresholdFlowControl::OnEnqueue(item);
    const QueueId ingress = item.GetIngressQueue();
    const QueueId egress = item.GetEgressQueue();
    ++m_in[Index(egress)][item.frame.flowHash];
    if (Contains(Shape().lossless, ingress.priority))
    {
        const Levels levels = GetLevels(ingress);
        const uint64_t length = GetLength(ingress);
        if (!levels.headroomInUse && length >= levels.congestion && length < levels.xoff &&
            Buffer().GetEgress(egress).bytes >= levels.congestion)
        {
            StopCulprits(ingress, egress);
        }
    }
}

void
OfcFlowControl::OnRelease(const SwitchItem& item, Ticks when)
{
    RemoveOne(m_in[Index(item.GetEgressQueue())], item.frame.flowHash);
    ThresholdFlowControl::OnRelease(item, when);
}

void
OfcFlowControl::OnRefusal(const SwitchItem& item)
{
    RestartAfter(item);
}

void
OfcFlowControl::StopCulprits(QueueId ingress, QueueId egress)
{
    Flows& asked = m_asked[Index(ingress)];
    const bool wasAsked = !asked.empty();
    std::vector<uint64_t> news;
    for (const uint64_t flow : FindCulprits(egress))
    {
        if (asked.insert(flow).second)
        {
            news.push_back(flow);
        }
    }
    if (news.empty())
    {
        return;
    }
    if (!wasAsked)
    {
        m_listing.push_back(ingress);
    }
    NS_LOG_DEBUG("port " << Index(ingress.port) << " class " << Index(ingress.priority)
                         << " stops single flows, " << news.size() << ": " << GetLength(ingress)
                         << " B, and egress port " << Index(egress.port) << " has "
                         << Buffer().GetEgress(egress).bytes << " B, CongestionXoff "
                         << GetLevels(ingress).congestion << " B");
    SetFlowsStopped(ingress, news, true);
}

OfcFlowControl::Flows
OfcFlowControl::FindCulprits(QueueId egress) const
{
    const OfcGate& gate = *m_gates[Index(egress.port)];
    const auto& listed = gate.GetStopped(egress.priority);
    Flows culprits(listed.begin(), listed.end());
    if (listed.empty() || gate.IsClosed(egress.priority))
    {
        for (const auto& [flow, frames] : m_in[Index(egress)])
        {
            culprits.insert(flow);
        }
    }
    return culprits;
}

void
OfcFlowControl::Restart(std::optional<QueueId> released)
{
    for (std::size_t i = m_listing.size(); i-- > 0;)
    {
        const QueueId queue = m_listing[i];
        const Levels levels = GetLevels(queue);
        const bool isAsked = !released || queue == *released;
        if (isAsked && !levels.headroomInUse && GetLength(queue) <= levels.xon)
        {
            m_listing.erase(m_listing.begin() + static_cast<std::ptrdiff_t>(i));
            const Flows gone = std::exchange(m_asked[Index(queue)], {});
            NS_LOG_DEBUG("port " << Index(queue.port) << " class " << Index(queue.priority)
                                 << " lets single flows go, " << gone.size() << ": "
                                 << GetLength(queue) << " B, XON " << levels.xon << " B");
            SetFlowsStopped(queue, {gone.begin(), gone.end()}, false);
        }
    }
    ThresholdFlowControl::Restart(released);
}

void
OfcFlowControl::OnLinkUp(PortId port)
{
    m_told[Index(port)] = Told();
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_toldFlows[Index(QueueId{port, Priority{p}})].clear();
    }
    Services().RequestControl(port);
}

Ptr<Packet>
OfcFlowControl::DoMakeControl(PortId port)
{
    const Told& told = m_told[Index(port)];
    const bool isPortStopped = Buffer().GetIngressPort(port).paused;
    const PrioritySet stopped = GetStoppedClasses(port);
    // A stop of the whole port is sent first and in a single frame, because the headroom is
    // dimensioned for this case.
    if (isPortStopped && !told.port)
    {
        return MakePort(port, true);
    }
    if (const PrioritySet classes = stopped & ~told.classes)
    {
        return MakeAll(port, classes, true);
    }
    if (const PrioritySet classes = told.classes & ~stopped)
    {
        return MakeAll(port, classes, false);
    }
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        // Flows of a stopped class are not reported individually. They resume together with all
        // other flows of the class.
        const bool isStopped = Contains(stopped, Priority{p});
        if (Ptr<Packet> frame = isStopped ? nullptr : MakeNews({port, Priority{p}}))
        {
            return frame;
        }
    }
    return told.port && !isPortStopped ? MakePort(port, false) : nullptr;
}

Ptr<Packet>
OfcFlowControl::MakePort(PortId port, bool stop)
{
    m_told[Index(port)].port = stop;
    OfcHeader body;
    body.stop = stop;
    body.port = true;
    return MakeMacControlFrame(Services().GetAddress(port), body);
}

Ptr<Packet>
OfcFlowControl::MakeAll(PortId port, PrioritySet classes, bool stop)
{
    PrioritySet& told = m_told[Index(port)].classes;
    told = stop ? told | classes : told & ~classes;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (!stop && Contains(classes, Priority{p}))
        {
            m_toldFlows[Index(QueueId{port, Priority{p}})].clear(); // all flows of the class resume
        }
    }
    OfcHeader body;
    body.classes = classes;
    body.stop = stop;
    body.all = true;
    return MakeMacControlFrame(Services().GetAddress(port), body);
}

Ptr<Packet>
OfcFlowControl::MakeNews(QueueId queue)
{
    const Flows& asked = m_asked[Index(queue)];
    const Flows& told = m_toldFlows[Index(queue)];
    Ptr<Packet> resume = MakeList(queue, told, asked, false);
    return resume ? resume : MakeList(queue, asked, told, true);
}

Ptr<Packet>
OfcFlowControl::MakeList(QueueId queue, const Flows& from, const Flows& without, bool stop)
{
    OfcHeader body;
    body.classes = SetOf(queue.priority);
    body.stop = stop;
    std::set_difference(from.begin(),
                        from.end(),
                        without.begin(),
                        without.end(),
                        std::back_inserter(body.flows));
    if (body.flows.empty())
    {
        return nullptr;
    }
    const std::size_t room = OfcHeader::GetCapacity(Shape().ports[Index(queue.port)].mtu);
    body.flows.resize(std::min(body.flows.size(), room));
    Flows& told = m_toldFlows[Index(queue)];
    for (const uint64_t flow : body.flows)
    {
        if (stop)
        {
            told.insert(flow);
        }
        else
        {
            told.erase(flow);
        }
    }
    return MakeMacControlFrame(Services().GetAddress(queue.port), body);
}

} // namespace ns3::lossless
