// SPDX-License-Identifier: GPL-2.0-only
#include "bfc-flow-control.h"

#include "bfc-header.h"

#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <sstream>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessBfcFlowControl");

NS_OBJECT_ENSURE_REGISTERED(BfcFlowControl);
LOSSLESS_PLAIN_CLASS(BfcSwitchNode, SwitchNode);

const RegisterScheme<BfcSwitchNode> g_bfc("BFC", 115, [](SchemeInfo& scheme) {
    scheme.what = "flows have queues at each hop, and those in long queues are stopped";
    scheme.policy = "SIH";
    scheme.takesOtherPolicies = true;
    scheme.hasOwnQueues = true;
    scheme.stopsFlows = true;
});

namespace
{

/// The number of filters sent after the last stopped flow has resumed.
constexpr uint32_t REPEATS = 4;

/// Returns the time that a frame with a filter of `filterBytes` bytes takes on the wire.
Time
GetFilterTime(uint32_t filterBytes, const PortLink& link)
{
    const uint32_t bytes = ETHERNET_BYTES + BfcHeader::BASE_BYTES + filterBytes;
    return link.GetSendRate().CalculateBytesTxTime(std::max(bytes, MIN_ETHERNET_FRAME_BYTES) +
                                                   link.overheadBytes);
}

} // namespace

