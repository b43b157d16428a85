// SPDX-License-Identifier: GPL-2.0-only
#include "rank-program.h"

#include "ns3/abort.h"
#include "ns3/text-lines.h"

#include <algorithm>
#include <tuple>

namespace ns3::lossless
{

namespace
{

using Operation = RankProgram::Operation;
using Kind = Operation::Kind;
using Until = FlowGraph::Until;

/// @return the sender, the receiver and the tag, which are used to match sends and receives
std::tuple<uint32_t, uint32_t, uint64_t>
GetKey(const Operation& message)
{
    return message.kind == Kind::SEND ? std::make_tuple(message.rank, message.peer, message.tag)
                                      : std::make_tuple(message.peer, message.rank, message.tag);
}

} // namespace

RankProgram::RankProgram(const std::string& place, uint32_t ranks, const std::string& fileName)
    : m_place(place),
      m_ranks(ranks),
      m_fileName(fileName)
{
}

RankProgram::Index
RankProgram::Add(const Operation& operation)
{
    NS_ABORT_MSG_IF(operation.rank >= m_ranks || m_operations.size() >= MAX_OPERATIONS,
                    "RankProgram: there is no rank " << operation.rank
                                                     << ", or no room for its operation");
    m_operations.push_back(operation);
    return static_cast<Index>(m_operations.size() - 1);
}

void
RankProgram::AddDependency(Index waiting, Index needed, bool isStartEnough)
{
    m_dependencies.push_back({waiting, needed, isStartEnough});
}

void
RankProgram::AddCollective(const Collective& collective)
{
    m_collectives.push_back(collective);
}

std::optional<std::string>
RankProgram::CheckCollectives() const
{
    for (const Collective& collective : m_collectives)
    {
        const auto ranks = static_cast<uint32_t>(collective.parts.size());
        if (const auto error = collective.options.Check(ranks))
        {
            return DescribePlace(collective.parts.front()) + ": " + *error;
        }
    }
    return std::nullopt;
}

std::string
RankProgram::DescribePlace(Index index) const
{
    const Operation& operation = m_operations[index];
    return m_place + " " + std::to_string(operation.place) + " of rank " +
           std::to_string(operation.rank);
}

std::string
RankProgram::DescribeLonely(Index index, std::size_t nSends, std::size_t nReceives) const
{
    const Operation& message = m_operations[index];
    const bool isSend = message.kind == Kind::SEND;
    const auto [source, destination, tag] = GetKey(message);
    return DescribePlace(index) + (isSend ? " sends to rank " : " receives from rank ") +
           std::to_string(message.peer) + " with tag " + std::to_string(tag) + ", but rank " +
           std::to_string(isSend ? destination : source) +
           (isSend ? " does not receive it" : " does not send it") + "; " + std::to_string(nSends) +
           " sends and " + std::to_string(nReceives) + " receives are without the other end";
}

std::vector<RankProgram::Index>
RankProgram::SortMessages(Kind kind) const
{
    std::vector<Index> messages;
    for (Index i = 0; i < m_operations.size(); ++i)
    {
        if (m_operations[i].kind == kind)
        {
            messages.push_back(i);
        }
    }
    std::stable_sort(messages.begin(), messages.end(), [this](Index a, Index b) {
        return GetKey(m_operations[a]) < GetKey(m_operations[b]);
    });
    return messages;
}

std::optional<std::string>
RankProgram::Match(std::vector<Index>& matches) const
{
    const std::vector<Index> sends = SortMessages(Kind::SEND);
    const std::vector<Index> receives = SortMessages(Kind::RECEIVE);
    std::vector<Index> lonely;
    std::size_t nSends = 0; // number of sends in `lonely`
    auto receive = receives.begin();
    matches.assign(m_operations.size(), 0);
    for (const Index send : sends)
    {
        const auto key = GetKey(m_operations[send]);
        for (; receive != receives.end() && GetKey(m_operations[*receive]) < key; ++receive)
        {
            lonely.push_back(*receive);
        }
        if (receive == receives.end() || GetKey(m_operations[*receive]) != key)
        {
            lonely.push_back(send);
            ++nSends;
            continue;
        }
        if (m_operations[*receive].bytes < m_operations[send].bytes)
        {
            return DescribePlace(*receive) + " receives " +
                   std::to_string(m_operations[*receive].bytes) + " bytes, but " +
                   DescribePlace(send) + " sends it " + std::to_string(m_operations[send].bytes);
        }
        matches[send] = *receive;
        matches[*receive] = send;
        ++receive;
    }
    lonely.insert(lonely.end(), receive, receives.end());
    if (lonely.empty())
    {
        return std::nullopt;
    }
    return DescribeLonely(*std::min_element(lonely.begin(), lonely.end()),
                          nSends,
                          lonely.size() - nSends);
}

/// The steps of one program in one graph.
class RankProgramSteps
{
  public:
    RankProgramSteps(const RankProgram& program,
                     const std::vector<RankProgram::Index>& matches,
                     FlowGraph& graph)
        : m_program(program),
          m_matches(matches),
          m_graph(graph)
    {
    }

