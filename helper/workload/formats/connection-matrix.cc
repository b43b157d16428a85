// SPDX-License-Identifier: GPL-2.0-only
#include "connection-matrix.h"

#include "ns3/flow-list.h"
#include "ns3/lossless-csv-reader.h"
#include "ns3/quantity-text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_set>

namespace ns3::lossless
{

namespace
{

/// The words for the counts in the first lines of a file.
const std::vector<std::string> HEADER{"Nodes", "Connections", "Triggers", "Failures"};

/// The words for the kinds of triggers, in the order of TriggerKind.
const std::vector<std::string> TRIGGER_KINDS{"oneshot", "multishot", "barrier"};

class MatrixReader
{
  public:
    MatrixReader(std::istream& input, const std::string& fileName)
        : m_csv(input, fileName, 0)
    {
    }

    ConnectionMatrix Read();

  private:
    /// Reads the header lines.
    /// @return true if a line follows
    bool ReadHeader();
    /// Reads a line after the header.
    void ReadLine();
    /// @param arrow the position of `->` in the first word
    void ReadConnection(std::size_t arrow);
    /// Reads one attribute of a connection.
    void ReadAttribute(const std::string& name, ConnectionMatrix::Connection& connection);
    void ReadTrigger();
    void ReadFailure();
    /// Throws a FileComplaint if a count is wrong or a trigger is missing.
    void CheckWhole();

    uint64_t ToNumber(const std::string& what,
                      const std::string& text,
                      uint64_t least,
                      uint64_t most) const;
    /// Takes the next word.
    /// @param what the expected content, for error messages
    std::string Take(const std::string& what);
    /// @return the next word, as a number
    uint64_t TakeNumber(const std::string& what,
                        uint64_t least = 1,
                        uint64_t most = MAX_HTSIM_NUMBER);
    /// @return the next word, which is a start time, in picoseconds
    uint64_t TakeStart();
    /// Throws a FileComplaint if the attribute appears twice in the line.
    void RequireOnce(const std::string& name);

