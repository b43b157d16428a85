// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MATRIX_GRAPH_H
#define LOSSLESS_MATRIX_GRAPH_H

#include "connection-matrix.h"
#include "flow-trace.h"

#include "ns3/flow-graph.h"
#include "ns3/lossless-topology.h"

#include <cstdint>
#include <string>

namespace ns3::lossless
{

/**
 * Creates the flow graph of a connection matrix.
 *
 * A connection waits for the ends of the connections that activate its trigger. An end is the
 * completion of a connection at its sender or its receiver. A oneshot is activated by exactly one
 * end, and a barrier by as many ends as its count. A multishot starts one connection at each
 * activation, in the order of the file: the k-th connection waits for any k of the ends that
 * activate the trigger. Triggers that never fire, or fire more often than htsim allows, are
 * rejected.
 *
 * Starts are rounded to nanoseconds. Flows keep their IDs from the file. Flows without an ID are
 * numbered after the largest ID in the file.
 *
 * @param placement the hosts of the nodes in the matrix; there must be at least as many hosts as
 * nodes
 * @param [in,out] graph the graph to which the flows are added, unchanged after an error
 * @throws FileComplaint with the file name and line number
 */
void AddConnections(const ConnectionMatrix& matrix,
                    const std::string& fileName,
                    const RankPlacement& placement,
                    FlowGraph& graph);

/// @param place the index of the connection, which is also its step if the graph was empty before
/// AddConnections()
/// @return a name of the connection for messages, because not all connections have an ID
std::string DescribeConnection(const ConnectionMatrix& matrix, uint32_t place);

/**
 * Marks the links named in a connection matrix as failed.
 *
 * The switch_id is the index of a switch in the network's layer "aggregation". The link_id is the
 * index of a link from this switch to the layer "core", in the order of the ports. In a fat-tree
 * created by Topology::FatTree(), both equal the numbers in htsim.
 *
 * @param [in,out] topology the network, unchanged after an error
 * @throws FileComplaint with the file name and line number
 */
void FailLinks(const ConnectionMatrix& matrix, const std::string& fileName, Topology& topology);

/**
 * Creates the connection matrix of a flow graph, so that htsim can run the same flows.
 *
 * Flows that wait for the same ends of other flows share a trigger: a oneshot for a single end or a
 * barrier for several ends. Computations of 0 ns are replaced by their predecessors. Failed links
 * between aggregation and core switches become failures.
 *
 * The following are rejected because a matrix cannot express them: computations that take time, a
 * start time together with predecessors, the start of a flow as a condition, one end of a flow in
 * two different conditions, sizes above MAX_HTSIM_NUMBER, and other failed links. Flows that need
 * only some of several ends are also rejected, although multishots could express some of them.
 * Traffic classes and labels are lost.
 *
 * @param graph a graph that FlowGraph::Check() has accepted
 * @return the connections in the order of the graph, with the IDs of the flows if these are in
 * htsim's range, and otherwise with IDs from 1
 * @throws FileComplaint
 */
ConnectionMatrix MakeConnectionMatrix(const FlowGraph& graph, const Topology& topology);

} // namespace ns3::lossless

#endif // LOSSLESS_MATRIX_GRAPH_H
