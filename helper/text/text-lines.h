// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TEXT_LINES_H
#define LOSSLESS_TEXT_LINES_H

#include "ns3/abort.h"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <istream>
#include <optional>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// An exception that reports an error in a file. The message begins with "file:line: ", or with
/// "file: " if it does not concern a line.
class FileComplaint : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// @param read the function that reads a file; it may throw a FileComplaint
/// @return the message of the FileComplaint; unset if none was thrown
std::optional<std::string> CatchComplaint(const std::function<void()>& read);

/// Opens a text file. The program stops with an error if the path is a folder or cannot be opened.
/// @return the file
std::ifstream OpenText(const std::string& path);

/// Reads a text file. The program stops with an error as in OpenText(), or with the message of a
/// FileComplaint.
/// @param parse the function that reads the open file
/// @return what the function returns
template <typename PARSE>
auto
ReadText(const std::string& path, const PARSE& parse)
{
    std::ifstream input = OpenText(path);
    std::optional<decltype(parse(input))> read;
    const auto error = CatchComplaint([&] { read.emplace(parse(input)); });
    NS_ABORT_MSG_IF(error, *error);
    return std::move(*read);
}

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
 * endless file (/dev/zero), causes a FileComplaint.
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
    /// @return false at the end of the file
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

    /// Recognizes the format from the first lines; see RecognizeForeignFormat(). No line can be
    /// read after this call.
    /// @return a clause that names the format, or an empty string
    std::string DescribeForeignFormat() const;

    /// Throws a FileComplaint about the current line. The sentence is preceded by the file name
    /// and, unless the file is empty, the line number, and followed by the foreign format if
    /// RecognizeForeignFormat() finds one.
    [[noreturn]] void Complain(const std::string& sentence) const;

  private:
    /// Reads the rest of a line.
    /// @return what is wrong with it, if anything
    std::optional<std::string> Read();

    std::streambuf& m_source;
    std::string m_name;                      ///< file name
    char m_separator;                        ///< separator of fields, or 0
    std::string m_line;                      ///< current line
    mutable std::vector<std::string> m_head; ///< first lines of the file, as far as they have been
                                             ///< read
    uint64_t m_number{0};                    ///< number of the current line
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TEXT_LINES_H */
