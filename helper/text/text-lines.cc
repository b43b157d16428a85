// SPDX-License-Identifier: GPL-2.0-only
#include "text-lines.h"

#include "ns3/abort.h"

#include <boost/locale/utf.hpp>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace ns3::lossless
{

namespace
{

/// The byte-order mark, in UTF-8.
const std::string MARK = "\xEF\xBB\xBF";

} // namespace

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
    NS_ABORT_MSG_IF(!input,
                    "cannot open the file '" << path
                                             << "': " << std::generic_category().message(errno));
    return input;
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
    // By characters: a file without line ends may never end.
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
    return std::nullopt;
}

std::string
TextLines::Complain(const std::string& sentence) const
{
    return m_name + ":" + std::to_string(m_number) + ": " + sentence;
}

} // namespace ns3::lossless
