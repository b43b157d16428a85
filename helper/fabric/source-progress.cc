// SPDX-License-Identifier: GPL-2.0-only
#include "source-progress.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

SourceProgress::SourceProgress(std::shared_ptr<const FlowSource> source)
    : m_source(std::move(source)),
      m_reader(m_source->Open()),
      m_next(m_reader->Next())
{
    m_source->GetTotals(); // computed now, because Fabric::CountFlows() must not allocate memory
}

void
SourceProgress::Advance()
{
    m_live[m_next->id] = {&*m_groups.insert(m_next->group).first, m_next->destination};
    m_mostLive = std::max(m_mostLive, m_live.size());
    const Time start = m_next->start;
    m_next = m_reader->Next();
    NS_ABORT_MSG_IF(m_next && m_next->start < start,
                    "SourceProgress: flow " << m_next->id
                                            << " starts before the previous one; the flows of a "
                                               "source must be sorted by start.");
}

std::optional<uint32_t>
SourceProgress::Forget(uint64_t id)
{
    const auto found = m_live.find(id);
    if (found == m_live.end())
    {
        return std::nullopt;
    }
    const uint32_t destination = found->second.destination;
    m_live.erase(found);
    return destination;
}

const std::string*
SourceProgress::FindGroup(uint64_t id) const
{
    const auto found = m_live.find(id);
    return found == m_live.end() ? nullptr : found->second.group;
}

} // namespace ns3::lossless
