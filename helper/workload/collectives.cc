// SPDX-License-Identifier: GPL-2.0-only
#include "collectives.h"

#include "collective-rule.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace ns3::lossless
{

namespace
{

using Until = FlowGraph::Until;
using Algorithm = CollectiveAlgorithm;

/// A message that an algorithm sends from one rank to another.
struct Message
{
    uint32_t from{0};
    uint32_t to{0};
    uint32_t stage{0}; ///< step of the algorithm
    uint64_t bytes{0};
    /// The indices of the messages for which this message waits, and the states that they must
    /// reach.
    std::vector<std::pair<std::size_t, Until>> after;
};

using Messages = std::vector<Message>;

/// @return the number of bytes of `count` blocks, starting with block `first`
uint64_t
SumShares(uint64_t bytes, uint64_t blocks, uint64_t first, uint64_t count)
{
    const uint64_t larger = bytes % blocks; // number of blocks with one more byte, which come first
    return bytes / blocks * count + std::min(first + count, larger) - std::min(first, larger);
}

/// Creates exchanges with partners at distances that are first halved and then doubled (R. Thakur,
/// R. Rabenseifner and W. Gropp, "Optimization of collective communication operations in MPICH",
/// 2005).
/// @param ranks the number of ranks, a power of two
Messages
MakeHalvingDoubling(CollectiveKind kind, uint32_t ranks, uint64_t bytes)
{
    Messages messages;
    uint32_t stage = 0;
    uint32_t before = 0; // distance of the previous stage
    const auto exchange = [&](uint32_t distance, bool isHalving) {
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            const uint32_t partner = rank ^ distance;
            // When halving, a rank sends the blocks on its partner's side; when doubling, those on
            // its own side.
            const uint32_t first = (isHalving ? partner : rank) & ~(distance - 1);
            Message message{rank, partner, stage, SumShares(bytes, ranks, first, distance), {}};
            if (stage > 0)
            {
                // The message waits for the latest arrival and, through the rank's own previous
                // message, for all earlier arrivals.
                message.after = {{(stage - 1) * ranks + (rank ^ before), Until::RECEIVED},
                                 {(stage - 1) * ranks + rank, Until::STARTED}};
            }
            messages.push_back(std::move(message));
        }
        ++stage;
        before = distance;
    };
    for (uint32_t distance = ranks / 2; distance > 0 && kind != CollectiveKind::ALL_GATHER;
         distance /= 2)
    {
        exchange(distance, true);
    }
    for (uint32_t distance = 1; distance < ranks && kind != CollectiveKind::REDUCE_SCATTER;
         distance *= 2)
    {
        exchange(distance, false);
    }
    return messages;
}

/// A tree over ranks.
struct Tree
{
    std::vector<uint32_t> parents;               ///< parents by rank; the root is its own parent
    std::vector<std::vector<uint32_t>> children; ///< children by rank
    std::vector<uint32_t> heights;               ///< heights by rank; 0 for a leaf
    std::vector<uint32_t> depths;                ///< depths by rank; 0 for the root
    uint32_t root{0};

    explicit Tree(std::vector<uint32_t> all)
        : parents(std::move(all)),
          children(parents.size()),
          heights(parents.size()),
          depths(parents.size())
    {
        for (uint32_t rank = 0; rank < parents.size(); ++rank)
        {
            uint32_t& depth = depths[rank];
            uint32_t node = rank;
            for (; parents[node] != node; node = parents[node])
            {
                ++depth;
                uint32_t& height = heights[parents[node]];
                height = std::max(height, depth);
            }
            root = node;
            if (root != rank)
            {
                children[parents[rank]].push_back(rank);
            }
        }
    }
};

/// Adds messages that move up a tree, down a tree, or first up and then down.
/// @param bytes the size of each message
void
AddTree(const Tree& tree, uint64_t bytes, bool isUp, bool isDown, Messages& messages)
{
    const auto ranks = static_cast<uint32_t>(tree.parents.size());
    // The index of the message that a rank sends up. All ranks but the root send one.
    const auto up = [&tree, first = messages.size()](uint32_t rank) {
        return first + rank - (rank > tree.root ? 1 : 0);
    };
    // The index of the message that a rank receives from above.
    const auto down = [&](uint32_t rank) { return up(rank) + (isUp ? ranks - 1 : 0); };
    const auto waitForChildren = [&](Message& message, uint32_t rank) {
        for (const uint32_t child : tree.children[rank])
        {
            message.after.emplace_back(up(child), Until::RECEIVED);
        }
    };
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        if (isUp && rank != tree.root)
        {
            messages.push_back({rank, tree.parents[rank], tree.heights[rank], bytes, {}});
            waitForChildren(messages.back(), rank);
        }
    }
    const uint32_t top = isUp ? tree.heights[tree.root] : 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const uint32_t parent = tree.parents[rank];
        if (!isDown || rank == tree.root)
        {
            continue;
        }
        messages.push_back({parent, rank, top + tree.depths[parent], bytes, {}});
        if (parent != tree.root)
        {
            messages.back().after.emplace_back(down(parent), Until::RECEIVED);
        }
        else if (isUp)
        {
            waitForChildren(messages.back(), parent);
        }
    }
}

