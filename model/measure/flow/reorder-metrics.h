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
 * How many frames arrived how far from their place: the reorder density of RFC 5236, and what
 * follows from it.
 *
 * The displacement of a frame is its receive index less its sequence number (RFC 5236, Section
 * 3.3): positive if the frame is late, negative if it is early. FD[d] is the number of frames
 * displaced by d (Section 3.5), N' the number of all that have a displacement, and the density is
 * RD[d] = FD[d] / N' (Section 3.6). Densities of several flows can be merged.
 */
class ReorderDensity
{
  public:
    /// Default of the largest |displacement| counted; those of the PABO experiments are far
    /// smaller.
    static constexpr uint32_t DEFAULT_THRESHOLD = 1000;

    /// @param threshold D_T of RFC 5236, Section 3.4: the largest |displacement|, at least 1
    explicit ReorderDensity(uint32_t threshold = DEFAULT_THRESHOLD);

    /// Counts a frame. @param displacement at most the threshold in either direction
    void Count(int64_t displacement);
    /// Adds the frames of another flow. @param other with the same threshold
    void Merge(const ReorderDensity& other);

    /// @return D_T
    uint32_t GetThreshold() const
    {
        return m_threshold;
    }

    /// @return N': frames counted
    uint64_t GetTotal() const
    {
        return m_total;
    }

    /// @return FD: frames with this displacement
    uint64_t GetFrequency(int64_t displacement) const;
    /// @return RD: share of the frames with this displacement; 0 without frames
    double GetDensity(int64_t displacement) const;

    /// Reorder entropy E_R = -sum of RD[d] ln RD[d] (PABO, Eq. 7) in nats: 0 without frames, or if
    /// all are displaced alike, and the larger the more evenly displacements are spread.
    double GetEntropy() const;

    /// @return share of frames with a displacement other than 0; 0 without frames
    double GetShareOutOfOrder() const;
    /// @return largest |displacement| counted; 0 without frames
    uint32_t GetLargestDisplacement() const;

    /// @return the number of frames for each displacement up to the largest, in either direction
    ResultTable GetTable() const;

  private:
    /// @return frames with a |displacement|
    uint64_t CountAtDistance(uint32_t distance) const;

    uint32_t m_threshold;              ///< D_T
    std::vector<uint64_t> m_frequency; ///< FD by displacement + D_T
    uint64_t m_total{0};               ///< N'
};

/**
 * @ingroup lossless
 * Finds the displacement of each arriving frame of one flow, as RFC 5236 defines it.
 *
 * Receive indices count the arrivals 0, 1, 2, ... as sequence numbers count what was sent (the RFC
 * begins with 1, which changes no displacement). Duplicates get none, and the index skips the
 * number of a lost frame (Section 3.1), so that a loss displaces no other frame. A frame is lost if
 * it is neither among the early ones nor among the D_T + 1 arrivals in hand when its number is due:
 * the algorithm of Section 4.1, which knows the displacement of an arrival D_T arrivals later.
 * Frames displaced by more than D_T are discarded as lost.
 *
 * A retransmitted frame has the number of its first transmission (PABO, Sec. III).
 *
 * Costs constant time per frame sent, amortised, and memory for 2 D_T + 1 numbers.
 */
class ReorderMetrics
{
  public:
    /// Called with the displacement of a frame.
    using Observer = std::function<void(uint64_t sequence, int64_t displacement)>;

    /**
     * @param threshold D_T of RFC 5236, Section 3.4, at least 1
     * @param observer called in the order of arrival, once a displacement is known
     */
    explicit ReorderMetrics(uint32_t threshold = ReorderDensity::DEFAULT_THRESHOLD,
                            Observer observer = nullptr);

    /// @param sequence number of the frame that has arrived; the first one sent has 0
    void Arrive(uint64_t sequence);
    /// Settles the displacements that wait for later arrivals: there will be none.
    void Finish();

    /// @return density of all arrivals so far, as if there were no others
    ReorderDensity GetDensity() const;

  private:
    /// Finds the displacement of the arrival that has waited longest.
    void Settle();
    /// @return the smallest number in hand above the receive index
    uint64_t FindNextIndex() const;

    ReorderDensity m_density;              ///< of the arrivals settled
    Observer m_observer;                   ///< may be empty
    uint64_t m_index{0};                   ///< the next receive index, if that frame is not lost
    std::deque<uint64_t> m_window;         ///< arrivals not settled, in order; at most D_T + 1
    std::unordered_set<uint64_t> m_inHand; ///< numbers >= m_index which have arrived
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REORDER_METRICS_H */
