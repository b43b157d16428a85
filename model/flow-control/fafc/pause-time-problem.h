// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_TIME_PROBLEM_H
#define LOSSLESS_PAUSE_TIME_PROBLEM_H

#include <numeric>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * How long to pause each ingress port so that enough is kept away from a congested egress queue at
 * the least loss for the others: the linear program of FAFC (Sec. II-D, Eqs. 9 to 11). Its solution
 * is the times between 0 and the longest that have the least cost and at least the needed relief.
 */
struct PauseTimeProblem
{
    std::vector<double>
        loss; ///< by ingress port, bytes of uncongested flows per unit of time, >= 0
    std::vector<double>
        relief; ///< by ingress port, bytes of the congested queue per unit of time, >= 0
    std::vector<double>
        length;        ///< by ingress port, bytes in the congested queue; only decides ties
    double need{0};    ///< bytes to keep away; 0 or less: nothing to do
    double longest{0}; ///< longest pause of a port, > 0, in units of time

    /// Bytes of uncongested flows that pauses hold back.
    /// @param times by port
    double GetCost(const std::vector<double>& times) const
    {
        return std::inner_product(loss.begin(), loss.end(), times.begin(), 0.0);
    }

    /// Bytes that pauses keep away from the congested queue.
    /// @param times by port
    double GetRelief(const std::vector<double>& times) const
    {
        return std::inner_product(relief.begin(), relief.end(), times.begin(), 0.0);
    }

    /// Whether pauses of all ports are enough.
    bool IsFeasible() const
    {
        return std::accumulate(relief.begin(), relief.end(), 0.0) * longest >= need;
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_TIME_PROBLEM_H */
