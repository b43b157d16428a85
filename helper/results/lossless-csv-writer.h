// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CSV_WRITER_H
#define LOSSLESS_CSV_WRITER_H

#include "ns3/result-table.h"

#include <ostream>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Writes a table as comma-separated values: the names of the columns, then a line for each row. A
 * missing value is an empty field; a number that is not whole has as many digits as the stream
 * writes, six by default.
 */
void WriteCsv(std::ostream& os, const ResultTable& table);

} // namespace ns3::lossless

#endif /* LOSSLESS_CSV_WRITER_H */
