// SPDX-License-Identifier: GPL-2.0-only
#include "gzip-reader.h"

#include "ns3/text-lines.h"

#ifdef LOSSLESS_ZLIB
#include <algorithm>
#include <limits>
#include <zlib.h>
#endif

namespace ns3::lossless
{

bool
IsGzip(const std::string& bytes)
{
    return bytes.compare(0, 2, "\x1f\x8b") == 0;
}

#ifdef LOSSLESS_ZLIB

namespace
{

/// A zlib stream that decompresses gzip data.
class Inflater
{
  public:
    explicit Inflater(const std::string& bytes)
        : m_bytes(bytes)
    {
        constexpr int GZIP_ONLY = 16; // added to the logarithm of the window size; see zlib.h
        if (inflateInit2(&m_stream, MAX_WBITS + GZIP_ONLY) != Z_OK)
        {
            throw FileComplaint("zlib finds no memory");
        }
    }

    ~Inflater()
    {
        inflateEnd(&m_stream);
    }

    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    std::size_t GetRead() const
    {
        return m_read;
    }

    /// Decompresses some bytes.
    /// @param size the maximum number of bytes
    /// @return the number of bytes, or 0 after the end of the last member; unset if the data are
    /// malformed or truncated
    std::optional<std::size_t> Read(char* output, std::size_t size)
    {
        m_stream.next_out = reinterpret_cast<Bytef*>(output);
        m_stream.avail_out = static_cast<uInt>(size);
        while (m_stream.avail_out == size && m_read < m_bytes.size())
        {
            // zlib has 32-bit counters. It does not write through next_in.
            const std::size_t left =
                std::min<std::size_t>(m_bytes.size() - m_read, std::numeric_limits<uInt>::max());
            m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(m_bytes.data() + m_read));
            m_stream.avail_in = static_cast<uInt>(left);
            const int result = inflate(&m_stream, Z_NO_FLUSH);
            m_read += left - m_stream.avail_in;
            m_isEnded = result == Z_STREAM_END;
            // A file may have several members.
            const bool isFine = m_isEnded ? inflateReset(&m_stream) == Z_OK : result == Z_OK;
            if (!isFine)
            {
                return std::nullopt;
            }
        }
        const std::size_t count = size - m_stream.avail_out;
        return count > 0 || m_isEnded ? std::make_optional(count) : std::nullopt;
    }

  private:
    const std::string& m_bytes; ///< compressed bytes
    std::size_t m_read{0};      ///< number of bytes read
    bool m_isEnded{false};      ///< true if a member has just ended
    z_stream m_stream{};
};

} // namespace

std::string
Decompress(const std::string& bytes, const std::string& fileName, std::size_t most)
{
    Inflater inflater(bytes);
    std::string content;
    std::string block(std::size_t{1} << 16, '\0');
    while (true)
    {
        const auto count = inflater.Read(block.data(), block.size());
        if (!count)
        {
            throw FileComplaint(fileName + ": at byte " + std::to_string(inflater.GetRead()) +
                                " of the compressed file: " +
                                (inflater.GetRead() == bytes.size()
                                     ? "the file ends too early"
                                     : "this was not compressed by gzip"));
        }
        if (*count == 0)
        {
            return content;
        }
        if (content.size() + *count > most)
        {
            throw FileComplaint(fileName + ": there are more than " + std::to_string(most) +
                                " bytes once it is decompressed, which is the most");
        }
        content.append(block, 0, *count);
    }
}

#else

std::string
Decompress(const std::string&, const std::string& fileName, std::size_t)
{
    throw FileComplaint(fileName + ": the file is compressed with gzip, which this build does not "
                                   "read: zlib was not found; decompress it with gunzip");
}

#endif

} // namespace ns3::lossless
