// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RESULT_TABLE_H
#define LOSSLESS_RESULT_TABLE_H

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A value in a table: nothing, a truth value, a whole number, a number or a string.
 */
class ResultCell
{
  public:
    /// Any value.
    using Value = std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string>;

    /// Nothing.
    ResultCell() = default;

    /// @param text without commas, quotes or line breaks
    ResultCell(std::string text)
        : m_value(std::move(text))
    {
    }

    /// @param text without commas, quotes or line breaks
    ResultCell(const char* text)
        : m_value(std::string(text))
    {
    }

    /// A number.
    ResultCell(double number)
        : m_value(number)
    {
    }

    /// A truth value.
    ResultCell(bool truth)
        : m_value(truth)
    {
    }

    /// A whole number.
    template <typename T, std::enable_if_t<std::is_integral_v<T>, bool> = true>
    ResultCell(T number)
        : m_value(static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(number))
    {
    }

    /// An instant or a span, in whole nanoseconds.
    ResultCell(Time time)
        : m_value(time.GetNanoSeconds())
    {
    }

    /// The number of a port.
    ResultCell(PortId port)
        : ResultCell(Index(port))
    {
    }

    /// The number of a class.
    ResultCell(Priority priority)
        : ResultCell(Index(priority))
    {
    }

    /// A value that may be missing.
    template <typename T>
    ResultCell(const std::optional<T>& value)
        : ResultCell(value ? ResultCell(*value) : ResultCell())
    {
    }

    /// @return what it holds
    const Value& Get() const
    {
        return m_value;
    }

  private:
    Value m_value; ///< what it holds
};

/**
 * @ingroup lossless
 * Results of a recorder as rows of values under named columns. WriteCsv() writes them to a file.
 */
struct ResultTable
{
    /// One value for each column.
    using Row = std::vector<ResultCell>;

    std::vector<std::string> columns; ///< names, as in the header line
    std::vector<Row> rows;            ///< in the order of the file
};

/// What run.json says under one name: a value, several strings, or a list of objects with a member
/// for each column; a row may be shorter, and its object then lacks the last members.
using ResultFact = std::variant<ResultCell, std::vector<std::string>, ResultTable>;
/// By name, in the order of the file.
using ResultFacts = std::vector<std::pair<std::string, ResultFact>>;

} // namespace ns3::lossless

#endif /* LOSSLESS_RESULT_TABLE_H */
