// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GOAL_BINARY_H
#define LOSSLESS_GOAL_BINARY_H

#include "rank-program.h"

#include <cstdint>
#include <istream>
#include <string>

namespace ns3::lossless
{

/// The maximum number of ranks. A network of this module cannot have more hosts.
inline constexpr uint64_t MAX_GOAL_RANKS = 1 << 24;

/// The maximum size of a binary schedule, in bytes.
inline constexpr uint64_t MAX_GOAL_BYTES = uint64_t{1} << 33;

/// The first byte of a binary schedule.
inline constexpr int GOAL_FIRST_BYTE = 0x7f;

/// @param input a schedule, from which nothing is consumed
/// @return true if the schedule is in binary form
bool IsGoalBinary(std::istream& input);

/**
 * @ingroup lossless
 * Reads a schedule in GOAL's binary form, which LogGOPSim's txt2bin writes and which LogGOPSim and
 * ATLAHS read. All numbers are little-endian:
 *
 *     8 bytes: 4223
 *     4 bytes: number of ranks; 1: largest cpu; 1: largest nic
 *     for each rank, 8 bytes each: offsets of its part's beginning and end, counted from byte 8
 *     part of a rank, 4 bytes each: number of operations, number of those that wait for nothing
 *     4 bytes for each of the latter: its number
 *     39 bytes for each operation: 4: number of operations for which it waits;
 *         1: 1 for send, 2 for receive, 3 for calc; 4: other rank; 8: bytes or nanoseconds; 4: tag;
 *         1: cpu; 1: nic; 4: number of operations that wait for its end; 4: index of the first of
 *         these in the list below; 4: number of operations that wait for its start; 4: index of the
 *         first of these in the list below
 *     4 bytes for each operation that waits: its number
 *
 * The binary form contains the same information as the text that ParseGoal() reads. Both
 * generations of ATLAHS traces have this form. In the first, a rank is a server whose GPUs are
 * nics; in the second, a rank is a GPU.
 *
 * @param bytes the content of the file
 * @param fileName the name of the file, for error messages
 * @return the program, in which Operation::place is the number of an operation within its rank,
 * from 0
 * @throws FileComplaint with the file name
 */
RankProgram ParseGoalBinary(const std::string& bytes, const std::string& fileName);

} // namespace ns3::lossless

#endif // LOSSLESS_GOAL_BINARY_H
