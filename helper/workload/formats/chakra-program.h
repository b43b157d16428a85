// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHAKRA_PROGRAM_H
#define LOSSLESS_CHAKRA_PROGRAM_H

#include "chakra-trace.h"
#include "rank-program.h"

#include <string>
#include <vector>

namespace ns3::lossless
{

/// Finds the traces of all NPUs, given that of the first: `PREFIX.0.et`, `PREFIX.1.et` and so on,
/// up to the last consecutive file.
/// @param path the file of NPU 0
/// @return the file names by NPU, including that of NPU 0 even if there is no such file
/// @throws FileComplaint if the name does not end in `.0.et` or if a file is missing
std::vector<std::string> FindChakraFiles(const std::string& path);

/**
 * Creates one program from the traces of all NPUs. The NPUs are the ranks of the program.
 *
 * A node begins when all nodes on which it depends, by data or control, are done. The duration of a
 * computation or memory access is its duration_micros. Nodes with only num_ops or tensor_size are
 * rejected, because their duration depends on a model of the processor or memory, which this module
 * does not have. Metadata nodes take no time.
 *
 * Collectives use the default algorithms of GetCollectives(). As in ASTRA-sim, comm_size is the
 * contribution of each NPU; for a SCATTER, it is the contribution of the root, and for a BARRIER,
 * it is ignored. The schema does not name the root, so it is the first NPU of the group. The group
 * of a collective consists of all NPUs whose traces contain its pg_name or, if this is missing or
 * "0", of all NPUs. The n-th collectives of all NPUs in a group, in the order of each file, form
 * one operation.
 *
 * @param traces the nodes of each NPU
 * @return the program, in which Operation::place is a node ID
 * @throws FileComplaint with the name of the node
 */
RankProgram MakeProgram(const std::vector<std::vector<ChakraNode>>& traces,
                        const std::string& fileName);

} // namespace ns3::lossless

#endif // LOSSLESS_CHAKRA_PROGRAM_H
