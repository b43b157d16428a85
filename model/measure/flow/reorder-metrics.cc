// SPDX-License-Identifier: GPL-2.0-only
#include "reorder-metrics.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace ns3::lossless
{

ReorderDensity::ReorderDensity(uint32_t threshold)
    : m_threshold(threshold),
      m_frequency(2 * static_cast<std::size_t>(threshold) + 1)
{
    NS_ABORT_MSG_IF(threshold == 0,
                    "ReorderDensity: the displacement threshold is 0; it must be at least 1.");
}

void
ReorderDensity::Count(int64_t displacement)
{
    NS_ABORT_MSG_IF(std::abs(displacement) > m_threshold,
                    "ReorderDensity: the displacement is "
                        << displacement << "; the threshold allows -" << m_threshold << " to "
                        << m_threshold << ".");
    ++m_frequency[static_cast<std::size_t>(displacement + m_threshold)];
    ++m_total;
}

void
ReorderDensity::Merge(const ReorderDensity& other)
{
    NS_ABORT_MSG_IF(other.m_threshold != m_threshold,
                    "ReorderDensity: the displacement thresholds are "
                        << m_threshold << " and " << other.m_threshold
                        << "; only densities of equal thresholds can be merged.");
    for (std::size_t i = 0; i < m_frequency.size(); ++i)
    {
        m_frequency[i] += other.m_frequency[i];
    }
    m_total += other.m_total;
}

uint64_t
ReorderDensity::GetFrequency(int64_t displacement) const
{
    const bool within = std::abs(displacement) <= m_threshold;
    return within ? m_frequency[static_cast<std::size_t>(displacement + m_threshold)] : 0;
}

double
ReorderDensity::GetDensity(int64_t displacement) const
{
    return m_total == 0 ? 0 : static_cast<double>(GetFrequency(displacement)) / m_total;
}

double
ReorderDensity::GetEntropy() const
{
    double entropy = 0;
    for (const uint64_t frequency : m_frequency)
    {
        if (frequency != 0)
        {
            const double density = static_cast<double>(frequency) / m_total;
            entropy -= density * std::log(density);
        }
    }
    return entropy;
}

double
ReorderDensity::GetShareOutOfOrder() const
{
    return m_total == 0 ? 0 : static_cast<double>(m_total - GetFrequency(0)) / m_total;
}

ResultTable
ReorderDensity::GetTable() const
{
    auto table = ResultTable::WithHeader("displacement,segments");
    const int64_t largest = GetLargestDisplacement();
    for (int64_t d = -largest; d <= largest; ++d)
    {
        table.rows.push_back({d, GetFrequency(d)});
    }
    return table;
}

uint32_t
ReorderDensity::GetLargestDisplacement() const
{
    uint32_t distance = m_threshold;
    while (distance > 0 && CountAtDistance(distance) == 0)
    {
        --distance;
    }
    return distance;
}

uint64_t
ReorderDensity::CountAtDistance(uint32_t distance) const
{
    const int64_t displacement = distance;
    const uint64_t late = GetFrequency(displacement);
    return distance == 0 ? late : late + GetFrequency(-displacement);
}

ReorderMetrics::ReorderMetrics(uint32_t threshold, Observer observer)
    : m_density(threshold),
      m_observer(std::move(observer))
{
}

void
ReorderMetrics::Arrive(uint64_t sequence)
{
    if (sequence < m_index || !m_inHand.insert(sequence).second)
    {
        return; // the frame is a duplicate or has already been treated as lost
    }
    m_window.push_back(sequence);
    if (m_window.size() > m_density.GetThreshold())
    {
        Settle();
    }
}

void
ReorderMetrics::Finish()
{
    while (!m_window.empty())
    {
        Settle();
    }
}

void
ReorderMetrics::Settle()
{
    if (m_inHand.count(m_index) == 0)
    {
        m_index = FindNextIndex();
    }
    const uint64_t sequence = m_window.front();
    m_window.pop_front();
    const auto displacement = static_cast<int64_t>(m_index - sequence);
    if (std::abs(displacement) > m_density.GetThreshold())
    {
        m_inHand.erase(sequence);
        return;
    }
    m_density.Count(displacement);
    if (m_observer)
    {
        m_observer(sequence, displacement);
    }
    // An early frame stays in the set until the index reaches its number. This is the "buffer" of
    // the RFC.
    m_inHand.erase(m_index);
    ++m_index;
}

uint64_t
ReorderMetrics::FindNextIndex() const
{
    // Each settled arrival removes one number from the set, so the set is not empty while arrivals
    // remain. Usually, only a few frames are lost in succession, so the next numbers are tried
    // before all numbers are compared.
    NS_ASSERT_MSG(!m_inHand.empty(), "an arrival waits, but no receive index is left for it");
    uint64_t index = m_index + 1;
    for (std::size_t tries = m_inHand.size(); tries > 0; --tries, ++index)
    {
        if (m_inHand.count(index) != 0)
        {
            return index;
        }
    }
    return *std::min_element(m_inHand.begin(), m_inHand.end());
}

ReorderDensity
ReorderMetrics::GetDensity() const
{
    ReorderMetrics copy(*this);
    copy.m_observer = nullptr;
    copy.Finish();
    return copy.m_density;
}

} // namespace ns3::lossless
