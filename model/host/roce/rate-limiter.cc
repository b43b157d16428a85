// SPDX-License-Identifier: GPL-2.0-only
#include "rate-limiter.h"

#include "ns3/assert.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3::lossless
{

RateLimiter::RateLimiter(Callback<void> whenDue)
    : m_whenDue(whenDue)
{
}

RateLimiter::~RateLimiter()
{
    m_event.Cancel();
}

void
RateLimiter::Charge(FlowSender& sender, uint32_t wireBytes, DataRate lineRate, Time now)
{
    const auto nowTicks = static_cast<double>(now.GetTimeStep());
    const DataRate rate = sender.GetRate(now);
    if (rate >= lineRate)
    {
        sender.due = nowTicks; // the wire paces this sender
        return;
    }
    const double gap = 8.0 * wireBytes * static_cast<double>(Seconds(1).GetTimeStep()) /
                       static_cast<double>(rate.GetBitRate());
    sender.due = std::max(sender.due, nowTicks - gap) + gap;
}

bool
RateLimiter::TryHold(FlowSender& sender, Time now)
{
    NS_ASSERT(sender.place == FlowSender::Place::NOWHERE);
    const Ticks due = std::llround(sender.due);
    if (due <= now.GetTimeStep())
    {
        return false;
    }
    sender.place = FlowSender::Place::RATE_LIMITER;
    m_heap.push_back({due, m_nextTicket++, &sender});
    std::push_heap(m_heap.begin(), m_heap.end(), IsLater);
    return true;
}

FlowSender*
RateLimiter::Release(Time now)
{
    if (m_heap.empty() || m_heap.front().due > now.GetTimeStep())
    {
        return nullptr;
    }
    FlowSender* sender = m_heap.front().sender;
    std::pop_heap(m_heap.begin(), m_heap.end(), IsLater);
    m_heap.pop_back();
    sender->place = FlowSender::Place::NOWHERE;
    return sender;
}

void
RateLimiter::Remove(FlowSender& sender)
{
    NS_ASSERT(sender.place == FlowSender::Place::RATE_LIMITER);
    const auto isIt = [&sender](const Entry& entry) { return entry.sender == &sender; };
    m_heap.erase(std::remove_if(m_heap.begin(), m_heap.end(), isIt), m_heap.end());
    std::make_heap(m_heap.begin(), m_heap.end(), IsLater);
    sender.place = FlowSender::Place::NOWHERE;
}

void
RateLimiter::AwaitDue()
{
    NS_ASSERT(!m_heap.empty());
    const Ticks first = m_heap.front().due;
    if (!m_event.IsExpired() && m_eventAt <= first)
    {
        return;
    }
    m_event.Cancel();
    m_eventAt = first;
    const Time wait = TimeStep(first) - Simulator::Now();
    m_event = Simulator::Schedule(wait, &Callback<void>::operator(), &m_whenDue);
}

void
RateLimiter::Clear()
{
    m_heap.clear();
    m_event.Cancel();
}

bool
RateLimiter::IsLater(const Entry& a, const Entry& b)
{
    return a.due != b.due ? a.due > b.due : a.ticket > b.ticket;
}

} // namespace ns3::lossless
