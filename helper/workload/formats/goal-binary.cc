// SPDX-License-Identifier: GPL-2.0-only
#include "goal-binary.h"

#include "ns3/flow-list.h"
#include "ns3/foreign-format.h"
#include "ns3/text-lines.h"

#include <cctype>
#include <limits>
#include <utility>
#include <vector>

namespace ns3::lossless
{

namespace
{

using Operation = RankProgram::Operation;

/// The magic numbers of schedules. LogGOPSim leaves the second number in the file if it is run with
/// --save-mem.
constexpr uint64_t GOAL_MAGIC = 4223;
constexpr uint64_t GOAL_MAGIC_SPENT = 2342;

/// The length of the magic number, in bytes. Offsets are counted from its end.
constexpr uint64_t MAGIC_BYTES = 8;
/// The number of bytes between the magic number and the table of ranks.
constexpr uint64_t COUNT_BYTES = 6;
/// The number of bytes per rank in the table of ranks.
constexpr uint64_t RANK_BYTES = 16;
/// The number of bytes per operation.
constexpr uint64_t OPERATION_BYTES = 39;

/// The number that stands for any rank or any tag.
constexpr uint64_t GOAL_ANY = std::numeric_limits<uint32_t>::max();

/// Reads one binary schedule.
class GoalBinaryReader
{
  public:
    /// @param bytes the content of the file
    /// @param fileName the name of the file, for error messages
    GoalBinaryReader(const std::string& bytes, const std::string& fileName)
        : m_bytes(bytes),
          m_fileName(fileName)
    {
    }

    /// @return the program; throws a FileComplaint if the file is malformed
    RankProgram Read();

  private:
    /// The section of a rank in the file.
    struct Part
    {
        uint32_t rank{0};
        uint64_t operations{0};     ///< number of operations
        uint64_t firstOperation{0}; ///< offset of its first operation in the file
        uint64_t firstWaiting{0};   ///< offset of the list of waiting operations in the file
        uint64_t waiting{0};        ///< length of that list
        RankProgram::Index first{}; ///< index of the first operation in the program

        /// @param number the number of an operation, counted within the rank
        /// @return the name of the operation for error messages
        std::string Name(uint64_t number) const
        {
            return "operation " + std::to_string(number) + " of rank " + std::to_string(rank);
        }
    };

    /// Throws an error about a position in the file unless a condition is true.
    void Require(bool holds, uint64_t place, const std::string& sentence) const;
    /// @param place the offset of the number in the file
    /// @param length the length of the number, in bytes
    /// @return the number, which must be within the file
    uint64_t Get(uint64_t place, uint64_t length) const;
    /// Reads the beginning of a rank's part.
    Part ReadPart(uint32_t rank) const;
    /// Adds the operations of a rank.
    void AddRank(const Part& part);
    /// Adds an operation.
    /// @param number the number of the operation, counted within its rank
    void AddOperation(const Part& part, uint64_t place, uint64_t number);
    /// Reads the other rank and the tag of a message.
    void ReadPeer(const Part& part, uint64_t place, Operation& operation) const;
    /// Makes other operations wait for an operation.
    /// @param place the offset in the file of the number of waiting operations
    /// @param needed the number of the operation, counted within its rank
    /// @param isStartEnough true if they wait only for its start
    /// @param [in,out] waits the number of operations that each operation waits for
    void AddWaiting(const Part& part,
                    uint64_t place,
                    uint64_t needed,
                    bool isStartEnough,
                    std::vector<uint32_t>& waits);

