// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GOAL_BINARY_H
#define LOSSLESS_GOAL_BINARY_H

#include "rank-program.h"

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

namespace ns3::lossless
{

/// Most ranks of a schedule: no network here has more hosts.
inline constexpr uint64_t MAX_GOAL_RANKS = 1 << 24;

/// Largest binary schedule, in bytes.
inline constexpr uint64_t MAX_GOAL_BYTES = uint64_t{1} << 33;

/// With which binary schedules begin.
inline constexpr int GOAL_FIRST_BYTE = 0x7f;

/// @param input a schedule, nothing of which is taken @return whether it is in binary form
bool IsGoalBinary(std::istream& input);

/**
 * @ingroup lossless
 * Reads a schedule in GOAL's binary form, as LogGOPSim's txt2bin writes it and LogGOPSim and ATLAHS
 * read it, and returns the complaint. All numbers have their lowest byte first:
 *
 *     8 bytes: 4223
 *     4 bytes: number of ranks; 1: largest cpu; 1: largest nic
 *     for each rank, 8 bytes each: where its part begins and ends, counted from byte 8
 *     the part of a rank, 4 bytes each: number of operations, number of those that wait for nothing
 *     4 bytes for each of the latter: its number
 *     39 bytes for each operation: 4: how many it waits for; 1: send, receive or calc, from 1;
 *         4: other rank; 8: bytes or nanoseconds; 4: tag; 1: cpu; 1: nic;
 *         4: how many wait for its end; 4: the first of them in the list below;
 *         4: how many wait for its beginning; 4: the first of them in the list below
 *     4 bytes for each that waits: its number
 *
 * What is read of it is what ParseGoal() reads of the text. ATLAHS' two generations of traces have
 * this form both: in the first, a rank is a server whose GPUs are nics, in the second a GPU.
 *
 * @param bytes content of the file
 * @param fileName name used in the complaint
 * @param [out] program the operations by rank, whose places are numbers from 0; untouched in case
 * of a complaint
 * @return one sentence with the file, or nothing
 */
std::optional<std::string> ParseGoalBinary(const std::string& bytes,
                                           const std::string& fileName,
                                           std::optional<RankProgram>& program);

} // namespace ns3::lossless

#endif // LOSSLESS_GOAL_BINARY_H