    /// Determines the steps.
    /// @return the number of steps
    std::size_t Count();
    /// Adds the steps.
    /// @param [out] runs the collectives; see RankProgram::AddTo()
    void Add(const RankPlacement& placement, std::vector<CollectiveRun>& runs);
    /// @param step a step of an operation, not within a collective, in a graph that was initially
    /// empty
    /// @return the number of the operation
    RankProgram::Index FindOperation(FlowGraph::Step step) const;

  private:
    using Index = RankProgram::Index;

    /// The reasons why an operation needs steps.
    struct Use
    {
        bool waits : 1;         ///< it waits for another operation
        bool isNeeded : 1;      ///< another operation waits for its end
        bool isStartNeeded : 1; ///< another operation waits for its start
    };

    /// @return true if a separate step represents the start of the operation
    bool HasBegin(Index index) const;
    /// @return true if a step represents the end of the operation
    bool HasEnd(Index index) const;
    /// Adds the steps of the collectives.
    /// @param [out] runs the collectives; see Add()
    void AddCollectives(const RankPlacement& placement, std::vector<CollectiveRun>& runs);
    /// Makes a receive wait for its flow.
    void AddArrival(Index index);
    /// Adds the steps of an operation.
    void AddSteps(Index index, const RankPlacement& placement);
    /// Makes the steps of an operation wait for those of another operation.
    void AddPredecessor(const RankProgram::Dependency& dependency);

