// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BOUNCE_PROBABILITY_H
#define LOSSLESS_BOUNCE_PROBABILITY_H

#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The probability with which PABO sends a frame back (PABO, Eq. 4).
 *
 * It is 0 up to the threshold, 1 in a full queue, and in between a concave curve that is steeper
 * for a larger lambda and flatter for a frame that has been sent back before.
 *
 * @param utilization fill of the queue that the frame would join; 1 or more: no room
 * @param bounces how often the frame has been sent back already
 * @param theta threshold of the utilization, 0 to 1; at 1 only a full queue sends back
 * @param lambda decay constant, at least 0; 0 is the limit of Eq. 4, a straight line
 */
double GetBounceProbability(double utilization, uint32_t bounces, double theta, double lambda);

} // namespace ns3::lossless

#endif /* LOSSLESS_BOUNCE_PROBABILITY_H */
