// SPDX-License-Identifier: GPL-2.0-only
#include "text-lines.h"

#include "foreign-format.h"

#include "ns3/abort.h"

#include <boost/locale/utf.hpp>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <system_error>

namespace ns3::lossless
{

namespace
{

/// UTF-8 byte-order mark.
const std::string MARK = "\xEF\xBB\xBF";

/// The number of lines, and of bytes per line, that suffice to recognize a format.
constexpr std::size_t HEAD_LINES = 8;
constexpr std::size_t HEAD_BYTES = 1024;

} // namespace

std::vector<std::string>
SplitWords(const std::string& line)
{
    std::istringstream text(line);
    return {std::istream_iterator<std::string>(text), std::istream_iterator<std::string>()};
}

bool
IsUtf8(const std::string& text)
{
    namespace utf = boost::locale::utf;
    auto next = text.begin();
    bool isValid = true;
    while (isValid && next != text.end())
    {
        const utf::code_point point = utf::utf_traits<char>::decode(next, text.end());
        isValid = point != utf::illegal && point != utf::incomplete;
    }
    return isValid;
}

std::ifstream
OpenText(const std::string& path)
{
    std::error_code ignored;
    NS_ABORT_MSG_IF(std::filesystem::is_directory(path, ignored),
                    "'" << path << "' is a folder; name a file");
    errno = 0;
    std::ifstream input(path);
    const int error = errno;
    const bool isLookedFor = error == ENOENT && std::filesystem::path(path).is_relative();
    NS_ABORT_MSG_IF(!input,
                    "cannot open the file '"
                        << path << "': " << std::generic_category().message(error)
                        << (isLookedFor
                                ? "; the folder is " + std::filesystem::current_path().string()
                                : ""));
    return input;
}

std::optional<std::string>
CheckText(const std::string& path)
{
    std::ifstream input = OpenText(path);
    TextLines lines(input, path);
    lines.Next();
    const std::string format = lines.DescribeForeignFormat();
    return lines.GetError() || format.empty() ? lines.GetError()
                                              : std::optional(path + ": " + format);
}

TextLines::TextLines(std::istream& input, const std::string& name)
    : m_source(*input.rdbuf()),
      m_name(name)
{
}

bool
TextLines::Next()
{
    if (m_error || m_source.sgetc() == std::streambuf::traits_type::eof())
    {
        return false;
    }
    ++m_number;
    if (const auto problem = Read())
    {
        m_error = Complain(*problem);
        return false;
    }
    return true;
}

std::optional<std::string>
TextLines::Read()
{
    using Traits = std::streambuf::traits_type;
    m_line.clear();
    // Reads character by character, because a file without line ends may be endless.
    for (auto next = m_source.sbumpc(); next != Traits::eof() && next != '\n';
         next = m_source.sbumpc())
    {
        if (next == 0)
        {
            return "the line has a byte of value 0; the file must be a text in UTF-8";
        }
        if (m_line.size() == MAX_LINE)
        {
            return "the line is longer than " + std::to_string(MAX_LINE) +
                   " bytes; the file must be a text";
        }
        m_line += Traits::to_char_type(next);
    }
    if (!IsUtf8(m_line))
    {
        return "the line is not a text in UTF-8, as which the file must be saved";
    }
    if (m_number == 1 && m_line.compare(0, MARK.size(), MARK) == 0)
    {
        m_line.erase(0, MARK.size());
    }
    if (m_head.size() < HEAD_LINES)
    {
        m_head.push_back(m_line.substr(0, HEAD_BYTES));
    }
    return std::nullopt;
}

std::string
TextLines::DescribeForeignFormat() const
{
    std::size_t bytes = 0; // total size of the inspected lines
    for (bool isBegun = false; m_head.size() < HEAD_LINES && bytes < HEAD_LINES * HEAD_BYTES;
         ++bytes)
    {
        const auto next = m_source.sbumpc();
        if (next == std::streambuf::traits_type::eof())
        {
            break;
        }
        if (!isBegun)
        {
            m_head.emplace_back();
        }
        isBegun = next != '\n';
        m_head.back() +=
            isBegun ? std::string(1, std::streambuf::traits_type::to_char_type(next)) : "";
    }
    return RecognizeForeignFormat(m_head);
}

std::string
TextLines::Complain(const std::string& sentence) const
{
    const std::string format = DescribeForeignFormat();
    return m_name + ":" + std::to_string(m_number) + ": " + sentence +
           (format.empty() ? "" : "; " + format);
}

} // namespace ns3::lossless
