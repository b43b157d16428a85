// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_ESTIMATOR_H
#define LOSSLESS_QUEUE_ESTIMATOR_H

#include "ns3/lossless-types.h"

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
 * Holt's linear trend over periods of equal length. With the bytes y that are queued at its end and
 * the bytes x that have come in it,
 *
 *     level    = a y + (1 - a) (level + growth)
 *     growth   = b (y - y of the period before) + (1 - b) growth
 *     arrivals = b x + (1 - b) arrivals
 *
 * or, as Eq. 3 has it, with the difference of levels in place of that of y.
 *
 * Rates are told as bytes in the delay of the link by which they come, which is a number of periods
 * (Sec. III-A: links may differ). All of it is linear, so that the estimates of a port are the sums
 * over its queues; if links do not differ, as if they had been taken of the port. A queue that is
 * empty, and of which less than half a byte is estimated, is forgotten, and costs nothing.
 */
class QueueEstimator
{
  public:
    /// What is known of a queue, or of all queues of a port.
    struct Estimate
    {
        uint64_t bytes{0};  ///< queued at this moment
        double level{0};    ///< queued at the end of the period before, smoothed; bytes
        double growth{0};   ///< of the queue, bytes in the delay of the ingress link
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
    QueueEstimator(std::vector<double> delays,
                   double levelWeight,
                   double rateWeight,
                   Trend trend = Trend::LENGTH);

    /// Bytes join a queue. @param ingress port @param egress port @param bytes number
    void Enqueue(PortId ingress, PortId egress, uint32_t bytes);
    /// Bytes leave it, of those that have joined. @param ingress port @param egress port
    /// @param bytes number
    void Dequeue(PortId ingress, PortId egress, uint32_t bytes);

    /// A period is over. @return whether there is anything to estimate in the next one yet
    bool Update();

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
    /// A queue.
    struct Queue
    {
        Estimate estimate;      ///< what is known
        uint64_t before{0};     ///< bytes queued at the end of the period before
        uint64_t arrived{0};    ///< bytes since
        bool isActive{false};   ///< in m_active
        std::size_t ingress{0}; ///< its port
        std::size_t egress{0};  ///< its port
    };

    /// @param ingress port @param egress port @return where their queue is in m_queues
    std::size_t Place(PortId ingress, PortId egress) const
    {
        return Index(ingress) * m_delays.size() + Index(egress);
    }

    /// A period is over for a queue. @param queue it @return whether it is not to be forgotten
    bool UpdateQueue(Queue& queue) const;

    std::vector<double> m_delays;      ///< by port, of its link, in periods
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
