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

/**
 * Finds the traces of all NPUs by that of the first: of `PREFIX.0.et`, `PREFIX.1.et` and so on as
 * far as there are such files.
 * @param path name of the file of NPU 0
 * @param [out] files names by NPU, that of NPU 0 even if there is no such file
 * @return one sentence if the name does not end in `.0.et`, or one of them is missing; or nothing
 */
std::optional<std::string> FindChakraFiles(const std::string& path,
                                           std::vector<std::string>& files);

/**
 * Makes one program of the traces of all NPUs, which are its ranks.
 *
 * A node begins when the nodes that it depends on, by data or control, are done. Computations take
 * their duration_micros, and so do accesses to memory; if those have none, but num_ops or
 * tensor_size, they are refused: their time depends on a model of the processor or memory, which
 * this module does not have. Metadata takes no time.
 *
 * Collectives run by the usual algorithms of GetCollectives(); comm_size is what each NPU puts in,
 * as ASTRA-sim has it, of a SCATTER what the root does, and passed over of a BARRIER. The root of
 * those that have one, which the schema does not tell, is the first NPU of the group. The group of
 * a collective are the NPUs whose traces name its pg_name; without one, or with "0", it is all. In
 * the order of the files, the n-th collectives of a group are one.
 *
 * @param traces nodes of each NPU
 * @param fileName for complaints
 * @param [out] program the result, whose places are nodes; untouched in case of a complaint
 * @return one sentence with the node, or nothing
 */
std::optional<std::string> MakeProgram(const std::vector<std::vector<ChakraNode>>& traces,
                                       const std::string& fileName,
                                       std::optional<RankProgram>& program);

} // namespace ns3::lossless

#endif // LOSSLESS_CHAKRA_PROGRAM_H
