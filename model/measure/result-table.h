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
 * A value in a table: nothing, a whole number, a number or a text.
 */
class ResultCell
{
  public:
    /// What a cell holds.
    using Value = std::variant<std::monostate, int64_t, uint64_t, double, std::string>;

    /// Nothing.
    ResultCell() = default;

    /// @param text a text without comma, quote and line break
    ResultCell(std::string text)
        : m_value(std::move(text))
    {
    }

    /// @param text a text without comma, quote and line break
    ResultCell(const char* text)
        : m_value(std::string(text))
    {
    }

    /// @param number a number
    ResultCell(double number)
        : m_value(number)
    {
    }

    /// @param number a whole number
    template <typename T, std::enable_if_t<std::is_integral_v<T>, bool> = true>
    ResultCell(T number)
        : m_value(static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(number))
    {
    }

    /// @param time an instant or a span, noted in whole nanoseconds
    ResultCell(Time time)
        : m_value(time.GetNanoSeconds())
    {
    }

    /// @param port a port, noted by its number
    ResultCell(PortId port)
        : ResultCell(Index(port))
    {
    }

    /// @param priority a class, noted by its number
    ResultCell(Priority priority)
        : ResultCell(Index(priority))
    {
    }

    /// @param value a value that may be missing
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
 * What a recorder has found, as rows of values under named columns.
 *
 * Recorders give tables and do not know their files: ResultsWriter::AddTable() names those, and
 * WriteCsv() writes all of them.
 */
struct ResultTable
{
    /// One value for each column.
    using Row = std::vector<ResultCell>;

    std::vector<std::string> columns; ///< names, as the header line shows them
    std::vector<Row> rows;            ///< in the order of the file
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RESULT_TABLE_H */