    const RankProgram& m_program;
    const std::vector<Index>& m_matches; ///< other ends of messages, by operation
    FlowGraph& m_graph;
    std::vector<Use> m_uses;               ///< reasons for the steps, by operation
    std::vector<FlowGraph::Step> m_begins; ///< step that waits for others, by operation
    std::vector<FlowGraph::Step> m_ends;   ///< step that others wait for, by operation
};

bool
RankProgramSteps::HasBegin(Index index) const
{
    return m_program.m_operations[index].kind == Kind::RECEIVE && m_uses[index].waits &&
           m_uses[index].isStartNeeded;
}

bool
RankProgramSteps::HasEnd(Index index) const
{
    return m_program.m_operations[index].kind != Kind::RECEIVE ||
           (m_uses[index].waits && m_uses[index].isNeeded);
}

std::size_t
RankProgramSteps::Count()
{
    m_uses.assign(m_program.m_operations.size(), Use{});
    for (const auto& dependency : m_program.m_dependencies)
    {
        m_uses[dependency.waiting].waits = true;
        Use& needed = m_uses[dependency.needed];
        needed.isNeeded |= !dependency.isStartEnough;
        needed.isStartNeeded |= dependency.isStartEnough;
    }
    std::size_t count = 0;
    for (Index i = 0; i < m_uses.size(); ++i)
    {
        count += (HasBegin(i) ? 1 : 0) + (HasEnd(i) ? 1 : 0);
    }
    return count;
}

void
RankProgramSteps::AddSteps(Index index, const RankPlacement& placement)
{
    const Operation& operation = m_program.m_operations[index];
    const uint32_t host = placement.hosts[operation.rank];
    const auto addComputation = [&] {
        const Time duration = NanoSeconds(operation.nanoSeconds);
        const uint64_t id = m_graph.GetNSteps();
        return m_graph.Add(StepSpec::MakeComputation(id, host, duration, placement.job));
    };
    m_begins[index] = static_cast<FlowGraph::Step>(m_graph.GetNSteps());
    if (operation.kind != Kind::SEND)
    {
        if (HasBegin(index))
        {
            addComputation();
        }
        m_ends[index] = HasEnd(index) ? addComputation() : m_begins[index];
        return;
    }
    StepSpec step;
    step.flow.id = m_graph.GetNSteps();
    step.flow.source = host;
    step.flow.destination = placement.hosts[operation.peer];
    step.flow.priority = placement.priority;
    step.flow.bytes = std::max(operation.bytes, EMPTY_FLOW_BYTES);
    step.flow.group = placement.group;
    step.job = placement.job;
    m_ends[index] = m_graph.Add(step);
}

void
RankProgramSteps::AddCollectives(const RankPlacement& placement, std::vector<CollectiveRun>& runs)
{
    uint32_t place = 0;
    for (const RankProgram::Collective& collective : m_program.m_collectives)
    {
        CollectiveRun run;
        run.options = collective.options;
        run.options.priority = placement.priority;
        run.job = placement.job;
        run.group = collective.group;
        run.place = place++;
        for (const Index part : collective.parts)
        {
            run.hosts.push_back(placement.hosts[m_program.m_operations[part].rank]);
            run.entries.push_back(m_begins[part]);
        }
        AddCollective(m_graph, run);
        for (std::size_t i = 0; i < run.exits.size(); ++i)
        {
            m_ends[collective.parts[i]] = run.exits[i];
        }
        runs.push_back(std::move(run));
    }
}

void
RankProgramSteps::AddPredecessor(const RankProgram::Dependency& dependency)
{
    const Index needed = dependency.needed;
    const Index waiting = dependency.waiting;
    const bool isReceive = m_program.m_operations[needed].kind == Kind::RECEIVE;
    FlowGraph::Step predecessor = m_ends[needed];
    Until until = Until::SENT;
    if (dependency.isStartEnough)
    {
        if (isReceive && !m_uses[needed].waits)
        {
            return; // the receive starts at time 0
        }
        // A separate computation represents the start of a receive.
        predecessor = m_begins[needed];
        until = isReceive ? Until::SENT : Until::STARTED;
    }
    else if (isReceive && !m_uses[needed].waits)
    {
        predecessor = m_ends[m_matches[needed]];
        until = Until::RECEIVED;
    }
    if (HasBegin(waiting) || HasEnd(waiting))
    {
        m_graph.AddPredecessor(m_begins[waiting], predecessor, until);
    }
}

void
RankProgramSteps::AddArrival(Index index)
{
    if (HasEnd(index))
    {
        m_graph.AddPredecessor(m_ends[index], m_ends[m_matches[index]], Until::RECEIVED);
        if (HasBegin(index))
        {
            m_graph.AddPredecessor(m_ends[index], m_begins[index], Until::SENT);
        }
    }
}

void
RankProgramSteps::Add(const RankPlacement& placement, std::vector<CollectiveRun>& runs)
{
    m_begins.resize(m_uses.size());
    m_ends.resize(m_uses.size());
    for (Index i = 0; i < m_uses.size(); ++i)
    {
        AddSteps(i, placement);
    }
    AddCollectives(placement, runs);
    for (Index i = 0; i < m_uses.size(); ++i)
    {
        if (m_program.m_operations[i].kind == Kind::RECEIVE)
        {
            AddArrival(i);
        }
    }
    for (const auto& dependency : m_program.m_dependencies)
    {
        AddPredecessor(dependency);
    }
}

RankProgram::Index
RankProgramSteps::FindOperation(FlowGraph::Step step) const
{
    // An operation without steps has the same entry in m_begins as the next operation.
    const auto next = std::upper_bound(m_begins.begin(), m_begins.end(), step);
    return static_cast<Index>(next - m_begins.begin()) - 1;
}

std::string
RankProgram::DescribeStep(FlowGraph::Step step, const RankPlacement& placement) const
{
    std::vector<Index> matches;
    Match(matches);
    FlowGraph graph;
    std::vector<CollectiveRun> runs;
    RankProgramSteps steps(*this, matches, graph);
    steps.Count();
    steps.Add(placement, runs);
    const auto next = std::find_if(runs.begin(), runs.end(), [step](const CollectiveRun& run) {
        return run.stages.front() > step;
    });
    if (next == runs.begin())
    {
        return DescribePlace(steps.FindOperation(step));
    }
    const auto collective = static_cast<std::size_t>(next - runs.begin()) - 1;
    return "the collective of " + DescribePlace(m_collectives[collective].parts.front());
}

void
RankProgram::AddTo(FlowGraph& graph,
                   const RankPlacement& placement,
                   std::vector<CollectiveRun>& runs) const
{
    NS_ABORT_MSG_IF(placement.hosts.size() < m_ranks,
                    "RankProgram: " << placement.hosts.size() << " ranks are placed of "
                                    << m_ranks);
    std::vector<Index> matches;
    auto error = Match(matches);
    error = error ? error : CheckCollectives();
    RankProgramSteps steps(*this, matches, graph);
    if (!error && graph.GetNSteps() + steps.Count() > FlowGraph::MAX_STEPS)
    {
        error = "there are more than " + std::to_string(FlowGraph::MAX_STEPS) +
                " flows and computations";
    }
    if (error)
    {
        throw FileComplaint(m_fileName + ": " + *error);
    }
    steps.Add(placement, runs);
}

} // namespace ns3::lossless
