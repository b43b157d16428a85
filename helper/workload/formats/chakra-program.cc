// SPDX-License-Identifier: GPL-2.0-only
#include "chakra-program.h"

#include "ns3/flow-list.h"
#include "ns3/quantity-text.h"
#include "ns3/text-lines.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <system_error>
#include <unordered_map>

namespace ns3::lossless
{

namespace
{

/// Reads the traces of all ranks.
/// @param path the trace of rank 0
std::unique_ptr<FlowTrace>
ReadChakra(const std::string& path, std::vector<std::string>& files)
{
    files = FindChakraFiles(path);
    std::vector<std::vector<ChakraNode>> traces;
    for (const std::string& file : files)
    {
        traces.push_back(ParseChakra(ReadBytes(file, MAX_CHAKRA_BYTES), file));
    }
    return std::make_unique<RankProgram>(MakeProgram(traces, path));
}

const RegisterFormat<FlowFormat> g_chakra("chakra", 50, [](FlowFormat& format) {
    format.what = "Chakra traces, named by that of rank 0, such as NAME.0.et";
    format.endings = ".et";
    format.read = ReadChakra;
});

using Operation = RankProgram::Operation;
using Type = ChakraNode::Type;

/// The kind of collective for each number of CollectiveCommType in the schema. All blocks of this
/// module's reduce-scatter have the same size, so REDUCE_SCATTER_BLOCK is equivalent to
/// REDUCE_SCATTER.
constexpr std::array<CollectiveKind, 10> COLLECTIVES{CollectiveKind::ALL_REDUCE,
                                                     CollectiveKind::REDUCE,
                                                     CollectiveKind::ALL_GATHER,
                                                     CollectiveKind::GATHER,
                                                     CollectiveKind::SCATTER,
                                                     CollectiveKind::BROADCAST,
                                                     CollectiveKind::ALL_TO_ALL,
                                                     CollectiveKind::REDUCE_SCATTER,
                                                     CollectiveKind::REDUCE_SCATTER,
                                                     CollectiveKind::BARRIER};

/// @param common the prefix common to the names of all traces
/// @return the name of an NPU's trace
std::string
NameOf(const std::string& common, uint64_t rank)
{
    return common + std::to_string(rank) + ".et";
}

/// @param path the name of the trace of rank 0
/// @return the prefix; see NameOf()
std::string
GetCommon(const std::string& path)
{
    return path.substr(0, path.size() - std::min(path.size(), NameOf("", 0).size()));
}

/// Adds traces to a program one after another.
class ProgramMaker
{
  public:
    ProgramMaker(const std::vector<std::vector<ChakraNode>>& traces, const std::string& fileName)
        : m_traces(traces),
          m_fileName(fileName),
          m_program("node", static_cast<uint32_t>(traces.size()), fileName)
    {
    }

    /// @return the program; throws a FileComplaint if the traces are invalid
    RankProgram Make();

  private:
    /// Adds the operations of a rank's trace.
    void AddRank(uint32_t rank);
    Operation MakeOperation(uint32_t rank, const ChakraNode& node) const;
    /// The collectives of one NPU in a group.
    using Parts = std::vector<std::pair<RankProgram::Index, const ChakraNode*>>;
    /// Records a collective.
    /// @param index the operation of the collective
    void NoteCollective(uint32_t rank, const ChakraNode& node, RankProgram::Index index);
    /// Adds the collectives of a group.
    /// @param parts the collectives of each NPU
    void AddGroup(const std::string& name, const std::map<uint32_t, Parts>& parts);
    /// @param ranks the number of ranks in the group
    CollectiveOptions MakeOptions(uint32_t rank, const ChakraNode& node, std::size_t ranks) const;
    uint64_t GetDuration(uint32_t rank, const ChakraNode& node) const;
    /// @param node a node that moves data
    uint64_t GetBytes(uint32_t rank, const ChakraNode& node, uint64_t most) const;
    /// Sets the other rank, the tag and the size of a message.
    void SetEnds(const ChakraNode& node, Operation& operation) const;
    /// Throws a FileComplaint about a node unless a condition is true.
    void Require(bool holds,
                 uint32_t rank,
                 const ChakraNode& node,
                 const std::string& sentence) const;

