// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_CSV_H
#define LOSSLESS_FLOW_CSV_H

#include "flow-graph.h"
#include "flow-list.h"

#include <istream>
#include <ostream>
#include <string>

namespace ns3::lossless
{

/// The name of the format in options.
inline constexpr const char* CSV_FORMAT = "csv";

/**
 * Reads a CSV file of flows. Aborts if the file is malformed; the message contains the file name,
 * the line number and the allowed values.
 *
 * The header names the columns `id,source,destination,bytes,start_ns` and optionally `priority`
 * (default: 3) and `group` (default: empty), in any order. A flow of 0 bytes is sent as a flow of
 * EMPTY_FLOW_BYTES. The other columns of a run's flows.csv are ignored, so that another run can
 * send the same flows. Hosts are given by name or by host index. Empty lines and lines that start
 * with # are skipped.
 *
 * @return the flows with the IDs in the file, sorted by start
 */
FlowList ReadFlowCsv(const std::string& path, const Topology& topology);

/// Like ReadFlowCsv(), but reports errors by an exception.
/// @throws FileComplaint with the file name and line number
FlowList ParseFlowCsv(std::istream& input, const std::string& fileName, const Topology& topology);

/// Writes flows so that ReadFlowCsv() reads the same flows. Hosts are given by name.
/// @param flows the flows; aborts if they are invalid
void WriteFlowCsv(const std::string& path, const Topology& topology, const FlowList& flows);

/// Writes flows to a stream.
/// @param flows the flows; aborts if they are invalid
void WriteFlowCsv(std::ostream& output, const Topology& topology, const FlowList& flows);

/**
 * Reads flows that wait for other flows. Aborts if the file is malformed; the message contains the
 * file name, the line number and the allowed values.
 *
 * Optional columns in addition to those of ReadFlowCsv():
 *
 * | Column         | Content                                                                    |
 * | :------------- | :------------------------------------------------------------------------- |
 * | after          | IDs of the steps that must have been sent, separated by spaces             |
 * | after_received | IDs of the steps that must have been received                              |
 * | after_started  | IDs of the steps that must have started                                    |
 * | after_count    | number of these steps that suffice, in any order; all if missing or empty  |
 * | compute_ns     | time that the host then computes before it sends; 0 if missing or empty    |
 * | job            | label of the job                                                           |
 *
 * A step has been sent once its last byte has been acknowledged. A line with 0 bytes whose source
 * and destination are the same host is a computation of this host. IDs may refer to later lines.
 *
 * @return the graph, which has been checked, with its steps in the order of the lines
 */
FlowGraph ReadFlowGraphCsv(const std::string& path, const Topology& topology);

/// Like ReadFlowGraphCsv(), but reports errors by an exception.
/// @throws FileComplaint with the file name
FlowGraph ParseFlowGraphCsv(std::istream& input,
                            const std::string& fileName,
                            const Topology& topology);

/// Writes a graph so that ReadFlowGraphCsv() reads the same graph. Hosts are given by name.
/// @param graph the graph; aborts unless FlowGraph::Check() has accepted it
void WriteFlowGraphCsv(std::ostream& output, const Topology& topology, const FlowGraph& graph);

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_CSV_H */
