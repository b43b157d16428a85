// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GZIP_READER_H
#define LOSSLESS_GZIP_READER_H

#include <cstddef>
#include <string>

namespace ns3::lossless
{

/// @return whether a file is compressed with gzip, judging by its first bytes
bool IsGzip(const std::string& bytes);

/// Decompresses a gzip file; throws a CsvComplaint if it is malformed, truncated or too large, and
/// always if the module was built without zlib.
/// @param bytes of a file with one or several members
/// @param most maximum bytes of the result
std::string Decompress(const std::string& bytes, const std::string& fileName, std::size_t most);

} // namespace ns3::lossless

#endif // LOSSLESS_GZIP_READER_H
