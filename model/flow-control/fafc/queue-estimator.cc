// SPDX-License-Identifier: GPL-2.0-only
#include "queue-estimator.h"

#include "ns3/assert.h"

#include <cmath>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// What is less is nothing, in bytes and bytes in the delay of a link.
constexpr double NOTHING = 0.5;

/// Forgets what is smoothed. @param sums of ports
void
Restart(std::vector<QueueEstimator::Estimate>& sums)
{
    for (QueueEstimator::Estimate& sum : sums)
    {
        sum = {sum.bytes, 0, 0, 0};
    }
}

/// @param sum of a port, to which is added what is smoothed @param queue of the port
void
Add(QueueEstimator::Estimate& sum, const QueueEstimator::Estimate& queue)
{
    sum.level += queue.level;
    sum.growth += queue.growth;
    sum.arrivals += queue.arrivals;
}

} // namespace

QueueEstimator::QueueEstimator(std::vector<double> delays,
                               double levelWeight,
                               double rateWeight,
                               Trend trend)
    : m_delays(std::move(delays)),
      m_levelWeight(levelWeight),
      m_rateWeight(rateWeight),
      m_trend(trend),
      m_queues(m_delays.size() * m_delays.size()),
      m_ingress(m_delays.size()),
      m_egress(m_delays.size())
{
    for (std::size_t place = 0; place < m_queues.size(); ++place)
    {
        m_queues[place].ingress = place / m_delays.size();
        m_queues[place].egress = place % m_delays.size();
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
    std::size_t kept = 0;
    for (const std::size_t place : m_active)
    {
        Queue& queue = m_queues[place];
        if (UpdateQueue(queue))
        {
            m_active[kept++] = place;
            Add(m_ingress[queue.ingress], queue.estimate);
            Add(m_egress[queue.egress], queue.estimate);
        }
        else
        {
            queue.estimate = Estimate();
            queue.isActive = false;
        }
    }
    m_active.resize(kept);
    return kept > 0;
}

bool
QueueEstimator::UpdateQueue(Queue& queue) const
{
    Estimate& estimate = queue.estimate;
    const double delay = m_delays[queue.ingress];
    const auto bytes = static_cast<double>(estimate.bytes);
    const double before = estimate.level;
    const double expected = before + estimate.growth / delay;
    estimate.level = m_levelWeight * bytes + (1 - m_levelWeight) * expected;
    const double grown = m_trend == Trend::LENGTH ? bytes - static_cast<double>(queue.before)
                                                  : estimate.level - before;
    estimate.growth = m_rateWeight * grown * delay + (1 - m_rateWeight) * estimate.growth;
    estimate.arrivals = m_rateWeight * static_cast<double>(queue.arrived) * delay +
                        (1 - m_rateWeight) * estimate.arrivals;
    queue.before = estimate.bytes;
    queue.arrived = 0;
    return estimate.bytes > 0 || std::abs(estimate.level) >= NOTHING ||
           std::abs(estimate.growth) >= NOTHING || estimate.arrivals >= NOTHING;
}

} // namespace ns3::lossless
