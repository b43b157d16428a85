// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUANTILE_SKETCH_H
#define LOSSLESS_QUANTILE_SKETCH_H

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Computes quantiles of positive numbers in little memory, regardless of the numbers' distribution
 * and order. It counts the numbers between successive powers of a base slightly above 1.
 *
 * The source is Masson, Rim and Lee, "DDSketch: A Fast and Fully-Mergeable Quantile Sketch with
 * Relative-Error Guarantees", VLDB 2019. Unlike in the paper, buckets are never merged, because the
 * times in a run, from a nanosecond to days, need only a few thousand buckets.
 */
class QuantileSketch
{
  public:
    /// The maximum relative error of a quantile.
    static constexpr double ERROR = 0.005;

    /// Adds a number. A number of 0 or less is counted as the smallest positive number.
    void Add(double number);
    /// Adds all numbers of another sketch.
    void Add(const QuantileSketch& other);

    /// @return how many numbers have been added
    uint64_t GetCount() const
    {
        return m_count;
    }

    /// @return the exact maximum, or 0 if there are no numbers
    double GetMax() const
    {
        return m_max;
    }

    /// @param share the fraction of the numbers that are below the quantile, from 0 to 1
    /// @return the quantile, interpolated linearly between two numbers; there must be at least one
    /// number
    double GetQuantile(double share) const;

  private:
    /// @return an approximation of the number with this index in ascending order
    double GetByOrder(uint64_t order) const;
    /// @param bucket the bucket, given by the exponent of its upper bound
    /// @return the count of the bucket, which is created if needed
    uint64_t& At(int64_t bucket);

    std::vector<uint64_t> m_counts; ///< count of each bucket
    int64_t m_first{0};             ///< bucket of the first entry of m_counts
    uint64_t m_count{0};            ///< see GetCount()
    double m_min{0};                ///< exact minimum
    double m_max{0};                ///< exact maximum
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUANTILE_SKETCH_H */
