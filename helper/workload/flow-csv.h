// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_CSV_H
#define LOSSLESS_FLOW_CSV_H

#include "flow-list.h"

#include <istream>
#include <optional>
#include <ostream>
#include <string>

namespace ns3::lossless
{

/**
 * Reads flows; a malformed file aborts with file, line and what is allowed.
 *
 * The header names the columns `id,source,destination,priority,bytes,start_ns,group` in any order.
 * The further columns of a run's flows.csv are passed over, so that its flows can be sent again.
 * Hosts are given by name or by host index. Empty lines and lines that start with # are skipped.
 *
 * @param path the file
 * @param topology the network
 * @return the flows with the ids of the file, sorted by start
 */
FlowList ReadFlowCsv(const std::string& path, const Topology& topology);

/**
 * Reads flows, as ReadFlowCsv does, and returns the complaint.
 * @param input the text
 * @param fileName name used in the complaint
 * @param topology the network
 * @param [out] flows the flows, untouched in case of a complaint
 * @return one sentence with file and line, or nothing
 */
std::optional<std::string> ParseFlowCsv(std::istream& input,
                                        const std::string& fileName,
                                        const Topology& topology,
                                        FlowList& flows);

/**
 * Writes flows so that ReadFlowCsv reads the same ones, hosts by name.
 * @param path the file
 * @param topology the network
 * @param flows the flows; wrong ones abort
 */
void WriteFlowCsv(const std::string& path, const Topology& topology, const FlowList& flows);

/**
 * Writes flows to a stream.
 * @param output where to write
 * @param topology the network
 * @param flows the flows; wrong ones abort
 */
void WriteFlowCsv(std::ostream& output, const Topology& topology, const FlowList& flows);

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_CSV_H */
