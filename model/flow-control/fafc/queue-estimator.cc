// SPDX-License-Identifier: GPL-2.0-only
#include "queue-estimator.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ns3::lossless
{

namespace
{

/// Values below this limit, in bytes or in bytes per link delay, are treated as zero.
constexpr double NOTHING = 0.5;

/// Resets the smoothed values.
void
Restart(std::vector<QueueEstimator::Estimate>& sums)
{
    for (QueueEstimator::Estimate& sum : sums)
    {
        sum = {sum.bytes, 0, 0, 0};
    }
}

/// Adds the smoothed values of a queue to the sum for a port.
void
Add(QueueEstimator::Estimate& sum, const QueueEstimator::Estimate& queue)
{
    sum.level += queue.level;
    sum.growth += queue.growth;
    sum.arrivals += queue.arrivals;
}

} // namespace

QueueEstimator::QueueEstimator(const std::vector<double>& delays,
                               double levelWeight,
                               double rateWeight,
                               Trend trend)
    : m_levelWeight(levelWeight),
      m_rateWeight(rateWeight),
      m_trend(trend),
      m_queues(delays.size() * delays.size()),
      m_ingress(delays.size()),
      m_egress(delays.size())
{
    for (const double delay : delays)
    {
        const double periods = std::max(1.0, std::round(delay));
        m_windows.push_back({static_cast<std::size_t>(periods), delay});
        m_longest = std::max(m_longest, m_windows.back().periods);
    }
    for (std::size_t place = 0; place < m_queues.size(); ++place)
    {
        m_queues[place].ingress = place / delays.size();
        m_queues[place].egress = place % delays.size();
    }
}

void
QueueEstimator::Enqueue(PortId ingress, PortId egress, uint32_t bytes)
{
    const std::size_t place = Place(ingress, egress);
    Queue& queue = m_queues[place];
    if (!queue.isActive)
    {
        queue.isActive = true;
        m_active.push_back(place);
    }
    queue.arrived += bytes;
    queue.estimate.bytes += bytes;
    m_ingress[Index(ingress)].bytes += bytes;
    m_egress[Index(egress)].bytes += bytes;
}

void
QueueEstimator::Dequeue(PortId ingress, PortId egress, uint32_t bytes)
{
    Queue& queue = m_queues[Place(ingress, egress)];
    NS_ASSERT(queue.estimate.bytes >= bytes);
    queue.estimate.bytes -= bytes;
    m_ingress[Index(ingress)].bytes -= bytes;
    m_egress[Index(egress)].bytes -= bytes;
}

bool
QueueEstimator::Update()
{
    Restart(m_ingress);
    Restart(m_egress);
    bool hasChanged = false;
    std::size_t kept = 0;
    for (const std::size_t place : m_active)
    {
        Queue& queue = m_queues[place];
        hasChanged = UpdateQueue(queue) || hasChanged;
        if (IsNothing(queue))
        {
            queue = {{}, {}, 0, false, queue.ingress, queue.egress};
        }
        else
        {
            m_active[kept++] = place;
            Add(m_ingress[queue.ingress], queue.estimate);
            Add(m_egress[queue.egress], queue.estimate);
        }
    }
    m_active.resize(kept);
    m_still = hasChanged ? 0 : m_still + 1;
    return !IsEmpty() && m_still < m_longest;
}

bool
QueueEstimator::UpdateQueue(Queue& queue) const
{
    Estimate& estimate = queue.estimate;
    const Window& window = m_windows[queue.ingress];
    const Estimate before = estimate;
    const auto bytes = static_cast<double>(estimate.bytes);
    const double expected = before.level + before.growth / window.delay;
    estimate.level = m_levelWeight * bytes + (1 - m_levelWeight) * expected;

    RingBuffer<Sample>& samples = queue.samples;
    const Sample now{m_trend == Trend::LENGTH ? bytes : estimate.level, queue.arrived};
    const Sample latest = samples.IsEmpty() ? Sample() : samples.Peek(samples.GetSize() - 1);
    const Sample then = samples.GetSize() < window.periods ? Sample() : samples.Pop();
    samples.Push(now);
    const double grown =
        (now.length - then.length) * (window.delay / static_cast<double>(window.periods));
    const double arrived = static_cast<double>(now.arrived - then.arrived) *
                           (window.delay / static_cast<double>(samples.GetSize()));
    estimate.growth = m_rateWeight * grown + (1 - m_rateWeight) * before.growth;
    estimate.arrivals = m_rateWeight * arrived + (1 - m_rateWeight) * before.arrivals;

    const auto getState = [](const Estimate& e, const Sample& s) {
        return std::tuple(e.level, e.growth, e.arrivals, s.length, s.arrived);
    };
    return getState(estimate, now) != getState(before, latest);
}

bool
QueueEstimator::IsNothing(const Queue& queue)
{
    const Estimate& estimate = queue.estimate;
    return estimate.bytes == 0 && std::abs(estimate.level) < NOTHING &&
           std::abs(estimate.growth) < NOTHING && estimate.arrivals < NOTHING;
}

} // namespace ns3::lossless
