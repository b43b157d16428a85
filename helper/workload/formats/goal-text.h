// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GOAL_TEXT_H
#define LOSSLESS_GOAL_TEXT_H

#include "rank-program.h"

#include <istream>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Reads a schedule in GOAL's textual form (Hoefler et al., Group Operation Assembly Language, ICPP
 * 2009), as written by LogGOPSim's Schedgen and ATLAHS.
 *
 *     num_ranks 2
 *     rank 0 {
 *     l1: calc 1000
 *     l2: send 4096b to 1 tag 7
 *     l2 requires l1
 *     }
 *     rank 1 {
 *     l1: recv 4096b from 0 tag 7 cpu 0 nic 0
 *     }
 *
 * The number of a calc is its duration in nanoseconds. An operation begins after the end of each
 * operation that it `requires` and the beginning of each operation that it `irequires`. Labels are
 * optional. A dependency names labels of earlier lines. Comments extend from `//` to the end of the
 * line or are enclosed in `/` `*` and `*` `/`.
 *
 * The words `cpu` and `nic` are ignored: computations run concurrently unless one requires the
 * other, and Fabric selects the NIC of a flow. Receives from any source or with any tag (-1) are
 * rejected, because it is not known in advance which message they receive.
 *
 * @return the program, in which Operation::place is a line number
 * @throws FileComplaint with the file name and line number
 */
RankProgram ParseGoal(std::istream& input, const std::string& fileName);

} // namespace ns3::lossless

#endif // LOSSLESS_GOAL_TEXT_H
