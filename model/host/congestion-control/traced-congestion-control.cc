// SPDX-License-Identifier: GPL-2.0-only
#include "traced-congestion-control.h"

#include "ns3/make-type-id.h"

#include <utility>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(TracedCongestionControl);

TypeId
TracedCongestionControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<TracedCongestionControl, CongestionControl>("TracedCongestionControl");
    return tid;
}

TracedCongestionControl::TracedCongestionControl(Ptr<CongestionControl> control,
                                                 std::function<void(DataRate)> tellRate,
                                                 std::function<void(uint64_t)> tellWindow)
    : m_control(control),
      m_tellRate(std::move(tellRate)),
      m_tellWindow(std::move(tellWindow))
{
}

CongestionFeedback
TracedCongestionControl::GetFeedback() const
{
    return m_control->GetFeedback();
}

void
TracedCongestionControl::Start(DataRate lineRate, uint32_t payloadBytes)
{
    m_control->Start(lineRate, payloadBytes);
}

void
TracedCongestionControl::NotifySent(uint32_t bytes, Time now)
{
    m_control->NotifySent(bytes, now);
}

void
TracedCongestionControl::NotifyAck(const AckSignals& signals, Time now)
{
    m_control->NotifyAck(signals, now);
}

void
TracedCongestionControl::NotifyCnp(Time now)
{
    m_control->NotifyCnp(now);
}

void
TracedCongestionControl::NotifyLoss(const LossSignals& signals, Time now)
{
    m_control->NotifyLoss(signals, now);
}

void
TracedCongestionControl::NotifyTrimmed(const LossSignals& signals, Time now)
{
    m_control->NotifyTrimmed(signals, now);
}

void
TracedCongestionControl::NotifyPaused(const PauseNotice& notice, Time now)
{
    m_control->NotifyPaused(notice, now);
}

DataRate
TracedCongestionControl::GetRate(Time now)
{
    const DataRate rate = m_control->GetRate(now);
    if (rate != m_rate)
    {
        m_rate = rate;
        m_tellRate(rate);
    }
    return rate;
}

uint64_t
TracedCongestionControl::GetWindow() const
{
    const uint64_t window = m_control->GetWindow();
    if (window != m_window)
    {
        m_window = window;
        m_tellWindow(window);
    }
    return window;
}

} // namespace ns3::lossless
