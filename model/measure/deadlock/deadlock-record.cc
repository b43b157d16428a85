// SPDX-License-Identifier: GPL-2.0-only
#include "deadlock-record.h"

#include <cstddef>
#include <sstream>

namespace ns3::lossless
{

const char*
ToString(DeadlockKind kind)
{
    return kind == DeadlockKind::CYCLE ? "cycle" : "standstill";
}

std::string
DeadlockRecord::GetCycle() const
{
    std::ostringstream text;
    const std::size_t shown = members.size() > 1 ? members.size() + 1 : members.size();
    for (std::size_t i = 0; i < shown; ++i)
    {
        const DeadlockMember& member = members[i % members.size()];
        text << (i > 0 ? " -> " : "") << member.node;
        if (member.queue)
        {
            text << ">" << member.next << " class " << Index(member.queue->priority);
            text << (member.flow ? " flow " + std::to_string(*member.flow) : "");
        }
        else
        {
            text << " processor";
        }
    }
    return text.str();
}

} // namespace ns3::lossless
