// SPDX-License-Identifier: GPL-2.0-only
#include "goal-text.h"

#include "goal-binary.h"

#include "ns3/flow-list.h"
#include "ns3/quantity-text.h"
#include "ns3/text-lines.h"

#include <cctype>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::lossless
{

namespace
{

/// Reads a schedule in text or binary form.
std::unique_ptr<FlowTrace>
ReadGoal(const std::string& path, std::vector<std::string>& /* files */)
{
    std::ifstream input = OpenText(path);
    if (!IsGoalBinary(input))
    {
        return std::make_unique<RankProgram>(ParseGoal(input, path));
    }
    // The first bytes suffice to reject any other file, which may even be endless.
    const uint64_t most = input.peek() == GOAL_FIRST_BYTE ? MAX_GOAL_BYTES : 64;
    return std::make_unique<RankProgram>(ParseGoalBinary(ReadBytes(path, most), path));
}

const RegisterFormat<FlowFormat> g_goal("goal", 40, [](FlowFormat& format) {
    format.what = "GOAL, as text or binary";
    format.endings = ".goal .bin";
    format.read = ReadGoal;
});

using Operation = RankProgram::Operation;

/// The description of the end of a line in messages. At the end of a line, GoalWords::Take()
/// returns an empty word.
const std::string LINE_END = "the end of the line";

/// @return true if an ASCII character is a digit
bool
IsDigit(char c)
{
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// @return true if names may begin with this ASCII character
bool
IsLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// Splits a text into words and skips comments. Words are names, numbers, `-1` and single
/// characters.
class GoalWords
{
  public:
    GoalWords(std::istream& input, const std::string& fileName)
        : m_lines(input, fileName)
    {
    }

    /// Advances to the next line.
    /// @return false at the end of the text
    bool NextLine();

    /// @return the next word of the line; empty at the end of the line
    std::string Peek() const
    {
        return m_next < m_words.size() ? m_words[m_next] : "";
    }

    /// Takes the next word of the line.
    /// @return the word; empty at the end of the line
    std::string Take();
    /// Takes the next word, which must be the given word.
    void Take(const std::string& word);
    /// Takes the next word if it is the given word.
    /// @return true if the word was taken
    bool TakeIf(const std::string& word);
    uint64_t TakeNumber(const std::string& what, uint64_t least, uint64_t most);
    std::string TakeLabel();
    /// Throws a FileComplaint unless the line ends at this position.
    void TakeLineEnd();

    uint64_t GetLine() const
    {
        return m_lines.GetNumber();
    }

    /// @param found the word taken last; empty if the line has ended
    /// @param expected a description of the expected word
    [[noreturn]] void Refuse(const std::string& found, const std::string& expected) const;
    [[noreturn]] void Complain(const std::string& sentence) const;

  private:
    void Split();
    /// @param i the position of the start of a word
    /// @return the length of the word
    static std::size_t GetLength(const std::string& line, std::size_t i);

    TextLines m_lines;
    bool m_isComment{false};          ///< true if a comment continues on the next line
    std::vector<std::string> m_words; ///< words of the line
    std::size_t m_next{0};            ///< index of the next word
};

bool
GoalWords::NextLine()
{
    const bool isThere = m_lines.Next();
    if (isThere)
    {
        Split();
    }
    return isThere;
}

std::size_t
GoalWords::GetLength(const std::string& line, std::size_t i)
{
    const auto isOfName = [](char c) { return IsLetter(c) || IsDigit(c) || c == '_'; };
    std::size_t end = i + 1;
    if (IsLetter(line[i]))
    {
        while (end < line.size() && isOfName(line[end]))
        {
            ++end;
        }
    }
    else if (IsDigit(line[i]) || line[i] == '-')
    {
        while (end < line.size() && IsDigit(line[end]))
        {
            ++end;
        }
    }
    return end - i;
}

void
GoalWords::Split()
{
    const std::string& line = m_lines.Get();
    m_words.clear();
    m_next = 0;
    for (std::size_t i = 0; i < line.size();)
    {
        const std::string two = line.substr(i, 2);
        if (m_isComment)
        {
            m_isComment = two != "*/";
            i += m_isComment ? 1 : 2;
        }
        else if (two == "//")
        {
            return;
        }
        else if (two == "/*")
        {
            m_isComment = true;
            i += 2;
        }
        else if (std::isspace(static_cast<unsigned char>(line[i])) != 0)
        {
            ++i;
        }
        else
        {
            m_words.push_back(line.substr(i, GetLength(line, i)));
            i += m_words.back().size();
        }
    }
}

void
GoalWords::Complain(const std::string& sentence) const
{
    m_lines.Complain(sentence);
}

void
GoalWords::Refuse(const std::string& found, const std::string& expected) const
{
    if (m_next <= 1 && !found.empty())
    {
        Complain("the line begins with '" + found + "'; allowed is " + expected);
    }
    const std::string before = m_words[found.empty() ? m_next - 1 : m_next - 2];
    Complain((found.empty() ? "the line ends" : "'" + found + "' stands") + (" behind '" + before) +
             "'; allowed there is " + expected);
}

std::string
GoalWords::Take()
{
    return m_next < m_words.size() ? m_words[m_next++] : "";
}

void
GoalWords::Take(const std::string& word)
{
    const std::string found = Take();
    if (found != word)
    {
        Refuse(found, "'" + word + "'");
    }
}

bool
GoalWords::TakeIf(const std::string& word)
{
    const bool isThere = Peek() == word;
    m_next += isThere ? 1 : 0;
    return isThere;
}

uint64_t
GoalWords::TakeNumber(const std::string& what, uint64_t least, uint64_t most)
{
    const std::string found = Take();
    const auto number = ParseWhole(found);
    if (!number || *number < least || *number > most)
    {
        Refuse(found,
               what + ", a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most));
    }
    return *number;
}

std::string
GoalWords::TakeLabel()
{
    const std::string found = Take();
    if (found.empty() || !IsLetter(found.front()))
    {
        Refuse(found, "a label, which begins with a letter");
    }
    return found;
}

void
GoalWords::TakeLineEnd()
{
    const std::string found = Take();
    if (!found.empty())
    {
        Refuse(found, LINE_END);
    }
}

class GoalReader
{
  public:
    GoalReader(std::istream& input, const std::string& fileName)
        : m_words(input, fileName),
          m_fileName(fileName)
    {
    }

    RankProgram Read();

  private:
    /// Reads a line.
    /// @param word the first word of the line, already taken
    void ReadLine(const std::string& word);
    void ReadRanks();
    /// Reads the first line of a rank.
    void BeginRank();
    /// Reads a line within a rank.
    /// @param word the first word of the line, already taken
    void ReadStatement(const std::string& word);
    /// @param word the first word of the operation, already taken
    void ReadOperation(const std::string& word);
    /// Reads the part of an operation that only messages have.
    void ReadMessage(Operation& operation);
    /// @param what a description of the number: a rank or a tag
    uint64_t ReadKnown(const std::string& what, uint64_t most);
    /// Reads a dependency.
    /// @param waiting the label of the waiting operation
    void ReadDependency(const std::string& waiting);
    RankProgram::Index Find(const std::string& label) const;

    GoalWords m_words;
    std::string m_fileName;
    std::optional<RankProgram> m_program;
    std::optional<uint32_t> m_rank; ///< current rank
    std::vector<bool> m_isRead;     ///< true for each rank that has been read
    std::unordered_map<std::string, RankProgram::Index> m_labels; ///< operations of the current
                                                                  ///< rank, by label
};

RankProgram
GoalReader::Read()
{
    while (m_words.NextLine())
    {
        for (std::string word = m_words.Take(); !word.empty(); word = m_words.Take())
        {
            ReadLine(word);
        }
    }
    if (!m_program)
    {
        m_words.Complain("the file ends without a line `num_ranks NUMBER`, with which schedules "
                         "begin");
    }
    if (m_rank)
    {
        m_words.Complain("the file ends within rank " + std::to_string(*m_rank) +
                         "; a } is missing");
    }
    for (std::size_t rank = 0; rank < m_isRead.size(); ++rank)
    {
        if (!m_isRead[rank])
        {
            m_words.Complain("the file ends without rank " + std::to_string(rank) + " of " +
                             std::to_string(m_isRead.size()));
        }
    }
    return std::move(*m_program);
}

void
GoalReader::ReadLine(const std::string& word)
{
    if (m_rank)
    {
        ReadStatement(word);
    }
    else if (word == "num_ranks" && !m_program)
    {
        ReadRanks();
    }
    else if (word == "rank" && m_program)
    {
        BeginRank();
    }
    else
    {
        m_words.Refuse(word, m_program ? "rank" : "num_ranks");
    }
}

void
GoalReader::ReadRanks()
{
    const auto ranks =
        static_cast<uint32_t>(m_words.TakeNumber("a number of ranks", 1, MAX_GOAL_RANKS));
    m_program.emplace("line", ranks, m_fileName);
    m_isRead.resize(ranks);
}

void
GoalReader::BeginRank()
{
    m_rank = static_cast<uint32_t>(
        m_words.TakeNumber("the number of a rank", 0, m_program->GetNRanks() - 1));
    if (m_isRead[*m_rank])
    {
        m_words.Complain("rank " + std::to_string(*m_rank) + " is there twice");
    }
    m_isRead[*m_rank] = true;
    m_labels.clear();
    m_words.Take("{");
}

void
GoalReader::ReadStatement(const std::string& word)
{
    if (word == "}")
    {
        m_rank.reset();
        return;
    }
    if (word == "send" || word == "recv" || word == "calc")
    {
        ReadOperation(word);
    }
    else if (!IsLetter(word.front()))
    {
        m_words.Refuse(word, "send, recv, calc, a label or }");
    }
    else if (m_words.TakeIf(":"))
    {
        const auto index = static_cast<RankProgram::Index>(m_program->GetOperations().size());
        if (!m_labels.emplace(word, index).second)
        {
            m_words.Complain("the label " + word + " is that of another operation of rank " +
                             std::to_string(*m_rank));
        }
        ReadOperation(m_words.Take());
    }
    else
    {
        ReadDependency(word);
    }
    m_words.TakeLineEnd();
}

void
GoalReader::ReadOperation(const std::string& word)
{
    if (m_program->GetOperations().size() == RankProgram::MAX_OPERATIONS)
    {
        m_words.Complain("the file has more than " + std::to_string(RankProgram::MAX_OPERATIONS) +
                         " operations");
    }
    Operation operation;
    operation.rank = *m_rank;
    operation.place = m_words.GetLine();
    if (word == "calc")
    {
        const auto longest = static_cast<uint64_t>(GetLatestStart().GetNanoSeconds());
        operation.nanoSeconds = m_words.TakeNumber("a number of nanoseconds", 0, longest);
    }
    else if (word == "send" || word == "recv")
    {
        operation.kind = word == "send" ? Operation::Kind::SEND : Operation::Kind::RECEIVE;
        ReadMessage(operation);
    }
    else
    {
        m_words.Refuse(word, "send, recv or calc");
    }
    for (const std::string unit : {"cpu", "nic"})
    {
        if (m_words.TakeIf(unit))
        {
            m_words.TakeNumber("the number of a " + unit, 0, std::numeric_limits<uint8_t>::max());
        }
    }
    for (const std::string part : {"tag", "cpu", "nic"})
    {
        if (m_words.Peek() == part)
        {
            m_words.Complain("the " + part + " of the " + word +
                             " is in the wrong place; allowed are the tag of a message, cpu and "
                             "nic, each once and in this order");
        }
    }
    m_program->Add(operation);
}

uint64_t
GoalReader::ReadKnown(const std::string& what, uint64_t most)
{
    if (m_words.Peek() == "-1")
    {
        m_words.Complain("the " + what +
                         " is -1, any; such messages are not read, because which one is received "
                         "is not known beforehand");
    }
    return m_words.TakeNumber("the number of a " + what, 0, most);
}

void
GoalReader::ReadMessage(Operation& operation)
{
    operation.bytes = m_words.TakeNumber("a number of bytes", 0, MAX_FLOW_BYTES);
    m_words.Take("b");
    m_words.Take(operation.kind == Operation::Kind::SEND ? "to" : "from");
    operation.peer = static_cast<uint32_t>(ReadKnown("rank", m_program->GetNRanks() - 1));
    if (operation.peer == operation.rank)
    {
        m_words.Complain("rank " + std::to_string(operation.rank) +
                         " has a message for itself; messages go to other ranks");
    }
    if (m_words.TakeIf("tag"))
    {
        operation.tag = ReadKnown("tag", std::numeric_limits<uint32_t>::max());
    }
}

RankProgram::Index
GoalReader::Find(const std::string& label) const
{
    const auto found = m_labels.find(label);
    if (found == m_labels.end())
    {
        m_words.Complain("no line above in rank " + std::to_string(*m_rank) + " has the label " +
                         label);
    }
    return found->second;
}

void
GoalReader::ReadDependency(const std::string& waiting)
{
    const std::string word = m_words.Take();
    if (word != "requires" && word != "irequires")
    {
        m_words.Refuse(word, "':', requires or irequires");
    }
    const RankProgram::Index index = Find(waiting);
    m_program->AddDependency(index, Find(m_words.TakeLabel()), word == "irequires");
}

} // namespace

RankProgram
ParseGoal(std::istream& input, const std::string& fileName)
{
    return GoalReader(input, fileName).Read();
}

} // namespace ns3::lossless
