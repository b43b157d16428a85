// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHAKRA_PROGRAM_H
#define LOSSLESS_CHAKRA_PROGRAM_H

#include "chakra-trace.h"
#include "rank-program.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// Finds the traces of all NPUs by that of the first: `PREFIX.0.et`, `PREFIX.1.et` and so on, as
/// long as such files exist.
/// @param path file of NPU 0
/// @param [out] files names by NPU, that of NPU 0 even if there is no such file
/// @return one sentence if the name does not end in `.0.et` or a file is missing; or nothing
std::optional<std::string> FindChakraFiles(const std::string& path,
                                           std::vector<std::string>& files);

/**
 * Makes one program of the traces of all NPUs, which are its ranks.
 *
 * A node begins when the nodes that it depends on, by data or control, are done. Computations and
 * memory accesses take their duration_micros; those that only have num_ops or tensor_size are
 * rejected, because their time depends on a model of the processor or memory, which this module
 * does not have. Metadata takes no time.
 *
 * Collectives run by the usual algorithms of GetCollectives(); comm_size is the contribution of
 * each NPU, as in ASTRA-sim, that of the root for a SCATTER, and ignored for a BARRIER. The schema
 * does not name the root; it is the first NPU of the group. The group of a collective is all NPUs
 * whose traces name its pg_name; without one, or with "0", it is all NPUs. In the order of the
 * files, the n-th collectives of a group belong together.
 *
 * @param traces nodes of each NPU
 * @param [out] program its places are nodes; unchanged after an error
 * @return one sentence with the node, or nothing
 */
std::optional<std::string> MakeProgram(const std::vector<std::vector<ChakraNode>>& traces,
                                       const std::string& fileName,
                                       std::optional<RankProgram>& program);

} // namespace ns3::lossless

#endif // LOSSLESS_CHAKRA_PROGRAM_H
