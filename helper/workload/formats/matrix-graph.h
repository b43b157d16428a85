// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MATRIX_GRAPH_H
#define LOSSLESS_MATRIX_GRAPH_H

#include "connection-matrix.h"
#include "rank-placement.h"

#include "ns3/flow-graph.h"
#include "ns3/lossless-topology.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lossless
{

/**
 * Makes the flow graph of a connection matrix.
 *
 * A connection waits for what activates its trigger: for a oneshot the one end of a connection that
 * names it, for a barrier all of them, as many as it counts. A multishot starts one connection each
 * time, in the order of the file: the k-th one waits for any k of the ends that activate it.
 * Triggers that never fire, or more often than htsim allows, are rejected.
 *
 * Starts are rounded to nanoseconds. Flows keep the ids of the file; those without get the numbers
 * after its largest one.
 *
 * @param placement the host of each node of the matrix, at least as many as there are
 * @param [out] graph gets the flows, unchanged after an error
 * @return one sentence with file and line, or nothing
 */
std::optional<std::string> AddConnections(const ConnectionMatrix& matrix,
                                          const std::string& fileName,
                                          const RankPlacement& placement,
                                          FlowGraph& graph);

/// @param place of the connection, from 0: its step, if the graph was empty before AddConnections()
/// @return name of a connection in messages: not all have an id
std::string DescribeConnection(const ConnectionMatrix& matrix, uint32_t place);

/**
 * Fails the links that a connection matrix names.
 *
 * Its switch_id counts the switches of the layer "aggregation" of the network, its link_id their
 * links to the layer "core", in the order of the ports; in a fat-tree of Topology::FatTree() both
 * equal htsim's numbers.
 *
 * @param [in,out] topology unchanged after an error
 * @return one sentence with file and line, or nothing
 */
std::optional<std::string> FailLinks(const ConnectionMatrix& matrix,
                                     const std::string& fileName,
                                     Topology& topology);

/**
 * Makes the connection matrix of a flow graph, so that htsim can run the same flows.
 *
 * Flows that wait for the same ends of flows share a trigger: a oneshot, or a barrier if they wait
 * for several. Computations of 0 ns are replaced by what they wait for. Failed links between
 * aggregation and core switches become failures.
 *
 * What a matrix cannot express is rejected: computations, a start time together with predecessors,
 * the start of a flow as a condition, one end of a flow in two different conditions, sizes above
 * MAX_HTSIM_NUMBER, and other failed links; also flows that need only some of several ends,
 * although multishots could express some of these. Traffic classes and labels are lost.
 *
 * @param graph complete
 * @param [out] matrix the connections in the order of the graph, numbered by their ids if these
 * fit, otherwise from 1; unchanged after an error
 * @return one sentence, or nothing
 */
std::optional<std::string> MakeConnectionMatrix(const FlowGraph& graph,
                                                const Topology& topology,
                                                ConnectionMatrix& matrix);

} // namespace ns3::lossless

#endif // LOSSLESS_MATRIX_GRAPH_H