    const std::string& m_bytes;           ///< content of the file
    const std::string& m_fileName;        ///< name of the file, for error messages
    std::optional<RankProgram> m_program; ///< the result
};

void
GoalBinaryReader::Require(bool holds, uint64_t place, const std::string& sentence) const
{
    if (!holds)
    {
        throw FileComplaint(m_fileName + ": at byte " + std::to_string(place) + ": " + sentence);
    }
}

uint64_t
GoalBinaryReader::Get(uint64_t place, uint64_t length) const
{
    uint64_t number = 0;
    for (uint64_t i = length; i > 0; --i)
    {
        number = number << 8 | static_cast<unsigned char>(m_bytes[place + i - 1]);
    }
    return number;
}

GoalBinaryReader::Part
GoalBinaryReader::ReadPart(uint32_t rank) const
{
    const std::string ofRank = " of rank " + std::to_string(rank);
    const uint64_t entry = MAGIC_BYTES + COUNT_BYTES + RANK_BYTES * rank;
    const uint64_t most = m_bytes.size() - MAGIC_BYTES;
    const uint64_t start = Get(entry, 8);
    const uint64_t end = Get(entry + 8, 8);
    Require(start <= end && end <= most && end - start >= 8,
            entry,
            "the part" + ofRank + " is from " + std::to_string(start) + " to " +
                std::to_string(end) + "; it must be within the " + std::to_string(most) +
                " bytes that follow, and have 8 at least");
    const uint64_t place = MAGIC_BYTES + start;
    Part part;
    part.rank = rank;
    part.operations = Get(place, 4);
    part.firstOperation = place + 8 + 4 * Get(place + 4, 4);
    part.firstWaiting = part.firstOperation + OPERATION_BYTES * part.operations;
    Require(part.firstWaiting <= MAGIC_BYTES + end,
            place,
            "the part" + ofRank + " ends before the last of its " +
                std::to_string(part.operations) + " operations");
    part.waiting = (MAGIC_BYTES + end - part.firstWaiting) / 4;
    return part;
}

void
GoalBinaryReader::AddOperation(const Part& part, uint64_t place, uint64_t number)
{
    Require(m_program->GetOperations().size() < RankProgram::MAX_OPERATIONS,
            place,
            "here is one operation too many; allowed are " +
                std::to_string(RankProgram::MAX_OPERATIONS));
    const uint64_t kind = Get(place + 4, 1);
    const uint64_t size = Get(place + 9, 8);
    const bool isCalc = kind == 3;
    const std::string begin = part.Name(number);
    Require(kind >= 1 && kind <= 3,
            place,
            begin + " has the type " + std::to_string(kind) + "; allowed is 1 to 3");
    const uint64_t most =
        isCalc ? static_cast<uint64_t>(GetLatestStart().GetNanoSeconds()) : MAX_FLOW_BYTES;
    Require(size <= most,
            place,
            begin + " has " + std::to_string(size) + (isCalc ? " ns" : " bytes") +
                "; allowed are " + std::to_string(most));
    Operation operation;
    operation.rank = part.rank;
    operation.place = number;
    if (isCalc)
    {
        operation.nanoSeconds = size;
    }
    else
    {
        operation.kind = kind == 1 ? Operation::Kind::SEND : Operation::Kind::RECEIVE;
        operation.bytes = size;
        ReadPeer(part, place, operation);
    }
    m_program->Add(operation);
}

void
GoalBinaryReader::ReadPeer(const Part& part, uint64_t place, Operation& operation) const
{
    const uint64_t peer = Get(place + 5, 4);
    const uint64_t tag = Get(place + 17, 4);
    const std::string begin = part.Name(operation.place);
    Require(peer != GOAL_ANY && tag != GOAL_ANY,
            place,
            begin + " receives from any rank or with any tag; such messages are not read, because "
                    "which one is received is not known beforehand");
    Require(peer < m_program->GetNRanks() && peer != part.rank,
            place,
            begin + " has the other rank " + std::to_string(peer) + "; it must be another of the " +
                std::to_string(m_program->GetNRanks()) + " ranks");
    operation.peer = static_cast<uint32_t>(peer);
    operation.tag = tag;
}

void
GoalBinaryReader::AddWaiting(const Part& part,
                             uint64_t place,
                             uint64_t needed,
                             bool isStartEnough,
                             std::vector<uint32_t>& waits)
{
    const uint64_t count = Get(place, 4);
    const uint64_t first = Get(place + 4, 4);
    const std::string begin = part.Name(needed) + " has ";
    Require(count == 0 || first + count <= part.waiting,
            place,
            begin + std::to_string(count) + " that wait for it from place " +
                std::to_string(first) + " on; there are " + std::to_string(part.waiting) +
                " places");
    for (uint64_t i = 0; i < count; ++i)
    {
        const uint64_t waiting = Get(part.firstWaiting + 4 * (first + i), 4);
        Require(waiting < part.operations,
                part.firstWaiting + 4 * (first + i),
                begin + "operation " + std::to_string(waiting) + " wait for it; there are " +
                    std::to_string(part.operations));
        ++waits[waiting];
        m_program->AddDependency(part.first + static_cast<RankProgram::Index>(waiting),
                                 part.first + static_cast<RankProgram::Index>(needed),
                                 isStartEnough);
    }
}

void
GoalBinaryReader::AddRank(const Part& part)
{
    const auto placeOf = [&part](uint64_t number) {
        return part.firstOperation + OPERATION_BYTES * number;
    };
    for (uint64_t i = 0; i < part.operations; ++i)
    {
        AddOperation(part, placeOf(i), i);
    }
    std::vector<uint32_t> waits(part.operations);
    uint64_t dependencies = 0;
    for (uint64_t i = 0; i < part.operations; ++i)
    {
        const uint64_t place = placeOf(i) + 23;
        dependencies += Get(place, 4) + Get(place + 8, 4);
        // A malformed file can refer to the same entries of the list several times.
        Require(dependencies <= part.waiting,
                place,
                "more operations of rank " + std::to_string(part.rank) + " wait than the " +
                    std::to_string(part.waiting) + " that its part lists");
        AddWaiting(part, place, i, false, waits);
        AddWaiting(part, place + 8, i, true, waits);
    }
    for (uint64_t i = 0; i < part.operations; ++i)
    {
        Require(Get(placeOf(i), 4) == waits[i],
                placeOf(i),
                part.Name(i) + " says that it waits for " + std::to_string(Get(placeOf(i), 4)) +
                    " others; those that name it are " + std::to_string(waits[i]));
    }
}

RankProgram
GoalBinaryReader::Read()
{
    const uint64_t header = MAGIC_BYTES + COUNT_BYTES;
    const std::string standIn = RecognizeStandIn(m_bytes);
    if (!standIn.empty())
    {
        throw FileComplaint(m_fileName + ": " + standIn);
    }
    const uint64_t magic = m_bytes.size() < MAGIC_BYTES ? 0 : Get(0, MAGIC_BYTES);
    Require(magic != GOAL_MAGIC_SPENT,
            0,
            "a run of LogGOPSim with --save-mem has overwritten this schedule; make it again");
    Require(magic == GOAL_MAGIC,
            0,
            "GOAL's binary form begins with the number " + std::to_string(GOAL_MAGIC) +
                " in 8 bytes, the lowest first; this file is neither that nor a text");
    Require(m_bytes.size() >= header, m_bytes.size(), "the file ends before its number of ranks");
    Require(m_bytes.size() <= MAX_GOAL_BYTES,
            MAX_GOAL_BYTES,
            "the file goes on here; allowed are " + std::to_string(MAX_GOAL_BYTES) + " bytes");
    const uint64_t ranks = Get(MAGIC_BYTES, 4);
    Require(ranks >= 1 && ranks <= MAX_GOAL_RANKS,
            MAGIC_BYTES,
            "there are " + std::to_string(ranks) + " ranks; allowed is 1 to " +
                std::to_string(MAX_GOAL_RANKS));
    Require((m_bytes.size() - header) / RANK_BYTES >= ranks,
            header,
            "the file ends within the table of its " + std::to_string(ranks) + " ranks");
    m_program.emplace("operation", static_cast<uint32_t>(ranks), m_fileName);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        Part part = ReadPart(rank);
        part.first = static_cast<RankProgram::Index>(m_program->GetOperations().size());
        AddRank(part);
    }
    return std::move(*m_program);
}

} // namespace

bool
IsGoalBinary(std::istream& input)
{
    const int first = input.peek();
    const bool isOfText = first >= 0x80 || std::isspace(first) != 0 || std::isprint(first) != 0;
    constexpr int spent =
        GOAL_MAGIC_SPENT & 0xff; // printable, but no schedule in text form begins with this byte
    return first != std::istream::traits_type::eof() && (!isOfText || first == spent);
}

RankProgram
ParseGoalBinary(const std::string& bytes, const std::string& fileName)
{
    return GoalBinaryReader(bytes, fileName).Read();
}

} // namespace ns3::lossless
