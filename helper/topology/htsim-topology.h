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
 * Reads a topology of htsim, a `.topo` file, and returns the complaint: a fat-tree of two or three
 * tiers of switches (tier 0: top of rack), as csg-htsim's FatTreeTopology builds it.
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
 * A tier may have `Oversubscribed`, which must be what its radixes and speeds give, `Bundle`, the
 * links between each of its switches and each below, and `Switch_Latency_ns`, half of which each
 * link of the switch has beside its own: packets take as long as in htsim, where a PAUSE does not
 * wait for it. `Queue_Up` and `Queue_Down` have no meaning here, where switches share a memory.
 *
 * Hosts are h0, h1, ...; switches of two tiers are leaf0.. and spine0.., of three edge0.., agg0..
 * and core0... Aggregation switch j of a pod is joined to the cores j, j + a, j + 2a and so on,
 * where a is the number of aggregation switches of a pod.
 *
 * @param input the text
 * @param fileName name used in the complaint
 * @param [out] topology the network, untouched in case of a complaint
 * @param [out] note a sentence about what was not read, if there is such
 * @return one sentence with file and line, or nothing
 */
std::optional<std::string> ParseHtsimTopology(std::istream& input,
                                              const std::string& fileName,
                                              Topology& topology,
                                              std::optional<std::string>& note);

} // namespace ns3::lossless

#endif /* LOSSLESS_HTSIM_TOPOLOGY_H */
