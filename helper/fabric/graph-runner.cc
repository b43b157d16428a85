// SPDX-License-Identifier: GPL-2.0-only
#include "graph-runner.h"

#include "lossless-fabric.h"

#include "ns3/abort.h"
#include "ns3/listen-to.h"
#include "ns3/record-archive.h"
#include "ns3/short-text.h"
#include "ns3/simulator.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

namespace ns3::lossless
{

namespace
{

/// The number of progress checks per patience period.
constexpr int64_t LOOKS = 8;

/// The maximum number of steps under way, and of waiting steps, that are described.
constexpr std::size_t EXAMPLES = 4;

/// @param tick the time in ticks; -1 means no time
std::optional<Time>
ToTime(int64_t tick)
{
    return tick < 0 ? std::nullopt : std::optional(TimeStep(tick));
}

} // namespace

GraphRunner::GraphRunner(Fabric& fabric, FlowGraph graph)
    : m_fabric(fabric),
      m_graph(std::move(graph)),
      m_ticks(m_graph.GetNStored()),
      m_unmet(m_graph.GetNStored()),
      m_byId(m_graph.GetRules().empty() ? m_graph.GetNSteps() : 0),
      m_hosts(fabric.GetNHosts()),
      m_doneTally([this](const NetworkTally::Counts& counts) {
          m_done += counts.count;
          m_lastDone = std::max(m_lastDone, counts.latest);
          m_lastMove = std::max(m_lastMove, counts.latest);
          if (m_patience.IsStrictlyPositive() && m_done == m_graph.GetNSteps())
          {
              StopRun(TimeStep(m_lastDone));
          }
      }),
      m_pulse([this](const NetworkTally::Counts& counts) {
          m_lastMove = std::max(m_lastMove, counts.latest);
      })
{
    NS_ABORT_MSG_IF(!m_graph.IsComplete(), "GraphRunner: the graph was not checked.");
    std::iota(m_byId.begin(), m_byId.end(), 0);
    const auto isLess = [this](FlowGraph::Step a, FlowGraph::Step b) {
        return m_graph.GetId(a) < m_graph.GetId(b);
    };
    if (!std::is_sorted(m_byId.begin(), m_byId.end(), isLess))
    {
        std::sort(m_byId.begin(), m_byId.end(), isLess);
    }
    PrepareRules();
    for (uint32_t host = 0; host < m_hosts.size(); ++host)
    {
        m_hosts[host].node = fabric.GetHost(host)->GetId();
    }
    fabric.VisitNics([this](RoceNic& nic) {
        const auto listen = [&](const std::string& source, FlowGraph::Until state) {
            ListenTo(nic, source, [this, state, isAlive = m_isAlive](const FlowRecord& record) {
                if (*isAlive)
                {
                    Notify(record, state);
                }
            });
        };
        listen("FlowReceived", FlowGraph::Until::RECEIVED);
        listen("FlowAcknowledged", FlowGraph::Until::SENT);
    });
}

GraphRunner::~GraphRunner()
{
    *m_isAlive = false;
    m_check.Cancel();
}

void
GraphRunner::PrepareRules()
{
    const auto& rules = m_graph.GetRules();
    NS_ABORT_MSG_IF(!rules.empty() && Ranks::AreSeveral(),
                    "GraphRunner: flows of rules are for one rank; list them.");
    for (std::size_t rule = 0; rule < rules.size(); ++rule)
    {
        m_rules.emplace_back(rules[rule].rule);
        const CollectiveRule::Company& company = rules[rule].rule->GetCompany();
        for (uint32_t rank = 0; rank < company.hosts.size(); ++rank)
        {
            const FlowGraph::Step entry = company.entries[rank];
            NS_ABORT_MSG_IF(m_graph.GetSource(entry) != company.hosts[rank] ||
                                m_graph.GetBytes(entry) > 0,
                            "GraphRunner: the entry of a rank is a computation of its host.");
            m_entries.insert({entry, {rule, rank}});
            m_exits.insert({company.exits[rank], {rule, rank}});
        }
    }
}

template <typename Call>
void
GraphRunner::Schedule(uint32_t host, Time delay, Call call)
{
    Simulator::ScheduleWithContext(m_hosts[host].node, delay, [call, isAlive = m_isAlive] {
        if (*isAlive)
        {
            call();
        }
    });
}

bool
GraphRunner::IsOwn(uint32_t host) const
{
    return Ranks::IsOwn(*m_fabric.GetHost(host));
}

void
GraphRunner::Start()
{
    m_graph.VisitStored([this](FlowGraph::Step step) {
        uint32_t& unmet = m_unmet[m_graph.GetPlace(step)];
        unmet = static_cast<uint32_t>(m_graph.GetNeeded(step));
        if (unmet == 0 && IsOwn(m_graph.GetSource(step)))
        {
            m_hosts[m_graph.GetSource(step)].later.emplace_back(GetDue(step), step);
        }
    });
    for (const auto& [exit, place] : m_exits)
    {
        m_unmet[m_graph.GetPlace(exit)] += m_rules[place.rule].GetRule().CountArriving();
    }
    for (uint32_t host = 0; host < m_hosts.size(); ++host)
    {
        std::vector<Due>& later = m_hosts[host].later;
        std::make_heap(later.begin(), later.end(), std::greater<>());
        Arm(host);
    }
}

int64_t
GraphRunner::GetDue(FlowGraph::Step step) const
{
    const Time begin = std::max(Simulator::Now(), m_graph.GetStart(step));
    const bool isFlow = m_graph.GetBytes(step) > 0;
    return (begin + (isFlow ? m_graph.GetCompute(step) : Time(0))).GetTimeStep();
}

std::size_t
GraphRunner::FindRule(FlowGraph::Step step) const
{
    const auto& rules = m_graph.GetRules();
    if (rules.empty() || (step >= rules[m_lastRule].first && step < rules[m_lastRule].end))
    {
        return rules.empty() ? 0 : m_lastRule;
    }
    const FlowGraph::RuledSteps* found = m_graph.FindRule(step);
    m_lastRule = found ? static_cast<std::size_t>(found - rules.data()) : m_lastRule;
    return found ? m_lastRule : m_rules.size();
}

FlowGraph::Step
GraphRunner::GetStep(std::size_t rule, uint32_t flow) const
{
    return m_graph.GetRules()[rule].first + flow;
}

void
GraphRunner::BeginFlows(std::size_t rule)
{
    const int64_t now = NowInTicks();
    const CollectiveRule::Company& company = m_rules[rule].GetRule().GetCompany();
    for (const uint32_t flow : m_begun)
    {
        m_rules[rule].Begin(flow, now);
        Enter(company.hosts[m_rules[rule].GetFlow(flow).from],
              GetStep(rule, flow),
              now + company.compute);
    }
    m_begun.clear();
}

void
GraphRunner::TellRules(FlowGraph::Step step)
{
    const auto [first, end] = m_entries.equal_range(step);
    for (auto entered = first; entered != end; ++entered)
    {
        const auto& [rule, rank] = entered->second;
        m_rules[rule].EnterRank(rank, NowInTicks(), m_begun);
        BeginFlows(rule);
    }
    if (const auto left = m_exits.find(step); left != m_exits.end())
    {
        m_rules[left->second.rule].LeaveRank(left->second.rank, NowInTicks());
    }
}

void
GraphRunner::TellFlow(std::size_t rule, FlowGraph::Step step, FlowGraph::Until until)
{
    const uint32_t flow = step - m_graph.GetRules()[rule].first;
    if (until == FlowGraph::Until::SENT)
    {
        m_rules[rule].Acknowledge(flow, NowInTicks(), m_begun);
    }
    else
    {
        const uint32_t rank = m_rules[rule].GetFlow(flow).to;
        m_rules[rule].Receive(flow, NowInTicks(), m_begun);
        Meet(m_rules[rule].GetRule().GetCompany().exits[rank]);
    }
    BeginFlows(rule);
}

void
GraphRunner::Enter(uint32_t index, FlowGraph::Step step, int64_t tick)
{
    Host& host = m_hosts[index];
    if (tick > NowInTicks())
    {
        host.later.emplace_back(tick, step);
        std::push_heap(host.later.begin(), host.later.end(), std::greater<>());
        m_pulse.Note(TimeStep(tick)); // the wait counts as progress until it ends
        Arm(index);
        return;
    }
    host.ready.push_back(step);
    if (!host.isFlushing)
    {
        host.isFlushing = true;
        Schedule(index, Time(0), [this, index] { Flush(index); });
    }
}

void
GraphRunner::Arm(uint32_t host)
{
    Host& there = m_hosts[host];
    if (!there.later.empty() && there.later.front().first < there.wake)
    {
        there.wake = there.later.front().first;
        Schedule(host, TimeStep(there.wake) - Simulator::Now(), [this, host] { Wake(host); });
    }
}

void
GraphRunner::Wake(uint32_t host)
{
    Host& there = m_hosts[host];
    const int64_t now = NowInTicks();
    if (now < there.wake)
    {
        return; // an earlier event has already processed these steps
    }
    there.wake = INT64_MAX;
    while (!there.later.empty() && there.later.front().first <= now)
    {
        const FlowGraph::Step step = there.later.front().second;
        std::pop_heap(there.later.begin(), there.later.end(), std::greater<>());
        there.later.pop_back();
        Enter(host, step, now);
    }
    Arm(host);
}

void
GraphRunner::Flush(uint32_t host)
{
    std::vector<FlowGraph::Step> ready;
    ready.swap(m_hosts[host].ready);
    m_hosts[host].isFlushing = false;
    std::sort(ready.begin(), ready.end());
    for (const FlowGraph::Step step : ready)
    {
        Advance(step);
    }
}

void
GraphRunner::Advance(FlowGraph::Step step)
{
    const int64_t now = NowInTicks();
    if (const std::size_t rule = FindRule(step); rule < m_rules.size())
    {
        m_pulse.Note(Simulator::Now());
        StartFlow(rule, step);
        m_rules[rule].Start(step - m_graph.GetRules()[rule].first, now, m_begun);
        BeginFlows(rule);
        return;
    }
    StepTicks& ticks = m_ticks[m_graph.GetPlace(step)];
    if (m_graph.GetBytes(step) > 0)
    {
        ticks.started = now;
        m_pulse.Note(Simulator::Now());
        StartFlow(step);
        Tell(step, FlowGraph::Until::STARTED);
        return;
    }
    const int64_t duration = m_graph.GetCompute(step).GetTimeStep();
    if (ticks.started < 0)
    {
        ticks.started = now;
        Tell(step, FlowGraph::Until::STARTED);
        if (duration > 0)
        {
            Enter(m_graph.GetSource(step), step, now + duration);
            return;
        }
    }
    ticks.sent = now;
    ticks.received = now;
    m_doneTally.Note(Simulator::Now());
    Tell(step, FlowGraph::Until::SENT);
    Tell(step, FlowGraph::Until::RECEIVED);
    TellRules(step);
}

Time
GraphRunner::GetOpenDelay(const FlowSpec& flow) const
{
    // As in RoceNic::StartFlow(), the receiver opens before the first packet can arrive.
    return GetDelayBetween(m_hosts[flow.source].node, m_hosts[flow.destination].node);
}

void
GraphRunner::StartFlow(FlowGraph::Step step)
{
    const FlowSpec flow = m_graph.GetFlow(step);
    const Time now = Simulator::Now();
    const Time delay = GetOpenDelay(flow);
    Fabric::FlowEnds ends = m_fabric.Connect(flow);
    ends.connection.start = now;
    if (IsOwn(flow.destination))
    {
        Schedule(flow.destination, delay, [ends] { ends.receiver->OpenReceiver(ends.connection); });
    }
    else
    {
        Post({step, true, now.GetTimeStep(), (now + delay).GetTimeStep()}, flow.destination);
    }
    ends.sender->OpenSender(ends.connection);
}

void
GraphRunner::StartFlow(std::size_t rule, FlowGraph::Step step)
{
    const CollectiveRule::Company& company = m_rules[rule].GetRule().GetCompany();
    const uint32_t number = step - m_graph.GetRules()[rule].first;
    const CollectiveRule::Flow& found = m_rules[rule].GetFlow(number);
    FlowSpec flow;
    flow.id = step;
    flow.source = company.hosts[found.from];
    flow.destination = company.hosts[found.to];
    flow.priority = company.priority;
    flow.bytes = found.bytes;
    const Time delay = GetOpenDelay(flow);
    Fabric::FlowEnds ends = m_fabric.Connect(flow);
    ends.connection.start = Simulator::Now();
    Schedule(flow.destination, delay, [this, ends, rule, number] {
        m_rules[rule].Open(number, ends.connection.start->GetTimeStep());
        ends.receiver->OpenReceiver(ends.connection);
    });
    ends.sender->OpenSender(ends.connection);
}

void
GraphRunner::OpenReceiver(FlowGraph::Step step, Time start)
{
    Fabric::FlowEnds ends = m_fabric.Connect(m_graph.GetFlow(step));
    ends.connection.start = start;
    ends.receiver->OpenReceiver(ends.connection);
}

void
GraphRunner::Post(const Message& message, uint32_t host)
{
    char* place = Ranks::Post(Ranks::GetRankOf(*m_fabric.GetHost(host)),
                              GetNumber(),
                              static_cast<uint64_t>(message.due),
                              sizeof(message));
    std::memcpy(place, &message, sizeof(message));
}

void
GraphRunner::TakeMail(const char* bytes, std::size_t /* size */)
{
    Message message;
    std::memcpy(&message, bytes, sizeof(message));
    const FlowGraph::Step step = message.step;
    const Time delay = TimeStep(message.due) - Simulator::Now();
    if (message.isFlow)
    {
        const Time start = TimeStep(message.tick);
        Schedule(m_graph.GetDestination(step), delay, [this, step, start] {
            OpenReceiver(step, start);
        });
        return;
    }
    Schedule(m_graph.GetSource(step), delay, [this, step] { Meet(step); });
}

void
GraphRunner::Tell(FlowGraph::Step step, FlowGraph::Until until)
{
    const uint32_t host = m_graph.GetKnowingHost(step, until);
    for (const FlowGraph::Link& link : m_graph.GetSuccessors(step))
    {
        if (link.GetUntil() != until)
        {
            continue;
        }
        const FlowGraph::Step successor = link.step;
        const uint32_t other = m_graph.GetSource(successor);
        if (other == host)
        {
            Meet(successor);
            continue;
        }
        const Time delay = m_fabric.GetNoticeTime(host, other);
        const int64_t due = (Simulator::Now() + delay).GetTimeStep();
        m_pulse.Note(TimeStep(due));
        if (IsOwn(other))
        {
            Schedule(other, delay, [this, successor] { Meet(successor); });
        }
        else
        {
            Post({successor, false, due, due}, other);
        }
    }
}

void
GraphRunner::Meet(FlowGraph::Step step)
{
    // If a step needs only some of its predecessors, the others may complete after the step has
    // started.
    uint32_t& unmet = m_unmet[m_graph.GetPlace(step)];
    if (unmet > 0 && --unmet == 0)
    {
        Enter(m_graph.GetSource(step), step, GetDue(step));
    }
}

std::optional<FlowGraph::Step>
GraphRunner::FindStep(uint64_t id) const
{
    if (m_byId.empty())
    {
        return id < m_graph.GetNSteps() ? std::optional(static_cast<FlowGraph::Step>(id))
                                        : std::nullopt;
    }
    const uint64_t guess = id - m_graph.GetId(m_byId.front());
    if (guess < m_byId.size() && m_graph.GetId(m_byId[guess]) == id) // IDs usually have no gaps
    {
        return m_byId[guess];
    }
    const auto found = std::lower_bound(
        m_byId.begin(),
        m_byId.end(),
        id,
        [this](FlowGraph::Step step, uint64_t wanted) { return m_graph.GetId(step) < wanted; });
    const bool isThere = found != m_byId.end() && m_graph.GetId(*found) == id;
    return isThere ? std::optional(*found) : std::nullopt;
}

void
GraphRunner::Notify(const FlowRecord& record, FlowGraph::Until state)
{
    const auto step = FindStep(record.flow.id);
    if (!step)
    {
        return;
    }
    const std::size_t rule = FindRule(*step);
    const bool hasRule = rule < m_rules.size();
    if (!hasRule)
    {
        auto& ticks = m_ticks[m_graph.GetPlace(*step)];
        (state == FlowGraph::Until::SENT ? ticks.sent : ticks.received) = NowInTicks();
    }
    if (state == FlowGraph::Until::SENT)
    {
        m_fabric.ForgetFlow(hasRule ? FindDestination(rule, *step) : m_graph.GetDestination(*step),
                            record);
    }
    if (m_end == state)
    {
        m_doneTally.Note(Simulator::Now());
    }
    if (hasRule)
    {
        TellFlow(rule, *step, state);
    }
    else
    {
        Tell(*step, state);
    }
}

uint32_t
GraphRunner::FindDestination(std::size_t rule, FlowGraph::Step step) const
{
    const FlowGraph::RuledSteps& steps = m_graph.GetRules()[rule];
    return steps.rule->GetCompany().hosts[m_rules[rule].GetFlow(step - steps.first).to];
}

void
GraphRunner::StopWhenDone(Time patience, FlowGraph::Until end)
{
    NS_ABORT_MSG_IF(!patience.IsStrictlyPositive() || patience > GetLatestStart(),
                    "GraphRunner::StopWhenDone: the patience is "
                        << patience.As(Time::S) << "; it must be above 0, at most "
                        << GetLatestStart().As(Time::S) << ".");
    m_patience = patience;
    m_end = end;
    m_graph.VisitStored([this](FlowGraph::Step step) {
        if (m_graph.GetPredecessors(step).size() == 0)
        {
            // No progress is expected before this time.
            const Time due = m_graph.GetStart(step) + m_graph.GetCompute(step);
            m_lastMove = std::max(m_lastMove, static_cast<uint64_t>(due.GetTimeStep()));
        }
    });
    ScheduleLook();
}

void
GraphRunner::ScheduleLook()
{
    // The latest known progress, such as the end of a computation, can be in the future. Checks
    // before that time cannot detect a stall, so all but the last of them are skipped. The last one
    // records the acknowledged payload.
    const int64_t period = std::max<int64_t>(1, m_patience.GetTimeStep() / LOOKS);
    const int64_t ahead = static_cast<int64_t>(m_lastMove) - NowInTicks();
    const int64_t periods = std::max<int64_t>(1, ahead / period);
    m_check = Simulator::Schedule(TimeStep(periods * period), &GraphRunner::CheckMovement, this);
}

void
GraphRunner::CheckMovement()
{
    // Each rank checks only the flows that it sends. m_pulse reports progress on other ranks before
    // the next check.
    uint64_t acknowledged = 0;
    for (const auto& [step, bytes] : GetAcknowledged())
    {
        acknowledged += bytes + step; // the step number is added so that the sum changes even if
                                      // one flow replaces another
    }
    if (acknowledged != m_acknowledged)
    {
        m_acknowledged = acknowledged;
        m_pulse.Note(Simulator::Now());
    }
    const auto now = static_cast<uint64_t>(NowInTicks());
    const auto patience = static_cast<uint64_t>(m_patience.GetTimeStep());
    if (m_done == m_graph.GetNSteps() || (now > m_lastMove && now - m_lastMove >= patience))
    {
        m_hasStalled = m_done < m_graph.GetNSteps();
        Simulator::Stop();
        return;
    }
    ScheduleLook();
}

std::map<FlowGraph::Step, uint64_t>
GraphRunner::GetAcknowledged() const
{
    std::map<FlowGraph::Step, uint64_t> payload = m_foreignPayload;
    m_fabric.VisitNics([this, &payload](RoceNic& nic) {
        nic.VisitSending([this, &payload](uint64_t id, uint64_t bytes) {
            if (const auto step = FindStep(id))
            {
                payload[*step] = bytes;
            }
        });
    });
    return payload;
}

const RuleProgress&
GraphRunner::GetProgress(const CollectiveRule& rule) const
{
    const auto found = std::find_if(m_rules.begin(), m_rules.end(), [&](const auto& progress) {
        return &progress.GetRule() == &rule;
    });
    NS_ABORT_MSG_IF(found == m_rules.end(), "GraphRunner: the graph has no such rule.");
    return *found;
}

StepTimes
GraphRunner::GetTimes(FlowGraph::Step step) const
{
    const StepTicks& ticks = m_ticks[m_graph.GetPlace(step)];
    return {ToTime(ticks.started), ToTime(ticks.sent), ToTime(ticks.received)};
}

bool
GraphRunner::IsDone(FlowGraph::Step step) const
{
    const StepTicks& ticks = m_ticks[m_graph.GetPlace(step)];
    return (m_end == FlowGraph::Until::SENT ? ticks.sent : ticks.received) >= 0;
}

bool
GraphRunner::IsUnderWay(FlowGraph::Step step) const
{
    if (m_exits.count(step) > 0 && m_unmet[m_graph.GetPlace(step)] > 0)
    {
        return false;
    }
    const FlowGraph::Links links = m_graph.GetPredecessors(step);
    const auto met = std::count_if(links.begin(), links.end(), [this](const FlowGraph::Link& link) {
        return GetTimes(link.step).Get(link.GetUntil()).has_value();
    });
    return static_cast<std::size_t>(met) >= m_graph.GetNeeded(step);
}

Time
GraphRunner::GetNoticeTime(const FlowGraph::Link& predecessor, FlowGraph::Step step) const
{
    const uint32_t from = m_graph.GetKnowingHost(predecessor.step, predecessor.GetUntil());
    const uint32_t to = m_graph.GetSource(step);
    return from == to ? Time(0) : m_fabric.GetNoticeTime(from, to);
}

const std::string&
GraphRunner::GetHostName(uint32_t host) const
{
    return m_fabric.GetTopology().GetHostName(host);
}

std::string
GraphRunner::DescribeStep(FlowGraph::Step step) const
{
    const bool isFlow = m_graph.GetBytes(step) > 0;
    return m_graph.Describe(step) + (isFlow ? " from " : " of ") +
           GetHostName(m_graph.GetSource(step)) +
           (isFlow ? " to " + GetHostName(m_graph.GetDestination(step)) : "");
}

std::string
GraphRunner::DescribeWait(FlowGraph::Step step) const
{
    if (const auto exit = m_exits.find(step); exit != m_exits.end())
    {
        return DescribeStep(step) + " waits for its entry and the flows to it.";
    }
    constexpr const char* ends[] = {"sent", "received", "started"};
    const std::size_t needed = m_graph.GetNeeded(step);
    const std::size_t all = m_graph.GetPredecessors(step).size();
    std::string text = DescribeStep(step) + " waits for" +
                       (needed < all ? " " + std::to_string(needed) + " of " + std::to_string(all) +
                                           " ends, for example for"
                                     : "");
    std::size_t more = 0;
    bool isFirst = true;
    for (const FlowGraph::Link& link : m_graph.GetPredecessors(step))
    {
        if (!GetTimes(link.step).Get(link.GetUntil()))
        {
            more += isFirst ? 0 : 1;
            text += isFirst ? " " + DescribeStep(link.step) + " to be " + ends[link.untilBits] : "";
            isFirst = false;
        }
    }
    return text + (more > 0 ? " (and for " + std::to_string(more) + " more)" : "") + ".";
}

std::string
GraphRunner::DescribeState(FlowGraph::Step step,
                           const std::string& state,
                           const std::map<FlowGraph::Step, uint64_t>& payload) const
{
    const auto found = payload.find(step);
    return DescribeStep(step) + state +
           (found == payload.end()
                ? "."
                : ", with " + std::to_string(found->second) + " of " +
                      std::to_string(m_graph.GetBytes(step)) + " B acknowledged.");
}

std::optional<GraphRunner::Standstill>
GraphRunner::DescribeStandstill() const
{
    Standstill standstill;
    standstill.since = TimeStep(std::min(m_lastMove, static_cast<uint64_t>(NowInTicks())));
    const auto payload = GetAcknowledged();
    std::vector<std::string> waiting;
    const auto describe = [&](FlowGraph::Step step, const std::string& state) {
        if (standstill.examples.size() < EXAMPLES)
        {
            standstill.examples.push_back(DescribeState(step, state, payload));
        }
    };
    for (std::size_t rule = 0; rule < m_rules.size(); ++rule)
    {
        standstill.unfinished +=
            m_rules[rule].GetRule().CountFlows() - m_rules[rule].CountDone(m_end);
        for (const uint32_t flow : m_rules[rule].GetUnderWay())
        {
            describe(GetStep(rule, flow), " is under way");
        }
    }
    m_graph.VisitStored([&](FlowGraph::Step step) {
        if (IsDone(step))
        {
            return;
        }
        ++standstill.unfinished;
        if (IsUnderWay(step))
        {
            const auto started = GetTimes(step).started;
            describe(step,
                     started ? " is under way since " + DescribeTime(*started)
                             : " is due, but has not started");
        }
        else if (waiting.size() < EXAMPLES)
        {
            waiting.push_back(DescribeWait(step));
        }
    });
    standstill.examples.insert(standstill.examples.end(), waiting.begin(), waiting.end());
    return standstill.unfinished > 0 ? std::optional(standstill) : std::nullopt;
}

void
GraphRunner::Save(std::ostream& os) const
{
    std::vector<int64_t> ticks;
    ticks.reserve(3 * m_ticks.size());
    for (const StepTicks& step : m_ticks)
    {
        ticks.insert(ticks.end(), {step.started, step.sent, step.received});
    }
    const std::map<uint32_t, uint64_t> payload = GetAcknowledged();
    SaveParts(os, ticks, payload);
}

void
GraphRunner::Merge(std::istream& is, uint32_t /* rank */)
{
    std::vector<int64_t> ticks;
    std::map<uint32_t, uint64_t> payload;
    LoadParts(is, ticks, payload);
    for (std::size_t step = 0; step < m_ticks.size(); ++step)
    {
        StepTicks& known = m_ticks[step];
        known.started = std::max(known.started, ticks[3 * step]);
        known.sent = std::max(known.sent, ticks[3 * step + 1]);
        known.received = std::max(known.received, ticks[3 * step + 2]);
    }
    m_foreignPayload.insert(payload.begin(), payload.end());
}

} // namespace ns3::lossless
