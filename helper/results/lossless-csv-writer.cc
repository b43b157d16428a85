// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-csv-writer.h"

#include "ns3/assert.h"

#include <cmath>
#include <type_traits>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// Writes a number with the precision of the stream, or with all digits if it is an integer.
void
WriteNumber(std::ostream& os, double value)
{
    // The limit is 2^53, because a double cannot represent all integers above it exactly.
    constexpr double wholeUpTo = 9007199254740992;
    if (std::abs(value) <= wholeUpTo && std::trunc(value) == value)
    {
        os << std::llround(value);
    }
    else
    {
        os << value;
    }
}

void
WriteCell(std::ostream& os, const ResultCell& cell)
{
    std::visit(
        [&os](const auto& value) {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, double>)
            {
                WriteNumber(os, value);
            }
            else if constexpr (!std::is_same_v<Value, std::monostate>)
            {
                os << value;
            }
        },
        cell.Get());
}

} // namespace

void
WriteCsvLine(std::ostream& os, const ResultTable::Row& row)
{
    const char* separator = "";
    for (const ResultCell& cell : row)
    {
        os << std::exchange(separator, ",");
        WriteCell(os, cell);
    }
    os << '\n';
}

void
WriteCsv(std::ostream& os, const ResultTable& table)
{
    WriteCsvLine(os, {table.columns.begin(), table.columns.end()});
    for (const ResultTable::Row& row : table.rows)
    {
        NS_ASSERT_MSG(row.size() == table.columns.size(),
                      "WriteCsv: a row has " << row.size() << " values for " << table.columns.size()
                                             << " columns.");
        WriteCsvLine(os, row);
    }
}

} // namespace ns3::lossless
