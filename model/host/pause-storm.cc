// SPDX-License-Identifier: GPL-2.0-only
#include "pause-storm.h"

#include "host-pfc.h"

#include "ns3/host-port.h"
#include "ns3/lossless-net-device.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PauseStorm);

TypeId
PauseStorm::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<PauseStorm, Application>("PauseStorm")
            .AddAttribute(
                "Classes",
                "Classes that are stopped, bit p for class p; all eight bits stop the port.",
                UintegerValue(1U << 3),
                MakeUintegerAccessor(&PauseStorm::m_classes),
                MakeUintegerChecker<uint8_t>(1))
            .AddAttribute("Quanta",
                          "Duration of each PAUSE, in pause quanta (512 bit times); 0: RESUMEs are "
                          "sent from now on.",
                          UintegerValue(UINT16_MAX),
                          MakeUintegerAccessor(&PauseStorm::m_quanta),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("Interval",
                          "Time between PAUSEs; 0: half the duration of a PAUSE or, for RESUMEs, "
                          "of the longest PAUSE.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PauseStorm::m_interval),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
PauseStorm::Install(Ptr<LosslessNetDevice> device)
{
    GetPortOfHost(device, "a PauseStorm");
    RequirePausedNeighbour(*device, "PauseStorm (--storm)");
    m_device = device;
    device->GetNode()->AddApplication(Ptr<PauseStorm>(this));
}

void
PauseStorm::DoDispose()
{
    m_next.Cancel();
    m_device = nullptr;
    Application::DoDispose();
}

void
PauseStorm::StartApplication()
{
    Send();
}

void
PauseStorm::StopApplication()
{
    m_next.Cancel();
}

void
PauseStorm::Send()
{
    SendPfc(m_device, m_classes, m_quanta);
    m_sent += m_device->IsLinkUp() ? 1 : 0;
    const uint32_t quanta = m_quanta > 0 ? m_quanta : UINT16_MAX;
    const Time length = m_device->GetGate()->QuantaToTime(quanta);
    const Time interval = m_interval.IsZero() ? length / 2 : m_interval;
    const Time slot = m_device->GetWireTime(PFC_FRAME_BYTES) + Seconds(m_device->GetGapSeconds());
    const Time least = slot + TimeStep(1); // prevents a growing backlog of frames
    m_next = Simulator::Schedule(std::max(interval, least), &PauseStorm::Send, this);
}

} // namespace ns3::lossless
