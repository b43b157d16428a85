// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FORWARDING_HOSTS_H
#define LOSSLESS_FORWARDING_HOSTS_H

#include "lossless-topology.h"

#include <optional>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Lets hosts with several links forward frames that are addressed to other hosts, as the servers of
 * BCube and DCell do.
 *
 * Each such host is split. A new switch named after the host (h0_relay, in the layer "relay") takes
 * over the host's links. For each of them, an inner link with the same rate and no delay connects
 * the host to the switch. Nodes, links, and the ports of the host and of its neighbours keep their
 * numbers; the new switches and the inner links are appended. If a link has failed, the
 * corresponding inner link has also failed.
 *
 * @param [in,out] topology the network, which must be valid; unchanged after an error
 * @return an error message if no host has several links, if a host is a GPU with a link to an
 * NVSwitch (these links determine how collectives use the GPUs), or if the name of a new switch is
 * already taken
 */
std::optional<std::string> LetHostsForward(Topology& topology);

} // namespace ns3::lossless

#endif /* LOSSLESS_FORWARDING_HOSTS_H */
