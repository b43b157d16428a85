// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CSV_WRITER_H
#define LOSSLESS_CSV_WRITER_H

#include "ns3/result-table.h"

#include <ostream>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Writes a row as a line of comma-separated values. A missing value is an empty field. A number
 * that is not an integer has the precision of the stream, which is six digits by default.
 */
void WriteCsvLine(std::ostream& os, const ResultTable::Row& row);

/**
 * @ingroup lossless
 * Writes a table as comma-separated values, with one line for the column names and one for each
 * row.
 */
void WriteCsv(std::ostream& os, const ResultTable& table);

} // namespace ns3::lossless

#endif /* LOSSLESS_CSV_WRITER_H */
