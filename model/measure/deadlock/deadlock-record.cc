// SPDX-License-Identifier: GPL-2.0-only
#include "deadlock-record.h"

#include "ns3/short-text.h"

#include <algorithm>
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

void
JudgeDeadlocks(const std::vector<DeadlockRecord>& deadlocks, RunVerdict& verdict)
{
    const auto isDissolved = [](const auto& record) { return record.dissolved.has_value(); };
    verdict.dissolvedDeadlocks = std::count_if(deadlocks.begin(), deadlocks.end(), isDissolved);
    const auto first = std::find_if_not(deadlocks.begin(), deadlocks.end(), isDissolved);
    if (first == deadlocks.end())
    {
        return;
    }
    const std::size_t others = deadlocks.size() - verdict.dissolvedDeadlocks - 1;
    verdict.deadlock = first->onset;
    std::ostringstream text;
    text << (first->kind == DeadlockKind::CYCLE ? "Deadlock" : "Standstill by thresholds")
         << " since " << DescribeTime(first->onset) << ": " << first->GetCycle();
    if (others > 0)
    {
        text << " (and " << others << " more, see deadlocks.csv)";
    }
    text << ".";
    verdict.AddProblem(text.str(), RunVerdict::Severity::DEADLOCK);
}

} // namespace ns3::lossless