Messages
MakeTrees(const CollectiveOptions& options, uint32_t ranks, uint64_t bytes)
{
    Messages messages;
    const std::vector<uint32_t> parents = MakeBinaryTree(ranks);
    if (options.kind != CollectiveKind::ALL_REDUCE)
    {
        AddTree(Tree(parents),
                bytes,
                options.kind != CollectiveKind::BROADCAST,
                options.kind != CollectiveKind::REDUCE,
                messages);
        return messages;
    }
    AddTree(Tree(parents), bytes - bytes / 2, true, true, messages);
    std::vector<uint32_t> other(ranks); // parents in the mirrored or shifted tree
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const auto move = [ranks](uint32_t r) {
            return ranks % 2 == 0 ? ranks - 1 - r : (r + 1) % ranks;
        };
        other[move(rank)] = move(parents[rank]);
    }
    AddTree(Tree(other), bytes / 2, true, true, messages);
    return messages;
}

/// @param bytes the size of the buffer
Messages
MakeByRule(CollectiveOptions options, uint32_t ranks, uint64_t bytes)
{
    options.bytes = bytes;
    options.chunks = 1;
    const CollectiveRule rule(options, ranks);
    Messages messages;
    for (uint32_t number = 0; number < rule.CountFlows(); ++number)
    {
        const CollectiveRule::Flow flow = rule.GetFlow(number);
        Message message{flow.from, flow.to, flow.stage, flow.bytes, {}};
        for (const CollectiveRule::Link& link : rule.GetPredecessors(number))
        {
            message.after.emplace_back(link.flow, link.until);
        }
        messages.push_back(std::move(message));
    }
    return messages;
}

/// Creates the messages of an all-to-all. A message to another server and another rail is first
/// sent to a rank in the sender's server on the receiver's rail. If there is no such rank, the
/// message is sent directly.
/// @param seats the seats of the ranks
/// @param bytes the size of the buffer
Messages
MakePxn(CollectiveOptions options, const std::vector<GpuSeat>& seats, uint64_t bytes)
{
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> ranks; // by server and rail
    std::vector<std::size_t> places; // index of each rank among the ranks of its server and rail
    for (uint32_t rank = 0; rank < seats.size(); ++rank)
    {
        std::vector<uint32_t>& onRail = ranks[{seats[rank].server, seats[rank].rail}];
        places.push_back(onRail.size());
        onRail.push_back(rank);
    }
    options.algorithm = Algorithm::DIRECT;
    Messages messages = MakeByRule(options, static_cast<uint32_t>(seats.size()), bytes);
    const std::size_t pairs = messages.size();
    for (std::size_t pair = 0; pair < pairs; ++pair)
    {
        const uint32_t to = messages[pair].to;
        const GpuSeat& source = seats[messages[pair].from];
        const auto relays = ranks.find({source.server, seats[to].rail});
        if (source.server != seats[to].server && source.rail != seats[to].rail &&
            relays != ranks.end())
        {
            const uint32_t relay = relays->second[places[to] % relays->second.size()];
            messages[pair].to = relay;
            messages.push_back({relay, to, 1, messages[pair].bytes, {{pair, Until::RECEIVED}}});
        }
    }
    return messages;
}

/// For each rank other than 0, creates one message, which carries the block of that rank to or from
/// rank 0.
/// @param bytes the size of the buffer
Messages
MakeRooted(bool isGather, uint32_t ranks, uint64_t bytes)
{
    Messages messages;
    for (uint32_t rank = 1; rank < ranks; ++rank)
    {
        messages.push_back(
            {isGather ? rank : 0, isGather ? 0 : rank, 0, GetShare(bytes, ranks, rank), {}});
    }
    return messages;
}