TypeId
BfcFlowControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<BfcFlowControl, PfcFlowControl>("BfcFlowControl")
            .AddAttribute("PhysicalQueues",
                          "Physical queues per class of an egress port, among which the flows are "
                          "distributed.",
                          UintegerValue(32),
                          Fixed(MakeUintegerAccessor(&BfcFlowControl::m_numQueues)),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("VirtualFlows",
                          "Number of virtual flows, to which flows are mapped by their hashes; a "
                          "power of two.",
                          UintegerValue(16384),
                          Fixed(MakeUintegerAccessor(&BfcFlowControl::m_virtualFlows)),
                          MakeUintegerChecker<uint32_t>(1, 1U << 31))
            .AddAttribute("FilterBytes",
                          "Size of a Bloom filter, in bytes; a power of two.",
                          UintegerValue(128),
                          Fixed(MakeUintegerAccessor(&BfcFlowControl::m_filterBytes)),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("FilterHashes",
                          "Bits that a virtual flow sets in a filter.",
                          UintegerValue(4),
                          Fixed(MakeUintegerAccessor(&BfcFlowControl::m_hashes)),
                          MakeUintegerChecker<uint32_t>(1, 16))
            .AddAttribute("TableEntries",
                          "Maximum number of flows assigned to physical queues, per class of an "
                          "egress port; all others share one more queue.",
                          UintegerValue(16384),
                          Fixed(MakeUintegerAccessor(&BfcFlowControl::m_tableEntries)),
                          MakeUintegerChecker<uint32_t>(0))
            .AddAttribute(
                "HopRtt",
                "Round-trip time HRTT of a link; 0: from the link, from sending a filter to the "
                "arrival of the first frame that obeys it. It includes the response time that "
                "headroom grants, 60 quanta by default, even where neighbours respond at once.",
                TimeValue(Time(0)),
                Fixed(MakeTimeAccessor(&BfcFlowControl::m_hopRtt)),
                MakeTimeChecker(Time(0)))
            .AddAttribute("FilterPeriod",
                          "Time T between filters; 0: half of HRTT.",
                          TimeValue(Time(0)),
                          Fixed(MakeTimeAccessor(&BfcFlowControl::m_filterPeriod)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ResumesPerHopRtt",
                          "Maximum number of flows of a physical queue that resume in an HRTT.",
                          UintegerValue(2),
                          Fixed(MakeUintegerAccessor(&BfcFlowControl::m_resumes)),
                          MakeUintegerChecker<uint32_t>(1, 1000))
            .AddAttribute("StickyHopRtts",
                          "Time, in units of the switch's longest HRTT, for which a flow without "
                          "stored frames keeps its queue.",
                          UintegerValue(2),
                          Fixed(MakeUintegerAccessor(&BfcFlowControl::m_stickyHops)),
                          MakeUintegerChecker<uint32_t>(0, 1000000));
    return tid;
}

BfcFlowControl::BfcFlowControl()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
BfcFlowControl::DoDispose()
{
    for (Hop& hop : m_hops)
    {
        hop.timer.Cancel();
    }
    for (const Ptr<BfcEgressQueue>& queue : m_queues)
    {
        queue->Table().Clear();
    }
    m_queues.clear();
    m_gates.clear();
    PfcFlowControl::DoDispose();
}

int64_t
BfcFlowControl::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

Ptr<TransmitGate>
BfcFlowControl::CreateGate(PortId port, const LosslessNetDevice& /* device */)
{
    return GetGate(port);
}

Ptr<TransmitGate>
BfcFlowControl::CreateHostGate(const LosslessNetDevice& /* device */) const
{
    return CreateObject<BfcGate>();
}

Ptr<EgressQueue>
BfcFlowControl::CreateEgressQueue(QueueId queue)
{
    return GetQueue(queue);
}

std::optional<std::string>
BfcFlowControl::Configure(const SwitchShape& shape)
{
    m_hashing = {m_virtualFlows, m_filterBytes, m_hashes};
    if (!m_hashing.IsValid())
    {
        return "VirtualFlows is " + std::to_string(m_virtualFlows) + " and FilterBytes " +
               std::to_string(m_filterBytes) + "; both must be powers of two";
    }
    Time longest;
    for (const PortLink& link : shape.ports)
    {
        const Time rtt = m_hopRtt.IsZero() ? ComputeHopRtt(link) : m_hopRtt;
        const Time period =
            std::max(m_filterPeriod.IsZero() ? rtt / 2 : m_filterPeriod, TimeStep(1));
        if (const auto error = CheckFilter(m_hops.size(), link, rtt, period))
        {
            return error;
        }
        m_hops.push_back({rtt, period, BfcCountingFilter(m_hashing)});
        m_gates.push_back(CreateObject<BfcGate>());
        longest = std::max(longest, rtt);
    }
    for (std::size_t i = 0; i < shape.ports.size() * NUM_PRIORITIES; ++i)
    {
        auto queue = CreateObject<BfcEgressQueue>();
        queue->Attach(GetGate(PortId{static_cast<uint16_t>(i / NUM_PRIORITIES)}), m_hashing);
        queue->Table().Configure(m_numQueues,
                                 m_tableEntries,
                                 longest.GetTimeStep() * m_stickyHops,
                                 m_random);
        m_queues.push_back(queue);
    }
    m_for.resize(m_queues.size());
    return PfcFlowControl::Configure(shape);
}

Time
BfcFlowControl::ComputeHopRtt(const PortLink& link) const
{
    const uint32_t frame = link.mtu + ETHERNET_BYTES + link.overheadBytes;
    const uint32_t response = TransmitGate::GetGrantedQuanta(link.rate) * PAUSE_QUANTUM_BITS / 8;
    return GetFilterTime(m_filterBytes, link) + 2 * link.delay +
           link.rate.CalculateBytesTxTime(response + frame);
}

Time
BfcFlowControl::FindSpacing(PortId port) const
{
    PortLink link = Shape().ports[Index(port)];
    const DataRate rate = Services().GetRate(port);
    if (rate >= link.GetSendRate())
    {
        return Time(0); // the link is at full rate, for which the period alone is sufficient
    }
    link.sendRate = rate;
    link.rate = std::min(link.rate, rate); // the opposite direction is assumed to be no faster
    return ComputeHopRtt(link) / 2;
}

std::optional<std::string>
BfcFlowControl::CheckFilter(std::size_t port, const PortLink& link, Time rtt, Time period) const
{
    std::ostringstream message;
    const uint32_t body = BfcHeader::BASE_BYTES + m_filterBytes;
    if (link.mtu < body)
    {
        message << "FilterBytes is " << m_filterBytes << ", so that a filter needs an MTU of "
                << body << " B, but port " << port << " has " << link.mtu << " B";
        return message.str();
    }
    const Time needed = GetFilterTime(m_filterBytes, link);
    if (period > needed)
    {
        return std::nullopt;
    }
    const bool isOfHop = m_filterPeriod.IsZero() && !m_hopRtt.IsZero();
    const auto write = [&message](Time time) { message << time.ToDouble(Time::NS) << " ns"; };
    message.precision(15);
    message << (isOfHop ? "HopRtt is " : "FilterPeriod is ");
    write(isOfHop ? rtt : period);
    message << (isOfHop                   ? ", and filters are half of it apart"
                : m_filterPeriod.IsZero() ? ", half of the round trip of the link"
                                          : "")
            << ", but a filter of " << m_filterBytes << " B takes ";
    write(needed);
    message << " on the wire of port " << port << " at "
            << static_cast<double>(link.GetSendRate().GetBitRate()) / 1e9 << " Gb/s; "
            << (isOfHop ? "HopRtt" : "FilterPeriod") << " must be at least ";
    write((needed + TimeStep(1)) * (isOfHop ? 2 : 1));
    return message.str();
}

uint64_t
BfcFlowControl::GetThreshold(PortId ingress, PortId egress, uint32_t active) const
{
    const Hop& hop = m_hops[Index(ingress)];
    const auto rate = static_cast<double>(Shape().ports[Index(egress)].GetSendRate().GetBitRate());
    // A millionth of a byte is added so that a rounding error cannot lower the result by a byte.
    return static_cast<uint64_t>((hop.rtt + hop.period).GetSeconds() * rate / 8 / active + 1e-6);
}

uint64_t
BfcFlowControl::FindThreshold(QueueId queue, PortId ingress, const SwitchItem* coming) const
{
    return GetThreshold(ingress, queue.port, m_queues[Index(queue)]->CountActive(coming));
}

void
BfcFlowControl::OnEnqueue(const SwitchItem& item)
{
    PfcFlowControl::OnEnqueue(item);
    const QueueId egress = item.GetEgressQueue();
    BfcFlowTable& table = m_queues[Index(egress)]->Table();
    BfcFlow* flow = table.Add(m_hashing.GetVirtualFlow(item.frame.flowHash),
                              item.ingress,
                              item.frame.size,
                              NowInTicks());
    if (!flow || flow->isPaused || !Contains(Shape().lossless, egress.priority))
    {
        return;
    }
    const uint64_t bytes = table.GetQueue(flow->queue).bytes;
    // The first test is cheap and excludes most queues, because they are short.
    if (bytes > GetThreshold(item.ingress, item.egress, m_numQueues + 1) &&
        bytes > FindThreshold(egress, item.ingress, &item))
    {
        Stop(egress, *flow);
    }
}

void
BfcFlowControl::OnRelease(const SwitchItem& item, Ticks when)
{
    const QueueId egress = item.GetEgressQueue();
    const std::size_t index =
        m_queues[Index(egress)]->Table().Remove(m_hashing.GetVirtualFlow(item.frame.flowHash),
                                                item.ingress,
                                                item.frame.size,
                                                when);
    TryResume(egress, index);
    PfcFlowControl::OnRelease(item, when);
}

void
BfcFlowControl::OnRefusal(const SwitchItem& item)
{
    RestartAfter(item);
}

void
BfcFlowControl::OnLinkUp(PortId port)
{
    PfcFlowControl::OnLinkUp(port);
    if (m_hops[Index(port)].HasNews())
    {
        AwaitFilter(port);
    }
}

uint64_t
BfcFlowControl::GetFlowOf(const Frame& frame) const
{
    // Recorders also call this function on switches of other ranks, which are not configured.
    return BfcHashing{m_virtualFlows}.GetVirtualFlow(frame.flowHash);
}

void
BfcFlowControl::Stop(QueueId egress, BfcFlow& flow)
{
    flow.isPaused = true;
    m_queues[Index(egress)]->Table().GetQueue(flow.queue).paused.Push(&flow);
    m_hops[Index(flow.ingress)].stopped.Add(flow.virtualFlow);
    const QueueId ingress{flow.ingress, egress.priority};
    if (m_for[Index(ingress)][flow.virtualFlow]++ == 0)
    {
        SetFlowsStopped(ingress, {flow.virtualFlow}, true);
    }
    AwaitFilter(flow.ingress);
}

void
BfcFlowControl::Resume(QueueId egress, BfcFlow& flow)
{
    m_hops[Index(flow.ingress)].stopped.Remove(flow.virtualFlow);
    const QueueId ingress{flow.ingress, egress.priority};
    auto& stopped = m_for[Index(ingress)];
    const auto found = stopped.find(flow.virtualFlow);
    if (--found->second == 0)
    {
        stopped.erase(found);
        SetFlowsStopped(ingress, {flow.virtualFlow}, false);
    }
    m_queues[Index(egress)]->Table().Resume(flow, NowInTicks());
}

void
BfcFlowControl::TryResume(QueueId egress, std::size_t index)
{
    BfcPhysicalQueue& queue = m_queues[Index(egress)]->Table().GetQueue(index);
    if (queue.paused.IsEmpty() ||
        queue.bytes > FindThreshold(egress, queue.paused.Front()->ingress, nullptr))
    {
        return; // retried when another frame leaves
    }
    const Ticks now = NowInTicks();
    if (now >= queue.resumeFrom)
    {
        BfcFlow& flow = *queue.paused.Pop();
        queue.resumeFrom = now + (GetHopRtt(flow.ingress) / m_resumes).GetTimeStep();
        Resume(egress, flow);
    }
    if (!queue.paused.IsEmpty() && queue.resume.IsExpired())
    {
        queue.resume = Simulator::Schedule(TimeStep(queue.resumeFrom - now),
                                           &BfcFlowControl::TryResume,
                                           this,
                                           egress,
                                           index);
    }
}

void
BfcFlowControl::AwaitFilter(PortId port)
{
    Hop& hop = m_hops[Index(port)];
    if (hop.timer.IsExpired() && Services().IsLinkUp(port))
    {
        const Ticks period = hop.period.GetTimeStep();
        hop.timer = Simulator::Schedule(TimeStep(period - NowInTicks() % period),
                                        &BfcFlowControl::SendFilter,
                                        this,
                                        port);
    }
}

void
BfcFlowControl::SendFilter(PortId port)
{
    Hop& hop = m_hops[Index(port)];
    if (!hop.HasNews())
    {
        return; // all flows stopped since the latest filter have resumed
    }
    if (!hop.latest || *hop.latest + FindSpacing(port).GetTimeStep() <= NowInTicks())
    {
        hop.isDue = true;
        Services().RequestControl(port);
    }
    if (hop.HasNews())
    {
        AwaitFilter(port);
    }
}

Ptr<Packet>
BfcFlowControl::DoMakeControl(PortId port)
{
    if (Ptr<Packet> pause = PfcFlowControl::DoMakeControl(port))
    {
        return pause;
    }
    Hop& hop = m_hops[Index(port)];
    if (!hop.isDue)
    {
        return nullptr;
    }
    hop.isDue = false;
    hop.latest = NowInTicks();
    // The number of repetitions is set now, because the flows stopped by this filter can resume
    // before the next filter is sent.
    if (hop.stopped.GetSize() > 0)
    {
        hop.repeats = REPEATS;
        AwaitFilter(port);
    }
    else if (hop.repeats > 0)
    {
        --hop.repeats;
    }
    BfcHeader body;
    body.classes = Shape().lossless;
    body.filter = hop.stopped.TakeSnapshot();
    NS_LOG_DEBUG("port " << Index(port) << " sends " << body);
    return MakeMacControlFrame(Services().GetAddress(port), body);
}

} // namespace ns3::lossless
