// SPDX-License-Identifier: GPL-2.0-only
#include "cbfc-receiver.h"

#include "ns3/simulator.h"

#include <optional>

namespace ns3::lossless
{

CbfcReceiver::~CbfcReceiver()
{
    Stop();
}

void
CbfcReceiver::Stop()
{
    m_wait.Cancel();
    m_refresh.Cancel();
    m_request.Nullify();
}

void
CbfcReceiver::Configure(const CbfcSettings& settings,
                        const CbfcLimits& limits,
                        Callback<DataRate> rate,
                        Callback<void> request)
{
    m_told = CbfcPool(limits);
    m_updateSpacing = settings.updateSpacing;
    m_refreshSpacing = settings.refreshSpacing;
    m_rate = rate;
    m_request = request;
}

Time
CbfcReceiver::GetTimeOf(uint32_t bytes) const
{
    return m_rate().CalculateBytesTxTime(bytes);
}

void
CbfcReceiver::Arrive(uint8_t channel, uint32_t credits)
{
    m_consumed[channel] = WrapCredits(m_consumed[channel] + credits);
    UpdateTold(channel);
}

void
CbfcReceiver::Free(uint8_t channel, uint32_t credits)
{
    m_freed[channel] = WrapCredits(m_freed[channel] + credits);
    Note(channel);
}

void
CbfcReceiver::Reconcile(const CbfcCount& count)
{
    // With jitter, a frame that was sent after the message can be counted before the message is
    // handled. The resulting small negative difference is ignored; the next message corrects the
    // count.
    const uint32_t lost = WrapCredits(count.credits - m_consumed[count.channel]);
    const bool isLost = lost > 0 && lost <= CBFC_MAX_CREDITS / 2;
    if (isLost)
    {
        m_freed[count.channel] = WrapCredits(m_freed[count.channel] + lost);
        m_consumed[count.channel] = count.credits;
        UpdateTold(count.channel);
    }
    if (isLost || m_refresh.IsExpired())
    {
        m_repeats |= 1U << count.channel;
        Note(count.channel); // an idle channel has no other opportunity to repeat a lost update
    }
    else
    {
        m_recent |= 1U << count.channel;
    }
}

void
CbfcReceiver::Restart()
{
    uint32_t all = 0;
    for (uint8_t channel = 0; channel < NUM_CHANNELS; ++channel)
    {
        if (m_told.GetLimits().reserved[channel] > 0)
        {
            m_freed[channel] = WrapCredits(-GetStored(channel));
            m_consumed[channel] = 0;
            m_toldFreed[channel] = m_freed[channel];
            UpdateTold(channel);
            all |= 1U << channel;
        }
    }
    m_recent = all;
    m_pending = all;
    m_repeats = all;
    Request(); // the wire is requested only after all old counters have been replaced
}

void
CbfcReceiver::UpdateTold(uint8_t channel)
{
    m_told.SetUsed(channel, WrapCredits(m_consumed[channel] - m_toldFreed[channel]));
}

void
CbfcReceiver::Note(uint8_t channel)
{
    m_recent |= 1U << channel;
    m_pending |= 1U << channel;
    Request();
}

void
CbfcReceiver::Request()
{
    if (m_pending == 0 || m_request.IsNull())
    {
        return;
    }
    const Time now = Simulator::Now();
    if (now >= m_earliest)
    {
        m_request();
    }
    else if (m_wait.IsExpired())
    {
        m_wait = Simulator::Schedule(m_earliest - now, &CbfcReceiver::Request, this);
    }
}

Ptr<Packet>
CbfcReceiver::MakeUpdate()
{
    const Time now = Simulator::Now();
    if (m_pending == 0 || now < m_earliest)
    {
        return nullptr;
    }
    const uint8_t channel = ChooseChannel();
    m_next = (channel + 1) % NUM_CHANNELS;
    m_pending &= ~(1U << channel);
    m_repeats &= ~(1U << channel);
    m_toldFreed[channel] = m_freed[channel];
    UpdateTold(channel);
    m_earliest = now + GetTimeOf(m_updateSpacing);
    Request();
    if (m_refresh.IsExpired())
    {
        m_refresh = Simulator::Schedule(GetTimeOf(m_refreshSpacing), &CbfcReceiver::Refresh, this);
    }
    return MakeCfUpdate({channel, m_freed[channel]});
}

uint8_t
CbfcReceiver::ChooseChannel()
{
    m_isRepeating = !m_isRepeating && m_repeats != 0;
    const uint32_t among = m_isRepeating ? m_repeats : m_pending;
    std::optional<uint8_t> chosen;
    for (std::size_t i = 0; i < NUM_CHANNELS; ++i) // channels with equal counts take turns
    {
        const auto channel = static_cast<uint8_t>((m_next + i) % NUM_CHANNELS);
        const bool isThere = (among & 1U << channel) != 0;
        if (isThere && (!chosen || GetUntold(channel) > GetUntold(*chosen)))
        {
            chosen = channel;
        }
    }
    return *chosen;
}

void
CbfcReceiver::Refresh()
{
    m_pending |= m_recent;
    m_repeats |= m_recent;
    m_recent = 0;
    Request();
}

} // namespace ns3::lossless