    LosslessCsvReader m_csv;
    ConnectionMatrix m_matrix;
    std::map<std::string, uint64_t> m_announced; ///< counts in the first lines
    std::size_t m_next{0};                       ///< index of the next word in the line
    std::set<std::string> m_names;               ///< names of attributes in the line
    std::unordered_set<uint32_t> m_connections;  ///< IDs of connections
    std::unordered_set<uint32_t> m_triggers;     ///< IDs of triggers
};

uint64_t
MatrixReader::ToNumber(const std::string& what,
                       const std::string& text,
                       uint64_t least,
                       uint64_t most) const
{
    const auto number = ParseWhole(text);
    if (!number || *number < least || *number > most)
    {
        m_csv.Complain(what + " is '" + text + "'; allowed is a whole number from " +
                       std::to_string(least) + " to " + std::to_string(most));
    }
    return *number;
}

std::string
MatrixReader::Take(const std::string& what)
{
    if (m_next == m_csv.GetFields().size())
    {
        m_csv.Complain("the line ends before " + what);
    }
    return m_csv.GetFields()[m_next++];
}

uint64_t
MatrixReader::TakeNumber(const std::string& what, uint64_t least, uint64_t most)
{
    return ToNumber(what, Take("the number of " + what), least, most);
}

uint64_t
MatrixReader::TakeStart()
{
    const std::string text = Take("the number of start");
    const auto number = ParseNumber(text);
    const auto latest = static_cast<double>(GetLatestStart().GetNanoSeconds()) * 1000;
    // The limit is 9e18, because a double cannot represent 2^63 - 1, the limit of llround().
    const double most = std::min(latest, 9e18);
    if (!number || *number < 0 || *number > most)
    {
        m_csv.Complain("start is '" + text + "'; allowed is a number of picoseconds from 0 to " +
                       std::to_string(std::llround(most)));
    }
    // A double represents every whole number of picoseconds only up to 2.5 hours.
    return ParseWhole(text).value_or(std::llround(*number));
}

void
MatrixReader::RequireOnce(const std::string& name)
{
    if (!m_names.insert(name).second)
    {
        m_csv.Complain(name + " stands in the line twice");
    }
}

bool
MatrixReader::ReadHeader()
{
    while (m_csv.ReadFields())
    {
        const auto& fields = m_csv.GetFields();
        const std::string& name = fields.front();
        if (std::find(HEADER.begin(), HEADER.end(), name) == HEADER.end())
        {
            return true;
        }
        if (fields.size() != 2)
        {
            m_csv.Complain("the line begins with '" + name + "' and has " +
                           CountThings(fields.size(), "word") + "; allowed is `" + name +
                           " NUMBER`, which announces how many there are");
        }
        if (m_announced.count(name) > 0)
        {
            m_csv.Complain("a second line says " + name);
        }
        m_announced[name] = ToNumber(name, fields[1], name == "Nodes" ? 2 : 0, MAX_HTSIM_NUMBER);
    }
    return false;
}

ConnectionMatrix
MatrixReader::Read()
{
    const bool hasMore = ReadHeader();
    for (const std::string name : {"Nodes", "Connections"})
    {
        if (m_announced.count(name) == 0)
        {
            m_csv.Complain("the line `" + name +
                           " NUMBER` is missing, with which connection matrices begin");
        }
    }
    m_matrix.hosts = static_cast<uint32_t>(m_announced["Nodes"]);
    if (hasMore)
    {
        do
        {
            ReadLine();
        } while (m_csv.ReadFields());
    }
    CheckWhole();
    return std::move(m_matrix);
}

void
MatrixReader::ReadLine()
{
    const std::string& first = m_csv.GetFields().front();
    const std::size_t arrow = first.find("->");
    m_next = 1;
    m_names.clear();
    if (arrow != std::string::npos)
    {
        ReadConnection(arrow);
    }
    else if (first == "trigger")
    {
        ReadTrigger();
    }
    else if (first == "failure")
    {
        ReadFailure();
    }
    else if (std::find(HEADER.begin(), HEADER.end(), first) != HEADER.end())
    {
        m_csv.Complain("the line begins with '" + first +
                       "', which announces how many there are; it must be above all connections, "
                       "triggers and failures");
    }
    else
    {
        m_csv.Complain("the line begins with '" + first +
                       "'; allowed is a connection as 0->5, trigger or failure");
    }
}

void
MatrixReader::ReadConnection(std::size_t arrow)
{
    const std::string ends = m_csv.GetFields().front();
    ConnectionMatrix::Connection connection;
    connection.line = m_csv.GetLine();
    const uint64_t last = m_matrix.hosts - 1;
    connection.source = static_cast<uint32_t>(ToNumber("sender", ends.substr(0, arrow), 0, last));
    connection.destination =
        static_cast<uint32_t>(ToNumber("receiver", ends.substr(arrow + 2), 0, last));
    if (connection.source == connection.destination)
    {
        m_csv.Complain("host " + std::to_string(connection.source) + " sends to itself");
    }
    while (m_next < m_csv.GetFields().size())
    {
        const std::string name = Take("an attribute");
        RequireOnce(name);
        ReadAttribute(name, connection);
    }
    if (m_names.count("size") == 0)
    {
        m_csv.Complain("the connection has no size");
    }
    if (m_names.count("start") == m_names.count("trigger"))
    {
        m_csv.Complain(m_names.count("start") == 0
                           ? "the connection has neither start nor trigger"
                           : "the connection has both start and trigger; it must have one");
    }
    if (connection.trigger > 0 && connection.id == 0)
    {
        m_csv.Complain("the connection has a trigger, but no id");
    }
    if (connection.id > 0 && !m_connections.insert(connection.id).second)
    {
        m_csv.Complain("id " + std::to_string(connection.id) + " is that of another connection");
    }
    m_matrix.connections.push_back(connection);
}

void
MatrixReader::ReadAttribute(const std::string& name, ConnectionMatrix::Connection& connection)
{
    const std::map<std::string, uint32_t*> numbers = {
        {"id", &connection.id},
        {"trigger", &connection.trigger},
        {"send_done_trigger", &connection.onSent},
        {"recv_done_trigger", &connection.onReceived},
    };
    const auto number = numbers.find(name);
    if (number != numbers.end())
    {
        *number->second = static_cast<uint32_t>(TakeNumber(name));
    }
    else if (name == "start")
    {
        connection.startPs = TakeStart();
    }
    else if (name == "size")
    {
        connection.bytes = std::max(TakeNumber(name, 0, MAX_FLOW_BYTES), EMPTY_FLOW_BYTES);
    }
    else if (name == "prio")
    {
        TakeNumber(name, 0); // has no effect in this module
    }
    else
    {
        const bool isKnown = name == "msg" || name == "addon";
        m_csv.Complain((isKnown ? "connections that are used again (" + name + ") are not read"
                                : "a connection has no attribute '" + name + "'") +
                       "; allowed are id, start, trigger, size, send_done_trigger, "
                       "recv_done_trigger and prio");
    }
}

void
MatrixReader::ReadTrigger()
{
    ConnectionMatrix::Trigger trigger;
    trigger.line = m_csv.GetLine();
    while (m_next < m_csv.GetFields().size())
    {
        const std::string name = Take("an attribute");
        const auto kind = std::find(TRIGGER_KINDS.begin(), TRIGGER_KINDS.end(), name);
        RequireOnce(kind != TRIGGER_KINDS.end() ? "a kind of trigger" : name);
        if (kind != TRIGGER_KINDS.end())
        {
            trigger.kind = ConnectionMatrix::TriggerKind(kind - TRIGGER_KINDS.begin());
        }
        else if (name == "id" || name == "count")
        {
            (name == "id" ? trigger.id : trigger.count) = static_cast<uint32_t>(TakeNumber(name));
        }
        else
        {
            m_csv.Complain("a trigger has no attribute '" + name +
                           "'; allowed are id, oneshot, multishot, barrier and count");
        }
    }
    if (trigger.id == 0 || m_names.count("a kind of trigger") == 0)
    {
        m_csv.Complain("a trigger needs an id, and one of oneshot, multishot and barrier");
    }
    const bool isBarrier = trigger.kind == ConnectionMatrix::TriggerKind::BARRIER;
    if (isBarrier != (trigger.count > 0))
    {
        m_csv.Complain(isBarrier ? "a barrier needs a count" : "only a barrier has a count");
    }
    if (!m_triggers.insert(trigger.id).second)
    {
        m_csv.Complain("id " + std::to_string(trigger.id) + " is that of another trigger");
    }
    m_matrix.triggers.push_back(trigger);
}

void
MatrixReader::ReadFailure()
{
    ConnectionMatrix::Failure failure;
    failure.line = m_csv.GetLine();
    while (m_next < m_csv.GetFields().size())
    {
        const std::string name = Take("an attribute");
        RequireOnce(name);
        if (name == "switch_type")
        {
            const std::string type = Take("the type of the switch");
            if (type != "AGG")
            {
                m_csv.Complain("switch_type is '" + type +
                               "'; allowed is AGG: htsim fails only links of aggregation switches "
                               "to core switches");
            }
        }
        else if (name == "switch_id" || name == "link_id")
        {
            (name == "switch_id" ? failure.aggregationSwitch : failure.uplink) =
                static_cast<uint32_t>(TakeNumber(name, 0));
        }
        else
        {
            m_csv.Complain("a failure has no attribute '" + name +
                           "'; allowed are switch_type, switch_id and link_id");
        }
    }
    if (m_names.size() != 3)
    {
        m_csv.Complain("a failure needs switch_type, switch_id and link_id");
    }
    m_matrix.failures.push_back(failure);
}

void
MatrixReader::CheckWhole()
{
    const std::map<std::string, std::size_t> counts = {
        {"Connections", m_matrix.connections.size()},
        {"Triggers", m_matrix.triggers.size()},
        {"Failures", m_matrix.failures.size()},
    };
    for (const auto& [name, count] : counts)
    {
        const uint64_t announced = m_announced[name];
        if (announced != count)
        {
            m_csv.Complain("the file ends here and has " + CountThings(count, "line") + " of its " +
                           name + "; its first lines announce " + std::to_string(announced));
        }
    }
    for (const auto& connection : m_matrix.connections)
    {
        for (const uint32_t trigger :
             {connection.trigger, connection.onSent, connection.onReceived})
        {
            if (trigger > 0 && m_triggers.count(trigger) == 0)
            {
                m_csv.Complain("the file ends here without trigger " + std::to_string(trigger) +
                               ", which line " + std::to_string(connection.line) + " names");
            }
        }
    }
}

void
WriteConnection(std::ostream& output, const ConnectionMatrix::Connection& connection)
{
    // Words are separated by exactly one space, because htsim would interpret a second space as an
    // unknown word.
    output << connection.source << "->" << connection.destination;
    const auto write = [&output](const std::string& name, uint64_t number) {
        if (number > 0)
        {
            output << ' ' << name << ' ' << number;
        }
    };
    write("id", connection.id);
    if (connection.trigger > 0)
    {
        write("trigger", connection.trigger);
    }
    else
    {
        output << " start " << connection.startPs;
    }
    write("size", connection.bytes);
    write("send_done_trigger", connection.onSent);
    write("recv_done_trigger", connection.onReceived);
    output << '\n';
}

} // namespace

ConnectionMatrix
ParseConnectionMatrix(std::istream& input, const std::string& fileName)
{
    return MatrixReader(input, fileName).Read();
}

void
WriteConnectionMatrix(std::ostream& output, const ConnectionMatrix& matrix)
{
    output << "Nodes " << matrix.hosts << "\nConnections " << matrix.connections.size() << '\n';
    if (!matrix.triggers.empty())
    {
        output << "Triggers " << matrix.triggers.size() << '\n';
    }
    if (!matrix.failures.empty())
    {
        output << "Failures " << matrix.failures.size() << '\n';
    }
    for (const auto& connection : matrix.connections)
    {
        WriteConnection(output, connection);
    }
    for (const auto& trigger : matrix.triggers)
    {
        output << "trigger id " << trigger.id << ' '
               << TRIGGER_KINDS[static_cast<std::size_t>(trigger.kind)];
        if (trigger.kind == ConnectionMatrix::TriggerKind::BARRIER)
        {
            output << " count " << trigger.count;
        }
        output << '\n';
    }
    for (const auto& failure : matrix.failures)
    {
        output << "failure switch_type AGG switch_id " << failure.aggregationSwitch << " link_id "
               << failure.uplink << '\n';
    }
}

} // namespace ns3::lossless
