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
 * Lets hosts with several links forward frames that are not their own, as the servers of BCube and
 * DCell do.
 *
 * Such a host is split: a new switch named after it (h0_relay, in the layer "relay") takes over its
 * links, and each NIC of the host is joined to that switch by a link of the same rate without
 * delay. Nodes, links, and the ports of the host and of its neighbours keep their numbers; switches
 * and inner links are appended. Inner links of failed links have failed, too.
 *
 * @param [in,out] topology the network, which must be valid; unchanged after an error
 * @return an error message if no host has several links, if a host is a GPU with a link to an
 * NVSwitch (these links determine how collectives use the GPUs), or if a switch's name is taken
 */
std::optional<std::string> LetHostsForward(Topology& topology);

} // namespace ns3::lossless

#endif /* LOSSLESS_FORWARDING_HOSTS_H */
