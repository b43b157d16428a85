// SPDX-License-Identifier: GPL-2.0-only
#include "packet-processor.h"

#include "ns3/double.h"
#include "ns3/simulator.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PacketProcessor);
NS_OBJECT_ENSURE_REGISTERED(DelayProcessor);
NS_OBJECT_ENSURE_REGISTERED(SharedProcessor);

TypeId
PacketProcessor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::PacketProcessor").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

void
PacketProcessor::Attach(ProcessorClient* client, uint32_t nodeId, std::size_t ports)
{
    m_client = client;
    m_nodeId = nodeId;
    DoAttach(ports);
}

void
PacketProcessor::DoAttach(std::size_t /* ports */)
{
}

void
PacketProcessor::DoDispose()
{
    m_client = nullptr;
    Object::DoDispose();
}

TypeId
DelayProcessor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::DelayProcessor")
            .SetParent<PacketProcessor>()
            .SetGroupName("Lossless")
            .AddConstructor<DelayProcessor>()
            .AddAttribute("Delay",
                          "Time from the arrival of a frame until it is routed and may leave, "
                          "beyond waiting (default 500 ns).",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&DelayProcessor::m_delay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

DelayProcessor::DelayProcessor()
    : m_serve(Create<ServeEvent>(this))
{
}

DelayProcessor::~DelayProcessor()
{
    m_serve->Detach();
}

void
DelayProcessor::DoDispose()
{
    m_serve->Detach();
    m_entries.Clear();
    PacketProcessor::DoDispose();
}

void
DelayProcessor::Push(SwitchItem&& item)
{
    const Ticks ready = Simulator::Now().GetTimeStep() + m_delay.GetTimeStep();
    m_entries.Push({std::move(item), ready});
    if (!m_isStopped && !m_serve->IsArmed())
    {
        m_serve->Arm(GetNodeId(), m_delay);
    }
}

void
DelayProcessor::Serve()
{
    const Ticks now = Simulator::Now().GetTimeStep();
    while (!m_isStopped && !m_entries.IsEmpty() && m_entries.Front().ready <= now)
    {
        m_isStopped = Forward(m_entries.Front().item) == AdmissionOutcome::WAIT;
        if (!m_isStopped)
        {
            m_entries.Pop();
        }
    }
    if (!m_isStopped && !m_entries.IsEmpty() && !m_serve->IsArmed())
    {
        m_serve->Arm(GetNodeId(), TimeStep(m_entries.Front().ready - now));
    }
}

void
DelayProcessor::Resume()
{
    m_isStopped = false;
    Serve();
}

const SwitchItem*
DelayProcessor::GetStopped() const
{
    return m_isStopped ? &m_entries.Front().item : nullptr;
}

void
DelayProcessor::ForEach(const ItemVisitor& visitor) const
{
    m_entries.ForEach([&visitor](const Entry& entry) { visitor(entry.item); });
}

TypeId
SharedProcessor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::SharedProcessor")
            .SetParent<PacketProcessor>()
            .SetGroupName("Lossless")
            .AddConstructor<SharedProcessor>()
            .AddAttribute("Rate",
                          "Frames that are forwarded a second; 0: as many as arrive.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&SharedProcessor::m_rate),
                          MakeDoubleChecker<double>(0, 1e12));
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
    m_queues[Index(item.ingress)].Push(std::move(item));
    ++m_frames;
    if (!m_isStopped)
    {
        StartNext();
    }
}

void
SharedProcessor::StartNext()
{
    while (m_rate == 0 && m_frames > 0 && ForwardFirst())
    {
    }
    if (m_rate > 0 && m_frames > 0 && !m_serve->IsArmed())
    {
        m_serve->Arm(GetNodeId(), Seconds(1 / m_rate));
    }
}

void
SharedProcessor::Serve()
{
    if (ForwardFirst())
    {
        StartNext();
    }
}

bool
SharedProcessor::ForwardFirst()
{
    while (m_queues[m_turn].IsEmpty())
    {
        m_turn = (m_turn + 1) % m_queues.size();
    }
    m_isStopped = false;
    m_isStopped = Forward(m_queues[m_turn].Front()) == AdmissionOutcome::WAIT;
    if (m_isStopped)
    {
        return false;
    }
    m_queues[m_turn].Pop();
    m_turn = (m_turn + 1) % m_queues.size();
    --m_frames;
    return true;
}

void
SharedProcessor::Resume()
{
    Serve(); // the engine was done with the frame, which only had to wait
}

const SwitchItem*
SharedProcessor::GetStopped() const
{
    return m_isStopped ? &m_queues[m_turn].Front() : nullptr;
}

void
SharedProcessor::ForEach(const ItemVisitor& visitor) const
{
    for (const RingBuffer<SwitchItem>& queue : m_queues)
    {
        queue.ForEach(visitor);
    }
}

} // namespace ns3::lossless
