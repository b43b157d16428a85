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

/**
 * Opens a file that is to be read as a text; stops the program, with a sentence, if that is a
 * folder or cannot be opened.
 * @param path the file
 * @return its content
 */
std::ifstream OpenText(const std::string& path);

/// @param path a file that can be opened @return why it cannot be read as a text, or what it is if
/// it is of a foreign format, by its first lines
std::optional<std::string> CheckText(const std::string& path);

/// @param text any bytes @return whether they are a text in UTF-8
bool IsUtf8(const std::string& text);

/**
 * @ingroup lossless
 * The lines of a text which users or other programs have written.
 *
 * The mark (byte-order mark) that some programs write before a text in UTF-8 is passed over.
 * What is no text at all, such as one in UTF-16, a binary file or an endless one (/dev/zero),
 * ends with a complaint.
 */
class TextLines
{
  public:
    /// Longest line, in bytes.
    static constexpr std::size_t MAX_LINE = std::size_t{16} << 20;

    /// @param input the text; must outlive this object @param name name of the file, for complaints
    TextLines(std::istream& input, const std::string& name);

    /// Goes to the next line. @return false at the end of the text, or if it is none: GetError()
    bool Next();

    /// @return the current line, without its end
    const std::string& Get() const
    {
        return m_line;
    }

    /// @return its number, from 1
    uint64_t GetNumber() const
    {
        return m_number;
    }

    /// @return why Next() has ended before the text; nothing if it has not
    const std::optional<std::string>& GetError() const
    {
        return m_error;
    }

    /// @return what the text is by its first lines, see RecognizeForeignFormat(); nothing can be
    /// read behind it
    std::string DescribeForeignFormat() const;

    /// @param sentence what is wrong with the current line @return the same, after file and line,
    /// and what the file is if that can be told, see RecognizeForeignFormat()
    std::string Complain(const std::string& sentence) const;

  private:
    /// Reads up to the end of a line. @return what is wrong with it
    std::optional<std::string> Read();

    std::streambuf& m_source;                ///< the text
    std::string m_name;                      ///< of the file
    std::string m_line;                      ///< the current line
    mutable std::vector<std::string> m_head; ///< the first lines, as far as they were looked at
    uint64_t m_number{0};                    ///< of that line
    std::optional<std::string> m_error;      ///< what ended Next()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TEXT_LINES_H */
