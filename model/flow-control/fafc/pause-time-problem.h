// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_TIME_PROBLEM_H
#define LOSSLESS_PAUSE_TIME_PROBLEM_H

#include <numeric>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The linear program of FAFC (Sec. II-D, Eqs. 9 to 11). It determines how long to pause each
 * ingress port so that enough bytes are kept away from a congested egress queue at minimum
 * throughput loss of other queues. A solution consists of a time between 0 and the longest pause
 * for each port. It keeps at least the required number of bytes away at minimum loss.
 */
struct PauseTimeProblem
{
    std::vector<double> loss;   ///< the number of bytes of uncongested flows that a pause holds
                                ///< back per unit of time, indexed by ingress port, >= 0
    std::vector<double> relief; ///< the number of bytes that a pause keeps away from the congested
                                ///< queue per unit of time, indexed by ingress port, >= 0
    /// The number of bytes in the congested queue, indexed by ingress port; used only to break
    /// ties.
    std::vector<double> length;
    double need{0};    ///< the number of bytes to keep away; 0 or less if there is nothing to do
    double longest{0}; ///< the longest pause of a port, in units of time, > 0

    /// Returns the number of bytes that the pauses keep away from the congested queue.
    /// @param times the pause times, indexed by port
    double GetRelief(const std::vector<double>& times) const
    {
        return std::inner_product(relief.begin(), relief.end(), times.begin(), 0.0);
    }

    /// Returns whether pausing all ports for the longest time meets the need.
    bool IsFeasible() const
    {
        return std::accumulate(relief.begin(), relief.end(), 0.0) * longest >= need;
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_TIME_PROBLEM_H */
