// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUANTILE_SKETCH_H
#define LOSSLESS_QUANTILE_SKETCH_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Quantiles of positive numbers in little memory, whatever their distribution and order: counts of
 * numbers between powers of a base slightly above 1.
 *
 * Masson, Rim and Lee, "DDSketch: A Fast and Fully-Mergeable Quantile Sketch with Relative-Error
 * Guarantees", VLDB 2019. Buckets are never merged: the numbers of a run, from a nanosecond to
 * days, need some thousands of them.
 */
class QuantileSketch
{
  public:
    /// Largest relative error of a quantile.
    static constexpr double ERROR = 0.005;

    /// Adds a number; 0 and below count as the smallest positive one.
    void Add(double number);
    /// Adds all numbers of another one.
    void Add(const QuantileSketch& other);

    /// @return how many numbers there are
    uint64_t GetCount() const
    {
        return m_count;
    }

    /// @return the largest number, exactly; 0 without any
    double GetMax() const
    {
        return m_max;
    }

    /// @param share of the numbers below the quantile, 0 to 1
    /// @return the quantile, interpolated linearly between two numbers; there is at least one
    double GetQuantile(double share) const;

  private:
    /// @return a number that is close to the one with so many smaller ones
    double GetByOrder(uint64_t order) const;
    /// @param bucket its power of the base @return its place, which is made
    uint64_t& At(int64_t bucket);

    std::vector<uint64_t> m_counts; ///< numbers by bucket
    int64_t m_first{0};             ///< bucket of the first count
    uint64_t m_count{0};            ///< see GetCount()
    double m_min{0};                ///< exactly
    double m_max{0};                ///< exactly
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUANTILE_SKETCH_H */
