// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NODE_NAME_H
#define LOSSLESS_NODE_NAME_H

#include <cstdint>
#include <string>

namespace ns3::lossless
{

/// @return the name of a node for messages and results: the name in ns3::Names or, if there is
/// none, the node's ID
std::string GetNodeName(uint32_t id);

} // namespace ns3::lossless

#endif /* LOSSLESS_NODE_NAME_H */
