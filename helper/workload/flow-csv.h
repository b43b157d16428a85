// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_CSV_H
#define LOSSLESS_FLOW_CSV_H

#include "flow-graph.h"
#include "flow-list.h"

#include <istream>
#include <optional>
#include <ostream>
#include <string>

namespace ns3::lossless
{

/// Name of the format in options.
inline constexpr const char* CSV_FORMAT = "csv";

/**
 * Reads flows; a malformed file aborts with file, line and what is allowed.
 *
 * The header names the columns `id,source,destination,bytes,start_ns` and optionally `priority` (3)
 * and `group` (empty), in any order. A flow of 0 bytes is sent as EMPTY_FLOW_BYTES. The other
 * columns of a run's flows.csv are ignored, so that its flows can be sent again. Hosts are given by
 * name or by host index. Empty lines and lines that start with # are skipped.
 *
 * @return the flows with the ids of the file, sorted by start
 */
FlowList ReadFlowCsv(const std::string& path, const Topology& topology);

/// As ReadFlowCsv(), but returns the error.
/// @param [out] flows unchanged after an error
/// @return one sentence with file and line, or nothing
std::optional<std::string> ParseFlowCsv(std::istream& input,
                                        const std::string& fileName,
                                        const Topology& topology,
                                        FlowList& flows);

/// Writes flows so that ReadFlowCsv() reads the same ones, hosts by name.
/// @param flows invalid ones abort
void WriteFlowCsv(const std::string& path, const Topology& topology, const FlowList& flows);

/// Writes flows to a stream. @param flows invalid ones abort
void WriteFlowCsv(std::ostream& output, const Topology& topology, const FlowList& flows);

/**
 * Reads flows that wait for flows; a malformed file aborts with file, line and what is allowed.
 *
 * Optional columns in addition to those of ReadFlowCsv():
 *
 * | Column         | is                                                                         |
 * | :------------- | :------------------------------------------------------------------------- |
 * | after          | ids, separated by blanks, of what must have been sent: acknowledged        |
 * | after_received | ids of what must have been received                                        |
 * | after_started  | ids of what must have started                                              |
 * | after_count    | how many of these suffice, whichever are first; missing or empty: all      |
 * | compute_ns     | how long the host computes then, before it sends; missing or empty: 0      |
 * | job            | label of the job                                                           |
 *
 * A line with 0 bytes is a computation of its host, which is both source and destination. Ids may
 * refer to later lines.
 *
 * @return the graph, checked, with its steps in the order of the lines
 */
FlowGraph ReadFlowGraphCsv(const std::string& path, const Topology& topology);

/// As ReadFlowGraphCsv(), but returns the error.
/// @param [out] graph unchanged after an error
/// @return one sentence with the file, or nothing
std::optional<std::string> ParseFlowGraphCsv(std::istream& input,
                                             const std::string& fileName,
                                             const Topology& topology,
                                             FlowGraph& graph);

/// Writes a graph so that ReadFlowGraphCsv() reads the same one, hosts by name.
/// @param graph an incomplete one aborts
void WriteFlowGraphCsv(const std::string& path, const Topology& topology, const FlowGraph& graph);

/// Writes a graph to a stream. @param graph an incomplete one aborts
void WriteFlowGraphCsv(std::ostream& output, const Topology& topology, const FlowGraph& graph);

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_CSV_H */
