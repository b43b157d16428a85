// SPDX-License-Identifier: GPL-2.0-only
#include "cbfc-sender.h"

#include <cmath>
#include <numeric>

namespace ns3::lossless
{

CbfcPool::CbfcPool(const CbfcLimits& limits)
    : m_limits(limits)
{
}

bool
CbfcPool::MayTake(uint8_t channel, uint32_t credits) const
{
    const uint32_t before = GetSharedPart(channel, m_used[channel]);
    const uint32_t after = GetSharedPart(channel, m_used[channel] + credits);
    if (after == 0)
    {
        return true;
    }
    const uint64_t free = m_limits.shared > m_sharedUsed ? m_limits.shared - m_sharedUsed : 0;
    if (after - before > free)
    {
        return false;
    }
    switch (m_limits.threshold)
    {
    case CbfcThreshold::STATIC:
        return m_limits.staticLimit == 0 || after <= m_limits.staticLimit;
    case CbfcThreshold::DYNAMIC:
        return after <= std::ldexp(static_cast<double>(free), m_limits.exponent);
    default:
        return false;
    }
}

void
CbfcPool::SetUsed(uint8_t channel, uint32_t credits)
{
    m_sharedUsed -= GetSharedPart(channel, m_used[channel]);
    m_used[channel] = credits;
    m_sharedUsed += GetSharedPart(channel, credits);
}

uint64_t
CbfcPool::GetAllUsed() const
{
    return std::accumulate(m_used.begin(), m_used.end(), uint64_t{0});
}

CbfcSender::CbfcSender(const CbfcLimits& limits)
    : m_pool(limits)
{
}

void
CbfcSender::Consume(uint8_t channel, uint32_t credits)
{
    m_consumed[channel] = WrapCredits(m_consumed[channel] + credits);
    m_pool.SetUsed(channel, WrapCredits(m_consumed[channel] - m_freed[channel]));
}

void
CbfcSender::Learn(const CbfcCount& count)
{
    m_freed[count.channel] = count.credits;
    m_unknown &= ~(1U << count.channel);
    m_pool.SetUsed(count.channel, WrapCredits(m_consumed[count.channel] - count.credits));
}

void
CbfcSender::Reset()
{
    const CbfcLimits limits = m_pool.GetLimits();
    *this = CbfcSender(limits);
    for (std::size_t channel = 0; channel < NUM_CHANNELS; ++channel)
    {
        m_unknown |= limits.reserved[channel] > 0 ? 1U << channel : 0;
    }
}

bool
CbfcSender::IsSettled() const
{
    for (uint8_t channel = 0; channel < NUM_CHANNELS; ++channel)
    {
        if (!IsSettled(channel))
        {
            return false;
        }
    }
    return true;
}

std::vector<CbfcCount>
CbfcSender::GetConsumed() const
{
    std::vector<CbfcCount> counts;
    for (uint8_t channel = 0; channel < NUM_CHANNELS; ++channel)
    {
        if (!IsSettled(channel))
        {
            counts.push_back({channel, m_consumed[channel]});
        }
    }
    return counts;
}

} // namespace ns3::lossless
