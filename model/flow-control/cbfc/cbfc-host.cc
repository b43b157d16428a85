// SPDX-License-Identifier: GPL-2.0-only
#include "cbfc-host.h"

#include "ns3/abort.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(CbfcHost, Object);

void
CbfcHost::Install(Ptr<LosslessNetDevice> device)
{
    NS_ABORT_MSG_IF(m_device, "CbfcHost: the object is installed on a device already.");
    GetPortOfHost(device, "CbfcHost").AddFirstReceiver(this);
    device->AddLinkChangeCallback(MakeCallback(&CbfcHost::NotifyLinkChanged, this));
    device->AggregateObject(Ptr<CbfcHost>(this));
    m_device = PeekPointer(device);
}

void
CbfcHost::Configure(const CbfcSettings& settings, const PortLink& link)
{
    m_settings = settings;
    m_receiver.Configure(settings,
                         settings.MakeLimits(link),
                         MakeCallback(&LosslessNetDevice::GetDataRate, m_device),
                         MakeCallback(&CbfcHost::SendUpdate, this));
}

void
CbfcHost::DoDispose()
{
    m_receiver.Stop();
    m_device = nullptr;
    Object::DoDispose();
}

bool
CbfcHost::TryReceive(const Frame& frame)
{
    if (Contains(m_settings.lossless, frame.priority))
    {
        const uint8_t channel = m_settings.GetChannel(frame.priority);
        const uint32_t credits = m_settings.GetCredits(frame.size);
        m_receiver.Arrive(channel, credits);
        m_receiver.Free(channel, credits);
    }
    return false; // the frame is left to other receivers, which can parse it
}

void
CbfcHost::SendUpdate()
{
    if (Ptr<Packet> update = m_device ? m_receiver.MakeUpdate() : nullptr)
    {
        m_device->SendControl(update);
    }
}

void
CbfcHost::RequestCounters()
{
    // No frame may overtake this message, because the message counts the frames sent before it.
    const auto gate = DynamicCast<CbfcGate>(m_device->GetGate());
    const auto address = m_device->GetMacAddress();
    if (Ptr<Packet> counters = gate ? gate->MakeCounters(address) : nullptr)
    {
        m_device->SendControl(counters);
    }
}

void
CbfcHost::TakeCounters(const CcUpdateHeader& counters)
{
    for (const CbfcCount& count : counters.counts)
    {
        m_receiver.Reconcile(count);
    }
}

bool
CbfcHost::IsUp() const
{
    return m_device && m_device->IsLinkUp();
}

void
CbfcHost::NotifyLinkChanged()
{
    if (IsUp())
    {
        m_receiver.Restart();
    }
}

} // namespace ns3::lossless
