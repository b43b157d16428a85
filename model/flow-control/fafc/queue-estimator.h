// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_ESTIMATOR_H
#define LOSSLESS_QUEUE_ESTIMATOR_H

#include "ns3/lossless-types.h"
#include "ns3/ring-buffer.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Estimates the lengths and rates of the queues of one class between each ingress port and each
 * egress port of a switch (FAFC, Sec. II-A and II-B, Algorithm 1).
 *
 * The estimates follow Holt's linear trend method and are updated at the end of each period; all
 * periods have equal length. Let y be the number of bytes queued at the end of a period, T the
 * delay of the ingress link, and x the number of bytes that arrived in the last T. Then:
 *
 *     level    = a y + (1 - a) (level + growth in a period)
 *     growth   = b (y - y one T earlier) + (1 - b) growth
 *     arrivals = b x + (1 - b) arrivals
 *
 * Optionally, growth is computed from differences of the level instead of y, as in Eq. 3.
 *
 * Link delays can differ (Sec. III-A). The period is the delay of the shortest link. T, the
 * interval for the differences in Algorithm 1, is a number of periods that depends on the link.
 * Growth therefore never exceeds the queue length, and a few frames from a distant host do not
 * constitute a trend. If a queue has been active for less than T, x is extrapolated to T. If T is
 * one period for all links, the estimates for a port equal those for a single queue with all of its
 * traffic, because all equations are linear. Otherwise, the estimates for a port are the sums of
 * those for its queues.
 *
 * An empty queue is removed when its estimates have fallen below half a byte, and then takes no
 * more computing time. While no frame arrives or leaves, the estimates converge until further
 * periods no longer change them.
 */
class QueueEstimator
{
  public:
    /// The estimates for a queue or for all queues of a port.
    struct Estimate
    {
        uint64_t bytes{0};  ///< the number of bytes queued now
        double level{0};    ///< the smoothed queue length at the end of the last period, in bytes
        double growth{0};   ///< the growth of the queue, in bytes per T of the ingress link
        double arrivals{0}; ///< the arrivals, in bytes per T of the ingress link
    };

    /// The differences from which growth is computed.
    enum class Trend : uint8_t
    {
        LENGTH, ///< the differences of the queue lengths at the ends of periods (Algorithm 1)
        LEVEL   ///< the differences of the smoothed lengths (Eq. 3)
    };

    /// Creates an estimator.
    /// @param delays the delay of each port's link, in periods
    /// @param levelWeight a, above 0 and at most 1
    /// @param rateWeight b, above 0 and at most 1
    /// @param trend the differences from which growth is computed
    QueueEstimator(const std::vector<double>& delays,
                   double levelWeight,
                   double rateWeight,
                   Trend trend = Trend::LENGTH);

    /// Adds bytes to a queue.
    void Enqueue(PortId ingress, PortId egress, uint32_t bytes);
    /// Removes bytes from a queue.
    void Dequeue(PortId ingress, PortId egress, uint32_t bytes);

    /// Ends a period.
    /// @return whether further periods would change any estimate even if no frame arrived or left
    bool Update();

    /// Returns whether there is nothing to estimate.
    bool IsEmpty() const
    {
        return m_active.empty();
    }

    /// Returns the estimates for traffic from one port to another.
    const Estimate& Get(PortId ingress, PortId egress) const
    {
        return m_queues[Place(ingress, egress)].estimate;
    }

    /// Returns the estimates for all traffic that arrives at a port.
    const Estimate& GetIngress(PortId port) const
    {
        return m_ingress[Index(port)];
    }

    /// Returns the estimates for all traffic that leaves through a port.
    const Estimate& GetEgress(PortId port) const
    {
        return m_egress[Index(port)];
    }

  private:
    /// The interval over which the arrival rates of a link are measured.
    struct Window
    {
        std::size_t periods; ///< the delay of the link, rounded to whole periods, at least 1
        double delay;        ///< the exact delay, in periods
    };

    /// The state of a queue at the end of a period.
    struct Sample
    {
        double length{0};    ///< the length from which growth is computed, in bytes
        uint64_t arrived{0}; ///< the number of bytes that have arrived so far
    };

    struct Queue
    {
        Estimate estimate; ///< the current estimates
        /// The samples of the latest window. If there are fewer samples than periods in the window,
        /// the queue was empty before the first sample.
        RingBuffer<Sample> samples;
        uint64_t arrived{0};    ///< the number of bytes that have arrived since the queue became
                                ///< active
        bool isActive{false};   ///< whether m_active contains the queue
        std::size_t ingress{0}; ///< the ingress port
        std::size_t egress{0};  ///< the egress port
    };

    std::size_t Place(PortId ingress, PortId egress) const
    {
        return Index(ingress) * m_windows.size() + Index(egress);
    }

    /// Ends a period for a queue.
    /// @return whether the queue has changed
    bool UpdateQueue(Queue& queue) const;
    static bool IsNothing(const Queue& queue);

    std::vector<Window> m_windows;     ///< the window of each port's link
    std::size_t m_longest{0};          ///< the longest window, in periods
    std::size_t m_still{0};            ///< the number of consecutive periods without any change
    double m_levelWeight;              ///< a, the weight of new lengths
    double m_rateWeight;               ///< b, the weight of new rates
    Trend m_trend;                     ///< the differences from which growth is computed
    std::vector<Queue> m_queues;       ///< the queues, indexed by ingress port and then by egress
                                       ///< port
    std::vector<Estimate> m_ingress;   ///< the sums of the estimates for each ingress port
    std::vector<Estimate> m_egress;    ///< the sums of the estimates for each egress port
    std::vector<std::size_t> m_active; ///< the indices of the active queues
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_ESTIMATOR_H */
