// SPDX-License-Identifier: GPL-2.0-only
#include "text-lines.h"

#include "foreign-format.h"

#include "ns3/abort.h"

#include <algorithm>
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

std::string
EscapeControls(const std::string& text)
{
    constexpr const char* digits = "0123456789abcdef";
    std::string shown;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const auto byte = static_cast<unsigned char>(text[i]);
        // The control characters of ISO 6429 from U+0080 to U+009F have two bytes in UTF-8.
        const bool isBegun =
            byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
        const bool isControl = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
        if (isControl || isBegun)
        {
            shown += std::string("\\x") + digits[byte / 16] + digits[byte % 16];
        }
        else
        {
            shown += text[i];
        }
    }
    return shown;
}

std::string
CountThings(uint64_t number, const std::string& thing)
{
    return std::to_string(number) + " " + thing + (number == 1 ? "" : "s");
}

std::optional<std::string>
CatchComplaint(const std::function<void()>& read)
{
    try
    {
        read();
    }
    catch (const FileComplaint& complaint)
    {
        return complaint.what();
    }
    return std::nullopt;
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

std::string
ReadBytes(const std::string& path, uint64_t most)
{
    std::ifstream input = OpenText(path);
    std::string bytes;
    std::string block(std::size_t{1} << 16, '\0');
    while (bytes.size() <= most)
    {
        input.read(block.data(),
                   static_cast<std::streamsize>(
                       std::min<uint64_t>(block.size(), most + 1 - bytes.size())));
        if (input.gcount() == 0)
        {
            break;
        }
        bytes.append(block, 0, static_cast<std::size_t>(input.gcount()));
    }
    return bytes;
}

std::optional<std::string>
CheckText(const std::string& path)
{
    return CatchComplaint([&] {
        std::ifstream input = OpenText(path);
        TextLines lines(input, path, ' ');
        const std::string format =
            lines.Next() ? lines.DescribeForeignFormat() : "the file is empty";
        if (!format.empty())
        {
            throw FileComplaint(path + ": " + format);
        }
    });
}

TextLines::TextLines(std::istream& input, const std::string& name, char separator)
    : m_source(*input.rdbuf()),
      m_name(name),
      m_separator(separator)
{
}

bool
TextLines::Next()
{
    if (m_source.sgetc() == std::streambuf::traits_type::eof())
    {
        return false;
    }
    ++m_number;
    const auto problem = Read();
    const std::string standIn = m_number == 1 ? RecognizeStandIn(m_line) : "";
    if (!standIn.empty())
    {
        throw FileComplaint(m_name + ": " + standIn);
    }
    if (problem)
    {
        Complain(*problem);
    }
    return true;
}

std::optional<std::string>
TextLines::Read()
{
    using Traits = std::streambuf::traits_type;
    m_line.clear();
    // Read character by character, because a file without line ends may be endless.
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
    const std::size_t lone = m_line.find('\r');
    if (lone < m_line.find_last_not_of('\r') + 1)
    {
        return "its line ends are missing: there are carriage returns (CR) alone; save it with LF "
               "or CR LF";
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
    return RecognizeForeignFormat(m_head, m_separator);
}

void
TextLines::Complain(const std::string& sentence) const
{
    const std::string format = DescribeForeignFormat();
    const std::string line = m_number == 0 ? "" : ":" + std::to_string(m_number);
    throw FileComplaint(m_name + line + ": " + sentence + (format.empty() ? "" : "; " + format));
}

} // namespace ns3::lossless
