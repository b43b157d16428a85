// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_REORDER_METRICS_H
#define LOSSLESS_REORDER_METRICS_H

#include "ns3/result-table.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_set>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The reorder density of RFC 5236 and metrics derived from it. They show how many frames arrived
 * out of order and how large their displacements were.
 *
 * The displacement of a frame is its receive index minus its sequence number (RFC 5236, Section
 * 3.3). It is positive if the frame is late and negative if it is early. FD[d] is the number of
 * frames with displacement d (Section 3.5), N' is the number of all frames with a displacement, and
 * the density is RD[d] = FD[d] / N' (Section 3.6). The densities of several flows can be merged.
 */
class ReorderDensity
{
  public:
    /// The default limit on the |displacement| that is counted. Displacements in the PABO
    /// experiments are far below this limit.
    static constexpr uint32_t DEFAULT_THRESHOLD = 1000;

    /// @param threshold the largest |displacement| that is counted (D_T of RFC 5236, Section 3.4);
    /// at least 1
    explicit ReorderDensity(uint32_t threshold = DEFAULT_THRESHOLD);

    /// Counts a frame.
    /// @param displacement the displacement; its magnitude must not exceed the threshold
    void Count(int64_t displacement);
    /// Adds the frames of another flow.
    /// @param other the flow's density, which must have the same threshold
    void Merge(const ReorderDensity& other);

    /// @return D_T, the largest |displacement| that is counted
    uint32_t GetThreshold() const
    {
        return m_threshold;
    }

    /// @return N', the number of counted frames
    uint64_t GetTotal() const
    {
        return m_total;
    }

    /// @return FD, the number of frames with this displacement
    uint64_t GetFrequency(int64_t displacement) const;
    /// @return RD, the fraction of frames with this displacement; 0 if there are no frames
    double GetDensity(int64_t displacement) const;

    /// Returns the reorder entropy E_R = -sum of RD[d] ln RD[d] (PABO, Eq. 7) in nats. It is 0 if
    /// there are no frames or if all have the same displacement. The more evenly the displacements
    /// are distributed, the larger it is.
    double GetEntropy() const;

    /// @return the fraction of frames with a non-zero displacement; 0 if there are no frames
    double GetShareOutOfOrder() const;
    /// @return the largest |displacement| counted; 0 if there are no frames
    uint32_t GetLargestDisplacement() const;

    /// @return the number of frames for each displacement, early or late, up to
    /// GetLargestDisplacement()
    ResultTable GetTable() const;

  private:
    /// @return the number of frames with this |displacement|
    uint64_t CountAtDistance(uint32_t distance) const;

    uint32_t m_threshold;              ///< D_T, the largest |displacement| that is counted
    std::vector<uint64_t> m_frequency; ///< FD, the number of frames with each displacement, indexed
                                       ///< by displacement + D_T
    uint64_t m_total{0};               ///< N', the number of counted frames
};

/**
 * @ingroup lossless
 * Determines the displacement of each arriving frame of one flow as defined in RFC 5236.
 *
 * Receive indices count arrivals, and sequence numbers count sent frames. Both start at 0. (In the
 * RFC, they start at 1, but this does not change displacements.) Duplicates have no receive index,
 * and the number of a lost frame is skipped (Section 3.1), so a loss displaces no other frame. A
 * frame is lost if, when its number is due, it has not arrived early and is not among the D_T + 1
 * unsettled arrivals. This is the algorithm of Section 4.1. It determines the displacement of an
 * arrival after D_T further arrivals. Frames displaced by more than D_T are treated as lost.
 *
 * A retransmitted frame has the number of its first transmission (PABO, Sec. III).
 *
 * The amortized cost per sent frame is constant. At most 2 D_T + 1 numbers are stored.
 */
class ReorderMetrics
{
  public:
    /// A function that is called with the displacement of a frame.
    using Observer = std::function<void(uint64_t sequence, int64_t displacement)>;

    /**
     * @param threshold D_T of RFC 5236, Section 3.4, at least 1
     * @param observer a function that is called when a displacement is known, in order of arrival
     */
    explicit ReorderMetrics(uint32_t threshold = ReorderDensity::DEFAULT_THRESHOLD,
                            Observer observer = nullptr);

    /// @param sequence the sequence number of the arrived frame; the first sent frame has number 0
    void Arrive(uint64_t sequence);
    /// Determines the remaining displacements. Call this function after the last arrival.
    void Finish();

    /// @return the density of the arrivals up to this call, computed as if no others followed
    ReorderDensity GetDensity() const;

  private:
    /// Determines the displacement of the oldest unsettled arrival.
    void Settle();
    /// @return the smallest number in m_inHand above the receive index
    uint64_t FindNextIndex() const;

    ReorderDensity m_density;              ///< the density of the settled arrivals
    Observer m_observer;                   ///< the function to be called when a displacement is
                                           ///< known; can be empty
    uint64_t m_index{0};                   ///< the next receive index, unless the frame with this
                                           ///< number is lost
    std::deque<uint64_t> m_window;         ///< the numbers of the unsettled arrivals, in order; at
                                           ///< most D_T + 1
    std::unordered_set<uint64_t> m_inHand; ///< the numbers >= m_index that have arrived
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REORDER_METRICS_H */
