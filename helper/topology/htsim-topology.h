// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HTSIM_TOPOLOGY_H
#define LOSSLESS_HTSIM_TOPOLOGY_H

#include "lossless-topology.h"

#include <istream>
#include <optional>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Reads a topology of htsim, a `.topo` file: a fat-tree of two or three tiers of switches (tier 0:
 * top of rack), as csg-htsim's FatTreeTopology builds it.
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
 * A tier may have `Oversubscribed`, which must match its radixes and speeds; `Bundle`, the number
 * of links between each of its switches and each connected one below; and `Switch_Latency_ns`, half
 * of which is added to the delay of each of the switch's links: packets take as long as in htsim,
 * but it also delays a PAUSE, unlike in htsim. `Queue_Up` and `Queue_Down` are ignored, since
 * switches have a shared buffer here.
 *
 * Hosts are h0, h1, ...; switches are leaf0.. and spine0.. with two tiers, and edge0.., agg0.. and
 * core0.. with three. Aggregation switch j of a pod connects to the cores j, j + a, j + 2a and so
 * on, where a is the number of aggregation switches of a pod.
 *
 * @param fileName used in errors
 * @param [out] topology unchanged after an error
 * @param [out] note a sentence about what was ignored, if anything
 * @return the error with file and line, or nothing
 */
std::optional<std::string> ParseHtsimTopology(std::istream& input,
                                              const std::string& fileName,
                                              Topology& topology,
                                              std::optional<std::string>& note);

} // namespace ns3::lossless

#endif /* LOSSLESS_HTSIM_TOPOLOGY_H */
