// SPDX-License-Identifier: GPL-2.0-only
#include "node-name.h"

#include "ns3/names.h"
#include "ns3/node-list.h"
#include "ns3/node.h"

namespace ns3::lossless
{

std::string
GetNodeName(uint32_t id)
{
    const bool isListed = id < NodeList::GetNNodes();
    const std::string name = isListed ? Names::FindName(NodeList::GetNode(id)) : "";
    return name.empty() ? std::to_string(id) : name;
}

} // namespace ns3::lossless
