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

/// Opens a text file. The program stops with an error if the path is a folder or cannot be opened.
/// @return the file
std::ifstream OpenText(const std::string& path);

/// Reads a file that need not be text. The program stops with an error as in OpenText().
/// @param most the maximum number of bytes; if the file is longer, one more byte is read
std::string ReadBytes(const std::string& path, uint64_t most);

/// @param path the path of a file that can be opened
/// @return the reason why the file cannot contain words separated by blanks (it is empty, its first
/// line has an error, or it has a foreign format); unset if it can
std::optional<std::string> CheckText(const std::string& path);

/// @return the words of the line, which are separated by white space
std::vector<std::string> SplitWords(const std::string& line);

/// @return true if the bytes are valid UTF-8
bool IsUtf8(const std::string& text);

/// @return the text, in which control characters other than line feeds and tabs are escaped (as in
/// `\x1b`), because they could affect a terminal
std::string EscapeControls(const std::string& text);

/// @param number the number of things
/// @param thing the name of one thing, whose plural ends in s
/// @return the number and the name, such as "1 field" or "2 fields"
std::string CountThings(uint64_t number, const std::string& thing);

/**
 * @ingroup lossless
 * Reads the lines of a text file that a user or another program has written.
 *
 * A UTF-8 byte-order mark is skipped. Input that is not text, such as UTF-16, a binary file or an
 * endless file (/dev/zero), causes an error.
 */
class TextLines
{
  public:
    /// The maximum length of a line, in bytes.
    static constexpr std::size_t MAX_LINE = std::size_t{16} << 20;

    /// @param input the input stream, which must outlive this object
    /// @param name the file name for error messages
    /// @param separator the field separator of the format; see RecognizeForeignFormat()
    TextLines(std::istream& input, const std::string& name, char separator = 0);

    /// Reads the next line.
    /// @return false at the end of the file or after an error; see GetError()
    bool Next();

    /// @return the current line, without the line terminator
    const std::string& Get() const
    {
        return m_line;
    }

    /// @return the line number, starting at 1
    uint64_t GetNumber() const
    {
        return m_number;
    }

    /// @return the error that stopped Next() before the end of the file, if any
    const std::optional<std::string>& GetError() const
    {
        return m_error;
    }

    /// Recognizes the format from the first lines; see RecognizeForeignFormat(). No line can be
    /// read after this call.
    /// @return a clause that names the format, or an empty string
    std::string DescribeForeignFormat() const;

    /// @return the message about the current line. It is preceded by the file name and, unless the
    /// file is empty, the line number, and followed by the foreign format if
    /// RecognizeForeignFormat() finds one.
    std::string Complain(const std::string& sentence) const;

  private:
    /// Reads the rest of a line.
    /// @return the error, if any
    std::optional<std::string> Read();

    std::streambuf& m_source;
    std::string m_name;                      ///< file name
    char m_separator;                        ///< separator of fields, or 0
    std::string m_line;                      ///< current line
    mutable std::vector<std::string> m_head; ///< first lines of the file, as far as they have been
                                             ///< read
    uint64_t m_number{0};                    ///< number of the current line
    std::optional<std::string> m_error;      ///< error that stopped Next()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TEXT_LINES_H */
