// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HTSIM_TOPOLOGY_H
#define LOSSLESS_HTSIM_TOPOLOGY_H

#include "topology-format.h"

#include <istream>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Reads an htsim topology (a `.topo` file), which describes a fat-tree with two or three tiers of
 * switches. The network is built as in FatTreeTopology of csg-htsim. The top-of-rack switches form
 * tier 0.
 *
 *     Nodes 8
 *     Tiers 2
 *     Podsize 8
 *     Tier 0
 *     Downlink_speed_Gbps 400
 *     Downlink_Latency_ns 500
 *     Radix_Down 4
 *     Radix_Up 2
 *     Tier 1
 *     Downlink_speed_Gbps 400
 *     Downlink_Latency_ns 1000
 *     Radix_Down 2
 *
 * A tier may also have `Oversubscribed`, which must match its radixes and speeds. `Bundle` is the
 * number of links from a switch of the tier to each connected switch of the tier below. Half of
 * `Switch_Latency_ns` is added to the delay of each link of the switch, so packets take as long as
 * in htsim. Unlike in htsim, PAUSE frames are also delayed. `Queue_Up` and `Queue_Down` are ignored
 * because the switches in this module have a shared buffer.
 *
 * Hosts are named h0, h1, ... Switches are named leaf0, leaf1, ... and spine0, ... if there are two
 * tiers, and edge0, ..., agg0, ... and core0, ... if there are three. Aggregation switch j of a pod
 * connects to core switches j, j + a, j + 2a and so on, where a is the number of aggregation
 * switches per pod.
 *
 * @param input the input stream
 * @param fileName the name of the file, for error messages
 * @return the network, and a message about ignored values
 * @throws FileComplaint with the file name and line number
 */
FileTopology ParseHtsimTopology(std::istream& input, const std::string& fileName);

} // namespace ns3::lossless

#endif /* LOSSLESS_HTSIM_TOPOLOGY_H */
