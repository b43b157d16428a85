// SPDX-License-Identifier: GPL-2.0-only
#include "rule-progress.h"

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

RuleProgress::RuleProgress(std::shared_ptr<const CollectiveRule> rule)
    : m_rule(std::move(rule)),
      m_ranks(m_rule->GetCompany().hosts.size()),
      m_stages(m_rule->CountStages())
{
    for (uint32_t flow = 0; flow < m_rule->CountFlows(); ++flow)
    {
        const CollectiveRule::Flow found = m_rule->GetFlow(flow);
        ++m_stages[found.stage].flows;
        m_stages[found.stage].bytes += found.bytes;
    }
}

void
RuleProgress::Rank::AddBusy(int64_t begin)
{
    if (busy++ == 0)
    {
        busySince = std::max(begin, busyUntil);
    }
}

void
RuleProgress::Rank::EndBusy(int64_t end)
{
    if (--busy == 0)
    {
        Use(busySince, end);
        busyUntil = end;
    }
}

void
RuleProgress::Rank::Use(int64_t begin, int64_t end)
{
    if (entry >= 0 && exit < 0)
    {
        used += std::max<int64_t>(0, end - std::max(begin, entry));
    }
}

RuleProgress::Live&
RuleProgress::Make(uint32_t flow)
{
    const auto [place, isNew] = m_live.try_emplace(flow);
    if (isNew)
    {
        place->second.flow = m_rule->GetFlow(flow);
        m_mostLive = std::max(m_mostLive, m_live.size());
    }
    return place->second;
}

void
RuleProgress::EnterRank(uint32_t rank, int64_t now, std::vector<uint32_t>& ready)
{
    Rank& entered = m_ranks[rank];
    entered.entry = now;
    entered.cause = {now, 0, rank};
    m_rule->VisitFirst(rank, [&](uint32_t flow) { MakeReady(flow, Make(flow), ready); });
    std::vector<uint32_t> parked;
    parked.swap(entered.parked);
    for (const uint32_t flow : parked)
    {
        MakeReady(flow, Make(flow), ready);
    }
}

void
RuleProgress::MakeReady(uint32_t flow, Live& live, std::vector<uint32_t>& ready)
{
    const uint32_t rank = live.flow.from;
    live.cause.Take({m_ranks[rank].entry, 0, rank});
    ready.push_back(flow);
}

void
RuleProgress::LeaveRank(uint32_t rank, int64_t now)
{
    Rank& left = m_ranks[rank];
    if (left.busy > 0)
    {
        left.Use(left.busySince, now);
    }
    left.exit = now;
}

void
RuleProgress::Tell(const Flows::value_type& live,
                   FlowGraph::Until until,
                   int64_t now,
                   std::vector<uint32_t>& ready)
{
    if ((live.second.awaited & BitOf(until)) == 0)
    {
        return;
    }
    const uint32_t flow = live.first;
    const uint32_t origin = live.second.cause.origin;
    for (const CollectiveRule::Link& next : m_rule->GetSuccessors(flow))
    {
        if (next.until != until)
        {
            continue;
        }
        const CollectiveRule::Links before = m_rule->GetPredecessors(next.flow);
        const auto isIt = [&](const CollectiveRule::Link& link) {
            return link.flow == flow && link.until == until;
        };
        const auto place = std::find_if(before.begin(), before.end(), isIt) - before.begin();
        Live& waiting = Make(next.flow);
        waiting.cause.Take({now, static_cast<uint32_t>(place + 1), origin});
        if (++waiting.met < before.size())
        {
            continue;
        }
        Rank& rank = m_ranks[waiting.flow.from];
        if (rank.entry < 0)
        {
            rank.parked.push_back(next.flow);
        }
        else
        {
            MakeReady(next.flow, waiting, ready);
        }
    }
}

void
RuleProgress::Begin(uint32_t flow, int64_t now)
{
    m_ranks[GetFlow(flow).from].AddBusy(now);
}

void
RuleProgress::Start(uint32_t flow, int64_t now, std::vector<uint32_t>& ready)
{
    const auto found = m_live.find(flow);
    Live& live = found->second;
    Stage& stage = m_stages[live.flow.stage];
    stage.first = stage.first < 0 ? now : std::min(stage.first, now);
    live.isUnderWay = true;
    for (const CollectiveRule::Link& next : m_rule->GetSuccessors(flow))
    {
        live.awaited |= BitOf(next.until);
    }
    Tell(*found, FlowGraph::Until::STARTED, now, ready);
}

void
RuleProgress::Open(uint32_t flow, int64_t start)
{
    m_ranks[GetFlow(flow).to].AddBusy(start);
}

void
RuleProgress::Receive(uint32_t flow, int64_t now, std::vector<uint32_t>& ready)
{
    const auto found = m_live.find(flow);
    const Live& live = found->second;
    Stage& stage = m_stages[live.flow.stage];
    stage.last = std::max(stage.last, now);
    ++stage.received;
    ++m_received;
    Rank& rank = m_ranks[live.flow.to];
    rank.EndBusy(now);
    rank.cause.Take({now, flow + 1, live.cause.origin});
    End(found, FlowGraph::Until::RECEIVED, now, ready);
}

void
RuleProgress::Acknowledge(uint32_t flow, int64_t now, std::vector<uint32_t>& ready)
{
    const auto found = m_live.find(flow);
    ++m_acknowledged;
    m_ranks[found->second.flow.from].EndBusy(now);
    End(found, FlowGraph::Until::SENT, now, ready);
}

void
RuleProgress::End(Flows::iterator found,
                  FlowGraph::Until until,
                  int64_t now,
                  std::vector<uint32_t>& ready)
{
    const bool isDone = std::exchange(found->second.isHalfDone, true);
    const uint32_t flow = found->first;
    Tell(*found, until, now, ready);
    if (isDone)
    {
        // The flow is erased by number, because adding flows may have invalidated the iterator.
        m_live.erase(flow);
    }
}

std::vector<uint32_t>
RuleProgress::GetUnderWay() const
{
    std::vector<uint32_t> flows;
    for (const auto& [flow, live] : m_live)
    {
        if (live.isUnderWay)
        {
            flows.push_back(flow);
        }
    }
    std::sort(flows.begin(), flows.end());
    return flows;
}

double
RuleProgress::GetWaitingShare(uint32_t rank) const
{
    const Rank& left = m_ranks[rank];
    const auto length = static_cast<double>(left.exit - left.entry);
    return length > 0 ? 1 - static_cast<double>(left.used) / length : 0;
}

uint32_t
RuleProgress::GetOrigin(uint32_t rank) const
{
    return m_ranks[rank].cause.origin;
}

} // namespace ns3::lossless