/// @return true if each message of the collective carries the whole buffer
bool
SendsWhole(CollectiveKind kind)
{
    return kind == CollectiveKind::BROADCAST || kind == CollectiveKind::PIPELINE ||
           kind == CollectiveKind::REDUCE || kind == CollectiveKind::BARRIER;
}

Messages
MakeChain(uint32_t ranks, uint64_t bytes)
{
    Messages messages;
    for (uint32_t rank = 0; rank + 1 < ranks; ++rank)
    {
        messages.push_back({rank, rank + 1, rank, bytes, {}});
        if (rank > 0)
        {
            messages.back().after.emplace_back(rank - 1, Until::RECEIVED);
        }
    }
    return messages;
}

Messages
MakeMessages(const CollectiveRun& run, uint64_t bytes)
{
    const CollectiveOptions& options = run.options;
    const auto ranks = static_cast<uint32_t>(run.hosts.size());
    if (CollectiveRule::Covers(options))
    {
        return MakeByRule(options, ranks, bytes);
    }
    switch (options.algorithm)
    {
    case Algorithm::TREE:
        return MakeTrees(options, ranks, bytes);
    case Algorithm::HALVING_DOUBLING:
        return MakeHalvingDoubling(options.kind, ranks, bytes);
    case Algorithm::DIRECT:
        return MakeRooted(options.kind == CollectiveKind::GATHER, ranks, bytes);
    case Algorithm::PXN:
        return MakePxn(options, run.seats, bytes);
    default:
        return MakeChain(ranks, bytes);
    }
}

/// Adds the computation that ends a rank's participation and makes it wait for the rank's entry.
FlowGraph::Step
AddExit(FlowGraph& graph, const CollectiveRun& run, std::size_t rank)
{
    StepSpec exit = StepSpec::MakeComputation(graph.GetNSteps(), run.hosts[rank], Time(0), run.job);
    exit.flow.group = run.group;
    const FlowGraph::Step step = graph.Add(exit);
    graph.AddPredecessor(step, run.entries[rank], Until::SENT);
    return step;
}

/// Adds the messages of all parts to a graph.
class CollectiveMaker
{
  public:
    CollectiveMaker(FlowGraph& graph, CollectiveRun& run)
        : m_graph(graph),
          m_run(run)
    {
        const CollectiveOptions& options = run.options;
        for (uint32_t part = 0; part < options.chunks; ++part)
        {
            m_parts.push_back(MakeMessages(run, GetShare(options.bytes, options.chunks, part)));
        }
        const Messages& messages = m_parts.front(); // the parts differ only in their sizes
        m_order.resize(messages.size());
        std::iota(m_order.begin(), m_order.end(), 0);
        std::stable_sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) {
            return messages[a].stage < messages[b].stage;
        });
        m_steps.assign(options.chunks, std::vector<FlowGraph::Step>(messages.size()));
        m_spec.flow.priority = options.priority;
        m_spec.flow.group = run.group;
        m_spec.compute = options.stepCompute;
        m_spec.job = run.job;
    }

    /// Adds all flows and then the exits.
    void Add()
    {
        for (const std::size_t place : m_order)
        {
            if (m_parts.front()[place].stage == m_run.stages.size())
            {
                m_run.stages.push_back(static_cast<FlowGraph::Step>(m_graph.GetNSteps()));
            }
            for (uint32_t part = 0; part < m_run.options.chunks; ++part)
            {
                AddFlow(part, place);
            }
        }
        m_run.endOfFlows = static_cast<FlowGraph::Step>(m_graph.GetNSteps());
        AddExits();
    }

  private:
    /// @param place the index of a message; the messages for which it waits must already have been
    /// added
    void AddFlow(uint32_t part, std::size_t place)
    {
        const Message& message = m_parts[part][place];
        m_spec.flow.id = m_graph.GetNSteps();
        m_spec.flow.source = m_run.hosts[message.from];
        m_spec.flow.destination = m_run.hosts[message.to];
        m_spec.flow.bytes = message.bytes;
        const FlowGraph::Step step = m_graph.Add(m_spec);
        m_steps[part][place] = step;
        m_graph.AddPredecessor(step, m_run.entries[message.from], Until::SENT);
        for (const auto& [other, until] : message.after)
        {
            m_graph.AddPredecessor(step, m_steps[part][other], until);
        }
        if (part >= PARTS_UNDER_WAY)
        {
            m_graph.AddPredecessor(step, m_steps[part - PARTS_UNDER_WAY][place], Until::SENT);
        }
        if (part > 0) // the host computes for one part at a time
        {
            m_graph.AddPredecessor(step, m_steps[part - 1][place], Until::STARTED);
        }
    }

    /// Adds the computation that ends the participation of each rank.
    void AddExits()
    {
        std::vector<std::size_t> arriving(m_run.hosts.size());
        for (const Message& message : m_parts.front())
        {
            ++arriving[message.to];
        }
        for (std::size_t rank = 0; rank < m_run.hosts.size(); ++rank)
        {
            m_run.exits.push_back(AddExit(m_graph, m_run, rank));
        }
        for (std::size_t place = 0; place < m_order.size(); ++place)
        {
            const Message& message = m_parts.front()[place];
            for (const auto& steps : m_steps)
            {
                m_graph.AddPredecessor(m_run.exits[message.to], steps[place], Until::RECEIVED);
                if (arriving[message.from] == 0)
                {
                    m_graph.AddPredecessor(m_run.exits[message.from], steps[place], Until::SENT);
                }
            }
        }
    }

    FlowGraph& m_graph;
    CollectiveRun& m_run;
    std::vector<Messages> m_parts;                     ///< messages by part of the buffer
    std::vector<std::size_t> m_order;                  ///< indices of messages, by stage
    std::vector<std::vector<FlowGraph::Step>> m_steps; ///< steps by part and index of the message
    /// Reused, because ns-3 registers every Time that exists before the run.
    StepSpec m_spec;
};

