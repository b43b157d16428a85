// SPDX-License-Identifier: GPL-2.0-only
#include "queue-estimator.h"

#include "ns3/assert.h"

#include <cmath>

namespace ns3::lossless
{

namespace
{

/// What is less is nothing, in bytes and bytes a period.
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

QueueEstimator::QueueEstimator(std::size_t ports, double levelWeight, double rateWeight)
    : m_levelWeight(levelWeight),
      m_rateWeight(rateWeight),
      m_queues(ports * ports),
      m_ingress(ports),
      m_egress(ports)
{
    for (std::size_t place = 0; place < m_queues.size(); ++place)
    {
        m_queues[place].ingress = place / ports;
        m_queues[place].egress = place % ports;
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
    const auto bytes = static_cast<double>(estimate.bytes);
    const double expected = estimate.level + estimate.growth;
    const double grown = bytes - static_cast<double>(queue.before);
    estimate.level = m_levelWeight * bytes + (1 - m_levelWeight) * expected;
    estimate.growth = m_rateWeight * grown + (1 - m_rateWeight) * estimate.growth;
    estimate.arrivals =
        m_rateWeight * static_cast<double>(queue.arrived) + (1 - m_rateWeight) * estimate.arrivals;
    queue.before = estimate.bytes;
    queue.arrived = 0;
    return estimate.bytes > 0 || std::abs(estimate.level) >= NOTHING ||
           std::abs(estimate.growth) >= NOTHING || estimate.arrivals >= NOTHING;
}

} // namespace ns3::lossless
