// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GOAL_TEXT_H
#define LOSSLESS_GOAL_TEXT_H

#include "rank-program.h"

#include <istream>
#include <optional>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Reads a schedule in GOAL's textual form (Hoefler et al., Group Operation Assembly Language,
 * ICPP 2009), as LogGOPSim's Schedgen and ATLAHS write it, and returns the complaint.
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
 * A calc takes nanoseconds. What requires another operation begins at its end, what irequires it at
 * its beginning. Labels may be left out; a dependency names labels of the lines above. `//` begins
 * a comment up to the end of the line, and what stands between `/` `*` and `*` `/` is one, too.
 *
 * `cpu` is passed over: computations run side by side unless one requires the other; so is `nic`:
 * a host has one. Receives from any source or with any tag (-1) are refused, because which message
 * they get is not known beforehand.
 *
 * @param input the text
 * @param fileName name used in the complaint
 * @param [out] program the operations by rank, whose places are lines; untouched in case of a
 * complaint
 * @return one sentence with file and line, or nothing
 */
std::optional<std::string> ParseGoal(std::istream& input,
                                     const std::string& fileName,
                                     std::optional<RankProgram>& program);

} // namespace ns3::lossless

#endif // LOSSLESS_GOAL_TEXT_H
