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
 * Levels and rates of what is queued in a switch from each ingress port to each egress port, of one
 * class (FAFC, Sec. II-A and II-B, Algorithm 1).
 *
 * Holt's linear trend, renewed in periods of equal length. With the bytes y that are queued at the
 * end of a period, and the bytes x that have come in the time T until then, the delay of the link
 * by which they come,
 *
 *     level    = a y + (1 - a) (level + growth in a period)
 *     growth   = b (y - y before that T) + (1 - b) growth
 *     arrivals = b x + (1 - b) arrivals
 *
 * or, as Eq. 3 has it, with the difference of levels in place of that of y.
 *
 * Links may differ (Sec. III-A): the period is the delay of the shortest one for all, and T, over
 * which Algorithm 1 takes its differences, a number of periods of each link. So growth is never
 * more than what is queued, and few frames of a far host are no trend. Of a queue that is known for
 * less than T, x is what would have come in T at that rate. If T is a period for all, the
 * estimates of a port are those of one queue, since all of this is linear; else they are the sums
 * over its queues.
 *
 * A queue that is empty, and of which less than half a byte is estimated, is forgotten, and costs
 * nothing. If nothing comes or leaves, the estimates come to rest: they are the same, to the last
 * bit, after any number of further periods.
 */
class QueueEstimator
{
  public:
    /// What is known of a queue, or of all queues of a port.
    struct Estimate
    {
        uint64_t bytes{0};  ///< queued at this moment
        double level{0};    ///< queued at the end of the period before, smoothed; bytes
        double growth{0};   ///< of the queue, bytes in T of the ingress link
        double arrivals{0}; ///< the same
    };

    /// What growth is the difference of.
    enum class Trend : uint8_t
    {
        LENGTH, ///< the bytes queued at the ends of periods (Algorithm 1)
        LEVEL   ///< the same, smoothed (Eq. 3)
    };

    /**
     * @param delays by port, of its link, in periods
     * @param levelWeight a, above 0, at most 1
     * @param rateWeight b, the same
     * @param trend what growth is the difference of
     */
    QueueEstimator(const std::vector<double>& delays,
                   double levelWeight,
                   double rateWeight,
                   Trend trend = Trend::LENGTH);

    /// Bytes join a queue. @param ingress port @param egress port @param bytes number
    void Enqueue(PortId ingress, PortId egress, uint32_t bytes);
    /// Bytes leave it, of those that have joined. @param ingress port @param egress port
    /// @param bytes number
    void Dequeue(PortId ingress, PortId egress, uint32_t bytes);

    /// A period is over. @return whether the next one changes anything even if nothing comes or
    /// leaves in it: else the estimates are what they would be after any number of such periods
    bool Update();

    /// @return whether there is nothing to estimate
    bool IsEmpty() const
    {
        return m_active.empty();
    }

    /// @param ingress port @param egress port @return of what came in by one and leaves by the
    /// other
    const Estimate& Get(PortId ingress, PortId egress) const
    {
        return m_queues[Place(ingress, egress)].estimate;
    }

    /// @param port a port @return of what came in by it
    const Estimate& GetIngress(PortId port) const
    {
        return m_ingress[Index(port)];
    }

    /// @param port a port @return of what leaves by it
    const Estimate& GetEgress(PortId port) const
    {
        return m_egress[Index(port)];
    }

  private:
    /// The time over which the rates of what comes by a link are measured.
    struct Window
    {
        std::size_t periods; ///< the delay of the link, rounded, at least one
        double delay;        ///< the same, exactly
    };

    /// A queue at the end of a period.
    struct Sample
    {
        double length{0};    ///< what growth is the difference of, bytes
        uint64_t arrived{0}; ///< bytes until then
    };

    /// A queue.
    struct Queue
    {
        Estimate estimate;          ///< what is known
        RingBuffer<Sample> samples; ///< the latest ones, at most a window; it was empty before
        uint64_t arrived{0};        ///< bytes since it became active
        bool isActive{false};       ///< in m_active
        std::size_t ingress{0};     ///< its port
        std::size_t egress{0};      ///< its port
    };

    /// @param ingress port @param egress port @return where their queue is in m_queues
    std::size_t Place(PortId ingress, PortId egress) const
    {
        return Index(ingress) * m_windows.size() + Index(egress);
    }

    /// A period is over for a queue. @param queue it @return whether this has changed anything
    bool UpdateQueue(Queue& queue) const;
    /// @param queue a queue @return whether it is to be forgotten
    static bool IsNothing(const Queue& queue);

    std::vector<Window> m_windows;     ///< by port, of its link
    std::size_t m_longest{0};          ///< of the windows, in periods
    std::size_t m_still{0};            ///< latest periods in a row that have changed nothing
    double m_levelWeight;              ///< a
    double m_rateWeight;               ///< b
    Trend m_trend;                     ///< what growth is the difference of
    std::vector<Queue> m_queues;       ///< by ingress port, and in it by egress port
    std::vector<Estimate> m_ingress;   ///< sums, by port
    std::vector<Estimate> m_egress;    ///< sums, by port
    std::vector<std::size_t> m_active; ///< places of the queues that are not forgotten
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_ESTIMATOR_H */
