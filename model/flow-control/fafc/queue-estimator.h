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
 * Levels and rates of the queues of one class from each ingress port to each egress port of a
 * switch (FAFC, Sec. II-A and II-B, Algorithm 1).
 *
 * Holt's linear trend, updated in periods of equal length. With the bytes y queued at the end of a
 * period, and the bytes x that arrived in the time T until then, the delay of the ingress link,
 *
 *     level    = a y + (1 - a) (level + growth in a period)
 *     growth   = b (y - y before that T) + (1 - b) growth
 *     arrivals = b x + (1 - b) arrivals
 *
 * or, as in Eq. 3, with the difference of levels instead of that of y.
 *
 * Links may differ (Sec. III-A): the period is the delay of the shortest link for all, and T, over
 * which Algorithm 1 takes its differences, a number of periods of each link. So growth never
 * exceeds what is queued, and a few frames of a distant host do not make a trend. For a queue known
 * for less than T, x is extrapolated to T at its rate. If T is one period for all links, the
 * estimates of a port are those of a single queue, as all is linear; otherwise they are sums over
 * its queues.
 *
 * An empty queue with an estimate below half a byte is forgotten and costs nothing. If nothing
 * arrives or leaves, the estimates settle: further periods do not change a bit.
 */
class QueueEstimator
{
  public:
    /// Estimates of a queue, or of all queues of a port.
    struct Estimate
    {
        uint64_t bytes{0};  ///< queued now
        double level{0};    ///< queued at the end of the last period, smoothed; bytes
        double growth{0};   ///< of the queue, bytes per T of the ingress link
        double arrivals{0}; ///< likewise
    };

    /// The differences that growth is computed from.
    enum class Trend : uint8_t
    {
        LENGTH, ///< of the bytes queued at the ends of periods (Algorithm 1)
        LEVEL   ///< of the smoothed ones (Eq. 3)
    };

    /// Sets up the estimator.
    /// @param delays of the links, by port, in periods
    /// @param levelWeight a, above 0, at most 1
    /// @param rateWeight b, above 0, at most 1
    /// @param trend the differences that growth is computed from
    QueueEstimator(const std::vector<double>& delays,
                   double levelWeight,
                   double rateWeight,
                   Trend trend = Trend::LENGTH);

    /// Adds bytes to a queue.
    void Enqueue(PortId ingress, PortId egress, uint32_t bytes);
    /// Removes bytes from a queue.
    void Dequeue(PortId ingress, PortId egress, uint32_t bytes);

    /// Ends a period.
    /// @return whether the next one changes anything even without arrivals and departures;
    /// otherwise the estimates are those after any number of such periods
    bool Update();

    /// Whether there is nothing to estimate.
    bool IsEmpty() const
    {
        return m_active.empty();
    }

    /// Estimates of what arrived by one port and leaves by another.
    const Estimate& Get(PortId ingress, PortId egress) const
    {
        return m_queues[Place(ingress, egress)].estimate;
    }

    /// Estimates of what arrived by a port.
    const Estimate& GetIngress(PortId port) const
    {
        return m_ingress[Index(port)];
    }

    /// Estimates of what leaves by a port.
    const Estimate& GetEgress(PortId port) const
    {
        return m_egress[Index(port)];
    }

  private:
    /// The time over which the rates of arrivals by a link are measured.
    struct Window
    {
        std::size_t periods; ///< delay of the link, rounded, at least one
        double delay;        ///< the delay, exactly
    };

    /// A queue at the end of a period.
    struct Sample
    {
        double length{0};    ///< whose difference growth is, bytes
        uint64_t arrived{0}; ///< bytes so far
    };

    struct Queue
    {
        Estimate estimate;          ///< what is known
        RingBuffer<Sample> samples; ///< latest ones, at most a window; before them it was empty
        uint64_t arrived{0};        ///< bytes since it became active
        bool isActive{false};       ///< in m_active
        std::size_t ingress{0};     ///< its ingress port
        std::size_t egress{0};      ///< its egress port
    };

    std::size_t Place(PortId ingress, PortId egress) const
    {
        return Index(ingress) * m_windows.size() + Index(egress);
    }

    /// Ends a period for a queue.
    /// @return whether this has changed anything
    bool UpdateQueue(Queue& queue) const;
    static bool IsNothing(const Queue& queue);

    std::vector<Window> m_windows;     ///< by port, of its link
    std::size_t m_longest{0};          ///< longest of the windows, in periods
    std::size_t m_still{0};            ///< latest consecutive periods that have changed nothing
    double m_levelWeight;              ///< a
    double m_rateWeight;               ///< b
    Trend m_trend;                     ///< which differences growth is made of
    std::vector<Queue> m_queues;       ///< by ingress port, then egress port
    std::vector<Estimate> m_ingress;   ///< sums, by port
    std::vector<Estimate> m_egress;    ///< sums, by port
    std::vector<std::size_t> m_active; ///< indices of queues that are not forgotten
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_ESTIMATOR_H */
