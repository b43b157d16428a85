// SPDX-License-Identifier: GPL-2.0-only
#include "packet-processor.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/make-type-id.h"
#include "ns3/simulator.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessPacketProcessor");

LOSSLESS_PLAIN_CLASS(PacketProcessor, Object);
NS_OBJECT_ENSURE_REGISTERED(SharedProcessor);

void
PacketProcessor::Attach(Forwarder forwarder, uint32_t nodeId, std::size_t ports)
{
    m_forwarder = std::move(forwarder);
    m_nodeId = nodeId;
    DoAttach(ports);
}

AdmissionOutcome
PacketProcessor::Forward(SwitchItem& item, bool isRouted)
{
    const PortId ingress = item.ingress;
    const AdmissionOutcome outcome = m_forwarder(item, isRouted);
    if (outcome == AdmissionOutcome::WAIT)
    {
        NS_LOG_DEBUG("switch " << m_nodeId << " stops its processor: a frame from port "
                               << Index(ingress) << " has no room at port " << Index(item.egress)
                               << " class " << Index(item.frame.priority));
    }
    else
    {
        NS_LOG_LOGIC("switch " << m_nodeId << " forwards a frame from port " << Index(ingress));
    }
    return outcome;
}

void
PacketProcessor::DoDispose()
{
    m_forwarder = nullptr;
    Object::DoDispose();
}

TypeId
SharedProcessor::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<SharedProcessor, PacketProcessor>("SharedProcessor")
            .AddAttribute("Rate",
                          "Frames forwarded per second; 0: as many as arrive.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&SharedProcessor::m_rate),
                          MakeDoubleChecker<double>(0, 1e12))
            .AddAttribute("Latency",
                          "Time after the arrival of a frame from which the engine may take it.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&SharedProcessor::m_latency),
                          MakeTimeChecker(Time(0)));
    return tid;
}

SharedProcessor::SharedProcessor()
    : m_serve(Create<ServeEvent>(this))
{
}

SharedProcessor::~SharedProcessor()
{
    m_serve->Detach();
}

void
SharedProcessor::DoDispose()
{
    m_serve->Detach();
    m_queues.clear();
    m_frames = 0;
    PacketProcessor::DoDispose();
}

void
SharedProcessor::DoAttach(std::size_t ports)
{
    m_queues.resize(ports);
}

void
SharedProcessor::Push(SwitchItem&& item)
{
    const Ticks ready = NowInTicks() + m_latency.GetTimeStep();
    m_queues[Index(item.ingress)].Push({std::move(item), ready});
    ++m_frames;
    if (!m_isStopped && !m_serve->IsArmed())
    {
        StartNext();
    }
}

void
SharedProcessor::StartNext()
{
    while (FindReady())
    {
        m_isServing = true;
        if (m_rate > 0)
        {
            // Fractions of a tick are carried over, so the rate is exact even if a frame takes only
            // a few ticks.
            const double exact = static_cast<double>(Seconds(1).GetTimeStep()) / m_rate + m_carry;
            const auto whole = static_cast<int64_t>(exact);
            m_carry = exact - static_cast<double>(whole);
            m_serve->Arm(GetNodeId(), TimeStep(whole));
            return;
        }
        if (!ForwardFirst())
        {
            return;
        }
    }
    if (m_frames > 0)
    {
        m_serve->Arm(GetNodeId(), TimeStep(GetFirstReady()) - Simulator::Now());
    }
}

bool
SharedProcessor::FindReady()
{
    const Ticks now = NowInTicks();
    for (std::size_t i = 0; m_frames > 0 && i < m_queues.size(); ++i)
    {
        const std::size_t port = (m_turn + i) % m_queues.size();
        if (!m_queues[port].IsEmpty() && m_queues[port].Front().ready <= now)
        {
            m_turn = port;
            return true;
        }
    }
    return false;
}

Ticks
SharedProcessor::GetFirstReady() const
{
    Ticks first = std::numeric_limits<Ticks>::max();
    for (const RingBuffer<Entry>& queue : m_queues)
    {
        first = queue.IsEmpty() ? first : std::min(first, queue.Front().ready);
    }
    return first;
}

void
SharedProcessor::Serve()
{
    if (!m_isServing || ForwardFirst())
    {
        StartNext();
    }
}

bool
SharedProcessor::ForwardFirst()
{
    const bool hasWaited = std::exchange(m_isStopped, false);
    m_isStopped = Forward(m_queues[m_turn].Front().item, hasWaited) == AdmissionOutcome::WAIT;
    if (m_isStopped)
    {
        return false;
    }
    m_isServing = false;
    m_queues[m_turn].Pop();
    m_turn = (m_turn + 1) % m_queues.size();
    --m_frames;
    return true;
}

void
SharedProcessor::Resume()
{
    Serve(); // the engine has already processed the frame and was only waiting for room
}

const SwitchItem*
SharedProcessor::GetStopped() const
{
    return m_isStopped ? &m_queues[m_turn].Front().item : nullptr;
}

void
SharedProcessor::ForEach(const ItemVisitor& visitor) const
{
    for (const RingBuffer<Entry>& queue : m_queues)
    {
        queue.ForEach([&visitor](const Entry& entry) { visitor(entry.item); });
    }
}

} // namespace ns3::lossless
