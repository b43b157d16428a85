// SPDX-License-Identifier: GPL-2.0-only
#include "matrix-graph.h"

#include "ns3/abort.h"
#include "ns3/text-lines.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::lossless
{

namespace
{

/// A connection matrix as a FlowTrace.
class MatrixTrace : public FlowTrace
{
  public:
    /// @param fileName the name of the file, for error messages
    MatrixTrace(ConnectionMatrix matrix, const std::string& fileName)
        : m_matrix(std::move(matrix)),
          m_fileName(fileName)
    {
    }

    uint32_t GetNRanks() const override
    {
        return m_matrix.hosts;
    }

    void FailLinks(Topology& topology) const override
    {
        lossless::FailLinks(m_matrix, m_fileName, topology);
    }

    void AddTo(FlowGraph& graph,
               const RankPlacement& placement,
               std::vector<CollectiveRun>& /* runs */) const override
    {
        AddConnections(m_matrix, m_fileName, placement, graph);
    }

    std::string DescribeStep(FlowGraph::Step step,
                             const RankPlacement& /* placement */) const override
    {
        return DescribeConnection(m_matrix, step);
    }

  private:
    ConnectionMatrix m_matrix;
    std::string m_fileName; ///< name of the file, for error messages
};

const RegisterFormat<FlowFormat> g_matrix("cm", 30, [](FlowFormat& format) {
    format.what = "htsim's connection matrix";
    format.endings = ".cm .tm";
    format.read = [](const std::string& path,
                     std::vector<std::string>& /* files */) -> std::unique_ptr<FlowTrace> {
        std::ifstream input = OpenText(path);
        return std::make_unique<MatrixTrace>(ParseConnectionMatrix(input, path), path);
    };
});

using Connection = ConnectionMatrix::Connection;
using TriggerKind = ConnectionMatrix::TriggerKind;
using Until = FlowGraph::Until;

/// The maximum total number of predecessors of all flows. A barrier that joins n ends to m flows
/// requires n * m predecessors.
constexpr std::size_t MAX_PREDECESSORS = std::size_t{1} << 27;

/// An end of a connection: its completion at the sender (SENT) or at the receiver (RECEIVED).
struct End
{
    uint32_t connection; ///< index of the connection in the file, from 0
    Until until;

    bool operator<(const End& other) const
    {
        return std::make_pair(connection, until) < std::make_pair(other.connection, other.until);
    }
};

/// The ends that activate a trigger and the connections that the trigger starts.
struct Junction
{
    std::vector<End> ends;         ///< ends that activate the trigger, in file order
    std::vector<uint32_t> targets; ///< connections that the trigger starts, in file order
};

/// The predecessors of connections.
struct Waits
{
    std::vector<std::pair<uint32_t, End>> ends; ///< connections and the ends for which they wait
    std::map<uint32_t, uint32_t> needed; ///< number of ends needed by a connection, if not all
};

/// Finds the predecessors of the connections in one file.
class TriggerResolver
{
  public:
    TriggerResolver(const ConnectionMatrix& matrix, const std::string& fileName)
        : m_matrix(matrix),
          m_fileName(fileName)
    {
    }

    /// @return all predecessors; throws a FileComplaint if a trigger is invalid
    Waits Resolve();

  private:
    /// Collects the ends and connections of each trigger.
    void Collect();
    /// Throws a FileComplaint if a trigger never fires, or if htsim would stop because of it.
    void CheckJunction(const ConnectionMatrix::Trigger& trigger, const Junction& junction) const;
    /// Finds the predecessors of a trigger's connections.
    void ResolveTrigger(const ConnectionMatrix::Trigger& trigger);
    /// The part of ResolveTrigger() for multishots.
    void ResolveMultishot(const ConnectionMatrix::Trigger& trigger, const Junction& junction);
    /// Throws a FileComplaint if there would be too many predecessors.
    /// @param ends the number of ends of connections
    /// @param targets the number of connections that each wait for all of these ends
    void RequireFew(const ConnectionMatrix::Trigger& trigger,
                    std::size_t ends,
                    std::size_t targets) const;
    [[noreturn]] void Complain(const ConnectionMatrix::Trigger& trigger,
                               const std::string& sentence) const;

    const ConnectionMatrix& m_matrix;
    std::string m_fileName;
    std::unordered_map<uint32_t, Junction> m_junctions; ///< junctions by trigger ID
    Waits m_waits;
};

void
TriggerResolver::Complain(const ConnectionMatrix::Trigger& trigger,
                          const std::string& sentence) const
{
    throw FileComplaint(m_fileName + ":" + std::to_string(trigger.line) + ": trigger " +
                        std::to_string(trigger.id) + " " + sentence);
}

void
TriggerResolver::Collect()
{
    for (uint32_t i = 0; i < m_matrix.connections.size(); ++i)
    {
        const Connection& connection = m_matrix.connections[i];
        if (connection.trigger > 0)
        {
            m_junctions[connection.trigger].targets.push_back(i);
        }
        if (connection.onReceived > 0)
        {
            m_junctions[connection.onReceived].ends.push_back({i, Until::RECEIVED});
        }
        if (connection.onSent > 0)
        {
            m_junctions[connection.onSent].ends.push_back({i, Until::SENT});
        }
    }
}

Waits
TriggerResolver::Resolve()
{
    Collect();
    for (const auto& trigger : m_matrix.triggers)
    {
        ResolveTrigger(trigger);
    }
    return std::move(m_waits);
}

void
TriggerResolver::CheckJunction(const ConnectionMatrix::Trigger& trigger,
                               const Junction& junction) const
{
    const std::string ends = std::to_string(junction.ends.size());
    if (junction.targets.empty())
    {
        Complain(trigger, "starts no connection; htsim stops when it is activated");
    }
    if (junction.ends.empty())
    {
        Complain(trigger,
                 "is never activated, so that connection " +
                     std::to_string(m_matrix.connections[junction.targets.front()].id) +
                     " never starts");
    }
    const bool isBarrier = trigger.kind == TriggerKind::BARRIER;
    if (trigger.kind != TriggerKind::MULTISHOT &&
        junction.ends.size() != (isBarrier ? trigger.count : 1))
    {
        Complain(trigger,
                 isBarrier ? "is a barrier of " + std::to_string(trigger.count) +
                                 " activations, but " + ends + " ends of connections activate it"
                           : "is a oneshot, but " + ends +
                                 " ends of connections activate it; htsim stops at the second");
    }
}

void
TriggerResolver::ResolveTrigger(const ConnectionMatrix::Trigger& trigger)
{
    const Junction& junction = m_junctions[trigger.id];
    const bool isInert = junction.ends.empty() || trigger.kind == TriggerKind::MULTISHOT;
    if (junction.targets.empty() && isInert)
    {
        return;
    }
    CheckJunction(trigger, junction);
    if (trigger.kind == TriggerKind::MULTISHOT)
    {
        ResolveMultishot(trigger, junction);
        return;
    }
    RequireFew(trigger, junction.ends.size(), junction.targets.size());
    for (const uint32_t target : junction.targets)
    {
        for (const End& end : junction.ends)
        {
            m_waits.ends.emplace_back(target, end);
        }
    }
}

void
TriggerResolver::RequireFew(const ConnectionMatrix::Trigger& trigger,
                            std::size_t ends,
                            std::size_t targets) const
{
    if (m_waits.ends.size() + ends * targets > MAX_PREDECESSORS)
    {
        Complain(trigger,
                 "joins " + std::to_string(ends) + " ends to " + std::to_string(targets) +
                     " connections; allowed are " + std::to_string(MAX_PREDECESSORS) +
                     " such pairs in all");
    }
}

void
TriggerResolver::ResolveMultishot(const ConnectionMatrix::Trigger& trigger,
                                  const Junction& junction)
{
    std::vector<End> ends;                      // ends that may precede the start of a connection
    std::map<uint32_t, std::vector<End>> later; // ends of connections that the trigger starts
    for (const End& end : junction.ends)
    {
        const bool isOwn = m_matrix.connections[end.connection].trigger == trigger.id;
        (isOwn ? later[end.connection] : ends).push_back(end);
    }
    bool isChain = true; // true while each connection is started by the previous one
    for (std::size_t i = 0; i < junction.targets.size(); ++i)
    {
        const uint32_t target = junction.targets[i];
        if (ends.size() <= i)
        {
            Complain(trigger,
                     "is not activated often enough: connection " +
                         std::to_string(m_matrix.connections[target].id) + " never starts");
        }
        isChain = isChain && ends.size() == i + 1;
        const std::size_t first = isChain ? i : 0;
        RequireFew(trigger, ends.size() - first, 1);
        for (std::size_t end = first; end < ends.size(); ++end)
        {
            m_waits.ends.emplace_back(target, ends[end]);
        }
        if (ends.size() > i + 1)
        {
            m_waits.needed.emplace(target, static_cast<uint32_t>(i + 1));
        }
        const std::vector<End>& own = later[target];
        ends.insert(ends.end(), own.begin(), own.end());
    }
}

std::vector<uint64_t>
GetIds(const ConnectionMatrix& matrix)
{
    uint64_t largest = 0;
    for (const Connection& connection : matrix.connections)
    {
        largest = std::max<uint64_t>(largest, connection.id);
    }
    std::vector<uint64_t> ids;
    for (const Connection& connection : matrix.connections)
    {
        ids.push_back(connection.id > 0 ? connection.id : ++largest);
    }
    return ids;
}

/// The completions (End) for which a flow waits, in sorted order.
using Condition = std::vector<End>;

class MatrixMaker
{
  public:
    MatrixMaker(const FlowGraph& graph, const Topology& topology)
        : m_graph(graph),
          m_topology(topology)
    {
    }

    /// @return the matrix; throws a FileComplaint if no matrix can express the graph
    ConnectionMatrix Make();

  private:
    /// Adds the connections, without triggers.
    void AddConnections();
    void AddConnection(FlowGraph::Step step);
    /// Sets the trigger of a connection that waits for others. Adds the trigger if it is new.
    /// @param connection the index of the connection
    void AddTrigger(uint32_t connection);
    /// Makes an end of a connection activate a trigger.
    /// @param end an end that has no trigger yet
    /// @param waiting the step that waits for the end
    void Activate(const End& end, uint32_t trigger, FlowGraph::Step waiting);
    /// @return the ends of flows for which a step waits
    Condition GetCondition(FlowGraph::Step step);
    void AddFailures();
    /// Throws a FileComplaint about a step unless a condition is true.
    void Require(bool holds, FlowGraph::Step step, const std::string& sentence) const;

    const FlowGraph& m_graph;
    const Topology& m_topology;
    ConnectionMatrix m_matrix;
    std::vector<FlowGraph::Step> m_steps;     ///< steps by connection
    std::vector<uint32_t> m_places;           ///< indices of connections, by step
    std::map<Condition, uint32_t> m_triggers; ///< trigger IDs
};

void
MatrixMaker::Require(bool holds, FlowGraph::Step step, const std::string& sentence) const
{
    if (!holds)
    {
        throw FileComplaint("a connection matrix cannot hold " + m_graph.Describe(step) + ": " +
                            sentence);
    }
}

ConnectionMatrix
MatrixMaker::Make()
{
    m_matrix.hosts = static_cast<uint32_t>(m_topology.GetHosts().size());
    AddConnections();
    for (uint32_t i = 0; i < m_steps.size(); ++i)
    {
        AddTrigger(i);
    }
    AddFailures();
    return std::move(m_matrix);
}

void
MatrixMaker::AddConnections()
{
    m_places.resize(m_graph.GetNSteps());
    for (FlowGraph::Step step = 0; step < m_graph.GetNSteps(); ++step)
    {
        const bool isFlow = m_graph.GetBytes(step) > 0;
        Require(m_graph.GetCompute(step).IsZero(),
                step,
                isFlow ? "its host computes before it sends" : "htsim's hosts do not compute");
        Require(isFlow || m_graph.GetStart(step).IsZero(), step, "htsim's hosts do not compute");
        if (isFlow)
        {
            AddConnection(step);
        }
    }
    const auto fits = [](const Connection& connection) { return connection.id > 0; };
    if (!std::all_of(m_matrix.connections.begin(), m_matrix.connections.end(), fits))
    {
        uint32_t id = 0;
        for (Connection& connection : m_matrix.connections)
        {
            connection.id = ++id;
        }
    }
}

void
MatrixMaker::AddConnection(FlowGraph::Step step)
{
    const uint64_t id = m_graph.GetId(step);
    Connection connection;
    connection.source = m_graph.GetSource(step);
    connection.destination = m_graph.GetDestination(step);
    connection.id = static_cast<uint32_t>(id > MAX_HTSIM_NUMBER ? 0 : id);
    connection.bytes = m_graph.GetBytes(step);
    Require(connection.bytes <= MAX_HTSIM_NUMBER,
            step,
            "it has " + std::to_string(connection.bytes) + " bytes; htsim counts up to " +
                std::to_string(MAX_HTSIM_NUMBER));
    const Time start = m_graph.GetStart(step);
    Require(start <= Seconds(MAX_START_SECONDS),
            step,
            "it starts after more than " + std::to_string(MAX_START_SECONDS) +
                " s, which are too many picoseconds");
    connection.startPs = static_cast<uint64_t>(start.GetPicoSeconds());
    Require(m_graph.GetPredecessors(step).size() == 0 || start.IsZero(),
            step,
            "it waits for an instant and for other flows; a connection has one of both");
    m_places[step] = static_cast<uint32_t>(m_steps.size());
    m_steps.push_back(step);
    m_matrix.connections.push_back(connection);
}

Condition
MatrixMaker::GetCondition(FlowGraph::Step step)
{
    Condition condition;
    std::vector<FlowGraph::Step> steps{step};
    std::set<FlowGraph::Step> seen; // visited computations
    while (!steps.empty())
    {
        const FlowGraph::Step current = steps.back();
        steps.pop_back();
        Require(m_graph.NeedsAll(current),
                step,
                "it waits for some of several ends, whichever are first; a trigger that does so "
                "is not written");
        for (const FlowGraph::Link& link : m_graph.GetPredecessors(current))
        {
            const bool isFlow = m_graph.GetBytes(link.step) > 0;
            Require(link.GetUntil() != Until::STARTED || !isFlow,
                    step,
                    "it waits for the start of " + m_graph.Describe(link.step) +
                        "; triggers tell of ends only");
            if (isFlow)
            {
                condition.push_back({m_places[link.step], link.GetUntil()});
            }
            else if (seen.insert(link.step).second)
            {
                steps.push_back(link.step);
            }
            Require(condition.size() + steps.size() <= MAX_PREDECESSORS,
                    step,
                    "it waits for too many flows");
        }
    }
    std::sort(condition.begin(), condition.end());
    const auto isSame = [](const End& a, const End& b) { return !(a < b) && !(b < a); };
    condition.erase(std::unique(condition.begin(), condition.end(), isSame), condition.end());
    return condition;
}

void
MatrixMaker::AddTrigger(uint32_t connection)
{
    const Condition condition = GetCondition(m_steps[connection]);
    if (condition.empty())
    {
        return;
    }
    const auto known = m_triggers.find(condition);
    if (known != m_triggers.end())
    {
        m_matrix.connections[connection].trigger = known->second;
        return;
    }
    ConnectionMatrix::Trigger trigger;
    trigger.id = static_cast<uint32_t>(m_triggers.size() + 1);
    if (condition.size() > 1)
    {
        trigger.kind = TriggerKind::BARRIER;
        trigger.count = static_cast<uint32_t>(condition.size());
    }
    for (const End& end : condition)
    {
        Activate(end, trigger.id, m_steps[connection]);
    }
    m_triggers.emplace(condition, trigger.id);
    m_matrix.triggers.push_back(trigger);
    m_matrix.connections[connection].trigger = trigger.id;
}

void
MatrixMaker::Activate(const End& end, uint32_t trigger, FlowGraph::Step waiting)
{
    Connection& connection = m_matrix.connections[end.connection];
    uint32_t& place = end.until == Until::SENT ? connection.onSent : connection.onReceived;
    Require(place == 0,
            waiting,
            "it waits for an end of " + m_graph.Describe(m_steps[end.connection]) +
                ", as do flows that wait for others than it does; one end of a connection "
                "activates one trigger");
    place = trigger;
}

void
MatrixMaker::AddFailures()
{
    std::map<std::string, uint32_t> counts; // number of switches, by layer
    for (const uint32_t node : m_topology.GetSwitches())
    {
        const Topology::NodeInfo& info = m_topology.GetNodes()[node];
        const uint32_t number = counts[info.layer]++;
        uint32_t uplink = 0;
        for (const Topology::PortInfo& port : m_topology.GetPorts(node))
        {
            const Topology::NodeInfo& peer = m_topology.GetNodes()[port.peer];
            const bool isUp = info.layer == "aggregation" && peer.layer == "core";
            const bool isFailed = m_topology.GetLinks()[port.link].failed;
            const bool isDown = info.layer == "core" && peer.layer == "aggregation";
            if (isFailed && !isUp && !isDown)
            {
                throw FileComplaint(
                    "a connection matrix cannot hold the failed link " + info.name + "-" +
                    peer.name +
                    ": it knows failures of links from aggregation switches to core "
                    "switches only");
            }
            if (isFailed && isUp)
            {
                m_matrix.failures.push_back({number, uplink, 0});
            }
            uplink += isUp ? 1 : 0;
        }
    }
}

} // namespace

void
AddConnections(const ConnectionMatrix& matrix,
               const std::string& fileName,
               const RankPlacement& placement,
               FlowGraph& graph)
{
    NS_ABORT_MSG_IF(placement.hosts.size() < matrix.hosts,
                    "AddConnections: " << placement.hosts.size() << " hosts are placed of "
                                       << matrix.hosts);
    const Waits waits = TriggerResolver(matrix, fileName).Resolve();
    const std::vector<uint64_t> ids = GetIds(matrix);
    const auto first = static_cast<FlowGraph::Step>(graph.GetNSteps());
    for (std::size_t i = 0; i < ids.size(); ++i)
    {
        const Connection& connection = matrix.connections[i];
        StepSpec step;
        step.flow.id = ids[i];
        step.flow.source = placement.hosts[connection.source];
        step.flow.destination = placement.hosts[connection.destination];
        step.flow.priority = placement.priority;
        step.flow.bytes = connection.bytes;
        step.flow.start = NanoSeconds((connection.startPs + 500) / 1000);
        step.flow.group = placement.group;
        step.job = placement.job;
        graph.Add(step);
    }
    for (const auto& [connection, end] : waits.ends)
    {
        graph.AddPredecessor(first + connection, first + end.connection, end.until);
    }
    for (const auto& [connection, count] : waits.needed)
    {
        graph.SetNeeded(first + connection, count);
    }
}

std::string
DescribeConnection(const ConnectionMatrix& matrix, uint32_t place)
{
    return "the connection in line " + std::to_string(matrix.connections[place].line);
}

void
FailLinks(const ConnectionMatrix& matrix, const std::string& fileName, Topology& topology)
{
    std::vector<std::vector<uint32_t>> uplinks; // uplinks by aggregation switch
    for (const uint32_t node : topology.GetSwitches())
    {
        if (topology.GetNodes()[node].layer == "aggregation")
        {
            uplinks.emplace_back();
            for (const Topology::PortInfo& port : topology.GetPorts(node))
            {
                if (topology.GetNodes()[port.peer].layer == "core")
                {
                    uplinks.back().push_back(port.link);
                }
            }
        }
    }
    const auto exists = [&](const ConnectionMatrix::Failure& failure) {
        return failure.aggregationSwitch < uplinks.size() &&
               failure.uplink < uplinks[failure.aggregationSwitch].size();
    };
    const auto wrong = std::find_if_not(matrix.failures.begin(), matrix.failures.end(), exists);
    if (wrong != matrix.failures.end())
    {
        throw FileComplaint(fileName + ":" + std::to_string(wrong->line) +
                            ": the network has no link " + std::to_string(wrong->uplink) +
                            " from aggregation switch " + std::to_string(wrong->aggregationSwitch) +
                            " to a core switch; it has " + std::to_string(uplinks.size()) +
                            " aggregation switches");
    }
    for (const auto& failure : matrix.failures)
    {
        topology.FailLink(uplinks[failure.aggregationSwitch][failure.uplink]);
    }
}

ConnectionMatrix
MakeConnectionMatrix(const FlowGraph& graph, const Topology& topology)
{
    return MatrixMaker(graph, topology).Make();
}

} // namespace ns3::lossless
