// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RESULT_TABLE_H
#define LOSSLESS_RESULT_TABLE_H

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A value in a table. It is empty, a Boolean, an integer, a floating-point number or a string.
 */
class ResultCell
{
  public:
    /// The possible types of a value.
    using Value = std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string>;

    /// Creates an empty cell.
    ResultCell() = default;

    /// @param text a string without commas, quotes or line breaks
    ResultCell(std::string text)
        : m_value(std::move(text))
    {
    }

    /// @param text a string without commas, quotes or line breaks
    ResultCell(const char* text)
        : m_value(std::string(text))
    {
    }

    /// Creates a cell with a floating-point number.
    ResultCell(double number)
        : m_value(number)
    {
    }

    /// Creates a cell with a Boolean.
    ResultCell(bool truth)
        : m_value(truth)
    {
    }

    /// Creates a cell with an integer.
    template <typename T, std::enable_if_t<std::is_integral_v<T>, bool> = true>
    ResultCell(T number)
        : m_value(static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(number))
    {
    }

    /// Creates a cell with a time in whole nanoseconds.
    ResultCell(Time time)
        : m_value(time.GetNanoSeconds())
    {
    }

    /// Creates a cell with a port number.
    ResultCell(PortId port)
        : ResultCell(Index(port))
    {
    }

    /// Creates a cell with a class number.
    ResultCell(Priority priority)
        : ResultCell(Index(priority))
    {
    }

    /// Creates a cell with an optional value.
    template <typename T>
    ResultCell(const std::optional<T>& value)
        : ResultCell(value ? ResultCell(*value) : ResultCell())
    {
    }

    /// @return the value
    const Value& Get() const
    {
        return m_value;
    }

  private:
    Value m_value; ///< the value
};

/**
 * @ingroup lossless
 * The results of a recorder, as rows of values in named columns. WriteCsv() writes them to a file.
 */
struct ResultTable
{
    /// The values of one row, in the order of the columns.
    using Row = std::vector<ResultCell>;

    /// @param header the names of the columns, separated by commas, as in the file
    /// @return a table without rows
    static ResultTable WithHeader(const std::string& header)
    {
        ResultTable table;
        std::istringstream names(header);
        for (std::string name; std::getline(names, name, ',');)
        {
            table.columns.push_back(name);
        }
        return table;
    }

    std::vector<std::string> columns; ///< the names of the columns
    std::vector<Row> rows;            ///< the rows, in the order of the file
};

/// The content of one member of run.json: a value, an array of strings, or an array of objects,
/// each of which has a member for each column. If a row has fewer cells than there are columns, its
/// object lacks the members of the missing cells.
using ResultFact = std::variant<ResultCell, std::vector<std::string>, ResultTable>;
/// The facts and their names, in the order in which they are written.
using ResultFacts = std::vector<std::pair<std::string, ResultFact>>;

} // namespace ns3::lossless

#endif /* LOSSLESS_RESULT_TABLE_H */
