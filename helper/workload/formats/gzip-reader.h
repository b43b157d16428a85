// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GZIP_READER_H
#define LOSSLESS_GZIP_READER_H

#include <cstddef>
#include <string>

namespace ns3::lossless
{

/// @return true if a file is compressed with gzip, according to its first bytes
bool IsGzip(const std::string& bytes);

/// Decompresses a gzip file. Throws a FileComplaint if the file is malformed, truncated or too
/// large, or if the module was built without zlib.
/// @param bytes the content of the file, which may have several members
/// @param most the maximum size of the result, in bytes
std::string Decompress(const std::string& bytes, const std::string& fileName, std::size_t most);

} // namespace ns3::lossless

#endif // LOSSLESS_GZIP_READER_H