/// Adds the flows of a collective as a rule and then adds the exits.
void
AddByRule(FlowGraph& graph, CollectiveRun& run)
{
    const auto ranks = static_cast<uint32_t>(run.hosts.size());
    auto rule = std::make_shared<CollectiveRule>(run.options, ranks);
    const auto first = static_cast<FlowGraph::Step>(graph.GetNSteps());
    run.endOfFlows = static_cast<FlowGraph::Step>(first + rule->CountFlows());
    for (uint32_t stage = 0; stage < rule->CountStages(); ++stage)
    {
        run.stages.push_back(first + rule->GetFirst(stage));
    }
    run.exits.resize(ranks);
    std::iota(run.exits.begin(), run.exits.end(), run.endOfFlows);
    rule->SetCompany({run.hosts,
                      run.entries,
                      run.exits,
                      run.options.stepCompute.GetTimeStep(),
                      run.options.priority,
                      run.group,
                      run.job});
    graph.AddRule(rule);
    run.rule = rule;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        AddExit(graph, run, rank);
    }
}

bool
IsPowerOfTwo(uint32_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

} // namespace

const std::vector<CollectiveChoice>&
GetCollectives()
{
    static const std::pair<std::string, Algorithm> ring{"ring", Algorithm::RING};
    static const std::pair<std::string, Algorithm> both{"bidirectional-ring",
                                                        Algorithm::BIDIRECTIONAL_RING};
    static const std::pair<std::string, Algorithm> tree{"tree", Algorithm::TREE};
    static const std::pair<std::string, Algorithm> halving{"halving-doubling",
                                                           Algorithm::HALVING_DOUBLING};
    static const std::pair<std::string, Algorithm> direct{"direct", Algorithm::DIRECT};
    static const std::pair<std::string, Algorithm> staged{"staged", Algorithm::STAGED};
    static const std::pair<std::string, Algorithm> chain{"chain", Algorithm::CHAIN};
    static const std::pair<std::string, Algorithm> pxn{"pxn", Algorithm::PXN};
    static const std::vector<CollectiveChoice> choices = {
        {"allreduce", CollectiveKind::ALL_REDUCE, {ring, both, tree, halving}},
        {"reducescatter", CollectiveKind::REDUCE_SCATTER, {ring, both, halving}},
        {"allgather", CollectiveKind::ALL_GATHER, {ring, both, halving}},
        {"alltoall", CollectiveKind::ALL_TO_ALL, {direct, staged, pxn}},
        {"alltoallv", CollectiveKind::ALL_TO_ALL_V, {direct, staged, pxn}},
        {"broadcast", CollectiveKind::BROADCAST, {tree, chain}},
        {"pipeline", CollectiveKind::PIPELINE, {chain}},
        {"reduce", CollectiveKind::REDUCE, {tree}},
        {"gather", CollectiveKind::GATHER, {direct}},
        {"scatter", CollectiveKind::SCATTER, {direct}},
        {"barrier", CollectiveKind::BARRIER, {tree}},
    };
    return choices;
}