    const std::vector<std::vector<ChakraNode>>& m_traces;
    std::string m_fileName; ///< name of the file, for error messages
    RankProgram m_program;
    /// The collectives, by group name and NPU.
    std::map<std::string, std::map<uint32_t, Parts>> m_groups;
};

void
ProgramMaker::Require(bool holds,
                      uint32_t rank,
                      const ChakraNode& node,
                      const std::string& sentence) const
{
    if (!holds)
    {
        const std::string name = node.name.empty() ? "" : " (" + node.name.substr(0, 60) + ")";
        throw FileComplaint(m_fileName + ": node " + std::to_string(node.id) + name + " of rank " +
                            std::to_string(rank) + " " + sentence);
    }
}

uint64_t
ProgramMaker::GetDuration(uint32_t rank, const ChakraNode& node) const
{
    const bool isMemory = node.type == Type::MEMORY_LOAD || node.type == Type::MEMORY_STORE;
    Require(node.microSeconds > 0 || !node.needsModel,
            rank,
            node,
            std::string("has no duration_micros, but ") +
                (isMemory ? "a tensor_size; the time of an access depends on a model of the memory"
                          : "num_ops or a tensor_size; the time of a computation depends on a "
                            "model of the processor") +
                ", which this module does not have");
    const auto longest = static_cast<uint64_t>(GetLatestStart().GetNanoSeconds()) / 1000;
    Require(node.microSeconds <= longest,
            rank,
            node,
            "has a duration_micros of " + std::to_string(node.microSeconds) + "; allowed are " +
                std::to_string(longest));
    return node.microSeconds * 1000;
}

uint64_t
ProgramMaker::GetBytes(uint32_t rank, const ChakraNode& node, uint64_t most) const
{
    Require(node.bytes.has_value(), rank, node, "has no comm_size");
    Require(*node.bytes <= most,
            rank,
            node,
            "has a comm_size of " + std::to_string(*node.bytes) + "; allowed are " +
                std::to_string(most));
    return *node.bytes;
}

void
ProgramMaker::SetEnds(const ChakraNode& node, Operation& operation) const
{
    const bool isSend = node.type == Type::SEND;
    const auto& own = isSend ? node.source : node.destination;
    const auto& other = isSend ? node.destination : node.source;
    const uint32_t rank = operation.rank;
    const std::string otherName = isSend ? "comm_dst" : "comm_src";
    Require(own.value_or(rank) == rank,
            rank,
            node,
            (isSend ? "has the comm_src " : "has the comm_dst ") + std::to_string(own.value_or(0)) +
                "; it must be its own rank");
    Require(other.has_value(), rank, node, "has no " + otherName);
    const std::string next = NameOf(GetCommon(m_fileName), m_traces.size());
    Require(*other < m_traces.size() && *other != rank,
            rank,
            node,
            "has the " + otherName + " " + std::to_string(*other) + "; it must be another of the " +
                std::to_string(m_traces.size()) + " ranks" +
                (*other < m_traces.size() ? "" : "; is " + next + " missing?"));
    operation.peer = static_cast<uint32_t>(*other);
    operation.tag = node.tag;
    operation.bytes = GetBytes(rank, node, MAX_FLOW_BYTES);
}

Operation
ProgramMaker::MakeOperation(uint32_t rank, const ChakraNode& node) const
{
    Operation operation;
    operation.rank = rank;
    operation.place = node.id;
    switch (node.type)
    {
    case Type::SEND:
    case Type::RECEIVE:
        operation.kind = node.type == Type::SEND ? Operation::Kind::SEND : Operation::Kind::RECEIVE;
        SetEnds(node, operation);
        break;
    case Type::COLLECTIVE:
        operation.kind = Operation::Kind::COLLECTIVE;
        break;
    case Type::METADATA:
        break;
    default:
        operation.nanoSeconds = GetDuration(rank, node);
    }
    return operation;
}

void
ProgramMaker::NoteCollective(uint32_t rank, const ChakraNode& node, RankProgram::Index index)
{
    Require(node.hasAllDimensions,
            rank,
            node,
            "leaves out dimensions (involved_dim) of a mesh that its trace does not tell; name the "
            "NPUs by pg_name");
    const bool isOfAll = node.group.empty() || node.group == "0";
    m_groups[isOfAll ? "" : node.group][rank].emplace_back(index, &node);
}

CollectiveOptions
ProgramMaker::MakeOptions(uint32_t rank, const ChakraNode& node, std::size_t ranks) const
{
    const uint64_t type = node.collective.value_or(COLLECTIVES.size());
    Require(type < COLLECTIVES.size(),
            rank,
            node,
            "is a collective without a known comm_type; known are 0 (ALL_REDUCE) to 9 (BARRIER)");
    CollectiveOptions options;
    options.kind = COLLECTIVES[type];
    // After an all-gather or a gather, the buffer of each rank or of the root, respectively, has
    // one block of comm_size bytes per rank.
    const bool isOfBlocks =
        options.kind == CollectiveKind::ALL_GATHER || options.kind == CollectiveKind::GATHER;
    const uint64_t factor = isOfBlocks ? ranks : 1;
    options.bytes = options.kind == CollectiveKind::BARRIER
                        ? EMPTY_FLOW_BYTES
                        : GetBytes(rank, node, MAX_FLOW_BYTES / factor) * factor;
    for (const CollectiveChoice& choice : GetCollectives())
    {
        if (choice.kind == options.kind)
        {
            options.algorithm = choice.algorithms.front().second;
        }
    }
    return options;
}

void
ProgramMaker::AddGroup(const std::string& name, const std::map<uint32_t, Parts>& parts)
{
    const auto& [firstRank, firstParts] = *parts.begin();
    const std::size_t ranks = name.empty() ? m_traces.size() : parts.size();
    for (const auto& [rank, own] : parts)
    {
        const auto& longer = own.size() > firstParts.size() ? own : firstParts;
        const std::size_t shared = std::min(own.size(), firstParts.size());
        Require(own.size() == firstParts.size() && parts.size() == ranks,
                own.size() > firstParts.size() ? rank : firstRank,
                *longer[std::min(shared, longer.size() - 1)].second,
                "is a collective of all of its group, but not all ranks have as many of them");
    }
    for (std::size_t i = 0; i < firstParts.size(); ++i)
    {
        RankProgram::Collective collective;
        collective.options = MakeOptions(firstRank, *firstParts[i].second, ranks);
        collective.group = name.empty() ? "all" : name;
        for (const auto& [rank, own] : parts)
        {
            const ChakraNode& node = *own[i].second;
            Require(node.collective == firstParts[i].second->collective &&
                        node.bytes == firstParts[i].second->bytes,
                    rank,
                    node,
                    "is a collective of another type or size than node " +
                        std::to_string(firstParts[i].second->id) + " of rank " +
                        std::to_string(firstRank) + ", which has the same place in the group");
            collective.parts.push_back(own[i].first);
        }
        if (ranks > 1) // a collective of a single rank is done immediately
        {
            m_program.AddCollective(collective);
        }
    }
}

void
ProgramMaker::AddRank(uint32_t rank)
{
    std::unordered_map<uint64_t, RankProgram::Index> indices; // operations by node ID
    for (const ChakraNode& node : m_traces[rank])
    {
        Require(m_program.GetOperations().size() < RankProgram::MAX_OPERATIONS,
                rank,
                node,
                "is one too many; allowed are " + std::to_string(RankProgram::MAX_OPERATIONS));
        indices[node.id] = m_program.Add(MakeOperation(rank, node));
        if (node.type == Type::COLLECTIVE)
        {
            NoteCollective(rank, node, indices[node.id]);
        }
    }
    for (const ChakraNode& node : m_traces[rank])
    {
        for (const uint64_t id : node.dependencies)
        {
            const auto needed = indices.find(id);
            Require(needed != indices.end(),
                    rank,
                    node,
                    "depends on node " + std::to_string(id) + ", which is not in its trace");
            m_program.AddDependency(indices[node.id], needed->second);
        }
    }
}

RankProgram
ProgramMaker::Make()
{
    for (uint32_t rank = 0; rank < m_traces.size(); ++rank)
    {
        AddRank(rank);
    }
    for (const auto& [name, parts] : m_groups)
    {
        AddGroup(name, parts);
    }
    return std::move(m_program);
}

/// @param common the prefix; see NameOf()
/// @param count the number of consecutive NPUs with traces
/// @return the name of the trace of an NPU beyond the first gap, if there is one
std::optional<std::string>
FindTraceBeyond(const std::string& common, std::size_t count)
{
    const std::filesystem::path start(common);
    const std::size_t prefix = start.filename().string().size();
    const auto folder = start.has_parent_path() ? start.parent_path() : ".";
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    {
        const std::string name = entry.path().filename().string();
        const std::string end = name.substr(std::min(prefix, name.size()));
        const auto rank = ParseWhole(end.substr(0, end.find('.')));
        if (rank && *rank > count && name == NameOf(start.filename().string(), *rank))
        {
            return NameOf(common, *rank);
        }
    }
    return std::nullopt;
}

} // namespace

std::vector<std::string>
FindChakraFiles(const std::string& path)
{
    const std::string common = GetCommon(path);
    if (path != NameOf(common, 0) || (!common.empty() && common.back() != '.'))
    {
        throw FileComplaint(path +
                            ": of Chakra's traces, name that of rank 0, as trace.0.et; those "
                            "of the other ranks are trace.1.et and so on");
    }
    std::vector<std::string> files{path}; // that it cannot be opened is said when it is read
    while (std::filesystem::exists(NameOf(common, files.size())))
    {
        files.push_back(NameOf(common, files.size()));
    }
    if (const auto other = FindTraceBeyond(common, files.size()))
    {
        throw FileComplaint(NameOf(common, files.size()) + " is missing, but " + *other +
                            " is there");
    }
    return files;
}

RankProgram
MakeProgram(const std::vector<std::vector<ChakraNode>>& traces, const std::string& fileName)
{
    return ProgramMaker(traces, fileName).Make();
}

} // namespace ns3::lossless
