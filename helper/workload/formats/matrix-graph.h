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
 * A connection waits for what activates its trigger: of a oneshot the one end of a connection that
 * names it, of a barrier all of them, as many as it counts. A multishot starts one connection each
 * time, in the order of the file: the k-th one waits for k of the ends that activate it, whichever
 * are first. Refused are triggers that never fire, or more often than htsim allows.
 *
 * Starts are rounded to nanoseconds. Flows keep the ids of the file; those without get the numbers
 * after its largest one.
 *
 * @param matrix the connections
 * @param fileName for complaints
 * @param placement the host of each node of the matrix, at least as many as there are
 * @param [out] graph where to add the flows, untouched in case of a complaint
 * @return one sentence with file and line, or nothing
 */
std::optional<std::string> AddConnections(const ConnectionMatrix& matrix,
                                          const std::string& fileName,
                                          const RankPlacement& placement,
                                          FlowGraph& graph);

/**
 * @param matrix the connections
 * @param place of one of them, from 0 on: its step, if the graph was empty before AddConnections()
 * @return what complaints call it: not all have an id
 */
std::string DescribeConnection(const ConnectionMatrix& matrix, uint32_t place);

/**
 * Fails the links that a connection matrix names.
 *
 * Its switch_id counts the switches of the layer "aggregation" of the network, its link_id their
 * links to the layer "core", in the order of the ports; in a fat-tree of Topology::FatTree() both
 * are the numbers that htsim has.
 *
 * @param matrix the failures
 * @param fileName for complaints
 * @param [in,out] topology the network, untouched in case of a complaint
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
 * What a matrix cannot say is refused: computing, a start beside predecessors, the start of a
 * flow as a condition, one end of a flow that is a part of two different conditions, sizes above
 * MAX_HTSIM_NUMBER, and other failed links; so are flows that need some of several ends only, which
 * multishots could say of some. Traffic classes and labels are left out.
 *
 * @param graph the flows, complete
 * @param topology the network
 * @param [out] matrix the connections in the order of the graph, numbered by their ids if these
 * fit, else from 1; untouched in case of a complaint
 * @return one sentence, or nothing
 */
std::optional<std::string> MakeConnectionMatrix(const FlowGraph& graph,
                                                const Topology& topology,
                                                ConnectionMatrix& matrix);

} // namespace ns3::lossless

#endif // LOSSLESS_MATRIX_GRAPH_H
