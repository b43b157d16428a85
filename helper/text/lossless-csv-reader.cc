// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-csv-reader.h"

#include "option-text.h"
#include "quantity-text.h"

#include <boost/algorithm/string.hpp>
#include <set>

namespace ns3::lossless
{

namespace
{

const std::string BLANKS = " \t\r\f\v"; // word separators

std::vector<std::string>
SplitAt(const std::string& line, char separator)
{
    std::vector<std::string> fields = Split(line, separator);
    for (std::string& field : fields)
    {
        boost::algorithm::trim_if(field, boost::algorithm::is_any_of(BLANKS));
    }
    return fields;
}

/// @return whether the line has no content: it is empty, a comment, a row of empty cells, or the
/// line in which Excel declares the separator
bool
IsIdle(const std::string& line, char separator)
{
    const auto first = line.find_first_not_of(BLANKS + separator);
    return first == std::string::npos || line[first] == '#' ||
           boost::algorithm::istarts_with(line, "sep=,");
}

} // namespace

LosslessCsvReader::LosslessCsvReader(std::istream& input,
                                     const std::string& fileName,
                                     char separator)
    : m_lines(input, fileName, separator),
      m_fileName(fileName),
      m_separator(separator)
{
}

bool
LosslessCsvReader::ReadFields()
{
    while (m_lines.Next())
    {
        const std::string& line = m_lines.Get();
        if (IsIdle(line, m_separator))
        {
            continue;
        }
        m_fields = m_separator == ',' ? SplitAt(line, m_separator) : SplitWords(line);
        return true;
    }
    return false;
}

void
LosslessCsvReader::NameFields(const std::vector<std::string>& columns)
{
    if (m_fields.size() != columns.size())
    {
        Complain("the line has " + CountThings(m_fields.size(), "field") + "; it must have " +
                 std::to_string(columns.size()) + ": " +
                 boost::algorithm::join(columns, std::string(1, m_separator)));
    }
    m_columns.clear();
    for (size_t i = 0; i < columns.size(); i++)
    {
        m_columns[columns[i]] = i;
    }
}

void
LosslessCsvReader::ReadHeader(const std::vector<std::string>& required,
                              const std::vector<std::string>& optional)
{
    const std::string allowed =
        "the header must name the columns " +
        boost::algorithm::join(required, std::string(1, m_separator)) +
        (optional.empty()
             ? ""
             : " and may name " + boost::algorithm::join(optional, std::string(1, m_separator)));
    if (!ReadFields())
    {
        throw FileComplaint(m_fileName + ": the file has no header line; " + allowed);
    }
    std::set<std::string> known(required.begin(), required.end());
    known.insert(optional.begin(), optional.end());
    for (size_t i = 0; i < m_fields.size(); i++)
    {
        // Spreadsheets may begin names with a capital letter.
        const std::string column = boost::algorithm::to_lower_copy(m_fields[i]);
        if (known.count(column) == 0)
        {
            // Complain() names a foreign format, in which case the allowed columns would not help.
            const bool isForeign = !m_lines.DescribeForeignFormat().empty();
            Complain("unknown column '" + m_fields[i] + "'" + (isForeign ? "" : "; " + allowed));
        }
        if (!m_columns.emplace(column, i).second)
        {
            Complain("column '" + m_fields[i] + "' appears twice; " + allowed);
        }
    }
    for (const auto& column : required)
    {
        if (!Has(column))
        {
            Complain("column '" + column + "' is missing; " + allowed);
        }
    }
}

bool
LosslessCsvReader::Next()
{
    const bool isThere = ReadFields();
    if (isThere && m_fields.size() != m_columns.size())
    {
        Complain("the line has " + CountThings(m_fields.size(), "field") + "; the header names " +
                 std::to_string(m_columns.size()));
    }
    return isThere;
}

bool
LosslessCsvReader::Has(const std::string& column) const
{
    return m_columns.count(column) > 0;
}

const std::string&
LosslessCsvReader::Get(const std::string& column) const
{
    static const std::string none;
    const auto place = m_columns.find(column);
    return place == m_columns.end() ? none : m_fields.at(place->second);
}

uint64_t
LosslessCsvReader::GetWhole(const std::string& column, uint64_t least, uint64_t most) const
{
    const auto number = ParseCount(Get(column));
    // Test the condition first, because formatting the message is slow.
    if (!number || *number < least || *number > most)
    {
        const bool isBounded = most != std::numeric_limits<uint64_t>::max();
        Require(false,
                column,
                isBounded
                    ? "a whole number from " + std::to_string(least) + " to " + std::to_string(most)
                    : "a whole number of at least " + std::to_string(least));
    }
    return *number;
}

void
LosslessCsvReader::Require(bool condition,
                           const std::string& column,
                           const std::string& allowed) const
{
    if (!condition)
    {
        Complain(column + " is '" + Get(column) + "'; allowed is " + allowed);
    }
}

void
LosslessCsvReader::Complain(const std::string& sentence) const
{
    m_lines.Complain(sentence);
}

} // namespace ns3::lossless
