// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GZIP_READER_H
#define LOSSLESS_GZIP_READER_H

#include <cstddef>
#include <string>

namespace ns3::lossless
{

/// @param bytes of a file @return whether it is compressed with gzip, by its first bytes
bool IsGzip(const std::string& bytes);

/**
 * Decompresses what gzip has compressed; throws a CsvComplaint about what is malformed, cut short
 * or too large, and about any file if the module was built without zlib.
 * @param bytes of a file, of one or several members
 * @param fileName for the complaint
 * @param most bytes allowed in the result
 * @return the content
 */
std::string Decompress(const std::string& bytes, const std::string& fileName, std::size_t most);

} // namespace ns3::lossless

#endif // LOSSLESS_GZIP_READER_H
