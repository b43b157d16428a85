// SPDX-License-Identifier: GPL-2.0-only
#include "json-writer.h"

#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <locale>
#include <sstream>

namespace ns3::lossless
{

JsonWriter::JsonWriter(std::ostream& os)
    : m_os(os)
{
}

JsonWriter&
JsonWriter::Key(const std::string& name)
{
    Separate();
    WriteText(name);
    m_os << ": ";
    m_afterKey = true;
    return *this;
}

void
JsonWriter::Begin(char bracket)
{
    Separate();
    m_os << bracket;
    m_levels.push_back(0);
}

void
JsonWriter::End(char bracket)
{
    const bool empty = m_levels.back() == 0;
    m_levels.pop_back();
    if (!empty)
    {
        BreakLine();
    }
    m_os << bracket;
}

void
JsonWriter::Text(const std::string& text)
{
    Separate();
    WriteText(text);
}

void
JsonWriter::Integer(uint64_t number)
{
    Separate();
    m_os << number;
}

void
JsonWriter::Number(double number)
{
    Separate();
    if (!std::isfinite(number))
    {
        m_os << "null"; // JSON has no such numbers
        return;
    }
    std::ostringstream digits;
    for (int precision = 15; precision <= 17; ++precision)
    {
        digits.str("");
        digits.imbue(std::locale::classic());
        digits << std::setprecision(precision) << number;
        if (std::strtod(digits.str().c_str(), nullptr) == number)
        {
            break;
        }
    }
    m_os << digits.str();
}

void
JsonWriter::Boolean(bool value)
{
    Separate();
    m_os << (value ? "true" : "false");
}

void
JsonWriter::Null()
{
    Separate();
    m_os << "null";
}

void
JsonWriter::Separate()
{
    if (m_afterKey)
    {
        m_afterKey = false;
        return;
    }
    if (m_levels.empty())
    {
        return;
    }
    m_os << (m_levels.back()++ == 0 ? "" : ",");
    BreakLine();
}

void
JsonWriter::BreakLine()
{
    m_os << '\n' << std::string(2 * m_levels.size(), ' ');
}

void
JsonWriter::WriteText(const std::string& text)
{
    m_os << '"';
    for (const char c : text)
    {
        if (c == '"' || c == '\\')
        {
            m_os << '\\' << c;
        }
        else if (static_cast<unsigned char>(c) < 0x20)
        {
            m_os << "\\u" << std::hex << std::setw(4) << std::setfill('0') << static_cast<int>(c)
                 << std::dec << std::setfill(' ');
        }
        else
        {
            m_os << c;
        }
    }
    m_os << '"';
}

} // namespace ns3::lossless
