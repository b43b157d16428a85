// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_TIME_PROBLEM_H
#define LOSSLESS_PAUSE_TIME_PROBLEM_H

#include <numeric>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * How long to pause each ingress port so that enough is kept away from a congested egress queue and
 * the least is lost for the others: the linear program of FAFC (Sec. II-D, Eqs. 9 to 11). It finds
 * times between 0 and the longest with the least cost and a relief of at least the need.
 */
struct PauseTimeProblem
{
    std::vector<double> loss; ///< by ingress port, bytes of uncongested flows a unit of time, >= 0
    std::vector<double>
        relief; ///< by ingress port, bytes of the congested queue a unit of time, >= 0
    std::vector<double>
        length;        ///< by ingress port, bytes in the congested queue; decides ties only
    double need{0};    ///< bytes to keep away; 0 and less: there is nothing to do
    double longest{0}; ///< longest pause of a port, > 0, in units of time

    /// @param times pause times by port @return bytes of uncongested flows that they hold back
    double GetCost(const std::vector<double>& times) const
    {
        return std::inner_product(loss.begin(), loss.end(), times.begin(), 0.0);
    }

    /// @param times pause times by port @return bytes that they keep away from the congested queue
    double GetRelief(const std::vector<double>& times) const
    {
        return std::inner_product(relief.begin(), relief.end(), times.begin(), 0.0);
    }

    /// @return whether pauses of all ports are enough
    bool IsFeasible() const
    {
        return std::accumulate(relief.begin(), relief.end(), 0.0) * longest >= need;
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_TIME_PROBLEM_H */
