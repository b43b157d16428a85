// SPDX-License-Identifier: GPL-2.0-only
#include "flow-row.h"

namespace ns3::lossless
{

FlowRow::FlowRow(uint64_t id, const FlowRecord& record)
    : id(id),
      priority(Index(record.flow.priority)),
      bytes(record.flow.bytes),
      start(record.start),
      retransmitted(record.retransmitted)
{
    if (record.isReceived)
    {
        fct = record.GetCompletionTime();
    }
}

std::optional<double>
FlowRow::GetSlowdown() const
{
    if (!fct || !ideal || !ideal->IsStrictlyPositive())
    {
        return std::nullopt;
    }
    return static_cast<double>(fct->GetTimeStep()) / static_cast<double>(ideal->GetTimeStep());
}

ResultTable
FlowRow::MakeTable()
{
    return ResultTable::WithHeader("id,source,destination,priority,bytes,start_ns,fct_ns,ideal_ns,"
                                   "slowdown,group,retransmitted,marked,cnps,naks");
}

ResultTable::Row
FlowRow::ToLine() const
{
    const auto slowdown = GetSlowdown(); // written with six decimals
    return {id,
            source,
            destination,
            priority,
            bytes,
            start,
            fct,
            ideal,
            slowdown ? ResultCell(std::to_string(*slowdown)) : ResultCell(),
            group,
            retransmitted,
            signals ? ResultCell(signals->marked) : ResultCell(),
            signals ? ResultCell(signals->cnps) : ResultCell(),
            signals ? ResultCell(signals->naks) : ResultCell()};
}

} // namespace ns3::lossless
