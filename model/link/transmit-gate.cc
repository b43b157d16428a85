// SPDX-License-Identifier: GPL-2.0-only
#include "transmit-gate.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(TransmitGate);

TypeId
TransmitGate::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lossless::TransmitGate")
                            .SetParent<Object>()
                            .SetGroupName("Lossless")
                            .AddTraceSource("Closed",
                                            "Traffic classes were stopped by the neighbour.",
                                            MakeTraceSourceAccessor(&TransmitGate::m_closedTrace),
                                            "ns3::lossless::TransmitGate::ClassesTracedCallback")
                            .AddTraceSource("Opened",
                                            "Traffic classes may send again.",
                                            MakeTraceSourceAccessor(&TransmitGate::m_openedTrace),
                                            "ns3::lossless::TransmitGate::ClassesTracedCallback");
    return tid;
}

void
TransmitGate::Attach(DataRate rate, Callback<void> opened)
{
    m_rate = rate;
    m_notifyOpened = opened;
}

void
TransmitGate::NotifySent(const Frame& /* frame */, Priority /* priority */)
{
}

void
TransmitGate::DoDispose()
{
    m_notifyOpened.Nullify();
    Object::DoDispose();
}

void
TransmitGate::SetOpen(PrioritySet open)
{
    const PrioritySet opened = open & ~m_open;
    const PrioritySet closed = m_open & ~open;
    m_open = open;
    if (closed)
    {
        m_closedTrace(closed);
    }
    if (opened)
    {
        m_openedTrace(opened);
        WakeTransmitter();
    }
}

void
TransmitGate::WakeTransmitter()
{
    if (!m_notifyOpened.IsNull())
    {
        m_notifyOpened();
    }
}

} // namespace ns3::lossless
