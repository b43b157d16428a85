// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NODE_NAME_H
#define LOSSLESS_NODE_NAME_H

#include <cstdint>
#include <string>

namespace ns3::lossless
{

/// @param id of a node @return what messages call it: its name in ns3::Names, as results have it;
/// its id if it has none
std::string GetNodeName(uint32_t id);

} // namespace ns3::lossless

#endif /* LOSSLESS_NODE_NAME_H */
