// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BOUNCE_PROBABILITY_H
#define LOSSLESS_BOUNCE_PROBABILITY_H

#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Returns the probability that PABO sends a frame back (PABO, Eq. 4).
 *
 * The probability is 0 up to the threshold and 1 for a full queue. In between, it follows a concave
 * curve that is steeper for a larger lambda and flatter for a frame that has already been sent
 * back.
 *
 * @param utilization the utilization of the queue that the frame would join; 1 or more if the queue
 * is full
 * @param bounces the number of times that the frame has already been sent back
 * @param theta the utilization threshold, 0 to 1; if 1, frames are sent back only if the queue is
 * full
 * @param lambda the decay constant, at least 0; if 0, the limit of Eq. 4 is used, which is a
 * straight line
 */
double GetBounceProbability(double utilization, uint32_t bounces, double theta, double lambda);

} // namespace ns3::lossless

#endif /* LOSSLESS_BOUNCE_PROBABILITY_H */
