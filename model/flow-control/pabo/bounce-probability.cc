// SPDX-License-Identifier: GPL-2.0-only
#include "bounce-probability.h"

#include <cmath>

namespace ns3::lossless
{

double
GetBounceProbability(double utilization, uint32_t bounces, double theta, double lambda)
{
    if (utilization >= 1)
    {
        return 1;
    }
    if (utilization <= theta)
    {
        return 0;
    }
    const double decay = lambda / (static_cast<double>(bounces) + 1);
    const double span = std::expm1(decay * (theta - 1));
    // After many bounces, the curve is almost a straight line, and Eq. 4 evaluates to 0/0 in
    // floating point.
    return span == 0 ? (utilization - theta) / (1 - theta)
                     : std::expm1(decay * (theta - utilization)) / span;
}

} // namespace ns3::lossless
