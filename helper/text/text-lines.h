// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TEXT_LINES_H
#define LOSSLESS_TEXT_LINES_H

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <istream>
#include <optional>
#include <streambuf>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// @return an open text file; a folder, or a file that cannot be opened, stops the program
std::ifstream OpenText(const std::string& path);

/// @param path of a file that can be opened
/// @return why it cannot be read as text, or its foreign format, judging by its first lines
std::optional<std::string> CheckText(const std::string& path);

/// @return whether the bytes are valid UTF-8
bool IsUtf8(const std::string& text);

/**
 * @ingroup lossless
 * The lines of a text written by users or other programs.
 *
 * A UTF-8 byte-order mark is skipped. What is not a text, such as UTF-16, a binary file or an
 * endless one (/dev/zero), ends with an error.
 */
class TextLines
{
  public:
    /// Longest line, in bytes.
    static constexpr std::size_t MAX_LINE = std::size_t{16} << 20;

    /// @param input must outlive this object
    /// @param name of the file, for messages
    TextLines(std::istream& input, const std::string& name);

    /// Goes to the next line.
    /// @return false at the end of the text or after an error, see GetError()
    bool Next();

    /// @return the current line, without its end
    const std::string& Get() const
    {
        return m_line;
    }

    /// @return number of the line, from 1
    uint64_t GetNumber() const
    {
        return m_number;
    }

    /// @return why Next() stopped before the end of the text; nothing if it did not
    const std::optional<std::string>& GetError() const
    {
        return m_error;
    }

    /// @return format of the text by its first lines, see RecognizeForeignFormat(); no line can be
    /// read afterwards
    std::string DescribeForeignFormat() const;

    /// @return the sentence about the current line, with file and line before it and, if
    /// recognised, the foreign format after it, see RecognizeForeignFormat()
    std::string Complain(const std::string& sentence) const;

  private:
    /// Reads up to the end of a line. @return the error, if any
    std::optional<std::string> Read();

    std::streambuf& m_source;
    std::string m_name;                      ///< of the file
    std::string m_line;                      ///< current line
    mutable std::vector<std::string> m_head; ///< first lines, as far as inspected
    uint64_t m_number{0};                    ///< of the current line
    std::optional<std::string> m_error;      ///< ended Next()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TEXT_LINES_H */
