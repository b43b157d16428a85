// SPDX-License-Identifier: GPL-2.0-only
#include "slow-receiver.h"

#include "host-pfc.h"

#include "ns3/abort.h"
#include "ns3/count-attribute.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(SlowReceiver);

TypeId
SlowReceiver::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<SlowReceiver, Application>("SlowReceiver")
            .AddAttribute(
                "Rate",
                "Rate at which frames leave the receive buffer, counting their bytes without FCS.",
                DataRateValue(DataRate("1Gbps")),
                MakeDataRateAccessor(&SlowReceiver::m_rate),
                MakeDataRateChecker())
            .AddAttribute("Xoff",
                          "Bytes of a class in the receive buffer above which the host pauses it.",
                          UintegerValue(64 << 10),
                          MakeUintegerAccessor(&SlowReceiver::m_xoff),
                          MakeCountChecker())
            .AddAttribute("Xon",
                          "Bytes of a class at which the host resumes it, at most Xoff.",
                          UintegerValue(32 << 10),
                          MakeUintegerAccessor(&SlowReceiver::m_xon),
                          MakeCountChecker())
            .AddAttribute("Classes",
                          "Classes that the host pauses, bit p for class p, if they are under flow "
                          "control.",
                          UintegerValue(ALL_PRIORITIES),
                          MakeUintegerAccessor(&SlowReceiver::m_classes),
                          MakeUintegerChecker<uint8_t>());
    return tid;
}

void
SlowReceiver::Install(Ptr<LosslessNetDevice> device)
{
    NS_ABORT_MSG_IF(m_rate.GetBitRate() == 0 || m_rate >= device->GetDataRate(),
                    "SlowReceiver: Rate is " << m_rate << "; it must be above 0 and below "
                                             << device->GetDataRate() << ", that of the link.");
    NS_ABORT_MSG_IF(m_xon > m_xoff,
                    "SlowReceiver: Xon is " << m_xon << " B; it must be at most Xoff, " << m_xoff
                                            << " B.");
    RequirePausedNeighbour(*device, "SlowReceiver (--slow-receiver)");
    GetPortOfHost(device, "a SlowReceiver").AddFirstReceiver(this);
    m_device = device;
    // When the link goes down or comes up, the gate of the neighbour ends all pauses.
    device->AddLinkChangeCallback(MakeCallback(&SlowReceiver::Refresh, this));
    device->GetNode()->AddApplication(Ptr<SlowReceiver>(this));
}

void
SlowReceiver::DoDispose()
{
    m_drain.Cancel();
    m_refresh.Cancel();
    m_waiting.Clear();
    m_device = nullptr;
    Application::DoDispose();
}

void
SlowReceiver::StartApplication()
{
    m_isSlow = true;
}

void
SlowReceiver::StopApplication()
{
    m_isSlow = false;
}

bool
SlowReceiver::TryReceive(const Frame& frame)
{
    // Frames that arrive after StopTime wait until the frames still in the buffer have been
    // processed.
    if (m_isHandingOn || (!m_isSlow && m_waiting.IsEmpty()))
    {
        return false;
    }
    const Priority priority = frame.priority;
    const bool isIdle = m_waiting.IsEmpty();
    m_waiting.Push(Frame(frame));
    m_bytes[Index(priority)] += frame.size;
    m_allBytes += frame.size;
    m_peakBytes = std::max(m_peakBytes, m_allBytes);
    if (m_bytes[Index(priority)] > m_xoff &&
        Contains(m_classes & m_device->GetLossless() & ~m_paused, priority))
    {
        ++m_pauses;
        Tell(SetOf(priority), true);
    }
    if (isIdle)
    {
        AwaitDrain();
    }
    return true;
}

void
SlowReceiver::AwaitDrain()
{
    m_drain = Simulator::Schedule(m_rate.CalculateBytesTxTime(m_waiting.Front().size),
                                  &SlowReceiver::Drain,
                                  this);
}

void
SlowReceiver::Drain()
{
    Frame frame = m_waiting.Pop();
    const Priority priority = frame.priority;
    m_bytes[Index(priority)] -= frame.size;
    m_allBytes -= frame.size;
    if (m_bytes[Index(priority)] <= m_xon && Contains(m_paused, priority))
    {
        Tell(SetOf(priority), false);
    }
    if (!m_waiting.IsEmpty())
    {
        AwaitDrain();
    }
    frame.arrival = NowInTicks();
    m_isHandingOn = true;
    m_device->GetHostPort()->Receive(std::move(frame));
    m_isHandingOn = false;
}

void
SlowReceiver::Tell(PrioritySet classes, bool isPaused)
{
    SendPfc(m_device, classes, isPaused ? UINT16_MAX : 0);
    m_paused = isPaused ? m_paused | classes : m_paused & ~classes;
    const Time half = m_device->GetGate()->QuantaToTime(UINT16_MAX) / 2;
    // The pending refresh can be more than half a pause time away if it was scheduled when the link
    // was slower.
    if (m_paused == 0 || Simulator::GetDelayLeft(m_refresh) > half)
    {
        m_refresh.Cancel();
    }
    if (m_paused != 0 && m_refresh.IsExpired())
    {
        m_refresh = Simulator::Schedule(half, &SlowReceiver::Refresh, this);
    }
}

void
SlowReceiver::Refresh()
{
    if (!m_device || !m_device->IsLinkUp())
    {
        return;
    }
    // A frame for all eight classes would stop the whole port, and a RESUME for individual classes
    // would not release the port.
    const PrioritySet first = m_paused == 0xff ? 0x0f : m_paused;
    const auto rest = static_cast<PrioritySet>(m_paused & ~first);
    for (const PrioritySet classes : {first, rest})
    {
        if (classes != 0)
        {
            Tell(classes, true);
        }
    }
}

} // namespace ns3::lossless
