// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-csv-reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

namespace ns3::lossless
{

namespace
{

const std::string BLANKS = " \t\r";

/// @param line a text @param separator between fields @return its fields, trimmed
std::vector<std::string>
SplitAt(const std::string& line, char separator)
{
    std::vector<std::string> fields;
    std::istringstream text(line + separator);
    std::string field;
    while (std::getline(text, field, separator))
    {
        const auto begin = std::min(field.find_first_not_of(BLANKS), field.size());
        const auto end = field.find_last_not_of(BLANKS) + 1;
        fields.push_back(field.substr(begin, end > begin ? end - begin : 0));
    }
    return fields;
}

/// @param line a text @return its words
std::vector<std::string>
SplitWords(const std::string& line)
{
    std::istringstream text(line);
    return {std::istream_iterator<std::string>(text), std::istream_iterator<std::string>()};
}

/// @param names names @param separator between them @return one text
std::string
Join(const std::vector<std::string>& names, char separator)
{
    std::string text;
    for (const auto& name : names)
    {
        text += (text.empty() ? "" : std::string(1, separator)) + name;
    }
    return text;
}

} // namespace

LosslessCsvReader::LosslessCsvReader(std::istream& input, std::string fileName, char separator)
    : m_lines(input, fileName),
      m_fileName(std::move(fileName)),
      m_separator(separator)
{
}

bool
LosslessCsvReader::ReadFields()
{
    while (m_lines.Next())
    {
        const std::string& line = m_lines.Get();
        const auto first = line.find_first_not_of(BLANKS);
        if (first == std::string::npos || line[first] == '#')
        {
            continue;
        }
        m_fields = m_separator == ' ' ? SplitWords(line) : SplitAt(line, m_separator);
        return true;
    }
    m_error = m_lines.GetError();
    return false;
}

std::optional<std::string>
LosslessCsvReader::NameFields(const std::vector<std::string>& columns)
{
    if (m_fields.size() != columns.size())
    {
        return Complain("the line has " + std::to_string(m_fields.size()) +
                        " fields; it must have " + std::to_string(columns.size()) + ": " +
                        Join(columns, m_separator));
    }
    m_columns.clear();
    for (size_t i = 0; i < columns.size(); i++)
    {
        m_columns[columns[i]] = i;
    }
    return std::nullopt;
}

const std::vector<std::string>&
LosslessCsvReader::GetFields() const
{
    return m_fields;
}

std::optional<std::string>
LosslessCsvReader::ReadHeader(const std::vector<std::string>& required,
                              const std::vector<std::string>& optional)
{
    const std::string allowed =
        "the header must name the columns " + Join(required, m_separator) +
        (optional.empty() ? "" : " and may name " + Join(optional, m_separator));
    if (!ReadFields())
    {
        return m_error.value_or(m_fileName + ": the file has no header line; " + allowed);
    }
    std::set<std::string> known(required.begin(), required.end());
    known.insert(optional.begin(), optional.end());
    for (size_t i = 0; i < m_fields.size(); i++)
    {
        if (known.count(m_fields[i]) == 0)
        {
            return Complain("unknown column '" + m_fields[i] + "'; " + allowed);
        }
        if (!m_columns.emplace(m_fields[i], i).second)
        {
            return Complain("column '" + m_fields[i] + "' appears twice; " + allowed);
        }
    }
    for (const auto& column : required)
    {
        if (!Has(column))
        {
            return Complain("column '" + column + "' is missing; " + allowed);
        }
    }
    return std::nullopt;
}

bool
LosslessCsvReader::Next()
{
    if (m_error || !ReadFields())
    {
        return false;
    }
    if (m_fields.size() != m_columns.size())
    {
        m_error = Complain("the line has " + std::to_string(m_fields.size()) +
                           " fields; the header names " + std::to_string(m_columns.size()));
        return false;
    }
    return true;
}

const std::optional<std::string>&
LosslessCsvReader::GetError() const
{
    return m_error;
}

bool
LosslessCsvReader::Has(const std::string& column) const
{
    return m_columns.count(column) > 0;
}

const std::string&
LosslessCsvReader::Get(const std::string& column) const
{
    return m_fields.at(m_columns.at(column));
}

std::string
LosslessCsvReader::Complain(const std::string& column, const std::string& allowed) const
{
    return Complain(column + " is '" + Get(column) + "'; allowed is " + allowed);
}

std::string
LosslessCsvReader::Complain(const std::string& sentence) const
{
    return m_lines.Complain(sentence);
}

std::optional<double>
LosslessCsvReader::ToDouble(const std::string& text)
{
    // strtod alone would also take blanks, hexadecimal numbers, "inf" and "nan".
    if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos)
    {
        return std::nullopt;
    }
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size() || !std::isfinite(number))
    {
        return std::nullopt;
    }
    return number;
}

std::optional<uint64_t>
LosslessCsvReader::ToUint(const std::string& text)
{
    uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    if (result.ec != std::errc() || result.ptr != end)
    {
        return std::nullopt;
    }
    return number;
}

} // namespace ns3::lossless
