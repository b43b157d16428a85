// SPDX-License-Identifier: GPL-2.0-only
#include "quantile-sketch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::lossless
{

namespace
{

/// The ratio of a bucket's upper bound to its lower bound. The value with the same relative
/// distance to both bounds approximates all numbers in the bucket with an error of at most ERROR.
constexpr double BASE = (1 + QuantileSketch::ERROR) / (1 - QuantileSketch::ERROR);

} // namespace

uint64_t&
QuantileSketch::At(int64_t bucket)
{
    if (m_counts.empty())
    {
        m_first = bucket;
    }
    if (bucket < m_first)
    {
        m_counts.insert(m_counts.begin(), static_cast<std::size_t>(m_first - bucket), 0);
        m_first = bucket;
    }
    const auto place = static_cast<std::size_t>(bucket - m_first);
    m_counts.resize(std::max(m_counts.size(), place + 1));
    return m_counts[place];
}

void
QuantileSketch::Add(double number)
{
    static const double scale = 1 / std::log(BASE);
    const double positive = std::max(number, std::numeric_limits<double>::min());
    ++At(static_cast<int64_t>(std::ceil(std::log(positive) * scale)));
    m_min = m_count == 0 ? number : std::min(m_min, number);
    m_max = m_count == 0 ? number : std::max(m_max, number);
    ++m_count;
}

void
QuantileSketch::Add(const QuantileSketch& other)
{
    if (other.m_count == 0)
    {
        return;
    }
    for (std::size_t i = 0; i < other.m_counts.size(); ++i)
    {
        At(other.m_first + static_cast<int64_t>(i)) += other.m_counts[i];
    }
    m_min = m_count == 0 ? other.m_min : std::min(m_min, other.m_min);
    m_max = m_count == 0 ? other.m_max : std::max(m_max, other.m_max);
    m_count += other.m_count;
}

double
QuantileSketch::GetByOrder(uint64_t order) const
{
    std::size_t place = 0;
    for (uint64_t below = m_counts[0]; below <= order; below += m_counts[++place])
    {
    }
    const double upper = std::pow(BASE, static_cast<double>(m_first + static_cast<int64_t>(place)));
    return std::clamp(2 * upper / (1 + BASE), m_min, m_max);
}

double
QuantileSketch::GetQuantile(double share) const
{
    const double place = share * static_cast<double>(m_count - 1);
    const auto below = static_cast<uint64_t>(place);
    const double lower = GetByOrder(below);
    const double upper = GetByOrder(std::min(below + 1, m_count - 1));
    return lower + (place - static_cast<double>(below)) * (upper - lower);
}

} // namespace ns3::lossless