std::string
ToString(CollectiveKind kind)
{
    return GetCollectives()[static_cast<std::size_t>(kind)].name;
}

std::string
ToString(CollectiveAlgorithm algorithm)
{
    for (const CollectiveChoice& choice : GetCollectives())
    {
        for (const auto& [name, other] : choice.algorithms)
        {
            if (other == algorithm)
            {
                return name;
            }
        }
    }
    return "";
}

std::optional<std::string>
CollectiveOptions::Check(uint32_t ranks) const
{
    const CollectiveChoice& choice = GetCollectives()[static_cast<std::size_t>(kind)];
    const bool isKnown =
        std::any_of(choice.algorithms.begin(), choice.algorithms.end(), [this](const auto& entry) {
            return entry.second == algorithm;
        });
    if (!isKnown)
    {
        return "the algorithm " + lossless::ToString(algorithm) + " is not one of " + choice.name;
    }
    if (ranks < 2)
    {
        return choice.name + " needs two ranks at least; there is " + std::to_string(ranks);
    }
    if (algorithm == Algorithm::HALVING_DOUBLING && !IsPowerOfTwo(ranks))
    {
        return "halving-doubling needs a power of two ranks; there are " + std::to_string(ranks);
    }
    if (chunks == 0)
    {
        return "there are 0 chunks; there must be at least 1";
    }
    const uint64_t blocks = SendsWhole(kind) ? 1 : ranks;
    const uint64_t shares = algorithm == Algorithm::BIDIRECTIONAL_RING ? 2 * blocks : blocks;
    if (bytes < shares * chunks)
    {
        return choice.name + " has " + std::to_string(bytes) + " B; with " + std::to_string(ranks) +
               " ranks and " + std::to_string(chunks) + (chunks == 1 ? " chunk" : " chunks") +
               " it needs at least " + std::to_string(shares * chunks) + " B";
    }
    if (bytes > MAX_FLOW_BYTES)
    {
        return choice.name + " has " + std::to_string(bytes) + " B; it may have at most " +
               std::to_string(MAX_FLOW_BYTES) + " B";
    }
    if (!std::isfinite(skew) || skew < 0)
    {
        return "the skew must be a number of at least 0";
    }
    return std::nullopt;
}

double
CollectiveRun::GetBusFactor() const
{
    const auto ranks = static_cast<double>(hosts.size());
    const double rounds = options.kind == CollectiveKind::ALL_REDUCE ? 2 : 1;
    return SendsWhole(options.kind) ? 1 : rounds * (ranks - 1) / ranks;
}

void
AddCollective(FlowGraph& graph, CollectiveRun& run, FlowMaking making)
{
    const auto error = run.options.Check(static_cast<uint32_t>(run.hosts.size()));
    NS_ABORT_MSG_IF(error, "AddCollective: " << *error << ".");
    NS_ABORT_MSG_IF(run.entries.size() != run.hosts.size(),
                    "AddCollective: there are " << run.hosts.size() << " ranks and "
                                                << run.entries.size() << " entries.");
    NS_ABORT_MSG_IF(run.options.algorithm == Algorithm::PXN && run.seats.size() != run.hosts.size(),
                    "AddCollective: pxn needs the seats of all ranks.");
    if (making == FlowMaking::BY_RULE && CollectiveRule::Covers(run.options))
    {
        AddByRule(graph, run);
        return;
    }
    CollectiveMaker(graph, run).Add();
}

std::vector<uint32_t>
MakeBinaryTree(uint32_t ranks)
{
    std::vector<uint32_t> parents(ranks);
    for (uint32_t rank = 1; rank < ranks; ++rank)
    {
        const uint32_t bit = rank & (~rank + 1); // lowest set bit: half of the subtree's size
        const uint32_t parent = (rank & ~bit) | (bit << 1);
        parents[rank] = parent < ranks ? parent : rank & ~bit;
    }
    return parents;
}

} // namespace ns3::lossless
